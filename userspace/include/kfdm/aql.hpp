// SPDX-License-Identifier: MIT
/*
 * aql.hpp - AQL packets and the queue they go into.
 *
 * Layouts: HSA runtime specification 1.2; the static_asserts tie them to the hardware manual hw/aql.h.
 */
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <hw/aql.h>

#include <kfdm/queue.hpp>
#include <kfdm/signal.hpp>

namespace kfdm {

enum class Scope : uint16_t { None = AQL_SCOPE_NONE, Agent = AQL_SCOPE_AGENT, System = AQL_SCOPE_SYSTEM };

/** Header options of a packet. @barrier: start only when all earlier packets of the queue have completed. */
struct AqlHeader {
	bool barrier = false;
	Scope acquire = Scope::System;
	Scope release = Scope::System;

	[[nodiscard]] constexpr uint16_t encode(aql_type type) const noexcept
	{
		return AQL_HEADER(type, barrier, static_cast<uint16_t>(acquire), static_cast<uint16_t>(release));
	}
};

/** KERNEL_DISPATCH. Grid and workgroup in work-items. */
struct AqlDispatch {
	uint16_t header = 0;
	uint16_t setup = 1; /**< dimensions */
	uint16_t workgroup[3] = {1, 1, 1};
	uint16_t reserved0 = 0;
	uint32_t grid[3] = {1, 1, 1};
	uint32_t private_bytes = 0; /**< scratch of a work-item */
	uint32_t group_bytes = 0;   /**< LDS of a workgroup, static and dynamic */
	uint64_t kernel_object = 0; /**< GPU address of the kernel descriptor */
	uint64_t kernarg = 0;
	uint64_t reserved2 = 0;
	uint64_t completion_signal = 0;
};
static_assert(sizeof(AqlDispatch) == AQL_PACKET_BYTES && offsetof(AqlDispatch, setup) == AQL_DISPATCH_SETUP &&
	      offsetof(AqlDispatch, grid) == AQL_DISPATCH_GRID_X && offsetof(AqlDispatch, group_bytes) == AQL_DISPATCH_GROUP_SIZE &&
	      offsetof(AqlDispatch, kernel_object) == AQL_DISPATCH_KERNEL_OBJECT &&
	      offsetof(AqlDispatch, kernarg) == AQL_DISPATCH_KERNARG && offsetof(AqlDispatch, completion_signal) == AQL_COMPLETION_SIGNAL);

/** BARRIER_AND, BARRIER_OR: waits until all (one) of the signals are 0; signal 0 does not count. */
struct AqlBarrier {
	uint16_t header = 0;
	uint16_t reserved0 = 0;
	uint32_t reserved1 = 0;
	uint64_t dep_signal[AQL_BARRIER_DEPS] = {};
	uint64_t reserved2 = 0;
	uint64_t completion_signal = 0;
};
static_assert(sizeof(AqlBarrier) == AQL_PACKET_BYTES && offsetof(AqlBarrier, dep_signal) == AQL_BARRIER_DEP_SIGNAL0 &&
	      offsetof(AqlBarrier, completion_signal) == AQL_COMPLETION_SIGNAL);

/** VENDOR_SPECIFIC, AmdFormat 1: runs PM4 from an indirect buffer. */
struct AqlPm4Ib {
	uint16_t header = 0;
	uint16_t format = AQL_VENDOR_FORMAT_PM4_IB;
	uint32_t command[4] = {}; /**< an INDIRECT_BUFFER packet */
	uint32_t remaining = 10;  /**< dwords of the packet that follow */
	uint32_t reserved[8] = {};
	uint64_t completion_signal = 0;
};
static_assert(sizeof(AqlPm4Ib) == AQL_PACKET_BYTES && offsetof(AqlPm4Ib, command) == AQL_PM4_IB_COMMAND &&
	      offsetof(AqlPm4Ib, remaining) == AQL_PM4_IB_REMAINING && offsetof(AqlPm4Ib, completion_signal) == AQL_COMPLETION_SIGNAL);

/** Packet types without their header, and the header they are published with. */
template <typename P>
concept AqlPacket = sizeof(P) == AQL_PACKET_BYTES && requires(P p) {
	p.header;
	p.completion_signal;
};

/** BARRIER_AND on @deps, at most five of them; @completion may be nullptr. */
[[nodiscard]] AqlBarrier barrier_and(std::span<const Signal *const> deps, const Signal *completion, AqlHeader header = {});
/** BARRIER_OR on @deps. */
[[nodiscard]] AqlBarrier barrier_or(std::span<const Signal *const> deps, const Signal *completion, AqlHeader header = {});
/** Runs @dwords of PM4 at GPU address @address. */
[[nodiscard]] AqlPm4Ib pm4_ib(uint64_t address, uint32_t dwords, const Signal *completion, AqlHeader header = {});

class AqlQueue : public Queue {
public:
	explicit AqlQueue(Device &device, const QueueOptions &options = {});

	/** Packets that the ring holds. */
	[[nodiscard]] uint64_t capacity() const noexcept { return options().ring_bytes / AQL_PACKET_BYTES; }
	/** Index of the next packet that the GPU takes; packets below it may be overwritten. */
	[[nodiscard]] uint64_t read_index() const noexcept { return std::atomic_ref(*read_pointer()).load(std::memory_order_acquire); }
	[[nodiscard]] uint64_t write_index() const noexcept { return std::atomic_ref(*write_pointer()).load(std::memory_order_acquire); }
	/** Bits that the command processor has set in queue_inactive_signal (AMD_QUEUE_ERROR_*), 0 if all is well. */
	[[nodiscard]] uint64_t error() const noexcept { return static_cast<uint64_t>(error_signal_.value()); }
	/** Set by the command processor together with error(). */
	[[nodiscard]] const Signal &error_signal() const noexcept { return error_signal_; }

	/**
	 * Puts @packet into the ring and rings the doorbell. Waits for room, without end if the queue does not move.
	 * Safe from several threads. Return: the packet's index.
	 */
	template <AqlPacket P> uint64_t submit(const P &packet) noexcept { return publish(&packet, true); }
	/** As submit(), without the doorbell: ring_doorbell() with the index of the last packet of a batch. */
	template <AqlPacket P> uint64_t enqueue(const P &packet) noexcept { return publish(&packet, false); }

	/** Waits until the GPU has taken all packets below @index. Polls. Return: false after @timeout. */
	[[nodiscard]] bool wait_read(uint64_t index, std::chrono::milliseconds timeout) const;

	/** Gives the queue scratch memory for @lane_bytes a work-item in @waves waves at a time. */
	void set_scratch(uint32_t lane_bytes, uint32_t waves);

private:
	uint64_t publish(const void *packet, bool doorbell) noexcept;
	template <typename T> void field(size_t offset, T value) noexcept { std::memcpy(block() + offset, &value, sizeof(value)); }

	Signal error_signal_;
	Buffer scratch_;
};

} // namespace kfdm
