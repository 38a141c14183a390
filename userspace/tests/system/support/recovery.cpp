// SPDX-License-Identifier: MIT
/* recovery.cpp - see recovery.hpp. */
#include "recovery.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <regex>

#include <kfdm/error.hpp>

namespace kfdm::test {

std::string read_file(const std::string &path)
{
	UniqueFd fd(checked_open(path.c_str(), O_RDONLY));
	std::string text;
	char part[4096];

	for (ssize_t n; (n = read(fd.get(), part, sizeof(part))) > 0;)
		text.append(part, static_cast<size_t>(n));
	return text;
}

void write_file(const std::string &path, const std::string &text)
{
	UniqueFd fd(checked_open(path.c_str(), O_WRONLY | O_TRUNC));

	if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
		throw_errno("cannot write " + path);
}

unsigned long evicted_ms(const Gpu &gpu)
{
	return std::stoul(read_file(fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}/stats_{}/evicted_ms", getpid(), gpu.id())));
}

std::vector<std::string> lines(const std::string &text)
{
	std::vector<std::string> all;

	for (size_t at = 0, end; at < text.size(); at = end + 1) {
		end = std::min(text.find('\n', at), text.size());
		all.push_back(text.substr(at, end - at));
	}
	return all;
}

void expect_forms(const std::string &file, const std::string &text, std::initializer_list<const char *> forms)
{
	for (const std::string &line : lines(text)) {
		const bool known = std::any_of(forms.begin(), forms.end(),
					       [&](const char *form) { return std::regex_match(line, std::regex(form)); });

		if (!CHECK(known)) {
			fmt::print("  {}: '{}'\n", file, line);
			return;
		}
	}
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

/* Lines of "EVENT SEQUENCE", both in hex. */
bool ResetWatch::smi_told(std::chrono::milliseconds timeout)
{
	std::string text;
	auto has = [&](unsigned event) {
		std::string line = fmt::format("{:x} ", event);

		return text.starts_with(line) || text.find("\n" + line) != text.npos;
	};

	return eventually([&] {
		char part[256];
		ssize_t n = read(smi_, part, sizeof(part));

		if (n > 0)
			text.append(part, static_cast<size_t>(n));
		return has(KFD_SMI_EVENT_GPU_PRE_RESET) && has(KFD_SMI_EVENT_GPU_POST_RESET);
	}, timeout);
}

} // namespace kfdm::test
