/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_hive.h - GPUs that XGMI joins, and a GPU that is joined to none: what is reset together.
 */
#ifndef AMDGPU_HIVE_H
#define AMDGPU_HIVE_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>

struct amdm_device;

/**
 * struct amdm_hive - GPUs that XGMI joins, or one alone
 * @ref:         one a GPU, until its last user is gone
 * @node:        of all hives of several GPUs
 * @id:          its number; 0: a GPU alone
 * @reset_mutex: one reset at a time, of the GPUs or of a ring; protects @members
 * @members:     GPUs that work, amdm_device.in_hive, the oldest first
 * @dir:         its folder in sysfs, below the first member; @id_file: the file in it
 */
struct amdm_hive {
	struct kref ref;
	struct list_head node;
	u64 id;
	struct mutex reset_mutex;
	struct list_head members;
	struct kobject *dir;
	struct kobj_attribute id_file;
};

int amdm_hive_get(struct amdm_device *adev);
void amdm_hive_put(struct amdm_device *adev);
void amdm_hive_join(struct amdm_device *adev);
void amdm_hive_leave(struct amdm_device *adev);

#endif
