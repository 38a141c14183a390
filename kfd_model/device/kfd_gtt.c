// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: GTT sub-allocator
 *
 * One big buffer a device holds the HIQ ring and its pointers, fences, run lists and small MQDs. It is dealt out first fit
 * in chunks of 512 bytes (Linux: kfd_gtt_sa_allocate). Objects are embedded in their owners, so that nothing is allocated under
 * the DQM lock.
 */
#include "kfd_gtt.h"

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/math.h>

/**
 * kfdm_gtt_init() - make a pool of a buffer
 * @gtt:      pool
 * @cpu:      the buffer
 * @gpu_addr: where the GPU sees it
 * @size:     bytes
 *
 * Return: 0, -ENOMEM.
 */
int kfdm_gtt_init(struct kfdm_gtt *gtt, void *cpu, u64 gpu_addr, size_t size)
{
	gtt->chunks = size / KFDM_GTT_CHUNK;
	gtt->used = bitmap_zalloc(gtt->chunks, GFP_KERNEL);
	if (!gtt->used)
		return -ENOMEM;
	mutex_init(&gtt->lock);
	gtt->cpu = cpu;
	gtt->gpu_addr = gpu_addr;
	return 0;
}

/** kfdm_gtt_fini() - undo kfdm_gtt_init(); all pieces have been given back */
void kfdm_gtt_fini(struct kfdm_gtt *gtt)
{
	bitmap_free(gtt->used);
	gtt->used = NULL;
	mutex_destroy(&gtt->lock);
}

/**
 * kfdm_gtt_get() - take a piece
 * @gtt:  pool
 * @size: bytes
 * @obj:  out
 *
 * The memory is as its last owner left it. Context: process; takes the pool's lock, allocates nothing.
 * Return: 0, -EINVAL for size 0, -ENOMEM.
 */
int kfdm_gtt_get(struct kfdm_gtt *gtt, size_t size, struct kfdm_gtt_obj *obj)
{
	unsigned long first;
	u32 chunks;

	if (!size)
		return -EINVAL;
	if (size > (size_t)gtt->chunks * KFDM_GTT_CHUNK)
		return -ENOMEM;
	chunks = DIV_ROUND_UP(size, KFDM_GTT_CHUNK);

	mutex_lock(&gtt->lock);
	first = bitmap_find_next_zero_area(gtt->used, gtt->chunks, 0, chunks, 0);
	if (first < gtt->chunks)
		bitmap_set(gtt->used, first, chunks);
	mutex_unlock(&gtt->lock);
	if (first >= gtt->chunks)
		return -ENOMEM;

	obj->first = first;
	obj->chunks = chunks;
	obj->gpu_addr = gtt->gpu_addr + (u64)first * KFDM_GTT_CHUNK;
	obj->cpu = gtt->cpu + first * KFDM_GTT_CHUNK;
	return 0;
}

/** kfdm_gtt_put() - give a piece back; an empty object is fine */
void kfdm_gtt_put(struct kfdm_gtt *gtt, struct kfdm_gtt_obj *obj)
{
	if (!obj->chunks)
		return;
	mutex_lock(&gtt->lock);
	bitmap_clear(gtt->used, obj->first, obj->chunks);
	mutex_unlock(&gtt->lock);
	obj->chunks = 0;
}
