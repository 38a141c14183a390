// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_dqm_debug_test.c - what a debugger asks of the scheduler: registers, the VMID for debugging, queues that are suspended and resumed */
#include <kunit/test.h>

#include "kunit/user_memory.h"

#define TESTED(function) tested_dqm_debug_##function
#include "scheduler_surroundings.h"
#include "kfd_model/dqm/kfd_hiq_packets.h"

static int fake_set_resources(struct kfdm_dqm *dqm)
{
	return step(dqm->debug_vmid ? "resources-1" : "resources");
}

#define kfdm_hiq_set_resources	fake_set_resources
#include "kfd_model/dqm/kfd_dqm_common.c"
#include "kfd_model/dqm/kfd_dqm_checkpoint.c"
#include "kfd_model/dqm/kfd_dqm.c"
#include "kfd_model/dqm/kfd_dqm_process.c"
#include "kfd_model/dqm/kfd_dqm_debug.c"
#include "scheduler_bed.h"

#define INVALID	KFD_DBG_QUEUE_INVALID_MASK
#define ERROR	KFD_DBG_QUEUE_ERROR_MASK

/* Queues 0, 1, 2, of which the last is switched off. */
static void three_queues(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	f->q[2].properties.queue_percent = 0;
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, create(f, i), 0);
		f->q[i].properties.queue_id = i;
	}
	seen.log[0] = 0;
}

/* debug_refresh_runlist(): only a scheduler that runs has something to take off. */
static void registers(struct kunit *test)
{
	const struct kfdm_debug_state state = { .trap_enabled = true, .vmid = 9, .spi_gdbg_per_vmid_cntl = 8 };
	struct fixture *f = test->priv;

	f->pdd.qpd.map.debug.vmid = 3;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_set_debug(f->dqm, &f->pdd.qpd, &state, true), 0);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_TRUE(test, f->pdd.qpd.map.debug.trap_enabled && f->pdd.qpd.map.debug.vmid == 3);
	f->dqm->sched_running = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_set_debug(f->dqm, &f->pdd.qpd, &state, false), 0);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, kfdm_dqm_set_debug(f->dqm, &f->pdd.qpd, &state, true), 0);
	EXPECT_LOG(test, "halt unhalt ");
	seen.failing = "halt";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_set_debug(f->dqm, &f->pdd.qpd, &state, true), -ETIME);
	EXPECT_LOG(test, "halt! ");
	f->dqm->sched_running = false;
}

/* reserve_debug_trap_vmid(), release_debug_trap_vmid() */
static void one_vmid(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_qpd other = {};

	f->dev.last_vmid = 15;
	f->dqm->sched_running = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_take_debug_vmid(f->dqm, &f->pdd.qpd), 0);
	EXPECT_LOG(test, "halt resources-1 unhalt ");
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.debug.vmid, 15u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_take_debug_vmid(f->dqm, &other), -EBUSY);
	kfdm_dqm_give_debug_vmid(f->dqm, &other);
	EXPECT_LOG(test, "");
	kfdm_dqm_give_debug_vmid(f->dqm, &f->pdd.qpd);
	EXPECT_LOG(test, "halt resources unhalt ");
	KUNIT_EXPECT_EQ(test, f->dqm->debug_vmid + f->pdd.qpd.map.debug.vmid, 0u);
	seen.failing = "resources-1";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_take_debug_vmid(f->dqm, &f->pdd.qpd), -ETIME);
	KUNIT_EXPECT_EQ(test, f->dqm->debug_vmid + f->pdd.qpd.map.debug.vmid, 0u);
	f->dqm->ops = &fake_nocpsch;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_take_debug_vmid(f->dqm, &f->pdd.qpd), -EINVAL);
	f->dqm->ops = &fake_cpsch;
	f->dqm->sched_running = false;
}

/* suspend_queues(), resume_queues() */
static void queues_stand_still(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 ids[] = { 1 | INVALID, 7 | INVALID, 1 | INVALID, 2 | INVALID };

	three_queues(test);
	f->q[2].exceptions = KFD_EC_MASK(EC_QUEUE_NEW);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_suspend(f->dqm, &f->pdd.qpd, ids, 4), 1u);
	EXPECT_LOG(test, "evict_queue evicted ");
	KUNIT_EXPECT_TRUE(test, ids[0] == 1 && ids[1] == (7 | INVALID) && ids[2] == (1 | INVALID) && ids[3] == (2 | INVALID));
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 1u);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_FALSE(test, f->q[1].properties.is_active);	/* an eviction that ends changes nothing */
	f->q[2].exceptions = 0;
	seen.log[0] = 0;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_suspend(f->dqm, &f->pdd.qpd, ids, 4), 2u);
	EXPECT_LOG(test, "evicted ");
	KUNIT_EXPECT_EQ(test, kfdm_dqm_resume(f->dqm, &f->pdd.qpd, NULL, 0), 3u);
	EXPECT_LOG(test, "restore_queue restored ");
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 2u);
	KUNIT_EXPECT_FALSE(test, f->q[2].properties.is_suspended || f->q[2].properties.is_active);
	f->q[0].leaving = true;
	ids[0] = INVALID;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_suspend(f->dqm, &f->pdd.qpd, ids, 1), 0u);
	KUNIT_EXPECT_EQ(test, ids[0], INVALID);
}

static void the_hardware_fails(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 ids[] = { 0 | INVALID, 1 | INVALID };

	three_queues(test);
	seen.failing = "evicted";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_suspend(f->dqm, &f->pdd.qpd, ids, 2), 0u);
	KUNIT_EXPECT_TRUE(test, ids[0] == ERROR && ids[1] == (1 | ERROR));
	seen.failing = "restore_queue";
	ids[0] = INVALID;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_resume(f->dqm, &f->pdd.qpd, ids, 1), 0u);
	KUNIT_EXPECT_EQ(test, ids[0], ERROR | INVALID);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 0u);
	seen.failing = "restored";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_resume(f->dqm, &f->pdd.qpd, NULL, 0), 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(registers),
	KUNIT_CASE(one_vmid),
	KUNIT_CASE(queues_stand_still),
	KUNIT_CASE(the_hardware_fails),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_dqm_debug", .suite_init = user_memory_init, .suite_exit = user_memory_exit,
	.init = dqm_setup, .exit = dqm_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
