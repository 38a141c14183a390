// SPDX-License-Identifier: MIT
/*
 * exceptions.cc - which IEEE 754 exceptions an instruction raises, found from its sources once more, by integers alone: host
 * units without fused multiply-add have no flags that would be right.
 *
 * Exact for sums, products, fused and unfused multiply-add, and conversions. Underflow is a result that is tiny after
 * rounding and inexact; one that is flushed is both. Reciprocals and roots raise what their sources say, never inexact: they are
 * approximations. Of everything else only comparisons, minimum, maximum and median raise something: invalid, of a signalling NaN.
 */
#include "exceptions.h"
#include "fma.h"
#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace {

constexpr u32 invalid = 1, input_denormal = 2, divide_by_zero = 4, overflow = 8, underflow = 16, inexact = 32, integer_divide_by_zero = 64;

struct FloatFormat {
	unsigned fraction, exponent; /* bits */

	int top() const { return (1 << (exponent - 1)) - 1; } /* exponent of the largest numbers */
	int lowest() const { return 1 - top(); }	      /* of the smallest normal ones */
};

constexpr FloatFormat format_of(char type)
{
	return type == 'd' ? FloatFormat{52, 11} : type == 'h' ? FloatFormat{10, 5} : FloatFormat{23, 8};
}

/** What MODE says about an instruction. */
struct Rules {
	unsigned round;
	bool keep_sources, keep_results; /* that are denormal */
};

struct Operand {
	Unpacked number;
	bool nan, signalling, infinite, denormal;

	bool finite() const { return !nan && !infinite; }
	bool zero() const { return finite() && !number.mantissa; }
};

Operand infinity(bool negative) { return {{negative, 0, 0}, false, false, true, false}; }

Operand float_operand(u64 raw, FloatFormat f, bool keep_denormal)
{
	const u64 exponent = raw >> f.fraction & ((u64{1} << f.exponent) - 1), fraction = raw & ((u64{1} << f.fraction) - 1);
	const bool negative = raw >> (f.fraction + f.exponent) & 1, special = exponent == (u64{1} << f.exponent) - 1;

	if (special && !fraction)
		return infinity(negative);
	if (special)
		return {{}, true, !(fraction >> (f.fraction - 1)), false, false};
	if (!exponent && !keep_denormal)
		return {{negative, 0, 0}, false, false, false, false};
	const int scale = static_cast<int>(exponent ? exponent : 1) - f.top() - static_cast<int>(f.fraction);
	return {{negative, scale, exponent ? fraction | u64{1} << f.fraction : fraction}, false, false, false, !exponent && fraction};
}

Operand integer_operand(s64 v) { return {{v < 0, 0, v < 0 ? -static_cast<u64>(v) : static_cast<u64>(v)}, false, false, false, false}; }

/** A result rounded to a format, and what that raises. The lowest bit of the mantissa is sticky. */
struct Rounded {
	Operand value;
	u32 raised;
};

Rounded round_to(Unpacked v, FloatFormat f, const Rules &rules)
{
	if (!v.mantissa)
		return {{v, false, false, false, false}, 0};
	const int zeros = __builtin_clzll(v.mantissa);
	const u64 mantissa = v.mantissa << zeros;
	const int exponent = v.exponent - zeros + 63;
	const auto loses = [mantissa](unsigned shift) { return shift > 63 || (mantissa & ((u64{1} << shift) - 1)) != 0; };
	const unsigned shift = 63 - f.fraction;
	const u64 kept = round_shift(mantissa, shift, v.negative, rules.round);
	const int rounded = exponent + static_cast<int>(kept >> (f.fraction + 1)); /* as if exponents had no end */

	if (rounded > f.top()) {
		const bool away = rules.round == 0 || rules.round == (v.negative ? 2 : 1);
		const Unpacked largest = {v.negative, f.top() - static_cast<int>(f.fraction), (u64{2} << f.fraction) - 1};

		return {away ? infinity(v.negative) : Operand{largest, false, false, false, false}, overflow | inexact};
	}
	if (rounded >= f.lowest())
		return {{{v.negative, exponent - static_cast<int>(f.fraction), kept}, false, false, false, false},
			loses(shift) ? inexact : 0};
	if (!rules.keep_results)
		return {{{v.negative, 0, 0}, false, false, false, false}, underflow | inexact};
	const unsigned further = shift + static_cast<unsigned>(f.lowest() - exponent);
	const u64 few = round_shift(mantissa, further, v.negative, rules.round);
	return {{{v.negative, f.lowest() - static_cast<int>(f.fraction), few}, false, false, false, false},
		loses(further) ? underflow | inexact : 0};
}

