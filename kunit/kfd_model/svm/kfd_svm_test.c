// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_svm_test.c - ranges of shared virtual memory: split, mapped and given up; what memory that goes does to them; failing allocations */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/device/kfd_pdd.c"
#include "kfd_model/svm/kfd_svm.c"
#include "kfd_model/svm/kfd_svm_attr.c"
#include "kfd_model/svm/kfd_svm_checkpoint.c"
#include "kfd_model/svm/kfd_svm_fault.c"
#include "kfd_model/svm/kfd_svm_map.c"
#include "kfd_model/svm/kfd_svm_place.c"
#include "kfd_model/svm/kfd_svm_plan.c"
#include "kfd_model/svm/kfd_svm_range.c"
#include "kfd_model/svm/kfd_svm_watch.c"

#define PAGES 16

/* Stands for amdgpu_model's buffers */
struct fake_mem {
	u64 va, size;
	u32 flags;
	bool mapped;
};

static struct {
	int mems, mapped, evicted, restored;
	u32 flags;
	u64 base;
	bool used, refused;
	u64 final;
	char moves[64], unmaps[64];
	u32 trigger;
	int move_error;
} fake;

static int fake_alloc(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr, struct amdm_mem **mem,
		      u64 *mmap_offset)
{
	struct fake_mem *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m)
		return -ENOMEM;
	*m = (struct fake_mem){ .va = va, .size = size, .flags = flags };
	fake.flags = flags;
	fake.mems++;
	*mem = (struct amdm_mem *)m;
	return va == user_addr ? 0 : -EINVAL;
}

static int fake_free(struct amdm_device *adev, struct amdm_mem *mem)
{
	struct fake_mem *m = (struct fake_mem *)mem;

	if (m->mapped)
		return -EBUSY;
	fake.mems--;
	kfree(m);
	return 0;
}

static int fake_map(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	void *tables = kmalloc(8, GFP_KERNEL);

	if (!tables)
		return -ENOMEM;
	kfree(tables);
	((struct fake_mem *)mem)->mapped = true;
	fake.mapped++;
	return 0;
}

static int fake_unmap(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	((struct fake_mem *)mem)->mapped = false;
	fake.mapped--;
	return 0;
}

static bool fake_used(struct amdm_vm *vm, u64 va, u64 bytes)
{
	return fake.used;
}

static int fake_flush(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	return 0;
}

static bool fake_is_refused(struct amdm_mem *mem, u64 offset, bool write)
{
	return fake.refused;
}

static int fake_refuse(struct amdm_vm *vm, u64 va)
{
	fake.final = va;
	return 0;
}

static int fake_evict(struct kfdm_process *p, u32 trigger)
{
	fake.evicted++;
	return 0;
}

static int fake_restore(struct kfdm_process *p)
{
	fake.restored++;
	return 0;
}

/* What GPUs have lost is noted as GPU, first and last page, and why. */
static void fake_unmapped(struct kfdm_process_device *pdd, u64 first, u64 last, u32 trigger)
{
	u64 base = fake.base >> PAGE_SHIFT;
	size_t n = strlen(fake.unmaps);

	snprintf(fake.unmaps + n, sizeof(fake.unmaps) - n, "%u:%llu-%llu/%u ", pdd->index, first - base, last - base, trigger);
}

static const struct kfdm_svm_owner owner = { .evict = fake_evict, .restore = fake_restore, .unmapped = fake_unmapped };
static const struct kfd2kgd_ops fake_kgd = {
	.mem_alloc = fake_alloc, .mem_free = fake_free, .mem_map = fake_map, .mem_unmap = fake_unmap, .vm_is_used = fake_used,
	.tlb_flush_pasid = fake_flush, .mem_is_refused = fake_is_refused, .vm_refuse = fake_refuse,
};

/* A kernel with device pages: what is to move is noted as GPU, direction, first and last page. */
static int fake_move(struct amdm_device *adev, u64 start, u64 end, bool to_vram, u32 trigger)
{
	size_t n = strlen(fake.moves);

	fake.trigger = trigger;
	snprintf(fake.moves + n, sizeof(fake.moves) - n, "%c%c%llu-%llu ", ((struct kfdm_device *)adev)->id == GPU_0 ? 'a' : 'b',
		 to_vram ? '>' : '<', (start - fake.base) >> PAGE_SHIFT, ((end - fake.base) >> PAGE_SHIFT) - 1);
	return fake.move_error;
}

