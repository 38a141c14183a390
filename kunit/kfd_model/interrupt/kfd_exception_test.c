// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_exception_test.c - which events of which process an interrupt or exception sets, and what they tell */
#include <kunit/test.h>
#include <linux/sched/signal.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/process/kfd_process.h"

enum { PASID = 0x8001, GPU_ID = 4711 };

struct fixture {
	struct kfdm_process process, other;	/* the other one does not use the device */
	struct kfdm_device dev;
	struct kfdm_process_device pdd;
	u32 signal, memory, exception;		/* events of the process */
	int saved_sigterm, puts;
};

static struct fixture *fixture;

static struct kfdm_process *fake_by_pasid(u32 pasid)
{
	return pasid == PASID ? &fixture->process : NULL;
}

static void fake_put(struct kfdm_process *p)
{
	fixture->puts++;
}

static struct kfdm_process_device *fake_pdd_by_dev(struct kfdm_process *p, const struct kfdm_device *dev)
{
	return p == &fixture->process && dev == &fixture->dev ? &fixture->pdd : NULL;
}

static void fake_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	fn(&fixture->other, data);
	fn(&fixture->process, data);
}

#define kfdm_process_by_pasid	fake_by_pasid
#define kfdm_process_put	fake_put
#define kfdm_pdd_by_dev		fake_pdd_by_dev
#define kfdm_processes_for_each	fake_for_each
#define kfdm_event_interrupt	tested_event_interrupt
#define kfdm_event_interrupt_at_once	tested_event_interrupt_at_once
#define kfdm_event_hw_exception	tested_event_hw_exception
#define kfdm_event_vm_fault	tested_event_vm_fault
#define kfdm_event_poison	tested_event_poison
#define kfdm_event_reset_all	tested_event_reset_all
#define kfdm_event_queues_reset	tested_event_queues_reset
#define kfdm_fault_of_interrupt	tested_fault_of_interrupt
#define kfdm_events_set_all	tested_events_set_all
#include "kfd_model/events/kfd_event_exception.c"
#include "kfd_model/interrupt/kfd_exception.c"

static u32 make(struct kunit *test, struct kfdm_process *p, u32 type)
{
	struct kfd_ioctl_create_event_args args = { .event_type = type };

	KUNIT_ASSERT_EQ(test, kfdm_event_create(&p->events, &args), 0);
	return args.event_id;
}

static int exception_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	fixture = f;
	f->dev.id = 1;
	f->pdd.user_gpu_id = GPU_ID;	/* what the process calls it */
	f->process.pasid = PASID;
	f->process.lead_thread = current;
	f->saved_sigterm = amdm_kfd_param.send_sigterm;
	kfdm_events_init(&f->process.events);
	kfdm_events_init(&f->other.events);
	f->signal = make(test, &f->process, KFD_IOC_EVENT_SIGNAL);
	f->memory = make(test, &f->process, KFD_IOC_EVENT_MEMORY);
	f->exception = make(test, &f->process, KFD_IOC_EVENT_HW_EXCEPTION);
	allow_signal(SIGTERM);	/* or a kernel thread would ignore it */
	allow_signal(SIGBUS);
	return 0;
}

static void exception_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	flush_signals(current);
	disallow_signal(SIGTERM);
	disallow_signal(SIGBUS);
	amdm_kfd_param.send_sigterm = f->saved_sigterm;
	kfdm_events_fini(&f->other.events);
	kfdm_events_fini(&f->process.events);
}

static struct kfdm_event *event(struct kfdm_process *p, u32 id)
{
	return idr_find(&p->events.idr, id);
}

static void expect_signaled(struct kunit *test, bool signal, bool memory, bool exception)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, event(&f->process, f->signal)->signaled, signal);
	KUNIT_EXPECT_EQ(test, event(&f->process, f->memory)->signaled, memory);
	KUNIT_EXPECT_EQ(test, event(&f->process, f->exception)->signaled, exception);
}

static void signals_by_pasid(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->process.events.page[f->signal] = 1;
	kfdm_event_interrupt(PASID + 1, f->signal, 32);
	expect_signaled(test, false, false, false);
	KUNIT_EXPECT_EQ(test, f->puts, 0);
	kfdm_event_interrupt(PASID, f->signal, 32);
	expect_signaled(test, true, false, false);
	KUNIT_EXPECT_EQ(test, f->puts, 1);
}

/* kfd_signal_hw_exception_event: all events of the type, and no process is killed */
static void a_bad_opcode(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 second = make(test, &f->process, KFD_IOC_EVENT_HW_EXCEPTION);

	amdm_kfd_param.send_sigterm = 1;
	kfdm_event_hw_exception(PASID);
	expect_signaled(test, false, false, true);
	KUNIT_EXPECT_TRUE(test, event(&f->process, second)->signaled);
	KUNIT_EXPECT_FALSE(test, signal_pending(current));
	KUNIT_EXPECT_EQ(test, f->puts, 1);
}

