// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_info_mmr_test.c - which registers user space may read, on a chip before and on one since GFX9.
 */
#include <kunit/test.h>

#define amdm_gfx_read_indexed fake_read_indexed
#include "../../amdgpu_model/amdgpu_info_mmr.c"

/* What was read last, as a value. */
u32 fake_read_indexed(struct amdm_device *adev, u32 se, u32 sh, u32 reg)
{
	return reg | se << 16 | sh << 24;
}

static const struct amdm_asic old_asic = { .before_gfx9 = true }, new_asic = { .before_gfx9 = false };
static const struct amdm_chip four_by_one = { .num_se = 4, .num_sh = 1 };

static struct amdm_device *device(struct kunit *test, const struct amdm_asic *asic)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	adev->asic = asic;
	adev->chip = &four_by_one;
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
	struct amdm_device *old = device(test, &old_asic), *new = device(test, &new_asic);
	u32 values[64];

	KUNIT_EXPECT_EQ(test, read(new, mmGB_ADDR_CONFIG, 1, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, values[0] & 0xffff, (u32)mmGB_ADDR_CONFIG);
	KUNIT_EXPECT_EQ(test, read(old, 0x2644, 32, ~0u, values), 0);	/* what libdrm reads at open */
	KUNIT_EXPECT_EQ(test, values[31], 0u);
	KUNIT_EXPECT_EQ(test, read(old, 0x2664, 16, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, read(old, 0x09d8, 1, ~0u, values), 0);
	KUNIT_EXPECT_EQ(test, read(new, 0x2644, 1, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(old, 0x2664, 17, ~0u, values), -EFAULT);
	KUNIT_EXPECT_EQ(test, read(new, mmCP_HQD_ACTIVE, 1, ~0u, values), -EFAULT);
}

static void mmr_instances(struct kunit *test)
{
	struct amdm_device *adev = device(test, &new_asic);
	u32 value;

	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 3 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), 0);
	KUNIT_EXPECT_EQ(test, value, mmCC_RB_BACKEND_DISABLE | 3u << 16);
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 4 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, read(adev, mmCC_RB_BACKEND_DISABLE, 1, 1 << AMDGPU_INFO_MMR_SH_INDEX_SHIFT, &value), -EINVAL);
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
