// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_gpuvm_test.c - KFD's buffers: what is made and charged for which flags, mapped and reached by whom, and what is left
 * when a step fails. Address spaces: taken once.
 */
#include <kunit/test.h>
#include <linux/mm.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include "kunit/amdgpu_model/mem/no_migration.h"
#include <linux/dma-buf.h>
#define dma_buf_get	vm_fake_dmabuf_get
#define dma_buf_put	vm_fake_dmabuf_put
#define dma_buf_fd	vm_fake_dmabuf_fd
#define get_dma_buf	vm_fake_dmabuf_hold
struct dma_buf *vm_fake_dmabuf_get(int fd);
void vm_fake_dmabuf_put(struct dma_buf *dmabuf);
int vm_fake_dmabuf_fd(struct dma_buf *dmabuf, int flags);
void vm_fake_dmabuf_hold(struct dma_buf *dmabuf);
#include "amdgpu_model/kfd/amdgpu_amdkfd_dmabuf.c"
#include "amdgpu_model/kfd/amdgpu_amdkfd_gpuvm.c"

#define VA	0x7f0000000000ULL
#define OFFSET	0x100	/* the offset for mmap, in pages */
#define FLAG(name)	KFD_IOC_ALLOC_MEM_FLAGS_##name

const struct file_operations amdm_drm_fops;

/* What has been asked of the rest of amdgpu_model, and what it answers */
static struct {
	int bos, maps, kmaps;
	s64 charged[3];
	int bo_answer, charge_answer, map_answer, validate_answer;
	u32 maps_left;		/* until they fail */
	u32 validations, created;
	enum amdm_kind kind;
	u64 size, align, user_addr;
	bool readonly;
	u32 quiet, ahead;
	struct amdm_device *made_by;
	struct amdm_bo *dmabuf;
	struct dma_buf the_dmabuf;
	int dmabufs, fd_answer, export_answer, export_flags;
	struct amdm_mapping last;
} vm_seen;

static void free_bo(struct drm_gem_object *obj)
{
	vm_seen.bos--;
	drm_vma_node_revoke(&obj->vma_node, NULL);
	WARN_ON(!RB_EMPTY_ROOT(&obj->vma_node.vm_files));
	kfree(amdm_bo_from_gem(obj));
}

static const struct drm_gem_object_funcs bo_funcs = { .free = free_bo };

static struct amdm_bo *make_bo(struct amdm_device *adev, enum amdm_kind kind, u64 size)
{
	struct amdm_bo *bo = vm_seen.bo_answer ? NULL : kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return ERR_PTR(vm_seen.bo_answer ?: -ENOMEM);
	kref_init(&bo->base.refcount);
	bo->base.funcs = &bo_funcs;
	bo->base.dev = &adev->ddev;
	bo->base.size = size;
	drm_vma_node_reset(&bo->base.vma_node);
	bo->base.vma_node.vm_node.start = OFFSET;
	mutex_init(&bo->lock);
	bo->kind = kind;
	vm_seen.bos++;
	vm_seen.created++;
	vm_seen.kind = kind;
	vm_seen.size = size;
	vm_seen.made_by = adev;
	return bo;
}

int amdm_kgd_tlb_flush_pasid(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	return 0;
}

struct amdm_bo *amdm_bo_create_vram(struct amdm_device *adev, u64 size, u64 align, bool evict)
{
	vm_seen.align = align;
	return make_bo(adev, AMDM_VRAM, size);
}

struct amdm_bo *amdm_bo_create_gtt(struct amdm_device *adev, u64 size, bool evict)
{
	return make_bo(adev, AMDM_GTT, size);
}

struct amdm_bo *amdm_bo_create_userptr(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	vm_seen.user_addr = user_addr;
	vm_seen.readonly = readonly;
	return make_bo(adev, AMDM_USERPTR, size);
}

struct amdm_bo *amdm_bo_create_userptr_ahead(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	vm_seen.ahead++;
	return amdm_bo_create_userptr(adev, user_addr, size, readonly);
}

bool amdm_userptr_is_refused(const struct amdm_userptr *user, unsigned long page, bool write)
{
	return page == 3 && write;
}

void amdm_userptr_keep_quiet(struct amdm_userptr *user)
{
	vm_seen.quiet++;
}

