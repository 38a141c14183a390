// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_cp_ring_test.c - the kernel's rings on the command processors: which there are, how they are connected, and their packets.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_reg			cp_fake_reg
#define amdm_ring_create		cp_fake_create
#define amdm_doorbell_reset		cp_fake_doorbell_reset
#define amdm_doorbell_write64		cp_fake_doorbell64
#define amdm_doorbell_write32		cp_fake_doorbell32
#define amdm_ring_apply_priority	cp_fake_apply_priority
#define amdm_ring_boost			cp_fake_boost
#define amdm_ring_unboost		cp_fake_boost
#define amdm_ring_emit_wave_limit	cp_fake_wave_limit
#define amdm_gfx_init_interrupts	cp_fake_init_interrupts
#define amdm_rings_start		cp_fake_start
#define amdm_rings_stop			cp_fake_stop
#define amdm_rings_of			cp_fake_rings_of
#define amdm_high_priority		cp_fake_high_priority
#define amdm_cp_rings_create		tested_cp_rings_create
#define amdm_cp_rings_start		tested_cp_rings_start
#define amdm_cp_rings_stop		tested_cp_rings_stop
#define amdm_gfx_owns_queue		tested_owns_queue
#include "amdgpu_model/gfx/amdgpu_cp_ring.c"

#define RING	0x12345678000ULL
#define WB	0x12345700000ULL

static struct {
	struct amdm_ring rings[16];
	u32 created, priorities, resets;
	u64 doorbell64;
	u32 doorbell32;
	u32 none;	/* a register that this chip does not have */
	u32 started[4], starts;
	int start_answer;
} cp_seen;

enum amdm_high_priority cp_fake_high_priority;

u32 cp_fake_rings_of(const struct amdm_device *adev, u32 ip)
{
	u32 i, n = 0;

	for (i = 0; i < cp_seen.created; i++)
		n += cp_seen.rings[i].funcs->ip == ip;
	return n;
}

u32 cp_fake_reg(const struct amdm_device *adev, u32 name)
{
	return cp_seen.none && name == cp_seen.none ? AMDM_REG_NONE : name;
}

struct amdm_ring *cp_fake_create(struct amdm_device *adev, const struct amdm_ring_funcs *funcs, const char *name)
{
	struct amdm_ring *ring = &cp_seen.rings[cp_seen.created++];

	ring->adev = adev;
	ring->funcs = funcs;
	strscpy(ring->name, name, sizeof(ring->name));
	return ring;
}

void cp_fake_doorbell_reset(struct amdm_device *adev, u32 offset, u32 size)
{
	cp_seen.resets++;
}

void cp_fake_doorbell64(struct amdm_device *adev, u32 offset, u64 value)
{
	cp_seen.doorbell64 = value;
}

void cp_fake_doorbell32(struct amdm_device *adev, u32 offset, u32 value)
{
	cp_seen.doorbell32 = value;
}

void cp_fake_apply_priority(struct amdm_ring *ring)
{
	cp_seen.priorities++;
}

void cp_fake_boost(struct amdm_ring *ring, struct amdm_job *job)
{
}

void cp_fake_wave_limit(struct amdm_ring *ring, bool on)
{
}

int cp_fake_init_interrupts(struct amdm_device *adev, u32 pipe)
{
	return 0;
}

int cp_fake_start(struct amdm_device *adev, u32 ip)
{
	cp_seen.started[cp_seen.starts++] = ip;
	return cp_seen.start_answer;
}

void cp_fake_stop(struct amdm_device *adev, u32 ip)
{
}

struct cp_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
	struct amdm_doorbell_assignment doorbells;
	struct amdm_ring compute, gfx;
	u32 dw[AMDM_RING_DWORDS], wb[16];
};

