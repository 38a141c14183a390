// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gfx_v9_test.c - the clock, the VMIDs' first apertures, the interrupts of a pipe, and the order in which Vega's pipes and the
 * kernel's queue come and go.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/gfx/amdgpu_gfx.c"
#include "amdgpu_model/gfx/amdgpu_gfx_v9.c"

struct gfx_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
};

static struct {
	char order[16];	/* K, k: the kernel's queue comes, goes; R, r: the rings; Q: its memory, C: theirs */
	u32 at, registers_at_kiq;
	int kiq_answer;
} gfx_seen;

static void note(char what)
{
	if (gfx_seen.at < sizeof(gfx_seen.order) - 1)
		gfx_seen.order[gfx_seen.at++] = what;
}

int amdm_kiq_hw_init(struct amdm_device *adev, u32 xcc)
{
	note('K');
	gfx_seen.registers_at_kiq = fake_registers.count;
	return gfx_seen.kiq_answer;
}

void amdm_kiq_hw_fini(struct amdm_device *adev, u32 xcc)
{
	note('k');
}

int amdm_kiq_sw_init(struct amdm_device *adev)
{
	note('Q');
	return gfx_seen.kiq_answer;
}

void amdm_kiq_sw_fini(struct amdm_device *adev)
{
	note('q');
}

int amdm_cp_rings_create(struct amdm_device *adev)
{
	note('C');
	return 0;
}

int amdm_cp_rings_start(struct amdm_device *adev)
{
	note('R');
	return 0;
}

void amdm_cp_rings_stop(struct amdm_device *adev)
{
	note('r');
}

static int gfx_setup(struct kunit *test)
{
	struct gfx_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_registers_reset();
	memset(&gfx_seen, 0, sizeof(gfx_seen));
	bed->asic = (struct amdm_asic){ .die.gb_addr_config = 0x22014042, .sh_mem_config = 0x1d };
	bed->adev.asic = &bed->asic;
	mutex_init(&bed->adev.gpu_clock_mutex);
	return 0;
}

static void the_clock(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;
	u32 value = 0;

	fake_registers_keep(mmRLC_GPU_CLOCK_COUNT_LSB, 0x89abcdef);
	fake_registers_keep(mmRLC_GPU_CLOCK_COUNT_MSB, 0x01234567);
	KUNIT_EXPECT_EQ(test, amdm_gfx_clock(&bed->adev), 0x0123456789abcdefULL);
	KUNIT_EXPECT_TRUE(test, fake_written(mmRLC_CAPTURE_GPU_CLOCK_COUNT, &value));
	KUNIT_EXPECT_EQ(test, value, 1u);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.gpu_clock_mutex));
}

/* gfx_v9_0_init_compute_vmid: each VMID's own bank; bases of both apertures 0x6000; no GDS for those of KFD */
static void vmids(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;
	u32 i, bank = 0, configured = 0, based = 0, vmid;

	amdm_gfx_init_compute_vmids(&bed->adev);
	for (i = 0; i < fake_registers.count; i++) {
		const struct fake_write *w = &fake_registers.writes[i];

		if (w->name == mmGRBM_GFX_CNTL)
			bank = w->value;
		if (w->name == mmSH_MEM_CONFIG && w->value == 0x1d)
			configured |= 1u << (bank >> 4);
		if (w->name == mmSH_MEM_BASES && w->value == 0x60006000)
			based |= 1u << (bank >> 4);
	}
	KUNIT_EXPECT_EQ(test, configured, 0xfffeu);
	KUNIT_EXPECT_EQ(test, based, 0xfffeu);
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
	for (vmid = 0; vmid < 16; vmid++) {
		u32 times = vmid >= 8;

		KUNIT_EXPECT_EQ(test, fake_times_written(mmGDS_VMID0_BASE + 2 * vmid), times);
		KUNIT_EXPECT_EQ(test, fake_times_written(mmGDS_VMID0_SIZE + 2 * vmid), times);
		KUNIT_EXPECT_EQ(test, fake_times_written(mmGDS_GWS_VMID0 + vmid), times);
		KUNIT_EXPECT_EQ(test, fake_times_written(mmGDS_OA_VMID0 + vmid), times);
	}
}

static void interrupts_of_a_pipe(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, amdm_gfx_init_interrupts(&bed->adev, 5), 0);	/* MEC2, pipe 1 */
	/* CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK | __OPCODE_ERROR_INT_ENABLE_MASK */
	KUNIT_EXPECT_TRUE(test, fake_written(mmCPC_INT_CNTL, &value));
	KUNIT_EXPECT_EQ(test, value, 0x05000000u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].me << 8 | fake_registers.writes[0].pipe, 0x201u);
	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
}

static void it_comes_up(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;
	u32 value = 1;

	KUNIT_EXPECT_EQ(test, amdm_gfx_v9_0.sw_init(&bed->adev), 0);
	KUNIT_EXPECT_EQ(test, amdm_gfx_v9_0.hw_init(&bed->adev), 0);
	KUNIT_EXPECT_STREQ(test, gfx_seen.order, "QCKR");
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_MEC_CNTL, &value));
	KUNIT_EXPECT_EQ(test, value, 0u);
	KUNIT_EXPECT_EQ(test, gfx_seen.registers_at_kiq, fake_registers.count);
	KUNIT_EXPECT_TRUE(test, fake_written(mmCP_MEC_DOORBELL_RANGE_UPPER, &value));
	KUNIT_EXPECT_EQ(test, value, (2u << 20) - 4);	/* bytes of the BAR */
	KUNIT_EXPECT_TRUE(test, fake_written(mmGB_ADDR_CONFIG, &value));
	KUNIT_EXPECT_EQ(test, value, 0x22014042u);
}

static void without_the_kernels_queue(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;

	gfx_seen.kiq_answer = -EIO;
	KUNIT_EXPECT_EQ(test, amdm_gfx_v9_0.hw_init(&bed->adev), -EIO);
	KUNIT_EXPECT_EQ(test, amdm_gfx_v9_0.sw_init(&bed->adev), -EIO);
	KUNIT_EXPECT_STREQ(test, gfx_seen.order, "KQ");
}

static void it_goes(struct kunit *test)
{
	struct gfx_bed *bed = test->priv;

	amdm_gfx_v9_0.hw_fini(&bed->adev);
	amdm_gfx_v9_0.sw_fini(&bed->adev);
	KUNIT_EXPECT_STREQ(test, gfx_seen.order, "rkq");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_clock),
	KUNIT_CASE(vmids),
	KUNIT_CASE(interrupts_of_a_pipe),
	KUNIT_CASE(it_comes_up),
	KUNIT_CASE(without_the_kernels_queue),
	KUNIT_CASE(it_goes),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gfx_v9", .init = gfx_setup, .test_cases = cases };
kunit_test_suite(suite);
