// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_recover_test.c - who is blamed for a ring that does not get on, who is not, and what is done about it, in which order.
 */
#include <kunit/test.h>
#include <drm/drm_drv.h>

#include "amdgpu_model/ring/amdgpu_ring.h"
#include "kunit/compat.h"

#define drm_sched_stop			recover_fake_sched_stop
#define kfdm_sched_start		recover_fake_sched_start
#define drm_sched_resubmit_jobs		recover_fake_resubmit
#define drm_sched_increase_karma	recover_fake_karma
static void recover_fake_sched_stop(struct drm_gpu_scheduler *sched, struct drm_sched_job *bad);
static void recover_fake_sched_start(struct drm_gpu_scheduler *sched);
static void recover_fake_resubmit(struct drm_gpu_scheduler *sched);
static void recover_fake_karma(struct drm_sched_job *bad);
static bool recover_fake_enter(int *idx);
static void recover_fake_exit(int idx);
#define drm_dev_enter(dev, idx)		recover_fake_enter(idx)
#define drm_dev_exit			recover_fake_exit
#include "amdgpu_model/ring/amdgpu_recover.c"

#define JOBS	3

struct recover_bed {
	struct amdm_device adev;
	struct amdm_hive hive;
	struct pci_dev pdev;
	struct amdm_ring ring;
	u32 wb[16];
	struct amdm_job *job[JOBS];
	struct amdm_fence fence[JOBS];
	struct drm_sched_fence s_fence[JOBS];
	spinlock_t lock;
};

static struct {
	/*
	 * s scheduler stops, d ring disconnected, i interrupts, p fences looked at, f forgotten, k karma, c connected, r jobs again,
	 * S scheduler starts, R whole GPU
	 */
	char order[32], cause[64];
	u32 at;
	struct drm_sched_job *stopped_at, *blamed, *freed;
	int entered, start_answer, faulted, forced;
	u32 kills, killed_vmid;
	struct dma_fence *waves_end;	/* signaled when waves are killed */
	bool gone, held, ends_while_stopping, reset_comes_first;
	struct amdm_progress progress;
	u32 first, kicks;
} recover_seen;

static void note(char what)
{
	if (recover_seen.at < sizeof(recover_seen.order) - 1)
		recover_seen.order[recover_seen.at++] = what;
}

static void recover_fake_sched_stop(struct drm_gpu_scheduler *sched, struct drm_sched_job *bad)
{
	note('s');
	recover_seen.stopped_at = bad;
	sched->free_guilty = recover_seen.ends_while_stopping;
	if (recover_seen.reset_comes_first)
		amdm_ring_from_sched(sched)->adev->resets++;
}

static void recover_fake_sched_start(struct drm_gpu_scheduler *sched)
{
	note('S');
}

static void recover_fake_resubmit(struct drm_gpu_scheduler *sched)
{
	note('r');
}

static void recover_fake_karma(struct drm_sched_job *bad)
{
	note('k');
	recover_seen.blamed = bad;
}

static bool recover_fake_enter(int *idx)
{
	*idx = 7;
	recover_seen.entered += !recover_seen.gone;
	return !recover_seen.gone;
}

static void recover_fake_exit(int idx)
{
	recover_seen.entered -= idx == 7;
}

void amdm_ring_stop(struct amdm_ring *ring)
{
	note('d');
}

int amdm_ring_start(struct amdm_ring *ring)
{
	note('c');
	return recover_seen.start_answer;
}

void amdm_ih_process(struct amdm_device *adev)
{
	note('i');
}

void amdm_fence_process(struct amdm_ring *ring)
{
	note('p');
}

void amdm_fence_forget(struct amdm_ring *ring)
{
	note('f');
}

void amdm_fence_force(struct amdm_ring *ring, int error)
{
	recover_seen.forced = error;
}

bool amdm_fence_first(struct amdm_ring *ring, u32 *seq, u32 *vmid)
{
	*seq = recover_seen.first;
	return recover_seen.first;
}

static void fake_reset_locked(struct amdm_device *adev, const char *cause)
{
	note('R');
	strscpy(recover_seen.cause, cause, sizeof(recover_seen.cause));
}

