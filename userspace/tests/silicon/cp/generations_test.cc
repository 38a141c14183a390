// SPDX-License-Identifier: MIT
/*
 * generations_test.cc - the chips of other generations: registers at their own places, queue-level work, descriptors and page
 * tables that cannot be.
 */
#include <random>
#include <set>

#include "chip/fixture.hpp"
#include "chip/kernel.hpp"
#include "hw/gpuvm_v8.h"
#include "silicon/chips.h"
#include "silicon/cu/compute_unit.h"

using namespace silicon_host;

namespace {

const char *const names[] = {
#define CHIP(id, name, ...) name,
#include "hw/chips.def"
#undef CHIP
};

/** Rows of hw/chips.def: the first product of each die that is asked for. */
std::vector<std::uint32_t> dies(bool (*asked)(const silicon::Generation &))
{
	std::vector<std::uint32_t> rows;
	std::set<std::uint32_t> seen;

	for (std::uint32_t row = 0; const silicon::Chip *chip = silicon::find_chip(row); row++)
		if (asked(*chip->generation) && seen.insert(chip->gc_version).second)
			rows.push_back(row);
	return rows;
}

std::string name_of(const testing::TestParamInfo<std::uint32_t> &info) { return names[info.param]; }

/** Drivers tell programs how many waves a CU holds (hw/generations.def); that is as many as the CU has slots for. */
TEST(Generations, CusAreAsReported)
{
	for (std::uint32_t row = 0; const silicon::Chip *chip = silicon::find_chip(row); row++) {
		const hw_generation &facts = chip->generation->facts;

		if (chip->generation->isa == silicon::Isa::None)
			continue;
		EXPECT_EQ(unsigned{facts.simds_per_cu} * facts.waves_per_simd,
			  silicon::simds_per_cu * silicon::cu_limits(chip->generation->isa).waves_per_simd)
			<< names[row];
	}
}

/** Chips whose firmware schedules. */
class Scheduled : public testing::TestWithParam<std::uint32_t> {
protected:
	void SetUp() override
	{
		driver.start();
		driver.interrupts();
		/*
		 * GFX10.3 has fewer bits of CP_MEC_DOORBELL_RANGE_UPPER than the driver here writes, GFX8 no CP_MQD_CONTROL.PRIV_STATE,
		 * which KFD sets.
		 */
		reports = chip.all_reports();
		ASSERT_LE(reports, 1u);
	}

	std::uint64_t reports = 0;

