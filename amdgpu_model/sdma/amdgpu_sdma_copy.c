// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sdma_copy.c - a copy engine carries pages between VRAM and system memory
 *
 * As amdgpu does it for memory that migrates (Linux: svm_migrate_copy_memory_gart()): the pages of system memory get a place in the GART,
 * one beside the other, and a job of the kernel copies between that and VRAM.
 *
 * The job may have to wait on its ring behind one of user space that does not end, and the reset that would end that one may wait for locks
 * that are held here. So a job that has not begun in time is called off. It says that it has begun (COPY_BEGUN) before it looks whether it
 * is still wanted (COPY_WANTED); who calls it off says so before he looks whether it has begun. A job that has begun ends by itself.
 */
#include <linux/slab.h>

#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/sdma_v4.h"
#include "amdgpu_model/mem/amdgpu_copier.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define COPY_PATIENCE_MS	200	/* until a job has begun */

/* Dwords of the memory that a job's packets lie in */
#define COPY_WANTED	0
#define COPY_BEGUN	2
#define COPY_PACKETS	16	/* 32-byte aligned, as indirect buffers are */

#define COPY_HEAD_DWORDS	(5 + 5)
/* A packet for each page at worst. */
#define COPY_DWORDS		(COPY_PACKETS + COPY_HEAD_DWORDS + AMDM_COPY_PAGES * SDMA_COPY_LINEAR_DWORDS)

/**
 * struct copy_job - what a job needs until it has ended
 * @adev: device; the job's fence holds it
 * @entity: its way to the engine. Each job has its own: one keeps its last job's fence, and with it the device and the module
 * @mem:  its packets
 * @cb:   at its end
 * @work: frees this
 */
struct copy_job {
	struct amdm_device *adev;
	struct drm_sched_entity entity;
	struct amdm_gtt *mem;
	struct dma_fence_cb cb;
	struct work_struct work;
};

static struct amdm_ring *copy_ring(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++)
		if (adev->rings[i]->funcs->ip == AMDGPU_HW_IP_DMA && READ_ONCE(adev->rings[i]->ready))
			return adev->rings[i];
	return NULL;
}

static u32 *emit_copy(u32 *dw, u64 from, u64 to, u64 bytes)
{
	*dw++ = SDMA_HEADER(SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR);
	*dw++ = bytes - 1;
	*dw++ = 0;
	*dw++ = lower_32_bits(from);
	*dw++ = upper_32_bits(from);
	*dw++ = lower_32_bits(to);
	*dw++ = upper_32_bits(to);
	return dw;
}

/* One packet for pages that lie side by side in VRAM; in the GART all do. */
static u32 *emit_copies(struct amdm_device *adev, const struct amdm_copy *copy, u64 gart, u32 *dw)
{
	unsigned long i, run;

	for (i = 0; i < copy->count; i += run) {
		u64 vram = amdm_fb_start(adev) + copy->vram[i], ram = gart + ((u64)i << PAGE_SHIFT);

		for (run = 1; i + run < copy->count && copy->vram[i + run] == copy->vram[i] + ((u64)run << PAGE_SHIFT); run++)
			;
		dw = emit_copy(dw, copy->to_vram ? ram : vram, copy->to_vram ? vram : ram, (u64)run << PAGE_SHIFT);
	}
	return dw;
}

/* Return: dwords */
static u32 copy_fill(struct amdm_device *adev, const struct amdm_copy *copy, u64 gart, struct amdm_gtt *mem)
{
	u64 wanted = mem->addr + COPY_WANTED * sizeof(u32), begun = mem->addr + COPY_BEGUN * sizeof(u32);
	u32 *first = (u32 *)mem->cpu + COPY_PACKETS, *dw = first, *end;

	WRITE_ONCE(((u32 *)mem->cpu)[COPY_WANTED], 1);
	*dw++ = SDMA_HEADER(SDMA_OP_WRITE, 0);
	*dw++ = lower_32_bits(begun);
	*dw++ = upper_32_bits(begun);
	*dw++ = 1 - 1;	/* dwords */
	*dw++ = 1;
	*dw++ = SDMA_HEADER(SDMA_OP_COND_EXE, 0);
	*dw++ = lower_32_bits(wanted);
	*dw++ = upper_32_bits(wanted);
	*dw++ = 1;
	end = emit_copies(adev, copy, gart, dw + 1);
	*dw = end - (dw + 1);
	return end - first;
}

