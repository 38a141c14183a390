// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: /sys/kernel/debug/kfd
 *
 * The scheduler's memory and registers as text: descriptors of all queues, hardware queue registers, run lists; and a switch that
 * makes the firmware hang (Linux: kfd_debugfs.c).
 */
#include "kfd_debugfs.h"

#include <linux/debugfs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/topology/kfd_topology.h"

#define MAX_REGS	64

static struct dentry *dir;

static void dump_words(struct seq_file *m, const void *words, size_t bytes)
{
	seq_hex_dump(m, "    ", DUMP_PREFIX_OFFSET, 32, 4, words, bytes, false);
}

static const char *queue_kind(const struct kfdm_queue *q)
{
	return kfdm_queue_is_sdma(&q->properties) ? "SDMA queue" : "Compute queue";
}

static void dump_process_mqds(struct kfdm_process *p, void *data)
{
	struct seq_file *m = data;
	struct kfdm_queue *q;

	seq_printf(m, "Process %d PASID 0x%x:\n", p->lead_thread->tgid, p->pasid);
	mutex_lock(&p->mutex);
	list_for_each_entry(q, &p->queues, link) {
		if (!q->mqd.mqd)	/* its process is ending */
			continue;
		seq_printf(m, "  %s on device %x\n", queue_kind(q), q->pdd->dev->id);
		dump_words(m, q->mqd.mqd, q->pdd->dev->chip->mqd[q->mqd.type].size);
	}
	mutex_unlock(&p->mutex);
}

static int mqds_show(struct seq_file *m, void *unused)
{
	kfdm_processes_for_each(dump_process_mqds, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mqds);

/* A line holds registers that follow each other, at most eight. */
static void dump_regs(struct seq_file *m, u32 (*regs)[2], u32 n)
{
	u32 i, on_line = 0;

	for (i = 0; i < n; i++) {
		if (on_line == 8 || !i || regs[i - 1][0] + sizeof(u32) != regs[i][0]) {
			seq_printf(m, "%s    %08x:", i ? "\n" : "", regs[i][0]);
			on_line = 0;
		}
		seq_printf(m, " %08x", regs[i][1]);
		on_line++;
	}
	seq_puts(m, "\n");
}

static void dump_cp(struct seq_file *m, struct kfdm_device *dev, u32 (*regs)[2])
{
	u32 per_pipe = dev->resources.num_queue_per_pipe, slot, n;

	if (!kfdm_kgd->hqd_dump(dev->xcp, KFDM_HIQ_PIPE, KFDM_HIQ_QUEUE, regs, MAX_REGS, &n)) {
		seq_printf(m, "  HIQ on MEC %d Pipe %d Queue %d\n", KFDM_HIQ_PIPE / dev->resources.num_pipe_per_mec + 1,
			   KFDM_HIQ_PIPE % dev->resources.num_pipe_per_mec, KFDM_HIQ_QUEUE);
		dump_regs(m, regs, n);
	}
	for_each_set_bit(slot, dev->resources.cp_queue_bitmap, dev->resources.num_pipe_per_mec * per_pipe) {
		if (kfdm_kgd->hqd_dump(dev->xcp, slot / per_pipe, slot % per_pipe, regs, MAX_REGS, &n))
			break;
		seq_printf(m, "  CP Pipe %d, Queue %d\n", slot / per_pipe, slot % per_pipe);
		dump_regs(m, regs, n);
	}
}

static void dump_sdma(struct seq_file *m, struct kfdm_device *dev, u32 (*regs)[2])
{
	u32 engine, queue, n;

	for (engine = 0; engine < dev->info.sdma_engines + dev->info.xgmi_sdma_engines; engine++)
		for (queue = 0; queue < dev->info.sdma_queues_per_engine; queue++) {
			if (kfdm_kgd->hqd_sdma_dump(dev->adev, engine, queue, regs, MAX_REGS, &n))
				return;
			seq_printf(m, "  SDMA Engine %d, RLC %d\n", engine, queue);
			dump_regs(m, regs, n);
		}
}

static void dump_hqds(struct seq_file *m, struct kfdm_device *dev)
{
	u32 (*regs)[2] = kcalloc(MAX_REGS, sizeof(*regs), GFP_KERNEL);

	if (!regs)
		return;
	kfdm_dqm_lock(dev->dqm);
	if (dev->dqm->sched_running) {
		dump_cp(m, dev, regs);
		dump_sdma(m, dev, regs);
	} else {
		seq_puts(m, " Device is stopped\n");
	}
	kfdm_dqm_unlock(dev->dqm);
	kfree(regs);
}

static void dump_run_list(struct seq_file *m, struct kfdm_device *dev)
{
	kfdm_dqm_lock(dev->dqm);
	if (dev->dqm->active_run_list && dev->dqm->run_list.chunks)
		dump_words(m, dev->dqm->run_list.cpu, dev->dqm->run_list_bytes);
	else
		seq_puts(m, "  No active runlist\n");
	kfdm_dqm_unlock(dev->dqm);
}

static void for_each_device(struct seq_file *m, void (*fn)(struct seq_file *m, struct kfdm_device *dev))
{
	struct kfdm_device *devices[KFDM_MAX_DEVICES];
	u32 i, n = kfdm_devices_get(devices);
	u32 cpu_nodes = kfdm_topology_num_nodes() - n;	/* they come first */

	for (i = 0; i < n; i++) {
		seq_printf(m, "Node %u, gpu_id %x:\n", cpu_nodes + i, devices[i]->id);
		fn(m, devices[i]);
	}
	kfdm_devices_put(devices, n);
}

static int hqds_show(struct seq_file *m, void *unused)
{
	for_each_device(m, dump_hqds);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(hqds);

static int rls_show(struct seq_file *m, void *unused)
{
	for_each_device(m, dump_run_list);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rls);

static int hang_hws_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "echo gpu_id > hang_hws\n");
	return 0;
}

