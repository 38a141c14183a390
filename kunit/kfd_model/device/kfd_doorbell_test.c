// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_doorbell_test.c - doorbells of a process: slices, reserved ids, SDMA places */
#include <kunit/test.h>

#include "kfd_model/device/kfd_doorbell.c"

static int resets;

static void fake_reset(struct amdm_device *adev, u32 offset, u32 size)
{
	resets++;
}

static const struct kfd2kgd_ops fake_kgd = { .doorbell_reset = fake_reset };

static const struct kfdm_chip chip = { .doorbell_size = 8 };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_process_device pdd;
	struct kfdm_queue q;
};

static int doorbell_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	resets = 0;
	f->dev.chip = &chip;
	/* A kernel slice and two for processes */
	f->dev.resources.doorbell_aperture_bytes = 4 * 8192;
	f->dev.resources.doorbell_start_offset = 7292;
	f->dev.resources.sdma_doorbell_idx[1] = 266;
	f->pdd.dev = &f->dev;
	kfdm_doorbell_ids_reserve(f->pdd.qpd.doorbell_ids, 256, 399);
	return kfdm_doorbells_init(&f->dev);
}

static void doorbell_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_doorbells_fini(&f->dev);
	kfdm_kgd = f->saved;
}

static void slices(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_process_device *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct kfdm_process_device *third = kunit_kzalloc(test, sizeof(*third), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_NOT_NULL(test, third);
	other->dev = &f->dev;
	third->dev = &f->dev;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(&f->pdd), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(&f->pdd), 0);
	KUNIT_EXPECT_EQ(test, f->pdd.doorbell_index, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(other), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(third), -ENOMEM);
	KUNIT_EXPECT_EQ(test, resets, 2);
	kfdm_doorbell_slice_put(&f->pdd);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(third), 0);
	KUNIT_EXPECT_EQ(test, third->doorbell_index, 1u);
	kfdm_doorbell_slice_put(third);
	kfdm_doorbell_slice_put(other);
}

static void cp_ids_avoid_reserved(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 n = 0;

	f->pdd.doorbell_index = 1;
	while (!kfdm_doorbell_id_get(&f->pdd, &f->q)) {
		KUNIT_EXPECT_FALSE(test, f->q.doorbell_id % 512 >= 256 && f->q.doorbell_id % 512 <= 399);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, 1024u - 2 * 144);
	f->q.doorbell_id = 7;
	kfdm_doorbell_id_put(&f->pdd, &f->q);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.doorbell_id, 7u);
	KUNIT_EXPECT_EQ(test, f->q.properties.doorbell_off, 2048u + 2048 + 14);
	f->pdd.doorbell_index = 0;
}

static void queue_ids_before_vega(struct kunit *test)
{
	static const struct kfdm_chip old = { .doorbell_size = 4, .doorbell_is_queue_id = true };
	struct fixture *f = test->priv;

	f->dev.chip = &old;
	f->q.properties.queue_id = 9;
	f->q.properties.type = KFDM_QUEUE_SDMA;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.doorbell_id, 9u);
	f->q.properties.type = KFDM_QUEUE_COMPUTE;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.doorbell_id, 9u);
	f->dev.chip = &chip;
}

static void sdma_ids_are_fixed(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q.properties.type = KFDM_QUEUE_SDMA;
	f->q.properties.sdma_engine_id = 1;
	f->q.properties.sdma_queue_id = 3;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.doorbell_id, 266u + 512 + 1);
}

/* A queue of a checkpoint has the doorbell that its process rings, or none. */
static void restored_ids(struct kunit *test)
{
	struct kfdm_queue_saved saved = { .doorbell_id = 20 };
	struct fixture *f = test->priv;

	f->q.saved = &saved;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.doorbell_id, 20u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), -EINVAL);
	kfdm_doorbell_id_put(&f->pdd, &f->q);
	saved.doorbell_id = 260;	/* not a CP's */
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), -EINVAL);
	saved.doorbell_id = KFDM_DOORBELL_IDS;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), -EINVAL);
	f->q.properties.type = KFDM_QUEUE_SDMA;
	f->q.properties.sdma_engine_id = 1;
	f->q.properties.sdma_queue_id = 3;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), -EINVAL);
	saved.doorbell_id = 266 + 512 + 1;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
}

