// SPDX-License-Identifier: MIT
/*
 * isa_ocml.cc - the device library's mathematical functions (OCML, called by OpenCL C), compiled for the GPU, run on the silicon's engine
 * and compared with MPFR in units of the last place.
 *
 *	isa_ocml [--count N] [--seed S] [--mcpu NAME] [--folder DIR] [FUNCTION...]
 *
 * Prints a row a function: the worst error of half, float, double and the bound (see functions.h); float again with division and square
 * root correctly rounded, as HIP asks for. N arguments each. Fails if a result is beyond its bound.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "../command_line.h"
#include "../program.h"
#include "inputs.h"
#include "mistakes.h"
#include "reference.h"
#include "tools/progress.hpp"

namespace isa_ocml {
namespace {

using isa_test::Machine;
using isa_test::Program;

struct Options {
	u64 count = 2000, seed = 1;
	std::string mcpu = "gfx906", folder;
	std::vector<std::string> only;
};

/** What is compiled once: a type, how, and which of the bounds hold. */
struct Column {
	const char *heading;
	const Format &format;
	const char *type, *suffix, *options;
	unsigned bound;
	bool correctly_rounded; /* only the functions whose bound the options change, to 0 */
};
const Column columns[] = {
	{"half", isa_test::half, "half", "f16", "", 0, false},
	{"float", isa_test::single, "float", "f32", "", 1, false},
	{"float, rounded", isa_test::single, "float", "f32", "-cl-fp32-correctly-rounded-divide-sqrt", 1, true},
	{"double", isa_test::twice, "double", "f64", "", 2, false},
};

bool rounded_by_option(const Function &f) { return f.name == "sqrt" || f.name == "divide" || f.name == "reciprocal"; }

/** Holds what judging takes: numbers of a precision. */
class Judge {
public:
	Judge(const Format &f, const Function &function, double bound, bool flushes)
		: f_(f), function_(function), mistake_(mistake_of(function.name, f)), bound_(mistaken(Wrong::Bound) ? bound * 1.2 : bound),
		  flushes_(flushes), x_(64), y_(64), z_(64), wanted_(precision(f, bound)), got_(64), error_(precision(f, bound))
	{
	}

	/** Return: the error in ulp, infinite where a result of another kind was wanted. */
	double error(const Input &in, u64 got)
	{
		const double error = error_of(in, got);
		const Input flushed{flush(in.x), flush(in.y), flush(in.z), in.n};

		return !flushes_ || good(error, got) ? error : std::min(error, error_of(flushed, got));
	}

	bool good(double error, u64 got) const
	{
		/* Halfway between two numbers, the even one. */
		return bound_ > 0 ? error <= bound_ : error < 0.5 || (error == 0.5 && !(got & 1));
	}

	/** As text, for a report. */
	std::string wanted(const Input &in)
	{
		char text[64];

		if (function_.integer)
			return std::to_string(function_.integer(wanted_, arguments(in)));
		function_.reference(wanted_, arguments(in));
		mpfr_snprintf(text, sizeof(text), "%.25Ra", wanted_.get());
		return text;
	}

private:
	/** bound 0: what rounds correctly needs the exact result, of which a fused multiply-add has the most digits. */
	static long precision(const Format &f, double bound) { return bound > 0 ? f.fraction + 70 : 4200; }

	Arguments arguments(const Input &in)
	{
		set_bits(x_.get(), f_, in.x);
		set_bits(y_.get(), f_, in.y);
		set_bits(z_.get(), f_, in.z);
		return {x_.get(), y_.get(), z_.get(), in.n, f_};
	}

	double error_of(const Input &in, u64 got)
	{
		const Arguments a = arguments(in);

		if (!function_.where(a) || (mistaken(Wrong::Negative) && f_.is_negative(in.x)) || mistaken(Wrong::All))
			return 0;
		if (function_.integer)
			return function_.integer(wanted_, a) == static_cast<s64>(got) ? 0 : INFINITY;
		function_.reference(wanted_, a);
		const double error = error_of(got);
		if (!function_.second || good(error, got))
			return error;
		function_.second(wanted_, a);
		return std::min(error, error_of(got));
	}

