// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: A process on a device
 *
 * Made for every GPU when the process first opens /dev/kfd; useful once the process has lent it the address space of an open
 * render node (ACQUIRE_VM). The driver then puts two buffers of its own into the lowest pages of that address space: a page
 * for indirect buffers and the trap handler area, whose first page is where TBA points and whose second page (TMA) tells the
 * first-level handler where the user's own handler is (Linux: kfd_process.c).
 */
#include "kfd_process.h"

#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "kfd_process_sysfs.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/dqm/kfd_profiler.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/memory/kfd_memory.h"
#include "uapi/kfd_ioctl.h"

#define IB_FLAGS (KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE | \
		  KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
#define CWSR_FLAGS (KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE | \
		    KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)

/**
 * kfdm_pdd_create() - one device for a new process
 * @p:   process
 * @dev: device, which the caller is a user of
 *
 * Return: NULL without memory.
 */
struct kfdm_process_device *kfdm_pdd_create(struct kfdm_process *p, struct kfdm_device *dev)
{
	const struct kgd2kfd_resources *r = &dev->resources;
	const struct kfdm_aperture_inputs windows = {
		.gpuvm_size = r->gpuvm_size, .va_size = r->va_size, .shared_start = r->shared_start, .shared_end = r->shared_end,
		.private_start = r->private_start, .private_end = r->private_end,
	};
	struct kfdm_process_device *pdd = kzalloc(sizeof(*pdd), GFP_KERNEL_ACCOUNT);

	if (!pdd)
		return NULL;
	if (kfdm_mes_ctx_get(dev, &pdd->mes_ctx)) {
		kfree(pdd);
		return NULL;
	}
	pdd->dev = dev;
	pdd->process = p;
	pdd->user_gpu_id = dev->id;
	pdd->index = p->n_pdds;
	INIT_LIST_HEAD(&pdd->qpd.queues);
	pdd->qpd.map.pasid = p->pasid;
	kfdm_doorbell_ids_reserve(pdd->qpd.doorbell_ids, dev->resources.non_cp_doorbells_start,
				  dev->resources.non_cp_doorbells_end);
	kfdm_asic_apertures(dev->chip->asic, &windows, &pdd->apertures);
	idr_init(&pdd->bos);
	atomic_inc(&dev->users);
	return pdd;
}

static void release_vm(struct kfdm_process_device *pdd)
{
	kfdm_bo_destroy_internal(pdd->cwsr_bo, true);
	kfdm_bo_destroy_internal(pdd->ib_bo, true);
	pdd->qpd.ib_kaddr = NULL;
	pdd->qpd.cwsr_kaddr = NULL;
	pdd->qpd.map.tba_addr = 0;
	pdd->qpd.map.tma_addr = 0;
	pdd->cwsr_bo = NULL;
	pdd->ib_bo = NULL;
	if (pdd->vm)
		kfdm_kgd->vm_release(pdd->dev->adev, pdd->vm);
	pdd->vm = NULL;
	kfdm_pdd_give_pasid(pdd);
	if (pdd->drm_file)
		fput(pdd->drm_file);
	pdd->drm_file = NULL;
}

/** kfdm_pdd_destroy() - undo kfdm_pdd_create(); all buffers of the process have been freed */
void kfdm_pdd_destroy(struct kfdm_process_device *pdd)
{
	if (pdd->vm)
		kfdm_smi_process(pdd->dev, pdd->process, false);
	kfdm_profiler_forget(pdd->dev, pdd->process);
	release_vm(pdd);
	kfdm_doorbell_slice_put(pdd);
	kfdm_mes_ctx_put(pdd->dev, &pdd->mes_ctx);
	idr_destroy(&pdd->bos);
	kfdm_device_put_user(pdd->dev);
	kfree(pdd);
}

