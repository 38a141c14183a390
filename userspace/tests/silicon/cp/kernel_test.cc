// SPDX-License-Identifier: MIT
/* kernel_test.cc - machine code dispatched through AQL and PM4, errors of kernels, preemption with waves. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Kernel : public ChipTest {
protected:
	void expect_indices(const Process::Buffer &out, unsigned n)
	{
		for (unsigned i = 0; i < n; i++)
			ASSERT_EQ(out.at<std::uint32_t>(i * 4), i) << "element " << i;
	}
};

TEST_F(Kernel, AqlDispatchComputes)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096 * 4);
	const auto args = make_kernarg(process, out.va);
	Signal done = make_signal(process, 1, 5);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {4096, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(done.value(), 0);
	expect_indices(out, 4096);
	EXPECT_GT(done.end(), done.start());
	EXPECT_EQ(chip.counter(SILICON_COUNT_WORKGROUPS), 64u);
	EXPECT_EQ(chip.counter(SILICON_COUNT_WAVES), 64u);
	EXPECT_EQ(driver.interrupts().size(), 1u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* GRBM_STATUS, the slices' flag and the counter of cycles tell of the same time. A clock that is held does nothing. */
TEST_F(Kernel, TheChipIsBusyWhileItRuns)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	Signal done = make_signal(process, 1);

	driver.run_list({&queue});
	EXPECT_EQ(chip.run() & SILICON_RUN_KERNELS, 0u);
	EXPECT_EQ(chip.rreg(mmGRBM_STATUS), 0u);
	EXPECT_EQ(chip.counter(SILICON_COUNT_KERNEL_CYCLES), 0u);
	queue.push(aql_kernel(make_kernel(process, spin_kernel).va, make_kernarg(process, flag.va).va, {64, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	const std::uint64_t before = chip.now();
	EXPECT_NE(chip.run(50) & SILICON_RUN_KERNELS, 0u);
	EXPECT_EQ(chip.rreg(mmGRBM_STATUS), REG_MASK(GRBM_STATUS, GUI_ACTIVE) | REG_MASK(GRBM_STATUS, SPI_BUSY));
	const std::uint64_t cycles = chip.counter(SILICON_COUNT_KERNEL_CYCLES);
	EXPECT_GT(cycles, 0u);
	EXPECT_LE(cycles, chip.now() - before);
	chip.hold(true);
	EXPECT_EQ(chip.run(50) & SILICON_RUN_KERNELS, 0u);
	EXPECT_EQ(chip.counter(SILICON_COUNT_KERNEL_CYCLES), cycles);
	chip.hold(false);
	flag.at<std::uint32_t>() = 1;
	EXPECT_EQ(chip.run() & SILICON_RUN_KERNELS, 0u);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(chip.rreg(mmGRBM_STATUS), 0u);
	EXPECT_GT(chip.counter(SILICON_COUNT_KERNEL_CYCLES), cycles);
	EXPECT_GE(chip.counter(SILICON_COUNT_AWAKE_CYCLES), chip.counter(SILICON_COUNT_KERNEL_CYCLES));
}

/* A rest moves the clock on, and is not counted: who waits for the chip must not take the leap for work. */
TEST_F(Kernel, ARestIsNotCountedAsAwake)
{
	chip.run();
	const std::uint64_t before = chip.now(), awake = chip.counter(SILICON_COUNT_AWAKE_CYCLES);

	chip.pass_wall_time(5000000);
	chip.run();
	EXPECT_GT(chip.now(), before + 1000000);
	EXPECT_EQ(chip.counter(SILICON_COUNT_AWAKE_CYCLES), awake);
}

TEST_F(Kernel, ManyKernelsInOrderAndNot)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(256 * 4);
	const auto args = make_kernarg(process, out.va);
	Signal done = make_signal(process, 200);

	driver.run_list({&queue});
	for (unsigned batch = 0; batch < 5; batch++) {
		for (unsigned i = 0; i < 40; i++)
			queue.push(aql_kernel(kernel.va, args.va, {256, 1, 1}, {64, 1, 1}, done.va(), i % 3 == 0));
		queue.ring();
		chip.run();
	}
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(queue.read_index(), 200u);
}

TEST_F(Kernel, Pm4DispatchComputes)
{
	UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4});
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);
	const auto fence = process.alloc(4096);
	const std::uint64_t code = (kernel.va + 256) >> 8;
	const auto sh = [](std::uint32_t reg) { return reg - PM4_SH_REG_START; };

	queue.words({PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_LO), lo32(code), hi32(code)});
	queue.words({PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_RSRC1), 1 | 1 << 6 | 0xc0 << 12, 2 << 1 | RSRC2_TGID_X_EN});
	queue.words({PM4_HEADER(PM4_SET_SH_REG, 3), sh(mmCOMPUTE_NUM_THREAD_X), 64, 1, 1});
	queue.words({PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_USER_DATA_0), lo32(args.va), hi32(args.va)});
	queue.words({PM4_HEADER(PM4_DISPATCH_DIRECT, 3), 16, 1, 1, PM4_DISPATCH_COMPUTE_SHADER_EN | PM4_DISPATCH_FORCE_START_AT_000});
	queue.words({PM4_HEADER(PM4_EVENT_WRITE, 0), PM4_EVENT_CS_PARTIAL_FLUSH | 4 << 8});
	queue.words({PM4_HEADER(PM4_RELEASE_MEM, 6), PM4_EVENT_CACHE_FLUSH_AND_INV_TS | 5 << 8, 2u << 29 | 2u << 24, lo32(fence.va),
		     hi32(fence.va), 0x1234, 0x5678, 42});
	driver.run_list({&queue});
	queue.ring();
	chip.run();
	expect_indices(out, 1024);
	EXPECT_EQ(fence.at<std::uint64_t>(), 0x567800001234u);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].dw[4], 42u);
}

