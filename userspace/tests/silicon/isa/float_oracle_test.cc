// SPDX-License-Identifier: MIT
/*
 * float_oracle_test.cc - random straight-line sequences of floating-point instructions, in every rounding and denormal mode,
 * against MPFR: unbounded precision rounded once, an implementation that shares nothing with the engine.
 *
 * Registers v0..v7 hold singles, v8..v15 halves, v[16:17]..v[30:31] doubles. Values of an instruction are arguments of the
 * next ones, so that one wrong bit shows in the end. ISA_FLOAT_ROUNDS and ISA_FUZZ_SEED choose how much and what. A NaN equals
 * any NaN.
 */
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

#include "assembler.h"
#include "float_format.h"

namespace isa_test {
namespace {

/** What MODE says about one format. */
struct Rules {
	unsigned round; /* FP_ROUND: nearest, up, down, zero */
	bool denormal_in, denormal_out;

	mpfr_rnd_t rounding() const
	{
		constexpr mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
		return modes[round];
	}
};

class Number {
public:
	Number() { mpfr_init2(v_, 4200); } /* a product of doubles plus a double, exactly */
	Number(const Format &f, u64 bits, const Rules &rules) : Number()
	{
		const bool flushed = f.is_denormal(bits) && !rules.denormal_in;

		set_bits(v_, f, flushed ? bits & f.sign(true) : bits);
	}
	~Number() { mpfr_clear(v_); }
	Number(const Number &) = delete;
	Number &operator=(const Number &) = delete;
	mpfr_ptr get() { return v_; }
	mpfr_srcptr get() const { return v_; }

	/** The bits of the number of this format that the rules round to. */
	u64 rounded(const Format &f, const Rules &rules) const
	{
		if (mpfr_nan_p(v_))
			return f.exponent_mask() | u64{1} << (f.fraction - 1);
		const u64 sign = f.sign(mpfr_signbit(v_));
		if (mpfr_inf_p(v_))
			return sign | f.exponent_mask();
		if (mpfr_zero_p(v_))
			return sign;
		mpfr_t r;
		mpfr_init2(r, f.fraction + 1);
		mpfr_set(r, v_, rules.rounding()); /* as if exponents had no end */
		u64 result;
		if (mpfr_get_exp(r) - 1 < f.lowest())
			result = rules.denormal_out ? sign | tiny(f, rules) : sign;
		else if (mpfr_get_exp(r) - 1 > f.top_exponent)
			result = sign | overflow(f, rules.round, sign);
		else
			result = sign | normal(f, r);
		mpfr_clear(r);
		return result;
	}

private:
	static u64 normal(const Format &f, mpfr_srcptr r)
	{
		mpfr_t scaled;
		const long exponent = mpfr_get_exp(r) - 1;

		mpfr_init2(scaled, f.fraction + 1);
		mpfr_mul_2si(scaled, r, static_cast<long>(f.fraction) - exponent, MPFR_RNDN);
		mpfr_abs(scaled, scaled, MPFR_RNDN);
		const u64 significand = mpfr_get_ui(scaled, MPFR_RNDN);
		mpfr_clear(scaled);
		return static_cast<u64>(exponent + f.top_exponent) << f.fraction | (significand & f.fraction_mask());
	}
	/** Multiples of the smallest denormal; may round up to the smallest normal number. */
	u64 tiny(const Format &f, const Rules &rules) const
	{
		mpfr_t scaled;

		mpfr_init2(scaled, 4200);
		mpfr_mul_2si(scaled, v_, static_cast<long>(f.fraction) - f.lowest(), MPFR_RNDN);
		mpfr_rint(scaled, scaled, rules.rounding());
		mpfr_abs(scaled, scaled, MPFR_RNDN);
		const u64 n = mpfr_get_ui(scaled, MPFR_RNDN);
		mpfr_clear(scaled);
		return n;
	}
	static u64 overflow(const Format &f, unsigned round, u64 sign)
	{
		const bool to_infinity = round == 0 || (round == 1 && !sign) || (round == 2 && sign);
		return to_infinity ? f.exponent_mask() : f.exponent_mask() - 1;
	}

