// SPDX-License-Identifier: MIT
/* trap_test.cc - exceptions, traps, messages. */
#include <gtest/gtest.h>

#include "toy/toy_shader.h"
#include "silicon/sq/trap.h"

using namespace spi_test;

namespace {

constexpr u64 tma = 0x400000, second_tma = 0x123456780000;

Grid with_handler(Bench &bench, u64 code, u64 handler)
{
	Grid grid = bench.grid(code, 1, 64);

	grid.trap_enabled = true;
	grid.tba = 0x500000;
	grid.tma = tma;
	bench.memory.ref<u64>(8, tma) = handler;
	bench.memory.ref<u64>(8, tma + 8) = second_tma;
	bench.memory.ref<u64>(8, tma + 16) = 1;
	return grid;
}

} // namespace

TEST(Trap, TheUsersHandlerIsEnteredWithItsTtmps)
{
	Bench bench;
	u64 handler = load_program({{Do::Probe}, {Do::Rfe}});
	u64 code = load_program({{Do::Nop}, {Do::Trap, 7}, {Do::MemAdd, 0x9000, 1}, {Do::End}});

	probed.clear();
	ASSERT_EQ(bench.submit(with_handler(bench, code, handler)), Step::Done);
	bench.run();
	ASSERT_EQ(probed.size(), 1u);

	const u32 *ttmp = &probed[0].wave.sgpr[sgpr_ttmp0];

	EXPECT_EQ(join(ttmp[0], ttmp[1]), (code + 4) | u64{7} << 48);
	EXPECT_EQ(join(ttmp[2], ttmp[3]), handler);
	EXPECT_EQ(join(ttmp[14], ttmp[15]), second_tma);
	EXPECT_EQ(ttmp[11] >> 23, 1u);
	EXPECT_TRUE(probed[0].wave.privileged);
	EXPECT_EQ(ttmp[12] & 0x20, 0u); /* STATUS.PRIV was clear */
	EXPECT_EQ(bench.memory.ref<u64>(8, 0x9000), 1u);
	EXPECT_TRUE(bench.client.errors.empty());
	EXPECT_EQ(bench.client.done.size(), 1u);
}

TEST(Trap, ExceptionsSetTrapsts)
{
	for (auto [what, bit] : {std::pair{Do::Illegal, 11}, {Do::Violate, 8}}) {
		Bench bench;
		u64 handler = load_program({{Do::Probe}, {Do::End}});

		probed.clear();
		ASSERT_EQ(bench.submit(with_handler(bench, load_program({{what}}), handler)), Step::Done);
		bench.run();
		ASSERT_EQ(probed.size(), 1u);
		EXPECT_EQ(probed[0].wave.trapsts, 1u << bit);
		EXPECT_EQ(probed[0].wave.sgpr[sgpr_ttmp0 + 1] >> 16, 0u);
	}
}

TEST(Trap, AnArithmeticExceptionIsEnteredBehindItsInstructionAlsoLater)
{
	for (bool late : {false, true}) {
		Bench bench;
		u64 handler = load_program({{Do::Probe}, {Do::Rfe}});
		u64 code = load_program({{Do::Divide}, {Do::Nop}, {Do::MemAdd, 0x9000, 1}, {Do::End}});
		Grid grid = with_handler(bench, code, handler);

		if (late)
			bench.memory.missing.insert(tma);
		probed.clear();
		ASSERT_EQ(bench.submit(grid), Step::Done);
		bench.run();
		ASSERT_EQ(probed.size(), 1u);
		EXPECT_EQ(join(probed[0].wave.sgpr[sgpr_ttmp0], probed[0].wave.sgpr[sgpr_ttmp0 + 1]), code + 4);
		EXPECT_EQ(probed[0].wave.trapsts, 1u << 2);
		EXPECT_EQ(bench.memory.needs, late ? 1u : 0u);
		EXPECT_EQ(bench.memory.ref<u64>(8, 0x9000), 1u);
		EXPECT_EQ(bench.client.done.size(), 1u);
	}
}

