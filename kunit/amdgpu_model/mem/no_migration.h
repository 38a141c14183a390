/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * no_migration.h - for suites of what stands above amdgpu_migrate.c: a GPU whose VRAM no memory of a process ever goes to.
 */
#ifndef KUNIT_NO_MIGRATION_H
#define KUNIT_NO_MIGRATION_H

#include "amdgpu_model/mem/amdgpu_migrate.h"

#if IS_ENABLED(CONFIG_DEVICE_PRIVATE)

int amdm_migrate_init(struct amdm_device *adev)
{
	return 0;
}

void amdm_migrate_close(struct amdm_device *adev)
{
}

void amdm_migrate_fini(struct amdm_device *adev)
{
}

int amdm_migrate(struct amdm_device *adev, struct mm_struct *mm, struct kfd_bridge_migration what)
{
	return -EOPNOTSUPP;
}

void amdm_migrate_lose(struct amdm_device *adev)
{
}

#endif

#endif
