// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_userptr.c - memory of a process that GPUs access (USERPTR)
 *
 * A USERPTR buffer owns bus addresses but no page. When the GPU touches one, the port that finds nothing leaves a request
 * and the access is undone; a work item then walks the process's page tables (hmm_range_fault(), which may sleep, read files or
 * break copy-on-write), puts the page into the IOMMU table, and wakes the GPU. Other queues go on meanwhile. Pages next
 * to the wanted one are taken along if they are present anyway. A page may take seconds, or as long as a file system of
 * user space likes: the work has a queue of its own, whose few workers are not the rest of the kernel's.
 *
 * No page is pinned: an interval notifier tells when the kernel takes memory away (munmap, fork, migration, writeback). It removes the
 * pages from the table and waits until no slice of the silicon holds a pointer to them; both are short and sleep nowhere, so the notifier
 * never has to refuse. KFD is told and evicts the process's queues for a moment, as amdkfd must, but even without that the pages would not
 * be touched. Memory that is gone makes a VM fault at the next access; memory that is protected against writing may be so for a moment
 * only, as for a garbage collector's barrier: amdkfd then tries for ever to restore the queues; here the wave waits, but not so long that
 * it could not be saved in time.
 *
 * Locks: user->lock orders installing against invalidation (mmu_interval_notifier's protocol) and is the innermost but
 * for the XArray's own. No allocation that sleeps happens under it.
 */
#include <linux/delay.h>
#include <linux/highmem.h>
#include <linux/hmm.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "amdgpu_iommu.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/glue/glue.h"

#define USERPTR_WINDOW		16	/* pages looked at together */
#define USERPTR_REQUESTS	8	/* those that find no room are repeated by the silicon */
#define USERPTR_PATIENCE_MS	2000	/* with pages that come and go */
#define USERPTR_TRIES		1000	/* at least: a host that stands still uses up time, not the process's chances */
#define USERPTR_PROTECTED_US	1000	/* AMDGPU_USERPTR_RESTORE_DELAY_MS */

/**
 * struct amdm_userptr - some memory of a process
 * @adev:     device
 * @mm:       the process (mm_count)
 * @start:    CPU address
 * @count:    pages
 * @readonly: the GPU may only read
 * @quiet:    KFD sees by itself when its memory changes
 * @bus:      its bus addresses
 * @lock:     installing against invalidation
 * @notifier: tells when memory goes
 * @own:      pages that the driver has allocated itself (page->lru); only @work and the release function touch it
 * @work:     serves @requests
 * @requests: page << 1 | write, protected by the IOMMU's lock
 * @num:      their number
 */
struct amdm_userptr {
	struct amdm_device *adev;
	struct mm_struct *mm;
	u64 start;
	unsigned long count;
	bool readonly, quiet;
	struct amdm_bus_range bus;
	spinlock_t lock;
	struct mmu_interval_notifier notifier;
	struct list_head own;
	struct work_struct work;
	unsigned long requests[USERPTR_REQUESTS];
	unsigned int num;
};

static unsigned long amdm_userptr_index(const struct amdm_userptr *user, unsigned long page)
{
	return (user->bus.node.start >> PAGE_SHIFT) + page;
}

static bool amdm_userptr_invalidate(struct mmu_interval_notifier *notifier, const struct mmu_notifier_range *range,
				    unsigned long seq)
{
	struct amdm_userptr *user = container_of(notifier, struct amdm_userptr, notifier);
	u64 start = max_t(u64, range->start, user->start) - user->start;
	u64 end = min_t(u64, range->end, user->start + ((u64)user->count << PAGE_SHIFT)) - user->start;
	unsigned long first, last, i, gone = 0;
	bool ending = range->event == MMU_NOTIFY_RELEASE;
	void *entry;

	/* As in amdkfd the queues leave first: nothing is there for them to find any more. */
	if (ending)
		amdm_kfd_mm_ending(user->adev, user->mm);
	spin_lock(&user->lock);
	mmu_interval_set_seq(notifier, seq);
	first = amdm_userptr_index(user, start >> PAGE_SHIFT);
	last = amdm_userptr_index(user, (end - 1) >> PAGE_SHIFT);
	xa_for_each_range(&user->adev->iommu.pages, i, entry, first, last) {
		xa_erase(&user->adev->iommu.pages, i);
		gone += amdm_iommu_is_page(entry);
	}
	spin_unlock(&user->lock);
	if (gone) {
		atomic64_sub(gone, &user->adev->user_pages);
		amdm_glue_pages_gone(user->adev);
		if (!ending && !user->quiet)
			amdm_kfd_userptr_invalidated(user->adev, user->mm);
	}
	return true;
}

static const struct mmu_interval_notifier_ops amdm_userptr_notifier_ops = {
	.invalidate = amdm_userptr_invalidate,
};

/* Put an entry into its reserved slot; user->lock held. -EAGAIN: an invalidation has taken the slot. */
static int amdm_userptr_install(struct amdm_userptr *user, unsigned long page, void *entry)
{
	void *old = xa_store(&user->adev->iommu.pages, amdm_userptr_index(user, page), entry, 0);

	if (xa_is_err(old))
		return -EAGAIN;
	if (!amdm_iommu_is_page(old) && amdm_iommu_is_page(entry))
		atomic64_inc(&user->adev->user_pages);
	return 0;
}

static struct page *amdm_userptr_host_page(struct amdm_device *adev, struct page *page)
{
	return is_device_private_page(page) ? adev->iommu.host_page(adev, page) : page;
}

/* -ENOMEM: there is no memory behind the VRAM of the wanted page at once. */
static int amdm_userptr_install_window(struct amdm_userptr *user, const struct hmm_range *range, unsigned long first,
				       unsigned long count, unsigned long wanted)
{
	unsigned long i;
	int ret = 0;

	spin_lock(&user->lock);
	if (mmu_interval_read_retry(&user->notifier, range->notifier_seq))
		ret = -EAGAIN;
	for (i = 0; !ret && i < count; i++) {
		unsigned long pfn = range->hmm_pfns[i];
		bool readonly = user->readonly || !(pfn & HMM_PFN_WRITE);
		struct page *page;

		if (!(pfn & HMM_PFN_VALID) || (pfn & HMM_PFN_ERROR))
			continue;
		page = amdm_userptr_host_page(user->adev, hmm_pfn_to_page(pfn));
		if (page)
			ret = amdm_userptr_install(user, first + i, xa_tag_pointer(page, readonly ? AMDM_IOMMU_READONLY : 0));
		else if (i == wanted)
			ret = -ENOMEM;
	}
	spin_unlock(&user->lock);
	return ret;
}

/* Have the kernel bring a page of a range, and say which of the others are there. */
static int amdm_userptr_look(struct amdm_userptr *user, struct hmm_range *range, unsigned long wanted, bool write)
{
	int ret;

	range->hmm_pfns[wanted] = HMM_PFN_REQ_FAULT | (write ? HMM_PFN_REQ_WRITE : 0);
	range->notifier_seq = mmu_interval_read_begin(&user->notifier);
	mmap_read_lock(user->mm);
	ret = hmm_range_fault(range);
	mmap_read_unlock(user->mm);
	return ret;
}

/* One attempt. -EAGAIN or -EBUSY: an invalidation came between. */
static int amdm_userptr_try(struct amdm_userptr *user, unsigned long page, bool write)
{
	unsigned long first = page & ~(USERPTR_WINDOW - 1UL), pfns[USERPTR_WINDOW] = {}, i;
	unsigned long count = min_t(unsigned long, USERPTR_WINDOW, user->count - first);
	struct hmm_range range = {
		.notifier = &user->notifier,
		.start = user->start + ((u64)first << PAGE_SHIFT),
		.end = user->start + ((u64)(first + count) << PAGE_SHIFT),
		.hmm_pfns = pfns,
		/* Memory that is shared may be in the GPU's own VRAM; any other comes back for a user pointer. */
		.dev_private_owner = user->quiet ? user->adev->iommu.owner : NULL,
		.pfn_flags_mask = HMM_PFN_REQ_FAULT | HMM_PFN_REQ_WRITE,
	};
	int ret;

	for (i = 0; i < count; i++) {
		ret = xa_reserve(&user->adev->iommu.pages, amdm_userptr_index(user, first + i), GFP_KERNEL);
		if (ret)
			return ret;
	}
	ret = amdm_userptr_look(user, &range, page - first, write);
	if (!ret)
		ret = amdm_userptr_install_window(user, &range, first, count, page - first);
	if (!range.dev_private_owner || (ret && ret != -ENOMEM) || (!ret && (!write || pfns[page - first] & HMM_PFN_WRITE)))
		return ret;
	/*
	 * In VRAM it cannot be had: there is no memory behind that, or a fork has made the page copy-on-write, of which hmm_range_fault()
	 * only reports that it must not be written. Without an owner it comes back to the host, and is copied.
	 */
	range.dev_private_owner = NULL;
	memset(pfns, 0, sizeof(pfns));	/* what has been told would be asked for */
	ret = amdm_userptr_look(user, &range, page - first, write);
	return ret ?: amdm_userptr_install_window(user, &range, first, count, page - first);
}

static void amdm_userptr_release_slots(struct amdm_userptr *user, unsigned long page)
{
	unsigned long first = page & ~(USERPTR_WINDOW - 1UL), i;

	for (i = first; i < first + USERPTR_WINDOW && i < user->count; i++)
		xa_release(&user->adev->iommu.pages, amdm_userptr_index(user, i));
}

/* Put a page of the buffer's own where the process's is missing, or must not be written; with the contents of that. */
static bool amdm_userptr_bury_page(struct amdm_userptr *user, unsigned long page)
{
	struct page *own = alloc_page(GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	void *old;
	int ret;

	if (!own || xa_reserve(&user->adev->iommu.pages, amdm_userptr_index(user, page), GFP_KERNEL)) {
		if (own)
			__free_page(own);
		return false;
	}
	list_add(&own->lru, &user->own);
	spin_lock(&user->lock);
	old = xa_load(&user->adev->iommu.pages, amdm_userptr_index(user, page));
	if (amdm_iommu_is_page(old))
		copy_highpage(own, xa_untag_pointer(old));
	ret = amdm_userptr_install(user, page, own);
	spin_unlock(&user->lock);
	if (amdm_iommu_is_page(old))
		amdm_glue_pages_gone(user->adev);
	return !ret;
}

/*
 * The process is ending and gets no more memory, but its waves are being saved: what they write goes to pages of the buffer's own. It
 * may be read again: until the queues are taken off, every change of another process's queues maps these, too. Neighbours that are
 * missing are wanted next: whoever waits for the save holds up all other processes.
 */
static bool amdm_userptr_bury(struct amdm_userptr *user, unsigned long page)
{
	unsigned long first = page & ~(USERPTR_WINDOW - 1UL), end = min(first + USERPTR_WINDOW, user->count), i;

	for (i = first; i < end; i++)
		if (i != page && !xa_load(&user->adev->iommu.pages, amdm_userptr_index(user, i)))
			amdm_userptr_bury_page(user, i);
	return amdm_userptr_bury_page(user, page);
}

/* Let the next access fail. A page that is there for reading stays in the table: the silicon may have a pointer to it. */
static void amdm_userptr_refuse(struct amdm_userptr *user, unsigned long page)
{
	void *old, *entry = AMDM_IOMMU_GONE;

	spin_lock(&user->lock);
	old = xa_load(&user->adev->iommu.pages, amdm_userptr_index(user, page));
	if (amdm_iommu_is_page(old))
		entry = xa_tag_pointer(xa_untag_pointer(old), AMDM_IOMMU_REFUSED);
	amdm_userptr_install(user, page, entry);
	spin_unlock(&user->lock);
}

/* It was asked for once more before it was there. Somebody may be writing to it by now: it must not be replaced. */
static bool amdm_userptr_is_served(struct amdm_userptr *user, unsigned long page, bool write)
{
	void *entry = xa_load(&user->adev->iommu.pages, amdm_userptr_index(user, page));

	return amdm_iommu_is_page(entry) && !(write && xa_pointer_tag(entry));
}

/* Is it worth another try? hmm_range_fault() says -EFAULT also where there was no memory for the page: one more tells. */
static bool amdm_userptr_may_come(int ret, unsigned int *faults)
{
	return ret == -EAGAIN || ret == -EBUSY || ret == -EPERM || (ret == -EFAULT && !(*faults)++);
}

static void amdm_userptr_serve(struct amdm_userptr *user, unsigned long page, bool write)
{
	unsigned long timeout = jiffies + msecs_to_jiffies(USERPTR_PATIENCE_MS);
	unsigned int tries = 0, faults = 0;
	int ret = -EFAULT;

	if (amdm_userptr_is_served(user, page, write))
		return;
	if (!mmget_not_zero(user->mm)) {
		if (write && !amdm_userptr_bury(user, page))
			amdm_userptr_refuse(user, page);
		return;
	}
	if (!write || !user->readonly) {
		do {
			ret = amdm_userptr_try(user, page, write);
			if (ret == -EPERM)
				usleep_range(USERPTR_PROTECTED_US, 2 * USERPTR_PROTECTED_US);
		} while (amdm_userptr_may_come(ret, &faults) &&
			 (++tries < USERPTR_TRIES || time_before(jiffies, timeout)));
	}
	mmput_async(user->mm);
	/* No memory, or tried too often: leave it unanswered, the silicon asks again. */
	if (ret == -EFAULT || ret == -EPERM)
		amdm_userptr_refuse(user, page);
	amdm_userptr_release_slots(user, page);
}

static void amdm_userptr_work(struct work_struct *work)
{
	struct amdm_userptr *user = container_of(work, struct amdm_userptr, work);
	unsigned long request;

	for (;;) {
		spin_lock(&user->adev->iommu.lock);
		request = user->num ? user->requests[--user->num] : ULONG_MAX;
		spin_unlock(&user->adev->iommu.lock);
		if (request == ULONG_MAX)
			break;
		amdm_userptr_serve(user, request >> 1, request & 1);
		amdm_glue_kick(user->adev);
	}
}

/* The GPU wants the page at a byte, maybe to write it. Context: a port of the silicon; the IOMMU's lock is held. */
static void userptr_request(struct amdm_userptr *user, u64 at, bool write)
{
	unsigned long request = (unsigned long)(at >> PAGE_SHIFT) << 1 | write;
	unsigned int i;

	for (i = 0; i < user->num; i++)
		if (user->requests[i] == request)
			return;
	if (user->num == USERPTR_REQUESTS)
		return;
	user->requests[user->num++] = request;
	queue_work(user->adev->userptr_wq, &user->work);
}

/* As hmm_range_fault() would say of a mapping, before it looks for pages. */
static int amdm_userptr_check_vma(const struct vm_area_struct *vma, bool readonly)
{
	if (vma->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP) || !(vma->vm_flags & VM_READ))
		return -EFAULT;
	return readonly || vma->vm_flags & VM_WRITE ? 0 : -EPERM;
}

/* The whole range must be mapped now; what happens to it later is found out when the GPU gets there. */
static int amdm_userptr_check(u64 start, u64 size, bool readonly)
{
	struct vm_area_struct *vma;
	u64 at = start;
	int ret = 0;

	if (!access_ok((void __user *)start, size))
		return -EFAULT;
	mmap_read_lock(current->mm);
	while (!ret && at < start + size) {
		vma = find_vma(current->mm, at);
		ret = vma && vma->vm_start <= at ? amdm_userptr_check_vma(vma, readonly) : -EFAULT;
		if (!ret)
			at = vma->vm_end;
	}
	mmap_read_unlock(current->mm);
	return ret;
}

/**
 * amdm_userptr_create() - let the GPU reach memory of the current process
 * @adev:      device
 * @user_addr: start, page aligned
 * @size:      bytes, page aligned
 * @readonly:  the GPU must not write
 * Return: ERR_PTR: -EFAULT: nothing is mapped there that has pages, -EPERM: it must not be written, -ENOMEM.
 */
struct amdm_userptr *amdm_userptr_create(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	int ret = amdm_userptr_check(user_addr, size, readonly);

	return ret ? ERR_PTR(ret) : amdm_userptr_create_ahead(adev, user_addr, size, readonly);
}

/**
 * amdm_userptr_create_ahead() - the same, whether anything is mapped there yet or not
 * @adev:      device
 * @user_addr: start, page aligned
 * @size:      bytes, page aligned
 * @readonly:  the GPU must not write
 * Return: ERR_PTR: -EFAULT: these are no addresses of a process, -ENOMEM.
 */
struct amdm_userptr *amdm_userptr_create_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	struct amdm_userptr *user;
	int ret;

	if (!access_ok((void __user *)user_addr, size))
		return ERR_PTR(-EFAULT);
	user = kzalloc(sizeof(*user), GFP_KERNEL);
	if (!user)
		return ERR_PTR(-ENOMEM);
	user->adev = adev;
	user->mm = current->mm;
	user->start = user_addr;
	user->count = size >> PAGE_SHIFT;
	user->readonly = readonly;
	spin_lock_init(&user->lock);
	INIT_LIST_HEAD(&user->own);
	INIT_WORK(&user->work, amdm_userptr_work);
	ret = amdm_bus_alloc(adev, &user->bus, size);
	if (ret)
		goto free;
	ret = mmu_interval_notifier_insert(&user->notifier, user->mm, user_addr, size, &amdm_userptr_notifier_ops);
	if (ret)
		goto bus;
	mmgrab(user->mm);
	spin_lock(&adev->iommu.lock);
	user->bus.request = userptr_request;
	user->bus.user = user;
	spin_unlock(&adev->iommu.lock);
	return user;
bus:
	amdm_bus_free(adev, &user->bus);
free:
	kfree(user);
	return ERR_PTR(ret);
}