static int cp_setup(struct kunit *test)
{
	struct cp_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&cp_seen, 0, sizeof(cp_seen));
	cp_fake_high_priority = AMDM_HIGH_OFF;
	fake_registers_reset();
	bed->asic.die.rbs = 16;
	bed->asic.gen = &bed->gen;
	bed->asic.doorbells = &bed->doorbells;
	bed->gen.doorbell_bytes = sizeof(u64);
	bed->gen.mecs = 2;
	bed->doorbells.compute = 0x3;
	bed->doorbells.graphics = 0x8b;
	bed->adev.asic = &bed->asic;
	bed->compute = (struct amdm_ring){ .adev = &bed->adev, .funcs = &compute_ring_funcs, .me = 1, .pipe = 2, .queue = 1, .doorbell = 0x28,
					   .dw = bed->dw, .wb = bed->wb, .addr = RING, .wb_addr = WB };
	bed->gfx = bed->compute;
	bed->gfx.funcs = &gfx_ring_funcs;
	bed->gfx.doorbell = 0x458;
	return 0;
}

static void every_pipe_has_two_rings(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 i, pipes[4] = {};

	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, cp_seen.created, 9u);
	KUNIT_EXPECT_EQ(test, cp_seen.rings[0].funcs->ip, (u32)AMDGPU_HW_IP_GFX);
	for (i = 1; i < 9; i++) {
		KUNIT_EXPECT_EQ(test, cp_seen.rings[i].me, 1u);
		pipes[cp_seen.rings[i].pipe & 3]++;
	}
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, pipes[i], 2u);
}

/* amdgpu_gfx_is_high_priority_compute_queue: the first of them, if there is such a way */
static void the_first_ring_is_of_high_priority(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	for (i = 0; i < 9; i++)
		KUNIT_EXPECT_EQ(test, cp_seen.rings[i].prio, AMDM_PRIO_NORMAL);
	memset(&cp_seen, 0, sizeof(cp_seen));
	cp_fake_high_priority = AMDM_HIGH_STATIC;
	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	for (i = 0; i < 9; i++)
		KUNIT_EXPECT_EQ(test, cp_seen.rings[i].prio, i == 1 ? AMDM_PRIO_HIGH : AMDM_PRIO_NORMAL);
}

/* amdgpu_gfx_compute_queue_acquire without the multipipe policy */
static void with_one_mec_the_first_pipe_has_all(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 i;

	bed->gen.mecs = 1;
	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, cp_seen.created, 9u);
	for (i = 1; i < 9; i++)
		KUNIT_EXPECT_EQ(test, cp_seen.rings[i].pipe, 0u);
}

static void compute_dies_have_no_graphics(struct kunit *test)
{
	struct cp_bed *bed = test->priv;

	bed->asic.die.rbs = 0;
	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, cp_seen.created, 8u);
	KUNIT_EXPECT_EQ(test, cp_seen.rings[0].funcs->ip, (u32)AMDGPU_HW_IP_COMPUTE);
}

static void no_two_rings_share_a_doorbell(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 i, j;

	KUNIT_EXPECT_EQ(test, amdm_cp_rings_create(&bed->adev), 0);
	for (i = 0; i < cp_seen.created; i++)
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, cp_seen.rings[i].doorbell, cp_seen.rings[j].doorbell);
}

static void an_hqd_is_connected(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 i, value = 0, active_at = 0, others_after = 0;

	KUNIT_EXPECT_EQ(test, compute_ring_funcs.start(&bed->compute), 0);
	for (i = 0; i < fake_registers.count; i++) {
		const struct fake_write *write = &fake_registers.writes[i];

		KUNIT_EXPECT_EQ_MSG(test, write->me << 8 | write->pipe << 4 | write->queue, 0x121u, "write %u", i);
		if (write->name == mmCP_HQD_ACTIVE && write->value)
			active_at = i;
		else if (active_at)
			others_after++;
	}
	KUNIT_EXPECT_NE(test, active_at, 0u);
	KUNIT_EXPECT_EQ(test, others_after, 0u);	/* it begins when all is said */
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_BASE, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(RING >> 8));
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_CONTROL, &value));
	KUNIT_EXPECT_EQ(test, 2u << REG_GET(value, CP_HQD_PQ_CONTROL, QUEUE_SIZE), (u32)AMDM_RING_DWORDS);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_DOORBELL_CONTROL, &value));
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET), 0x28u / 4);
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN), 1u);
	KUNIT_EXPECT_EQ(test, cp_seen.priorities, 1u);
	KUNIT_EXPECT_EQ(test, cp_seen.resets, 1u);
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
}

