// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ops_test.c - every ops table of amdgpu_model, slot by slot, for every chip of hw/chips.def: KFD's hands on the registers,
 * memory controller, IP blocks; and the rings of the GPU that is there. What may be empty is what Linux 6.1 leaves empty for the
 * generation.
 */
#include <kunit/test.h>

#include "kunit/ops_slots.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/device/amdgpu_devices.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define BRIDGE(slot)	OPS_SLOT(kfd2kgd_ops, slot)
static const struct ops_slot bridge_slots[] = {
	BRIDGE(gtt_alloc), BRIDGE(gtt_free), BRIDGE(vm_acquire), BRIDGE(vm_release), BRIDGE(vm_evicted), BRIDGE(vm_restore),
	BRIDGE(vm_page_table_base), BRIDGE(vm_hold), BRIDGE(vm_unhold), BRIDGE(vm_is_used), BRIDGE(vm_refuse), BRIDGE(svm_move),
	BRIDGE(tlb_flush_pasid), BRIDGE(tlb_flush_vmid),
	BRIDGE(mem_dmabuf), BRIDGE(mem_export), BRIDGE(mem_alloc), BRIDGE(mem_free), BRIDGE(mem_is_refused),
	BRIDGE(mem_map), BRIDGE(mem_unmap), BRIDGE(mem_kmap), BRIDGE(mem_kunmap), BRIDGE(mem_info), BRIDGE(mem_import),
	BRIDGE(dmabuf_info), BRIDGE(mem_available), BRIDGE(doorbell_mmap), BRIDGE(doorbell_write32), BRIDGE(doorbell_write64),
	BRIDGE(doorbell_reset), BRIDGE(mmio_mmap), BRIDGE(program_sh_mem_settings), BRIDGE(set_pasid_vmid_mapping),
	BRIDGE(init_interrupts), BRIDGE(hiq_mqd_load), BRIDGE(hqd_load), BRIDGE(hqd_sdma_load), BRIDGE(hqd_is_occupied),
	BRIDGE(hqd_sdma_is_occupied), BRIDGE(hqd_destroy), BRIDGE(hqd_sdma_destroy), BRIDGE(hqd_dump), BRIDGE(hqd_sdma_dump),
	BRIDGE(hqd_ring), BRIDGE(hqd_reset), BRIDGE(hqd_sdma_doorbell), BRIDGE(sdma_reset_engine),
	BRIDGE(wave_control), BRIDGE(vmid_pasid), BRIDGE(vm_fault_vmid), BRIDGE(vm_fault_info),
	BRIDGE(set_vm_context_page_table_base), BRIDGE(set_scratch_backing_va), BRIDGE(submit_ib), BRIDGE(program_trap_handler),
	BRIDGE(set_launch_mode), BRIDGE(set_trap_mask), BRIDGE(set_watch),
	BRIDGE(get_cu_occupancy), BRIDGE(gb_addr_config), BRIDGE(iq_wait_times), BRIDGE(mes_add_queue), BRIDGE(mes_remove_queue), BRIDGE(mem_limits),
	BRIDGE(gpu_clock), BRIDGE(gpu_reset), BRIDGE(wait_begin), BRIDGE(wait_is_over),
};
OPS_SLOTS_ARE_ALL(bridge_slots, kfd2kgd_ops, gtt_alloc);

#define GEN(slot)	OPS_SLOT(amdm_kfd_gen, slot)
static const struct ops_slot gen_slots[] = {
	GEN(program_sh_mem_settings), GEN(set_pasid_vmid_mapping), GEN(hqd_load), GEN(hqd_destroy), GEN(hqd_dump),
	GEN(set_vm_context_page_table_base),
	GEN(set_scratch_backing_va), GEN(submit_ib), GEN(program_trap_handler), GEN(get_cu_occupancy),
	GEN(hqd_ring), GEN(hqd_reset),
};
OPS_SLOTS_ARE_ALL(gen_slots, amdm_kfd_gen, program_sh_mem_settings);

static const struct ops_slot gmc_slots[] = {
	OPS_SLOT(amdm_gmc, tables), OPS_SLOT(amdm_gmc, flush), OPS_SLOT(amdm_gmc, emit_flush),	/* the rest is numbers */
};

#define BLOCK(slot)	OPS_SLOT(amdm_ip_block, slot)
static const struct ops_slot block_slots[] = { BLOCK(sw_init), BLOCK(hw_init), BLOCK(hw_fini), BLOCK(sw_fini) };
OPS_SLOTS_ARE_ALL(block_slots, amdm_ip_block, sw_init);

