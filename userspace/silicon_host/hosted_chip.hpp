// SPDX-License-Identifier: MIT
/*
 * hosted_chip.hpp - one chip in a process of user space: its memory, doorbells, interrupt wire and wall clock.
 *
 * VRAM is sparse host pages; bus memory is what has been allocated here, page by page, and each page can be made absent, so
 * that the chip sees what a driver's paging does (SILICON_NEED). The wall clock is this host's own: it moves when the chip
 * asks for it and when the chip wants to wait, so that everything runs at full speed and always the same way.
 */
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "chip_memory.hpp"
#include "hw/regs.h"
#include "silicon/chips.h"

namespace silicon_host {

constexpr std::uint64_t page_bytes = 4096;

/** Host memory that the bus reaches: contiguous for the program, pages for the chip. */
struct BusBlock {
	std::uint64_t address = 0; /* bus address of the first byte */
	std::size_t bytes = 0;
	std::uint8_t *host = nullptr;

	template <class T> T &at(std::size_t offset) const { return *reinterpret_cast<T *>(host + offset); }
};

/** Hears of each page that the chip or its host reaches. */
class PageWatch {
public:
	virtual void reached(bool bus, std::uint64_t address, std::uint8_t *host, bool write) = 0;

protected:
	~PageWatch() = default;
};

class HostedChip {
public:
	struct Options {
		std::uint32_t chip = 0;
		std::uint32_t cus = 2;	    /* of each shader array */
		std::uint32_t arrays = ~0u; /* how many have CUs */
		std::uint64_t vram_bytes = 256ull << 20;
		std::uint32_t doorbell_bytes = 64 * 1024;
		bool leftovers = false;
	};

	HostedChip() : HostedChip(Options{}) {}
	explicit HostedChip(const Options &options);
	HostedChip(const HostedChip &) = delete;
	HostedChip &operator=(const HostedChip &) = delete;

	/** Row of hw/chips.def. */
	std::uint32_t row() const { return options_.chip; }

	silicon_chip *chip() const { return chip_; }
	std::uint32_t gc_version() const { return facts_.gc_version; }
	const silicon::Generation &generation() const { return *facts_.generation; }
	bool since_gfx10() const { return gc_version() >= 0x0a0000; }
	const sdma_layout &sdma() const { return *facts_.sdma; }

	/** Compute dies whose graphics registers are reached, and their interposer dies': writes go to all of them, reads to the first. */
	struct Reach {
		unsigned first = 0, count = 1;
	};
	Reach reach;
	unsigned dies() const { return facts_.xccs; }
	/** Ticks a microsecond of the clock of signals' time stamps. */
	std::uint32_t reference_mhz() const { return facts_.reference_mhz; }

	/* Registers, as a driver reaches them: by GFX9's name or, SDMA's, by the place */
	std::uint32_t rreg(std::uint32_t reg) { return silicon_reg_read(chip_, place_on(reach.first, reg)); }
	void wreg(std::uint32_t reg, std::uint32_t value)
	{
		const bool many = hw_is_xcc_reg(place(reg)) || hw_is_mmhub_reg(place(reg));
		const unsigned step = hw_is_xcc_reg(place(reg)) ? 1 : HW_XCCS_OF_AID;

		for (unsigned n = 0; n < (many ? reach.count : 1); n += step)
			silicon_reg_write(chip_, place_on(reach.first + n, reg), value);
	}
	/** The MMHUB's registers stand with those of the first die on the interposer die. */
	std::uint32_t place_on(unsigned die, std::uint32_t name) const
	{
		if (dies() == 1)
			return place(name);
		return place(name) + (hw_is_xcc_reg(place(name))   ? die * HW_XCC_REGS :
				      hw_is_mmhub_reg(place(name)) ? die / HW_XCCS_OF_AID * HW_AID_REGS :
								     0);
	}
	/** Where this chip has a register; one that it does not have stays where it is. */
	std::uint32_t place(std::uint32_t name) const;
	/** Whether it has a register of that name. Since GFX9 what names are there. */
	bool has(std::uint32_t name) const;
	void select(unsigned me, unsigned pipe, unsigned queue, unsigned vmid)
	{
		wreg(mmGRBM_GFX_CNTL, GRBM_SELECT(me, pipe, queue, vmid));
	}

