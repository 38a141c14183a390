// SPDX-License-Identifier: MIT
/* child.hpp - the command that a subcommand runs: kfdm trace -- COMMAND. */
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace kfdm::tool {

/** As execvp() takes it; valid as long as @command is. */
inline std::vector<char *> argv_of(const std::vector<std::string> &command)
{
	std::vector<char *> argv;

	argv.reserve(command.size() + 1);
	for (const std::string &word : command)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	return argv;
}

class Child {
public:
	/** Throws what fork() says; a command that cannot be run ends with 127 and a sentence. */
	explicit Child(const std::vector<std::string> &command);

	/** Whether it has ended. @block: not before it has. */
	bool ended(bool block = false);
	/** Once it has ended; as a shell would give it. */
	[[nodiscard]] int exit_code() const { return exit_code_; }

private:
	pid_t pid_;
	int exit_code_ = 0;
};

} // namespace kfdm::tool
