// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX10 and GFX11 (Linux: kfd_device_queue_manager_v10.c, ..._v11.c)
 *
 * In 7.2 they are set by SET_MEMORY_POLICY alone, whatever the policy. A process that never asks for one runs with zeros.
 */
#include "kfd_asic.h"

#define ALIGNMENT_UNALIGNED		(3u << 2)
#define INITIAL_INST_PREFETCH(n)	((u32)(n) << 14)

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, ALIGNMENT_UNALIGNED | INITIAL_INST_PREFETCH(3));
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
}

const struct kfdm_asic_ops kfdm_asic_v10 = {
	.apertures = kfdm_apertures_v9,
	.update_qpd = update_qpd,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};

static void any_policy(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	process->sh_mem_config = ALIGNMENT_UNALIGNED | INITIAL_INST_PREFETCH(3);
	process->sh_mem_ape1_base = 0;
	process->sh_mem_ape1_limit = 0;
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
}

const struct kfdm_asic_ops kfdm_asic_v10_7_2 = {
	.apertures = kfdm_apertures_v9_7_2,
	.any_policy = any_policy,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};
