// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_kernel_queue_test.c - the HIQ: its memory, its way onto the hardware, and what the firmware sees of packets and when */
#include <kunit/test.h>

#define kfdm_hiq_create		tested_hiq_create	/* other suites of the scheduler pretend these */
#define kfdm_hiq_destroy	tested_hiq_destroy
#define kfdm_kq_acquire		tested_kq_acquire
#define kfdm_kq_submit		tested_kq_submit
#define kfdm_kq_rollback	tested_kq_rollback
#include "kfd_model/dqm/kfd_kernel_queue.c"

#define POOL_BYTES	(4 * PAGE_SIZE)
#define POOL_START	0x4000000000ULL
#define ARRAY_START	0x5000000000ULL

static struct {
	u32 hiq_loads, hqd_loads, hqd_destroys, pipe, queue, wptr_mask, doorbell_off, timeout_ms;
	u64 wptr;
	u32 doorbells, doorbell;
	u64 doorbell_value;
	int answer;
} seen;

static int fake_hiq_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u32 doorbell_off)
{
	seen.hiq_loads++;
	seen.pipe = pipe;
	seen.queue = queue;
	seen.doorbell_off = doorbell_off;
	return seen.answer;
}

static int fake_hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			 u32 wptr_mask, struct mm_struct *mm)
{
	seen.hqd_loads++;
	seen.pipe = pipe;
	seen.wptr = (uintptr_t)wptr;
	seen.wptr_mask = wptr_mask;
	return seen.answer;
}

static int fake_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	seen.hqd_destroys++;
	seen.timeout_ms = timeout_ms;
	return 0;
}

static void fake_doorbell32(struct amdm_device *adev, u32 offset, u32 value)
{
	seen.doorbells++;
	seen.doorbell = offset;
	seen.doorbell_value = value;
}

static void fake_doorbell64(struct amdm_device *adev, u32 offset, u64 value)
{
	seen.doorbells++;
	seen.doorbell = offset;
	seen.doorbell_value = value;
}

static void fake_reset(struct amdm_device *adev, u32 offset, u32 size)
{
}

static const struct kfd2kgd_ops fake_kgd = {
	.hiq_mqd_load = fake_hiq_load, .hqd_load = fake_hqd_load, .hqd_destroy = fake_destroy,
	.doorbell_write32 = fake_doorbell32, .doorbell_write64 = fake_doorbell64, .doorbell_reset = fake_reset,
};

static const struct kfdm_chip vega = {
	.doorbell_size = 8, .hiq_by_kiq = true, .eop_by_queue = true, .mqd = kfdm_mqd_v9,
};
static const struct kfdm_chip fiji = { .doorbell_size = 4, .eop_by_queue = true, .mqd = kfdm_mqd_vi_tonga };
static const struct kfdm_chip hawaii = { .doorbell_size = 4, .mqd = kfdm_mqd_cik_hawaii };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_mqd_array array;
	struct kfdm_kernel_queue kq;
	u32 mqds[1024];
};

static int hiq_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	void *pool = kunit_kmalloc(test, POOL_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_NOT_NULL(test, pool);
	memset(pool, 0xa5, POOL_BYTES);		/* as its last owner left it */
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&seen, 0, sizeof(seen));
	f->dev.chip = &vega;
	f->dev.cu.num_xcc = 1;
	f->dev.mqd_env.cu = &f->dev.cu;
	f->dev.resources.doorbell_aperture_bytes = 4 * 8192;
	f->dev.resources.doorbell_start_offset = 4096;
	f->array.gpu_addr = ARRAY_START;
	f->array.cpu = f->mqds;
	KUNIT_ASSERT_EQ(test, kfdm_doorbells_init(&f->dev), 0);
	return kfdm_gtt_init(&f->dev.gtt, pool, POOL_START, POOL_BYTES);
}

static void hiq_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_TRUE(test, bitmap_empty(f->dev.gtt.used, f->dev.gtt.chunks));
	kfdm_gtt_fini(&f->dev.gtt);
	kfdm_doorbells_fini(&f->dev);
	kfdm_kgd = f->saved;
}

static void create(struct kunit *test, const struct kfdm_chip *chip)
{
	struct fixture *f = test->priv;

	f->dev.chip = chip;
	KUNIT_ASSERT_EQ(test, kfdm_hiq_create(&f->dev, &f->array, &f->kq), 0);
}

