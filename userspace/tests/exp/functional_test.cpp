// SPDX-License-Identifier: MIT
/*
 * functional_test.cpp - programs compute the same without timing (SILICON_MODE_NO_TIMING), and preempted all the time; and how far waves
 * run ahead of their time leaves no mark in the trace (SILICON_MODE_NO_RUN_AHEAD).
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include <kfdm/lab.hpp>

#include "exp/rtns.hpp"

using namespace kfdm;
using namespace kfdm::exp;

namespace {

constexpr uint32_t side = 64, elements = side * side;

void push(std::vector<uint32_t> *words, uint64_t v)
{
	words->push_back(static_cast<uint32_t>(v));
	words->push_back(static_cast<uint32_t>(v >> 32));
}

/* Two processes: products with and without LDS and barriers, a flag that two queues hand back and forth, sleepers that cut ahead. */
std::vector<uint32_t> run(Mode mode, uint32_t value, const char *chip = "radeon_vii", std::vector<amdm_ctl_trace_event> *trace = nullptr)
{
	auto machine = silicon_machine(chip, 2);
	machine->trace(trace != nullptr);
	machine->set_mode(mode, value);
	auto a = machine->client(), b = machine->client();
	const uint64_t in = a->alloc(elements * 4), out = a->alloc(4 * elements * 4);
	const uint64_t flag = b->alloc(4096), cycles = b->alloc(4096);
	std::vector<uint32_t> values(elements);

	std::iota(values.begin(), values.end(), 0x3f800000);
	a->write(in, {reinterpret_cast<const uint8_t *>(values.data()), elements * 4});
	const unsigned queue = a->create_queue({}), other = a->create_queue({}), first = b->create_queue({}), second = b->create_queue({});

	uint64_t at = out;
	for (const Work &product : {Work{.object = "demo", .kernel = "matrix_product", .grid = {side, side, 1}, .workgroup = {16, 16, 1}},
				    Work{.object = "product", .kernel = "mm256", .grid = {side, side, 1}, .workgroup = {16, 16, 1}},
				    Work{.object = "demo", .kernel = "vector_add", .grid = {elements, 1, 1}, .workgroup = {256, 1, 1}}}) {
		Work work = product;

		for (uint64_t address : {in, in, at})
			push(&work.arguments, address);
		work.arguments.push_back(work.kernel == "vector_add" ? elements : side);
		a->submit(at == out ? queue : other, work);
		at += elements * 4;
	}
	for (uint32_t i = 0; i < 2; i++) {
		Work work = {.kernel = "ping_pong", .grid = {1, 1, 1}, .workgroup = {1, 1, 1}};

		push(&work.arguments, flag);
		work.arguments.insert(work.arguments.end(), {i, 50});
		push(&work.arguments, cycles + i * 64);
		b->submit(i ? second : first, work);
	}
	Work sleepers = mm256.quick(3);
	sleepers.grid[0] = 256 * 64;
	b->submit(first, sleepers);
	machine->run_idle();
	if (trace)
		*trace = machine->take_trace();
	return a->read_array<uint32_t>(out, 3 * elements);
}

} // namespace

TEST(Functional, ProgramsComputeTheSame) { EXPECT_EQ(run(Mode::NoTiming, 0), run(Mode::NoTiming, 1)); }

TEST(RunAhead, LeavesNoMarkInTheTrace)
{
	for (const char *chip : {"radeon_vii", "vega64", "aldebaran", "navi21", "fiji"}) {
		std::vector<amdm_ctl_trace_event> ahead, behind;

		EXPECT_EQ(run(Mode::NoRunAhead, 0, chip, &ahead), run(Mode::NoRunAhead, 1, chip, &behind)) << chip;
		EXPECT_GT(ahead.size(), 1000u);
		ASSERT_EQ(ahead.size(), behind.size()) << chip;
		EXPECT_EQ(std::memcmp(ahead.data(), behind.data(), ahead.size() * sizeof(ahead[0])), 0) << chip;
	}
}

TEST(Functional, PreemptedProgramsComputeTheSame)
{
	for (uint32_t every : {400, 5000})
		EXPECT_EQ(run(Mode::Preempt, 0), run(Mode::Preempt, every)) << every;
}
