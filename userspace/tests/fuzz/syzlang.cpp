// SPDX-License-Identifier: MIT
/*
 * syzlang.cpp - reads descriptions. First all files are taken apart into texts, since names may be used before they are
 * defined; resolve() makes types of what the calls use.
 */
#include "syzlang.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

namespace kfdm::fuzz {

class Description::Reader {
public:
	Reader(Description &description, std::string_view text, const std::string &file) : to_(description), text_(text), file_(file) {}
	void all()
	{
		while (skip_lines(), !at_end())
			definition();
	}

private:
	[[noreturn]] void fail(const std::string &what) { Description::fail(here(""), what); }
	Text here(std::string word)
	{
		Text text;

		text.word = std::move(word);
		text.file = file_;
		text.line = line_;
		return text;
	}
	bool at_end() const { return at_ >= text_.size(); }
	char peek() const { return at_end() ? '\n' : text_[at_]; }
	void blanks()
	{
		while (!at_end() && (peek() == ' ' || peek() == '\t'))
			at_++;
		if (peek() == '#')
			while (!at_end() && peek() != '\n')
				at_++;
	}
	void skip_lines()
	{
		for (blanks(); !at_end() && peek() == '\n'; blanks()) {
			at_++;
			line_++;
		}
	}
	bool take(char c)
	{
		blanks();
		if (at_end() || peek() != c)
			return false;
		at_++;
		return true;
	}
	void want(char c)
	{
		if (!take(c))
			fail(std::string("expected '") + c + "'");
	}
	void end_of_line()
	{
		blanks();
		if (!at_end() && peek() != '\n')
			fail("something follows");
	}
	static bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '-'; }
	Text word()
	{
		blanks();
		const size_t from = at_;

		while (!at_end() && of_word(peek()))
			at_++;
		if (at_ == from)
			fail("expected a name");
		return here(std::string(text_.substr(from, at_ - from)));
	}
	Text quoted()
	{
		const size_t end = text_.find('"', at_);

		if (end == std::string_view::npos)
			fail("a string does not end");
		Text text = here(std::string(text_.substr(at_, end - at_)));

		text.quoted = true;
		at_ = end + 1;
		return text;
	}
	Text type()
	{
		if (take('"'))
			return quoted();
		Text text = word();

		if (take('[')) {
			do
				text.inner.push_back(type());
			while (take(','));
			want(']');
		}
		while (take(':'))
			text.range.push_back(word());
		return text;
	}
	std::vector<std::string> words(char open, char close)
	{
		std::vector<std::string> list;

		if (take(open)) {
			do
				list.push_back(word().word);
			while (take(','));
			want(close);
		}
		return list;
	}
	void members(Body &body, char close)
	{
		for (skip_lines(); !take(close); skip_lines()) {
			Body::Member member{word(), type(), {}};

			member.attributes = words('(', ')');
			end_of_line();
			body.members.push_back(std::move(member));
		}
		body.attributes = words('[', ']');
		end_of_line();
	}
	void composite(const Text &name, Body body, char open)
	{
		body.is_union = open == '[';
		body.where = name;
		members(body, open == '[' ? ']' : '}');
		if (!to_.bodies_.emplace(name.word, std::move(body)).second)
			fail(name.word + " is defined twice");
	}
	void call(const Text &name)
	{
		Body body;

		body.where = name;
		if (!take(')')) {
			do
				body.members.push_back({word(), type(), {}});
			while (take(','));
			want(')');
		}
		blanks();
		if (peek() != '\n')
			body.result = word();
		end_of_line();
		to_.written_calls_.emplace_back(std::move(body), name.word);
	}
	void resource()
	{
		Resource made;

		made.name = word().word;
		want('[');
		made.base = word().word;
		want(']');
		if (take(':')) {
			do
				made.special.push_back(to_.number(word()));
			while (take(','));
		}
		end_of_line();
		if (!to_.resources_.emplace(made.name, made).second)
			fail(made.name + " is defined twice");
	}
	void definition()
	{
		const Text name = word();

		if (name.word == "include") {	/* CMake reads these */
			at_ = std::min(text_.find('\n', at_), text_.size());
		} else if (name.word == "resource") {
			resource();
		} else if (name.word == "type") {
			const Text of = word();
			Body body;

			body.parameters = words('[', ']');
			want('{');
			composite(of, std::move(body), '{');
		} else if (take('(')) {
			call(name);
		} else if (take('{')) {
			composite(name, {}, '{');
		} else if (take('[')) {
			composite(name, {}, '[');
		} else {
			want('=');
			std::vector<Text> &values = to_.flags_[name.word];

			do
				values.push_back(type());
			while (take(','));
			end_of_line();
		}
	}

