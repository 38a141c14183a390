// SPDX-License-Identifier: MIT
/*
 * debug_queues.cpp - a debugger takes a program's queue off the hardware, reads its waves, and lets it go on.
 */
#include <fcntl.h>

#include <algorithm>
#include <thread>

#include "debugger.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};

struct QueueSnapshot {
	uint64_t exceptions, ring, write_pointer, read_pointer, save_area;
	uint32_t queue, gpu, ring_size, type, save_area_size, reserved;
};
static_assert(sizeof(QueueSnapshot) == 64);

struct DeviceSnapshot {
	uint64_t exceptions, lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
	uint32_t gpu, location, vendor, device, revision, subvendor, subdevice, firmware, gfx_target_version, simds, waves_per_simd, arrays,
		arrays_per_engine, xccs, capability, debug_prop, capability2, pad;
};
static_assert(sizeof(DeviceSnapshot) == 128);

/* Linux 7.2: kfd_ioctl.h: kfd_context_save_area_header */
struct SaveAreaHeader {
	uint32_t stack_offset, stack_size, waves_offset, waves_size;
	uint32_t debug_offset, debug_size;
	uint64_t payload;
	uint32_t event, reserved;
};

struct Array {
	uint64_t exceptions, address;
	uint32_t num, bytes;
};

struct Suspension {
	uint64_t exceptions, ids;
	uint32_t num, grace;
};

struct Resumption {
	uint64_t ids;
	uint32_t num, pad;
};

template <size_t n> int suspend(Debugger &debugger, uint32_t (&ids)[n], uint64_t exceptions = 0)
{
	Suspension args = {exceptions, reinterpret_cast<uint64_t>(ids), n, 0};

	return debugger.operate(debug_suspend_queues, args);
}

template <size_t n> int resume(Debugger &debugger, uint32_t (&ids)[n])
{
	Resumption args = {reinterpret_cast<uint64_t>(ids), n, 0};

	return debugger.operate(debug_resume_queues, args);
}

/* The memory of another process, which is traced. */
std::vector<uint32_t> read_memory(pid_t pid, uint64_t at, size_t bytes)
{
	UniqueFd fd(checked_open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR));
	std::vector<uint32_t> words(bytes / 4);

	CHECK_EQ(pread(fd.get(), words.data(), bytes, static_cast<off_t>(at)), static_cast<ssize_t>(bytes));
	return words;
}

/* { what the kernel waits for, what it writes then }, for the GPU and for the CPU */
struct Words {
	uint64_t gpu, cpu;
};

/* A program with a queue whose kernel waits for a word; it says which address that is, and ends well if the kernel has. */
void waiting_program(int pipe_end)
{
	Gpu gpu;
	RuntimeEnable runtime = {0, 1, 0};

	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, runtime));
	AqlQueue queue(gpu.device);
	Program program = gpu.program();
	Buffer words = Buffer::anonymous(gpu.device, 4096); /* for User-Mode Linux, where debuggers see no other */
	Launch launch(gpu.device, program.kernel("spin"), {.grid = {64, 1, 1}});
	const Words where = {words.gpu(), reinterpret_cast<uint64_t>(words.as<uint32_t>().data())};

	words.as<uint32_t>()[0] = words.as<uint32_t>()[1] = 0;
	launch.arg(where.gpu).arg(where.gpu + 4);
	launch.submit(queue);
	REQUIRE(write(pipe_end, &where, sizeof(where)) == sizeof(where));
	Child::ready();
	CHECK(launch.wait(patience));
	CHECK_EQ(words.as<uint32_t>()[1], 1U);
}

QueueSnapshot snapshot(Debugger &debugger, uint64_t clear)
{
	QueueSnapshot entries[4] = {};
	Array args = {clear, reinterpret_cast<uint64_t>(entries), 4, sizeof(QueueSnapshot)};

	CHECK_EQ(debugger.operate(debug_queue_snapshot, args), 0);
	CHECK_EQ(args.num, 1U);
	CHECK_EQ(args.bytes, sizeof(QueueSnapshot));
	return entries[0];
}

