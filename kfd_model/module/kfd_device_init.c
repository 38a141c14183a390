// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Devices that come and go
 *
 * What happens when amdgpu_model brings a GPU, takes it away, or resets it: the other direction of the bridge
 * (Linux: kfd_device.c, kgd2kfd_*).
 */
#include <linux/bitmap.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "amdgpu_model/hw/pm4.h"
#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/topology/kfd_topology.h"

/* Run lists for all queues twice (one in use, one being built), all MQDs, and the HIQ (kgd2kfd_device_init). */
static size_t gtt_bytes(const struct kfdm_device *dev)
{
	enum { MQD_ALIGNED = 768, MAX_PROCESSES = 512, ROOM = 512 * 1024 };
	const struct kfdm_packet_ops *packets = dev->chip->packets;
	size_t queues = amdm_kfd_param.max_num_of_queues_per_device;
	const u32 map_process = dev->chip->pool_by_v9 ? PM4_MAP_PROCESS_DWORDS : packets->map_process_dwords;
	size_t run_list = (MAX_PROCESSES * map_process + queues * packets->map_queues_dwords +
			   packets->run_list_dwords) * sizeof(u32);

	return queues * MQD_ALIGNED + 2 * run_list + 2 * KFDM_KERNEL_QUEUE_BYTES + ROOM;
}

static int init_gtt(struct kfdm_device *dev)
{
	size_t size = gtt_bytes(dev);
	u64 gpu_addr;
	void *cpu;
	int ret;

	ret = kfdm_kgd->gtt_alloc(dev->adev, size, &dev->gtt_mem, &gpu_addr, &cpu);
	if (ret)
		return ret;
	ret = kfdm_gtt_init(&dev->gtt, cpu, gpu_addr, size);
	if (ret)
		kfdm_kgd->gtt_free(dev->adev, dev->gtt_mem);
	else
		pr_debug("kfd_model: Allocated %zu bytes on gart\n", size);
	return ret;
}

static void fini_gtt(struct kfdm_device *dev)
{
	kfdm_gtt_fini(&dev->gtt);
	kfdm_kgd->gtt_free(dev->adev, dev->gtt_mem);
}

static void describe_cus(struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	dev->cu.cus_per_wgp = dev->chip->cus_per_wgp;
	dev->cu.num_xcc = f->num_xcc;
	dev->cu.num_se = f->num_se;
	dev->cu.num_sh_per_se = f->num_sh_per_se;
	dev->cu.cu_active = kfdm_device_active_cus(dev);
	BUILD_BUG_ON(sizeof(dev->cu.cu_bitmap) != sizeof(f->cu_bitmap));
	memcpy(dev->cu.cu_bitmap, f->cu_bitmap, sizeof(dev->cu.cu_bitmap));
	dev->mqd_env.cu = &dev->cu;
}

/* Some chips need the root port to let atomics through, until their firmware learned to do without. */
static bool atomics_suffice(const struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	if (f->pci_atomics || !dev->info.needs_atomics)
		return true;
	if (dev->info.no_atomics_fw && f->mec_fw >= dev->info.no_atomics_fw)
		return true;
	pr_info("kfd_model: skipped device %x:%x, PCI rejects atomics %u<%u\n", f->pci_vendor, f->pci_device, f->mec_fw,
		dev->info.no_atomics_fw);
	return false;
}

static void describe_save_area(struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	dev->shape = (struct kfdm_node_shape){
		.gfx_target_version = dev->chip->gfx_target_version,
		.simd_count = f->simd_per_cu * kfdm_device_active_cus(dev),
		.simd_per_cu = f->simd_per_cu,
		.array_count = f->num_se * f->num_sh_per_se,
		.simd_arrays_per_engine = f->num_sh_per_se,
		.lds_kib = f->lds_kb,
		.num_xcc = f->num_xcc,
	};
	kfdm_save_sizes(&dev->shape, &dev->save_sizes);
}

static void describe_vmids(struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;
	const u32 bitmap = dev->resources.compute_vmid_bitmap;
	const struct kfdm_vmids vmids = dev->chip->dies_share_vmids && f->die_is_partition && f->partitions > 1 ?
					 kfdm_vmids_of_die(bitmap, f->partition) :
										  kfdm_vmids_of_device(bitmap);

	dev->first_vmid = vmids.first;
	dev->last_vmid = vmids.last;
	dev->num_vmids = vmids.num;
	dev->vmids = vmids.bitmap;
}

