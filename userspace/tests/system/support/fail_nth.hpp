// SPDX-License-Identifier: MIT
/*
 * fail_nth.hpp - the kernel runs out of memory at the n-th place at which this thread asks for some.
 *
 * The debug kernel's fault injection (Documentation/fault-injection: fail-nth) does it.
 */
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <kfdm/unique_fd.hpp>

#include "check.hpp"

namespace kfdm::test {

/** Skips the test where the kernel has no fault injection. */
class FailNth {
public:
	FailNth() : fd_(::open(fmt::format("/proc/self/task/{}/fail-nth", syscall(SYS_gettid)).c_str(), O_RDWR | O_CLOEXEC))
	{
		if (!fd_)
			skip("this kernel cannot inject failing allocations (the debug kernel can)");
		allow();
	}
	/** All kinds of allocations may fail; root's. Without fault injection there is nothing to set. */
	static void allow()
	{
		for (const char *kind : {"failslab", "fail_page_alloc"}) {
			std::string folder = fmt::format("/sys/kernel/debug/{}/", kind);

			set(folder + "ignore-gfp-wait", "N"); /* allocations that may sleep as well */
			set(folder + "verbose", "0");
		}
		set("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	}
	void arm(unsigned n) { write_number(n); }
	/* Return: how many allocations there may still be until one fails; 0 if one has failed. */
	[[nodiscard]] unsigned left() const
	{
		char text[16] = {};

		REQUIRE(pread(fd_.get(), text, sizeof(text) - 1, 0) > 0);
		return static_cast<unsigned>(std::atoi(text));
	}
	/* Return: true if the failure has been used up. */
	bool disarm()
	{
		char text[16] = {};
		bool used = pread(fd_.get(), text, sizeof(text) - 1, 0) > 0 && std::atoi(text) == 0;

		write_number(0);
		return used;
	}

private:
	static void set(const std::string &file, const char *value) { std::ofstream(file) << value; }
	void write_number(unsigned n)
	{
		std::string text = std::to_string(n);

		REQUIRE(pwrite(fd_.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
	}
	UniqueFd fd_;
};

/**
 * Tries @operation with n = 1, 2, 3, ... until it asks no more than n - 1 times. It returns its errno and undoes itself when it succeeds.
 * Return: number of allocations that were made to fail.
 */
template <typename Operation> unsigned fail_each(FailNth &fail, const char *name, Operation operation)
{
	constexpr unsigned most = 3000;
	unsigned n, refused = 0;

	for (n = 1; n <= most; n++) {
		fail.arm(n);
		int error = operation();
		if (!fail.disarm()) {
			CHECK_ERRNO(0, error);
			break;
		}
		/* Some allocations the kernel can do without. */
		if (error)
			refused++;
		if (error && error != ENOMEM && error != ENOSPC && error != EFAULT && error != EAGAIN)
			CHECK_ERRNO(ENOMEM, error);
	}
	CHECK(n <= most);
	fmt::print("{}: {} allocations failed, {} operations with them\n", name, n - 1, refused);
	return n - 1;
}

} // namespace kfdm::test
