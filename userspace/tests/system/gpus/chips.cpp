// SPDX-License-Identifier: MIT
/*
 * chips.cpp - queue-level work on every GPU of the machine, whatever its generation: the scheduling policy, the clock, AQL barriers,
 * PM4, SDMA, and a kernel, which a chip whose machine code is not modelled refuses with an error code.
 */
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <numeric>

#include "files.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t words = 5000;

/* Chips that execute shaders: GFX8, GFX9, GFX9.4.2, GFX10.3. */
bool executes(const Device &device)
{
	uint64_t target = device.node().properties["gfx_target_version"];

	return (target >= 80000 && target < 90100) || target == 90402 || target / 100 == 1003;
}

/* What debugfs shows of one GPU: the lines below its own. */
std::string debugfs_of(const Device &device, const char *file)
{
	std::string text = read_file(std::string("/sys/kernel/debug/kfd/") + file);
	size_t at = text.find(fmt::format("gpu_id {:x}:\n", device.gpu_id()));

	if (!CHECK(at != text.npos))
		return {};
	at = text.find('\n', at) + 1;
	return text.substr(at, text.find("Node ", at) - at);
}

/*
 * The policy is the module's, except where the firmware's scheduler cannot be had: Hawaii and Tonga (device_queue_manager_init()).
 * With a queue there is a run list where the firmware schedules.
 */
void policy(Device &device)
{
	const bool own = device.node().name == "hawaii" || device.node().name == "tonga";
	const std::string asked = read_file("/sys/module/amdgpu_model/parameters/sched_policy");
	AqlQueue queue(device);
	const bool listed = debugfs_of(device, "rls") != "  No active runlist\n";

	std::printf("    policy asked for %s    %s\n", asked.c_str(), listed ? "run list" : "queue slots");
	CHECK_EQ(listed, !own && asked != "2\n");
}

