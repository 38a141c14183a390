// SPDX-License-Identifier: MIT
/*
 * isa_builtins.cc - clang's builtins for the GPU, OpenCL C's integer functions and conversions (functions.h), and those of waves and groups
 * (lanes.h), compiled for the GPU, run on the silicon's engine and compared with the host. N arguments, in whole groups of 64.
 *
 *	isa_builtins [--count N] [--seed S] [--mcpu NAME] [--folder DIR] [FUNCTION...]
 */
#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>

#include "../float_format.h"
#include "../command_line.h"
#include "../program.h"
#include "functions.h"
#include "lanes.h"

namespace isa_builtins {
namespace {

using isa_test::Format, isa_test::Machine, isa_test::Program;
using s128 = __int128;
template <class H> using Wide = std::conditional_t<std::is_signed_v<H>, s128, unsigned __int128>;

constexpr mpfr_rnd_t N = MPFR_RNDN;

/* ---- Integers ---- */

constexpr u64 join(u32 low, u32 high) { return low | u64{high} << 32; }
constexpr u64 pack(u32 low, u32 high) { return (low & 0xffff) | (high & 0xffff) << 16; }
constexpr u32 byte(u32 v, unsigned n) { return v >> n * 8 & 0xff; }

template <class H, class V> H clamp(V v)
{
	constexpr H least = std::numeric_limits<H>::min(), greatest = std::numeric_limits<H>::max();

	/* Without a sign, nothing lies below. */
	return V(-1) < V(0) && v < V(least) ? least : v > V(greatest) ? greatest : H(v);
}

template <class H> std::make_unsigned_t<H> unsigned_difference(u64 x, u64 y)
{
	return std::make_unsigned_t<H>(H(x) > H(y) ? s128(H(x)) - H(y) : s128(H(y)) - H(x));
}

template <class H> H rotate(u64 x, u64 y) { return H(std::rotl(std::make_unsigned_t<H>(x), static_cast<int>(y % (sizeof(H) * 8)))); }

constexpr s64 low24(u32 v) { return static_cast<s32>(v << 8) >> 8; }

/** v_perm_b32: bytes 0 to 3 are y's, 4 to 7 x's; 8 to 11 a sign of a half of them, 12 zeros, beyond it ones. */
u64 perm(u32 x, u32 y, u32 selectors)
{
	const u64 both = join(y, x);
	u64 result = 0;

	for (unsigned n = 0; n < 4; n++) {
		const u32 s = byte(selectors, n);
		const u64 v = s < 8 ? both >> s * 8 & 0xff : s < 12 ? (both >> ((s - 8) * 16 + 15) & 1) * 0xff : s == 12 ? 0 : 0xff;
		result |= v << n * 8;
	}
	return result;
}

s64 sbfe(u32 v, unsigned at, unsigned bits)
{
	return bits ? static_cast<s64>(s64{static_cast<s32>(v)} >> at << (64 - bits)) >> (64 - bits) : 0;
}

u64 lerp(u32 x, u32 y, u32 z)
{
	u64 result = 0;

	for (unsigned n = 0; n < 4; n++)
		result |= u64{(byte(x, n) + byte(y, n) + (byte(z, n) & 1)) >> 1} << n * 8;
	return result;
}

u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }

u32 sad(u32 x, u32 y)
{
	return difference(byte(x, 0), byte(y, 0)) + difference(byte(x, 1), byte(y, 1)) + difference(byte(x, 2), byte(y, 2)) +
	       difference(byte(x, 3), byte(y, 3));
}

u32 sad16(u32 x, u32 y) { return difference(x & 0xffff, y & 0xffff) + difference(x >> 16, y >> 16); }

/** Without the bytes for which the second one is 0. */
u32 masked_sad(u32 x, u32 y)
{
	u32 sum = 0;

	for (unsigned n = 0; n < 4; n++)
		sum += byte(y, n) ? difference(byte(x, n), byte(y, n)) : 0;
	return sum;
}

/** Four sums, each of four bytes one further on. */
u64 quad_sad(u64 x, u32 y, u64 z, u32 (*sum)(u32, u32))
{
	u64 result = 0;

	for (unsigned n = 0; n < 4; n++)
		result |= ((z >> n * 16) + sum(static_cast<u32>(x >> n * 8), y) & 0xffff) << n * 16;
	return result;
}

u32 mqsad(u64 x, u32 y, u32 z, unsigned n) { return masked_sad(static_cast<u32>(x >> n * 8), y) + z; }

/** Sum of products of parts of 32 bits, onto z. */
template <class Part, unsigned parts> s128 products(u32 x, u32 y)
{
	s128 sum = 0;

	for (unsigned n = 0; n < parts; n++)
		sum += s128(Part(x >> n * (32 / parts))) * Part(y >> n * (32 / parts));
	return sum;
}
template <class Part> using Sum = std::conditional_t<std::is_signed_v<Part>, s32, u32>;
template <class Part, unsigned parts> Sum<Part> dot(u32 x, u32 y, u32 z) { return Sum<Part>(products<Part, parts>(x, y) + z); }
template <class Part, unsigned parts> Sum<Part> dot_clamp(u32 x, u32 y, u32 z)
{
	return clamp<Sum<Part>>(products<Part, parts>(x, y) + Sum<Part>(z));
}

template <bool negative> auto nibbles(u32 x, u32 y, u32 z) -> std::conditional_t<negative, s32, u32>
{
	s64 sum = z;

	for (unsigned n = 0; n < 32; n += 4) {
		const s64 a = x >> n & 15, b = y >> n & 15;
		sum += negative ? (a - (a & 8) * 2) * (b - (b & 8) * 2) : a * b;
	}
	return static_cast<std::conditional_t<negative, s32, u32>>(sum);
}

/* ---- Floats ---- */

class Number {
public:
	explicit Number(mpfr_prec_t bits) { mpfr_init2(v_, bits); }
	~Number() { mpfr_clear(v_); }
	Number(const Number &) = delete;
	Number &operator=(const Number &) = delete;
	operator mpfr_ptr() { return v_; }
	mpfr_ptr get() { return v_; }

private:
	mpfr_t v_;
};

/** As builtins.cl's NUMBER and its kin. */
float number(u32 v) { return std::bit_cast<float>((v & 0xbfffffff) | 0x20000000); }
u32 numbers(u32 v) { return v & 0xbfffbfff; }
u64 bits(float v) { return std::bit_cast<u32>(v); }

u64 median(float a, float b, float c) { return bits(std::max(std::min(a, b), std::min(std::max(a, b), c))); }

u64 median_half(u32 x, u32 y, u32 z)
{
	const auto order = [](u32 v) { return static_cast<s16>((v & 0x8000) ? ~((v & 0x3fff) | 0x2000) : ((v & 0x3fff) | 0x2000)); };
	const s16 a = order(x), b = order(y), c = order(z), middle = std::max(std::min(a, b), std::min(std::max(a, b), c));

	return static_cast<u16>(middle < 0 ? ~middle | 0x8000 : middle);
}

struct Cube {
	float id, sc, tc, ma;
};

/** The face of a cube that a direction points at (Vega ISA, v_cubeid_f32 and the three that follow). */
Cube cube(float x, float y, float z)
{
	const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);