static const struct kfd2kgd_ops moving_kgd = {
	.mem_alloc = fake_alloc, .mem_free = fake_free, .mem_map = fake_map, .mem_unmap = fake_unmap, .vm_is_used = fake_used,
	.tlb_flush_pasid = fake_flush, .mem_is_refused = fake_is_refused, .vm_refuse = fake_refuse,
	.svm_moves = true, .svm_move = fake_move,
};

static int svm_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake, 0, sizeof(fake));
	user_space_begin(test);
	f->dev[0].facts.svm = true;
	f->p.own_mm = current->mm;
	kfdm_svm_init(&f->p, &owner);
	fake.base = vm_mmap(NULL, 0, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE((unsigned long)fake.base));
	return 0;
}

static void svm_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	user_space_again();
	kfdm_svm_leave(&f->p);
	KUNIT_EXPECT_EQ(test, fake.mems, 0);
	KUNIT_EXPECT_EQ(test, fake.mapped, 0);
	vm_munmap(fake.base, PAGES * PAGE_SIZE);
	user_space_end();
	process_fixture_put(test);
}

static int set(struct process_fixture *f, u32 at, u32 pages, u32 type, u32 value)
{
	struct kfd_ioctl_svm_attribute attr = { type, value };
	int ret;

	mutex_lock(&f->p.mutex);
	ret = kfdm_svm_set(&f->p, (fake.base >> PAGE_SHIFT) + at, pages, 1, &attr);
	mutex_unlock(&f->p.mutex);
	return ret;
}

/* The ranges as letters, one a page: a flag's letter, '.' of pages in none; capital if a GPU has it. Borders are not told. */
static const char *picture(struct process_fixture *f)
{
	static char out[PAGES + 1];
	u32 i;

	mutex_lock(&f->p.mutex);
	kfdm_svm_settle(&f->p);
	for (i = 0; i < PAGES; i++) {
		u64 page = (fake.base >> PAGE_SHIFT) + i;
		struct kfdm_svm_range *range = kfdm_svm_range_first(&f->p.svm, page, page);

		out[i] = !range ? '.' : (range->mapped ? 'A' : 'a') + (range->attrs.flags >> 3 & 7);
	}
	mutex_unlock(&f->p.mutex);
	return out;
}

static void ranges_are_split(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, set(f, 2, 10, KFD_IOCTL_SVM_ATTR_GRANULARITY, 5), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "..aaaaaaaaaa....");
	KUNIT_EXPECT_EQ(test, set(f, 0, 8, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAAAAAAaaaa....");
	KUNIT_EXPECT_EQ(test, fake.evicted, 0);	/* nothing was in use */
	/* The middle of a range that a GPU has: all three parts are the GPU's afterwards, and queues were off meanwhile. */
	KUNIT_EXPECT_EQ(test, set(f, 3, 2, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAABBAAAaaaa....");
	KUNIT_EXPECT_EQ(test, fake.evicted, fake.restored);
	KUNIT_EXPECT_GT(test, fake.evicted, 0);
	KUNIT_EXPECT_EQ(test, set(f, 1, 12, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_EXEC), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "ACCDDCCCccccc...");
	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_NO_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "accddccccccccaaa");
	KUNIT_EXPECT_EQ(test, fake.mapped, 0);
}

static void flags_reach_the_page_tables(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 all = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;

	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_EQ(test, fake.flags & all, KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | (u32)KFD_IOC_ALLOC_MEM_FLAGS_COHERENT);
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_EXEC), 0);
	KUNIT_EXPECT_EQ(test, fake.flags & all, all);
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_CLR_FLAGS, KFD_IOCTL_SVM_FLAG_COHERENT), 0);
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO), 0);
	KUNIT_EXPECT_EQ(test, fake.flags & all, (u32)KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE);
}

