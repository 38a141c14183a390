// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_rings.c - the life of rings: memory and scheduler
 *
 * A ring belongs to the device's software half: it is made once, with its scheduler, and goes when the last file has gone, because
 * contexts of open files point to the scheduler.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/mem/amdgpu_gart.h"

#define RING_BYTES	(AMDM_RING_DWORDS * sizeof(u32))

static long amdm_ring_timeout(const struct amdm_ring *ring)
{
	u32 ms = ring->funcs->ip == AMDGPU_HW_IP_COMPUTE ? amdm_param.lockup_timeout_compute : amdm_param.lockup_timeout;

	return msecs_to_jiffies(ms * amdm_glue_slow_factor());
}

static int amdm_ring_sched_init(struct amdm_ring *ring)
{
	const struct drm_sched_init_args args = {
		.ops = &amdm_sched_ops,
		.timeout_wq = ring->adev->recover_wq,
		KFDM_SCHED_NUM_RQS
		.credit_limit = AMDM_RING_SUBMISSIONS,
		.timeout = amdm_ring_timeout(ring),
		.name = ring->name,
		.dev = &ring->adev->pdev->dev,
	};
	int ret = kfdm_sched_init(&ring->sched, &args);

	ring->sched_alive = !ret;
	return ret;
}

/**
 * amdm_ring_create() - memory and scheduler of a ring
 * @adev:  device
 * @funcs: engine
 * @name:  as amdgpu calls it, also its thread's name
 * Return: the ring, which amdm_rings_fini() frees; ERR_PTR on failure.
 */
struct amdm_ring *amdm_ring_create(struct amdm_device *adev, const struct amdm_ring_funcs *funcs, const char *name)
{
	struct amdm_ring *ring;
	int ret;

	if (WARN_ON(adev->num_rings == ARRAY_SIZE(adev->rings)))
		return ERR_PTR(-ENOSPC);
	ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return ERR_PTR(-ENOMEM);
	ring->adev = adev;
	ring->funcs = funcs;
	strscpy(ring->name, name, sizeof(ring->name));
	mutex_init(&ring->lock);
	mutex_init(&ring->priority_mutex);
	amdm_fence_ring_init(ring);
	INIT_DELAYED_WORK(&ring->complaint_work, amdm_recover_work);
	ring->index = adev->num_rings;
	adev->rings[adev->num_rings++] = ring;	/* from here on amdm_rings_fini() undoes */
	ring->mem = amdm_gtt_create(adev, RING_BYTES + 3 * PAGE_SIZE);
	if (IS_ERR(ring->mem))
		return ERR_CAST(ring->mem);
	ring->dw = ring->mem->cpu;
	ring->addr = ring->mem->addr;
	ring->wb = ring->mem->cpu + RING_BYTES;
	ring->wb_addr = ring->mem->addr + RING_BYTES;
	ret = amdm_ring_sched_init(ring);
	return ret ? ERR_PTR(ret) : ring;
}

static void amdm_ring_destroy(struct amdm_ring *ring)
{
	cancel_delayed_work_sync(&ring->complaint_work);
	if (ring->sched_alive)
		drm_sched_fini(&ring->sched);
	amdm_fence_ring_fini(ring);
	amdm_gtt_destroy(ring->adev, ring->mem);
	mutex_destroy(&ring->priority_mutex);
	mutex_destroy(&ring->lock);
	kfree(ring);
}

/** amdm_rings_fini() - the end of all rings; no file is open any more, no fence is held */
void amdm_rings_fini(struct amdm_device *adev)
{
	while (adev->num_rings) {
		struct amdm_ring *ring = adev->rings[--adev->num_rings];

		adev->rings[adev->num_rings] = NULL;
		amdm_ring_destroy(ring);
	}
}

/**
 * amdm_rings_wait_idle() - until no job is under way
 * @adev:    device
 * @timeout: jiffies for all rings together
 *
 * Context: may sleep. Return: 0, -EBUSY: some job did not end in time.
 */
int amdm_rings_wait_idle(struct amdm_device *adev, unsigned long timeout)
{
	const unsigned long end = jiffies + timeout;
	u32 i, seq, vmid;

	for (i = 0; i < adev->num_rings; i++)
		while (amdm_fence_first(adev->rings[i], &seq, &vmid)) {
			if (time_after(jiffies, end))
				return -EBUSY;
			usleep_range(200, 1000);
		}
	return 0;
}
