/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_QUEUE_BUFFERS_H
#define KFD_QUEUE_BUFFERS_H

#include "kfd_queue_properties.h"

/**
 * struct kfdm_node_shape - what the size of a context save area depends on
 * @gfx_target_version, @simd_count, @simd_per_cu, @array_count, @simd_arrays_per_engine, @lds_kib: as in the node's properties
 * @num_xcc: compute dies of the node; the area is for each of them
 */
struct kfdm_node_shape {
	u32 gfx_target_version;
	u32 simd_count, simd_per_cu;
	u32 array_count, simd_arrays_per_engine;
	u32 lds_kib;
	u32 num_xcc;
};

/** struct kfdm_save_sizes - bytes that a compute queue's waves need: all of it, its control stack, the debugger's part, and an EOP ring */
struct kfdm_save_sizes {
	u32 cwsr, ctl_stack, debug_memory, eop;
};

/* The buffers of a queue, in the order in which they are looked up */
enum kfdm_queue_buffer {
	KFDM_BUFFER_WPTR,
	KFDM_BUFFER_RPTR,
	KFDM_BUFFER_RING,
	KFDM_BUFFER_EOP,
	KFDM_BUFFER_CWSR,
	KFDM_QUEUE_BUFFERS,
};

/**
 * struct kfdm_buffer_lookup - where buffers are found
 * @hold:     a mapping that starts at @address and is @bytes long (0: however long); it is to stay as long as the queue. 0, -EINVAL
 * @hold_svm: the same of ranges of shared virtual memory that are always mapped. NULL: there are none
 * @context:  first argument of both
 */
struct kfdm_buffer_lookup {
	int (*hold)(void *context, enum kfdm_queue_buffer which, u64 address, u64 bytes);
	int (*hold_svm)(void *context, u64 address, u64 bytes);
	void *context;
};

void kfdm_save_sizes(const struct kfdm_node_shape *node, struct kfdm_save_sizes *sizes);
u64 kfdm_queue_ring_bytes(const struct kfdm_queue_properties *q, u32 gfx_target_version);
int kfdm_queue_hold_buffers(const struct kfdm_queue_properties *q, const struct kfdm_node_shape *node,
			    const struct kfdm_save_sizes *sizes, const struct kfdm_buffer_lookup *lookup);

#endif
