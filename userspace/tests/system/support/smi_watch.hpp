// SPDX-License-Identifier: MIT
/* smi_watch.hpp - SMI events about the memory of this process, as a monitoring tool reads them. */
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <initializer_list>
#include <string>

#include "check.hpp"
#include "gpu.hpp"

namespace kfdm::test {

/** A stream of a GPU's events, for those that it is opened with. */
class SmiWatch {
public:
	SmiWatch(const Gpu &gpu, std::initializer_list<uint32_t> events)
	{
		kfd_ioctl_smi_events_args smi = {gpu.id(), 0};
		uint64_t wanted = 0;

		for (uint32_t event : events)
			wanted |= KFD_SMI_EVENT_MASK_FROM_INDEX(event);
		CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_SMI_EVENTS, smi));
		fd_ = UniqueFd(static_cast<int>(smi.anon_fd));
		CHECK_EQ(write(fd_.get(), &wanted, sizeof(wanted)), ssize_t{sizeof(wanted)});
	}
	/** Waits for a line "event ns -pid what", or one that has more behind it. Return: it has come. */
	[[nodiscard]] bool told(uint32_t event, const std::string &what)
	{
		const std::string end = fmt::format(" -{} {}", getpid(), what);
		const bool found = eventually([&] {
			read_more();
			return has_line(fmt::format("{:x} ", event), end);
		});

		if (!found)
			fmt::print("  '{:x} ...{}' is missing in\n{}\n", event, end, told_);
		return found;
	}

private:
	void read_more()
	{
		char part[4096];
		const ssize_t n = read(fd_.get(), part, sizeof(part));

		if (n > 0)
			told_.append(part, static_cast<size_t>(n));
	}
	[[nodiscard]] bool has_line(const std::string &begin, const std::string &end) const
	{
		for (size_t at = told_.find(end); at != told_.npos; at = told_.find(end, at + 1)) {
			const size_t line = told_.rfind('\n', at) + 1; /* npos + 1: the first */
			const char behind = told_[at + end.size()];

			if (told_.compare(line, begin.size(), begin) == 0 && (behind == ' ' || behind == '\n'))
				return true;
		}
		return false;
	}

	UniqueFd fd_;
	std::string told_;
};

} // namespace kfdm::test
