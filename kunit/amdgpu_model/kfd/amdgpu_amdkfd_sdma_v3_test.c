// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_sdma_v3_test.c - KFD's queues on the copy engines of GFX7 and GFX8.
 *
 * Order: kgd_hqd_sdma_load() of amdgpu_amdkfd_gfx_v8.c of Linux 6.1.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd_sdma_v3.c"

#define BLOCK	(0x3600 + 0x100 + 0x80)	/* engine 1, queue 1 */

static struct {
	int idle_answer;
	u32 writes_before_idle, block, timeout_ms;
	bool readable;
} v3_seen;

u32 amdm_kgd_sdma_block(struct amdm_device *adev, u32 engine, u32 queue)
{
	return adev->sdma->base[engine] + adev->sdma->rlc + queue * adev->sdma->stride;
}

int amdm_kgd_sdma_wait_idle(struct amdm_device *adev, u32 block, u32 timeout_ms)
{
	v3_seen.writes_before_idle = fake_registers.count;
	v3_seen.block = block;
	v3_seen.timeout_ms = timeout_ms;
	return v3_seen.idle_answer;
}

bool amdm_kgd_read_wptr(struct mm_struct *mm, u64 __user *wptr, u64 *value)
{
	*value = 0x1234567812345678ULL;
	return v3_seen.readable;
}

static const struct sdma_layout layout = { .generation = 3, .engines = 2, .rlc = 0x100, .stride = 0x80, .base = { 0x3400, 0x3600 } };

struct v3_bed {
	struct amdm_device adev;
	u32 mqd[MQD_SDMA_VI_DWORDS];
	u32 regs[32][2];
};

static int v3_setup(struct kunit *test)
{
	struct v3_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&v3_seen, 0, sizeof(v3_seen));
	fake_registers_reset();
	bed->adev.sdma = &layout;
	for (i = 0; i < MQD_SDMA_VI_DWORDS; i++)
		bed->mqd[i] = 0x5a000000 + i;
	bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_cntl] = 0x00001015;
	bed->mqd[MQD_SDMA_VI_sdma_engine_id] = 1;
	bed->mqd[MQD_SDMA_VI_sdma_queue_id] = 1;
	return 0;
}

static u32 written(struct kunit *test, u32 name)
{
	u32 value = 0;

	KUNIT_EXPECT_TRUE_MSG(test, fake_written(name, &value), "register 0x%x", name);
	return value;
}

static void a_queue_is_loaded(struct kunit *test)
{
	static const struct {
		u32 reg, value;
	} order[] = {
		{ SDMA3_RLC_RB_CNTL, 0x00001014 },
		{ SDMA3_RLC_DOORBELL, 0x5a000012 | 1u << 28 },
		{ SDMA3_RLC_DUMMY_REG, 0x5a000013 },	/* VIRTUAL_ADDR */
		{ SDMA3_RLC_RB_BASE, 0x5a000001 },
		{ SDMA3_RLC_RB_BASE_HI, 0x5a000002 },
		{ SDMA3_RLC_RB_RPTR_ADDR_LO, 0x5a000009 },
		{ SDMA3_RLC_RB_RPTR_ADDR_HI, 0x5a000008 },
		{ SDMA3_RLC_RB_RPTR, 0x5a000003 },
		{ SDMA3_RLC_RB_WPTR, 0x12345678 },	/* 32 bits of it */
		{ SDMA3_RLC_RB_CNTL, 0x00001015 },
	};
	struct v3_bed *bed = test->priv;
	u32 i;

	v3_seen.readable = true;
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load_v3(&bed->adev, bed->mqd, NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, fake_registers.count, (u32)ARRAY_SIZE(order));
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		KUNIT_EXPECT_EQ_MSG(test, fake_registers.writes[i].name, BLOCK + order[i].reg, "write %u", i);
		KUNIT_EXPECT_EQ_MSG(test, fake_registers.writes[i].value, order[i].value, "write %u", i);
	}
	KUNIT_EXPECT_EQ(test, v3_seen.writes_before_idle, 1u);
	KUNIT_EXPECT_EQ(test, v3_seen.block, (u32)BLOCK);
	KUNIT_EXPECT_EQ(test, v3_seen.timeout_ms, 2000u);
	KUNIT_EXPECT_TRUE(test, amdm_kgd_hqd_sdma_is_occupied_v3(&bed->adev, bed->mqd));
}

static void without_a_write_pointer(struct kunit *test)
{
	struct v3_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load_v3(&bed->adev, bed->mqd, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA3_RLC_RB_WPTR), 0x5a000003u);
}

static void an_engine_that_does_not_get_idle(struct kunit *test)
{
	struct v3_bed *bed = test->priv;

	v3_seen.idle_answer = -ETIME;
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load_v3(&bed->adev, bed->mqd, NULL, NULL), -ETIME);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 1u);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_sdma_is_occupied_v3(&bed->adev, bed->mqd));
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_destroy_v3(&bed->adev, bed->mqd, 77), -ETIME);
	KUNIT_EXPECT_EQ(test, v3_seen.timeout_ms, 77u);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_rptr], 0x5a000003u);
}

static void a_queue_is_let_go(struct kunit *test)
{
	struct v3_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load_v3(&bed->adev, bed->mqd, NULL, NULL), 0);
	fake_registers_keep(BLOCK + SDMA3_RLC_RB_RPTR, 0x40);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_destroy_v3(&bed->adev, bed->mqd, 1000), 0);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_rptr], 0x40u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA3_RLC_DOORBELL), 0u);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_sdma_is_occupied_v3(&bed->adev, bed->mqd));
}

static void the_dump_of_a_queue(struct kunit *test)
{
	struct v3_bed *bed = test->priv;
	u32 count = 0;

	fake_registers_keep(BLOCK + SDMA3_RLC_DOORBELL, 0x99);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump_v3(&bed->adev, 1, 1, bed->regs, 18, &count), -ENOSPC);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump_v3(&bed->adev, 1, 1, bed->regs, 19, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 19u);
	KUNIT_EXPECT_EQ(test, bed->regs[18][0], (u32)(BLOCK + SDMA3_RLC_DOORBELL) << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[18][1], 0x99u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_queue_is_loaded),
	KUNIT_CASE(without_a_write_pointer),
	KUNIT_CASE(an_engine_that_does_not_get_idle),
	KUNIT_CASE(a_queue_is_let_go),
	KUNIT_CASE(the_dump_of_a_queue),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_amdkfd_sdma_v3", .init = v3_setup, .test_cases = cases };
kunit_test_suite(suite);
