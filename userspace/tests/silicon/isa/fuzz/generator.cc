// SPDX-License-Identifier: MIT
/* generator.cc - see generator.h. Integer arithmetic is done unsigned, shift counts and indices are masked. */
#include "generator.h"

#include "prelude_sizes.h"

namespace isa_fuzz {
namespace {

struct Type {
	char letter;
	const char *name;
	const char *unsigned_name; /* integers: what arithmetic is done in */
	unsigned bits;
	bool is_signed;
};

// clang-format off
constexpr Type types[] = {
	{'b', "u8", "u32", 8, false},	{'c', "s8", "u32", 8, true},	 {'w', "u16", "u32", 16, false}, {'h', "s16", "u32", 16, true},
	{'u', "u32", "u32", 32, false}, {'i', "s32", "u32", 32, true},	 {'U', "u64", "u64", 64, false}, {'I', "s64", "u64", 64, true},
	{'e', "f16", nullptr, 16, true}, {'f', "f32", nullptr, 32, true}, {'d', "f64", nullptr, 64, true},
};
// clang-format on
constexpr unsigned type_count = 11, integer_count = 8;

const Type &type_of(char letter)
{
	for (const Type &t : types)
		if (t.letter == letter)
			return t;
	return types[4];
}

class Generator {
public:
	Generator(std::uint64_t seed, std::string name) : random_(seed), name_(std::move(name)) {}

	Node program()
	{
		Node all{"", 0, true, {}};

		helpers_ = 0;
		for (unsigned n = below(6) / 2; n; n--) {
			all.parts.push_back(helper());
			helpers_++;
		}
		in_helper_ = false;
		all.parts.push_back(function("NOINLINE void " + name_ + "(In *in, Mem *mem, Lds *lds)\n{", block(3 + below(6), 2), "}\n"));
		all.parts.push_back({"PROGRAM(" + name_ + ")\n", 0, false, {}});
		return all;
	}

private:
	unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
	bool one_in(unsigned n) { return below(n) == 0; }
	static std::string number(std::uint64_t n) { return std::to_string(n); }
	char any_type() { return types[below(type_count)].letter; }
	char any_integer() { return types[below(integer_count)].letter; }
	std::string variable(char type) { return std::string("v") + type + number(below(2)); }
	static Node leaf(std::string text, char type) { return {std::move(text), type, false, {}}; }
	static Node make(std::string text, char type, std::vector<Node> parts) { return {std::move(text), type, false, std::move(parts)}; }

	/* ---- Expressions ---- */

	std::string integer_constant(const Type &t)
	{
		static const std::uint64_t interesting[] = {
			0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000000000000000};
		const std::uint64_t v = one_in(2) ? interesting[below(18)] : one_in(2) ? random_() : random_() & 0xff;

		return std::string("((") + t.name + ")" + number(v) + "ul)";
	}
	std::string float_constant(char type)
	{
		static const char *values[] = {"0.0", "-0.0",  "1.0",  "-1.0",	  "0.5",    "2.0",
					       "3.0", "-7.25", "1e-5", "65504.0", "1.0e10", "0.1"};
		const std::string text = values[below(12)];

		return type == 'e' ? "f16_from_f32(" + text + "f)" : type == 'f' ? "((f32)" + text + ")" : "(" + text + ")";
	}
	/** A word from memory. */
	Node word(unsigned depth)
	{
		switch (below(in_helper_ ? 2 : 5)) {
		case 0: return make("au[$0 & 7]", 'u', {expression('u', depth)});
		case 1: return make("load32(ab + ($0 & 11))", 'u', {expression('u', depth)});
		case 2: return make("mem[$0 & 15]", 'u', {expression('u', depth)});
		case 3: return make("lds[$0 & 7]", 'u', {expression('u', depth)});
		default: return leaf("in[" + number(below(16)) + "]", 'u');
		}
	}
	Node terminal(char type)
	{
		const Type &t = type_of(type);

		if (!one_in(4))
			return leaf(variable(type), type);
		return leaf(t.unsigned_name ? integer_constant(t) : float_constant(type), type);
	}

