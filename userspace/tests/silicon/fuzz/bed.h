// SPDX-License-Identifier: MIT
/*
 * bed.h - a chip that a driver has brought up, with the queues of two processes, that can be put back to where it began.
 *
 * The attacker owns process a: its memory, its rings, its doorbells, and buffers that the kernel's rings run as jobs. The victim is
 * process b: a queue that works, jobs on the same rings, and a page that nobody ever names. Putting back is copying: the chip's block of
 * memory, and those pages that were written since.
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

/* VMIDs of the render node's jobs: the attacker's, the victim's. */
constexpr unsigned job_vmid = 1, victim_job_vmid = 2;

class Bed final : public PageWatch {
public:
	/** Row of hw/chips.def; hws: the firmware schedules, which GFX7 cannot. */
	Bed(std::uint32_t chip, bool hws);

	/** To where the bed was when it had been built. */
	void restore();
	/** To be called before a page of bus memory is written by hand. */
	void touch(const void *host);

	/** One slice; aborts if it overruns its deadline. Returns the flags. */
	std::uint32_t slice(std::uint64_t ns);
	/** Slices until the chip rests, or so many. */
	void settle(unsigned slices);

	/**
	 * The queues that are mapped: a bit each of queues, and always the victim's. By the firmware as a list, otherwise each into a slot
	 * of its own; SDMA queues are mapped by the firmware only.
	 */
	void map(std::uint32_t which);
	/** action: PM4_UNMAP_* */
	void unmap(std::uint32_t action);
	/** Whether the last unmap() is through. */
	bool unmapped();

	/** Nothing that is the driver's or the victim's may be reached while a program has only a user's means. */
	bool only_user = true;
	/** All the chip has done since restore(), as a number. */
	std::uint64_t hash = 0;

	/** After a program: the chip gives back everything, and others can work. Aborts if not. */
	void check();

	HostedChip chip;
	std::optional<Driver> driver;
	std::optional<Process> a, b;
	const bool hws;
	std::vector<UserQueue> queues; /* of a: two AQL, two PM4, two SDMA */
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
	/** Where a queue is without the firmware's scheduler; the victim's comes behind the others. */
	struct Slot {
		unsigned pipe, slot;
	};
	static constexpr unsigned first_slot = 2; /* what is before is amdgpu's */
	static Slot slot_of(std::size_t queue)
	{
		return {static_cast<unsigned>(queue % pipes), first_slot + static_cast<unsigned>(queue / pipes)};
	}
	void load(const UserQueue &queue, std::size_t n, unsigned vmid);
	void secret(const BusBlock &block, bool also_reads);
	void probe(UserQueue &queue);
	/** The kernel's rings are stopped, start anew, and run the victim's jobs. */
	void probe_jobs();
	void hash_in(std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; }
	[[noreturn]] void broken(const char *what) const;

	Process::Buffer victim_page_, probe_kernel_, victim_jobs_;
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
