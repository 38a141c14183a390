// SPDX-License-Identifier: MIT
/* reference.cc - see reference.h. */
#include "reference.h"

#include <algorithm>
#include <climits>

#include "functions.h"

namespace isa_ocml {
namespace {

constexpr mpfr_rnd_t N = MPFR_RNDN;

/** 1 / r; the function is called for what it leaves in r. */
void inverse(mpfr_ptr r, int) { mpfr_ui_div(r, 1, r, N); }

bool below_12(mpfr_srcptr x) { return mpfr_nan_p(x) || mpfr_zero_p(x) || (mpfr_cmp_si(x, -12) > 0 && mpfr_cmp_si(x, 12) < 0); }

int length(mpfr_ptr r, std::initializer_list<mpfr_srcptr> parts)
{
	Number square(r), sum(r);

	mpfr_set_ui(sum, 0, N);
	/* As of hypot (C99 F.9.4.3): infinite if one part is, whatever the others are. */
	const bool infinite = std::any_of(parts.begin(), parts.end(), [](mpfr_srcptr p) { return mpfr_inf_p(p); });
	for (mpfr_srcptr p : parts) {
		mpfr_sqr(square, p, N);
		mpfr_add(sum, sum, square, N);
	}
	if (infinite)
		mpfr_set_inf(r, 1);
	else
		mpfr_sqrt(r, sum, N);
	return 0;
}

/** Newton's method on log(erfc(y)) - log(x), whose slope hardly changes; x in (0, 1). */
void erfcinv_right(mpfr_ptr r, mpfr_srcptr x)
{
	Number goal(r), value(r), step(r), slope(r);

	mpfr_log(goal, x, N);
	mpfr_neg(r, goal, N);
	mpfr_sqrt(r, r, N);
	for (unsigned round = 0; round < 12; round++) {
		mpfr_erfc(value, r, N);
		mpfr_log(step, value, N);
		mpfr_sub(step, step, goal, N);
		/* slope: -2 exp(-r^2) / (sqrt(pi) erfc(r)) */
		mpfr_sqr(slope, r, N);
		mpfr_neg(slope, slope, N);
		mpfr_exp(slope, slope, N);
		mpfr_mul_si(slope, slope, -2, N);
		mpfr_div(slope, slope, value, N);
		mpfr_const_pi(value, N);
		mpfr_sqrt(value, value, N);
		mpfr_div(slope, slope, value, N);
		mpfr_div(step, step, slope, N);
		mpfr_sub(r, r, step, N);
	}
}

/** Newton's method on erf(y) - x; x in (-1/2, 1/2), where erf is nearly a line. */
void erfinv_middle(mpfr_ptr r, mpfr_srcptr x)
{
	Number value(r), slope(r), pi(r);

	mpfr_const_pi(pi, N);
	mpfr_sqrt(pi, pi, N);
	mpfr_mul(r, x, pi, N);
	mpfr_div_2ui(r, r, 1, N);
	for (unsigned round = 0; round < 10; round++) {
		mpfr_erf(value, r, N);
		mpfr_sub(value, value, x, N);
		mpfr_sqr(slope, r, N);
		mpfr_exp(slope, slope, N);
		mpfr_mul(slope, slope, pi, N);
		mpfr_div_2ui(slope, slope, 1, N);
		mpfr_mul(value, value, slope, N);
		mpfr_sub(r, r, value, N);
	}
}

void erfinv(mpfr_ptr r, mpfr_srcptr x)
{
	Number rest(r);

	if (mpfr_zero_p(x)) {
		mpfr_set(r, x, N);
	} else if (mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 1) > 0) {
		mpfr_set_nan(r);
	} else if (mpfr_cmpabs_ui(x, 1) == 0) {
		mpfr_set_inf(r, mpfr_sgn(x));
	} else if (mpfr_get_exp(x) < 0) {
		erfinv_middle(r, x);
	} else {
		mpfr_abs(rest, x, N);
		mpfr_ui_sub(rest, 1, rest, N);
		erfcinv_right(r, rest);
		mpfr_copysign(r, r, x, N);
	}
}

void erfcinv(mpfr_ptr r, mpfr_srcptr x)
{
	Number rest(r);

	if (mpfr_nan_p(x) || mpfr_cmp_si(x, 0) < 0 || mpfr_cmp_si(x, 2) > 0) {
		mpfr_set_nan(r);
	} else if (mpfr_zero_p(x)) {
		mpfr_set_inf(r, 1);
	} else if (mpfr_cmp_d(x, 0.5) < 0) {
		erfcinv_right(r, x);
	} else {
		mpfr_ui_sub(rest, 1, x, N);
		erfinv(r, rest);
	}
}

/** exp(x^2) erfc(x); far out, where erfc ends in MPFR too, it is 1 / (x sqrt(pi)) but for a relative 1 / 2x^2. */
void erfcx(mpfr_ptr r, mpfr_srcptr x)
{
	Number factor(r);

	if (mpfr_cmp_d(x, 0x1p60) > 0) {
		mpfr_const_pi(factor, N);
		mpfr_sqrt(factor, factor, N);
		mpfr_mul(factor, factor, x, N);
		mpfr_ui_div(r, 1, factor, N);
	} else if (mpfr_cmp_d(x, 0x1p14) > 0) {
		/* asymptotic series: 1/(x sqrt(pi)) sum (-1)^k (2k - 1)!! / (2 x^2)^k */
		Number term(r), square(r);
		mpfr_sqr(square, x, N);
		mpfr_mul_2ui(square, square, 1, N);
		mpfr_set_ui(term, 1, N);
		mpfr_set_ui(r, 1, N);
		for (long k = 1; k < 12; k++) {
			mpfr_mul_si(term, term, 1 - 2 * k, N);
			mpfr_div(term, term, square, N);
			mpfr_add(r, r, term, N);
		}
		mpfr_const_pi(factor, N);
		mpfr_sqrt(factor, factor, N);
		mpfr_mul(factor, factor, x, N);
		mpfr_div(r, r, factor, N);
	} else {
		/* exp magnifies what is rounded off x^2: hold all of it. */
		Number square(256);
		mpfr_sqr(square, x, N);
		mpfr_exp(factor, square, N);
		mpfr_erfc(r, x, N);
		mpfr_mul(r, r, factor, N);
	}
}

/** erfc(-x / sqrt(2)) / 2 */
void ncdf(mpfr_ptr r, mpfr_srcptr x)
{
	/* erfc magnifies what is rounded off its argument by the square of that. */
	Number a(mpfr_get_prec(r) + 64);

	mpfr_set_ui(a, 2, N);
	mpfr_sqrt(a, a, N);
	mpfr_div(a, x, a, N);
	mpfr_neg(a, a, N);
	mpfr_erfc(r, a, N);
	mpfr_div_2ui(r, r, 1, N);
}

/** -sqrt(2) erfcinv(2 x) */
void ncdfinv(mpfr_ptr r, mpfr_srcptr x)
{
	Number a(r);

	mpfr_mul_2ui(a, x, 1, N);
	erfcinv(r, a);
	mpfr_set_si(a, 2, N);
	mpfr_sqrt(a, a, N);
	mpfr_mul(r, r, a, N);
	mpfr_neg(r, r, N);
}

/** The sum of (x/2)^(2k + order) / (k! (k + order)!), all of one sign. */
void bessel_i(mpfr_ptr r, mpfr_srcptr x, unsigned order)
{
	if (mpfr_nan_p(x) || (order && mpfr_zero_p(x))) {
		mpfr_set(r, x, N);
		return;
	}
	if (mpfr_cmpabs_ui(x, 2000) > 0) {
		mpfr_set_inf(r, order ? mpfr_sgn(x) : 1);
		return;
	}
	Number quarter(r), term(r);
	mpfr_sqr(quarter, x, N);
	mpfr_div_2ui(quarter, quarter, 2, N);
	mpfr_div_2ui(term, x, 1, N);
	if (!order)
		mpfr_set_ui(term, 1, N);
	mpfr_set(r, term, N);
	for (unsigned k = 1; !mpfr_zero_p(term.get()) && mpfr_get_exp(term.get()) + static_cast<long>(mpfr_get_prec(r)) > mpfr_get_exp(r); k++) {
		mpfr_mul(term, term, quarter, N);
		mpfr_div_ui(term, term, k, N);
		mpfr_div_ui(term, term, k + order, N);
		mpfr_add(r, r, term, N);
	}
}

void lgamma(mpfr_ptr r, mpfr_srcptr x)
{
	int sign;

	mpfr_lgamma(r, &sign, x, N);
}

/** OpenCL C 3.0, 7.5.1: never 1, and zeros and infinities give zeros of their sign. */
void fract(mpfr_ptr r, mpfr_srcptr x, const Format &f)
{
	if (mpfr_inf_p(x) || mpfr_zero_p(x)) {
		mpfr_set_zero(r, mpfr_signbit(x) ? -1 : 1);
		return;
	}
	Number greatest(r);
	mpfr_set_ui(greatest, (u64{2} << f.fraction) - 1, N);
	mpfr_div_2ui(greatest, greatest, f.fraction + 1, N);
	mpfr_rint(r, x, MPFR_RNDD);
	mpfr_sub(r, x, r, N);
	if (mpfr_cmp(r, greatest) > 0)
		mpfr_set(r, greatest, N);
}

int frexp(mpfr_ptr r, mpfr_srcptr x)
{
	mpfr_exp_t exponent = 0;

	if (mpfr_regular_p(x))
		mpfr_frexp(&exponent, r, x, N);
	else
		mpfr_set(r, x, N);
	return static_cast<int>(exponent);
}

void logb(mpfr_ptr r, mpfr_srcptr x)
{
	if (mpfr_regular_p(x))
		mpfr_set_si(r, mpfr_get_exp(x) - 1, N);
	else if (mpfr_zero_p(x))
		mpfr_set_inf(r, -1);
	else
		mpfr_abs(r, x, N);
}

/** FP_ILOGB0 and FP_ILOGBNAN as of OpenCL C. */
int ilogb(mpfr_srcptr x)
{
	return mpfr_regular_p(x) ? static_cast<int>(mpfr_get_exp(x) - 1) : mpfr_zero_p(x) ? INT_MIN : INT_MAX;
}

/** maxmag (greater 1) and minmag (-1): by magnitude; if equal or unordered, as fmax and fmin. */
void magnitude(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, int greater)
{
	const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y) * greater;

