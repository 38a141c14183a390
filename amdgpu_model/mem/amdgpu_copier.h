/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_copier.h - pages that the driver has an engine carry: what mem/ asks of sdma/.
 */
#ifndef AMDGPU_COPIER_H
#define AMDGPU_COPIER_H

#include "amdgpu_model/base/amdgpu_device.h"

#define AMDM_COPY_PAGES	512	/* at once: 2 MiB */

/**
 * struct amdm_copy - pages of system memory and the VRAM that belongs to them
 * @count:   how many, AMDM_COPY_PAGES at most
 * @to_vram: direction
 * @ram:     pages of system memory
 * @vram:    offset of each one's other place; the page behind it is there already
 */
struct amdm_copy {
	unsigned long count;
	bool to_vram;
	struct page *ram[AMDM_COPY_PAGES];
	u64 vram[AMDM_COPY_PAGES];
};

/**
 * struct amdm_copier - an engine that copies
 * @copy:  copy pages, and wait until they have been. Process context; any lock may be held that a job's end does not need, mmap_lock as
 *         well. Return: 0; -ENODEV, -EBUSY: no engine works; -ETIME: none has had time; -ENOMEM, -ENOSPC, or the error that the job ended
 *         with: some pages may have been copied
 */
struct amdm_copier {
	int (*copy)(struct amdm_device *adev, struct amdm_copy *pages);
};

#endif
