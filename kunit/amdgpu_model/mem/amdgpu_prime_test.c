// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_prime_test.c - dma-bufs: whose they are, what becomes of another GPU's and of another driver's pages, and who holds the
 * references. Linux: amdgpu_dma_buf.c, drm_prime.c.
 */
#include <kunit/test.h>
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/scatterlist.h>

#include "kunit/fail_nth.h"

#define drm_gem_prime_import	prime_fake_import
#define get_dma_buf		prime_fake_get
struct drm_gem_object *prime_fake_import(struct drm_device *ddev, struct dma_buf *dmabuf);
void prime_fake_get(struct dma_buf *dmabuf);
#include "amdgpu_model/mem/amdgpu_prime.c"

#define PAGES		4
#define NO_SUCH_PFN	(1UL << 30)	/* 4 TiB */

struct prime_bed {
	struct amdm_device adev, other;
	struct amdm_bo bo, imported;
	struct drm_gem_object_funcs funcs;
	struct dma_buf dmabuf, exported;
	struct dma_buf_attachment attach;
	struct sg_table sgt;
	struct page *page[PAGES];
};

static struct {
	struct prime_bed *bed;
	int create_answer, export_answer;
	u32 gets, foreign;
	struct amdm_device *to;
	struct amdm_bo *origin;
	struct page **pages;
	u64 size;
	int export_flags;
} prime_seen;

struct drm_gem_object *prime_fake_import(struct drm_device *ddev, struct dma_buf *dmabuf)
{
	prime_seen.foreign++;
	return ERR_PTR(-ENOTTY);
}

void prime_fake_get(struct dma_buf *dmabuf)
{
	prime_seen.gets++;
}

struct amdm_bo *amdm_bo_create_import(struct amdm_device *adev, struct amdm_bo *origin, struct page **pages, u64 size)
{
	prime_seen.to = adev;
	prime_seen.origin = origin;
	prime_seen.size = size;
	if (prime_seen.create_answer) {
		kvfree(pages);
		return ERR_PTR(prime_seen.create_answer);
	}
	prime_seen.pages = pages;
	return &prime_seen.bed->imported;
}

static struct dma_buf *prime_fake_export(struct drm_gem_object *obj, int flags)
{
	prime_seen.export_flags = flags;
	return prime_seen.export_answer ? ERR_PTR(prime_seen.export_answer) : &prime_seen.bed->exported;
}

static int prime_setup(struct kunit *test)
{
	struct prime_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&prime_seen, 0, sizeof(prime_seen));
	prime_seen.bed = bed;
	mutex_init(&bed->adev.ddev.object_name_lock);
	bed->funcs.export = prime_fake_export;
	bed->bo.base.dev = &bed->adev.ddev;
	bed->bo.base.funcs = &bed->funcs;
	bed->bo.base.size = 3 * PAGE_SIZE;
	kref_init(&bed->bo.base.refcount);
	bed->dmabuf.owner = THIS_MODULE;
	bed->dmabuf.priv = &bed->bo.base;
	bed->dmabuf.size = 3 * PAGE_SIZE;
	bed->attach.dmabuf = &bed->dmabuf;
	for (i = 0; i < PAGES; i++) {
		bed->page[i] = alloc_page(GFP_KERNEL);
		if (!bed->page[i])
			return -ENOMEM;
	}
	return sg_alloc_table(&bed->sgt, PAGES, GFP_KERNEL);
}

static void prime_teardown(struct kunit *test)
{
	struct prime_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.ddev.object_name_lock));
	kvfree(prime_seen.pages);
	sg_free_table(&bed->sgt);
	for (i = 0; i < PAGES && bed->page[i]; i++) {
		KUNIT_EXPECT_EQ(test, page_count(bed->page[i]), 1);	/* the exporter's alone */
		__free_page(bed->page[i]);
	}
}

static void make_foreign(struct prime_bed *bed)
{
	bed->dmabuf.owner = NULL;
	bed->dmabuf.priv = (void *)8;	/* nothing to look at */
}

static void its_own_buffer(struct kunit *test)
{
	struct prime_bed *bed = test->priv;

	KUNIT_EXPECT_TRUE(test, amdm_prime_is_of(&bed->dmabuf, &bed->adev));
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_import(&bed->adev.ddev, &bed->dmabuf), &bed->bo.base);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo.base.refcount), 2u);
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 0u);
}

static void another_gpus(struct kunit *test)
{
	struct prime_bed *bed = test->priv;

	KUNIT_EXPECT_FALSE(test, amdm_prime_is_of(&bed->dmabuf, &bed->other));
	prime_seen.create_answer = -EINVAL;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_import(&bed->other.ddev, &bed->dmabuf), (struct drm_gem_object *)ERR_PTR(-EINVAL));
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 0u);
	prime_seen.create_answer = 0;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_import(&bed->other.ddev, &bed->dmabuf), &bed->imported.base);
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.to, &bed->other);
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.origin, &bed->bo);
	KUNIT_EXPECT_NULL(test, prime_seen.pages);
	KUNIT_EXPECT_EQ(test, prime_seen.size, (u64)(3 * PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 1u);	/* gives back amdm_bo.imported */
	KUNIT_EXPECT_PTR_EQ(test, bed->imported.imported, &bed->dmabuf);
}

static void another_drivers(struct kunit *test)
{
	struct prime_bed *bed = test->priv;

	make_foreign(bed);
	KUNIT_EXPECT_FALSE(test, amdm_prime_is_of(&bed->dmabuf, &bed->adev));
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_import(&bed->adev.ddev, &bed->dmabuf), (struct drm_gem_object *)ERR_PTR(-ENOTTY));
	KUNIT_EXPECT_EQ(test, prime_seen.foreign, 1u);
}

