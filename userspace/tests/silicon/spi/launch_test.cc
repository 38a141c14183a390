// SPDX-License-Identifier: MIT
/* launch_test.cc - what waves find when they start. */
#include <gtest/gtest.h>

#include "toy/toy_shader.h"
#include "silicon/sq/trap.h"

using namespace toy_shader;

namespace {

const u64 probe = load_program({{Do::Probe}, {Do::End}});

std::vector<Probed> launch(ToyShader &toy, const Grid &grid)
{
	probed.clear();
	EXPECT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	return probed;
}

} // namespace

TEST(Launch, PartialWorkgroupsCoverTheGridOnce)
{
	ToyShader toy;
	Grid grid = toy.grid(probe, 1, 1);
	std::set<std::tuple<u32, u32, u32>> seen;

	grid.workgroup[0] = 10;
	grid.workgroup[1] = 6;
	grid.workgroup[2] = 3;
	grid.items[0] = 23;
	grid.items[1] = 12;
	grid.items[2] = 7;
	grid.rsrc2 = 2 << 11 | 7 << 7;
	for (const Probed &p : launch(toy, grid))
		for (unsigned lane = 0; lane < lanes; lane++)
			if (p.wave.exec() >> lane & 1) {
				EXPECT_TRUE(seen.insert({p.wave.sgpr[0] * 10 + p.vgprs[lane], p.wave.sgpr[1] * 6 + p.vgprs[64 + lane],
							 p.wave.sgpr[2] * 3 + p.vgprs[128 + lane]})
						    .second);
			}
	EXPECT_EQ(seen.size(), 23u * 12 * 7);
	for (auto [x, y, z] : seen)
		EXPECT_TRUE(x < 23 && y < 12 && z < 7);
}

TEST(Launch, SgprsComeInOrder)
{
	ToyShader toy;
	Grid grid = toy.grid(probe, 3, 100);

	for (u32 i = 0; i < 16; i++)
		grid.user_sgpr[i] = 0x100 + i;
	grid.start[0] = 40;
	grid.start[1] = 50;
	grid.start[2] = 60;
	grid.rsrc2 = 6 << 1 | 1 << 7 | 1 << 9 | 1 << 10 | 1;
	grid.tmpring_size = 128 | 3 << 12;
	grid.scratch_base = 0x7000000000;
	auto waves = launch(toy, grid);

	ASSERT_EQ(waves.size(), 6u);
	std::set<u32> offsets;

	for (const Probed &p : waves) {
		const u32 *s = p.wave.sgpr;

		for (u32 i = 0; i < 6; i++)
			EXPECT_EQ(s[i], 0x100 + i);
		EXPECT_TRUE(s[6] >= 40 && s[6] < 43);
		EXPECT_EQ(s[7], 60u);
		EXPECT_EQ(s[8], 2 | u32{p.wave.wave_in_group == 0} << 31);
		EXPECT_EQ(s[9] % 3072, 0u);
		EXPECT_EQ(join(s[102], s[103]), 0x7000000000 + s[9]);
		EXPECT_EQ(s[10], 0u);
		EXPECT_EQ(p.wave.exec(), p.wave.wave_in_group ? (u64{1} << 36) - 1 : ~u64{0});
		offsets.insert(s[9] / 3072);
	}
	EXPECT_EQ(offsets.size(), 6u);
}

TEST(Launch, StateRegisters)
{
	ToyShader toy;
	Grid grid = toy.grid(probe, 4, 64, 2, 5);

	grid.rsrc1 |= 0xc0 << 12 | 1 << 21 | 1 << 23;
	grid.rsrc2 = 0x7f << 24 | 3 << 13;
	grid.lds_bytes = 1000;
	grid.tba = 0x1000;
	grid.tma = 0x2000;
	grid.trap_enabled = true;
	grid.sh_mem_bases = 0x00010002;
	auto waves = launch(toy, grid);

	ASSERT_EQ(waves.size(), 4u);
	for (unsigned i = 0; i < 4; i++) {
		const Wave &w = waves[i].wave;

		EXPECT_EQ(w.pc, probe + 4);
		EXPECT_EQ(w.mode, 0xc0u | 0x300 | 0x1ff000);
		EXPECT_EQ(bits(w.hw_id, 14, 13), i);  /* SE_ID */
		EXPECT_EQ(bits(w.hw_id, 7, 6), 2u);   /* PIPE_ID */
		EXPECT_EQ(bits(w.hw_id, 26, 24), 5u); /* QUEUE_ID */
		EXPECT_EQ(bits(w.hw_id, 31, 30), 1u); /* ME_ID */
		EXPECT_EQ(bits(w.hw_id, 23, 20), 8u); /* VM_ID */
		EXPECT_EQ(w.lds_bytes, 1024u);
		EXPECT_EQ(bits(w.lds_alloc, 20, 12), 4u); /* in 64 dwords */
		EXPECT_EQ(bits(w.gpr_alloc, 13, 8), 1u);
		EXPECT_EQ(bits(w.gpr_alloc, 27, 24), 2u); /* 32 and the trap handler's 16 */
		EXPECT_EQ(w.vgprs, 8u);
		EXPECT_EQ(w.sgprs, 32u);
		EXPECT_EQ(w.tma, 0x2000u);
		EXPECT_EQ(w.sh_mem_bases, 0x00010002u);
		EXPECT_EQ(w.vcc(), 0u);
		EXPECT_EQ(w.sgpr[sgpr_m0], 0u);
	}
}

