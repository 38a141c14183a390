// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_pm.c - performance levels
 *
 * The chip has one shader clock and one memory clock, those of chips.def, and always runs at them. So each clock has one level, which every
 * performance level stands for. What remains of power management is a record of who has asked for which level: root by sysfs, or a context
 * for the time of its life (AMDGPU_CTX_OP_SET_STABLE_PSTATE).
 *
 * Behaviour of Linux 6.1: amdgpu_pm.c, amdgpu_dpm_force_performance_level(), pp_dpm_en_umd_pstate(), amdgpu_ctx.c.
 */
#include <drm/amdgpu_drm.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "amdgpu_pm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/cs/amdgpu_ctx.h"

#define PM_MASK_MAX	(32 * 13)	/* 32 levels, each 13 characters: what of a mask is looked at (AMDGPU_MASK_BUF_MAX) */
#define PM_CLOCK_LEVELS	1

/* amdgpu_pm.c default_attr_update(); get_gpu_metrics(), set_performance_level(), get_unique_id() of powerplay/ and swsmu/ */
static const struct amdm_pm_facts pm_facts[] = {
	{ 0x070001, AMDM_PM_NO_METRICS, .determinism = true },
	{ 0x080002, AMDM_PM_NO_METRICS, .determinism = true },
	{ 0x080003, AMDM_PM_NO_METRICS, .determinism = true },
	{ 0x080004, AMDM_PM_NO_METRICS, .determinism = true },
	{ 0x090001, AMDM_PM_NO_METRICS, .unique_id = true, .no_memory_load = true, .determinism = true },
	{ 0x090201, 0, .determinism = true },
	{ 0x090400, 0, .unique_id = true, .determinism = true },
	{ 0x090401, 3, .unique_id = true, .fixed_mclk = true, .serial_is_id = true },
	{ 0x090402, 3, .unique_id = true, .fixed_mclk = true, .serial_is_id = true, .determinism = true },
	{ 0x090403, 3, .unique_id = true, .fixed_mclk = true, .serial_is_id = true, .determinism = true },
	{ 0x0a010a, 3 },
	{ 0x0a0101, 3 },
	{ 0x0a0300, 3, .unique_id = true, .serial_is_id = true },
	{ 0x0b0000, 3, .unique_id = true, .serial_is_id = true },
};

static const char *const pm_level_names[AMDM_PM_LEVELS] = {
	[AMDM_PM_AUTO] = "auto",
	[AMDM_PM_LOW] = "low",
	[AMDM_PM_HIGH] = "high",
	[AMDM_PM_MANUAL] = "manual",
	[AMDM_PM_STANDARD] = "profile_standard",
	[AMDM_PM_MIN_SCLK] = "profile_min_sclk",
	[AMDM_PM_MIN_MCLK] = "profile_min_mclk",
	[AMDM_PM_PEAK] = "profile_peak",
	[AMDM_PM_DETERMINISM] = "perf_determinism",
	[AMDM_PM_EXIT] = "profile_exit",
};

/** amdm_pm_facts() - the row of a GPU */
const struct amdm_pm_facts *amdm_pm_facts(const struct amdm_device *adev)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(pm_facts); i++)
		if (pm_facts[i].gc_version == adev->asic->die.gc_version)
			return &pm_facts[i];
	WARN_ONCE(1, "no row of power management for 0x%06x\n", adev->asic->die.gc_version);
	return &pm_facts[0];
}

/** amdm_pm_level_name() - as power_dpm_force_performance_level has it */
const char *amdm_pm_level_name(enum amdm_pm_level level)
{
	return level < AMDM_PM_LEVELS ? pm_level_names[level] : "unknown";
}

/** amdm_pm_parse_level() - the other way: a text that begins with a name. Return: enum amdm_pm_level, -EINVAL. */
int amdm_pm_parse_level(const char *text)
{
	int level;

	for (level = 0; level < AMDM_PM_LEVELS; level++)
		if (str_has_prefix(text, pm_level_names[level]))
			return level;
	return -EINVAL;
}

/**
 * amdm_pm_parse_mask() - levels of a clock: numbers with a blank or a newline between them; two of these end the list
 * @text:  what was written
 * @count: its length
 * @mask:  out
 * Return: 0, -EINVAL: something else is in it (amdgpu_read_mask).
 */
int amdm_pm_parse_mask(const char *text, size_t count, u32 *mask)
{
	char copy[PM_MASK_MAX + 1], *rest = copy, *word;
	size_t bytes = min_t(size_t, count, PM_MASK_MAX);
	u32 level;

	*mask = 0;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	while ((word = strsep(&rest, "\n ")) && *word) {
		if (kstrtou32(word, 0, &level) || level > 31)
			return -EINVAL;
		*mask |= 1u << level;
	}
	return 0;
}

/** amdm_pm_init() - as after boot */
void amdm_pm_init(struct amdm_device *adev)
{
	spin_lock_init(&adev->pm.lock);
	adev->pm.level = AMDM_PM_AUTO;
	adev->pm.level_before = AMDM_PM_AUTO;
}

