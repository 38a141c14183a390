/* SPDX-License-Identifier: MIT */
/*
 * functions.h - the functions of OCML that are checked: the device compiles the second column, the host the last.
 *
 * F(name, in OpenCL C of x, y, z, n; largest error in ulp of half, float, double; the same in MPFR into r)
 *	0 is correctly rounded. Bounds: OCML User Guide of ROCm-Device-Libs (doc/OCML.md), which are those of OpenCL C 3.0, 7.4 "Relative
 *	Error as ULPs", full profile; cl_khr_fp16 for half.
 * E(the same, a second reference) lets the result be either.
 * D(the same, where) holds only for arguments for which `where` is true.
 * I(name, in OpenCL C, the same on the host) has an integer as its result.
 *
 * Halves are divided by a float's reciprocal (LLVM 15): 0.5, since of two numbers as near it may be the odd one.
 * Results by pointer are functions of their own.
 */
#define OCML_FUNCTIONS(F, E, D, I) \
	F(acos,		acos(x),		2,  4,	4,  mpfr_acos(r, x, N)) \
	F(acosh,	acosh(x),		2,  4,	4,  mpfr_acosh(r, x, N)) \
	F(acospi,	acospi(x),		2,  5,	5,  mpfr_acospi(r, x, N)) \
	F(asin,		asin(x),		2,  4,	4,  mpfr_asin(r, x, N)) \
	F(asinh,	asinh(x),		2,  4,	4,  mpfr_asinh(r, x, N)) \
	F(asinpi,	asinpi(x),		2,  5,	5,  mpfr_asinpi(r, x, N)) \
	F(atan,		atan(x),		2,  5,	5,  mpfr_atan(r, x, N)) \
	F(atan2,	atan2(x, y),		2,  6,	6,  mpfr_atan2(r, x, y, N)) \
	F(atan2pi,	atan2pi(x, y),		2,  6,	6,  mpfr_atan2pi(r, x, y, N)) \
	F(atanh,	atanh(x),		2,  5,	5,  mpfr_atanh(r, x, N)) \
	F(atanpi,	atanpi(x),		2,  5,	5,  mpfr_atanpi(r, x, N)) \
	F(cbrt,		cbrt(x),		2,  2,	2,  mpfr_cbrt(r, x, N)) \
	F(ceil,		ceil(x),		0,  0,	0,  mpfr_rint(r, x, MPFR_RNDU)) \
	F(copysign,	copysign(x, y),		0,  0,	0,  mpfr_copysign(r, x, y, N)) \
	F(cos,		cos(x),			2,  4,	4,  mpfr_cos(r, x, N)) \
	F(cosh,		cosh(x),		2,  4,	4,  mpfr_cosh(r, x, N)) \
	F(cospi,	cospi(x),		2,  4,	4,  mpfr_cospi(r, x, N)) \
	F(divide,	x / y,			0.5, 2.5, 0,  mpfr_div(r, x, y, N)) \
	F(erf,		erf(x),			4, 16, 16,  mpfr_erf(r, x, N)) \
	F(erfc,		erfc(x),		4, 16, 16,  mpfr_erfc(r, x, N)) \
	F(erfcinv,	OCML(erfcinv)(x),	3,  7,	8,  erfcinv(r, x)) \
	F(erfcx,	OCML(erfcx)(x),		2,  6,	6,  erfcx(r, x)) \
	F(erfinv,	OCML(erfinv)(x),	2,  3,	8,  erfinv(r, x)) \
	F(exp,		exp(x),			2,  3,	3,  mpfr_exp(r, x, N)) \
	F(exp10,	exp10(x),		2,  3,	3,  mpfr_exp10(r, x, N)) \
	F(exp2,		exp2(x),		2,  3,	3,  mpfr_exp2(r, x, N)) \
	F(expm1,	expm1(x),		2,  3,	3,  mpfr_expm1(r, x, N)) \
	F(fabs,		fabs(x),		0,  0,	0,  mpfr_abs(r, x, N)) \
	F(fdim,		fdim(x, y),		0,  0,	0,  mpfr_dim(r, x, y, N)) \
	F(floor,	floor(x),		0,  0,	0,  mpfr_rint(r, x, MPFR_RNDD)) \
	F(fma,		fma(x, y, z),		0,  0,	0,  mpfr_fma(r, x, y, z, N)) \
	F(fmax,		fmax(x, y),		0,  0,	0,  mpfr_max(r, x, y, N)) \
	F(fmin,		fmin(x, y),		0,  0,	0,  mpfr_min(r, x, y, N)) \
	F(fmod,		fmod(x, y),		0,  0,	0,  mpfr_fmod(r, x, y, N)) \
	F(fract,	SECOND(fract),		0,  0,	0,  mpfr_rint(r, x, MPFR_RNDD)) \
	F(fract_part,	FIRST(fract),		0,  0,	0,  fract(r, x, f)) \
	F(frexp,	INT_FIRST(frexp),	0,  0,	0,  frexp(r, x)) \
	I(frexp_n,	INT_SECOND(frexp),		    frexp(r, x)) \
	F(hypot,	hypot(x, y),		2,  4,	4,  mpfr_hypot(r, x, y, N)) \
	F(i0,		OCML(i0)(x),		2,  6,	6,  bessel_i(r, x, 0)) \
	F(i1,		OCML(i1)(x),		2,  6,	6,  bessel_i(r, x, 1)) \
	I(ilogb,	ilogb(x),			    ilogb(x)) \
	I(isfinite,	isfinite(x),			    mpfr_number_p(x) != 0) \
	I(isinf,	isinf(x),			    mpfr_inf_p(x) != 0) \
	I(isnan,	isnan(x),			    mpfr_nan_p(x) != 0) \
	I(isnormal,	isnormal(x),			    mpfr_regular_p(x) && mpfr_get_exp(x) > f.lowest()) \
	D(j0,		OCML(j0)(x),		2,  6,	6,  mpfr_j0(r, x, N),		below_12(x)) \
	D(j1,		OCML(j1)(x),		2,  6,	6,  mpfr_j1(r, x, N),		below_12(x)) \
	F(ldexp,	ldexp(x, n),		0,  0,	0,  mpfr_mul_2si(r, x, n, N)) \
	F(len3,		OCML(len3)(x, y, z),	2,  2,	2,  length(r, {x, y, z})) \
	F(len4,		OCML(len4)(x, y, z, y),	2,  2,	2,  length(r, {x, y, z, y})) \
	D(lgamma,	lgamma(x),		3,  6,	4,  lgamma(r, x),		!(mpfr_sgn(x) < 0)) \
	D(lgamma_r,	INT_FIRST(lgamma_r),	3,  6,	4,  lgamma(r, x),		!(mpfr_sgn(x) < 0)) \
	F(log,		log(x),			2,  3,	3,  mpfr_log(r, x, N)) \
	F(log10,	log10(x),		2,  3,	3,  mpfr_log10(r, x, N)) \
	F(log1p,	log1p(x),		2,  2,	2,  mpfr_log1p(r, x, N)) \
	F(log2,		log2(x),		2,  3,	3,  mpfr_log2(r, x, N)) \
	F(logb,		logb(x),		0,  0,	0,  logb(r, x)) \
	E(mad,		mad(x, y, z),		0,  0,	0,  mpfr_fma(r, x, y, z, N),	multiply_add(r, x, y, z, f)) \
	F(maxmag,	maxmag(x, y),		0,  0,	0,  magnitude(r, x, y, 1)) \
	F(minmag,	minmag(x, y),		0,  0,	0,  magnitude(r, x, y, -1)) \
	F(modf,		FIRST(modf),		0,  0,	0,  mpfr_frac(r, x, N)) \
	F(modf_whole,	SECOND(modf),		0,  0,	0,  mpfr_rint(r, x, MPFR_RNDZ)) \
	F(ncdf,		OCML(ncdf)(x),		4, 16, 16,  ncdf(r, x)) \
	F(ncdfinv,	OCML(ncdfinv)(x),	4, 16, 16,  ncdfinv(r, x)) \
	F(nearbyint,	OCML(nearbyint)(x),	0,  0,	0,  mpfr_roundeven(r, x)) \
	F(nextafter,	nextafter(x, y),	0,  0,	0,  nextafter(r, x, y, f)) \
	F(pow,		pow(x, y),		4, 16, 16,  mpfr_pow(r, x, y, N)) \
	F(pown,		pown(x, n),		4, 16, 16,  mpfr_pow_si(r, x, n, N)) \
	F(powr,		powr(x, y),		4, 16, 16,  powr(r, x, y)) \
	F(rcbrt,	OCML(rcbrt)(x),		2,  2,	2,  inverse(r, mpfr_cbrt(r, x, N))) \
	F(reciprocal,	1 / x,			0, 2.5,	0,  mpfr_ui_div(r, 1, x, N)) \
	F(remainder,	remainder(x, y),	0,  0,	0,  mpfr_remainder(r, x, y, N)) \
	F(remquo,	REMQUO_FIRST,		0,  0,	0,  mpfr_remainder(r, x, y, N)) \
	I(remquo_n,	REMQUO_SECOND,			    quotient(r, x, y)) \
	F(rhypot,	OCML(rhypot)(x, y),	2,  2,	2,  inverse(r, mpfr_hypot(r, x, y, N))) \
	F(rint,		rint(x),		0,  0,	0,  mpfr_roundeven(r, x)) \
	F(rlen3,	OCML(rlen3)(x, y, z),	2,  2,	2,  inverse(r, length(r, {x, y, z}))) \
	F(rlen4,	OCML(rlen4)(x, y, z, y), 2, 2,	2,  inverse(r, length(r, {x, y, z, y}))) \
	F(rootn,	rootn(x, n),		4, 16, 16,  mpfr_rootn_si(r, x, n, N)) \
	F(round,	round(x),		0,  0,	0,  mpfr_round(r, x)) \
	F(rsqrt,	rsqrt(x),		1,  2,	2,  inverse(r, mpfr_sqrt(r, x, N))) \
	F(sin,		sin(x),			2,  4,	4,  mpfr_sin(r, x, N)) \
	F(sincos,	FIRST(sincos),		2,  4,	4,  mpfr_sin(r, x, N)) \
	F(sincos_cos,	SECOND(sincos),		2,  4,	4,  mpfr_cos(r, x, N)) \
	F(sinh,		sinh(x),		2,  4,	4,  mpfr_sinh(r, x, N)) \
	F(sinpi,	sinpi(x),		2,  4,	4,  mpfr_sinpi(r, x, N)) \
	F(sqrt,		sqrt(x),		0,  3,	0,  mpfr_sqrt(r, x, N)) \
	F(tan,		tan(x),			2,  5,	5,  mpfr_tan(r, x, N)) \
	F(tanh,		tanh(x),		2,  5,	5,  mpfr_tanh(r, x, N)) \
	F(tanpi,	tanpi(x),		2,  6,	6,  mpfr_tanpi(r, x, N)) \
	F(tgamma,	tgamma(x),		4, 16, 16,  mpfr_gamma(r, x, N)) \
	F(trunc,	trunc(x),		0,  0,	0,  mpfr_rint(r, x, MPFR_RNDZ)) \
	D(y0,		OCML(y0)(x),		2,  6,	6,  mpfr_y0(r, x, N),		below_12(x)) \
	D(y1,		OCML(y1)(x),		2,  6,	6,  mpfr_y1(r, x, N),		below_12(x))
