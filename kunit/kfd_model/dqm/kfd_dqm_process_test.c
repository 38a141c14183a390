// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * kfd_dqm_process_test.c - the scheduler's front end: a process comes, is evicted and restored, leaves; its registers and waves;
 * start, stop and hangs. Single queues are in kfd_dqm_test.c.
 */
#include <kunit/test.h>

#include "kunit/user_memory.h"

#define TESTED(function) tested_dqm_process_##function
#include "scheduler_surroundings.h"
#include "kfd_model/dqm/kfd_dqm_common.c"
#include "kfd_model/dqm/kfd_dqm_checkpoint.c"
#include "kfd_model/dqm/kfd_dqm.c"
#include "kfd_model/dqm/kfd_dqm_process.c"
#include "scheduler_bed.h"

/* Two queues that run, one that is switched off. */
static void three_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->q[2].properties.queue_percent = 0;
	KUNIT_ASSERT_EQ(test, create(f, 0), 0);
	KUNIT_ASSERT_EQ(test, create(f, 1), 0);
	KUNIT_ASSERT_EQ(test, create(f, 2), 0);
	seen.log[0] = 0;
}

static void registered_once(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_dqm_register(f->dqm, &f->pdd.qpd);
	kfdm_dqm_register(f->dqm, &f->pdd.qpd);
	KUNIT_EXPECT_EQ(test, f->dqm->processes_count, 1u);
	KUNIT_EXPECT_EQ(test, seen.page_tables, 1u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.page_table_base, 0x1001ULL);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.sh_mem_bases, 5u);
	kfdm_dqm_unregister(f->dqm, &f->pdd.qpd);
	kfdm_dqm_unregister(f->dqm, &f->pdd.qpd);
	KUNIT_EXPECT_EQ(test, f->dqm->processes_count, 0u);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->dqm->qpds));
}

/* evict_process_queues_cpsch: the first eviction takes the queues off, the last restore brings them back. */
static void evictions_nest(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_qpd *qpd = &f->pdd.qpd;

	three_queues(test);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, qpd), 0);
	EXPECT_LOG(test, "evict_queue evict_queue evicted ");
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, qpd), 0);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, qpd->evicted, 2u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 0u);
	KUNIT_EXPECT_TRUE(test, f->q[2].properties.is_evicted);
	f->pdd.vm = (struct amdm_vm *)f;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, qpd), 0);
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, qpd), 0);
	EXPECT_LOG(test, "restoring restore_queue restore_queue restored ");
	KUNIT_EXPECT_EQ(test, qpd->map.page_table_base, 0x1001ULL);	/* it may have moved meanwhile */
	KUNIT_EXPECT_EQ(test, qpd->evicted, 0u);
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 2u);
	KUNIT_EXPECT_FALSE(test, f->q[2].properties.is_active);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, qpd), 0);	/* nothing to undo */
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, qpd->evicted, 0u);
}

/* evict_process_queues_nocpsch goes on with the other queues and returns the first error; with the MES it stops at the first error. */
static void an_eviction_fails(struct kunit *test)
{
	struct fixture *f = test->priv;

	three_queues(test);
	seen.failing = "evict_queue";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, &f->pdd.qpd), -ETIME);
	EXPECT_LOG(test, "evict_queue! evict_queue! evicted ");
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.evicted, 1u);
	seen.failing = "restore_queue";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, &f->pdd.qpd), -ETIME);
	EXPECT_LOG(test, "restoring restore_queue! restore_queue! restored ");
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.evicted, 0u);
}

static void an_eviction_by_the_mes_fails(struct kunit *test)
{
	struct fixture *f = test->priv;

	three_queues(test);
	f->dqm->ops = &fake_mes;
	seen.failing = "evict_queue";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_evict(f->dqm, &f->pdd.qpd), -ETIME);
	EXPECT_LOG(test, "evict_queue! ");
	KUNIT_EXPECT_EQ(test, f->dqm->active_queue_count, 1u);	/* the other one still runs */
	seen.failing = "restore_queue";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_restore(f->dqm, &f->pdd.qpd), -ETIME);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.evicted, 1u);
}

