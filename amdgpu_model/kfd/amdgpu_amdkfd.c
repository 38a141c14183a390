// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd.c - where KFD docks
 *
 * kfd_model comes and goes as a module of its own. amdm_kfd_attach() trades tables with it and announces every GPU; GPUs
 * that come or go later are announced one by one. A GPU's KFD object is cut off from interrupts before it is told to
 * go. The dock (amdgpu_kfd_dock.c) is where the rest of the driver tells KFD things.
 */
#include <drm/drm_file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rwsem.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/base/amdgpu_kunit.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/ih/amdgpu_ih.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"
#include "amdgpu_model/pm/amdgpu_pm.h"

static struct amdm_device *amdm_kfd_devices[32];

static int amdm_kgd_gtt_alloc(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu)
{
	struct amdm_gtt *gtt = amdm_gtt_create(adev, size);

	if (IS_ERR(gtt))
		return PTR_ERR(gtt);
	*mem = gtt;
	*gpu_addr = gtt->addr;
	*cpu = gtt->cpu;
	return 0;
}

static int amdm_kgd_doorbell_mmap(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size)
{
	return amdm_doorbell_mmap(adev, vma, offset, size, NULL);
}

/* A mapping may be moved (mremap()): then there are two for a moment. */
static void amdm_mmio_open(struct vm_area_struct *vma)
{
	get_page(vma->vm_private_data);
}

static void amdm_mmio_close(struct vm_area_struct *vma)
{
	put_page(vma->vm_private_data);
}

static const struct vm_operations_struct amdm_mmio_vm_ops = {
	.open = amdm_mmio_open,
	.close = amdm_mmio_close,
};

/*
 * The HDP flush page: stores there have no effect, as memory is coherent, and
 * what they write must not be seen by others: each mapping has a page of its own.
 */
static int amdm_kgd_mmio_mmap(struct amdm_device *adev, struct vm_area_struct *vma)
{
	struct page *page;
	int ret;

	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	vm_flags_set(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_NORESERVE | VM_DONTDUMP | VM_PFNMAP);
	/* It is memory, and x86 wants one cache attribute for all mappings of memory. */
	vma->vm_page_prot = vm_get_page_prot(vma->vm_flags);
	page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!page)
		return -ENOMEM;
	ret = remap_pfn_range(vma, vma->vm_start, page_to_pfn(page), PAGE_SIZE, vma->vm_page_prot);
	if (ret) {
		__free_page(page);
		return ret;
	}
	vma->vm_private_data = page;
	vma->vm_ops = &amdm_mmio_vm_ops;
	return 0;
}

static u32 amdm_kgd_gb_addr_config(struct amdm_device *adev)
{
	return adev->asic->die.gb_addr_config;
}

static u32 amdm_kgd_iq_wait_times(struct amdm_device *adev, u32 *reg)
{
	*reg = mmCP_IQ_WAIT_TIME2;
	return amdm_rreg(adev, mmCP_IQ_WAIT_TIME2);
}

static void amdm_kgd_gpu_reset(struct amdm_device *adev)
{
	amdm_device_schedule_reset(adev, "HWS hang");
}

/* ---- Calls that the generation answers ---- */

static void gen_program_sh_mem_settings(struct amdm_xcp *xcp, u32 vmid, u32 sh_mem_config, u32 sh_mem_ape1_base,
					u32 sh_mem_ape1_limit, u32 sh_mem_bases)
{
	xcp->adev->asic->kfd->program_sh_mem_settings(xcp, vmid, sh_mem_config, sh_mem_ape1_base, sh_mem_ape1_limit, sh_mem_bases);
}

static int gen_set_pasid_vmid_mapping(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	return xcp->adev->asic->kfd->set_pasid_vmid_mapping(xcp, pasid, vmid);
}

static int gen_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift, u32 wptr_mask,
			struct mm_struct *mm)
{
	return xcp->adev->asic->kfd->hqd_load(xcp, mqd, pipe, queue, wptr, wptr_shift, wptr_mask, mm);
}

static int gen_hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	return xcp->adev->asic->kfd->hqd_destroy(xcp, mqd, type, timeout_ms, pipe, queue);
}

static int gen_hqd_dump(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	return xcp->adev->asic->kfd->hqd_dump(xcp, pipe, queue, regs, max_regs, num_regs);
}

static u64 gen_hqd_ring(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue)
{
	return xcp->adev->asic->kfd->hqd_ring ? xcp->adev->asic->kfd->hqd_ring(xcp, xcc, pipe, queue) : 0;
}

