// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_event_test.c - the events of a process: ids, slots, partial ids, auto-reset, the page */
#include <kunit/test.h>
#include <linux/vmalloc.h>

#include "kfd_model/events/kfd_event.c"
#include "kfd_model/events/kfd_event_create.c"

static void *page_memory;
static u64 page_bytes;
static int kunmaps;

static int fake_kmap(struct amdm_mem *mem, void **cpu, u64 *size)
{
	*cpu = page_memory;
	*size = page_bytes;
	return 0;
}

static void fake_kunmap(struct amdm_mem *mem)
{
	kunmaps++;
}

static const struct kfd2kgd_ops fake_kgd = { .mem_kmap = fake_kmap, .mem_kunmap = fake_kunmap };
const struct kfd2kgd_ops *kfdm_kgd = &fake_kgd;

static int events_setup(struct kunit *test)
{
	struct kfdm_events *events = kunit_kzalloc(test, sizeof(*events), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, events);
	page_memory = vzalloc(PAGE_BYTES);
	KUNIT_ASSERT_NOT_NULL(test, page_memory);
	page_bytes = PAGE_BYTES;
	kunmaps = 0;
	kfdm_events_init(events);
	test->priv = events;
	return 0;
}

static void events_teardown(struct kunit *test)
{
	kfdm_events_fini(test->priv);
	vfree(page_memory);
}

static u32 make(struct kunit *test, u32 type, bool auto_reset)
{
	struct kfd_ioctl_create_event_args args = { .event_type = type, .auto_reset = auto_reset };

	KUNIT_ASSERT_EQ(test, kfdm_event_create(test->priv, &args), 0);
	return args.event_id;
}

static bool signaled(struct kunit *test, u32 id)
{
	struct kfdm_events *events = test->priv;
	struct kfdm_event *ev = idr_find(&events->idr, id);

	return ev && ev->signaled;
}

static void user_page(struct kunit *test, struct kfdm_bo *bo)
{
	KUNIT_ASSERT_EQ(test, kfdm_events_set_page(test->priv, bo), 0);
}

static void ids(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, make(test, KFD_IOC_EVENT_SIGNAL, false), 1u);
	KUNIT_EXPECT_EQ(test, make(test, KFD_IOC_EVENT_DEBUG_EVENT, false), 2u);
	KUNIT_EXPECT_EQ(test, make(test, KFD_IOC_EVENT_MEMORY, false), 0x40000000u);
	KUNIT_EXPECT_EQ(test, make(test, 4711, false), 0x40000001u);
	KUNIT_EXPECT_EQ(test, kfdm_event_destroy(test->priv, 1), 0);
	KUNIT_EXPECT_EQ(test, kfdm_event_destroy(test->priv, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, make(test, KFD_IOC_EVENT_SIGNAL, false), 1u);
}

/* kfd_event_create(): the offset to mmap is for events with a slot; for others it is zero, whatever user space has sent. */
static void page_offsets(struct kunit *test)
{
	struct kfd_ioctl_create_event_args signal = { .event_type = KFD_IOC_EVENT_SIGNAL, .event_page_offset = 4711 };
	struct kfd_ioctl_create_event_args memory = { .event_type = KFD_IOC_EVENT_MEMORY, .event_page_offset = 4711 };

	KUNIT_ASSERT_EQ(test, kfdm_event_create(test->priv, &signal), 0);
	KUNIT_EXPECT_EQ(test, signal.event_page_offset, KFDM_MMAP_TYPE_EVENTS);
	KUNIT_ASSERT_EQ(test, kfdm_event_create(test->priv, &memory), 0);
	KUNIT_EXPECT_EQ(test, memory.event_page_offset, 0ULL);
}

static void page_rules(struct kunit *test)
{
	struct kfdm_bo bo = {}, other = {};

	page_bytes = PAGE_BYTES - 1;
	KUNIT_EXPECT_EQ(test, kfdm_events_set_page(test->priv, &bo), -EINVAL);
	KUNIT_EXPECT_EQ(test, kunmaps, 1);
	page_bytes = PAGE_BYTES;
	user_page(test, &bo);
	KUNIT_EXPECT_TRUE(test, bo.is_event_page);
	KUNIT_EXPECT_EQ(test, *(u64 *)page_memory, KFDM_UNSIGNALED_SLOT);
	KUNIT_EXPECT_EQ(test, kfdm_events_set_page(test->priv, &other), -EINVAL);
	kfdm_events_release_page(test->priv);
	KUNIT_EXPECT_FALSE(test, bo.is_event_page);
	KUNIT_EXPECT_EQ(test, kunmaps, 2);
}

