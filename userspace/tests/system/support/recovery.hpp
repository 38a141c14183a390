// SPDX-License-Identifier: MIT
/*
 * recovery.hpp - how a process learns of a reset of the GPU, and the parameters that make one come soon.
 */
#pragma once

#include <string>

#include "files.hpp"
#include "gpu.hpp"

namespace kfdm::test {

/** Milliseconds for which this process's queues were evicted from @gpu, in whole jiffies. Source: kfd_process.c, kfd_procfs_show(). */
[[nodiscard]] unsigned long evicted_ms(const Gpu &gpu);

/** queue_preemption_timeout_ms of the module while the object lives. The driver stretches it on slow machines. */
class ShortTimeout {
public:
	explicit ShortTimeout(unsigned ms = 30) : before_(read_file(path)) { write_file(path, std::to_string(ms)); }
	ShortTimeout(const ShortTimeout &) = delete;
	~ShortTimeout() { restore(); }
	void restore() { write_file(path, before_); }

private:
	static constexpr const char *path = "/sys/module/amdgpu_model/parameters/queue_preemption_timeout_ms";
	std::string before_;
};

/** A HW_EXCEPTION event and an SMI stream, as a runtime and a monitoring tool have them. */
class ResetWatch {
public:
	explicit ResetWatch(Gpu &gpu);
	ResetWatch(const ResetWatch &) = delete;
	~ResetWatch();

	/** Waits for the event. Return: false if it does not come. @data: what it tells. */
	[[nodiscard]] bool wait(kfd_hsa_hw_exception_data *data, std::chrono::milliseconds timeout = patience);
	/** Waits until the stream has reported the beginning and the end of a reset. */
	[[nodiscard]] bool smi_told(std::chrono::milliseconds timeout = patience);
	/** After smi_told(): the cause behind the number of the reset that began first; empty from a driver that tells none. */
	[[nodiscard]] std::string smi_cause() const;

private:
	std::string told_;
	int kfd_, smi_ = -1;
	uint32_t event_ = 0;
};

/** A process with a kernel on the GPU that never ends, so that preempting its queue is real work. Made when its waves are there. */
struct EndlessWork {
	Gpu gpu;
	ResetWatch watch{gpu};
	AqlQueue queue{gpu.device};
	Program program = gpu.program();
	Launch launch{gpu.device, program.kernel("endless"), {.grid = {128, 1, 1}}};

	EndlessWork();
};

} // namespace kfdm::test
