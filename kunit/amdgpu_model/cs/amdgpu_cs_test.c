// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_cs_test.c - CS: what is refused and as what, what the job is, what it waits for, and that whatever fails leaves nothing held.
 *
 * Order and errnos of checks: amdgpu_cs.c of Linux 6.1. The scheduler and the reservations are the kernel's.
 */
#include <kunit/test.h>

#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include "fake_ctx.h"
#include "kunit/amdgpu_model/ring/fake_sched.h"
#include "amdgpu_model/cs/amdgpu_cs.c"

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
}

#define USER_BO		1	/* handles */
#define LARGE_BO	2
#define DOORBELL_BO	3
#define OTHER_BO	4
#define BUFFERS		4
#define LIST		5
#define MC_ADDRESS	0x8000001000ULL
#define MAX_IB_DWORDS	0xfffff
#define MANY_IBS	66

/** struct image - the page of user memory: pointers to chunks, chunks, their data */
struct image {
	u64 array[70];
	struct drm_amdgpu_cs_chunk chunk[70];
	struct drm_amdgpu_cs_chunk_ib ib[MANY_IBS];
	u32 data[32];
};

struct cs_bed {
	struct amdm_device adev;
	struct amdm_file priv;
	struct amdm_vm vm;
	struct amdm_ring ring;
	struct drm_sched_backend_ops ops;
	struct amdm_bo bo[BUFFERS + 1];
	struct image image;
	u32 chunks, ibs, words;
	struct amdm_bo_list *list;
};

/* What the suite's half of amdgpu_model has seen, and what it answers */
static struct {
	struct cs_bed *bed;
	int lists, sync_answer, place_answer, room_answer, list_answer, mc_answer;
	u32 dispatched[16], dropped, signaled, places, checks, rooms;
	u32 unplaced, no_room;		/* so often */
	u32 dependencies, num_ibs;
	struct amdm_ib ibs[MANY_IBS];
	u64 user_fence, user_seq, number;
	bool has_user_bo;
	atomic_t jobs;			/* in being; the scheduler's thread frees them */
} cs_seen;

static struct amdm_bo_list *list_get(void)
{
	cs_seen.lists++;
	return cs_seen.bed->list;
}

struct amdm_bo_list *amdm_bo_list_create(struct drm_file *file, const struct drm_amdgpu_bo_list_in *in)
{
	return cs_seen.list_answer ? ERR_PTR(cs_seen.list_answer) : list_get();
}

struct amdm_bo_list *amdm_bo_list_get(struct amdm_file *file, u32 handle)
{
	return handle == LIST ? list_get() : NULL;
}

void amdm_bo_list_put(struct amdm_bo_list *list)
{
	cs_seen.lists -= !!list;
}

bool amdm_ctx_has_room(const struct amdm_ctx_entity *entity)
{
	return !cs_seen.no_room || !cs_seen.no_room--;
}

int amdm_ctx_wait_room(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity)
{
	cs_seen.rooms++;
	return cs_seen.room_answer;
}

u64 amdm_ctx_add_fence(struct amdm_ctx_entity *entity, struct dma_fence *fence)
{
	WARN_ON(!mutex_is_locked(&fake_ctx.ctx.lock));
	return ++cs_seen.number;
}

struct amdm_job *amdm_job_create(struct amdm_device *adev, u32 num_ibs)
{
	struct amdm_job *job = kzalloc(struct_size(job, ibs, num_ibs), GFP_KERNEL);

	if (job)
		atomic_inc(&cs_seen.jobs);
	return job;
}

void amdm_vm_put(struct amdm_vm *vm)
{
	WARN_ON(refcount_dec_and_test(&vm->ref.refcount));
}

void amdm_job_destroy(struct amdm_job *job)
{
	if (job->vm)
		amdm_vm_put(job->vm);
	if (job->user_bo)
		drm_gem_object_put(&job->user_bo->base);
	kfree(job);
	atomic_dec(&cs_seen.jobs);
}

