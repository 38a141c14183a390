// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_job_test.c - what a job is on its ring, in which order, and what becomes of jobs that are not run.
 */
#include <kunit/test.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"

#define amdm_fence_create		job_fake_fence_create
#define amdm_fence_drop			job_fake_fence_drop
#define amdm_fence_emit			job_fake_fence_emit
#define amdm_ring_commit		job_fake_commit
#define amdm_vmid_grab			job_fake_grab
#define amdm_vmid_release		job_fake_release
#define amdm_vm_put			job_fake_vm_put
#define amdm_job_timedout		job_fake_timedout
#define amdm_sched_ops			tested_sched_ops
#define amdm_job_create			tested_job_create
#define amdm_job_destroy		tested_job_destroy
#define amdm_job_run			tested_job_run
#include "amdgpu_model/ring/amdgpu_job.c"

static struct {
	char order[32];		/* s sync, f flush, ( ) wave limits, i buffer, u user's fence, F fence, c commit */
	u32 at;
	u32 ib_vmid, flushes, boosts, unboosts, releases, vm_puts, drops, grabs;
	struct amdm_fence fence;
	bool no_fence;
} job_seen;

static void note(char what)
{
	if (job_seen.at < sizeof(job_seen.order) - 1)
		job_seen.order[job_seen.at++] = what;
}

struct amdm_fence *job_fake_fence_create(struct amdm_device *adev)
{
	return job_seen.no_fence ? NULL : &job_seen.fence;
}

void job_fake_fence_drop(struct amdm_fence *fence)
{
	job_seen.drops++;
}

void job_fake_fence_emit(struct amdm_ring *ring, struct amdm_fence *fence)
{
	note('F');
}

void job_fake_commit(struct amdm_ring *ring)
{
	note('c');
}

static void job_fake_wave_limit(struct amdm_ring *ring, bool on)
{
	note(on ? '(' : ')');
}

static void job_fake_boost(struct amdm_ring *ring, struct amdm_job *job)
{
	job_seen.boosts++;
}

static void job_fake_unboost(struct amdm_ring *ring, struct amdm_job *job)
{
	job_seen.unboosts++;
}

struct dma_fence *job_fake_grab(struct amdm_ring *ring, struct amdm_job *job)
{
	job_seen.grabs++;
	return NULL;
}

void job_fake_release(struct amdm_ring *ring, struct amdm_job *job)
{
	job_seen.releases++;
}

void job_fake_vm_put(struct amdm_vm *vm)
{
	job_seen.vm_puts++;
}

enum drm_gpu_sched_stat job_fake_timedout(struct drm_sched_job *job)
{
	return KFDM_SCHED_STAT_RESET;
}

static void emit_sync(struct amdm_ring *ring, u64 addr, u32 seq)
{
	note('s');
}

static void emit_ib(struct amdm_ring *ring, const struct amdm_ib *ib, u32 vmid)
{
	job_seen.ib_vmid = vmid;
	note('i');
}

static void emit_fence(struct amdm_ring *ring, u64 addr, u64 seq, bool wide)
{
	note(wide ? 'u' : '?');
}

static void emit_flush(struct amdm_ring *ring, u32 vmid, u64 pd)
{
	job_seen.flushes++;
	note('f');
}

static const struct amdm_ring_funcs overlapping = {
	.emit_sync = emit_sync, .emit_ib = emit_ib, .emit_fence = emit_fence,
	.boost = job_fake_boost, .unboost = job_fake_unboost, .emit_wave_limit = job_fake_wave_limit,
};

static const struct amdm_ring_funcs one_by_one = {
	.frame_dwords = 141, .ib_dwords = 7, .emit_ib = emit_ib, .emit_fence = emit_fence, .emit_wave_limit = job_fake_wave_limit,
};
static const struct amdm_gmc gmc = { .emit_flush = emit_flush };

