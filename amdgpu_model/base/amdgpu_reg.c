// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_reg.c - one name, many places
 *
 * The generations have mostly the same registers with the same fields, but at other places: what amdgpu solves by a header and
 * a copy of the code for each, is a table here. A register is named by its place on Vega (mmNAME of hw/regs.h), and the
 * chip's map says where it is.
 */
#include <linux/kernel.h>

#include "amdgpu_reg.h"
#include "amdgpu_chips.h"
#include "amdgpu_model/hw/regs.h"

#define AMDM_REG_SPAN	64		/* no array stretches over more names than this */

#define REG_AT(name, offset, count, stride, writable) { mm##name, count, name##__STRIDE, offset, stride },

static const struct amdm_reg_place gc_7_places[] = {
#include "amdgpu_model/hw/gc_7_map.def"
};

static const struct amdm_reg_place gc_8_places[] = {
#include "amdgpu_model/hw/gc_8_map.def"
};

static const struct amdm_reg_place gc_10_1_places[] = {
#include "amdgpu_model/hw/gc_10_1_map.def"
};

static const struct amdm_reg_place gc_10_3_places[] = {
#include "amdgpu_model/hw/gc_10_3_map.def"
};

#undef REG_AT

const struct amdm_reg_map amdm_regs_gc_7 = { gc_7_places, ARRAY_SIZE(gc_7_places) };
const struct amdm_reg_map amdm_regs_gc_8 = { gc_8_places, ARRAY_SIZE(gc_8_places) };
const struct amdm_reg_map amdm_regs_gc_10_1 = { gc_10_1_places, ARRAY_SIZE(gc_10_1_places) };
const struct amdm_reg_map amdm_regs_gc_10_3 = { gc_10_3_places, ARRAY_SIZE(gc_10_3_places) };

static bool holds(const struct amdm_reg_place *place, u32 name)
{
	u32 at = name - place->name;

	return at % place->name_stride == 0 && at / place->name_stride < place->count;
}

/**
 * amdm_reg() - where the chip has a register
 * @adev: device
 * @name: mmNAME, plus what selects an element of an array
 * Return: dword offset in MMIO space.
 */
u32 amdm_reg(const struct amdm_device *adev, u32 name)
{
	const struct amdm_reg_map *map = adev->asic->regs;
	u32 low = 0, high;

	if (!map)
		return name;
	high = map->count;
	while (low < high) {	/* first place after the name */
		u32 mid = (low + high) / 2;

		if (map->places[mid].name <= name)
			low = mid + 1;
		else
			high = mid;
	}
	while (low--) {
		const struct amdm_reg_place *place = &map->places[low];

		if (holds(place, name))
			return place->offset + (name - place->name) / place->name_stride * place->stride;
		if (name - place->name > AMDM_REG_SPAN)
			break;
	}
	return AMDM_REG_NONE;
}
