// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: How a debugger is told
 *
 * It hands a file over, and a byte is written there when there is an exception for it: the write end of a pipe, in all debuggers that there
 * are. amdkfd writes to any file, with locks held, and blocks if the write blocks (Linux: kfd_debug.c). Here the file is a pipe or a
 * socket, a worker writes, and it does not wait for room: a debugger that has not read the earlier bytes will look for exceptions in any
 * case.
 *
 * The worker has a reference of its own: a bell can be put away while it rings.
 */
#include "kfd_bell.h"

#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include <linux/workqueue.h>

/** struct kfdm_bell - @ref: who may ring it, and the work when it is queued */
struct kfdm_bell {
	struct kref ref;
	struct work_struct work;
	struct file *file;
};

static struct workqueue_struct *bells;

static void release(struct kref *ref)
{
	struct kfdm_bell *bell = container_of(ref, struct kfdm_bell, ref);

	fput(bell->file);
	kfree(bell);
}

/** kfdm_bell_put() - undo kfdm_bell_get(); NULL: nothing */
void kfdm_bell_put(struct kfdm_bell *bell)
{
	if (bell)
		kref_put(&bell->ref, release);
}

static void ring(struct work_struct *work)
{
	struct kfdm_bell *bell = container_of(work, struct kfdm_bell, work);
	char byte = '.';
	struct kvec vec = { .iov_base = &byte, .iov_len = 1 };
	struct iov_iter from;
	struct kiocb kiocb;

	init_sync_kiocb(&kiocb, bell->file);
	kiocb.ki_flags |= IOCB_NOWAIT;
	iov_iter_kvec(&from, ITER_SOURCE, &vec, 1, 1);
	if (vfs_poll(bell->file, NULL) & EPOLLOUT)	/* pipes do not look at IOCB_NOWAIT before 6.4 */
		bell->file->f_op->write_iter(&kiocb, &from);
	kfdm_bell_put(bell);
}

/**
 * kfdm_bell_get() - a bell for a file
 * @fd: of current
 *
 * Return: ERR_PTR(-EBADF): no file, or none that can be rung; -ENOMEM.
 */
struct kfdm_bell *kfdm_bell_get(u32 fd)
{
	struct file *file = fget(fd);
	struct kfdm_bell *bell;
	umode_t mode;

	if (!file)
		return ERR_PTR(-EBADF);
	mode = file_inode(file)->i_mode;
	bell = ERR_PTR(-EBADF);
	if ((!S_ISFIFO(mode) && !S_ISSOCK(mode)) || !(file->f_mode & FMODE_WRITE) || !file->f_op->write_iter)
		goto put;
	bell = kzalloc(sizeof(*bell), GFP_KERNEL_ACCOUNT);
	if (!bell) {
		bell = ERR_PTR(-ENOMEM);
		goto put;
	}
	kref_init(&bell->ref);
	INIT_WORK(&bell->work, ring);
	bell->file = file;
	return bell;
put:
	fput(file);
	return bell;
}

/** kfdm_bell_ring() - wake the debugger. Context: process; does not sleep */
void kfdm_bell_ring(struct kfdm_bell *bell)
{
	kref_get(&bell->ref);
	if (!queue_work(bells, &bell->work))
		kfdm_bell_put(bell);
}

/** kfdm_bells_init() - at module load. Return: 0, -ENOMEM */
int kfdm_bells_init(void)
{
	bells = alloc_workqueue("kfd_debug_wq", WQ_UNBOUND, 0);
	return bells ? 0 : -ENOMEM;
}

/** kfdm_bells_fini() - at module unload */
void kfdm_bells_fini(void)
{
	destroy_workqueue(bells);
}
