// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_load_test.c - shares of the last second, whoever asks and however often. */
#include <kunit/test.h>

#include "amdgpu_model/base/amdgpu_load.c"

#define SECOND	(AMDM_LOAD_SPANS * SPAN_NS)
#define START	(1000 * SPAN_NS)

static struct amdm_load *make(struct kunit *test)
{
	struct amdm_load *load = kunit_kzalloc(test, sizeof(*load), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, load);
	amdm_load_init(load);
	return load;
}

static void slice(struct amdm_load *load, u64 from, u64 to, bool busy, bool stays_busy, u32 share)
{
	amdm_load_begin(load, from);
	amdm_load_end(load, to, busy, stays_busy, share);
}

static void idle(struct kunit *test)
{
	struct amdm_load *load = make(test);

	KUNIT_EXPECT_EQ(test, amdm_load_read(load, 0).kernels, 0u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START).kernels, 0u);
	slice(load, START, START + 200000, false, false, AMDM_LOAD_ALL);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + 200000).kernels, 0u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + 200000).memory, 0u);
}

/* Three of fifteen spans, and asking changes nothing. */
static void some_work(struct kunit *test)
{
	struct amdm_load *load = make(test);
	u64 end = START + 3 * SPAN_NS;
	u32 i;

	slice(load, START, end, true, false, AMDM_LOAD_ALL / 2);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, amdm_load_read(load, end).kernels, 20u);
		KUNIT_EXPECT_EQ(test, amdm_load_read(load, end).memory, 10u);
	}
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + SECOND).kernels, 20u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + SECOND + SPAN_NS).kernels, 13u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, end + SECOND).kernels, 0u);
}

/* Between slices, and since the last one, kernels are where they were left. */
static void endless_work(struct kunit *test)
{
	struct amdm_load *load = make(test);
	u64 later = START + 6 * SPAN_NS;

	slice(load, START, START + 1000, true, true, 0);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, later).kernels, 40u);
	slice(load, later, later + 1000, true, true, AMDM_LOAD_ALL);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, later + 1000).kernels, 40u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, later + 1000).memory, 40u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + SECOND).kernels, 100u);
	/* A rest longer than all that counts */
	slice(load, START + 100 * SECOND, START + 100 * SECOND + 1000, true, false, 0);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + 100 * SECOND + 1000).kernels, 100u);
	KUNIT_EXPECT_EQ(test, amdm_load_read(load, START + 102 * SECOND).kernels, 0u);
}

static struct kunit_case load_cases[] = {
	KUNIT_CASE(idle),
	KUNIT_CASE(some_work),
	KUNIT_CASE(endless_work),
	{}
};

static struct kunit_suite load_suite = {
	.name = "amdgpu_load",
	.test_cases = load_cases,
};
kunit_test_suite(load_suite);
