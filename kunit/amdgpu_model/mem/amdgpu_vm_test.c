// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_vm_test.c - what may be mapped where, what page tables say of it then, and what is left when it could not be.
 */
#include "kunit/fail_nth.h"
#include "vm_bed.h"

#define END	((1ULL << 48) - (2 << 20))

struct limit {
	const char *name;
	u64 va, offset, size;
	enum amdm_kind kind;
	int answer;
};

static const struct limit limits[] = {
	{ "a page", VA, 0, PAGE_SIZE, AMDM_VRAM, 0 },
	{ "all of it", VA, 0, BED_PAGES * PAGE_SIZE, AMDM_GTT, 0 },
	{ "its last page", VA, (BED_PAGES - 1) * PAGE_SIZE, PAGE_SIZE, AMDM_VRAM, 0 },
	{ "the last page there is", END - PAGE_SIZE, 0, PAGE_SIZE, AMDM_VRAM, 0 },
	{ "address 0", 0, 0, PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "nothing", VA, 0, 0, AMDM_VRAM, -EINVAL },
	{ "half a page's address", VA + 2048, 0, PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "half a page's offset", VA, 2048, PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "half a page", VA, 0, 2048, AMDM_VRAM, -EINVAL },
	{ "more than it has", VA, PAGE_SIZE, BED_PAGES * PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "behind its end", VA, BED_PAGES * PAGE_SIZE, PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "an offset that wraps", VA, ~0ULL << 12, 2 * PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "an address that wraps", ~0ULL << 12, 0, PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "a size that wraps", VA, 0, ~0ULL << 12, AMDM_VRAM, -EINVAL },
	{ "over the end of tables", END - PAGE_SIZE, 0, 2 * PAGE_SIZE, AMDM_VRAM, -EINVAL },
	{ "what has no address", VA, 0, PAGE_SIZE, AMDM_ONCHIP, -EINVAL },
};

static void limit_name(const struct limit *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(limit, limits, limit_name);

static void a_limit(struct kunit *test)
{
	const struct limit *row = test->param_value;
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping;

	bed->bo[0].kind = row->kind;
	KUNIT_EXPECT_EQ(test, amdm_vm_check(&bed->adev, &bed->bo[0], row->va, row->offset, row->size), row->answer);
	mapping = amdm_vm_map(bed->vm, &bed->bo[0], row->va, row->offset, row->size, 0, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(mapping), row->answer);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), row->answer ? 1u : 2u);
}

/* AMDGPU_PTE_VALID, SYSTEM, SNOOPED by where the buffer is, and what the caller said; in pieces where the buffer is. */
static void entries(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 2, 12, NULL)));
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0x1002000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 5 * PAGE_SIZE), 0x1007000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 6 * PAGE_SIZE), 0x11008000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 11 * PAGE_SIZE), 0x1100d000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 12 * PAGE_SIZE), 0ULL);
	bed->bo[1].kind = AMDM_GTT;
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 1, 2 * VA, 0, 1, NULL)));
	KUNIT_EXPECT_EQ(test, bed_pte(test, 2 * VA), 0x2000000ULL | 0x67);
	bed->bo[1].kind = AMDM_CPU;	/* where the GPU cannot reach it: a fault */
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 1, 3 * VA, 0, 1, NULL)));
	KUNIT_EXPECT_EQ(test, bed_pte(test, 3 * VA) & 1, 0ULL);
}

static void one_mapping_a_page(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bed_map(test, 1, VA + 3 * PAGE_SIZE, 0, 4, NULL)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bed_map(test, 1, VA - PAGE_SIZE, 0, 2, NULL)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bed_map(test, 1, VA - PAGE_SIZE, 0, 8, NULL)), -EINVAL);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[1].base.refcount), 1u);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0x1000000ULL | 0x61);		/* nothing was written */
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA - PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 1, VA + 4 * PAGE_SIZE, 0, 4, NULL)));
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 1, VA - PAGE_SIZE, 0, 1, NULL)));
}

/* TLBs are older than the tables after each of these. */
static void changes_are_counted(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping = bed_map(test, 0, VA, 0, 4, NULL);
	s64 before = atomic64_read(&bed->vm->updates);

	KUNIT_ASSERT_FALSE(test, IS_ERR(mapping));
	KUNIT_EXPECT_EQ(test, before, 1LL);
	bed->bo[0].kind = AMDM_GTT;
	bed->at[0] = 0x5000000;
	amdm_vm_rewrite(mapping);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + PAGE_SIZE), 0x5001000ULL | 0x67);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->vm->updates), before + 1);
	amdm_vm_unmap(mapping);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->vm->updates), before + 2);
}

/* Queues touch it as soon as it is mapped; jobs bring their buffers along. */
static void what_queues_would_touch(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping;
	int owner;

	bed_seen.unusable = true;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bed_map(test, 0, VA, 0, 1, &owner)), -EAGAIN);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 0u);
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 1, NULL)));
	bed->vm->queues_off = true;
	mapping = bed_map(test, 0, 2 * VA, 0, 1, &owner);
	KUNIT_ASSERT_FALSE(test, IS_ERR(mapping));
	amdm_vm_unmap(mapping);
}