TEST(Trap, WithoutAHandlerTheClientHears)
{
	struct Row {
		Do what;
		u64 a;
		WaveError error;
	};
	for (Row row : {Row{Do::Illegal, 0, WaveError::IllegalInstruction}, {Do::Violate, 0, WaveError::MemoryViolation},
			{Do::Trap, 2, WaveError::Trap}, {Do::Divide, 0, WaveError::Halted}, {Do::Halt, 0, WaveError::Halted}, {Do::MemAdd, 0x666000, WaveError::VmFault}}) {
		Bench bench;
		u64 code = load_program({{row.what, row.a}, {Do::End}});

		bench.memory.faulty.insert(0x666000);
		ASSERT_EQ(bench.submit(bench.grid(code, 1, 64)), Step::Done);
		bench.run();
		ASSERT_EQ(bench.client.errors.size(), 1u);
		EXPECT_EQ(bench.client.errors[0].error, row.error);
		EXPECT_EQ(bench.client.errors[0].pc, row.error == WaveError::Halted ? code + 4 : code);
		if (row.error == WaveError::VmFault) {
			EXPECT_EQ(bench.client.errors[0].va, 0x666000u);
		}
		EXPECT_TRUE(bench.client.done.empty());
		EXPECT_TRUE(bench.shaders->queue_busy(1, 0, 0));
		bench.shaders->kill(1, 0, 0);
		EXPECT_TRUE(bench.shaders->idle());
	}
}

TEST(Trap, AHandlerMayHaltTheWave)
{
	Bench bench;
	u64 handler = load_program({{Do::SAdd, sgpr_ttmp0 + 12, status::halt}, {Do::Message, 1}, {Do::Rfe}});
	u64 code = load_program({{Do::Trap, 3}, {Do::MemAdd, 0x9000, 1}, {Do::End}});

	ASSERT_EQ(bench.submit(with_handler(bench, code, handler)), Step::Done);
	bench.run();
	ASSERT_EQ(bench.client.errors.size(), 1u);
	EXPECT_EQ(bench.client.errors[0].error, WaveError::Halted);
	EXPECT_EQ(bench.client.errors[0].pc, code + 4);
	EXPECT_EQ(bench.client.interrupts.size(), 1u);
	EXPECT_EQ(bench.memory.ref<u64>(8, 0x9000), 0u);
	EXPECT_TRUE(bench.shaders->queue_busy(1, 0, 0));
}

TEST(Trap, AFaultInTheHandlerIsNotHandledAgain)
{
	Bench bench;
	u64 handler = load_program({{Do::Illegal}});

	ASSERT_EQ(bench.submit(with_handler(bench, load_program({{Do::Trap, 1}}), handler)), Step::Done);
	bench.run();
	ASSERT_EQ(bench.client.errors.size(), 1u);
	EXPECT_EQ(bench.client.errors[0].pc, handler);
}

TEST(Trap, ATmaPageThatIsMissingIsWaitedFor)
{
	Bench bench;
	Grid grid = with_handler(bench, load_program({{Do::Trap, 1}, {Do::End}}), load_program({{Do::Rfe}}));

	bench.memory.missing.insert(tma);
	ASSERT_EQ(bench.submit(grid), Step::Done);
	bench.run();
	EXPECT_EQ(bench.memory.needs, 1u);
	EXPECT_EQ(bench.client.done.size(), 1u);
}

TEST(Message, InterruptAndDoorbell)
{
	Bench bench;
	Grid grid = bench.grid(load_program({{Do::SAdd, sgpr_m0, 0x5abcdef}, {Do::Message, 1}, {Do::Message, 10}, {Do::Probe},
					     {Do::End}}),
			       1, 64);

	grid.cu_mask[0] = grid.cu_mask[1] = 0;
	grid.cu_mask[2] = 8;
	probed.clear();
	ASSERT_EQ(bench.submit(grid), Step::Done);
	bench.run();
	ASSERT_EQ(bench.client.interrupts.size(), 1u);
	EXPECT_EQ(bench.client.interrupts[0].data, 0xabcdefu);
	EXPECT_EQ(bench.client.interrupts[0].se, 2u);
	EXPECT_EQ(bench.client.interrupts[0].cu, 3u);
	EXPECT_EQ(probed[0].wave.sgpr[sgpr_exec], 0x123u);
}
