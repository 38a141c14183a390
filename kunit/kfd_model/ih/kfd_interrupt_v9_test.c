// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_v9_test.c - which interrupt entries are KFD's, and what they say */
#include <kunit/test.h>

#include "newer_rows.h"

#include "kfd_model/ih/kfd_interrupt_v9.c"

struct entry_row {
	const char *name;
	u32 dw0, pasid, id0, id1;
	bool wanted;
	enum kfdm_interrupt_kind kind;
	u32 event_id, bits;
};

static const struct entry_row entry_rows[] = {
	/* name                           vmid ring source client */
	{ "end of pipe",                  0x0900b514, 0x8001, 5,          0, true,  KFDM_IRQ_SIGNAL,       5,   32 },
	{ "end of pipe without an id",    0x0900b514, 0x8001, 0,          0, true,  KFDM_IRQ_SIGNAL,       0,   32 },
	{ "a graphics VMID",              0x0100b514, 0x8001, 5,          0, false, 0, 0, 0 },
	{ "another client",               0x0900b502, 0x8001, 5,          0, false, 0, 0, 0 },
	{ "another source",               0x0900b614, 0x8001, 5,          0, false, 0, 0, 0 },
	{ "s_sendmsg of a wave",          0x0900ef0a, 0x8001, 0x04000123, 0, true,  KFDM_IRQ_SIGNAL,       0x123, 24 },
	{ "illegal instruction",          0x0900ef0a, 0x8001, 0x08000000, 0x10, true, KFDM_IRQ_SIGNAL,     0,   24 },
	{ "error of a memory cell",       0x0900ef0a, 0x8001, 0x08000000, 0, true,  KFDM_IRQ_POISON,       0,   0 },
	{ "bad opcode",                   0x0900b714, 0x8001, 0,          0, true,  KFDM_IRQ_HW_EXCEPTION, 0,   0 },
	{ "SDMA trap",                    0x0900e008, 0x8001, 0xf0000007, 0, true,  KFDM_IRQ_SIGNAL,       7,   28 },
	{ "SDMA ECC",                     0x0900dc08, 0x8001, 0,          0, true,  KFDM_IRQ_POISON,       0,   0 },
	{ "VM fault",                     0x0900001b, 0x8001, 0x1234,     0, true,  KFDM_IRQ_VM_FAULT,     0,   0 },
};

static void entry_name(const struct entry_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(entry, entry_rows, entry_name);

static const struct kfdm_interrupt_filter filter = {
	.first_vmid = 8, .last_vmid = 15,
};

static void entries(struct kunit *test)
{
	const struct entry_row *row = test->param_value;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { row->dw0, 0, 0, row->pasid, row->id0, row->id1 };
	u32 patched[KFDM_IH_ENTRY_DWORDS];
	struct kfdm_interrupt irq;

	memcpy(patched, entry, sizeof(entry));
	KUNIT_EXPECT_EQ(test, kfdm_interrupt_v9.wanted(&filter, entry, patched), row->wanted);
	KUNIT_EXPECT_EQ(test, memcmp(patched, entry, sizeof(entry)), 0);
	if (!row->wanted)
		return;
	kfdm_interrupt_v9.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, irq.kind, row->kind);
	KUNIT_EXPECT_EQ(test, irq.pasid, row->pasid);
	if (row->kind == KFDM_IRQ_SIGNAL) {
		KUNIT_EXPECT_EQ(test, irq.event_id, row->event_id);
		KUNIT_EXPECT_EQ(test, irq.event_bits, row->bits);
	}
}

static void firmware_with_ids(struct kunit *test)
{
	struct kfdm_interrupt_filter newer = filter;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0900b514, 0, 0, 0x8001 };

	newer.tells_event_id = true;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9.wanted(&newer, entry, entry));
	entry[4] = 1;
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9.wanted(&newer, entry, entry));
}

static void pasid_of_a_vmid(struct kunit *test)
{
	u16 vmid_pasid[16] = { [9] = 0x8009 };
	struct kfdm_interrupt_filter no_hws = filter;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0900b514, 0, 0, 0xabcd0000, 5 }, patched[KFDM_IH_ENTRY_DWORDS];

	no_hws.no_hws = true;
	no_hws.vmid_pasid = vmid_pasid;
	memcpy(patched, entry, sizeof(entry));
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9.wanted(&no_hws, entry, patched));
	KUNIT_EXPECT_EQ(test, patched[3], 0xabcd8009u);
}

