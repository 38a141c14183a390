// SPDX-License-Identifier: MIT
/*
 * ctl_determinism.cpp - the same work from the same held state gives the same trace, event by event.
 *
 * The chip remembers where it placed the last workgroup, so each recording starts from a reset chip, in a process of its
 * own. Cycles are compared from the first event on, since the clock itself goes on through a reset. Memory lies at the same addresses
 * both times: these decide which channel of the L2 a line is in, and so when a store has arrived.
 */
#include <sys/mman.h>

#include <algorithm>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Recording {
	size_t count;
	amdm_ctl_trace_event events[20'000];
};

/* Two queues with competing kernels; their packets are in the rings before time goes on. */
void record(Recording *recording)
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	Program program = gpu.program();
	AqlQueue first(gpu.device), second(gpu.device);
	/* Without the hardware's scheduler each new queue gets the next of four pipes (allocate_hqd): all of them, once around. */
	AqlQueue third(gpu.device), fourth(gpu.device);
	Buffer out = Buffer::vram(gpu.device, 1 << 16);
	Kernel work = program.kernel("work");
	Launch a(gpu.device, work, {.grid = {6400, 1, 1}}), b(gpu.device, work, {.grid = {3200, 1, 1}});
	Launch c(gpu.device, work, {.grid = {640, 1, 1}, .workgroup = {256, 1, 1}});
	uint64_t lost = 0;

	lab.hold();
	lab.trace_start();
	for (Launch *launch : {&a, &b, &c})
		launch->arg(out).arg(uint32_t{20});
	a.submit(first);
	c.submit(first);
	b.submit(second);
	lab.run_idle();
	lab.trace_stop();
	std::vector<amdm_ctl_trace_event> events = lab.trace_read(&lost);
	lab.release();
	for (Launch *launch : {&a, &b, &c})
		CHECK(launch->wait(patience));
	CHECK_EQ(lost, 0U);
	REQUIRE(events.size() <= std::size(recording->events));
	std::copy(events.begin(), events.end(), recording->events);
	recording->count = events.size();
}

Recording *new_recording()
{
	void *shared = mmap(nullptr, sizeof(Recording), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	REQUIRE(shared != MAP_FAILED);
	return static_cast<Recording *>(shared);
}

void record_from_reset(Recording *recording)
{
	REQUIRE(alone()); /* queues of processes that end leave with them: after that no other run list comes */
	lab_or_skip().reset();
	Child child([&] { record(recording); });
	CHECK_EQ(child.join(), 0);
	for (size_t i = recording->count; i-- > 0;)
		recording->events[i].cycle -= recording->events[0].cycle;
}

std::string text(const amdm_ctl_trace_event &e)
{
	return fmt::format("cycle {} {} vmid {} where {:#x} a {:#x} b {:#x}", e.cycle, trace_kind_name(e.kind), e.vmid, e.where, e.a, e.b);
}

} // namespace

KFDM_TEST("the same work gives the same trace, cycle by cycle")
{
	Recording *one = new_recording(), *two = new_recording();

	record_from_reset(one);
	record_from_reset(two);
	CHECK(one->count > 300); /* 160 waves, started and ended */
	CHECK_EQ(one->count, two->count);
	for (size_t i = 0; i < std::min(one->count, two->count); i++) {
		if (text(one->events[i]) == text(two->events[i]))
			continue;
		fail(__FILE__, __LINE__, fmt::format("event {} differs:\n  {}\n  {}", i, text(one->events[i]), text(two->events[i])));
		break;
	}
}
