// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_vram_test.c - who owns VRAM, in how many pieces, and that no owner sees what the previous one has left there.
 */
#include "kunit/fail_nth.h"
#include "real_memory.h"

#define VRAM_BYTES	(2ULL << 20)
#define VRAM_PAGES	((u32)(VRAM_BYTES >> PAGE_SHIFT))

struct vram_bed {
	struct amdm_device adev;
	struct amdm_vram_alloc *page[VRAM_PAGES];
	DECLARE_BITMAP(seen, VRAM_PAGES);
};

static struct amdm_device *vram_adev;

static int vram_setup(struct kunit *test)
{
	struct vram_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	vram_adev = &bed->adev;
	real_memory_init(&bed->adev, VRAM_BYTES);
	return 0;
}

static void vram_teardown(struct kunit *test)
{
	struct vram_bed *bed = test->priv;

	real_memory_fini(test, &bed->adev);
}

static void sizes(struct kunit *test)
{
	static const u64 refused[] = { 0, VRAM_BYTES + 1, ~0ULL, ~0ULL - PAGE_SIZE, 1ULL << 63 };
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc *alloc;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_vram_alloc(&bed->adev, refused[i], PAGE_SIZE, false)), -ENOSPC);
	alloc = amdm_vram_alloc(&bed->adev, 1, PAGE_SIZE, true);
	KUNIT_ASSERT_FALSE(test, IS_ERR(alloc));
	KUNIT_EXPECT_EQ(test, alloc->size, (u64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), (u64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_vram_alloc(&bed->adev, VRAM_BYTES, PAGE_SIZE, false)), -ENOSPC);
	amdm_vram_free(&bed->adev, alloc);
	alloc = amdm_vram_alloc(&bed->adev, VRAM_BYTES, PAGE_SIZE, true);
	KUNIT_ASSERT_FALSE(test, IS_ERR(alloc));
	amdm_vram_free(&bed->adev, alloc);
	amdm_vram_free(&bed->adev, NULL);
	amdm_vram_free(&bed->adev, ERR_PTR(-ENOMEM));
}

static void an_alignment(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc *page = amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, true);
	struct amdm_vram_alloc *aligned = amdm_vram_alloc(&bed->adev, PAGE_SIZE, 1 << 20, true);

	KUNIT_ASSERT_FALSE(test, IS_ERR(page) || IS_ERR(aligned));
	KUNIT_EXPECT_EQ(test, amdm_vram_offset(aligned, 0, NULL) & ((1 << 20) - 1), 0ULL);
	amdm_vram_free(&bed->adev, page);
	amdm_vram_free(&bed->adev, aligned);
}

/* Free memory is every other page: what must have no gap is refused, the rest is taken piece by piece, each byte once. */
static void pieces(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc **page = bed->page, *all;
	u64 at = 0, run, offset;
	u32 i;

	for (i = 0; i < VRAM_PAGES; i++) {
		page[i] = amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, true);
		KUNIT_ASSERT_FALSE(test, IS_ERR(page[i]));
	}
	for (i = 0; i < VRAM_PAGES; i++)
		if (amdm_vram_offset(page[i], 0, NULL) >> PAGE_SHIFT & 1) {
			amdm_vram_free(&bed->adev, page[i]);
			page[i] = NULL;
		}
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_vram_alloc(&bed->adev, 2 * PAGE_SIZE, PAGE_SIZE, true)), -ENOSPC);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), VRAM_BYTES / 2);
	all = amdm_vram_alloc(&bed->adev, VRAM_BYTES / 2, PAGE_SIZE, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(all));
	for (; at < all->size; at += run) {
		offset = amdm_vram_offset(all, at + 8, &run) - 8;
		run += 8;
		KUNIT_EXPECT_EQ(test, run, (u64)PAGE_SIZE);
		KUNIT_EXPECT_EQ(test, offset & (2 * PAGE_SIZE - 1), (u64)PAGE_SIZE);
		KUNIT_EXPECT_FALSE(test, test_and_set_bit(offset >> PAGE_SHIFT, bed->seen));
	}
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, false)), -ENOSPC);
	amdm_vram_free(&bed->adev, all);
	for (i = 0; i < VRAM_PAGES; i++)
		amdm_vram_free(&bed->adev, page[i]);
}