/* Ranges one by one, and the same again in a process that has none; what is no range of pages is refused then. */
static void ranges_of_a_checkpoint(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	const u32 n = kfdm_svm_saved_attrs(&f->p);
	struct kfdm_svm_saved *saved = kfdm_svm_saved_new(n);
	u64 first = 0, pages, base = fake.base >> PAGE_SHIFT;

	KUNIT_ASSERT_NOT_NULL(test, saved);
	f->p.svm.gpus.supported = BIT(0) | BIT(1);	/* as in Linux no range comes back otherwise */
	KUNIT_EXPECT_EQ(test, set(f, 2, 3, KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, GPU_0), 0);
	KUNIT_EXPECT_EQ(test, set(f, 2, 3, KFD_IOCTL_SVM_ATTR_CLR_FLAGS, KFD_IOCTL_SVM_FLAG_COHERENT), 0);
	KUNIT_EXPECT_EQ(test, set(f, 9, 1, KFD_IOCTL_SVM_ATTR_GRANULARITY, 5), 0);
	mutex_lock(&f->p.mutex);
	KUNIT_EXPECT_EQ(test, kfdm_svm_count(&f->p), 2u);
	KUNIT_ASSERT_TRUE(test, kfdm_svm_next(&f->p, &first, &pages, saved->attrs));
	KUNIT_EXPECT_EQ(test, first, base + 2);
	KUNIT_EXPECT_EQ(test, pages, 3ull);
	KUNIT_EXPECT_EQ(test, saved->attrs[4].type, (u32)KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE);
	mutex_unlock(&f->p.mutex);
	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_NO_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_COHERENT), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "aaaaaaaaaaaaaaaa");

	saved->first = base + 2;
	saved->pages = 3;
	mutex_lock(&f->p.mutex);
	kfdm_svm_restore(&f->p, saved);
	KUNIT_EXPECT_EQ(test, kfdm_svm_resume(&f->p), 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->p.svm.saved));
	saved = kfdm_svm_saved_new(n);
	KUNIT_ASSERT_NOT_NULL(test, saved);
	saved->first = ~0ull;
	saved->pages = 2;
	kfdm_svm_restore(&f->p, saved);
	KUNIT_EXPECT_EQ(test, kfdm_svm_resume(&f->p), -EFAULT);
	mutex_unlock(&f->p.mutex);
	KUNIT_EXPECT_STREQ(test, picture(f), "aaAAAaaaaaaaaaaa");
}

/* munmap of parts: before, in the middle, behind, and of all of it */
static void memory_goes(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	vm_munmap(fake.base + 5 * PAGE_SIZE, 3 * PAGE_SIZE);
	vm_munmap(fake.base, PAGE_SIZE);
	vm_munmap(fake.base + 15 * PAGE_SIZE, PAGE_SIZE);
	KUNIT_EXPECT_STREQ(test, picture(f), ".AAAA...AAAAAAA.");
	KUNIT_EXPECT_STREQ(test, fake.unmaps, "0:5-7/2 0:0-0/2 0:15-15/2 ");
	KUNIT_EXPECT_EQ(test, fake.mapped, 2);
	KUNIT_EXPECT_EQ(test, fake.evicted, fake.restored);
	KUNIT_EXPECT_EQ(test, set(f, 1, 5, KFD_IOCTL_SVM_ATTR_GRANULARITY, 1), -EFAULT);
	vm_munmap(fake.base, PAGES * PAGE_SIZE);
	KUNIT_EXPECT_STREQ(test, picture(f), "................");
	KUNIT_EXPECT_EQ(test, fake.mems, 0);
}

/* The notifier has no memory for a note: what is not mapped has gone all the same. */
static void holes_are_found(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	cancel_delayed_work_sync(&f->p.svm.work);
	mutex_lock(&f->p.mutex);
	vm_munmap(fake.base + 2 * PAGE_SIZE, PAGE_SIZE);
	vm_munmap(fake.base + 9 * PAGE_SIZE, 4 * PAGE_SIZE);
	spin_lock(&f->p.svm.lock);
	free_gone(&f->p.svm);
	f->p.svm.forgotten = true;
	spin_unlock(&f->p.svm.lock);
	mutex_unlock(&f->p.mutex);
	KUNIT_EXPECT_STREQ(test, picture(f), "AA.AAAAAA....AAA");
}

static void addresses_that_are_taken(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	fake.used = true;
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), -EADDRINUSE);
	fake.used = false;
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_1), -EINVAL);
	f->pdd[0].vm = NULL;
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), -EINVAL);
	f->pdd[0].vm = (struct amdm_vm *)&f->vm;
}