static int reserve_driver_buffers(struct kfdm_process_device *pdd)
{
	struct kfdm_apertures *a = &pdd->apertures;
	struct kfdm_bo *bo;

	if (a->ib_base) {
		bo = kfdm_bo_create_internal(pdd, a->ib_base, PAGE_SIZE, IB_FLAGS, &pdd->qpd.ib_kaddr);
		if (IS_ERR(bo))
			return PTR_ERR(bo);
		pdd->ib_bo = bo;
	}

	if (!pdd->dev->cwsr_enabled)
		return 0;
	bo = kfdm_bo_create_internal(pdd, a->cwsr_base, KFDM_CWSR_TBA_TMA_SIZE, CWSR_FLAGS, &pdd->qpd.cwsr_kaddr);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	pdd->cwsr_bo = bo;
	memset(pdd->qpd.cwsr_kaddr, 0, KFDM_CWSR_TBA_TMA_SIZE);
	pdd->qpd.map.tba_addr = a->cwsr_base;
	pdd->qpd.map.tma_addr = a->cwsr_base + kfdm_abi->tma_offset;
	kfdm_pdd_set_debug_flag(pdd, pdd->process->debug.attached);
	return 0;
}

/**
 * kfdm_pdd_acquire_vm() - ACQUIRE_VM
 * @pdd:      process and device; process's mutex held
 * @drm_file: open render node
 *
 * Return: 0 (also for the same file again), -EBUSY: another file was acquired, -EINVAL: no render node of this device or its
 * VM is taken, -ENOMEM.
 */
int kfdm_pdd_acquire_vm(struct kfdm_process_device *pdd, struct file *drm_file)
{
	int ret;

	if (pdd->drm_file)
		return pdd->drm_file == drm_file ? 0 : -EBUSY;
	ret = kfdm_pdd_take_pasid(pdd);
	if (ret)
		return ret;
	ret = kfdm_kgd->vm_acquire(pdd->dev->adev, drm_file, pdd->qpd.map.pasid, &pdd->vm);
	if (ret) {
		kfdm_pdd_give_pasid(pdd);
		return ret;
	}
	pdd->drm_file = get_file(drm_file);
	ret = reserve_driver_buffers(pdd);
	if (ret)
		release_vm(pdd);
	else
		kfdm_smi_process(pdd->dev, pdd->process, true);
	return ret;
}

/** kfdm_pdd_rename() - from now on the process calls the device @user_gpu_id. Context: process's mutex */
void kfdm_pdd_rename(struct kfdm_process_device *pdd, u32 user_gpu_id)
{
	pdd->user_gpu_id = user_gpu_id;
	pdd->process->svm.gpus.id[pdd->index] = user_gpu_id;
}

/** kfdm_pdd_bind() - is the process ready to use the device? Return: 0, -ENODEV: no VM */
int kfdm_pdd_bind(struct kfdm_process_device *pdd)
{
	return pdd->vm && !pdd->dequeued ? 0 : -ENODEV;
}

/**
 * kfdm_pdd_set_trap_handler() - SET_TRAP_HANDLER
 * @pdd: bound
 * @tba: user's second-level handler; without CWSR the only one
 * @tma: its memory
 */
void kfdm_pdd_set_trap_handler(struct kfdm_process_device *pdd, u64 tba, u64 tma)
{
	struct kfdm_dqm *dqm = pdd->dev->dqm;
	u64 *second_level;

	if (pdd->qpd.cwsr_kaddr) {
		second_level = pdd->qpd.cwsr_kaddr + kfdm_abi->tma_offset;
		WRITE_ONCE(second_level[0], tba);
		WRITE_ONCE(second_level[1], tma);
		return;
	}
	kfdm_dqm_lock(dqm);
	pdd->qpd.map.tba_addr = tba;
	pdd->qpd.map.tma_addr = tma;
	kfdm_dqm_unlock(dqm);
}

/** kfdm_pdd_set_debug_flag() - tell the trap handler whether the process is debugged; later, if it has none yet. Context: process's mutex */
void kfdm_pdd_set_debug_flag(struct kfdm_process_device *pdd, bool on)
{
	u64 *second_level = pdd->qpd.cwsr_kaddr + kfdm_abi->tma_offset;

	if (pdd->qpd.cwsr_kaddr)
		WRITE_ONCE(second_level[2], on);
}

/** kfdm_pdd_dequeue() - the process leaves the device for good: nothing of it runs there when this returns */
void kfdm_pdd_dequeue(struct kfdm_process_device *pdd)
{
	if (pdd->dequeued)
		return;
	kfdm_dqm_terminate(pdd->dev->dqm, &pdd->qpd);
	pdd->dequeued = true;
}
