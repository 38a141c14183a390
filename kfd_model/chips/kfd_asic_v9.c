// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX9 (Linux: kfd_device_queue_manager_v9.c)
 *
 * There is no alternate aperture any more, so a memory policy has nothing to set. In 7.2 it begins anew, and forgets that a process
 * chose to retry.
 */
#include "kfd_asic.h"

#define ALIGNMENT_UNALIGNED	(3u << 3)
#define F8_MODE			((u32)BIT(8))	/* GC 9.4.3: 8-bit floats are of the FNUZ kind */
#define PRECISION_MODE		((u32)BIT(9))	/* GC 9.5.0: matrix products */
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
static void choose_retry(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	if (in->xnack)
		process->sh_mem_config &= ~RETRY_DISABLE;
	else
		process->sh_mem_config |= RETRY_DISABLE;
}

static void update_qpd_aldebaran_7_2(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	configure(process, in, !in->noretry);
	choose_retry(process, in);
}

static void update_qpd_v9_4_3_7_2(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, ALIGNMENT_UNALIGNED | F8_MODE);
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
	choose_retry(process, in);
}

static void any_policy(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	process->sh_mem_config = in->noretry ? ALIGNMENT_UNALIGNED | RETRY_DISABLE : ALIGNMENT_UNALIGNED;
	process->sh_mem_ape1_base = 0;
	process->sh_mem_ape1_limit = 0;
	process->sh_mem_bases = kfdm_asic_bases_by_half_word(in);
}

static void any_policy_v9_4_3(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	any_policy(process, in);
	process->sh_mem_config |= F8_MODE;
}

static void any_policy_v9_5_0(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	any_policy(process, in);
	if (in->high_precision)
		process->sh_mem_config |= PRECISION_MODE;
}

const struct kfdm_asic_ops kfdm_asic_v9_7_2 = {
	.apertures = kfdm_apertures_v9_7_2,
	.update_qpd = update_qpd_7_2,
	.any_policy = any_policy,
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,
};

#define XNACK_PER_PROCESS						\
	.apertures = kfdm_apertures_v9_7_2,				\
	.sdma_vm_addr = kfdm_asic_no_sdma_vm_addr,			\
	.xnack_per_process = true

const struct kfdm_asic_ops kfdm_asic_aldebaran_7_2 = {
	XNACK_PER_PROCESS,
	.update_qpd = update_qpd_aldebaran_7_2,
	.any_policy = any_policy,
};

const struct kfdm_asic_ops kfdm_asic_v9_4_3_7_2 = {
	XNACK_PER_PROCESS,
	.update_qpd = update_qpd_v9_4_3_7_2,
	.any_policy = any_policy_v9_4_3,
};

const struct kfdm_asic_ops kfdm_asic_v9_5_0_7_2 = {
	XNACK_PER_PROCESS,
	.update_qpd = update_qpd_aldebaran_7_2,
	.any_policy = any_policy_v9_5_0,
};
