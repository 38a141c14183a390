// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_info_mmr.c - AMDGPU_INFO_READ_MMR_REG: the registers that user space may read
 *
 * The lists of Linux 6.1 (soc15_, nv_, vi_ and cik_allowed_read_registers) as one table: status, the address configuration, and before
 * GFX9 render back-ends, tiling tables and rasters. There is no tiling in the model, and no block of it is stalled: such registers read
 * as zero, as on an idle chip after its reset. Everything else is -EFAULT, as in amdgpu_kms.c.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gem.h"

#define MMR_MAX		128
#define MMR_MAX_SE	4
#define MMR_MAX_SH	2
#define MMR_ALL(name)	((info->read_mmr_reg.instance >> AMDGPU_INFO_MMR_##name##_INDEX_SHIFT) & AMDGPU_INFO_MMR_##name##_INDEX_MASK)

/** enum mmr_kind - a register of the chip; one of each shader array; one that is idle or not there: zero */
enum mmr_kind { MMR_CHIP, MMR_ARRAY, MMR_ZERO };

/** struct mmr_range - registers: dword offset, their number, what they are; the major graphics versions that have them */
struct mmr_range {
	u32 first, count;
	enum mmr_kind kind;
	u8 since, until;
};

/* gfx_7_2_d.h, gfx_8_0_d.h, gmc_8_1_d.h, oss_3_0_d.h, gc_9_0_offset.h, gc_10_3_0_offset.h: the places agree. */
static const struct mmr_range mmr_ranges[] = {
	{ 0x0393,  2, MMR_ZERO,  7,  8 },	/* SRBM_STATUS2, SRBM_STATUS */
	{ 0x0395,  1, MMR_ZERO,  8,  8 },	/* SRBM_STATUS3 */
	{ 0x09d8,  1, MMR_ZERO,  7,  8 },	/* MC_ARB_RAMCFG */
	{ 0x2002,  1, MMR_CHIP,  7, 11 },	/* GRBM_STATUS2 */
	{ 0x2004,  1, MMR_CHIP,  7, 11 },	/* GRBM_STATUS */
	{ 0x2005,  2, MMR_ZERO,  7, 11 },	/* GRBM_STATUS_SE0, SE1 */
	{ 0x200e,  2, MMR_ZERO,  7, 11 },	/* GRBM_STATUS_SE2, SE3 */
	{ 0x2084,  6, MMR_ZERO,  7, 11 },	/* CP_CPC_STATUS, BUSY_STAT, STALLED_STAT1, CP_CPF_ the same */
	{ 0x219c,  3, MMR_ZERO,  7, 11 },	/* CP_STALLED_STAT3, 1, 2 */
	{ 0x21a0,  1, MMR_CHIP,  7, 11 },	/* CP_STAT */
	{ 0x260d,  1, MMR_ZERO,  9,  9 },	/* DB_DEBUG2 */
	{ 0x263d,  1, MMR_ARRAY, 7,  8 },	/* CC_RB_BACKEND_DISABLE */
	{ 0x263e,  1, MMR_CHIP,  7, 11 },	/* GB_ADDR_CONFIG */
	{ 0x263f,  1, MMR_ZERO,  7,  8 },	/* GB_BACKEND_MAP */
	{ 0x2644, 32, MMR_ZERO,  7,  8 },	/* GB_TILE_MODE0..31 */
	{ 0x2664, 16, MMR_ZERO,  7,  8 },	/* GB_MACROTILE_MODE0..15 */
	{ 0x26df,  1, MMR_ARRAY, 7,  8 },	/* GC_USER_RB_BACKEND_DISABLE */
	{ 0x340d,  1, MMR_ZERO,  7,  8 },	/* SDMA0_STATUS_REG */
	{ 0x360d,  1, MMR_ZERO,  7,  8 },	/* SDMA1_STATUS_REG */
	{ 0xa0d4,  2, MMR_ZERO,  7,  8 },	/* PA_SC_RASTER_CONFIG, PA_SC_RASTER_CONFIG_1 */
};

static const struct mmr_range *mmr_find(const struct amdm_device *adev, u32 reg)
{
	u32 major = adev->asic->die.gc_version >> 16, i;

	for (i = 0; i < ARRAY_SIZE(mmr_ranges); i++) {
		const struct mmr_range *range = &mmr_ranges[i];

		if (reg >= range->first && reg - range->first < range->count && major >= range->since && major <= range->until)
			return range;
	}
	return NULL;
}

/* SDMA0_STATUS_REG, SDMA1_STATUS_REG since SDMA 4 */
static bool mmr_is_sdma_status(const struct amdm_device *adev, u32 reg)
{
	const struct sdma_layout *sdma = adev->sdma;

	return sdma->generation >= 4 && (reg == sdma->base[0] + SDMA_STATUS_REG || reg == sdma->base[1] + SDMA_STATUS_REG);
}

static u32 mmr_read_array(struct amdm_device *adev, u32 se, u32 sh, u32 reg)
{
	se = se == AMDM_SE_SH_ALL ? 0 : se;
	sh = sh == AMDM_SE_SH_ALL ? 0 : sh;
	return se < adev->chip->num_se && sh < adev->chip->num_sh ? amdm_gfx_read_indexed(adev, se, sh, reg) : 0;
}

static int mmr_read_one(struct amdm_device *adev, u32 se, u32 sh, u32 reg, u32 *value)
{
	const struct mmr_range *range = mmr_find(adev, reg);

	*value = 0;
	if (mmr_is_sdma_status(adev, reg))
		*value = amdm_mmio_read(adev, reg);
	else if (!range)
		return -EFAULT;
	else if (range->kind == MMR_ARRAY)
		*value = mmr_read_array(adev, se, sh, reg);
	else if (range->kind == MMR_CHIP)
		*value = amdm_gfx_read_indexed(adev, AMDM_SE_SH_ALL, AMDM_SE_SH_ALL, reg);
	return 0;
}

static int mmr_read(struct amdm_device *adev, const struct drm_amdgpu_info *info, u32 *values)
{
	u32 se = MMR_ALL(SE), sh = MMR_ALL(SH), i;
	int ret = 0;

	/* AMDGPU_GFX_MAX_SE, AMDGPU_GFX_MAX_SH_PER_SE, whatever the chip has */
	if (se == AMDGPU_INFO_MMR_SE_INDEX_MASK)
		se = AMDM_SE_SH_ALL;
	else if (se >= MMR_MAX_SE)
		return -EINVAL;
	if (sh == AMDGPU_INFO_MMR_SH_INDEX_MASK)
		sh = AMDM_SE_SH_ALL;
	else if (sh >= MMR_MAX_SH)
		return -EINVAL;
	for (i = 0; i < info->read_mmr_reg.count && !ret; i++)
		ret = mmr_read_one(adev, se, sh, info->read_mmr_reg.dword_offset + i, &values[i]);
	return ret;
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
