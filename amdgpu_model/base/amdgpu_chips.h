/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_chips.h - what the driver knows about a chip before it touches it.
 */
#ifndef AMDGPU_CHIPS_H
#define AMDGPU_CHIPS_H

#include "amdgpu_device.h"
#include "amdgpu_ip_block.h"
#include "amdgpu_reg.h"
#include "amdgpu_model/hw/dies.h"
#include "amdgpu_model/hw/sdma_layout.h"

struct amdm_kfd_gen;
struct amdm_pt_format;

/**
 * struct amdm_doorbell_assignment - what amdgpu leaves to whom of a process's doorbells (Linux: amdgpu_doorbell.h)
 * @sdma:         first doorbell index of each SDMA engine
 * @non_cp_start, @non_cp_end: doorbell indices that are not the CP's, inclusive
 * @compute:      first doorbell index of the kernel's compute rings
 * @graphics:     doorbell index of its graphics ring
 * @max_assignment: last doorbell dword that amdgpu assigns
 * @paging:       dwords behind it that are kept for SDMA's paging queues (amdgpu_device_doorbell_init())
 */
struct amdm_doorbell_assignment {
	u32 sdma[16];
	u32 non_cp_start, non_cp_end;
	u32 compute, graphics;
	u32 max_assignment, paging;
};

/**
 * struct amdm_gmc - what memory controllers do differently
 * @tables:    form of the page tables
 * @fb_start:  MC address of VRAM
 * @base_shift: VM_CONTEXTn_PAGE_TABLE_BASE and MAP_PROCESS hold the address of the page table shifted right by it (Linux:
 *              amdgpu_amdkfd_gpuvm_get_process_page_dir())
 * @va_end:    end of a process's address space, or of its lower half
 * @two_halves: addresses are sign extended: the upper half of the address space lies below 2^64
 * @flush:     empty the TLBs of VMIDs (bit mask); type: enum kfd_bridge_tlb_flush
 * @emit_flush: have a ring connect a VMID to page tables, and empty its TLB
 * @mtype_shift: place of MTYPE in a PTE; 0: none
 * @mtype:     MTYPE of each enum gpuvm_mtype
 */
struct amdm_gmc {
	const struct amdm_pt_format *tables;
	u64 fb_start;
	u8 base_shift;
	u64 va_end;
	bool two_halves;
	void (*flush)(struct amdm_device *adev, u32 vmids, u32 type);
	void (*emit_flush)(struct amdm_ring *ring, u32 vmid, u64 pd);
	u32 mtype_shift;
	u8 mtype[4];
};

/**
 * struct amdm_asic - a die and what drives it
 * @die:           its facts, a row of hw/dies.def
 * @gen:           those of its generation, a row of hw/generations.def
 * @family:        what AMDGPU_INFO_DEV_INFO says (AMDGPU_FAMILY_AI)
 * @doorbells:     who gets which
 * @sh_mem_config: SH_MEM_CONFIG of VMIDs that KFD has not set up
 * @regs:          where its registers are; NULL: where Vega's are
 * @caches:        of chips that tell their caches themselves
 * @gmc:           memory controller
 * @kfd:           KFD's hands on its registers
 * @blocks, @num_blocks: IP blocks in order of initialisation
 */
struct amdm_asic {
	struct hw_die die;
	const struct hw_generation *gen;
	u32 family;
	const struct amdm_doorbell_assignment *doorbells;
	u32 sh_mem_config;
	struct kgd_cache_config caches;
	const struct amdm_reg_map *regs;
	const struct amdm_gmc *gmc;
	const struct amdm_kfd_gen *kfd;
	const struct amdm_ip_block *const *blocks;
	u32 num_blocks;
};

/** struct amdm_chip - a product: a row of hw/chips.def */
struct amdm_chip {
	const char *name;
	const char *product;
	u16 device;
	u8 revision;
	u16 subdevice;
	u32 gfx_target;
	u32 gc_version;
	u32 num_se, num_sh, cu_built, cu_enabled;
	u32 clock_mhz, memory_mhz;
	u32 vram_mb, vram_bits;
};

u32 amdm_chip_count(const char *names);
const struct amdm_chip *amdm_chip_find(const char *names, u32 index, u32 *row);
const struct amdm_asic *amdm_asic_find(const struct amdm_chip *chip);
const struct sdma_layout *amdm_sdma_find(const struct amdm_asic *asic);
u32 amdm_chip_hive(const struct amdm_chip *chip);
bool amdm_chip_host_xgmi(const struct amdm_chip *chip);
u64 amdm_hive_id(const char *names, u32 index);
u32 amdm_chip_xccs(const struct amdm_chip *chip);
u32 amdm_chip_cus(const struct amdm_chip *chip);
void amdm_chip_harvest(const struct amdm_chip *chip, u32 cus, amdm_cu_bitmap *bitmap);

extern const struct amdm_gmc amdm_gmc_v8, amdm_gmc_v9, amdm_gmc_v10;

extern const struct amdm_ip_block amdm_gmc_v8_0;
extern const struct amdm_ip_block amdm_ih_v3_0;
extern const struct amdm_ip_block amdm_gfx_v8_0;
extern const struct amdm_ip_block amdm_sdma_v3_0;
extern const struct amdm_ip_block amdm_gmc_v9_0;
extern const struct amdm_ip_block amdm_ih_v4_0;
extern const struct amdm_ip_block amdm_gfx_v9_0;
extern const struct amdm_ip_block amdm_sdma_v4_0;

#define AMDM_DOORBELL_BYTES (2u << 20)

#endif