struct amdm_bo *amdm_bo_create_doorbell(struct amdm_device *adev, u32 offset, u64 size)
{
	vm_seen.user_addr = offset;
	return make_bo(adev, AMDM_DOORBELL, size);
}

struct amdm_bo *amdm_bo_create_mmio(struct amdm_device *adev)
{
	return make_bo(adev, AMDM_MMIO, PAGE_SIZE);
}

struct amdm_bo *amdm_bo_create_peer(struct amdm_device *adev, struct amdm_bo *origin)
{
	return make_bo(adev, AMDM_PEER, origin->base.size);
}

struct amdm_bo *amdm_bo_from_dmabuf(int fd)
{
	if (fd != 3)
		return ERR_PTR(-EBADF);
	drm_gem_object_get(&vm_seen.dmabuf->base);
	return vm_seen.dmabuf;
}

/* There is one, with the file descriptor 3. */
struct dma_buf *vm_fake_dmabuf_get(int fd)
{
	if (fd != 3)
		return ERR_PTR(-EBADF);
	vm_seen.dmabufs++;
	return &vm_seen.the_dmabuf;
}

void vm_fake_dmabuf_put(struct dma_buf *dmabuf)
{
	vm_seen.dmabufs--;
}

void vm_fake_dmabuf_hold(struct dma_buf *dmabuf)
{
	vm_seen.dmabufs++;
}

int vm_fake_dmabuf_fd(struct dma_buf *dmabuf, int flags)
{
	return vm_seen.fd_answer;
}

bool amdm_prime_is_of(const struct dma_buf *dmabuf, const struct amdm_device *adev)
{
	return amdm_bo_device(vm_seen.dmabuf) == adev;
}

struct drm_gem_object *amdm_prime_import(struct drm_device *ddev, struct dma_buf *dmabuf)
{
	struct amdm_bo *peer;

	if (vm_seen.dmabuf->base.dev != ddev) {
		peer = make_bo(amdm_from_drm(ddev), AMDM_PEER, vm_seen.dmabuf->base.size);
		return IS_ERR(peer) ? ERR_CAST(peer) : &peer->base;
	}
	drm_gem_object_get(&vm_seen.dmabuf->base);
	return &vm_seen.dmabuf->base;
}

struct dma_buf *amdm_prime_export(struct amdm_bo *bo, int flags)
{
	if (vm_seen.export_answer)
		return ERR_PTR(vm_seen.export_answer);
	vm_seen.export_flags = flags;
	vm_seen.dmabufs++;
	return &vm_seen.the_dmabuf;
}

int amdm_bo_kmap(struct amdm_bo *bo, void **cpu)
{
	vm_seen.kmaps++;
	*cpu = bo;
	return 0;
}

void amdm_bo_kunmap(struct amdm_bo *bo)
{
	vm_seen.kmaps--;
}

int amdm_limit_charge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size)
{
	if (vm_seen.charge_answer)
		return vm_seen.charge_answer;
	vm_seen.charged[kind] += size;
	return 0;
}

void amdm_limit_uncharge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size)
{
	vm_seen.charged[kind] -= size;
}

u64 amdm_gmc_mtype(const struct amdm_device *adev, enum gpuvm_mtype mtype)
{
	return GPUVM_PTE_MTYPE(mtype);
}

struct amdm_mapping *amdm_vm_map(struct amdm_vm *vm, struct amdm_bo *bo, u64 va, u64 offset, u64 size, u64 flags, void *owner)
{
	struct amdm_mapping *mapping;

	if (vm_seen.map_answer && (!vm_seen.maps_left || !vm_seen.maps_left--))
		return ERR_PTR(vm_seen.map_answer);
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	if (!mapping)
		return ERR_PTR(-ENOMEM);
	mapping->vm = vm;
	mapping->bo = bo;
	mapping->node.start = va;
	mapping->node.last = va + size - 1;
	mapping->flags = flags;
	mapping->owner = owner;
	INIT_LIST_HEAD(&mapping->link);
	vm_seen.last = *mapping;
	vm_seen.maps++;
	return mapping;
}

void amdm_vm_unmap(struct amdm_mapping *mapping)
{
	list_del(&mapping->link);
	kfree(mapping);
	vm_seen.maps--;
}

