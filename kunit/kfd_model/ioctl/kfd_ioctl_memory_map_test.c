// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_memory_map_test.c - MAP, UNMAP and IMPORT_DMABUF: what they refuse, and how far a call came that fails half-way */
#include "kunit/kfd_model/fake_memory.h"
#include "kunit/kfd_model/process/process_device.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include <linux/anon_inodes.h>
#include <linux/fdtable.h>

#include "kfd_model/memory/kfd_memory.c"
#include "kfd_model/ioctl/kfd_ioctl_memory.c"

bool kfdm_svm_has(struct kfdm_process *p, u64 first, u64 last)
{
	return false;
}

static u32 flushes[3];	/* by type */

u32 kfdm_devices_get(struct kfdm_device *devices[KFDM_MAX_DEVICES])
{
	return 0;
}

void kfdm_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n)
{
}

static int fake_flush(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	if (pasid == PASID)
		flushes[type]++;
	return 0;
}

static const struct kfd2kgd_ops fake_kgd = { FAKE_MEMORY_OPS, .tlb_flush_pasid = fake_flush };

static int map_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake_memory, 0, sizeof(fake_memory));
	memset(flushes, 0, sizeof(flushes));
	f->pdd[1].vm = f->pdd[0].vm;
	user_space_begin(test);
	return 0;
}

static void map_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_bos_unmap_all(&f->p);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 0);
	kfdm_bos_free_all(&f->p);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 0);
	flush_delayed_fput();	/* files that kernel threads close are closed later */
	user_space_end();
	process_fixture_put(test);
}

static u64 handle(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = 0x100000, .gpu_id = GPU_0, .size = PAGE_SIZE, .flags = FLAG(VRAM),
	};

	KUNIT_ASSERT_EQ(test, kfdm_ioctl_alloc_memory(&f->p, &args), 0);
	return args.handle;
}

static struct kfd_ioctl_map_memory_to_gpu_args call_for(struct kunit *test, u64 handle, u32 first, u32 second)
{
	u32 ids[] = { first, second };

	KUNIT_EXPECT_EQ(test, copy_to_user(USER(u32), ids, sizeof(ids)), 0ul);
	return (struct kfd_ioctl_map_memory_to_gpu_args){
		.handle = handle, .device_ids_array_ptr = user_page, .n_devices = 2,
	};
}

static int unmap(struct process_fixture *f, struct kfd_ioctl_map_memory_to_gpu_args *args)
{
	BUILD_BUG_ON(sizeof(*args) != sizeof(struct kfd_ioctl_unmap_memory_from_gpu_args));
	return kfdm_ioctl_unmap_memory(&f->p, args);
}

struct refusal {
	const char *name;
	u64 handle;
	u32 n_devices, n_success;
	bool bad_pointer, unbound;
	int map_error, unmap_error;
};

/* kfd_chardev.c, kfd_ioctl_map_memory_to_gpu(): an unknown number in a handle is -ENOMEM, a device without VM counts first */
static const struct refusal refusals[] = {
	{ "no device", (u64)GPU_0 << 32, 0, 0, .map_error = -EINVAL, .unmap_error = -EINVAL },
	{ "more done than there are", (u64)GPU_0 << 32, 2, 3, .map_error = -EINVAL, .unmap_error = -EINVAL },
	{ "very many devices", (u64)GPU_0 << 32, U32_MAX, 0, .map_error = -ENOMEM, .unmap_error = -ENOMEM },
	{ "list not readable", (u64)GPU_0 << 32, 2, 0, .bad_pointer = true, .map_error = -EFAULT, .unmap_error = -EFAULT },
	{ "gpu of the handle", (u64)NO_GPU << 32, 2, 0, .map_error = -EINVAL, .unmap_error = -EINVAL },
	{ "number of the handle", (u64)GPU_0 << 32 | 9, 2, 0, .map_error = -ENOMEM, .unmap_error = -ENOMEM },
	{ "no address space", (u64)GPU_0 << 32 | 9, 2, 0, .unbound = true, .map_error = -ENODEV, .unmap_error = -ENOMEM },
};

static void refusal_name(const struct refusal *r, char *text)
{
	strscpy(text, r->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusal, refusals, refusal_name);

static void refused(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	const struct refusal *r = test->param_value;
	struct kfd_ioctl_map_memory_to_gpu_args args;

	handle(test);
	args = call_for(test, r->handle, GPU_0, GPU_1);
	args.n_devices = r->n_devices;
	args.n_success = r->n_success;
	if (r->bad_pointer)
		args.device_ids_array_ptr = NOT_USER;
	if (r->unbound)
		f->pdd[0].vm = NULL;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), r->map_error);
	KUNIT_EXPECT_EQ(test, args.n_success, r->n_success);
	KUNIT_EXPECT_EQ(test, unmap(f, &args), r->unmap_error);
	KUNIT_EXPECT_EQ(test, args.n_success, r->n_success);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 0);
	f->pdd[0].vm = f->pdd[1].vm;
}

static void to_both_and_from_both(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_map_memory_to_gpu_args args = call_for(test, handle(test), GPU_0, GPU_1);

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.n_success, 2u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 2);
	KUNIT_EXPECT_EQ(test, flushes[KFD_BRIDGE_TLB_LEGACY], 2u);
	args.n_success = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), 0);	/* what is mapped counts as done */
	KUNIT_EXPECT_EQ(test, args.n_success, 2u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 2);
	args.n_success = 0;
	KUNIT_EXPECT_EQ(test, unmap(f, &args), 0);
	KUNIT_EXPECT_EQ(test, args.n_success, 2u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 0);
	args.n_success = 0;
	KUNIT_EXPECT_EQ(test, unmap(f, &args), -EINVAL);	/* no longer there */
	KUNIT_EXPECT_EQ(test, args.n_success, 0u);
}

