// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_info.c - AMDGPU_INFO: what user space asks at device open
 *
 * Each query fills a structure, which is cut to the size that the caller has room for. Answers are true: there are no video
 * engines, no RAS; of power management there are the clocks and the load. Unknown queries give -EINVAL, as in amdgpu_kms.c; so does
 * VIDEO_CAPS, as on a chip without a video block. Registers are amdgpu_info_mmr.c's, DEV_INFO is amdgpu_info_device.c's.
 */
#include <drm/drm_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_refused.h"
#include "amdgpu_model/cs/amdgpu_ctx.h"
#include "amdgpu_model/gfx/amdgpu_gfx.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

union amdm_info_answer {
	u32 u32;
	u64 u64;
	struct drm_amdgpu_info_hw_ip ip;
	struct drm_amdgpu_info_firmware fw;
	struct drm_amdgpu_info_gds gds;
	struct drm_amdgpu_info_vram_gtt vram_gtt;
	struct drm_amdgpu_memory_info memory;
	struct drm_amdgpu_info_device device;
	struct drm_amdgpu_info_num_handles handles;
	struct drm_amdgpu_info_vbios vbios;
	struct drm_amdgpu_info_vce_clock_table vce;
};

#define INFO_RESERVED_VRAM	(8ULL << 20)	/* AMDGPU_VM_RESERVED_VRAM: page tables */
#define INFO_FW_NONE		9		/* a number that no AMDGPU_INFO_FW_ has */
#define INFO_TA_FIRST		2		/* TA_FW_TYPE_PSP_XGMI */
#define INFO_TA_LAST		7		/* TA_FW_TYPE_PSP_SECUREDISPLAY */

static u64 amdm_info_vram_usable(struct amdm_device *adev)
{
	u64 taken = AMDM_GART_TABLE_BYTES + INFO_RESERVED_VRAM;

	return adev->vram.size > taken ? adev->vram.size - taken : 0;
}

static void amdm_info_heap(struct drm_amdgpu_heap_info *heap, u64 total, u64 usable, u64 used)
{
	heap->total_heap_size = total;
	heap->usable_heap_size = usable;
	heap->heap_usage = used;
	heap->max_allocation = usable / 4 * 3;
}

static int amdm_info_memory(struct amdm_device *adev, union amdm_info_answer *a)
{
	u64 usable = amdm_info_vram_usable(adev), used = amdm_vram_used(adev);

	amdm_info_heap(&a->memory.vram, adev->vram.size, usable, used);
	amdm_info_heap(&a->memory.cpu_accessible_vram, adev->vram.size, usable, used);
	amdm_info_heap(&a->memory.gtt, amdm_gtt_size(), amdm_gtt_size(), atomic64_read(&adev->gtt_bytes));
	return sizeof(a->memory);
}

static int amdm_info_hw_ip(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	u32 type = info->query_hw_ip.type, version;

	if (type >= AMDM_HW_IPS || info->query_hw_ip.ip_instance >= AMDGPU_HW_IP_INSTANCE_MAX_COUNT)
		return -EINVAL;
	if (type != AMDGPU_HW_IP_GFX && type != AMDGPU_HW_IP_COMPUTE && type != AMDGPU_HW_IP_DMA)
		return sizeof(a->ip);
	version = type == AMDGPU_HW_IP_DMA ? adev->asic->die.sdma_version : adev->asic->die.gc_version;
	a->ip.ib_start_alignment = type == AMDGPU_HW_IP_DMA ? 256 : 32;
	a->ip.ib_size_alignment = type == AMDGPU_HW_IP_DMA ? 4 : 32;
	a->ip.hw_ip_version_major = version >> 16;
	a->ip.hw_ip_version_minor = type == AMDGPU_HW_IP_DMA ? adev->asic->die.sdma_minor : adev->asic->die.gc_minor;
	a->ip.available_rings = (1u << amdm_ctx_entities_of(adev, type)) - 1;
	a->ip.ip_discovery_version = adev->asic->gen->ip_versions ? version : 0;
	return sizeof(a->ip);
}

static int amdm_info_hw_ip_count(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	if (info->query_hw_ip.type >= AMDM_HW_IPS)
		return -EINVAL;
	a->u32 = info->query_hw_ip.type == AMDGPU_HW_IP_GFX || info->query_hw_ip.type == AMDGPU_HW_IP_COMPUTE ||
		 info->query_hw_ip.type == AMDGPU_HW_IP_DMA;
	return sizeof(a->u32);
}

static int amdm_info_fw(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	if (info->query_fw.ip_instance)
		return -EINVAL;
	switch (info->query_fw.fw_type) {
	case AMDGPU_INFO_FW_GFX_MEC:
		if (info->query_fw.index > 1)
			return -EINVAL;
		a->fw.ver = adev->asic->die.mec_fw;
		break;
	case AMDGPU_INFO_FW_SDMA:
		if (info->query_fw.index >= adev->sdma->engines)
			return -EINVAL;
		a->fw.ver = adev->asic->die.sdma_fw;
		break;
	case AMDGPU_INFO_FW_TA:
		if (info->query_fw.index < INFO_TA_FIRST || info->query_fw.index > INFO_TA_LAST)
			return -EINVAL;
		break;
	default:
		/* Blocks without firmware here answer version 0, as blocks that were not loaded do. */
		if (info->query_fw.fw_type < AMDGPU_INFO_FW_VCE || info->query_fw.fw_type > AMDGPU_INFO_FW_IMU ||
		    info->query_fw.fw_type == INFO_FW_NONE)
			return -EINVAL;
	}
	return sizeof(a->fw);
}

