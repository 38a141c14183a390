// SPDX-License-Identifier: MIT
/*
 * exceptions_test.cc - TRAPSTS.EXCP of single instructions against MPFR in all rounding and denormal modes, and when an
 * exception becomes a trap. Every unit of this host is asked.
 */
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <random>

#include "assembler.h"
#include "names.h"

namespace isa_test {
namespace {

using silicon::Stop;

enum : u32 { invalid = 1, denormal = 2, divide = 4, overflow = 8, underflow = 16, inexact = 32, integer_divide = 64 };
constexpr unsigned excp_en = 12;

struct Format {
	unsigned bits, fraction;
	int top;

	u64 special() const { return ((u64{1} << (bits - 1 - fraction)) - 1) << fraction; }
	u64 fractions() const { return (u64{1} << fraction) - 1; }
	bool is_nan(u64 v) const { return (v & special()) == special() && v & fractions(); }
	bool is_signalling(u64 v) const { return is_nan(v) && !(v >> (fraction - 1) & 1); }
	bool is_denormal(u64 v) const { return !(v & special()) && v & fractions(); }
};

constexpr Format half{16, 10, 15}, single{32, 23, 127}, twice{64, 52, 1023};

/** A number of MPFR with bits enough for any exact sum of products. */
class Number {
public:
	Number() { mpfr_init2(v, 4300); }
	~Number() { mpfr_clear(v); }
	Number(const Number &) = delete;
	Number &operator=(const Number &) = delete;

	void set(const Format &f, u64 bits, bool keep_denormal)
	{
		const u64 exponent = (bits & f.special()) >> f.fraction, fraction = bits & f.fractions();

		if (f.is_nan(bits))
			mpfr_set_nan(v);
		else if (bits == f.special() || bits == (f.special() | u64{1} << (f.bits - 1)))
			mpfr_set_inf(v, 1);
		else
			mpfr_set_ui_2exp(v,
					 !exponent && !keep_denormal ? 0 :
					 exponent		     ? fraction | u64{1} << f.fraction :
								       fraction,
					 static_cast<long>(exponent ? exponent : 1) - f.top - static_cast<int>(f.fraction), MPFR_RNDN);
		if (bits >> (f.bits - 1) & 1)
			mpfr_neg(v, v, MPFR_RNDN);
	}

	mpfr_t v;
};

struct Rules {
	unsigned round;
	bool denormal_in, denormal_out;

