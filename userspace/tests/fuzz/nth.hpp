// SPDX-License-Identifier: MIT
/*
 * nth.hpp - every call of the description, with each of its allocations failing once.
 */
#pragma once

#include <string>
#include <vector>

namespace kfdm::fuzz {

/**
 * Runs the programs of @files. Each call that succeeds in one is then made in it with its first, second, ... allocation failing until it
 * asks for no more. An ioctl of the description that is in none of them, or that never succeeds although it could, is a failure, and so is
 * what the kernel reports. Prints a line a call. @some: on another chip or under another scheduler some ioctls can never succeed.
 * Return: exit code.
 */
int fail_every_call(const std::vector<std::string> &files, bool some);

} // namespace kfdm::fuzz