/* Time stamps count at the rate that AMDGPU_INFO announces; only that of another chip is far off, however busy the host is. */
void clock_rate(Kfd &kfd, const Device &device)
{
	const ClockCounters before = kfd.clocks(device.gpu_id());
	usleep(50'000);
	const ClockCounters after = kfd.clocks(device.gpu_id());
	const double gpu_s = static_cast<double>(after.gpu - before.gpu) / static_cast<double>(device.gpu_clock_hz());
	const double cpu_s = static_cast<double>(after.cpu_ns - before.cpu_ns) / 1e9;

	if (!CHECK(gpu_s > cpu_s / 2 && gpu_s < cpu_s * 2))
		std::printf("    GPU %f s, CPU %f s\n", gpu_s, cpu_s);
}

void aql_barriers(Device &device)
{
	AqlQueue queue(device);
	Signal done = Signal::with_event(device, 1), gate = Signal::with_event(device, 1);
	const Signal *deps[] = {&gate};

	queue.submit(barrier_and(deps, nullptr));
	queue.submit(barrier_and({}, &done, {.barrier = true}));
	usleep(20'000);
	CHECK_EQ(done.value(), 1);
	gate.store(0);
	CHECK(done.event()->wait(patience));
	CHECK_EQ(done.value(), 0);
	CHECK(queue.wait_read(2, patience));
	CHECK(done.end_ticks() >= done.start_ticks());

	/* Round the ring. */
	done.store(3000);
	for (int i = 0; i < 3000; i++)
		queue.submit(barrier_and({}, &done));
	CHECK(done.wait(patience));
	CHECK_EQ(queue.error(), 0U);
}

/* RELEASE_MEM in the generation's own length: the interrupt's context id came with GFX9. */
void release_mem(Pm4Stream &stream, const Device &device, uint64_t at, uint64_t data)
{
	if (device.gfx_major() >= 9) {
		stream.release_mem(at, data);
		return;
	}
	stream.packet(PM4_RELEASE_MEM, {PM4_EVENT_CACHE_FLUSH_AND_INV_TS | 5U << 8, uint32_t{PM4_DATA_64} << 29, static_cast<uint32_t>(at),
					static_cast<uint32_t>(at >> 32), static_cast<uint32_t>(data), static_cast<uint32_t>(data >> 32)});
}

void pm4(Device &device)
{
	Pm4Queue queue(device);
	Buffer memory = Buffer::gtt(device, 4096, memory_coherent);
	volatile uint32_t *word = memory.as<volatile uint32_t>().data();

	/* Long enough to go round the ring. */
	for (uint32_t i = 1; i <= 2000; i++) {
		Pm4Stream stream;

		stream.nop(3).write_data(memory.gpu(), i).wait_mem(memory.gpu(), PM4_EQUAL, i);
		release_mem(stream, device, memory.gpu() + 64, 0x1'0000'0000ULL + i);
		queue.submit(stream);
	}
	CHECK(eventually([&] { return word[16] == 2000; }));
	CHECK_EQ(word[17], 1U);
	CHECK_EQ(word[0], 2000U);
	CHECK(queue.wait_read(patience));
}

void sdma(Device &device)
{
	SdmaQueue queue(device);
	Event event = Event::signal(device);
	Buffer from = Buffer::vram(device, words * 4), to = Buffer::gtt(device, words * 4, memory_coherent);
	Buffer fence = Buffer::gtt(device, 4096, memory_coherent);
	volatile uint32_t *word = fence.as<volatile uint32_t>().data();
	std::span<uint32_t> source = from.as<uint32_t>();

	std::iota(source.begin(), source.end(), 12345U);
	for (uint32_t i = 1; i <= 600; i++) {
		SdmaStream stream = queue.stream();
		const uint32_t data[] = {i, ~i};

		stream.copy(to.gpu(), from.gpu(), words * 4).write(fence.gpu() + 64, data).fill(fence.gpu() + 128, i, 8);
		queue.submit(stream.fence(fence.gpu(), i));
		if (i % 100 == 0)
			REQUIRE(eventually([&] { return word[0] == i; }));
	}
	CHECK(std::equal(source.begin(), source.begin() + words, to.as<uint32_t>().begin()));
	CHECK_EQ(word[16], 600U);
	CHECK_EQ(word[17], ~600U);
	CHECK_EQ(word[32], 600U);
	CHECK_EQ(word[33], 600U);
	CHECK_EQ(word[34], 0U);

	/* The trap wakes a waiter, as the fence before it has written the event's slot. */
	SdmaStream stream = queue.stream();
	stream.fence(reinterpret_cast<uint64_t>(event.slot()), event.id()).trap(event.id());
	queue.submit(stream);
	CHECK(event.wait(patience));
}

void kernel(Device &device)
{
	AqlQueue queue(device);
	Buffer out = Buffer::vram(device, 4096);

	if (executes(device)) {
		Program program = Program::load(device, CodeObject::read(find_device_code("test", device.node().isa())));
		Launch launch(device, program.kernel("ids"), {.grid = {1000, 1, 1}});

		launch.arg(out);
		launch.run(queue, patience);
		CHECK_EQ(out.as<uint32_t>()[999], 999U * 3 + 7);
		return;
	}
	AqlDispatch packet = {};
	packet.header = AqlHeader{}.encode(AQL_KERNEL_DISPATCH);
	packet.kernel_object = out.gpu();
	queue.submit(packet);
	CHECK(eventually([&] { return queue.error() == AMD_QUEUE_ERROR_CODE; }));
}

/* Each has a doorbell of its own. */
void two_queues(Device &device)
{
	AqlQueue first(device), second(device);
	Signal done = Signal::with_event(device, 1);

	for (AqlQueue *queue : {&second, &first, &second}) {
		done.store(1);
		queue->submit(barrier_and({}, &done));
		CHECK(done.wait(patience));
	}
}

} // namespace

KFDM_TEST("every GPU does the work of queues, generation by generation")
{
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();

	for (unsigned g = 0; g < topology.gpu_count(); g++) {
		Device device = Device::open(kfd, topology.gpu(g));

		std::printf("%s\n", device.node().name.c_str());
		policy(device);
		clock_rate(kfd, device);
		aql_barriers(device);
		two_queues(device);
		pm4(device);
		sdma(device);
		kernel(device);
	}
}
