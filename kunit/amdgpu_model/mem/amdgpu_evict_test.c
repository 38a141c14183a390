// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_evict_test.c - which buffers are evicted for which, where to, what is waited for, and when the search for room ends.
 */
#include <kunit/test.h>
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include "kunit/user_memory.h"
#include "kunit/amdgpu_model/ring/fake_fence.h"
#include "amdgpu_model/mem/amdgpu_evict.c"

#define MIB	(1ULL << 20)
#define BUFFERS	4

struct evict_bed {
	struct amdm_device adev;
	struct amdm_vm vm;
	struct amdm_bo bo[BUFFERS];
	struct amdm_mapping mapping;
	struct dma_fence fence;
	struct delayed_work later;
	void (*what)(struct evict_bed *bed);
};

/* What there is of memory, and what has been asked of others */
static struct {
	u64 vram_left, gtt_left;
	u32 vram_asked, asked_kfd, moves, vrams, cleared;
	struct amdm_bo *moved[16];
	struct mm_struct *asked[4];
	int move_answer;
	bool leaves;		/* KFD's queues do, when asked */
	bool others_use;	/* others use buffers all the time */
} evict_seen;

struct amdm_vram_alloc *amdm_vram_alloc(struct amdm_device *adev, u64 size, u64 align, bool contiguous)
{
	struct amdm_vram_alloc *vram;

	evict_seen.vram_asked++;
	if (evict_seen.others_use)
		adev->placement.clock += 10;
	if (size > evict_seen.vram_left)
		return ERR_PTR(-ENOSPC);
	vram = kzalloc(sizeof(*vram), GFP_KERNEL);
	vram->size = size;
	evict_seen.vram_left -= size;
	evict_seen.vrams++;
	return vram;
}

void amdm_vram_clear(struct amdm_device *adev, const struct amdm_vram_alloc *vram)
{
	evict_seen.cleared++;
}

void amdm_vram_free(struct amdm_device *adev, struct amdm_vram_alloc *vram)
{
	evict_seen.vram_left += vram->size;
	evict_seen.vrams--;
	kfree(vram);
}

u64 amdm_vram_used(struct amdm_device *adev)
{
	return adev->vram.size - evict_seen.vram_left;
}

u64 amdm_gtt_size(void)
{
	return 64 * MIB;
}

u64 amdm_gtt_left(struct amdm_device *adev)
{
	return evict_seen.gtt_left;
}

u32 amdm_glue_slow_factor(void)
{
	return evict_seen.leaves;
}

bool amdm_move_is_usable(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_CPU;
}

bool amdm_move_is_wanted(const struct amdm_bo *bo)
{
	return bo->kind != (bo->domains & AMDGPU_GEM_DOMAIN_VRAM ? AMDM_VRAM : AMDM_GTT);
}

int amdm_move(struct amdm_bo *bo, enum amdm_kind kind, struct amdm_vram_alloc *vram)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	WARN_ON(!rwsem_is_locked(&adev->placement.sem));
	if (evict_seen.move_answer)
		return evict_seen.move_answer;
	if (bo->kind == AMDM_VRAM)
		evict_seen.vram_left += bo->base.size;
	if (bo->kind == AMDM_GTT)
		evict_seen.gtt_left += bo->base.size;
	if (kind == AMDM_GTT)
		evict_seen.gtt_left -= bo->base.size;
	if (vram) {
		evict_seen.vrams--;
		kfree(vram);
	}
	spin_lock(&adev->placement.lock);
	bo->kind = kind;
	list_del_init(&bo->place);
	if (kind < AMDM_PLACES)
		list_add_tail(&bo->place, &adev->placement.in[kind]);
	spin_unlock(&adev->placement.lock);
	evict_seen.moved[evict_seen.moves++] = bo;
	return 0;
}

