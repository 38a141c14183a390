// SPDX-License-Identifier: MIT
/*
 * bed.h - a chip that a driver has brought up, with the queues of two processes, that can be put back to where it began.
 *
 * The attacker owns process a: its memory, its rings, its doorbells. The victim is process b: a queue that works, and a page that
 * nobody ever names. Putting back is copying: the chip's block of memory, and those pages that were written since.
 */
#pragma once

#include <optional>
#include <unordered_set>

#include "silicon_host/driver.hpp"

namespace fuzz_chip {

using namespace silicon_host;

/** GPU memory of the attacker that inputs may name. */
struct Object {
	std::uint64_t va;
	std::uint8_t *host;
	std::size_t bytes;
};

class Bed final : public PageWatch {
public:
	explicit Bed(std::uint32_t chip);

	/** To where the bed was when it had been built. */
	void restore();
	/** To be called before a page of bus memory is written by hand. */
	void touch(const void *host);

	/** One slice; aborts if it overruns its deadline. Returns the flags. */
	std::uint32_t slice(std::uint64_t ns);
	/** Slices until the chip rests, or so many. */
	void settle(unsigned slices);

	/** The queues that are mapped, as the driver puts them on a list: a bit each of queues, and always the victim's. */
	void map(std::uint32_t which);
	void unmap(std::uint32_t action);

	/** Nothing that is the driver's or the victim's may be reached while a program has only a user's means. */
	bool only_user = true;
	/** All the chip has done since restore(), as a number. */
	std::uint64_t hash = 0;

	/** After a program: the chip gives back everything, and others can work. Aborts if not. */
	void check();

	HostedChip chip;
	std::optional<Driver> driver;
	std::optional<Process> a, b;
	std::vector<UserQueue> queues;		/* of a: two AQL, two PM4, two SDMA */
	std::optional<UserQueue> victim;
	std::vector<Object> objects;
	std::vector<Process::Buffer> kernels;
	std::vector<Signal> signals;
	Process::Buffer memory, flag;
	bool has_isa;
	const Process::Buffer &victim_page() const { return victim_page_; }

	void reached(bool bus, std::uint64_t address, std::uint8_t *host, bool write) override;

private:
	struct Saved {
		std::uint8_t *host;
		std::unique_ptr<std::uint8_t[]> copy;
		bool dirty;
	};

	void build();
	void secret(const BusBlock &block, bool also_reads);
	void probe(UserQueue &queue);
	void hash_in(std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; }
	[[noreturn]] void broken(const char *what) const;

	Process::Buffer victim_page_, probe_kernel_;
	std::optional<Signal> victim_signal_;
	std::unordered_set<std::uint64_t> unread_, unwritten_, attacker_vram_;
	std::unordered_map<std::uint8_t *, Saved> pages_;
	std::vector<Saved *> dirty_;
	std::vector<std::uint8_t> image_;
	std::vector<std::uint64_t> doorbells_;
	std::optional<Driver> first_driver_;
	std::vector<std::uint64_t> first_writes_;
	std::uint64_t first_wall_ = 0;
	bool built_ = false, in_chip_ = false;
};

} // namespace fuzz_chip