	/* Memory */
	std::uint8_t *vram(std::uint64_t offset, bool write = true);
	void vram_write(std::uint64_t offset, const void *from, std::size_t bytes);
	void vram_read(std::uint64_t offset, void *to, std::size_t bytes);
	void vram_write64(std::uint64_t offset, std::uint64_t value) { vram_write(offset, &value, 8); }
	std::uint64_t vram_read64(std::uint64_t offset);
	BusBlock bus_alloc(std::size_t bytes);
	/** The page answers SILICON_NEED until run() has served it. bus_unmap(): it answers SILICON_FAULT from now on. */
	void bus_absent(std::uint64_t address) { absent_.insert(address & ~(page_bytes - 1)); }
	void bus_unmap(std::uint64_t address) { gone_.insert(address & ~(page_bytes - 1)); }
	std::uint64_t needs() const { return needs_; }

	std::uint64_t &doorbell(std::uint32_t byte_offset) { return doorbells_.at(byte_offset / 8); }

	/** Runs until nothing is left to do without the outside; returns the last flags. limit: slices. */
	std::uint32_t run(unsigned limit = 100000);
	/** Lets wall time pass while running. */
	std::uint32_t run_for(std::uint64_t ns);
	void pass_wall_time(std::uint64_t ns) { wall_ns_ += ns; }
	std::uint64_t wall_ns() const { return wall_ns_; }
	void slice_ns(std::uint64_t ns) { slice_ns_ = ns; }

	/* The control device's functions (uapi/amdgpu_model_ctl.h): the virtual clock, the trace, failures, page tables */
	void hold(bool held) { silicon_bench_hold(chip_, held); }
	void step(std::uint32_t until, std::uint64_t argument) { silicon_bench_step(chip_, until, argument); }
	bool stepping() const { return silicon_bench_stepping(chip_); }
	std::uint64_t now() const { return silicon_bench_now(chip_); }
	void trace(bool on) { silicon_bench_trace(chip_, on); }
	void inject(silicon_fault fault, std::uint32_t count) { silicon_bench_inject(chip_, fault, count); }
	void set_mode(silicon_mode mode, std::uint32_t value) { silicon_bench_inject(chip_, mode, value); }
	bool translate(unsigned vmid, std::uint64_t va, std::uint64_t *address, bool *is_bus)
	{
		return silicon_bench_translate(chip_, vmid, va, address, is_bus);
	}

	/* For who runs the same chip many times: its block of memory, and the pages and doorbells around it */
	PageWatch *watch = nullptr;
	std::uint8_t *memory() const { return memory_->get(); }
	std::size_t memory_bytes() const { return memory_->bytes(); }
	std::vector<std::uint64_t> &doorbells() { return doorbells_; }
	/** Wall clock and pages that are late or gone, as they were when the time was this. */
	void set_wall(std::uint64_t ns)
	{
		wall_ns_ = ns;
		absent_.clear();
		gone_.clear();
		wanted_.clear();
	}
	/** Pages that the chip has asked for come. */
	void serve();
	std::uint64_t wall_calls = 0;

	/* What the chip has said */
	std::uint64_t counter(std::uint32_t n) const { return silicon_bench_counter(chip_, n); }
	std::uint64_t reports(silicon_report_kind kind) const { return counter(SILICON_COUNT_REPORTS + static_cast<std::uint32_t>(kind)); }
	std::uint64_t all_reports() const;
	std::uint64_t interrupts = 0;
	std::vector<silicon_report> report_log;
	std::vector<silicon_trace_event> trace_log;

private:
	static silicon_ports ports();

	/** Where the chip's map has a register of GFX9's name, and which element of its array it is; nullptr: it is not in the map. */
	const silicon::RegisterPlace *find(std::uint32_t name, std::uint32_t *element) const;

	const silicon::Chip &facts_;
	std::optional<ChipMemory> memory_;
	silicon_chip *chip_ = nullptr;
	Options options_;
	std::unordered_map<std::uint64_t, std::unique_ptr<std::uint8_t[]>> vram_;
	std::vector<std::unique_ptr<std::uint8_t, void (*)(void *)>> blocks_;
	std::unordered_map<std::uint64_t, std::uint8_t *> bus_;
	std::set<std::uint64_t> absent_, gone_, wanted_;
	std::vector<std::uint64_t> doorbells_;
	std::uint64_t next_bus_ = 0x100000000;
	std::uint64_t wall_ns_ = 1000000;
	std::uint64_t slice_ns_ = 200000;
	std::uint64_t needs_ = 0;
};

} // namespace silicon_host