void amdm_kfd_evict_and_restore(struct amdm_device *adev, struct mm_struct *mm)
{
	struct evict_bed *bed = container_of(adev, struct evict_bed, adev);

	evict_seen.asked[evict_seen.asked_kfd++ % ARRAY_SIZE(evict_seen.asked)] = mm;
	if (!evict_seen.leaves)
		return;
	bed->vm.queues_off = true;
	WRITE_ONCE(adev->placement.departures, adev->placement.departures + 1);
	wake_up_all(&adev->placement.left);
}

static void do_later(struct work_struct *work)
{
	struct evict_bed *bed = container_of(work, struct evict_bed, later.work);

	bed->what(bed);
}

/* Four buffers of 4 MiB fill a VRAM of 16; the first is the longest unused. */
static int evict_setup(struct kunit *test)
{
	struct evict_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&evict_seen, 0, sizeof(evict_seen));
	evict_seen.gtt_left = 64 * MIB;
	amdm_evict_init(&bed->adev);
	bed->adev.vram.size = BUFFERS * 4 * MIB;
	INIT_DELAYED_WORK(&bed->later, do_later);
	fake_fence_init(&bed->fence);
	bed->mapping = (struct amdm_mapping){ .vm = &bed->vm, .bo = &bed->bo[0], .owner = bed };
	for (i = 0; i < BUFFERS; i++) {
		struct amdm_bo *bo = &bed->bo[i];

		kref_init(&bo->base.refcount);
		bo->base.dev = &bed->adev.ddev;
		bo->base.size = 4 * MIB;
		bo->base.resv = &bo->base._resv;
		dma_resv_init(bo->base.resv);
		bo->kind = AMDM_VRAM;
		bo->domains = AMDGPU_GEM_DOMAIN_VRAM;
		INIT_LIST_HEAD(&bo->place);
		INIT_LIST_HEAD(&bo->stray);
		INIT_LIST_HEAD(&bo->mappings);
		amdm_evict_touch(bo);
	}
	return 0;
}

/* References to the buffers that were examined are dropped, and no lock is held. */
static void evict_teardown(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	u32 i;

	flush_delayed_work(&bed->later);
	dma_fence_signal(&bed->fence);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	for (i = 0; i < BUFFERS; i++) {
		KUNIT_EXPECT_EQ_MSG(test, kref_read(&bed->bo[i].base.refcount), 1u, "buffer %u", i);
		dma_resv_fini(&bed->bo[i].base._resv);
	}
	KUNIT_EXPECT_EQ(test, kref_read(&bed->fence.refcount), 1u);
	KUNIT_EXPECT_EQ(test, evict_seen.vrams, 0u);
}

static u32 count(const struct list_head *list)
{
	const struct list_head *at;
	u32 n = 0;

	list_for_each(at, list)
		n++;
	return n;
}

static struct amdm_evict_who anybody(struct evict_bed *bed)
{
	return (struct amdm_evict_who){ .before = amdm_evict_now(&bed->adev) };
}

static int want(struct evict_bed *bed, u64 size, const struct amdm_evict_who *who)
{
	struct amdm_vram_alloc *vram = amdm_evict_vram(&bed->adev, size, PAGE_SIZE, who);

	if (IS_ERR(vram))
		return PTR_ERR(vram);
	amdm_vram_free(&bed->adev, vram);
	return 0;
}

static void busy(struct kunit *test, struct amdm_bo *bo, struct dma_fence *fence)
{
	KUNIT_ASSERT_EQ(test, dma_resv_lock(bo->base.resv, NULL), 0);
	KUNIT_ASSERT_EQ(test, dma_resv_reserve_fences(bo->base.resv, 1), 0);
	dma_resv_add_fence(bo->base.resv, fence, DMA_RESV_USAGE_WRITE);
	dma_resv_unlock(bo->base.resv);
}

