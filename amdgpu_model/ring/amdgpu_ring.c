// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ring.c - rings are connected, disconnected and tested
 *
 * Rings are there as long as the device's software half (amdgpu_rings.c); hardware comes and goes meanwhile. A ring that is not ready
 * takes no job: what a scheduler still hands over fails with -ENODEV, and so do the fences that were pending at the device's removal.
 */
#include <linux/delay.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/glue/glue.h"

#define RING_TEST_MS	1000

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

/** amdm_ring_stop() - disconnect a ring; its pending fences stay pending */
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

/** amdm_rings_stop() - disconnect all rings of an IP; when the device is removed, pending fences are ended */
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
