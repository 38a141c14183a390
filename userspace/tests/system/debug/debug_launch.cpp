// SPDX-License-Identifier: MIT
/*
 * debug_launch.cpp - waves of a debugged process start halted, trap at every instruction, or at more than their kernels ask for; flags.
 */
#include "debugged.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};
constexpr uint32_t normal = 0, halt = 1, step = 3;
constexpr uint32_t or_them = 0, replace_them = 1;
constexpr uint32_t divide_by_zero = 4, watch = 0x80, memory_violation = 0x100, single_memory = 1, single_alu = 2, lds_range = 4;

int set_mode(Debugger &debugger, uint32_t mode)
{
	uint64_t args = mode;

	return debugger.operate(debug_set_wave_launch_mode, args);
}

struct Override {
	uint32_t mode, enable, request, pad;
};

int set_flags(Debugger &debugger, uint32_t &flags)
{
	uint64_t args = flags;
	int ret = debugger.operate(debug_set_flags, args);

	flags = static_cast<uint32_t>(args);
	return ret;
}

/* Chips whose MAP_PROCESS carries a debugger's registers: GC 9.4.2 and 9.4.3. */
bool by_vmid(Gpu &gpu)
{
	const auto version = gpu.device.node().properties["gfx_target_version"];

	return version == 90010 || version == 90402;
}

void refusals(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	Override args = {or_them, watch, watch, 0};
	uint32_t flags = single_memory;

	CHECK_EQ(set_mode(s.self, halt), -EINVAL); /* nobody is attached */
	REQUIRE(s.self.attach(all) == 0);
	CHECK_EQ(set_mode(s.self, 2), -EINVAL);
	CHECK_EQ(set_mode(s.self, 4), -EINVAL);
	CHECK_EQ(set_mode(s.self, normal), 0);
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), 0);
	CHECK_EQ(args.enable, 0U); /* before */
	CHECK_EQ(args.request, by_vmid(gpu) ? 0x1ffU : watch);
	args = {or_them, 0, 0, 0};
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), 0);
	CHECK_EQ(args.enable, watch);
	args = {or_them, 0, ~0U, 0};
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), -EACCES);
	args = {replace_them, 0, memory_violation, 0};
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), by_vmid(gpu) ? 0 : -EINVAL);
	args = {2, 0, 0, 0};
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), by_vmid(gpu) ? -EPERM : -EINVAL);
	CHECK_EQ(set_flags(s.self, flags), by_vmid(gpu) ? 0 : -EACCES);
	CHECK_EQ(flags, 0U);
	CHECK_EQ(set_flags(s.self, flags), 0);
	CHECK_EQ(flags, by_vmid(gpu) ? single_memory : 0U);
	for (uint32_t nowhere : {single_alu, lds_range}) {
		flags = nowhere;
		CHECK_EQ(set_flags(s.self, flags), -EACCES);
	}
	CHECK_EQ(s.self.detach(), 0);
	REQUIRE(s.self.attach(all) == 0);
	args = {or_them, 0, 0, 0};
	CHECK_EQ(s.self.operate(debug_set_wave_launch_override, args), 0);
	CHECK_EQ(args.enable, 0U); /* of the last session nothing is left */
	CHECK_EQ(s.self.detach(), 0);
}

/* A wave stands at its first instruction until its debugger lets it go on; another process's do not. */
void halted(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, s.program.kernel("divides"), {.grid = {64, 1, 1}});

	s.see();
	REQUIRE(set_mode(s.self, halt) == 0);
	launch.arg(s.out).arg(uint32_t{0});
	launch.submit(queue);
	SavedWave wave = s.suspend_with_wave();
	CHECK(wave.halted());
	CHECK_EQ(wave.pc(), s.program.symbol("divides"));
	CHECK(s.resume());
	CHECK(!launch.wait(a_while)); /* still */

	Child other([&] {
		Gpu own;
		AqlQueue its(own.device);

		CHECK(works(own, its));
	});
	CHECK_EQ(other.join(), 0);

	REQUIRE(set_mode(s.self, normal) == 0);
	REQUIRE(s.suspend());
	wave = s.wave();
	REQUIRE(wave);
	CHECK(wave.halted()); /* it has started as it has */
	wave.go_on();
	CHECK(s.resume());
	CHECK(launch.wait(patience));
	CHECK_EQ(s.out.as<uint32_t>()[0], 0x7f800000U);
	CHECK(works(gpu, queue));
	CHECK_EQ(s.self.detach(), 0);
}

