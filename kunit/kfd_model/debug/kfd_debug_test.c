// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_debug_test.c - sessions of debuggers: exceptions, the runtime's handshake, devices that can debug one process or all, every end */
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/debug/kfd_debug.c"
#include "kfd_model/debug/kfd_debug_event.c"
#include "kfd_model/debug/kfd_debug_query.c"
#include "kfd_model/debug/kfd_debug_message.c"
#include "kfd_model/debug/kfd_debug_refresh.c"
#define activate	activate_device
#define deactivate	deactivate_device
#include "kfd_model/debug/kfd_debug_setup.c"
#undef activate
#undef deactivate
#include "kfd_model/debug/kfd_debug_runtime.c"

static struct {
	u32 rings, bells, puts, flags_on, refreshes, remaps, taken, given, resets, resumed, evictions, memory_events, events_set, last_event;
	struct kfdm_debug_state state;
	int bell_error, vmid_error, refresh_error;
	struct kfdm_process *of_pasid;
} fake;

struct kfdm_bell *kfdm_bell_get(u32 fd)
{
	if (fake.bell_error)
		return ERR_PTR(fake.bell_error);
	fake.bells++;
	return (struct kfdm_bell *)&fake;
}

void kfdm_bell_ring(struct kfdm_bell *bell)
{
	fake.rings++;
}

void kfdm_bell_put(struct kfdm_bell *bell)
{
	fake.bells--;
}

int kfdm_bells_init(void)
{
	return 0;
}

void kfdm_bells_fini(void)
{
}

void kfdm_process_put(struct kfdm_process *p)
{
	fake.puts++;
}

struct kfdm_process *kfdm_process_by_pasid(u32 pasid)
{
	return pasid == PASID ? fake.of_pasid : NULL;
}

struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p)
{
	mmget(user_mm);
	return user_mm;
}

struct kfdm_process_device *kfdm_pdd_by_dev(struct kfdm_process *p, const struct kfdm_device *dev)
{
	return dev == p->pdds[0]->dev ? p->pdds[0] : NULL;
}

struct kfdm_process_device *kfdm_pdd_by_id(struct kfdm_process *p, u32 gpu_id)
{
	return gpu_id == GPU_0 ? p->pdds[0] : gpu_id == GPU_1 ? p->pdds[1] : NULL;
}

struct kfdm_queue *kfdm_queue_find(struct kfdm_process *p, u32 queue_id)
{
	struct kfdm_queue *q;

	list_for_each_entry(q, &p->queues, link)
		if (q->properties.queue_id == queue_id)
			return q;
	return NULL;
}

void kfdm_pdd_set_debug_flag(struct kfdm_process_device *pdd, bool on)
{
	fake.flags_on = on ? fake.flags_on | BIT(pdd->index) : fake.flags_on & ~BIT(pdd->index);
}

int kfdm_dqm_set_debug(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_debug_state *state, bool remap)
{
	fake.state = *state;
	fake.refreshes++;
	fake.remaps += remap;
	return remap ? fake.refresh_error : 0;
}

int kfdm_dqm_take_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.taken += !fake.vmid_error;
	return fake.vmid_error;
}

void kfdm_dqm_give_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.given++;
}

u32 kfdm_dqm_resume(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 *ids, u32 num_ids)
{
	fake.resumed++;
	return 0;
}

int kfdm_dqm_evict(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.evictions++;
	return 0;
}

bool kfdm_events_set_all(struct kfdm_events *events, u32 type, const struct kfd_hsa_memory_exception_data *memory,
			 const struct kfd_hsa_hw_exception_data *hw)
{
	fake.memory_events += type == KFD_IOC_EVENT_MEMORY && memory->gpu_id == GPU_0;
	return true;
}

int kfdm_event_set(struct kfdm_events *events, u32 id)
{
	fake.events_set++;
	fake.last_event = id;
	return 0;
}

/* The suite has the program's memory already. */
int kfdm_debug_in_mm(struct mm_struct *mm, int (*fn)(void *data), void *data)
{
	return fn(data);
}

int kfdm_debug_fault_in(struct mm_struct *mm, u64 at, u64 bytes, bool write)
{
	return -EFAULT;
}

