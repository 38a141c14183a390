// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sdma_ring.c - the kernel's ring on each copy engine
 *
 * An engine's GFX queue speaks the packets of hw/sdma_v4.h in VMID 0; user space's buffers come as INDIRECT packets with a
 * VMID of their own. One ring an engine, of all generations: before SDMA 4 pointers wrap and are written by register. Sequence:
 * Linux 6.1 sdma_v4_0_gfx_resume(), sdma_v3_0_gfx_resume().
 */
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/hw/sdma_v4.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define SDMA_STOP_MS	100

static bool sdma_is_old(const struct amdm_ring *ring)
{
	return ring->adev->sdma->generation < 4;
}

/* First register of the ring's block. */
static u32 sdma_block(const struct amdm_ring *ring)
{
	return ring->adev->sdma->base[ring->me] + ring->adev->sdma->gfx;
}

static void sdma_write(struct amdm_ring *ring, u32 reg, u32 old_reg, u32 value)
{
	amdm_mmio_write(ring->adev, sdma_block(ring) + (sdma_is_old(ring) ? old_reg : reg), value);
}

#define SDMA_WRITE(ring, name, value) sdma_write(ring, SDMA_RLC_##name, SDMA3_RLC_##name, value)

static u32 sdma_control(const struct amdm_ring *ring, bool on)
{
	u32 cntl = REG_SET(0, SDMA_RLC_RB_CNTL, RB_SIZE, ilog2(AMDM_RING_DWORDS));

	cntl = REG_SET(cntl, SDMA_RLC_RB_CNTL, RPTR_WRITEBACK_ENABLE, 1);
	return REG_SET(cntl, SDMA_RLC_RB_CNTL, RB_ENABLE, on);
}

static void sdma_stop(struct amdm_ring *ring)
{
	SDMA_WRITE(ring, RB_CNTL, sdma_control(ring, false));
	SDMA_WRITE(ring, IB_SIZE, 0);
	SDMA_WRITE(ring, IB_RPTR, 0);
}

/* What only SDMA 4 and later have: 64-bit pointers, a doorbell, a packet that is half done. */
static void sdma_start_v4(struct amdm_ring *ring)
{
	u32 block = sdma_block(ring);

	amdm_mmio_write(ring->adev, block + SDMA_RLC_RB_RPTR_HI, 0);
	amdm_mmio_write(ring->adev, block + SDMA_RLC_RB_WPTR_HI, 0);
	amdm_mmio_write(ring->adev, block + SDMA_RLC_MIDCMD_DATA0, 0);
	amdm_mmio_write(ring->adev, block + SDMA_RLC_MIDCMD_CNTL, 0);
	amdm_mmio_write(ring->adev, block + SDMA_RLC_DOORBELL_OFFSET, ring->doorbell);
	amdm_doorbell_reset(ring->adev, ring->doorbell, sizeof(u64));
	amdm_mmio_write(ring->adev, block + SDMA_RLC_DOORBELL, REG_SET(0, SDMA_RLC_DOORBELL, ENABLE, 1));
}

static int sdma_start(struct amdm_ring *ring)
{
	u64 rptr = ring->wb_addr + AMDM_WB_RPTR * sizeof(u32);

	sdma_stop(ring);
	SDMA_WRITE(ring, RB_RPTR, 0);
	SDMA_WRITE(ring, RB_WPTR, 0);
	SDMA_WRITE(ring, RB_RPTR_ADDR_HI, upper_32_bits(rptr));
	SDMA_WRITE(ring, RB_RPTR_ADDR_LO, lower_32_bits(rptr));
	SDMA_WRITE(ring, RB_BASE, lower_32_bits(ring->addr >> 8));
	SDMA_WRITE(ring, RB_BASE_HI, upper_32_bits(ring->addr >> 8));
	if (!sdma_is_old(ring))
		sdma_start_v4(ring);
	SDMA_WRITE(ring, RB_CNTL, sdma_control(ring, true));
	return 0;
}

static void sdma_commit(struct amdm_ring *ring)
{
	u64 bytes = ring->wptr * sizeof(u32);

	if (sdma_is_old(ring))
		SDMA_WRITE(ring, RB_WPTR, lower_32_bits(bytes) & (AMDM_RING_DWORDS * sizeof(u32) - 1));
	else
		amdm_doorbell_write64(ring->adev, ring->doorbell, bytes);
}

