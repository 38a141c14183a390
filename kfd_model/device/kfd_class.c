// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The device "kfd" of the class "kfd"
 *
 * /dev/kfd belongs to it (kfd_chardev.c), and the kobjects of processes and of the topology hang below it.
 */
#include <linux/device.h>
#include <linux/module.h>

#include "kfd_device.h"
#include "amdgpu_model/compat/kernel.h"

static struct class *class;
static struct device *device;

/** kfdm_chardev_device() - whose kobject is the parent of the others */
struct device *kfdm_chardev_device(void)
{
	return device;
}

/** kfdm_class_init() - class and device "kfd" for a character device. Return: 0, -EEXIST where another KFD is, -ENOMEM */
int kfdm_class_init(int major)
{
	int ret;

	class = kfdm_class_create("kfd");
	if (IS_ERR(class))
		return PTR_ERR(class);
	device = device_create(class, NULL, MKDEV(major, 0), NULL, "kfd");
	if (!IS_ERR(device))
		return 0;
	ret = PTR_ERR(device);
	class_destroy(class);
	return ret;
}

/** kfdm_class_fini() - undo it */
void kfdm_class_fini(int major)
{
	device_destroy(class, MKDEV(major, 0));
	class_destroy(class);
}
