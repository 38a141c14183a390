// SPDX-License-Identifier: MIT
/*
 * queue_limits.cpp - how many queues there may be: 127 a process and a device, without over-subscription as many as the hardware has
 * slots; as many SDMA queues as engines have.
 */
#include <set>
#include <vector>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Queues that share all memory: only their number matters here. Return: the errno that ends it. */
int fill(RawQueue &queue, std::vector<uint32_t> *ids, std::set<uint64_t> *doorbells)
{
	for (;;) {
		if (int error = queue.create())
			return error;
		ids->push_back(queue.args.queue_id);
		doorbells->insert(queue.args.doorbell_offset);
		if (ids->size() > 1024)
			return 0;
	}
}

void destroy(Gpu &gpu, const std::vector<uint32_t> &ids)
{
	for (uint32_t id : ids) {
		kfd_ioctl_destroy_queue_args args = {id, 0};

		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_DESTROY_QUEUE, args));
	}
}

void sdma_engines_fill(Gpu &gpu, uint32_t type, uint64_t engines)
{
	std::vector<uint32_t> ids;
	std::set<uint64_t> doorbells;
	RawQueue queue(gpu, type);

	CHECK_ERRNO(ENOMEM, fill(queue, &ids, &doorbells));
	CHECK_EQ(ids.size(), engines * gpu.device.node().properties["num_sdma_queues_per_engine"]);
	CHECK_EQ(doorbells.size(), ids.size());
	destroy(gpu, ids);
}

} // namespace

KFDM_TEST("queues are limited to 127 (255 on MI300X), SDMA queues to what the engines have")
{
	Gpu gpu;
	const Properties &p = gpu.device.node().properties;
	std::vector<uint32_t> ids;
	std::set<uint64_t> doorbells;

	RawQueue compute(gpu);
	const QueueLimit limit = active_queue_limit(gpu);
	CHECK_ERRNO(limit.error ? limit.error : ENOSPC, fill(compute, &ids, &doorbells));
	CHECK_EQ(ids.size(), limit.error ? limit.queues : gpu.device.node().isa() == "gfx942" ? 255U : 127U);
	CHECK_EQ(std::set<uint32_t>(ids.begin(), ids.end()).size(), ids.size());
	CHECK_EQ(doorbells.size(), ids.size());
	destroy(gpu, ids);

	sdma_engines_fill(gpu, KFD_IOC_QUEUE_TYPE_SDMA, p["num_sdma_engines"]);
	sdma_engines_fill(gpu, KFD_IOC_QUEUE_TYPE_SDMA_XGMI, p["num_sdma_xgmi_engines"]);

	/* All have come back. */
	AqlQueue queue(gpu.device);
	CHECK_EQ(queue.id(), 0U);
	CHECK(works(gpu, queue));
}
