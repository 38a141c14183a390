/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CHARDEV_H
#define KFD_CHARDEV_H

struct device;

int kfdm_chardev_init(void);
void kfdm_chardev_fini(void);

#endif
