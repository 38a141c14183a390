/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DEBUG_H
#define KFD_DEBUG_H

#include "kfd_model/process/kfd_process.h"

/* kfd_debug.c. All in the process's mutex but for init and fini */
int kfdm_debug_enable(struct kfdm_process *p, struct kfdm_process *debugger, struct kfd_ioctl_dbg_trap_args *args);
void kfdm_debug_disable(struct kfdm_process *p);
int kfdm_debug_init(void);
void kfdm_debug_fini(void);

/* kfd_debug_setup.c: the devices of a debugged process */
void kfdm_debug_activate(struct kfdm_process *p);
void kfdm_debug_deactivate(struct kfdm_process *p);
int kfdm_debug_setup_ttmps(struct kfdm_process *p, bool on);

/* kfd_debug_refresh.c */
int kfdm_debug_refresh(struct kfdm_process_device *pdd, bool remap);

/* kfd_debug_event.c */
bool kfdm_debug_raise_process(struct kfdm_process *p, u64 exceptions);
bool kfdm_debug_raise_device(struct kfdm_process_device *pdd, u64 exceptions, const struct kfd_hsa_memory_exception_data *fault);
bool kfdm_debug_raise_new_queue(struct kfdm_process *p, u32 queue_id);
bool kfdm_debug_wave_exception(struct kfdm_device *dev, u32 pasid, u32 doorbell_id, u64 exceptions);
bool kfdm_debug_vm_fault(struct kfdm_device *dev, u32 pasid, const struct kfd_hsa_memory_exception_data *fault);
void kfdm_debug_set_enabled(struct kfdm_process *p, u64 exceptions);
void kfdm_debug_forget(struct kfdm_process *p);

/* kfd_debug_query.c */
int kfdm_debug_query_event(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
int kfdm_debug_query_info(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);

/* kfd_debug_runtime.c */
int kfdm_debug_runtime_enable(struct kfdm_process *p, u64 r_debug, bool ttmp_setup);
int kfdm_debug_runtime_disable(struct kfdm_process *p);
int kfdm_debug_send_to_runtime(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);

/* kfd_debug_message.c */
void kfdm_debug_message_init(struct kfdm_process *p);
void kfdm_debug_tell_runtime(struct kfdm_process *p);
void kfdm_debug_tell_of_queue(struct kfdm_process *p, u32 queue_id, u64 exceptions);
int kfdm_debug_messages_init(void);
void kfdm_debug_messages_fini(void);

/* kfd_debug_launch.c */
int kfdm_debug_set_launch_mode(struct kfdm_process *p, u32 mode);
int kfdm_debug_set_override(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
void kfdm_debug_reset_launch(struct kfdm_process_device *pdd);
int kfdm_debug_set_flags(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);

/* kfd_debug_watch.c */
int kfdm_debug_set_watch(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
int kfdm_debug_clear_watch(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
void kfdm_debug_clear_watches(struct kfdm_process_device *pdd);

/* kfd_debug_queue.c, kfd_debug_device.c */
int kfdm_debug_suspend(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
int kfdm_debug_resume(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
int kfdm_debug_queue_snapshot(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);
int kfdm_debug_device_snapshot(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args);

/* kfd_debug_user.c */
int kfdm_debug_in_mm(struct mm_struct *mm, int (*fn)(void *data), void *data);
int kfdm_debug_fault_in(struct mm_struct *mm, u64 at, u64 bytes, bool write);

#endif
