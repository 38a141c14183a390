// SPDX-License-Identifier: MIT
/*
 * partitions_test.cc - an MI300X whose dies are partitions by themselves: the first two, which share an interposer die's VMIDs, and the
 * third, which has the same VMIDs as the first. Each runs a process of its own, with a buffer where the others have theirs.
 */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

constexpr unsigned count = 3;
constexpr std::uint32_t vmids_of_die[count] = {0x03f0, 0xfc00, 0x03f0}; /* Linux 7.2: kfd_device.c, CPX */
constexpr std::uint32_t first_pasid = 0x8001;
constexpr std::uint64_t out_va = 0x7e0000000000; /* of a buffer of each process */

/** A partition of one die with a process, and a compute and an SDMA queue. */
struct Part {
	Part(HostedChip &chip, Driver &d, unsigned die)
		: driver(d), process(chip, d, first_pasid + die), out(process.alloc_at(out_va, 4096)),
		  queue(chip, d, process, 0x400 + 8 * die),
		  copies(chip, d, process, 0x404 + 8 * die, {.kind = QueueKind::Sdma, .engine = die % 2})
	{
	}

	Driver &driver;
	Process process;
	Process::Buffer out;
	UserQueue queue, copies;
};

class Partitions : public testing::Test {
protected:
	void SetUp() override
	{
		first.start();
		second.start();
		third.start();
		for (unsigned die = 0; die < count; die++) {
			drivers[die]->set_resources(vmids_of_die[die]);
			parts[die].emplace(chip, *drivers[die], die);
		}
		first.interrupts();
		for (auto &part : parts)
			part->driver.run_list({&part->queue, &part->copies});
		chip.run();
		ASSERT_EQ(chip.all_reports(), 0u);
	}
	static std::vector<std::uint32_t> store(std::uint64_t to, std::uint32_t value)
	{
		return {SDMA_OP_FENCE, lo32(to), hi32(to), value};
	}

	HostedChip chip{{.chip = MI300X, .cus = 1}};
	Driver first{chip}, second{first, 1, 1}, third{first, 2, 1};
	Driver *drivers[count] = {&first, &second, &third};
	std::optional<Part> parts[count];
};

TEST_F(Partitions, EachRunsItsOwnKernels)
{
	std::vector<Signal> done;

	chip.trace(true);
	for (auto &part : parts) {
		const auto kernel = make_kernel(part->process, index_kernel);

		kernel.at<std::uint32_t>(KD_RSRC3) = 1; /* ACCUM_OFFSET: 8 VGPRs before the AGPRs */
		done.push_back(make_signal(part->process, 1));
		part->queue.push(
			aql_kernel(kernel.va, make_kernarg(part->process, part->out.va).va, {256, 1, 1}, {64, 1, 1}, done.back().va()));
		part->queue.ring();
	}
	chip.run();
	for (unsigned die = 0; die < count; die++) {
		EXPECT_EQ(done[die].value(), 0);
		for (std::uint32_t i = 0; i < 256; i++)
			ASSERT_EQ(parts[die]->out.at<std::uint32_t>(4 * i), i) << die;
	}
	unsigned starts[SILICON_MAX_XCC] = {};
	for (const silicon_trace_event &e : chip.trace_log)
		if (e.kind == SILICON_TRACE_WORKGROUP_START)
			starts[e.where >> 16]++;
	for (unsigned die = 0; die < SILICON_MAX_XCC; die++)
		EXPECT_EQ(starts[die], die < count ? 4u : 0u) << die;
	EXPECT_EQ(chip.all_reports(), 0u);
}

/* The engines of two dies share a hub, where the processes have different VMIDs; the third one's is another, where the VMID is the first one's. */
TEST_F(Partitions, EachCopiesItsOwnMemory)
{
	for (unsigned die = 0; die < count; die++) {
		parts[die]->copies.words(store(parts[die]->out.va, 70 + die));
		parts[die]->copies.ring();
	}
	chip.run();
	for (unsigned die = 0; die < count; die++)
		EXPECT_EQ(parts[die]->out.at<std::uint32_t>(), 70 + die);
	EXPECT_EQ(chip.all_reports(), 0u);
}

TEST_F(Partitions, FaultsNameTheProcess)
{
	for (unsigned die = 0; die < count; die++) {
		const auto kernel = make_kernel(parts[die]->process, spin_kernel);

		kernel.at<std::uint32_t>(KD_RSRC3) = 1;
		parts[die]->queue.push(aql_kernel(kernel.va, make_kernarg(parts[die]->process, 0x123000).va, {64, 1, 1}, {64, 1, 1}, 0));
		parts[die]->queue.ring();
		chip.run();
		auto cookies = first.interrupts();
		ASSERT_EQ(cookies.size(), 1u) << die;
		EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_UTCL2});
		EXPECT_EQ(IH_NODE(cookies[0].dw[3]), IH_NODE_OF_XCC(die));
		EXPECT_EQ(IH_PASID(cookies[0].dw[3]), first_pasid + die);
		EXPECT_TRUE(vmids_of_die[die] >> IH_VMID(cookies[0].dw[0]) & 1);

		parts[die]->copies.words(store(0xdeadbe000, 1));
		parts[die]->copies.ring();
		chip.run();
		cookies = first.interrupts();
		ASSERT_EQ(cookies.size(), 1u) << die;
		EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_VMC});
		EXPECT_EQ(IH_NODE(cookies[0].dw[3]), IH_NODE_OF_AID(die / HW_XCCS_OF_AID));
		EXPECT_EQ(IH_PASID(cookies[0].dw[3]), first_pasid + die);
	}
}

/* What one partition unmaps is its own, and its VMIDs alone become nobody's. */
TEST_F(Partitions, OneLetsItsQueuesGo)
{
	second.unmap();
	chip.run();
	ASSERT_TRUE(second.fence_done());
	for (const unsigned die : {0u, 2u}) {
		parts[die]->copies.words(store(parts[die]->out.va, 80 + die));
		parts[die]->copies.ring();
	}
	parts[1]->copies.words(store(parts[1]->out.va, 81));
	parts[1]->copies.ring();
	chip.run();
	for (unsigned die = 0; die < count; die++)
		EXPECT_EQ(parts[die]->out.at<std::uint32_t>(), die == 1 ? 0u : 80 + die);
	for (const unsigned die : {0u, 1u, 2u}) {
		chip.wreg(mmIH_VMID_LUT_INDEX, IH_NODE_OF_XCC(die));
		EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + (die == 1 ? 10 : 4)), die == 1 ? 0 : first_pasid + die);
		chip.wreg(mmIH_VMID_LUT_INDEX, IH_NODE_OF_AID(die / HW_XCCS_OF_AID));
		EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT_MM + (die == 1 ? 10 : 4)), die == 1 ? 0 : first_pasid + die);
	}
}

} // namespace
