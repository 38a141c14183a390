// SPDX-License-Identifier: MIT
/*
 * preload.cpp - libioctl_record.so, for LD_PRELOAD: writes what calls a program makes of the GPU's drivers, a file for each of its
 * processes, into the folder that KFDM_RECORD names. The file of a child begins with what its parent had done before.
 */
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <pthread.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "recorder.hpp"

namespace kfdm::fuzz {

namespace {

/* Long tests do the same again and again. */
constexpr int most_calls = 2000;

/* The first way knows memory only, the second also what a device maps: buffers of the GPU. */
bool peek(uint64_t address, void *to, size_t size)
{
	const iovec local{to, size}, remote{reinterpret_cast<void *>(address), size};
	const auto all = static_cast<ssize_t>(size);
	int ends[2];

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == all)
		return true;
	if (address < 4096 || pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		return false;
	const bool read = syscall(SYS_write, ends[1], address, size) == all && syscall(SYS_read, ends[0], to, size) == all;

	for (const int end : ends)
		syscall(SYS_close, end);
	return read;
}

std::vector<uint32_t> gpu_ids()
{
	std::vector<uint32_t> ids;

	for (int node = 0;; node++) {
		std::ifstream in("/sys/class/kfd/kfd/topology/nodes/" + std::to_string(node) + "/gpu_id");
		uint32_t id;

		if (!(in >> id))
			return ids;
		if (id)
			ids.push_back(id);
	}
}

std::string unknown(uint64_t command)
{
	std::ostringstream line;

	line << unknown_line << "0x" << std::hex << command << "\n";
	return line.str();
}

/** The process's trace. What it does itself is not recorded: see recorded(). */
class Trace {
public:
	/** Nothing is known before the first device is opened. */
	static Trace *begun() { return begun_; }
	static Trace *begin()
	{
		static std::once_flag once;

		std::call_once(once, [] {
			if (std::getenv("KFDM_RECORD"))
				begun_ = new Trace;
		});
		return begun_;
	}

	/** Decodes a call, makes it, keeps it. */
	template <typename Make> long record(std::string_view base, const Registers &registers, const Make &make)
	{
		std::optional<Recorder::Pending> pending;
		{
			const std::lock_guard lock(mutex_);

			if (base == "close" && !recorder_.closed(registers[0]))
				return make();
			if (count_ < most_calls)
				pending = recorder_.before(base, registers);
			if (!pending && base == "ioctl" && count_ < most_calls && recorder_.is_known(registers[0]))
				keep(unknown(registers[1]));
		}
		const long result = make();
		const int error = errno;

		if (pending) {
			const std::lock_guard lock(mutex_);
			const int64_t made = result == -1 ? -error : result;
			const bool opened = pending->invocation.call == opens_kfd_ && made >= 0;

			count_++;
			keep(recorder_.after(std::move(*pending), made));
			if (opened)
				keep(recorder_.apertures(static_cast<uint64_t>(made), gpu_ids()));
		}
		errno = error;
		return result;
	}
	void duplicated(int fd, long copy)
	{
		const std::lock_guard lock(mutex_);

		if (copy >= 0)
			recorder_.duplicated(static_cast<uint64_t>(fd), static_cast<uint64_t>(copy));
	}
	bool is_known(int fd)
	{
		const std::lock_guard lock(mutex_);

		return recorder_.is_known(static_cast<uint64_t>(fd));
	}
	bool is_named(uint64_t address, uint64_t size)
	{
		const std::lock_guard lock(mutex_);

		return recorder_.is_named(address, size);
	}

private:
	Trace() : recorder_(description_, peek)
	{
		read_descriptions(description_);
		opens_kfd_ = description_.find("openat$kfd");
		pthread_atfork([] { begun()->mutex_.lock(); }, [] { begun()->mutex_.unlock(); },
			       [] {
				       begun()->mutex_.unlock();
				       begun()->file_.clear();
			       });
	}
	void keep(const std::string &lines)
	{
		const bool fresh = file_.empty();

		text_ += lines;
		if (fresh)
			file_ = std::string(std::getenv("KFDM_RECORD")) + "/" + std::to_string(getpid());
		std::ofstream(file_, std::ios::app) << (fresh ? text_ : lines);
	}

