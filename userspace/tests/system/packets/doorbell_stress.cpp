// SPDX-License-Identifier: MIT
/*
 * doorbell_stress.cpp - a great many doorbells at random moments: while the model works, while it is about to sleep,
 * while it sleeps with the doorbells unmapped. None may be lost.
 *
 * Every packet is waited for before the next doorbell rings, so a lost one stops the test.
 */
#include <random>
#include <thread>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;

KFDM_TEST("no doorbell is lost, whenever it rings")
{
	Gpu gpu;
	AqlQueue a(gpu.device), b(gpu.device);
	SdmaQueue sdma(gpu.device);
	Buffer fence = Buffer::gtt(gpu.device, 4096, memory_coherent);
	Signal done = Signal::polled(gpu.device);
	std::mt19937 random(31);
	/* On a busy host, where each takes two turns of the scheduler, the short run rings fewer. */
	const uint32_t doorbells = soak() ? 1'000'000 : 10'000, least = soak() ? doorbells : 1000;
	const auto enough = std::chrono::steady_clock::now() + 60s;

	for (uint32_t i = 1; i <= doorbells && (i <= least || std::chrono::steady_clock::now() < enough); i++) {
		bool arrived;
		auto limit = std::chrono::steady_clock::now() + patience;
		auto late = [&] { return std::chrono::steady_clock::now() > limit; };

		/* Mostly at once; now and then around the model's falling asleep, or long after. */
		if (auto pause = random() % 100; pause < 8)
			std::this_thread::sleep_for(std::chrono::microseconds(random() % 600));
		else if (pause == 8)
			std::this_thread::sleep_for(2ms);
		if (random() % 4 == 0) {
			sdma.submit(SdmaStream().fence(fence.gpu(), i));
			while (!(arrived = fence.as<volatile uint32_t>()[0] == i) && !late())
				std::this_thread::yield();
		} else {
			done.store(1);
			(random() % 2 ? a : b).submit(barrier_and({}, &done));
			while (!(arrived = done.value() == 0) && !late())
				std::this_thread::yield();
		}
		if (!CHECK(arrived)) {
			fmt::print("  doorbell {} of {}\n", i, doorbells);
			return;
		}
	}
}