static void used_and_forgotten(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct list_head *vram = &bed->adev.placement.in[AMDM_VRAM];
	u64 before = amdm_evict_now(&bed->adev);

	KUNIT_EXPECT_LT(test, bed->bo[0].used_at, bed->bo[1].used_at);
	amdm_evict_touch(&bed->bo[0]);
	KUNIT_EXPECT_GT(test, bed->bo[0].used_at, before);
	KUNIT_EXPECT_EQ(test, count(vram), (u32)BUFFERS);	/* each is there once */
	amdm_evict_forget(&bed->bo[0]);
	amdm_evict_forget(&bed->bo[0]);
	KUNIT_EXPECT_EQ(test, count(vram), BUFFERS - 1u);
	bed->bo[0].kind = AMDM_DOORBELL;	/* does not move: is in no list */
	amdm_evict_touch(&bed->bo[0]);
	KUNIT_EXPECT_TRUE(test, list_empty(&bed->bo[0].place));
}

static void the_longest_unused_goes_first(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who;

	amdm_evict_touch(&bed->bo[0]);
	who = anybody(bed);
	amdm_evict_touch(&bed->bo[3]);	/* later than the asking: stays */
	KUNIT_EXPECT_EQ(test, want(bed, 8 * MIB, &who), 0);
	KUNIT_ASSERT_EQ(test, evict_seen.moves, 2u);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[1]);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[1], &bed->bo[2]);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.placement.evictions), 2LL);
	KUNIT_EXPECT_EQ(test, want(bed, 16 * MIB, &who), -ENOMEM);
	KUNIT_EXPECT_EQ(test, evict_seen.moves, 3u);
	KUNIT_EXPECT_EQ(test, bed->bo[3].kind, AMDM_VRAM);
}

/* An always-valid buffer is used by each job of its address space. */
static void always_valid_buffers(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who;

	bed->bo[0].vm = &bed->vm;
	bed->vm.used_at = bed->bo[2].used_at;
	who = anybody(bed);
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[1]);
}

static void what_does_not_fit_at_all(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	KUNIT_EXPECT_EQ(test, want(bed, 16 * MIB + 1, &who), -ENOMEM);
	KUNIT_EXPECT_EQ(test, want(bed, ~0ULL, &who), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_evict_gtt(&bed->adev, 64 * MIB + 1, &who), -ENOMEM);
	KUNIT_EXPECT_EQ(test, evict_seen.moves + evict_seen.vram_asked, 0u);
}

/* Mapped by the kernel, handed to another driver, KFD's if that is to stay, one's own */
static void who_does_not_go(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who;

	bed->bo[0].kmap_count = 1;
	atomic_set(&bed->bo[1].pins, 1);
	list_add(&bed->mapping.of_bo, &bed->bo[2].mappings);
	bed->vm.queues_off = true;
	bed->vm.mm = user_mm;
	who = anybody(bed);
	who.kfd_stays = true;
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[3]);
	KUNIT_EXPECT_EQ(test, want(bed, 8 * MIB, &who), -ENOMEM);
	who.kfd_stays = false;
	kthread_use_mm(user_mm);
	KUNIT_EXPECT_EQ(test, want(bed, 8 * MIB, &who), -ENOMEM);
	kthread_unuse_mm(user_mm);
	KUNIT_EXPECT_EQ(test, want(bed, 8 * MIB, &who), 0);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[1], &bed->bo[2]);
	KUNIT_EXPECT_EQ(test, want(bed, 12 * MIB, &who), -ENOMEM);
}

static void where_to(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	evict_seen.gtt_left = 4 * MIB;
	KUNIT_EXPECT_EQ(test, want(bed, 8 * MIB, &who), 0);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_GTT);
	KUNIT_EXPECT_EQ(test, bed->bo[1].kind, AMDM_CPU);
	KUNIT_EXPECT_EQ(test, amdm_evict_gtt(&bed->adev, 4 * MIB, &who), 0);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_CPU);
	KUNIT_EXPECT_EQ(test, amdm_evict_gtt(&bed->adev, 8 * MIB, &who), -ENOMEM);	/* no buffer is left in GTT */
}

/* Its jobs do not end in the time that there is: it is somebody else's turn. */
static void a_busy_one_stays_if_there_is_no_time(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	busy(test, &bed->bo[0], &bed->fence);
	who.patience = 1;
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[1]);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_VRAM);
	KUNIT_EXPECT_GT(test, bed->bo[0].used_at, who.before);
}