	Description &to_;
	std::string_view text_;
	std::string file_;
	size_t at_ = 0;
	int line_ = 1;
};

void Description::fail(const Text &text, const std::string &what)
{
	throw SyntaxError(text.file + ":" + std::to_string(text.line) + ": " + text.word + (text.word.empty() ? "" : ": ") + what);
}

void Description::read(std::string_view text, const std::string &file) { Reader(*this, text, file).all(); }

void Description::read_file(const std::string &path)
{
	std::ifstream in(path);
	std::ostringstream text;

	if (!in)
		throw SyntaxError(path + ": cannot be read");
	text << in.rdbuf();
	read(text.str(), path.substr(path.rfind('/') + 1));
}

uint64_t Description::number(const Text &text) const
{
	const std::string &word = text.word;
	const bool negative = word.starts_with('-');
	const std::string digits = word.substr(negative ? 1 : 0);
	const bool hex = digits.starts_with("0x");
	uint64_t value = 0;

	if (!digits.empty() && std::isdigit(static_cast<unsigned char>(digits[0]))) {
		const char *from = digits.data() + (hex ? 2 : 0), *end = digits.data() + digits.size();
		const auto [stop, error] = std::from_chars(from, end, value, hex ? 16 : 10);

		if (error != std::errc() || stop != end)
			fail(text, "not a number");
	} else if (const auto named = constant(digits)) {
		value = *named;
	} else {
		fail(text, "no header defines it");
	}
	return negative ? -value : value;
}

void Description::range(const Text &text, Type &type) const
{
	type.low = static_cast<int64_t>(number(text));
	type.high = text.range.empty() ? type.low : static_cast<int64_t>(number(text.range[0]));
	if (text.range.size() > 1)
		type.step = number(text.range[1]);
	if (type.low > type.high || !type.step)
		fail(text, "an empty range");
}

namespace {

unsigned size_of_int(std::string_view word)
{
	if (word == "int8")
		return 1;
	if (word == "int16")
		return 2;
	if (word == "int32")
		return 4;
	return word == "int64" || word == "intptr" ? 8 : 0;
}

unsigned up(unsigned value, unsigned align) { return (value + align - 1) / align * align; }

} // namespace

void Description::fill_flags(const Text &name, Type &type) const
{
	const auto found = flags_.find(name.word);

	if (found == flags_.end())
		fail(name, "no flags of this name");
	for (const Text &value : found->second) {
		if (type.kind == Type::Kind::String)
			type.strings.push_back(value.word);
		else
			type.flags.push_back(number(value));
	}
}

/** Offsets as a C compiler lays them out; what is behind an overlay begins anew. */
void Description::lay_out(Type &type)
{
	unsigned at = 0;

	for (Field &field : type.fields) {
		const unsigned align = type.packed ? 1 : field.type->align;

		if (type.kind == Type::Kind::Union || field.overlay)
			at = 0;
		at = up(at, align);
		field.offset = at;
		at += field.type->size;
		type.align = std::max(type.align, align);
		type.size = std::max(type.size, at);
	}
	if (!type.packed)
		type.size = up(type.size, type.align);
}

