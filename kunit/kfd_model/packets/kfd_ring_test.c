// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ring_test.c - packets in a ring: room, filler at the end, pointers that never wrap */
#include <kunit/test.h>

#include "kfd_model/packets/kfd_ring.c"

#define DWORDS 16

struct ring_row {
	const char *name;
	u32 wptr, rptr, dwords;
	int at;			/* -1: no room */
	u32 after, advanced;
};

static const struct ring_row ring_rows[] = {
	{ "empty ring",                 0,  0,  8,  0,  8,  8 },
	{ "to the last but one",        0,  0,  15, 0,  15, 15 },
	{ "all of it is too much",      0,  0,  16, -1, 0,  0 },
	{ "just behind the reader",     4,  8,  3,  4,  7,  3 },
	{ "onto the reader",            4,  8,  4,  -1, 4,  0 },
	{ "filler, then from the start", 12, 8,  6,  0,  6,  10 },
	{ "ending at the end wraps",    12, 8,  4,  0,  4,  8 },
	{ "filler, but no room then",   12, 4,  6,  -1, 12, 0 },
};

static void ring_name(const struct ring_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(ring, ring_rows, ring_name);

static void acquire(struct kunit *test)
{
	const struct ring_row *row = test->param_value;
	u32 words[DWORDS] = {}, *packet, i;
	struct kfdm_ring ring = { .words = words, .dwords = DWORDS, .wptr = row->wptr, .wptr64 = 100 };

	packet = kfdm_ring_acquire(&ring, row->rptr, row->dwords);
	KUNIT_EXPECT_PTR_EQ(test, packet, row->at < 0 ? NULL : words + row->at);
	KUNIT_EXPECT_EQ(test, ring.wptr, row->after);
	KUNIT_EXPECT_EQ(test, ring.wptr64, 100ULL + row->advanced);
	if (row->at != 0 || !row->wptr)
		return;
	for (i = row->wptr; i < DWORDS; i++)
		KUNIT_EXPECT_EQ(test, words[i], NOP_FILLER);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(acquire, ring_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "kfd_ring", .test_cases = cases };
kunit_test_suite(suite);
