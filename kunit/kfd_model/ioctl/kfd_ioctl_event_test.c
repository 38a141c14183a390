// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_event_test.c - event ioctls: whose buffer becomes the signal page, which errno for which mistake (Linux: kfd_events.c) */
#include "kunit/kfd_model/fake_memory.h"
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/events/kfd_event.c"
#include "kfd_model/events/kfd_event_create.c"
#include "kfd_model/ioctl/kfd_ioctl_event.c"

#define PAGE_HANDLE	((u64)GPU_0 << 32 | 7)

static struct kfdm_bo page;
static const struct kfd_ioctl_wait_events_args *waited_for;

struct kfdm_bo *kfdm_bo_find(struct kfdm_process *p, u64 handle, struct kfdm_process_device **pdd)
{
	/* The buffer must not be freed while it becomes the page. */
	lockdep_assert_held(&p->mutex);
	*pdd = NULL;
	return handle == PAGE_HANDLE ? &page : NULL;
}

int kfdm_events_wait(struct kfdm_events *events, struct kfd_ioctl_wait_events_args *args)
{
	waited_for = args;
	return -EIO;
}

static const struct kfd2kgd_ops fake_kgd = { FAKE_MEMORY_OPS };

static int ioctl_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake_memory, 0, sizeof(fake_memory));
	memset(&page, 0, sizeof(page));
	page.mem = kzalloc(sizeof(*page.mem), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, page.mem);
	page.mem->size = PAGE_BYTES;
	waited_for = NULL;
	kfdm_events_init(&f->p.events);
	return 0;
}

static void ioctl_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_events_release_page(&f->p.events);
	KUNIT_EXPECT_EQ(test, fake_memory.kmaps, 0);
	kfdm_events_fini(&f->p.events);
	kfree(page.mem);
	process_fixture_put(test);
}

static int create(struct kunit *test, u32 type, u64 page_handle, u32 *id)
{
	struct kfd_ioctl_create_event_args args = { .event_type = type, .event_page_offset = page_handle };
	struct process_fixture *f = test->priv;
	int ret = kfdm_ioctl_create_event(&f->p, &args);

	if (!ret)
		KUNIT_EXPECT_EQ(test, args.event_trigger_data, args.event_id);	/* what a shader sends */
	*id = args.event_id;
	return ret;
}

static void the_page_comes_once(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE + 1, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 1u);
	KUNIT_EXPECT_TRUE(test, page.is_event_page);
	KUNIT_EXPECT_PTR_EQ(test, (void *)f->p.events.page, (void *)page.mem->cpu);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE + 1, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, 0, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 2u);
	KUNIT_EXPECT_EQ(test, fake_memory.kmaps, 1);
}

static void a_page_that_does_not_do(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	page.mem->size = PAGE_BYTES - 1;
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &id), -EINVAL);
	page.mem->size = PAGE_BYTES;
	fake_memory.kmap_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &id), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, page.is_event_page);
	KUNIT_EXPECT_NULL(test, f->p.events.page);
	KUNIT_EXPECT_TRUE(test, idr_is_empty(&f->p.events.idr));	/* no event without its page */
	fake_memory.kmap_error = 0;
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &id), 0);
}

static void set_and_reset_want_a_signal_event(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_set_event_args set = {};
	struct kfd_ioctl_reset_event_args reset = {};
	u32 signal, memory;

	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &signal), 0);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_MEMORY, 0, &memory), 0);
	KUNIT_EXPECT_EQ(test, memory, (u32)KFDM_FIRST_OTHER_EVENT);
	set.event_id = signal;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_event(&f->p, &set), 0);
	KUNIT_EXPECT_TRUE(test, ((struct kfdm_event *)idr_find(&f->p.events.idr, signal))->signaled);
	reset.event_id = signal;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_reset_event(&f->p, &reset), 0);
	KUNIT_EXPECT_FALSE(test, ((struct kfdm_event *)idr_find(&f->p.events.idr, signal))->signaled);
	set.event_id = memory;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_event(&f->p, &set), -EINVAL);
	reset.event_id = memory;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_reset_event(&f->p, &reset), -EINVAL);
	set.event_id = signal + 1;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_event(&f->p, &set), -EINVAL);
	reset.event_id = 0;	/* reserved */
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_reset_event(&f->p, &reset), -EINVAL);
}

static void destroyed_once(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_destroy_event_args destroy = {};

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_event(&f->p, &destroy), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_HW_EXCEPTION, 0, &destroy.event_id), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_event(&f->p, &destroy), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_event(&f->p, &destroy), -EINVAL);
}

/* The page's buffer can be freed only when the process is gone: freed earlier, it would be memory that the GPU still writes. */
static void the_page_stays_with_its_last_event_gone(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_destroy_event_args destroy = {};

	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &destroy.event_id), 0);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_event(&f->p, &destroy), 0);
	KUNIT_EXPECT_TRUE(test, page.is_event_page);
	KUNIT_EXPECT_EQ(test, create(test, KFD_IOC_EVENT_SIGNAL, PAGE_HANDLE, &destroy.event_id), -EINVAL);
}

static void waiting_is_passed_on(struct kunit *test)
{
	struct kfd_ioctl_wait_events_args args = {};
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_wait_events(&f->p, &args), -EIO);
	KUNIT_EXPECT_PTR_EQ(test, waited_for, (const struct kfd_ioctl_wait_events_args *)&args);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_page_comes_once),
	KUNIT_CASE(a_page_that_does_not_do),
	KUNIT_CASE(set_and_reset_want_a_signal_event),
	KUNIT_CASE(destroyed_once),
	KUNIT_CASE(the_page_stays_with_its_last_event_gone),
	KUNIT_CASE(waiting_is_passed_on),
	{}
};

static struct kunit_suite suite = { .name = "kfd_ioctl_event", .init = ioctl_setup, .exit = ioctl_teardown, .test_cases = cases };
kunit_test_suite(suite);