	HostedChip chip{{.chip = GetParam()}};
	Driver driver{chip};
	Process process{chip, driver, 0x8001};
};

TEST_P(Scheduled, BarrierAndCopy)
{
	UserQueue aql(chip, driver, process, 0x400);
	UserQueue sdma(chip, driver, process, 0x1e0, {.kind = QueueKind::Sdma});
	Signal done = make_signal(process, 1, 77);
	const auto memory = process.alloc(8192);

	memory.at<std::uint32_t>(0) = 0xfeed;
	driver.run_list({&aql, &sdma});
	aql.push(aql_barrier({}, done.va()));
	aql.ring();
	sdma.words({SDMA_OP_COPY, 3, 0, lo32(memory.va), hi32(memory.va), lo32(memory.va + 4096), hi32(memory.va + 4096)});
	sdma.words({SDMA_OP_TRAP, 5});
	sdma.ring();
	chip.run();
	EXPECT_EQ(done.value(), 0);
	EXPECT_EQ(memory.at<std::uint32_t>(4096), 0xfeedu);
	const auto cookies = driver.interrupts();
	ASSERT_EQ(cookies.size(), 2u);
	driver.unmap();
	chip.run();
	EXPECT_TRUE(driver.fence_done());
	EXPECT_EQ(chip.all_reports(), reports);
}

/* Whatever stands in an MQD: nothing breaks, and the next queue works. */
TEST_P(Scheduled, HostileMqds)
{
	std::mt19937 random(GetParam());

	for (unsigned round = 0; round < 40; round++) {
		const auto kind = round % 2 ? QueueKind::Aql : QueueKind::Sdma;
		UserQueue bad(chip, driver, process, kind == QueueKind::Sdma ? 0x1e0 : 0x400, {.kind = kind});
		UserQueue good(chip, driver, process, 0x410);
		Signal done = make_signal(process, 1);

		for (auto n = 1 + random() % 40; n; n--)
			bad.mqd.words()[1 + random() % 255] = static_cast<std::uint32_t>(random());
		driver.run_list({&bad, &good});
		bad.ring();
		good.push(aql_barrier({}, done.va()));
		good.ring();
		chip.run(50);
		EXPECT_EQ(done.value(), 0);
		driver.unmap();
		chip.run(2000);
		EXPECT_TRUE(driver.fence_done());
		driver.interrupts();
	}
}

INSTANTIATE_TEST_SUITE_P(Chips, Scheduled,
			 testing::ValuesIn(dies([](const silicon::Generation &g) { return g.mqd.dwords > MQD_CIK_DWORDS; })), name_of);

/*
 * gfx1030's machine code in waves of both sizes: out[i] = i and the lane's number in its wave above. Workgroups of 160 work-items
 * end with half a wave of 64.
 *   s_load_dwordx2 s[4:5], s[0:1], null ; v_mbcnt_lo_u32_b32 v3, -1, 0 ; s_mul_i32 s6, s2, 160 ; v_mbcnt_hi_u32_b32 v3, -1, v3
 *   v_add_nc_u32 v1, s6, v0 ; v_lshl_add_u32 v2, v3, 16, v1 ; v_lshlrev_b32 v1, 2, v1 ; s_waitcnt lgkmcnt(0)
 *   global_store_dword v1, v2, s[4:5] ; s_waitcnt_vscnt null, 0x0 ; s_endpgm
 */
class Rdna : public Scheduled {
protected:
	void run(bool wave32)
	{
		const std::vector<std::uint32_t> code = {0xf4040100, 0xfa000000, 0xd7650003, 0x000100c1, 0x9306ff02, 0x000000a0,
							 0xd7660003, 0x000206c1, 0x4a020006, 0xd7460002, 0x04052103, 0x34020282,
							 0xbf8cc07f, 0xdc708000, 0x00040201, 0xbbfd0000, 0xbf810000};
		UserQueue queue(chip, driver, process, 0x400);
		Signal done = make_signal(process, 1);
		const auto kernel = make_kernel(process, code), out = process.alloc(8192), args = make_kernarg(process, out.va);

		kernel.at<std::uint32_t>(KD_RSRC1) = 1 | 0xc0 << 12; /* no SGPRs to ask for */
		kernel.at<std::uint16_t>(KD_CODE_PROPERTIES) = KD_ENABLE_KERNARG_SEGMENT_PTR | (wave32 ? KD_ENABLE_WAVEFRONT_SIZE32 : 0);
		driver.run_list({&queue});
		queue.push(aql_kernel(kernel.va, args.va, {1600, 1, 1}, {160, 1, 1}, done.va()));
		queue.ring();
		chip.run(200);
		EXPECT_EQ(done.value(), 0);
		for (std::uint32_t i = 0; i < 1600; i++)
			ASSERT_EQ(out.at<std::uint32_t>(4 * i), i | (i % 160 & (wave32 ? 31 : 63)) << 16);
		EXPECT_EQ(chip.all_reports(), reports);
	}
};

TEST_P(Rdna, Wave32) { run(true); }
TEST_P(Rdna, Wave64) { run(false); }

/* GCR_REQ came with SDMA 5 and has five dwords; a copy behind it shows that it was passed over as a whole. */
TEST_P(Rdna, SdmaCacheRequest)
{
	UserQueue sdma(chip, driver, process, 0x1e0, {.kind = QueueKind::Sdma});
	const auto memory = process.alloc(8192);

	memory.at<std::uint32_t>(0) = 0xfeed;
	driver.run_list({&sdma});
	sdma.words({SDMA_OP_GCR, 0x1000, 0xc300, 0, 0xffff0000});
	sdma.words({SDMA_OP_COPY, 3, 0, lo32(memory.va), hi32(memory.va), lo32(memory.va + 4096), hi32(memory.va + 4096)});
	sdma.ring();
	chip.run();
	EXPECT_EQ(memory.at<std::uint32_t>(4096), 0xfeedu);
	EXPECT_EQ(chip.all_reports(), reports);
}

INSTANTIATE_TEST_SUITE_P(Chips, Rdna, testing::ValuesIn(dies([](const silicon::Generation &g) { return g.isa == silicon::Isa::Gfx10; })),
			 name_of);

/** The kernel's rings, which run users' buffers in a VMID of theirs. */
class JobRings : public testing::TestWithParam<std::uint32_t> {
protected:
	static constexpr unsigned vmid = 1;
	static constexpr std::uint32_t value = 0x7654;

	void SetUp() override
	{
		driver.start();
		driver.bind(process, vmid);
		driver.start_jobs(kind);
	}
	/* A job of these words has ended. */
	bool runs(const std::vector<std::uint32_t> &words)
	{
		std::memcpy(buffer.host(), words.data(), words.size() * 4);
		driver.job(kind, vmid, buffer.va, static_cast<std::uint32_t>(words.size()));
		chip.run(1000);
		return driver.jobs_done(kind);
	}
	std::vector<std::uint32_t> store(std::uint64_t to) const { return driver.job_store(kind, to, value); }

