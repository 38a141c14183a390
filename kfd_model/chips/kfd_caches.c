// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Caches of the chips
 *
 * The part of the memory hierarchy that Linux 6.1 reports in the topology (Linux: kfd_crat.c). Up to GFX8 the second level is not
 * reported. From GFX11 on all of it comes from the chip's own configuration, and there are no rows here.
 */
#include "kfd_caches.h"

#define DATA		(KFDM_CACHE_SIMD | KFDM_CACHE_DATA)
#define INSTRUCTION	(KFDM_CACHE_SIMD | KFDM_CACHE_INSTRUCTION)

/* Size in KiB, level, kind, CUs that share one, bytes of a line */
static const struct kfdm_cache_row kaveri[] = {
	{     16, 1, DATA,         1,  64 },
	{     16, 1, INSTRUCTION,  2,  64 },
	{      8, 1, DATA,         2,  64 },
};

static const struct kfdm_cache_row carrizo[] = {
	{     16, 1, DATA,         1,  64 },
	{      8, 1, INSTRUCTION,  4,  64 },
	{      4, 1, DATA,         4,  64 },
};

/* 6.1 has other sizes */
static const struct kfdm_cache_row carrizo_7_2[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  4,  64 },
	{     16, 1, DATA,         4,  64 },
};

static const struct kfdm_cache_row vega10[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  3,  64 },
	{     16, 1, DATA,         3,  64 },
	{   4096, 2, DATA,        16,  64 },
};

static const struct kfdm_cache_row raven[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  3,  64 },
	{     16, 1, DATA,         3,  64 },
	{   1024, 2, DATA,        11,  64 },
};

static const struct kfdm_cache_row renoir[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  3,  64 },
	{     16, 1, DATA,         3,  64 },
	{   1024, 2, DATA,         8,  64 },
};

static const struct kfdm_cache_row vega12[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  3,  64 },
	{     16, 1, DATA,         3,  64 },
	{   2048, 2, DATA,         5,  64 },
};

static const struct kfdm_cache_row vega20[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  3,  64 },
	{     16, 1, DATA,         3,  64 },
	{   8192, 2, DATA,        16,  64 },
};

static const struct kfdm_cache_row aldebaran[] = {
	{     16, 1, DATA,         1,  64 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{   8192, 2, DATA,        14, 128 },
};

static const struct kfdm_cache_row navi10[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,        10, 128 },
	{   4096, 2, DATA,        10, 128 },
};

static const struct kfdm_cache_row vangogh[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         8, 128 },
	{   1024, 2, DATA,         8, 128 },
};

static const struct kfdm_cache_row navi14[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,        12, 128 },
	{   2048, 2, DATA,        12, 128 },
};

static const struct kfdm_cache_row sienna_cichlid[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,        10, 128 },
	{   4096, 2, DATA,        10, 128 },
	{ 131072, 3, DATA,        10,  64 },
};

static const struct kfdm_cache_row navy_flounder[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,        10, 128 },
	{   3072, 2, DATA,        10, 128 },
	{  98304, 3, DATA,        10,  64 },
};

static const struct kfdm_cache_row dimgrey_cavefish[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         8, 128 },
	{   2048, 2, DATA,         8, 128 },
	{  32768, 3, DATA,         8,  64 },
};

static const struct kfdm_cache_row beige_goby[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         8, 128 },
	{   1024, 2, DATA,         8, 128 },
	{  16384, 3, DATA,         8,  64 },
};

static const struct kfdm_cache_row yellow_carp[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         6, 128 },
	{   2048, 2, DATA,         6, 128 },
};

static const struct kfdm_cache_row gc_10_3_7[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         2, 128 },
	{    256, 2, DATA,         2, 128 },
};

static const struct kfdm_cache_row gc_10_3_6[] = {
	{     16, 1, DATA,         1, 128 },
	{     32, 1, INSTRUCTION,  2,  64 },
	{     16, 1, DATA,         2,  64 },
	{    128, 1, DATA,         2, 128 },
	{    256, 2, DATA,         2, 128 },
};

