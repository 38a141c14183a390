// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_slots_test.c - SDMA queues and doorbells: the lowest free one, or the one that was asked for */
#include <kunit/test.h>

#include "kfd_model/base/kfd_slots.c"

static const struct kfdm_sdma_layout arcturus = { .engines = 2, .xgmi_engines = 6, .queues_per_engine = 8 };

struct ids_row {
	u32 engines, queues, reserved;
	unsigned long low, high;
};

static const struct ids_row ids_rows[] = {
	{ 2,  8, 0, 0xffff, 0 },
	{ 2,  8, 4, 0xfff0, 0 },
	{ 8,  8, 0, ~0ul,   0 },
	{ 14, 8, 0, ~0ul,   ~0ul >> 16 },	/* XGMI engines of an MI300X */
	{ 14, 8, 68, 0,     ~0ul >> 16 & ~0xful },
	{ 32, 8, 0, ~0ul,   ~0ul },
	{ 0,  8, 0, 0,      0 },
};

static void sdma_ids(struct kunit *test)
{
	unsigned long ids[2];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ids_rows); i++) {
		kfdm_sdma_ids(ids, ids_rows[i].engines, ids_rows[i].queues, ids_rows[i].reserved);
		KUNIT_EXPECT_EQ(test, ids[0], ids_rows[i].low);
		KUNIT_EXPECT_EQ(test, ids[1], ids_rows[i].high);
	}
}

static void sdma_places(struct kunit *test)
{
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA }, xgmi = { .type = KFDM_QUEUE_SDMA_XGMI };
	unsigned long free[2] = { 0x8 }, xgmi_free[2] = { 0x80 };

	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &arcturus, NULL, &q), 0);
	KUNIT_EXPECT_EQ(test, q.sdma_id, 3u);
	KUNIT_EXPECT_EQ(test, q.sdma_engine_id, 1u);
	KUNIT_EXPECT_EQ(test, q.sdma_queue_id, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &arcturus, NULL, &q), -ENOMEM);
	kfdm_sdma_id_give(free, &arcturus, &q);
	KUNIT_EXPECT_EQ(test, free[0], 0x8ul);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(xgmi_free, &arcturus, NULL, &xgmi), 0);
	KUNIT_EXPECT_EQ(test, xgmi.sdma_engine_id, 3u);
	KUNIT_EXPECT_EQ(test, xgmi.sdma_queue_id, 1u);
}

/* The last queue of the last of fourteen XGMI engines */
static void more_than_64_sdma_ids(struct kunit *test)
{
	const struct kfdm_sdma_layout layout = { .engines = 2, .xgmi_engines = 14, .queues_per_engine = 8 };
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA_XGMI };
	unsigned long free[2] = { 0, 1ul << 47 };

	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &layout, NULL, &q), 0);
	KUNIT_EXPECT_EQ(test, q.sdma_id, 111u);
	KUNIT_EXPECT_EQ(test, q.sdma_engine_id, 15u);
	KUNIT_EXPECT_EQ(test, q.sdma_queue_id, 7u);
	KUNIT_EXPECT_EQ(test, free[1], 0ul);
	kfdm_sdma_id_give(free, &layout, &q);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take_of_engine(free, &layout, &q), 0);
	KUNIT_EXPECT_EQ(test, q.sdma_id, 111u);
}

static void restored_sdma_ids(struct kunit *test)
{
	const u32 taken = 2, good = 3, absent = 16, huge = KFDM_SDMA_IDS;
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA };
	const struct kfdm_sdma_layout many = { .engines = 32, .queues_per_engine = 8 };
	unsigned long free[2] = { 0x9 };

	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &arcturus, &taken, &q), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &arcturus, &absent, &q), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &many, &huge, &q), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take(free, &arcturus, &good, &q), 0);
	KUNIT_EXPECT_EQ(test, free[0], 1ul);
}

/* 7.2: a queue may name its engine, whose kind it gets */
static void sdma_of_an_engine(struct kunit *test)
{
	const struct kfdm_sdma_layout layout = { 2, 6, 8 };
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA_BY_ENGINE, .sdma_engine_id = 3 };
	unsigned long free[2];

	kfdm_sdma_ids(free, 6, 8, kfdm_sdma_reserved(6, 1));
	kfdm_sdma_choose_kind(&layout, &q);
	KUNIT_EXPECT_EQ(test, (int)q.type, (int)KFDM_QUEUE_SDMA_XGMI);
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take_of_engine(free, &layout, &q), 0);
	KUNIT_EXPECT_EQ(test, q.sdma_id, 7u);		/* id 1 is reserved */
	KUNIT_EXPECT_EQ(test, q.sdma_queue_id, 1u);
	free[0] &= 1ul << 8;				/* another engine's */
	KUNIT_EXPECT_EQ(test, kfdm_sdma_id_take_of_engine(free, &layout, &q), -ENOMEM);
	q = (struct kfdm_queue_properties){ .type = KFDM_QUEUE_SDMA_BY_ENGINE, .sdma_engine_id = 1 };
	kfdm_sdma_choose_kind(&layout, &q);
	KUNIT_EXPECT_EQ(test, (int)q.type, (int)KFDM_QUEUE_SDMA);
}

static void doorbell_ids(struct kunit *test)
{
	const u32 taken = 0, good = 5, reserved = 300, mirrored = 812, absent = 1024;
	unsigned long *ids = kunit_kzalloc(test, KFDM_DOORBELL_IDS / 8, GFP_KERNEL);
	u32 id = ~0u;

	KUNIT_ASSERT_NOT_NULL(test, ids);
	kfdm_doorbell_ids_reserve(ids, 256, 399);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, NULL, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, &taken, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, &reserved, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, &mirrored, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, &absent, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, &good, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 5u);
	memset(ids, 0xff, KFDM_DOORBELL_IDS / 8);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, NULL, &id), -EBUSY);
	kfdm_doorbell_ids_reserve(ids, 0, ~0u);		/* more than there are */
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_take(ids, NULL, &id), -EBUSY);
}

static void fixed_doorbells(struct kunit *test)
{
	const u32 idx[] = { 256, 266 }, wrong = 1;
	const struct kfdm_queue_properties q = { .type = KFDM_QUEUE_SDMA, .sdma_engine_id = 1, .sdma_queue_id = 3 };
	u32 id = 0;

	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_of_sdma(idx, 0, &q, NULL, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 779u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_of_sdma(idx, 4, &q, NULL, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 781u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_of_sdma(idx, 0, &q, &wrong, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_of_queue(7, NULL, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 7u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_of_queue(7, &wrong, &id), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sdma_ids),
	KUNIT_CASE(sdma_places),
	KUNIT_CASE(more_than_64_sdma_ids),
	KUNIT_CASE(restored_sdma_ids),
	KUNIT_CASE(sdma_of_an_engine),
	KUNIT_CASE(doorbell_ids),
	KUNIT_CASE(fixed_doorbells),
	{}
};

static struct kunit_suite suite = { .name = "kfd_slots", .test_cases = cases };
kunit_test_suite(suite);
