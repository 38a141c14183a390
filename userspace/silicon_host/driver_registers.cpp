// SPDX-License-Identifier: MIT
/*
 * driver_registers.cpp - queues and VMIDs by register: what a driver does itself where no firmware schedules for it. See driver.hpp;
 * as kgd_hqd_load, kgd_hqd_destroy and their neighbours in amdgpu_amdkfd_gfx_v9.c, up to GFX8 _v8.c.
 */
#include "driver.hpp"

namespace silicon_host {

namespace {

constexpr unsigned mec1 = 1;
constexpr std::uint32_t wptr_of_vi = 0x3255; /* CP_HQD_PQ_WPTR's place in the MQD; no register since GFX9 */
constexpr std::uint32_t pasid_valid = 1u << 31, trap_en = 1u << 31;

} // namespace

/* Into the selected slot, all but the write pointer, which the MQD does not know before GFX9, and CP_HQD_ACTIVE. */
void Driver::put_hqd(Mqd mqd)
{
	for (std::uint32_t n = 0; n < MQD_V9_HQD_COUNT; n++) {
		const std::uint32_t reg = mmCP_MQD_BASE_ADDR + n;
		if (reg != mmCP_HQD_ACTIVE && reg != wptr_of_vi && chip_.has(reg))
			chip_.wreg(reg, mqd[MQD_V9_HQD_FIRST + n]);
	}
}

/* The KIQ (gfx_v9_0_kiq_init_register), up to GFX8 the HIQ: it begins with 0. */
void Driver::load(const Ring &ring, unsigned me, unsigned pipe, unsigned queue)
{
	chip_.select(me, pipe, queue, 0);
	put_hqd({chip_, ring.mqd});
	chip_.wreg(mmCP_HQD_ACTIVE, 1);
	chip_.select(0, 0, 0, 0);
}

void Driver::load(const UserQueue &queue, unsigned vmid, unsigned pipe, unsigned slot)
{
	Mqd m(chip_, queue.mqd);

	chip_.select(mec1, pipe, slot, 0);
	put_hqd(m);
	chip_.wreg(mmCP_HQD_VMID, vmid);
	chip_.wreg(mmCP_HQD_PQ_DOORBELL_CONTROL, REG_SET(m[MQD_V9_cp_hqd_pq_doorbell_control], CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN, 1));
	if (chip_.generation().facts.wptr_wraps) { /* in dwords of the ring; a packet has 16 */
		const std::uint32_t dwords = lo32(queue.write) << (queue.kind == QueueKind::Aql ? 4 : 0);
		chip_.wreg(mmCP_HQD_PQ_WPTR_LO, dwords & (queue.ring_bytes / 4 - 1));
	} else {
		chip_.wreg(mmCP_PQ_WPTR_POLL_CNTL1, 1u << (pipe * 8 + slot));
	}
	chip_.wreg(mmCP_HQD_ACTIVE, 1);
	chip_.select(0, 0, 0, 0);
}

void Driver::dequeue(unsigned pipe, unsigned slot, Dequeue how)
{
	chip_.select(mec1, pipe, slot, 0);
	chip_.wreg(mmCP_HQD_DEQUEUE_REQUEST, static_cast<std::uint32_t>(how));
	chip_.select(0, 0, 0, 0);
}

bool Driver::occupied(unsigned pipe, unsigned slot)
{
	chip_.select(mec1, pipe, slot, 0);
	const bool active = chip_.rreg(mmCP_HQD_ACTIVE) & 1;
	chip_.select(0, 0, 0, 0);
	return active;
}

/* The ATC's table, whose row is acknowledged, and the one of interrupts. */
void Driver::set_pasid(unsigned vmid, std::uint32_t pasid)
{
	chip_.wreg(mmATC_VMID0_PASID_MAPPING + vmid, pasid ? pasid | pasid_valid : 0);
	chip_.wreg(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << vmid);
	if (chip_.dies() == 1)
		chip_.wreg(mmIH_VMID_0_LUT + vmid, pasid);
	for (unsigned die = first_; die < first_ + dies_ && chip_.dies() > 1; die++) {
		chip_.wreg(mmIH_VMID_LUT_INDEX, IH_NODE_OF_XCC(die));
		chip_.wreg(mmIH_VMID_0_LUT + vmid, pasid);
		chip_.wreg(mmIH_VMID_LUT_INDEX, IH_NODE_OF_AID(die / HW_XCCS_OF_AID));
		chip_.wreg(mmIH_VMID_0_LUT_MM + vmid, pasid);
	}
}

void Driver::set_page_tables(unsigned vmid, std::uint64_t base)
{
	if (chip_.generation().gfx7_hub) {
		chip_.wreg(vmid < 8 ? mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR + vmid : mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR + vmid - 8,
			   lo32(base >> 12));
		return;
	}
	for (const bool mm : {false, true}) {
		chip_.wreg((mm ? mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 : mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) + 2 * vmid,
			   lo32(base));
		chip_.wreg((mm ? mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 : mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32) + 2 * vmid,
			   hi32(base));
	}
}

void Driver::bind(const Process &process, unsigned vmid)
{
	const Windows w = windows();

	set_pasid(vmid, process.pasid());
	chip_.select(0, 0, 0, vmid);
	chip_.wreg(mmSH_MEM_CONFIG, w.config);
	chip_.wreg(mmSH_MEM_BASES, w.bases);
	if (as_vi()) {
		chip_.wreg(mmSH_MEM_APE1_BASE, w.ape1_base);
		chip_.wreg(mmSH_MEM_APE1_LIMIT, 0);
	} else {
		chip_.wreg(mmSQ_SHADER_TBA_LO, lo32(tba >> 8));
		chip_.wreg(mmSQ_SHADER_TBA_HI, hi32(tba >> 8) | (tba && chip_.since_gfx10() ? trap_en : 0));
		chip_.wreg(mmSQ_SHADER_TMA_LO, lo32(tma >> 8));
		chip_.wreg(mmSQ_SHADER_TMA_HI, hi32(tma >> 8));
	}
	chip_.select(0, 0, 0, 0);
	set_page_tables(vmid, process.page_table_base());
	flush_tlb(vmid);
}

void Driver::unbind(unsigned vmid)
{
	flush_tlb(vmid);
	set_pasid(vmid, 0);
}

} // namespace silicon_host
