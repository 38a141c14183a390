// SPDX-License-Identifier: MIT
/* recorder.cpp - see recorder.hpp. */
#include "recorder.hpp"

#include <algorithm>
#include <cstring>

namespace kfdm::fuzz {

namespace {

constexpr size_t most_elements = 256, most_bytes = 4096, most_named = 1000;
constexpr uint64_t page = 4096, doorbell_bytes = 8192;

uint64_t masked(uint64_t value, unsigned size) { return size >= 8 ? value : value & ((uint64_t{1} << 8 * size) - 1); }

} // namespace

/** One way to read a call: as what @call describes. */
class Recorder::Decoder {
public:
	Decoder(const Recorder &of, const Call &call, const Registers &registers) : of_(of), registers_(registers)
	{
		const Known *descriptor = of.find("fd", registers[call.base == "mmap" ? 4 : 0], -1);

		made.descriptor = descriptor ? descriptor->call : -1;
		list(made.invocation.arguments, call.arguments, Direction::In, {});
	}

	Pending made;

private:
	static constexpr int wrong_const = 4, wrong_flags = 4, several_flags = 1, no_resource = 1;
	/* What stands in a register, or at an address. */
	struct Source {
		uint64_t address, value;
	};

	uint64_t number_at(uint64_t address, unsigned size) const
	{
		uint64_t value = 0;

		return of_.peek_(address, &value, std::min(size, 8U)) ? value : 0;
	}
	/* Of a call (no address) or of a struct. */
	Source source(const std::vector<Field> &fields, size_t i, std::optional<uint64_t> base) const
	{
		if (!base)
			return {0, registers_[i]};
		const uint64_t address = *base + fields[i].offset;

		return {address, number_at(address, fields[i].type->size)};
	}
	void list(std::vector<Arg> &to, const std::vector<Field> &fields, Direction direction, std::optional<uint64_t> base)
	{
		for (size_t i = 0; i < fields.size(); i++) {
			std::optional<uint64_t> bytes;

			for (size_t j = 0; j < fields.size(); j++)
				if (fields[j].type->kind == Type::Kind::Len && fields[j].type->name == fields[i].name)
					bytes = length(*fields[j].type, *fields[i].type, source(fields, j, base).value);
			to.push_back(one(*fields[i].type, direction_of(fields[i], direction), source(fields, i, base), bytes));
		}
		/* Lengths of memory stay numbers: only seeds.cpp knows how much there will be. */
		for (size_t i = 0; i < fields.size(); i++) {
			if (to[i].type->kind != Type::Kind::Len)
				continue;
			const auto measured = std::find_if(to.begin(), to.end(), [&](const Arg &arg) {
				return fields[static_cast<size_t>(&arg - to.data())].name == to[i].type->name;
			});
			const bool memory = measured != to.end() && measured->type->kind == Type::Kind::Vma;

			to[i].own = memory || measure(*to[i].type, fields, to) != to[i].value;
		}
	}
	/* In elements of an array. */
	static std::optional<uint64_t> length(const Type &len, const Type &measured, uint64_t value)
	{
		const Type &array = measured.kind == Type::Kind::Pointer ? *measured.element : measured;

		if (array.kind != Type::Kind::Array || !array.element->size)
			return {};
		return len.unit ? value * len.unit / array.element->size : value;
	}
	Arg one(const Type &type, Direction direction, Source from, std::optional<uint64_t> elements)
	{
		Arg arg;

		arg.type = &type;
		arg.direction = direction;
		arg.value = masked(from.value, type.size);
		switch (type.kind) {
		case Type::Kind::Pointer: pointer(arg, elements); break;
		case Type::Kind::Struct: list(arg.inner, type.fields, direction, from.address); break;
		case Type::Kind::Union: option(arg, from); break;
		case Type::Kind::Array: array(arg, from.address, elements); break;
		case Type::Kind::String: string(arg, from.address); break;
		case Type::Kind::Vma: arg.own = true; break;
		case Type::Kind::Resource: resource(arg, from.address); break;
		default: number(arg);
		}
		return arg;
	}
	void number(Arg &arg)
	{
		const Type &type = *arg.type;

		if (arg.direction == Direction::Out)
			arg.value = 0;
		else if (type.kind == Type::Kind::Const && arg.value != masked(type.value, type.size))
			made.misfits += wrong_const;
		else if (type.kind == Type::Kind::Flags)
			flags(arg);
	}
	/* One of the values, several bits of these, something else. */
	void flags(Arg &arg)
	{
		constexpr uint64_t forever = ~uint64_t{0};
		uint64_t all = 0;
		bool one = false;

		for (const uint64_t flag : arg.type->flags) {
			all |= flag;
			one |= masked(flag, arg.type->size) == arg.value;
		}
		if (one)
			return;
		made.misfits += arg.value & ~all ? wrong_flags : several_flags;
		/* A time of the monotonic clock will be over when somebody runs the program. */
		if (all == forever)
			arg.value = forever;
	}
	void pointer(Arg &arg, std::optional<uint64_t> elements)
	{
		char byte;

		arg.own = !of_.peek_(arg.value, &byte, 1);
		if (!arg.own)
			arg.inner.push_back(one(*arg.type->element, arg.type->direction,
						{arg.value, number_at(arg.value, arg.type->element->size)}, elements));
	}
	void array(Arg &arg, uint64_t address, std::optional<uint64_t> elements)
	{
		const Type &type = *arg.type, &element = *type.element;
		const bool fixed = type.low == type.high;
		const uint64_t most = element.size == 1 ? most_bytes : most_elements;
		const uint64_t count = fixed ? static_cast<uint64_t>(type.low) :
					       std::min(elements.value_or(static_cast<uint64_t>(type.high)), most);

		for (uint64_t i = 0; i < count; i++, address += element.size)
			arg.inner.push_back(one(element, arg.direction, {address, number_at(address, element.size)}, {}));
	}
	void string(Arg &arg, uint64_t address)
	{
		for (char c; arg.bytes.size() < 256 && of_.peek_(address++, &c, 1) && c;)
			arg.bytes += c;
		for (const std::string &known : arg.type->strings) {
			static constexpr std::string_view render = "/dev/dri/renderD"; /* whatever its number is here */

			if (known.starts_with(render) && arg.bytes.starts_with(render))
				arg.bytes = known;
		}
		if (std::find(arg.type->strings.begin(), arg.type->strings.end(), arg.bytes) == arg.type->strings.end())
			made.misfits += wrong_const;
	}
	/** The one that fits best. */
	void option(Arg &arg, Source from)
	{
		const Pending before = made;
		Pending best = made;
		std::vector<Arg> chosen;

		best.misfits = INT32_MAX;
		for (size_t i = 0; i < arg.type->fields.size(); i++) {
			const Field &field = arg.type->fields[i];

			made = before;
			Arg tried = one(*field.type, direction_of(field, arg.direction), from, {});
			if (made.misfits >= best.misfits)
				continue;
			best = made;
			chosen.assign(1, std::move(tried));
			arg.value = i;
		}
		made = best;
		arg.inner = std::move(chosen);
	}
	void resource(Arg &arg, uint64_t address)
	{
		const Resource &resource = *arg.type->resource;

		if (arg.direction == Direction::Out) {
			arg.value = 0;
			made.addresses.push_back(address);
			return;
		}
		for (const uint64_t none : resource.special)
			if (arg.value == masked(none, arg.type->size))
				return;
		const Known *known = of_.find(resource.name, arg.value, made.descriptor);

		made.misfits += known ? -no_resource : no_resource;
		if (known) {
			arg.from_call = known->call;
			arg.slot = known->slot;
		} else if (of_.description_.fits(resource, of_.description_.resources().at("fd"))) {
			arg.value = resource.special.at(0); /* of another process, or none: its number means nothing elsewhere */
		}
	}

