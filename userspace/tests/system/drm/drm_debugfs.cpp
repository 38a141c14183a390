// SPDX-License-Identifier: MIT
/*
 * drm_debugfs.cpp - /sys/kernel/debug/dri/N as amdgpu has it: line by line, and the numbers mean what they say.
 */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <fcntl.h>
#include <unistd.h>

#include <regex>

#include "drm_job.hpp"
#include "drm_memory.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Its primary node's folder: the render node's number is 128 higher. */
std::string folder(const drm::Device &device)
{
	struct stat st = {};

	REQUIRE(!::fstat(device.fd(), &st));
	return fmt::format("/sys/kernel/debug/dri/{}/", minor(st.st_rdev) - 128);
}

/* How many lines look like that. */
long count(const std::string &text, const std::string &pattern)
{
	const std::vector<std::string> all = lines(text);

	return std::count_if(all.begin(), all.end(), [&](const std::string &line) { return std::regex_match(line, std::regex(pattern)); });
}

/* The numbers behind a title of fence_info, of the ring @name. */
unsigned long fence_number(const std::string &text, const std::string &name, const std::string &title)
{
	const size_t ring = text.find("(" + name + ") ---");
	const size_t at = ring == std::string::npos ? ring : text.find(title, ring);

	REQUIRE(at != std::string::npos);
	return std::stoul(text.substr(text.find("0x", at)), nullptr, 16);
}

/* The number behind "@name:" of vram_mm and gtt_mm. */
uint64_t counter(const std::string &text, const std::string &name)
{
	const size_t at = text.find(name + ":");

	REQUIRE(at != std::string::npos);
	return std::stoull(text.substr(at + name.size() + 1));
}

uint64_t buffers_in_vram(const std::string &dir)
{
	const std::string text = read_file(dir + "amdgpu_vram_mm");

	return counter(text, "usage") - counter(text, "page tables");
}

std::vector<uint32_t> read_dwords(const std::string &path, size_t bytes, off_t from = 0)
{
	std::vector<uint32_t> words(bytes / 4);
	const UniqueFd fd(::open(path.c_str(), O_RDONLY));

	REQUIRE(fd);
	words.resize(static_cast<size_t>(std::max<ssize_t>(::pread(fd.get(), words.data(), bytes, from), 0)) / 4);
	return words;
}

void check_memory_managers(const drm::Device &device, const std::string &dir)
{
	constexpr uint64_t bytes = 5 * MiB;

	fmt::print("vram_mm, gtt_mm, a buffer that is exported\n");
	const uint64_t used = buffers_in_vram(dir);
	{
		drm::Buffer more(device, bytes, AMDGPU_GEM_DOMAIN_VRAM);
		const UniqueFd fd = more.export_dmabuf();

		CHECK_EQ(buffers_in_vram(dir), used + bytes);
		CHECK_EQ(count(read_file(dir + "amdgpu_gem_info"),
			       fmt::format("\t\t0x[0-9a-f]{{8}}: {:12} byte VRAM( pin .*)? exported as .*", bytes)),
			 1);
	}
	CHECK_EQ(buffers_in_vram(dir), used);
	for (const char *file : {"amdgpu_vram_mm", "amdgpu_gtt_mm"})
		expect_forms(file, read_file(dir + file),
			     {"0x[0-9a-f]{16}-0x[0-9a-f]{16}: [0-9]+: (used|free)", "total: [0-9]+, used [0-9]+ free [0-9]+",
			      "man size:[0-9]+ pages, usage:[0-9]+, (page tables|user pages):[0-9]+"});
	CHECK_EQ(counter(read_file(dir + "amdgpu_vram_mm"), "man size") * 4096, memory_info(device).vram.total_heap_size);
	CHECK_EQ(counter(read_file(dir + "amdgpu_gtt_mm"), "man size") * 4096, memory_info(device).gtt.total_heap_size);
}

} // namespace

