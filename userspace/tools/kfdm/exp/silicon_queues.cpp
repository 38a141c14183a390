// SPDX-License-Identifier: MIT
/* silicon_queues.cpp - see silicon_queues.hpp */
#include "silicon_queues.hpp"

#include <algorithm>
#include <bit>

#include <kfdm/error.hpp>

namespace kfdm::exp {

namespace {

constexpr size_t oversubscribed_above = 24; /* compute queues; KFD's limit, and its eight processes */
constexpr size_t processes_at_once = 8;

/** Lets the chip work until @gone. */
template <class F> void wait_for(silicon_host::HostedChip &chip, F &&gone)
{
	for (unsigned n = 0; !gone(); n++) {
		chip.run(1);
		if (n > 1u << 20)
			throw_error(ETIME, "queues do not leave the hardware");
	}
}

} // namespace

void Cpsch::preempt()
{
	if (queues_.empty())
		return;
	driver_.unmap();
	wait_for(chip_, [&] { return driver_.fence_done(); });
}

void Cpsch::map()
{
	std::vector<silicon_host::UserQueue *> list;

	if (queues_.empty())
		return;
	for (const silicon_host::Process *process : processes_)
		std::copy_if(queues_.begin(), queues_.end(), std::back_inserter(list),
			     [=](const silicon_host::UserQueue *queue) { return &queue->process == process; });
	const auto compute = std::count_if(list.begin(), list.end(), [](const silicon_host::UserQueue *queue) {
		return queue->kind != silicon_host::QueueKind::Sdma;
	});
	driver_.run_list(list, static_cast<size_t>(compute) > oversubscribed_above || processes_.size() > processes_at_once,
			 processes_at_once);
	chip_.run();
}

void Cpsch::add(silicon_host::UserQueue &queue)
{
	preempt();
	queues_.insert(queues_.begin(), &queue);
	if (std::find(processes_.begin(), processes_.end(), &queue.process) == processes_.end())
		processes_.insert(processes_.begin(), &queue.process);
	map();
}

void Cpsch::remove(silicon_host::UserQueue &queue)
{
	preempt();
	std::erase(queues_, &queue);
	if (std::none_of(queues_.begin(), queues_.end(),
			 [&](const silicon_host::UserQueue *other) { return &other->process == &queue.process; }))
		std::erase(processes_, &queue.process);
	map();
}

void Cpsch::update(silicon_host::UserQueue &, const std::function<void()> &change)
{
	preempt();
	change();
	map();
}

void Cpsch::end_process()
{
	preempt();
	map();
}

Nocpsch::Nocpsch(silicon_host::HostedChip &chip, silicon_host::Driver &driver, bool saves_waves)
	: chip_(chip), driver_(driver), saves_waves_(saves_waves)
{
	free_.fill(silicon_host::slots_of_pipe);
}

/* Pipe after pipe, so that queues spread over the pipes (allocate_hqd). */
Nocpsch::Slot Nocpsch::take_slot()
{
	for (unsigned i = 0; i < silicon_host::pipes; i++) {
		const unsigned pipe = (next_pipe_ + i) % silicon_host::pipes;

		if (!free_[pipe])
			continue;
		const unsigned slot = static_cast<unsigned>(std::countr_zero(free_[pipe]));
		free_[pipe] &= ~(1u << slot);
		next_pipe_ = (pipe + 1) % silicon_host::pipes;
		return {pipe, slot};
	}
	throw_error(EBUSY, "no hardware queue is free");
}

Nocpsch::Bound &Nocpsch::bind(const silicon_host::Process &process)
{
	Bound &bound = bound_[&process];

	if (bound.vmid)
		return bound;
	for (unsigned vmid = silicon_host::first_vmid; vmid <= silicon_host::last_vmid; vmid++) {
		if (std::any_of(bound_.begin(), bound_.end(), [=](const auto &other) { return other.second.vmid == vmid; }))
			continue;
		bound.vmid = vmid;
		driver_.bind(process, vmid);
		return bound;
	}
	bound_.erase(&process);
	throw_error(ENOSPC, "no VMID is free");
}

void Nocpsch::unbind(const silicon_host::Process &process)
{
	const auto bound = bound_.find(&process);

	if (bound->second.queues)
		return;
	driver_.unbind(bound->second.vmid);
	bound_.erase(bound);
}

void Nocpsch::leave(const Slot &at, silicon_host::Dequeue how)
{
	driver_.dequeue(at.pipe, at.slot, how);
	wait_for(chip_, [&] { return !driver_.occupied(at.pipe, at.slot); });
}

void Nocpsch::add(silicon_host::UserQueue &queue)
{
	if (queue.kind == silicon_host::QueueKind::Sdma)
		throw_error(EOPNOTSUPP, "this driver places no SDMA queues itself");
	Bound &bound = bind(queue.process);

	try {
		slots_[&queue] = take_slot();
	} catch (...) {
		unbind(queue.process);
		throw;
	}
	bound.queues++;
	driver_.load(queue, bound.vmid, slots_[&queue].pipe, slots_[&queue].slot);
	chip_.run();
}

void Nocpsch::remove(silicon_host::UserQueue &queue)
{
	const Slot at = slots_.at(&queue);

	leave(at, silicon_host::Dequeue::Reset);
	free_[at.pipe] |= 1u << at.slot;
	slots_.erase(&queue);
	bound_[&queue.process].queues--;
	unbind(queue.process);
}

void Nocpsch::update(silicon_host::UserQueue &queue, const std::function<void()> &change)
{
	const Slot at = slots_.at(&queue);

	leave(at, saves_waves_ ? silicon_host::Dequeue::Save : silicon_host::Dequeue::Drain);
	change();
	driver_.load(queue, bound_[&queue.process].vmid, at.pipe, at.slot);
	chip_.run();
}

} // namespace kfdm::exp
