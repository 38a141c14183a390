// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_process_test.c - process and device ioctls: order and errno of their checks, what they tell, and those that are not */
#include "kunit/kfd_model/process/process_device.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include <linux/anon_inodes.h>
#include <linux/fdtable.h>

#include "kfd_model/ioctl/kfd_ioctl_process.c"

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
}

static struct {
	bool policy_taken;
	u32 nodes, scratch_writes;
	struct file *drm_file;
	struct kfdm_device *smi;
} fake;

bool kfdm_dqm_set_cache_policy(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfd_ioctl_set_memory_policy_args *args)
{
	return fake.policy_taken;
}

u32 kfdm_topology_num_nodes(void)
{
	return fake.nodes;
}

int kfdm_smi_open(struct kfdm_device *dev, u32 *fd)
{
	fake.smi = dev;
	*fd = 17;
	return 0;
}

struct kfdm_bo *kfdm_bo_create_internal(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, void **cpu)
{
	return NULL;
}

void kfdm_bo_destroy_internal(struct kfdm_bo *bo, bool mapped_by_cpu)
{
}

static int fake_vm_acquire(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm)
{
	fake.drm_file = drm_file;
	*vm = (struct amdm_vm *)&fake;
	return 0;
}

static u64 fake_clock(struct amdm_device *adev)
{
	return 4711;
}

static u64 fake_available(struct amdm_xcp *xcp)
{
	return 6 * SZ_2M;
}

static u32 fake_gb_addr_config(struct amdm_device *adev)
{
	return 0x26010001;
}

static void fake_scratch(struct amdm_device *adev, u64 va, u32 vmid)
{
	fake.scratch_writes++;
}

static const struct kfd2kgd_ops fake_kgd = {
	.vm_acquire = fake_vm_acquire, .gpu_clock = fake_clock, .mem_available = fake_available,
	.gb_addr_config = fake_gb_addr_config, .set_scratch_backing_va = fake_scratch,
};

static int ioctl_setup(struct kunit *test)
{
	process_fixture_get(test, &fake_kgd);
	memset(&fake, 0, sizeof(fake));
	user_space_begin(test);
	return 0;
}

static void ioctl_teardown(struct kunit *test)
{
	flush_delayed_fput();	/* files that kernel threads close are closed later */
	user_space_end();
	process_fixture_put(test);
}

static void versions(struct kunit *test)
{
	struct kfd_ioctl_get_version_args args = {};
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_version(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.major_version, 1u);
	KUNIT_EXPECT_EQ(test, args.minor_version, 11u);	/* Linux 6.1 */
}

struct device_call {
	const char *name;
	kfdm_ioctl_fn *fn;
	u32 gpu_id_at;	/* byte of the argument struct */
	int no_gpu, no_vm, ok;
};

/* What a call returns for a device that does not exist, and for one whose address space the process has not acquired (kfd_chardev.c) */
#define CALL(fn, args, member, ...) { #fn, kfdm_ioctl_##fn, offsetof(struct kfd_ioctl_##args, member), __VA_ARGS__ }
static const struct device_call device_calls[] = {
	CALL(set_memory_policy, set_memory_policy_args, gpu_id, -EINVAL, -ESRCH, 0),
	CALL(set_trap_handler, set_trap_handler_args, gpu_id, -EINVAL, -ESRCH, 0),
	CALL(set_scratch_backing_va, set_scratch_backing_va_args, gpu_id, -EINVAL, -ENODEV, 0),
	CALL(get_clock_counters, get_clock_counters_args, gpu_id, 0, 0, 0),
	CALL(get_tile_config, get_tile_config_args, gpu_id, -EINVAL, 0, 0),
	CALL(available_memory, get_available_memory_args, gpu_id, -EINVAL, 0, 0),
	CALL(smi_events, smi_events_args, gpuid, -EINVAL, 0, 0),
	CALL(acquire_vm, acquire_vm_args, gpu_id, -EINVAL, -EINVAL, -EINVAL),	/* drm_fd is not a file descriptor */
};

