// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gem_ioctl_test.c - what programs may ask of buffers: each argument that amdgpu_gem.c of Linux 6.1 refuses, with its errno, and
 * where a buffer comes to be.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <linux/dma-resv.h>
#include <linux/sizes.h>

#include "kunit/kfd_model/user_space.h"

#define drm_gem_object_lookup	ioctl_fake_lookup
#define drm_gem_handle_create	ioctl_fake_handle
#define drm_gem_object_put	ioctl_fake_put
#define dma_resv_wait_timeout	ioctl_fake_wait
static struct drm_gem_object *ioctl_fake_lookup(struct drm_file *file, u32 handle);
static int ioctl_fake_handle(struct drm_file *file, struct drm_gem_object *obj, u32 *handle);
static void ioctl_fake_put(struct drm_gem_object *obj);
static long ioctl_fake_wait(struct dma_resv *resv, enum dma_resv_usage usage, bool intr, unsigned long timeout);
#include "amdgpu_model/drm/amdgpu_gem_ioctl.c"

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
}

#define HANDLE		5
#define VRAM		AMDGPU_GEM_DOMAIN_VRAM
#define GTT		AMDGPU_GEM_DOMAIN_GTT

struct ioctl_bed {
	struct amdm_device adev;
	struct amdm_file priv;
	struct drm_file file;
	struct amdm_vm vm;
	struct dma_resv resv, of_vm;
	struct amdm_bo bo;
};

static struct {
	struct ioctl_bed *bed;
	int refs, handle_answer;
	int vram_answer, vram_evict_answer, gtt_answer, onchip_answer;
	char asked[8];		/* v VRAM, V and others go for it, G GTT, u user memory, d g o GDS, GWS, OA */
	u32 at, vm_gets;
	u64 gtt_left, units, va, offset, size, pte;
	u32 maps, unmaps, clears;
	int check_answer, clear_answer;
	long wait_answer;
	bool wanted, readonly;
	u32 left_mappings, validations, flushes;
} ioctl_seen;

static void note(char what)
{
	if (ioctl_seen.at < sizeof(ioctl_seen.asked) - 1)
		ioctl_seen.asked[ioctl_seen.at++] = what;
}

static struct drm_gem_object *ioctl_fake_lookup(struct drm_file *file, u32 handle)
{
	if (handle != HANDLE)
		return NULL;
	ioctl_seen.refs++;
	return &ioctl_seen.bed->bo.base;
}

static int ioctl_fake_handle(struct drm_file *file, struct drm_gem_object *obj, u32 *handle)
{
	*handle = HANDLE;
	ioctl_seen.refs += !ioctl_seen.handle_answer;
	return ioctl_seen.handle_answer;
}

static void ioctl_fake_put(struct drm_gem_object *obj)
{
	ioctl_seen.refs--;
}

static long ioctl_fake_wait(struct dma_resv *resv, enum dma_resv_usage usage, bool intr, unsigned long timeout)
{
	return resv == &ioctl_seen.bed->resv && usage == DMA_RESV_USAGE_READ && intr ? ioctl_seen.wait_answer : -EIO;
}

static struct amdm_bo *made(int answer)
{
	if (answer)
		return ERR_PTR(answer);
	ioctl_seen.refs++;
	return &ioctl_seen.bed->bo;
}

u64 amdm_evict_now(struct amdm_device *adev)
{
	return 1;
}

int amdm_evict_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move)
{
	ioctl_seen.validations++;
	return 0;
}

void amdm_vm_flush_queues(struct amdm_vm *vm)
{
	ioctl_seen.flushes++;
}

struct amdm_bo *amdm_bo_create_vram(struct amdm_device *adev, u64 size, u64 align, bool evict)
{
	note(evict ? 'V' : 'v');
	return made(evict ? ioctl_seen.vram_evict_answer : ioctl_seen.vram_answer);
}

struct amdm_bo *amdm_bo_create_gtt(struct amdm_device *adev, u64 size, bool evict)
{
	note('G');
	return made(ioctl_seen.gtt_answer);
}

