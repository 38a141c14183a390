// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_hold_test.c - mappings that queues rely on: which are found, what they keep, and what is left when GEM_VA takes one away */
#include <kunit/test.h>

#include "kunit/amdgpu_model/mem/vm_bed.h"

#include "amdgpu_model/kfd/amdgpu_hold.c"

static struct amdm_userptr *quiet = (struct amdm_userptr *)16;

bool amdm_userptr_is_quiet(const struct amdm_userptr *user)
{
	return user == quiet;
}

/* kfd_queue_buffer_get: from its first page, with as many pages as are asked for; low bits of the address do not matter */
static void which_are_found(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping = bed_map(test, 0, VA, 0, 4, bed);
	static const struct { u64 va, bytes; int ret; } rows[] = {
		{ VA, 4 * PAGE_SIZE, 0 }, { VA + 0x80, 4 * PAGE_SIZE, 0 }, { VA, 0, 0 }, { VA, PAGE_SIZE - 1, 0 },
		{ VA, 3 * PAGE_SIZE, -EINVAL }, { VA, 5 * PAGE_SIZE, -EINVAL }, { VA + PAGE_SIZE, 3 * PAGE_SIZE, -EINVAL },
		{ VA - PAGE_SIZE, PAGE_SIZE, -EINVAL }, { ~0ULL << PAGE_SHIFT, PAGE_SIZE, -EINVAL },
	};
	struct amdm_hold *hold;
	u32 i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mapping));
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ_MSG(test, amdm_kgd_vm_hold(bed->vm, rows[i].va, rows[i].bytes, &hold), rows[i].ret, "row %u", i);
		KUNIT_EXPECT_EQ(test, mapping->holds, rows[i].ret ? 0u : 1u);
		if (mapping->holds)
			amdm_kgd_vm_unhold(hold);
		KUNIT_EXPECT_EQ(test, mapping->holds, 0u);
	}
	amdm_vm_unmap(mapping);
}

/* Pointers of two queues may share a page. */
static void counted(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping = bed_map(test, 0, VA, 0, 1, bed);
	struct amdm_hold *first, *second;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mapping));
	KUNIT_ASSERT_EQ(test, amdm_kgd_vm_hold(bed->vm, VA, PAGE_SIZE, &first), 0);
	KUNIT_ASSERT_EQ(test, amdm_kgd_vm_hold(bed->vm, VA + 0x100, PAGE_SIZE, &second), 0);
	KUNIT_EXPECT_EQ(test, mapping->holds, 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 4u);
	amdm_kgd_vm_unhold(first);
	amdm_kgd_vm_unhold(second);
	KUNIT_EXPECT_EQ(test, mapping->holds, 0u);
	amdm_vm_unmap(mapping);
}

/* The mapping was GEM_VA's and is gone, another one is in its place: nothing of it is let go. */
static void taken_away(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *other;
	struct amdm_hold *hold;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 1, NULL)));
	KUNIT_ASSERT_EQ(test, amdm_kgd_vm_hold(bed->vm, VA, PAGE_SIZE, &hold), 0);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA), 0);
	other = bed_map(test, 1, VA, 0, 1, bed);
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	other->holds = 1;
	amdm_kgd_vm_unhold(hold);
	KUNIT_EXPECT_EQ(test, other->holds, 1u);
	amdm_vm_unmap(other);
}

/* Shared virtual memory is no buffer: queues cannot hold it, and its addresses are not in use. */
static void shared_memory(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping = bed_map(test, 0, VA, 0, 4, bed);
	struct amdm_userptr *user = bed->bo[0].user;
	enum amdm_kind kind = bed->bo[0].kind;
	struct amdm_hold *hold;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mapping));
	KUNIT_EXPECT_TRUE(test, amdm_kgd_vm_is_used(bed->vm, VA + 3 * PAGE_SIZE, 2 * PAGE_SIZE));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_vm_is_used(bed->vm, VA + 4 * PAGE_SIZE, PAGE_SIZE));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_vm_is_used(bed->vm, VA - PAGE_SIZE, PAGE_SIZE));
	bed->bo[0].kind = AMDM_USERPTR;
	bed->bo[0].user = (struct amdm_userptr *)32;
	KUNIT_EXPECT_TRUE(test, amdm_kgd_vm_is_used(bed->vm, VA, PAGE_SIZE));
	bed->bo[0].user = quiet;
	KUNIT_EXPECT_FALSE(test, amdm_kgd_vm_is_used(bed->vm, VA, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_hold(bed->vm, VA, 0, &hold), -EINVAL);
	bed->bo[0].kind = kind;
	bed->bo[0].user = user;
	amdm_vm_unmap(mapping);
}

/* Until something is mapped there (amdgpu_vm_handle_fault: AMDGPU_VM_NORETRY_FLAGS) */
static void a_page_is_refused(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_refuse(bed->vm, VA + 0x234), 0);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), GPUVM_PTE_NORETRY);
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 1, bed)));
	KUNIT_EXPECT_NE(test, bed_pte(test, VA) & GPUVM_PTE_NORETRY, GPUVM_PTE_NORETRY);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(which_are_found),
	KUNIT_CASE(counted),
	KUNIT_CASE(taken_away),
	KUNIT_CASE(shared_memory),
	KUNIT_CASE(a_page_is_refused),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_hold", .init = vm_bed_init, .exit = vm_bed_fini, .test_cases = cases };
kunit_test_suite(suite);
