// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: complaints.c - a silicon's complaints, each once, with the number of times
 *
 * Counted inside the report port, with amdm_glue.lock held: no allocation. What is the same but for its place counts as the same where the
 * place is an address: a page.
 */
#include "chip.h"
#include "amdgpu_model/base/amdgpu_kunit.h"

static u64 amdm_complaint_key(const struct silicon_report *report)
{
	switch (report->kind) {
	case SILICON_REPORT_BAD_ADDRESS:
	case SILICON_REPORT_VM_FAULT:
	case SILICON_REPORT_BAD_PTE:
		return report->subject >> PAGE_SHIFT;
	case SILICON_REPORT_BAD_INSTRUCTION:
		return report->detail;
	default:
		return report->subject;
	}
}

/** amdm_complaint_note() - the silicon has complained; the caller holds the lock of @complaints */
void amdm_complaint_note(struct amdm_complaints *complaints, const struct silicon_report *report)
{
	struct amdm_complaint *row = complaints->rows, *end = row + complaints->used;
	u64 key = amdm_complaint_key(report);

	while (row < end && (row->first.kind != report->kind || amdm_complaint_key(&row->first) != key))
		row++;
	if (row == complaints->rows + AMDM_COMPLAINTS) {
		complaints->others++;
		return;
	}
	if (row == end) {
		complaints->used++;
		row->first = *report;
	}
	row->count++;
}
EXPORT_SYMBOL_IF_KUNIT(amdm_complaint_note);