	/** Against what is wanted. */
	double error_of(u64 got)
	{
		if (mpfr_nan_p(wanted_.get()) || f_.is_nan(got))
			return mpfr_nan_p(wanted_.get()) && f_.is_nan(got) ? 0 : INFINITY;
		const bool negative = mpfr_signbit(wanted_.get()), same_sign = f_.is_negative(got) == negative;
		if (mpfr_inf_p(wanted_.get()))
			return f_.is_infinite(got) && same_sign ? 0 : INFINITY;
		if (mpfr_zero_p(wanted_.get()) && f_.is_zero(got))
			return same_sign || mistaken(Wrong::SignOfZero) ? 0 : INFINITY;
		if (f_.is_infinite(got) && same_sign && !mpfr_zero_p(wanted_.get()) && exponent() > f_.top_exponent)
			return 0;
		/* OpenCL C 3.0, 7.5.3: flushed where a result within the bound is denormal. */
		if (flushes_ && f_.is_zero(got) &&
		    (exponent() < f_.lowest() || distance(f_.sign(negative) | u64{1} << f_.fraction) <= bound_))
			return 0;
		return distance(got);
	}

	/** In ulp of what is wanted. */
	double distance(u64 got)
	{
		set_finite(got);
		mpfr_sub(error_.get(), got_.get(), wanted_.get(), MPFR_RNDN);
		mpfr_abs(error_.get(), error_.get(), MPFR_RNDN);
		mpfr_mul_2si(error_.get(), error_.get(), static_cast<long>(f_.fraction) - ulp_exponent(), MPFR_RNDN);
		/* What is not halfway between two numbers stays so. */
		return mpfr_get_d(error_.get(), mpfr_cmp_d(error_.get(), 0.5) < 0 ? MPFR_RNDZ : MPFR_RNDA);
	}

	bool mistaken(Wrong what) const { return mistake_ && mistake_->what == what; }

	/** An infinity stands for the number behind the greatest one. */
	void set_finite(u64 got)
	{
		if (f_.is_infinite(got))
			mpfr_set_si_2exp(got_.get(), f_.is_negative(got) ? -1 : 1, f_.top_exponent + 1, MPFR_RNDN);
		else
			set_bits(got_.get(), f_, got);
	}

	long exponent() { return mpfr_get_exp(wanted_.get()) - 1; }

	/** The exponent of the numbers whose distance is ulp(wanted): OpenCL C 3.0, 7.4; the lesser distance at a power of two. */
	long ulp_exponent()
	{
		if (mpfr_zero_p(wanted_.get()))
			return f_.lowest();
		return std::clamp<long>(exponent() - (mpfr_min_prec(wanted_.get()) == 1), f_.lowest(), f_.top_exponent);
	}

	u64 flush(u64 bits) const { return f_.is_denormal(bits) ? bits & f_.sign(true) : bits; }

	const Format &f_;
	const Function &function_;
	const Mistake *const mistake_;
	const double bound_;
	const bool flushes_;
	Number x_, y_, z_, wanted_, got_, error_;
};

/** The code object of a column; throws if clang does not make it. */
std::string compile(const Options &o, const Column &c)
{
	const std::string object = o.folder + "/" + c.suffix + (c.correctly_rounded ? ".rounded" : "") + ".co";
	const std::string command = std::string(ISA_CLANG) + " -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=" + o.mcpu +
				    " --rocm-device-lib-path=" ISA_DEVICE_LIBS " -DT=" + c.type + " -DSUFFIX=" + c.suffix + " " +
				    c.options + " -o " + object + " " ISA_OCML_SOURCES "/ocml.cl";

	if (std::system(command.c_str()))
		throw std::runtime_error("ocml.cl does not compile");
	return object;
}

/** What the GPU's kernel makes of the inputs: 64 bits each. */
std::vector<u64> run_on_silicon(Machine &m, Program &program, const Format &f, const std::string &kernel, const std::vector<Input> &inputs)
{
	const size_t bytes = f.bits / 8;
	std::vector<isa_test::Bytes> arrays(3, isa_test::Bytes(inputs.size() * bytes));

	arrays.emplace_back(inputs.size() * sizeof(int));
	for (size_t i = 0; i < inputs.size(); i++) {
		std::memcpy(&arrays[0][i * bytes], &inputs[i].x, bytes);
		std::memcpy(&arrays[1][i * bytes], &inputs[i].y, bytes);
		std::memcpy(&arrays[2][i * bytes], &inputs[i].z, bytes);
		std::memcpy(&arrays[3][i * sizeof(int)], &inputs[i].n, sizeof(int));
	}
	return run_items(m, program, kernel, arrays, static_cast<u32>(inputs.size()));
}

class Run {
public:
	explicit Run(const Options &o) : o_(o)
	{
		std::filesystem::create_directories(o.folder);
		for (const Column &c : columns)
			programs_.emplace_back(compile(o, c));
	}