static void signal_later(struct evict_bed *bed)
{
	dma_fence_signal(&bed->fence);
}

static void a_busy_one_is_waited_for(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	busy(test, &bed->bo[0], &bed->fence);
	bed->what = signal_later;
	schedule_delayed_work(&bed->later, HZ / 20);
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[0]);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(&bed->fence));
}

static void queues_of_kfd_leave(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	list_add(&bed->mapping.of_bo, &bed->bo[0].mappings);
	KUNIT_EXPECT_TRUE(test, amdm_evict_kfd_running(&bed->bo[0]));
	evict_seen.leaves = true;
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_EQ(test, evict_seen.asked_kfd, 1u);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[0]);
	KUNIT_EXPECT_FALSE(test, amdm_evict_kfd_running(&bed->bo[0]));
	bed->mapping.owner = NULL;	/* of a job: its fences tell */
	bed->vm.queues_off = false;
	KUNIT_EXPECT_FALSE(test, amdm_evict_kfd_running(&bed->bo[0]));
}

static void queues_of_kfd_that_do_not_leave(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	list_add(&bed->mapping.of_bo, &bed->bo[0].mappings);
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_EQ(test, evict_seen.asked_kfd, 1u);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.moved[0], &bed->bo[1]);
}

static void a_move_that_fails(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);

	evict_seen.move_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_evict_all(&bed->adev, AMDM_VRAM), -ENOMEM);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.placement.evictions), 0LL);
}

static void free_later(struct evict_bed *bed)
{
	amdm_evict_forget(&bed->bo[0]);
	evict_seen.vram_left += 4 * MIB;
}

/* One that is being freed gives its room by itself; it is not touched any more. */
static void one_that_goes_by_itself(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_evict_who who = anybody(bed);
	u32 i;

	for (i = 1; i < BUFFERS; i++)
		atomic_set(&bed->bo[i].pins, 1);
	refcount_set(&bed->bo[0].base.refcount.refcount, 0);
	bed->what = free_later;
	schedule_delayed_work(&bed->later, HZ / 20);
	KUNIT_EXPECT_EQ(test, want(bed, 4 * MIB, &who), 0);
	KUNIT_EXPECT_EQ(test, evict_seen.moves, 0u);
	refcount_set(&bed->bo[0].base.refcount.refcount, 1);
}

static void a_new_buffer_asks_again(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < BUFFERS; i++)
		atomic_set(&bed->bo[i].pins, 1);
	/* Without a change the request is repeated once. */
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_evict_vram_for_new(&bed->adev, 4 * MIB, PAGE_SIZE)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, evict_seen.vram_asked, 2u);
	evict_seen.vram_asked = 0;
	evict_seen.others_use = true;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_evict_vram_for_new(&bed->adev, 4 * MIB, PAGE_SIZE)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, evict_seen.vram_asked, 16u);
	evict_seen.gtt_left = 0;
	KUNIT_EXPECT_EQ(test, amdm_evict_gtt_for_new(&bed->adev, 4 * MIB), -ENOMEM);
	evict_seen.gtt_left = 4 * MIB;
	KUNIT_EXPECT_EQ(test, amdm_evict_gtt_for_new(&bed->adev, 4 * MIB), 0);
}

static void a_place_is_emptied(struct kunit *test)
{
	struct evict_bed *bed = test->priv;

	atomic_set(&bed->bo[2].pins, 1);
	KUNIT_EXPECT_EQ(test, amdm_evict_all(&bed->adev, AMDM_VRAM), 0);
	KUNIT_EXPECT_EQ(test, evict_seen.moves, 3u);
	KUNIT_EXPECT_EQ(test, bed->bo[2].kind, AMDM_VRAM);
	KUNIT_EXPECT_EQ(test, amdm_evict_all(&bed->adev, AMDM_GTT), 0);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_CPU);
}

