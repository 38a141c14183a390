// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_debugfs_ring_test.c - what the files tell of rings, and the buffers that amdgpu_test_ib has them run.
 *
 * Formats: amdgpu_ring.c, amdgpu_fence.c, amdgpu_debugfs.c; buffers: gfx_v9_0_ring_test_ib(), sdma_v3_0_, sdma_v4_0_ring_test_ib().
 */
#include <kunit/test.h>
#include <linux/seq_file.h>

#include "kunit/user_memory.h"
#include "amdgpu_model/drm/amdgpu_debugfs_ring.c"

#define MC_ADDRESS	0x123456000ULL
#define NOP		0xffff1000

static struct {
	struct amdm_gtt gtt;
	u32 memory[128];
	int made, made_ever;
	bool none, obeys;
	u32 commits, vmid, dwords, slow;
	u64 addr;
} ring_seen;

struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size)
{
	if (ring_seen.none)
		return ERR_PTR(-ENOMEM);
	memset(ring_seen.memory, 0, sizeof(ring_seen.memory));
	ring_seen.gtt = (struct amdm_gtt){ .cpu = ring_seen.memory, .addr = MC_ADDRESS };
	ring_seen.made++;
	ring_seen.made_ever++;
	return &ring_seen.gtt;
}

void amdm_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	ring_seen.made--;
}

u32 amdm_glue_slow_factor(void)
{
	return ring_seen.slow;
}

static void emit_ib(struct amdm_ring *ring, const struct amdm_ib *ib, u32 vmid)
{
	WARN_ON(!mutex_is_locked(&ring->lock));
	ring_seen.addr = ib->addr;
	ring_seen.dwords = ib->dwords;
	ring_seen.vmid = vmid;
}

/* A ring that obeys does the store. */
void amdm_ring_commit(struct amdm_ring *ring)
{
	ring_seen.commits++;
	if (ring_seen.obeys)
		ring_seen.memory[64] = 0xdeadbeef;
}

static const struct amdm_ring_funcs gfx_funcs = { .ip = AMDGPU_HW_IP_GFX, .nop = NOP, .emit_ib = emit_ib };
static const struct amdm_ring_funcs compute_funcs = { .ip = AMDGPU_HW_IP_COMPUTE, .nop = NOP, .emit_ib = emit_ib };
static const struct amdm_ring_funcs dma_funcs = { .ip = AMDGPU_HW_IP_DMA, .emit_ib = emit_ib };
static const struct sdma_layout sdma_v3 = { .generation = 3 }, sdma_v4 = { .generation = 4 };

struct ring_bed {
	struct amdm_device adev;
	struct amdm_hive hive;
	struct amdm_ring ring[3];
	u32 wb[16], dw[AMDM_RING_DWORDS];
	struct pci_dev pdev;
	struct inode inode;
	struct file file;
	struct seq_file m;
	char text[2048];
};

static int ring_setup(struct kunit *test)
{
	static const struct amdm_ring_funcs *const funcs[] = { &gfx_funcs, &compute_funcs, &dma_funcs };
	static const char *const names[] = { "gfx", "comp_1.0.0", "sdma0" };
	struct ring_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&ring_seen, 0, sizeof(ring_seen));
	bed->pdev.dev.init_name = "model";
	bed->adev.pdev = &bed->pdev;
	bed->adev.sdma = &sdma_v4;
	mutex_init(&bed->hive.reset_mutex);
	bed->adev.hive = &bed->hive;
	for (i = 0; i < 3; i++) {
		struct amdm_ring *ring = &bed->ring[i];

		*ring = (struct amdm_ring){ .adev = &bed->adev, .funcs = funcs[i], .wb = bed->wb, .dw = bed->dw, .ready = true };
		strscpy(ring->name, names[i], sizeof(ring->name));
		mutex_init(&ring->lock);
		bed->adev.rings[bed->adev.num_rings++] = ring;
	}
	bed->inode.i_private = &bed->ring[0];
	bed->file.f_inode = &bed->inode;
	bed->m = (struct seq_file){ .buf = bed->text, .size = sizeof(bed->text) - 1, .private = &bed->adev };
	return 0;
}

