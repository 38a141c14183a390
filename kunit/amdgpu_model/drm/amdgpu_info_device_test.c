// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_info_device_test.c - CUs in DEV_INFO: engines beyond the fourth, arrays, harvested ones; constants of generations.
 */
#include <kunit/test.h>

#define amdm_va_end		fake_va_end
#define amdm_va_table_end	fake_va_table_end
#include "amdgpu_model/drm/amdgpu_info_device.c"

u64 fake_va_end(const struct amdm_device *adev)
{
	return 1ULL << 47;
}

u64 fake_va_table_end(const struct amdm_device *adev)
{
	return 1ULL << 40;
}

static const struct hw_generation gen = { .wave_lanes = 64 };
static const struct amdm_gmc one_half, two_halves = { .two_halves = true };

static struct drm_amdgpu_info_device *ask(struct kunit *test, u32 gc_version, u32 se, u32 sh)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);
	struct pci_dev *pdev = kunit_kzalloc(test, sizeof(*pdev), GFP_KERNEL);
	struct amdm_asic *asic = kunit_kzalloc(test, sizeof(*asic), GFP_KERNEL);
	struct amdm_chip *chip = kunit_kzalloc(test, sizeof(*chip), GFP_KERNEL);
	struct drm_amdgpu_info_device *d = kunit_kzalloc(test, sizeof(*d), GFP_KERNEL);
	u32 i, k;

	KUNIT_ASSERT_TRUE(test, adev && pdev && asic && chip && d);
	*asic = (struct amdm_asic){
		.die = { .gc_version = gc_version, .rbs = 32 }, .gen = &gen, .gmc = gc_version >> 16 < 9 ? &one_half : &two_halves,
	};
	*chip = (struct amdm_chip){ .num_se = se, .num_sh = sh };
	adev->pdev = pdev;
	adev->asic = asic;
	adev->chip = chip;
	for (i = 0; i < se; i++)
		for (k = 0; k < sh; k++)
			adev->cu_bitmap[0][i][k] = 0x100 | i << 4 | k;
	amdm_info_device(adev, d);
	return d;
}

static void device_cus(struct kunit *test)
{
	struct drm_amdgpu_info_device *d = ask(test, 0x090401, 8, 1);

	KUNIT_EXPECT_EQ(test, d->cu_bitmap[3][0], 0x130u);
	KUNIT_EXPECT_EQ(test, d->cu_bitmap[0][1], 0x140u);	/* SE4: behind the arrays of SE0 */
	KUNIT_EXPECT_EQ(test, d->cu_bitmap[3][1], 0x170u);
	d = ask(test, 0x0b0000, 6, 2);
	KUNIT_EXPECT_EQ(test, d->cu_bitmap[0][1], 0x101u);
	KUNIT_EXPECT_EQ(test, d->cu_bitmap[0][2], 0x140u);
	KUNIT_EXPECT_EQ(test, d->cu_bitmap[1][3], 0x151u);
	KUNIT_EXPECT_EQ(test, d->cu_ao_bitmap[1][3], 0x151u);
	KUNIT_EXPECT_EQ(test, d->cu_ao_mask, 0x100u | 0x101u << 8 | 0x110u << 16 | 0x111u << 24);
}

static void device_generations(struct kunit *test)
{
	struct drm_amdgpu_info_device *gfx8 = ask(test, 0x080002, 4, 1), *gfx9 = ask(test, 0x090400, 4, 1);

	KUNIT_EXPECT_EQ(test, gfx8->ce_ram_size, 0x8000u);
	KUNIT_EXPECT_EQ(test, gfx8->gs_prim_buffer_depth, 0u);
	KUNIT_EXPECT_EQ(test, gfx8->high_va_max, 0ULL);
	KUNIT_EXPECT_EQ(test, gfx8->virtual_address_max, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, gfx9->gs_prim_buffer_depth, 1792u);
	KUNIT_EXPECT_EQ(test, gfx9->high_va_max, 0xffffffffffe00000ULL);
	KUNIT_EXPECT_EQ(test, gfx9->enabled_rb_pipes_mask, ~0u);
	KUNIT_EXPECT_EQ(test, ask(test, 0x0a0300, 4, 2)->ce_ram_size, 0x10000u);
	KUNIT_EXPECT_EQ(test, ask(test, 0x0b0000, 4, 2)->ce_ram_size, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(device_cus),
	KUNIT_CASE(device_generations),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_info_device",
	.test_cases = cases,
};
kunit_test_suite(suite);