TEST_F(Kernel, SpinningKernelDoesNotHoldOthers)
{
	UserQueue spinning(chip, driver, process, 0x400), other(chip, driver, process, 0x402);
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, spin_kernel);
	const auto args = make_kernarg(process, flag.va);
	Signal spun = make_signal(process, 1), done = make_signal(process, 1);

	driver.run_list({&spinning, &other});
	spinning.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, spun.va()));
	spinning.ring();
	other.push(aql_barrier({}, done.va()));
	other.ring();
	chip.run(50);
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(spun.value(), 1);
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(spun.value(), 0);
}

TEST_F(Kernel, PreemptedKernelIsSavedAndGoesOn)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, sleeping_kernel);
	const auto args = make_kernarg(process, flag.va);
	Signal spun = make_signal(process, 1), after = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {64 * 20, 1, 1}, {64, 1, 1}, spun.va()));
	queue.push(aql_barrier({}, after.va()));
	queue.ring();
	chip.run(50);
	for (unsigned round = 0; round < 3; round++) {
		driver.unmap();
		chip.run(50);
		EXPECT_TRUE(driver.fence_done());
		EXPECT_EQ(queue.mqd.words()[MQD_V9_cp_hqd_active], 0u);
		EXPECT_LT(queue.mqd.words()[MQD_V9_cp_hqd_cntl_stack_offset], 0x4000u);
		EXPECT_GT(queue.mqd.words()[MQD_V9_cp_hqd_wg_state_offset], 0x4000u);
		EXPECT_EQ(spun.value(), 1);
		driver.run_list({&queue});
		chip.run(50);
	}
	EXPECT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), chip.counter(SILICON_COUNT_RESTORED_WAVES));
	EXPECT_GE(chip.counter(SILICON_COUNT_SAVED_WAVES), 3u);
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(spun.value(), 0);
	EXPECT_EQ(after.value(), 0);
	EXPECT_EQ(queue.read_index(), 2u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* Wherever it is cut, also between a wave's s_endpgm and the packet's end, the signal is decremented once. */
TEST_F(Kernel, PreemptionAtAnyCycleLosesNoCompletion)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);
	std::uint64_t longest = 0;

	chip.hold(true);
	driver.run_list({&queue});
	chip.run();
	for (std::uint64_t cut = 0; cut <= longest; cut += 3) {
		Signal done = make_signal(process, 1);
		const std::uint64_t start = chip.now();

		queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va()));
		queue.ring();
		if (cut) {
			chip.step(SILICON_STEP_CYCLE, start + cut);
			chip.run();
			driver.unmap();
			chip.run();
			ASSERT_TRUE(driver.fence_done());
			driver.run_list({&queue});
		}
		chip.step(SILICON_STEP_IDLE, 0);
		chip.run();
		ASSERT_EQ(done.value(), 0) << "cut after " << cut << " cycles";
		if (!cut)
			longest = chip.now() - start;
	}
	EXPECT_GT(chip.counter(SILICON_COUNT_SAVED_WAVES), 0u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* What is left to do takes its time, however long nothing ran in between. */
TEST_F(Kernel, APreemptedKernelGoesOnWhenItIsRestored)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto args = make_kernarg(process, process.alloc(4096).va);
	const auto dispatch = [&](const Signal &done) {
		queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va()));
		queue.ring();
	};
	const auto step = [&](std::uint32_t until, std::uint64_t argument) {
		const std::uint64_t start = chip.now();

		chip.step(until, until == SILICON_STEP_CYCLE ? start + argument : argument);
		chip.run();
		return chip.now() - start;
	};
	constexpr std::uint64_t middle = 300; /* the packet takes 200 cycles, the kernel as many again */
	Signal done = make_signal(process, 1);

	chip.hold(true);
	driver.run_list({&queue});
	chip.run();
	dispatch(done);
	step(SILICON_STEP_CYCLE, middle);
	driver.unmap();
	chip.run();
	ASSERT_EQ(chip.counter(SILICON_COUNT_SAVED_WAVES), 1u);
	step(SILICON_STEP_CYCLE, 1000000);
	chip.trace(true);
	driver.run_list({&queue});
	chip.run();
	const std::uint64_t mapped = chip.now();
	step(SILICON_STEP_IDLE, 0);
	EXPECT_EQ(done.value(), 0);
	unsigned ended = 0;
	for (const silicon_trace_event &e : chip.trace_log) {
		EXPECT_TRUE(e.kind != SILICON_TRACE_RESTORE || e.cycle >= mapped) << e.cycle << " " << mapped;
		ended += e.kind == SILICON_TRACE_WORKGROUP_END && e.cycle > mapped;
	}
	EXPECT_EQ(ended, 1u);
	/* It began before it was preempted: a million cycles of 1.8 GHz are 13,880 ticks of 25 MHz. */
	EXPECT_GT(done.start(), 0u);
	EXPECT_GT(done.end(), done.start() + 13000);
}