/** a * b + c with one rounding. */
Rounded fuse(const Operand &a, const Operand &b, const Operand &c, FloatFormat f, const Rules &rules)
{
	const Operand nan = {{}, true, false, false, false};
	const bool negative = a.number.negative != b.number.negative;
	const u32 raised = a.denormal || b.denormal || c.denormal ? input_denormal : 0;

	if (a.nan || b.nan || c.nan)
		return {nan, a.signalling || b.signalling || c.signalling ? invalid : 0};
	if (a.infinite || b.infinite) {
		const bool none = a.zero() || b.zero() || (c.infinite && c.number.negative != negative);
		return none ? Rounded{nan, invalid} : Rounded{infinity(negative), raised};
	}
	if (c.infinite)
		return {c, raised};
	Rounded r = round_to(fused_exact(a.number, b.number, c.number, rules.round), f, rules);
	r.raised |= raised;
	return r;
}

constexpr Operand one = {{false, 0, 1}, false, false, false, false}, none = {};

Operand negative_of(Operand v)
{
	v.number.negative = !v.number.negative;
	return v;
}

/* ---- Instructions ---- */

/** type: of the result */
u32 to_integer(const Operand &a, char type)
{
	const bool is_signed = type == 'i' || type == 's';
	const unsigned bits = is_half(type) ? 16 : 32;

	if (!a.finite())
		return invalid;
	const Unpacked &n = a.number;
	const unsigned shift = n.exponent < 0 ? min(static_cast<unsigned>(-n.exponent), 65u) : 0;
	const u64 magnitude = n.exponent > 10 && n.mantissa ? ~u64{0} :
			      n.exponent >= 0		    ? n.mantissa << n.exponent :
			      shift > 63		    ? 0 :
							      n.mantissa >> shift;
	const u64 limit = (u64{1} << (is_signed ? bits - 1 : bits)) - (is_signed && n.negative ? 0 : 1);

	if (n.negative && !is_signed ? magnitude != 0 : magnitude > limit)
		return invalid;
	const u32 raised = a.denormal ? input_denormal : 0;
	const bool lost = n.exponent < 0 && (shift > 63 ? n.mantissa != 0 : (n.mantissa & ((u64{1} << shift) - 1)) != 0);
	return raised | (lost ? inexact : 0);
}

u32 root(const Operand &a, bool reciprocal)
{
	if (a.nan)
		return a.signalling ? invalid : 0;
	if (a.number.negative && !a.zero())
		return invalid;
	return (a.denormal ? input_denormal : 0) | (reciprocal && a.zero() ? divide_by_zero : 0);
}

u32 reciprocal(const Operand &a, bool of_integers)
{
	if (a.nan)
		return a.signalling ? invalid : 0;
	return (a.denormal ? input_denormal : 0) | (!a.zero() ? 0 : of_integers ? integer_divide_by_zero : divide_by_zero);
}

struct Instruction {
	Signature sig;
	Arithmetic arithmetic;
	Rules rules;
};