/* The order of kq_initialize, by which the addresses are those of the real driver. */
static void memory(struct kunit *test)
{
	struct fixture *f = test->priv;

	create(test, &vega);
	KUNIT_EXPECT_EQ(test, f->kq.pq.gpu_addr, POOL_START);
	KUNIT_EXPECT_EQ(test, f->kq.eop.gpu_addr, POOL_START + 2048);
	KUNIT_EXPECT_EQ(test, f->kq.rptr.gpu_addr, POOL_START + 2048 + 4096);
	KUNIT_EXPECT_EQ(test, f->kq.wptr.gpu_addr, POOL_START + 2048 + 4096 + 512);
	KUNIT_EXPECT_EQ(test, f->kq.mqd.gpu_addr, ARRAY_START);
	KUNIT_EXPECT_NULL(test, memchr_inv(f->kq.pq.cpu, 0, KFDM_KERNEL_QUEUE_BYTES));
	KUNIT_EXPECT_NULL(test, memchr_inv(f->kq.eop.cpu, 0, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, *(u64 *)f->kq.wptr.cpu, 0ULL);
	KUNIT_EXPECT_EQ(test, *(u32 *)f->kq.rptr.cpu, 0u);
	KUNIT_EXPECT_NOT_NULL(test, memchr_inv(f->mqds, 0, kfdm_mqd_v9[KFDM_MQD_HIQ].size));
	KUNIT_EXPECT_EQ(test, f->kq.properties.priority, 1u);
	KUNIT_EXPECT_EQ(test, f->kq.properties.queue_percent, 100u);
	kfdm_hiq_destroy(&f->kq, false);
}

static void no_end_of_pipe_ring_on_gfx7(struct kunit *test)
{
	struct fixture *f = test->priv;

	create(test, &hawaii);
	KUNIT_EXPECT_EQ(test, f->kq.eop.chunks, 0u);
	KUNIT_EXPECT_EQ(test, f->kq.rptr.gpu_addr, POOL_START + 2048);
	kfdm_hiq_destroy(&f->kq, false);
}

/* hiq_load_mqd_kiq since Vega; load_mqd before */
static void connected_by_the_kiq(struct kunit *test)
{
	struct fixture *f = test->priv;

	create(test, &vega);
	KUNIT_EXPECT_EQ(test, seen.hiq_loads, 1u);
	KUNIT_EXPECT_EQ(test, seen.hqd_loads, 0u);
	KUNIT_EXPECT_EQ(test, seen.pipe, 4u);	/* KFD_CIK_HIQ_PIPE */
	KUNIT_EXPECT_EQ(test, seen.queue, 0u);
	KUNIT_EXPECT_EQ(test, seen.doorbell_off, f->kq.properties.doorbell_off);
	kfdm_hiq_destroy(&f->kq, false);
	KUNIT_EXPECT_EQ(test, seen.hqd_destroys, 1u);
	KUNIT_EXPECT_EQ(test, seen.timeout_ms, kfdm_unmap_latency_ms(amdm_kfd_param.queue_preemption_timeout_ms));
}

static void connected_by_registers(struct kunit *test)
{
	struct fixture *f = test->priv;

	create(test, &fiji);
	KUNIT_EXPECT_EQ(test, seen.hiq_loads, 0u);
	KUNIT_EXPECT_EQ(test, seen.hqd_loads, 1u);
	KUNIT_EXPECT_EQ(test, seen.pipe, 4u);
	KUNIT_EXPECT_EQ(test, seen.wptr, f->kq.wptr.gpu_addr);
	KUNIT_EXPECT_EQ(test, seen.wptr_mask, 511u);
	kfdm_hiq_destroy(&f->kq, true);
	KUNIT_EXPECT_EQ(test, seen.hqd_destroys, 0u);	/* a hanging one is not talked to */
}

static void what_cannot_be_connected_leaves_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 first;

	seen.answer = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_hiq_create(&f->dev, &f->array, &f->kq), -ETIME);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(f->dev.gtt.used, f->dev.gtt.chunks));
	first = seen.doorbell_off;
	seen.answer = 0;
	create(test, &vega);
	KUNIT_EXPECT_EQ(test, seen.doorbell_off, first);	/* its doorbell was free again */
	kfdm_hiq_destroy(&f->kq, false);
}

