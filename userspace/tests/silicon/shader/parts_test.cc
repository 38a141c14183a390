// SPDX-License-Identifier: MIT
/* parts_test.cc - parts of the shader core by themselves, without those above them. */
#include <gtest/gtest.h>

#include "toy/toy_shader.h"

using namespace toy_shader;

namespace {

Grid grid_of(u64 code, unsigned pipe = 0, unsigned queue = 0)
{
	Grid grid = {};

	grid.vmid = 8;
	grid.me = 1;
	grid.pipe = static_cast<u8>(pipe);
	grid.queue = static_cast<u8>(queue);
	for (u16 &size : grid.workgroup)
		size = 1;
	for (u32 &items : grid.items)
		items = 1;
	grid.workgroup[0] = 64;
	grid.items[0] = 4 * 64;
	grid.code = code;
	grid.rsrc1 = rsrc1_vgprs(8) | rsrc1_sgprs(32);
	for (u32 &mask : grid.cu_mask)
		mask = ~u32{0};
	return grid;
}

/** One engine of one CU, its sequencer, the grid table; waves are added by hand. */
class Lower : public WaveOwner {
public:
	Lower()
	{
		silicon_config config = {};
		ShaderLimits limits;

		config.cu_bitmap[0][0][0] = 1;
		limits.shader_engines = 1;

		const u64 cu_bytes = CuArray::memory_size(config, limits.cu), sq_bytes = Sq::memory_size(1);

		block_ = static_cast<u8 *>(std::aligned_alloc(64, (cu_bytes + sq_bytes + 63) & ~u64{63}));
		__builtin_memset(block_, 0, cu_bytes + sq_bytes);
		tlb_.flush_all();
		tlb_.connect(&memory_);
		grids->init(&client);
		cus.init(config, limits, block_);
		const Sq::Wires wires = {
			.cus = &cus,
			.grids = grids.get(),
			.requests = &requests,
			.caches = nullptr,
			.tlb = &tlb_,
			.client = &client,
			.owner = this,
		};
		sq->init(wires, block_ + cu_bytes);
	}
	~Lower() { std::free(block_); }

	/** A workgroup of the grid on the CU; its waves are ready. */
	Placement add_workgroup(s32 grid, u8 waves)
	{
		Placement placement;

		EXPECT_TRUE(cus[0].place({waves, 2, 2, 0}, 8, &placement));
		cus[0].workgroup(placement.workgroup).grid = static_cast<s16>(grid);
		for (unsigned i = 0; i < placement.waves; i++) {
			WaveStart start = {};

			start.size[0] = 64;
			start.size[1] = start.size[2] = 1;
			start.wave_in_group = static_cast<u8>(i);
			start.waves = placement.waves;
			start_wave(cus[0], placement.wave[i], (*grids)[grid].grid, start);
			cus[0].slot(placement.wave[i]).state = WaveState::Ready;
			cus[0].set_runnable(placement.wave[i], true);
		}
		sq->reschedule_all(cus[0]);
		return placement;
	}

	void run()
	{
		sq->begin(0);
		while (sq->next_turn() != Sq::never)
			ASSERT_TRUE(sq->step());
		sq->end();
	}

	void wave_ended(ComputeUnit &cu, unsigned wave, u64 cycle) override
	{
		ended.push_back(cycle);
		sq->forget(cu, wave);
		cu.release_wave(wave);
		sq->reschedule(cu, ComputeUnit::simd_of(wave));
	}

	Client client;
	Requests requests = {};
	CuArray cus;
	std::unique_ptr<GridTable> grids = std::make_unique<GridTable>();
	std::unique_ptr<Sq> sq = std::make_unique<Sq>();
	std::vector<u64> ended;

private:
	u8 *block_;
	ToyMemory memory_;
	Tlb tlb_;
};

} // namespace

TEST(Parts, GridTableCountsByState)
{
	Client client;
	auto grids = std::make_unique<GridTable>();

	grids->init(&client);
	const unsigned queue = queue_index(1, 2, 3), pipe = pipe_of(queue);
	const s32 first = grids->add(grid_of(0, 2, 3), queue, GridState::Waiting);
	const s32 second = grids->add(grid_of(0, 2, 3), queue, GridState::Waiting);

	EXPECT_EQ(grids->waiting(pipe), 2u);
	EXPECT_EQ(grids->of_queue(queue), 2u);
	EXPECT_EQ(grids->oldest_waiting(queue, 0), first);
	EXPECT_EQ(grids->oldest_waiting(queue, (*grids)[first].order + 1), second);
	EXPECT_EQ(grids->vmid_of(queue), 8u);
	grids->set_state(first, GridState::Dealing);
	EXPECT_EQ(grids->head(pipe), first);
	EXPECT_EQ(grids->waiting(pipe), 1u);
	grids->set_state(first, GridState::Dealt);
	EXPECT_EQ(grids->head(pipe), s32{GridTable::none});

	(*grids)[first].grid.cookie = 77;
	(*grids)[first].live = 1;
	grids->finish_if_done(first, 10);
	EXPECT_TRUE(client.done.empty());
	(*grids)[first].live = 0;
	grids->finish_if_done(first, 20);
	EXPECT_EQ(client.done, (std::map<u64, u64>{{77, 20}}));
	grids->free(second);
	EXPECT_EQ(grids->waiting(pipe), 0u);
	EXPECT_EQ(grids->of_queue(queue), 0u);
	EXPECT_TRUE(grids->empty());
}

