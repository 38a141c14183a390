// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_gfx_v9_test.c - what KFD's calls write on GFX9 to GFX11, in which bank and in which order.
 *
 * Values and order: amdgpu_amdkfd_gfx_v9.c, _v10.c and soc15d.h of Linux 6.1.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/kfd/amdgpu_amdkfd_gfx_v9.c"

#define PIPE	5	/* MEC2, pipe 1 */
#define QUEUE	3
#define ME	2
#define PASID	0x8001

static struct {
	u32 packet[8], dwords, xccs;	/* the last one; a bit each die that has got one */
	int kiq_answer;
	u32 flushes, flushed, flush_type;
	u32 selects, last_select;
} v9_seen;

int amdm_kiq_submit(struct amdm_device *adev, u32 xcc, const u32 *packet, u32 dwords)
{
	memcpy(v9_seen.packet, packet, min_t(size_t, dwords * sizeof(u32), sizeof(v9_seen.packet)));
	v9_seen.dwords = dwords;
	v9_seen.xccs |= 1u << xcc;
	return v9_seen.kiq_answer;
}

void amdm_gmc_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type)
{
	v9_seen.flushes++;
	v9_seen.flushed |= vmids;
	v9_seen.flush_type = type;
}

void amdm_gfx_select_se_sh(struct amdm_device *adev, u32 se, u32 sh)
{
	v9_seen.selects++;
	v9_seen.last_select = se << 8 | sh;
}

void amdm_mmio_write_all(struct amdm_device *adev, const struct amdm_reg_write *writes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		fake_wreg(adev, writes[i].reg, writes[i].value);
}

u32 amdm_reg(const struct amdm_device *adev, u32 name)
{
	return name;
}

/* No patience: what is not there at once is late. */
void amdm_glue_wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait)
{
}

bool amdm_glue_wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms)
{
	return true;
}

struct v9_bed {
	struct amdm_device adev;
	struct amdm_xcp xcp;
	struct amdm_chip chip;
	struct pci_dev pdev;
	u32 mqd[2 * MQD_V9_DWORDS];	/* of two dies */
	u32 regs[64][2];
};

static int v9_setup(struct kunit *test)
{
	struct v9_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&v9_seen, 0, sizeof(v9_seen));
	fake_registers_reset();
	bed->chip = (struct amdm_chip){ .num_se = 4, .num_sh = 2 };
	bed->adev.chip = &bed->chip;
	bed->adev.pdev = &bed->pdev;
	bed->xcp = (struct amdm_xcp){ .adev = &bed->adev, .num_xcc = 1 };
	bed->pdev.dev.init_name = "model";
	mutex_init(&bed->adev.grbm_idx_mutex);
	mutex_init(&bed->adev.srbm_mutex);
	for (i = 0; i < MQD_V9_DWORDS; i++)
		bed->mqd[i] = 0x5a000000 + i;
	bed->mqd[MQD_V9_cp_hqd_pq_control] = 0;
	return 0;
}

/* Whatever was selected is let go. */
static void v9_teardown(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	KUNIT_EXPECT_FALSE(test, fake_registers.locked);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->adev.grbm_idx_mutex));
}

static u32 written(struct kunit *test, u32 name)
{
	u32 value = 0;

	KUNIT_EXPECT_TRUE_MSG(test, fake_written(name, &value), "register 0x%x", name);
	return value;
}

static bool in_slot(const struct fake_write *write)
{
	return write->me == ME && write->pipe == PIPE % 4 && write->queue == QUEUE && !write->vmid;
}

static void sh_mem_of_a_vmid(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	amdm_kfd_gen_v9.program_sh_mem_settings(&bed->xcp, 9, 0xc0, 0x111, 0x222, 0x10002000);
	KUNIT_ASSERT_EQ(test, fake_registers.count, 2u);	/* GFX9 has no APE1 */
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_CONFIG), 0xc0u);
	KUNIT_EXPECT_EQ(test, written(test, mmSH_MEM_BASES), 0x10002000u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].vmid + fake_registers.writes[1].vmid, 18u);
}

