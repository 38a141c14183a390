// SPDX-License-Identifier: MIT
/*
 * kernels.hpp - what the chip counts of kernels (KernelStart and KernelCount of the trace), as a table by kernel.
 */
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <uapi/amdgpu_model_ctl.h>

#include <kfdm/lab.hpp>

namespace kfdm::view {

/** The kinds of events that the table is made of, for Lab::trace_start(). */
constexpr uint32_t kernel_kinds = 1u << static_cast<unsigned>(TraceKind::KernelStart) |
				  1u << static_cast<unsigned>(TraceKind::KernelCount) | 1u << static_cast<unsigned>(TraceKind::QueueMap);

using KernelCounts = std::array<uint64_t, static_cast<size_t>(KernelCount::Count)>;

struct KernelRow {
	std::string name;
	uint64_t calls = 0;
	KernelCounts counts{};

	[[nodiscard]] uint64_t operator[](KernelCount which) const { return counts[static_cast<size_t>(which)]; }
};

/** What the figures of a kernel are measured against. */
struct ChipSize {
	std::string name;
	double mhz = 1000;
	unsigned cus = 1, simds_per_cu = 4, waves_per_simd = 10;
	double memory_gbs = 0; /**< of the memory bus; 0: not known */

	[[nodiscard]] double wave_slots() const { return double(cus) * simds_per_cu * waves_per_simd; }
	/** 64-byte lines of the memory bus a shader cycle. */
	[[nodiscard]] double lines_per_cycle() const { return memory_gbs * 1000 / mhz / 64; }
};

/**
 * Dies of a partition share a kernel: its cycles are those of the die that took longest, all launches together. Partitions have kernels of
 * their own: their cycles are added. A program may have any number of kernels; those behind the first most_kernels are one row.
 */
class KernelTable {
public:
	static constexpr size_t most_kernels = 4096;

	/** Name of the kernel whose code is at an address of a VMID, asked for while its process is likely to be there; "": not known. */
	using NameOf = std::function<std::string(unsigned vmid, uint64_t code)>;

	explicit KernelTable(NameOf name_of) : name_of_(std::move(name_of)) {}

	void take(std::span<const amdm_ctl_trace_event> events);
	/** The one that took the most cycles first. */
	[[nodiscard]] std::vector<KernelRow> rows() const;

private:
	struct Name {
		std::string text;
		bool sure = false;
	};

	/** A row, before its cycles are known: those of each compute die, and the dies that launches came from. */
	struct Sum {
		KernelRow row;
		std::map<unsigned, uint64_t> cycles;
		std::set<unsigned> leaders;

		[[nodiscard]] uint64_t longest() const;
	};

	const std::string &name(unsigned vmid, uint64_t code);
	void doubt_names(unsigned vmid);
	void count(const amdm_ctl_trace_event &event);

	NameOf name_of_;
	std::map<std::pair<unsigned, uint64_t>, Name> names_; /**< by VMID and address of the code */
	std::set<std::pair<unsigned, uint64_t>> queues_;      /**< VMID and descriptor: whose addresses the VMID's are */
	std::map<std::string, Sum> sums_;
};

/** Figures of a kernel: parts of 1, but for the first three. */
struct KernelFigures {
	double us, us_a_call;
	double instructions_a_cycle; /**< of all CUs */
	double occupancy;	     /**< of the wave slots, while the kernel was there */
	double valu, vmem, lds;	     /**< cycles in which the units were taken */
	double l1_hits, l2_hits;
	double memory_bytes; /**< 64 for each line that the L2 had not */
};
KernelFigures figures_of(const KernelRow &row, const ChipSize &chip);

std::string kernel_text(const std::vector<KernelRow> &rows, const ChipSize &chip);
std::string kernel_csv(const std::vector<KernelRow> &rows, const ChipSize &chip);
std::string kernel_json(const std::vector<KernelRow> &rows, const ChipSize &chip);
/**
 * Instruction roofline (Ding and Williams, "An Instruction Roofline Model for GPUs", PMBS 2019; for AMD GPUs: Leinhauser and others, "Metrics
 * and Design of an Instruction Roofline Model for AMD GPUs", ACM TOPC 2022): wave-instructions a second against wave-instructions for each
 * 64-byte line of memory, below what the CUs can issue and what the memory bus can bring.
 */
std::string roofline_svg(const std::vector<KernelRow> &rows, const ChipSize &chip);

/** Name of a count in CSV and JSON. */
std::string_view kernel_count_name(KernelCount which);

} // namespace kfdm::view
