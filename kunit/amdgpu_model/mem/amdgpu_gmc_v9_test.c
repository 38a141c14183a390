// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gmc_v9_test.c - both hubs of GFX9 and GFX10 get the same values, those of the manuals; who empties which TLB, by which request.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/mem/amdgpu_gmc.c"
#include "amdgpu_model/mem/amdgpu_gmc_v9.c"

#define TABLE	0x00345000ULL

struct gmc_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct pci_dev pdev;
	struct amdm_vram_alloc table;
	struct amdm_ring ring;
};

static struct {
	struct { char what; u32 reg, value, mask; } ring[8];
	u32 emitted;
} gmc_seen;

const struct amdm_pt_format amdm_pt_v9;

u64 amdm_vram_offset(const struct amdm_vram_alloc *alloc, u64 at, u64 *run)
{
	return TABLE + at;
}

int amdm_gart_init(struct amdm_device *adev)
{
	return 0;
}

void amdm_gart_fini(struct amdm_device *adev)
{
}

static void emit(char what, u32 reg, u32 value, u32 mask)
{
	u32 n = min_t(u32, gmc_seen.emitted++, ARRAY_SIZE(gmc_seen.ring) - 1);

	gmc_seen.ring[n].what = what;
	gmc_seen.ring[n].reg = reg;
	gmc_seen.ring[n].value = value;
	gmc_seen.ring[n].mask = mask;
}

static void emit_wreg(struct amdm_ring *ring, u32 reg, u32 value)
{
	emit('w', reg, value, 0);
}

static void emit_wait(struct amdm_ring *ring, u32 reg, u32 value, u32 mask)
{
	emit('?', reg, value, mask);
}

static const struct amdm_ring_funcs funcs = { .emit_wreg = emit_wreg, .emit_wait = emit_wait };

static int gmc_setup(struct kunit *test)
{
	struct gmc_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&gmc_seen, 0, sizeof(gmc_seen));
	bed->asic.gmc = &amdm_gmc_v9;
	bed->adev.asic = &bed->asic;
	bed->adev.pdev = &bed->pdev;
	bed->adev.vram.size = 16ULL << 30;
	bed->adev.gart.size = 512ULL << 20;
	bed->adev.gart.table = &bed->table;
	mutex_init(&bed->adev.tlb_mutex);
	bed->ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = &funcs, .index = 20 };
	return 0;
}

static void let_tlbs_answer(u32 vmids)
{
	fake_registers_keep(mmVM_INVALIDATE_ENG0_ACK + 17, vmids);
	fake_registers_keep(mmMMHUB_VM_INVALIDATE_ENG0_ACK + 17, vmids);
}

/* Of the GFXHUB and, at its own place, of the MMHUB. */
static void expect_both(struct kunit *test, u32 gfxhub, u32 mmhub, u32 value)
{
	u32 written = ~value;

	KUNIT_EXPECT_TRUE(test, fake_written(gfxhub, &written));
	KUNIT_EXPECT_EQ(test, written, value);
	written = ~value;
	KUNIT_EXPECT_TRUE(test, fake_written(mmhub, &written));
	KUNIT_EXPECT_EQ(test, written, value);
}

#define EXPECT_BOTH(name, index, value) expect_both(test, mm##name + (index), mmMMHUB_##name + (index), value)

static void apertures(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	let_tlbs_answer(0xffff);
	KUNIT_EXPECT_EQ(test, amdm_gmc_v9_0.hw_init(&bed->adev), 0);
	EXPECT_BOTH(MC_VM_FB_LOCATION_BASE, 0, 0x8000);			/* 0x8000000000 in 16 MiB */
	EXPECT_BOTH(MC_VM_FB_LOCATION_TOP, 0, 0x83ff);
	EXPECT_BOTH(MC_VM_SYSTEM_APERTURE_LOW_ADDR, 0, 0x200000);		/* in 256 KiB */
	EXPECT_BOTH(MC_VM_SYSTEM_APERTURE_HIGH_ADDR, 0, 0x20ffff);
	EXPECT_BOTH(MC_VM_AGP_BOT, 0, 0xffffff);
	EXPECT_BOTH(MC_VM_AGP_TOP, 0, 0);
	EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 0, TABLE | 1);	/* in VRAM, valid */
	EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 0, 0);
	EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 0, 0);
	EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 0, (512 << 8) - 1);
	EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 0, 0);
}

/*
 * VM_CONTEXT1_CNTL (gc_9_0_sh_mask.h): ENABLE 0, DEPTH [2:1] = 3, and in pairs of interrupt and default page: range 9, PDE0 13, valid 15,
 * read 17, write 19, execute 21. Depth 0 for VMID 0, whose table is flat.
 */
