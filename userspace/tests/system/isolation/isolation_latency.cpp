// SPDX-License-Identifier: MIT
/*
 * isolation_latency.cpp - how long alice's worst behaviour makes bob wait, for each kind of it.
 *
 * Three things of bob's are timed: how late a thread of SCHED_FIFO wakes up that sleeps for 1 ms, how long the first touch of a page of
 * VRAM takes, and how long the GPU takes to answer. The yardstick is the same beside a process that merely computes and makes system
 * calls: what alice does with the GPU may cost him `factor` times that. Busy hosts make single measurements bad, not all of several.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "abuses/abuses.hpp"
#include "gpu.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

enum Measure { Wakeup, Fault, Answer, measures };
constexpr const char *measure_names[measures] = {"wake-up", "page fault", "answer"};

/* Worst of each, microseconds. */
struct Worst {
	uint64_t us[measures];
};

/* How many times the yardstick, and how much is not looked at: about what a slice of the scheduler or a tick of the clock is. */
struct Limit {
	uint64_t factor, least_us;
};
constexpr Limit limits[measures] = {
	{3, 60'000},   /* wake-up */
	{20, 100'000}, /* page fault */
	{40, 500'000}, /* answer: the GPU is shared, and has its own queue of work */
};
constexpr int tries = 8;

milliseconds window() { return milliseconds(soak() ? 5000 : 150); }

uint64_t us_since(Clock::time_point start)
{
	return static_cast<uint64_t>(std::chrono::duration_cast<microseconds>(Clock::now() - start).count());
}

void sleep_and_look(std::atomic<bool> &stop, uint64_t &worst)
{
	const sched_param priority = {10};
	const timespec ms = {0, 1'000'000};

	CHECK_EQ(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority), 0);
	while (!stop) {
		const Clock::time_point start = Clock::now();

		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, nullptr);
		worst = std::max(worst, us_since(start) - 1000);
	}
}

/* The pages of a buffer of VRAM one by one, each but once; made before somebody fragments VRAM or takes all of it. */
class Faults {
public:
	explicit Faults(Gpu &gpu) : buffer_(Buffer::vram(gpu.device, pages * 4096)) {}

	/* From now on @most more may be touched. */
	void begin() { end_ = next_ + most * step; }
	void touch(uint64_t &worst)
	{
		if (next_ == end_ || next_ >= pages)
			return;
		const Clock::time_point start = Clock::now();

		static_cast<volatile uint8_t *>(buffer_.data())[4096 * next_] = 1;
		worst = std::max(worst, us_since(start));
		next_ += step;
	}

private:
	static constexpr size_t pages = 256 * 1024, most = 30;
	static constexpr size_t step = 17; /* a fault maps some pages around it as well */
	Buffer buffer_;
	size_t next_ = 0, end_ = 0;
};

void ask(AqlQueue &queue, Signal &done, uint64_t &worst)
{
	const Clock::time_point start = Clock::now();

	done.store(1);
	queue.submit(barrier_and({}, &done));
	CHECK(done.wait(patience));
	worst = std::max(worst, us_since(start));
}

/* bob, while somebody else does what he does. */
class Meter {
public:
	Meter() : faults_(gpu_), queue_(gpu_.device), done_(Signal::with_event(gpu_.device, 1)) {}

	[[nodiscard]] Worst run()
	{
		std::atomic<bool> stop = false;
		Worst worst = {};
		std::thread sleeper([&] { sleep_and_look(stop, worst.us[Wakeup]); });
		const Clock::time_point end = Clock::now() + window();

		faults_.begin();
		do {
			faults_.touch(worst.us[Fault]);
			ask(queue_, done_, worst.us[Answer]);
		} while (Clock::now() < end);
		stop = true;
		sleeper.join();
		return worst;
	}

private:
	Gpu gpu_;
	Faults faults_;
	AqlQueue queue_;
	Signal done_;
};

/* Bob's orders and answers. */
struct Board {
	std::atomic<int> asked, answered;
	Worst worst;
};

void measure_when_asked(Board &board)
{
	Meter meter;

	Child::ready();
	for (int n = 0;; n++) {
		while (board.asked == n)
			usleep(1000);
		board.worst = meter.run();
		board.answered = n + 1;
	}
}

Worst beside(const Abuse &abuse, Board &board)
{
	Child abuser = as(alice, abuse.work);

	if (!CHECK(abuser.wait_ready()))
		fmt::print("    {}\n", abuse.name);
	board.asked++;
	CHECK(eventually([&] { return board.answered == board.asked; }));
	return board.worst;
}

uint64_t allowed(const Worst &yardstick, int measure)
{
	return limits[measure].factor * std::max(yardstick.us[measure], limits[measure].least_us / limits[measure].factor);
}

bool within(const Worst &worst, const Worst &yardstick)
{
	for (int i = 0; i < measures; i++)
		if (worst.us[i] > allowed(yardstick, i))
			return false;
	return true;
}

/* Each the best of several. */
void improve(Worst &best, const Worst &worst)
{
	for (int i = 0; i < measures; i++)
		best.us[i] = std::min(best.us[i], worst.us[i]);
}

void judge(const Abuse &abuse, Board &board, const Worst &yardstick)
{
	Worst best = beside(abuse, board);

	for (int i = 1; i < tries && !within(best, yardstick); i++)
		improve(best, beside(abuse, board));
	fmt::print("{:40}", abuse.name);
	for (int i = 0; i < measures; i++)
		fmt::print(" {:9.2f}", static_cast<double>(best.us[i]) / 1000);
	fmt::print("\n");
	std::fflush(stdout);
	for (int i = 0; i < measures; i++)
		if (best.us[i] > allowed(yardstick, i))
			fail(__FILE__, __LINE__,
			     fmt::format("{}: {} of {} us, {} are allowed", abuse.name, measure_names[i], best.us[i],
					 allowed(yardstick, i)));
}

void allow_fifo()
{
	const rlimit realtime = {10, 10};

	if (setrlimit(RLIMIT_RTPRIO, &realtime))
		throw_errno("RLIMIT_RTPRIO");
}

} // namespace

KFDM_TEST("a user's worst behaviour costs another one a stated factor of his time")
{
	Shared<Board> board;

	admit_users();
	allow_fifo();
	Child bobs = as(bob, [&] { measure_when_asked(*board); });
	REQUIRE(bobs.wait_ready());
	/* The worst of some, as a yardstick; the first also warms up. */
	Worst yardstick = beside(computing, *board);
	for (int i = 0; i < 3; i++) {
		const Worst worst = beside(computing, *board);

		for (int m = 0; m < measures; m++)
			yardstick.us[m] = std::max(yardstick.us[m], worst.us[m]);
	}
	fmt::print("{:40} {:>9} {:>9} {:>9} ms\n{:40}", "worst beside", "wake-up", "fault", "answer", computing.name);
	for (uint64_t us : yardstick.us)
		fmt::print(" {:9.2f}", static_cast<double>(us) / 1000);
	fmt::print("\n");
	for (const std::span<const Abuse> kind : {kfd_calls, kfd_queues, kfd_memory, render_node, files})
		for (const Abuse &abuse : kind)
			judge(abuse, *board, yardstick);
}
