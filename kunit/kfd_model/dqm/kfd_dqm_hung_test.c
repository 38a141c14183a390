// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_dqm_hung_test.c - queues that do not let go: which are reset, which are marked, and when only a reset of the GPU is left */
#include <kunit/test.h>

#define kfdm_dqm_count_active		fake_count_active
#define kfdm_reset_hung_queues		tested_reset_hung_queues
#define kfdm_sdma_is_hung		tested_sdma_is_hung
#define kfdm_reset_hung_sdma		tested_reset_hung_sdma
#include "kfd_model/dqm/kfd_dqm.h"

static int counted;
static u32 told;

static void fake_tell(struct kfdm_device *dev)
{
	told++;
}

void fake_count_active(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_queue_properties *q, int by)
{
	counted += by;
}

#include "kfd_model/dqm/kfd_dqm_hung.c"

#define RING(n)		(0x7f0000000000ULL + (n) * 0x10000ULL)
#define DOORBELL(n)	(0x1000u + 2 * (n))
#define PIPES		4
#define PER_PIPE	8
#define DIES		3
#define ENGINES		2

static struct {
	u64 ring[DIES][PIPES * PER_PIPE];
	bool slots_stay, engines_stay;
	u32 resets, engine_resets;
	u32 doorbell[2 * ENGINES];	/* in queue 1 of each engine of two partitions */
} hw;

static u64 fake_hqd_ring(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue)
{
	return hw.ring[xcc][pipe * PER_PIPE + queue];
}

static u64 fake_hqd_reset(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms)
{
	u64 ring = hw.ring[xcc][pipe * PER_PIPE + queue];

	hw.resets++;
	if (hw.slots_stay)
		return 0;
	hw.ring[xcc][pipe * PER_PIPE + queue] = 0;
	return ring;
}

static u32 fake_doorbell(struct amdm_device *adev, u32 engine, u32 queue)
{
	return queue == 1 ? hw.doorbell[engine] : 0;
}

static int fake_reset_engine(struct amdm_device *adev, u32 engine)
{
	hw.engine_resets++;
	if (hw.engines_stay)
		return -EIO;
	hw.doorbell[engine] = 0;
	return 0;
}

static const struct kfd2kgd_ops fake_kgd = {
	.hqd_ring = fake_hqd_ring,
	.hqd_reset = fake_hqd_reset,
	.hqd_sdma_doorbell = fake_doorbell,
	.sdma_reset_engine = fake_reset_engine,
};

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process_device pdd[2];
	struct kfdm_queue q[4];		/* two a process; the second one of each is SDMA's */
};

static int hung_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&hw, 0, sizeof(hw));
	told = 0;
	counted = 0;
	f->dev.resources.num_pipe_per_mec = PIPES;
	f->dev.resources.num_queue_per_pipe = PER_PIPE;
	bitmap_set(f->dev.resources.cp_queue_bitmap, 0, 24);
	f->dev.info.sdma_engines = ENGINES;
	f->dev.info.sdma_queues_per_engine = 2;
	f->dev.facts.num_xcc = 1;
	f->dqm.dev = &f->dev;
	f->dqm.tell_queues_reset = fake_tell;
	INIT_LIST_HEAD(&f->dqm.qpds);
	for (i = 0; i < ARRAY_SIZE(f->pdd); i++) {
		f->pdd[i].dev = &f->dev;
		INIT_LIST_HEAD(&f->pdd[i].qpd.queues);
		list_add(&f->pdd[i].qpd.link, &f->dqm.qpds);
	}
	for (i = 0; i < ARRAY_SIZE(f->q); i++) {
		f->q[i].pdd = &f->pdd[i / 2];
		f->q[i].properties.type = i % 2 ? KFDM_QUEUE_SDMA : KFDM_QUEUE_COMPUTE;
		f->q[i].properties.queue_address = RING(i);
		f->q[i].properties.doorbell_off = DOORBELL(i);
		f->q[i].properties.is_active = true;
		list_add_tail(&f->q[i].qpd_link, &f->pdd[i / 2].qpd.queues);
	}
	return 0;
}

static void hung_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_kgd = f->saved;
}

static void what_hangs_is_marked(struct kunit *test)
{
	struct fixture *f = test->priv;

	hw.ring[0][5] = RING(2);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, hw.resets, 1u);
	KUNIT_EXPECT_EQ(test, told, 1u);
	KUNIT_EXPECT_EQ(test, counted, -1);
	KUNIT_EXPECT_TRUE(test, f->q[2].properties.is_reset);
	KUNIT_EXPECT_FALSE(test, f->q[2].properties.is_active);
	KUNIT_EXPECT_TRUE(test, f->pdd[1].qpd.has_reset_queue);
	KUNIT_EXPECT_FALSE(test, f->q[0].properties.is_reset);
	KUNIT_EXPECT_FALSE(test, f->pdd[0].qpd.has_reset_queue);
}

