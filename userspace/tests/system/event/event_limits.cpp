// SPDX-License-Identifier: MIT
/*
 * event_limits.cpp - 4096 slots, one of them reserved; ids are slots and come back.
 */
#include <set>
#include <vector>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* CREATE_EVENT answers with an offset to map for events that have a slot; what is not one of them gets zero in its place. */
void offset_of_an_event_without_slot()
{
	Gpu gpu;
	Buffer page = Buffer::gtt(gpu.device, 4096 * 8);
	kfd_ioctl_create_event_args args = {};

	args.event_page_offset = page.handle();
	args.event_type = KFD_IOC_EVENT_MEMORY;
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_CREATE_EVENT, args));
	CHECK_EQ(args.event_page_offset, 0U);
}

} // namespace

KFDM_TEST("4095 signal events exist at a time, each with its own slot")
{
	Child child(offset_of_an_event_without_slot); /* another process: the page cannot be changed */
	CHECK_EQ(child.join(), 0);

	Gpu gpu;
	std::vector<Event> events;
	std::set<uint32_t> ids;
	int error = 0;

	while (!error && events.size() <= 5000) {
		error = errno_of([&] { events.push_back(Event::signal(gpu.device)); });
		if (!error) {
			ids.insert(events.back().id());
			CHECK_EQ(events.back().trigger(), events.back().id());
		}
	}
	CHECK_ERRNO(ENOSPC, error);
	CHECK_EQ(events.size(), 4095U);
	CHECK_EQ(ids.size(), events.size());
	CHECK_EQ(*ids.begin(), 1U); /* 0 is never given out */
	CHECK_EQ(*ids.rbegin(), 4095U);

	/* Other events have their own numbers and no limit that a test would meet. */
	Event memory = Event::memory(gpu.device);
	CHECK(memory.id() >= 0x4000'0000);
	events.erase(events.begin() + 100);
	events.push_back(Event::signal(gpu.device));
	CHECK(ids.contains(events.back().id()));
	events.back().set();
	CHECK(events.back().wait(std::chrono::milliseconds(0)));
	CHECK(!events.front().wait(std::chrono::milliseconds(0)));
}