/* process_termination_cpsch; descriptors of queues that the hardware holds on to are not given back before it is reset. */
static void a_process_leaves(struct kunit *test)
{
	struct fixture *f = test->priv;

	describe_queue(f, &f->q[1], KFDM_QUEUE_SDMA);
	kfdm_dqm_register(f->dqm, &f->pdd.qpd);
	three_queues(test);
	KUNIT_EXPECT_EQ(test, f->dqm->sdma_bitmap[0], 2ul);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_terminate(f->dqm, &f->pdd.qpd), 0);
	EXPECT_LOG(test, "terminate_queue terminate_queue terminate_queue terminated -mqd -mqd -mqd ");
	KUNIT_EXPECT_EQ(test, f->dqm->sdma_bitmap[0], 3ul);
	KUNIT_EXPECT_EQ(test, f->dqm->total_queue_count + f->dqm->active_queue_count + f->dqm->active_cp_queue_count, 0u);
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.queue_count + f->dqm->processes_count, 0u);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->pdd.qpd.queues));
	seen.failing = "terminated";
	three_queues(test);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_terminate(f->dqm, &f->pdd.qpd), -ETIME);
	EXPECT_LOG(test, "terminate_queue terminate_queue terminate_queue terminated! ");
}

static void memory_policy(struct kunit *test)
{
	static const struct kfdm_chip vega = { .asic = &kfdm_asic_v9, .mqd = mqds };
	struct kfd_ioctl_set_memory_policy_args args = { .default_policy = KFD_IOC_CACHE_POLICY_COHERENT };
	struct fixture *f = test->priv;

	KUNIT_EXPECT_TRUE(test, kfdm_dqm_set_cache_policy(f->dqm, &f->pdd.qpd, &args));
	EXPECT_LOG(test, "policy ");
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.sh_mem_config, 1u);
	args.default_policy = KFD_IOC_CACHE_POLICY_NONCOHERENT;
	args.alternate_aperture_base = 0x1000;	/* not a multiple of 64 KiB */
	args.alternate_aperture_size = 0x10000;
	KUNIT_EXPECT_FALSE(test, kfdm_dqm_set_cache_policy(f->dqm, &f->pdd.qpd, &args));
	EXPECT_LOG(test, "");
	KUNIT_EXPECT_EQ(test, f->pdd.qpd.map.sh_mem_config, 1u);
	f->dev.chip = &vega;			/* accepts everything */
	KUNIT_EXPECT_TRUE(test, kfdm_dqm_set_cache_policy(f->dqm, &f->pdd.qpd, &args));
	EXPECT_LOG(test, "");
	f->dev.chip = &chip;
}

/* dbgdev_wave_reset_wavefronts: SQ_CMD for the VMID of the process, broadcast to all */
static void waves_are_killed(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dev.first_vmid = 8;
	f->dev.last_vmid = 15;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_kill_waves(f->dqm, &f->pdd.qpd), -EFAULT);
	seen.vmid_pasid[7] = 0x8001;		/* amdgpu's, not KFD's */
	seen.vmid_pasid[9] = 0x8002;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_kill_waves(f->dqm, &f->pdd.qpd), -EFAULT);
	seen.vmid_pasid[15] = 0x8001;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_kill_waves(f->dqm, &f->pdd.qpd), 0);
	KUNIT_EXPECT_EQ(test, seen.sq_cmd, 0xf0000013u);	/* KILL, to all waves of VMID 15 */
	KUNIT_EXPECT_EQ(test, seen.gfx_index, 0xe0000000u);
}

/* get_wave_state: of compute queues that are off, and no more of the control stack than there is, whatever the descriptor says */
static void saved_waves(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_queue *q = &f->q[0];
	struct kfdm_wave_state state = {};
	u8 stack[32], copy[64] = {};
	int ret;

	f->dev.cwsr_enabled = true;
	q->mqd.type = KFDM_MQD_CP;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_wave_state(f->dqm, q, NULL, &state), 0);	/* no control stack in kernel memory */
	KUNIT_EXPECT_EQ(test, state.save_area_used, 16u);
	memset(stack, 0xa5, sizeof(stack));
	q->mqd.ctl_stack = stack;
	q->mqd.ctl_stack_size = sizeof(stack);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_wave_state(f->dqm, q, (void __user *)-4096, &state), -EFAULT);
	KUNIT_ASSERT_TRUE(test, user_write(copy, sizeof(copy)));
	kthread_use_mm(user_mm);
	ret = kfdm_dqm_wave_state(f->dqm, q, (void __user *)user_page, &state);
	kthread_unuse_mm(user_mm);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_ASSERT_TRUE(test, user_read(copy, sizeof(copy)));
	KUNIT_EXPECT_NULL(test, memchr_inv(copy, 0xa5, sizeof(stack)));
	KUNIT_EXPECT_NULL(test, memchr_inv(copy + sizeof(stack), 0, sizeof(copy) - sizeof(stack)));
	q->properties.is_active = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_wave_state(f->dqm, q, NULL, &state), -EINVAL);
	q->properties.is_active = false;
	f->dev.cwsr_enabled = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_wave_state(f->dqm, q, NULL, &state), -EINVAL);
}

