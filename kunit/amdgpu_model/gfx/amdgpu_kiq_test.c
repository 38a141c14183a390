// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_kiq_test.c - the kernel's own queue: its descriptor, how it is connected, and packets that a small engine here does, or does not.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/gfx/amdgpu_kiq.c"

#define ADDR	0x0000000012345000ULL

struct kiq_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
	struct amdm_gtt mem;
	u64 memory[4 * PAGE_SIZE / 8];
};

enum engine { WORKS, SLEEPS, FORGETS, IS_RESET };	/* FORGETS: does the fence, not the packets */

static struct {
	enum engine engine;
	bool no_memory;
	u64 rptr, doorbell;
	u32 doorbell_offset, rings, resets, destroyed;
	u32 kiq_registers[256];		/* written to its bank, in order */
	u32 others;			/* packets that the engine does not know */
	struct kiq_bed *bed;
} kiq_seen;

struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size)
{
	struct kiq_bed *bed = kiq_seen.bed;

	if (kiq_seen.no_memory || size > sizeof(bed->memory))
		return ERR_PTR(-ENOMEM);
	bed->mem.cpu = bed->memory;
	bed->mem.addr = ADDR;
	return &bed->mem;
}

void amdm_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	kiq_seen.destroyed += !IS_ERR_OR_NULL(gtt);
}

void amdm_doorbell_reset(struct amdm_device *adev, u32 offset, u32 size)
{
	kiq_seen.resets++;
}

u32 amdm_glue_slow_factor(void)
{
	return 0;	/* no time at all */
}

/* The two packets that there are, out of the ring. */
static void engine_run(struct kiq_bed *bed, u64 wptr)
{
	const u32 *ring = (u32 *)bed->memory + PAGE_SIZE / 4;
	u32 dw[6], i;

	while (kiq_seen.rptr < wptr) {
		u32 words = (ring[kiq_seen.rptr % 1024] >> 16 & 0x3fff) + 2;

		for (i = 0; i < words && i < ARRAY_SIZE(dw); i++)
			dw[i] = ring[(kiq_seen.rptr + i) % 1024];
		kiq_seen.rptr += words;
		if (dw[0] == PM4_HEADER(PM4_WRITE_DATA, 3)) {
			u64 at = (dw[2] | (u64)dw[3] << 32) - ADDR;

			if (at < sizeof(bed->memory))
				WRITE_ONCE(((u32 *)bed->memory)[at / 4], dw[4]);
		} else if (dw[0] == PM4_HEADER(PM4_SET_UCONFIG_REG, 1)) {
			if (kiq_seen.engine != FORGETS)
				fake_wreg(&bed->adev, PM4_UCONFIG_REG_START + dw[1], dw[2]);
		} else {
			kiq_seen.others++;
		}
	}
}

void amdm_doorbell_write64(struct amdm_device *adev, u32 offset, u64 value)
{
	struct kiq_bed *bed = kiq_seen.bed;

	kiq_seen.rings++;
	kiq_seen.doorbell = value;
	kiq_seen.doorbell_offset = offset;
	if (kiq_seen.engine == IS_RESET)
		WRITE_ONCE(adev->kiq[0].ready, false);
	if (kiq_seen.engine == WORKS || kiq_seen.engine == FORGETS)
		engine_run(bed, value);
}

static int kiq_setup(struct kunit *test)
{
	struct kiq_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&kiq_seen, 0, sizeof(kiq_seen));
	kiq_seen.bed = bed;
	bed->adev.pdev = &bed->pdev;
	mutex_init(&bed->adev.kiq[0].lock);
	return amdm_kiq_sw_init(&bed->adev);
}

static void kiq_teardown(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;

	amdm_kiq_sw_fini(&bed->adev);
	KUNIT_EXPECT_EQ(test, kiq_seen.destroyed, 1u);
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.kiq[0].lock));
}