static void a_pasid_is_told_to_both_hubs(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	fake_registers_keep(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << 9 | 1u << 25);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.set_pasid_vmid_mapping(&bed->xcp, PASID, 9), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID0_PASID_MAPPING + 9), 0x80008001);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID16_PASID_MAPPING + 9), 0x80008001);
	KUNIT_EXPECT_EQ(test, written(test, mmIH_VMID_0_LUT + 9), PASID);
	KUNIT_EXPECT_EQ(test, written(test, mmIH_VMID_0_LUT_MM + 9), PASID);
	/* Each acknowledges its own bit: for VMID 9 of the MMHUB that is 25. */
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].value, 1u << 9);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID_PASID_MAPPING_UPDATE_STATUS), 1u << 25);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.set_pasid_vmid_mapping(&bed->xcp, 0, 9), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID0_PASID_MAPPING + 9), 0u);
	KUNIT_EXPECT_EQ(test, written(test, mmATC_VMID16_PASID_MAPPING + 9), 0u);
}

/* Each die's table, and its interposer die's, is reached through IH_VMID_LUT_INDEX (Linux 7.2: kgd_gfx_v9_4_3_set_pasid_vmid_mapping()). */
static void a_pasid_of_several_dies(struct kunit *test)
{
	static const u32 nodes[] = { 1, 0, 2, 0, 5, 4 };
	struct v9_bed *bed = test->priv;
	u32 i, n = 0, node = 0;

	bed->adev.num_xcc = 3;
	bed->xcp.num_xcc = 3;
	fake_registers_keep(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << 9 | 1u << 25);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.set_pasid_vmid_mapping(&bed->xcp, PASID, 9), 0);
	for (i = 0; i < fake_registers.count; i++) {
		const struct fake_write *w = &fake_registers.writes[i];

		if (w->name == mmIH_VMID_LUT_INDEX)
			node = w->value;
		if (w->name != mmIH_VMID_0_LUT + 9 && w->name != mmIH_VMID_0_LUT_MM + 9)
			continue;
		KUNIT_ASSERT_LT(test, n, (u32)ARRAY_SIZE(nodes));
		KUNIT_EXPECT_EQ(test, node, nodes[n]);
		KUNIT_EXPECT_EQ(test, w->name, n % 2 ? mmIH_VMID_0_LUT_MM + 9 : mmIH_VMID_0_LUT + 9);
		KUNIT_EXPECT_EQ(test, w->value, PASID);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, (u32)ARRAY_SIZE(nodes));
}

/* One hub that does not answer keeps the other from nothing. */
static void an_atc_that_does_not_answer(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	fake_registers_keep(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << 25);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.set_pasid_vmid_mapping(&bed->xcp, PASID, 9), -ETIME);
	KUNIT_EXPECT_EQ(test, written(test, mmIH_VMID_0_LUT_MM + 9), PASID);
	fake_registers_reset();
	fake_registers_keep(mmATC_VMID_PASID_MAPPING_UPDATE_STATUS, 1u << 9);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.set_pasid_vmid_mapping(&bed->xcp, PASID, 9), -ETIME);
}

static void gfx10_has_no_atc(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v10.set_pasid_vmid_mapping(&bed->xcp, PASID, 9), 0);
	KUNIT_ASSERT_EQ(test, fake_registers.count, 1u);
	KUNIT_EXPECT_EQ(test, written(test, mmIH_VMID_0_LUT + 9), PASID);
}

static void page_tables_of_the_hubs(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	amdm_kfd_gen_v9.set_vm_context_page_table_base(&bed->xcp, 15, 0x0000123456789001ULL);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 4u);
	KUNIT_EXPECT_EQ(test, written(test, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 30), 0x56789001u);
	KUNIT_EXPECT_EQ(test, written(test, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 30), 0x1234u);
	KUNIT_EXPECT_EQ(test, written(test, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 30), 0x56789001u);
	KUNIT_EXPECT_EQ(test, written(test, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 30), 0x1234u);
	fake_registers_reset();
	amdm_kfd_gen_v10.set_vm_context_page_table_base(&bed->xcp, 15, 0x0000123456789001ULL);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
	KUNIT_EXPECT_EQ(test, written(test, mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 30), 0x1234u);
}

/* TBA and TMA without their low byte; on GFX11 that is the MES's. */
static void the_trap_handler(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	amdm_kfd_gen_v9.program_trap_handler(&bed->xcp, 8, 0x123456789a00ULL, 0xfedcba987600ULL);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TBA_LO), 0x3456789au);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TBA_HI), 0x12u);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TMA_LO), 0xdcba9876u);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TMA_HI), 0xfeu);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[3].vmid, 8u);
	KUNIT_EXPECT_NULL(test, amdm_kfd_gen_v11.program_trap_handler);
}