struct amdm_bo *amdm_bo_create_userptr(struct amdm_device *adev, u64 user_addr, u64 size, bool readonly)
{
	note('u');
	ioctl_seen.readonly = readonly;
	return made(user_addr == NOT_USER ? -EFAULT : 0);
}

struct amdm_bo *amdm_bo_create_onchip(struct amdm_device *adev, enum amdm_onchip what, u64 units)
{
	note("dgo"[what]);
	ioctl_seen.units = units;
	return made(ioctl_seen.onchip_answer);
}

u64 amdm_gtt_left(struct amdm_device *adev)
{
	return ioctl_seen.gtt_left;
}

bool amdm_move_is_wanted(const struct amdm_bo *bo)
{
	return ioctl_seen.wanted;
}

u64 amdm_gmc_mtype(const struct amdm_device *adev, enum gpuvm_mtype mtype)
{
	return (u64)mtype << 57;
}

u64 amdm_va_table_end(const struct amdm_device *adev)
{
	return (1ULL << 48) - (2 << 20);
}

unsigned long amdm_timeout(u64 timeout_ns)
{
	return timeout_ns;
}

int amdm_vm_check(const struct amdm_device *adev, const struct amdm_bo *bo, u64 va, u64 offset, u64 size)
{
	return ioctl_seen.check_answer;
}

struct amdm_mapping *amdm_vm_map(struct amdm_vm *vm, struct amdm_bo *bo, u64 va, u64 offset, u64 size, u64 flags, void *owner)
{
	ioctl_seen.maps++;
	ioctl_seen.va = va;
	ioctl_seen.offset = offset;
	ioctl_seen.size = size;
	ioctl_seen.pte = flags;
	return owner ? ERR_PTR(-EIO) : NULL;
}

int amdm_vm_unmap_gem(struct amdm_vm *vm, struct amdm_bo *bo, u64 va)
{
	ioctl_seen.unmaps++;
	ioctl_seen.va = va;
	return ioctl_seen.left_mappings ? ioctl_seen.left_mappings--, 0 : -ENOENT;
}

int amdm_vm_clear(struct amdm_vm *vm, u64 va, u64 size)
{
	ioctl_seen.clears++;
	ioctl_seen.size = size;
	return ioctl_seen.clear_answer;
}

static int ioctl_setup(struct kunit *test)
{
	struct ioctl_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&ioctl_seen, 0, sizeof(ioctl_seen));
	ioctl_seen.bed = bed;
	ioctl_seen.gtt_left = 1 << 20;
	ioctl_seen.left_mappings = 1;
	bed->priv.vm = &bed->vm;
	bed->file.driver_priv = &bed->priv;
	bed->vm.adev = &bed->adev;
	bed->vm.root_obj.resv = &bed->of_vm;
	kref_init(&bed->vm.ref);
	INIT_LIST_HEAD(&bed->vm.strays);
	init_rwsem(&bed->adev.placement.sem);
	spin_lock_init(&bed->adev.placement.lock);
	bed->bo.base.dev = &bed->adev.ddev;
	bed->bo.base.size = SZ_64K;
	bed->bo.base.resv = &bed->resv;
	INIT_LIST_HEAD(&bed->bo.stray);
	mutex_init(&bed->bo.lock);
	user_space_begin(test);
	return 0;
}

static void ioctl_teardown(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;

	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->bo.lock));
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&bed->adev.placement.sem));
	user_space_end();
}

static int create(struct kunit *test, u64 size, u64 domains, u64 flags)
{
	struct ioctl_bed *bed = test->priv;
	union drm_amdgpu_gem_create args = { .in = { .bo_size = size, .alignment = 1, .domains = domains, .domain_flags = flags } };
	int ret = amdm_gem_create_ioctl(&bed->adev.ddev, &args, &bed->file);

	if (!ret)
		KUNIT_EXPECT_EQ(test, args.out.handle, (u32)HANDLE);
	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, ret ? 0 : 1);	/* the handle's alone */
	ioctl_seen.refs = 0;
	return ret;
}

struct refusal {
	const char *name;
	u64 size, domains, flags;
};

