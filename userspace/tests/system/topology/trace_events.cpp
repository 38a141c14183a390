// SPDX-License-Identifier: MIT
/*
 * trace_events.cpp - what ftrace shows of a queue's life: events of the group kfd_model, in order, with their arguments.
 */
#include <sys/mman.h>

#include "recovery.hpp"
#include "tracing.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

std::string of(const char *event, const Gpu &gpu) { return fmt::format("{}: gpu={}", event, gpu.id()); }

} // namespace

KFDM_TEST("trace events tell a queue's life")
{
	Gpu gpu;
	Recording recording("kfd_model");
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
		recording.wait_for("phase=end"); /* a moment after SMI's */
		recording.expect({of("queue_preempt", gpu), "filter=all error=-62", "phase=hang", "phase=begin", "phase=end"});
	}
}