/* SQ_SHADER_TBA_HI__TRAP_EN: amdgpu_amdkfd_gfx_v10.c and _v10_3.c */
static void gfx10_enables_it_there(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	amdm_kfd_gen_v10.program_trap_handler(&bed->xcp, 8, 0x123456789a00ULL, 0xfedcba987600ULL);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TBA_LO), 0x3456789au);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TBA_HI), 0x80000012u);
	KUNIT_EXPECT_EQ(test, written(test, mmSQ_SHADER_TMA_HI), 0xfeu);
}

/* Dwords as PACKET3_MAP_QUEUES_* of soc15d.h put them together */
static void the_hiq_comes_through_the_kiq(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	bed->mqd[MQD_V9_cp_hqd_vmid] = 0;
	v9_seen.kiq_answer = -EIO;
	KUNIT_EXPECT_EQ(test, amdm_kgd_hiq_mqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, 0x404), -EIO);
	KUNIT_ASSERT_EQ(test, v9_seen.dwords, 7u);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[0], 3u << 30 | 5u << 16 | 0xa2u << 8);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[1], 3u << 13 | 1u << 16 | 1u << 18 | 1u << 26 | 1u << 29);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[2], 0x404u << 2);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[3], bed->mqd[MQD_V9_cp_mqd_base_addr_lo]);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[4], bed->mqd[MQD_V9_cp_mqd_base_addr_hi]);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[5], bed->mqd[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo]);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[6], bed->mqd[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi]);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 0u);
}

static void a_queue_is_connected(struct kunit *test)
{
	struct v9_bed *bed = test->priv;
	const struct fake_write *write;
	u32 reg, value, i;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 0, 0, NULL), 0);
	for (reg = mmCP_MQD_BASE_ADDR; reg <= mmCP_HQD_PQ_WPTR_HI; reg++) {
		if (reg == mmCP_HQD_PQ_DOORBELL_CONTROL + 1) {
			KUNIT_EXPECT_FALSE(test, fake_written(reg, &value));	/* no register */
			continue;
		}
		for (write = fake_registers.writes; write->name != reg && write < fake_registers.writes + fake_registers.count; write++)
			;
		KUNIT_EXPECT_EQ_MSG(test, write->value, bed->mqd[MQD_V9_HQD_FIRST + reg - mmCP_MQD_BASE_ADDR], "register 0x%x", reg);
	}
	for (i = 0; i < fake_registers.count; i++)
		KUNIT_EXPECT_TRUE(test, in_slot(&fake_registers.writes[i]));
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_PQ_DOORBELL_CONTROL), bed->mqd[MQD_V9_cp_hqd_pq_doorbell_control] | 1u << 30);
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_EOP_RPTR), bed->mqd[MQD_V9_cp_hqd_eop_rptr] | 1u << 31);
	write = &fake_registers.writes[fake_registers.count - 1];
	KUNIT_EXPECT_EQ(test, write->name, (u32)mmCP_HQD_ACTIVE);	/* when all else is there */
	KUNIT_EXPECT_EQ(test, write->value, 1u);
	KUNIT_EXPECT_FALSE(test, fake_written(mmCP_PQ_WPTR_POLL_CNTL1, &value));
}

static const struct wptr_row {
	u32 size, rptr, wptr_lo, wptr_hi;
	u64 guess;
} wptrs[] = {
	{ 9, 0x000, 0x000, 0, 0x000 },		/* 1024 dwords, nothing in it */
	{ 9, 0x010, 0x030, 0, 0x010 },
	{ 9, 0x410, 0x430, 0, 0x410 },		/* the bits above come from the write pointer */
	{ 9, 0x3f0, 0x410, 0, 0xbf0 },		/* it has wrapped */
	{ 9, 0x3f0, 0xfffffff0, 1, 0x1fffffff0ULL },
	{ 9, 0x3f0, 0xfffffc10, 1, 0x2000003f0ULL },
	{ 0, 1, 0, 7, 0x700000003ULL },		/* two dwords */
};

