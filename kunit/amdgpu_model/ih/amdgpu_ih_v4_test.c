// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ih_v4_test.c - interrupts since GFX9: how the ring is set up, and what the driver itself does about a VM fault.
 */
#include <kunit/test.h>
#include <linux/pci.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_ih_v4_0		tested_ih_v4_0
#define amdm_ih_place_ring	v4_fake_place
#define amdm_ih_enable		v4_fake_enable
#define amdm_ih_sw_init		v4_fake_sw_init
#define amdm_ih_sw_fini		v4_fake_fini
#define amdm_ih_hw_fini		v4_fake_fini
#define amdm_ih_decode_cp	v4_fake_decode_cp
#define amdm_retry_init		v4_fake_retry_init
#define amdm_retry_fini		v4_fake_fini
#define amdm_retry_enable	v4_fake_retry_enable
#define amdm_retry_stop		v4_fake_fini
#define amdm_retry_repeat	v4_fake_fini
#define amdm_retry_take		v4_fake_retry_take
#include "amdgpu_model/ih/amdgpu_ih_v4.c"

static struct {
	const struct amdm_ih_funcs *funcs;
	u32 cntl, placed;
	u32 cp_source, cp_ring_id;
	u32 retry_enabled, retry_asked;
} v4_seen;

int v4_fake_retry_init(struct amdm_device *adev)
{
	return 0;
}

void v4_fake_retry_enable(struct amdm_device *adev)
{
	v4_seen.retry_enabled++;
}

bool v4_fake_retry_take(struct amdm_device *adev, const u32 *cookie)
{
	v4_seen.retry_asked++;
	return cookie[5] & IH_FAULT_DATA1_RETRY;
}

void v4_fake_place(struct amdm_device *adev)
{
	v4_seen.placed++;
}

void v4_fake_enable(struct amdm_device *adev, u32 cntl)
{
	v4_seen.cntl = cntl;
}

int v4_fake_sw_init(struct amdm_device *adev, const struct amdm_ih_funcs *funcs)
{
	v4_seen.funcs = funcs;
	return 0;
}

void v4_fake_fini(struct amdm_device *adev)
{
}

void v4_fake_decode_cp(u32 source, u32 ring_id, struct amdm_ih_entry *entry)
{
	v4_seen.cp_source = source;
	v4_seen.cp_ring_id = ring_id;
}

struct v4_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
};

static int v4_setup(struct kunit *test)
{
	struct v4_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&v4_seen, 0, sizeof(v4_seen));
	fake_registers_reset();
	device_initialize(&bed->pdev.dev);
	bed->adev.pdev = &bed->pdev;
	return amdm_ih_v4_0.sw_init(&bed->adev);
}

/** struct v4_case - a cookie's client, source and hub, and the register whose clear bit is set for it; 0: none */
struct v4_case {
	const char *name;
	u32 client, source, mmhub;
	u32 cleared;
};

static const struct v4_case v4_cases[] = {
	{ "fault in the GFXHUB", IH_CLIENT_UTCL2, IH_SOURCE_VM_FAULT, 0, mmVM_L2_PROTECTION_FAULT_CNTL },
	{ "fault in the MMHUB", IH_CLIENT_VMC, IH_SOURCE_VM_FAULT, 1, mmMMHUB_VM_L2_PROTECTION_FAULT_CNTL },
	{ "end of a pipe", IH_CLIENT_GRBM_CP, IH_SOURCE_CP_EOP, 0, 0 },
	{ "source 0 of another client", IH_CLIENT_GRBM_CP, IH_SOURCE_VM_FAULT, 0, 0 },
	{ "trap of an SDMA engine", IH_CLIENT_SDMA0, IH_SOURCE_SDMA_TRAP, 0, 0 },
};

