// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Registers of a process on GFX8 (Linux: kfd_device_queue_manager_vi.c)
 *
 * "Coherent" is CC on Carrizo, which snoops the CPU's caches, and uncached on discrete GPUs.
 */
#include "kfd_asic.h"

/* gfx_8_0_sh_mask.h */
#define ADDRESS_MODE_MASK	3u
#define ADDRESS_MODE_HSA64	2u
#define ADDRESS_MODE_HSA32	3u
#define PRIVATE_ATC		BIT(2)
#define ALIGNMENT_UNALIGNED	(3u << 3)
#define DEFAULT_MTYPE(n)	((u32)(n) << 5)
#define APE1_MTYPE(n)		((u32)(n) << 8)

enum mtype { MTYPE_NC = 1, MTYPE_CC, MTYPE_UC };

static u32 config(bool default_coherent, bool alternate_coherent, enum mtype coherent)
{
	return ALIGNMENT_UNALIGNED | DEFAULT_MTYPE(default_coherent ? coherent : MTYPE_NC) |
	       APE1_MTYPE(alternate_coherent ? coherent : MTYPE_NC);
}

static u32 cache_policy(u32 sh_mem_config, bool default_coherent, bool alternate_coherent)
{
	return (sh_mem_config & ADDRESS_MODE_MASK) | config(default_coherent, alternate_coherent, MTYPE_CC) | PRIVATE_ATC;
}

static u32 cache_policy_tonga(u32 sh_mem_config, bool default_coherent, bool alternate_coherent)
{
	return config(default_coherent, alternate_coherent, MTYPE_UC);
}

static void update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, config(true, true, MTYPE_CC) | PRIVATE_ATC);
	if (in->is_32bit) {
		process->sh_mem_bases = ((u32)(in->lds_base >> 16) & 0xff) << 16;
		process->sh_mem_config |= ADDRESS_MODE_HSA32;
	} else {
		process->sh_mem_bases = kfdm_asic_bases_by_nybble(in->lds_base);
		process->sh_mem_config |= ADDRESS_MODE_HSA64 | PRIVATE_ATC;
	}
}

static void update_qpd_tonga(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	kfdm_asic_configure_once(process, config(true, true, MTYPE_UC));
	process->sh_mem_bases = kfdm_asic_bases_by_nybble(in->lds_base);
}

const struct kfdm_asic_ops kfdm_asic_vi = {
	.apertures = kfdm_apertures_vi,
	.update_qpd = update_qpd,
	.cache_policy = cache_policy,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_apu,
};

const struct kfdm_asic_ops kfdm_asic_vi_tonga = {
	.apertures = kfdm_apertures_vi,
	.update_qpd = update_qpd_tonga,
	.cache_policy = cache_policy_tonga,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_dgpu,
};

const struct kfdm_asic_ops kfdm_asic_vi_7_2 = {
	.apertures = kfdm_apertures_vi_7_2,
	.cache_policy = cache_policy_tonga,
	.bases = kfdm_asic_bases_of_windows,
	.sdma_vm_addr = kfdm_asic_sdma_vm_addr_dgpu,
};
