// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_dqm_cpsch_test.c - which packets the firmware gets, in which order, and what happens when it does not answer */
#include <kunit/test.h>

#include "dqm_surroundings.h"

#include "kfd_model/dqm/kfd_dqm_cpsch.c"
#include "kfd_model/dqm/kfd_hiq_packets.c"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"

#define POOL_BYTES	(4 * PAGE_SIZE)
#define POOL_START	0x4000000000ULL

static struct {
	u8 opcode[16];
	u32 packets;
	u32 packet[16][PM4_MAP_PROCESS_DWORDS];
	bool deaf;
	struct kfdm_dqm *dqm;
} seen;

static void firmware(const u32 *packet)
{
	if (seen.packets == ARRAY_SIZE(seen.opcode))
		return;
	memcpy(seen.packet[seen.packets], packet, sizeof(seen.packet[0]));
	seen.opcode[seen.packets++] = PM4_OPCODE(packet[0]);
	if (PM4_OPCODE(packet[0]) == PM4_QUERY_STATUS && !seen.deaf)
		WRITE_ONCE(*(u64 *)seen.dqm->fence.cpu, PM4_GET(packet, query_status, data_lo));
}

static void fake_wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait)
{
	wait->host_ns = ktime_get_ns();
}

static bool fake_wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms)
{
	return ktime_get_ns() - wait->host_ns >= (u64)ms * NSEC_PER_MSEC;
}

static u32 doorbell_in_dword_0(u32 *mqd)
{
	return mqd[0];
}

static u32 fake_iq_wait_times(struct amdm_device *adev, u32 *reg)
{
	*reg = 0x30b0;
	return 0x40404040;
}

static const struct kfd2kgd_ops fake_kgd = {
	.wait_begin = fake_wait_begin, .wait_is_over = fake_wait_is_over, .iq_wait_times = fake_iq_wait_times,
};
static const struct kfdm_mqd_ops mqds[KFDM_MQD_TYPES] = {
	[KFDM_MQD_HIQ] = { .per_xcc = true, .read_doorbell_id = doorbell_in_dword_0 },
};
static const struct kfdm_chip vega = { .doorbell_size = 8, .hiq_by_kiq = true, .eop_by_queue = true, .trap_handler_by_vmid = true, .mqd = mqds, .packets = &kfdm_packets_v9 };

struct fixture {
	const struct kfd2kgd_ops *saved;
	int saved_timeout;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process_device pdd;
	struct kfdm_queue q[3];
};

static int cpsch_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	void *pool = kunit_kzalloc(test, POOL_BYTES, GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_NOT_NULL(test, pool);
	test->priv = f;
	f->saved = kfdm_kgd;
	f->saved_timeout = amdm_kfd_param.queue_preemption_timeout_ms;
	kfdm_kgd = &fake_kgd;
	amdm_kfd_param.queue_preemption_timeout_ms = 20;
	memset(&seen, 0, sizeof(seen));
	memset(&dqm_seen, 0, sizeof(dqm_seen));
	dqm_seen.firmware = firmware;
	seen.dqm = &f->dqm;
	f->dev.chip = &vega;
	f->dev.max_proc_per_quantum = 8;
	f->dev.num_cp_queues = 24;
	f->dev.vmids = 0xff00;
	f->dev.resources.num_pipe_per_mec = 4;
	f->dev.resources.num_queue_per_pipe = 4;
	bitmap_set(f->dev.resources.cp_queue_bitmap, 4, 2);	/* pipe 1, queues 0 and 1 */
	f->dqm.dev = &f->dev;
	INIT_LIST_HEAD(&f->dqm.qpds);
	f->pdd.dev = &f->dev;
	f->pdd.qpd.map.pasid = 0x8001;
	INIT_LIST_HEAD(&f->pdd.qpd.queues);
	list_add(&f->pdd.qpd.link, &f->dqm.qpds);
	f->dqm.processes_count = 1;
	for (i = 0; i < ARRAY_SIZE(f->q); i++) {
		f->q[i].properties.type = KFDM_QUEUE_COMPUTE;
		f->q[i].properties.doorbell_off = 0x1000 + 2 * i;
		list_add_tail(&f->q[i].qpd_link, &f->pdd.qpd.queues);
	}
	return kfdm_gtt_init(&f->dev.gtt, pool, POOL_START, POOL_BYTES);
}

static void cpsch_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_gtt_fini(&f->dev.gtt);
	amdm_kfd_param.queue_preemption_timeout_ms = f->saved_timeout;
	kfdm_kgd = f->saved;
}

static int activate(struct fixture *f, u32 queue)
{
	f->q[queue].properties.is_active = true;
	f->dqm.active_queue_count++;
	f->dqm.active_cp_queue_count++;
	return kfdm_dqm_cpsch.load(&f->dqm, &f->pdd.qpd, &f->q[queue]);
}

static void expect_opcodes(struct kunit *test, const u8 *opcode, u32 count)
{
	u32 i;

	KUNIT_EXPECT_EQ(test, seen.packets, count);
	for (i = 0; i < min(seen.packets, count); i++)
		KUNIT_EXPECT_EQ(test, seen.opcode[i], opcode[i]);
	seen.packets = 0;
}

