// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_bo_list_test.c - lists of buffers as user space names them: each held once, never changed, and let go of.
 */
#include <kunit/test.h>

#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include <drm/drm_gem.h>

#define HANDLES	4

static struct drm_gem_object list_objects[HANDLES];

/* Handles 1.. are the objects above; a lookup takes a reference. */
static struct drm_gem_object *list_fake_lookup(struct drm_file *file, u32 handle)
{
	if (!handle || handle > HANDLES)
		return NULL;
	refcount_inc(&list_objects[handle - 1].refcount.refcount);
	return &list_objects[handle - 1];
}

static void list_fake_put(struct drm_gem_object *obj)
{
	refcount_dec(&obj->refcount.refcount);
}

#define drm_gem_object_lookup	list_fake_lookup
#define drm_gem_object_put	list_fake_put
#define amdm_bo_list_create	tested_bo_list_create
#define amdm_bo_list_get	tested_bo_list_get
#define amdm_bo_list_put	tested_bo_list_put
#define amdm_bo_list_close_all	tested_bo_list_close_all
#define amdm_bo_list_ioctl	tested_bo_list_ioctl
#include "amdgpu_model/cs/amdgpu_bo_list.c"

struct list_bed {
	struct amdm_file priv;
	struct drm_file file;
	struct drm_amdgpu_bo_list_entry entries[8];
};

static int list_setup(struct kunit *test)
{
	struct list_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	mutex_init(&bed->priv.lock);
	idr_init_base(&bed->priv.bo_lists, 1);
	bed->file.driver_priv = &bed->priv;
	for (i = 0; i < HANDLES; i++)
		kref_init(&list_objects[i].refcount);
	return 0;
}

/* With the file everything goes that its lists hold. */
static void list_teardown(struct kunit *test)
{
	struct list_bed *bed = test->priv;
	u32 i;

	amdm_bo_list_close_all(&bed->priv);
	for (i = 0; i < HANDLES; i++)
		KUNIT_EXPECT_EQ(test, kref_read(&list_objects[i].refcount), 1u);
}

static unsigned long entries_at;	/* 0: in the page of user memory */

/* An ioctl on @number entries of @entry_bytes. */
static int call(struct kunit *test, union drm_amdgpu_bo_list *args, u32 operation, u32 handle, u32 number, u32 entry_bytes)
{
	struct list_bed *bed = test->priv;
	int ret;

	*args = (union drm_amdgpu_bo_list){ .in = { .operation = operation, .list_handle = handle, .bo_number = number,
						     .bo_info_size = entry_bytes, .bo_info_ptr = entries_at ?: user_page } };
	kthread_use_mm(user_mm);
	ret = amdm_bo_list_ioctl(NULL, args, &bed->file);
	kthread_unuse_mm(user_mm);
	return ret;
}

static void name_buffers(struct kunit *test, u32 number, const u32 *handles)
{
	struct list_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < number; i++)
		bed->entries[i] = (struct drm_amdgpu_bo_list_entry){ .bo_handle = handles[i] };
	KUNIT_ASSERT_TRUE(test, user_write(bed->entries, sizeof(bed->entries)));
}

#define ENTRY sizeof(struct drm_amdgpu_bo_list_entry)

static void a_buffer_named_twice_is_in_it_once(struct kunit *test)
{
	static const u32 handles[] = { 2, 1, 2, 3, 1 };
	struct list_bed *bed = test->priv;
	union drm_amdgpu_bo_list args;
	struct amdm_bo_list *list;

	name_buffers(test, ARRAY_SIZE(handles), handles);
	KUNIT_ASSERT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 5, ENTRY), 0);
	KUNIT_EXPECT_EQ(test, args.out.list_handle, 1u);
	list = amdm_bo_list_get(&bed->priv, 1);
	KUNIT_ASSERT_NOT_NULL(test, list);
	KUNIT_EXPECT_EQ(test, list->count, 3u);
	KUNIT_EXPECT_TRUE(test, list->objs[0] < list->objs[1] && list->objs[1] < list->objs[2]);
	KUNIT_EXPECT_EQ(test, kref_read(&list_objects[1].refcount), 2u);	/* the handle's and the list's */
	amdm_bo_list_put(list);
}

