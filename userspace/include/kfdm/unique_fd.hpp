// SPDX-License-Identifier: MIT
/*
 * unique_fd.hpp - a file descriptor with one owner.
 */
#pragma once

#include <unistd.h>
#include <utility>

namespace kfdm {

/** Owns a file descriptor and closes it; -1 owns nothing. */
class UniqueFd {
public:
	UniqueFd() noexcept = default;
	explicit UniqueFd(int fd) noexcept : fd_(fd) {}
	UniqueFd(UniqueFd &&other) noexcept : fd_(other.release()) {}
	UniqueFd &operator=(UniqueFd &&other) noexcept
	{
		reset(other.release());
		return *this;
	}
	UniqueFd(const UniqueFd &) = delete;
	UniqueFd &operator=(const UniqueFd &) = delete;
	~UniqueFd() { reset(); }

	[[nodiscard]] int get() const noexcept { return fd_; }
	[[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }
	/** Gives the descriptor away. */
	[[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
	void reset(int fd = -1) noexcept
	{
		if (fd_ >= 0)
			::close(fd_);
		fd_ = fd;
	}

private:
	int fd_ = -1;
};

} // namespace kfdm
