// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_metrics_test.c - the tables of gpu_metrics: sizes and places of Linux 6.1's kgd_pp_interface.h, and what is in them. */
#include <kunit/test.h>

#include "amdgpu_model/pm/amdgpu_metrics.c"

static const struct amdm_metrics_now now = {
	.time = 0x1122334455667788, .gfx_activity = 42, .memory_activity = 7, .gfx_mhz = 1801, .memory_mhz = 1000,
};

static u16 word(const union amdm_metrics *table, size_t at)
{
	return ((const u16 *)table)[at / 2];
}

static void places(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sizeof(struct amdm_metrics_1_0), 80ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_0, time), 8ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_0, energy), 36ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_0, link_speed), 75ul);
	KUNIT_EXPECT_EQ(test, sizeof(struct amdm_metrics_1_3), 120ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_3, time), 32ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_3, link_speed), 76ul);
	KUNIT_EXPECT_EQ(test, offsetof(struct amdm_metrics_1_3, throttle_reasons), 112ul);
}

static void revision_0(struct kunit *test)
{
	union amdm_metrics t;

	KUNIT_EXPECT_EQ(test, amdm_metrics_build(0, &now, &t), 80ul);
	KUNIT_EXPECT_EQ(test, word(&t, 0), 80);
	KUNIT_EXPECT_EQ(test, word(&t, 2), 0x0001);	/* format 1, content 0 */
	KUNIT_EXPECT_EQ(test, t.v1_0.time, now.time);
	KUNIT_EXPECT_EQ(test, word(&t, 16), 0xffff);	/* temperature: not told */
	KUNIT_EXPECT_EQ(test, word(&t, 28), 42);
	KUNIT_EXPECT_EQ(test, word(&t, 30), 7);
	KUNIT_EXPECT_EQ(test, word(&t, 40), 1801);
	KUNIT_EXPECT_EQ(test, word(&t, 44), 1000);
	KUNIT_EXPECT_EQ(test, t.v1_0.energy, ~0u);
	KUNIT_EXPECT_EQ(test, t.v1_0.current_.gfx, 1801);
	KUNIT_EXPECT_EQ(test, t.v1_0.throttle, 0u);
	KUNIT_EXPECT_EQ(test, t.v1_0.link_width, 16);
	KUNIT_EXPECT_EQ(test, t.v1_0.link_speed, 80);
}

static void revision_3(struct kunit *test)
{
	union amdm_metrics t;

	KUNIT_EXPECT_EQ(test, amdm_metrics_build(3, &now, &t), 120ul);
	KUNIT_EXPECT_EQ(test, word(&t, 0), 120);
	KUNIT_EXPECT_EQ(test, word(&t, 2), 0x0301);
	KUNIT_EXPECT_EQ(test, t.v1_3.time, now.time);
	KUNIT_EXPECT_EQ(test, word(&t, 16), 42);
	KUNIT_EXPECT_EQ(test, word(&t, 18), 7);
	KUNIT_EXPECT_EQ(test, t.v1_3.state.media_activity, 0xffff);
	KUNIT_EXPECT_EQ(test, t.v1_3.average.memory, 1000);
	KUNIT_EXPECT_EQ(test, t.v1_3.current_.soc, 0xffff);
	KUNIT_EXPECT_EQ(test, t.v1_3.link_speed, 80);
	KUNIT_EXPECT_EQ(test, t.v1_3.throttle_reasons, 0ULL);
}

static struct kunit_case metrics_cases[] = {
	KUNIT_CASE(places),
	KUNIT_CASE(revision_0),
	KUNIT_CASE(revision_3),
	{}
};

static struct kunit_suite metrics_suite = {
	.name = "amdgpu_metrics",
	.test_cases = metrics_cases,
};
kunit_test_suite(metrics_suite);