	/** Return: the process' exit code. */
	int all()
	{
		std::printf("%-14s", o_.mcpu.c_str());
		for (const Column &c : columns)
			std::printf("%20s", c.heading);
		std::printf("\n");
		kfdm::Progress progress("isa_ocml", o_.only.empty() ? functions().size() : o_.only.size());
		for (const Function &f : functions())
			if (o_.only.empty() || std::count(o_.only.begin(), o_.only.end(), f.name)) {
				progress.clear();
				row(f);
				progress.step();
			}
		progress.clear();
		for (const std::string &line : left_out_)
			std::printf("not compared, %s\n", line.c_str());
		std::printf("%u passed, %u failed\n", passed_, failed_);
		return failed_ || !passed_;
	}

private:
	void row(const Function &f)
	{
		std::string line, failures;

		for (size_t c = 0; c < std::size(columns); c++)
			line += columns[c].correctly_rounded && !rounded_by_option(f) ? std::string(20, ' ') : cell(f, c, failures);
		std::printf("%-14s%s\n%s", f.name.c_str(), line.c_str(), failures.c_str());
		std::fflush(stdout);
	}

	/** "worst (bound)" */
	std::string cell(const Function &f, size_t c, std::string &failures)
	{
		const Format &format = columns[c].format;
		const double bound = columns[c].correctly_rounded ? 0 : f.bounds[columns[c].bound];
		const auto index = static_cast<u64>(&f - functions().data());
		const std::vector<Input> inputs = Inputs(format, o_.seed + 1000 * index).make(o_.count);
		const std::vector<u64> results = run_on_silicon(machine_, programs_[c], format, "k_" + f.name, inputs);
		/* GFX8 has no fast fused multiply-add with denormals: clang chooses to flush those of float. */
		Judge judge(format, f, bound, format.bits == 32 && o_.mcpu.starts_with("gfx8"));
		double worst = 0;
		unsigned wrong = 0;

		for (size_t i = 0; i < inputs.size(); i++) {
			const double error = judge.error(inputs[i], results[i]);
			worst = std::max(worst, error);
			if (!judge.good(error, results[i]) && wrong++ < 4)
				failures += failure(columns[c], inputs[i], results[i], judge.wanted(inputs[i]), error);
		}
		(wrong ? failed_ : passed_)++;
		if (const Mistake *m = mistake_of(f.name, format))
			left_out_.insert(f.name + " (" + m->types + "): " + what_is_left_out(m->what) + ", as " + m->why);
		char text[64];
		std::snprintf(text, sizeof(text), "%.3f (%g)", worst, bound);
		return std::string(20 - std::min<size_t>(20, std::strlen(text)), ' ') + text;
	}

	static const char *what_is_left_out(Wrong what)
	{
		switch (what) {
		case Wrong::SignOfZero: return "the sign of zeros";
		case Wrong::Negative: return "x below zero";
		case Wrong::Bound: return "up to a fifth beyond the bound";
		default: return "all";
		}
	}

	static std::string failure(const Column &c, const Input &in, u64 got, const std::string &wanted, double error)
	{
		char text[256];

		std::snprintf(text, sizeof(text), "  FAILED %s %llx %llx %llx %d: got %llx instead of %s, %g ulp\n", c.heading,
			      static_cast<unsigned long long>(in.x), static_cast<unsigned long long>(in.y),
			      static_cast<unsigned long long>(in.z), in.n, static_cast<unsigned long long>(got), wanted.c_str(), error);
		return text;
	}

	const Options &o_;
	Machine machine_;
	std::vector<Program> programs_;
	std::set<std::string> left_out_;
	unsigned passed_ = 0, failed_ = 0;
};

Options parse(int argc, char **argv)
{
	CLI::App app("The device library's mathematical functions, compared with MPFR", "isa_ocml");
	Options o;

	app.add_option("--count", o.count, "Arguments of each function")->capture_default_str();
	app.add_option("--seed", o.seed, "Of the arguments")->capture_default_str();
	app.add_option("function", o.only, "Only these");
	isa_test::add_target(app, &o.mcpu, &o.folder);
	isa_test::parse_or_exit(app, argc, argv);
	return o;
}

} // namespace
} // namespace isa_ocml

int main(int argc, char **argv)
{
	isa_test::compile_without_cache();
	try {
		return isa_ocml::Run(isa_ocml::parse(argc, argv)).all();
	} catch (const std::exception &e) {
		std::fprintf(stderr, "isa_ocml: %s\n", e.what());
		return 2;
	}
}
