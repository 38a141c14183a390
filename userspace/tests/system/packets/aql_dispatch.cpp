// SPDX-License-Identifier: MIT
/*
 * aql_dispatch.cpp - grids of every shape: each work-item runs exactly once, none runs that does not exist.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

const Shape shapes[] = {
	{.grid = {1, 1, 1}, .workgroup = {1, 1, 1}},	    {.grid = {64, 1, 1}, .workgroup = {64, 1, 1}},
	{.grid = {65, 1, 1}, .workgroup = {64, 1, 1}},	    {.grid = {63, 1, 1}, .workgroup = {64, 1, 1}},
	{.grid = {1000, 1, 1}, .workgroup = {256, 1, 1}},   {.grid = {1000, 1, 1}, .workgroup = {100, 1, 1}},
	{.grid = {10'000, 1, 1}, .workgroup = {192, 1, 1}}, {.grid = {17, 9, 1}, .workgroup = {8, 8, 1}},
	{.grid = {33, 31, 1}, .workgroup = {16, 16, 1}},    {.grid = {5, 6, 7}, .workgroup = {2, 3, 4}},
	{.grid = {1, 300, 1}, .workgroup = {1, 64, 1}},	    {.grid = {3, 1, 130}, .workgroup = {2, 1, 64}},
	{.grid = {4, 4, 4}, .workgroup = {64, 1, 1}},
};

} // namespace

KFDM_TEST("every work-item of every grid runs exactly once")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Program program = gpu.program();

	for (const Shape &shape : shapes) {
		Buffer out = Buffer::vram(gpu.device, (shape.items() + 64) * 4);
		Launch launch(gpu.device, program.kernel("ids"), shape);
		uint64_t wrong = 0, beyond = 0;

		launch.arg(out);
		launch.run(queue, patience);
		for (uint32_t i = 0; i < shape.items(); i++)
			wrong += out.as<uint32_t>()[i] != i * 3 + 7;
		for (uint64_t i = shape.items(); i < shape.items() + 64; i++)
			beyond += out.as<uint32_t>()[i] != 0;
		if (!CHECK_EQ(wrong, 0U) || !CHECK_EQ(beyond, 0U))
			fmt::print("  grid {}x{}x{}, workgroup {}x{}x{}\n", shape.grid[0], shape.grid[1], shape.grid[2], shape.workgroup[0],
				   shape.workgroup[1], shape.workgroup[2]);
	}
}
