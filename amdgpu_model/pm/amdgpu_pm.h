/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_pm.h - performance levels, and which files of power management a chip has.
 */
#ifndef AMDGPU_PM_H
#define AMDGPU_PM_H

#include <linux/types.h>

struct amdm_ctx;
struct amdm_device;

/** enum amdm_pm_level - power_dpm_force_performance_level; EXIT and what is behind it is no state */
enum amdm_pm_level {
	AMDM_PM_AUTO, AMDM_PM_LOW, AMDM_PM_HIGH, AMDM_PM_MANUAL, AMDM_PM_STANDARD, AMDM_PM_MIN_SCLK, AMDM_PM_MIN_MCLK, AMDM_PM_PEAK,
	AMDM_PM_DETERMINISM, AMDM_PM_EXIT, AMDM_PM_LEVELS
};

/**
 * struct amdm_pm_facts - what Linux 6.1 has of power management for a graphics block
 * @gc_version:  graphics block
 * @metrics:     revision of gpu_metrics' table, low byte of 1.x; 0xff: no file
 * @unique_id:   the file is there
 * @no_memory_load: mem_busy_percent is not
 * @fixed_mclk:  pp_dpm_mclk cannot be written
 * @determinism: performance level perf_determinism is taken
 * @serial_is_id: serial_number is the unique id
 */
struct amdm_pm_facts {
	u32 gc_version;
	u8 metrics;
	bool unique_id, no_memory_load, fixed_mclk, determinism, serial_is_id;
};

#define AMDM_PM_NO_METRICS	0xff

const struct amdm_pm_facts *amdm_pm_facts(const struct amdm_device *adev);
const char *amdm_pm_level_name(enum amdm_pm_level level);
int amdm_pm_parse_level(const char *text);
int amdm_pm_parse_mask(const char *text, size_t count, u32 *mask);
void amdm_pm_init(struct amdm_device *adev);
enum amdm_pm_level amdm_pm_level(struct amdm_device *adev);
int amdm_pm_force(struct amdm_device *adev, enum amdm_pm_level level);
int amdm_pm_force_clock(struct amdm_device *adev, u32 mask);
u64 amdm_pm_unique_id(const struct amdm_device *adev);

/* Stable clocks of a context */
u32 amdm_pm_pstate(struct amdm_device *adev);
int amdm_pm_take(struct amdm_ctx *ctx, u32 pstate);
void amdm_pm_release(struct amdm_ctx *ctx);

#endif
