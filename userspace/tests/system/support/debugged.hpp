// SPDX-License-Identifier: MIT
/*
 * debugged.hpp - a process that debugs its own waves: a runtime that is ready, a trap handler that leaves waves halted (debugged.s), and the
 * waves in the save areas of suspended queues.
 */
#pragma once

#include <algorithm>

#include "debugger.hpp"

namespace kfdm::test {

/**
 * A wave's registers from the program counter on, as a save area has them (Linux: cwsr_trap_handler_gfx9.asm, _gfx10.asm): MODE comes
 * behind XNACK_MASK, which is one word on GFX10.
 */
class SavedWave {
public:
	SavedWave() = default;
	SavedWave(uint32_t *pc, bool gfx10) : at_(pc), mode_(gfx10 ? 7 : 8) {}
	explicit operator bool() const { return at_ != nullptr; }

	[[nodiscard]] uint64_t pc() const { return at_[0] | uint64_t{at_[1] & 0xffff} << 32; }
	[[nodiscard]] bool halted() const { return at_[4] >> 13 & 1; }
	[[nodiscard]] uint32_t trapsts() const { return at_[5]; }
	[[nodiscard]] uint32_t mode() const { return at_[mode_]; }
	void go_on() { at_[4] &= ~(1U << 13); }
	void step(bool on) { at_[mode_] = (at_[mode_] & ~(1U << 11)) | uint32_t{on} << 11; }

private:
	uint32_t *at_ = nullptr;
	unsigned mode_ = 0;
};

/** Ends the test as skipped where waves cannot be debugged. */
inline void need_debuggable_waves(const Gpu &gpu)
{
	const auto generation = gpu.device.gfx_major();

	if (sched_policy() == 2)
		skip("no debugger without firmware scheduling");
	if (generation != 9 && generation != 10)
		skip("no waves that could be debugged");
}

struct DebuggedSelf {
	Gpu &gpu;
	Program program = gpu.program("debugged");
	Debugger self{gpu.fd(), getpid()};
	Buffer out = Buffer::gtt(gpu.device, 4096);

	explicit DebuggedSelf(Gpu &opened) : gpu(opened)
	{
		RuntimeEnable on = {0, 1, 0};
		kfd_ioctl_set_trap_handler_args trap = {};

		REQUIRE(call(gpu.fd(), RuntimeEnable::request, on) == 0);
		trap.gpu_id = gpu.id();
		trap.tba_addr = program.symbol("handler");
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_SET_TRAP_HANDLER, trap));
	}
	~DebuggedSelf()
	{
		RuntimeEnable off = {};

		CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off));
	}

	/** Looks at the process's only queue, which is new no longer then. */
	void see()
	{
		struct {
			uint64_t exceptions, address;
			uint32_t num, bytes;
		} array = {~uint64_t{0}, reinterpret_cast<uint64_t>(queue_), 1, sizeof(queue_)};

		REQUIRE(self.operate(debug_queue_snapshot, array) == 0);
		REQUIRE(array.num == 1);
	}
	[[nodiscard]] bool suspend()
	{
		struct {
			uint64_t exceptions, ids;
			uint32_t num, grace;
		} args = {0, reinterpret_cast<uint64_t>(&id()), 1, 0};

		return self.operate(debug_suspend_queues, args) == 1;
	}
	[[nodiscard]] bool resume()
	{
		struct {
			uint64_t ids;
			uint32_t num, pad;
		} args = {reinterpret_cast<uint64_t>(&id()), 1, 0};

		return self.operate(debug_resume_queues, args) == 1;
	}
	/** The first wave of the suspended queue; each die has its part of the area. */
	[[nodiscard]] SavedWave wave()
	{
		const auto dies = std::max<uint64_t>(gpu.device.node().properties["num_xcc"], 1);

		for (uint64_t die = 0; die < dies; die++)
			if (SavedWave found = wave_in(queue_[4] + die * static_cast<uint32_t>(queue_[7])))
				return found;
		return SavedWave();
	}
	/** Suspends the queue as soon as it has a wave. */
	[[nodiscard]] SavedWave suspend_with_wave()
	{
		SavedWave found;

		REQUIRE(eventually([&] {
			if (!suspend())
				return false;
			found = wave();
			return found || (CHECK(resume()) && false);
		}));
		return found;
	}

private:
	[[nodiscard]] uint32_t &id() { return *reinterpret_cast<uint32_t *>(&queue_[5]); }

	SavedWave wave_in(uint64_t area)
	{
		const auto *header = reinterpret_cast<const uint32_t *>(area);
		const uint64_t code = program.memory().gpu();
		const bool gfx10 = gpu.device.gfx_major() == 10;
		auto *end = reinterpret_cast<uint32_t *>(area + header[2]);

		for (auto *at = end - header[3] / 4; at + 9 <= end; at++) {
			const SavedWave wave(at, gfx10);

			/* STATUS: VALID, not in the trap handler */
			if (wave.pc() >= code && wave.pc() < code + program.memory().size() && (at[4] >> 16 & 1) && !(at[4] >> 5 & 1))
				return wave;
		}
		return SavedWave();
	}

	uint64_t queue_[8] = {}; /* exceptions, ring, pointers, area; id and GPU, ring's size and type, area's size */
};

} // namespace kfdm::test
