// SPDX-License-Identifier: MIT
/* syzkaller.cpp - see syzkaller.hpp. */
#include "syzkaller.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

namespace kfdm::fuzz {

namespace {

/* Pseudo-calls that syzkaller/common_kfdm.h has; all others that begin with syz_ are this executor's own. */
constexpr auto offered = std::to_array<std::string_view>({"syz_kfdm_store32", "syz_kfdm_store64", "syz_kfdm_copy", "syz_kfdm_map_doorbells",
							  "syz_kfdm_ring", "syz_kfdm_load", "syz_kfdm_sleep"});

/* Addresses in programs count from here, whatever they are in the executor; there are 16 MiB. The shared pages are the upper half. */
constexpr uint64_t text_base = 0x7f0000000000, vma_base = text_base + 0x800000, page = 4096, data_end = vma_base;
constexpr unsigned data_align = 0x40;

bool is_offered(std::string_view base) { return std::find(offered.begin(), offered.end(), base) != offered.end(); }
bool is_own(std::string_view base) { return base.starts_with("syz_") && !is_offered(base); }

std::string hex(uint64_t value)
{
	std::ostringstream text;

	text << "0x" << std::hex << value;
	return text.str();
}

/* Single quotes: bytes that are no letters as \xNN. */
std::string quoted(const std::string &bytes)
{
	static constexpr char digits[] = "0123456789abcdef";
	std::string text = "'";

	for (unsigned char c : bytes)
		if (std::isprint(c) && c != '\'' && c != '\\')
			text += static_cast<char>(c);
		else
			text += std::string("\\x") + digits[c >> 4] + digits[c & 15];
	return text + '\'';
}

constexpr uint64_t nothing = ~uint64_t{0}; /* a resource that there is not */

/** Writes a program, call by call. */
class SyzWriter {
public:
	SyzWriter(const Description &description, const Program &program) : description_(description), program_(program) { find_used(); }

	std::string text()
	{
		for (call_ = 0; call_ < program_.calls.size(); call_++)
			one_call(program_.calls[call_]);
		return out_.str();
	}

private:
	using Place = std::pair<int, int>; /* call and slot of a value that a call puts out */

	/* What each call puts out, slot 0 being what it returns: a program that was cut may ask for what no call gives any more. */
	std::set<Place> find_made() const
	{
		std::set<Place> made;

		for (int call = 0; call < static_cast<int>(program_.calls.size()); call++) {
			int slot = 0;

			made.insert({call, slot++});
			for_each_arg(program_.calls[static_cast<size_t>(call)].arguments, [&](const Arg &arg) {
				if (is_output(arg) && slot < max_slots)
					made.insert({call, slot++});
			});
		}
		return made;
	}
	static bool is_output(const Arg &arg)
	{
		return arg.type->kind == Type::Kind::Resource && arg.from_call < 0 && arg.direction == Direction::Out;
	}
	void find_used()
	{
		const std::set<Place> made = find_made();

		for (const Invocation &invocation : program_.calls)
			for_each_arg(invocation.arguments, [&](const Arg &arg) {
				if (arg.from_call >= 0 && made.contains({arg.from_call, arg.slot}))
					names_.emplace(Place{arg.from_call, arg.slot}, 0);
			});
		unsigned n = 0;
		for (auto &[place, name] : names_)
			name = n++;
	}
	std::string name(const Place &place) const { return "r" + std::to_string(names_.at(place)); }

