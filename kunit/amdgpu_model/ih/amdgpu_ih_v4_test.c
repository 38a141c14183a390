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
#include "amdgpu_model/ih/amdgpu_ih_v4.c"

static struct {
	const struct amdm_ih_funcs *funcs;
	u32 cntl, placed;
} v4_seen;

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

/* vega20_ih_enable_ring */
static void the_ring_is_snooped_and_tells_of_overflows(struct kunit *test)
{
	struct v4_bed *bed = test->priv;
	u32 value;

	KUNIT_EXPECT_EQ(test, v4_seen.funcs->entry_bytes, 32u);
	bed->adev.ih.gpu_addr = 0x12345678900ULL;
	KUNIT_EXPECT_EQ(test, amdm_ih_v4_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, v4_seen.placed, 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, MC_SPACE), (u32)IH_MC_SPACE_GPU);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, MC_SNOOP), 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE), 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v4_seen.cntl, IH_RB_CNTL, ENABLE_INTR), 1u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_BASE_HI, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(0x12345678900ULL >> 40));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_cookie, v4_gen_params),
	KUNIT_CASE(the_ring_is_snooped_and_tells_of_overflows),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ih_v4", .init = v4_setup, .test_cases = cases };
kunit_test_suite(suite);
