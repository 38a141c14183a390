// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_gfx_v8_test.c - what KFD's calls write on GFX7 and GFX8, and the indirect buffers that KFD has run for it there.
 *
 * Values and order: amdgpu_amdkfd_gfx_v7.c, _v8.c and amdgpu_amdkfd.c of Linux 6.1.
 */
#include <kunit/test.h>
#include <linux/slab.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/base/amdgpu_reg.c"
#include "amdgpu_model/kfd/amdgpu_amdkfd_gfx_v8.c"

#define PIPE	1
#define QUEUE	3

static struct {
	struct amdm_hqd_writes loaded;
	u32 loads, pipe, queue;
	u64 wptr;
	bool readable;
	enum kfd_bridge_preempt dequeued;
	u32 dequeues;
	bool held, no_job, never_ends;
	u32 jobs, destroyed, vmid, dwords, slow;
	u64 addr;
	int run_answer;
	struct amdm_ring *ran_on;
} v8_seen;

void amdm_hqd_put(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 name, u32 value)
{
	writes->write[writes->count++] = (struct amdm_reg_write){ amdm_reg(adev, name), value };
}

void amdm_hqd_write(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 xcc, u32 pipe, u32 queue)
{
	v8_seen.loaded = *writes;
	v8_seen.loads++;
	v8_seen.pipe = pipe;
	v8_seen.queue = queue;
}

bool amdm_kgd_read_wptr(struct mm_struct *mm, u64 __user *wptr, u64 *value)
{
	*value = v8_seen.wptr;
	return v8_seen.readable;
}

int amdm_kgd_dequeue(struct amdm_xcp *xcp, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	v8_seen.dequeued = type;
	v8_seen.dequeues++;
	return 0;
}

void amdm_kgd_lock_queue(struct amdm_device *adev, u32 pipe, u32 queue)
{
	fake_srbm_lock(adev, pipe / GFX_PIPES_PER_MEC + 1, pipe % GFX_PIPES_PER_MEC, queue, 0);
}

int amdm_kgd_atc_map(struct amdm_device *adev, u32 reg, u32 bit, u32 value)
{
	fake_wreg(adev, reg, value);
	return bit == 9 ? -ETIME : 0;
}

bool amdm_glue_held(struct amdm_device *adev)
{
	return v8_seen.held;
}

u32 amdm_glue_slow_factor(void)
{
	return v8_seen.slow;
}

/* A job, and a fence that ends when it is run */
static DEFINE_SPINLOCK(fence_lock);

static const char *fence_name(struct dma_fence *fence)
{
	return "v8";
}

static const struct dma_fence_ops fence_ops = { .get_driver_name = fence_name, .get_timeline_name = fence_name };

struct amdm_job *amdm_job_create(struct amdm_device *adev, u32 num_ibs)
{
	struct amdm_job *job = v8_seen.no_job ? NULL : kzalloc(struct_size(job, ibs, num_ibs), GFP_KERNEL);

	if (!job)
		return NULL;
	job->fence = kzalloc(sizeof(*job->fence), GFP_KERNEL);
	job->num_ibs = num_ibs;
	v8_seen.jobs++;
	return job;
}

void amdm_job_destroy(struct amdm_job *job)
{
	v8_seen.destroyed++;
	dma_fence_put(&job->fence->base);
	kfree(job);
}

void amdm_fence_bind(struct amdm_fence *fence, struct amdm_ring *ring)
{
	dma_fence_init(&fence->base, &fence_ops, &fence_lock, 1, 1);
}

int amdm_job_run(struct amdm_ring *ring, struct amdm_job *job)
{
	v8_seen.ran_on = ring;
	v8_seen.vmid = job->vmid;
	v8_seen.addr = job->ibs[0].addr;
	v8_seen.dwords = job->ibs[0].dwords;
	if (!v8_seen.run_answer && !v8_seen.never_ends)
		dma_fence_signal(&job->fence->base);
	return v8_seen.run_answer;
}