static void free_job(struct drm_sched_job *job)
{
	drm_sched_job_cleanup(job);
	amdm_job_destroy(container_of(job, struct amdm_job, base));
}

void amdm_fence_bind(struct amdm_fence *fence, struct amdm_ring *ring)
{
	WARN_ON(ring != &cs_seen.bed->ring);
}

int amdm_bo_mc_address(struct amdm_bo *bo, u64 *addr)
{
	*addr = MC_ADDRESS;
	return cs_seen.mc_answer;
}

int amdm_cs_place(struct amdm_cs *cs)
{
	WARN_ON(rwsem_is_locked(&cs->adev->placement.sem));
	cs_seen.places++;
	return cs_seen.place_answer;
}

bool amdm_cs_is_placed(struct amdm_cs *cs)
{
	WARN_ON(!rwsem_is_locked(&cs->adev->placement.sem));
	cs_seen.checks++;
	return !cs_seen.unplaced || !cs_seen.unplaced--;
}

static int dispatch(const struct amdm_cs_chunk *chunk)
{
	cs_seen.dispatched[chunk->id]++;
	return cs_seen.sync_answer;
}

int amdm_cs_dependencies(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	WARN_ON(chunk->id != AMDGPU_CHUNK_ID_DEPENDENCIES && chunk->id != AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES);
	return dispatch(chunk);
}

int amdm_cs_syncobj_in(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	WARN_ON(chunk->id != AMDGPU_CHUNK_ID_SYNCOBJ_IN);
	return dispatch(chunk);
}

int amdm_cs_timeline_wait(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	WARN_ON(chunk->id != AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT);
	return dispatch(chunk);
}

int amdm_cs_syncobj_out(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	WARN_ON(chunk->id != AMDGPU_CHUNK_ID_SYNCOBJ_OUT);
	return dispatch(chunk);
}

int amdm_cs_timeline_signal(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	WARN_ON(chunk->id != AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL);
	return dispatch(chunk);
}

/* The job is complete and has not been handed to the scheduler yet. */
void amdm_cs_signal(struct amdm_cs *cs, struct dma_fence *fence)
{
	struct amdm_job *job = cs->job;
	struct dma_fence *dependency;
	unsigned long i;

	cs_seen.dependencies = 0;
	xa_for_each(&job->base.dependencies, i, dependency)
		cs_seen.dependencies++;
	cs_seen.num_ibs = job->num_ibs;
	memcpy(cs_seen.ibs, job->ibs, job->num_ibs * sizeof(job->ibs[0]));
	cs_seen.user_fence = job->user_fence;
	cs_seen.user_seq = job->user_seq;
	cs_seen.has_user_bo = job->user_bo;
	cs_seen.signaled++;
}

void amdm_cs_drop_signals(struct amdm_cs *cs)
{
	cs_seen.dropped++;
}

static const struct amdm_ring_funcs ring_funcs = { .ip = AMDGPU_HW_IP_COMPUTE, .max_ib_dwords = MAX_IB_DWORDS };

static_assert(sizeof(struct image) <= PAGE_SIZE);

static int cs_make_buffers(struct cs_bed *bed)
{
	u32 i;

	for (i = 1; i <= BUFFERS; i++) {
		struct amdm_bo *bo = &bed->bo[i];

		kref_init(&bo->base.refcount);
		bo->base.size = i == LARGE_BO ? 2 * PAGE_SIZE : PAGE_SIZE;
		bo->base.resv = &bo->base._resv;
		dma_resv_init(bo->base.resv);
		bo->kind = i == DOORBELL_BO ? AMDM_DOORBELL : AMDM_VRAM;
		if (idr_alloc(&fake_ctx.file.object_idr, &bo->base, i, i + 1, GFP_KERNEL) != i)
			return -ENOMEM;
	}
	return 0;
}

