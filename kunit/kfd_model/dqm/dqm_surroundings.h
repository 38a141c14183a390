/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * dqm_surroundings.h - what the three ways to schedule call, for the suites that include one of them; to be included before it.
 */
#ifndef DQM_SURROUNDINGS_H
#define DQM_SURROUNDINGS_H

#include <linux/types.h>

/* Trace events are defined by the module; here they do nothing. */
#define KFD_TRACE_H
static inline void trace_queue_preempt(u32 gpu_id, u32 filter, int ret, u64 us)
{
}

/**
 * struct dqm_seen - how often the scheduler has asked for something
 * @hiq_mqd:  of the HIQ that it has made
 * @queues_reset, @engines_hang, @engines_reset: what resets of single queues and SDMA engines answer
 * @queue_resets, @engine_resets: how often they were asked for
 * @firmware: gets each packet that is submitted; NULL: the ring is not read
 */
struct dqm_seen {
	u32 interrupts, hangs, kills;
	u32 flushes, heavy_flushes;
	u32 hiqs, hiqs_left_hanging, rollbacks;
	u32 hiq_mqd[16];
	int queues_reset, engines_reset;
	bool engines_hang;
	u32 queue_resets, engine_resets;
	void (*firmware)(const u32 *packet);
};

extern struct dqm_seen dqm_seen;

#endif
