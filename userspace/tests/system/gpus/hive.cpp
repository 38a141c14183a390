// SPDX-License-Identifier: MIT
/*
 * hive.cpp - GPUs that XGMI joins: what sysfs tells of a hive, and that all of it are reset together (Linux: amdgpu_xgmi.c,
 * amdgpu_device_gpu_recover()). Others, and GPUs that nothing joins, are left alone.
 */
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "drm_gpus.hpp"
#include "drm_job.hpp"
#include "gpu.hpp"
#include "gpu_files.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

namespace fs = std::filesystem;

/* A GPU through its render node. */
struct Member {
	drm::Device device;
	std::string folder = fs::canonical(device_folder(device)).string();
	uint64_t hive = 0; /* as KFD has it */

	explicit Member(unsigned index) : device(index)
	{
		const auto topology = Topology::read();
		struct stat st = {};

		REQUIRE(!::fstat(device.fd(), &st));
		for (unsigned g = 0; g < topology.gpu_count(); g++)
			if (topology.gpu(g).properties["drm_render_minor"] == minor(st.st_rdev))
				hive = topology.gpu(g).properties["hive_id"];
	}
	[[nodiscard]] std::string file(const std::string &name) const { return folder + "/" + name; }
};

using Hives = std::map<uint64_t, std::vector<std::unique_ptr<Member>>>;

Hives all_gpus()
{
	Hives hives;

	for (unsigned i = 0; i < Topology::read().gpu_count(); i++) {
		auto member = std::make_unique<Member>(i);
		const uint64_t hive = member->hive;

		hives[hive].push_back(std::move(member));
	}
	return hives;
}

void has_files(uint64_t hive, const std::vector<std::unique_ptr<Member>> &members)
{
	std::set<std::string> ids, nodes;

	for (const auto &member : members) {
		const std::string info = member->file("xgmi_hive_info");

		CHECK(ids.insert(read_file(member->file("xgmi_device_id"))).second);
		CHECK_EQ(number_in(member->file("xgmi_error")), 0U);
		CHECK_EQ(number_in(info + "/xgmi_hive_id"), hive);
		for (size_t n = 1; n <= members.size(); n++)
			nodes.insert(fs::canonical(fmt::format("{}/node{}", info, n)).string());
		CHECK(!fs::exists(fmt::format("{}/node{}", info, members.size() + 1)));
	}
	CHECK_EQ(nodes.size(), members.size());
	for (const auto &member : members)
		CHECK(nodes.contains(member->folder));
}

/* Contexts learn of a reset of their own GPU. */
void reset(const Hives &hives, const std::vector<std::unique_ptr<Member>> &members)
{
	std::map<const Member *, std::unique_ptr<drm::Context>> contexts;
	struct stat st = {};

	for (const auto &[hive, all] : hives)
		for (const auto &member : all)
			contexts[member.get()] = std::make_unique<drm::Context>(member->device);
	REQUIRE(!::fstat(members.front()->device.fd(), &st));
	CHECK(!read_file(fmt::format("/sys/kernel/debug/dri/{}/amdgpu_gpu_recover", minor(st.st_rdev) - 128)).empty());
	for (const auto &[hive, all] : hives) {
		for (const auto &member : all) {
			const bool meant = members.front()->hive ? hive == members.front()->hive : member == members.front();
			const uint64_t state = contexts[member.get()]->state();

			CHECK_EQ(bool(state & AMDGPU_CTX_QUERY2_FLAGS_RESET), meant);
		}
	}
}

/* What comes up again works. */
void works(const Member &member)
{
	drm::Context context(member.device);
	drm::Buffer out(member.device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
	Ib ib(member.device);

	ib.store(AMDGPU_HW_IP_COMPUTE, out.gpu(), 99);
	CHECK(context.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {out.handle()})).wait(long_ns));
	CHECK_EQ(out.as<volatile uint32_t>()[0], 99U);
}

} // namespace

KFDM_TEST("GPUs of a hive have its files in sysfs, and are reset together")
{
	const Hives hives = all_gpus();

	if (Topology::read().gpu_count() < 2)
		skip("there is one GPU only");
	for (const auto &[hive, members] : hives) {
		if (hive)
			has_files(hive, members);
		else
			for (const auto &member : members)
				CHECK(!fs::exists(member->file("xgmi_device_id")) && !fs::exists(member->file("xgmi_hive_info")));
	}
	if (!fs::exists("/sys/kernel/debug/dri/0/amdgpu_gpu_recover"))
		skip("debugfs cannot be read");
	for (const auto &[hive, members] : hives)
		reset(hives, members);
	for (const auto &[hive, members] : hives)
		for (const auto &member : members)
			works(*member);
}
