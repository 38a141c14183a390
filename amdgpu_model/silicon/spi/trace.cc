// SPDX-License-Identifier: MIT
/* trace.cc - trace events of the shader core. */
#include "trace.h"

namespace silicon {

namespace {

constexpr u64 code_bits = (u64{1} << 56) - 1; /* of an address, behind a count's number */

} // namespace

void ShaderTrace::event(u64 cycle, u32 kind, const Grid &grid, u64 a, u64 b) const
{
	if (!hook_.event)
		return;

	const silicon_trace_event event = {
		cycle, static_cast<u16>(kind), grid.vmid, u32{grid.me} << 8 | u32{grid.pipe} << 4 | grid.queue, a, b};

	hook_.event(hook_.context, event);
}

void ShaderTrace::workgroup(u64 cycle, u32 kind, const ComputeUnit &cu, const Workgroup &wg) const
{
	if (silent_)
		return;
	event(cycle, kind, (*grids_)[wg.grid].grid, wg.number, u64{cu.se()} << 16 | cu.sh() << 8 | cu.id());
}

void ShaderTrace::wave(u64 cycle, u32 kind, const ComputeUnit &cu, unsigned n) const
{
	const Workgroup &wg = cu.workgroup_of(n);

	if (silent_)
		return;
	event(cycle, kind, (*grids_)[wg.grid].grid, wg.number,
	      u64{cu.se()} << 24 | cu.sh() << 20 | cu.id() << 12 | ComputeUnit::simd_of(n) << 8 | ComputeUnit::slot_of(n));
}

void ShaderTrace::queue(u64 cycle, u32 kind, unsigned queue, u64 a, u64 b) const
{
	Grid grid = {};

	grid.vmid = static_cast<u8>(grids_->vmid_of(queue));
	grid.me = static_cast<u8>(me_number(queue));
	grid.pipe = static_cast<u8>(pipe_number(queue));
	grid.queue = static_cast<u8>(queue_number(queue));
	event(cycle, kind, grid, a, b);
}

void ShaderTrace::kernel(u64 cycle, const GridSlot &slot) const
{
	if (!hook_.event)
		return;
	for (u64 n = 0; n < SILICON_KERNEL_COUNTS; n++)
		if (slot.counted[n])
			event(cycle, SILICON_TRACE_KERNEL_COUNT, slot.grid, n << 56 | (slot.grid.code & code_bits), slot.counted[n]);
}

} // namespace silicon