	static std::string arithmetic(const Type &t, const std::string &op)
	{
		const std::string u = std::string("(") + t.unsigned_name + ")";

		if (t.bits == 64 && op == "*")
			return "mul64($0, $1)";
		return u + "$0 " + op + " " + u + "$1";
	}
	/**
	 * The value that is shifted; 64-bit ones are hidden from the optimizer. LLVM 15 rematerializes a shift even when half of the
	 * register pair of its source has been reused (allUsesAvailableAt() does not see that), which would make the host's and the GPU's
	 * results differ.
	 */
	static std::string shifted(const Type &t, const std::string &value) { return t.bits == 64 ? "unseen64(" + value + ")" : value; }

	Node integer(const Type &t, unsigned depth)
	{
		const char l = t.letter;
		const std::string cast = std::string("((") + t.name + ")(", u = std::string("(") + t.unsigned_name + ")";
		const bool wide = t.bits == 64;

		switch (below(17)) {
		case 0: {
			static const char *operators[] = {"+", "-", "*", "&", "|", "^"};
			return make(cast + arithmetic(t, operators[below(6)]) + "))", l, {expression(l, depth), expression(l, depth)});
		}
		case 1:
			return make(cast + shifted(t, u + "$0") + " << ($1 & " + number(t.bits - 1) + ")))", l,
				    {expression(l, depth), expression('u', depth)});
		case 2:
			return make(cast + "(" + t.name + ")" + shifted(t, "$0") + " >> ($1 & " + number(t.bits - 1) + ")))", l,
				    {expression(l, depth), expression('u', depth)});
		case 3: {
			const std::string what = std::string(t.is_signed ? "S" : "U") + (one_in(2) ? "DIV" : "REM");
			return make(what + "(" + t.name + ", $0, $1)", l, {expression(l, depth), expression(l, depth)});
		}
		case 4: return make("($0 ? $1 : $2)", l, {condition(depth), expression(l, depth), expression(l, depth)});
		case 5: return make(cast + (one_in(2) ? "~" : "-") + u + "$0))", l, {expression(l, depth)});
		case 6: return make(cast + "$0))", l, {expression(any_integer(), depth)});
		case 7: {
			const char from = "fde"[below(3)];
			const Node value = expression(from, depth);
			const std::string limit = t.bits == 64 ? "9.0e18" : t.bits == 32 ? "2.0e9" : t.bits == 16 ? "32000.0" : "120.0";
			const std::string inner = from == 'e' ? "f16_to_f32($0)" : "$0";
			return make(std::string(t.is_signed ? "TO_INT(" : "TO_UINT(") + t.name + ", " + limit + (from == 'd' ? "" : "f") +
					    ", " + inner + ")",
				    l, {value});
		}
		case 8: return make(cast + "$0))", l, {wide ? wide_builtin(depth) : word_builtin(depth)});
		case 9: return make(cast + (wide ? "f64_bits($0)))" : "f32_bits($0)))"), l, {expression(wide ? 'd' : 'f', depth)});
		case 10: return make(cast + "f16_bits($0)))", l, {expression('e', depth)});
		case 11:
			if (wide)
				return make(cast + "(u64)$0 << 32 | $1))", l, {word(depth), word(depth)});
			return make(cast + "$0))", l, {word(depth)});
		case 12:
			if (wide)
				return make(cast + (one_in(2) ? "aU[$0 & 3]))" : "load64(ab + ($0 & 7))))"), l, {expression('u', depth)});
			return make(cast + (one_in(2) ? "ab[$0 & 15]))" : "load16(ab + ($0 & 13))))"), l, {expression('u', depth)});
		case 13:
			/*
			 * Through a pointer, one for all lanes: around the loop that LLVM 15 makes for several it saves registers of all
			 * lanes and brings back those of the lanes whose turn it is.
			 */
			if (helpers_ > 1 && one_in(3))
				return make(cast + "(uniform(" + number(below(2)) + ") ? " + name_ + "_h0 : " + name_ +
						    "_h1)($0, $1, au)))",
					    l, {expression('U', depth), expression('d', depth)});
			if (helpers_)
				return make(cast + name_ + "_h" + number(below(helpers_)) + "($0, $1, au)))", l,
					    {expression('U', depth), expression('d', depth)});
			return terminal(l);
		case 14:
			return make(std::string("({ ") + t.name + " x_ = $0, y_ = $1; x_ " + (one_in(2) ? "<" : ">") + " y_ ? x_ : y_; })",
				    l, {expression(l, depth), expression(l, depth)});
		case 15:
			return make(cast + "(" + shifted(t, u + "$0") + " << " + number(1 + below(t.bits - 1)) + ") | (" +
					    shifted(t, u + "$1") + " >> " + number(1 + below(t.bits - 1)) + ")))",
				    l, {expression(l, depth), expression(l, depth)});
		default: return make(cast + "$0))", l, {condition(depth)});
		}
	}
	Node word_builtin(unsigned depth)
	{
		static const char *one[] = {"__builtin_popcount($0)", "clz32($0)", "ctz32($0)", "__builtin_bswap32($0)",
					    "__builtin_bitreverse32($0)"};
		static const char *two[] = {"mulhi32($0, $1)",
					    "mulhis32($0, $1)",
					    "__builtin_rotateleft32($0, $1)",
					    "__builtin_rotateright32($0, $1)",
					    "({ u32 r_; __builtin_add_overflow($0, $1, &r_) ? ~r_ : r_; })",
					    "({ u32 r_; __builtin_sub_overflow($0, $1, &r_) ? SATURATED : r_; })",
					    "(($0 & 0xffffff) * ($1 & 0xffffff))"};

		if (one_in(2))
			return make(one[below(5)], 'u', {expression('u', depth)});
		return make(two[below(7)], 'u', {expression('u', depth), expression('u', depth)});
	}
	Node wide_builtin(unsigned depth)
	{
		static const char *one[] = {"__builtin_popcountl($0)", "clz64($0)", "ctz64($0)", "__builtin_bswap64($0)",
					    "__builtin_bitreverse64($0)"};
		static const char *two[] = {"mulhi64($0, $1)",
					    "__builtin_rotateleft64($0, $1)",
					    "({ u64 r_; __builtin_mul_overflow(unseen64($0), unseen64($1), &r_) ? ~r_ : r_; })",
					    "({ u64 r_; __builtin_add_overflow($0, $1, &r_) ? ~0ul : r_; })",
					    "((u64)unseen32((u32)$0) * (u32)$1)",
					    "((u64)((s64)(s32)$0 * (s32)$1))"};

		if (one_in(2))
			return make(one[below(5)], 'U', {expression('U', depth)});
		return make(two[below(6)], 'U', {expression('U', depth), expression('U', depth)});
	}

