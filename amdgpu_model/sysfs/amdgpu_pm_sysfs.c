// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_pm_sysfs.c - files of the PCI device: clocks, load, performance levels
 *
 * Names, forms, modes and errors are those of Linux 6.1's amdgpu_pm.c. Which files a chip has is a row of amdgpu_pm.c here. What is not
 * modelled (voltages, fans, profiles, overdrive, other clocks) has no file.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "amdgpu_sysfs.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/pm/amdgpu_metrics.h"
#include "amdgpu_model/pm/amdgpu_pm.h"

/* A GPU that is being reset, or asleep, has nobody to ask. Return: NULL. */
static struct amdm_device *pm_device(struct device *dev)
{
	struct amdm_device *adev = amdm_sysfs_device(dev);

	return READ_ONCE(adev->in_reset) || READ_ONCE(adev->sleeps) ? NULL : adev;
}

static ssize_t power_dpm_force_performance_level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = pm_device(dev);

	return adev ? sysfs_emit(buf, "%s\n", amdm_pm_level_name(amdm_pm_level(adev))) : -EPERM;
}

static ssize_t power_dpm_force_performance_level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct amdm_device *adev = pm_device(dev);
	int level = amdm_pm_parse_level(buf), ret;

	if (!adev)
		return -EPERM;
	ret = level < 0 ? level : amdm_pm_force(adev, level);
	return ret ? ret : count;
}
static DEVICE_ATTR_RW(power_dpm_force_performance_level);

static ssize_t pm_clock_show(struct amdm_device *adev, u32 mhz, char *buf)
{
	return adev ? sysfs_emit(buf, "0: %uMhz *\n", mhz) : -EPERM;
}

static ssize_t pm_clock_store(struct device *dev, const char *buf, size_t count)
{
	struct amdm_device *adev = pm_device(dev);
	u32 mask;
	int ret;

	if (!adev)
		return -EPERM;
	ret = amdm_pm_parse_mask(buf, count, &mask);
	if (!ret)
		ret = amdm_pm_force_clock(adev, mask);
	return ret ? ret : count;
}

static ssize_t pp_dpm_sclk_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return pm_clock_show(pm_device(dev), amdm_sysfs_device(dev)->chip->clock_mhz, buf);
}

static ssize_t pp_dpm_sclk_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	return pm_clock_store(dev, buf, count);
}
static DEVICE_ATTR_RW(pp_dpm_sclk);

static ssize_t pp_dpm_mclk_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return pm_clock_show(pm_device(dev), amdm_sysfs_device(dev)->chip->memory_mhz, buf);
}

static ssize_t pp_dpm_mclk_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	return pm_clock_store(dev, buf, count);
}
static DEVICE_ATTR_RW(pp_dpm_mclk);

static ssize_t gpu_busy_percent_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = pm_device(dev);

	return adev ? sysfs_emit(buf, "%u\n", amdm_glue_load(adev).kernels) : -EPERM;
}
static DEVICE_ATTR_RO(gpu_busy_percent);

static ssize_t mem_busy_percent_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = pm_device(dev);

	return adev ? sysfs_emit(buf, "%u\n", amdm_glue_load(adev).memory) : -EPERM;
}
static DEVICE_ATTR_RO(mem_busy_percent);

/* Nobody counts messages on the link: as on chips whose driver cannot (get_pcie_usage). */
static ssize_t pcie_bw_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return pm_device(dev) ? -ENODATA : -EPERM;
}
static DEVICE_ATTR_RO(pcie_bw);

static ssize_t unique_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = pm_device(dev);

	return adev ? sysfs_emit(buf, "%016llx\n", amdm_pm_unique_id(adev)) : -EPERM;
}
static DEVICE_ATTR_RO(unique_id);

static ssize_t gpu_metrics_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = pm_device(dev);
	struct amdm_load_percent load;
	struct amdm_metrics_now now;

	BUILD_BUG_ON(sizeof(union amdm_metrics) > PAGE_SIZE);
	if (!adev)
		return -EPERM;
	load = amdm_glue_load(adev);
	now = (struct amdm_metrics_now){
		.time = ktime_get_boottime_ns(),
		.gfx_activity = load.kernels,
		.memory_activity = load.memory,
		.gfx_mhz = adev->chip->clock_mhz,
		.memory_mhz = adev->chip->memory_mhz,
	};
	return amdm_metrics_build(amdm_pm_facts(adev)->metrics, &now, (union amdm_metrics *)buf);
}
static DEVICE_ATTR_RO(gpu_metrics);

static struct attribute *pm_files[] = {
	&dev_attr_power_dpm_force_performance_level.attr,
	&dev_attr_pp_dpm_sclk.attr,
	&dev_attr_pp_dpm_mclk.attr,
	&dev_attr_gpu_busy_percent.attr,
	&dev_attr_mem_busy_percent.attr,
	&dev_attr_pcie_bw.attr,
	&dev_attr_unique_id.attr,
	&dev_attr_gpu_metrics.attr,
	NULL
};

static umode_t pm_is_visible(struct kobject *kobj, struct attribute *file, int n)
{
	const struct amdm_pm_facts *facts = amdm_pm_facts(amdm_sysfs_device(kobj_to_dev(kobj)));

	if (file == &dev_attr_mem_busy_percent.attr && facts->no_memory_load)
		return 0;
	if (file == &dev_attr_unique_id.attr && !facts->unique_id)
		return 0;
	if (file == &dev_attr_gpu_metrics.attr && facts->metrics == AMDM_PM_NO_METRICS)
		return 0;
	if (file == &dev_attr_pp_dpm_mclk.attr && facts->fixed_mclk)
		return 0444;
	return file->mode;
}

const struct attribute_group amdm_sysfs_pm = { .attrs = pm_files, .is_visible = pm_is_visible };