TEST_F(Kernel, ASaveThatWaitsForPagesIsNotCutShort)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, sleeping_kernel);
	const auto args = make_kernarg(process, flag.va);
	Signal spun = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {64 * 20, 1, 1}, {64, 1, 1}, spun.va()));
	queue.ring();
	chip.run(50);
	/* The host was slow: the chip's clock is far behind the wall's, and nothing holds it back. */
	chip.pass_wall_time(60'000'000'000);
	for (std::uint64_t at = 0; at < UserQueue::Options{}.save_bytes; at += 4096)
		chip.bus_absent(queue.save.bus.address + at);
	const std::uint64_t needs = chip.needs();
	driver.unmap();
	chip.run(5000);
	EXPECT_GT(chip.needs(), needs);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(driver.hiq_ring().mqd.words()[MQD_V9_queue_doorbell_id0], 0u);
	EXPECT_GE(chip.counter(SILICON_COUNT_SAVED_WAVES), 1u);
	driver.run_list({&queue});
	flag.at<std::uint32_t>() = 1;
	chip.run();
	EXPECT_EQ(spun.value(), 0);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Kernel, ResetKillsWaves)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, spin_kernel);
	const auto args = make_kernarg(process, flag.va);
	Signal spun = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, spun.va()));
	queue.ring();
	chip.run(20);
	driver.unmap(PM4_UNMAP_ALL, 0, PM4_UNMAP_RESET);
	chip.run(20);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(chip.run(20), 0u);
	EXPECT_EQ(spun.value(), 1);
}

