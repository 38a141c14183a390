// SPDX-License-Identifier: MIT
/* heap_test.cc - the event heap and the bit maps against slow and obvious versions. */
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "silicon/base/bitmap.h"
#include "silicon/sq/event_heap.h"
#include "silicon/spi/scratch.h"

using namespace silicon;

TEST(EventHeap, EarliestFirstThenLowestNumber)
{
	constexpr u32 ids = 130;
	std::vector<u64> memory(EventHeap::bytes(ids) / 8 + 1);
	EventHeap heap;
	std::map<u32, u64> model;
	std::mt19937 random(1);

	heap.init(memory.data(), ids);
	for (unsigned i = 0; i < 40000; i++) {
		u32 id = random() % (i % 8000 < 4000 ? 5 : ids);

		if (random() % 3) {
			/* Now many that share two times, which move on, now all kinds. */
			u64 key = i % 2000 < 1000 ? i / 100 * 64 + random() % 2 * 64 + (random() % 8 ? 0 : random() % 64) : random() % 50;

			heap.set(id, key);
			model[id] = key;
		} else {
			heap.remove(id);
			model.erase(id);
		}
		ASSERT_EQ(heap.empty(), model.empty());
		ASSERT_EQ(heap.has(id), model.contains(id));
		if (model.empty())
			continue;
		auto best = model.begin();

		for (auto it = model.begin(); it != model.end(); ++it)
			if (it->second < best->second)
				best = it;
		ASSERT_EQ(heap.top(), best->first);
		ASSERT_EQ(heap.top_key(), best->second);
	}
}

TEST(Bitmap, RunsOfBitsAreFoundLowestFirst)
{
	std::mt19937_64 random(2);

	for (int i = 0; i < 5000; i++) {
		u64 free = random() & random();
		unsigned n = static_cast<unsigned>(random() % 12 + 1);
		int expected = -1;

		for (int at = 63 - static_cast<int>(n) + 1; at >= 0; at--)
			if ((free & run_of_bits<u64>(static_cast<unsigned>(at), n)) == run_of_bits<u64>(static_cast<unsigned>(at), n))
				expected = at;
		ASSERT_EQ(find_run(free, n), expected) << std::hex << free << " " << n;
		ASSERT_EQ(count_bits(free), static_cast<unsigned>(__builtin_popcountll(free)));
	}
	EXPECT_EQ(find_run(~u64{0}, 64), 0);
	EXPECT_EQ(find_run(~u128{0}, 128), 0);
	EXPECT_EQ(find_run(~u128{0} << 70, 58), 70);
	EXPECT_EQ(find_run(~u128{0} << 70, 59), -1);
	EXPECT_EQ(run_of_bits<u64>(0, 0), 0u);
}

TEST(ScratchSlots, AnEngineHandsOutItsOwnShare)
{
	ScratchSlots slots;

	slots.reset();
	EXPECT_TRUE(slots.room(100, 150, 150));
	EXPECT_FALSE(slots.room(100, 150, 151));
	for (u32 i = 0; i < 150; i++)
		EXPECT_EQ(slots.allocate(100, 150), 100 + i);
	EXPECT_FALSE(slots.room(100, 150, 1));
	slots.release(163);
	EXPECT_TRUE(slots.room(100, 150, 1));
	EXPECT_EQ(slots.allocate(100, 150), 163u);
	EXPECT_FALSE(slots.taken(99));
	EXPECT_TRUE(slots.taken(249));
	EXPECT_FALSE(slots.taken(250));
}
