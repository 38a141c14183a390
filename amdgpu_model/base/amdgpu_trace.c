// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Trace events of amdgpu
 *
 * The bodies of what amdgpu_trace.h declares.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "amdgpu_trace.h"

/* Suites have copies of files that call these. */
#if IS_ENABLED(CONFIG_KUNIT)
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_bo_move);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_cs_ioctl);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_iv);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_sched_run_job);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_vm_bo_map);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_vm_bo_unmap);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_vm_flush);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_vm_grab_id);
EXPORT_TRACEPOINT_SYMBOL_GPL(amdgpu_vm_set_ptes);
#endif
