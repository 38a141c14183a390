// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Devices as a debugger sees them
 *
 * What the topology tells of a device, and where the process has its windows there (Linux: kfd_debug.c: kfd_dbg_trap_device_snapshot).
 */
#include "kfd_debug.h"

#include <linux/uaccess.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/topology/kfd_topology.h"

static void describe(struct kfdm_process_device *pdd, u64 clear, struct kfd_dbg_device_info_entry *entry)
{
	const struct kfdm_device *dev = pdd->dev;
	const struct kgd2kfd_facts *f = &dev->facts;
	const struct kfdm_apertures *a = &pdd->apertures;

	*entry = (struct kfd_dbg_device_info_entry){
		.lds_base = a->lds_base, .lds_limit = a->lds_limit,
		.scratch_base = a->scratch_base, .scratch_limit = a->scratch_limit,
		.gpuvm_base = a->gpuvm_base, .gpuvm_limit = a->gpuvm_limit,
		.gpu_id = dev->id, .location_id = f->pci_location | f->partition,
		.vendor_id = f->pci_vendor, .device_id = f->pci_device, .revision_id = f->pci_revision,
		.subsystem_vendor_id = f->pci_subvendor, .subsystem_device_id = f->pci_subdevice,
		.fw_version = f->mec_fw, .gfx_target_version = dev->chip->gfx_target_version,
		.simd_count = f->simd_per_cu * kfdm_device_active_cus(dev), .max_waves_per_simd = f->max_waves_per_simd,
		.array_count = f->num_se * f->num_sh_per_se * f->num_xcc, .simd_arrays_per_engine = f->num_sh_per_se,
		.num_xcc = f->num_xcc, .capability = kfdm_node_capability(dev), .debug_prop = kfdm_node_debug_prop(dev),
		.capability2 = kfdm_node_capability2(dev),
	};
	mutex_lock(&pdd->process->debug.lock);
	entry->exception_status = pdd->debug.exceptions;
	pdd->debug.exceptions &= ~clear;
	mutex_unlock(&pdd->process->debug.lock);
}

/**
 * kfdm_debug_device_snapshot() - GET_DEVICE_SNAPSHOT
 * @p:    debugged process; mutex held
 * @args: array, its length and the distance of its entries; out: how many devices there are, and how long an entry is
 *
 * Return: 0, -EINVAL: no array, -EFAULT.
 */
int kfdm_debug_device_snapshot(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u32 stride = args->device_snapshot.entry_size, n = min(args->device_snapshot.num_devices, p->n_pdds);
	const u32 size = min_t(u32, stride, sizeof(struct kfd_dbg_device_info_entry));
	void __user *to = (void __user *)(uintptr_t)args->device_snapshot.snapshot_buf_ptr;
	struct kfd_dbg_device_info_entry entry;
	u32 i;

	if (!to)
		return -EINVAL;
	args->device_snapshot.num_devices = p->n_pdds;
	args->device_snapshot.entry_size = size;
	for (i = 0; i < n; i++) {
		describe(p->pdds[i], args->device_snapshot.exception_mask, &entry);
		if (copy_to_user(to + (size_t)i * stride, &entry, size))
			return -EFAULT;
	}
	return 0;
}
