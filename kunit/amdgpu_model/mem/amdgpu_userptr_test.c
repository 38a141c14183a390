// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_userptr_test.c - USERPTR memory: pages come when the GPU touches them, go when the process unmaps them, are never
 * written against their protection, and are released when the process has ended.
 */
#include <linux/sched/mm.h>

#include "kunit/fail_nth.h"
#include "kunit/kfd_model/user_space.h"
#include "real_memory.h"

#define mmget_not_zero	user_fake_mmget
static bool user_fake_mmget(struct mm_struct *mm);
#include "amdgpu_model/mem/amdgpu_userptr.c"

#define PAGES	4
#define BYTES	(PAGES * PAGE_SIZE)

struct user_bed {
	struct amdm_device adev;
	struct amdm_userptr *user;
	u64 at;		/* of the process */
};

static struct {
	bool process_ended;
	u32 kicks, invalidations, endings;
} user_seen;

static bool user_fake_mmget(struct mm_struct *mm)
{
	return !user_seen.process_ended && atomic_inc_not_zero(&mm->mm_users);
}

void amdm_glue_kick(struct amdm_device *adev)
{
	user_seen.kicks++;
}

void amdm_kfd_userptr_invalidated(struct amdm_device *adev, struct mm_struct *mm)
{
	user_seen.invalidations += mm == user_mm;
}

void amdm_kfd_mm_ending(struct amdm_device *adev, struct mm_struct *mm)
{
	user_seen.endings++;
}

/* Fresh pages, never touched. */
static void remap(struct kunit *test, u64 at, u64 bytes, int protection)
{
	KUNIT_ASSERT_EQ(test, (u64)vm_mmap(NULL, at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0), at);
}

/* Whoever writes a page may be given its neighbours too (User-Mode Linux does so): here these count as untouched. */
static void forget(struct kunit *test, u32 page, u32 pages)
{
	struct user_bed *bed = test->priv;

	remap(test, bed->at + page * PAGE_SIZE, pages * PAGE_SIZE, PROT_READ | PROT_WRITE);
}

static int user_setup(struct kunit *test)
{
	struct user_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&user_seen, 0, sizeof(user_seen));
	real_memory_init(&bed->adev, 1 << 20);
	bed->adev.userptr_wq = alloc_workqueue("userptr", WQ_UNBOUND, AMDM_USERPTR_WORKERS);
	if (!bed->adev.userptr_wq)
		return -ENOMEM;
	user_space_begin(test);
	bed->at = vm_mmap(NULL, 0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE((unsigned long)bed->at))
		return -ENOMEM;
	bed->user = amdm_userptr_create(&bed->adev, bed->at, BYTES, false);
	return PTR_ERR_OR_ZERO(bed->user);
}

static void user_teardown(struct kunit *test)
{
	struct user_bed *bed = test->priv;

	amdm_userptr_destroy(bed->user);
	destroy_workqueue(bed->adev.userptr_wq);
	user_space_again();
	if (!IS_ERR_VALUE((unsigned long)bed->at))
		vm_munmap(bed->at, BYTES);
	user_space_end();
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.user_pages), 0LL);
	real_memory_fini(test, &bed->adev);
}

/* The GPU touches a page; NULL: not yet, or never (see @ret). */
static u64 *touch(struct user_bed *bed, struct amdm_userptr *user, u32 page, bool write, int *ret)
{
	void *host = NULL;

	*ret = amdm_iommu_page(&bed->adev, amdm_userptr_bus(user) + page * PAGE_SIZE, write, &host);
	return *ret ? NULL : host;
}

/* And again when what it asked for has been looked for. */
static u64 *touch_twice(struct kunit *test, struct amdm_userptr *user, u32 page, bool write, int *ret)
{
	struct user_bed *bed = test->priv;

	KUNIT_EXPECT_NULL(test, touch(bed, user, page, write, ret));
	KUNIT_EXPECT_EQ(test, *ret, -EAGAIN);
	flush_work(&user->work);
	return touch(bed, user, page, write, ret);
}

