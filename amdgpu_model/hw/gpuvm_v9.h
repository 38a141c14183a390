/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * GFX9 page tables: four levels of 512 entries of 8 bytes, PDB2, PDB1, PDB0, PTB.
 *
 * The walk of a 48-bit address: PDB2 by bits 47:39, PDB1 by 38:30, PDB0 by 29:21, PTB by 20:12.
 * A PDE holds the VRAM offset (S clear) or bus address (S set) of the next table; PDE_PTE in a PDB0 entry makes it a
 * 2 MiB PTE (1 GiB in PDB1). VM_CONTEXTn_PAGE_TABLE_BASE holds the root table's address with the flags of a PDE.
 * VMID 0 uses a flat table: VM_CONTEXT0_PAGE_TABLE_BASE points at the PTE of the first page of START..END (GART).
 * Bits: Linux 6.1 amdgpu_vm.h.
 */
#ifndef HW_GPUVM_V9_H
#define HW_GPUVM_V9_H

#include "hw_types.h"

#define GPUVM_PTE_VALID		(1ULL << 0)
#define GPUVM_PTE_SYSTEM	(1ULL << 1)
#define GPUVM_PTE_SNOOPED	(1ULL << 2)
#define GPUVM_PTE_TMZ		(1ULL << 3)
#define GPUVM_PTE_EXECUTABLE	(1ULL << 4)
#define GPUVM_PTE_READABLE	(1ULL << 5)
#define GPUVM_PTE_WRITEABLE	(1ULL << 6)
#define GPUVM_PTE_FRAG(x)	(((x) & 0x1FULL) << 7)
#define GPUVM_PTE_PRT		(1ULL << 51)
#define GPUVM_PDE_PTE		(1ULL << 54)
#define GPUVM_PTE_LOG		(1ULL << 55)
#define GPUVM_PTE_TF		(1ULL << 56)
#define GPUVM_PTE_MTYPE(x)	(((x) & 3ULL) << 57)
#define GPUVM_PDE_BFS(x)	((u64)(x) << 59)
#define GPUVM_PTE_ADDRESS	0x0000FFFFFFFFF000ULL
#define GPUVM_PDE_ADDRESS	0x0000FFFFFFFFFFC0ULL
/* No page, and no access is to be tried again (amdgpu_vm.h: AMDGPU_VM_NORETRY_FLAGS_TF, which gmc_v9_0.c chooses) */
#define GPUVM_PTE_NORETRY	(GPUVM_PTE_VALID | GPUVM_PTE_SYSTEM | GPUVM_PTE_PRT)

enum gpuvm_mtype { GPUVM_MTYPE_NC, GPUVM_MTYPE_RW, GPUVM_MTYPE_CC, GPUVM_MTYPE_UC };

enum gpuvm_level { GPUVM_PDB2, GPUVM_PDB1, GPUVM_PDB0, GPUVM_PTB, GPUVM_LEVELS };

#define GPUVM_ENTRIES		512
#define GPUVM_SHIFT(level)	(39 - 9 * (level))
#define GPUVM_INDEX(va, level)	((u32)((u64)(va) >> GPUVM_SHIFT(level)) & (GPUVM_ENTRIES - 1))
#define GPUVM_VA_BITS		48

/* Units of the aperture registers */
#define GPUVM_FB_LOCATION_SHIFT		24	/* MC_VM_FB_LOCATION_BASE/TOP, AGP */
#define GPUVM_SYSTEM_APERTURE_SHIFT	18
#define GPUVM_CONTEXT_RANGE_SHIFT	12	/* VM_CONTEXTn_PAGE_TABLE_START/END */

/* VM_INVALIDATE_ENGn_REQ */
#define GPUVM_INVALIDATE_VMID(vmid)	(1u << (vmid))
#define GPUVM_INVALIDATE_TYPE(type)	((u32)(type) << 16)
#define GPUVM_INVALIDATE_L2_PTES	(1u << 18)
#define GPUVM_INVALIDATE_L2_PDE0	(1u << 19)
#define GPUVM_INVALIDATE_L2_PDE1	(1u << 20)
#define GPUVM_INVALIDATE_L2_PDE2	(1u << 21)
#define GPUVM_INVALIDATE_L1_PTES	(1u << 22)
#define GPUVM_INVALIDATE_CLEAR_FAULT	(1u << 23)

#endif
