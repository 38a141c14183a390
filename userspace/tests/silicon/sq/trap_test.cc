// SPDX-License-Identifier: MIT
/* trap_test.cc - exceptions, traps, messages. */
#include <gtest/gtest.h>

#include "toy/toy_shader.h"
#include "silicon/sq/trap.h"

using namespace toy_shader;

namespace {

constexpr u64 tma = 0x400000, second_tma = 0x123456780000;

Grid with_handler(ToyShader &toy, u64 code, u64 handler)
{
	Grid grid = toy.grid(code, 1, 64);

	grid.trap_enabled = true;
	grid.tba = 0x500000;
	grid.tma = tma;
	toy.memory.ref<u64>(8, tma) = handler;
	toy.memory.ref<u64>(8, tma + 8) = second_tma;
	toy.memory.ref<u64>(8, tma + 16) = 1;
	return grid;
}

} // namespace

TEST(Trap, TheUsersHandlerIsEnteredWithItsTtmps)
{
	ToyShader toy;
	u64 handler = load_program({{Do::Probe}, {Do::Rfe}});
	u64 code = load_program({{Do::Nop}, {Do::Trap, 7}, {Do::MemAdd, 0x9000, 1}, {Do::End}});

	probed.clear();
	ASSERT_EQ(toy.submit(with_handler(toy, code, handler)), Step::Done);
	toy.run();
	ASSERT_EQ(probed.size(), 1u);

	const u32 *ttmp = &probed[0].wave.sgpr[sgpr_ttmp0];

	EXPECT_EQ(join(ttmp[0], ttmp[1]), (code + 4) | u64{7} << 48);
	EXPECT_EQ(join(ttmp[2], ttmp[3]), handler);
	EXPECT_EQ(join(ttmp[14], ttmp[15]), second_tma);
	EXPECT_EQ(ttmp[11] >> 23, 1u);
	EXPECT_TRUE(probed[0].wave.privileged);
	EXPECT_EQ(ttmp[12] & 0x20, 0u); /* STATUS.PRIV was clear */
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 1u);
	EXPECT_TRUE(toy.client.errors.empty());
	EXPECT_EQ(toy.client.done.size(), 1u);
}

TEST(Trap, ExceptionsSetTrapsts)
{
	for (auto [what, bit] : {std::pair{Do::Illegal, 11}, {Do::Violate, 8}}) {
		ToyShader toy;
		u64 handler = load_program({{Do::Probe}, {Do::End}});

		probed.clear();
		ASSERT_EQ(toy.submit(with_handler(toy, load_program({{what}}), handler)), Step::Done);
		toy.run();
		ASSERT_EQ(probed.size(), 1u);
		EXPECT_EQ(probed[0].wave.trapsts, 1u << bit);
		EXPECT_EQ(probed[0].wave.sgpr[sgpr_ttmp0 + 1] >> 16, 0u);
	}
}

TEST(Trap, AnArithmeticExceptionIsEnteredBehindItsInstructionAlsoLater)
{
	for (bool late : {false, true}) {
		ToyShader toy;
		u64 handler = load_program({{Do::Probe}, {Do::Rfe}});
		u64 code = load_program({{Do::Divide}, {Do::Nop}, {Do::MemAdd, 0x9000, 1}, {Do::End}});
		Grid grid = with_handler(toy, code, handler);

		if (late)
			toy.memory.missing.insert(tma);
		probed.clear();
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run();
		ASSERT_EQ(probed.size(), 1u);
		EXPECT_EQ(join(probed[0].wave.sgpr[sgpr_ttmp0], probed[0].wave.sgpr[sgpr_ttmp0 + 1]), code + 4);
		EXPECT_EQ(probed[0].wave.trapsts, 1u << 2);
		EXPECT_EQ(toy.memory.needs, late ? 1u : 0u);
		EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 1u);
		EXPECT_EQ(toy.client.done.size(), 1u);
	}
}

TEST(Trap, WithoutAHandlerTheClientHears)
{
	struct Row {
		Do what;
		u64 a;
		WaveError error;
	};
	for (Row row : {Row{Do::Illegal, 0, WaveError::IllegalInstruction},
			{Do::Violate, 0, WaveError::MemoryViolation},
			{Do::Trap, 2, WaveError::Trap},
			{Do::Divide, 0, WaveError::Halted},
			{Do::Halt, 0, WaveError::Halted},
			{Do::MemAdd, 0x666000, WaveError::VmFault}}) {
		ToyShader toy;
		u64 code = load_program({{row.what, row.a}, {Do::End}});

		toy.memory.faulty.insert(0x666000);
		ASSERT_EQ(toy.submit(toy.grid(code, 1, 64)), Step::Done);
		toy.run();
		ASSERT_EQ(toy.client.errors.size(), 1u);
		EXPECT_EQ(toy.client.errors[0].error, row.error);
		EXPECT_EQ(toy.client.errors[0].pc, row.error == WaveError::Halted ? code + 4 : code);
		if (row.error == WaveError::VmFault) {
			EXPECT_EQ(toy.client.errors[0].va, 0x666000u);
		}
		EXPECT_TRUE(toy.client.done.empty());
		EXPECT_TRUE(toy.shaders->queue_busy(1, 0, 0));
		toy.shaders->kill(1, 0, 0);
		EXPECT_TRUE(toy.shaders->idle());
	}
}

