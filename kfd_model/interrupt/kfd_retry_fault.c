// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Accesses that are tried again
 *
 * amdgpu reports an access that waits for its page. Here its process is found, and listeners to SMI events are told; shared virtual memory
 * (kfd_svm_fault.c) decides what becomes of the page.
 */
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "kfd_interrupt.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/process/kfd_process.h"

/* What an interrupt of a VM fault does (kfd_interrupt.c) */
static void vm_fault(struct kfdm_process_device *pdd, u64 page, u32 access)
{
	const struct kfdm_interrupt irq = {
		.kind = KFDM_IRQ_VM_FAULT,
		.pasid = pdd->qpd.map.pasid,
		.page = page,
		.prot_write = access & KFD_BRIDGE_FAULT_WRITE,
	};

	kfdm_evict_pasid(pdd->dev, irq.pasid);
	kfdm_event_vm_fault(pdd->dev, &irq);
	kfdm_smi_vm_fault(pdd->dev, pdd->process);
}

/* Return: see kfd_bridge.h */
static bool fault_of(struct kfdm_process_device *pdd, u64 page, u32 access)
{
	u64 begin = ktime_get_boottime_ns();
	s64 pages = atomic64_read(&pdd->page_in);
	int ret = kfdm_svm_fault(pdd, page, access);

	if (ret == -EFAULT)
		vm_fault(pdd, page, access);
	if (ret != 1)
		return ret != -ENOMEM;
	kfdm_smi_page_fault_start(pdd->dev, pdd->process, page, access & KFD_BRIDGE_FAULT_WRITE, begin);
	kfdm_smi_page_fault_end(pdd->dev, pdd->process, page, atomic64_read(&pdd->page_in) != pages);
	return true;
}

/* What ranges take is charged to the process's memory cgroup: it decides how many there are. */
static bool handle_as(struct mm_struct *mm, struct kfdm_process_device *pdd, u64 page, u32 access)
{
	struct mem_cgroup *memcg, *old;
	bool done;

	kthread_use_mm(mm);
	memcg = get_mem_cgroup_from_mm(mm);
	old = set_active_memcg(memcg);
	done = fault_of(pdd, page, access);
	set_active_memcg(old);
	mem_cgroup_put(memcg);
	kthread_unuse_mm(mm);
	return done;
}

/**
 * kfdm_retry_fault() - see kfd_bridge.h
 * @kfd:    device
 * @pasid:  whose access
 * @va:     page
 * @access: KFD_BRIDGE_FAULT_*
 *
 * A process that has ended meanwhile has no access that waits.
 *
 * Return: see there.
 */
bool kfdm_retry_fault(void *kfd, u32 pasid, u64 va, u32 access)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);
	struct kfdm_process_device *pdd;
	struct mm_struct *mm;
	bool done = true;

	if (!p)
		return true;
	pdd = kfdm_pdd_by_dev(p, kfd);
	mm = pdd ? kfdm_process_mm_get(p) : NULL;
	if (mm) {
		done = handle_as(mm, pdd, va >> PAGE_SHIFT, access);
		mmput_async(mm);
	}
	kfdm_process_put(p);
	return done;
}
