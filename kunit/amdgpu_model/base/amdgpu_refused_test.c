// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_refused_test.c - refusals are counted by name and number; a full table loses none from the count.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/unexported.h"
#include "amdgpu_model/base/amdgpu_refused.c"

static struct amdm_refusals *refused_begin(struct kunit *test)
{
	struct amdm_refusals *copy = kunit_kzalloc(test, sizeof(*copy), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memset(&amdm_refusals, 0, sizeof(amdm_refusals));
	return copy;
}

static void refused_counts(struct kunit *test)
{
	struct amdm_refusals *copy = refused_begin(test);

	amdm_refused("A", 1);
	amdm_refused("A", 2);
	amdm_refused("B", 1);
	amdm_refused("A", 1);
	amdm_refusals_copy(copy);
	KUNIT_EXPECT_EQ(test, copy->used, 3u);
	KUNIT_EXPECT_STREQ(test, copy->rows[0].what, "A");
	KUNIT_EXPECT_EQ(test, copy->rows[0].subject, 1ULL);
	KUNIT_EXPECT_EQ(test, copy->rows[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, copy->rows[1].subject, 2ULL);
	KUNIT_EXPECT_STREQ(test, copy->rows[2].what, "B");
	KUNIT_EXPECT_EQ(test, copy->others, 0ULL);
}

static void refused_full(struct kunit *test)
{
	struct amdm_refusals *copy = refused_begin(test);
	u32 i;

	for (i = 0; i < AMDM_REFUSALS + 3; i++)
		amdm_refused("A", i);
	amdm_refused("A", 0);
	amdm_refusals_copy(copy);
	KUNIT_EXPECT_EQ(test, copy->used, (u32)AMDM_REFUSALS);
	KUNIT_EXPECT_EQ(test, copy->others, 3ULL);
	KUNIT_EXPECT_EQ(test, copy->rows[0].count, 2ULL);
}

/* A name that is too long must not run over its neighbours. */
static void refused_long_name(struct kunit *test)
{
	struct amdm_refusals *copy = refused_begin(test);

	amdm_refused("0123456789012345678901234567890123456789ABC", 7);
	amdm_refusals_copy(copy);
	KUNIT_EXPECT_EQ(test, strlen(copy->rows[0].what), sizeof(copy->rows[0].what) - 1);
	KUNIT_EXPECT_EQ(test, copy->rows[0].subject, 7ULL);
}

static struct kunit_case refused_cases[] = { KUNIT_CASE(refused_counts), KUNIT_CASE(refused_full), KUNIT_CASE(refused_long_name), {} };

static struct kunit_suite refused_suite = {
	.name = "amdgpu_refused",
	.test_cases = refused_cases,
};
kunit_test_suite(refused_suite);
