// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ring_irq_test.c - which ring an entry of the interrupt ring is about, and what becomes of it, before and since GFX9.
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

static const struct amdm_asic asic_7 = { .before_gfx9 = true }, asic_9 = {};
static const struct sdma_layout sdma_2 = { .generation = 2, .engines = 2 }, sdma_4 = { .generation = 4, .engines = 8 },
				sdma_5 = { .generation = 5, .engines = 4 };

/* An entry, and the rings that hear of it (bits) with what they hear. */
struct entry_row {
	const char *name;
	const struct amdm_asic *asic;
	const struct sdma_layout *sdma;
	u32 client, source, ring_id, vmid;
	bool mmhub;
	u32 rings;
	enum heard heard;
};

static const struct entry_row rows[] = {
	{ "graphics ring has ended a job", &asic_9, &sdma_4, IH_CLIENT_GRBM_CP, IH_SOURCE_CP_EOP, 0, 0, false, BIT(GFX), ENDED },
	{ "compute ring has", &asic_9, &sdma_4, IH_CLIENT_GRBM_CP, IH_SOURCE_CP_EOP, IH_CP_RING_ID(1, 3, 1), 0, false, BIT(COMP_3_1), ENDED },
	{ "queue of KFD has", &asic_9, &sdma_4, IH_CLIENT_GRBM_CP, IH_SOURCE_CP_EOP, IH_CP_RING_ID(1, 3, 1), 8, false, 0, NOTHING },
	{ "queue that is no ring", &asic_9, &sdma_4, IH_CLIENT_GRBM_CP, IH_SOURCE_CP_EOP, IH_CP_RING_ID(1, 2, 5), 0, false, 0, NOTHING },
	{ "bad packet", &asic_9, &sdma_4, IH_CLIENT_GRBM_CP, IH_SOURCE_CP_BAD_OPCODE, IH_CP_RING_ID(1, 0, 0), 0, false, BIT(COMP_0_0), CERTAIN },
	{ "privileged register", &asic_7, &sdma_2, 0, IH_SOURCE_CP_PRIV_REG, IH_CP_RING_ID(1, 0, 0), 0, false, BIT(COMP_0_0), CERTAIN },
	{ "SDMA trap", &asic_9, &sdma_4, IH_CLIENT_SDMA1, IH_SOURCE_SDMA_TRAP, 0, 0, false, BIT(SDMA1), ENDED },
	{ "SDMA trap of a user queue", &asic_9, &sdma_4, IH_CLIENT_SDMA1, IH_SOURCE_SDMA_TRAP, 2, 0, false, 0, NOTHING },
	{ "Arcturus's fourth engine", &asic_9, &sdma_4, IH_CLIENT_SDMA3, IH_SOURCE_SDMA_TRAP, 0, 0, false, BIT(SDMA3), ENDED },
	{ "Navi 21's fourth engine", &asic_9, &sdma_5, IH_CLIENT_NAVI21_SDMA3, IH_SOURCE_SDMA_TRAP, 0, 0, false, BIT(SDMA3), ENDED },
	{ "old SDMA trap", &asic_7, &sdma_2, 0, IH_SOURCE_SDMA_TRAP, 1, 0, false, BIT(SDMA1), ENDED },
	{ "old SDMA trap of a user queue", &asic_7, &sdma_2, 0, IH_SOURCE_SDMA_TRAP, 1 | 1 << 2, 0, false, 0, NOTHING },
	{ "old SDMA bad packet", &asic_7, &sdma_2, 0, IH_SOURCE_SDMA_ILLEGAL_INST, 0, 0, false, BIT(SDMA0), CERTAIN },
	{ "no such source since GFX9", &asic_9, &sdma_4, IH_CLIENT_SDMA0, IH_SOURCE_SDMA_ILLEGAL_INST, 0, 0, false, 0, NOTHING },
	{ "missing page, GFXHUB", &asic_9, &sdma_4, IH_CLIENT_UTCL2, IH_SOURCE_VM_FAULT, 0, BUSY_VMID, false,
	  BIT(GFX) | BIT(COMP_0_0) | BIT(COMP_3_1), SUSPECTED },
	{ "missing page, MMHUB", &asic_9, &sdma_4, IH_CLIENT_VMC, IH_SOURCE_VM_FAULT, 0, BUSY_VMID, true,
	  BIT(SDMA0) | BIT(SDMA1) | BIT(SDMA3), SUSPECTED },
	{ "missing page of nobody's VMID", &asic_9, &sdma_4, IH_CLIENT_UTCL2, IH_SOURCE_VM_FAULT, 0, BUSY_VMID + 1, false, 0, NOTHING },
	{ "missing page, one hub", &asic_7, &sdma_2, 0, IH_SOURCE_OLD_PAGE_FAULT, 0, BUSY_VMID, false, BIT(RINGS) - 1, SUSPECTED },
	{ "missing page of KFD", &asic_9, &sdma_4, IH_CLIENT_UTCL2, IH_SOURCE_VM_FAULT, 0, 9, false, 0, NOTHING },
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
	u32 cookie[IH_COOKIE_DWORDS] = {}, i;

	KUNIT_ASSERT_NOT_NULL(test, adev);
	adev->asic = row->asic;
	adev->sdma = row->sdma;
	adev->num_rings = RINGS;
	for (i = 0; i < RINGS; i++) {
		struct amdm_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, ring);
		ring->index = i;
		ring->funcs = places[i].funcs;
		ring->me = places[i].me;
		ring->pipe = places[i].pipe;
		ring->queue = places[i].queue;
		ring->mmhub = places[i].funcs == &sdma_funcs && row->sdma->generation == 4;
		adev->rings[i] = ring;
	}
	if (row->asic->before_gfx9) {
		cookie[0] = row->source;
		cookie[2] = row->ring_id | row->vmid << 8;
	} else {
		cookie[0] = row->client | row->source << 8 | row->ring_id << 16 | row->vmid << 24 | (u32)row->mmhub << 31;
	}
	memset(heard_by, 0, sizeof(heard_by));
	amdm_rings_interrupt(adev, cookie);
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