static void kernel_doorbells(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 a, b;

	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(&f->dev, &a), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(&f->dev, &b), 0);
	KUNIT_EXPECT_EQ(test, a, 2048u);
	KUNIT_EXPECT_EQ(test, b, 2050u);
	kfdm_doorbell_kernel_put(&f->dev, a);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(&f->dev, &b), 0);
	KUNIT_EXPECT_EQ(test, b, 2048u);
}

/* Partitions of a GPU have its BAR: no doorbell is given twice. */
static void partitions_share_the_bar(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_device *second = kunit_kzalloc(test, sizeof(*second), GFP_KERNEL);
	struct kfdm_process_device *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct kfdm_device *elsewhere = kunit_kzalloc(test, sizeof(*elsewhere), GFP_KERNEL);
	u32 a = 0, b = 0;

	KUNIT_ASSERT_NOT_NULL(test, second);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_NOT_NULL(test, elsewhere);
	*second = (struct kfdm_device){ .chip = &chip, .resources = f->dev.resources };
	*elsewhere = (struct kfdm_device){ .chip = &chip, .resources = f->dev.resources, .adev = (struct amdm_device *)1 };
	other->dev = second;
	KUNIT_ASSERT_EQ(test, kfdm_doorbells_init(second), 0);
	KUNIT_ASSERT_EQ(test, kfdm_doorbells_init(elsewhere), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(&f->pdd), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(other), 0);
	KUNIT_EXPECT_NE(test, f->pdd.doorbell_index, other->doorbell_index);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(&f->dev, &a), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(second, &b), 0);
	KUNIT_EXPECT_NE(test, a, b);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_kernel_get(elsewhere, &b), 0);	/* another GPU */
	KUNIT_EXPECT_EQ(test, a, b);
	kfdm_doorbells_fini(elsewhere);
	kfdm_doorbell_slice_put(other);
	kfdm_doorbells_fini(second);
	other->dev = &f->dev;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(other), 0);	/* the first one's slice is still taken */
	KUNIT_EXPECT_NE(test, f->pdd.doorbell_index, other->doorbell_index);
}

static void slices_of_the_mes(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_process_device *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	other->dev = &f->dev;
	kfdm_doorbells_fini(&f->dev);
	f->dev.facts.enable_mes = true;
	f->dev.resources.doorbell_aperture_bytes = 0;
	f->dev.resources.mes_doorbell_slices = 3;
	KUNIT_ASSERT_EQ(test, kfdm_doorbells_init(&f->dev), 0);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(&f->pdd), 0);
	KUNIT_EXPECT_EQ(test, f->pdd.doorbell_index, 2u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_slice_get(other), -ENOMEM);
	f->q.properties.type = KFDM_QUEUE_COMPUTE;
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_id_get(&f->pdd, &f->q), 0);
	KUNIT_EXPECT_EQ(test, f->q.properties.doorbell_off, 0x1000u);	/* no offset before the slices */
	kfdm_doorbell_id_put(&f->pdd, &f->q);
	kfdm_doorbell_slice_put(&f->pdd);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(slices),
	KUNIT_CASE(partitions_share_the_bar),
	KUNIT_CASE(slices_of_the_mes),
	KUNIT_CASE(cp_ids_avoid_reserved),
	KUNIT_CASE(queue_ids_before_vega),
	KUNIT_CASE(sdma_ids_are_fixed),
	KUNIT_CASE(restored_ids),
	KUNIT_CASE(kernel_doorbells),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_doorbell", .init = doorbell_setup, .exit = doorbell_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
