// SPDX-License-Identifier: MIT
/* debug_test.cc - a debugger's registers and packets: which process, how its waves start, which memory they watch. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

constexpr std::uint32_t launch_halted = 1, valid = 1u << 31, of_all_kinds = 3u << 29;

class DebugBed {
protected:
	explicit DebugBed(std::uint32_t row) : chip({.chip = row})
	{
		driver.start();
		driver.interrupts();
	}
	Signal launch(UserQueue &queue, Process &of)
	{
		Signal done = make_signal(of, 1);

		out = of.alloc(4096);
		queue.push(aql_kernel(make_kernel(of, index_kernel).va, make_kernarg(of, out.va).va, {64, 1, 1}, {64, 1, 1}, done.va()));
		queue.ring();
		chip.run();
		return done;
	}
	void map(const std::vector<UserQueue *> &queues)
	{
		driver.unmap();
		chip.run();
		driver.run_list(queues);
		chip.run();
	}
	std::uint32_t waves() { return static_cast<std::uint32_t>(chip.counter(SILICON_COUNT_WAVES)); }

	HostedChip chip;
	Driver driver{chip};
	Process process{chip, driver, 0x8001}, other{chip, driver, 0x8002};
	Process::Buffer out;
};

class DebugOneVmid : protected DebugBed, public testing::Test {
protected:
	DebugOneVmid() : DebugBed(RADEON_VII) {}
	void debug()
	{
		driver.set_resources(0x7f00);
		process.debug_vmid = 15;
	}
};

/* Vega: the VMID for debugging is the process's, and no other's. */
TEST_F(DebugOneVmid, ItIsGivenToTheProcessThatAsks)
{
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800);

	debug();
	driver.run_list({&b, &a});
	chip.run();
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 15), 0x8001u);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0x8002u);
	process.debug_vmid = 0;
	driver.set_resources();
	map({&b, &a});
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 9), 0x8001u);
	EXPECT_EQ(launch(a, process).value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(DebugOneVmid, ItsWavesStartHalted)
{
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800);

	debug();
	driver.run_list({&a, &b});
	chip.run();
	chip.wreg(mmSPI_GDBG_WAVE_CNTL2, 1u << 15 | launch_halted << 16);
	const Signal halted = launch(a, process);
	EXPECT_EQ(halted.value(), 1);
	EXPECT_EQ(waves(), 1u);
	EXPECT_EQ(launch(b, other).value(), 0);
	chip.wreg(mmSPI_GDBG_WAVE_CNTL2, 0);
	chip.run();
	EXPECT_EQ(halted.value(), 1); /* it is halted for good */
	map({&a, &b});
	EXPECT_EQ(halted.value(), 1); /* and comes back so */
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* What the register says is added to what each kernel asks for, whosever it is; replaced, if it says so. */
TEST_F(DebugOneVmid, ExceptionsAreOfAll)
{
	UserQueue b(chip, driver, other, 0x800);

	chip.wreg(mmSPI_GDBG_TRAP_MASK, 0x80);
	driver.run_list({&b});
	EXPECT_EQ(launch(b, other).value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/** Chips whose MAP_PROCESS has a debugger's registers. */
class DebugEachVmid : protected DebugBed, public testing::TestWithParam<std::uint32_t> {
protected:
	DebugEachVmid() : DebugBed(GetParam()) {}
};

TEST_P(DebugEachVmid, WavesOfOneProcessStartHalted)
{
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800);

	process.debug_cntl = launch_halted << 1;
	driver.run_list({&a, &b});
	EXPECT_EQ(launch(a, process).value(), 1);
	EXPECT_EQ(launch(b, other).value(), 0);
	EXPECT_EQ(waves(), 2u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* The next owner of a VMID is not debugged. */
TEST_P(DebugEachVmid, ItEndsWithTheMapping)
{
	UserQueue a(chip, driver, process, 0x400), b(chip, driver, other, 0x800);

	process.debug_cntl = launch_halted << 1;
	process.watch_cntl[2] = valid | of_all_kinds;
	driver.run_list({&a});
	chip.run();
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0x8001u);
	map({&b});
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + 8), 0x8002u);
	EXPECT_EQ(launch(b, other).value(), 0);
	process.debug_cntl = process.watch_cntl[2] = 0;
	map({&a});
	EXPECT_EQ(launch(a, process).value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Chips, DebugEachVmid, testing::Values(ALDEBARAN, MI300X),
			 [](const auto &chip) { return chip.param == ALDEBARAN ? "aldebaran" : "mi300x"; });

} // namespace
