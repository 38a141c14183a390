/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_PROCESS_H
#define KFD_PROCESS_H

#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "kfd_model/base/kfd_layout.h"
#include "kfd_model/debug/kfd_debug_state.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/device/kfd_mes.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/packets/kfd_packets.h"
#include "kfd_model/queue/kfd_queues.h"
#include "kfd_model/svm/kfd_svm.h"

struct kfdm_bo;
struct kfdm_dir;
struct kfdm_process_sysfs;
struct kfdm_pdd_sysfs;

/**
 * struct kfdm_qpd - a process as the scheduler of one device sees it (qcm_process_device). Protected by the DQM lock.
 * @map:         registers and counts that MAP_PROCESS carries; queue_count counts all queues of @queues
 * @queues:      newest first
 * @link:        in the DQM's list of processes, while @registered
 * @registered:  the DQM knows this process
 * @evicted:     depth of evictions
 * @vmid:        without firmware scheduling: its VMID while it has queues, otherwise 0
 * @reset_wavefronts: a queue could not be preempted: kill waves at the end
 * @doorbell_ids: CP doorbells taken (protected by the process's mutex)
 * @cwsr_kaddr:  trap handler area, NULL without one
 * @ib_kaddr:    page for the driver's indirect buffers, NULL before ACQUIRE_VM
 */
struct kfdm_qpd {
	struct kfdm_map_process map;
	struct list_head queues;
	struct list_head link;
	bool registered;
	u32 evicted;
	u32 vmid;
	bool reset_wavefronts, has_reset_queue;
	DECLARE_BITMAP(doorbell_ids, KFDM_DOORBELL_IDS);
	void *cwsr_kaddr, *ib_kaddr;
};

/**
 * struct kfdm_process_device - a process on a device (pdd). Protected by the process's mutex unless noted.
 * @dev, @process: constant
 * @user_gpu_id: what the process calls the device: its gpu_id, or that of the one that it was checkpointed on
 * @index:       in the process's array
 * @qpd:         scheduler's view
 * @apertures:   constant
 * @bos:         handles
 * @pasid, @pasid_hash: of @vm where address spaces have PASIDs, else 0; qpd.map.pasid is the one that counts
 * @vm, @drm_file: after ACQUIRE_VM; the file is referenced
 * @cwsr_bo, @ib_bo: driver's own buffers in the VM
 * @mes_ctx:     what the MES remembers of the process, constant
 * @doorbell_index: slice in the doorbell BAR, 0: none
 * @dequeued:    taken off the device for good
 * @vram_usage:  bytes of VRAM buffers
 * @faults:      accesses that had to wait for their page
 * @page_in, @page_out: shared pages that have gone to VRAM, and left it
 * @tlb_stale:   pages have been unmapped since its TLBs were flushed
 * @sdma_past_activity: of destroyed SDMA queues
 * @evict_start, @evicted_jiffies: statistics, under the DQM lock
 * @debug:       what a debugger has asked for
 * @sysfs:       attributes
 */
struct kfdm_process_device {
	struct kfdm_device *dev;
	struct kfdm_process *process;
	u32 user_gpu_id;
	u32 index;
	struct kfdm_qpd qpd;
	struct kfdm_apertures apertures;
	struct idr bos;
	u32 pasid;
	struct hlist_node pasid_hash;
	struct amdm_vm *vm;
	struct file *drm_file;
	struct kfdm_bo *cwsr_bo, *ib_bo;
	struct kfdm_mes_ctx mes_ctx;
	u32 doorbell_index;
	bool dequeued;
	u64 vram_usage;
	u64 faults;
	atomic64_t page_in, page_out;
	bool tlb_stale;
	u64 sdma_past_activity;
	u64 evict_start;
	atomic64_t evicted_jiffies;
	struct kfdm_pdd_debug debug;
	struct kfdm_pdd_sysfs *sysfs;
};

/**
 * struct kfdm_runtime - what the language runtime in the process has told for debuggers (kfd_runtime_info)
 * @state:      enum kfd_dbg_runtime_state: has it, and can its debugger use the hardware
 * @r_debug:    where it keeps what a debugger wants to know
 * @ttmp_setup: waves shall have their TTMP registers set up
 */
struct kfdm_runtime {
	u32 state;
	bool ttmp_setup;
	u64 r_debug;
};

#define KFDM_PRIMARY	0xffff	/* KFD_CONTEXT_ID_PRIMARY */

/**
 * struct kfdm_process - one address space that uses KFD, or a context of it
 * @ref:         mmu notifier, open files, look-ups
 * @context_id:  KFDM_PRIMARY, or which context
 * @primary:     the process that it is a context of, referenced; else NULL
 * @context_ids: of its contexts
 * @hidden:      nobody finds it any more; under the list of processes' mutex
 * @hash:        in the table of processes, key: @mm
 * @pasid_hash:  in another, key: @pasid
 * @link:        in the list of all, also those whose mm is gone
 * @mutex:       most of it; taken by most ioctls
 * @mm:          not referenced; NULL after the mm is gone
 * @own_mm:      constant, pinned: what @mm is or was; kfdm_process_mm_get() borrows it
 * @lead_thread: referenced; whose fd it is
 * @tgid:        referenced; tells SMI clients apart
 * @notifier:    tells about the end of the mm
 * @inode:       NULL for a context; gives the process an address_space of its own, so that its doorbells can be unmapped alone
 * @pasid:       names the process to the hardware; 0 where each of its address spaces has a name of its own
 * @pdds, @n_pdds: one a device, constant while the mm lives
 * @queues, @queue_ids: user queues
 * @events:      events
 * @runtime:     see kfdm_ioctl_runtime_enable(); its state is read without the mutex, too
 * @debug:       who debugs it, whom it debugs
 * @svm:         memory that it shares with the GPUs at its own addresses
 * @xnack_enabled: retry faults
 * @poison:      consumed poisoned memory
 * @eviction_work, @restore_work: TTM eviction
 * @userptr_work: eviction and restoring after user pages have gone
 * @eviction_scheduled: an eviction is under way
 * @evicted_for_room: queues are off until the buffers are back; of the two works
 * @sleeps: queues are off until the GPUs have power again
 * @queues_paused: queues are off until CRIU_OP UNPAUSE
 * @restoring: buffers have been restored, and queues are off until CRIU_OP RESUME
 * @last_restore: jiffies
 * @sysfs_work:  end of the mm: takes @sysfs away
 * @leave_work:  a context's end of the mm
 * @release_work: end of life
 * @sysfs:       proc/<pid>; @queues_dir: queues in it
 */
