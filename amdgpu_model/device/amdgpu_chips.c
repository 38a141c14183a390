// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_chips.c - chips as rows
 *
 * A product is a row of hw/chips.def: PCI ids, shader engines, clocks, memory. Products share dies; a die is a row of hw/dies.def and
 * belongs to a generation, a row of hw/generations.def. What only the driver knows of a generation is added here: register map, IP
 * blocks, memory controller. Nothing else in the driver asks which chip it is on. Doorbell layout: Linux 6.1 amdgpu_doorbell.h.
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
	.compute = 0x10,
	.graphics = 0x20,
	.max_assignment = 0x3ff,
};

static const struct amdm_doorbell_assignment amdm_doorbells_vega10 = {
	.sdma = { 0xf0, 0xf2 },
	.non_cp_start = 0xf0,
	.non_cp_end = 0xff,
	.compute = 0x3,
	.graphics = 0x8b,
	.max_assignment = 0xff << 1,
	.paging = 0x400,
};

static const struct amdm_doorbell_assignment amdm_doorbells_vega20 = {
	.sdma = { 0x100, 0x10a, 0x114, 0x11e, 0x128, 0x132, 0x13c, 0x146 },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.compute = 0x3,
	.graphics = 0x8b,
	.max_assignment = 0x18f << 1,
	.paging = 0x400,
};

/* Linux 7.2: AMDGPU_DOORBELL_LAYOUT1_*; the kernel's rings and the KIQ of compute die n stand 0x20 * n further. */
static const struct amdm_doorbell_assignment amdm_doorbells_layout1 = {
	.sdma = { 0x100, 0x10a, 0x114, 0x11e, 0x128, 0x132, 0x13c, 0x146, 0x150, 0x15a, 0x164, 0x16e, 0x178, 0x182, 0x18c, 0x196 },
	.non_cp_start = 0x100,
	.non_cp_end = 0x1e8,
	.compute = 0x8,
	.max_assignment = 0x1e8 << 1,
	.paging = 0x400,
};

static const struct amdm_doorbell_assignment amdm_doorbells_nv = {
	.sdma = { 0x100, 0x10a, 0x114, 0x11e },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.compute = 0x3,
	.graphics = 0x8b,
	.max_assignment = 0x18f << 1,
	.paging = 0x400,
};

static const struct amdm_doorbell_assignment amdm_doorbells_soc21 = {
	.sdma = { 0x100, 0x10a },
	.non_cp_start = 0x100,
	.non_cp_end = 0x18f,
	.compute = 0x3,
	.graphics = 0x8b,
	.max_assignment = 0x18f << 1,
	.paging = 0x400,
};

/* Unaligned accesses; GFX10 also fetches instructions ahead (Linux: gfx_v9_0.c, gfx_v10_0.c) */
#define AMDM_SH_MEM_CONFIG_V7	(3u << 2)
#define AMDM_SH_MEM_CONFIG_V8	(3u << 3)
#define AMDM_SH_MEM_CONFIG_V9	(3u << 3)
#define AMDM_SH_MEM_CONFIG_V10	(3u << 2 | 3u << 14)

static const struct hw_generation amdm_generations[] = {
#define GENERATION(id, ...) [HW_##id] = { __VA_ARGS__ },
#include "amdgpu_model/hw/generations.def"
#undef GENERATION
};

#define AMDM_BLOCKS(list) .blocks = list, .num_blocks = ARRAY_SIZE(list)

#define AMDM_GFX7					\
	.family = AMDGPU_FAMILY_CI,			\
	.sh_mem_config = AMDM_SH_MEM_CONFIG_V7,		\
	.regs = &amdm_regs_gc_7,			\
	.gmc = &amdm_gmc_v8,				\
	.kfd = &amdm_kfd_gen_v7,			\
	AMDM_BLOCKS(amdm_islands_blocks)

#define AMDM_GFX8					\
	.family = AMDGPU_FAMILY_VI,			\
	.sh_mem_config = AMDM_SH_MEM_CONFIG_V8,		\
	.regs = &amdm_regs_gc_8,			\
	.gmc = &amdm_gmc_v8,				\
	.kfd = &amdm_kfd_gen_v8,			\
	AMDM_BLOCKS(amdm_islands_blocks)

#define AMDM_GFX9					\
	.family = AMDGPU_FAMILY_AI,			\
	.sh_mem_config = AMDM_SH_MEM_CONFIG_V9,		\
	.gmc = &amdm_gmc_v9,				\
	.kfd = &amdm_kfd_gen_v9,			\
	AMDM_BLOCKS(amdm_vega_blocks)

#define AMDM_GFX908	AMDM_GFX9
#define AMDM_GFX90A	AMDM_GFX9
/* As MI300X's IP discovery says; the L2 of a die, the memory-side cache of the package */
#define AMDM_GFX942						\
	AMDM_GFX9,						\
	.caches = {						\
		.tcp_kib = 32,					\
		.icache_kib = 64, .dcache_kib = 16,		\
		.cus_per_sqc = 2,				\
		.gl2_kib = 4096, .mall_kib = 256 * 1024,	\
	}

