// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_kfd_dock.c - what the driver tells KFD, if it is there
 *
 * KFD comes and goes (amdgpu_amdkfd.c) and stands above everything else here. The layers below report to the dock (an interrupt, pages that
 * have gone, a buffer that has to move, a reset), which passes the report on through the table that KFD has left there. The dock's
 * semaphore orders attaching, detaching and resets; interrupts and other callers that cannot sleep need only the device's kfd_lock, under
 * which adev->kfd says whether KFD has the device.
 */
#include "amdgpu_kfd_dock.h"
#include "uapi/kfd_ioctl.h"

struct amdm_kfd_dock amdm_kfd_dock = {
	.sem = __RWSEM_INITIALIZER(amdm_kfd_dock.sem),
};

/** amdm_kfd_interrupt() - offer a cookie to KFD; hard interrupts are off */
void amdm_kfd_interrupt(struct amdm_device *adev, const u32 *cookie)
{
	spin_lock(&adev->kfd_lock);
	if (adev->kfd)
		amdm_kfd_dock.ops->interrupt(adev->kfd, cookie);
	spin_unlock(&adev->kfd_lock);
}

/**
 * amdm_kfd_retry_fault() - an access waits for its page, see kfd_bridge.h
 * @adev:   device
 * @pasid:  whose
 * @va:     the page
 * @access: KFD_BRIDGE_FAULT_*
 *
 * Who resets the GPU or takes KFD away waits for processes, which may be waiting for this page. Context: may sleep.
 *
 * Return: false: not now, ask again a little later.
 */
bool amdm_kfd_retry_fault(struct amdm_device *adev, u32 pasid, u64 va, u32 access)
{
	bool done = true;

	if (!down_read_trylock(&amdm_kfd_dock.sem))
		return false;
	if (adev->kfd)
		done = amdm_kfd_dock.ops->retry_fault(adev->kfd, pasid, va, access);
	up_read(&amdm_kfd_dock.sem);
	return done;
}

/** amdm_kfd_userptr_invalidated() - user pages of @mm that the GPU had have gone. Context: MMU notifier */
void amdm_kfd_userptr_invalidated(struct amdm_device *adev, struct mm_struct *mm)
{
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	if (adev->kfd)
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
	if (!down_read_trylock(&amdm_kfd_dock.sem))
		return;
	if (adev->kfd)
		amdm_kfd_dock.ops->migration(adev->kfd, mm, what);
	up_read(&amdm_kfd_dock.sem);
}

/** amdm_kfd_pages_moved() - that many pages of @mm's process have gone to VRAM, or left it. Any context */
void amdm_kfd_pages_moved(struct amdm_device *adev, struct mm_struct *mm, u64 in, u64 out)
{
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	if (adev->kfd)
		amdm_kfd_dock.ops->pages_moved(adev->kfd, mm, in, out);
	spin_unlock_irqrestore(&adev->kfd_lock, flags);
}

/** amdm_kfd_evict_and_restore() - a buffer of @mm's process has to move: its queues leave soon, and come back. Any context */
void amdm_kfd_evict_and_restore(struct amdm_device *adev, struct mm_struct *mm)
{
	unsigned long flags;

	spin_lock_irqsave(&adev->kfd_lock, flags);
	if (adev->kfd)
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
	if (adev->kfd)
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
	if (adev->kfd)
		amdm_kfd_dock.ops->pre_reset(adev->kfd, cause);
}

/** amdm_kfd_post_reset() - see amdm_kfd_pre_reset() */
void amdm_kfd_post_reset(struct amdm_device *adev)
{
	if (adev->kfd)
		amdm_kfd_dock.ops->post_reset(adev->kfd);
}

/** amdm_kfd_suspend() - KFD's queues have to leave: the GPU will lose its power */
void amdm_kfd_suspend(struct amdm_device *adev)
{
	down_write(&amdm_kfd_dock.sem);
	if (adev->kfd)
		amdm_kfd_dock.ops->suspend(adev->kfd);
	up_write(&amdm_kfd_dock.sem);
}

/** amdm_kfd_resume() - undo amdm_kfd_suspend(). Return: 0, or why KFD does not go on */
int amdm_kfd_resume(struct amdm_device *adev)
{
	int ret = 0;

	down_write(&amdm_kfd_dock.sem);
	if (adev->kfd)
		ret = amdm_kfd_dock.ops->resume(adev->kfd);
	up_write(&amdm_kfd_dock.sem);
	return ret;
}