static void contexts(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	u32 vmid;

	let_tlbs_answer(0xffff);
	amdm_gmc_v9_0.hw_init(&bed->adev);
	EXPECT_BOTH(VM_CONTEXT0_CNTL, 0, 1);
	for (vmid = 1; vmid < 16; vmid++) {
		EXPECT_BOTH(VM_CONTEXT0_CNTL, vmid, 0x7fe607);
		EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 2 * vmid, 0);
		EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 2 * vmid, 0xffffffff);	/* 36 bits of pages */
		EXPECT_BOTH(VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 2 * vmid, 0xf);
	}
	amdm_gmc_v9_0.hw_fini(&bed->adev);
	for (vmid = 0; vmid < 16; vmid++)
		EXPECT_BOTH(VM_CONTEXT0_CNTL, vmid, 0);
}

static void engines_reach_all_addresses(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	u32 engine;

	let_tlbs_answer(0xffff);
	amdm_gmc_v9_0.hw_init(&bed->adev);
	for (engine = 0; engine < 18; engine++) {
		EXPECT_BOTH(VM_INVALIDATE_ENG0_ADDR_RANGE_LO32, 2 * engine, 0xffffffff);
		EXPECT_BOTH(VM_INVALIDATE_ENG0_ADDR_RANGE_HI32, 2 * engine, 0x1f);
	}
	EXPECT_BOTH(VM_INVALIDATE_ENG0_REQ, 17, 1 | 0x1f << 18);	/* the GART's old translations */
}

/* VM_INVALIDATE_ENG0_REQ: VMIDs [15:0], type [17:16], L2 PTEs 18, PDE0..2 19..21, L1 PTEs 22; GFX10: type [18:16], the rest from 19 */
static void requests(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	let_tlbs_answer(0x0300);
	amdm_gmc_flush_vmids(&bed->adev, 0x0300, 2);
	EXPECT_BOTH(VM_INVALIDATE_ENG0_REQ, 17, 0x0300 | 2 << 16 | 0x1f << 18);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
	bed->asic.gmc = &amdm_gmc_v10;
	amdm_gmc_flush_vmids(&bed->adev, 0x0300, 2);
	EXPECT_BOTH(VM_INVALIDATE_ENG0_REQ, 17, 0x0300 | 2 << 16 | 0x1f << 19);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.tlb_mutex));
}

/* One of two VMIDs does not answer: the wait for it has a time-out, and the other hub is flushed nevertheless. */
static void a_tlb_that_does_not_answer(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	ktime_t start = ktime_get();

	let_tlbs_answer(0x0100);
	amdm_gmc_flush_vmids(&bed->adev, 0x0300, 0);
	KUNIT_EXPECT_GE(test, ktime_us_delta(ktime_get(), start), 2LL * 1000 * 10);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmMMHUB_VM_INVALIDATE_ENG0_REQ + 17), 1u);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.tlb_mutex));
}

static void expect_emitted(struct kunit *test, u32 n, char what, u32 reg, u32 value, u32 mask)
{
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[n].what, what);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[n].reg, reg);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[n].value, value);
	KUNIT_EXPECT_EQ(test, gmc_seen.ring[n].mask, mask);
}

/* gmc_v9_0_emit_flush_gpu_tlb; the driver's own engine 17 is no ring's */
static void a_ring_connects_a_vmid(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;

	amdm_gmc_v9.emit_flush(&bed->ring, 5, 0x1200345001ULL);
	KUNIT_EXPECT_EQ(test, gmc_seen.emitted, 4u);
	expect_emitted(test, 0, 'w', mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 10, 0x00345001, 0);
	expect_emitted(test, 1, 'w', mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 10, 0x12, 0);
	expect_emitted(test, 2, 'w', mmVM_INVALIDATE_ENG0_REQ + 3, 1 << 5 | 0x1f << 18, 0);
	expect_emitted(test, 3, '?', mmVM_INVALIDATE_ENG0_ACK + 3, 1 << 5, 1 << 5);
	gmc_seen.emitted = 0;
	bed->ring.hub = 1;
	bed->ring.index = 4;
	amdm_gmc_v10.emit_flush(&bed->ring, 1, 0x345001);
	expect_emitted(test, 0, 'w', mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2, 0x00345001, 0);
	expect_emitted(test, 1, 'w', mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2, 0, 0);
	expect_emitted(test, 2, 'w', mmMMHUB_VM_INVALIDATE_ENG0_REQ + 4, 1 << 1 | 0x1f << 19, 0);
	expect_emitted(test, 3, '?', mmMMHUB_VM_INVALIDATE_ENG0_ACK + 4, 1 << 1, 1 << 1);
	gmc_seen.emitted = 0;
	bed->ring.hub = 3;	/* of another interposer die */
	amdm_gmc_v9.emit_flush(&bed->ring, 1, 0x345001);
	expect_emitted(test, 0, 'w', AMDM_AID_REG(2, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) + 2, 0x00345001, 0);
	expect_emitted(test, 3, '?', AMDM_AID_REG(2, mmMMHUB_VM_INVALIDATE_ENG0_ACK) + 4, 1 << 1, 1 << 1);
}

