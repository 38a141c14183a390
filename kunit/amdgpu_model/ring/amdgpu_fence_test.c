// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_fence_test.c - a ring's fences: in order, over the wrap of their number, without an interrupt, after a reset; and that they let go
 * of what they hold.
 */
#include <kunit/test.h>
#include <linux/delay.h>

#define amdm_fence_module_init	tested_fence_module_init
#define amdm_fence_module_fini	tested_fence_module_fini
#define amdm_fence_ring_init	tested_fence_ring_init
#define amdm_fence_ring_fini	tested_fence_ring_fini
#define amdm_fence_create	tested_fence_create
#define amdm_fence_bind		tested_fence_bind
#define amdm_fence_drop		tested_fence_drop
#define amdm_fence_emit		tested_fence_emit
#define amdm_fence_process	tested_fence_process
#define amdm_fence_first	tested_fence_first
#define amdm_fence_force	tested_fence_force
#define amdm_fence_forget	tested_fence_forget
#include "amdgpu_model/ring/amdgpu_fence.c"

#define WB	0x12345700000ULL

struct fence_bed {
	struct amdm_device adev;
	struct amdm_ring ring;
	u32 wb[16];
	struct amdm_fence *fence[8];
	u32 made;
};

static u64 emitted_seq, emitted_addr;

static void emit_fence(struct amdm_ring *ring, u64 addr, u64 seq, bool wide)
{
	emitted_addr = addr;
	emitted_seq = seq;
}

static const struct amdm_ring_funcs funcs = { .emit_fence = emit_fence };

static int fence_setup(struct kunit *test)
{
	struct fence_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	kref_init(&bed->adev.ddev.ref);
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &funcs, .name = "comp", .wb = bed->wb, .wb_addr = WB };
	amdm_fence_ring_init(&bed->ring);
	return amdm_fence_module_init();
}

/* All that were made have gone, and with them what they held. */
static void fence_teardown(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	u32 i;

	amdm_fence_force(&bed->ring, -EIO);
	for (i = 0; i < bed->made; i++)
		amdm_fence_drop(bed->fence[i]);
	amdm_fence_ring_fini(&bed->ring);
	amdm_fence_module_fini();
	KUNIT_EXPECT_EQ(test, kref_read(&bed->adev.ddev.ref), 1u);
}

static struct amdm_fence *emit(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *fence = amdm_fence_create(&bed->adev);

	KUNIT_ASSERT_NOT_NULL(test, fence);
	bed->fence[bed->made++] = fence;
	amdm_fence_bind(fence, &bed->ring);
	amdm_fence_emit(&bed->ring, fence);
	return fence;
}

static bool signaled(const struct amdm_fence *fence)
{
	return test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->base.flags);
}

static void reach(struct fence_bed *bed, u32 seq)
{
	WRITE_ONCE(bed->wb[AMDM_WB_FENCE], seq);
}

static void what_is_reached_is_signaled(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *a = emit(test), *b = emit(test), *c = emit(test);

	KUNIT_EXPECT_EQ(test, emitted_seq, 3ULL);
	KUNIT_EXPECT_EQ(test, emitted_addr, WB + AMDM_WB_FENCE * 4);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_FALSE(test, signaled(a) || signaled(b) || signaled(c));
	reach(bed, 2);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_TRUE(test, signaled(a) && signaled(b));
	KUNIT_EXPECT_FALSE(test, signaled(c));
	KUNIT_EXPECT_EQ(test, kref_read(&a->base.refcount), 1u);	/* the ring's reference has gone */
	KUNIT_EXPECT_EQ(test, kref_read(&c->base.refcount), 2u);
}

static void numbers_wrap(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *before, *behind;

	bed->ring.seq = ~0u - 1;
	reach(bed, ~0u - 1);
	before = emit(test);
	behind = emit(test);
	KUNIT_EXPECT_EQ(test, behind->base.seqno, 0ULL);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_FALSE(test, signaled(before) || signaled(behind));
	reach(bed, ~0u);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_TRUE(test, signaled(before));
	KUNIT_EXPECT_FALSE(test, signaled(behind));
	reach(bed, 0);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_TRUE(test, signaled(behind));
}

