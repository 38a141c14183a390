// SPDX-License-Identifier: MIT
/*
 * board.h - ports, time, counters, traces: what every block of the chip uses.
 *
 * The board knows the ports, the time, the counters, the armed failures. Blocks report complaints and trace events through
 * it, so that no block depends on the ports.
 */
#pragma once

#include "../silicon.h"
#include "types.h"

namespace silicon {

/** Place of a hardware queue: me counts from 1; queue number = (me - 1) * 32 + pipe * 8 + queue. */
constexpr u32 where_hqd(unsigned slot) { return (slot / 32 + 1) << 8 | (slot / 8 % 4) << 4 | slot % 8; }
constexpr u32 where_sdma(unsigned engine, unsigned queue) { return 0xff00 | engine << 4 | queue; }

class Board {
public:
	void power(const silicon_ports &ports, void *context, u32 doorbell_bytes)
	{
		ports_ = ports;
		context_ = context;
		doorbell_bytes_ = doorbell_bytes;
	}

	const silicon_ports &ports() const { return ports_; }
	void *context() const { return context_; }
	u64 wall_ns() const { return ports_.wall_ns(context_); }

	/** A doorbell lies in the aperture as a whole, aligned to its 8 bytes. */
	bool doorbell_exists(u32 byte_offset) const { return !(byte_offset & 3) && byte_offset + 8 <= doorbell_bytes_; }
	/** There was a store since the last take_doorbell(). */
	bool doorbell_rung(u32 byte_offset) const
	{
		return doorbell_exists(byte_offset) && ports_.doorbell(context_, byte_offset, false) != SILICON_NO_DOORBELL;
	}
	/** false: no store since the last one taken. */
	bool take_doorbell(u32 byte_offset, u64 *value) const
	{
		*value = doorbell_exists(byte_offset) ? ports_.doorbell(context_, byte_offset, true) : SILICON_NO_DOORBELL;
		return *value != SILICON_NO_DOORBELL;
	}

	void report(silicon_report_kind kind, u32 vmid, u64 subject, u64 detail);
	void trace(silicon_trace_kind kind, u32 vmid, u32 where, u64 a, u64 b) { trace_at(cycle, kind, vmid, where, a, b); }
	void trace_at(u64 at, silicon_trace_kind kind, u32 vmid, u32 where, u64 a, u64 b);
	void count(unsigned counter, u64 n = 1) { counters_[counter] += n; }
	u64 counter(unsigned counter) const { return counter < SILICON_COUNTERS ? counters_[counter] : 0; }

	void inject(u32 fault, u32 count) { injected_[fault] = count; }
	/** What a mode is set to, 0: the chip works as usual. */
	u32 mode(silicon_mode mode) const { return injected_[mode]; }
	/** How often a failure is still to come. */
	u32 armed(silicon_fault fault) const { return injected_[fault]; }
	/** Uses up one armed failure. */
	bool fails(silicon_fault fault) { return injected_[fault] && injected_[fault]--; }

	u64 cycle = 0;	  /* virtual time */
	u64 progress = 0; /* counts whatever happens: what waits for memory need not look twice between two counts */
	bool tracing = false;
	u64 trace_events = 0; /* since power-on, counted whether traced or not */

private:
	silicon_ports ports_ = {};
	void *context_ = nullptr;
	u32 doorbell_bytes_ = 0;
	u32 injected_[SILICON_FAULTS] = {};
	u64 counters_[SILICON_COUNTERS] = {};
};

} // namespace silicon