/** amdm_userptr_keep_quiet() - KFD is not told when memory goes: it watches it itself. Before the GPU can touch it */
void amdm_userptr_keep_quiet(struct amdm_userptr *user)
{
	user->quiet = true;
}

/** amdm_userptr_is_quiet() - has amdm_userptr_keep_quiet() been called? */
bool amdm_userptr_is_quiet(const struct amdm_userptr *user)
{
	return user->quiet;
}

/** amdm_userptr_is_refused() - the process was found not to have the page, or not to be allowed to write it, as was asked for */
bool amdm_userptr_is_refused(const struct amdm_userptr *user, unsigned long page, bool write)
{
	const void *entry = xa_load(&user->adev->iommu.pages, amdm_userptr_index(user, page));

	return entry == AMDM_IOMMU_GONE || (write && entry && xa_pointer_tag((void *)entry) == AMDM_IOMMU_REFUSED);
}

/** amdm_userptr_destroy() - undo; sleeps until notifiers that run have ended */
void amdm_userptr_destroy(struct amdm_userptr *user)
{
	struct amdm_device *adev;
	unsigned long i, first, gone = 0;
	struct page *own, *next;
	void *entry;

	if (IS_ERR_OR_NULL(user))
		return;
	adev = user->adev;
	spin_lock(&adev->iommu.lock);
	user->bus.user = NULL;
	user->num = 0;
	spin_unlock(&adev->iommu.lock);
	cancel_work_sync(&user->work);
	mmu_interval_notifier_remove(&user->notifier);
	first = amdm_userptr_index(user, 0);
	xa_for_each_range(&adev->iommu.pages, i, entry, first, first + user->count - 1)
		gone += amdm_iommu_is_page(entry);
	atomic64_sub(gone, &adev->user_pages);
	amdm_bus_free(adev, &user->bus);
	list_for_each_entry_safe(own, next, &user->own, lru)
		__free_page(own);
	mmdrop(user->mm);
	kfree(user);
}

/** amdm_userptr_bus() - bus address of the first byte */
u64 amdm_userptr_bus(const struct amdm_userptr *user)
{
	return user->bus.node.start;
}
