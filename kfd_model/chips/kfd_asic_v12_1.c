// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GC 12.1 (Linux: kfd_device_queue_manager_v12_1.c)
 *
 * Whether accesses are retried is also a matter of the process's VM context. Windows are where amdgpu's memory controller has them.
 */
#include "kfd_asic.h"

#define ALIGNMENT_UNALIGNED		(1u << 2)
#define F8_MODE				((u32)BIT(8))
#define INITIAL_INST_PREFETCH(n)	((u32)(n) << 14)
#define RETRY_DISABLE			((u32)BIT(19))
#define CNTX_RETRY_FAULT		((u32)BIT(8))	/* GCVM_CONTEXT0_CNTL.RETRY_PERMISSION_OR_INVALID_PAGE_FAULT */

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, ALIGNMENT_UNALIGNED | INITIAL_INST_PREFETCH(3) | F8_MODE);
	process->vm_cntx_cntl = in->vm_cntx_cntl;
	if (in->noretry) {
		process->sh_mem_config |= RETRY_DISABLE;
		process->vm_cntx_cntl &= ~CNTX_RETRY_FAULT;
	} else {
		process->sh_mem_config &= ~RETRY_DISABLE;
		process->vm_cntx_cntl |= CNTX_RETRY_FAULT;
	}
	process->sh_mem_bases = (u32)(in->lds_base >> 48) << 16 | (u32)(in->scratch_base >> 58);
}

const struct kfdm_asic_ops kfdm_asic_v12_1_7_2 = {
	.apertures = kfdm_apertures_v12_1_7_2,
	.update_qpd = update_qpd,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};
