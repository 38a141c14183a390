// SPDX-License-Identifier: MIT
/*
 * debug_session.cpp - who may debug the waves of whom, what a debugger hears, and how a session ends.
 */
#include "debugger.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t all = ~uint64_t{0};
constexpr uint64_t r_debug = 0x1234'5678;

int enable_runtime(int kfd, bool on)
{
	RuntimeEnable args = {on ? r_debug : 0, on ? 3U : 0U, 0};

	return call(kfd, RuntimeEnable::request, args);
}

void refusals(Gpu &gpu)
{
	Debugger of_nobody(gpu.fd(), 0x7fffffff), self(gpu.fd(), getpid());
	Child stranger([&] {
		Child::ready();
		pause();
	});
	Debugger of_stranger(gpu.fd(), stranger.pid());
	struct {
		uint64_t exceptions, info;
		uint32_t info_size, fd;
	} args = {all, 0, 16, 0x7fffffff};

	REQUIRE(stranger.wait_ready());
	CHECK_EQ(of_nobody.attach(all), -ESRCH);
	CHECK_EQ(of_stranger.attach(all), -ESRCH); /* does not use KFD, and is not traced */
	CHECK_EQ(self.query(*std::make_unique<DebugEvent>(), 0), -EINVAL);
	CHECK_EQ(self.operate(debug_enable, args), -EBADF);
	args.fd = static_cast<uint32_t>(gpu.fd()); /* a file that cannot be rung */
	CHECK_EQ(self.operate(debug_enable, args), -EBADF);
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	args.fd = static_cast<uint32_t>(ends[1]);
	CHECK_EQ(self.operate(debug_enable, args), -EFAULT);
	close(ends[0]);
	close(ends[1]);
	CHECK_EQ(self.detach(), -EINVAL);
	CHECK_EQ(self.attach(all), 0);
	CHECK_EQ(self.info.runtime_state, 0U);
	CHECK_EQ(self.attach(all), -EALREADY);
	CHECK_EQ(self.operate(debug_suspend_queues), -EPERM); /* no runtime */
	CHECK_EQ(self.operate(static_cast<DebugOp>(15)), -EINVAL);
	CHECK_EQ(self.detach(), 0);
}

/* A process debugs itself: queues come and go. */
void queues(Gpu &gpu)
{
	AqlQueue old(gpu.device);
	Debugger self(gpu.fd(), getpid());
	DebugEvent event;
	uint32_t size, nothing;

	REQUIRE(self.attach(exception_mask(ec_queue_delete)) == 0);
	CHECK_EQ(self.query(event, 0), -EAGAIN); /* the one that was there is new, but nobody has asked for that */
	CHECK_EQ(self.enable(all), 0);
	CHECK(self.rung());
	REQUIRE(self.query(event, 0) == 0);
	CHECK_EQ(event.exceptions, exception_mask(ec_queue_new));
	CHECK_EQ(event.queue, old.id());
	CHECK_EQ(event.gpu, gpu.id());
	CHECK_EQ(self.info_of(ec_queue_new, event.queue, true, nothing, &size), 0);
	CHECK_EQ(size, 0U);
	CHECK_EQ(self.info_of(ec_queue_new, event.queue, true, nothing, &size), -ENODATA);
	CHECK_EQ(self.info_of(ec_queue_new, 999, true, nothing, &size), -EINVAL);
	CHECK_EQ(self.info_of(50, 0, true, nothing, &size), -EINVAL);
	CHECK_EQ(self.query(event, all), -EAGAIN);
	{
		AqlQueue queue(gpu.device);

		CHECK(self.rung());
		REQUIRE(self.query(event, all) == 0);
		CHECK_EQ(event.exceptions, exception_mask(ec_queue_new));
		CHECK_EQ(event.queue, queue.id());
		CHECK(works(gpu, queue));
	}
	CHECK(self.rung());
	REQUIRE(self.query(event, all) == 0);
	CHECK_EQ(event.exceptions, exception_mask(ec_queue_delete));
	CHECK_EQ(event.gpu, gpu.id());
	CHECK_EQ(self.query(event, all), -EAGAIN);
	CHECK_EQ(self.detach(), 0);
}

