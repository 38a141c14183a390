// SPDX-License-Identifier: MIT
/*
 * program.cpp - programs and their text.
 */
#include "program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

namespace kfdm::fuzz {

std::vector<Output> outputs(const Description &description, const Invocation &invocation)
{
	std::vector<Output> list{{description.calls()[static_cast<size_t>(invocation.call)].result, nullptr}};

	for_each_arg(invocation.arguments, [&](const Arg &arg) {
		if (arg.type->kind == Type::Kind::Resource && arg.direction == Direction::Out && list.size() < max_slots)
			list.push_back({arg.type->resource, &arg});
	});
	return list;
}

namespace {

constexpr std::string_view same_processes_line = "# same processes";

size_t up(size_t value, size_t align) { return (value + align - 1) / align * align; }

} // namespace

size_t size_of(const Arg &arg)
{
	const Type &type = *arg.type;

	switch (type.kind) {
	case Type::Kind::String: return arg.bytes.size() + 1;
	case Type::Kind::Array: {
		size_t sum = 0;

		for (const Arg &element : arg.inner)
			sum += size_of(element);
		return sum;
	}
	case Type::Kind::Union: return type.varying ? size_of(arg.inner.at(0)) : type.size;
	case Type::Kind::Struct: {
		size_t end = 0;

		/* Only the last field may be of varying length: the offsets before it are the type's. */
		for (size_t i = 0; i < arg.inner.size(); i++)
			end = std::max(end, type.fields[i].offset + size_of(arg.inner[i]));
		return type.packed ? end : up(end, type.align);
	}
	default: return type.size;
	}
}

uint64_t measure(const Type &length, const std::vector<Field> &fields, const std::vector<Arg> &siblings)
{
	for (size_t i = 0; i < siblings.size(); i++) {
		if (fields[i].name != length.name)
			continue;
		const Arg *arg = &siblings[i];

		if (arg->type->kind == Type::Kind::Vma)
			return (arg->value & 0xffff) * 4096 / (length.unit ? length.unit : 1);
		if (arg->type->kind == Type::Kind::Pointer) {
			if (arg->inner.empty())
				return 0;
			arg = &arg->inner[0];
		}
		if (!length.unit && arg->type->kind == Type::Kind::Array)
			return arg->inner.size();
		return size_of(*arg) / (length.unit ? length.unit : 1);
	}
	return 0;
}

namespace {

/* Long arrays are mostly room for output: `[*100]` stands for 0x100 zeros. */
constexpr uint64_t most_elements = 0x10000;

bool is_number(const Type &type)
{
	return type.kind == Type::Kind::Const || type.kind == Type::Kind::Int || type.kind == Type::Kind::Flags ||
	       type.kind == Type::Kind::Resource;
}

bool is_zero(const Arg &arg) { return is_number(*arg.type) && arg.from_call < 0 && !arg.value; }

class Writer {
public:
	explicit Writer(std::ostream &to) : to_(to) { to_ << std::hex; }
	void list(const std::vector<Arg> &args)
	{
		for (size_t i = 0; i < args.size(); i++) {
			to_ << (i ? ", " : "");
			one(args[i]);
		}
	}

private:
	void number(uint64_t value) { to_ << "0x" << value; }
	void one(const Arg &arg)
	{
		switch (arg.type->kind) {
		case Type::Kind::Pointer:
			if (arg.own || arg.inner.empty())
				return number(arg.value);
			to_ << '&';
			return one(arg.inner[0]);
		case Type::Kind::Struct:
			to_ << '{';
			list(arg.inner);
			to_ << '}';
			return;
		case Type::Kind::Array:
			to_ << '[';
			if (arg.inner.size() > 2 && std::all_of(arg.inner.begin(), arg.inner.end(), is_zero))
				to_ << '*' << arg.inner.size();
			else
				list(arg.inner);
			to_ << ']';
			return;
		case Type::Kind::Union:
			to_ << '<' << arg.value << ':';
			one(arg.inner.at(0));
			to_ << '>';
			return;
		case Type::Kind::String: to_ << '"' << arg.bytes << '"'; return;
		case Type::Kind::Vma:
			if (arg.own)
				return number(arg.value);
			to_ << '@' << (arg.value >> 16) << '/' << (arg.value & 0xffff);
			return;
		case Type::Kind::Len:
			if (!arg.own) {
				to_ << '%';
				return;
			}
			return number(arg.value);
		default: break;
		}
		if (arg.from_call < 0)
			return number(arg.value);
		to_ << std::dec << 'r' << arg.from_call;
		if (arg.slot)
			to_ << '.' << arg.slot;
		to_ << std::hex;
	}

