// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace debugger {
namespace {

constexpr uint8_t int3 = 0xcc;

Session *session_of(amd_dbgapi_client_process_id_t id) { return reinterpret_cast<Session *>(id); }

amd_dbgapi_status_t client_info(amd_dbgapi_client_process_id_t id, amd_dbgapi_client_process_info_t query, size_t size, void *value)
{
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (size != sizeof(amd_dbgapi_os_process_id_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	*static_cast<amd_dbgapi_os_process_id_t *>(value) = session_of(id)->pid();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t id, amd_dbgapi_global_address_t address,
				      amd_dbgapi_breakpoint_id_t breakpoint)
{
	session_of(id)->insert_host(address, breakpoint);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t id, amd_dbgapi_breakpoint_id_t breakpoint)
{
	return session_of(id)->remove_host(breakpoint) ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
}

amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t id, amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size, void *to,
			     const void *from)
{
	if (!to == !from)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	const size_t wanted = *size;

	*size = session_of(id)->transfer(address, to, from, wanted);
	return *size || !wanted ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

void log(amd_dbgapi_log_level_t, const char *message) { fprintf(stderr, "%s\n", message); }

amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = transfer,
	.log_message = log,
};

/** What the library has allocated, as a vector or a string. */
template <class T> std::vector<T> take(T *array, size_t count)
{
	std::vector<T> list(array, array + count);

	free(array);
	return list;
}

std::string take(char *text)
{
	std::string copy = text ? text : "";

	free(text);
	return copy;
}

/** In a shared object in memory: where its first segment would have to be loaded for the symbol to be at the address. */
std::optional<uint64_t> value_of(const std::vector<uint8_t> &file, const std::string &name)
{
	Elf64_Ehdr header;

	if (file.size() < sizeof(header))
		return {};
	memcpy(&header, file.data(), sizeof(header));
	for (unsigned n = 0; n < header.e_shnum; n++) {
		Elf64_Shdr section, strings;

		memcpy(&section, &file.at(header.e_shoff + n * sizeof(section)), sizeof(section));
		if (section.sh_type != SHT_DYNSYM)
			continue;
		memcpy(&strings, &file.at(header.e_shoff + section.sh_link * sizeof(strings)), sizeof(strings));
		for (uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
			Elf64_Sym symbol;

			memcpy(&symbol, &file.at(section.sh_offset + at), sizeof(symbol));
			if (name == reinterpret_cast<const char *>(&file.at(strings.sh_offset + symbol.st_name)))
				return symbol.st_value;
		}
	}
	return {};
}

} // namespace

void check(amd_dbgapi_status_t status, const char *what)
{
	const char *text = "unknown status";

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		return;
	amd_dbgapi_get_status_string(status, &text);
	throw std::runtime_error(std::string(what) + ": " + text);
}

amd_dbgapi_architecture_id_t Wave::architecture() const
{
	return info<amd_dbgapi_architecture_id_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE);
}

void Wave::return_to_breakpoint() const
{
	const auto pc_register = info<amd_dbgapi_register_id_t>(amd_dbgapi_architecture_get_info, architecture(),
								AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER);
	const uint64_t there = pc() - info<amd_dbgapi_size_t>(amd_dbgapi_architecture_get_info, architecture(),
							      AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST);

	check(amd_dbgapi_write_register(id_, pc_register, 0, sizeof(there), &there), "write_register");
}

uint32_t Wave::workgroup() const
{
	struct Coordinates {
		uint32_t at[3];
	};

	return info<Coordinates>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD).at[0];
}

uint64_t Wave::arguments() const
{
	const auto dispatch = info<amd_dbgapi_dispatch_id_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_DISPATCH);

	return info<uint64_t>(amd_dbgapi_dispatch_get_info, dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS);
}