	mpfr_t v_;
};

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

enum class What { Add, Sub, SubRev, Mul, Fma, Convert, Floor, Ceil, Trunc, NearestEven, Min, Max };

struct Instruction {
	const char *name;
	What what;
	const Format &from, &to;
	unsigned sources;
};

// clang-format off
const Instruction instructions[] = {
	{"v_add_f32", What::Add, single, single, 2},	    {"v_sub_f32", What::Sub, single, single, 2},
	{"v_subrev_f32", What::SubRev, single, single, 2},  {"v_mul_f32", What::Mul, single, single, 2},
	{"v_fma_f32", What::Fma, single, single, 3},	    {"v_add_f16", What::Add, half, half, 2},
	{"v_sub_f16", What::Sub, half, half, 2},	    {"v_mul_f16", What::Mul, half, half, 2},
	{"v_fma_f16", What::Fma, half, half, 3},	    {"v_add_f64", What::Add, twice, twice, 2},
	{"v_mul_f64", What::Mul, twice, twice, 2},	    {"v_fma_f64", What::Fma, twice, twice, 3},
	{"v_cvt_f64_f32", What::Convert, single, twice, 1}, {"v_cvt_f32_f64", What::Convert, twice, single, 1},
	{"v_cvt_f16_f32", What::Convert, single, half, 1},  {"v_cvt_f32_f16", What::Convert, half, single, 1},
	{"v_floor_f32", What::Floor, single, single, 1},    {"v_ceil_f32", What::Ceil, single, single, 1},
	{"v_trunc_f32", What::Trunc, single, single, 1},    {"v_rndne_f32", What::NearestEven, single, single, 1},
	{"v_floor_f64", What::Floor, twice, twice, 1},	    {"v_ceil_f64", What::Ceil, twice, twice, 1},
	{"v_trunc_f64", What::Trunc, twice, twice, 1},	    {"v_rndne_f64", What::NearestEven, twice, twice, 1},
	{"v_floor_f16", What::Floor, half, half, 1},	    {"v_rndne_f16", What::NearestEven, half, half, 1},
	{"v_min_f32", What::Min, single, single, 2},	    {"v_max_f32", What::Max, single, single, 2},
	{"v_min_f64", What::Min, twice, twice, 2},	    {"v_max_f64", What::Max, twice, twice, 2},
	{"v_min_f16", What::Min, half, half, 2},	    {"v_max_f16", What::Max, half, half, 2},
};
// clang-format on

/** The exact result of x, y, z; only the sign of an exact zero sum depends on the rounding. */
void compute(What what, const Number &x, const Number &y, const Number &z, mpfr_rnd_t rounding, Number &result)
{
	const mpfr_ptr r = result.get();

	switch (what) {
	case What::Add: mpfr_add(r, x.get(), y.get(), rounding); break;
	case What::Sub: mpfr_sub(r, x.get(), y.get(), rounding); break;
	case What::SubRev: mpfr_sub(r, y.get(), x.get(), rounding); break;
	case What::Mul: mpfr_mul(r, x.get(), y.get(), rounding); break;
	case What::Fma: mpfr_fma(r, x.get(), y.get(), z.get(), rounding); break;
	case What::Convert: mpfr_set(r, x.get(), rounding); break;
	case What::Floor: mpfr_rint(r, x.get(), MPFR_RNDD); break;
	case What::Ceil: mpfr_rint(r, x.get(), MPFR_RNDU); break;
	case What::Trunc: mpfr_rint(r, x.get(), MPFR_RNDZ); break;
	case What::NearestEven: mpfr_rint(r, x.get(), MPFR_RNDN); break;
	case What::Min:
	case What::Max: {
		/* The number if the other is a NaN; -0 is less than 0. */
		const bool equal = mpfr_equal_p(x.get(), y.get()), less = mpfr_less_p(x.get(), y.get()) || (equal && mpfr_signbit(x.get()));
		const bool first = mpfr_nan_p(y.get()) || (!mpfr_nan_p(x.get()) && less == (what == What::Min));
		mpfr_set(r, first ? x.get() : y.get(), MPFR_RNDN);
		break;
	}
	}
}

struct Step {
	const Instruction *instruction;
	unsigned to, from[3]; /* numbers of registers of their format, 0..7 */
};

std::string register_name(const Format &f, unsigned n)
{
	if (f.bits == 64)
		return "v[" + std::to_string(16 + 2 * n) + ":" + std::to_string(17 + 2 * n) + "]";
	return "v" + std::to_string(n + (f.bits == 16 ? 8 : 0));
}

std::string text_of(const Step &s)
{
	std::string text = std::string(s.instruction->name) + " " + register_name(s.instruction->to, s.to);

	for (unsigned i = 0; i < s.instruction->sources; i++)
		text += ", " + register_name(s.instruction->from, s.from[i]);
	return text;
}

/** Registers of one lane. */
struct Lane {
	u64 half[8], single[8], twice[8];

