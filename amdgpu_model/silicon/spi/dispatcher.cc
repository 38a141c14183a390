// SPDX-License-Identifier: MIT
/*
 * dispatcher.cc - power-on, and the command processor's hand on its queues: asking, holding, masking, killing.
 */
#include "dispatcher.h"

namespace silicon {

namespace {

u32 cus_of(const silicon_config &config)
{
	u32 count = 0;

	for (unsigned se = 0; se < max_se; se++)
		for (unsigned sh = 0; sh < max_sh; sh++)
			count += count_bits(config.cu_bitmap[se][sh] & 0xffff);
	return count;
}

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

u64 Dispatcher::memory_size(const silicon_config &config, const CuLimits &cu)
{
	u32 cus = cus_of(config);

	return line(engine_store_bytes()) + cus * (line(sizeof(ComputeUnit)) + line(ComputeUnit::file_bytes(cu))) +
	       line(EventHeap::bytes(cus * simds_per_cu)) + line(Caches::bytes(cus));
}

void Dispatcher::init(const silicon_config &config, const ShaderLimits &limits, void *memory, Tlb *tlb,
		      DispatchClient *client)
{
	u8 *at = static_cast<u8 *>(memory);

	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	limits_ = limits;
	tlb_ = tlb;
	client_ = client;
	engine_.tlb = tlb;
	engine_.store = reinterpret_cast<EngineStore *>(at);
	engine_.cycles_per_realtime_tick_q16 = 1 << 16;
	at += line(engine_store_bytes());
	break_at_ = no_event;
	run_ahead_ = true;
	turn_.cu = save_.queue = restore_.queue = -1;
	for (Pipe &pipe : pipes_) {
		pipe.dealing = -1;
		pipe.share = full_share;
	}
	cus_ = reinterpret_cast<ComputeUnit *>(at);
	cu_count_ = cus_of(config);
	at += cu_count_ * line(sizeof(ComputeUnit));
	heap_.init(at, cu_count_ * simds_per_cu);
	at += line(EventHeap::bytes(cu_count_ * simds_per_cu));
	caches_.init(limits.memory, limits.shader_engines, cu_count_, at);
	engine_.caches = &caches_;
	at += line(Caches::bytes(cu_count_));
	engine_select(*engine_.store, limits.cu.isa);
	place_cus(config, at);
}

void Dispatcher::place_cus(const silicon_config &config, u8 *files)
{
	u32 index = 0;

	for (unsigned se = 0; se < max_se; se++)
		for (unsigned bit_number = 0; bit_number < 32; bit_number++) {
			unsigned sh = bit_number / 16, id = bit_number % 16;

			if (sh >= max_sh || !bit(config.cu_bitmap[se][sh], id))
				continue;
			engines_[se].fused |= 1u << bit_number;
			engines_[se].cu[bit_number] = static_cast<u16>(index);
			cu_at(index).init(limits_.cu, index, se, sh, id, files + index * line(ComputeUnit::file_bytes(limits_.cu)));
			index++;
		}
}

void Dispatcher::ignore_priorities(bool ignore)
{
	ignore_priorities_ = ignore;
	for (u32 i = 0; i < cu_count_; i++)
		cu_at(i).ignore_priorities(ignore);
}

void Dispatcher::set_functional(bool functional)
{
	functional_ = functional;
	engine_.caches = functional ? nullptr : &caches_;
}

void Dispatcher::set_realtime(u64 ticks, u64 cycle, u32 cycles_per_tick_q16)
{
	engine_.realtime = ticks;
	engine_.realtime_base = cycle;
	engine_.cycles_per_realtime_tick_q16 = cycles_per_tick_q16;
}

bool Dispatcher::queue_busy(unsigned me, unsigned pipe, unsigned n) const
{
	unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues && queues_[queue].grids;
}

void Dispatcher::set_share(unsigned pipe, u32 share)
{
	pipes_[pipe].share = static_cast<u8>(min(share, full_share));
	offer_wanted_ = grids_used_ != 0;
}

u32 Dispatcher::waves_of(unsigned me, unsigned pipe, unsigned n) const
{
	unsigned queue = queue_index(me, pipe, n);

	return queue < max_queues ? queues_[queue].waves : 0;
}

/** Nothing of the queue is dealt any more, and the pipe is free for its other queues. */
void Dispatcher::stop_dealing(unsigned queue)
{
	unsigned n = queue / queues_per_pipe;
	Pipe &pipe = pipes_[n];

	if (pipe.dealing >= 0 && grids_[pipe.dealing].queue == queue) {
		grids_[pipe.dealing].state = GridState::Waiting;
		give_back(grids_[pipe.dealing].grid);
		pipe.waiting++;
		pipe.dealing = -1;
	}
	for (s32 i = 0; queues_[queue].grids && i < static_cast<s32>(max_grids); i++)
		if (grids_[i].state != GridState::Free && grids_[i].queue == queue)
			withdraw(i);
	if (pipe.waiting)
		deal_wanted_ |= 1u << n;
}

void Dispatcher::hold(unsigned me, unsigned pipe, unsigned n, bool held)
{
	unsigned queue = queue_index(me, pipe, n);

	if (queue >= max_queues || queues_[queue].held == held)
		return;
	queues_[queue].held = held;
	if (held)
		stop_dealing(queue);
	else if (pipes_[queue / queues_per_pipe].waiting)
		deal_wanted_ |= 1u << queue / queues_per_pipe;
}

void Dispatcher::set_cu_mask(unsigned me, unsigned pipe, unsigned n, const u32 mask[max_se])
{
	unsigned queue = queue_index(me, pipe, n);

	if (queue >= max_queues || !queues_[queue].grids)
		return;
	for (GridSlot &slot : grids_)
		if (slot.state != GridState::Free && slot.queue == queue)
			__builtin_memcpy(slot.grid.cu_mask, mask, sizeof(slot.grid.cu_mask));
	/* What is staged where the mask has no CU any more must go elsewhere. */
	stop_dealing(queue);
}

/** All waves of the queue stop where they are, or go on. */
void Dispatcher::freeze(unsigned queue, bool frozen)
{
	queues_[queue].frozen = frozen;
	for (u32 i = 0; i < cu_count_; i++) {
		ComputeUnit &cu = cu_at(i);

		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			Workgroup &wg = cu.workgroup(lowest_bit(groups));

			if (grids_[wg.grid].queue != queue)
				continue;
			wg.frozen = frozen;
			for (u64 left = wg.waves; left; left &= left - 1) {
				WaveState state = cu.slot(lowest_bit(left)).state;
				bool able = state == WaveState::Ready || state == WaveState::Ending;

				cu.set_runnable(lowest_bit(left), able && !frozen);
			}
		}
		reschedule_all(cu);
	}
	if (frozen && turn_.cu >= 0 && cu_at(turn_.cu).workgroup_of(turn_.wave).frozen)
		turn_.cu = -1;
	if (frozen)
		stop_dealing(queue);
	else if (pipes_[queue / queues_per_pipe].waiting)
		deal_wanted_ |= 1u << queue / queues_per_pipe;
}

/** Waves and grids of the queue, of this vmid or (-1) of any, are no more. */
void Dispatcher::drop(unsigned queue, s32 vmid)
{
	auto meant = [&](const GridSlot &slot) {
		return slot.state != GridState::Free && slot.queue == queue && (vmid < 0 || slot.grid.vmid == vmid);
	};

	if (restore_.queue == static_cast<s32>(queue) && (vmid < 0 || restore_.vmid == vmid)) {
		restore_.queue = -1;
		queues_[queue].frozen = false;
		client_->restore_dropped(queue / queues_per_pipe / 4 + 1, queue / queues_per_pipe % 4, queue % queues_per_pipe);
	}
	if (save_.queue == static_cast<s32>(queue))
		save_.queue = -1;
	if (!queues_[queue].grids)
		return;
	stop_dealing(queue);
	for (u32 i = 0; i < cu_count_; i++) {
		ComputeUnit &cu = cu_at(i);

		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			const Workgroup &wg = cu.workgroup(lowest_bit(groups));

			if (!meant(grids_[wg.grid]))
				continue;
			for (u64 left = wg.waves; left; left &= left - 1)
				drop_wave(cu, lowest_bit(left), now_);
		}
	}
	for (s32 i = 0; i < static_cast<s32>(max_grids); i++)
		if (meant(grids_[i]))
			free_grid(i);
	queues_[queue].frozen = false;
	offer_wanted_ = grids_used_ != 0;
}

void Dispatcher::kill(unsigned me, unsigned pipe, unsigned n)
{
	unsigned queue = queue_index(me, pipe, n);

	if (queue >= max_queues)
		return;
	drop(queue, -1);
	queues_[queue].held = false;
}

void Dispatcher::kill_vmid(unsigned vmid)
{
	for (unsigned queue = 0; queue < max_queues; queue++)
		drop(queue, static_cast<s32>(vmid));
}

void Dispatcher::vmid_reassigned(unsigned vmid)
{
	for (u32 i = 0; i < cu_count_; i++)
		cu_at(i).disown(vmid);
}

} // namespace silicon
