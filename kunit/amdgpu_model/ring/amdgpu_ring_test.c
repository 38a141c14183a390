// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ring_test.c - a ring's memory and life, its test, what it hands over, and that a ring which was half made goes like a whole one.
 */
#include <kunit/test.h>

#include "kunit/fail_nth.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define kfdm_sched_init	ring_fake_sched_init
#define drm_sched_fini	ring_fake_sched_fini
static int ring_fake_sched_init(struct drm_gpu_scheduler *sched, const struct drm_sched_init_args *args);
static void ring_fake_sched_fini(struct drm_gpu_scheduler *sched);
#include "amdgpu_model/ring/amdgpu_ring.c"
#include "amdgpu_model/ring/amdgpu_rings.c"

#define ADDR	0x20000ULL
#define NOP	0xffff1000u

struct amdm_parameters amdm_param = { .lockup_timeout = 10000, .lockup_timeout_compute = 60000 };
const struct drm_sched_backend_ops amdm_sched_ops;

static struct {
	struct drm_sched_init_args sched;
	u32 scheds, sched_ends, fence_ends, gtts;
	u32 starts, stops, commits, kicks, forced, fences;
	u32 slow;
	u32 pending;		/* looks at fences until none is there */
	int start_answer, sched_answer, gtt_answer;
	u32 start_fails_at;
	bool works, held;
	u64 committed;
	int forced_error;
	u64 fence_addr;
} ring_seen;

struct ring_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
};

static int ring_fake_sched_init(struct drm_gpu_scheduler *sched, const struct drm_sched_init_args *args)
{
	ring_seen.sched = *args;
	ring_seen.scheds += !ring_seen.sched_answer;
	return ring_seen.sched_answer;
}

static void ring_fake_sched_fini(struct drm_gpu_scheduler *sched)
{
	ring_seen.sched_ends++;
}

struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size)
{
	struct amdm_gtt *gtt = ring_seen.gtt_answer ? ERR_PTR(ring_seen.gtt_answer) : kzalloc(sizeof(*gtt), GFP_KERNEL);

	if (IS_ERR_OR_NULL(gtt))
		return gtt ? gtt : ERR_PTR(-ENOMEM);
	gtt->cpu = kzalloc(size, GFP_KERNEL);
	gtt->addr = ADDR;
	if (!gtt->cpu) {
		kfree(gtt);
		return ERR_PTR(-ENOMEM);
	}
	ring_seen.gtts++;
	return gtt;
}

void amdm_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	if (IS_ERR_OR_NULL(gtt))
		return;
	ring_seen.gtts--;
	kfree(gtt->cpu);
	kfree(gtt);
}

void amdm_fence_ring_init(struct amdm_ring *ring)
{
}

void amdm_fence_ring_fini(struct amdm_ring *ring)
{
	ring_seen.fence_ends++;
}

bool amdm_fence_first(struct amdm_ring *ring, u32 *seq, u32 *vmid)
{
	if (!ring_seen.pending)
		return false;
	ring_seen.pending--;
	return true;
}

void amdm_fence_force(struct amdm_ring *ring, int error)
{
	ring_seen.forced++;
	ring_seen.forced_error = error;
}

void amdm_recover_work(struct work_struct *work)
{
}

void amdm_glue_kick(struct amdm_device *adev)
{
	ring_seen.kicks += ring_seen.commits != 0;	/* what is there by now is seen */
}

u32 amdm_glue_slow_factor(void)
{
	return ring_seen.slow;
}

bool amdm_glue_held(struct amdm_device *adev)
{
	return ring_seen.held;
}

static int start(struct amdm_ring *ring)
{
	ring_seen.starts++;
	return ring_seen.start_fails_at == ring_seen.starts ? -EBUSY : ring_seen.start_answer;
}

static void stop(struct amdm_ring *ring)
{
	ring_seen.stops++;
}

static void commit(struct amdm_ring *ring)
{
	ring_seen.commits++;
	ring_seen.committed = ring->wptr;
}

/* An engine that executes at once. */
static void emit_fence(struct amdm_ring *ring, u64 addr, u64 seq, bool wide)
{
	ring_seen.fences++;
	ring_seen.fence_addr = addr;
	amdm_ring_put(ring, 0x12345678);
	if (ring_seen.works)
		WRITE_ONCE(ring->wb[(addr - ring->wb_addr) / 4], (u32)seq);
}

#define FUNCS .nop = NOP, .align = 7, .start = start, .stop = stop, .commit = commit, .emit_fence = emit_fence
static const struct amdm_ring_funcs compute = { .ip = AMDGPU_HW_IP_COMPUTE, FUNCS };
static const struct amdm_ring_funcs dma = { .ip = AMDGPU_HW_IP_DMA, FUNCS };

static int ring_setup(struct kunit *test)
{
	struct ring_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&ring_seen, 0, sizeof(ring_seen));
	ring_seen.works = true;
	ring_seen.slow = 1;
	bed->adev.pdev = &bed->pdev;
	return 0;
}

