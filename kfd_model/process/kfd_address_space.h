/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_ADDRESS_SPACE_H
#define KFD_ADDRESS_SPACE_H

struct inode;

struct inode *kfdm_inode_create(void);
void kfdm_inode_destroy(struct inode *inode);

#endif
