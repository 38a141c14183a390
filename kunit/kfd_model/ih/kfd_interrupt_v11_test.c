// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_v11_test.c - interrupt entries of GFX11: which are KFD's and what they say */
#include <kunit/test.h>

#include "kfd_model/ih/kfd_interrupt_v11.c"

struct entry_row {
	const char *name;
	u32 dw0, id0, id1;
	bool wanted;
	enum kfdm_interrupt_kind kind;
	u32 event_id, bits;
};

static const struct entry_row entry_rows[] = {
	{ "end of pipe",          0x0900b514, 5,          0,    true,  KFDM_IRQ_SIGNAL,   5,        32 },
	{ "amdgpu's fence",       0x0900b514, 0x01000005, 0,    false, 0, 0, 0 },
	{ "another's VMID",       0x0100b514, 5,          0,    false, 0, 0, 0 },
	{ "SDMA trap",            0x0900310a, 0xf0000007, 0,    true,  KFDM_IRQ_SIGNAL,   7,        28 },
	{ "GFX9's SDMA trap",     0x0900e00a, 7,          0,    false, 0, 0, 0 },
	{ "SDMA ECC",             0x09003e0a, 0,          0,    false, 0, 0, 0 },
	{ "s_sendmsg",            0x0900ef0a, 0xffb5c329, 0x40, true,  KFDM_IRQ_SIGNAL,   0xb5c329, 24 },
	{ "illegal instruction",  0x0900ef0a, 1u << 21,   0x80, true,  KFDM_IRQ_SIGNAL,   1u << 21, 24 },
	{ "memory violation",     0x0900ef0a, 2u << 21,   0x80, true,  KFDM_IRQ_SIGNAL,   2u << 21, 24 },
	{ "error of a cell",      0x0900ef0a, 3u << 21,   0x80, true,  KFDM_IRQ_POISON,   0,        0 },
	{ "bad opcode",           0x0900b714, 0,          0,    true,  KFDM_IRQ_NOTHING,  0,        0 },
	{ "VM fault of the VMC",  0x09000012, 0x1234,     0,    true,  KFDM_IRQ_VM_FAULT, 0,        0 },
	{ "VM fault of UTCL2",    0x0900000a, 0x1234,     0,    true,  KFDM_IRQ_VM_FAULT, 0,        0 },
};

static void entry_name(const struct entry_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(entry, entry_rows, entry_name);

static void entries(struct kunit *test)
{
	const struct kfdm_interrupt_filter filter = { .first_vmid = 8, .last_vmid = 15 };
	const struct entry_row *row = test->param_value;
	const u32 entry[KFDM_IH_ENTRY_DWORDS] = { row->dw0, 0, 0, 0x8001, row->id0, row->id1 };
	u32 patched[KFDM_IH_ENTRY_DWORDS] = {};
	struct kfdm_interrupt irq;

	KUNIT_EXPECT_EQ(test, wanted(&filter, entry, patched), row->wanted);
	if (!row->wanted)
		return;
	decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, irq.kind, row->kind);
	KUNIT_EXPECT_EQ(test, irq.event_id, row->event_id);
	KUNIT_EXPECT_EQ(test, irq.event_bits, row->bits);
	KUNIT_EXPECT_EQ(test, irq.cure == KFDM_POISON_RESET_QUEUES, row->kind == KFDM_IRQ_POISON);
	KUNIT_EXPECT_EQ(test, irq.fault == KFDM_FAULT_FOR_LOG_ONLY, row->kind == KFDM_IRQ_VM_FAULT);
}

/* GC 12.1: entries are of a die; faults come from the UTCL2; the slot of an event may not be written yet. */
static void dies_of_gfx12(struct kunit *test)
{
	const struct kfdm_interrupt_filter node = { .first_vmid = 3, .last_vmid = 15, .vmids = 0xfff8, .node_ids = node_ids_v12_1(5) };
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0900b514, 0, 0, 0x8001 | 11 << 16, 7 };	/* end of pipe, of die 5 */
	struct kfdm_interrupt irq;

	KUNIT_EXPECT_EQ(test, node_ids_v12_1(0), 0x6u);
	KUNIT_EXPECT_EQ(test, node.node_ids, 0xa00u);
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v12_1_7_2.wanted(&node, entry, entry));
	kfdm_interrupt_v12_1_7_2.decode(entry, &irq);
	KUNIT_EXPECT_TRUE(test, irq.kind == KFDM_IRQ_SIGNAL && irq.slot_may_lag);
	entry[3] = 0x8001 | 10 << 16;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v12_1_7_2.wanted(&node, entry, entry));
	entry[0] = 0x0900001b;
	entry[3] = 0x8001 | 9 << 16;
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v12_1_7_2.wanted(&node, entry, entry));
	kfdm_interrupt_v12_1_7_2.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, (int)irq.kind, (int)KFDM_IRQ_VM_FAULT);
	entry[0] = 0x0900000a;	/* what was a fault on GFX11 */
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v12_1_7_2.wanted(&node, entry, entry));
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v11_7_2.wanted(&node, entry, entry));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(dies_of_gfx12),
	KUNIT_CASE_PARAM(entries, entry_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_interrupt_v11", .test_cases = cases };
kunit_test_suite(suite);
