// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX9 (Linux: kfd_device_queue_manager_v9.c)
 *
 * There is no alternate aperture any more, so a memory policy has nothing to set. In 7.2 it begins anew, and forgets that a process
 * chose to retry.
 */
#include "kfd_asic.h"

#define ALIGNMENT_UNALIGNED	(3u << 3)
#define RETRY_DISABLE		((u32)BIT(12))

static void configure(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in, bool retry)
{
	kfdm_asic_configure_once(process, retry ? ALIGNMENT_UNALIGNED : ALIGNMENT_UNALIGNED | RETRY_DISABLE);
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
}

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	configure(process, in, !in->noretry || in->use_iommu_v2);
}

/* Aldebaran can have processes with and without retry side by side. */
static void update_qpd_aldebaran(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	configure(process, in, in->xnack);
}

const struct kfdm_asic_ops kfdm_asic_v9 = {
	.apertures = kfdm_apertures_v9,
	.update_qpd = update_qpd,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};

const struct kfdm_asic_ops kfdm_asic_aldebaran = {
	.apertures = kfdm_apertures_v9,
	.update_qpd = update_qpd_aldebaran,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
	.xnack_per_process = true,
};

static void update_qpd_7_2(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	configure(process, in, !in->noretry);
}

/* The process's choice goes into registers that were set before, too. */
static void update_qpd_aldebaran_7_2(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	configure(process, in, !in->noretry);
	if (in->xnack)
		process->sh_mem_config &= ~RETRY_DISABLE;
	else
		process->sh_mem_config |= RETRY_DISABLE;
}

static void any_policy(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	process->sh_mem_config = in->noretry ? ALIGNMENT_UNALIGNED | RETRY_DISABLE : ALIGNMENT_UNALIGNED;
	process->sh_mem_ape1_base = 0;
	process->sh_mem_ape1_limit = 0;
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
}

const struct kfdm_asic_ops kfdm_asic_v9_7_2 = {
	.apertures = kfdm_apertures_v9_7_2,
	.update_qpd = update_qpd_7_2,
	.any_policy = any_policy,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};

const struct kfdm_asic_ops kfdm_asic_aldebaran_7_2 = {
	.apertures = kfdm_apertures_v9_7_2,
	.update_qpd = update_qpd_aldebaran_7_2,
	.any_policy = any_policy,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
	.xnack_per_process = true,
};
