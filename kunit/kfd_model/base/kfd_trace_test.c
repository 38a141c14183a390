// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * kfd_trace_test.c - every trace event from the call to the line in the trace: tracepoint, recorded fields, print format
 *
 * The events of this suite are not registered with ftrace, where the module's own ones may be (kunit/Kbuild).
 */
#include <kunit/test.h>
#include <linux/trace_events.h>

/* The ring buffer: one entry. */
static struct {
	union {
		struct trace_entry entry;
		u8 bytes[256];
	};
	size_t size;
	u32 count;
} recorded;

static void *fake_reserve(unsigned long size)
{
	if (size > sizeof(recorded.bytes))
		return NULL;
	memset(recorded.bytes, 0, sizeof(recorded.bytes));
	recorded.size = size;
	recorded.count++;
	return recorded.bytes;
}

#define trace_event_buffer_reserve(buffer, file, size)	fake_reserve(size)
#define trace_event_buffer_commit(buffer)		((void)(buffer))

#include "kfd_model/base/kfd_trace.c"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/packets/kfd_packets.h"
#include "kfd_model/queue/kfd_queue_properties.h"

static struct trace_event_file file;

static int trace_setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct trace_iterator), GFP_KERNEL);
	memset(&recorded, 0, sizeof(recorded));
	return test->priv ? 0 : -ENOMEM;
}

/* The recorded entry as in the trace. Newer kernels print nothing but events that ftrace knows by their number. */
static const char *printed(struct kunit *test, struct trace_event_call *call)
{
	struct trace_iterator *iter = test->priv;

	KUNIT_ASSERT_NE(test, register_trace_event(&call->event), 0);
	recorded.entry.type = call->event.type;
	trace_seq_init(&iter->seq);
	iter->ent = &recorded.entry;
	iter->ent_size = recorded.size;
	KUNIT_EXPECT_EQ(test, (u32)call->event.funcs->trace(iter, 0, &call->event), (u32)TRACE_TYPE_HANDLED);
	trace_seq_putc(&iter->seq, '\0');
	unregister_trace_event(&call->event);
	call->event.type = 0;
	return iter->seq.buffer;
}

/* trace_@name(...) records one entry of @class, which reads @line, while the event is enabled; nothing otherwise. */
#define EXPECT_LINE(test, name, class, line, ...)						\
	do {											\
		recorded.count = 0;								\
		trace_##name(__VA_ARGS__);							\
		KUNIT_EXPECT_EQ(test, recorded.count, 0u);					\
		KUNIT_ASSERT_EQ(test, register_trace_##name(trace_event_raw_event_##class, &file), 0);	\
		trace_##name(__VA_ARGS__);							\
		unregister_trace_##name(trace_event_raw_event_##class, &file);			\
		tracepoint_synchronize_unregister();						\
		KUNIT_EXPECT_EQ(test, recorded.count, 1u);					\
		KUNIT_EXPECT_STREQ(test, printed(test, &event_##name), line);			\
	} while (0)

static void queues(struct kunit *test)
{
	EXPECT_LINE(test, queue_create, kfdm_queue,
		    "queue_create: gpu=4660 pasid=0x8001 queue=3 type=compute priority=7 doorbell=0x1008\n",
		    0x1234, 0x8001, 3, KFDM_QUEUE_COMPUTE, 7, 0x1008);
	EXPECT_LINE(test, queue_destroy, kfdm_queue,
		    "queue_destroy: gpu=1 pasid=0x2 queue=3 type=sdma priority=5 doorbell=0x6\n", 1, 2, 3, KFDM_QUEUE_SDMA, 5, 6);
	EXPECT_LINE(test, queue_map, kfdm_queue,
		    "queue_map: gpu=1 pasid=0x2 queue=3 type=sdma_xgmi priority=5 doorbell=0x6\n",
		    1, 2, 3, KFDM_QUEUE_SDMA_XGMI, 5, 6);
	EXPECT_LINE(test, queue_unmap, kfdm_queue,
		    "queue_unmap: gpu=4294967295 pasid=0xffff queue=1023 type=hiq priority=15 doorbell=0xffffffff\n",
		    U32_MAX, 0xffff, 1023, KFDM_QUEUE_HIQ, 15, U32_MAX);
}

/* The words stand for the numbers of enum kfdm_unmap_filter */
static void preemption(struct kunit *test)
{
	EXPECT_LINE(test, queue_preempt, queue_preempt, "queue_preempt: gpu=7 filter=all error=-62 us=9000000000\n",
		    7, KFDM_UNMAP_ALL, -ETIME, 9000000000ll);
	EXPECT_LINE(test, queue_preempt, queue_preempt, "queue_preempt: gpu=7 filter=dynamic error=0 us=12\n",
		    7, KFDM_UNMAP_DYNAMIC, 0, 12);
	EXPECT_LINE(test, queue_preempt, queue_preempt, "queue_preempt: gpu=7 filter=pasid error=0 us=0\n",
		    7, KFDM_UNMAP_BY_PASID, 0, 0);
}

static void eviction(struct kunit *test)
{
	EXPECT_LINE(test, queue_evict, kfdm_eviction, "queue_evict: gpu=4660 pasid=0x8002 depth=2\n", 0x1234, 0x8002, 2);
	EXPECT_LINE(test, queue_restore, kfdm_eviction, "queue_restore: gpu=4660 pasid=0x8002 depth=0\n", 0x1234, 0x8002, 0);
}

/* The phase is copied: the caller's text may be gone when the trace is read */
static void resets(struct kunit *test)
{
	char phase[] = "begin";

	EXPECT_LINE(test, gpu_reset, gpu_reset, "gpu_reset: gpu=4660 phase=begin error=0\n", 0x1234, phase, 0);
	memset(phase, 'x', sizeof(phase) - 1);
	KUNIT_EXPECT_STREQ(test, printed(test, &event_gpu_reset), "gpu_reset: gpu=4660 phase=begin error=0\n");
	EXPECT_LINE(test, gpu_reset, gpu_reset, "gpu_reset: gpu=4660 phase=end error=-110\n", 0x1234, "end", -ETIMEDOUT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(queues),
	KUNIT_CASE(preemption),
	KUNIT_CASE(eviction),
	KUNIT_CASE(resets),
	{}
};

static struct kunit_suite suite = { .name = "kfd_trace", .init = trace_setup, .test_cases = cases };
kunit_test_suite(suite);
