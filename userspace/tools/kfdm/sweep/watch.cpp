// SPDX-License-Identifier: MIT
/* watch.cpp - see watch.hpp. */
#include "watch.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "slurm.hpp"
#include "tools/progress.hpp"

namespace kfdm::sweep {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look{20}, count_pause{500}, ask_pause{3000};

volatile std::sig_atomic_t interrupted;

/** Notes SIGINT and SIGTERM instead of ending, unless they are ignored. */
class Interrupts {
public:
	Interrupts()
	{
		struct sigaction act = {};

		interrupted = 0;
		act.sa_handler = [](int) { interrupted = 1; };
		for (size_t i = 0; i < std::size(signals); i++) {
			sigaction(signals[i], nullptr, &old_[i]);
			if (old_[i].sa_handler != SIG_IGN)
				sigaction(signals[i], &act, nullptr);
		}
	}
	Interrupts(const Interrupts &) = delete;
	Interrupts &operator=(const Interrupts &) = delete;
	~Interrupts()
	{
		for (size_t i = 0; i < std::size(signals); i++)
			sigaction(signals[i], &old_[i], nullptr);
	}

private:
	static constexpr int signals[] = {SIGINT, SIGTERM};
	struct sigaction old_[2];
};

/** Counts results from time to time. */
class Counter {
public:
	explicit Counter(const Folder &folder) : folder_(folder), missing_(folder.missing().size()), progress_("kfdm sweep, rows", missing_)
	{
	}

	/* Rows without a result. */
	size_t missing()
	{
		if (Clock::now() - last_ < count_pause)
			return missing_;
		const size_t now = folder_.missing().size();
		progress_.step(missing_ - now);
		missing_ = now;
		last_ = Clock::now();
		return missing_;
	}
	void clear() { progress_.clear(); }

private:
	const Folder &folder_;
	size_t missing_;
	Progress progress_;
	Clock::time_point last_ = Clock::now();
};

} // namespace

bool watch_runner(const Folder &folder, Process &runner)
{
	const Interrupts interrupts;
	Counter counter(folder);
	bool told = false;

	for (; !runner.ended(); std::this_thread::sleep_for(look)) {
		counter.missing();
		if (interrupted && !told)
			kill(runner.pid(), SIGTERM);
		told = interrupted;
	}
	return !interrupted;
}

bool watch_job(const Folder &folder, const std::string &job)
{
	const Interrupts interrupts;
	Counter counter(folder);
	Clock::time_point asked = Clock::now();
	bool complained = false;

	for (; !interrupted && counter.missing(); std::this_thread::sleep_for(look)) {
		if (Clock::now() - asked < ask_pause)
			continue;
		asked = Clock::now();
		try {
			if (!in_queue(job))
				return true;
		} catch (const std::exception &error) {
			counter.clear();
			if (!complained)
				fmt::print(stderr, "kfdm: {}; waiting on\n", error.what());
			complained = true;
		}
	}
	return !interrupted;
}

} // namespace kfdm::sweep