static void ring_teardown(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_EQ(test, ring_seen.made, 0);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->hive.reset_mutex));
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->ring[i].lock));
}

static ssize_t look(struct kunit *test, loff_t *pos, size_t size, unsigned long to)
{
	struct ring_bed *bed = test->priv;
	ssize_t ret;

	kthread_use_mm(user_mm);
	ret = ring_file_read(&bed->file, (char __user *)to, size, pos);
	kthread_unuse_mm(user_mm);
	return ret;
}

/* Read pointer, write pointer twice, the ring; all within the ring */
static void the_file_of_a_ring(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	loff_t pos = 0;
	u32 got[5];

	bed->wb[AMDM_WB_RPTR] = 3 * AMDM_RING_DWORDS + 16;
	bed->ring[0].wptr = 3 * AMDM_RING_DWORDS + 32;
	bed->dw[0] = 0x11;
	bed->dw[1] = 0x22;
	bed->dw[AMDM_RING_DWORDS - 1] = 0x33;
	KUNIT_EXPECT_EQ(test, look(test, &pos, sizeof(got), user_page), (ssize_t)sizeof(got));
	KUNIT_EXPECT_EQ(test, pos, (loff_t)sizeof(got));
	KUNIT_ASSERT_TRUE(test, user_read(got, sizeof(got)));
	KUNIT_EXPECT_EQ(test, got[0], 16u);
	KUNIT_EXPECT_EQ(test, got[1], 32u);
	KUNIT_EXPECT_EQ(test, got[2], 32u);
	KUNIT_EXPECT_EQ(test, got[3] << 8 | got[4], 0x1122u);
	pos = RING_FILE_DWORDS * 4 - 4;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 16, user_page), (ssize_t)4);
	KUNIT_ASSERT_TRUE(test, user_read(got, 4));
	KUNIT_EXPECT_EQ(test, got[0], 0x33u);
	KUNIT_EXPECT_EQ(test, look(test, &pos, 16, user_page), (ssize_t)0);
	pos = 0;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 3, user_page), (ssize_t)-EINVAL);
	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, 8), (ssize_t)-EFAULT);
	pos = 1;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, user_page), (ssize_t)-EINVAL);
	pos = 1LL << 62;
	KUNIT_EXPECT_EQ(test, look(test, &pos, 4, user_page), (ssize_t)0);
}

static void fences_of_rings(struct kunit *test)
{
	struct ring_bed *bed = test->priv;

	bed->wb[AMDM_WB_FENCE] = 0x1234;
	bed->ring[1].seq = 0x1236;
	KUNIT_EXPECT_EQ(test, fence_info_show(&bed->m, NULL), 0);
	KUNIT_EXPECT_STREQ(test, bed->text,
			   "--- ring 0 (gfx) ---\n"
			   "Last signaled fence          0x00001234\n"
			   "Last emitted                 0x00000000\n"
			   "Last signaled trailing fence 0x00000000\n"
			   "Last emitted                 0x00000000\n"
			   "Last preempted               0x00000000\n"
			   "Last reset                   0x00000000\n"
			   "Last both                    0x00000000\n"
			   "--- ring 1 (comp_1.0.0) ---\n"
			   "Last signaled fence          0x00001234\n"
			   "Last emitted                 0x00001236\n"
			   "--- ring 2 (sdma0) ---\n"
			   "Last signaled fence          0x00001234\n"
			   "Last emitted                 0x00000000\n"
			   "Last signaled trailing fence 0x00000000\n"
			   "Last emitted                 0x00000000\n");
}

#define RESULT	(MC_ADDRESS + 64 * 4)

