// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_vm_pt_test.c - page tables as the chip walks them: by the bits of the manuals' layouts, from the root's address through VRAM.
 */
#include "kunit/fail_nth.h"
#include "real_memory.h"

#include "amdgpu_model/mem/amdgpu_vm_pt.c"

#define VRAM_BYTES	(8ULL << 20)
#define FB_START	0xf400000000ULL
#define PTE		0x1234567000ULL		/* an address */
#define FLAGS		0x71ULL

struct pt_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct amdm_gmc gmc;
	struct amdm_pt *root;
	s64 root_bytes;
};

u64 amdm_fb_start(const struct amdm_device *adev)
{
	return FB_START;
}

static void make_root(struct kunit *test, const struct amdm_pt_format *tables)
{
	struct pt_bed *bed = test->priv;

	bed->gmc.tables = tables;
	bed->root = amdm_pt_create_root(&bed->adev);
	KUNIT_ASSERT_NOT_NULL(test, bed->root);
	bed->root_bytes = atomic64_read(&bed->adev.pt_bytes);
	KUNIT_EXPECT_EQ(test, bed->root_bytes, (s64)amdm_vram_used(&bed->adev));
}

static int pt_setup(struct kunit *test)
{
	struct pt_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	bed->asic.gmc = &bed->gmc;
	bed->adev.asic = &bed->asic;
	real_memory_init(&bed->adev, VRAM_BYTES);
	return 0;
}

static void pt_teardown(struct kunit *test)
{
	struct pt_bed *bed = test->priv;

	if (bed->root)
		amdm_pt_destroy(&bed->adev, bed->root);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), 0LL);
	real_memory_fini(test, &bed->adev);
}

/* The chip's way, of GFX9: four levels, bits 47:39, 38:30, 29:21, 20:12; entries hold offsets in VRAM. 0: a directory ends it. */
static u64 walk_v9(struct kunit *test, u64 va)
{
	struct pt_bed *bed = test->priv;
	u64 entry = amdm_pt_address(&bed->adev, bed->root);
	int shift;

	for (shift = 39; shift >= 12; shift -= 9) {
		KUNIT_EXPECT_EQ(test, entry & 0xfff, 1ULL);	/* valid, in VRAM, no PTE */
		entry = *real_vram_word(test, &bed->adev, (entry & ~0xfffULL) + (va >> shift & 0x1ff) * 8);
		if (!entry)
			return 0;
	}
	return entry;
}

/* Of GFX8: two levels, 13 and 15 bits; the directory holds MC addresses. */
static u64 walk_v8(struct kunit *test, u64 va)
{
	struct pt_bed *bed = test->priv;
	u64 entry = amdm_pt_address(&bed->adev, bed->root);

	KUNIT_EXPECT_EQ(test, entry & 0xfff, 1ULL);
	entry = *real_vram_word(test, &bed->adev, (entry & ~0xfffULL) - FB_START + (va >> 27 & 0x1fff) * 8);
	if (!entry)
		return 0;
	KUNIT_EXPECT_EQ(test, entry & 0xfff, 1ULL);
	return *real_vram_word(test, &bed->adev, (entry & ~0xfffULL) - FB_START + (va >> 12 & 0x7fff) * 8);
}

static void four_levels(struct kunit *test)
{
	const u64 va = 0x7f12345fe000ULL;	/* the last two pages of a table, and two of the next one */
	struct pt_bed *bed = test->priv;
	u32 i;

	make_root(test, &amdm_pt_v9);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va), 0ULL);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, va, PTE | FLAGS, 4), 0);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, walk_v9(test, va + i * PAGE_SIZE), (PTE + i * PAGE_SIZE) | FLAGS);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va - PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va + 4 * PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes + 4 * (s64)PAGE_SIZE);
}

static void two_levels(struct kunit *test)
{
	const u64 va = 0xff37fff000ULL;
	struct pt_bed *bed = test->priv;

	make_root(test, &amdm_pt_v8);
	KUNIT_EXPECT_EQ(test, bed->root_bytes, 64LL << 10);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, va, PTE | FLAGS, 2), 0);
	KUNIT_EXPECT_EQ(test, walk_v8(test, va), PTE | FLAGS);
	KUNIT_EXPECT_EQ(test, walk_v8(test, va + PAGE_SIZE), (PTE + PAGE_SIZE) | FLAGS);	/* in the next table */
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes + (512LL << 10));
	KUNIT_EXPECT_EQ(test, walk_v8(test, va + 2 * PAGE_SIZE), 0ULL);
}

