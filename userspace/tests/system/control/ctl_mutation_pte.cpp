// SPDX-License-Identifier: MIT
/*
 * ctl_mutation_pte.cpp - does the hardware read the page tables, or does somebody hand it addresses behind their back?
 *
 * The test walks the tables of its own process as the hardware does, from VM_CONTEXTn_PAGE_TABLE_BASE on, changes the
 * entry of one page through the lab and invalidates the TLB: a kernel's store must land where the entry says, or fault.
 */
#include <hw/gpuvm_v9.h>

#include <kfdm/queue_place.hpp>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

enum hub_register : uint32_t {
#define HUB_REG(name, gfx, mmhub, count, stride, reset, writable) name = gfx,
#include <hw/gpuvm_9_regs.def>
#undef HUB_REG
};

class PageTables {
public:
	PageTables(Lab &lab, uint32_t vmid) : lab_(lab), vmid_(vmid) {}

	/* Return: offset in VRAM of the entry that maps the page at @va. */
	[[nodiscard]] uint64_t find(uint64_t va) const
	{
		uint32_t base = VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * vmid_;
		uint64_t table = lab_.read_register(base) | uint64_t{lab_.read_register(base + 1)} << 32;

		for (int level = GPUVM_PDB2;; level++) {
			REQUIRE(table & GPUVM_PTE_VALID);
			REQUIRE(!(table & GPUVM_PTE_SYSTEM));
			uint64_t entry = (table & GPUVM_PDE_ADDRESS) + 8ULL * GPUVM_INDEX(va, level);
			if (level == GPUVM_PTB)
				return entry;
			table = read(entry);
			REQUIRE(!(table & GPUVM_PDE_PTE));
		}
	}

	[[nodiscard]] uint64_t read(uint64_t entry) const
	{
		return lab_.peek32(AMDM_CTL_SPACE_VRAM, 0, entry) | uint64_t{lab_.peek32(AMDM_CTL_SPACE_VRAM, 0, entry + 4)} << 32;
	}

	/* Writes an entry and drops what the TLB knows of the process. */
	void write(uint64_t entry, uint64_t value)
	{
		lab_.poke32(AMDM_CTL_SPACE_VRAM, 0, entry, static_cast<uint32_t>(value));
		lab_.poke32(AMDM_CTL_SPACE_VRAM, 0, entry + 4, static_cast<uint32_t>(value >> 32));
		/* The last engine: the driver uses the lower ones. */
		lab_.write_register(VM_INVALIDATE_ENG0_REQ + 17,
				    GPUVM_INVALIDATE_VMID(vmid_) | GPUVM_INVALIDATE_L2_PTES | GPUVM_INVALIDATE_L1_PTES);
	}

private:
	Lab &lab_;
	uint32_t vmid_;
};

void poke(Gpu &gpu, AqlQueue &queue, Program &program, const Buffer &target, uint32_t value)
{
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {1, 1, 1}});

	launch.arg(target).arg(value);
	launch.run(queue, patience);
}

/* The entry of @a names @b's page: stores to @a arrive in @b. */
void redirect(Gpu &gpu, AqlQueue &queue, Program &program, PageTables &tables)
{
	Buffer a = Buffer::vram(gpu.device, 4096), b = Buffer::vram(gpu.device, 4096);

	poke(gpu, queue, program, a, 1);
	poke(gpu, queue, program, b, 2);
	CHECK_EQ(a.as<volatile uint32_t>()[0], 1U);
	uint64_t entry = tables.find(a.gpu()), mine = tables.read(entry), other = tables.read(tables.find(b.gpu()));
	CHECK(mine & GPUVM_PTE_VALID);
	CHECK((mine ^ other) & GPUVM_PTE_ADDRESS);
	tables.write(entry, other);
	poke(gpu, queue, program, a, 3);
	CHECK_EQ(a.as<volatile uint32_t>()[0], 1U); /* the CPU's mapping is not affected */
	CHECK_EQ(b.as<volatile uint32_t>()[0], 3U);
	tables.write(entry, mine);
	poke(gpu, queue, program, a, 4);
	CHECK_EQ(a.as<volatile uint32_t>()[0], 4U);
	CHECK_EQ(b.as<volatile uint32_t>()[0], 3U);
}

/* An entry without VALID: the process gets a fault at that page, though the driver has it as mapped. */
void invalidate(Gpu &gpu, AqlQueue &queue, Program &program, PageTables &tables)
{
	Buffer a = Buffer::vram(gpu.device, 4096);
	Event event = Event::memory(gpu.device);
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {1, 1, 1}});

	poke(gpu, queue, program, a, 1);
	uint64_t entry = tables.find(a.gpu());
	tables.write(entry, tables.read(entry) & ~GPUVM_PTE_VALID);
	launch.arg(a).arg(uint32_t{2});
	launch.submit(queue);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->address, a.gpu());
	CHECK_EQ(a.as<volatile uint32_t>()[0], 1U);
}

} // namespace

KFDM_TEST("the hardware follows the page tables in memory")
{
	Gpu gpu;
	Lab lab = lab_or_skip();
	AqlQueue queue(gpu.device);
	Program program = gpu.program();

	CHECK(works(gpu, queue));
	auto place = read_queue_place(queue.ring().gpu());
	if (!place)
		skip("debugfs cannot be read");
	PageTables tables(lab, place->vmid);
	redirect(gpu, queue, program, tables);
	invalidate(gpu, queue, program, tables);
}
