// SPDX-License-Identifier: MIT
/*
 * isolation_exec.cpp - a process object and its files outlive an exec of the thread that made it, as long as somebody shares its
 * memory. What they tell must not come out of the new program's memory, which may be one with other rights.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "files.hpp"
#include "gpu.hpp"
#include "kfd_newer.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uintptr_t counter_address = 0x3000000000; /* mapped by both programs; User-Mode Linux has 39 bits */
constexpr const char *role = "KFDM_TEST_NEW_PROGRAM";

constexpr uint64_t ticks_per_us = 100, own_us = 250, secret_us = 777;

/** What the processes tell each other; of all of them. */
struct Board {
	std::atomic<bool> new_program;
	std::atomic<bool> done;
	std::atomic<uint64_t> before, after;
};

void map_counter(uint64_t value)
{
	void *page = mmap(reinterpret_cast<void *>(counter_address), 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	REQUIRE(page == reinterpret_cast<void *>(counter_address));
	*static_cast<volatile uint64_t *>(page) = value;
}

Board *board_of(int fd)
{
	void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	REQUIRE(page != MAP_FAILED);
	return static_cast<Board *>(page);
}

/** The program that the process becomes: what it has at the counter's address is its own business. */
void new_program(int board_fd)
{
	Board *board = board_of(board_fd);

	map_counter(secret_us * ticks_per_us);
	/* It has a process object of its own; the directory of its PID is the other one's still, and the kernel has nothing to say. */
	REQUIRE(open("/dev/kfd", O_RDWR | O_CLOEXEC) >= 0);
	board->new_program = true;
	while (true)
		pause();
}

struct Reader {
	Board *board;
	std::string file;
};

uint64_t microseconds(const std::string &file) { return std::strtoull(read_file(file).c_str(), nullptr, 10); }

/** Shares the memory of the program that was; its exec leaves it all of it. */
int read_on(void *data)
{
	const Reader &reader = *static_cast<Reader *>(data);

	reader.board->before = microseconds(reader.file);
	while (!reader.board->new_program)
		usleep(1000);
	reader.board->after = microseconds(reader.file);
	reader.board->done = true;
	_exit(0);
}

void old_program(Board *board, int board_fd)
{
	static char stack[1 << 18];
	Gpu gpu;
	RawQueue queue(gpu, KFD_IOC_QUEUE_TYPE_SDMA);
	static Reader reader{board, fmt::format("/sys/class/kfd/kfd/proc/{}/sdma_{}", getpid(), gpu.id())};

	map_counter(own_us * ticks_per_us);
	queue.args.read_pointer_address = counter_address - sizeof(uint64_t);
	queue.args.queue_percentage = 0; /* it never runs */
	REQUIRE(queue.create() == 0);
	setenv(role, std::to_string(board_fd).c_str(), 1);
	REQUIRE(clone(read_on, stack + sizeof(stack), CLONE_VM | SIGCHLD, &reader) > 0);
	REQUIRE(eventually([&] { return board->before != 0; }));
	execl("/proc/self/exe", "new_program", nullptr);
	fail(__FILE__, __LINE__, "exec");
}

} // namespace

/* 7.2 takes no read pointer that is mapped for the CPU alone. */
KFDM_TEST_OF("6.1", "the counters of a process are read in its own memory, whatever its lead thread runs by now")
{
	if (const char *fd = std::getenv(role))
		return new_program(std::atoi(fd));
	const int board_fd = memfd_create("board", 0);
	REQUIRE(ftruncate(board_fd, 4096) == 0);
	Board *board = board_of(board_fd);

	Child process([&] { old_program(board, board_fd); });
	REQUIRE(eventually([&] { return board->done.load(); }));
	CHECK_EQ(board->before.load(), own_us);
	CHECK_EQ(board->after.load(), own_us);
}
