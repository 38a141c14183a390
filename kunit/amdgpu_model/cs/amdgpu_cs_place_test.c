// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_cs_place_test.c - a job's buffers come to where it can use them, those of its address space that have strayed first, and as long
 * as there is a budget.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/cs/amdgpu_cs.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

#define BUFFERS	4

static struct {
	struct amdm_bo *order[16];	/* as they were placed */
	u64 before[16];
	bool may_move[16];
	u32 placed, touched, puts;
	u64 now, allowance, spent, moves;
	int answer, answer_at;
	struct amdm_bo *unusable;
} place_seen;

static u64 place_fake_now(struct amdm_device *adev)
{
	return ++place_seen.now;
}

static void place_fake_touch(struct amdm_bo *bo)
{
	bo->used_at = ++place_seen.now;
	place_seen.touched++;
}

static int place_fake_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move);

static bool place_fake_is_usable(const struct amdm_bo *bo)
{
	return bo != place_seen.unusable;
}

static u64 place_fake_allowance(struct amdm_device *adev)
{
	return place_seen.allowance;
}

static void place_fake_spend(struct amdm_device *adev, u64 bytes)
{
	place_seen.spent += bytes;
}

static void place_fake_put(struct drm_gem_object *obj)
{
	place_seen.puts++;
	refcount_dec(&obj->refcount.refcount);
}

#define amdm_evict_now		place_fake_now
#define amdm_evict_touch	place_fake_touch
#define amdm_evict_validate	place_fake_validate
#define amdm_move_is_usable	place_fake_is_usable
#define amdm_move_allowance	place_fake_allowance
#define amdm_move_spend		place_fake_spend
#define drm_gem_object_put	place_fake_put
#define amdm_cs_place		tested_cs_place
#define amdm_cs_is_placed	tested_cs_is_placed
int tested_cs_place(struct amdm_cs *cs);
bool tested_cs_is_placed(struct amdm_cs *cs);
#include "amdgpu_model/cs/amdgpu_cs_place.c"

struct place_bed {
	struct amdm_device adev;
	struct amdm_vm vm;
	struct amdm_bo bo[BUFFERS], stray[2];
	struct drm_gem_object *objs[BUFFERS + 1];
	struct amdm_cs cs;
};

static struct place_bed *place_bed;

/* Each move costs as much as @moves says. */
static int place_fake_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move)
{
	u32 n = place_seen.placed++;

	place_seen.order[n] = bo;
	place_seen.before[n] = who->before;
	place_seen.may_move[n] = may_move;
	if (may_move)
		atomic64_add(place_seen.moves, &place_bed->adev.placement.moved);
	return place_seen.answer && n == place_seen.answer_at ? place_seen.answer : 0;
}

static int place_setup(struct kunit *test)
{
	struct place_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	place_bed = bed;
	test->priv = bed;
	memset(&place_seen, 0, sizeof(place_seen));
	place_seen.now = 100;
	place_seen.allowance = 1 << 20;
	spin_lock_init(&bed->adev.placement.lock);
	INIT_LIST_HEAD(&bed->vm.strays);
	for (i = 0; i < BUFFERS; i++) {
		kref_init(&bed->bo[i].base.refcount);
		bed->objs[i + 1] = &bed->bo[i].base;
	}
	for (i = 0; i < ARRAY_SIZE(bed->stray); i++)
		kref_init(&bed->stray[i].base.refcount);
	bed->objs[0] = &bed->vm.root_obj;
	bed->cs = (struct amdm_cs){ .adev = &bed->adev, .vm = &bed->vm, .objs = bed->objs, .num_objs = BUFFERS + 1 };
	return 0;
}

