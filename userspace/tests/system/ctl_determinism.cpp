// SPDX-License-Identifier: MIT
/*
 * ctl_determinism.cpp - the same work from the same held state gives the same trace, event by event.
 *
 * Cycles are compared from the first event on, since the clock itself has gone on between the runs.
 */
#include <algorithm>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Setup {
	Gpu &gpu;
	Program program = gpu.program();
	AqlQueue first{gpu.device}, second{gpu.device};
	Buffer out = Buffer::vram(gpu.device, 1 << 16);
};

/* Two queues with competing kernels; their packets are in the rings before time goes on. */
std::vector<amdm_ctl_trace_event> record(Setup &setup, Lab &lab)
{
	Kernel work = setup.program.kernel("work");
	Launch a(setup.gpu.device, work, {.grid = {6400, 1, 1}}), b(setup.gpu.device, work, {.grid = {3200, 1, 1}});
	Launch c(setup.gpu.device, work, {.grid = {640, 1, 1}, .workgroup = {256, 1, 1}});

	for (Launch *launch : {&a, &b, &c})
		launch->arg(setup.out).arg(uint32_t{20});
	lab.hold();
	lab.trace_start();
	a.submit(setup.first);
	c.submit(setup.first);
	b.submit(setup.second);
	lab.run_idle();
	lab.trace_stop();
	uint64_t lost = 0;
	std::vector<amdm_ctl_trace_event> events = lab.trace_read(&lost);
	CHECK_EQ(lost, 0U);
	lab.release();
	for (Launch *launch : {&a, &b, &c})
		CHECK(launch->wait(patience));
	/* Packet numbers and time go on; everything else must repeat. */
	uint64_t start = events.empty() ? 0 : events[0].cycle;
	for (amdm_ctl_trace_event &event : events) {
		event.cycle -= start;
		if (event.kind == static_cast<uint16_t>(TraceKind::PacketStart) ||
		    event.kind == static_cast<uint16_t>(TraceKind::PacketEnd))
			event.a = 0;
		if (event.kind == static_cast<uint16_t>(TraceKind::Interrupt))
			event.b = 0;	/* ids of the launches' events */
	}
	return events;
}

bool same(const amdm_ctl_trace_event &a, const amdm_ctl_trace_event &b)
{
	return a.cycle == b.cycle && a.kind == b.kind && a.vmid == b.vmid && a.where == b.where && a.a == b.a && a.b == b.b;
}

} // namespace

KFDM_TEST("the same work gives the same trace, cycle by cycle")
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	Setup setup = {gpu};

	(void)record(setup, lab);		/* TLBs and pages warm */
	auto one = record(setup, lab), two = record(setup, lab);
	CHECK(one.size() > 300);		/* 160 waves, started and ended */
	CHECK_EQ(one.size(), two.size());
	for (size_t i = 0; i < std::min(one.size(), two.size()); i++) {
		if (same(one[i], two[i]))
			continue;
		fail(__FILE__, __LINE__, fmt::format("event {} differs: cycle {} {} where {:#x} a {:#x} b {:#x}, then cycle {} {} where "
						     "{:#x} a {:#x} b {:#x}", i, one[i].cycle, trace_kind_name(one[i].kind),
						     one[i].where, one[i].a, one[i].b, two[i].cycle,
						     trace_kind_name(two[i].kind), two[i].where, two[i].a, two[i].b));
		break;
	}
}