static void v4_case_name(const struct v4_case *c, char *text)
{
	strscpy(text, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(v4, v4_cases, v4_case_name);

static void a_cookie(struct kunit *test)
{
	const struct v4_case *c = test->param_value;
	const u32 cookie[IH_COOKIE_DWORDS] = { c->client | c->source << 8 | 9u << 24 | c->mmhub << 31, 0, 0, 0x8001, 0x7f123, 5 };
	struct v4_bed *bed = test->priv;
	u32 value = 0;

	fake_registers_keep(mmVM_L2_PROTECTION_FAULT_CNTL, 0x3ffffffc);
	fake_registers_keep(mmMMHUB_VM_L2_PROTECTION_FAULT_CNTL, 0x3ffffffc);
	v4_seen.funcs->look(&bed->adev, cookie);
	KUNIT_EXPECT_EQ(test, fake_registers.count, c->cleared ? 1u : 0u);
	if (c->cleared) {	/* gmc_v9_0_process_interrupt: WREG32_P(..., 1, ~1) */
		KUNIT_EXPECT_TRUE(test, fake_written(c->cleared, &value));
		KUNIT_EXPECT_EQ(test, value, 0x3ffffffdu);
	}
}

/* Only VM faults can be such as are tried again. */
static void retry_faults_are_taken(struct kunit *test)
{
	u32 cookie[IH_COOKIE_DWORDS] = { IH_CLIENT_UTCL2 | IH_SOURCE_VM_FAULT << 8, 0, 0, 0x8001, 0x7f123, IH_FAULT_DATA1_RETRY };
	struct v4_bed *bed = test->priv;

	KUNIT_EXPECT_TRUE(test, v4_seen.funcs->take(&bed->adev, cookie));
	cookie[5] = 0;
	KUNIT_EXPECT_FALSE(test, v4_seen.funcs->take(&bed->adev, cookie));
	KUNIT_EXPECT_EQ(test, v4_seen.retry_asked, 2u);
	cookie[0] = IH_CLIENT_GRBM_CP | IH_SOURCE_CP_EOP << 8;
	cookie[5] = IH_FAULT_DATA1_RETRY;
	KUNIT_EXPECT_FALSE(test, v4_seen.funcs->take(&bed->adev, cookie));
	KUNIT_EXPECT_EQ(test, v4_seen.retry_asked, 2u);
}

/* vega20_ih_enable_ring */
static void the_ring_is_snooped_and_tells_of_overflows(struct kunit *test)
{
	struct v4_bed *bed = test->priv;
	u32 value;

	KUNIT_EXPECT_EQ(test, v4_seen.funcs->entry_bytes, 32u);
	bed->adev.ih.gpu_addr = 0x12345678900ULL;
	KUNIT_EXPECT_EQ(test, amdm_ih_v4_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, v4_seen.placed, 1u);
	KUNIT_EXPECT_EQ(test, v4_seen.retry_enabled, 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, MC_SPACE), (u32)IH_MC_SPACE_GPU);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, MC_SNOOP), 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE), 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, ENABLE_INTR), 1u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_BASE_HI, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(0x12345678900ULL >> 40));
}

static const struct sdma_layout sdma_4 = { .generation = 4, .engines = 8, .engines_of_aid = 8 };
static const struct sdma_layout sdma_5 = { .generation = 5, .engines = 4, .engines_of_aid = 4 };
static const struct sdma_layout sdma_of_aids = { .generation = 4, .engines = 14, .engines_of_aid = 4 };

/** struct v4_sdma_case - an entry with source 224 (trap), and the engine that it is about; -1: none */
struct v4_sdma_case {
	const char *name;
	const struct sdma_layout *sdma;
	u32 client, ring_id;
	int engine;
	u32 node;
};

static const struct v4_sdma_case v4_sdma_cases[] = {
	{ "second engine", &sdma_4, IH_CLIENT_SDMA1, 0, 1 },
	{ "a user queue of it", &sdma_4, IH_CLIENT_SDMA1, 2, 1 },
	{ "Arcturus's fourth engine", &sdma_4, IH_CLIENT_SDMA3, 0, 3 },
	{ "Arcturus's fifth engine", &sdma_4, IH_CLIENT_SDMA4, 0, 4 },
	{ "Navi 21's fourth engine", &sdma_5, IH_CLIENT_NAVI21_SDMA3, 0, 3 },
	{ "client without an engine", &sdma_5, IH_CLIENT_SDMA7, 0, -1 },
	{ "first interposer die", &sdma_of_aids, IH_CLIENT_SDMA3, 0, 3, 0 },
	{ "another interposer die", &sdma_of_aids, IH_CLIENT_SDMA2, 0, 10, 8 },
	{ "the last interposer die", &sdma_of_aids, IH_CLIENT_SDMA1, 0, 13, 12 },
	{ "no such engine there", &sdma_of_aids, IH_CLIENT_SDMA2, 0, -1, 12 },
	{ "client of a single die", &sdma_of_aids, IH_CLIENT_SDMA4, 0, -1, 0 },
};

