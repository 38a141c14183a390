// SPDX-License-Identifier: MIT
/*
 * aql_barrier_deps.cpp - packets that wait: for the CPU, for another queue, for all, for one. Waiting blocks its own queue
 * and no other.
 */
#include <array>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void from_cpu(Gpu &gpu, AqlQueue &queue, AqlQueue &other)
{
	Signal gate = Signal::polled(gpu.device, 1), done = Signal::with_event(gpu.device);
	std::array<const Signal *, 1> deps = {&gate};

	queue.submit(barrier_and(deps, &done));
	CHECK(!done.wait(a_while));
	CHECK(works(gpu, other)); /* the other queue is not held up */
	CHECK_EQ(done.value(), 1);
	gate.store(0); /* no doorbell rings */
	CHECK(done.wait(patience));
}

void and_or(Gpu &gpu, AqlQueue &queue)
{
	Signal a = Signal::polled(gpu.device, 1), b = Signal::polled(gpu.device, 1);
	Signal all = Signal::with_event(gpu.device), one = Signal::with_event(gpu.device);
	std::array<const Signal *, 2> deps = {&a, &b};

	queue.submit(barrier_or(deps, &one));
	queue.submit(barrier_and(deps, &all));
	CHECK(!one.wait(a_while));
	b.store(0);
	CHECK(one.wait(patience));
	CHECK(!all.wait(a_while));
	a.store(0);
	CHECK(all.wait(patience));
}

/* A chain through two queues, head to tail: each waits for what the other completes. */
void chain(Gpu &gpu, AqlQueue &first, AqlQueue &second)
{
	constexpr size_t links = 20;
	std::vector<Signal> signals;

	for (size_t i = 0; i <= links; i++)
		signals.push_back(i == links ? Signal::with_event(gpu.device) : Signal::polled(gpu.device));
	for (size_t i = links; i-- > 0;) {
		/* The queues take their packets in order, so the later link goes into the ring after the earlier one. */
		size_t link = links - 1 - i;
		std::array<const Signal *, 1> deps = {&signals[link]};

		(link % 2 ? second : first).submit(barrier_and(deps, &signals[link + 1]));
	}
	CHECK(!signals[links].wait(a_while));
	signals[0].store(0);
	CHECK(signals[links].wait(patience));
	for (const Signal &signal : signals)
		CHECK_EQ(signal.value(), 0);
}

/* The barrier bit: nothing after starts before everything earlier has completed. */
void barrier_bit(Gpu &gpu, AqlQueue &queue)
{
	Program program = gpu.program();
	Buffer flags = Buffer::gtt(gpu.device, 4096, memory_coherent), out = Buffer::vram(gpu.device, 4096);
	Launch spin(gpu.device, program.kernel("spin"), {.grid = {64, 1, 1}});
	Launch after(gpu.device, program.kernel("ids"), {.grid = {64, 1, 1}});

	spin.arg(flags.gpu()).arg(flags.gpu() + 64);
	after.arg(out);
	spin.submit(queue);
	after.submit(queue, {.barrier = true});
	CHECK(!after.wait(a_while));
	flags.as<volatile uint32_t>()[0] = 1;
	CHECK(after.wait(patience));
	CHECK(spin.wait(patience));
}

} // namespace

KFDM_TEST("barrier packets wait for what they should, and for nothing else")
{
	Gpu gpu;
	AqlQueue first(gpu.device), second(gpu.device);

	from_cpu(gpu, first, second);
	and_or(gpu, first);
	chain(gpu, first, second);
	barrier_bit(gpu, first);
}
