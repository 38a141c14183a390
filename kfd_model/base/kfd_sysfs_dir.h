/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SYSFS_DIR_H
#define KFD_SYSFS_DIR_H

#include <linux/kobject.h>
#include <linux/sysfs.h>

/**
 * struct kfdm_dir - a directory
 * @show: reads attribute @attr->name
 * @of:   what it is about
 */
struct kfdm_dir {
	struct kobject kobj;
	ssize_t (*show)(struct kfdm_dir *dir, const char *name, char *buf);
	void *of;
};

__printf(4, 5) struct kfdm_dir *kfdm_dir_make(struct kobject *parent, void *of,
					      ssize_t (*show)(struct kfdm_dir *dir, const char *name, char *buf),
					      const char *format, ...);
void kfdm_dir_remove(struct kfdm_dir *dir);
void kfdm_file_make(struct kfdm_dir *dir, struct attribute *attr, const char *name);

#endif
