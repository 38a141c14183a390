// SPDX-License-Identifier: MIT
/*
 * mistakes.h - what ROCm-Device-Libs 5.2.3 and LLVM 15 themselves compute otherwise than C99 and OpenCL C say, as the library's bitcode
 * (llvm-extract --func=__ocml_NAME_TYPE) and the machine code show. It is left out of the comparison, and a run says so.
 */
#pragma once

#include <string>

#include "reference.h"

namespace isa_ocml {

/** Bound: the bound is passed by less than a fifth of it. */
enum class Wrong { SignOfZero, Negative, Bound, All };

struct Mistake {
	std::string function, types;	/* letters of formats */
	Wrong what;
	const char *why;
};

inline const Mistake mistakes[] = {
	{"cospi",	"hfd",	Wrong::SignOfZero,	"at odd multiples of 1/2 it is the negated sine of +0 in two quadrants"},
	{"sinpi",	"hfd",	Wrong::SignOfZero,	"at odd integers it is the sine of +0 in a negative quadrant"},
	{"expm1",	"hfd",	Wrong::SignOfZero,	"2^0 * -0 + (1 - 1) is +0"},
	{"log1p",	"d",	Wrong::SignOfZero,	"(-0 + 1) - 1 is +0"},
	{"sinh",	"h",	Wrong::SignOfZero,	"exp2(-0) - exp2(+0) is +0"},
	{"tanh",	"h",	Wrong::SignOfZero,	"exp2(-0) - exp2(+0) is +0"},
	{"j1",		"hfd",	Wrong::SignOfZero,	"the result is negated if x < 0, and -0 is not"},
	{"fract_part",	"hfd",	Wrong::SignOfZero,	"v_fract: -0 - floor(-0) is +0"},
	{"nextafter",	"hfd",	Wrong::SignOfZero,	"from the smallest negative number up it steps on integers to 0"},
	{"round",	"hfd",	Wrong::SignOfZero,	"LLVM adds +0 to trunc(x) if that is near enough"},
	{"tgamma",	"f",	Wrong::Negative,	"the reflection loses digits from -14 on and is 0 too early (as the bitcode run on x86)"},
	{"i1",		"d",	Wrong::Negative,	"rsqrt() and exp() of x where its magnitude is due"},
	{"atan2",	"h",	Wrong::Bound,		"2.08 ulp at ba1f, 3988 (as the bitcode run on x86)"},
	{"atan2pi",	"h",	Wrong::Bound,		"2.16 ulp at 8535, 0a9f (as the bitcode run on x86)"},
	{"erfinv",	"f",	Wrong::Bound,		"3.07 ulp at 3f57b6a5, 3.38 at bf54317b on GFX8 (as the bitcode run on x86)"},
	{"tan",		"h",	Wrong::Bound,		"2.25 ulp at 74ba (as the bitcode run on x86)"},
	{"sin",		"h",	Wrong::All,		"the test for infinities is inverted: NaN for all that is finite"},
	{"len3",	"h",	Wrong::All,		"squares in half overflow, or are lost"},
	{"len4",	"h",	Wrong::All,		"squares in half overflow, or are lost"},
};

/** The mistake of a function for a format; null: none is known. */
inline const Mistake *mistake_of(const std::string &function, const Format &f)
{
	for (const Mistake &m : mistakes)
		if (m.function == function && m.types.find(f.letter) != std::string::npos)
			return &m;
	return nullptr;
}

} // namespace isa_ocml
