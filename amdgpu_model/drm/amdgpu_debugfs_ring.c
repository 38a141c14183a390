// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_debugfs_ring.c - a look at the kernel's rings: dri/N/amdgpu_ring_*, amdgpu_fence_info, amdgpu_test_ib
 *
 * Names and formats as amdgpu_ring.c, amdgpu_fence.c and amdgpu_debugfs.c of Linux 6.1 have them; radeontop, umr and libdrm's tests
 * read some. Rings are neither preempted nor do they have trailing fences here: those lines are zero.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "amdgpu_debugfs.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/pm4.h"
#include "amdgpu_model/hw/sdma_v4.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define RING_HEAD_DWORDS	3	/* read pointer, write pointer, the driver's write pointer */
#define RING_FILE_DWORDS	(RING_HEAD_DWORDS + AMDM_RING_DWORDS)
#define TEST_IB_MS		1000	/* AMDGPU_IB_TEST_TIMEOUT */
#define TEST_IB_RESULT		64	/* dword behind the buffer */
#define TEST_IB_DWORDS		8
#define TEST_IB_VALUE		0xdeadbeef

static u32 ring_file_dword(const struct amdm_ring *ring, u32 at)
{
	switch (at) {
	case 0:
		return READ_ONCE(ring->wb[AMDM_WB_RPTR]) % AMDM_RING_DWORDS;
	case 1:
	case 2:
		return READ_ONCE(ring->wptr) % AMDM_RING_DWORDS;
	default:
		return READ_ONCE(ring->dw[at - RING_HEAD_DWORDS]);
	}
}

static ssize_t ring_file_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	const struct amdm_ring *ring = file_inode(file)->i_private;
	ssize_t done;

	if (*pos & 3 || size & 3)
		return -EINVAL;
	for (done = 0; done < size && *pos < RING_FILE_DWORDS * sizeof(u32); done += sizeof(u32), *pos += sizeof(u32))
		if (put_user(ring_file_dword(ring, *pos / sizeof(u32)), (u32 __user *)(buf + done)))
			return -EFAULT;
	return done;
}

static const struct file_operations ring_file_fops = {
	.owner = THIS_MODULE,
	.read = ring_file_read,
	.llseek = default_llseek,
};

static int fence_info_show(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = m->private;
	u32 i;

	for (i = 0; i < adev->num_rings; i++) {
		struct amdm_ring *ring = adev->rings[i];
		u32 ip = ring->funcs->ip;

		seq_printf(m, "--- ring %u (%s) ---\n", i, ring->name);
		seq_printf(m, "Last signaled fence          0x%08x\n", READ_ONCE(ring->wb[AMDM_WB_FENCE]));
		seq_printf(m, "Last emitted                 0x%08x\n", READ_ONCE(ring->seq));
		if (ip == AMDGPU_HW_IP_GFX || ip == AMDGPU_HW_IP_DMA) {
			seq_printf(m, "Last signaled trailing fence 0x%08x\n", 0);
			seq_printf(m, "Last emitted                 0x%08x\n", 0);
		}
		if (ip != AMDGPU_HW_IP_GFX)
			continue;
		seq_printf(m, "Last preempted               0x%08x\n", 0);
		seq_printf(m, "Last reset                   0x%08x\n", 0);
		seq_printf(m, "Last both                    0x%08x\n", 0);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(fence_info);

/* A buffer that stores a number behind itself. */
static void test_ib_fill(const struct amdm_ring *ring, struct amdm_gtt *mem)
{
	u64 result = mem->addr + TEST_IB_RESULT * sizeof(u32);
	bool dma = ring->funcs->ip == AMDGPU_HW_IP_DMA;
	u32 *dw = mem->cpu, i = 0;

	dw[i++] = dma ? SDMA_HEADER(SDMA_OP_WRITE, 0) : PM4_HEADER(PM4_WRITE_DATA, 3);
	if (!dma)
		dw[i++] = PM4_DST_MEMORY << 8 | 1u << 20;
	dw[i++] = lower_32_bits(result);
	dw[i++] = upper_32_bits(result);
	if (dma)
		dw[i++] = ring->adev->sdma->generation < 4;	/* one dword; since SDMA 4 the count is one less */
	dw[i++] = TEST_IB_VALUE;
	while (i < TEST_IB_DWORDS)
		dw[i++] = ring->funcs->nop;
}

static int test_ib_wait(struct amdm_device *adev, const u32 *result)
{
	ktime_t end = ktime_add_ms(ktime_get(), TEST_IB_MS * amdm_glue_slow_factor());

	while (READ_ONCE(*result) != TEST_IB_VALUE) {
		if (ktime_after(ktime_get(), end))
			return -ETIMEDOUT;
		usleep_range(10, 50);
	}
	return 0;
}

static int test_ib(struct amdm_ring *ring)
{
	struct amdm_gtt *mem = amdm_gtt_create(ring->adev, PAGE_SIZE);
	struct amdm_ib ib = { .dwords = TEST_IB_DWORDS };
	int ret = -ENODEV;

	if (IS_ERR(mem))
		return PTR_ERR(mem);
	ib.addr = mem->addr;
	test_ib_fill(ring, mem);
	mutex_lock(&ring->lock);
	if (ring->ready) {
		ring->funcs->emit_ib(ring, &ib, 0);
		amdm_ring_commit(ring);
		ret = 0;
	}
	mutex_unlock(&ring->lock);
	if (!ret)
		ret = test_ib_wait(ring->adev, mem->cpu + TEST_IB_RESULT * sizeof(u32));
	if (ret)
		dev_err(&ring->adev->pdev->dev, "IB test failed on %s (%d).\n", ring->name, ret);
	amdm_gtt_destroy(ring->adev, mem);
	return ret;
}

static int test_ib_show(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = m->private;
	int ret = 0, last = 0;
	u32 i;

	ret = mutex_lock_interruptible(&adev->hive->reset_mutex);
	if (ret)
		return ret;
	seq_puts(m, "run ib test:\n");
	for (i = 0; i < adev->num_rings; i++) {
		ret = test_ib(adev->rings[i]);
		if (ret)
			last = ret;
	}
	mutex_unlock(&adev->hive->reset_mutex);
	if (last)
		seq_printf(m, "ib ring tests failed (%d).\n", last);
	else
		seq_puts(m, "ib ring tests passed.\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(test_ib);

static int gpu_recover_get(void *data, u64 *val)
{
	struct amdm_device *adev = data;

	amdm_device_schedule_reset(adev, "user trigger");
	flush_work(&adev->reset_work);
	*val = 0;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(gpu_recover_fops, gpu_recover_get, NULL, "%lld\n");

/** amdm_debugfs_rings() - its files in the folder of a minor */
void amdm_debugfs_rings(struct amdm_device *adev, struct dentry *root)
{
	u32 i;

	for (i = 0; i < adev->num_rings; i++) {
		char name[sizeof("amdgpu_ring_") + AMDM_RING_NAME];

		snprintf(name, sizeof(name), "amdgpu_ring_%s", adev->rings[i]->name);
		debugfs_create_file_size(name, 0444, root, adev->rings[i], &ring_file_fops, RING_FILE_DWORDS * sizeof(u32));
	}
	debugfs_create_file("amdgpu_fence_info", 0444, root, adev, &fence_info_fops);
	debugfs_create_file("amdgpu_test_ib", 0400, root, adev, &test_ib_fops);
	debugfs_create_file("amdgpu_gpu_recover", 0444, root, adev, &gpu_recover_fops);
}
