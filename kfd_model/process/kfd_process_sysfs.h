/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_PROCESS_SYSFS_H
#define KFD_PROCESS_SYSFS_H

struct kfdm_process;

int kfdm_process_sysfs_init(void);
void kfdm_process_sysfs_fini(void);
void kfdm_process_sysfs_add(struct kfdm_process *p);
void kfdm_process_sysfs_remove(struct kfdm_process *p);

#endif
