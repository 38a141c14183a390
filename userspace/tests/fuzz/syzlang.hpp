// SPDX-License-Identifier: MIT
/*
 * syzlang.hpp - descriptions of system calls in the language of syzkaller (docs/syscall_descriptions_syntax.md there): the part of it
 * that the files in this folder use. Anything else is an error, with file and line.
 *
 * What is there: include, resource, flags (numbers and strings), structs, unions, templates (`type`), calls; const, intN, flags, len,
 * bytesizeN, vma, vma64, ptr, ptr64, array, string; the attributes in, out, out_overlay of fields, packed and varlen of structs.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kfdm::fuzz {

enum class Direction { In, Out, InOut };

/** A kind of descriptor, id, handle: some calls make one, others take it. */
struct Resource {
	std::string name;
	std::string base;	       /**< another resource, or an intN */
	std::vector<uint64_t> special; /**< values that stand for none */
	unsigned size = 4;
};

struct Type;

struct Field {
	std::string name;
	const Type *type;
	std::optional<Direction> direction; /**< if it says so itself */
	bool overlay = false;		    /**< output begins here, at the struct's first byte */
	unsigned offset = 0;
};

struct Type {
	enum class Kind { Const, Int, Flags, Resource, Len, Vma, Pointer, Array, String, Struct, Union };

	Kind kind;
	unsigned size = 0; /**< bytes; of an Array or String of varying length: 0 */
	unsigned align = 1;
	uint64_t value = 0;	    /**< Const */
	int64_t low = 0, high = -1; /**< Int: the range, any value if empty; Vma: pages; Array: elements */
	uint64_t step = 1;
	std::vector<uint64_t> flags;	  /**< Flags */
	std::vector<std::string> strings; /**< String: one of these */
	const fuzz::Resource *resource = nullptr;
	const Type *element = nullptr;	     /**< Pointer, Array */
	Direction direction = Direction::In; /**< Pointer: of what it points to */
	std::string name;		     /**< Struct, Union; Len: the field that it measures */
	unsigned unit = 0;		     /**< Len: 0 counts elements (of a Vma: bytes), N units of N bytes */
	std::vector<Field> fields;
	bool packed = false, varying = false;
};

struct Call {
	std::string name; /**< with what follows the $ */
	std::string base; /**< without */
	std::vector<Field> arguments;
	const Resource *result = nullptr;
};

class SyntaxError : public std::runtime_error {
public:
	using std::runtime_error::runtime_error;
};

/** The value of a name that the headers define (constants.cpp, made by CMake of the names in the descriptions). */
std::optional<uint64_t> constant(std::string_view name);

class Description {
public:
	Description() = default;
	Description(const Description &) = delete;

	/** More descriptions; resolve() when all are read. */
	void read(std::string_view text, const std::string &file);
	void read_file(const std::string &path);
	void resolve();

	[[nodiscard]] const std::vector<Call> &calls() const { return calls_; }
	[[nodiscard]] const std::map<std::string, Resource, std::less<>> &resources() const { return resources_; }
	/** Its index, or -1. */
	[[nodiscard]] int find(std::string_view name) const;
	/** Whether a value of @have may be given where @want is asked for: the same kind or one made of it. */
	[[nodiscard]] bool fits(const Resource &have, const Resource &want) const;
	/** A struct or union by name; null if nothing uses it. */
	[[nodiscard]] const Type *composite(std::string_view name) const;

private:
	/** `name[a, b:c]`, a number or a string, and where it stands. */
	struct Text {
		std::string word;
		bool quoted = false;
		std::vector<Text> inner;
		std::vector<Text> range; /**< what follows colons */
		std::string file;
		int line = 0;
	};

	/** A struct, union, template or call: fields, and what comes before and after them. */
	struct Body {
		struct Member {
			Text name, type;
			std::vector<std::string> attributes;
		};
		bool is_union = false;
		std::vector<std::string> parameters; /**< of a template */
		std::vector<Member> members;
		std::vector<std::string> attributes;
		std::optional<Text> result;
		Text where;
	};
	class Reader;
	class Builtin;

	const Type *make(const Text &text, bool argument);
	const Type *make_of_template(const Text &text, Body body);
	const Type *make_composite(const std::string &key, const Body &body);
	[[nodiscard]] uint64_t number(const Text &text) const;
	void range(const Text &text, Type &type) const;
	void fill_flags(const Text &name, Type &type) const;
	void lay_out(Type &type);
	[[noreturn]] static void fail(const Text &text, const std::string &what);

	std::map<std::string, Resource, std::less<>> resources_;
	std::map<std::string, std::vector<Text>> flags_;
	std::map<std::string, Body> bodies_;
	std::map<std::string, const Type *, std::less<>> made_;
	std::vector<std::pair<Body, std::string>> written_calls_;
	std::vector<Call> calls_;
	std::deque<Type> types_;
};

} // namespace kfdm::fuzz
