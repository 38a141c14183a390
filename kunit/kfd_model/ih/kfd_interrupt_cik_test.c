// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_cik_test.c - interrupt entries of GFX7 and GFX8: which are KFD's and what they say */
#include <kunit/test.h>

#include "kfd_model/ih/kfd_interrupt_cik.c"

struct entry_row {
	const char *name;
	u32 source, data, ring;
	bool wanted;
	enum kfdm_interrupt_kind kind;
	u32 event_id, bits;
};

static const struct entry_row entry_rows[] = {
	{ "end of pipe",      0xb5, 0x12345678, 0x80010900, true,  KFDM_IRQ_SIGNAL,       0x2345678, 28 },
	{ "another's VMID",   0xb5, 5,          0x80010700, false, 0, 0, 0 },
	{ "no such VMID",     0xb5, 5,          0x80011900, false, 0, 0, 0 },
	{ "another source",   0xb6, 5,          0x80010900, false, 0, 0, 0 },
	{ "s_sendmsg",        0xef, 0x1234,     0x80010800, true,  KFDM_IRQ_SIGNAL,       0x34,      8 },
	{ "SDMA trap",        0xe0, 7,          0x80010f00, true,  KFDM_IRQ_SIGNAL,       7,         28 },
	{ "bad opcode",       0xb7, 0,          0x80010900, true,  KFDM_IRQ_HW_EXCEPTION, 0,         0 },
	{ "page not mapped",  0x92, 0,          0x80010900, true,  KFDM_IRQ_VM_FAULT,     0,         0 },
	{ "page protected",   0x93, 0,          0x80010900, true,  KFDM_IRQ_VM_FAULT,     0,         0 },
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
	const u32 entry[ENTRY_DWORDS] = { row->source, row->data, row->ring };
	u32 patched[ENTRY_DWORDS] = { row->source, row->data, row->ring };
	struct kfdm_interrupt irq;

	KUNIT_EXPECT_EQ(test, wanted(&filter, entry, patched), row->wanted);
	if (!row->wanted)
		return;
	decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, irq.kind, row->kind);
	KUNIT_EXPECT_EQ(test, irq.pasid, 0x8001);
	KUNIT_EXPECT_EQ(test, irq.event_id, row->event_id);
	KUNIT_EXPECT_EQ(test, irq.event_bits, row->bits);
}

static bool owner_9(void *device, u32 *vmid, u16 *pasid)
{
	*vmid = 9;
	*pasid = 0x8005;
	return true;
}

static void hawaii_asks_whose_fault_it_was(struct kunit *test)
{
	const struct kfdm_interrupt_filter filter = { .first_vmid = 8, .last_vmid = 15, .fault_owner = owner_9 };
	const u32 entry[ENTRY_DWORDS] = { SOURCE_PAGE_INV_FAULT, 0, 3 };
	u32 patched[ENTRY_DWORDS] = { SOURCE_PAGE_INV_FAULT, 0, 3 };

	KUNIT_EXPECT_TRUE(test, wanted(&filter, entry, patched));
	KUNIT_EXPECT_EQ(test, patched[2], 0x80050903u);
}

static void fault_details(struct kunit *test)
{
	const struct kfdm_fault_info nothing = {}, other = { .page = 1, .vmid = 8 };
	const struct kfdm_fault_info info = { .page = 0x123456, .vmid = 9, .client = 3, .prot_write = true };
	struct kfdm_interrupt irq = { .kind = KFDM_IRQ_VM_FAULT, .fault = KFDM_FAULT_IN_REGISTERS, .vmid = 9 };

	KUNIT_EXPECT_FALSE(test, kfdm_fault_from_registers(&irq, &nothing));
	KUNIT_EXPECT_TRUE(test, kfdm_fault_from_registers(&irq, &other));
	KUNIT_EXPECT_EQ(test, irq.fault, KFDM_FAULT_UNKNOWN);
	KUNIT_EXPECT_TRUE(test, kfdm_fault_from_registers(&irq, &info));
	KUNIT_EXPECT_EQ(test, irq.fault, KFDM_FAULT_IN_ENTRY);
	KUNIT_EXPECT_EQ(test, irq.page, 0x123456ULL);
	KUNIT_EXPECT_TRUE(test, irq.prot_write);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(entries, entry_gen_params),
	KUNIT_CASE(hawaii_asks_whose_fault_it_was),
	KUNIT_CASE(fault_details),
	{}
};

static struct kunit_suite suite = { .name = "kfd_interrupt_cik", .test_cases = cases };
kunit_test_suite(suite);
