// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_memory_test.c - memory ioctls: order and errno of their checks, handles and offsets, maps that end half-way */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/fake_memory.h"
#include "kunit/kfd_model/process/process_device.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/memory/kfd_memory.c"
#include "kfd_model/ioctl/kfd_ioctl_memory.c"

/* Pages of shared virtual memory, all below this */
static u64 shared_pages;

bool kfdm_svm_has(struct kfdm_process *p, u64 first, u64 last)
{
	return first < shared_pages;
}

#define SLICE	8192
#define BAR	0x4000

static struct {
	int slice_error;
	u32 flushes, flush_type;
	u32 devices, devices_held;
	struct kfdm_device *device;
	struct amdm_device *dmabuf_owner;
	u32 metadata_bytes;
} fake;

int kfdm_doorbell_slice_get(struct kfdm_process_device *pdd)
{
	pdd->doorbell_index = 3;
	return fake.slice_error;
}

u32 kfdm_devices_get(struct kfdm_device *devices[KFDM_MAX_DEVICES])
{
	devices[0] = fake.device;
	fake.devices_held += fake.devices;
	return fake.devices;
}

void kfdm_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n)
{
	fake.devices_held -= n;
}

static int fake_flush(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	fake.flushes++;
	fake.flush_type = type;
	return 0;
}

static int fake_dmabuf_info(struct amdm_device *adev, int fd, struct kfd2kgd_mem_info *info, void *metadata, u32 *metadata_size)
{
	bool fits;

	if (!fake.devices_held)
		return -ESTALE;	/* @adev may have gone */
	if (fd != 3)
		return -EINVAL;
	info->size = 0x5000;
	info->flags = FLAG(VRAM);
	info->adev = fake.dmabuf_owner;
	fits = fake.metadata_bytes <= *metadata_size;
	if (fits)
		memset(metadata, 0x5a, fake.metadata_bytes);
	*metadata_size = fake.metadata_bytes;
	return fits ? 0 : -EINVAL;
}

static const struct kfd2kgd_ops fake_kgd = { FAKE_MEMORY_OPS, .tlb_flush_pasid = fake_flush, .dmabuf_info = fake_dmabuf_info };

static int ioctl_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake, 0, sizeof(fake));
	memset(&fake_memory, 0, sizeof(fake_memory));
	f->dev[0].doorbells.layout = (struct kfdm_doorbell_layout){ .doorbell_size = 8, .slice = SLICE, .base = BAR };
	fake.device = &f->dev[0];
	fake.devices = 1;
	fake.dmabuf_owner = f->dev[0].adev;
	user_space_begin(test);
	return 0;
}

static void ioctl_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_bos_unmap_all(&f->p);
	kfdm_bos_free_all(&f->p);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 0);
	user_space_end();
	process_fixture_put(test);
}

static int alloc(struct kunit *test, u32 gpu_id, u64 size, u32 flags, struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	*args = (struct kfd_ioctl_alloc_memory_of_gpu_args){
		.va_addr = 0x100000, .gpu_id = gpu_id, .size = size, .flags = flags, .handle = 1, .mmap_offset = 0x7000,
	};
	return kfdm_ioctl_alloc_memory(&((struct process_fixture *)test->priv)->p, args);
}

static u64 handle(struct kunit *test)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args;

	KUNIT_ASSERT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(VRAM), &args), 0);
	return args.handle;
}

struct refusal {
	const char *name;
	u32 gpu_id, flags;
	u64 size;
	int error;
};

/* amdgpu_amdkfd_gpuvm.c, kfd_ioctl_alloc_memory_of_gpu(): also the order */
static const struct refusal refusals[] = {
	{ "no size, no gpu", NO_GPU, FLAG(VRAM), 0, -EINVAL },
	{ "too large", GPU_0, FLAG(VRAM), KFDM_MAX_BO_SIZE + 1, -ENOMEM },
	{ "no gpu", NO_GPU, FLAG(VRAM), PAGE_SIZE, -EINVAL },
	{ "gpu 0", 0, FLAG(VRAM), PAGE_SIZE, -EINVAL },
	{ "no address space", GPU_1, FLAG(VRAM), PAGE_SIZE, -ENODEV },
	{ "no address space, no kind", GPU_1, 0, PAGE_SIZE, -ENODEV },
	{ "no kind", GPU_0, FLAG(WRITABLE), PAGE_SIZE, -EINVAL },
	{ "doorbells of another size", GPU_0, FLAG(DOORBELL), SLICE - 1, -EINVAL },
	{ "mmio of another size", GPU_0, FLAG(MMIO_REMAP), 2 * PAGE_SIZE, -EINVAL },
};

static void refusal_name(const struct refusal *r, char *text)
{
	strscpy(text, r->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusal, refusals, refusal_name);

static void alloc_refuses(struct kunit *test)
{
	const struct refusal *r = test->param_value;
	struct kfd_ioctl_alloc_memory_of_gpu_args args;

	KUNIT_EXPECT_EQ(test, alloc(test, r->gpu_id, r->size, r->flags, &args), r->error);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 0);
	KUNIT_EXPECT_EQ(test, args.handle, 1ull);
}

static void alloc_refuses_by_the_device(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = -PAGE_SIZE, .size = 2 * PAGE_SIZE, .gpu_id = GPU_0, .flags = FLAG(VRAM),
	};

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_alloc_memory(&f->p, &args), -EINVAL);	/* the addresses go round */
	f->dev[0].facts.vram_private = 1;	/* a small BAR shows a part of the VRAM only */
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(VRAM) | FLAG(PUBLIC), &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(VRAM), &args), 0);
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(GTT) | FLAG(PUBLIC), &args), 0);
	fake.slice_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, SLICE, FLAG(DOORBELL), &args), -ENOMEM);
	args = (struct kfd_ioctl_alloc_memory_of_gpu_args){ .size = PAGE_SIZE, .gpu_id = GPU_0, .flags = FLAG(USERPTR) };
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_alloc_memory(&f->p, &args), -EINVAL);	/* no address */
	fake_memory.alloc_error = -EFAULT;
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(USERPTR), &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 2);
}

