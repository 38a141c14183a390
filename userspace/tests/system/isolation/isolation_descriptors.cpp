// SPDX-License-Identifier: MIT
/*
 * isolation_descriptors.cpp - what another user's process gets from a descriptor of /dev/kfd that it was given (SCM_RIGHTS), has inherited
 * (fork, exec), or takes by way of the process that has it (ptrace, pidfd, /proc); and from capabilities in a user namespace.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

#include <drm/amdgpu_drm.h>

#include "files.hpp"
#include "gpu.hpp"
#include "kfd_newer.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t secret = 0x5ec3e701;

struct Board {
	pid_t owner;
	int kfd, render;
	uint32_t gpu;
	uint64_t vram, doorbell, slice;
	int mmap_errno; /* what the driver says of others' mmap() */
	std::atomic<bool> done;
};

/* An errno of something that is -1 on failure. */
template <typename Result> int errno_if_failed(Result result) { return result == static_cast<Result>(-1) ? errno : 0; }

int mmap_errno(int fd, size_t bytes, uint64_t offset)
{
	return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset)) == MAP_FAILED ? errno : 0;
}

/* All that a process may ask of a descriptor of /dev/kfd that another one has opened. A tracer may checkpoint, with a capability. */
void is_of_no_use(const Board &board, int kfd, int checkpoint = EBADF)
{
	for (unsigned nr = AMDKFD_COMMAND_START; nr < AMDKFD_COMMAND_END; nr++) {
		uint8_t args[256] = {};
		const unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, AMDKFD_IOCTL_BASE, nr, sizeof(args));

		if (!CHECK_ERRNO(nr == _IOC_NR(AMDKFD_IOC_CRIU_OP) ? checkpoint : EBADF, try_ioctl(kfd, request, args)))
			fmt::print("    ioctl {:#x}\n", nr);
	}
	CHECK_ERRNO(board.mmap_errno, mmap_errno(kfd, board.slice, board.doorbell & ~uint64_t{board.slice - 1}));
	CHECK_ERRNO(board.mmap_errno, mmap_errno(kfd, 4096, uint64_t{board.gpu} << 46));
}

/* The same for a process that has a KFD process of its own: the descriptor does not become its. */
void is_of_no_use_to_users_of_kfd(const Board &board, int kfd)
{
	Gpu gpu;

	is_of_no_use(board, kfd);
}

void owns(Board &board, int socket)
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Buffer vram = Buffer::vram(gpu.device, 4096);

	std::ranges::fill(vram.as<uint32_t>(), secret);
	board.owner = getpid();
	board.kfd = gpu.fd();
	board.render = gpu.device.render_fd();
	board.gpu = gpu.id();
	board.vram = vram.gpu();
	board.doorbell = queue.doorbell_offset();
	board.slice = gpu.device.doorbell_slice();
	board.mmap_errno = is_7_2() ? EBADF : EINVAL;
	for (int i = 0; i < 2; i++)
		send_fds(socket, {gpu.fd()});
	Child::ready();
	CHECK(eventually([&] { return board.done.load(); }));
	CHECK(works(gpu, queue));
	CHECK_EQ(vram.as<uint32_t>()[0], secret);
}

void is_given(Board &board, int socket)
{
	const std::vector<UniqueFd> fds = receive_fds(socket, 1);

	is_of_no_use(board, fds[0].get());
}

void is_given_and_uses_kfd(Board &board, int socket)
{
	const std::vector<UniqueFd> fds = receive_fds(socket, 1);

	is_of_no_use_to_users_of_kfd(board, fds[0].get());
}

/* Ways into another process that the kernel closes for another user; they stay closed where the GPU is concerned. */
void looks_in(const Board &board)
{
	uint32_t word = 0;
	iovec here = {&word, 4}, there = {reinterpret_cast<void *>(board.vram), 4};
	const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, board.owner, 0)));
	const std::string proc = fmt::format("/proc/{}/", board.owner);

	CHECK_ERRNO(EPERM, errno_if_failed(syscall(SYS_pidfd_getfd, process.get(), board.kfd, 0)));
	CHECK_ERRNO(EPERM, errno_if_failed(ptrace(PTRACE_ATTACH, board.owner, nullptr, nullptr)));
	CHECK_ERRNO(EPERM, errno_if_failed(process_vm_readv(board.owner, &here, 1, &there, 1, 0)));
	for (const char *file : {"mem", "maps", "fd/0", "fdinfo/0", "map_files"})
		CHECK_ERRNO(EACCES, errno_of([&] { (void)read_file(proc + file); }));
	CHECK_EQ(word, 0U);
}

