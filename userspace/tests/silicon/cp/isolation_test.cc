// SPDX-License-Identifier: MIT
/* isolation_test.cc - what a process has left in registers is not there for the next one; firmware or driver may assign VMIDs. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

constexpr unsigned secret = 171;

/* v3 = secret.	v_mov_b32 v3, 0xab ; s_endpgm */
const std::vector<std::uint32_t> leave_kernel = {0x7e0602ff, secret, 0xbf810000};

/* out[i] = v3, which is never written: index_kernel without the instruction that makes v3.
 *   s_load_dwordx2 s[4:5], s[0:1], 0x0	; v_lshlrev_b32 v1, 2, v0	; s_lshl_b32 s6, s2, 8
 *   s_waitcnt lgkmcnt(0)		; v_add_u32 v1, s6, v1
 *   global_store_dword v1, v3, s[4:5]	; s_waitcnt vmcnt(0)		; s_endpgm */
const std::vector<std::uint32_t> look_kernel = {0xc0060100, 0x00000000, 0x24020082, 0x8e068802, 0xbf8cc07f,
						0x68020206, 0xdc708000, 0x00040301, 0xbf8c0f70, 0xbf810000};

class Isolation : public ChipTest {
protected:
	/** A process with a queue, and what it needs to leave something or to look. */
	struct Party {
		Party(HostedChip &chip, Driver &driver, std::uint32_t pasid, std::uint32_t doorbell, const std::vector<std::uint32_t> &code)
			: process(chip, driver, pasid), queue(chip, driver, process, doorbell), kernel(make_kernel(process, code)),
			  out(process.alloc(elements * 4)), args(make_kernarg(process, out.va)), done(make_signal(process, 1))
		{
		}

		void dispatch()
		{
			queue.push(aql_kernel(kernel.va, args.va, {elements, 1, 1}, {64, 1, 1}, done.va()));
			queue.ring();
		}
		unsigned secrets() const
		{
			unsigned n = 0;

			for (unsigned i = 0; i < elements; i++)
				n += out.at<std::uint32_t>(i * 4) == secret;
			return n;
		}

		static constexpr unsigned elements = 4096;
		Process process;
		UserQueue queue;
		Process::Buffer kernel, out, args;
		Signal done;
	};

	void run(Party &party)
	{
		party.dispatch();
		chip.run();
		ASSERT_EQ(party.done.value(), 0);
	}
};

TEST_F(Isolation, TheNextProcessMayHaveTheSamePasid)
{
	Party victim(chip, driver, 0x8002, 0x400, leave_kernel), thief(chip, driver, 0x8002, 0x800, look_kernel);

	driver.run_list({&victim.queue});
	run(victim);
	driver.unmap();
	chip.run();
	driver.run_list({&thief.queue});
	run(thief);
	EXPECT_EQ(chip.rreg(mmIH_VMID_0_LUT + first_vmid), 0x8002u);
	EXPECT_EQ(thief.secrets(), 0u);
}

TEST_F(Isolation, WithoutTheSchedulerToo)
{
	Party victim(chip, driver, 0x8002, 0x400, leave_kernel), thief(chip, driver, 0x8002, 0x800, look_kernel);

	driver.bind(victim.process, first_vmid);
	driver.load(victim.queue, first_vmid, 0, 2);
	run(victim);
	driver.dequeue(0, 2, Dequeue::Drain);
	chip.run();
	driver.unbind(first_vmid);
	driver.bind(thief.process, first_vmid);
	driver.load(thief.queue, first_vmid, 0, 2);
	run(thief);
	EXPECT_EQ(thief.secrets(), 0u);
}

/* Jobs of the render node: nothing but the page tables is another's. */
TEST_F(Isolation, OtherPageTablesAreAnotherOwner)
{
	const std::uint32_t base = mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * first_vmid;
	Party party(chip, driver, 0x8002, 0x400, leave_kernel);
	const auto look = make_kernel(party.process, look_kernel);

	driver.bind(party.process, first_vmid);
	driver.load(party.queue, first_vmid, 0, 2);
	run(party);
	party.done.set(2);
	party.queue.push(aql_kernel(look.va, party.args.va, {Party::elements, 1, 1}, {64, 1, 1}, party.done.va()));
	party.queue.ring();
	chip.run();
	EXPECT_EQ(party.secrets(), Party::elements); /* its own */
	chip.wreg(base, chip.rreg(base));
	std::memset(party.out.host(), 0xff, Party::elements * 4);
	party.queue.push(aql_kernel(look.va, party.args.va, {Party::elements, 1, 1}, {64, 1, 1}, party.done.va()));
	party.queue.ring();
	chip.run();
	EXPECT_EQ(party.done.value(), 0);
	EXPECT_EQ(party.secrets(), 0u);
}