static void device_call_name(const struct device_call *call, char *text)
{
	strscpy(text, call->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(device_call, device_calls, device_call_name);

static int call_with_gpu(struct kunit *test, u32 gpu_id)
{
	const struct device_call *call = test->param_value;
	u32 args[32] = { [0 ... 31] = 0 };

	if (call->fn == kfdm_ioctl_acquire_vm)
		args[0] = -1;
	args[call->gpu_id_at / sizeof(u32)] = gpu_id;
	return call->fn(&((struct process_fixture *)test->priv)->p, args);
}

static void devices_are_checked(struct kunit *test)
{
	const struct device_call *call = test->param_value;

	fake.policy_taken = true;
	KUNIT_EXPECT_EQ(test, call_with_gpu(test, NO_GPU), call->no_gpu);
	KUNIT_EXPECT_EQ(test, call_with_gpu(test, 0), call->no_gpu);
	KUNIT_EXPECT_EQ(test, call_with_gpu(test, GPU_1), call->no_vm);
	KUNIT_EXPECT_EQ(test, call_with_gpu(test, GPU_0), call->ok);
}

static void memory_policies(struct kunit *test)
{
	struct kfd_ioctl_set_memory_policy_args args = { .gpu_id = NO_GPU, .default_policy = 2 };
	struct process_fixture *f = test->priv;

	fake.policy_taken = true;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_memory_policy(&f->p, &args), -EINVAL);
	args.gpu_id = GPU_0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_memory_policy(&f->p, &args), -EINVAL);
	args.default_policy = KFD_IOC_CACHE_POLICY_NONCOHERENT;
	args.alternate_policy = 2;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_memory_policy(&f->p, &args), -EINVAL);
	args.alternate_policy = KFD_IOC_CACHE_POLICY_COHERENT;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_memory_policy(&f->p, &args), 0);
	fake.policy_taken = false;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_memory_policy(&f->p, &args), -EINVAL);
}

static void clocks(struct kunit *test)
{
	struct kfd_ioctl_get_clock_counters_args before = { .gpu_id = NO_GPU }, after = { .gpu_id = GPU_0 };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_clock_counters(&f->p, &before), 0);
	KUNIT_EXPECT_EQ(test, before.gpu_clock_counter, 0ull);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_clock_counters(&f->p, &after), 0);
	KUNIT_EXPECT_EQ(test, after.gpu_clock_counter, 4711ull);
	KUNIT_EXPECT_EQ(test, after.system_clock_freq, 1000000000ull);
	KUNIT_EXPECT_GE(test, after.cpu_clock_counter, before.cpu_clock_counter);
	KUNIT_EXPECT_GE(test, after.system_clock_counter, before.system_clock_counter);
	KUNIT_EXPECT_GT(test, before.system_clock_counter, 0ull);
}

static void apertures(struct kunit *test)
{
	struct kfd_ioctl_get_process_apertures_args *args = kunit_kzalloc(test, sizeof(*args), GFP_KERNEL);
	struct process_fixture *f = test->priv;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, args);
	f->pdd[0].apertures.scratch_base = 2ull << 48;
	f->pdd[1].apertures.gpuvm_limit = 0x7fffffffffff;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures(&f->p, args), 0);
	KUNIT_EXPECT_EQ(test, args->num_of_nodes, 2u);
	KUNIT_EXPECT_EQ(test, args->process_apertures[0].gpu_id, GPU_0);
	KUNIT_EXPECT_EQ(test, args->process_apertures[0].scratch_base, 2ull << 48);
	KUNIT_EXPECT_EQ(test, args->process_apertures[1].gpu_id, GPU_1);
	KUNIT_EXPECT_EQ(test, args->process_apertures[1].gpuvm_limit, 0x7fffffffffffull);
	KUNIT_EXPECT_EQ(test, args->process_apertures[2].gpu_id, 0u);
	for (i = 2; i < 9; i++)
		f->p.pdds[f->p.n_pdds++] = &f->pdd[1];
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures(&f->p, args), 0);
	KUNIT_EXPECT_EQ(test, args->num_of_nodes, 7u);	/* the struct has no more */
}

