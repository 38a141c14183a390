/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SMI_H
#define KFD_SMI_H

#include <linux/types.h>

struct kfd_bridge_migration;
struct kfdm_device;
struct kfdm_process;

int kfdm_smi_open(struct kfdm_device *dev, u32 *fd);
void kfdm_smi_vm_fault(struct kfdm_device *dev, const struct kfdm_process *p);
void kfdm_smi_gpu_reset(struct kfdm_device *dev, bool post, const char *cause);
void kfdm_smi_process(struct kfdm_device *dev, struct kfdm_process *p, bool start);
void kfdm_smi_page_fault_start(struct kfdm_device *dev, struct kfdm_process *p, u64 page, bool write, u64 ns);
void kfdm_smi_page_fault_end(struct kfdm_device *dev, struct kfdm_process *p, u64 page, bool moved);
void kfdm_smi_migration(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what);
void kfdm_smi_unmap(struct kfdm_device *dev, struct kfdm_process *p, u64 first, u64 last, u32 trigger);
void kfdm_smi_queue_eviction(struct kfdm_device *dev, struct kfdm_process *p, u32 trigger);
void kfdm_smi_queue_restore(struct kfdm_device *dev, struct kfdm_process *p, bool rescheduled);

#endif
