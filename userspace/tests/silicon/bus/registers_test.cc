// SPDX-License-Identifier: MIT
/* registers_test.cc - reset values, masks, banks, and what a strange access comes to. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

TEST(Registers, EveryRowResetsAndHoldsItsWritableBits)
{
	struct Row {
		const char *name;
		std::uint32_t reg, reset, writable;
	};
	const Row rows[] = {
#define REG(name, offset, count, stride, reset, writable, bank) {#name, offset, reset, writable},
#include "hw/soc15_regs.def"
#undef REG
	};
	for (const Row &row : rows) {
		HostedChip chip;
		const std::string name = row.name;
		if (name == "RCC_CONFIG_MEMSIZE" || name == "ATC_VMID_PASID_MAPPING_UPDATE_STATUS")
			continue;
		EXPECT_EQ(chip.rreg(row.reg), row.reset) << name;
		if (name.rfind("IH_RB_CNTL", 0) == 0)
			continue;
		chip.wreg(row.reg, row.writable);
		EXPECT_EQ(chip.rreg(row.reg), row.writable) << name;
		EXPECT_EQ(chip.all_reports(), 0u) << name;
	}
}

TEST(Registers, BanksAreSelected)
{
	HostedChip chip;

	for (unsigned me = 1; me <= 2; me++)
		for (unsigned pipe = 0; pipe < 4; pipe++)
			for (unsigned queue = 0; queue < 8; queue++) {
				chip.select(me, pipe, queue, 0);
				chip.wreg(mmCP_HQD_PQ_BASE, me * 100 + pipe * 10 + queue);
			}
	for (unsigned vmid = 0; vmid < 16; vmid++) {
		chip.select(0, 0, 0, vmid);
		chip.wreg(mmSH_MEM_BASES, 0x1000 + vmid);
	}
	chip.select(2, 3, 7, 0);
	EXPECT_EQ(chip.rreg(mmCP_HQD_PQ_BASE), 237u);
	chip.select(1, 0, 1, 0);
	EXPECT_EQ(chip.rreg(mmCP_HQD_PQ_BASE), 101u);
	chip.select(0, 0, 0, 9);
	EXPECT_EQ(chip.rreg(mmSH_MEM_BASES), 0x1009u);
	EXPECT_EQ(chip.all_reports(), 0u);
	chip.rreg(mmCP_HQD_PQ_BASE); /* the graphics ME has no HQD */
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_REGISTER), 1u);
}

TEST(Registers, StrangeAccessesAreReported)
{
	HostedChip chip;

	EXPECT_EQ(chip.rreg(0x1ffff), 0u);
	chip.wreg(0xffffffff, 1);
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_REGISTER), 2u);
	chip.wreg(mmGRBM_GFX_CNTL, 0x80000000);
	EXPECT_EQ(chip.reports(SILICON_REPORT_RESERVED_BITS), 1u);
	EXPECT_EQ(chip.rreg(mmGRBM_GFX_CNTL), 0u);
}

TEST(Registers, ShapeAndClock)
{
	HostedChip chip;

	EXPECT_EQ(chip.rreg(mmGB_ADDR_CONFIG), 0x22014042u);
	EXPECT_EQ(chip.rreg(mmRCC_CONFIG_MEMSIZE), 256u);
	EXPECT_EQ(chip.rreg(mmCC_GC_SHADER_ARRAY_CONFIG) >> 16, 0xfffcu);
	chip.wreg(mmRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
	const std::uint32_t first = chip.rreg(mmRLC_GPU_CLOCK_COUNT_LSB);
	chip.pass_wall_time(1000000);
	EXPECT_EQ(chip.rreg(mmRLC_GPU_CLOCK_COUNT_LSB), first); /* captured */
	chip.wreg(mmRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
	EXPECT_NEAR(chip.rreg(mmRLC_GPU_CLOCK_COUNT_LSB) - first, 25000, 10); /* 25 MHz */
}

/* hw/dies.def has what amdgpu_asic_get_xclk() says of each; signals' time stamps and s_memrealtime count the same. */
TEST(Registers, TheReferenceClockIsTheChips)
{
	struct Row {
		std::uint32_t chip, khz;
	};

	for (const Row &row : {Row{RADEON_VII, 25000}, Row{NAVI21, 100000}, Row{MI300X, 100000}}) {
		HostedChip chip({.chip = row.chip});

		chip.wreg(mmRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
		const std::uint32_t first = chip.rreg(mmRLC_GPU_CLOCK_COUNT_LSB);
		chip.pass_wall_time(1000000);
		chip.wreg(mmRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
		EXPECT_NEAR(chip.rreg(mmRLC_GPU_CLOCK_COUNT_LSB) - first, row.khz, 10) << row.chip;
	}
}

TEST(Registers, ImpossibleChips)
{
	silicon_config config = {};

	EXPECT_EQ(silicon_size(&config), 0u);
	config.vram_bytes = 1 << 20;
	config.doorbell_bytes = 4096;
	config.cu_bitmap[0][0][0] = 1;
	EXPECT_GT(silicon_size(&config), 0u);
	config.cu_bitmap[0][0][0] = 1 << 16;
	EXPECT_EQ(silicon_size(&config), 0u);
	config.cu_bitmap[0][0][0] = 1;
	config.cu_bitmap[0][7][0] = 1;
	EXPECT_EQ(silicon_size(&config), 0u);
	config.chip = 1000;
	EXPECT_EQ(silicon_size(&config), 0u);
}

} // namespace