/* Instruction by instruction, until MODE.DEBUG_EN is cleared in the save area. */
void stepped(Gpu &gpu)
{
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, s.program.kernel("divides"), {.grid = {64, 1, 1}});
	const uint64_t begin = s.program.symbol("divides"), behind_division = s.program.symbol("behind_division");
	DebugEvent event;

	s.see();
	REQUIRE(set_mode(s.self, step) == 0);
	launch.arg(s.out).arg(uint32_t{0});
	launch.submit(queue);
	for (uint64_t pc : {begin + 8, begin + 12, begin + 16, begin + 20}) { /* s_load_dwordx2, s_waitcnt, v_mov_b32, v_rcp_f32 */
		REQUIRE(s.self.wait_for(exception_mask(ec_wave_trap), event));
		SavedWave wave = s.suspend_with_wave();
		CHECK(wave.halted());
		CHECK_EQ(wave.pc(), pc);
		wave.go_on();
		wave.step(pc != behind_division);
		REQUIRE(set_mode(s.self, normal) == 0); /* which is of no importance to this one any more */
		CHECK(s.resume());
	}
	CHECK_EQ(begin + 20, behind_division);
	CHECK(launch.wait(patience));
	CHECK_EQ(s.out.as<uint32_t>()[0], 0x7f800000U);
	CHECK_EQ(s.self.detach(), 0);
}

/* A kernel that has not asked for it traps at its division by zero. Where the register is of all VMIDs there is no such thing. */
void traps_at_more(Gpu &gpu)
{
	if (!by_vmid(gpu))
		return;
	DebuggedSelf s(gpu);
	REQUIRE(s.self.attach(all) == 0);
	AqlQueue queue(gpu.device);
	Override args = {or_them, divide_by_zero, divide_by_zero, 0};
	DebugEvent event;

	s.see();
	REQUIRE(s.self.operate(debug_set_wave_launch_override, args) == 0);
	{
		Launch launch(gpu.device, s.program.kernel("divides"), {.grid = {64, 1, 1}});

		launch.arg(s.out).arg(uint32_t{0});
		launch.submit(queue);
		REQUIRE(s.self.wait_for(exception_mask(ec_math_error), event));
		SavedWave wave = s.suspend_with_wave();
		CHECK(wave.halted());
		CHECK_EQ(wave.pc(), s.program.symbol("behind_division"));
		CHECK_EQ(wave.trapsts() & 0x7f, divide_by_zero);
		wave.go_on();
		CHECK(s.resume());
		CHECK(launch.wait(patience));
	}
	args = {or_them, 0, divide_by_zero, 0};
	REQUIRE(s.self.operate(debug_set_wave_launch_override, args) == 0);
	CHECK_EQ(args.enable, divide_by_zero);
	Launch launch(gpu.device, s.program.kernel("divides"), {.grid = {64, 1, 1}});
	launch.arg(s.out).arg(uint32_t{0});
	launch.submit(queue);
	CHECK(launch.wait(patience));
	CHECK_EQ(s.self.query(event, 0), -EAGAIN);
	CHECK_EQ(s.self.detach(), 0);
}

/* A kernel that stands at its start. */
struct Standing : DebuggedSelf {
	AqlQueue queue;
	Launch launch;

	explicit Standing(Gpu &opened)
		: DebuggedSelf(opened), queue(opened.device), launch(opened.device, program.kernel("divides"), {.grid = {64, 1, 1}})
	{
		REQUIRE(self.attach(all) == 0);
		see();
		REQUIRE(set_mode(self, halt) == 0);
		launch.arg(out).arg(uint32_t{0});
		launch.submit(queue);
		(void)suspend_with_wave();
		CHECK(resume());
	}
};

/* Of a session that ends, by whatever end, its mode is left nowhere, and its queues go with the waves that stand there. */
void ends(Gpu &gpu)
{
	{
		DebuggedSelf s(gpu);

		REQUIRE(s.self.attach(all) == 0);
		REQUIRE(set_mode(s.self, halt) == 0);
		CHECK_EQ(s.self.detach(), 0);
		AqlQueue queue(gpu.device);
		CHECK(works(gpu, queue));
	}
	Standing(gpu).self.detach();
	Child program([&] {
		Gpu own;
		Standing s(own);

		Child::ready();
		pause();
	});
	REQUIRE(program.wait_ready());
	program.kill();
	DebuggedSelf next(gpu); /* the device's VMID for debugging is free */
	CHECK(eventually([&] {
		if (next.self.attach(all))
			return false;
		const bool ready = next.self.info.runtime_state == 1;

		CHECK_EQ(next.self.detach(), 0);
		return ready;
	}));
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}

} // namespace

KFDM_TEST_OF("7.2", "waves of a debugged process start halted, step, and trap at what their debugger asks for")
{
	Gpu gpu;

	need_debuggable_waves(gpu);
	refusals(gpu);
	halted(gpu);
	stepped(gpu);
	traps_at_more(gpu);
	ends(gpu);
}