static void without_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 taken, left;

	/* All but the last chunks are somebody's: one after the other of its pieces does not fit. */
	for (left = 0; left < (2048 + 4096 + 2 * 512) / 512; left++) {
		taken = f->dev.gtt.chunks - left;
		bitmap_set(f->dev.gtt.used, 0, taken);
		KUNIT_EXPECT_EQ(test, kfdm_hiq_create(&f->dev, &f->array, &f->kq), -ENOMEM);
		KUNIT_EXPECT_EQ(test, bitmap_weight(f->dev.gtt.used, f->dev.gtt.chunks), taken);
		bitmap_zero(f->dev.gtt.used, f->dev.gtt.chunks);
	}
	KUNIT_EXPECT_EQ(test, seen.hiq_loads, 0u);
}

/* kq_submit_packet: a 64-bit counter that never wraps */
static void packets_are_seen_when_submitted(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 *packet;

	create(test, &vega);
	packet = kfdm_kq_acquire(&f->kq, 7);
	KUNIT_EXPECT_PTR_EQ(test, (void *)packet, f->kq.pq.cpu);
	KUNIT_EXPECT_EQ(test, *(u64 *)f->kq.wptr.cpu, 0ULL);
	KUNIT_EXPECT_EQ(test, seen.doorbells, 0u);
	kfdm_kq_submit(&f->kq);
	KUNIT_EXPECT_EQ(test, *(u64 *)f->kq.wptr.cpu, 7ULL);
	KUNIT_EXPECT_EQ(test, seen.doorbell_value, 7ULL);
	KUNIT_EXPECT_EQ(test, seen.doorbell, f->kq.properties.doorbell_off * 4);
	kfdm_kq_acquire(&f->kq, 5);
	kfdm_kq_rollback(&f->kq);
	KUNIT_EXPECT_PTR_EQ(test, (void *)kfdm_kq_acquire(&f->kq, 2), f->kq.pq.cpu + 7 * sizeof(u32));
	kfdm_kq_submit(&f->kq);
	KUNIT_EXPECT_EQ(test, seen.doorbell_value, 9ULL);
	kfdm_hiq_destroy(&f->kq, false);
}

static void once_around(struct kunit *test, const struct kfdm_chip *chip, u64 wptr)
{
	struct fixture *f = test->priv;

	create(test, chip);
	KUNIT_EXPECT_NOT_NULL(test, kfdm_kq_acquire(&f->kq, 500));
	kfdm_kq_submit(&f->kq);
	KUNIT_EXPECT_NULL(test, kfdm_kq_acquire(&f->kq, 20));	/* the firmware has read nothing */
	*(u32 *)f->kq.rptr.cpu = 500 + 512;			/* and what it says is not trusted */
	KUNIT_EXPECT_PTR_EQ(test, (void *)kfdm_kq_acquire(&f->kq, 20), f->kq.pq.cpu);
	kfdm_kq_submit(&f->kq);
	KUNIT_EXPECT_EQ(test, seen.doorbell_value, wptr);
	kfdm_hiq_destroy(&f->kq, false);
}

static void pointers_since_vega_count_for_ever(struct kunit *test)
{
	once_around(test, &vega, 512 + 20);
}

static void pointers_before_vega_count_in_the_ring(struct kunit *test)
{
	once_around(test, &fiji, 20);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(memory),
	KUNIT_CASE(no_end_of_pipe_ring_on_gfx7),
	KUNIT_CASE(connected_by_the_kiq),
	KUNIT_CASE(connected_by_registers),
	KUNIT_CASE(what_cannot_be_connected_leaves_nothing),
	KUNIT_CASE(without_memory),
	KUNIT_CASE(packets_are_seen_when_submitted),
	KUNIT_CASE(pointers_since_vega_count_for_ever),
	KUNIT_CASE(pointers_before_vega_count_in_the_ring),
	{}
};

static struct kunit_suite suite = { .name = "kfd_kernel_queue", .init = hiq_setup, .exit = hiq_teardown, .test_cases = cases };
kunit_test_suite(suite);
