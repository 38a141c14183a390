// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_evict_kfd.c - buffers of KFD move when its queues are off
 *
 * The driver cannot know which buffers a user queue touches, so all queues of the process are stopped. In Linux each of its buffers has an
 * eviction fence, and the first waiter for it starts the eviction; here whoever needs the room asks for it. KFD unmaps the queues (after
 * the process has had 10 ms to run), reports that for each address space, and 100 ms later starts to restore them: the buffers return to
 * VRAM, or stay in GTT if there is no room, and only then the queues run again (Linux: amdgpu_amdkfd_gpuvm_restore_process_bos()).
 */
#include <linux/mm.h>
#include <linux/jiffies.h>

#include "amdgpu_evict.h"
#include "amdgpu_vm.h"

#define RESTORE_PATIENCE	(HZ / 4)	/* a reset waits for a restore, and jobs may wait for the reset */

/** amdm_kgd_vm_evicted() - see kfd_bridge.h */
void amdm_kgd_vm_evicted(struct amdm_device *adev, struct amdm_vm *vm)
{
	down_write(&adev->placement.sem);
	vm->queues_off = true;
	WRITE_ONCE(adev->placement.departures, adev->placement.departures + 1);
	up_write(&adev->placement.sem);
	wake_up_all(&adev->placement.left);
}

/* A buffer that KFD has mapped there, is not where it is to be, and has not been looked at since @since; with a reference. */
static struct amdm_bo *restore_next(struct amdm_vm *vm, u64 since)
{
	struct interval_tree_node *node;
	struct amdm_bo *found = NULL;

	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	for (node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX); node && !found;
	     node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		struct amdm_mapping *mapping = container_of(node, struct amdm_mapping, node);

		if (amdm_mapping_is_of_kfd(mapping) && mapping->bo->used_at < since && amdm_move_is_wanted(mapping->bo))
			found = mapping->bo;
	}
	if (found)
		drm_gem_object_get(&found->base);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	return found;
}

/* Others may have had something evicted meanwhile; amdm_placement.sem held for writing. */
static bool restore_is_complete(struct amdm_vm *vm)
{
	struct interval_tree_node *node;
	bool complete = true;

	mutex_lock(&vm->lock);
	for (node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX); node && complete;
	     node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		const struct amdm_mapping *mapping = container_of(node, struct amdm_mapping, node);

		complete = !amdm_mapping_is_of_kfd(mapping) || amdm_move_is_usable(mapping->bo);
	}
	mutex_unlock(&vm->lock);
	return complete;
}

/** amdm_kgd_vm_restore() - see kfd_bridge.h */
int amdm_kgd_vm_restore(struct amdm_device *adev, struct amdm_vm *vm)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(adev), .kfd_stays = true, .patience = RESTORE_PATIENCE };
	struct amdm_bo *bo;
	int ret = 0;

	while (!ret && (bo = restore_next(vm, who.before))) {
		amdm_evict_touch(bo);
		ret = amdm_evict_validate(bo, &who, true);
		drm_gem_object_put(&bo->base);
	}
	if (ret)
		return ret;
	down_write(&adev->placement.sem);
	if (restore_is_complete(vm))
		vm->queues_off = false;
	else
		ret = -EAGAIN;
	up_write(&adev->placement.sem);
	return ret;
}
