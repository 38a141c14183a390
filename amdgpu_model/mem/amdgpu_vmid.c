// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vmid.c - a VMID for each job
 *
 * VMIDs 1 to 7 of each memory hub are for jobs (8 to 15 are KFD's). A job takes the VMID that its address space had last, or else
 * the one that has been idle for longest; while all are busy it waits for the oldest. Only rings write page table bases, each for
 * itself before its first job of an owner of the VMID (amdgpu_job.c): which ring comes first is not known when VMIDs are chosen.
 * One address space at a time can reserve a VMID of the GFXHUB for itself (AMDGPU_VM_MAX_RESERVED_VMID).
 */
#include <drm/drm_file.h>

#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_file.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

/** amdm_vmids_init() - nobody has one */
void amdm_vmids_init(struct amdm_device *adev)
{
	u32 hub, i;

	for (hub = 0; hub < AMDM_HUBS; hub++) {
		struct amdm_vmids *vmids = &adev->vmids[hub];

		mutex_init(&vmids->lock);
		INIT_LIST_HEAD(&vmids->lru);
		for (i = 1; i < AMDM_JOB_VMIDS; i++)
			list_add_tail(&vmids->id[i].lru, &vmids->lru);
	}
}

static void amdm_vmid_drop(struct amdm_vmid *id)
{
	u32 i;

	for (i = 0; i < AMDM_MAX_RINGS; i++) {
		dma_fence_put(id->busy[i]);
		id->busy[i] = NULL;
	}
	id->owner = 0;
}

/** amdm_vmids_fini() - the end */
void amdm_vmids_fini(struct amdm_device *adev)
{
	u32 hub, i;

	for (hub = 0; hub < AMDM_HUBS; hub++)
		for (i = 1; i < AMDM_JOB_VMIDS; i++)
			amdm_vmid_drop(&adev->vmids[hub].id[i]);
}

/* A fence that the VMID is still busy with, NULL: idle. vmids->lock held. */
static struct dma_fence *amdm_vmid_busy(struct amdm_vmid *id)
{
	u32 i;

	for (i = 0; i < AMDM_MAX_RINGS; i++) {
		if (id->busy[i] && !dma_fence_is_signaled(id->busy[i]))
			return id->busy[i];
		dma_fence_put(id->busy[i]);
		id->busy[i] = NULL;
	}
	return NULL;
}

/** amdm_vmids_forget() - a reset has cleared the page table bases; jobs that will be run again keep their VMIDs */
void amdm_vmids_forget(struct amdm_device *adev)
{
	u32 hub, i;

	for (hub = 0; hub < AMDM_HUBS; hub++) {
		mutex_lock(&adev->vmids[hub].lock);
		for (i = 1; i < AMDM_JOB_VMIDS; i++)
			if (!amdm_vmid_busy(&adev->vmids[hub].id[i]))
				adev->vmids[hub].id[i].owner = 0;
		mutex_unlock(&adev->vmids[hub].lock);
	}
}

static struct amdm_vmid *amdm_vmid_reserved(struct amdm_vmids *vmids, u64 owner)
{
	u32 i;

	for (i = 1; i < AMDM_JOB_VMIDS; i++)
		if (vmids->id[i].reserved && (!owner || vmids->id[i].reserved == owner))
			return &vmids->id[i];
	return NULL;
}

/* The VMID for an address space; NULL: all are busy, *wait is the fence to wait for. vmids->lock held. */
static struct amdm_vmid *amdm_vmid_find(struct amdm_vmids *vmids, const struct amdm_vm *vm, struct dma_fence **wait)
{
	struct amdm_vmid *mine = amdm_vmid_reserved(vmids, vm->id), *id;

	list_for_each_entry(id, &vmids->lru, lru)
		if (id->owner == vm->id && (mine ? id == mine : !id->reserved))
			return id;
	list_for_each_entry(id, &vmids->lru, lru) {
		struct dma_fence *fence;

		if (mine ? id != mine : id->reserved != 0)
			continue;
		fence = amdm_vmid_busy(id);
		if (!fence)
			return id;
		if (!*wait)
			*wait = dma_fence_get(fence);
	}
	return NULL;
}

/**
 * amdm_vmid_grab() - choose the VMID that a job runs in
 * @ring: its ring
 * @job:  all it depends on has happened; its vmid, generation, updates and pd are set
 * Return: NULL, or a fence to wait for first (with a reference).
 */
struct dma_fence *amdm_vmid_grab(struct amdm_ring *ring, struct amdm_job *job)
{
	struct amdm_vmids *vmids = &ring->adev->vmids[ring->hub];
	u64 updates = atomic64_read(&job->vm->updates);
	struct dma_fence *wait = NULL;
	struct amdm_vmid *id;

	mutex_lock(&vmids->lock);
	id = amdm_vmid_find(vmids, job->vm, &wait);
	if (id) {
		dma_fence_put(wait);
		wait = NULL;
		job->vmid = id - vmids->id;
		job->pd = amdm_vm_page_table_base(job->vm);
		if (id->owner != job->vm->id)
			id->generation++;
		id->owner = job->vm->id;
		job->generation = id->generation;
		job->updates = updates;
		dma_fence_put(id->busy[ring->index]);
		id->busy[ring->index] = dma_fence_get(&job->base.s_fence->finished);
		list_move_tail(&id->lru, &vmids->lru);
	}
	mutex_unlock(&vmids->lock);
	/* Its end, also if it is a job of the same ring: drm_sched would wait until it is on the ring, and ask again without a rest. */
	if (wait)
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &wait->flags);
	return wait;
}