amd_dbgapi_register_id_t Wave::find(const std::string &name, size_t *bytes) const
{
	size_t count;
	amd_dbgapi_register_id_t *list;

	check(amd_dbgapi_wave_register_list(id_, &count, &list), "wave_register_list");
	for (const auto id : take(list, count)) {
		if (take(info<char *>(amd_dbgapi_register_get_info, id, AMD_DBGAPI_REGISTER_INFO_NAME)) != name)
			continue;
		*bytes = info<amd_dbgapi_size_t>(amd_dbgapi_register_get_info, id, AMD_DBGAPI_REGISTER_INFO_SIZE);
		return id;
	}
	throw std::runtime_error("the wave has no register " + name);
}

std::vector<uint32_t> Wave::read(const std::string &name) const
{
	size_t bytes;
	const amd_dbgapi_register_id_t reg = find(name, &bytes);
	std::vector<uint32_t> words(bytes / sizeof(uint32_t));

	check(amd_dbgapi_read_register(id_, reg, 0, bytes, words.data()), "read_register");
	return words;
}

void Wave::write(const std::string &name, const std::vector<uint32_t> &words) const
{
	size_t bytes;
	const amd_dbgapi_register_id_t reg = find(name, &bytes);

	check(amd_dbgapi_write_register(id_, reg, 0, words.size() * sizeof(uint32_t), words.data()), "write_register");
}

std::vector<uint32_t> Wave::read_lds(uint64_t address, size_t count) const
{
	size_t spaces, bytes = count * sizeof(uint32_t);
	amd_dbgapi_address_space_id_t *list;
	std::vector<uint32_t> words(count);

	check(amd_dbgapi_architecture_address_space_list(architecture(), &spaces, &list), "address_space_list");
	for (const auto space : take(list, spaces)) {
		if (take(info<char *>(amd_dbgapi_address_space_get_info, space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME)) != "local")
			continue;
		check(amd_dbgapi_read_memory(info<amd_dbgapi_process_id_t>(amd_dbgapi_wave_get_info, id_, AMD_DBGAPI_WAVE_INFO_PROCESS),
					     id_, 0, space, address, &bytes, words.data()),
		      "read_memory");
		words.resize(bytes / sizeof(uint32_t));
		return words;
	}
	throw std::runtime_error("there is no address space of LDS");
}

void Wave::resume() const { check(amd_dbgapi_wave_resume(id_, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE), "wave_resume"); }

void Wave::step() const { check(amd_dbgapi_wave_resume(id_, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP, AMD_DBGAPI_EXCEPTION_NONE), "step"); }

Session::Session(const std::vector<std::string> &command)
{
	std::vector<char *> argv;
	int status;

	for (const std::string &word : command)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	pid_ = fork();
	if (!pid_) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[0], argv.data());
		_exit(127);
	}
	if (waitpid(pid_, &status, 0) != pid_ || !WIFSTOPPED(status))
		throw std::runtime_error(command[0] + " does not start");
	ptrace(PTRACE_SETOPTIONS, pid_, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
	memory_ = open(("/proc/" + std::to_string(pid_) + "/mem").c_str(), O_RDWR | O_CLOEXEC);
	if (memory_ < 0)
		throw std::runtime_error("the program's memory cannot be opened");
	if (getenv("DEBUGGER_VERBOSE"))
		amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_VERBOSE);
	check(amd_dbgapi_initialize(&callbacks), "initialize");
	check(amd_dbgapi_process_attach(reinterpret_cast<amd_dbgapi_client_process_id_t>(this), &process_), "process_attach");
	attached_ = true;
	notifier_ = info<amd_dbgapi_notifier_t>(amd_dbgapi_process_get_info, process_, AMD_DBGAPI_PROCESS_INFO_NOTIFIER);
	ptrace(PTRACE_CONT, pid_, 0, 0);
}

Session::~Session()
{
	if (!ended_) {
		kill(pid_, SIGKILL);
		while (waitpid(-1, nullptr, __WALL) > 0) /* the first thread ends when all others are waited for */
			;
	}
	if (attached_)
		amd_dbgapi_process_detach(process_);
	amd_dbgapi_finalize();
	close(memory_);
}

void Session::detach()
{
	check(amd_dbgapi_process_detach(process_), "process_detach");
	attached_ = false;
}

size_t Session::transfer(uint64_t address, void *to, const void *from, size_t bytes) const
{
	const ssize_t done = to ? pread(memory_, to, bytes, address) : pwrite(memory_, from, bytes, address);

	return done > 0 ? done : 0;
}

