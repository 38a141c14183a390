// SPDX-License-Identifier: MIT
/* roofline.cpp - the instruction roofline: see kernels.hpp. */
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels.hpp"
#include "svg.hpp"

namespace kfdm::view {

namespace {

/* One vector instruction of a wave64 takes a SIMD of 16 lanes for four cycles: one a cycle and CU ("Vega" ISA, chapter 1). */
constexpr double peak_a_cycle_and_cu = 1;

struct Dot {
	std::string name;
	double intensity, rate; /* wave-instructions for a line; 10^9 a second */
};

std::vector<Dot> dots_of(const std::vector<KernelRow> &rows, const ChipSize &chip)
{
	std::vector<Dot> dots;

	for (const KernelRow &row : rows) {
		const double lines = static_cast<double>(row[KernelCount::L2Lines] - row[KernelCount::L2Hits]);
		const double issued = static_cast<double>(row[KernelCount::Valu]), cycles = static_cast<double>(row[KernelCount::Cycles]);

		if (issued > 0 && cycles > 0)
			dots.push_back({row.name, issued / std::max(lines, 1.0), issued / cycles * chip.mhz / 1000});
	}
	return dots;
}

} // namespace

std::string roofline_svg(const std::vector<KernelRow> &rows, const ChipSize &chip)
{
	const double peak = peak_a_cycle_and_cu * chip.cus * chip.mhz / 1000;
	const double slope = chip.lines_per_cycle() * chip.mhz / 1000; /* 10^9 lines a second */
	const std::vector<Dot> dots = dots_of(rows, chip);
	double left = slope > 0 ? peak / slope / 100 : 0.01, right = left * 1e5;
	std::vector<svg::Series> series;

	for (const Dot &dot : dots) {
		left = std::min(left, dot.intensity / 2);
		right = std::max(right, dot.intensity * 2);
	}
	svg::Series roof{.name = fmt::format("roof: {:.4g} GB/s, {} CUs at {:.4g} MHz", chip.memory_gbs, chip.cus, chip.mhz), .points = {}};
	if (slope > 0)
		roof.points = {{left, left * slope}, {peak / slope, peak}, {right, peak}};
	else
		roof.points = {{left, peak}, {right, peak}};
	series.push_back(std::move(roof));
	for (const Dot &dot : dots)
		series.push_back({.name = dot.name.substr(0, dot.name.find('(')),
				  .points = {{dot.intensity, dot.rate}},
				  .dots = true,
				  .beside = true});
	return svg::line_chart({.title = fmt::format("Instruction roofline of {} (the model's figures)", chip.name),
				.x = "vector instructions of a wave for each 64-byte line of memory",
				.y = "10^9 vector instructions of waves a second",
				.log_y = true,
				.log_x = true},
			       series);
}

} // namespace kfdm::view
