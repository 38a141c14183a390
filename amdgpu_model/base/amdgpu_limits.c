// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_limits.c - how much memory KFD buffers may take
 *
 * amdgpu_amdkfd_gpuvm.c's accounting: GTT and USERPTR buffers of all GPUs together may take the RAM that was free when the module was
 * loaded minus a 16th, GTT buffers alone three eighths of it; VRAM buffers of a GPU what it has minus an estimate for page tables, of a
 * partition its share of that. Over the limit is -ENOMEM.
 */
#include <linux/mm.h>

#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"

#define VRAM_AVAILABILITY_ALIGN	(2ULL << 20)
#define DEFAULT_GTT_BYTES	(3ULL << 30)	/* AMDGPU_DEFAULT_GTT_SIZE_MB */

static struct {
	spinlock_t lock;
	u64 system_max, system_used;	/* GTT and USERPTR */
	u64 ttm_max, ttm_used;		/* GTT */
} amdm_limits;

/** amdm_limits_init() - look at how much RAM is free (amdgpu_amdkfd_gpuvm_init_mem_limits) */
void amdm_limits_init(void)
{
	struct sysinfo si;
	u64 ram;

	si_meminfo(&si);
	ram = (u64)(si.freeram - si.freehigh) * si.mem_unit;
	spin_lock_init(&amdm_limits.lock);
	amdm_limits.system_max = ram - (ram >> 4);
	amdm_limits.ttm_max = (ram >> 1) - (ram >> 3);
}

/** amdm_limit_vram_share() - bytes of VRAM that each partition may have: as many (amdgpu_amdkfd_xcp_memory_size()) */
u64 amdm_limit_vram_share(const struct amdm_device *adev)
{
	return div_u64(adev->vram.size, max(adev->num_xcps, 1u)) & PAGE_MASK;
}

/* Without what page tables of the whole GPU may need (ESTIMATE_PT_SIZE). */
static u64 amdm_limit_vram_max(const struct amdm_device *adev)
{
	u64 reserved = max_t(u64, adev->vram.size >> 14, 8ULL << 20), share = amdm_limit_vram_share(adev);

	return share > reserved ? share - reserved : 0;
}

/** amdm_limit_charge() - take @size bytes of a kind for a partition. Return: 0, -ENOMEM: over the limit. */
int amdm_limit_charge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size)
{
	u64 vram = kind == AMDM_LIMIT_VRAM ? size : 0;
	u64 ttm = kind == AMDM_LIMIT_GTT ? size : 0;
	u64 system = kind == AMDM_LIMIT_VRAM ? 0 : size;
	u64 vram_used;
	int ret = -ENOMEM;

	spin_lock(&amdm_limits.lock);
	vram_used = atomic64_read(&adev->kfd_vram[xcp]);
	if (system <= amdm_limits.system_max - amdm_limits.system_used && ttm <= amdm_limits.ttm_max - amdm_limits.ttm_used &&
	    (!vram || (vram_used <= amdm_limit_vram_max(adev) && vram <= amdm_limit_vram_max(adev) - vram_used))) {
		amdm_limits.system_used += system;
		amdm_limits.ttm_used += ttm;
		atomic64_add(vram, &adev->kfd_vram[xcp]);
		atomic64_add(ALIGN(vram, VRAM_AVAILABILITY_ALIGN), &adev->kfd_vram_aligned[xcp]);
		ret = 0;
	}
	spin_unlock(&amdm_limits.lock);
	return ret;
}

/** amdm_limit_uncharge() - give back what amdm_limit_charge() took */
void amdm_limit_uncharge(struct amdm_device *adev, u32 xcp, enum amdm_limit kind, u64 size)
{
	spin_lock(&amdm_limits.lock);
	if (kind == AMDM_LIMIT_VRAM) {
		atomic64_sub(size, &adev->kfd_vram[xcp]);
		atomic64_sub(ALIGN(size, VRAM_AVAILABILITY_ALIGN), &adev->kfd_vram_aligned[xcp]);
	} else {
		amdm_limits.system_used -= size;
	}
	if (kind == AMDM_LIMIT_GTT)
		amdm_limits.ttm_used -= size;
	spin_unlock(&amdm_limits.lock);
}

/**
 * amdm_limit_vram_available() - what AVAILABLE_MEMORY reports (amdgpu_amdkfd_get_available_memory)
 * @xcp: partition
 *
 * Each allocation counts in units of 2 MiB, as it is likely to leave the rest of one unusable. What is pinned counts: the GART's table.
 *
 * Return: bytes, rounded down to 2 MiB.
 */
u64 amdm_limit_vram_available(struct amdm_xcp *xcp)
{
	u64 max = amdm_limit_vram_max(xcp->adev);
	u64 used = atomic64_read(&xcp->adev->kfd_vram_aligned[xcp->id]) + AMDM_GART_TABLE_BYTES;

	return used < max ? ALIGN_DOWN(max - used, VRAM_AVAILABILITY_ALIGN) : 0;
}

/** amdm_limits_get() - all there is to know, at one moment */
void amdm_limits_get(struct kfd2kgd_mem_limits *limits)
{
	spin_lock(&amdm_limits.lock);
	*limits = (struct kfd2kgd_mem_limits){
		.system_used = amdm_limits.system_used,
		.system_max = amdm_limits.system_max,
		.ttm_used = amdm_limits.ttm_used,
		.ttm_max = amdm_limits.ttm_max,
	};
	spin_unlock(&amdm_limits.lock);
}

/** amdm_gtt_size() - size of the GTT domain: half of RAM, but at least 3 GiB whatever RAM there is (amdgpu_ttm_init) */
u64 amdm_gtt_size(void)
{
	u64 ram = (u64)totalram_pages() << PAGE_SHIFT;

	return max(DEFAULT_GTT_BYTES, ram / 2) & PAGE_MASK;
}

/** amdm_gtt_left() - bytes of it that are free */
u64 amdm_gtt_left(struct amdm_device *adev)
{
	u64 size = amdm_gtt_size(), used = atomic64_read(&adev->gtt_bytes);

	return used < size ? size - used : 0;
}
