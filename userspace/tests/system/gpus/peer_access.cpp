// SPDX-License-Identifier: MIT
/*
 * peer_access.cpp - what a GPU reaches of another one's memory: VRAM in a hive alone, system memory always (kfd_mem_attach()). The links
 * of the topology say the same.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t pattern = 0x5a5a1234;
constexpr size_t size = 64 << 10;

/* Two GPUs of one process. */
struct Pair {
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();
	Device first = Device::open(kfd, topology.gpu(0)), second = Device::open(kfd, topology.gpu(1));

	[[nodiscard]] bool in_a_hive() { return hive(first) && hive(first) == hive(second); }
	[[nodiscard]] static uint64_t hive(const Device &device) { return device.node().properties["hive_id"]; }

	[[nodiscard]] int map(const Buffer &buffer, const Device &device) const
	{
		uint32_t id = device.gpu_id();
		kfd_ioctl_map_memory_to_gpu_args args = {buffer.handle(), reinterpret_cast<uintptr_t>(&id), 1, 0};

		return call(kfd.fd(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, args);
	}
	[[nodiscard]] int unmap(const Buffer &buffer, const Device &device) const
	{
		uint32_t id = device.gpu_id();
		kfd_ioctl_unmap_memory_from_gpu_args args = {buffer.handle(), reinterpret_cast<uintptr_t>(&id), 1, 0};

		return call(kfd.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, args);
	}
};

bool becomes(const Buffer &buffer, uint32_t value)
{
	return eventually([&] { return *static_cast<volatile uint32_t *>(&buffer.as<uint32_t>().back()) == value; });
}

/* SDMA of the second GPU writes @buffer of the first one, and reads it. */
void reaches(Pair &pair, const Buffer &buffer)
{
	SdmaQueue queue(pair.second);
	Buffer back = Buffer::gtt(pair.second, size, memory_coherent);

	buffer.as<uint32_t>()[0] = 1;
	queue.submit(SdmaStream(pair.second.has_old_sdma()).fill(buffer.gpu(), pattern, size));
	CHECK(becomes(buffer, pattern));
	buffer.as<uint32_t>().back() = pattern + 1;
	queue.submit(SdmaStream(pair.second.has_old_sdma()).copy(back.gpu(), buffer.gpu(), size));
	CHECK(becomes(back, pattern + 1));
	CHECK_EQ(back.as<uint32_t>()[0], pattern);
}

void vram(Pair &pair)
{
	Buffer buffer = Buffer::vram(pair.first, size);

	if (!pair.in_a_hive()) {
		CHECK_ERRNO(EINVAL, pair.map(buffer, pair.second));
		return;
	}
	REQUIRE(pair.map(buffer, pair.second) == 0);
	reaches(pair, buffer);
	CHECK_ERRNO(0, pair.unmap(buffer, pair.second));
}

/* The same with a kernel, which has caches. */
void kernel(Pair &pair)
{
	Buffer out = Buffer::vram(pair.first, 4096);

	REQUIRE(pair.map(out, pair.second) == 0);
	{
		AqlQueue queue(pair.second);
		Program program = Program::load(pair.second, CodeObject::read(find_device_code("test", pair.second.node().isa())));
		Launch launch(pair.second, program.kernel("ids"), {.grid = {1000, 1, 1}});

		launch.arg(out);
		launch.run(queue, patience);
	}
	CHECK_EQ(out.as<uint32_t>()[999], 999U * 3 + 7);
	CHECK_ERRNO(0, pair.unmap(out, pair.second));
}

void system_memory(Pair &pair)
{
	Buffer buffer = Buffer::gtt(pair.first, size, memory_coherent);

	REQUIRE(pair.map(buffer, pair.second) == 0);
	reaches(pair, buffer);
	CHECK_ERRNO(0, pair.unmap(buffer, pair.second));
}

} // namespace

KFDM_TEST("VRAM of another GPU can be mapped in a hive alone, system memory always")
{
	if (Topology::read().gpu_count() < 2)
		skip("there is one GPU only");
	Pair pair;

	vram(pair);
	if (pair.in_a_hive())
		kernel(pair);
	system_memory(pair);
}
