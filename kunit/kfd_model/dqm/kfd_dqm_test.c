// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * kfd_dqm_test.c - the scheduler's front end: which queues exist, which may run, what is counted, and what is undone when a step
 * fails. What happens to a process with all its queues is in kfd_dqm_process_test.c.
 */
#include <kunit/test.h>

#define TESTED(function) tested_dqm_##function
#include "scheduler_surroundings.h"
#include "kfd_model/dqm/kfd_dqm_common.c"
#include "kfd_model/dqm/kfd_dqm_checkpoint.c"
#include "kfd_model/dqm/kfd_dqm.c"
#include "kfd_model/dqm/kfd_dqm_process.c"
#include "scheduler_bed.h"

static void which_policy(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_PTR_EQ(test, f->dqm->ops, &fake_cpsch);
	KUNIT_EXPECT_PTR_EQ(test, ops_of_policy(&f->dev, KFDM_SCHED_POLICY_NO_HWS), &fake_nocpsch);
	KUNIT_EXPECT_PTR_EQ(test, ops_of_policy(&f->dev, KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION), &fake_cpsch);
	f->dev.facts.enable_mes = true;
	KUNIT_EXPECT_PTR_EQ(test, ops_of_policy(&f->dev, KFDM_SCHED_POLICY_HWS), &fake_mes);
	f->dev.chip = &kaveri;		/* device_queue_manager_init: Hawaii, Kaveri... whatever the parameter says */
	KUNIT_EXPECT_EQ(test, (u32)policy_of(&f->dev), (u32)KFDM_SCHED_POLICY_NO_HWS);
	f->dev.chip = &chip;
	amdm_kfd_param.sched_policy = 77;
	KUNIT_EXPECT_NULL(test, kfdm_dqm_create(&f->dev));
}

static void cannot_be_made(struct kunit *test)
{
	struct fixture *f = test->priv;

	seen.failing = "array";
	KUNIT_EXPECT_NULL(test, kfdm_dqm_create(&f->dev));
	EXPECT_LOG(test, "array! ");
	seen.failing = "init";
	KUNIT_EXPECT_NULL(test, kfdm_dqm_create(&f->dev));
	EXPECT_LOG(test, "array init! -array ");
}

static void a_queue(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->pdd.qpd.map.tba_addr = 0x1234;
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	EXPECT_LOG(test, "reserve doorbell mqd load ");
	KUNIT_EXPECT_EQ(test, f->q[0].properties.tba_addr, 0x1234ULL);
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_cp_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.queue_count, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), 0);
	EXPECT_LOG(test, "unload -doorbell -mqd ");
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count + f->dqm->active_queue_count + f->dqm->active_cp_queue_count, 0u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.queue_count, 0u);
}

/* A queue that is switched off, or of a process that is evicted, exists but never reaches the hardware. */
static void an_inactive_queue(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q[0].properties.queue_percent = 0;
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	f->pdd.qpd.evicted = 1;
	KUNIT_EXPECT_EQ(test, create(f, 1), 0);
	EXPECT_LOG(test, "reserve doorbell mqd reserve doorbell mqd ");
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count, 2u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 0u);
	KUNIT_EXPECT_TRUE(test, f->q[1].properties.is_evicted);
}

struct failure_row {
	const char *failing;
	const char *log;
};

static const struct failure_row failure_rows[] = {
	{ "reserve",  "reserve! " },
	{ "doorbell", "reserve doorbell! release " },
	{ "mqd",      "reserve doorbell mqd! -doorbell release " },
	{ "load",     "reserve doorbell mqd load! -mqd -doorbell release " },
};

static void failure_name(const struct failure_row *row, char *text)
{
	strscpy(text, row->failing, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(failure, failure_rows, failure_name);

static void a_queue_cannot_be_made(struct kunit *test)
{
	const struct failure_row *row = test->param_value;
	struct fixture *f = test->priv;

	describe_queue(f, &f->q[0], KFDM_QUEUE_SDMA);
	seen.failing = row->failing;
	KUNIT_EXPECT_EQ(test, create(f, 0), -ETIME);
	EXPECT_LOG(test, row->log);
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count + f->dqm->active_queue_count, 0u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.queue_count, 0u);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->pdd.qpd.queues));
	KUNIT_EXPECT_EQ(test, f->dqm->sdma_bitmap[0], 3ul);	/* its SDMA queue is free again */
}

static void limits(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < 3; i++)
		describe_queue(f, &f->q[i], KFDM_QUEUE_SDMA);
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	KUNIT_EXPECT_EQ(test, create(f, 1), 0);
	KUNIT_EXPECT_EQ(test, f->q[1].properties.sdma_vm_addr, 0x42u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_cp_queue_count, 0u);
	seen.log[0] = 0;
	KUNIT_EXPECT_EQ(test, create(f, 2), -ENOMEM);	/* "No more SDMA queue to allocate" */
	EXPECT_LOG(test, "reserve release ");
	amdm_kfd_param.max_num_of_queues_per_device = 2;
	KUNIT_EXPECT_EQ(test, create(f, 3), -EPERM);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, f->pdd.sdma_past_activity, 77ULL);
	KUNIT_EXPECT_EQ(test, create(f, 2), 0);
}

