// SPDX-License-Identifier: MIT
/*
 * driver_jobs.cpp - the kernel's own rings, in VMID 0, which run buffers of the render node's users in a VMID of theirs. See driver.hpp; as
 * Linux's gfx_v9_0_cp_gfx_resume(), gfx_v9_0_ring_emit_ib_compute(), sdma_v4_0_gfx_resume(), and their namesakes of GFX8.
 */
#include "driver.hpp"
#include "hw/regs.h"

namespace silicon_host {

namespace {

/* The first slot of MEC1 is amdgpu's; nothing else has these doorbells. */
constexpr unsigned compute_me = 1, compute_pipe = 0, compute_queue = 0;
constexpr std::uint32_t doorbells[] = {4, 6, 0x1d0};
constexpr std::uint32_t me_halt = 0x15000000; /* CP_ME_CNTL: CE, PFP, ME */
constexpr std::uint32_t both_interrupts = 1u << 26 | 1u << 24;
constexpr std::uint32_t end_of_pipe = PM4_EVENT_CACHE_FLUSH_AND_INV_TS | 5u << 8;

} // namespace

std::uint32_t Driver::sdma_gfx(std::uint32_t reg, std::uint32_t old_reg) const
{
	const sdma_layout &sdma = chip_.sdma();
	return sdma.base[0] + sdma.gfx + (sdma.generation < 4 ? old_reg : reg);
}

void Driver::start_jobs(Jobs kind)
{
	JobRing &jobs = job_rings_[static_cast<unsigned>(kind)];

	if (!jobs.ring.ring.bus.host) {
		alloc_ring(jobs.ring, doorbells[static_cast<unsigned>(kind)]);
		jobs.fence = alloc(page_bytes);
	}
	fill_mqd(jobs.ring); /* a queue that leaves writes its state there */
	jobs.ring.write = 0;
	std::memset(jobs.ring.pointers.bus.host, 0, 16);
	if (kind != Jobs::Sdma || chip_.sdma().generation >= 4)
		chip_.doorbell(jobs.ring.doorbell * 4) = 0;
	switch (kind) {
	case Jobs::Compute: load(jobs.ring, compute_me, compute_pipe, compute_queue); break;
	case Jobs::Gfx: start_gfx(jobs.ring); break;
	case Jobs::Sdma: start_sdma(jobs.ring); break;
	}
}

void Driver::start_gfx(const Ring &ring)
{
	const bool wraps = chip_.generation().facts.wptr_wraps;

	chip_.wreg(mmCP_RB_VMID, 0);
	chip_.wreg(mmCP_RB0_CNTL, log2_of(kernel_ring_dwords) - 1);
	chip_.wreg(mmCP_RB0_RPTR, 0);
	chip_.wreg(mmCP_RB0_WPTR, 0);
	chip_.wreg(mmCP_RB0_RPTR_ADDR, lo32(ring.pointers.gpu));
	chip_.wreg(mmCP_RB0_RPTR_ADDR_HI, hi32(ring.pointers.gpu));
	chip_.wreg(mmCP_RB0_BASE, lo32(ring.ring.gpu >> 8));
	chip_.wreg(mmCP_RB0_BASE_HI, hi32(ring.ring.gpu >> 8));
	if (!wraps) {
		chip_.wreg(mmCP_RB0_WPTR_HI, 0);
		chip_.wreg(mmCP_RB_DOORBELL_CONTROL, REG_SET(ring.doorbell << 2, CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN, 1));
	}
	chip_.wreg(mmCP_INT_CNTL_RING0, both_interrupts);
	chip_.wreg(mmCP_ME_CNTL, 0);
}

void Driver::start_sdma(const Ring &ring)
{
	const bool old = chip_.sdma().generation < 4;

#define PUT(name, value) chip_.wreg(sdma_gfx(SDMA_RLC_##name, SDMA3_RLC_##name), value)
	PUT(RB_RPTR, 0);
	PUT(RB_WPTR, 0);
	PUT(RB_RPTR_ADDR_HI, hi32(ring.pointers.gpu));
	PUT(RB_RPTR_ADDR_LO, lo32(ring.pointers.gpu));
	PUT(RB_BASE, lo32(ring.ring.gpu >> 8));
	PUT(RB_BASE_HI, hi32(ring.ring.gpu >> 8));
	if (!old) {
		const std::uint32_t block = sdma_gfx(0, 0);
		for (const std::uint32_t reg : {SDMA_RLC_RB_RPTR_HI, SDMA_RLC_RB_WPTR_HI, SDMA_RLC_MIDCMD_DATA0, SDMA_RLC_MIDCMD_CNTL})
			chip_.wreg(block + reg, 0);
		chip_.wreg(block + SDMA_RLC_DOORBELL_OFFSET, ring.doorbell << 2);
		chip_.wreg(block + SDMA_RLC_DOORBELL, REG_SET(0, SDMA_RLC_DOORBELL, ENABLE, 1));
	}
	PUT(RB_CNTL, sdma_rb_cntl(true));
#undef PUT
}

std::uint32_t Driver::sdma_rb_cntl(bool on)
{
	std::uint32_t cntl = REG_SET(0, SDMA_RLC_RB_CNTL, RB_SIZE, log2_of(kernel_ring_dwords));

	cntl = REG_SET(cntl, SDMA_RLC_RB_CNTL, RPTR_WRITEBACK_ENABLE, 1);
	return REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, on);
}

