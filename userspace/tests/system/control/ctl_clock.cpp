// SPDX-License-Identifier: MIT
/*
 * ctl_clock.cpp - the lab holds the clock: nothing of the user's moves, the control plane does; steps end where asked.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;
using namespace std::chrono_literals;

KFDM_TEST("a held clock stands still for users and steps exactly")
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	Program program = gpu.program();
	AqlQueue before(gpu.device);
	Launch launch(gpu.device, program.kernel("work"), {.grid = {640, 1, 1}});
	Buffer out = Buffer::vram(gpu.device, 4096);

	launch.arg(out).arg(uint32_t{100});
	CHECK_ERRNO(EINVAL, errno_of([&] { lab.run_idle(); })); /* not held */
	uint64_t start = lab.hold();
	CHECK_EQ(lab.hold(), start);
	/* Queues can be made, changed and destroyed meanwhile. */
	{
		AqlQueue during(gpu.device);

		during.update(0, 7);
		during.update(100, 11);
	}
	launch.submit(before);
	CHECK(!launch.wait(a_while));
	CHECK_EQ(lab.hold(), start);
	CHECK_EQ(lab.run_to(start + 10), start + 10);
	CHECK_EQ(launch.signal().value(), 1);
	uint64_t idle = lab.run_idle();
	CHECK(idle > start + 10);
	CHECK(launch.wait(patience));
	CHECK_EQ(lab.run_idle(), idle);

	/* Released, all goes on by itself; closing the control device releases too. */
	lab.release();
	CHECK(works(gpu, before));
	{
		Lab other = Lab::open();
		other.hold();
	}
	CHECK(works(gpu, before));
}