uint32_t Session::read(uint64_t address) const
{
	uint32_t value;

	if (transfer(address, &value, nullptr, sizeof(value)) != sizeof(value))
		throw std::runtime_error("the program's memory cannot be read at " + std::to_string(address) + ": " + strerror(errno));
	return value;
}

void Session::write(uint64_t address, uint32_t value) const
{
	if (transfer(address, nullptr, &value, sizeof(value)) != sizeof(value))
		throw std::runtime_error("the program's memory cannot be written");
}

void Session::insert_host(uint64_t address, amd_dbgapi_breakpoint_id_t id)
{
	uint8_t was;

	transfer(address, &was, nullptr, 1);
	breakpoints_[id.handle] = {address, was};
	transfer(address, nullptr, &int3, 1);
}

bool Session::remove_host(amd_dbgapi_breakpoint_id_t id)
{
	const auto found = breakpoints_.find(id.handle);

	if (found == breakpoints_.end())
		return false;
	transfer(found->second.address, nullptr, &found->second.was, 1);
	breakpoints_.erase(found);
	return true;
}

uint32_t Session::insert(uint64_t address) const
{
	size_t count, bytes = sizeof(uint32_t);
	amd_dbgapi_agent_id_t *agents;

	check(amd_dbgapi_process_agent_list(process_, &count, &agents, nullptr), "process_agent_list");
	const auto architecture = info<amd_dbgapi_architecture_id_t>(amd_dbgapi_agent_get_info, take(agents, count).at(0),
								     AMD_DBGAPI_AGENT_INFO_ARCHITECTURE);
	auto *instruction = info<uint8_t *>(amd_dbgapi_architecture_get_info, architecture,
					    AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION);
	const uint32_t was = read(address);

	check(amd_dbgapi_write_memory(process_, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address,
				      &bytes, instruction),
	      "write_memory");
	free(instruction);
	return was;
}

/* The thread stands behind the breakpoint's instruction: what stood there happens now. */
void Session::step_over(pid_t thread, const HostBreakpoint &breakpoint)
{
	user_regs_struct registers;
	int status;

	ptrace(PTRACE_GETREGS, thread, 0, &registers);
	registers.rip = breakpoint.address;
	ptrace(PTRACE_SETREGS, thread, 0, &registers);
	transfer(breakpoint.address, nullptr, &breakpoint.was, 1);
	ptrace(PTRACE_SINGLESTEP, thread, 0, 0);
	waitpid(thread, &status, __WALL);
	transfer(breakpoint.address, nullptr, &int3, 1);
	ptrace(PTRACE_CONT, thread, 0, 0);
}

bool Session::at_breakpoint(pid_t thread)
{
	user_regs_struct registers;
	amd_dbgapi_breakpoint_action_t action;

	ptrace(PTRACE_GETREGS, thread, 0, &registers);
	for (const auto &[id, breakpoint] : breakpoints_) {
		if (breakpoint.address != registers.rip - 1)
			continue;
		check(amd_dbgapi_report_breakpoint_hit({id}, reinterpret_cast<amd_dbgapi_client_thread_id_t>(intptr_t{thread}), &action),
		      "report_breakpoint_hit");
		if (action == AMD_DBGAPI_BREAKPOINT_ACTION_RESUME)
			step_over(thread, breakpoint);
		return true;
	}
	return false;
}

