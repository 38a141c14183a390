// SPDX-License-Identifier: MIT
/* svg.cpp - see svg.hpp. */
#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kfdm::svg {

namespace {

/* Colours that are told apart also by those who do not see red or green (Okabe and Ito). */
constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
constexpr size_t colour_count = sizeof(colours) / sizeof(colours[0]);

const char *colour(size_t n) { return colours[n % colour_count]; }

std::string escape(const std::string &text)
{
	std::string out;

	for (char c : text)
		out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
	return out;
}

/* A number as short as it can be told. */
std::string number(double value) { return fmt::format("{:g}", value == 0 ? 0 : value); }

/* Three digits, but whole numbers in full. */
std::string bar_label(double value) { return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value); }

/* 1, 2 or 5 times a power of ten: about @count of them in @range. */
double tick_step(double range, double count)
{
	double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
	double digit = rough / power;

	return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

struct Range {
	double lo = std::numeric_limits<double>::infinity(), hi = -lo;

	void take(double v)
	{
		lo = std::min(lo, v);
		hi = std::max(hi, v);
	}
};

/** The sheet: a frame with margins, and what is drawn on it so far. */
class Sheet {
public:
	Sheet(double width, double height, const std::string &title) : width_(width), height_(height)
	{
		text(width / 2, 24, title, "middle", 16, true);
	}

	double left = 78, top = 44, right = 24, bottom = 56;
	double x0() const { return left; }
	double x1() const { return width_ - right; }
	double y0() const { return height_ - bottom; }
	double y1() const { return top; }

	void add(const std::string &element) { body_ += element + "\n"; }
	void line(double ax, double ay, double bx, double by, const char *stroke, double width = 1, const char *more = "")
	{
		add(fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}"{}/>)", ax, ay, bx,
				by, stroke, width, more));
	}
	void rectangle(double x, double y, double w, double h, const std::string &fill, const char *more = "")
	{
		add(fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"{}/>)", x, y, w, h, fill, more));
	}
	void text(double x, double y, const std::string &what, const char *anchor, int size = 12, bool bold = false, int turn = 0)
	{
		add(fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{}"{}{}>{}</text>)", x, y, anchor, size,
				bold ? " font-weight=\"bold\"" : "",
				turn ? fmt::format(R"-( transform="rotate({} {:.1f} {:.1f})")-", turn, x, y) : "", escape(what)));
	}
	void axis_labels(const Axes &axes)
	{
		text((x0() + x1()) / 2, height_ - 14, axes.x, "middle", 13);
		text(18, (y0() + y1()) / 2, axes.y, "middle", 13, false, -90);
	}
	std::string finish() const
	{
		return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
				   R"(font-family="DejaVu Sans, Helvetica, sans-serif">)"
				   "\n<!--\nSPDX-License-Identifier: MIT\n-->\n"
				   R"(<rect width="100%" height="100%" fill="#ffffff"/>)"
				   "\n{2}</svg>\n",
				   width_, height_, body_);
	}

private:
	double width_, height_;
	std::string body_;
};

/** From values to places on the sheet, with ticks and grid lines. */
class Scale {
public:
	Scale(Range range, bool logarithmic, double from, double to) : log_(logarithmic), from_(from), to_(to), range_(range)
	{
		if (range_.lo > range_.hi) /* nothing to draw */
			range_ = {1, 10};
		if (!(range_.hi > range_.lo))
			range_.hi = range_.lo + 1;
	}

	double operator()(double v) const
	{
		double share = log_ ? std::log(v / range_.lo) / std::log(range_.hi / range_.lo) : (v - range_.lo) / (range_.hi - range_.lo);

		return from_ + share * (to_ - from_);
	}
	std::vector<double> ticks(double count) const
	{
		std::vector<double> at;

		if (log_) {
			/* Of many decades only they themselves have room for their numbers. */
			const bool wide = range_.hi / range_.lo > 1e5;

			for (double power = std::pow(10, std::floor(std::log10(range_.lo))); power <= range_.hi; power *= 10)
				for (double digit : {1., 2., 5.})
					if ((digit == 1 || !wide) && digit * power >= range_.lo * 0.999 &&
					    digit * power <= range_.hi * 1.001)
						at.push_back(digit * power);
			return at;
		}
		double step = tick_step(range_.hi - range_.lo, count);
		for (double n = std::ceil(range_.lo / step - 1e-9); n * step <= range_.hi + step * 1e-6; n++)
			at.push_back(n * step);
		return at;
	}

private:
	bool log_;
	double from_, to_;
	Range range_;
};

void draw_frame(Sheet &sheet, const Axes &axes, const Scale &x, const Scale &y, bool x_ticks = true)
{
	for (double v : y.ticks(8)) {
		sheet.line(sheet.x0(), y(v), sheet.x1(), y(v), "#dddddd");
		sheet.text(sheet.x0() - 6, y(v) + 4, number(v), "end");
	}
	if (x_ticks)
		for (double v : x.ticks(12)) {
			sheet.line(x(v), sheet.y0(), x(v), sheet.y1(), "#eeeeee");
			sheet.text(x(v), sheet.y0() + 18, number(v), "middle");
		}
	sheet.line(sheet.x0(), sheet.y0(), sheet.x1(), sheet.y0(), "#444444");
	sheet.line(sheet.x0(), sheet.y0(), sheet.x0(), sheet.y1(), "#444444");
	sheet.axis_labels(axes);
}

