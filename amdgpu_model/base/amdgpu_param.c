// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_param.c - the module parameters and their defaults
 */
#include "amdgpu_param.h"

struct amdm_parameters amdm_param = {
	.chip = "radeon_vii",
	.topology = "pcie",
	.high_priority = "static",
	.user_partt_mode = -2,
	.lockup_timeout = 10000,
	.lockup_timeout_compute = 60000,
};
