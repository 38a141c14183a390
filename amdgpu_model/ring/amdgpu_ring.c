// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ring.c - rings: memory, life, ring test
 *
 * A ring belongs to the device's software half: it is made once, with its scheduler, and goes when the last file has gone, because
 * contexts of open files point to the scheduler. Hardware comes and goes meanwhile (start, stop). A ring that is not ready takes no
 * job: whatever a scheduler still hands over fails with -ENODEV, and so does what it owed when the device was removed.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/mem/amdgpu_gart.h"

#define RING_BYTES	(AMDM_RING_DWORDS * sizeof(u32))
#define RING_TEST_MS	1000

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
		.credit_limit = AMDM_RING_SUBMISSIONS,
		.timeout = amdm_ring_timeout(ring),
		.name = ring->name,
		.dev = &ring->adev->pdev->dev,
	};
	int ret = drm_sched_init(&ring->sched, &args);

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

/** amdm_ring_start() - connect an empty ring and see that it works. Return: 0, -EIO. */
int amdm_ring_start(struct amdm_ring *ring)
{
	int ret;

	mutex_lock(&ring->lock);
	memset32(ring->dw, ring->funcs->nop, AMDM_RING_DWORDS);
	ring->wptr = 0;
	memset(ring->flushed, 0, sizeof(ring->flushed));
	memset(ring->wb, 0, PAGE_SIZE);
	WRITE_ONCE(ring->wb[AMDM_WB_FENCE], ring->seq);
	ret = ring->funcs->start(ring);
	WRITE_ONCE(ring->ready, !ret);
	mutex_unlock(&ring->lock);
	if (!ret)
		ret = amdm_ring_test(ring);
	if (ret) {
		dev_err(&ring->adev->pdev->dev, "ring %s test failed (%d)\n", ring->name, ret);
		amdm_ring_stop(ring);
	}
	return ret;
}

/** amdm_ring_stop() - disconnect a ring; what it owes stays owed */
void amdm_ring_stop(struct amdm_ring *ring)
{
	mutex_lock(&ring->lock);
	ring->funcs->stop(ring);
	WRITE_ONCE(ring->ready, false);
	mutex_unlock(&ring->lock);
}

/** amdm_rings_start() - connect all rings of an IP. Return: 0, -EIO. */
int amdm_rings_start(struct amdm_device *adev, u32 ip)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < adev->num_rings && !ret; i++)
		if (adev->rings[i]->funcs->ip == ip)
			ret = amdm_ring_start(adev->rings[i]);
	return ret;
}

/** amdm_rings_stop() - disconnect all rings of an IP; when the device is going, nothing stays owed */
void amdm_rings_stop(struct amdm_device *adev, u32 ip)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++) {
		if (adev->rings[i]->funcs->ip != ip)
			continue;
		amdm_ring_stop(adev->rings[i]);
		if (!READ_ONCE(adev->in_reset))
			amdm_fence_force(adev->rings[i], -ENODEV);
	}
}

/** amdm_rings_of() - how many rings of an IP there are */
u32 amdm_rings_of(const struct amdm_device *adev, u32 ip)
{
	u32 i, n = 0;

	for (i = 0; i < adev->num_rings; i++)
		n += adev->rings[i]->funcs->ip == ip;
	return n;
}

/** amdm_ring_commit() - hand over what was put into the ring; ring->lock held */
void amdm_ring_commit(struct amdm_ring *ring)
{
	while (ring->wptr & ring->funcs->align)
		amdm_ring_put(ring, ring->funcs->nop);
	smp_wmb(); /* packets before the pointer */
	ring->funcs->commit(ring);
	amdm_glue_kick(ring->adev);
}

/** amdm_ring_test() - have the ring store a number. Return: 0, -EIO. */
int amdm_ring_test(struct amdm_ring *ring)
{
	u64 addr = ring->wb_addr + (AMDM_WB_FENCE + 2) * sizeof(u32);
	u32 *word = &ring->wb[AMDM_WB_FENCE + 2];
	ktime_t end = ktime_add_ms(ktime_get(), RING_TEST_MS * amdm_glue_slow_factor());

	mutex_lock(&ring->lock);
	WRITE_ONCE(*word, 0xcafedead);
	ring->funcs->emit_fence(ring, addr, 0xdeadbeef, true);
	amdm_ring_commit(ring);
	mutex_unlock(&ring->lock);
	while (READ_ONCE(*word) != 0xdeadbeef) {
		/* A held clock holds rings as well: it says nothing about them. */
		if (amdm_glue_held(ring->adev))
			return 0;
		if (ktime_after(ktime_get(), end))
			return -EIO;
		usleep_range(10, 50);
	}
	return 0;
}