static int cs_setup(struct kunit *test)
{
	struct cs_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	struct drm_gpu_scheduler *sched;
	int ret;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&cs_seen, 0, sizeof(cs_seen));
	cs_seen.bed = bed;
	bed->list = kunit_kzalloc(test, struct_size(bed->list, objs, BUFFERS), GFP_KERNEL);
	if (!bed->list)
		return -ENOMEM;
	init_rwsem(&bed->adev.placement.sem);
	fake_ctx_begin(&bed->adev);
	fake_ctx.file.driver_priv = &bed->priv;
	spin_lock_init(&fake_ctx.file.table_lock);
	idr_init_base(&fake_ctx.file.object_idr, 1);
	bed->priv.vm = &bed->vm;
	kref_init(&bed->vm.ref);
	bed->vm.id = 77;
	bed->vm.root_obj.resv = &bed->vm.root_obj._resv;
	dma_resv_init(bed->vm.root_obj.resv);
	bed->ring.funcs = &ring_funcs;
	ret = fake_sched_begin(&bed->ring, free_job, &bed->ops);
	sched = &bed->ring.sched;
	if (!ret)
		ret = drm_sched_entity_init(&fake_ctx.entity.entity, DRM_SCHED_PRIORITY_NORMAL, &sched, 1, &fake_ctx.ctx.guilty);
	return ret ? ret : cs_make_buffers(bed);
}

/* All jobs that were made have gone; nothing else holds anything. */
static void cs_teardown(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	unsigned long late = jiffies + SCHED_PATIENCE;
	u32 i;

	while (atomic_read(&cs_seen.jobs) && time_before(jiffies, late)) {
		fake_sched_end(0);
		schedule_timeout_uninterruptible(1);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&cs_seen.jobs), 0);
	drm_sched_entity_destroy(&fake_ctx.entity.entity);
	fake_sched_fini(&bed->ring);
	KUNIT_EXPECT_EQ(test, cs_seen.lists, 0);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->vm.ref), 1u);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	KUNIT_EXPECT_FALSE(test, dma_resv_is_locked(bed->vm.root_obj.resv));
	dma_resv_fini(&bed->vm.root_obj._resv);
	for (i = 1; i <= BUFFERS; i++) {
		KUNIT_EXPECT_EQ_MSG(test, kref_read(&bed->bo[i].base.refcount), 1u, "buffer %u", i);
		dma_resv_fini(&bed->bo[i].base._resv);
	}
	idr_destroy(&fake_ctx.file.object_idr);
	fake_ctx_end(test);
}

/* Where a member of the image is in user memory */
#define AT(bed, member)	(user_page + (unsigned long)((void *)(member) - (void *)&(bed)->image))

static struct drm_amdgpu_cs_chunk *add(struct cs_bed *bed, u32 id, u32 dwords, const void *data)
{
	struct drm_amdgpu_cs_chunk *chunk = &bed->image.chunk[bed->chunks];

	memcpy(&bed->image.data[bed->words], data, dwords * sizeof(u32));
	*chunk = (struct drm_amdgpu_cs_chunk){ id, dwords, AT(bed, &bed->image.data[bed->words]) };
	bed->words += dwords;
	bed->image.array[bed->chunks++] = AT(bed, chunk);
	return chunk;
}

static struct drm_amdgpu_cs_chunk_ib *add_ib(struct cs_bed *bed)
{
	struct drm_amdgpu_cs_chunk_ib *ib = &bed->image.ib[bed->ibs++];
	struct drm_amdgpu_cs_chunk *chunk = add(bed, AMDGPU_CHUNK_ID_IB, 0, NULL);

	*ib = (struct drm_amdgpu_cs_chunk_ib){ .ip_type = AMDGPU_HW_IP_COMPUTE, .va_start = 0x100000, .ib_bytes = 64 };
	chunk->length_dw = sizeof(*ib) / sizeof(u32);
	chunk->chunk_data = AT(bed, ib);
	return ib;
}

