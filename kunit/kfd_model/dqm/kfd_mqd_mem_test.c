// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mqd_mem_test.c - where descriptors live: slots of the array, pieces of the pool, buffers of their own */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "kfd_model/dqm/kfd_mqd_mem.c"

#define POOL_BYTES	(8 * PAGE_SIZE)
#define POOL_START	0x4000000000ULL
#define OWN_START	0x5000000000ULL

static size_t own_bytes;
static int own_buffers;

static int fake_gtt_alloc(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu)
{
	*cpu = kzalloc(size, GFP_KERNEL);
	if (!*cpu)
		return -ENOMEM;
	*mem = *cpu;
	*gpu_addr = OWN_START;
	own_bytes = size;
	own_buffers++;
	return 0;
}

static void fake_gtt_free(struct amdm_device *adev, struct amdm_gtt *mem)
{
	kfree(mem);
	own_buffers--;
}

static const struct kfd2kgd_ops fake_kgd = { .gtt_alloc = fake_gtt_alloc, .gtt_free = fake_gtt_free };
static const struct kfdm_chip chip = { .mqd = kfdm_mqd_v9 };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_mqd_array array;
};

static int mem_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	void *pool = kunit_kzalloc(test, POOL_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_NOT_NULL(test, pool);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	own_buffers = 0;
	f->dev.chip = &chip;
	f->dev.info.sdma_engines = 2;
	f->dev.info.sdma_queues_per_engine = 8;
	KUNIT_ASSERT_EQ(test, kfdm_gtt_init(&f->dev.gtt, pool, POOL_START, POOL_BYTES), 0);
	return kfdm_mqd_array_init(&f->dev, &f->array);
}

static void mem_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	kfdm_mqd_array_fini(&f->dev, &f->array);
	KUNIT_EXPECT_EQ(test, own_buffers, 0);
	kfdm_gtt_fini(&f->dev.gtt);
	kfdm_kgd = f->saved;
}

static void slots(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct kfdm_queue_properties hiq = { .type = KFDM_QUEUE_HIQ };
	const struct kfdm_queue_properties sdma = { .type = KFDM_QUEUE_SDMA, .sdma_engine_id = 1, .sdma_queue_id = 7 };
	struct kfdm_mqd_mem mem;

	KUNIT_EXPECT_EQ(test, own_bytes, (size_t)2048 + 16 * 512);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &hiq, &mem), 0);
	KUNIT_EXPECT_EQ(test, mem.gpu_addr, OWN_START);
	kfdm_mqd_mem_put(&f->dev, &mem);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &sdma, &mem), 0);
	KUNIT_EXPECT_EQ(test, mem.gpu_addr, OWN_START + 2048 + 15 * 512);
	KUNIT_EXPECT_PTR_EQ(test, (void *)mem.mqd, f->array.cpu + 2048 + 15 * 512);
	kfdm_mqd_mem_put(&f->dev, &mem);
}

static void pieces_without_context_save(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct kfdm_queue_properties q = { .type = KFDM_QUEUE_COMPUTE, .ctl_stack_size = 0x5000 };
	struct kfdm_mqd_mem mem;

	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), 0);
	KUNIT_EXPECT_EQ(test, mem.gpu_addr, POOL_START);
	KUNIT_EXPECT_NULL(test, mem.ctl_stack);
	KUNIT_EXPECT_EQ(test, own_buffers, 1);
	kfdm_mqd_mem_put(&f->dev, &mem);
}

static void buffers_with_control_stack(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_COMPUTE, .ctl_stack_size = 0x5001 };
	struct kfdm_mqd_mem mem;

	f->dev.cwsr_enabled = true;
	f->dev.mqd_env.cwsr_enabled = true;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), 0);
	KUNIT_EXPECT_EQ(test, own_bytes, (size_t)PAGE_SIZE + 0x6000);
	KUNIT_EXPECT_PTR_EQ(test, mem.ctl_stack, (void *)mem.mqd + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, mem.ctl_stack_size, 0x6000u);
	kfdm_mqd_mem_put(&f->dev, &mem);
	q.ctl_stack_size = KFDM_CTL_STACK_MAX + 1;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), -ENOMEM);
}

/* All lie in the GART, 512 MiB for all processes together: as many queues as a process may have are a small part of it. */
static void a_process_does_not_fill_the_gart(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_COMPUTE, .ctl_stack_size = 100 << 10 };	/* as user space asks */
	struct kfdm_mqd_mem mem;
	size_t most = 0;

	f->dev.cwsr_enabled = true;
	f->dev.mqd_env.cwsr_enabled = true;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), 0);
	kfdm_mqd_mem_put(&f->dev, &mem);
	for (q.ctl_stack_size = PAGE_SIZE; q.ctl_stack_size <= SZ_1M; q.ctl_stack_size += PAGE_SIZE) {
		if (kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem))
			break;
		most = own_bytes;
		kfdm_mqd_mem_put(&f->dev, &mem);
	}
	KUNIT_EXPECT_LE(test, 127 * most, (size_t)SZ_512M / 16);
}

/* Four compute dies: each has its descriptor and control stack, the HIQ four descriptors before those of SDMA queues. */
static void memory_of_several_dies(struct kunit *test)
{
	static const struct kfdm_chip dies = { .mqd = kfdm_mqd_v9_4_3_7_2 };
	struct fixture *f = test->priv;
	const struct kfdm_queue_properties sdma = { .type = KFDM_QUEUE_SDMA };
	struct kfdm_queue_properties q = { .type = KFDM_QUEUE_COMPUTE, .ctl_stack_size = 0x3000 };
	struct kfdm_mqd_mem mem;

	f->dev.chip = &dies;
	f->dev.cu.num_xcc = 4;
	f->dev.mqd_env.cu = &f->dev.cu;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &sdma, &mem), 0);
	KUNIT_EXPECT_EQ(test, mem.gpu_addr, OWN_START + 4 * 2048);
	kfdm_mqd_mem_put(&f->dev, &mem);
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), 0);	/* without context save */
	KUNIT_EXPECT_EQ(test, mem.stride, 2048u);
	KUNIT_EXPECT_EQ(test, mem.piece.chunks * KFDM_GTT_CHUNK, 4u * 2048);
	kfdm_mqd_mem_put(&f->dev, &mem);
	f->dev.cwsr_enabled = true;
	f->dev.mqd_env.cwsr_enabled = true;
	KUNIT_EXPECT_EQ(test, kfdm_mqd_mem_get(&f->dev, &f->array, &q, &mem), 0);
	KUNIT_EXPECT_EQ(test, own_bytes, (size_t)4 * 0x4000);
	KUNIT_EXPECT_EQ(test, mem.stride, 0x4000u);
	KUNIT_EXPECT_EQ(test, mem.ctl_stack_size, 0x3000u);
	kfdm_mqd_mem_put(&f->dev, &mem);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(memory_of_several_dies),
	KUNIT_CASE(slots),
	KUNIT_CASE(pieces_without_context_save),
	KUNIT_CASE(buffers_with_control_stack),
	KUNIT_CASE(a_process_does_not_fill_the_gart),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mqd_mem", .init = mem_setup, .exit = mem_teardown, .test_cases = cases };
kunit_test_suite(suite);
