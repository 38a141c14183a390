// SPDX-License-Identifier: MIT
/* shader_core.cc - power-on, time, and the command processor's hand on its queues. */
#include "shader_core.h"

namespace silicon {

namespace {

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

u64 ShaderCore::memory_size(const silicon_config &config, const CuLimits &cu, unsigned xcc)
{
	const u32 cus = CuArray::count_of(config, xcc);

	return Sq::memory_size(cus) + CuArray::memory_size(config, cu, xcc) + line(Caches::bytes(cus));
}

void ShaderCore::init(const silicon_config &config, const ShaderLimits &limits, void *memory, Tlb *tlb, DispatchClient *client)
{
	u8 *at = static_cast<u8 *>(memory);
	const u32 cus = CuArray::count_of(config, limits.xcc);

	requests_ = {};
	grids_.init(client);
	trace_.init(&grids_);
	cus_.init(config, limits, at);
	at += CuArray::memory_size(config, limits.cu, limits.xcc);
	caches_.init(limits.memory, limits.shader_engines, cus, at);
	at += line(Caches::bytes(cus));
	/* Lines of 128 bytes, of 64 (Linux: TCP_WATCH0_ADDR_L, TCP_WATCH0_CNTL). */
	watch_.init(limits.cu.isa == Isa::Gfx942 || is_gfx10(limits.cu.isa) ? 7 : 6, is_gfx10(limits.cu.isa) ? 23 : 24);
	const Sq::Wires wires = {
		.cus = &cus_,
		.grids = &grids_,
		.requests = &requests_,
		.caches = &caches_,
		.tlb = tlb,
		.watch = &watch_,
		.client = client,
		.owner = this,
	};
	sq_.init(wires, at);
	spi_.init({.cus = &cus_, .grids = &grids_, .requests = &requests_, .sq = &sq_, .trace = &trace_});
	ace_.init({.cus = &cus_, .grids = &grids_, .requests = &requests_, .sq = &sq_, .spi = &spi_});
	cwsr_.init({
		.cus = &cus_,
		.grids = &grids_,
		.requests = &requests_,
		.sq = &sq_,
		.spi = &spi_,
		.ace = &ace_,
		.trace = &trace_,
		.tlb = tlb,
		.client = client,
	});
}

void ShaderCore::forget()
{
	caches_.forget();
	for (ComputeUnit &cu : cus_)
		cu.forget();
	spi_.forget();
	ace_.forget();
}

RunState ShaderCore::run(u64 from, u64 to, const StopHook &stop)
{
	RunState state = {to, false, false};
	/* Not before SIMDs that somebody has freed meanwhile have caught up with time; what was cut goes on as if it had not been. */
	bool begun = cut_ && from == cut_from_ && to == cut_to_;

	sq_.begin(from);
	while (!sq_.at_break() && (!begun || sq_.has_turn_before(to))) {
		if (!begun && !sq_.catches_up()) {
			begun = true;
			sq_.caught_up();
			ace_.expire_quanta();
			spi_.expire_claims();
			ace_.serve();
			continue;
		}
		if (sq_.worked()) {
			sq_.begin_slice();
			if (stop.expired && stop.expired(stop.context)) {
				state.expired = true;
				break;
			}
		}
		if (!sq_.step()) {
			state.need = true;
			break;
		}
		if (begun && requests_.any())
			ace_.serve();
	}
	if (state.expired || state.need || sq_.at_break())
		state.reached = sq_.in_turn() ? sq_.now() : min(to, next_event());
	cut_ = begun && (state.expired || state.need);
	cut_from_ = from;
	cut_to_ = to;
	sq_.reach(state.reached);
	sq_.end();
	state.need |= sq_.starved();
	return state;
}

Step ShaderCore::submit(const Grid &grid, u64 now) { return flaw(grid) == GridFlaw::None ? ace_.submit(grid, now) : Step::Fault; }

void ShaderCore::ignore_priorities(bool ignore)
{
	spi_.ignore_priorities(ignore);
	for (ComputeUnit &cu : cus_)
		cu.ignore_priorities(ignore);
}

bool ShaderCore::queue_busy(unsigned me, unsigned pipe, unsigned n) const
{
	const unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues && grids_.of_queue(queue);
}

u32 ShaderCore::waves_of(unsigned me, unsigned pipe, unsigned n) const
{
	const unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues ? spi_.waves_of(queue) : 0;
}

void ShaderCore::hold(unsigned me, unsigned pipe, unsigned n, bool held)
{
	const unsigned queue = queue_index(me, pipe, n);

	if (queue < max_queues)
		ace_.hold(queue, held);
}

void ShaderCore::set_cu_mask(unsigned me, unsigned pipe, unsigned n, const u32 mask[max_se])
{
	const unsigned queue = queue_index(me, pipe, n);

	if (queue < max_queues)
		ace_.set_cu_mask(queue, mask);
}

void ShaderCore::kill(unsigned me, unsigned pipe, unsigned n)
{
	const unsigned queue = queue_index(me, pipe, n);

	if (queue >= max_queues)
		return;
	cwsr_.drop(queue, -1);
	ace_.release(queue);
}

void ShaderCore::end_vmid(unsigned vmid) { ace_.end_waves(vmid); }

void ShaderCore::kill_vmid(unsigned vmid)
{
	for (unsigned queue = 0; queue < max_queues; queue++)
		cwsr_.drop(queue, static_cast<s32>(vmid));
}

void ShaderCore::vmid_reassigned(unsigned vmid)
{
	for (ComputeUnit &cu : cus_)
		cu.disown(vmid);
}

Step ShaderCore::save(unsigned me, unsigned pipe, unsigned n, SaveArea *area)
{
	const unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues ? cwsr_.save(queue, area) : Step::Fault;
}

Step ShaderCore::restore(unsigned me, unsigned pipe, unsigned n, unsigned vmid, const SaveArea &area)
{
	const unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues ? cwsr_.restore(queue, vmid, area) : Step::Fault;
}

u64 ShaderCore::counted(silicon_kernel_count what) const
{
	u64 sum = 0;

	for (u32 i = 0; i < cus_.count(); i++)
		sum += cus_[i].counted(what);
	return sum;
}

ShaderCounters ShaderCore::counters() const
{
	const Spi::Counters &launched = spi_.counters();
	const Cwsr::Counters &moved = cwsr_.counters();

	return {sq_.instructions(),   launched.waves,	    launched.workgroups, moved.saved_waves,
		moved.restored_waves, launched.wave_cycles, spi_.waves()};
}

} // namespace silicon