TEST(Parts, QueueNumbersAndNames)
{
	for (unsigned queue = 0; queue < max_queues; queue++)
		EXPECT_EQ(queue_index(me_number(queue), pipe_number(queue), queue_number(queue)), queue);
	EXPECT_EQ(queue_index(0, 0, 0), max_queues);
	EXPECT_EQ(queue_index(3, 0, 0), max_queues);
	EXPECT_EQ(queue_index(1, 4, 0), max_queues);
	EXPECT_EQ(queue_index(1, 0, 8), max_queues);
}

TEST(Parts, SequencerTellsTheOwnerOfWavesThatEnd)
{
	Lower lower;
	const u64 code = load_program({{Do::Sleep, 1000}, {Do::End}});
	const s32 grid = lower.grids->add(grid_of(code), 0, GridState::Dealt);

	lower.add_workgroup(grid, 2);
	lower.run();
	ASSERT_EQ(lower.ended.size(), 2u);
	EXPECT_GE(lower.ended[0], 1000u);
	EXPECT_EQ(lower.sq->next_turn(), u64{Sq::never});
}

TEST(Parts, SequencerHoldsWavesAtTheBarrierAndFrozen)
{
	Lower lower;
	const u64 code = load_program({{Do::Barrier}, {Do::End}});
	const s32 grid = lower.grids->add(grid_of(code), 0, GridState::Dealt);
	const Placement placement = lower.add_workgroup(grid, 2);

	lower.sq->freeze(0, true);
	EXPECT_EQ(lower.sq->next_turn(), u64{Sq::never});
	lower.sq->freeze(0, false);
	lower.cus[0].set_runnable(placement.wave[1], false); /* it alone is late */
	lower.sq->reschedule_all(lower.cus[0]);
	lower.run();
	EXPECT_TRUE(lower.ended.empty());
	EXPECT_EQ(lower.cus[0].slot(placement.wave[0]).state, WaveState::Barrier);
	lower.cus[0].set_runnable(placement.wave[1], true);
	lower.sq->reschedule_all(lower.cus[0]);
	lower.run();
	EXPECT_EQ(lower.ended.size(), 2u);
}

TEST(Parts, SpiStagesWithdrawsAndOffers)
{
	Lower lower;
	ShaderTrace trace;
	auto spi = std::make_unique<Spi>();
	const u64 code = load_program({{Do::End}});
	const s32 index = lower.grids->add(grid_of(code), 0, GridState::Dealing);
	GridSlot &slot = (*lower.grids)[index];

	trace.init(lower.grids.get());
	spi->init({.cus = &lower.cus, .grids = lower.grids.get(), .requests = &lower.requests, .sq = lower.sq.get(), .trace = &trace});
	size_grid(slot, lower.cus.limits().cu);
	slot.grid.cu_mask[0] = 1;
	EXPECT_EQ(spi->next_engine(slot, 1), 0);
	slot.demand_lds = lds_bytes_per_cu / lds_granule;
	slot.live = 2;
	ASSERT_TRUE(spi->clear_slot(0, 0, slot.grid));
	spi->stage(0, 0, index, 0); /* takes all of the CU's LDS */
	EXPECT_EQ(spi->waves_of(0), 1u);
	spi->stage(0, 0, index, 1); /* so this one waits */
	EXPECT_EQ(spi->waves_of(0), 1u);
	EXPECT_FALSE(spi->clear_slot(0, 0, slot.grid));
	spi->withdraw(index);
	EXPECT_EQ(slot.pending_count, 1u);
	EXPECT_EQ(slot.pending[0], 1u);
	EXPECT_EQ(slot.live, 1u);
	EXPECT_TRUE(spi->clear_slot(0, 0, slot.grid));
	slot.live++;
	slot.pending_count = 0;
	spi->stage(0, 0, index, 1);
	lower.sq->begin(0);
	const unsigned wave = lowest_bit(lower.cus[0].workgroup(0).waves);
	spi->wave_ended(lower.cus[0], wave, 100); /* room: the SPI launches it, and the slot may be filled again */
	EXPECT_EQ(spi->waves_of(0), 1u);
	EXPECT_EQ(spi->counters().workgroups, 2u);
	EXPECT_EQ(lower.requests.deal, 1u);
}
