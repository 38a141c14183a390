// SPDX-License-Identifier: MIT
/* hostile_test.cc - what users and a careless driver can put into rings, MQDs and runlists; the chip reports and goes on. */
#include <random>

#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Hostile : public ChipTest {
protected:
	/* A second, honest queue always works. */
	void expect_others_work()
	{
		Signal done = make_signal(process, 1);
		honest.push(aql_barrier({}, done.va()));
		honest.ring();
		chip.run(200);
		EXPECT_EQ(done.value(), 0);
		driver.unmap();
		chip.run(2000);
		EXPECT_TRUE(driver.fence_done());
	}

	UserQueue honest{chip, driver, process, 0x500};
};

TEST_F(Hostile, UnmappedRing)
{
	UserQueue queue(chip, driver, process, 0x400);

	queue.mqd.words()[MQD_V9_cp_hqd_pq_base_lo] = 0x12345;
	queue.mqd.words()[MQD_V9_cp_hqd_pq_base_hi] = 0x6;
	driver.run_list({&queue, &honest});
	queue.push(aql_barrier({}, 0));
	queue.ring();
	chip.run(100);
	EXPECT_EQ(chip.reports(SILICON_REPORT_VM_FAULT), 1u);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 1u);
	EXPECT_EQ(cookies[0].client(), u32{IH_CLIENT_UTCL2});
	expect_others_work();
}

TEST_F(Hostile, UnmappedPointers)
{
	for (const unsigned word : {MQD_V9_cp_hqd_pq_rptr_report_addr_hi, MQD_V9_cp_hqd_pq_wptr_poll_addr_hi}) {
		UserQueue queue(chip, driver, process, 0x400);
		queue.mqd.words()[word] = 0x1234;
		driver.run_list({&queue, &honest});
		queue.push(aql_barrier({}, 0));
		queue.ring();
		chip.run(100);
		expect_others_work();
	}
}

TEST_F(Hostile, UnmappedSignal)
{
	UserQueue queue(chip, driver, process, 0x400);

	driver.run_list({&queue, &honest});
	queue.push(aql_barrier({}, 0xdead0000));
	queue.ring();
	chip.run(100);
	EXPECT_EQ(chip.reports(SILICON_REPORT_VM_FAULT), 1u);
	expect_others_work();
}

TEST_F(Hostile, UnmappedSaveArea)
{
	UserQueue queue(chip, driver, process, 0x400);
	const auto flag = process.alloc(4096);
	const auto kernel = make_kernel(process, spin_kernel);
	const auto args = make_kernarg(process, flag.va);

	queue.mqd.words()[MQD_V9_cp_hqd_ctx_save_base_addr_hi] = 0x55;
	driver.run_list({&queue, &honest});
	queue.push(aql_kernel(kernel.va, args.va, {64, 1, 1}, {64, 1, 1}, 0));
	queue.ring();
	chip.run(30);
	expect_others_work();
	EXPECT_EQ(chip.reports(SILICON_REPORT_VM_FAULT), 1u);
}

TEST_F(Hostile, ImpossibleMqds)
{
	const auto spoil = [&](unsigned word, std::uint32_t value) {
		UserQueue queue(chip, driver, process, 0x400);
		const std::uint64_t before = chip.reports(SILICON_REPORT_BAD_MQD);
		queue.mqd.words()[word] = value;
		driver.run_list({&queue, &honest});
		chip.run(100);
		EXPECT_GT(chip.reports(SILICON_REPORT_BAD_MQD), before) << word;
		expect_others_work();
	};
	spoil(MQD_V9_header, 0);
	spoil(MQD_V9_cp_hqd_pq_control, 0x3f);
	spoil(MQD_V9_cp_hqd_pq_control, 1);
	spoil(MQD_V9_cp_hqd_pq_base_hi, 0x80000000);
}

