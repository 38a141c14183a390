// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_debug_launch_test.c - how waves of a debugged process start, what they trap at, and which memory they watch */
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/debug/kfd_debug_launch.c"
#include "kfd_model/debug/kfd_debug_watch.c"

static struct process_fixture *f;

static struct {
	u32 refreshes, cntl, flags, watch[KFDM_WATCH_POINTS];
	int refresh_error;
} fake;

int kfdm_debug_refresh(struct kfdm_process_device *pdd, bool remap)
{
	fake.refreshes += remap && pdd->dev->chip->debug.by_vmid;
	fake.cntl = pdd->debug.override | pdd->debug.launch_mode;
	fake.flags = pdd->process->debug.flags;
	memcpy(fake.watch, pdd->debug.watch, sizeof(fake.watch));
	return pdd->dev->chip->debug.by_vmid ? fake.refresh_error : 0;
}

struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id)
{
	return gpu_id == GPU_0 ? p->pdds[0] : gpu_id == GPU_1 ? p->pdds[1] : NULL;
}

static struct {
	u32 mode, vmid, trap_mask, watches, watch_control;
	u64 watch_address;
	bool control_by_vmid;
	int error;
} registers;

static int fake_set_launch_mode(struct amdm_device *adev, u32 vmid, u32 mode)
{
	registers.vmid = vmid;
	registers.mode = mode;
	return registers.error;
}

static int fake_set_trap_mask(struct amdm_device *adev, u32 exceptions)
{
	registers.trap_mask = exceptions;
	return registers.error;
}

static int fake_set_watch(struct amdm_device *adev, u32 n, u64 address, const u32 *control)
{
	registers.watches++;
	registers.watch_address = address;
	registers.watch_control = control ? *control : 0;
	registers.control_by_vmid = !control;
	return registers.error;
}

static const struct kfd2kgd_ops fake_kgd = {
	.set_launch_mode = fake_set_launch_mode, .set_trap_mask = fake_set_trap_mask, .set_watch = fake_set_watch,
};

static int launch_setup(struct kunit *test)
{
	memset(&fake, 0, sizeof(fake));
	memset(&registers, 0, sizeof(registers));
	f = process_fixture_get(test, &fake_kgd);
	return 0;
}

static void end_session(void)
{
	u32 i;

	for (i = 0; i < f->p.n_pdds; i++) {
		kfdm_debug_clear_watches(f->p.pdds[i]);
		kfdm_debug_reset_launch(f->p.pdds[i]);
	}
}

/* kfd_dbg_trap_set_wave_launch_mode() */
static void how_waves_start(struct kunit *test)
{
	f->dev[0].last_vmid = f->dev[1].last_vmid = 15;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, ~0u), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 3), 0);
	KUNIT_EXPECT_TRUE(test, registers.mode == 3 && registers.vmid == 15 && !fake.refreshes);
	end_session();
	KUNIT_EXPECT_TRUE(test, !registers.mode && !f->pdd[0].debug.launch_mode);
	registers.error = -EOPNOTSUPP;	/* a chip without such a register */
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 1), -EOPNOTSUPP);
	registers.error = 0;
	f->chip.debug.by_vmid = true;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 1), 0);
	KUNIT_EXPECT_TRUE(test, fake.refreshes == 2 && fake.cntl == 2);
	fake.refresh_error = -EIO;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 0), -EIO);
	f->chip.mes = true;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_launch_mode(&f->p, 0), -EOPNOTSUPP);
}

static int override_with(u32 mode, u32 *enable, u32 *request)
{
	struct kfd_ioctl_dbg_trap_args args = { .launch_override = {
		.override_mode = mode, .enable_mask = *enable, .support_request_mask = *request,
	} };
	int ret = kfdm_debug_set_override(&f->p, &args);

	*enable = args.launch_override.enable_mask;
	*request = args.launch_override.support_request_mask;
	return ret;
}

/* kfd_dbg_trap_set_wave_launch_override() with a register for all VMIDs: watch points alone, and they are added. */
static void waves_of_all_trap(struct kunit *test)
{
	u32 enable = 4, request = 4;

	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), -EACCES);
	KUNIT_EXPECT_EQ(test, request, 0x80u);
	KUNIT_EXPECT_EQ(test, override_with(1, &enable, &request), -EINVAL);
	enable = ~0u;
	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), 0);
	KUNIT_EXPECT_TRUE(test, !enable && request == 0x80 && registers.trap_mask == 0x80);
	request = 0;
	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), 0);
	KUNIT_EXPECT_TRUE(test, enable == 0x80 && registers.trap_mask == 0x80);
	end_session();
	KUNIT_EXPECT_EQ(test, registers.trap_mask, 0u);
}

/* The same by VMID: all exceptions; bits that are not asked for stay. */
static void waves_trap(struct kunit *test)
{
	u32 enable = 5, request = 4;

	f->chip.debug.by_vmid = true;
	KUNIT_EXPECT_EQ(test, override_with(2, &enable, &request), -EPERM);
	request = 4;
	KUNIT_EXPECT_EQ(test, override_with(1, &enable, &request), 0);
	KUNIT_EXPECT_TRUE(test, !enable && request == 0x1ff && fake.cntl == (8 | 4 << 4 | 1 << 13));
	enable = 1;
	request = 1;
	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), 0);
	KUNIT_EXPECT_TRUE(test, enable == 4 && fake.cntl == (8 | 5 << 4));
	request = 0x200;
	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), -EACCES);
	f->chip.mes = true;
	request = 1;
	KUNIT_EXPECT_EQ(test, override_with(0, &enable, &request), -EOPNOTSUPP);
}