void Driver::stop_jobs(Jobs kind)
{
	switch (kind) {
	case Jobs::Compute: return dequeue(compute_pipe, compute_queue, Dequeue::Reset);
	case Jobs::Gfx: return chip_.wreg(mmCP_ME_CNTL, me_halt);
	case Jobs::Sdma:
		chip_.wreg(sdma_gfx(SDMA_RLC_RB_CNTL, SDMA3_RLC_RB_CNTL), sdma_rb_cntl(false));
		chip_.wreg(sdma_gfx(SDMA_RLC_IB_SIZE, SDMA3_RLC_IB_SIZE), 0);
		chip_.wreg(sdma_gfx(SDMA_RLC_IB_RPTR, SDMA3_RLC_IB_RPTR), 0);
		return;
	}
}

bool Driver::jobs_stopped(Jobs kind) { return kind != Jobs::Compute || !occupied(compute_pipe, compute_queue); }

/* A write pointer that wraps is told in units of the ring, otherwise it counts on. */
void Driver::commit(Jobs kind, JobRing &jobs)
{
	Ring &ring = jobs.ring;
	const std::uint32_t in_ring = lo32(ring.write) & (kernel_ring_dwords - 1);

	if (kind == Jobs::Sdma) {
		if (chip_.sdma().generation < 4)
			chip_.wreg(sdma_gfx(SDMA_RLC_RB_WPTR, SDMA3_RLC_RB_WPTR), in_ring * 4);
		else
			chip_.doorbell(ring.doorbell * 4) = ring.write * 4;
		return;
	}
	const bool wraps = chip_.generation().facts.wptr_wraps;
	ring.pointers.at<std::uint64_t>(8) = wraps ? in_ring : ring.write;
	if (wraps && kind == Jobs::Gfx)
		chip_.wreg(mmCP_RB0_WPTR, in_ring);
	else
		chip_.doorbell(ring.doorbell * 4) = wraps ? in_ring : ring.write;
}

std::vector<std::uint32_t> Driver::job_store(Jobs kind, std::uint64_t to, std::uint32_t value) const
{
	const std::uint32_t one = chip_.sdma().generation < 4 ? 1 : 0; /* SDMA 4 counts from one less */

	if (kind == Jobs::Sdma)
		return {SDMA_OP_WRITE, lo32(to), hi32(to), one, value, 0, 0, 0};
	return {PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo32(to), hi32(to), value};
}

void Driver::job(Jobs kind, unsigned vmid, std::uint64_t va, std::uint32_t dwords)
{
	JobRing &jobs = job_rings_[static_cast<unsigned>(kind)];
	Ring &ring = jobs.ring;
	const std::uint32_t fence_lo = lo32(jobs.fence.gpu), fence_hi = hi32(jobs.fence.gpu), number = ++jobs.number;

	if (kind == Jobs::Sdma) {
		while ((ring.write & 7) != 2) /* INDIRECT ends on a multiple of 8 dwords */
			ring.put({SDMA_OP_NOP});
		ring.put({SDMA_OP_INDIRECT | (vmid & 0xf) << 16, lo32(va) & ~0x1fu, hi32(va), dwords & 0xfffff, 0, 0});
		ring.put({SDMA_OP_FENCE, fence_lo, fence_hi, number});
		ring.put({SDMA_OP_TRAP, 0});
		return commit(kind, jobs);
	}
	ring.put({PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo32(va) & ~3u, hi32(va) & 0xffff,
		  (dwords & 0xfffff) | PM4_IB_VALID | (vmid & 0xf) << 24});
	const std::uint32_t select = std::uint32_t{PM4_DATA_32} << 29 | std::uint32_t{PM4_INT_AFTER_WRITE} << 24;
	if (kind == Jobs::Gfx && chip_.generation().facts.event_write_eop)
		ring.put({PM4_HEADER(PM4_EVENT_WRITE_EOP, PM4_EVENT_WRITE_EOP_DWORDS - 2), end_of_pipe, fence_lo, fence_hi | select, number,
			  0});
	else
		ring.put({PM4_HEADER(PM4_RELEASE_MEM, PM4_RELEASE_MEM_DWORDS - 2), end_of_pipe, select, fence_lo, fence_hi, number, 0, 0});
	commit(kind, jobs);
}

bool Driver::jobs_done(Jobs kind) const
{
	const JobRing &jobs = job_rings_[static_cast<unsigned>(kind)];
	return jobs.fence.at<std::uint32_t>(0) == jobs.number;
}

} // namespace silicon_host
