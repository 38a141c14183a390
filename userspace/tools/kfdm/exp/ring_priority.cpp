// SPDX-License-Identifier: MIT
/*
 * ring_priority.cpp - how long a job of a context above normal takes while the GPU is idle, and while it is full.
 *
 * The measured job is a NOP or a kernel whose workgroups sleep for a while on each CU, on a compute ring of the kernel's, submitted one
 * after the other. The load: contexts of normal priority on the other compute rings, each with jobs in reserve, whose workgroups fill every
 * wave slot. Two times of each job: from the submission to the fence, by the wall's clock, which includes the kernel and a slow host; and
 * from the moment that the ring begins it to the end of its last wave, by time stamps of the GPU. The time line of the CUs while one more
 * job runs shows why. Which of the ways of amdgpu_priority.c is at work is the module parameter's business.
 */
#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include <hw/pm4.h>
#include <hw/regs.h>
#include <kfdm/drm.hpp>

#include "report.hpp"
#include "view/svg.hpp"
#include "view/trace_view.hpp"

namespace kfdm::exp {

using namespace kfdm::view;

namespace {

using clock = std::chrono::steady_clock;

constexpr uint64_t patience_ns = 600'000'000'000;
constexpr unsigned load_rings = 7; /* of eight: one compute ring is left to the measured job, whatever its priority */
constexpr unsigned load_depth = 2; /* jobs that each of them keeps in reserve */
constexpr uint32_t sh_base = PM4_SH_REG_START;

/* s_movk_i32 s8, rounds; again: s_sleep 127 (64 cycles each); s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; s_cbranch_scc1 again; s_endpgm */
std::array<uint32_t, 6> sleeper(uint16_t rounds)
{
	return {0xb0080000U | rounds, 0xbf8e007f, 0x80888108, 0xbf078008, 0xbf85fffc, 0xbf810000};
}

/** A job: its buffer, and where it leaves the time. */
class Job {
public:
	/** workgroups of 4 waves; 0: a NOP */
	Job(const drm::Device &device, uint16_t rounds, uint32_t workgroups) : memory_(device, 4096, AMDGPU_GEM_DOMAIN_GTT)
	{
		const auto code = sleeper(rounds);

		std::copy(code.begin(), code.end(), memory_.as<uint32_t>().begin() + code_dword);
		leave_time(begin_byte);
		if (workgroups)
			dispatch(workgroups);
		else
			put({PM4_NOP_FILLER});
		leave_time(end_byte);
		while (used_ % 8)
			put({PM4_NOP_FILLER});
	}

	drm::Fence submit(drm::Context &context, unsigned ring)
	{
		return context.submit({.ip = AMDGPU_HW_IP_COMPUTE,
				       .ring = ring,
				       .ib = memory_.gpu(),
				       .dwords = used_,
				       .buffers = {memory_.handle()},
				       .after = {}});
	}
	/** From its beginning on the ring to the end of its last wave. */
	[[nodiscard]] uint64_t ticks() const
	{
		const auto stamps = memory_.as<volatile uint64_t>();
		return stamps[end_byte / 8] - stamps[begin_byte / 8];
	}

private:
	static constexpr unsigned code_dword = 512, begin_byte = 3072, end_byte = 3080;

	void put(std::initializer_list<uint32_t> words)
	{
		for (uint32_t word : words)
			memory_.as<uint32_t>()[used_++] = word;
	}
	void leave_time(unsigned byte)
	{
		const uint64_t where = memory_.gpu() + byte;

		put({PM4_HEADER(PM4_RELEASE_MEM, 6), PM4_EVENT_BOTTOM_OF_PIPE_TS | 5U << 8, static_cast<uint32_t>(PM4_DATA_GPU_CLOCK) << 29,
		     static_cast<uint32_t>(where), static_cast<uint32_t>(where >> 32), 0, 0, 0});
	}
	void set(uint32_t reg, std::initializer_list<uint32_t> values)
	{
		put({PM4_HEADER(PM4_SET_SH_REG, static_cast<uint32_t>(values.size())), reg - sh_base});
		put(values);
	}
	void dispatch(uint32_t workgroups)
	{
		const uint64_t code = memory_.gpu() + 4 * code_dword;

		set(mmCOMPUTE_START_X, {0, 0, 0});
		set(mmCOMPUTE_NUM_THREAD_X, {256, 1, 1});
		set(mmCOMPUTE_PGM_LO, {static_cast<uint32_t>(code >> 8), static_cast<uint32_t>(code >> 40)});
		set(mmCOMPUTE_PGM_RSRC1, {1U << 6 | 0xc0U << 12, 0}); /* 8 VGPRs, 16 SGPRs */
		set(mmCOMPUTE_TMPRING_SIZE, {0});
		put({PM4_HEADER(PM4_DISPATCH_DIRECT, 3), workgroups, 1, 1,
		     PM4_DISPATCH_COMPUTE_SHADER_EN | PM4_DISPATCH_FORCE_START_AT_000});
		put({PM4_HEADER(PM4_EVENT_WRITE, 0), PM4_EVENT_CS_PARTIAL_FLUSH | 4U << 8});
	}