static u64 gen_hqd_reset(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms)
{
	return xcp->adev->asic->kfd->hqd_reset ? xcp->adev->asic->kfd->hqd_reset(xcp, xcc, pipe, queue, timeout_ms) : 0;
}

/* Linux reads it of GC 9.4.3 and later alone (hqd_sdma_get_doorbell), and so knows of no engine of these chips that hangs. */
static u32 no_sdma_doorbell(struct amdm_device *adev, u32 engine, u32 queue)
{
	return 0;
}

static int no_engine_reset(struct amdm_device *adev, u32 engine)
{
	return -EOPNOTSUPP;
}

static void gen_set_vm_context_page_table_base(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base)
{
	if (vmid < AMDM_FIRST_KFD_VMID) {
		dev_err(&xcp->adev->pdev->dev, "trying to set page table base for wrong VMID %u\n", vmid);
		return;
	}
	xcp->adev->asic->kfd->set_vm_context_page_table_base(xcp, vmid, page_table_base);
}

static void gen_program_trap_handler(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma)
{
	if (xcp->adev->asic->kfd->program_trap_handler)
		xcp->adev->asic->kfd->program_trap_handler(xcp, vmid, tba, tma);
}

static void gen_set_scratch_backing_va(struct amdm_device *adev, u64 va, u32 vmid)
{
	if (adev->asic->kfd->set_scratch_backing_va)
		adev->asic->kfd->set_scratch_backing_va(adev, va, vmid);
}

static int gen_submit_ib(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords)
{
	return adev->asic->kfd->submit_ib ? adev->asic->kfd->submit_ib(adev, vmid, gpu_addr, ib, dwords) : -EOPNOTSUPP;
}

static void gen_get_cu_occupancy(struct amdm_xcp *xcp, u32 pasid, u32 *waves, u32 *max_waves_per_cu)
{
	*waves = 0;
	*max_waves_per_cu = 1;
	if (xcp->adev->asic->kfd->get_cu_occupancy)
		xcp->adev->asic->kfd->get_cu_occupancy(xcp, pasid, waves, max_waves_per_cu);
}

const struct kfd2kgd_ops amdm_kgd_ops = {
	.several_xcc			= true,
	.svm_moves			= IS_ENABLED(CONFIG_DEVICE_PRIVATE),
	.gtt_alloc			= amdm_kgd_gtt_alloc,
	.gtt_free			= amdm_gtt_destroy,
	.vm_acquire			= amdm_kgd_vm_acquire,
	.vm_release			= amdm_kgd_vm_release,
	.vm_evicted			= amdm_kgd_vm_evicted,
	.vm_restore			= amdm_kgd_vm_restore,
	.vm_page_table_base		= amdm_vm_page_table_base,
	.vm_hold			= amdm_kgd_vm_hold,
	.vm_unhold			= amdm_kgd_vm_unhold,
	.vm_is_used			= amdm_kgd_vm_is_used,
	.vm_refuse			= amdm_kgd_vm_refuse,
	.svm_move			= amdm_kgd_svm_move,
	.tlb_flush_pasid		= amdm_kgd_tlb_flush_pasid,
	.tlb_flush_vmid			= amdm_kgd_tlb_flush_vmid,
	.mem_alloc			= amdm_kgd_mem_alloc,
	.mem_free			= amdm_kgd_mem_free,
	.mem_map			= amdm_kgd_mem_map,
	.mem_unmap			= amdm_kgd_mem_unmap,
	.mem_is_refused			= amdm_kgd_mem_is_refused,
	.mem_kmap			= amdm_kgd_mem_kmap,
	.mem_kunmap			= amdm_kgd_mem_kunmap,
	.mem_info			= amdm_kgd_mem_info,
	.mem_import			= amdm_kgd_mem_import,
	.mem_dmabuf			= amdm_kgd_mem_dmabuf,
	.mem_export			= amdm_kgd_mem_export,
	.dmabuf_info			= amdm_kgd_dmabuf_info,
	.mem_available			= amdm_limit_vram_available,
	.doorbell_mmap			= amdm_kgd_doorbell_mmap,
	.doorbell_write32		= amdm_doorbell_write32,
	.doorbell_write64		= amdm_doorbell_write64,
	.doorbell_reset			= amdm_doorbell_reset,
	.mmio_mmap			= amdm_kgd_mmio_mmap,
	.program_sh_mem_settings	= gen_program_sh_mem_settings,
	.set_pasid_vmid_mapping		= gen_set_pasid_vmid_mapping,
	.init_interrupts		= amdm_gfx_init_interrupts,
	.hiq_mqd_load			= amdm_kgd_hiq_mqd_load,
	.hqd_load			= gen_hqd_load,
	.hqd_sdma_load			= amdm_kgd_hqd_sdma_load,
	.hqd_is_occupied		= amdm_kgd_hqd_is_occupied,
	.hqd_sdma_is_occupied		= amdm_kgd_hqd_sdma_is_occupied,
	.hqd_destroy			= gen_hqd_destroy,
	.hqd_sdma_destroy		= amdm_kgd_hqd_sdma_destroy,
	.hqd_ring			= gen_hqd_ring,
	.hqd_reset			= gen_hqd_reset,
	.hqd_sdma_doorbell		= no_sdma_doorbell,
	.sdma_reset_engine		= no_engine_reset,
	.hqd_dump			= gen_hqd_dump,
	.hqd_sdma_dump			= amdm_kgd_hqd_sdma_dump,
	.wave_control			= amdm_kgd_wave_control,
	.vmid_pasid			= amdm_kgd_vmid_pasid,
	.set_vm_context_page_table_base	= gen_set_vm_context_page_table_base,
	.vm_fault_vmid			= amdm_kgd_vm_fault_vmid,
	.vm_fault_info			= amdm_kgd_vm_fault_info,
	.set_scratch_backing_va		= gen_set_scratch_backing_va,
	.submit_ib			= gen_submit_ib,
	.program_trap_handler		= gen_program_trap_handler,
	.set_launch_mode		= amdm_kgd_set_launch_mode,
	.set_trap_mask			= amdm_kgd_set_trap_mask,
	.set_watch			= amdm_kgd_set_watch,
	.get_cu_occupancy		= gen_get_cu_occupancy,
	.gb_addr_config			= amdm_kgd_gb_addr_config,
	.iq_wait_times			= amdm_kgd_iq_wait_times,
	.mem_limits			= amdm_limits_get,
	.gpu_clock			= amdm_gfx_clock,
	.gpu_reset			= amdm_kgd_gpu_reset,
	.wait_begin			= amdm_glue_wait_begin,
	.wait_is_over			= amdm_glue_wait_is_over,
};
EXPORT_SYMBOL_IF_KUNIT(amdm_kgd_ops);

