// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_grbm_test.c - banks and shader arrays that are selected and let go.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#undef amdm_srbm_lock
#undef amdm_srbm_unlock
#include "amdgpu_model/gfx/amdgpu_grbm.c"

struct grbm_bed {
	struct amdm_device adev;
};

static int grbm_setup(struct kunit *test)
{
	struct grbm_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	mutex_init(&bed->adev.srbm_mutex);
	mutex_init(&bed->adev.grbm_idx_mutex);
	return 0;
}

/* GRBM_GFX_CNTL: PIPEID [1:0], MEID [3:2], VMID [7:4], QUEUEID [10:8] (gc_9_0_sh_mask.h) */
static void a_bank(struct kunit *test)
{
	struct grbm_bed *bed = test->priv;

	amdm_srbm_lock(&bed->adev, 2, 1, 5, 9);
	KUNIT_EXPECT_TRUE(test, mutex_is_locked(&bed->adev.srbm_mutex));
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, (u32)mmGRBM_GFX_CNTL);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, 0x599u);
	amdm_srbm_unlock(&bed->adev);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.srbm_mutex));
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].value, 0u);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
}

/* GRBM_GFX_INDEX: SH_INDEX [15:8], SE_INDEX [23:16], broadcasts 29 SH, 30 instance, 31 SE */
static void a_shader_array(struct kunit *test)
{
	struct grbm_bed *bed = test->priv;

	fake_registers_keep(mmCC_GC_SHADER_ARRAY_CONFIG, 0x12340000);
	KUNIT_EXPECT_EQ(test, amdm_gfx_read_indexed(&bed->adev, 3, 1, mmCC_GC_SHADER_ARRAY_CONFIG), 0x12340000u);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, (u32)mmGRBM_GFX_INDEX);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, 0x40030100u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].value, 0xe0000000u);	/* who comes next reaches all */
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.grbm_idx_mutex));
	amdm_gfx_select_se_sh(&bed->adev, 2, AMDM_SE_SH_ALL);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[2].value, 0x60020000u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_bank),
	KUNIT_CASE(a_shader_array),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_grbm", .init = grbm_setup, .test_cases = cases };
kunit_test_suite(suite);
