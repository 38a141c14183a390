// SPDX-License-Identifier: MIT
/*
 * shape_test.cpp - counting workgroups and waves.
 */
#include <gtest/gtest.h>

#include <kfdm/program.hpp>

namespace kfdm {
namespace {

struct Row {
	Shape shape;
	uint64_t workgroups, waves, items;
};

const Row rows[] = {
	{{.grid = {1, 1, 1}, .workgroup = {64, 1, 1}}, 1, 1, 1},      {{.grid = {64, 1, 1}, .workgroup = {64, 1, 1}}, 1, 1, 64},
	{{.grid = {65, 1, 1}, .workgroup = {64, 1, 1}}, 2, 2, 65},    {{.grid = {1000, 1, 1}, .workgroup = {256, 1, 1}}, 4, 16, 1000},
	{{.grid = {257, 1, 1}, .workgroup = {256, 1, 1}}, 2, 5, 257}, {{.grid = {32, 32, 1}, .workgroup = {16, 16, 1}}, 4, 16, 1024},
	{{.grid = {5, 5, 5}, .workgroup = {2, 2, 2}}, 27, 27, 125},
};

TEST(Shape, CountsWorkgroupsAndWaves)
{
	for (const Row &row : rows) {
		EXPECT_EQ(row.shape.workgroups(), row.workgroups) << row.shape.grid[0];
		EXPECT_EQ(row.shape.waves(), row.waves) << row.shape.grid[0];
		EXPECT_EQ(row.shape.items(), row.items) << row.shape.grid[0];
	}
}

} // namespace
} // namespace kfdm
