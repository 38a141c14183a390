/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handlers of the ioctls. @data is the kernel's copy of the argument struct, as large as the larger of user's and kernel's idea of
 * it; what user space did not give reads as zero.
 */
#ifndef KFD_IOCTL_H
#define KFD_IOCTL_H

struct kfdm_process;

typedef int kfdm_ioctl_fn(struct kfdm_process *p, void *data);

kfdm_ioctl_fn kfdm_ioctl_create_queue, kfdm_ioctl_destroy_queue, kfdm_ioctl_update_queue, kfdm_ioctl_set_cu_mask;
kfdm_ioctl_fn kfdm_ioctl_get_queue_wave_state, kfdm_ioctl_alloc_queue_gws;

kfdm_ioctl_fn kfdm_ioctl_get_version, kfdm_ioctl_set_memory_policy, kfdm_ioctl_get_clock_counters;
kfdm_ioctl_fn kfdm_ioctl_get_process_apertures, kfdm_ioctl_get_process_apertures_new;
kfdm_ioctl_fn kfdm_ioctl_set_scratch_backing_va, kfdm_ioctl_get_tile_config, kfdm_ioctl_set_trap_handler;
kfdm_ioctl_fn kfdm_ioctl_acquire_vm, kfdm_ioctl_available_memory, kfdm_ioctl_set_xnack_mode, kfdm_ioctl_smi_events;

kfdm_ioctl_fn kfdm_ioctl_alloc_memory, kfdm_ioctl_free_memory, kfdm_ioctl_map_memory, kfdm_ioctl_unmap_memory;
kfdm_ioctl_fn kfdm_ioctl_get_dmabuf_info, kfdm_ioctl_import_dmabuf, kfdm_ioctl_export_dmabuf;

kfdm_ioctl_fn kfdm_ioctl_create_event, kfdm_ioctl_destroy_event, kfdm_ioctl_set_event, kfdm_ioctl_reset_event;
kfdm_ioctl_fn kfdm_ioctl_wait_events;

kfdm_ioctl_fn kfdm_ioctl_debugger, kfdm_ioctl_svm;
kfdm_ioctl_fn kfdm_ioctl_criu;
kfdm_ioctl_fn kfdm_ioctl_runtime_enable, kfdm_ioctl_dbg_trap, kfdm_ioctl_profiler;

#endif
