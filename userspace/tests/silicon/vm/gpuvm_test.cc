// SPDX-License-Identifier: MIT
/* gpuvm_test.cc - page walks of VMID 0 and of users, flat and through four levels. */
#include "chip/fixture.hpp"

using namespace silicon_host;

namespace {

class Gpuvm : public ChipTest {
protected:
	void SetUp() override
	{
		ChipTest::SetUp();
		for (const bool mm : {false, true}) {
			chip.wreg((mm ? mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 : mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) + 2 * 3,
				  lo32(process.page_table_base()));
			chip.wreg((mm ? mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 : mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32) + 2 * 3,
				  hi32(process.page_table_base()));
		}
	}
	bool translate(unsigned vmid, std::uint64_t va) { return chip.translate(vmid, va, &address, &is_bus); }

	u64 address = 0;
	bool is_bus = false;
};

TEST_F(Gpuvm, FrameBufferOfVmid0)
{
	ASSERT_TRUE(translate(0, fb_base + 0x123456));
	EXPECT_EQ(address, 0x123456u);
	EXPECT_FALSE(is_bus);
	EXPECT_FALSE(translate(0, fb_base + (256ull << 20)));
}

TEST_F(Gpuvm, Gart)
{
	const GartBlock block = driver.alloc(3 * page_bytes);

	ASSERT_TRUE(translate(0, block.gpu + 2 * page_bytes + 20));
	EXPECT_EQ(address, block.bus.address + 2 * page_bytes + 20);
	EXPECT_TRUE(is_bus);
	EXPECT_FALSE(translate(0, gart_base + gart_pages * page_bytes));
	EXPECT_FALSE(translate(0, gart_base - 1));
}

TEST_F(Gpuvm, FourLevels)
{
	const auto buffer = process.alloc(2 * page_bytes);

	ASSERT_TRUE(translate(3, buffer.va + page_bytes + 8));
	EXPECT_EQ(address, buffer.bus.address + page_bytes + 8);
	EXPECT_TRUE(is_bus);
	EXPECT_FALSE(translate(3, buffer.va + 2 * page_bytes));
	EXPECT_FALSE(translate(4, buffer.va));
	EXPECT_FALSE(translate(3, buffer.va | 1ull << 48));
}

TEST_F(Gpuvm, HugePage)
{
	process.map_huge(0x40000000, 0x800000);
	ASSERT_TRUE(translate(3, 0x40000000 + 0x1fffff));
	EXPECT_EQ(address, 0x9fffffu);
	EXPECT_FALSE(is_bus);
}

TEST_F(Gpuvm, ImpossibleEntriesAreReported)
{
	const auto buffer = process.alloc(page_bytes);

	process.set_entry(buffer.va, 0x0000fffffffff000 | GPUVM_PTE_VALID | GPUVM_PTE_READABLE); /* beyond VRAM */
	EXPECT_FALSE(translate(3, buffer.va));
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PTE), 1u);
	chip.vram_write64(process.entry_address(buffer.va, GPUVM_PDB0), 0x0000ffffffffffc0 | GPUVM_PTE_VALID); /* table beyond VRAM */
	EXPECT_FALSE(translate(3, buffer.va));
	EXPECT_EQ(chip.reports(SILICON_REPORT_BAD_PTE), 2u);
}

TEST_F(Gpuvm, DisabledContext)
{
	const auto buffer = process.alloc(page_bytes);

	chip.wreg(mmVM_CONTEXT0_CNTL + 3, 0);
	EXPECT_FALSE(translate(3, buffer.va));
}

TEST_F(Gpuvm, InvalidationIsAcknowledged)
{
	chip.wreg(mmVM_INVALIDATE_ENG0_REQ + 17, 1u << 3);
	EXPECT_TRUE(chip.rreg(mmVM_INVALIDATE_ENG0_ACK + 17) & 1u << 3);
	EXPECT_EQ(chip.rreg(mmVM_INVALIDATE_ENG0_SEM + 17), 1u);
}

} // namespace
