// SPDX-License-Identifier: MIT
/*
 * isolation_memory.cpp - memory that comes new has nothing of who had it before: VRAM and GTT of both interfaces, read by the CPU and by
 * the GPU, whatever has become of the other user's process.
 *
 * Rings, EOP buffers, save areas, scratch, MQDs and pages of events are all made of these.
 */
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "drm_job.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t bytes = 1 << 20;
constexpr uint32_t secret = 0x5ec3e702;

/* All kinds of memory, made and dropped together. */
class Everything {
public:
	explicit Everything(Gpu &gpu) : device_(gpu.device.node().render_path())
	{
		for (int i = 0; i < 4; i++) {
			kfd_.push_back(Buffer::vram(gpu.device, bytes));
			kfd_.push_back(Buffer::gtt(gpu.device, bytes));
			gem_.emplace_back(device_, bytes, AMDGPU_GEM_DOMAIN_VRAM);
			gem_.emplace_back(device_, bytes, AMDGPU_GEM_DOMAIN_GTT);
		}
	}
	[[nodiscard]] std::vector<std::span<uint32_t>> spans() const
	{
		std::vector<std::span<uint32_t>> all;

		for (const Buffer &buffer : kfd_)
			all.push_back(buffer.as<uint32_t>());
		for (const drm::Buffer &buffer : gem_)
			all.push_back(buffer.as<uint32_t>());
		return all;
	}
	[[nodiscard]] const std::vector<Buffer> &kfd() const { return kfd_; }
	[[nodiscard]] const std::vector<drm::Buffer> &gem() const { return gem_; }
	[[nodiscard]] const drm::Device &device() const { return device_; }

private:
	drm::Device device_;
	std::vector<Buffer> kfd_;
	std::vector<drm::Buffer> gem_;
};

/* Words that are not 0, and of them the secret. */
struct Found {
	size_t others, secrets;

	void add(std::span<const uint32_t> words)
	{
		for (uint32_t word : words) {
			secrets += word == secret;
			others += word && word != secret;
		}
	}
};

/* Half by the CPU, half by the GPU, so that both have made pages. */
void writes(Gpu &gpu, const Everything &all)
{
	SdmaQueue queue(gpu.device);

	for (const std::span<uint32_t> words : all.spans())
		std::ranges::fill(words.first(words.size() / 2), secret);
	for (const Buffer &buffer : all.kfd()) {
		SdmaStream stream = queue.stream();

		queue.submit(stream.fill(buffer.gpu() + bytes / 2, secret, bytes / 2));
	}
	CHECK(queue.wait_read(patience));
	for (const Buffer &buffer : all.kfd())
		CHECK(eventually([&] { return buffer.as<volatile uint32_t>()[bytes / 4 - 1] == secret; }));
	for (const drm::Buffer &buffer : all.gem())
		std::ranges::fill(buffer.as<uint32_t>().last(bytes / 8), secret);
}

Found reads_by_gpu(Gpu &gpu, const Everything &all)
{
	Found found = {};
	SdmaQueue queue(gpu.device);
	Buffer copy = Buffer::gtt(gpu.device, bytes, memory_coherent);
	Event done = Event::signal(gpu.device);

	for (const Buffer &buffer : all.kfd()) {
		SdmaStream stream = queue.stream();

		std::ranges::fill(copy.as<uint32_t>(), 0xffffffffU);
		stream.copy(copy.gpu(), buffer.gpu(), bytes).fence(reinterpret_cast<uint64_t>(done.slot()), done.id()).trap(done.id());
		queue.submit(stream);
		CHECK(done.wait(patience));
		found.add(copy.as<uint32_t>());
	}
	return found;
}

Found reads_by_job(const Everything &all)
{
	Found found = {};
	drm::Context context(all.device());
	drm::Buffer copy(all.device(), bytes, AMDGPU_GEM_DOMAIN_GTT);

	for (const drm::Buffer &buffer : all.gem()) {
		Ib ib(all.device());

		std::ranges::fill(copy.as<uint32_t>(), 0xffffffffU);
		for (uint32_t at = 0; at < bytes; at += 1 << 18)
			ib.copy(copy.gpu() + at, buffer.gpu() + at, 1 << 18);
		CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {buffer.handle(), copy.handle()})).wait(long_ns));
		found.add(copy.as<uint32_t>());
	}
	return found;
}

Found reads_by_cpu(const Everything &all)
{
	Found found = {};

	for (const std::span<uint32_t> words : all.spans())
		found.add(words);
	return found;
}

void expect_nothing(const char *how, const Found &found)
{
	if (found.secrets || found.others)
		fail(__FILE__, __LINE__, fmt::format("{}: {} words of the other user's, {} others", how, found.secrets, found.others));
}

void looks()
{
	Gpu gpu;

	/* Each on memory that has not been touched yet. */
	expect_nothing("by KFD's SDMA", [&] { return reads_by_gpu(gpu, Everything(gpu)); }());
	expect_nothing("by jobs", [&] { return reads_by_job(Everything(gpu)); }());
	expect_nothing("by the CPU", [&] { return reads_by_cpu(Everything(gpu)); }());
}

struct Board {
	std::atomic<bool> go_on;
};

struct Going {
	const char *name;
	bool stays; /* and finds its memory as it was */
	void (*by_root)(Child &victim, Board &board, const Node &node);
};

std::string debugfs(const Node &node, const char *file)
{
	return fmt::format("/sys/kernel/debug/dri/{}/{}", node.properties["drm_render_minor"] - 128, file);
}

void exits(Child &victim, Board &board, const Node &)
{
	board.go_on = true;
	CHECK_EQ(victim.join(), 0);
}

const Going goings[] = {
	{"stays", true, [](Child &, Board &, const Node &) {}},
	{"is evicted from VRAM", true, [](Child &, Board &, const Node &node) { (void)read_file(debugfs(node, "amdgpu_evict_vram")); }},
	{"is evicted from GTT", true, [](Child &, Board &, const Node &node) { (void)read_file(debugfs(node, "amdgpu_evict_gtt")); }},
	{"sees a reset", false, [](Child &, Board &, const Node &node) { (void)read_file(debugfs(node, "amdgpu_gpu_recover")); }},
	{"exits", false, exits},
	{"is killed", false, [](Child &victim, Board &, const Node &) { victim.kill(); }},
};

void has_memory(Board &board, const Going &going)
{
	Gpu gpu;
	Everything all(gpu);

	writes(gpu, all);
	Child::ready();
	while (!board.go_on)
		usleep(1000);
	if (going.stays)
		CHECK_EQ(reads_by_cpu(all).secrets, all.spans().size() * bytes / 4);
}

} // namespace

KFDM_TEST("new memory has nothing of the user who had it before")
{
	const Topology topology = Topology::read();
	const Node &node = topology.gpu();

	admit_users();
	for (const Going &going : goings) {
		Shared<Board> board;
		Child victim = as(alice, [&] { has_memory(*board, going); });

		REQUIRE(victim.wait_ready());
		going.by_root(victim, *board, node);
		Child thief = as(bob, looks);
		if (!CHECK_EQ(thief.join(), 0))
			fmt::print("    while or after alice {}\n", going.name);
		board->go_on = true;
		if (going.stays)
			CHECK_EQ(victim.join(), 0);
	}
}
