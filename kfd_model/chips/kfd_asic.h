/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_ASIC_H
#define KFD_ASIC_H

#include "kfd_model/base/kfd_layout.h"
#include "kfd_model/packets/kfd_packets.h"

/**
 * struct kfdm_sh_mem_inputs - what the registers of a process depend on
 * @lds_base, @scratch_base: apertures
 * @vm_cntx_cntl: of the GFX hub, as amdgpu has it
 * @noretry:      the device does not retry faulting accesses
 * @use_iommu_v2: an APU whose memory the IOMMU translates
 * @xnack:        the process wants faulting accesses to be retried
 * @high_precision: the process wants matrix products of the higher precision
 * @is_32bit:     a 32-bit process
 */
struct kfdm_sh_mem_inputs {
	u64 lds_base, scratch_base;
	u32 vm_cntx_cntl;
	bool noretry, use_iommu_v2, xnack, is_32bit, high_precision;
};

/** struct kfdm_cache_policy - SET_MEMORY_POLICY: caching by default and in the alternate aperture */
struct kfdm_cache_policy {
	bool default_coherent, alternate_coherent;
	u64 alternate_base, alternate_size;
};

/**
 * struct kfdm_asic_ops - address space and registers of a process (device_queue_manager_asic_ops). All slots are pure; callers
 * hold the DQM lock, except @apertures.
 * @xnack_per_process: processes with and without retry can run side by side
 * @apertures:    of a 64-bit process
 * @update_qpd:   SH_MEM_CONFIG and the alternate aperture, unless set before; SH_MEM_BASES. NULL: they are a memory policy's business
 * @cache_policy: SH_MEM_CONFIG for a memory policy
 * @bases:        SH_MEM_BASES, where a memory policy sets them too
 * @any_policy:   all registers, where every memory policy is as good; before @cache_policy. Both NULL: there is none, and it is always
 *   accepted
 * @sdma_vm_addr: virtual address word of an SDMA MQD
 */
struct kfdm_asic_ops {
	bool xnack_per_process;
	void (*apertures)(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
	void (*update_qpd)(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in);
	u32 (*cache_policy)(u32 sh_mem_config, bool default_coherent, bool alternate_coherent);
	u32 (*bases)(const struct kfdm_sh_mem_inputs *in);
	void (*any_policy)(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in);
	u32 (*sdma_vm_addr)(const struct kfdm_sh_mem_inputs *in);
};

extern const struct kfdm_asic_ops kfdm_asic_cik;
extern const struct kfdm_asic_ops kfdm_asic_cik_hawaii;
extern const struct kfdm_asic_ops kfdm_asic_vi;
extern const struct kfdm_asic_ops kfdm_asic_vi_tonga;
extern const struct kfdm_asic_ops kfdm_asic_v9;
extern const struct kfdm_asic_ops kfdm_asic_aldebaran;
extern const struct kfdm_asic_ops kfdm_asic_v10;

extern const struct kfdm_asic_ops kfdm_asic_cik_7_2;
extern const struct kfdm_asic_ops kfdm_asic_vi_7_2;
extern const struct kfdm_asic_ops kfdm_asic_v9_7_2;
extern const struct kfdm_asic_ops kfdm_asic_aldebaran_7_2;
extern const struct kfdm_asic_ops kfdm_asic_v9_4_3_7_2;
extern const struct kfdm_asic_ops kfdm_asic_v9_5_0_7_2;
extern const struct kfdm_asic_ops kfdm_asic_v10_7_2;
extern const struct kfdm_asic_ops kfdm_asic_v12_1_7_2;

void kfdm_asic_apertures(const struct kfdm_asic_ops *asic, const struct kfdm_aperture_inputs *in,
			 struct kfdm_apertures *apertures);
bool kfdm_asic_has_cache_policy(const struct kfdm_asic_ops *asic);
bool kfdm_asic_set_cache_policy(const struct kfdm_asic_ops *asic, struct kfdm_map_process *process,
				const struct kfdm_sh_mem_inputs *in, const struct kfdm_cache_policy *policy);
void kfdm_asic_configure_once(struct kfdm_map_process *process, u32 sh_mem_config);
u32 kfdm_asic_bases_by_nybble(u64 lds_base);
u32 kfdm_asic_bases_of_windows(const struct kfdm_sh_mem_inputs *in);
u32 kfdm_asic_bases_by_half_word(const struct kfdm_sh_mem_inputs *in);
u32 kfdm_asic_sdma_vm_addr_apu(const struct kfdm_sh_mem_inputs *in);
u32 kfdm_asic_sdma_vm_addr_dgpu(const struct kfdm_sh_mem_inputs *in);
u32 kfdm_asic_no_sdma_vm_addr(const struct kfdm_sh_mem_inputs *in);

#endif
