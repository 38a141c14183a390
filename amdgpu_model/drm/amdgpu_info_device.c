// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_info_device.c - AMDGPU_INFO_DEV_INFO: what a driver in user space has to know of the chip
 *
 * Products and dies are rows (amdgpu_chips.c), and so is what a generation has in common: constants of gfx_v7_0.c and gfx_v8_0.c, later
 * what gpu_info firmware and IP discovery say. The scan converters that GFX10.1's pa_sc_tile_steering_override counts are not in
 * any table here: it is 0, as on GFX10.3.
 */
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

#define INFO_GMC_HOLE_END	0xffff800000000000ULL

/** struct info_generation - major version of the graphics block; RAM of the constant engine; geometry shaders' tables */
struct info_generation {
	u32 gc_major;
	u32 ce_ram;
	u32 gs_table_depth, gs_prim_buffer_depth;
};

static const struct info_generation info_generations[] = {
	{  7, 0x8000,    0,    0 },
	{  8, 0x8000,    0,    0 },
	{  9, 0x8000,   32, 1792 },
	{ 10, 0x10000,  32, 1792 },
	{ 11, 0,        32, 1792 },
};

static void info_generation(const struct amdm_device *adev, struct drm_amdgpu_info_device *d)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(info_generations); i++) {
		if (info_generations[i].gc_major != adev->asic->die.gc_version >> 16)
			continue;
		d->ce_ram_size = info_generations[i].ce_ram;
		d->gs_vgt_table_depth = info_generations[i].gs_table_depth;
		d->gs_prim_buffer_depth = info_generations[i].gs_prim_buffer_depth;
	}
}

/* Engines beyond the fourth stand behind the arrays of the first four (gfx_v9_0_, gfx_v11_0_get_cu_info); of several dies the first one's. All active CUs are always on. */
static void info_cus(const struct amdm_device *adev, struct drm_amdgpu_info_device *d)
{
	u32 se, sh;

	BUILD_BUG_ON(KFD_BRIDGE_MAX_SE / 4 * KFD_BRIDGE_MAX_SH > ARRAY_SIZE(d->cu_bitmap[0]));
	d->cu_active_number = adev->cu_active;
	for (se = 0; se < adev->chip->num_se; se++)
		for (sh = 0; sh < adev->chip->num_sh; sh++) {
			u32 bitmap = adev->cu_bitmap[0][se][sh], column = sh + se / 4 * adev->chip->num_sh;

			d->cu_bitmap[se % 4][column] = bitmap;
			d->cu_ao_bitmap[se % 4][column] = bitmap;
			if (se < 2 && sh < 2)
				d->cu_ao_mask |= bitmap << (se * 16 + sh * 8);
		}
}

static void info_address_space(struct amdm_device *adev, struct drm_amdgpu_info_device *d)
{
	d->virtual_address_offset = AMDM_VA_RESERVED;
	d->virtual_address_max = min(amdm_va_end(adev), amdm_va_table_end(adev));
	if (adev->asic->gmc->two_halves) {
		d->high_va_offset = INFO_GMC_HOLE_END;
		d->high_va_max = INFO_GMC_HOLE_END | ((1ULL << 48) - AMDM_VA_RESERVED);
	}
	d->virtual_address_alignment = PAGE_SIZE;
	d->pte_fragment_size = 512 * PAGE_SIZE;
	d->gart_page_size = PAGE_SIZE;
}

/** amdm_info_device() - fill *@d, which is zero */
void amdm_info_device(struct amdm_device *adev, struct drm_amdgpu_info_device *d)
{
	const struct amdm_chip *chip = adev->chip;

	d->device_id = adev->pdev->device;
	d->external_rev = adev->asic->die.external_rev;
	d->pci_rev = adev->pdev->revision;
	d->family = adev->asic->family;
	d->num_shader_engines = chip->num_se;
	d->num_shader_arrays_per_engine = chip->num_sh;
	d->gpu_counter_freq = adev->asic->die.ref_khz;
	d->max_engine_clock = chip->clock_mhz * 1000;
	d->max_memory_clock = chip->memory_mhz * 1000;
	d->num_rb_pipes = adev->asic->die.rbs;
	d->enabled_rb_pipes_mask = (u32)((1ULL << d->num_rb_pipes) - 1);
	d->num_hw_gfx_contexts = 8;
	d->vram_type = adev->asic->die.vram_type;
	d->vram_bit_width = chip->vram_bits;
	d->gc_double_offchip_lds_buf = 1;
	d->wave_front_size = adev->asic->gen->wave_lanes;
	d->num_shader_visible_vgprs = 256;
	d->num_cu_per_sh = chip->cu_built;
	d->num_tcc_blocks = adev->asic->die.tccs;
	d->max_gs_waves_per_vgt = 32;
	info_generation(adev, d);
	info_cus(adev, d);
	info_address_space(adev, d);
}
