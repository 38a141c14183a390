// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_interrupt_test.c - from the hard interrupt through the FIFO to events, SMI streams and the scheduler */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>

#include "kunit/fail_nth.h"
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/events/kfd_smi.h"

enum { PASID = 0x8001 };

static struct {
	struct kfdm_interrupt_filter filter;
	struct kfdm_interrupt irq;	/* what each entry decodes to; events take their id from the entry */
	u32 entries, signals, last_id, exceptions, faults, smi_faults, poisons, resets, evictions, puts;
	struct kfdm_interrupt fault;
	struct kgd_fault_info registers;
	int evict_answer;
	struct kfdm_process *process;
	u32 wave_exceptions, debug_faults, doorbell_id;
	u64 trap_code;
	bool debugged;			/* a debugger takes exceptions */
	bool unknown;			/* at once, no event is found */
	bool gated;			/* the next entry waits for @gate */
	struct completion gate;
} seen;

static bool fake_wanted(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	seen.filter = *filter;
	patched[3] = PASID;
	return entry[0] != ~0u;
}

static void fake_decode(const u32 *entry, struct kfdm_interrupt *irq)
{
	*irq = seen.irq;
	irq->event_id = entry[1];
	irq->pasid = entry[3];
	seen.entries++;
	if (current_work() && xchg(&seen.gated, false))
		wait_for_completion(&seen.gate);
}

static void fake_event_interrupt(u32 pasid, u32 partial_id, u32 bits)
{
	seen.signals += pasid == PASID;
	seen.last_id = partial_id;
}

static bool fake_event_interrupt_at_once(u32 pasid, u32 partial_id, u32 bits)
{
	if (!seen.unknown)
		fake_event_interrupt(pasid, partial_id, bits);
	return !seen.unknown;
}

static void fake_event_hw_exception(u32 pasid)
{
	seen.exceptions += pasid == PASID;
}

static void fake_event_vm_fault(struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	seen.faults++;
	seen.fault = *irq;
}

static struct kfd_hsa_memory_exception_data fake_fault_of_interrupt(const struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	return (struct kfd_hsa_memory_exception_data){ .va = irq->page };
}

static bool fake_wave_exception(struct kfdm_device *dev, u32 pasid, u32 doorbell_id, u64 exceptions)
{
	seen.wave_exceptions += pasid == PASID;
	seen.doorbell_id = doorbell_id;
	seen.trap_code = exceptions;
	return seen.debugged;
}

static bool fake_debug_vm_fault(struct kfdm_device *dev, u32 pasid, const struct kfd_hsa_memory_exception_data *fault)
{
	seen.debug_faults += pasid == PASID;
	return seen.debugged;
}

static void fake_event_poison(struct kfdm_device *dev, struct kfdm_process *p)
{
	seen.poisons += p == seen.process;
}

static struct kfdm_process *fake_by_pasid(u32 pasid)
{
	return pasid == PASID ? seen.process : NULL;
}

static void fake_put(struct kfdm_process *p)
{
	seen.puts++;
}

static int fake_evict_pasid(struct kfdm_device *dev, u32 pasid)
{
	seen.evictions++;
	return seen.evict_answer;
}

static void fake_smi_vm_fault(struct kfdm_device *dev, const struct kfdm_process *p)
{
	seen.smi_faults += p == seen.process;
}

static void fake_gpu_reset(struct amdm_device *adev)
{
	seen.resets++;
}

static void fake_fault_info(struct amdm_device *adev, struct kgd_fault_info *info)
{
	*info = seen.registers;
}

static const struct kfd2kgd_ops fake_kgd = { .gpu_reset = fake_gpu_reset, .vm_fault_info = fake_fault_info };

#define kfdm_event_interrupt	fake_event_interrupt
#define kfdm_event_interrupt_at_once	fake_event_interrupt_at_once
#define kfdm_event_hw_exception	fake_event_hw_exception
#define kfdm_event_vm_fault	fake_event_vm_fault
#define kfdm_fault_of_interrupt	fake_fault_of_interrupt
#define kfdm_debug_wave_exception	fake_wave_exception
#define kfdm_debug_vm_fault	fake_debug_vm_fault
#define kfdm_event_poison	fake_event_poison
#define kfdm_process_by_pasid	fake_by_pasid
#define kfdm_process_put	fake_put
#define kfdm_evict_pasid	fake_evict_pasid
#define kfdm_smi_vm_fault	fake_smi_vm_fault
#define kfdm_interrupts_init	tested_interrupts_init
#define kfdm_interrupts_fini	tested_interrupts_fini
#define kfdm_interrupt(...)	tested_interrupt(__VA_ARGS__)	/* there is a struct of that name, too */
#include "kfd_model/interrupt/kfd_interrupt.c"