TEST_F(Hostile, RunlistsOfNonsense)
{
	for (const std::uint32_t word : {0u, 0xffffffffu, 0x55555555u, PM4_HEADER(PM4_MAP_PROCESS, 14), PM4_HEADER(PM4_MAP_QUEUES, 5),
					 PM4_HEADER(PM4_RUN_LIST, 2), PM4_HEADER(PM4_NOP, 0x3ffe)}) {
		for (unsigned i = 0; i < 4096; i++)
			driver.list.words()[i] = word;
		driver.hiq({PM4_HEADER(PM4_RUN_LIST, 2), lo32(driver.list.gpu), hi32(driver.list.gpu), 4096u | 1u << 23});
		chip.run(1000);
		driver.run_list({&honest});
		chip.run(1000);
		expect_others_work();
	}
}

TEST_F(Hostile, RunlistThatChainsToItself)
{
	const std::vector<std::uint32_t> words = {PM4_HEADER(PM4_RUN_LIST, 2), lo32(driver.list.gpu), hi32(driver.list.gpu),
						  4u | 1u << 20 | 1u << 23};
	std::memcpy(driver.list.bus.host, words.data(), 16);
	driver.hiq({PM4_HEADER(PM4_RUN_LIST, 2), lo32(driver.list.gpu), hi32(driver.list.gpu), 4u | 1u << 23});
	EXPECT_EQ(chip.run(1000), u32{SILICON_RUN_QUEUES}); /* at rest; an over-subscribed list's doorbells count */
}

TEST_F(Hostile, IndirectBuffersThatChainForEver)
{
	UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4});
	const auto ib = process.alloc(4096);
	const std::vector<std::uint32_t> words = {PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo32(ib.va), hi32(ib.va), 4u | 1u << 20 | 1u << 23};

	std::memcpy(ib.host(), words.data(), 16);
	driver.run_list({&queue, &honest});
	queue.words({PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo32(ib.va), hi32(ib.va), 4u | 1u << 23});
	queue.ring();
	chip.run(200);
	expect_others_work();
}

TEST_F(Hostile, GarbagePm4RaisesBadOpcode)
{
	for (const std::uint32_t word : {0x55555555u, 0xc000ff00u, 0xc0003f00u, 0xffffffffu, 0x00000001u}) {
		UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4});
		driver.run_list({&queue, &honest});
		queue.words(std::vector<std::uint32_t>(8, word));
		queue.ring();
		chip.run(100);
		bool told = false;
		for (const auto &cookie : driver.interrupts())
			told |= cookie.source() == IH_SOURCE_CP_BAD_OPCODE;
		EXPECT_TRUE(told || word == 0xffffffff) << std::hex << word;
		expect_others_work();
	}
}

TEST_F(Hostile, UserPacketsCannotReachRegisters)
{
	const std::uint32_t before = chip.rreg(mmSCRATCH_REG0);
	const std::vector<std::vector<std::uint32_t>> attempts = {
		{PM4_HEADER(PM4_WRITE_DATA, 3), 0u << 8, mmSCRATCH_REG0, 0, 0x1234},
		{PM4_HEADER(PM4_SET_UCONFIG_REG, 1), mmSCRATCH_REG0 - PM4_UCONFIG_REG_START, 0x1234},
		{PM4_HEADER(PM4_COPY_DATA, 4), 5u | 0u << 8, 0x1234, 0, mmSCRATCH_REG0, 0},
		{PM4_HEADER(PM4_WAIT_REG_MEM, 5), 3u | 1u << 6, mmSCRATCH_REG0, mmSCRATCH_REG0, 0x1234, 0xffffffff, 4},
		{PM4_HEADER(PM4_MAP_QUEUES, 5), 0, 0, 0, 0, 0, 0},
		{PM4_HEADER(PM4_UNMAP_QUEUES, 4), 0x20, 0, 0, 0, 0},
	};
	for (const auto &attempt : attempts) {
		UserQueue queue(chip, driver, process, 0x400, {.kind = QueueKind::Pm4});
		driver.run_list({&queue, &honest});
		queue.words(attempt);
		queue.ring();
		chip.run(100);
		EXPECT_EQ(chip.rreg(mmSCRATCH_REG0), before);
		expect_others_work();
	}
}

