// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_queue_buffers_test.c - what a queue's buffers must be like, and who is asked for them */
#include <kunit/test.h>

#include "kfd_model/queue/kfd_queue_buffers.c"

struct asked {
	u32 count;
	int fail_at;
	u64 bytes[KFDM_QUEUE_BUFFERS];
};

static int hold_one(void *context, enum kfdm_queue_buffer which, u64 address, u64 bytes)
{
	struct asked *asked = context;

	asked->bytes[which] = bytes;
	asked->count++;
	return asked->fail_at == which ? -EINVAL : 0;
}

/* Vega 20 with 60 CUs */
static const struct kfdm_node_shape node = { 90006, 240, 4, 4, 1, 64, 1 };

static void queue_of(const struct kfdm_save_sizes *sizes, struct kfdm_queue_properties *q)
{
	*q = (struct kfdm_queue_properties){
		.type = KFDM_QUEUE_COMPUTE, .format = KFDM_FORMAT_AQL, .queue_size = 65536, .metadata_size = 4096,
		.eop_address = 0x5000, .eop_size = sizes->eop, .ctx_save_address = 0x100000, .ctx_save_size = sizes->cwsr,
		.ctl_stack_size = sizes->ctl_stack,
	};
}

static void all_buffers(struct kunit *test)
{
	struct asked asked = { .fail_at = -1 };
	const struct kfdm_buffer_lookup lookup = { .hold = hold_one, .context = &asked };
	struct kfdm_queue_properties q;
	struct kfdm_save_sizes sizes;

	kfdm_save_sizes(&node, &sizes);
	queue_of(&sizes, &q);
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), 0);
	KUNIT_EXPECT_EQ(test, asked.count, (u32)KFDM_QUEUE_BUFFERS);
	KUNIT_EXPECT_EQ(test, asked.bytes[KFDM_BUFFER_WPTR], (u64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, asked.bytes[KFDM_BUFFER_RING], 65536ULL + 4096);
	KUNIT_EXPECT_EQ(test, asked.bytes[KFDM_BUFFER_CWSR], round_up((u64)sizes.cwsr + sizes.debug_memory, (u64)PAGE_SIZE));

	q.type = KFDM_QUEUE_SDMA;	/* has no waves to save */
	asked.count = 0;
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), 0);
	KUNIT_EXPECT_EQ(test, asked.count, 3u);
}

static void what_is_missing(struct kunit *test)
{
	struct asked asked = {};
	const struct kfdm_buffer_lookup lookup = { .hold = hold_one, .context = &asked };
	struct kfdm_queue_properties q;
	struct kfdm_save_sizes sizes;

	kfdm_save_sizes(&node, &sizes);
	queue_of(&sizes, &q);
	for (asked.fail_at = 0; asked.fail_at < KFDM_QUEUE_BUFFERS; asked.fail_at++)
		KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), -EINVAL);
	asked.fail_at = -1;
	q.ctl_stack_size++;
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), -EINVAL);
	q.ctl_stack_size--;
	q.ctx_save_size--;
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), -EINVAL);
}

static int hold_shared(void *context, u64 address, u64 bytes)
{
	u64 *asked_for = context;

	*asked_for = bytes;
	return 0;
}

static int hold_all_but_cwsr(void *context, enum kfdm_queue_buffer which, u64 address, u64 bytes)
{
	return which == KFDM_BUFFER_CWSR ? -EINVAL : 0;
}

static int hold_without_memory(void *context, enum kfdm_queue_buffer which, u64 address, u64 bytes)
{
	return which == KFDM_BUFFER_CWSR ? -ENOMEM : 0;
}

/* Where waves are saved may be shared memory instead of a buffer; to be out of memory does not make it so. */
static void waves_saved_to_shared_memory(struct kunit *test)
{
	u64 asked_for = 0;
	struct kfdm_buffer_lookup lookup = { .hold = hold_all_but_cwsr, .hold_svm = hold_shared, .context = &asked_for };
	struct kfdm_queue_properties q;
	struct kfdm_save_sizes sizes;

	kfdm_save_sizes(&node, &sizes);
	queue_of(&sizes, &q);
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), 0);
	KUNIT_EXPECT_EQ(test, asked_for, round_up((u64)sizes.cwsr + sizes.debug_memory, (u64)PAGE_SIZE));
	asked_for = 0;
	lookup.hold = hold_without_memory;
	KUNIT_EXPECT_EQ(test, kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup), -ENOMEM);
	KUNIT_EXPECT_EQ(test, asked_for, 0ull);
}

static void a_ring_mapped_twice(struct kunit *test)
{
	const struct kfdm_queue_properties q = { .type = KFDM_QUEUE_COMPUTE, .format = KFDM_FORMAT_AQL, .queue_size = 65536 };

	KUNIT_EXPECT_EQ(test, kfdm_queue_ring_bytes(&q, 80003), 32768ULL);
	KUNIT_EXPECT_EQ(test, kfdm_queue_ring_bytes(&q, 90000), 65536ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_buffers),
	KUNIT_CASE(what_is_missing),
	KUNIT_CASE(waves_saved_to_shared_memory),
	KUNIT_CASE(a_ring_mapped_twice),
	{}
};

static struct kunit_suite suite = { .name = "kfd_queue_buffers", .test_cases = cases };
kunit_test_suite(suite);