	if (order)
		mpfr_set(r, order > 0 ? x : y, N);
	else
		(greater > 0 ? mpfr_max : mpfr_min)(r, x, y, N);
}

void nextafter(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, const Format &f)
{
	if (mpfr_unordered_p(x, y)) {
		mpfr_set_nan(r);
		return;
	}
	if (mpfr_equal_p(x, y)) {
		mpfr_set(r, y, N);
		return;
	}
	const bool up = mpfr_less_p(x, y);
	const long smallest = f.lowest() - static_cast<long>(f.fraction);
	if (mpfr_inf_p(x)) {
		mpfr_set_ui(r, (u64{2} << f.fraction) - 1, N);
		mpfr_mul_2si(r, r, f.top_exponent - static_cast<long>(f.fraction), N);
		mpfr_copysign(r, r, x, N);
		return;
	}
	/* The distance is that of the binade; below a power of two, of the one beneath. */
	long step = smallest;
	if (!mpfr_zero_p(x)) {
		const bool power = mpfr_min_prec(x) == 1, inwards = up == (mpfr_sgn(x) < 0);
		step = std::max(smallest, mpfr_get_exp(x) - 1 - static_cast<long>(f.fraction) - (power && inwards));
	}
	Number d(r);
	mpfr_set_si_2exp(d, up ? 1 : -1, step, N);
	mpfr_add(r, x, d, N);
	if (mpfr_zero_p(r))
		mpfr_setsign(r, r, mpfr_signbit(x), N);
	if (mpfr_regular_p(r) && mpfr_get_exp(r) - 1 > f.top_exponent)
		mpfr_set_inf(r, mpfr_sgn(r));
}