static void amdm_kfd_facts_pci(const struct amdm_device *adev, struct kgd2kfd_facts *facts)
{
	struct pci_dev *pdev = adev->pdev;

	facts->pci_vendor = pdev->vendor;
	facts->pci_device = pdev->device;
	facts->pci_subvendor = pdev->subsystem_vendor;
	facts->pci_subdevice = pdev->subsystem_device;
	facts->pci_domain = pci_domain_nr(pdev->bus);
	facts->pci_location = pci_dev_id(pdev);
	facts->pci_revision = pdev->revision;
	facts->dev = &pdev->dev;
	facts->pci_atomics = true;
	facts->completes_atomics = true;
	/* PCIe 3.0, 16 lanes wide at most, one at least */
	facts->pcie_min_mbs = 312;
	facts->pcie_max_mbs = 16000;
}

/* Linux: aqua_vanjaram.c. The memory is not divided (NPS1). */
static void amdm_kfd_facts_dies(const struct amdm_xcp *xcp, struct kgd2kfd_facts *facts)
{
	const struct amdm_device *adev = xcp->adev;
	u32 rank;

	for (rank = 0; rank < xcp->num_xcc; rank++) {
		BUILD_BUG_ON(sizeof(facts->cu_bitmap[rank]) != sizeof(adev->cu_bitmap[rank]));
		memcpy(facts->cu_bitmap[rank], adev->cu_bitmap[xcp->first_xcc + rank], sizeof(facts->cu_bitmap[rank]));
		facts->physical_xcc[rank] = xcp->first_xcc + rank;
	}
	facts->first_xcc = xcp->first_xcc;
	facts->num_xcc = xcp->num_xcc;
	facts->partition = xcp->id;
	facts->partitions = adev->num_xcps;
	facts->die_is_partition = xcp->num_xcc == 1;
	facts->memory_partitions = 1;
}

