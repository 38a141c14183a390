// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_info_mmr.c - AMDGPU_INFO_READ_MMR_REG: the registers that user space may read
 *
 * A list for each generation (soc15_, nv_, vi_ and cik_allowed_read_registers), as far as libdrm and its users go: status, the
 * address configuration, render back-ends, and before GFX9 the tiling tables and rasters. There is no tiling in the model: those
 * registers have never been programmed and read as zero, as they do on a chip after its reset. Everything else is -EFAULT, as
 * in amdgpu_kms.c.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu_chips.h"
#include "amdgpu_gem.h"
#include "amdgpu_gfx.h"
#include "hw/regs.h"

#define MMR_MAX		128
#define MMR_ALL(name)	((info->read_mmr_reg.instance >> AMDGPU_INFO_MMR_##name##_INDEX_SHIFT) & AMDGPU_INFO_MMR_##name##_INDEX_MASK)

/** struct mmr_range - registers: dword offset, their number; @zero: nothing is behind them in the model */
struct mmr_range {
	u32 first, count;
	bool zero;
};

/* GFX9 and later; the places agree. */
static const struct mmr_range mmr_gfx9[] = {
	{ mmGRBM_STATUS, 1 },
	{ mmGRBM_STATUS2, 1 },
	{ mmCP_STAT, 1 },
	{ mmGB_ADDR_CONFIG, 1 },
	{ mmCC_RB_BACKEND_DISABLE, 1 },
	{ mmGC_USER_RB_BACKEND_DISABLE, 1 },
};

/* GFX7 and GFX8 (gfx_7_2_d.h, gfx_8_0_d.h, gmc_7_1_d.h, gmc_8_1_d.h) */
static const struct mmr_range mmr_gfx8[] = {
	{ 0x2004, 1 },			/* GRBM_STATUS */
	{ 0x2002, 1 },			/* GRBM_STATUS2 */
	{ 0x21a0, 1 },			/* CP_STAT */
	{ 0x263e, 1 },			/* GB_ADDR_CONFIG */
	{ 0x2644, 32, true },		/* GB_TILE_MODE0..31 */
	{ 0x2664, 16, true },		/* GB_MACROTILE_MODE0..15 */
	{ 0x263d, 1 },			/* CC_RB_BACKEND_DISABLE */
	{ 0x26df, 1 },			/* GC_USER_RB_BACKEND_DISABLE */
	{ 0xa0d4, 2, true },		/* PA_SC_RASTER_CONFIG, PA_SC_RASTER_CONFIG_1 */
	{ 0x09d8, 1, true },		/* MC_ARB_RAMCFG */
};

static const struct mmr_range *mmr_find(const struct amdm_device *adev, u32 reg)
{
	const struct mmr_range *list = adev->asic->before_gfx9 ? mmr_gfx8 : mmr_gfx9;
	u32 count = adev->asic->before_gfx9 ? ARRAY_SIZE(mmr_gfx8) : ARRAY_SIZE(mmr_gfx9), i;

	for (i = 0; i < count; i++)
		if (reg >= list[i].first && reg - list[i].first < list[i].count)
			return &list[i];
	return NULL;
}

static int mmr_read(struct amdm_device *adev, const struct drm_amdgpu_info *info, u32 *values)
{
	u32 se = MMR_ALL(SE), sh = MMR_ALL(SH), i;

	if (se == AMDGPU_INFO_MMR_SE_INDEX_MASK)
		se = AMDM_SE_SH_ALL;
	else if (se >= adev->chip->num_se)
		return -EINVAL;
	if (sh == AMDGPU_INFO_MMR_SH_INDEX_MASK)
		sh = AMDM_SE_SH_ALL;
	else if (sh >= adev->chip->num_sh)
		return -EINVAL;
	for (i = 0; i < info->read_mmr_reg.count; i++) {
		u32 reg = info->read_mmr_reg.dword_offset + i;
		const struct mmr_range *range = mmr_find(adev, reg);

		if (!range)
			return -EFAULT;
		values[i] = range->zero ? 0 : amdm_gfx_read_indexed(adev, se, sh, reg);
	}
	return 0;
}

/** amdm_info_mmr() - the query READ_MMR_REG. Return: 0, -EINVAL: too many, or no such shader array; -EFAULT: not on the list. */
int amdm_info_mmr(struct amdm_device *adev, const struct drm_amdgpu_info *info, void __user *out)
{
	u32 count = info->read_mmr_reg.count, bytes = count * sizeof(u32), *values;
	int ret;

	if (count > MMR_MAX)
		return -EINVAL;
	values = kcalloc(count, sizeof(u32), GFP_KERNEL);
	if (!values)
		return -ENOMEM;
	ret = mmr_read(adev, info, values);
	if (!ret && copy_to_user(out, values, min(info->return_size, bytes)))
		ret = -EFAULT;
	kfree(values);
	return ret;
}
