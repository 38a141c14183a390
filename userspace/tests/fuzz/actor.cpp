// SPDX-License-Identifier: MIT
/*
 * actor.cpp - a process of a program under test: makes the calls that it is given. Its memory may be shared with others
 * (CLONE_VM), its address space is full of holes that the program makes, and it may die at any place: nothing here allocates, locks,
 * or looks at errno.
 */
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/kcov.h>
#include <sys/ioctl.h>

#include "board.hpp"
#include "raw.hpp"

namespace kfdm::fuzz {

namespace {

constexpr size_t stack_size = 32768;
alignas(64) char stacks[max_calls][stack_size];

/** What a new thread or process is to do. */
struct Part {
	Board *board;
	int seat, step;
};
Part parts[max_calls];

void on_fault(int signal, siginfo_t *, void *context)
{
	greg_t &rip = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];

	if (static_cast<uint64_t>(rip) >= address(fuzz_copy_faults) && static_cast<uint64_t>(rip) < address(fuzz_copy_end)) {
		rip = static_cast<greg_t>(address(fuzz_copy_end));
		return;
	}
	/* The program has taken away what the actor itself needs. */
	raw(SYS_exit_group, static_cast<uint64_t>(signal));
}

void on_signal(int) {}

/* Fresh memory for calls, in place of whatever is there. */
void map_memory()
{
	constexpr uint64_t flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;

	raw(SYS_mmap, arena_address, max_calls * arena_of_call, PROT_READ | PROT_WRITE, flags, ~0ULL, 0);
	raw(SYS_mmap, data_address, data_pages * 4096, PROT_READ | PROT_WRITE, flags, ~0ULL, 0);
}

void prepare()
{
	struct sigaction action = {};

	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	action.sa_sigaction = on_fault;
	sigaction(SIGSEGV, &action, nullptr);
	sigaction(SIGBUS, &action, nullptr);
	action.sa_flags = 0; /* no SA_RESTART: calls that sleep are to be interrupted */
	action.sa_handler = on_signal;
	sigaction(SIGUSR1, &action, nullptr);
	action.sa_handler = SIG_IGN; /* children are not waited for */
	sigaction(SIGCHLD, &action, nullptr);
	map_memory();
}

void clean()
{
	raw(SYS_close_range, 3, board_fd - 1, 0);
	map_memory();
}

/* Of this thread: those that it makes have their own. */
void open_fail_nth()
{
	const long fd = raw(SYS_openat, static_cast<uint64_t>(AT_FDCWD), address("/proc/thread-self/fail-nth"), O_RDWR);

	raw(SYS_close, fail_fd);
	if (fd < 0)
		return; /* a kernel without fault injection: nothing fails */
	raw(SYS_dup2, static_cast<uint64_t>(fd), fail_fd);
	raw(SYS_close, static_cast<uint64_t>(fd));
}

void record(Board &board, int area)
{
	if (board.coverage && area < kcov_areas)
		raw(SYS_ioctl, static_cast<uint64_t>(kcov_fd + area), KCOV_ENABLE, KCOV_TRACE_PC);
}

uint64_t value_of(const Board &board, const Operand &operand)
{
	if (operand.from_call < 0 || !board.steps[operand.from_call].valid[operand.slot].load())
		return operand.value;
	return board.steps[operand.from_call].output[operand.slot];
}

int play(void *part);

int64_t new_process(Board &board, int index, uint64_t flags)
{
	const int seat = board.born.fetch_add(1);
	Part &part = parts[index];

	if (seat >= max_actors)
		return -EAGAIN;
	part = {&board, seat, -1};
	const int pid = clone(play, stacks[index] + stack_size, static_cast<int>(flags | SIGCHLD), &part);

	if (pid < 0)
		return -EAGAIN;
	board.seats[seat].pid = pid; /* as it does itself, which may take a while */
	return pid;
}

int64_t send_descriptor(int fd)
{
	char byte = 0;
	iovec data = {&byte, 1};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	msghdr message = {};

	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	std::memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return raw(SYS_sendmsg, send_fd, address(&message), MSG_DONTWAIT);
}

int64_t receive_descriptor()
{
	char byte;
	iovec data = {&byte, 1};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	msghdr message = {};
	int fd = -EBADF;

	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	const long size = raw(SYS_recvmsg, receive_fd, address(&message), MSG_DONTWAIT);

	if (size < 0)
		return size;
	const cmsghdr *header = CMSG_FIRSTHDR(&message);

	if (header && header->cmsg_type == SCM_RIGHTS)
		std::memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/** Decimal digits, since nothing here may allocate; @at must have room. */
char *append(char *at, const char *text) { return stpcpy(at, text); }
char *append(char *at, uint64_t number)
{
	char digits[24], *first = digits + sizeof(digits) - 1;

	*first = 0;
	do
		*--first = static_cast<char>('0' + number % 10);
	while (number /= 10);
	return append(at, first);
}

int64_t read_file(const char *path)
{
	char buffer[512];
	const long fd = raw(SYS_openat, static_cast<uint64_t>(AT_FDCWD), address(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	long size, sum = 0;

	if (fd < 0)
		return fd;
	while ((size = raw(SYS_read, static_cast<uint64_t>(fd), address(buffer), sizeof(buffer))) > 0 && sum < 1 << 20)
		sum += size;
	raw(SYS_close, static_cast<uint64_t>(fd));
	return size < 0 ? size : sum;
}

int64_t read_of_process(const Board &board, int pid, uint64_t file)
{
	static constexpr const char *of_gpu[] = {"vram_", "sdma_", "stats_"};
	static constexpr const char *other[] = {"pasid", "queues/0/gpuid", "queues/0/size", "queues/0/type"};
	char path[128], *at = append(path, "/sys/class/kfd/kfd/proc/");

	at = append(append(at, static_cast<uint64_t>(pid)), "/");
	if (file < std::size(of_gpu)) {
		at = append(append(at, of_gpu[file]), board.gpu_id);
		if (file == 2)
			append(at, "/evicted_ms");
	} else {
		append(at, other[file % std::size(other)]);
	}
	return read_file(path);
}

constexpr uint64_t doorbell_bytes = 0x2000; /* of a process, from Vega on */

int64_t execute_program(int seat, int index)
{
	char first[] = "ioctl_fuzz", second[] = "actor", seat_text[24], step_text[24];
	char *const arguments[] = {first, second, seat_text, step_text, nullptr};
	char *const environment[] = {nullptr};

	append(seat_text, static_cast<uint64_t>(seat));
	append(step_text, static_cast<uint64_t>(index));
	return raw(SYS_execveat, program_fd, address(""), address(arguments), address(environment), AT_EMPTY_PATH);
}

int64_t sleep_milliseconds(uint64_t count)
{
	const timespec time{0, static_cast<long>(count % 8) * 1000000};

	return raw(SYS_nanosleep, address(&time), 0);
}

/** The calls that are the kernel's, with the arguments as they are. */
int64_t call_kernel(const Step &step, const uint64_t *a)
{
	switch (step.function) {
	case Function::Ioctl: return raw(SYS_ioctl, a[0], a[1], a[2]);
	case Function::Openat: return raw(SYS_openat, a[0], a[1], a[2] | O_NONBLOCK, a[3]);
	case Function::Close: return raw(SYS_close, a[0]);
	case Function::Dup: return raw(SYS_dup, a[0]);
	case Function::Read: return raw(SYS_read, a[0], a[1], a[2]);
	case Function::Write: return raw(SYS_write, a[0], a[1], a[2]);
	case Function::Lseek: return raw(SYS_lseek, a[0], a[1], a[2]);
	case Function::Mmap: return raw(SYS_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
	case Function::Munmap: return raw(SYS_munmap, a[0], a[1]);
	case Function::Mprotect: return raw(SYS_mprotect, a[0], a[1], a[2]);
	case Function::Madvise: return raw(SYS_madvise, a[0], a[1], a[2]);
	case Function::Mremap: return raw(SYS_mremap, a[0], a[1], a[2], a[3], a[4]);
	case Function::MapDoorbells:
		return raw(SYS_mmap, a[0], doorbell_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, a[1],
			   a[2] & ~(doorbell_bytes - 1));
	default: return -ENOSYS;
	}
}

/** Loads and stores of the actor itself: they may fault, as a program's may. */
int64_t access_memory(Function function, const uint64_t *a)
{
	void *const place = reinterpret_cast<void *>(a[0] + (a[1] & 0xffff));
	uint64_t word = 0;

	switch (function) {
	case Function::Store32: return fuzz_copy(place, &a[2], 4) ? -EFAULT : 0;
	case Function::Store64: return fuzz_copy(place, &a[2], 8) ? -EFAULT : 0;
	case Function::Copy: return fuzz_copy(place, reinterpret_cast<void *>(a[2]), a[3] & 0xfff) ? -EFAULT : 0;
	case Function::Load: return fuzz_copy(&word, place, 8) ? -EFAULT : static_cast<int64_t>(word & 0x7fffffff);
	case Function::Ring: return fuzz_copy(reinterpret_cast<void *>(a[0] + (a[1] & (doorbell_bytes - 1))), &a[2], 8) ? -EFAULT : 0;
	default: return -ENOSYS;
	}
}

int64_t execute(Board &board, int seat, int index, const Step &step)
{
	uint64_t a[6] = {};

	for (uint32_t i = 0; i < step.argument_count; i++)
		a[i] = value_of(board, step.arguments[i]);
	switch (step.function) {
	case Function::Fork: return new_process(board, index, 0);
	case Function::CloneVm: return new_process(board, index, CLONE_VM);
	case Function::Exec: return execute_program(seat, index);
	case Function::Kill:
		return a[0] < max_actors && board.seats[a[0]].pid ?
			       raw(SYS_kill, static_cast<uint64_t>(board.seats[a[0]].pid.load()), a[1]) :
			       -ESRCH;
	case Function::SendFd: return send_descriptor(static_cast<int>(a[0]));
	case Function::ReceiveFd: return receive_descriptor();
	case Function::ReadProc: return a[0] < max_actors ? read_of_process(board, board.seats[a[0]].pid, a[1]) : -ESRCH;
	case Function::Sleep: return sleep_milliseconds(a[0]);
	case Function::Store32:
	case Function::Store64:
	case Function::Copy:
	case Function::Load:
	case Function::Ring: return access_memory(step.function, a);
	case Function::ReadAsRoot: /* not an actor's */
	case Function::Replug: return -ENOSYS;
	default: return call_kernel(step, a);
	}
}

void finish(Board &board, int index, int64_t result)
{
	Step &step = board.steps[index];
	const uint64_t memory = arena_address + static_cast<uint64_t>(index) * arena_of_call;

	step.result = result;
	if (result >= 0 || result < -4095) {
		step.output[0] = static_cast<uint64_t>(result);
		step.valid[0] = true;
		for (uint32_t i = 0; i < step.fetch_count; i++) {
			const Fetch &fetch = step.fetches[i];

			step.output[fetch.slot] = 0;
			if (!fuzz_copy(&step.output[fetch.slot], reinterpret_cast<void *>(memory + fetch.offset), fetch.size))
				step.valid[fetch.slot] = true;
		}
	}
	step.done = 1;
	wake(step.done);
}

/* The kernel's fail-nth of this thread (Documentation/fault-injection): the n-th allocation from now on fails, 0: none. */
void fail_later(uint32_t n)
{
	char text[24];
	const char *end = append(text, uint64_t{n});

	raw(SYS_pwrite64, fail_fd, address(text), static_cast<uint64_t>(end - text), 0);
}

/** True if the one that was to fail has. */
bool has_failed()
{
	char text[4] = {};

	return static_cast<long>(raw(SYS_pread64, fail_fd, address(text), sizeof(text) - 1, 0)) > 0 && text[0] == '0';
}

/* No call needs so much memory: an endless one is ended by this limit. */
constexpr uint32_t most_failures = 2000;

/* What the call's pointers point to. */
void fill(const Board &board, int index, const Step &step)
{
	const uint64_t memory = arena_address + static_cast<uint64_t>(index) * arena_of_call;

	fuzz_copy(reinterpret_cast<void *>(memory), &board.bytes[step.image], step.image_size);
	for (uint32_t i = 0; i < step.store_count; i++) {
		const Store &store = board.stores[step.first_store + i];
		const uint64_t value = value_of(board, store.operand);

		fuzz_copy(reinterpret_cast<void *>(memory + store.offset), &value, store.size);
	}
}

int64_t execute_failing(Board &board, int seat, int index, Step &step)
{
	const bool each = step.fail == each_one;
	int64_t result = 0;

	for (uint32_t n = each ? 1 : step.fail; n <= most_failures; n++) {
		fill(board, index, step);
		fail_later(n);
		result = execute(board, seat, index, step);
		const bool failed = has_failed();

		fail_later(0);
		step.failed += failed;
		if (!each || !failed)
			break;
	}
	return result;
}

void make(Board &board, int seat, int index)
{
	Step &step = board.steps[index];

	if (step.fail && !step.detached) {
		finish(board, index, execute_failing(board, seat, index, step));
		return;
	}
	fill(board, index, step);
	finish(board, index, execute(board, seat, index, step));
}

int make_detached(void *pointer)
{
	const Part &part = *static_cast<Part *>(pointer);

	record(*part.board, max_actors + part.board->detached.fetch_add(1));
	make(*part.board, part.seat, part.step);
	raw(SYS_exit, 0);
	__builtin_unreachable();
}

[[noreturn]] void serve(Board &board, int index)
{
	Seat &seat = board.seats[index];

	for (;;) {
		seat.idle = 1;
		wake(seat.idle);
		if (!seat.order.load())
			wait_while(seat.order, 0, -1);
		const uint32_t order = seat.order.exchange(0);
		const int step = static_cast<int>(order) - 1;

		if (order == order_clean)
			clean();
		if (!order || order == order_clean)
			continue;
		if (board.steps[step].detached && board.steps[step].function != Function::Exec) {
			parts[step] = {&board, index, step};
			if (clone(make_detached, stacks[step] + stack_size,
				  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, &parts[step]) > 0)
				continue;
		}
		make(board, index, step);
	}
}

int play(void *pointer)
{
	const Part part = *static_cast<Part *>(pointer);

	part.board->seats[part.seat].pid = static_cast<int32_t>(raw(SYS_getpid));
	open_fail_nth();
	record(*part.board, part.seat);
	serve(*part.board, part.seat);
}

} // namespace

void act(Board &board, int seat, int step)
{
	prepare();
	/* After the change of user the files in /proc are root's again. */
	raw(SYS_prctl, PR_SET_DUMPABLE, 1);
	open_fail_nth();
	board.seats[seat].pid = static_cast<int32_t>(raw(SYS_getpid));
	record(board, seat);
	if (step >= 0)
		finish(board, step, 0);
	serve(board, seat);
}

} // namespace kfdm::fuzz
