// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_hwmon.c - the hwmon device "amdgpu": the two clocks
 *
 * Temperatures, power and fans are not modelled and have no files. The voltage has the file of a chip whose firmware does not report it
 * (arcturus_read_sensor()): librocm_smi takes a device without the label for a broken one.
 */
#include <linux/err.h>
#include <linux/hwmon.h>
#include <linux/sysfs.h>

#include "amdgpu_sysfs.h"
#include "amdgpu_model/base/amdgpu_chips.h"

#define HWMON_HZ	1000000u

static ssize_t hwmon_clock(struct device *dev, char *buf, bool memory)
{
	struct amdm_device *adev = dev_get_drvdata(dev);

	if (READ_ONCE(adev->in_reset) || READ_ONCE(adev->sleeps))
		return -EPERM;
	return sysfs_emit(buf, "%u\n", (memory ? adev->chip->memory_mhz : adev->chip->clock_mhz) * HWMON_HZ);
}

static ssize_t freq1_input_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return hwmon_clock(dev, buf, false);
}
static DEVICE_ATTR_RO(freq1_input);

static ssize_t freq1_label_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "sclk\n");
}
static DEVICE_ATTR_RO(freq1_label);

static ssize_t freq2_input_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return hwmon_clock(dev, buf, true);
}
static DEVICE_ATTR_RO(freq2_input);

static ssize_t freq2_label_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "mclk\n");
}
static DEVICE_ATTR_RO(freq2_label);

static ssize_t in0_input_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return -EOPNOTSUPP;
}
static DEVICE_ATTR_RO(in0_input);

static ssize_t in0_label_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "vddgfx\n");
}
static DEVICE_ATTR_RO(in0_label);

static struct attribute *amdm_hwmon_attrs[] = {
	&dev_attr_in0_input.attr,
	&dev_attr_in0_label.attr,
	&dev_attr_freq1_input.attr,
	&dev_attr_freq1_label.attr,
	&dev_attr_freq2_input.attr,
	&dev_attr_freq2_label.attr,
	NULL
};
ATTRIBUTE_GROUPS(amdm_hwmon);

/** amdm_hwmon_init() - make it; devres takes it away. Without hwmon in the kernel there is none. Return: 0, errno. */
int amdm_hwmon_init(struct amdm_device *adev)
{
	struct device *hwmon;

	if (!IS_REACHABLE(CONFIG_HWMON))
		return 0;
	hwmon = devm_hwmon_device_register_with_groups(&adev->pdev->dev, "amdgpu", adev, amdm_hwmon_groups);
	return PTR_ERR_OR_ZERO(hwmon);
}
