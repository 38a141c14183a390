// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_queue_properties_test.c - arguments of CREATE_QUEUE and UPDATE_QUEUE, one wrong thing a row */
#include <kunit/test.h>

#include "kfd_model/queue/kfd_queue_properties.c"

#define KERNEL_ADDRESS 0xffff888000000000ULL

struct args_row {
	const char *name;
	struct kfd_ioctl_create_queue_args args;
	int ret;
	u64 size;
};

#define GOOD .ring_base_address = 0x100000, .ring_size = 4096, .read_pointer_address = 0x1000, \
	.write_pointer_address = 0x2000, .queue_percentage = 100, .queue_priority = 7, \
	.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct args_row args_rows[] = {
	{ "good",                  { GOOD },                                            0,         4096 },
	{ "percentage",            { GOOD, .queue_percentage = 101 },                   -EINVAL,   0 },
	{ "percentage 0",          { GOOD, .queue_percentage = 0 },                     0,         4096 },
	{ "priority",              { GOOD, .queue_priority = 16 },                      -EINVAL,   0 },
	{ "ring not a power of 2", { GOOD, .ring_size = 4095 },                         -EINVAL,   0 },
	{ "small ring",            { GOOD, .ring_size = 64 },                           0,         1024 },
	{ "ring of size 0",        { GOOD, .ring_size = 0 },                            0,         1024 },
	{ "ring in the kernel",    { GOOD, .ring_base_address = KERNEL_ADDRESS },       -EFAULT,   0 },
	{ "rptr in the kernel",    { GOOD, .read_pointer_address = KERNEL_ADDRESS },    -EFAULT,   0 },
	{ "wptr in the kernel",    { GOOD, .write_pointer_address = KERNEL_ADDRESS },   -EFAULT,   0 },
	{ "EOP in the kernel",     { GOOD, .eop_buffer_address = KERNEL_ADDRESS },      -EFAULT,   0 },
	{ "save area in kernel",   { GOOD, .ctx_save_restore_address = KERNEL_ADDRESS }, -EFAULT,  0 },
	{ "type",                  { GOOD, .queue_type = 4 },                           -ENOTSUPP, 0 },
	{ "percentage before type", { GOOD, .queue_percentage = 101, .queue_type = 4 }, -EINVAL,   0 },
	{ "ring before type",      { GOOD, .ring_base_address = KERNEL_ADDRESS, .queue_type = 4 }, -EFAULT, 0 },
};
#pragma GCC diagnostic pop

static void args_name(const struct args_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(args, args_rows, args_name);

static const struct kfdm_queue_rules rules = { .mask_of_percentage = ~0u, .types = 4 };
static const struct kfdm_queue_rules rules_7_2 = {
	.mask_of_percentage = 0xff, .types = 5, .start_counts = true, .metadata = true, .tells_size = true,
};

static void create_arguments(struct kunit *test)
{
	const struct args_row *row = test->param_value;
	struct kfd_ioctl_create_queue_args args = row->args;
	struct kfdm_queue_properties q;

	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&rules, &args, &q), row->ret);
	if (!row->ret)
		KUNIT_EXPECT_EQ(test, q.queue_size, row->size);
}

static void failed_update_changes_nothing(struct kunit *test)
{
	const struct kfd_ioctl_update_queue_args args = { .ring_base_address = 0x5000, .ring_size = 3, .queue_priority = 1 };
	struct kfdm_queue_properties q = { .queue_address = 0x1000, .queue_size = 2048, .priority = 7 };

	KUNIT_EXPECT_EQ(test, kfdm_queue_check_update(&rules, &args, &q), -EINVAL);
	KUNIT_EXPECT_EQ(test, q.queue_address, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, q.priority, 7u);
}

static void create_arguments_7_2(struct kunit *test)
{
	struct kfd_ioctl_create_queue_args args = { GOOD };
	struct kfdm_queue_properties q;

	args.queue_percentage = 0x10000 | 3 << 8 | 50;
	args.ring_size = 64;
	args.metadata_ring_size = 8192;
	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&rules_7_2, &args, &q), 0);
	KUNIT_EXPECT_EQ(test, q.queue_percent, 50u);
	KUNIT_EXPECT_EQ(test, q.pm4_target_xcc, 3u);
	KUNIT_EXPECT_EQ(test, q.metadata_size, 8192ull);
	KUNIT_EXPECT_EQ(test, args.ring_size, 1024u);	/* returned to the caller */
	args.metadata_ring_size = 8191;
	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&rules_7_2, &args, &q), -EINVAL);
	args.metadata_ring_size = 0;
	args.queue_type = KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID;
	args.sdma_engine_id = 1;
	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&rules_7_2, &args, &q), 0);
	KUNIT_EXPECT_EQ(test, (int)q.type, (int)KFDM_QUEUE_SDMA_BY_ENGINE);
	KUNIT_EXPECT_EQ(test, q.sdma_engine_id, 1u);
	args.queue_type = 5;
	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&rules_7_2, &args, &q), -ENOTSUPP);
}

static void workaround_keeps_cus(struct kunit *test)
{
	const struct kfdm_queue_properties debugged = { .is_dbg_wa = true }, free = {};
	const u32 half[] = { 2 };

	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_queue(&debugged, 2, half, 32), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_queue(&free, 2, half, 32), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_queue(&free, 1, half, 32), 0);
}

static void wgp_pairs(struct kunit *test)
{
	const u32 pairs[] = { 0xc, 0x3 }, half[] = { 0xc, 0x2 }, across[] = { 0x6 };

	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(1, half, 64), 0);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(2, pairs, 64), 0);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(2, half, 64), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(2, across, 32), -EINVAL);
}

static void cu_mask_sizes(struct kunit *test)
{
	u32 bits = 0;

	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_size(0, &bits), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_size(33, &bits), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_size(96, &bits), 0);
	KUNIT_EXPECT_EQ(test, bits, 96u);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_size(0xffffffe0, &bits), 0);
	KUNIT_EXPECT_EQ(test, bits, 1024u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(create_arguments, args_gen_params),
	KUNIT_CASE(failed_update_changes_nothing),
	KUNIT_CASE(create_arguments_7_2),
	KUNIT_CASE(workaround_keeps_cus),
	KUNIT_CASE(wgp_pairs),
	KUNIT_CASE(cu_mask_sizes),
	{}
};

static struct kunit_suite suite = { .name = "kfd_queue_properties", .test_cases = cases };
kunit_test_suite(suite);
