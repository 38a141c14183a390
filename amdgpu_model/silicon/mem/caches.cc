// SPDX-License-Identifier: MIT
/* caches.cc - see caches.h. */
#include "caches.h"

namespace silicon {

namespace {

/* Issue of the load, which a measured hop contains too. */
constexpr u64 issue_part = 4;

/* 0 stands for an empty way. */
u32 tag_of(unsigned vmid, u64 line) { return static_cast<u32>((line ^ line >> 32) * 16 + vmid) | 0x80000000; }

/** Least recently used goes: a set is kept in order of use. */
template <unsigned ways> bool touch(u32 *set, u32 tag, bool fill)
{
	unsigned at = 0;

	if (set[0] == tag)
		return true;
	while (at < ways && set[at] != tag)
		at++;
	if (at == ways && !fill)
		return false;
	const bool hit = at < ways;
	for (unsigned n = hit ? at : ways - 1; n; n--)
		set[n] = set[n - 1];
	set[0] = tag;
	return hit;
}

template <class Cache> Cache &current(Cache &cache, u32 epoch)
{
	if (cache.epoch != epoch) {
		__builtin_memset(static_cast<void *>(&cache), 0, sizeof(cache));
		cache.epoch = epoch;
	}
	return cache;
}

unsigned ring_distance(unsigned a, unsigned b, unsigned size)
{
	const unsigned apart = a > b ? a - b : b - a;

	return min(apart, size - apart);
}

} // namespace

void Caches::init(const MemoryTimes &times, unsigned engines, u32 cus, u8 *memory)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	times_ = times;
	engines_ = max(engines, 1u);
	cus_ = cus;
	l2_sets_ = min(times.l2_bytes / line_bytes, l2_lines_max) / l2_ways;
	l1_ = reinterpret_cast<L1 *>(memory + InstructionCaches::bytes());
	array_ = reinterpret_cast<ArrayCache *>(l1_ + cus);
	l2_ = reinterpret_cast<u32 *>(array_ + arrays);
	__builtin_memset(memory, 0, bytes(cus));
	instructions_.init(memory);
	l2_channels_.init();
	memory_channels_.init();
}

void Caches::forget()
{
	invalidate_l1();
	__builtin_memset(l2_, 0, l2_lines_max * sizeof(u32));
	__builtin_memset(owner_, 0, sizeof(owner_));
	__builtin_memset(channel_free_, 0, sizeof(channel_free_));
	l2_channels_.init();
	memory_channels_.init();
}

/** A load that need not go to the L2. */
bool Caches::near_hit(const CuPlace &from, u32 tag, u64 line, u64 *time)
{
	if (touch<l1_ways>(current(l1_[from.cu], epoch_).tag[line % l1_sets], tag, true))
		return true;
	if (!times_.array || !touch<array_ways>(current(array_[from.array], epoch_).tag[line % array_sets], tag, true))
		return false;
	*time = max(*time, u64{times_.array});
	return true;
}

/** Cycles more that an atomic takes because another WGP had the line last. */
u64 Caches::handover(const CuPlace &from, u32 tag, u64 line)
{
	Owner &owner = owner_[line % 256];
	const Owner before = owner;

	owner = {tag, from.wgp, from.engine};
	if (before.tag != tag || before.wgp == from.wgp)
		return 0;
	return times_.handover + ring_distance(before.engine, from.engine, engines_) * u64{times_.handover_step};
}

u64 Caches::l2_time(const CuPlace &from, u32 tag, u64 line, bool atomic, u64 now)
{
	/* Pages fold into the choice, so that a large stride does not stay on one channel or in one set. */
	const unsigned channel = static_cast<unsigned>((line ^ line >> 6 ^ line >> 12) % times_.channels);
	const u32 set = static_cast<u32>((line ^ line >> 17) % l2_sets_);
	const unsigned far = ring_distance(from.engine, channel % engines_, engines_);
	const bool hit = touch<l2_ways>(l2_ + u64{set} * l2_ways, tag, true);
	u64 time = (hit ? times_.l2 : times_.memory) + far * times_.step;

	/* The published figure is the mean over all channels: half of the way round on average is in it already. */
	time -= min(time, u64{engines_ / 4u} * times_.step);
	const u64 arrives = now + time / 2;
	time += l2_channels_.take(channel, arrives, times_.l2_line_q8);
	/* A line that a store has brought into the L2 goes to memory one day: as much work as one that comes from there. */
	if (!hit)
		time += memory_channels_.take(channel, arrives, times_.memory_line_q8);
	counts_.l2_lines++;
	counts_.l2_hits += hit;
	if (atomic) {
		u64 &free = channel_free_[channel % 64];
		const u64 begins = max(arrives, free);

		free = begins + times_.atomic_busy;
		time += begins - arrives + handover(from, tag, line);
	}
	return time;
}

bool Caches::holds_code(unsigned cache, unsigned vmid, u64 line, u64 by) const
{
	return instructions_.holds(cache, tag_of(vmid, line), line, by);
}

u64 Caches::fetch_code(unsigned cache, unsigned vmid, u64 line, u64 now)
{
	const u32 tag = tag_of(vmid, line);
	u64 arrives = instructions_.arrival(cache, tag, line);

	if (arrives == InstructionCaches::never) {
		arrives = now + times_.l2;
		instructions_.enter(cache, tag, line, arrives);
	}
	return max(now, arrives);
}

u64 Caches::access(const CuPlace &from, unsigned vmid, Kind kind, const u64 *lines, u32 count, u64 now)
{
	u64 longest = times_.l1;

	for (u32 i = 0; i < count; i++) {
		const u32 tag = tag_of(vmid, lines[i]);

		if (kind == Kind::Load) {
			const bool hit = near_hit(from, tag, lines[i], &longest);

			counts_.l1_lines++;
			counts_.l1_hits += hit;
			if (hit)
				continue;
		}
		longest = max(longest, l2_time(from, tag, lines[i], kind == Kind::Atomic, now + i));
	}
	/* One line a cycle comes out of the L1. */
	return longest - min(longest, issue_part) + (count ? count - 1 : 0);
}

} // namespace silicon