void snapshots(Gpu &gpu, Debugger &debugger)
{
	DeviceSnapshot devices[3] = {};
	Array args = {0, reinterpret_cast<uint64_t>(devices), 3, sizeof(DeviceSnapshot)};
	auto properties = gpu.device.node().properties;

	CHECK_EQ(debugger.operate(debug_device_snapshot, args), 0);
	CHECK(args.num >= 1 && args.bytes == sizeof(DeviceSnapshot));
	CHECK_EQ(devices[0].gpu, gpu.id());
	CHECK_EQ(devices[0].gfx_target_version, properties["gfx_target_version"]);
	CHECK_EQ(devices[0].simds, properties["simd_count"]);
	CHECK_EQ(devices[0].location, properties["location_id"]);
	CHECK_EQ(devices[0].capability, properties["capability"]);
	CHECK_EQ(devices[0].capability2, properties["capability2"]);
	CHECK_EQ(devices[0].debug_prop, properties["debug_prop"]);
	CHECK(devices[0].lds_base && devices[0].scratch_limit > devices[0].scratch_base);
	args = {0, 0, 3, sizeof(DeviceSnapshot)};
	CHECK_EQ(debugger.operate(debug_device_snapshot, args), -EINVAL);
	args = {0, 8, 3, sizeof(DeviceSnapshot)};
	CHECK_EQ(debugger.operate(debug_device_snapshot, args), -EFAULT);
	args = {0, 0, 0, 0};
	CHECK_EQ(debugger.operate(debug_queue_snapshot, args), -EINVAL);
	args = {0, 0, 0, 8}; /* only the number */
	CHECK_EQ(debugger.operate(debug_queue_snapshot, args), 0);
	CHECK_EQ(args.num, 1U);
}

/* Each die has its part of the save area; the wave is in one of them. */
uint64_t used_area(pid_t pid, const QueueSnapshot &queue, uint32_t xccs, SaveAreaHeader &area)
{
	for (uint32_t xcc = 0; xcc < xccs; xcc++) {
		const uint64_t at = queue.save_area + uint64_t{xcc} * queue.save_area_size;
		auto header = read_memory(pid, at, sizeof(SaveAreaHeader));

		memcpy(&area, header.data(), sizeof(area));
		if (area.stack_size)
			return at;
	}
	return queue.save_area;
}

/* Its registers have the address that the kernel waits for. */
void waves_are_saved(pid_t pid, const QueueSnapshot &queue, uint32_t xccs, uint64_t address)
{
	SaveAreaHeader area = {};
	const uint64_t at = used_area(pid, queue, xccs, area);

	CHECK(area.stack_size > 0 && area.waves_size > 0);
	CHECK(area.waves_offset <= queue.save_area_size && area.waves_size <= area.waves_offset);
	auto waves = read_memory(pid, at + area.waves_offset - area.waves_size, area.waves_size);
	const uint32_t want[] = {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)};
	CHECK(std::search(waves.begin(), waves.end(), std::begin(want), std::end(want)) != waves.end());
	auto stack = read_memory(pid, at + area.stack_offset, area.stack_size);
	CHECK(std::any_of(stack.begin(), stack.end(), [](uint32_t word) { return word != 0; }));
}

void set_word(pid_t pid, uint64_t at, uint32_t value)
{
	UniqueFd fd(checked_open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR));

	if (pwrite(fd.get(), &value, sizeof(value), static_cast<off_t>(at)) != sizeof(value))
		fail(__FILE__, __LINE__, fmt::format("write to {:#x}: errno {}", at, errno));
}

void suspend_and_resume(Gpu &gpu)
{
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	Child program([&] { waiting_program(ends[1]); });
	Debugger debugger(gpu.fd(), program.pid());
	Words words = {};

	REQUIRE(program.wait_ready());
	REQUIRE(read(ends[0], &words, sizeof(words)) == sizeof(words));
	REQUIRE(seize(program.pid()) == 0);
	REQUIRE(debugger.attach(all) == 0);
	CHECK_EQ(debugger.info.runtime_state, 1U);
	snapshots(gpu, debugger);

	QueueSnapshot queue = snapshot(debugger, 0);
	CHECK_EQ(queue.exceptions, exception_mask(ec_queue_new));
	CHECK_EQ(queue.gpu, gpu.id());
	CHECK_EQ(queue.type, uint32_t{KFD_IOC_QUEUE_TYPE_COMPUTE_AQL});
	uint32_t ids[] = {queue.queue, 77};
	CHECK_EQ(suspend(debugger, ids), 0); /* a new one that the debugger has not seen */
	CHECK_EQ(ids[0], queue.queue | queue_invalid);
	CHECK_EQ(ids[1], 77U | queue_invalid);
	snapshot(debugger, exception_mask(ec_queue_new));
	ids[0] = queue.queue;
	usleep(20000); /* the kernel has begun */
	CHECK_EQ(suspend(debugger, ids), 1);
	CHECK_EQ(ids[0], queue.queue);
	CHECK_EQ(ids[1], 77U | queue_invalid);
	CHECK_EQ(suspend(debugger, ids), 1); /* once more */
	waves_are_saved(program.pid(), queue, static_cast<uint32_t>(gpu.device.node().properties["num_xcc"]), words.gpu);

	set_word(program.pid(), words.cpu, 1);
	usleep(100000);
	CHECK_EQ(read_memory(program.pid(), words.cpu, 8)[1], 0U); /* it stands still */
	CHECK_EQ(resume(debugger, ids), 1);
	CHECK_EQ(ids[0], queue.queue);
	CHECK_EQ(program.join(), 0);
	CHECK_EQ(debugger.detach(), -ESRCH);
	close(ends[0]);
	close(ends[1]);
}

