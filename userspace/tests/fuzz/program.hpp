// SPDX-License-Identifier: MIT
/*
 * program.hpp - a program: calls with their arguments, each made by one of a few processes (actors). As text, one call a line:
 *
 *	0 openat$kfd(0xffffffffffffff9c, &"/dev/kfd", 0x2, 0x0)
 *	1& ioctl$AMDKFD_IOC_FREE_MEMORY_OF_GPU(r3, 0x40084b17, &{r7.1})
 *	0!7 ioctl$AMDKFD_IOC_CREATE_EVENT(r0, 0xc0204b08, &{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0})
 *
 * The number before a call is the actor: 0 and 1 are processes of two users, the others come into being by fork and clone. `&` after it:
 * nobody waits for the call's end. `!7`: the seventh
 * allocation of memory in it fails, `!*`: it is made again and again, with the first, the second, ... failing, until it asks for no more.
 * `r7.1` is the first value that call 7 puts out into its structs, `r3` what call 3 returns. `&{...}`
 * is a pointer to a struct in memory of the call's own, `@2/4` four pages from page 2 of the memory that all calls share. The line
 * `# same processes` above a program: the processes of the one before go on with it.
 */
#pragma once

#include "syzlang.hpp"

namespace kfdm::fuzz {

inline constexpr uint32_t each_one = ~0U;
inline constexpr int max_calls = 32, max_actors = 6, max_slots = 16;

struct Arg {
	const Type *type = nullptr;
	Direction direction = Direction::In;
	uint64_t value = 0; /**< a number; page << 16 | pages of a Vma; the option of a Union */
	int from_call = -1; /**< a value that this call has put out, of slot */
	int slot = 0;
	bool own = false;	/**< Len: a number that does not follow what is measured; Pointer: @value instead of memory */
	std::vector<Arg> inner; /**< of a Struct, Union (one), Array, Pointer (one) */
	std::string bytes;	/**< of a String */
};

struct Invocation {
	int call = 0; /**< of Description::calls() */
	int actor = 0;
	bool detached = false;
	uint32_t fail = 0; /**< which allocation fails; each_one: one after the other */
	std::vector<Arg> arguments;
};

struct Program {
	std::vector<Invocation> calls;
	bool same_processes = false; /**< those of the program before it make its calls, with what they have of the GPU */
};

/** A value that a call puts out. */
struct Output {
	const Resource *resource;
	const Arg *arg; /**< null: the returned value */
};

/** All outputs of an invocation; its index here is the slot. Slot 0 is the returned value, even if there is no such value. */
std::vector<Output> outputs(const Description &description, const Invocation &invocation);

/** The direction of a field, given that of what it lies in. */
inline Direction direction_of(const Field &field, Direction outer) { return field.direction.value_or(outer); }

/** Bytes of @arg in memory. */
size_t size_of(const Arg &arg);
/** What a Len measures: its siblings are looked up by name. */
uint64_t measure(const Type &length, const std::vector<Field> &fields, const std::vector<Arg> &siblings);

std::string to_text(const Description &description, const Program &program);
/** Throws SyntaxError. Lines that begin with # are comments. @most: calls; what is recorded has more than a program may. */
Program from_text(const Description &description, std::string_view text, size_t most = max_calls);

/** The texts of programs that stand in one, with empty lines between them. */
std::vector<std::string> split_programs(const std::string &text);
/** Reads all descriptions of this folder. */
void read_descriptions(Description &description);

/** Leaves out the calls that are not @kept; values that they put out become those that stand for none. */
Program subset(const Program &program, const std::vector<bool> &kept);

/** @visit is called for each argument, however deep. */
template <typename Visit> void for_each_arg(std::vector<Arg> &args, const Visit &visit)
{
	for (Arg &arg : args) {
		visit(arg);
		for_each_arg(arg.inner, visit);
	}
}
template <typename Visit> void for_each_arg(const std::vector<Arg> &args, const Visit &visit)
{
	for (const Arg &arg : args) {
		visit(arg);
		for_each_arg(arg.inner, visit);
	}
}

} // namespace kfdm::fuzz