static void a_debugged_process_keeps_its_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	seen.log[0] = 0;
	f->pdd.qpd.map.is_debug = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), -EBUSY);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count, 1u);
}

/* destroy_queue_cpsch with the MES: the counts of active queues are not updated (Linux 6.1) */
static void the_mes_forgets_to_count(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm->ops = &fake_mes;
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	seen.failing = "unload";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), -ETIME);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count, 0u);
}

static void updates(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_queue_properties off = f->q[0].properties;

	off.queue_percent = 0;
	off.priority = 9;
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	seen.log[0] = 0;
	seen.failing = "before";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_queue(f->dqm, &f->q[0], &off, NULL), -ETIME);
	EXPECT_LOG(test, "before! ");
	KUNIT_EXPECT_EQ(test, f->q[0].properties.queue_percent, 0u);	/* as Linux: what is asked for is remembered */
	KUNIT_EXPECT_EQ(test, seen.mqd_updates, 0u);
	seen.failing = NULL;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_queue(f->dqm, &f->q[0], &off, NULL), 0);
	EXPECT_LOG(test, "before after ");
	KUNIT_EXPECT_EQ(test, f->q[0].properties.priority, 9u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 0u);
	off.queue_percent = 50;
	f->q[0].owns_gws = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_queue(f->dqm, &f->q[0], &off, NULL), 0);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_gws(f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.update_flags, (u32)KFDM_UPDATE_GWS);
	KUNIT_EXPECT_EQ(test, f->dqm->gws_queue_count, 1u);
	KUNIT_EXPECT_TRUE(test, f->pdd.qpd.map.mapped_gws_queue);
	f->q[0].owns_gws = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_gws(f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.update_flags, 0u);
	KUNIT_EXPECT_EQ(test, f->dqm->gws_queue_count, 0u);
}

static u32 counted_at_unload;

static int counting_unload(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	counted_at_unload = qpd->map.queue_count;
	return 0;
}

/* The run list that leaves a queue out still counts it in Linux 7.2. */
static void counted_to_the_end(struct kunit *test)
{
	struct kfdm_dqm_ops counting = fake_cpsch;
	struct fixture *f = test->priv;

	counting.unload = counting_unload;
	f->dqm->ops = &counting;
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, counted_at_unload, 0u);
	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_destroy_queue(f->dqm, &f->pdd.qpd, &f->q[0]), 0);
	kfdm_abi = &kfdm_abi_6_1;
	f->dqm->ops = &fake_cpsch;
	KUNIT_EXPECT_EQ(test, counted_at_unload, 1u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.queue_count, 0u);
}

/* What is on the hardware cannot be saved, nor what has gone with its device. */
static void queues_of_a_checkpoint(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_checkpoint to;

	KUNIT_EXPECT_EQ(test, create(f, 0), 0);
	kfdm_dqm_checkpoint_sizes(f->dqm, &f->q[0], &to);
	KUNIT_EXPECT_EQ(test, to.ctl_stack_bytes, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_checkpoint(f->dqm, &f->q[0], &to), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_checkpoint(f->dqm, &f->q[0], &to), -EINVAL);	/* nothing saves its waves */
	f->dev.cwsr_enabled = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_checkpoint(f->dqm, &f->q[0], &to), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_checkpoint(f->dqm, &f->q[1], &to), -ENODEV);
	f->dev.cwsr_enabled = false;
}

/* A driver that has no way back for a kind of queue says so when it has its place, and gives that back. */
static void no_way_back(struct kunit *test)
{
	const struct kfdm_queue_saved saved = {};
	struct fixture *f = test->priv;

	f->q[0].saved = &saved;
	KUNIT_EXPECT_EQ(test, create(f, 0), -EOPNOTSUPP);
	EXPECT_LOG(test, "reserve doorbell -doorbell release ");
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(queues_of_a_checkpoint),
	KUNIT_CASE(no_way_back),
	KUNIT_CASE(which_policy),
	KUNIT_CASE(cannot_be_made),
	KUNIT_CASE(a_queue),
	KUNIT_CASE(an_inactive_queue),
	KUNIT_CASE_PARAM(a_queue_cannot_be_made, failure_gen_params),
	KUNIT_CASE(limits),
	KUNIT_CASE(a_debugged_process_keeps_its_queues),
	KUNIT_CASE(the_mes_forgets_to_count),
	KUNIT_CASE(updates),
	KUNIT_CASE(counted_to_the_end),
	{}
};

static struct kunit_suite suite = { .name = "kfd_dqm", .init = dqm_setup, .exit = dqm_teardown, .test_cases = cases };
kunit_test_suite(suite);