	if (az >= ax && az >= ay)
		return {z < 0 ? 5.0f : 4.0f, z < 0 ? -x : x, -y, 2 * z};
	if (ay >= ax)
		return {y < 0 ? 3.0f : 2.0f, x, y < 0 ? -z : z, 2 * y};
	return {x < 0 ? 1.0f : 0.0f, x < 0 ? z : -z, -y, 2 * x};
}

/** The bit of v_cmp_class for a float. */
u32 classify(u32 v)
{
	const u32 exponent = v >> 23 & 255, fraction = v & 0x7fffff;
	const bool negative = v >> 31;

	if (exponent == 255 && fraction)
		return fraction >> 22 ? 2 : 1;
	const unsigned from_zero = exponent == 255 ? 3 : exponent ? 2 : fraction ? 1 : 0;
	return 1u << (negative ? 5 - from_zero : 6 + from_zero);
}

/** The half that the rounding mode makes of a number; and so for other formats. */
u64 rounded(const Format &f, mpfr_ptr v, mpfr_rnd_t mode)
{
	if (mpfr_nan_p(v))
		return f.exponent_mask() | u64{1} << (f.fraction - 1);
	const u64 sign = f.sign(mpfr_signbit(v));
	if (mpfr_inf_p(v))
		return sign | f.exponent_mask();
	if (mpfr_zero_p(v))
		return sign;
	/* In units of the last place, which are those of denormals at least. */
	Number r(4200);
	long exponent = std::max<long>(mpfr_get_exp(v) - 1, f.lowest());
	mpfr_mul_2si(r, v, static_cast<long>(f.fraction) - exponent, N);
	mpfr_rint(r, r, mode);
	mpfr_abs(r, r, N);
	u64 significand = mpfr_get_ui(r, N);
	if (significand >> (f.fraction + 1)) {
		significand >>= 1;
		exponent++;
	}
	if (exponent > f.top_exponent) {
		const bool infinite = mode == MPFR_RNDN || (mode == MPFR_RNDU && !sign) || (mode == MPFR_RNDD && sign);
		return sign | (f.exponent_mask() - !infinite);
	}
	const bool normal = significand >> f.fraction;
	return sign | (normal ? static_cast<u64>(exponent + f.top_exponent) << f.fraction : 0) | (significand & f.fraction_mask());
}

