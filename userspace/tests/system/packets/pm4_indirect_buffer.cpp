// SPDX-License-Identifier: MIT
/*
 * pm4_indirect_buffer.cpp - INDIRECT_BUFFER: from the ring of a PM4 queue, as kfdtest submits all its dispatches, and inside the
 * AQL vendor packet. (IB_EXE_DISABLE, which amdkfd sets in every GFX9 MQD, does not stop either on real parts.)
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("indirect buffers run from AQL and from a user's PM4 ring, in order")
{
	Gpu gpu;
	Buffer memory = Buffer::gtt(gpu.device, 4096, memory_coherent), ib = Buffer::gtt(gpu.device, 4096, memory_coherent);
	auto *words = memory.as<volatile uint32_t>().data();
	Pm4Stream inside;

	inside.write_data(memory.gpu(), 1).acquire_mem();
	std::copy(inside.dwords().begin(), inside.dwords().end(), ib.as<uint32_t>().begin());
	auto size = static_cast<uint32_t>(inside.dwords().size());

	{
		AqlQueue aql(gpu.device);
		Signal done = Signal::with_event(gpu.device);

		aql.submit(pm4_ib(ib.gpu(), size, &done));
		CHECK(done.wait(patience));
		CHECK_EQ(uint32_t{words[0]}, 1U);
		CHECK_EQ(aql.error(), 0U);
	}
	words[0] = 0;
	Pm4Queue pm4(gpu.device);
	/* What follows the packet in the ring comes after what is in the buffer. */
	pm4.submit(Pm4Stream().indirect_buffer(ib.gpu(), size).write_data(memory.gpu() + 4, 2));
	CHECK(eventually([&] { return words[1] == 2; }));
	CHECK_EQ(uint32_t{words[0]}, 1U);
	CHECK(pm4.wait_read(patience));
	/* Other queues of the process go on. */
	AqlQueue other(gpu.device);
	CHECK(works(gpu, other));
}