/** amdm_pm_level() - the one that is in force */
enum amdm_pm_level amdm_pm_level(struct amdm_device *adev)
{
	return READ_ONCE(adev->pm.level);
}

static bool pm_is_profile(enum amdm_pm_level level)
{
	return level >= AMDM_PM_STANDARD && level <= AMDM_PM_PEAK;
}

/* pm.lock held. Return: 0, -EINVAL. */
static int pm_force_locked(struct amdm_device *adev, enum amdm_pm_level level)
{
	struct amdm_pm *pm = &adev->pm;

	if (level == pm->level)
		return 0;
	if (level == AMDM_PM_DETERMINISM && !amdm_pm_facts(adev)->determinism)
		return -EINVAL;
	if (level == AMDM_PM_EXIT) {
		if (!pm_is_profile(pm->level))
			return -EINVAL;
		level = pm->level_before;
	} else if (pm_is_profile(level) && !pm_is_profile(pm->level)) {
		pm->level_before = pm->level;
	}
	WRITE_ONCE(pm->level, level);
	return 0;
}

/** amdm_pm_force() - root wants a level, whatever a context has asked for. Return: 0, -EINVAL. */
int amdm_pm_force(struct amdm_device *adev, enum amdm_pm_level level)
{
	int ret;

	spin_lock(&adev->pm.lock);
	ret = pm_force_locked(adev, level);
	if (!ret)
		adev->pm.owner = NULL;
	spin_unlock(&adev->pm.lock);
	return ret;
}

/** amdm_pm_force_clock() - keep a clock to some of its levels. Return: 0, -EINVAL: not by hand, or there is no such level. */
int amdm_pm_force_clock(struct amdm_device *adev, u32 mask)
{
	return amdm_pm_level(adev) == AMDM_PM_MANUAL && fls(mask) <= PM_CLOCK_LEVELS ? 0 : -EINVAL;
}

/** amdm_pm_unique_id() - the number of this chip among all that were made: the model's own, and its place on the bus */
u64 amdm_pm_unique_id(const struct amdm_device *adev)
{
	return 0x0a4d0de100000000ULL + adev->index;
}

/* By AMDGPU_CTX_STABLE_PSTATE_*; none: the clocks are the driver's. */
static const enum amdm_pm_level pm_pstate_levels[] = {
	[AMDGPU_CTX_STABLE_PSTATE_NONE] = AMDM_PM_AUTO,
	[AMDGPU_CTX_STABLE_PSTATE_STANDARD] = AMDM_PM_STANDARD,
	[AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK] = AMDM_PM_MIN_SCLK,
	[AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK] = AMDM_PM_MIN_MCLK,
	[AMDGPU_CTX_STABLE_PSTATE_PEAK] = AMDM_PM_PEAK,
};

/** amdm_pm_pstate() - the level as contexts know it: AMDGPU_CTX_STABLE_PSTATE_* */
u32 amdm_pm_pstate(struct amdm_device *adev)
{
	enum amdm_pm_level level = amdm_pm_level(adev);
	u32 i;

	for (i = AMDGPU_CTX_STABLE_PSTATE_STANDARD; i < ARRAY_SIZE(pm_pstate_levels); i++)
		if (pm_pstate_levels[i] == level)
			return i;
	return AMDGPU_CTX_STABLE_PSTATE_NONE;
}

/* pm.lock held */
static int pm_take_locked(struct amdm_ctx *ctx, u32 pstate)
{
	struct amdm_device *adev = ctx->adev;
	u32 before = amdm_pm_pstate(adev);
	int ret;

	if (adev->pm.owner && adev->pm.owner != ctx)
		return -EBUSY;
	if (before == pstate)
		return 0;
	ret = pm_force_locked(adev, pm_pstate_levels[pstate]);
	if (!ret && !adev->pm.owner) {
		adev->pm.owner = ctx;
		ctx->pstate_before = before;
	}
	return ret;
}

/**
 * amdm_pm_take() - a context wants stable clocks
 * @ctx:    context; the first to change the level owns it until it goes, also if it asks for none again
 * @pstate: AMDGPU_CTX_STABLE_PSTATE_*
 * Return: 0, -EINVAL: there is no such one, -EBUSY: another context's.
 */
int amdm_pm_take(struct amdm_ctx *ctx, u32 pstate)
{
	int ret;

	if (pstate >= ARRAY_SIZE(pm_pstate_levels))
		return -EINVAL;
	pstate = array_index_nospec(pstate, ARRAY_SIZE(pm_pstate_levels));
	spin_lock(&ctx->adev->pm.lock);
	ret = pm_take_locked(ctx, pstate);
	spin_unlock(&ctx->adev->pm.lock);
	return ret;
}

/** amdm_pm_release() - a context goes: if the level is its own, the one before it comes back */
void amdm_pm_release(struct amdm_ctx *ctx)
{
	struct amdm_device *adev = ctx->adev;

	spin_lock(&adev->pm.lock);
	if (adev->pm.owner == ctx) {
		pm_take_locked(ctx, ctx->pstate_before);
		adev->pm.owner = NULL;
	}
	spin_unlock(&adev->pm.lock);
}