#define EXPECT_OPCODES(test, ...) \
	expect_opcodes(test, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static void start_and_stop(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm.is_hws_hang = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs, 1u);
	KUNIT_EXPECT_EQ(test, dqm_seen.interrupts, 1u);
	KUNIT_EXPECT_FALSE(test, f->dqm.is_hws_hang);
	/* Slots are numbered as if every pipe had 8 queues. */
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[0], set_resources, queue_mask_lo), 0x300u);
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[0], set_resources, vmid_mask), 0xff00u);
	EXPECT_OPCODES(test, PM4_SET_RESOURCES);	/* no queue, no list */
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	EXPECT_OPCODES(test, PM4_RUN_LIST);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[0], unmap_queues, queue_sel), (u32)PM4_UNMAP_ALL);
	EXPECT_OPCODES(test, PM4_UNMAP_QUEUES, PM4_QUERY_STATUS);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs_left_hanging, 0u);
	KUNIT_EXPECT_EQ(test, f->dqm.run_list.chunks + f->dqm.fence.chunks, 0u);
}

/* Since GC 9.4.1, and not under abi=6.1 */
static void waits_less_between_two_tries_to_connect(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_chip arcturus = vega;

	arcturus.waits_by_iq_timer = true;
	f->dev.chip = &arcturus;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	EXPECT_OPCODES(test, PM4_SET_RESOURCES);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
	seen.packets = 0;

	arcturus.packets = &kfdm_packets_v9_7_2;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, seen.packet[1][2], 0x30b0u);
	KUNIT_EXPECT_EQ(test, seen.packet[1][4], 0x40404001u);
	EXPECT_OPCODES(test, PM4_SET_RESOURCES, PM4_WRITE_DATA);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
	seen.packets = 0;

	arcturus.waits_by_iq_timer = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	EXPECT_OPCODES(test, PM4_SET_RESOURCES);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
	f->dev.chip = &vega;
}

static void a_change_takes_the_list_away_first(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 queues = 0, i;
	const u32 *list;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	seen.packets = 0;
	KUNIT_EXPECT_EQ(test, activate(f, 2), 0);
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[0], unmap_queues, queue_sel), (u32)PM4_UNMAP_ALL_NON_STATIC);
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[1], query_status, addr_hi), upper_32_bits(f->dqm.fence.gpu_addr));
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[2], runlist, ib_size), PM4_MAP_PROCESS_DWORDS + 2u * PM4_MAP_QUEUES_DWORDS);
	EXPECT_OPCODES(test, PM4_UNMAP_QUEUES, PM4_QUERY_STATUS, PM4_RUN_LIST);
	/* The queue between them is not active. */
	list = f->dqm.run_list.cpu;
	KUNIT_EXPECT_EQ(test, (u32)PM4_OPCODE(list[0]), (u32)PM4_MAP_PROCESS);
	for (i = PM4_MAP_PROCESS_DWORDS; i < f->dqm.run_list_bytes / sizeof(u32); i += PM4_MAP_QUEUES_DWORDS)
		queues |= 1u << (PM4_GET(&list[i], map_queues, doorbell_offset) - 0x1000) / 2;
	KUNIT_EXPECT_EQ(test, queues, 5u);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
}

static void one_list_for_two_steps(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	seen.packets = 0;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), 0);
	EXPECT_OPCODES(test, PM4_UNMAP_QUEUES, PM4_QUERY_STATUS);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), 0);	/* off already */
	KUNIT_EXPECT_EQ(test, seen.packets, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.after_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.after_update(&f->dqm, &f->q[0]), 0);	/* on already */
	EXPECT_OPCODES(test, PM4_RUN_LIST);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.unload(&f->dqm, &f->pdd.qpd, &f->q[1]), 0);	/* was not active */
	KUNIT_EXPECT_EQ(test, seen.packets, 0u);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
}

static void more_than_fits_goes_round(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 *last;

	f->dev.num_cp_queues = 1;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	KUNIT_EXPECT_FALSE(test, f->dqm.over_subscribed);
	KUNIT_EXPECT_EQ(test, activate(f, 1), 0);
	KUNIT_EXPECT_TRUE(test, f->dqm.over_subscribed);
	last = f->dqm.run_list.cpu + f->dqm.run_list_bytes - PM4_RUN_LIST_DWORDS * sizeof(u32);
	KUNIT_EXPECT_EQ(test, (u32)PM4_OPCODE(last[0]), (u32)PM4_RUN_LIST);
	KUNIT_EXPECT_EQ(test, PM4_GET(last, runlist, chain), 1u);
	KUNIT_EXPECT_EQ(test, last[1], lower_32_bits(f->dqm.run_list.gpu_addr));
	kfdm_dqm_cpsch.stop(&f->dqm, false);
}

