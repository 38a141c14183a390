// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_caches_test.c - rows of caches make sense */
#include <kunit/test.h>

#include "kfd_model/chips/kfd_caches.c"

static const struct kfdm_cache_list *const lists[] = {
	&kfdm_caches_kaveri, &kfdm_caches_carrizo, &kfdm_caches_vega10, &kfdm_caches_raven, &kfdm_caches_renoir,
	&kfdm_caches_vega12, &kfdm_caches_vega20, &kfdm_caches_aldebaran, &kfdm_caches_navi10, &kfdm_caches_vangogh,
	&kfdm_caches_navi14, &kfdm_caches_sienna_cichlid, &kfdm_caches_navy_flounder, &kfdm_caches_dimgrey_cavefish,
	&kfdm_caches_beige_goby, &kfdm_caches_yellow_carp, &kfdm_caches_gc_10_3_7, &kfdm_caches_gc_10_3_6,
};

static void rows(struct kunit *test)
{
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		KUNIT_EXPECT_EQ(test, lists[i]->rows[0].sharing, 1u);	/* a CU's own */
		for (n = 0; n < lists[i]->num; n++) {
			const struct kfdm_cache_row *row = &lists[i]->rows[n];

			KUNIT_EXPECT_NE(test, row->kib, 0u);
			KUNIT_EXPECT_NE(test, row->sharing, 0u);
			KUNIT_EXPECT_TRUE(test, row->level >= 1 && row->level <= 3);
			KUNIT_EXPECT_TRUE(test, row->flags == DATA || row->flags == INSTRUCTION);
		}
	}
}

static void configured(struct kunit *test)
{
	struct kfdm_cache_row out[KFDM_CONFIGURED_CACHES];
	struct kfdm_cache_config config = {
		.tcp = 32, .tcp_per_wgp = 2, .icache = 32, .dcache = 16, .sqc_per_wgp = 1, .gl1 = 64, .gl1_per_array = 4,
		.gl2 = 6144, .mall = 98304, .cus_per_array = 8,
	};

	KUNIT_ASSERT_EQ(test, kfdm_caches_configured(&config, out), 6u);
	KUNIT_EXPECT_EQ(test, out[0].sharing, 1u);
	KUNIT_EXPECT_EQ(test, out[1].flags, (u32)INSTRUCTION);
	KUNIT_EXPECT_EQ(test, out[2].sharing, 2u);
	KUNIT_EXPECT_EQ(test, out[3].kib, 256u);
	KUNIT_EXPECT_EQ(test, out[3].sharing, 8u);
	KUNIT_EXPECT_EQ(test, out[5].level, 3u);
	/* Nothing is left out but what is not there; a part of a cache is shared by one CU at least. */
	config.gl1 = 0;
	config.mall = 0;
	config.tcp_per_wgp = 1;
	KUNIT_ASSERT_EQ(test, kfdm_caches_configured(&config, out), 4u);
	KUNIT_EXPECT_EQ(test, out[0].sharing, 1u);
	KUNIT_EXPECT_EQ(test, out[3].level, 2u);
}

/* kfd_fill_gpu_cache_info_from_gfx_config_v2 */
static void configured_of_gfx9(struct kunit *test)
{
	struct kfdm_cache_row out[KFDM_CONFIGURED_CACHES];
	const struct kfdm_cache_config config = {
		.tcp = 32, .icache = 64, .dcache = 16, .cus_per_sqc = 2, .gl2 = 4096, .cus_per_array = 10,
	};

	KUNIT_ASSERT_EQ(test, kfdm_caches_configured_v9(&config, out), 4u);
	KUNIT_EXPECT_EQ(test, out[0].sharing, 1u);
	KUNIT_EXPECT_EQ(test, out[0].line, 128u);
	KUNIT_EXPECT_EQ(test, out[1].sharing, 2u);
	KUNIT_EXPECT_EQ(test, out[1].line, 64u);
	KUNIT_EXPECT_EQ(test, out[3].level, 2u);
	KUNIT_EXPECT_EQ(test, out[3].sharing, 10u);
}

/* GFX12 tells its lines, but not those of a shader array's cache; on GFX11, which tells none, they are what is usual. */
static void lines(struct kunit *test)
{
	struct kfdm_cache_row out[KFDM_CONFIGURED_CACHES];
	const struct kfdm_cache_config config = {
		.tcp = 32, .tcp_per_wgp = 2, .gl1 = 64, .gl1_per_array = 4, .gl2 = 6144, .cus_per_array = 8,
		.tcp_line = 256, .gl2_line = 512,
	}, silent = { .tcp = 32, .tcp_per_wgp = 2, .gl2 = 6144, .cus_per_array = 8 };

	KUNIT_ASSERT_EQ(test, kfdm_caches_configured_v12(&config, out), 3u);
	KUNIT_EXPECT_EQ(test, out[0].line, 256u);
	KUNIT_EXPECT_EQ(test, out[1].line, 0u);
	KUNIT_EXPECT_EQ(test, out[2].line, 512u);
	KUNIT_ASSERT_EQ(test, kfdm_caches_configured(&silent, out), 2u);
	KUNIT_EXPECT_EQ(test, out[0].line, 128u);
	KUNIT_ASSERT_EQ(test, kfdm_caches_configured_v12(&silent, out), 2u);
	KUNIT_EXPECT_EQ(test, out[0].line, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lines),
	KUNIT_CASE(configured_of_gfx9),
	KUNIT_CASE(rows),
	KUNIT_CASE(configured),
	{}
};

static struct kunit_suite suite = { .name = "kfd_caches", .test_cases = cases };
kunit_test_suite(suite);
