// SPDX-License-Identifier: MIT
/*
 * event_wait.cpp - any, all, time-outs, auto-reset: events set from the CPU.
 */
#include <atomic>
#include <thread>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

void any_and_all(Gpu &gpu)
{
	Event a = Event::signal(gpu.device, false), b = Event::signal(gpu.device, false);

	CHECK(!Event::wait_any({&a, &b}, 0ms));
	a.set();
	CHECK(Event::wait_any({&a, &b}, 0ms));
	CHECK(!Event::wait_all({&a, &b}, 20ms));
	b.set();
	CHECK(Event::wait_all({&a, &b}, 0ms));
	a.reset();
	CHECK(!Event::wait_all({&a, &b}, 0ms));
	CHECK(Event::wait_any({&b, &b, &a}, 0ms)); /* twice the same is allowed */
}

void auto_reset(Gpu &gpu)
{
	Event event = Event::signal(gpu.device, true);

	event.set();
	CHECK(event.wait(0ms));
	CHECK(!event.wait(0ms));
	event.set();
	event.set();
	CHECK(event.wait(0ms));
	CHECK(!event.wait(0ms));
}

void time_outs(Gpu &gpu)
{
	Event event = Event::signal(gpu.device);

	for (auto timeout : {30ms, 200ms}) {
		auto start = Clock::now();

		CHECK(!event.wait(timeout));
		CHECK(Clock::now() - start >= timeout);
		CHECK(Clock::now() - start < timeout + 1min); /* it ends */
	}
}

void wakes_sleepers(Gpu &gpu)
{
	Event a = Event::signal(gpu.device), b = Event::signal(gpu.device);
	bool woke_any = false, woke_all = false;
	std::thread any([&] { woke_any = Event::wait_any({&a, &b}, patience); });

	std::this_thread::sleep_for(50ms);
	b.set();
	any.join();
	CHECK(woke_any);
	std::thread all([&] { woke_all = Event::wait_all({&a, &b}, Event::forever); });
	std::this_thread::sleep_for(50ms);
	b.set();
	std::this_thread::sleep_for(20ms);
	a.set();
	all.join();
	CHECK(woke_all);
}

/* Signals of an auto-reset event are for one wait each: also those that come while a thread waits for something else as well. */
void second_signal(Gpu &gpu)
{
	Event twice = Event::signal(gpu.device, true), last = Event::signal(gpu.device);
	std::atomic<pid_t> tid{0};
	bool completed = false;

	twice.set();
	std::thread both([&] {
		tid = gettid();
		completed = Event::wait_all({&twice, &last}, patience);
	});
	CHECK(eventually([&] { return tid && sleeps_in_ioctl(tid, AMDKFD_IOC_WAIT_EVENTS); }));
	twice.set();
	CHECK(twice.wait(0ms));
	last.set();
	both.join();
	CHECK(completed);
}

void bad_arguments(Gpu &gpu)
{
	Event memory = Event::memory(gpu.device);
	kfd_event_data data[2] = {};
	kfd_ioctl_set_event_args set = {9999, 0};
	kfd_ioctl_destroy_event_args destroy = {9999, 0};

	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_SET_EVENT, set));
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_RESET_EVENT, set));
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_DESTROY_EVENT, destroy));
	set.event_id = memory.id();
	CHECK(memory.id() >= 0x4000'0000);
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_SET_EVENT, set)); /* only signal events */

	kfd_ioctl_wait_events_args wait = {reinterpret_cast<uint64_t>(data), 0, 0, 0, 99};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, wait)); /* nothing to wait for */
	CHECK_EQ(wait.wait_result, uint32_t{KFD_IOC_WAIT_RESULT_COMPLETE});
	data[0].event_id = 9999;
	wait = {reinterpret_cast<uint64_t>(data), 1, 0, 0, 99};
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, wait));
	CHECK_EQ(wait.wait_result, uint32_t{KFD_IOC_WAIT_RESULT_FAIL});
	wait = {8, 1, 0, 0, 99};
	CHECK_ERRNO(EFAULT, call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, wait));
}

} // namespace

KFDM_TEST("events are waited for one, any or all, with time-outs and auto-reset")
{
	Gpu gpu;

	any_and_all(gpu);
	auto_reset(gpu);
	time_outs(gpu);
	wakes_sleepers(gpu);
	second_signal(gpu);
	bad_arguments(gpu);
}
