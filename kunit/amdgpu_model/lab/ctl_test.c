// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ctl_test.c - the control device: who may open it, what is no command, which GPU, and that a file that closes leaves no clock stopped.
 */
#include "kunit/kfd_model/user_space.h"

#define capable	ctl_fake_capable
static bool ctl_fake_capable(int capability);
#include "amdgpu_model/lab/ctl.c"

#define GPUS	2

struct amdm_parameters amdm_param = { .gpus = GPUS };

struct ctl_bed {
	struct amdm_device adev[GPUS];
	struct amdm_chip chip;
	struct amdm_asic asic;
	struct amdm_glue glue[GPUS];
	struct file file;
};

static struct {
	bool capable;
	int devices, answer;
	u32 holds, releases, runs, starts, stops, reads, peeks, pokes, injects, resets;	/* a bit a GPU */
	struct ctl_bed *bed;
} ctl_seen;

static bool ctl_fake_capable(int capability)
{
	return ctl_seen.capable && capability == CAP_SYS_ADMIN;
}

struct amdm_device *amdm_device_get(u32 index)
{
	if (index >= GPUS)
		return NULL;
	ctl_seen.devices++;
	return &ctl_seen.bed->adev[index];
}

void amdm_device_put(struct amdm_device *adev)
{
	ctl_seen.devices--;
}

void amdm_device_reset(struct amdm_device *adev, const char *cause)
{
	ctl_seen.resets |= 1u << adev->index;
}

static u32 gpu(const struct amdm_glue *glue)
{
	return 1u << (glue - ctl_seen.bed->glue);
}

int amdm_bench_hold(struct amdm_glue *glue, struct file *holder)
{
	ctl_seen.holds |= gpu(glue);
	return ctl_seen.answer;
}

int amdm_bench_release(struct amdm_glue *glue, struct file *holder)
{
	ctl_seen.releases |= gpu(glue);
	return ctl_seen.answer;
}

int amdm_bench_run(struct amdm_glue *glue, struct file *holder, const struct amdm_ctl_clock *clock)
{
	ctl_seen.runs |= gpu(glue);
	return ctl_seen.answer;
}

u64 amdm_bench_now(struct amdm_glue *glue)
{
	return 1234;
}

int amdm_bench_trace_start(struct amdm_glue *glue, u32 kinds)
{
	ctl_seen.starts |= gpu(glue);
	return ctl_seen.answer;
}

void amdm_bench_trace_stop(struct amdm_glue *glue)
{
	ctl_seen.stops |= gpu(glue);
}

int amdm_bench_trace_read(struct amdm_glue *glue, struct amdm_ctl_trace *args)
{
	ctl_seen.reads |= gpu(glue);
	args->count = 3;
	return 0;
}

int amdm_bench_memory(struct amdm_glue *glue, const struct amdm_ctl_memory *args, bool write)
{
	*(write ? &ctl_seen.pokes : &ctl_seen.peeks) |= gpu(glue);
	return 0;
}

int amdm_bench_inject(struct amdm_glue *glue, u32 fault, u32 count)
{
	ctl_seen.injects |= gpu(glue);
	return 0;
}

u64 silicon_bench_counter(const struct silicon_chip *silicon, u32 counter)
{
	return 100 + counter;
}

static int ctl_setup(struct kunit *test)
{
	struct ctl_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&ctl_seen, 0, sizeof(ctl_seen));
	ctl_seen.bed = bed;
	ctl_seen.capable = true;
	bed->chip.clock_mhz = 1700;
	bed->asic.die.ref_khz = 25000;
	for (i = 0; i < GPUS; i++) {
		bed->adev[i].index = i;
		bed->adev[i].chip = &bed->chip;
		bed->adev[i].asic = &bed->asic;
		bed->adev[i].cu_active = 60;
		bed->adev[i].glue = &bed->glue[i];
		bed->glue[i].worker = current;
		spin_lock_init(&bed->glue[i].lock);
	}
	user_space_begin(test);
	return amdm_ctl_fops.open(NULL, &bed->file);
}