const Type *Description::make_composite(const std::string &key, const Body &body)
{
	Type &type = types_.emplace_back();

	type.kind = body.is_union ? Type::Kind::Union : Type::Kind::Struct;
	type.name = key;
	made_[key] = &type;
	for (const std::string &attribute : body.attributes) {
		if (attribute == "packed")
			type.packed = true;
		else if (attribute == "varlen")
			type.varying = true;
		else
			fail(body.where, attribute + ": no attribute that is known here");
	}
	for (const Body::Member &member : body.members) {
		Field field{member.name.word, make(member.type, false), {}, false, 0};

		for (const std::string &attribute : member.attributes) {
			if (attribute == "in")
				field.direction = Direction::In;
			else if (attribute == "out" || attribute == "out_overlay")
				field.direction = Direction::Out;
			else
				fail(member.name, attribute + ": no attribute that is known here");
			field.overlay |= attribute == "out_overlay";
		}
		/* What follows an overlay is output too. */
		if (!type.fields.empty() && type.fields.back().direction == Direction::Out && !field.direction &&
		    std::any_of(type.fields.begin(), type.fields.end(), [](const Field &f) { return f.overlay; }))
			field.direction = Direction::Out;
		type.fields.push_back(std::move(field));
	}
	lay_out(type);
	return &type;
}

const Type *Description::make(const Text &text, bool argument)
{
	const std::string &word = text.word;
	const auto inner = [&](size_t i) -> const Text & {
		if (i >= text.inner.size())
			fail(text, "too few parameters");
		return text.inner[i];
	};
	/* Numbers are as large as their last parameter says, and in a call's arguments as a register. */
	const auto sized = [&](Type &type, size_t i) {
		type.size = i < text.inner.size() ? size_of_int(text.inner[i].word) : 8;
		if (!type.size || (!argument && i >= text.inner.size()))
			fail(text, "of what size?");
		type.align = type.size;
	};

	if (const auto found = resources_.find(word); found != resources_.end()) {
		Type &type = types_.emplace_back();

		type.kind = Type::Kind::Resource;
		type.resource = &found->second;
		type.size = type.align = argument ? 8 : found->second.size;
		return &type;
	}
	if (const auto body = bodies_.find(word); body != bodies_.end() && text.inner.empty()) {
		const auto done = made_.find(word);

		return done != made_.end() ? done->second : make_composite(word, body->second);
	}
	if (const auto body = bodies_.find(word); body != bodies_.end()) {
		/* A template: its parameters are put in where they are named. */
		Body filled = body->second;
		std::string key = word;

		if (filled.parameters.size() != text.inner.size())
			fail(text, "another number of parameters");
		const auto replace = [&](auto &&self, Text &in) -> void {
			const auto at = std::find(filled.parameters.begin(), filled.parameters.end(), in.word);

			if (at != filled.parameters.end())
				in = text.inner[static_cast<size_t>(at - filled.parameters.begin())];
			else
				for (Text &part : in.inner)
					self(self, part);
		};
		const auto spell = [&](auto &&self, const Text &part) -> void {
			key += "," + part.word;
			for (const Text &more : part.inner)
				self(self, more);
		};
		for (const Text &parameter : text.inner)
			spell(spell, parameter);
		for (Body::Member &member : filled.members)
			replace(replace, member.type);
		const auto done = made_.find(key);

		return done != made_.end() ? done->second : make_composite(key, filled);
	}

	Type type{};

	if (size_of_int(word)) {
		type.kind = Type::Kind::Int;
		type.size = type.align = argument ? 8 : size_of_int(word);
		if (!text.inner.empty())
			range(text.inner[0], type);
	} else if (word == "const") {
		type.kind = Type::Kind::Const;
		type.value = number(inner(0));
		sized(type, 1);
	} else if (word == "flags") {
		type.kind = Type::Kind::Flags;
		fill_flags(inner(0), type);
		sized(type, 1);
	} else if (word == "len" || word.starts_with("bytesize")) {
		type.kind = Type::Kind::Len;
		type.name = inner(0).word;
		if (word != "len") {
			const std::string unit = word.substr(8);

			type.unit = unit.empty() ? 1 : static_cast<unsigned>(std::stoul(unit));
		}
		sized(type, 1);
	} else if (word == "vma" || word == "vma64") {
		type.kind = Type::Kind::Vma;
		type.size = type.align = 8;
		type.low = 1;
		type.high = 16;
		if (!text.inner.empty())
			range(text.inner[0], type);
	} else if (word == "ptr" || word == "ptr64") {
		const std::string &way = inner(0).word;

		type.kind = Type::Kind::Pointer;
		type.size = type.align = 8;
		if (way != "in" && way != "out" && way != "inout")
			fail(text, "a pointer says in, out or inout");
		type.direction = way == "in" ? Direction::In : way == "out" ? Direction::Out : Direction::InOut;
		type.element = make(inner(1), false);
	} else if (word == "array") {
		type.kind = Type::Kind::Array;
		type.element = make(inner(0), false);
		type.high = 8;
		if (text.inner.size() > 1)
			range(text.inner[1], type);
		type.align = type.element->align;
		type.varying = type.low != type.high || type.element->varying;
		type.size = type.varying ? 0 : type.element->size * static_cast<unsigned>(type.low);
	} else if (word == "string") {
		type.kind = Type::Kind::String;
		type.varying = true;
		if (inner(0).quoted)
			type.strings.push_back(inner(0).word);
		else
			fill_flags(inner(0), type);
	} else {
		fail(text, "no type of this name");
	}
	types_.push_back(std::move(type));
	return &types_.back();
}

