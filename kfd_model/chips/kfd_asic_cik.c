// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX7 (Linux: kfd_device_queue_manager_cik.c)
 */
#include "kfd_asic.h"

/* cik_regs.h */
#define PTR32			BIT(0)
#define PRIVATE_ATC		BIT(1)
#define ALIGNMENT_UNALIGNED	(3u << 2)
#define DEFAULT_MTYPE(n)	((u32)(n) << 4)
#define APE1_MTYPE(n)		((u32)(n) << 7)

enum { MTYPE_CACHED = 1, MTYPE_NONCACHED = 3 };

static u32 config(bool default_coherent, bool alternate_coherent)
{
	return ALIGNMENT_UNALIGNED | DEFAULT_MTYPE(default_coherent ? MTYPE_NONCACHED : MTYPE_CACHED) |
	       APE1_MTYPE(alternate_coherent ? MTYPE_NONCACHED : MTYPE_CACHED);
}

static u32 cache_policy(u32 sh_mem_config, bool default_coherent, bool alternate_coherent)
{
	return (sh_mem_config & PTR32) | config(default_coherent, alternate_coherent);
}

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, config(true, true));
	if (in->is_32bit) {
		process->sh_mem_bases = ((u32)(in->lds_base >> 16) & 0xff) << 16;
		process->sh_mem_config |= PTR32;
	} else {
		process->sh_mem_bases = kfdm_asic_bases_by_nybble(in->lds_base);
		process->sh_mem_config |= PRIVATE_ATC;
	}
}

static void update_qpd_hawaii(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, config(true, true));
	process->sh_mem_bases = kfdm_asic_bases_by_nybble(in->lds_base);
}

const struct kfdm_asic_ops kfdm_asic_cik = {
	.apertures = kfdm_apertures_vi,
	.update_qpd = update_qpd,
	.cache_policy = cache_policy,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_apu,
};

const struct kfdm_asic_ops kfdm_asic_cik_hawaii = {
	.apertures = kfdm_apertures_vi,
	.update_qpd = update_qpd_hawaii,
	.cache_policy = cache_policy,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_dgpu,
};

/* 7.2 knows no IOMMU: Kaveri is a card to it, too. */
const struct kfdm_asic_ops kfdm_asic_cik_7_2 = {
	.apertures = kfdm_apertures_vi_7_2,
	.cache_policy = cache_policy,
	.bases = kfdm_asic_bases_of_windows,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_dgpu,
};
