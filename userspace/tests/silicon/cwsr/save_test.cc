// SPDX-License-Identifier: MIT
/* save_test.cc - CWSR: out and back on other CUs with the same results, the layout, and areas full of lies. */
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "toy/toy_shader.h"
#include "silicon/cwsr/context_save.h"
#include "silicon/sq/trap.h"

using namespace toy_shader;

namespace {

constexpr u64 area_base = 0x10000000;

/** As libhsakmt sizes it. */
SaveArea area_for(unsigned cus)
{
	u32 stack = (40 + cus * 40 * 8 + 8 + 4095) & ~4095u;

	return {area_base, stack, stack, stack, stack + cus * (0x40000 + 0x4000 + 0x10000 + 0x1000)};
}

template <class Call> Step until_done(ToyShader &toy, Call call, unsigned *calls = nullptr)
{
	for (unsigned i = 0; i < 10000; i++) {
		Step step = call();

		if (calls)
			*calls = i + 1;
		if (step == Step::Done || step == Step::Fault)
			return step;
		toy.tlb.flush_all();
		if (step == Step::Busy)
			toy.now = toy.shaders->run(toy.now, toy.now + 4096, {}).reached;
	}
	return Step::Busy;
}

Step save(ToyShader &toy, SaveArea *area, unsigned queue = 0)
{
	return until_done(toy, [&] { return toy.shaders->save(1, 0, queue, area); });
}

Step restore(ToyShader &toy, const SaveArea &area, unsigned queue = 0)
{
	return until_done(toy, [&] { return toy.shaders->restore(1, 0, queue, 8, area); });
}

/** Registers, LDS, barriers, atomics: everything that a save could spoil ends up in two sums. */
Grid mixture(ToyShader &toy)
{
	// clang-format off
	static const u64 code = load_program(
		{{Do::SAdd, 5, 30}, {Do::VSet, 7, 5}, {Do::LdsSet, 9}, {Do::VAdd, 0, 1}, {Do::VAdd, 7, 3}, {Do::LdsAdd, 1},
		 {Do::Barrier}, {Do::LdsSum, 6, 4}, {Do::Barrier}, {Do::MemAddS, 0x10000, 6}, {Do::SAdd, sgpr_vcc, 2},
		 {Do::SAdd, 20, 1}, {Do::Loop, 5, 3},
		 {Do::MemAddV, 0x10008, 0}, {Do::MemAddV, 0x10008, 7}, {Do::MemAddS, 0x10008, sgpr_vcc},
					 // clang-format on
					 {Do::MemAddS, 0x10008, 20},
					 {Do::End}});
	Grid grid = toy.grid(code, 37, 250);

	grid.rsrc2 = 1 | 1 << 7;
	grid.tmpring_size = 400 | 1 << 12;
	grid.lds_bytes = 9000;
	grid.cu_mask[0] = 3;
	grid.cu_mask[1] = 1;
	grid.cu_mask[2] = grid.cu_mask[3] = 0;
	return grid;
}

struct Sums {
	u64 s, v;
	bool operator==(const Sums &) const = default;
};

Sums sums(ToyShader &toy) { return {toy.memory.ref<u64>(8, 0x10000), toy.memory.ref<u64>(8, 0x10008)}; }

/** Generations whose save areas differ, and waves of 32 lanes. */
struct Kind {
	Isa isa;
	bool wave32;
};
constexpr Kind kinds[] = {{Isa::Gfx9, false}, {Isa::Gfx90a, false}, {Isa::Gfx10, false}, {Isa::Gfx10, true}};

Grid mixture(ToyShader &toy, bool wave32)
{
	Grid grid = mixture(toy);

	grid.wave32 = wave32;
	return grid;
}

Sums undisturbed(const Kind &kind = kinds[0])
{
	ToyShader toy({.isa = kind.isa});

	EXPECT_EQ(toy.submit(mixture(toy, kind.wave32)), Step::Done);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
	return sums(toy);
}

} // namespace

class Preempted : public testing::TestWithParam<Kind> {};