TEST(Trap, AVmFaultEntersTheHandlerOfADebuggedProcess)
{
	for (bool debugged : {true, false}) {
		ToyShader toy;
		u64 code = load_program({{Do::MemAdd, 0x666000}, {Do::End}});
		Grid grid = with_handler(toy, code, load_program({{Do::Probe}, {Do::End}}));

		toy.memory.ref<u64>(8, tma + 16) = debugged;
		toy.memory.faulty.insert(0x666000);
		probed.clear();
		ASSERT_EQ(toy.submit(grid), Step::Done);
		toy.run();
		ASSERT_EQ(toy.client.errors.size(), 1u);
		EXPECT_EQ(toy.client.errors[0].error, debugged ? WaveError::TrappedVmFault : WaveError::VmFault);
		EXPECT_EQ(toy.client.errors[0].pc, code);
		EXPECT_EQ(toy.client.errors[0].va, 0x666000u);
		ASSERT_EQ(probed.size(), debugged ? 1u : 0u);
		if (debugged) {
			EXPECT_EQ(probed[0].wave.trapsts, trapsts_mem_viol);
			EXPECT_EQ(join(probed[0].wave.sgpr[sgpr_ttmp0], probed[0].wave.sgpr[sgpr_ttmp0 + 1]), code);
		}
		EXPECT_EQ(toy.client.done.size(), debugged ? 1u : 0u);
	}
}

TEST(Trap, AHandlerMayHaltTheWave)
{
	ToyShader toy;
	u64 handler = load_program({{Do::SAdd, sgpr_ttmp0 + 12, status::halt}, {Do::Message, 1}, {Do::Rfe}});
	u64 code = load_program({{Do::Trap, 3}, {Do::MemAdd, 0x9000, 1}, {Do::End}});

	ASSERT_EQ(toy.submit(with_handler(toy, code, handler)), Step::Done);
	toy.run();
	ASSERT_EQ(toy.client.errors.size(), 1u);
	EXPECT_EQ(toy.client.errors[0].error, WaveError::Halted);
	EXPECT_EQ(toy.client.errors[0].pc, code + 4);
	EXPECT_EQ(toy.client.interrupts.size(), 1u);
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 0u);
	EXPECT_TRUE(toy.shaders->queue_busy(1, 0, 0));
}

TEST(Trap, AFaultInTheHandlerIsNotHandledAgain)
{
	ToyShader toy;
	u64 handler = load_program({{Do::Illegal}});

	ASSERT_EQ(toy.submit(with_handler(toy, load_program({{Do::Trap, 1}}), handler)), Step::Done);
	toy.run();
	ASSERT_EQ(toy.client.errors.size(), 1u);
	EXPECT_EQ(toy.client.errors[0].pc, handler);
}

TEST(Trap, ATmaPageThatIsMissingIsWaitedFor)
{
	ToyShader toy;
	Grid grid = with_handler(toy, load_program({{Do::Trap, 1}, {Do::End}}), load_program({{Do::Rfe}}));

	toy.memory.missing.insert(tma);
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	EXPECT_EQ(toy.memory.needs, 1u);
	EXPECT_EQ(toy.client.done.size(), 1u);
}

TEST(Message, InterruptAndDoorbell)
{
	ToyShader toy;
	Grid grid = toy.grid(load_program({{Do::SAdd, sgpr_m0, 0x5abcdef}, {Do::Message, 1}, {Do::Message, 10}, {Do::Probe}, {Do::End}}), 1,
			     64);

	grid.cu_mask[0] = grid.cu_mask[1] = 0;
	grid.cu_mask[2] = 8;
	probed.clear();
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	ASSERT_EQ(toy.client.interrupts.size(), 1u);
	EXPECT_EQ(toy.client.interrupts[0].data, 0xabcdefu);
	EXPECT_EQ(toy.client.interrupts[0].se, 2u);
	EXPECT_EQ(toy.client.interrupts[0].cu, 3u);
	EXPECT_EQ(probed[0].wave.sgpr[sgpr_exec], 0x123u);
}
