// SPDX-License-Identifier: MIT
/*
 * program.h - runs a compiled kernel on a Machine: loads the ELF code object, sets up registers as the packet processor and
 * the dispatcher would (AMDGPU ABI of code object v4), runs the waves of each workgroup to their end.
 */
#pragma once

#include <map>
#include <string>
#include <vector>

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
	std::vector<u8> image_;			 /* as it lies in memory */
	std::map<std::string, u64> descriptors_; /* of kernels: where in the image */
	silicon::Isa isa_;
};

using Bytes = std::vector<u8>;

/** Runs kernel(ulong *results, const void *input, ...) with a result an item. */
std::vector<u64> run_items(Machine &m, Program &program, const std::string &kernel, const std::vector<Bytes> &inputs, u32 items);

} // namespace isa_test