static void a_write_pointer_is_guessed(struct kunit *test)
{
	u64 __user *poll = (u64 __user *)0x7fff12345678ULL;
	struct v9_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wptrs); i++) {
		bed->mqd[MQD_V9_cp_hqd_pq_control] = wptrs[i].size;
		bed->mqd[MQD_V9_cp_hqd_pq_rptr] = wptrs[i].rptr;
		bed->mqd[MQD_V9_cp_hqd_pq_wptr_lo] = wptrs[i].wptr_lo;
		bed->mqd[MQD_V9_cp_hqd_pq_wptr_hi] = wptrs[i].wptr_hi;
		fake_registers_reset();
		amdm_kfd_gen_v9.hqd_load(&bed->xcp, bed->mqd, 1, QUEUE, poll, 0, 0, NULL);
		KUNIT_EXPECT_EQ_MSG(test, written(test, mmCP_HQD_PQ_WPTR_LO) | (u64)written(test, mmCP_HQD_PQ_WPTR_HI) << 32,
				    wptrs[i].guess, "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_PQ_WPTR_POLL_ADDR), 0x12345678u);
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_PQ_WPTR_POLL_ADDR_HI), 0x7fffu);
	KUNIT_EXPECT_EQ(test, written(test, mmCP_PQ_WPTR_POLL_CNTL1), 1u << (8 + QUEUE));
}

static void a_slot_with_this_queue(struct kunit *test)
{
	const u64 base = 0x0000120034567800ULL;
	struct v9_bed *bed = test->priv;

	fake_registers_keep(mmCP_HQD_PQ_BASE, 0x00345678);
	fake_registers_keep(mmCP_HQD_PQ_BASE_HI, 0x12);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_is_occupied(&bed->xcp, base, PIPE, QUEUE));	/* not active */
	fake_registers_keep(mmCP_HQD_ACTIVE, 1);
	KUNIT_EXPECT_TRUE(test, amdm_kgd_hqd_is_occupied(&bed->xcp, base, PIPE, QUEUE));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_is_occupied(&bed->xcp, base + 256, PIPE, QUEUE));
	KUNIT_EXPECT_FALSE(test, amdm_kgd_hqd_is_occupied(&bed->xcp, base + (1ULL << 40), PIPE, QUEUE));
}

static int destroy(struct v9_bed *bed, enum kfd_bridge_preempt type)
{
	return amdm_kfd_gen_v9.hqd_destroy(&bed->xcp, bed->mqd, type, 1000, PIPE, QUEUE);
}

/* CP_HQD_DEQUEUE_REQUEST: 1 DRAIN_PIPE, 2 RESET_WAVES, 3 SAVE_WAVES */
static void a_queue_is_let_go(struct kunit *test)
{
	static const enum kfd_bridge_preempt types[] = { KFD_BRIDGE_PREEMPT_DRAIN, KFD_BRIDGE_PREEMPT_RESET, KFD_BRIDGE_PREEMPT_SAVE };
	struct v9_bed *bed = test->priv;
	u32 i, value;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		KUNIT_EXPECT_EQ(test, destroy(bed, types[i]), 0);
		KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_DEQUEUE_REQUEST), i + 1);
		KUNIT_EXPECT_TRUE(test, in_slot(&fake_registers.writes[i]));
	}
	KUNIT_EXPECT_FALSE(test, fake_written(mmRLC_CP_SCHEDULERS, &value));
	fake_registers_keep(mmCP_HQD_ACTIVE, 1);
	KUNIT_EXPECT_EQ(test, destroy(bed, KFD_BRIDGE_PREEMPT_DRAIN), -ETIME);
}

static void the_hiq_is_disconnected_from_the_rlc(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	bed->mqd[MQD_V9_cp_hqd_vmid] = 0;
	fake_registers_keep(mmRLC_CP_SCHEDULERS, 0x1234a8c1);
	KUNIT_EXPECT_EQ(test, destroy(bed, KFD_BRIDGE_PREEMPT_DRAIN), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmRLC_CP_SCHEDULERS), 0x123400c1u);	/* the KIQ's byte stays */
}

static void nothing_is_touched_in_a_reset(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	bed->adev.in_reset = true;
	KUNIT_EXPECT_EQ(test, destroy(bed, KFD_BRIDGE_PREEMPT_DRAIN), -EIO);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 0u);
}

static void the_dump_of_a_slot(struct kunit *test)
{
	struct v9_bed *bed = test->priv;
	u32 count = 77;

	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.hqd_dump(&bed->xcp, PIPE, QUEUE, bed->regs, MQD_V9_HQD_COUNT - 1, &count), -ENOSPC);
	KUNIT_EXPECT_EQ(test, count, 77u);
	fake_registers_keep(mmCP_HQD_PQ_BASE, 0x00345678);
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.hqd_dump(&bed->xcp, PIPE, QUEUE, bed->regs, MQD_V9_HQD_COUNT, &count), 0);
	KUNIT_EXPECT_EQ(test, count, 56u);
	KUNIT_EXPECT_EQ(test, bed->regs[8][0], (u32)mmCP_HQD_PQ_BASE << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[8][1], 0x00345678u);
	KUNIT_EXPECT_EQ(test, bed->regs[55][0], (u32)mmCP_HQD_PQ_WPTR_HI << 2);
	KUNIT_EXPECT_EQ(test, bed->regs[56][0], 0u);
}

