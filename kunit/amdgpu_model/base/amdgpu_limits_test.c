// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_limits_test.c - what KFD's buffers may take (amdgpu_amdkfd_reserve_mem_limit()), and how large GTT is.
 */
#include <kunit/test.h>

static u64 free_ram, ram_unit;

static void fake_meminfo(struct sysinfo *si)
{
	*si = (struct sysinfo){ .totalram = 2 * free_ram, .freeram = free_ram, .mem_unit = ram_unit };
}

#define si_meminfo fake_meminfo
#include "amdgpu_model/base/amdgpu_limits.c"

static struct amdm_device *make_device(struct kunit *test, u64 vram)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	free_ram = 1ULL << 18;
	ram_unit = PAGE_SIZE;
	amdm_limits_init();
	amdm_limits.system_used = amdm_limits.ttm_used = 0;
	adev->vram.size = vram;
	adev->xcp[0].adev = adev;
	return adev;
}

static void vram_is_limited(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 most = (1ULL << 30) - (8ULL << 20);		/* page tables: 8 MiB at least, or a 16384th */

	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, most + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, ~0ULL), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, most - PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, 2 * PAGE_SIZE), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, PAGE_SIZE), 0);
	adev = make_device(test, 1ULL << 20);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, PAGE_SIZE), -ENOMEM);
}

/* amdgpu_amdkfd_get_available_memory(): without what is pinned (the GART's table, 1 MiB), each buffer in units of 2 MiB */
static void available_vram(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 all = (1ULL << 30) - (10ULL << 20);
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), all);
	for (i = 1; i <= 3; i++) {
		KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, PAGE_SIZE), 0);
		KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), all - i * (2ULL << 20));
	}
	KUNIT_EXPECT_EQ(test, atomic64_read(&adev->kfd_vram[0]), 3LL * (s64)PAGE_SIZE);	/* the limit itself counts bytes */
	for (i = 0; i < 3; i++)
		amdm_limit_uncharge(adev, 0, AMDM_LIMIT_VRAM, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), all);
	adev = make_device(test, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), (1ULL << 40) - (1ULL << 26) - (2ULL << 20));
	adev = make_device(test, 1ULL << 20);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), 0ULL);
}

/* amdgpu_amdkfd_xcp_memory_size(): what page tables may need is the whole GPU's. */
static void partitions_have_a_share(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 most = (1ULL << 28) - (8ULL << 20);

	adev->num_xcps = 4;
	adev->xcp[3] = (struct amdm_xcp){ .adev = adev, .id = 3 };
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_share(adev), 1ULL << 28);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 3, AMDM_LIMIT_VRAM, most + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 3, AMDM_LIMIT_VRAM, most), 0);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 3, AMDM_LIMIT_VRAM, PAGE_SIZE), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[3]), 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_limit_vram_available(&adev->xcp[0]), most - (2ULL << 20));	/* the GART's table */
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_VRAM, most), 0);
	amdm_limit_uncharge(adev, 3, AMDM_LIMIT_VRAM, most);
	KUNIT_EXPECT_EQ(test, atomic64_read(&adev->kfd_vram[3]), 0LL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&adev->kfd_vram[0]), (s64)most);
}

static void system_memory_is_limited(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 30);
	u64 ram = free_ram * ram_unit, all = ram - (ram >> 4), gtt = (ram >> 1) - (ram >> 3);
	struct kfd2kgd_mem_limits limits;

	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_GTT, gtt + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_GTT, gtt), 0);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_GTT, 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_USERPTR, all - gtt + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_limit_charge(adev, 0, AMDM_LIMIT_USERPTR, all - gtt), 0);
	amdm_limits_get(&limits);
	KUNIT_EXPECT_EQ(test, limits.system_used, limits.system_max);
	KUNIT_EXPECT_EQ(test, limits.ttm_used, limits.ttm_max);
	amdm_limit_uncharge(adev, 0, AMDM_LIMIT_USERPTR, all - gtt);
	amdm_limit_uncharge(adev, 0, AMDM_LIMIT_GTT, gtt);
	amdm_limits_get(&limits);
	KUNIT_EXPECT_EQ(test, limits.system_used + limits.ttm_used, 0ULL);
}

static void gtt_has_a_size(struct kunit *test)
{
	struct amdm_device *adev = make_device(test, 1ULL << 40);
	u64 ram = (u64)totalram_pages() << PAGE_SHIFT, size = amdm_gtt_size();

	KUNIT_EXPECT_EQ(test, size, max(3ULL << 30, ram / 2) & PAGE_MASK);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), size);
	atomic64_set(&adev->gtt_bytes, size - PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), (u64)PAGE_SIZE);
	atomic64_set(&adev->gtt_bytes, size + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_gtt_left(adev), 0ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram_is_limited),
	KUNIT_CASE(available_vram),
	KUNIT_CASE(partitions_have_a_share),
	KUNIT_CASE(system_memory_is_limited),
	KUNIT_CASE(gtt_has_a_size),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_limits",
	.test_cases = cases,
};
kunit_test_suite(suite);