	void one_call(const Invocation &invocation)
	{
		const Call &call = description_.calls()[static_cast<size_t>(invocation.call)];
		const Place returned{static_cast<int>(call_), 0};

		slot_ = 1;
		if (names_.contains(returned))
			out_ << name(returned) << " = ";
		out_ << call.name << '(';
		list(call.arguments, invocation.arguments);
		out_ << ')';
		if (invocation.fail && invocation.fail != each_one)
			out_ << " (fail_nth: " << invocation.fail << ')';
		else if (invocation.detached)
			out_ << " (async)";
		out_ << '\n';
	}
	void list(const std::vector<Field> &fields, const std::vector<Arg> &args)
	{
		for (size_t i = 0; i < args.size(); i++) {
			out_ << (i ? ", " : "");
			if (args[i].type->kind == Type::Kind::Len && !args[i].own)
				out_ << hex(measure(*args[i].type, fields, args));
			else
				one(args[i]);
		}
	}
	void one(const Arg &arg)
	{
		switch (arg.type->kind) {
		case Type::Kind::Pointer: return pointer(arg);
		case Type::Kind::Struct:
			out_ << '{';
			list(arg.type->fields, arg.inner);
			out_ << '}';
			return;
		case Type::Kind::Union: out_ << '@' << arg.type->fields.at(arg.value).name << '='; return one(arg.inner.at(0));
		case Type::Kind::Array: return array(arg);
		case Type::Kind::String: out_ << quoted(arg.bytes + '\0'); return;
		case Type::Kind::Vma: return vma(arg);
		case Type::Kind::Resource: return resource(arg);
		default: out_ << hex(arg.value);
		}
	}
	void pointer(const Arg &arg)
	{
		if (arg.own || arg.inner.empty()) {
			out_ << hex(arg.own ? arg.value : 0);
			return;
		}
		const uint64_t bytes = std::max<uint64_t>(size_of(arg.inner[0]), 1);

		next_ = (next_ + data_align - 1) / data_align * data_align;
		if (next_ + bytes > data_end)
			next_ = text_base;
		out_ << "&(" << hex(next_) << ")=";
		next_ += bytes;
		one(arg.inner[0]);
	}
	/* What is an array of bytes here, syzkaller takes for a buffer. */
	void array(const Arg &arg)
	{
		const Type &element = *arg.type->element;

		if (element.kind != Type::Kind::Int || element.size != 1) {
			out_ << '[';
			list({}, arg.inner);
			out_ << ']';
			return;
		}
		if (arg.direction == Direction::Out) {
			out_ << "\"\"/" << arg.inner.size();
			return;
		}
		std::string bytes;
		for (const Arg &byte : arg.inner)
			bytes += static_cast<char>(byte.value);
		out_ << quoted(bytes);
	}
	void vma(const Arg &arg)
	{
		if (arg.own) {
			out_ << hex(arg.value);
			return;
		}
		const uint64_t pages = std::max<uint64_t>(arg.value & 0xffff, 1);

		out_ << "&(" << hex(vma_base + (arg.value >> 16) * page) << '/' << hex(pages * page) << ")=nil";
	}
	void resource(const Arg &arg)
	{
		if (arg.from_call >= 0) {
			const Place place{arg.from_call, arg.slot};

			out_ << (names_.contains(place) ? name(place) : hex(nothing));
			return;
		}
		if (is_output(arg)) {
			const Place place{static_cast<int>(call_), slot_};

			if (slot_ < max_slots)
				slot_++;
			if (names_.contains(place)) {
				out_ << '<' << name(place) << "=>" << hex(arg.value);
				return;
			}
		}
		out_ << hex(arg.value);
	}

	const Description &description_;
	const Program &program_;
	std::map<Place, unsigned> names_;
	std::ostringstream out_;
	size_t call_ = 0;
	int slot_ = 1;
	uint64_t next_ = text_base;
};

bool can_be_told(const Description &description, const Program &program)
{
	return !program.same_processes && std::all_of(program.calls.begin(), program.calls.end(), [&](const Invocation &invocation) {
		return invocation.actor == 0 && !is_own(description.calls()[static_cast<size_t>(invocation.call)].base);
	});
}

std::string word_at(const std::string &line, size_t at)
{
	size_t end = at;

	while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
		end++;
	return line.substr(at, end - at);
}

} // namespace

std::optional<std::string> to_syzkaller(const Description &description, const Program &program)
{
	if (!can_be_told(description, program))
		return {};
	return SyzWriter(description, program).text();
}

namespace {

/* `name = values` of a name that nothing mentions any more, which syzkaller's compiler refuses. */
std::string without_unused_flags(const std::string &text)
{
	std::istringstream in(text);
	std::string out, line;

	while (std::getline(in, line)) {
		const std::string name = word_at(line, 0);
		size_t mentions = 0;

		for (size_t at = text.find(name); !name.empty() && at != std::string::npos; at = text.find(name, at + 1))
			mentions += word_at(text, at) == name;
		if (line.compare(name.size(), 3, " = ") != 0 || mentions > 1)
			out += line + '\n';
	}
	return out;
}

} // namespace

std::string description_for_syzkaller(const std::string &text)
{
	std::istringstream in(text);
	std::string out, line, comment;

	while (std::getline(in, line)) {
		if (line.starts_with('#')) { /* belongs to what follows */
			comment += line + '\n';
			continue;
		}
		if (!is_own(word_at(line, 0)))
			out += comment + line + '\n';
		comment.clear();
	}
	return without_unused_flags(out + comment);
}

std::string constants_for_syzkaller(const std::string &text)
{
	std::string out = "# Code generated by syz-sysgen. DO NOT EDIT.\narches = amd64\n";
	std::set<std::string> names;
	std::istringstream in(text);
	std::string line;
	bool quotes = false;

	while (std::getline(in, line)) {
		line = line.substr(0, line.find('#'));
		if (line.starts_with("include"))
			continue;
		for (size_t at = 0; at < line.size(); at++) {
			quotes ^= line[at] == '"';
			if (quotes || !std::isalpha(static_cast<unsigned char>(line[at])))
				continue;
			const std::string word = word_at(line, at);

			at += word.size() - 1;
			if (constant(word))
				names.insert(word);
		}
	}
	for (const std::string &name : names)
		out += name + " = " + std::to_string(*constant(name)) + '\n';
	return out;
}

} // namespace kfdm::fuzz