	const Driver::Jobs kind = Driver::all_jobs[GetParam() % std::size(Driver::all_jobs)];
	HostedChip chip{{.chip = GetParam() / static_cast<std::uint32_t>(std::size(Driver::all_jobs))}};
	Driver driver{chip};
	Process process{chip, driver, 0x8001};
	const Process::Buffer buffer = process.alloc(page_bytes), out = process.alloc(page_bytes);
};

TEST_P(JobRings, RunsABufferOfAProcess)
{
	EXPECT_TRUE(runs(store(out.va)));
	EXPECT_EQ(out.at<std::uint32_t>(), value);
}

/* The tables are the user's, and so is what a bad packet breaks: the ring works after it has been started anew. */
TEST_P(JobRings, ABadBufferStopsTheRingAlone)
{
	EXPECT_FALSE(runs(store(driver.fence().gpu)));
	EXPECT_NE(driver.fence().at<std::uint32_t>(0), value);
	driver.stop_jobs(kind);
	chip.run(1000);
	ASSERT_TRUE(driver.jobs_stopped(kind));
	driver.start_jobs(kind);
	EXPECT_TRUE(runs(store(out.va)));
	EXPECT_EQ(out.at<std::uint32_t>(), value);
}

std::vector<std::uint32_t> every_ring()
{
	std::vector<std::uint32_t> all;

	for (const std::uint32_t row : dies([](const silicon::Generation &) { return true; }))
		for (std::uint32_t ring = 0; ring < std::size(Driver::all_jobs); ring++)
			all.push_back(row * static_cast<std::uint32_t>(std::size(Driver::all_jobs)) + ring);
	return all;
}

std::string ring_name(const testing::TestParamInfo<std::uint32_t> &info)
{
	static constexpr const char *rings[] = {"compute", "gfx", "sdma"};
	return std::string(names[info.param / std::size(rings)]) + "_" + rings[info.param % std::size(rings)];
}

INSTANTIATE_TEST_SUITE_P(Chips, JobRings, testing::ValuesIn(every_ring()), ring_name);

/** GFX7 and GFX8: one hub, two levels of tables, queues loaded by register. */
class Old : public testing::TestWithParam<std::uint32_t> {
protected:
	static constexpr std::uint64_t fb = 0xf400000000;
	static constexpr std::uint64_t vram = 64 << 20;
	static constexpr std::uint64_t root = 1 << 20, table = 2 << 20, page = 4 << 20;
	static constexpr std::uint64_t va = 0x1234567000;
	static constexpr unsigned vmid = 9;

	void SetUp() override
	{
		const std::uint64_t index = va >> 12;

		chip.wreg(mmMC_VM_FB_LOCATION, lo32((fb + vram - 1) >> 24) << 16 | lo32(fb >> 24));
		chip.wreg(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR + 1, 0xfffffff);
		chip.wreg(mmVM_CONTEXT0_CNTL + 1, 1 | 1 << 1 | (GPUVM_V8_BLOCK_BITS - 9) << 24);
		chip.wreg(mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR + vmid - 8, lo32((fb + root) >> 12));
		chip.wreg(mmIH_VMID_0_LUT + vmid, 0x8001);
		directory = root + (index >> GPUVM_V8_BLOCK_BITS) * 8;
		entry = table + (index & ((1 << GPUVM_V8_BLOCK_BITS) - 1)) * 8;
		chip.vram_write64(directory, (fb + table) | GPUVM_PTE_VALID);
		chip.vram_write64(entry, page | GPUVM_PTE_VALID | GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE);
		ASSERT_EQ(chip.all_reports(), 0u);
	}

	bool finds(std::uint64_t address, std::uint64_t *place)
	{
		bool bus;
		return chip.translate(vmid, address, place, &bus) && !bus;
	}