Instruction instruction_of(const Row &row, u32 mode)
{
	Instruction i = {row.sig, row.sig.result == 'm' ? chooses : row.arithmetic, {}}; /* a mask: comparisons */
	const bool twice = uses(row.sig, 'd') || uses(row.sig, 'h');
	const bool flushes = !twice && row.has(flushes_denormals);
	const u32 denormals = twice ? mode >> 6 & 3 : mode >> 4 & 3;

	i.rules = {twice ? mode >> 2 & 3 : mode & 3, denormals & 1 && !flushes, denormals & 2 && !flushes};
	return i;
}

u32 raised_by(const Instruction &i, const Operand (&s)[3])
{
	const FloatFormat f = format_of(i.sig.result);

	switch (i.arithmetic) {
	case adds: return fuse(s[0], one, s[1], f, i.rules).raised;
	case subtracts: return fuse(s[0], one, negative_of(s[1]), f, i.rules).raised;
	case subtracts_reversed: return fuse(s[1], one, negative_of(s[0]), f, i.rules).raised;
	case multiplies: return fuse(s[0], s[1], none, f, i.rules).raised;
	case multiplies_and_adds: {
		const Rounded product = fuse(s[0], s[1], s[2].nan ? s[2] : none, f, i.rules);
		return product.raised | fuse(product.value, one, s[2], f, i.rules).raised;
	}
	case fuses: return fuse(s[0], s[1], s[2], f, i.rules).raised;
	case makes_float: return fuse(s[0], one, none, f, i.rules).raised;
	case makes_integer: return to_integer(s[0], i.sig.result);
	case takes_root: return root(s[0], false);
	case takes_reciprocal_root: return root(s[0], true);
	case takes_reciprocal: return reciprocal(s[0], false);
	case takes_integer_reciprocal: return reciprocal(s[0], true);
	case chooses: return s[0].signalling || s[1].signalling || s[2].signalling ? invalid : 0;
	default: return 0;
	}
}

Operand operand(char type, const u32 *row, unsigned lane, const Rules &rules)
{
	switch (type) {
	case 'd': return float_operand(join(row[lane], row[lanes + lane]), format_of('d'), rules.keep_sources);
	case 'f': return float_operand(row[lane], format_of('f'), rules.keep_sources);
	case 'h': return float_operand(row[lane] & 0xffff, format_of('h'), rules.keep_sources);
	case 'i': return integer_operand(static_cast<s32>(row[lane]));
	case 's': return integer_operand(static_cast<s16>(row[lane]));
	case 'w': return integer_operand(row[lane] & 0xffff);
	default: return integer_operand(row[lane]);
	}
}

/** Lanes a cycle ("Vega" ISA manual, TRAPSTS.EXCP_CYCLE: 4 cycles; of doubles 8 for a sum, 16 for a product, 32 for a fused one). */
unsigned lanes_a_cycle(const Instruction &i)
{
	if (!uses(i.sig, 'd'))
		return 16;
	return i.arithmetic == multiplies ? 4 : i.arithmetic == fuses ? 2 : 8;
}

} // namespace

void meet_watch_points(State &st, Caches::Kind kind)
{
	if (is_watched(st))
		st.met |= st.context->watch->met(st.w->vmid, kind, st.store->line, st.store->lines);
}

u32 raised_exceptions(State &st, const Op *op, unsigned *cycle)
{
	const Instruction i = instruction_of(*op->row, st.w->mode);
	u32 raised = 0;

	if (i.arithmetic == other)
		return 0;
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		Operand s[3] = {none, none, none};

		for (unsigned n = 0; n < i.sig.sources; n++)
			if (width_of(i.sig.source[n]) && width_of(i.sig.source[n]) <= 2 && i.sig.source[n] != 'm' && i.sig.source[n] != 'l')
				s[n] = operand(i.sig.source[n], st.row(op->src[n]), lane, i.rules);
		const u32 here = raised_by(i, s);
		if (here && !raised)
			*cycle = lane / lanes_a_cycle(i);
		raised |= here;
	}
	return raised;
}

} // namespace silicon::SILICON_VARIANT
