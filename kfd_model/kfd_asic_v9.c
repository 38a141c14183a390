// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX9
 *
 * SH_MEM_CONFIG and SH_MEM_BASES (kfd_device_queue_manager_v9.c). There is no alternate aperture any more, so a memory policy
 * has nothing to set.
 */
#include "kfd_chips.h"

#define SH_MEM_ALIGNMENT_MODE_UNALIGNED	(3u << 3)
#define SH_MEM_RETRY_DISABLE		BIT(12)

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	if (!process->sh_mem_config) {
		process->sh_mem_config = SH_MEM_ALIGNMENT_MODE_UNALIGNED;
		if (in->noretry)
			process->sh_mem_config |= SH_MEM_RETRY_DISABLE;
		process->sh_mem_ape1_base = 0;
		process->sh_mem_ape1_limit = 0;
	}
	process->sh_mem_bases = (u32)(in->lds_base >> 48) << 16 | (u32)(in->scratch_base >> 48);
}

static u32 sdma_vm_addr(const struct kfdm_sh_mem_inputs *in)
{
	return 0;
}

const struct kfdm_asic_ops kfdm_asic_v9 = {
	.update_qpd = update_qpd,
	.sdma_vm_addr = sdma_vm_addr,
};