static void copy_free(struct work_struct *work)
{
	struct copy_job *copy = container_of(work, struct copy_job, work);

	drm_sched_entity_destroy(&copy->entity);
	amdm_gtt_destroy(copy->adev, copy->mem);
	kfree(copy);
}

static void copy_ended(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct copy_job *copy = container_of(cb, struct copy_job, cb);

	queue_work(copy->adev->vm_wq, &copy->work);
}

static struct copy_job *copy_job_new(struct amdm_ring *ring)
{
	struct copy_job *copy = kzalloc(sizeof(*copy), GFP_KERNEL);
	struct drm_gpu_scheduler *sched = &ring->sched;
	int ret;

	if (!copy)
		return ERR_PTR(-ENOMEM);
	copy->adev = ring->adev;
	INIT_WORK(&copy->work, copy_free);
	copy->mem = amdm_gtt_create(ring->adev, COPY_DWORDS * sizeof(u32));
	if (IS_ERR(copy->mem)) {
		ret = PTR_ERR(copy->mem);
		goto free;
	}
	ret = drm_sched_entity_init(&copy->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1, NULL);
	if (!ret)
		return copy;
	amdm_gtt_destroy(ring->adev, copy->mem);
free:
	kfree(copy);
	return ERR_PTR(ret);
}

/* The job is the scheduler's from here on; @copy goes with its end. Return: its fence, referenced; ERR_PTR: nothing has happened */
static struct dma_fence *copy_push(struct copy_job *copy, u32 dwords)
{
	struct amdm_job *job = amdm_job_create(copy->adev, 1);
	struct dma_fence *fence;
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);
	job->ibs[0] = (struct amdm_ib){ .addr = copy->mem->addr + COPY_PACKETS * sizeof(u32), .dwords = dwords };
	ret = kfdm_sched_job_init(&job->base, &copy->entity, NULL, NULL);
	if (ret) {
		amdm_job_destroy(job);
		return ERR_PTR(ret);
	}
	drm_sched_job_arm(&job->base);
	amdm_fence_bind(job->fence, amdm_ring_from_sched(job->base.sched));
	fence = dma_fence_get(&job->base.s_fence->finished);
	drm_sched_entity_push_job(&job->base);
	return fence;
}

/* Return: 0, -ETIME: called off before it had begun, or what the job ended with. */
static int copy_wait(u32 *mem, struct dma_fence *fence)
{
	if (!dma_fence_wait_timeout(fence, false, msecs_to_jiffies(COPY_PATIENCE_MS * amdm_glue_slow_factor()))) {
		WRITE_ONCE(mem[COPY_WANTED], 0);
		smp_mb(); /* see above: DOC */
		if (!READ_ONCE(mem[COPY_BEGUN]))
			return -ETIME;
		dma_fence_wait(fence, false);
	}
	return fence->error;
}

static int copy_in_gart(struct amdm_ring *ring, const struct amdm_copy *pages, u64 gart)
{
	struct copy_job *copy = copy_job_new(ring);
	struct dma_fence *fence;
	int ret;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	fence = copy_push(copy, copy_fill(ring->adev, pages, gart, copy->mem));
	if (IS_ERR(fence)) {
		copy_free(&copy->work);
		return PTR_ERR(fence);
	}
	ret = copy_wait(copy->mem->cpu, fence);
	if (dma_fence_add_callback(fence, &copy->cb, copy_ended))
		copy_free(&copy->work);
	dma_fence_put(fence);
	return ret;
}

static int copy_pages(struct amdm_device *adev, struct amdm_copy *pages)
{
	struct amdm_sysmem window = { .pages = pages->ram, .count = pages->count };
	struct amdm_ring *ring = copy_ring(adev);
	struct drm_mm_node gart = {};
	int ret;

	if (!ring)
		return -ENODEV;
	if (amdm_glue_held(adev))
		return -EBUSY;	/* a clock that is held holds the engine, too */
	ret = amdm_sysmem_bind(adev, &window);
	if (ret)
		return ret;
	ret = amdm_gart_map(adev, &gart, &window);
	if (!ret)
		ret = copy_in_gart(ring, pages, adev->gart.start + (gart.start << PAGE_SHIFT));
	amdm_gart_unmap(adev, &gart);
	amdm_sysmem_unbind(adev, &window);
	return ret;
}

/** amdm_sdma_copier - see struct amdm_copier */
const struct amdm_copier amdm_sdma_copier = { .copy = copy_pages };