/* Before the process's packets say that it is debugged no more */
void kfdm_debug_clear_watches(struct kfdm_process_device *pdd)
{
	fake.resets += !fake.given;
}

void kfdm_debug_reset_launch(struct kfdm_process_device *pdd)
{
	fake.resets += !fake.given;
}

static const struct kfd2kgd_ops no_kgd;

/** struct fixture - a process with a queue on its first GPU */
struct fixture {
	struct process_fixture *base;
	struct kfdm_process *p;
	struct kfdm_queue q;
};

static struct fixture *f;

static int debug_setup(struct kunit *test)
{
	f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f);
	memset(&fake, 0, sizeof(fake));
	f->base = process_fixture_get(test, &no_kgd);
	f->p = &f->base->p;
	kref_init(&f->p->ref);
	f->q.pdd = &f->base->pdd[0];
	f->q.properties.queue_id = 3;
	f->q.doorbell_id = 0x21;
	list_add(&f->q.link, &f->p->queues);
	fake.of_pasid = f->p;
	user_space_begin(test);
	return kfdm_debug_init();
}

static void debug_teardown(struct kunit *test)
{
	mutex_lock(&f->p->mutex);
	kfdm_debug_disable(f->p);
	mutex_unlock(&f->p->mutex);
	kfdm_debug_fini();
	KUNIT_EXPECT_EQ(test, fake.bells, 0u);
	user_space_end();
	process_fixture_put(test);
}

static int enable(struct kfdm_process *debugger, u64 exceptions, u64 info)
{
	struct kfd_ioctl_dbg_trap_args args = { .enable = { .exception_mask = exceptions, .rinfo_ptr = info, .rinfo_size = 99 } };
	int ret;

	mutex_lock(&f->p->mutex);
	ret = kfdm_debug_enable(f->p, debugger, &args);
	mutex_unlock(&f->p->mutex);
	return ret;
}

static void attach_self(struct kunit *test, u64 exceptions)
{
	KUNIT_ASSERT_EQ(test, enable(f->p, exceptions, user_page), 0);
}

static int query(u64 clear, struct kfd_ioctl_dbg_trap_args *args)
{
	args->query_debug_event.exception_mask = clear;
	return kfdm_debug_query_event(f->p, args);
}

/* kfd_dbg_trap_enable(): one debugger at a time; what cannot be debugged or rung is refused, and nothing is left behind. */
static void attaching(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, enable(f->p, 0, NOT_USER), -EFAULT);
	KUNIT_EXPECT_FALSE(test, f->p->debug.attached);
	fake.bell_error = -EBADF;
	KUNIT_EXPECT_EQ(test, enable(f->p, 0, user_page), -EBADF);
	fake.bell_error = 0;
	f->base->chip.debug.possible = false;
	KUNIT_EXPECT_EQ(test, enable(f->p, 0, user_page), -ENODEV);
	f->base->chip.debug.possible = true;
	KUNIT_EXPECT_EQ(test, enable(f->p, 0, user_page), 0);
	KUNIT_EXPECT_EQ(test, enable(f->p, 0, user_page), -EALREADY);
	KUNIT_EXPECT_EQ(test, fake.refreshes, 0u);	/* the runtime is not ready */
	KUNIT_EXPECT_EQ(test, kref_read(&f->p->ref) - 1, 1u + fake.puts);
}

/* A debugger that ends lets go of all that it debugs. */
static void a_debugger_ends(struct kunit *test)
{
	struct kfdm_process *debugger = kunit_kzalloc(test, sizeof(*debugger), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, debugger);
	mutex_init(&debugger->mutex);
	INIT_LIST_HEAD(&debugger->debug.targets);
	KUNIT_EXPECT_EQ(test, enable(debugger, 0, user_page), 0);
	KUNIT_EXPECT_PTR_EQ(test, f->p->debug.debugger, debugger);
	KUNIT_ASSERT_TRUE(test, debugger->debug.leave != NULL && f->p->debug.leave != NULL);
	debugger->debug.leave(debugger);
	KUNIT_EXPECT_FALSE(test, f->p->debug.attached);
	KUNIT_EXPECT_TRUE(test, list_empty(&debugger->debug.targets) && !f->p->debug.debugger);
	KUNIT_EXPECT_EQ(test, enable(debugger, 0, user_page), 0);
	f->p->debug.leave(f->p);	/* the other way round */
	KUNIT_EXPECT_TRUE(test, list_empty(&debugger->debug.targets) && !f->p->debug.attached);
}