static const struct amdm_asic asic_v7 = { .regs = &amdm_regs_gc_7 };
static const struct amdm_asic asic_v8 = { .regs = &amdm_regs_gc_8 };
static const struct amdm_ring_funcs dma_funcs = { .ip = AMDGPU_HW_IP_DMA };
static const struct amdm_ring_funcs compute_funcs = { .ip = AMDGPU_HW_IP_COMPUTE };

struct v8_bed {
	struct amdm_device adev;
	struct amdm_xcp xcp;
	struct amdm_ring dma, compute;
	u32 mqd[MQD_VI_DWORDS];
	u32 regs[64][2];
};

static int v8_setup(struct kunit *test)
{
	struct v8_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&v8_seen, 0, sizeof(v8_seen));
	v8_seen.slow = 1;
	fake_registers_reset();
	bed->adev.asic = &asic_v8;
	bed->xcp = (struct amdm_xcp){ .adev = &bed->adev, .num_xcc = 1 };
	bed->dma.funcs = &dma_funcs;
	bed->compute.funcs = &compute_funcs;
	bed->adev.rings[0] = &bed->dma;
	bed->adev.rings[1] = &bed->compute;
	bed->adev.num_rings = 2;
	for (i = 0; i < MQD_VI_DWORDS; i++)
		bed->mqd[i] = 0x5a000000 + i;
	return 0;
}

static void v8_teardown(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
	KUNIT_EXPECT_EQ(test, v8_seen.destroyed, v8_seen.jobs);
}

static u32 written(struct kunit *test, u32 name)
{
	u32 value = 0;

	KUNIT_EXPECT_TRUE_MSG(test, fake_written(name, &value), "register 0x%x", name);
	return value;
}

/* The last write of a register among those that connect a queue */
static bool loaded(u32 reg, u32 *value)
{
	u32 i = v8_seen.loaded.count;

	while (i--)
		if (v8_seen.loaded.write[i].reg == reg) {
			*value = v8_seen.loaded.write[i].value;
			return true;
		}
	return false;
}

static void expect_loaded(struct kunit *test, u32 reg, u32 value)
{
	u32 found = ~value;

	KUNIT_EXPECT_TRUE_MSG(test, loaded(reg, &found), "register 0x%x", reg);
	KUNIT_EXPECT_EQ_MSG(test, found, value, "register 0x%x", reg);
}

/* vi_mqd 128..: CP_MQD_BASE_ADDR (0x3245) and what follows it; CP_HQD_PQ_WPTR is 0x3255 */
static void a_gfx8_queue_is_connected(struct kunit *test)
{
	struct v8_bed *bed = test->priv;
	u32 reg, value;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 0, 0, NULL), 0);
	KUNIT_ASSERT_EQ(test, v8_seen.loads, 1u);
	KUNIT_EXPECT_EQ(test, v8_seen.pipe << 8 | v8_seen.queue, PIPE << 8 | QUEUE);
	for (reg = 0x3245; reg <= 0x3278; reg++) {
		if (reg == 0x3247)
			KUNIT_EXPECT_FALSE(test, loaded(reg, &value));	/* CP_HQD_ACTIVE: amdm_hqd_write() */
		else if (reg == 0x3254)
			expect_loaded(test, reg, (0x5a000080 + reg - 0x3245) | 1u << 30);	/* DOORBELL_EN */
		else
			expect_loaded(test, reg, 0x5a000080 + reg - 0x3245);
	}
	KUNIT_EXPECT_FALSE(test, fake_written(mmRLC_CP_SCHEDULERS, &value));
}

/* cik_mqd 51..: the same up to CP_MQD_CONTROL, without CP_HQD_HQ_STATUS0 and _CONTROL0 */
static void a_gfx7_queue_is_connected(struct kunit *test)
{
	struct v8_bed *bed = test->priv;
	u32 value;

	bed->adev.asic = &asic_v7;
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v7.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 0, 0, NULL), 0);
	expect_loaded(test, 0x3245, 0x5a000033);
	expect_loaded(test, 0x3255, 0x5a000033 + 16);
	expect_loaded(test, 0x3264, 0x5a000033 + 31);
	expect_loaded(test, 0x3267, 0x5a000033 + 34);
	KUNIT_EXPECT_FALSE(test, loaded(0x3265, &value));
	KUNIT_EXPECT_FALSE(test, loaded(0x3266, &value));
	KUNIT_EXPECT_FALSE(test, loaded(AMDM_REG_NONE, &value));
}

