// SPDX-License-Identifier: MIT
/*
 * process.cpp - children that report back through a pipe.
 */
#include "process.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kfdm/error.hpp>

#include "gpu.hpp"

namespace kfdm::test {

namespace {

int ready_pipe = -1;

[[noreturn]] void child(const std::function<void()> &work)
{
	try {
		work();
	} catch (const Stop &) {
	} catch (const std::exception &error) {
		fail("child", 0, error.what());
	}
	std::fflush(stdout);
	_exit(failures() ? 1 : 0);
}

} // namespace

Child::Child(const std::function<void()> &work)
{
	int ends[2];

	std::fflush(stdout);
	if (pipe(ends))
		throw_errno("pipe");
	pid_ = fork();
	if (pid_ < 0)
		throw_errno("fork");
	if (pid_ == 0) {
		close(ends[0]);
		forget_failures();
		ready_pipe = ends[1];
		child(work);
	}
	close(ends[1]);
	pipe_ = ends[0];
}

Child::~Child()
{
	kill();
	close(pipe_);
}

void Child::ready()
{
	if (write(ready_pipe, "", 1) != 1)
		throw_errno("write to the parent");
}

bool Child::wait_ready()
{
	char byte;

	return read(pipe_, &byte, 1) == 1;
}

void Child::kill()
{
	if (pid_ <= 0)
		return;
	::kill(pid_, SIGKILL);
	(void)join();
}

int Child::join()
{
	int status = 0;

	if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_)
		return -1;
	pid_ = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int references(const std::string &module)
{
	std::ifstream file(fmt::format("/sys/module/{}/refcnt", module));
	int count = -1;

	file >> count;
	return count;
}

int idle_references()
{
	using entries = std::filesystem::directory_iterator;

	return static_cast<int>(std::distance(entries("/sys/module/amdgpu_model/holders"), entries()));
}

bool alone(int labs)
{
	return eventually([=] { return references("kfd_model") == 0 && references("amdgpu_model") == idle_references() + labs; });
}

bool sleeps_in_ioctl(pid_t tid, unsigned long request)
{
	const std::string folder = fmt::format("/proc/self/task/{}/", tid);
	std::ifstream stat(folder + "stat"), call(folder + "syscall");
	std::string text;
	long number = -1;
	unsigned long fd = 0, command = 0;

	/* "TID (NAME) STATE ..."; "NUMBER ARGUMENT ARGUMENT ...", or "running" */
	std::getline(stat, text);
	call >> number >> std::hex >> fd >> command;
	/* User-Mode Linux 6.1 does not tell the call. What the caller asks about does nothing else that sleeps. */
	if (!call.is_open())
		return text.find(") S ") != text.npos;
	return text.find(") S ") != text.npos && number == SYS_ioctl && command == request;
}

UniqueFd fd_of(pid_t pid, int fd)
{
	UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));

	return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), fd, 0)));
}

} // namespace kfdm::test
