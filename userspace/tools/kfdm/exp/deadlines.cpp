// SPDX-License-Identifier: MIT
/* deadlines.cpp - see deadlines.hpp; the table of `kfdm exp deadlines`. */
#include "deadlines.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <kfdm/lab.hpp>

#include "report.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr double rate_hz = 90, frame_ms = 1000 / rate_hz;
constexpr unsigned steps = 200; /* of the clock in a frame; what is submitted and noticed is so in one of them */
constexpr uint32_t normal = 7, highest = 15;
constexpr unsigned reserve = 6; /* pieces of work that the background has in its queue */
constexpr uint64_t limit_cycles = 1ull << 36;
constexpr size_t piece_bytes = 4 << 20; /* of a copy */

/* Work that takes so long on an idle GPU, and of which pieces. */
struct Job {
	double ms, piece_ms;
};

/* Kernels: a piece is a workgroup's length; copies have pieces of their own (silicon: 64 KiB). */
constexpr Job warp_kernel = {0.5, 0.5}, game_kernel = {3, 0.5}, background_kernel = {4, 1};
constexpr double warp_copy_ms = 1.2, game_copy_ms = 3, background_copy_ms = 4;

/** A process with one queue and one sort of job. */
class Worker {
public:
	virtual ~Worker() = default;
	virtual unsigned submit() = 0;

	Client &client() { return *client_; }
	unsigned queue() const { return queue_; }
	double alone_ms() const { return alone_ms_; }

protected:
	Worker(Machine &machine, double alone_ms) : client_(machine.client()), alone_ms_(alone_ms) {}

	std::unique_ptr<Client> client_;
	unsigned queue_ = 0;

private:
	double alone_ms_;
};

/* Two workgroups of a wave fill a CU, by LDS: as many as run at once are one piece. */
class Kernels final : public Worker {
public:
	Kernels(Machine &machine, const Job &job, uint32_t priority) : Worker(machine, job.ms)
	{
		constexpr uint32_t lds = 32 * 1024, groups_a_cu = 2;
		constexpr double nap_cycles = 127 * 64; /* device/exp.s, sleep_long */
		const double cycles = job.piece_ms * 1000 * machine.facts().cycles_per_us;
		const auto pieces = static_cast<uint32_t>(std::lround(job.ms / job.piece_ms));

		queue_ = client_->create_queue({.priority = priority});
		work_ = {.kernel = "sleep_long",
			 .grid = {64 * groups_a_cu * machine.facts().cus() * pieces, 1, 1},
			 .arguments = {static_cast<uint32_t>(std::lround(cycles / nap_cycles))},
			 .group_bytes = lds};
	}
	unsigned submit() override { return client_->submit(queue_, work_); }

private:
	Work work_;
};

/* The same piece of memory again and again. */
class Copies final : public Worker {
public:
	/** @skip: engines that are not for this one. */
	Copies(Machine &machine, double ms, double bytes_a_ms, unsigned skip)
		: Worker(machine, ms), pieces_(static_cast<unsigned>(std::lround(ms * bytes_a_ms / piece_bytes)))
	{
		for (unsigned i = 0; i < skip; i++)
			(void)client_->create_sdma_queue();
		queue_ = client_->create_sdma_queue();
		from_ = client_->alloc(piece_bytes);
		to_ = client_->alloc(piece_bytes);
	}
	unsigned submit() override
	{
		unsigned ticket = 0;

		for (unsigned i = 0; i < pieces_; i++)
			ticket = client_->submit_copy(queue_, to_, from_, piece_bytes);
		return ticket;
	}

private:
	unsigned pieces_;
	uint64_t from_, to_;
};

double run_once(Machine &machine, Worker &worker)
{
	const double begin = static_cast<double>(machine.now()) / machine.facts().cycles_per_us;
	const unsigned ticket = worker.submit();

	machine.run_until([&] { return worker.client().times(ticket).done; }, 1 << 14, limit_cycles);
	return (worker.client().times(ticket).end - begin) / 1000;
}

