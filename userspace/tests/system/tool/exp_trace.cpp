// SPDX-License-Identifier: MIT
/*
 * exp_trace.cpp - the same experiment on the silicon alone and through the device nodes: packets, workgroups and waves are at the
 * same places at the same times, counted from the first packet.
 */
#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "exp/rtns.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

using Events = std::vector<amdm_ctl_trace_event>;

bool wanted(const amdm_ctl_trace_event &event)
{
	switch (static_cast<TraceKind>(event.kind)) {
	case TraceKind::PacketStart:
	case TraceKind::PacketEnd:
	case TraceKind::WorkgroupStart:
	case TraceKind::WorkgroupEnd:
	case TraceKind::WaveStart:
	case TraceKind::WaveEnd: return true;
	default: return false;
	}
}

/* Without the firmware's scheduler the driver deals pipes in turn, and others have had queues before: the next one is the first pipe's. */
void begin_at_the_first_pipe(exp::Machine &machine)
{
	constexpr unsigned pipes = 4;

	for (unsigned pipe = 0, tries = 0; pipe != pipes - 1 && tries < pipes; tries++) {
		auto client = machine.client();

		(void)machine.take_trace();
		machine.trace(true);
		client->create_queue({});
		machine.trace(false);
		for (const amdm_ctl_trace_event &event : machine.take_trace())
			if (static_cast<TraceKind>(event.kind) == TraceKind::QueueMap)
				pipe = event.where >> 4 & 0xf;
	}
}

/* Two processes: large workgroups on some CUs, small ones on all; both in their rings before time goes on. */
Events record(exp::Machine &machine)
{
	auto a = machine.client(), b = machine.client();
	unsigned large = a->create_queue({.mask = exp::packed_mask(machine.facts(), machine.facts().cus() / 2 + 1)});
	unsigned small = b->create_queue({});
	exp::Work work = exp::mm1024.quick(1), other = exp::mm256.quick(2);

	work.grid[0] = 64 * 1024;
	other.grid[0] = 256 * 256;
	a->submit(large, work);
	b->submit(small, other, 2);
	(void)machine.take_trace();
	machine.trace(true);
	machine.run_idle();
	machine.trace(false);
	Events events = machine.take_trace();
	std::erase_if(events, [](const amdm_ctl_trace_event &event) { return !wanted(event); });
	return events;
}

std::string text(const amdm_ctl_trace_event &e, const amdm_ctl_trace_event &first)
{
	return fmt::format("cycle {} {} where {:#x} a {:#x} b {:#x}", e.cycle - first.cycle, trace_kind_name(e.kind), e.where, e.a, e.b);
}

/** Names that the modules were loaded with, one a GPU; the last is that of all that follow. */
std::vector<std::string> chip_names()
{
	std::istringstream list(read_file("/sys/module/amdgpu_model/parameters/chip"));
	std::vector<std::string> names;

	for (std::string name; std::getline(list, name, ',');)
		names.push_back(name.substr(0, name.find('\n')));
	return names;
}

void check_same(const Events &through_kernel, const Events &alone, const std::string &what)
{
	CHECK(through_kernel.size() > 1000);
	CHECK_EQ(through_kernel.size(), alone.size());
	for (size_t i = 0; i < std::min(alone.size(), through_kernel.size()); i++) {
		std::string k = text(through_kernel[i], through_kernel[0]), n = text(alone[i], alone[0]);

		if (k == n)
			continue;
		fail(__FILE__, __LINE__, fmt::format("{}: event {} differs:\n  kernel  {}\n  silicon {}", what, i, k, n));
		break;
	}
}

/** False: the other machine is not to be had. */
bool compare(unsigned gpu, const std::string &chip)
{
	const auto placement = sched_policy() == 2 ? exp::Placement::Driver : exp::Placement::Firmware;
	std::unique_ptr<exp::Machine> kernel, silicon;

	try {
		kernel = exp::kfd_machine(gpu);
	} catch (const std::system_error &e) { /* engines of different sizes: a few CUs of MI300X */
		if (e.code().value() != EOPNOTSUPP)
			throw;
		std::printf("    %s: %s\n", chip.c_str(), e.what());
		return false;
	}
	/* The small driver sets UNORD_DISPATCH, as Linux does since 6.7. */
	if (kernel->facts().isa.starts_with("gfx10") && read_file("/sys/module/kfd_model/parameters/abi").starts_with("6.1")) {
		std::printf("    %s: this driver's queues are ordered\n", chip.c_str());
		return false;
	}
	try {
		silicon = exp::silicon_machine(chip, kernel->facts().cus_per_engine, placement);
	} catch (const std::system_error &e) {
		std::printf("    %s: %s\n", chip.c_str(), e.what());
		return false;
	}
	begin_at_the_first_pipe(*kernel);
	/* The second time both begin where the first one's processes have left them. */
	for (const char *when : {"first", "second"}) {
		const Events through_kernel = record(*kernel), alone = record(*silicon);

		check_same(through_kernel, alone, fmt::format("{}, {} time", chip, when));
		std::printf("    %s: %zu events\n", chip.c_str(), alone.size());
	}
	return true;
}

} // namespace

KFDM_TEST("an experiment gives the same trace with and without the kernel")
{
	const std::vector<std::string> names = chip_names();
	const unsigned gpus = Topology::read().gpu_count();
	unsigned compared = 0;

	REQUIRE(alone());
	REQUIRE(!names.empty());
	for (unsigned gpu = 0; gpu < gpus; gpu++) {
		Lab::open(gpu).reset();
		compared += compare(gpu, names[std::min<size_t>(gpu, names.size() - 1)]);
	}
	if (!compared)
		skip("there is no other machine for these chips");
}