const struct kfdm_cache_list kfdm_caches_kaveri = { kaveri, ARRAY_SIZE(kaveri) };
const struct kfdm_cache_list kfdm_caches_carrizo = { carrizo, ARRAY_SIZE(carrizo) };
const struct kfdm_cache_list kfdm_caches_carrizo_7_2 = { carrizo_7_2, ARRAY_SIZE(carrizo_7_2) };
const struct kfdm_cache_list kfdm_caches_vega10 = { vega10, ARRAY_SIZE(vega10) };
const struct kfdm_cache_list kfdm_caches_raven = { raven, ARRAY_SIZE(raven) };
const struct kfdm_cache_list kfdm_caches_renoir = { renoir, ARRAY_SIZE(renoir) };
const struct kfdm_cache_list kfdm_caches_vega12 = { vega12, ARRAY_SIZE(vega12) };
const struct kfdm_cache_list kfdm_caches_vega20 = { vega20, ARRAY_SIZE(vega20) };
const struct kfdm_cache_list kfdm_caches_aldebaran = { aldebaran, ARRAY_SIZE(aldebaran) };
const struct kfdm_cache_list kfdm_caches_navi10 = { navi10, ARRAY_SIZE(navi10) };
const struct kfdm_cache_list kfdm_caches_vangogh = { vangogh, ARRAY_SIZE(vangogh) };
const struct kfdm_cache_list kfdm_caches_navi14 = { navi14, ARRAY_SIZE(navi14) };
const struct kfdm_cache_list kfdm_caches_sienna_cichlid = { sienna_cichlid, ARRAY_SIZE(sienna_cichlid) };
const struct kfdm_cache_list kfdm_caches_navy_flounder = { navy_flounder, ARRAY_SIZE(navy_flounder) };
const struct kfdm_cache_list kfdm_caches_dimgrey_cavefish = { dimgrey_cavefish, ARRAY_SIZE(dimgrey_cavefish) };
const struct kfdm_cache_list kfdm_caches_beige_goby = { beige_goby, ARRAY_SIZE(beige_goby) };
const struct kfdm_cache_list kfdm_caches_yellow_carp = { yellow_carp, ARRAY_SIZE(yellow_carp) };
const struct kfdm_cache_list kfdm_caches_gc_10_3_7 = { gc_10_3_7, ARRAY_SIZE(gc_10_3_7) };
const struct kfdm_cache_list kfdm_caches_gc_10_3_6 = { gc_10_3_6, ARRAY_SIZE(gc_10_3_6) };

static u32 take_present(const struct kfdm_cache_row *all, u32 num, struct kfdm_cache_row *rows)
{
	u32 i, n = 0;

	for (i = 0; i < num; i++)
		if (all[i].kib) {
			rows[n] = all[i];
			rows[n++].sharing = max(all[i].sharing, 1u);
		}
	return n;
}

/**
 * kfdm_caches_configured_v9() - rows of a chip of GFX9 that tells its caches itself
 * @config: what it says
 * @rows:   out
 *
 * Pure. Return: number of rows.
 */
u32 kfdm_caches_configured_v9(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES])
{
	const struct kfdm_cache_row all[] = {
		{ config->tcp, 1, DATA, 1, 128 },
		{ config->icache, 1, INSTRUCTION, config->cus_per_sqc, 64 },
		{ config->dcache, 1, DATA, config->cus_per_sqc, 64 },
		{ config->gl2, 2, DATA, config->cus_per_array, 128 },
		{ config->mall, 3, DATA, config->cus_per_array, 64 },
	};

	return take_present(all, ARRAY_SIZE(all), rows);
}

/**
 * kfdm_caches_configured_v12() - rows of a chip that tells its caches itself, and their lines
 * @config: what it says
 * @rows:   out
 *
 * Nobody tells the lines of a shader array's cache. Pure. Return: number of rows.
 */
u32 kfdm_caches_configured_v12(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES])
{
	const u32 sqc_cus = config->sqc_per_wgp * 2, array = config->cus_per_array;
	const struct kfdm_cache_row all[KFDM_CONFIGURED_CACHES] = {
		{ config->tcp, 1, DATA, config->tcp_per_wgp / 2, config->tcp_line },
		{ config->icache, 1, INSTRUCTION, sqc_cus, config->icache_line },
		{ config->dcache, 1, DATA, sqc_cus, config->dcache_line },
		{ config->gl1 * config->gl1_per_array, 1, DATA, array, 0 },
		{ config->gl2, 2, DATA, array, config->gl2_line },
		{ config->mall, 3, DATA, array, 64 },
	};

	return take_present(all, ARRAY_SIZE(all), rows);
}

/**
 * kfdm_caches_configured() - rows of a chip of GFX11, which tells its caches itself; lines that it does not tell are the usual ones
 * @config: what it says
 * @rows:   out
 *
 * Pure. Return: number of rows.
 */
u32 kfdm_caches_configured(const struct kfdm_cache_config *config, struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES])
{
	const u32 sqc_cus = config->sqc_per_wgp * 2, array = config->cus_per_array;
	const struct kfdm_cache_row all[KFDM_CONFIGURED_CACHES] = {
		{ config->tcp, 1, DATA, config->tcp_per_wgp / 2, config->tcp_line ? config->tcp_line : 128 },
		{ config->icache, 1, INSTRUCTION, sqc_cus, config->icache_line ? config->icache_line : 128 },
		{ config->dcache, 1, DATA, sqc_cus, config->dcache_line ? config->dcache_line : 64 },
		{ config->gl1 * config->gl1_per_array, 1, DATA, array, 128 },
		{ config->gl2, 2, DATA, array, config->gl2_line ? config->gl2_line : 128 },
		{ config->mall, 3, DATA, array, 64 },
	};

	return take_present(all, ARRAY_SIZE(all), rows);
}