static void add_user_fence(struct cs_bed *bed, u32 handle, u32 offset)
{
	const struct drm_amdgpu_cs_chunk_fence fence = { handle, offset };

	add(bed, AMDGPU_CHUNK_ID_FENCE, sizeof(fence) / sizeof(u32), &fence);
}

static void add_bo_handles(struct cs_bed *bed)
{
	const struct drm_amdgpu_bo_list_in in = {};

	add(bed, AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(in) / sizeof(u32), &in);
}

static int submit_as(struct kunit *test, union drm_amdgpu_cs *args)
{
	struct cs_bed *bed = test->priv;
	int ret;

	KUNIT_ASSERT_TRUE(test, user_write(&bed->image, sizeof(bed->image)));
	kthread_use_mm(user_mm);
	ret = amdm_cs_ioctl(&bed->adev.ddev, args, &fake_ctx.file);
	kthread_unuse_mm(user_mm);
	return ret;
}

/* What has been added, to context 1 with @list; then all is forgotten. */
static int submit_list(struct kunit *test, u32 list)
{
	struct cs_bed *bed = test->priv;
	union drm_amdgpu_cs args = { .in = { .ctx_id = 1, .bo_list_handle = list, .num_chunks = bed->chunks, .chunks = user_page } };
	int ret = submit_as(test, &args);

	if (!ret)
		KUNIT_EXPECT_EQ(test, args.out.handle, cs_seen.number);
	bed->chunks = bed->ibs = bed->words = 0;
	return ret;
}

static int submit(struct kunit *test)
{
	return submit_list(test, 0);
}

static void a_job(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	struct drm_amdgpu_cs_chunk_ib *ib;

	add_ib(bed)->flags = AMDGPU_IB_FLAG_EMIT_MEM_SYNC;
	add_ib(bed)->ib_bytes = 0;	/* nothing to run */
	ib = add_ib(bed);
	ib->va_start = 0x200000;
	ib->ib_bytes = 4 * MAX_IB_DWORDS + 3;
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	KUNIT_ASSERT_EQ(test, cs_seen.num_ibs, 2u);
	KUNIT_EXPECT_EQ(test, cs_seen.ibs[0].addr, 0x100000ULL);
	KUNIT_EXPECT_EQ(test, cs_seen.ibs[0].dwords, 16u);
	KUNIT_EXPECT_EQ(test, cs_seen.ibs[0].flags, (u32)AMDGPU_IB_FLAG_EMIT_MEM_SYNC);
	KUNIT_EXPECT_EQ(test, cs_seen.ibs[1].addr, 0x200000ULL);
	KUNIT_EXPECT_EQ(test, cs_seen.ibs[1].dwords, (u32)MAX_IB_DWORDS);
	KUNIT_EXPECT_EQ(test, cs_seen.user_fence, 0ULL);
	KUNIT_EXPECT_EQ(test, cs_seen.dropped, 1u);
	KUNIT_EXPECT_FALSE(test, dma_resv_test_signaled(bed->vm.root_obj.resv, DMA_RESV_USAGE_WRITE));
}

static void no_context(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	union drm_amdgpu_cs args = { .in = { .ctx_id = 1, .chunks = user_page } };

	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_as(test, &args), -EINVAL);	/* no chunks */
	args = (union drm_amdgpu_cs){ .in = { .ctx_id = 2, .num_chunks = 1, .chunks = user_page } };
	KUNIT_EXPECT_EQ(test, submit_as(test, &args), -EINVAL);
	atomic_set(&fake_ctx.ctx.guilty, 1);
	KUNIT_EXPECT_EQ(test, submit(test), -ECANCELED);
	KUNIT_EXPECT_EQ(test, cs_seen.signaled, 0u);
}

