// SPDX-License-Identifier: MIT
/*
 * preempt_test.cpp - programs give the same output when they are preempted every so many instructions: waves to the save area and back,
 * on whatever CUs are free.
 */
#include <gtest/gtest.h>

#include <numeric>

#include <kfdm/lab.hpp>

#include "exp/machine.hpp"

using namespace kfdm;
using namespace kfdm::exp;

namespace {

constexpr uint32_t side = 32, elements = side * side;

std::vector<uint32_t> arguments(std::initializer_list<uint64_t> pointers, uint32_t last)
{
	std::vector<uint32_t> words;

	for (uint64_t p : pointers) {
		words.push_back(static_cast<uint32_t>(p));
		words.push_back(static_cast<uint32_t>(p >> 32));
	}
	words.push_back(last);
	return words;
}

struct Program {
	const char *object, *kernel;
	std::array<uint32_t, 3> grid;
	std::array<uint16_t, 3> workgroup;
	uint32_t last;				/* argument behind a, b, out */
};

constexpr Program programs[] = {
	{"demo", "vector_add", {elements, 1, 1}, {256, 1, 1}, elements},
	{"demo", "matrix_product", {side, side, 1}, {16, 16, 1}, side},		/* LDS, barriers */
	{"product", "mm256", {side, side, 1}, {16, 16, 1}, side},
	{"product", "mm1024", {side, side, 1}, {32, 32, 1}, side},
};

/* Output of the program; preempted after every @every instructions of the chip, 0: never. */
std::vector<uint32_t> run(const Program &p, unsigned cus, uint64_t every, uint64_t *saved)
{
	auto machine = silicon_machine("radeon_vii", cus);
	auto client = machine->client();
	unsigned queue = client->create_queue({});
	constexpr size_t bytes = 64 * 64 * 4;
	const uint64_t a = client->alloc(bytes), b = client->alloc(bytes), out = client->alloc(bytes);
	std::vector<uint32_t> values(bytes / 4);
	auto instructions = [&] { return machine->counter(static_cast<uint32_t>(Counter::Instructions)); };

	std::iota(values.begin(), values.end(), 0x3f800000);
	for (uint64_t address : {a, b})
		client->write(address, {reinterpret_cast<const uint8_t *>(values.data()), bytes});
	unsigned ticket = client->submit(queue, {.object = p.object, .kernel = p.kernel, .grid = p.grid, .workgroup = p.workgroup,
						 .arguments = arguments({a, b, out}, p.last)});
	while (every && !client->times(ticket).done) {
		const uint64_t goal = instructions() + every;

		for (uint64_t at = machine->now(); !client->times(ticket).done && instructions() < goal;)
			at = machine->run_to(at + 64);
		client->set_priority(queue, 7);		/* off the hardware and on again */
	}
	machine->run_idle();
	EXPECT_TRUE(client->times(ticket).done);
	*saved = machine->counter(static_cast<uint32_t>(Counter::SavedWaves));
	return client->read_array<uint32_t>(out, bytes / 4);
}

} // namespace

TEST(Preempt, EveryProgramGivesTheSameOutput)
{
	for (const Program &p : programs)
		for (unsigned cus : {1u, 15u}) {
			uint64_t saved;
			const std::vector<uint32_t> expected = run(p, cus, 0, &saved);

			EXPECT_EQ(saved, 0u);
			for (uint64_t every : {100, 1000}) {
				EXPECT_EQ(run(p, cus, every, &saved), expected) << p.kernel << " every " << every << " on 4 x " << cus;
				EXPECT_TRUE(saved || every > 100) << p.kernel;
			}
		}
}