/* The runtime waits until its debugger has looked; a signal lets the call come again. */
void handshake(Gpu &gpu)
{
	UniqueFd go(-1);
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	Child program([&] {
		char byte;

		Child::ready();
		CHECK(read(ends[0], &byte, 1) == 1); /* until it is attached to */
		Gpu own;
		CHECK_ERRNO(0, enable_runtime(own.fd(), true));
		{
			AqlQueue queue(own.device);

			CHECK(works(own, queue));
		}
		CHECK_ERRNO(0, enable_runtime(own.fd(), false));
	});
	Debugger debugger(gpu.fd(), program.pid());
	DebugEvent event;
	RuntimeInfo info = {};
	uint32_t size;

	REQUIRE(program.wait_ready());
	CHECK_EQ(debugger.attach(all), -ESRCH);
	REQUIRE(seize(program.pid()) == 0);
	REQUIRE(debugger.attach(all) == 0); /* before it has opened the device */
	CHECK_EQ(debugger.attach(all), -EALREADY);
	CHECK_EQ(debugger.info.runtime_state, 0U);
	REQUIRE(write(ends[1], "", 1) == 1);
	REQUIRE(debugger.wait_for(exception_mask(ec_process_runtime), event));
	CHECK_EQ(event.queue, 0U);
	CHECK_EQ(debugger.info_of(ec_process_runtime, 0, false, info, &size), -ENODATA); /* it is cleared */
	CHECK(!debugger.rung(a_while));							 /* it waits, and makes no queue */
	CHECK_EQ(debugger.send(exception_mask(ec_process_runtime)), 0);
	REQUIRE(debugger.wait_for(exception_mask(ec_queue_new), event));
	CHECK_EQ(event.gpu, gpu.id());
	REQUIRE(debugger.wait_for(exception_mask(ec_queue_delete), event));
	while (debugger.query(event, 0) || !(event.exceptions & exception_mask(ec_process_runtime)))
		REQUIRE(debugger.rung());
	CHECK_EQ(debugger.info_of(ec_process_runtime, 0, true, info, &size), 0);
	CHECK_EQ(size, sizeof(info));
	CHECK_EQ(info.runtime_state, 0U);
	CHECK_EQ(debugger.detach(), 0); /* lets it go on, too */
	CHECK_EQ(program.join(), 0);
	close(ends[0]);
	close(ends[1]);
}

/* Whoever ends first: the other one goes on, and the program can be debugged again. */
void ends(Gpu &gpu)
{
	Child program([&] {
		Gpu own;

		Child::ready();
		pause();
	});
	Debugger debugger(gpu.fd(), program.pid());

	REQUIRE(program.wait_ready());
	CHECK_EQ(debugger.attach(all), -EPERM);
	REQUIRE(ptrace(PTRACE_SEIZE, program.pid(), nullptr, nullptr) == 0);
	REQUIRE(debugger.attach(all) == 0);
	program.kill();
	CHECK(eventually([&] { return debugger.attach(all) == -ESRCH; }));

	/* The child of a child, which outlives its debugger. */
	int pids[2];
	REQUIRE(pipe(pids) == 0);
	Child second([&] {
		Gpu own;
		Child grandchild([&] {
			Gpu its;

			Child::ready();
			CHECK_ERRNO(0, enable_runtime(its.fd(), true));
			AqlQueue queue(its.device);
			CHECK(works(its, queue));
			pause();
		});
		Debugger first(own.fd(), grandchild.pid());
		pid_t pid = grandchild.pid();

		REQUIRE(grandchild.wait_ready());
		REQUIRE(seize(pid) == 0);
		REQUIRE(first.attach(all) == 0);
		REQUIRE(write(pids[1], &pid, sizeof(pid)) == sizeof(pid));
		Child::ready();
		pause();
	});
	pid_t orphan = 0;

	REQUIRE(second.wait_ready());
	REQUIRE(read(pids[0], &orphan, sizeof(orphan)) == sizeof(orphan));
	Debugger next(gpu.fd(), orphan);
	CHECK_EQ(next.attach(all), -EPERM);
	second.kill(); /* the grandchild is not: its tracer has not asked for that */
	REQUIRE(seize(orphan) == 0);
	CHECK(eventually([&] { return next.attach(all) == 0; }));
	CHECK_EQ(next.detach(), 0);
	kill(orphan, SIGKILL);
}

/* What a program executes is another one, of which its debugger has nothing. */
void executes(Gpu &gpu)
{
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	Child program([&] {
		Gpu own;
		char byte;

		Child::ready();
		CHECK(read(ends[0], &byte, 1) == 1);
		execl("/bin/sleep", "sleep", "60", nullptr);
	});
	Debugger debugger(gpu.fd(), program.pid());

	REQUIRE(program.wait_ready());
	REQUIRE(seize(program.pid()) == 0);
	REQUIRE(debugger.attach(all) == 0);
	CHECK_EQ(debugger.enable(all), 0);
	REQUIRE(write(ends[1], "", 1) == 1);
	CHECK(eventually([&] { return debugger.enable(all) == -ESRCH; }));
	program.kill();
	close(ends[0]);
	close(ends[1]);
}

} // namespace

KFDM_TEST_OF("7.2", "a debugger attaches, hears of queues and of the runtime, and detaches in every way")
{
	Gpu gpu;

	if (sched_policy() == 2) {
		Debugger self(gpu.fd(), getpid());

		CHECK_EQ(self.attach(all), -EINVAL);
		return;
	}
	refusals(gpu);
	queues(gpu);
	handshake(gpu);
	ends(gpu);
	executes(gpu);
}
