// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_chips_test.c - every row of every driver's chip table is complete; kfd_ops_test.c walks the slots of the ops tables that it names */
#include <kunit/test.h>

#include "kfd_model/chips/kfd_abi.c"
#include "kunit/compat.h"

static const struct kfdm_abi *abi_of(const struct kfdm_chip *chip)
{
	return chip >= kfdm_abi_6_1.chips && chip < kfdm_abi_6_1.chips + kfdm_abi_6_1.num_chips ? &kfdm_abi_6_1 : &kfdm_abi_7_2;
}

/* The chips of one driver, then those of the other */
KUNIT_GENERATOR(chip_gen_params, last, text)
{
	const struct kfdm_chip *chip = last ? (const struct kfdm_chip *)last + 1 : kfdm_abi_6_1.chips;

	if (chip == kfdm_abi_6_1.chips + kfdm_abi_6_1.num_chips)
		chip = kfdm_abi_7_2.chips;
	if (chip == kfdm_abi_7_2.chips + kfdm_abi_7_2.num_chips)
		return NULL;
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "%s %s %06x", abi_of(chip)->name, chip->name, chip->gc_version);
	return chip;
}

static void row_is_complete(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;
	bool soc15 = chip->gc_version != 0;

	KUNIT_EXPECT_PTR_EQ(test, kfdm_chip_find(abi_of(chip), chip->name, chip->gc_version), chip);
	KUNIT_EXPECT_NOT_NULL(test, chip->kgd);
	if (soc15)
		KUNIT_EXPECT_EQ(test, chip->gfx_target_version / 10000, chip->gc_version >> 16);
	else
		KUNIT_EXPECT_LT(test, chip->gfx_target_version, 90000u);
	KUNIT_EXPECT_EQ(test, chip->doorbell_size, soc15 ? 8u : 4u);
	KUNIT_EXPECT_EQ(test, chip->doorbell_type == DOORBELL_2_0, soc15);
	KUNIT_EXPECT_EQ(test, chip->cus_per_wgp, chip->gfx_target_version >= 100000 ? 2 : 1);
	if (chip->trap_handler)
		KUNIT_EXPECT_LE(test, chip->trap_handler->bytes, abi_of(chip)->tma_offset);
	KUNIT_EXPECT_EQ(test, chip->caches == NULL, chip->configured_caches != NULL);
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
	KUNIT_EXPECT_EQ(test, chip->asic->cache_policy == NULL, chip->gc_version != 0);
	KUNIT_ASSERT_NOT_NULL(test, chip->interrupts);
	KUNIT_EXPECT_EQ(test, chip->interrupts->entry_dwords, chip->gc_version ? 8u : 4u);
}

static void unknown_chips(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, kfdm_chip_find(&kfdm_abi_6_1, "topaz", 0));
	KUNIT_EXPECT_NULL(test, kfdm_chip_find(&kfdm_abi_6_1, "ip discovery", 0x0c0000));
	KUNIT_EXPECT_PTR_EQ(test, kfdm_chip_find(&kfdm_abi_6_1, "picasso", 0x090100), kfdm_chip_find(&kfdm_abi_6_1, "raven", 0x090100));
}

/* A driver is what its row says, and the module parameter finds it. */
static void drivers(struct kunit *test)
{
	KUNIT_EXPECT_PTR_EQ(test, kfdm_abi, &kfdm_abi_6_1);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_abi_find("6.1"), &kfdm_abi_6_1);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_abi_find("7.2"), &kfdm_abi_7_2);
	KUNIT_EXPECT_NULL(test, kfdm_abi_find("7"));
	KUNIT_EXPECT_NULL(test, kfdm_abi_find(""));
	KUNIT_EXPECT_GT(test, kfdm_abi_7_2.num_chips, kfdm_abi_6_1.num_chips);
	KUNIT_EXPECT_NULL(test, kfdm_chip_find(&kfdm_abi_6_1, "ip discovery", 0x090403));
	KUNIT_EXPECT_NOT_NULL(test, kfdm_chip_find(&kfdm_abi_7_2, "ip discovery", 0x090403));
}

/* A chip's own facts are the same for each version of Linux. */
static void same_chip(struct kunit *test)
{
	u32 i;

	for (i = 0; i < kfdm_abi_6_1.num_chips; i++) {
		const struct kfdm_chip *a = &kfdm_abi_6_1.chips[i], *b = &kfdm_abi_7_2.chips[i];

		KUNIT_EXPECT_EQ(test, a->gc_version, b->gc_version);
		KUNIT_EXPECT_EQ(test, a->gfx_target_version, b->gfx_target_version);
		KUNIT_EXPECT_STREQ(test, a->kgd, b->kgd);
		KUNIT_EXPECT_FALSE(test, b->needs_iommu);
	}
}

/* A capability that came with a firmware version, one that all have, one that none has */
static void firmware(struct kunit *test)
{
	const struct kfdm_chip *vega10 = kfdm_chip_find(&kfdm_abi_6_1, "vega10", 0x090001);

	KUNIT_EXPECT_FALSE(test, kfdm_firmware_since(0x8179, vega10->eop_id_mec_fw));
	KUNIT_EXPECT_TRUE(test, kfdm_firmware_since(0x817a, vega10->eop_id_mec_fw));
	KUNIT_EXPECT_FALSE(test, kfdm_firmware_since(~0u, vega10->flush_unmap_sdma_fw));
	KUNIT_EXPECT_TRUE(test, kfdm_firmware_since(0, kfdm_chip_find(&kfdm_abi_6_1, "aldebaran", 0x090402)->eop_id_mec_fw));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(row_is_complete, chip_gen_params),
	KUNIT_CASE_PARAM(descriptors_are_complete, chip_gen_params),
	KUNIT_CASE_PARAM(registers_are_complete, chip_gen_params),
	KUNIT_CASE(unknown_chips),
	KUNIT_CASE(firmware),
	KUNIT_CASE(drivers),
	KUNIT_CASE(same_chip),
	{}
};

static struct kunit_suite suite = { .name = "kfd_chips", .test_cases = cases };
kunit_test_suite(suite);