bool amdm_glue_held(struct amdm_device *adev)
{
	return recover_seen.held;
}

struct amdm_parameters amdm_param;

u32 amdm_glue_slow_factor(void)
{
	return 1;
}

void amdm_glue_kick(struct amdm_device *adev)
{
	recover_seen.kicks++;
}

struct amdm_progress amdm_glue_progress(struct amdm_device *adev)
{
	return recover_seen.progress;
}

static int faulted(struct amdm_ring *ring)
{
	return recover_seen.faulted;
}

static void kill_waves(struct amdm_ring *ring, u32 vmid)
{
	recover_seen.kills++;
	recover_seen.killed_vmid = vmid;
	if (recover_seen.waves_end)
		dma_fence_signal(recover_seen.waves_end);
}

static void free_job(struct drm_sched_job *job)
{
	recover_seen.freed = job;
}

static const struct amdm_ring_funcs funcs = { .faulted = faulted, .kill_waves = kill_waves };
static const struct drm_sched_backend_ops sched_ops = { .free_job = free_job };

static const char *fence_name(struct dma_fence *fence)
{
	return "recover";
}

static const struct dma_fence_ops fence_ops = { .get_driver_name = fence_name, .get_timeline_name = fence_name };

/* Three jobs in the ring, with the fences 10, 11 and 12. */
static int recover_setup(struct kunit *test)
{
	struct recover_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&recover_seen, 0, sizeof(recover_seen));
	spin_lock_init(&bed->lock);
	mutex_init(&bed->hive.reset_mutex);
	bed->adev.hive = &bed->hive;
	bed->adev.reset_locked = fake_reset_locked;
	bed->adev.pdev = &bed->pdev;
	bed->adev.recover_wq = alloc_ordered_workqueue("recover", 0);
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &funcs, .name = "comp", .wb = bed->wb };
	bed->ring.sched.ops = &sched_ops;
	spin_lock_init(&bed->ring.fence_lock);
	spin_lock_init(&bed->ring.sched.job_list_lock);
	INIT_LIST_HEAD(&bed->ring.sched.pending_list);
	kunit_sched_wake_init(&bed->ring.sched);
	INIT_DELAYED_WORK(&bed->ring.complaint_work, amdm_recover_work);
	for (i = 0; i < JOBS; i++) {
		bed->job[i] = kunit_kzalloc(test, sizeof(*bed->job[i]), GFP_KERNEL);
		if (!bed->job[i])
			return -ENOMEM;
		dma_fence_init(&bed->fence[i].base, &fence_ops, &bed->lock, 1, 10 + i);
		dma_fence_init(&bed->s_fence[i].finished, &fence_ops, &bed->lock, 2, i);
		bed->job[i]->fence = &bed->fence[i];
		bed->job[i]->base.s_fence = &bed->s_fence[i];
		bed->job[i]->base.sched = &bed->ring.sched;
		list_add_tail(&bed->job[i]->base.list, &bed->ring.sched.pending_list);
	}
	return bed->adev.recover_wq ? 0 : -ENOMEM;
}

static void recover_teardown(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	cancel_delayed_work_sync(&bed->ring.complaint_work);
	destroy_workqueue(bed->adev.recover_wq);
	kunit_sched_wake_fini(&bed->ring.sched);
	KUNIT_EXPECT_EQ(test, recover_seen.entered, 0);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->hive.reset_mutex));
}

/* The first job has had its time. */
static enum drm_gpu_sched_stat time_out(struct recover_bed *bed)
{
	return kunit_sched_time_out(&bed->job[0]->base, amdm_job_timedout);
}

static u32 pending(struct recover_bed *bed)
{
	struct list_head *at;
	u32 n = 0;

	list_for_each(at, &bed->ring.sched.pending_list)
		n++;
	return n;
}

static void the_ring_alone(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, time_out(bed), KFDM_SCHED_STAT_RESET);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "psdipfkcrS");
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.stopped_at, &bed->job[0]->base);
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, &bed->job[0]->base);
	KUNIT_EXPECT_EQ(test, bed->adev.resets, 1u);	/* contexts ask for it */
	KUNIT_EXPECT_FALSE(test, bed->ring.recovering);
}

