// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_cs_wait_test.c - waiting for one job, all of them or any, and their ends as syncobjs and files: results, errnos, references.
 */
#include <kunit/test.h>
#include <linux/fdtable.h>

#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include "fake_ctx.h"
#include "amdgpu_model/cs/amdgpu_cs_wait.c"

#define FOREVER		(~0ULL)
#define COMPUTE		AMDGPU_HW_IP_COMPUTE

static int wait_setup(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	if (!adev)
		return -ENOMEM;
	fake_ctx_begin(adev);
	return 0;
}

static void wait_teardown(struct kunit *test)
{
	fake_ctx_end(test);
}

static void moments(struct kunit *test)
{
	const u64 now = ktime_get_ns();
	unsigned long left;

	KUNIT_EXPECT_EQ(test, amdm_timeout(FOREVER), (unsigned long)MAX_SCHEDULE_TIMEOUT);
	KUNIT_EXPECT_EQ(test, amdm_timeout(1ULL << 63), (unsigned long)MAX_SCHEDULE_TIMEOUT);
	KUNIT_EXPECT_EQ(test, amdm_timeout(0), 0ul);
	KUNIT_EXPECT_EQ(test, amdm_timeout(now - 1), 0ul);
	left = amdm_timeout(now + 3600 * NSEC_PER_SEC);
	KUNIT_EXPECT_TRUE(test, left <= 3600 * HZ && left > 3000 * HZ);
	left = amdm_timeout((1ULL << 63) - 1);
	KUNIT_EXPECT_TRUE(test, left > 1ULL << 31 && left < MAX_SCHEDULE_TIMEOUT);
}

static int wait_cs(u32 ctx, u32 ip, u32 ring, u64 number, u64 timeout, union drm_amdgpu_wait_cs *args)
{
	*args = (union drm_amdgpu_wait_cs){ .in = { .ctx_id = ctx, .ip_type = ip, .ring = ring, .handle = number, .timeout = timeout } };
	return amdm_wait_cs_ioctl(NULL, args, &fake_ctx.file);
}

static void one_job(struct kunit *test)
{
	union drm_amdgpu_wait_cs args;

	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, 0, 0, &args), 0);	/* long over */
	KUNIT_EXPECT_EQ(test, args.out.status, 0ULL);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, 2, 0, &args), 0);	/* busy */
	KUNIT_EXPECT_EQ(test, args.out.status, 1ULL);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, 2, ktime_get_ns() + NSEC_PER_MSEC, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 1ULL);
	dma_fence_signal(&fake_ctx.fences[2]);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, 2, FOREVER, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 0ULL);
	dma_fence_set_error(&fake_ctx.fences[3], -ECANCELED);
	dma_fence_signal(&fake_ctx.fences[3]);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, 3, FOREVER, &args), -ECANCELED);
}

static void no_such_job(struct kunit *test)
{
	union drm_amdgpu_wait_cs args;

	KUNIT_EXPECT_EQ(test, wait_cs(2, COMPUTE, 0, 1, 0, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, wait_cs(1, AMDGPU_HW_IP_DMA, 0, 1, 0, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 1, 1, 0, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, wait_cs(1, COMPUTE, 0, FAKE_FENCES + 1, 0, &args), -EINVAL);
}

static unsigned long fences_at;	/* 0: in the page of user memory */

static int wait_fences(struct kunit *test, u32 count, const u64 *numbers, bool all, u64 timeout, union drm_amdgpu_wait_fences *args)
{
	struct drm_amdgpu_fence fences[FAKE_FENCES] = {};
	int ret;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fences) && i < count && numbers; i++)
		fences[i] = (struct drm_amdgpu_fence){ .ctx_id = 1, .ip_type = COMPUTE, .seq_no = numbers[i] };
	KUNIT_ASSERT_TRUE(test, user_write(fences, sizeof(fences)));
	*args = (union drm_amdgpu_wait_fences){ .in = { .fences = fences_at ?: user_page, .fence_count = count, .wait_all = all,
							 .timeout_ns = timeout } };
	kthread_use_mm(user_mm);
	ret = amdm_wait_fences_ioctl(NULL, args, &fake_ctx.file);
	kthread_unuse_mm(user_mm);
	return ret;
}

static void all_of_them(struct kunit *test)
{
	static const u64 numbers[] = { 1, 0, 2 }, unknown[] = { 1, 99 };
	union drm_amdgpu_wait_fences args;

	dma_fence_signal(&fake_ctx.fences[1]);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, numbers, true, 0, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 0u);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 2, unknown, true, FOREVER, &args), -EINVAL);
	dma_fence_signal(&fake_ctx.fences[2]);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, numbers, true, 0, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 1u);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 0, NULL, true, 0, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 1u);
}

/* The first fence has failed, which ends the wait: the second one, which never signals, is not waited for. */
static void one_of_all_fails(struct kunit *test)
{
	static const u64 numbers[] = { 1, 2 };
	union drm_amdgpu_wait_fences args;

	dma_fence_set_error(&fake_ctx.fences[1], -ETIME);
	dma_fence_signal(&fake_ctx.fences[1]);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 2, numbers, true, FOREVER, &args), -ETIME);
}

