// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_memory_test.c - buffers of a process: handles, on which devices they are mapped, what VRAM they count for, their end */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/fake_memory.h"
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/memory/kfd_memory.c"

#define VRAM	KFD_IOC_ALLOC_MEM_FLAGS_VRAM
#define GTT	KFD_IOC_ALLOC_MEM_FLAGS_GTT

static const struct kfd2kgd_ops fake_kgd = { FAKE_MEMORY_OPS };

struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id)
{
	return gpu_id == GPU_0 ? p->pdds[0] : gpu_id == GPU_1 ? p->pdds[1] : NULL;
}

static u32 stale_flushes;

void kfdm_process_flush_stale_tlbs(struct kfdm_process *p)
{
	stale_flushes++;
}

static int memory_setup(struct kunit *test)
{
	memset(&fake_memory, 0, sizeof(fake_memory));
	return process_fixture_get(test, &fake_kgd) ? 0 : -ENOMEM;
}

static void memory_teardown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 0);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 0);
	KUNIT_EXPECT_EQ(test, fake_memory.kmaps, 0);
	process_fixture_put(test);
}

static struct kfdm_bo *create(struct kunit *test, struct kfdm_process_device *pdd, u64 size, u32 flags)
{
	u64 offset = 0;
	struct kfdm_bo *bo = kfdm_bo_create(pdd, 0x10000, size, flags, 0, &offset);

	KUNIT_ASSERT_FALSE(test, IS_ERR(bo));
	KUNIT_EXPECT_EQ(test, offset, MMAP_OFFSET);
	return bo;
}

/* amdgpu_amdkfd_gpuvm.c: vram_usage counts whole pages, of VRAM alone, and not of what others own */
static void vram_is_counted_in_pages(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *vram = create(test, &f->pdd[0], PAGE_SIZE + 1, VRAM);
	struct kfdm_bo *gtt = create(test, &f->pdd[0], PAGE_SIZE, GTT);
	struct kfdm_bo *imported;

	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
	fake_memory.import = (struct kfd2kgd_mem_info){ .size = 3 * PAGE_SIZE, .flags = VRAM };
	imported = kfdm_bo_import(&f->pdd[0], 3, 0x20000);
	KUNIT_ASSERT_FALSE(test, IS_ERR(imported));
	KUNIT_EXPECT_EQ(test, imported->size, 3ull * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, imported->flags, (u32)VRAM);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(imported), 0);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
	stale_flushes = 0;
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(gtt), 0);
	KUNIT_EXPECT_EQ(test, stale_flushes, 1u);	/* no TLB entry reaches its pages when they are given back */
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(vram), 0);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 0ull);
}

/* kfd_ioctl_alloc_memory_of_gpu(): the ring of an AQL queue is mapped twice, and is there once */
static void a_ring_is_counted_once(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *ring = create(test, &f->pdd[0], 4 * PAGE_SIZE, VRAM | KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM);

	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 2ull * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(ring), 0);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 0ull);
}

static void a_failed_buffer_leaves_nothing(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u64 offset;

	fake_memory.alloc_error = -EFAULT;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_bo_create(&f->pdd[0], 0, PAGE_SIZE, VRAM, 0, &offset)), -EFAULT);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, 0ull);
	fake_memory.import_error = -EINVAL;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_bo_import(&f->pdd[0], 3, 0)), -EINVAL);
}

/* Handles are gpu_id << 32 | number, numbered from 0 on each device */
static void handles(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *a = create(test, &f->pdd[0], PAGE_SIZE, GTT), *b = create(test, &f->pdd[0], PAGE_SIZE, GTT);
	struct kfdm_bo *other = create(test, &f->pdd[1], PAGE_SIZE, GTT);
	struct kfdm_process_device *pdd;
	u64 handle;

	KUNIT_EXPECT_EQ(test, kfdm_bo_publish(a, &handle), 0);
	KUNIT_EXPECT_EQ(test, handle, (u64)GPU_0 << 32);
	KUNIT_EXPECT_EQ(test, kfdm_bo_publish(b, &handle), 0);
	KUNIT_EXPECT_EQ(test, handle, (u64)GPU_0 << 32 | 1);
	KUNIT_EXPECT_EQ(test, kfdm_bo_publish(other, &handle), 0);
	KUNIT_EXPECT_EQ(test, handle, (u64)GPU_1 << 32);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_bo_find(&f->p, handle, &pdd), other);
	KUNIT_EXPECT_PTR_EQ(test, pdd, &f->pdd[1]);
	KUNIT_EXPECT_NULL(test, kfdm_bo_find(&f->p, handle | 1, &pdd));
	KUNIT_EXPECT_PTR_EQ(test, pdd, &f->pdd[1]);
	KUNIT_EXPECT_NULL(test, kfdm_bo_find(&f->p, (u64)GPU_0 << 32 | 0x80000000, &pdd));	/* idr numbers are ints */
	KUNIT_EXPECT_PTR_EQ(test, pdd, &f->pdd[0]);
	KUNIT_EXPECT_NULL(test, kfdm_bo_find(&f->p, (u64)NO_GPU << 32, &pdd));
	KUNIT_EXPECT_NULL(test, pdd);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(a), 0);
	KUNIT_EXPECT_NULL(test, kfdm_bo_find(&f->p, (u64)GPU_0 << 32, &pdd));
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(b), 0);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(other), 0);
}