void Session::stopped(pid_t thread, int status)
{
	const int signal = WSTOPSIG(status);

	if (signal == SIGTRAP && at_breakpoint(thread))
		return;
	/* A new thread begins with SIGSTOP; SIGTRAP tells of what the options above ask for. */
	ptrace(PTRACE_CONT, thread, 0, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
}

bool Session::take_stops()
{
	int status;
	const pid_t thread = waitpid(-1, &status, __WALL | WNOHANG);

	if (thread <= 0)
		return false;
	if (WIFSTOPPED(status)) {
		stopped(thread, status);
	} else if (thread == pid_) {
		ended_ = true;
		code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	}
	return true;
}

bool Session::take_events()
{
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;

	check(amd_dbgapi_process_next_pending_event(process_, &event, &kind), "next_pending_event");
	switch (kind) {
	case AMD_DBGAPI_EVENT_KIND_NONE: return false;
	case AMD_DBGAPI_EVENT_KIND_RUNTIME:
		runtime_loaded_ = info<amd_dbgapi_runtime_state_t>(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE) ==
				  AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
		break;
	case AMD_DBGAPI_EVENT_KIND_WAVE_STOP:
		stops_.emplace_back(info<amd_dbgapi_wave_id_t>(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_WAVE));
		break;
	case AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME: {
		const auto id = info<amd_dbgapi_breakpoint_id_t>(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT);
		const auto thread = info<amd_dbgapi_client_thread_id_t>(amd_dbgapi_event_get_info, event,
									AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD);

		step_over(static_cast<pid_t>(reinterpret_cast<intptr_t>(thread)), breakpoints_.at(id.handle));
		break;
	}
	case AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED: code_objects_changed_ = true; break;
	default: break;
	}
	check(amd_dbgapi_event_processed(event), "event_processed");
	return true;
}

void Session::turn()
{
	pollfd notifier = {.fd = notifier_, .events = POLLIN, .revents = 0};

	if (!(attached_ && take_events()) && !take_stops())
		poll(&notifier, attached_, 2);
}

std::optional<Wave> Session::next_stop(double seconds)
{
	const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);

	while (stops_.empty() && !ended_ && std::chrono::steady_clock::now() < end)
		turn();
	if (stops_.empty())
		return {};
	const Wave wave = stops_.front();

	stops_.erase(stops_.begin());
	if (wave.reasons() & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT)
		wave.return_to_breakpoint();
	return wave;
}

std::vector<Wave> Session::waves() const
{
	size_t count;
	amd_dbgapi_wave_id_t *list;
	std::vector<Wave> waves;

	check(amd_dbgapi_process_wave_list(process_, &count, &list, nullptr), "process_wave_list");
	for (const auto id : take(list, count))
		waves.emplace_back(id);
	return waves;
}

int Session::finish()
{
	while (!ended_)
		turn();
	return code_;
}

/* URIs: "file://PATH#offset=N&size=N", "memory://PID#offset=N&size=N" (LLVM: AMDGPUUsage, Loaded Code Object Path URI). */
std::vector<uint8_t> Session::code_object(amd_dbgapi_code_object_id_t id) const
{
	const std::string uri = take(info<char *>(amd_dbgapi_code_object_get_info, id, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME));
	const size_t fragment = uri.find('#');
	const auto number = [&](const char *key) {
		const size_t at = uri.find(key, fragment);

		return at == std::string::npos ? 0 : strtoull(&uri[at + strlen(key)], nullptr, 0);
	};
	std::vector<uint8_t> bytes(number("size="));

	if (uri.starts_with("memory://")) {
		bytes.resize(transfer(number("offset="), bytes.data(), nullptr, bytes.size()));
	} else if (uri.starts_with("file://")) {
		const int file = open(uri.substr(7, fragment - 7).c_str(), O_RDONLY | O_CLOEXEC);
		const ssize_t done = pread(file, bytes.data(), bytes.size(), number("offset="));

		bytes.resize(done > 0 ? done : 0);
		close(file);
	}
	return bytes;
}

std::optional<uint64_t> Session::symbol(const std::string &name) const
{
	size_t count;
	amd_dbgapi_code_object_id_t *list;

	check(amd_dbgapi_process_code_object_list(process_, &count, &list, nullptr), "process_code_object_list");
	for (const auto id : take(list, count))
		if (const auto value = value_of(code_object(id), name))
			return *value + info<int64_t>(amd_dbgapi_code_object_get_info, id, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS);
	return {};
}

uint64_t Session::run_to_symbol(const std::string &name)
{
	while (!ended_) {
		if (code_objects_changed_)
			if (const auto address = symbol(name))
				return *address;
		code_objects_changed_ = false;
		turn();
	}
	throw std::runtime_error("the program has ended without " + name);
}

} // namespace debugger