#define RING(slot)	OPS_SLOT(amdm_ring_funcs, slot)
static const struct ops_slot ring_slots[] = {
	RING(start), RING(stop), RING(commit), RING(emit_ib), RING(emit_fence), RING(emit_wreg), RING(emit_wait), RING(emit_sync),
	RING(boost), RING(unboost), RING(emit_wave_limit), RING(kill_waves), RING(faulted),
};
OPS_SLOTS_ARE_ALL(ring_slots, amdm_ring_funcs, start);

struct chip_row {
	const char *name;
	u32 gc_version;
};

#define CHIP(id, name, product, device, revision, target, gc, ...) { name, gc },
static const struct chip_row chip_rows[] = {
#include "amdgpu_model/hw/chips.def"
};
#undef CHIP

static void chip_name(const struct chip_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(chip, chip_rows, chip_name);

static const struct amdm_asic *asic_of(struct kunit *test)
{
	const struct chip_row *row = test->param_value;
	const struct amdm_chip *chip;
	const struct amdm_asic *asic;
	u32 at;

	chip = amdm_chip_find(row->name, 0, &at);
	KUNIT_ASSERT_NOT_NULL(test, chip);
	KUNIT_EXPECT_EQ(test, at, (u32)(row - chip_rows));
	asic = amdm_asic_find(chip);
	KUNIT_ASSERT_NOT_NULL(test, asic);
	KUNIT_EXPECT_EQ(test, asic->die.gc_version, row->gc_version);
	return asic;
}

/* Arcturus, Aldebaran, MI300X */
static bool has_no_graphics(const struct amdm_asic *asic)
{
	return asic->die.gc_version >= 0x090401 && asic->die.gc_version <= 0x090403;
}

/* Registers of before GFX10 and since have different places; where a map is missing, they are Vega's. */
static void asic_is_complete(struct kunit *test)
{
	const struct amdm_asic *asic = asic_of(test);
	const struct sdma_layout *sdma = amdm_sdma_find(asic);
	u32 major = asic->die.gc_version >> 16, i;

	KUNIT_EXPECT_TRUE(test, asic->die.name && asic->doorbells && asic->gen && asic->gmc && asic->kfd && asic->blocks);
	KUNIT_EXPECT_TRUE(test, asic->die.sdma_version && asic->family && asic->die.external_rev && asic->die.mec_fw && asic->die.sdma_fw);
	KUNIT_EXPECT_TRUE(test, asic->die.gb_addr_config && asic->sh_mem_config && asic->die.tccs && asic->die.vram_type && asic->die.ref_khz);
	KUNIT_EXPECT_EQ(test, asic->die.rbs == 0, has_no_graphics(asic));
	KUNIT_EXPECT_EQ(test, asic->gen->doorbell_bytes == 4, major < 9);
	KUNIT_EXPECT_EQ(test, asic->regs == NULL, major == 9);
	KUNIT_EXPECT_TRUE(test, asic->gen->simds_per_cu && asic->gen->waves_per_simd);
	KUNIT_EXPECT_EQ(test, asic->gen->wave_lanes, major < 10 ? 64u : 32u);
	KUNIT_ASSERT_NOT_NULL(test, sdma);
	KUNIT_EXPECT_GE(test, sdma->engines, 2u);
	for (i = 0; i < sdma->engines; i++)
		KUNIT_EXPECT_NE_MSG(test, asic->doorbells->sdma[i], 0u, "doorbell of SDMA %u", i);
}

/*
 * Empty slots of gfx_v7_kfd2kgd ... gfx_v11_kfd2kgd; indirect buffers of KFD's own are GFX7's alone (no_hws on Hawaii),
 * resets of queues GFX9's: hqd_get_pq_addr and hqd_reset answer 0 elsewhere.
 */
static const char *gen_empty(u32 major)
{
	switch (major) {
	case 7:
		return "program_trap_handler get_cu_occupancy hqd_ring hqd_reset";
	case 8:
		return "program_trap_handler get_cu_occupancy submit_ib hqd_ring hqd_reset";
	case 9:
		return "set_scratch_backing_va submit_ib";
	case 10:
		return "set_scratch_backing_va submit_ib get_cu_occupancy hqd_ring hqd_reset";
	case 11:
		return "set_scratch_backing_va submit_ib get_cu_occupancy program_trap_handler hqd_ring hqd_reset";
	default:
		return "";
	}
}

static void hands_on_registers(struct kunit *test)
{
	const struct amdm_asic *asic = asic_of(test);

	OPS_SLOTS_WALK(test, asic->die.name, asic->kfd, gen_slots, gen_empty(asic->die.gc_version >> 16));
}

static void memory_controller(struct kunit *test)
{
	const struct amdm_asic *asic = asic_of(test);
	const struct amdm_gmc *gmc = asic->gmc;

	OPS_SLOTS_WALK(test, asic->die.name, gmc, gmc_slots, "");
	KUNIT_EXPECT_NE(test, gmc->fb_start, 0ULL);
	KUNIT_EXPECT_GT(test, gmc->va_end, 1ULL << 32);
	KUNIT_EXPECT_EQ(test, gmc->mtype_shift == 0, asic->gen->wptr_wraps);	/* PTEs before Vega have none */
}

/* Four blocks in the order of the real driver (Linux: vi.c, soc15.c); rings are freed all at once, not by a block's sw_fini. */
static void ip_blocks(struct kunit *test)
{
	static const char *const kinds[] = { "gmc", "ih", "gfx", "sdma" };
	const struct amdm_asic *asic = asic_of(test);
	u32 i;

	KUNIT_ASSERT_EQ(test, asic->num_blocks, (u32)ARRAY_SIZE(kinds));
	for (i = 0; i < asic->num_blocks; i++) {
		const struct amdm_ip_block *block = asic->blocks[i];
		bool rings_alone = i == 3 || (i == 2 && asic->gen->wptr_wraps);	/* no KIQ either */

		KUNIT_ASSERT_NOT_NULL(test, block->name);
		KUNIT_EXPECT_NOT_NULL(test, strstr(block->name, kinds[i]));
		OPS_SLOTS_WALK(test, block->name, block, block_slots, rings_alone ? "sw_fini" : "");
	}
}

/* The MES is not modelled: kfd_model refuses a chip that it schedules. */
static void bridge(struct kunit *test)
{
	OPS_SLOTS_WALK(test, "kfd2kgd_ops", &amdm_kgd_ops, bridge_slots, "mes_add_queue mes_remove_queue");
}

/*
 * The operations that a kind of ring does not have. SDMA executes its packets in order, so that it needs no packet that waits for the ring
 * itself (Linux's sdma_v4_0.c emits a poll there, which never waits); only compute rings have priorities; copy engines start no waves.
 */
static const char *ring_lacks(u32 ip)
{
	if (ip == AMDGPU_HW_IP_DMA)
		return "emit_sync boost unboost emit_wave_limit kill_waves";
	return ip == AMDGPU_HW_IP_GFX ? "boost unboost emit_wave_limit" : "";
}

static void rings(struct kunit *test)
{
	struct amdm_device *adev = amdm_device_get(0);
	u32 i, seen[AMDM_HW_IPS] = {};

	KUNIT_ASSERT_NOT_NULL(test, adev);
	for (i = 0; i < adev->num_rings; i++) {
		const struct amdm_ring_funcs *funcs = adev->rings[i]->funcs;

		OPS_SLOTS_WALK(test, adev->rings[i]->name, funcs, ring_slots, ring_lacks(funcs->ip));
		KUNIT_EXPECT_NE(test, funcs->max_ib_dwords, 0u);
		KUNIT_EXPECT_TRUE(test, funcs->frame_dwords && funcs->ib_dwords);
		KUNIT_EXPECT_TRUE(test, is_power_of_2(funcs->align + 1));
		if (funcs->ip < ARRAY_SIZE(seen))
			seen[funcs->ip]++;
	}
	KUNIT_EXPECT_EQ(test, seen[AMDGPU_HW_IP_GFX], has_no_graphics(adev->asic) ? 0u : 1u);
	KUNIT_EXPECT_EQ(test, seen[AMDGPU_HW_IP_COMPUTE], 8u);
	KUNIT_EXPECT_EQ(test, seen[AMDGPU_HW_IP_DMA], adev->sdma->engines);
	amdm_device_put(adev);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(asic_is_complete, chip_gen_params),
	KUNIT_CASE_PARAM(hands_on_registers, chip_gen_params),
	KUNIT_CASE_PARAM(memory_controller, chip_gen_params),
	KUNIT_CASE_PARAM(ip_blocks, chip_gen_params),
	KUNIT_CASE(bridge),
	KUNIT_CASE(rings),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ops", .test_cases = cases };
kunit_test_suite(suite);