/* Random words as AQL packets, PM4, SDMA packets, MQDs and runlists; nothing may crash, hang or disturb. */
class Random : public Hostile, public testing::WithParamInterface<unsigned> {};

TEST_P(Random, PacketsOfEveryKind)
{
	std::mt19937 random(GetParam());
	const auto any = [&] { return static_cast<std::uint32_t>(random()); };
	const std::uint32_t opcodes[] = {PM4_NOP,	   PM4_WRITE_DATA,	PM4_COPY_DATA,	     PM4_ATOMIC_MEM,
					 PM4_WAIT_REG_MEM, PM4_INDIRECT_BUFFER, PM4_EVENT_WRITE,     PM4_RELEASE_MEM,
					 PM4_ACQUIRE_MEM,  PM4_SET_SH_REG,	PM4_DISPATCH_DIRECT, PM4_DISPATCH_INDIRECT,
					 PM4_COND_EXEC};
	const auto scratch = process.alloc(65536);
	const auto address = [&](std::uint32_t *lo_word) {
		const std::uint64_t va = scratch.va + (any() & 0xfffc);
		lo_word[0] = lo32(va);
		lo_word[1] = hi32(va);
	};

	for (unsigned round = 0; round < 20; round++) {
		UserQueue aql(chip, driver, process, 0x400), pm4(chip, driver, process, 0x402, {.kind = QueueKind::Pm4}),
			sdma(chip, driver, process, 0x1e0, {.kind = QueueKind::Sdma});
		Signal inactive = make_signal(process, 0);
		aql.header.at<std::uint64_t>(AMD_QUEUE_INACTIVE_SIGNAL) = inactive.va();
		driver.run_list({&aql, &pm4, &sdma, &honest});
		for (unsigned i = 0; i < 6; i++) {
			std::array<std::uint32_t, 16> packet;
			for (std::uint32_t &word : packet)
				word = any();
			packet[0] = (packet[0] & ~0xffu) | any() % 6;
			if (random() & 1) {
				address(&packet[8]);
				address(&packet[14]);
				packet[1] = 64 | 1 << 16;
				packet[2] = 1;
			}
			aql.push(packet);
		}
		for (unsigned i = 0; i < 10; i++) {
			const std::uint32_t count = any() % 9;
			std::vector<std::uint32_t> words = {PM4_HEADER(opcodes[any() % std::size(opcodes)], count)};
			for (std::uint32_t n = 0; n <= count; n++)
				words.push_back(any());
			if (words.size() > 4 && random() & 1)
				address(&words[2]);
			pm4.words(words);
			words = {any() % 18 | (any() & 0xffff0000)};
			for (unsigned n = 0; n < 6; n++)
				words.push_back(any());
			address(&words[1]);
			sdma.words(words);
		}
		aql.ring();
		pm4.ring();
		sdma.ring();
		chip.run(300);
		expect_others_work();
		driver.interrupts();
	}
}

TEST_P(Random, MqdsAndRunlists)
{
	std::mt19937 random(GetParam());

	for (unsigned round = 0; round < 30; round++) {
		UserQueue aql(chip, driver, process, 0x400);
		for (unsigned i = 0; i < 8; i++)
			aql.mqd.words()[random() % 256] = static_cast<std::uint32_t>(random());
		aql.push(aql_barrier({}, 0));
		driver.run_list({&aql, &honest});
		if (round & 1)
			driver.list.words()[random() % 40] = static_cast<std::uint32_t>(random());
		aql.ring();
		chip.run(300);
		driver.unmap(PM4_UNMAP_ALL);
		chip.run(3000);
		driver.run_list({&honest});
		chip.run(100);
		expect_others_work();
		driver.interrupts();
	}
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range(1u, 7u));

} // namespace