struct job_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct amdm_ring ring;
	struct amdm_vm vm;
	struct drm_sched_fence s_fence;
	struct drm_sched_entity entity;
	atomic_t guilty;
	struct amdm_job *job;
};

static int job_setup(struct kunit *test)
{
	struct job_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&job_seen, 0, sizeof(job_seen));
	bed->asic.gmc = &gmc;
	bed->adev.asic = &bed->asic;
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &overlapping, .ready = true };
	mutex_init(&bed->ring.lock);
	bed->entity.guilty = &bed->guilty;
	bed->job = amdm_job_create(&bed->adev, 2);
	if (!bed->job)
		return -ENOMEM;
	bed->job->vm = &bed->vm;
	bed->job->vmid = 5;
	bed->job->generation = 7;
	bed->job->updates = 3;
	bed->job->base.s_fence = &bed->s_fence;
	bed->job->base.sched = &bed->ring.sched;
	return 0;
}

static void job_teardown(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	amdm_job_destroy(bed->job);
}

static void the_order(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	bed->job->user_fence = 0x1000;
	KUNIT_EXPECT_EQ(test, amdm_job_run(&bed->ring, bed->job), 0);
	KUNIT_EXPECT_STREQ(test, job_seen.order, "sf(ii)uFc");
	KUNIT_EXPECT_EQ(test, job_seen.ib_vmid, 5u);
	KUNIT_EXPECT_EQ(test, job_seen.fence.vmid, 5u);	/* names the job in an interrupt of the ring */
}

static void an_engine_that_does_one_thing_after_the_other(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	bed->ring.funcs = &one_by_one;
	KUNIT_EXPECT_EQ(test, amdm_job_run(&bed->ring, bed->job), 0);
	KUNIT_EXPECT_STREQ(test, job_seen.order, "f(ii)Fc");
}

/* amdgpu_ring_alloc(): 1024 dwords at most, whole units of 256 */
static void too_many_buffers(struct kunit *test)
{
	struct job_bed *bed = test->priv;
	struct amdm_job *most = amdm_job_create(&bed->adev, 126), *more = amdm_job_create(&bed->adev, 127);

	KUNIT_ASSERT_NOT_NULL(test, most);
	KUNIT_ASSERT_NOT_NULL(test, more);
	KUNIT_EXPECT_TRUE(test, amdm_job_fits(&(struct amdm_ring){ .funcs = &one_by_one }, most));
	bed->ring.funcs = &one_by_one;
	KUNIT_EXPECT_EQ(test, amdm_job_run(&bed->ring, more), -ENOMEM);
	KUNIT_EXPECT_STREQ(test, job_seen.order, "");
	amdm_job_destroy(most);
	amdm_job_destroy(more);
	KUNIT_EXPECT_NULL(test, amdm_job_create(&bed->adev, ~0u));	/* and no warning */
}

/* Page tables are connected once for each owner of the VMID, and again when they have changed. */
static void flushes(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	amdm_job_run(&bed->ring, bed->job);
	amdm_job_run(&bed->ring, bed->job);
	KUNIT_EXPECT_EQ(test, job_seen.flushes, 1u);
	bed->job->updates = 2;		/* an older job of the same owner */
	amdm_job_run(&bed->ring, bed->job);
	KUNIT_EXPECT_EQ(test, job_seen.flushes, 1u);
	bed->job->updates = 4;
	amdm_job_run(&bed->ring, bed->job);
	KUNIT_EXPECT_EQ(test, job_seen.flushes, 2u);
	bed->job->generation = 8;	/* another owner */
	amdm_job_run(&bed->ring, bed->job);
	KUNIT_EXPECT_EQ(test, job_seen.flushes, 3u);
	bed->job->vm = NULL;		/* the kernel's: VMID 0 */
	amdm_job_run(&bed->ring, bed->job);
	KUNIT_EXPECT_EQ(test, job_seen.flushes, 3u);
	bed->job->vm = &bed->vm;
}

