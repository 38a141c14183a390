// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_metrics.c - the table that gpu_metrics holds
 *
 * The model knows its clocks, its link and how busy it is, and it is never too hot to run at full speed. What it does not know (degrees,
 * watts, volts, fans, clocks of blocks that it has not) has all bits set, as the driver leaves what a firmware does not report.
 */
#include <linux/string.h>

#include "amdgpu_metrics.h"

#define METRICS_LANES		16	/* PCIe 3.0 x16, as in amdgpu_amdkfd.c */
#define METRICS_LINK_SPEED	80

static void metrics_state(struct amdm_metrics_state *state, const struct amdm_metrics_now *now)
{
	state->gfx_activity = now->gfx_activity;
	state->memory_activity = now->memory_activity;
}

static void metrics_clocks(struct amdm_metrics_clocks *clocks, const struct amdm_metrics_now *now)
{
	clocks->gfx = now->gfx_mhz;
	clocks->memory = now->memory_mhz;
}

static size_t metrics_1_0(const struct amdm_metrics_now *now, struct amdm_metrics_1_0 *t)
{
	t->time = now->time;
	metrics_state(&t->state, now);
	metrics_clocks(&t->average, now);
	metrics_clocks(&t->current_, now);
	t->throttle = 0;
	t->link_width = METRICS_LANES;
	t->link_speed = METRICS_LINK_SPEED;
	return sizeof(*t);
}

static size_t metrics_1_3(const struct amdm_metrics_now *now, struct amdm_metrics_1_3 *t)
{
	t->time = now->time;
	metrics_state(&t->state, now);
	metrics_clocks(&t->average, now);
	metrics_clocks(&t->current_, now);
	t->throttle = 0;
	t->throttle_reasons = 0;
	t->link_width = METRICS_LANES;
	t->link_speed = METRICS_LINK_SPEED;
	return sizeof(*t);
}

/**
 * amdm_metrics_build() - fill a table
 * @revision: of its contents: 0 or 3
 * @now:      what there is to tell
 * @table:    out
 * Return: its bytes.
 */
size_t amdm_metrics_build(u8 revision, const struct amdm_metrics_now *now, union amdm_metrics *table)
{
	size_t size;

	memset(table, 0xff, sizeof(*table));
	size = revision ? metrics_1_3(now, &table->v1_3) : metrics_1_0(now, &table->v1_0);
	table->header = (struct amdm_metrics_header){ .size = size, .format = 1, .content = revision };
	return size;
}
