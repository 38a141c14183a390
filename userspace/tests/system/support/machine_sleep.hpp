// SPDX-License-Identifier: MIT
/*
 * machine_sleep.hpp - the kernel's own test of devices: user space is frozen, all devices are suspended and resumed at once
 * (/sys/power/pm_test; Linux: Documentation/power/basic-pm-debugging.rst).
 */
#pragma once

#include <unistd.h>

#include "files.hpp"
#include "gpu.hpp"

namespace kfdm::test {

/** Return: 0 or the errno. */
[[nodiscard]] inline int sleep_and_wake()
{
	return errno_of([] { write_file("/sys/power/state", "mem"); });
}

/** The state of the kernel's test goes back to what it was. */
class DevicesOnly {
public:
	DevicesOnly()
	{
		if (::access("/sys/power/pm_test", W_OK) || ::access("/sys/module/suspend/parameters/pm_test_delay", W_OK))
			skip("this kernel cannot sleep for a test");
		if (!::access("/sys/bus/virtio/drivers/9pnet_virtio", F_OK))
			skip("the root is a 9p file system, which does not wake up");
		write_file("/sys/module/suspend/parameters/pm_test_delay", "0");
		write_file("/sys/power/pm_test", "devices");
	}
	~DevicesOnly() { write_file("/sys/power/pm_test", "none"); }
};

} // namespace kfdm::test
