/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* every_ioctl.h - every handler of kfd_ioctl.h once, for the suites of what calls them: X(create_queue) is kfdm_ioctl_create_queue */
#ifndef EVERY_IOCTL_H
#define EVERY_IOCTL_H

#define EVERY_IOCTL(X)	\
	X(get_version) X(create_queue) X(destroy_queue) X(set_memory_policy) X(get_clock_counters) \
	X(get_process_apertures) X(update_queue) X(create_event) X(destroy_event) X(set_event) \
	X(reset_event) X(wait_events) X(debugger) X(set_scratch_backing_va) X(get_tile_config) \
	X(set_trap_handler) X(get_process_apertures_new) X(acquire_vm) X(alloc_memory) X(free_memory) \
	X(map_memory) X(unmap_memory) X(set_cu_mask) X(get_queue_wave_state) X(get_dmabuf_info) \
	X(import_dmabuf) X(alloc_queue_gws) X(smi_events) X(svm) X(set_xnack_mode) X(criu) \
	X(available_memory) X(export_dmabuf) X(runtime_enable) X(dbg_trap) X(profiler)

#endif
