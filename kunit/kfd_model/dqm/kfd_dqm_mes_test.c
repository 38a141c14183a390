// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_dqm_mes_test.c - what the MES learns of queues, and what happens when it does not answer */
#include <kunit/test.h>
#include <linux/fs.h>

#include "dqm_surroundings.h"

#include "kfd_model/dqm/kfd_dqm_mes.c"

#define POOL_BYTES	(2 * PAGE_SIZE)
#define POOL_START	0x4000000000ULL

static struct {
	struct kgd_mes_queue added;
	u32 adds, removes, removed_doorbell;
	u64 removed_gang;
	int answer;
} seen;

static int fake_add(struct amdm_device *adev, const struct kgd_mes_queue *queue)
{
	seen.added = *queue;
	seen.adds++;
	return seen.answer;
}

static int fake_remove(struct amdm_device *adev, u32 doorbell_off, u64 gang_ctx)
{
	seen.removed_doorbell = doorbell_off;
	seen.removed_gang = gang_ctx;
	seen.removes++;
	return seen.answer;
}

static const struct kfd2kgd_ops fake_kgd = { .mes_add_queue = fake_add, .mes_remove_queue = fake_remove };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process_device pdd;
	struct kfdm_queue q[2];
};

static void describe_queue(struct fixture *f, struct kfdm_queue *q, u32 doorbell, u64 gang)
{
	q->pdd = &f->pdd;
	q->properties.type = KFDM_QUEUE_COMPUTE;
	q->properties.format = KFDM_FORMAT_AQL;
	q->properties.queue_size = 4096;
	q->properties.write_ptr = 0x7f0000001000ULL;
	q->properties.priority = 9;
	q->properties.doorbell_off = doorbell;
	q->properties.is_active = true;
	q->mqd.gpu_addr = 0x4000000200ULL;
	q->mes_ctx.gpu_addr = gang;
	list_add_tail(&q->qpd_link, &f->pdd.qpd.queues);
}

static int mes_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	void *pool = kunit_kzalloc(test, POOL_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_NOT_NULL(test, pool);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&seen, 0, sizeof(seen));
	memset(&dqm_seen, 0, sizeof(dqm_seen));
	f->dqm.dev = &f->dev;
	f->pdd.dev = &f->dev;
	f->pdd.mes_ctx.gpu_addr = 0x40003e0000ULL;
	f->pdd.qpd.map.pasid = 0x8001;
	f->pdd.qpd.map.page_table_base = 0x8090af8001ULL;
	f->pdd.qpd.map.num_gws = 64;
	INIT_LIST_HEAD(&f->pdd.qpd.queues);
	INIT_LIST_HEAD(&f->dqm.qpds);
	list_add(&f->pdd.qpd.link, &f->dqm.qpds);
	describe_queue(f, &f->q[0], 0x1000, 0x40003f0000ULL);
	describe_queue(f, &f->q[1], 0x1002, 0x4000400000ULL);
	return kfdm_gtt_init(&f->dev.gtt, pool, POOL_START, POOL_BYTES);
}

static void mes_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_gtt_fini(&f->dev.gtt);
	kfdm_kgd = f->saved;
}

static void queues_one_by_one(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_qpd *qpd = &f->pdd.qpd;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.load(&f->dqm, qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.adds, 1u);
	KUNIT_EXPECT_EQ(test, seen.added.pasid, 0x8001u);
	KUNIT_EXPECT_EQ(test, seen.added.page_table_base, 0x8090af8001ULL);
	KUNIT_EXPECT_EQ(test, seen.added.process_ctx, 0x40003e0000ULL);
	KUNIT_EXPECT_EQ(test, seen.added.gang_ctx, 0x40003f0000ULL);
	KUNIT_EXPECT_EQ(test, seen.added.doorbell_off, 0x1000u);
	KUNIT_EXPECT_EQ(test, seen.added.ring_dwords, 1024u);
	KUNIT_EXPECT_EQ(test, seen.added.priority, 9u);
	KUNIT_EXPECT_EQ(test, seen.added.process_quantum, 10 * seen.added.gang_quantum);
	KUNIT_EXPECT_TRUE(test, seen.added.is_aql);
	KUNIT_EXPECT_EQ(test, (u32)seen.added.type, (u32)KFD_BRIDGE_MES_COMPUTE);
	KUNIT_EXPECT_EQ(test, seen.added.gws_size, 0u);
	f->q[1].owns_gws = true;
	f->q[1].properties.type = KFDM_QUEUE_SDMA;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.after_update(&f->dqm, &f->q[1]), 0);
	KUNIT_EXPECT_EQ(test, seen.added.gws_size, 64u);
	KUNIT_EXPECT_EQ(test, (u32)seen.added.type, (u32)KFD_BRIDGE_MES_SDMA);

	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.unload(&f->dqm, qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.removed_doorbell, 0x1000u);
	KUNIT_EXPECT_EQ(test, seen.removed_gang, 0x40003f0000ULL);
}

