// SPDX-License-Identifier: MIT
/* nth.cpp - see nth.hpp. */
#include "nth.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <unistd.h>

#include "fuzzer.hpp"
#include "users.hpp"

namespace kfdm::fuzz {

namespace {

/* Calls that cannot succeed here, and why. */
const std::map<std::string_view, const char *> refused = {
	{"ioctl$AMDKFD_IOC_DBG_REGISTER", "EPERM: the old debugger interface is gone from Linux"},
	{"ioctl$AMDKFD_IOC_DBG_UNREGISTER", "EPERM, as before"},
	{"ioctl$AMDKFD_IOC_DBG_ADDRESS_WATCH", "EPERM, as before"},
	{"ioctl$AMDKFD_IOC_DBG_WAVE_CONTROL", "EPERM, as before"},
	{"ioctl$AMDKFD_IOC_SVM", "needs CONFIG_HSA_AMD_SVM: kfd_model.abi=7.2 has it (fault_allocations_newer)"},
	{"ioctl$AMDKFD_IOC_SVM_2", "as SVM"},
	{"ioctl$AMDKFD_IOC_SET_XNACK_MODE", "as SVM"},
	{"ioctl$AMDKFD_IOC_CRIU_OP", "needs CAP_CHECKPOINT_RESTORE, which the two users lack"},
	{"ioctl$AMDKFD_IOC_EXPORT_DMABUF", "came after KFD 1.11: kfd_model.abi=7.2 has it (fault_allocations_newer)"},
	{"ioctl$AMDKFD_IOC_RUNTIME_ENABLE", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_CREATE_PROCESS", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_PROFILER", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_DBG_TRAP", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_DBG_TRAP_ENABLE", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_DBG_TRAP_QUEUES", "came after KFD 1.11"},
	{"ioctl$AMDKFD_IOC_DBG_TRAP_INFO", "came after KFD 1.11"},
	{"ioctl$AMDGPU_SCHED", "EACCES: a DRM master's, and the users have the render node"},
	{"ioctl$GPU_GEM_FLINK", "EACCES: not on a render node"},
	{"ioctl$GPU_GEM_OPEN", "EACCES: not on a render node"},
};

struct Best {
	const Program *program = nullptr;
	size_t at = 0;
	int64_t result = -1;
	bool succeeded = false;
};

/* Whose allocations are looked at: not calls of the executor's own, and not those that are made of random numbers. */
bool is_wanted(const Call &call) { return !call.name.starts_with("syz_") && !call.name.ends_with("_any"); }

class Every {
public:
	Every(const std::vector<std::string> &files, bool some) : some_(some)
	{
		read_descriptions(description_);
		for (const std::string &file : files)
			for (const std::string &text : split_programs(read_text(file)))
				programs_.push_back(from_text(description_, text));
		best_.resize(description_.calls().size());
		executor_ = std::make_unique<Executor>(description_);
		executor_->be_patient();
	}
	int run()
	{
		for (Program &program : programs_) {
			program.same_processes = false;
			look(program, tried(program));
		}
		for (size_t i = 0; i < best_.size() && !bad_; i++)
			judge(description_.calls()[i], best_[i]);
		std::printf("%u calls with %u failing allocations, %u mistakes\n", calls_, allocations_, mistakes_);
		return mistakes_ || !allocations_;
	}

private:
	static constexpr uint32_t most = 2000;

	Run tried(const Program &program)
	{
		Run run = executor_->run(program);
		const std::string splats = KernelLog::splats(log_.fresh());

		if (!splats.empty() || run.stuck) {
			std::printf("%s%s%s\n", to_text(description_, program).c_str(), run.stuck ? "a process cannot be killed\n" : "",
				    splats.c_str());
			bad_ = true;
			mistakes_++;
		}
		return run;
	}
	void look(const Program &program, const Run &run)
	{
		for (size_t i = 0; i < program.calls.size(); i++) {
			Best &best = best_[static_cast<size_t>(program.calls[i].call)];
			const bool good = run.calls[i].state == Outcome::Made && run.calls[i].result >= 0;

			if (best.program && (best.succeeded || !good))
				continue;
			best = {&program, i, run.calls[i].result, good};
		}
	}
	void judge(const Call &call, const Best &best)
	{
		const auto reason = refused.find(call.name);

		if (!is_wanted(call))
			return;
		if (call.base == "ioctl" && (!best.program || (!best.succeeded && reason == refused.end() && !some_)))
			mistake(call, best.program ? "never succeeds" : "is in no program");
		if (!best.program)
			return;
		Program program = *best.program;

		program.calls[best.at].detached = false;
		/* New processes each time: what has come into being in spite of a failure is not in the way of the next try. */
		Outcome outcome{0, 1, Outcome::Made};
		uint32_t n = 0, kept = 0;

		/* Without memory for a page of its own the process dies, as any would. */
		while (((outcome.state == Outcome::Made && outcome.failed) || outcome.state == Outcome::Died) && !bad_ && n < most) {
			program.calls[best.at].fail = ++n;
			outcome = tried(program).calls[best.at];
			kept += outcome.failed && outcome.result >= 0;
		}
		/* What the processes before have left may still be on its way out: the GPU's driver that was bound anew, memory. */
		for (int again = 0; again < 3 && best.succeeded && outcome.state == Outcome::Made && outcome.result < 0 && !bad_; again++) {
			usleep(100'000);
			outcome = tried(program).calls[best.at];
		}
		std::printf("%-48s %4u allocations failed, it succeeded %u times all the same", call.name.c_str(), n - 1, kept);
		if (!best.succeeded)
			std::printf(" (%lld: %s)", static_cast<long long>(outcome.result), reason == refused.end() ? "?" : reason->second);
		std::printf("\n");
		calls_++;
		allocations_ += n - 1;
		if (outcome.state != Outcome::Made || n == most)
			mistake(call, "does not end");
		else if (best.succeeded && call.base == "ioctl" && outcome.result < 0)
			mistake(call, ("fails although no allocation does: " + std::to_string(outcome.result)).c_str());
	}
	void mistake(const Call &call, const char *what)
	{
		std::printf("%s: %s\n", call.name.c_str(), what);
		mistakes_++;
	}

	Description description_;
	std::vector<Program> programs_;
	std::vector<Best> best_;
	std::unique_ptr<Executor> executor_;
	KernelLog log_;
	unsigned calls_ = 0, allocations_ = 0, mistakes_ = 0;
	bool some_, bad_ = false;
};

} // namespace

int fail_every_call(const std::vector<std::string> &files, bool some)
{
	test::admit_users();
	return Every(files, some).run();
}

} // namespace kfdm::fuzz
