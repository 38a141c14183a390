// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_debugfs_test.c - what the files tell of buffers and of VRAM. Formats: amdgpu_object.c, amdgpu_vm.c of Linux 6.1.
 */
#include <kunit/test.h>
#include <linux/seq_file.h>

#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include "amdgpu_model/drm/amdgpu_debugfs.c"

static enum amdm_kind evicted;

int amdm_evict_all(struct amdm_device *adev, enum amdm_kind kind)
{
	evicted = kind;
	return -ERESTARTSYS;
}

bool amdm_move_is_usable(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_CPU;
}

bool amdm_move_is_wanted(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_VRAM;
}

u64 amdm_gtt_size(void)
{
	return 64 << 20;
}

void amdm_debugfs_rings(struct amdm_device *adev, struct dentry *root)
{
}

#define VRAM_BYTES	(4 * PAGE_SIZE)
#define BUFFERS		4

struct files_bed {
	struct amdm_device adev;
	struct amdm_file priv;
	struct drm_file file;
	struct amdm_vm vm;
	struct amdm_bo bo[BUFFERS];
	struct amdm_mapping mapping[BUFFERS + 1];
	struct inode inode;
	struct file vram;
	struct seq_file m;
	char text[4096];
};

static int files_setup(struct kunit *test)
{
	struct files_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	xa_init(&bed->adev.vram.pages);
	bed->adev.vram.size = VRAM_BYTES;
	bed->inode.i_private = &bed->adev;
	bed->vram.f_inode = &bed->inode;
	bed->m = (struct seq_file){ .buf = bed->text, .size = sizeof(bed->text) - 1, .private = &bed->adev };
	mutex_init(&bed->adev.ddev.filelist_mutex);
	INIT_LIST_HEAD(&bed->adev.ddev.filelist);
	init_rwsem(&bed->adev.placement.sem);
	mutex_init(&bed->vm.lock);
	bed->vm.adev = &bed->adev;
	bed->vm.va = RB_ROOT_CACHED;
	bed->priv.vm = &bed->vm;
	bed->file.driver_priv = &bed->priv;
	bed->file.pid = task_pid(current);
	spin_lock_init(&bed->file.table_lock);
	idr_init_base(&bed->file.object_idr, 1);
	list_add(&bed->file.lhead, &bed->adev.ddev.filelist);
	for (i = 0; i < BUFFERS; i++) {
		bed->bo[i].base.size = (i + 1) * PAGE_SIZE;
		mutex_init(&bed->bo[i].lock);
		INIT_LIST_HEAD(&bed->bo[i].mappings);
	}
	return 0;
}

static void files_teardown(struct kunit *test)
{
	struct files_bed *bed = test->priv;
	struct page *page;
	unsigned long i;

	idr_destroy(&bed->file.object_idr);
	xa_for_each(&bed->adev.vram.pages, i, page) {
		KUNIT_EXPECT_EQ(test, page_count(page), 1);
		__free_page(page);
	}
	xa_destroy(&bed->adev.vram.pages);
}

static void expect_text(struct kunit *test, const char *text)
{
	struct files_bed *bed = test->priv;

	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(bed->text, text), "\"%s\" in:\n%s", text, bed->text);
}

static void map(struct files_bed *bed, u32 at, struct amdm_bo *bo)
{
	struct amdm_mapping *mapping = &bed->mapping[at];

	*mapping = (struct amdm_mapping){ .node = { .start = at, .last = at }, .vm = &bed->vm, .bo = bo };
	interval_tree_insert(&mapping->node, &bed->vm.va);
	list_add_tail(&mapping->of_bo, &bo->mappings);
}

static void buffers_of_a_client(struct kunit *test)
{
	static const enum amdm_kind kinds[BUFFERS] = { AMDM_VRAM, AMDM_PEER, AMDM_CPU, AMDM_DOORBELL };
	struct files_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < BUFFERS; i++) {
		bed->bo[i].kind = kinds[i];
		KUNIT_ASSERT_GT(test, idr_alloc(&bed->file.object_idr, &bed->bo[i].base, i + 1, i + 2, GFP_KERNEL), 0);
	}
	atomic_set(&bed->bo[0].pins, 2);
	bed->bo[0].kmap_count = 5;	/* counts once */
	bed->bo[0].gem_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_VM_ALWAYS_VALID;
	KUNIT_EXPECT_EQ(test, gem_info_show(&bed->m, NULL), 0);
	expect_text(test, "command kunit_try_catch:\n");
	expect_text(test, "\t\t0x00000001:         4096 byte VRAM pin count 3 CPU_ACCESS_REQUIRED VM_ALWAYS_VALID\n");
	expect_text(test, "\t\t0x00000002:         8192 byte  GTT\n");
	expect_text(test, "\t\t0x00000003:        12288 byte  CPU\n");
	expect_text(test, "\t\t0x00000004:        16384 byte  CPU\n");
}

