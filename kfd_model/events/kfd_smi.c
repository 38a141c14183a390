// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: SMI events
 *
 * A stream of text lines about a device, for monitoring tools: a file descriptor each, which names the events it wants by
 * writing a mask. A reader sees its own process's events and the device's; with CAP_SYS_ADMIN, if it asks, everybody's
 * (Linux: kfd_smi_events.c). A descriptor may be passed to any process, also to one that is not killed when the GPU is unplugged:
 * therefore it keeps a reference to the device object.
 */
#include "kfd_smi.h"

#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/svm/kfd_svm.h"
#include "uapi/kfd_ioctl.h"

/**
 * struct smi_client - one open stream
 * @link:   in the device's list: writers hold smi_lock, readers RCU
 * @dev:    referenced
 * @lock:   @fifo
 * @events: mask of wanted events
 * @tgid:   the opener's
 * @may_see_all: the opener had CAP_SYS_ADMIN
 */
struct smi_client {
	struct list_head link;
	struct rcu_head rcu;
	struct kfdm_device *dev;
	struct kfifo fifo;
	wait_queue_head_t wait;
	spinlock_t lock;
	u64 events;
	struct pid *tgid;
	bool may_see_all;
};

static __poll_t smi_poll(struct file *filp, poll_table *table)
{
	struct smi_client *client = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &client->wait, table);
	spin_lock(&client->lock);
	if (!kfifo_is_empty(&client->fifo))
		mask = EPOLLIN | EPOLLRDNORM;
	spin_unlock(&client->lock);
	return mask;
}

static ssize_t smi_read(struct file *filp, char __user *user, size_t size, loff_t *offset)
{
	struct smi_client *client = filp->private_data;
	ssize_t n;
	char *buf;

	size = min_t(size_t, size, kfdm_abi->smi.fifo_bytes);
	buf = kmalloc(size, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	spin_lock(&client->lock);
	n = kfifo_out(&client->fifo, buf, size);
	spin_unlock(&client->lock);
	if (copy_to_user(user, buf, n))
		n = -EFAULT;
	kfree(buf);
	return n ? n : -EAGAIN;
}

static ssize_t smi_write(struct file *filp, const char __user *user, size_t size, loff_t *offset)
{
	struct smi_client *client = filp->private_data;
	u64 events;

	if (!access_ok(user, size) || size < sizeof(events) || copy_from_user(&events, user, sizeof(events)))
		return -EFAULT;
	WRITE_ONCE(client->events, events);
	return sizeof(events);
}

static void smi_free(struct rcu_head *rcu)
{
	struct smi_client *client = container_of(rcu, struct smi_client, rcu);

	kfifo_free(&client->fifo);
	put_pid(client->tgid);
	kfree(client);
}

static void smi_remove(struct smi_client *client)
{
	struct kfdm_device *dev = client->dev;

	spin_lock(&dev->smi_lock);
	list_del_rcu(&client->link);
	spin_unlock(&dev->smi_lock);
	/* A client in the list holds the device by another reference. */
	kfdm_device_put(dev);
	call_rcu(&client->rcu, smi_free);
}

static int smi_release(struct inode *inode, struct file *filp)
{
	smi_remove(filp->private_data);
	return 0;
}

static const struct file_operations smi_fops = {
	.owner = THIS_MODULE,
	.poll = smi_poll,
	.read = smi_read,
	.write = smi_write,
	.release = smi_release,
	.llseek = noop_llseek,
};

/**
 * kfdm_smi_open() - SMI_EVENTS
 * @dev: device
 * @fd:  out
 *
 * Return: 0, -ENOMEM, or an error of anon_inode_getfd().
 */
int kfdm_smi_open(struct kfdm_device *dev, u32 *fd)
{
	struct smi_client *client = kzalloc(sizeof(*client), GFP_KERNEL);
	int ret;

	if (!client)
		return -ENOMEM;
	ret = kfifo_alloc(&client->fifo, kfdm_abi->smi.fifo_bytes, GFP_KERNEL);
	if (ret) {
		kfree(client);
		return ret;
	}
	kfdm_device_get(dev);
	client->dev = dev;
	client->tgid = get_pid(task_tgid(current));
	client->may_see_all = capable(CAP_SYS_ADMIN);
	init_waitqueue_head(&client->wait);
	spin_lock_init(&client->lock);

	spin_lock(&dev->smi_lock);
	list_add_rcu(&client->link, &dev->smi_clients);
	spin_unlock(&dev->smi_lock);

	ret = anon_inode_getfd("kfd_smi_ev", &smi_fops, client, O_RDWR);
	if (ret < 0) {
		smi_remove(client);
		return ret;
	}
	*fd = ret;
	return 0;
}

static bool wants(const struct smi_client *client, u32 event, const struct pid *tgid)
{
	u64 events = READ_ONCE(client->events);

	if (!(events & KFD_SMI_EVENT_MASK_FROM_INDEX(event)))
		return false;
	if (!tgid || tgid == client->tgid)
		return true;
	return client->may_see_all && (kfdm_abi->smi.root_sees_all || events & KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_ALL_PROCESS));
}