/* The command between the choice of an array and the return to all of them */
static void waves_are_controlled(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_wave_control(&bed->xcp, 0x00010203, 0x00040005), 0);
	KUNIT_ASSERT_EQ(test, fake_registers.count, 2u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, (u32)mmGRBM_GFX_INDEX);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, 0x00010203u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].name, (u32)mmSQ_CMD);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[1].value, 0x00040005u);
	KUNIT_EXPECT_EQ(test, v9_seen.last_select, 0xffffu);
}

static void the_pasid_of_a_vmid(struct kunit *test)
{
	struct v9_bed *bed = test->priv;
	u16 pasid = 0;

	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 10, 0x80008001);
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 11, 0x00008002);
	KUNIT_EXPECT_TRUE(test, amdm_kgd_vmid_pasid(&bed->xcp, 10, &pasid));
	KUNIT_EXPECT_EQ(test, pasid, 0x8001);
	KUNIT_EXPECT_FALSE(test, amdm_kgd_vmid_pasid(&bed->xcp, 11, &pasid));
}

/* Two queues that have waves in each of 8 arrays; queue 9 is pipe 1, queue 1. */
static void waves_of_a_process_are_counted(struct kunit *test)
{
	struct v9_bed *bed = test->priv;
	u32 waves = 0, most = 0;

	fake_registers_keep(mmSPI_CSQ_WF_ACTIVE_STATUS, 1u << 0 | 1u << 9);
	fake_registers_keep(mmSPI_CSQ_WF_ACTIVE_COUNT_0, 0xfffff800 | 5);	/* the count has 11 bits */
	fake_registers_keep(mmSPI_CSQ_WF_ACTIVE_COUNT_0 + 1, 7);
	fake_registers_keep(mmSPI_CSQ_WF_ACTIVE_COUNT_0 + 2, 1000);	/* no queue of the process */
	fake_registers_keep(mmCP_HQD_VMID, 9);
	fake_registers_keep(mmIH_VMID_0_LUT + 9, PASID);
	amdm_kfd_gen_v9.get_cu_occupancy(&bed->xcp, PASID, &waves, &most);
	KUNIT_EXPECT_EQ(test, waves, 8 * 12u);
	KUNIT_EXPECT_EQ(test, most, 40u);
	KUNIT_EXPECT_EQ(test, v9_seen.selects, 9u);
	KUNIT_EXPECT_EQ(test, v9_seen.last_select, 0xffffu);
	/* GRBM_GFX_CNTL: pipe 1:0, me 3:2, queue 10:8 */
	KUNIT_EXPECT_EQ(test, written(test, mmGRBM_GFX_CNTL), 1u | 1u << 2 | 1u << 8);
	amdm_kfd_gen_v9.get_cu_occupancy(&bed->xcp, PASID + 1, &waves, &most);
	KUNIT_EXPECT_EQ(test, waves, 0u);
}

static void a_tlb_is_flushed_by_the_kiq(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_tlb_flush_pasid(&bed->adev, PASID, KFD_BRIDGE_TLB_HEAVYWEIGHT), 0);
	KUNIT_ASSERT_EQ(test, v9_seen.dwords, 2u);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[0], 3u << 30 | 0x98u << 8);
	/* DST_SEL(1), ALL_HUB(1), PASID, FLUSH_TYPE */
	KUNIT_EXPECT_EQ(test, v9_seen.packet[1], 1u | 1u << 4 | PASID << 5 | 2u << 29);
	KUNIT_EXPECT_EQ(test, v9_seen.flushes, 0u);
}

/* Of the VMIDs of KFD that are the process's */
static void or_by_register(struct kunit *test)
{
	struct v9_bed *bed = test->priv;

	v9_seen.kiq_answer = -ENODEV;
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 3, 0x80000000 | PASID);
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 8, 0x80000000 | PASID);
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 9, PASID);
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 12, 0x80000000 | (PASID + 1));
	fake_registers_keep(mmATC_VMID0_PASID_MAPPING + 15, 0x80000000 | PASID);
	KUNIT_EXPECT_EQ(test, amdm_kgd_tlb_flush_pasid(&bed->adev, PASID, KFD_BRIDGE_TLB_LIGHTWEIGHT), 0);
	KUNIT_EXPECT_EQ(test, v9_seen.flushes, 2u);
	KUNIT_EXPECT_EQ(test, v9_seen.flushed, 1u << 8 | 1u << 15);
	KUNIT_EXPECT_EQ(test, v9_seen.flush_type, (u32)KFD_BRIDGE_TLB_LIGHTWEIGHT);
}