	static inline std::atomic<Trace *> begun_;
	Description description_;
	Recorder recorder_;
	std::mutex mutex_;
	std::string text_, file_;
	int opens_kfd_ = -1, count_ = 0;
};

thread_local bool inside; /* what the recorder does itself is not recorded */

/** Makes a call, and records it where it @concerns the GPU. */
template <typename Concerns, typename Make>
long recorded(std::string_view base, const Registers &registers, const Concerns &concerns, const Make &make)
{
	if (inside)
		return make();
	inside = true;
	Trace *trace = base == "openat" ? Trace::begin() : Trace::begun();
	const long result = trace && concerns(*trace) ? trace->record(base, registers, make) : make();

	inside = false;
	return result;
}

template <typename... T> Registers registers_of(T... values) { return {static_cast<uint64_t>(values)...}; }

uint64_t number(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

auto known(int fd)
{
	return [fd](Trace &trace) { return trace.is_known(fd); };
}

auto named(const void *address, size_t size)
{
	return [=](Trace &trace) { return trace.is_named(number(address), size); };
}

int open_at(int folder, const char *path, int flags, mode_t mode)
{
	const std::string_view name = path ? path : "";
	const bool of_the_gpu = name == "/dev/kfd" || name.starts_with("/dev/dri/renderD") || name.starts_with("/sys/class/kfd/");
	const auto make = [=] { return syscall(SYS_openat, folder, path, flags, mode); };

	if (!of_the_gpu)
		return static_cast<int>(make());
	return static_cast<int>(
		recorded("openat", registers_of(folder, number(path), flags & ~O_CLOEXEC, mode), [](Trace &) { return true; }, make));
}

/* No call of its own: the copy stands for the same descriptor. */
int duplicated(int fd, long copy)
{
	if (Trace *trace = inside ? nullptr : Trace::begun())
		trace->duplicated(fd, copy);
	return static_cast<int>(copy);
}

/* Where it lies is known afterwards. A program's hint may lead another one elsewhere: MAP_FIXED. */
void *map(void *hint, size_t size, int protection, int flags, int fd, off_t offset)
{
	const long at = syscall(SYS_mmap, hint, size, protection, flags, fd, offset);
	const uint64_t place = at == -1 ? number(hint) : static_cast<uint64_t>(at);
	const auto concerns = [=](Trace &trace) { return fd >= 0 ? trace.is_known(fd) : at != -1 && trace.is_named(place, size); };
	const int error = errno;

	return reinterpret_cast<void *>(
		recorded("mmap", registers_of(place, size, protection, flags | MAP_FIXED, fd, offset), concerns, [=] {
			errno = error;
			return at;
		}));
}

} // namespace

} // namespace kfdm::fuzz

/* What programs call. The names and types are glibc's. */
using namespace kfdm::fuzz;

extern "C" {

int open(const char *path, int flags, ...)
{
	va_list list;

	va_start(list, flags);
	const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list list;

	va_start(list, flags);
	const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_at(folder, path, flags, mode);
}

int ioctl(int fd, unsigned long command, ...) noexcept
{
	va_list list;

	va_start(list, command);
	void *argument = va_arg(list, void *);
	va_end(list);
	return static_cast<int>(recorded("ioctl", registers_of(fd, command, number(argument)), known(fd),
					 [=] { return syscall(SYS_ioctl, fd, command, argument); }));
}

int fcntl(int fd, int command, ...)
{
	va_list list;

	va_start(list, command);
	const long argument = va_arg(list, long);
	va_end(list);
	const long result = syscall(SYS_fcntl, fd, command, argument);

	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : static_cast<int>(result);
}

int dup(int fd) noexcept { return duplicated(fd, syscall(SYS_dup, fd)); }

int close(int fd)
{
	return static_cast<int>(recorded("close", registers_of(fd), known(fd), [=] { return syscall(SYS_close, fd); }));
}

ssize_t read(int fd, void *to, size_t size)
{
	return recorded("read", registers_of(fd, number(to), size), known(fd), [=] { return syscall(SYS_read, fd, to, size); });
}

ssize_t write(int fd, const void *from, size_t size)
{
	return recorded("write", registers_of(fd, number(from), size), known(fd), [=] { return syscall(SYS_write, fd, from, size); });
}

void *mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset) noexcept
{
	return map(hint, size, protection, flags, fd, offset);
}

int munmap(void *at, size_t size) noexcept
{
	return static_cast<int>(
		recorded("munmap", registers_of(number(at), size), named(at, size), [=] { return syscall(SYS_munmap, at, size); }));
}

int mprotect(void *at, size_t size, int protection) noexcept
{
	return static_cast<int>(recorded("mprotect", registers_of(number(at), size, protection), named(at, size),
					 [=] { return syscall(SYS_mprotect, at, size, protection); }));
}

int madvise(void *at, size_t size, int advice) noexcept
{
	return static_cast<int>(recorded("madvise", registers_of(number(at), size, advice), named(at, size),
					 [=] { return syscall(SYS_madvise, at, size, advice); }));
}

int fcntl64(int, int, ...) __attribute__((alias("fcntl")));
int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
void *mmap64(void *, size_t, int, int, int, off_t) noexcept __attribute__((alias("mmap")));
}
