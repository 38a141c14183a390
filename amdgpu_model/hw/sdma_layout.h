/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sdma_layout.h - rows of sdma_layout.def as a table. Driver and silicon each make their own: where a struct sdma_layout rows[] includes
 * the file, SDMA_LAYOUT is defined as SDMA_LAYOUT_ROW.
 */
#ifndef HW_SDMA_LAYOUT_H
#define HW_SDMA_LAYOUT_H

#include "hw_types.h"

#define SDMA_MAX_ENGINES	16
#define SDMA_MAX_QUEUES		8

/*
 * First registers of queue blocks as offsets from the engine's base; a register of queue n: base + rlc + n * stride + SDMA_RLC_x.
 * Engines may lie on several interposer dies (AID): so many on each, which have the interrupt clients of the first ones.
 */
struct sdma_layout {
	u32 gc_version;
	u32 generation;
	u32 engines, engines_of_aid, queues;
	u32 gfx, page, rlc, stride;
	u32 base[SDMA_MAX_ENGINES];
};

#define SDMA_LAYOUT_ROW(gc, generation, engines, engines_of_aid, queues, gfx, page, rlc, stride, ...) \
	{ gc, generation, engines, engines_of_aid, queues, gfx, page, rlc, stride, { __VA_ARGS__ } },

#endif
