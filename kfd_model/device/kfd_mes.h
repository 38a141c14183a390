/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MES_H
#define KFD_MES_H

#include <linux/types.h>

struct amdm_gtt;
struct kfdm_device;

/** struct kfdm_mes_ctx - a page where the MES keeps the state of a process or of a gang; zeros: none */
struct kfdm_mes_ctx {
	struct amdm_gtt *mem;
	u64 gpu_addr;
};

int kfdm_mes_ctx_get(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx);
void kfdm_mes_ctx_put(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx);

#endif
