// SPDX-License-Identifier: MIT
/*
 * executor.cpp - the process that has actors, tells them which call to make, and buries them.
 */
#include "executor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/kcov.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kfdm/error.hpp"
#include "fail_nth.hpp"
#include "users.hpp"

namespace kfdm::fuzz {

namespace {

/** @fd at a number of its own, kept over exec. */
void move_to(int fd, int number)
{
	if (fd < 0 || dup2(fd, number) < 0)
		throw_errno("a descriptor of the executor");
	close(fd);
}

uint64_t number_in(const std::string &path, int base)
{
	std::ifstream in(path);
	std::string text;

	in >> text;
	return text.empty() ? 0 : std::strtoull(text.c_str(), nullptr, base);
}

constexpr uint32_t first_render_minor = 128;

/** A device that somebody still has open keeps its minor: the next one gets another. */
uint32_t render_minor()
{
	for (uint32_t minor = first_render_minor; minor < first_render_minor + 64; minor++)
		if (access(("/dev/dri/renderD" + std::to_string(minor)).c_str(), F_OK) == 0)
			return minor;
	return first_render_minor;
}

uint64_t now_us()
{
	timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_nsec) / 1000;
}

/** Adds the time until its end to a sum. */
class Stopwatch {
public:
	explicit Stopwatch(uint64_t &sum) : sum_(sum), begin_(now_us()) {}
	Stopwatch(const Stopwatch &) = delete;
	~Stopwatch() { sum_ += now_us() - begin_; }

private:
	uint64_t &sum_;
	uint64_t begin_;
};

} // namespace

const std::vector<std::string> &Coverage::modules()
{
	static const std::vector<std::string> names{"kfd_model", "amdgpu_model"};

	return names;
}

Coverage::Coverage()
{
	for (const std::string &name : modules()) {
		const uint64_t start = number_in("/sys/module/" + name + "/sections/.text", 16);

		text_.emplace_back(start, start + number_in("/sys/module/" + name + "/coresize", 10));
	}
	for (int i = 0; i < kcov_areas; i++) {
		const int fd = open("/sys/kernel/debug/kcov", O_RDWR);

		if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, kcov_words))
			return;
		void *area = mmap(nullptr, kcov_words * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (area == MAP_FAILED)
			throw_errno("mmap of KCOV's area");
		madvise(area, kcov_words * sizeof(uint64_t), MADV_DONTFORK); /* actors have no use for it */
		move_to(fd, kcov_fd + i);
		areas_.push_back(static_cast<uint64_t *>(area));
	}
}

Coverage::~Coverage()
{
	for (uint64_t *area : areas_)
		munmap(area, kcov_words * sizeof(uint64_t));
}

std::set<Place> Coverage::take()
{
	std::set<Place> places;

	for (uint64_t *area : areas_) {
		const uint64_t count = std::min<uint64_t>(area[0], kcov_words - 1);
		uint64_t last = 0;

		for (uint64_t i = 1; i <= count; i++) {
			if (area[i] == last)
				continue;
			last = area[i];
			for (size_t module = 0; module < text_.size(); module++)
				if (last >= text_[module].first && last < text_[module].second)
					places.insert({static_cast<int>(module), last - text_[module].first});
		}
		area[0] = 0;
	}
	return places;
}

Board *map_board()
{
	void *at = mmap(reinterpret_cast<void *>(board_address), sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
			board_fd, 0);

	if (at == MAP_FAILED)
		throw_errno("mmap of the board");
	return static_cast<Board *>(at);
}

Executor::Executor(const Description &description) : description_(description)
{
	const int board = memfd_create("board", 0);

	if (ftruncate(board, sizeof(Board)))
		throw_errno("ftruncate");
	move_to(board, board_fd);
	move_to(open("/proc/self/exe", O_RDONLY), program_fd);
	board_ = map_board();
	board_->coverage = coverage_.on();
	board_->render_minor = render_minor();
	board_->gpu_id = static_cast<uint32_t>(number_in("/sys/class/kfd/kfd/topology/nodes/1/gpu_id", 10));
	/* So often, every 2 ms, it is looked whether a call has ended, and whether it sleeps until it gets a signal. */
	looks_at_call_ = coverage_.on() ? 60 : 20; /* a kernel with KCOV is one that looks for mistakes: slow */
	looks_at_sleeper_ = 5;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test::FailNth::allow();
}

void Executor::be_patient()
{
	looks_at_call_ = 10'000;
	looks_at_sleeper_ = looks_at_call_;
}