TEST_P(Preempted, EveryNCyclesOnEverOtherCusTheResultIsTheSame)
{
	const Sums expected = undisturbed(GetParam());

	for (u64 every : {150, 1000, 3000}) {
		for (bool missing : {false, true}) {
			ToyShader toy({.isa = GetParam().isa});
			unsigned turns = 0;

			toy.memory.all_missing_once = missing;
			ASSERT_EQ(toy.submit(mixture(toy, GetParam().wave32)), Step::Done);
			while (toy.client.done.empty() && turns < 3000) {
				u32 mask[max_se] = {};
				SaveArea area = area_for(60);

				/* What comes back must be read first, which takes its time. */
				toy.run(std::max(toy.now, toy.shaders->context_free()) + every);
				ASSERT_EQ(save(toy, &area), Step::Done);
				EXPECT_TRUE(toy.shaders->idle());
				EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 0u);
				if (!toy.client.done.empty())
					break;
				turns++;
				mask[turns % 4] = 0xf << turns % 10;
				mask[(turns + 2) % 4] = 1u << turns % 13;
				toy.client.restored_mask = mask;
				ASSERT_EQ(restore(toy, area), Step::Done) << turns;
				EXPECT_TRUE(toy.shaders->queue_busy(1, 0, 0));
			}
			EXPECT_GT(turns, 0u);
			EXPECT_EQ(toy.client.done.size(), 1u);
			EXPECT_EQ(sums(toy).s, expected.s);
			EXPECT_EQ(sums(toy).v, expected.v);
		}
	}
}

INSTANTIATE_TEST_SUITE_P(Generations, Preempted, testing::ValuesIn(kinds), [](const auto &info) {
	return std::string(info.param.isa == Isa::Gfx9	 ? "gfx9" :
			   info.param.isa == Isa::Gfx90a ? "gfx90a" :
							   "gfx10") +
	       (info.param.wave32 ? "_wave32" : "");
});

TEST(Save, TheLayoutIsTheHardwares)
{
	ToyShader toy;
	u64 code = load_program({{Do::SAdd, 0, 0x1111},
				 {Do::SAdd, 9, 0x2222},
				 {Do::SAdd, sgpr_vcc, 0x3333},
				 {Do::SAdd, sgpr_m0, 0x4444},
				 {Do::VAdd, 5, 0x5555},
				 {Do::LdsAdd, 0x6666},
				 {Do::Sleep, 1000000},
				 {Do::End}});
	Grid grid = toy.grid(code, 1, 128);
	SaveArea area = area_for(60);

	grid.trap_enabled = true;
	grid.lds_bytes = 700;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run(8192);
	ASSERT_EQ(save(toy, &area), Step::Done);

	auto word = [&](u32 offset) { return toy.memory.ref<u32>(8, area_base + offset); };
	u32 at = area.control_stack_offset;

	/* SET_SH_REG COMPUTE_RELAUNCH, sizes, first wave, last wave, our event */
	EXPECT_EQ(at + 6 * 4, area.control_stack_size);
	EXPECT_EQ(word(at), 0xc0017600u);
	EXPECT_EQ(word(at + 4), 0x222u);
	EXPECT_EQ(word(at + 8), 1u << 31 | 1 | 2 << 6 | 2 << 9);
	EXPECT_EQ(word(at + 12), 1u << 17);
	EXPECT_EQ(word(at + 16), 1u << 16);
	EXPECT_EQ(word(at + 20), 1u << 30);

	/* upwards from the end: pad, LDS (first wave), TTMPs, HWREGs, SGPRs, VGPRs; then the last wave without LDS */
	u32 top = area.state_offset;

	for (u32 wave = 0; wave < 2; wave++) {
		top -= 64 + (wave ? 0 : 1024);
		if (!wave) {
			EXPECT_EQ(word(top), 0x6666u);
			EXPECT_EQ(word(top + 4), 0x6666u);
		}

		u32 hwregs = top - 128, sgprs = hwregs - 32 * 4, vgprs = sgprs - 8 * 256;

		EXPECT_EQ(word(hwregs), 0x4444u);				/* M0 */
		EXPECT_EQ(join(word(hwregs + 4), word(hwregs + 8)), code + 28); /* PC */
		EXPECT_EQ(word(hwregs + 12), ~0u);				/* EXEC */
		EXPECT_EQ(word(hwregs + 20) & status::trap_en, status::trap_en);
		EXPECT_EQ(word(sgprs), 0x1111u);
		EXPECT_EQ(word(sgprs + 9 * 4), 0x2222u);
		EXPECT_EQ(word(sgprs + 30 * 4), 0x3333u); /* VCC in the last two */
		EXPECT_EQ(word(vgprs + 5 * 256 + 63 * 4), 0x5555u);
		EXPECT_EQ(word(vgprs + 4), wave * 64 + 1); /* v0: work-item 1 */
		top = vgprs;
	}
	EXPECT_EQ(top, area.control_stack_size);
	EXPECT_EQ(toy.of(SILICON_TRACE_SAVE).size(), 1u);
}