/* A program's own thread waits with DESTROY_QUEUE until the debugger, here itself, resumes the queue or detaches. */
void destroyed_later(Gpu &gpu)
{
	RuntimeEnable on = {0, 1, 0}, off = {};
	Debugger self(gpu.fd(), getpid());

	REQUIRE(call(gpu.fd(), RuntimeEnable::request, on) == 0);
	REQUIRE(self.attach(0) == 0);
	for (bool detaches : {false, true}) {
		RawQueue queue(gpu);
		DebugEvent event;

		REQUIRE(queue.create() == 0);
		CHECK_EQ(self.enable(all), 0);
		CHECK(self.wait_for(all, event));
		uint32_t ids[] = {queue.args.queue_id};
		CHECK_EQ(suspend(self, ids), 1);
		pid_t tid = 0;
		int destroyed = -1;
		std::thread thread([&] {
			__atomic_store_n(&tid, gettid(), __ATOMIC_SEQ_CST);
			destroyed = queue.destroy();
		});
		CHECK(eventually([&] {
			pid_t id = __atomic_load_n(&tid, __ATOMIC_SEQ_CST);
			return id && sleeps_in_ioctl(id, AMDKFD_IOC_DESTROY_QUEUE);
		}));
		CHECK_ERRNO(EBUSY, queue.destroy());
		if (detaches)
			CHECK_EQ(self.detach(), 0);
		else
			CHECK_EQ(resume(self, ids), 1);
		thread.join();
		CHECK_EQ(destroyed, 0);
	}
	CHECK_ERRNO(0, call(gpu.fd(), RuntimeEnable::request, off));
}

/* A debugger that dies with a queue suspended. */
void a_debugger_dies()
{
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	Child program([&] { waiting_program(ends[1]); });
	Words words = {};

	REQUIRE(program.wait_ready());
	REQUIRE(read(ends[0], &words, sizeof(words)) == sizeof(words));
	{
		Child other([&] {
			Gpu own;
			Debugger debugger(own.fd(), program.pid());

			REQUIRE(seize(program.pid()) == 0);
			REQUIRE(debugger.attach(all) == 0);
			uint32_t ids[] = {snapshot(debugger, all).queue};
			CHECK_EQ(suspend(debugger, ids), 1);
			Child::ready();
			pause();
		});
		REQUIRE(other.wait_ready());
	}
	REQUIRE(seize(program.pid()) == 0);
	set_word(program.pid(), words.cpu, 1);
	CHECK_EQ(program.join(), 0);
	close(ends[0]);
	close(ends[1]);
}

/* The program dies while its queue is suspended. */
void a_program_dies(Gpu &gpu)
{
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	Child program([&] { waiting_program(ends[1]); });
	Debugger debugger(gpu.fd(), program.pid());

	REQUIRE(program.wait_ready());
	REQUIRE(seize(program.pid()) == 0);
	REQUIRE(debugger.attach(all) == 0);
	uint32_t ids[] = {snapshot(debugger, all).queue};
	CHECK_EQ(suspend(debugger, ids), 1);
	program.kill();
	CHECK(eventually([&] { return debugger.detach() == -ESRCH; }));
	close(ends[0]);
	close(ends[1]);
}

} // namespace

KFDM_TEST_OF("7.2", "a debugger suspends a queue, reads its waves and resumes it, whoever dies meanwhile")
{
	Gpu gpu;

	if (sched_policy() == 2)
		skip("no debugger without firmware scheduling");
	suspend_and_resume(gpu);
	destroyed_later(gpu);
	a_debugger_dies();
	a_program_dies(gpu);
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
