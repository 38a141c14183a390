// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_xcp_test.c - the compute dies of a GPU among its partitions (Linux 7.2: aqua_vanjaram.c, XCP_INST_MASK).
 */
#include <kunit/test.h>

#include "amdgpu_model/device/amdgpu_xcp.c"

/** struct xcp_case - dies of a GPU, and partitions of it; 0 dies: a chip without several */
struct xcp_case {
	const char *name;
	u32 dies, partitions;
};

static const struct xcp_case xcp_cases[] = {
	{ "one die", 0, 1 }, { "SPX", 8, 1 }, { "DPX", 8, 2 }, { "QPX", 8, 4 }, { "CPX", 8, 8 }, { "TPX of six", 6, 3 },
};

static void xcp_name(const struct xcp_case *c, char *text)
{
	strscpy(text, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(xcp, xcp_cases, xcp_name);

/* Each die is of one partition, in their order. */
static void dies_are_dealt(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);
	const struct xcp_case *c = test->param_value;
	u32 i, next = 0;

	KUNIT_ASSERT_NOT_NULL(test, adev);
	adev->num_xcc = c->dies;
	amdm_xcps_divide(adev, c->partitions);
	KUNIT_ASSERT_EQ(test, adev->num_xcps, c->partitions);
	for (i = 0; i < adev->num_xcps; i++) {
		const struct amdm_xcp *xcp = &adev->xcp[i];

		KUNIT_EXPECT_PTR_EQ(test, xcp->adev, adev);
		KUNIT_EXPECT_EQ(test, xcp->id, i);
		KUNIT_EXPECT_EQ(test, xcp->first_xcc, next);
		KUNIT_EXPECT_NULL(test, xcp->kfd);
		next += xcp->num_xcc;
	}
	KUNIT_EXPECT_EQ(test, next, max(c->dies, 1u));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(dies_are_dealt, xcp_gen_params),
	{},
};

static struct kunit_suite suite = { .name = "amdgpu_xcp", .test_cases = cases };

kunit_test_suite(suite);