/* Below the title, one entry after the other. */
void draw_legend(Sheet &sheet, const std::vector<std::string> &names, const std::vector<bool> &dots)
{
	double x = sheet.x0();

	for (size_t i = 0; i < names.size(); i++) {
		if (names[i].empty())
			continue;
		if (i < dots.size() && dots[i])
			sheet.add(fmt::format(R"(<circle cx="{:.1f}" cy="37" r="4" fill="none" stroke="{}" stroke-width="2"/>)", x + 10,
					      colour(i)));
		else
			sheet.rectangle(x, 32, 20, 10, colour(i));
		sheet.text(x + 26, 41, names[i], "start");
		x += 44 + 7.2 * static_cast<double>(names[i].size());
	}
}

/* Dark blue over green to yellow: brighter is more. */
std::string heat(double share)
{
	static constexpr double stops[][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
	double at = std::clamp(share, 0., 1.) * 4;
	size_t n = std::min<size_t>(static_cast<size_t>(at), 3);
	double part = at - static_cast<double>(n);
	int rgb[3];

	for (size_t i = 0; i < 3; i++)
		rgb[i] = static_cast<int>(std::lround(stops[n][i] + (stops[n + 1][i] - stops[n][i]) * part));
	return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

} // namespace

std::string line_chart(const Axes &axes, const std::vector<Series> &series)
{
	Sheet sheet(900, 500, axes.title);
	Range xs, ys;
	std::vector<std::string> names;
	std::vector<bool> dots;

	sheet.top = 56;
	for (const Series &s : series) {
		names.push_back(s.beside ? "" : s.name);
		dots.push_back(s.dots);
		for (Point p : s.points) {
			xs.take(p.x);
			ys.take(p.y);
		}
	}
	if (!axes.log_y && axes.from_zero)
		ys.take(0);
	if (axes.log_y)
		ys = {ys.lo * 0.9, ys.hi * 1.1};
	else
		ys.hi *= 1.04;
	Scale x(xs, axes.log_x, sheet.x0(), sheet.x1()), y(ys, axes.log_y, sheet.y0(), sheet.y1());

	draw_frame(sheet, axes, x, y);
	draw_legend(sheet, names, dots);
	for (size_t i = 0; i < series.size(); i++) {
		std::string path;
		double before = 0;

		if (series[i].beside && !series[i].points.empty()) {
			const Point at = series[i].points.front();
			const bool in_the_right_half = x(at.x) > (sheet.x0() + sheet.x1()) / 2;

			sheet.text(x(at.x) + (in_the_right_half ? -8 : 8), y(at.y) + 4, series[i].name, in_the_right_half ? "end" : "start",
				   11);
		}
		for (Point p : series[i].points) {
			if (series[i].dots) {
				sheet.add(fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="none" stroke="{}" stroke-width="2"/>)",
						      x(p.x), y(p.y), colour(i)));
				continue;
			}
			if (series[i].steps && !path.empty())
				path += fmt::format("{:.1f},{:.1f} ", x(p.x), before);
			before = y(p.y);
			path += fmt::format("{:.1f},{:.1f} ", x(p.x), before);
		}
		if (!path.empty())
			sheet.add(fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.8"/>)", path, colour(i)));
	}
	return sheet.finish();
}

std::string bar_chart(const Axes &axes, const std::vector<Bar> &bars)
{
	Sheet sheet(900, 500, axes.title);
	Range ys;
	std::vector<std::string> groups, names;
	bool published = false;
	auto place = [](std::vector<std::string> &list, const std::string &name) {
		size_t at = static_cast<size_t>(std::find(list.begin(), list.end(), name) - list.begin());
		if (at == list.size())
			list.push_back(name);
		return at;
	};

	sheet.top = 56;
	if (!axes.log_y)
		ys.take(0);
	for (const Bar &bar : bars) {
		place(groups, bar.group);
		place(names, bar.name);
		ys.take(bar.value);
		if (bar.published > 0)
			ys.take(bar.published);
		published |= bar.published > 0;
	}
	ys.hi *= 1.1;
	if (axes.log_y)
		ys.lo *= 0.7;
	Scale x({0, static_cast<double>(groups.size())}, false, sheet.x0(), sheet.x1()), y(ys, axes.log_y, sheet.y0(), sheet.y1());

	draw_frame(sheet, axes, x, y, false);
	draw_legend(sheet, names, {});
	if (published)
		sheet.text(sheet.x1(), 41, "black line: published", "end");
	for (size_t g = 0; g < groups.size(); g++)
		sheet.text(x(static_cast<double>(g) + 0.5), sheet.y0() + 18, groups[g], "middle");
	double width = 0.8 / static_cast<double>(names.size());
	for (const Bar &bar : bars) {
		size_t n = place(names, bar.name);
		double from = static_cast<double>(place(groups, bar.group)) + 0.1 + static_cast<double>(n) * width;

		sheet.rectangle(x(from), y(bar.value), x(from + width * 0.92) - x(from), sheet.y0() - y(bar.value), colour(n));
		sheet.text((x(from) + x(from + width * 0.92)) / 2, y(bar.value) - 4, bar_label(bar.value), "middle", 10);
		if (bar.published > 0)
			sheet.line(x(from) - 3, y(bar.published), x(from + width * 0.92) + 3, y(bar.published), "#000000", 2.5);
	}
	return sheet.finish();
}

