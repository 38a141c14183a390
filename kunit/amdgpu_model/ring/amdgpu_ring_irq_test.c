// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ring_irq_test.c - which ring an entry of the interrupt ring is about, and what the ring's driver learns of it.
 */
#include <kunit/test.h>

#define amdm_fence_process	fake_fence_process
#define amdm_fence_first	fake_fence_first
#define amdm_recover_complaint	fake_complaint
#include "amdgpu_model/ring/amdgpu_ring_irq.c"

#define BUSY_VMID	3	/* of the job that every ring is at */

enum heard { NOTHING, ENDED, CERTAIN, SUSPECTED };

static enum heard heard_by[AMDM_MAX_RINGS];

void fake_fence_process(struct amdm_ring *ring)
{
	heard_by[ring->index] = ENDED;
}

bool fake_fence_first(struct amdm_ring *ring, u32 *seq, u32 *vmid)
{
	*seq = 1;
	*vmid = BUSY_VMID;
	return true;
}

void fake_complaint(struct amdm_ring *ring, u32 seq, bool certain)
{
	heard_by[ring->index] = certain ? CERTAIN : SUSPECTED;
}

enum { GFX, COMP_0_0, COMP_3_1, SDMA0, SDMA1, SDMA3, RINGS };

static const struct amdm_ring_funcs gfx_funcs = { .ip = AMDGPU_HW_IP_GFX }, compute_funcs = { .ip = AMDGPU_HW_IP_COMPUTE },
				    sdma_funcs = { .ip = AMDGPU_HW_IP_DMA };
static const struct {
	const struct amdm_ring_funcs *funcs;
	u32 me, pipe, queue;
} places[RINGS] = {
	[GFX] = { &gfx_funcs }, [COMP_0_0] = { &compute_funcs, 1 }, [COMP_3_1] = { &compute_funcs, 1, 3, 1 },
	[SDMA0] = { &sdma_funcs, 0 }, [SDMA1] = { &sdma_funcs, 1 }, [SDMA3] = { &sdma_funcs, 3 },
};

/* An entry, and the rings that hear of it (bits) with what they hear. */
struct entry_row {
	const char *name;
	struct amdm_ih_entry entry;
	u32 rings;
	enum heard heard;
};

#define CP(what, ...)	{ .event = AMDM_IH_RING_##what, .me = 1, __VA_ARGS__ }
#define SDMA(what, ...)	{ .event = AMDM_IH_RING_##what, .sdma = true, __VA_ARGS__ }
#define FAULT(...)	{ .event = AMDM_IH_VM_FAULT, __VA_ARGS__ }

static const struct entry_row rows[] = {
	{ "graphics ring has ended a job", { .event = AMDM_IH_RING_EOP }, BIT(GFX), ENDED },
	{ "compute ring has", CP(EOP, .pipe = 3, .queue = 1), BIT(COMP_3_1), ENDED },
	{ "queue of KFD has", CP(EOP, .pipe = 3, .queue = 1, .vmid = 8), 0, NOTHING },
	{ "queue that is no ring", CP(EOP, .pipe = 2, .queue = 5), 0, NOTHING },
	{ "bad packet", CP(ERROR), BIT(COMP_0_0), CERTAIN },
	{ "SDMA engine has ended a job", SDMA(EOP, .me = 1), BIT(SDMA1), ENDED },
	{ "fourth SDMA engine has", SDMA(EOP, .me = 3), BIT(SDMA3), ENDED },
	{ "user queue of an SDMA engine has", SDMA(EOP, .me = 1, .queue = 2), 0, NOTHING },
	{ "bad packet of SDMA", SDMA(ERROR), BIT(SDMA0), CERTAIN },
	{ "something else", { .event = AMDM_IH_OTHER }, 0, NOTHING },
	{ "missing page, GFXHUB", FAULT(.vmid = BUSY_VMID), BIT(GFX) | BIT(COMP_0_0) | BIT(COMP_3_1), SUSPECTED },
	{ "missing page, MMHUB", FAULT(.vmid = BUSY_VMID, .hub = 1), BIT(SDMA0) | BIT(SDMA1) | BIT(SDMA3), SUSPECTED },
	{ "missing page of nobody's VMID", FAULT(.vmid = BUSY_VMID + 1), 0, NOTHING },
	{ "missing page of KFD", FAULT(.vmid = 9), 0, NOTHING },
};

static void row_name(const struct entry_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(entry, rows, row_name);

static void irq_entry(struct kunit *test)
{
	const struct entry_row *row = test->param_value;
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, adev);
	adev->num_rings = RINGS;
	for (i = 0; i < RINGS; i++) {
		struct amdm_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, ring);
		ring->index = i;
		ring->funcs = places[i].funcs;
		ring->me = places[i].me;
		ring->pipe = places[i].pipe;
		ring->queue = places[i].queue;
		ring->hub = places[i].funcs == &sdma_funcs;
		adev->rings[i] = ring;
	}
	memset(heard_by, 0, sizeof(heard_by));
	amdm_rings_interrupt(adev, &row->entry);
	for (i = 0; i < RINGS; i++)
		KUNIT_EXPECT_EQ(test, (u32)heard_by[i], (u32)(row->rings & BIT(i) ? row->heard : NOTHING));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(irq_entry, entry_gen_params),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_ring_irq",
	.test_cases = cases,
};
kunit_test_suite(suite);