/** amdm_vmid_release() - a job has ended: its VMID must not keep its fence, which keeps the module */
void amdm_vmid_release(struct amdm_ring *ring, struct amdm_job *job)
{
	struct amdm_vmids *vmids = &ring->adev->vmids[ring->hub];
	struct dma_fence **busy = &vmids->id[job->vmid].busy[ring->index];

	if (!job->vmid)
		return;
	mutex_lock(&vmids->lock);
	if (*busy == &job->base.s_fence->finished) {
		dma_fence_put(*busy);
		*busy = NULL;
	}
	mutex_unlock(&vmids->lock);
}

/** amdm_vmid_reserve() - keep a VMID of the GFXHUB for an address space. Return: 0, -EINVAL: another one has one. */
int amdm_vmid_reserve(struct amdm_device *adev, struct amdm_vm *vm)
{
	struct amdm_vmids *vmids = &adev->vmids[0];
	int ret = 0;

	mutex_lock(&vmids->lock);
	if (!amdm_vmid_reserved(vmids, vm->id)) {
		if (amdm_vmid_reserved(vmids, 0))
			ret = -EINVAL;
		else
			list_first_entry(&vmids->lru, struct amdm_vmid, lru)->reserved = vm->id;
	}
	mutex_unlock(&vmids->lock);
	return ret;
}

/** amdm_vmid_unreserve() - let it go, if it has one */
void amdm_vmid_unreserve(struct amdm_device *adev, struct amdm_vm *vm)
{
	struct amdm_vmids *vmids = &adev->vmids[0];
	struct amdm_vmid *id;

	mutex_lock(&vmids->lock);
	id = amdm_vmid_reserved(vmids, vm->id);
	if (id)
		id->reserved = 0;
	mutex_unlock(&vmids->lock);
}

/** amdm_vm_ioctl() - DRM_IOCTL_AMDGPU_VM */
int amdm_vm_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct amdm_vm *vm = amdm_file_vm(file);
	union drm_amdgpu_vm *args = data;

	if (args->in.flags)
		return -EINVAL;
	switch (args->in.op) {
	case AMDGPU_VM_OP_RESERVE_VMID:
		return amdm_vmid_reserve(amdm_from_drm(ddev), vm);
	case AMDGPU_VM_OP_UNRESERVE_VMID:
		amdm_vmid_unreserve(amdm_from_drm(ddev), vm);
		return 0;
	default:
		return -EINVAL;
	}
}
