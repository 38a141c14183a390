// SPDX-License-Identifier: MIT
/* syzlang_types.cpp - makes types of the texts that syzlang.cpp has read: what the calls use, laid out as a C compiler does. */
#include "syzlang.hpp"

#include <algorithm>

namespace kfdm::fuzz {

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

/** A type that the language itself has: the numbers, and the words of the table in make(). */
class Description::Builtin {
public:
	Builtin(Description &of, const Text &text, bool argument) : of_(of), text_(text), argument_(argument) {}

	Type make()
	{
		struct Row {
			std::string_view word;
			void (Builtin::*fill)();
		};
		static constexpr Row rows[] = {
			{"const", &Builtin::fill_const},      {"flags", &Builtin::fill_flags},	    {"len", &Builtin::fill_length},
			{"vma", &Builtin::fill_vma},	      {"vma64", &Builtin::fill_vma},	    {"ptr", &Builtin::fill_pointer},
			{"array", &Builtin::fill_array},      {"ptr64", &Builtin::fill_pointer},    {"string", &Builtin::fill_string},
			{"bytesize", &Builtin::fill_length},  {"bytesize2", &Builtin::fill_length}, {"bytesize4", &Builtin::fill_length},
			{"bytesize8", &Builtin::fill_length},
		};
		const auto row = std::find_if(std::begin(rows), std::end(rows), [this](const Row &r) { return r.word == text_.word; });

		if (row != std::end(rows))
			(this->*row->fill)();
		else if (size_of_int(text_.word))
			fill_int();
		else
			fail(text_, "no type of this name");
		return std::move(type_);
	}

private:
	const Text &inner(size_t i) const
	{
		if (i >= text_.inner.size())
			fail(text_, "too few parameters");
		return text_.inner[i];
	}
	/** Numbers are as large as their last parameter says, and in a call's arguments as a register. */
	void take_size(size_t i)
	{
		type_.size = i < text_.inner.size() ? size_of_int(text_.inner[i].word) : 8;
		if (!type_.size || (!argument_ && i >= text_.inner.size()))
			fail(text_, "of what size?");
		type_.align = type_.size;
	}
	void take_range(size_t i)
	{
		if (i < text_.inner.size())
			of_.range(text_.inner[i], type_);
	}
	void fill_int()
	{
		type_.kind = Type::Kind::Int;
		type_.size = type_.align = argument_ ? 8 : size_of_int(text_.word);
		take_range(0);
	}
	void fill_const()
	{
		type_.kind = Type::Kind::Const;
		type_.value = of_.number(inner(0));
		take_size(1);
	}
	void fill_flags()
	{
		type_.kind = Type::Kind::Flags;
		of_.fill_flags(inner(0), type_);
		take_size(1);
	}
	/** len counts elements, bytesizeN units of N bytes. */
	void fill_length()
	{
		constexpr std::string_view in_units = "bytesize";

		type_.kind = Type::Kind::Len;
		type_.name = inner(0).word;
		if (text_.word.starts_with(in_units)) {
			const std::string unit = text_.word.substr(in_units.size());

			type_.unit = unit.empty() ? 1 : static_cast<unsigned>(std::stoul(unit));
		}
		take_size(1);
	}
	void fill_vma()
	{
		type_.kind = Type::Kind::Vma;
		type_.size = type_.align = 8;
		type_.low = 1;
		type_.high = 16;
		take_range(0);
	}
	void fill_pointer()
	{
		const std::string &way = inner(0).word;

		type_.kind = Type::Kind::Pointer;
		type_.size = type_.align = 8;
		if (way != "in" && way != "out" && way != "inout")
			fail(text_, "a pointer says in, out or inout");
		type_.direction = way == "in" ? Direction::In : way == "out" ? Direction::Out : Direction::InOut;
		type_.element = of_.make(inner(1), false);
	}
	void fill_array()
	{
		type_.kind = Type::Kind::Array;
		type_.element = of_.make(inner(0), false);
		type_.high = 8;
		take_range(1);
		type_.align = type_.element->align;
		type_.varying = type_.low != type_.high || type_.element->varying;
		type_.size = type_.varying ? 0 : type_.element->size * static_cast<unsigned>(type_.low);
	}
	void fill_string()
	{
		type_.kind = Type::Kind::String;
		type_.varying = true;
		if (inner(0).quoted)
			type_.strings.push_back(inner(0).word);
		else
			of_.fill_flags(inner(0), type_);
	}

	Description &of_;
	const Text &text_;
	bool argument_;
	Type type_{};
};

/** A template: its parameters are put in where its members name them. Those with the same parameters are one type. */
const Type *Description::make_of_template(const Text &text, Body body)
{
	std::string key = text.word;

	if (body.parameters.size() != text.inner.size())
		fail(text, "another number of parameters");
	const auto replace = [&](auto &&self, Text &in) -> void {
		const auto at = std::find(body.parameters.begin(), body.parameters.end(), in.word);

		if (at != body.parameters.end())
			in = text.inner[static_cast<size_t>(at - body.parameters.begin())];
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
	for (Body::Member &member : body.members)
		replace(replace, member.type);
	const auto done = made_.find(key);

	return done != made_.end() ? done->second : make_composite(key, body);
}

const Type *Description::make(const Text &text, bool argument)
{
	if (const auto found = resources_.find(text.word); found != resources_.end()) {
		Type &type = types_.emplace_back();

		type.kind = Type::Kind::Resource;
		type.resource = &found->second;
		type.size = type.align = argument ? 8 : found->second.size;
		return &type;
	}
	if (const auto body = bodies_.find(text.word); body != bodies_.end()) {
		const auto done = made_.find(text.word);

		if (!text.inner.empty())
			return make_of_template(text, body->second);
		return done != made_.end() ? done->second : make_composite(text.word, body->second);
	}
	Type type = Builtin(*this, text, argument).make();

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

} // namespace kfdm::fuzz
