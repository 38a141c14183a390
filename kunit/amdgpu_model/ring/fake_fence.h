/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fake_fence.h - fences that belong to the suite; the last reference must be the suite's.
 */
#ifndef FAKE_FENCE_H
#define FAKE_FENCE_H

#include <linux/bug.h>
#include <linux/dma-fence.h>

static DEFINE_SPINLOCK(fake_fence_lock);

static const char *fake_fence_name(struct dma_fence *fence)
{
	return "fake";
}

static void fake_fence_release(struct dma_fence *fence)
{
	WARN(1, "one reference too many has gone");
}

static const struct dma_fence_ops fake_fence_ops = {
	.get_driver_name = fake_fence_name, .get_timeline_name = fake_fence_name, .release = fake_fence_release,
};

/* In a time line of its own */
static inline void fake_fence_init(struct dma_fence *fence)
{
	dma_fence_init(fence, &fake_fence_ops, &fake_fence_lock, dma_fence_context_alloc(1), 1);
}

#endif