	Node half(unsigned depth)
	{
		static const char *two[] = {"f16_add($0, $1)", "f16_sub($0, $1)", "f16_mul($0, $1)", "f16_div($0, $1)"};

		switch (below(6)) {
		case 0: return make("f16_neg($0)", 'e', {expression('e', depth)});
		case 1: return make("f16_from_f32($0)", 'e', {expression('f', depth)});
		case 2: return make("f16_from_bits($0)", 'e', {expression('w', depth)});
		case 3: return make("($0 ? $1 : $2)", 'e', {condition(depth), expression('e', depth), expression('e', depth)});
		default: return make(two[below(4)], 'e', {expression('e', depth), expression('e', depth)});
		}
	}

	Node floating(const Type &t, unsigned depth)
	{
		const char l = t.letter;
		const std::string suffix = l == 'f' ? "f" : "", cast = std::string("((") + t.name + ")";
		static const char *operators[] = {"+", "-", "*", "/"};
		static const char *unary[] = {"floor", "ceil", "trunc", "rint", "fabs"};

		switch (below(12)) {
		case 0: return make("(-$0)", l, {expression(l, depth)});
		case 1: return make(cast + "$0)", l, {expression(any_integer(), depth)});
		case 2: return make(cast + "$0)", l, {expression(l == 'f' ? 'd' : 'f', depth)});
		case 3: return make(cast + "f16_to_f32($0))", l, {expression('e', depth)});
		case 4: return make(l == 'f' ? "f32_from_bits($0)" : "f64_from_bits($0)", l, {expression(l == 'f' ? 'u' : 'U', depth)});
		case 5:
			return make("__builtin_fma" + suffix + "($0, $1, $2)", l,
				    {expression(l, depth), expression(l, depth), expression(l, depth)});
		case 6: return make(std::string("__builtin_") + unary[below(5)] + suffix + "($0)", l, {expression(l, depth)});
		case 7: return make("($0 ? $1 : $2)", l, {condition(depth), expression(l, depth), expression(l, depth)});
		case 8:
			/*
			 * LLVM 15 takes this for a minimum or maximum, which know -0 from 0 as the comparison does not: the sum makes them
			 * one.
			 */
			return make(std::string("({ ") + t.name + " x_ = $0, y_ = $1; (x_ " + (one_in(2) ? "<" : ">") +
					    " y_ ? x_ : y_) + 0.0" + suffix + "; })",
				    l, {expression(l, depth), expression(l, depth)});
		default: return make(std::string("($0 ") + operators[below(4)] + " $1)", l, {expression(l, depth), expression(l, depth)});
		}
	}

