// SPDX-License-Identifier: MIT
/*
 * generate.cpp - programs by chance. Most of what is made is right as far as the description says; a part is wrong on purpose.
 */
#include "generate.hpp"

#include <algorithm>

namespace kfdm::fuzz {

namespace {

bool is_descriptor(const Description &description, const Resource &resource)
{
	const auto fd = description.resources().find("fd");

	return fd != description.resources().end() && description.fits(resource, fd->second);
}

void made_by(const Type &type, bool out, std::vector<const Resource *> &list)
{
	if (type.kind == Type::Kind::Resource && out)
		list.push_back(type.resource);
	if (type.element)
		made_by(*type.element, type.kind == Type::Kind::Pointer ? type.direction == Direction::Out : out, list);
	for (const Field &field : type.fields)
		made_by(*field.type, field.direction ? *field.direction == Direction::Out : out, list);
}

} // namespace

Generator::Generator(const Description &description, Random &random) : description_(description), random_(random)
{
	for (size_t i = 0; i < description.calls().size(); i++) {
		const Call &call = description.calls()[i];
		std::vector<const Resource *> made;

		if (call.result)
			made.push_back(call.result);
		for (const Field &argument : call.arguments)
			made_by(*argument.type, false, made);
		for (const auto &[name, wanted] : description.resources())
			if (std::any_of(made.begin(), made.end(), [&, w = &wanted](const Resource *m) { return description.fits(*m, *w); }))
				producers_[&wanted].push_back(i);
	}
}

uint64_t Generator::odd_number()
{
	static constexpr uint64_t special[] = {0,
					       1,
					       2,
					       3,
					       4,
					       8,
					       0xff,
					       0x1000,
					       0xffff,
					       0x7fffffff,
					       0x80000000,
					       0xffffffff,
					       0x100000000,
					       0x7fffffffffffffff,
					       0x8000000000000000,
					       0xffffffffffffffff};

	switch (random_.below(4)) {
	case 0: return random_.pick(special);
	case 1: return (1ULL << random_.below(64)) + random_.below(3) - 1;
	case 2: return random_.below(256);
	default: return random_.next();
	}
}

uint64_t Generator::number(const Type &type)
{
	if (type.kind == Type::Kind::Flags) {
		uint64_t value = type.flags.empty() ? 0 : random_.pick(type.flags);

		if (random_.one_in(20))
			return odd_number();
		while (!type.flags.empty() && random_.one_in(2))
			value |= random_.pick(type.flags);
		return value;
	}
	if (type.low > type.high || random_.one_in(30))
		return odd_number();
	/* The ends of a range are where mistakes are. */
	const uint64_t steps = (static_cast<uint64_t>(type.high) - static_cast<uint64_t>(type.low)) / type.step + 1;

	if (random_.one_in(4))
		return static_cast<uint64_t>(random_.one_in(2) ? type.low : type.high);
	return static_cast<uint64_t>(type.low) + (steps ? random_.below(steps) : random_.next()) * type.step;
}

/* Few places, so that calls meet at the same ones. */
uint64_t Generator::pages(const Type &type)
{
	const uint64_t page = random_.one_in(4) ? random_.below(256) : random_.below(8) * 16;
	const uint64_t count = random_.one_in(3) ?
				       1 + random_.below(64) :
				       static_cast<uint64_t>(type.low) + random_.below(static_cast<uint64_t>(type.high - type.low) + 1);

	return page << 16 | count;
}

bool Generator::refer(const Program &program, size_t before, Arg &arg, int actor, bool any)
{
	const bool descriptor = is_descriptor(description_, *arg.type->resource);
	std::vector<std::pair<int, int>> found;

	for (size_t i = 0; i < std::min(before, program.calls.size()); i++) {
		/* A descriptor is a number of its process. */
		if (descriptor && program.calls[i].actor != actor && !random_.one_in(50))
			continue;
		const std::vector<Output> list = outputs(description_, program.calls[i]);

		for (size_t slot = 0; slot < list.size(); slot++)
			if (list[slot].resource && (any || description_.fits(*list[slot].resource, *arg.type->resource)))
				found.emplace_back(static_cast<int>(i), static_cast<int>(slot));
	}
	if (found.empty())
		return false;
	std::tie(arg.from_call, arg.slot) = random_.pick(found);
	return true;
}

void Generator::make_resource(Program &program, Arg &arg, int actor, int depth)
{
	arg.from_call = -1;
	arg.slot = 0;
	if (!random_.one_in(40)) {
		if (!random_.one_in(8) && refer(program, program.calls.size(), arg, actor, false))
			return;
		const auto producers = producers_.find(arg.type->resource);

		if (producers != producers_.end() && depth < 4 && program.calls.size() < max_calls - 4) {
			append(program, random_.pick(producers->second), actor, depth + 1);
			if (refer(program, program.calls.size(), arg, actor, false))
				return;
		}
		if (refer(program, program.calls.size(), arg, actor, false))
			return;
	} else if (random_.one_in(2) && refer(program, program.calls.size(), arg, actor, true)) {
		return;
	}
	const std::vector<uint64_t> &special = arg.type->resource->special;

	arg.value = special.empty() || random_.one_in(4) ? odd_number() : random_.pick(special);
}

Arg Generator::make(Program &program, const Type &type, Direction direction, int actor, int depth)
{
	Arg arg;

	arg.type = &type;
	arg.direction = direction;
	switch (type.kind) {
	case Type::Kind::Const: arg.value = random_.one_in(200) ? odd_number() : type.value; break;
	case Type::Kind::Int:
	case Type::Kind::Flags: arg.value = direction == Direction::Out ? 0 : number(type); break;
	case Type::Kind::Resource:
		if (direction != Direction::Out)
			make_resource(program, arg, actor, depth);
		break;
	case Type::Kind::Len:
		arg.own = random_.one_in(30);
		arg.value = arg.own ? odd_number() : 0;
		break;
	case Type::Kind::Vma:
		arg.own = random_.one_in(60);
		arg.value = arg.own ? odd_number() : pages(type);
		break;
	case Type::Kind::Pointer:
		arg.own = random_.one_in(100);
		if (arg.own)
			arg.value = random_.one_in(2) ? 0 : odd_number();
		else
			arg.inner.push_back(make(program, *type.element, type.direction, actor, depth));
		break;
	case Type::Kind::String: arg.bytes = random_.pick(type.strings); break;
	case Type::Kind::Array: {
		const uint64_t count = static_cast<uint64_t>(type.low) + random_.below(static_cast<uint64_t>(type.high - type.low) + 1);

		for (uint64_t i = 0; i < count; i++)
			arg.inner.push_back(make(program, *type.element, direction, actor, depth));
		break;
	}
	case Type::Kind::Union:
		arg.value = random_.below(type.fields.size());
		arg.inner.push_back(
			make(program, *type.fields[arg.value].type, direction_of(type.fields[arg.value], direction), actor, depth));
		break;
	case Type::Kind::Struct: arg.inner = fields(program, type.fields, direction, actor, depth); break;
	}
	return arg;
}

std::vector<Arg> Generator::fields(Program &program, const std::vector<Field> &fields, Direction direction, int actor, int depth)
{
	std::vector<Arg> list;

	for (const Field &field : fields)
		list.push_back(make(program, *field.type, direction_of(field, direction), actor, depth));
	return list;
}

void Generator::append(Program &program, size_t call, int actor, int depth)
{
	Invocation made;

	made.call = static_cast<int>(call);
	made.actor = actor;
	made.detached = random_.one_in(25);
	made.fail = some_failure();
	made.arguments = fields(program, description_.calls()[call].arguments, Direction::In, actor, depth);
	if (program.calls.size() < max_calls)
		program.calls.push_back(std::move(made));
}

/* Mostly none. The first ones are the call's own, later ones those of what it calls. */
uint32_t Generator::some_failure()
{
	if (!random_.one_in(20))
		return 0;
	return random_.one_in(4) ? each_one : 1 + static_cast<uint32_t>(random_.below(random_.one_in(3) ? 60 : 10));
}

size_t Generator::some_call()
{
	/* What is only there to be refused, and what ends a process, less often than the rest. */
	for (;;) {
		const size_t call = random_.below(description_.calls().size());
		const std::string &name = description_.calls()[call].name;

		if (name == "syz_kfdm_replug" && !random_.one_in(10))
			continue; /* takes longer than all others together */
		if ((name.find("DBG_") == std::string::npos && name.find("CRIU") == std::string::npos && name != "syz_kfdm_exec" &&
		     name != "syz_kfdm_kill") ||
		    random_.one_in(10))
			return call;
	}
}

int Generator::some_actor(const Program &program)
{
	int born = 0;

	for (const Invocation &call : program.calls) {
		const std::string &name = description_.calls()[static_cast<size_t>(call.call)].name;

		born += name == "syz_kfdm_fork" || name == "syz_kfdm_clone_vm";
	}
	if (born && random_.one_in(3))
		return 2 + static_cast<int>(random_.below(static_cast<uint64_t>(std::min(born, max_actors - 2))));
	return random_.one_in(3);
}

Program Generator::generate(int calls)
{
	Program program;

	for (int i = 0; i < calls && program.calls.size() < max_calls - 2; i++)
		append(program, some_call(), some_actor(program), 0);
	return program;
}

void Generator::insert(Program &program)
{
	const size_t at = random_.below(program.calls.size() + 1);
	Program head;

	if (program.calls.size() >= max_calls - 4)
		return;
	head.calls.assign(program.calls.begin(), program.calls.begin() + static_cast<long>(at));
	append(head, some_call(), some_actor(program), 1);
	const int moved = static_cast<int>(head.calls.size() - at);

	for (size_t i = at; i < program.calls.size() && head.calls.size() < max_calls; i++) {
		for_each_arg(program.calls[i].arguments, [&](Arg &arg) {
			if (arg.from_call >= static_cast<int>(at))
				arg.from_call += moved;
		});
		head.calls.push_back(program.calls[i]);
	}
	program = std::move(head);
}

/* The donor's calls follow; its actors may change places. */
void Generator::splice(Program &program, const Program &donor)
{
	const size_t keep = random_.below(program.calls.size() + 1);
	const bool swap = random_.one_in(2);

	program.calls.resize(std::min(keep, program.calls.size()));
	const int moved = static_cast<int>(program.calls.size());

	for (const Invocation &call : donor.calls) {
		if (program.calls.size() >= max_calls)
			break;
		Invocation copy = call;

		if (swap && copy.actor < 2)
			copy.actor = 1 - copy.actor;
		for_each_arg(copy.arguments, [&](Arg &arg) {
			if (arg.from_call >= 0)
				arg.from_call += moved;
		});
		program.calls.push_back(std::move(copy));
	}
}

void Generator::change_argument(Program &program)
{
	const size_t at = random_.below(program.calls.size());
	Invocation &call = program.calls[at];
	std::vector<Arg *> list;
	Program head;

	for_each_arg(call.arguments, [&](Arg &arg) {
		if (arg.type->kind != Type::Kind::Struct && (arg.direction != Direction::Out || arg.type->kind == Type::Kind::Pointer))
			list.push_back(&arg);
	});
	if (list.empty())
		return;
	Arg &arg = *random_.pick(list);

	switch (arg.type->kind) {
	case Type::Kind::Const: arg.value = random_.one_in(10) ? odd_number() : arg.type->value; return;
	case Type::Kind::Resource:
		head.calls.assign(program.calls.begin(), program.calls.begin() + static_cast<long>(at));
		arg.from_call = -1;
		if (!refer(head, at, arg, call.actor, random_.one_in(10)))
			arg.value = odd_number();
		return;
	case Type::Kind::Int:
		arg.value = random_.one_in(2) ? number(*arg.type) :
						arg.value + (random_.one_in(2) ? 1 : -1ULL) * (1ULL << random_.below(12));
		return;
	case Type::Kind::Flags:
		if (random_.one_in(2) && !arg.type->flags.empty())
			arg.value ^= random_.pick(arg.type->flags);
		else
			arg.value = number(*arg.type);
		return;
	default: break;
	}
	/* Made anew; what it needs is there or is not. */
	head.calls.assign(program.calls.begin(), program.calls.begin() + static_cast<long>(at));
	arg = make(head, *arg.type, arg.direction, call.actor, 100);
}

void Generator::mutate(Program &program, const Program *donor)
{
	do {
		const uint64_t way = random_.below(21);

		if (program.calls.empty() || way < 6) {
			insert(program);
		} else if (way < 15) {
			change_argument(program);
		} else if (way == 15) {
			std::vector<bool> kept(program.calls.size(), true);

			kept[random_.below(kept.size())] = false;
			program = subset(program, kept);
		} else if (way == 16 && donor) {
			splice(program, *donor);
		} else if (way == 17) {
			random_.pick(program.calls).actor = some_actor(program);
		} else if (way == 18) {
			random_.pick(program.calls).detached ^= true;
		} else if (way == 19) {
			random_.pick(program.calls).fail = some_failure();
		} else if (program.calls.size() < max_calls) {
			/* The same once more: freed twice, mapped twice. */
			const Invocation copy = random_.pick(program.calls);

			program.calls.push_back(copy);
		}
	} while (!random_.one_in(3));
}

} // namespace kfdm::fuzz