/* Parts of a device reach each other as GPUs of a hive do, also where the device is in none (kgd2kfd_device_init). */
static void describe_place(struct kfdm_device *dev)
{
	struct kgd2kfd_facts *f = &dev->facts;
	u32 xcc;

	for (xcc = 0; xcc < f->num_xcc; xcc++)
		if (dev->chip->interrupts->node_ids)
			dev->node_ids |= dev->chip->interrupts->node_ids(f->physical_xcc[xcc]);
	if (!f->hive_id && f->partitions > 1)
		f->hive_id = f->pci_location;
}

static int describe(struct kfdm_device *dev)
{
	struct kgd2kfd_resources *r = &dev->resources;
	u32 slots = r->num_pipe_per_mec * r->num_queue_per_pipe;

	if (!r->compute_vmid_bitmap || !slots || slots > 128)
		return -EINVAL;
	describe_vmids(dev);
	describe_place(dev);
	if (!atomics_suffice(dev))
		return -EOPNOTSUPP;
	/* Only the first MEC's queues are KFD's; the HIQ sits on the second. */
	bitmap_clear(r->cp_queue_bitmap, slots, 128 - slots);
	dev->num_cp_queues = bitmap_weight(r->cp_queue_bitmap, 128);
	dev->max_proc_per_quantum = dev->num_vmids;
	if (amdm_kfd_param.hws_max_conc_proc >= 0)
		dev->max_proc_per_quantum = min_t(u32, amdm_kfd_param.hws_max_conc_proc, dev->num_vmids);
	dev->cwsr_enabled = amdm_kfd_param.cwsr_enable && dev->chip->trap_handler;
	dev->mqd_env.cwsr_enabled = dev->cwsr_enabled;
	dev->mqd_env.mes_enabled = dev->facts.enable_mes;
	dev->mqd_env.pcie_atomics = dev->facts.pci_atomics;
	dev->noretry = dev->facts.noretry;
	dev->facts.svm = dev->facts.svm && kfdm_svm_is_built();
	if (dev->facts.gws_size && dev->chip->gws_entries)
		dev->facts.gws_size = dev->chip->gws_entries;
	describe_cus(dev);
	describe_save_area(dev);
	return 0;
}

static int init_parts(struct kfdm_device *dev)
{
	int ret;

	ret = init_gtt(dev);
	if (ret)
		return ret;
	ret = kfdm_doorbells_init(dev);
	if (ret)
		goto fini_doorbells;
	ret = -ENOMEM;
	dev->dqm = kfdm_dqm_create(dev);
	if (!dev->dqm)
		goto fini_doorbells;
	dev->dqm->tell_queues_reset = kfdm_event_queues_reset;
	ret = kfdm_interrupts_init(dev);
	if (ret)
		goto destroy_dqm;
	ret = kfdm_dqm_start(dev->dqm);
	if (ret)
		goto fini_interrupts;
	ret = kfdm_topology_add(dev);
	if (ret)
		goto stop;
	return 0;

stop:
	kfdm_dqm_stop(dev->dqm);
fini_interrupts:
	kfdm_interrupts_fini(dev);
destroy_dqm:
	kfdm_dqm_destroy(dev->dqm);
fini_doorbells:
	kfdm_doorbells_fini(dev);
	fini_gtt(dev);
	return ret;
}

static int device_init(struct amdm_device *adev, struct amdm_xcp *xcp, const struct kgd2kfd_facts *facts,
		       const struct kgd2kfd_resources *resources, void **kfd)
{
	const struct kfdm_probe probe = {
		.name = facts->name,
		.gc_version = facts->gc_version,
		.sdma_version = facts->sdma_version,
		.virtual_function = facts->virtual_function,
		.exp_hw_support = facts->exp_hw_support,
		.sdma_engines = facts->sdma_engines,
		.partitions = facts->partitions,
		.rs64 = facts->rs64,
		.xgmi_supported = facts->xgmi_supported,
	};
	struct kfdm_device_info info;
	struct kfdm_device *dev;
	int ret;

	if (!kfdm_device_info_fill(kfdm_abi, &probe, &info)) {
		pr_err("kfd_model: GC IP %06x %snot supported in kfd\n", facts->gc_version, facts->virtual_function ? "VF " : "");
		return -ENODEV;
	}
	if (facts->enable_mes && !kfdm_kgd->mes_add_queue) {
		pr_err("kfd_model: GC IP %06x is scheduled by the MES, which is not modelled\n", facts->gc_version);
		return -EOPNOTSUPP;
	}
	if ((facts->num_xcc > 1 || facts->partitions > 1) && !kfdm_kgd->several_xcc) {
		pr_err("kfd_model: GC IP %06x has several compute dies, which are not modelled\n", facts->gc_version);
		return -EOPNOTSUPP;
	}
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	kref_init(&dev->ref);
	dev->adev = adev;
	dev->xcp = xcp;
	dev->info = info;
	dev->chip = info.chip;
	dev->facts = *facts;
	dev->resources = *resources;
	spin_lock_init(&dev->smi_lock);
	mutex_init(&dev->profiler_mutex);
	INIT_LIST_HEAD(&dev->smi_clients);
	ret = describe(dev);
	if (!ret)
		ret = init_parts(dev);
	if (ret) {
		pr_err("kfd_model: device %x:%x NOT added due to errors\n", facts->pci_vendor, facts->pci_device);
		kfdm_device_put(dev);
		return ret;
	}
	kfdm_devices_add(dev);
	dev->init_complete = true;
	*kfd = dev;
	pr_info("kfd_model: added device %x:%x\n", facts->pci_vendor, facts->pci_device);
	return 0;
}

