// SPDX-License-Identifier: MIT
/*
 * queue_update.cpp - UPDATE_QUEUE: percentage 0 takes a queue off the hardware, priority reaches its descriptor.
 */
#include <unistd.h>

#include <hw/mqd.h>

#include <kfdm/queue_place.hpp>

#include "gpu.hpp"
#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* While disabled nothing is taken; what was queued meanwhile runs afterwards. */
void percentage(Gpu &gpu, AqlQueue &queue)
{
	Signal done = Signal::with_event(gpu.device);

	CHECK(works(gpu, queue));
	queue.update(0, 7);
	queue.submit(barrier_and({}, &done));
	CHECK(!done.wait(a_while));
	CHECK_EQ(done.value(), 1);
	AqlQueue other(gpu.device);
	CHECK(works(gpu, other));
	CHECK_EQ(done.value(), 1);
	queue.update(100, 7);
	CHECK(done.wait(patience));
	queue.update(1, 7); /* anything but 0 means running */
	CHECK(works(gpu, queue));
}

/* The pipe's priority is low, medium or high, the queue's is the number itself (Linux: kfd_mqd_manager.c). */
void priority(Gpu &gpu, AqlQueue &queue)
{
	struct Row {
		uint32_t priority, pipe;
	};

	Lab lab = lab_or_skip();
	if (access("/sys/kernel/debug/kfd/hqds", R_OK))
		skip("debugfs cannot be read");
	for (Row row : {Row{0, 0}, Row{6, 0}, Row{7, 1}, Row{10, 1}, Row{11, 2}, Row{15, 2}}) {
		queue.update(100, row.priority);
		/* The ioctl returns when the new run list is on its way, not when the queue is back on the hardware. */
		std::optional<QueuePlace> place;
		REQUIRE(eventually([&] { return (place = read_queue_place(queue.ring().gpu())).has_value(); }));
		auto mqd = [&](mqd_v9 dword) { return lab.peek32(AMDM_CTL_SPACE_VMID, 0, place->mqd + dword * 4U); };
		CHECK_EQ(mqd(MQD_V9_cp_hqd_pipe_priority), row.pipe);
		CHECK_EQ(mqd(MQD_V9_cp_hqd_queue_priority), is_7_2() ? 0U : row.priority); /* 7.2 leaves it alone */
		CHECK(works(gpu, queue));
	}
}

} // namespace

KFDM_TEST("a queue can be stopped, started and given another priority")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	percentage(gpu, queue);
	priority(gpu, queue);
}
