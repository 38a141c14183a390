// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xgmi_sysfs.c - files of GPUs that XGMI joins to a hive
 *
 * Names and forms are those of Linux 6.1 (amdgpu_xgmi.c): the folder xgmi_hive_info is below the hive's first GPU, with links node1, node2 ...
 * to all of them; the others have a link to it. When a GPU comes or goes the folder is made anew, so that it never lies below one that
 * is gone, and nodes count without holes.
 */
#include <linux/sysfs.h>

#include "amdgpu_sysfs.h"
#include "amdgpu_model/base/amdgpu_hive.h"

#define HIVE_DIR	"xgmi_hive_info"

/* What the PSP of a real board gives is 64 bits without a meaning. */
static ssize_t xgmi_device_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct amdm_device *adev = amdm_sysfs_device(dev);

	return sysfs_emit(buf, "%llu\n", adev->hive_id + 1 + adev->index);
}
static DEVICE_ATTR_RO(xgmi_device_id);

/* The model's links lose nothing. */
static ssize_t xgmi_error_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0\n");
}
static DEVICE_ATTR_RO(xgmi_error);

static umode_t in_hives_only(struct kobject *kobj, struct attribute *attr, int n)
{
	return amdm_sysfs_device(kobj_to_dev(kobj))->hive_id ? attr->mode : 0;
}

static struct attribute *sysfs_xgmi_files[] = { &dev_attr_xgmi_device_id.attr, &dev_attr_xgmi_error.attr, NULL };

const struct attribute_group amdm_sysfs_xgmi = { .attrs = sysfs_xgmi_files, .is_visible = in_hives_only };

static ssize_t xgmi_hive_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", container_of(attr, struct amdm_hive, id_file)->id);
}

static struct kobject *folder_of(struct amdm_device *adev)
{
	return &adev->pdev->dev.kobj;
}

static const char *node_name(char name[12], u32 n)
{
	snprintf(name, 12, "node%u", n);
	return name;
}

/** amdm_sysfs_hide_hive() - its files go, as long as the members are those that it was shown with; reset_mutex held */
void amdm_sysfs_hide_hive(struct amdm_hive *hive)
{
	struct amdm_device *adev;
	char name[12];
	u32 n = 0;

	if (!hive->dir)
		return;
	list_for_each_entry(adev, &hive->members, in_hive) {
		sysfs_remove_link(hive->dir, node_name(name, ++n));
		if (n > 1)
			sysfs_remove_link(folder_of(adev), HIVE_DIR);
	}
	sysfs_remove_file(hive->dir, &hive->id_file.attr);
	kobject_put(hive->dir);
	hive->dir = NULL;
}

static int make_dir(struct amdm_hive *hive, struct amdm_device *first)
{
	sysfs_attr_init(&hive->id_file.attr);
	hive->id_file.attr.name = "xgmi_hive_id";
	hive->id_file.attr.mode = 0444;
	hive->id_file.show = xgmi_hive_id_show;
	hive->dir = kobject_create_and_add(HIVE_DIR, folder_of(first));
	return hive->dir ? sysfs_create_file(hive->dir, &hive->id_file.attr) : -ENOMEM;
}

/** amdm_sysfs_show_hive() - files for the members that there are; reset_mutex held. Without memory there are none */
void amdm_sysfs_show_hive(struct amdm_hive *hive)
{
	struct amdm_device *adev;
	char name[12];
	int ret = 0;
	u32 n = 0;

	if (!hive->id || list_empty(&hive->members))
		return;
	list_for_each_entry(adev, &hive->members, in_hive) {
		if (!n++)
			ret = make_dir(hive, adev);
		else
			ret = sysfs_create_link(folder_of(adev), hive->dir, HIVE_DIR);
		if (!ret)
			ret = sysfs_create_link(hive->dir, folder_of(adev), node_name(name, n));
		if (ret)
			break;
	}
	if (!ret)
		return;
	pr_err("amdgpu_model: hive %llu has no files: %d\n", hive->id, ret);
	amdm_sysfs_hide_hive(hive);
}