static void the_ends_of_the_space(struct kunit *test)
{
	const u64 last = (1ULL << 48) - PAGE_SIZE;
	struct pt_bed *bed = test->priv;

	make_root(test, &amdm_pt_v9);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, 0, PTE | FLAGS, 1), 0);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, last, PTE | FLAGS, 1), 0);
	KUNIT_EXPECT_EQ(test, walk_v9(test, 0), PTE | FLAGS);
	KUNIT_EXPECT_EQ(test, walk_v9(test, last), PTE | FLAGS);
	amdm_pt_clear(&bed->adev, bed->root, last, 1);
	KUNIT_EXPECT_EQ(test, walk_v9(test, last), 0ULL);
	KUNIT_EXPECT_EQ(test, walk_v9(test, 0), PTE | FLAGS);
	amdm_pt_clear(&bed->adev, bed->root, 0, 1ULL << 36);	/* the whole space */
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
}

static void empty_tables_go(struct kunit *test)
{
	const u64 va = 0x40000000ULL - 2 * PAGE_SIZE;	/* over the end of a PDB0 */
	struct pt_bed *bed = test->priv;
	s64 full;

	make_root(test, &amdm_pt_v9);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, va, PTE | FLAGS, 4), 0);
	full = atomic64_read(&bed->adev.pt_bytes);
	amdm_pt_clear(&bed->adev, bed->root, va + PAGE_SIZE, 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), full);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va), PTE | FLAGS);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va + PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va + 2 * PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va + 3 * PAGE_SIZE), (PTE + 3 * PAGE_SIZE) | FLAGS);
	amdm_pt_clear(&bed->adev, bed->root, va, 1);
	KUNIT_EXPECT_LT(test, atomic64_read(&bed->adev.pt_bytes), full);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va + 3 * PAGE_SIZE), (PTE + 3 * PAGE_SIZE) | FLAGS);
	amdm_pt_clear(&bed->adev, bed->root, va, 4);		/* three of them are clear already */
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
	KUNIT_EXPECT_EQ(test, walk_v9(test, va), 0ULL);
	amdm_pt_clear(&bed->adev, bed->root, 0, 1 << 20);	/* nothing is there */
}

/* An entry that changes is one entry still: the table goes with it. */
static void entries_are_counted_once(struct kunit *test)
{
	struct pt_bed *bed = test->priv;

	make_root(test, &amdm_pt_v9);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, 0x200000, PTE | FLAGS, 2), 0);
	KUNIT_ASSERT_EQ(test, amdm_pt_set(&bed->adev, bed->root, 0x200000, 2 * PTE | FLAGS, 2), 0);
	KUNIT_EXPECT_EQ(test, walk_v9(test, 0x201000), (2 * PTE + PAGE_SIZE) | FLAGS);
	amdm_pt_clear(&bed->adev, bed->root, 0x200000, 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
}

static void vram_is_full(struct kunit *test)
{
	struct pt_bed *bed = test->priv;
	struct amdm_vram_alloc *rest;

	make_root(test, &amdm_pt_v9);
	rest = amdm_vram_alloc(&bed->adev, VRAM_BYTES - bed->root_bytes - 2 * PAGE_SIZE, PAGE_SIZE, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(rest));
	KUNIT_EXPECT_EQ(test, amdm_pt_set(&bed->adev, bed->root, 0x200000, PTE | FLAGS, 1), -ENOMEM);	/* the third table */
	amdm_pt_clear(&bed->adev, bed->root, 0x200000, 1);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
	amdm_vram_free(&bed->adev, rest);
}

/* Whatever is missing: clearing the range leaves what was there before. */
static void without_memory(struct kunit *test)
{
	const u64 va = 0x40000000ULL - PAGE_SIZE;
	struct pt_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	make_root(test, &amdm_pt_v9);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = amdm_pt_set(&bed->adev, bed->root, va, PTE | FLAGS, 2);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		amdm_pt_clear(&bed->adev, bed->root, va, 2);
		KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
		KUNIT_EXPECT_EQ(test, (s64)amdm_vram_used(&bed->adev), bed->root_bytes);
	}
	KUNIT_EXPECT_GE(test, refused, 3u);	/* of five tables, each of several allocations */
	for (n = 0; n < 6; n++) {		/* and their pages */
		int ret;

		real_memory.pages_left = n;
		ret = amdm_pt_set(&bed->adev, bed->root, va, PTE | FLAGS, 2);
		KUNIT_EXPECT_EQ(test, ret, n < 5 ? -ENOMEM : 0);
		amdm_pt_clear(&bed->adev, bed->root, va, 2);
		KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), bed->root_bytes);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(four_levels),
	KUNIT_CASE(two_levels),
	KUNIT_CASE(the_ends_of_the_space),
	KUNIT_CASE(empty_tables_go),
	KUNIT_CASE(entries_are_counted_once),
	KUNIT_CASE(vram_is_full),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_vm_pt", .init = pt_setup, .exit = pt_teardown, .test_cases = cases };
kunit_test_suite(suite);
