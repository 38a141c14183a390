// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ih_v4.c - interrupts since GFX9: 32-byte cookies, each with the address that faulted
 *
 * Sequence: Linux 6.1 vega20_ih.c.
 */
#include "amdgpu_ih.h"
#include "amdgpu_retry.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/ih_v9.h"
#include "amdgpu_model/hw/regs.h"

#define IH_MC_SPACE_GPU	4	/* the ring's address is an MC address of VMID 0 */
#define IH_CLIENT_NAVI21_SDMA3	0x05	/* the place of Arcturus's fifth engine */

static const u8 ih_sdma_clients[] = {
	IH_CLIENT_SDMA0, IH_CLIENT_SDMA1, IH_CLIENT_SDMA2, IH_CLIENT_SDMA3,
	IH_CLIENT_SDMA4, IH_CLIENT_SDMA5, IH_CLIENT_SDMA6, IH_CLIENT_SDMA7,
};

static int ih_v4_0_hw_init(struct amdm_device *adev)
{
	u32 cntl = 0;

	amdm_ih_place_ring(adev);
	amdm_wreg(adev, mmIH_DOORBELL_RPTR, 0);
	amdm_wreg(adev, mmIH_RB_BASE_HI, upper_32_bits(adev->ih.gpu_addr >> 8) & 0xff);
	cntl = REG_SET(cntl, IH_RB_CNTL, MC_SPACE, IH_MC_SPACE_GPU);
	cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, MC_SNOOP, 1);
	amdm_retry_enable(adev);
	amdm_ih_enable(adev, REG_SET(cntl, IH_RB_CNTL, ENABLE_INTR, 1));
	return 0;
}

/* gmc_v9_0_process_interrupt: tell the log, leave the rest to KFD. */
static void ih_v4_0_vm_fault(struct amdm_device *adev, const u32 *cookie)
{
	u64 addr = (u64)cookie[4] << 12 | ((u64)cookie[5] & 0xf) << 44;

	dev_err_ratelimited(&adev->pdev->dev, "[%s] no-retry page fault (src_id:%u ring:%u vmid:%u pasid:%u), address 0x%016llx\n",
			    IH_VMID_TYPE(cookie[0]) ? "mmhub" : "gfxhub", IH_SOURCE(cookie[0]), IH_RING_ID(cookie[0]),
			    IH_VMID(cookie[0]), IH_PASID(cookie[3]), addr);
	if (!IH_VMID_TYPE(cookie[0]))
		amdm_wreg_dies(adev, mmVM_L2_PROTECTION_FAULT_CNTL, amdm_rreg(adev, mmVM_L2_PROTECTION_FAULT_CNTL) | 1);
	else
		amdm_wreg_aids(adev, mmMMHUB_VM_L2_PROTECTION_FAULT_CNTL,
			       amdm_rreg(adev, mmMMHUB_VM_L2_PROTECTION_FAULT_CNTL) | 1);
}

static bool ih_v4_0_is_vm_fault(const u32 *cookie)
{
	const u32 client = IH_CLIENT(cookie[0]);

	return (client == IH_CLIENT_VMC || client == IH_CLIENT_UTCL2) && IH_SOURCE(cookie[0]) == IH_SOURCE_VM_FAULT;
}

static bool ih_v4_0_take(struct amdm_device *adev, const u32 *cookie)
{
	return ih_v4_0_is_vm_fault(cookie) && amdm_retry_take(adev, cookie);
}

static void ih_v4_0_look(struct amdm_device *adev, const u32 *cookie)
{
	if (ih_v4_0_is_vm_fault(cookie))
		ih_v4_0_vm_fault(adev, cookie);
}

/* The interposer die that an entry comes from */
static u32 ih_v4_0_aid(const u32 *cookie)
{
	return IH_NODE(cookie[3]) / IH_NODES_OF_AID;
}