TEST_F(Kernel, IllegalInstructionStopsItsQueueOnly)
{
	UserQueue queue(chip, driver, process, 0x400), other(chip, driver, process, 0x402);
	const auto kernel = make_kernel(process, {0xffffffff, 0xffffffff, 0xbf810000});
	const auto good = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);
	Signal inactive = make_signal(process, 0, 3), done = make_signal(process, 1), fine = make_signal(process, 1);

	queue.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
	driver.run_list({&queue, &other});
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	other.push(aql_kernel(good.va, args.va, {64, 1, 1}, {64, 1, 1}, fine.va()));
	other.ring();
	chip.run(200);
	EXPECT_EQ(done.value(), 1);
	EXPECT_EQ(fine.value(), 0);
	EXPECT_EQ(inactive.value(), s64{AMD_QUEUE_ERROR_ILLEGAL_INSTRUCTION});
	EXPECT_EQ(inactive.mailbox(), 3u);
	driver.unmap();
	chip.run(50);
	EXPECT_TRUE(driver.fence_done());
}

TEST_F(Kernel, VmFaultIsToldOnce)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto args = make_kernarg(process, 0x123456789000);
	Signal done = make_signal(process, 1);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {4096, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	chip.run(200);
	EXPECT_EQ(done.value(), 1);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_UTCL2});
	EXPECT_EQ(cookies[0].dw[4], 0x23456789u);
	EXPECT_EQ(cookies[0].dw[5] & 0xf, 1u);
	EXPECT_TRUE(IH_RING_ID(cookies[0].dw[0]) & IH_FAULT_RING_WRITE);
	EXPECT_TRUE(cookies[0].dw[5] & IH_FAULT_DATA1_WRITE);
	EXPECT_EQ(REG_GET(chip.rreg(mmVM_L2_PROTECTION_FAULT_STATUS), VM_L2_PROTECTION_FAULT_STATUS, VMID), 8u);
	EXPECT_EQ(chip.rreg(mmVM_L2_PROTECTION_FAULT_ADDR_LO32), 0x23456789u);
	driver.unmap();
	chip.run(50);
	EXPECT_TRUE(driver.fence_done());
}

/* XNACK: a hub that has faulting accesses retried, a retry CAM, and a process that wants it (SH_MEM_CONFIG.RETRY_DISABLE is clear). */
class RetryFaults : public Kernel {
protected:
	void SetUp() override
	{
		Kernel::SetUp();
		for (std::uint32_t vmid = 1; vmid < 16; vmid++) {
			const std::uint32_t reg = mmVM_CONTEXT0_CNTL + vmid;

			chip.wreg(reg, REG_SET(chip.rreg(reg), VM_CONTEXT0_CNTL, RETRY_PERMISSION_OR_INVALID_PAGE_FAULT, 1));
		}
		chip.wreg(mmIH_RETRY_INT_CAM_CNTL, REG_SET(0, IH_RETRY_INT_CAM_CNTL, ENABLE, 1));
		driver.sh_mem_config = 0x18;
		kernel = make_kernel(process, index_kernel);
		out = process.alloc(4096 * 4);
		entry = process.entry(out.va + 4096);
		process.set_entry(out.va + 4096, 0);
		done = make_signal(process, 1);
	}
	/* 64 waves, of which 16 write to the page that has no entry. */
	void start()
	{
		driver.run_list({&queue});
		queue.push(aql_kernel(kernel.va, make_kernarg(process, out.va).va, {4096, 1, 1}, {64, 1, 1}, done.va()));
		queue.ring();
		chip.run(50);
	}
	/* The one fault that the driver was told of since the last call. */
	std::uint32_t told()
	{
		const auto cookies = driver.interrupts();

		EXPECT_EQ(cookies.size(), 1u);
		if (cookies.size() != 1)
			return 0;
		EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_UTCL2});
		EXPECT_EQ(cookies[0].dw[4], static_cast<std::uint32_t>((out.va + 4096) >> 12));
		EXPECT_TRUE(cookies[0].dw[5] & IH_FAULT_DATA1_RETRY);
		EXPECT_TRUE(cookies[0].dw[5] & IH_FAULT_DATA1_WRITE);
		return IH_FAULT_CAM_INDEX(cookies[0].dw[6]);
	}
	void acknowledge(std::uint32_t n)
	{
		chip.wreg(mmIH_RETRY_CAM_ACK, n);
		chip.run(50);
	}

	UserQueue queue{chip, driver, process, 0x400};
	Process::Buffer kernel, out;
	Signal done;
	std::uint64_t entry = 0;
};

