// SPDX-License-Identifier: MIT
/* trace_counters.cpp - see trace_counters.hpp. */
#include "trace_counters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <kfdm/lab.hpp>

namespace kfdm::view {

namespace {

constexpr unsigned count_shift = 56; /* KernelCount events: the number of the count in their first argument */
constexpr double line_bytes = 64;

using Counts = std::array<double, static_cast<size_t>(KernelCount::Count)>;
using Events = std::span<const amdm_ctl_trace_event>;

bool is(const amdm_ctl_trace_event &event, TraceKind kind) { return event.kind == static_cast<uint16_t>(kind); }
double of(const Counts &counts, KernelCount which) { return counts[static_cast<size_t>(which)]; }

/* Changes at a time, summed up to values; what changes to the same value is left out. */
std::vector<CounterSample> summed(const std::map<uint64_t, double> &changes)
{
	std::vector<CounterSample> samples;
	double value = 0;

	for (const auto &[cycle, change] : changes) {
		const double was = samples.empty() ? 0 : samples.back().value;

		value += change;
		if (std::abs(value) < 1e-9) /* of adding and taking away the same rates */
			value = 0;
		if (value != was || samples.empty())
			samples.push_back({cycle, value});
	}
	return samples;
}

std::vector<CounterSample> wave_slots(Events events)
{
	std::map<uint64_t, double> changes;

	for (const amdm_ctl_trace_event &event : events) {
		if (is(event, TraceKind::WaveStart) || is(event, TraceKind::WaveRestore))
			changes[event.cycle]++;
		else if (is(event, TraceKind::WaveEnd))
			changes[event.cycle]--;
		else if (is(event, TraceKind::Save))
			changes[event.cycle] -= static_cast<double>(event.a);
	}
	return summed(changes);
}

/** A kernel that has gone: what it did a cycle, and when. */
struct Stay {
	uint64_t end;
	Counts counts;

	[[nodiscard]] double cycles() const { return of(counts, KernelCount::Cycles); }
	[[nodiscard]] uint64_t begin() const { return end - std::min(end, static_cast<uint64_t>(cycles())); }
};

/* A kernel's counts follow each other, its cycles first. */
std::vector<Stay> stays(Events events)
{
	std::vector<Stay> all;

	for (const amdm_ctl_trace_event &event : events) {
		const uint64_t which = event.a >> count_shift;

		if (!is(event, TraceKind::KernelCount) || which >= Counts().size())
			continue;
		if (which == static_cast<uint64_t>(KernelCount::Cycles))
			all.push_back({event.cycle, {}});
		if (!all.empty())
			all.back().counts[which] = static_cast<double>(event.b);
	}
	return all;
}

template <class Amount> std::map<uint64_t, double> rates(const std::vector<Stay> &kernels, Amount amount)
{
	std::map<uint64_t, double> changes;

	for (const Stay &kernel : kernels) {
		const double rate = amount(kernel.counts) / kernel.cycles();

		changes[kernel.begin()] += rate;
		changes[kernel.end] -= rate;
	}
	return changes;
}

/* Both have samples where a kernel begins or ends, at the same times but for those that changed nothing. */
std::vector<CounterSample> percent(const std::vector<CounterSample> &some, const std::vector<CounterSample> &all)
{
	std::vector<CounterSample> samples;
	std::map<uint64_t, bool> times;
	size_t a = 0, b = 0;

	for (const CounterSample &s : some)
		times[s.cycle] = true;
	for (const CounterSample &s : all)
		times[s.cycle] = true;
	for (const auto &[cycle, unused] : times) {
		while (a < some.size() && some[a].cycle <= cycle)
			a++;
		while (b < all.size() && all[b].cycle <= cycle)
			b++;
		const double hits = a ? some[a - 1].value : 0, lines = b ? all[b - 1].value : 0;

		samples.push_back({cycle, lines > 0 ? 100 * hits / lines : 0});
	}
	return samples;
}

double instructions(const Counts &c)
{
	return of(c, KernelCount::Internal) + of(c, KernelCount::Valu) + of(c, KernelCount::Scalar) + of(c, KernelCount::Branch) +
	       of(c, KernelCount::Vmem) + of(c, KernelCount::Lds);
}

} // namespace

std::vector<CounterTrack> counter_tracks(Events events)
{
	const std::vector<Stay> kernels = stays(events);
	const auto rate = [&](auto amount) { return summed(rates(kernels, amount)); };
	const auto rate_of = [&](KernelCount which) { return rate([=](const Counts &c) { return of(c, which); }); };
	std::vector<CounterTrack> tracks;

	tracks.push_back({"wave slots", "waves", wave_slots(events)});
	tracks.push_back({"instructions", "wave-instructions a cycle", rate(instructions)});
	tracks.push_back({"memory", "bytes a cycle",
			  rate([](const Counts &c) { return line_bytes * (of(c, KernelCount::L2Lines) - of(c, KernelCount::L2Hits)); })});
	tracks.push_back({"L1 hits", "%", percent(rate_of(KernelCount::L1Hits), rate_of(KernelCount::L1Lines))});
	tracks.push_back({"L2 hits", "%", percent(rate_of(KernelCount::L2Hits), rate_of(KernelCount::L2Lines))});
	return tracks;
}

} // namespace kfdm::view
