// SPDX-License-Identifier: MIT
/*
 * lab.hpp - the lab, as the control device offers it: virtual clock, counters, trace, GPU memory behind the driver's back, fault injection.
 *
 * Talks to /dev/amdgpu_model_ctl (uapi/amdgpu_model_ctl.h), which exists only with the model and opens only for root.
 * No driver code and no compute program needs it.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <uapi/amdgpu_model_ctl.h>

#include <kfdm/unique_fd.hpp>

namespace kfdm {

// clang-format off
/** Counters since power-on, as the silicon numbers them (tests/lib/lab_test.cpp holds this list against the silicon's). */
enum class Counter : uint32_t {
	Instructions, Waves, Workgroups, AqlPackets, Pm4Packets, SdmaPackets, HwsPackets, Interrupts, TlbMisses, TlbFlushes,
	Doorbells, SavedWaves, RestoredWaves,
	/* what the chip has complained about */
	ReservedBits, BadRegister, BadPacket, BadMqd, BadRunlist, BadAddress, VmFault, BadInstruction, IhOverflow, BadPte,
	/* how long units were taken, and lines that the L2 did not have */
	ValuCycles, VmemCycles, LdsCycles, MemoryLines, KernelCycles, L2Cycles,
	/* wave-instructions by unit, 64-byte lines looked for and found, what waves take; WavesNow goes up and down */
	Valu, Scalar, Branch, Vmem, Lds, L1Lines, L1Hits, L2Lines, WaveCycles, WavesNow,
	/* that have passed while the chip had something to do */
	AwakeCycles,
	Count
};

/** Kinds of trace events; what a and b hold is in silicon.h. */
enum class TraceKind : uint16_t {
	QueueMap, QueueUnmap, PacketStart, PacketEnd, WorkgroupStart, WorkgroupEnd, WaveStart, WaveEnd, Save, Restore,
	Interrupt, SdmaStart, SdmaEnd, HwsPacket, WorkgroupRestore, WaveRestore, KernelStart, KernelCount,
	Count
};

/** What a KernelCount event counts (a >> 56; the rest of a is the address of the kernel's code); explained in silicon.h. */
enum class KernelCount : uint8_t {
	Cycles, Workgroups, Waves, WaveCycles,
	Internal, Valu, Scalar, Branch, Vmem, Lds,
	InternalCycles, ValuCycles, ScalarCycles, BranchCycles, VmemCycles, LdsCycles,
	L1Lines, L1Hits, L2Lines, L2Hits,
	Count
};

/** Failures of real firmware; each is used up after so many times. */
enum class Fault : uint32_t {
	LostFence, DeafWave, DroppedDoorbell, MqdLoad, HiqStall, LostInterrupt, LostRingFence,
	Count
};

/** Other ways for the chip to work, which last until they are set to 0. Their numbers follow those of the failures. */
enum class Mode : uint32_t {
	SqIgnoresPriority = static_cast<uint32_t>(Fault::Count), NoTiming, Preempt, NoRunAhead,
	End
};
// clang-format on

/** Memory accounting of the driver; all of it is zero when no process uses the GPU. */
struct MemoryUse {
	uint64_t vram_bytes, gtt_bytes, page_table_bytes, pinned_pages;
	uint64_t worker_ns; /**< CPU time of the model's threads */
};

class Lab {
public:
	/** Opens the control device for GPU @gpu. Throws: ENOENT without the model, EACCES or EPERM without root, ENODEV. */
	[[nodiscard]] static Lab open(uint32_t gpu = 0);

	[[nodiscard]] const amdm_ctl_info &info() const noexcept { return info_; }

	/** Stops the virtual clock. Closing the Lab lets it go on. Return: virtual time in shader clock cycles. */
	uint64_t hold();
	uint64_t release();
	/** Runs a held clock until nothing is left to do. Throws ETIME after @timeout. Return: virtual time. */
	uint64_t run_idle(std::chrono::milliseconds timeout = std::chrono::minutes(10));
	/** Runs a held clock until virtual time @cycle. */
	uint64_t run_to(uint64_t cycle, std::chrono::milliseconds timeout = std::chrono::minutes(10));
	/** Runs a held clock for @events trace events. */
	uint64_t run_events(uint64_t events, std::chrono::milliseconds timeout = std::chrono::minutes(10));

	/** All counters in the order of Counter; newer models may have more. */
	[[nodiscard]] std::vector<uint64_t> counters() const;
	[[nodiscard]] uint64_t counter(Counter which) const;
	[[nodiscard]] MemoryUse memory_use() const;

	/** Starts recording; empties the buffer. @kinds: a bit for each TraceKind, 0: all. */
	void trace_start();
	void trace_start(uint32_t kinds);
	void trace_stop();
	/** Takes recorded events, oldest first. @lost: events that found the buffer full. */
	[[nodiscard]] std::vector<amdm_ctl_trace_event> trace_read(uint64_t *lost = nullptr);

	/** Reads memory: @space AMDM_CTL_SPACE_VRAM, or AMDM_CTL_SPACE_VMID with @vmid. Throws EFAULT. */
	void peek(uint32_t space, uint32_t vmid, uint64_t address, std::span<std::byte> out) const;
	void poke(uint32_t space, uint32_t vmid, uint64_t address, std::span<const std::byte> in);
	[[nodiscard]] uint32_t peek32(uint32_t space, uint32_t vmid, uint64_t address) const;
	void poke32(uint32_t space, uint32_t vmid, uint64_t address, uint32_t value);
	/** Reads register @reg (dword offset) with GRBM_GFX_CNTL = @select. */
	[[nodiscard]] uint32_t read_register(uint32_t reg, uint32_t select = 0) const;
	void write_register(uint32_t reg, uint32_t value, uint32_t select = 0);

	/** Arms @fault for the next @count occasions; 0 disarms. */
	void inject(Fault fault, uint32_t count);
	/** Modes last beyond the Lab. Preempt: after how many instructions; the others 1; 0 is as usual. */
	void set_mode(Mode mode, uint32_t value);
	/** Whole-GPU reset, as after a hang. */
	void reset();

private:
	Lab(UniqueFd fd, uint32_t gpu, const amdm_ctl_info &info) noexcept : fd_(std::move(fd)), gpu_(gpu), info_(info) {}
	uint64_t clock(unsigned long request, uint32_t until, uint64_t argument, std::chrono::milliseconds timeout, const char *what);
	void memory(unsigned long request, uint32_t space, uint32_t vmid, uint32_t select, uint64_t address, uint64_t size,
		    const void *data, const char *what) const;
	[[nodiscard]] amdm_ctl_counters read_counters(std::span<uint64_t> values) const;

	UniqueFd fd_;
	uint32_t gpu_;
	amdm_ctl_info info_;
};

/** Name of a counter, as `kfdm counters` prints it. */
[[nodiscard]] std::string_view counter_name(uint32_t counter) noexcept;
/** Name of a failure, as `kfdm inject` takes it. */
[[nodiscard]] std::string_view fault_name(Fault fault) noexcept;
/** Name of a mode, as `kfdm mode` takes it. */
[[nodiscard]] std::string_view mode_name(Mode mode) noexcept;
/** Name of a trace event kind. */
[[nodiscard]] std::string_view trace_kind_name(uint32_t kind) noexcept;

} // namespace kfdm
