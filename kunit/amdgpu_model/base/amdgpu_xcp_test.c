// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_xcp_test.c - the compute dies of a GPU among its partitions (Linux 7.2: aqua_vanjaram.c, XCP_INST_MASK).
 */
#include <kunit/test.h>

#include "amdgpu_model/base/amdgpu_xcp.c"

/** struct xcp_case - dies of a GPU, 0: it is a chip without several; and its partitions in each mode, 0: it cannot have that */
struct xcp_case {
	const char *name;
	u32 dies;
	u32 partitions[AMDM_XCP_MODES];
};

static const struct xcp_case xcp_cases[] = {
	{ "MI300X", 8, { 1, 2, 0, 4, 8 } },
	{ "MI300A", 6, { 1, 0, 3, 0, 6 } },
	{ "MI308X", 4, { 1, 2, 0, 0, 4 } },
};

static void xcp_name(const struct xcp_case *c, char *text)
{
	strscpy(text, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(xcp, xcp_cases, xcp_name);

struct xcp_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
};

static int xcp_setup(struct kunit *test)
{
	struct xcp_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bed);
	test->priv = bed;
	bed->adev.pdev = &bed->pdev;
	bed->pdev.dev.init_name = "model";
	return 0;
}

/* Each die is of one partition, in their order. */
static void expect_dies_dealt(struct kunit *test, const struct amdm_device *adev)
{
	u32 i, next = 0;

	for (i = 0; i < adev->num_xcps; i++) {
		const struct amdm_xcp *xcp = &adev->xcp[i];

		KUNIT_EXPECT_PTR_EQ(test, xcp->adev, adev);
		KUNIT_EXPECT_EQ(test, xcp->id, i);
		KUNIT_EXPECT_EQ(test, xcp->first_xcc, next);
		KUNIT_EXPECT_NULL(test, xcp->kfd);
		next += xcp->num_xcc;
	}
	KUNIT_EXPECT_EQ(test, next, amdm_xccs(adev));
}

static void modes_of_a_gpu(struct kunit *test)
{
	struct amdm_device *adev = &((struct xcp_bed *)test->priv)->adev;
	const struct xcp_case *c = test->param_value;
	u32 mode;

	adev->num_xcc = c->dies;
	for (mode = 0; mode < AMDM_XCP_MODES; mode++) {
		adev->num_xcps = 0;
		KUNIT_EXPECT_EQ_MSG(test, amdm_xcps_init(adev, mode), c->partitions[mode] ? 0 : -EINVAL, "mode %u", mode);
		KUNIT_EXPECT_EQ_MSG(test, adev->num_xcps, c->partitions[mode], "mode %u", mode);
		if (!c->partitions[mode])
			continue;
		expect_dies_dealt(test, adev);
		KUNIT_EXPECT_EQ(test, amdm_xcp_mode(adev), mode);
	}
	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, AMDM_XCP_MODES), -EINVAL);
}

/* -2 is AMDGPU_AUTO_COMPUTE_PARTITION_MODE; other chips' users do not ask for a mode. */
static void one_partition_if_nobody_asks(struct kunit *test)
{
	struct amdm_device *adev = &((struct xcp_bed *)test->priv)->adev;

	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, AMDM_CPX), 0);
	KUNIT_EXPECT_EQ(test, adev->num_xcps, 1u);
	expect_dies_dealt(test, adev);
	adev->num_xcc = 8;
	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, -2), 0);
	KUNIT_EXPECT_EQ(test, adev->num_xcps, 1u);
	expect_dies_dealt(test, adev);
}

static void the_firmware_schedules_partitions(struct kunit *test)
{
	struct amdm_device *adev = &((struct xcp_bed *)test->priv)->adev;
	const int policy = amdm_kfd_param.sched_policy;

	adev->num_xcc = 8;
	amdm_kfd_param.sched_policy = 2;
	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, AMDM_SPX), 0);
	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, AMDM_CPX), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_xcp_count(adev, AMDM_DPX), 0u);
	amdm_kfd_param.sched_policy = policy;
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(modes_of_a_gpu, xcp_gen_params),
	KUNIT_CASE(one_partition_if_nobody_asks),
	KUNIT_CASE(the_firmware_schedules_partitions),
	{},
};

static struct kunit_suite suite = { .name = "amdgpu_xcp", .init = xcp_setup, .test_cases = cases };

kunit_test_suite(suite);
