// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Process and device ioctls
 *
 * Versions, clocks, apertures, address spaces, policies; and the old debugger's, which are retired and refused (Linux: kfd_chardev.c).
 */
#include <linux/file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "kfd_ioctl.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/topology/kfd_topology.h"
#include "uapi/kfd_ioctl.h"

/** kfdm_ioctl_get_version() - GET_VERSION */
int kfdm_ioctl_get_version(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_version_args *args = data;

	args->major_version = KFD_IOCTL_MAJOR_VERSION;
	args->minor_version = kfdm_abi->ioctl_minor;
	return 0;
}

/** kfdm_ioctl_set_memory_policy() - SET_MEMORY_POLICY */
int kfdm_ioctl_set_memory_policy(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_memory_policy_args *args = data;
	struct kfdm_process_device *pdd;
	int ret = 0;

	if (args->default_policy > KFD_IOC_CACHE_POLICY_NONCOHERENT ||
	    args->alternate_policy > KFD_IOC_CACHE_POLICY_NONCOHERENT)
		return -EINVAL;
	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	if (!pdd)
		ret = -EINVAL;
	else if (kfdm_pdd_bind(pdd))
		ret = -ESRCH;
	else if (!kfdm_dqm_set_cache_policy(pdd->dev->dqm, &pdd->qpd, args))
		ret = -EINVAL;
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_get_clock_counters() - GET_CLOCK_COUNTERS; an unknown device counts 0 */
int kfdm_ioctl_get_clock_counters(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_clock_counters_args *args = data;
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);

	args->gpu_clock_counter = pdd ? kfdm_kgd->gpu_clock(pdd->dev->adev) : 0;
	args->cpu_clock_counter = ktime_get_raw_ns();
	args->system_clock_counter = ktime_get_boottime_ns();
	args->system_clock_freq = NSEC_PER_SEC;
	return 0;
}

static void fill_apertures(const struct kfdm_process_device *pdd, struct kfd_process_device_apertures *out)
{
	const struct kfdm_apertures *a = &pdd->apertures;

	*out = (struct kfd_process_device_apertures){
		.lds_base = a->lds_base,
		.lds_limit = a->lds_limit,
		.scratch_base = a->scratch_base,
		.scratch_limit = a->scratch_limit,
		.gpuvm_base = a->gpuvm_base,
		.gpuvm_limit = a->gpuvm_limit,
		.gpu_id = pdd->dev->id,
	};
}

/** kfdm_ioctl_get_process_apertures() - GET_PROCESS_APERTURES: up to seven devices */
int kfdm_ioctl_get_process_apertures(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_args *args = data;
	u32 i;

	args->num_of_nodes = min_t(u32, p->n_pdds, NUM_OF_SUPPORTED_GPUS);
	for (i = 0; i < args->num_of_nodes; i++)
		fill_apertures(p->pdds[i], &args->process_apertures[i]);
	return 0;
}

/** kfdm_ioctl_get_process_apertures_new() - GET_PROCESS_APERTURES_NEW: any number of devices */
int kfdm_ioctl_get_process_apertures_new(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_new_args *args = data;
	struct kfd_process_device_apertures *apertures;
	u32 i, n;
	int ret = 0;

	if (!args->num_of_nodes) {
		args->num_of_nodes = p->n_pdds;
		return 0;
	}
	if (args->num_of_nodes > kfdm_topology_num_nodes())
		return -EINVAL;
	apertures = kcalloc(args->num_of_nodes, sizeof(*apertures), GFP_KERNEL);
	if (!apertures)
		return -ENOMEM;
	n = min(args->num_of_nodes, p->n_pdds);
	for (i = 0; i < n; i++)
		fill_apertures(p->pdds[i], &apertures[i]);
	args->num_of_nodes = n;
	if (copy_to_user((void __user *)(uintptr_t)args->kfd_process_device_apertures_ptr, apertures,
			 n * sizeof(*apertures)))
		ret = -EFAULT;
	kfree(apertures);
	return ret;
}

