/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What is in the private data of a checkpoint, in the layout of Linux (kfd_priv.h), version 1: the process, a word for each device, its
 * buffers, then queues, events and ranges of shared virtual memory, each of which begins with its kind. Only the driver reads it, but
 * user space keeps it: nothing in it can be trusted.
 */
#ifndef KFD_CRIU_H
#define KFD_CRIU_H

#include <linux/list.h>
#include <linux/uaccess.h>

#include "uapi/kfd_ioctl.h"

struct kfdm_process;

#define KFDM_CRIU_VERSION	1
#define KFDM_CRIU_MAX_GPUS	64

enum kfdm_criu_object { KFDM_CRIU_QUEUE, KFDM_CRIU_EVENT, KFDM_CRIU_SVM_RANGE };

struct kfdm_criu_process {
	u32 version, xnack_mode;
};

struct kfdm_criu_device {
	u64 reserved;
};

/* With as many @mapped_gpuids as the Linux version has: kfdm_criu_bo_bytes() */
struct kfdm_criu_bo {
	u64 user_addr;
	u32 idr_handle;
	u32 mapped_gpuids[KFDM_CRIU_MAX_GPUS];
};

/* Descriptors and control stacks follow. */
struct kfdm_criu_queue {
	u32 object_type, pad;
	u64 q_address, q_size;
	u64 read_ptr_addr, write_ptr_addr;
	u64 doorbell_off;
	u64 eop_ring_buffer_address;
	u64 ctx_save_restore_area_address;
	u32 gpu_id, type, format, q_id;
	u32 priority, q_percent;
	u32 doorbell_id, gws, sdma_id;
	u32 eop_ring_buffer_size, ctx_save_restore_area_size, ctl_stack_size, mqd_size;
	u32 end_pad;
};

struct kfdm_criu_event {
	u32 object_type;
	u64 user_handle;		/* of the signal page's buffer, with the first event */
	u32 event_id, auto_reset, type, signaled;
	union {
		struct kfd_hsa_memory_exception_data memory;
		struct kfd_hsa_hw_exception_data hw;
	};
};

struct kfdm_criu_svm_range {
	u32 object_type;
	u64 start_addr, size;		/* pages */
	struct kfd_ioctl_svm_attribute attrs[];
};

/** struct kfdm_criu_data - private data that is written or read: where it is, how much of it has been, how much there is */
struct kfdm_criu_data {
	u64 user, offset, size;
};

/** struct kfdm_criu_counts - what a checkpoint takes */
struct kfdm_criu_counts {
	u32 devices, bos, queues, events, ranges;
	u64 priv_bytes;
};

static inline int kfdm_criu_skip(struct kfdm_criu_data *data, u64 bytes)
{
	if (bytes > data->size - data->offset)
		return -EINVAL;
	data->offset += bytes;
	return 0;
}

static inline int kfdm_criu_put(struct kfdm_criu_data *data, const void *from, u64 bytes)
{
	void __user *to = (void __user *)(uintptr_t)(data->user + data->offset);

	if (kfdm_criu_skip(data, bytes))
		return -EINVAL;
	return copy_to_user(to, from, bytes) ? -EFAULT : 0;
}

static inline int kfdm_criu_get(struct kfdm_criu_data *data, void *to, u64 bytes)
{
	const void __user *from = (const void __user *)(uintptr_t)(data->user + data->offset);

	if (kfdm_criu_skip(data, bytes))
		return -EINVAL;
	return copy_from_user(to, from, bytes) ? -EFAULT : 0;
}

/* kfd_criu_bos.c */
u64 kfdm_criu_bo_bytes(void);
u32 kfdm_criu_count_bos(struct kfdm_process *p);
int kfdm_criu_save_bos(struct kfdm_process *p, u64 buckets, struct kfdm_criu_data *data);
int kfdm_criu_restore_bos(struct kfdm_process *p, u64 buckets, u32 n, struct kfdm_criu_data *data);

/* kfd_criu_queues.c */
int kfdm_criu_count_queues(struct kfdm_process *p, u32 *n, u64 *bytes);
int kfdm_criu_save_queues(struct kfdm_process *p, struct kfdm_criu_data *data);
int kfdm_criu_restore_queue(struct kfdm_process *p, struct kfdm_criu_data *data);

/* kfd_criu_objects.c */
u32 kfdm_criu_count_events(struct kfdm_process *p);
int kfdm_criu_save_events(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data);
u64 kfdm_criu_range_bytes(const struct kfdm_process *p);
int kfdm_criu_save_ranges(struct kfdm_process *p, struct kfdm_criu_data *data);
int kfdm_criu_restore_objects(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data);

#endif
