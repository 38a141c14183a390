/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DEBUGFS_H
#define KFD_DEBUGFS_H

void kfdm_debugfs_init(void);
void kfdm_debugfs_fini(void);

#endif
