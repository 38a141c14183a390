// SPDX-License-Identifier: MIT
/*
 * event.cpp - CREATE_EVENT, WAIT_EVENTS and their relatives.
 */
#include <kfdm/event.hpp>

#include <algorithm>
#include <vector>

#include <kfdm/buffer.hpp>

namespace kfdm {

namespace {

uint32_t kernel_timeout(Event::milliseconds timeout) noexcept
{
	if (timeout == Event::forever)
		return ~0U;
	return static_cast<uint32_t>(std::clamp<int64_t>(timeout.count(), 0, ~0U - 1));
}

/* Return: the kernel's wait_result; throws on failure. */
uint32_t wait_events(const Kfd &kfd, std::span<kfd_event_data> data, bool all, Event::milliseconds timeout)
{
	kfd_ioctl_wait_events_args args = {};

	args.events_ptr = reinterpret_cast<uint64_t>(data.data());
	args.num_events = static_cast<uint32_t>(data.size());
	args.wait_for_all = all;
	args.timeout = kernel_timeout(timeout);
	kfd.ioctl(AMDKFD_IOC_WAIT_EVENTS, &args, "WAIT_EVENTS");
	return args.wait_result;
}

} // namespace

Event Event::create(Device &device, uint32_t type, bool auto_reset)
{
	Kfd &kfd = device.kfd();
	std::lock_guard guard(kfd.event_lock_);
	kfd_ioctl_create_event_args args = {};
	uint64_t page_handle = 0;
	uint64_t *page = kfd.event_page(device, &page_handle);

	args.event_page_offset = page_handle;
	args.event_type = type;
	args.auto_reset = auto_reset;
	kfd.ioctl(AMDKFD_IOC_CREATE_EVENT, &args, "CREATE_EVENT");
	kfd.event_page_given_ = true;

	Event event;
	event.kfd_ = &kfd;
	event.id_ = args.event_id;
	event.trigger_ = args.event_trigger_data;
	event.slot_ = type == KFD_IOC_EVENT_SIGNAL ? page + args.event_slot_index : nullptr;
	return event;
}

Event Event::signal(Device &device, bool auto_reset) { return create(device, KFD_IOC_EVENT_SIGNAL, auto_reset); }

Event Event::memory(Device &device, bool auto_reset) { return create(device, KFD_IOC_EVENT_MEMORY, auto_reset); }

Event Event::hw_exception(Device &device, bool auto_reset) { return create(device, KFD_IOC_EVENT_HW_EXCEPTION, auto_reset); }

Event::~Event()
{
	kfd_ioctl_destroy_event_args args = {id_, 0};

	if (kfd_)
		(void)try_ioctl(kfd_->fd(), AMDKFD_IOC_DESTROY_EVENT, &args);
}

void Event::set()
{
	kfd_ioctl_set_event_args args = {id_, 0};

	kfd_->ioctl(AMDKFD_IOC_SET_EVENT, &args, "SET_EVENT");
}

void Event::reset()
{
	kfd_ioctl_reset_event_args args = {id_, 0};

	kfd_->ioctl(AMDKFD_IOC_RESET_EVENT, &args, "RESET_EVENT");
}

bool Event::wait(milliseconds timeout) const
{
	const Event *self = this;

	return wait({&self, 1}, false, timeout);
}

bool Event::wait(std::span<const Event *const> events, bool all, milliseconds timeout)
{
	std::vector<kfd_event_data> data(events.size());

	if (events.empty())
		return true;
	for (size_t i = 0; i < events.size(); i++)
		data[i].event_id = events[i]->id_;
	return wait_events(*events[0]->kfd_, data, all, timeout) == KFD_IOC_WAIT_RESULT_COMPLETE;
}

std::optional<MemoryFault> Event::wait_fault(milliseconds timeout) const
{
	kfd_event_data data = {};

	data.event_id = id_;
	if (wait_events(*kfd_, {&data, 1}, false, timeout) != KFD_IOC_WAIT_RESULT_COMPLETE)
		return std::nullopt;

	const kfd_hsa_memory_exception_data &fault = data.memory_exception_data;
	return MemoryFault{.address = fault.va,
			   .gpu_id = fault.gpu_id,
			   .not_present = fault.failure.NotPresent != 0,
			   .read_only = fault.failure.ReadOnly != 0,
			   .no_execute = fault.failure.NoExecute != 0,
			   .imprecise = fault.failure.imprecise != 0};
}

void Event::swap(Event &other) noexcept
{
	std::swap(kfd_, other.kfd_);
	std::swap(id_, other.id_);
	std::swap(trigger_, other.trigger_);
	std::swap(slot_, other.slot_);
}

} // namespace kfdm
