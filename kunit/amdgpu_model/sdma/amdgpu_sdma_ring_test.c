// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_sdma_ring_test.c - what the kernel's rings of the copy engines say to them, before and since SDMA 4.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/mem/amdgpu_copier.h"

#define amdm_reg		sdma_fake_reg
#define amdm_ring_create	sdma_fake_create
#define amdm_doorbell_reset	sdma_fake_doorbell_reset
#define amdm_doorbell_write64	sdma_fake_doorbell
#define amdm_sdma_rings_create	tested_sdma_rings_create
#define amdm_sdma_copier	sdma_fake_copier
#include "amdgpu_model/sdma/amdgpu_sdma_ring.c"

#define BASE	0x4980u
#define BLOCK	0x80u
#define RING	0x12345678000ULL
#define WB	0x12345700000ULL

static struct {
	u64 doorbell;
	u32 doorbells, offset, resets;
	struct amdm_ring rings[8];
	u32 created;
	int refuse_from;
} sdma_seen;

const struct amdm_copier sdma_fake_copier;

u32 sdma_fake_reg(const struct amdm_device *adev, u32 name)
{
	return name + 0x10000;
}

struct amdm_ring *sdma_fake_create(struct amdm_device *adev, const struct amdm_ring_funcs *funcs, const char *name)
{
	struct amdm_ring *ring = &sdma_seen.rings[sdma_seen.created];

	if (sdma_seen.refuse_from && sdma_seen.created + 1 >= sdma_seen.refuse_from)
		return ERR_PTR(-ENOSPC);
	ring->adev = adev;
	ring->funcs = funcs;
	strscpy(ring->name, name, sizeof(ring->name));
	sdma_seen.created++;
	return ring;
}

void sdma_fake_doorbell_reset(struct amdm_device *adev, u32 offset, u32 size)
{
	sdma_seen.resets++;
}

void sdma_fake_doorbell(struct amdm_device *adev, u32 offset, u64 value)
{
	sdma_seen.doorbells++;
	sdma_seen.offset = offset;
	sdma_seen.doorbell = value;
}

struct sdma_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct amdm_doorbell_assignment doorbells;
	struct sdma_layout layout;
	struct amdm_ring ring;
	u32 dw[AMDM_RING_DWORDS];
};

static int sdma_setup(struct kunit *test)
{
	struct sdma_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&sdma_seen, 0, sizeof(sdma_seen));
	fake_registers_reset();
	bed->layout = (struct sdma_layout){ .generation = 4, .engines = 2, .engines_of_aid = 2, .gfx = BLOCK, .base = { BASE, BASE + 0x1000 } };
	bed->doorbells.sdma[0] = 0xf0;
	bed->doorbells.sdma[1] = 0xfa;
	bed->asic.doorbells = &bed->doorbells;
	bed->adev.asic = &bed->asic;
	bed->adev.sdma = &bed->layout;
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &sdma_ring_funcs, .dw = bed->dw, .addr = RING, .wb_addr = WB, .doorbell = 0x780 };
	return 0;
}

/* Since SDMA 4 a register of the block, before it another one. */
static u32 block_register(struct sdma_bed *bed, u32 reg, u32 old_reg)
{
	return BASE + BLOCK + (bed->layout.generation < 4 ? old_reg : reg);
}