static const struct kfdm_interrupt_ops ops = { .entry_dwords = 4, .wanted = fake_wanted, .decode = fake_decode };
static const struct kfdm_chip chip = { .eop_id_mec_fw = 0x17a, .interrupts = &ops };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process process;
};

static int interrupt_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&seen, 0, sizeof(seen));
	seen.process = &f->process;
	f->dev.chip = &chip;
	f->dev.dqm = &f->dqm;
	f->dev.first_vmid = 8;
	f->dev.last_vmid = 15;
	f->dev.facts.mec_fw = 0x17a;
	return kfdm_interrupts_init(&f->dev);
}

static void interrupt_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (f->dev.interrupts.active)
		kfdm_interrupts_fini(&f->dev);
	kfdm_kgd = f->saved;
}

static void raise(struct fixture *f, u32 id)
{
	const u32 entry[4] = { 1, id };

	kfdm_interrupt(&f->dev, entry);
	flush_workqueue(f->dev.interrupts.wq);
}

static void a_signal(struct kunit *test)
{
	struct fixture *f = test->priv;

	seen.irq.kind = KFDM_IRQ_SIGNAL;
	f->dqm.sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	raise(f, 77);
	KUNIT_EXPECT_EQ(test, seen.signals, 1u);	/* with the PASID that the filter has added */
	KUNIT_EXPECT_EQ(test, seen.last_id, 77u);
	KUNIT_EXPECT_EQ(test, seen.filter.first_vmid, 8u);
	KUNIT_EXPECT_EQ(test, seen.filter.last_vmid, 15u);
	KUNIT_EXPECT_TRUE(test, seen.filter.tells_event_id);
	KUNIT_EXPECT_TRUE(test, seen.filter.no_hws);
	KUNIT_EXPECT_TRUE(test, seen.filter.fault_owner == NULL);
}

static void kinds_go_their_ways(struct kunit *test)
{
	struct fixture *f = test->priv;

	seen.irq.kind = KFDM_IRQ_HW_EXCEPTION;
	raise(f, 0);
	KUNIT_EXPECT_EQ(test, seen.exceptions, 1u);
	seen.irq.kind = KFDM_IRQ_NOTHING;
	raise(f, 0);
	KUNIT_EXPECT_EQ(test, seen.entries, 4u);	/* each once in the interrupt, once in the worker */
	KUNIT_EXPECT_EQ(test, seen.exceptions + seen.signals + seen.faults + seen.poisons + seen.evictions, 1u);
}

static void what_is_not_wanted_is_not_queued(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 entry[4] = { ~0u };

	kfdm_interrupt(&f->dev, entry);
	KUNIT_EXPECT_TRUE(test, kfifo_is_empty(&f->dev.interrupts.fifo));
	flush_workqueue(f->dev.interrupts.wq);
	KUNIT_EXPECT_EQ(test, seen.entries, 0u);
}

/* enqueue_ih_ring_entry: what has no room is dropped, what is in the FIFO stays in order. */
static void a_full_fifo(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, entry[4] = { 1 };

	seen.irq = (struct kfdm_interrupt){ .kind = KFDM_IRQ_HW_EXCEPTION };
	init_completion(&seen.gate);
	seen.gated = true;
	kfdm_interrupt(&f->dev, entry);
	while (READ_ONCE(seen.gated))		/* the worker has taken it, and waits */
		usleep_range(100, 200);
	seen.irq.kind = KFDM_IRQ_SIGNAL;
	for (i = 1; i < KFDM_IH_FIFO_ENTRIES + 5; i++) {
		entry[1] = i;
		kfdm_interrupt(&f->dev, entry);
	}
	KUNIT_EXPECT_TRUE(test, kfifo_is_full(&f->dev.interrupts.fifo));
	complete(&seen.gate);
	drain_workqueue(f->dev.interrupts.wq);
	KUNIT_EXPECT_EQ(test, seen.exceptions, 1u);
	KUNIT_EXPECT_EQ(test, seen.signals, (u32)KFDM_IH_FIFO_ENTRIES);
	KUNIT_EXPECT_EQ(test, seen.last_id, (u32)KFDM_IH_FIFO_ENTRIES);
	entry[1] = 3;
	kfdm_interrupt(&f->dev, entry);		/* the dropped entry does not block later ones */
	KUNIT_EXPECT_EQ(test, seen.last_id, 3u);
}

