// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_chips_test.c - finding a chip by its name and its die by the chip, and which CUs a product keeps.
 *
 * The rows of hw/chips.def against each other: chips_test.c.
 */
#include <kunit/test.h>
#include <linux/bitops.h>

#include "kunit/amdgpu_model/unexported.h"
#include "amdgpu_model/device/amdgpu_chips.c"

/* What rows point at; here only that they do. */
const struct amdm_gmc amdm_gmc_v8, amdm_gmc_v9, amdm_gmc_v10;
const struct amdm_ip_block amdm_gmc_v8_0, amdm_ih_v3_0, amdm_gfx_v8_0, amdm_sdma_v3_0;
const struct amdm_ip_block amdm_gmc_v9_0, amdm_ih_v4_0, amdm_gfx_v9_0, amdm_sdma_v4_0;
const struct amdm_kfd_gen amdm_kfd_gen_v7, amdm_kfd_gen_v8, amdm_kfd_gen_v9, amdm_kfd_gen_v10, amdm_kfd_gen_v11;
const struct amdm_reg_map amdm_regs_gc_7, amdm_regs_gc_8, amdm_regs_gc_10_1, amdm_regs_gc_10_3;

static void chip_name(const struct amdm_chip *chip, char *text)
{
	strscpy(text, chip->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(chip, amdm_chips, chip_name);

struct list_row {
	const char *names;
	u32 index;
	const char *found;	/* NULL: nothing */
};

static const struct list_row lists[] = {
	{ "radeon_vii", 0, "radeon_vii" },
	{ "radeon_vii", 31, "radeon_vii" },
	{ "fiji,navi10,mi50", 0, "fiji" },
	{ "fiji,navi10,mi50", 1, "navi10" },
	{ "fiji,navi10,mi50", 2, "mi50" },
	{ "fiji,navi10,mi50", 9, "mi50" },
	{ "", 0, NULL },
	{ ",fiji", 0, NULL },
	{ ",fiji", 1, "fiji" },
	{ "fiji,", 1, NULL },
	{ "fiji,,navi10", 1, NULL },
	{ "vega1", 0, NULL },		/* the beginning of a name is not a name */
	{ "vega12x", 0, NULL },
	{ " fiji", 0, NULL },
	{ "Fiji", 0, NULL },
};

static void chips_of_a_list(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		u32 row = ~0u;
		const struct amdm_chip *chip = amdm_chip_find(lists[i].names, lists[i].index, &row);

		KUNIT_EXPECT_STREQ_MSG(test, chip ? chip->name : "none", lists[i].found ?: "none", "list %u", i);
		if (chip)
			KUNIT_EXPECT_PTR_EQ(test, chip, &amdm_chips[row]);
		else
			KUNIT_EXPECT_EQ(test, row, ~0u);
	}
	KUNIT_EXPECT_EQ(test, amdm_chip_count("fiji"), 1u);
	KUNIT_EXPECT_EQ(test, amdm_chip_count("fiji,navi10,mi50"), 3u);
}

/* amdgpu_gmc_noretry_set() of Linux 6.1; 9.4.3 came later */
static bool noretry_of(u32 gc_version)
{
	return gc_version == 0x090001 || (gc_version >= 0x090400 && gc_version <= 0x090403) || gc_version >= 0x0a0300;
}

static void a_chip_has_a_whole_die(struct kunit *test)
{
	const struct amdm_asic *asic = amdm_asic_find(test->param_value);
	const struct sdma_layout *sdma;

	KUNIT_ASSERT_NOT_NULL(test, asic);
	sdma = amdm_sdma_find(asic);
	KUNIT_ASSERT_NOT_NULL(test, sdma);
	KUNIT_EXPECT_EQ(test, asic->die.sdma_version >> 16, sdma->generation);
	KUNIT_EXPECT_EQ(test, asic->gen->wptr_wraps, asic->die.gc_version < 0x090000);
	KUNIT_EXPECT_EQ(test, asic->die.noretry, noretry_of(asic->die.gc_version));
	KUNIT_EXPECT_EQ(test, asic->die.mes, asic->die.gc_version >= 0x0b0000);	/* GFX11 is scheduled by its MES */
	KUNIT_EXPECT_TRUE(test, asic->doorbells && asic->gen && asic->gmc && asic->kfd && asic->blocks && asic->num_blocks);
	/* Vega's places are the names: no map */
	KUNIT_EXPECT_EQ(test, !asic->regs, asic->die.gc_version >> 16 == 9);
	KUNIT_EXPECT_TRUE(test, asic->die.vram_type && asic->die.ref_khz && asic->die.gb_addr_config && asic->family);
}

static void a_die_that_nobody_knows(struct kunit *test)
{
	const struct amdm_chip chip = { .gc_version = 0x0c0000 };
	const struct amdm_asic asic = { .die.gc_version = 0x0c0000 };

	KUNIT_EXPECT_NULL(test, amdm_asic_find(&chip));
	KUNIT_EXPECT_NULL(test, amdm_sdma_find(&asic));
}

/* amdgpu_doorbell.h: 64-bit doorbells are two dwords, and the SDMA's are outside of the CP's. */
static void doorbells_are_apart(struct kunit *test)
{
	const struct amdm_asic *asic = amdm_asic_find(test->param_value);
	const struct amdm_doorbell_assignment *doorbells = asic->doorbells;
	u32 engines = amdm_sdma_find(asic)->engines, i, k;

	for (i = 0; i < engines; i++) {
		KUNIT_EXPECT_LE(test, doorbells->sdma[i] * asic->gen->doorbell_bytes / 4, doorbells->max_assignment);
		if (asic->gen->doorbell_bytes == 8) {
			KUNIT_EXPECT_GE(test, doorbells->sdma[i], doorbells->non_cp_start);
			KUNIT_EXPECT_LE(test, doorbells->sdma[i], doorbells->non_cp_end);
		}
		for (k = 0; k < i; k++)
			KUNIT_EXPECT_NE(test, doorbells->sdma[i], doorbells->sdma[k]);
	}
	if (asic->gen->doorbell_bytes == 8)
		KUNIT_EXPECT_EQ(test, doorbells->max_assignment, doorbells->non_cp_end << 1);
}

/* Any number of CUs: as many bits, the low ones of each array, no array of a die two short of another, no die one more than the next. */
static void the_loss_is_spread(struct kunit *test)
{
	const struct amdm_chip *chip = test->param_value;
	u32 xccs = amdm_chip_xccs(chip), cus, xcc, se, sh;
	amdm_cu_bitmap bitmap[KFD_BRIDGE_MAX_XCC];

	for (cus = 0; cus <= amdm_chip_cus(chip); cus++) {
		u32 sum = 0;

		memset(bitmap, 0xff, sizeof(bitmap));
		amdm_chip_harvest(chip, cus, bitmap);
		for (xcc = 0; xcc < KFD_BRIDGE_MAX_XCC; xcc++) {
			u32 of_die = 0, least = ~0u, most = 0;

			for (se = 0; se < KFD_BRIDGE_MAX_SE; se++) {
				for (sh = 0; sh < KFD_BRIDGE_MAX_SH; sh++) {
					u32 count = hweight32(bitmap[xcc][se][sh]);

					if (xcc >= xccs || se >= chip->num_se || sh >= chip->num_sh) {
						KUNIT_EXPECT_EQ(test, count, 0u);
						continue;
					}
					KUNIT_EXPECT_EQ(test, bitmap[xcc][se][sh], (1u << count) - 1);
					of_die += count;
					least = min(least, count);
					most = max(most, count);
				}
			}
			if (xcc >= xccs)
				continue;
			KUNIT_EXPECT_EQ(test, of_die, (cus + xccs - 1 - xcc) / xccs);
			KUNIT_EXPECT_LE(test, most - least, 1u);
			KUNIT_EXPECT_LE(test, most, chip->cu_built);
			sum += of_die;
		}
		KUNIT_EXPECT_EQ(test, sum, cus);
	}
}

/* Half a CU an engine: those of the first array of each go first. */
static void engines_before_arrays(struct kunit *test)
{
	const struct amdm_chip chip = { .num_se = 4, .num_sh = 2, .cu_enabled = 80 };
	amdm_cu_bitmap bitmap[KFD_BRIDGE_MAX_XCC];

	amdm_chip_harvest(&chip, 4, bitmap);
	KUNIT_EXPECT_EQ(test, bitmap[0][0][0] + bitmap[0][1][0] + bitmap[0][2][0] + bitmap[0][3][0], 4u);
	KUNIT_EXPECT_EQ(test, bitmap[0][0][1] + bitmap[0][1][1] + bitmap[0][2][1] + bitmap[0][3][1], 0u);
}

/* MI300X: two of the forty CUs of each die are lost, one each in two of its engines. */
static void a_die_of_38_cus(struct kunit *test)
{
	amdm_cu_bitmap bitmap[KFD_BRIDGE_MAX_XCC];
	const struct amdm_chip *chip;
	u32 row, xcc;

	chip = amdm_chip_find("mi300x", 0, &row);
	KUNIT_ASSERT_NOT_NULL(test, chip);
	KUNIT_EXPECT_EQ(test, amdm_chip_cus(chip), 304u);
	amdm_chip_harvest(chip, 304, bitmap);
	for (xcc = 0; xcc < 8; xcc++) {
		KUNIT_EXPECT_EQ(test, bitmap[xcc][0][0], 0x3ffu);
		KUNIT_EXPECT_EQ(test, bitmap[xcc][1][0], 0x3ffu);
		KUNIT_EXPECT_EQ(test, bitmap[xcc][2][0], 0x1ffu);
		KUNIT_EXPECT_EQ(test, bitmap[xcc][3][0], 0x1ffu);
	}
}

/* Four of a Vega 20 are a hive, eight MI300X; who stands in between divides; chips without XGMI are in none. */
static void hives(struct kunit *test)
{
	const u64 first = amdm_hive_id("mi50", 0);

	KUNIT_EXPECT_NE(test, first, 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_hive_id("mi50", 3), first);
	KUNIT_EXPECT_NE(test, amdm_hive_id("mi50", 4), first);
	KUNIT_EXPECT_EQ(test, amdm_hive_id("mi50", 4), amdm_hive_id("mi50", 7));
	KUNIT_EXPECT_EQ(test, amdm_hive_id("mi300x", 0), amdm_hive_id("mi300x", 7));
	KUNIT_EXPECT_NE(test, amdm_hive_id("mi300x", 0), amdm_hive_id("mi300x", 8));
	KUNIT_EXPECT_NE(test, amdm_hive_id("mi50,arcturus,mi50", 0), amdm_hive_id("mi50,arcturus,mi50", 2));
	KUNIT_EXPECT_EQ(test, amdm_hive_id("navi21", 0), 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_hive_id("vega64,mi50", 0), 0ULL);
}

/* gmc_v9_0_early_init(): only GC 9.4.2 has an XGMI that reaches the CPU. */
static void next_to_the_cpu(struct kunit *test)
{
	u32 row;

	KUNIT_EXPECT_TRUE(test, amdm_chip_host_xgmi(amdm_chip_find("aldebaran", 0, &row)));
	KUNIT_EXPECT_FALSE(test, amdm_chip_host_xgmi(amdm_chip_find("mi50", 0, &row)));
	KUNIT_EXPECT_FALSE(test, amdm_chip_host_xgmi(amdm_chip_find("navi21", 0, &row)));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(chips_of_a_list),
	KUNIT_CASE_PARAM(a_chip_has_a_whole_die, chip_gen_params),
	KUNIT_CASE(a_die_that_nobody_knows),
	KUNIT_CASE_PARAM(doorbells_are_apart, chip_gen_params),
	KUNIT_CASE_PARAM(the_loss_is_spread, chip_gen_params),
	KUNIT_CASE(engines_before_arrays),
	KUNIT_CASE(a_die_of_38_cus),
	KUNIT_CASE(hives),
	KUNIT_CASE(next_to_the_cpu),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_chips", .test_cases = cases };
kunit_test_suite(suite);