/* Each die has its descriptor, a stride behind the first one; the die that works at the packets comes last. */
static void a_queue_of_two_dies(struct kunit *test)
{
	struct v9_bed *bed = test->priv;
	u32 *second = bed->mqd + MQD_V9_DWORDS, i;

	for (i = 0; i < MQD_V9_DWORDS; i++)
		second[i] = 0x6b000000 + i;
	bed->mqd[MQD_V9_cp_mqd_stride_size] = MQD_V9_DWORDS * sizeof(u32);
	bed->adev.num_xcc = 2;
	bed->xcp.num_xcc = 2;
	KUNIT_EXPECT_EQ(test, amdm_kfd_gen_v9.hqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, NULL, 0, ~0u, NULL), 0);
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_CTX_SAVE_BASE_ADDR_LO), bed->mqd[MQD_V9_cp_hqd_ctx_save_base_addr_lo]);
	KUNIT_EXPECT_EQ(test, written(test, AMDM_XCC_REG(1, mmCP_HQD_CTX_SAVE_BASE_ADDR_LO)), second[MQD_V9_cp_hqd_ctx_save_base_addr_lo]);
	KUNIT_EXPECT_EQ(test, written(test, AMDM_XCC_REG(1, mmCP_HQD_ACTIVE)), 1u);
	KUNIT_EXPECT_EQ(test, fake_registers.writes[fake_registers.count - 1].name, (u32)mmCP_HQD_ACTIVE);
	/* The HIQ by the KIQ of each */
	KUNIT_EXPECT_EQ(test, amdm_kgd_hiq_mqd_load(&bed->xcp, bed->mqd, PIPE, QUEUE, 2), 0);
	KUNIT_EXPECT_EQ(test, v9_seen.xccs, 3u);
	KUNIT_EXPECT_EQ(test, v9_seen.packet[3], second[MQD_V9_cp_mqd_base_addr_lo]);
	/* All are asked to leave, and all must have left. */
	fake_registers_reset();
	fake_registers_keep(AMDM_XCC_REG(1, mmCP_HQD_ACTIVE), 1);
	KUNIT_EXPECT_EQ(test, amdm_kgd_dequeue(&bed->xcp, KFD_BRIDGE_PREEMPT_SAVE, 0, PIPE, QUEUE), -ETIME);
	KUNIT_EXPECT_EQ(test, written(test, mmCP_HQD_DEQUEUE_REQUEST), 3u);
	KUNIT_EXPECT_EQ(test, written(test, AMDM_XCC_REG(1, mmCP_HQD_DEQUEUE_REQUEST)), 3u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sh_mem_of_a_vmid),
	KUNIT_CASE(a_pasid_is_told_to_both_hubs),
	KUNIT_CASE(a_pasid_of_several_dies),
	KUNIT_CASE(an_atc_that_does_not_answer),
	KUNIT_CASE(gfx10_has_no_atc),
	KUNIT_CASE(page_tables_of_the_hubs),
	KUNIT_CASE(the_trap_handler),
	KUNIT_CASE(gfx10_enables_it_there),
	KUNIT_CASE(the_hiq_comes_through_the_kiq),
	KUNIT_CASE(a_queue_is_connected),
	KUNIT_CASE(a_queue_of_two_dies),
	KUNIT_CASE(a_write_pointer_is_guessed),
	KUNIT_CASE(a_slot_with_this_queue),
	KUNIT_CASE(a_queue_is_let_go),
	KUNIT_CASE(the_hiq_is_disconnected_from_the_rlc),
	KUNIT_CASE(nothing_is_touched_in_a_reset),
	KUNIT_CASE(the_dump_of_a_slot),
	KUNIT_CASE(waves_are_controlled),
	KUNIT_CASE(the_pasid_of_a_vmid),
	KUNIT_CASE(waves_of_a_process_are_counted),
	KUNIT_CASE(a_tlb_is_flushed_by_the_kiq),
	KUNIT_CASE(or_by_register),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_amdkfd_gfx_v9", .init = v9_setup, .exit = v9_teardown, .test_cases = cases };
kunit_test_suite(suite);