static void inactive_queues_are_unknown(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q[0].properties.is_active = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.before_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.after_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.terminate_queue(&f->dqm, &f->pdd.qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.adds + seen.removes, 0u);
}

static void no_xgmi(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q[0].properties.type = KFDM_QUEUE_SDMA_XGMI;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.load(&f->dqm, &f->pdd.qpd, &f->q[0]), -EINVAL);
	KUNIT_EXPECT_EQ(test, seen.adds, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 0u);
}

static void refusal_is_a_hang(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_qpd *qpd = &f->pdd.qpd;

	f->dqm.sched_running = true;
	seen.answer = -ETIMEDOUT;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.evict_queue(&f->dqm, qpd, &f->q[0]), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	/* From now on it is left alone. */
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.restore_queue(&f->dqm, qpd, &f->q[0]), -EIO);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.unload(&f->dqm, qpd, &f->q[1]), -EIO);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.reset_queues(&f->dqm, 0x8001), -EIO);
	kfdm_dqm_mes.stop(&f->dqm, true);
	KUNIT_EXPECT_EQ(test, seen.adds, 0u);
	KUNIT_EXPECT_EQ(test, seen.removes, 1u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs, 1u);
	KUNIT_EXPECT_FALSE(test, f->dqm.sched_running);
}

static void start_and_stop(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm.is_hws_hang = true;
	f->dqm.is_resetting = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, f->dqm.fence.gpu_addr, POOL_START);
	KUNIT_EXPECT_EQ(test, dqm_seen.interrupts, 1u);
	KUNIT_EXPECT_TRUE(test, f->dqm.sched_running);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.reset_queues(&f->dqm, 0x8001), 0);
	f->q[0].properties.is_active = false;
	kfdm_dqm_mes.stop(&f->dqm, false);
	KUNIT_EXPECT_EQ(test, seen.removes, 1u);
	KUNIT_EXPECT_EQ(test, seen.removed_doorbell, 0x1002u);
	KUNIT_EXPECT_EQ(test, f->dqm.fence.chunks, 0u);
}

static void eviction_flushes(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct file file;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.evicted(&f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.heavy_flushes, 0u);	/* no address space yet */
	f->pdd.drm_file = &file;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.evicted(&f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.heavy_flushes, 1u);
}

/* The MES deals out VMIDs and slots, and needs no run list: at these moments it is told nothing (Linux: *_cpsch() with enable_mes). */
static void moments_without_a_call(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_qpd *qpd = &f->pdd.qpd;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.init(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.reserve(&f->dqm, qpd, &f->q[0]), 0);
	kfdm_dqm_mes.release(&f->dqm, qpd, &f->q[0]);
	kfdm_dqm_mes.restoring(&f->dqm, qpd);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.restored(&f->dqm, qpd), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_mes.terminated(&f->dqm, qpd), 0);
	kfdm_dqm_mes.policy_changed(&f->dqm, qpd);
	KUNIT_EXPECT_EQ(test, seen.adds + seen.removes, 0u);
	KUNIT_EXPECT_EQ(test, qpd->vmid, 0u);
	KUNIT_EXPECT_EQ(test, f->q[0].pipe | f->q[0].queue, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hangs + dqm_seen.heavy_flushes, 0u);
	KUNIT_EXPECT_EQ(test, f->dqm.fence.chunks, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(queues_one_by_one),
	KUNIT_CASE(inactive_queues_are_unknown),
	KUNIT_CASE(no_xgmi),
	KUNIT_CASE(refusal_is_a_hang),
	KUNIT_CASE(start_and_stop),
	KUNIT_CASE(eviction_flushes),
	KUNIT_CASE(moments_without_a_call),
	{}
};

static struct kunit_suite suite = { .name = "kfd_dqm_mes", .init = mes_setup, .exit = mes_teardown, .test_cases = cases };
kunit_test_suite(suite);
