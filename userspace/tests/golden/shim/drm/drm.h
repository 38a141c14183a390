/* SPDX-License-Identifier: MIT */
/* <linux/kfd_ioctl.h> names this header for its types alone, and no C library package has it under this name. */
#ifndef GOLDEN_SHIM_DRM_H
#define GOLDEN_SHIM_DRM_H

#include <linux/ioctl.h>
#include <linux/types.h>

#endif
