// SPDX-License-Identifier: MIT
/*
 * trace.h - what the trace port hears of grids, workgroups and waves.
 *
 * Owns: the hook. Called by the SPI and context save; calls the hook.
 */
#pragma once

#include "../cu/compute_unit.h"
#include "../grid/grid_table.h"

namespace silicon {

/** Where trace events go while tracing is on. */
struct TraceHook {
	void (*event)(void *context, const silicon_trace_event &event) = nullptr;
	void *context = nullptr;
};

class ShaderTrace {
public:
	void init(const GridTable *grids)
	{
		grids_ = grids;
		hook_ = {};
		silent_ = false;
	}
	void set(const TraceHook &hook) { hook_ = hook; }

	void workgroup(u64 cycle, u32 kind, const ComputeUnit &cu, const Workgroup &wg) const;
	void wave(u64 cycle, u32 kind, const ComputeUnit &cu, unsigned wave) const;
	void queue(u64 cycle, u32 kind, unsigned queue, u64 a, u64 b) const;
	/** What was counted of a grid that goes. */
	void kernel(u64 cycle, const GridSlot &slot) const;

	/** While it lives, nothing is heard of waves and workgroups. */
	class Silence {
	public:
		explicit Silence(ShaderTrace &trace) : trace_(trace) { trace.silent_ = true; }
		~Silence() { trace_.silent_ = false; }
		Silence(const Silence &) = delete;
		Silence &operator=(const Silence &) = delete;

	private:
		ShaderTrace &trace_;
	};

private:
	void event(u64 cycle, u32 kind, const Grid &grid, u64 a, u64 b) const;

	const GridTable *grids_;
	TraceHook hook_;
	bool silent_;
};

} // namespace silicon
