// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_priority.c - compute jobs of contexts above normal priority, in hardware
 *
 * The module parameter high_priority chooses one of three ways:
 *
 * static:  the first compute ring has its pipe and queue priority raised for good, and contexts above normal go there and nowhere
 *          else (Linux 6.1, amdgpu_gfx_is_high_priority_compute_queue); while one of their buffers is begun, graphics and the other
 *          pipes of MEC1 get no more than a few waves (gfx_v9_0_emit_wave_limit).
 * dynamic: any compute ring; while it holds jobs of such a context its priority is raised, and all other pipes are kept from taking
 *          CUs (pipe reservation). Both end with the last of these jobs. Linux up to 5.6, amdgpu_ring_priority_get() and _put();
 *          the proposal of December 2016.
 * off:     contexts above normal only go first in drm_sched's run queues.
 */
#include "amdgpu_gfx.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define HQD_PIPE_PRIORITY_HIGH	2	/* AMDGPU_GFX_PIPE_PRIO_HIGH */
#define HQD_QUEUE_PRIORITY_MAX	15	/* AMDGPU_GFX_QUEUE_PRIORITY_MAXIMUM */
#define WCL_FULL		0x7fu	/* SPI_WCL_PIPE_PERCENT_CSn.VALUE */
#define WCL_GFX_FULL		0x07ffffffu
#define WCL_MINIMAL		0x1u
#define WCL_GFX_LIMITED		0x1fu
#define WCL_PIPES		8

enum amdm_high_priority amdm_high_priority;

static const char *const priority_names[] = { "static", "dynamic", "off" };

/** amdm_priority_parse() - the module parameter. Return: 0, -EINVAL. */
int amdm_priority_parse(const char *name)
{
	int i = match_string(priority_names, ARRAY_SIZE(priority_names), name);

	if (i < 0)
		return -EINVAL;
	amdm_high_priority = i;
	return 0;
}

/** amdm_ring_apply_priority() - program a compute ring's HQD as it has to be now, under the SRBM lock */
void amdm_ring_apply_priority(struct amdm_ring *ring)
{
	bool high = ring->prio == AMDM_PRIO_HIGH || ring->boosts;

	amdm_srbm_lock(ring->adev, ring->me, ring->pipe, ring->queue, 0);
	amdm_wreg(ring->adev, mmCP_HQD_PIPE_PRIORITY, high ? HQD_PIPE_PRIORITY_HIGH : 0);
	amdm_wreg(ring->adev, mmCP_HQD_QUEUE_PRIORITY, high ? HQD_QUEUE_PRIORITY_MAX : 0);
	amdm_srbm_unlock(ring->adev);
}

/* Pipes without a reservation get what is left while there is one; reserve_mutex held. */
static void priority_limit_pipes(struct amdm_device *adev)
{
	u32 pipe, reserved = 0;

	if (!adev->asic->gen->wave_limits)
		return;
	for (pipe = 0; pipe < WCL_PIPES; pipe++)
		reserved |= adev->pipe_reserved[pipe] ? 1u << pipe : 0;
	amdm_wreg(adev, mmSPI_WCL_PIPE_PERCENT_GFX, reserved ? WCL_MINIMAL : WCL_GFX_FULL);
	for (pipe = 0; pipe < WCL_PIPES; pipe++)
		if (amdm_reg(adev, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe) != AMDM_REG_NONE)	/* GFX10.3 has one MEC */
			amdm_wreg(adev, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe, !reserved || reserved & 1u << pipe ? WCL_FULL : WCL_MINIMAL);
}

static void priority_change(struct amdm_ring *ring, int by)
{
	struct amdm_device *adev = ring->adev;

	mutex_lock(&ring->priority_mutex);
	ring->boosts += by;
	if (ring->boosts == (by > 0)) {		/* the first, or the last one has gone */
		if (READ_ONCE(ring->ready))
			amdm_ring_apply_priority(ring);
		mutex_lock(&adev->reserve_mutex);
		adev->pipe_reserved[(ring->me - 1) * GFX_PIPES_PER_MEC + ring->pipe] += by;
		priority_limit_pipes(adev);
		mutex_unlock(&adev->reserve_mutex);
	}
	mutex_unlock(&ring->priority_mutex);
}

/** amdm_ring_boost() - a job is about to be put on its ring. Context: may sleep. */
void amdm_ring_boost(struct amdm_ring *ring, struct amdm_job *job)
{
	if (amdm_high_priority != AMDM_HIGH_DYNAMIC || ring->funcs->ip != AMDGPU_HW_IP_COMPUTE || job->boosted ||
	    !kfdm_sched_is_high(job->base.s_priority))
		return;
	job->boosted = true;
	priority_change(ring, 1);
}

/** amdm_ring_unboost() - a job has ended. Context: may sleep. */
void amdm_ring_unboost(struct amdm_ring *ring, struct amdm_job *job)
{
	if (!job->boosted)
		return;
	job->boosted = false;
	priority_change(ring, -1);
}

/** amdm_ring_emit_wave_limit() - before (@on) and behind the buffers of a job on a ring of high priority; ring->lock held */
void amdm_ring_emit_wave_limit(struct amdm_ring *ring, bool on)
{
	u32 pipe;

	if (ring->prio != AMDM_PRIO_HIGH || !ring->adev->asic->gen->ring_wave_limits)
		return;
	ring->funcs->emit_wreg(ring, mmSPI_WCL_PIPE_PERCENT_GFX, on ? WCL_GFX_LIMITED : WCL_GFX_FULL);
	for (pipe = 0; pipe < GFX_PIPES_PER_MEC; pipe++)
		if (pipe != ring->pipe)
			ring->funcs->emit_wreg(ring, mmSPI_WCL_PIPE_PERCENT_CS0 + pipe, on ? WCL_MINIMAL : WCL_FULL);
}
