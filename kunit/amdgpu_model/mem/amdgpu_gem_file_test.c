// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gem_file_test.c - whose handle a buffer may have, and its mappings when the last handle of a file goes.
 */
#include <kunit/test.h>

#include "amdgpu_model/mem/amdgpu_gem_file.c"

struct file_bed {
	struct drm_file file;
	struct amdm_file priv;
	struct amdm_vm vm;
	struct amdm_bo bo;
};

static struct {
	u32 left_mappings, flushes;
	u64 va;
} file_seen;

int amdm_vm_unmap_gem(struct amdm_vm *vm, struct amdm_bo *bo, u64 va)
{
	file_seen.va |= va;
	return file_seen.left_mappings ? file_seen.left_mappings--, 0 : -ENOENT;
}

void amdm_vm_flush_queues(struct amdm_vm *vm)
{
	file_seen.flushes++;
}

static int file_setup(struct kunit *test)
{
	struct file_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&file_seen, 0, sizeof(file_seen));
	bed->priv.vm = &bed->vm;
	bed->file.driver_priv = &bed->priv;
	return 0;
}

/* amdgpu_gem_object_open: a name from the primary node does not make it another's. */
static void handles_of_other_files(struct kunit *test)
{
	struct file_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_gem_open(&bed->bo.base, &bed->file), 0);
	bed->bo.vm = &bed->vm;
	KUNIT_EXPECT_EQ(test, amdm_gem_open(&bed->bo.base, &bed->file), 0);
	bed->bo.vm = (struct amdm_vm *)bed;
	KUNIT_EXPECT_EQ(test, amdm_gem_open(&bed->bo.base, &bed->file), -EPERM);
}

static void the_last_handle(struct kunit *test)
{
	struct file_bed *bed = test->priv;

	amdm_gem_close_mappings(&bed->bo.base, &bed->file);
	KUNIT_EXPECT_EQ(test, file_seen.flushes, 0u);
	file_seen.left_mappings = 3;
	amdm_gem_close_mappings(&bed->bo.base, &bed->file);
	KUNIT_EXPECT_EQ(test, file_seen.flushes, 1u);
	KUNIT_EXPECT_EQ(test, file_seen.left_mappings, 0u);
	KUNIT_EXPECT_EQ(test, file_seen.va, 0ULL);	/* any */
}

static struct kunit_case cases[] = {
	KUNIT_CASE(handles_of_other_files),
	KUNIT_CASE(the_last_handle),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gem_file", .init = file_setup, .test_cases = cases };
kunit_test_suite(suite);
