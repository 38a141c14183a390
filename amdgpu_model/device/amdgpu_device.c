// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_device.c - from a PCI function to a working GPU and back
 *
 * Two halves. Software (VRAM, IOMMU, silicon, memory of the IP blocks) lives until the last user of the DRM device is gone: it is
 * freed by a DRM-managed action, so that a buffer or an open file that survives the removal of the device finds what it needs to
 * die. Hardware (IP blocks programmed, worker running, KFD notified) ends when the device is removed.
 */
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <linux/module.h>

#include "amdgpu_devices.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/base/amdgpu_kunit.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/ih/amdgpu_ih.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_iommu.h"
#include "amdgpu_model/mem/amdgpu_migrate.h"
#include "amdgpu_model/mem/amdgpu_vram.h"
#include "amdgpu_model/pm/amdgpu_pm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"
#include "amdgpu_model/sysfs/amdgpu_sysfs.h"

#define SUSPEND_WAIT	(3 * HZ)	/* for jobs that are under way */

static struct amdm_device *amdm_devices[32];
static DEFINE_MUTEX(amdm_devices_mutex);

/** amdm_device_get() - the GPU of an index with a reference, NULL if there is none */
struct amdm_device *amdm_device_get(u32 index)
{
	struct amdm_device *adev = NULL;

	mutex_lock(&amdm_devices_mutex);
	if (index < ARRAY_SIZE(amdm_devices))
		adev = amdm_devices[index];
	if (adev)
		drm_dev_get(&adev->ddev);
	mutex_unlock(&amdm_devices_mutex);
	return adev;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_device_get);

/** amdm_device_put() - undo amdm_device_get() */
void amdm_device_put(struct amdm_device *adev)
{
	drm_dev_put(&adev->ddev);
}
EXPORT_SYMBOL_IF_KUNIT(amdm_device_put);

static void amdm_device_publish(struct amdm_device *adev, bool on)
{
	mutex_lock(&amdm_devices_mutex);
	amdm_devices[adev->index] = on ? adev : NULL;
	mutex_unlock(&amdm_devices_mutex);
}

static int amdm_device_hw_init(struct amdm_device *adev)
{
	int ret;

	while (adev->hw_blocks < adev->asic->num_blocks) {
		const struct amdm_ip_block *block = adev->asic->blocks[adev->hw_blocks];

		ret = block->hw_init ? block->hw_init(adev) : 0;
		if (ret) {
			dev_err(&adev->pdev->dev, "hw_init of IP block <%s> failed %d\n", block->name, ret);
			return ret;
		}
		adev->hw_blocks++;
	}
	return 0;
}

static void amdm_device_hw_fini(struct amdm_device *adev)
{
	while (adev->hw_blocks) {
		const struct amdm_ip_block *block = adev->asic->blocks[--adev->hw_blocks];

		if (block->hw_fini)
			block->hw_fini(adev);
	}
}

static int amdm_device_sw_init(struct amdm_device *adev)
{
	int ret;

	while (adev->sw_blocks < adev->asic->num_blocks) {
		const struct amdm_ip_block *block = adev->asic->blocks[adev->sw_blocks];

		ret = block->sw_init ? block->sw_init(adev) : 0;
		if (ret) {
			dev_err(&adev->pdev->dev, "sw_init of IP block <%s> failed %d\n", block->name, ret);
			return ret;
		}
		adev->sw_blocks++;
	}
	return 0;
}

static void amdm_device_reset_work(struct work_struct *work)
{
	struct amdm_device *adev = container_of(work, struct amdm_device, reset_work);

	amdm_device_reset(adev, READ_ONCE(adev->reset_cause));
}

/* Registers, queues and waves are lost; jobs that the rings have not done are kept. reset_mutex held. */
static void amdm_device_take_down(struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++)
		amdm_recover_stop(adev->rings[i], NULL);
	WRITE_ONCE(adev->in_reset, true);
	amdm_device_hw_fini(adev);
	for (i = 0; i < adev->num_rings; i++)
		amdm_recover_settle(adev->rings[i]);
	amdm_glue_reset(adev);
	amdm_vmids_forget(adev);
}