static void faults_may_be_left_alone(struct kunit *test)
{
	struct kfdm_interrupt_filter lenient = filter;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0900001b, 0, 0, 0x8001 };

	lenient.no_eviction_on_vm_fault = true;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9.wanted(&lenient, entry, entry));
}

/* kfd_setup_interrupt_bitmap: an interposer die and its first or second compute die */
static void ids_of_dies(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, node_ids_v9_4_3(0), 0x3u);
	KUNIT_EXPECT_EQ(test, node_ids_v9_4_3(1), 0x5u);
	KUNIT_EXPECT_EQ(test, node_ids_v9_4_3(2), 0x30u);
	KUNIT_EXPECT_EQ(test, node_ids_v9_4_3(7), 0x5000u);
}

/* Two nodes share an interposer die: an entry of its own is that node's whose VMID it has, one of a compute die that die's. */
static void entries_of_dies(struct kunit *test)
{
	const struct kfdm_interrupt_filter even = { .first_vmid = 4, .last_vmid = 9, .vmids = 0x3f0, .node_ids = 0x3 };
	const struct kfdm_interrupt_filter odd = { .first_vmid = 10, .last_vmid = 15, .vmids = 0xfc00, .node_ids = 0x5 };
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0500e008, 0, 0, 0x8001, 7 };	/* SDMA trap, VMID 5, of the interposer die */

	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&even, entry, entry));
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&odd, entry, entry));
	entry[0] = 0x0b00e008;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&even, entry, entry));
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&odd, entry, entry));
	entry[3] |= 1 << 16;		/* the first compute die */
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&odd, entry, entry));
	entry[3] |= 0xff << 16;		/* no such die, whatever its number shifts to */
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&odd, entry, entry));
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9_7_2.wanted(&odd, entry, entry));	/* elsewhere nobody asks */
}

/* The driver's own entry has VMID 0, which is nobody's; on devices of one die it passes. */
static void fences_of_dies(struct kunit *test)
{
	const struct kfdm_interrupt_filter node = { .first_vmid = 3, .last_vmid = 15, .vmids = 0xfff8, .node_ids = 0x7777 };
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0000ffff, 0, 0, 0x8001 };

	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v9_7_2.wanted(&node, entry, entry));
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_4_3_7_2.wanted(&node, entry, entry));
}

static void resets_after_poison(struct kunit *test)
{
	struct kfdm_interrupt poison = { .kind = KFDM_IRQ_POISON, .reset = KFDM_RAS_MODE2 }, signal = { .kind = KFDM_IRQ_SIGNAL };

	kfdm_poison_without_mode2(&poison);
	KUNIT_EXPECT_EQ(test, (int)poison.reset, (int)KFDM_RAS_MODE1);
	kfdm_poison_without_mode2(&signal);
	KUNIT_EXPECT_EQ(test, (int)signal.reset, 0);
}

#define SIGNAL(id, bits)	.kind = KFDM_IRQ_SIGNAL, .event_id = (id), .event_bits = (bits)
#define TRAP(doorbell, code)	.has_trap = true, .doorbell_id = (doorbell), .trap_code = (code)
#define BAD_PACKET(doorbell, code) .kind = KFDM_IRQ_PACKET_EXCEPTION, .doorbell_id = (doorbell), .trap_code = 1ULL << ((code) - 1)
#define POISON(where, how)	.kind = KFDM_IRQ_POISON, .block = KFDM_RAS_##where, .reset = KFDM_RAS_##how
#define FAULT(when)		.kind = KFDM_IRQ_VM_FAULT, .smi = KFDM_SMI_##when
#define V9			&kfdm_interrupt_v9_7_2
#define V9_4_3			&kfdm_interrupt_v9_4_3_7_2
#define V10			&kfdm_interrupt_v10_7_2

