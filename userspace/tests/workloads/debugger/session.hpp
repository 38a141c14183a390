// SPDX-License-Identifier: MIT
/*
 * session.hpp - a program in the hands of a debugger: what AMD's librocm-dbgapi leaves to its client
 *
 * The program runs under ptrace. By callbacks the library asks for its memory and for breakpoints in its host code, where its runtime tells of
 * code objects; what its waves do comes as events. One session at a time, all of it on one thread, as ptrace wants.
 */
#pragma once

#include <amd-dbgapi/amd-dbgapi.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

namespace debugger {

/** Throws std::runtime_error with the library's words. */
void check(amd_dbgapi_status_t status, const char *what);

/** An answer of fixed size of one of the library's *_get_info functions. */
template <class T, class Function, class Id, class Query> T info(Function function, Id id, Query query)
{
	T value{};

	check(function(id, query, sizeof(value), &value), "get_info");
	return value;
}

class Wave {
public:
	explicit Wave(amd_dbgapi_wave_id_t id) : id_(id) {}
	amd_dbgapi_wave_id_t id() const { return id_; }
	uint64_t pc() const { return info<uint64_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_PC); }
	uint64_t exec() const { return info<uint64_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_EXEC_MASK); }
	/** AMD_DBGAPI_WAVE_STOP_REASON_* */
	uint32_t reasons() const { return info<uint32_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_STOP_REASON); }
	size_t lanes() const { return info<size_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_LANE_COUNT); }
	/** Of its workgroup in the first dimension. */
	uint32_t workgroup() const;
	/** In its workgroup. */
	uint32_t number() const { return info<uint32_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP); }
	/** Address of its kernel's arguments. */
	uint64_t arguments() const;
	/** A wave that a breakpoint has stopped stands behind the breakpoint's instruction: back to where it is. */
	void return_to_breakpoint() const;
	/** A register by the name that the library gives it: s40, v40, exec. In 32-bit words; lanes follow each other. */
	std::vector<uint32_t> read(const std::string &name) const;
	void write(const std::string &name, const std::vector<uint32_t> &words) const;
	/** 32-bit words of its workgroup's LDS from byte address on. */
	std::vector<uint32_t> read_lds(uint64_t address, size_t words) const;
	void resume() const;
	void step() const;
	void stop() const { check(amd_dbgapi_wave_stop(id_), "wave_stop"); }

private:
	amd_dbgapi_architecture_id_t architecture() const;
	amd_dbgapi_register_id_t find(const std::string &name, size_t *bytes) const;

	amd_dbgapi_wave_id_t id_;
};

class Session {
public:
	/** Starts the program with its arguments and attaches before its first instruction. */
	explicit Session(const std::vector<std::string> &command);
	/** Kills the program if it has not ended. */
	~Session();
	Session(const Session &) = delete;

	amd_dbgapi_process_id_t process() const { return process_; }
	bool runtime_loaded() const { return runtime_loaded_; }
	bool ended() const { return ended_; }
	/** Lets the program run until a code object has the symbol. Its address. */
	uint64_t run_to_symbol(const std::string &name);
	/** Lets everything run until a wave stops, at the breakpoint if it was one; nothing: the program has ended, or the time is over. */
	std::optional<Wave> next_stop(double seconds = 30);
	std::vector<Wave> waves() const;
	/** Lets the program run to its end. Its exit code, -N: ended by signal N. */
	int finish();
	void detach();

	uint32_t read(uint64_t address) const;
	void write(uint64_t address, uint32_t value) const;
	/** A breakpoint in GPU code, by the library's instruction for it. What stood there. */
	uint32_t insert(uint64_t address) const;

	/* For the library's callbacks. */
	pid_t pid() const { return pid_; }
	size_t transfer(uint64_t address, void *to, const void *from, size_t bytes) const;
	void insert_host(uint64_t address, amd_dbgapi_breakpoint_id_t id);
	bool remove_host(amd_dbgapi_breakpoint_id_t id);

private:
	struct HostBreakpoint {
		uint64_t address;
		uint8_t was;
	};
	void turn();
	bool take_events();
	bool take_stops();
	void stopped(pid_t thread, int status);
	bool at_breakpoint(pid_t thread);
	void step_over(pid_t thread, const HostBreakpoint &breakpoint);
	std::optional<uint64_t> symbol(const std::string &name) const;
	std::vector<uint8_t> code_object(amd_dbgapi_code_object_id_t id) const;

	pid_t pid_ = -1;
	int memory_ = -1, notifier_ = -1, code_ = 0;
	bool ended_ = false, attached_ = false, runtime_loaded_ = false, code_objects_changed_ = false;
	amd_dbgapi_process_id_t process_{};
	std::map<uint64_t, HostBreakpoint> breakpoints_; /* by the library's handle */
	std::vector<Wave> stops_;			 /* that nobody has asked for yet */
};

} // namespace debugger
