// SPDX-License-Identifier: MIT
/*
 * partitions.cpp - a GPU of several compute dies becomes several GPUs and one again (Linux 7.2: aqua_vanjaram.c, amdgpu_xcp.c): what each
 * has, that they work side by side, who may not be there during a switch. On a GPU that has partitions.
 *
 * A process that has opened /dev/kfd is one of KFD's until it ends: all that do are children.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "files.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr unsigned dies = 8; /* of an MI300X */

struct Division {
	const char *name;
	unsigned partitions;
};
constexpr std::array modes = {Division{"SPX", 1}, Division{"DPX", 2}, Division{"QPX", 4}, Division{"CPX", 8}};

/* The first GPU's PCI device: its own render node comes before those of its other partitions. */
std::string file(const std::string &name)
{
	const uint64_t render = Topology::read().gpu(0).properties["drm_render_minor"];

	return fmt::format("/sys/class/drm/renderD{}/device/{}", render, name);
}

/* 0, or the error that the file answers with. */
int ask_for(const std::string &mode)
{
	static const std::string path = file("current_compute_partition");
	const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));

	if (!fd)
		return errno;
	return ::write(fd.get(), mode.data(), mode.size()) < 0 ? errno : 0;
}

void switch_to(const Division &mode)
{
	REQUIRE(alone());
	REQUIRE(ask_for(mode.name) == 0);
	CHECK_EQ(read_file(file("current_compute_partition")), std::string(mode.name) + "\n");
	CHECK_EQ(Topology::read().gpu_count(), mode.partitions);
}

/** What the whole GPU has, whatever its mode. */
struct Whole {
	uint64_t simds = 0, engines = 0;
	bool operator==(const Whole &) const = default;
};

Whole describe(const Division &mode)
{
	const auto topology = Topology::read();
	std::set<uint64_t> ids, nodes;
	Whole whole;

	for (unsigned g = 0; g < topology.gpu_count(); g++) {
		const Node &node = topology.gpu(g);

		ids.insert(node.gpu_id);
		nodes.insert(node.properties["drm_render_minor"]);
		whole.simds += node.properties["simd_count"];
		whole.engines += node.properties["num_sdma_engines"] + node.properties["num_sdma_xgmi_engines"];
		CHECK_EQ(node.properties["num_xcc"], dies / mode.partitions);
		CHECK_EQ(node.properties["location_id"] & 7, g);
		CHECK_EQ(node.properties["drm_render_minor"], topology.gpu(0).properties["drm_render_minor"] + g);
	}
	CHECK_EQ(ids.size(), size_t{mode.partitions});
	CHECK_EQ(nodes.size(), size_t{mode.partitions});
	return whole;
}

/** A kernel and a copy on a partition. */
class Work {
public:
	Work(Device &device, uint32_t mark) : device_(device), mark_(mark)
	{
		launch_.arg(out_);
		launch_.submit(queue_);
		copies_.submit(SdmaStream().fence(words_.gpu(), mark));
	}
	void end()
	{
		CHECK(launch_.wait(patience));
		CHECK_EQ(out_.as<uint32_t>()[999], 999U * 3 + 7);
		CHECK(eventually([&] { return words_.as<volatile uint32_t>()[0] == mark_; }));
	}

private:
	Device &device_;
	uint32_t mark_;
	AqlQueue queue_{device_};
	SdmaQueue copies_{device_};
	Program program_ = Program::load(device_, CodeObject::read(find_device_code("test", device_.node().isa())));
	Buffer out_ = Buffer::vram(device_, 4096), words_ = Buffer::gtt(device_, 4096, memory_coherent);
	Launch launch_{device_, program_.kernel("ids"), {.grid = {1000, 1, 1}}};
};

std::vector<std::unique_ptr<Device>> open_all(Kfd &kfd, const Topology &topology)
{
	std::vector<std::unique_ptr<Device>> devices;

	for (unsigned g = 0; g < topology.gpu_count(); g++)
		devices.emplace_back(new Device(Device::open(kfd, topology.gpu(g))));
	return devices;
}