static void any_of_them(struct kunit *test)
{
	static const u64 pending[] = { 1, 2, 3 }, over[] = { 1, 0, 3 }, unknown[] = { 2, 99 };
	union drm_amdgpu_wait_fences args;

	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, pending, false, 0, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status, 0u);
	KUNIT_EXPECT_EQ(test, args.out.first_signaled, ~0u);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, over, false, FOREVER, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status << 8 | args.out.first_signaled, 0x101u);
	dma_fence_signal(&fake_ctx.fences[3]);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, pending, false, FOREVER, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.status << 8 | args.out.first_signaled, 0x102u);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 2, unknown, false, FOREVER, &args), -EINVAL);
	dma_fence_set_error(&fake_ctx.fences[2], -ECANCELED);
	dma_fence_signal(&fake_ctx.fences[2]);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 3, pending, false, FOREVER, &args), -ECANCELED);
}

static void hostile_counts_and_addresses(struct kunit *test)
{
	static const u64 numbers[] = { 1 };
	union drm_amdgpu_wait_fences args;

	KUNIT_EXPECT_EQ(test, wait_fences(test, 0, NULL, false, 0, &args), -EINVAL);
	fences_at = 8;
	KUNIT_EXPECT_EQ(test, wait_fences(test, 1, numbers, true, 0, &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, wait_fences(test, 1, numbers, false, 0, &args), -EFAULT);
	fences_at = 0;
	KUNIT_EXPECT_EQ(test, wait_fences(test, ~0u, NULL, false, 0, &args), -ENOMEM);
}

static void waiting_without_memory(struct kunit *test)
{
	static const u64 numbers[] = { 1, 2 };
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		union drm_amdgpu_wait_fences args;
		int ret;

		fail_nth_arm(n);
		ret = wait_fences(test, 2, numbers, false, 0, &args);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
}

static int give(u64 number, u32 what, u32 *handle)
{
	union drm_amdgpu_fence_to_handle args = {
		.in = { .fence = { .ctx_id = 1, .ip_type = COMPUTE, .seq_no = number }, .what = what },
	};
	int ret = amdm_fence_to_handle_ioctl(NULL, &args, &fake_ctx.file);

	*handle = args.out.handle;
	return ret;
}

static void an_end_as_a_syncobj(struct kunit *test)
{
	struct dma_fence *fence;
	u32 handle = 0;

	KUNIT_EXPECT_EQ(test, give(1, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &handle), 0);
	KUNIT_ASSERT_EQ(test, drm_syncobj_find_fence(&fake_ctx.file, handle, 0, 0, &fence), 0);
	KUNIT_EXPECT_PTR_EQ(test, fence, &fake_ctx.fences[1]);
	dma_fence_put(fence);
	/* A job so old that its fence is not kept any more: it has ended. */
	KUNIT_EXPECT_EQ(test, give(0, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &handle), 0);
	KUNIT_ASSERT_EQ(test, drm_syncobj_find_fence(&fake_ctx.file, handle, 0, 0, &fence), 0);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(fence));
	dma_fence_put(fence);
}

static void an_end_as_a_file(struct kunit *test)
{
	struct dma_fence *fence;
	u32 fd = ~0u;

	KUNIT_ASSERT_EQ(test, give(2, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd), 0);
	fence = sync_file_get_fence(fd);
	KUNIT_EXPECT_PTR_EQ(test, fence, &fake_ctx.fences[2]);
	dma_fence_put(fence);
	KUNIT_EXPECT_EQ(test, close_fd(fd), 0);
	KUNIT_ASSERT_EQ(test, give(2, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD, &fd), 0);
	KUNIT_EXPECT_EQ(test, kref_read(&fake_ctx.fences[2].refcount) > 1, true);
	KUNIT_EXPECT_EQ(test, close_fd(fd), 0);
	flush_delayed_fput();
}

static void no_end_to_give(struct kunit *test)
{
	u32 handle;

	KUNIT_EXPECT_EQ(test, give(1, 3, &handle), -EINVAL);
	KUNIT_EXPECT_EQ(test, give(99, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &handle), -EINVAL);
}

static void giving_without_memory(struct kunit *test)
{
	u32 what, n, fd;

	FAIL_NTH_NEEDED(test);
	for (what = 0; what <= AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD; what++) {
		u32 refused = 0;
		bool used = true;

		for (n = 1; used; n++) {
			int ret;

			fail_nth_arm(n);
			ret = give(1, what, &fd);
			used = fail_nth_disarm();
			refused += !!ret;
			KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM || ret == -ENFILE);
			if (!ret && what != AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
				close_fd(fd);
		}
		KUNIT_EXPECT_GT(test, refused, 0u);
	}
	flush_delayed_fput();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(moments),
	KUNIT_CASE(one_job),
	KUNIT_CASE(no_such_job),
	KUNIT_CASE(all_of_them),
	KUNIT_CASE(one_of_all_fails),
	KUNIT_CASE(any_of_them),
	KUNIT_CASE(hostile_counts_and_addresses),
	KUNIT_CASE(waiting_without_memory),
	KUNIT_CASE(an_end_as_a_syncobj),
	KUNIT_CASE(an_end_as_a_file),
	KUNIT_CASE(no_end_to_give),
	KUNIT_CASE(giving_without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_cs_wait",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = wait_setup,
	.exit = wait_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
