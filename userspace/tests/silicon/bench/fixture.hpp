// SPDX-License-Identifier: MIT
/* fixture.hpp - a chip that a driver has brought up, and a process; where most tests begin. */
#pragma once

#include <gtest/gtest.h>

#include "kernel.hpp"

namespace bench {

class ChipTest : public testing::Test {
protected:
	void SetUp() override
	{
		driver.start();
		driver.interrupts();
		ASSERT_EQ(chip.all_reports(), 0u);
	}

	ChipBench chip;
	Driver driver{chip};
	Process process{chip, driver, 0x8001};
};

inline std::uint32_t lo32(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
inline std::uint32_t hi32(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

} // namespace bench