	HostedChip chip{{.chip = GetParam(), .vram_bytes = vram}};
	std::uint64_t directory = 0, entry = 0;
};

TEST_P(Old, WalksTwoLevels)
{
	std::uint64_t place = 0;

	ASSERT_TRUE(finds(va + 0x123, &place));
	EXPECT_EQ(place, page + 0x123);
	EXPECT_FALSE(finds(va + 4096, &place));
	EXPECT_FALSE(finds(va + (1ull << 40), &place));
	chip.wreg(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR + 1, lo32((va >> 12) - 1));
	EXPECT_FALSE(finds(va, &place));
}

TEST_P(Old, HostileTables)
{
	std::mt19937_64 random(GetParam());
	std::uint64_t place = 0;

	for (const std::uint64_t bad : {fb + vram, fb - 4096, std::uint64_t{0}, std::uint64_t{0xfffffff000}}) {
		chip.vram_write64(directory, bad | GPUVM_PTE_VALID);
		EXPECT_FALSE(finds(va, &place));
	}
	chip.vram_write64(directory, (fb + table) | GPUVM_PTE_VALID);
	chip.vram_write64(entry, vram | GPUVM_PTE_VALID | GPUVM_PTE_READABLE);
	EXPECT_FALSE(finds(va, &place));
	for (unsigned n = 0; n < 2000; n++) {
		chip.vram_write64(directory, random());
		chip.vram_write64(entry, random());
		if (finds(va, &place)) {
			EXPECT_LT(place, vram);
		}
	}
}

/* A slot filled with anything: it takes the queue or refuses it, and lets it go again. */
TEST_P(Old, HostileQueues)
{
	std::mt19937 random(GetParam());

	for (unsigned round = 0; round < 200; round++) {
		chip.select(1, 1 + round % 3, round % 8, 0);
		for (std::uint32_t reg = mmCP_MQD_BASE_ADDR; reg <= mmCP_MQD_CONTROL; reg++)
			if (reg != mmCP_HQD_ACTIVE && reg != mmCP_HQD_DEQUEUE_REQUEST && chip.place(reg) != reg + 1)
				chip.wreg(reg, static_cast<std::uint32_t>(random()));
		chip.wreg(mmCP_HQD_VMID, vmid);
		chip.wreg(mmCP_HQD_ACTIVE, 1);
		chip.run(20);
		chip.select(1, 1 + round % 3, round % 8, 0);
		chip.wreg(mmCP_HQD_DEQUEUE_REQUEST, 2);
		chip.run(200);
		chip.select(1, 1 + round % 3, round % 8, 0);
		EXPECT_EQ(chip.rreg(mmCP_HQD_ACTIVE) & 1, 0u);
	}
}

/* A kernel in GFX8's machine code (llvm-mc): p[i] = 3 * i. GFX7's is not executed: the queue stops. */
TEST_P(Old, Kernel)
{
	const std::vector<std::uint32_t> code = {0x24020082, 0x7e040201, 0x32020200, 0x38040480, 0x10060083,
						 0xdc700000, 0x00000301, 0xbf8c0f70, 0xbf810000};
	constexpr std::uint32_t code_at = 0x800, out_at = 0xc00;
	const auto sh = [](std::uint32_t reg) { return reg - PM4_SH_REG_START; };
	// clang-format off
	const std::vector<std::uint32_t> ring = {
		PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_LO), lo32((va + code_at) >> 8), hi32((va + code_at) >> 8),
		PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_PGM_RSRC1), 1 | 1 << 6 | 0xc0 << 12, 2 << 1,
		PM4_HEADER(PM4_SET_SH_REG, 3), sh(mmCOMPUTE_NUM_THREAD_X), 64, 1, 1,
		PM4_HEADER(PM4_SET_SH_REG, 2), sh(mmCOMPUTE_USER_DATA_0), lo32(va + out_at), hi32(va + out_at),
		PM4_HEADER(PM4_DISPATCH_DIRECT, 3), 1, 1, 1, PM4_DISPATCH_COMPUTE_SHADER_EN | PM4_DISPATCH_FORCE_START_AT_000};
	// clang-format on

	chip.vram_write64(entry, page | GPUVM_PTE_VALID | GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
	chip.vram_write(page, ring.data(), ring.size() * 4);
	chip.vram_write(page + code_at, code.data(), code.size() * 4);
	chip.select(1, 1, 0, 0);
	chip.wreg(mmCP_HQD_PQ_BASE, lo32(va >> 8));
	chip.wreg(mmCP_HQD_PQ_BASE_HI, hi32(va >> 8));
	chip.wreg(mmCP_HQD_PQ_CONTROL, 7);
	chip.wreg(mmCP_HQD_VMID, vmid);
	chip.wreg(mmCP_HQD_ACTIVE, 1);
	chip.wreg(mmCP_HQD_PQ_WPTR_LO, static_cast<std::uint32_t>(ring.size()));
	chip.run(200);
	std::uint32_t out[64];
	chip.vram_read(page + out_at, out, sizeof(out));
	for (unsigned i = 0; i < 64; i++)
		EXPECT_EQ(out[i], chip.generation().isa == silicon::Isa::None ? 0 : 3 * i);
}

INSTANTIATE_TEST_SUITE_P(Chips, Old, testing::ValuesIn(dies([](const silicon::Generation &g) { return g.gfx7_hub; })), name_of);

} // namespace
