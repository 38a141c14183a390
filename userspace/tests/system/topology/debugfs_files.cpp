// SPDX-License-Identifier: MIT
/*
 * debugfs_files.cpp - /sys/kernel/debug/kfd as amdkfd has it: line by line, and the numbers mean what they say.
 */
#include <fcntl.h>
#include <unistd.h>

#include <regex>

#include <hw/mqd.h>
#include <hw/pm4.h>

#include "kfd_newer.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

const std::string dir = "/sys/kernel/debug/kfd/";

bool matches(const std::string &line, const char *pattern) { return std::regex_match(line, std::regex(pattern)); }

/* seq_hex_dump() after the line @title: words in the order of memory. */
std::vector<uint32_t> dump_after(const std::string &text, const std::string &title)
{
	std::vector<uint32_t> words;
	std::vector<std::string> all = lines(text);
	auto line = std::find(all.begin(), all.end(), title);

	for (line += line != all.end(); line != all.end() && matches(*line, "    [0-9a-f]{8}: .*"); ++line)
		for (size_t at = 14; at < line->size(); at += 9)
			words.push_back(static_cast<uint32_t>(std::stoul(line->substr(at, 8), nullptr, 16)));
	return words;
}

constexpr const char *hex_row = "    [0-9a-f]{8}:( [0-9a-f]{8}){1,8}";

} // namespace

KFDM_TEST("debugfs shows descriptors, hardware queues, run lists and limits")
{
	if (access((dir + "mqds").c_str(), R_OK))
		skip("debugfs cannot be read");
	Gpu gpu;
	bool hws = read_file("/sys/module/amdgpu_model/parameters/sched_policy") != "2\n";

	if (hws) {
		expect_forms("rls", read_file(dir + "rls"), {"Node [0-9]+, gpu_id [0-9a-f]+:", "  No active runlist", hex_row});
	}
	AqlQueue queue(gpu.device, {.priority = 11});
	SdmaQueue sdma(gpu.device);
	CHECK(works(gpu, queue));

	std::string mqds = read_file(dir + "mqds");
	expect_forms("mqds", mqds, {"Process [0-9]+ PASID 0x[0-9a-f]+:", "  (Compute|SDMA) queue on device [0-9a-f]+", hex_row});
	CHECK(mqds.find(fmt::format("Process {} PASID 0x", getpid())) != mqds.npos);
	std::vector<uint32_t> mqd = dump_after(mqds, fmt::format("  Compute queue on device {:x}", gpu.id()));
	REQUIRE(mqd.size() == 512);
	CHECK_EQ(mqd[MQD_V9_header], MQD_HEADER);
	CHECK_EQ(mqd[MQD_V9_cp_hqd_pq_base_lo], static_cast<uint32_t>(queue.ring().gpu() >> 8));
	CHECK_EQ(mqd[MQD_V9_cp_hqd_queue_priority], is_7_2() ? 0U : 11U); /* 7.2 leaves it alone */
	CHECK_EQ(dump_after(mqds, fmt::format("  SDMA queue on device {:x}", gpu.id())).size(), 128U);

	std::string hqds = read_file(dir + "hqds");
	expect_forms("hqds", hqds,
		     {"Node [0-9]+, gpu_id [0-9a-f]+:", "  HIQ on MEC 2 Pipe 0 Queue 0", "  CP Pipe [0-3], Queue [0-7]",
		      "  SDMA Engine [0-7], RLC [0-7]", hex_row});
	std::string base = fmt::format(" {:08x}", static_cast<uint32_t>(queue.ring().gpu() >> 8));
	CHECK(hqds.find(base) != hqds.npos);

	if (hws) {
		std::string rls = read_file(dir + "rls");
		auto node = std::find_if(gpu.topology.nodes().begin(), gpu.topology.nodes().end(),
					 [&](const Node &n) { return n.gpu_id == gpu.id(); });
		std::vector<uint32_t> list = dump_after(
			rls, fmt::format("Node {}, gpu_id {:x}:", node - gpu.topology.nodes().begin(), gpu.id()));

		/* One process, two queues */
		REQUIRE(list.size() >= PM4_MAP_PROCESS_DWORDS + 2U * PM4_MAP_QUEUES_DWORDS);
		CHECK_EQ(list[0], PM4_HEADER(PM4_MAP_PROCESS, PM4_MAP_PROCESS_DWORDS - 2));
		CHECK_EQ(list[PM4_MAP_PROCESS_DWORDS], PM4_HEADER(PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS - 2));
	}
	CHECK_EQ(read_file(dir + "hang_hws"), "echo gpu_id > hang_hws\n");
	CHECK_ERRNO(EINVAL, errno_of([&] { write_file(dir + "hang_hws", "no number\n"); }));
	CHECK_ERRNO(EINVAL, errno_of([&] { write_file(dir + "hang_hws", "1\n"); }));
	CHECK_ERRNO(EINVAL, errno_of([&] { write_file(dir + "hang_hws", "1234567890123456\n"); }));

	/* 64 MiB of GTT show in both lines. */
	std::smatch before, after;
	std::regex form("System mem used ([0-9]+)M out of ([0-9]+)M\nTTM mem used ([0-9]+)M out of ([0-9]+)M\n");
	std::string limits = read_file(dir + "mem_limit");
	REQUIRE(std::regex_match(limits, before, form));
	Buffer buffer = Buffer::gtt(gpu.device, 64U << 20);
	std::string more = read_file(dir + "mem_limit");
	REQUIRE(std::regex_match(more, after, form));
	for (int n : {1, 3})
		CHECK_EQ(std::stoul(after[n]), std::stoul(before[n]) + 64);
	CHECK(std::stoul(after[2]) > std::stoul(after[4]));
}