	drm::Buffer memory_;
	uint32_t used_ = 0;
};

/** Contexts of normal priority that keep their rings busy. */
class Load {
public:
	Load(const drm::Device &device, uint16_t rounds, uint32_t workgroups)
	{
		for (unsigned n = 0; n < load_rings; n++) {
			contexts_.push_back(std::make_unique<drm::Context>(device));
			for (unsigned i = 0; i < load_depth; i++)
				jobs_.emplace_back(Job(device, rounds, workgroups), std::nullopt);
		}
		refill();
	}
	/** Whoever has ended is submitted again. */
	void refill()
	{
		for (unsigned n = 0; n < jobs_.size(); n++)
			if (!jobs_[n].second || jobs_[n].second->wait(0))
				jobs_[n].second = jobs_[n].first.submit(*contexts_[n % load_rings], 0);
	}
	~Load()
	{
		for (auto &job : jobs_)
			if (job.second)
				(void)job.second->try_wait(patience_ns);
	}

private:
	std::vector<std::unique_ptr<drm::Context>> contexts_;
	std::vector<std::pair<Job, std::optional<drm::Fence>>> jobs_;
};

struct Latencies {
	std::vector<double> wall_us, gpu_us;
	std::vector<amdm_ctl_trace_event> trace; /* of one more job, if it is a kernel on the full GPU */
};

Latencies measure(Machine &machine, const drm::Device &device, double ticks_per_us, uint32_t workgroups, bool busy, unsigned count,
		  uint32_t load_workgroups)
{
	std::optional<Load> load;
	drm::Context context(device, AMDGPU_CTX_PRIORITY_VERY_HIGH);
	Job job(device, 44, workgroups);
	Latencies result;

	if (busy)
		load.emplace(device, 4, load_workgroups);
	const auto run = [&] {
		if (load)
			load->refill();
		const auto wall = clock::now();
		if (!job.submit(context, 0).wait(patience_ns))
			throw std::runtime_error("the measured job does not end");
		return wall;
	};
	for (unsigned n = 0; n < count + 2; n++) {
		const auto wall = run();
		if (n < 2)
			continue; /* the first ones meet what is not yet warm */
		result.wall_us.push_back(std::chrono::duration<double, std::micro>(clock::now() - wall).count());
		result.gpu_us.push_back(static_cast<double>(job.ticks()) / ticks_per_us);
	}
	if (busy && workgroups) {
		(void)machine.take_trace();
		machine.trace(true);
		run();
		machine.trace(false);
		result.trace = machine.take_trace();
	}
	std::sort(result.wall_us.begin(), result.wall_us.end());
	std::sort(result.gpu_us.begin(), result.gpu_us.end());
	return result;
}

double quantile(const std::vector<double> &sorted, double q)
{
	return sorted[std::min(sorted.size() - 1, static_cast<size_t>(q * static_cast<double>(sorted.size())))];
}

nlohmann::ordered_json summary(const std::vector<double> &sorted)
{
	return {{"min", sorted.front()}, {"median", quantile(sorted, 0.5)}, {"p99", quantile(sorted, 0.99)}, {"max", sorted.back()}};
}

/* Of the CUs while one job runs. Its workgroups last ten times as long as the load's. */
std::string time_line(const Machine &machine, const std::vector<amdm_ctl_trace_event> &trace, const std::string &title)
{
	uint64_t longest = 0;

	for (const TraceSpan &span : trace_spans(trace))
		if (span.kind == TraceSpan::Kind::Workgroup)
			longest = std::max(longest, span.end - span.start);
	return trace_time_line(trace, machine.facts().cycles_per_us, title,
			       [=](const TraceSpan &span) { return span.end - span.start > longest / 3 ? "the job" : "the load"; });
}

std::string way()
{
	std::ifstream file("/sys/module/amdgpu_model/parameters/high_priority");
	std::string name = "?";

	file >> name;
	return name;
}

/* What the RFC asks for: a real job that does not notice the load; without a preference it must, or the load is none. */
void judge(Report &report, double median, double p99)
{
	constexpr double preferred = 1.1, starved = 1.3;
	const bool off = way() == "off";

	report.passed = off ? median >= starved : median <= preferred && p99 <= preferred;
	report.json["passed"] = report.passed;
	report.text += fmt::format("{}: {}\n", report.passed ? "PASS" : "FAIL",
				   off ? fmt::format("the load holds the kernel up, {:.1f} times idle at least", starved) :
					 fmt::format("the kernel takes {:.1f} times idle at most", preferred));
}

svg::Series distribution(const std::string &name, const std::vector<double> &sorted)
{
	svg::Series series = {.name = name, .points = {}, .steps = true};

	for (size_t n = 0; n < sorted.size(); n++)
		series.points.push_back({sorted[n], 100.0 * static_cast<double>(n + 1) / static_cast<double>(sorted.size())});
	return series;
}

} // namespace

/** On the GPU behind the first render node; the experiment opens it itself. */
Report report_ring_priority(Machine &machine, const ReportOptions &options)
{
	machine.free_run();
	drm::Device device;
	const auto info = device.info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO);
	const double ticks_per_us = static_cast<double>(info.gpu_counter_freq) / 1000;
	const unsigned count = options.brief ? 20 : options.full ? 1000 : 200;
	const uint32_t cus = info.cu_active_number;
	std::vector<svg::Series> lines;
	std::string line_of_cus;
	Report report;

