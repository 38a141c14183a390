/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_kiq_state.h - what amdgpu_kiq.c keeps in each struct amdm_device.
 */
#ifndef AMDGPU_KIQ_STATE_H
#define AMDGPU_KIQ_STATE_H

#include <linux/mutex.h>

struct amdm_gtt;

/**
 * struct amdm_kiq - the kernel interface queue
 * @lock:     one packet sequence at a time
 * @mem:      MQD, ring, EOP buffer and write-back words, in this order (amdgpu_gfx_v9.c)
 * @mqd, @ring, @wb: CPU addresses
 * @mqd_addr, @ring_addr, @eop_addr, @wb_addr: GART addresses
 * @wptr:     dwords, never wrapped
 * @seq:      last fence value asked for
 * @ready:    the ring test has passed
 */
struct amdm_kiq {
	struct mutex lock;
	struct amdm_gtt *mem;
	u32 *mqd;
	u32 *ring;
	u32 *wb;
	u64 mqd_addr, ring_addr, eop_addr, wb_addr;
	u64 wptr;
	u32 seq;
	bool ready;
};

#endif