/* Of one SDMA queue alone. */
double copy_bytes_a_ms(Machine &machine)
{
	auto client = machine.client();
	const unsigned queue = client->create_sdma_queue();
	const uint64_t from = client->alloc(piece_bytes), to = client->alloc(piece_bytes);
	const unsigned ticket = client->submit_copy(queue, to, from, piece_bytes);

	machine.run_until([&] { return client->times(ticket).done; }, 1 << 14, limit_cycles);
	return piece_bytes / (client->times(ticket).length() / 1000);
}

/** The three. */
struct Cast {
	std::unique_ptr<Worker> game, background, compositor;
};

Cast make_cast(Machine &machine, const DeadlineSetup &setup)
{
	if (setup.rings == Rings::Compute)
		return {std::make_unique<Kernels>(machine, game_kernel, normal),
			std::make_unique<Kernels>(machine, background_kernel, normal),
			std::make_unique<Kernels>(machine, warp_kernel, setup.precedence == Precedence::Static ? highest : normal)};
	const double speed = copy_bytes_a_ms(machine);
	/* KFD gives engines in turn: what is skipped brings the next queue back to the first one. */
	const unsigned others = machine.sdma_engines() - 1;
	auto game = std::make_unique<Copies>(machine, game_copy_ms, speed, 0);
	auto background = std::make_unique<Copies>(machine, background_copy_ms, speed, others);
	return {std::move(game), std::move(background),
		std::make_unique<Copies>(machine, warp_copy_ms, speed, setup.rings == Rings::SdmaOwn ? 0 : others)};
}

/** The display's clock: what happens in which step of a frame. */
class Show {
public:
	Show(Machine &machine, const DeadlineSetup &setup, Cast &cast) : machine_(machine), setup_(setup), cast_(cast) {}

	void run(DeadlineResult *result)
	{
		const double step = frame_ms * 1000 * machine_.facts().cycles_per_us / steps;
		const uint64_t begin = machine_.now();
		constexpr unsigned warp_step = steps - static_cast<unsigned>(warp_lead_ms / frame_ms * steps);

		result_ = result;
		result->frames = setup_.frames;
		/* One frame more, so that the last warp can end; no job begins in it. */
		for (unsigned n = 0; n < (setup_.frames + 1) * steps; n++) {
			const bool last = n >= setup_.frames * steps;

			machine_.run_to(begin + static_cast<uint64_t>(n * step));
			feed();
			watch_warp();
			if (n % steps == 0)
				begin_frame(last);
			if (n % steps == warp_step && !last)
				begin_warp();
		}
		result->missed += warp_ ? 1 : 0;
		if (warp_)
			result->warps_ms.push_back(now_ms() - warp_begin_);
		const double ms = now_ms() - static_cast<double>(begin) / machine_.facts().cycles_per_us / 1000;
		result->background = background_done_ * cast_.background->alone_ms() / ms;
	}

private:
	[[nodiscard]] double now_ms() { return static_cast<double>(machine_.now()) / machine_.facts().cycles_per_us / 1000; }

	void feed()
	{
		while (!background_.empty() && cast_.background->client().times(background_.front()).done) {
			background_.pop_front();
			background_done_++;
		}
		while (background_.size() < reserve)
			background_.push_back(cast_.background->submit());
	}
	void begin_frame(bool last)
	{
		if (game_ && !cast_.game->client().times(*game_).done) {
			result_->game_missed++; /* the old one goes on being drawn */
			return;
		}
		game_.reset();
		if (!last)
			game_ = cast_.game->submit();
	}
	void begin_warp()
	{
		if (warp_) {
			result_->missed++;
			return;
		}
		warp_begin_ = now_ms();
		if (setup_.precedence == Precedence::Dynamic)
			set_priority(highest);
		warp_ = cast_.compositor->submit();
	}
	void watch_warp()
	{
		if (!warp_)
			return;
		const Times times = cast_.compositor->client().times(*warp_);
		if (!times.done)
			return;
		const double took = times.end / 1000 - warp_begin_;
		result_->warps_ms.push_back(took);
		result_->missed += took > warp_lead_ms;
		warp_.reset();
		if (setup_.precedence == Precedence::Dynamic)
			set_priority(normal);
	}
	void set_priority(uint32_t priority) { cast_.compositor->client().set_priority(cast_.compositor->queue(), priority); }

