/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ring.h - rings of the kernel, the fences that tell their progress, and the jobs that a drm_gpu_scheduler feeds them.
 */
#ifndef AMDGPU_RING_H
#define AMDGPU_RING_H

#include <drm/amdgpu_drm.h>
#include <drm/gpu_scheduler.h>
#include <linux/timer.h>

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/glue/glue.h"

struct amdm_job;
struct amdm_ring;
struct amdm_vm;

#define AMDM_RING_DWORDS	4096	/* four times what a job may take: two are in the ring at most */
#define AMDM_RING_JOB_DWORDS	1024
#define AMDM_RING_RESERVE_ALIGN	256	/* align_mask of the rings */
#define AMDM_RING_SUBMISSIONS	2	/* sched_hw_submission */
#define AMDM_RING_NAME		16

/** enum amdm_ring_prio - which list of schedulers a ring is in (AMDGPU_RING_PRIO_DEFAULT, AMDGPU_GFX_PIPE_PRIO_HIGH) */
enum amdm_ring_prio { AMDM_PRIO_NORMAL, AMDM_PRIO_HIGH, AMDM_PRIOS };

/**
 * struct amdm_fence - the end of a job, as its ring tells
 * @base: the fence; a sched fence has it as parent, so that a reference to it holds the device and the module
 * @adev: held
 * @vmid: of its job
 * @link: in amdm_ring.fences until it has signalled
 * @free: on the way to its end
 */
struct amdm_fence {
	struct dma_fence base;
	struct amdm_device *adev;
	u32 vmid;
	struct list_head link;
	struct llist_node free;
};

/** struct amdm_ib - an indirect buffer of user space: GPU address, dwords, AMDGPU_IB_FLAG_* */
struct amdm_ib {
	u64 addr;
	u32 dwords;
	u32 flags;
};

/**
 * struct amdm_job - what one CS puts on a ring
 * @base:     drm_sched's part
 * @adev:     device
 * @vm:       address space, held; NULL: a job of the kernel, in VMID 0
 * @fence:    of the ring
 * @vmid:     VMID it runs in
 * @generation, @updates: of the VMID and of the address space: what its ring must have connected
 * @pd:       the page table base to connect
 * @user_fence, @user_seq: MC address that gets the sequence number; 0: none
 * @user_bo:  memory behind it, held
 * @vram_losses: amdm_device.vram_losses at its creation
 * @boosted:  the ring's priority has been raised for it
 * @num_ibs, @ibs: the buffers
 */
struct amdm_job {
	struct drm_sched_job base;
	struct amdm_device *adev;
	struct amdm_vm *vm;
	struct amdm_fence *fence;
	u32 vmid;
	u64 generation, updates;
	u64 pd;
	u64 user_fence, user_seq;
	struct amdm_bo *user_bo;
	u32 vram_losses;
	bool boosted;
	u32 num_ibs;
	struct amdm_ib ibs[];
};

/**
 * struct amdm_ring_funcs - what the engines behind rings do differently
 * @ip:         AMDGPU_HW_IP_*
 * @nop:        a dword that does nothing
 * @align:      dwords that a submission is padded to, less one
 * @ib_alignment: bytes that an IB's address is aligned to
 * @max_ib_dwords: of an IB
 * @frame_dwords, @ib_dwords: room that Linux reserves for a job and for each of its IBs (emit_frame_size, emit_ib_size of GFX9 and
 *               SDMA 4, which have the longest flush); what is emitted here takes less
 * @start:      (re)connect the ring, empty; process context
 * @stop:       disconnect it, whatever it is doing
 * @commit:     tell the engine amdm_ring.wptr
 * @emit_ib:    run an indirect buffer in a VMID
 * @emit_fence: store a number behind all that came before; wide: 64 bits, no interrupt
 * @emit_wreg:  write a register
 * @emit_wait:  wait until (register & mask) == value
 * @emit_sync:  wait until the ring's own fence has a value; NULL: the engine does one thing after the other
 * @boost, @unboost: a job is about to be put on the ring, a job has ended: raise and lower the ring's priority in hardware for it. May
 *              sleep. NULL, as @emit_wave_limit: rings of this kind have no priority
 * @emit_wave_limit: before (on) and behind the buffers of a job; ring->lock held
 * @kill_waves: of a job's VMID, on whatever ring; NULL: there are no waves behind rings of this kind
 * @faulted:    does it stand still over a page that is not there? 1, 0, -ENODATA: the chip does not tell; process context
 */
