// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_evict_kfd_test.c - buffers of KFD's processes: which queues are off the hardware, what comes back before they go on.
 */
#include <kunit/test.h>

#include "amdgpu_model/mem/amdgpu_evict_kfd.c"

#define BUFFERS	3

static struct {
	struct amdm_bo *order[8];
	u32 validated;
	struct amdm_evict_who who;
	bool may_move;
	int answer;
	struct amdm_bo *goes_again;	/* while the last one is brought back */
} kfd_seen;

u64 amdm_evict_now(struct amdm_device *adev)
{
	return ++adev->placement.clock;
}

void amdm_evict_touch(struct amdm_bo *bo)
{
	bo->used_at = ++amdm_bo_device(bo)->placement.clock;
}

bool amdm_move_is_usable(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_CPU;
}

bool amdm_move_is_wanted(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_VRAM;
}

int amdm_evict_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move)
{
	WARN_ON(rwsem_is_locked(&amdm_bo_device(bo)->placement.sem) || kref_read(&bo->base.refcount) != 2);
	kfd_seen.order[kfd_seen.validated++] = bo;
	kfd_seen.who = *who;
	kfd_seen.may_move = may_move;
	if (kfd_seen.answer)
		return kfd_seen.answer;
	bo->kind = AMDM_VRAM;
	if (kfd_seen.goes_again)
		kfd_seen.goes_again->kind = AMDM_CPU;
	return 0;
}

struct kfd_bed {
	struct amdm_device adev;
	struct amdm_vm vm, other, of_jobs;
	struct amdm_bo bo[BUFFERS];
	struct amdm_mapping mapping[BUFFERS];
};

/* Three buffers of a process, outside of VRAM, each mapped at its own page */
static int kfd_setup(struct kunit *test)
{
	struct kfd_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&kfd_seen, 0, sizeof(kfd_seen));
	init_rwsem(&bed->adev.placement.sem);
	init_waitqueue_head(&bed->adev.placement.left);
	bed->adev.placement.clock = 10;
	mutex_init(&bed->vm.lock);
	bed->vm.adev = &bed->adev;
	bed->vm.va = RB_ROOT_CACHED;
	bed->vm.mm = (struct mm_struct *)&bed->vm;	/* only a name here */
	bed->other.mm = (struct mm_struct *)&bed->other;
	for (i = 0; i < BUFFERS; i++) {
		struct amdm_bo *bo = &bed->bo[i];

		kref_init(&bo->base.refcount);
		bo->base.dev = &bed->adev.ddev;
		bo->kind = AMDM_GTT;
		INIT_LIST_HEAD(&bo->mappings);
		bed->mapping[i] = (struct amdm_mapping){
			.node = { .start = 2 * i, .last = 2 * i }, .vm = &bed->vm, .bo = bo, .owner = bed,
		};
		list_add_tail(&bed->mapping[i].of_bo, &bo->mappings);
		interval_tree_insert(&bed->mapping[i].node, &bed->vm.va);
	}
	return 0;
}

static void kfd_teardown(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->vm.lock));
	for (i = 0; i < BUFFERS; i++)
		KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[i].base.refcount), 1u);
}

static void who_has_left_is_told(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(&bed->adev.placement.left, &wait);
	amdm_kgd_vm_evicted(&bed->adev, &bed->vm);
	KUNIT_EXPECT_TRUE(test, bed->vm.queues_off);
	KUNIT_EXPECT_EQ(test, bed->adev.placement.departures, 1u);
	remove_wait_queue(&bed->adev.placement.left, &wait);
	KUNIT_EXPECT_TRUE(test, wait.flags & WQ_FLAG_WOKEN);
}

static void all_come_back(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	u32 i;

	bed->vm.queues_off = true;
	bed->bo[1].kind = AMDM_VRAM;	/* is there */
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), 0);
	KUNIT_EXPECT_FALSE(test, bed->vm.queues_off);
	KUNIT_ASSERT_EQ(test, kfd_seen.validated, 2u);
	KUNIT_EXPECT_PTR_EQ(test, kfd_seen.order[0], &bed->bo[0]);
	KUNIT_EXPECT_PTR_EQ(test, kfd_seen.order[1], &bed->bo[2]);
	/* A restore takes no other process's place, and waits for no job without end: a reset waits for it. */
	KUNIT_EXPECT_TRUE(test, kfd_seen.who.kfd_stays && kfd_seen.may_move);
	KUNIT_EXPECT_GT(test, kfd_seen.who.patience, 0ul);
	for (i = 0; i < BUFFERS; i += 2)
		KUNIT_EXPECT_GT(test, bed->bo[i].used_at, kfd_seen.who.before);	/* none goes for another of them */
}

/* What GEM_VA has mapped beside KFD's is the queues' too (since KFD 1.15). */
static void buffers_of_gem_va(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	bed->vm.queues_off = true;
	bed->mapping[0].owner = NULL;
	bed->bo[0].kind = AMDM_CPU;
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), 0);
	KUNIT_EXPECT_EQ(test, kfd_seen.validated, 3u);
	KUNIT_EXPECT_FALSE(test, bed->vm.queues_off);
}

/* One that stays where it can be used, for lack of room, is looked at once. */
static void gtt_is_good_enough(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	bed->vm.queues_off = true;
	bed->bo[0].used_at = bed->bo[1].used_at = ~0ULL;	/* looked at */
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), 0);
	KUNIT_EXPECT_EQ(test, kfd_seen.validated, 1u);
	KUNIT_EXPECT_FALSE(test, bed->vm.queues_off);
}

static void queues_stay_off(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	bed->vm.queues_off = true;
	kfd_seen.answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), -ENOMEM);
	KUNIT_EXPECT_TRUE(test, bed->vm.queues_off);
	KUNIT_EXPECT_EQ(test, kfd_seen.validated, 1u);
	/* One that came back has gone again: another time. */
	kfd_seen.answer = 0;
	kfd_seen.goes_again = &bed->bo[0];
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), -EAGAIN);
	KUNIT_EXPECT_TRUE(test, bed->vm.queues_off);
	kfd_seen.goes_again = NULL;
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_restore(&bed->adev, &bed->vm), 0);
	KUNIT_EXPECT_FALSE(test, bed->vm.queues_off);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(who_has_left_is_told),
	KUNIT_CASE(all_come_back),
	KUNIT_CASE(buffers_of_gem_va),
	KUNIT_CASE(gtt_is_good_enough),
	KUNIT_CASE(queues_stay_off),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_evict_kfd", .init = kfd_setup, .exit = kfd_teardown, .test_cases = cases };
kunit_test_suite(suite);
