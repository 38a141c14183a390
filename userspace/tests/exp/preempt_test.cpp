// SPDX-License-Identifier: MIT
/*
 * preempt_test.cpp - programs give the same output when they are preempted every so many instructions (SILICON_MODE_PREEMPT): waves to
 * the save area and back, on other CUs and in other queue slots. The intervals are random, PREEMPT_SEED chooses others.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <span>

#include <kfdm/lab.hpp>

#include "exp/machine.hpp"

using namespace kfdm;
using namespace kfdm::exp;

namespace {

constexpr uint32_t side = 32, elements = side * side;

struct Program {
	const char *object, *kernel;
	std::array<uint32_t, 3> grid;
	std::array<uint16_t, 3> workgroup;
	unsigned pointers; /* the arguments: a, b, out, or out alone */
	uint32_t last;	   /* and this one behind them */
};

constexpr Program programs[] = {
	{"demo", "vector_add", {elements, 1, 1}, {256, 1, 1}, 3, elements},
	{"demo", "matrix_product", {side, side, 1}, {16, 16, 1}, 3, side}, /* LDS, barriers */
	{"product", "mm256", {side, side, 1}, {16, 16, 1}, 3, side},
	{"product", "mm1024", {side, side, 1}, {32, 32, 1}, 3, side},
	{"test", "work", {elements, 1, 1}, {64, 1, 1}, 1, 40},	/* a loop */
	{"test", "work", {elements, 1, 1}, {192, 1, 1}, 1, 90}, /* a last workgroup that is smaller */
	{"test", "ids", {elements, 1, 1}, {128, 1, 1}, 1, 0},	/* adds to what is there: once */
	{"test", "count", {elements, 1, 1}, {64, 1, 1}, 1, 0},	/* atomics */
};

unsigned seed()
{
	const char *text = std::getenv("PREEMPT_SEED");

	return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 0)) : 906;
}

struct Outcome {
	std::vector<uint32_t> output;
	uint64_t instructions, saved, restored, preemptions;
};

/* The program, preempted after every @every instructions of the chip; 0: never. */
Outcome run(const Program &p, const char *chip, unsigned cus, uint32_t every)
{
	auto machine = silicon_machine(chip, cus);
	auto client = machine->client();
	const unsigned queue = client->create_queue({});
	constexpr size_t bytes = 64 * 64 * 4;
	const uint64_t buffers[] = {client->alloc(bytes), client->alloc(bytes), client->alloc(bytes)};
	std::vector<uint32_t> values(bytes / 4), arguments;
	auto counter = [&](Counter which) { return machine->counter(static_cast<uint32_t>(which)); };

	std::iota(values.begin(), values.end(), 0x3f800000);
	for (uint64_t address : {buffers[0], buffers[1]})
		client->write(address, {reinterpret_cast<const uint8_t *>(values.data()), bytes});
	for (uint64_t address : std::span(buffers).last(p.pointers)) {
		arguments.push_back(static_cast<uint32_t>(address));
		arguments.push_back(static_cast<uint32_t>(address >> 32));
	}
	arguments.push_back(p.last);
	machine->set_mode(Mode::Preempt, every);
	machine->trace(true);
	const unsigned ticket = client->submit(
		queue, {.object = p.object, .kernel = p.kernel, .grid = p.grid, .workgroup = p.workgroup, .arguments = arguments});
	machine->run_idle();
	EXPECT_TRUE(client->times(ticket).done);

	const auto events = machine->take_trace();
	const auto saves = std::count_if(events.begin(), events.end(), [](const amdm_ctl_trace_event &event) {
		return event.kind == static_cast<uint16_t>(TraceKind::Save);
	});
	return {client->read_array<uint32_t>(buffers[2], bytes / 4), counter(Counter::Instructions), counter(Counter::SavedWaves),
		counter(Counter::RestoredWaves), static_cast<uint64_t>(saves)};
}

} // namespace

TEST(Preempt, EveryProgramGivesTheSameOutput)
{
	struct Chip {
		const char *name;
		unsigned cus; /* of a shader array */
	};
	std::mt19937 random(seed());

	for (const Program &p : programs)
		for (const auto &[chip, cus] : {Chip{"radeon_vii", 1}, {"radeon_vii", 15}, {"aldebaran", 1}, {"navi21", 2}, {"fiji", 2}}) {
			const Outcome alone = run(p, chip, cus, 0);

			EXPECT_EQ(alone.saved, 0u);
			for (uint32_t every : {100u, std::uniform_int_distribution<uint32_t>(101, 300)(random), 1000u}) {
				SCOPED_TRACE(::testing::Message() << p.kernel << " every " << every << " on " << chip << ", " << cus
								  << " CUs an array" << ", seed " << seed());
				const Outcome o = run(p, chip, cus, every);

				EXPECT_EQ(o.output, alone.output);
				EXPECT_EQ(o.instructions, alone.instructions);
				EXPECT_EQ(o.saved, o.restored);
				/* Where nothing but the start or the end of a program is at the place, there is nothing to save. */
				EXPECT_GE(o.preemptions, alone.instructions / every * 9 / 10);
				EXPECT_LE(o.preemptions, alone.instructions / every + 1);
			}
		}
}
