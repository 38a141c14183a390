/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ops_slots.h - walk the slots of a table of functions
 *
 * A suite lists the slots of a kind of table once (OPS_SLOTS_ARE_ALL fails to compile when one has been forgotten), and says for
 * each table which of them are empty, with the reason. Every other slot has to be filled, and those that are listed must be empty.
 */
#ifndef KUNIT_OPS_SLOTS_H
#define KUNIT_OPS_SLOTS_H

#include <kunit/test.h>
#include <linux/string.h>

struct ops_slot {
	const char *name;
	size_t at;
};

#define OPS_SLOT(table, slot) { #slot, offsetof(struct table, slot) }

/* The slots are all pointers from @first to the end of the table. */
#define OPS_SLOTS_ARE_ALL(slots, table, first) \
	static_assert(sizeof(struct table) - offsetof(struct table, first) == ARRAY_SIZE(slots) * sizeof(void *))

/* Is @name one of the words of @list? */
static inline bool ops_slot_listed(const char *list, const char *name)
{
	size_t length = strlen(name);
	const char *at;

	for (at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static inline void ops_slots_walk(struct kunit *test, const char *table, const void *ops, const struct ops_slot *slots, size_t n,
				  const char *empty)
{
	size_t i;

	KUNIT_ASSERT_NOT_NULL_MSG(test, ops, "%s", table);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ_MSG(test, *(void *const *)(ops + slots[i].at) == NULL, ops_slot_listed(empty, slots[i].name),
				    "%s.%s is empty: left; should be: right", table, slots[i].name);
}

#define OPS_SLOTS_WALK(test, name, ops, slots, empty) ops_slots_walk(test, name, ops, slots, ARRAY_SIZE(slots), empty)

#endif
