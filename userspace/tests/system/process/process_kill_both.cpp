// SPDX-License-Identifier: MIT
/*
 * process_kill_both.cpp - two processes with much work are killed at once: the end of each changes the list that the other's queues are
 * on, until the other's own end has come to KFD. Its waves are saved and brought back so long, though it gets no memory any more.
 */
#include <csignal>
#include <memory>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void endless_on_many_queues()
{
	Gpu gpu;
	Program program = gpu.program();
	std::vector<std::unique_ptr<AqlQueue>> queues;
	std::vector<std::unique_ptr<Launch>> launches;

	for (int i = 0; i < 6; i++) {
		queues.push_back(std::make_unique<AqlQueue>(gpu.device));
		launches.push_back(std::make_unique<Launch>(gpu.device, program.kernel("endless"), Shape{.grid = {64 * 64, 1, 1}}));
		launches.back()->submit(*queues.back());
	}
	Child::ready();
	(void)launches[0]->wait(Event::forever);
}

} // namespace

KFDM_TEST("processes that are killed together make no trouble")
{
	REQUIRE(alone());
	Gpu gpu;
	AqlQueue bystander(gpu.device);
	Lab lab = lab_or_skip();
	const uint64_t bad = lab.counter(Counter::BadMqd), faults = lab.counter(Counter::VmFault);
	const int rounds = soak() ? 100 : 8;

	for (int i = 0; i < rounds; i++) {
		Child a(endless_on_many_queues), b(endless_on_many_queues);

		CHECK(a.wait_ready() && b.wait_ready());
		usleep(static_cast<useconds_t>(20'000 + i * 7'000));
		for (const Child *child : {&a, &b})
			(void)::kill(child->pid(), SIGKILL);
		a.kill();
		b.kill();
		CHECK(works(gpu, bystander));
	}
	CHECK_EQ(lab.counter(Counter::BadMqd), bad);
	CHECK_EQ(lab.counter(Counter::VmFault), faults);
}
