// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_sdma_test.c - KFD's queues on copy engines: which block, what is written there and when, what is kept.
 *
 * Order: Linux 6.1, kgd_hqd_sdma_load() of amdgpu_amdkfd_gfx_v8.c and amdgpu_amdkfd_gfx_v9.c, hqd_sdma_load_v11() of
 * amdgpu_amdkfd_gfx_v11.c.
 */
#include <kunit/test.h>

#include "kunit/user_memory.h"
#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd_sdma.c"

/* No patience: what is not there at once is late. */
void amdm_glue_wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait)
{
}

bool amdm_glue_wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms)
{
	return true;
}

static const struct sdma_layout layout_v3 = {
	.generation = 3, .engines = 2, .rlc = 0x100, .stride = 0x80, .base = { 0x3400, 0x3600 },
};

static const struct sdma_layout layout_v4 = {
	.generation = 4, .engines = 2, .rlc = 0x140, .stride = 0x60, .base = { 0x1260, 0x1860 },
};

static const struct sdma_layout layout_v5 = {
	.generation = 5, .engines = 2, .rlc = 0x140, .stride = 0x60, .base = { 0x1260, 0x1860 },
};

static const struct sdma_layout layout_v6 = {
	.generation = 6, .engines = 2, .rlc = 0x140, .stride = 0x60, .base = { 0x1260, 0x1860 },
};

#define BLOCK	(0x1860 + 0x140 + 3 * 0x60)	/* engine 1, queue 3 */
#define OLD_BLOCK (0x3600 + 0x100 + 0x80)	/* SDMA 3: engine 1, queue 1 */

struct sdma_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
	u32 mqd[MQD_SDMA_V10_DWORDS];
	u32 regs[48][2];
};

static int sdma_setup(struct kunit *test)
{
	struct sdma_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	bed->adev.sdma = &layout_v4;
	bed->adev.pdev = &bed->pdev;
	bed->pdev.dev.init_name = "model";
	for (i = 0; i < MQD_SDMA_V10_DWORDS; i++)
		bed->mqd[i] = 0x5a000000 + i;
	bed->mqd[MQD_SDMA_V9_sdmax_rlcx_rb_cntl] = 0x00801014;
	bed->mqd[MQD_SDMA_V9_sdmax_rlcx_doorbell] = 0;
	bed->mqd[MQD_SDMA_V9_sdma_engine_id] = 1;
	bed->mqd[MQD_SDMA_V9_sdma_queue_id] = 3;
	return 0;
}

static void make_old(struct sdma_bed *bed)
{
	bed->adev.sdma = &layout_v3;
	bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_cntl] = 0x00001015;
	bed->mqd[MQD_SDMA_VI_sdmax_rlcx_doorbell] = 0x77;
	bed->mqd[MQD_SDMA_VI_sdma_engine_id] = 1;
	bed->mqd[MQD_SDMA_VI_sdma_queue_id] = 1;
}

static void idle(u32 block)
{
	fake_registers_keep(block + SDMA_RLC_CONTEXT_STATUS, 1u << 2);
}

static u32 written(struct kunit *test, u32 name)
{
	u32 value = 0;

	KUNIT_EXPECT_TRUE_MSG(test, fake_written(name, &value), "register 0x%x", name);
	return value;
}

static void blocks(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_sdma_block(&bed->adev, 0, 0), 0x13a0u);
	KUNIT_EXPECT_EQ(test, amdm_sdma_block(&bed->adev, 1, 3), (u32)BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_sdma_block(&bed->adev, 2, 0), 0x13a0u);	/* get_sdma_rlc_reg_offset: engine 0 */
	KUNIT_EXPECT_EQ(test, amdm_sdma_block(&bed->adev, ~0u, 0), 0x13a0u);
}

static void a_write_pointer_of_a_process(struct kunit *test)
{
	u64 __user *wptr = (u64 __user *)user_page;
	const u64 stored = 0x123456789abcdef0ULL;
	u64 value = 7;

	KUNIT_ASSERT_TRUE(test, user_write(&stored, sizeof(stored)));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_read_wptr(NULL, wptr, &value));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_read_wptr(user_mm, NULL, &value));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_read_wptr(user_mm, (u64 __user *)8, &value));
	KUNIT_EXPECT_TRUE(test, amdm_kgd_read_wptr(user_mm, wptr, &value));
	KUNIT_EXPECT_EQ(test, value, stored);
	KUNIT_EXPECT_NULL(test, current->mm);
}

struct register_value {
	u32 reg, value;
};

