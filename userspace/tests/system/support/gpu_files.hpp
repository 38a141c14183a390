// SPDX-License-Identifier: MIT
/*
 * gpu_files.hpp - files of sysfs and fdinfo of a GPU that is open through its render node.
 */
#pragma once

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <kfdm/drm.hpp>

#include "check.hpp"
#include "files.hpp"

namespace kfdm::test {

/** The folder of its PCI device. */
[[nodiscard]] inline std::string device_folder(const drm::Device &device)
{
	struct stat st = {};

	REQUIRE(!::fstat(device.fd(), &st));
	return fmt::format("/sys/dev/char/{}:{}/device/", major(st.st_rdev), minor(st.st_rdev));
}

[[nodiscard]] inline uint64_t number_in(const std::string &path) { return std::stoull(read_file(path)); }

/** The number behind a key of the file's fdinfo, 0 without such a line. */
[[nodiscard]] inline uint64_t fdinfo(const drm::Device &device, const std::string &key)
{
	for (const std::string &line : lines(read_file(fmt::format("/proc/self/fdinfo/{}", device.fd()))))
		if (line.starts_with(key + ":"))
			return std::stoull(line.substr(key.size() + 1));
	return 0;
}

/** What writing a text to a file ends with. */
[[nodiscard]] inline int write_errno(const std::string &path, const std::string &text)
{
	const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));

	if (!fd)
		return errno;
	return ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : errno;
}

} // namespace kfdm::test
