// SPDX-License-Identifier: MIT
/*
 * error.hpp - errno becomes std::system_error.
 *
 * Every factory of the library throws std::system_error in the system category, so that error.code().value() is the
 * kernel's errno and what() says which call it came from.
 */
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace kfdm {

/** Throws @error (a positive errno) with the sentence @what. */
[[noreturn]] void throw_error(int error, const std::string &what);

/** Throws the current errno. */
[[noreturn]] inline void throw_errno(const std::string &what) { throw_error(errno, what); }

/**
 * ioctl(2), repeated when a signal interrupts it.
 * Return: 0 or a positive errno, so that callers can compare it.
 */
[[nodiscard]] int try_ioctl(int fd, unsigned long request, void *argument) noexcept;

/** ioctl(2) that throws with @what. */
void checked_ioctl(int fd, unsigned long request, void *argument, const char *what);

/** Opens @path with @flags | O_CLOEXEC; throws. Return: the descriptor. */
[[nodiscard]] int checked_open(const std::string &path, int flags);

} // namespace kfdm