static void hostile_sizes_and_addresses(struct kunit *test)
{
	union drm_amdgpu_cs args = { .in = { .ctx_id = 1, .num_chunks = ~0u, .chunks = user_page } };
	struct cs_bed *bed = test->priv;

	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_as(test, &args), -ENOMEM);
	args = (union drm_amdgpu_cs){ .in = { .ctx_id = 1, .num_chunks = 1, .chunks = 8 } };
	KUNIT_EXPECT_EQ(test, submit_as(test, &args), -EFAULT);
	bed->image.array[0] = 8;
	KUNIT_EXPECT_EQ(test, submit(test), -EFAULT);
	add_ib(bed);
	bed->image.chunk[0].chunk_data = 8;
	KUNIT_EXPECT_EQ(test, submit(test), -EFAULT);
	add_ib(bed);
	bed->image.chunk[0].length_dw = ~0u;	/* 16 GiB less a dword */
	KUNIT_EXPECT_EQ(test, submit(test), -ENOMEM);
	add_ib(bed);
	bed->image.chunk[0].length_dw--;
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
}

static const struct {
	u32 id, dwords;
} short_chunks[] = {
	{ AMDGPU_CHUNK_ID_FENCE, sizeof(struct drm_amdgpu_cs_chunk_fence) / 4 - 1 },
	{ AMDGPU_CHUNK_ID_FENCE, 0 },
	{ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(struct drm_amdgpu_bo_list_in) / 4 - 1 },
	{ 0, 8 },
	{ 0x0b, 8 },
	{ ~0u, 8 },
};

static void chunks_that_are_none(struct kunit *test)
{
	static const u32 zeros[8];
	struct cs_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(short_chunks); i++) {
		add_ib(bed);
		add(bed, short_chunks[i].id, short_chunks[i].dwords, zeros);
		KUNIT_EXPECT_EQ_MSG(test, submit(test), -EINVAL, "row %u", i);
	}
	add(bed, AMDGPU_CHUNK_ID_SYNCOBJ_IN, 0, zeros);	/* no buffer at all */
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
	KUNIT_EXPECT_EQ(test, cs_seen.dispatched[AMDGPU_CHUNK_ID_SYNCOBJ_IN], 0u);
	KUNIT_EXPECT_EQ(test, cs_seen.signaled, 0u);
}

static void indirect_buffers(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < MANY_IBS; i++)	/* more than a ring takes: that is for the ring to say */
		add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.num_ibs, (u32)MANY_IBS);
	add_ib(bed)->ib_bytes = 4 * (MAX_IB_DWORDS + 1);
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
	add_ib(bed)->ring = 1;
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
	add_ib(bed)->ip_type = ~0u;
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
}

/* Graphics: one of the DE and one of the CE */
static void preemptible_buffers(struct kunit *test)
{
	static const u32 flags[][3] = {
		{ AMDGPU_IB_FLAG_PREEMPT, AMDGPU_IB_FLAG_PREEMPT | AMDGPU_IB_FLAG_CE, 0 },
		{ AMDGPU_IB_FLAG_PREEMPT, 0, AMDGPU_IB_FLAG_PREEMPT },
		{ AMDGPU_IB_FLAG_PREEMPT | AMDGPU_IB_FLAG_CE, AMDGPU_IB_FLAG_PREEMPT | AMDGPU_IB_FLAG_CE, 0 },
	};
	struct cs_bed *bed = test->priv;
	u32 i, k, ip;

	for (ip = AMDGPU_HW_IP_GFX; ip <= AMDGPU_HW_IP_COMPUTE; ip++) {
		for (i = 0; i < ARRAY_SIZE(flags); i++) {
			for (k = 0; k < 3; k++) {
				struct drm_amdgpu_cs_chunk_ib *ib = add_ib(bed);

				ib->ip_type = ip;
				ib->flags = flags[i][k];
			}
			KUNIT_EXPECT_EQ_MSG(test, submit(test), i && ip == AMDGPU_HW_IP_GFX ? -EINVAL : 0, "ip %u row %u", ip, i);
		}
	}
}