/* Each compute die has a GFXHUB, each interposer die an MMHUB: their TLBs answer, and forget @vmids. */
static void let_dies_answer(u32 dies, u32 vmids)
{
	u32 n;

	for (n = 0; n < dies; n++)
		fake_registers_keep(AMDM_XCC_REG(n, mmVM_INVALIDATE_ENG0_ACK) + 17, vmids);
	for (n = 0; n < dies / 2; n++)
		fake_registers_keep(AMDM_AID_REG(n, mmMMHUB_VM_INVALIDATE_ENG0_ACK) + 17, vmids);
}

static void expect_on_dies(struct kunit *test, u32 dies, u32 gfxhub, u32 mmhub)
{
	u32 n, value;

	for (n = 0; n < 2 * dies; n++)
		KUNIT_EXPECT_EQ_MSG(test, fake_written(AMDM_XCC_REG(n, gfxhub), &value), n < dies, "die %u", n);
	for (n = 0; n < dies; n++)
		KUNIT_EXPECT_EQ_MSG(test, fake_written(AMDM_AID_REG(n, mmhub), &value), n < dies / 2, "interposer die %u", n);
}

static void hubs_of_dies(struct kunit *test)
{
	struct gmc_bed *bed = test->priv;
	const u32 dies = 4;

	bed->adev.num_xcc = dies;
	gmc_v9_0_system_aperture(&bed->adev);
	expect_on_dies(test, dies, mmMC_VM_FB_LOCATION_BASE, mmMMHUB_MC_VM_FB_LOCATION_BASE);
	fake_registers_reset();
	let_dies_answer(dies, 0xffff);
	amdm_gmc_v9.flush(&bed->adev, 0xffff, 0);
	expect_on_dies(test, dies, mmVM_INVALIDATE_ENG0_REQ + 17, mmMMHUB_VM_INVALIDATE_ENG0_REQ + 17);
}

/* AMDGPU_PTE_MTYPE_VG10 at 57, AMDGPU_PTE_MTYPE_NV10 at 48; MTYPE_RW is not GFX10's; before GFX9 PTEs have none */
static void memory_types(struct kunit *test)
{
	const struct amdm_gmc v8 = { .va_end = 1ULL << 40 };
	struct gmc_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_NC), 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_RW), 1ULL << 57);
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_CC), 2ULL << 57);
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_UC), 3ULL << 57);
	bed->asic.gmc = &amdm_gmc_v10;
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_RW), 0ULL);
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_UC), 3ULL << 48);
	bed->asic.gmc = &v8;
	KUNIT_EXPECT_EQ(test, amdm_gmc_mtype(&bed->adev, GPUVM_MTYPE_UC), 0ULL);
}

static void ends_of_addresses(struct kunit *test)
{
	const struct amdm_gmc v8 = { .va_end = 1ULL << 40, .fb_start = 0xf400000000ULL };
	struct gmc_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_fb_start(&bed->adev), 0x8000000000ULL);
	KUNIT_EXPECT_EQ(test, amdm_va_end(&bed->adev), 1ULL << 47);
	KUNIT_EXPECT_EQ(test, amdm_va_table_end(&bed->adev), (1ULL << 48) - (2 << 20));
	bed->asic.gmc = &v8;
	KUNIT_EXPECT_EQ(test, amdm_fb_start(&bed->adev), 0xf400000000ULL);
	KUNIT_EXPECT_EQ(test, amdm_va_table_end(&bed->adev), (1ULL << 40) - (2 << 20));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(apertures),
	KUNIT_CASE(hubs_of_dies),
	KUNIT_CASE(contexts),
	KUNIT_CASE(engines_reach_all_addresses),
	KUNIT_CASE(requests),
	KUNIT_CASE(a_tlb_that_does_not_answer),
	KUNIT_CASE(a_ring_connects_a_vmid),
	KUNIT_CASE(memory_types),
	KUNIT_CASE(ends_of_addresses),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gmc_v9", .init = gmc_setup, .test_cases = cases };
kunit_test_suite(suite);
