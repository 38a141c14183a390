/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CACHES_H
#define KFD_CACHES_H

#include "kfd_model/base/kfd_pure.h"

#define KFDM_CACHE_DATA		1
#define KFDM_CACHE_INSTRUCTION	2
#define KFDM_CACHE_CPU		4
#define KFDM_CACHE_SIMD		8

/** struct kfdm_cache_row - a cache of a chip: @sharing CUs use one of @kib KiB, in lines of @line bytes */
struct kfdm_cache_row {
	u32 kib, level, flags, sharing, line;
};

/** struct kfdm_cache_list - the caches of a chip */
struct kfdm_cache_list {
	const struct kfdm_cache_row *rows;
	u32 num;
};

/**
 * struct kfdm_cache_config - the caches as a chip itself tells them: KiB, bytes a line; 0: none. CUs share an SQC, GFX10's WGPs have some
 */
struct kfdm_cache_config {
	u32 tcp, tcp_per_wgp;
	u32 icache, dcache, cus_per_sqc, sqc_per_wgp;
	u32 gl1, gl1_per_array;
	u32 gl2, mall;
	u32 tcp_line, icache_line, dcache_line, gl2_line;
	u32 cus_per_array;
};

#define KFDM_CONFIGURED_CACHES 6

typedef u32 kfdm_configured_caches(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES]);

u32 kfdm_caches_configured_v9(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES]);
u32 kfdm_caches_configured_v12(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES]);
u32 kfdm_caches_configured(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES]);

extern const struct kfdm_cache_list kfdm_caches_kaveri;
extern const struct kfdm_cache_list kfdm_caches_carrizo;
extern const struct kfdm_cache_list kfdm_caches_carrizo_7_2;
extern const struct kfdm_cache_list kfdm_caches_vega10;
extern const struct kfdm_cache_list kfdm_caches_raven;
extern const struct kfdm_cache_list kfdm_caches_renoir;
extern const struct kfdm_cache_list kfdm_caches_vega12;
extern const struct kfdm_cache_list kfdm_caches_vega20;
extern const struct kfdm_cache_list kfdm_caches_aldebaran;
extern const struct kfdm_cache_list kfdm_caches_navi10;
extern const struct kfdm_cache_list kfdm_caches_vangogh;
extern const struct kfdm_cache_list kfdm_caches_navi14;
extern const struct kfdm_cache_list kfdm_caches_sienna_cichlid;
extern const struct kfdm_cache_list kfdm_caches_navy_flounder;
extern const struct kfdm_cache_list kfdm_caches_dimgrey_cavefish;
extern const struct kfdm_cache_list kfdm_caches_beige_goby;
extern const struct kfdm_cache_list kfdm_caches_yellow_carp;
extern const struct kfdm_cache_list kfdm_caches_gc_10_3_7;
extern const struct kfdm_cache_list kfdm_caches_gc_10_3_6;

#endif
