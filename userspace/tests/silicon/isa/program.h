// SPDX-License-Identifier: MIT
/*
 * program.h - runs a compiled kernel on a Machine: loads the ELF code object, sets up registers as the packet processor and
 * the dispatcher would (AMDGPU ABI of code object v4), runs the waves of each workgroup to their end.
 */
#pragma once

#include <string>

#include "machine.h"

namespace isa_test {

class Program {
public:
	explicit Program(const std::string &path);

	struct Size {
		u32 x = 1, y = 1, z = 1;
	};
	/**
	 * Runs every workgroup. kernarg: explicit arguments as laid out in memory.
	 * Return: instructions executed; throws std::runtime_error when a wave stops for a bad reason.
	 */
	u64 run(Machine &m, const std::string &kernel, std::span<const u8> kernarg, Size grid, Size group);

private:
	struct Descriptor {
		u64 address;
		u32 group_bytes, private_bytes, rsrc1, rsrc2, rsrc3;
		u16 properties;
		u64 entry;
	};
	Descriptor find(const std::string &kernel) const;
	void relocate(Machine &m) const;
	u64 run_group(Machine &m, const Descriptor &d, u64 kernarg, u64 packet, Size grid, Size group, Size id);

	std::vector<u8> elf_;
};

using Bytes = std::vector<u8>;

/** Runs kernel(ulong *results, const void *input, ...) with a result an item. */
std::vector<u64> run_items(Machine &m, Program &program, const std::string &kernel, const std::vector<Bytes> &inputs, u32 items);

} // namespace isa_test