static void amdm_kfd_facts(const struct amdm_xcp *xcp, struct kgd2kfd_facts *facts)
{
	const struct amdm_device *adev = xcp->adev;
	const struct amdm_chip *chip = adev->chip;
	const struct amdm_asic *asic = adev->asic;

	memset(facts, 0, sizeof(*facts));
	strscpy(facts->name, asic->die.name, sizeof(facts->name));
	facts->gfx_target_version = chip->gfx_target;
	facts->gc_version = asic->gen->ip_versions ? asic->die.gc_version : 0;
	facts->sdma_version = asic->gen->ip_versions ? asic->die.sdma_version : 0;
	facts->unique_id = amdm_pm_unique_id(adev);
	amdm_kfd_facts_dies(xcp, facts);
	facts->num_se = chip->num_se;
	facts->num_sh_per_se = chip->num_sh;
	facts->max_cu_per_sh = chip->cu_built;
	facts->cu_active = adev->cu_active;
	facts->simd_per_cu = asic->gen->simds_per_cu;
	facts->max_waves_per_simd = asic->gen->waves_per_simd;
	facts->wave_front_size = asic->gen->wave_lanes;
	facts->max_scratch_slots_per_cu = 32;
	facts->lds_kb = 64;
	facts->caches = asic->caches;
	facts->vram_public = amdm_limit_vram_share(adev);
	facts->vram_width = chip->vram_bits;
	facts->mem_clk_mhz = chip->memory_mhz;
	facts->engine_clk_mhz = chip->clock_mhz;
	facts->mec_fw = asic->die.mec_fw;
	facts->mec2_fw = asic->die.mec_fw;
	facts->sdma_fw = asic->die.sdma_fw;
	facts->sdma_engines = adev->sdma->engines;
	facts->xgmi_supported = asic->die.xgmi;
	facts->exp_hw_support = amdm_param.exp_hw_support;
	facts->gws_size = asic->die.gws;
	facts->cu_occupancy = asic->kfd->get_cu_occupancy;
	/* Each GPU of a hive has one link to each other one (amdm_chip_hive()). */
	facts->hive_id = adev->hive_id;
	facts->xgmi_hops = 1;
	facts->xgmi_links = 1;
	facts->xgmi_to_cpu = adev->xgmi_to_cpu;
	facts->enable_mes = asic->die.mes;
	facts->noretry = asic->die.noretry;
	facts->tells_retry_faults = asic->die.xnack;
	facts->svm = asic->gen->ip_versions;	/* GFX9 and later (kgd2kfd_init_zone_device) */
	amdm_kfd_facts_pci(adev, facts);
}

/* KFD gets what amdgpu's own compute rings leave of MEC1. */
static void amdm_kfd_resources(const struct amdm_xcp *xcp, struct kgd2kfd_resources *res)
{
	const struct amdm_device *adev = xcp->adev;
	const struct amdm_doorbell_assignment *doorbells = adev->asic->doorbells;
	u32 pipe, queue;

	memset(res, 0, sizeof(*res));
	res->compute_vmid_bitmap = AMDM_KFD_VMIDS;
	res->num_pipe_per_mec = GFX_PIPES_PER_MEC;
	res->num_queue_per_pipe = GFX_QUEUES_PER_PIPE;
	for (pipe = 0; pipe < GFX_PIPES_PER_MEC; pipe++)
		for (queue = 0; queue < GFX_QUEUES_PER_PIPE; queue++)
			if (!amdm_gfx_owns_queue(adev, pipe, queue))
				set_bit(pipe * GFX_QUEUES_PER_PIPE + queue, res->cp_queue_bitmap);
	memcpy(res->sdma_doorbell_idx, doorbells->sdma, sizeof(doorbells->sdma));
	res->non_cp_doorbells_start = doorbells->non_cp_start;
	res->non_cp_doorbells_end = doorbells->non_cp_end;
	res->doorbell_aperture_bytes = AMDM_DOORBELL_BYTES;
	res->doorbell_start_offset = (doorbells->max_assignment + 1 + doorbells->paging) * sizeof(u32);
	res->gpuvm_size = amdm_va_end(adev);
	res->va_size = amdm_va_table_end(adev);
	res->drm_render_minor = amdm_xcp_render_minor(xcp);
}

static void amdm_kfd_xcp_init(struct amdm_xcp *xcp)
{
	struct amdm_device *adev = xcp->adev;
	struct kgd2kfd_resources resources;
	struct kgd2kfd_facts facts;
	void *kfd = NULL;

	amdm_kfd_facts(xcp, &facts);
	amdm_kfd_resources(xcp, &resources);
	if (amdm_kfd_dock.ops->device_init(adev, xcp, &facts, &resources, &kfd))
		return;
	spin_lock_irq(&adev->kfd_lock);
	xcp->kfd = kfd;
	spin_unlock_irq(&adev->kfd_lock);
}

