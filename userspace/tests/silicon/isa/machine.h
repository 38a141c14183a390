// SPDX-License-Identifier: MIT
/*
 * machine.h - the smallest machine that can run a wave: flat memory behind a TLB, a register file, an engine store.
 */
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "silicon/isa/store.h"

namespace isa_test {

/** Memory of 4 KiB pages that exist once they are mapped; a page can be made to ask for service first. */
class Memory final : public silicon::PageWalker {
public:
	silicon::Mem walk(unsigned vmid, u64 va, silicon::Access access, silicon::TlbEntry *entry) override;

	void map(u64 va, u64 bytes);
	/** Pages of this range come to be when they are first touched. */
	void reserve(u64 va, u64 bytes) { reserved_ = {va, va + bytes}; }
	/** The next walk of this page answers Need. */
	void need(u64 va) { needed_[va >> 12] = true; }
	void read_only(u64 va) { read_only_[va >> 12] = true; }

	void write(u64 va, const void *from, u64 bytes);
	void read(u64 va, void *to, u64 bytes) const;
	template <class T> T get(u64 va) const
	{
		T v;
		read(va, &v, sizeof(v));
		return v;
	}
	template <class T> void put(u64 va, T v) { write(va, &v, sizeof(v)); }

private:
	struct alignas(4096) Page {
		u8 bytes[4096];
	};
	std::map<u64, std::unique_ptr<Page>> pages_;
	std::map<u64, bool> needed_, read_only_;
	std::pair<u64, u64> reserved_{};
};

constexpr u64 code_base = 0x7f0000000000;
constexpr u64 data_base = 0x100000000;

class Machine {
public:
	explicit Machine(unsigned vgprs = 64, unsigned sgprs = 102, unsigned lds_bytes = 65536);

	Memory memory;
	silicon::Wave wave{};

	/** Put words at code_base (s_endpgm behind them), point the wave there, forget old code. */
	void load(std::span<const u32> words);
	/** Runs to the first stop that is not the budget. */
	silicon::StopInfo run(u32 max_instructions = 1'000'000);
	silicon::StopInfo run(silicon::Wave &wave, u32 max_instructions);
	void flush();
	/** Execution units of the n-th variant (see engine_variant()). */
	void choose_variant(unsigned n);

	u32 &v(unsigned reg, unsigned lane) { return vgprs_[reg].at[lane]; }
	u32 &s(unsigned reg) { return wave.sgpr[reg]; }
	/** Nothing has changed since then that only the command processor and trap handlers may change. */
	bool only_its_own(const silicon::Wave &before) const;
	silicon::EngineContext &context() { return context_; }
	silicon::EngineStore &store() { return *context_.store; }
	std::vector<u8> lds;

private:
	struct alignas(64) Row {
		silicon::VgprRow at;
	};
	std::vector<Row> vgprs_;
	std::unique_ptr<silicon::Tlb> tlb_;
	std::unique_ptr<u8, void (*)(void *)> store_;
	silicon::EngineContext context_{};
};

} // namespace isa_test