/* Blocks without padding, lanes as many as a wave has, two words of sizes, other bits for the first and the last wave. */
TEST(Save, TheLayoutOfGfx10IsTheHardwares)
{
	ToyShader toy({.isa = Isa::Gfx10});
	u64 code = load_program({{Do::SAdd, 105, 0x1111},
				 {Do::SAdd, sgpr_vcc, 0x3333},
				 {Do::VAdd, 5, 0x5555},
				 {Do::LdsAdd, 0x6666},
				 {Do::Sleep, 1000000},
				 {Do::End}});
	Grid grid = toy.grid(code, 1, 64);
	SaveArea area = area_for(60);

	grid.wave32 = true;
	grid.rsrc1 = 1; /* 16 VGPRs, in eights */
	grid.trap_enabled = true;
	grid.lds_bytes = 700;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run(8192);
	ASSERT_EQ(save(toy, &area), Step::Done);

	auto word = [&](u32 offset) { return toy.memory.ref<u32>(8, area_base + offset); };
	const u32 at = area.control_stack_offset;

	EXPECT_EQ(at + 7 * 4, area.control_stack_size);
	EXPECT_EQ(word(at + 8), 1u << 31 | 1 | 2 << 10 | 1 << 24);
	EXPECT_EQ(word(at + 12) >> 31, 0u); /* the second word of the sizes */
	EXPECT_EQ(word(at + 16), 1u << 12);
	EXPECT_EQ(word(at + 20), 1u << 29);

	u32 top = area.state_offset;

	for (u32 wave = 0; wave < 2; wave++) {
		top -= wave ? 0 : 1024;
		if (!wave) {
			EXPECT_EQ(word(top), 0x6666u);
		}

		const u32 hwregs = top - 128, sgprs = hwregs - 128 * 4, vgprs = sgprs - 16 * 128;

		EXPECT_EQ(join(word(hwregs + 4), word(hwregs + 8)), code + 20); /* PC */
		EXPECT_EQ(word(hwregs + 20) & status::trap_en, status::trap_en);
		EXPECT_EQ(word(sgprs + 105 * 4), 0x1111u);
		EXPECT_EQ(word(sgprs + sgpr_vcc * 4), 0x3333u);
		EXPECT_EQ(word(vgprs + 5 * 128 + 31 * 4), 0x5555u);
		EXPECT_EQ(word(vgprs + 4), wave * 32 + 1); /* v0: work-item 1 */
		top = vgprs;
	}
	EXPECT_EQ(top, area.control_stack_size);
}

/* Debuggers read the sizes of all waves from the control stack, and stop if what is left of the state is not 0. */
TEST(Save, TheStateIsWavesAlone)
{
	ToyShader toy;
	SaveArea area = area_for(60);

	ASSERT_EQ(toy.submit(toy.grid(load_program({{Do::Sleep, 50000}, {Do::End}}), 5000, 64)), Step::Done);
	toy.run(20000);
	ASSERT_EQ(save(toy, &area), Step::Done);

	u32 waves = 0, events = 0;

	for (u32 at = area.control_stack_offset + 12; at < area.control_stack_size; at += 4) {
		const u32 word = toy.memory.ref<u32>(8, area_base + at);

		waves += !(word >> 30);
		events = word >> 30 == 1 ? word & 15 : events;
	}
	EXPECT_EQ(events, 1u); /* a grid has workgroups left */
	EXPECT_GT(waves, 100u);
	EXPECT_EQ(area.state_offset - area.control_stack_size, waves * (8 * 256 + 32 * 4 + 64 + 64 + 64));
}