static void amdm_kfd_xcp_exit(struct amdm_xcp *xcp)
{
	struct amdm_device *adev = xcp->adev;
	void *kfd;

	spin_lock_irq(&adev->kfd_lock);
	kfd = xcp->kfd;
	xcp->kfd = NULL;
	spin_unlock_irq(&adev->kfd_lock);
	if (kfd)
		amdm_kfd_dock.ops->device_exit(kfd);
}

static void amdm_kfd_device_init(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < adev->num_xcps; i++)
		amdm_kfd_xcp_init(&adev->xcp[i]);
}

static void amdm_kfd_device_exit(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < adev->num_xcps; i++)
		amdm_kfd_xcp_exit(&adev->xcp[i]);
}

/** amdm_kfd_attach() - see kfd_bridge.h */
int amdm_kfd_attach(const struct kgd2kfd_ops *kfd, const struct kfd2kgd_ops **kgd)
{
	u32 i;

	down_write(&amdm_kfd_dock.sem);
	if (amdm_kfd_dock.ops) {
		up_write(&amdm_kfd_dock.sem);
		return -EBUSY;
	}
	*kgd = &amdm_kgd_ops;
	amdm_kfd_dock.ops = kfd;
	for (i = 0; i < ARRAY_SIZE(amdm_kfd_devices); i++)
		if (amdm_kfd_devices[i])
			amdm_kfd_device_init(amdm_kfd_devices[i]);
	up_write(&amdm_kfd_dock.sem);
	return 0;
}
EXPORT_SYMBOL_GPL(amdm_kfd_attach);

/** amdm_kfd_detach() - see kfd_bridge.h */
void amdm_kfd_detach(void)
{
	u32 i;

	down_write(&amdm_kfd_dock.sem);
	for (i = 0; i < ARRAY_SIZE(amdm_kfd_devices); i++)
		if (amdm_kfd_devices[i])
			amdm_kfd_device_exit(amdm_kfd_devices[i]);
	amdm_kfd_dock.ops = NULL;
	up_write(&amdm_kfd_dock.sem);
}
EXPORT_SYMBOL_GPL(amdm_kfd_detach);

/** amdm_kfd_add() - a GPU is ready for KFD */
void amdm_kfd_add(struct amdm_device *adev)
{
	down_write(&amdm_kfd_dock.sem);
	amdm_kfd_devices[adev->index] = adev;
	if (amdm_kfd_dock.ops)
		amdm_kfd_device_init(adev);
	up_write(&amdm_kfd_dock.sem);
}

/** amdm_kfd_remove() - a GPU goes; KFD has let it go when this returns */
void amdm_kfd_remove(struct amdm_device *adev)
{
	down_write(&amdm_kfd_dock.sem);
	if (amdm_kfd_dock.ops)
		amdm_kfd_device_exit(adev);
	amdm_kfd_devices[adev->index] = NULL;
	up_write(&amdm_kfd_dock.sem);
}

/* Of all partitions or of none */
static int amdm_kfd_lock(struct amdm_device *adev)
{
	u32 i, locked;
	int ret = 0;

	for (locked = 0; locked < adev->num_xcps; locked++) {
		if (adev->xcp[locked].kfd)
			ret = amdm_kfd_dock.ops->lock(adev->xcp[locked].kfd);
		if (ret)
			break;
	}
	for (i = 0; ret && i < locked; i++)
		if (adev->xcp[i].kfd)
			amdm_kfd_dock.ops->unlock(adev->xcp[i].kfd);
	return ret;
}

/**
 * amdm_kfd_leave() - KFD lets the partitions of a GPU go, if no process has one, for others to be made
 * @adev: device
 *
 * Until amdm_kfd_return() KFD neither comes nor goes. Return: 0, -EBUSY: it has not, and amdm_kfd_return() must not be called.
 */
int amdm_kfd_leave(struct amdm_device *adev)
{
	int ret;

	down_write(&amdm_kfd_dock.sem);
	ret = amdm_kfd_lock(adev);
	if (ret)
		up_write(&amdm_kfd_dock.sem);
	else
		amdm_kfd_device_exit(adev);
	return ret;
}

/** amdm_kfd_return() - KFD gets the GPU's present partitions; after amdm_kfd_leave() */
void amdm_kfd_return(struct amdm_device *adev)
{
	if (amdm_kfd_dock.ops)
		amdm_kfd_device_init(adev);
	up_write(&amdm_kfd_dock.sem);
}
