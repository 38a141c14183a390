// SPDX-License-Identifier: MIT
/*
 * every_row_test.cc - every row is executed: random encodings, each run by all execution units of this host from the same
 * state, must leave the same registers, LDS and memory. A row that nothing executes fails the test.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "encodings.h"
#include "machine.h"
#include "names.h"

namespace isa_test {
namespace {

using namespace silicon;

constexpr u64 memory_base = data_base - 8192;
constexpr u64 memory_bytes = 16384;

/** Rows that stop the wave whatever their operands are, and why. */
const std::set<std::string> never_done = {
	"ds_ordered_count", /* no process has a global data share */
	"s_code_end",	    /* raises the exception itself */
};

bool is_rfe(u32 word) { return word >> 8 == 0xbe801f || word >> 8 == 0xbe8022 || word >> 16 == 0x9580; }

bool is_memory(Format f) { return f >= Format::DS || f == Format::SMEM; }

/** Fast noise (splitmix64): a state has many words. */
class Noise {
public:
	explicit Noise(u64 seed) : state_(seed * 0x9e3779b97f4a7c15) {}
	u64 operator()()
	{
		u64 z = state_ += 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		return z ^ z >> 31;
	}

private:
	u64 state_;
};

constexpr bool is_nan(u32 v, unsigned bits, unsigned fraction)
{
	const u32 top = ((1u << (bits - 1 - fraction)) - 1) << fraction;

	return (v & top) == top && (v & ((1u << fraction) - 1));
}

/** Which of two NaNs a sum of them is, hosts decide: all NaNs of the row's result type become one. Doubles begin at v[dst]. */
void unify_nans(char type, u32 (*vgprs)[lanes], unsigned count, unsigned dst)
{
	for (unsigned r = 0; r < count; r++)
		for (unsigned lane = 0; lane < lanes; lane++) {
			u32 &v = vgprs[r][lane];

			if (type == 'd' && r && (r - dst) % 2 && is_nan(v, 32, 20)) { /* v is an upper half */
				v = 0x7ff80000;
				vgprs[r - 1][lane] = 0;
			} else if (type == 'f' && is_nan(v, 32, 23)) {
				v = 0x7fc00000;
			} else if (type == 'h') {
				v = is_nan(v & 0xffff, 16, 10) ? (v & 0xffff0000) | 0x7e00 : v;
				v = is_nan(v >> 16, 16, 10) ? (v & 0xffff) | 0x7e000000 : v;
			}
		}
}

/** What a row computes: its result's type; mixed and dot products have bits of singles or halves as results. */
char float_type(const Row &row)
{
	const std::string name = row.name;

	if (name.starts_with("v_mfma_f32") || name.starts_with("v_smfmac_f32"))
		return 'f';
	if (row.sig.result == 'q' || name.find("_f16") == name.size() - 4)
		return 'h';
	if (row.sig.result == 'F' || name.find("_mix") != std::string::npos || name.find("dot2_f32") != std::string::npos ||
	    name.find("dot2c_f32") != std::string::npos)
		return 'f';
	if (name.find("v_mfma_f64") == 0)
		return 'd';
	return row.sig.result;
}

/** Anything, often something special. */
u32 any_value(Noise &random)
{
	static const u32 special[] = {0, 1, 0x80000000, 0xffffffff, 0x3f800000, 0x7f800000, 0x7fc00000, 0x00000001, 0x3c003c00, 0x7ff00000};

	return random() & 3 ? static_cast<u32>(random()) : special[random() % 10];
}

/** The lower half of an address in memory. */
u32 address(Noise &random) { return static_cast<u32>(random() & 0xfc0); }

/**
 * Words that are drawn once. A state copies them from a place that is drawn for it, since drawing all of its words takes
 * most of the test's time.
 */
class Pool {
public:
	explicit Pool(u32 (*draw)(Noise &))
	{
		Noise random(1);

		for (u32 &word : words_)
			word = draw(random);
	}
	/** @bytes (up to 16 KiB) from a place that @random says. */
	void copy(void *to, u64 bytes, Noise &random) const { std::memcpy(to, &words_[random() % start_], bytes); }

private:
	static constexpr u64 start_ = 1 << 16;
	std::vector<u32> words_ = std::vector<u32>(start_ + memory_bytes / 4);
};

