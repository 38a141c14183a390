/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Trace events, group kfd_model: what becomes of queues. A queue is mapped when it is put where the hardware runs it from (run
 * list or HQD), unmapped when it is taken out; preemption is the hardware's part of that.
 *
 *	trace-cmd record -e kfd_model -- COMMAND
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kfd_model

#if !defined(KFD_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KFD_TRACE_H

#include <linux/tracepoint.h>

#include "amdgpu_model/compat/trace.h"

DECLARE_EVENT_CLASS(kfdm_queue,
	TP_PROTO(u32 gpu, u32 pasid, u32 queue, u32 type, u32 priority, u32 doorbell),
	TP_ARGS(gpu, pasid, queue, type, priority, doorbell),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, pasid)
		__field(u32, queue)
		__field(u32, type)
		__field(u32, priority)
		__field(u32, doorbell)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->pasid = pasid;
		__entry->queue = queue;
		__entry->type = type;
		__entry->priority = priority;
		__entry->doorbell = doorbell;
	),
	TP_printk("gpu=%u pasid=0x%x queue=%u type=%s priority=%u doorbell=0x%x", __entry->gpu, __entry->pasid, __entry->queue,
		  __print_symbolic(__entry->type, { 0, "compute" }, { 1, "sdma" }, { 2, "hiq" }, { 3, "diq" }, { 4, "sdma_xgmi" }),
		  __entry->priority, __entry->doorbell)
);

#define KFDM_QUEUE_EVENT(name)										\
	DEFINE_EVENT(kfdm_queue, name,									\
		TP_PROTO(u32 gpu, u32 pasid, u32 queue, u32 type, u32 priority, u32 doorbell),		\
		TP_ARGS(gpu, pasid, queue, type, priority, doorbell))

KFDM_QUEUE_EVENT(queue_create);
KFDM_QUEUE_EVENT(queue_destroy);
KFDM_QUEUE_EVENT(queue_map);
KFDM_QUEUE_EVENT(queue_unmap);

/* @filter: enum kfdm_unmap_filter; @error: 0, or why the hardware did not let go; @us: how long it took */
TRACE_EVENT(queue_preempt,
	TP_PROTO(u32 gpu, u32 filter, int error, s64 us),
	TP_ARGS(gpu, filter, error, us),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, filter)
		__field(int, error)
		__field(s64, us)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->filter = filter;
		__entry->error = error;
		__entry->us = us;
	),
	TP_printk("gpu=%u filter=%s error=%d us=%lld", __entry->gpu,
		  __print_symbolic(__entry->filter, { 0, "queue" }, { 1, "all" }, { 2, "dynamic" }, { 3, "pasid" }),
		  __entry->error, __entry->us)
);

/* @depth: evictions that hold the process's queues, this one included */
DECLARE_EVENT_CLASS(kfdm_eviction,
	TP_PROTO(u32 gpu, u32 pasid, u32 depth),
	TP_ARGS(gpu, pasid, depth),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, pasid)
		__field(u32, depth)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->pasid = pasid;
		__entry->depth = depth;
	),
	TP_printk("gpu=%u pasid=0x%x depth=%u", __entry->gpu, __entry->pasid, __entry->depth)
);

DEFINE_EVENT(kfdm_eviction, queue_evict, TP_PROTO(u32 gpu, u32 pasid, u32 depth), TP_ARGS(gpu, pasid, depth));
DEFINE_EVENT(kfdm_eviction, queue_restore, TP_PROTO(u32 gpu, u32 pasid, u32 depth), TP_ARGS(gpu, pasid, depth));

TRACE_EVENT(gpu_reset,
	TP_PROTO(u32 gpu, const char *phase, int error),
	TP_ARGS(gpu, phase, error),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__string(phase, phase)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		kfdm_assign_str(phase, phase);
		__entry->error = error;
	),
	TP_printk("gpu=%u phase=%s error=%d", __entry->gpu, __get_str(phase), __entry->error)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH kfd_model/base
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE kfd_trace
#include <trace/define_trace.h>
