// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Where MQDs live
 *
 * The descriptors of the HIQ, one for each compute die, and of all SDMA queues share one buffer made with the device. A compute queue
 * whose control stack must lie in kernel memory (GFX9 with CWSR) has a buffer of its own: the descriptor's page, then the stack, and
 * again for each further die. All others are pieces of the GTT pool.
 */
#include "kfd_mqd_mem.h"

#include <linux/overflow.h>

#include "kfd_model/device/kfd_device.h"

static u32 all_sdma_engines(const struct kfdm_device *dev)
{
	return dev->info.sdma_engines + dev->info.xgmi_sdma_engines;
}

static u32 hiq_bytes(const struct kfdm_device *dev)
{
	const struct kfdm_mqd_ops *hiq = &dev->chip->mqd[KFDM_MQD_HIQ];

	return hiq->size * kfdm_mqd_xccs(hiq, &dev->mqd_env);
}

/** kfdm_mqd_array_init() - the buffer of HIQ and SDMA descriptors. Return: 0, -ENOMEM */
int kfdm_mqd_array_init(struct kfdm_device *dev, struct kfdm_mqd_array *array)
{
	size_t size = hiq_bytes(dev) + dev->chip->mqd[KFDM_MQD_SDMA].size * all_sdma_engines(dev) *
					dev->info.sdma_queues_per_engine;

	return kfdm_kgd->gtt_alloc(dev->adev, size, &array->mem, &array->gpu_addr, &array->cpu);
}

/** kfdm_mqd_array_fini() - undo kfdm_mqd_array_init() */
void kfdm_mqd_array_fini(struct kfdm_device *dev, struct kfdm_mqd_array *array)
{
	kfdm_kgd->gtt_free(dev->adev, array->mem);
}

static void take_slot(struct kfdm_device *dev, const struct kfdm_mqd_array *array, const struct kfdm_queue_properties *q,
		      struct kfdm_mqd_mem *mem)
{
	u32 offset = 0;

	if (mem->type == KFDM_MQD_SDMA)
		offset = hiq_bytes(dev) +
			 (q->sdma_engine_id * dev->info.sdma_queues_per_engine + q->sdma_queue_id) *
			 dev->chip->mqd[KFDM_MQD_SDMA].size;
	mem->gpu_addr = array->gpu_addr + offset;
	mem->mqd = array->cpu + offset;
	mem->stride = dev->chip->mqd[mem->type].size;
}

static int make_buffer(struct kfdm_device *dev, const struct kfdm_queue_properties *q, struct kfdm_mqd_mem *mem)
{
	const struct kfdm_mqd_ops *ops = &dev->chip->mqd[mem->type];
	size_t page = round_up((size_t)ops->size, PAGE_SIZE);
	void *cpu;
	int ret;

	if (q->ctl_stack_size > KFDM_CTL_STACK_MAX)
		return -ENOMEM;
	mem->stride = kfdm_mqd_stride(ops, &dev->mqd_env, q);
	ret = kfdm_kgd->gtt_alloc(dev->adev, mem->stride * kfdm_mqd_xccs(ops, &dev->mqd_env), &mem->own, &mem->gpu_addr, &cpu);
	if (ret)
		return -ENOMEM;
	mem->mqd = cpu;
	mem->ctl_stack = cpu + page;
	mem->ctl_stack_size = mem->stride - page;
	return 0;
}

/**
 * kfdm_mqd_mem_get() - memory for a queue's descriptor
 * @dev:   device
 * @array: its HIQ and SDMA descriptors
 * @q:     queue
 * @mem:   out
 *
 * Context: process, not under the DQM lock. Return: 0, -ENOMEM.
 */
int kfdm_mqd_mem_get(struct kfdm_device *dev, const struct kfdm_mqd_array *array, const struct kfdm_queue_properties *q,
		     struct kfdm_mqd_mem *mem)
{
	const struct kfdm_mqd_ops *ops;
	int ret;

	memset(mem, 0, sizeof(*mem));
	mem->type = kfdm_mqd_type_of(q->type);
	ops = &dev->chip->mqd[mem->type];

	if (mem->type == KFDM_MQD_SDMA || mem->type == KFDM_MQD_HIQ) {
		take_slot(dev, array, q, mem);
		return 0;
	}
	if (ops->ctl_stack_in_mqd && dev->cwsr_enabled)
		return make_buffer(dev, q, mem);

	mem->stride = kfdm_mqd_stride(ops, &dev->mqd_env, q);
	ret = kfdm_gtt_get(&dev->gtt, kfdm_mqd_bytes(ops, &dev->mqd_env) * kfdm_mqd_xccs(ops, &dev->mqd_env), &mem->piece);
	if (ret)
		return -ENOMEM;
	mem->gpu_addr = mem->piece.gpu_addr;
	mem->mqd = mem->piece.cpu;
	return 0;
}

/** kfdm_mqd_mem_put() - undo kfdm_mqd_mem_get(). Context: process, not under the DQM lock */
void kfdm_mqd_mem_put(struct kfdm_device *dev, struct kfdm_mqd_mem *mem)
{
	if (mem->own)
		kfdm_kgd->gtt_free(dev->adev, mem->own);
	kfdm_gtt_put(&dev->gtt, &mem->piece);
	memset(mem, 0, sizeof(*mem));
}