static void ring_teardown(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	u32 rings = bed->adev.num_rings;

	ring_seen.fence_ends = 0;
	amdm_rings_fini(&bed->adev);
	KUNIT_EXPECT_EQ(test, bed->adev.num_rings, 0u);
	KUNIT_EXPECT_EQ(test, ring_seen.fence_ends, rings);
	KUNIT_EXPECT_EQ(test, ring_seen.sched_ends, ring_seen.scheds);
	KUNIT_EXPECT_EQ(test, ring_seen.gtts, 0u);
}

static struct amdm_ring *create(struct kunit *test, const struct amdm_ring_funcs *funcs)
{
	struct ring_bed *bed = test->priv;
	struct amdm_ring *ring = amdm_ring_create(&bed->adev, funcs, "comp_1.0.0");

	KUNIT_ASSERT_FALSE(test, IS_ERR(ring));
	return ring;
}

static void its_memory(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	struct amdm_ring *ring = create(test, &compute);

	KUNIT_EXPECT_EQ(test, ring->addr, ADDR);
	KUNIT_EXPECT_EQ(test, ring->wb_addr, ADDR + AMDM_RING_DWORDS * 4);
	KUNIT_EXPECT_PTR_EQ(test, (u8 *)ring->wb, (u8 *)ring->dw + AMDM_RING_DWORDS * 4);
	KUNIT_EXPECT_STREQ(test, ring->name, "comp_1.0.0");
	KUNIT_EXPECT_EQ(test, ring->index, 0u);
	KUNIT_EXPECT_FALSE(test, ring->ready);
	KUNIT_EXPECT_EQ(test, create(test, &dma)->index, 1u);
	KUNIT_EXPECT_EQ(test, amdm_rings_of(&bed->adev, AMDGPU_HW_IP_DMA), 1u);
	KUNIT_EXPECT_EQ(test, amdm_rings_of(&bed->adev, AMDGPU_HW_IP_GFX), 0u);
}

/* Compute has a limit of its own; a slow host stretches both (amdgpu_device_get_job_timeout_settings). */
static void its_scheduler(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	struct amdm_ring *ring;

	ring_seen.slow = 4;
	ring = create(test, &compute);
	KUNIT_EXPECT_EQ(test, ring_seen.sched.timeout, (long)msecs_to_jiffies(4 * 60000));
	KUNIT_EXPECT_EQ(test, ring_seen.sched.credit_limit, 2u);
	KUNIT_EXPECT_PTR_EQ(test, ring_seen.sched.ops, &amdm_sched_ops);
	KUNIT_EXPECT_PTR_EQ(test, ring_seen.sched.name, (const char *)ring->name);
	KUNIT_EXPECT_PTR_EQ(test, ring_seen.sched.timeout_wq, bed->adev.recover_wq);
	create(test, &dma);
	KUNIT_EXPECT_EQ(test, ring_seen.sched.timeout, (long)msecs_to_jiffies(4 * 10000));
}

static void half_a_ring(struct kunit *test)
{
	struct ring_bed *bed = test->priv;

	ring_seen.gtt_answer = -ENOSPC;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_ring_create(&bed->adev, &compute, "a")), -ENOSPC);
	ring_seen.gtt_answer = 0;
	ring_seen.sched_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_ring_create(&bed->adev, &compute, "b")), -ENOMEM);
	KUNIT_EXPECT_EQ(test, ring_seen.scheds, 0u);	/* ring_teardown: none ends then */
}

static void it_starts_empty(struct kunit *test)
{
	struct amdm_ring *ring = create(test, &compute);

	ring->wptr = 100;
	ring->seq = 55;
	ring->dw[4095] = 1;
	ring->wb[AMDM_WB_WPTR] = 100;
	ring->flushed[3].generation = 9;
	KUNIT_EXPECT_EQ(test, amdm_ring_start(ring), 0);
	KUNIT_EXPECT_TRUE(test, ring->ready);
	KUNIT_EXPECT_EQ(test, ring->dw[4095], NOP);
	KUNIT_EXPECT_EQ(test, ring->wb[AMDM_WB_WPTR], 0u);
	KUNIT_EXPECT_EQ(test, ring->wb[AMDM_WB_FENCE], 55u);	/* what it owed is not owed twice */
	KUNIT_EXPECT_EQ(test, ring->flushed[3].generation, 0ULL);	/* the engine may have forgotten */
	KUNIT_EXPECT_EQ(test, ring->wptr, 8ULL);			/* the test */
	KUNIT_EXPECT_NE(test, ring_seen.fence_addr, amdm_ring_fence_addr(ring));
}

static void it_does_not_start(struct kunit *test)
{
	struct amdm_ring *ring = create(test, &compute);

	ring_seen.start_answer = -EBUSY;
	KUNIT_EXPECT_EQ(test, amdm_ring_start(ring), -EBUSY);
	KUNIT_EXPECT_FALSE(test, ring->ready);
	KUNIT_EXPECT_EQ(test, ring_seen.commits, 0u);
	KUNIT_EXPECT_EQ(test, ring_seen.stops, 1u);
}

