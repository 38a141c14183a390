// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_queue_properties_test.c - arguments of CREATE_QUEUE and UPDATE_QUEUE, one wrong thing a row */
#include <kunit/test.h>

#include "../../kfd_model/kfd_queue_properties.c"

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

static void create_arguments(struct kunit *test)
{
	const struct args_row *row = test->param_value;
	struct kfdm_queue_properties q;

	KUNIT_EXPECT_EQ(test, kfdm_queue_check_create(&row->args, &q), row->ret);
	if (!row->ret)
		KUNIT_EXPECT_EQ(test, q.queue_size, row->size);
}

static void failed_update_changes_nothing(struct kunit *test)
{
	const struct kfd_ioctl_update_queue_args args = { .ring_base_address = 0x5000, .ring_size = 3, .queue_priority = 1 };
	struct kfdm_queue_properties q = { .queue_address = 0x1000, .queue_size = 2048, .priority = 7 };

	KUNIT_EXPECT_EQ(test, kfdm_queue_check_update(&args, &q), -EINVAL);
	KUNIT_EXPECT_EQ(test, q.queue_address, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, q.priority, 7u);
}

static void wgp_pairs(struct kunit *test)
{
	const u32 pairs[] = { 0xc, 0x3 }, half[] = { 0xc, 0x2 }, across[] = { 0x6 };

	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(0x090400, half, 64), 0);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(0x0a0101, pairs, 64), 0);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(0x0a0101, half, 64), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_cu_mask_check_pairs(0x0a0101, across, 32), -EINVAL);
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
	KUNIT_CASE(wgp_pairs),
	KUNIT_CASE(cu_mask_sizes),
	{}
};

static struct kunit_suite suite = { .name = "kfd_queue_properties", .test_cases = cases };
kunit_test_suite(suite);
