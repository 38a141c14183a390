// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chip_test.c - a silicon in its socket: put in, powered, asked, reset, taken out; and half of it, when there is no memory for the rest.
 */
#include <kunit/test.h>

#include "kunit/spin_locks.h"
#include "kunit/fail_nth.h"
#include "amdgpu_model/base/amdgpu_load.c"
#include "amdgpu_model/glue/idler.c"
#include "amdgpu_model/glue/kick.c"
#include "amdgpu_model/glue/chip.c"

#define REG	0x1234u

struct amdm_parameters amdm_param;
const struct silicon_ports amdm_ports;
static const struct amdm_wires wires;

static const struct amdm_chip product = { .clock_mhz = 1800, .memory_mhz = 1000, .vram_bits = 4096 };

struct chip_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
};

static struct {
	bool impossible;
	bool not_here;
	struct silicon_config config;
	void *memory, *context;
	struct { u32 reg, value; } writes[8];
	u32 num, resets, gone, workers, doorbells;
	u64 awake;
	bool locked;
	struct amdm_glue *glue;
} chip_seen;

static void look(void)
{
	chip_seen.locked &= chip_seen.glue && spin_is_locked(&chip_seen.glue->lock) == SPIN_LOCKS_TELL && !atomic_read(&chip_seen.glue->callers);
}

bool silicon_runs_here(void)
{
	return !chip_seen.not_here;
}

u64 silicon_size(const struct silicon_config *config)
{
	return config->chip == 17 && config->vram_bytes ? 3 * PAGE_SIZE : 0;
}

struct silicon_chip *silicon_init(void *memory, const struct silicon_config *config, const struct silicon_ports *ports, void *context)
{
	chip_seen.config = *config;
	chip_seen.context = context;
	chip_seen.memory = memory;
	return chip_seen.impossible ? NULL : memory;
}

void silicon_reset(struct silicon_chip *silicon)
{
	chip_seen.resets++;
	look();
}

u32 silicon_reg_read(struct silicon_chip *silicon, u32 reg)
{
	look();
	return reg + 1;
}

void silicon_reg_write(struct silicon_chip *silicon, u32 reg, u32 value)
{
	look();
	if (chip_seen.num < ARRAY_SIZE(chip_seen.writes)) {
		chip_seen.writes[chip_seen.num].reg = reg;
		chip_seen.writes[chip_seen.num].value = value;
	}
	chip_seen.num++;
}

u64 silicon_bench_counter(const struct silicon_chip *silicon, u32 counter)
{
	look();
	return counter == SILICON_COUNT_AWAKE_CYCLES ? chip_seen.awake : 0;
}

void silicon_host_pages_gone(struct silicon_chip *silicon)
{
	chip_seen.gone++;
	look();
}

u32 amdm_reg(const struct amdm_device *adev, u32 name)
{
	return name + 0x10000;
}

void amdm_doorbell_init(struct amdm_doorbells *doorbells)
{
	chip_seen.doorbells++;
}

void amdm_doorbell_fini(struct amdm_doorbells *doorbells)
{
	chip_seen.doorbells--;
}

int amdm_worker(void *glue)
{
	chip_seen.workers++;
	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

static int chip_setup(struct kunit *test)
{
	struct chip_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&chip_seen, 0, sizeof(chip_seen));
	chip_seen.locked = true;
	bed->asic.die.vram_type = HW_VRAM_HBM;
	bed->adev.asic = &bed->asic;
	bed->adev.chip = &product;
	bed->adev.chip_row = 17;
	bed->adev.vram.size = 1 << 20;
	bed->adev.cu_bitmap[0][2][1] = 0x3ff;
	return 0;
}

static void chip_teardown(struct kunit *test)
{
	struct chip_bed *bed = test->priv;

	amdm_glue_fini(&bed->adev);
	amdm_glue_fini(&bed->adev);
	KUNIT_EXPECT_NULL(test, bed->adev.glue);
	KUNIT_EXPECT_EQ(test, chip_seen.doorbells, 0u);
	KUNIT_EXPECT_TRUE(test, chip_seen.locked);	/* no two calls into it overlap */
}