/* With soft_recovery a job that ends without its waves has ended well, and its ring is left alone. */
static void waves_are_killed_first(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	amdm_param.soft_recovery = true;
	bed->job[0]->vmid = 5;
	recover_seen.waves_end = &bed->fence[0].base;
	KUNIT_EXPECT_EQ(test, time_out(bed), KUNIT_SCHED_STAT_NO_HANG);
	KUNIT_EXPECT_EQ(test, recover_seen.kills, 1u);
	KUNIT_EXPECT_EQ(test, recover_seen.killed_vmid, 5u);
	KUNIT_EXPECT_NULL(test, strchr(recover_seen.order, 's'));
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, NULL);
	KUNIT_EXPECT_EQ(test, bed->adev.resets, 1u);
	KUNIT_EXPECT_EQ(test, pending(bed), 3u);	/* the scheduler sees for itself that it has ended */
	amdm_param.soft_recovery = false;
}

static void waves_are_not_what_it_waits_for(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	amdm_param.soft_recovery = true;
	KUNIT_EXPECT_EQ(test, time_out(bed), KFDM_SCHED_STAT_RESET);
	KUNIT_EXPECT_GT(test, recover_seen.kills, 1u);
	KUNIT_EXPECT_NOT_NULL(test, strchr(recover_seen.order, 's'));
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, &bed->job[0]->base);
	KUNIT_EXPECT_EQ(test, bed->adev.resets, 2u);
	amdm_param.soft_recovery = false;
}

/* It does not pass its test: all of the GPU, which starts the schedulers itself. */
static void the_whole_gpu(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.start_answer = -EIO;
	KUNIT_EXPECT_EQ(test, time_out(bed), KFDM_SCHED_STAT_RESET);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "psdipfkcR");
	KUNIT_EXPECT_STREQ(test, recover_seen.cause, "job hang on ring:comp");
	KUNIT_EXPECT_TRUE(test, bed->ring.recovering);
	KUNIT_EXPECT_EQ(test, bed->adev.resets, 0u);
	amdm_recover_stop(&bed->ring, NULL);		/* that it is stopped is known */
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "psdipfkcR");
	amdm_recover_start(&bed->ring);
	KUNIT_EXPECT_FALSE(test, bed->ring.recovering);
}

/* The job has ended by the time, or the clock stands still: it goes back to its list, as the first. */
static void nobody_is_to_blame(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.held = true;
	KUNIT_EXPECT_EQ(test, time_out(bed), KUNIT_SCHED_STAT_NO_HANG);
	recover_seen.held = false;
	dma_fence_signal(&bed->s_fence[0].finished);
	KUNIT_EXPECT_EQ(test, time_out(bed), KUNIT_SCHED_STAT_NO_HANG);
	dma_fence_signal(&bed->fence[0].base);
	KUNIT_EXPECT_EQ(test, time_out(bed), KUNIT_SCHED_STAT_NO_HANG);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "ppp");
	KUNIT_EXPECT_EQ(test, pending(bed), (u32)JOBS);
	KUNIT_EXPECT_PTR_EQ(test, bed->ring.sched.pending_list.next, &bed->job[0]->base.list);
}

static void the_device_has_gone(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.gone = true;
	KUNIT_EXPECT_EQ(test, time_out(bed), DRM_GPU_SCHED_STAT_ENODEV);
	KUNIT_EXPECT_EQ(test, recover_seen.forced, -ENODEV);
	KUNIT_EXPECT_EQ(test, pending(bed), (u32)JOBS);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "p");
	amdm_recover_complaint(&bed->ring, 10, true);
	flush_delayed_work(&bed->ring.complaint_work);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "p");
}

/* Before it had its turn somebody else has reset the GPU: what the ring stood still at has ended. */
static void a_reset_comes_first(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.reset_comes_first = true;
	time_out(bed);
	KUNIT_EXPECT_STREQ(test, recover_seen.order, "psdipfcrS");
}

static void complain(struct recover_bed *bed, u32 seq, bool certain)
{
	amdm_recover_complaint(&bed->ring, seq, certain);
	flush_delayed_work(&bed->ring.complaint_work);
}

