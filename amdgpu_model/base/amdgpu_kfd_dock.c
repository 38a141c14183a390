// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_kfd_dock.c - what the driver tells KFD, if it is there
 *
 * KFD comes and goes (amdgpu_amdkfd.c) and stands above everything else here. The layers below report to the dock (an interrupt, pages that
 * have gone, a buffer that has to move, a reset), which passes the report on through the table that KFD has left there. The dock's
 * semaphore orders attaching, detaching and resets; interrupts and other callers that cannot sleep need only the device's kfd_lock, under
 * which xcp->kfd says whether KFD has a partition of the device.
 */
#include "amdgpu_kfd_dock.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "uapi/kfd_ioctl.h"

#define VMIDS	16

struct amdm_kfd_dock amdm_kfd_dock = {
	.sem = __RWSEM_INITIALIZER(amdm_kfd_dock.sem),
};

#define for_each_kfd(adev, x) \
	for ((x) = (adev)->xcp; (x) < (adev)->xcp + (adev)->num_xcps; (x)++) \
		if ((x)->kfd)

/* Any of the device's partitions that KFD has, NULL: it has none */
static struct amdm_xcp *any_kfd(struct amdm_device *adev)
{
	struct amdm_xcp *xcp;

	for_each_kfd(adev, xcp)
		return xcp;
	return NULL;
}

/** amdm_kfd_interrupt() - offer a cookie to KFD, where each partition knows its own; hard interrupts are off */
void amdm_kfd_interrupt(struct amdm_device *adev, const u32 *cookie)
{
	struct amdm_xcp *xcp;

	spin_lock(&adev->kfd_lock);
	for_each_kfd(adev, xcp)
		amdm_kfd_dock.ops->interrupt(xcp->kfd, cookie);
	spin_unlock(&adev->kfd_lock);
}

/**
 * amdm_kfd_xcp_of() - the partition that an entry of the interrupt ring comes from
 * @adev: device
 * @node: IH_NODE() of it
 * @vmid: whose
 *
 * An interposer die's engines work for both of its compute dies. Where these are two partitions, the second one has the upper half of KFD's
 * VMIDs (Linux 7.2: kgd2kfd_device_init()).
 */
struct amdm_xcp *amdm_kfd_xcp_of(struct amdm_device *adev, u32 node, u32 vmid)
{
	const bool of_second = node % IH_NODES_OF_AID == 0 && vmid >= (VMIDS + AMDM_FIRST_KFD_VMID + 1) / 2;
	const u32 dies = max(adev->xcp[0].num_xcc, 1u);
	u32 n = IH_XCC_OF_NODE(node);

	if (dies == 1 && of_second)
		n++;
	return &adev->xcp[min(n / dies, max(adev->num_xcps, 1u) - 1)];
}

/**
 * amdm_kfd_retry_fault() - an access waits for its page, see kfd_bridge.h
 * @xcp:    partition
 * @pasid:  whose
 * @va:     the page
 * @access: KFD_BRIDGE_FAULT_*
 *
 * Who resets the GPU or takes KFD away waits for processes, which may be waiting for this page. Context: may sleep.
 *
 * Return: false: not now, ask again a little later.
 */
bool amdm_kfd_retry_fault(struct amdm_xcp *xcp, u32 pasid, u64 va, u32 access)
{
	bool done = true;

	if (!down_read_trylock(&amdm_kfd_dock.sem))
		return false;
	if (xcp->kfd)
		done = amdm_kfd_dock.ops->retry_fault(xcp->kfd, pasid, va, access);
	up_read(&amdm_kfd_dock.sem);
	return done;
}

/** amdm_kfd_userptr_invalidated() - user pages of @mm that the GPU had have gone. Context: MMU notifier */
void amdm_kfd_userptr_invalidated(struct amdm_device *adev, struct mm_struct *mm)
{
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	if (any_kfd(adev))
		amdm_kfd_dock.ops->userptr_invalidated(mm);
	spin_unlock_irqrestore(&adev->kfd_lock, flags);
}

/**
 * amdm_kfd_migration() - memory of @mm's process moves, see kfd_bridge.h
 * @adev: device
 * @mm:   the process
 * @what: it
 *
 * While the GPU is reset or KFD comes or goes it is not told. Context: may sleep; page faults
 */