u64 amdm_evict_now(struct amdm_device *adev)
{
	return 1;
}

void amdm_evict_touch(struct amdm_bo *bo)
{
}

int amdm_evict_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move)
{
	vm_seen.validations++;
	return vm_seen.validate_answer;
}

struct vm_bed {
	struct amdm_device adev[2];
	struct amdm_vm vm[2];
	struct amdm_file priv;
	struct drm_file drm;
	struct drm_minor minor;
	struct file file;
};

static int vm_setup(struct kunit *test)
{
	struct vm_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&vm_seen, 0, sizeof(vm_seen));
	for (i = 0; i < 2; i++) {
		bed->adev[i].index = i;
		bed->adev[i].xcp[0].adev = &bed->adev[i];
		init_rwsem(&bed->adev[i].placement.sem);
		init_waitqueue_head(&bed->adev[i].placement.left);
		bed->vm[i].adev = &bed->adev[i];
		bed->vm[i].drm = &bed->drm;
		mutex_init(&bed->vm[i].lock);
		bed->vm[i].queues_off = true;
	}
	bed->minor.dev = &bed->adev[0].ddev;
	bed->drm.minor = &bed->minor;
	bed->drm.driver_priv = &bed->priv;
	bed->priv.vm = &bed->vm[0];
	bed->file.f_op = &amdm_drm_fops;
	bed->file.private_data = &bed->drm;
	fake_file_hold(&bed->file);
	return 0;
}

/* Nothing is held, mapped or charged. */
static void vm_teardown(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_EQ(test, vm_seen.bos, 0);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 0);
	KUNIT_EXPECT_EQ(test, vm_seen.kmaps, 0);
	for (i = 0; i < ARRAY_SIZE(vm_seen.charged); i++)
		KUNIT_EXPECT_EQ(test, vm_seen.charged[i], 0LL);
	KUNIT_EXPECT_EQ(test, (long)file_count(&bed->file), 1L);
}

static int acquire(struct vm_bed *bed, u32 gpu, u32 pasid, struct amdm_vm **vm)
{
	int ret;

	kthread_use_mm(user_mm);
	ret = amdm_kgd_vm_acquire(&bed->adev[gpu], &bed->file, pasid, vm);
	kthread_unuse_mm(user_mm);
	return ret;
}

static void an_address_space_is_taken_once(struct kunit *test)
{
	const int mms = atomic_read(&user_mm->mm_count);
	struct vm_bed *bed = test->priv;
	struct amdm_vm *vm = NULL;

	KUNIT_EXPECT_EQ(test, acquire(bed, 1, 0x8001, &vm), -EINVAL);	/* another GPU's */
	bed->file.f_op = NULL;
	KUNIT_EXPECT_EQ(test, acquire(bed, 0, 0x8001, &vm), -EINVAL);	/* any file */
	bed->file.f_op = &amdm_drm_fops;
	KUNIT_EXPECT_NULL(test, vm);
	KUNIT_ASSERT_EQ(test, acquire(bed, 0, 0x8001, &vm), 0);
	KUNIT_EXPECT_PTR_EQ(test, vm, &bed->vm[0]);
	KUNIT_EXPECT_EQ(test, vm->pasid, 0x8001u);
	KUNIT_EXPECT_TRUE(test, vm->flush == amdm_kgd_tlb_flush_pasid);
	KUNIT_EXPECT_PTR_EQ(test, vm->mm, user_mm);
	KUNIT_EXPECT_FALSE(test, vm->queues_off);
	KUNIT_EXPECT_EQ(test, (long)file_count(&bed->file), 2L);
	KUNIT_EXPECT_EQ(test, acquire(bed, 0, 0x8002, &vm), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm->pasid, 0x8001u);
	amdm_kgd_vm_release(&bed->adev[0], vm);
	KUNIT_EXPECT_TRUE(test, !vm->mm && !vm->file && !vm->pasid);
	KUNIT_EXPECT_EQ(test, bed->adev[0].placement.departures, 1u);	/* who waits for its queues to leave is woken */
	KUNIT_EXPECT_EQ(test, acquire(bed, 0, 0x8002, &vm), 0);
	amdm_kgd_vm_release(&bed->adev[0], vm);
	KUNIT_EXPECT_EQ(test, atomic_read(&user_mm->mm_count), mms);
}

