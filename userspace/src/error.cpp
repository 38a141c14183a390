// SPDX-License-Identifier: MIT
/*
 * error.cpp - the one place where system calls turn into exceptions.
 */
#include <kfdm/error.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>

namespace kfdm {

void throw_error(int error, const std::string &what) { throw std::system_error(error, std::system_category(), what); }

int try_ioctl(int fd, unsigned long request, void *argument) noexcept
{
	int ret;

	do {
		ret = ::ioctl(fd, request, argument);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? errno : 0;
}

void checked_ioctl(int fd, unsigned long request, void *argument, const char *what)
{
	if (int error = try_ioctl(fd, request, argument))
		throw_error(error, what);
}

int checked_open(const std::string &path, int flags)
{
	int fd = ::open(path.c_str(), flags | O_CLOEXEC);

	if (fd < 0)
		throw_errno("cannot open " + path);
	return fd;
}

} // namespace kfdm