void amdm_kfd_migration(struct amdm_device *adev, struct mm_struct *mm, const struct kfd_bridge_migration *what)
{
	struct amdm_xcp *xcp;

	if (!down_read_trylock(&amdm_kfd_dock.sem))
		return;
	xcp = any_kfd(adev);
	if (xcp)
		amdm_kfd_dock.ops->migration(xcp->kfd, mm, what);
	up_read(&amdm_kfd_dock.sem);
}

/** amdm_kfd_pages_moved() - that many pages of @mm's process have gone to VRAM, or left it. Any context */
void amdm_kfd_pages_moved(struct amdm_device *adev, struct mm_struct *mm, u64 in, u64 out)
{
	struct amdm_xcp *xcp;
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	xcp = any_kfd(adev);
	if (xcp)
		amdm_kfd_dock.ops->pages_moved(xcp->kfd, mm, in, out);
	spin_unlock_irqrestore(&adev->kfd_lock, flags);
}

/** amdm_kfd_evict_and_restore() - a buffer of @mm's process has to move: its queues leave soon, and come back. Any context */
void amdm_kfd_evict_and_restore(struct amdm_device *adev, struct mm_struct *mm)
{
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	if (any_kfd(adev))
		amdm_kfd_dock.ops->evict_and_restore(mm);
	spin_unlock_irqrestore(&adev->kfd_lock, flags);
}

/**
 * amdm_kfd_mm_ending() - @mm goes: the queues of its process are to be off when this returns
 * @adev: device
 * @mm:   the memory of a process
 *
 * Many may end at once. Who holds the semaphore for writing stops all queues itself, and may be waiting for this very process to end
 * (unplug). Context: may sleep.
 */
void amdm_kfd_mm_ending(struct amdm_device *adev, struct mm_struct *mm)
{
	if (!down_read_trylock(&amdm_kfd_dock.sem))
		return;
	if (any_kfd(adev))
		amdm_kfd_dock.ops->quiesce_mm(mm, KFD_QUEUE_EVICTION_TRIGGER_USERPTR);
	up_read(&amdm_kfd_dock.sem);
}

/** amdm_kfd_resets_begin() - one GPU or several are about to be reset: KFD neither comes nor goes until amdm_kfd_resets_end() */
void amdm_kfd_resets_begin(void)
{
	down_write(&amdm_kfd_dock.sem);
}

/** amdm_kfd_resets_end() - see amdm_kfd_resets_begin() */
void amdm_kfd_resets_end(void)
{
	up_write(&amdm_kfd_dock.sem);
}

/**
 * amdm_kfd_pre_reset() - KFD has to stop, for @cause; amdm_kfd_post_reset() must follow, which lets it go on
 *
 * After amdm_kfd_resets_begin().
 */
void amdm_kfd_pre_reset(struct amdm_device *adev, const char *cause)
{
	struct amdm_xcp *xcp;

	for_each_kfd(adev, xcp)
		amdm_kfd_dock.ops->pre_reset(xcp->kfd, cause);
}

/** amdm_kfd_post_reset() - see amdm_kfd_pre_reset() */
void amdm_kfd_post_reset(struct amdm_device *adev)
{
	struct amdm_xcp *xcp;

	for_each_kfd(adev, xcp)
		amdm_kfd_dock.ops->post_reset(xcp->kfd);
}

/** amdm_kfd_suspend() - KFD's queues have to leave: the GPU will lose its power */
void amdm_kfd_suspend(struct amdm_device *adev)
{
	struct amdm_xcp *xcp;

	down_write(&amdm_kfd_dock.sem);
	for_each_kfd(adev, xcp)
		amdm_kfd_dock.ops->suspend(xcp->kfd);
	up_write(&amdm_kfd_dock.sem);
}

/** amdm_kfd_resume() - undo amdm_kfd_suspend(). Return: 0, or why KFD does not go on */
int amdm_kfd_resume(struct amdm_device *adev)
{
	struct amdm_xcp *xcp;
	int ret = 0, answer;

	down_write(&amdm_kfd_dock.sem);
	for_each_kfd(adev, xcp) {
		answer = amdm_kfd_dock.ops->resume(xcp->kfd);
		ret = ret ? ret : answer;
	}
	up_write(&amdm_kfd_dock.sem);
	return ret;
}
