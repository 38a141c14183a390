// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_info_mmr_test.c - which registers user space may read, on a chip before and on one since GFX9.
 */
#include <kunit/test.h>

#define amdm_gfx_read_indexed fake_read_indexed
#define amdm_mmio_read fake_mmio_read
#include "amdgpu_model/drm/amdgpu_info_mmr.c"

/* What was read last, as a value. */
u32 fake_read_indexed(struct amdm_device *adev, u32 se, u32 sh, u32 reg)
{
	return reg | se << 16 | sh << 24;
}

u32 fake_mmio_read(struct amdm_device *adev, u32 reg)
{
	return reg | 1u << 31;
}

static const struct amdm_asic asic_7 = { .die.gc_version = 0x070001 }, asic_8 = { .die.gc_version = 0x080002 },
			      asic_9 = { .die.gc_version = 0x090400 }, asic_10 = { .die.gc_version = 0x0a0300 };
static const struct sdma_layout sdma_3 = { .generation = 3, .base = { 0x3400, 0x3600 } },
				sdma_4 = { .generation = 4, .base = { 0x1260, 0x1860 } };
static const struct amdm_chip two_by_one = { .num_se = 2, .num_sh = 1 };

static struct amdm_device *device(struct kunit *test, const struct amdm_asic *asic)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	adev->asic = asic;
	adev->sdma = asic->die.gc_version >> 16 < 9 ? &sdma_3 : &sdma_4;
	adev->chip = &two_by_one;
	return adev;
}

static int read(struct amdm_device *adev, u32 reg, u32 count, u32 instance, u32 *values)
{
	const struct drm_amdgpu_info info = {
		.query = AMDGPU_INFO_READ_MMR_REG,
		.read_mmr_reg = { .dword_offset = reg, .count = count, .instance = instance },
	};

	return mmr_read(adev, &info, values);
}

static void mmr_lists(struct kunit *test)
{
	struct amdm_device *gfx7 = device(test, &asic_7), *gfx8 = device(test, &asic_8);
	struct amdm_device *gfx9 = device(test, &asic_9), *gfx10 = device(test, &asic_10);
	u32 values[64];

	KUNIT_EXPECT_EQ(test, read(gfx9, mmGB_ADDR_CONFIG, 1, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, values[0] & 0xffff, (u32)mmGB_ADDR_CONFIG);
	KUNIT_EXPECT_EQ(test, read(gfx7, 0x2644, 32, ~0u, values), 0);	/* what libdrm reads at open */
	KUNIT_EXPECT_EQ(test, values[31], 0u);
	KUNIT_EXPECT_EQ(test, read(gfx7, 0x2664, 16, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, read(gfx7, 0x09d8, 1, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, read(gfx9, 0x2644, 1, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(gfx7, 0x2664, 17, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(gfx9, mmCP_HQD_ACTIVE, 1, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(gfx9, mmCC_RB_BACKEND_DISABLE, 1, ~0u, values), -EFAULT);	/* no more since GFX9 */
	KUNIT_EXPECT_EQ(test, read(gfx8, 0x0395, 1, ~0u, values), 0);		/* SRBM_STATUS3: GFX8 alone */
	KUNIT_EXPECT_EQ(test, read(gfx7, 0x0395, 1, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(gfx9, 0x260d, 1, ~0u, values), 0);		/* DB_DEBUG2: GFX9 alone */
	KUNIT_EXPECT_EQ(test, read(gfx10, 0x260d, 1, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(gfx10, 0x2084, 6, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, read(gfx10, 0x1885, 1, ~0u, values), 0);		/* SDMA1_STATUS_REG */
	KUNIT_EXPECT_EQ(test, values[0], 0x1885 | 1u << 31);
	KUNIT_EXPECT_EQ(test, read(gfx8, 0x1885, 1, ~0u, values), -EFAULT);
}

static void mmr_instances(struct kunit *test)
{
	struct amdm_device *adev = device(test, &asic_8);
	u32 value;

	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 1 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), 0);
	KUNIT_EXPECT_EQ(test, value, mmCC_RB_BACKEND_DISABLE | 1u << 16);
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, ~0u, &value), 0);
	KUNIT_EXPECT_EQ(test, value, mmCC_RB_BACKEND_DISABLE);		/* the first */
	/* Engines that this chip does not have can be named; that no chip has, cannot. */
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 3 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0u);
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 4 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 2 << AMDGPU_INFO_MMR_SH_INDEX_SHIFT, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, read(adev, mmGRBM_STATUS, 1, 3 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mmr_lists),
	KUNIT_CASE(mmr_instances),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_info_mmr",
	.test_cases = cases,
};
kunit_test_suite(suite);