/* amdgpu_vm_make_compute(): an address space that has or had page tables stays the render node's */
static void a_used_address_space_is_not_taken(struct kunit *test)
{
	const int mms = atomic_read(&user_mm->mm_count);
	struct vm_bed *bed = test->priv;
	struct amdm_vm *vm = NULL;

	atomic64_set(&bed->vm[0].updates, 1);
	KUNIT_EXPECT_EQ(test, acquire(bed, 0, 0x8001, &vm), -EINVAL);
	KUNIT_EXPECT_NULL(test, vm);
	KUNIT_EXPECT_EQ(test, atomic_read(&bed->vm[0].compute), 0);
	KUNIT_EXPECT_EQ(test, (long)file_count(&bed->file), 1L);
	KUNIT_EXPECT_EQ(test, atomic_read(&user_mm->mm_count), mms);
	atomic64_set(&bed->vm[0].updates, 0);
}

static int alloc(struct vm_bed *bed, u64 size, u32 flags, u64 user_addr, struct amdm_mem **mem, u64 *offset)
{
	return amdm_kgd_mem_alloc(&bed->adev[0].xcp[0], &bed->vm[0], VA, size, flags, user_addr, mem, offset);
}

static struct amdm_mem *make(struct kunit *test, u64 size, u32 flags)
{
	struct amdm_mem *mem = NULL;

	KUNIT_ASSERT_EQ(test, alloc(test->priv, size, flags, 0x10000, &mem, NULL), 0);
	return mem;
}

static void drop(struct kunit *test, struct amdm_mem *mem)
{
	struct vm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_free(&bed->adev[0], mem), 0);
}

#define NOTHING	-1

static const struct alloc_row {
	const char *name;
	u64 size;
	u32 flags;
	u64 user_addr;
	int answer;
	enum amdm_kind kind;
	u64 made;
	int limit;
} rows[] = {
	{ "vram", 1, FLAG(VRAM), 0, 0, AMDM_VRAM, PAGE_SIZE, AMDM_LIMIT_VRAM },
	{ "gtt", 3 * PAGE_SIZE - 1, FLAG(GTT), 0, 0, AMDM_GTT, 3 * PAGE_SIZE, AMDM_LIMIT_GTT },
	{ "userptr", PAGE_SIZE, FLAG(USERPTR), 0x10000, 0, AMDM_USERPTR, PAGE_SIZE, AMDM_LIMIT_USERPTR },
	{ "userptr, unaligned", PAGE_SIZE, FLAG(USERPTR), 0x10001, -EINVAL },
	{ "userptr of nothing", PAGE_SIZE, FLAG(USERPTR), 0, -EINVAL },
	{ "doorbells", 2 * PAGE_SIZE, FLAG(DOORBELL), 0x2000, 0, AMDM_DOORBELL, 2 * PAGE_SIZE, NOTHING },
	{ "mmio", PAGE_SIZE, FLAG(MMIO_REMAP), 0, 0, AMDM_MMIO, PAGE_SIZE, NOTHING },
	{ "mmio, two pages", PAGE_SIZE + 1, FLAG(MMIO_REMAP), 0, -EINVAL },
	{ "no kind", PAGE_SIZE, FLAG(WRITABLE), 0, -EINVAL },
	{ "no size", 0, FLAG(VRAM), 0, -EINVAL },
	{ "any size", ~0ULL, FLAG(VRAM), 0, -EINVAL },
	{ "aql ring", 4 * PAGE_SIZE, FLAG(GTT) | FLAG(AQL_QUEUE_MEM), 0, 0, AMDM_GTT, 2 * PAGE_SIZE, AMDM_LIMIT_GTT },
	{ "aql ring of a page", PAGE_SIZE, FLAG(GTT) | FLAG(AQL_QUEUE_MEM), 0, 0, AMDM_GTT, PAGE_SIZE, AMDM_LIMIT_GTT },
};

static void row_name(const struct alloc_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kind, rows, row_name);