static void alloc_gives(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_alloc_memory_of_gpu_args args;

	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE + 1, FLAG(VRAM), &args), 0);
	KUNIT_EXPECT_EQ(test, args.handle, (u64)GPU_0 << 32);
	KUNIT_EXPECT_EQ(test, args.mmap_offset, MMAP_OFFSET);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(MMIO_REMAP), &args), 0);
	KUNIT_EXPECT_EQ(test, args.handle, (u64)GPU_0 << 32 | 1);
	KUNIT_EXPECT_EQ(test, args.mmap_offset, (u64)GPU_0 << 46);	/* type 0: MMIO */
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, SLICE, FLAG(DOORBELL), &args), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.user_addr, BAR + 3ull * SLICE);
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(USERPTR), &args), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.user_addr, 0x7000ull);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
}

/* Of several kinds the first counts; unknown bits do not */
static void alloc_takes_one_kind(struct kunit *test)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args;

	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(USERPTR) | FLAG(GTT) | FLAG(WRITABLE) | 1 << 12, &args), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.flags, (u32)(FLAG(GTT) | FLAG(WRITABLE)));
	KUNIT_EXPECT_EQ(test, alloc(test, GPU_0, PAGE_SIZE, FLAG(MMIO_REMAP) | FLAG(VRAM), &args), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.flags, (u32)FLAG(VRAM));
}

static void alloc_without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_alloc_memory_of_gpu_args args;
	struct kfd_ioctl_free_memory_of_gpu_args gone;
	unsigned int nth = 1, refused = 0;
	bool failed;
	int ret;

	FAIL_NTH_NEEDED(test);
	do {
		fail_nth_arm(nth++);
		ret = alloc(test, GPU_0, PAGE_SIZE, FLAG(VRAM), &args);
		failed = fail_nth_disarm();
		if (ret) {
			refused++;
			KUNIT_EXPECT_TRUE(test, ret == -ENOMEM || ret == -EFAULT);	/* buffer, handle */
		} else {	/* the debug kernel's own allocations may fail without harm */
			gone.handle = args.handle;
			KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &gone), 0);
		}
		KUNIT_EXPECT_EQ(test, fake_memory.buffers, 0);
		KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 0ull);
	} while (failed);
	KUNIT_EXPECT_EQ(test, ret, 0);
	kunit_info(test, "%u refusals", refused);
}

static void free_checks(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = handle(test) };
	struct kfdm_bo *bo = idr_find(&f->pdd[0].bos, 0);

	bo->is_event_page = true;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &args), -EPERM);
	bo->is_event_page = false;
	KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo, &f->pdd[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &args), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_bo_unmap(bo, &f->pdd[0]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &args), -EINVAL);
	args.handle = (u64)NO_GPU << 32;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_free_memory(&f->p, &args), -EINVAL);
}

static void dmabuf_info_owner(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_get_dmabuf_info_args args = { .dmabuf_fd = 3, .metadata_ptr = user_page, .metadata_size = SZ_64M };
	static struct kfdm_device foreign;

	fake.devices = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), -EINVAL);
	fake.devices = 1;
	fake.dmabuf_owner = (struct amdm_device *)&foreign;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), -EINVAL);
	fake.dmabuf_owner = f->dev[0].adev;
	args.dmabuf_fd = 4;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, fake.devices_held, 0u);	/* whatever the answer was, they may go */
}

static void dmabuf_info_checks(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_get_dmabuf_info_args args = { .dmabuf_fd = 3, .metadata_ptr = user_page, .metadata_size = SZ_64M };
	u8 first = 0;

	fake.metadata_bytes = 16;
	fake.devices = 1;
	fake.dmabuf_owner = f->dev[0].adev;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, args.size, 0x5000ull);
	KUNIT_EXPECT_EQ(test, args.flags, (u32)FLAG(VRAM));
	KUNIT_EXPECT_EQ(test, args.gpu_id, GPU_0);
	KUNIT_EXPECT_EQ(test, args.metadata_size, 16u);
	KUNIT_EXPECT_EQ(test, get_user(first, USER(u8)), 0);
	KUNIT_EXPECT_EQ(test, first, 0x5a);
	KUNIT_EXPECT_EQ(test, fake.devices_held, 0u);
}

/* A caller that asks for no metadata, or has too little room, learns how much room they need. */
static void dmabuf_info_room(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_get_dmabuf_info_args args = { .dmabuf_fd = 3, .metadata_size = 15 };

	fake.metadata_bytes = 16;
	fake.devices = 1;
	fake.dmabuf_owner = f->dev[0].adev;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, args.metadata_size, 16u);
	KUNIT_EXPECT_EQ(test, args.size, 0x5000ull);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), 0);
	args.metadata_ptr = NOT_USER;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_dmabuf_info(&f->p, &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake.devices_held, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(alloc_refuses, refusal_gen_params),
	KUNIT_CASE(alloc_refuses_by_the_device),
	KUNIT_CASE(alloc_gives),
	KUNIT_CASE(alloc_takes_one_kind),
	KUNIT_CASE(alloc_without_memory),
	KUNIT_CASE(free_checks),
	KUNIT_CASE(dmabuf_info_owner),
	KUNIT_CASE(dmabuf_info_checks),
	KUNIT_CASE(dmabuf_info_room),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_memory", .suite_init = user_space_find, .init = ioctl_setup, .exit = ioctl_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