/** OpenCL C 3.0, 6.15.2: the lower seven bits of the quotient, with its sign. */
int quotient(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
	long q = 0;

	mpfr_remquo(r, &q, x, y, N);
	if (mpfr_nan_p(r) || mpfr_inf_p(y))
		return 0;
	return static_cast<int>(q < 0 ? -(-q & 127) : q & 127);
}

/** OpenCL C 3.0, 7.5.1: powr(x, NaN) is a NaN, also of 1, where IEEE 754-2019 says 1. */
void powr(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
	if (mpfr_nan_p(y))
		mpfr_set_nan(r);
	else
		mpfr_powr(r, x, y, N);
}

/** The product rounded to the format, denormals flushed (v_mad), then the sum. */
void multiply_add(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, const Format &f)
{
	Number product(f.fraction + 1);

	mpfr_mul(product, x, y, N);
	if (mpfr_regular_p(product.get()) && mpfr_get_exp(product.get()) - 1 < f.lowest())
		mpfr_set_zero(product, mpfr_sgn(product.get()));
	if (mpfr_regular_p(product.get()) && mpfr_get_exp(product.get()) - 1 > f.top_exponent)
		mpfr_set_inf(product, mpfr_sgn(product.get()));
	mpfr_add(r, product, z, N);
}

#define NAMES \
	[[maybe_unused]] const mpfr_srcptr x = a.x, y = a.y, z = a.z; \
	[[maybe_unused]] const long n = a.n; \
	[[maybe_unused]] const Format &f = a.f;
#define EVERYWHERE [](const Arguments &) { return true; }
#define ROW(name, device, f16, f32, f64, host) \
	{#name, {f16, f32, f64}, [](mpfr_ptr r, const Arguments &a) { NAMES host; }, nullptr, EVERYWHERE, nullptr},
#define ROW_EITHER(name, device, f16, f32, f64, host, other) \
	{#name, {f16, f32, f64}, [](mpfr_ptr r, const Arguments &a) { NAMES host; }, [](mpfr_ptr r, const Arguments &a) { NAMES other; }, \
	 EVERYWHERE, nullptr},
#define ROW_WHERE(name, device, f16, f32, f64, host, where) \
	{#name, {f16, f32, f64}, [](mpfr_ptr r, const Arguments &a) { NAMES host; }, nullptr, \
	 [](const Arguments &a) -> bool { NAMES return where; }, nullptr},
#define ROW_INTEGER(name, device, host) \
	{#name, {0, 0, 0}, nullptr, nullptr, EVERYWHERE, [](mpfr_ptr r, const Arguments &a) -> long { NAMES (void)r; return host; }},

} // namespace

const std::vector<Function> &functions()
{
	static const std::vector<Function> all{OCML_FUNCTIONS(ROW, ROW_EITHER, ROW_WHERE, ROW_INTEGER)};
	return all;
}

} // namespace isa_ocml