/* Not in the order of the pages' addresses. */
static void give_pages(struct prime_bed *bed)
{
	struct scatterlist *sg = bed->sgt.sgl;

	sg_set_page(sg, bed->page[2], PAGE_SIZE, 0);
	sg = sg_next(sg);
	sg_set_page(sg, bed->page[0], PAGE_SIZE, 0);
	sg = sg_next(sg);
	sg_set_page(sg, bed->page[3], PAGE_SIZE, 0);
	sg = sg_next(sg);
	sg_set_page(sg, bed->page[1], PAGE_SIZE, 0);
}

static struct drm_gem_object *import_pages(struct prime_bed *bed)
{
	return amdm_prime_import_sg_table(&bed->adev.ddev, &bed->attach, &bed->sgt);
}

static bool hidden_pages(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_DMABUF_DEBUG))
		return false;
	KUNIT_EXPECT_PTR_EQ(test, import_pages(test->priv), (struct drm_gem_object *)ERR_PTR(-EINVAL));
	return true;
}

static void pages_of_another_driver(struct kunit *test)
{
	struct prime_bed *bed = test->priv;

	make_foreign(bed);
	give_pages(bed);
	if (hidden_pages(test))
		return;
	KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), &bed->imported.base);
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.to, &bed->adev);
	KUNIT_EXPECT_NULL(test, prime_seen.origin);
	KUNIT_EXPECT_EQ(test, prime_seen.size, (u64)(3 * PAGE_SIZE));	/* the buffer's, not the table's */
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.pages[0], bed->page[2]);
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.pages[1], bed->page[0]);
	KUNIT_EXPECT_PTR_EQ(test, prime_seen.pages[2], bed->page[3]);
	KUNIT_EXPECT_PTR_EQ(test, bed->imported.sgt, &bed->sgt);
	KUNIT_EXPECT_PTR_EQ(test, bed->imported.imported, &bed->dmabuf);
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 0u);	/* the attachment has the reference */
}

static void pages_that_cannot_be_had(struct kunit *test)
{
	struct prime_bed *bed = test->priv;

	give_pages(bed);
	if (hidden_pages(test))
		return;
	bed->dmabuf.size = PAGE_SIZE - 1;
	KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), (struct drm_gem_object *)ERR_PTR(-EINVAL));
	bed->dmabuf.size = (PAGES + 1) * PAGE_SIZE;	/* more than the exporter gives */
	KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), (struct drm_gem_object *)ERR_PTR(-EINVAL));
	bed->dmabuf.size = PAGES * PAGE_SIZE;
	/* A BAR; where each section of memory has its pages in a place of its own, there is no such page to make. */
	if (!IS_ENABLED(CONFIG_SPARSEMEM) || IS_ENABLED(CONFIG_SPARSEMEM_VMEMMAP)) {
		sg_set_page(bed->sgt.sgl, pfn_to_page(NO_SUCH_PFN), bed->sgt.sgl->length, 0);
		KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), (struct drm_gem_object *)ERR_PTR(-EINVAL));
	}
	KUNIT_EXPECT_NULL(test, prime_seen.to);
	give_pages(bed);
	prime_seen.create_answer = -ENOSPC;
	KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), (struct drm_gem_object *)ERR_PTR(-ENOSPC));
	KUNIT_EXPECT_NULL(test, bed->imported.imported);
	FAIL_NTH_NEEDED(test);
	prime_seen.create_answer = 0;
	fail_nth_arm(1);
	KUNIT_EXPECT_PTR_EQ(test, import_pages(bed), (struct drm_gem_object *)ERR_PTR(-ENOMEM));
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
}

/* One dma-buf a buffer, as long as handles share it (drm_gem_object_exported_dma_buf_free). */
static void one_dma_buf_at_a_time(struct kunit *test)
{
	struct prime_bed *bed = test->priv;
	struct drm_gem_object *obj = &bed->bo.base;

	prime_seen.export_answer = -EPERM;
	obj->handle_count = 1;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_export(&bed->bo, O_RDWR), (struct dma_buf *)ERR_PTR(-EPERM));
	KUNIT_EXPECT_NULL(test, obj->dma_buf);
	prime_seen.export_answer = 0;
	obj->handle_count = 0;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_export(&bed->bo, O_RDWR), &bed->exported);
	KUNIT_EXPECT_EQ(test, prime_seen.export_flags, O_RDWR);
	KUNIT_EXPECT_NULL(test, obj->dma_buf);
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 0u);
	obj->handle_count = 1;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_export(&bed->bo, 0), &bed->exported);
	KUNIT_EXPECT_PTR_EQ(test, obj->dma_buf, &bed->exported);
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 1u);	/* the handles' */
	prime_seen.export_flags = -1;
	KUNIT_EXPECT_PTR_EQ(test, amdm_prime_export(&bed->bo, 0), &bed->exported);
	KUNIT_EXPECT_EQ(test, prime_seen.export_flags, -1);
	KUNIT_EXPECT_EQ(test, prime_seen.gets, 2u);	/* the caller's */
}

static struct kunit_case cases[] = {
	KUNIT_CASE(its_own_buffer),
	KUNIT_CASE(another_gpus),
	KUNIT_CASE(another_drivers),
	KUNIT_CASE(pages_of_another_driver),
	KUNIT_CASE(pages_that_cannot_be_had),
	KUNIT_CASE(one_dma_buf_at_a_time),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_prime", .init = prime_setup, .exit = prime_teardown, .test_cases = cases };
kunit_test_suite(suite);
