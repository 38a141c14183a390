// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp_sysfs.c - how the compute dies and the memory of a GPU are divided
 *
 * Names, forms and errors are those of Linux 7.2 (amdgpu_gfx.c, amdgpu_gmc.c). The memory cannot be divided: its files say NPS1, and are
 * read only. Other chips do not have the files.
 */
#include <linux/string.h>
#include <linux/sysfs.h>

#include "amdgpu_sysfs.h"

static ssize_t current_compute_partition_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct amdm_device *adev = amdm_sysfs_device(dev);

	if (READ_ONCE(adev->in_reset))
		return -EPERM;
	return sysfs_emit(buf, "%s\n", amdm_xcp_mode_names[amdm_xcp_mode(adev)]);
}

static ssize_t current_compute_partition_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	u32 mode;
	int ret;

	for (mode = 0; mode < AMDM_XCP_MODES; mode++)
		if (!strncasecmp(buf, amdm_xcp_mode_names[mode], strlen(amdm_xcp_mode_names[mode])))
			break;
	if (mode == AMDM_XCP_MODES)
		return -EINVAL;
	ret = amdm_xcp_switch(amdm_sysfs_device(dev), mode);
	return ret ? ret : count;
}
static DEVICE_ATTR_RW(current_compute_partition);

static ssize_t available_compute_partition_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct amdm_device *adev = amdm_sysfs_device(dev);
	ssize_t size = 0;
	u32 mode;

	for (mode = 0; mode < AMDM_XCP_MODES; mode++)
		if (amdm_xcp_count(adev, mode))
			size += sysfs_emit_at(buf, size, "%s%s", size ? ", " : "", amdm_xcp_mode_names[mode]);
	return size + sysfs_emit_at(buf, size, "\n");
}
static DEVICE_ATTR_RO(available_compute_partition);

static ssize_t current_memory_partition_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "NPS1\n");
}
static DEVICE_ATTR_RO(current_memory_partition);

static ssize_t available_memory_partition_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "NPS1\n");
}
static DEVICE_ATTR_RO(available_memory_partition);

static struct attribute *xcp_files[] = {
	&dev_attr_current_compute_partition.attr,
	&dev_attr_available_compute_partition.attr,
	&dev_attr_current_memory_partition.attr,
	&dev_attr_available_memory_partition.attr,
	NULL
};

static umode_t xcp_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	return amdm_xccs(amdm_sysfs_device(kobj_to_dev(kobj))) > 1 ? attr->mode : 0;
}

const struct attribute_group amdm_sysfs_xcp = { .attrs = xcp_files, .is_visible = xcp_visible };