/* The jobs go on even if not all blocks work: those of the others fail. Return: 0, or what a block gave. */
static int amdm_device_bring_up(struct amdm_device *adev)
{
	int ret = amdm_device_hw_init(adev);
	u32 i;

	WRITE_ONCE(adev->in_reset, false);
	for (i = 0; i < adev->num_rings; i++)
		amdm_recover_start(adev->rings[i]);
	return ret;
}

/* What XGMI joins to the CPU is reset by MODE2, which leaves VRAM alone (Linux: soc15_asic_reset_method()). */
static bool amdm_device_reset_loses_vram(const struct amdm_device *adev)
{
	return adev->asic->gen->mode1_reset && !adev->xgmi_to_cpu;
}

static void amdm_device_go_down(struct amdm_device *adev, const char *cause)
{
	amdm_kfd_pre_reset(adev, cause);
	amdm_device_take_down(adev);
	if (amdm_device_reset_loses_vram(adev)) {
		dev_info(&adev->pdev->dev, "VRAM is lost due to GPU reset!\n");
		amdm_evict_lose(adev);
		amdm_migrate_lose(adev);
		WRITE_ONCE(adev->vram_losses, adev->vram_losses + 1);
	}
	adev->resets++;
}

static void amdm_device_come_up(struct amdm_device *adev)
{
	int ret = amdm_device_bring_up(adev);

	amdm_kfd_post_reset(adev);
	if (ret)
		dev_err(&adev->pdev->dev, "GPU reset(%u) failed\n", adev->resets);
	else
		dev_info(&adev->pdev->dev, "GPU reset(%u) succeeded!\n", adev->resets);
}

/* Those of its hive that are awake, and will be there until drm_dev_exit(). */
static void amdm_device_gather_others(struct amdm_device *adev, struct list_head *others)
{
	struct amdm_device *other;

	list_for_each_entry(other, &adev->hive->members, in_hive) {
		if (other != adev && !other->sleeps && drm_dev_enter(&other->ddev, &other->reset_idx))
			list_add_tail(&other->reset_with, others);
	}
}

/*
 * Whole-GPU reset of a device that is there (drm_dev_enter()), and of all others of its hive; reset_mutex held. Registers, queues and waves
 * are lost, and what is in VRAM as the chip's way of being reset has it. KFD stops before and goes on afterwards. None comes up before all
 * are down: they reach each other's memory.
 */
static void amdm_device_reset_locked(struct amdm_device *adev, const char *cause)
{
	struct amdm_device *other;
	LIST_HEAD(others);

	dev_info(&adev->pdev->dev, "GPU reset begin!\n");
	amdm_device_gather_others(adev, &others);
	amdm_kfd_resets_begin();
	amdm_device_go_down(adev, cause);
	list_for_each_entry(other, &others, reset_with)
		amdm_device_go_down(other, cause);
	amdm_device_come_up(adev);
	list_for_each_entry(other, &others, reset_with) {
		amdm_device_come_up(other);
		drm_dev_exit(other->reset_idx);
	}
	amdm_kfd_resets_end();
}

/**
 * amdm_device_reset() - whole-GPU reset of a device that may be going
 * @adev:  device
 * @cause: why, as Linux 7.2 words it (amdgpu_reset_get_desc()): KFD tells it to who listens for resets
 */
void amdm_device_reset(struct amdm_device *adev, const char *cause)
{
	int idx;

	if (!drm_dev_enter(&adev->ddev, &idx))
		return;
	mutex_lock(&adev->hive->reset_mutex);
	if (!adev->sleeps)	/* it will wake as new */
		amdm_device_reset_locked(adev, cause);
	mutex_unlock(&adev->hive->reset_mutex);
	drm_dev_exit(idx);
}

/**
 * amdm_device_suspend() - the machine goes to sleep, and the GPU loses its power
 * @adev: device; user space is frozen
 *
 * VRAM keeps what is in it: Linux moves it to system memory and back (amdgpu_device_evict_resources()), and here it is system memory.
 * Return: 0, -EBUSY: a job does not end, so the machine had better stay awake.
 */
