/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * amdgpu_model_ctl.h - the lab: /dev/amdgpu_model_ctl (root only, CAP_SYS_ADMIN at open).
 *
 * Holds the virtual clock, lets it run, reads counters and the event trace, looks at and changes GPU memory and registers
 * behind the driver's back, injects the failures of real firmware. No part of the driver; nothing here is
 * needed to use the GPU.
 *
 * Growth rules: a struct never changes meaning or loses a field; new fields are appended and read as zero from older
 * callers (the size in the ioctl number tells); unknown flags are refused with -EINVAL; new ioctls take new numbers.
 * AMDM_CTL_VERSION goes up with every addition. Padding must be zero (-EINVAL).
 *
 * @gpu is the device's index (0..gpus-1) everywhere; -ENODEV if there is none.
 * Closing the file releases the clock (HOLD) that this file has stopped, and stops its trace.
 */
#ifndef UAPI_AMDGPU_MODEL_CTL_H
#define UAPI_AMDGPU_MODEL_CTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define AMDM_CTL_VERSION 2
#define AMDM_CTL_DEVICE "/dev/amdgpu_model_ctl"

/**
 * struct amdm_ctl_info - what is behind the control device
 * @version:     AMDM_CTL_VERSION of the module
 * @gpus:        number of GPUs
 * @counters:    number of counters that COUNTERS knows (enum silicon_counter)
 * @cu_active:   active CUs of GPU 0
 * @clock_khz:   shader clock of GPU 0
 * @ref_khz:     reference clock (GET_CLOCK_COUNTERS) of GPU 0
 */
struct amdm_ctl_info {
	__u32 version;
	__u32 gpus;
	__u32 counters;
	__u32 cu_active;
	__u32 clock_khz;
	__u32 ref_khz;
};

#define AMDM_CTL_RUN_IDLE	1	/* until nothing is left to do */
#define AMDM_CTL_RUN_CYCLE	2	/* until virtual time @argument (shader clock cycles) */
#define AMDM_CTL_RUN_EVENTS	3	/* for @argument trace events */

/**
 * struct amdm_ctl_clock - HOLD (argument unused), RELEASE, RUN
 * @gpu:      device
 * @until:    RUN: AMDM_CTL_RUN_*
 * @argument: by @until
 * @timeout_ms: RUN: wall time after which -ETIME is returned; 0: 60 s
 * @now:      out: virtual time in cycles
 *
 * RUN needs a held clock (-EINVAL otherwise) and holds it again afterwards.
 */
struct amdm_ctl_clock {
	__u32 gpu;
	__u32 until;
	__u64 argument;
	__u32 timeout_ms;
	__u32 pad;
	__u64 now;
};

/**
 * struct amdm_ctl_counters - counters since power-on
 * @gpu:      device
 * @count:    in: room in @values; out: written
 * @values:   user pointer to __u64[count], in the order of enum silicon_counter
 * @vram_used, @gtt_used, @page_table_bytes, @pinned_pages: memory accounting of the driver, bytes and pages
 * @worker_ns: CPU time of the model's threads
 */
struct amdm_ctl_counters {
	__u32 gpu;
	__u32 count;
	__u64 values;
	__u64 vram_used;
	__u64 gtt_used;
	__u64 page_table_bytes;
	__u64 pinned_pages;
	__u64 worker_ns;
};

/** struct amdm_ctl_trace_event - as struct silicon_trace_event */
struct amdm_ctl_trace_event {
	__u64 cycle;
	__u16 kind;
	__u16 vmid;
	__u32 where;
	__u64 a;
	__u64 b;
};

/**
 * struct amdm_ctl_trace - start, stop and read the trace
 * @gpu:    device
 * @op:     0 read, 1 start (empties the buffer), 2 stop
 * @count:  in: room in @events; out: events written (oldest first, removed from the buffer)
 * @kinds:  start: a bit for each kind of event that is recorded, 0: all of them (since version 2); else 0
 * @lost:   out: events that found the buffer full since start
 * @events: user pointer to struct amdm_ctl_trace_event[count]
 */
struct amdm_ctl_trace {
	__u32 gpu;
	__u32 op;
	__u32 count;
	__u32 kinds;
	__u64 lost;
	__u64 events;
};

#define AMDM_CTL_SPACE_VRAM	0	/* address is a VRAM offset */
#define AMDM_CTL_SPACE_VMID	1	/* address is a virtual address of @vmid (0: GART and FB apertures) */
#define AMDM_CTL_SPACE_REGISTER	2	/* address is a dword register offset; size must be 4 */

/**
 * struct amdm_ctl_memory - PEEK and POKE
 * @gpu:     device
 * @space:   AMDM_CTL_SPACE_*
 * @vmid:    for AMDM_CTL_SPACE_VMID
 * @select:  for registers: value for GRBM_GFX_CNTL during the access
 * @address: by @space
 * @size:    bytes, at most 1 MiB
 * @data:    user pointer
 *
 * -EFAULT: address translates to nothing, or @data cannot be reached.
 */
struct amdm_ctl_memory {
	__u32 gpu;
	__u32 space;
	__u32 vmid;
	__u32 select;
	__u64 address;
	__u64 size;
	__u64 data;
};

/** struct amdm_ctl_inject - arm a failure: enum silicon_fault, how often (0: disarm); or set a mode: enum silicon_mode, its value */
struct amdm_ctl_inject {
	__u32 gpu;
	__u32 fault;
	__u32 count;
	__u32 pad;
};

#define AMDM_CTL_IOC 'M'
#define AMDM_CTL_INFO		_IOR(AMDM_CTL_IOC, 0x01, struct amdm_ctl_info)
#define AMDM_CTL_HOLD		_IOWR(AMDM_CTL_IOC, 0x02, struct amdm_ctl_clock)
#define AMDM_CTL_RELEASE	_IOWR(AMDM_CTL_IOC, 0x03, struct amdm_ctl_clock)
#define AMDM_CTL_RUN		_IOWR(AMDM_CTL_IOC, 0x04, struct amdm_ctl_clock)
#define AMDM_CTL_COUNTERS	_IOWR(AMDM_CTL_IOC, 0x05, struct amdm_ctl_counters)
#define AMDM_CTL_TRACE		_IOWR(AMDM_CTL_IOC, 0x06, struct amdm_ctl_trace)
#define AMDM_CTL_PEEK		_IOW(AMDM_CTL_IOC, 0x07, struct amdm_ctl_memory)
#define AMDM_CTL_POKE		_IOW(AMDM_CTL_IOC, 0x08, struct amdm_ctl_memory)
#define AMDM_CTL_INJECT		_IOW(AMDM_CTL_IOC, 0x09, struct amdm_ctl_inject)
#define AMDM_CTL_RESET		_IOW(AMDM_CTL_IOC, 0x0a, __u32)	/* whole-GPU reset, as after a hang */

#endif