static void store(struct kunit *test, u64 at, u64 value)
{
	KUNIT_ASSERT_EQ(test, put_user(value, (u64 __user *)at), 0);
}

static u64 load(struct kunit *test, u64 at)
{
	u64 value = 0;

	KUNIT_EXPECT_EQ(test, get_user(value, (u64 __user *)at), 0);
	return value;
}

/* A process whose pages come from a file system that never answers (FUSE) does not fill the system's workqueues. */
static void it_has_its_own_queue(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	int ret;

	KUNIT_EXPECT_NULL(test, touch(bed, bed->user, 1, false, &ret));
	flush_workqueue(bed->adev.userptr_wq);
	KUNIT_EXPECT_NOT_NULL(test, touch(bed, bed->user, 1, false, &ret));
}

static void both_see_it(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	u64 *host;
	int ret;

	store(test, bed->at + PAGE_SIZE, 123);
	forget(test, 2, 2);
	host = touch_twice(test, bed->user, 1, true, &ret);
	KUNIT_ASSERT_NOT_NULL(test, host);
	KUNIT_EXPECT_EQ(test, *host, 123ULL);
	*host = 456;
	KUNIT_EXPECT_EQ(test, load(test, bed->at + PAGE_SIZE), 456ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.user_pages), 1LL);
	KUNIT_EXPECT_GT(test, user_seen.kicks, 0u);
}

/* A page that was only read may be the zero page, which is everybody's. */
static void a_copy_on_write(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	u64 *shared = touch_twice(test, bed->user, 2, false, &(int){ 0 }), *own;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, shared);
	KUNIT_EXPECT_EQ(test, *shared, 0ULL);
	own = touch_twice(test, bed->user, 2, true, &ret);
	KUNIT_ASSERT_NOT_NULL(test, own);
	KUNIT_EXPECT_PTR_NE(test, own, shared);
	*own = 7;
	KUNIT_EXPECT_EQ(test, load(test, bed->at + 2 * PAGE_SIZE), 7ULL);
}

static void neighbours_come_along(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	int ret;

	store(test, bed->at, 1);
	store(test, bed->at + 2 * PAGE_SIZE, 3);
	forget(test, 1, 1);
	forget(test, 3, 1);
	KUNIT_EXPECT_NOT_NULL(test, touch_twice(test, bed->user, 0, true, &ret));
	KUNIT_ASSERT_NOT_NULL(test, touch(bed, bed->user, 2, true, &ret));
	KUNIT_EXPECT_EQ(test, *touch(bed, bed->user, 2, true, &ret), 3ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.user_pages), 2LL);	/* not the untouched ones */
	KUNIT_EXPECT_EQ(test, load(test, bed->at + PAGE_SIZE), 0ULL);
}

/* The process takes memory away: out of the table at once, and the chip has let go of it. Then one fault. */
static void memory_goes(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	int ret;

	store(test, bed->at, 1);
	store(test, bed->at + PAGE_SIZE, 2);
	forget(test, 2, 2);
	KUNIT_EXPECT_NOT_NULL(test, touch_twice(test, bed->user, 0, true, &ret));
	real_memory.gone = 0;
	KUNIT_ASSERT_EQ(test, vm_munmap(bed->at, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, real_memory.gone, 1u);
	KUNIT_EXPECT_EQ(test, user_seen.invalidations, 1u);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.user_pages), 1LL);
	KUNIT_EXPECT_NOT_NULL(test, touch(bed, bed->user, 1, true, &ret));	/* the other one stays */
	KUNIT_EXPECT_NULL(test, touch_twice(test, bed->user, 0, false, &ret));
	KUNIT_EXPECT_EQ(test, ret, -EFAULT);
	remap(test, bed->at, PAGE_SIZE, PROT_READ | PROT_WRITE);
	store(test, bed->at, 77);
	KUNIT_EXPECT_EQ(test, *touch_twice(test, bed->user, 0, false, &ret), 77ULL);
	user_seen.invalidations = 0;
	remap(test, bed->at + 3 * PAGE_SIZE, PAGE_SIZE, PROT_READ | PROT_WRITE);	/* the GPU had nothing there */
	KUNIT_EXPECT_EQ(test, user_seen.invalidations, 0u);
}

