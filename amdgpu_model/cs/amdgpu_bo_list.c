// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_bo_list.c - BO_LIST: the buffers that a job uses
 *
 * A list never changes: an update makes another one, so that a submission that is under way keeps what it has looked at. A buffer
 * that is named twice is in it once.
 */
#include <drm/drm_gem.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>

#include "amdgpu_bo_list.h"
#include "amdgpu_model/base/amdgpu_file.h"

#define BO_LIST_MAX	(128u * 1024)	/* AMDGPU_BO_LIST_MAX_ENTRIES */

static int compare_objs(const void *a, const void *b)
{
	const struct drm_gem_object *const *x = a, *const *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void bo_list_unique(struct amdm_bo_list *list)
{
	u32 i, n = 0;

	sort(list->objs, list->count, sizeof(list->objs[0]), compare_objs, NULL);
	for (i = 0; i < list->count; i++) {
		if (n && list->objs[n - 1] == list->objs[i])
			drm_gem_object_put(list->objs[i]);
		else
			list->objs[n++] = list->objs[i];
	}
	list->count = n;
}

static int bo_list_fill(struct drm_file *file, const struct drm_amdgpu_bo_list_in *in, struct amdm_bo_list *list)
{
	u32 bytes = min_t(u32, in->bo_info_size, sizeof(struct drm_amdgpu_bo_list_entry)), i;
	const char __user *at = u64_to_user_ptr(in->bo_info_ptr);

	for (i = 0; i < in->bo_number; i++, at += in->bo_info_size) {
		struct drm_amdgpu_bo_list_entry entry = {};

		if (copy_from_user(&entry, at, bytes))
			return -EFAULT;
		list->objs[i] = drm_gem_object_lookup(file, entry.bo_handle);
		if (!list->objs[i])
			return -ENOENT;
		list->count++;
	}
	return 0;
}

/**
 * amdm_bo_list_create() - a list of what user space names
 * @file: whose handles they are
 * @in:   array of struct drm_amdgpu_bo_list_entry
 * Return: ERR_PTR: -EINVAL: too long, -EFAULT, -ENOENT: no such handle, -ENOMEM.
 */
struct amdm_bo_list *amdm_bo_list_create(struct drm_file *file, const struct drm_amdgpu_bo_list_in *in)
{
	struct amdm_bo_list *list;
	int ret;

	if (in->bo_number > BO_LIST_MAX)
		return ERR_PTR(-EINVAL);
	list = kvzalloc(struct_size(list, objs, in->bo_number), GFP_KERNEL_ACCOUNT);
	if (!list)
		return ERR_PTR(-ENOMEM);
	kref_init(&list->ref);
	ret = bo_list_fill(file, in, list);
	if (ret) {
		amdm_bo_list_put(list);
		return ERR_PTR(ret);
	}
	bo_list_unique(list);
	return list;
}

static void bo_list_release(struct kref *ref)
{
	struct amdm_bo_list *list = container_of(ref, struct amdm_bo_list, ref);
	u32 i;

	for (i = 0; i < list->count; i++)
		drm_gem_object_put(list->objs[i]);
	kvfree(list);
}

/** amdm_bo_list_put() - drop a reference; NULL is fine */
void amdm_bo_list_put(struct amdm_bo_list *list)
{
	if (list)
		kref_put(&list->ref, bo_list_release);
}

/** amdm_bo_list_get() - the list of a handle with a reference, NULL if there is none */
struct amdm_bo_list *amdm_bo_list_get(struct amdm_file *file, u32 handle)
{
	struct amdm_bo_list *list;

	mutex_lock(&file->lock);
	list = idr_find(&file->bo_lists, handle);
	if (list)
		kref_get(&list->ref);
	mutex_unlock(&file->lock);
	return list;
}

/** amdm_bo_list_close_all() - a file is closed */
void amdm_bo_list_close_all(struct amdm_file *file)
{
	struct amdm_bo_list *list;
	int id;

	idr_for_each_entry(&file->bo_lists, list, id)
		amdm_bo_list_put(list);
	idr_destroy(&file->bo_lists);
}

static int bo_list_add(struct amdm_file *priv, struct amdm_bo_list *list, u32 *handle)
{
	int ret;

	mutex_lock(&priv->lock);
	ret = idr_alloc(&priv->bo_lists, list, 1, 0, GFP_KERNEL_ACCOUNT);
	mutex_unlock(&priv->lock);
	if (ret < 0)
		return ret;
	*handle = ret;
	return 0;
}

static int bo_list_replace(struct amdm_file *priv, struct amdm_bo_list *list, u32 handle)
{
	struct amdm_bo_list *old;

	mutex_lock(&priv->lock);
	old = idr_replace(&priv->bo_lists, list, handle);
	mutex_unlock(&priv->lock);
	if (IS_ERR(old))
		return PTR_ERR(old);
	amdm_bo_list_put(old);
	return 0;
}

static void bo_list_remove(struct amdm_file *priv, u32 handle)
{
	struct amdm_bo_list *list;

	mutex_lock(&priv->lock);
	list = idr_remove(&priv->bo_lists, handle);
	mutex_unlock(&priv->lock);
	amdm_bo_list_put(list);
}

/** amdm_bo_list_ioctl() - DRM_IOCTL_AMDGPU_BO_LIST */
int amdm_bo_list_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct amdm_file *priv = amdm_file_of(file);
	union drm_amdgpu_bo_list *args = data;
	u32 handle = args->in.list_handle;
	struct amdm_bo_list *list;
	int ret;

	if (args->in.operation == AMDGPU_BO_LIST_OP_DESTROY) {
		bo_list_remove(priv, handle);
		handle = 0;
	} else if (args->in.operation == AMDGPU_BO_LIST_OP_CREATE || args->in.operation == AMDGPU_BO_LIST_OP_UPDATE) {
		list = amdm_bo_list_create(file, &args->in);
		if (IS_ERR(list))
			return PTR_ERR(list);
		ret = args->in.operation == AMDGPU_BO_LIST_OP_CREATE ? bo_list_add(priv, list, &handle) :
								       bo_list_replace(priv, list, handle);
		if (ret) {
			amdm_bo_list_put(list);
			return ret;
		}
	} else {
		return -EINVAL;
	}
	memset(args, 0, sizeof(*args));
	args->out.list_handle = handle;
	return 0;
}