static u32 all_flushes(void)
{
	return flushes[KFD_BRIDGE_TLB_LEGACY] + flushes[KFD_BRIDGE_TLB_HEAVYWEIGHT];
}

/* kfd_flush_tlb_after_unmap(): the chip of the buffer decides; elsewhere freeing the memory makes up for it. */
static void flush_after_unmap(struct kunit *test)
{
	static const struct { const char *name; u32 gc_version, sdma_fw; bool flushes; } rows[] = {
		{ "fiji", 0, 99, false }, { "vega10", 0x090001, 99, false }, { "vega20", 0x090400, 0, true },
		{ "arcturus", 0x090401, 17, false }, { "arcturus", 0x090401, 18, true }, { "aldebaran", 0x090402, 0, true },
		{ "navi10", 0x0a010a, 0, true },
	};
	struct process_fixture *f = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfd_ioctl_map_memory_to_gpu_args args = call_for(test, handle(test), GPU_0, GPU_1);
		struct kfd_ioctl_free_memory_of_gpu_args free_args = { .handle = args.handle };

		f->dev[0].chip = kfdm_chip_find(&kfdm_abi_6_1, rows[i].name, rows[i].gc_version);
		f->dev[0].facts.sdma_fw = rows[i].sdma_fw;
		KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), 0);
		memset(flushes, 0, sizeof(flushes));
		args.n_success = 0;
		KUNIT_EXPECT_EQ(test, unmap(f, &args), 0);
		KUNIT_EXPECT_EQ_MSG(test, flushes[KFD_BRIDGE_TLB_HEAVYWEIGHT], rows[i].flushes ? 2u : 0u, "row %u", i);
		KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &free_args), 0);
		KUNIT_EXPECT_EQ_MSG(test, flushes[KFD_BRIDGE_TLB_HEAVYWEIGHT], 2u, "row %u", i);
		KUNIT_EXPECT_EQ(test, all_flushes(), 2u);
	}
}

/* An unmapping that fails half-way flushes nothing in Linux; freeing does. */
static void flush_after_half_an_unmap(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_map_memory_to_gpu_args args = call_for(test, handle(test), GPU_0, NO_GPU);
	struct kfd_ioctl_free_memory_of_gpu_args free_args = { .handle = args.handle };

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), -EINVAL);
	memset(flushes, 0, sizeof(flushes));
	args.n_success = 0;
	KUNIT_EXPECT_EQ(test, unmap(f, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, all_flushes(), 0u);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &free_args), 0);
	KUNIT_EXPECT_EQ(test, flushes[KFD_BRIDGE_TLB_HEAVYWEIGHT], 1u);
}

static void half_way(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_map_memory_to_gpu_args args = call_for(test, handle(test), GPU_0, NO_GPU);

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, args.n_success, 1u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 1);
	KUNIT_EXPECT_EQ(test, flushes[KFD_BRIDGE_TLB_LEGACY], 1u);
	/* The caller mends its list and goes on where it was. */
	args = call_for(test, args.handle, NO_GPU, GPU_1);
	args.n_success = 1;
	fake_memory.map_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), -ENOMEM);
	KUNIT_EXPECT_EQ(test, args.n_success, 1u);
	f->pdd[1].vm = NULL;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), -ENODEV);
	f->pdd[1].vm = f->pdd[0].vm;
	fake_memory.map_error = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.n_success, 2u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 2);
	args = call_for(test, args.handle, GPU_1, NO_GPU);
	KUNIT_EXPECT_EQ(test, unmap(f, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, args.n_success, 1u);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 1);
}

/* Without firmware scheduling a process has nothing in a TLB before its first queue brings a VMID */
static void no_flush_without_vmid(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_map_memory_to_gpu_args args = call_for(test, handle(test), GPU_0, GPU_1);

	f->dqm[0].sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_map_memory(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, flushes[KFD_BRIDGE_TLB_LEGACY], 1u);	/* GPU_1's */
}

static void import_checks(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	static const struct file_operations no_fops;
	int fd = anon_inode_getfd("kunit", &no_fops, NULL, O_RDWR);
	struct kfd_ioctl_import_dmabuf_args args = { .va_addr = 0x300000, .gpu_id = GPU_0, .dmabuf_fd = fd };

	KUNIT_ASSERT_GE(test, fd, 0);
	fake_memory.import = (struct kfd2kgd_mem_info){ .size = PAGE_SIZE, .flags = FLAG(VRAM) };
	fake_memory.import_error = -EINVAL;	/* no dma-buf of this driver */
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_import_dmabuf(&f->p, &args), -EINVAL);
	fake_memory.import_error = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_import_dmabuf(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.handle, (u64)GPU_0 << 32);
	KUNIT_EXPECT_EQ(test, fake_memory.va, 0x300000ull);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 0ull);
	args.gpu_id = NO_GPU;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_import_dmabuf(&f->p, &args), -EINVAL);
	args.gpu_id = GPU_1;
	f->pdd[1].vm = NULL;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_import_dmabuf(&f->p, &args), -ENODEV);
	close_fd(fd);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_import_dmabuf(&f->p, &args), -EBADF);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(refused, refusal_gen_params),
	KUNIT_CASE(to_both_and_from_both),
	KUNIT_CASE(flush_after_unmap),
	KUNIT_CASE(flush_after_half_an_unmap),
	KUNIT_CASE(half_way),
	KUNIT_CASE(no_flush_without_vmid),
	KUNIT_CASE(import_checks),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_memory_map", .suite_init = user_space_find, .init = map_setup, .exit = map_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