static const struct {
	u32 handle, offset;
	int answer;
} user_fences[] = {
	{ USER_BO, 0, 0 },
	{ USER_BO, PAGE_SIZE - 8, 0 },
	{ USER_BO, PAGE_SIZE - 4, -EINVAL },
	{ USER_BO, ~0u, -EINVAL },
	{ LARGE_BO, 0, -EINVAL },
	{ DOORBELL_BO, 0, -EINVAL },
	{ 99, 0, -EINVAL },
	{ 0, 0, -EINVAL },
};

static void a_number_for_the_user(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(user_fences); i++) {
		add_ib(bed);
		add_user_fence(bed, user_fences[i].handle, user_fences[i].offset);
		KUNIT_EXPECT_EQ_MSG(test, submit(test), user_fences[i].answer, "row %u", i);
		if (user_fences[i].answer)
			continue;
		KUNIT_EXPECT_EQ(test, cs_seen.user_fence, MC_ADDRESS + user_fences[i].offset);
		KUNIT_EXPECT_EQ(test, cs_seen.user_seq, cs_seen.number);
		KUNIT_EXPECT_TRUE(test, cs_seen.has_user_bo);
		KUNIT_EXPECT_FALSE(test, dma_resv_test_signaled(bed->bo[USER_BO].base.resv, DMA_RESV_USAGE_WRITE));
	}
	add_ib(bed);
	add_user_fence(bed, USER_BO, 0);
	add_user_fence(bed, USER_BO, 8);
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
	cs_seen.mc_answer = -ENOMEM;
	add_ib(bed);
	add_user_fence(bed, USER_BO, 0);
	KUNIT_EXPECT_EQ(test, submit(test), -ENOMEM);
}

static void put_in_list(struct cs_bed *bed, u32 handle)
{
	bed->list->objs[bed->list->count++] = &bed->bo[handle].base;
}

static void lists(struct kunit *test)
{
	struct cs_bed *bed = test->priv;

	put_in_list(bed, USER_BO);
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST + 1), -ENOENT);
	add_ib(bed);
	add_bo_handles(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), -EINVAL);
	add_ib(bed);
	add_bo_handles(bed);
	add_bo_handles(bed);
	KUNIT_EXPECT_EQ(test, submit(test), -EINVAL);
	add_ib(bed);
	add_bo_handles(bed);
	add_user_fence(bed, USER_BO, 0);	/* locked once, although it is in the list */
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	KUNIT_EXPECT_FALSE(test, dma_resv_test_signaled(bed->bo[USER_BO].base.resv, DMA_RESV_USAGE_WRITE));
	cs_seen.list_answer = -EFAULT;
	add_ib(bed);
	add_bo_handles(bed);
	KUNIT_EXPECT_EQ(test, submit(test), -EFAULT);
}

static void busy(struct kunit *test, struct amdm_bo *bo, struct dma_fence *fence)
{
	KUNIT_ASSERT_EQ(test, dma_resv_lock(bo->base.resv, NULL), 0);
	KUNIT_ASSERT_EQ(test, dma_resv_reserve_fences(bo->base.resv, 1), 0);
	dma_resv_add_fence(bo->base.resv, fence, DMA_RESV_USAGE_WRITE);
	dma_resv_unlock(bo->base.resv);
}

/* amdgpu_sync_resv: others' jobs are waited for, those of the same address space not. */
static void implicit_synchronisation(struct kunit *test)
{
	struct cs_bed *bed = test->priv;

	put_in_list(bed, OTHER_BO);
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.dependencies, 0u);
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.dependencies, 0u);	/* the first one is ours */
	busy(test, &bed->bo[OTHER_BO], &fake_ctx.fences[1]);
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.dependencies, 1u);
	bed->bo[OTHER_BO].gem_flags = AMDGPU_GEM_CREATE_EXPLICIT_SYNC;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.dependencies, 0u);
	bed->vm.id++;	/* somebody else's now */
	bed->bo[OTHER_BO].gem_flags = 0;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_GT(test, cs_seen.dependencies, 1u);
	dma_fence_signal(&fake_ctx.fences[1]);
}