static void the_job_that_it_names(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	complain(bed, 11, true);
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, &bed->job[1]->base);
	KUNIT_EXPECT_EQ(test, pending(bed), (u32)JOBS - 1);	/* drm_sched_stop() has it */
	KUNIT_EXPECT_NULL(test, recover_seen.freed);
	recover_seen.blamed = NULL;
	complain(bed, 99, true);		/* it has ended and gone */
	dma_fence_signal(&bed->fence[2].base);
	complain(bed, 12, true);		/* it has ended */
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	KUNIT_EXPECT_EQ(test, pending(bed), (u32)JOBS - 1);
}

static void it_ends_while_its_scheduler_stops(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.ends_while_stopping = true;
	complain(bed, 10, true);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.freed, &bed->job[0]->base);
	KUNIT_EXPECT_FALSE(test, bed->ring.sched.free_guilty);
}

/* A VM fault of a VMID that several rings use: the engine says whether it was this one. */
static void a_fault_of_several(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.first = 10;
	complain(bed, 10, false);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	KUNIT_EXPECT_EQ(test, recover_seen.kicks, 0u);
	recover_seen.faulted = 1;
	complain(bed, 11, false);
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, &bed->job[1]->base);
}

/* The chip does not say: a ring that gets on does so within its share of the chip's time. */
static void a_ring_of_which_nobody_knows(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.faulted = -ENODATA;
	recover_seen.first = 10;
	complain(bed, 10, false);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	KUNIT_EXPECT_GT(test, recover_seen.kicks, 0u);	/* more of it, please */
	recover_seen.held = true;
	recover_seen.progress = (struct amdm_progress){ .slices = 1000, .rests = 1000 };
	amdm_recover_work(&bed->ring.complaint_work.work);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	recover_seen.held = false;
	recover_seen.progress = (struct amdm_progress){ .slices = 63, .rests = 1 };
	amdm_recover_work(&bed->ring.complaint_work.work);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	recover_seen.progress.rests = 2;
	amdm_recover_work(&bed->ring.complaint_work.work);
	KUNIT_EXPECT_PTR_EQ(test, recover_seen.blamed, &bed->job[0]->base);
}

static void a_ring_that_got_on(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.faulted = -ENODATA;
	recover_seen.first = 11;
	complain(bed, 10, false);
	KUNIT_EXPECT_NULL(test, recover_seen.blamed);
	KUNIT_EXPECT_EQ(test, recover_seen.kicks, 0u);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&bed->ring.complaint_work));
}

/* Its time counts from the first one; certainty comes, and does not go. */
static void complaints_about_one_job(struct kunit *test)
{
	struct recover_bed *bed = test->priv;

	recover_seen.progress.slices = 5;
	complain(bed, 30, false);
	recover_seen.progress.slices = 50;
	complain(bed, 30, false);
	KUNIT_EXPECT_EQ(test, bed->ring.complaint.since.slices, 5ULL);
	complain(bed, 30, true);
	KUNIT_EXPECT_TRUE(test, bed->ring.complaint.certain);
	complain(bed, 30, false);
	KUNIT_EXPECT_TRUE(test, bed->ring.complaint.certain);
	complain(bed, 31, false);
	KUNIT_EXPECT_FALSE(test, bed->ring.complaint.certain);
	KUNIT_EXPECT_EQ(test, bed->ring.complaint.since.slices, 50ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_ring_alone),
	KUNIT_CASE(waves_are_killed_first),
	KUNIT_CASE(waves_are_not_what_it_waits_for),
	KUNIT_CASE(the_whole_gpu),
	KUNIT_CASE(nobody_is_to_blame),
	KUNIT_CASE(the_device_has_gone),
	KUNIT_CASE(a_reset_comes_first),
	KUNIT_CASE(the_job_that_it_names),
	KUNIT_CASE(it_ends_while_its_scheduler_stops),
	KUNIT_CASE(a_fault_of_several),
	KUNIT_CASE(a_ring_of_which_nobody_knows),
	KUNIT_CASE(a_ring_that_got_on),
	KUNIT_CASE(complaints_about_one_job),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_recover", .init = recover_setup, .exit = recover_teardown, .test_cases = cases };
kunit_test_suite(suite);