/* kfd_dbg_ev_raise(), kfd_dbg_ev_query_debug_event(): queues, then devices, then the process; what is not enabled is kept. */
static void exceptions(struct kunit *test)
{
	struct kfd_ioctl_dbg_trap_args args = {};
	const struct kfd_hsa_memory_exception_data fault = { .va = 0x5000, .gpu_id = GPU_0 };
	const u64 trap = KFD_EC_MASK(EC_QUEUE_WAVE_TRAP), violation = KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION),
		  runtime = KFD_EC_MASK(EC_PROCESS_RUNTIME);

	KUNIT_EXPECT_FALSE(test, kfdm_debug_wave_exception(&f->base->dev[0], PASID, 0x21, trap));	/* nobody debugs */
	KUNIT_EXPECT_EQ(test, f->q.exceptions, 0ull);
	attach_self(test, trap);
	KUNIT_EXPECT_FALSE(test, kfdm_debug_vm_fault(&f->base->dev[0], PASID, &fault));
	KUNIT_EXPECT_FALSE(test, kfdm_debug_raise_process(f->p, runtime));
	KUNIT_EXPECT_EQ(test, query(0, &args), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fake.rings, 0u);
	kfdm_debug_set_enabled(f->p, ~0ull);
	KUNIT_EXPECT_EQ(test, fake.rings, 1u);
	KUNIT_EXPECT_TRUE(test, kfdm_debug_wave_exception(&f->base->dev[0], PASID, 0x21, trap));
	KUNIT_EXPECT_TRUE(test, kfdm_debug_wave_exception(&f->base->dev[1], PASID, 0x21, trap));	/* no such queue: told in vain */
	KUNIT_EXPECT_FALSE(test, kfdm_debug_wave_exception(&f->base->dev[0], PASID + 1, 0x21, trap));
	KUNIT_EXPECT_EQ(test, fake.rings, 3u);

	KUNIT_EXPECT_EQ(test, query(trap, &args), 0);
	KUNIT_EXPECT_TRUE(test, args.query_debug_event.exception_mask == trap && args.query_debug_event.queue_id == 3 &&
			  args.query_debug_event.gpu_id == GPU_0);
	KUNIT_EXPECT_EQ(test, query(violation, &args), 0);
	KUNIT_EXPECT_TRUE(test, args.query_debug_event.exception_mask == violation && !args.query_debug_event.queue_id &&
			  args.query_debug_event.gpu_id == GPU_0);
	KUNIT_EXPECT_EQ(test, query(runtime, &args), 0);
	KUNIT_EXPECT_TRUE(test, args.query_debug_event.exception_mask == runtime && !args.query_debug_event.gpu_id);
	KUNIT_EXPECT_EQ(test, query(0, &args), -EAGAIN);
	KUNIT_EXPECT_EQ(test, args.query_debug_event.exception_mask, 0ull);
}

static int info(u32 code, u32 source, u64 to, bool clear)
{
	struct kfd_ioctl_dbg_trap_args args = { .query_exception_info = {
		.info_ptr = to, .info_size = 4096, .source_id = source, .exception_code = code, .clear_exception = clear,
	} };
	int ret = kfdm_debug_query_info(f->p, &args);

	return ret ? ret : args.query_exception_info.info_size;
}