static void a_readonly_buffer(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	struct amdm_userptr *user = amdm_userptr_create(&bed->adev, bed->at, BYTES, true);
	int ret;

	KUNIT_ASSERT_FALSE(test, IS_ERR(user));
	store(test, bed->at, 5);
	KUNIT_EXPECT_EQ(test, *touch_twice(test, user, 0, false, &ret), 5ULL);
	KUNIT_EXPECT_NULL(test, touch_twice(test, user, 0, true, &ret));
	KUNIT_EXPECT_EQ(test, ret, -EFAULT);
	KUNIT_EXPECT_NOT_NULL(test, touch(bed, user, 0, false, &ret));
	amdm_userptr_destroy(user);
}

/* As a garbage collector's barrier: it is protected now, and is not a little later. */
static void protection_for_a_moment(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	int ret;

	remap(test, bed->at, PAGE_SIZE, PROT_READ);
	KUNIT_EXPECT_NULL(test, touch(bed, bed->user, 0, true, &ret));
	msleep(20);
	remap(test, bed->at, PAGE_SIZE, PROT_READ | PROT_WRITE);
	flush_work(&bed->user->work);
	KUNIT_EXPECT_NOT_NULL(test, touch(bed, bed->user, 0, true, &ret));
}

static void requests(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	struct amdm_userptr *user = bed->user;
	u32 i;

	spin_lock(&bed->adev.iommu.lock);	/* the work waits for it */
	for (i = 0; i < 3; i++)
		userptr_request(user, PAGE_SIZE, true);
	KUNIT_EXPECT_EQ(test, user->num, 1u);
	userptr_request(user, PAGE_SIZE + 8, true);
	KUNIT_EXPECT_EQ(test, user->num, 1u);
	userptr_request(user, PAGE_SIZE, false);
	KUNIT_EXPECT_EQ(test, user->num, 2u);
	user->num = 0;
	for (i = 0; i < 2 * USERPTR_REQUESTS; i++)
		userptr_request(user, i / 2 * PAGE_SIZE % BYTES, i & 1);
	KUNIT_EXPECT_EQ(test, user->num, 8u);	/* two of each page */
	user->num = USERPTR_REQUESTS;
	userptr_request(user, 0, true);
	KUNIT_EXPECT_EQ(test, user->num, (u32)USERPTR_REQUESTS);
	user->num = 0;
	spin_unlock(&bed->adev.iommu.lock);
	flush_work(&user->work);
}

/* The work was about to install the page, or had it as a neighbour. */
static void ask_again(struct user_bed *bed, u32 page)
{
	spin_lock(&bed->adev.iommu.lock);
	userptr_request(bed->user, page * PAGE_SIZE, true);
	spin_unlock(&bed->adev.iommu.lock);
	flush_work(&bed->user->work);
}

/* Waves that are saved write to memory of their own, and find it there again; what they read only is not answered. */
static void the_process_has_ended(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	u64 *kept, *first, *second;
	int ret;
	u32 i;

	store(test, bed->at + 3 * PAGE_SIZE, 1);
	kept = touch_twice(test, bed->user, 3, true, &ret);
	KUNIT_EXPECT_NOT_NULL(test, kept);
	user_seen.process_ended = true;
	KUNIT_EXPECT_NULL(test, touch_twice(test, bed->user, 0, false, &ret));
	KUNIT_EXPECT_EQ(test, ret, -EAGAIN);
	first = touch_twice(test, bed->user, 0, true, &ret);
	second = touch(bed, bed->user, 1, true, &ret);	/* neighbours, too */
	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_NOT_NULL(test, second);
	KUNIT_EXPECT_PTR_NE(test, first, second);
	*first = 2;
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 0, false, &ret), first);
	KUNIT_EXPECT_EQ(test, *first, 2ULL);
	KUNIT_EXPECT_EQ(test, *second, 0ULL);
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 3, true, &ret), kept);	/* what is there still */
	for (i = 0; i < PAGES; i++)
		ask_again(bed, i);
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 0, true, &ret), first);
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 1, true, &ret), second);
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 3, true, &ret), kept);
	KUNIT_EXPECT_EQ(test, load(test, bed->at), 0ULL);
}