/* Only a GPU that is unplugged has users at this time: the module itself does not go while there are processes. */
static bool drive_out_users(struct kfdm_device *dev)
{
	unsigned long end = jiffies + 60 * HZ;

	do {
		kfdm_processes_drive_out(dev);
		if (kfdm_device_wait_unused(dev, HZ / 10))
			return true;
	} while (!time_after(jiffies, end));
	return false;
}

static void device_exit(void *kfd)
{
	struct kfdm_device *dev = kfd;

	kfdm_devices_remove(dev);
	kfdm_topology_remove(dev);
	if (!drive_out_users(dev)) {
		pr_err("kfd_model: gpu %u was taken away under a process that does not end: its memory is lost\n", dev->id);
		return;
	}
	kfdm_dqm_stop(dev->dqm);
	kfdm_interrupts_fini(dev);
	kfdm_dqm_destroy(dev->dqm);
	kfdm_doorbells_fini(dev);
	fini_gtt(dev);
	kfdm_device_put(dev);
}

/* kgd2kfd_check_and_lock_kfd() */
static int lock(void *kfd)
{
	return kfdm_device_lock(kfd);
}

static void unlock(void *kfd)
{
	kfdm_device_unlock(kfd);
}

static int pre_reset(void *kfd, const char *cause)
{
	struct kfdm_device *dev = kfd;

	trace_gpu_reset(dev->id, "begin", 0);
	kfdm_smi_gpu_reset(dev, false, cause);
	kfdm_dqm_pre_reset(dev->dqm);
	if (kfdm_reset_begins())
		kfdm_suspend_all_processes();
	kfdm_dqm_stop(dev->dqm);
	kfdm_event_reset_all(dev);
	return 0;
}

static int post_reset(void *kfd)
{
	struct kfdm_device *dev = kfd;
	int ret = kfdm_dqm_start(dev->dqm);

	kfdm_reset_ends();
	kfdm_smi_gpu_reset(dev, true, "");
	trace_gpu_reset(dev->id, "end", ret);
	return ret;
}

/* kgd2kfd_suspend(), kgd2kfd_resume(): all processes leave before the first GPU sleeps, and come back when the last one works again. */
static void suspend(void *kfd)
{
	struct kfdm_device *dev = kfd;

	if (kfdm_reset_begins())
		kfdm_put_all_processes_to_sleep();
	kfdm_dqm_stop(dev->dqm);
}

static int resume(void *kfd)
{
	struct kfdm_device *dev = kfd;
	int ret = kfdm_dqm_start(dev->dqm);

	if (kfdm_reset_ends())
		kfdm_wake_all_processes();
	return ret;
}

const struct kgd2kfd_ops kfdm_kfd_ops = {
	.device_init = device_init,
	.device_exit = device_exit,
	.lock = lock,
	.unlock = unlock,
	.interrupt = kfdm_interrupt,
	.pre_reset = pre_reset,
	.post_reset = post_reset,
	.suspend = suspend,
	.resume = resume,
	.quiesce_mm = kfdm_quiesce_mm,
	.resume_mm = kfdm_resume_mm,
	.userptr_invalidated = kfdm_userptr_invalidated,
	.migration = kfdm_migration,
	.pages_moved = kfdm_pages_moved,
	.evict_and_restore = kfdm_evict_and_restore,
	.retry_fault = kfdm_retry_fault,
};
