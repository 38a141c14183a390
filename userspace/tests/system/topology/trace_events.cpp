// SPDX-License-Identifier: MIT
/*
 * trace_events.cpp - what ftrace shows of a queue's life: events of the group kfd_model, in order, with their arguments.
 */
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

const std::string tracing = "/sys/kernel/tracing/";

/* Records the group while it lives. */
class Recording {
public:
	Recording()
	{
		if (access((tracing + "events").c_str(), F_OK) && mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr))
			skip("no tracefs");
		if (access((tracing + "events/kfd_model/enable").c_str(), W_OK))
			skip("this kernel has no trace events");
		write_file(tracing + "trace", "");
		write_file(tracing + "events/kfd_model/enable", "1");
	}
	~Recording() { write_file(tracing + "events/kfd_model/enable", "0"); }

	/* Until the trace has @line. */
	void wait_for(const std::string &line)
	{
		CHECK(eventually([&] { return read_file(tracing + "trace").find(line) != std::string::npos; }));
	}
	/* Each wanted line must come after the one before it. */
	void expect(const std::vector<std::string> &wanted)
	{
		std::string text = read_file(tracing + "trace");
		size_t at = 0;

		for (const std::string &line : wanted) {
			size_t next = text.find(line, at);

			if (!CHECK(next != text.npos)) {
				fmt::print("  '{}' is missing in\n{}\n", line, text.substr(at));
				return;
			}
			at = next + line.size();
		}
	}
	void clear() { write_file(tracing + "trace", ""); }
};

std::string of(const char *event, const Gpu &gpu)
{
	return fmt::format("{}: gpu={}", event, gpu.id());
}

} // namespace

KFDM_TEST("trace events tell a queue's life")
{
	Gpu gpu;
	Recording recording;
	bool hws = read_file("/sys/module/amdgpu_model/parameters/sched_policy") != "2\n";

	{
		AqlQueue queue(gpu.device, {.priority = 11});
		std::string id = fmt::format(" queue={} type=compute priority=11", queue.id());
		recording.expect({of("queue_map", gpu), id, of("queue_create", gpu), id});

		recording.clear();
		queue.update(0, 11);
		recording.expect({of("queue_preempt", gpu), "error=0", of("queue_unmap", gpu), id});
		recording.clear();
		queue.update(100, 3);
		recording.expect({of("queue_map", gpu), fmt::format(" queue={} type=compute priority=3", queue.id())});

		/* The pages of a userptr that the GPU has used go: its process's queues leave meanwhile. */
		void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		Buffer buffer = Buffer::userptr(gpu.device, memory, 4096);
		Program program = gpu.program();
		Launch launch(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

		launch.arg(buffer).arg(uint32_t{5}).run(queue, patience);
		CHECK_EQ(buffer.as<uint32_t>()[0], 5U);
		recording.clear();
		madvise(memory, 4096, MADV_DONTNEED);
		recording.wait_for("queue_restore: ");
		CHECK(works(gpu, queue));
		recording.expect({of("queue_evict", gpu), "depth=1", of("queue_unmap", gpu), of("queue_restore", gpu), "depth=1",
				  of("queue_map", gpu)});
		recording.clear();
	}
	recording.expect({of("queue_unmap", gpu), of("queue_destroy", gpu)});

	recording.clear();
	Lab lab = lab_or_skip();
	lab.reset();
	recording.expect({of("gpu_reset", gpu), "phase=begin", of("gpu_reset", gpu), "phase=end error=0"});
	if (hws) {
		recording.clear();
		ShortTimeout timeout;
		ResetWatch watch(gpu);
		kfd_hsa_hw_exception_data data = {};

		write_file("/sys/kernel/debug/kfd/hang_hws", std::to_string(gpu.id()));
		REQUIRE(watch.wait(&data));
		REQUIRE(watch.smi_told());
		recording.wait_for("phase=end");	/* a moment after SMI's */
		recording.expect({of("queue_preempt", gpu), "filter=all error=-62", "phase=hang", "phase=begin", "phase=end"});
	}
}