static void the_write_pointer_of_the_process(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	v8_seen.wptr = 0xffffffff00000123ULL;
	amdm_kfd_gen_v8.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 4, 0x3ff, NULL);
	expect_loaded(test, 0x3255, 0x5a000090);	/* it cannot be read: the saved one */
	v8_seen.readable = true;
	amdm_kfd_gen_v8.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 4, 0x3ff, NULL);
	expect_loaded(test, 0x3255, 0x230);
}

/* RLC_CP_SCHEDULERS.scheduler1: me 6:5, pipe 4:3, queue 2:0, 0x80 */
static void the_hiq_is_told_to_the_rlc(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	bed->mqd[MQD_VI_cp_hqd_vmid] = 0;
	fake_registers_keep(mmRLC_CP_SCHEDULERS, 0x1234ffc1);
	amdm_kfd_gen_v8.hqd_load(&bed->xcp, bed->mqd, 5, 2, NULL, 0, 0, NULL);
	KUNIT_EXPECT_EQ(test, written(test, mmRLC_CP_SCHEDULERS), 0x123400c1u | (0x80u | 2u << 5 | 1u << 3 | 2u) << 8);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_DRAIN, 1, 5, 2), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmRLC_CP_SCHEDULERS), 0x123400c1u);
}

static void gfx7_cannot_save_waves(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	amdm_kfd_gen_v7.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_SAVE, 1, PIPE, QUEUE);
	KUNIT_EXPECT_EQ(test, v8_seen.dequeued, KFD_BRIDGE_PREEMPT_DRAIN);
	amdm_kfd_gen_v7.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_RESET, 1, PIPE, QUEUE);
	KUNIT_EXPECT_EQ(test, v8_seen.dequeued, KFD_BRIDGE_PREEMPT_RESET);
	amdm_kfd_gen_v8.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_SAVE, 1, PIPE, QUEUE);
	KUNIT_EXPECT_EQ(test, v8_seen.dequeued, KFD_BRIDGE_PREEMPT_SAVE);
}

static void nothing_is_touched_in_a_reset(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	bed->adev.in_reset = true;
	bed->mqd[MQD_VI_cp_hqd_vmid] = 0;
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v7.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_DRAIN, 1, PIPE, QUEUE), -EIO);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.hqd_destroy(&bed->xcp, bed->mqd, KFD_BRIDGE_PREEMPT_DRAIN, 1, PIPE, QUEUE), -EIO);
	KUNIT_EXPECT_EQ(test, fake_registers.count + v8_seen.dequeues, 0u);
}

static void the_dump_of_a_slot(struct kunit *test)
{
	struct v8_bed *bed = test->priv;
	u32 count = 77, i;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.hqd_dump(&bed->xcp, PIPE, QUEUE, bed->regs, 53, &count), -ENOSPC);
	KUNIT_EXPECT_EQ(test, count, 77u);
	fake_registers_keep(mmCP_HQD_ERROR, 0x99);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.hqd_dump(&bed->xcp, PIPE, QUEUE, bed->regs, 54, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 53u);	/* without CP_HQD_EOP_DONES, the last one, which the chip does not have */
	for (i = 0; i < count; i++)
		KUNIT_EXPECT_EQ(test, bed->regs[i][0], (0x3245u + i) << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[0x3278 - 0x3245][1], 0x99u);
	bed->adev.asic = &asic_v7;
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v7.hqd_dump(&bed->xcp, PIPE, QUEUE, bed->regs, 35, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 33u);
	KUNIT_EXPECT_EQ(test, bed->regs[32][0], 0x3267u << 2);
}

