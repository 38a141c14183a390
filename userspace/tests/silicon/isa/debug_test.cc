// SPDX-License-Identifier: MIT
/* debug_test.cc - what a debugger has a wave do: trap behind each instruction, and at memory that is watched. Every unit of this host is asked. */
#include <gtest/gtest.h>

#include "assembler.h"
#include "names.h"

namespace isa_test {
namespace {

using silicon::Stop;
using silicon::WatchPoints;

constexpr u32 debug_en = 1 << 11, watch_enabled = 1 << 19, valid = 1u << 31;
constexpr u32 reads = 0, others = 1u << 29, atomics = 2u << 29, all = 3u << 29, every_bit = 0xffffff;

class Debug : public testing::TestWithParam<unsigned> {
protected:
	Debug() : m(32)
	{
		m.choose_variant(GetParam());
		m.wave.trap_enabled = true;
		m.memory.map(data_base, 0x4000);
		watch.init(6, 24);
		m.context().watch = &watch;
	}
	void load(const std::vector<std::string> &lines)
	{
		const auto code = assemble(lines);
		std::vector<u32> words;

		for (const std::string &line : lines) {
			ASSERT_TRUE(code.count(line)) << line;
			words.insert(words.end(), code.at(line).begin(), code.at(line).end());
		}
		m.load(words);
	}
	/** As the trap handler that goes on. */
	void handled() { m.wave.trapsts &= ~silicon::trapsts_pending; }
	u64 at() const { return m.wave.pc - code_base; }

	/** v[0:1] = data_base + offset + lane * step */
	void point(u64 offset, u64 step)
	{
		for (unsigned lane = 0; lane < 64; lane++) {
			const u64 va = data_base + offset + lane * step;

			m.v(0, lane) = static_cast<u32>(va);
			m.v(1, lane) = static_cast<u32>(va >> 32);
		}
	}
	void watch_line(unsigned n, u64 offset, u32 control)
	{
		const u64 va = data_base + offset;

		watch.set_low(n, static_cast<u32>(va));
		watch.set_high(n, static_cast<u32>(va >> 32));
		watch.set_control(m.wave.vmid, n, control);
	}
	/** Does it trap? */
	bool meets(const std::string &line)
	{
		m.wave.trapsts = 0;
		load({line});
		const Stop why = m.run().why;

		EXPECT_TRUE(why == Stop::Exception || why == Stop::End) << line;
		if (why == Stop::Exception)
			EXPECT_GT(m.wave.pc, code_base) << "behind it";
		return why == Stop::Exception;
	}

