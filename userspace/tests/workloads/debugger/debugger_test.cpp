// SPDX-License-Identifier: MIT
/* What a debugger does with a HIP program by AMD's librocm-dbgapi: each test starts `debugged`, which lies beside this program. */
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "session.hpp"

using debugger::info;
using debugger::Session;
using debugger::Wave;

namespace {

constexpr unsigned group = 64, workgroups = 2;
constexpr uint32_t mark = 0x600d;
constexpr unsigned nop_bytes = 4, add_bytes = 8; /* of the instructions at stop_here */

std::vector<std::string> debugged(std::initializer_list<std::string> arguments)
{
	std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").parent_path() / "debugged"};

	command.insert(command.end(), arguments);
	return command;
}

/** A session whose next stop is a wave at stop_here. */
struct AtBreakpoint {
	explicit AtBreakpoint(std::initializer_list<std::string> arguments) : session(debugged(arguments))
	{
		address = session.run_to_symbol("stop_here");
		was = session.insert(address);
	}
	/** The breakpoint is gone; waves that stand at it go on by themselves. */
	void remove() const { session.write(address, was); }

	Session session;
	uint64_t address;
	uint32_t was;
};

/** All waves of the two workgroups: one of 64 lanes or two of 32 in each. */
std::vector<Wave> stopped_waves(Session &session)
{
	std::vector<Wave> stopped;

	do {
		const auto wave = session.next_stop();

		if (!wave)
			throw std::runtime_error("not all waves stop");
		stopped.push_back(*wave);
	} while (stopped.size() < workgroups * group / stopped[0].lanes());
	return stopped;
}

/** The first wave of the first workgroup; the others go on, and the breakpoint is gone. */
Wave first_wave(AtBreakpoint &at)
{
	std::optional<Wave> first;

	const std::vector<Wave> stopped = stopped_waves(at.session);

	at.remove();
	for (const Wave &wave : stopped)
		if (!wave.workgroup() && !wave.number())
			first = wave;
		else
			wave.resume();
	return first.value();
}

uint64_t pointer_argument(const Session &session, const Wave &wave, unsigned n)
{
	const uint64_t at = wave.arguments() + n * sizeof(uint64_t);

	return session.read(at) | uint64_t{session.read(at + 4)} << 32;
}

TEST(Debugger, SeesTheRuntimeAndTheGpu)
{
	Session session(debugged({"work"}));
	size_t count;
	amd_dbgapi_agent_id_t *agents;

	session.run_to_symbol("work");
	EXPECT_TRUE(session.runtime_loaded());
	ASSERT_EQ(amd_dbgapi_process_agent_list(session.process(), &count, &agents, nullptr), AMD_DBGAPI_STATUS_SUCCESS);
	ASSERT_EQ(count, 1U);
	EXPECT_EQ(info<amd_dbgapi_agent_state_t>(amd_dbgapi_agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_STATE),
		  AMD_DBGAPI_AGENT_STATE_SUPPORTED);
	free(agents);
	EXPECT_EQ(info<size_t>(amd_dbgapi_process_get_info, session.process(), AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT), 4U);
	EXPECT_EQ(session.finish(), 0);
}

TEST(Debugger, StopsWavesAtABreakpoint)
{
	AtBreakpoint at({"work"});
	std::set<uint32_t> seen;
	const std::vector<Wave> stopped = stopped_waves(at.session);

	for (const Wave &wave : stopped) {
		EXPECT_EQ(wave.reasons(), AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT);
		EXPECT_EQ(wave.pc(), at.address);
		EXPECT_EQ(wave.exec(), ~uint64_t{0} >> (64 - wave.lanes()));
		seen.insert(wave.workgroup());
	}
	EXPECT_EQ(seen, (std::set<uint32_t>{0, 1}));
	at.remove();
	for (const Wave &wave : stopped)
		wave.resume();
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, ReadsRegistersAndLds)
{
	AtBreakpoint at({"work"});
	const Wave wave = first_wave(at);
	const std::vector<uint32_t> lanes = wave.read("v40"), lds = wave.read_lds(0, group);

	EXPECT_EQ(wave.read("s40"), std::vector<uint32_t>{mark});
	ASSERT_EQ(lanes.size(), wave.lanes());
	for (unsigned n = 0; n < lanes.size(); n++)
		EXPECT_EQ(lanes[n], 100 + n);
	ASSERT_EQ(lds.size(), group);
	for (unsigned n = 0; n < group; n++)
		EXPECT_EQ(lds[n], 3 * n);
	wave.resume();
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, WritesARegister)
{
	AtBreakpoint at({"work", "5", "1000"});
	const Wave wave = first_wave(at);
	std::vector<uint32_t> lanes = wave.read("v40");

	lanes[5] = 1000;
	wave.write("v40", lanes);
	wave.resume();
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, Steps)
{
	AtBreakpoint at({"work"});
	const Wave wave = first_wave(at);
	uint64_t pc = at.address;

	for (unsigned bytes : {nop_bytes, add_bytes}) {
		pc += bytes;
		wave.step();
		const auto stopped = at.session.next_stop();

		ASSERT_TRUE(stopped);
		EXPECT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
		EXPECT_EQ(stopped->pc(), pc);
	}
	wave.resume();
	EXPECT_EQ(at.session.finish(), 0);
}

/* The instruction under a breakpoint that stays happens in another place. */
TEST(Debugger, StepsOverABreakpointThatStays)
{
	AtBreakpoint at({"work"});
	std::map<std::uint64_t, amd_dbgapi_displaced_stepping_id_t> stepping;
	unsigned steps = 0;

	while (const auto stopped = at.session.next_stop()) {
		const auto found = stepping.find(stopped->id().handle);

		if (found == stepping.end()) {
			ASSERT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT);
			ASSERT_EQ(amd_dbgapi_displaced_stepping_start(stopped->id(), &at.was, &stepping[stopped->id().handle]),
				  AMD_DBGAPI_STATUS_SUCCESS);
			stopped->step();
			continue;
		}
		ASSERT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
		ASSERT_EQ(amd_dbgapi_displaced_stepping_complete(stopped->id(), found->second), AMD_DBGAPI_STATUS_SUCCESS);
		EXPECT_EQ(stopped->pc(), at.address + nop_bytes);
		stopped->resume();
		steps++;
	}
	EXPECT_GE(steps, workgroups);
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, WatchesMemory)
{
	AtBreakpoint at({"work"});
	const Wave wave = first_wave(at);
	amd_dbgapi_watchpoint_id_t point;

	ASSERT_EQ(amd_dbgapi_set_watchpoint(at.session.process(), pointer_argument(at.session, wave, 0), 4,
					    AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW, &point),
		  AMD_DBGAPI_STATUS_SUCCESS);
	wave.resume();
	const auto stopped = at.session.next_stop();

	ASSERT_TRUE(stopped);
	EXPECT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT);
	const auto met = info<amd_dbgapi_watchpoint_list_t>(amd_dbgapi_wave_get_info, stopped->id(), AMD_DBGAPI_WAVE_INFO_WATCHPOINTS);

	ASSERT_EQ(met.count, 1U);
	EXPECT_EQ(met.watchpoint_ids[0].handle, point.handle);
	free(met.watchpoint_ids);
	EXPECT_EQ(amd_dbgapi_remove_watchpoint(point), AMD_DBGAPI_STATUS_SUCCESS);
	stopped->resume();
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, StopsAWaveThatSpins)
{
	Session session(debugged({"spin"}));

	session.run_to_symbol("spin");
	while (session.waves().empty() && !session.ended())
		session.next_stop(0.05);
	ASSERT_FALSE(session.ended());
	const Wave wave = session.waves().at(0);

	wave.stop();
	const auto stopped = session.next_stop();

	ASSERT_TRUE(stopped);
	EXPECT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	session.write(pointer_argument(session, *stopped, 0), 1);
	stopped->resume();
	EXPECT_EQ(session.finish(), 0);
}

