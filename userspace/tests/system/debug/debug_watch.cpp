// SPDX-License-Identifier: MIT
/*
 * debug_watch.cpp - waves of a debugged process trap when they access memory that is watched.
 */
#include "debugged.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};
constexpr uint32_t reads = 0, others = 1, atomics = 2, every_kind = 3, watch_exception = 0x80;
constexpr uint32_t whole_address = ~0U;

struct SetWatch {
	uint64_t address;
	uint32_t mode, mask, gpu, id;
};

struct ClearWatch {
	uint32_t gpu, id;
};

struct Watched : DebuggedSelf {
	explicit Watched(Gpu &opened) : DebuggedSelf(opened)
	{
		struct {
			uint32_t mode, enable, request, pad;
		} args = {0, watch_exception, watch_exception, 0};

		REQUIRE(self.attach(all) == 0);
		REQUIRE(self.operate(debug_set_wave_launch_override, args) == 0);
	}
	int set(uint64_t address, uint32_t mode, uint32_t mask, uint32_t &id)
	{
		SetWatch args = {address, mode, mask, gpu.id(), 77};
		const int ret = self.operate(debug_set_node_address_watch, args);

		id = args.id;
		return ret;
	}
	int clear(uint32_t id)
	{
		ClearWatch args = {gpu.id(), id};

		return self.operate(debug_clear_node_address_watch, args);
	}
};

void refusals(Gpu &gpu)
{
	Watched s(gpu);
	SetWatch nowhere = {0, 0, 0, 0x7777'7777, 0};
	uint32_t id;

	CHECK_EQ(s.self.operate(debug_set_node_address_watch, nowhere), -ENODEV);
	CHECK_EQ(s.self.operate(debug_clear_node_address_watch, nowhere), -ENODEV);
	CHECK_EQ(s.clear(0), -EINVAL);
	CHECK_EQ(s.clear(~0U), -EINVAL);
	for (uint32_t n = 0; n < 4; n++) {
		CHECK_EQ(s.set(~uint64_t{0}, ~0U, ~0U, id), 0); /* nothing of it is checked */
		CHECK_EQ(id, n);
	}
	CHECK_EQ(s.set(0, 0, 0, id), -ENOMEM);
	CHECK_EQ(id, ~0U);
	CHECK_EQ(s.clear(2), 0);
	CHECK_EQ(s.clear(2), -EINVAL);
	CHECK_EQ(s.set(0, 0, 0, id), 0);
	CHECK_EQ(id, 2U);
	CHECK_EQ(s.self.detach(), 0);
	REQUIRE(s.self.attach(all) == 0); /* all of them are free again */
	CHECK_EQ(s.set(0, 0, 0, id), 0);
	CHECK_EQ(id, 0U);
	CHECK_EQ(s.self.detach(), 0);
}

struct Access {
	uint32_t what;
	const char *behind;
	bool meets[4]; /* by mode */
};

constexpr Access accesses[] = {{0, "behind_read", {true, false, false, true}},
			       {1, "behind_write", {false, true, false, true}},
			       {2, "behind_atomic", {false, true, true, true}}};

/* A launch that should trap with these bits of TRAPSTS, or should not (0). */
void touch(Watched &s, AqlQueue &queue, const Access &access, uint64_t at, uint32_t trapsts)
{
	Launch launch(s.gpu.device, s.program.kernel("touches"), {.grid = {64, 1, 1}});
	DebugEvent event;

	launch.arg(at).arg(access.what);
	launch.submit(queue);
	if (trapsts) {
		REQUIRE(s.self.wait_for(exception_mask(ec_wave_trap), event));
		SavedWave wave = s.suspend_with_wave();
		CHECK(wave.halted());
		CHECK_EQ(wave.pc(), s.program.symbol(access.behind));
		CHECK_EQ(wave.trapsts() & 0x7080, trapsts);
		wave.go_on();
		CHECK(s.resume());
	}
	CHECK(launch.wait(patience));
	CHECK_EQ(s.self.query(event, 0), -EAGAIN);
}

void every_kind_of_access(Gpu &gpu)
{
	Watched s(gpu);
	AqlQueue queue(gpu.device);
	const uint64_t at = s.out.gpu() + 512;

	s.see();
	for (uint32_t mode : {reads, others, atomics, every_kind}) {
		uint32_t id;

		REQUIRE(s.set(at + 4, mode, whole_address, id) == 0); /* the same line */
		for (const Access &access : accesses) {
			touch(s, queue, access, at, access.meets[mode] ? 1U << 7 : 0);
			touch(s, queue, access, at + 256, 0);
		}
		CHECK_EQ(s.clear(id), 0);
	}
	for (const Access &access : accesses)
		touch(s, queue, access, at, 0);
	CHECK_EQ(s.out.as<uint32_t>()[512 / 4], 7U + 64 * 1); /* a write, then an atomic addition */
	CHECK_EQ(s.self.detach(), 0);
}

/* All four, one of them for a page and one for nothing near; another process is not watched. */
void several(Gpu &gpu)
{
	Watched s(gpu);
	AqlQueue queue(gpu.device);
	const uint64_t at = s.out.gpu() + 1024;
	uint32_t id;

	s.see();
	REQUIRE(s.set(at, every_kind, whole_address, id) == 0);
	REQUIRE(s.set(at + 2048, every_kind, whole_address, id) == 0);
	REQUIRE(s.set(s.out.gpu(), every_kind, ~0xfffU, id) == 0);
	REQUIRE(s.set(at, others, whole_address, id) == 0);
	touch(s, queue, accesses[0], at, 1U << 7 | 1U << 13);
	touch(s, queue, accesses[1], at, 1U << 7 | 1U << 13 | 1U << 14);
	touch(s, queue, accesses[0], at + 2048, 1U << 12 | 1U << 13);

	Child other([&] {
		Gpu own;
		AqlQueue its(own.device);

		CHECK(works(own, its));
	});
	CHECK_EQ(other.join(), 0);
	CHECK_EQ(s.self.detach(), 0);
	Launch launch(gpu.device, s.program.kernel("touches"), {.grid = {64, 1, 1}});
	launch.arg(at).arg(uint32_t{0});
	launch.submit(queue);
	CHECK(launch.wait(patience));
}

} // namespace

KFDM_TEST_OF("7.2", "waves of a debugged process trap at memory that is watched")
{
	Gpu gpu;

	need_debuggable_waves(gpu);
	refusals(gpu);
	every_kind_of_access(gpu);
	several(gpu);
}