static void its_descriptor(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;
	const u32 *mqd = (u32 *)bed->memory;

	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_header], 0xC0310800u);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_mqd_base_addr_lo], (u32)ADDR);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_base_lo], (u32)(ADDR + PAGE_SIZE) >> 8);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_eop_base_addr_lo], (u32)(ADDR + 2 * PAGE_SIZE) >> 8);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_eop_control], 9u);		/* 2^(9 + 1) dwords */
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_control] & 0x3f, 9u);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_control] >> 30, 3u);	/* KMD_QUEUE, PRIV_STATE */
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_rptr_report_addr_lo], (u32)ADDR + 3 * (u32)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo], (u32)ADDR + 3 * (u32)PAGE_SIZE + 8);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_pq_doorbell_control], 1u << 30);	/* enabled, index 0 */
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_persistent_state] >> 8 & 0x3ff, 0x53u);
	KUNIT_EXPECT_EQ(test, mqd[MQD_V9_cp_hqd_active], 1u);
}

/* gfx_v9_0_kiq_setting, gfx_v9_0_kiq_init_register: the RLC knows it, its registers are those of the descriptor, and it runs last. */
static void it_is_connected(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;
	const u32 *hqd = (u32 *)bed->memory + MQD_V9_HQD_FIRST;
	u32 i, in_bank = 0, last = 0, value = 0;

	fake_registers_keep(mmRLC_CP_SCHEDULERS, 0x0000c1ff);
	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(mmRLC_CP_SCHEDULERS, &value));
	KUNIT_EXPECT_EQ(test, value, 0x0000c1c8u);	/* ME 2, pipe 1, queue 0, enabled; the HIQ's byte stays */
	for (i = 0; i < fake_registers.count; i++) {
		const struct fake_write *w = &fake_registers.writes[i];

		if (w->me != 2)
			continue;
		KUNIT_EXPECT_EQ(test, w->pipe, 1u);
		KUNIT_EXPECT_EQ(test, w->queue + w->vmid, 0u);
		if (w->name != mmCP_HQD_ACTIVE)
			KUNIT_EXPECT_EQ(test, w->value, hqd[w->name - mmCP_MQD_BASE_ADDR]);
		in_bank++;
		last = w->name;
	}
	KUNIT_EXPECT_EQ(test, in_bank, (u32)MQD_V9_HQD_COUNT - 1);	/* but the hole behind the doorbell's */
	KUNIT_EXPECT_EQ(test, last, (u32)mmCP_HQD_ACTIVE);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_PQ_STATUS, &value));
	KUNIT_EXPECT_EQ(test, value, 2u);
	KUNIT_EXPECT_EQ(test, kiq_seen.resets, 1u);
	KUNIT_EXPECT_TRUE(test, bed->adev.kiq[0].ready);
}

static void packets_in_order(struct kunit *test)
{
	static const u32 packet[] = { PM4_HEADER(PM4_SET_UCONFIG_REG, 1), 0x77, 0x1234 };
	struct kiq_bed *bed = test->priv;
	const u32 *ring = (u32 *)bed->memory + PAGE_SIZE / 4;
	u64 before;
	u32 value;

	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	before = bed->adev.kiq[0].wptr;
	KUNIT_EXPECT_EQ(test, amdm_kiq_submit(&bed->adev, 0, packet, ARRAY_SIZE(packet)), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(PM4_UCONFIG_REG_START + 0x77, &value));
	KUNIT_EXPECT_EQ(test, value, 0x1234u);
	KUNIT_EXPECT_EQ(test, ring[before + 4], 5u << 8 | 1u << 20);	/* WRITE_DATA to memory, confirmed */
	KUNIT_EXPECT_EQ(test, ring[before + 5], (u32)ADDR + 3 * (u32)PAGE_SIZE + 16);
	KUNIT_EXPECT_EQ(test, ring[before + 7], 2u);			/* the second fence */
	KUNIT_EXPECT_EQ(test, kiq_seen.doorbell, before + 8);		/* dwords, never wrapped */
	KUNIT_EXPECT_EQ(test, kiq_seen.doorbell_offset, 0u);
	KUNIT_EXPECT_EQ(test, *(u64 *)&bed->adev.kiq[0].wb[2], before + 8);
}

