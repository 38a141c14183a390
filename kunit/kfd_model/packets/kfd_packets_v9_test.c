// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_packets_v9_test.c - scheduler packets of GFX9, a dword a row */
#include <kunit/test.h>

#include "kfd_model/packets/kfd_packets_v9.c"

static void run_list_packet(struct kunit *test)
{
	const struct kfdm_run_list list = { .ib_addr = 0x4000001e00, .ib_dwords = 23, .concurrent_processes = 1 };
	const struct kfdm_run_list chained = { .ib_addr = 0x4000001e00, .ib_dwords = 23, .chain = true,
					       .concurrent_processes = 8 };
	u32 packet[PM4_RUN_LIST_DWORDS];

	KUNIT_EXPECT_EQ(test, kfdm_packets_v9.run_list(packet, &list), 0);
	KUNIT_EXPECT_EQ(test, packet[0], 0xc002a500u);
	KUNIT_EXPECT_EQ(test, packet[1], 0x00001e00u);
	KUNIT_EXPECT_EQ(test, packet[2], 0x00000040u);
	KUNIT_EXPECT_EQ(test, packet[3], 0x01800017u);
	kfdm_packets_v9.run_list(packet, &chained);
	KUNIT_EXPECT_EQ(test, packet[3], 0x08d00017u);
}

struct engine_row {
	enum kfdm_queue_type type;
	u32 engine, sdma_version;
	bool is_static;
	int ret;
	u32 dword1;
};

static const struct engine_row engine_rows[] = {
	{ KFDM_QUEUE_COMPUTE,   0, 0x040200, false, 0,       0x20000010 },
	{ KFDM_QUEUE_COMPUTE,   0, 0x040200, true,  0,       0x20400010 },
	{ KFDM_QUEUE_DIQ,       0, 0x040200, true,  0,       0x20200010 },
	{ KFDM_QUEUE_SDMA,      0, 0x040200, false, 0,       0x28000010 },
	{ KFDM_QUEUE_SDMA,      1, 0x040200, true,  0,       0x2c000010 },
	{ KFDM_QUEUE_SDMA_XGMI, 3, 0x040200, false, 0,       0x2c000014 },
	{ KFDM_QUEUE_SDMA,      0, 0x050200, false, 0,       0x20000014 },
	{ KFDM_QUEUE_SDMA_XGMI, 7, 0x040402, false, 0,       0x3c000014 },
	{ KFDM_QUEUE_SDMA_XGMI, 8, 0x040402, false, 0,       0x20000018 },
	{ KFDM_QUEUE_SDMA_XGMI, 15, 0x040402, false, 0,      0x3c000018 },
	{ KFDM_QUEUE_HIQ,       0, 0x040200, false, -EINVAL, 0 },
};

static void engine_name(const struct engine_row *row, char *text)
{
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "type %d engine %u SDMA %06x%s", row->type, row->engine, row->sdma_version,
		  row->is_static ? " static" : "");
}

KUNIT_ARRAY_PARAM(engine, engine_rows, engine_name);

static void map_queues_engine(struct kunit *test)
{
	const struct engine_row *row = test->param_value;
	const struct kfdm_queue_properties q = { .type = row->type, .sdma_engine_id = row->engine };
	const struct kfdm_map_queues map = { .q = &q, .is_static = row->is_static };
	u32 packet[PM4_MAP_QUEUES_DWORDS];

	KUNIT_EXPECT_EQ(test, kfdm_packets_v9.map_queues(packet, &map, row->sdma_version), row->ret);
	if (!row->ret)
		KUNIT_EXPECT_EQ(test, packet[1], row->dword1);
}

static void unmap_filters(struct kunit *test)
{
	u32 packet[PM4_UNMAP_QUEUES_DWORDS];

	kfdm_packets_v9.unmap_queues(packet, KFDM_UNMAP_DYNAMIC, 0, false, 0x040200);
	KUNIT_EXPECT_EQ(test, packet[1], 0x30u);
	kfdm_packets_v9.unmap_queues(packet, KFDM_UNMAP_ALL, 0, false, 0x040200);
	KUNIT_EXPECT_EQ(test, packet[1], 0x20u);
	kfdm_packets_v9.unmap_queues(packet, KFDM_UNMAP_BY_PASID, 0x8001, true, 0x040200);
	KUNIT_EXPECT_EQ(test, packet[1], 0x11u);
	KUNIT_EXPECT_EQ(test, packet[2], 0x8001u);
	KUNIT_EXPECT_EQ(test, kfdm_packets_v9.unmap_queues(packet, 0, 0, false, 0x040200), -EINVAL);
}

static void aldebaran_does_not_enable_the_trap_handler(struct kunit *test)
{
	const struct kfdm_map_process process = { .tba_addr = 0x100000000000, .tma_addr = 0x3000 };
	u32 packet[PM4_MAP_PROCESS_ALDEBARAN_DWORDS];

	kfdm_packets_v9.map_process(packet, &process);
	KUNIT_EXPECT_EQ(test, packet[7], 0x80000010u);
	kfdm_packets_aldebaran.map_process(packet, &process);
	KUNIT_EXPECT_EQ(test, packet[0], 0xc013a100u);
	KUNIT_EXPECT_EQ(test, packet[7], 0u);
	KUNIT_EXPECT_EQ(test, packet[8], 0x30u);
}

/* CP_IQ_WAIT_TIME2: QUE_SLEEP in bits 7:0, SCH_WAVE above it */
static void waits(struct kunit *test)
{
	struct kfdm_dequeue_wait wait = { .cmd = KFDM_DEQUEUE_WAIT_INIT, .reg = 0x30b0, .wait_times = 0x12345640 };
	u32 packet[DEQUEUE_WAIT_DWORDS];

	kfdm_packets_aldebaran_7_2.dequeue_wait(packet, &wait);
	KUNIT_EXPECT_EQ(test, packet[2], 0x30b0u);
	KUNIT_EXPECT_EQ(test, packet[4], 0x12345601u);
	wait.short_waves = true;	/* an APU of GC 9.4.3 */
	kfdm_packets_aldebaran_7_2.dequeue_wait(packet, &wait);
	KUNIT_EXPECT_EQ(test, packet[4], 0x12340101u);
	wait.cmd = KFDM_DEQUEUE_WAIT_RESET;
	kfdm_packets_aldebaran_7_2.dequeue_wait(packet, &wait);
	KUNIT_EXPECT_EQ(test, packet[4], 0x12345640u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(waits),
	KUNIT_CASE(aldebaran_does_not_enable_the_trap_handler),
	KUNIT_CASE(run_list_packet),
	KUNIT_CASE_PARAM(map_queues_engine, engine_gen_params),
	KUNIT_CASE(unmap_filters),
	{}
};

static struct kunit_suite suite = { .name = "kfd_packets_v9", .test_cases = cases };
kunit_test_suite(suite);
