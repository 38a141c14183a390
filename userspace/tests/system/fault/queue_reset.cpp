// SPDX-License-Identifier: MIT
/*
 * queue_reset.cpp - a queue that cannot be preempted is reset alone, as Linux 7.2 does on GFX9: its process is told, everybody else's
 * queues go on, and the GPU is not reset. Linux: kfd_device_queue_manager.c, reset_queues_on_hws_hang().
 */
#include "kfd_newer.hpp"
#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* A kernel that never ends, which has to be saved or killed. */
struct Worker {
	Gpu gpu;
	ResetWatch watch{gpu};
	AqlQueue queue{gpu.device};
	Program program = gpu.program();
	Launch launch{gpu.device, program.kernel("endless"), {.grid = {128, 1, 1}}};

	Worker()
	{
		Lab lab = lab_or_skip();
		const uint64_t waves = lab.counter(Counter::Waves);

		launch.submit(queue);
		REQUIRE(eventually([&] { return lab.counter(Counter::Waves) >= waves + 2; }));
	}

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

/* A queue that is made afterwards works, but none of the process changes any more. */
void expect_lost(Worker &victim)
{
	CHECK(victim.is_told());
	CHECK_EQ(victim.launch.signal().value(), 1);
	AqlQueue next(victim.gpu.device);
	CHECK(works(victim.gpu, next));
	CHECK_ERRNO(EACCES, errno_of([&] { next.update(100, 11); }));
}

/* Each refuses the next preemption of its queue. */
void updated(Worker &victim)
{
	lab_or_skip().inject(Fault::DeafWave, 1);
	CHECK_ERRNO(EACCES, errno_of([&] { victim.queue.update(100, 11); }));
	expect_lost(victim);
	victim.queue.destroy();
}

void destroyed(Worker &victim)
{
	lab_or_skip().inject(Fault::DeafWave, 1);
	victim.queue.destroy();
	expect_lost(victim);
}

struct Row {
	const char *name;
	void (*hurt)(Worker &victim);
};
constexpr Row rows[] = {
	{"update", updated},
	{"destroy", destroyed},
};

/* The victim's process is the newer one: of all queues that leave together, its one is first to meet the failure. */
void hurt_one(const Row &row)
{
	Worker bystander;
	Child victim([&] {
		Worker worker;

		row.hurt(worker);
	});

	fmt::print("{}\n", row.name);
	CHECK_EQ(victim.join(), 0);
	CHECK(!bystander.is_told(a_while));
	CHECK_EQ(bystander.launch.signal().value(), 1);
	bystander.queue.update(100, 7);		/* is still preempted and brought back */
	AqlQueue queue(bystander.gpu.device);
	CHECK(works(bystander.gpu, queue));
	CHECK(!bystander.watch.smi_told(a_while));	/* of a reset of the GPU */
}

} // namespace

KFDM_TEST_OF("7.2", "a queue that cannot be preempted is reset, and nobody else's")
{
	if (sched_policy() != 0)
		skip("queues are scheduled by the driver");
	if (Topology::read().gpu().properties["gfx_target_version"] / 10000 != 9)
		skip("Linux resets the whole GPU where the chip is not of GFX9");
	/* The firmware is told when it starts how long it may wait for a queue: half of this. */
	ShortTimeout timeout(400);
	load_driver("7.2");
	for (const Row &row : rows) {
		Child alone([&] { hurt_one(row); });	/* its process of KFD ends with it */
		CHECK_EQ(alone.join(), 0);
	}
	timeout.restore();
	load_driver("7.2");
}
