// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * bench_test.c - the bench's hands: whose clock it is, steps that are given up, a trace that is read in parts, memory over page ends.
 */
#include "kunit/kfd_model/user_space.h"
#include <linux/file.h>
#include <linux/workqueue.h>

#include "amdgpu_model/gfx/amdgpu_grbm.c"
#include "amdgpu_model/lab/bench.c"

#define VRAM_BYTES	(1ULL << 20)

struct bench_bed {
	struct amdm_device adev;
	struct amdm_glue glue;
	struct file mine, other;
	struct page *page[2];
	struct delayed_work slice;
};

static struct {
	bool held, stepping, tracing, no_page;
	u32 until, steps, kicks;
	u64 argument;
	u32 fault, count;
	u32 slices;	/* that a step takes; 0: it never ends */
	u32 reg, value, select, selects;
	struct bench_bed *bed;
} bench_seen;

void silicon_bench_hold(struct silicon_chip *silicon, bool held)
{
	bench_seen.held = held;
}

void silicon_bench_step(struct silicon_chip *silicon, u32 until, u64 argument)
{
	bench_seen.steps++;
	bench_seen.until = until;
	bench_seen.argument = argument;
	bench_seen.stepping = true;
}

bool silicon_bench_stepping(const struct silicon_chip *silicon)
{
	return bench_seen.stepping;
}

/* The worker, a jiffy a slice. */
static void fake_slice(struct work_struct *work)
{
	if (--bench_seen.slices) {
		schedule_delayed_work(&bench_seen.bed->slice, 1);
		return;
	}
	bench_seen.stepping = false;
	wake_up(&bench_seen.bed->glue.stepped);
}

u64 silicon_bench_now(const struct silicon_chip *silicon)
{
	return 4711;
}

void silicon_bench_trace(struct silicon_chip *silicon, bool on)
{
	bench_seen.tracing = on;
}

void silicon_bench_inject(struct silicon_chip *silicon, u32 fault, u32 count)
{
	bench_seen.fault = fault;
	bench_seen.count = count;
}

/* VMID 5 sees the page of the bus at 0x5000 and VRAM at 0x6000. */
bool silicon_bench_translate(struct silicon_chip *silicon, u32 vmid, u64 va, u64 *out, bool *is_bus)
{
	*is_bus = (va & PAGE_MASK) == 0x5000;
	*out = *is_bus ? 0x100000000ULL + offset_in_page(va) : PAGE_SIZE + offset_in_page(va);
	return vmid == 5 && ((va & PAGE_MASK) == 0x5000 || (va & PAGE_MASK) == 0x6000);
}

int amdm_iommu_page(struct amdm_device *adev, u64 addr, bool write, void **host)
{
	*host = page_address(bench_seen.bed->page[0]);
	return addr == 0x100000000ULL ? 0 : -EFAULT;
}

struct page *amdm_vram_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	if (bench_seen.no_page || offset >= VRAM_BYTES)
		return NULL;
	return bench_seen.bed->page[offset >> PAGE_SHIFT & 1];
}

void amdm_glue_kick(struct amdm_device *adev)
{
	bench_seen.kicks++;
	if (bench_seen.slices)
		schedule_delayed_work(&bench_seen.bed->slice, 1);
}

u32 amdm_glue_slow_factor(void)
{
	return 0;
}

void amdm_wreg(struct amdm_device *adev, u32 name, u32 value)
{
	if (name == mmGRBM_GFX_CNTL) {
		bench_seen.selects += !!value;
		bench_seen.select = value;
		return;
	}
	bench_seen.reg = name;
	bench_seen.value = value;
}

u32 amdm_rreg(struct amdm_device *adev, u32 name)
{
	return name + bench_seen.select;
}

static int bench_setup(struct kunit *test)
{
	struct bench_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&bench_seen, 0, sizeof(bench_seen));
	bench_seen.bed = bed;
	bed->adev.vram.size = VRAM_BYTES;
	bed->glue.adev = &bed->adev;
	spin_lock_init(&bed->glue.lock);
	init_waitqueue_head(&bed->glue.stepped);
	INIT_DELAYED_WORK(&bed->slice, fake_slice);
	mutex_init(&bed->adev.srbm_mutex);
	bed->page[0] = alloc_pages(GFP_KERNEL | __GFP_ZERO, 0);
	bed->page[1] = alloc_pages(GFP_KERNEL | __GFP_ZERO, 0);
	user_space_begin(test);
	return bed->page[0] && bed->page[1] ? 0 : -ENOMEM;
}

static void bench_teardown(struct kunit *test)
{
	struct bench_bed *bed = test->priv;

	cancel_delayed_work_sync(&bed->slice);
	user_space_end();
	KUNIT_EXPECT_FALSE(test, spin_is_locked(&bed->glue.lock));
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.srbm_mutex));
	vfree(bed->glue.trace.events);
	__free_page(bed->page[0]);
	__free_page(bed->page[1]);
}

