// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_load.c - how busy the GPU has been lately
 *
 * Measured in wall time, as the readers (gpu_busy_percent, the sensor GPU_LOAD, gpu_metrics) expect. The worker thread reports how long
 * each slice of the silicon took; a reader adds the time since the last report. The result is the mean over one second, kept in pieces
 * of 67 ms, so that it does not depend on how often it is read. Over how long a card's firmware takes the mean is not documented.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "amdgpu_load.h"

#define SPAN_NS		(1ULL << AMDM_LOAD_SPAN_SHIFT)

/** amdm_load_init() - nothing has been done yet */
void amdm_load_init(struct amdm_load *load)
{
	memset(load, 0, sizeof(*load));
	spin_lock_init(&load->lock);
}

static void load_add(struct amdm_load *load, u64 from, u64 to, u32 memory_share)
{
	/* What is older than a second does not count. */
	from = max(from, to - min(to, AMDM_LOAD_SPANS * SPAN_NS));
	while (from < to) {
		u64 number = from >> AMDM_LOAD_SPAN_SHIFT, end = min(to, (number + 1) << AMDM_LOAD_SPAN_SHIFT);
		struct amdm_load_span *span = &load->span[number % ARRAY_SIZE(load->span)];

		if (span->number != number)
			*span = (struct amdm_load_span){ .number = number };
		span->kernels += end - from;
		span->memory += (end - from) * memory_share / AMDM_LOAD_ALL;
		from = end;
	}
}

/** amdm_load_begin() - a slice begins; @now: ns, never before an earlier one. Between slices kernels stay where they are. */
void amdm_load_begin(struct amdm_load *load, u64 now)
{
	spin_lock(&load->lock);
	if (!load->busy)
		load->until = now;
	spin_unlock(&load->lock);
}

/**
 * amdm_load_end() - it is over
 * @load:  load
 * @now:   ns
 * @busy:  kernels were on the shader engines
 * @stays_busy: and still are
 * @memory_share: of their time the memory bus was taken, of AMDM_LOAD_ALL
 */
void amdm_load_end(struct amdm_load *load, u64 now, bool busy, bool stays_busy, u32 memory_share)
{
	spin_lock(&load->lock);
	if (busy || load->busy)
		load_add(load, load->until, now, memory_share);
	load->until = now;
	load->busy = stays_busy;
	spin_unlock(&load->lock);
}

/** amdm_load_read() - shares of the last second */
struct amdm_load_percent amdm_load_read(struct amdm_load *load, u64 now)
{
	u64 number = now >> AMDM_LOAD_SPAN_SHIFT, kernels = 0, memory = 0, all;
	u32 i;

	spin_lock(&load->lock);
	for (i = 0; i < ARRAY_SIZE(load->span); i++) {
		if (load->span[i].number + AMDM_LOAD_SPANS < number || load->span[i].number > number)
			continue;
		kernels += load->span[i].kernels;
		memory += load->span[i].memory;
	}
	if (load->busy && now > load->until)
		kernels += now - load->until;
	spin_unlock(&load->lock);
	all = min_t(u64, number, AMDM_LOAD_SPANS) * SPAN_NS + (now & (SPAN_NS - 1));
	if (!all)
		return (struct amdm_load_percent){};
	return (struct amdm_load_percent){
		.kernels = min_t(u64, div64_u64(kernels * 100 + all / 2, all), 100),
		.memory = min_t(u64, div64_u64(memory * 100 + all / 2, all), 100),
	};
}
