// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_v9_test.c - which interrupt entries are KFD's, and what they say */
#include <kunit/test.h>

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

static struct kunit_case cases[] = {
	KUNIT_CASE(ids_of_dies),
	KUNIT_CASE(entries_of_dies),
	KUNIT_CASE(fences_of_dies),
	KUNIT_CASE(resets_after_poison),
	KUNIT_CASE_PARAM(entries, entry_gen_params),
	KUNIT_CASE(firmware_with_ids),
	KUNIT_CASE(pasid_of_a_vmid),
	KUNIT_CASE(faults_may_be_left_alone),
	{}
};

static struct kunit_suite suite = { .name = "kfd_interrupt_v9", .test_cases = cases };
kunit_test_suite(suite);