#define AMDM_GFX10(family_id, map, kfd_gen)		\
	.family = family_id,				\
	.sh_mem_config = AMDM_SH_MEM_CONFIG_V10,	\
	.regs = map,					\
	.gmc = &amdm_gmc_v10,				\
	.kfd = kfd_gen,					\
	AMDM_BLOCKS(amdm_vega_blocks)

#define AMDM_GFX10_1	AMDM_GFX10(AMDGPU_FAMILY_NV, &amdm_regs_gc_10_1, &amdm_kfd_gen_v10)
#define AMDM_GFX10_3	AMDM_GFX10(AMDGPU_FAMILY_NV, &amdm_regs_gc_10_3, &amdm_kfd_gen_v10)
/* GFX11's own places of registers wait for the MES. */
#define AMDM_GFX11	AMDM_GFX10(AMDGPU_FAMILY_GC_11_0_0, &amdm_regs_gc_10_3, &amdm_kfd_gen_v11)

static const struct amdm_asic amdm_asics[] = {
#define DIE(id, assignment, ...)					\
	{								\
		.die = { .generation = HW_##id, __VA_ARGS__ },		\
		.gen = &amdm_generations[HW_##id],			\
		.doorbells = &amdm_doorbells_##assignment,		\
		AMDM_##id						\
	},
#include "amdgpu_model/hw/dies.def"
#undef DIE
};

/* The first hive's number: what the PSP of a real board gives is 64 bits without a meaning. */
#define AMDM_HIVE_ID	0x1002000000000001ULL

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
		if (amdm_asics[i].die.gc_version == chip->gc_version)
			return &amdm_asics[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_asic_find);

/** amdm_sdma_find() - where a die has its SDMA engines */
const struct sdma_layout *amdm_sdma_find(const struct amdm_asic *asic)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(amdm_sdma_layouts); i++)
		if (amdm_sdma_layouts[i].gc_version == asic->die.gc_version)
			return &amdm_sdma_layouts[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_sdma_find);

/** amdm_chip_hive() - GPUs of a chip that XGMI joins into one hive, 0: it joins none */
u32 amdm_chip_hive(const struct amdm_chip *chip)
{
	const struct amdm_asic *asic = amdm_asic_find(chip);

	return asic ? asic->die.hive : 0;
}

/** amdm_chip_host_xgmi() - XGMI can join a chip to the CPU */
bool amdm_chip_host_xgmi(const struct amdm_chip *chip)
{
	const struct amdm_asic *asic = amdm_asic_find(chip);

	return asic && asic->die.host_xgmi;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_chip_host_xgmi);

/**
 * amdm_hive_id() - the hive of a GPU where XGMI joins them
 * @names: of chips, as the module parameter says
 * @index: of the GPU
 *
 * GPUs of the same product that stand side by side are a hive, and the next ones another where it is full. The number is the same
 * whoever has been unplugged. Return: 0: none.
 */
u64 amdm_hive_id(const char *names, u32 index)
{
	const struct amdm_chip *chip = NULL;
	u32 i, row, first = 0;

	for (i = 0; i <= index; i++) {
		const struct amdm_chip *next = amdm_chip_find(names, i, &row);

		if (next != chip || (chip && i - first == amdm_chip_hive(chip)))
			first = i;
		chip = next;
	}
	return chip && amdm_chip_hive(chip) ? AMDM_HIVE_ID + first : 0;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_hive_id);

/** amdm_chip_xccs() - compute dies of a chip */
u32 amdm_chip_xccs(const struct amdm_chip *chip)
{
	const struct amdm_asic *asic = amdm_asic_find(chip);

	return asic && asic->die.xccs ? asic->die.xccs : 1;
}

/** amdm_chip_cus() - CUs of a chip as it is sold */
u32 amdm_chip_cus(const struct amdm_chip *chip)
{
	return amdm_chip_xccs(chip) * chip->cu_enabled;
}

/**
 * amdm_chip_harvest() - choose the CUs that stay active
 * @chip:   product
 * @cus:    how many, at most amdm_chip_cus()
 * @bitmap: out: active CUs of each shader array of each compute die
 *
 * As factories do: the loss is spread over the dies and their shader engines, low CUs stay.
 */
void amdm_chip_harvest(const struct amdm_chip *chip, u32 cus, amdm_cu_bitmap *bitmap)
{
	u32 arrays = chip->num_se * chip->num_sh, xccs = amdm_chip_xccs(chip);
	u32 i;

	memset(bitmap, 0, sizeof(*bitmap) * KFD_BRIDGE_MAX_XCC);
	for (i = 0; i < cus; i++) {
		u32 in_die = i / xccs, array = in_die % arrays;

		bitmap[i % xccs][array % chip->num_se][array / chip->num_se] |= 1u << (in_die / arrays);
	}
}
