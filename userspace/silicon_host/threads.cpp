// SPDX-License-Identifier: MIT
/* threads.cpp - see threads.hpp. */
#include "threads.hpp"

#include <immintrin.h>

namespace silicon_host {

namespace {

/* Some 20 us: the next round comes within that as long as kernels run. */
constexpr unsigned spins = 1000;

/* State: number of the call of run(), who works on it, and whether one may begin. */
constexpr std::uint64_t open = 1, one_worker = 2, workers = 0xfffffffe;

constexpr std::uint64_t call_of(std::uint64_t state) { return state >> 32; }

} // namespace

Threads::Threads(unsigned count)
{
	for (unsigned n = 1; n < count; n++)
		threads_.emplace_back([this, n] { serve(n); });
}

Threads::~Threads()
{
	ending_.store(true);
	state_.fetch_add(std::uint64_t{1} << 32);
	state_.notify_all();
	for (std::thread &thread : threads_)
		thread.join();
}

void Threads::run(Work work, void *argument)
{
	work_ = work;
	argument_ = argument;
	state_.store((call_of(state_.load(std::memory_order_relaxed)) + 1) << 32 | open, std::memory_order_release);
	state_.notify_all();
	work(argument, 0);
	/* Who has not come by now is not waited for. */
	std::uint64_t state = state_.fetch_and(~open, std::memory_order_acq_rel);
	for (unsigned i = 0; state & workers; state = state_.load(std::memory_order_acquire)) {
		_mm_pause();
		if (++i % spins == 0)
			std::this_thread::yield();
	}
}

void Threads::serve(unsigned n)
{
	std::uint64_t done = 0;		/* the last call that it has worked on */
	unsigned idle = 0;

	for (;;) {
		std::uint64_t state = state_.load(std::memory_order_acquire);

		if (ending_.load(std::memory_order_relaxed))
			return;
		if (!(state & open) || call_of(state) == done) {
			_mm_pause();
			if (++idle < spins)
				continue;
			idle = 0;
			state_.wait(state, std::memory_order_acquire);
			continue;
		}
		if (!state_.compare_exchange_weak(state, state + one_worker, std::memory_order_acq_rel))
			continue;
		done = call_of(state);
		idle = 0;
		work_(argument_, n);
		state_.fetch_sub(one_worker, std::memory_order_release);
	}
}

} // namespace silicon_host
