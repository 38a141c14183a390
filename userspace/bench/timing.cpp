// SPDX-License-Identifier: MIT
/*
 * timing.cpp - what virtual time costs: programs on the silicon alone in functional mode and with timing. Exit code 1 if timing costs
 * more than its limit.
 */
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "exp/rtns.hpp"

namespace {

using namespace kfdm;
using namespace kfdm::exp;

constexpr double limit = 7; /* times the functional mode's time */
constexpr uint32_t side = 256, elements = side * side;
constexpr unsigned repeats = 9;

struct Program {
	const char *object, *kernel;
	std::array<uint32_t, 3> grid;
	std::array<uint16_t, 3> workgroup;
	uint32_t last; /* argument behind a, b, out */
	unsigned times;
};

constexpr Program programs[] = {
	{"demo", "vector_add", {elements, 1, 1}, {256, 1, 1}, elements, 20},
	{"demo", "matrix_product", {side, side, 1}, {16, 16, 1}, side, 1},
	{"product", "mm256", {side, side, 1}, {16, 16, 1}, side, 1},
	{"product", "mm1024", {side, side, 1}, {32, 32, 1}, side, 1},
};

/* A program on a chip of its own, with timing or without. */
class Run {
public:
	Run(const Program &p, bool timing) : program_(p)
	{
		for (unsigned i = 0; i < 3; i++) {
			const uint64_t address = client_->alloc(elements * 4);
			work_.arguments.push_back(static_cast<uint32_t>(address));
			work_.arguments.push_back(static_cast<uint32_t>(address >> 32));
		}
		work_.arguments.push_back(p.last);
		if (!timing)
			machine_->set_mode(Mode::NoTiming, 1);
	}
	/* Wave instructions a second of CPU time. */
	double rate()
	{
		const uint64_t before = machine_->counter(static_cast<uint32_t>(Counter::Instructions));
		const std::clock_t begin = std::clock();
		const unsigned ticket = client_->submit(queue_, work_, program_.times);

		machine_->run_idle();
		const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
		if (!client_->times(ticket + program_.times - 1).done)
			throw_error(ETIME, "the program has not ended");
		return static_cast<double>(machine_->counter(static_cast<uint32_t>(Counter::Instructions)) - before) / seconds;
	}

private:
	Program program_;
	Work work_ = {.object = program_.object, .kernel = program_.kernel, .grid = program_.grid, .workgroup = program_.workgroup};
	std::unique_ptr<Machine> machine_ = silicon_machine("radeon_vii", 4);
	std::unique_ptr<Client> client_ = machine_->client();
	unsigned queue_ = client_->create_queue({});
};

struct Result {
	double functional, timing; /* the best of each */
	double ratio;		   /* median of those of neighbours in time: what else the host does meets both */
};

Result compare(const Program &p)
{
	Run functional(p, false), timing(p, true);
	std::array<double, repeats> ratios;
	Result result{};

	for (double &ratio : ratios) {
		const double f = functional.rate(), t = timing.rate();

		ratio = f / t;
		result.functional = std::max(result.functional, f);
		result.timing = std::max(result.timing, t);
	}
	std::ranges::nth_element(ratios, ratios.begin() + repeats / 2);
	result.ratio = ratios[repeats / 2];
	return result;
}

} // namespace

int main()
{
	bool good = true;

	try {
		fmt::print("{:<16} {:>14} {:>12}   million wave instructions a second\n", "", "functional", "timing");
		for (const Program &p : programs) {
			const auto [functional, timing, ratio] = compare(p);

			fmt::print("{:<16} {:>14.1f} {:>12.1f} {:>5.2f}x, at most {:.0f}x: {}\n", p.kernel, functional / 1e6, timing / 1e6,
				   ratio, limit, ratio <= limit ? "ok" : "SLOW");
			good = good && ratio <= limit;
		}
	} catch (const std::exception &error) {
		fmt::print(stderr, "timing_bench: {}\n", error.what());
		return 1;
	}
	return good ? 0 : 1;
}
