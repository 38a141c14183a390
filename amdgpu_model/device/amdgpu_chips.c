// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_chips.c - chips as rows
 *
 * A product is a row of hw/chips.def: PCI ids, shader engines, clocks, memory. Products share dies; a die is a row of
 * amdm_asics[], with its IP versions and with the list of IP blocks that drive it. Nothing else in the driver asks which chip it
 * is on. Doorbell layout: Linux 6.1 amdgpu_doorbell.h. Golden GB_ADDR_CONFIG: gfx_v9_0.c.
 */
#include <drm/amdgpu_drm.h>
#include <linux/string.h>

#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_kunit.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd.h"

static const struct amdm_chip amdm_chips[] = {
#define CHIP(id, name, product, device, rev, target, gc, se, sh, built, enabled, clock, memory, vram, bits)                     \
	{ name, product, device, rev, 0x081e, target, gc, se, sh, built, enabled, clock, memory, vram, bits },
#include "amdgpu_model/hw/chips.def"
#undef CHIP
};

static const struct amdm_ip_block *const amdm_islands_blocks[] = {
	&amdm_gmc_v8_0,
	&amdm_ih_v3_0,
	&amdm_gfx_v8_0,
	&amdm_sdma_v3_0,
};

static const struct amdm_ip_block *const amdm_vega_blocks[] = {
	&amdm_gmc_v9_0,
	&amdm_ih_v4_0,
	&amdm_gfx_v9_0,
	&amdm_sdma_v4_0,
};

static const struct sdma_layout amdm_sdma_layouts[] = {
#define SDMA_LAYOUT SDMA_LAYOUT_ROW
#include "amdgpu_model/hw/sdma_layout.def"
#undef SDMA_LAYOUT
};

static const struct amdm_doorbell_assignment amdm_doorbells_legacy = {
	.sdma = { 0x1e0, 0x1e1 },
	.max_assignment = 0x3ff,
};

static const struct amdm_doorbell_assignment amdm_doorbells_vega10 = {
	.sdma = { 0xf0, 0xf2 },
	.non_cp_start = 0xf0,
	.non_cp_end = 0xff,
	.max_assignment = 0xff << 1,
};

static const struct amdm_doorbell_assignment amdm_doorbells_vega20 = {
	.sdma = { 0x100, 0x10a, 0x114, 0x11e, 0x128, 0x132, 0x13c, 0x146 },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.max_assignment = 0x18f << 1,
};

static const struct amdm_doorbell_assignment amdm_doorbells_nv = {
	.sdma = { 0x100, 0x10a, 0x114, 0x11e },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.max_assignment = 0x18f << 1,
};

static const struct amdm_doorbell_assignment amdm_doorbells_soc21 = {
	.sdma = { 0x100, 0x10a },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.max_assignment = 0x18f << 1,
};

/* Unaligned accesses; GFX10 also fetches instructions ahead (Linux: gfx_v9_0.c, gfx_v10_0.c) */
#define AMDM_SH_MEM_CONFIG_V7	(3u << 2)
#define AMDM_SH_MEM_CONFIG_V8	(3u << 3)
#define AMDM_SH_MEM_CONFIG_V9	(3u << 3)
#define AMDM_SH_MEM_CONFIG_V10	(3u << 2 | 3u << 14)

static const struct amdm_shader amdm_shader_gcn = { .simd_per_cu = 4, .waves_per_simd = 10, .wave_size = 64 };
static const struct amdm_shader amdm_shader_aldebaran = { .simd_per_cu = 4, .waves_per_simd = 8, .wave_size = 64 };
static const struct amdm_shader amdm_shader_navi1 = { .simd_per_cu = 2, .waves_per_simd = 20, .wave_size = 32 };
static const struct amdm_shader amdm_shader_navi2 = { .simd_per_cu = 2, .waves_per_simd = 16, .wave_size = 32 };