	std::ostream &to_;
};

class Parser {
public:
	Parser(const Description &description, std::string_view text, int line, size_t most)
		: description_(description), text_(text), line_(line), most_(most)
	{
	}
	Invocation invocation()
	{
		Invocation made;

		made.actor = static_cast<int>(decimal());
		if (made.actor >= max_actors)
			fail("no such actor");
		made.detached = take('&');
		if (take('!'))
			made.fail = take('*') ? each_one : static_cast<uint32_t>(decimal());
		blanks();
		const size_t from = at_;

		while (at_ < text_.size() && text_[at_] != '(')
			at_++;
		made.call = description_.find(text_.substr(from, at_ - from));
		if (made.call < 0)
			fail("no such call");
		want('(');
		fields(made.arguments, description_.calls()[static_cast<size_t>(made.call)].arguments, Direction::In, ')');
		blanks();
		if (at_ != text_.size())
			fail("something follows");
		return made;
	}

private:
	[[noreturn]] void fail(const char *what) const
	{
		throw SyntaxError("line " + std::to_string(line_) + ", column " + std::to_string(at_ + 1) + ": " + what);
	}
	void blanks()
	{
		while (at_ < text_.size() && text_[at_] == ' ')
			at_++;
	}
	bool take(char c)
	{
		blanks();
		if (at_ >= text_.size() || text_[at_] != c)
			return false;
		at_++;
		return true;
	}
	void want(char c)
	{
		if (!take(c))
			fail((std::string("expected ") + c).c_str());
	}
	uint64_t digits(int base)
	{
		uint64_t value = 0;
		const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);

		if (error != std::errc())
			fail("expected a number");
		at_ = static_cast<size_t>(stop - text_.data());
		return value;
	}
	uint64_t decimal()
	{
		blanks();
		return digits(10);
	}
	uint64_t number()
	{
		blanks();
		if (text_.substr(at_, 2) != "0x")
			fail("expected a number");
		at_ += 2;
		return digits(16);
	}
	void fields(std::vector<Arg> &to, const std::vector<Field> &fields, Direction direction, char close)
	{
		for (size_t i = 0; i < fields.size(); i++) {
			if (i)
				want(',');
			to.push_back(one(*fields[i].type, direction_of(fields[i], direction)));
		}
		want(close);
	}
	Arg one(const Type &type, Direction direction)
	{
		Arg arg;

		arg.type = &type;
		arg.direction = direction;
		switch (type.kind) {
		case Type::Kind::Pointer:
			if (take('&'))
				arg.inner.push_back(one(*type.element, type.direction));
			else
				own_number(arg);
			break;
		case Type::Kind::Struct:
			want('{');
			fields(arg.inner, type.fields, direction, '}');
			break;
		case Type::Kind::Array: array(arg); break;
		case Type::Kind::Union: option(arg); break;
		case Type::Kind::String: string(arg); break;
		case Type::Kind::Vma:
			if (take('@'))
				pages(arg);
			else
				own_number(arg);
			break;
		case Type::Kind::Len:
			if (!take('%'))
				own_number(arg);
			break;
		default:
			if (take('r'))
				result_of_call(arg);
			else
				arg.value = number();
		}
		return arg;
	}
	void own_number(Arg &arg)
	{
		arg.value = number();
		arg.own = true;
	}
	void array(Arg &arg)
	{
		const Type &type = *arg.type;

		want('[');
		if (take('*')) {
			const uint64_t count = digits(16);

			if (count > most_elements || !is_number(*type.element))
				fail("no such array");
			arg.inner.assign(count, Arg{type.element, arg.direction, 0, -1, 0, false, {}, {}});
		}
		while (!take(']')) {
			if (!arg.inner.empty())
				want(',');
			arg.inner.push_back(one(*type.element, arg.direction));
		}
		if (type.low == type.high && arg.inner.size() != static_cast<size_t>(type.low))
			fail("an array of another length");
	}
	void option(Arg &arg)
	{
		want('<');
		arg.value = digits(16);
		want(':');
		if (arg.value >= arg.type->fields.size())
			fail("no such option");
		const Field &chosen = arg.type->fields[arg.value];

		arg.inner.push_back(one(*chosen.type, direction_of(chosen, arg.direction)));
		want('>');
	}
	void string(Arg &arg)
	{
		want('"');
		const size_t end = text_.find('"', at_);

		if (end == std::string_view::npos)
			fail("a string does not end");
		arg.bytes = text_.substr(at_, end - at_);
		at_ = end + 1;
	}
	void pages(Arg &arg)
	{
		const uint64_t page = digits(16);

		want('/');
		arg.value = page << 16 | (digits(16) & 0xffff);
	}
	void result_of_call(Arg &arg)
	{
		arg.from_call = static_cast<int>(digits(10));
		if (take('.'))
			arg.slot = static_cast<int>(digits(10));
		if (static_cast<size_t>(arg.from_call) >= most_ || arg.slot >= max_slots)
			fail("no such value");
	}