/* Linux 7.2: kfd_int_process_v9.c, kfd_int_process_v10.c. A wave's word: data in 11:0, PRIV in 13, encoding in 27:26. */
static const struct newer_row newer_rows[] = {
	{ "v9 end of pipe", V9, 0x0900b514, 5, 0, false, { SIGNAL(5, 32) } },
	{ "v9 wave", V9, 0x0900ef0a, 0x04000123, 0, false, { SIGNAL(0x123, 24) } },
	{ "v9 id of a wave's upper bits", V9, 0x0900ef0a, 0xf4000123, 0x45, false, { SIGNAL(0x45f123, 24) } },
	{ "v9 trap handler", V9, 0x0900ef0b, 0x14002c05, 2, false, { SIGNAL(0x021c05, 24), TRAP(0x5, 0x87) } },
	{ "v9 thread trace is no wave", V9, 0x0900ef0c, 0x00002405, 0, false, { SIGNAL(0x405, 24) } },
	{ "v9 illegal instruction", V9, 0x0900ef0d, 0x08000000, 0x10, false,
	  { SIGNAL(0x100000, 24), .is_sq_error = true, .context_id = 0x08000000 } },
	{ "v9 memory violation", V9, 0x0900ef0d, 0x08000000, 0x20, false,
	  { SIGNAL(0x200000, 24), .is_sq_error = true, .context_id = 0x08000000 } },
	{ "v9 cell of a wave", V9, 0x0900ef0a, 0x08000000, 0x30, false,
	  { POISON(GFX, MODE2), .marks_block = true, .is_sq_error = true, .context_id = 0x08000000 } },
	{ "v9 cell that the CP tells", V9, 0x0900ef14, 0x08000000, 0, false,
	  { .kind = KFDM_IRQ_POISON, .reset = KFDM_RAS_MODE2, .marks_block = true, .cure = KFDM_POISON_NONE, .is_sq_error = true,
	    .context_id = 0x08000000 } },
	{ "v9 first packet exception", V9, 0x0900b714, 16 << 10 | 0x3ff, 0, false, { BAD_PACKET(0x3ff, 16) } },
	{ "v9 last packet exception", V9, 0x0900b714, 23 << 10 | 1, 0, false, { BAD_PACKET(1, 23) } },
	{ "v9 exception of no packet", V9, 0x0900b714, 15 << 10, 0, false, { .kind = KFDM_IRQ_NOTHING } },
	{ "v9 exception too many", V9, 0x0900b714, 24 << 10, 0, false, { .kind = KFDM_IRQ_NOTHING } },
	{ "v9 SDMA trap", V9, 0x0900e009, 0xf0000007, 0, false, { SIGNAL(7, 28) } },
	{ "v9 SDMA ECC", V9, 0x0900dc05, 0, 0, false, { POISON(SDMA, MODE2), .marks_block = true } },
	{ "v9 SDMA ECC of the sixth", V9, 0x0900dc11, 0, 0, false,
	  { .kind = KFDM_IRQ_POISON, .reset = KFDM_RAS_MODE2, .marks_block = true, .cure = KFDM_POISON_NONE } },
	{ "v9 poison in the UTCL2", V9, 0x0900011b, 0, 0, false, { POISON(GFX, MODE2), .marks_block = true } },
	{ "v9 poison in the VMC", V9, 0x09000106, 0, 0, false, { POISON(MMHUB, MODE1) } },
	{ "v9 fault", V9, 0x0928001b, 0x1234, 0xfffffff5, false, { FAULT(LAST), .page = 0x500001234, .prot_valid = true, .prot_write = true } },
	{ "v9 read fault", V9, 0x09100012, 0x1234, 0, false, { FAULT(LAST), .page = 0x1234, .prot_read = true } },
	{ "v9 drain", V9, 0x0000ffff, 0, 0, false, { .kind = KFDM_IRQ_DRAIN } },
	{ "v9 another client", V9, 0x0900b502, 5, 0, true, { .kind = KFDM_IRQ_NOTHING } },
	{ "v9 dies: fence of no VMID", V9_4_3, 0x0000ffff, 0, 0, true, { .kind = KFDM_IRQ_DRAIN } },
	{ "v9 dies: fence of a VMID", V9_4_3, 0x0900ffff, 0, 0, false, { .kind = KFDM_IRQ_DRAIN } },
	{ "v10 end of pipe without an id", V10, 0x0900b514, 0, 0, false, { SIGNAL(0, 32) } },
	{ "v10 a graphics VMID", V10, 0x0100b514, 5, 0, true, { SIGNAL(5, 32) } },
	{ "v10 wave", V10, 0x0900ef0a, 0xff800123, 0, false, { SIGNAL(0x123, 23) } },
	{ "v10 trap handler", V10, 0x0900ef0a, 0x01021c05, 0x40, false, { SIGNAL(0x021c05, 23), TRAP(0x5, 0x87) } },
	{ "v10 wave without privilege", V10, 0x0900ef0a, 0x00021c05, 0x40, false, { SIGNAL(0x021c05, 23) } },
	{ "v10 any error is a signal", V10, 0x0900ef0a, 0x00180000, 0x80, false,
	  { SIGNAL(0x180000, 23), .is_sq_error = true, .context_id = 0x00180000 } },
	{ "v10 packet exception", V10, 0x0900b714, 20 << 10 | 7, 0, false, { BAD_PACKET(7, 20) } },
	{ "v10 SDMA trap", V10, 0x0900e008, 0xf0000007, 0, false, { SIGNAL(7, 28) } },
	{ "v10 SDMA ECC", V10, 0x0900dc08, 0, 0, true, { .kind = KFDM_IRQ_NOTHING } },
	{ "v10 fault", V10, 0x0918001b, 0x1234, 1, false, { FAULT(NEVER), .page = 0x100001234, .prot_valid = true, .prot_read = true } },
	{ "v10 another client", V10, 0x0900b502, 5, 0, true, { .kind = KFDM_IRQ_NOTHING } },
	{ "v10 fence", V10, 0x0900ffff, 0, 0, true, { .kind = KFDM_IRQ_NOTHING } },
};