std::string heat_map(const Axes &axes, const std::string &unit, const std::vector<std::vector<double>> &cells)
{
	Sheet sheet(760, 700, axes.title);
	Range values;
	double n = static_cast<double>(cells.size());

	sheet.right = 130;
	for (const auto &row : cells)
		for (double v : row)
			if (v >= 0)
				values.take(v);
	Scale x({0, n}, false, sheet.x0(), sheet.x1()), y({0, n}, false, sheet.y0(), sheet.y1());
	double side = (sheet.x1() - sheet.x0()) / n, height = (sheet.y0() - sheet.y1()) / n;

	for (size_t row = 0; row < cells.size(); row++)
		for (size_t column = 0; column < cells[row].size(); column++) {
			double v = cells[row][column];
			sheet.rectangle(x(static_cast<double>(column)), y(static_cast<double>(row) + 1), side + 0.3, height + 0.3,
					v < 0 ? "#cccccc" : heat((v - values.lo) / std::max(values.hi - values.lo, 1e-12)));
		}
	double every = std::max(1., std::ceil(tick_step(n, 15)));
	for (double i = 0; i < n; i += every) {
		sheet.text(x(i) + side / 2, sheet.y0() + 18, number(i), "middle");
		sheet.text(sheet.x0() - 6, y(i) - height / 2 + 4, number(i), "end");
	}
	sheet.axis_labels(axes);
	Scale bar({values.lo, values.hi}, false, sheet.y0(), sheet.y1());
	for (int i = 0; i < 100; i++)
		sheet.rectangle(sheet.x1() + 24, sheet.y0() - (i + 1) * (sheet.y0() - sheet.y1()) / 100, 20,
				(sheet.y0() - sheet.y1()) / 100 + 0.5, heat(i / 99.));
	for (double v : bar.ticks(8))
		sheet.text(sheet.x1() + 50, bar(v) + 4, number(v), "start");
	sheet.text(sheet.x1() + 34, sheet.y1() - 8, unit, "middle");
	return sheet.finish();
}

std::string time_line(const Axes &axes, const std::vector<std::string> &lanes, const std::vector<std::string> &legend,
		      const std::vector<Span> &spans, const std::vector<Break> &breaks)
{
	constexpr size_t labels_that_fit = 12;
	double height = std::clamp(14. * static_cast<double>(lanes.size()) + 116, 220., 1000.);
	Sheet sheet(1200, height, axes.title);
	Range xs;

	sheet.top = breaks.empty() ? 56 : 72;
	sheet.left = 110;
	for (const Span &span : spans) {
		xs.take(span.start);
		xs.take(span.end);
	}
	if (spans.empty())
		xs = {0, 1};
	double count = static_cast<double>(std::max<size_t>(lanes.size(), 1));
	Scale x(xs, false, sheet.x0(), sheet.x1()), y({0, count}, false, sheet.y1(), sheet.y0());
	double lane_height = (sheet.y0() - sheet.y1()) / count;
	double every = std::ceil(11 / lane_height);

	for (double v : x.ticks(12)) {
		sheet.line(x(v), sheet.y0(), x(v), sheet.y1(), "#eeeeee");
		sheet.text(x(v), sheet.y0() + 18, number(v), "middle");
	}
	for (size_t i = 0; i < lanes.size(); i++)
		if (std::fmod(static_cast<double>(i), every) == 0)
			sheet.text(sheet.x0() - 6, y(static_cast<double>(i)) + lane_height / 2 + 4, lanes[i], "end", 10);
	for (const Span &span : spans) {
		double part = lane_height * 0.92 / std::max(span.levels, 1u);

		sheet.rectangle(x(span.start), y(span.lane) + part * span.level, std::max(x(span.end) - x(span.start), 0.4), part * 0.94,
				colour(span.colour));
	}
	for (const Break &b : breaks) {
		sheet.line(x(b.at), sheet.y0(), x(b.at), sheet.y1(), "#999999", 1, R"( stroke-dasharray="4 3")");
		if (breaks.size() <= labels_that_fit)
			sheet.text(x(b.at), sheet.y1() - 5, b.left_out, "middle", 10);
	}
	sheet.line(sheet.x0(), sheet.y0(), sheet.x1(), sheet.y0(), "#444444");
	sheet.axis_labels(axes);
	draw_legend(sheet, legend, {});
	return sheet.finish();
}

} // namespace kfdm::svg