/* The interrupt is lost: amdm_fence_process() is not called. */
static void a_lost_interrupt(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *fence = emit(test);
	long left;

	reach(bed, 1);
	left = dma_fence_wait_timeout(&fence->base, false, 10 * HZ);
	KUNIT_EXPECT_GT(test, left, 0L);
	KUNIT_EXPECT_TRUE(test, signaled(fence));
}

/* The store itself is lost: the timer goes on polling, and the next fence that is stored signals this one, too. */
static void a_lost_store(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *lost = emit(test), *next;

	KUNIT_EXPECT_EQ(test, dma_fence_wait_timeout(&lost->base, false, FENCE_FALLBACK + HZ / 4), 0L);
	KUNIT_EXPECT_TRUE(test, timer_pending(&bed->ring.fallback));
	next = emit(test);
	reach(bed, 2);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_TRUE(test, signaled(lost) && signaled(next));
}

static void the_job_that_a_ring_is_at(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *a = emit(test), *b = emit(test);
	u32 seq = 0, vmid = 0;

	a->vmid = 3;
	b->vmid = 5;
	KUNIT_EXPECT_TRUE(test, amdm_fence_first(&bed->ring, &seq, &vmid));
	KUNIT_EXPECT_EQ(test, seq << 8 | vmid, 0x103u);
	reach(bed, 1);		/* what has ended is not to blame */
	KUNIT_EXPECT_TRUE(test, amdm_fence_first(&bed->ring, &seq, &vmid));
	KUNIT_EXPECT_EQ(test, seq << 8 | vmid, 0x205u);
	reach(bed, 2);
	KUNIT_EXPECT_FALSE(test, amdm_fence_first(&bed->ring, &seq, &vmid));
}

static void a_dead_ring_fails_what_it_owes(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *done = emit(test), *lost = emit(test);

	reach(bed, 1);
	amdm_fence_process(&bed->ring);
	amdm_fence_force(&bed->ring, -ECANCELED);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(&done->base), 1);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(&lost->base), -ECANCELED);
}

/* After a reset the same fence is emitted again, with a number that the ring has not stored yet. */
static void a_job_goes_into_its_ring_again(struct kunit *test)
{
	struct fence_bed *bed = test->priv;
	struct amdm_fence *fence = emit(test);

	amdm_fence_forget(&bed->ring);
	reach(bed, 1);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_FALSE(test, signaled(fence));
	amdm_fence_emit(&bed->ring, fence);
	KUNIT_EXPECT_EQ(test, fence->base.seqno, 2ULL);
	reach(bed, 2);
	amdm_fence_process(&bed->ring);
	KUNIT_EXPECT_TRUE(test, signaled(fence));
}

static void one_that_never_came_to_a_ring(struct kunit *test)
{
	struct fence_bed *bed = test->priv;

	amdm_fence_drop(NULL);
	amdm_fence_drop(amdm_fence_create(&bed->adev));
	flush_workqueue(amdm_fence_wq);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->adev.ddev.ref), 1u);
}

static void names(struct kunit *test)
{
	struct amdm_fence *fence = emit(test);

	KUNIT_EXPECT_STREQ(test, amdm_fence_ops.get_driver_name(&fence->base), "amdgpu");
	KUNIT_EXPECT_STREQ(test, amdm_fence_ops.get_timeline_name(&fence->base), "comp");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_is_reached_is_signaled),
	KUNIT_CASE(numbers_wrap),
	KUNIT_CASE(a_lost_interrupt),
	KUNIT_CASE(a_lost_store),
	KUNIT_CASE(the_job_that_a_ring_is_at),
	KUNIT_CASE(a_dead_ring_fails_what_it_owes),
	KUNIT_CASE(a_job_goes_into_its_ring_again),
	KUNIT_CASE(one_that_never_came_to_a_ring),
	KUNIT_CASE(names),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_fence", .init = fence_setup, .exit = fence_teardown, .test_cases = cases };
kunit_test_suite(suite);