TEST_F(RetryFaults, WavesWaitForTheirPageAndGoOn)
{
	start();
	EXPECT_EQ(done.value(), 1);
	std::uint32_t n = told();
	EXPECT_EQ(out.at<std::uint32_t>(2048 * 4), 2048u); /* the others have gone on */
	EXPECT_TRUE(driver.interrupts().empty());
	acknowledge(n); /* in vain */
	n = told();
	process.set_entry(out.va + 4096, entry);
	chip.run(50);
	EXPECT_EQ(done.value(), 1); /* nobody has told the waves */
	acknowledge(n);
	EXPECT_EQ(done.value(), 0);
	expect_indices(out, 4096);
	EXPECT_EQ(chip.rreg(mmVM_L2_PROTECTION_FAULT_STATUS), 0u);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(RetryFaults, AnEntryCanEndTheWaiting)
{
	start();
	const std::uint32_t n = told();
	process.set_entry(out.va + 4096, GPUVM_PTE_NORETRY);
	acknowledge(n);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_FALSE(cookies[0].dw[5] & IH_FAULT_DATA1_RETRY);
	EXPECT_EQ(done.value(), 1);
}

TEST_F(RetryFaults, WavesThatWaitAreSavedAndRestored)
{
	start();
	told();
	driver.unmap();
	chip.run(50);
	EXPECT_TRUE(driver.fence_done());
	EXPECT_GE(chip.counter(SILICON_COUNT_SAVED_WAVES), 16u);
	process.set_entry(out.va + 4096, entry);
	driver.run_list({&queue});
	chip.run(50);
	EXPECT_EQ(done.value(), 0);
	expect_indices(out, 4096);
}

TEST_F(RetryFaults, OnlyForAProcessThatWantsIt)
{
	driver.sh_mem_config = 0x1018;
	start();
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_FALSE(cookies[0].dw[5] & IH_FAULT_DATA1_RETRY);
}

struct BadKernel {
	const char *name;
	void (*spoil)(Process::Buffer &kernel, std::array<std::uint32_t, 16> &packet);
	std::int64_t code;
};

class BadKernels : public Kernel, public testing::WithParamInterface<BadKernel> {};

TEST_P(BadKernels, GivesItsCode)
{
	UserQueue queue(chip, driver, process, 0x400);
	auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);
	Signal inactive = make_signal(process, 0), done = make_signal(process, 1);
	auto packet = aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va());

	queue.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
	GetParam().spoil(kernel, packet);
	driver.run_list({&queue});
	queue.push(packet);
	queue.ring();
	chip.run(100);
	EXPECT_EQ(inactive.value(), GetParam().code);
	EXPECT_EQ(done.value(), 1);
}

using Packet = std::array<std::uint32_t, 16>;

