// SPDX-License-Identifier: MIT
/*
 * memory_client.hpp - the half of a client that is the same wherever its memory comes from: code, arguments, signals, packets.
 */
#pragma once

#include <map>

#include <kfdm/aql.hpp>
#include <kfdm/code_object.hpp>

#include "machine.hpp"

namespace kfdm::exp {

class MemoryClient : public Client {
public:
	/* What a kernel finds in the caches depends on its addresses, so they are the same in all machines. */
	uint64_t alloc(size_t bytes) final;
	void write(uint64_t address, std::span<const uint8_t> bytes) override;
	void read(uint64_t address, std::span<uint8_t> bytes) override;
	unsigned submit(unsigned queue, const Work &work, unsigned count) override;
	unsigned submit_nop(unsigned queue) override;
	unsigned submit_copy(unsigned queue, uint64_t to, uint64_t from, size_t bytes) override;
	Times times(unsigned ticket) override;

protected:
	MemoryClient(std::string isa, double ticks_per_us) : isa_(std::move(isa)), ticks_per_us_(ticks_per_us) {}

	/** Memory for alloc(), whole pages. */
	virtual void alloc_at(uint64_t address, size_t bytes) = 0;
	/** CPU address of memory that alloc() gave. */
	virtual uint8_t *host(uint64_t address) = 0;
	/** A packet into the ring; @packet has AQL_PACKET_BYTES. */
	virtual void push(unsigned queue, const void *packet) = 0;
	virtual void ring(unsigned queue) = 0;
	/** Packets into an SDMA queue, and rings. */
	virtual void push_sdma(unsigned queue, std::span<const uint32_t> dwords) = 0;

private:
	struct Loaded {
		CodeObject object;
		uint64_t base;
	};
	struct Entry { /* a kernel descriptor in memory, perhaps with other register counts */
		uint64_t descriptor;
		uint32_t group_bytes;
	};

	/* Below what the kernel, libkfdm and silicon_host choose themselves, within what any GPU and User-Mode Linux reach (39 bits). */
	static constexpr uint64_t first_address = 0xc00000000;

	uint64_t take(size_t bytes);
	const Loaded &load(const std::string &name);
	const Entry &entry(const Work &work);
	unsigned new_ticket();

	std::string isa_;
	double ticks_per_us_;
	uint64_t next_ = first_address;
	uint64_t pool_ = 0, pool_left_ = 0;
	std::map<std::string, Loaded> objects_;
	std::map<std::array<std::string, 4>, Entry> entries_;
	std::vector<uint64_t> signals_; /* by ticket */
};

} // namespace kfdm::exp