	u64 *of(const Format &f) { return f.bits == 16 ? half : f.bits == 32 ? single : twice; }
};

class Sequences {
public:
	explicit Sequences(u64 seed) : random_(seed) {}

	/** A sequence for every mode; then all of them, assembled at once. */
	void every_mode()
	{
		constexpr unsigned modes = 256, length = 12;
		std::vector<std::vector<Step>> sequences(modes, std::vector<Step>(length));
		std::set<std::string> lines;

		for (auto &steps : sequences)
			for (Step &s : steps) {
				s = {&instructions[random_() % std::size(instructions)], below(8), {below(8), below(8), below(8)}};
				lines.insert(text_of(s));
			}
		encodings_ = assemble({lines.begin(), lines.end()});
		for (unsigned mode = 0; mode < modes && !testing::Test::HasFailure(); mode++)
			run(sequences[mode], mode);
	}

private:
	void run(const std::vector<Step> &steps, unsigned mode)
	{
		std::vector<std::string> lines;

		for (const Step &s : steps)
			lines.push_back(text_of(s));
		m_.wave.mode = mode | 1 << 9;
		m_.load(code_of(lines));
		for (unsigned lane = 0; lane < 64; lane++)
			fill(lane);
		ASSERT_EQ(m_.run().why, silicon::Stop::End);
		for (unsigned lane = 0; lane < 64 && !testing::Test::HasFailure(); lane++)
			check(lane, steps, lines, mode);
	}

	unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

	std::vector<u32> code_of(const std::vector<std::string> &lines)
	{
		std::vector<u32> code;

		for (const std::string &line : lines)
			code.insert(code.end(), encodings_.at(line).begin(), encodings_.at(line).end());
		return code;
	}

	/** Many values near the ends of the formats and near each other. */
	u64 value(const Format &f)
	{
		const u64 noise = random_() & ((f.exponent_mask() | f.fraction_mask()) | f.sign(true));

		switch (below(8)) {
		case 0: return f.sign(below(2)) | (noise & f.fraction_mask() & random_());
		case 1: return f.sign(below(2)) | (u64{1 + below(3)} << f.fraction) | (noise & f.fraction_mask());
		case 2:
			return f.sign(below(2)) | (f.exponent_mask() - (u64{below(3)} << f.fraction)) |
			       (below(2) ? 0 : noise & f.fraction_mask());
		case 3:
		case 4:
		case 5:
			return f.sign(below(2)) | (static_cast<u64>(f.top_exponent - 12 + static_cast<int>(below(24))) << f.fraction) |
			       (noise & f.fraction_mask() & (below(2) ? ~u64{0} : random_() & random_()));
		default: return noise;
		}
	}