static void the_ring_goes_round(struct kunit *test)
{
	static const u32 packet[] = { PM4_HEADER(PM4_SET_UCONFIG_REG, 1), 0x77, 0x1234 };
	struct kiq_bed *bed = test->priv;
	u32 i;

	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	fake_registers_reset();
	for (i = 0; i < 300; i++)
		KUNIT_EXPECT_EQ(test, amdm_kiq_submit(&bed->adev, 0, packet, ARRAY_SIZE(packet)), 0);
	KUNIT_EXPECT_EQ(test, fake_times_written(PM4_UCONFIG_REG_START + 0x77), 300u);
	KUNIT_EXPECT_EQ(test, kiq_seen.others, 0u);
	KUNIT_EXPECT_EQ(test, kiq_seen.doorbell, 301ULL * 8);
}

static void it_does_not_answer(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;
	u32 nop = 0;

	kiq_seen.engine = SLEEPS;
	KUNIT_EXPECT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), -ETIME);
	KUNIT_EXPECT_FALSE(test, bed->adev.kiq[0].ready);
	KUNIT_EXPECT_EQ(test, amdm_kiq_submit(&bed->adev, 0, &nop, 1), -EIO);
	KUNIT_EXPECT_EQ(test, kiq_seen.rings, 1u);
}

static void it_does_not_what_it_says(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;

	kiq_seen.engine = FORGETS;
	KUNIT_EXPECT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), -EIO);
	KUNIT_EXPECT_FALSE(test, bed->adev.kiq[0].ready);
}

/* Waiters are woken at once and do not wait for their time-out. */
static void a_reset_takes_it_away(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;
	u32 nop = 0;

	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	kiq_seen.engine = IS_RESET;
	KUNIT_EXPECT_EQ(test, amdm_kiq_submit(&bed->adev, 0, &nop, 1), -EIO);
	kiq_seen.engine = WORKS;
	kiq_seen.rptr = 0;
	KUNIT_EXPECT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);	/* from the beginning */
	KUNIT_EXPECT_EQ(test, kiq_seen.doorbell, 8ULL);
}

static void it_is_disconnected(struct kunit *test)
{
	struct kiq_bed *bed = test->priv;
	u32 value = 1;

	KUNIT_ASSERT_EQ(test, amdm_kiq_hw_init(&bed->adev, 0), 0);
	fake_registers_reset();
	fake_registers_keep(mmRLC_CP_SCHEDULERS, 0x0000c1c8);
	amdm_kiq_hw_fini(&bed->adev, 0);
	KUNIT_EXPECT_FALSE(test, bed->adev.kiq[0].ready);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_ACTIVE, &value));
	KUNIT_EXPECT_EQ(test, value, 0u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_DOORBELL_CONTROL, &value));
	KUNIT_EXPECT_EQ(test, value, 0u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].me, 2u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmRLC_CP_SCHEDULERS, &value));
	KUNIT_EXPECT_EQ(test, value, 0x0000c100u);
}

static void without_memory(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	kiq_seen.no_memory = true;
	KUNIT_EXPECT_EQ(test, amdm_kiq_sw_init(adev), -ENOMEM);
	amdm_kiq_sw_fini(adev);
	KUNIT_EXPECT_EQ(test, kiq_seen.destroyed, 0u);
}

/* As on GFX8: there is no KIQ, only its lock, which every device has. */
static void there_is_none(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);
	const u32 packet = 0;

	KUNIT_ASSERT_NOT_NULL(test, adev);
	mutex_init(&adev->kiq[0].lock);
	KUNIT_EXPECT_EQ(test, amdm_kiq_submit(adev, 0, &packet, 1), -EIO);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(there_is_none),
	KUNIT_CASE(its_descriptor),
	KUNIT_CASE(it_is_connected),
	KUNIT_CASE(packets_in_order),
	KUNIT_CASE(the_ring_goes_round),
	KUNIT_CASE(it_does_not_answer),
	KUNIT_CASE(it_does_not_what_it_says),
	KUNIT_CASE(a_reset_takes_it_away),
	KUNIT_CASE(it_is_disconnected),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_kiq", .init = kiq_setup, .exit = kiq_teardown, .test_cases = cases };
kunit_test_suite(suite);
