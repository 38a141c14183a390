// SPDX-License-Identifier: MIT
/*
 * debug_exceptions.cpp - what waves and the memory do reaches the debugger, or a runtime that has asked for it; a breakpoint is gone on from.
 */
#include "debugged.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};

/* A breakpoint: the wave waits, halted, until the debugger clears STATUS.HALT in its save area. */
void breakpoint(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(s.gpu.device);
	Launch launch(s.gpu.device, s.program.kernel("stops"), {.grid = {64, 1, 1}});
	DebugEvent event;

	launch.arg(s.out).arg(uint32_t{0});
	launch.submit(queue);
	REQUIRE(s.self.wait_for(exception_mask(ec_wave_trap), event));
	CHECK_EQ(event.queue, queue.id());
	CHECK_EQ(event.gpu, s.gpu.id());
	s.see();
	SavedWave wave = s.suspend_with_wave();
	CHECK_EQ(wave.pc(), s.program.symbol("behind_trap"));
	CHECK(wave.halted());
	wave.go_on();
	CHECK(s.resume());
	CHECK(launch.wait(patience));
	CHECK_EQ(s.out.as<uint32_t>()[0], 1U);
	CHECK_EQ(s.self.detach(), 0);
}

void illegal_instruction(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(s.gpu.device);
	Launch launch(s.gpu.device, s.program.kernel("stops"), {.grid = {64, 1, 1}});
	DebugEvent event;

	launch.arg(s.out).arg(uint32_t{1});
	launch.submit(queue);
	REQUIRE(s.self.wait_for(exception_mask(ec_illegal_instruction), event));
	CHECK_EQ(event.queue, queue.id());
	CHECK_EQ(s.self.detach(), 0);
}

constexpr uint64_t nowhere = 0x7'0000'0000;
constexpr uint32_t mem_viol = 1U << 8; /* HW_REG_TRAPSTS ("Vega" ISA manual, 3.10) */

/* Where the access was, as the device's exception tells it. */
void check_place(DebuggedSelf &s)
{
	kfd_hsa_memory_exception_data data = {};
	uint32_t size;

	CHECK_EQ(s.self.info_of(ec_memory_violation, s.gpu.id(), true, data, &size), 0);
	CHECK_EQ(size, sizeof(data));
	CHECK_EQ(data.va & ~0xfffULL, nowhere);
}

/* The two exceptions of a wave whose access nobody can serve, in whatever order they come: its device's and its queue's. */
void see_violation(DebuggedSelf &s, uint32_t queue)
{
	DebugEvent event;
	bool place = false, wave = false;

	while (!place || !wave) {
		while (s.self.query(event, exception_mask(ec_wave_memory_violation)))
			REQUIRE(s.self.rung());
		if (event.exceptions & exception_mask(ec_wave_memory_violation)) {
			CHECK_EQ(event.queue, queue);
			wave = true;
		} else {
			REQUIRE(event.exceptions == exception_mask(ec_memory_violation));
			check_place(s);
			place = true;
		}
	}
}

/* The memory event is the debugger's to send. */
void memory_violation(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(exception_mask(ec_memory_violation)) == 0);
	AqlQueue queue(s.gpu.device);
	Event fault = Event::memory(s.gpu.device);
	Program code = s.gpu.program();
	Launch launch(s.gpu.device, code.kernel("poke"), {.grid = {1, 1, 1}});
	DebugEvent event;

	launch.arg(nowhere).arg(uint32_t{1});
	launch.submit(queue);
	while (s.self.query(event, 0))
		REQUIRE(s.self.rung());
	CHECK_EQ(event.exceptions, exception_mask(ec_memory_violation));
	CHECK_EQ(event.gpu, s.gpu.id());
	check_place(s);
	CHECK(!fault.wait(a_while));
	CHECK_EQ(s.self.send(exception_mask(ec_memory_violation), s.gpu.id()), 0);
	CHECK(fault.wait(patience));
	CHECK_EQ(s.self.detach(), 0);
}

/* The wave goes into its trap handler, which leaves it halted where it was; memory that comes meanwhile lets it go on. */
void violating_wave(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(exception_mask(ec_memory_violation) | exception_mask(ec_wave_memory_violation)) == 0);
	AqlQueue queue(s.gpu.device);
	Launch launch(s.gpu.device, s.program.kernel("touches"), {.grid = {64, 1, 1}});

	launch.arg(nowhere).arg(uint32_t{1});
	launch.submit(queue);
	see_violation(s, queue.id());
	s.see();
	SavedWave wave = s.suspend_with_wave();
	CHECK_EQ(wave.pc(), s.program.symbol("at_write"));
	CHECK(wave.halted());
	CHECK_EQ(wave.trapsts() & mem_viol, mem_viol);
	Buffer memory = Buffer::gtt_at(s.gpu.device, nowhere, 4096);
	wave.go_on();
	CHECK(s.resume());
	CHECK(launch.wait(patience));
	CHECK_EQ(memory.as<uint32_t>()[0], 7U);
	CHECK_EQ(s.self.detach(), 0);
}

} // namespace

KFDM_TEST_OF("7.2", "exceptions of waves and memory are the debugger's")
{
	Gpu gpu;

	need_debuggable_waves(gpu);
	breakpoint(gpu);
	illegal_instruction(gpu);
	violating_wave(gpu);
	memory_violation(gpu); /* ends the process's queues */
}
