// SPDX-License-Identifier: MIT
/* board.cc - complaints and trace events on their way out of the chip. */
#include "board.h"

namespace silicon {

void Board::report(silicon_report_kind kind, u32 vmid, u64 subject, u64 detail)
{
	const silicon_report report = {.kind = kind, .vmid = vmid, .subject = subject, .detail = detail};

	count(static_cast<unsigned>(SILICON_COUNT_REPORTS) + kind);
	if (ports_.report)
		ports_.report(context_, &report);
}

void Board::trace_at(u64 at, silicon_trace_kind kind, u32 vmid, u32 where, u64 a, u64 b)
{
	trace_events += kind != SILICON_TRACE_KERNEL_COUNT;
	if (!tracing || !ports_.trace)
		return;
	const silicon_trace_event event = {
		.cycle = at,
		.kind = static_cast<u16>(kind),
		.vmid = static_cast<u16>(vmid),
		.where = where,
		.a = a,
		.b = b,
	};
	ports_.trace(context_, &event);
}

} // namespace silicon

/* Called for a pure virtual function; no such call exists, but the compiler refers to the symbol. */
extern "C" __attribute__((visibility("hidden"))) void __cxa_pure_virtual() // NOLINT(bugprone-reserved-identifier): the ABI's name
{
	__builtin_trap();
}
