/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_metrics.h - the tables of gpu_metrics, as programs read them (Linux 6.1: kgd_pp_interface.h).
 *
 * All bits set: the chip does not tell.
 */
#ifndef AMDGPU_METRICS_H
#define AMDGPU_METRICS_H

#include <linux/types.h>

/** struct amdm_metrics_header - bytes of the table with this; revision of its format and of its contents */
struct amdm_metrics_header {
	u16 size;
	u8 format, content;
};

/** struct amdm_metrics_state - degrees Celsius, percent, watts */
struct amdm_metrics_state {
	u16 edge, hotspot, memory, vr_gfx, vr_soc, vr_memory;
	u16 gfx_activity, memory_activity, media_activity;
	u16 socket_power;
};

/** struct amdm_metrics_clocks - MHz */
struct amdm_metrics_clocks {
	u16 gfx, soc, memory, vclk0, dclk0, vclk1, dclk1;
};

/** struct amdm_metrics_1_0 - Vega 12, Vega 20. @time: ns; link: lanes, 0.1 GT/s */
struct amdm_metrics_1_0 {
	struct amdm_metrics_header header;
	u64 time;
	struct amdm_metrics_state state;
	u32 energy;
	struct amdm_metrics_clocks average, current_;
	u32 throttle;
	u16 fan;
	u8 link_width, link_speed;
};

/** struct amdm_metrics_1_3 - the others. @gfx_sum, @memory_sum: activity since boot; @hbm: degrees; voltages in mV */
struct amdm_metrics_1_3 {
	struct amdm_metrics_header header;
	struct amdm_metrics_state state;
	u64 energy;
	u64 time;
	struct amdm_metrics_clocks average, current_;
	u32 throttle;
	u16 fan;
	u16 link_width, link_speed;
	u16 unused;
	u32 gfx_sum, memory_sum;
	u16 hbm[4];
	u64 firmware_time;
	u16 voltage_soc, voltage_gfx, voltage_memory;
	u16 unused1;
	u64 throttle_reasons;
};

union amdm_metrics {
	struct amdm_metrics_header header;
	struct amdm_metrics_1_0 v1_0;
	struct amdm_metrics_1_3 v1_3;
};

/** struct amdm_metrics_now - what there is to tell: ns, percent, MHz */
struct amdm_metrics_now {
	u64 time;
	u16 gfx_activity, memory_activity;
	u16 gfx_mhz, memory_mhz;
};

size_t amdm_metrics_build(u8 revision, const struct amdm_metrics_now *now, union amdm_metrics *table);

#endif