/* Always-valid: idle or evicted; others: done or invalidated. Mapped twice is there once. */
static void buffers_of_an_address_space(struct kunit *test)
{
	struct files_bed *bed = test->priv;

	bed->bo[0].vm = &bed->vm;
	bed->bo[0].kind = AMDM_VRAM;
	bed->bo[1].vm = &bed->vm;
	bed->bo[1].kind = AMDM_GTT;
	bed->bo[2].kind = AMDM_GTT;
	bed->bo[3].kind = AMDM_CPU;
	map(bed, 0, &bed->bo[0]);
	map(bed, 1, &bed->bo[1]);
	map(bed, 2, &bed->bo[2]);
	map(bed, 3, &bed->bo[3]);
	map(bed, 4, &bed->bo[2]);
	KUNIT_EXPECT_EQ(test, vm_info_show(&bed->m, NULL), 0);
	expect_text(test, "\tIdle BOs:\n\t\t0x00000000:         4096 byte VRAM\n\tEvicted BOs:\n\t\t0x00000000:         8192 byte  GTT\n");
	expect_text(test, "\tRelocated BOs:\n\tMoved BOs:\n\tInvalidated BOs:\n\t\t0x00000000:        16384 byte  CPU\n");
	expect_text(test, "\tTotal idle size:                4096\tobjs:\t1\n");
	expect_text(test, "\tTotal evicted size:             8192\tobjs:\t1\n");
	expect_text(test, "\tTotal moved size:                  0\tobjs:\t0\n");
	expect_text(test, "\tTotal invalidated size:        16384\tobjs:\t1\n");
	expect_text(test, "\tTotal done size:               12288\tobjs:\t1\n");
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->vm.lock) || rwsem_is_locked(&bed->adev.placement.sem));
}

static void a_place_is_emptied(struct kunit *test)
{
	struct files_bed *bed = test->priv;
	u64 value = 0;

	KUNIT_EXPECT_EQ(test, evict_gtt_get(&bed->adev, &value), 0);
	KUNIT_EXPECT_EQ(test, evicted, AMDM_GTT);
	KUNIT_EXPECT_EQ(test, (s64)value, (s64)-ERESTARTSYS);	/* as amdgpu's: the result is the text */
	KUNIT_EXPECT_EQ(test, evict_vram_get(&bed->adev, &value), 0);
	KUNIT_EXPECT_EQ(test, evicted, AMDM_VRAM);
}

static ssize_t look(struct kunit *test, loff_t *pos, size_t size, unsigned long to)
{
	struct files_bed *bed = test->priv;
	ssize_t ret;

	kthread_use_mm(user_mm);
	ret = vram_read(&bed->vram, (char __user *)to, size, pos);
	kthread_unuse_mm(user_mm);
	return ret;
}

static u32 *vram_page(struct kunit *test, u32 page)
{
	struct files_bed *bed = test->priv;
	struct page *made = alloc_page(GFP_KERNEL | __GFP_ZERO);

	KUNIT_ASSERT_NOT_NULL(test, made);
	KUNIT_ASSERT_NULL(test, xa_err(xa_store(&bed->adev.vram.pages, page, made, GFP_KERNEL)) ? made : NULL);
	return page_address(made);
}

static void bytes_of_vram(struct kunit *test)
{
	const u32 before[4] = { 9, 9, 9, 9 };
	struct files_bed *bed = test->priv;
	u32 got[4], *words = vram_page(test, 1);
	loff_t pos = PAGE_SIZE - 8;

	words[0] = 0x11;
	words[1] = 0x22;
	KUNIT_ASSERT_TRUE(test, user_write(before, sizeof(before)));
	KUNIT_EXPECT_EQ(test, look(test, &pos, 16, user_page), (ssize_t)16);	/* over the end of a page */
	KUNIT_EXPECT_EQ(test, pos, (loff_t)PAGE_SIZE + 8);
	KUNIT_ASSERT_TRUE(test, user_read(got, sizeof(got)));
	KUNIT_EXPECT_EQ(test, got[0] | got[1], 0u);	/* this VRAM has never been written */
	KUNIT_EXPECT_EQ(test, got[2] << 8 | got[3], 0x1122u);
	KUNIT_EXPECT_NULL(test, xa_load(&bed->adev.vram.pages, 0));	/* nor is it made for that */
	pos = VRAM_BYTES - 4;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 16, user_page), (ssize_t)4);
}

static void hostile_reads(struct kunit *test)
{
	loff_t pos = 2;

	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, user_page), (ssize_t)-EINVAL);
	pos = 0;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 3, user_page), (ssize_t)-EINVAL);
	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, 8), (ssize_t)-EFAULT);
	KUNIT_EXPECT_EQ(test, look(test, &pos, 0, 8), (ssize_t)0);
	pos = VRAM_BYTES;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, user_page), (ssize_t)-ENXIO);
	KUNIT_EXPECT_EQ(test, look(test, &pos, ~3ul, user_page), (ssize_t)-ENXIO);
	pos = 0;
	KUNIT_EXPECT_EQ(test, look(test, &pos, ~3ul, 8), (ssize_t)-EFAULT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(buffers_of_a_client),
	KUNIT_CASE(buffers_of_an_address_space),
	KUNIT_CASE(a_place_is_emptied),
	KUNIT_CASE(bytes_of_vram),
	KUNIT_CASE(hostile_reads),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_debugfs",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = files_setup,
	.exit = files_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
