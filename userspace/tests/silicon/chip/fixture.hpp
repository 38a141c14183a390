// SPDX-License-Identifier: MIT
/* fixture.hpp - a chip that a driver has brought up, and a process; where most tests begin. */
#pragma once

#include <gtest/gtest.h>

#include "kernel.hpp"

namespace silicon_host {

/** The rows of hw/chips.def, by name. */
enum Rows : std::uint32_t {
#define CHIP(id, ...) id,
#include "hw/chips.def"
#undef CHIP
};

class ChipTest : public testing::Test {
protected:
	void SetUp() override
	{
		driver.start();
		driver.interrupts();
		ASSERT_EQ(chip.all_reports(), 0u);
	}

	HostedChip chip;
	Driver driver{chip};
	Process process{chip, driver, 0x8001};
};

} // namespace silicon_host