static void expect_writes(struct kunit *test, u32 block, const struct register_value *order, u32 count)
{
	u32 i;

	KUNIT_ASSERT_EQ(test, fake_registers.count, count);
	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fake_registers.writes[i].name, block + order[i].reg, "write %u", i);
		KUNIT_EXPECT_EQ_MSG(test, fake_registers.writes[i].value, order[i].value, "write %u", i);
	}
}

/* Nothing of a ring before it is off, and it is on when all is there. */
static void a_queue_is_loaded(struct kunit *test)
{
	static const struct register_value order[] = {
		{ SDMA_RLC_RB_CNTL, 0x00801014 },
		{ SDMA_RLC_DOORBELL_OFFSET, 0x5a000016 },
		{ SDMA_RLC_DOORBELL, 1u << 28 },
		{ SDMA_RLC_RB_RPTR, 0x5a000003 },
		{ SDMA_RLC_RB_RPTR_HI, 0x5a000004 },
		{ SDMA_RLC_MINOR_PTR_UPDATE, 1 },
		{ SDMA_RLC_RB_WPTR, 0x9abcdef0 },
		{ SDMA_RLC_RB_WPTR_HI, 0x12345678 },
		{ SDMA_RLC_MINOR_PTR_UPDATE, 0 },
		{ SDMA_RLC_RB_BASE, 0x5a000001 },
		{ SDMA_RLC_RB_BASE_HI, 0x5a000002 },
		{ SDMA_RLC_RB_RPTR_ADDR_LO, 0x5a000009 },
		{ SDMA_RLC_RB_RPTR_ADDR_HI, 0x5a000008 },
		{ SDMA_RLC_RB_CNTL, 0x00801015 },
	};
	const u64 stored = 0x123456789abcdef0ULL;
	struct sdma_bed *bed = test->priv;

	bed->mqd[MQD_SDMA_V9_sdmax_rlcx_rb_cntl] |= 1;	/* saved while it was on */
	idle(BLOCK);
	KUNIT_ASSERT_TRUE(test, user_write(&stored, sizeof(stored)));
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, (u64 __user *)user_page, user_mm), 0);
	expect_writes(test, BLOCK, order, ARRAY_SIZE(order));
	KUNIT_EXPECT_TRUE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
}

static void a_queue_of_gfx8_is_loaded(struct kunit *test)
{
	static const struct register_value order[] = {
		{ SDMA3_RLC_RB_CNTL, 0x00001014 },
		{ SDMA3_RLC_DOORBELL, 0x77 | 1u << 28 },
		{ SDMA3_RLC_DUMMY_REG, 0x5a000013 },	/* VIRTUAL_ADDR */
		{ SDMA3_RLC_RB_BASE, 0x5a000001 },
		{ SDMA3_RLC_RB_BASE_HI, 0x5a000002 },
		{ SDMA3_RLC_RB_RPTR_ADDR_LO, 0x5a000009 },
		{ SDMA3_RLC_RB_RPTR_ADDR_HI, 0x5a000008 },
		{ SDMA3_RLC_RB_RPTR, 0x5a000003 },
		{ SDMA3_RLC_RB_WPTR, 0x12345678 },	/* 32 bits of it */
		{ SDMA3_RLC_RB_CNTL, 0x00001015 },
	};
	const u64 stored = 0x1234567812345678ULL;
	struct sdma_bed *bed = test->priv;

	make_old(bed);
	idle(OLD_BLOCK);
	KUNIT_ASSERT_TRUE(test, user_write(&stored, sizeof(stored)));
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, (u64 __user *)user_page, user_mm), 0);
	expect_writes(test, OLD_BLOCK, order, ARRAY_SIZE(order));
	KUNIT_EXPECT_TRUE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
}

/* A pointer that cannot be read: the ring is taken to be empty. */
static void without_a_write_pointer(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	idle(BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, (u64 __user *)8, user_mm), 0);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_RB_WPTR), 0x5a000003u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_RB_WPTR_HI), 0x5a000004u);

	make_old(bed);
	idle(OLD_BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, (u64 __user *)8, user_mm), 0);
	KUNIT_EXPECT_EQ(test, written(test, OLD_BLOCK + SDMA3_RLC_RB_WPTR), 0x5a000003u);
}

static void an_engine_that_does_not_get_idle(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, NULL, NULL), -ETIME);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 1u);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_destroy(&bed->adev, bed->mqd, 1000), -ETIME);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_V9_sdmax_rlcx_rb_rptr], 0x5a000003u);
}

