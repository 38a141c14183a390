// SPDX-License-Identifier: MIT
/*
 * put.cpp - programs in the form that actors execute.
 */
#include <cstring>

#include "board.hpp"

namespace kfdm::fuzz {

namespace {

Function function_of(const Call &call)
{
	static constexpr struct {
		std::string_view base;
		Function function;
	} table[] = {
		{"ioctl", Function::Ioctl},
		{"openat", Function::Openat},
		{"close", Function::Close},
		{"dup", Function::Dup},
		{"read", Function::Read},
		{"write", Function::Write},
		{"lseek", Function::Lseek},
		{"mmap", Function::Mmap},
		{"munmap", Function::Munmap},
		{"mprotect", Function::Mprotect},
		{"madvise", Function::Madvise},
		{"mremap", Function::Mremap},
		{"syz_kfdm_fork", Function::Fork},
		{"syz_kfdm_clone_vm", Function::CloneVm},
		{"syz_kfdm_exec", Function::Exec},
		{"syz_kfdm_kill", Function::Kill},
		{"syz_kfdm_send_fd", Function::SendFd},
		{"syz_kfdm_read_proc", Function::ReadProc},
		{"syz_kfdm_read_as_root", Function::ReadAsRoot},
		{"syz_kfdm_replug", Function::Replug},
		{"syz_kfdm_sleep", Function::Sleep},
		{"syz_kfdm_store32", Function::Store32},
		{"syz_kfdm_store64", Function::Store64},
		{"syz_kfdm_copy", Function::Copy},
		{"syz_kfdm_load", Function::Load},
		{"syz_kfdm_map_doorbells", Function::MapDoorbells},
		{"syz_kfdm_ring", Function::Ring},
	};

	if (call.base.starts_with("syz_kfdm_receive_"))
		return Function::ReceiveFd;
	for (const auto &row : table)
		if (row.base == call.base)
			return row.function;
	throw SyntaxError(call.name + ": the executor does not know this call");
}

/** Memory is over, or a step's rows are. */
struct TooLarge {};

class Putter {
public:
	Putter(Board &board, size_t index, const Call &call)
		: board_(board), step_(board.steps[index]), index_(index), image_(&board.bytes[board.bytes_used]),
		  short_lists_(call.name.starts_with("ioctl$GPU_SYNCOBJ_"))
	{
	}

	void arguments(const Call &call, const Invocation &invocation)
	{
		step_.image = board_.bytes_used;
		step_.first_store = board_.stores_used;
		for (size_t i = 0; i < invocation.arguments.size(); i++)
			step_.arguments[step_.argument_count++] = operand(invocation.arguments[i], call.arguments, invocation.arguments);
		step_.image_size = static_cast<uint32_t>(used_);
		board_.bytes_used += step_.image_size;
		board_.stores_used += step_.store_count;
	}

private:
	size_t reserve(size_t size)
	{
		const size_t at = used_;

		used_ += (size + 15) / 16 * 16;
		if (used_ > arena_of_call || board_.bytes_used + used_ > sizeof(board_.bytes))
			throw TooLarge();
		std::memset(image_ + at, 0, used_ - at);
		return at;
	}
	/** Scalars and pointers as a number; what pointers point to is written out. */
	Operand operand(const Arg &arg, const std::vector<Field> &fields, const std::vector<Arg> &siblings)
	{
		const Type &type = *arg.type;
		Operand made{arg.value, -1, 0};

		switch (type.kind) {
		case Type::Kind::Resource:
			made.from_call = static_cast<int16_t>(arg.from_call);
			made.slot = static_cast<int16_t>(arg.slot);
			if (arg.from_call >= 0)
				made.value = type.resource->special.empty() ? 0 : type.resource->special[0];
			break;
		case Type::Kind::Len:
			if (!arg.own)
				made.value = measure(type, fields, siblings);
			else if (short_lists_)
				made.value &= 0xffff;
			break;
		case Type::Kind::Vma:
			if (!arg.own)
				made.value = data_address + (arg.value >> 16) * 4096;
			break;
		case Type::Kind::Pointer:
			if (!arg.own && !arg.inner.empty()) {
				const size_t at = reserve(size_of(arg.inner[0]));

				write(at, arg.inner[0], {}, {});
				made.value = arena_address + index_ * arena_of_call + at;
			}
			break;
		default: break;
		}
		return made;
	}
	void write(size_t at, const Arg &arg, const std::vector<Field> &fields, const std::vector<Arg> &siblings)
	{
		const Type &type = *arg.type;

		switch (type.kind) {
		case Type::Kind::Struct:
			/* Behind an overlay lies output: it would cover the input. */
			for (size_t i = 0; i < arg.inner.size(); i++)
				write(at + type.fields[i].offset, arg.inner[i], type.fields, arg.inner);
			return;
		case Type::Kind::Union: write(at, arg.inner.at(0), type.fields, arg.inner); return;
		case Type::Kind::Array:
			for (const Arg &element : arg.inner) {
				write(at, element, {}, {});
				at += size_of(element);
			}
			return;
		case Type::Kind::String:
			std::memcpy(image_ + at, arg.bytes.data(), arg.bytes.size());
			if (arg.bytes == "/dev/dri/renderD128") /* numbers of minors have three digits: 128 to 191 */
				std::memcpy(image_ + at + arg.bytes.size() - 3, std::to_string(board_.render_minor).data(), 3);
			return;
		default: break;
		}
		if (arg.direction == Direction::Out && type.kind != Type::Kind::Pointer) {
			fetch(at, arg);
			return;
		}
		const Operand made = operand(arg, fields, siblings);

		if (made.from_call < 0) {
			std::memcpy(image_ + at, &made.value, type.size);
			return;
		}
		if (step_.first_store + step_.store_count == std::size(board_.stores))
			throw TooLarge();
		board_.stores[step_.first_store + step_.store_count++] = {static_cast<uint32_t>(at), type.size, made};
	}
	/** The order is that of outputs(): both walk the arguments from left to right. */
	void fetch(size_t at, const Arg &arg)
	{
		if (arg.type->kind == Type::Kind::Resource && step_.fetch_count < max_slots - 1) {
			step_.fetches[step_.fetch_count] = {static_cast<uint32_t>(at), arg.type->size, step_.fetch_count + 1};
			step_.fetch_count++;
		}
	}

	Board &board_;
	Step &step_;
	size_t index_;
	uint8_t *image_;
	size_t used_ = 0;
	/* Linux 6.1's drm_syncobj_array_find() warns of a list that is too long for kmalloc(): DRM's mistake, not the drivers'. */
	bool short_lists_;
};

} // namespace

void put(const Description &description, const Program &program, Board &board)
{
	board.step_count = 0;
	board.stores_used = board.bytes_used = 0;
	for (const Invocation &invocation : program.calls) {
		const size_t index = board.step_count++;
		Step &step = board.steps[index];
		const Call &call = description.calls()[static_cast<size_t>(invocation.call)];
		const auto reset = [&](Function function) {
			step.function = function;
			step.actor = invocation.actor;
			step.detached = invocation.detached;
			step.fail = invocation.fail;
			step.failed = 0;
			step.argument_count = step.store_count = step.fetch_count = step.image_size = 0;
			step.done = 0;
			step.result = 0;
			for (auto &valid : step.valid)
				valid = false;
		};

		reset(function_of(call));
		try {
			Putter(board, index, call).arguments(call, invocation);
		} catch (const TooLarge &) {
			reset(Function::Sleep);
		}
	}
}

} // namespace kfdm::fuzz