	const Recorder &of_;
	const Registers &registers_;
};

const Recorder::Known *Recorder::find(std::string_view resource, uint64_t value, int descriptor) const
{
	const auto want = description_.resources().find(resource);
	const Known *elsewhere = nullptr;

	if (want == description_.resources().end())
		return nullptr;
	for (auto known = known_.rbegin(); known != known_.rend(); ++known) {
		if (!description_.fits(*known->resource, want->second) ||
		    masked(known->value, want->second.size) != masked(value, want->second.size))
			continue;
		if (known->descriptor == descriptor)
			return &*known;
		elsewhere = elsewhere ? elsewhere : &*known;
	}
	return elsewhere;
}

/** Of a process's doorbells, if that is what @offset maps: what CREATE_QUEUE gave. */
std::optional<uint64_t> Recorder::doorbells(uint64_t offset) const
{
	for (auto known = known_.rbegin(); known != known_.rend(); ++known)
		if (known->resource->name == "kfd_doorbell_offset" && known->value / doorbell_bytes == offset / doorbell_bytes)
			return known->value;
	return {};
}

bool Recorder::is_named(uint64_t address, uint64_t size) const
{
	return std::any_of(named_.begin(), named_.end(),
			   [&](const Range &range) { return address < range.to && range.from < address + size; });
}

void Recorder::duplicated(uint64_t descriptor, uint64_t copy)
{
	if (const Known *known = find("fd", descriptor, -1)) {
		Known other = *known;

		other.value = copy;
		known_.push_back(other);
	}
}

bool Recorder::closed(uint64_t descriptor)
{
	const Known *found = find("fd", descriptor, -1);

	if (!found)
		return false;
	const Known known = *found;
	const auto same_file = [&](const Known &other) { return other.call == known.call && other.slot == known.slot; };
	const bool last = std::count_if(known_.begin(), known_.end(), same_file) == 1;

	if (!last) /* else after() takes it away */
		known_.erase(known_.begin() + (found - known_.data()));
	return last;
}

std::optional<Recorder::Pending> Recorder::before(std::string_view base, const Registers &registers)
{
	constexpr uint64_t type_and_number = 0xffff;
	std::optional<Pending> best;

	if (base == "mmap")
		if (const std::optional<uint64_t> offset = doorbells(registers[5]))
			return before("syz_kfdm_map_doorbells", {registers[0], registers[4], *offset});
	for (size_t i = 0; i < description_.calls().size(); i++) {
		const Call &call = description_.calls()[i];

		if (call.base != base)
			continue;
		if (base == "ioctl") {
			const Type &command = *call.arguments[1].type;

			if (command.kind != Type::Kind::Const || (command.value ^ registers[1]) & type_and_number)
				continue;
		}
		Pending made = Decoder(*this, call, registers).made;
		const Arg &first = made.invocation.arguments.at(0);

		if (first.type->kind == Type::Kind::Resource && first.from_call < 0)
			continue; /* another kind of file */
		if (base == "openat" && made.misfits)
			continue; /* another file */
		made.invocation.call = static_cast<int>(i);
		if (!best || made.misfits < best->misfits)
			best = std::move(made);
	}
	if (best)
		best->contents = contents(best->invocation);
	return best;
}

void Recorder::name_memory(const std::vector<Field> &fields, const std::vector<Arg> &args)
{
	for (size_t i = 0; i < args.size(); i++) {
		if (args[i].type->kind == Type::Kind::Vma && args[i].value && named_.size() < most_named) {
			uint64_t size = page;

			for (const Arg &other : args)
				if (other.type->kind == Type::Kind::Len && other.type->name == fields[i].name)
					size = other.value;
			if (args[i].value + size > args[i].value)
				named_.push_back({args[i].value, args[i].value + size});
		}
		if (args[i].type->kind == Type::Kind::Struct)
			name_memory(args[i].type->fields, args[i].inner);
		else if (!args[i].inner.empty() && args[i].inner[0].type->kind == Type::Kind::Struct)
			name_memory(args[i].inner[0].type->fields, args[i].inner[0].inner);
	}
}

/** Which buffers lie where, for the GPU and for the program. */
void Recorder::note_buffer(const Call &call, const std::vector<Arg> &args)
{
	if (call.name == "mmap$gpu_bo") {
		if (const auto buffer = buffer_of_offset_.find(args[5].from_call); buffer != buffer_of_offset_.end())
			mapped_for_cpu_[buffer->second] = args[0].value;
		return;
	}
	if (call.name != "ioctl$AMDGPU_GEM_MMAP" && call.name != "ioctl$AMDGPU_GEM_VA")
		return;
	if (args[2].inner.empty())
		return;
	const std::vector<Arg> &fields = args[2].inner[0].inner;
	const int buffer = fields[0].from_call;

	if (call.name == "ioctl$AMDGPU_GEM_MMAP")
		buffer_of_offset_[calls_] = buffer;
	else
		mapped_.push_back({buffer, fields[4].value, fields[4].value + fields[6].value, fields[5].value});
}

std::optional<uint64_t> Recorder::seen_by_cpu(uint64_t gpu_address) const
{
	for (auto mapped = mapped_.rbegin(); mapped != mapped_.rend(); ++mapped) {
		if (gpu_address < mapped->from || gpu_address >= mapped->to)
			continue;
		const auto cpu = mapped_for_cpu_.find(mapped->buffer);

		return cpu == mapped_for_cpu_.end() ? std::nullopt :
						      std::optional(cpu->second + mapped->offset + gpu_address - mapped->from);
	}
	return {};
}

std::vector<Invocation> Recorder::contents(const Invocation &job) const
{
	const int copy = description_.find("syz_kfdm_copy$code");
	std::vector<Invocation> list;

	for_each_arg(job.arguments, [&](const Arg &arg) {
		if (arg.type->kind != Type::Kind::Struct || arg.type->name != "drm_amdgpu_cs_chunk_ib")
			return;
		const uint64_t bytes = arg.inner[3].value;
		const std::optional<uint64_t> from = seen_by_cpu(arg.inner[2].value);

		if (!from || bytes > 4 * most_elements)
			return;
		const uint64_t offset = *from % page;

		list.push_back(Decoder(*this, description_.calls()[static_cast<size_t>(copy)], {*from - offset, offset, *from, bytes})
				       .made.invocation);
		list.back().call = copy;
	});
	return list;
}

std::string Recorder::line(const Invocation &invocation, bool failed)
{
	Program one;

	calls_++;
	one.calls.push_back(invocation);
	return to_text(description_, one) + (failed ? std::string(failed_line) + "\n" : "");
}

std::string Recorder::after(Pending pending, int64_t result)
{
	const Call &call = description_.calls()[static_cast<size_t>(pending.invocation.call)];
	const std::vector<Output> slots = outputs(description_, pending.invocation);
	std::string lines;

	for (const Invocation &content : pending.contents)
		lines += line(content, false);
	if (result >= 0) {
		if (call.result)
			known_.push_back({call.result, static_cast<uint64_t>(result), calls_, calls_, 0});
		for (size_t slot = 1; slot < slots.size(); slot++) {
			uint64_t value = 0;

			if (peek_(pending.addresses[slot - 1], &value, slots[slot].resource->size))
				known_.push_back({slots[slot].resource, value, pending.descriptor, calls_, static_cast<int>(slot)});
		}
		name_memory(call.arguments, pending.invocation.arguments);
		note_buffer(call, pending.invocation.arguments);
		if (call.base == "close")
			std::erase_if(known_, [&](const Known &known) {
				const Arg &file = pending.invocation.arguments[0];

				return known.call == file.from_call && known.slot == file.slot;
			});
	}
	return lines + line(pending.invocation, result < 0);
}

std::string Recorder::apertures(uint64_t kfd, const std::vector<uint32_t> &gpu_ids)
{
	struct {
		uint64_t base_and_limit[6];
		uint32_t gpu_id, pad;
	} nodes[8]{};
	const uint32_t count = static_cast<uint32_t>(std::min(gpu_ids.size(), std::size(nodes)));
	const struct {
		uint64_t nodes;
		uint32_t count, pad;
	} asked{reinterpret_cast<uint64_t>(nodes), count, 0};
	const int call = description_.find("ioctl$AMDKFD_IOC_GET_PROCESS_APERTURES_NEW");
	const uint64_t command = description_.calls().at(static_cast<size_t>(call)).arguments[1].type->value;

	for (uint32_t i = 0; i < count; i++)
		nodes[i].gpu_id = gpu_ids[i];
	std::optional<Pending> pending = before("ioctl", {kfd, command, reinterpret_cast<uint64_t>(&asked), 0, 0, 0});

	return pending ? after(std::move(*pending), 0) : "";
}

} // namespace kfdm::fuzz
