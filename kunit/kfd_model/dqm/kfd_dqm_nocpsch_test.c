// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_dqm_nocpsch_test.c - who gets which VMID and slot from the driver, and what it does to the hardware meanwhile */
#include <kunit/test.h>

#include "kunit/user_memory.h"
#include "dqm_surroundings.h"

#include "kfd_model/dqm/kfd_dqm_nocpsch.c"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"

enum { PIPES = 4, QUEUES = 8, FIRST_QUEUE = 2, SLOTS = PIPES * (QUEUES - FIRST_QUEUE), FIRST_VMID = 8, LAST_VMID = 15 };

static struct {
	u32 pasid[KFDM_VMIDS];
	u64 page_table[KFDM_VMIDS];
	u32 sh_mem, traps, scratch;
	u32 ibs, ib_vmid, ib_dwords;
	u64 ib_addr;
	u32 packet[8];
	enum kfd_bridge_preempt preempt;
	u32 preemptions;
	struct mm_struct *loaded_from;
	int answer;
} seen;

static int fake_map(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	seen.pasid[vmid] = pasid;
	return 0;
}

static void fake_sh_mem(struct amdm_xcp *xcp, u32 vmid, u32 config, u32 ape1_base, u32 ape1_limit, u32 bases)
{
	seen.sh_mem++;
}

static void fake_trap(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma)
{
	seen.traps++;
}

static void fake_page_table(struct amdm_xcp *xcp, u32 vmid, u64 base)
{
	seen.page_table[vmid] = base;
}

static void fake_scratch(struct amdm_device *adev, u64 va, u32 vmid)
{
	seen.scratch++;
}

static int fake_submit_ib(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords)
{
	seen.ibs++;
	seen.ib_vmid = vmid;
	seen.ib_addr = gpu_addr;
	seen.ib_dwords = dwords;
	memcpy(seen.packet, ib, min_t(size_t, dwords * sizeof(u32), sizeof(seen.packet)));
	return 0;
}

static int fake_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	seen.preempt = type;
	seen.preemptions++;
	return seen.answer;
}

static int fake_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift, u32 wptr_mask,
		     struct mm_struct *mm)
{
	seen.loaded_from = mm;
	return 0;
}

static const struct kfd2kgd_ops fake_kgd = {
	.hqd_load = fake_load,
	.set_pasid_vmid_mapping = fake_map,
	.program_sh_mem_settings = fake_sh_mem,
	.program_trap_handler = fake_trap,
	.set_vm_context_page_table_base = fake_page_table,
	.set_scratch_backing_va = fake_scratch,
	.submit_ib = fake_submit_ib,
	.hqd_destroy = fake_destroy,
};

static const struct kfdm_mqd_ops mqds[KFDM_MQD_TYPES] = { [KFDM_MQD_CP] = { .load = KFDM_LOAD_HQD } };
static const struct kfdm_chip vega = { .doorbell_size = 8, .hiq_by_kiq = true, .eop_by_queue = true, .trap_handler_by_vmid = true, .mqd = mqds, .packets = &kfdm_packets_v9 };
static const struct kfdm_chip hawaii = { .mqd = mqds, .packets = &kfdm_packets_vi, .driver_flushes_tc = true };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process_device pdd[LAST_VMID - FIRST_VMID + 2];
	struct kfdm_queue q[SLOTS + 1];
};

static int nocpsch_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 pipe, queue, i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&seen, 0, sizeof(seen));
	memset(&dqm_seen, 0, sizeof(dqm_seen));
	f->dev.chip = &vega;
	f->dev.cwsr_enabled = true;
	f->dev.first_vmid = FIRST_VMID;
	f->dev.last_vmid = LAST_VMID;
	f->dev.resources.num_pipe_per_mec = PIPES;
	f->dev.resources.num_queue_per_pipe = QUEUES;
	for (pipe = 0; pipe < PIPES; pipe++)
		for (queue = FIRST_QUEUE; queue < QUEUES; queue++)
			set_bit(pipe * QUEUES + queue, f->dev.resources.cp_queue_bitmap);
	f->dqm.dev = &f->dev;
	f->dqm.sched_running = true;
	INIT_LIST_HEAD(&f->dqm.qpds);
	for (i = 0; i < ARRAY_SIZE(f->pdd); i++) {
		f->pdd[i].dev = &f->dev;
		f->pdd[i].qpd.map.pasid = 0x8001 + i;
		f->pdd[i].qpd.map.page_table_base = 0x1000 * (i + 1);
		INIT_LIST_HEAD(&f->pdd[i].qpd.queues);
	}
	for (i = 0; i < ARRAY_SIZE(f->q); i++)
		f->q[i].properties.type = KFDM_QUEUE_COMPUTE;
	return kfdm_dqm_nocpsch.init(&f->dqm);
}