static void settings_of_a_vmid(struct kunit *test)
{
	struct v8_bed *bed = test->priv;
	u32 i;

	amdm_kfd_gen_v8.program_sh_mem_settings(&bed->xcp, 9, 0xc0, 0x111, 0x222, 0x10002000);
	amdm_kfd_gen_v8.set_scratch_backing_va(&bed->adev, 0x123456789ULL, 9);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_CONFIG), 0xc0u);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_APE1_BASE), 0x111u);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_APE1_LIMIT), 0x222u);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_BASES), 0x10002000u);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_HIDDEN_PRIVATE_BASE_VMID), 0x23456789u);
	for (i = 0; i < fake_registers.count; i++)
		KUNIT_EXPECT_EQ(test, fake_registers.writes[i].vmid, 9u);
}

static void pasids_and_page_tables(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.set_pasid_vmid_mapping(&bed->xcp, 0x8001, 8), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID0_PASID_MAPPING + 8), 0x80008001);
	KUNIT_EXPECT_EQ(test, written(test, mmIH_VMID_0_LUT + 8), 0x8001u);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.set_pasid_vmid_mapping(&bed->xcp, 0x8001, 9), -ETIME);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v8.set_pasid_vmid_mapping(&bed->xcp, 0, 8), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID0_PASID_MAPPING + 8), 0u);
	/* Two arrays of eight */
	amdm_kfd_gen_v8.set_vm_context_page_table_base(&bed->xcp, 7, 0x1234567);
	amdm_kfd_gen_v8.set_vm_context_page_table_base(&bed->xcp, 8, 0x7654321);
	KUNIT_EXPECT_EQ(test, written(test, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR + 7), 0x1234567u);
	KUNIT_EXPECT_EQ(test, written(test, mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR), 0x7654321u);
}

static int submit(struct v8_bed *bed)
{
	return amdm_kfd_gen_v7.submit_ib(&bed->adev, 9, 0x123456000ULL, NULL, 16);
}

static void a_buffer_is_run_on_the_first_compute_ring(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, submit(bed), 0);
	KUNIT_EXPECT_PTR_EQ(test, v8_seen.ran_on, &bed->compute);
	KUNIT_EXPECT_EQ(test, v8_seen.vmid, 9u);
	KUNIT_EXPECT_EQ(test, v8_seen.dwords, 16u);
	KUNIT_EXPECT_EQ(test, v8_seen.addr, 0x123456000ULL);
}

static void a_buffer_that_is_not_run(struct kunit *test)
{
	struct v8_bed *bed = test->priv;

	v8_seen.no_job = true;
	KUNIT_EXPECT_EQ(test, submit(bed), -ENOMEM);
	v8_seen.no_job = false;
	v8_seen.run_answer = -ENODEV;
	KUNIT_EXPECT_EQ(test, submit(bed), -ENODEV);
	v8_seen.run_answer = 0;
	v8_seen.never_ends = true;
	v8_seen.slow = 0;	/* no patience */
	KUNIT_EXPECT_EQ(test, submit(bed), -ETIME);
	KUNIT_EXPECT_EQ(test, v8_seen.jobs, 2u);
	v8_seen.held = true;
	KUNIT_EXPECT_EQ(test, submit(bed), -EBUSY);
	v8_seen.held = false;
	bed->adev.num_rings = 1;
	KUNIT_EXPECT_EQ(test, submit(bed), -EBUSY);
	KUNIT_EXPECT_EQ(test, v8_seen.jobs, 2u);
	KUNIT_EXPECT_NULL(test, amdm_kfd_gen_v8.submit_ib);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_gfx8_queue_is_connected),
	KUNIT_CASE(a_gfx7_queue_is_connected),
	KUNIT_CASE(the_write_pointer_of_the_process),
	KUNIT_CASE(the_hiq_is_told_to_the_rlc),
	KUNIT_CASE(gfx7_cannot_save_waves),
	KUNIT_CASE(nothing_is_touched_in_a_reset),
	KUNIT_CASE(the_dump_of_a_slot),
	KUNIT_CASE(settings_of_a_vmid),
	KUNIT_CASE(pasids_and_page_tables),
	KUNIT_CASE(a_buffer_is_run_on_the_first_compute_ring),
	KUNIT_CASE(a_buffer_that_is_not_run),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_amdkfd_gfx_v8", .init = v8_setup, .exit = v8_teardown, .test_cases = cases };
kunit_test_suite(suite);