static void a_signal_alone_is_delivered_at_once(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 entry[4] = { 1, 9 };

	seen.irq.kind = KFDM_IRQ_SIGNAL;
	kfdm_interrupt(&f->dev, entry);
	KUNIT_EXPECT_EQ(test, seen.last_id, 9u);
	KUNIT_EXPECT_TRUE(test, kfifo_is_empty(&f->dev.interrupts.fifo));
	KUNIT_EXPECT_FALSE(test, work_pending(&f->dev.interrupts.work));
}

/* With interrupts disabled no process is looked up. Later entries stay behind this one. */
static void a_search_is_the_worker_s(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 entry[4] = { 1, 9 }, next[4] = { 1, 10 };

	seen.irq.kind = KFDM_IRQ_SIGNAL;
	seen.unknown = true;
	init_completion(&seen.gate);
	seen.gated = true;
	kfdm_interrupt(&f->dev, entry);
	KUNIT_EXPECT_EQ(test, seen.signals, 0u);
	while (READ_ONCE(seen.gated))
		usleep_range(100, 200);
	seen.unknown = false;
	kfdm_interrupt(&f->dev, next);
	KUNIT_EXPECT_EQ(test, seen.signals, 0u);
	complete(&seen.gate);
	flush_workqueue(f->dev.interrupts.wq);
	KUNIT_EXPECT_EQ(test, seen.signals, 2u);
	KUNIT_EXPECT_EQ(test, seen.last_id, 10u);
}

/* The worker has taken the exception out of the FIFO and is not done with it. */
static void a_signal_waits_for_what_came_before(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 exception[4] = { 1 }, entry[4] = { 1, 9 };

	seen.irq.kind = KFDM_IRQ_HW_EXCEPTION;
	init_completion(&seen.gate);
	seen.gated = true;
	kfdm_interrupt(&f->dev, exception);
	while (READ_ONCE(seen.gated))
		usleep_range(100, 200);
	seen.irq.kind = KFDM_IRQ_SIGNAL;
	kfdm_interrupt(&f->dev, entry);
	KUNIT_EXPECT_EQ(test, seen.exceptions + seen.signals, 0u);
	complete(&seen.gate);
	flush_workqueue(f->dev.interrupts.wq);
	KUNIT_EXPECT_EQ(test, seen.exceptions, 1u);
	KUNIT_EXPECT_EQ(test, seen.last_id, 9u);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->dev.interrupts.queued), 0);
}

/* What a wave's error says is for the log, too: the worker writes it. */
static void an_error_of_a_wave_is_queued(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 entry[4] = { 1, 9 };

	seen.irq = (struct kfdm_interrupt){ .kind = KFDM_IRQ_SIGNAL, .is_sq_error = true };
	kfdm_interrupt(&f->dev, entry);
	flush_workqueue(f->dev.interrupts.wq);
	KUNIT_EXPECT_EQ(test, seen.signals, 1u);
	KUNIT_EXPECT_EQ(test, seen.entries, 2u);	/* once in the interrupt, once in the worker */
}

/* kfd_interrupt_exit: what has come is handled, what comes later is not taken. */
static void the_end(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u32 entry[4] = { 1, 5 };

	seen.irq.kind = KFDM_IRQ_HW_EXCEPTION;
	kfdm_interrupt(&f->dev, entry);
	kfdm_interrupts_fini(&f->dev);
	KUNIT_EXPECT_EQ(test, seen.exceptions, 1u);
	kfdm_interrupt(&f->dev, entry);		/* would write into memory that is gone */
	KUNIT_EXPECT_EQ(test, seen.exceptions, 1u);
}

static void vm_fault(struct kunit *test, enum kfdm_fault_details what, bool prot_valid, u32 evictions, u32 faults)
{
	struct fixture *f = test->priv;

	seen.irq = (struct kfdm_interrupt){ .kind = KFDM_IRQ_VM_FAULT, .fault = what, .vmid = 8, .page = 0x1234 };
	seen.registers = (struct kgd_fault_info){ .page = 0x77000, .vmid = 8, .status = 1, .prot_valid = prot_valid };
	raise(f, 0);
	KUNIT_EXPECT_EQ(test, seen.smi_faults, 1u);
	KUNIT_EXPECT_EQ(test, seen.evictions, evictions);
	KUNIT_EXPECT_EQ(test, seen.faults, faults);
}