static void nocpsch_teardown(struct kunit *test)
{
	kfdm_kgd = ((struct fixture *)test->priv)->saved;
}

/* What the common part does around the slots. */
static int put_on(struct fixture *f, u32 process, u32 queue)
{
	struct kfdm_qpd *qpd = &f->pdd[process].qpd;
	int ret = kfdm_dqm_nocpsch.reserve(&f->dqm, qpd, &f->q[queue]);

	if (!ret)
		list_add(&f->q[queue].qpd_link, &qpd->queues);
	return ret;
}

static int take_away(struct fixture *f, u32 process, u32 queue)
{
	list_del(&f->q[queue].qpd_link);
	return kfdm_dqm_nocpsch.unload(&f->dqm, &f->pdd[process].qpd, &f->q[queue]);
}

static void slots_go_over_the_pipes(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < SLOTS; i++) {
		KUNIT_EXPECT_EQ(test, put_on(f, 0, i), 0);
		KUNIT_EXPECT_EQ(test, f->q[i].pipe, i % PIPES);
		KUNIT_EXPECT_EQ(test, f->q[i].queue, FIRST_QUEUE + i / PIPES);
		KUNIT_EXPECT_EQ(test, f->q[i].properties.vmid, (u32)FIRST_VMID);
	}
	KUNIT_EXPECT_EQ(test, put_on(f, 0, SLOTS), -EBUSY);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 6), 0);
	KUNIT_EXPECT_EQ(test, (u32)seen.preempt, (u32)KFD_BRIDGE_PREEMPT_RESET);
	KUNIT_EXPECT_EQ(test, put_on(f, 0, SLOTS), 0);	/* into the gap */
	KUNIT_EXPECT_EQ(test, f->q[SLOTS].pipe, 2u);
	KUNIT_EXPECT_EQ(test, f->q[SLOTS].queue, 3u);
}

static void sdma_needs_no_slot(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_EXPECT_EQ(test, put_on(f, 0, i), 0);
	f->q[SLOTS].properties.type = KFDM_QUEUE_SDMA;
	KUNIT_EXPECT_EQ(test, put_on(f, 0, SLOTS), 0);
	KUNIT_EXPECT_EQ(test, f->q[SLOTS].properties.vmid, (u32)FIRST_VMID);
}

static void a_vmid_comes_with_the_first_queue_and_goes_with_the_last(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, 1, 2), 0);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0x8001u);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID + 1], 0x8002u);
	KUNIT_EXPECT_EQ(test, seen.page_table[FIRST_VMID + 1], 0x2000ULL);
	KUNIT_EXPECT_EQ(test, seen.sh_mem, 2u);
	KUNIT_EXPECT_EQ(test, seen.traps, 2u);
	KUNIT_EXPECT_EQ(test, seen.scratch, 2u);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0x8001u);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0u);
	KUNIT_EXPECT_EQ(test, f->pdd[0].qpd.vmid, 0u);
	KUNIT_EXPECT_EQ(test, put_on(f, 2, 0), 0);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0x8003u);
	KUNIT_EXPECT_EQ(test, seen.ibs, 0u);	/* only GFX7's CP leaves the texture cache to the driver */
}

static void a_process_too_many(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, processes = LAST_VMID - FIRST_VMID + 1;

	for (i = 0; i < processes; i++)
		KUNIT_EXPECT_EQ(test, put_on(f, i, i), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, processes, processes), -ENOSPC);
	KUNIT_EXPECT_EQ(test, f->pdd[processes].qpd.vmid, 0u);
	KUNIT_EXPECT_EQ(test, take_away(f, 3, 3), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, processes, processes), 0);
	KUNIT_EXPECT_EQ(test, f->pdd[processes].qpd.vmid, FIRST_VMID + 3u);
}

static void without_a_slot_no_vmid(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_EXPECT_EQ(test, put_on(f, 0, i), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, 1, SLOTS), -EBUSY);
	KUNIT_EXPECT_EQ(test, f->pdd[1].qpd.vmid, 0u);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID + 1], 0u);
}

