// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_node_test.c - caches of a GPU: groups of CUs, harvested ones left out */
#include <kunit/test.h>

#include "kfd_model/topology/kfd_node.c"

static const struct kfdm_cache_row rows[] = {
	{ 16, 1, KFDM_CACHE_SIMD | KFDM_CACHE_DATA, 1 },
	{ 32, 1, KFDM_CACHE_SIMD | KFDM_CACHE_INSTRUCTION, 3 },
	{ 4096, 2, KFDM_CACHE_SIMD | KFDM_CACHE_DATA, 16 },
};
static const struct kfdm_cache_list list = { rows, ARRAY_SIZE(rows) };
/* Two engines of four CUs; one is harvested in each. */
static const struct kfdm_cu_layout cu = { .num_xcc = 1, .num_se = 2, .num_sh_per_se = 1, .cu_active = 6, .cu_bitmap = { { { 0x7 }, { 0xe } } } };

static void caches(struct kunit *test)
{
	struct kfdm_cache *c = kunit_kcalloc(test, 16, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	/* 6 data caches, 3 instruction caches (the group of CU 3 of engine 0 is empty), one for all. */
	KUNIT_EXPECT_EQ(test, kfdm_caches_fill(&list, &cu, 4, 1000, NULL, 0), 10u);
	KUNIT_ASSERT_EQ(test, kfdm_caches_fill(&list, &cu, 4, 1000, c, 16), 10u);
	KUNIT_EXPECT_EQ(test, c[0].processor_id_low, 1000u);
	KUNIT_EXPECT_EQ(test, c[3].processor_id_low, 1005u);	/* engine 1, CU 1 */
	KUNIT_EXPECT_EQ(test, c[6].sibling_map[0], 0x7);
	KUNIT_EXPECT_EQ(test, c[7].processor_id_low, 1005u);
	KUNIT_EXPECT_EQ(test, c[7].sibling_map[0], 0x3);		/* CUs 1 and 2, counted from CU 1 */
	KUNIT_EXPECT_EQ(test, c[8].processor_id_low, 1007u);
	KUNIT_EXPECT_EQ(test, c[9].level, 2u);
	KUNIT_EXPECT_EQ(test, c[9].map_bytes, 8u);
}

static void no_room(struct kunit *test)
{
	struct kfdm_cache *c = kunit_kcalloc(test, 2, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	KUNIT_EXPECT_EQ(test, kfdm_caches_fill(&list, &cu, 4, 1000, c, 1), 10u);
	KUNIT_EXPECT_EQ(test, c[0].level, 1u);
	KUNIT_EXPECT_EQ(test, c[1].level, 0u);
}

/* Two compute dies: their CUs are numbered on, and the map of a cache for all has their arrays one after the other. */
static void caches_of_two_dies(struct kunit *test)
{
	static const struct kfdm_cu_layout dies = {
		.num_xcc = 2, .num_se = 2, .num_sh_per_se = 1, .cu_bitmap = { { { 0x3 }, { 0x1 } }, { { 0x2 }, { 0x3 } } },
	};
	struct kfdm_cache *c = kunit_kcalloc(test, 16, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	KUNIT_ASSERT_EQ(test, kfdm_caches_fill(&list, &dies, 4, 1000, c, 16), 6u + 4 + 1);
	KUNIT_EXPECT_EQ(test, c[3].processor_id_low, 1009u);	/* die 1, engine 0, CU 1 */
	KUNIT_EXPECT_EQ(test, c[4].processor_id_low, 1012u);
	KUNIT_EXPECT_EQ(test, c[10].map_bytes, 16u);
	KUNIT_EXPECT_EQ(test, c[10].sibling_map[12], 0x2);	/* the words lag by one */
}

static struct kunit_case cases[] = {
	KUNIT_CASE(caches_of_two_dies),
	KUNIT_CASE(caches),
	KUNIT_CASE(no_room),
	{}
};

static struct kunit_suite suite = { .name = "kfd_node", .test_cases = cases };
kunit_test_suite(suite);
