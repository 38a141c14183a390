// SPDX-License-Identifier: MIT
/*
 * isolation_leftovers.cpp - what a process has had in VGPRs, AGPRs, SGPRs and LDS is not there for another user's waves, however either of
 * them has come to the chip and the first one has gone; and what a process has in registers stays its own.
 *
 * With leftover_locals=1 the chip is as real ones are (CVE-2023-4969), and the words are there.
 */
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "files.hpp"
#include "gpu.hpp"
#include "ring_kernel.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t lds_bytes = 65536;
constexpr size_t go_on = 8; /* hold_registers waits for this word of its output */

/* What device/leftover.s counts. */
struct Counts {
	uint32_t vgprs, sgprs, agprs, lds, waves, changed;
};

/* One process's way to the compute units of a GPU. */
class Runner {
public:
	virtual ~Runner() = default;
	/* Starts a kernel that takes everything there is, some times over. */
	virtual void start(const std::string &kernel, uint32_t secret, uint32_t lds = 0) = 0;
	virtual bool wait() = 0;
	[[nodiscard]] virtual volatile uint32_t *out() = 0;

	void run(const std::string &kernel, uint32_t secret, uint32_t lds = 0)
	{
		start(kernel, secret, lds);
		REQUIRE(wait());
	}
	void leave(uint32_t secret)
	{
		run("leave_registers", secret);
		run("leave_lds", secret, lds_bytes);
	}
	[[nodiscard]] Counts look(uint32_t secret)
	{
		for (size_t i = 0; i < 6; i++)
			out()[i] = 0;
		run("look_registers", secret);
		run("look_lds", secret, lds_bytes);
		return {out()[0], out()[1], out()[2], out()[3], out()[4], out()[5]};
	}
};

uint32_t groups_of(const Node &node) { return 8 * node.cu_count(); /* each SIMD gets two workgroups, each CU eight */ }

class KfdRunner : public Runner {
public:
	explicit KfdRunner(const Node &node)
		: device_(Device::open(kfd_, node)),
		  program_(Program::load(device_, CodeObject::read(find_device_code("leftover", node.isa())))),
		  out_(Buffer::gtt(device_, 4096, memory_coherent)), queue_(device_)
	{
	}
	void start(const std::string &kernel, uint32_t secret, uint32_t lds) override
	{
		launch_.reset();
		launch_ = std::make_unique<Launch>(device_, program_.kernel(kernel),
						   Shape{.grid = {64 * groups_of(device_.node()), 1, 1}, .dynamic_group_bytes = lds});
		launch_->arg(out_).arg(secret);
		launch_->submit(queue_);
	}
	bool wait() override { return launch_->wait(patience); }
	volatile uint32_t *out() override { return out_.as<volatile uint32_t>().data(); }
	AqlQueue &queue() { return queue_; }

private:
	Kfd kfd_ = Kfd::open();
	Device device_;
	Program program_;
	Buffer out_;
	AqlQueue queue_;
	std::unique_ptr<Launch> launch_;
};

class RingRunner : public Runner {
public:
	RingRunner(const Node &node, unsigned ip)
		: groups_(groups_of(node)), ip_(ip), device_(node.render_path()), context_(device_),
		  out_(device_, 4096, AMDGPU_GEM_DOMAIN_GTT), kernel_(device_, "leftover", node.isa())
	{
	}
	void start(const std::string &kernel, uint32_t secret, uint32_t lds) override
	{
		fence_ = context_.submit(kernel_.job(ip_, 0, kernel, out_, secret, groups_, lds));
	}
	bool wait() override { return fence_.wait(long_ns); }
	volatile uint32_t *out() override { return out_.as<volatile uint32_t>().data(); }

private:
	uint32_t groups_;
	unsigned ip_;
	drm::Device device_;
	drm::Context context_;
	drm::Buffer out_;
	RingKernel kernel_;
	drm::Fence fence_;
};

