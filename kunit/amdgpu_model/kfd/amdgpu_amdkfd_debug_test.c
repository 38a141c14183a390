// SPDX-License-Identifier: GPL-2.0 OR MIT
/* amdgpu_amdkfd_debug_test.c - a debugger's registers: values and order of Linux's amdgpu_amdkfd_gfx_v9.c */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd_debug.c"

static bool there_are_none;

u32 amdm_reg(const struct amdm_device *adev, u32 name)
{
	return there_are_none ? AMDM_REG_NONE : name;
}

static int debug_setup(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	if (!adev)
		return -ENOMEM;
	test->priv = adev;
	adev->num_xcc = 2;
	there_are_none = false;
	fake_registers_reset();
	return 0;
}

static void expect_write(struct kunit *test, u32 n, u32 name, u32 value)
{
	KUNIT_EXPECT_EQ(test, fake_registers.writes[n].name, name);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[n].value, value);
}

static void waves_of_one_vmid(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_launch_mode(test->priv, 15, 3), 0);
	expect_write(test, 0, mmSPI_GDBG_WAVE_CNTL2, 1u << 15 | 3u << 16);
	expect_write(test, 1, AMDM_XCC_REG(1, mmSPI_GDBG_WAVE_CNTL2), 1u << 15 | 3u << 16);
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_launch_mode(test->priv, 15, 0), 0);
	expect_write(test, 2, mmSPI_GDBG_WAVE_CNTL2, 0);
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_trap_mask(test->priv, 0x80), 0);
	expect_write(test, 4, mmSPI_GDBG_TRAP_MASK, 0x80);
}

static void a_watch_point(struct kunit *test)
{
	const u32 control = 0x80000001;

	KUNIT_EXPECT_EQ(test, amdm_kgd_set_watch(test->priv, 2, 0xabcd123456789ac0ull, &control), 0);
	expect_write(test, 0, mmTCP_WATCH0_CNTL + 6, 0);
	expect_write(test, 2, mmTCP_WATCH0_ADDR_H + 6, 0x1234);
	expect_write(test, 4, mmTCP_WATCH0_ADDR_L + 6, 0x56789ac0);
	expect_write(test, 6, mmTCP_WATCH0_CNTL + 6, 0x80000001);
	fake_registers_reset();
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_watch(test->priv, 0, 0x1000, NULL), 0);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 4u);
	expect_write(test, 2, mmTCP_WATCH0_ADDR_L, 0x1000);
}

static void chips_that_cannot(struct kunit *test)
{
	there_are_none = true;
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_launch_mode(test->priv, 15, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_trap_mask(test->priv, 0x80), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, amdm_kgd_set_watch(test->priv, 0, 0, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(waves_of_one_vmid),
	KUNIT_CASE(a_watch_point),
	KUNIT_CASE(chips_that_cannot),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_amdkfd_debug", .init = debug_setup, .test_cases = cases };
kunit_test_suite(suite);
