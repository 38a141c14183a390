// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_svm_attr_test.c - attributes of shared virtual memory (Linux: kfd_svm.c): which lists are taken, what they change, what is told */
#include <kunit/test.h>

#include "kfd_model/svm/kfd_svm_attr.c"

#define GPU_A	0x1111u
#define GPU_B	0x2222u
#define GPU_OLD	0x3333u		/* without shared virtual memory */

#define SET(...) ((const struct kfd_ioctl_svm_attribute[]){ __VA_ARGS__ })
#define ATTR(name, v) { KFD_IOCTL_SVM_ATTR_##name, v }

static const struct kfdm_svm_gpus gpus = { .id = { GPU_A, GPU_B, GPU_OLD }, .n = 3, .supported = BIT(0) | BIT(1) };

static void lists_that_can_be_set(struct kunit *test)
{
	static const struct {
		struct kfd_ioctl_svm_attribute attr;
		int ret;
	} rows[] = {
		{ ATTR(PREFERRED_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM), 0 },
		{ ATTR(PREFERRED_LOC, KFD_IOCTL_SVM_LOCATION_UNDEFINED), 0 },
		{ ATTR(PREFERRED_LOC, GPU_B), 0 },
		{ ATTR(PREFERRED_LOC, GPU_OLD), -EINVAL },
		{ ATTR(PREFERRED_LOC, 4711), -EINVAL },
		{ ATTR(PREFETCH_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM), 0 },
		{ ATTR(PREFETCH_LOC, KFD_IOCTL_SVM_LOCATION_UNDEFINED), -EINVAL },
		{ ATTR(PREFETCH_LOC, GPU_A), 0 },
		{ ATTR(ACCESS, GPU_A), 0 },
		{ ATTR(ACCESS, 0), -EINVAL },
		{ ATTR(ACCESS_IN_PLACE, GPU_OLD), -EINVAL },
		{ ATTR(NO_ACCESS, GPU_B), 0 },
		{ ATTR(NO_ACCESS, 1), -EINVAL },
		{ ATTR(SET_FLAGS, U32_MAX), 0 },
		{ ATTR(CLR_FLAGS, U32_MAX), 0 },
		{ ATTR(GRANULARITY, U32_MAX), 0 },
		{ { KFD_IOCTL_SVM_ATTR_GRANULARITY + 1, 0 }, -EINVAL },
		{ { U32_MAX, 0 }, -EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfd_ioctl_svm_attribute list[2] = { ATTR(SET_FLAGS, 0), rows[i].attr };

		KUNIT_EXPECT_EQ_MSG(test, kfdm_svm_attrs_check_set(&gpus, 2, list), rows[i].ret, "row %zu", i);
	}
	KUNIT_EXPECT_EQ(test, kfdm_svm_attrs_check_set(&gpus, 0, NULL), 0);
}

static void access_is_of_one_kind(struct kunit *test)
{
	struct kfdm_svm_attrs attrs;

	kfdm_svm_attrs_default(&attrs, BIT(1));
	KUNIT_EXPECT_TRUE(test, kfdm_svm_attrs_apply(&attrs, &gpus, false, 2, SET(ATTR(ACCESS, GPU_A), ATTR(ACCESS_IN_PLACE, GPU_B))));
	KUNIT_EXPECT_EQ(test, attrs.access, (u32)BIT(0));
	KUNIT_EXPECT_EQ(test, attrs.in_place, (u32)BIT(1));
	/* With retried faults page tables follow by themselves. */
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_apply(&attrs, &gpus, true, 2, SET(ATTR(ACCESS_IN_PLACE, GPU_A), ATTR(NO_ACCESS, GPU_B))));
	KUNIT_EXPECT_EQ(test, attrs.access, 0u);
	KUNIT_EXPECT_EQ(test, attrs.in_place, (u32)BIT(0));
	KUNIT_EXPECT_TRUE(test, kfdm_svm_attrs_are(&attrs, &gpus, 2, SET(ATTR(ACCESS_IN_PLACE, GPU_A), ATTR(NO_ACCESS, GPU_B))));
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(ACCESS, GPU_A))));
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(NO_ACCESS, GPU_A))));
}

