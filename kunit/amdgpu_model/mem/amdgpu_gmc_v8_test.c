// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gmc_v8_test.c - the one hub of GFX7 and GFX8: apertures, page table bases, and how it reports a fault.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/mem/amdgpu_gmc_v8.c"

#define FB	0xf400000000ULL
#define TABLE	0x00345000ULL

struct gmc_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
	struct amdm_vram_alloc table;
	struct amdm_ring ring;
};

static struct {
	u32 flushes, flushed_at;
	struct fake_write ring[4];
	u32 emitted;
} gmc_seen;

const struct amdm_pt_format amdm_pt_v8;

u64 amdm_fb_start(const struct amdm_device *adev)
{
	return FB;
}

u64 amdm_vram_offset(const struct amdm_vram_alloc *alloc, u64 at, u64 *run)
{
	return TABLE + at;
}

void amdm_gmc_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type)
{
	gmc_seen.flushes += vmids == 1;
	gmc_seen.flushed_at = fake_registers.count;
}

int amdm_gart_init(struct amdm_device *adev)
{
	return 0;
}

void amdm_gart_fini(struct amdm_device *adev)
{
}

static void emit_wreg(struct amdm_ring *ring, u32 reg, u32 value)
{
	if (gmc_seen.emitted < ARRAY_SIZE(gmc_seen.ring))
		gmc_seen.ring[gmc_seen.emitted] = (struct fake_write){ .name = reg, .value = value };
	gmc_seen.emitted++;
}

static const struct amdm_ring_funcs funcs = { .emit_wreg = emit_wreg };

static int gmc_setup(struct kunit *test)
{
	struct gmc_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&gmc_seen, 0, sizeof(gmc_seen));
	bed->adev.pdev = &bed->pdev;
	bed->adev.vram.size = 8ULL << 30;
	bed->adev.gart.start = 0;
	bed->adev.gart.size = 512ULL << 20;
	bed->adev.gart.table = &bed->table;
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &funcs };
	return 0;
}

static void expect_register(struct kunit *test, u32 name, u32 value)
{
	u32 written = ~value;

	KUNIT_EXPECT_TRUE(test, fake_written(name, &written));
	KUNIT_EXPECT_EQ(test, written, value);
}

static void apertures(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_gmc_v8_0.hw_init(&bed->adev), 0);
	expect_register(test, mmMC_VM_FB_LOCATION, 0xf5fff400);		/* 0xf400000000..0xf5ffffffff in 16 MiB */
	expect_register(test, mmVM_CONTEXT0_PAGE_TABLE_START_ADDR, 0);
	expect_register(test, mmVM_CONTEXT0_PAGE_TABLE_END_ADDR, (512 << 8) - 1);
	expect_register(test, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR, (u32)((FB + TABLE) >> 12));	/* an MC address */
	KUNIT_EXPECT_EQ(test, gmc_seen.flushes, 1u);
	KUNIT_EXPECT_EQ(test, gmc_seen.flushed_at, fake_registers.count);
}

/* VM_CONTEXT1_CNTL: ENABLE 0, DEPTH [2:1] = 1: two levels, BLOCK_SIZE [27:24]: 2^15 entries, 2^9 more than with 0 */
static void contexts(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	u32 value = 0;

	amdm_gmc_v8_0.hw_init(&bed->adev);
	expect_register(test, mmVM_CONTEXT0_CNTL, 1);			/* flat */
	KUNIT_EXPECT_TRUE(test, fake_written(mmVM_CONTEXT0_CNTL + 1, &value));
	KUNIT_EXPECT_EQ(test, value & 7, 3u);
	KUNIT_EXPECT_EQ(test, value >> 24 & 0xf, 15u - 9);
	/* gmc_v8_0_gart_enable: interrupt and default page for range, dummy page, PDE0, valid, read, write, execute faults */
	KUNIT_EXPECT_EQ(test, value & 0xfffff8, 0xdb618u);
	expect_register(test, mmVM_CONTEXT0_PAGE_TABLE_START_ADDR + 1, 0);
	expect_register(test, mmVM_CONTEXT0_PAGE_TABLE_END_ADDR + 1, 0xfffffff);	/* 40 bits of address */
	amdm_gmc_v8_0.hw_fini(&bed->adev);
	expect_register(test, mmVM_CONTEXT0_CNTL, 0);
	expect_register(test, mmVM_CONTEXT0_CNTL + 1, 0);
}

