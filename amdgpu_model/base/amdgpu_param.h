/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_param.h - module parameters of the device half; module/amdgpu_drv.c offers them.
 */
#ifndef AMDGPU_PARAM_H
#define AMDGPU_PARAM_H

#include <linux/types.h>

/**
 * struct amdm_parameters - module parameters of the device half
 * @chip:    names of rows in hw/chips.def, separated by commas: one a GPU, the last for all that follow
 * @cus:     active CUs, 0: as the chip is sold
 * @gpus:    how many of them, 0: as many as @chip names
 * @vram_mb: VRAM, 0: as the chip is sold
 * @topology: pcie, xgmi or xgmi-cpu: what joins the GPUs
 * @xgmi:    XGMI joins them
 * @xgmi_to_cpu: and the CPU
 * @high_priority: static, dynamic or off, see amdgpu_priority.c
 * @lockup_timeout, @lockup_timeout_compute: ms that a job may take
 * @user_partt_mode: enum amdm_xcp_mode of GPUs with several compute dies; below 0: as their memory is divided
 * @exp_hw_support: KFD also on chips whose support is experimental
 * @soft_recovery: waves of a job that does not end are killed before its ring is reset
 * @leftover_locals: registers and LDS keep what other processes have left there
 */
struct amdm_parameters {
	char *chip;
	uint cus;
	uint gpus;
	uint vram_mb;
	char *topology;
	bool xgmi, xgmi_to_cpu;
	char *high_priority;
	uint lockup_timeout;
	uint lockup_timeout_compute;
	int user_partt_mode;
	int exp_hw_support;
	bool soft_recovery;
	bool leftover_locals;
};

extern struct amdm_parameters amdm_param;

#endif