struct kfdm_process {
	struct kref ref;
	u32 context_id;
	struct kfdm_process *primary;
	struct ida context_ids;
	bool hidden;
	struct hlist_node hash, pasid_hash;
	struct list_head link;
	struct mutex mutex;
	struct mm_struct *mm, *own_mm;
	struct task_struct *lead_thread;
	struct pid *tgid;
	struct mmu_notifier notifier;
	struct inode *inode;
	u32 pasid;
	struct kfdm_process_device *pdds[KFDM_MAX_DEVICES];
	u32 n_pdds;
	struct list_head queues;
	DECLARE_BITMAP(queue_ids, KFDM_MAX_QUEUES_PER_PROCESS);
	struct kfdm_events events;
	struct kfdm_runtime runtime;
	struct kfdm_debug debug;
	struct kfdm_svm svm;
	bool xnack_enabled;
	atomic_t poison;
	struct delayed_work eviction_work, restore_work;
	struct work_struct userptr_work;
	atomic_t eviction_scheduled;
	bool evicted_for_room;
	bool sleeps;
	bool queues_paused, restoring;
	unsigned long last_restore;
	struct work_struct sysfs_work, leave_work, release_work;
	struct kfdm_process_sysfs *sysfs;
	struct kfdm_dir *queues_dir;
};

static inline bool kfdm_process_is_context(const struct kfdm_process *p)
{
	return p->context_id != KFDM_PRIMARY;
}

int kfdm_processes_init(void);
void kfdm_processes_fini(void);

struct kfdm_process *kfdm_process_open(void);
struct kfdm_process *kfdm_process_of_task(struct task_struct *task, struct mm_struct *mm);
void kfdm_process_close(struct kfdm_process *p);
struct kfdm_process *kfdm_process_create_context(struct kfdm_process *primary);
struct kfdm_process *kfdm_process_by_pasid(u32 pasid);
struct kfdm_process *kfdm_process_by_mm(const struct mm_struct *mm);
void kfdm_process_put(struct kfdm_process *p);
void kfdm_processes_drive_out(struct kfdm_device *dev);
u32 kfdm_processes_of_mm(const struct mm_struct *mm, void (*fn)(struct kfdm_process *p, void *data), void *data);
void kfdm_processes_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data);
int kfdm_pdd_take_pasid(struct kfdm_process_device *pdd);
void kfdm_pdd_give_pasid(struct kfdm_process_device *pdd);

/* device/kfd_pdd.c */
struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p);
bool kfdm_process_may_retry(const struct kfdm_process *p, bool by_process);
struct kfdm_process_device *kfdm_pdd_by_dev(struct kfdm_process *p, const struct kfdm_device *dev);
struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id);
struct kfdm_process_device *kfdm_pdd_by_real_id(struct kfdm_process *p, u32 gpu_id);
void kfdm_pdd_flush_tlb(struct kfdm_process_device *pdd, enum kfd_bridge_tlb_flush type);
void kfdm_process_flush_stale_tlbs(struct kfdm_process *p);

/* kfd_process_device.c */
int kfdm_pdd_acquire_vm(struct kfdm_process_device *pdd, struct file *drm_file);
int kfdm_pdd_bind(struct kfdm_process_device *pdd);
void kfdm_pdd_rename(struct kfdm_process_device *pdd, u32 user_gpu_id);
void kfdm_pdd_set_trap_handler(struct kfdm_process_device *pdd, u64 tba, u64 tma);
void kfdm_pdd_set_debug_flag(struct kfdm_process_device *pdd, bool on);

struct kfdm_process_device *kfdm_pdd_create(struct kfdm_process *p, struct kfdm_device *dev);
void kfdm_pdd_destroy(struct kfdm_process_device *pdd);
void kfdm_pdd_dequeue(struct kfdm_process_device *pdd);

int kfdm_process_evict_queues(struct kfdm_process *p, u32 trigger);
int kfdm_process_restore_queues(struct kfdm_process *p);
int kfdm_evict_pasid(struct kfdm_device *dev, u32 pasid);
int kfdm_quiesce_mm(struct mm_struct *mm, u32 trigger);
int kfdm_resume_mm(struct mm_struct *mm);
void kfdm_userptr_invalidated(struct mm_struct *mm);
void kfdm_migration(void *kfd, struct mm_struct *mm, const struct kfd_bridge_migration *what);
void kfdm_pages_moved(void *kfd, struct mm_struct *mm, u64 in, u64 out);
void kfdm_evict_and_restore(struct mm_struct *mm);
void kfdm_eviction_init(struct kfdm_process *p);
void kfdm_eviction_cancel(struct kfdm_process *p);
int kfdm_eviction_module_init(void);
void kfdm_eviction_module_fini(void);
void kfdm_suspend_all_processes(void);
void kfdm_put_all_processes_to_sleep(void);
void kfdm_wake_all_processes(void);

#endif
