/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * dies.h - what generations.def and dies.def state, as structs. The driver and the silicon build their own tables of these rows.
 *
 * To add a die: "Add a chip" in CONTRIBUTING.md.
 */
#ifndef HW_DIES_H
#define HW_DIES_H

#include "hw_types.h"

/* Compute dies on an interposer die (AID), which has SDMA engines and a memory hub (MMHUB) for them (Linux 7.2: gfx_v9_4_3.c) */
#define HW_XCCS_OF_AID	2

/* Registers and packets that all dies of a generation have in common. */
enum hw_generation_id {
#define GENERATION(id, ...) HW_##id,
#include "generations.def"
#undef GENERATION
	HW_GENERATIONS
};

/**
 * struct hw_generation - facts of a generation
 * @doorbell_bytes:  of a doorbell: 4 or 8
 * @interrupt_bytes: of an entry of the interrupt ring
 * @wptr_wraps:      write pointers of rings have 32 bits and wrap at the ring's end; otherwise 64 bits that count on
 * @ip_versions:     blocks have version numbers that drivers are told of
 * @mode1_reset:     without power management, which could do it by BACO, the GPU is reset by MODE1, which loses VRAM; otherwise by the PCI
 *                   function, which leaves VRAM alone (Linux: soc15_asic_reset_method(), amdgpu_device_check_vram_lost())
 * @mecs:            micro engines for compute
 * @cus_per_bit:     CUs that a bit of CC_GC_SHADER_ARRAY_CONFIG stands for: 2 where it counts WGPs
 * @simds_per_cu, @waves_per_simd, @wave_lanes: shape of a CU as drivers report it
 * @event_write_eop: the graphics ring ends jobs by EVENT_WRITE_EOP; otherwise by RELEASE_MEM, as compute rings do
 * @wave_limits:     pipes can be kept from taking waves by SPI_WCL_PIPE_PERCENT_*
 * @ring_wave_limits: rings of high priority do that while their jobs run (Linux: emit_wave_limit of gfx_v8_0.c, gfx_v9_0.c)
 * @unord_dispatch:  compute rings are connected with UNORD_DISPATCH (Linux since 6.7: gfx_v10_0_compute_mqd_init() and its namesakes)
 * @ih_cntl_enables: interrupts are enabled in IH_CNTL; otherwise in IH_RB_CNTL
 */
struct hw_generation {
	u8 doorbell_bytes;
	u8 interrupt_bytes;
	bool wptr_wraps;
	bool ip_versions;
	bool mode1_reset;
	u8 mecs;
	u8 cus_per_bit;
	u8 simds_per_cu, waves_per_simd, wave_lanes;
	bool event_write_eop;
	bool wave_limits, ring_wave_limits;
	bool unord_dispatch;
	bool ih_cntl_enables;
};

/**
 * struct hw_die - facts of a die
 * @generation:      row of generations.def: enum hw_generation_id
 * @name:            as in sysfs and in the log
 * @xccs:            compute dies, each with what the product's row says; 0: the chip is one die
 * @gc_version, @sdma_version: IP versions; before GFX9 the major number and a number for the die
 * @gc_minor, @sdma_minor: minor numbers of the driver's IP blocks, which HW_IP_INFO tells (Linux: cik.c, vi.c, soc15.c, nv.c)
 * @external_rev:    AMDGPU_INFO_DEV_INFO's external_rev (Linux: vi.c, soc15.c, nv.c, soc21.c external_rev_id)
 * @xgmi:            has XGMI links: all SDMA engines but two are for them (Linux: kfd_get_num_sdma_engines())
 * @hive:            GPUs that XGMI joins into one hive; 0: none are joined
 * @host_xgmi:       boards exist on which XGMI joins it to the CPU, too (Linux: gmc_v9_0_early_init(): XGMI 6.1.0)
 * @noretry:         faulting accesses are not retried unless the driver is told to (Linux: amdgpu_gmc_noretry_set())
 * @xnack:           the hub can have faulting accesses retried, and each process chooses (Linux: gfxhub_v1_0_setup_vmid_config(),
 *                   KFD_SUPPORT_XNACK_PER_PROCESS())
 * @mes:             queues are scheduled by the MES
 * @mec_fw, @sdma_fw: firmware versions
 * @gb_addr_config:  GB_ADDR_CONFIG (Linux: gfx_v9_0_gpu_early_init() and its counterparts)
 * @rbs, @tccs:      render back-ends, L2 channels; without render back-ends there is no graphics pipe
 * @vram_type:       AMDGPU_VRAM_TYPE_*
 * @gds, @gws:       bytes of global data share, GWS entries that KFD has
 * @ref_khz:         reference clock
 * @counts_uvd_handles: AMDGPU_INFO_NUM_HANDLES is answered (Linux: amdgpu_kms.c, before Polaris)
 * @asks_ras:        AMDGPU_INFO_RAS_ENABLED_FEATURES is answered (Linux: amdgpu_ras_init() without RAS)
 */
struct hw_die {
	u8 generation;
	const char *name;
	u8 xccs;
	u32 gc_version, sdma_version;
	u8 gc_minor, sdma_minor;
	u8 external_rev;
	bool xgmi;
	u8 hive;
	bool host_xgmi;
	bool noretry, xnack, mes;
	u32 mec_fw, sdma_fw;
	u32 gb_addr_config;
	u8 rbs, tccs;
	u8 vram_type;
	u32 gds, gws;
	u32 ref_khz;
	bool counts_uvd_handles, asks_ras;
};

enum { HW_VRAM_GDDR5 = 5, HW_VRAM_HBM = 6, HW_VRAM_GDDR6 = 9 };	/* AMDGPU_VRAM_TYPE_* */

#endif