static void kinds(struct kunit *test)
{
	const struct alloc_row *row = test->param_value;
	struct vm_bed *bed = test->priv;
	struct amdm_mem *mem = NULL;
	u64 offset = 77;
	u32 i;

	KUNIT_ASSERT_EQ(test, alloc(bed, row->size, row->flags, row->user_addr, &mem, &offset), row->answer);
	if (row->answer) {
		KUNIT_EXPECT_NULL(test, mem);
		return;
	}
	KUNIT_EXPECT_EQ(test, vm_seen.kind, row->kind);
	KUNIT_EXPECT_EQ(test, vm_seen.size, row->made);
	for (i = 0; i < ARRAY_SIZE(vm_seen.charged); i++)
		KUNIT_EXPECT_EQ(test, vm_seen.charged[i], i == row->limit ? (s64)row->made : 0);
	KUNIT_EXPECT_EQ(test, offset, row->kind == AMDM_USERPTR ? 0 : (u64)OFFSET << PAGE_SHIFT);
	KUNIT_EXPECT_TRUE(test, drm_vma_node_is_allowed(&mem->bo->base.vma_node, &bed->drm));
	if (row->kind == AMDM_USERPTR || row->kind == AMDM_DOORBELL)
		KUNIT_EXPECT_EQ(test, vm_seen.user_addr, row->user_addr);
	drop(test, mem);
}

/* 2 MiB and more for large pages */
static void alignment_of_vram(struct kunit *test)
{
	drop(test, make(test, (2 << 20) - PAGE_SIZE, FLAG(VRAM)));
	KUNIT_EXPECT_EQ(test, vm_seen.align, (u64)PAGE_SIZE);
	drop(test, make(test, 2 << 20, FLAG(VRAM)));
	KUNIT_EXPECT_EQ(test, vm_seen.align, 2ULL << 20);
	drop(test, make(test, PAGE_SIZE, FLAG(USERPTR)));
	KUNIT_EXPECT_TRUE(test, vm_seen.readonly);
	drop(test, make(test, PAGE_SIZE, FLAG(USERPTR) | FLAG(WRITABLE)));
	KUNIT_EXPECT_FALSE(test, vm_seen.readonly);
}

static void a_step_that_fails(struct kunit *test)
{
	struct amdm_mem *mem = NULL;

	vm_seen.charge_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, alloc(test->priv, PAGE_SIZE, FLAG(VRAM), 0, &mem, NULL), -ENOMEM);
	KUNIT_EXPECT_EQ(test, vm_seen.created, 0u);
	vm_seen.charge_answer = 0;
	vm_seen.bo_answer = -ENOSPC;
	KUNIT_EXPECT_EQ(test, alloc(test->priv, PAGE_SIZE, FLAG(VRAM), 0, &mem, NULL), -ENOSPC);
	KUNIT_EXPECT_EQ(test, vm_seen.charged[AMDM_LIMIT_VRAM], 0LL);
	KUNIT_EXPECT_NULL(test, mem);
}

/* KFD's flags of mapping, as bits of a PTE */
static const struct {
	u32 flags;
	u64 pte;
} ptes[] = {
	{ 0, GPUVM_PTE_READABLE | GPUVM_PTE_MTYPE(GPUVM_MTYPE_NC) },
	{ FLAG(WRITABLE), GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE },
	{ FLAG(EXECUTABLE), GPUVM_PTE_READABLE | GPUVM_PTE_EXECUTABLE },
	{ FLAG(COHERENT), GPUVM_PTE_READABLE | GPUVM_PTE_MTYPE(GPUVM_MTYPE_UC) },
	{ FLAG(UNCACHED) | FLAG(WRITABLE), GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_MTYPE(GPUVM_MTYPE_UC) },
};

static void entries_of_page_tables(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ptes); i++) {
		struct amdm_mem *mem = make(test, PAGE_SIZE, FLAG(GTT) | ptes[i].flags);

		KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), 0);
		KUNIT_EXPECT_EQ_MSG(test, vm_seen.last.flags, ptes[i].pte, "row %u", i);
		KUNIT_EXPECT_PTR_EQ(test, vm_seen.last.owner, (void *)mem);
		KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), 0);
		drop(test, mem);
	}
}