INSTANTIATE_TEST_SUITE_P(
	Aql, BadKernels,
	testing::Values(BadKernel{"no_items", [](Process::Buffer &, Packet &p) { p[3] = 0; }, AMD_QUEUE_ERROR_DIMENSIONS},
			BadKernel{"no_workgroup", [](Process::Buffer &, Packet &p) { p[1] &= 0xffff; }, AMD_QUEUE_ERROR_DIMENSIONS},
			BadKernel{"no_dimensions", [](Process::Buffer &, Packet &p) { p[0] = (p[0] & 0xffff) | 4 << 16; },
				  AMD_QUEUE_ERROR_DIMENSIONS},
			BadKernel{"huge_workgroup", [](Process::Buffer &, Packet &p) { p[1] = 1025 | 1 << 16; },
				  AMD_QUEUE_ERROR_WORKGROUP_SIZE},
			BadKernel{"too_much_lds", [](Process::Buffer &, Packet &p) { p[7] = 65537; }, AMD_QUEUE_ERROR_GROUP_MEMORY},
			BadKernel{"no_object", [](Process::Buffer &, Packet &p) { p[8] = p[9] = 0; }, AMD_QUEUE_ERROR_CODE},
			BadKernel{"odd_object", [](Process::Buffer &, Packet &p) { p[8] += 4; }, AMD_QUEUE_ERROR_CODE},
			BadKernel{"odd_entry", [](Process::Buffer &k, Packet &) { k.at<std::int64_t>(KD_CODE_ENTRY_OFFSET) = 260; },
				  AMD_QUEUE_ERROR_CODE},
			BadKernel{"registers",
				  [](Process::Buffer &k, Packet &p) {
					  k.at<std::uint32_t>(KD_RSRC1) |= 0x3f;
					  p[1] = 1024 | 1 << 16;
				  },
				  AMD_QUEUE_ERROR_REGISTERS},
			BadKernel{"scratch", [](Process::Buffer &, Packet &p) { p[6] = 16; }, AMD_QUEUE_EVENT_SCRATCH},
			BadKernel{"agent_dispatch", [](Process::Buffer &, Packet &p) { p[0] = (p[0] & ~0xffu) | AQL_AGENT_DISPATCH; },
				  AMD_QUEUE_ERROR_PACKET_FORMAT},
			BadKernel{"vendor", [](Process::Buffer &, Packet &p) { p[0] = 0x99u << 16; }, AMD_QUEUE_ERROR_VENDOR_PACKET}),
	[](const auto &test) { return test.param.name; });

TEST_F(Kernel, ScratchHandshakeGoesOn)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);
	Signal inactive = make_signal(process, 0, 11), done = make_signal(process, 1);
	auto packet = aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, done.va());

	queue.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
	packet[6] = 64;
	driver.run_list({&queue});
	queue.push(packet);
	queue.ring();
	EXPECT_TRUE(chip.run() & SILICON_RUN_POLL);
	EXPECT_EQ(inactive.value(), 1);
	EXPECT_EQ(inactive.mailbox(), 11u);
	queue.header.at<std::uint32_t>(AMD_QUEUE_SCRATCH_WAVE64_LANE_BYTES) = 64;
	queue.header.at<std::uint32_t>(AMD_QUEUE_TMPRING_SIZE) = 32 | 4 << 12;
	inactive.set(0);
	chip.run();
	EXPECT_EQ(done.value(), 0);
	expect_indices(out, 64);
}

TEST_F(Kernel, CuMaskOfTheMqdIsFollowed)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(16384);
	const auto args = make_kernarg(process, out.va);
	Signal done = make_signal(process, 1);
	std::uint32_t *m = queue.mqd.words();

	m[MQD_V9_compute_static_thread_mgmt_se0] = 0;
	m[MQD_V9_compute_static_thread_mgmt_se1] = 2;
	m[MQD_V9_compute_static_thread_mgmt_se2] = 0;
	m[MQD_V9_compute_static_thread_mgmt_se3] = 0;
	chip.trace(true);
	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {4096, 1, 1}, {64, 1, 1}, done.va()));
	queue.ring();
	chip.run();
	EXPECT_EQ(done.value(), 0);
	unsigned groups = 0;
	for (const auto &event : chip.trace_log) {
		if (event.kind != SILICON_TRACE_WORKGROUP_START)
			continue;
		groups++;
		EXPECT_EQ(event.b >> 16, 1u);  /* SE */
		EXPECT_EQ(event.b & 0xff, 1u); /* CU */
	}
	EXPECT_EQ(groups, 64u);
}

TEST_F(Kernel, ChangedCodeIsExecutedAfterAnAcquire)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto kernel = make_kernel(process, index_kernel);
	const auto out = process.alloc(4096);
	const auto args = make_kernarg(process, out.va);

	driver.run_list({&queue});
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(out.at<std::uint32_t>(40), 10u);
	kernel.at<std::uint32_t>(256 + 6 * 4) = 0x20060281; /* v_lshrrev_b32 v3, 1, v1 instead of 2 */
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run();
	EXPECT_EQ(out.at<std::uint32_t>(40), 20u);
}

} // namespace