/* A reset: every buffer in VRAM is cleared once, in whatever order they have been used, which stays as it was. */
static void vram_is_lost(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_bo *first = list_first_entry(&bed->adev.placement.in[AMDM_VRAM], struct amdm_bo, place);

	amdm_evict_lose(&bed->adev);
	KUNIT_EXPECT_EQ(test, evict_seen.cleared, (u32)BUFFERS);
	KUNIT_EXPECT_PTR_EQ(test, list_first_entry(&bed->adev.placement.in[AMDM_VRAM], struct amdm_bo, place), first);
}

static void room_for_page_tables(struct kunit *test)
{
	struct evict_bed *bed = test->priv;

	KUNIT_EXPECT_TRUE(test, amdm_evict_for_tables(&bed->adev));
	KUNIT_EXPECT_EQ(test, evict_seen.moves, 1u);
	KUNIT_EXPECT_FALSE(test, amdm_evict_for_tables(&bed->adev));	/* 4 MiB are free: that was not it */
	KUNIT_EXPECT_EQ(test, evict_seen.moves, 1u);
	evict_seen.vram_left = 0;
	amdm_evict_all(&bed->adev, AMDM_VRAM);
	evict_seen.vram_left = 0;
	KUNIT_EXPECT_FALSE(test, amdm_evict_for_tables(&bed->adev));
}

static const struct validate_row {
	const char *name;
	enum amdm_kind kind;
	u64 domains;
	bool may_move;
	u64 vram_left, gtt_left;
	int answer;
	enum amdm_kind then;
} validations[] = {
	{ "at home", AMDM_VRAM, AMDGPU_GEM_DOMAIN_VRAM, true, 0, 64 * MIB, 0, AMDM_VRAM },
	{ "home from GTT", AMDM_GTT, AMDGPU_GEM_DOMAIN_VRAM, true, 4 * MIB, 0, 0, AMDM_VRAM },
	{ "GTT will do", AMDM_GTT, AMDGPU_GEM_DOMAIN_VRAM, false, 4 * MIB, 0, 0, AMDM_GTT },
	{ "no room at home", AMDM_GTT, AMDGPU_GEM_DOMAIN_VRAM, true, 0, 0, 0, AMDM_GTT },
	{ "unusable, home", AMDM_CPU, AMDGPU_GEM_DOMAIN_VRAM, false, 4 * MIB, 0, 0, AMDM_VRAM },
	{ "unusable, GTT", AMDM_CPU, AMDGPU_GEM_DOMAIN_VRAM, false, 0, 4 * MIB, 0, AMDM_GTT },
	{ "unusable, no room", AMDM_CPU, AMDGPU_GEM_DOMAIN_VRAM, true, 0, 0, -ENOMEM, AMDM_CPU },
	{ "GTT's own", AMDM_CPU, AMDGPU_GEM_DOMAIN_GTT, true, 64 * MIB, 4 * MIB, 0, AMDM_GTT },
	{ "GTT's own, no room", AMDM_CPU, AMDGPU_GEM_DOMAIN_GTT, true, 64 * MIB, 0, -ENOMEM, AMDM_CPU },
	{ "doorbells", AMDM_DOORBELL, AMDGPU_GEM_DOMAIN_GTT, true, 0, 0, 0, AMDM_DOORBELL },
};

static void row_name(const struct validate_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(validation, validations, row_name);

/* The others stay: they are used later than the asking. */
static void brought_where_it_is_to_be(struct kunit *test)
{
	const struct validate_row *row = test->param_value;
	const struct amdm_evict_who who = { .before = 0 };
	struct evict_bed *bed = test->priv;

	bed->bo[0].kind = row->kind;
	bed->bo[0].domains = row->domains;
	list_del_init(&bed->bo[0].place);
	evict_seen.vram_left = row->vram_left;
	evict_seen.gtt_left = row->gtt_left;
	KUNIT_EXPECT_EQ(test, amdm_evict_validate(&bed->bo[0], &who, row->may_move), row->answer);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, row->then);
}