static const struct refusal refusals[] = {
	{ "no size", 0, VRAM, 0 },
	{ "a size that wraps", ~0ULL, GTT, 0 },
	{ "an unknown flag", SZ_4K, VRAM, 1 << 4 },
	{ "another unknown flag", SZ_4K, VRAM, 1ULL << 40 },
	{ "encrypted", SZ_4K, VRAM, AMDGPU_GEM_CREATE_ENCRYPTED },
	{ "an unknown domain", SZ_4K, 1 << 6, 0 },
	{ "a domain above 32 bits", SZ_4K, 1ULL << 33 | VRAM, 0 },
	{ "GDS always valid", SZ_4K, AMDGPU_GEM_DOMAIN_GDS, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID },
	{ "GDS and GWS", SZ_4K, AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS, 0 },
	{ "OA and VRAM", 1, AMDGPU_GEM_DOMAIN_OA | VRAM, 0 },
};

static void refusal_name(const struct refusal *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusal, refusals, refusal_name);

static void create_refuses(struct kunit *test)
{
	const struct refusal *row = test->param_value;

	KUNIT_EXPECT_EQ(test, create(test, row->size, row->domains, row->flags), -EINVAL);
	KUNIT_EXPECT_EQ(test, ioctl_seen.at, 0u);
}

struct place {
	const char *name;
	u64 domains;
	int vram, vram_evict, gtt;	/* answers */
	u64 gtt_left;
	const char *asked;
	int answer;
	u64 wanted;
};

static const struct place places[] = {
	{ "VRAM", VRAM, 0, 0, 0, SZ_1M, "V", 0, VRAM },
	{ "GTT", GTT, 0, 0, 0, SZ_1M, "G", 0, GTT },
	{ "CPU", AMDGPU_GEM_DOMAIN_CPU, 0, 0, 0, SZ_1M, "G", 0, AMDGPU_GEM_DOMAIN_CPU | GTT },
	{ "nowhere", 0, 0, 0, 0, SZ_1M, "G", 0, GTT },
	{ "either, VRAM has room", VRAM | GTT, 0, 0, 0, SZ_1M, "v", 0, VRAM | GTT },
	{ "either, GTT has room", VRAM | GTT, -ENOMEM, 0, 0, SZ_1M, "vG", 0, VRAM | GTT },
	{ "either, neither has room", VRAM | GTT, -ENOMEM, 0, 0, 0, "vV", 0, VRAM | GTT },
	{ "either, nobody can go", VRAM | GTT, -ENOMEM, -ENOMEM, -ENOMEM, 0, "vVG", -ENOMEM, 0 },
	{ "VRAM, nobody can go", VRAM, 0, -ENOMEM, 0, SZ_1M, "VG", 0, VRAM | GTT },
	{ "VRAM, interrupted", VRAM, 0, -ERESTARTSYS, 0, SZ_1M, "V", -ERESTARTSYS, 0 },
	{ "GTT, full", GTT, 0, 0, -ENOMEM, SZ_1M, "G", -ENOMEM, 0 },
	{ "GDS", AMDGPU_GEM_DOMAIN_GDS, 0, 0, 0, SZ_1M, "d", 0, 0 },
	{ "GWS", AMDGPU_GEM_DOMAIN_GWS, 0, 0, 0, SZ_1M, "g", 0, 0 },
	{ "OA", AMDGPU_GEM_DOMAIN_OA, 0, 0, 0, SZ_1M, "o", 0, 0 },
};