static void flags_and_the_rest(struct kunit *test)
{
	struct kfdm_svm_attrs attrs;

	kfdm_svm_attrs_default(&attrs, 0);
	KUNIT_EXPECT_EQ(test, attrs.flags, 3u);
	KUNIT_EXPECT_EQ(test, attrs.granularity, 9);
	KUNIT_EXPECT_TRUE(test, kfdm_svm_attrs_are(&attrs, &gpus, 2, SET(ATTR(SET_FLAGS, 2), ATTR(CLR_FLAGS, 0x7c))));
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(SET_FLAGS, 6))));
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(CLR_FLAGS, 6))));
	KUNIT_EXPECT_TRUE(test, kfdm_svm_attrs_apply(&attrs, &gpus, true, 2, SET(ATTR(SET_FLAGS, 0x18), ATTR(CLR_FLAGS, 0x12))));
	KUNIT_EXPECT_EQ(test, attrs.flags, 9u);
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_apply(&attrs, &gpus, false, 3,
						      SET(ATTR(GRANULARITY, 64), ATTR(PREFERRED_LOC, GPU_A), ATTR(PREFETCH_LOC, 0))));
	KUNIT_EXPECT_EQ(test, attrs.granularity, 0x3f);
	KUNIT_EXPECT_EQ(test, attrs.preferred_loc, GPU_A);
	KUNIT_EXPECT_EQ(test, attrs.prefetch_loc, 0u);
	/* The limited value is not what was set: it is set each time. A prefetch is done each time. */
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(GRANULARITY, 64))));
	KUNIT_EXPECT_TRUE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(GRANULARITY, 0x3f))));
	KUNIT_EXPECT_FALSE(test, kfdm_svm_attrs_are(&attrs, &gpus, 1, SET(ATTR(PREFETCH_LOC, 0))));
}

static void what_ranges_have_in_common(struct kunit *test)
{
	struct kfd_ioctl_svm_attribute list[] = {
		ATTR(PREFERRED_LOC, 0), ATTR(PREFETCH_LOC, 0), ATTR(ACCESS, GPU_A), ATTR(ACCESS, GPU_B), ATTR(SET_FLAGS, 0),
		ATTR(CLR_FLAGS, 0), ATTR(GRANULARITY, 0), ATTR(ACCESS, GPU_OLD),
	};
	struct kfdm_svm_attrs one = { .preferred_loc = GPU_A, .prefetch_loc = GPU_B, .flags = 0xf, .granularity = 9, .access = 3 };
	struct kfdm_svm_attrs two = { .preferred_loc = GPU_B, .prefetch_loc = GPU_B, .flags = 0x1c, .granularity = 4, .access = 1, .in_place = 2 };
	struct kfdm_svm_summary summary;

	kfdm_svm_summary_begin(&summary, gpus.supported);
	kfdm_svm_summary_add(&summary, &one);
	kfdm_svm_summary_add(&summary, &two);
	/* Once they differ, a third one does not bring them together. */
	kfdm_svm_summary_add(&summary, &two);
	KUNIT_EXPECT_EQ(test, kfdm_svm_summary_tell(&summary, &gpus, ARRAY_SIZE(list), list), 0);
	KUNIT_EXPECT_EQ(test, list[0].value, (u32)KFD_IOCTL_SVM_LOCATION_UNDEFINED);
	KUNIT_EXPECT_EQ(test, list[1].value, GPU_B);
	KUNIT_EXPECT_EQ(test, list[2].type, (u32)KFD_IOCTL_SVM_ATTR_ACCESS);
	KUNIT_EXPECT_EQ(test, list[3].type, (u32)KFD_IOCTL_SVM_ATTR_NO_ACCESS);
	KUNIT_EXPECT_EQ(test, list[4].value, 0xcu);
	KUNIT_EXPECT_EQ(test, list[5].value, ~0x1fu);
	KUNIT_EXPECT_EQ(test, list[6].value, 4u);
	KUNIT_EXPECT_EQ(test, list[7].type, (u32)KFD_IOCTL_SVM_ATTR_NO_ACCESS);
	list[0] = (struct kfd_ioctl_svm_attribute)ATTR(ACCESS, 77);
	KUNIT_EXPECT_EQ(test, kfdm_svm_summary_tell(&summary, &gpus, 1, list), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_attrs_check_get(1, SET(ATTR(NO_ACCESS, GPU_A))), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_attrs_check_get(1, SET(ATTR(ACCESS_IN_PLACE, GPU_A))), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_attrs_check_get(1, SET({ 8, 0 })), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_attrs_check_get(2, SET(ATTR(ACCESS, 77), ATTR(CLR_FLAGS, 0))), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lists_that_can_be_set),
	KUNIT_CASE(access_is_of_one_kind),
	KUNIT_CASE(flags_and_the_rest),
	KUNIT_CASE(what_ranges_have_in_common),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_svm_attr", .test_cases = cases,
};
kunit_test_suite(suite);