static void whose_clock_it_is(struct kunit *test)
{
	struct bench_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_bench_release(&bed->glue, &bed->mine), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_bench_hold(&bed->glue, &bed->mine), 0);
	KUNIT_EXPECT_EQ(test, amdm_bench_hold(&bed->glue, &bed->mine), 0);
	KUNIT_EXPECT_EQ(test, amdm_bench_hold(&bed->glue, &bed->other), -EBUSY);
	KUNIT_EXPECT_EQ(test, amdm_bench_release(&bed->glue, &bed->other), -EINVAL);
	KUNIT_EXPECT_TRUE(test, bench_seen.held);
	KUNIT_EXPECT_EQ(test, amdm_bench_release(&bed->glue, &bed->mine), 0);
	KUNIT_EXPECT_FALSE(test, bench_seen.held);
	KUNIT_EXPECT_EQ(test, amdm_bench_hold(&bed->glue, &bed->other), 0);
	KUNIT_EXPECT_EQ(test, amdm_bench_now(&bed->glue), 4711ULL);
}

static void a_step(struct kunit *test)
{
	struct amdm_ctl_clock clock = { .until = AMDM_CTL_RUN_EVENTS, .argument = 9, .timeout_ms = 60000 };
	struct bench_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->mine, &clock), -EINVAL);	/* not held */
	amdm_bench_hold(&bed->glue, &bed->mine);
	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->other, &clock), -EINVAL);
	clock.until = 0;
	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->mine, &clock), -EINVAL);
	clock.until = 4;
	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->mine, &clock), -EINVAL);
	KUNIT_EXPECT_EQ(test, bench_seen.steps, 0u);
	clock.until = AMDM_CTL_RUN_EVENTS;
	bench_seen.slices = 3;
	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->mine, &clock), 0);
	KUNIT_EXPECT_EQ(test, bench_seen.until, (u32)SILICON_STEP_EVENTS);
	KUNIT_EXPECT_EQ(test, bench_seen.argument, 9ULL);
	KUNIT_EXPECT_EQ(test, bench_seen.slices, 0u);
	KUNIT_EXPECT_GT(test, bench_seen.kicks, 0u);
}

/* A step that was given up ends where the clock stands. */
static void a_step_that_takes_too_long(struct kunit *test)
{
	struct amdm_ctl_clock clock = { .until = AMDM_CTL_RUN_IDLE, .timeout_ms = 1 };
	struct bench_bed *bed = test->priv;

	amdm_bench_hold(&bed->glue, &bed->mine);
	KUNIT_EXPECT_EQ(test, amdm_bench_run(&bed->glue, &bed->mine, &clock), -ETIME);
	KUNIT_EXPECT_EQ(test, bench_seen.steps, 2u);
	KUNIT_EXPECT_EQ(test, bench_seen.until, (u32)SILICON_STEP_CYCLE);
	KUNIT_EXPECT_EQ(test, bench_seen.argument, 4711ULL);
}

/* More than a page of events, over the buffer's end, in the order in which they came. */
static void a_trace(struct kunit *test)
{
	struct bench_bed *bed = test->priv;
	struct amdm_trace *trace = &bed->glue.trace;
	struct amdm_ctl_trace args = { .count = 50, .events = user_page };
	struct amdm_ctl_trace_event event = {};
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_bench_trace_read(&bed->glue, &args), 0);	/* never started */
	KUNIT_EXPECT_EQ(test, args.count, 0u);
	KUNIT_ASSERT_EQ(test, amdm_bench_trace_start(&bed->glue, 0), 0);
	KUNIT_EXPECT_TRUE(test, bench_seen.tracing);
	trace->first = trace->size - 10;
	trace->count = 60;
	trace->lost = 3;
	for (i = 0; i < 60; i++)
		trace->events[(trace->first + i) % trace->size] = (struct silicon_trace_event){ .cycle = i, .kind = 2, .a = 7 };
	args.count = 50;
	KUNIT_EXPECT_EQ(test, amdm_bench_trace_read(&bed->glue, &args), 0);
	KUNIT_EXPECT_EQ(test, args.count, 50u);
	KUNIT_EXPECT_EQ(test, args.lost, 3ULL);
	KUNIT_EXPECT_EQ(test, trace->count, 10u);
	for (i = 0; i < 50; i += 7) {
		KUNIT_EXPECT_EQ(test, copy_from_user(&event, USER(struct amdm_ctl_trace_event) + i, sizeof(event)), 0ul);
		KUNIT_EXPECT_EQ(test, event.cycle, (u64)i);
		KUNIT_EXPECT_EQ(test, event.a, 7ULL);
	}
	args.events = NOT_USER;
	KUNIT_EXPECT_EQ(test, amdm_bench_trace_read(&bed->glue, &args), -EFAULT);
	trace->count = 5;
	KUNIT_ASSERT_EQ(test, amdm_bench_trace_start(&bed->glue, 0), 0);	/* again: empty */
	KUNIT_EXPECT_EQ(test, trace->count, 0u);
	KUNIT_EXPECT_EQ(test, trace->lost, 0ULL);
	amdm_bench_trace_stop(&bed->glue);
	KUNIT_EXPECT_FALSE(test, bench_seen.tracing);
}

