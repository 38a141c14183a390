// SPDX-License-Identifier: MIT
/*
 * isolation_pid.cpp - the memory of a process may live on when its number has been given to another one, and with it the files that
 * stand under that number.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "check.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/** Shares the memory of a process that ends, until that is enough. */
int live_on(void *data)
{
	while (!*static_cast<std::atomic<bool> *>(data))
		usleep(1000);
	_exit(0);
}

/** A process that has the number @pid. */
pid_t fork_as(pid_t pid)
{
	clone_args args = {};
	pid_t tid = pid;

	args.exit_signal = SIGCHLD;
	args.set_tid = reinterpret_cast<uint64_t>(&tid);
	args.set_tid_size = 1;
	return static_cast<pid_t>(syscall(SYS_clone3, &args, sizeof(args)));
}

} // namespace

KFDM_TEST("a process whose number another one had, whose memory lives on, may use the GPU; the kernel has nothing to say")
{
	void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	REQUIRE(page != MAP_FAILED);
	auto &enough = *static_cast<std::atomic<bool> *>(page);
	static char stack[1 << 18];

	Child process([&] {
		REQUIRE(open("/dev/kfd", O_RDWR | O_CLOEXEC) >= 0);
		REQUIRE(clone(live_on, stack + sizeof(stack), CLONE_VM | SIGCHLD, &enough) > 0);
	});
	const pid_t number = process.pid();

	CHECK_EQ(process.join(), 0);
	CHECK(std::filesystem::exists(fmt::format("/sys/class/kfd/kfd/proc/{}", number)));
	const pid_t second = fork_as(number);

	REQUIRE(second >= 0);
	if (!second)
		_exit(open("/dev/kfd", O_RDWR | O_CLOEXEC) < 0);
	int status = -1;

	CHECK_EQ(waitpid(second, &status, 0), number);
	CHECK_EQ(status, 0);
	enough = true;
	CHECK(eventually([&] { return !std::filesystem::exists(fmt::format("/sys/class/kfd/kfd/proc/{}", number)); }));
}
