// SPDX-License-Identifier: MIT
/*
 * svg.hpp - the pictures of experiments: line charts, heat maps, time lines. Each function returns a whole SVG file.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kfdm::svg {

struct Point {
	double x, y;
};

struct Series {
	std::string name;
	std::vector<Point> points;
	bool dots = false;   /**< circles instead of a line: published points, samples */
	bool steps = false;  /**< a value holds until the next one */
	bool beside = false; /**< the name stands beside the first point, not in the legend */
};

struct Axes {
	std::string title, x, y; /**< labels with their units */
	bool log_y = false;
	bool from_zero = true; /**< the y axis begins at 0 (linear only) */
	bool log_x = false;
};

std::string line_chart(const Axes &axes, const std::vector<Series> &series);

struct Bar {
	std::string group, name;
	double value;
	double published = 0; /**< a mark beside the bar; 0: none */
};

/** Bars side by side, grouped by @group. */
std::string bar_chart(const Axes &axes, const std::vector<Bar> &bars);

/** A square matrix; cells below 0 stay grey. */
std::string heat_map(const Axes &axes, const std::string &unit, const std::vector<std::vector<double>> &cells);

struct Span {
	unsigned lane; /**< row of the picture */
	double start, end;
	unsigned colour;		/**< index into the legend */
	unsigned level = 0, levels = 1; /**< place among spans of the lane that overlap */
};

/** A place on the time axis where some of it is left out. */
struct Break {
	double at;
	std::string left_out;
};

/** Lanes from top to bottom, spans in the colours of @legend. */
std::string time_line(const Axes &axes, const std::vector<std::string> &lanes, const std::vector<std::string> &legend,
		      const std::vector<Span> &spans, const std::vector<Break> &breaks = {});

} // namespace kfdm::svg
