// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_priority_test.c - the three ways of a high-priority compute queue, as registers see them.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_reg			priority_fake_reg
#define amdm_high_priority		tested_high_priority
#define amdm_priority_parse		tested_priority_parse
#define amdm_ring_apply_priority	tested_apply_priority
#define amdm_ring_boost			tested_boost
#define amdm_ring_unboost		tested_unboost
#define amdm_ring_emit_wave_limit	tested_emit_wave_limit
#include "amdgpu_model/gfx/amdgpu_priority.c"

static u32 mecs;

u32 priority_fake_reg(const struct amdm_device *adev, u32 name)
{
	u32 pipe = name - mmSPI_WCL_PIPE_PERCENT_CS0;

	return pipe < 8 && pipe >= mecs * GFX_PIPES_PER_MEC ? AMDM_REG_NONE : name;
}

static struct fake_registers emitted;

static void emit_wreg(struct amdm_ring *ring, u32 reg, u32 value)
{
	emitted.writes[emitted.count++] = (struct fake_write){ .name = reg, .value = value };
}

static const struct amdm_ring_funcs compute = { .ip = AMDGPU_HW_IP_COMPUTE, .emit_wreg = emit_wreg };
static const struct amdm_ring_funcs sdma = { .ip = AMDGPU_HW_IP_DMA, .emit_wreg = emit_wreg };

struct priority_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
	struct amdm_ring ring[2];
	struct amdm_job job[3];
};

static int priority_setup(struct kunit *test)
{
	struct priority_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&emitted, 0, sizeof(emitted));
	mecs = 2;
	amdm_high_priority = AMDM_HIGH_DYNAMIC;
	bed->adev.asic = &bed->asic;
	bed->asic.gen = &bed->gen;
	bed->gen.wave_limits = bed->gen.ring_wave_limits = true;
	mutex_init(&bed->adev.reserve_mutex);
	for (i = 0; i < ARRAY_SIZE(bed->ring); i++) {
		bed->ring[i] = (struct amdm_ring){ .adev = &bed->adev, .funcs = &compute, .me = 1, .pipe = 1 + i, .queue = i, .ready = true };
		mutex_init(&bed->ring[i].priority_mutex);
	}
	for (i = 0; i < ARRAY_SIZE(bed->job); i++)
		bed->job[i].base.s_priority = DRM_SCHED_PRIORITY_HIGH;
	return 0;
}

static u32 last(struct kunit *test, u32 name)
{
	u32 value = 0;

	KUNIT_EXPECT_TRUE(test, fake_written(name, &value));
	return value;
}

static void names_of_the_parameter(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, amdm_priority_parse("static"), 0);
	KUNIT_EXPECT_EQ(test, amdm_high_priority, AMDM_HIGH_STATIC);
	KUNIT_EXPECT_EQ(test, amdm_priority_parse("off"), 0);
	KUNIT_EXPECT_EQ(test, amdm_high_priority, AMDM_HIGH_OFF);
	KUNIT_EXPECT_EQ(test, amdm_priority_parse("dynamic"), 0);
	KUNIT_EXPECT_EQ(test, amdm_priority_parse("always"), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_high_priority, AMDM_HIGH_DYNAMIC);	/* as it was */
}

/* CP_HQD_PIPE_PRIORITY and CP_HQD_QUEUE_PRIORITY are banked: they are of the ring's own slot. */
static void a_job_raises_its_ring(struct kunit *test)
{
	struct priority_bed *bed = test->priv;
	u32 i;

	amdm_ring_boost(&bed->ring[1], &bed->job[0]);
	KUNIT_EXPECT_TRUE(test, bed->job[0].boosted);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_PIPE_PRIORITY), 2u);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_QUEUE_PRIORITY), 15u);
	for (i = 0; i < fake_registers.count; i++)
		if (fake_registers.writes[i].name == mmCP_HQD_PIPE_PRIORITY) {
			KUNIT_EXPECT_EQ(test, fake_registers.writes[i].me, 1u);
			KUNIT_EXPECT_EQ(test, fake_registers.writes[i].pipe, 2u);
			KUNIT_EXPECT_EQ(test, fake_registers.writes[i].queue, 1u);
		}
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
}

static void the_last_job_lowers_it(struct kunit *test)
{
	struct priority_bed *bed = test->priv;
	u32 writes;

	amdm_ring_boost(&bed->ring[0], &bed->job[0]);
	writes = fake_registers.count;
	amdm_ring_boost(&bed->ring[0], &bed->job[1]);
	amdm_ring_boost(&bed->ring[0], &bed->job[1]);	/* it counts once */
	amdm_ring_unboost(&bed->ring[0], &bed->job[0]);
	amdm_ring_unboost(&bed->ring[0], &bed->job[0]);
	KUNIT_EXPECT_EQ(test, fake_registers.count, writes);	/* nothing has changed */
	amdm_ring_unboost(&bed->ring[0], &bed->job[1]);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_PIPE_PRIORITY), 0u);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_QUEUE_PRIORITY), 0u);
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_GFX), WCL_GFX_FULL);
	KUNIT_EXPECT_EQ(test, bed->adev.pipe_reserved[1], 0);
}