/* lookup_events_by_type_and_signal: without an event of the type it is SIGTERM, if the module parameter says so */
static void nobody_expects_it(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, kfdm_event_destroy(&f->process.events, f->exception), 0);
	amdm_kfd_param.send_sigterm = 0;
	kfdm_event_hw_exception(PASID);
	KUNIT_EXPECT_FALSE(test, signal_pending(current));
	amdm_kfd_param.send_sigterm = 1;
	kfdm_event_hw_exception(PASID);
	KUNIT_EXPECT_TRUE(test, sigismember(&current->pending.signal, SIGTERM) ||
				sigismember(&current->signal->shared_pending.signal, SIGTERM));
	KUNIT_EXPECT_EQ(test, f->puts, 2);
}

struct fault_row {
	const char *what;
	struct kfdm_interrupt irq;
	struct kfd_memory_exception_failure failure;
};

/* kfd_signal_vm_fault_event: NotPresent is prot_valid, ReadOnly is prot_write, imprecise without information */
static const struct fault_row fault_rows[] = {
	{ "not present", { .page = 0x7f1234567, .prot_valid = true }, { .NotPresent = 1 } },
	{ "read-only",   { .page = 0x7f1234567, .prot_write = true }, { .ReadOnly = 1 } },
	{ "both",        { .page = 0x7f1234567, .prot_valid = true, .prot_write = true }, { .NotPresent = 1, .ReadOnly = 1 } },
	{ "read only by name", { .page = 1, .prot_read = true }, {} },
	{ "unknown",     { .fault = KFDM_FAULT_UNKNOWN }, { .imprecise = 1 } },
};

static void fault_name(const struct fault_row *row, char *text)
{
	strscpy(text, row->what, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fault, fault_rows, fault_name);

static void vm_faults(struct kunit *test)
{
	const struct fault_row *row = test->param_value;
	struct fixture *f = test->priv;
	struct kfdm_interrupt irq = row->irq;
	struct kfdm_event *ev = event(&f->process, f->memory);

	irq.pasid = PASID;
	kfdm_event_vm_fault(&f->dev, &irq);
	expect_signaled(test, false, true, false);
	KUNIT_EXPECT_EQ(test, memcmp(&ev->memory.failure, &row->failure, sizeof(row->failure)), 0);
	KUNIT_EXPECT_EQ(test, (u64)ev->memory.va, irq.page * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ev->memory.gpu_id, (u32)GPU_ID);
	KUNIT_EXPECT_EQ(test, ev->memory.ErrorType, 0u);
	KUNIT_EXPECT_EQ(test, f->puts, 1);
}

/* kfd_signal_poison_consumed_event: both kinds of events, and SIGBUS */
static void poison(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_event *memory = event(&f->process, f->memory), *exception = event(&f->process, f->exception);

	kfdm_event_poison(&f->dev, &f->process);
	expect_signaled(test, false, true, true);
	KUNIT_EXPECT_EQ(test, memory->memory.ErrorType, (u32)KFD_MEM_ERR_POISON_CONSUMED);
	KUNIT_EXPECT_EQ(test, memory->memory.failure.imprecise, 1u);
	KUNIT_EXPECT_EQ(test, memory->memory.gpu_id, (u32)GPU_ID);
	KUNIT_EXPECT_EQ(test, exception->hw.reset_cause, (u32)KFD_HW_EXCEPTION_ECC);
	KUNIT_EXPECT_EQ(test, exception->hw.memory_lost, 1u);
	KUNIT_EXPECT_EQ(test, exception->hw.gpu_id, (u32)GPU_ID);
	KUNIT_EXPECT_TRUE(test, sigismember(&current->pending.signal, SIGBUS) ||
				sigismember(&current->signal->shared_pending.signal, SIGBUS));
}

/* kfd_signal_reset_event: exceptions of those who use the device; memory events are for ECC errors alone */
static void a_reset(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 others = make(test, &f->other, KFD_IOC_EVENT_HW_EXCEPTION);
	struct kfdm_event *exception = event(&f->process, f->exception);

	kfdm_event_reset_all(&f->dev);
	expect_signaled(test, false, false, true);
	KUNIT_EXPECT_EQ(test, exception->hw.reset_type, (u32)KFD_HW_EXCEPTION_WHOLE_GPU_RESET);
	KUNIT_EXPECT_EQ(test, exception->hw.reset_cause, (u32)KFD_HW_EXCEPTION_GPU_HANG);
	KUNIT_EXPECT_EQ(test, exception->hw.memory_lost, 1u);
	KUNIT_EXPECT_EQ(test, exception->hw.gpu_id, (u32)GPU_ID);
	KUNIT_EXPECT_FALSE(test, event(&f->other, others)->signaled);
}

/* Only processes that have lost queues are told. */
static void a_reset_of_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_event_queues_reset(&f->dev);
	expect_signaled(test, false, false, false);
	f->pdd.qpd.has_reset_queue = true;
	kfdm_event_queues_reset(&f->dev);
	expect_signaled(test, false, false, true);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(signals_by_pasid),
	KUNIT_CASE(a_bad_opcode),
	KUNIT_CASE(nobody_expects_it),
	KUNIT_CASE_PARAM(vm_faults, fault_gen_params),
	KUNIT_CASE(poison),
	KUNIT_CASE(a_reset),
	KUNIT_CASE(a_reset_of_queues),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_exception", .init = exception_setup, .exit = exception_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
