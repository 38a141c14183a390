// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_xcp_switch_test.c - a GPU gets other partitions, or keeps those that it has (Linux 7.2: amdgpu_xcp_switch_partition_mode()).
 */
#include <kunit/test.h>
#include <drm/drm_drv.h>

#define drm_dev_enter(ddev, idx)	((void)(idx), !xcp_seen.unplugged)
#define drm_dev_exit(idx)		((void)(idx))

static struct {
	bool unplugged;
	int leave_answer;
	u32 leaves, returns, joins;
} xcp_seen;

#include "amdgpu_model/base/amdgpu_xcp.c"
#include "amdgpu_model/kfd/amdgpu_xcp_switch.c"

int amdm_kfd_leave(struct amdm_device *adev)
{
	xcp_seen.leaves++;
	return xcp_seen.leave_answer;
}

void amdm_kfd_return(struct amdm_device *adev)
{
	xcp_seen.returns++;
}

void amdm_gfx_join_dies(struct amdm_device *adev)
{
	xcp_seen.joins++;
}

struct switch_bed {
	struct amdm_device adev;
	struct amdm_hive hive;
	struct pci_dev pdev;
};

static int switch_setup(struct kunit *test)
{
	struct switch_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bed);
	test->priv = bed;
	memset(&xcp_seen, 0, sizeof(xcp_seen));
	bed->adev.pdev = &bed->pdev;
	bed->adev.hive = &bed->hive;
	mutex_init(&bed->hive.reset_mutex);
	spin_lock_init(&bed->adev.kfd_lock);
	bed->pdev.dev.init_name = "model";
	return 0;
}

/* While a process has the GPU, while it is reset, asleep or gone, nothing changes. */
static void a_switch(struct kunit *test)
{
	struct amdm_device *adev = &((struct switch_bed *)test->priv)->adev;

	adev->num_xcc = 8;
	KUNIT_EXPECT_EQ(test, amdm_xcps_init(adev, AMDM_SPX), 0);
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_CPX), 0);
	KUNIT_EXPECT_EQ(test, adev->num_xcps, 8u);
	KUNIT_EXPECT_EQ(test, adev->xcp[5].first_xcc, 5u);
	KUNIT_EXPECT_EQ(test, xcp_seen.leaves << 8 | xcp_seen.joins << 4 | xcp_seen.returns, 0x111u);
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_CPX), 0);
	KUNIT_EXPECT_EQ(test, xcp_seen.leaves, 1u);	/* it is so already */
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_TPX), -EINVAL);
	xcp_seen.leave_answer = -EBUSY;
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_QPX), -EBUSY);
	xcp_seen.leave_answer = 0;
	adev->in_reset = true;
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_QPX), -EPERM);
	adev->in_reset = false;
	adev->sleeps = true;
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_QPX), -EPERM);
	adev->sleeps = false;
	xcp_seen.unplugged = true;
	KUNIT_EXPECT_EQ(test, amdm_xcp_switch(adev, AMDM_QPX), -ENODEV);
	KUNIT_EXPECT_EQ(test, adev->num_xcps, 8u);
	KUNIT_EXPECT_EQ(test, xcp_seen.returns, 1u);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&adev->hive->reset_mutex));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_switch),
	{},
};

static struct kunit_suite suite = { .name = "amdgpu_xcp_switch", .init = switch_setup, .test_cases = cases };

kunit_test_suite(suite);
