// SPDX-License-Identifier: MIT
/*
 * cwsr.hpp - how big the context save area of a compute queue must be.
 *
 * When a queue is preempted its waves are saved: the control stack (which wave was where) and the workgroup data (registers,
 * LDS). User space provides the memory; the sizes follow libhsakmt's queues.c.
 */
#pragma once

#include <cstdint>

#include <kfdm/topology.hpp>

namespace kfdm {

/** What the sizes depend on; all from the node's properties. */
struct CwsrInput {
	uint32_t gfx_target_version; /**< e.g. 90006 */
	uint32_t cu_count;	     /**< active CUs of a compute die */
	uint32_t array_count;	     /**< shader arrays of a compute die */
	uint32_t arrays_per_engine;
	uint32_t lds_kib;  /**< LDS of a CU, KiB */
	uint32_t xccs = 1; /**< compute dies */

	[[nodiscard]] static CwsrInput of(const Node &node);
};

/** Sizes in bytes; each compute die has an area of its own, and the debugger's parts follow behind them all. */
struct CwsrSizes {
	uint32_t control_stack; /**< ctl_stack_size of CREATE_QUEUE */
	uint32_t save_area;	/**< ctx_save_restore_size: control stack and workgroup data */
	uint32_t debug;		/**< debugger's part behind it */
	uint32_t xccs = 1;
	[[nodiscard]] uint32_t total() const noexcept { return ((save_area + debug) * xccs + 0xfff) & ~0xfffU; }
};

/** Sizes for a chip; all zero before GFX8, which has no context save. */
[[nodiscard]] CwsrSizes cwsr_sizes(const CwsrInput &input) noexcept;

} // namespace kfdm
