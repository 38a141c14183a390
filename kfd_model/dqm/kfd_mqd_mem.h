/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MQD_MEM_H
#define KFD_MQD_MEM_H

#include "kfd_model/device/kfd_gtt.h"
#include "kfd_model/mqd/kfd_mqd.h"

struct amdm_gtt;
struct kfdm_device;

/*
 * Larger control stacks are a mistake or an attack: the hardware's field ends at 28 KiB, user space asks for up to 100.
 * All lie in an aperture of 512 MiB that all processes share.
 */
#define KFDM_CTL_STACK_MAX (128u << 10)

/**
 * struct kfdm_mqd_mem - memory of a descriptor
 * @type:      kind of descriptor
 * @gpu_addr:  its address
 * @mqd:       its kernel address
 * @ctl_stack: control stack behind it, NULL without one
 * @ctl_stack_size: bytes of that memory, as allocated; with several descriptors, of each one's part
 * @stride:    from one descriptor, or control stack, to that of the next compute die
 * @own:       a buffer of its own, or
 * @piece:     a piece of the GTT pool, or neither: a slot of the HIQ and SDMA array
 */
struct kfdm_mqd_mem {
	enum kfdm_mqd_type type;
	u64 gpu_addr;
	u32 *mqd;
	void *ctl_stack;
	u32 ctl_stack_size;
	u32 stride;
	struct amdm_gtt *own;
	struct kfdm_gtt_obj piece;
};

/** struct kfdm_mqd_array - MQDs of the HIQ and of all SDMA queues of a device, in one buffer */
struct kfdm_mqd_array {
	struct amdm_gtt *mem;
	u64 gpu_addr;
	void *cpu;
};

int kfdm_mqd_array_init(struct kfdm_device *dev, struct kfdm_mqd_array *array);
void kfdm_mqd_array_fini(struct kfdm_device *dev, struct kfdm_mqd_array *array);
int kfdm_mqd_mem_get(struct kfdm_device *dev, const struct kfdm_mqd_array *array, const struct kfdm_queue_properties *q,
		     struct kfdm_mqd_mem *mem);
void kfdm_mqd_mem_put(struct kfdm_device *dev, struct kfdm_mqd_mem *mem);

#endif
