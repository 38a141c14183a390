// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_event_wait_test.c - WAIT_EVENTS: what ends it, what it consumes, what it returns to user space */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>

#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"

#define kfdm_events_wait tested_events_wait
#include "kfd_model/events/kfd_event_wait.c"

/* Something that happens while the thread waits. */
struct meanwhile {
	struct delayed_work work;
	struct kfdm_events *events;
	struct task_struct *waiter;
	u32 set, destroy;	/* events */
	u32 sets;		/* how many times, 0: once */
	bool signal;
};

struct fixture {
	struct kfdm_events events;
	struct kfd_ioctl_wait_events_args args;
	struct meanwhile meanwhile;
};

static int wait_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	kfdm_events_init(&f->events);
	return 0;
}

static void wait_teardown(struct kunit *test)
{
	kfdm_events_fini(&((struct fixture *)test->priv)->events);
}

static u32 make(struct kunit *test, u32 type, bool auto_reset)
{
	struct kfd_ioctl_create_event_args args = { .event_type = type, .auto_reset = auto_reset };

	KUNIT_ASSERT_EQ(test, kfdm_event_create(&((struct fixture *)test->priv)->events, &args), 0);
	return args.event_id;
}

static struct kfdm_event *event(struct kunit *test, u32 id)
{
	return idr_find(&((struct fixture *)test->priv)->events.idr, id);
}

static void meanwhile(struct work_struct *work)
{
	struct meanwhile *m = container_of(to_delayed_work(work), struct meanwhile, work);

	do {
		if (m->set)
			kfdm_event_set(m->events, m->set);
	} while (m->sets && --m->sets);
	if (m->destroy)
		kfdm_event_destroy(m->events, m->destroy);
	if (m->signal)
		send_sig(SIGUSR1, m->waiter, 0);
}

/* Waits for one event or two (@b not 0), at most @timeout ms. */
static int wait_for(struct kunit *test, u32 a, u32 b, bool all, u32 timeout)
{
	const struct kfd_event_data data[2] = { { .event_id = a }, { .event_id = b } };
	struct fixture *f = test->priv;
	int ret;

	KUNIT_ASSERT_TRUE(test, user_write(data, sizeof(data)));
	f->args = (struct kfd_ioctl_wait_events_args){
		.events_ptr = user_page, .num_events = b ? 2 : 1, .wait_for_all = all, .timeout = timeout, .wait_result = 77,
	};
	kthread_use_mm(user_mm);
	ret = kfdm_events_wait(&f->events, &f->args);
	kthread_unuse_mm(user_mm);
	return ret;
}

static void later(struct kunit *test, u32 set, u32 destroy, bool signal)
{
	struct fixture *f = test->priv;

	f->meanwhile.events = &f->events;
	f->meanwhile.waiter = current;
	f->meanwhile.set = set;
	f->meanwhile.destroy = destroy;
	f->meanwhile.signal = signal;
	INIT_DELAYED_WORK(&f->meanwhile.work, meanwhile);
	schedule_delayed_work(&f->meanwhile.work, msecs_to_jiffies(20));
}

static void what_is_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, false);

	KUNIT_EXPECT_EQ(test, wait_for(test, id, id + 1, false, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_FAIL);
	KUNIT_EXPECT_TRUE(test, list_empty(&event(test, id)->waiters));
	f->args = (struct kfd_ioctl_wait_events_args){ .events_ptr = ~0ULL << 12, .num_events = 1 };
	KUNIT_EXPECT_EQ(test, kfdm_events_wait(&f->events, &f->args), -EFAULT);
	f->args.num_events = KFDM_MAX_WAIT_EVENTS + 1;
	KUNIT_EXPECT_EQ(test, kfdm_events_wait(&f->events, &f->args), -ENOMEM);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_FAIL);
}