static void mapped_once_and_not_freed_before_unmapping(struct kunit *test)
{
	struct amdm_mem *mem = make(test, PAGE_SIZE, FLAG(VRAM));
	struct vm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 1);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_free(&bed->adev[0], mem), -EBUSY);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[1]), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), 0);
	drop(test, mem);
}

/* gfx8 AQL: the ring is there twice, back to back; both or none. */
static void a_ring_is_mapped_twice(struct kunit *test)
{
	struct amdm_mem *mem = make(test, 4 * PAGE_SIZE, FLAG(GTT) | FLAG(AQL_QUEUE_MEM));
	struct vm_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 2);
	KUNIT_EXPECT_EQ(test, (u64)vm_seen.last.node.start, VA + 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 0);
	vm_seen.map_answer = -EINVAL;
	vm_seen.maps_left = 1;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 0);
	drop(test, mem);
}

/* It may be elsewhere again before it is mapped. */
static void a_buffer_that_moves_away(struct kunit *test)
{
	struct amdm_mem *mem = make(test, PAGE_SIZE, FLAG(VRAM));
	struct vm_bed *bed = test->priv;

	vm_seen.map_answer = -EAGAIN;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), -ENOMEM);
	KUNIT_EXPECT_EQ(test, vm_seen.validations, (u32)MEM_MAP_TRIES);
	vm_seen.map_answer = 0;
	vm_seen.validate_answer = -ERESTARTSYS;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, vm_seen.maps, 0);
	drop(test, mem);
}

static void another_gpu(struct kunit *test)
{
	struct amdm_mem *gtt = make(test, PAGE_SIZE, FLAG(GTT)), *user = make(test, PAGE_SIZE, FLAG(USERPTR) | FLAG(WRITABLE));
	struct vm_bed *bed = test->priv;

	vm_seen.bo_answer = -EINVAL;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], gtt, &bed->vm[1]), -EINVAL);
	vm_seen.bo_answer = 0;	/* the failure has not been kept */
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], gtt, &bed->vm[1]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.kind, AMDM_PEER);
	KUNIT_EXPECT_PTR_EQ(test, vm_seen.made_by, &bed->adev[1]);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], gtt, &bed->vm[1]), 0);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], gtt, &bed->vm[1]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.bos, 3);	/* one peer for all times */
	vm_seen.user_addr = 0;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], user, &bed->vm[1]), 0);
	KUNIT_EXPECT_EQ(test, vm_seen.user_addr, 0x10000ULL);
	KUNIT_EXPECT_FALSE(test, vm_seen.readonly);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], user, &bed->vm[0]), 0);
	KUNIT_EXPECT_PTR_EQ(test, vm_seen.last.bo, user->bo);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], user, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_free(&bed->adev[0], user), -EBUSY);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], user, &bed->vm[1]), 0);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], gtt, &bed->vm[1]), 0);
	drop(test, gtt);
	drop(test, user);
}

static void told_about_a_buffer(struct kunit *test)
{
	struct amdm_mem *mem = make(test, PAGE_SIZE, FLAG(GTT) | FLAG(WRITABLE));
	struct vm_bed *bed = test->priv;
	struct kfd2kgd_mem_info info;
	void *cpu = NULL;
	u64 size = 0;

	amdm_kgd_mem_info(mem, &info);
	KUNIT_EXPECT_EQ(test, info.flags, (u32)(FLAG(GTT) | FLAG(WRITABLE)));
	KUNIT_EXPECT_EQ(test, info.size, (u64)PAGE_SIZE);
	KUNIT_EXPECT_PTR_EQ(test, info.adev, &bed->adev[0]);
	KUNIT_EXPECT_EQ(test, info.mmap_offset, (u64)OFFSET << PAGE_SHIFT);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_kmap(mem, &cpu, &size), 0);
	KUNIT_EXPECT_PTR_EQ(test, cpu, (void *)mem->bo);
	KUNIT_EXPECT_EQ(test, size, (u64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_kmap(mem, &cpu, NULL), 0);
	amdm_kgd_mem_kunmap(mem);
	amdm_kgd_mem_kunmap(mem);
	drop(test, mem);
}

static struct amdm_bo *share(struct kunit *test, enum amdm_kind kind)
{
	struct vm_bed *bed = test->priv;

