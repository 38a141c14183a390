// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_hive.c - which GPUs belong to a hive
 *
 * XGMI joins GPUs to a hive. They reach each other's VRAM, so none is reset without the others (Linux: amdgpu_device_gpu_recover()). A
 * GPU that is joined to none is a hive of its own here, without a number and without files.
 */
#include <linux/slab.h>

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/sysfs/amdgpu_sysfs.h"

static LIST_HEAD(hives);
static DEFINE_MUTEX(hives_mutex);

static struct amdm_hive *find_hive(u64 id)
{
	struct amdm_hive *hive;

	list_for_each_entry(hive, &hives, node) {
		if (hive->id == id)
			return hive;
	}
	return NULL;
}

static struct amdm_hive *make_hive(u64 id)
{
	struct amdm_hive *hive = kzalloc(sizeof(*hive), GFP_KERNEL);

	if (!hive)
		return NULL;
	kref_init(&hive->ref);
	hive->id = id;
	mutex_init(&hive->reset_mutex);
	INIT_LIST_HEAD(&hive->members);
	INIT_LIST_HEAD(&hive->node);
	if (id)
		list_add_tail(&hive->node, &hives);
	return hive;
}

/** amdm_hive_get() - the GPU has the hive that its hive_id names, but does not work yet. Return: 0, -ENOMEM */
int amdm_hive_get(struct amdm_device *adev)
{
	struct amdm_hive *hive;

	INIT_LIST_HEAD(&adev->in_hive);
	mutex_lock(&hives_mutex);
	hive = adev->hive_id ? find_hive(adev->hive_id) : NULL;
	if (hive)
		kref_get(&hive->ref);
	else
		hive = make_hive(adev->hive_id);
	mutex_unlock(&hives_mutex);
	adev->hive = hive;
	return hive ? 0 : -ENOMEM;
}

/* hives_mutex is held. */
static void free_hive(struct kref *ref)
{
	struct amdm_hive *hive = container_of(ref, struct amdm_hive, ref);

	list_del(&hive->node);
	mutex_unlock(&hives_mutex);
	mutex_destroy(&hive->reset_mutex);
	kfree(hive);
}

/** amdm_hive_put() - the last user of the GPU is gone */
void amdm_hive_put(struct amdm_device *adev)
{
	kref_put_mutex(&adev->hive->ref, free_hive, &hives_mutex);
	adev->hive = NULL;
}

/** amdm_hive_join() - the GPU works: it is reset with the others, and has the hive's files */
void amdm_hive_join(struct amdm_device *adev)
{
	struct amdm_hive *hive = adev->hive;

	mutex_lock(&hive->reset_mutex);
	amdm_sysfs_hide_hive(hive);
	list_add_tail(&adev->in_hive, &hive->members);
	amdm_sysfs_show_hive(hive);
	mutex_unlock(&hive->reset_mutex);
}

/** amdm_hive_leave() - the GPU is about to stop; a reset that others are in is over */
void amdm_hive_leave(struct amdm_device *adev)
{
	struct amdm_hive *hive = adev->hive;

	mutex_lock(&hive->reset_mutex);
	amdm_sysfs_hide_hive(hive);
	list_del_init(&adev->in_hive);
	amdm_sysfs_show_hive(hive);
	mutex_unlock(&hive->reset_mutex);
}
