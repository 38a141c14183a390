/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Vega's registers as C constants, made from the row files.
 *
 * mmNAME is the dword offset in MMIO space (amdgpu's way of naming it); mmMMHUB_NAME that of the MMHUB's copy.
 * SDMA: mmSDMA_V4(gc_version, engine, NAME) and mmSDMA_V4_RLC(gc_version, engine, queue, RLC_NAME).
 * Fields: REG_GET(value, REGISTER, FIELD), REG_SET(value, REGISTER, FIELD, new), REG_MASK(REGISTER, FIELD).
 */
#ifndef HW_REGS_H
#define HW_REGS_H

#include "hw_types.h"

enum vega_reg {
#define REG(name, offset, count, stride, reset, writable, bank) mm##name = offset,
#include "gc_9_regs.def"
#include "soc15_regs.def"
#undef REG
#define HUB_REG(name, gfxhub, mmhub, count, stride, reset, writable) mm##name = gfxhub, mmMMHUB_##name = mmhub,
#include "gpuvm_9_regs.def"
#undef HUB_REG
};

/* Offsets inside an SDMA engine and inside a queue's block */
enum sdma_v4_reg {
#define SDMA_REG(name, offset, reset, writable) SDMA_##name = offset,
#define SDMA_QUEUE_REG(name, offset, reset, writable) SDMA_##name = offset,
#include "sdma_4_regs.def"
#undef SDMA_REG
#undef SDMA_QUEUE_REG
	SDMA_GFX_BLOCK = 0x080,
	SDMA_PAGE_BLOCK = 0x0e0,
	SDMA_RLC_BLOCK = 0x140,
	SDMA_BLOCK_STRIDE = 0x060,
};

/* Vega10 (SDMA 4.0) has 2 user queues an engine, Vega20 (SDMA 4.2) 8 and its second engine further up. */
#define SDMA_V4_QUEUES(gc_version)	 ((gc_version) >= 0x090400 ? 8 : 2)
#define SDMA_V4_BASE(gc_version, engine) (!(engine) ? 0x1260 : (gc_version) >= 0x090400 ? 0x1860 : 0x1460)
#define mmSDMA_V4(gc_version, engine, name) (SDMA_V4_BASE(gc_version, engine) + SDMA_##name)
#define mmSDMA_V4_RLC(gc_version, engine, queue, name) \
	(SDMA_V4_BASE(gc_version, engine) + SDMA_RLC_BLOCK + (queue) * SDMA_BLOCK_STRIDE + SDMA_##name)
#define mmSDMA_V4_GFX(gc_version, engine, name) (SDMA_V4_BASE(gc_version, engine) + SDMA_GFX_BLOCK + SDMA_##name)

enum vega_field {
#define REG_FIELD(reg, field, lsb, width) reg##__##field##__SHIFT = lsb, reg##__##field##__WIDTH = width,
#include "vega_fields.def"
#undef REG_FIELD
};

#define REG_MASK(reg, field) \
	((u32)(((((u64)1) << reg##__##field##__WIDTH) - 1) << reg##__##field##__SHIFT))
#define REG_GET(value, reg, field) (((u32)(value) & REG_MASK(reg, field)) >> reg##__##field##__SHIFT)
#define REG_SET(value, reg, field, n) \
	(((u32)(value) & ~REG_MASK(reg, field)) | (((u32)(n) << reg##__##field##__SHIFT) & REG_MASK(reg, field)))

/* GRBM_GFX_CNTL as drivers select banks; me counts from 1 for compute */
#define GRBM_SELECT(me, pipe, queue, vmid) ((u32)(pipe) | (u32)(me) << 2 | (u32)(vmid) << 4 | (u32)(queue) << 8)

/* A byte of RLC_CP_SCHEDULERS: scheduler 0 is the KIQ, 1 the HIQ */
#define RLC_SCHEDULER(me, pipe, queue) (0x80u | (u32)(me) << 5 | (u32)(pipe) << 3 | (u32)(queue))

#endif
