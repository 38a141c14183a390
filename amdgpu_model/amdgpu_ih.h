/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_ih.h - the interrupt handler.
 */
#ifndef AMDGPU_IH_H
#define AMDGPU_IH_H

#include "amdgpu_device.h"

void amdm_ih_process(struct amdm_device *adev);

#endif
