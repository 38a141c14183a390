// SPDX-License-Identifier: MIT
/*
 * signal.hpp - amd_signal_t: a 64-bit value in memory that packets count down, with an event behind it.
 *
 * When the GPU completes a packet it writes the time stamps, subtracts 1 from the value, stores the event's id into its
 * mailbox and raises the event's interrupt (amd_hsa_signal.h).
 */
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <kfdm/buffer.hpp>
#include <kfdm/event.hpp>

namespace kfdm {

/** struct amd_signal_t, 64 bytes, 64-byte aligned. */
struct AmdSignal {
	int64_t kind; /**< 1: user signal, its value counts (AMD_SIGNAL_KIND_USER) */
	int64_t value;
	uint64_t event_mailbox_ptr; /**< slot of the event, 0: none, waiters poll */
	uint32_t event_id;
	uint32_t reserved1;
	uint64_t start_ts, end_ts; /**< ticks of the reference clock */
	uint64_t queue_ptr;
	uint32_t reserved3[2];
};
static_assert(sizeof(AmdSignal) == 64 && offsetof(AmdSignal, value) == 8 && offsetof(AmdSignal, event_id) == 0x18 &&
	      offsetof(AmdSignal, queue_ptr) == 0x30);

class Signal {
public:
	/** A signal with value @initial whose waiters sleep on an event. */
	[[nodiscard]] static Signal with_event(Device &device, int64_t initial = 1);
	/** A signal without an event: wait() polls. */
	[[nodiscard]] static Signal polled(Device &device, int64_t initial = 1);

	/** GPU address of the amd_signal_t, for packets. */
	[[nodiscard]] uint64_t handle() const noexcept { return memory_.gpu(); }
	[[nodiscard]] int64_t value() const noexcept { return std::atomic_ref(block()->value).load(std::memory_order_acquire); }
	/** Stores @value from the CPU; wakes no sleeper. */
	void store(int64_t value) noexcept { std::atomic_ref(block()->value).store(value, std::memory_order_release); }
	/** Start and end of the packet that completed last, in reference clock ticks. */
	[[nodiscard]] uint64_t start_ticks() const noexcept { return block()->start_ts; }
	[[nodiscard]] uint64_t end_ticks() const noexcept { return block()->end_ts; }
	[[nodiscard]] const Event *event() const noexcept { return event_ ? &*event_ : nullptr; }

	/**
	 * Waits until the value is below @below. Sleeps on the event, never spins if there is one.
	 * Return: false after @timeout.
	 */
	[[nodiscard]] bool wait(std::chrono::milliseconds timeout, int64_t below = 1) const;

private:
	Signal(Buffer memory, std::optional<Event> event) noexcept : memory_(std::move(memory)), event_(std::move(event)) {}
	static Signal create(Device &device, int64_t initial, bool with_event);
	[[nodiscard]] AmdSignal *block() const noexcept { return static_cast<AmdSignal *>(memory_.data()); }

	Buffer memory_;
	std::optional<Event> event_;
};

} // namespace kfdm
