// SPDX-License-Identifier: MIT
/* machine.cc - see machine.h. */
#include "machine.h"

#include <algorithm>
#include <cstdlib>

namespace isa_test {

using namespace silicon;

Mem Memory::walk(unsigned, u64 va, Access access, TlbEntry *entry)
{
	if (va >= reserved_.first && va < reserved_.second)
		map(va, 1);
	const auto page = pages_.find(va >> 12);

	if (page == pages_.end() || (access == Access::Write && read_only_[va >> 12]))
		return Mem::Fault;
	if (needed_[va >> 12]) {
		needed_[va >> 12] = false;
		return Mem::Need;
	}
	entry->host = page->second->bytes;
	entry->allowed = read_only_[va >> 12] ? 5 : 7;
	return Mem::Ok;
}

void Memory::map(u64 va, u64 bytes)
{
	for (u64 page = va >> 12; page <= (va + bytes - 1) >> 12; page++)
		if (!pages_.count(page))
			pages_[page] = std::make_unique<Page>();
}

void Memory::write(u64 va, const void *from, u64 bytes)
{
	const u8 *p = static_cast<const u8 *>(from);

	map(va, bytes ? bytes : 1);
	for (u64 done = 0; done < bytes;) {
		const u64 at = (va + done) & 4095, n = std::min(bytes - done, 4096 - at);

		std::memcpy(pages_[(va + done) >> 12]->bytes + at, p + done, n);
		done += n;
	}
}

void Memory::read(u64 va, void *to, u64 bytes) const
{
	u8 *p = static_cast<u8 *>(to);

	for (u64 done = 0; done < bytes;) {
		const u64 at = (va + done) & 4095, n = std::min(bytes - done, 4096 - at);

		std::memcpy(p + done, pages_.at((va + done) >> 12)->bytes + at, n);
		done += n;
	}
}

Machine::Machine(unsigned vgprs, unsigned sgprs, unsigned lds_bytes)
	: lds(lds_bytes), vgprs_(vgprs), tlb_(std::make_unique<Tlb>()), store_(nullptr, std::free)
{
	const u64 bytes = (engine_store_bytes() + 63) & ~u64{63};

	store_.reset(static_cast<u8 *>(std::aligned_alloc(64, bytes)));
	context_.tlb = tlb_.get();
	context_.store = reinterpret_cast<EngineStore *>(store_.get());
	engine_init(*context_.store);
	tlb_->connect(&memory);
	wave.vgpr = &vgprs_[0].at;
	wave.vgprs = vgprs;
	wave.sgprs = sgprs;
	wave.lds = lds.data();
	wave.lds_bytes = lds_bytes;
	wave.vmid = 1;
	wave.mode = 0xc0;
	wave.sh_mem_bases = 0x10002000;
	wave.sh_mem_config = 3 << 2;
	wave.set_exec(~u64{0});
}

void Machine::load(std::span<const u32> words)
{
	const u32 end = 0xbf810000;

	memory.write(code_base, words.data(), words.size_bytes());
	memory.write(code_base + words.size_bytes(), &end, 4);
	wave.pc = code_base;
	flush();
}

bool Machine::only_its_own(const Wave &before) const
{
	const auto same = [&](auto Wave::*field) { return wave.*field == before.*field; };
	const auto same_registers = [&](unsigned first, unsigned end) {
		return std::equal(wave.sgpr + first, wave.sgpr + end, before.sgpr + first);
	};
	const bool gfx10 = is_gfx10(context_.store->isa);

	if (!same(&Wave::vgpr) || !same(&Wave::vgprs) || !same(&Wave::accum_offset) || !same(&Wave::sgprs) || !same(&Wave::wave32) ||
	    !same(&Wave::hw_id) || !same(&Wave::hw_id2) || !same(&Wave::gpr_alloc) || !same(&Wave::lds_alloc) || !same(&Wave::lds) ||
	    !same(&Wave::lds_bytes) || !same(&Wave::vmid) || !same(&Wave::wave_in_group) || !same(&Wave::trap_enabled) ||
	    !same(&Wave::tba) || !same(&Wave::tma) || !same(&Wave::sh_mem_bases) || !same(&Wave::sh_mem_config))
		return false;
	if (!gfx10 && !std::equal(wave.flat_scratch, wave.flat_scratch + 2, before.flat_scratch))
		return false;
	if (!before.privileged && (wave.privileged || !same_registers(sgpr_ttmp0, sgpr_m0)))
		return false;
	return same_registers(before.sgprs, gfx10 ? sgpr_vcc : sgpr_flat_scratch) && same_registers(sgpr_null, sgpr_exec);
}

StopInfo Machine::run(Wave &w, u32 max_instructions) { return run_wave(context_, w, max_instructions, ~u64{0}); }

StopInfo Machine::run(u32 max_instructions) { return run(wave, max_instructions); }

void Machine::choose_variant(unsigned n)
{
	store().variant = engine_variant(n);
	flush();
}

void Machine::flush()
{
	tlb_->flush_all();
	engine_flush(*context_.store);
}

} // namespace isa_test