static void place_name(const struct place *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(place, places, place_name);

static void create_finds_a_place(struct kunit *test)
{
	const struct place *row = test->param_value;
	struct ioctl_bed *bed = test->priv;

	ioctl_seen.vram_answer = row->vram;
	ioctl_seen.vram_evict_answer = row->vram_evict;
	ioctl_seen.gtt_answer = row->gtt;
	ioctl_seen.gtt_left = row->gtt_left;
	KUNIT_EXPECT_EQ(test, create(test, SZ_4K, row->domains, AMDGPU_GEM_CREATE_NO_CPU_ACCESS), row->answer);
	KUNIT_EXPECT_STREQ(test, ioctl_seen.asked, row->asked);
	if (row->answer)
		return;
	KUNIT_EXPECT_EQ(test, bed->bo.domains, row->wanted);
	KUNIT_EXPECT_EQ(test, bed->bo.gem_flags, (u64)AMDGPU_GEM_CREATE_NO_CPU_ACCESS);
	KUNIT_EXPECT_TRUE(test, bed->bo.no_cpu);
}

/* It lives in one address space, with its reservation; the handle's failure is the buffer's end. */
static void create_always_valid(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;

	ioctl_seen.wanted = true;	/* it has been evicted since */
	KUNIT_EXPECT_EQ(test, create(test, SZ_4K, VRAM, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID), 0);
	KUNIT_EXPECT_PTR_EQ(test, bed->bo.vm, &bed->vm);
	KUNIT_EXPECT_PTR_EQ(test, bed->bo.base.resv, &bed->of_vm);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->vm.ref), 2u);
	KUNIT_EXPECT_PTR_EQ(test, bed->vm.strays.next, &bed->bo.stray);
	ioctl_seen.handle_answer = -ENOSPC;
	KUNIT_EXPECT_EQ(test, create(test, SZ_4K, VRAM, 0), -ENOSPC);
}

static int userptr(struct kunit *test, u64 addr, u64 size, u32 flags)
{
	struct ioctl_bed *bed = test->priv;
	struct drm_amdgpu_gem_userptr args = { .addr = addr, .size = size, .flags = flags };
	int ret = amdm_gem_userptr_ioctl(&bed->adev.ddev, &args, &bed->file);

	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, ret ? 0 : 1);
	ioctl_seen.refs = 0;
	return ret;
}

static void user_memory(struct kunit *test)
{
	const u32 reg = AMDGPU_GEM_USERPTR_REGISTER, readonly = AMDGPU_GEM_USERPTR_READONLY;

	KUNIT_EXPECT_EQ(test, userptr(test, user_page, 0, reg), -EINVAL);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page + 1, PAGE_SIZE, reg), -EINVAL);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE + 1, reg), -EINVAL);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE, reg | 1 << 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE, 0), -EACCES);	/* the driver would not learn when the page goes */
	KUNIT_EXPECT_EQ(test, userptr(test, NOT_USER, PAGE_SIZE, reg), -EFAULT);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE, reg), 0);
	KUNIT_EXPECT_FALSE(test, ioctl_seen.readonly);
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE, readonly), 0);
	KUNIT_EXPECT_TRUE(test, ioctl_seen.readonly);
	ioctl_seen.handle_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, userptr(test, user_page, PAGE_SIZE, reg), -ENOMEM);
}

static int mmap_offset(struct kunit *test, u32 handle, u64 *offset)
{
	struct ioctl_bed *bed = test->priv;
	union drm_amdgpu_gem_mmap args = { .in.handle = handle };
	int ret = amdm_gem_mmap_ioctl(&bed->adev.ddev, &args, &bed->file);

	*offset = args.out.addr_ptr;
	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, 0);
	return ret;
}

static void who_may_map(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;
	u64 offset;

	bed->bo.base.vma_node.vm_node.start = 0x12345;
	KUNIT_EXPECT_EQ(test, mmap_offset(test, HANDLE + 1, &offset), -ENOENT);
	KUNIT_EXPECT_EQ(test, mmap_offset(test, HANDLE, &offset), 0);
	KUNIT_EXPECT_EQ(test, offset, 0x12345000ULL);
	bed->bo.no_cpu = true;
	KUNIT_EXPECT_EQ(test, mmap_offset(test, HANDLE, &offset), -EPERM);
	bed->bo.no_cpu = false;
	bed->bo.kind = AMDM_USERPTR;
	KUNIT_EXPECT_EQ(test, mmap_offset(test, HANDLE, &offset), -EPERM);
	bed->bo.kind = AMDM_ONCHIP;
	KUNIT_EXPECT_EQ(test, mmap_offset(test, HANDLE, &offset), -EPERM);
}

