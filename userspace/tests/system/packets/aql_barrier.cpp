// SPDX-License-Identifier: MIT
/*
 * aql_barrier.cpp - the shortest way through the machine: barrier packet, completion signal, interrupt, event.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a barrier packet completes its signal and wakes the event's waiter")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Signal done = Signal::with_event(gpu.device, 1);
	uint64_t before = clock_at_rest(gpu);

	uint64_t index = queue.submit(barrier_and({}, &done));
	CHECK_EQ(index, 0U);
	/* On the event alone: only an interrupt ends this wait. */
	CHECK(done.event()->wait(patience));
	CHECK_EQ(done.value(), 0);
	CHECK(queue.wait_read(1, patience));

	uint64_t after = gpu.device.gpu_clock();
	CHECK(done.start_ticks() >= before);
	CHECK(done.end_ticks() >= done.start_ticks());
	CHECK(done.end_ticks() <= after);

	/* Several in a row, on one signal that counts down. */
	done.store(10);
	for (int i = 0; i < 10; i++)
		queue.submit(barrier_and({}, &done));
	CHECK(done.wait(patience));
	CHECK_EQ(done.value(), 0);
	CHECK(queue.wait_read(11, patience)); /* moves after the signal */
	CHECK_EQ(queue.read_index(), 11U);
	CHECK_EQ(queue.error(), 0U);
}