/* kfd_dbg_trap_query_exception_info(). Linux tells a size of 0 for a fault, though its header says otherwise. */
static void what_is_known(struct kunit *test)
{
	const struct kfd_hsa_memory_exception_data fault = { .va = 0x5000, .gpu_id = GPU_0 }, later = { .va = 0x6000 };

	attach_self(test, ~0ull);
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, GPU_0, 0, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(0, GPU_0, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(EC_PROCESS_DEVICE_REMOVE + 1, GPU_0, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(7, GPU_0, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, NO_GPU, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, GPU_0, user_page, false), -ENODATA);
	KUNIT_EXPECT_EQ(test, info(EC_QUEUE_WAVE_TRAP, 4, user_page, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, info(EC_QUEUE_WAVE_TRAP, 3, user_page, false), -ENODATA);
	KUNIT_EXPECT_TRUE(test, kfdm_debug_vm_fault(&f->base->dev[0], PASID, &fault));
	KUNIT_EXPECT_TRUE(test, kfdm_debug_vm_fault(&f->base->dev[0], PASID, &later));
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, GPU_0, NOT_USER, true), -EFAULT);
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, GPU_0, user_page, true), (int)sizeof(fault));
	KUNIT_EXPECT_EQ(test, info(EC_DEVICE_MEMORY_VIOLATION, GPU_0, user_page, false), -ENODATA);
	kfdm_debug_raise_process(f->p, KFD_EC_MASK(EC_PROCESS_RUNTIME));
	KUNIT_EXPECT_EQ(test, info(EC_PROCESS_RUNTIME, 0, user_page, true), (int)sizeof(struct kfd_runtime_info));
}

static int runtime(bool on)
{
	int ret;

	mutex_lock(&f->p->mutex);
	ret = on ? kfdm_debug_runtime_enable(f->p, 0x1234, true) : kfdm_debug_runtime_disable(f->p);
	mutex_unlock(&f->p->mutex);
	return ret;
}

static int send(u64 exceptions, u32 gpu_id, u32 queue_id)
{
	struct kfd_ioctl_dbg_trap_args args = {
		.send_runtime_event = { .exception_mask = exceptions, .gpu_id = gpu_id, .queue_id = queue_id },
	};

	return kfdm_debug_send_to_runtime(f->p, &args);
}

/* runtime_enable(), runtime_disable(): without a debugger nobody waits; where VMIDs have registers of their own, waves' TTMPs are set up. */
static void a_runtime_alone(struct kunit *test)
{
	f->base->pdd[1].qpd.map.queue_count = 1;
	KUNIT_EXPECT_EQ(test, runtime(true), -EEXIST);
	f->base->pdd[1].qpd.map.queue_count = 0;
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_EQ(test, f->p->runtime.r_debug, 0x1234ull);
	KUNIT_EXPECT_EQ(test, fake.refreshes, 0u);
	KUNIT_EXPECT_EQ(test, runtime(true), -EBUSY);
	KUNIT_EXPECT_EQ(test, runtime(false), 0);
	KUNIT_EXPECT_EQ(test, runtime(false), 0);
	f->base->chip.debug.by_vmid = true;
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_TRUE(test, fake.refreshes == 2 && !fake.remaps && fake.state.spi_gdbg_per_vmid_cntl == 8);
	fake.refresh_error = -EIO;
	KUNIT_EXPECT_EQ(test, runtime(false), -EIO);
	KUNIT_EXPECT_TRUE(test, fake.remaps == 2 && !fake.state.spi_gdbg_per_vmid_cntl);
}

/* The debugger's answer is counted: it may come before the runtime waits. */
static void a_runtime_with_a_debugger(struct kunit *test)
{
	struct kfd_ioctl_dbg_trap_args args = {};

	attach_self(test, ~0ull);
	KUNIT_EXPECT_EQ(test, send(KFD_EC_MASK(EC_PROCESS_RUNTIME), 0, 0), 0);
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->p->debug.releases), 0);
	KUNIT_EXPECT_EQ(test, fake.taken, 2u);
	KUNIT_EXPECT_EQ(test, fake.flags_on, 3u);
	KUNIT_EXPECT_TRUE(test, fake.state.trap_enabled && fake.state.runtime_enabled);
	KUNIT_EXPECT_EQ(test, query(~0ull, &args), 0);
	KUNIT_EXPECT_EQ(test, args.query_debug_event.exception_mask, KFD_EC_MASK(EC_PROCESS_RUNTIME));
	f->p->debug.retry = true;	/* as after a signal: nothing is done twice */
	send(KFD_EC_MASK(EC_PROCESS_RUNTIME), 0, 0);
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_EQ(test, fake.taken, 2u);
	KUNIT_EXPECT_FALSE(test, f->p->debug.retry);
	send(KFD_EC_MASK(EC_PROCESS_RUNTIME), 0, 0);
	KUNIT_EXPECT_EQ(test, runtime(false), 0);
	KUNIT_EXPECT_EQ(test, fake.given, 2u);
	KUNIT_EXPECT_EQ(test, fake.resets, 2u);
	KUNIT_EXPECT_EQ(test, fake.flags_on, 0u);
}

