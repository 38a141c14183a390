// SPDX-License-Identifier: MIT
/* trace_view.cpp - see trace_view.hpp. */
#include "trace_view.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/lab.hpp>

#include "svg.hpp"
#include "trace_counters.hpp"

namespace kfdm::view {

namespace {

using json = nlohmann::ordered_json;

struct Pairing {
	TraceKind start, end;
	TraceSpan::Kind kind;
	bool by_a, by_b; /* which arguments tell one from another */
};

constexpr Pairing pairings[] = {
	{TraceKind::WorkgroupStart, TraceKind::WorkgroupEnd, TraceSpan::Kind::Workgroup, true, true},
	{TraceKind::PacketStart, TraceKind::PacketEnd, TraceSpan::Kind::Packet, true, false},
	{TraceKind::QueueMap, TraceKind::QueueUnmap, TraceSpan::Kind::Queue, false, false},
	{TraceKind::SdmaStart, TraceKind::SdmaEnd, TraceSpan::Kind::Sdma, true, false},
};

constexpr const Pairing &workgroups = pairings[0];

bool is(const amdm_ctl_trace_event &event, TraceKind kind) { return event.kind == static_cast<uint16_t>(kind); }

/* Rows of Chrome's view: a process a kind, a thread a CU or a queue. */
enum ChromeProcess { chrome_cus = 1, chrome_packets, chrome_slots, chrome_sdma, chrome_chip };

unsigned cu_number(uint64_t place) { return static_cast<unsigned>((place >> 16 & 0xff) * 64 + (place >> 8 & 0xff) * 32 + (place & 0xff)); }

std::string cu_name(unsigned number) { return fmt::format("SE{} SH{} CU{}", number / 64, number / 32 % 2, number % 32); }

json named(const char *what, int process, unsigned thread, const std::string &name)
{
	return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

/* First free place among spans that overlap on one CU. */
class Levels {
public:
	unsigned take(uint64_t start, uint64_t end)
	{
		for (unsigned n = 0; n < busy_until_.size(); n++)
			if (busy_until_[n] <= start) {
				busy_until_[n] = end;
				return n;
			}
		busy_until_.push_back(end);
		return static_cast<unsigned>(busy_until_.size() - 1);
	}
	[[nodiscard]] unsigned count() const { return static_cast<unsigned>(busy_until_.size()); }

private:
	std::vector<uint64_t> busy_until_;
};

/**
 * Time without its long rests: a GPU waits for its program most of the time, and a picture to scale would show that only. Rests
 * longer than a tenth of all work shrink to a fiftieth.
 */
class Folding {
public:
	/** @spans: by their start */
	explicit Folding(const std::vector<TraceSpan> &spans)
	{
		std::vector<std::pair<uint64_t, uint64_t>> rests;
		uint64_t work = 0, until = spans.empty() ? 0 : spans.front().start;

		folds_.push_back({0, until, 0});
		for (const TraceSpan &span : spans) {
			if (span.start > until)
				rests.emplace_back(until, span.start);
			until = std::max(until, span.start);
			work += std::max(span.end, until) - until;
			until = std::max(span.end, until);
		}
		for (auto [start, end] : rests)
			if (end - start > work / 10)
				folds_.push_back({end, folds_.back().left_out + end - start - work / 50, end - start});
	}
	uint64_t operator()(uint64_t cycle) const
	{
		const auto after = std::upper_bound(folds_.begin(), folds_.end(), cycle,
						    [](uint64_t c, const Fold &fold) { return c < fold.end; });

		return cycle - std::prev(after)->left_out;
	}
	[[nodiscard]] std::vector<svg::Break> breaks(double cycles_per_us) const
	{
		std::vector<svg::Break> all;

		for (size_t i = 1; i < folds_.size(); i++) {
			const double us = static_cast<double>(folds_[i].rest) / cycles_per_us;

			all.push_back({static_cast<double>((*this)(folds_[i].end)) / cycles_per_us,
				       us < 1000 ? fmt::format("{:.3g} us of rest", us) : fmt::format("{:.3g} ms of rest", us / 1000)});
		}
		return all;
	}

private:
	struct Fold {
		uint64_t end;	   /**< of the rest */
		uint64_t left_out; /**< from here on, cycles */
		uint64_t rest;	   /**< its own length */
	};
	std::vector<Fold> folds_;
};

json span_json(const TraceSpan &span, double cycles_per_us)
{
	json event = {{"ph", "X"},
		      {"ts", static_cast<double>(span.start) / cycles_per_us},
		      {"dur", static_cast<double>(span.end - span.start) / cycles_per_us},
		      {"cat", place_name(span.where)}};

	event["args"] = {{"vmid", span.vmid}, {"queue", place_name(span.where)}, {"a", span.a}, {"b", span.b}};
	switch (span.kind) {
	case TraceSpan::Kind::Workgroup:
		event.update({{"pid", chrome_cus},
			      {"tid", cu_number(span.b)},
			      {"name", fmt::format("workgroup {} of {}", span.a, place_name(span.where))}});
		break;
	case TraceSpan::Kind::Packet:
		event.update({{"pid", chrome_packets}, {"tid", span.where}, {"name", fmt::format("packet {}", span.a)}});
		break;
	case TraceSpan::Kind::Queue:
		event.update(
			{{"pid", chrome_slots}, {"tid", span.where}, {"name", fmt::format("doorbell {:#x}, VMID {}", span.a, span.vmid)}});
		break;
	case TraceSpan::Kind::Sdma:
		event.update({{"pid", chrome_sdma}, {"tid", span.where}, {"name", fmt::format("packet {:#x}", span.b)}});
		break;
	}
	return event;
}

} // namespace

std::string place_name(uint32_t where)
{
	if (where >> 8 == 0xff)
		return fmt::format("SDMA {}.{}", where >> 4 & 15, where & 15);
	return fmt::format("MEC {}.{}.{}", where >> 8 & 15, where >> 4 & 15, where & 15);
}

namespace {

/**
 * Pairs starts with ends. A preempted queue's workgroups leave their CUs with it; when it is back, in another slot perhaps, they are
 * restored, somewhere else.
 */
class Pairer {
public:
	void take(const amdm_ctl_trace_event &event)
	{
		last_ = std::max<uint64_t>(last_, event.cycle);
		if (is(event, TraceKind::QueueUnmap))
			cut_workgroups(event);
		if (is(event, TraceKind::WorkgroupRestore))
			begin(workgroups, event);
		for (const Pairing &p : pairings)
			if (is(event, p.start))
				begin(p, event);
			else if (is(event, p.end))
				finish(p, event);
	}
	std::vector<TraceSpan> spans()
	{
		for (const auto &[key, index] : open_)
			close(index, last_);
		return std::move(spans_);
	}

private:
	using Key = std::tuple<uint16_t, uint32_t, uint16_t, uint64_t, uint64_t>;

