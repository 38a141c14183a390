// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gfx_v8_test.c - the graphics block of GFX7 and GFX8 comes up: what is written before its pipes run, and who hears of a failure.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#undef amdm_srbm_lock
#undef amdm_srbm_unlock
#define amdm_reg	gfx_fake_reg
#include "amdgpu_model/gfx/amdgpu_gfx_v8.c"

struct gfx_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
};

static struct {
	u32 vmids_at, rings_at, stops;	/* registers written before */
	int answer;
	u32 none;			/* a register that the chip does not have */
} gfx_seen;

u32 gfx_fake_reg(const struct amdm_device *adev, u32 name)
{
	return gfx_seen.none && name == gfx_seen.none ? AMDM_REG_NONE : name;
}

void amdm_gfx_init_compute_vmids(struct amdm_device *adev)
{
	gfx_seen.vmids_at = fake_registers.count;
}

int amdm_cp_rings_start(struct amdm_device *adev)
{
	gfx_seen.rings_at = fake_registers.count;
	return gfx_seen.answer;
}

int amdm_cp_rings_create(struct amdm_device *adev)
{
	return gfx_seen.answer;
}

void amdm_cp_rings_stop(struct amdm_device *adev)
{
	gfx_seen.stops++;
}

static int gfx_setup(struct kunit *test)
{
	struct gfx_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&gfx_seen, 0, sizeof(gfx_seen));
	bed->asic = (struct amdm_asic){ .die.gb_addr_config = 0x22011003 };
	bed->adev.asic = &bed->asic;
	return 0;
}

/* CP_MEC_CNTL halts both MECs until it is 0 (gfx_v8_0_cp_compute_enable): what they need to know comes before, their queues after. */
static void the_pipes_run_last(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;
	const struct fake_write *w = fake_registers.writes;
	u32 value;

	KUNIT_EXPECT_EQ(test, amdm_gfx_v8_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, w[0].name, (u32)mmGB_ADDR_CONFIG);
	KUNIT_EXPECT_EQ(test, w[0].value, 0x22011003u);
	KUNIT_EXPECT_EQ(test, gfx_seen.vmids_at, 1u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_MEC_DOORBELL_RANGE_LOWER, &value));
	KUNIT_EXPECT_EQ(test, value, 0u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_MEC_DOORBELL_RANGE_UPPER, &value));
	KUNIT_EXPECT_EQ(test, value, 0x7ffffcu);	/* all that the field holds */
	KUNIT_EXPECT_EQ(test, w[fake_registers.count - 1].name, (u32)mmCP_MEC_CNTL);
	KUNIT_EXPECT_EQ(test, w[fake_registers.count - 1].value, 0u);
	KUNIT_EXPECT_EQ(test, gfx_seen.rings_at, fake_registers.count);
}

static void gfx7_has_no_range(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;

	gfx_seen.none = mmCP_MEC_DOORBELL_RANGE_LOWER;
	KUNIT_EXPECT_EQ(test, amdm_gfx_v8_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmCP_MEC_DOORBELL_RANGE_LOWER), 0u);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmCP_MEC_DOORBELL_RANGE_UPPER), 0u);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmCP_MEC_CNTL), 1u);
}

static void who_hears_of_a_failure(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;

	gfx_seen.answer = -EIO;
	KUNIT_EXPECT_EQ(test, amdm_gfx_v8_0.hw_init(&bed->adev), -EIO);
	KUNIT_EXPECT_EQ(test, amdm_gfx_v8_0.sw_init(&bed->adev), -EIO);
	amdm_gfx_v8_0.hw_fini(&bed->adev);
	KUNIT_EXPECT_EQ(test, gfx_seen.stops, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_pipes_run_last),
	KUNIT_CASE(gfx7_has_no_range),
	KUNIT_CASE(who_hears_of_a_failure),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gfx_v8", .init = gfx_setup, .test_cases = cases };
kunit_test_suite(suite);
