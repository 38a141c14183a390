// SPDX-License-Identifier: MIT
/* seeds.cpp - see seeds.hpp. */
#include "seeds.hpp"

#include <algorithm>
#include <bit>
#include <sstream>

#include "recorder.hpp"

namespace kfdm::fuzz {

Recorded read_trace(const Description &description, const std::string &text)
{
	Recorded trace;
	std::istringstream in(text);

	trace.calls = from_text(description, text, SIZE_MAX).calls;
	trace.failed.resize(trace.calls.size());
	size_t next = 0;
	for (std::string line; std::getline(in, line);) {
		if (line == failed_line)
			trace.failed.at(next - 1) = true;
		else if (line.starts_with(unknown_line))
			trace.unknown.push_back(line.substr(unknown_line.size()));
		else if (!line.starts_with('#'))
			next++;
	}
	return trace;
}

namespace {

constexpr uint64_t page_size = 4096, user_end = uint64_t{1} << 47;
constexpr uint64_t first_page = 0x10, last_page = 0x3f0; /* board.hpp: 1024 pages */

struct Range {
	uint64_t from, to;

	[[nodiscard]] bool meets(const Range &other) const { return from < other.to && other.from < to; }
};

bool is_place(const Arg &arg) { return arg.type->kind == Type::Kind::Vma && arg.own && arg.value >= page_size && arg.value < user_end; }

/** @visit(arg, length) is called for each Vma that is a place in memory; length: the Len that measures it, or null. */
template <typename Visit> void for_each_place(const std::vector<Field> &fields, std::vector<Arg> &args, const Visit &visit)
{
	for (size_t i = 0; i < args.size(); i++) {
		Arg &arg = args[i];
		Arg *length = nullptr;

		for (Arg &other : args)
			if (other.type->kind == Type::Kind::Len && i < fields.size() && other.type->name == fields[i].name)
				length = &other;
		if (is_place(arg))
			visit(arg, length);
		for_each_place(arg.type->kind == Type::Kind::Struct ? arg.type->fields : std::vector<Field>{}, arg.inner, visit);
	}
}

/** In whole pages. */
Range range_of(const Arg &arg, const Arg *length)
{
	const uint64_t from = arg.value / page_size * page_size;

	if (!length)
		return {from, from + static_cast<uint64_t>(arg.type->low) * page_size};
	const uint64_t bytes = std::clamp<uint64_t>(length->value, 1, user_end);

	return {from, (arg.value + bytes + page_size - 1) / page_size * page_size};
}

/** Which calls of a trace a call needs. */
class Needs {
public:
	Needs(const Description &description, const Recorded &trace)
		: trace_(trace), places_(trace.calls.size()), users_(trace.calls.size())
	{
		acquire_vm_ = description.find("ioctl$AMDKFD_IOC_ACQUIRE_VM");
		copy_ = description.find("syz_kfdm_copy$code");
		for (size_t i = 0; i < trace.calls.size(); i++) {
			std::vector<Arg> args = trace.calls[i].arguments;

			find_users(i);
			for_each_place(description.calls()[static_cast<size_t>(trace.calls[i].call)].arguments, args,
				       [&](const Arg &arg, const Arg *length) { places_[i].push_back(range_of(arg, length)); });
		}
	}

	/** False if they are more than a program has. */
	bool add(size_t call, std::set<size_t> &to) const
	{
		if (!to.insert(call).second)
			return true;
		if (to.size() > max_calls)
			return false;
		for (const size_t from : made_by(call))
			if (!add(from, to))
				return false;
		if (call && trace_.calls[call - 1].call == copy_ && !add(call - 1, to)) /* what a job's buffers hold */
			return false;
		for (size_t i = 0; i < call; i++) {
			if (trace_.failed[i])
				continue;
			const bool place = shares_place(i, call);

			if ((place || (trace_.calls[i].call == acquire_vm_ && shares_descriptor(i, call))) && !add(i, to))
				return false;
			if (place && !add_users(i, call, to))
				return false;
		}
		return true;
	}

private:
	[[nodiscard]] std::set<size_t> made_by(size_t call) const
	{
		std::set<size_t> from;

		for_each_arg(trace_.calls[call].arguments, [&](const Arg &arg) {
			if (arg.from_call >= 0)
				from.insert(static_cast<size_t>(arg.from_call));
		});
		return from;
	}
	/* Each render node has addresses of its own. */
	[[nodiscard]] bool shares_place(size_t a, size_t b) const
	{
		if (is_render(a) && is_render(b) && !shares_descriptor(a, b))
			return false;
		return std::any_of(places_[a].begin(), places_[a].end(), [&](const Range &one) {
			return std::any_of(places_[b].begin(), places_[b].end(), [&](const Range &other) { return one.meets(other); });
		});
	}
	[[nodiscard]] bool is_render(size_t call) const
	{
		const Type &type = *trace_.calls[call].arguments[0].type;

		return type.resource && type.resource->name == "fd_render";
	}
	[[nodiscard]] bool shares_descriptor(size_t a, size_t b) const
	{
		const Arg &one = trace_.calls[a].arguments[0], &other = trace_.calls[b].arguments[0];

		return one.from_call >= 0 && one.from_call == other.from_call && one.slot == other.slot;
	}
	/* What became of it since: mapped, exported, freed. */
	bool add_users(size_t maker, size_t before, std::set<size_t> &to) const
	{
		for (const size_t user : users_[maker])
			if (user < before && !trace_.failed[user] && !add(user, to))
				return false;
		return true;
	}
	/* Handles are numbers; a call that takes a descriptor does nothing to it. */
	void find_users(size_t call)
	{
		for_each_arg(trace_.calls[call].arguments, [&](const Arg &arg) {
			if (arg.from_call >= 0 && arg.slot && arg.type->resource->name != "kfd_gpu_id")
				users_[static_cast<size_t>(arg.from_call)].push_back(call);
		});
	}

