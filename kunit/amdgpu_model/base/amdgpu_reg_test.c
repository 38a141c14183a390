// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_reg_test.c - the maps of registers: in the order that the search needs, no place twice, and every element where its row says.
 */
#include <kunit/test.h>

#define amdm_reg		tested_reg
#define amdm_regs_gc_7		tested_regs_gc_7
#define amdm_regs_gc_8		tested_regs_gc_8
#define amdm_regs_gc_10_1	tested_regs_gc_10_1
#define amdm_regs_gc_10_3	tested_regs_gc_10_3
#include "amdgpu_model/base/amdgpu_reg.c"

struct generation {
	const char *name;
	const struct amdm_reg_map *map;
};

static const struct generation generations[] = {
	{ "gfx7", &amdm_regs_gc_7 }, { "gfx8", &amdm_regs_gc_8 }, { "gfx10.1", &amdm_regs_gc_10_1 }, { "gfx10.3", &amdm_regs_gc_10_3 },
};

static void generation_name(const struct generation *g, char *text)
{
	strscpy(text, g->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(generation, generations, generation_name);

/** struct chip_with - a device whose registers are @map's */
struct chip_with {
	struct amdm_device adev;
	struct amdm_asic asic;
};

static struct chip_with *chip_with(struct kunit *test, const struct amdm_reg_map *map)
{
	struct chip_with *chip = kunit_kzalloc(test, sizeof(*chip), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, chip);
	chip->asic.regs = map;
	chip->adev.asic = &chip->asic;
	return chip;
}

static void rows_are_in_order(struct kunit *test)
{
	const struct amdm_reg_map *map = ((const struct generation *)test->param_value)->map;
	u32 i;

	for (i = 1; i < map->count; i++)
		KUNIT_EXPECT_LT_MSG(test, map->places[i - 1].name, map->places[i].name, "row %u", i);
	for (i = 0; i < map->count; i++) {
		KUNIT_EXPECT_GT_MSG(test, map->places[i].count, 0, "row %u", i);
		KUNIT_EXPECT_LE_MSG(test, (map->places[i].count - 1) * map->places[i].name_stride, AMDM_REG_SPAN, "row %u", i);
	}
}

static void every_element_is_found(struct kunit *test)
{
	const struct amdm_reg_map *map = ((const struct generation *)test->param_value)->map;
	struct chip_with *chip = chip_with(test, map);
	u32 i, n;

	for (i = 0; i < map->count; i++) {
		const struct amdm_reg_place *place = &map->places[i];

		for (n = 0; n < place->count; n++)
			KUNIT_EXPECT_EQ_MSG(test, amdm_reg(&chip->adev, place->name + n * place->name_stride),
					    place->offset + n * place->stride, "row %u, element %u", i, n);
	}
}

/* Two names of one place would be two truths. */
static void places_are_not_shared(struct kunit *test)
{
	const struct amdm_reg_map *map = ((const struct generation *)test->param_value)->map;
	u32 *seen = kunit_kcalloc(test, 0x20000 / 32, sizeof(u32), GFP_KERNEL);
	u32 i, n;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (i = 0; i < map->count; i++)
		for (n = 0; n < map->places[i].count; n++) {
			u32 at = map->places[i].offset + n * map->places[i].stride;

			KUNIT_ASSERT_LT_MSG(test, at, 0x20000u, "row %u", i);
			KUNIT_EXPECT_FALSE_MSG(test, seen[at / 32] >> at % 32 & 1, "row %u, element %u: %#x", i, n, at);
			seen[at / 32] |= 1u << at % 32;
		}
}

static void what_has_no_row_is_nowhere(struct kunit *test)
{
	const struct amdm_reg_map *map = ((const struct generation *)test->param_value)->map;
	struct chip_with *chip = chip_with(test, map);
	const struct amdm_reg_place *last = &map->places[map->count - 1];

	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, 0), AMDM_REG_NONE);
	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, last->name + last->count * last->name_stride), AMDM_REG_NONE);
	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, ~0u - 1), AMDM_REG_NONE);
}

/* GFX10.3 has one MEC: amdgpu_priority.c asks which pipes there are. */
static void gfx10_3_limits_four_pipes(struct kunit *test)
{
	struct chip_with *chip = chip_with(test, &amdm_regs_gc_10_3);

	KUNIT_EXPECT_NE(test, amdm_reg(&chip->adev, mmSPI_WCL_PIPE_PERCENT_CS0 + 3), AMDM_REG_NONE);
	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, mmSPI_WCL_PIPE_PERCENT_CS0 + 4), AMDM_REG_NONE);
}

static void vegas_names_are_its_places(struct kunit *test)
{
	struct chip_with *chip = chip_with(test, NULL);

	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, mmGRBM_GFX_CNTL), (u32)mmGRBM_GFX_CNTL);
	KUNIT_EXPECT_EQ(test, amdm_reg(&chip->adev, 12345), 12345u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(rows_are_in_order, generation_gen_params),
	KUNIT_CASE_PARAM(every_element_is_found, generation_gen_params),
	KUNIT_CASE_PARAM(places_are_not_shared, generation_gen_params),
	KUNIT_CASE_PARAM(what_has_no_row_is_nowhere, generation_gen_params),
	KUNIT_CASE(gfx10_3_limits_four_pipes),
	KUNIT_CASE(vegas_names_are_its_places),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_reg", .test_cases = cases };
kunit_test_suite(suite);
