// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * idler_test.c - on a machine with one CPU, whoever has stepped aside is woken as soon as nobody wants the CPU.
 */
#include <linux/delay.h>

#include <kunit/test.h>

#include "amdgpu_model/glue/idler.c"

struct idler_bed {
	struct amdm_device adev;
	struct amdm_glue glue;
};

static struct amdm_glue *one_cpu(struct kunit *test)
{
	struct idler_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bed);
	if (num_online_cpus() > 1)
		kunit_skip(test, "this machine has several CPUs");
	bed->glue.adev = &bed->adev;
	bed->glue.worker = current;
	KUNIT_ASSERT_EQ(test, amdm_idler_start(&bed->glue), 0);
	KUNIT_ASSERT_NOT_NULL(test, bed->glue.idler);
	return &bed->glue;
}

/* Without the idler this sleep would take a minute. */
static void an_idle_cpu_wakes_it(struct kunit *test)
{
	struct amdm_glue *glue = one_cpu(test);
	u32 i;

	for (i = 0; i < 100; i++) {
		set_current_state(TASK_IDLE);
		amdm_idler_watch(glue);
		KUNIT_EXPECT_GT(test, schedule_timeout(60 * HZ), 0L);
		KUNIT_EXPECT_FALSE(test, READ_ONCE(glue->aside));
	}
	amdm_idler_stop(glue);
	KUNIT_EXPECT_NULL(test, glue->idler);
	amdm_idler_stop(glue);
}

/* Who sleeps for another reason is not woken. */
static void others_sleep_on(struct kunit *test)
{
	struct amdm_glue *glue = one_cpu(test);

	set_current_state(TASK_IDLE);
	KUNIT_EXPECT_EQ(test, schedule_timeout(1), 0L);
	amdm_idler_stop(glue);
}

static void several_cpus_need_none(struct kunit *test)
{
	struct idler_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bed);
	if (num_online_cpus() == 1)
		kunit_skip(test, "this machine has one CPU");
	bed->glue.adev = &bed->adev;
	KUNIT_EXPECT_EQ(test, amdm_idler_start(&bed->glue), 0);
	KUNIT_EXPECT_NULL(test, bed->glue.idler);
	amdm_idler_watch(&bed->glue);
	KUNIT_EXPECT_FALSE(test, bed->glue.aside);
	amdm_idler_stop(&bed->glue);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(an_idle_cpu_wakes_it),
	KUNIT_CASE(others_sleep_on),
	KUNIT_CASE(several_cpus_need_none),
	{}
};

static struct kunit_suite suite = { .name = "glue_idler", .test_cases = cases };
kunit_test_suite(suite);
