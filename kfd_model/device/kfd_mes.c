// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Memory that the MES needs
 *
 * A page for each process on a device and one for each of its queues, whether the MES gets to see them or the driver schedules
 * (Linux: kfd_process.c: kfd_create_process_device_data; kfd_process_queue_manager.c: init_user_queue).
 */
#include "kfd_mes.h"

#include <linux/mm.h>
#include <linux/string.h>

#include "kfd_device.h"

/**
 * kfdm_mes_ctx_get() - a context page
 * @dev: device; without a MES nothing happens
 * @ctx: out
 *
 * Context: process, not under the DQM lock. Return: 0, -ENOMEM.
 */
int kfdm_mes_ctx_get(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	void *cpu;

	memset(ctx, 0, sizeof(*ctx));
	if (!dev->facts.enable_mes)
		return 0;
	return kfdm_kgd->gtt_alloc(dev->adev, PAGE_SIZE, &ctx->mem, &ctx->gpu_addr, &cpu);
}

/** kfdm_mes_ctx_put() - undo kfdm_mes_ctx_get(); the MES does not know the process or queue any more */
void kfdm_mes_ctx_put(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	if (ctx->mem)
		kfdm_kgd->gtt_free(dev->adev, ctx->mem);
	memset(ctx, 0, sizeof(*ctx));
}