/* Such a buffer has the address space's own reservation, which is locked anyway. */
static void always_valid_buffers(struct kunit *test)
{
	struct cs_bed *bed = test->priv;

	bed->bo[OTHER_BO].base.resv = bed->vm.root_obj.resv;
	bed->bo[USER_BO].base.resv = bed->vm.root_obj.resv;
	put_in_list(bed, OTHER_BO);
	add_ib(bed);
	add_user_fence(bed, USER_BO, 0);
	KUNIT_EXPECT_EQ(test, submit_list(test, LIST), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.dependencies, 0u);
}

static void places_are_looked_at_again(struct kunit *test)
{
	struct cs_bed *bed = test->priv;

	cs_seen.unplaced = 3;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.places, 4u);
	cs_seen.places = 0;
	cs_seen.unplaced = 1000;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), -ENOMEM);
	KUNIT_EXPECT_EQ(test, cs_seen.places, 8u);
	cs_seen.unplaced = 0;
	cs_seen.place_answer = -ERESTARTSYS;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), -ERESTARTSYS);
}

/* However often another thread takes it */
static void room_in_the_context(struct kunit *test)
{
	struct cs_bed *bed = test->priv;

	cs_seen.no_room = 20;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	KUNIT_EXPECT_EQ(test, cs_seen.rooms, 21u);
	cs_seen.room_answer = -ERESTARTSYS;
	add_ib(bed);
	KUNIT_EXPECT_EQ(test, submit(test), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, cs_seen.signaled, 1u);
}

static void what_it_waits_for_and_signals(struct kunit *test)
{
	static const u32 ids[] = {
		AMDGPU_CHUNK_ID_DEPENDENCIES, AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES, AMDGPU_CHUNK_ID_SYNCOBJ_IN,
		AMDGPU_CHUNK_ID_SYNCOBJ_OUT, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL,
	};
	struct cs_bed *bed = test->priv;
	u32 i;

	add_ib(bed);
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		add(bed, ids[i], 0, NULL);
	KUNIT_EXPECT_EQ(test, submit(test), 0);
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		KUNIT_EXPECT_EQ_MSG(test, cs_seen.dispatched[ids[i]], 1u, "chunk %u", ids[i]);
	KUNIT_EXPECT_EQ(test, cs_seen.signaled, 1u);
	cs_seen.sync_answer = -ENOENT;
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		add_ib(bed);
		add(bed, ids[i], 0, NULL);
		KUNIT_EXPECT_EQ(test, submit(test), -ENOENT);
	}
	KUNIT_EXPECT_EQ(test, cs_seen.signaled, 1u);
	KUNIT_EXPECT_EQ(test, cs_seen.dropped, 7u);
}

static void without_memory(struct kunit *test)
{
	struct cs_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	put_in_list(bed, OTHER_BO);
	busy(test, &bed->bo[OTHER_BO], &fake_ctx.fences[1]);
	for (n = 1; used; n++) {
		int ret;

		add_ib(bed);
		add_user_fence(bed, USER_BO, 0);
		fail_nth_arm(n);
		ret = submit_list(test, LIST);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		KUNIT_EXPECT_EQ(test, cs_seen.lists + fake_ctx.refs, 0);
		KUNIT_EXPECT_EQ(test, cs_seen.dropped, n);
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
	dma_fence_signal(&fake_ctx.fences[1]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_job),
	KUNIT_CASE(no_context),
	KUNIT_CASE(hostile_sizes_and_addresses),
	KUNIT_CASE(chunks_that_are_none),
	KUNIT_CASE(indirect_buffers),
	KUNIT_CASE(preemptible_buffers),
	KUNIT_CASE(a_number_for_the_user),
	KUNIT_CASE(lists),
	KUNIT_CASE(implicit_synchronisation),
	KUNIT_CASE(always_valid_buffers),
	KUNIT_CASE(places_are_looked_at_again),
	KUNIT_CASE(room_in_the_context),
	KUNIT_CASE(what_it_waits_for_and_signals),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_cs",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = cs_setup,
	.exit = cs_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