int amdm_device_suspend(struct amdm_device *adev)
{
	int ret = amdm_rings_wait_idle(adev, SUSPEND_WAIT);

	if (ret)
		return ret;
	mutex_lock(&adev->hive->reset_mutex);
	amdm_kfd_suspend(adev);
	amdm_device_take_down(adev);
	adev->sleeps = true;
	mutex_unlock(&adev->hive->reset_mutex);
	return 0;
}

/** amdm_device_resume() - undo amdm_device_suspend(). Return: 0, or what does not work any more */
int amdm_device_resume(struct amdm_device *adev)
{
	int ret, kfd;

	mutex_lock(&adev->hive->reset_mutex);
	adev->sleeps = false;
	ret = amdm_device_bring_up(adev);
	kfd = amdm_kfd_resume(adev);
	mutex_unlock(&adev->hive->reset_mutex);
	return ret ? ret : kfd;
}

static void amdm_device_release(struct drm_device *ddev, void *unused)
{
	struct amdm_device *adev = amdm_from_drm(ddev);
	u32 i;

	if (adev->vm_wq)
		destroy_workqueue(adev->vm_wq);
	amdm_rings_fini(adev);
	amdm_vmids_fini(adev);
	while (adev->sw_blocks) {
		const struct amdm_ip_block *block = adev->asic->blocks[--adev->sw_blocks];

		if (block->sw_fini)
			block->sw_fini(adev);
	}
	if (adev->userptr_wq)
		destroy_workqueue(adev->userptr_wq);
	if (adev->recover_wq)
		destroy_workqueue(adev->recover_wq);
	WARN_ON(atomic64_read(&adev->pt_bytes) || atomic64_read(&adev->gtt_bytes) || atomic64_read(&adev->user_pages));
	for (i = 0; i < ARRAY_SIZE(adev->kfd_vram); i++)
		WARN_ON(atomic64_read(&adev->kfd_vram[i]));
	amdm_iommu_fini(adev);
	amdm_migrate_fini(adev);
	amdm_vram_fini(adev);
	amdm_glue_fini(adev);
	amdm_hive_put(adev);
}

static int amdm_device_base_init(struct amdm_device *adev)
{
	u64 vram_mb = amdm_param.vram_mb ? min_t(u64, amdm_param.vram_mb, adev->chip->vram_mb) : adev->chip->vram_mb;
	int ret = amdm_hive_get(adev);
	u32 i;

	if (ret)
		return ret;
	mutex_init(&adev->srbm_mutex);
	mutex_init(&adev->reserve_mutex);
	amdm_pm_init(adev);
	mutex_init(&adev->grbm_idx_mutex);
	mutex_init(&adev->gpu_clock_mutex);
	mutex_init(&adev->tlb_mutex);
	mutex_init(&adev->fdinfo_mutex);
	for (i = 0; i < ARRAY_SIZE(adev->kiq); i++)
		mutex_init(&adev->kiq[i].lock);
	spin_lock_init(&adev->kfd_lock);
	INIT_WORK(&adev->reset_work, amdm_device_reset_work);
	adev->reset_locked = amdm_device_reset_locked;
	adev->ih.rings = amdm_rings_interrupt;
	amdm_vmids_init(adev);
	amdm_iommu_init(adev);
	amdm_vram_init(adev, vram_mb << 20);
	amdm_evict_init(adev);
	ret = drmm_add_action_or_reset(&adev->ddev, amdm_device_release, NULL);
	if (ret)
		return ret;
	ret = amdm_xcp_nodes_alloc(adev);
	if (!ret)
		ret = amdm_migrate_init(adev);
	if (ret)
		return ret;
	adev->recover_wq = alloc_ordered_workqueue("amdgpu_recover", 0);
	adev->vm_wq = alloc_workqueue("amdgpu_vm", WQ_UNBOUND, 0);
	adev->userptr_wq = alloc_workqueue("amdgpu_userptr", WQ_UNBOUND,
					   AMDM_USERPTR_WORKERS);
	return adev->recover_wq && adev->vm_wq && adev->userptr_wq ? 0 : -ENOMEM;
}

