// SPDX-License-Identifier: MIT
/* issue_test.cc - the issue model: units, who goes first, and that it does not matter how far waves run ahead. */
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "toy/toy_shader.h"

using namespace toy_shader;

namespace {

constexpr u64 rounds = 2000;

/** body again and again. */
u64 loop(Program body)
{
	body.insert(body.begin(), {Do::SAdd, 5, rounds});
	body.insert(body.end(), {{Do::Loop, 5, 1}, {Do::End}});
	return load_program(std::move(body));
}

struct Kernel {
	u64 code;
	unsigned pipe;
	u8 priority = 0;
	u32 lds = 0;
};

/** Single waves on one CU, all on SIMD 0 when they are dealt four at a time: cycle at which each kernel has ended. */
std::vector<u64> ends(const std::vector<Kernel> &kernels, u32 waves = 1)
{
	ToyShader toy({1, 1});
	std::vector<u64> found;

	for (const Kernel &k : kernels) {
		Grid grid = toy.grid(k.code, waves, 64, k.pipe);

		grid.pipe_priority = k.priority;
		grid.lds_bytes = k.lds;
		EXPECT_EQ(toy.submit(grid), Step::Done);
	}
	toy.run();
	for (auto &[cookie, cycle] : toy.client.done)
		found.push_back(cycle);
	return found;
}

/** The same with both on one SIMD: three short waves between them take the others' turns. */
std::vector<u64> on_one_simd(const Kernel &first, const Kernel &second)
{
	const u64 sleeper = load_program({{Do::Sleep, 4 * rounds * 100}, {Do::End}});
	ToyShader toy({1, 1});
	std::vector<u64> found;

	auto start = [&](const Kernel &k, u32 waves) {
		Grid grid = toy.grid(k.code, waves, 64, k.pipe);

		grid.pipe_priority = k.priority;
		EXPECT_EQ(toy.submit(grid), Step::Done);
		toy.run(toy.now + 64 * waves);
	};
	start(first, 1);
	start({sleeper, 3}, 3);
	start(second, 1);
	toy.run();
	return {toy.client.done[1], toy.client.done[3]};
}

double ratio(u64 a, u64 b) { return static_cast<double>(a) / static_cast<double>(b); }

} // namespace

TEST(Issue, VectorAndScalarInstructionsOfTwoWavesGoTogether)
{
	const u64 vector = loop({{Do::VAdd, 1, 1}, {Do::VAdd, 1, 1}, {Do::VAdd, 1, 1}});
	const u64 scalar = loop({{Do::Nop}, {Do::Nop}, {Do::Nop}});
	const u64 alone = ends({{vector, 0}})[0];

	/* Five scalar instructions where there are four turns. */
	const auto both = on_one_simd({vector, 0}, {scalar, 1});
	EXPECT_NEAR(ratio(both[0], alone), 1, 0.02);
	EXPECT_NEAR(ratio(both[1], alone), 1.25, 0.05);

	const auto same = on_one_simd({vector, 0}, {vector, 1});
	EXPECT_NEAR(ratio(same[1], alone), 1.75, 0.1);
}

TEST(Issue, TheOldestWaveGoesFirst)
{
	const u64 vector = loop(Program(40, {Do::VAdd, 1, 1}));
	const u64 alone = ends({{vector, 0}})[0];
	const auto both = on_one_simd({vector, 0}, {vector, 1});

	EXPECT_NEAR(ratio(both[0], alone), 1, 0.02);
	EXPECT_NEAR(ratio(both[1], alone), 1.95, 0.06);
}

TEST(Issue, AHighPriorityGoesBeforeAge)
{
	const u64 vector = loop(Program(40, {Do::VAdd, 1, 1}));
	const u64 alone = ends({{vector, 0}})[0];
	const auto both = on_one_simd({vector, 0, 0}, {vector, 1, 2});

	EXPECT_NEAR(ratio(both[1], alone), 1, 0.03);
	EXPECT_NEAR(ratio(both[0], alone), 1.95, 0.06);
}

TEST(Issue, TheSimdsShareLdsAndVectorMemory)
{
	for (const Program &body : {Program(16, {Do::LdsAdd, 1}), Program(16, {Do::MemAdd, 0x9000, 1})}) {
		const u64 code = loop(body);
		const u64 one = ends({{code, 0, 0, 512}})[0], four = ends({{code, 0, 0, 512}}, 4)[0];

		EXPECT_NEAR(ratio(four, one), 3.9, 0.15);
	}
	const u64 code = loop(Program(16, {Do::VAdd, 1, 1}));

	EXPECT_NEAR(ratio(ends({{code, 0}}, 4)[0], ends({{code, 0}})[0]), 1, 0.02);
}

TEST(Issue, EachSimdHasItsTurnInFourCycles)
{
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(load_program({{Do::VAdd, 1, 1}, {Do::Message, 1}, {Do::End}}), 8, 64)), Step::Done);
	toy.run();
	for (auto &e : toy.of(SILICON_TRACE_WAVE_END))
		EXPECT_EQ(e.cycle % 4, (e.b >> 8 & 3)) << e.b;
}

