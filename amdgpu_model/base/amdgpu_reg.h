/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_reg.h - where a generation has its registers.
 */
#ifndef AMDGPU_REG_H
#define AMDGPU_REG_H

#include <linux/types.h>

struct amdm_device;

/**
 * struct amdm_reg_place - a row of hw/gc_*_map.def
 * @name:     mmNAME of element 0
 * @count, @name_stride: elements, and how the name counts them
 * @offset, @stride: where they are
 */
struct amdm_reg_place {
	u32 name;
	u16 count, name_stride;
	u32 offset;
	u16 stride;
};

/** struct amdm_reg_map - all registers of a generation, in the order of their names */
struct amdm_reg_map {
	const struct amdm_reg_place *places;
	u32 count;
};

extern const struct amdm_reg_map amdm_regs_gc_7, amdm_regs_gc_8, amdm_regs_gc_10_1, amdm_regs_gc_10_3;

#define AMDM_REG_NONE	0xffffffffu	/* no chip has a register there: the access is reported */

u32 amdm_reg(const struct amdm_device *adev, u32 name);

#endif
