// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_param.c - the module parameters and their defaults
 */
#include <linux/export.h>

#include "amdgpu_param.h"
#include "amdgpu_model/kfd_bridge.h"

struct amdm_parameters amdm_param = {
	.chip = "radeon_vii",
	.topology = "pcie",
	.high_priority = "static",
	.user_partt_mode = -2,
	.lockup_timeout = 10000,
	.lockup_timeout_compute = 60000,
};

struct amdm_kfd_parameters amdm_kfd_param = {
	.hws_max_conc_proc = -1,
	.cwsr_enable = 1,
	.max_num_of_queues_per_device = 4096,
	.queue_preemption_timeout_ms = 9000,
};
EXPORT_SYMBOL_GPL(amdm_kfd_param);