struct Path {
	const char *name;
	std::unique_ptr<Runner> (*open)(const Node &node);
	bool graphics = false;
};

const Path paths[] = {
	{"a queue of KFD", [](const Node &node) -> std::unique_ptr<Runner> { return std::make_unique<KfdRunner>(node); }},
	{"a compute ring",
	 [](const Node &node) -> std::unique_ptr<Runner> { return std::make_unique<RingRunner>(node, AMDGPU_HW_IP_COMPUTE); }},
	{"the graphics ring",
	 [](const Node &node) -> std::unique_ptr<Runner> { return std::make_unique<RingRunner>(node, AMDGPU_HW_IP_GFX); }, true},
};

/* The victim's last act; all but a return of it stays as it is until it is killed. */
[[noreturn]] void stay()
{
	Child::ready();
	while (true)
		pause();
}

void stays_idle(Runner &) { stay(); }
void exits(Runner &) { Child::ready(); }
void executes(Runner &)
{
	/* Its descriptors and its memory are gone when the other program begins, and not before its lead thread has gone on. */
	Child::ready();
	execl("/bin/sleep", "sleep", "1000", nullptr);
	fail(__FILE__, __LINE__, "exec");
}

/* Its waves are in the middle of it. */
void runs_on(Runner &runner, uint32_t secret)
{
	runner.out()[go_on] = 0;
	runner.start("hold_registers", secret);
	usleep(20'000);
}

struct Going {
	const char *name;
	void (*act)(Runner &runner);
	bool holds; /* a kernel of the victim runs meanwhile: a queue's; one on a ring would hang it */
	void (*by_root)(Child &victim, const Node &node);
};

void nothing(Child &, const Node &) {}
void joins(Child &victim, const Node &) { CHECK_EQ(victim.join(), 0); }
void kills(Child &victim, const Node &) { victim.kill(); }
void becomes_sleep(Child &victim, const Node &)
{
	const std::string file = fmt::format("/proc/{}/comm", victim.pid());

	CHECK(eventually([&] { return read_file(file) == "sleep\n"; }));
}
void resets(Child &, const Node &node)
{
	const auto minor = node.properties["drm_render_minor"] - 128;

	(void)read_file(fmt::format("/sys/kernel/debug/dri/{}/amdgpu_gpu_recover", minor));
}

const Going goings[] = {
	{"is there and idle", stays_idle, false, nothing},
	{"has exited", exits, false, joins},
	{"has executed another program", executes, false, becomes_sleep},
	{"is killed while it runs", stays_idle, true, kills},
	{"has lost its work in a reset", stays_idle, true, resets},
};

bool as_real_chips_are() { return read_file("/sys/module/amdgpu_model/parameters/leftover_locals") == "Y\n"; }

/* Chips that execute shaders: GFX8, GFX9, GFX10.3. */
bool executes_shaders(const Node &node)
{
	const uint64_t target = node.properties["gfx_target_version"];

	return (target >= 80000 && target < 90100) || target / 100 == 1003;
}

/* CDNA (gfx908, gfx90a) has no graphics ring. */
bool has(const Node &node, const Path &path) { return !path.graphics || (node.name != "arcturus" && node.name != "aldebaran"); }

/* Not a number that the chip or another round of this test has by chance. */
uint32_t new_secret()
{
	static uint32_t round;

	return 0x5ec00000U + static_cast<uint32_t>(getpid() % 1000) * 1024 + round++ % 1024;
}

/*
 * @runner sees what it has left itself: the kernels look where they left it. Jobs of a ring may each have another VMID, queues keep theirs.
 */
void sees_its_own(Runner &runner, uint32_t secret)
{
	const Counts own = runner.look(secret);

	CHECK(own.vgprs > 0);
	CHECK(own.lds > 0);
}

void expect(const Counts &seen, const Node &node, bool reset)
{
	CHECK_EQ(seen.waves, 2 * groups_of(node));
	CHECK_EQ(seen.sgprs, 0U); /* no generation's waves begin with other waves' */
	if (as_real_chips_are()) {
		CHECK(reset || seen.vgprs > 0);
		CHECK(reset || seen.lds > 0);
		return;
	}
	CHECK_EQ(seen.vgprs, 0U);
	CHECK_EQ(seen.agprs, 0U);
	CHECK_EQ(seen.lds, 0U);
}

void try_to_see(const Node &node, const Path &from, const Path &to, const Going &going)
{
	const uint32_t secret = new_secret();
	const int before = failures();
	Shared<Counts> seen;

	Child victim = as(alice, [&] {
		std::unique_ptr<Runner> runner = from.open(node);

		runner->leave(secret);
		if (&from == paths)
			sees_its_own(*runner, secret);
		if (going.holds)
			runs_on(*runner, secret);
		going.act(*runner);
	});
	REQUIRE(victim.wait_ready());
	going.by_root(victim, node);
	Child thief = as(bob, [&] { *seen = to.open(node)->look(secret); });
	CHECK_EQ(thief.join(), 0);
	expect(*seen, node, going.by_root == resets);
	if (failures() != before)
		fmt::print("    {}: by {} of who has used {} and {}: {} VGPRs, {} AGPRs, {} SGPRs, {} words of LDS\n", node.name, to.name,
			   from.name, going.name, seen->vgprs, seen->agprs, seen->sgprs, seen->lds);
}

/* While the user of the registers lives, every path is tried; after it has gone, its own path; after a queue has gone, all paths. */
bool is_tried(const Going &going, const Path &from, const Path &to)
{
	return &from == paths || (!going.holds && (&going == goings || &from == &to));
}

/* A victim whose queue leaves the chip in the middle, another user's waves in all registers meanwhile. */
void keeps_its_own(const Node &node, const Path &other)
{
	const uint32_t mine = new_secret(), theirs = new_secret();
	Shared<bool> overwritten;

	Child owner = as(alice, [&] {
		KfdRunner runner(node);

		runs_on(runner, mine);
		runner.queue().update(0, 7);
		Child::ready();
		CHECK(eventually([&] { return *static_cast<volatile bool *>(&*overwritten); }));
		runner.out()[4] = 0;
		runner.out()[5] = 0;
		runner.out()[go_on] = 1;
		runner.queue().update(100, 7);
		REQUIRE(runner.wait());
		CHECK_EQ(runner.out()[4], groups_of(node));
		CHECK_EQ(runner.out()[5], 0U);
	});
	REQUIRE(owner.wait_ready());
	Child stranger = as(bob, [&] {
		std::unique_ptr<Runner> runner = other.open(node);
		const Counts seen = runner->look(mine);

		if (!as_real_chips_are())
			CHECK_EQ(seen.vgprs + seen.agprs, 0U);
		runner->leave(theirs);
	});
	CHECK_EQ(stranger.join(), 0);
	*overwritten = true;
	CHECK_EQ(owner.join(), 0);
}

bool has_context_save(const Node &node)
{
	/* GFX7 has none; without the firmware's scheduler nothing is saved (kfd_dqm_nocpsch.c). */
	return sched_policy() != 2 && node.name != "tonga" && node.name != "hawaii";
}

} // namespace

KFDM_TEST("registers and LDS carry nothing from one user's process to another's")
{
	const Topology topology = Topology::read();

	admit_users();
	for (unsigned g = 0; g < topology.gpu_count(); g++) {
		const Node &node = topology.gpu(g);

		if (!executes_shaders(node))
			continue;
		fmt::print("{}\n", node.name);
		for (const Going &going : goings)
			for (const Path &from : paths)
				for (const Path &to : paths)
					if (has(node, from) && has(node, to) && is_tried(going, from, to))
						try_to_see(node, from, to, going);
		if (has_context_save(node))
			for (const Path &other : paths)
				if (has(node, other))
					keeps_its_own(node, other);
	}
}