	mpfr_rnd_t mpfr() const { return std::array{MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ}[round]; }
};

/** What rounding this to the format raises; the number becomes the rounded one. */
u32 round_to(Number &n, const Format &f, const Rules &rules)
{
	if (!mpfr_regular_p(n.v))
		return 0;
	Number exact;
	mpfr_set(exact.v, n.v, MPFR_RNDN);
	mpfr_prec_round(n.v, f.fraction + 1, rules.mpfr());
	u32 raised = mpfr_equal_p(exact.v, n.v) ? 0 : inexact;
	const long exponent = mpfr_get_exp(n.v) - 1;
	if (exponent > f.top) {
		const bool away = rules.round == 0 || rules.round == (mpfr_signbit(n.v) ? 2u : 1u);
		const int sign = mpfr_signbit(n.v) ? -1 : 1;

		if (away)
			mpfr_set_inf(n.v, sign);
		else
			mpfr_set_si_2exp(n.v, sign * static_cast<long>((u64{2} << f.fraction) - 1), f.top - static_cast<long>(f.fraction),
					 MPFR_RNDN);
		raised = overflow | inexact;
	} else if (exponent < 1 - f.top) {
		if (rules.denormal_out) {
			mpfr_set(exact.v, exact.v, MPFR_RNDN);
			mpfr_prec_round(n.v, 4300, MPFR_RNDN);
			mpfr_mul_2si(n.v, exact.v, f.top - 1 + static_cast<long>(f.fraction), MPFR_RNDN);
			mpfr_rint(n.v, n.v, rules.mpfr());
			mpfr_mul_2si(n.v, n.v, 1 - f.top - static_cast<long>(f.fraction), MPFR_RNDN);
			raised = mpfr_equal_p(n.v, exact.v) ? 0 : underflow | inexact;
		} else {
			mpfr_set_zero(n.v, mpfr_signbit(n.v) ? -1 : 1);
			raised = underflow | inexact;
		}
	}
	mpfr_prec_round(n.v, 4300, MPFR_RNDN);
	return raised;
}

enum class What { Add, Sub, Mul, Mad, Fma, Convert, ToSigned, ToUnsigned };

struct Instruction {
	const char *name;
	What what;
	const Format &from, &to;
	unsigned sources;
	bool flushes = false;
};

// clang-format off
const Instruction instructions[] = {
	{"v_add_f32", What::Add, single, single, 2},	    {"v_sub_f32", What::Sub, single, single, 2},
	{"v_mul_f32", What::Mul, single, single, 2},	    {"v_mad_f32", What::Mad, single, single, 3, true},
	{"v_fma_f32", What::Fma, single, single, 3},	    {"v_add_f64", What::Add, twice, twice, 2},
	{"v_mul_f64", What::Mul, twice, twice, 2},	    {"v_fma_f64", What::Fma, twice, twice, 3},
	{"v_add_f16", What::Add, half, half, 2},	    {"v_sub_f16", What::Sub, half, half, 2},
	{"v_mul_f16", What::Mul, half, half, 2},	    {"v_mad_f16", What::Mad, half, half, 3},
	{"v_fma_f16", What::Fma, half, half, 3},	    {"v_cvt_f16_f32", What::Convert, single, half, 1},
	{"v_cvt_f32_f16", What::Convert, half, single, 1},  {"v_cvt_f32_f64", What::Convert, twice, single, 1},
	{"v_cvt_f64_f32", What::Convert, single, twice, 1}, {"v_cvt_i32_f32", What::ToSigned, single, single, 1},
	{"v_cvt_u32_f32", What::ToUnsigned, single, single, 1}, {"v_cvt_i32_f64", What::ToSigned, twice, single, 1},
	{"v_cvt_u32_f64", What::ToUnsigned, twice, single, 1},
};
// clang-format on

u32 to_integer(Number &x, bool is_signed)
{
	if (!mpfr_number_p(x.v))
		return invalid;
	Number whole;
	mpfr_rint(whole.v, x.v, MPFR_RNDZ);
	if (is_signed ? !mpfr_fits_sint_p(whole.v, MPFR_RNDN) : !mpfr_fits_uint_p(whole.v, MPFR_RNDN))
		return invalid;
	return mpfr_equal_p(whole.v, x.v) ? 0 : inexact;
}

/** The flags, by MPFR; a NaN out of numbers is an invalid operation. */
u32 wanted(const Instruction &in, const u64 (&bits)[3], const Rules &rules)
{
	Number n[3], r;
	u32 raised = 0;
	bool nan = false, signalling = false;

	for (unsigned i = 0; i < in.sources; i++) {
		n[i].set(in.from, bits[i], rules.denormal_in);
		nan |= in.from.is_nan(bits[i]);
		signalling |= in.from.is_signalling(bits[i]);
		raised |= in.from.is_denormal(bits[i]) && rules.denormal_in ? denormal : 0;
	}
	if (in.what == What::ToSigned || in.what == What::ToUnsigned) {
		const u32 flags = to_integer(n[0], in.what == What::ToSigned);
		return flags == invalid ? invalid : flags | raised;
	}
	if (nan)
		return signalling ? invalid : 0;
	switch (in.what) {
	case What::Add: mpfr_add(r.v, n[0].v, n[1].v, rules.mpfr()); break;
	case What::Sub: mpfr_sub(r.v, n[0].v, n[1].v, rules.mpfr()); break;
	case What::Mul: mpfr_mul(r.v, n[0].v, n[1].v, rules.mpfr()); break;
	case What::Fma: mpfr_fma(r.v, n[0].v, n[1].v, n[2].v, rules.mpfr()); break;
	case What::Mad:
		mpfr_mul(r.v, n[0].v, n[1].v, rules.mpfr());
		if (mpfr_nan_p(r.v))
			return invalid;
		raised |= round_to(r, in.to, rules);
		mpfr_add(r.v, r.v, n[2].v, rules.mpfr());
		if (mpfr_nan_p(r.v))
			raised |= invalid;
		return raised | round_to(r, in.to, rules);
	default: mpfr_set(r.v, n[0].v, MPFR_RNDN);
	}
	return mpfr_nan_p(r.v) ? invalid : raised | round_to(r, in.to, rules);
}

class Exceptions : public testing::TestWithParam<unsigned> {
protected:
	Exceptions() : m(16)
	{
		m.choose_variant(GetParam());
		mpfr_set_emin(-20000);
		mpfr_set_emax(20000);
	}
	Stop run(const std::string &line)
	{
		const auto code = assemble({line});

		EXPECT_EQ(code.size(), 1u) << line;
		m.load(code.at(line));
		return m.run().why;
	}
	void watch() { m.wave.trapsts = silicon::trapsts_watched; }
	u32 excp() const { return m.wave.trapsts & 0x1ff; }

