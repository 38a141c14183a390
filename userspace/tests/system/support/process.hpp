// SPDX-License-Identifier: MIT
/*
 * process.hpp - tests that need a second process.
 */
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

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

/** References to a loaded module, -1 if there is none. */
[[nodiscard]] int references(const std::string &module);

/** References to amdgpu_model while no program uses it: kfd_model does. */
[[nodiscard]] int idle_references();

/**
 * Waits until no other process holds anything of the GPU, and this one only its @labs: a process that has ended releases all a moment
 * later. For a process that has not opened /dev/kfd or a render node. Return: false if something is not released.
 */
[[nodiscard]] bool alone(int labs = 0);

/** True if thread @tid of this process sleeps in ioctl @request, interruptibly. */
[[nodiscard]] bool sleeps_in_ioctl(pid_t tid, unsigned long request);

/** A duplicate of another process's descriptor (pidfd_getfd). Return: an empty UniqueFd on failure. */
[[nodiscard]] UniqueFd fd_of(pid_t pid, int fd);

} // namespace kfdm::test