/* A queue's save area: mapped, accessible, and always so; all of it */
static void queues_rely_on_ranges(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u64 at = fake.base;

	KUNIT_EXPECT_EQ(test, set(f, 0, 4, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	mutex_lock(&f->p.mutex);
	KUNIT_EXPECT_EQ(test, kfdm_svm_hold(&f->pdd[0], at, PAGE_SIZE), -EINVAL);
	mutex_unlock(&f->p.mutex);
	KUNIT_EXPECT_EQ(test, set(f, 0, 4, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED), 0);
	mutex_lock(&f->p.mutex);
	KUNIT_EXPECT_EQ(test, kfdm_svm_hold(&f->pdd[0], at, 5 * PAGE_SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_hold(&f->pdd[1], at, PAGE_SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_svm_hold(&f->pdd[0], at, 4 * PAGE_SIZE), 0);
	mutex_unlock(&f->p.mutex);
	fake.evicted = fake.restored = 0;
	vm_munmap(at, PAGE_SIZE);
	picture(f);
	KUNIT_EXPECT_EQ(test, fake.evicted, fake.restored + 1);	/* for good */
	mutex_lock(&f->p.mutex);
	kfdm_svm_unhold(&f->pdd[0], at, 4 * PAGE_SIZE);
	kfdm_svm_unhold(&f->pdd[0], at, 4 * PAGE_SIZE);
	mutex_unlock(&f->p.mutex);
}

/* With XNACK everybody who can may use what says nothing of access; a GPU without an address space of the process cannot. */
static void access_for_all(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->p.xnack_enabled = true;
	f->p.svm.gpus.supported = BIT(0) | BIT(1);
	KUNIT_EXPECT_EQ(test, set(f, 0, 4, KFD_IOCTL_SVM_ATTR_GRANULARITY, 3), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAA............");
	KUNIT_EXPECT_EQ(test, fake.mapped, 1);
	KUNIT_EXPECT_EQ(test, set(f, 1, 1, KFD_IOCTL_SVM_ATTR_NO_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "AaAA............");
}

static int touch(struct process_fixture *f, u32 at, u32 access)
{
	int ret;

	mutex_lock(&f->p.mutex);
	ret = restore(&f->pdd[0], (fake.base >> PAGE_SHIFT) + at, access);
	mutex_unlock(&f->p.mutex);
	return ret;
}

/* GPUs that tell of faults get a range when they touch it, and lose it while queues run; what is in no range becomes one. */
static void faults_share_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->p.xnack_enabled = true;
	f->p.svm.retries = true;
	KUNIT_EXPECT_EQ(test, set(f, 0, 4, KFD_IOCTL_SVM_ATTR_GRANULARITY, 20), 0);
	KUNIT_EXPECT_STREQ(test, picture(f), "aaaa............");
	KUNIT_EXPECT_EQ(test, touch(f, 1, 0), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAA............");
	KUNIT_EXPECT_EQ(test, touch(f, 9, KFD_BRIDGE_FAULT_WRITE), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAAAAAAAAAAAAAA");
	vm_munmap(fake.base + 6 * PAGE_SIZE, 2 * PAGE_SIZE);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAAaa..aaaaaaaa");
	KUNIT_EXPECT_EQ(test, touch(f, 6, 0), -EFAULT);
	KUNIT_EXPECT_EQ(test, touch(f, 5, 0), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "AAAAAA..aaaaaaaa");
	KUNIT_EXPECT_EQ(test, fake.evicted, 0);
	/* What is always to be mapped is as without XNACK. */
	KUNIT_EXPECT_EQ(test, set(f, 8, 8, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED), 0);
	vm_munmap(fake.base + 15 * PAGE_SIZE, PAGE_SIZE);
	picture(f);
	KUNIT_EXPECT_EQ(test, fake.evicted, 1);
	KUNIT_EXPECT_EQ(test, fake.restored, 1);
}

/* Of a large range the GPU gets what the granularity says; one that queues rely on is not cut. */
static void faults_map_granules(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->p.xnack_enabled = true;
	f->p.svm.retries = true;
	KUNIT_EXPECT_EQ(test, set(f, 0, 6, KFD_IOCTL_SVM_ATTR_GRANULARITY, 0), 0);
	KUNIT_EXPECT_EQ(test, set(f, 6, 8, KFD_IOCTL_SVM_ATTR_GRANULARITY, 1), 0);
	KUNIT_EXPECT_EQ(test, touch(f, 2, 0), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "aaAaaaaaaaaaaa..");
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), 1);
	KUNIT_EXPECT_EQ(test, touch(f, 5, 0), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "AaAaaAaaaaaaaa..");
	kfdm_svm_range_first(&f->p.svm, (fake.base >> PAGE_SHIFT) + 6, (fake.base >> PAGE_SHIFT) + 6)->holds = 1;
	KUNIT_EXPECT_EQ(test, touch(f, 8, 0), 1);
	KUNIT_EXPECT_STREQ(test, picture(f), "AaAaaAAAAAAAAA..");
}

/* What has been moved since the last look. */
static const char *moves(void)
{
	static char seen[sizeof(fake.moves)];

	strscpy(seen, fake.moves, sizeof(seen));
	fake.moves[0] = 0;
	return seen;
}

/* kfdm_pdd_rename() */
static void rename_gpu(struct process_fixture *f, u32 user_gpu_id)
{
	f->pdd[0].user_gpu_id = user_gpu_id;
	f->p.svm.gpus.id[0] = user_gpu_id;
}

/* svm_range_best_prefetch_location(): to a GPU's VRAM only what no other GPU uses; from another one's by way of the host. */
static void prefetched_memory_moves(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, set(f, 2, 4, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "");	/* the kernel has no device pages */
	kfdm_kgd = &moving_kgd;
	KUNIT_EXPECT_EQ(test, set(f, 2, 4, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "b<2-5 a>2-5 ");
	KUNIT_EXPECT_EQ(test, fake.trigger, (u32)KFD_MIGRATE_TRIGGER_PREFETCH);
	KUNIT_EXPECT_EQ(test, set(f, 4, 8, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "");	/* the list asks for no place */
	KUNIT_EXPECT_EQ(test, set(f, 4, 8, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "a<4-5 b<4-5 a<6-11 b<6-11 ");
	f->p.svm.gpus.supported = BIT(0) | BIT(1);
	KUNIT_EXPECT_EQ(test, set(f, 4, 8, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, GPU_1), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "a<4-5 b<4-5 a<6-11 b<6-11 ");
	fake.move_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, set(f, 2, 1, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, GPU_0), -ENOMEM);
	fake.move_error = 0;
	moves();
	rename_gpu(f, NO_GPU);	/* restored from a checkpoint that was made with another GPU */
	KUNIT_EXPECT_EQ(test, set(f, 2, 4, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, NO_GPU), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "b<2-2 a>2-2 b<3-3 a>3-3 b<4-5 a>4-5 ");
	rename_gpu(f, GPU_0);
	fake.move_error = -EINVAL;	/* it cannot move: that is no error */
	KUNIT_EXPECT_EQ(test, set(f, 2, 1, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, GPU_0), 0);
}

/* svm_range_best_restore_location(): a GPU that touches what it may move gets it; again after the pages have changed. */
static void touched_memory_moves(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_kgd = &moving_kgd;
	f->p.xnack_enabled = true;
	f->p.svm.retries = true;
	KUNIT_EXPECT_EQ(test, set(f, 0, 4, KFD_IOCTL_SVM_ATTR_GRANULARITY, 20), 0);
	KUNIT_EXPECT_EQ(test, touch(f, 1, 0), 1);
	KUNIT_EXPECT_STREQ(test, moves(), "b<0-3 a>0-3 ");
	KUNIT_EXPECT_EQ(test, fake.trigger, (u32)KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU);
	KUNIT_EXPECT_EQ(test, touch(f, 2, 0), 0);	/* mapped, and there */
	KUNIT_EXPECT_STREQ(test, moves(), "");
	spin_lock(&f->p.svm.lock);
	note_change(&f->p.svm, fake.base >> PAGE_SHIFT, fake.base >> PAGE_SHIFT, true);
	spin_unlock(&f->p.svm.lock);
	mutex_lock(&f->p.mutex);
	drop_changed(&f->p);
	mutex_unlock(&f->p.mutex);
	KUNIT_EXPECT_STREQ(test, picture(f), "aaaa............");
	KUNIT_EXPECT_STREQ(test, fake.unmaps, "0:0-3/1 ");
	fake.move_error = -ENOMEM;	/* where there is no room it is used in the host */
	KUNIT_EXPECT_EQ(test, touch(f, 2, 0), 1);
	KUNIT_EXPECT_STREQ(test, moves(), "b<0-3 ");
	fake.move_error = 0;
	KUNIT_EXPECT_EQ(test, set(f, 6, 2, KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, GPU_0), 0);
	KUNIT_EXPECT_STREQ(test, moves(), "");
	KUNIT_EXPECT_EQ(test, set(f, 9, 2, KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM), 0);
	KUNIT_EXPECT_EQ(test, touch(f, 9, 0), 1);
	KUNIT_EXPECT_STREQ(test, moves(), "a<9-10 b<9-10 ");
}

/* svm_range_restore_pages(): what it refuses, in its order */
static void faults_that_are_refused(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->p.svm.retries = true;
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), -EFAULT);
	f->p.xnack_enabled = true;
	fake.used = true;
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), -EFAULT);
	fake.used = false;
	KUNIT_EXPECT_EQ(test, touch(f, 0, KFD_BRIDGE_FAULT_EXECUTE), -EPERM);
	KUNIT_EXPECT_EQ(test, set(f, 0, 1, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO), 0);
	KUNIT_EXPECT_EQ(test, touch(f, 0, KFD_BRIDGE_FAULT_WRITE), -EPERM);
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), 1);
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), 0);
	fake.refused = true;
	KUNIT_EXPECT_EQ(test, touch(f, 0, 0), -EFAULT);
	KUNIT_EXPECT_EQ(test, set(f, 1, 1, KFD_IOCTL_SVM_ATTR_NO_ACCESS, GPU_0), 0);
	KUNIT_EXPECT_EQ(test, touch(f, 1, 0), -EACCES);
	KUNIT_EXPECT_EQ(test, kfdm_svm_fault(&f->pdd[0], (fake.base >> PAGE_SHIFT) + 1, 0), 0);
	KUNIT_EXPECT_EQ(test, fake.final, fake.base + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, f->pdd[0].faults, 1u);
	/* The page table entry of a buffer stays, and that of what queues rely on. */
	fake.final = 0;
	fake.used = true;
	KUNIT_EXPECT_EQ(test, kfdm_svm_fault(&f->pdd[0], (fake.base >> PAGE_SHIFT) + 1, 0), -EFAULT);
	fake.used = false;
	kfdm_svm_range_first(&f->p.svm, (fake.base >> PAGE_SHIFT) + 1, (fake.base >> PAGE_SHIFT) + 1)->holds = 1;
	KUNIT_EXPECT_EQ(test, kfdm_svm_fault(&f->pdd[0], (fake.base >> PAGE_SHIFT) + 1, 0), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake.final, 0ULL);
}