u32 toward_zero(u32 bits)
{
	Number v(64);

	set_bits(v, isa_test::single, isa_test::single.is_nan(bits) ? bits & 0xff800000 : bits);
	return static_cast<u32>(rounded(isa_test::half, v, MPFR_RNDZ));
}

using HalfOperation = void (*)(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c);
#define HALF_OP(operation) \
	[](mpfr_ptr r, [[maybe_unused]] mpfr_srcptr a, [[maybe_unused]] mpfr_srcptr b, [[maybe_unused]] mpfr_srcptr c) { operation; }

/** An operation on both halves. */
u64 halves(u32 x, u32 y, u32 z, HalfOperation operation)
{
	Number a(64), b(64), c(64), r(256);
	u64 result = 0;

	for (unsigned at = 0; at < 32; at += 16) {
		set_bits(a, isa_test::half, x >> at & 0xffff);
		set_bits(b, isa_test::half, y >> at & 0xffff);
		set_bits(c, isa_test::half, z >> at & 0xffff);
		operation(r, a, b, c);
		result |= rounded(isa_test::half, r, N) << at;
	}
	return result;
}

/** With saturation; a NaN counts as the infinity of its sign. */
template <class H> H to_integer(const Format &f, u64 x, mpfr_rnd_t mode)
{
	Number v(64);

	x &= f.sign(true) | (f.sign(true) - 1);
	set_bits(v, f, f.is_nan(x) ? x & ~f.fraction_mask() : x);
	mpfr_rint(v, v, mode);
	/* What does not fit these saturates. */
	return std::is_signed_v<H> ? clamp<H>(s128{mpfr_get_si(v, N)}) : clamp<H>(s128{mpfr_get_ui(v, N)});
}

template <class H> u64 from_integer(const Format &f, u64 x, mpfr_rnd_t mode)
{
	Number v(64);

	if (std::is_signed_v<H>)
		mpfr_set_si(v, static_cast<s64>(H(x)), N);
	else
		mpfr_set_ui(v, static_cast<u64>(H(x)), N);
	return rounded(f, v, mode);
}

/* ---- The table ---- */

struct Function {
	std::string name;
	u64 (*host)(u64 x, u64 y, u64 z);
};

#define ROW(name, device, ...) \
	{#name, [](u64 x, [[maybe_unused]] u64 y, [[maybe_unused]] u64 z) -> u64 { \
		 [[maybe_unused]] const u32 X = static_cast<u32>(x), Y = static_cast<u32>(y), Z = static_cast<u32>(z); \
		 const auto result = __VA_ARGS__; \
		 return static_cast<u64>(result); \
	 }},

const std::vector<Function> everywhere{BUILTINS_ALL(ROW) BUILTINS_INTEGER(ROW) BUILTINS_CONVERSION(ROW)}, gfx9{BUILTINS_GFX9(ROW)},
	dots{BUILTINS_DOT(ROW)};

/* ---- The table of lanes ---- */

constexpr unsigned group = 64;

/** Where an item stands: its group's arguments, its number there, the lanes of a wave. */
struct Place {
	const u64 *x, *y;
	unsigned local, width;
};