/* Forked, and not written since: the page's contents go along. */
static void the_process_has_ended_with_a_page_for_reading(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	u64 *reading, *writing;
	int ret;

	remap(test, bed->at + PAGE_SIZE, PAGE_SIZE, PROT_READ);
	reading = touch_twice(test, bed->user, 1, false, &ret);
	KUNIT_ASSERT_NOT_NULL(test, reading);
	user_seen.process_ended = true;
	writing = touch_twice(test, bed->user, 1, true, &ret);
	KUNIT_ASSERT_NOT_NULL(test, writing);
	KUNIT_EXPECT_PTR_NE(test, writing, reading);
	KUNIT_EXPECT_EQ(test, memcmp(writing, reading, PAGE_SIZE), 0);
	KUNIT_EXPECT_PTR_EQ(test, touch(bed, bed->user, 1, false, &ret), writing);
}

static void what_is_refused(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;
	struct amdm_userptr *user;

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, NOT_USER, PAGE_SIZE, true)), -EFAULT);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, user_page, 2 * PAGE_SIZE, true)), -EFAULT);	/* a hole */
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, PAGE_OFFSET, PAGE_SIZE, true)), -EFAULT);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, bed->at, ~0ULL << 12, true)), -EFAULT);
	remap(test, bed->at + PAGE_SIZE, PAGE_SIZE, PROT_READ);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, bed->at, 2 * PAGE_SIZE, false)), -EPERM);
	user = amdm_userptr_create(adev, bed->at, 2 * PAGE_SIZE, true);
	KUNIT_EXPECT_FALSE(test, IS_ERR(user));
	amdm_userptr_destroy(user);
	remap(test, bed->at + PAGE_SIZE, PAGE_SIZE, PROT_NONE);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_userptr_create(adev, bed->at, 2 * PAGE_SIZE, true)), -EFAULT);
	amdm_userptr_destroy(NULL);
	amdm_userptr_destroy(ERR_PTR(-ENOMEM));
}

static void without_memory(struct kunit *test)
{
	struct user_bed *bed = test->priv;
	int ret, users = atomic_read(&user_mm->mm_count);
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_userptr *user;

		fail_nth_arm(n);
		user = amdm_userptr_create(&bed->adev, bed->at, BYTES, false);
		used = fail_nth_disarm();
		refused += IS_ERR(user);
		KUNIT_EXPECT_TRUE(test, !IS_ERR(user) || user == ERR_PTR(-ENOMEM));
		amdm_userptr_destroy(user);
		KUNIT_EXPECT_EQ(test, atomic_read(&user_mm->mm_count), users);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);
	/* A page that nothing could be allocated for is asked for again; it is no fault. */
	for (n = 1, used = true; used; n++) {
		remap(test, bed->at, BYTES, PROT_READ | PROT_WRITE);
		fail_nth_arm(n);
		amdm_userptr_serve(bed->user, 0, true);
		used = fail_nth_disarm();
		if (!touch(bed, bed->user, 0, true, &ret)) {
			KUNIT_EXPECT_EQ(test, ret, -EAGAIN);
			flush_work(&bed->user->work);
			KUNIT_EXPECT_NOT_NULL(test, touch(bed, bed->user, 0, true, &ret));
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(it_has_its_own_queue),
	KUNIT_CASE(both_see_it),
	KUNIT_CASE(a_copy_on_write),
	KUNIT_CASE(neighbours_come_along),
	KUNIT_CASE(memory_goes),
	KUNIT_CASE(a_readonly_buffer),
	KUNIT_CASE(protection_for_a_moment),
	KUNIT_CASE(requests),
	KUNIT_CASE(the_process_has_ended),
	KUNIT_CASE(the_process_has_ended_with_a_page_for_reading),
	KUNIT_CASE(what_is_refused),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_userptr", .suite_init = user_space_find, .init = user_setup, .exit = user_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
