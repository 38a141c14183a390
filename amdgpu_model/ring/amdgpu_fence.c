// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_fence.c - how far a ring has got
 *
 * Each submission ends with the store of a rising number to the ring's write-back page and an interrupt; a
 * fence with a number not above it has signalled. An interrupt that is lost costs half a second: while a fence is pending a
 * timer looks at the number as well.
 *
 * Fences outlive everything: a sync file or a syncobj of another process may hold one long after the device is gone. A
 * fence therefore holds the device and the module. Neither may be dropped where fences are (in hard interrupts, under
 * locks), so the last step is a work item of a queue that the module's exit waits for.
 */
#include <drm/drm_drv.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/compat/workqueue.h"

#define FENCE_FALLBACK	(HZ / 2)	/* AMDGPU_FENCE_JIFFIES_TIMEOUT */

static struct workqueue_struct *amdm_fence_wq;
static LLIST_HEAD(amdm_fence_garbage);

static void amdm_fence_collect(struct work_struct *work)
{
	struct llist_node *list = llist_del_all(&amdm_fence_garbage);
	struct amdm_fence *fence, *next;

	llist_for_each_entry_safe(fence, next, list, free) {
		struct amdm_device *adev = fence->adev;

		dma_fence_free(&fence->base);
		drm_dev_put(&adev->ddev);
		module_put(THIS_MODULE);
	}
}

static DECLARE_WORK(amdm_fence_work, amdm_fence_collect);

static void amdm_fence_release(struct dma_fence *base)
{
	struct amdm_fence *fence = container_of(base, struct amdm_fence, base);

	if (llist_add(&fence->free, &amdm_fence_garbage))
		queue_work(amdm_fence_wq, &amdm_fence_work);
}

static const char *amdm_fence_driver_name(struct dma_fence *base)
{
	return "amdgpu";
}

static const char *amdm_fence_timeline_name(struct dma_fence *base)
{
	return container_of(dma_fence_spinlock(base), struct amdm_ring, fence_lock)->name;
}

static const struct dma_fence_ops amdm_fence_ops = {
	.get_driver_name = amdm_fence_driver_name,
	.get_timeline_name = amdm_fence_timeline_name,
	.release = amdm_fence_release,
};

/** amdm_fence_module_init() - before any fence */
int amdm_fence_module_init(void)
{
	amdm_fence_wq = alloc_workqueue("amdgpu_fence", WQ_PERCPU, 0);
	return amdm_fence_wq ? 0 : -ENOMEM;
}

/** amdm_fence_module_fini() - all fences have gone; their end has, too, when this returns */
void amdm_fence_module_fini(void)
{
	destroy_workqueue(amdm_fence_wq);
	rcu_barrier();	/* dma_fence_free() */
}

static void amdm_fence_fallback(struct timer_list *timer)
{
	struct amdm_ring *ring = timer_container_of(ring, timer, fallback);

	amdm_fence_process(ring);
}

/** amdm_fence_ring_init() - no fence is pending */
void amdm_fence_ring_init(struct amdm_ring *ring)
{
	spin_lock_init(&ring->fence_lock);
	INIT_LIST_HEAD(&ring->fences);
	ring->fence_context = dma_fence_context_alloc(1);
	timer_setup(&ring->fallback, amdm_fence_fallback, 0);
}

/** amdm_fence_ring_fini() - the ring ends: no fence may be pending any more */
void amdm_fence_ring_fini(struct amdm_ring *ring)
{
	WARN_ON(!list_empty(&ring->fences));
	timer_delete_sync(&ring->fallback);
}

/** amdm_fence_create() - a fence that belongs to no ring yet. Return: NULL without memory. */
struct amdm_fence *amdm_fence_create(struct amdm_device *adev)
{
	struct amdm_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (!fence)
		return NULL;
	__module_get(THIS_MODULE);
	drm_dev_get(&adev->ddev);
	fence->adev = adev;
	INIT_LIST_HEAD(&fence->link);
	return fence;
}