static void v4_sdma_name(const struct v4_sdma_case *c, char *text)
{
	strscpy(text, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(v4_sdma, v4_sdma_cases, v4_sdma_name);

static struct amdm_ih_entry decoded_of_node(struct v4_bed *bed, u32 dw0, u32 node)
{
	const u32 cookie[IH_COOKIE_DWORDS] = { [0] = dw0, [3] = node << 16 };
	struct amdm_ih_entry entry = {};

	v4_seen.funcs->decode(&bed->adev, cookie, &entry);
	return entry;
}

static struct amdm_ih_entry decoded(struct v4_bed *bed, u32 dw0)
{
	return decoded_of_node(bed, dw0, 0);
}

static void traps_of_sdma_are_decoded(struct kunit *test)
{
	const struct v4_sdma_case *c = test->param_value;
	struct v4_bed *bed = test->priv;
	struct amdm_ih_entry entry;

	bed->adev.sdma = c->sdma;
	entry = decoded_of_node(bed, c->client | IH_SOURCE_SDMA_TRAP << 8 | c->ring_id << 16 | 5u << 24, c->node);
	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)(c->engine < 0 ? AMDM_IH_OTHER : AMDM_IH_RING_EOP));
	KUNIT_EXPECT_EQ(test, entry.vmid, 5u);
	if (c->engine < 0)
		return;
	KUNIT_EXPECT_TRUE(test, entry.sdma);
	KUNIT_EXPECT_EQ(test, entry.me, (u32)c->engine);
	KUNIT_EXPECT_EQ(test, entry.queue, c->ring_id);
}

static void other_entries_are_decoded(struct kunit *test)
{
	struct v4_bed *bed = test->priv;
	struct amdm_ih_entry entry = decoded(bed, IH_CLIENT_VMC | IH_SOURCE_VM_FAULT << 8 | 7u << 24 | 1u << 31);

	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)AMDM_IH_VM_FAULT);
	KUNIT_EXPECT_EQ(test, entry.vmid, 7u);
	KUNIT_EXPECT_EQ(test, entry.hub, 1u);
	entry = decoded_of_node(bed, IH_CLIENT_VMC | IH_SOURCE_VM_FAULT << 8 | 7u << 24 | 1u << 31, 8);
	KUNIT_EXPECT_EQ(test, entry.hub, 3u);	/* of the third interposer die */
	entry = decoded_of_node(bed, IH_CLIENT_UTCL2 | IH_SOURCE_VM_FAULT << 8 | 7u << 24, 10);
	KUNIT_EXPECT_EQ(test, entry.hub, 0u);
	entry = decoded(bed, IH_CLIENT_SDMA0 | IH_SOURCE_SDMA_ILLEGAL_INST << 8);	/* a source of earlier generations */
	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)AMDM_IH_OTHER);
	decoded(bed, IH_CLIENT_GRBM_CP | IH_SOURCE_CP_EOP << 8 | IH_CP_RING_ID(1, 2, 3) << 16);
	KUNIT_EXPECT_EQ(test, v4_seen.cp_source, (u32)IH_SOURCE_CP_EOP);
	KUNIT_EXPECT_EQ(test, v4_seen.cp_ring_id, IH_CP_RING_ID(1, 2, 3));
}

/* All fields of a cookie (Linux: amdgpu_ih_decode_iv_helper()), each other than its neighbours. */
static void the_trace_has_all_fields(struct kunit *test)
{
	const u32 cookie[IH_COOKIE_DWORDS] = { 0x12 | 0x34 << 8 | 0x56 << 16 | 7u << 24 | 1u << 31, 0x89abcdef, 0x80001234, 0x80008003,
					       1, 2, 3, 4 };
	const struct amdm_iv want = { .client_id = 0x12, .src_id = 0x34, .ring_id = 0x56, .vmid = 7, .vmid_src = 1,
				      .timestamp = 0x123489abcdefull, .timestamp_src = 1, .pasid = 0x8003, .src_data = { 1, 2, 3, 4 } };
	struct amdm_iv iv = {};

	v4_seen.funcs->iv(cookie, &iv);
	KUNIT_EXPECT_EQ(test, memcmp(&iv, &want, sizeof(iv)), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_trace_has_all_fields),
	KUNIT_CASE_PARAM(traps_of_sdma_are_decoded, v4_sdma_gen_params),
	KUNIT_CASE(other_entries_are_decoded),
	KUNIT_CASE_PARAM(a_cookie, v4_gen_params),
	KUNIT_CASE(retry_faults_are_taken),
	KUNIT_CASE(the_ring_is_snooped_and_tells_of_overflows),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ih_v4", .init = v4_setup, .test_cases = cases };
kunit_test_suite(suite);