static void as_many_as_slots(struct kunit *test)
{
	struct kfd_ioctl_create_event_args args = { .event_type = KFD_IOC_EVENT_SIGNAL };
	struct kfdm_bo bo = {};
	int i, ret = 0;

	user_page(test, &bo);
	for (i = 1; i < KFD_SIGNAL_EVENT_LIMIT && !ret; i++)
		ret = kfdm_event_create(test->priv, &args);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, args.event_slot_index, KFD_SIGNAL_EVENT_LIMIT - 1);
	KUNIT_EXPECT_EQ(test, kfdm_event_create(test->priv, &args), -ENOSPC);
	/* So many that slots are walked instead of events. */
	((u64 *)page_memory)[3000] = 1;
	kfdm_events_interrupt(test->priv, 0, 0);
	KUNIT_EXPECT_TRUE(test, signaled(test, 3000));
	kfdm_events_release_page(test->priv);
}

struct partial_row {
	const char *name;
	u32 written, id, bits;
	bool hit, at_once;
};

static const struct partial_row partial_rows[] = {
	{ "whole id",                     9,  9,    32, true, true },
	{ "whole id of another: search",  9,  10,   32, true },
	{ "no id: search",                9,  0,    0,  true },
	{ "low bits",                     9,  1,    3,  true },
	{ "low bits, as of GFX7",         9,  9,    8,  true, true },
	{ "low bits of another: search",  9,  2,    3,  true },
	{ "id past the page: search",     9,  5000, 32, true },
	{ "nothing written",              0,  9,    32, false },
};

static void partial_name(const struct partial_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(partial, partial_rows, partial_name);

static void partial_ids(struct kunit *test)
{
	const struct partial_row *row = test->param_value;
	struct kfdm_bo bo = {};
	u64 *slots;
	int i;

	user_page(test, &bo);
	slots = page_memory;
	for (i = 0; i < 12; i++)
		make(test, KFD_IOC_EVENT_SIGNAL, false);
	if (row->written)
		slots[row->written] = row->written;
	kfdm_events_interrupt(test->priv, row->id, row->bits);
	for (i = 1; i <= 12; i++)
		KUNIT_EXPECT_EQ(test, signaled(test, i), row->hit && i == row->written);
	KUNIT_EXPECT_EQ(test, slots[row->written], KFDM_UNSIGNALED_SLOT);
	kfdm_events_release_page(test->priv);
}

/* As many low bits as GFX7's interrupts know; others search. */
static void interrupts_search_nothing(struct kunit *test)
{
	const struct partial_row *row = test->param_value;
	struct kfdm_bo bo = {};
	u64 *slots;
	int i;

	user_page(test, &bo);
	slots = page_memory;
	for (i = 0; i < 12; i++)
		make(test, KFD_IOC_EVENT_SIGNAL, false);
	if (row->written)
		slots[row->written] = row->written;
	KUNIT_EXPECT_EQ(test, kfdm_events_interrupt_at_once(test->priv, row->id, row->bits), row->at_once);
	for (i = 1; i <= 12; i++)
		KUNIT_EXPECT_EQ(test, signaled(test, i), row->at_once && i == row->written);
	if (row->written)
		KUNIT_EXPECT_EQ(test, slots[row->written], row->at_once ? KFDM_UNSIGNALED_SLOT : row->written);
	kfdm_events_release_page(test->priv);
	KUNIT_EXPECT_FALSE(test, kfdm_events_interrupt_at_once(test->priv, 9, 32));
}

/* One thread may wait 4096 times for one event, and many may do so. */
static void interrupts_wake_no_crowd(struct kunit *test)
{
	struct kfdm_events *events = test->priv;
	u32 i, id = make(test, KFD_IOC_EVENT_SIGNAL, false);
	struct kfdm_waiter *waiters = kunit_kcalloc(test, AT_ONCE_WAITERS + 1, sizeof(*waiters), GFP_KERNEL);
	struct kfdm_event *ev = idr_find(&events->idr, id);

	KUNIT_ASSERT_NOT_NULL(test, waiters);
	for (i = 0; i <= AT_ONCE_WAITERS; i++) {
		waiters[i] = (struct kfdm_waiter){ .event = ev, .task = current };
		list_add(&waiters[i].link, &ev->waiters);
	}
	events->page[id] = 1;
	KUNIT_EXPECT_FALSE(test, kfdm_events_interrupt_at_once(events, id, 32));
	KUNIT_EXPECT_FALSE(test, waiters[0].activated);
	list_del(&waiters[0].link);
	KUNIT_EXPECT_TRUE(test, kfdm_events_interrupt_at_once(events, id, 32));
	KUNIT_EXPECT_TRUE(test, waiters[1].activated);
	kfdm_event_destroy(events, id);
}

/* Others may hold it for as long as they have events. */
static void interrupts_wait_for_no_lock(struct kunit *test)
{
	struct kfdm_events *events = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, false);

	if (!IS_ENABLED(CONFIG_SMP))
		kunit_skip(test, "locks of one CPU do not know that they are held");
	events->page[id] = 1;
	spin_lock(&events->lock);
	KUNIT_EXPECT_FALSE(test, kfdm_events_interrupt_at_once(events, id, 32));
	spin_unlock(&events->lock);
	KUNIT_EXPECT_TRUE(test, kfdm_events_interrupt_at_once(events, id, 32));
}