static void all_are_placed_in_order(struct kunit *test)
{
	struct place_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), 0);
	KUNIT_EXPECT_EQ(test, place_seen.placed, (u32)BUFFERS);	/* not the address space's own object */
	for (i = 0; i < BUFFERS; i++) {
		KUNIT_EXPECT_PTR_EQ(test, place_seen.order[i], &bed->bo[i]);
		KUNIT_EXPECT_TRUE(test, place_seen.may_move[i]);
		KUNIT_EXPECT_GT(test, bed->bo[i].used_at, place_seen.before[i]);	/* what the job uses does not go for it */
	}
	KUNIT_EXPECT_GT(test, bed->vm.used_at, place_seen.before[0]);
}

static void strays_come_first_and_once(struct kunit *test)
{
	struct place_bed *bed = test->priv;

	list_add_tail(&bed->stray[0].stray, &bed->vm.strays);
	list_add_tail(&bed->stray[1].stray, &bed->vm.strays);
	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), 0);
	KUNIT_EXPECT_EQ(test, place_seen.placed, BUFFERS + 2u);
	KUNIT_EXPECT_PTR_EQ(test, place_seen.order[0], &bed->stray[0]);
	KUNIT_EXPECT_PTR_EQ(test, place_seen.order[1], &bed->stray[1]);
	KUNIT_EXPECT_EQ(test, place_seen.puts, 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->stray[0].base.refcount), 1u);
}

static void a_stray_that_is_being_freed(struct kunit *test)
{
	struct place_bed *bed = test->priv;

	refcount_set(&bed->stray[0].base.refcount.refcount, 0);
	list_add_tail(&bed->stray[0].stray, &bed->vm.strays);
	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), 0);
	KUNIT_EXPECT_EQ(test, place_seen.placed, (u32)BUFFERS);
	place_seen.unusable = &bed->stray[0];
	KUNIT_EXPECT_TRUE(test, amdm_cs_is_placed(&bed->cs));	/* the job does not wait for it */
}

/* amdgpu_cs_bo_validate: when the budget for moves is used up, buffers stay where they are if the job can use them there */
static void a_budget_ends(struct kunit *test)
{
	struct place_bed *bed = test->priv;
	u32 i;

	place_seen.allowance = 3 << 12;
	place_seen.moves = 2 << 12;
	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), 0);
	for (i = 0; i < BUFFERS; i++)
		KUNIT_EXPECT_EQ(test, place_seen.may_move[i], i < 2);
	KUNIT_EXPECT_EQ(test, place_seen.spent, 4ULL << 12);
}

static void an_error_ends_it(struct kunit *test)
{
	struct place_bed *bed = test->priv;

	place_seen.answer = -ERESTARTSYS;
	place_seen.answer_at = 1;
	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, place_seen.placed, 2u);
	place_seen.answer_at = 0;
	place_seen.placed = 0;
	list_add_tail(&bed->stray[0].stray, &bed->vm.strays);
	KUNIT_EXPECT_EQ(test, amdm_cs_place(&bed->cs), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, place_seen.placed, 1u);
	KUNIT_EXPECT_EQ(test, place_seen.puts, 1u);
}

static void one_that_has_gone_again(struct kunit *test)
{
	struct place_bed *bed = test->priv;

	KUNIT_EXPECT_TRUE(test, amdm_cs_is_placed(&bed->cs));
	place_seen.unusable = &bed->bo[3];
	KUNIT_EXPECT_FALSE(test, amdm_cs_is_placed(&bed->cs));
	place_seen.unusable = &bed->stray[0];
	KUNIT_EXPECT_TRUE(test, amdm_cs_is_placed(&bed->cs));
	list_add_tail(&bed->stray[0].stray, &bed->vm.strays);
	KUNIT_EXPECT_FALSE(test, amdm_cs_is_placed(&bed->cs));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_are_placed_in_order),
	KUNIT_CASE(strays_come_first_and_once),
	KUNIT_CASE(a_stray_that_is_being_freed),
	KUNIT_CASE(a_budget_ends),
	KUNIT_CASE(an_error_ends_it),
	KUNIT_CASE(one_that_has_gone_again),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_cs_place", .init = place_setup, .test_cases = cases };
kunit_test_suite(suite);