	const Description &description_;
	std::string_view text_;
	int line_;
	size_t most_, at_ = 0;
};

} // namespace

std::string to_text(const Description &description, const Program &program)
{
	std::ostringstream text;

	if (program.same_processes)
		text << same_processes_line << "\n";
	for (const Invocation &call : program.calls) {
		text << std::dec << call.actor << (call.detached ? "&" : "");
		if (call.fail == each_one)
			text << "!*";
		else if (call.fail)
			text << '!' << call.fail;
		text << ' ' << description.calls()[static_cast<size_t>(call.call)].name << '(';
		Writer(text).list(call.arguments);
		text << ")\n";
	}
	return text.str();
}

Program from_text(const Description &description, std::string_view text, size_t most)
{
	Program program;
	int number = 0;

	while (!text.empty()) {
		const size_t end = std::min(text.find('\n'), text.size());
		const std::string_view line = text.substr(0, end);

		text.remove_prefix(std::min(end + 1, text.size()));
		number++;
		if (line == same_processes_line)
			program.same_processes = true;
		if (line.empty() || line[0] == '#')
			continue;
		program.calls.push_back(Parser(description, line, number, most).invocation());
		if (program.calls.size() > most)
			throw SyntaxError("line " + std::to_string(number) + ": more calls than a program has");
	}
	return program;
}

std::vector<std::string> split_programs(const std::string &text)
{
	std::vector<std::string> list;
	std::istringstream in(text);
	std::string line, one;
	bool calls = false;

	const auto flush = [&] {
		if (calls)
			list.push_back(one);
		one.clear();
		calls = false;
	};
	while (std::getline(in, line)) {
		if (line.empty()) {
			flush();
			continue;
		}
		calls |= line[0] != '#';
		one += line + "\n";
	}
	flush();
	return list;
}

void read_descriptions(Description &description)
{
	for (const char *name : {"kfd.txt", "amdgpu.txt", "processes.txt"})
		description.read_file(std::string(FUZZ_FOLDER "/") + name);
	description.resolve();
}

Program subset(const Program &program, const std::vector<bool> &kept)
{
	std::vector<int> place(program.calls.size(), -1);
	Program smaller;

	smaller.same_processes = program.same_processes;

	for (size_t i = 0; i < program.calls.size(); i++) {
		if (!kept[i])
			continue;
		place[i] = static_cast<int>(smaller.calls.size());
		smaller.calls.push_back(program.calls[i]);
	}
	for (Invocation &call : smaller.calls)
		for_each_arg(call.arguments, [&](Arg &arg) {
			if (arg.from_call < 0)
				return;
			arg.from_call = static_cast<size_t>(arg.from_call) < place.size() ? place[static_cast<size_t>(arg.from_call)] : -1;
			if (arg.from_call < 0)
				arg.value = arg.type->resource ? arg.type->resource->special.empty() ? 0 : arg.type->resource->special[0] :
								 0;
		});
	return smaller;
}

} // namespace kfdm::fuzz
