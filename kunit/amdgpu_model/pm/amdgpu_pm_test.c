// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_pm_test.c - performance levels as Linux 6.1 takes them: names, lists of levels, who overrides whom. (Contexts among each other:
 * amdgpu_ctx_test.c.)
 */
#include <kunit/test.h>

#include "amdgpu_model/pm/amdgpu_pm.c"

struct pm_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct amdm_ctx ctx, other;
};

static int pm_setup(struct kunit *test)
{
	struct pm_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	bed->asic.die.gc_version = 0x090400;
	bed->adev.asic = &bed->asic;
	bed->ctx.adev = bed->other.adev = &bed->adev;
	amdm_pm_init(&bed->adev);
	return 0;
}

static void names(struct kunit *test)
{
	int level;

	for (level = 0; level < AMDM_PM_LEVELS; level++)
		KUNIT_EXPECT_EQ(test, amdm_pm_parse_level(amdm_pm_level_name(level)), level);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level("manual\n"), (int)AMDM_PM_MANUAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level("lower"), (int)AMDM_PM_LOW);	/* so it is with Linux */
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level("lo"), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level("profile"), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_level(" auto"), -EINVAL);
}

static int parse(const char *text, u32 *mask)
{
	return amdm_pm_parse_mask(text, strlen(text), mask);
}

static void masks(struct kunit *test)
{
	char *many = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u32 mask;

	KUNIT_ASSERT_NOT_NULL(test, many);
	KUNIT_EXPECT_EQ(test, parse("", &mask), 0);
	KUNIT_EXPECT_EQ(test, mask, 0u);
	KUNIT_EXPECT_EQ(test, parse("0\n", &mask), 0);
	KUNIT_EXPECT_EQ(test, mask, 1u);
	KUNIT_EXPECT_EQ(test, parse("31 0x2 03", &mask), 0);
	KUNIT_EXPECT_EQ(test, mask, 1u << 31 | 1 << 2 | 1 << 3);
	KUNIT_EXPECT_EQ(test, parse("1  2", &mask), 0);	/* two blanks end it */
	KUNIT_EXPECT_EQ(test, mask, 2u);
	KUNIT_EXPECT_EQ(test, parse("32", &mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse("-1", &mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse("1,2", &mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse("99999999999999999999", &mask), -EINVAL);
	memset(many, '7', PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_mask(many, PAGE_SIZE, &mask), -EINVAL);
	memset(many, ' ', PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_pm_parse_mask(many, PAGE_SIZE, &mask), 0);
}

static void profiles(struct kunit *test)
{
	struct pm_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;

	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_EXIT), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_HIGH), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_pstate(adev), (u32)AMDGPU_CTX_STABLE_PSTATE_NONE);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_PEAK), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_pstate(adev), (u32)AMDGPU_CTX_STABLE_PSTATE_PEAK);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_MIN_MCLK), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_EXIT), 0);
	KUNIT_EXPECT_EQ(test, (u32)amdm_pm_level(adev), (u32)AMDM_PM_HIGH);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_DETERMINISM), 0);
	bed->asic.die.gc_version = 0x0a0300;
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_AUTO), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(adev, AMDM_PM_DETERMINISM), -EINVAL);
}

static void clocks(struct kunit *test)
{
	struct pm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_pm_force_clock(&bed->adev, 1), -EINVAL);	/* not by hand */
	KUNIT_EXPECT_EQ(test, amdm_pm_force(&bed->adev, AMDM_PM_MANUAL), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_force_clock(&bed->adev, 1), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_force_clock(&bed->adev, 0), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_force_clock(&bed->adev, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_force_clock(&bed->adev, 3), -EINVAL);
}

/* sysfs takes the level from a context, which does not bring back another one when it goes. */
static void root_overrides_contexts(struct kunit *test)
{
	struct pm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_pm_take(&bed->ctx, 5), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_pm_take(&bed->ctx, AMDGPU_CTX_STABLE_PSTATE_PEAK), 0);
	KUNIT_EXPECT_EQ(test, amdm_pm_take(&bed->other, AMDGPU_CTX_STABLE_PSTATE_PEAK), -EBUSY);
	KUNIT_EXPECT_EQ(test, amdm_pm_force(&bed->adev, AMDM_PM_LOW), 0);
	amdm_pm_release(&bed->ctx);
	KUNIT_EXPECT_EQ(test, (u32)amdm_pm_level(&bed->adev), (u32)AMDM_PM_LOW);
	KUNIT_EXPECT_EQ(test, amdm_pm_take(&bed->other, AMDGPU_CTX_STABLE_PSTATE_STANDARD), 0);
	amdm_pm_release(&bed->other);
	KUNIT_EXPECT_EQ(test, (u32)amdm_pm_level(&bed->adev), (u32)AMDM_PM_AUTO);	/* none is auto to a context */
	KUNIT_EXPECT_NULL(test, bed->adev.pm.owner);
}

static void rows(struct kunit *test)
{
	struct pm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_pm_facts(&bed->adev)->gc_version, 0x090400u);
	bed->asic.die.gc_version = 0x090001;
	KUNIT_EXPECT_TRUE(test, amdm_pm_facts(&bed->adev)->no_memory_load);
	KUNIT_EXPECT_EQ(test, amdm_pm_facts(&bed->adev)->metrics, AMDM_PM_NO_METRICS);
}

/* A die without a row would get another one's, and a warning in the log when it is loaded. */
static void every_die_has_a_row(struct kunit *test)
{
	static const struct hw_die dies[] = {
#define DIE(generation, doorbells, ...) { __VA_ARGS__ },
#include "amdgpu_model/hw/dies.def"
#undef DIE
	};
	u32 die, row;

	for (die = 0; die < ARRAY_SIZE(dies); die++) {
		for (row = 0; row < ARRAY_SIZE(pm_facts) && pm_facts[row].gc_version != dies[die].gc_version; row++)
			;
		KUNIT_EXPECT_LT_MSG(test, row, (u32)ARRAY_SIZE(pm_facts), "no row for 0x%06x", dies[die].gc_version);
	}
}

static struct kunit_case pm_cases[] = {
	KUNIT_CASE(names),
	KUNIT_CASE(masks),
	KUNIT_CASE(profiles),
	KUNIT_CASE(clocks),
	KUNIT_CASE(root_overrides_contexts),
	KUNIT_CASE(rows),
	KUNIT_CASE(every_die_has_a_row),
	{}
};

static struct kunit_suite pm_suite = {
	.name = "amdgpu_pm",
	.init = pm_setup,
	.test_cases = pm_cases,
};
kunit_test_suite(pm_suite);