	const Recorded &trace_;
	std::vector<std::vector<Range>> places_;
	std::vector<std::vector<size_t>> users_; /**< of the handles that a call has made */
	int acquire_vm_, copy_;
};

/** Gives the memory that a program names places in the pages that there are. */
class Layout {
public:
	Layout(const Description &description, Program &program) : description_(description), program_(program)
	{
		each([this](const Arg &arg, const Arg *length) { join({range_of(arg, length), 0, 0}); });
		shrink();
		each([this](Arg &arg, Arg *length) { place(arg, length); });
	}

private:
	struct Region {
		Range range;
		uint64_t page, pages;
	};

	template <typename Visit> void each(const Visit &visit)
	{
		for (Invocation &call : program_.calls)
			for_each_place(description_.calls()[static_cast<size_t>(call.call)].arguments, call.arguments, visit);
	}
	void join(Region made)
	{
		auto first = regions_.end();

		for (auto at = regions_.begin(); at != regions_.end();) {
			if (!at->range.meets(made.range)) {
				++at;
				continue;
			}
			made.range = {std::min(at->range.from, made.range.from), std::max(at->range.to, made.range.to)};
			first = at = regions_.erase(at);
		}
		regions_.insert(first, made);
	}
	void shrink()
	{
		uint64_t sum = 0, page = first_page;
		const auto smaller = [](const Region &a, const Region &b) { return a.pages < b.pages; };

		for (Region &region : regions_) {
			region.pages = (region.range.to - region.range.from) / page_size;
			sum += region.pages;
		}
		while (sum > last_page - first_page) {
			const auto largest = std::max_element(regions_.begin(), regions_.end(), smaller);

			sum -= largest->pages - largest->pages / 2;
			largest->pages /= 2;
		}
		for (Region &region : regions_) {
			region.page = page;
			page += region.pages;
		}
	}
	void place(Arg &arg, Arg *length)
	{
		const Range range = range_of(arg, length);
		const auto region = std::find_if(regions_.begin(), regions_.end(),
						 [&](const Region &one) { return one.range.meets(range); });
		const uint64_t offset = std::min((range.from - region->range.from) / page_size, region->pages - 1);
		const uint64_t pages = std::min((range.to - range.from) / page_size, region->pages - offset);

		arg.own = false;
		arg.value = (region->page + offset) << 16 | pages;
		/* Lengths that are no pages are a program's mistakes, to be kept. */
		if (length && length->value % page_size == 0 && length->value)
			length->own = false;
	}

	const Description &description_;
	Program &program_;
	std::vector<Region> regions_;
};

Program program_of(const Description &description, const Recorded &trace, const std::set<size_t> &which)
{
	Program program;
	std::map<int, int> place;

	for (const size_t i : which) {
		place[static_cast<int>(i)] = static_cast<int>(program.calls.size());
		program.calls.push_back(trace.calls[i]);
		for_each_arg(program.calls.back().arguments, [&](Arg &arg) {
			if (arg.from_call >= 0)
				arg.from_call = place.at(arg.from_call);
		});
	}
	Layout(description, program);
	return program;
}

/** Calls of the same shape are one to a fuzzer, which changes numbers itself: large ones count by their size. */
std::string shape_of(const Invocation &invocation, bool failed)
{
	constexpr uint64_t small = 64;
	std::string shape = std::to_string(invocation.call) + (failed ? "!" : "");

	for_each_arg(invocation.arguments, [&](const Arg &arg) {
		shape += ' ';
		switch (arg.type->kind) {
		case Type::Kind::Resource: shape += arg.from_call >= 0 ? 'r' : '-'; break;
		case Type::Kind::Vma: shape += is_place(arg) ? '@' : '-'; break;
		case Type::Kind::Flags:
		case Type::Kind::Const: shape += std::to_string(arg.value); break;
		case Type::Kind::String: shape += arg.bytes; break;
		case Type::Kind::Int:
		case Type::Kind::Len:
			shape += arg.value <= small ? std::to_string(arg.value) : "2^" + std::to_string(std::bit_width(arg.value));
			break;
		default: break;
		}
	});
	return shape;
}

} // namespace

std::vector<Program> Seeds::take(const Recorded &trace)
{
	const Needs needs(description_, trace);
	std::vector<Program> programs;
	std::set<size_t> which;
	const auto finish = [&] {
		if (!which.empty())
			programs.push_back(program_of(description_, trace, which));
		which.clear();
	};

	for (size_t i = 0; i < trace.calls.size(); i++) {
		std::set<size_t> needed;

		if (seen_.contains(shape_of(trace.calls[i], trace.failed[i])))
			continue;
		if (!needs.add(i, needed))
			continue; /* its history is too long for a program */
		std::set<size_t> both = which;

		both.insert(needed.begin(), needed.end());
		if (both.size() > max_calls) {
			finish();
			both = needed;
		}
		which = both;
		for (const size_t one : needed)
			seen_.insert(shape_of(trace.calls[one], trace.failed[one]));
	}
	finish();
	return programs;
}

} // namespace kfdm::fuzz