/* Engines of other interposer dies have the clients of the first one's (Linux 7.2: sdma_v4_4_2_process_trap_irq()). */
static int ih_v4_0_sdma_engine(const struct amdm_device *adev, const u32 *cookie)
{
	const u32 client = IH_CLIENT(cookie[0]), on_aid = adev->sdma->engines_of_aid;
	const u32 first = ih_v4_0_aid(cookie) * on_aid;
	u32 i;

	if (client == IH_CLIENT_NAVI21_SDMA3 && adev->sdma->generation == 5)
		return 3;
	for (i = 0; i < on_aid && first + i < adev->sdma->engines; i++)
		if (ih_sdma_clients[i] == client)
			return first + i;
	return -1;
}

/* SDMA engines tell of the end of a job only; a bad packet costs the job's time. */
static void ih_v4_0_decode(const struct amdm_device *adev, const u32 *cookie, struct amdm_ih_entry *entry)
{
	const u32 source = IH_SOURCE(cookie[0]), ring_id = IH_RING_ID(cookie[0]);
	int engine;

	entry->vmid = IH_VMID(cookie[0]);
	if (ih_v4_0_is_vm_fault(cookie)) {
		entry->event = AMDM_IH_VM_FAULT;
		entry->hub = IH_VMID_TYPE(cookie[0]) ? 1 + ih_v4_0_aid(cookie) : 0;
	} else if (source == IH_SOURCE_SDMA_TRAP) {
		engine = ih_v4_0_sdma_engine(adev, cookie);
		if (engine < 0)
			return;
		entry->event = AMDM_IH_RING_EOP;
		entry->sdma = true;
		entry->me = engine;
		entry->queue = ring_id;
	} else {
		amdm_ih_decode_cp(source, ring_id, entry);
	}
}

/* Linux: amdgpu_ih_decode_iv_helper() */
static void ih_v4_0_iv(const u32 *cookie, struct amdm_iv *iv)
{
	iv->client_id = IH_CLIENT(cookie[0]);
	iv->src_id = IH_SOURCE(cookie[0]);
	iv->ring_id = IH_RING_ID(cookie[0]);
	iv->vmid = IH_VMID(cookie[0]);
	iv->vmid_src = IH_VMID_TYPE(cookie[0]);
	iv->timestamp = cookie[1] | (u64)(cookie[2] & 0xffff) << 32;
	iv->timestamp_src = cookie[2] >> 31;
	iv->pasid = IH_PASID(cookie[3]);
	memcpy(iv->src_data, &cookie[4], sizeof(iv->src_data));
}

static const struct amdm_ih_funcs ih_v4_0_funcs = {
	.entry_bytes = IH_COOKIE_BYTES,
	.decode = ih_v4_0_decode,
	.take = ih_v4_0_take,
	.lost = amdm_retry_repeat,
	.look = ih_v4_0_look,
	.iv = ih_v4_0_iv,
};

static int ih_v4_0_sw_init(struct amdm_device *adev)
{
	int ret = amdm_retry_init(adev);

	if (ret)
		return ret;
	ret = amdm_ih_sw_init(adev, &ih_v4_0_funcs);
	if (ret)
		amdm_retry_fini(adev);
	return ret;
}

static void ih_v4_0_hw_fini(struct amdm_device *adev)
{
	amdm_ih_hw_fini(adev);
	amdm_retry_stop(adev);
}

static void ih_v4_0_sw_fini(struct amdm_device *adev)
{
	amdm_retry_stop(adev);
	amdm_retry_fini(adev);
	amdm_ih_sw_fini(adev);
}

const struct amdm_ip_block amdm_ih_v4_0 = {
	.name = "vega20_ih",
	.sw_init = ih_v4_0_sw_init,
	.hw_init = ih_v4_0_hw_init,
	.hw_fini = ih_v4_0_hw_fini,
	.sw_fini = ih_v4_0_sw_fini,
};
