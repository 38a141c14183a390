// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Directories in sysfs that are about an object
 *
 * Each has one function that reads all its files, by their names.
 */
#include <linux/slab.h>

#include "kfd_sysfs_dir.h"

static ssize_t dir_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct kfdm_dir *dir = container_of(kobj, struct kfdm_dir, kobj);

	return dir->show(dir, attr->name, buf);
}

static void dir_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct kfdm_dir, kobj));
}

static const struct sysfs_ops dir_ops = { .show = dir_show };
static struct kobj_type dir_type = { .sysfs_ops = &dir_ops, .release = dir_release };

/**
 * kfdm_dir_make() - a directory without files
 * @parent: where
 * @of:     what it is about
 * @show:   reads its files
 * @format: its name
 *
 * Return: NULL on failure, which costs a message.
 */
struct kfdm_dir *kfdm_dir_make(struct kobject *parent, void *of, ssize_t (*show)(struct kfdm_dir *dir, const char *name, char *buf),
			       const char *format, ...)
{
	struct kfdm_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	char name[32];
	va_list args;

	if (!dir)
		return NULL;
	dir->of = of;
	dir->show = show;
	va_start(args, format);
	vscnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (kobject_init_and_add(&dir->kobj, &dir_type, parent, "%s", name)) {
		pr_warn_ratelimited("kfd_model: creating sysfs directory %s failed\n", name);
		kobject_put(&dir->kobj);
		return NULL;
	}
	return dir;
}

/** kfdm_dir_remove() - it and its files go at once, whoever has them open; NULL: nothing to do */
void kfdm_dir_remove(struct kfdm_dir *dir)
{
	if (!dir)
		return;
	kobject_del(&dir->kobj);
	kobject_put(&dir->kobj);
}

/** kfdm_file_make() - a file of a directory, NULL: nothing to do. Failure costs a message. */
void kfdm_file_make(struct kfdm_dir *dir, struct attribute *attr, const char *name)
{
	sysfs_attr_init(attr);
	attr->name = name;
	attr->mode = 0444;
	if (dir && sysfs_create_file(&dir->kobj, attr))
		pr_warn_ratelimited("kfd_model: creating sysfs file %s failed\n", name);
}