/* Who has a list goes on with it whatever becomes of its handle. */
static void a_list_never_changes(struct kunit *test)
{
	static const u32 first[] = { 1, 2 }, second[] = { 3 };
	struct list_bed *bed = test->priv;
	union drm_amdgpu_bo_list args;
	struct amdm_bo_list *before, *after;

	name_buffers(test, 2, first);
	KUNIT_ASSERT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 2, ENTRY), 0);
	before = amdm_bo_list_get(&bed->priv, 1);
	name_buffers(test, 1, second);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_UPDATE, 1, 1, ENTRY), 0);
	KUNIT_EXPECT_EQ(test, args.out.list_handle, 1u);
	after = amdm_bo_list_get(&bed->priv, 1);
	KUNIT_ASSERT_TRUE(test, before && after && before != after);
	KUNIT_EXPECT_EQ(test, before->count, 2u);
	KUNIT_EXPECT_PTR_EQ(test, after->objs[0], &list_objects[2]);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_DESTROY, 1, 0, ENTRY), 0);
	KUNIT_EXPECT_EQ(test, args.out.list_handle, 0u);
	KUNIT_EXPECT_NULL(test, amdm_bo_list_get(&bed->priv, 1));
	KUNIT_EXPECT_EQ(test, kref_read(&list_objects[0].refcount), 2u);
	amdm_bo_list_put(before);
	amdm_bo_list_put(after);
}

static void what_is_refused(struct kunit *test)
{
	static const u32 unknown[] = { 1, 9 }, known[] = { 1 };
	union drm_amdgpu_bo_list args;

	name_buffers(test, 2, unknown);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 2, ENTRY), -ENOENT);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, BO_LIST_MAX + 1, ENTRY), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 1, 2 * PAGE_SIZE), 0);	/* only what is known is read */
	entries_at = 8;
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 1, ENTRY), -EFAULT);
	entries_at = 0;
	name_buffers(test, 1, known);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_UPDATE, 77, 1, ENTRY), -ENOENT);
	KUNIT_EXPECT_EQ(test, call(test, &args, 3, 0, 1, ENTRY), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_DESTROY, 77, 0, ENTRY), 0);	/* as in Linux */
}

/* Older user space knows less of an entry than the driver, newer more. */
static void entries_of_another_size(struct kunit *test)
{
	struct list_bed *bed = test->priv;
	const u32 handles[] = { 2, 3 };
	union drm_amdgpu_bo_list args;
	struct amdm_bo_list *list;

	KUNIT_ASSERT_TRUE(test, user_write(handles, sizeof(handles)));
	KUNIT_ASSERT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 2, sizeof(u32)), 0);
	list = amdm_bo_list_get(&bed->priv, args.out.list_handle);
	KUNIT_ASSERT_NOT_NULL(test, list);
	KUNIT_EXPECT_EQ(test, list->count, 2u);
	KUNIT_EXPECT_PTR_EQ(test, list->objs[1], &list_objects[2]);
	amdm_bo_list_put(list);
}

static void an_empty_list(struct kunit *test)
{
	struct list_bed *bed = test->priv;
	union drm_amdgpu_bo_list args;
	struct amdm_bo_list *list;

	KUNIT_ASSERT_EQ(test, call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 0, ENTRY), 0);
	list = amdm_bo_list_get(&bed->priv, args.out.list_handle);
	KUNIT_ASSERT_NOT_NULL(test, list);
	KUNIT_EXPECT_EQ(test, list->count, 0u);
	amdm_bo_list_put(list);
	amdm_bo_list_put(NULL);
}

/* Whatever allocation fails: an error, and no buffer stays held. */
static void without_memory(struct kunit *test)
{
	static const u32 handles[] = { 1, 2, 3 };
	union drm_amdgpu_bo_list args;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	name_buffers(test, 3, handles);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = call(test, &args, AMDGPU_BO_LIST_OP_CREATE, 0, 3, ENTRY);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_buffer_named_twice_is_in_it_once),
	KUNIT_CASE(a_list_never_changes),
	KUNIT_CASE(what_is_refused),
	KUNIT_CASE(entries_of_another_size),
	KUNIT_CASE(an_empty_list),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_bo_list",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = list_setup,
	.exit = list_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