/* amdgpu_gfx_v8_0.c of Linux 4.15, pipe reservation: all pipes without one get the least. */
static void other_pipes_are_limited(struct kunit *test)
{
	struct priority_bed *bed = test->priv;
	u32 pipe;

	amdm_ring_boost(&bed->ring[0], &bed->job[0]);	/* pipe 1 */
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_GFX), WCL_MINIMAL);
	for (pipe = 0; pipe < WCL_PIPES; pipe++)
		KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe), pipe == 1 ? WCL_FULL : WCL_MINIMAL);
	amdm_ring_boost(&bed->ring[1], &bed->job[1]);	/* pipe 2 */
	for (pipe = 0; pipe < WCL_PIPES; pipe++)
		KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe), pipe == 1 || pipe == 2 ? WCL_FULL : WCL_MINIMAL);
	amdm_ring_unboost(&bed->ring[0], &bed->job[0]);
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + 1), WCL_MINIMAL);
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + 2), WCL_FULL);
	amdm_ring_unboost(&bed->ring[1], &bed->job[1]);
	for (pipe = 0; pipe < WCL_PIPES; pipe++)
		KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe), WCL_FULL);
}

static void who_is_not_boosted(struct kunit *test)
{
	struct priority_bed *bed = test->priv;

	bed->job[0].base.s_priority = DRM_SCHED_PRIORITY_NORMAL;
	amdm_ring_boost(&bed->ring[0], &bed->job[0]);
	bed->ring[1].funcs = &sdma;
	amdm_ring_boost(&bed->ring[1], &bed->job[1]);
	bed->ring[1].funcs = &compute;
	amdm_high_priority = AMDM_HIGH_STATIC;
	amdm_ring_boost(&bed->ring[1], &bed->job[1]);
	amdm_high_priority = AMDM_HIGH_OFF;
	amdm_ring_boost(&bed->ring[1], &bed->job[1]);
	KUNIT_EXPECT_FALSE(test, bed->job[0].boosted || bed->job[1].boosted);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 0u);
}

/* Its queue is not connected: what it is to have is counted, and programmed when it comes back. */
static void a_ring_that_is_being_reset(struct kunit *test)
{
	struct priority_bed *bed = test->priv;

	bed->ring[0].ready = false;
	amdm_ring_boost(&bed->ring[0], &bed->job[0]);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmCP_HQD_PIPE_PRIORITY), 0u);
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0), WCL_MINIMAL);
	amdm_ring_apply_priority(&bed->ring[0]);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_PIPE_PRIORITY), 2u);
}

static void static_priority_is_for_good(struct kunit *test)
{
	struct priority_bed *bed = test->priv;

	bed->ring[0].prio = AMDM_PRIO_HIGH;
	amdm_ring_apply_priority(&bed->ring[0]);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_QUEUE_PRIORITY), 15u);
	amdm_ring_apply_priority(&bed->ring[1]);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_QUEUE_PRIORITY), 0u);
}

/* gfx_v9_0_emit_wave_limit: graphics and the other pipes of MEC1, around the buffers of a job */
static void waves_are_limited_while_a_buffer_begins(struct kunit *test)
{
	struct priority_bed *bed = test->priv;
	u32 i;

	bed->ring[0].prio = AMDM_PRIO_HIGH;
	amdm_ring_emit_wave_limit(&bed->ring[0], true);
	KUNIT_ASSERT_EQ(test, emitted.count, 4u);	/* graphics, three pipes */
	KUNIT_EXPECT_EQ(test, emitted.writes[0].name, (u32)mmSPI_WCL_PIPE_PERCENT_GFX);
	KUNIT_EXPECT_EQ(test, emitted.writes[0].value, WCL_GFX_LIMITED);
	for (i = 1; i < 4; i++) {
		KUNIT_EXPECT_NE(test, emitted.writes[i].name, (u32)mmSPI_WCL_PIPE_PERCENT_CS0 + bed->ring[0].pipe);
		KUNIT_EXPECT_EQ(test, emitted.writes[i].value, WCL_MINIMAL);
	}
	emitted.count = 0;
	amdm_ring_emit_wave_limit(&bed->ring[0], false);
	KUNIT_EXPECT_EQ(test, emitted.writes[0].value, WCL_GFX_FULL);
	KUNIT_EXPECT_EQ(test, emitted.writes[3].value, WCL_FULL);
	emitted.count = 0;
	amdm_ring_emit_wave_limit(&bed->ring[1], true);		/* of normal priority */
	bed->gen.ring_wave_limits = false;			/* GFX10 has no such limits in Linux */
	amdm_ring_emit_wave_limit(&bed->ring[0], true);
	KUNIT_EXPECT_EQ(test, emitted.count, 0u);
}

static void gfx7_has_no_limits(struct kunit *test)
{
	struct priority_bed *bed = test->priv;

	bed->gen.wave_limits = false;
	amdm_ring_boost(&bed->ring[0], &bed->job[0]);
	KUNIT_EXPECT_EQ(test, last(test, mmCP_HQD_PIPE_PRIORITY), 2u);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmSPI_WCL_PIPE_PERCENT_GFX), 0u);
}

static void a_chip_with_one_mec_has_four_limits(struct kunit *test)
{
	struct priority_bed *bed = test->priv;

	mecs = 1;
	amdm_ring_boost(&bed->ring[0], &bed->job[0]);
	KUNIT_EXPECT_EQ(test, last(test, mmSPI_WCL_PIPE_PERCENT_CS0 + 3), WCL_MINIMAL);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmSPI_WCL_PIPE_PERCENT_CS0 + 4), 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names_of_the_parameter),
	KUNIT_CASE(a_job_raises_its_ring),
	KUNIT_CASE(the_last_job_lowers_it),
	KUNIT_CASE(other_pipes_are_limited),
	KUNIT_CASE(who_is_not_boosted),
	KUNIT_CASE(a_ring_that_is_being_reset),
	KUNIT_CASE(static_priority_is_for_good),
	KUNIT_CASE(waves_are_limited_while_a_buffer_begins),
	KUNIT_CASE(gfx7_has_no_limits),
	KUNIT_CASE(a_chip_with_one_mec_has_four_limits),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_priority", .init = priority_setup, .test_cases = cases };
kunit_test_suite(suite);