	Machine m;
};

u64 value(std::mt19937_64 &random, const Format &f)
{
	const u64 noise = random() & (f.special() | f.fractions()), sign = (random() & 1) << (f.bits - 1);

	switch (random() % 8) {
	case 0: return sign | (noise & f.fractions()); /* denormal */
	case 1: return sign | u64{1 + random() % 3} << f.fraction | (noise & f.fractions() & random());
	case 2: return sign | (f.special() - (u64{random() % 3} << f.fraction)) | (random() & 1 ? 0 : noise & f.fractions());
	case 3: return random() & 1 ? sign : noise;
	case 4: return sign | static_cast<u64>(f.top / 2 + static_cast<int>(random() % 4)) << f.fraction | (noise & f.fractions());
	default:
		return sign | static_cast<u64>(f.top - 12 + static_cast<int>(random() % 45)) % (2 * f.top) << f.fraction |
		       (noise & f.fractions() & random() & random());
	}
}

std::string reg(const Format &f, unsigned n)
{
	return f.bits == 64 ? "v[" + std::to_string(2 * n) + ":" + std::to_string(2 * n + 1) + "]" : "v" + std::to_string(2 * n);
}

TEST_P(Exceptions, StickyBitsAreThoseOfIeee754)
{
	std::mt19937_64 random(7);
	std::set<u32> seen;
	std::vector<std::string> lines;

	for (const Instruction &in : instructions) {
		lines.push_back(std::string(in.name) + " " + reg(in.to, 3));
		for (unsigned i = 0; i < in.sources; i++)
			lines.back() += ", " + reg(in.from, i);
	}
	const auto codes = assemble(lines);
	for (unsigned mode = 0; mode < 256; mode++)
		for (unsigned k = 0; k < std::size(instructions); k++) {
			const Instruction &in = instructions[k];
			const bool singles = in.from.bits == 32 && in.to.bits == 32;
			const Rules rules = {(singles ? mode : mode >> 2) & 3, !in.flushes && mode >> (singles ? 4 : 6) & 1,
					     !in.flushes && mode >> (singles ? 5 : 7) & 1};

			m.load(codes.at(lines[k]));
			for (unsigned lane = 0; lane < 64; lane += 7) {
				u64 bits[3];

				for (unsigned i = 0; i < 3; i++) {
					bits[i] = value(random, in.from);
					m.v(2 * i, lane) = static_cast<u32>(bits[i]);
					m.v(2 * i + 1, lane) = static_cast<u32>(bits[i] >> 32);
				}
				m.wave.pc = code_base;
				m.wave.mode = mode | 1 << 9;
				m.wave.set_exec(u64{1} << lane);
				watch();
				ASSERT_EQ(m.run().why, Stop::End);
				const u32 want = wanted(in, bits, rules);
				seen.insert(want);
				ASSERT_EQ(excp(), want)
					<< lines[k] << std::hex << ", MODE " << mode << ": " << bits[0] << " " << bits[1] << " " << bits[2];
				if (want && in.from.bits < 64 && in.to.bits < 64)
					ASSERT_EQ(m.wave.trapsts >> 16 & 0x3f, lane / 16) << lines[k];
			}
		}
	EXPECT_GT(seen.size(), 8u); /* combinations of flags */
}

TEST_P(Exceptions, NobodyLooksBeforeTheFirstAccessToTrapsts)
{
	m.v(0, 0) = std::bit_cast<u32>(1.0f);
	m.v(1, 0) = std::bit_cast<u32>(1e-30f);
	EXPECT_EQ(run("v_add_f32 v2, v0, v1"), Stop::End);
	EXPECT_EQ(m.wave.trapsts, 0u);
	EXPECT_EQ(run("s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)"), Stop::End);
	EXPECT_EQ(m.s(0), 0u);
	EXPECT_EQ(run("v_add_f32 v2, v0, v1"), Stop::End);
	EXPECT_EQ(run("s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)"), Stop::End);
	EXPECT_EQ(m.s(0), u32{inexact}); /* the reserved bits read as zeros */
	m.s(1) = 0;
	EXPECT_EQ(run("s_setreg_b32 hwreg(HW_REG_TRAPSTS), s1"), Stop::End);
	EXPECT_EQ(excp(), 0u);
	EXPECT_EQ(run("v_add_f32 v2, v0, v1"), Stop::End);
	EXPECT_EQ(excp(), u32{inexact});
}

TEST_P(Exceptions, OnlyActiveLanesRaise)
{
	m.v(0, 9) = 0x7f800001; /* a signalling NaN */
	m.wave.set_exec(~u64{1 << 9});
	watch();
	EXPECT_EQ(run("v_add_f32 v2, v0, v0"), Stop::End);
	EXPECT_EQ(excp(), 0u);
	m.wave.set_exec(1 << 9);
	EXPECT_EQ(run("v_add_f32 v2, v0, v0"), Stop::End);
	EXPECT_EQ(excp(), u32{invalid});
}

TEST_P(Exceptions, ModifiersComeFirst)
{
	m.v(0, 0) = std::bit_cast<u32>(-4.0f);
	m.s(2) = 0x7f800000;
	m.v(1, 0) = 0x7f800000;
	m.wave.set_exec(1);
	watch();
	EXPECT_EQ(run("v_sqrt_f32_e64 v2, |v0|"), Stop::End);
	EXPECT_EQ(run("v_add_f32 v2, s2, v1"), Stop::End);
	EXPECT_EQ(excp(), 0u);
	EXPECT_EQ(run("v_add_f32_e64 v2, s2, -v1"), Stop::End);
	EXPECT_EQ(excp(), u32{invalid});
	watch();
	EXPECT_EQ(run("v_sqrt_f32 v2, v0"), Stop::End);
	EXPECT_EQ(excp(), u32{invalid});
}

TEST_P(Exceptions, ReciprocalsOfZero)
{
	watch();
	EXPECT_EQ(run("v_rcp_f32 v2, v0"), Stop::End);
	EXPECT_EQ(excp(), u32{divide});
	watch();
	EXPECT_EQ(run("v_rcp_iflag_f32 v2, v0"), Stop::End);
	EXPECT_EQ(excp(), u32{integer_divide});
	watch();
	EXPECT_EQ(run("v_rsq_f64 v[2:3], v[0:1]"), Stop::End);
	EXPECT_EQ(excp(), u32{divide});
}

TEST_P(Exceptions, AnEnabledOneTrapsBehindTheInstruction)
{
	m.wave.trap_enabled = true;
	m.wave.mode |= divide << excp_en;
	EXPECT_EQ(run("v_add_f32 v2, 0x7f800001, v1"), Stop::End); /* invalid is not enabled, but its sticky bit is set */
	EXPECT_EQ(excp(), u32{invalid});
	EXPECT_EQ(run("v_rcp_f32 v2, v0"), Stop::Exception);
	EXPECT_EQ(m.wave.pc, code_base + 4);
	EXPECT_EQ(m.v(2, 0), 0x7f800000u);
	EXPECT_EQ(excp(), u32{invalid | divide});
	EXPECT_EQ(m.run().why, Stop::Exception); /* until somebody enters the handler */
	m.wave.trapsts &= ~silicon::trapsts_pending;
	EXPECT_EQ(m.run().why, Stop::End);
}

TEST_P(Exceptions, NothingTrapsInAHandlerOrWithoutOne)
{
	m.wave.mode |= divide << excp_en;
	EXPECT_EQ(run("v_rcp_f32 v2, v0"), Stop::End);
	m.wave.trap_enabled = true;
	m.wave.privileged = true;
	EXPECT_EQ(run("v_rcp_f32 v2, v0"), Stop::End);
	EXPECT_EQ(excp(), u32{divide});
}

INSTANTIATE_TEST_SUITE_P(Units, Exceptions, testing::Range(0u, execution_units()), unit_name);

} // namespace
} // namespace isa_test
