// SPDX-License-Identifier: MIT
/* recovery.cpp - see recovery.hpp. */
#include "recovery.hpp"

#include <unistd.h>

namespace kfdm::test {

unsigned long evicted_ms(const Gpu &gpu)
{
	return std::stoul(read_file(fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}/stats_{}/evicted_ms", getpid(), gpu.id())));
}

ResetWatch::ResetWatch(Gpu &gpu) : kfd_(gpu.fd())
{
	kfd_ioctl_create_event_args event = {};
	kfd_ioctl_smi_events_args smi = {gpu.id(), 0};
	uint64_t wanted = KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_GPU_PRE_RESET) |
			  KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_GPU_POST_RESET);

	event.event_type = KFD_IOC_EVENT_HW_EXCEPTION;
	event.auto_reset = 1;
	CHECK_ERRNO(0, call(kfd_, AMDKFD_IOC_CREATE_EVENT, event));
	event_ = event.event_id;
	CHECK_ERRNO(0, call(kfd_, AMDKFD_IOC_SMI_EVENTS, smi));
	smi_ = static_cast<int>(smi.anon_fd);
	CHECK_EQ(write(smi_, &wanted, sizeof(wanted)), ssize_t{sizeof(wanted)});
}

ResetWatch::~ResetWatch()
{
	kfd_ioctl_destroy_event_args args = {event_, 0};

	(void)call(kfd_, AMDKFD_IOC_DESTROY_EVENT, args);
	close(smi_);
}

bool ResetWatch::wait(kfd_hsa_hw_exception_data *data, std::chrono::milliseconds timeout)
{
	kfd_event_data event = {};
	kfd_ioctl_wait_events_args args = {};

	event.event_id = event_;
	args.events_ptr = reinterpret_cast<uint64_t>(&event);
	args.num_events = 1;
	args.timeout = static_cast<uint32_t>(timeout.count());
	if (call(kfd_, AMDKFD_IOC_WAIT_EVENTS, args) || args.wait_result != KFD_IOC_WAIT_RESULT_COMPLETE)
		return false;
	*data = event.hw_exception_data;
	return true;
}

/* Lines of "EVENT SEQUENCE", both in hex, then since Linux 6.12 the cause. */
bool ResetWatch::smi_told(std::chrono::milliseconds timeout)
{
	auto has = [&](unsigned event) {
		std::string line = fmt::format("{:x} ", event);

		return told_.starts_with(line) || told_.find("\n" + line) != told_.npos;
	};

	return eventually(
		[&] {
			char part[256];
			ssize_t n = read(smi_, part, sizeof(part));

			if (n > 0)
				told_.append(part, static_cast<size_t>(n));
			return has(KFD_SMI_EVENT_GPU_PRE_RESET) && has(KFD_SMI_EVENT_GPU_POST_RESET);
		},
		timeout);
}

std::string ResetWatch::smi_cause() const
{
	const size_t begin = told_.find(fmt::format("{:x} ", unsigned{KFD_SMI_EVENT_GPU_PRE_RESET}));
	const std::string line = told_.substr(begin, told_.find('\n', begin) - begin);
	const size_t cause = line.find(' ', 2);

	return cause == line.npos ? "" : line.substr(cause + 1);
}

EndlessWork::EndlessWork()
{
	Lab lab = lab_or_skip();
	const uint64_t waves = lab.counter(Counter::Waves);

	launch.submit(queue);
	REQUIRE(eventually([&] { return lab.counter(Counter::Waves) >= waves + 2; }));
	CHECK_EQ(launch.signal().value(), 1);
}

} // namespace kfdm::test
