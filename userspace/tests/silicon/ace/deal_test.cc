// SPDX-License-Identifier: MIT
/* deal_test.cc - dealing, staging, passing over, masks, priorities: one behaviour a test. */
#include <gtest/gtest.h>

#include <algorithm>

#include "toy/toy_shader.h"

using namespace toy_shader;

namespace {

const u64 nap = load_program({{Do::Sleep, 10000}, {Do::End}});

/** Highest workgroup number that had started before the given event of the trace. */
void expect_in_order(const std::vector<silicon_trace_event> &starts)
{
	for (size_t i = 0; i < starts.size(); i++)
		EXPECT_EQ(starts[i].a, i);
}

} // namespace

TEST(Deal, WorkgroupsGoRoundTheEnginesInOrder)
{
	ToyShader toy;

	ASSERT_EQ(toy.submit(toy.grid(nap, 24, 64)), Step::Done);
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	ASSERT_EQ(starts.size(), 24u);
	expect_in_order(starts);
	for (size_t i = 0; i < starts.size(); i++)
		EXPECT_EQ(se_of(starts[i]), i % 4);
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_TRUE(toy.shaders->idle());
	EXPECT_EQ(toy.shaders->next_event(), ShaderCore::no_event);
}

TEST(Deal, CusOfAnEngineTakeTurns)
{
	ToyShader toy({1, 15});

	ASSERT_EQ(toy.submit(toy.grid(nap, 15, 64)), Step::Done);
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	for (size_t i = 0; i < starts.size(); i++)
		EXPECT_EQ(cu_of(starts[i]), i);
}

TEST(Deal, AFullEngineStopsTheWholePipe)
{
	/* SE 0 has 15 CUs, SE 1 one; two workgroups of 16 waves fit on a CU. */
	ToyShader toy;
	Grid grid = toy.grid(nap, 40, 1024);

	grid.cu_mask[0] = 0x7fff;
	grid.cu_mask[1] = 1;
	grid.cu_mask[2] = grid.cu_mask[3] = 0;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run(4096);

	/* 0..5 dealt, 5 staged in SE 1 behind 1 and 3, 6 to SE 0 before 7 waits for the slot of SE 1 */
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	ASSERT_EQ(starts.size(), 6u);
	EXPECT_EQ(starts.back().a, 6u);
	EXPECT_EQ(std::count_if(starts.begin(), starts.end(), [](auto &e) { return se_of(e) == 1; }), 2);
	toy.run();
	EXPECT_EQ(toy.of(SILICON_TRACE_WORKGROUP_END).size(), 40u);
}

/* Engine 1 has one CU for two workgroups of 16 waves. Workgroup 5 is staged there: 6 starts before it unless the kernel is ordered. */
TEST(Deal, AnOrderedWorkgroupStartsAfterAllBeforeIt)
{
	for (const bool ordered : {false, true}) {
		ToyShader toy;
		Grid grid = toy.grid(nap, 40, 1024);

		grid.ordered = ordered;
		grid.cu_mask[0] = 0x7fff;
		grid.cu_mask[1] = 1;
		grid.cu_mask[2] = grid.cu_mask[3] = 0;
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run(4096);
		EXPECT_EQ(toy.of(SILICON_TRACE_WORKGROUP_START).size(), ordered ? 5u : 6u);
		toy.run();

		const auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);
		const bool sorted = std::is_sorted(starts.begin(), starts.end(), [](auto &a, auto &b) { return a.a < b.a; });

		ASSERT_EQ(starts.size(), 40u);
		EXPECT_EQ(sorted, ordered);
		EXPECT_TRUE(toy.shaders->idle());
	}
}

/*
 * Why drivers must set UNORD_DISPATCH: workgroup 0 is in engine 0, 1 waits in engine 1 for a CU that another kernel has until workgroup 2
 * of the first one has run, in engine 0, which has room.
 */
TEST(Deal, AnOrderedKernelCanWaitForEver)
{
	constexpr u64 flag = 0x5000;
	const u64 waits = load_program({{Do::WaitEqual, flag, 2}, {Do::End}}), adds = load_program({{Do::MemAdd, flag, 1}, {Do::End}});

	for (const bool ordered : {false, true}) {
		ToyShader toy({2, 1});
		Grid spins = toy.grid(waits, 1, 64, 0), grid = toy.grid(adds, 4, 64, 1);

		spins.cu_mask[0] = 0;
		spins.lds_bytes = 64 * 1024;
		grid.lds_bytes = 32 * 1024;
		grid.ordered = ordered;
		ASSERT_EQ(toy.submit(spins), Step::Done);
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run(100000);
		EXPECT_EQ(toy.of(SILICON_TRACE_WORKGROUP_START).size(), ordered ? 2u : 5u);
		EXPECT_EQ(toy.client.done.size(), ordered ? 0u : 2u);
	}
}

