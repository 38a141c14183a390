/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * newer_rows.h - what the suites of interrupt entries since Linux 7.2 share: an entry a row, and all that is to be read in it. Entries have
 * VMID 9 and PASID 0x8001 where a row does not say otherwise.
 */
#ifndef KUNIT_NEWER_ROWS_H
#define KUNIT_NEWER_ROWS_H

#include <kunit/test.h>

#include "kfd_model/ih/kfd_interrupt_class.h"

#define NEWER_PASID	0x8001

/** struct newer_row - @dropped: the filter lets it not through, and @irq is what it would say */
struct newer_row {
	const char *what;
	const struct kfdm_interrupt_ops *ops;
	u32 dw0, id0, id1;
	bool dropped;
	struct kfdm_interrupt irq;
};

static void newer_name(const struct newer_row *row, char *text)
{
	strscpy(text, row->what, KUNIT_PARAM_DESC_SIZE);
}

static void newer_entry(struct kunit *test)
{
	static const struct kfdm_interrupt_filter filter = { .first_vmid = 8, .last_vmid = 15, .vmids = 0xff00, .node_ids = 1 };
	const struct newer_row *row = test->param_value;
	const struct kfdm_interrupt *want = &row->irq;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = { row->dw0, 0, 0, NEWER_PASID, row->id0, row->id1 };
	u32 patched[KFDM_IH_ENTRY_DWORDS];
	struct kfdm_interrupt irq;

	memcpy(patched, entry, sizeof(entry));
	KUNIT_EXPECT_EQ(test, row->ops->wanted(&filter, entry, patched), !row->dropped);
	row->ops->decode(entry, &irq);
	KUNIT_EXPECT_EQ(test, irq.pasid, (u16)NEWER_PASID);
	KUNIT_EXPECT_EQ(test, irq.client, (u16)(row->dw0 & 0xff));
	KUNIT_EXPECT_EQ(test, (int)irq.kind, (int)want->kind);
	KUNIT_EXPECT_EQ(test, irq.event_id, want->event_id);
	KUNIT_EXPECT_EQ(test, irq.event_bits, want->event_bits);
	KUNIT_EXPECT_EQ(test, irq.is_sq_error, want->is_sq_error);
	KUNIT_EXPECT_EQ(test, irq.context_id, want->context_id);
	KUNIT_EXPECT_EQ(test, irq.has_trap, want->has_trap);
	KUNIT_EXPECT_EQ(test, irq.stops_queue, want->stops_queue);
	KUNIT_EXPECT_EQ(test, irq.doorbell_id, want->doorbell_id);
	KUNIT_EXPECT_EQ(test, irq.trap_code, want->trap_code);
	KUNIT_EXPECT_EQ(test, (int)irq.cure, (int)want->cure);
	KUNIT_EXPECT_EQ(test, (int)irq.block, (int)want->block);
	KUNIT_EXPECT_EQ(test, (int)irq.reset, (int)want->reset);
	KUNIT_EXPECT_EQ(test, irq.marks_block, want->marks_block);
	KUNIT_EXPECT_EQ(test, (int)irq.fault, (int)want->fault);
	KUNIT_EXPECT_EQ(test, (int)irq.smi, (int)want->smi);
	KUNIT_EXPECT_EQ(test, irq.page, want->page);
	KUNIT_EXPECT_EQ(test, irq.prot_valid, want->prot_valid);
	KUNIT_EXPECT_EQ(test, irq.prot_read, want->prot_read);
	KUNIT_EXPECT_EQ(test, irq.prot_write, want->prot_write);
}

#endif