/* A message is delivered whole or not at all. @tgid NULL: about the device. */
static __printf(4, 5) void send(struct kfdm_device *dev, u32 event, const struct pid *tgid, const char *format, ...)
{
	char line[KFD_SMI_EVENT_MSG_SIZE];
	struct smi_client *client;
	va_list args;
	int n;

	if (list_empty(&dev->smi_clients))
		return;
	n = scnprintf(line, sizeof(line), "%x ", event);
	va_start(args, format);
	n += vscnprintf(line + n, sizeof(line) - n, format, args);
	va_end(args);

	rcu_read_lock();
	list_for_each_entry_rcu(client, &dev->smi_clients, link) {
		if (!wants(client, event, tgid))
			continue;
		spin_lock(&client->lock);
		if (kfifo_avail(&client->fifo) >= n) {
			kfifo_in(&client->fifo, line, n);
			wake_up_all(&client->wait);
		}
		spin_unlock(&client->lock);
	}
	rcu_read_unlock();
}

/** kfdm_smi_vm_fault() - a process's access faulted */
void kfdm_smi_vm_fault(struct kfdm_device *dev, const struct kfdm_process *p)
{
	send(dev, KFD_SMI_EVENT_VMFAULT, kfdm_abi->smi.faults_for_all ? NULL : p->tgid, "%x:%s\n", p->lead_thread->pid,
	     p->lead_thread->comm);
}

/** kfdm_smi_gpu_reset() - a reset begins, for @cause, or is over; before Linux 6.12 events do not tell the cause */
void kfdm_smi_gpu_reset(struct kfdm_device *dev, bool post, const char *cause)
{
	if (!post)
		dev->reset_sequence++;
	send(dev, post ? KFD_SMI_EVENT_GPU_POST_RESET : KFD_SMI_EVENT_GPU_PRE_RESET, NULL, "%x%s%s\n", dev->reset_sequence,
	     kfdm_abi->smi.reset_cause ? " " : "", kfdm_abi->smi.reset_cause ? cause : "");
}

/** kfdm_smi_process() - a process begins to use a device, or no longer does */
void kfdm_smi_process(struct kfdm_device *dev, struct kfdm_process *p, bool start)
{
	if (kfdm_abi->smi.tells_processes)
		send(dev, start ? KFD_SMI_EVENT_PROCESS_START : KFD_SMI_EVENT_PROCESS_END, NULL, "%x %s\n", p->lead_thread->pid,
		     p->lead_thread->comm);
}

/** kfdm_smi_page_fault_start() - an access to a page (its number) has begun to wait at a time of the boot clock */
void kfdm_smi_page_fault_start(struct kfdm_device *dev, struct kfdm_process *p, u64 page, bool write, u64 ns)
{
	send(dev, KFD_SMI_EVENT_PAGE_FAULT_START, p->tgid, "%lld -%d @%llx(%x) %c\n", ns, p->lead_thread->pid, page, dev->id,
	     write ? 'W' : 'R');
}

