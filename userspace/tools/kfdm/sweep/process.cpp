// SPDX-License-Identifier: MIT
/* process.cpp - see process.hpp. */
#include "process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

#include "child.hpp"
#include "folder.hpp"

namespace kfdm::sweep {

namespace {

[[noreturn]] void become(char *const *argv, const Process::Setting &setting, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, setting.with_us);
	const int in = setting.in >= 0 ? setting.in : open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || (setting.out >= 0 && dup2(setting.out, STDOUT_FILENO) < 0) ||
	    (setting.err >= 0 && dup2(setting.err, STDERR_FILENO) < 0))
		_exit(127);
	execvp(argv[0], argv);
	fmt::print(stderr, "kfdm: cannot run {}: {}\n", argv[0], std::strerror(errno));
	_exit(127);
}

UniqueFd memory_file()
{
	UniqueFd fd(memfd_create("kfdm-sweep", MFD_CLOEXEC));

	if (!fd)
		throw_errno("memfd_create");
	return fd;
}

std::string text_of(const UniqueFd &fd) { return read_whole(fmt::format("/proc/self/fd/{}", fd.get())); }

} // namespace

Process::Process(const std::vector<std::string> &command, const Setting &setting)
{
	const pid_t parent = getpid();
	const std::vector<char *> argv = tool::argv_of(command);

	pid_ = fork();
	if (pid_ < 0)
		throw_errno("fork");
	if (pid_ == 0)
		become(argv.data(), setting, parent);
}

bool Process::ended(bool block)
{
	pid_t pid;

	while ((pid = waitpid(pid_, &status_, block ? 0 : WNOHANG)) < 0)
		if (errno != EINTR)
			throw_errno("waitpid");
	return pid == pid_;
}

Output output_of(const std::vector<std::string> &command)
{
	const UniqueFd out = memory_file(), err = memory_file();
	Process process(command, {.out = out.get(), .err = err.get()});

	process.ended(true);
	return {process.status(), text_of(out), text_of(err)};
}

bool is_program(const std::string &name)
{
	const char *path = std::getenv("PATH");
	std::istringstream folders(path ? path : "/usr/bin:/bin");

	if (name.find('/') != std::string::npos)
		return !access(name.c_str(), X_OK);
	for (std::string folder; std::getline(folders, folder, ':');)
		if (!access(folder.append("/").append(name).c_str(), X_OK))
			return true;
	return false;
}

} // namespace kfdm::sweep
