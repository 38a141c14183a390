// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_kms_test.c - a file opens with all or nothing and leaves nothing; who may call which ioctl; what libdrm takes the device for.
 */
#include <kunit/test.h>

#include "kunit/fail_nth.h"
#include "amdgpu_model/drm/amdgpu_fops.c"
#include "amdgpu_model/cs/amdgpu_usage.c"
#include "amdgpu_model/drm/amdgpu_kms.c"

struct drm_gem_object *amdm_prime_import(struct drm_device *ddev, struct dma_buf *dmabuf)
{
	return ERR_PTR(-EINVAL);
}

struct drm_gem_object *amdm_prime_import_sg_table(struct drm_device *ddev, struct dma_buf_attachment *attach, struct sg_table *sgt)
{
	return ERR_PTR(-EINVAL);
}

static struct {
	char order[8];	/* what goes with a file: c contexts, l lists, v the address space */
	u32 at;
	struct drm_file *drm;
	struct amdm_vm vm;
	int vms;
	bool no_partition;
} kms_seen;

static void note(char what)
{
	if (kms_seen.at < sizeof(kms_seen.order) - 1)
		kms_seen.order[kms_seen.at++] = what;
}

int amdm_xcp_may_open(struct amdm_device *adev, const struct drm_file *file)
{
	return kms_seen.no_partition ? -ENOENT : 0;
}

struct amdm_vm *amdm_vm_create(struct amdm_device *adev, struct drm_file *drm)
{
	void *memory = kmalloc(8, GFP_KERNEL);

	kfree(memory);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	kms_seen.vms++;
	kms_seen.drm = drm;
	return &kms_seen.vm;
}

void amdm_vm_close(struct amdm_vm *vm)
{
	kms_seen.vms -= vm == &kms_seen.vm;
	note('v');
}

void amdm_ctx_close_all(struct amdm_file *file)
{
	note('c');
}

void amdm_bo_list_close_all(struct amdm_file *file)
{
	note('l');
}

void amdm_show_fdinfo(struct seq_file *m, struct file *f)
{
}

void amdm_debugfs_init(struct drm_minor *minor)
{
}

#define FAKE_IOCTL(name)									\
	int amdm_##name##_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)	\
	{											\
		return 0;									\
	}
FAKE_IOCTL(bo_list)
FAKE_IOCTL(cs)
FAKE_IOCTL(ctx)
FAKE_IOCTL(fence_to_handle)
FAKE_IOCTL(gem_create)
FAKE_IOCTL(gem_metadata)
FAKE_IOCTL(gem_mmap)
FAKE_IOCTL(gem_op)
FAKE_IOCTL(gem_userptr)
FAKE_IOCTL(gem_va)
FAKE_IOCTL(gem_wait_idle)
FAKE_IOCTL(info)
FAKE_IOCTL(sched)
FAKE_IOCTL(vm)
FAKE_IOCTL(wait_cs)
FAKE_IOCTL(wait_fences)

static int kms_setup(struct kunit *test)
{
	memset(&kms_seen, 0, sizeof(kms_seen));
	test->priv = kunit_kzalloc(test, sizeof(struct amdm_device), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void a_file(struct kunit *test)
{
	struct amdm_device *adev = test->priv;
	struct drm_file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	struct amdm_file *priv;

	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_ASSERT_EQ(test, amdm_drm_driver.open(&adev->ddev, file), 0);
	priv = amdm_file_of(file);
	KUNIT_EXPECT_PTR_EQ(test, kms_seen.drm, file);
	KUNIT_EXPECT_PTR_EQ(test, amdm_file_vm(file), &kms_seen.vm);
	/* 0 is no context and no list */
	KUNIT_EXPECT_EQ(test, idr_alloc(&priv->ctxs, adev, 0, 0, GFP_KERNEL), 1);
	KUNIT_EXPECT_EQ(test, idr_alloc(&priv->bo_lists, adev, 0, 0, GFP_KERNEL), 1);
	idr_destroy(&priv->ctxs);
	idr_destroy(&priv->bo_lists);
	amdm_drm_driver.postclose(&adev->ddev, file);
	KUNIT_EXPECT_NULL(test, file->driver_priv);
	KUNIT_EXPECT_EQ(test, kms_seen.vms, 0);
	KUNIT_EXPECT_EQ(test, kms_seen.order[kms_seen.at - 1], 'v');	/* contexts have jobs in it */
	KUNIT_EXPECT_EQ(test, kms_seen.at, 3u);
}

/* By the render node of a partition that is not there */
static void no_file_of_no_partition(struct kunit *test)
{
	struct amdm_device *adev = test->priv;
	struct drm_file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, file);
	kms_seen.no_partition = true;
	KUNIT_EXPECT_EQ(test, amdm_drm_driver.open(&adev->ddev, file), -ENOENT);
	KUNIT_EXPECT_NULL(test, file->driver_priv);
	KUNIT_EXPECT_EQ(test, kms_seen.vms, 0);
}

static void a_file_without_memory(struct kunit *test)
{
	struct amdm_device *adev = test->priv;
	struct drm_file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	KUNIT_ASSERT_NOT_NULL(test, file);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = amdm_drm_driver.open(&adev->ddev, file);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		if (ret)
			KUNIT_EXPECT_NULL(test, file->driver_priv);
		else
			amdm_drm_driver.postclose(&adev->ddev, file);
		KUNIT_EXPECT_EQ(test, kms_seen.vms, 0);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);	/* the file's own, the address space */
}