static void start_stop_hang(struct kunit *test)
{
	struct fixture *f = test->priv;

	seen.failing = "start";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_start(f->dqm), -ETIME);
	kfdm_dqm_stop(f->dqm);
	EXPECT_LOG(test, "start! ");		/* it does not run: nothing to stop */
	f->dqm->sched_running = true;
	kfdm_dqm_stop(f->dqm);
	EXPECT_LOG(test, "stop ");
	KUNIT_EXPECT_FALSE(test, f->dqm->sched_running);
	f->dqm->sched_running = true;
	kfdm_hws_hang(f->dqm);
	flush_work(&f->dqm->hw_exception_work);
	KUNIT_EXPECT_EQ(test, seen.resets, 1u);
	kfdm_dqm_pre_reset(f->dqm);
	kfdm_hws_hang(f->dqm);			/* a reset is under way already */
	flush_work(&f->dqm->hw_exception_work);
	KUNIT_EXPECT_EQ(test, seen.resets, 1u);
	kfdm_dqm_stop(f->dqm);
	EXPECT_LOG(test, "stop-hanging ");
	seen.failing = "reset";
	seen.error = -EOPNOTSUPP;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_reset_queues(f->dqm, 0x8001), -EOPNOTSUPP);
}

/* Linux 7.2 goes on asking until the reset, but leaves the queues of then as they are. */
static void hang_of_linux_7_2(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_dqm_register(f->dqm, &f->pdd.qpd);
	kfdm_abi = &kfdm_abi_7_2;
	kfdm_hws_hang(f->dqm);
	KUNIT_EXPECT_FALSE(test, f->pdd.qpd.has_reset_queue);	/* no queue */
	f->pdd.qpd.map.queue_count = 1;
	kfdm_hws_hang(f->dqm);
	kfdm_abi = &kfdm_abi_6_1;
	f->pdd.qpd.map.queue_count = 0;
	flush_work(&f->dqm->hw_exception_work);
	KUNIT_EXPECT_GE(test, seen.resets, 1u);
	KUNIT_EXPECT_FALSE(test, f->dqm->is_hws_hang);
	KUNIT_EXPECT_TRUE(test, f->pdd.qpd.has_reset_queue);
	seen.log[0] = 0;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_update_queue(f->dqm, &f->q[0], NULL, NULL), -EACCES);
	EXPECT_LOG(test, "before ");		/* it was taken off nevertheless */
	kfdm_dqm_unregister(f->dqm, &f->pdd.qpd);
}

static void halted(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_dqm_halt(f->dqm), 0);	/* it does not run */
	KUNIT_EXPECT_EQ(test, kfdm_dqm_unhalt(f->dqm), 0);
	EXPECT_LOG(test, "");
	f->dqm->sched_running = true;
	seen.failing = "halt";
	KUNIT_EXPECT_EQ(test, kfdm_dqm_halt(f->dqm), -ETIME);
	EXPECT_LOG(test, "halt! ");
	KUNIT_EXPECT_TRUE(test, f->dqm->halted);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_unhalt(f->dqm), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_unhalt(f->dqm), 0);	/* once */
	EXPECT_LOG(test, "unhalt ");
	f->dqm->is_hws_hang = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_halt(f->dqm), 0);
	EXPECT_LOG(test, "");			/* who does not listen is not asked */
	f->dqm->sched_running = false;
}

/* init_interrupts: only pipes that have a queue of KFD's */
static void interrupts_of_pipes(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dev.resources.num_pipe_per_mec = 4;
	f->dev.resources.num_queue_per_pipe = 8;
	set_bit(7, f->dev.resources.cp_queue_bitmap);		/* pipe 0, queue 7 */
	set_bit(16, f->dev.resources.cp_queue_bitmap);		/* pipe 2, queue 0 */
	kfdm_dqm_init_interrupts(f->dqm);
	KUNIT_EXPECT_EQ(test, seen.pipes, 5u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(registered_once),
	KUNIT_CASE(evictions_nest),
	KUNIT_CASE(an_eviction_fails),
	KUNIT_CASE(an_eviction_by_the_mes_fails),
	KUNIT_CASE(a_process_leaves),
	KUNIT_CASE(memory_policy),
	KUNIT_CASE(waves_are_killed),
	KUNIT_CASE(saved_waves),
	KUNIT_CASE(start_stop_hang),
	KUNIT_CASE(hang_of_linux_7_2),
	KUNIT_CASE(halted),
	KUNIT_CASE(interrupts_of_pipes),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_dqm_process", .suite_init = user_memory_init, .suite_exit = user_memory_exit,
	.init = dqm_setup, .exit = dqm_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