static void it_does_not_answer(struct kunit *test)
{
	struct amdm_ring *ring = create(test, &compute);

	ring_seen.slow = 0;	/* no time */
	ring_seen.works = false;
	KUNIT_EXPECT_EQ(test, amdm_ring_start(ring), -EIO);
	KUNIT_EXPECT_FALSE(test, ring->ready);
	KUNIT_EXPECT_EQ(test, ring_seen.stops, 1u);
	ring_seen.held = true;	/* a stopped clock says nothing about the ring */
	KUNIT_EXPECT_EQ(test, amdm_ring_start(ring), 0);
	KUNIT_EXPECT_TRUE(test, ring->ready);
}

static void what_is_handed_over(struct kunit *test)
{
	struct amdm_ring *ring = create(test, &compute);
	u32 i;

	for (i = 0; i < 3; i++)
		amdm_ring_put(ring, i);
	mutex_lock(&ring->lock);
	amdm_ring_commit(ring);
	KUNIT_EXPECT_EQ(test, ring_seen.committed, 8ULL);
	KUNIT_EXPECT_EQ(test, ring->dw[2], 2u);
	for (i = 3; i < 8; i++)
		KUNIT_EXPECT_EQ(test, ring->dw[i], NOP);
	KUNIT_EXPECT_EQ(test, ring_seen.kicks, 1u);
	amdm_ring_commit(ring);		/* nothing to pad */
	KUNIT_EXPECT_EQ(test, ring_seen.committed, 8ULL);
	ring->wptr = AMDM_RING_DWORDS + 1;
	amdm_ring_put(ring, 0xabc);
	KUNIT_EXPECT_EQ(test, ring->dw[1], 0xabcu);
	mutex_unlock(&ring->lock);
}

static void all_of_an_ip(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	struct amdm_ring *ring[] = { create(test, &compute), create(test, &dma), create(test, &compute), create(test, &compute) };

	ring_seen.start_fails_at = 2;
	KUNIT_EXPECT_EQ(test, amdm_rings_start(&bed->adev, AMDGPU_HW_IP_COMPUTE), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_seen.starts, 2u);
	KUNIT_EXPECT_TRUE(test, ring[0]->ready);
	KUNIT_EXPECT_FALSE(test, ring[1]->ready || ring[2]->ready || ring[3]->ready);
	ring_seen.start_fails_at = 0;
	KUNIT_EXPECT_EQ(test, amdm_rings_start(&bed->adev, AMDGPU_HW_IP_COMPUTE), 0);
	ring_seen.stops = 0;
	bed->adev.in_reset = true;	/* jobs will be put into the rings again */
	amdm_rings_stop(&bed->adev, AMDGPU_HW_IP_COMPUTE);
	KUNIT_EXPECT_EQ(test, ring_seen.stops, 3u);
	KUNIT_EXPECT_EQ(test, ring_seen.forced, 0u);
	KUNIT_EXPECT_FALSE(test, ring[0]->ready);
	bed->adev.in_reset = false;
	amdm_rings_stop(&bed->adev, AMDGPU_HW_IP_DMA);
	KUNIT_EXPECT_EQ(test, ring_seen.stops, 4u);
	KUNIT_EXPECT_EQ(test, ring_seen.forced, 1u);
	KUNIT_EXPECT_EQ(test, ring_seen.forced_error, -ENODEV);
}

static void until_idle(struct kunit *test)
{
	struct ring_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_rings_wait_idle(&bed->adev, HZ), 0);
	create(test, &compute);
	create(test, &dma);
	ring_seen.pending = 3;
	KUNIT_EXPECT_EQ(test, amdm_rings_wait_idle(&bed->adev, 60 * HZ), 0);
	KUNIT_EXPECT_EQ(test, ring_seen.pending, 0u);
	ring_seen.pending = ~0u;
	KUNIT_EXPECT_EQ(test, amdm_rings_wait_idle(&bed->adev, 2), -EBUSY);
}

static void without_memory(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_ring *ring;

		fail_nth_arm(n);
		ring = amdm_ring_create(&bed->adev, &compute, "comp");
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !IS_ERR(ring) || ring == ERR_PTR(-ENOMEM));
		refused += IS_ERR(ring);
		amdm_rings_fini(&bed->adev);
		KUNIT_EXPECT_EQ(test, ring_seen.gtts, 0u);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(its_memory),
	KUNIT_CASE(its_scheduler),
	KUNIT_CASE(half_a_ring),
	KUNIT_CASE(it_starts_empty),
	KUNIT_CASE(it_does_not_start),
	KUNIT_CASE(it_does_not_answer),
	KUNIT_CASE(what_is_handed_over),
	KUNIT_CASE(all_of_an_ip),
	KUNIT_CASE(until_idle),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ring", .init = ring_setup, .exit = ring_teardown, .test_cases = cases };
kunit_test_suite(suite);
