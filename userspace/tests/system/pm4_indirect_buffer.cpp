// SPDX-License-Identifier: MIT
/*
 * pm4_indirect_buffer.cpp - INDIRECT_BUFFER: forbidden to PM4 queues (amdkfd sets IB_EXE_DISABLE for GFX9), allowed inside the
 * AQL vendor packet.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("indirect buffers run from AQL and not from a user's PM4 ring")
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
	Event exception = Event::hw_exception(gpu.device);
	Pm4Queue pm4(gpu.device);
	pm4.submit(Pm4Stream().indirect_buffer(ib.gpu(), size));
	CHECK(exception.wait(patience));
	CHECK_EQ(uint32_t{words[0]}, 0U);
	/* Other queues of the process go on. */
	AqlQueue other(gpu.device);
	CHECK(works(gpu, other));
}