u32 sum(u32 a, u32 b) { return a + b; }
u32 least(u32 a, u32 b) { return static_cast<s32>(a) < static_cast<s32>(b) ? a : b; }
u32 greatest(u32 a, u32 b) { return std::max(a, b); }
u32 differ(u32 a, u32 b) { return a ^ b; }

struct LaneFunction {
	std::string name;
	u32 (*host)(const Place &);
};

#define LANE_ROW(name, device, ...) \
	{#name, [](const Place &p) -> u32 { \
		 [[maybe_unused]] const unsigned local = p.local, width = p.width, lane = local % width; \
		 [[maybe_unused]] const u32 Y = static_cast<u32>(p.y[local]); \
		 const auto item = [&](unsigned i) { return static_cast<u32>(p.x[i]); }; \
		 const auto at = [&](unsigned i) { return item(local - lane + i); }; \
		 const auto fold_of = [](unsigned n, u32 v, auto operation, auto number) { \
			 for (unsigned i = 0; i < n; i++) \
				 v = operation(v, number(i)); \
			 return v; \
		 }; \
		 [[maybe_unused]] const auto fold = [&](unsigned n, u32 v, auto operation) { return fold_of(n, v, operation, at); }; \
		 [[maybe_unused]] const auto fold_items = [&](unsigned n, u32 v, auto operation) { \
			 return fold_of(n, v, operation, item); \
		 }; \
		 [[maybe_unused]] const auto any = [&] { \
			 return fold_of( \
				 width, 0u, [](u32 a, u32 b) { return a | b; }, \
				 [&](unsigned i) { return u32{at(i) == static_cast<u32>(p.y[local - lane + i])}; }); \
		 }; \
		 return __VA_ARGS__; \
	 }},

const std::vector<LaneFunction> all_lanes{LANES_ALL(LANE_ROW)}, gcn_lanes{LANES_GCN(LANE_ROW)}, gfx10_lanes{LANES_GFX10(LANE_ROW)};

struct Options {
	u64 count = 512, seed = 1;
	std::string mcpu = "gfx906", folder;
	std::vector<std::string> only;

	bool has_gfx9() const { return !mcpu.starts_with("gfx8"); }
	bool is_gfx10() const { return mcpu.starts_with("gfx10"); }
	bool has_dots() const { return has_gfx9() && mcpu != "gfx900"; }
};

/** Any number, one near an end of a type, one of few bits, an integer of a float's range, floats near integers. */
u64 argument(std::mt19937_64 &random)
{
	static const u64 ends[] = {0,
				   0x7f,
				   0x80,
				   0xff,
				   0x7fff,
				   0x8000,
				   0xffff,
				   0x7fffff,
				   0xffffff,
				   0x7fffffff,
				   0x80000000,
				   0xffffffff,
				   0x7fffffffffffffff,
				   0x8000000000000000,
				   0xffffffffffffffff,
				   0x7c00,
				   0x3c00,
				   0x7f800000,
				   0xff800000,
				   0x7ff0000000000000,
				   0x0001000100010001,
				   0x7c007c007c007c00,
				   0x8000800080008000};
	const u64 r = random(), noise = random();

	switch (r % 8) {
	case 0: return ends[r / 8 % std::size(ends)] + noise % 5 - 2;
	case 1: return noise >> (r / 8 % 64);
	case 2: return ~(noise >> (r / 8 % 64));
	case 3: { /* in one of each format: a number and a half of few digits */
		const double v = (static_cast<double>(noise >> (r / 8 % 60)) / 2) * (r & 1024 ? -1 : 1);
		return r & 2048 ? std::bit_cast<u64>(v) : std::bit_cast<u32>(static_cast<float>(v));
	}
	case 4: {
		const u64 f16 = (noise & 0x83ff) | (13 + r / 8 % 18) << 10;
		return f16 | (noise >> 16 & 0x83ff) << 16 | (14 + r / 64 % 17) << 26;
	}
	default: return noise;
	}
}