class OneStep {
public:
	OneStep(Isa isa, unsigned variant, const Candidate &c, u64 seed)
		: random_(seed), m_(machine(variant)), type_(float_type(*c.row)),
		  dst_(c.format == Format::VOP1 || c.format == Format::VOP2 ? bits(c.words[0], 24, 17) : bits(c.words[0], 7, 0))
	{
		Wave &w = m_.wave;

		engine_select(m_.store(), isa);
		w.vgprs = has_accumulators(isa) ? 512 : 256;
		w.accum_offset = has_accumulators(isa) ? 256 : 0;
		m_.load(c.words);
		Op op;
		if (decode(m_.store(), *engine_variant(0), c.words.data(), static_cast<u32>(c.words.size() * 4), code_base, &op))
			dst_ = op.dst;
		m_.flush();
		w.wave32 = isa == Isa::Gfx10Wave32;
		w.sgprs = is_gfx10(isa) ? 106 : 102;
		w.cycles = 0;
		w.instructions = 0;
		w.trapsts = 0;
		w.scc = random_() & 1;
		w.privileged = is_rfe(c.words[0]) || random_() & 1;
		w.mode = 0xf0 | (random_() & 15) | (random_() & 0x300) | (random_() & 1) << 29;
		for (unsigned i = 0; i < 128; i++)
			w.sgpr[i] = value(is_memory(c.format), i & 1);
		w.sgpr[sgpr_m0] = random_() & 0x3c;
		w.flat_scratch[0] = value(true, false);
		w.flat_scratch[1] = value(true, true);
		w.set_exec(random_() & 1 ? ~u64{0} : random_());
		for (unsigned r = 0; r < w.vgprs; r++)
			fill_register(r, is_memory(c.format));
		any_.copy(m_.lds.data(), m_.lds.size(), random_);
		std::vector<u8> memory(memory_bytes);
		any_.copy(memory.data(), memory.size(), random_);
		m_.memory.write(memory_base, memory.data(), memory.size());
		stop_ = m_.run(1);
	}

	/** The instruction has had its effect. */
	bool done() const
	{
		return m_.wave.instructions == 1 || stop_.why == Stop::End || stop_.why == Stop::Trap || stop_.why == Stop::Gws;
	}

	/** What is left behind, into @s, which keeps its memory from one step to the next. */
	void state(std::vector<u32> &s)
	{
		const Wave &w = m_.wave;

		s.assign(w.sgpr, w.sgpr + 128);
		unify_nans(type_, w.vgpr, w.vgprs, dst_);
		s.insert(s.end(), w.vgpr[0], w.vgpr[0] + w.vgprs * lanes);
		s.insert(s.end(), {w.scc, w.mode, w.trapsts, static_cast<u32>(w.pc), static_cast<u32>(w.pc >> 32),
				   static_cast<u32>(w.instructions), static_cast<u32>(stop_.why)});
		s.resize(s.size() + memory_bytes / 4);
		m_.memory.read(memory_base, s.data() + s.size() - memory_bytes / 4, memory_bytes);
		const u32 *lds = reinterpret_cast<const u32 *>(m_.lds.data());
		s.insert(s.end(), lds, lds + m_.lds.size() / 4);
	}

private:
	static Machine &machine(unsigned variant)
	{
		static std::map<unsigned, std::unique_ptr<Machine>> machines;
		auto &m = machines[variant];

		if (!m) {
			m = std::make_unique<Machine>(512, 102, 4096);
			m->choose_variant(variant);
		}
		return *m;
	}

	/** For memory instructions register pairs are addresses. */
	u32 value(bool memory, bool odd)
	{
		if (memory)
			return odd ? static_cast<u32>(data_base >> 32) : address(random_);
		return any_value(random_);
	}
	void fill_register(unsigned r, bool memory)
	{
		if (memory && r & 1)
			std::fill_n(&m_.v(r, 0), lanes, static_cast<u32>(data_base >> 32));
		else
			(memory ? addresses_ : any_).copy(&m_.v(r, 0), lanes * 4, random_);
	}

	static inline const Pool any_{any_value}, addresses_{address};
	Noise random_;
	Machine &m_;
	char type_;
	unsigned dst_ = 0;
	StopInfo stop_;
};

/* Encodings of each row; fewer under the sanitizers, which make each some three times as dear. */
#ifdef KFDM_BRIEF
constexpr unsigned enough = 2;
#else
constexpr unsigned enough = 5;
#endif

class EveryRow : public testing::TestWithParam<Isa> {};

TEST_P(EveryRow, IsExecutedAlikeByEveryUnit)
{
	const Isa isa = GetParam();
	std::set<std::string> done, missing;
	std::map<std::string, unsigned> tried;
	std::vector<u32> wanted, got;
	unsigned seed = 0;

	for (const Candidate &c : candidates(isa, 150)) {
		const std::string name = c.row->name;
		if (++tried[name] > enough && done.count(name))
			continue;
		OneStep best(isa, 0, c, ++seed);

		if (!best.done()) {
			missing.insert(name);
			continue;
		}
		done.insert(name);
		best.state(wanted);
		for (unsigned n = 1; engine_variant(n); n++) {
			OneStep other(isa, n, c, seed);

			other.state(got);
			if (got == wanted)
				continue;
			const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin();
			ADD_FAILURE() << name << " differs on unit " << n << ": " << std::hex << c.words[0] << ", word " << std::dec << at
				      << ": " << std::hex << got[at] << " instead of " << wanted[at];
		}
	}
	for (const std::string &name : done)
		missing.erase(name);
	for (const std::string &name : never_done)
		EXPECT_EQ(missing.erase(name), tried.count(name)) << name << " is executed after all";
	std::printf("%zu rows executed, %zu not\n", done.size(), missing.size());
	for (const std::string &name : missing)
		ADD_FAILURE() << name << " is never executed";
}

INSTANTIATE_TEST_SUITE_P(Sets, EveryRow,
			 testing::Values(Isa::Gfx9, Isa::Gfx8, Isa::Gfx10, Isa::Gfx10Wave32, Isa::Gfx908, Isa::Gfx90a, Isa::Gfx942),
			 set_name);

} // namespace
} // namespace isa_test