	report.json["way"] = way();
	report.json["cus"] = cus;
	report.json["jobs"] = count;
	report.text = fmt::format("high_priority={}, {} CUs, {} jobs; microseconds\n"
				  "{:<8} {:<5} {:>42} {:>42}\n",
				  way(), cus, count, "job", "GPU", "on the GPU: min median 99% max", "wall: min median 99% max");
	for (bool kernel : {false, true}) {
		double idle_median = 0, idle_p99 = 0;

		for (bool busy : {false, true}) {
			const Latencies l = measure(machine, device, ticks_per_us, kernel ? 2 * cus : 0, busy, count, 40 * cus);
			const char *job = kernel ? "kernel" : "nop", *state = busy ? "busy" : "idle";
			const double median = quantile(l.gpu_us, 0.5), p99 = quantile(l.gpu_us, 0.99);

			report.json[job][state] = {{"gpu_us", summary(l.gpu_us)}, {"wall_us", summary(l.wall_us)}};
			report.text += fmt::format(
				"{:<8} {:<5} {:>9.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>12.0f} {:>9.0f} {:>9.0f} {:>9.0f}\n", job, state,
				l.gpu_us.front(), median, p99, l.gpu_us.back(), l.wall_us.front(), quantile(l.wall_us, 0.5),
				quantile(l.wall_us, 0.99), l.wall_us.back());
			lines.push_back(distribution(fmt::format("{}, {}", job, state), l.gpu_us));
			if (!busy) {
				idle_median = median;
				idle_p99 = p99;
				continue;
			}
			/* A NOP takes less than the clock's tick. */
			const double tick = 1 / ticks_per_us;
			const double median_ratio = std::max(median, tick) / std::max(idle_median, tick);
			const double p99_ratio = std::max(p99, tick) / std::max(idle_p99, tick);
			report.json[job]["busy_to_idle"] = {{"median", median_ratio}, {"p99", p99_ratio}};
			report.text += fmt::format("{:<8} busy to idle: median {:.2f}, 99% {:.2f}\n", job, median_ratio, p99_ratio);
			if (!kernel)
				continue;
			judge(report, median_ratio, p99_ratio);
			line_of_cus = time_line(machine, l.trace, "A job of a context above normal on a full GPU, high_priority=" + way());
		}
	}
	report.pictures.push_back(svg::line_chart(
		{.title = "Jobs of a context above normal, high_priority=" + way(), .x = "us on the GPU", .y = "% of jobs"}, lines));
	report.pictures.push_back(line_of_cus);
	return report;
}

} // namespace kfdm::exp
