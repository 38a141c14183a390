// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_sdma_copy_test.c - the packets of a job that carries pages, and how long one is waited for.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/ring/fake_fence.h"
#include "amdgpu_model/sdma/amdgpu_sdma_copy.c"

/* What puts a job on a ring; svm_migrate does that in the VM. */
static void __used not_called(void)
{
	BUG();
}

#define NOT_CALLED(name)	asm(".set " #name ", not_called\n\t.hidden " #name)
NOT_CALLED(amdm_fence_bind);
NOT_CALLED(amdm_gart_map);
NOT_CALLED(amdm_gart_unmap);
NOT_CALLED(amdm_glue_held);
NOT_CALLED(amdm_gtt_create);
NOT_CALLED(amdm_gtt_destroy);
NOT_CALLED(amdm_job_create);
NOT_CALLED(amdm_job_destroy);
NOT_CALLED(amdm_sysmem_bind);
NOT_CALLED(amdm_sysmem_unbind);

#define FB	0x8000000000ULL
#define MEM	0x10000ULL
#define GART	0x200000ULL

u64 amdm_fb_start(const struct amdm_device *adev)
{
	return FB;
}

u32 amdm_glue_slow_factor(void)
{
	return 1;
}

static struct amdm_copy *pages_new(struct kunit *test, bool to_vram)
{
	/* Two that lie side by side in VRAM, one elsewhere, one in front of it */
	static const u64 vram[] = { 0x5000, 0x6000, 0x20000, 0x1f000 };
	struct amdm_copy *pages = kunit_kzalloc(test, sizeof(*pages), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pages);
	pages->to_vram = to_vram;
	for (; pages->count < ARRAY_SIZE(vram); pages->count++)
		pages->vram[pages->count] = vram[pages->count];
	return pages;
}

static void expect_copy(struct kunit *test, const u32 *dw, u64 from, u64 to, u32 bytes)
{
	KUNIT_EXPECT_EQ(test, dw[0], (u32)SDMA_OP_COPY);
	KUNIT_EXPECT_EQ(test, dw[1], bytes - 1);
	KUNIT_EXPECT_EQ(test, dw[3] | (u64)dw[4] << 32, from);
	KUNIT_EXPECT_EQ(test, dw[5] | (u64)dw[6] << 32, to);
}

/* It says that it has begun, looks whether it is wanted, and skips all of the rest if not. */
static void packets(struct kunit *test)
{
	u32 *cpu = kunit_kzalloc(test, COPY_DWORDS * sizeof(u32), GFP_KERNEL), *dw = cpu + COPY_PACKETS;
	struct amdm_gtt mem = { .cpu = cpu, .addr = MEM };

	KUNIT_ASSERT_NOT_NULL(test, cpu);
	KUNIT_EXPECT_EQ(test, copy_fill(NULL, pages_new(test, true), GART, &mem), 10u + 3 * 7);
	KUNIT_EXPECT_EQ(test, cpu[COPY_WANTED], 1u);
	KUNIT_EXPECT_EQ(test, cpu[COPY_BEGUN], 0u);
	KUNIT_EXPECT_EQ(test, dw[0], (u32)SDMA_OP_WRITE);
	KUNIT_EXPECT_EQ(test, dw[1], (u32)MEM + COPY_BEGUN * 4);
	KUNIT_EXPECT_EQ(test, dw[4], 1u);
	KUNIT_EXPECT_EQ(test, dw[5], (u32)SDMA_OP_COND_EXE);
	KUNIT_EXPECT_EQ(test, dw[6], (u32)MEM + COPY_WANTED * 4);
	KUNIT_EXPECT_EQ(test, dw[8], 1u);
	KUNIT_EXPECT_EQ(test, dw[9], 3u * 7);
	expect_copy(test, dw + 10, GART, FB + 0x5000, 2 * PAGE_SIZE);
	expect_copy(test, dw + 17, GART + 2 * PAGE_SIZE, FB + 0x20000, PAGE_SIZE);
	expect_copy(test, dw + 24, GART + 3 * PAGE_SIZE, FB + 0x1f000, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, copy_fill(NULL, pages_new(test, false), GART, &mem), 10u + 3 * 7);
	expect_copy(test, dw + 17, FB + 0x20000, GART + 2 * PAGE_SIZE, PAGE_SIZE);
}

/* A packet for each page at worst: the memory of a job is enough for that. */
static void most_packets(struct kunit *test)
{
	u32 *cpu = kunit_kzalloc(test, COPY_DWORDS * sizeof(u32), GFP_KERNEL);
	struct amdm_copy *pages = pages_new(test, true);
	struct amdm_gtt mem = { .cpu = cpu, .addr = MEM };

	KUNIT_ASSERT_NOT_NULL(test, cpu);
	for (pages->count = 0; pages->count < AMDM_COPY_PAGES; pages->count++)
		pages->vram[pages->count] = 2 * PAGE_SIZE * pages->count;
	KUNIT_EXPECT_EQ(test, COPY_PACKETS + copy_fill(NULL, pages, GART, &mem), (u32)COPY_DWORDS);
}

static void signal_later(struct work_struct *work);
static DECLARE_DELAYED_WORK(later, signal_later);
static struct dma_fence fence;

static void signal_later(struct work_struct *work)
{
	dma_fence_signal(&fence);
}

static void waited_for(struct kunit *test)
{
	u32 mem[COPY_PACKETS] = { [COPY_WANTED] = 1 };

	/* It ends in time. */
	fake_fence_init(&fence);
	dma_fence_signal(&fence);
	KUNIT_EXPECT_EQ(test, copy_wait(mem, &fence), 0);
	KUNIT_EXPECT_EQ(test, mem[COPY_WANTED], 1u);
	/* With an error */
	fake_fence_init(&fence);
	dma_fence_set_error(&fence, -ECANCELED);
	dma_fence_signal(&fence);
	KUNIT_EXPECT_EQ(test, copy_wait(mem, &fence), -ECANCELED);
	/* It has not begun: it is called off. */
	fake_fence_init(&fence);
	KUNIT_EXPECT_EQ(test, copy_wait(mem, &fence), -ETIME);
	KUNIT_EXPECT_EQ(test, mem[COPY_WANTED], 0u);
	/* It has: its end is waited for, however long that takes. */
	mem[COPY_BEGUN] = 1;
	schedule_delayed_work(&later, msecs_to_jiffies(2 * COPY_PATIENCE_MS));
	KUNIT_EXPECT_EQ(test, copy_wait(mem, &fence), 0);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(&fence));
	flush_delayed_work(&later);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(packets),
	KUNIT_CASE(most_packets),
	KUNIT_CASE(waited_for),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_sdma_copy", .test_cases = cases };
kunit_test_suite(suite);
