// SPDX-License-Identifier: MIT
/*
 * aql.cpp - the AQL queue: amd_queue_t, and publishing packets header last.
 */
#include <kfdm/aql.hpp>

#include <algorithm>
#include <thread>

#include <hw/pm4.h>

namespace kfdm {

namespace {

AqlBarrier make_barrier(aql_type type, std::span<const Signal *const> deps, const Signal *completion, AqlHeader header)
{
	AqlBarrier packet;

	if (deps.size() > AQL_BARRIER_DEPS)
		throw_error(EINVAL, "a barrier packet has room for five signals");
	packet.header = header.encode(type);
	for (size_t i = 0; i < deps.size(); i++)
		packet.dep_signal[i] = deps[i]->handle();
	packet.completion_signal = completion ? completion->handle() : 0;
	return packet;
}

/* Buffer descriptor of scratch memory, word 3 as ROCr fills it: SEL_X..W, UINT, 32-bit data, elements of 4 bytes,
 * index stride 64, thread id added. */
constexpr uint32_t scratch_srd_word3 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 4 << 15 | 1 << 19 | 3 << 21 | 1 << 23;
/* GFX10: SEL_X..W, 32_UINT, thread id added, RESOURCE_LEVEL, no bounds in swizzled memory; the CP knows the stride. */
constexpr uint32_t scratch_srd_word3_gfx10 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 20 << 12 | 1 << 23 | 1 << 24 | 2 << 28;

} // namespace

AqlBarrier barrier_and(std::span<const Signal *const> deps, const Signal *completion, AqlHeader header)
{
	return make_barrier(AQL_BARRIER_AND, deps, completion, header);
}

AqlBarrier barrier_or(std::span<const Signal *const> deps, const Signal *completion, AqlHeader header)
{
	return make_barrier(AQL_BARRIER_OR, deps, completion, header);
}

AqlPm4Ib pm4_ib(uint64_t address, uint32_t dwords, const Signal *completion, AqlHeader header)
{
	AqlPm4Ib packet;

	packet.header = header.encode(AQL_VENDOR_SPECIFIC);
	packet.command[0] = PM4_HEADER(PM4_INDIRECT_BUFFER, 2);
	packet.command[1] = static_cast<uint32_t>(address);
	packet.command[2] = static_cast<uint32_t>(address >> 32);
	packet.command[3] = dwords | PM4_IB_VALID;
	packet.completion_signal = completion ? completion->handle() : 0;
	return packet;
}

AqlQueue::AqlQueue(Device &device, const QueueOptions &options)
	: Queue(device, QueueType::Aql, options), error_signal_(Signal::with_event(device, 0))
{
	const Node &node = device.node();
	uint32_t cus = node.cu_count();
	uint32_t waves = static_cast<uint32_t>(node.properties["simd_per_cu"] * node.properties["max_waves_per_simd"]);

	/* Every slot starts out as INVALID: the command processor stops there. */
	for (size_t at = 0; at < ring().size(); at += AQL_PACKET_BYTES)
		*reinterpret_cast<uint16_t *>(static_cast<uint8_t *>(ring().data()) + at) = AQL_INVALID;

	field(AMD_QUEUE_BASE, ring().gpu());
	field(AMD_QUEUE_SIZE, static_cast<uint32_t>(capacity()));
	field(AMD_QUEUE_GROUP_APERTURE_HI, static_cast<uint32_t>(device.apertures().lds_base >> 32));
	field(AMD_QUEUE_PRIVATE_APERTURE_HI, static_cast<uint32_t>(device.apertures().scratch_base >> 32));
	field(AMD_QUEUE_MAX_CU_ID, cus - 1);
	field(AMD_QUEUE_MAX_WAVE_ID, waves - 1);
	field(AMD_QUEUE_READ_DISPATCH_ID_OFFSET, uint32_t{AMD_QUEUE_READ_DISPATCH_ID});
	field(AMD_QUEUE_PROPERTIES, uint32_t{AMD_QUEUE_PROPERTY_PTR64 | AMD_QUEUE_PROPERTY_PROFILING});
	field(AMD_QUEUE_INACTIVE_SIGNAL, error_signal_.handle());
}

uint64_t AqlQueue::publish(const void *packet, bool doorbell) noexcept
{
	uint64_t index = std::atomic_ref(*write_pointer()).fetch_add(1, std::memory_order_relaxed);
	auto *slot = reinterpret_cast<uint32_t *>(static_cast<uint8_t *>(ring().data()) + (index & (capacity() - 1)) * AQL_PACKET_BYTES);
	uint32_t header;

	while (index - read_index() >= capacity())
		std::this_thread::yield();
	std::memcpy(&header, packet, sizeof(header));
	std::memcpy(slot + 1, static_cast<const uint8_t *>(packet) + 4, AQL_PACKET_BYTES - 4);
	std::atomic_ref(*slot).store(header, std::memory_order_release);
	if (doorbell)
		ring_doorbell(index);
	return index;
}

bool AqlQueue::wait_read(uint64_t index, std::chrono::milliseconds timeout) const
{
	auto end = std::chrono::steady_clock::now() + timeout;

	while (read_index() < index) {
		if (std::chrono::steady_clock::now() >= end)
			return false;
		std::this_thread::sleep_for(std::chrono::microseconds(50));
	}
	return true;
}

void AqlQueue::set_scratch(uint32_t lane_bytes, uint32_t waves)
{
	uint32_t wave_kib = (lane_bytes * 64 + 1023) / 1024;

	const size_t die_bytes = size_t{wave_kib} * 1024 * waves; /* waves of a compute die */

	scratch_ = Buffer::vram(device(), die_bytes * device().node().xcc_count(), memory_default);
	field(AMD_QUEUE_SCRATCH_SRD, static_cast<uint32_t>(scratch_.gpu()));
	field(AMD_QUEUE_SCRATCH_SRD + 4, static_cast<uint32_t>(scratch_.gpu() >> 32) | 1U << 31);
	field(AMD_QUEUE_SCRATCH_SRD + 8, static_cast<uint32_t>(die_bytes));
	field(AMD_QUEUE_SCRATCH_SRD + 12, device().gfx_major() < 10 ? scratch_srd_word3 : scratch_srd_word3_gfx10);
	field(AMD_QUEUE_SCRATCH_BACKING, scratch_.gpu());
	field(AMD_QUEUE_SCRATCH_BYTES, uint64_t{die_bytes});
	field(AMD_QUEUE_SCRATCH_WAVE64_LANE_BYTES, wave_kib * 1024 / 64);
	field(AMD_QUEUE_TMPRING_SIZE, waves | wave_kib << 12);
}

} // namespace kfdm