struct amdm_ring_funcs {
	u32 ip;
	u32 nop;
	u32 align;
	u32 ib_alignment;
	u32 max_ib_dwords;
	u32 frame_dwords, ib_dwords;
	int (*start)(struct amdm_ring *ring);
	void (*stop)(struct amdm_ring *ring);
	void (*commit)(struct amdm_ring *ring);
	void (*emit_ib)(struct amdm_ring *ring, const struct amdm_ib *ib, u32 vmid);
	void (*emit_fence)(struct amdm_ring *ring, u64 addr, u64 seq, bool wide);
	void (*emit_wreg)(struct amdm_ring *ring, u32 reg, u32 value);
	void (*emit_wait)(struct amdm_ring *ring, u32 reg, u32 value, u32 mask);
	void (*emit_sync)(struct amdm_ring *ring, u64 addr, u32 seq);
	void (*boost)(struct amdm_ring *ring, struct amdm_job *job);
	void (*unboost)(struct amdm_ring *ring, struct amdm_job *job);
	void (*emit_wave_limit)(struct amdm_ring *ring, bool on);
	void (*kill_waves)(struct amdm_ring *ring, u32 vmid);
	int (*faulted)(struct amdm_ring *ring);
};

/**
 * struct amdm_complaint - an interrupt about the job that a ring was at
 * @seq:     number of the job's fence
 * @certain: the ring cannot do it; otherwise it is one of several rings that may have met the fault (amdm_ring_funcs.faulted)
 * @since:   of what the chip has done from then on, a ring that works has had its share
 */
struct amdm_complaint {
	u32 seq;
	bool certain;
	struct amdm_progress since;
};

/**
 * struct amdm_ring - a ring
 * @adev, @funcs, @name: what it is
 * @index:   its number in amdm_device.rings
 * @me, @pipe, @queue: place of a compute ring; SDMA: @me is the engine
 * @hub:     what its addresses go through: 0 GFXHUB, n MMHUB of interposer die n - 1
 * @prio:    list of schedulers that it is in
 * @doorbell: byte in the doorbell BAR
 * @mem:     the ring, then a page for each of: write-back words, MQD, EOP buffer
 * @dw, @addr: the ring
 * @wb, @wb_addr: write-back words (enum amdm_ring_writeback)
 * @wptr:    dwords, never wrapped
 * @lock:    one submission at a time, and none while @ready is false
 * @ready:   takes jobs
 * @flushed: what it has connected each VMID to last, and with which TLB; @lock protects it
 * @sched:   of the kernel's gpu-sched; @sched_alive: it is there
 * @recovering: @sched is stopped, its jobs will be put into the ring again; the hive's reset_mutex protects it
 * @complaint_work: looks into @complaint and resets the ring
 * @fence_lock: protects what follows
 * @complaint: the last one
 * @fence_context: dma_fence context
 * @seq:     last number asked for
 * @fences:  that have not signalled yet, in their order
 * @fallback: looks at the fences if no interrupt comes
 * @priority_mutex: orders changes of the hardware priority; protects @boosts
 * @boosts:  jobs in the ring that want it high
 */
struct amdm_ring {
	struct amdm_device *adev;
	const struct amdm_ring_funcs *funcs;
	char name[AMDM_RING_NAME];
	u32 index;
	u32 me, pipe, queue;
	u8 hub;
	enum amdm_ring_prio prio;
	u32 doorbell;
	struct amdm_gtt *mem;
	u32 *dw;
	u64 addr;
	u32 *wb;
	u64 wb_addr;
	u64 wptr;
	struct mutex lock;
	bool ready;
	struct {
		u64 generation, updates;
	} flushed[AMDM_JOB_VMIDS];
	struct drm_gpu_scheduler sched;
	bool sched_alive;
	bool recovering;
	struct delayed_work complaint_work;
	struct amdm_complaint complaint;
	spinlock_t fence_lock;
	u64 fence_context;
	u32 seq;
	struct list_head fences;
	struct timer_list fallback;
	struct mutex priority_mutex;
	u32 boosts;
};

enum amdm_ring_writeback { AMDM_WB_RPTR = 0, AMDM_WB_WPTR = 2, AMDM_WB_FENCE = 4 };

static inline struct amdm_ring *amdm_ring_from_sched(struct drm_gpu_scheduler *sched)
{
	return container_of(sched, struct amdm_ring, sched);
}

/* Add a dword; ring->lock held. */
static inline void amdm_ring_put(struct amdm_ring *ring, u32 dword)
{
	WRITE_ONCE(ring->dw[ring->wptr++ % AMDM_RING_DWORDS], dword);
}