static void it_changes_hands_clean(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc *alloc = amdm_vram_alloc(&bed->adev, VRAM_BYTES, PAGE_SIZE, true);

	KUNIT_ASSERT_FALSE(test, IS_ERR(alloc));
	*real_vram_word(test, &bed->adev, 0) = 1;
	*real_vram_word(test, &bed->adev, VRAM_BYTES - 8) = 2;
	amdm_vram_free(&bed->adev, alloc);
	KUNIT_EXPECT_TRUE(test, xa_empty(&bed->adev.vram.pages));
	*real_vram_word(test, &bed->adev, 0) = 3;	/* a stray entry of a page table */
	alloc = amdm_vram_alloc(&bed->adev, VRAM_BYTES, PAGE_SIZE, true);
	KUNIT_EXPECT_EQ(test, *real_vram_word(test, &bed->adev, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, *real_vram_word(test, &bed->adev, VRAM_BYTES - 8), 0ULL);
	amdm_vram_free(&bed->adev, alloc);
}

static struct page *vram_held;
static bool vram_was_there, vram_was_found;

/* The chip may have a pointer still: the page is out of the table, and not free yet. */
static void look_at_gone(void)
{
	vram_was_there = page_count(vram_held) == 1;
	vram_was_found = xa_load(&vram_adev->vram.pages, 0);
}

static void pages_go_when_the_chip_has_let_go(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc *alloc = amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, true);

	KUNIT_ASSERT_FALSE(test, IS_ERR(alloc));
	amdm_vram_free(&bed->adev, alloc);
	KUNIT_EXPECT_EQ(test, real_memory.gone, 0u);	/* it was never touched: the chip need not be stopped */
	alloc = amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, true);
	vram_held = amdm_vram_page(&bed->adev, 0, GFP_KERNEL);
	real_memory.at_gone = look_at_gone;
	amdm_vram_free(&bed->adev, alloc);
	KUNIT_EXPECT_EQ(test, real_memory.gone, 1u);
	KUNIT_EXPECT_TRUE(test, vram_was_there);
	KUNIT_EXPECT_FALSE(test, vram_was_found);
}

static void a_page(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct page *page = amdm_vram_page(&bed->adev, 3 * PAGE_SIZE + 17, GFP_NOWAIT);

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_EXPECT_PTR_EQ(test, amdm_vram_page(&bed->adev, 3 * PAGE_SIZE, GFP_KERNEL), page);
	KUNIT_EXPECT_PTR_NE(test, amdm_vram_page(&bed->adev, 4 * PAGE_SIZE, GFP_KERNEL), page);
	KUNIT_EXPECT_NULL(test, amdm_vram_page(&bed->adev, VRAM_BYTES, GFP_KERNEL));
	KUNIT_EXPECT_NULL(test, amdm_vram_page(&bed->adev, ~0ULL, GFP_KERNEL));
	real_memory.pages_left = 0;
	KUNIT_EXPECT_NULL(test, amdm_vram_page(&bed->adev, 5 * PAGE_SIZE, GFP_KERNEL));
	KUNIT_EXPECT_PTR_EQ(test, amdm_vram_page(&bed->adev, 3 * PAGE_SIZE, GFP_NOWAIT), page);
}

static void without_memory(struct kunit *test)
{
	struct vram_bed *bed = test->priv;
	struct amdm_vram_alloc *alloc;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		fail_nth_arm(n);
		alloc = amdm_vram_alloc(&bed->adev, 2 * PAGE_SIZE, PAGE_SIZE, true);
		used = fail_nth_disarm();
		refused += IS_ERR(alloc);
		KUNIT_EXPECT_TRUE(test, !IS_ERR(alloc) || alloc == ERR_PTR(-ENOMEM));
		amdm_vram_free(&bed->adev, alloc);
		KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), 0ULL);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);	/* the allocation and its range */
}

/* What one piece of @count costs in a VRAM where every other page is taken, in ns: making, looking up, freeing. */
struct vram_cost {
	u64 make, look, free;
};

