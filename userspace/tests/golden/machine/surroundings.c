// SPDX-License-Identifier: MIT
/* The files of kfd_model that the scheduler calls but that have nothing to schedule: what they would do, the vectors do not show. */
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/queue/kfd_queue_sysfs.h"
#include "kfd_model/events/kfd_smi.h"
#include "machine_internal.h"

struct amdm_kfd_parameters amdm_kfd_param;

void amdm_refused(const char *what, u64 subject)
{
}

struct device *kfdm_chardev_device(void)
{
	static struct device device;

	return &device;
}

int kfdm_interrupts_init(struct kfdm_device *dev)
{
	return 0;
}

void kfdm_interrupts_fini(struct kfdm_device *dev)
{
}

void kfdm_interrupt(void *kfd, const u32 *ih_entry)
{
}

void kfdm_smi_gpu_reset(struct kfdm_device *dev, bool post, const char *cause)
{
}

int kfdm_smi_open(struct kfdm_device *dev, u32 *fd)
{
	return -ENOSYS;
}

void kfdm_smi_queue_eviction(struct kfdm_device *dev, struct kfdm_process *p, u32 trigger)
{
}

void kfdm_smi_queue_restore(struct kfdm_device *dev, struct kfdm_process *p, bool rescheduled)
{
}

void kfdm_smi_migration(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what)
{
}

void kfdm_smi_unmap(struct kfdm_device *dev, struct kfdm_process *p, u64 first, u64 last, u32 trigger)
{
}

void kfdm_smi_process(struct kfdm_device *dev, struct kfdm_process *p, bool start)
{
}

void kfdm_profiler_forget(struct kfdm_device *dev, const struct kfdm_process *p)
{
}

/* Records name a process by one PASID, whichever driver it is. */
int kfdm_pdd_take_pasid(struct kfdm_process_device *pdd)
{
	return 0;
}

void kfdm_pdd_give_pasid(struct kfdm_process_device *pdd)
{
}

void kfdm_event_reset_all(struct kfdm_device *dev)
{
}

void kfdm_queue_sysfs_add(struct kfdm_queue *q)
{
}

void kfdm_queue_sysfs_remove(struct kfdm_queue *q)
{
}

void kfdm_queue_link(struct kfdm_queue *q)
{
	list_add(&q->link, &q->pdd->process->queues);
}

void kfdm_queue_unlink(struct kfdm_queue *q)
{
	list_del(&q->link);
}

int kfdm_queue_wait_resumed(struct kfdm_queue *q)
{
	return 0;
}

bool kfdm_debug_raise_new_queue(struct kfdm_process *p, u32 queue_id)
{
	return false;
}

bool kfdm_debug_raise_device(struct kfdm_process_device *pdd, u64 exceptions, const struct kfd_hsa_memory_exception_data *fault)
{
	return false;
}

void kfdm_processes_drive_out(struct kfdm_device *dev)
{
}

void kfdm_processes_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	u32 i;

	for (i = 0; i < machine_num_processes; i++)
		fn(machine_processes[i], data);
}

struct kfdm_process *kfdm_process_by_pasid(u32 pasid)
{
	u32 i;

	for (i = 0; i < machine_num_processes; i++)
		if (machine_processes[i]->pasid == pasid)
			return machine_processes[i];
	return NULL;
}

void kfdm_process_put(struct kfdm_process *p)
{
}

void kfdm_suspend_all_processes(void)
{
}

void kfdm_put_all_processes_to_sleep(void)
{
}

void kfdm_wake_all_processes(void)
{
}

int kfdm_quiesce_mm(struct mm_struct *mm, u32 trigger)
{
	return 0;
}

int kfdm_resume_mm(struct mm_struct *mm)
{
	return 0;
}

void kfdm_evict_and_restore(struct mm_struct *mm)
{
}

void kfdm_migration(void *kfd, struct mm_struct *mm, const struct kfd_bridge_migration *what)
{
}

void kfdm_pages_moved(void *kfd, struct mm_struct *mm, u64 in, u64 out)
{
}

void kfdm_userptr_invalidated(struct mm_struct *mm)
{
}

/* The makers' drivers were. */
bool kfdm_svm_is_built(void)
{
	return true;
}

/* Processes have no ranges here. */
int kfdm_svm_hold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
	return -EINVAL;
}

void kfdm_svm_unhold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
}

bool kfdm_retry_fault(void *kfd, u32 pasid, u64 va, u32 access)
{
	return true;
}
