/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_BELL_H
#define KFD_BELL_H

#include <linux/types.h>

struct kfdm_bell;

struct kfdm_bell *kfdm_bell_get(u32 fd);
void kfdm_bell_ring(struct kfdm_bell *bell);
void kfdm_bell_put(struct kfdm_bell *bell);
int kfdm_bells_init(void);
void kfdm_bells_fini(void);

#endif