static int amdm_info_vbios(const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	if (info->vbios_info.type == AMDGPU_INFO_VBIOS_SIZE)
		return sizeof(a->u32);	/* there is none: 0 bytes */
	return info->vbios_info.type == AMDGPU_INFO_VBIOS_INFO ? sizeof(a->vbios) : -EINVAL;
}

/* UVD's handles: none are in use. */
static int amdm_info_handles(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	if (info->query_hw_ip.type != AMDGPU_HW_IP_UVD)
		return -EINVAL;
	return adev->asic->die.counts_uvd_handles ? (int)sizeof(a->handles) : -ENODATA;
}

/* Temperatures, voltages and power are not known: as where the firmware does not tell. */
static int amdm_info_sensor(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	switch (info->sensor_info.type) {
	case AMDGPU_INFO_SENSOR_GFX_SCLK:
	case AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK:
		a->u32 = adev->chip->clock_mhz;
		break;
	case AMDGPU_INFO_SENSOR_GFX_MCLK:
	case AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK:
		a->u32 = adev->chip->memory_mhz;
		break;
	case AMDGPU_INFO_SENSOR_GPU_LOAD:
		a->u32 = amdm_glue_load(adev).kernels;
		break;
	default:
		return -EINVAL;
	}
	return sizeof(a->u32);
}

/* Fill *a; returns its size or an errno. */
static int amdm_info_query(struct amdm_device *adev, const struct drm_amdgpu_info *info, union amdm_info_answer *a)
{
	switch (info->query) {
	case AMDGPU_INFO_ACCEL_WORKING:
		a->u32 = 1;
		return sizeof(a->u32);
	case AMDGPU_INFO_HW_IP_INFO:
		return amdm_info_hw_ip(adev, info, a);
	case AMDGPU_INFO_HW_IP_COUNT:
		return amdm_info_hw_ip_count(adev, info, a);
	case AMDGPU_INFO_TIMESTAMP:
		a->u64 = amdm_gfx_clock(adev);
		return sizeof(a->u64);
	case AMDGPU_INFO_FW_VERSION:
		return amdm_info_fw(adev, info, a);
	case AMDGPU_INFO_NUM_BYTES_MOVED:
		a->u64 = atomic64_read(&adev->placement.moved);
		return sizeof(a->u64);
	case AMDGPU_INFO_NUM_EVICTIONS:
		a->u64 = atomic64_read(&adev->placement.evictions);
		return sizeof(a->u64);
	case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:	/* in VRAM that CPUs do not see: there is none */
		return sizeof(a->u64);
	case AMDGPU_INFO_RAS_ENABLED_FEATURES:
		return adev->asic->die.asks_ras ? (int)sizeof(a->u64) : -EINVAL;
	case AMDGPU_INFO_NUM_HANDLES:
		return amdm_info_handles(adev, info, a);
	case AMDGPU_INFO_VRAM_USAGE:
	case AMDGPU_INFO_VIS_VRAM_USAGE:
		a->u64 = amdm_vram_used(adev);
		return sizeof(a->u64);
	case AMDGPU_INFO_GTT_USAGE:
		a->u64 = atomic64_read(&adev->gtt_bytes);
		return sizeof(a->u64);
	case AMDGPU_INFO_GDS_CONFIG:
		a->gds.compute_partition_size = amdm_onchip_size(adev, AMDM_GDS);
		a->gds.gds_total_size = amdm_onchip_size(adev, AMDM_GDS);
		a->gds.gws_per_compute_partition = amdm_onchip_size(adev, AMDM_GWS);
		a->gds.oa_per_compute_partition = amdm_onchip_size(adev, AMDM_OA);
		return sizeof(a->gds);
	case AMDGPU_INFO_VRAM_GTT:
		a->vram_gtt.vram_size = amdm_info_vram_usable(adev);
		a->vram_gtt.vram_cpu_accessible_size = a->vram_gtt.vram_size;
		a->vram_gtt.gtt_size = amdm_gtt_size();
		return sizeof(a->vram_gtt);
	case AMDGPU_INFO_MEMORY:
		return amdm_info_memory(adev, a);
	case AMDGPU_INFO_DEV_INFO:
		amdm_info_device(adev, &a->device);
		return sizeof(a->device);
	case AMDGPU_INFO_VBIOS:
		return amdm_info_vbios(info, a);
	case AMDGPU_INFO_VRAM_LOST_COUNTER:
		a->u32 = READ_ONCE(adev->vram_losses);
		return sizeof(a->u32);
	case AMDGPU_INFO_SENSOR:
		return amdm_info_sensor(adev, info, a);
	case AMDGPU_INFO_VCE_CLOCK_TABLE:
		return sizeof(a->vce);	/* an empty table: there is no VCE */
	default:
		amdm_refused("AMDGPU_INFO", info->query);
		return -EINVAL;
	}
}

/** amdm_info_ioctl() - DRM_IOCTL_AMDGPU_INFO */
int amdm_info_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct amdm_device *adev = amdm_from_drm(ddev);
	const struct drm_amdgpu_info *info = data;
	void __user *out = u64_to_user_ptr(info->return_pointer);
	union amdm_info_answer *answer;
	int ret;

	if (!info->return_size || !info->return_pointer)
		return -EINVAL;
	if (info->query == AMDGPU_INFO_READ_MMR_REG)
		return amdm_info_mmr(adev, info, out);
	answer = kzalloc(sizeof(*answer), GFP_KERNEL);
	if (!answer)
		return -ENOMEM;
	ret = amdm_info_query(adev, info, answer);
	if (ret > 0)
		ret = copy_to_user(out, answer, min_t(u32, info->return_size, ret)) ? -EFAULT : 0;
	kfree(answer);
	return ret;
}