	vm_seen.dmabuf = make_bo(&bed->adev[0], kind, 2 * PAGE_SIZE);
	KUNIT_ASSERT_FALSE(test, IS_ERR(vm_seen.dmabuf));
	vm_seen.dmabuf->domains = AMDGPU_GEM_DOMAIN_VRAM;
	vm_seen.dmabuf->gem_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
	return vm_seen.dmabuf;
}

static void somebody_elses_buffer(struct kunit *test)
{
	struct amdm_bo *bo = share(test, AMDM_VRAM);
	struct vm_bed *bed = test->priv;
	struct amdm_mem *mem = NULL;

	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_import(&bed->adev[0], &bed->vm[0], 4, false, VA, &mem), -EBADF);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_import(&bed->adev[1], &bed->vm[1], 3, false, VA, &mem), -EINVAL);
	bo->kind = AMDM_DOORBELL;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_import(&bed->adev[0], &bed->vm[0], 3, false, VA, &mem), -EINVAL);
	bo->kind = AMDM_VRAM;
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 1u);
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_import(&bed->adev[0], &bed->vm[0], 3, false, VA, &mem), 0);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 2u);
	KUNIT_EXPECT_EQ(test, vm_seen.charged[AMDM_LIMIT_VRAM], 0LL);	/* its owner's */
	KUNIT_EXPECT_EQ(test, mem->flags, (u32)(FLAG(VRAM) | FLAG(PUBLIC) | FLAG(WRITABLE) | FLAG(EXECUTABLE)));
	KUNIT_EXPECT_TRUE(test, drm_vma_node_is_allowed(&bo->base.vma_node, &bed->drm));
	drop(test, mem);
	KUNIT_EXPECT_FALSE(test, drm_vma_node_is_allowed(&bo->base.vma_node, &bed->drm));
	drm_gem_object_put(&bo->base);
}

/* 7.2's IMPORT_DMABUF: a buffer on the same memory, of the GPU that it is for */
static void another_gpus_buffer(struct kunit *test)
{
	struct amdm_bo *bo = share(test, AMDM_VRAM);
	struct vm_bed *bed = test->priv;
	struct amdm_mem *mem = NULL;

	KUNIT_ASSERT_EQ(test, amdm_kgd_mem_import(&bed->adev[1], &bed->vm[1], 3, true, VA, &mem), 0);
	KUNIT_EXPECT_EQ(test, (int)mem->bo->kind, (int)AMDM_PEER);
	KUNIT_EXPECT_PTR_EQ(test, amdm_bo_device(mem->bo), &bed->adev[1]);
	KUNIT_EXPECT_EQ(test, vm_seen.dmabufs, 1);	/* it goes out as what it came in */
	amdm_kgd_mem_free(&bed->adev[1], mem);
	KUNIT_EXPECT_EQ(test, vm_seen.dmabufs, 0);
	drm_gem_object_put(&bo->base);
}

/* amdgpu_amdkfd_gpuvm_export_dmabuf: one dma-buf as long as the buffer has its handle */
static void exported(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mem *mem;
	u32 fd = 0;

	KUNIT_ASSERT_EQ(test, alloc(bed, PAGE_SIZE, FLAG(GTT) | FLAG(WRITABLE), 0, &mem, NULL), 0);
	vm_seen.export_answer = -EPERM;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_export(mem, 0, &fd), -EPERM);
	vm_seen.export_answer = 0;
	vm_seen.fd_answer = -EMFILE;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_export(mem, 0, &fd), -EMFILE);
	KUNIT_EXPECT_EQ(test, vm_seen.dmabufs, 1);
	KUNIT_EXPECT_EQ(test, vm_seen.export_flags, (int)DRM_RDWR);
	vm_seen.fd_answer = 5;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_export(mem, 0, &fd), 0);
	KUNIT_EXPECT_EQ(test, fd, 5u);
	KUNIT_EXPECT_EQ(test, vm_seen.dmabufs, 2);	/* the handle's and the file descriptor's */
	drop(test, mem);
	KUNIT_EXPECT_EQ(test, vm_seen.dmabufs, 1);
}