void Executor::start_actor(int seat)
{
	const pid_t pid = fork();

	if (pid < 0)
		throw_errno("fork");
	if (pid)
		return;
	try {
		const int nothing = open("/dev/null", O_RDWR);

		for (int i = 0; i < 3; i++)
			dup2(nothing, i);
		close_range(3, board_fd - 1, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		test::become(seat ? test::bob : test::alice);
		act(*board_, seat, -1);
	} catch (const std::exception &) {
		_exit(1);
	}
}

namespace {

/** Not a call for actors: root reads a file. */
int64_t read_as_root(const Board &board, const Step &step)
{
	if (!step.image_size)
		return -ENOENT;
	std::string path = reinterpret_cast<const char *>(&board.bytes[step.image]);
	static constexpr std::string_view first_gpu = "/sys/kernel/debug/dri/0/";

	if (path.starts_with(first_gpu))
		path.replace(first_gpu.size() - 2, 1, std::to_string(board.render_minor - first_render_minor));
	const std::ifstream in(path, std::ios::binary);
	std::ostringstream text;

	if (!in)
		return -ENOENT;
	text << in.rdbuf();
	return static_cast<int64_t>(text.str().size());
}

/** The driver of the first GPU is unbound and bound again, whether it is in use or not. */
int64_t replug()
{
	const std::string driver = "/sys/bus/pci/drivers/amdgpu_model/";
	std::string slot;

	for (const auto &entry : std::filesystem::directory_iterator(driver))
		if (const std::string name = entry.path().filename(); name.find(':') != std::string::npos && (slot.empty() || name < slot))
			slot = name;
	for (const char *file : {"unbind", "bind"}) {
		std::ofstream out(driver + file);

		if (!(out << slot << std::flush))
			return -ENODEV;
	}
	test::admit_users();
	return 0;
}

} // namespace

/** Is its process in the middle of a call that waits for something? */
bool Executor::sleeps(const Seat &seat) const
{
	char path[32], text[256];

	std::snprintf(path, sizeof(path), "/proc/%d/stat", seat.pid.load());
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t size = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[std::max<ssize_t>(size, 0)] = 0;
	const char *name_end = std::strrchr(text, ')');

	return name_end && std::strncmp(name_end, ") S", 3) == 0;
}

Outcome Executor::make(size_t index)
{
	Step &step = board_->steps[index];
	Seat &seat = board_->seats[step.actor];

	if (step.function == Function::ReadAsRoot)
		return {read_as_root(*board_, step), 0, Outcome::Made};
	if (step.function == Function::Replug) {
		const int64_t result = replug();

		board_->render_minor = render_minor();
		return {result, 0, Outcome::Made};
	}
	if (step.actor >= board_->born.load())
		return {};
	/* An actor that is still in its last call is left alone. */
	if (!wait_while(seat.idle, 0, 5) || !seat.pid.load())
		return {};
	seat.idle = 0;
	seat.order = static_cast<uint32_t>(index) + 1;
	wake(seat.order);
	if (step.detached)
		return {0, 0, Outcome::Late};
	int asleep = 0;

	/* What waits for an event or a fence gets a signal after a while: most of these never come. */
	for (int looks = 0; looks < looks_at_call_ && asleep < 2 * looks_at_sleeper_; looks++) {
		if (wait_while(step.done, 0, 2))
			return {step.result, step.failed, Outcome::Made};
		const Stopwatch late(spent_.late);

		bury();
		if (!seat.pid.load())
			return {0, 0, Outcome::Died};
		asleep = sleeps(seat) ? asleep + 1 : 0;
		if (asleep == looks_at_sleeper_)
			kill(seat.pid, SIGUSR1);
	}
	return {0, 0, Outcome::Late};
}

/** Notes the actors that have ended; false if none is left. */
bool Executor::bury()
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (Seat &seat : board_->seats)
			if (seat.pid == pid)
				seat.pid = 0;
	return pid == 0 || errno != ECHILD;
}

/** Ends the processes from seat @first on; false if one does not end. */
bool Executor::end(int first)
{
	for (int round = 0; round < 4000; round++) {
		bool left = false;

		for (int seat = first; seat < max_actors; seat++)
			if (const int32_t one = board_->seats[seat].pid.load(); one > 1) {
				left = true;
				if (kill(one, SIGKILL))
					board_->seats[seat].pid = 0; /* has ended before anybody knew of it */
			}
		if (!bury() || (first && !left))
			return true;
		usleep(round < 20 ? 200 : 5000);
	}
	return false;
}

/** Two new processes. */
void Executor::begin()
{
	const Stopwatch start(spent_.start);
	int sockets[2];

	for (Seat &seat : board_->seats)
		seat.pid = 0, seat.order = 0, seat.idle = 0;
	board_->detached = 0;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sockets))
		throw_errno("socketpair");
	move_to(sockets[0], send_fd);
	move_to(sockets[1], receive_fd);
	for (int seat : {0, 1})
		start_actor(seat);
	for (int seat : {0, 1})
		wait_while(board_->seats[seat].idle, 0, 5000);
	alive_ = true;
}