KUNIT_ARRAY_PARAM(newer, newer_rows, newer_name);

/* GFX10 asks neither for an owner (as others do, loudly) nor whether faults evict. */
static void v10_asks_less(struct kunit *test)
{
	struct kfdm_interrupt_filter lenient = filter;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x0900001b, 0, 0, 0x8001 };

	lenient.no_eviction_on_vm_fault = true;
	KUNIT_EXPECT_TRUE(test, kfdm_interrupt_v10_7_2.wanted(&lenient, entry, entry));
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v9_7_2.wanted(&lenient, entry, entry));
	entry[3] = 0;
	KUNIT_EXPECT_FALSE(test, kfdm_interrupt_v10_7_2.wanted(&filter, entry, entry));
}

/* Linux 6.1: clients and errors that the rows above have not */
static void older_entries(struct kunit *test)
{
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { 0x09000002, 0, 0, 0x8001 };
	struct kfdm_interrupt irq;

	kfdm_interrupt_v9.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, (int)irq.kind, (int)KFDM_IRQ_NOTHING);
	entry[0] = 0x0900ef0d;		/* a cell that a wave of the last shader engine has read */
	entry[4] = 0x08000000;
	kfdm_interrupt_v9.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, (int)irq.cure, (int)KFDM_POISON_EVICT);
	entry[0] = 0x0900dc18;		/* ECC of SDMA7 */
	kfdm_interrupt_v9.decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, (int)irq.kind, (int)KFDM_IRQ_POISON);
	KUNIT_EXPECT_EQ(test, (int)irq.cure, (int)KFDM_POISON_RESET_GPU);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(ids_of_dies),
	KUNIT_CASE(entries_of_dies),
	KUNIT_CASE(fences_of_dies),
	KUNIT_CASE(resets_after_poison),
	KUNIT_CASE_PARAM(entries, entry_gen_params),
	KUNIT_CASE(firmware_with_ids),
	KUNIT_CASE(pasid_of_a_vmid),
	KUNIT_CASE(faults_may_be_left_alone),
	KUNIT_CASE_PARAM(newer_entry, newer_gen_params),
	KUNIT_CASE(v10_asks_less),
	KUNIT_CASE(older_entries),
	{}
};

static struct kunit_suite suite = { .name = "kfd_interrupt_v9", .test_cases = cases };
kunit_test_suite(suite);