TEST(Deal, TheMaskIsObeyed)
{
	ToyShader toy;
	Grid grid = toy.grid(nap, 200, 256);

	grid.cu_mask[0] = 0x0005;
	grid.cu_mask[1] = 0;
	grid.cu_mask[2] = 0x4000;
	grid.cu_mask[3] = 0xffff8000; /* harvested CU 15 and SH 1, which is not there */
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	ASSERT_EQ(starts.size(), 200u);
	for (auto &e : starts)
		EXPECT_TRUE((se_of(e) == 0 && (cu_of(e) == 0 || cu_of(e) == 2)) || (se_of(e) == 2 && cu_of(e) == 14));
}

TEST(Deal, AWorkgroupThatDoesNotFitLetsOthersPass)
{
	/* One CU: A's second workgroup of 16 waves waits (8 slots left), B's small ones pass it on another pipe. */
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(nap, 4, 1024, 0)), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(nap, 4, 256, 1)), Step::Done);
	toy.run(2000);
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	ASSERT_EQ(starts.size(), 4u);
	EXPECT_EQ(std::count_if(starts.begin(), starts.end(), [](auto &e) { return e.where == 0x100; }), 2);
	EXPECT_EQ(std::count_if(starts.begin(), starts.end(), [](auto &e) { return e.where == 0x110; }), 2);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 2u);
}

TEST(Deal, ACuThatEmptiesBelongsToTheWorkgroupThatGoesFirst)
{
	/*
	 * Ten workgroups of 4 waves fill the CU, and there are always more; one of 16 waves finds room as soon as four of them have ended.
	 */
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(nap, 40, 256, 0)), Step::Done);
	toy.run(2000);
	ASSERT_EQ(toy.submit(toy.grid(nap, 1, 1024, 1)), Step::Done);
	toy.run(15000);
	const auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	EXPECT_EQ(std::count_if(starts.begin(), starts.end(), [](auto &e) { return e.where == 0x110; }), 1);
	EXPECT_GT(std::count_if(starts.begin(), starts.end(), [](auto &e) { return e.where == 0x100; }), 14);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 2u);
}

TEST(Deal, PipePriorityGoesFirst)
{
	ToyShader toy({1, 1});

	for (unsigned pipe = 0; pipe < 3; pipe++) {
		Grid grid = toy.grid(nap, 10, 1024, pipe);

		grid.pipe_priority = pipe == 2 ? 2 : 0;
		ASSERT_EQ(toy.submit(grid), Step::Done);
	}
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	/* pipe 0 fills the CU, then pipe 2 goes first as long as it has anything, then 0 and 1 take turns */
	ASSERT_EQ(starts.size(), 30u);
	for (unsigned i = 2; i < 12; i++)
		EXPECT_EQ(starts[i].where, 0x120u) << i;
	for (unsigned i = 12; i < 28; i++)
		EXPECT_NE(starts[i].where, 0x120u) << i;
	EXPECT_EQ(std::count_if(starts.begin() + 12, starts.begin() + 28, [](auto &e) { return e.where == 0x110; }), 8);
}

TEST(Deal, EqualPipesTakeTurns)
{
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(nap, 100, 1024, 0)), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(nap, 100, 1024, 1)), Step::Done);
	toy.run();
	/* both done at about twice the time of one */
	EXPECT_NEAR(static_cast<double>(toy.client.done[1]), static_cast<double>(toy.client.done[2]), 25000);
}

TEST(Deal, OneGridAPipeIsDealtAtATime)
{
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(nap, 10, 1024, 0, 0)), Step::Done);
	EXPECT_EQ(toy.submit(toy.grid(nap, 1, 64, 0, 1)), Step::Busy);
	EXPECT_EQ(toy.submit(toy.grid(nap, 1, 64, 1, 1)), Step::Done);
	toy.run();
	EXPECT_EQ(toy.submit(toy.grid(nap, 1, 64, 0, 1)), Step::Done);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 3u);
}