static inline u64 amdm_ring_fence_addr(const struct amdm_ring *ring)
{
	return ring->wb_addr + AMDM_WB_FENCE * sizeof(u32);
}

/* amdgpu_rings.c */
struct amdm_ring *amdm_ring_create(struct amdm_device *adev, const struct amdm_ring_funcs *funcs, const char *name);
void amdm_rings_fini(struct amdm_device *adev);
int amdm_rings_wait_idle(struct amdm_device *adev, unsigned long timeout);

/* amdgpu_ring.c */
int amdm_rings_start(struct amdm_device *adev, u32 ip);
void amdm_rings_stop(struct amdm_device *adev, u32 ip);
int amdm_ring_start(struct amdm_ring *ring);
void amdm_ring_stop(struct amdm_ring *ring);
void amdm_ring_commit(struct amdm_ring *ring);
int amdm_ring_test(struct amdm_ring *ring);
u32 amdm_rings_of(const struct amdm_device *adev, u32 ip);

/* amdgpu_fence.c */
int amdm_fence_module_init(void);
void amdm_fence_module_fini(void);
void amdm_fence_ring_init(struct amdm_ring *ring);
void amdm_fence_ring_fini(struct amdm_ring *ring);
struct amdm_fence *amdm_fence_create(struct amdm_device *adev);
void amdm_fence_bind(struct amdm_fence *fence, struct amdm_ring *ring);
void amdm_fence_drop(struct amdm_fence *fence);
void amdm_fence_emit(struct amdm_ring *ring, struct amdm_fence *fence);
void amdm_fence_process(struct amdm_ring *ring);
bool amdm_fence_first(struct amdm_ring *ring, u32 *seq, u32 *vmid);
void amdm_fence_force(struct amdm_ring *ring, int error);
void amdm_fence_forget(struct amdm_ring *ring);

/* amdgpu_job.c */
extern const struct drm_sched_backend_ops amdm_sched_ops;
struct amdm_job *amdm_job_create(struct amdm_device *adev, u32 num_ibs);
void amdm_job_destroy(struct amdm_job *job);
int amdm_job_run(struct amdm_ring *ring, struct amdm_job *job);

/* amdgpu_vmid.c */
void amdm_vmids_init(struct amdm_device *adev);
void amdm_vmids_fini(struct amdm_device *adev);
void amdm_vmids_forget(struct amdm_device *adev);
struct dma_fence *amdm_vmid_grab(struct amdm_ring *ring, struct amdm_job *job);
void amdm_vmid_release(struct amdm_ring *ring, struct amdm_job *job);
int amdm_vmid_reserve(struct amdm_device *adev, struct amdm_vm *vm);
void amdm_vmid_unreserve(struct amdm_device *adev, struct amdm_vm *vm);
int amdm_vm_ioctl(struct drm_device *ddev, void *data, struct drm_file *file);

/* amdgpu_ring_irq.c */
void amdm_rings_interrupt(struct amdm_device *adev, const struct amdm_ih_entry *entry);

/* amdgpu_recover.c */
enum drm_gpu_sched_stat amdm_job_timedout(struct drm_sched_job *job);
void amdm_recover_complaint(struct amdm_ring *ring, u32 seq, bool certain);
void amdm_recover_work(struct work_struct *work);
void amdm_recover_stop(struct amdm_ring *ring, struct drm_sched_job *bad);
void amdm_recover_settle(struct amdm_ring *ring);
void amdm_recover_start(struct amdm_ring *ring);

/* amdgpu_sdma_ring.c */
int amdm_sdma_rings_create(struct amdm_device *adev);

/* amdgpu_sdma_copy.c */
extern const struct amdm_copier amdm_sdma_copier;

/* amdgpu_cp_ring.c */
int amdm_cp_rings_create(struct amdm_device *adev);
int amdm_cp_rings_start(struct amdm_device *adev);
void amdm_cp_rings_stop(struct amdm_device *adev);

/* amdgpu_priority.c */
enum amdm_high_priority { AMDM_HIGH_STATIC, AMDM_HIGH_DYNAMIC, AMDM_HIGH_OFF };
extern enum amdm_high_priority amdm_high_priority;
int amdm_priority_parse(const char *name);
void amdm_ring_apply_priority(struct amdm_ring *ring);
void amdm_ring_boost(struct amdm_ring *ring, struct amdm_job *job);
void amdm_ring_unboost(struct amdm_ring *ring, struct amdm_job *job);
void amdm_ring_emit_wave_limit(struct amdm_ring *ring, bool on);

#endif