	Node condition(unsigned depth)
	{
		static const char *operators[] = {"<", "<=", ">", ">=", "==", "!="};
		const char t = any_type();

		if (t == 'e')
			return make(one_in(2) ? "f16_lt($0, $1)" : "f16_eq($0, $1)", 'i', {expression('e', depth), expression('e', depth)});
		if (one_in(5))
			return make(std::string("($0 ") + (one_in(2) ? "&&" : "||") + " $1)", 'i',
				    {expression('i', depth), expression('i', depth)});
		return make(std::string("($0 ") + operators[below(6)] + " $1)", 'i', {expression(t, depth), expression(t, depth)});
	}

	Node expression(char type, unsigned depth)
	{
		const Type &t = type_of(type);

		if (!depth || one_in(5))
			return terminal(type);
		if (t.unsigned_name)
			return integer(t, depth - 1);
		return type == 'e' ? half(depth - 1) : floating(t, depth - 1);
	}

	/* ---- Statements ---- */

	Node assignment()
	{
		const char t = any_type();

		switch (below(in_helper_ ? 6 : 9)) {
		case 0: return make("au[$0 & 7] = $1;\n", 0, {expression('u', 1), expression('u', 2)});
		case 1:
			return make(one_in(2) ? "ab[$0 & 15] = (u8)$1;\n" : "store16(ab + ($0 & 13), (u16)$1);\n", 0,
				    {expression('u', 1), expression('u', 2)});
		case 2:
			return make(one_in(2) ? "aU[$0 & 3] = $1;\n" : "store64(ab + ($0 & 7), $1);\n", 0,
				    {expression('u', 1), expression('U', 2)});
		case 6: return make("mem[$0 & 15] = $1;\n", 0, {expression('u', 1), expression('u', 2)});
		case 7: return make("lds[$0 & 7] = $1;\n", 0, {expression('u', 1), expression('u', 2)});
		default: return make(variable(t) + " = $0;\n", 0, {expression(t, 3)});
		}
	}

	Node loop(unsigned depth)
	{
		const std::string i = "i" + number(counter_++);
		const std::string bound = one_in(2) ? number(1 + below(5)) : "(" + variable('u') + " & 3)";
		const std::string early = one_in(3) ? std::string("if ($1)\n") + (one_in(2) ? "break;\n" : "continue;\n") : "";
		std::vector<Node> parts = {block(1 + below(2), depth)};

		if (!early.empty())
			parts.push_back(condition(1));
		return make("for (u32 " + i + " = 0; " + i + " < " + bound + "; " + i + "++) {\n" + early + "$0}\n", 0, parts);
	}

	Node choice(unsigned depth)
	{
		const unsigned cases = 2 + below(2);
		std::string text = "switch ($0 & 7) {\n";
		std::vector<Node> parts = {expression('u', 2)};

		for (unsigned n = 0; n < cases; n++) {
			parts.push_back(block(1 + below(2), depth));
			text += "case " + number(n) + ":\n$" + number(n + 1) + (one_in(4) ? "/* fall through */\n" : "break;\n");
		}
		parts.push_back(block(1, depth));
		return make(text + "default:\n$" + number(cases + 1) + "break;\n}\n", 0, parts);
	}

	Node statement(unsigned depth)
	{
		if (!depth)
			return assignment();
		switch (below(10)) {
		case 0:
			return make("if ($0) {\n$1} else {\n$2}\n", 0,
				    {condition(1), block(1 + below(2), depth - 1), block(1 + below(2), depth - 1)});
		case 1: return make("if ($0) {\n$1}\n", 0, {condition(1), block(1 + below(2), depth - 1)});
		case 2: return loop(depth - 1);
		case 3: return choice(depth - 1);
		default: return assignment();
		}
	}