static void waiting(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;
	static const struct { u32 handle; long wait; int answer; u32 status; } rows[] = {
		{ HANDLE, 1, 0, 0 }, { HANDLE, 0, 0, 1 }, { HANDLE, -ERESTARTSYS, -ERESTARTSYS, 0 }, { HANDLE + 1, 1, -ENOENT, 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		union drm_amdgpu_gem_wait_idle args = { .in.handle = rows[i].handle };

		ioctl_seen.wait_answer = rows[i].wait;
		KUNIT_EXPECT_EQ(test, amdm_gem_wait_idle_ioctl(&bed->adev.ddev, &args, &bed->file), rows[i].answer);
		if (!rows[i].answer)
			KUNIT_EXPECT_EQ(test, args.out.status, rows[i].status);
		KUNIT_EXPECT_EQ(test, ioctl_seen.refs, 0);
	}
}

static void metadata(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;
	struct drm_amdgpu_gem_metadata *args = kunit_kzalloc(test, sizeof(*args), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, args);
	*args = (struct drm_amdgpu_gem_metadata){ .handle = HANDLE + 1, .op = AMDGPU_GEM_METADATA_OP_GET_METADATA };
	KUNIT_EXPECT_EQ(test, amdm_gem_metadata_ioctl(&bed->adev.ddev, args, &bed->file), -ENOENT);
	args->handle = HANDLE;
	args->op = AMDGPU_GEM_METADATA_OP_SET_METADATA;
	args->data.data_size_bytes = sizeof(args->data.data) + 1;
	KUNIT_EXPECT_EQ(test, amdm_gem_metadata_ioctl(&bed->adev.ddev, args, &bed->file), -EINVAL);
	args->data.data_size_bytes = ~0u;
	KUNIT_EXPECT_EQ(test, amdm_gem_metadata_ioctl(&bed->adev.ddev, args, &bed->file), -EINVAL);
	args->data.data_size_bytes = sizeof(args->data.data);
	args->data.tiling_info = 0x123456789abULL;
	args->data.flags = 7;
	args->data.data[63] = 0x5a;
	KUNIT_EXPECT_EQ(test, amdm_gem_metadata_ioctl(&bed->adev.ddev, args, &bed->file), 0);
	memset(&args->data, 0, sizeof(args->data));
	args->op = AMDGPU_GEM_METADATA_OP_GET_METADATA;
	KUNIT_EXPECT_EQ(test, amdm_gem_metadata_ioctl(&bed->adev.ddev, args, &bed->file), 0);
	KUNIT_EXPECT_EQ(test, args->data.data_size_bytes, (u32)sizeof(args->data.data));
	KUNIT_EXPECT_EQ(test, args->data.tiling_info, 0x123456789abULL);
	KUNIT_EXPECT_EQ(test, args->data.flags, 7ULL);
	KUNIT_EXPECT_EQ(test, args->data.data[63], 0x5au);
	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, 0);
}

/* amdgpu_bo_create(): whole pages, or units of on-chip memory */
static void alignments(struct kunit *test)
{
	static const struct { u64 domains, asked; u32 kept; } rows[] = {
		{ VRAM, 0, 0 }, { VRAM, 1, 1 }, { GTT, PAGE_SIZE, 1 }, { GTT, PAGE_SIZE + 1, 2 }, { VRAM | GTT, SZ_2M, 512 },
		{ AMDGPU_GEM_DOMAIN_GDS, 1, 4 }, { AMDGPU_GEM_DOMAIN_GWS, 1, 1 }, { AMDGPU_GEM_DOMAIN_OA, 3, 3 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct drm_amdgpu_gem_create_in in = { .domains = rows[i].domains, .alignment = rows[i].asked };

		KUNIT_EXPECT_EQ_MSG(test, amdm_gem_alignment(&in), rows[i].kept, "row %u", i);
	}
}

static int op(struct kunit *test, u32 handle, u32 what, u64 value)
{
	struct ioctl_bed *bed = test->priv;
	struct drm_amdgpu_gem_op args = { .handle = handle, .op = what, .value = value };
	int ret = amdm_gem_op_ioctl(&bed->adev.ddev, &args, &bed->file);

	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, 0);
	return ret;
}