/* gfx_v9_0_mqd_init() clears the bit, gfx_v10_0_compute_mqd_init() sets it */
static void workgroups_are_dispatched_in_order_before_gfx10(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, compute_ring_funcs.start(&bed->compute), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_CONTROL, &value));
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_CONTROL, UNORD_DISPATCH), 0u);
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_CONTROL, PRIV_STATE), 1u);
	fake_registers_reset();
	bed->gen.unord_dispatch = true;
	KUNIT_EXPECT_EQ(test, compute_ring_funcs.start(&bed->compute), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_HQD_PQ_CONTROL, &value));
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_CONTROL, UNORD_DISPATCH), 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(value, CP_HQD_PQ_CONTROL, PRIV_STATE), 1u);
}

static void a_register_that_the_chip_has_not(struct kunit *test)
{
	struct cp_bed *bed = test->priv;

	cp_seen.none = mmCP_HQD_AQL_CONTROL;
	KUNIT_EXPECT_EQ(test, compute_ring_funcs.start(&bed->compute), 0);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmCP_HQD_AQL_CONTROL), 0u);
	KUNIT_EXPECT_NE(test, fake_times_written(mmCP_HQD_ACTIVE), 0u);
}

static void graphics_is_halted_while_it_moves(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	const struct fake_write *last;

	KUNIT_EXPECT_EQ(test, gfx_ring_funcs.start(&bed->gfx), 0);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, (u32)mmCP_ME_CNTL);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, CP_ME_HALT);
	last = &fake_registers.writes[fake_registers.count - 1];
	KUNIT_EXPECT_EQ(test, last->name, (u32)mmCP_ME_CNTL);
	KUNIT_EXPECT_EQ(test, last->value, 0u);
}

static void write_pointers(struct kunit *test)
{
	struct cp_bed *bed = test->priv;
	u32 value;

	bed->compute.wptr = bed->gfx.wptr = AMDM_RING_DWORDS + 5;
	compute_ring_funcs.commit(&bed->compute);
	KUNIT_EXPECT_EQ(test, cp_seen.doorbell64, AMDM_RING_DWORDS + 5ULL);
	KUNIT_EXPECT_EQ(test, bed->wb[AMDM_WB_WPTR], AMDM_RING_DWORDS + 5u);
	bed->gen.wptr_wraps = true;	/* 32 bits that wrap; of graphics a register */
	compute_ring_funcs.commit(&bed->compute);
	KUNIT_EXPECT_EQ(test, cp_seen.doorbell32, 5u);
	KUNIT_EXPECT_EQ(test, bed->wb[AMDM_WB_WPTR], 5u);
	gfx_ring_funcs.commit(&bed->gfx);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_RB0_WPTR, &value));
	KUNIT_EXPECT_EQ(test, value, 5u);
}

static void buffers(struct kunit *test)
{
	const struct amdm_ib ib = { .addr = 0x7fff12345678ULL, .dwords = 77, .flags = AMDGPU_IB_FLAG_CE };
	struct cp_bed *bed = test->priv;

	compute_ring_funcs.emit_ib(&bed->compute, &ib, 5);
	KUNIT_EXPECT_EQ(test, bed->compute.wptr, 4ULL);
	KUNIT_EXPECT_EQ(test, bed->dw[0], PM4_HEADER(PM4_INDIRECT_BUFFER, 2));	/* compute has no constant engine */
	KUNIT_EXPECT_EQ(test, bed->dw[1], 0x12345678u);
	KUNIT_EXPECT_EQ(test, bed->dw[2], 0x7fffu);
	KUNIT_EXPECT_EQ(test, bed->dw[3], 77u | PM4_IB_VALID | 5u << 24);
	gfx_ring_funcs.emit_ib(&bed->gfx, &ib, 5);
	KUNIT_EXPECT_EQ(test, bed->dw[0], PM4_HEADER(PM4_INDIRECT_BUFFER_CONST, 2));
}