static void nothing_has_happened(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, false);
	unsigned long start = jiffies;

	KUNIT_EXPECT_EQ(test, wait_for(test, id, 0, false, 0), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
	KUNIT_EXPECT_EQ(test, wait_for(test, id, 0, false, 30), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
	KUNIT_EXPECT_GE(test, jiffies_to_msecs(jiffies - start), 30u);
	KUNIT_EXPECT_TRUE(test, list_empty(&event(test, id)->waiters));
}

/* kfd_wait_on_events: an event stays signaled unless it resets itself */
static void it_has_happened_before(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 manual = make(test, KFD_IOC_EVENT_SIGNAL, false), automatic = make(test, KFD_IOC_EVENT_SIGNAL, true);

	kfdm_event_set(&f->events, manual);
	kfdm_event_set(&f->events, automatic);
	KUNIT_EXPECT_EQ(test, wait_for(test, manual, automatic, true, 0), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_TRUE(test, event(test, manual)->signaled);
	KUNIT_EXPECT_FALSE(test, event(test, automatic)->signaled);
}

static void one_or_all(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 a = make(test, KFD_IOC_EVENT_SIGNAL, false), b = make(test, KFD_IOC_EVENT_SIGNAL, false);

	kfdm_event_set(&f->events, b);
	KUNIT_EXPECT_EQ(test, wait_for(test, a, b, false, 0), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(test, wait_for(test, a, b, true, 0), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
}

static void it_happens_while_waiting(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, true);

	later(test, id, 0, false);
	KUNIT_EXPECT_EQ(test, wait_for(test, id, 0, true, 10000), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	flush_delayed_work(&f->meanwhile.work);
	KUNIT_EXPECT_FALSE(test, event(test, id)->signaled);	/* the waiter took it */
}

/* Each signal is for one wait: two that come while a thread waits for a second event leave one for the next wait. */
static void signals_are_not_lost(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 twice = make(test, KFD_IOC_EVENT_SIGNAL, true), never = make(test, KFD_IOC_EVENT_SIGNAL, false);

	f->meanwhile.sets = 2;
	later(test, twice, 0, false);
	KUNIT_EXPECT_EQ(test, wait_for(test, twice, never, true, 100), 0);
	flush_delayed_work(&f->meanwhile.work);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
	KUNIT_EXPECT_TRUE(test, event(test, twice)->signaled);
}

/* The same if it had happened before the wait began */
static void signals_before_count_too(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 twice = make(test, KFD_IOC_EVENT_SIGNAL, true), never = make(test, KFD_IOC_EVENT_SIGNAL, false);

	kfdm_event_set(&f->events, twice);
	later(test, twice, 0, false);
	KUNIT_EXPECT_EQ(test, wait_for(test, twice, never, true, 100), 0);
	flush_delayed_work(&f->meanwhile.work);
	KUNIT_EXPECT_TRUE(test, event(test, twice)->signaled);
}

/* A thread waits for @a and @b, of which one happens and one is destroyed before the thread runs again. */
static int happens_and_goes(struct kunit *test, u32 a, u32 b, bool all, u32 set, u32 destroy)
{
	struct fixture *f = test->priv;
	struct kfd_event_data data[2] = { { .event_id = a }, { .event_id = b } };
	struct kfdm_waiter waiters[2] = {};
	struct wait wait = { .events = &f->events, .waiters = waiters, .data = data, .n = 2, .all = all };
	int ret;

	KUNIT_EXPECT_EQ(test, wait_register(&wait), 0);
	KUNIT_EXPECT_EQ(test, kfdm_event_destroy(&f->events, destroy), 0);
	KUNIT_EXPECT_EQ(test, kfdm_event_set(&f->events, set), 0);
	f->args = (struct kfd_ioctl_wait_events_args){};
	ret = wait_sleep(&wait, &f->args);
	if (!ret && f->args.wait_result == KFD_IOC_WAIT_RESULT_COMPLETE)
		ret = wait_report(&wait, &f->args);
	wait_unregister(&wait, false);
	return ret;
}

/* A waiter that has been woken does not fail when its event is destroyed. */
static void destroyed_after_it_happened(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 a = make(test, KFD_IOC_EVENT_SIGNAL, true), b = make(test, KFD_IOC_EVENT_SIGNAL, false);

	kfdm_event_set(&f->events, a);
	KUNIT_EXPECT_EQ(test, happens_and_goes(test, a, b, true, b, a), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
}

/* copy_signaled_event_data: one would have been enough, but the other was destroyed before it happened */
static void another_destroyed(struct kunit *test)
{
	u32 a = make(test, KFD_IOC_EVENT_SIGNAL, false), b = make(test, KFD_IOC_EVENT_SIGNAL, false);

	KUNIT_EXPECT_EQ(test, happens_and_goes(test, a, b, false, a, b), -EINVAL);
}

/* kfd_wait_on_events gives back what it consumed for a signal only. */
static void a_wrong_id_consumes(struct kunit *test)
{
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, true);

	kfdm_event_set(&((struct fixture *)test->priv)->events, id);
	KUNIT_EXPECT_EQ(test, wait_for(test, id, id + 1, false, 0), -EINVAL);
	KUNIT_EXPECT_FALSE(test, event(test, id)->signaled);
}

/* kfd_event_destroy wakes the waiters, who find no event: -EIO */
static void destroyed_while_waiting(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, false);

	later(test, 0, id, false);
	KUNIT_EXPECT_EQ(test, wait_for(test, id, 0, false, 10000), -EIO);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_FAIL);
	flush_delayed_work(&f->meanwhile.work);
}

/* -ERESTARTSYS with the rest of the time, and a consumed event comes back: the call is made again. */
static void a_signal_comes(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 automatic = make(test, KFD_IOC_EVENT_SIGNAL, true), never = make(test, KFD_IOC_EVENT_SIGNAL, false);

	allow_signal(SIGUSR1);
	kfdm_event_set(&f->events, automatic);
	later(test, 0, 0, true);
	KUNIT_EXPECT_EQ(test, wait_for(test, automatic, never, true, 10000), -ERESTARTSYS);
	flush_delayed_work(&f->meanwhile.work);
	flush_signals(current);
	disallow_signal(SIGUSR1);
	KUNIT_EXPECT_LT(test, f->args.timeout, 10000u);
	KUNIT_EXPECT_GT(test, f->args.timeout, 0u);
	KUNIT_EXPECT_TRUE(test, event(test, automatic)->signaled);
}

/* copy_signaled_event_data: data of memory exceptions is copied, nothing else is written. */
static void memory_exceptions_carry_data(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 memory = make(test, KFD_IOC_EVENT_MEMORY, false), other = make(test, KFD_IOC_EVENT_HW_EXCEPTION, false);
	struct kfd_event_data data[2] = {};

	event(test, memory)->memory.va = 0x7f1234567000;
	event(test, memory)->memory.gpu_id = 4711;
	event(test, memory)->signaled = true;
	event(test, other)->hw.memory_lost = 1;
	event(test, other)->signaled = true;
	KUNIT_EXPECT_EQ(test, wait_for(test, memory, other, true, 0), 0);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_ASSERT_TRUE(test, user_read(data, sizeof(data)));
	KUNIT_EXPECT_EQ(test, (u64)data[0].memory_exception_data.va, 0x7f1234567000ULL);
	KUNIT_EXPECT_EQ(test, data[0].memory_exception_data.gpu_id, 4711u);
	KUNIT_EXPECT_EQ(test, data[0].event_id, memory);
	KUNIT_EXPECT_NULL(test, memchr_inv(&data[1].hw_exception_data, 0, sizeof(data[1].hw_exception_data)));
}

/* One wait for @id, whose age the thread knows as @known. Return: the age that it knows then. */
static u64 wait_with_age(struct kunit *test, u32 id, u64 known)
{
	struct fixture *f = test->priv;
	struct kfd_event_data data = { .event_id = id, .signal_event_data.last_event_age = known };

	KUNIT_ASSERT_TRUE(test, user_write(&data, sizeof(data)));
	f->args = (struct kfd_ioctl_wait_events_args){ .events_ptr = user_page, .num_events = 1 };
	kthread_use_mm(user_mm);
	KUNIT_EXPECT_EQ(test, kfdm_events_wait(&f->events, &f->args), 0);
	kthread_unuse_mm(user_mm);
	KUNIT_ASSERT_TRUE(test, user_read(&data, sizeof(data)));
	return data.signal_event_data.last_event_age;
}

/* 7.2's init_event_waiter and set_event: what another wait has consumed is not missed; 0 does not ask */
static void ages_are_counted(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, true);

	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, 1), 1ULL);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
	kfdm_event_set(&f->events, id);
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_TIMEOUT);
	event(test, id)->age = ~0ULL;
	kfdm_event_set(&f->events, id);
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, ~0ULL), 2ULL);
	kfdm_abi = &kfdm_abi_6_1;
	KUNIT_EXPECT_EQ(test, wait_with_age(test, id, 77), 77ULL);
}

