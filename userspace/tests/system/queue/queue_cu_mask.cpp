// SPDX-License-Identifier: MIT
/*
 * queue_cu_mask.cpp - waves stay on the compute units that the mask leaves. Asked of the waves themselves (HW_ID), not of
 * the driver.
 *
 * Bit i of a mask walks over shader engines first: with four engines of one array, bit i is CU i / 4 of engine i % 4.
 */
#include <array>
#include <set>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

using Unit = std::pair<unsigned, unsigned>; /* shader engine, CU */

std::set<Unit> where(Gpu &gpu, AqlQueue &queue, const Program &program)
{
	constexpr uint32_t workgroups = 256;
	Buffer out = Buffer::vram(gpu.device, workgroups * 4);
	Launch launch(gpu.device, program.kernel("where"), {.grid = {workgroups * 64, 1, 1}});
	std::set<Unit> units;

	launch.arg(out);
	launch.run(queue, patience);
	for (uint32_t value : out.as<uint32_t>().first(workgroups)) {
		HwId id = HwId::of(value);

		units.emplace(id.se, id.cu);
	}
	return units;
}

} // namespace

KFDM_TEST("a CU mask decides where waves run")
{
	Gpu gpu;
	const Properties &p = gpu.device.node().properties;
	AqlQueue queue(gpu.device);
	Program program = gpu.program();
	auto engines = static_cast<unsigned>(p["array_count"] / p["simd_arrays_per_engine"]);
	unsigned cus = gpu.device.node().cu_count();

	if (p["simd_arrays_per_engine"] != 1 || cus % engines)
		skip("the mapping in this test is for engines of one array, all alike");
	CHECK_EQ(where(gpu, queue, program).size(), size_t{cus});

	for (unsigned bit : {0U, 1U, engines % cus, cus - 1, 5U % cus}) {
		std::array<uint32_t, 4> mask = {};

		mask[bit / 32] = 1U << bit % 32;
		queue.set_cu_mask(mask);
		auto units = where(gpu, queue, program);
		if (!CHECK(units == (std::set<Unit>{{bit % engines, bit / engines}})))
			fmt::print("  bit {}: {} units, the first is {}.{}\n", bit, units.size(), units.begin()->first,
				   units.begin()->second);
	}
	/* Half of the machine: the even engines. */
	std::array<uint32_t, 4> even = {0x55555555, 0x55555555, 0x55555555, 0x55555555};
	queue.set_cu_mask(even);
	for (auto [engine, cu] : where(gpu, queue, program))
		CHECK_EQ(engine % 2, 0U);
	/* A second queue has its own mask. */
	AqlQueue other(gpu.device);
	CHECK_EQ(where(gpu, other, program).size(), size_t{cus});
	std::array<uint32_t, 4> all = {~0U, ~0U, ~0U, ~0U};
	queue.set_cu_mask(all);
	CHECK_EQ(where(gpu, queue, program).size(), size_t{cus});
}
