// SPDX-License-Identifier: MIT
/*
 * process.hpp - tests that need a second process.
 */
#pragma once

#include <sys/types.h>

#include <functional>

#include <kfdm/unique_fd.hpp>

namespace kfdm::test {

/** A forked child that runs @work and exits with 0, or 1 if a CHECK in it failed. Killed when the object goes. */
class Child {
public:
	explicit Child(const std::function<void()> &work);
	Child(const Child &) = delete;
	Child &operator=(const Child &) = delete;
	~Child();

	[[nodiscard]] pid_t pid() const noexcept { return pid_; }
	/** Blocks until the child has said ready(). Return: false if it ended before. */
	[[nodiscard]] bool wait_ready();
	/** SIGKILL, and waits until it is gone. */
	void kill();
	/** Waits for its end. Return: exit code, 128 + signal if a signal ended it. */
	int join();

	/** In the child: tells the parent. */
	static void ready();

private:
	pid_t pid_;
	int pipe_;
};

/** A duplicate of another process's descriptor (pidfd_getfd). Return: an empty UniqueFd on failure. */
[[nodiscard]] UniqueFd fd_of(pid_t pid, int fd);

} // namespace kfdm::test
