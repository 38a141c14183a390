// SPDX-License-Identifier: MIT
/*
 * signal.cpp - signals in uncached system memory, one page each, so that none shares a cache line or a fate with another.
 */
#include <kfdm/signal.hpp>

#include <thread>

#include <hw/aql.h>

namespace kfdm {

using namespace std::chrono_literals;

Signal Signal::create(Device &device, int64_t initial, bool with_event)
{
	Signal signal(Buffer::gtt(device, sizeof(AmdSignal), memory_coherent), std::nullopt);
	AmdSignal *block = signal.block();

	*block = {};
	block->kind = AMD_SIGNAL_KIND_USER;
	block->value = initial;
	if (with_event) {
		signal.event_ = Event::signal(device);
		block->event_mailbox_ptr = reinterpret_cast<uint64_t>(signal.event_->slot());
		block->event_id = signal.event_->trigger();
	}
	return signal;
}

Signal Signal::with_event(Device &device, int64_t initial) { return create(device, initial, true); }

Signal Signal::polled(Device &device, int64_t initial) { return create(device, initial, false); }

bool Signal::wait(std::chrono::milliseconds timeout, int64_t below) const
{
	auto start = std::chrono::steady_clock::now();

	while (value() >= below) {
		auto left = timeout - std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
		if (timeout != Event::forever && left <= 0ms)
			return false;
		if (!event_)
			std::this_thread::sleep_for(50us);
		else
			(void)event_->wait(timeout == Event::forever ? timeout : left);
	}
	return true;
}

} // namespace kfdm
