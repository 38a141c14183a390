// SPDX-License-Identifier: MIT
/* child.cpp - see child.hpp. */
#include "child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm::tool {

Child::Child(const std::vector<std::string> &command)
{
	const std::vector<char *> argv = argv_of(command);

	pid_ = fork();
	if (pid_ < 0)
		throw_errno("fork");
	if (pid_ == 0) {
		execvp(argv[0], argv.data());
		fmt::print(stderr, "kfdm: cannot run {}: {}\n", argv[0], std::system_category().message(errno));
		_exit(127);
	}
}

bool Child::ended(bool block)
{
	int status = 0;

	if (waitpid(pid_, &status, block ? 0 : WNOHANG) != pid_)
		return false;
	exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

} // namespace kfdm::tool
