// SPDX-License-Identifier: MIT
/*
 * event_destroy_waiting.cpp - the event goes while somebody sleeps on it; and a signal interrupts a sleeper.
 */
#include <atomic>
#include <csignal>
#include <optional>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;

KFDM_TEST("a waiter is told when its event is destroyed, and goes on after a signal")
{
	Gpu gpu;
	std::optional<Event> event = Event::signal(gpu.device);
	uint32_t id = event->id();
	std::atomic<pid_t> tid{0};
	int error = -1;
	uint32_t result = 99;
	std::thread sleeper([&] {
		kfd_event_data data = {};
		kfd_ioctl_wait_events_args args = {reinterpret_cast<uint64_t>(&data), 1, 0, 600'000, 99};

		data.event_id = id;
		tid = gettid();
		error = call(gpu.fd(), AMDKFD_IOC_WAIT_EVENTS, args);
		result = args.wait_result;
	});

	CHECK(eventually([&] { return tid && sleeps_in_ioctl(tid, AMDKFD_IOC_WAIT_EVENTS); }));
	event.reset();
	sleeper.join();
	CHECK_ERRNO(EIO, error);
	CHECK_EQ(result, uint32_t{KFD_IOC_WAIT_RESULT_FAIL});

	/* A handled signal restarts the wait with the time that is left: signals that come faster than it ends do not prolong it. */
	struct sigaction action = {};
	action.sa_handler = [](int) {};
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, nullptr);
	Event other = Event::signal(gpu.device);
	std::atomic<bool> ended = false;
	bool woke = false;
	auto start = std::chrono::steady_clock::now();
	std::thread interrupted([&] {
		woke = other.wait(600ms);
		ended = true;
	});
	CHECK(eventually(
		[&] {
			std::this_thread::sleep_for(50ms);
			pthread_kill(interrupted.native_handle(), SIGUSR1);
			return ended.load();
		},
		1min));
	interrupted.join();
	CHECK(!woke);
	CHECK(std::chrono::steady_clock::now() - start >= 500ms);
}
