// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chips_test.c - the rows of hw/chips.def against each other and against what a chip can be.
 *
 * A typing mistake in a row would not stop anything from compiling; it would be a GPU that cannot exist.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "amdgpu_model/hw/hw_types.h"

struct chip_row {
	const char *name, *product;
	u32 device, revision, target, gc, se, sh, cu_built, cu_enabled, sclk, mclk, vram_mib, vram_bits;
};

#define CHIP(id, name, product, device, revision, target, gc, se, sh, built, enabled, sclk, mclk, vram, width) \
	{ name, product, device, revision, target, gc, se, sh, built, enabled, sclk, mclk, vram, width },
static const struct chip_row rows[] = {
#include "amdgpu_model/hw/chips.def"
};
#undef CHIP

static void row_name(const struct chip_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(chip, rows, row_name);

static void chip_is_possible(struct kunit *test)
{
	const struct chip_row *row = test->param_value;

	KUNIT_EXPECT_GT(test, row->cu_enabled, 0U);
	KUNIT_EXPECT_LE(test, row->cu_enabled, row->se * row->sh * row->cu_built);
	KUNIT_EXPECT_LE(test, row->cu_built, 16U);
	KUNIT_EXPECT_LE(test, row->se, 8U);
	KUNIT_EXPECT_LE(test, row->sh, 2U);
	KUNIT_EXPECT_EQ(test, row->vram_mib % 1024, 0U);
	/* major * 10000 + minor * 100 + stepping and major << 16 | minor << 8 | revision name the same major */
	KUNIT_EXPECT_EQ(test, row->target / 10000, row->gc >> 16);
}

static void chip_names_are_unique(struct kunit *test)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		for (k = 0; k < i; k++) {
			KUNIT_EXPECT_STRNEQ(test, rows[i].name, rows[k].name);
			KUNIT_EXPECT_FALSE(test, rows[i].device == rows[k].device && rows[i].revision == rows[k].revision);
		}
	}
}

static struct kunit_case chips_cases[] = {
	KUNIT_CASE_PARAM(chip_is_possible, chip_gen_params),
	KUNIT_CASE(chip_names_are_unique),
	{}
};

static struct kunit_suite chips_suite = {
	.name = "amdm_chips",
	.test_cases = chips_cases,
};
kunit_test_suite(chips_suite);
