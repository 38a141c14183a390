/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Trace events, group amdgpu: jobs of the render node, their VMIDs, mappings, buffers, interrupts. Names, fields and the text of a line
 * are those of amdgpu (Linux 6.1: amdgpu_trace.h), for the programs that read them.
 *
 *	trace-cmd record -e amdgpu -- COMMAND
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdgpu

#if !defined(AMDGPU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define AMDGPU_TRACE_H

#include <drm/gpu_scheduler.h>
#include <linux/tracepoint.h>

#include "amdgpu_iv.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/compat/trace.h"

struct amdm_bo;

TRACE_EVENT(amdgpu_iv,
	TP_PROTO(u32 ih, const struct amdm_iv *iv),
	TP_ARGS(ih, iv),
	TP_STRUCT__entry(
		__field(unsigned int, ih)
		__field(unsigned int, client_id)
		__field(unsigned int, src_id)
		__field(unsigned int, ring_id)
		__field(unsigned int, vmid)
		__field(unsigned int, vmid_src)
		__field(u64, timestamp)
		__field(unsigned int, timestamp_src)
		__field(unsigned int, pasid)
		__array(unsigned int, src_data, 4)
	),
	TP_fast_assign(
		__entry->ih = ih;
		__entry->client_id = iv->client_id;
		__entry->src_id = iv->src_id;
		__entry->ring_id = iv->ring_id;
		__entry->vmid = iv->vmid;
		__entry->vmid_src = iv->vmid_src;
		__entry->timestamp = iv->timestamp;
		__entry->timestamp_src = iv->timestamp_src;
		__entry->pasid = iv->pasid;
		memcpy(__entry->src_data, iv->src_data, sizeof(iv->src_data));
	),
	TP_printk("ih:%u client_id:%u src_id:%u ring:%u vmid:%u timestamp: %llu pasid:%u src_data: %08x %08x %08x %08x", __entry->ih,
		  __entry->client_id, __entry->src_id, __entry->ring_id, __entry->vmid, __entry->timestamp, __entry->pasid,
		  __entry->src_data[0], __entry->src_data[1], __entry->src_data[2], __entry->src_data[3])
);

/* @new_placement, @old_placement: 0 system, 1 GTT, 2 VRAM (Linux: TTM_PL_*) */
TRACE_EVENT(amdgpu_bo_move,
	TP_PROTO(struct amdm_bo *bo, u64 size, u32 new_placement, u32 old_placement),
	TP_ARGS(bo, size, new_placement, old_placement),
	TP_STRUCT__entry(
		__field(struct amdm_bo *, bo)
		__field(u64, bo_size)
		__field(u32, new_placement)
		__field(u32, old_placement)
	),
	TP_fast_assign(
		__entry->bo = bo;
		__entry->bo_size = size;
		__entry->new_placement = new_placement;
		__entry->old_placement = old_placement;
	),
	TP_printk("bo=%p, from=%d, to=%d, size=%lld", __entry->bo, __entry->old_placement, __entry->new_placement, __entry->bo_size)
);

/*
 * The fence of drm_sched that tells of the job's end: its timeline, which has the scheduler's name, its context and its number are those
 * of the kernel's dma_fence events.
 */
DECLARE_EVENT_CLASS(amdm_job,
	TP_PROTO(struct drm_sched_job *job, const char *ring, u32 num_ibs),
	TP_ARGS(job, ring, num_ibs),
	TP_STRUCT__entry(
		__field(u64, sched_job_id)
		__string(timeline, job->sched->name)
		__field(unsigned int, context)
		__field(unsigned int, seqno)
		__string(ring, ring)
		__field(u32, num_ibs)
	),
	TP_fast_assign(
		__entry->sched_job_id = kfdm_sched_job_id(job);
		kfdm_assign_str(timeline, job->sched->name);
		__entry->context = job->s_fence->finished.context;
		__entry->seqno = job->s_fence->finished.seqno;
		kfdm_assign_str(ring, ring);
		__entry->num_ibs = num_ibs;
	),
	TP_printk("sched_job=%llu, timeline=%s, context=%u, seqno=%u, ring_name=%s, num_ibs=%u", __entry->sched_job_id,
		  __get_str(timeline), __entry->context, __entry->seqno, __get_str(ring), __entry->num_ibs)
);

DEFINE_EVENT(amdm_job, amdgpu_cs_ioctl, TP_PROTO(struct drm_sched_job *job, const char *ring, u32 num_ibs), TP_ARGS(job, ring, num_ibs));
DEFINE_EVENT(amdm_job, amdgpu_sched_run_job, TP_PROTO(struct drm_sched_job *job, const char *ring, u32 num_ibs),
	     TP_ARGS(job, ring, num_ibs));

