/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * GFX7 and GFX8 page tables: two levels. The walk of a 40-bit address: directory by bits 39:12 + BLOCK, table by the BLOCK bits
 * above 12, where VM_CONTEXT1_CNTL.PAGE_TABLE_BLOCK_SIZE is BLOCK - 9. Entries have GFX9's bits 6:0 and a 40-bit address.
 * Addresses of tables are MC addresses (VRAM begins at MC_VM_FB_LOCATION), those of pages in VRAM count from its start.
 * VM_CONTEXTn_PAGE_TABLE_BASE_ADDR holds bits 39:12. Bits and layout: Linux 6.1 gmc_v8_0.c, amdgpu_vm.c (amdgpu_vm_adjust_size).
 */
#ifndef HW_GPUVM_V8_H
#define HW_GPUVM_V8_H

#include "hw_types.h"

#define GPUVM_V8_VA_BITS	40
#define GPUVM_V8_BLOCK_BITS	15	/* (28 + 3) / 2, as amdgpu chooses for 2^28 pages */
#define GPUVM_V8_ROOT_BITS	(GPUVM_V8_VA_BITS - 12 - GPUVM_V8_BLOCK_BITS)
#define GPUVM_V8_ADDRESS	0x000000FFFFFFF000ULL
#define GPUVM_V8_BLOCK_SIZE(cntl) (((u32)(cntl) >> 24 & 0xF) + 9)	/* VM_CONTEXT1_CNTL */

/* MC_VM_FB_LOCATION: base [15:0], top [31:16], units of 16 MiB */
#define GPUVM_V8_FB_BASE(v)	((u64)((u32)(v) & 0xFFFF) << 24)
#define GPUVM_V8_FB_TOP(v)	((u64)((u32)(v) >> 16) << 24 | 0xFFFFFF)

/* VM_CONTEXT1_PROTECTION_FAULT_STATUS: protections [7:0], client [20:12], write [24], VMID [28:25] */
#define GPUVM_V8_FAULT_VALID	(1u << 3)	/* cik_event_interrupt.c, kfd_vm_fault_info: 3 valid, 4 read, 5 write */
#define GPUVM_V8_FAULT_READ	(1u << 4)
#define GPUVM_V8_FAULT_WRITE	(1u << 5)
#define GPUVM_V8_FAULT_RW	(1u << 24)
#define GPUVM_V8_FAULT_VMID(v)	((u32)(v) >> 25 & 0xF)

#endif