static void ctl_teardown(struct kunit *test)
{
	struct ctl_bed *bed = test->priv;

	if (bed->file.private_data)
		amdm_ctl_fops.release(NULL, &bed->file);
	KUNIT_EXPECT_EQ(test, ctl_seen.devices, 0);
	user_space_end();
}

static long call(struct kunit *test, unsigned int cmd, void *args, size_t bytes)
{
	struct ctl_bed *bed = test->priv;
	long ret;

	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)user_page, args, bytes), 0ul);
	ret = amdm_ctl_fops.unlocked_ioctl(&bed->file, cmd, user_page);
	KUNIT_ASSERT_EQ(test, copy_from_user(args, (void __user *)user_page, bytes), 0ul);
	return ret;
}

#define CALL(cmd, args) call(test, cmd, &(args), sizeof(args))

static void who_may_open(struct kunit *test)
{
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, file);
	ctl_seen.capable = false;
	KUNIT_EXPECT_EQ(test, amdm_ctl_fops.open(NULL, file), -EPERM);
	KUNIT_EXPECT_NULL(test, file->private_data);
	KUNIT_EXPECT_EQ(test, amdm_ctl_device.mode, 0600);
}

static void information(struct kunit *test)
{
	struct ctl_bed *bed = test->priv;
	struct amdm_ctl_info info = {};

	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_INFO, info), 0L);
	KUNIT_EXPECT_EQ(test, info.version, (u32)AMDM_CTL_VERSION);
	KUNIT_EXPECT_EQ(test, info.gpus, (u32)GPUS);
	KUNIT_EXPECT_EQ(test, info.cu_active, 60u);
	KUNIT_EXPECT_EQ(test, info.clock_khz, 1700000u);
	KUNIT_EXPECT_EQ(test, info.ref_khz, 25000u);
	KUNIT_EXPECT_EQ(test, amdm_ctl_fops.unlocked_ioctl(&bed->file, AMDM_CTL_INFO, NOT_USER), (long)-EFAULT);
}

static void what_is_no_command(struct kunit *test)
{
	struct ctl_bed *bed = test->priv;
	struct amdm_ctl_inject inject = { .gpu = GPUS };
	struct amdm_ctl_clock clock = { .pad = 1 };
	struct amdm_ctl_trace trace = { .op = 3 };

	KUNIT_EXPECT_EQ(test, CALL(_IOW(AMDM_CTL_IOC, 0x7f, u32), inject), (long)-ENOTTY);
	KUNIT_EXPECT_EQ(test, CALL(_IOWR(AMDM_CTL_IOC, 0x02, u32), clock), (long)-ENOTTY);	/* of another size */
	KUNIT_EXPECT_EQ(test, amdm_ctl_fops.unlocked_ioctl(&bed->file, AMDM_CTL_INJECT, NOT_USER), (long)-EFAULT);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_INJECT, inject), (long)-ENODEV);
	inject = (struct amdm_ctl_inject){ .pad = 1 };
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_INJECT, inject), (long)-EINVAL);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_HOLD, clock), (long)-EINVAL);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, trace), (long)-EINVAL);
	trace = (struct amdm_ctl_trace){ .op = 1, .kinds = 1u << SILICON_TRACE_KINDS };
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, trace), (long)-EINVAL);
	trace = (struct amdm_ctl_trace){ .op = 2, .kinds = 1 };
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, trace), (long)-EINVAL);
	KUNIT_EXPECT_EQ(test, ctl_seen.injects | ctl_seen.holds | ctl_seen.starts, 0u);
}

