// SPDX-License-Identifier: MIT
/*
 * reference.h - the functions of functions.h in MPFR, rounded once to a precision far beyond the format's. What MPFR 4.2 itself has is not
 * here.
 */
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "../float_format.h"

namespace isa_ocml {

using isa_test::Format;

/** A number of MPFR; of so many bits, or of as many as another has. */
class Number {
public:
	explicit Number(mpfr_prec_t bits) { mpfr_init2(v_, bits); }
	explicit Number(mpfr_srcptr like) : Number(mpfr_get_prec(like)) {}
	~Number() { mpfr_clear(v_); }
	Number(const Number &) = delete;
	Number &operator=(const Number &) = delete;
	operator mpfr_ptr() { return v_; }
	/** For macros of MPFR. */
	mpfr_ptr get() { return v_; }

private:
	mpfr_t v_;
};

/** The arguments as numbers; n is the integer one. */
struct Arguments {
	mpfr_srcptr x, y, z;
	long n;
	const Format &f;
};

struct Function {
	std::string name;
	double bounds[3]; /* of half, float, double in ulp; 0: correctly rounded */
	void (*reference)(mpfr_ptr r, const Arguments &);
	void (*second)(mpfr_ptr r, const Arguments &); /* the result may be this as well; or null */
	bool (*where)(const Arguments &);
	/** Of a function whose result is an integer; else null. */
	long (*integer)(mpfr_ptr scratch, const Arguments &);
};

/** All rows of functions.h. */
const std::vector<Function> &functions();

} // namespace isa_ocml