/** Makes the two processes ready for another program; false if there shall be new ones. */
bool Executor::clean(const Program &program)
{
	for (size_t i = 0; i < program.calls.size(); i++)
		if (program.calls[i].detached && program.calls[i].actor < 2 && !wait_while(board_->steps[i].done, 0, 4))
			return false; /* a thread of it still makes a call */
	for (Seat *seat = board_->seats; seat < board_->seats + 2; seat++)
		if (!wait_while(seat->idle, 0, 5) || !seat->pid.load())
			return false;
	/* No process is left that could make another one. */
	if (!end(2))
		return false;
	for (Seat *seat = board_->seats; seat < board_->seats + 2; seat++) {
		seat->idle = 0;
		seat->order = order_clean;
		wake(seat->order);
	}
	/* Descriptors that are under way: without room for them they go. */
	for (char byte; recv(receive_fd, &byte, 1, MSG_DONTWAIT) >= 0;)
		;
	for (Seat *seat = board_->seats; seat < board_->seats + 2; seat++)
		if (!wait_while(seat->idle, 0, 500))
			return false;
	return board_->detached < kcov_areas - max_actors;
}

Run Executor::run(const Program &program, bool keep)
{
	Run run;

	if (!program.same_processes || !alive_) {
		if (alive_ && !end())
			run.stuck = true;
		put(description_, program, *board_);
		begin();
	} else {
		put(description_, program, *board_);
	}
	board_->born = 2;
	coverage_.take();
	{
		const Stopwatch calls(spent_.calls);

		for (size_t i = 0; i < program.calls.size(); i++)
			run.calls.push_back(make(i));
	}
	{
		const Stopwatch end(spent_.end);

		if (!keep || !clean(program)) {
			run.stuck |= !this->end();
			/* A descriptor that is still under way would come out of the next program's socket. */
			close(send_fd);
			close(receive_fd);
			alive_ = false;
		}
	}
	for (size_t i = 0; i < program.calls.size(); i++)
		if ((run.calls[i].state == Outcome::Late || run.calls[i].state == Outcome::Died) && board_->steps[i].done.load())
			run.calls[i] = {board_->steps[i].result, board_->steps[i].failed, Outcome::Made};
	run.places = coverage_.take();
	for (size_t i = 0; i < program.calls.size(); i++)
		if (run.calls[i].state == Outcome::Made && run.calls[i].result >= 0)
			run.places.insert({Place::success, static_cast<uint64_t>(program.calls[i].call)});
	return run;
}

KernelLog::KernelLog() : fd_(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC))
{
	if (fd_ < 0)
		throw_errno("/dev/kmsg");
	lseek(fd_, 0, SEEK_END);
}

std::string KernelLog::fresh()
{
	std::string text;
	char line[8192];
	ssize_t size;

	/* EPIPE: lines were lost. */
	while ((size = read(fd_, line, sizeof(line) - 1)) > 0 || (size < 0 && errno == EPIPE)) {
		if (size < 0)
			continue;
		line[size] = 0;
		const char *words = std::strchr(line, ';');

		text += words ? words + 1 : line;
	}
	return text;
}

std::string KernelLog::splats(const std::string &text)
{
	/* Programs make the modules say this and that: a process for each line would take more time than they do. */
	static constexpr const char *words[] = {"BUG",		"Oops",	       "protection fault",
						"double fault", "panic",       "WARNING",
						"KASAN",	"UBSAN",       "KCSAN",
						"KFENCE",	"refcount",    "ODEBUG",
						"lock",		"RCU",	       "RQ-safe",
						"DEBUG",	"non-static",  "context",
						"MAX_",		"atomic",      "list_",
						"Objects",	"overwritten", "INFO",
						"LOCKUP",	"rcu",	       "objtool",
						"duplicate",	"same name"};

	if (std::none_of(std::begin(words), std::end(words), [&](const char *word) { return text.find(word) != std::string::npos; }))
		return "";
	const std::string path = "/run/ioctl_fuzz.log";
	std::ofstream(path) << text;
	FILE *pipe = popen((FUZZ_ROOT "/qemu/splats " + path).c_str(), "r");
	std::string found;
	char piece[512];

	if (!pipe)
		throw_errno("qemu/splats");
	while (std::fgets(piece, sizeof(piece), pipe))
		found += piece;
	pclose(pipe);
	return found;
}

} // namespace kfdm::fuzz
