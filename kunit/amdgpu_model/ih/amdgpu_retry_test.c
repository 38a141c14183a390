// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_retry_test.c - accesses that wait: what KFD is asked, and when the chip is told that it may try again */
#include <kunit/test.h>
#include <linux/delay.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_kfd_retry_fault	retry_fake_kfd
#define amdm_kfd_xcp_of		retry_fake_xcp
#include "amdgpu_model/ih/amdgpu_retry.c"

static struct {
	u32 calls, pasid, access, refusals, partition;
	u64 va;
} retry_seen;

struct amdm_xcp *retry_fake_xcp(struct amdm_device *adev, u32 node, u32 vmid)
{
	return &adev->xcp[node];
}

bool retry_fake_kfd(struct amdm_xcp *xcp, u32 pasid, u64 va, u32 access)
{
	retry_seen.calls++;
	retry_seen.partition = xcp - xcp->adev->xcp;
	retry_seen.pasid = pasid;
	retry_seen.va = va;
	retry_seen.access = access;
	if (!retry_seen.refusals)
		return true;
	retry_seen.refusals--;
	return false;
}

struct retry_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
};

static int retry_setup(struct kunit *test)
{
	struct retry_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&retry_seen, 0, sizeof(retry_seen));
	fake_registers_reset();
	bed->adev.asic = &bed->asic;
	for (i = 0; i < ARRAY_SIZE(bed->adev.xcp); i++)
		bed->adev.xcp[i].adev = &bed->adev;
	spin_lock_init(&bed->adev.ih.lock);
	bed->asic.die.xnack = true;
	return amdm_retry_init(&bed->adev);
}

static void retry_teardown(struct kunit *test)
{
	struct retry_bed *bed = test->priv;

	amdm_retry_stop(&bed->adev);
	amdm_retry_fini(&bed->adev);
}

static const u32 retry_cookie[IH_COOKIE_DWORDS] = {
	IH_CLIENT_UTCL2 | IH_FAULT_RING_EXECUTE << 16, 0, 0, 2 << 16 | 0x8001, 0x23456789,
	1 | IH_FAULT_DATA1_WRITE | IH_FAULT_DATA1_RETRY, 5,
};

/* Until then the chip holds the page back. */
static void acknowledged_when_done(struct kunit *test)
{
	struct retry_bed *bed = test->priv;
	unsigned long end = jiffies + 30 * HZ;
	u32 value = 0;

	retry_seen.refusals = 2;
	KUNIT_EXPECT_TRUE(test, amdm_retry_take(&bed->adev, retry_cookie));
	/* A work item that asks for itself again may do so between the two looks of one flush. */
	while (READ_ONCE(retry_seen.calls) < 3 && time_before(jiffies, end)) {
		flush_delayed_work(&bed->adev.ih.faults[5].work);
		msleep(1);
	}
	flush_delayed_work(&bed->adev.ih.faults[5].work);
	KUNIT_EXPECT_EQ(test, retry_seen.calls, 3u);
	KUNIT_EXPECT_EQ(test, retry_seen.pasid, 0x8001u);
	KUNIT_EXPECT_EQ(test, retry_seen.partition, 2u);
	KUNIT_EXPECT_EQ(test, retry_seen.va, 0x123456789000ULL);
	KUNIT_EXPECT_EQ(test, retry_seen.access, KFD_BRIDGE_FAULT_WRITE | (u32)KFD_BRIDGE_FAULT_EXECUTE);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmIH_RETRY_CAM_ACK), 1u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RETRY_CAM_ACK, &value));
	KUNIT_EXPECT_EQ(test, value, 5u);
}

/* What is not tried again is KFD's; so is all of a chip that has no such accesses, and an entry that the CAM has not. */
static void others_are_left(struct kunit *test)
{
	struct retry_bed *bed = test->priv;
	u32 cookie[IH_COOKIE_DWORDS];

	memcpy(cookie, retry_cookie, sizeof(cookie));
	cookie[6] = IH_RETRY_CAM_ENTRIES;
	KUNIT_EXPECT_FALSE(test, amdm_retry_take(&bed->adev, cookie));
	cookie[6] = 0;
	cookie[5] &= ~IH_FAULT_DATA1_RETRY;
	KUNIT_EXPECT_FALSE(test, amdm_retry_take(&bed->adev, cookie));
	amdm_retry_fini(&bed->adev);
	KUNIT_EXPECT_FALSE(test, amdm_retry_take(&bed->adev, retry_cookie));
	amdm_retry_enable(&bed->adev);
	amdm_retry_repeat(&bed->adev);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 0u);
}

/* Interrupts were lost: whoever waits tries again. */
static void all_are_told_again(struct kunit *test)
{
	struct retry_bed *bed = test->priv;

	amdm_retry_enable(&bed->adev);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmIH_RETRY_INT_CAM_CNTL), 1u);
	amdm_retry_repeat(&bed->adev);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmIH_RETRY_CAM_ACK), (u32)IH_RETRY_CAM_ENTRIES);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(acknowledged_when_done),
	KUNIT_CASE(others_are_left),
	KUNIT_CASE(all_are_told_again),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_retry", .init = retry_setup, .exit = retry_teardown, .test_cases = cases };
kunit_test_suite(suite);
