// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_cs_place.c - the buffers of a job where the job can use them
 *
 * Those that the job names, and the always-valid ones of its address space that have been evicted. As long as the budget lasts, each is
 * moved to the place that it prefers, and buffers that this job does not use are evicted for it. After that a buffer is moved only
 * as far as needed for the job to reach it (Linux: amdgpu_cs_bo_validate()).
 */
#include "amdgpu_cs.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

static int place_one(struct amdm_cs *cs, struct amdm_bo *bo, const struct amdm_evict_who *who, u64 *allowance)
{
	u64 before = atomic64_read(&cs->adev->placement.moved), moved;
	int ret;

	ret = amdm_evict_validate(bo, who, *allowance);
	moved = atomic64_read(&cs->adev->placement.moved) - before;
	*allowance -= min(*allowance, moved);
	amdm_move_spend(cs->adev, moved);
	return ret;
}

/* The next of the strays that has not been looked at since @since, with a reference. */
static struct amdm_bo *next_stray(struct amdm_cs *cs, u64 since)
{
	struct amdm_bo *bo, *found = NULL;

	spin_lock(&cs->adev->placement.lock);
	list_for_each_entry(bo, &cs->vm->strays, stray) {
		if (bo->used_at < since && kref_get_unless_zero(&bo->base.refcount)) {
			found = bo;
			break;
		}
	}
	spin_unlock(&cs->adev->placement.lock);
	return found;
}

static int place_strays(struct amdm_cs *cs, const struct amdm_evict_who *who, u64 *allowance)
{
	struct amdm_bo *bo;
	int ret = 0;

	while (!ret && (bo = next_stray(cs, who->before))) {
		amdm_evict_touch(bo);
		ret = place_one(cs, bo, who, allowance);
		drm_gem_object_put(&bo->base);
	}
	return ret;
}

/** amdm_cs_place() - bring its buffers where they can be used; no lock held. Return: 0, -ENOMEM, -ERESTARTSYS. */
int amdm_cs_place(struct amdm_cs *cs)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(cs->adev) };
	u64 allowance = amdm_move_allowance(cs->adev);
	int ret;
	u32 i;

	WRITE_ONCE(cs->vm->used_at, amdm_evict_now(cs->adev));
	/* The first object is the address space's own reservation. */
	for (i = 1; i < cs->num_objs; i++)
		amdm_evict_touch(amdm_bo_from_gem(cs->objs[i]));
	ret = place_strays(cs, &who, &allowance);
	for (i = 1; i < cs->num_objs && !ret; i++)
		ret = place_one(cs, amdm_bo_from_gem(cs->objs[i]), &who, &allowance);
	return ret;
}

/** amdm_cs_is_placed() - can all of them be used? amdm_placement.sem held */
bool amdm_cs_is_placed(struct amdm_cs *cs)
{
	bool placed = true;
	struct amdm_bo *bo;
	u32 i;

	for (i = 1; i < cs->num_objs; i++)
		placed &= amdm_move_is_usable(amdm_bo_from_gem(cs->objs[i]));
	spin_lock(&cs->adev->placement.lock);
	list_for_each_entry(bo, &cs->vm->strays, stray)
		placed &= amdm_move_is_usable(bo) || !kref_read(&bo->base.refcount);
	spin_unlock(&cs->adev->placement.lock);
	return placed;
}
