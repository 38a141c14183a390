// SPDX-License-Identifier: MIT
/*
 * pm4_dispatch.cpp - a kernel started by registers: SET_SH_REG and DISPATCH_DIRECT, as a driver without AQL does it.
 */
#include <cstring>
#include <vector>

#include <hw/regs.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("SET_SH_REG and DISPATCH_DIRECT run a kernel")
{
	Gpu gpu;
	Pm4Queue queue(gpu.device);
	Program program = gpu.program();
	Kernel kernel = program.kernel("count");
	Buffer counter = Buffer::vram(gpu.device, 4096), kernarg = Buffer::gtt(gpu.device, 4096, memory_coherent);
	Buffer fence = Buffer::gtt(gpu.device, 4096, memory_coherent);
	const auto *descriptor = program.memory().as<uint8_t>().data() + (kernel.descriptor - program.memory().gpu());
	int64_t entry = 0;
	uint32_t rsrc[2], rsrc3[1];
	uint16_t properties = 0;

	std::memcpy(&entry, descriptor + KD_CODE_ENTRY_OFFSET, sizeof(entry));
	std::memcpy(&rsrc[0], descriptor + KD_RSRC1, sizeof(rsrc));
	std::memcpy(&properties, descriptor + KD_CODE_PROPERTIES, sizeof(properties));
	std::memcpy(rsrc3, descriptor + KD_RSRC3, sizeof(rsrc3));
	/* `count` is given a scratch descriptor, which it does not use, and its arguments' address; on gfx942 there is no such descriptor. */
	const bool gfx942 = gpu.device.node().isa() == "gfx942";
	CHECK_EQ(properties & 0x7fU, (gfx942 ? 0U : uint32_t{KD_ENABLE_PRIVATE_SEGMENT_BUFFER}) | KD_ENABLE_KERNARG_SEGMENT_PTR);
	kernarg.as<uint64_t>()[0] = counter.gpu();

	uint64_t code = kernel.descriptor + static_cast<uint64_t>(entry);
	const uint32_t pgm[] = {static_cast<uint32_t>(code >> 8), static_cast<uint32_t>(code >> 40)};
	std::vector<uint32_t> user(gfx942 ? 0 : 4);
	const uint32_t start[] = {0, 0, 0}, threads[] = {64, 1, 1}, none[] = {0};
	Pm4Stream stream;

	user.insert(user.end(), {static_cast<uint32_t>(kernarg.gpu()), static_cast<uint32_t>(kernarg.gpu() >> 32)});
	if (gfx942) /* where AGPRs begin */
		stream.set_sh_reg(mmCOMPUTE_PGM_RSRC3, rsrc3);
	stream.set_sh_reg(mmCOMPUTE_START_X, start)
		.set_sh_reg(mmCOMPUTE_NUM_THREAD_X, threads)
		.set_sh_reg(mmCOMPUTE_PGM_LO, pgm)
		.set_sh_reg(mmCOMPUTE_PGM_RSRC1, rsrc)
		.set_sh_reg(mmCOMPUTE_RESOURCE_LIMITS, none)
		.set_sh_reg(mmCOMPUTE_TMPRING_SIZE, none)
		.set_sh_reg(mmCOMPUTE_USER_DATA_0, user)
		.dispatch_direct(5, 2, 1)
		.dispatch_direct(100, 1, 1, true) /* in work-items: one full workgroup, one of 36 */
		.release_mem(fence.gpu(), 1);
	queue.submit(stream);
	CHECK(eventually([&] { return fence.as<volatile uint32_t>()[0] == 1; }));
	CHECK_EQ(counter.as<uint32_t>()[0], 5U * 2 * 64 + 100);
}