TEST(Save, AFullChipFitsIntoTheAreaThatTheThunkProvides)
{
	struct Row {
		u32 cus;
		u16 items;
		u32 vgprs, sgprs, lds;
		bool trap;
	};
	for (Row row : {Row{16, 64, 24, 64, 1536, true},
			{16, 64, 24, 80, 1536, false},
			{16, 64, 32, 80, 2048, true},
			{16, 512, 128, 112, 65536, true},
			{16, 256, 256, 112, 65536, true},
			{16, 128, 32, 80, 4096, true}}) {
		ToyShader toy({4, row.cus});
		SaveArea area = area_for(4 * row.cus);
		Grid grid = toy.grid(load_program({{Do::Sleep, 50000}, {Do::MemAdd, 0x9000, 1}, {Do::End}}), 5000, row.items);

		grid.rsrc1 = rsrc1_vgprs(row.vgprs) | rsrc1_sgprs(row.sgprs);
		grid.lds_bytes = row.lds;
		grid.trap_enabled = row.trap;
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run(20000);

		u32 waves = toy.shaders->waves_of(1, 0, 0);

		ASSERT_EQ(save(toy, &area), Step::Done) << row.items << " " << row.vgprs;
		ASSERT_EQ(restore(toy, area), Step::Done);
		EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), waves);
		toy.run();
		EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), u64{5000} * ((row.items + 63) / 64));
	}
}

TEST(Save, ATooSmallOrAbsentAreaLeavesTheQueueRunning)
{
	const Sums expected = undisturbed();

	for (int kind = 0; kind < 3; kind++) {
		ToyShader toy;
		SaveArea area = area_for(60);

		if (kind == 0)
			area.size = area.control_stack_size + 20000;
		if (kind == 1)
			area.control_stack_size = 112;
		if (kind == 2)
			toy.memory.faulty.insert(area_base + area.control_stack_size + 0x10000);
		ASSERT_EQ(toy.submit(mixture(toy)), Step::Done);
		toy.run(1000);
		EXPECT_EQ(save(toy, &area), Step::Fault) << kind;
		toy.run();
		EXPECT_EQ(toy.client.done.size(), 1u);
		EXPECT_EQ(sums(toy), expected);
	}
}

TEST(Save, AnIdleQueueLeavesNothingBehind)
{
	ToyShader toy;
	SaveArea area = area_for(60);

	ASSERT_EQ(save(toy, &area), Step::Done);
	EXPECT_EQ(area.control_stack_offset, area.control_stack_size);
	EXPECT_EQ(area.state_offset, area.control_stack_size);
	EXPECT_EQ(restore(toy, area), Step::Done);
	EXPECT_EQ(toy.submit(mixture(toy)), Step::Done);
}

TEST(Save, ManyGridsOfAQueueKeepTheirOrder)
{
	ToyShader toy;
	SaveArea area = area_for(60);
	u64 code = load_program({{Do::Sleep, 3000}, {Do::MemAdd, 0x9000, 1}, {Do::End}});
	std::vector<u64> order;

	toy.client.on_done = [&](u64 cookie, u64) { order.push_back(cookie); };
	for (unsigned i = 0; i < 5; i++) {
		Grid grid = toy.grid(code, i == 4 ? 5000 : 15, 1024);

		ASSERT_EQ(toy.submit(grid), Step::Done);
	}
	toy.run(1000);
	EXPECT_EQ(toy.submit(toy.grid(code, 1, 64)), Step::Busy);
	ASSERT_EQ(save(toy, &area), Step::Done);
	ASSERT_EQ(restore(toy, area), Step::Done);
	toy.run();
	EXPECT_EQ(order.size(), 5u);
	EXPECT_EQ(order.back(), 5u);
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 16u * 5060);
}

TEST(Restore, WaitsForRoomAndComesBeforeNewWorkgroups)
{
	ToyShader toy({1, 2});
	SaveArea area = area_for(60);
	u64 nap = load_program({{Do::Sleep, 5000}, {Do::End}});

	ASSERT_EQ(toy.submit(toy.grid(nap, 4, 1024)), Step::Done);
	toy.run(1000);
	ASSERT_EQ(save(toy, &area), Step::Done);

	Grid other = toy.grid(nap, 10000, 1024, 1);

	ASSERT_EQ(toy.submit(other), Step::Done);
	toy.run(toy.now + 1000);

	unsigned calls;

	ASSERT_EQ(until_done(toy, [&] { return toy.shaders->restore(1, 0, 0, 8, area); }, &calls), Step::Done);
	EXPECT_GT(calls, 1u);
	EXPECT_LT(calls, 5u);
	toy.run(toy.now + 10000);
	EXPECT_EQ(toy.client.done.count(1), 1u);
}