static void any_number_of_apertures(struct kunit *test)
{
	struct kfd_ioctl_get_process_apertures_new_args args = { .kfd_process_device_apertures_ptr = NOT_USER };
	struct kfd_process_device_apertures out[2] = {};
	struct process_fixture *f = test->priv;

	fake.nodes = 3;	/* with the CPU's */
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures_new(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.num_of_nodes, 2u);
	args.num_of_nodes = 4;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures_new(&f->p, &args), -EINVAL);
	args.num_of_nodes = 3;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures_new(&f->p, &args), -EFAULT);
	args.num_of_nodes = 3;
	args.kfd_process_device_apertures_ptr = user_page;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures_new(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.num_of_nodes, 2u);
	KUNIT_EXPECT_EQ(test, copy_from_user(out, USER(void), sizeof(out)), 0ul);
	KUNIT_EXPECT_EQ(test, out[0].gpu_id, GPU_0);
	KUNIT_EXPECT_EQ(test, out[1].gpu_id, GPU_1);
	args.num_of_nodes = 1;
	args.kfd_process_device_apertures_ptr = NOT_USER - sizeof(out[0]);	/* not more than asked for */
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_process_apertures_new(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.num_of_nodes, 1u);
}

static void scratch(struct kunit *test)
{
	struct kfd_ioctl_set_scratch_backing_va_args args = { .gpu_id = GPU_0, .va_addr = 0x2345 };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_scratch_backing_va(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, (u64)f->pdd[0].qpd.map.sh_hidden_private_base, 0x2345ull);
	KUNIT_EXPECT_EQ(test, fake.scratch_writes, 0u);	/* the firmware will write it with the VMID */
	f->pdd[0].qpd.vmid = 8;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_scratch_backing_va(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, fake.scratch_writes, 1u);
}

static void tile_configs(struct kunit *test)
{
	struct kfd_ioctl_get_tile_config_args args = {
		.gpu_id = GPU_0, .tile_config_ptr = user_page, .macro_tile_config_ptr = user_page,
		.num_tile_configs = 100, .num_macro_tile_configs = 10,
	};
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_tile_config(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.gb_addr_config, 0x26010001u);
	KUNIT_EXPECT_EQ(test, args.num_tile_configs, 32u);
	KUNIT_EXPECT_EQ(test, args.num_macro_tile_configs, 10u);
	args.macro_tile_config_ptr = NOT_USER;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_tile_config(&f->p, &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, args.num_tile_configs, 32u);
	KUNIT_EXPECT_EQ(test, args.num_macro_tile_configs, 0u);
}

static void an_address_space_is_acquired_once(struct kunit *test)
{
	static const struct file_operations no_fops;
	int fd = anon_inode_getfd("kunit", &no_fops, NULL, O_RDWR), other = anon_inode_getfd("kunit", &no_fops, NULL, O_RDWR);
	struct kfd_ioctl_acquire_vm_args args = { .gpu_id = GPU_1, .drm_fd = fd };
	struct process_fixture *f = test->priv;

	KUNIT_ASSERT_GE(test, min(fd, other), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_acquire_vm(&f->p, &args), 0);
	KUNIT_EXPECT_PTR_EQ(test, f->pdd[1].drm_file, fake.drm_file);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_acquire_vm(&f->p, &args), 0);
	args.drm_fd = other;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_acquire_vm(&f->p, &args), -EBUSY);
	args.gpu_id = NO_GPU;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_acquire_vm(&f->p, &args), -EINVAL);
	close_fd(other);
	close_fd(fd);
	KUNIT_EXPECT_EQ(test, file_count(f->pdd[1].drm_file), 1l);	/* ours, for the life of the process device */
	fput(f->pdd[1].drm_file);
}

static void other_answers(struct kunit *test)
{
	struct kfd_ioctl_get_available_memory_args memory = { .gpu_id = GPU_1 };
	struct kfd_ioctl_smi_events_args smi = { .gpuid = GPU_1 };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_available_memory(&f->p, &memory), 0);
	KUNIT_EXPECT_EQ(test, memory.available, 6ull * SZ_2M);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_smi_events(&f->p, &smi), 0);
	KUNIT_EXPECT_PTR_EQ(test, fake.smi, &f->dev[1]);
	KUNIT_EXPECT_EQ(test, smi.anon_fd, 17u);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_debugger(&f->p, NULL), -EPERM);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(versions),
	KUNIT_CASE_PARAM(devices_are_checked, device_call_gen_params),
	KUNIT_CASE(memory_policies),
	KUNIT_CASE(clocks),
	KUNIT_CASE(apertures),
	KUNIT_CASE(any_number_of_apertures),
	KUNIT_CASE(scratch),
	KUNIT_CASE(tile_configs),
	KUNIT_CASE(an_address_space_is_acquired_once),
	KUNIT_CASE(other_answers),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_process", .suite_init = user_space_find, .init = ioctl_setup, .exit = ioctl_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