static void a_ring_that_takes_none(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	bed->ring.ready = false;
	KUNIT_EXPECT_EQ(test, amdm_job_run(&bed->ring, bed->job), -ENODEV);
	KUNIT_EXPECT_EQ(test, job_seen.at, 0u);
}

/* Only the scheduler's own thread asks for a VMID on behalf of a job that will be run. */
static void who_gets_a_vmid(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	bed->job->vmid = 0;
	kunit_sched_asks(&bed->ring.sched, current);
	amdm_sched_ops.KFDM_SCHED_PREPARE_JOB(&bed->job->base, &bed->entity);
	KUNIT_EXPECT_EQ(test, job_seen.grabs, 1u);
	if (kunit_sched_asks(&bed->ring.sched, NULL))	/* drm_sched_entity_kill_jobs() */
		amdm_sched_ops.KFDM_SCHED_PREPARE_JOB(&bed->job->base, &bed->entity);
	kunit_sched_asks(&bed->ring.sched, current);
	atomic_set(&bed->guilty, 1);
	amdm_sched_ops.KFDM_SCHED_PREPARE_JOB(&bed->job->base, &bed->entity);
	atomic_set(&bed->guilty, 0);
	bed->job->vmid = 3;			/* it has one */
	amdm_sched_ops.KFDM_SCHED_PREPARE_JOB(&bed->job->base, &bed->entity);
	KUNIT_EXPECT_EQ(test, job_seen.grabs, 1u);
}

/* A job whose context is to blame for a reset comes with an error, and is not run. */
static void a_guilty_job(struct kunit *test)
{
	struct job_bed *bed = test->priv;

	bed->s_fence.finished.error = -ECANCELED;
	KUNIT_EXPECT_EQ(test, PTR_ERR(amdm_sched_ops.run_job(&bed->job->base)), (long)-ECANCELED);
	/* VRAM has been lost since it was made (amdgpu_job_run). */
	bed->s_fence.finished.error = 0;
	bed->adev.vram_losses++;
	KUNIT_EXPECT_EQ(test, PTR_ERR(amdm_sched_ops.run_job(&bed->job->base)), (long)-ECANCELED);
	KUNIT_EXPECT_EQ(test, job_seen.at + job_seen.boosts, 0u);
}

static void what_a_job_holds(struct kunit *test)
{
	struct job_bed *bed = test->priv;
	struct amdm_job *job = amdm_job_create(&bed->adev, 0);

	KUNIT_ASSERT_NOT_NULL(test, job);
	KUNIT_EXPECT_PTR_EQ(test, job->adev, &bed->adev);
	job->vm = &bed->vm;
	amdm_job_destroy(job);
	KUNIT_EXPECT_EQ(test, job_seen.vm_puts, 1u);
	KUNIT_EXPECT_EQ(test, job_seen.drops, 1u);
	job_seen.no_fence = true;
	KUNIT_EXPECT_NULL(test, amdm_job_create(&bed->adev, 3));
	job_seen.no_fence = false;
}

static void without_memory(struct kunit *test)
{
	struct job_bed *bed = test->priv;
	struct amdm_job *job;
	bool used = true;
	u32 n, refused = 0;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		fail_nth_arm(n);
		job = amdm_job_create(&bed->adev, 4);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, job || used);	/* the allocator may have used it up for itself */
		refused += !job;
		if (job)
			amdm_job_destroy(job);
	}
	KUNIT_EXPECT_EQ(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_order),
	KUNIT_CASE(an_engine_that_does_one_thing_after_the_other),
	KUNIT_CASE(too_many_buffers),
	KUNIT_CASE(flushes),
	KUNIT_CASE(a_ring_that_takes_none),
	KUNIT_CASE(who_gets_a_vmid),
	KUNIT_CASE(a_guilty_job),
	KUNIT_CASE(what_a_job_holds),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_job", .init = job_setup, .exit = job_teardown, .test_cases = cases };
kunit_test_suite(suite);
