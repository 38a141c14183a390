// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: kfd_model.ko
 *
 * The compute half of the driver: /dev/kfd, the topology, and the queue managers. Everything that every GPU shares is made
 * first; attaching to amdgpu_model then brings the GPUs (Linux: kfd_module.c).
 */
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/path.h>

#include "kfd_debugfs.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/ioctl/kfd_chardev.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/process/kfd_process_sysfs.h"
#include "kfd_model/topology/kfd_topology.h"

#define MAX_QUEUES_LIMIT (512 * 1024)

static char *abi = "7.2";
module_param(abi, charp, 0444);
MODULE_PARM_DESC(abi, "Linux version whose driver user space sees: 6.1 or 7.2 (default)");

static int choose_driver(void)
{
	const struct kfdm_abi *chosen = kfdm_abi_find(abi);

	if (!chosen) {
		pr_err("kfd_model: there is no driver for abi=%s\n", abi);
		return -EINVAL;
	}
	kfdm_abi = chosen;
	return 0;
}

static int check_parameters(void)
{
	if (amdm_kfd_param.sched_policy < KFDM_SCHED_POLICY_HWS ||
	    amdm_kfd_param.sched_policy > KFDM_SCHED_POLICY_NO_HWS) {
		pr_err("kfd_model: sched_policy has invalid value\n");
		return -EINVAL;
	}
	if (amdm_kfd_param.max_num_of_queues_per_device < 1 ||
	    amdm_kfd_param.max_num_of_queues_per_device > MAX_QUEUES_LIMIT) {
		pr_err("kfd_model: max_num_of_queues_per_device must be between 1 and %d\n", MAX_QUEUES_LIMIT);
		return -EINVAL;
	}
	return 0;
}

/* A second class of that name would be refused by sysfs, but with a stack trace. */
static int check_alone(void)
{
	struct path path;

	if (kern_path("/sys/class/kfd", 0, &path))
		return 0;
	path_put(&path);
	pr_err("kfd_model: this kernel has a kfd already (amdgpu is loaded): not loading\n");
	return -EEXIST;
}

static int __init kfdm_init(void)
{
	int ret;

	ret = choose_driver();
	if (!ret)
		ret = check_parameters();
	if (!ret)
		ret = check_alone();
	if (ret)
		return ret;
	ret = kfdm_debug_init();
	if (ret)
		return ret;
	ret = kfdm_processes_init();
	if (ret)
		goto fini_debug;
	ret = kfdm_chardev_init();
	if (ret)
		goto fini_processes;
	ret = kfdm_process_sysfs_init();
	if (ret)
		goto fini_chardev;
	ret = kfdm_topology_init();
	if (ret)
		goto fini_sysfs;
	kfdm_debugfs_init();
	ret = amdm_kfd_attach(&kfdm_kfd_ops, &kfdm_kgd);
	if (ret)
		goto fini_debugfs;
	return 0;

fini_debugfs:
	kfdm_debugfs_fini();
	kfdm_topology_fini();
fini_sysfs:
	kfdm_process_sysfs_fini();
fini_chardev:
	kfdm_chardev_fini();
fini_processes:
	kfdm_processes_fini();
fini_debug:
	kfdm_debug_fini();
	return ret;
}

/* No file is open and no process object exists: each holds a reference to the module. */
static void __exit kfdm_exit(void)
{
	kfdm_processes_fini();
	kfdm_debug_fini();
	amdm_kfd_detach();
	kfdm_debugfs_fini();
	kfdm_topology_fini();
	kfdm_process_sysfs_fini();
	kfdm_chardev_fini();
	/* SMI clients are freed after a grace period, by a callback of this module. */
	rcu_barrier();
}

module_init(kfdm_init);
module_exit(kfdm_exit);
MODULE_DESCRIPTION("AMD GPU model, compute half");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(KFDM_VERSION);