/* The packet has to end on a multiple of 8 dwords (sdma_v4_0_ring_emit_ib). */
static void sdma_emit_ib(struct amdm_ring *ring, const struct amdm_ib *ib, u32 vmid)
{
	while ((ring->wptr & 7) != 2)
		amdm_ring_put(ring, SDMA_OP_NOP);
	amdm_ring_put(ring, SDMA_HEADER(SDMA_OP_INDIRECT, 0) | (vmid & 0xf) << 16);
	amdm_ring_put(ring, lower_32_bits(ib->addr) & ~0x1fu);
	amdm_ring_put(ring, upper_32_bits(ib->addr));
	amdm_ring_put(ring, ib->dwords);
	amdm_ring_put(ring, 0);
	amdm_ring_put(ring, 0);
}

static void sdma_emit_store(struct amdm_ring *ring, u64 addr, u32 value)
{
	amdm_ring_put(ring, SDMA_HEADER(SDMA_OP_FENCE, 0));
	amdm_ring_put(ring, lower_32_bits(addr));
	amdm_ring_put(ring, upper_32_bits(addr));
	amdm_ring_put(ring, value);
}

static void sdma_emit_fence(struct amdm_ring *ring, u64 addr, u64 seq, bool wide)
{
	sdma_emit_store(ring, addr, lower_32_bits(seq));
	if (wide) {
		sdma_emit_store(ring, addr + 4, upper_32_bits(seq));
		return;
	}
	amdm_ring_put(ring, SDMA_HEADER(SDMA_OP_TRAP, 0));
	amdm_ring_put(ring, 0);
}

static void sdma_emit_wreg(struct amdm_ring *ring, u32 reg, u32 value)
{
	amdm_ring_put(ring, SDMA_HEADER(SDMA_OP_SRBM_WRITE, 0) | 0xfu << 28);
	amdm_ring_put(ring, amdm_reg(ring->adev, reg));
	amdm_ring_put(ring, value);
}

static void sdma_emit_wait(struct amdm_ring *ring, u32 reg, u32 value, u32 mask)
{
	amdm_ring_put(ring, SDMA_HEADER(SDMA_OP_POLL_REGMEM, 0) | 3u << 28);	/* until equal */
	amdm_ring_put(ring, amdm_reg(ring->adev, reg) << 2);
	amdm_ring_put(ring, 0);
	amdm_ring_put(ring, value);
	amdm_ring_put(ring, mask);
	amdm_ring_put(ring, 0xfffu << 16 | 10);
}

static int sdma_faulted(struct amdm_ring *ring)
{
	u32 reg = sdma_block(ring) + (sdma_is_old(ring) ? SDMA3_RLC_CONTEXT_STATUS : SDMA_RLC_CONTEXT_STATUS);

	return !!REG_GET(amdm_mmio_read(ring->adev, reg), SDMA_RLC_CONTEXT_STATUS, EXCEPTION);
}

static const struct amdm_ring_funcs sdma_ring_funcs = {
	.ip = AMDGPU_HW_IP_DMA,
	.nop = SDMA_OP_NOP,
	.align = 7,
	.ib_alignment = 32,
	.max_ib_dwords = 0xfffff,
	.start = sdma_start,
	.stop = sdma_stop,
	.commit = sdma_commit,
	.frame_dwords = 81,
	.ib_dwords = 13,
	.emit_ib = sdma_emit_ib,
	.emit_fence = sdma_emit_fence,
	.emit_wreg = sdma_emit_wreg,
	.emit_wait = sdma_emit_wait,
	.faulted = sdma_faulted,
};

/** amdm_sdma_rings_create() - a ring for each engine; also what sw_init of the SDMA block has to do */
int amdm_sdma_rings_create(struct amdm_device *adev)
{
	u32 engine;

	if (IS_ENABLED(CONFIG_DEVICE_PRIVATE))
		adev->copier = &amdm_sdma_copier;
	for (engine = 0; engine < adev->sdma->engines; engine++) {
		struct amdm_ring *ring;
		char name[AMDM_RING_NAME];

		snprintf(name, sizeof(name), "sdma%u", engine);
		ring = amdm_ring_create(adev, &sdma_ring_funcs, name);
		if (IS_ERR(ring))
			return PTR_ERR(ring);
		ring->me = engine;
		ring->hub = adev->sdma->generation == 4 ? 1 + engine / adev->sdma->engines_of_aid : 0;
		ring->doorbell = adev->asic->doorbells->sdma[engine] << 3;	/* counts 64-bit doorbells */
	}
	return 0;
}
