// SPDX-License-Identifier: MIT
/*
 * fault_loading.cpp - the kernel runs out of memory while a GPU is bound to its driver.
 *
 * First it is counted how many allocations that takes. Then it is done with the first, the second, ... of them failing: all of them in a
 * soak, else some, spread evenly. Either it fails, and nothing of it is there, or the driver can do without
 * (debugfs, KFD). Whatever has become of it, it can be undone and done again. (KASAN and kmemleak watch.)
 *
 * Not tried is what DRM's core asks for to make the device: if drm_sysfs_minor_alloc() fails, Linux 6.1's drm_minor_alloc_release() calls
 * put_device() with the error pointer and the kernel dies, whatever the driver. Loading the modules is not tried: tracing warns about a
 * module whose trace events it finds no memory for.
 */
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "fail_nth.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;
namespace fs = std::filesystem;

namespace {

/* drm_dev_init() is done before this allocation of a binding; it asks for less than 80, without the debug kernel's own. */
constexpr unsigned after_drm = 120;

/* Emulated or with KASAN once takes seconds. */
unsigned tries_wanted(unsigned total)
{
	const char *kernel = std::getenv("KFDM_KERNEL");

	return soak() ? total : kernel && kernel == std::string("debug") ? 12 : 30;
}

/* What is done with failing allocations: do_it gives an errno. */
struct Operation {
	const char *name;
	std::function<int()> do_it;
	std::function<bool()> there;
	std::function<bool()> undo;
	unsigned first; /* allocation to fail */
};

void try_all(FailNth &fail, const Operation &operation)
{
	constexpr unsigned never = 1'000'000;

	REQUIRE(!operation.there());
	fail.arm(never);
	const int error = operation.do_it();
	const unsigned total = never - fail.left();
	fail.arm(0);
	REQUIRE(CHECK_ERRNO(0, error));
	REQUIRE(operation.there());
	REQUIRE(operation.undo());

	const unsigned step = std::max(1U, total / tries_wanted(total));
	unsigned tries = 0, refused = 0;

	for (unsigned n = operation.first; n <= total; n += step, tries++) {
		fail.arm(n);
		const int failed = operation.do_it();
		fail.arm(0);
		if (failed) {
			refused++;
			if (failed != ENOMEM && failed != ENODEV && failed != EAGAIN)
				fmt::print("{}: allocation {} gives {}\n", operation.name, n, errno_name(failed));
			CHECK_EQ(fmt::format("{} of {}: there {}", n, total, operation.there()),
				 fmt::format("{} of {}: there false", n, total));
		} else {
			CHECK_EQ(fmt::format("{} of {}: undone {}", n, total, operation.undo()),
				 fmt::format("{} of {}: undone true", n, total));
		}
	}
	fmt::print("{}: {} of {} allocations failed, {} times nothing was there\n", operation.name, tries, total, refused);
	CHECK(refused > 0);
}

/* open() is not tried: the file is there before. */
int write_at_once(const UniqueFd &file, const std::string &text)
{
	return pwrite(file.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) ? 0 : errno;
}

void bind_gpu(FailNth &fail, const std::string &slot, const fs::path &driver)
{
	const UniqueFd bind(checked_open((driver / "bind").string(), O_WRONLY)),
		unbind(checked_open((driver / "unbind").string(), O_WRONLY));
	const Operation operation = {"bind", [&] { return write_at_once(bind, slot); }, [&] { return fs::exists(driver / slot); },
				     [&] { return write_at_once(unbind, slot) == 0; }, after_drm};

	REQUIRE(operation.undo());
	try_all(fail, operation);
	CHECK_ERRNO(0, operation.do_it());
}

} // namespace

KFDM_TEST("an allocation that fails while a GPU is bound leaves nothing behind")
{
	FailNth fail;
	const fs::path device = fs::canonical("/sys/class/drm/" + fs::path(Topology::read().gpu().render_path()).filename().string() +
					      "/device");

	REQUIRE(alone());
	bind_gpu(fail, device.filename(), fs::canonical(device / "driver"));

	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
