// SPDX-License-Identifier: MIT
/*
 * abi_version.cpp - version, unknown numbers, sizes other than the kernel's own.
 */
#include <fcntl.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("the dispatcher knows its numbers and sizes")
{
	UniqueFd fd(checked_open(Kfd::path, O_RDWR));
	kfd_ioctl_get_version_args version = {};

	CHECK_ERRNO(0, call(fd.get(), AMDKFD_IOC_GET_VERSION, version));
	CHECK_EQ(version.major_version, 1U);
	CHECK(version.minor_version == 11 || version.minor_version == 23);

	/* Number 0 and everything from 0x24 on is unknown to 1.11, from 0x29 on to 1.23. */
	const unsigned end = version.minor_version == 11 ? 0x24U : 0x29U;
	for (unsigned nr : {0x00U, end, end + 1, end + 2, 0x40U, 0x80U, 0x82U, 0xffU}) {
		uint64_t args[16] = {};

		if (!CHECK_ERRNO(ENOTTY, call(fd.get(), _IOC(_IOC_READ | _IOC_WRITE, 'K', nr, 16), args)))
			fmt::print("  number {:#x}\n", nr);
	}
	/* The old debugger's calls are there but refused. */
	for (unsigned nr : {0x0dU, 0x0eU, 0x0fU, 0x10U}) {
		uint64_t args[2] = {};

		CHECK_ERRNO(EPERM, call(fd.get(), _IOC(_IOC_WRITE, 'K', nr, nr < 0x0f ? 8 : 16), args));
	}
	/* Neither the magic letter nor a larger size matters; a smaller size gets that many bytes. */
	struct {
		kfd_ioctl_get_version_args version;
		uint64_t more;
	} large = {{0, 0}, 0x1234};
	CHECK_ERRNO(0, call(fd.get(), _IOC(_IOC_READ, 'X', 1, sizeof(large)), large));
	CHECK_EQ(large.version.major_version, 1U);
	version = {7, 7};
	CHECK_ERRNO(0, call(fd.get(), _IOC(_IOC_READ, 'K', 1, 4), version));
	CHECK_EQ(version.major_version, 1U);
	CHECK_EQ(version.minor_version, 7U);
	CHECK_ERRNO(EFAULT, try_ioctl(fd.get(), AMDKFD_IOC_GET_VERSION, nullptr));
}
