/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_PROCESS_TABLE_H
#define KFD_PROCESS_TABLE_H

#include "kfd_process.h"

/* Held by who changes which processes there are. */
extern struct mutex kfdm_processes_mutex;

struct kfdm_process *kfdm_process_find(const struct mm_struct *mm);
struct kfdm_process *kfdm_process_get_unless_dying(struct kfdm_process *p);
void kfdm_process_show(struct kfdm_process *p);
void kfdm_process_hide(struct kfdm_process *p);
void kfdm_processes_synchronize(void);
int kfdm_pasid_alloc(void);
void kfdm_pasid_free(u32 pasid);
void kfdm_process_table_fini(void);

#endif