static struct amdm_glue *put_in(struct kunit *test)
{
	struct chip_bed *bed = test->priv;

	KUNIT_ASSERT_EQ(test, amdm_glue_init(&bed->adev, &wires), 0);
	chip_seen.glue = bed->adev.glue;
	KUNIT_EXPECT_PTR_EQ(test, chip_seen.glue->wires, &wires);
	return bed->adev.glue;
}

static void it_is_put_in(struct kunit *test)
{
	struct amdm_glue *glue = put_in(test);

	KUNIT_EXPECT_EQ(test, chip_seen.config.chip, 17u);
	KUNIT_EXPECT_EQ(test, glue->line_q8, 64 * 256 * 1800u / 1024000);	/* 1 TB/s */
	KUNIT_EXPECT_EQ(test, chip_seen.config.vram_bytes, 1ULL << 20);
	KUNIT_EXPECT_EQ(test, chip_seen.config.doorbell_bytes, 2u << 20);
	KUNIT_EXPECT_EQ(test, chip_seen.config.cu_bitmap[0][2][1], 0x3ffu);
	KUNIT_EXPECT_PTR_EQ(test, chip_seen.context, (void *)glue);
	KUNIT_EXPECT_EQ(test, (unsigned long)chip_seen.memory & 63, 0ul);
	KUNIT_EXPECT_EQ(test, glue->vram_note, AMDM_NO_NOTE);
	KUNIT_EXPECT_EQ(test, chip_seen.workers, 0u);
}

static void chips_that_are_none(struct kunit *test)
{
	struct chip_bed *bed = test->priv;

	chip_seen.not_here = true;
	KUNIT_EXPECT_EQ(test, amdm_glue_init(&bed->adev, &wires), -ENODEV);
	chip_seen.not_here = false;
	bed->adev.chip_row = 18;
	KUNIT_EXPECT_EQ(test, amdm_glue_init(&bed->adev, &wires), -ENODEV);
	bed->adev.chip_row = 17;
	bed->adev.vram.size = 0;
	KUNIT_EXPECT_EQ(test, amdm_glue_init(&bed->adev, &wires), -ENODEV);
	bed->adev.vram.size = 1 << 20;
	chip_seen.impossible = true;
	KUNIT_EXPECT_EQ(test, amdm_glue_init(&bed->adev, &wires), -ENODEV);
	amdm_glue_pages_gone(&bed->adev);	/* without a chip there are no pages of one */
	KUNIT_EXPECT_EQ(test, chip_seen.gone, 0u);
}

static void power(struct kunit *test)
{
	struct chip_bed *bed = test->priv;
	struct amdm_glue *glue = put_in(test);

	amdm_glue_stop(&bed->adev);	/* it has none yet */
	KUNIT_ASSERT_EQ(test, amdm_glue_start(&bed->adev), 0);
	amdm_glue_stop(&bed->adev);
	amdm_glue_stop(&bed->adev);
	KUNIT_EXPECT_TRUE(test, glue->stopped);
	glue->asleep = true;
	amdm_glue_kick(&bed->adev);	/* the thread has ended, its task is still there */
	KUNIT_EXPECT_EQ(test, atomic_read(&glue->kicks), 1);
	KUNIT_EXPECT_NULL(test, glue->idler);
}

static void registers(struct kunit *test)
{
	static const struct amdm_reg_write all[] = { { 1, 10 }, { 2, 20 }, { 1, 30 } };
	struct chip_bed *bed = test->priv;
	struct amdm_glue *glue = put_in(test);

	KUNIT_EXPECT_EQ(test, amdm_mmio_read(&bed->adev, REG), REG + 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&glue->kicks), 0);	/* a read sets nothing in motion */
	amdm_mmio_write(&bed->adev, REG, 5);
	KUNIT_EXPECT_EQ(test, chip_seen.writes[0].reg, REG);
	KUNIT_EXPECT_EQ(test, chip_seen.writes[0].value, 5u);
	KUNIT_EXPECT_EQ(test, atomic_read(&glue->kicks), 1);
	KUNIT_EXPECT_EQ(test, amdm_rreg(&bed->adev, REG), REG + 0x10001);	/* by its name: where this chip has it */
	amdm_wreg(&bed->adev, REG, 6);
	KUNIT_EXPECT_EQ(test, chip_seen.writes[1].reg, REG + 0x10000);
	amdm_mmio_write_all(&bed->adev, all, 3);
	KUNIT_EXPECT_EQ(test, chip_seen.num, 5u);
	KUNIT_EXPECT_EQ(test, chip_seen.writes[4].reg, 1u);
	KUNIT_EXPECT_EQ(test, chip_seen.writes[4].value, 30u);
	KUNIT_EXPECT_EQ(test, atomic_read(&glue->kicks), 3);
}