/* kfd_process_vm_fault before kfd_signal_vm_fault_event (event_interrupt_wq_v9) */
static void a_vm_fault_evicts(struct kunit *test)
{
	vm_fault(test, KFDM_FAULT_IN_ENTRY, false, 1, 1);
	KUNIT_EXPECT_EQ(test, seen.fault.page, 0x1234ULL);
}

static void a_vm_fault_for_the_log(struct kunit *test)
{
	vm_fault(test, KFDM_FAULT_FOR_LOG_ONLY, false, 0, 0);
}

/* cik_event_interrupt_wq: what amdgpu has read from the registers, if it is about this fault */
static void a_vm_fault_in_registers(struct kunit *test)
{
	vm_fault(test, KFDM_FAULT_IN_REGISTERS, true, 1, 1);
	KUNIT_EXPECT_EQ(test, seen.fault.page, 0x77000ULL);
	KUNIT_EXPECT_TRUE(test, seen.fault.prot_valid);
}

static void poison(struct kunit *test, enum kfdm_poison_cure cure, int evict_answer, u32 evictions, u32 resets)
{
	struct fixture *f = test->priv;

	seen.irq = (struct kfdm_interrupt){ .kind = KFDM_IRQ_POISON, .cure = cure };
	seen.evict_answer = evict_answer;
	raise(f, 0);
	raise(f, 0);	/* once a process: event_interrupt_poison_consumption returns early */
	KUNIT_EXPECT_EQ(test, seen.poisons, 1u);
	KUNIT_EXPECT_EQ(test, seen.evictions, evictions);
	KUNIT_EXPECT_EQ(test, seen.resets, resets);
	KUNIT_EXPECT_EQ(test, seen.puts, 2u);
}

static void poison_that_eviction_cures(struct kunit *test)
{
	poison(test, KFDM_POISON_EVICT, 0, 1, 0);
}

static void poison_that_eviction_does_not_cure(struct kunit *test)
{
	poison(test, KFDM_POISON_RESET_QUEUES, -EIO, 1, 1);
}

static void poison_that_needs_a_reset(struct kunit *test)
{
	poison(test, KFDM_POISON_RESET_GPU, 0, 0, 1);
}

static void poison_of_a_process_that_has_gone(struct kunit *test)
{
	seen.process = NULL;
	seen.irq = (struct kfdm_interrupt){ .kind = KFDM_IRQ_POISON };
	raise(test->priv, 0);
	KUNIT_EXPECT_EQ(test, seen.entries, 2u);	/* in the interrupt and in the worker */
	KUNIT_EXPECT_EQ(test, seen.resets + seen.puts, 0u);
}

static void without_memory(struct kunit *test)
{
	struct kfdm_device *dev = kunit_kzalloc(test, sizeof(*dev), GFP_KERNEL);
	u32 n, failed = 0;
	bool used;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	FAIL_NTH_NEEDED(test);
	for (n = 1, used = true; used; n++) {
		fail_nth_arm(n);
		ret = kfdm_interrupts_init(dev);
		used = fail_nth_disarm();
		failed += !!ret;
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		KUNIT_EXPECT_EQ(test, dev->interrupts.active, !ret);
		if (!ret)
			kfdm_interrupts_fini(dev);
	}
	kunit_info(test, "%u refusals", failed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_signal),
	KUNIT_CASE(kinds_go_their_ways),
	KUNIT_CASE(what_is_not_wanted_is_not_queued),
	KUNIT_CASE(a_full_fifo),
	KUNIT_CASE(a_signal_alone_is_delivered_at_once),
	KUNIT_CASE(a_search_is_the_worker_s),
	KUNIT_CASE(a_signal_waits_for_what_came_before),
	KUNIT_CASE(an_error_of_a_wave_is_queued),
	KUNIT_CASE(the_end),
	KUNIT_CASE(a_vm_fault_evicts),
	KUNIT_CASE(a_vm_fault_for_the_log),
	KUNIT_CASE(a_vm_fault_in_registers),
	KUNIT_CASE(poison_that_eviction_cures),
	KUNIT_CASE(poison_that_eviction_does_not_cure),
	KUNIT_CASE(poison_that_needs_a_reset),
	KUNIT_CASE(poison_of_a_process_that_has_gone),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_interrupt", .init = interrupt_setup, .exit = interrupt_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
