// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ih_v3_test.c - interrupts of GFX7 and GFX8: a VM fault's registers are read at once and kept until KFD has asked.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_gmc_v8_fault	v3_fake_fault
#define amdm_ih_v3_0		tested_ih_v3_0
#define amdm_kgd_vm_fault_vmid	tested_fault_vmid
#define amdm_kgd_vm_fault_info	tested_fault_info
#define amdm_ih_place_ring	v3_fake_place
#define amdm_ih_enable		v3_fake_enable
#define amdm_ih_sw_init		v3_fake_sw_init
#define amdm_ih_sw_fini		v3_fake_fini
#define amdm_ih_hw_fini		v3_fake_fini
#define amdm_ih_decode_cp	v3_fake_decode_cp
#include "amdgpu_model/ih/amdgpu_ih_v3.c"

static struct {
	const struct amdm_ih_funcs *funcs;
	u32 reads, cntl;
	u32 cp_source, cp_ring_id;
	bool has_fault;
	struct kgd_fault_info fault;
} v3_seen;

bool v3_fake_fault(struct amdm_device *adev, struct kgd_fault_info *info)
{
	v3_seen.reads++;
	*info = v3_seen.fault;
	return v3_seen.has_fault;
}

void v3_fake_place(struct amdm_device *adev)
{
}

void v3_fake_enable(struct amdm_device *adev, u32 cntl)
{
	v3_seen.cntl = cntl;
}

int v3_fake_sw_init(struct amdm_device *adev, const struct amdm_ih_funcs *funcs)
{
	v3_seen.funcs = funcs;
	return 0;
}

void v3_fake_fini(struct amdm_device *adev)
{
}

void v3_fake_decode_cp(u32 source, u32 ring_id, struct amdm_ih_entry *entry)
{
	v3_seen.cp_source = source;
	v3_seen.cp_ring_id = ring_id;
}

struct v3_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
};

static int v3_setup(struct kunit *test)
{
	struct v3_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&v3_seen, 0, sizeof(v3_seen));
	fake_registers_reset();
	bed->adev.asic = &bed->asic;
	bed->asic.gen = &bed->gen;
	spin_lock_init(&bed->adev.ih.lock);
	return amdm_ih_v3_0.sw_init(&bed->adev);
}

static void interrupt(struct v3_bed *bed, u32 source)
{
	const u32 entry[IH_OLD_BYTES / 4] = { source };

	v3_seen.funcs->look(&bed->adev, entry);
}

static void a_fault_is_kept(struct kunit *test)
{
	struct v3_bed *bed = test->priv;
	struct kgd_fault_info info;

	v3_seen.has_fault = true;
	v3_seen.fault = (struct kgd_fault_info){ .page = 0x77, .vmid = 9, .status = 1, .prot_valid = true };
	interrupt(bed, IH_SOURCE_OLD_PAGE_FAULT);
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_fault_vmid(&bed->adev), 9u);
	v3_seen.fault.page = 0x88;	/* a second one before KFD has asked: the first stays */
	v3_seen.fault.vmid = 10;
	interrupt(bed, IH_SOURCE_OLD_PROT_FAULT);
	amdm_kgd_vm_fault_info(&bed->adev, &info);
	KUNIT_EXPECT_EQ(test, info.page, 0x77ULL);
	KUNIT_EXPECT_EQ(test, info.vmid, 9u);
	amdm_kgd_vm_fault_info(&bed->adev, &info);	/* and is reported once */
	KUNIT_EXPECT_EQ(test, info.status, 0u);
	interrupt(bed, IH_SOURCE_OLD_PROT_FAULT);
	amdm_kgd_vm_fault_info(&bed->adev, &info);
	KUNIT_EXPECT_EQ(test, info.page, 0x88ULL);
}

static void a_fault_that_the_registers_do_not_know(struct kunit *test)
{
	struct v3_bed *bed = test->priv;

	v3_seen.fault.vmid = 9;
	interrupt(bed, IH_SOURCE_OLD_PAGE_FAULT);
	KUNIT_EXPECT_EQ(test, v3_seen.reads, 1u);
	KUNIT_EXPECT_EQ(test, amdm_kgd_vm_fault_vmid(&bed->adev), 0u);
}