TEST(Restore, WorkgroupsGoRoundTheEnginesAndTheirCus)
{
	ToyShader toy({4, 15});
	SaveArea area = area_for(60);
	u64 nap = load_program({{Do::Sleep, 50000}, {Do::End}});
	std::map<u64, unsigned> places;
	std::set<u64> numbers;

	ASSERT_EQ(toy.submit(toy.grid(nap, 60, 128)), Step::Done);
	toy.run(5000);
	ASSERT_EQ(save(toy, &area), Step::Done);
	ASSERT_EQ(restore(toy, area), Step::Done);
	for (const silicon_trace_event &e : toy.of(SILICON_TRACE_WORKGROUP_RESTORE)) {
		places[e.b]++;
		numbers.insert(e.a);
	}
	EXPECT_EQ(places.size(), 60u); /* one a CU, as they were dealt */
	EXPECT_EQ(numbers.size(), 60u);
	EXPECT_EQ(toy.of(SILICON_TRACE_WAVE_RESTORE).size(), 120u);
	/* Each ends where it is now. */
	toy.run();
	std::set<std::pair<u64, u64>> restored, ended;
	for (const silicon_trace_event &e : toy.of(SILICON_TRACE_WORKGROUP_RESTORE))
		restored.emplace(e.a, e.b);
	for (const silicon_trace_event &e : toy.of(SILICON_TRACE_WORKGROUP_END))
		ended.emplace(e.a, e.b);
	EXPECT_EQ(restored, ended);
}

/* Small workgroups all over the chip would leave no CU for the large ones. */
TEST(Restore, WhatFindsNoRoomSpreadOutIsPacked)
{
	ToyShader toy({1, 3});
	SaveArea area = area_for(60);
	u64 nap = load_program({{Do::Sleep, 20000}, {Do::MemAdd, 0x9000, 1}, {Do::End}});
	Grid small = toy.grid(nap, 9, 64), large = toy.grid(nap, 2, 64);
	const auto packed = [](Grid grid, u32 mask) {
		for (u32 &engine : grid.cu_mask)
			engine = 0;
		grid.cu_mask[0] = mask;
		return grid;
	};

	large.lds_bytes = 65536; /* a CU's: nothing else with LDS fits beside it */
	small.lds_bytes = 1024;
	ASSERT_EQ(toy.submit(packed(small, 4)), Step::Done);
	toy.run(1000);
	ASSERT_EQ(toy.submit(packed(large, 3)), Step::Done);
	toy.run(3000);
	ASSERT_EQ(toy.of(SILICON_TRACE_WORKGROUP_START).size(), 11u);
	ASSERT_EQ(save(toy, &area), Step::Done);
	toy.client.submitted[1].cu_mask[0] = toy.client.submitted[2].cu_mask[0] = 7;
	ASSERT_EQ(restore(toy, area), Step::Done);
	EXPECT_EQ(toy.of(SILICON_TRACE_WORKGROUP_RESTORE).size(), 11u);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 2u);
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 11u);
}

TEST(Restore, GivesUpForAWhileWhenNobodyLeaves)
{
	ToyShader toy({1, 1});
	SaveArea area = area_for(60);
	u64 nap = load_program({{Do::Sleep, 5000}, {Do::End}});
	u64 forever = load_program({{Do::Sleep, 100000}, {Do::SAdd, 5, 2}, {Do::Loop, 5, 0}});

	ASSERT_EQ(toy.submit(toy.grid(nap, 2, 1024)), Step::Done);
	toy.run(1000);
	ASSERT_EQ(save(toy, &area), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(forever, 1, 1024, 1)), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(nap, 40, 512, 2)), Step::Done);
	toy.run(toy.now + 1000);
	for (int i = 0; i < 2000; i++) {
		Step step = toy.shaders->restore(1, 0, 0, 8, area);

		EXPECT_EQ(step, Step::Busy);
		toy.now = toy.shaders->run(toy.now, toy.now + 4096, {}).reached;
	}
	/* the third queue got through in between */
	EXPECT_EQ(toy.client.done.count(3), 1u);
	toy.shaders->kill(1, 1, 0);
	ASSERT_EQ(restore(toy, area), Step::Done);
	toy.run();
	EXPECT_EQ(toy.client.done.count(1), 1u);
}

