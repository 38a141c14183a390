/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_migrate.h - memory of processes that lies in VRAM.
 */
#ifndef AMDGPU_MIGRATE_H
#define AMDGPU_MIGRATE_H

#include "amdgpu_model/base/amdgpu_device.h"

struct amdm_migrate;
struct mm_struct;

#if IS_ENABLED(CONFIG_DEVICE_PRIVATE)

static inline bool amdm_migrate_is_built(void)
{
	return true;
}

int amdm_migrate_init(struct amdm_device *adev);
void amdm_migrate_close(struct amdm_device *adev);
void amdm_migrate_fini(struct amdm_device *adev);
int amdm_migrate(struct amdm_device *adev, struct mm_struct *mm, struct kfd_bridge_migration what);
void amdm_migrate_lose(struct amdm_device *adev);

#else

/* Without it a page of a process is always one of the host's. */
static inline bool amdm_migrate_is_built(void)
{
	return false;
}

static inline int amdm_migrate_init(struct amdm_device *adev)
{
	return 0;
}

static inline void amdm_migrate_close(struct amdm_device *adev)
{
}

static inline void amdm_migrate_fini(struct amdm_device *adev)
{
}

static inline int amdm_migrate(struct amdm_device *adev, struct mm_struct *mm, struct kfd_bridge_migration what)
{
	return -EOPNOTSUPP;
}

static inline void amdm_migrate_lose(struct amdm_device *adev)
{
}

#endif

#endif
