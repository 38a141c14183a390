// SPDX-License-Identifier: MIT
/*
 * topology_test.cpp - the sysfs parser, on a tree made in a temporary folder.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <kfdm/topology.hpp>

namespace kfdm {
namespace {

namespace fs = std::filesystem;

class TopologyTest : public testing::Test {
protected:
	void SetUp() override
	{
		char folder[] = "/tmp/kfdm-topology-XXXXXX";

		root_ = mkdtemp(folder);
		file("generation_id", "3\n");
		file("nodes/0/gpu_id", "0\n");
		file("nodes/0/name", "\n");
		file("nodes/0/properties", "cpu_cores_count 2\nmem_banks_count 1\n");
		file("nodes/0/mem_banks/0/properties", "heap_type 0\nsize_in_bytes 1024\n");
		file("nodes/1/gpu_id", "54321\n");
		file("nodes/1/name", "vega20\n");
		file("nodes/1/properties", "simd_count 240\nsimd_per_cu 4\ncaches_count 1\ngfx_target_version 90006\n"
					   "drm_render_minor 129\nunique_id 18446744073709551615\n");
		file("nodes/1/caches/0/properties", "level 1\nsize 16\nsibling_map 1,0,0,0\n");
	}
	void TearDown() override { fs::remove_all(root_); }

	void file(const std::string &path, const char *text)
	{
		fs::create_directories((root_ / path).parent_path());
		std::ofstream(root_ / path) << text;
	}

	fs::path root_;
};

TEST_F(TopologyTest, ReadsEveryNode)
{
	Topology topology = Topology::read(root_);

	ASSERT_EQ(topology.nodes().size(), 2U);
	EXPECT_EQ(topology.generation(), 3U);
	EXPECT_EQ(topology.gpu_count(), 1U);
	EXPECT_FALSE(topology.nodes()[0].is_gpu());
	EXPECT_EQ(topology.nodes()[0].memory_bytes(), 1024U);

	const Node &gpu = topology.gpu();
	EXPECT_EQ(gpu.gpu_id, 54321U);
	EXPECT_EQ(gpu.name, "vega20");
	EXPECT_EQ(gpu.cu_count(), 60U);
	EXPECT_EQ(gpu.isa(), "gfx906");
	EXPECT_EQ(gpu.render_path(), "/dev/dri/renderD129");
	EXPECT_EQ(gpu.properties["unique_id"], ~uint64_t{0});
	EXPECT_EQ(gpu.properties["no such property"], 0U);
	EXPECT_EQ(gpu.caches.at(0)["size"], 16U);
	EXPECT_EQ(gpu.caches.at(0)["sibling_map"], 0U);
}

TEST_F(TopologyTest, ThrowsWhenThereIsNone)
{
	EXPECT_THROW((void)Topology::read(root_ / "nothing"), std::system_error);
	EXPECT_THROW((void)Topology::read(root_).gpu(1), std::system_error);
}

TEST(IsaName, IsWhatCompilersCallIt)
{
	EXPECT_EQ(isa_name(90006), "gfx906");
	EXPECT_EQ(isa_name(90010), "gfx90a");
	EXPECT_EQ(isa_name(80003), "gfx803");
	EXPECT_EQ(isa_name(100300), "gfx1030");
}

} // namespace
} // namespace kfdm