/* Somebody has taken its pages while there was no lock: the room goes back. */
static void somebody_was_quicker(struct kunit *test)
{
	const struct amdm_evict_who who = { .before = 0 };
	struct evict_bed *bed = test->priv;

	bed->bo[0].kind = AMDM_GTT;
	bed->bo[0].kmap_count = 1;
	evict_seen.vram_left = 4 * MIB;
	KUNIT_EXPECT_EQ(test, amdm_evict_validate(&bed->bo[0], &who, true), 0);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_GTT);
	KUNIT_EXPECT_EQ(test, evict_seen.vram_left, 4 * MIB);
	bed->bo[0].kmap_count = 0;
	evict_seen.move_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, amdm_evict_validate(&bed->bo[0], &who, true), 0);	/* it can be used where it is */
	KUNIT_EXPECT_EQ(test, evict_seen.vram_left, 4 * MIB);
}

/* Its own jobs have to end first. */
static void a_busy_one_is_not_brought_home(struct kunit *test)
{
	struct amdm_evict_who who = { .before = 0, .patience = 1 };
	struct evict_bed *bed = test->priv;

	bed->bo[0].kind = AMDM_GTT;
	evict_seen.vram_left = 4 * MIB;
	busy(test, &bed->bo[0], &bed->fence);
	KUNIT_EXPECT_EQ(test, amdm_evict_validate(&bed->bo[0], &who, true), 0);
	KUNIT_EXPECT_EQ(test, bed->bo[0].kind, AMDM_GTT);
	KUNIT_EXPECT_EQ(test, evict_seen.vram_asked, 0u);
}

/* Each process whose queues may touch it; not one whose queues are off, and not an address space that is used for jobs only. */
static void who_is_asked_to_leave(struct kunit *test)
{
	struct evict_bed *bed = test->priv;
	struct amdm_vm *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL), *of_jobs = kunit_kzalloc(test, sizeof(*of_jobs), GFP_KERNEL);
	struct amdm_mapping second = { .vm = other, .owner = bed }, job = { .vm = of_jobs };

	KUNIT_ASSERT_TRUE(test, other && of_jobs);
	other->mm = (struct mm_struct *)other;		/* only names here */
	bed->vm.mm = (struct mm_struct *)&bed->vm;
	list_add_tail(&bed->mapping.of_bo, &bed->bo[0].mappings);
	list_add_tail(&second.of_bo, &bed->bo[0].mappings);
	list_add_tail(&job.of_bo, &bed->bo[0].mappings);
	evict_ask_kfd(&bed->bo[0]);
	KUNIT_ASSERT_EQ(test, evict_seen.asked_kfd, 2u);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.asked[0], bed->vm.mm);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.asked[1], other->mm);
	bed->vm.queues_off = true;
	evict_ask_kfd(&bed->bo[0]);
	KUNIT_EXPECT_EQ(test, evict_seen.asked_kfd, 3u);
	KUNIT_EXPECT_PTR_EQ(test, evict_seen.asked[2], other->mm);
	INIT_LIST_HEAD(&bed->bo[0].mappings);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(who_is_asked_to_leave),
	KUNIT_CASE(used_and_forgotten),
	KUNIT_CASE(the_longest_unused_goes_first),
	KUNIT_CASE(always_valid_buffers),
	KUNIT_CASE(what_does_not_fit_at_all),
	KUNIT_CASE(who_does_not_go),
	KUNIT_CASE(where_to),
	KUNIT_CASE(a_busy_one_stays_if_there_is_no_time),
	KUNIT_CASE(a_busy_one_is_waited_for),
	KUNIT_CASE(queues_of_kfd_leave),
	KUNIT_CASE(queues_of_kfd_that_do_not_leave),
	KUNIT_CASE(a_move_that_fails),
	KUNIT_CASE(one_that_goes_by_itself),
	KUNIT_CASE(a_new_buffer_asks_again),
	KUNIT_CASE(a_place_is_emptied),
	KUNIT_CASE(vram_is_lost),
	KUNIT_CASE(room_for_page_tables),
	KUNIT_CASE_PARAM(brought_where_it_is_to_be, validation_gen_params),
	KUNIT_CASE(somebody_was_quicker),
	KUNIT_CASE(a_busy_one_is_not_brought_home),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_evict",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = evict_setup,
	.exit = evict_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