/* Waves that start while no new ones are wanted do so halted, and go on when they are wanted again. */
TEST(Debugger, HoldsNewWavesBack)
{
	Session session(debugged({"work"}));

	session.run_to_symbol("work");
	ASSERT_EQ(amd_dbgapi_process_set_wave_creation(session.process(), AMD_DBGAPI_WAVE_CREATION_STOP), AMD_DBGAPI_STATUS_SUCCESS);
	EXPECT_FALSE(session.next_stop(1));
	EXPECT_FALSE(session.ended());
	ASSERT_EQ(amd_dbgapi_process_set_wave_creation(session.process(), AMD_DBGAPI_WAVE_CREATION_NORMAL), AMD_DBGAPI_STATUS_SUCCESS);
	EXPECT_EQ(session.finish(), 0);
}

/* Most of its workgroups wait for a place when the first ones stop. */
TEST(Debugger, LetsWorkgroupsThatWaitGoOn)
{
	AtBreakpoint at({"many"});
	unsigned stopped = 0;

	while (at.session.next_stop(stopped ? 1 : 30))
		stopped++;
	EXPECT_GT(stopped, 100U);
	at.remove();
	for (const Wave &wave : at.session.waves())
		wave.resume();
	EXPECT_EQ(at.session.finish(), 0);
}

TEST(Debugger, HearsOfATrap)
{
	Session session(debugged({"trap"}));
	unsigned stops = 0;

	while (const auto stopped = session.next_stop()) {
		EXPECT_EQ(stopped->reasons(), AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
		stopped->resume();
		stops++;
	}
	EXPECT_GE(stops, 1U);
	EXPECT_EQ(session.finish(), 0);
}

TEST(Debugger, LetsGoOfAProgramWithStoppedWaves)
{
	AtBreakpoint at({"work"});

	stopped_waves(at.session); /* with a stop that is not yet told of the library does not let go */
	at.remove();
	at.session.detach();
	EXPECT_EQ(at.session.finish(), 0);
}

} // namespace
