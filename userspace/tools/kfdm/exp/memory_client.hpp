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
	void write(uint64_t address, std::span<const uint8_t> bytes) override;
	void read(uint64_t address, std::span<uint8_t> bytes) override;
	unsigned submit(unsigned queue, const Work &work, unsigned count) override;
	unsigned submit_nop(unsigned queue) override;
	unsigned submit_copy(unsigned queue, uint64_t to, uint64_t from, size_t bytes) override;
	Times times(unsigned ticket) override;

protected:
	MemoryClient(std::string isa, double ticks_per_us) : isa_(std::move(isa)), ticks_per_us_(ticks_per_us) {}

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

	uint64_t take(size_t bytes);
	const Loaded &load(const std::string &name);
	const Entry &entry(const Work &work);
	unsigned new_ticket();

	std::string isa_;
	double ticks_per_us_;
	uint64_t pool_ = 0, pool_left_ = 0;
	std::map<std::string, Loaded> objects_;
	std::map<std::array<std::string, 4>, Entry> entries_;
	std::vector<uint64_t> signals_; /* by ticket */
};

} // namespace kfdm::exp
