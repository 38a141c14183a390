// SPDX-License-Identifier: MIT
/*
 * event.hpp - KFD events: what an interrupt of the GPU wakes.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

#include <linux/kfd_ioctl.h>

#include <kfdm/device.hpp>

namespace kfdm {

/** What a MEMORY event reports. */
struct MemoryFault {
	uint64_t address = 0; /**< GPU address, page aligned */
	uint32_t gpu_id = 0;
	bool not_present = false, read_only = false, no_execute = false, imprecise = false;
};

class Event {
public:
	using milliseconds = std::chrono::milliseconds;
	static constexpr milliseconds forever = milliseconds::max();

	/**
	 * A SIGNAL event, set by the GPU through its slot or by set().
	 * @auto_reset: one waiter consumes it; otherwise it stays set until reset().
	 * Throws: ENOSPC when all 4096 slots are taken.
	 */
	[[nodiscard]] static Event signal(Device &device, bool auto_reset = true);
	/** A MEMORY event: set by every VM fault of this process. */
	[[nodiscard]] static Event memory(Device &device, bool auto_reset = true);
	/** A HW_EXCEPTION event: set when the command processor meets garbage, or after a GPU reset. */
	[[nodiscard]] static Event hw_exception(Device &device, bool auto_reset = true);

	Event(Event &&other) noexcept { swap(other); }
	Event &operator=(Event &&other) noexcept
	{
		Event gone(std::move(other));
		swap(gone);
		return *this;
	}
	~Event();

	[[nodiscard]] uint32_t id() const noexcept { return id_; }
	/** What the GPU puts into the interrupt: event_trigger_data. */
	[[nodiscard]] uint32_t trigger() const noexcept { return trigger_; }
	/** Slot of a signal event, to be written by the GPU before the interrupt; nullptr for others. */
	[[nodiscard]] uint64_t *slot() const noexcept { return slot_; }

	void set();
	void reset();

	/** Waits for this event. Return: false after @timeout. Throws: EIO if the event is destroyed meanwhile. */
	[[nodiscard]] bool wait(milliseconds timeout) const;
	/** Waits for a MEMORY event. Return: the fault, nothing after @timeout. */
	[[nodiscard]] std::optional<MemoryFault> wait_fault(milliseconds timeout) const;

	/** Waits until one of @events (or @all of them) is set. Return: false after @timeout. */
	[[nodiscard]] static bool wait(std::span<const Event *const> events, bool all, milliseconds timeout);
	[[nodiscard]] static bool wait_any(std::initializer_list<const Event *> events, milliseconds timeout)
	{
		return wait({events.begin(), events.size()}, false, timeout);
	}
	[[nodiscard]] static bool wait_all(std::initializer_list<const Event *> events, milliseconds timeout)
	{
		return wait({events.begin(), events.size()}, true, timeout);
	}

private:
	Event() noexcept = default;
	static Event create(Device &device, uint32_t type, bool auto_reset);
	void swap(Event &other) noexcept;

	Kfd *kfd_ = nullptr;
	uint32_t id_ = 0, trigger_ = 0;
	uint64_t *slot_ = nullptr;
};

} // namespace kfdm