static int hang_hws_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, hang_hws_show, NULL);
}

static ssize_t hang_hws_write(struct file *filp, const char __user *user, size_t size, loff_t *offset)
{
	struct kfdm_device *dev;
	char text[16] = {};
	u32 gpu_id;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, user, size))
		return -EFAULT;
	if (kstrtou32(strim(text), 10, &gpu_id))
		return -EINVAL;
	dev = kfdm_device_by_id(gpu_id);
	if (!dev)
		return -EINVAL;
	if (dev->dqm->sched_policy != KFDM_SCHED_POLICY_HWS)
		pr_err("kfd_model: HWS is not enabled\n");
	else if (dev->facts.enable_mes)
		pr_err("kfd_model: Inducing MES hang is not supported\n");
	else
		kfdm_cpsch_hang_hiq(dev->dqm);
	kfdm_device_put_user(dev);
	return size;
}

static const struct file_operations hang_hws_fops = {
	.owner = THIS_MODULE,
	.open = hang_hws_open,
	.read = seq_read,
	.write = hang_hws_write,
	.release = single_release,
};

static int mem_limit_show(struct seq_file *m, void *unused)
{
	struct kfd2kgd_mem_limits limits;

	kfdm_kgd->mem_limits(&limits);
	seq_printf(m, "System mem used %lldM out of %lluM\n", limits.system_used >> 20, limits.system_max >> 20);
	seq_printf(m, "TTM mem used %lldM out of %lluM\n", limits.ttm_used >> 20, limits.ttm_max >> 20);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mem_limit);

/** kfdm_debugfs_init() - failures do no harm */
void kfdm_debugfs_init(void)
{
	dir = debugfs_create_dir("kfd", NULL);
	debugfs_create_file("mqds", 0444, dir, NULL, &mqds_fops);
	debugfs_create_file("hqds", 0444, dir, NULL, &hqds_fops);
	debugfs_create_file("rls", 0444, dir, NULL, &rls_fops);
	debugfs_create_file("hang_hws", 0200, dir, NULL, &hang_hws_fops);
	debugfs_create_file("mem_limit", 0200, dir, NULL, &mem_limit_fops);
}

/** kfdm_debugfs_fini() - undo it */
void kfdm_debugfs_fini(void)
{
	debugfs_remove_recursive(dir);
}
