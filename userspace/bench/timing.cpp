// SPDX-License-Identifier: MIT
/*
 * timing.cpp - what virtual time costs: programs on the silicon alone in functional mode and with timing. Exit code 1 if timing costs
 * more than its limit.
 */
#include <ctime>
#include <numeric>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

#include "exp/rtns.hpp"

namespace {

using namespace kfdm;
using namespace kfdm::exp;

constexpr double limit = 4;		/* times the functional mode's time */
constexpr uint32_t side = 256, elements = side * side;
constexpr unsigned repeats = 3;

struct Program {
	const char *object, *kernel;
	std::array<uint32_t, 3> grid;
	std::array<uint16_t, 3> workgroup;
	uint32_t last;			/* argument behind a, b, out */
	unsigned times;
};

constexpr Program programs[] = {
	{"demo", "vector_add", {elements, 1, 1}, {256, 1, 1}, elements, 20},
	{"demo", "matrix_product", {side, side, 1}, {16, 16, 1}, side, 1},
	{"product", "mm256", {side, side, 1}, {16, 16, 1}, side, 1},
	{"product", "mm1024", {side, side, 1}, {32, 32, 1}, side, 1},
};

/* Instructions a second of CPU time, the best of some runs. */
double rate(const Program &p, Fault quirk)
{
	auto machine = silicon_machine("radeon_vii", 4);
	auto client = machine->client();
	const unsigned queue = client->create_queue({});
	Work work = {.object = p.object, .kernel = p.kernel, .grid = p.grid, .workgroup = p.workgroup};
	double best = 0;

	for (unsigned i = 0; i < 3; i++) {
		const uint64_t address = client->alloc(elements * 4);
		work.arguments.push_back(static_cast<uint32_t>(address));
		work.arguments.push_back(static_cast<uint32_t>(address >> 32));
	}
	work.arguments.push_back(p.last);
	if (quirk != Fault::Count)
		machine->inject(static_cast<uint32_t>(quirk), 1);
	for (unsigned i = 0; i < repeats; i++) {
		const uint64_t before = machine->counter(static_cast<uint32_t>(Counter::Instructions));
		const std::clock_t begin = std::clock();
		const unsigned ticket = client->submit(queue, work, p.times);

		machine->run_idle();
		const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
		if (!client->times(ticket + p.times - 1).done)
			throw_error(ETIME, "the program has not ended");
		best = std::max(best, static_cast<double>(machine->counter(static_cast<uint32_t>(Counter::Instructions)) - before) / seconds);
	}
	return best;
}

} // namespace

int main()
{
	bool good = true;

	try {
		fmt::print("{:<16} {:>14} {:>12}   million wave instructions a second\n", "", "functional", "timing");
		for (const Program &p : programs) {
			const double functional = rate(p, Fault::NoTiming), timing = rate(p, Fault::Count);
			const double ratio = functional / timing;

			fmt::print("{:<16} {:>14.1f} {:>12.1f} {:>5.2f}x, at most {:.0f}x: {}\n", p.kernel, functional / 1e6, timing / 1e6, ratio,
				   limit, ratio <= limit ? "ok" : "SLOW");
			good = good && ratio <= limit;
		}
	} catch (const std::exception &error) {
		fmt::print(stderr, "timing_bench: {}\n", error.what());
		return 1;
	}
	return good ? 0 : 1;
}
