// SPDX-License-Identifier: MIT
/*
 * lab.cpp - /dev/amdgpu_model_ctl.
 */
#include <kfdm/lab.hpp>

#include <fcntl.h>

#include <array>
#include <cstddef>

#include <kfdm/error.hpp>

namespace kfdm {

Lab Lab::open(uint32_t gpu)
{
	UniqueFd fd(checked_open(AMDM_CTL_DEVICE, O_RDWR));
	amdm_ctl_info info = {};

	checked_ioctl(fd.get(), AMDM_CTL_INFO, &info, "AMDM_CTL_INFO");
	if (gpu >= info.gpus)
		throw_error(ENODEV, "the model has no such GPU");
	return Lab(std::move(fd), gpu, info);
}

uint64_t Lab::clock(unsigned long request, uint32_t until, uint64_t argument, std::chrono::milliseconds timeout, const char *what)
{
	amdm_ctl_clock args = {};

	args.gpu = gpu_;
	args.until = until;
	args.argument = argument;
	args.timeout_ms = static_cast<uint32_t>(timeout.count());
	checked_ioctl(fd_.get(), request, &args, what);
	return args.now;
}

uint64_t Lab::hold() { return clock(AMDM_CTL_HOLD, 0, 0, {}, "AMDM_CTL_HOLD, as one program at a time may"); }

uint64_t Lab::release() { return clock(AMDM_CTL_RELEASE, 0, 0, {}, "AMDM_CTL_RELEASE"); }

uint64_t Lab::run_idle(std::chrono::milliseconds timeout)
{
	return clock(AMDM_CTL_RUN, AMDM_CTL_RUN_IDLE, 0, timeout, "AMDM_CTL_RUN until idle");
}

uint64_t Lab::run_to(uint64_t cycle, std::chrono::milliseconds timeout)
{
	return clock(AMDM_CTL_RUN, AMDM_CTL_RUN_CYCLE, cycle, timeout, "AMDM_CTL_RUN to a cycle");
}

uint64_t Lab::run_events(uint64_t events, std::chrono::milliseconds timeout)
{
	return clock(AMDM_CTL_RUN, AMDM_CTL_RUN_EVENTS, events, timeout, "AMDM_CTL_RUN for events");
}

amdm_ctl_counters Lab::read_counters(std::span<uint64_t> values) const
{
	amdm_ctl_counters args = {};

	args.gpu = gpu_;
	args.count = static_cast<uint32_t>(values.size());
	args.values = reinterpret_cast<uint64_t>(values.data());
	checked_ioctl(fd_.get(), AMDM_CTL_COUNTERS, &args, "AMDM_CTL_COUNTERS");
	return args;
}

std::vector<uint64_t> Lab::counters() const
{
	std::vector<uint64_t> values(info_.counters);

	values.resize(read_counters(values).count);
	return values;
}

uint64_t Lab::counter(Counter which) const
{
	std::vector<uint64_t> values = counters();
	auto index = static_cast<size_t>(which);

	if (index >= values.size())
		throw_error(EINVAL, "the model does not count that");
	return values[index];
}

MemoryUse Lab::memory_use() const
{
	amdm_ctl_counters args = read_counters({});

	return {args.vram_used, args.gtt_used, args.page_table_bytes, args.pinned_pages, args.worker_ns};
}

void Lab::trace_start() { trace_start(0); }

void Lab::trace_start(uint32_t kinds)
{
	amdm_ctl_trace args = {};

	args.gpu = gpu_;
	args.op = 1;
	args.kinds = kinds;
	checked_ioctl(fd_.get(), AMDM_CTL_TRACE, &args, "AMDM_CTL_TRACE start");
}

void Lab::trace_stop()
{
	amdm_ctl_trace args = {};

	args.gpu = gpu_;
	args.op = 2;
	checked_ioctl(fd_.get(), AMDM_CTL_TRACE, &args, "AMDM_CTL_TRACE stop");
}

std::vector<amdm_ctl_trace_event> Lab::trace_read(uint64_t *lost)
{
	constexpr uint32_t room = 4096;
	std::vector<amdm_ctl_trace_event> all;
	amdm_ctl_trace args = {};

	do {
		size_t have = all.size();

		all.resize(have + room);
		args = {};
		args.gpu = gpu_;
		args.count = room;
		args.events = reinterpret_cast<uint64_t>(all.data() + have);
		checked_ioctl(fd_.get(), AMDM_CTL_TRACE, &args, "AMDM_CTL_TRACE read");
		all.resize(have + args.count);
	} while (args.count == room);
	if (lost)
		*lost = args.lost;
	return all;
}

void Lab::memory(unsigned long request, uint32_t space, uint32_t vmid, uint32_t select, uint64_t address, uint64_t size, const void *data,
		 const char *what) const
{
	amdm_ctl_memory args = {};

	args.gpu = gpu_;
	args.space = space;
	args.vmid = vmid;
	args.select = select;
	args.address = address;
	args.size = size;
	args.data = reinterpret_cast<uint64_t>(data);
	checked_ioctl(fd_.get(), request, &args, what);
}

void Lab::peek(uint32_t space, uint32_t vmid, uint64_t address, std::span<std::byte> out) const
{
	memory(AMDM_CTL_PEEK, space, vmid, 0, address, out.size(), out.data(), "AMDM_CTL_PEEK");
}

void Lab::poke(uint32_t space, uint32_t vmid, uint64_t address, std::span<const std::byte> in)
{
	memory(AMDM_CTL_POKE, space, vmid, 0, address, in.size(), in.data(), "AMDM_CTL_POKE");
}

uint32_t Lab::peek32(uint32_t space, uint32_t vmid, uint64_t address) const
{
	uint32_t value = 0;

	peek(space, vmid, address, std::as_writable_bytes(std::span(&value, 1)));
	return value;
}

void Lab::poke32(uint32_t space, uint32_t vmid, uint64_t address, uint32_t value)
{
	poke(space, vmid, address, std::as_bytes(std::span(&value, 1)));
}

uint32_t Lab::read_register(uint32_t reg, uint32_t select) const
{
	uint32_t value = 0;

	memory(AMDM_CTL_PEEK, AMDM_CTL_SPACE_REGISTER, 0, select, reg, sizeof(value), &value, "AMDM_CTL_PEEK of a register");
	return value;
}

void Lab::write_register(uint32_t reg, uint32_t value, uint32_t select)
{
	memory(AMDM_CTL_POKE, AMDM_CTL_SPACE_REGISTER, 0, select, reg, sizeof(value), &value, "AMDM_CTL_POKE of a register");
}

void Lab::inject(Fault fault, uint32_t count)
{
	amdm_ctl_inject args = {gpu_, static_cast<uint32_t>(fault), count, 0};

	checked_ioctl(fd_.get(), AMDM_CTL_INJECT, &args, "AMDM_CTL_INJECT");
}

void Lab::set_mode(Mode mode, uint32_t value)
{
	amdm_ctl_inject args = {gpu_, static_cast<uint32_t>(mode), value, 0};

	checked_ioctl(fd_.get(), AMDM_CTL_INJECT, &args, "AMDM_CTL_INJECT of a mode");
}

void Lab::reset() { checked_ioctl(fd_.get(), AMDM_CTL_RESET, &gpu_, "AMDM_CTL_RESET"); }

std::string_view counter_name(uint32_t counter) noexcept
{
	// clang-format off
	static constexpr auto names = std::to_array<std::string_view>({
		"instructions", "waves", "workgroups", "aql_packets", "pm4_packets", "sdma_packets", "hws_packets", "interrupts",
		"tlb_misses", "tlb_flushes", "doorbells", "saved_waves", "restored_waves", "report_reserved_bits",
		"report_bad_register", "report_bad_packet", "report_bad_mqd", "report_bad_runlist", "report_bad_address",
		"report_vm_fault", "report_bad_instruction", "report_ih_overflow", "report_bad_pte",
		"valu_cycles", "vmem_cycles", "lds_cycles", "memory_lines", "kernel_cycles", "l2_cycles",
		"valu_instructions", "scalar_instructions", "branch_instructions", "vmem_instructions", "lds_instructions",
		"l1_lines", "l1_hits", "l2_lines", "wave_cycles", "waves_now", "awake_cycles",
	});
	// clang-format on
	static_assert(names.size() == static_cast<size_t>(Counter::Count));

	return counter < names.size() ? names[counter] : "unknown";
}

std::string_view fault_name(Fault fault) noexcept
{
	// clang-format off
	static constexpr auto names = std::to_array<std::string_view>({
		"lost_fence", "deaf_wave", "dropped_doorbell", "mqd_load", "hiq_stall", "lost_interrupt", "lost_ring_fence",
	});
	// clang-format on
	static_assert(names.size() == static_cast<size_t>(Fault::Count));

	return fault < Fault::Count ? names[static_cast<size_t>(fault)] : "unknown";
}

std::string_view mode_name(Mode mode) noexcept
{
	static constexpr auto names = std::to_array<std::string_view>({"sq_ignores_priority", "no_timing", "preempt", "no_run_ahead"});
	constexpr auto first = static_cast<size_t>(Fault::Count);
	static_assert(first + names.size() == static_cast<size_t>(Mode::End));

	return mode < Mode::End ? names[static_cast<size_t>(mode) - first] : "unknown";
}

std::string_view trace_kind_name(uint32_t kind) noexcept
{
	// clang-format off
	static constexpr auto names = std::to_array<std::string_view>({
		"queue_map", "queue_unmap", "packet_start", "packet_end", "workgroup_start", "workgroup_end", "wave_start",
		"wave_end", "save", "restore", "interrupt", "sdma_start", "sdma_end", "hws_packet",
		"workgroup_restore", "wave_restore", "kernel_start", "kernel_count",
	});
	// clang-format on
	static_assert(names.size() == static_cast<size_t>(TraceKind::Count));

	return kind < names.size() ? names[kind] : "unknown";
}

} // namespace kfdm