/** amdm_fence_bind() - the ring is known; from here on it is a dma_fence */
void amdm_fence_bind(struct amdm_fence *fence, struct amdm_ring *ring)
{
	dma_fence_init(&fence->base, &amdm_fence_ops, &ring->fence_lock, ring->fence_context, 0);
}

/** amdm_fence_drop() - the maker's reference goes, whether it has come to a ring or not */
void amdm_fence_drop(struct amdm_fence *fence)
{
	if (!fence)
		return;
	if (fence->base.ops)
		dma_fence_put(&fence->base);
	else
		amdm_fence_release(&fence->base);
}

/** amdm_fence_emit() - have the ring tell when it gets here; ring->lock held. A fence may be emitted again after a reset. */
void amdm_fence_emit(struct amdm_ring *ring, struct amdm_fence *fence)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->fence_lock, flags);
	fence->base.seqno = ++ring->seq;
	dma_fence_get(&fence->base);
	list_add_tail(&fence->link, &ring->fences);
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	ring->funcs->emit_fence(ring, amdm_ring_fence_addr(ring), fence->base.seqno, false);
	mod_timer(&ring->fallback, jiffies + FENCE_FALLBACK);
}

static void amdm_fence_put_list(struct list_head *done)
{
	struct amdm_fence *fence, *next;

	list_for_each_entry_safe(fence, next, done, link) {
		list_del_init(&fence->link);
		dma_fence_put(&fence->base);
	}
}

/** amdm_fence_process() - signal what the ring has reached. Context: any. */
void amdm_fence_process(struct amdm_ring *ring)
{
	struct amdm_fence *fence, *next;
	unsigned long flags;
	LIST_HEAD(done);
	u32 reached;

	spin_lock_irqsave(&ring->fence_lock, flags);
	reached = READ_ONCE(ring->wb[AMDM_WB_FENCE]);
	list_for_each_entry_safe(fence, next, &ring->fences, link) {
		if ((s32)(reached - (u32)fence->base.seqno) < 0)
			break;
		list_move_tail(&fence->link, &done);
		dma_fence_signal_locked(&fence->base);
	}
	if (!list_empty(&ring->fences))
		mod_timer(&ring->fallback, jiffies + FENCE_FALLBACK);
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	amdm_fence_put_list(&done);
}

/**
 * amdm_fence_first() - the job that the ring is at
 * @ring: ring
 * @seq:  number of its fence, a new one each time that it is put into the ring
 * @vmid: where it runs
 * Context: any. Return: false if no fence is pending.
 */
bool amdm_fence_first(struct amdm_ring *ring, u32 *seq, u32 *vmid)
{
	struct amdm_fence *first;
	unsigned long flags;

	amdm_fence_process(ring);
	spin_lock_irqsave(&ring->fence_lock, flags);
	first = list_first_entry_or_null(&ring->fences, struct amdm_fence, link);
	if (first) {
		*seq = first->base.seqno;
		*vmid = first->vmid;
	}
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	return first;
}

/** amdm_fence_force() - signal all pending fences with an error: the ring will not do it any more */
void amdm_fence_force(struct amdm_ring *ring, int error)
{
	struct amdm_fence *fence, *next;
	unsigned long flags;
	LIST_HEAD(done);

	spin_lock_irqsave(&ring->fence_lock, flags);
	list_for_each_entry_safe(fence, next, &ring->fences, link) {
		list_move_tail(&fence->link, &done);
		dma_fence_set_error(&fence->base, error);
		dma_fence_signal_locked(&fence->base);
	}
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	amdm_fence_put_list(&done);
}

/** amdm_fence_forget() - the pending jobs will be emitted again; the ring is stopped, its scheduler as well */
void amdm_fence_forget(struct amdm_ring *ring)
{
	unsigned long flags;
	LIST_HEAD(done);

	spin_lock_irqsave(&ring->fence_lock, flags);
	list_splice_init(&ring->fences, &done);
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	amdm_fence_put_list(&done);
}
