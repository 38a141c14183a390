// SPDX-License-Identifier: MIT
/*
 * debug_exceptions.cpp - what waves and the memory do reaches the debugger, or a runtime that has asked for it; a breakpoint is gone on from.
 */
#include <algorithm>

#include "debugger.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};

struct Session {
	Gpu &gpu;
	Program program = gpu.program("debugged");
	Debugger self{gpu.fd(), getpid()};
	Buffer out = Buffer::gtt(gpu.device, 4096);

	explicit Session(Gpu &opened) : gpu(opened)
	{
		RuntimeEnable on = {0, 1, 0};
		kfd_ioctl_set_trap_handler_args trap = {};

		REQUIRE(call(gpu.fd(), RuntimeEnable::request, on) == 0);
		trap.gpu_id = gpu.id();
		trap.tba_addr = program.symbol("handler");
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_SET_TRAP_HANDLER, trap));
	}
	~Session()
	{
		RuntimeEnable off = {};

		CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off));
	}
};

/* A breakpoint: the wave waits, halted, until the debugger clears STATUS.HALT in its save area. */
void breakpoint(Gpu &gpu)
{
	Session s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(s.gpu.device);
	Launch launch(s.gpu.device, s.program.kernel("stops"), {.grid = {64, 1, 1}});
	DebugEvent event;
	uint64_t entries[16] = {};
	struct {
		uint64_t exceptions, address;
		uint32_t num, bytes;
	} array = {all, reinterpret_cast<uint64_t>(entries), 2, 64};

	launch.arg(s.out).arg(uint32_t{0});
	launch.submit(queue);
	REQUIRE(s.self.wait_for(exception_mask(ec_wave_trap), event));
	CHECK_EQ(event.queue, queue.id());
	CHECK_EQ(event.gpu, s.gpu.id());
	CHECK_EQ(s.self.operate(debug_queue_snapshot, array), 0);
	uint32_t id = queue.id();
	struct {
		uint64_t exceptions, ids;
		uint32_t num, grace;
	} suspension = {0, reinterpret_cast<uint64_t>(&id), 1, 0};
	REQUIRE(s.self.operate(debug_suspend_queues, suspension) == 1);

	const uint64_t area = entries[4], pc = s.program.symbol("behind_trap");
	auto *header = reinterpret_cast<uint32_t *>(area);
	const uint32_t want[] = {static_cast<uint32_t>(pc), static_cast<uint32_t>(pc >> 32)};
	auto *end = reinterpret_cast<uint32_t *>(area + header[2]), *begin = end - header[3] / 4;
	auto *found = std::search(begin, end, std::begin(want), std::end(want));
	REQUIRE(found != end);
	CHECK_EQ(found[4] >> 13 & 1, 1U); /* STATUS.HALT, behind PC and EXEC */
	found[4] &= ~(1U << 13);
	struct {
		uint64_t ids;
		uint32_t num, pad;
	} resumption = {reinterpret_cast<uint64_t>(&id), 1, 0};
	CHECK_EQ(s.self.operate(debug_resume_queues, resumption), 1);
	CHECK(launch.wait(patience));
	CHECK_EQ(s.out.as<uint32_t>()[0], 1U);
	CHECK_EQ(s.self.detach(), 0);
}

void illegal_instruction(Gpu &gpu)
{
	Session s(gpu);
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

/* The memory event is the debugger's to send. */
void memory_violation(Gpu &gpu)
{
	Session s(gpu);
	REQUIRE(s.self.attach(exception_mask(ec_memory_violation)) == 0);
	AqlQueue queue(s.gpu.device);
	Event fault = Event::memory(s.gpu.device);
	Program code = s.gpu.program();
	Launch launch(s.gpu.device, code.kernel("poke"), {.grid = {1, 1, 1}});
	DebugEvent event;
	kfd_hsa_memory_exception_data data = {};
	uint32_t size;
	constexpr uint64_t nowhere = 0x7'0000'0000;

	launch.arg(nowhere).arg(uint32_t{1});
	launch.submit(queue);
	while (s.self.query(event, 0))
		REQUIRE(s.self.rung());
	CHECK_EQ(event.exceptions, exception_mask(ec_memory_violation));
	CHECK_EQ(event.gpu, s.gpu.id());
	CHECK_EQ(s.self.info_of(ec_memory_violation, s.gpu.id(), true, data, &size), 0);
	CHECK_EQ(size, sizeof(data));
	CHECK_EQ(data.va & ~0xfffULL, nowhere);
	CHECK(!fault.wait(a_while));
	CHECK_EQ(s.self.send(exception_mask(ec_memory_violation), s.gpu.id()), 0);
	CHECK(fault.wait(patience));
	CHECK_EQ(s.self.detach(), 0);
}

} // namespace

KFDM_TEST_OF("7.2", "exceptions of waves and memory are the debugger's")
{
	Gpu gpu;

	if (sched_policy() == 2)
		skip("no debugger without firmware scheduling");
	if (gpu.device.node().properties["gfx_target_version"] / 10000 != 9)
		skip("the trap handler is GFX9's");
	breakpoint(gpu);
	illegal_instruction(gpu);
	memory_violation(gpu);
}