/* @needs_flush: the VMID was another's, or tables have changed since the ring has seen it */
TRACE_EVENT(amdgpu_vm_grab_id,
	TP_PROTO(u32 pasid, const char *ring, u32 vmid, u32 hub, u64 pd_addr, bool needs_flush),
	TP_ARGS(pasid, ring, vmid, hub, pd_addr, needs_flush),
	TP_STRUCT__entry(
		__field(u32, pasid)
		__string(ring, ring)
		__field(u32, vmid)
		__field(u32, vm_hub)
		__field(u64, pd_addr)
		__field(u32, needs_flush)
	),
	TP_fast_assign(
		__entry->pasid = pasid;
		kfdm_assign_str(ring, ring);
		__entry->vmid = vmid;
		__entry->vm_hub = hub;
		__entry->pd_addr = pd_addr;
		__entry->needs_flush = needs_flush;
	),
	TP_printk("pasid=%d, ring=%s, id=%u, hub=%u, pd_addr=%010llx needs_flush=%u", __entry->pasid, __get_str(ring), __entry->vmid,
		  __entry->vm_hub, __entry->pd_addr, __entry->needs_flush)
);

/* @start, @last: page numbers; @flags: bits of page table entries */
DECLARE_EVENT_CLASS(amdm_vm_bo,
	TP_PROTO(struct amdm_bo *bo, unsigned long start, unsigned long last, u64 offset, u64 flags),
	TP_ARGS(bo, start, last, offset, flags),
	TP_STRUCT__entry(
		__field(struct amdm_bo *, bo)
		__field(long, start)
		__field(long, last)
		__field(u64, offset)
		__field(u64, flags)
	),
	TP_fast_assign(
		__entry->bo = bo;
		__entry->start = start;
		__entry->last = last;
		__entry->offset = offset;
		__entry->flags = flags;
	),
	TP_printk("bo=%p, start=%lx, last=%lx, offset=%010llx, flags=%llx", __entry->bo, __entry->start, __entry->last, __entry->offset,
		  __entry->flags)
);

DEFINE_EVENT(amdm_vm_bo, amdgpu_vm_bo_map, TP_PROTO(struct amdm_bo *bo, unsigned long start, unsigned long last, u64 offset, u64 flags),
	     TP_ARGS(bo, start, last, offset, flags));
DEFINE_EVENT(amdm_vm_bo, amdgpu_vm_bo_unmap, TP_PROTO(struct amdm_bo *bo, unsigned long start, unsigned long last, u64 offset, u64 flags),
	     TP_ARGS(bo, start, last, offset, flags));

/* @pe: GPU address @addr is written at, for @count pages of @incr bytes */
TRACE_EVENT(amdgpu_vm_set_ptes,
	TP_PROTO(u64 pe, u64 addr, u32 count, u32 incr, u64 flags, bool immediate),
	TP_ARGS(pe, addr, count, incr, flags, immediate),
	TP_STRUCT__entry(
		__field(u64, pe)
		__field(u64, addr)
		__field(u32, count)
		__field(u32, incr)
		__field(u64, flags)
		__field(bool, immediate)
	),
	TP_fast_assign(
		__entry->pe = pe;
		__entry->addr = addr;
		__entry->count = count;
		__entry->incr = incr;
		__entry->flags = flags;
		__entry->immediate = immediate;
	),
	TP_printk("pe=%010llx, addr=%010llx, incr=%u, flags=%llx, count=%u, immediate=%d", __entry->pe, __entry->addr, __entry->incr,
		  __entry->flags, __entry->count, __entry->immediate)
);

TRACE_EVENT(amdgpu_vm_flush,
	TP_PROTO(const char *ring, u32 vmid, u32 hub, u64 pd_addr),
	TP_ARGS(ring, vmid, hub, pd_addr),
	TP_STRUCT__entry(
		__string(ring, ring)
		__field(u32, vmid)
		__field(u32, vm_hub)
		__field(u64, pd_addr)
	),
	TP_fast_assign(
		kfdm_assign_str(ring, ring);
		__entry->vmid = vmid;
		__entry->vm_hub = hub;
		__entry->pd_addr = pd_addr;
	),
	TP_printk("ring=%s, id=%u, hub=%u, pd_addr=%010llx", __get_str(ring), __entry->vmid, __entry->vm_hub, __entry->pd_addr)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH amdgpu_model/base
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE amdgpu_trace
#include <trace/define_trace.h>
