// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_limits_test.c - what KFD's buffers may take (amdgpu_amdkfd_reserve_mem_limit()), and how large GTT is.
 */
#include <kunit/test.h>

#include "../../amdgpu_model/amdgpu_limits.c"

static struct amdm_device *make_device(struct kunit *test, u64 vram)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	amdm_limits_init();
	amdm_limits.system_used = amdm_limits.ttm_used = 0;
	adev->vram.size = vram;
	return adev;
}

static void vram_is_limited(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 most = (1ULL << 30) - (8ULL << 20);		/* page tables: 8 MiB at least, or a 16384th */

	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(adev), most);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, most + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, ~0ULL), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, most - PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, 2 * PAGE_SIZE), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(adev), 0ULL);	/* whole 2 MiB */
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, PAGE_SIZE), 0);
	amdm_limit_uncharge(adev, AMDM_LIMIT_VRAM, most);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(adev), most);
	adev = make_device(test, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(adev), (1ULL << 40) - (1ULL << 26));
	adev = make_device(test, 1ULL << 20);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_VRAM, PAGE_SIZE), -ENOMEM);
}

static void system_memory_is_limited(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 ram = (u64)totalram_pages() << PAGE_SHIFT, all = ram - (ram >> 4), gtt = (ram >> 1) - (ram >> 3);
	struct kfd2kgd_mem_limits limits;

	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_GTT, gtt + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_GTT, gtt), 0);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_GTT, 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_USERPTR, all - gtt + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, AMDM_LIMIT_USERPTR, all - gtt), 0);
	amdm_limits_get(&limits);
	KUNIT_EXPECT_EQ(test, limits.system_used, limits.system_max);
	KUNIT_EXPECT_EQ(test, limits.ttm_used, limits.ttm_max);
	amdm_limit_uncharge(adev, AMDM_LIMIT_USERPTR, all - gtt);
	amdm_limit_uncharge(adev, AMDM_LIMIT_GTT, gtt);
	amdm_limits_get(&limits);
	KUNIT_EXPECT_EQ(test, limits.system_used + limits.ttm_used, 0ULL);
}

static void gtt_has_a_size(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 40);
	u64 ram = (u64)totalram_pages() << PAGE_SHIFT, size = amdm_gtt_size(adev);

	KUNIT_EXPECT_EQ(test, size, (ram / 4 * 3) & PAGE_MASK);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), size);
	atomic64_set(&adev->gtt_bytes, size - PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), (u64)PAGE_SIZE);
	atomic64_set(&adev->gtt_bytes, size + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), 0ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram_is_limited),
	KUNIT_CASE(system_memory_is_limited),
	KUNIT_CASE(gtt_has_a_size),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_limits",
	.test_cases = cases,
};
kunit_test_suite(suite);