/* out[i] = s2, the first user register after the argument's address.
 *   s_load_dwordx2 s[4:5], s[0:1], 0x0	; v_lshlrev_b32 v1, 2, v0	; v_mov_b32 v3, s2
 *   s_waitcnt lgkmcnt(0)		; global_store_dword v1, v3, s[4:5] ; s_waitcnt vmcnt(0) ; s_endpgm */
const std::vector<std::uint32_t> user_data_kernel = {0xc0060100, 0x00000000, 0x24020082, 0x7e060202, 0xbf8cc07f,
						     0xdc708000, 0x00040301, 0xbf8c0f70, 0xbf810000};

/* Jobs of two processes on one ring of the kernel: one leaves shader registers, the other uses what it has not set. */
class Jobs : public Isolation {
protected:
	struct Job {
		Job(Process &who, const std::vector<std::uint32_t> &words)
			: ib(who.alloc(4096)), dwords(static_cast<std::uint32_t>(words.size()))
		{
			std::memcpy(ib.host(), words.data(), words.size() * 4);
		}
		Process::Buffer ib;
		std::uint32_t dwords;
	};
	static std::uint32_t sh(std::uint32_t reg) { return reg - PM4_SH_REG_START; }
	static std::vector<std::uint32_t> leave() { return {PM4_HEADER(PM4_SET_SH_REG, 1), sh(mmCOMPUTE_USER_DATA_0) + 2, secret}; }
	std::vector<std::uint32_t> look(Process &who, const Process::Buffer &out)
	{
		const std::uint64_t code = (make_kernel(who, user_data_kernel).va + 256) >> 8, args = make_kernarg(who, out.va).va;

		// clang-format off
		return {PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_LO), lo32(code), hi32(code),
			PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_RSRC1), 1 | 1 << 6 | 0xc0 << 12, 3 << 1,
			PM4_HEADER(PM4_SET_SH_REG, 3), sh(mmCOMPUTE_NUM_THREAD_X), 64, 1, 1,
			PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_USER_DATA_0), lo32(args), hi32(args),
			PM4_HEADER(PM4_DISPATCH_DIRECT, 3), 1, 1, 1, PM4_DISPATCH_COMPUTE_SHADER_EN | PM4_DISPATCH_FORCE_START_AT_000,
			PM4_HEADER(PM4_EVENT_WRITE, 0), PM4_EVENT_CS_PARTIAL_FLUSH | 4 << 8};
		// clang-format on
	}
	void run(const Job &job, unsigned vmid)
	{
		driver.kiq({PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo32(job.ib.va), hi32(job.ib.va), job.dwords | 1u << 23 | vmid << 24});
		chip.run();
	}
};

TEST_F(Jobs, ShaderRegistersAreNotTheNextProcesss)
{
	Process owner(chip, driver, 0x8002), next(chip, driver, 0x8003);
	const auto kept = owner.alloc(4096), out = next.alloc(4096);
	const Job leaving(owner, leave()), own(owner, look(owner, kept)), looking(next, look(next, out));

	driver.bind(owner, first_vmid);
	driver.bind(next, first_vmid + 1);
	run(leaving, first_vmid);
	run(own, first_vmid);
	EXPECT_EQ(kept.at<std::uint32_t>(), secret); /* one job may be several buffers */
	out.at<std::uint32_t>() = ~0u;
	run(looking, first_vmid + 1);
	EXPECT_EQ(out.at<std::uint32_t>(), 0u);

	/* The same VMID, another process */
	run(leaving, first_vmid);
	driver.unbind(first_vmid);
	driver.bind(next, first_vmid);
	out.at<std::uint32_t>() = ~0u;
	run(looking, first_vmid);
	EXPECT_EQ(out.at<std::uint32_t>(), 0u);
}

/* As real chips are */
TEST(Leftovers, StayWhereTheChipIsAskedToLeaveThem)
{
	HostedChip chip({.cus = 1, .leftovers = true});
	Driver driver(chip);
	driver.start();
	Process owner(chip, driver, 0x8001), next(chip, driver, 0x8002);
	UserQueue first(chip, driver, owner, 0x400), second(chip, driver, next, 0x800);
	const auto leave = make_kernel(owner, leave_kernel), look = make_kernel(next, look_kernel);
	const auto out = next.alloc(4096 * 4);
	const auto args = make_kernarg(next, out.va);
	Signal left = make_signal(owner, 1), seen = make_signal(next, 1);
	unsigned secrets = 0;

	driver.run_list({&first, &second});
	first.push(aql_kernel(leave.va, leave.va, {4096, 1, 1}, {64, 1, 1}, left.va()));
	first.ring();
	chip.run();
	second.push(aql_kernel(look.va, args.va, {4096, 1, 1}, {64, 1, 1}, seen.va()));
	second.ring();
	chip.run();
	ASSERT_EQ(seen.value(), 0);
	for (unsigned i = 0; i < 4096; i++)
		secrets += out.at<std::uint32_t>(i * 4) == secret;
	EXPECT_GT(secrets, 0u);
}

} // namespace