TEST(Restore, SavedAgainHalfwayTheAreaStillHolds)
{
	const Sums expected = undisturbed();
	ToyShader toy;
	SaveArea area = area_for(60), again = area_for(60);
	u32 mask[max_se] = {1};
	u64 nap = load_program({{Do::Sleep, 100000}, {Do::End}});

	ASSERT_EQ(toy.submit(mixture(toy)), Step::Done);
	toy.run(500);
	ASSERT_EQ(save(toy, &area), Step::Done);

	Grid blocker = toy.grid(nap, 1, 1024, 1);

	blocker.cu_mask[0] = 1;
	blocker.cu_mask[1] = blocker.cu_mask[2] = blocker.cu_mask[3] = 0;
	ASSERT_EQ(toy.submit(blocker), Step::Done);
	toy.run(toy.now + 300);
	toy.client.restored_mask = mask;
	EXPECT_EQ(toy.shaders->restore(1, 0, 0, 8, area), Step::Busy);
	EXPECT_GT(toy.shaders->waves_of(1, 0, 0), 0u);
	toy.run(toy.now + 1000);
	ASSERT_EQ(toy.shaders->save(1, 0, 0, &again), Step::Done);
	EXPECT_EQ(again.control_stack_offset, area.control_stack_offset);
	EXPECT_EQ(again.state_offset, area.state_offset);
	toy.client.restored_mask = nullptr;
	ASSERT_EQ(restore(toy, again), Step::Done);
	toy.run();
	EXPECT_EQ(sums(toy), expected);
}

TEST(Restore, AreasFullOfLiesHarmNobodyElse)
{
	std::mt19937 random(3);
	unsigned faults = 0, fine = 0;

	for (int round = 0; round < 400; round++) {
		const Kind kind = kinds[round % std::size(kinds)];
		ToyShader toy({4, 2, kind.isa});
		SaveArea area = area_for(60);
		Grid grid = mixture(toy, kind.wave32);

		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run(600);
		ASSERT_EQ(save(toy, &area), Step::Done);

		/* spoil a few words of the stack, of the records, or of the tags */
		for (unsigned n = random() % 4 + 1; n; n--) {
			u32 at;

			switch (random() % 3) {
			case 0: at = area.control_stack_offset + random() % (area.control_stack_size - area.control_stack_offset); break;
			case 1: at = area.state_offset + random() % 512; break;
			default: at = area.state_offset - 1 - random() % 64;
			}
			u32 &word = toy.memory.ref<u32>(8, area_base + (at & ~3u));

			word = random() % 3 ? word ^ 1u << random() % 32 : static_cast<u32>(random());
		}
		if (random() % 8 == 0)
			area.state_offset -= random() % 4096;
		if (random() % 8 == 0)
			area.control_stack_offset += (random() % 64) * 4;

		Step step = restore(toy, area);

		(step == Step::Fault ? faults : fine)++;
		EXPECT_TRUE(step != Step::Fault || toy.shaders->idle());
		/* whatever came of it: it runs, and the rest of the chip works */
		toy.run(toy.now + 20000);
		toy.shaders->kill(1, 0, 0);
		EXPECT_TRUE(toy.shaders->idle());
		ASSERT_EQ(toy.submit(toy.grid(load_program({{Do::MemAdd, 0x77000, 1}, {Do::End}}), 400, 64, 3)), Step::Done);
		toy.run();
		ASSERT_EQ(toy.memory.ref<u64>(8, 0x77000), 400u);
	}
	EXPECT_GT(faults, 50u);
	EXPECT_GT(fine, 50u);
}

TEST(Save, BadQueuesAreRefused)
{
	ToyShader toy;
	SaveArea area = area_for(60);

	EXPECT_EQ(toy.shaders->save(0, 0, 0, &area), Step::Fault);
	EXPECT_EQ(toy.shaders->restore(3, 0, 0, 8, area), Step::Fault);
	EXPECT_EQ(toy.shaders->waves_of(1, 9, 0), 0u);
	EXPECT_FALSE(toy.shaders->queue_busy(1, 0, 9));
}
