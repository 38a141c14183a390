// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_chips_test.c - every row of the chip table is complete; kfd_ops_test.c walks the slots of the ops tables that it names */
#include <kunit/test.h>

#include "../../kfd_model/kfd_chips.c"

static void chip_name(const struct kfdm_chip *chip, char *text)
{
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "%s %06x", chip->name, chip->gc_version);
}

KUNIT_ARRAY_PARAM(chip, kfdm_chips, chip_name);

static void row_is_complete(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;
	bool soc15 = kfdm_chip_is_soc15(chip);

	KUNIT_EXPECT_PTR_EQ(test, kfdm_chip_find(chip->name, chip->gc_version), chip);
	KUNIT_EXPECT_NOT_NULL(test, chip->kgd);
	if (soc15)
		KUNIT_EXPECT_EQ(test, chip->gfx_target_version / 10000, chip->gc_version >> 16);
	else
		KUNIT_EXPECT_LT(test, chip->gfx_target_version, 90000u);
	KUNIT_EXPECT_EQ(test, chip->doorbell_size, soc15 ? 8u : 4u);
	KUNIT_EXPECT_EQ(test, chip->doorbell_type == DOORBELL_2_0, soc15);
	if (chip->trap_handler)
		KUNIT_EXPECT_LE(test, chip->trap_handler->bytes, (u32)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, chip->caches == NULL, chip->gc_version >= 0x0b0000);
	if (chip->caches)
		KUNIT_EXPECT_GE(test, chip->caches->num, 3u);
}

static void descriptors_are_complete(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;
	int type;

	KUNIT_ASSERT_NOT_NULL(test, chip->mqd);
	for (type = 0; type < KFDM_MQD_TYPES; type++) {
		const struct kfdm_mqd_ops *mqd = &chip->mqd[type];

		KUNIT_EXPECT_NE(test, mqd->size, 0u);
		KUNIT_EXPECT_LT(test, mqd->doorbell_dword, mqd->size / 4);
		KUNIT_EXPECT_NE(test, mqd->doorbell_dword, 0u);
	}
	if (chip->trap_handler)
		KUNIT_EXPECT_NOT_NULL(test, chip->mqd[KFDM_MQD_CP].wave_state);
}

static void registers_are_complete(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;

	KUNIT_ASSERT_NOT_NULL(test, chip->asic);
	KUNIT_EXPECT_EQ(test, chip->asic->cache_policy == NULL, kfdm_chip_is_soc15(chip));
	KUNIT_ASSERT_NOT_NULL(test, chip->interrupts);
	KUNIT_EXPECT_EQ(test, chip->interrupts->entry_dwords, kfdm_chip_is_soc15(chip) ? 8u : 4u);
}

static void unknown_chips(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, kfdm_chip_find("topaz", 0));
	KUNIT_EXPECT_NULL(test, kfdm_chip_find("ip discovery", 0x0c0000));
	KUNIT_EXPECT_PTR_EQ(test, kfdm_chip_find("picasso", 0x090100), kfdm_chip_find("raven", 0x090100));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(row_is_complete, chip_gen_params),
	KUNIT_CASE_PARAM(descriptors_are_complete, chip_gen_params),
	KUNIT_CASE_PARAM(registers_are_complete, chip_gen_params),
	KUNIT_CASE(unknown_chips),
	{}
};

static struct kunit_suite suite = { .name = "kfd_chips", .test_cases = cases };
kunit_test_suite(suite);
