// SPDX-License-Identifier: MIT
/*
 * queue_reset.cpp - a queue that cannot be preempted is reset alone, as Linux 7.2 does on GFX9: its process is told, everybody else's
 * queues go on, and the GPU is not reset. Linux: kfd_device_queue_manager.c, reset_queues_on_hws_hang().
 */
#include <cstdio>
#include <cstdlib>

#include "kfd_newer.hpp"
#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Worker : EndlessWork {
	[[nodiscard]] bool is_told(std::chrono::milliseconds timeout = patience)
	{
		kfd_hsa_hw_exception_data data = {};

		if (!watch.wait(&data, timeout))
			return false;
		CHECK_EQ(data.reset_type, uint32_t{KFD_HW_EXCEPTION_WHOLE_GPU_RESET});
		CHECK_EQ(data.reset_cause, uint32_t{KFD_HW_EXCEPTION_GPU_HANG});
		CHECK_EQ(data.memory_lost, 1U);
		return true;
	}
};

/* What a process finds whose queue was reset: it can make another one that works, but none of its queues changes any more. */
void expect_lost(Worker &worker)
{
	CHECK_EQ(worker.launch.signal().value(), 1);
	AqlQueue next(worker.gpu.device);
	CHECK(works(worker.gpu, next));
	CHECK_ERRNO(EACCES, errno_of([&] { next.update(100, 11); }));
}

/* And one whose queue was not. */
void expect_unharmed(Worker &worker)
{
	CHECK(!worker.is_told(a_while));
	CHECK_EQ(worker.launch.signal().value(), 1);
	AqlQueue next(worker.gpu.device);
	next.update(100, 11);
	CHECK(works(worker.gpu, next));
}

/* Both have all queues leave the hardware, one of which meets the failure. Return: the error of the call. */
int update_queue(Worker &worker)
{
	return errno_of([&] { worker.queue.update(100, 11); });
}
int destroy_queue(Worker &worker)
{
	return errno_of([&] { worker.queue.destroy(); });
}

struct Row {
	const char *name;
	int (*call)(Worker &worker);
	int error; /* to the process that has lost a queue */
};
constexpr Row rows[] = {
	{"update", update_queue, EACCES},
	{"destroy", destroy_queue, 0},
};
enum { HasLost = 0, WasSpared = 10 };

[[noreturn]] void leave(int code)
{
	std::fflush(nullptr);
	std::_Exit(failures() ? 1 : code);
}

/* In a process of its own. Exit code: HasLost, WasSpared. */
void caller(const Row &row)
{
	Worker worker;

	lab_or_skip().inject(Fault::DeafWave, 1);
	const int error = row.call(worker);
	if (!worker.is_told(std::chrono::seconds(2))) {
		CHECK_EQ(error, 0);
		expect_unharmed(worker);
		leave(WasSpared);
	}
	CHECK_EQ(error, row.error);
	expect_lost(worker);
}

/* Whose queue is the first to be asked depends on the slots that they are in: either that of who calls, or the other one. */
int hurt_one_of_two(const Row &row)
{
	Worker bystander;
	const int code = Child([&] { caller(row); }).join();

	CHECK(code == HasLost || code == WasSpared);
	if (code == HasLost) {
		expect_unharmed(bystander);
	} else {
		CHECK(bystander.is_told());
		expect_lost(bystander);
	}
	CHECK(!bystander.watch.smi_told(a_while)); /* of a reset of the GPU */
	return code;
}

/* Until it was the caller's own queue. */
void hurt_the_caller(const Row &row)
{
	constexpr unsigned tries = 12;

	fmt::print("{}\n", row.name);
	for (unsigned i = 0; i < tries; i++) {
		const int code = Child([&] { leave(hurt_one_of_two(row)); }).join();

		REQUIRE(code == HasLost || code == WasSpared);
		if (code == HasLost)
			return;
	}
	fail(__FILE__, __LINE__, "the queue of who calls was never the one");
}

} // namespace

KFDM_TEST_OF("7.2", "a queue that cannot be preempted is reset, and nobody else's")
{
	if (sched_policy() != 0)
		skip("queues are scheduled by the driver");
	if (Topology::read().gpu().properties["gfx_target_version"] / 10000 != 9)
		skip("Linux resets the whole GPU where the chip is not of GFX9");
	/* The firmware is told when it starts how long it may wait for a queue: less than half of this, in whole tenths of a second. */
	ShortTimeout timeout(400);
	load_driver("7.2");
	for (const Row &row : rows)
		hurt_the_caller(row);
	timeout.restore();
	load_driver("7.2");
}
