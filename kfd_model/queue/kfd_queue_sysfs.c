// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: /sys/devices/virtual/kfd/kfd/proc/<pid>/queues/<id>
 */
#include <linux/slab.h>

#include "kfd_queue_sysfs.h"
#include "kfd_queues.h"
#include "kfd_model/base/kfd_sysfs_dir.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/process/kfd_process.h"

/** struct kfdm_queue_sysfs - queues/<id> */
struct kfdm_queue_sysfs {
	struct kfdm_dir *dir;
	struct attribute size, type, gpuid;
};

static ssize_t queue_show(struct kfdm_dir *dir, const char *name, char *buf)
{
	struct kfdm_queue *q = dir->of;

	if (!strcmp(name, "size"))
		return sysfs_emit(buf, "%llu", q->properties.queue_size);
	if (!strcmp(name, "type"))
		return sysfs_emit(buf, "%d", kfdm_abi->queue_type_numbers[q->properties.type]);
	return sysfs_emit(buf, "%u", q->pdd->dev->id);
}

/** kfdm_queue_sysfs_add() - of a new queue */
void kfdm_queue_sysfs_add(struct kfdm_queue *q)
{
	struct kfdm_process *p = q->pdd->process;
	struct kfdm_queue_sysfs *s;

	if (!p->queues_dir)
		return;
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return;
	s->dir = kfdm_dir_make(&p->queues_dir->kobj, q, queue_show, "%u", q->properties.queue_id);
	kfdm_file_make(s->dir, &s->size, "size");
	kfdm_file_make(s->dir, &s->type, "type");
	kfdm_file_make(s->dir, &s->gpuid, "gpuid");
	q->sysfs = s;
}

/** kfdm_queue_sysfs_remove() - before a queue goes; may be called again */
void kfdm_queue_sysfs_remove(struct kfdm_queue *q)
{
	if (!q->sysfs)
		return;
	kfdm_dir_remove(q->sysfs->dir);
	kfree(q->sysfs);
	q->sysfs = NULL;
}