	Node block(unsigned statements, unsigned depth)
	{
		Node b{"", 0, true, {}};

		while (statements--)
			b.parts.push_back(statement(depth));
		return b;
	}

	static bool mentions(const std::string &text, const std::string &word) { return text.find(word) != std::string::npos; }

	/** What a variable begins with, from what the function was given. Unseen where it is shifted, see shifted(). */
	std::string initial(const Type &t)
	{
		const std::string k = number(below(16)), k2 = number(below(16));
		const std::string w = in_helper_ ? "unseen32((u32)(x >> " + number(below(32)) + "))" : "in[" + k + "]";
		const std::string wide = in_helper_ ? "(x * " + number(random_() | 1) + "ul)" :
						      "((u64)in[" + k + "] << 32 | in[" + k2 + "])";

		switch (t.letter) {
		case 'f': return "f32_from_bits(" + w + ")";
		case 'd': return in_helper_ ? "y" : "f64_from_bits(" + wide + ")";
		case 'e': return "f16_from_bits((u16)" + w + ")";
		default: return std::string("(") + t.name + ")" + (t.bits == 64 ? wide : w);
		}
	}

	/** Bits of a variable as a word. */
	static std::string folded(const Type &t, const std::string &v)
	{
		const std::string bits = t.unsigned_name ? "(u64)" + v : std::string("(u64)") + t.name + "_bits(" + v + ")";

		return t.bits == 64 ? "fold(" + bits + ")" : "(u32)" + bits;
	}

	/** Declares what body mentions, and leaves it in mem (a helper: in the variable r) at the end. */
	Node function(const std::string &head, Node body, const std::string &end)
	{
		const std::string text = body.print() + end, into = in_helper_ ? "r" : "mem[";
		std::string first = head + "\n", last;
		unsigned n = 0;

		for (const Type &t : types)
			for (unsigned i = 0; i < 2; i++) {
				const std::string v = std::string("v") + t.letter + number(i);
				if (!mentions(text, v))
					continue;
				first += std::string(t.name) + " " + v + " = " + initial(t) + ";\n";
				last += into + (in_helper_ ? "" : number(n++ % mem_words) + "]") + " ^= " + folded(t, v) + ";\n";
			}
		const std::string sink = in_helper_ ? "r += " : "mem[15] += ", source = in_helper_ ? "p" : "mem";
		if (mentions(text, "au")) {
			first += "u32 au[8];\nfor (u32 n = 0; n < 8; n++)\nau[n] = " + source + "[n];\n";
			last += "for (u32 n = 0; n < 8; n++)\n" + sink + "au[n] ^ n;\n";
		}
		if (mentions(text, "aU")) {
			first += "u64 aU[4];\nfor (u32 n = 0; n < 4; n++)\naU[n] = ~(u64)" + source + "[n] * 0x9e3779b97f4a7c15ul;\n";
			last += "for (u32 n = 0; n < 4; n++)\n" + sink + "fold(aU[n]) * 3;\n";
		}
		if (mentions(text, "ab")) {
			first += "u8 ab[16];\nfor (u32 n = 0; n < 16; n++)\nab[n] = (u8)(" + source + "[n & 7] >> n);\n";
			last += "for (u32 n = 0; n < 4; n++)\n" + sink + "load32(ab + 4 * n) * 5;\n";
		}
		if (mentions(text, "lds["))
			last += "for (u32 n = 0; n < 8; n++)\nmem[14] += lds[n];\n";
		return make(first + "$0" + last + end, 0, {std::move(body)});
	}

	Node helper()
	{
		in_helper_ = true;
		return function("NOINLINE u64 " + name_ + "_h" + number(helpers_) + "(u64 x, f64 y, u32 *p)\n{\nu64 r = x ^ f64_bits(y);",
				block(1 + below(3), 2), "p[x & 7] ^= (u32)r;\nreturn r;\n}\n");
	}

	std::mt19937_64 random_;
	std::string name_;
	unsigned helpers_ = 0, counter_ = 0;
	bool in_helper_ = false;
};

} // namespace

Node generate(std::uint64_t seed, const std::string &name) { return Generator(seed, name).program(); }

} // namespace isa_fuzz