	static Key key_of(const Pairing &p, const amdm_ctl_trace_event &event)
	{
		return {static_cast<uint16_t>(p.start), event.where, event.vmid, p.by_a ? event.a : 0, p.by_b ? event.b : 0};
	}
	void close(size_t index, uint64_t cycle) { spans_[index].end = std::max(cycle, spans_[index].start); }
	void begin(const Pairing &p, const amdm_ctl_trace_event &event)
	{
		open_.emplace(key_of(p, event), spans_.size());
		spans_.push_back({p.kind, event.where, event.vmid, event.cycle, event.cycle, event.a, event.b});
	}
	void finish(const Pairing &p, const amdm_ctl_trace_event &event)
	{
		if (auto found = open_.find(key_of(p, event)); found != open_.end()) {
			close(found->second, event.cycle);
			open_.erase(found);
		}
	}
	void cut_workgroups(const amdm_ctl_trace_event &unmap)
	{
		std::erase_if(open_, [&](const auto &entry) {
			const TraceSpan &span = spans_[entry.second];
			const bool cut = span.kind == TraceSpan::Kind::Workgroup && span.where == unmap.where && span.vmid == unmap.vmid;

			if (cut)
				close(entry.second, unmap.cycle);
			return cut;
		});
	}

	std::multimap<Key, size_t> open_;
	std::vector<TraceSpan> spans_;
	uint64_t last_ = 0;
};

} // namespace

std::vector<TraceSpan> trace_spans(TraceEvents events)
{
	Pairer pairer;

	for (const amdm_ctl_trace_event &event : events)
		pairer.take(event);
	return pairer.spans();
}

std::string chrome_trace(TraceEvents events, double cycles_per_us)
{
	json all = json::array();
	std::map<std::pair<int, unsigned>, std::string> threads;

	for (const TraceSpan &span : trace_spans(events)) {
		json event = span_json(span, cycles_per_us);
		const unsigned thread = event["tid"];

		threads[{event["pid"], thread}] = span.kind == TraceSpan::Kind::Workgroup ? cu_name(thread) : place_name(span.where);
		all.push_back(std::move(event));
	}
	for (const amdm_ctl_trace_event &event : events) {
		if (!is(event, TraceKind::Interrupt) && !is(event, TraceKind::Save) && !is(event, TraceKind::Restore) &&
		    !is(event, TraceKind::HwsPacket))
			continue;
		all.push_back({{"ph", "i"},
			       {"s", "p"},
			       {"name", trace_kind_name(event.kind)},
			       {"pid", chrome_chip},
			       {"tid", event.kind},
			       {"ts", static_cast<double>(event.cycle) / cycles_per_us},
			       {"args", {{"queue", place_name(event.where)}, {"vmid", event.vmid}, {"a", event.a}, {"b", event.b}}}});
		threads[{chrome_chip, event.kind}] = trace_kind_name(event.kind);
	}
	for (const CounterTrack &track : counter_tracks(events))
		for (const CounterSample &sample : track.samples)
			all.push_back({{"ph", "C"},
				       {"name", track.name},
				       {"pid", chrome_chip},
				       {"ts", static_cast<double>(sample.cycle) / cycles_per_us},
				       {"args", {{track.unit, sample.value}}}});
	static constexpr std::pair<int, const char *> processes[] = {{chrome_cus, "compute units"},
								     {chrome_packets, "packets of queues"},
								     {chrome_slots, "hardware queue slots"},
								     {chrome_sdma, "SDMA"},
								     {chrome_chip, "scheduler, interrupts, preemption"}};
	for (const auto &[process, name] : processes)
		all.push_back(named("process_name", process, 0, name));
	for (const auto &[place, name] : threads)
		all.push_back(named("thread_name", place.first, place.second, name));
	return json{{"traceEvents", std::move(all)}, {"displayTimeUnit", "ns"}}.dump() + "\n";
}

std::string trace_time_line(TraceEvents events, double cycles_per_us, const std::string &title,
			    const std::function<std::string(const TraceSpan &)> &name_of)
{
	const auto owner = [&](const TraceSpan &span) {
		return name_of ? name_of(span) : fmt::format("{} VMID {}", place_name(span.where), span.vmid);
	};
	std::vector<TraceSpan> spans = trace_spans(events);
	std::map<unsigned, unsigned> lanes;
	std::map<std::string, unsigned> owners;
	std::vector<std::string> lane_names, legend;
	std::map<unsigned, Levels> levels;
	std::vector<svg::Span> drawn;

	std::erase_if(spans, [](const TraceSpan &span) { return span.kind != TraceSpan::Kind::Workgroup; });
	std::sort(spans.begin(), spans.end(), [](const TraceSpan &a, const TraceSpan &b) { return a.start < b.start; });
	for (const TraceSpan &span : spans) {
		const std::string name = owner(span);

		lanes[cu_number(span.b)] = 0;
		if (owners.try_emplace(name, static_cast<unsigned>(owners.size())).second)
			legend.push_back(name);
	}
	for (auto &[number, lane] : lanes) {
		lane = static_cast<unsigned>(lane_names.size());
		lane_names.push_back(cu_name(number));
	}
	const Folding folded(spans);
	for (const TraceSpan &span : spans) {
		const unsigned lane = lanes[cu_number(span.b)];

		drawn.push_back({lane, static_cast<double>(folded(span.start)) / cycles_per_us,
				 static_cast<double>(folded(span.end)) / cycles_per_us, owners[owner(span)],
				 levels[lane].take(span.start, span.end)});
	}
	for (svg::Span &span : drawn)
		span.levels = levels[span.lane].count();
	const std::vector<svg::Break> breaks = folded.breaks(cycles_per_us);
	return svg::time_line({.title = title,
			       .x = breaks.empty() ? "virtual time / us" : "virtual time / us, long rests left out",
			       .y = "compute units"},
			      lane_names, legend, drawn, breaks);
}

} // namespace kfdm::view