static void a_lost_fence_is_a_hang(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	seen.deaf = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.unload(&f->dqm, &f->pdd.qpd, &f->q[0]), -ETIME);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	KUNIT_EXPECT_TRUE(test, f->pdd.qpd.reset_wavefronts);
	/* From now on it is left alone, also by the stop before the reset. */
	seen.packets = 0;
	KUNIT_EXPECT_EQ(test, activate(f, 1), -EIO);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.terminated(&f->dqm, &f->pdd.qpd), -EIO);
	KUNIT_EXPECT_EQ(test, dqm_seen.kills, 0u);	/* the reset does that */
	kfdm_dqm_cpsch.stop(&f->dqm, true);
	KUNIT_EXPECT_EQ(test, seen.packets, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs_left_hanging, 1u);
	KUNIT_EXPECT_EQ(test, f->dqm.run_list.chunks + f->dqm.fence.chunks, 0u);
	seen.deaf = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	EXPECT_OPCODES(test, PM4_SET_RESOURCES, PM4_RUN_LIST);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
}

static void a_queue_that_does_not_leave_is_a_hang(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	dqm_seen.hiq_mqd[0] = 0x1000;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), -ETIME);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	kfdm_dqm_cpsch.stop(&f->dqm, true);
}

static void each_die_tells(struct kunit *test)
{
	static const struct kfdm_cu_layout two_dies = { .num_xcc = 2 };
	struct fixture *f = test->priv;

	f->dev.mqd_env.cu = &two_dies;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.after_update(&f->dqm, &f->q[0]), 0);
	dqm_seen.hiq_mqd[ARRAY_SIZE(dqm_seen.hiq_mqd) / 2] = 0x1000;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), -ETIME);
	kfdm_dqm_cpsch.stop(&f->dqm, true);
}

/* Linux 7.2: everybody goes on if the queue alone can be reset, else the GPU is. */
static void a_queue_that_does_not_leave_is_reset(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	dqm_seen.hiq_mqd[0] = 0x1000;
	seen.packets = 0;
	KUNIT_EXPECT_EQ(test, activate(f, 1), 0);
	EXPECT_OPCODES(test, PM4_UNMAP_QUEUES, PM4_QUERY_STATUS, PM4_RUN_LIST);
	KUNIT_EXPECT_EQ(test, dqm_seen.queue_resets, 1u);
	dqm_seen.queues_reset = -ENOTRECOVERABLE;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), -ETIME);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	KUNIT_EXPECT_TRUE(test, f->dqm.is_hws_hang);
	kfdm_dqm_cpsch.stop(&f->dqm, true);
	kfdm_abi = &kfdm_abi_6_1;
}

static void an_engine_that_hangs_is_reset(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	dqm_seen.engines_hang = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.queue_resets, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.engine_resets, 1u);
	KUNIT_EXPECT_EQ(test, activate(f, 1), 0);
	dqm_seen.engines_reset = -ENOTRECOVERABLE;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.before_update(&f->dqm, &f->q[0]), -ETIME);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	kfdm_dqm_cpsch.stop(&f->dqm, true);
	kfdm_abi = &kfdm_abi_6_1;
}

static void nothing_runs_while_halted(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	seen.packets = 0;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.halt(&f->dqm), 0);
	f->dqm.halted = true;
	KUNIT_EXPECT_EQ(test, PM4_GET(seen.packet[0], unmap_queues, queue_sel), (u32)PM4_UNMAP_ALL);
	KUNIT_EXPECT_EQ(test, activate(f, 1), 0);
	EXPECT_OPCODES(test, PM4_UNMAP_QUEUES, PM4_QUERY_STATUS);
	f->dqm.halted = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.unhalt(&f->dqm), 0);
	EXPECT_OPCODES(test, PM4_RUN_LIST);
	kfdm_dqm_cpsch.stop(&f->dqm, false);
}

static void during_a_reset_nothing_is_asked(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, activate(f, 0), 0);
	seen.packets = 0;
	f->dqm.is_resetting = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.evicted(&f->dqm, &f->pdd.qpd), -EIO);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_cpsch.reset_queues(&f->dqm, 0x8001), -EIO);
	KUNIT_EXPECT_EQ(test, seen.packets, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 0u);
	kfdm_dqm_cpsch.stop(&f->dqm, true);
	KUNIT_EXPECT_EQ(test, activate(f, 1), 0);	/* counted; the next start runs it */
	KUNIT_EXPECT_EQ(test, seen.packets, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(start_and_stop),
	KUNIT_CASE(waits_less_between_two_tries_to_connect),
	KUNIT_CASE(a_change_takes_the_list_away_first),
	KUNIT_CASE(one_list_for_two_steps),
	KUNIT_CASE(more_than_fits_goes_round),
	KUNIT_CASE(a_lost_fence_is_a_hang),
	KUNIT_CASE(a_queue_that_does_not_leave_is_a_hang),
	KUNIT_CASE(each_die_tells),
	KUNIT_CASE(a_queue_that_does_not_leave_is_reset),
	KUNIT_CASE(an_engine_that_hangs_is_reset),
	KUNIT_CASE(nothing_runs_while_halted),
	KUNIT_CASE(during_a_reset_nothing_is_asked),
	{}
};

static struct kunit_suite suite = { .name = "kfd_dqm_cpsch", .init = cpsch_setup, .exit = cpsch_teardown, .test_cases = cases };
kunit_test_suite(suite);