/* Queues rely on a mapping: it stays. */
static void held_mappings_stay(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *mapping;
	struct amdm_mem *mem;

	KUNIT_ASSERT_EQ(test, alloc(bed, PAGE_SIZE, FLAG(GTT), 0, &mem, NULL), 0);
	KUNIT_ASSERT_EQ(test, amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]), 0);
	mapping = list_first_entry(&mem->mappings, struct amdm_mapping, link);
	mapping->holds = 1;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), -EBUSY);
	mapping->holds = 0;
	KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), 0);
	drop(test, mem);
}

static void told_about_a_dmabuf(struct kunit *test)
{
	struct amdm_bo *bo = share(test, AMDM_VRAM);
	struct vm_bed *bed = test->priv;
	struct kfd2kgd_mem_info info;
	u32 metadata[64] = {}, size = 4;

	bo->metadata_size = 8;
	bo->metadata[1] = 0x5a;
	KUNIT_EXPECT_EQ(test, amdm_kgd_dmabuf_info(&bed->adev[0], 4, &info, metadata, &size), -EBADF);
	KUNIT_EXPECT_EQ(test, amdm_kgd_dmabuf_info(&bed->adev[0], 3, &info, metadata, &size), -EINVAL);	/* does not fit */
	KUNIT_EXPECT_EQ(test, metadata[1], 0u);
	KUNIT_EXPECT_EQ(test, size, 8u);
	KUNIT_EXPECT_EQ(test, info.size, 2ULL * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_kgd_dmabuf_info(&bed->adev[0], 3, &info, metadata, &size), 0);
	KUNIT_EXPECT_EQ(test, metadata[1], 0x5au);
	KUNIT_EXPECT_EQ(test, info.flags, (u32)(FLAG(VRAM) | FLAG(PUBLIC)));
	KUNIT_EXPECT_EQ(test, info.size, 2ULL * PAGE_SIZE);
	bo->kind = AMDM_MMIO;
	KUNIT_EXPECT_EQ(test, amdm_kgd_dmabuf_info(&bed->adev[0], 3, &info, metadata, &size), -EINVAL);
	KUNIT_EXPECT_EQ(test, kref_read(&bo->base.refcount), 1u);
	drm_gem_object_put(&bo->base);
}

static void without_memory(struct kunit *test)
{
	struct amdm_bo *bo = share(test, AMDM_VRAM);
	struct vm_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_mem *mem = NULL, *import = NULL;
		int ret;

		fail_nth_arm(n);
		ret = alloc(bed, 4 * PAGE_SIZE, FLAG(GTT) | FLAG(AQL_QUEUE_MEM), 0, &mem, NULL);
		if (!ret)
			ret = amdm_kgd_mem_import(&bed->adev[0], &bed->vm[0], 3, false, VA, &import);
		if (!ret)
			ret = amdm_kgd_mem_map(&bed->adev[0], mem, &bed->vm[0]);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		KUNIT_EXPECT_EQ(test, vm_seen.maps, ret ? 0 : 2);
		if (!ret)
			KUNIT_EXPECT_EQ(test, amdm_kgd_mem_unmap(&bed->adev[0], mem, &bed->vm[0]), 0);
		if (mem)
			drop(test, mem);
		if (import)
			drop(test, import);
		KUNIT_EXPECT_EQ(test, vm_seen.bos, 1);
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
	drm_gem_object_put(&bo->base);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(an_address_space_is_taken_once),
	KUNIT_CASE(a_used_address_space_is_not_taken),
	KUNIT_CASE_PARAM(kinds, kind_gen_params),
	KUNIT_CASE(alignment_of_vram),
	KUNIT_CASE(a_step_that_fails),
	KUNIT_CASE(entries_of_page_tables),
	KUNIT_CASE(mapped_once_and_not_freed_before_unmapping),
	KUNIT_CASE(a_ring_is_mapped_twice),
	KUNIT_CASE(a_buffer_that_moves_away),
	KUNIT_CASE(another_gpu),
	KUNIT_CASE(told_about_a_buffer),
	KUNIT_CASE(somebody_elses_buffer),
	KUNIT_CASE(another_gpus_buffer),
	KUNIT_CASE(exported),
	KUNIT_CASE(held_mappings_stay),
	KUNIT_CASE(told_about_a_dmabuf),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_amdkfd_gpuvm",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = vm_setup,
	.exit = vm_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