/** kfdm_ioctl_set_scratch_backing_va() - SET_SCRATCH_BACKING_VA */
int kfdm_ioctl_set_scratch_backing_va(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_scratch_backing_va_args *args = data;
	struct kfdm_process_device *pdd;
	int ret = -EINVAL;

	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	if (pdd)
		ret = kfdm_pdd_bind(pdd);
	if (!ret) {
		kfdm_dqm_lock(pdd->dev->dqm);
		pdd->qpd.map.sh_hidden_private_base = args->va_addr;
		if (pdd->qpd.vmid)
			kfdm_kgd->set_scratch_backing_va(pdd->dev->adev, args->va_addr, pdd->qpd.vmid);
		kfdm_dqm_unlock(pdd->dev->dqm);
	}
	mutex_unlock(&p->mutex);
	return ret;
}

/* GFX9 and later describe tiling by GB_ADDR_CONFIG alone; the tables of older chips are empty. */
static int clear_table(u64 user, u32 *entries, u32 available)
{
	*entries = min(*entries, available);
	if (clear_user((void __user *)(uintptr_t)user, *entries * sizeof(u32))) {
		*entries = 0;
		return -EFAULT;
	}
	return 0;
}

/** kfdm_ioctl_get_tile_config() - GET_TILE_CONFIG */
int kfdm_ioctl_get_tile_config(struct kfdm_process *p, void *data)
{
	enum { TILE_MODES = 32, MACRO_TILE_MODES = 16 };
	struct kfd_ioctl_get_tile_config_args *args = data;
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);
	int ret;

	if (!pdd)
		return -EINVAL;
	args->gb_addr_config = kfdm_kgd->gb_addr_config(pdd->dev->adev);
	args->num_banks = 0;
	args->num_ranks = 0;
	ret = clear_table(args->tile_config_ptr, &args->num_tile_configs, TILE_MODES);
	if (!ret)
		ret = clear_table(args->macro_tile_config_ptr, &args->num_macro_tile_configs, MACRO_TILE_MODES);
	return ret;
}

/** kfdm_ioctl_set_trap_handler() - SET_TRAP_HANDLER */
int kfdm_ioctl_set_trap_handler(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_trap_handler_args *args = data;
	struct kfdm_process_device *pdd;
	int ret = 0;

	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	if (!pdd)
		ret = -EINVAL;
	else if (kfdm_pdd_bind(pdd))
		ret = -ESRCH;
	else
		kfdm_pdd_set_trap_handler(pdd, args->tba_addr, args->tma_addr);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_acquire_vm() - ACQUIRE_VM */
int kfdm_ioctl_acquire_vm(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_acquire_vm_args *args = data;
	struct file *drm_file = fget(args->drm_fd);
	struct kfdm_process_device *pdd;
	int ret = -EINVAL;

	if (!drm_file)
		return -EINVAL;
	mutex_lock(&p->mutex);
	pdd = kfdm_pdd_by_id(p, args->gpu_id);
	if (pdd)
		ret = kfdm_pdd_acquire_vm(pdd, drm_file);
	mutex_unlock(&p->mutex);
	fput(drm_file);
	return ret;
}

/** kfdm_ioctl_available_memory() - AVAILABLE_MEMORY */
int kfdm_ioctl_available_memory(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_available_memory_args *args = data;
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);

	if (!pdd)
		return -EINVAL;
	args->available = kfdm_kgd->mem_available(pdd->dev->xcp);
	return 0;
}

/** kfdm_ioctl_smi_events() - SMI_EVENTS */
int kfdm_ioctl_smi_events(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_smi_events_args *args = data;
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpuid);

	return pdd ? kfdm_smi_open(pdd->dev, &args->anon_fd) : -EINVAL;
}

/** kfdm_ioctl_debugger() - DBG_*: retired in Linux, always -EPERM */
int kfdm_ioctl_debugger(struct kfdm_process *p, void *data)
{
	return -EPERM;
}
