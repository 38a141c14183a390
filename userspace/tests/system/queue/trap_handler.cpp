// SPDX-License-Identifier: MIT
/*
 * trap_handler.cpp - SET_TRAP_HANDLER: what a wave that traps finds in its handler's registers, and that it goes on behind it.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* HW_REG_TRAPSTS ("Vega" ISA manual, 3.10). */
constexpr uint32_t excp_float_div0 = 1u << 2, mem_viol = 1u << 8, illegal_inst = 1u << 11;
constexpr uint32_t status_scc = 1, status_priv = 1u << 5;

/* What the handler of device/trap.s writes. */
struct Record {
	uint32_t ttmp0, ttmp1, trapsts, status;

	[[nodiscard]] uint64_t pc() const noexcept { return ttmp0 | uint64_t{ttmp1 & 0xffff} << 32; }
	[[nodiscard]] unsigned trap_id() const noexcept { return ttmp1 >> 16 & 0xff; }
};

struct Way {
	uint32_t number;
	const char *where;
	uint32_t cause; /* in TRAPSTS */
	unsigned trap_id;
	bool goes_on;
};

constexpr Way ways[] = {
	{0, "behind_division", excp_float_div0, 0, true},
	{1, "at_trap", 0, 7, true},
	{2, "at_illegal", illegal_inst, 0, false},
	{3, "at_violation", mem_viol, 0, false},
};

} // namespace

KFDM_TEST("a trap handler learns the cause and the place, and returns")
{
	Gpu gpu;
	if (gpu.device.node().properties["gfx_target_version"] < 90000)
		skip("GFX8's first-level handler is not modelled");
	Program program = gpu.program("trap");
	Buffer memory = Buffer::gtt(gpu.device, 4096), out = Buffer::gtt(gpu.device, 4096);
	kfd_ioctl_set_trap_handler_args args = {};

	args.gpu_id = gpu.id();
	args.tba_addr = program.symbol("handler");
	args.tma_addr = memory.gpu();
	CHECK_EQ(call(gpu.fd(), AMDKFD_IOC_SET_TRAP_HANDLER, args), 0);
	AqlQueue queue(gpu.device);

	for (const Way &way : ways) {
		Record &record = memory.as<Record>()[0];
		uint32_t *result = out.as<uint32_t>().data();
		Launch launch(gpu.device, program.kernel("traps"), {.grid = {64, 1, 1}});

		record = {};
		result[0] = result[1] = 0;
		launch.arg(out).arg(way.number).run(queue, patience);
		CHECK_EQ(record.pc(), program.symbol(way.where));
		CHECK_EQ(record.trap_id(), way.trap_id);
		CHECK_EQ(record.trapsts & (mem_viol | illegal_inst | excp_float_div0), way.cause);
		CHECK_EQ(record.status & status_priv, 0U);
		CHECK_EQ(result[0], way.goes_on ? 1U : 0U);
		if (way.goes_on)
			CHECK_EQ(record.status & status_scc, status_scc);
		CHECK_EQ(result[1], way.number == 0 ? 0x7f800000U : 0U); /* the division has its result */
	}
	CHECK(works(gpu, queue));
}