/* VM_CONTEXTn_PAGE_TABLE_BASE: a PDE; before GFX9 a page number of an MC address (amdgpu_amdkfd_gpuvm_get_process_page_dir) */
static void the_root(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u64 root = amdm_vram_offset(bed->vm->root->vram, 0, NULL);
	struct amdm_vm *old;

	KUNIT_EXPECT_EQ(test, amdm_vm_page_table_base(bed->vm), root | 1);
	bed->gmc.tables = &amdm_pt_v8;
	bed->gmc.fb_start = 0xf400000000ULL;
	bed->gmc.base_shift = 12;
	old = amdm_vm_create(&bed->adev, &bed->drm);
	KUNIT_ASSERT_FALSE(test, IS_ERR(old));
	root = amdm_vram_offset(old->root->vram, 0, NULL);
	KUNIT_EXPECT_EQ(test, amdm_vm_page_table_base(old), (0xf400000000ULL + root) >> 12);
	amdm_vm_close(old);
	bed->gmc.tables = &amdm_pt_v9;
	bed->gmc.base_shift = 0;
}

static void a_name_is_given_once(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_vm *other = amdm_vm_create(&bed->adev, NULL);
	u64 id;

	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	id = other->id;
	KUNIT_EXPECT_GT(test, id, bed->vm->id);
	amdm_vm_close(other);
	other = amdm_vm_create(&bed->adev, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	KUNIT_EXPECT_GT(test, other->id, id);
	amdm_vm_close(other);
}

/* The file goes, a job of it does not: its tables stay. */
static void a_job_outlives_the_file(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_vm *vm = amdm_vm_create(&bed->adev, &bed->drm);
	u64 used;

	KUNIT_ASSERT_FALSE(test, IS_ERR(vm));
	used = amdm_vram_used(&bed->adev);
	KUNIT_ASSERT_FALSE(test, IS_ERR(amdm_vm_map(vm, &bed->bo[0], VA, 0, PAGE_SIZE, 0, NULL)));
	amdm_vm_get(vm);
	amdm_vm_close(vm);
	KUNIT_EXPECT_EQ(test, bed_seen.unreserved, 1u);
	KUNIT_EXPECT_NULL(test, vm->drm);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 1u);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), used);
	amdm_vm_put(vm);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), bed->used);
}

static void fill_vram(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	bed_seen.hog = amdm_vram_alloc(&bed->adev, BED_VRAM - amdm_vram_used(&bed->adev), PAGE_SIZE, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_seen.hog));
}

/* Another buffer is evicted to make room for the page tables, at the third try; or none can be evicted. */
static void room_for_tables(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_vm *vm;

	fill_vram(test);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bed_map(test, 0, VA, 0, 1, NULL)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, bed_seen.evictions, 1u);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_vm_create(&bed->adev, NULL)), -ENOMEM);
	bed_seen.evictions = 0;
	bed_seen.may_evict = 3;
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 1, NULL)));
	KUNIT_EXPECT_EQ(test, bed_seen.evictions, 3u);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0x1000000ULL | 0x61);
	fill_vram(test);
	bed_seen.evictions = 0;
	vm = amdm_vm_create(&bed->adev, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(vm));
	KUNIT_EXPECT_EQ(test, bed_seen.evictions, 3u);
	amdm_vm_close(vm);
}

static void without_memory(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_mapping *mapping;

		fail_nth_arm(n);
		mapping = bed_map(test, 0, VA, 0, 4, NULL);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !IS_ERR(mapping) || mapping == ERR_PTR(-ENOMEM));
		refused += IS_ERR(mapping);
		if (!IS_ERR(mapping))
			amdm_vm_unmap(mapping);
		KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), bed->used);
		KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 1u);
	}
	KUNIT_EXPECT_GE(test, refused, 2u);	/* which of them: see fail_nth.h */
	for (n = 1, refused = 0, used = true; used; n++) {
		struct amdm_vm *vm;

		fail_nth_arm(n);
		vm = amdm_vm_create(&bed->adev, NULL);
		used = fail_nth_disarm();
		refused += IS_ERR(vm);
		KUNIT_EXPECT_TRUE(test, !IS_ERR(vm) || vm == ERR_PTR(-ENOMEM));
		if (!IS_ERR(vm))
			amdm_vm_close(vm);
		KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), bed->used);
	}
	KUNIT_EXPECT_GE(test, refused, 2u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_limit, limit_gen_params),
	KUNIT_CASE(entries),
	KUNIT_CASE(one_mapping_a_page),
	KUNIT_CASE(changes_are_counted),
	KUNIT_CASE(what_queues_would_touch),
	KUNIT_CASE(the_root),
	KUNIT_CASE(a_name_is_given_once),
	KUNIT_CASE(a_job_outlives_the_file),
	KUNIT_CASE(room_for_tables),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_vm", .init = vm_bed_init, .exit = vm_bed_fini, .test_cases = cases };
kunit_test_suite(suite);