#define VRAM_LOOKS	4096
#define VRAM_FEW	1024
#define VRAM_MANY	(32 * VRAM_FEW)

static u64 vram_look_all_over(struct amdm_vram_alloc *all)
{
	u64 begin = ktime_get_ns(), at = 0;
	u32 i;

	for (i = 0; i < VRAM_LOOKS; i++) {
		amdm_vram_offset(all, at, NULL);
		at = (at + 40503 * PAGE_SIZE) % all->size;
	}
	return (ktime_get_ns() - begin) / VRAM_LOOKS;
}

static void vram_measure(struct kunit *test, struct amdm_device *adev, u32 count, struct vram_cost *cost)
{
	struct amdm_vram_alloc **keep = kvcalloc(2 * count, sizeof(*keep), GFP_KERNEL), *all;
	u64 begin;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, keep);
	for (i = 0; i < 2 * count; i++) {
		keep[i] = amdm_vram_alloc(adev, PAGE_SIZE, PAGE_SIZE, true);
		cond_resched();
	}
	for (i = 0; i < 2 * count; i += 2) {
		amdm_vram_free(adev, keep[i]);
		keep[i] = NULL;
	}
	begin = ktime_get_ns();
	all = amdm_vram_alloc(adev, (u64)count << PAGE_SHIFT, PAGE_SIZE, false);
	cost->make = (ktime_get_ns() - begin) / count;
	KUNIT_EXPECT_FALSE(test, IS_ERR(all));
	if (!IS_ERR(all))
		cost->look = vram_look_all_over(all);
	begin = ktime_get_ns();
	amdm_vram_free(adev, all);
	cost->free = (ktime_get_ns() - begin) / count;
	for (i = 0; i < 2 * count; i++)
		amdm_vram_free(adev, keep[i]);
	kvfree(keep);
}

static void vram_measure_fresh(struct kunit *test, struct amdm_device *adev, u32 count, struct vram_cost *cost)
{
	amdm_vram_init(adev, 2ULL * count << PAGE_SHIFT);
	vram_measure(test, adev, count, cost);
	amdm_vram_fini(adev);
}

/* What would look at each of them would cost 32 times as much; misses of an emulated CPU's TLB cost some microseconds as it is. */
static bool vram_costs_as_few(u64 many, u64 few)
{
	return many < 16 * few + 2500;
}

static void vram_keep_least(struct vram_cost *least, const struct vram_cost *cost)
{
	least->make = min(least->make, cost->make);
	least->look = min(least->look, cost->look);
	least->free = min(least->free, cost->free);
}

/*
 * 32 times the pieces: what is done for each may cost a few times as much (caches, deeper trees), not 32 times. A busy host takes its time
 * away from any measurement, and never gives any: the least of several counts.
 */
static void many_pieces_cost_as_few(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);
	struct vram_cost few = { ~0ull, ~0ull, ~0ull }, many = few, cost;
	bool good = false;
	u32 tries;

	KUNIT_ASSERT_NOT_NULL(test, adev);
	for (tries = 0; !good && tries < 8; tries++) {
		vram_measure_fresh(test, adev, VRAM_FEW, &cost);
		vram_keep_least(&few, &cost);
		vram_measure_fresh(test, adev, VRAM_MANY, &cost);
		vram_keep_least(&many, &cost);
		kunit_info(test, "least ns a piece, few/many: make %llu/%llu, look up %llu/%llu, free %llu/%llu\n", few.make, many.make,
			   few.look, many.look, few.free, many.free);
		good = vram_costs_as_few(many.make, few.make) && vram_costs_as_few(many.look, few.look) &&
		       vram_costs_as_few(many.free, few.free);
	}
	KUNIT_EXPECT_TRUE(test, good);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sizes),
	KUNIT_CASE(an_alignment),
	KUNIT_CASE(pieces),
	KUNIT_CASE(it_changes_hands_clean),
	KUNIT_CASE(pages_go_when_the_chip_has_let_go),
	KUNIT_CASE(a_page),
	KUNIT_CASE(without_memory),
	KUNIT_CASE(many_pieces_cost_as_few),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_vram", .init = vram_setup, .exit = vram_teardown, .test_cases = cases };
kunit_test_suite(suite);
