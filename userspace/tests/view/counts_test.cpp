// SPDX-License-Identifier: MIT
/* counts_test.cpp - what the silicon counts of kernels whose instructions are known one by one (device/timing.s, device/exp.s). */
#include <gtest/gtest.h>

#include <algorithm>

#include "exp/machine.hpp"
#include "view/kernels.hpp"

using namespace kfdm;
using namespace kfdm::exp;

namespace {

class CountsTest : public testing::Test {
protected:
	void launch(const char *kernel, uint32_t argument, uint32_t groups, uint16_t items, bool barrier = true)
	{
		if (!out_)
			out_ = client_->alloc(1 << 20);
		client_->submit(queue_, {.object = "timing",
					 .kernel = kernel,
					 .grid = {groups * items, 1, 1},
					 .workgroup = {items, 1, 1},
					 .arguments = {static_cast<uint32_t>(out_), static_cast<uint32_t>(out_ >> 32), argument},
					 .group_bytes = 65536,
					 .barrier = barrier});
	}
	std::vector<view::KernelRow> rows()
	{
		view::KernelTable table([](unsigned, uint64_t) { return ""; });

		machine_->run_idle();
		table.take(machine_->take_trace());
		return table.rows();
	}
	/* Another one: nothing has run on it. */
	void start(std::unique_ptr<Machine> machine)
	{
		client_.reset();
		machine_ = std::move(machine);
		client_ = machine_->client();
		queue_ = client_->create_queue({});
		out_ = 0;
		machine_->trace(true);
	}
	void SetUp() override { machine_->trace(true); }

	std::unique_ptr<Machine> machine_ = silicon_machine("radeon_vii", 2);
	std::unique_ptr<Client> client_ = machine_->client();
	unsigned queue_ = client_->create_queue({});
	uint64_t out_ = 0;
};

constexpr uint64_t reads = 64; /* of each timing kernel */

} // namespace

TEST_F(CountsTest, InstructionsByUnitAreThoseOfTheProgram)
{
	const uint64_t before = machine_->counter(static_cast<uint32_t>(Counter::Instructions));

	launch("lds_read_b32", 4, 3, 128);
	const std::vector<view::KernelRow> all = rows();
	ASSERT_EQ(all.size(), 1u);
	const view::KernelRow &row = all[0];
	const uint64_t issued = row[KernelCount::Internal] + row[KernelCount::Valu] + row[KernelCount::Scalar] + row[KernelCount::Branch] +
				row[KernelCount::Vmem] + row[KernelCount::Lds];

	EXPECT_EQ(row.calls, 1u);
	EXPECT_EQ(row[KernelCount::Workgroups], 3u);
	EXPECT_EQ(row[KernelCount::Waves], 6u);
	EXPECT_EQ(row[KernelCount::Lds] % 6, 0u);
	EXPECT_GE(row[KernelCount::Lds], 6 * reads);
	EXPECT_EQ(issued, machine_->counter(static_cast<uint32_t>(Counter::Instructions)) - before) << "each instruction has one unit";
	EXPECT_EQ(row[KernelCount::Lds], machine_->counter(static_cast<uint32_t>(Counter::Lds)));
	EXPECT_EQ(row[KernelCount::Valu], machine_->counter(static_cast<uint32_t>(Counter::Valu)));
	EXPECT_EQ(row[KernelCount::LdsCycles], machine_->counter(static_cast<uint32_t>(Counter::LdsCycles)));
	EXPECT_EQ(machine_->counter(static_cast<uint32_t>(Counter::WavesNow)), 0u);
}

TEST_F(CountsTest, TimesAreThoseOfTheTrace)
{
	uint64_t begin = ~uint64_t{0}, end = 0, waves = 0;
	view::KernelTable table([](unsigned, uint64_t) { return "timed"; });

	launch("lds_read_b32", 4, 5, 64);
	machine_->run_idle();
	const std::vector<amdm_ctl_trace_event> events = machine_->take_trace();
	for (const amdm_ctl_trace_event &event : events) {
		if (event.kind == static_cast<uint16_t>(TraceKind::WorkgroupStart))
			begin = std::min<uint64_t>(begin, event.cycle);
		if (event.kind == static_cast<uint16_t>(TraceKind::WorkgroupEnd))
			end = std::max<uint64_t>(end, event.cycle);
		if (event.kind == static_cast<uint16_t>(TraceKind::WaveStart))
			waves -= event.cycle;
		if (event.kind == static_cast<uint16_t>(TraceKind::WaveEnd))
			waves += event.cycle;
	}
	table.take(events);
	ASSERT_EQ(table.rows().size(), 1u);
	EXPECT_EQ(table.rows()[0][KernelCount::Cycles], end - begin);
	EXPECT_EQ(table.rows()[0][KernelCount::WaveCycles], waves);
	EXPECT_EQ(machine_->counter(static_cast<uint32_t>(Counter::WaveCycles)), waves);
}

TEST_F(CountsTest, KernelsAtTheSameTimeHaveTheirOwnCounts)
{
	launch("lds_read_b32", 4, 1, 64, false);
	launch("lds_add", 4, 2, 64, false);
	const std::vector<view::KernelRow> all = rows();

	ASSERT_EQ(all.size(), 2u);
	EXPECT_EQ(all[0][KernelCount::Waves] + all[1][KernelCount::Waves], 3u);
	const view::KernelRow &one = all[0][KernelCount::Waves] == 1 ? all[0] : all[1], &two = &one == &all[0] ? all[1] : all[0];
	EXPECT_EQ(one[KernelCount::Lds] * 2, two[KernelCount::Lds]) << "both have as many instructions a wave";
}

/* A wave that runs ahead or not: the same counts. On a machine of its own each time, as the L2 keeps what has run before. */
TEST_F(CountsTest, DoNotDependOnHowTheSiliconRuns)
{
	launch("lds_read_b32", 8, 4, 256);
	const view::KernelCounts ahead = rows()[0].counts;
	start(silicon_machine("radeon_vii", 2));
	machine_->set_mode(Mode::NoRunAhead, 1);
	launch("lds_read_b32", 8, 4, 256);
	EXPECT_EQ(rows()[0].counts, ahead);
}

/* Saved and restored again and again: what was counted before is not lost. */
TEST_F(CountsTest, SurvivePreemption)
{
	launch("lds_read_b32", 4, 8, 256);
	const view::KernelCounts whole = rows()[0].counts;
	const uint64_t saved = machine_->counter(static_cast<uint32_t>(Counter::SavedWaves));

	machine_->set_mode(Mode::Preempt, 400);
	launch("lds_read_b32", 4, 8, 256);
	const std::vector<view::KernelRow> all = rows();
	ASSERT_EQ(all.size(), 1u);
	const view::KernelRow &row = all[0];
	ASSERT_GT(machine_->counter(static_cast<uint32_t>(Counter::SavedWaves)), saved);
	EXPECT_EQ(row.calls, 1u);
	for (KernelCount same : {KernelCount::Waves, KernelCount::Workgroups, KernelCount::Lds, KernelCount::Valu, KernelCount::Branch})
		EXPECT_EQ(row[same], whole[static_cast<size_t>(same)]) << view::kernel_count_name(same);
}
