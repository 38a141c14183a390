// SPDX-License-Identifier: MIT
/* process.hpp - programs that a sweep runs: a row's command, sbatch, squeue, parallel. */
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace kfdm::sweep {

/** A program that runs beside this one. */
class Process {
public:
	struct Setting {
		int in = -1;		/**< standard input; -1: /dev/null */
		int out = -1, err = -1; /**< -1: this program's own */
		int with_us = SIGKILL;	/**< what it gets when this program dies before it */
	};

	/** Throws what fork() says. A command that cannot be run ends with 127 and a sentence on its standard error. */
	Process(const std::vector<std::string> &command, const Setting &setting);

	/** Whether it has ended. @block: not before it has. */
	bool ended(bool block = false);
	/** Once it has ended: that of waitpid(). */
	[[nodiscard]] int status() const noexcept { return status_; }
	[[nodiscard]] pid_t pid() const noexcept { return pid_; }

private:
	pid_t pid_;
	int status_ = 0;
};

struct Output {
	int status = 0; /**< that of waitpid() */
	std::string out, err;
};
/** Runs @command to its end. */
Output output_of(const std::vector<std::string> &command);

/** Whether there is a program @name in PATH, or at that path. */
bool is_program(const std::string &name);

} // namespace kfdm::sweep
