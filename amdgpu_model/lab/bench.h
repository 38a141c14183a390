/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * bench.h - the lab bench of one GPU, for the control device.
 */
#ifndef AMDGPU_GLUE_BENCH_H
#define AMDGPU_GLUE_BENCH_H

#include "amdgpu_model/glue/chip.h"
#include "uapi/amdgpu_model_ctl.h"

int amdm_bench_hold(struct amdm_glue *glue, struct file *holder);
int amdm_bench_release(struct amdm_glue *glue, struct file *holder);
int amdm_bench_run(struct amdm_glue *glue, struct file *holder, const struct amdm_ctl_clock *clock);
u64 amdm_bench_now(struct amdm_glue *glue);
int amdm_bench_trace_start(struct amdm_glue *glue, u32 kinds);
void amdm_bench_trace_stop(struct amdm_glue *glue);
int amdm_bench_trace_read(struct amdm_glue *glue, struct amdm_ctl_trace *args);
int amdm_bench_memory(struct amdm_glue *glue, const struct amdm_ctl_memory *args, bool write);
int amdm_bench_inject(struct amdm_glue *glue, u32 fault, u32 count);

#endif