static void flags_by_chip(struct kunit *test)
{
	struct kfd_ioctl_dbg_trap_args args = { .set_flags = { .flags = KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP } };

	f->chip.debug.precise_memory = false;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), -EACCES);
	f->chip.debug.precise_memory = true;
	args.set_flags.flags = KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), 0);
	KUNIT_EXPECT_TRUE(test, !args.set_flags.flags && fake.flags);
	f->chip.debug.by_vmid = true;
	fake.refresh_error = -EIO;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), -EIO);
	KUNIT_EXPECT_EQ(test, f->p.debug.flags, (u32)KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP);
	args.set_flags.flags = KFD_DBG_TRAP_FLAG_SINGLE_ALU_OP;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), -EACCES);
	args.set_flags.flags = KFD_DBG_TRAP_FLAG_LDS_OUT_OF_ADDR_RANGE;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), -EACCES);
	f->chip.mes = true;
	args.set_flags.flags = 0;
	KUNIT_EXPECT_EQ(test, kfdm_debug_set_flags(&f->p, &args), -EOPNOTSUPP);
}

static int set_watch(u32 gpu_id, u64 address, u32 mask, u32 mode, u32 *id)
{
	struct kfd_ioctl_dbg_trap_args args = { .set_node_address_watch = {
		.address = address, .mode = mode, .mask = mask, .gpu_id = gpu_id, .id = 77,
	} };
	int ret = kfdm_debug_set_watch(&f->p, &args);

	*id = args.set_node_address_watch.id;
	return ret;
}

static int clear_watch(u32 gpu_id, u32 id)
{
	struct kfd_ioctl_dbg_trap_args args = { .clear_node_address_watch = { .gpu_id = gpu_id, .id = id } };

	return kfdm_debug_clear_watch(&f->p, &args);
}

/* kfd_dbg_trap_set_dev_address_watch(): four on a device, whoever has them */
static void memory_is_watched(struct kunit *test)
{
	u32 i, id;

	f->dev[0].last_vmid = 15;
	KUNIT_EXPECT_EQ(test, set_watch(NO_GPU, 0, 0, 0, &id), -ENODEV);
	KUNIT_EXPECT_EQ(test, clear_watch(NO_GPU, 0), -ENODEV);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0x123456789000, ~0u, 7, &id), 0);
		KUNIT_EXPECT_EQ(test, id, i);
	}
	KUNIT_EXPECT_EQ(test, registers.watch_address, 0x123456789000ull);
	KUNIT_EXPECT_EQ(test, registers.watch_control, 1u << 31 | 3u << 29 | 15u << 24 | 0xffffffu);
	KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0, 0, 0, &id), -ENOMEM);
	KUNIT_EXPECT_EQ(test, id, ~0u);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_0, 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_0, 34), -EINVAL);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_1, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_0, 2), 0);
	KUNIT_EXPECT_EQ(test, registers.watch_control, 0u);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_0, 2), -EINVAL);
	end_session();
	KUNIT_EXPECT_EQ(test, f->dev[0].watch_points, 0ul);
	f->dev[0].watch_points = 0xf;	/* another process's */
	KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0, 0, 0, &id), -ENOMEM);
	KUNIT_EXPECT_EQ(test, clear_watch(GPU_0, 0), -EINVAL);
	f->dev[0].watch_points = 0;
}

static void memory_is_watched_by_vmid(struct kunit *test)
{
	u32 id;

	f->chip.debug.by_vmid = true;
	KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0x1000, 0xffffffc0, 1, &id), 0);
	KUNIT_EXPECT_TRUE(test, registers.control_by_vmid && fake.refreshes == 1);
	KUNIT_EXPECT_EQ(test, fake.watch[0], 1u << 31 | 1u << 29 | 0xffffffu);
	fake.refresh_error = -EIO;
	KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0x1000, 0, 0, &id), -EIO);
	KUNIT_EXPECT_EQ(test, f->dev[0].watch_points, 1ul);
	fake.refresh_error = 0;
	end_session();
	KUNIT_EXPECT_EQ(test, fake.watch[0] + f->dev[0].watch_points, 0ull);
	f->chip.mes = true;
	KUNIT_EXPECT_EQ(test, set_watch(GPU_0, 0, 0, 0, &id), -EOPNOTSUPP);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(how_waves_start),
	KUNIT_CASE(waves_of_all_trap),
	KUNIT_CASE(waves_trap),
	KUNIT_CASE(flags_by_chip),
	KUNIT_CASE(memory_is_watched),
	KUNIT_CASE(memory_is_watched_by_vmid),
	{}
};

static struct kunit_suite suite = { .name = "kfd_debug_launch", .init = launch_setup, .exit = process_fixture_put, .test_cases = cases };
kunit_test_suite(suite);