static void a_ring_connects_a_vmid(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	amdm_gmc_v8.emit_flush(&bed->ring, 5, 0xf400123);
	KUNIT_EXPECT_EQ(test, gmc_seen.emitted, 2u);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[0].name, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR + 5u);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[0].value, 0xf400123u);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[1].name, (u32)mmVM_INVALIDATE_REQUEST);	/* the TLB after the base */
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[1].value, 1u << 5);
}

static void the_driver_empties_tlbs(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	amdm_gmc_v8.flush(&bed->adev, 0x8400, 2);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 1u);
	expect_register(test, mmVM_INVALIDATE_REQUEST, 0x8400);
}

/* The registers hold one fault until bit 0 of VM_CONTEXT1_CNTL2 is set and cleared, which lets them take the next one. */
static void expect_cleared(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, mmVM_CONTEXT0_CNTL2 + 1u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, 1u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].name, mmVM_CONTEXT0_CNTL2 + 1u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].value, 0u);
}

static void no_fault(struct kunit *test)
{
	struct kgd_fault_info info = { .page = 77 };
	struct gmc_bed *bed = test->priv;

	KUNIT_EXPECT_FALSE(test, amdm_gmc_v8_fault(&bed->adev, &info));
	KUNIT_EXPECT_EQ(test, info.page, 77ULL);
	expect_cleared(test);
}

/* PROTECTIONS [7:0], MEMORY_CLIENT_ID [20:12], MEMORY_CLIENT_RW 24, VMID [28:25] */
static void a_fault(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	struct kgd_fault_info info;

	fake_registers_keep(mmVM_CONTEXT1_PROTECTION_FAULT_ADDR, 0x7654321);
	fake_registers_keep(mmVM_CONTEXT1_PROTECTION_FAULT_STATUS, 11u << 25 | 1u << 24 | 0x145u << 12 | 0x28);
	fake_registers_keep(mmVM_CONTEXT1_PROTECTION_FAULT_MCCLIENT, 0x54433000);
	KUNIT_EXPECT_TRUE(test, amdm_gmc_v8_fault(&bed->adev, &info));
	expect_cleared(test);
	KUNIT_EXPECT_EQ(test, info.page, 0x7654321ULL);
	KUNIT_EXPECT_EQ(test, info.vmid, 11u);
	KUNIT_EXPECT_EQ(test, info.client, 0x145u);
	KUNIT_EXPECT_EQ(test, info.status, 11u << 25 | 1u << 24 | 0x145u << 12 | 0x28);
	KUNIT_EXPECT_TRUE(test, info.prot_valid);
	KUNIT_EXPECT_FALSE(test, info.prot_read);
	KUNIT_EXPECT_TRUE(test, info.prot_write);
}

/* Page 0 is an address like others. */
static void a_fault_at_nothing(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	struct kgd_fault_info info;

	fake_registers_keep(mmVM_CONTEXT1_PROTECTION_FAULT_STATUS, 8u << 25 | 0x10);
	KUNIT_EXPECT_TRUE(test, amdm_gmc_v8_fault(&bed->adev, &info));
	KUNIT_EXPECT_EQ(test, info.page, 0ULL);
	KUNIT_EXPECT_EQ(test, info.vmid, 8u);
	KUNIT_EXPECT_TRUE(test, info.prot_read);
	KUNIT_EXPECT_FALSE(test, info.prot_valid || info.prot_write);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(apertures),
	KUNIT_CASE(contexts),
	KUNIT_CASE(a_ring_connects_a_vmid),
	KUNIT_CASE(the_driver_empties_tlbs),
	KUNIT_CASE(no_fault),
	KUNIT_CASE(a_fault),
	KUNIT_CASE(a_fault_at_nothing),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gmc_v8", .init = gmc_setup, .test_cases = cases };
kunit_test_suite(suite);