static void the_last_queue_flushes_the_texture_cache(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 ib[16] = {};

	f->dev.chip = &hawaii;
	f->pdd[0].qpd.ib_kaddr = ib;
	f->pdd[0].apertures.ib_base = PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, seen.traps, 0u);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, seen.ibs, 0u);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, seen.ibs, 1u);
	KUNIT_EXPECT_EQ(test, seen.ib_vmid, (u32)FIRST_VMID);
	KUNIT_EXPECT_EQ(test, seen.ib_addr, (u64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, seen.ib_dwords, kfdm_packets_vi.release_mem_dwords);
	KUNIT_EXPECT_EQ(test, seen.packet[0], PM4_HEADER(PM4_RELEASE_MEM, seen.ib_dwords - 2));
}

/* Before ACQUIRE_VM there is no page for the buffer: the VMID must be given back nevertheless. */
static void a_failed_flush_keeps_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dev.chip = &hawaii;
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, seen.ibs, 0u);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0u);
	KUNIT_EXPECT_EQ(test, (u32)f->dqm.nocpsch.vmid_pasid[FIRST_VMID], 0u);
}

static void what_does_not_let_go_is_killed_with_the_last_queue(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 1), 0);
	seen.answer = -ETIME;
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 0), -ETIME);
	KUNIT_EXPECT_EQ(test, dqm_seen.kills, 0u);
	seen.answer = 0;
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.kills, 1u);
	KUNIT_EXPECT_FALSE(test, f->pdd[0].qpd.reset_wavefronts);
}

static void waves_are_saved_where_that_can_be_done(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.before_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, seen.preemptions, 0u);	/* it was not active */
	f->q[0].properties.is_active = true;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.before_update(&f->dqm, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, (u32)seen.preempt, (u32)KFD_BRIDGE_PREEMPT_SAVE);
	f->dev.cwsr_enabled = false;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.evict_queue(&f->dqm, &f->pdd[0].qpd, &f->q[0]), 0);
	KUNIT_EXPECT_EQ(test, (u32)seen.preempt, (u32)KFD_BRIDGE_PREEMPT_DRAIN);
	f->dqm.sched_running = false;	/* a reset is under way: the scheduler cannot be asked */
	KUNIT_EXPECT_EQ(test, take_away(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, seen.preemptions, 2u);
}

/* Its own memory, not that of the program that its lead thread runs after an exec */
static void write_pointers_are_read_in_the_process_s_own_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_process *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	f->pdd[0].process = p;
	p->lead_thread = current;
	KUNIT_EXPECT_EQ(test, put_on(f, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.load(&f->dqm, &f->pdd[0].qpd, &f->q[0]), -EFAULT);	/* it is gone */
	p->own_mm = user_mm;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.load(&f->dqm, &f->pdd[0].qpd, &f->q[0]), 0);
	KUNIT_EXPECT_PTR_EQ(test, seen.loaded_from, user_mm);
}

static void start_and_stop(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm.sched_running = false;
	f->dqm.is_resetting = true;
	f->pdd[0].qpd.vmid = FIRST_VMID;
	list_add(&f->pdd[0].qpd.link, &f->dqm.qpds);
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.interrupts, 1u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs, 0u);
	KUNIT_EXPECT_EQ(test, seen.pasid[FIRST_VMID], 0x8001u);
	KUNIT_EXPECT_TRUE(test, f->dqm.sched_running);
	KUNIT_EXPECT_FALSE(test, f->dqm.is_resetting);
	f->dev.chip = &hawaii;
	KUNIT_EXPECT_EQ(test, kfdm_dqm_nocpsch.start(&f->dqm), 0);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs, 1u);
	kfdm_dqm_nocpsch.stop(&f->dqm, true);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs, 0u);
	KUNIT_EXPECT_EQ(test, dqm_seen.hiqs_left_hanging, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(slots_go_over_the_pipes),
	KUNIT_CASE(sdma_needs_no_slot),
	KUNIT_CASE(a_vmid_comes_with_the_first_queue_and_goes_with_the_last),
	KUNIT_CASE(a_process_too_many),
	KUNIT_CASE(without_a_slot_no_vmid),
	KUNIT_CASE(the_last_queue_flushes_the_texture_cache),
	KUNIT_CASE(a_failed_flush_keeps_nothing),
	KUNIT_CASE(what_does_not_let_go_is_killed_with_the_last_queue),
	KUNIT_CASE(waves_are_saved_where_that_can_be_done),
	KUNIT_CASE(write_pointers_are_read_in_the_process_s_own_memory),
	KUNIT_CASE(start_and_stop),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_dqm_nocpsch", .suite_init = user_memory_init, .suite_exit = user_memory_exit,
	.init = nocpsch_setup, .exit = nocpsch_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