TEST(Deal, HoldStopsAQueueAndFreesItsPipe)
{
	ToyShader toy({1, 1});

	ASSERT_EQ(toy.submit(toy.grid(nap, 10, 1024, 0, 0)), Step::Done);
	toy.run(100);
	toy.shaders->hold(1, 0, 0, true);
	EXPECT_EQ(toy.submit(toy.grid(nap, 1, 1024, 0, 0)), Step::Busy);
	ASSERT_EQ(toy.submit(toy.grid(nap, 3, 1024, 0, 1)), Step::Done);
	toy.run();
	EXPECT_EQ(toy.of(SILICON_TRACE_WORKGROUP_START).size(), 5u);
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_TRUE(toy.shaders->queue_busy(1, 0, 0));
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 0u);
	toy.shaders->hold(1, 0, 0, false);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 2u);

	std::vector<u64> numbers;

	for (auto &e : toy.of(SILICON_TRACE_WORKGROUP_START))
		if (e.where == 0x100)
			numbers.push_back(e.a);
	ASSERT_EQ(numbers.size(), 10u);
	for (size_t i = 0; i < numbers.size(); i++)
		EXPECT_EQ(numbers[i], i);
}

TEST(Deal, ANewMaskHoldsForWhatHasNoCuYet)
{
	ToyShader toy;
	Grid grid = toy.grid(nap, 60, 1024);
	u32 mask[max_se] = {0, 0, 0x00f0, 0};

	grid.cu_mask[1] = grid.cu_mask[2] = grid.cu_mask[3] = 0;
	grid.cu_mask[0] = 1;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run(100);
	toy.shaders->set_cu_mask(1, 0, 0, mask);
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

	ASSERT_EQ(starts.size(), 60u);
	expect_in_order(starts);
	for (size_t i = 2; i < starts.size(); i++)
		EXPECT_EQ(se_of(starts[i]), 2u);
}

TEST(Deal, AnEmptyMaskStopsDealingUntilItIsNot)
{
	ToyShader toy;
	u32 none[max_se] = {}, one[max_se] = {1};

	ASSERT_EQ(toy.submit(toy.grid(nap, 300, 1024)), Step::Done);
	toy.run(100);
	toy.shaders->set_cu_mask(1, 0, 0, none);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 0u);
	toy.shaders->set_cu_mask(1, 0, 0, one);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
}

TEST(Deal, ImpossibleGridsAreRefused)
{
	ToyShader toy;
	auto flaw = [&](auto change) {
		Grid grid = toy.grid(nap, 1, 1024);

		change(grid);
		GridFlaw found = toy.shaders->flaw(grid);

		EXPECT_EQ(toy.submit(grid) == Step::Fault, found != GridFlaw::None);
		return found;
	};

	EXPECT_EQ(flaw([](Grid &g) { g.workgroup[1] = 0; }), GridFlaw::Workgroup);
	EXPECT_EQ(flaw([](Grid &g) { g.workgroup[1] = 2; }), GridFlaw::Workgroup);
	EXPECT_EQ(flaw([](Grid &g) { g.workgroup[0] = 65535; }), GridFlaw::Workgroup);
	EXPECT_EQ(flaw([](Grid &g) { g.items[0] = g.items[1] = g.items[2] = ~0u; }), GridFlaw::Dimensions);
	EXPECT_EQ(flaw([](Grid &g) { g.rsrc1 = rsrc1_vgprs(68); }), GridFlaw::Vgprs);
	EXPECT_EQ(flaw([](Grid &g) { g.rsrc1 = 15 << 6; }), GridFlaw::Sgprs);
	EXPECT_EQ(flaw([](Grid &g) { g.lds_bytes = 65537; }), GridFlaw::Lds);
	EXPECT_EQ(flaw([](Grid &g) { std::fill(g.cu_mask, g.cu_mask + max_se, 0x8000); }), GridFlaw::CuMask);
	EXPECT_EQ(flaw([](Grid &g) { g.rsrc2 = 1; }), GridFlaw::Scratch);
	EXPECT_EQ(flaw([](Grid &g) { g.me = 0; }), GridFlaw::Queue);
	EXPECT_EQ(flaw([](Grid &g) { g.queue = 8; }), GridFlaw::Queue);
	EXPECT_EQ(flaw([](Grid &g) { g.pipe = 4; }), GridFlaw::Queue);
	EXPECT_EQ(flaw([](Grid &g) { g.lds_bytes = 65536; }), GridFlaw::None);
}

TEST(Deal, AGridOfNothingIsDoneAtOnce)
{
	ToyShader toy;
	Grid grid = toy.grid(nap, 1, 64);

	grid.items[1] = 0;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	EXPECT_TRUE(toy.client.done.empty());
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_TRUE(toy.trace.empty());
}

TEST(Deal, GridsMaySubmitGridsWhenTheyEnd)
{
	ToyShader toy;
	int left = 50;

	toy.client.on_done = [&](u64, u64 cycle) {
		if (left-- > 0) {
			toy.now = cycle;
			EXPECT_EQ(toy.submit(toy.grid(nap, 3, 64)), Step::Done);
		}
	};
	ASSERT_EQ(toy.submit(toy.grid(nap, 3, 64)), Step::Done);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 51u);
	/* without waiting for a window's end in between */
	EXPECT_LT(toy.client.done[51], 51 * 10100u);
}