static void each_to_its_gpu(struct kunit *test)
{
	struct amdm_ctl_clock clock = { .gpu = 1 };
	struct amdm_ctl_memory memory = { .gpu = 1 };
	struct amdm_ctl_inject inject = { .gpu = 1 };
	struct amdm_ctl_trace trace = { .gpu = 1 };
	u32 one = 1;

	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_HOLD, clock), 0L);
	KUNIT_EXPECT_EQ(test, clock.now, 1234ULL);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_RUN, clock), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_PEEK, memory), 0L);
	KUNIT_EXPECT_EQ(test, ctl_seen.pokes, 0u);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_POKE, memory), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_INJECT, inject), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, trace), 0L);
	KUNIT_EXPECT_EQ(test, trace.count, 3u);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_RESET, one), 0L);
	KUNIT_EXPECT_EQ(test, ctl_seen.holds & ctl_seen.runs & ctl_seen.peeks & ctl_seen.pokes & ctl_seen.injects & ctl_seen.reads &
			ctl_seen.resets, 2u);
	KUNIT_EXPECT_EQ(test, (ctl_seen.holds | ctl_seen.runs | ctl_seen.peeks | ctl_seen.injects | ctl_seen.resets) & 1, 0u);
}

/* An error, but the time is returned with it. */
static void a_step_that_failed(struct kunit *test)
{
	struct amdm_ctl_clock clock = {};

	ctl_seen.answer = -ETIME;
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_RUN, clock), (long)-ETIME);
	KUNIT_EXPECT_EQ(test, clock.now, 1234ULL);
}

static void what_a_file_leaves(struct kunit *test)
{
	struct ctl_bed *bed = test->priv;
	struct amdm_ctl_clock first = {}, second = { .gpu = 1 };
	struct amdm_ctl_trace trace = { .gpu = 1, .op = 1 }, stopped = { .op = 1 };

	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_HOLD, first), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_HOLD, second), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_RELEASE, second), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, trace), 0L);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, stopped), 0L);
	stopped.op = 2;
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_TRACE, stopped), 0L);
	ctl_seen.releases = ctl_seen.stops = 0;
	amdm_ctl_fops.release(NULL, &bed->file);
	bed->file.private_data = NULL;
	KUNIT_EXPECT_EQ(test, ctl_seen.releases, 1u);
	KUNIT_EXPECT_EQ(test, ctl_seen.stops, 2u);
}

static void counters(struct kunit *test)
{
	struct ctl_bed *bed = test->priv;
	struct amdm_ctl_counters args = { .count = 2, .values = user_page + 512 };
	u64 values[3] = {};

	bed->adev[0].vram.used = 11;
	atomic64_set(&bed->adev[0].gtt_bytes, 12);
	atomic64_set(&bed->adev[0].pt_bytes, 13);
	atomic64_set(&bed->adev[0].user_pages, 14);
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_COUNTERS, args), 0L);
	KUNIT_EXPECT_EQ(test, copy_from_user(values, (void __user *)user_page + 512, sizeof(values)), 0ul);
	KUNIT_EXPECT_EQ(test, values[1], 101ULL);
	KUNIT_EXPECT_EQ(test, values[2], 0ULL);	/* there was no room for it */
	KUNIT_EXPECT_EQ(test, args.vram_used, 11ULL);
	KUNIT_EXPECT_EQ(test, args.gtt_used, 12ULL);
	KUNIT_EXPECT_EQ(test, args.page_table_bytes, 13ULL);
	KUNIT_EXPECT_EQ(test, args.pinned_pages, 14ULL);
	args.count = ~0u;
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_COUNTERS, args), 0L);
	KUNIT_EXPECT_EQ(test, args.count, (u32)SILICON_COUNTERS);
	args.values = NOT_USER;
	KUNIT_EXPECT_EQ(test, CALL(AMDM_CTL_COUNTERS, args), (long)-EFAULT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(who_may_open),
	KUNIT_CASE(information),
	KUNIT_CASE(what_is_no_command),
	KUNIT_CASE(each_to_its_gpu),
	KUNIT_CASE(a_step_that_failed),
	KUNIT_CASE(what_a_file_leaves),
	KUNIT_CASE(counters),
	{}
};

static struct kunit_suite suite = {
	.name = "glue_ctl", .suite_init = user_space_find, .init = ctl_setup, .exit = ctl_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