static int memory(struct kunit *test, u32 space, u32 vmid, u64 address, u64 size, u64 data, bool write)
{
	struct bench_bed *bed = test->priv;
	const struct amdm_ctl_memory args = {
		.space = space, .vmid = vmid, .select = 0x300, .address = address, .size = size, .data = data,
	};

	return amdm_bench_memory(&bed->glue, &args, write);
}

static void memory_over_a_page(struct kunit *test)
{
	struct bench_bed *bed = test->priv;
	const u64 out[2] = { 0x1111, 0x2222 };
	u64 in[2] = {};

	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)user_page, out, sizeof(out)), 0ul);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, PAGE_SIZE - 8, 16, user_page, true), 0);
	KUNIT_EXPECT_EQ(test, *(u64 *)(page_address(bed->page[0]) + PAGE_SIZE - 8), 0x1111ULL);
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(bed->page[1]), 0x2222ULL);
	KUNIT_EXPECT_EQ(test, bench_seen.kicks, 1u);	/* the chip may have waited for it */
	/* the last 8 bytes of the bus's page, the first 8 of VRAM's second page */
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VMID, 5, 0x5ff8, 16, user_page + 64, false), 0);
	KUNIT_EXPECT_EQ(test, copy_from_user(in, (void __user *)user_page + 64, sizeof(in)), 0ul);
	KUNIT_EXPECT_EQ(test, in[0], 0x1111ULL);
	KUNIT_EXPECT_EQ(test, in[1], 0x2222ULL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, ~0ULL, 0, NOT_USER, false), 0);	/* nothing, nowhere */
}

static void memory_that_is_none(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, memory(test, 3, 0, 0, 8, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VMID, 16, 0x5000, 8, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, 0, (1 << 20) + 1, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, VRAM_BYTES, 8, user_page, false), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, VRAM_BYTES - 8, 16, user_page, false), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, ~0ULL - 7, 8, user_page, true), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VMID, 5, 0x7000, 8, user_page, false), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VMID, 4, 0x5000, 8, user_page, false), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, 0, 8, NOT_USER, false), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, 0, 8, NOT_USER, true), -EFAULT);
	bench_seen.no_page = true;	/* it does not come */
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_VRAM, 0, 0, 8, user_page, false), -EFAULT);
}

/* Banked for the access alone. */
static void registers(struct kunit *test)
{
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 0x123, 4, user_page, false), 0);
	KUNIT_EXPECT_EQ(test, get_user(value, USER(u32)), 0);
	KUNIT_EXPECT_EQ(test, value, 0x423u);
	KUNIT_EXPECT_EQ(test, bench_seen.select, 0u);
	KUNIT_EXPECT_EQ(test, put_user(77u, USER(u32)), 0);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 0x124, 4, user_page, true), 0);
	KUNIT_EXPECT_EQ(test, bench_seen.reg, 0x124u);
	KUNIT_EXPECT_EQ(test, bench_seen.value, 77u);
	KUNIT_EXPECT_EQ(test, bench_seen.selects, 2u);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 0x124, 8, user_page, true), -EINVAL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 1ULL << 32, 4, user_page, true), -EINVAL);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 0x124, 4, NOT_USER, true), -EFAULT);
	KUNIT_EXPECT_EQ(test, memory(test, AMDM_CTL_SPACE_REGISTER, 0, 0x124, 4, NOT_USER, false), -EFAULT);
}

static void failures(struct kunit *test)
{
	struct bench_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_bench_inject(&bed->glue, SILICON_FAULTS, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, bench_seen.kicks, 0u);
	KUNIT_EXPECT_EQ(test, amdm_bench_inject(&bed->glue, SILICON_FAULT_MQD_LOAD, 3), 0);
	KUNIT_EXPECT_EQ(test, bench_seen.fault, (u32)SILICON_FAULT_MQD_LOAD);
	KUNIT_EXPECT_EQ(test, bench_seen.count, 3u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(whose_clock_it_is),
	KUNIT_CASE(a_step),
	KUNIT_CASE(a_step_that_takes_too_long),
	KUNIT_CASE(a_trace),
	KUNIT_CASE(memory_over_a_page),
	KUNIT_CASE(memory_that_is_none),
	KUNIT_CASE(registers),
	KUNIT_CASE(failures),
	{}
};

static struct kunit_suite suite = {
	.name = "glue_bench", .suite_init = user_space_find, .init = bench_setup, .exit = bench_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