TEST(Deal, TheGridSlotsRunOutAndComeBack)
{
	ToyShader toy;
	unsigned taken = 0;

	while (toy.submit(toy.grid(nap, 1, 64, taken % 4, taken / 4 % 8)) == Step::Done)
		taken++;
	EXPECT_EQ(taken, max_grids);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), taken);
	EXPECT_EQ(toy.submit(toy.grid(nap, 1, 64)), Step::Done);
}

/* Without the reservation one-wave workgroups would fill every gap, and there would never be room for 16 waves. */
TEST(Deal, AHighPriorityGridKeepsOthersOffItsCus)
{
	static const u64 code = load_program({{Do::Sleep, 1000}, {Do::End}});

	for (bool ignored : {false, true}) {
		ToyShader toy({1, 1});
		Grid low = toy.grid(code, 400, 64, 0), high = toy.grid(code, 2, 1024, 1);
		u64 last_low = 0, last_high = 0;

		toy.shaders->ignore_priorities(ignored);
		low.pipe_priority = 0;
		high.pipe_priority = 2;
		ASSERT_EQ(toy.submit(low), Step::Done);
		toy.run(500);
		ASSERT_EQ(toy.submit(high), Step::Done);
		toy.run();
		for (const silicon_trace_event &e : toy.of(SILICON_TRACE_WORKGROUP_START))
			(e.where >> 4 & 0xf ? last_high : last_low) = e.cycle;
		EXPECT_EQ(toy.client.done.size(), 2u);
		if (ignored)
			EXPECT_GT(last_high, last_low);
		else
			EXPECT_LT(last_high, 2500u);
	}
}

/* Bytes that are saved and read back take their time. */
/* Of two queues on one pipe the high one finds the pipe's slots taken by workgroups that may not go on before it. */
TEST(Deal, AHighPriorityGridTakesItsOwnPipesSlots)
{
	for (u32 count : {12u, 200u}) { /* all of it has been dealt; some of it not yet */
		ToyShader toy({4, 1});
		Grid low = toy.grid(nap, count, 1024), high = toy.grid(nap, 8, 1024, 0, 1);

		ASSERT_EQ(toy.submit(low), Step::Done);
		toy.run(2000);
		ASSERT_EQ(toy.of(SILICON_TRACE_WORKGROUP_START).size(), 8u); /* two a CU; four more in the slots */
		high.pipe_priority = 2;
		ASSERT_EQ(toy.submit(high), Step::Done);
		toy.run();

		auto starts = toy.of(SILICON_TRACE_WORKGROUP_START);

		ASSERT_EQ(starts.size(), count + 8);
		EXPECT_TRUE(toy.shaders->idle());
		for (u64 i = 0; i < 8; i++) /* all of them before the low one's next */
			EXPECT_EQ(starts[8 + i].a, i);
	}
}

/* SPI_WCL_PIPE_PERCENT: one workgroup at a time, and its end lets the next one in wherever that is staged. */
TEST(Deal, APipeWithAShareOfNothingGetsOn)
{
	ToyShader toy({4, 2});

	toy.shaders->set_share(0, 1);
	ASSERT_EQ(toy.submit(toy.grid(nap, 24, 256)), Step::Done);
	toy.run();
	auto starts = toy.of(SILICON_TRACE_WORKGROUP_START), ends = toy.of(SILICON_TRACE_WORKGROUP_END);

	ASSERT_EQ(starts.size(), 24u);
	ASSERT_EQ(ends.size(), 24u);
	for (size_t i = 1; i < starts.size(); i++)
		EXPECT_GE(starts[i].cycle, ends[i - 1].cycle);
	EXPECT_TRUE(toy.shaders->idle());
}

TEST(Save, TakesTimeByItsBytes)
{
	static const u64 code = load_program({{Do::Sleep, 1000000}, {Do::End}});
	ToyShader toy;
	SaveArea area = {0x40000000, 0x8000, 0x8000, 0x8000, 64u << 20};

	ASSERT_EQ(toy.submit(toy.grid(code, 100, 1024)), Step::Done);
	toy.run(4096);
	while (toy.shaders->save(1, 0, 0, &area) == Step::Busy)
		;
	EXPECT_GT(area.state_offset, 0x8000u + 1600 * 2048);
	EXPECT_GE(toy.shaders->context_free(), 4096 + (area.state_offset - 0x8000) / 256);
}
