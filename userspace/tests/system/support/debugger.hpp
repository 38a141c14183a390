// SPDX-License-Identifier: MIT
/*
 * debugger.hpp - a small debugger: DBG_TRAP of Linux 7.2, and programs to attach to.
 */
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "kfd_newer.hpp"
#include "process.hpp"

namespace kfdm::test {

/* Operations of DBG_TRAP, exceptions: <linux/kfd_ioctl.h> since Linux 6.5. */
enum DebugOp : uint32_t {
	debug_enable,
	debug_disable,
	debug_send_runtime_event,
	debug_set_exceptions_enabled,
	debug_set_wave_launch_override,
	debug_set_wave_launch_mode,
	debug_suspend_queues,
	debug_resume_queues,
	debug_set_node_address_watch,
	debug_clear_node_address_watch,
	debug_set_flags,
	debug_query_debug_event,
	debug_query_exception_info,
	debug_queue_snapshot,
	debug_device_snapshot,
};

constexpr uint64_t exception_mask(unsigned code) { return uint64_t{1} << (code - 1); }

inline constexpr unsigned ec_wave_trap = 2, ec_math_error = 3, ec_illegal_instruction = 4, ec_wave_memory_violation = 5, ec_queue_new = 31,
			  ec_queue_delete = 32, ec_memory_violation = 33, ec_process_runtime = 48;
inline constexpr uint32_t queue_error = 1U << 30, queue_invalid = 1U << 31;

struct RuntimeInfo {
	uint64_t r_debug;
	uint32_t runtime_state, ttmp_setup;
};

struct DebugEvent {
	uint64_t exceptions;
	uint32_t gpu, queue;
};

/** A debugger's half of a session with one process. Nothing is detached at its end. */
class Debugger {
public:
	Debugger(int kfd, pid_t pid) : kfd_(kfd), pid_(static_cast<uint32_t>(pid))
	{
		if (pipe2(bell_, O_NONBLOCK | O_CLOEXEC))
			throw_errno("pipe2");
	}
	Debugger(const Debugger &) = delete;
	Debugger &operator=(const Debugger &) = delete;
	~Debugger()
	{
		close(bell_[0]);
		close(bell_[1]);
	}

	/** Return: what the operation returns, or its errno, negative. */
	int operate(DebugOp op, void *of_the_op, size_t bytes)
	{
		DbgTrap args = {pid_, op, {}};
		int ret;

		memcpy(args.of_the_op, of_the_op, bytes);
		ret = ioctl(kfd_, DbgTrap::request, &args);
		if (ret < 0)
			ret = -errno;
		memcpy(of_the_op, args.of_the_op, bytes);
		return ret;
	}
	int operate(DebugOp op)
	{
		uint64_t nothing = 0;

		return operate(op, &nothing, sizeof(nothing));
	}
	template <typename T> int operate(DebugOp op, T &of_the_op)
	{
		static_assert(sizeof(T) <= 24);
		return operate(op, &of_the_op, sizeof(T));
	}

	int attach(uint64_t exceptions)
	{
		struct {
			uint64_t exceptions, info;
			uint32_t info_size, fd;
		} args = {exceptions, reinterpret_cast<uint64_t>(&info), sizeof(info), static_cast<uint32_t>(bell_[1])};

		return operate(debug_enable, args);
	}
	int detach() { return operate(debug_disable); }
	int send(uint64_t exceptions, uint32_t gpu = 0, uint32_t queue = 0)
	{
		DebugEvent args = {exceptions, gpu, queue};

		return operate(debug_send_runtime_event, args);
	}
	int enable(uint64_t exceptions) { return operate(debug_set_exceptions_enabled, exceptions); }
	/** The next event, of which @clear are cleared; nobody waits for it. */
	int query(DebugEvent &event, uint64_t clear)
	{
		event = {clear, 0, 0};
		return operate(debug_query_debug_event, event);
	}
	template <typename T> int info_of(unsigned code, uint32_t source, bool clear, T &what, uint32_t *size)
	{
		struct {
			uint64_t info;
			uint32_t size, source, code, clear;
		} args = {reinterpret_cast<uint64_t>(&what), sizeof(what), source, code, clear};
		const int ret = operate(debug_query_exception_info, args);

		*size = args.size;
		return ret;
	}
	/** Waits until the bell has rung, and takes all that it has rung. */
	bool rung(std::chrono::milliseconds limit = patience)
	{
		pollfd fd = {bell_[0], POLLIN, 0};
		char bytes[64];

		if (::poll(&fd, 1, static_cast<int>(limit.count())) != 1)
			return false;
		while (read(bell_[0], bytes, sizeof(bytes)) > 0) {}
		return true;
	}
	/** Waits for an event with one of @exceptions, which it clears; others stay. */
	bool wait_for(uint64_t exceptions, DebugEvent &event)
	{
		while (query(event, exceptions) || !(event.exceptions & exceptions))
			if (!rung())
				return false;
		return true;
	}

	RuntimeInfo info = {};

private:
	int kfd_;
	uint32_t pid_;
	int bell_[2] = {-1, -1};
};

/** Seizes a process, which runs on. Return: 0 or the errno. */
inline int seize(pid_t pid) { return ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) ? errno : 0; }

} // namespace kfdm::test