static void other_interrupts_read_no_registers(struct kunit *test)
{
	struct v3_bed *bed = test->priv;

	v3_seen.has_fault = true;
	interrupt(bed, IH_SOURCE_CP_EOP);
	interrupt(bed, IH_SOURCE_SDMA_TRAP);
	KUNIT_EXPECT_EQ(test, v3_seen.reads, 0u);
	KUNIT_EXPECT_EQ(test, v3_seen.funcs->entry_bytes, 16u);
}

/* cik_ih_enable_interrupts has a register of its own for what is a bit of IH_RB_CNTL in tonga_ih.c. */
static void interrupts_are_enabled(struct kunit *test)
{
	struct v3_bed *bed = test->priv;
	u32 value;

	bed->gen.ih_cntl_enables = true;
	KUNIT_EXPECT_EQ(test, amdm_ih_v3_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_CNTL, &value));
	KUNIT_EXPECT_EQ(test, value & 1, 1u);
	KUNIT_EXPECT_EQ(test, REG_GET(v3_seen.cntl, IH_RB_CNTL, ENABLE_INTR), 0u);
	fake_registers_reset();
	bed->gen.ih_cntl_enables = false;
	KUNIT_EXPECT_EQ(test, amdm_ih_v3_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmIH_CNTL), 0u);
	KUNIT_EXPECT_EQ(test, REG_GET(v3_seen.cntl, IH_RB_CNTL, ENABLE_INTR), 1u);
}

static struct amdm_ih_entry decoded(struct v3_bed *bed, u32 source, u32 ring_id, u32 vmid)
{
	const u32 cookie[IH_OLD_BYTES / 4] = { source, 0, ring_id | vmid << 8 };
	struct amdm_ih_entry entry = {};

	v3_seen.funcs->decode(&bed->adev, cookie, &entry);
	return entry;
}

static void entries_are_decoded(struct kunit *test)
{
	struct v3_bed *bed = test->priv;
	struct amdm_ih_entry entry = decoded(bed, IH_SOURCE_SDMA_TRAP, 1 | 2 << 2, 3);

	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)AMDM_IH_RING_EOP);
	KUNIT_EXPECT_TRUE(test, entry.sdma);
	KUNIT_EXPECT_EQ(test, entry.me, 1u);
	KUNIT_EXPECT_EQ(test, entry.queue, 2u);
	KUNIT_EXPECT_EQ(test, entry.vmid, 3u);
	entry = decoded(bed, IH_SOURCE_SDMA_ILLEGAL_INST, 0, 0);
	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)AMDM_IH_RING_ERROR);
	KUNIT_EXPECT_TRUE(test, entry.sdma);
	entry = decoded(bed, IH_SOURCE_OLD_PAGE_FAULT, 0, 9);
	KUNIT_EXPECT_EQ(test, (int)entry.event, (int)AMDM_IH_VM_FAULT);
	KUNIT_EXPECT_EQ(test, entry.vmid, 9u);
	KUNIT_EXPECT_EQ(test, entry.hub, 0u);
	decoded(bed, IH_SOURCE_CP_PRIV_REG, IH_CP_RING_ID(1, 2, 3), 0);
	KUNIT_EXPECT_EQ(test, v3_seen.cp_source, (u32)IH_SOURCE_CP_PRIV_REG);
	KUNIT_EXPECT_EQ(test, v3_seen.cp_ring_id, IH_CP_RING_ID(1, 2, 3));
}

/* Linux: tonga_ih_decode_iv() */
static void the_trace_has_all_fields(struct kunit *test)
{
	const u32 entry[IH_OLD_BYTES / 4] = { 0xffffff92, 0xf2345678, 0x80030a56, 0xffffffff };
	const struct amdm_iv want = { .src_id = 0x92, .ring_id = 0x56, .vmid = 0xa, .pasid = 0x8003, .src_data = { 0x2345678 } };
	struct amdm_iv iv = {};

	v3_seen.funcs->iv(entry, &iv);
	KUNIT_EXPECT_EQ(test, memcmp(&iv, &want, sizeof(iv)), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_trace_has_all_fields),
	KUNIT_CASE(entries_are_decoded),
	KUNIT_CASE(a_fault_is_kept),
	KUNIT_CASE(a_fault_that_the_registers_do_not_know),
	KUNIT_CASE(other_interrupts_read_no_registers),
	KUNIT_CASE(interrupts_are_enabled),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ih_v3", .init = v3_setup, .test_cases = cases };
kunit_test_suite(suite);