KFDM_TEST("files of debugfs tell about rings, fences and buffers as amdgpu's do")
{
	constexpr uint64_t size = 3 * MiB;
	drm::Device device;
	drm::Context context(device);
	const std::string dir = folder(device);
	drm::Buffer vram(device, size, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED);
	drm::Buffer always(device, 2 * size, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	const std::string bo = "\t\t0x[0-9a-f]{8}: +[0-9]+ byte (VRAM| GTT| CPU)( pin count [0-9]+)?( exported as .*)?( [A-Z_]+)*";
	const std::string in_vram = fmt::format("\t\t0x[0-9a-f]{{8}}: {:12} byte VRAM CPU_ACCESS_REQUIRED", size);
	const std::string in_gtt = fmt::format("\t\t0x[0-9a-f]{{8}}: {:12} byte  GTT CPU_ACCESS_REQUIRED", size);
	Ib ib(device);

	vram.as<uint32_t>()[0] = 0x12345678;
	fmt::print("fence_info and rings\n");
	const std::string before = read_file(dir + "amdgpu_fence_info");
	expect_forms("fence_info", before,
		     {"--- ring [0-9]+ \\([a-z0-9_.]+\\) ---", "Last signaled fence          0x[0-9a-f]{8}",
		      "Last emitted                 0x[0-9a-f]{8}", "Last signaled trailing fence 0x[0-9a-f]{8}",
		      "Last preempted               0x[0-9a-f]{8}", "Last reset                   0x[0-9a-f]{8}",
		      "Last both                    0x[0-9a-f]{8}"});
	ib.store(AMDGPU_HW_IP_DMA, out.gpu(), 5);
	CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle(), vram.handle()})).wait(long_ns));
	const std::string after = read_file(dir + "amdgpu_fence_info");
	unsigned long emitted = 0;
	for (const char *ring : {"sdma0", "sdma1"}) {
		emitted += fence_number(after, ring, "Last emitted ") - fence_number(before, ring, "Last emitted ");
		CHECK_EQ(fence_number(after, ring, "Last signaled fence"), fence_number(after, ring, "Last emitted "));
	}
	CHECK_EQ(emitted, 1UL);
	const std::vector<uint32_t> ring = read_dwords(dir + "amdgpu_ring_sdma0", 1 << 20);
	REQUIRE(ring.size() == 3 + 4096);
	CHECK(ring[0] < 4096 && ring[1] < 4096);
	CHECK_EQ(ring[1], ring[2]);
	CHECK_EQ(read_dwords(dir + "amdgpu_ring_comp_1.0.0", 12).size(), 3U);

	fmt::print("gem_info, vm_info\n");
	const std::string gem = read_file(dir + "amdgpu_gem_info");
	expect_forms("gem_info", gem, {"pid +[0-9]+ command .*:", bo.c_str()});
	CHECK_EQ(count(gem, fmt::format("pid {:8} command .*:", getpid())), 1);
	CHECK_EQ(count(gem, in_vram), 1);
	const std::string vm = read_file(dir + "amdgpu_vm_info");
	expect_forms("vm_info", vm,
		     {"pid:[0-9]+\tProcess:.* ----------", "\t(Idle|Evicted|Relocated|Moved|Invalidated|Done) BOs:", bo.c_str(), "",
		      "\tTotal [a-z]+ size: +[0-9]+\tobjs:\t[0-9]+"});
	CHECK(count(vm, in_vram) == 1);
	CHECK(count(vm, fmt::format("\tTotal idle size:        {:12}\tobjs:\t1", 2 * size)) == 1);

	check_memory_managers(device, dir);

	fmt::print("evict_vram, evict_gtt\n");
	const uint64_t gone = evictions(device);
	CHECK_EQ(read_file(dir + "amdgpu_evict_vram").substr(0, 1), "0");
	CHECK(evictions(device) >= gone + 2);
	CHECK_EQ(count(read_file(dir + "amdgpu_gem_info"), in_gtt), 1);
	CHECK_EQ(vram.as<uint32_t>()[0], 0x12345678U);
	CHECK(count(read_file(dir + "amdgpu_vm_info"), fmt::format("\tTotal evicted size:     {:12}\tobjs:\t1", 2 * size)) == 1);
	CHECK_EQ(read_file(dir + "amdgpu_evict_gtt").substr(0, 1), "0");
	CHECK_EQ(vram.as<uint32_t>()[0], 0x12345678U);
	/* A job brings back what it uses, and what is always valid. */
	CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle(), vram.handle()})).wait(long_ns));
	CHECK_EQ(count(read_file(dir + "amdgpu_gem_info"), in_vram), 1);
	CHECK_EQ(vram.as<uint32_t>()[0], 0x12345678U);

	fmt::print("test_ib, vram, gpu_recover\n");
	CHECK_EQ(read_file(dir + "amdgpu_test_ib"), "run ib test:\nib ring tests passed.\n");
	CHECK_EQ(read_dwords(dir + "amdgpu_vram", 8192, 1 << 20).size(), 2048U);
	CHECK_EQ(read_file(dir + "amdgpu_gpu_recover").substr(0, 1), "0");
	CHECK(context.state() & AMDGPU_CTX_QUERY2_FLAGS_RESET);
}
