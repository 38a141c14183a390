// SPDX-License-Identifier: MIT
/*
 * words.cc - a few words as code on a wave that begins the same way each time: what happens depends on the input alone.
 *
 * Registers and LDS are allocations of their own that end where the wave's do, so that a sanitizer sees what goes beyond.
 */
#include "words.h"

#include <cstdlib>
#include <random>

#include "../machine.h"

namespace isa_test {
namespace {

using namespace silicon;

constexpr unsigned lds_bytes = 200, sgprs = 48, data_pages = 4, values = 4, instructions = 32, stops = 4;
constexpr u64 code_pages = 2, read_only_page = data_base + 2 * page_bytes, late_page = data_base + page_bytes;

/** Registers of a beginning wave: pairs are often addresses of data, LDS, scratch or of nothing. */
struct Values {
	u32 sgpr[128];
	std::vector<u32> vgpr;
};

u32 register_value(std::mt19937 &random, bool high)
{
	switch (random() % 6) {
	case 0: return high ? 0x10000000 : random() & 0xff;
	case 1: return high ? 0x20000000 : random() & 0xfff;
	case 2: return random();
	default: return high ? 1 : random() % (data_pages * page_bytes + 64);
	}
}

Values make_values(unsigned vgprs, unsigned seed)
{
	std::mt19937 random(seed);
	Values v;

	for (unsigned i = 0; i < 128; i++)
		v.sgpr[i] = register_value(random, i & 1);
	if (seed & 1)
		v.sgpr[sgpr_m0] = 0xf0c8; /* as an index: 200, of all operands */
	for (unsigned r = 0; r < vgprs; r++) {
		const u32 base = register_value(random, r & 1), step = random() & 1 ? 4 : 0;

		for (unsigned lane = 0; lane < lanes; lane++)
			v.vgpr.push_back(random() & 15 ? base + (r & 1 ? 0 : lane * step) : random());
	}
	return v;
}

/** A machine for waves of so many VGPRs, with the states in which they begin. */
class Bed {
public:
	Bed(unsigned vgprs, u16 accum_offset) : m_(vgprs, sgprs, lds_bytes)
	{
		m_.wave.accum_offset = accum_offset;
		m_.memory.map(code_base, code_pages * page_bytes);
		m_.memory.map(data_base, data_pages * page_bytes);
		m_.memory.read_only(read_only_page);
		first_ = m_.wave;
		for (unsigned i = 0; i < values; i++)
			values_[i] = make_values(vgprs, i + 1);
	}

	void run(const u8 *choice, const u32 *words, unsigned count)
	{
		begin(choice);
		const u64 start = place(choice[3], words, count);
		m_.wave.pc = start;
		begun_ = m_.wave;
		for (unsigned n = 0; n < stops; n++) {
			const StopInfo stop = m_.run(instructions);

			check();
			if (stop.why == Stop::Budget || stop.why == Stop::End)
				return;
			step_over(stop.why, start);
		}
	}

private:
	/** Byte 0: set, unit; 1: registers, EXEC, PRIV, a late page; 2: MODE; 3: place(), and the bed (bit 5). */
	void begin(const u8 *choice)
	{
		constexpr Isa plain[] = {Isa::Gfx9, Isa::Gfx8, Isa::Gfx10, Isa::Gfx10Wave32},
			      accumulating[] = {Isa::Gfx908, Isa::Gfx90a, Isa::Gfx942};
		const Values &v = values_[choice[1] % values];
		const Isa isa = first_.accum_offset ? accumulating[choice[0] % 3] : plain[choice[0] % 4];
		Wave &w = m_.wave;

		w = first_;
		w.wave32 = isa == Isa::Gfx10Wave32;
		w.privileged = (choice[1] >> 4 & 7) == 7;
		w.trap_enabled = choice[1] & 4;
		w.trapsts = choice[2] & 8 ? trapsts_watched : 0;
		w.mode = choice[2] & 1 ? choice[2] * 0x1010101u : 0xc0 | u32{choice[2]} >> 4;
		std::memcpy(w.sgpr, v.sgpr, sizeof(v.sgpr));
		if (choice[1] & 8)
			w.set_exec(~u64{0});
		std::memcpy(w.vgpr, v.vgpr.data(), v.vgpr.size() * sizeof(u32));
		std::fill(m_.lds.begin(), m_.lds.end(), u8{0x5a});
		for (unsigned page = 0; page < data_pages; page++)
			m_.memory.write(data_base + page * page_bytes, v.vgpr.data(), page_bytes);
		engine_select(m_.store(), isa);
		m_.store().variant = unit(choice[0] >> 4);
		if (choice[1] & 0x80) {
			m_.flush();
			m_.memory.need(late_page);
		}
	}

	/** Kept: to ask the CPU what it has takes longer than to run the words. */
	static const Variant *unit(unsigned n)
	{
		static const std::vector<const Variant *> units = [] {
			std::vector<const Variant *> all;

			while (const Variant *next = engine_variant(static_cast<unsigned>(all.size())))
				all.push_back(next);
			return all;
		}();
		return units[n % units.size()];
	}

	/** In the first page, or so that the page ends between the words. */
	u64 place(u8 choice, const u32 *words, unsigned count)
	{
		static const std::vector<u8> zeros(code_pages * page_bytes);
		const u64 at = choice & 1 ? code_base + page_bytes - 4 * (1 + choice / 2 % max_words) : code_base + 4;

		m_.memory.write(code_base, zeros.data(), zeros.size());
		m_.memory.write(at, words, count * 4);
		m_.memory.put(at + count * 4, 0xbf810000u); /* s_endpgm */
		m_.memory.put(at + count * 4 + 4, 0xbf810000u);
		return at;
	}

	void step_over(Stop why, u64 start)
	{
		Wave &w = m_.wave;

		if (why != Stop::Barrier && why != Stop::Sleep && why != Stop::Message && why != Stop::Halt && why != Stop::Need &&
		    why != Stop::Exception)
			w.pc += 4;
		w.trapsts &= ~trapsts_pending;
		if (w.pc < code_base || w.pc >= code_base + code_pages * page_bytes)
			w.pc = start;
	}

	void check() const
	{
		if (!m_.only_its_own(begun_))
			std::abort();
	}

	Machine m_;
	Wave first_, begun_;
	Values values_[values];
};

} // namespace

void run_words(const uint8_t *data, size_t size)
{
	/* Few registers, so that many numbers are beyond; and all, so that any number and any index is within. */
	static Bed plain(24, 0), accumulating(72, 36), plain_all(256, 0), accumulating_all(512, 256);
	u32 words[max_words];

	if (size < 8 || size > max_input)
		return;
	const unsigned count = static_cast<unsigned>((size - 4) / 4);
	std::memcpy(words, data + 4, count * 4);
	const bool all = data[3] & 0x20;
	Bed &bed = data[0] & 8 ? all ? accumulating_all : accumulating : all ? plain_all : plain;
	bed.run(data, words, count);
}

} // namespace isa_test
