// SPDX-License-Identifier: MIT
/*
 * progress.hpp - a line on the terminal that says how far something long has come. Nothing at all where standard error is no terminal, or
 * within the first two seconds.
 */
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace kfdm {

class Progress {
public:
	/** @total: steps that there are to be, 0: nobody knows. */
	explicit Progress(std::string what, uint64_t total = 0, std::FILE *out = stderr, bool shown = isatty(STDERR_FILENO))
		: what_(std::move(what)), total_(total), out_(out), shown_(shown)
	{
	}
	Progress(const Progress &) = delete;
	Progress &operator=(const Progress &) = delete;
	~Progress() { clear(); }

	/** So many steps more are done. */
	void step(uint64_t steps = 1)
	{
		const Clock::time_point now = Clock::now();

		done_ += steps;
		if (!shown_ || now - begin_ < patience || (drawn_ && now - last_ < pause))
			return;
		std::fprintf(out_, "\r%s\x1b[K", text(std::chrono::duration<double>(now - begin_).count()).c_str());
		std::fflush(out_);
		last_ = now;
		drawn_ = true;
	}
	/** Away with the line, before something else is printed. */
	void clear()
	{
		if (!drawn_)
			return;
		std::fprintf(out_, "\r\x1b[K");
		std::fflush(out_);
		drawn_ = false;
	}
	/** The line, without the terminal's commands. */
	[[nodiscard]] std::string text(double seconds) const
	{
		constexpr unsigned width = 24;

		if (!total_)
			return what_ + ": " + std::to_string(done_) + " (" + std::to_string(static_cast<uint64_t>(seconds)) + " s)";
		const double part = static_cast<double>(std::min(done_, total_)) / static_cast<double>(total_);
		const auto filled = static_cast<unsigned>(part * width);
		const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
		const std::string left = part > 0 ? ", " + std::to_string(static_cast<uint64_t>(seconds / part - seconds)) + " s left" : "";

		return what_ + " [" + bar + "] " + std::to_string(done_) + " of " + std::to_string(total_) + left;
	}

private:
	using Clock = std::chrono::steady_clock;
	static constexpr std::chrono::milliseconds patience{2000}, pause{200};

	const std::string what_;
	const uint64_t total_;
	std::FILE *const out_;
	const bool shown_;
	const Clock::time_point begin_ = Clock::now();
	Clock::time_point last_ = begin_;
	uint64_t done_ = 0;
	bool drawn_ = false;
};

} // namespace kfdm