static void operations(struct kunit *test)
{
	struct ioctl_bed *bed = test->priv;
	struct drm_amdgpu_gem_create_in info = {};

	bed->bo.domains = VRAM;
	bed->bo.asked_alignment = 16;
	bed->bo.gem_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
	KUNIT_EXPECT_EQ(test, op(test, HANDLE + 1, AMDGPU_GEM_OP_SET_PLACEMENT, GTT), -ENOENT);
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, 2, GTT), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, AMDGPU_GEM_OP_GET_GEM_CREATE_INFO, NOT_USER), -EFAULT);
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, AMDGPU_GEM_OP_GET_GEM_CREATE_INFO, user_page), 0);
	KUNIT_EXPECT_EQ(test, copy_from_user(&info, (void __user *)user_page, sizeof(info)), 0ul);
	KUNIT_EXPECT_EQ(test, info.bo_size, (u64)SZ_64K);
	KUNIT_EXPECT_EQ(test, info.alignment, (u64)SZ_64K);
	KUNIT_EXPECT_EQ(test, info.domains, (u64)VRAM);
	KUNIT_EXPECT_EQ(test, info.domain_flags, (u64)AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED);
	ioctl_seen.wanted = true;
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, AMDGPU_GEM_OP_SET_PLACEMENT, GTT | AMDGPU_GEM_DOMAIN_GDS), 0);
	KUNIT_EXPECT_EQ(test, bed->bo.domains, (u64)GTT);
	KUNIT_EXPECT_TRUE(test, list_empty(&bed->bo.stray));	/* it is not bound to one address space */
	bed->bo.vm = &bed->vm;
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, AMDGPU_GEM_OP_SET_PLACEMENT, GTT), 0);
	KUNIT_EXPECT_FALSE(test, list_empty(&bed->bo.stray));
	bed->bo.kind = AMDM_USERPTR;
	KUNIT_EXPECT_EQ(test, op(test, HANDLE, AMDGPU_GEM_OP_SET_PLACEMENT, GTT), -EPERM);
}

#define RW	(AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE)
#define MB2	(2ULL << 20)

struct va_row {
	const char *name;
	u32 op, flags;
	u64 va, size;
	int answer;
};

static const struct va_row va_rows[] = {
	{ "map", AMDGPU_VA_OP_MAP, RW, MB2, SZ_4K, 0 },
	{ "the upper half", AMDGPU_VA_OP_MAP, RW, 0xffff800000000000ULL, SZ_4K, 0 },
	{ "unmap", AMDGPU_VA_OP_UNMAP, 0, MB2, SZ_4K, 0 },
	{ "the last page", AMDGPU_VA_OP_MAP, RW, 0xffffffffffdff000ULL, SZ_4K, 0 },
	{ "below what is reserved", AMDGPU_VA_OP_MAP, RW, MB2 - SZ_4K, SZ_4K, -EINVAL },
	{ "the hole begins", AMDGPU_VA_OP_MAP, RW, 0x0000800000000000ULL, SZ_4K, -EINVAL },
	{ "the hole ends", AMDGPU_VA_OP_MAP, RW, 0xffff7ffffffff000ULL, SZ_4K, -EINVAL },
	{ "reserved at the top", AMDGPU_VA_OP_MAP, RW, 0xffffffffffdff000ULL, 2 * SZ_4K, -EINVAL },
	{ "a size that wraps", AMDGPU_VA_OP_MAP, RW, MB2, ~0ULL << 12, -EINVAL },
	{ "a size that wraps to fit", AMDGPU_VA_OP_MAP, RW, MB2, (~0ULL << 12) - MB2 + SZ_8K, -EINVAL },
	{ "an unknown flag", AMDGPU_VA_OP_MAP, RW | 1 << 12, MB2, SZ_4K, -EINVAL },
	{ "resident or not, and readable", AMDGPU_VA_OP_MAP, RW | AMDGPU_VM_PAGE_PRT, MB2, SZ_4K, -EINVAL },
	{ "resident or not", AMDGPU_VA_OP_MAP, AMDGPU_VM_PAGE_PRT, MB2, SZ_4K, -EOPNOTSUPP },
	{ "no operation", 0, RW, MB2, SZ_4K, -EINVAL },
	{ "an unknown operation", 5, RW, MB2, SZ_4K, -EINVAL },
};