static const struct amdm_asic amdm_asics[] = {
	{
		.name = "hawaii",
		.gc_version = 0x070001,
		.sdma_version = 0x020000,
		.gc_minor = 3,
		.family = AMDGPU_FAMILY_CI,
		.external_rev = 0x28,
		.doorbells = &amdm_doorbells_legacy,
		.before_gfx9 = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 32,
		.gb_addr_config = 0x12011003,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V7,
		.regs = &amdm_regs_gc_7,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v8,
		.kfd = &amdm_kfd_gen_v7,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR5,
		.gds = 0x10000,
		.ref_khz = 27000,
		.blocks = amdm_islands_blocks,
		.num_blocks = ARRAY_SIZE(amdm_islands_blocks),
	},
	{
		.name = "tonga",
		.gc_version = 0x080002,
		.sdma_version = 0x030000,
		.family = AMDGPU_FAMILY_VI,
		.external_rev = 0x14,
		.doorbells = &amdm_doorbells_legacy,
		.before_gfx9 = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 32,
		.gb_addr_config = 0x22011003,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V8,
		.regs = &amdm_regs_gc_8,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v8,
		.kfd = &amdm_kfd_gen_v8,
		.rbs = 8,
		.tccs = 8,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR5,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_islands_blocks,
		.num_blocks = ARRAY_SIZE(amdm_islands_blocks),
	},
	{
		.name = "fiji",
		.gc_version = 0x080003,
		.sdma_version = 0x030000,
		.family = AMDGPU_FAMILY_VI,
		.external_rev = 0x3c,
		.doorbells = &amdm_doorbells_legacy,
		.before_gfx9 = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 32,
		.gb_addr_config = 0x22011003,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V8,
		.regs = &amdm_regs_gc_8,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v8,
		.kfd = &amdm_kfd_gen_v8,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_islands_blocks,
		.num_blocks = ARRAY_SIZE(amdm_islands_blocks),
	},
	{
		.name = "polaris10",
		.gc_version = 0x080004,
		.sdma_version = 0x030000,
		.sdma_minor = 1,
		.family = AMDGPU_FAMILY_VI,
		.external_rev = 0x50,
		.doorbells = &amdm_doorbells_legacy,
		.before_gfx9 = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 32,
		.gb_addr_config = 0x22011003,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V8,
		.regs = &amdm_regs_gc_8,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v8,
		.kfd = &amdm_kfd_gen_v8,
		.rbs = 8,
		.tccs = 8,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR5,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_islands_blocks,
		.num_blocks = ARRAY_SIZE(amdm_islands_blocks),
	},
	{
		.name = "vega10",
		.gc_version = 0x090001,
		.sdma_version = 0x040000,
		.family = AMDGPU_FAMILY_AI,
		.external_rev = 0x01,
		.doorbells = &amdm_doorbells_vega10,
		.noretry = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 430,
		.gb_addr_config = 0x2a114042,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v9,
		.kfd = &amdm_kfd_gen_v9,
		.gws = 64,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "vega12",
		.gc_version = 0x090201,
		.sdma_version = 0x040001,
		.family = AMDGPU_FAMILY_AI,
		.external_rev = 0x14,
		.doorbells = &amdm_doorbells_vega10,
		.mec_fw = 0x1ff,
		.sdma_fw = 430,
		.gb_addr_config = 0x24104041,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v9,
		.kfd = &amdm_kfd_gen_v9,
		.gws = 64,
		.rbs = 8,
		.tccs = 8,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "vega20",
		.gc_version = 0x090400,
		.sdma_version = 0x040200,
		.family = AMDGPU_FAMILY_AI,
		.external_rev = 0x28,
		.doorbells = &amdm_doorbells_vega20,
		.xgmi = true,
		.noretry = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 145,
		.gb_addr_config = 0x2a114042,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v9,
		.kfd = &amdm_kfd_gen_v9,
		.gws = 64,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.gds = 0x10000,
		.ref_khz = 25000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "arcturus",
		.gc_version = 0x090401,
		.sdma_version = 0x040202,
		.family = AMDGPU_FAMILY_AI,
		.external_rev = 0x32,
		.doorbells = &amdm_doorbells_vega20,
		.xgmi = true,
		.noretry = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 18,
		.gb_addr_config = 0x2a114042,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,
		.shader = &amdm_shader_gcn,
		.gmc = &amdm_gmc_v9,
		.kfd = &amdm_kfd_gen_v9,
		.gws = 64,
		.rbs = 0,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.gds = 0x1000,
		.ref_khz = 25000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "aldebaran",
		.gc_version = 0x090402,
		.sdma_version = 0x040400,
		.family = AMDGPU_FAMILY_AI,
		.external_rev = 0x3c,
		.doorbells = &amdm_doorbells_vega20,
		.xgmi = true,
		.noretry = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 8,
		.gb_addr_config = 0x2a114042,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,
		.shader = &amdm_shader_aldebaran,
		.gmc = &amdm_gmc_v9,
		.kfd = &amdm_kfd_gen_v9,
		.gws = 64,
		.rbs = 0,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.ref_khz = 25000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "navi10",
		.gc_version = 0x0a010a,
		.sdma_version = 0x050000,
		.family = AMDGPU_FAMILY_NV,
		.external_rev = 0x01,
		.doorbells = &amdm_doorbells_nv,
		.mec_fw = 0x1ff,
		.sdma_fw = 35,
		.gb_addr_config = 0x00000044,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V10,
		.regs = &amdm_regs_gc_10_1,
		.shader = &amdm_shader_navi1,
		.gmc = &amdm_gmc_v10,
		.kfd = &amdm_kfd_gen_v10,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR6,
		.gds = 0x10000,
		.ref_khz = 100000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "navi14",
		.gc_version = 0x0a0101,
		.sdma_version = 0x050002,
		.family = AMDGPU_FAMILY_NV,
		.external_rev = 0x14,
		.doorbells = &amdm_doorbells_nv,
		.mec_fw = 0x1ff,
		.sdma_fw = 35,
		.gb_addr_config = 0x00000043,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V10,
		.regs = &amdm_regs_gc_10_1,
		.shader = &amdm_shader_navi1,
		.gmc = &amdm_gmc_v10,
		.kfd = &amdm_kfd_gen_v10,
		.rbs = 8,
		.tccs = 8,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR6,
		.gds = 0x10000,
		.ref_khz = 100000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "sienna_cichlid",
		.gc_version = 0x0a0300,
		.sdma_version = 0x050200,
		.sdma_minor = 2,
		.family = AMDGPU_FAMILY_NV,
		.external_rev = 0x28,
		.doorbells = &amdm_doorbells_nv,
		.xgmi = true,
		.noretry = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 47,
		.gb_addr_config = 0x00000444,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V10,
		.regs = &amdm_regs_gc_10_3,
		.shader = &amdm_shader_navi2,
		.gmc = &amdm_gmc_v10,
		.kfd = &amdm_kfd_gen_v10,
		.rbs = 16,
		.tccs = 16,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR6,
		.gds = 0x10000,
		.ref_khz = 100000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
	{
		.name = "ip discovery",
		.gc_version = 0x0b0000,
		.sdma_version = 0x060000,
		.family = AMDGPU_FAMILY_GC_11_0_0,
		.external_rev = 0x01,
		.doorbells = &amdm_doorbells_soc21,
		.noretry = true,
		.mes = true,
		.mec_fw = 0x1ff,
		.sdma_fw = 17,
		.gb_addr_config = 0x00000545,
		.sh_mem_config = AMDM_SH_MEM_CONFIG_V10,
		.regs = &amdm_regs_gc_10_3,	/* GFX11's own wait for the MES */
		.shader = &amdm_shader_navi2,
		.gmc = &amdm_gmc_v10,
		.kfd = &amdm_kfd_gen_v11,
		.rbs = 24,
		.tccs = 24,
		.vram_type = AMDGPU_VRAM_TYPE_GDDR6,
		.gds = 0x1000,
		.ref_khz = 100000,
		.blocks = amdm_vega_blocks,
		.num_blocks = ARRAY_SIZE(amdm_vega_blocks),
	},
};

/**
 * amdm_chip_count() - how many chips a list names
 * @names: names separated by commas
 */
u32 amdm_chip_count(const char *names)
{
	u32 count = 1;

	for (; *names; names++)
		count += *names == ',';
	return count;
}

/**
 * amdm_chip_find() - a chip of a list
 * @names: names separated by commas, as the module parameter says
 * @index: which; the last name stands for all that follow
 * @row:   out: row of hw/chips.def
 * Return: the chip, NULL if there is none.
 */
const struct amdm_chip *amdm_chip_find(const char *names, u32 index, u32 *row)
{
	size_t length;
	u32 i;

	while (index-- && strchr(names, ','))
		names = strchr(names, ',') + 1;
	length = strcspn(names, ",");
	for (i = 0; i < ARRAY_SIZE(amdm_chips); i++) {
		if (strlen(amdm_chips[i].name) != length || strncmp(amdm_chips[i].name, names, length))
			continue;
		*row = i;
		return &amdm_chips[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_chip_find);

/** amdm_asic_find() - the die of a chip, NULL if the driver does not know it */
const struct amdm_asic *amdm_asic_find(const struct amdm_chip *chip)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(amdm_asics); i++)
		if (amdm_asics[i].gc_version == chip->gc_version)
			return &amdm_asics[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_asic_find);

/** amdm_sdma_find() - where a die has its SDMA engines */
const struct sdma_layout *amdm_sdma_find(const struct amdm_asic *asic)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(amdm_sdma_layouts); i++)
		if (amdm_sdma_layouts[i].gc_version == asic->gc_version)
			return &amdm_sdma_layouts[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_sdma_find);

/** amdm_chip_cus() - CUs of a chip as it is sold */
u32 amdm_chip_cus(const struct amdm_chip *chip)
{
	return chip->num_se * chip->num_sh * chip->cu_enabled;
}

/**
 * amdm_chip_harvest() - choose the CUs that stay active
 * @chip:   product
 * @cus:    how many, at most amdm_chip_cus()
 * @bitmap: out: active CUs of each shader array
 *
 * As factories do: the loss is spread over the shader engines, low CUs stay.
 */
void amdm_chip_harvest(const struct amdm_chip *chip, u32 cus, u32 bitmap[KFD_BRIDGE_MAX_SE][KFD_BRIDGE_MAX_SH])
{
	u32 arrays = chip->num_se * chip->num_sh;
	u32 i;

	memset(bitmap, 0, sizeof(u32) * KFD_BRIDGE_MAX_SE * KFD_BRIDGE_MAX_SH);
	for (i = 0; i < cus; i++) {
		u32 array = i % arrays;

		bitmap[array % chip->num_se][array / chip->num_se] |= 1u << (i / arrays);
	}
}