	WatchPoints watch;
	Machine m;
};

TEST_P(Debug, ATrapIsDueBehindEachInstructionButTheLast)
{
	load({"s_mov_b32 s0, 1", "s_branch 1", "s_nop 0", "v_mov_b32 v0, s0", "s_sendmsg sendmsg(MSG_INTERRUPT)", "s_sleep 1"});
	m.wave.mode |= debug_en;
	for (u64 pc : {4, 12, 16}) {
		EXPECT_EQ(m.run().why, Stop::Exception);
		EXPECT_EQ(at(), pc);
		EXPECT_EQ(m.run().why, Stop::Exception) << "until somebody enters the handler";
		handled();
	}
	EXPECT_EQ(m.v(0, 0), 1u);
	EXPECT_EQ(m.run().why, Stop::Message); /* first what the instruction does */
	EXPECT_EQ(m.run().why, Stop::Exception);
	EXPECT_EQ(at(), 20u);
	handled();
	EXPECT_EQ(m.run().why, Stop::Sleep);
	EXPECT_EQ(m.run().why, Stop::Exception);
	handled();
	EXPECT_EQ(m.run().why, Stop::End);
	EXPECT_FALSE(m.wave.trapsts & silicon::trapsts_pending);
}

TEST_P(Debug, OneThatHasNotHappenedIsNotSteppedOver)
{
	load({"global_load_dword v4, v[0:1], off", "s_nop 0"});
	point(0, 4);
	m.memory.need(data_base);
	m.flush();
	m.wave.mode |= debug_en;
	EXPECT_EQ(m.run().why, Stop::Need);
	EXPECT_EQ(at(), 0u);
	EXPECT_EQ(m.run().why, Stop::Exception);
	EXPECT_EQ(at(), 8u);
}

TEST_P(Debug, NothingStepsInAHandlerOrWithoutOne)
{
	load({"s_mov_b32 s0, 1", "s_mov_b32 s1, 1"});
	m.wave.mode |= debug_en;
	m.wave.privileged = true;
	EXPECT_EQ(m.run().why, Stop::End);
	m.wave.privileged = m.wave.trap_enabled = false;
	m.wave.pc = code_base;
	EXPECT_EQ(m.run().why, Stop::End);
}

TEST_P(Debug, AProgramMayStepItself)
{
	load({"s_mov_b32 s0, 0x8c0", "s_setreg_b32 hwreg(HW_REG_MODE), s0", "s_nop 0", "s_nop 0"});
	EXPECT_EQ(m.run().why, Stop::Budget);
	EXPECT_EQ(at(), 12u);
	EXPECT_EQ(m.run().why, Stop::Exception);
	EXPECT_EQ(at(), 16u);
}

TEST_P(Debug, EveryKindOfAccessMeetsItsWatchPoint)
{
	struct Row {
		const char *line;
		bool read, atomic;
	};
	const Row rows[] = {{"global_load_dword v4, v[0:1], off", true, false},	  {"global_load_dword v4, v[0:1], off glc", true, false},
			    {"flat_load_dwordx4 v[4:7], v[0:1]", true, false},	  {"global_load_ubyte v4, v[0:1], off", true, false},
			    {"global_store_dword v[0:1], v4, off", false, false}, {"flat_store_short v[0:1], v4", false, false},
			    {"global_atomic_add v[0:1], v4, off", false, true},	  {"flat_atomic_swap v5, v[0:1], v4 glc", false, true}};

	m.wave.mode |= watch_enabled;
	for (u64 step : {0, 4, 64}) { /* one place, consecutive, a line each */
		point(0x40, step);
		for (const Row &row : rows) {
			watch_line(0, 0x40, valid | all | every_bit);
			EXPECT_TRUE(meets(row.line)) << row.line;
			EXPECT_EQ(m.wave.trapsts & 0xf1ff & ~silicon::trapsts_watched, 1u << 7);
			watch_line(0, 0x40, valid | reads | every_bit);
			EXPECT_EQ(meets(row.line), row.read) << row.line;
			watch_line(0, 0x40, valid | others | every_bit);
			EXPECT_EQ(meets(row.line), !row.read) << row.line;
			watch_line(0, 0x40, valid | atomics | every_bit);
			EXPECT_EQ(meets(row.line), row.atomic) << row.line;
			watch_line(0, 0x40, all | every_bit); /* not valid */
			EXPECT_FALSE(meets(row.line)) << row.line;
			watch_line(0, 0x2000, valid | all | every_bit);
			EXPECT_FALSE(meets(row.line)) << row.line;
		}
	}
	m.wave.set_exec(0);
	watch_line(0, 0x40, valid | all | every_bit);
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
}

TEST_P(Debug, AMaskLeavesBitsOfTheAddressOut)
{
	m.wave.mode |= watch_enabled;
	point(0x1a3c, 0);
	watch_line(1, 0x1a00, valid | all | every_bit); /* within the line */
	EXPECT_TRUE(meets("global_load_dword v4, v[0:1], off"));
	EXPECT_EQ(m.wave.trapsts & 0x7000, 1u << 12);
	watch_line(1, 0x1000, valid | all | (every_bit & ~0x3fu)); /* the page */
	EXPECT_TRUE(meets("global_load_dword v4, v[0:1], off"));
	watch_line(1, 0x2000, valid | all | (every_bit & ~0x3fu));
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
	watch_line(1, 0x2000, valid | all); /* a gigabyte */
	EXPECT_TRUE(meets("global_load_dword v4, v[0:1], off"));
	watch_line(1, u64{1} << 40, valid | all);
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
}

TEST_P(Debug, TheAccessHasHappenedWhenItIsHeardOf)
{
	m.wave.mode |= watch_enabled;
	point(0x80, 4);
	m.v(4, 5) = 77;
	for (unsigned n = 0; n < WatchPoints::points; n++)
		watch_line(n, 0x80, valid | others | every_bit);
	EXPECT_TRUE(meets("global_store_dword v[0:1], v4, off"));
	EXPECT_EQ(at(), 8u);
	EXPECT_EQ(m.memory.get<u32>(data_base + 0x80 + 20), 77u);
	EXPECT_EQ(m.wave.trapsts & 0x7080, 0x7080u);
	handled();
	EXPECT_EQ(m.run().why, Stop::End);
}

TEST_P(Debug, WatchPointsAreOfOneVmidAndTrapOnlyWhereTheyAreEnabled)
{
	point(0x80, 4);
	watch.set_control_of_one(0, valid | all | 2u << 24); /* VMID 2 */
	EXPECT_FALSE(watch.watch(m.wave.vmid));
	m.wave.mode |= watch_enabled;
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
	watch_line(0, 0x80, valid | all | every_bit);
	m.wave.mode &= ~watch_enabled;
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
	EXPECT_TRUE(m.wave.trapsts & 1 << 7); /* it is noted all the same */
	m.wave.mode |= watch_enabled;
	m.wave.privileged = true;
	EXPECT_FALSE(meets("global_load_dword v4, v[0:1], off"));
}

INSTANTIATE_TEST_SUITE_P(Units, Debug, testing::Range(0u, execution_units()), unit_name);

} // namespace
} // namespace isa_test