static const struct amdm_wires amdm_device_wires = {
	.vram_page = amdm_vram_gpu_page,
	.bus_page = amdm_iommu_page,
	.bus_serve = amdm_iommu_serve,
	.interrupt = amdm_ih_process,
};

static int amdm_device_identify(struct amdm_device *adev)
{
	u32 cus;

	adev->chip = amdm_chip_find(amdm_param.chip, adev->index, &adev->chip_row);
	adev->asic = adev->chip ? amdm_asic_find(adev->chip) : NULL;
	adev->sdma = adev->asic ? amdm_sdma_find(adev->asic) : NULL;
	if (!adev->sdma)
		return -ENODEV;
	adev->num_xcc = amdm_chip_xccs(adev->chip);
	adev->xgmi_to_cpu = amdm_param.xgmi_to_cpu;
	adev->hive_id = amdm_param.xgmi ? amdm_hive_id(amdm_param.chip, adev->index) : 0;
	cus = amdm_chip_cus(adev->chip);
	/* Each compute die has at least one. */
	adev->cu_active = amdm_param.cus ? clamp(amdm_param.cus, adev->num_xcc, cus) : cus;
	amdm_chip_harvest(adev->chip, adev->cu_active, adev->cu_bitmap);
	return amdm_xcps_init(adev, amdm_param.user_partt_mode);
}

static int amdm_device_show_nodes(struct amdm_device *adev)
{
	int ret = drm_dev_register(&adev->ddev, 0);

	if (ret)
		return ret;
	ret = amdm_xcp_nodes_register(adev);
	if (ret) {
		amdm_xcp_nodes_unplug(adev);
		drm_dev_unregister(&adev->ddev);
	}
	return ret;
}

static int amdm_device_start(struct amdm_device *adev)
{
	int ret;

	ret = amdm_device_sw_init(adev);
	if (ret)
		return ret;
	ret = amdm_glue_start(adev);
	if (ret)
		return ret;
	ret = amdm_device_hw_init(adev);
	if (ret)
		goto down;
	amdm_hive_join(adev);
	ret = amdm_sysfs_init(adev);
	if (!ret)
		ret = amdm_device_show_nodes(adev);
	if (!ret)
		return 0;
	amdm_hive_leave(adev);
down:
	amdm_device_hw_fini(adev);
	amdm_glue_stop(adev);
	return ret;
}

/** amdm_device_init() - bring up a GPU; adev->ddev and adev->pdev are there */
int amdm_device_init(struct amdm_device *adev)
{
	int ret;

	ret = amdm_device_identify(adev);
	if (ret)
		return ret;
	ret = amdm_device_base_init(adev);
	if (ret)
		return ret;
	ret = amdm_glue_init(adev, &amdm_device_wires);
	if (ret)
		return ret;
	ret = amdm_device_start(adev);
	if (ret)
		return ret;
	amdm_device_publish(adev, true);
	amdm_kfd_add(adev);
	dev_info(&adev->pdev->dev, "%s (%s), %u of %u CUs, %llu MiB VRAM\n", adev->chip->product, adev->asic->die.name,
		 adev->cu_active, amdm_xccs(adev) * adev->chip->num_se * adev->chip->num_sh * adev->chip->cu_built,
		 adev->vram.size >> 20);
	return 0;
}

/** amdm_device_fini() - the device is removed; what open files and buffers need stays until they are gone */
void amdm_device_fini(struct amdm_device *adev)
{
	amdm_device_publish(adev, false);
	amdm_xcp_nodes_unplug(adev);
	drm_dev_unplug(&adev->ddev);
	amdm_hive_leave(adev);
	amdm_kfd_remove(adev);
	amdm_migrate_close(adev);
	cancel_work_sync(&adev->reset_work);	/* KFD may have asked for one while it went */
	amdm_device_hw_fini(adev);
	amdm_glue_stop(adev);
}