/* The device's only VMID is another process's: attached all the same, and the runtime is told of it. */
static void the_hardware_is_busy(struct kunit *test)
{
	struct kfd_runtime_info told;

	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	fake.vmid_error = -EBUSY;
	attach_self(test, ~0ull);
	KUNIT_EXPECT_EQ(test, copy_from_user(&told, USER(void), sizeof(told)), 0ul);
	KUNIT_EXPECT_EQ(test, told.runtime_state, (u32)DEBUG_RUNTIME_STATE_ENABLED_BUSY);
	mutex_lock(&f->p->mutex);
	kfdm_debug_disable(f->p);
	mutex_unlock(&f->p->mutex);
	KUNIT_EXPECT_EQ(test, f->p->runtime.state, (u32)DEBUG_RUNTIME_STATE_ENABLED);
	fake.vmid_error = 0;
	attach_self(test, ~0ull);
	KUNIT_EXPECT_EQ(test, f->p->runtime.state, (u32)DEBUG_RUNTIME_STATE_ENABLED);
	KUNIT_EXPECT_EQ(test, fake.flags_on, 3u);
}

/* kfd_send_exception_to_runtime(): the word at err_payload_addr, the event err_event_id */
static void a_runtime_is_told(struct kunit *test)
{
	const struct kfd_context_save_area_header header = { .err_payload_addr = user_page + 512, .err_event_id = 77 };
	u64 word = 0x10;

	KUNIT_EXPECT_EQ(test, copy_to_user(USER(void), &header, sizeof(header)), 0ul);
	KUNIT_EXPECT_EQ(test, put_user(word, USER(u64) + 64), 0);
	f->q.properties.ctx_save_address = user_page;
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_EQ(test, send(KFD_EC_MASK(EC_QUEUE_WAVE_ABORT), 0, 3), 0);
	KUNIT_EXPECT_EQ(test, get_user(word, USER(u64) + 64), 0);
	KUNIT_EXPECT_EQ(test, word, 0x11ull);
	KUNIT_EXPECT_EQ(test, fake.last_event, 77u);
	KUNIT_EXPECT_EQ(test, send(1, 0, 4), 0);	/* no such queue */
	KUNIT_EXPECT_EQ(test, send(KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION), NO_GPU, 0), -ENODEV);
	KUNIT_EXPECT_EQ(test, send(KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION), GPU_0, 0), 0);
	KUNIT_EXPECT_TRUE(test, fake.evictions == 1 && fake.memory_events == 1);
	f->q.properties.ctx_save_address = NOT_USER;
	KUNIT_EXPECT_EQ(test, send(1, 0, 3), 0);
	KUNIT_EXPECT_EQ(test, fake.events_set, 1u);
}

/* Without a debugger the runtime has asked for it. */
static void exceptions_without_a_debugger(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, runtime(true), 0);
	KUNIT_EXPECT_FALSE(test, kfdm_debug_wave_exception(&f->base->dev[0], PASID, 0x22, 2));
	KUNIT_EXPECT_TRUE(test, kfdm_debug_wave_exception(&f->base->dev[0], PASID, 0x21, 2));
	flush_workqueue(runtime_wq);
	KUNIT_EXPECT_EQ(test, f->q.for_runtime, 0ull);
	KUNIT_EXPECT_EQ(test, fake.events_set, 0u);	/* the queue has no save area */
}

static struct kunit_case cases[] = {
	KUNIT_CASE(attaching),
	KUNIT_CASE(a_debugger_ends),
	KUNIT_CASE(exceptions),
	KUNIT_CASE(what_is_known),
	KUNIT_CASE(a_runtime_alone),
	KUNIT_CASE(a_runtime_with_a_debugger),
	KUNIT_CASE(the_hardware_is_busy),
	KUNIT_CASE(a_runtime_is_told),
	KUNIT_CASE(exceptions_without_a_debugger),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_debug", .suite_init = user_space_find, .init = debug_setup, .exit = debug_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