static void va_name(const struct va_row *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(va, va_rows, va_name);

static int call_va(struct kunit *test, u32 handle, const struct va_row *row)
{
	struct ioctl_bed *bed = test->priv;
	struct drm_amdgpu_gem_va args = { .handle = handle, .operation = row->op, .flags = row->flags, .va_address = row->va,
					  .offset_in_bo = 0x3000, .map_size = row->size };
	int ret = amdm_gem_va_ioctl(&bed->adev.ddev, &args, &bed->file);

	KUNIT_EXPECT_EQ(test, ioctl_seen.refs, 0);
	return ret;
}

static void va(struct kunit *test)
{
	const struct va_row *row = test->param_value;

	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, row), row->answer);
	KUNIT_EXPECT_EQ(test, ioctl_seen.maps + ioctl_seen.unmaps, row->answer ? 0u : 1u);
	if (!row->answer)
		KUNIT_EXPECT_EQ(test, ioctl_seen.va, row->va & 0xffffffffffffULL);
}

/* CLEAR names no buffer, the others do; REPLACE clears only where it may map. */
static void va_operations(struct kunit *test)
{
	struct va_row row = { .op = AMDGPU_VA_OP_CLEAR, .va = MB2, .size = SZ_8K };

	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE + 1, &row), 0);
	KUNIT_EXPECT_EQ(test, ioctl_seen.size, (u64)SZ_8K);
	ioctl_seen.clear_answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), -ENOMEM);
	row.op = AMDGPU_VA_OP_REPLACE;
	ioctl_seen.clears = 0;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE + 1, &row), -ENOENT);
	ioctl_seen.check_answer = -EINVAL;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), -EINVAL);
	KUNIT_EXPECT_EQ(test, ioctl_seen.clears, 0u);
	ioctl_seen.check_answer = 0;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), -ENOMEM);
	KUNIT_EXPECT_EQ(test, ioctl_seen.maps, 0u);
	ioctl_seen.clear_answer = 0;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), 0);
	KUNIT_EXPECT_EQ(test, ioctl_seen.maps, 1u);
	KUNIT_EXPECT_EQ(test, ioctl_seen.offset, 0x3000ULL);
	row.op = AMDGPU_VA_OP_UNMAP;
	ioctl_seen.left_mappings = 0;
	KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), -ENOENT);
}

/* amdgpu_gem_va_map_flags: executable 4, readable 5, writeable 6; MTYPE_NC unless it says UC or CC (RW is NC then) */
static void va_flags(struct kunit *test)
{
	static const struct { u32 flags; u64 pte; } rows[] = {
		{ 0, 0 },
		{ AMDGPU_VM_PAGE_READABLE, 1 << 5 },
		{ AMDGPU_VM_PAGE_WRITEABLE, 1 << 6 },
		{ AMDGPU_VM_PAGE_EXECUTABLE | AMDGPU_VM_DELAY_UPDATE, 1 << 4 },
		{ AMDGPU_VM_MTYPE_UC, 3ULL << 57 },
		{ AMDGPU_VM_MTYPE_CC, 2ULL << 57 },
		{ AMDGPU_VM_MTYPE_NC, 0 },
		{ AMDGPU_VM_MTYPE_DEFAULT, 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct va_row row = { .op = AMDGPU_VA_OP_MAP, .va = MB2, .size = SZ_4K, .flags = rows[i].flags };

		KUNIT_EXPECT_EQ(test, call_va(test, HANDLE, &row), 0);
		KUNIT_EXPECT_EQ_MSG(test, ioctl_seen.pte, rows[i].pte, "row %u", i);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(create_refuses, refusal_gen_params),
	KUNIT_CASE_PARAM(create_finds_a_place, place_gen_params),
	KUNIT_CASE(create_always_valid),
	KUNIT_CASE(user_memory),
	KUNIT_CASE(who_may_map),
	KUNIT_CASE(waiting),
	KUNIT_CASE(metadata),
	KUNIT_CASE(alignments),
	KUNIT_CASE(operations),
	KUNIT_CASE_PARAM(va, va_gen_params),
	KUNIT_CASE(va_operations),
	KUNIT_CASE(va_flags),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_gem_ioctl", .suite_init = user_space_find, .init = ioctl_setup, .exit = ioctl_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
