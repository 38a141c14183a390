// SPDX-License-Identifier: MIT
/*
 * silicon_queues.hpp - who puts the queues of the silicon alone on its hardware, in KFD's two ways (Linux: kfd_device_queue_manager.c): the
 * firmware's scheduler, which is given a list of all of them (cpsch), or the driver itself by register (nocpsch).
 */
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "silicon_host/driver.hpp"

namespace kfdm::exp {

/** Each call is over when the hardware has done it; ETIME where it does not, as waves that are to drain while the clock is held. */
class DeviceQueues {
public:
	virtual ~DeviceQueues() = default;

	/** Throws EBUSY, ENOSPC where there is no room for one more. */
	virtual void add(silicon_host::UserQueue &queue) = 0;
	virtual void remove(silicon_host::UserQueue &queue) = 0;
	/** @change alters the queue's descriptor, while the queue is off the hardware. */
	virtual void update(silicon_host::UserQueue &queue, const std::function<void()> &change) = 0;
	/** A process that has no queue any more ends. */
	virtual void end_process() = 0;
};

/** A change of queues unmaps all, then maps anew; so does the end of a process (process_termination_cpsch). */
class Cpsch final : public DeviceQueues {
public:
	Cpsch(silicon_host::HostedChip &chip, silicon_host::Driver &driver) : chip_(chip), driver_(driver) {}

	void add(silicon_host::UserQueue &queue) override;
	void remove(silicon_host::UserQueue &queue) override;
	void update(silicon_host::UserQueue &queue, const std::function<void()> &change) override;
	void end_process() override;

private:
	void preempt();
	void map();

	silicon_host::HostedChip &chip_;
	silicon_host::Driver &driver_;
	/* As KFD's lists: newest first, a process from its first queue to its last. */
	std::vector<silicon_host::UserQueue *> queues_;
	std::vector<const silicon_host::Process *> processes_;
};

/** A queue keeps its slot until it is removed, a process its VMID until its last queue is; what does not fit is refused. */
class Nocpsch final : public DeviceQueues {
public:
	/** @saves_waves: those of a queue that changes; else they come to their end first. */
	Nocpsch(silicon_host::HostedChip &chip, silicon_host::Driver &driver, bool saves_waves);

	void add(silicon_host::UserQueue &queue) override;
	void remove(silicon_host::UserQueue &queue) override;
	void update(silicon_host::UserQueue &queue, const std::function<void()> &change) override;
	void end_process() override {}

private:
	struct Slot {
		unsigned pipe = 0, slot = 0;
	};
	/** A process that has queues. */
	struct Bound {
		unsigned vmid = 0, queues = 0;
	};

	Slot take_slot();
	Bound &bind(const silicon_host::Process &process);
	void unbind(const silicon_host::Process &process);
	void leave(const Slot &at, silicon_host::Dequeue how);

	silicon_host::HostedChip &chip_;
	silicon_host::Driver &driver_;
	bool saves_waves_;
	unsigned next_pipe_ = 0;
	std::array<uint32_t, silicon_host::pipes> free_;
	std::map<const silicon_host::UserQueue *, Slot> slots_;
	std::map<const silicon_host::Process *, Bound> bound_;
};

} // namespace kfdm::exp