class Run {
public:
	explicit Run(const Options &o) : o_(o), program_(compile()), arrays_(3, isa_test::Bytes(o.count * 8))
	{
		std::mt19937_64 random(o.seed);

		for (unsigned n = 0; n < 3; n++)
			for (u64 i = 0; i < o.count; i++) {
				inputs_[n].push_back(n && random() % 8 == 0 ? inputs_[0][i] : argument(random));
				std::memcpy(&arrays_[n][i * 8], &inputs_[n][i], 8);
			}
	}

	/** Return: the process' exit code. */
	int all()
	{
		each(everywhere);
		if (o_.has_gfx9())
			each(gfx9);
		if (o_.has_dots())
			each(dots);
		each(all_lanes);
		each(o_.is_gfx10() ? gfx10_lanes : gcn_lanes);
		std::printf("%s: %u passed, %u failed\n", o_.mcpu.c_str(), passed_, failed_);
		return failed_ || !passed_;
	}

private:
	/** The code object; throws if clang does not make it. */
	Program compile() const
	{
		const std::string object = o_.folder + "/builtins." + o_.mcpu + ".co";

		std::filesystem::create_directories(o_.folder);
		/* Single denormals are kept, as on the host: before GFX9 that is not the default. */
		const std::string command = std::string(ISA_CLANG) +
					    " -x cl -cl-std=CL2.0 -O2 -ffp-contract=off -target amdgcn-amd-amdhsa" + " -mcpu=" + o_.mcpu +
					    " -Xclang -fdenormal-fp-math-f32=ieee,ieee --rocm-device-lib-path=" ISA_DEVICE_LIBS +
					    (o_.has_gfx9() ? " -DGFX9" : "") + (o_.has_dots() ? " -DDOT" : "") +
					    (o_.is_gfx10() ? " -DGFX10" : "") + " -o " + object + " " ISA_BUILTINS_SOURCES "/builtins.cl";
		if (std::system(command.c_str()))
			throw std::runtime_error("builtins.cl does not compile");
		return Program(object);
	}

	template <class F> void each(const std::vector<F> &functions)
	{
		for (const F &f : functions)
			if (o_.only.empty() || std::count(o_.only.begin(), o_.only.end(), f.name))
				one(f);
	}

	u64 wanted(const Function &f, u64 i) const { return f.host(inputs_[0][i], inputs_[1][i], inputs_[2][i]); }
	u64 wanted(const LaneFunction &f, u64 i) const
	{
		const u64 first = i - i % group;

		return f.host({&inputs_[0][first], &inputs_[1][first], static_cast<unsigned>(i % group), o_.is_gfx10() ? 32u : 64u});
	}

	template <class F> void one(const F &f)
	{
		const std::vector<u64> results = run_items(machine_, program_, "k_" + f.name, arrays_, static_cast<u32>(o_.count));
		unsigned wrong = 0;

		for (u64 i = 0; i < o_.count; i++)
			if (results[i] != wanted(f, i) && wrong++ < 3)
				std::printf("%s FAILED item %lu, %lx %lx %lx: got %lx instead of %lx\n", f.name.c_str(), i, inputs_[0][i],
					    inputs_[1][i], inputs_[2][i], results[i], wanted(f, i));
		(wrong ? failed_ : passed_)++;
	}

	const Options &o_;
	Machine machine_;
	Program program_;
	std::vector<u64> inputs_[3];
	std::vector<isa_test::Bytes> arrays_;
	unsigned passed_ = 0, failed_ = 0;
};

Options parse(int argc, char **argv)
{
	CLI::App app("clang's builtins and OpenCL C's functions, compared with the host", "isa_builtins");
	Options o;

	app.add_option("--count", o.count, "Arguments, in whole groups of 64")->capture_default_str();
	app.add_option("--seed", o.seed, "Of the arguments")->capture_default_str();
	app.add_option("function", o.only, "Only these");
	isa_test::add_target(app, &o.mcpu, &o.folder);
	isa_test::parse_or_exit(app, argc, argv);
	o.count = (o.count + group - 1) / group * group;
	return o;
}

} // namespace
} // namespace isa_builtins

int main(int argc, char **argv)
{
	isa_test::compile_without_cache();
	try {
		const isa_builtins::Options o = isa_builtins::parse(argc, argv);

		return isa_builtins::Run(o).all();
	} catch (const std::exception &e) {
		std::fprintf(stderr, "isa_builtins: %s\n", e.what());
		return 2;
	}
}