/* Whenever it begins. */
TEST(Issue, TheSameWorkHasTheSameTime)
{
	std::vector<std::tuple<u64, u16, u32, u64, u64>> traces[5];

	for (u64 begin : {0, 1, 2, 63, 777}) {
		auto &trace = traces[begin == 0 ? 0 : begin == 63 ? 3 : begin == 777 ? 4 : begin];
		ToyShader toy({1, 2});
		const u64 code = loop({{Do::VAdd, 1, 1}, {Do::LdsAdd, 1}, {Do::Nop}, {Do::MemAdd, 0x9000, 1}, {Do::Barrier}});
		Grid grid = toy.grid(code, 9, 256);

		toy.now = begin;
		grid.lds_bytes = 512;
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run();
		for (auto &e : toy.trace)
			trace.push_back({e.cycle - begin, e.kind, e.where, argument(e), e.b});
		EXPECT_EQ(trace, traces[0]) << begin;
	}
}

namespace {

/* Random programs on two CUs, with barriers, LDS, memory, sleep, and a queue that is saved and restored now and then. */
class RandomRun {
public:
	std::vector<std::tuple<u64, u16, u32, u64, u64>> trace; /* events: cycle, kind, place, arguments */
	u64 sum = 0;						/* of what the programs have added to memory */

	RandomRun(unsigned seed, bool ahead) : random_(seed)
	{
		toy_.shaders->set_run_ahead(ahead);
		for (unsigned pipe = 0; pipe < kernels; pipe++)
			submit(pipe);
		const u64 pause = 500 + pick(5000);

		for (unsigned turn = 0; turn < 4 && toy_.client.done.size() < kernels; turn++)
			save_and_restore(turn % kernels, pause);
		toy_.run();
		EXPECT_EQ(toy_.client.done.size(), kernels);
		for (auto &e : toy_.trace)
			trace.push_back({e.cycle, e.kind, e.where, argument(e), e.b});
		sum = toy_.memory.ref<u64>(8, 0x9000) + toy_.memory.ref<u64>(8, 0x9100) * 3 + toy_.memory.ref<u64>(8, 0x9200) * 7;
	}

private:
	static constexpr unsigned kernels = 3; /* each on a pipe of its own */

	u64 pick(u64 n) { return random_() % n; }
	Program body();
	void submit(unsigned pipe);
	void save_and_restore(unsigned queue, u64 pause);

	std::mt19937 random_;
	ToyShader toy_{{2, 1}};
};

Program RandomRun::body()
{
	/* Registers and LDS hold what their last owner has left. */
	Program body = {{Do::SAdd, 5, 3 + pick(30)}, {Do::VSet, 1, 0}, {Do::VSet, 2, 0}, {Do::VSet, 3, 0}, {Do::LdsSet, 0}, {Do::Barrier}};
	const u64 begin = body.size();

	for (u64 i = 0, n = 3 + pick(40); i < n; i++) {
		const toy_shader::Op choice[] = {
			{Do::Nop},	  {Do::VAdd, 1, 1},	   {Do::VAdd, 2, 3},	     {Do::SAdd, 6, 1},		 {Do::VAdd, 1, 2},
			{Do::LdsAdd, 1},  {Do::MemAdd, 0x9000, 1}, {Do::MemAddV, 0x9100, 1}, {Do::Sleep, 64 * pick(60)}, {Do::Barrier},
			{Do::VAdd, 3, 1}, {Do::LdsSum, 6, 1},	   {Do::Message, 1}};
		body.push_back(choice[pick(std::size(choice))]);
	}
	body.insert(body.end(), {{Do::MemAddS, 0x9200, 6}, {Do::Loop, 5, begin}, {Do::End}});
	return body;
}

void RandomRun::submit(unsigned pipe)
{
	Program program = body();
	Grid grid = toy_.grid(load_program(std::move(program)), static_cast<u32>(1 + pick(40)), static_cast<u16>(64 * (1 + pick(8))), pipe);

	grid.lds_bytes = 2048;
	grid.pipe_priority = static_cast<u8>(pick(3));
	ASSERT_EQ(toy_.submit(grid), Step::Done);
}

void RandomRun::save_and_restore(unsigned queue, u64 pause)
{
	SaveArea area = {0x4000000, 8192, 0, 0, 4 << 20};
	Step step;

	toy_.run(std::max(toy_.now, toy_.shaders->context_free()) + pause);
	while ((step = toy_.shaders->save(1, queue, 0, &area)) == Step::Busy)
		;
	ASSERT_EQ(step, Step::Done);
	toy_.run(toy_.now + pick(3000));
	while ((step = toy_.shaders->restore(1, queue, 0, 8, area)) == Step::Busy) {
		toy_.run(toy_.now + 1000);
		toy_.shaders->reach(toy_.now += toy_.shaders->next_event() == ShaderCore::no_event ? 1000 : 0);
	}
	ASSERT_EQ(step, Step::Done);
}

} // namespace

TEST(Issue, NoTimeDependsOnHowFarWavesRunAhead)
{
	const char *text = std::getenv("ISSUE_SEED");
	const unsigned seed = text ? static_cast<unsigned>(std::strtoul(text, nullptr, 0)) : 906;

	for (unsigned round = 0; round < 60; round++) {
		const RandomRun waits(seed + round, false), ahead(seed + round, true);
		const auto apart = std::mismatch(waits.trace.begin(), waits.trace.end(), ahead.trace.begin(), ahead.trace.end());

		EXPECT_TRUE(waits.trace == ahead.trace)
			<< "seed " << seed << " round " << round << ": event " << apart.first - waits.trace.begin() << " of "
			<< waits.trace.size() << ", " << ahead.trace.size();
		EXPECT_EQ(waits.sum, ahead.sum);
	}
}