/* PACKET3_WRITE_DATA to memory (5), WR_CONFIRM; SDMA_OP_WRITE linear, whose count is one less since SDMA 4 */
static const struct {
	u32 ring;
	const struct sdma_layout *sdma;
	u32 dw[TEST_IB_DWORDS];
} buffers[] = {
	{ 1, &sdma_v4, { 0xc0033700, 0x00100500, lower_32_bits(RESULT), upper_32_bits(RESULT), 0xdeadbeef, NOP, NOP, NOP } },
	{ 2, &sdma_v4, { 2, lower_32_bits(RESULT), upper_32_bits(RESULT), 0, 0xdeadbeef } },
	{ 2, &sdma_v3, { 2, lower_32_bits(RESULT), upper_32_bits(RESULT), 1, 0xdeadbeef } },
};

static void buffers_that_rings_run(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	u32 i, k;

	ring_seen.obeys = true;
	for (i = 0; i < ARRAY_SIZE(buffers); i++) {
		bed->adev.sdma = buffers[i].sdma;
		KUNIT_EXPECT_EQ(test, test_ib(&bed->ring[buffers[i].ring]), 0);
		for (k = 0; k < TEST_IB_DWORDS; k++)
			KUNIT_EXPECT_EQ_MSG(test, ring_seen.memory[k], buffers[i].dw[k], "buffer %u dword %u", i, k);
		KUNIT_EXPECT_EQ(test, ring_seen.addr, MC_ADDRESS);
		KUNIT_EXPECT_EQ(test, ring_seen.dwords << 8 | ring_seen.vmid, TEST_IB_DWORDS << 8);
	}
}

static void the_test_passes(struct kunit *test)
{
	struct ring_bed *bed = test->priv;

	ring_seen.obeys = true;
	KUNIT_EXPECT_EQ(test, test_ib_show(&bed->m, NULL), 0);
	KUNIT_EXPECT_STREQ(test, bed->text, "run ib test:\nib ring tests passed.\n");
	KUNIT_EXPECT_EQ(test, ring_seen.commits, 3u);
}

/* Each ring is tried, whatever became of the one before. */
static void the_test_fails(struct kunit *test)
{
	struct ring_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, test_ib_show(&bed->m, NULL), 0);
	KUNIT_EXPECT_STREQ(test, bed->text, "run ib test:\nib ring tests failed (-110).\n");	/* no engine stores the result */
	KUNIT_EXPECT_EQ(test, ring_seen.commits, 3u);
	ring_seen.obeys = true;
	bed->ring[0].ready = false;
	memset(bed->text, 0, sizeof(bed->text));
	bed->m.count = 0;
	KUNIT_EXPECT_EQ(test, test_ib_show(&bed->m, NULL), 0);
	KUNIT_EXPECT_STREQ(test, bed->text, "run ib test:\nib ring tests failed (-19).\n");
	KUNIT_EXPECT_EQ(test, ring_seen.commits, 5u);
	ring_seen.none = true;
	KUNIT_EXPECT_EQ(test, test_ib(&bed->ring[1]), -ENOMEM);
}

static void count_reset(struct work_struct *work)
{
	container_of(work, struct amdm_device, reset_work)->resets++;
}

/* It has happened when the file has been read. */
static void a_reset_is_asked_for(struct kunit *test)
{
	struct ring_bed *bed = test->priv;
	u64 value = 7;

	INIT_WORK(&bed->adev.reset_work, count_reset);
	KUNIT_EXPECT_EQ(test, gpu_recover_get(&bed->adev, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0ULL);
	KUNIT_EXPECT_EQ(test, bed->adev.resets, 1u);
	KUNIT_EXPECT_STREQ(test, bed->adev.reset_cause, "user trigger");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_file_of_a_ring),
	KUNIT_CASE(fences_of_rings),
	KUNIT_CASE(buffers_that_rings_run),
	KUNIT_CASE(the_test_passes),
	KUNIT_CASE(the_test_fails),
	KUNIT_CASE(a_reset_is_asked_for),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_debugfs_ring",
	.suite_init = user_memory_init,
	.suite_exit = user_memory_exit,
	.init = ring_setup,
	.exit = ring_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