static void the_rest(struct kunit *test)
{
	struct chip_bed *bed = test->priv;
	struct amdm_glue *glue = put_in(test);
	struct file holder;

	glue->interrupt = true;
	amdm_glue_reset(&bed->adev);
	KUNIT_EXPECT_EQ(test, chip_seen.resets, 1u);
	KUNIT_EXPECT_FALSE(test, glue->interrupt);	/* of what has been before */
	amdm_glue_pages_gone(&bed->adev);
	KUNIT_EXPECT_EQ(test, chip_seen.gone, 1u);
	KUNIT_EXPECT_FALSE(test, amdm_glue_held(&bed->adev));
	glue->holder = &holder;
	KUNIT_EXPECT_TRUE(test, amdm_glue_held(&bed->adev));
	glue->progress = (struct amdm_progress){ .slices = 3, .rests = 2 };
	KUNIT_EXPECT_EQ(test, amdm_glue_progress(&bed->adev).slices, 3ULL);
	KUNIT_EXPECT_EQ(test, amdm_glue_progress(&bed->adev).rests, 2ULL);
	KUNIT_EXPECT_EQ(test, amdm_glue_slow_factor() % (IS_ENABLED(CONFIG_KASAN) ? 4 : 1), 0u);
	KUNIT_EXPECT_FALSE(test, spin_is_locked(&glue->lock));
	KUNIT_EXPECT_EQ(test, atomic_read(&glue->callers), 0);
}

/* A wait of 10 ms: how long ago it began on the host's clock, and what the chip has had of it. */
static void the_end_of_a_wait(struct kunit *test)
{
	static const struct {
		u32 host_ms, awake_ms, stills;
		bool is_over;
	} rows[] = {
		{ 5, 50, 5 },				/* the host decides that it is early */
		{ 15, 9, 1 }, { 15, 11, 0, true },	/* at work, for long enough */
		{ 15, 0, 2, true },			/* nothing to do */
		{ 60005, 9, 0 }, { 60015, 9, 0, true },	/* stands still */
	};
	struct chip_bed *bed = test->priv;
	struct amdm_glue *glue = put_in(test);
	const u64 slower = 10 * (amdm_glue_slow_factor() - 1) * NSEC_PER_MSEC;
	struct kfd_bridge_wait wait;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		chip_seen.awake = 1000;
		glue->progress.stills = 100;
		amdm_glue_wait_begin(&bed->adev, &wait);
		wait.host_ns -= (u64)rows[i].host_ms * NSEC_PER_MSEC + slower;
		chip_seen.awake += (u64)rows[i].awake_ms * 1000 * product.clock_mhz;
		glue->progress.stills += rows[i].stills;
		KUNIT_EXPECT_EQ_MSG(test, amdm_glue_wait_is_over(&bed->adev, &wait, 10), rows[i].is_over, "row %u", i);
	}
}

static void without_memory(struct kunit *test)
{
	struct chip_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = amdm_glue_init(&bed->adev, &wires);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		amdm_glue_fini(&bed->adev);
		KUNIT_EXPECT_EQ(test, chip_seen.doorbells, 0u);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(it_is_put_in),
	KUNIT_CASE(chips_that_are_none),
	KUNIT_CASE(power),
	KUNIT_CASE(registers),
	KUNIT_CASE(the_rest),
	KUNIT_CASE(the_end_of_a_wait),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "glue_chip", .init = chip_setup, .exit = chip_teardown, .test_cases = cases };
kunit_test_suite(suite);
