// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * complaints_test.c - which of a silicon's complaints are the same.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/unexported.h"
#include "amdgpu_model/glue/complaints.c"

static struct amdm_complaints *complaints_of(struct kunit *test)
{
	struct amdm_complaints *complaints = kunit_kzalloc(test, sizeof(*complaints), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, complaints);
	return complaints;
}

static void note(struct amdm_complaints *complaints, u32 kind, u64 subject, u64 detail)
{
	const struct silicon_report report = { .kind = kind, .vmid = 8, .subject = subject, .detail = detail };

	amdm_complaint_note(complaints, &report);
}

/* The first one's place stays. */
static void complaints_by_page(struct kunit *test)
{
	struct amdm_complaints *complaints = complaints_of(test);

	note(complaints, SILICON_REPORT_VM_FAULT, 0x1000, 0);
	note(complaints, SILICON_REPORT_VM_FAULT, 0x1ff8, 1);
	note(complaints, SILICON_REPORT_VM_FAULT, 0x2000, 0);
	note(complaints, SILICON_REPORT_BAD_PTE, 0x1000, 0);
	KUNIT_EXPECT_EQ(test, complaints->used, 3u);
	KUNIT_EXPECT_EQ(test, complaints->rows[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, complaints->rows[0].first.subject, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, complaints->rows[0].first.detail, 0ULL);
}

static void complaints_by_instruction(struct kunit *test)
{
	struct amdm_complaints *complaints = complaints_of(test);

	note(complaints, SILICON_REPORT_BAD_INSTRUCTION, 0x100, 0xf0800f00);
	note(complaints, SILICON_REPORT_BAD_INSTRUCTION, 0x200, 0xf0800f00);
	note(complaints, SILICON_REPORT_BAD_INSTRUCTION, 0x200, 0xf0800f01);
	KUNIT_EXPECT_EQ(test, complaints->used, 2u);
	KUNIT_EXPECT_EQ(test, complaints->rows[0].count, 2ULL);
}

static void complaints_full(struct kunit *test)
{
	struct amdm_complaints *complaints = complaints_of(test);
	u32 i;

	for (i = 0; i < AMDM_COMPLAINTS + 5; i++)
		note(complaints, SILICON_REPORT_BAD_PACKET, i, 0);
	note(complaints, SILICON_REPORT_BAD_PACKET, AMDM_COMPLAINTS - 1, 0);
	KUNIT_EXPECT_EQ(test, complaints->used, (u32)AMDM_COMPLAINTS);
	KUNIT_EXPECT_EQ(test, complaints->others, 5ULL);
	KUNIT_EXPECT_EQ(test, complaints->rows[AMDM_COMPLAINTS - 1].count, 2ULL);
}

static struct kunit_case complaints_cases[] = {
	KUNIT_CASE(complaints_by_page), KUNIT_CASE(complaints_by_instruction), KUNIT_CASE(complaints_full), {}
};

static struct kunit_suite complaints_suite = {
	.name = "amdgpu_complaints",
	.test_cases = complaints_cases,
};
kunit_test_suite(complaints_suite);