void Description::resolve()
{
	resources_.emplace("fd", Resource{"fd", "int32", {0xffffffffffffffff}, 4});
	for (auto &[name, resource] : resources_) {
		const Resource *root = &resource;

		while (!size_of_int(root->base)) {
			const auto base = resources_.find(root->base);

			if (base == resources_.end())
				throw SyntaxError("resource " + name + ": " + root->base + " is neither a resource nor a number");
			root = &base->second;
		}
		resource.size = size_of_int(root->base);
		if (resource.special.empty())
			resource.special = root->special;
	}
	for (const auto &[body, name] : written_calls_) {
		Call call;

		call.name = name;
		call.base = name.substr(0, name.find('$'));
		for (const Body::Member &member : body.members)
			call.arguments.push_back({member.name.word, make(member.type, true), {}, false, 0});
		if (body.result) {
			const auto found = resources_.find(body.result->word);

			if (found == resources_.end())
				fail(*body.result, "no resource of this name");
			call.result = &found->second;
		}
		if (call.arguments.size() > 6)
			fail(body.where, "more than six arguments");
		calls_.push_back(std::move(call));
	}
	std::sort(calls_.begin(), calls_.end(), [](const Call &a, const Call &b) { return a.name < b.name; });
	for (size_t i = 1; i < calls_.size(); i++)
		if (calls_[i].name == calls_[i - 1].name)
			throw SyntaxError(calls_[i].name + " is defined twice");
}

int Description::find(std::string_view name) const
{
	const auto at = std::lower_bound(calls_.begin(), calls_.end(), name, [](const Call &a, std::string_view b) { return a.name < b; });

	return at != calls_.end() && at->name == name ? static_cast<int>(at - calls_.begin()) : -1;
}

bool Description::fits(const Resource &have, const Resource &want) const
{
	for (const Resource *at = &have; at;) {
		if (at == &want)
			return true;
		const auto base = resources_.find(at->base);

		at = base == resources_.end() ? nullptr : &base->second;
	}
	return false;
}

const Type *Description::composite(std::string_view name) const
{
	const auto found = made_.find(name);

	return found == made_.end() ? nullptr : found->second;
}

} // namespace kfdm::fuzz