static void set_and_reset(struct kunit *test)
{
	u32 signal = make(test, KFD_IOC_EVENT_SIGNAL, false), memory = make(test, KFD_IOC_EVENT_MEMORY, false);

	KUNIT_EXPECT_EQ(test, kfdm_event_set(test->priv, signal), 0);
	KUNIT_EXPECT_TRUE(test, signaled(test, signal));
	KUNIT_EXPECT_EQ(test, kfdm_event_reset(test->priv, signal), 0);
	KUNIT_EXPECT_FALSE(test, signaled(test, signal));
	KUNIT_EXPECT_EQ(test, kfdm_event_set(test->priv, memory), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_event_reset(test->priv, memory), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_event_set(test->priv, 77), -EINVAL);
}

static void auto_reset_goes_to_the_waiter(struct kunit *test)
{
	struct kfdm_events *events = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, true);
	struct kfdm_event *ev = idr_find(&events->idr, id);
	struct kfdm_waiter waiter = { .event = ev, .task = current };

	kfdm_event_set(events, id);
	KUNIT_EXPECT_TRUE(test, ev->signaled);	/* without a waiter it stays signaled */
	kfdm_event_reset(events, id);
	list_add(&waiter.link, &ev->waiters);
	kfdm_event_set(events, id);
	KUNIT_EXPECT_FALSE(test, ev->signaled);
	KUNIT_EXPECT_TRUE(test, waiter.activated);
	kfdm_event_destroy(events, id);
	KUNIT_EXPECT_NULL(test, waiter.event);
}

/* Ids are those of before, or there is no event; what is asked of them one by one goes in again. */
static void restored_events(struct kunit *test)
{
	static const struct { u32 id, type; int answer; } rows[] = {
		{ 7, KFD_IOC_EVENT_SIGNAL, 0 },			{ 7, KFD_IOC_EVENT_SIGNAL, -ENOSPC },
		{ 0, KFD_IOC_EVENT_SIGNAL, -ENOSPC },		{ KFD_SIGNAL_EVENT_LIMIT, KFD_IOC_EVENT_SIGNAL, -EINVAL },
		{ 8, KFD_IOC_EVENT_MEMORY, -EINVAL },		{ KFDM_FIRST_OTHER_EVENT + 3, KFD_IOC_EVENT_MEMORY, 0 },
		{ 9, KFD_IOC_EVENT_NODECHANGE, -EINVAL },	{ INT_MAX - 1, KFD_IOC_EVENT_HW_EXCEPTION, 0 },
		{ INT_MAX, KFD_IOC_EVENT_HW_EXCEPTION, -EINVAL },
	};
	struct kfdm_events *events = test->priv;
	struct kfdm_event state;
	int id = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct kfdm_event saved = { .id = rows[i].id, .type = rows[i].type, .signaled = true };

		KUNIT_EXPECT_EQ(test, kfdm_event_restore(events, &saved), rows[i].answer);
	}
	KUNIT_EXPECT_TRUE(test, signaled(test, 7));
	KUNIT_EXPECT_EQ(test, make(test, KFD_IOC_EVENT_SIGNAL, false), 1u);
	KUNIT_ASSERT_TRUE(test, kfdm_events_next(events, &id, &state));
	KUNIT_EXPECT_EQ(test, state.id, 1u);
	id = 2;
	KUNIT_ASSERT_TRUE(test, kfdm_events_next(events, &id, &state));
	KUNIT_EXPECT_EQ(test, id, 7);
	KUNIT_EXPECT_TRUE(test, state.signaled);
	KUNIT_EXPECT_NULL(test, kfdm_events_page_buffer(events));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(restored_events),
	KUNIT_CASE(ids),
	KUNIT_CASE(page_offsets),
	KUNIT_CASE(page_rules),
	KUNIT_CASE(as_many_as_slots),
	KUNIT_CASE_PARAM(partial_ids, partial_gen_params),
	KUNIT_CASE_PARAM(interrupts_search_nothing, partial_gen_params),
	KUNIT_CASE(interrupts_wake_no_crowd),
	KUNIT_CASE(interrupts_wait_for_no_lock),
	KUNIT_CASE(set_and_reset),
	KUNIT_CASE(auto_reset_goes_to_the_waiter),
	{}
};

static struct kunit_suite suite = { .name = "kfd_event", .init = events_setup, .exit = events_teardown, .test_cases = cases };
kunit_test_suite(suite);
