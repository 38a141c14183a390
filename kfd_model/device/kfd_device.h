/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DEVICE_H
#define KFD_DEVICE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "kfd_doorbell.h"
#include "kfd_gtt.h"
#include "amdgpu_model/kfd_bridge.h"
#include "kfd_model/chips/kfd_chips.h"
#include "kfd_model/interrupt/kfd_interrupt.h"
#include "kfd_model/queue/kfd_queue_buffers.h"

struct kfdm_dqm;

#define KFDM_MAX_DEVICES 16	/* as MAX_GPU_INSTANCE bounds a process */

/**
 * struct kfdm_device - one GPU
 * @ref:           keeps the memory: the list's, one for each SMI stream. What
 *                 outlives the GPU may touch no more than SMI's fields
 * @link:          in the list of devices
 * @adev, @xcp:    amdgpu_model's side of it, and which partition of that it is
 * @facts, @resources: as given at device_init
 * @info, @chip:   what follows from the facts, and its row
 * @shape, @save_sizes: what context save areas of its queues must be like
 * @cu, @mqd_env:  inputs of the MQD builders
 * @id:            gpu_id
 * @first_vmid, @last_vmid, @num_vmids, @vmids: KFD's; as a bitmap
 * @node_ids:      of its dies, in interrupt entries; bitmap
 * @num_cp_queues: HQD slots of KFD
 * @max_proc_per_quantum: processes that the firmware may run at once
 * @cwsr_enabled, @noretry: constant
 * @gtt_mem, @gtt: pool of kernel objects
 * @doorbells:     BAR
 * @interrupts:    FIFO and worker
 * @dqm:           scheduler
 * @init_complete: in the topology
 * @smi_lock, @smi_clients: SMI event streams
 * @reset_sequence: number of the last reset
 * @profiler_mutex, @profiler: the process that has the performance counters, NULL: none
 * @watch_points:  that debuggers have taken, a bit each
 * @locked:        nobody finds it
 * @users:         processes on this device and look-ups: all of it stays until
 *                 they are gone
 */
struct kfdm_device {
	struct kref ref;
	struct list_head link;
	struct amdm_device *adev;
	struct amdm_xcp *xcp;
	struct kgd2kfd_facts facts;
	struct kgd2kfd_resources resources;
	struct kfdm_device_info info;
	struct kfdm_node_shape shape;
	struct kfdm_save_sizes save_sizes;
	const struct kfdm_chip *chip;
	struct kfdm_cu_layout cu;
	struct kfdm_mqd_env mqd_env;
	u32 id;
	u32 first_vmid, last_vmid, num_vmids, vmids;
	u32 node_ids;
	u32 num_cp_queues;
	u32 max_proc_per_quantum;
	bool cwsr_enabled, noretry;
	struct amdm_gtt *gtt_mem;
	struct kfdm_gtt gtt;
	struct kfdm_doorbells doorbells;
	struct kfdm_interrupts interrupts;
	struct kfdm_dqm *dqm;
	bool init_complete;
	spinlock_t smi_lock;
	struct list_head smi_clients;
	u32 reset_sequence;
	struct mutex profiler_mutex;
	const struct kfdm_process *profiler;
	unsigned long watch_points;
	bool locked;
	atomic_t users;
};

extern const struct kfd2kgd_ops *kfdm_kgd;
extern const struct kgd2kfd_ops kfdm_kfd_ops;

u32 kfdm_device_active_cus(const struct kfdm_device *dev);
bool kfdm_device_has_gws(const struct kfdm_device *dev);
bool kfdm_is_locked(void);
bool kfdm_reset_begins(void);
bool kfdm_reset_ends(void);
void kfdm_wait_for_reset(void);

void kfdm_device_get(struct kfdm_device *dev);
void kfdm_device_put(struct kfdm_device *dev);
void kfdm_device_put_user(struct kfdm_device *dev);

bool kfdm_device_wait_unused(struct kfdm_device *dev, unsigned long timeout);
void kfdm_devices_add(struct kfdm_device *dev);
void kfdm_devices_remove(struct kfdm_device *dev);
int kfdm_device_lock(struct kfdm_device *dev);
void kfdm_device_unlock(struct kfdm_device *dev);
struct kfdm_device *kfdm_device_by_id(u32 gpu_id);
u32 kfdm_devices_get(struct kfdm_device *devices[KFDM_MAX_DEVICES]);
void kfdm_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n);

/* kfd_cgroup.c */
bool kfdm_device_visible(const struct kfdm_device *dev);

/* kfd_class.c */
struct device;
int kfdm_class_init(int major);
void kfdm_class_fini(int major);
struct device *kfdm_chardev_device(void);

#endif