/* SPI_GDBG_PER_VMID_CNTL: those that start from then on; other VMIDs' not at all. */
TEST(Launch, ADebuggersWavesStartHaltedAndTrapAtMore)
{
	ToyShader toy;
	Grid grid = toy.grid(probe, 1, 128);

	grid.rsrc2 = 1 << 24; /* EXCP_EN: invalid */
	toy.shaders->set_debug(grid.vmid, gdbg::mode_field(gdbg::launch_halted));
	EXPECT_TRUE(launch(toy, grid).empty());
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 2u);
	EXPECT_TRUE(toy.client.errors.empty());
	grid.vmid = 9;
	grid.pipe = 1;
	EXPECT_EQ(launch(toy, grid).size(), 2u);
	toy.shaders->set_debug(8, gdbg::mode_field(gdbg::launch_stepping) | gdbg::excp_field(4, false));
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 2u); /* too late for them */
	toy.shaders->kill(1, 0, 0);
	grid.vmid = 8;
	auto waves = launch(toy, grid);
	ASSERT_EQ(waves.size(), 2u);
	EXPECT_EQ(waves[0].wave.mode >> 11 & 0x3ff, 1u | 5 << 1); /* DEBUG_EN, EXCP_EN */
	toy.shaders->set_debug(8, gdbg::excp_field(0x180, true));
	EXPECT_EQ(launch(toy, grid)[0].wave.mode >> 11 & 0x3ff, 0x180u << 1);
}

/* Halted waves are saved as such, and come back so until somebody changes the area. */
TEST(Launch, HaltedWavesCanBeSaved)
{
	ToyShader toy;
	Grid grid = toy.grid(probe, 1, 64);
	SaveArea area = {.base = 0x10000, .control_stack_size = 0x1000, .control_stack_offset = 0, .state_offset = 0, .size = 0x40000};

	toy.shaders->set_debug(grid.vmid, gdbg::mode_field(gdbg::launch_halted));
	EXPECT_TRUE(launch(toy, grid).empty());
	ASSERT_EQ(toy.shaders->save(1, 0, 0, &area), Step::Done);
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 0u);
	toy.shaders->set_debug(grid.vmid, 0);
	ASSERT_EQ(toy.shaders->restore(1, 0, 0, grid.vmid, area), Step::Done);
	toy.run();
	EXPECT_TRUE(probed.empty());
	ASSERT_EQ(toy.shaders->save(1, 0, 0, &area), Step::Done);
	u32 found = 0;
	for (u64 at = area.base + area.control_stack_size; at + 4 < area.base + area.state_offset; at += 4) {
		u32 *word = &toy.memory.ref<u32>(grid.vmid, at);

		if (*word == static_cast<u32>(probe) && word[1] == static_cast<u32>(probe >> 32) && word[4] & status::halt && ++found)
			word[4] &= ~status::halt;
	}
	EXPECT_EQ(found, 1u);
	ASSERT_EQ(toy.shaders->restore(1, 0, 0, grid.vmid, area), Step::Done);
	toy.run();
	EXPECT_EQ(probed.size(), 1u);
	EXPECT_EQ(toy.client.done.size(), 1u);
}

TEST(Launch, ScratchSlotsLimitAndReturn)
{
	/* 8 slots for 4 engines: two waves an engine at a time, though 40 would fit. */
	ToyShader toy({4, 1});
	Grid grid = toy.grid(load_program({{Do::Probe}, {Do::Sleep, 5000}, {Do::End}}), 40, 64);

	grid.rsrc2 = 1;
	grid.tmpring_size = 8 | 1 << 12;
	probed.clear();
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run(1000);
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 8u);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_EQ(toy.client.done[1] / 5000, 5u);
	for (const Probed &p : probed) {
		EXPECT_LT(p.wave.sgpr[0], 8u * 1024);
		EXPECT_EQ(p.wave.sgpr[0] / 2048, bits(p.wave.hw_id, 14, 13)); /* an engine's share is its own */
	}
}
