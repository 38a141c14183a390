// SPDX-License-Identifier: MIT
/*
 * latency.cpp - from the doorbell to the thread that waits for the event, and what idling costs.
 *
 * The yardstick is what two threads need to wake each other through eventfds: a round trip, as doorbell and event
 * are one. Warm: the queue was just used. Cold: it has been idle long enough for the doorbells to be unmapped.
 */
#include "bench.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <fmt/format.h>

#include <kfdm/lab.hpp>
#include <kfdm/program.hpp>

namespace kfdm::bench {

using namespace std::chrono_literals;

namespace {

/* Model and yardstick take turns in blocks, so that what else the host does meets both. */
constexpr int blocks = 8, warm_rounds = 500, cold_rounds = 50;
constexpr auto cold_pause = 10ms;

void token(int fd, bool give)
{
	uint64_t one = 1;
	ssize_t done = give ? write(fd, &one, sizeof(one)) : read(fd, &one, sizeof(one));

	if (done != sizeof(one))
		throw_errno("eventfd");
}

/* @pause before each round, outside of the measured time */
void ping_pong(Samples &samples, int rounds, std::chrono::milliseconds pause)
{
	UniqueFd ping(eventfd(0, EFD_CLOEXEC)), pong(eventfd(0, EFD_CLOEXEC));
	std::thread partner([&] {
		for (int i = 0; i < rounds; i++) {
			token(ping.get(), false);
			token(pong.get(), true);
		}
	});

	for (int i = 0; i < rounds; i++) {
		if (pause > 0ms)
			std::this_thread::sleep_for(pause);
		auto start = Clock::now();
		token(ping.get(), true);
		token(pong.get(), false);
		samples.add(Clock::now() - start);
	}
	partner.join();
}

void doorbell_to_event(Samples &samples, AqlQueue &queue, Launch &launch, int rounds, std::chrono::milliseconds pause)
{
	auto *value = &launch.signal();

	for (int i = 0; i < rounds; i++) {
		AqlDispatch packet = launch.packet();

		const_cast<Signal *>(value)->store(1);
		if (pause > 0ms)
			std::this_thread::sleep_for(pause);
		auto start = Clock::now();
		queue.submit(packet);
		if (!value->event()->wait(30s) || value->value() != 0)
			throw_error(ETIMEDOUT, "a completion event did not come");
		samples.add(Clock::now() - start);
	}
}

bool compare(const char *name, AqlQueue &queue, Launch &launch, int rounds, std::chrono::milliseconds pause, double limit)
{
	Samples model, yardstick;

	for (int block = 0; block < blocks; block++) {
		doorbell_to_event(model, queue, launch, rounds, pause);
		ping_pong(yardstick, rounds, pause);
	}
	double r50 = model.p50() / yardstick.p50(), r99 = model.p99() / yardstick.p99();

	fmt::print("{}: doorbell to event p50 {:.0f} us, p99 {:.0f} us; eventfd ping-pong p50 {:.0f} us, p99 {:.0f} us\n", name,
		   model.p50(), model.p99(), yardstick.p50(), yardstick.p99());
	bool good = judge(fmt::format("{} p50", name), r50, limit);
	return judge(fmt::format("{} p99", name), r99, limit) && good;
}

} // namespace

bool latency(Device &device)
{
	AqlQueue queue(device);
	Program program = Program::load(device, CodeObject::read(find_device_code("empty", device.node().isa())));
	Launch launch(device, program.kernel("empty"), {.grid = {64, 1, 1}});

	Samples warm_up;
	doorbell_to_event(warm_up, queue, launch, 50, 0ms);
	bool warm = compare("warm", queue, launch, warm_rounds, 0ms, 2);
	bool cold = compare("cold", queue, launch, cold_rounds, cold_pause, 4);
	return warm && cold;
}

bool idle(Device &device)
{
	constexpr double limit_ms = 10;
	AqlQueue queue(device);
	Lab lab = Lab::open();

	std::this_thread::sleep_for(100ms);
	uint64_t before = lab.memory_use().worker_ns;
	std::this_thread::sleep_for(10s);
	double spent = static_cast<double>(lab.memory_use().worker_ns - before) / 1e6;
	fmt::print("idle: a queue exists, nothing is queued: {:.2f} ms of CPU time in 10 s\n", spent);
	return judge("idle CPU time / 10 ms", spent / limit_ms, 1);
}

} // namespace kfdm::bench