/* Slots that are not KFD's are left alone, and a queue that was not active is not counted twice. */
static void others_slots(struct kunit *test)
{
	struct fixture *f = test->priv;

	hw.ring[0][24] = RING(0);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), -ENOTRECOVERABLE);	/* nothing is found */
	KUNIT_EXPECT_EQ(test, hw.resets, 0u);
	hw.ring[0][0] = RING(0);
	f->q[0].properties.is_active = false;
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, counted, 0);
}

static void not_recoverable(struct kunit *test)
{
	struct fixture *f = test->priv;

	hw.ring[0][3] = RING(9);	/* of no queue that the driver knows */
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), -ENOTRECOVERABLE);
	KUNIT_EXPECT_EQ(test, hw.resets, 0u);
	hw.ring[0][3] = RING(0);
	hw.slots_stay = true;
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), -ENOTRECOVERABLE);
	KUNIT_EXPECT_FALSE(test, f->q[0].properties.is_reset);
	f->dqm.is_hws_hang = true;
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), -EIO);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), -EIO);
	KUNIT_EXPECT_EQ(test, told, 0u);
}

/* A queue that is being destroyed is off its process's list, and found all the same. */
static void while_it_is_destroyed(struct kunit *test)
{
	struct fixture *f = test->priv;

	list_del_init(&f->q[0].qpd_link);
	hw.ring[0][0] = RING(0);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), -ENOTRECOVERABLE);
	f->dqm.leaving = &f->q[0];
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), 0);
	KUNIT_EXPECT_TRUE(test, f->pdd[0].qpd.has_reset_queue);
}

/* A queue is on all dies of its partition; others' dies are not looked at. */
static void on_each_die(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dev.facts.first_xcc = 1;
	f->dev.facts.num_xcc = 2;
	hw.ring[0][0] = hw.ring[1][0] = hw.ring[2][0] = RING(0);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_queues(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, hw.resets, 2u);
	KUNIT_EXPECT_EQ(test, hw.ring[0][0], RING(0));
	KUNIT_EXPECT_EQ(test, hw.ring[2][0], 0ULL);
	KUNIT_EXPECT_TRUE(test, f->q[0].properties.is_reset);
	KUNIT_EXPECT_EQ(test, told, 1u);
}

static void engines(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_FALSE(test, kfdm_sdma_is_hung(&f->dqm));
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), -ENOTRECOVERABLE);
	hw.doorbell[1] = DOORBELL(3);
	KUNIT_EXPECT_TRUE(test, kfdm_sdma_is_hung(&f->dqm));
	hw.engines_stay = true;
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), -ENOTRECOVERABLE);
	KUNIT_EXPECT_EQ(test, told, 0u);
	hw.engines_stay = false;
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, hw.engine_resets, 2u);
	KUNIT_EXPECT_EQ(test, told, 1u);
	KUNIT_EXPECT_TRUE(test, f->q[3].properties.is_reset);
	hw.doorbell[0] = DOORBELL(2);	/* of a compute queue */
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), -ENOTRECOVERABLE);
}

static void engines_of_a_partition(struct kunit *test)
{
	struct fixture *f = test->priv;

	hw.doorbell[ENGINES + 1] = DOORBELL(3);
	KUNIT_EXPECT_FALSE(test, kfdm_sdma_is_hung(&f->dqm));
	f->dev.facts.partition = 1;
	KUNIT_EXPECT_TRUE(test, kfdm_sdma_is_hung(&f->dqm));
	hw.doorbell[0] = DOORBELL(2);
	KUNIT_EXPECT_EQ(test, kfdm_reset_hung_sdma(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, hw.engine_resets, 1u);
	KUNIT_EXPECT_EQ(test, hw.doorbell[0], DOORBELL(2));
}

static struct kunit_case hung_cases[] = {
	KUNIT_CASE(what_hangs_is_marked),
	KUNIT_CASE(others_slots),
	KUNIT_CASE(not_recoverable),
	KUNIT_CASE(while_it_is_destroyed),
	KUNIT_CASE(on_each_die),
	KUNIT_CASE(engines),
	KUNIT_CASE(engines_of_a_partition),
	{}
};

static struct kunit_suite hung_suite = {
	.name = "kfd_dqm_hung",
	.init = hung_setup,
	.exit = hung_teardown,
	.test_cases = hung_cases,
};
kunit_test_suite(hung_suite);