/* 7.2's copy_signaled_event_data */
static void hw_exceptions_carry_data(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_HW_EXCEPTION, false);
	struct kfd_event_data data = {};

	event(test, id)->hw.memory_lost = 1;
	event(test, id)->signaled = true;
	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, wait_for(test, id, 0, true, 0), 0);
	kfdm_abi = &kfdm_abi_6_1;
	KUNIT_EXPECT_EQ(test, f->args.wait_result, (u32)KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_ASSERT_TRUE(test, user_read(&data, sizeof(data)));
	KUNIT_EXPECT_EQ(test, data.hw_exception_data.memory_lost, 1u);
	KUNIT_EXPECT_EQ(test, data.event_id, id);
}

static void without_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 id = make(test, KFD_IOC_EVENT_SIGNAL, false), n, failed = 0;
	bool used;
	int ret;

	FAIL_NTH_NEEDED(test);
	kfdm_event_set(&f->events, id);
	wait_for(test, id, 0, false, 0);
	for (n = 1, used = true; used; n++) {
		kthread_use_mm(user_mm);
		fail_nth_arm(n);
		ret = kfdm_events_wait(&f->events, &f->args);
		used = fail_nth_disarm();
		kthread_unuse_mm(user_mm);
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		KUNIT_EXPECT_TRUE(test, list_empty(&event(test, id)->waiters));
		failed += !!ret;
	}
	KUNIT_EXPECT_EQ(test, ret, 0);
	kunit_info(test, "%u refusals", failed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_is_refused),
	KUNIT_CASE(nothing_has_happened),
	KUNIT_CASE(it_has_happened_before),
	KUNIT_CASE(one_or_all),
	KUNIT_CASE(it_happens_while_waiting),
	KUNIT_CASE(signals_are_not_lost),
	KUNIT_CASE(signals_before_count_too),
	KUNIT_CASE(destroyed_after_it_happened),
	KUNIT_CASE(another_destroyed),
	KUNIT_CASE(a_wrong_id_consumes),
	KUNIT_CASE(destroyed_while_waiting),
	KUNIT_CASE(a_signal_comes),
	KUNIT_CASE(memory_exceptions_carry_data),
	KUNIT_CASE(ages_are_counted),
	KUNIT_CASE(hw_exceptions_carry_data),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_event_wait", .suite_init = user_memory_init, .suite_exit = user_memory_exit,
	.init = wait_setup, .exit = wait_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