static void mapped_once_and_not_freed_before_unmapping(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *bo = create(test, &f->pdd[0], PAGE_SIZE, VRAM);

	KUNIT_EXPECT_EQ(test, kfdm_bo_unmap(bo, &f->pdd[0]), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo, &f->pdd[1]), 0);
	KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo, &f->pdd[1]), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 1);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(bo), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_bo_unmap(bo, &f->pdd[0]), -EINVAL);
	fake_memory.map_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo, &f->pdd[0]), -ENOMEM);
	KUNIT_EXPECT_EQ(test, bo->mapped, BIT(1));
	fake_memory.unmap_error = -EINTR;
	KUNIT_EXPECT_EQ(test, kfdm_bo_unmap(bo, &f->pdd[1]), -EINTR);
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(bo), -EBUSY);	/* still there */
	fake_memory.unmap_error = 0;
	KUNIT_EXPECT_EQ(test, kfdm_bo_unmap(bo, &f->pdd[1]), 0);
	fake_memory.free_error = -EBUSY;
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(bo), -EBUSY);
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage, (u64)PAGE_SIZE);
	fake_memory.free_error = 0;
	KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(bo), 0);
}

static void internal_buffers_undo_what_they_have(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *bo;
	void *cpu = NULL;

	fake_memory.map_error = -EINVAL;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_bo_create_internal(&f->pdd[0], 0x1000, PAGE_SIZE, GTT, &cpu)), -EINVAL);
	fake_memory.map_error = 0;
	fake_memory.kmap_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_bo_create_internal(&f->pdd[0], 0x1000, PAGE_SIZE, GTT, &cpu)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers + fake_memory.maps, 0);
	fake_memory.kmap_error = 0;
	bo = kfdm_bo_create_internal(&f->pdd[0], 0x1000, PAGE_SIZE, GTT, &cpu);
	KUNIT_ASSERT_FALSE(test, IS_ERR(bo));
	KUNIT_EXPECT_PTR_EQ(test, cpu, (void *)bo->mem->cpu);
	KUNIT_EXPECT_EQ(test, bo->handle, -1);	/* user space cannot name it */
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 1);
	kfdm_bo_destroy_internal(bo, true);
	kfdm_bo_destroy_internal(NULL, true);
	kfdm_bo_destroy_internal(ERR_PTR(-ENOMEM), true);
}

static void a_dying_process_leaves_nothing(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *bo[4];
	u64 handle;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bo); i++) {
		bo[i] = create(test, &f->pdd[i & 1], PAGE_SIZE, VRAM);
		KUNIT_EXPECT_EQ(test, kfdm_bo_publish(bo[i], &handle), 0);
		KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo[i], &f->pdd[0]), 0);
	}
	KUNIT_EXPECT_EQ(test, kfdm_bo_map(bo[2], &f->pdd[1]), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 5);
	kfdm_bos_unmap_all(&f->p);
	KUNIT_EXPECT_EQ(test, fake_memory.maps, 0);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 4);
	kfdm_bos_free_all(&f->p);
	KUNIT_EXPECT_TRUE(test, idr_is_empty(&f->pdd[0].bos) && idr_is_empty(&f->pdd[1].bos));
	KUNIT_EXPECT_EQ(test, f->pdd[0].vram_usage + f->pdd[1].vram_usage, 0ull);
}

static void without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_bo *bo[3];
	u64 handle = 0, offset;
	u32 i, refused = 0;

	FAIL_NTH_NEEDED(test);
	fail_nth_arm(1);
	bo[0] = kfdm_bo_create(&f->pdd[0], 0, PAGE_SIZE, VRAM, 0, &offset);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(bo[0]), -ENOMEM);
	/* Not every handle needs a node. kfd_chardev.c answers -EFAULT for lack of a handle. */
	for (i = 0; i < ARRAY_SIZE(bo); i++) {
		bool failed;
		int ret;

		bo[i] = create(test, &f->pdd[0], PAGE_SIZE, GTT);
		fail_nth_arm(1);
		ret = kfdm_bo_publish(bo[i], &handle);
		failed = fail_nth_disarm();
		KUNIT_EXPECT_EQ(test, ret, failed ? -EFAULT : 0);
		KUNIT_EXPECT_EQ(test, bo[i]->handle < 0, failed);
		refused += failed;
	}
	kunit_info(test, "%u refusals", refused);
	for (i = 0; i < ARRAY_SIZE(bo); i++)
		KUNIT_EXPECT_EQ(test, kfdm_bo_destroy(bo[i]), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram_is_counted_in_pages),
	KUNIT_CASE(a_ring_is_counted_once),
	KUNIT_CASE(a_failed_buffer_leaves_nothing),
	KUNIT_CASE(handles),
	KUNIT_CASE(mapped_once_and_not_freed_before_unmapping),
	KUNIT_CASE(internal_buffers_undo_what_they_have),
	KUNIT_CASE(a_dying_process_leaves_nothing),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "kfd_memory", .init = memory_setup, .exit = memory_teardown, .test_cases = cases };
kunit_test_suite(suite);