static void a_queue_is_let_go(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	idle(BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, NULL, NULL), 0);
	fake_registers_keep(BLOCK + SDMA_RLC_RB_RPTR, 0x40);
	fake_registers_keep(BLOCK + SDMA_RLC_RB_RPTR_HI, 0x2);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_destroy(&bed->adev, bed->mqd, 1000), 0);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_V9_sdmax_rlcx_rb_rptr], 0x40u);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_hi], 0x2u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_DOORBELL), 0u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_RB_CNTL), 0x00801014u);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
}

/* What is behind the read pointer in vi_sdma_mqd is no upper half of it. */
static void a_queue_of_gfx8_is_let_go(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	make_old(bed);
	idle(OLD_BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, NULL, NULL), 0);
	fake_registers_keep(OLD_BLOCK + SDMA3_RLC_RB_RPTR, 0x40);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_destroy(&bed->adev, bed->mqd, 1000), 0);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_rptr], 0x40u);
	KUNIT_EXPECT_EQ(test, bed->mqd[MQD_SDMA_VI_sdmax_rlcx_rb_rptr + 1], 0x5a000004u);
	KUNIT_EXPECT_EQ(test, written(test, OLD_BLOCK + SDMA3_RLC_DOORBELL), 0u);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
}

/* v10_sdma_mqd is two dwords longer; in v11_sdma_mqd there is one register less before the read pointer's address. */
static void descriptors_of_gfx10_and_gfx11(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	bed->adev.sdma = &layout_v5;
	bed->mqd[MQD_SDMA_V10_sdma_engine_id] = 0;
	bed->mqd[MQD_SDMA_V10_sdma_queue_id] = 2;
	idle(0x13a0 + 2 * 0x60);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, written(test, 0x13a0 + 2 * 0x60 + SDMA_RLC_RB_RPTR_ADDR_LO), 0x5a000009u);

	fake_registers_reset();
	bed->adev.sdma = &layout_v6;
	bed->mqd[17] = 1u << 28;	/* doorbell */
	idle(BLOCK);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_load(&bed->adev, bed->mqd, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_RB_RPTR_ADDR_HI), 0x5a000007u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_RB_RPTR_ADDR_LO), 0x5a000008u);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_DOORBELL), 1u << 28);
	KUNIT_EXPECT_EQ(test, written(test, BLOCK + SDMA_RLC_DOORBELL_OFFSET), 0x5a000013u);
	KUNIT_EXPECT_TRUE(test, amdm_kgd_hqd_sdma_is_occupied(&bed->adev, bed->mqd));
}

static void the_dump_of_a_queue(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;
	u32 count = 0, i;

	fake_registers_keep(BLOCK + SDMA_RLC_MIDCMD_CNTL, 0x99);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump(&bed->adev, 1, 3, bed->regs, 41, &count), -ENOSPC);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump(&bed->adev, 1, 3, bed->regs, 42, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 42u);	/* HQD_N_REGS 19+6+7+10 */
	for (i = 1; i < count; i++)
		KUNIT_EXPECT_GT(test, bed->regs[i][0], bed->regs[i - 1][0]);
	KUNIT_EXPECT_EQ(test, bed->regs[0][0], (u32)BLOCK << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[41][0], (u32)(BLOCK + SDMA_RLC_MIDCMD_CNTL) << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[41][1], 0x99u);
}

static void the_dump_of_a_queue_of_gfx8(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;
	u32 count = 0;

	make_old(bed);
	fake_registers_keep(OLD_BLOCK + SDMA3_RLC_DOORBELL, 0x99);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump(&bed->adev, 1, 1, bed->regs, 18, &count), -ENOSPC);
	KUNIT_EXPECT_EQ(test, amdm_kgd_hqd_sdma_dump(&bed->adev, 1, 1, bed->regs, 19, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 19u);
	KUNIT_EXPECT_EQ(test, bed->regs[18][0], (u32)(OLD_BLOCK + SDMA3_RLC_DOORBELL) << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[18][1], 0x99u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(blocks),
	KUNIT_CASE(a_write_pointer_of_a_process),
	KUNIT_CASE(a_queue_is_loaded),
	KUNIT_CASE(a_queue_of_gfx8_is_loaded),
	KUNIT_CASE(without_a_write_pointer),
	KUNIT_CASE(an_engine_that_does_not_get_idle),
	KUNIT_CASE(a_queue_is_let_go),
	KUNIT_CASE(a_queue_of_gfx8_is_let_go),
	KUNIT_CASE(descriptors_of_gfx10_and_gfx11),
	KUNIT_CASE(the_dump_of_a_queue),
	KUNIT_CASE(the_dump_of_a_queue_of_gfx8),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_amdkfd_sdma",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = sdma_setup,
	.test_cases = cases,
};
kunit_test_suite(suite);