/* All partitions by one process, then each by one of its own: these get the same VMIDs on different dies. */
void side_by_side()
{
	const auto topology = Topology::read();
	std::vector<std::unique_ptr<Child>> others;
	Child one([&topology] {
		Kfd kfd = Kfd::open();
		const auto devices = open_all(kfd, topology);
		std::vector<std::unique_ptr<Work>> all;

		for (const auto &device : devices)
			all.push_back(std::make_unique<Work>(*device, static_cast<uint32_t>(100 + all.size())));
		for (auto &work : all)
			work->end();
	});

	CHECK_EQ(one.join(), 0);
	for (unsigned g = 0; g < topology.gpu_count(); g++)
		others.push_back(std::make_unique<Child>([&topology, g] {
			Kfd kfd = Kfd::open();
			Device device = Device::open(kfd, topology.gpu(g));

			for (uint32_t n = 0; n < 4; n++)
				Work(device, n + 1).end();
		}));
	for (auto &child : others)
		CHECK_EQ(child->join(), 0);
}

/* Nodes of partitions that are not there are, but do not open. */
void render_nodes(const Division &mode)
{
	const uint64_t first = Topology::read().gpu(0).properties["drm_render_minor"];

	for (unsigned n = 0; n < dies; n++) {
		const UniqueFd fd(::open(fmt::format("/dev/dri/renderD{}", first + n).c_str(), O_RDWR | O_CLOEXEC));

		CHECK_EQ(fd ? 0 : errno, n < mode.partitions ? 0 : ENOENT);
	}
}

/* In every mode each partition is a GPU that works beside the others. */
void every_mode()
{
	CHECK_EQ(read_file(file("available_compute_partition")), "SPX, DPX, QPX, CPX\n");
	CHECK_EQ(read_file(file("current_memory_partition")), "NPS1\n");
	switch_to(modes[0]);
	const Whole whole = describe(modes[0]);

	for (const Division &mode : {modes[3], modes[1], modes[2], modes[0]}) {
		switch_to(mode);
		CHECK(describe(mode) == whole);
		render_nodes(mode);
		side_by_side();
	}
}

void refusals()
{
	switch_to(modes[1]);
	CHECK_EQ(ask_for("TPX"), EINVAL); /* of six dies */
	CHECK_EQ(ask_for("XPX"), EINVAL);
	CHECK_EQ(ask_for(""), 0); /* nothing is written */
	CHECK_EQ(ask_for("dpx\n"), 0);
	{
		Child user([] {
			Kfd kfd = Kfd::open();
			const auto devices = open_all(kfd, Topology::read());

			Child::ready();
			for (uint32_t n = 1;; n++)
				Work(*devices[n % 2], n).end();
		});

		REQUIRE(user.wait_ready());
		for (unsigned n = 0; n < 20; n++) {
			CHECK_EQ(ask_for("CPX"), EBUSY);
			CHECK_EQ(ask_for("DPX"), 0);
		}
		user.kill();
	}
	CHECK_EQ(Topology::read().gpu_count(), 2U);
	side_by_side();
	switch_to(modes[0]);
}

void many_switches()
{
	for (unsigned n = 0; n < (soak() ? 1000U : 40U); n++) {
		const Division &mode = modes[(n + 1) % modes.size()];

		switch_to(mode);
		if (n % 16 == 3)
			side_by_side();
	}
	switch_to(modes[0]);
	CHECK_EQ(Topology::read().gpu(0).properties["num_xcc"], uint64_t{dies});
}

} // namespace

KFDM_TEST("the partitions of a GPU are GPUs, come and go, and leave nothing behind")
{
	if (::access(file("current_compute_partition").c_str(), F_OK))
		skip("the GPU has one compute die");
	every_mode();
	refusals();
	many_switches();
}
