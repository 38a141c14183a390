/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers as C constants, made from the row files.
 *
 * mmNAME is the dword offset in MMIO space (amdgpu's way of naming it) of Vega; mmMMHUB_NAME that of the MMHUB's copy. Other
 * generations have the same registers elsewhere (gc_*_map.def): there mmNAME stands for the register, not for its place.
 * SDMA: SDMA_NAME is an offset from the engine's base, SDMA_RLC_NAME one from a queue's block (sdma_layout.h).
 * Fields: REG_GET(value, REGISTER, FIELD), REG_SET(value, REGISTER, FIELD, new), REG_MASK(REGISTER, FIELD).
 */
#ifndef HW_REGS_H
#define HW_REGS_H

#include "dies.h"
#include "hw_types.h"

enum vega_reg {
#define REG(name, offset, count, stride, reset, writable, bank) mm##name = offset,
#include "gc_9_regs.def"
#include "soc15_regs.def"
#include "gmc_8_regs.def"
#undef REG
#define HUB_REG(name, gfxhub, mmhub, count, stride, reset, writable) mm##name = gfxhub, mmMMHUB_##name = mmhub,
#include "gpuvm_9_regs.def"
#undef HUB_REG
};

/* How far apart the elements of an array are: NAME__STRIDE */
enum vega_reg_stride {
#define REG(name, offset, count, stride, reset, writable, bank) name##__STRIDE = stride,
#include "gc_9_regs.def"
#include "soc15_regs.def"
#include "gmc_8_regs.def"
#undef REG
#define HUB_REG(name, gfxhub, mmhub, count, stride, reset, writable) name##__STRIDE = stride, MMHUB_##name##__STRIDE = stride,
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
	SDMA_ENGINE_REGS = 0x080,	/* the engine's own part */
	SDMA_QUEUE_REGS = 0x060,	/* a queue's block, at most */
};

/* The same of SDMA 2 and 3 */
enum sdma_v3_reg {
#define SDMA3_REG(name, offset) SDMA3_##name = offset,
#define SDMA3_QUEUE_REG(name, offset, dword) SDMA3_##name = offset,
#include "sdma_3_regs.def"
#undef SDMA3_REG
#undef SDMA3_QUEUE_REG
};

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

/*
 * Where there are several compute dies (XCC): dword distance of a graphics register from one to the next, and which offsets in a die are
 * graphics registers. On the chip the discovery table says where each die's are, with the lower 16 bits alike (Linux 7.2 gfx_v9_4_3.c,
 * XCC_REG_RANGE_*); the distance is the model's choice.
 */
#define HW_XCC_REGS	0x40000u
static inline int hw_is_xcc_reg(u32 reg)
{
	return (reg >= 0x2000 && reg < 0x3400) || (reg >= 0xa000 && reg < 0x10000);
}

/* The same of interposer dies (AID), which have a memory hub each. */
#define HW_AID_REGS	(HW_XCCS_OF_AID * HW_XCC_REGS)
static inline int hw_is_mmhub_reg(u32 reg)
{
	return reg >= 0x1a000 && reg < 0x1b000;
}

/*
 * SQ_CMD that ends all waves of a VMID. amdgpu sets CHECK_VMID as well (gfx_v9_0_ring_soft_recovery()), amdkfd does not
 * (dbgdev_wave_reset_wavefronts() in kfd_device_queue_manager.c).
 */
enum sq_cmd_value { SQ_CMD_KILL = 3, SQ_CMD_BROADCAST = 1 };
#define SQ_CMD_KILL_VMID(vmid)                                                             \
	(REG_SET(0, SQ_CMD, CMD, SQ_CMD_KILL) | REG_SET(0, SQ_CMD, MODE, SQ_CMD_BROADCAST) | \
	 REG_SET(0, SQ_CMD, VM_ID, vmid))

/* A byte of RLC_CP_SCHEDULERS: scheduler 0 is the KIQ, 1 the HIQ */
#define RLC_SCHEDULER(me, pipe, queue) (0x80u | (u32)(me) << 5 | (u32)(pipe) << 3 | (u32)(queue))

#endif