/* A row for each number that <drm/amdgpu_drm.h> has; each at its number, of its size. */
static void ioctls(struct kunit *test)
{
	static const struct { u32 number; drm_ioctl_t *func; } rows[] = {
		{ DRM_AMDGPU_GEM_CREATE, amdm_gem_create_ioctl }, { DRM_AMDGPU_GEM_MMAP, amdm_gem_mmap_ioctl },
		{ DRM_AMDGPU_CTX, amdm_ctx_ioctl }, { DRM_AMDGPU_BO_LIST, amdm_bo_list_ioctl },
		{ DRM_AMDGPU_CS, amdm_cs_ioctl }, { DRM_AMDGPU_INFO, amdm_info_ioctl },
		{ DRM_AMDGPU_GEM_METADATA, amdm_gem_metadata_ioctl }, { DRM_AMDGPU_GEM_WAIT_IDLE, amdm_gem_wait_idle_ioctl },
		{ DRM_AMDGPU_GEM_VA, amdm_gem_va_ioctl }, { DRM_AMDGPU_WAIT_CS, amdm_wait_cs_ioctl },
		{ DRM_AMDGPU_GEM_OP, amdm_gem_op_ioctl }, { DRM_AMDGPU_GEM_USERPTR, amdm_gem_userptr_ioctl },
		{ DRM_AMDGPU_WAIT_FENCES, amdm_wait_fences_ioctl }, { DRM_AMDGPU_VM, amdm_vm_ioctl },
		{ DRM_AMDGPU_FENCE_TO_HANDLE, amdm_fence_to_handle_ioctl }, { DRM_AMDGPU_SCHED, amdm_sched_ioctl },
	};
	u32 i, others = amdm_drm_driver.num_ioctls;

	for (i = 0; i < amdm_drm_driver.num_ioctls; i++)
		others -= !amdm_ioctls[i].func;
	KUNIT_EXPECT_EQ(test, others, (u32)ARRAY_SIZE(rows));
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct drm_ioctl_desc *desc = &amdm_ioctls[rows[i].number];

		KUNIT_EXPECT_EQ(test, _IOC_NR(desc->cmd), DRM_COMMAND_BASE + rows[i].number);
		KUNIT_EXPECT_TRUE(test, desc->func == rows[i].func);
		/* Only a master may change what others have; everything else works on a render node. */
		KUNIT_EXPECT_EQ(test, desc->flags, rows[i].number == DRM_AMDGPU_SCHED ? DRM_MASTER : DRM_AUTH | DRM_RENDER_ALLOW);
	}
}

static void what_libdrm_sees(struct kunit *test)
{
	const u32 features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE;

	KUNIT_EXPECT_STREQ(test, (const char *)amdm_drm_driver.name, "amdgpu");
	KUNIT_EXPECT_EQ(test, amdm_drm_driver.major, 3);
	KUNIT_EXPECT_EQ(test, amdm_drm_driver.minor, 49);	/* KMS_DRIVER_MINOR of Linux 6.1 */
	KUNIT_EXPECT_EQ(test, amdm_drm_driver.driver_features, features);	/* no display */
	KUNIT_EXPECT_PTR_EQ(test, amdm_drm_driver.fops->owner, THIS_MODULE);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_file),
	KUNIT_CASE(no_file_of_no_partition),
	KUNIT_CASE(a_file_without_memory),
	KUNIT_CASE(ioctls),
	KUNIT_CASE(what_libdrm_sees),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_kms", .init = kms_setup, .test_cases = cases };
kunit_test_suite(suite);
