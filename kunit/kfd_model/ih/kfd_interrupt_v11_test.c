// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_v11_test.c - interrupt entries of GFX11: which are KFD's and what they say */
#include <kunit/test.h>

#include "newer_rows.h"

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

#define SIGNAL(id, bits)	.kind = KFDM_IRQ_SIGNAL, .event_id = (id), .event_bits = (bits)
#define FAULT			.kind = KFDM_IRQ_VM_FAULT, .smi = KFDM_SMI_LAST
#define V11			&kfdm_interrupt_v11_7_2
#define V12_1			&kfdm_interrupt_v12_1_7_2

/* Linux 7.2: kfd_int_process_v11.c, kfd_int_process_v12_1.c. A wave's first word: data in 23:0, PRIV in 26, error in 24:21. */
static const struct newer_row newer_rows[] = {
	{ "v11 end of pipe", V11, 0x0900b514, 5, 0, false, { SIGNAL(5, 32) } },
	{ "v11 amdgpu's fence", V11, 0x0900b514, 0x01000005, 0, true, { SIGNAL(0x01000005, 32) } },
	{ "v11 wave", V11, 0x0900ef0a, 0xfbb5c329, 0x40, false, { SIGNAL(0xb5c329, 24) } },
	{ "v11 trap handler", V11, 0x0900ef0a, 0x04b5c329, 0x40, false,
	  { SIGNAL(0xb5c329, 24), .has_trap = true, .doorbell_id = 0x329, .trap_code = 0x2d70 } },
	{ "v11 privilege of no wave", V11, 0x0900ef0a, 0x04b5c329, 0, false, { SIGNAL(0xb5c329, 24) } },
	{ "v11 memory violation", V11, 0x0900ef0a, 2u << 21, 0x80, false,
	  { SIGNAL(2u << 21, 24), .is_sq_error = true, .context_id = 2u << 21 } },
	{ "v11 error of a cell", V11, 0x0900ef0a, 3u << 21, 0x80, false,
	  { .kind = KFDM_IRQ_POISON, .cure = KFDM_POISON_RESET_QUEUES, .block = KFDM_RAS_GFX, .reset = KFDM_RAS_MODE2, .is_sq_error = true,
	    .context_id = 3u << 21 } },
	{ "v11 packet exception", V11, 0x0900b714, 19 << 10 | 0x155, 0, false,
	  { .kind = KFDM_IRQ_PACKET_EXCEPTION, .stops_queue = true, .doorbell_id = 0x155, .trap_code = 1ULL << 18 } },
	{ "v11 exception of no packet", V11, 0x0900b714, 3 << 10, 0, false, { .kind = KFDM_IRQ_NOTHING } },
	{ "v11 SDMA trap", V11, 0x0900310a, 0xf0000007, 0, false, { SIGNAL(7, 28) } },
	{ "v11 fault of the VMC", V11, 0x09280012, 0x1234, 5, false, { FAULT, .page = 0x500001234, .prot_valid = true, .prot_write = true } },
	{ "v11 fault of a shader", V11, 0x0910000a, 0x1234, 0, false, { FAULT, .page = 0x1234, .prot_read = true } },
	{ "v11 another client", V11, 0x0900b501, 5, 0, false, { .kind = KFDM_IRQ_NOTHING } },
	{ "v11 drain", V11, 0x0000ffff, 0, 0, false, { .kind = KFDM_IRQ_DRAIN } },
	{ "v12.1 drain", V12_1, 0x0900ffff, 0, 0, false, { .kind = KFDM_IRQ_DRAIN } },
	{ "v12.1 SDMA trap", V12_1, 0x0900310a, 7, 0, false, { SIGNAL(7, 28) } },
	{ "v12.1 fault of the UTCL2", V12_1, 0x0908001b, 0x1234, 0, false, { FAULT, .page = 0x1234, .prot_valid = true } },
	{ "v12.1 what GFX11 has for a fault", V12_1, 0x0908000a, 0, 0, true,
	  { .kind = KFDM_IRQ_NOTHING, .smi = KFDM_SMI_LAST, .prot_valid = true } },
};

KUNIT_ARRAY_PARAM(newer, newer_rows, newer_name);

/* Nobody's entries: of no process, and faults where they shall not evict */
static void nobodys(struct kunit *test)
{
	struct kfdm_interrupt_filter lenient = { .first_vmid = 8, .last_vmid = 15, .no_eviction_on_vm_fault = true };
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x09000012, 0, 0, 0x8001 };

	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v11.wanted(&lenient, entry, entry));
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v11_7_2.wanted(&lenient, entry, entry));
	lenient.no_eviction_on_vm_fault = false;
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v11.wanted(&lenient, entry, entry));
	entry[0] = 0x0900ffff;
	entry[3] = 0;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v11_7_2.wanted(&lenient, entry, entry));
}

/* Linux 6.1 resets the GPU for an error of SDMA, should one come. */
static void sdma_errors_of_6_1(struct kunit *test)
{
	const u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x09003e0a, 0, 0, 0x8001 };
	struct kfdm_interrupt irq;

	kfdm_interrupt_v11.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, (int)irq.kind, (int)KFDM_IRQ_POISON);
	KUNIT_EXPECT_EQ(test, (int)irq.cure, (int)KFDM_POISON_RESET_GPU);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(dies_of_gfx12),
	KUNIT_CASE_PARAM(entries, entry_gen_params),
	KUNIT_CASE_PARAM(newer_entry, newer_gen_params),
	KUNIT_CASE(nobodys),
	KUNIT_CASE(sdma_errors_of_6_1),
	{}
};

static struct kunit_suite suite = { .name = "kfd_interrupt_v11", .test_cases = cases };
kunit_test_suite(suite);