/* Each allocation fails once: nothing is lost, and until the plan is carried out nothing has changed. */
static void memory_runs_out(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	unsigned int n;
	bool used = true;
	int ret;

	FAIL_NTH_NEEDED(test);
	KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_ACCESS, GPU_0), 0);
	for (n = 1; used; n++) {
		fail_nth_arm(n);
		ret = set(f, 4, 4, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		KUNIT_EXPECT_EQ(test, fake.evicted, fake.restored);
		KUNIT_EXPECT_EQ(test, set(f, 0, PAGES, KFD_IOCTL_SVM_ATTR_CLR_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO), 0);
		KUNIT_EXPECT_STREQ(test, picture(f), "AAAAAAAAAAAAAAAA");
	}
	KUNIT_EXPECT_EQ(test, ret, 0);
}

/* Debian's 6.1 has no CONFIG_HSA_AMD_SVM, 7.2 has. */
static void versions_that_have_it(struct kunit *test)
{
	const struct kfdm_abi *saved = kfdm_abi;

	kfdm_abi = &kfdm_abi_6_1;
	KUNIT_EXPECT_FALSE(test, kfdm_svm_is_built());
	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_TRUE(test, kfdm_svm_is_built());
	kfdm_abi = saved;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(versions_that_have_it),
	KUNIT_CASE(ranges_are_split),
	KUNIT_CASE(ranges_of_a_checkpoint),
	KUNIT_CASE(flags_reach_the_page_tables),
	KUNIT_CASE(memory_goes),
	KUNIT_CASE(holes_are_found),
	KUNIT_CASE(addresses_that_are_taken),
	KUNIT_CASE(queues_rely_on_ranges),
	KUNIT_CASE(access_for_all),
	KUNIT_CASE(faults_share_memory),
	KUNIT_CASE(faults_map_granules),
	KUNIT_CASE(prefetched_memory_moves),
	KUNIT_CASE(touched_memory_moves),
	KUNIT_CASE(faults_that_are_refused),
	KUNIT_CASE(memory_runs_out),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_svm", .suite_init = user_space_find, .init = svm_setup, .exit = svm_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
