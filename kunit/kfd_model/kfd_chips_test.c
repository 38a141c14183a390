// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_chips_test.c - every row of the chip table is complete, and the table's ops are */
#include <kunit/test.h>

#include "../../kfd_model/kfd_asic_v9.c"
#include "../../kfd_model/kfd_chips.c"

static void chip_name(const struct kfdm_chip *chip, char *text)
{
	strscpy(text, chip->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(chip, kfdm_chips, chip_name);

static void chip_is_complete(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;

	KUNIT_EXPECT_PTR_EQ(test, kfdm_chip_find(chip->gc_version), chip);
	KUNIT_EXPECT_EQ(test, chip->gfx_target_version / 10000, chip->gc_version >> 16);
	KUNIT_EXPECT_EQ(test, chip->doorbell_size, chip->gc_version >= 0x090000 ? 8u : 4u);
	KUNIT_EXPECT_NOT_NULL(test, chip->mqd);
	KUNIT_EXPECT_NOT_NULL(test, chip->interrupts);
	KUNIT_EXPECT_GE(test, chip->num_caches, 3u);
	KUNIT_ASSERT_NOT_NULL(test, chip->packets);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->map_process);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->map_queues);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->run_list);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->set_resources);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->unmap_queues);
	KUNIT_EXPECT_NOT_NULL(test, chip->packets->query_status);
	KUNIT_ASSERT_NOT_NULL(test, chip->asic);
	KUNIT_EXPECT_NOT_NULL(test, chip->asic->update_qpd);
	KUNIT_EXPECT_NOT_NULL(test, chip->asic->sdma_vm_addr);
}

static void registers_of_a_process(struct kunit *test)
{
	const struct kfdm_sh_mem_inputs in = { .lds_base = 1ULL << 48, .scratch_base = 2ULL << 48, .noretry = true };
	struct kfdm_map_process process = {};

	kfdm_asic_v9.update_qpd(&process, &in);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, 0x1018u);
	KUNIT_EXPECT_EQ(test, process.sh_mem_bases, 0x00010002u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(chip_is_complete, chip_gen_params),
	KUNIT_CASE(registers_of_a_process),
	{}
};

static struct kunit_suite suite = { .name = "kfd_chips", .test_cases = cases };
kunit_test_suite(suite);