static void fences(struct kunit *test)
{
	struct cp_bed *bed = test->priv;

	compute_ring_funcs.emit_fence(&bed->compute, WB + 16, 0x11223344, false);
	KUNIT_EXPECT_EQ(test, bed->compute.wptr, (u64)PM4_RELEASE_MEM_DWORDS);
	KUNIT_EXPECT_EQ(test, bed->dw[0], PM4_HEADER(PM4_RELEASE_MEM, PM4_RELEASE_MEM_DWORDS - 2));
	KUNIT_EXPECT_EQ(test, bed->dw[2] >> 29, (u32)PM4_DATA_32);
	KUNIT_EXPECT_EQ(test, bed->dw[2] >> 24 & 3, (u32)PM4_INT_AFTER_WRITE);
	KUNIT_EXPECT_EQ(test, bed->dw[3], (u32)(WB + 16));
	KUNIT_EXPECT_EQ(test, bed->dw[5], 0x11223344u);
	bed->compute.wptr = 0;
	compute_ring_funcs.emit_fence(&bed->compute, WB + 16, 0x5566778811223344ULL, true);
	KUNIT_EXPECT_EQ(test, bed->dw[2] >> 29, (u32)PM4_DATA_64);
	KUNIT_EXPECT_EQ(test, bed->dw[2] >> 24 & 3, (u32)PM4_INT_NONE);
	KUNIT_EXPECT_EQ(test, bed->dw[6], 0x55667788u);
	bed->gen.event_write_eop = true;	/* gfx_v8_0_ring_emit_fence_gfx */
	gfx_ring_funcs.emit_fence(&bed->gfx, WB + 16, 0x11223344, false);
	KUNIT_EXPECT_EQ(test, bed->gfx.wptr, (u64)PM4_EVENT_WRITE_EOP_DWORDS);
	KUNIT_EXPECT_EQ(test, bed->dw[0], PM4_HEADER(PM4_EVENT_WRITE_EOP, PM4_EVENT_WRITE_EOP_DWORDS - 2));
	KUNIT_EXPECT_EQ(test, bed->dw[3], ((u32)((WB + 16) >> 32) & 0xffff) | (u32)PM4_DATA_32 << 29 | (u32)PM4_INT_AFTER_WRITE << 24);
}

static void faults(struct kunit *test)
{
	struct cp_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, compute_ring_funcs.faulted(&bed->compute), 0);
	fake_registers_keep(mmCP_HQD_ERROR, REG_MASK(CP_HQD_ERROR, IB_UTCL1_ERROR));
	KUNIT_EXPECT_EQ(test, compute_ring_funcs.faulted(&bed->compute), 1);
	cp_seen.none = mmCP_HQD_ERROR;		/* GFX7 and GFX8 do not tell */
	KUNIT_EXPECT_EQ(test, compute_ring_funcs.faulted(&bed->compute), -ENODATA);
	KUNIT_EXPECT_EQ(test, gfx_ring_funcs.faulted(&bed->gfx), 0);
	cp_seen.none = mmCPG_UTCL1_ERROR;
	KUNIT_EXPECT_EQ(test, gfx_ring_funcs.faulted(&bed->gfx), -ENODATA);
}

static void graphics_starts_first(struct kunit *test)
{
	struct cp_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_cp_rings_start(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, cp_seen.started[0], (u32)AMDGPU_HW_IP_GFX);
	KUNIT_EXPECT_EQ(test, cp_seen.started[1], (u32)AMDGPU_HW_IP_COMPUTE);
	cp_seen.start_answer = -ETIMEDOUT;
	KUNIT_EXPECT_EQ(test, amdm_cp_rings_start(&bed->adev), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, cp_seen.starts, 3u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(every_pipe_has_two_rings),
	KUNIT_CASE(the_first_ring_is_of_high_priority),
	KUNIT_CASE(with_one_mec_the_first_pipe_has_all),
	KUNIT_CASE(compute_dies_have_no_graphics),
	KUNIT_CASE(no_two_rings_share_a_doorbell),
	KUNIT_CASE(an_hqd_is_connected),
	KUNIT_CASE(workgroups_are_dispatched_in_order_before_gfx10),
	KUNIT_CASE(a_register_that_the_chip_has_not),
	KUNIT_CASE(graphics_is_halted_while_it_moves),
	KUNIT_CASE(write_pointers),
	KUNIT_CASE(buffers),
	KUNIT_CASE(fences),
	KUNIT_CASE(faults),
	KUNIT_CASE(graphics_starts_first),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_cp_ring", .init = cp_setup, .test_cases = cases };
kunit_test_suite(suite);
