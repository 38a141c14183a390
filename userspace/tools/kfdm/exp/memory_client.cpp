// SPDX-License-Identifier: MIT
/* memory_client.cpp - see memory_client.hpp. */
#include "memory_client.hpp"

#include <cstddef>
#include <cstring>

#include <kfdm/buffer.hpp>
#include <kfdm/error.hpp>
#include <kfdm/sdma.hpp>

namespace kfdm::exp {

namespace {

constexpr size_t pool_bytes = 1 << 20;
constexpr size_t line = 64;
constexpr size_t hidden_arguments = 512; /* compilers may put some behind the explicit ones; they stay zero */

/* GRANULATED_WORKITEM_VGPR_COUNT [5:0], GRANULATED_WAVEFRONT_SGPR_COUNT [9:6] of COMPUTE_PGM_RSRC1, GFX9 */
uint32_t with_registers(uint32_t rsrc1, uint32_t vgprs, uint32_t sgprs)
{
	if (vgprs)
		rsrc1 = (rsrc1 & ~0x3fu) | ((vgprs + 3) / 4 - 1);
	if (sgprs)
		rsrc1 = (rsrc1 & ~0x3c0u) | 2 * ((sgprs + 15) / 16 - 1) << 6;
	return rsrc1;
}

} // namespace

uint64_t MemoryClient::alloc(size_t bytes)
{
	const uint64_t address = next_;
	const size_t size = page_align(bytes);

	next_ += size + page_align(1); /* what runs over its end faults */
	alloc_at(address, size);
	return address;
}

/* A piece of the pool, aligned to a cache line; whole pages when it is large. */
uint64_t MemoryClient::take(size_t bytes)
{
	bytes = (bytes + line - 1) & ~(line - 1);
	if (bytes > pool_bytes)
		return alloc(bytes);
	if (bytes > pool_left_) {
		pool_ = alloc(pool_bytes);
		pool_left_ = pool_bytes;
	}
	pool_left_ -= bytes;
	return pool_ + pool_left_;
}

void MemoryClient::write(uint64_t address, std::span<const uint8_t> bytes) { std::memcpy(host(address), bytes.data(), bytes.size()); }

void MemoryClient::read(uint64_t address, std::span<uint8_t> bytes) { std::memcpy(bytes.data(), host(address), bytes.size()); }

const MemoryClient::Loaded &MemoryClient::load(const std::string &name)
{
	auto found = objects_.find(name);

	if (found != objects_.end())
		return found->second;
	CodeObject object = CodeObject::read(find_device_code(name, isa_));
	uint64_t base = alloc(object.memory_size());
	write(base, object.image(base));
	return objects_.emplace(name, Loaded{std::move(object), base}).first->second;
}

const MemoryClient::Entry &MemoryClient::entry(const Work &work)
{
	std::array<std::string, 4> key = {work.object, work.kernel, std::to_string(work.vgprs), std::to_string(work.sgprs)};
	auto found = entries_.find(key);

	if (found != entries_.end())
		return found->second;
	const Loaded &loaded = load(work.object);
	const KernelInfo &info = loaded.object.kernel(work.kernel);
	uint64_t descriptor = loaded.base + info.descriptor;
	if (work.vgprs || work.sgprs) {
		uint64_t copy = take(KD_BYTES);
		uint8_t *d = host(copy);
		uint32_t rsrc1;

		std::memcpy(d, host(descriptor), KD_BYTES);
		std::memcpy(&rsrc1, d + KD_RSRC1, sizeof(rsrc1));
		rsrc1 = with_registers(rsrc1, work.vgprs, work.sgprs);
		std::memcpy(d + KD_RSRC1, &rsrc1, sizeof(rsrc1));
		int64_t offset;
		std::memcpy(&offset, d + KD_CODE_ENTRY_OFFSET, sizeof(offset));
		offset += static_cast<int64_t>(descriptor - copy);
		std::memcpy(d + KD_CODE_ENTRY_OFFSET, &offset, sizeof(offset));
		descriptor = copy;
	}
	return entries_.emplace(key, Entry{descriptor, info.group_bytes}).first->second;
}

unsigned MemoryClient::new_ticket()
{
	uint64_t signal = take(sizeof(AmdSignal));
	AmdSignal block = {};

	block.kind = 1;
	block.value = 1;
	std::memcpy(host(signal), &block, sizeof(block));
	signals_.push_back(signal);
	return static_cast<unsigned>(signals_.size() - 1);
}

unsigned MemoryClient::submit(unsigned queue, const Work &work, unsigned count)
{
	const Entry &kernel = entry(work);
	uint64_t kernarg = take(std::max(work.arguments.size() * 4, hidden_arguments));
	unsigned first = 0;

	std::memcpy(host(kernarg), work.arguments.data(), work.arguments.size() * 4);
	for (unsigned i = 0; i < count; i++) {
		AqlDispatch packet;
		unsigned ticket = new_ticket();

		first = i ? first : ticket;
		packet.header = AqlHeader{.barrier = work.barrier}.encode(AQL_KERNEL_DISPATCH);
		packet.setup = 3;
		for (size_t axis = 0; axis < 3; axis++) {
			packet.grid[axis] = work.grid[axis];
			packet.workgroup[axis] = work.workgroup[axis];
		}
		packet.group_bytes = kernel.group_bytes + work.group_bytes;
		packet.kernel_object = kernel.descriptor;
		packet.kernarg = kernarg;
		packet.completion_signal = signals_[ticket];
		push(queue, &packet);
	}
	ring(queue);
	return first;
}

unsigned MemoryClient::submit_nop(unsigned queue)
{
	unsigned ticket = new_ticket();
	AqlBarrier packet;

	packet.header = AqlHeader{.barrier = true}.encode(AQL_BARRIER_AND);
	packet.completion_signal = signals_[ticket];
	push(queue, &packet);
	ring(queue);
	return ticket;
}

unsigned MemoryClient::submit_copy(unsigned queue, uint64_t to, uint64_t from, size_t bytes)
{
	const unsigned ticket = new_ticket();
	const uint64_t signal = signals_[ticket];
	SdmaStream stream(isa_.starts_with("gfx7") || isa_.starts_with("gfx8"));

	stream.timestamp(signal + offsetof(AmdSignal, start_ts)).copy(to, from, bytes).timestamp(signal + offsetof(AmdSignal, end_ts));
	stream.fence(signal + offsetof(AmdSignal, value), 0);
	push_sdma(queue, stream.dwords());
	return ticket;
}

Times MemoryClient::times(unsigned ticket)
{
	AmdSignal block;

	std::memcpy(&block, host(signals_.at(ticket)), sizeof(block));
	return {block.value == 0, static_cast<double>(block.start_ts) / ticks_per_us_, static_cast<double>(block.end_ts) / ticks_per_us_};
}

} // namespace kfdm::exp
