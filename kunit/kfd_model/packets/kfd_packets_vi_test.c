// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_packets_vi_test.c - what GFX8's scheduler packets have of their own; the vectors have the rest */
#include <kunit/test.h>

#include "kfd_model/packets/kfd_packets_vi.c"

static void run_list_needs_an_address(struct kunit *test)
{
	const struct kfdm_run_list nowhere = { .ib_dwords = 4 };
	const struct kfdm_run_list list = { .ib_addr = 0x4000001e00, .ib_dwords = 23, .concurrent_processes = 1 };
	u32 packet[PM4_RUN_LIST_DWORDS];

	KUNIT_EXPECT_EQ(test, run_list(packet, &nowhere), -EFAULT);
	KUNIT_EXPECT_EQ(test, run_list(packet, &list), 0);
	KUNIT_EXPECT_EQ(test, packet[1], 0x00001e00u);
	KUNIT_EXPECT_EQ(test, packet[2], 0x40u);
	KUNIT_EXPECT_EQ(test, packet[3], 0x01800017u);
}

static void process_has_an_alternate_aperture(struct kunit *test)
{
	const struct kfdm_map_process process = { .pasid = 0x8001, .sh_mem_ape1_base = 5, .sh_mem_ape1_limit = 6, .num_gws = 64 };
	u32 packet[PM4_MAP_PROCESS_DWORDS];

	KUNIT_EXPECT_EQ(test, map_process(packet, &process), 0);
	KUNIT_EXPECT_EQ(test, packet[0], 0xc00ea100u);
	KUNIT_EXPECT_EQ(test, packet[6], 5u);
	KUNIT_EXPECT_EQ(test, packet[7], 6u);
	KUNIT_EXPECT_EQ(test, packet[13], 0u);		/* six bits: 64 does not fit */
}

static void engines(struct kunit *test)
{
	const struct kfdm_queue_properties sdma = { .type = KFDM_QUEUE_SDMA, .sdma_engine_id = 1 };
	const struct kfdm_queue_properties hiq = { .type = KFDM_QUEUE_HIQ };
	const struct kfdm_map_queues map_sdma = { .q = &sdma }, map_hiq = { .q = &hiq };
	u32 packet[PM4_MAP_QUEUES_DWORDS];

	KUNIT_EXPECT_EQ(test, map_queues(packet, &map_sdma, 0), 0);
	KUNIT_EXPECT_EQ(test, packet[1], 0x2c000010u);
	KUNIT_EXPECT_EQ(test, map_queues(packet, &map_hiq, 0), -EINVAL);
}

static void release(struct kunit *test)
{
	u32 packet[RELEASE_MEM_DWORDS];

	KUNIT_EXPECT_EQ(test, release_mem(packet, 0x7f0012345678), 0);
	KUNIT_EXPECT_EQ(test, packet[1], 0x00030514u);
	KUNIT_EXPECT_EQ(test, packet[2], 0x22000000u);
	KUNIT_EXPECT_EQ(test, packet[3], 0x12345678u);
	KUNIT_EXPECT_EQ(test, packet[4], 0x7f00u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(run_list_needs_an_address),
	KUNIT_CASE(process_has_an_alternate_aperture),
	KUNIT_CASE(engines),
	KUNIT_CASE(release),
	{}
};

static struct kunit_suite suite = { .name = "kfd_packets_vi", .test_cases = cases };
kunit_test_suite(suite);