	void fill(unsigned lane)
	{
		Lane &l = lanes_[lane];

		for (unsigned n = 0; n < 8; n++) {
			l.single[n] = value(single);
			l.half[n] = value(half);
			l.twice[n] = value(twice);
			m_.v(n, lane) = static_cast<u32>(l.single[n]);
			m_.v(8 + n, lane) = static_cast<u32>(l.half[n]);
			m_.v(16 + 2 * n, lane) = static_cast<u32>(l.twice[n]);
			m_.v(17 + 2 * n, lane) = static_cast<u32>(l.twice[n] >> 32);
		}
	}

	/** An instruction with a half or a double follows MODE's fields of these (Vega ISA 3.3.3). */
	static Rules rules(const Instruction &i, unsigned mode)
	{
		const bool singles = i.from.bits == 32 && i.to.bits == 32;
		const unsigned round = singles ? mode & 3 : mode >> 2 & 3, denormals = singles ? mode >> 4 & 3 : mode >> 6 & 3;

		return {round, (denormals & 1) != 0, (denormals & 2) != 0};
	}

	void check(unsigned lane, const std::vector<Step> &steps, const std::vector<std::string> &lines, unsigned mode)
	{
		Lane l = lanes_[lane];
		std::string history;

		for (size_t i = 0; i < steps.size(); i++) {
			const Instruction &in = *steps[i].instruction;
			const Rules rule = rules(in, mode);
			const u64 *source = l.of(in.from);
			const Number x(in.from, source[steps[i].from[0]], rule), y(in.from, source[steps[i].from[1]], rule),
				z(in.from, source[steps[i].from[2]], rule);
			Number r;

			compute(in.what, x, y, z, rule.rounding(), r);
			char text[160];
			const u64 result = r.rounded(in.to, rule);
			std::snprintf(text, sizeof(text), "%s: %llx %llx %llx -> %llx\n", lines[i].c_str(),
				      static_cast<unsigned long long>(source[steps[i].from[0]]),
				      static_cast<unsigned long long>(source[steps[i].from[1]]),
				      static_cast<unsigned long long>(source[steps[i].from[2]]), static_cast<unsigned long long>(result));
			history += text;
			l.of(in.to)[steps[i].to] = result;
		}
		for (unsigned n = 0; n < 8; n++) {
			equal(single, n, l.single[n], m_.v(n, lane), mode, history);
			equal(half, n, l.half[n], m_.v(8 + n, lane) & 0xffff, mode, history);
			equal(twice, n, l.twice[n], silicon::join(m_.v(16 + 2 * n, lane), m_.v(17 + 2 * n, lane)), mode, history);
		}
	}

	static void equal(const Format &f, unsigned n, u64 wanted, u64 got, unsigned mode, const std::string &history)
	{
		EXPECT_TRUE(wanted == got || (f.is_nan(wanted) && f.is_nan(got)))
			<< register_name(f, n) << " is " << std::hex << got << " instead of " << wanted << ", MODE " << mode << ", after\n"
			<< history;
	}

	std::mt19937_64 random_;
	Machine m_{40};
	Lane lanes_[64];
	std::map<std::string, std::vector<u32>> encodings_;
};

u64 environment(const char *name, u64 otherwise)
{
	const char *text = std::getenv(name);
	return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

TEST(FloatOracle, SequencesInEveryMode)
{
	const u64 rounds = environment("ISA_FLOAT_ROUNDS", 1);
	Sequences sequences(environment("ISA_FUZZ_SEED", 1));

	mpfr_set_emin(-20000);
	mpfr_set_emax(20000);
	for (u64 i = 0; i < rounds && !HasFailure(); i++)
		sequences.every_mode();
}

} // namespace
} // namespace isa_test