	Machine &machine_;
	const DeadlineSetup &setup_;
	Cast &cast_;
	DeadlineResult *result_ = nullptr;
	std::deque<unsigned> background_;
	unsigned background_done_ = 0;
	std::optional<unsigned> game_, warp_;
	double warp_begin_ = 0;
};

} // namespace

DeadlineResult measure_deadlines(Machine &machine, const DeadlineSetup &setup)
{
	const auto saved = [&] { return machine.counter(static_cast<uint32_t>(Counter::SavedWaves)); };
	DeadlineResult result;

	machine.set_mode(Mode::SqIgnoresPriority, !setup.sq_heeds);
	Cast cast = make_cast(machine, setup);
	result.alone_ms = run_once(machine, *cast.compositor);
	const uint64_t before = saved();
	Show(machine, setup, cast).run(&result);
	result.saved_waves = saved() - before;
	machine.set_mode(Mode::SqIgnoresPriority, 0);
	result.mean_ms = std::accumulate(result.warps_ms.begin(), result.warps_ms.end(), 0.) /
			 static_cast<double>(std::max<size_t>(result.warps_ms.size(), 1));
	result.worst_ms = result.warps_ms.empty() ? 0 : *std::ranges::max_element(result.warps_ms);
	return result;
}

namespace {

struct Case {
	const char *part, *name, *legend;
	DeadlineSetup setup;
};

constexpr Case cases[] = {
	{"compute", "compute, off", "off", {Rings::Compute, Precedence::Off, true}},
	{"compute", "compute, static", "static", {Rings::Compute, Precedence::Static, true}},
	{"compute", "compute, dynamic", "dynamic", {Rings::Compute, Precedence::Dynamic, true}},
	{"compute", "compute, static, SQ ignores it", "static, ignored", {Rings::Compute, Precedence::Static, false}},
	{"sdma", "SDMA, one engine for all", "SDMA, one engine", {Rings::Sdma, Precedence::Off, true}},
	{"sdma", "SDMA, an engine of its own", "SDMA, own", {Rings::SdmaOwn, Precedence::Off, true}},
};

} // namespace

Report report_deadlines(Machine &machine, const ReportOptions &options)
{
	std::vector<svg::Series> lines;
	Report report;

	report.text = fmt::format(
		"A display of {:.0f} Hz: a warp of each frame, {:.1f} ms before it is shown, beside a game and a background job\n"
		"{:<32} {:>7} {:>7} {:>9} {:>9} {:>9} {:>12} {:>11} {:>12}\n",
		rate_hz, warp_lead_ms, "", "frames", "missed", "idle/ms", "mean/ms", "worst/ms", "game missed", "background",
		"saved waves");
	for (const Case &c : cases) {
		if (!options.wants(c.part))
			continue;
		DeadlineSetup setup = c.setup;
		setup.frames = options.brief ? 6 : 30;
		const DeadlineResult r = measure_deadlines(machine, setup);
		svg::Series line{c.legend, {}, false, true};

		report.text += fmt::format("{:<32} {:>7} {:>7} {:>9.2f} {:>9.2f} {:>9.2f} {:>12} {:>11.2f} {:>12}\n", c.name, r.frames,
					   r.missed, r.alone_ms, r.mean_ms, r.worst_ms, r.game_missed, r.background, r.saved_waves);
		report.json["rows"].push_back({{"name", c.name},
					       {"frames", r.frames},
					       {"missed", r.missed},
					       {"alone_ms", r.alone_ms},
					       {"mean_ms", r.mean_ms},
					       {"worst_ms", r.worst_ms},
					       {"game_missed", r.game_missed},
					       {"background", r.background},
					       {"saved_waves", r.saved_waves},
					       {"warps_ms", r.warps_ms}});
		for (size_t i = 0; i < r.warps_ms.size(); i++)
			line.points.push_back({static_cast<double>(i + 1), r.warps_ms[i]});
		lines.push_back(line);
	}
	lines.push_back({"deadline", {{1, warp_lead_ms}, {options.brief ? 6. : 30., warp_lead_ms}}});
	report.pictures.push_back(svg::line_chart(
		{.title = "Warps of a 90 Hz compositor, " + machine.facts().name, .x = "warp", .y = "submission to end / ms"}, lines));
	return report;
}

} // namespace kfdm::exp
