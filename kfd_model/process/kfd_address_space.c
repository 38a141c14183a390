// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: An address_space for each process
 *
 * All who open a character device share its inode's address_space, so that unmapping a doorbell slice from one process would
 * walk the mappings of all. Each process therefore gets an inode of its own from a file system that is never mounted
 * anywhere, and its open files point to that inode's address_space (as DRM does for devices).
 */
#include "kfd_address_space.h"

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>

#define KFDM_FS_MAGIC 0x6b66646d

static int init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, KFDM_FS_MAGIC) ? 0 : -ENOMEM;
}

static struct file_system_type kfdm_fs = {
	.name = "kfd_model",
	.owner = THIS_MODULE,
	.init_fs_context = init_fs_context,
	.kill_sb = kill_anon_super,
};

static struct vfsmount *kfdm_mount;
static int kfdm_mount_count;

/** kfdm_inode_create() - an inode with an address_space. Return: inode or ERR_PTR */
struct inode *kfdm_inode_create(void)
{
	struct inode *inode;
	int ret = simple_pin_fs(&kfdm_fs, &kfdm_mount, &kfdm_mount_count);

	if (ret)
		return ERR_PTR(ret);
	inode = alloc_anon_inode(kfdm_mount->mnt_sb);
	if (IS_ERR(inode))
		simple_release_fs(&kfdm_mount, &kfdm_mount_count);
	return inode;
}

/** kfdm_inode_destroy() - undo kfdm_inode_create(); no mapping may be left */
void kfdm_inode_destroy(struct inode *inode)
{
	if (IS_ERR_OR_NULL(inode))
		return;
	iput(inode);
	simple_release_fs(&kfdm_mount, &kfdm_mount_count);
}