/* Its own user does get in (a debugger), and then has what its process may have. */
void is_traced_by_its_user(const Board &board)
{
	CHECK_EQ(ptrace(PTRACE_ATTACH, board.owner, nullptr, nullptr), 0);
	CHECK_EQ(waitpid(board.owner, nullptr, __WALL), board.owner);
	const UniqueFd kfd = fd_of(board.owner, board.kfd);
	CHECK(static_cast<bool>(kfd));
	is_of_no_use(board, kfd.get(), EACCES);
	CHECK_EQ(ptrace(PTRACE_DETACH, board.owner, nullptr, nullptr), 0);
}

/* All capabilities, over nothing that there was before. */
void is_root_in_a_namespace(const Board &board)
{
	Gpu gpu;
	kfd_ioctl_criu_args criu = {};
	drm_amdgpu_ctx context = {};

	if (unshare(CLONE_NEWUSER)) {
		fmt::print("    no user namespaces here\n");
		return;
	}
	looks_in(board);
	criu.op = KFD_CRIU_OP_PROCESS_INFO;
	CHECK_ERRNO(EACCES, call(gpu.fd(), AMDKFD_IOC_CRIU_OP, criu));
	context.in.op = AMDGPU_CTX_OP_ALLOC_CTX;
	context.in.priority = AMDGPU_CTX_PRIORITY_HIGH;
	CHECK_ERRNO(EACCES, call(gpu.device.render_fd(), DRM_IOCTL_AMDGPU_CTX, context));
	CHECK_ERRNO(EACCES, errno_if_failed(open("/dev/amdgpu_model_ctl", O_RDWR)));
}

/* A fork has the descriptors and not the mappings of doorbells, signal pages and the page for HDP flushes. */
void forks()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	volatile uint64_t *doorbell = gpu.device.doorbell(queue.doorbell_offset());
	Board board = {};

	board.gpu = gpu.id();
	board.doorbell = queue.doorbell_offset();
	board.slice = gpu.device.doorbell_slice();
	board.mmap_errno = is_7_2() ? EBADF : EINVAL;
	Child child([&] { is_of_no_use(board, gpu.fd()); });
	CHECK_EQ(child.join(), 0);
	Child rings([&] { *doorbell = 0; });
	CHECK_EQ(rings.join(), 128 + SIGSEGV);
	CHECK(works(gpu, queue));
}

/* Another program in the same process: it has the descriptor, and is not who opened it. */
void executes(const char *self)
{
	Gpu gpu;
	const UniqueFd kept(dup(gpu.fd())); /* without O_CLOEXEC */

	setenv("KFDM_TEST_KFD", std::to_string(kept.get()).c_str(), 1);
	setenv("KFDM_TEST_GPU", std::to_string(gpu.id()).c_str(), 1);
	execl(self, self, nullptr);
	fail(__FILE__, __LINE__, "exec");
}

void is_executed(const char *fd)
{
	Board board = {};

	board.gpu = static_cast<uint32_t>(std::stoul(getenv("KFDM_TEST_GPU")));
	board.slice = 4096;
	board.mmap_errno = is_7_2() ? EBADF : EINVAL;
	is_of_no_use(board, std::atoi(fd));
}

} // namespace

KFDM_TEST("a descriptor of /dev/kfd works for the process that has opened it, and for no other")
{
	if (const char *fd = std::getenv("KFDM_TEST_KFD"))
		return is_executed(fd);

	Shared<Board> board;
	int sockets[2];

	admit_users();
	REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	Child owner = as(alice, [&] { owns(*board, sockets[0]); });
	REQUIRE(owner.wait_ready());

	const struct {
		const char *name;
		User user;
		std::function<void()> work;
	} others[] = {
		{"is given it", bob, [&] { is_given(*board, sockets[1]); }},
		{"is given it and has its own", bob, [&] { is_given_and_uses_kfd(*board, sockets[1]); }},
		{"looks into the process", bob, [&] { looks_in(*board); }},
		{"is root in a user namespace", bob, [&] { is_root_in_a_namespace(*board); }},
		{"traces it as its user", alice, [&] { is_traced_by_its_user(*board); }},
		{"forks", carol, forks},
		{"executes a program", carol, [] { executes("/proc/self/exe"); }},
	};
	for (const auto &other : others) {
		Child child = as(other.user, other.work);

		if (!CHECK_EQ(child.join(), 0))
			fmt::print("    who {}\n", other.name);
	}
	board->done = true;
	CHECK_EQ(owner.join(), 0);
}
