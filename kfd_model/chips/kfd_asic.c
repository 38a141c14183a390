// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What all generations' process registers share
 *
 * SH_MEM_CONFIG says how a process's shaders see memory, SH_MEM_BASES where their LDS and scratch windows lie. Up to GFX8 there
 * is an alternate aperture besides, with a caching policy of its own (Linux: kfd_device_queue_manager.c, ..._cik.c, ..._vi.c).
 */
#include "kfd_asic.h"

/* An aperture is whole 64 KiB pages of user space: this much is fixed in its base, and in its last byte. */
#define APE1_FIXED_BITS_MASK	0xffff80000000ffffULL
#define APE1_LIMIT_ALIGNMENT	0xffffULL

#define SH_MEM_BASES_SHARED_SHIFT	16

/* SDMAn_RLC0_VIRTUAL_ADDR */
#define SDMA_VM_ATC		BIT(0)
#define SDMA_VM_PTR32		BIT(4)
#define SDMA_VM_SHARED_BASE(n)	((u32)(n) << 8 & 0x700)

/**
 * kfdm_asic_apertures() - a process's view of one GPU's address space
 * @asic: generation
 * @in:   process and device
 * @apertures: out
 *
 * Pure.
 */
void kfdm_asic_apertures(const struct kfdm_asic_ops *asic, const struct kfdm_aperture_inputs *in,
			 struct kfdm_apertures *apertures)
{
	memset(apertures, 0, sizeof(*apertures));
	if (!in->is_32bit)
		asic->apertures(in, apertures);
}

/**
 * kfdm_asic_has_cache_policy() - does SET_MEMORY_POLICY do anything?
 * @asic: generation
 *
 * Pure.
 */
bool kfdm_asic_has_cache_policy(const struct kfdm_asic_ops *asic)
{
	return asic->cache_policy || asic->any_policy;
}

/**
 * kfdm_asic_set_cache_policy() - SET_MEMORY_POLICY on one device
 * @asic:    generation
 * @process: changed
 * @in:      what its registers depend on
 * @policy:  wanted
 *
 * Pure. Return: false when the alternate aperture cannot be expressed.
 */
bool kfdm_asic_set_cache_policy(const struct kfdm_asic_ops *asic, struct kfdm_map_process *process,
				const struct kfdm_sh_mem_inputs *in, const struct kfdm_cache_policy *policy)
{
	u64 base = policy->alternate_base, limit = base + policy->alternate_size - 1;

	if (asic->any_policy)
		asic->any_policy(process, in);
	if (!asic->cache_policy)
		return true;
	if (!policy->alternate_size) {
		base = 1ULL << 16;	/* base above limit: no aperture */
		limit = 0;
	} else if (limit <= base || base & APE1_FIXED_BITS_MASK || (limit & APE1_FIXED_BITS_MASK) != APE1_LIMIT_ALIGNMENT) {
		return false;
	}
	process->sh_mem_ape1_base = (u32)(base >> 16);
	process->sh_mem_ape1_limit = (u32)(limit >> 16);
	process->sh_mem_config = asic->cache_policy(process->sh_mem_config, policy->default_coherent,
						    policy->alternate_coherent);
	if (asic->bases)
		process->sh_mem_bases = asic->bases(in);
	return true;
}

/**
 * kfdm_asic_configure_once() - SH_MEM_CONFIG of a process that has none yet, without alternate aperture
 * @process: changed
 * @sh_mem_config: value
 *
 * Pure.
 */
void kfdm_asic_configure_once(struct kfdm_map_process *process, u32 sh_mem_config)
{
	if (process->sh_mem_config)
		return;
	process->sh_mem_config = sh_mem_config;
	process->sh_mem_ape1_base = 0;
	process->sh_mem_ape1_limit = 0;
}

/* Up to GFX8 only the top three bits of the windows can be chosen; LDS and scratch share them. */
static u32 nybble_of(u64 lds_base)
{
	return (u32)(lds_base >> 60) & 0xe;
}

/**
 * kfdm_asic_bases_by_nybble() - SH_MEM_BASES of a 64-bit process up to GFX8
 * @lds_base: window
 *
 * Pure.
 */
u32 kfdm_asic_bases_by_nybble(u64 lds_base)
{
	u32 base = nybble_of(lds_base) << 12;

	return base | base << SH_MEM_BASES_SHARED_SHIFT;
}

/**
 * kfdm_asic_bases_of_windows() - kfdm_asic_ops.bases up to GFX8
 * @in: windows
 *
 * Pure.
 */
u32 kfdm_asic_bases_of_windows(const struct kfdm_sh_mem_inputs *in)
{
	return kfdm_asic_bases_by_nybble(in->lds_base);
}

/**
 * kfdm_asic_bases_by_half_word() - SH_MEM_BASES since GFX9: the top 16 bits of either window
 * @in: windows
 *
 * Pure.
 */
u32 kfdm_asic_bases_by_half_word(const struct kfdm_sh_mem_inputs *in)
{
	return (u32)(in->lds_base >> 48) << SH_MEM_BASES_SHARED_SHIFT | (u32)(in->scratch_base >> 48);
}

/**
 * kfdm_asic_sdma_vm_addr_apu() - kfdm_asic_ops.sdma_vm_addr of an APU up to GFX8
 * @in: process
 *
 * Pure.
 */
u32 kfdm_asic_sdma_vm_addr_apu(const struct kfdm_sh_mem_inputs *in)
{
	if (in->is_32bit)
		return SDMA_VM_ATC | SDMA_VM_PTR32 | ((u32)(in->lds_base >> 16) & 0xff);
	return SDMA_VM_ATC | SDMA_VM_SHARED_BASE(nybble_of(in->lds_base));
}

/**
 * kfdm_asic_sdma_vm_addr_dgpu() - the same of a discrete GPU, which addresses 64 bits for every process
 * @in: process
 *
 * Pure.
 */
u32 kfdm_asic_sdma_vm_addr_dgpu(const struct kfdm_sh_mem_inputs *in)
{
	return SDMA_VM_SHARED_BASE(nybble_of(in->lds_base));
}

/**
 * kfdm_asic_no_sdma_vm_addr() - the same since SDMA 4, which needs no such word
 * @in: process
 *
 * Pure.
 */
u32 kfdm_asic_no_sdma_vm_addr(const struct kfdm_sh_mem_inputs *in)
{
	return 0;
}