/** kfdm_smi_page_fault_end() - the page is there, and has come to VRAM for it ('M': migrated), or has not ('U': updated) */
void kfdm_smi_page_fault_end(struct kfdm_device *dev, struct kfdm_process *p, u64 page, bool moved)
{
	send(dev, KFD_SMI_EVENT_PAGE_FAULT_END, p->tgid, "%lld -%d @%llx(%x) %c\n", ktime_get_boottime_ns(), p->lead_thread->pid,
	     page, dev->id, moved ? 'M' : 'U');
}

/* A place is the id of a GPU, or 0: the host. */
static void migration_starts(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what, u32 from, u32 to)
{
	u64 first = what->start >> PAGE_SHIFT, pages = (what->end - what->start) >> PAGE_SHIFT;
	u32 prefetch, preferred;

	kfdm_svm_get_places(p, first, &prefetch, &preferred);
	send(dev, KFD_SMI_EVENT_MIGRATE_START, p->tgid, "%lld -%d @%llx(%llx) %x->%x %x:%x %d\n", ktime_get_boottime_ns(),
	     p->lead_thread->pid, first, pages, from, to, prefetch, preferred, what->trigger);
}

static void migration_ends(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what, u32 from, u32 to)
{
	u64 first = what->start >> PAGE_SHIFT, pages = (what->end - what->start) >> PAGE_SHIFT;
	char error[16] = "";

	if (kfdm_abi->smi.tells_errors)
		scnprintf(error, sizeof(error), " %d", what->error);
	else if (what->error)
		return;
	send(dev, KFD_SMI_EVENT_MIGRATE_END, p->tgid, "%lld -%d @%llx(%llx) %x->%x %d%s\n", ktime_get_boottime_ns(),
	     p->lead_thread->pid, first, pages, from, to, what->trigger, error);
}

/** kfdm_smi_migration() - memory of a process begins to move between the host and a device's VRAM, or is done */
void kfdm_smi_migration(struct kfdm_device *dev, struct kfdm_process *p, const struct kfd_bridge_migration *what)
{
	u32 from = what->to_vram ? 0 : dev->id, to = what->to_vram ? dev->id : 0;

	if (what->done)
		migration_ends(dev, p, what, from, to);
	else
		migration_starts(dev, p, what, from, to);
}

/** kfdm_smi_unmap() - a device has lost pages of shared memory (their numbers); @trigger: KFD_SVM_UNMAP_TRIGGER_* */
void kfdm_smi_unmap(struct kfdm_device *dev, struct kfdm_process *p, u64 first, u64 last, u32 trigger)
{
	send(dev, KFD_SMI_EVENT_UNMAP_FROM_GPU, p->tgid, "%lld -%d @%llx(%llx) %x %d\n", ktime_get_boottime_ns(),
	     p->lead_thread->pid, first, last - first + 1, dev->id, trigger);
}

/** kfdm_smi_queue_eviction() - a process's queues leave the device. May be called from an MMU notifier */
void kfdm_smi_queue_eviction(struct kfdm_device *dev, struct kfdm_process *p, u32 trigger)
{
	send(dev, KFD_SMI_EVENT_QUEUE_EVICTION, p->tgid, "%lld -%d %x %d\n", ktime_get_boottime_ns(),
	     p->lead_thread->pid, dev->id, trigger);
}

/** kfdm_smi_queue_restore() - a process's queues are back, or (@rescheduled) will be tried again */
void kfdm_smi_queue_restore(struct kfdm_device *dev, struct kfdm_process *p, bool rescheduled)
{
	send(dev, KFD_SMI_EVENT_QUEUE_RESTORE, p->tgid, "%lld -%d %x%s\n", ktime_get_boottime_ns(), p->lead_thread->pid,
	     dev->id, rescheduled ? " R" : kfdm_abi->smi.restored);
}
