// SPDX-License-Identifier: MIT
/*
 * isolation_fragments.cpp - memory that lies in many pieces takes time in proportion to them.
 *
 * Who maps, moves or frees it holds what everybody's page faults need (isolation_latency measures those). With a search through a list of
 * pieces, 8,192 of them took three seconds, and eight times the pieces 64 times as long.
 */
#include <algorithm>

#include "pieces.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

using Clock = std::chrono::steady_clock;

/* 2,048 pages fit into what is left to page tables. */
constexpr uint64_t few = 3072, many = 2048 + 4 * (few - 2048);
constexpr double most_growth = 9; /* 4 would be exact, 16 is quadratic */
constexpr int tries = 5;

/* Milliseconds to map a buffer in @count pieces, the best of as many tries as it takes to be good enough. */
double map_ms(Pieces &pieces, uint64_t count, double good_enough = 0)
{
	const Comb comb(pieces, count);
	double best = 1e9;

	for (int i = 0; i < tries && best >= good_enough; i++) {
		const Clock::time_point start = Clock::now();

		comb.map();
		best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
		comb.unmap();
	}
	return best;
}

void maps()
{
	Gpu gpu;
	Pieces pieces(gpu);
	const double small = map_ms(pieces, few), large = map_ms(pieces, many, small * most_growth);

	fmt::print("    {} pieces {:.2f} ms, {} pieces {:.2f} ms\n", few, small, many, large);
	CHECK(large < small * most_growth);
}

} // namespace

KFDM_TEST("memory in many pieces costs time in proportion")
{
	admit_users();
	Child user = as(alice, maps);
	CHECK_EQ(user.join(), 0);
}