static void a_ring_is_connected(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;
	const struct fake_write *last;
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, sdma_ring_funcs.start(&bed->ring), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(BASE + BLOCK + SDMA_RLC_RB_BASE, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(RING >> 8));
	KUNIT_EXPECT_TRUE(test, fake_written(BASE + BLOCK + SDMA_RLC_RB_BASE_HI, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(RING >> 40));
	KUNIT_EXPECT_TRUE(test, fake_written(BASE + BLOCK + SDMA_RLC_RB_RPTR_ADDR_LO, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)WB);
	KUNIT_EXPECT_TRUE(test, fake_written(BASE + BLOCK + SDMA_RLC_DOORBELL_OFFSET, &value));
	KUNIT_EXPECT_EQ(test, value, bed->ring.doorbell);
	KUNIT_EXPECT_EQ(test, sdma_seen.resets, 1u);
	last = &fake_registers.writes[fake_registers.count - 1];	/* enabled when all else is there */
	KUNIT_EXPECT_EQ(test, last->name, BASE + BLOCK + SDMA_RLC_RB_CNTL);
	KUNIT_EXPECT_EQ(test, REG_GET(last->value, SDMA_RLC_RB_CNTL, RB_ENABLE), 1u);
	KUNIT_EXPECT_EQ(test, 1u << REG_GET(last->value, SDMA_RLC_RB_CNTL, RB_SIZE), (u32)AMDM_RING_DWORDS);
	KUNIT_EXPECT_EQ(test, REG_GET(fake_registers.writes[0].value, SDMA_RLC_RB_CNTL, RB_ENABLE), 0u);	/* first it is off */
}

static void an_old_ring_is_connected(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;
	u32 value;

	bed->layout.generation = 2;
	KUNIT_EXPECT_EQ(test, sdma_ring_funcs.start(&bed->ring), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(block_register(bed, SDMA_RLC_RB_BASE, SDMA3_RLC_RB_BASE), &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(RING >> 8));
	KUNIT_EXPECT_EQ(test, sdma_seen.resets, 0u);	/* its pointer is a register */
}

static void pointers_are_bytes(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;
	u32 value;

	bed->ring.wptr = AMDM_RING_DWORDS + 24;
	sdma_ring_funcs.commit(&bed->ring);
	KUNIT_EXPECT_EQ(test, sdma_seen.doorbell, (AMDM_RING_DWORDS + 24) * 4ULL);	/* never wrapped */
	KUNIT_EXPECT_EQ(test, sdma_seen.offset, 0x780u);
	bed->layout.generation = 3;
	sdma_ring_funcs.commit(&bed->ring);
	KUNIT_EXPECT_EQ(test, sdma_seen.doorbells, 1u);
	KUNIT_EXPECT_TRUE(test, fake_written(BASE + BLOCK + SDMA3_RLC_RB_WPTR, &value));
	KUNIT_EXPECT_EQ(test, value, 24u * 4);		/* wrapped */
}

/* sdma_v4_0_ring_emit_ib: (wptr + 6) & 7 == 0, whatever stands before it */
static void a_buffer_ends_on_eight_dwords(struct kunit *test)
{
	const struct amdm_ib ib = { .addr = 0x7fff12345fe0ULL, .dwords = 77 };
	struct sdma_bed *bed = test->priv;
	u32 before;

	for (before = 0; before < 9; before++) {
		const u32 *packet;

		bed->ring.wptr = before;
		sdma_ring_funcs.emit_ib(&bed->ring, &ib, 5);
		KUNIT_EXPECT_EQ(test, bed->ring.wptr & 7, 0ULL);
		packet = &bed->dw[bed->ring.wptr - 6];
		KUNIT_EXPECT_EQ(test, packet[0], SDMA_HEADER(SDMA_OP_INDIRECT, 0) | 5u << 16);
		KUNIT_EXPECT_EQ(test, packet[1], 0x12345fe0u);
		KUNIT_EXPECT_EQ(test, packet[2], 0x7fffu);
		KUNIT_EXPECT_EQ(test, packet[3], 77u);
	}
}

static void fences_and_traps(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	sdma_ring_funcs.emit_fence(&bed->ring, WB + 16, 0x11223344, false);
	KUNIT_EXPECT_EQ(test, bed->ring.wptr, 6ULL);
	KUNIT_EXPECT_EQ(test, bed->dw[0] & 0xff, (u32)SDMA_OP_FENCE);
	KUNIT_EXPECT_EQ(test, bed->dw[1], (u32)(WB + 16));
	KUNIT_EXPECT_EQ(test, bed->dw[3], 0x11223344u);
	KUNIT_EXPECT_EQ(test, bed->dw[4] & 0xff, (u32)SDMA_OP_TRAP);
	bed->ring.wptr = 0;
	sdma_ring_funcs.emit_fence(&bed->ring, WB + 24, 0x5566778811223344ULL, true);	/* for user space: no interrupt */
	KUNIT_EXPECT_EQ(test, bed->ring.wptr, 8ULL);
	KUNIT_EXPECT_EQ(test, bed->dw[3], 0x11223344u);
	KUNIT_EXPECT_EQ(test, bed->dw[5], (u32)(WB + 28));
	KUNIT_EXPECT_EQ(test, bed->dw[7], 0x55667788u);
}

static void registers_are_written_and_waited_for(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	sdma_ring_funcs.emit_wreg(&bed->ring, 0x123, 7);
	KUNIT_EXPECT_EQ(test, bed->dw[0], SDMA_HEADER(SDMA_OP_SRBM_WRITE, 0) | 0xfu << 28);
	KUNIT_EXPECT_EQ(test, bed->dw[1], 0x10123u);	/* where the chip has it */
	KUNIT_EXPECT_EQ(test, bed->dw[2], 7u);
	bed->ring.wptr = 0;
	sdma_ring_funcs.emit_wait(&bed->ring, 0x123, 1, 3);
	KUNIT_EXPECT_EQ(test, bed->dw[0] >> 28, 3u);	/* equal, of a register */
	KUNIT_EXPECT_EQ(test, bed->dw[1], 0x10123u << 2);
	KUNIT_EXPECT_EQ(test, bed->dw[3], 1u);
	KUNIT_EXPECT_EQ(test, bed->dw[4], 3u);
}

static void a_fault_is_seen(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, sdma_ring_funcs.faulted(&bed->ring), 0);
	fake_registers_keep(BASE + BLOCK + SDMA_RLC_CONTEXT_STATUS, REG_SET(0, SDMA_RLC_CONTEXT_STATUS, EXCEPTION, 1));
	KUNIT_EXPECT_EQ(test, sdma_ring_funcs.faulted(&bed->ring), 1);
}

static void a_ring_for_each_engine(struct kunit *test)
{
	struct sdma_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_sdma_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, sdma_seen.created, 2u);
	KUNIT_EXPECT_STREQ(test, sdma_seen.rings[1].name, "sdma1");
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[1].me, 1u);
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[1].doorbell, 0xfau << 3);
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[1].hub, 1u);
	memset(&sdma_seen, 0, sizeof(sdma_seen));
	bed->layout.engines_of_aid = 1;	/* each on an interposer die of its own */
	KUNIT_EXPECT_EQ(test, amdm_sdma_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[0].hub, 1u);
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[1].hub, 2u);
	memset(&sdma_seen, 0, sizeof(sdma_seen));
	bed->layout.generation = 5;	/* one hub for all engines */
	KUNIT_EXPECT_EQ(test, amdm_sdma_rings_create(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, sdma_seen.rings[1].hub, 0u);
	memset(&sdma_seen, 0, sizeof(sdma_seen));
	sdma_seen.refuse_from = 2;
	KUNIT_EXPECT_EQ(test, amdm_sdma_rings_create(&bed->adev), -ENOSPC);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_ring_is_connected),
	KUNIT_CASE(an_old_ring_is_connected),
	KUNIT_CASE(pointers_are_bytes),
	KUNIT_CASE(a_buffer_ends_on_eight_dwords),
	KUNIT_CASE(fences_and_traps),
	KUNIT_CASE(registers_are_written_and_waited_for),
	KUNIT_CASE(a_fault_is_seen),
	KUNIT_CASE(a_ring_for_each_engine),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_sdma_ring", .init = sdma_setup, .test_cases = cases };
kunit_test_suite(suite);
