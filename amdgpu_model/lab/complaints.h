/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * complaints.h - the file of what the silicon has complained about and the driver has refused.
 */
#ifndef AMDGPU_LAB_COMPLAINTS_H
#define AMDGPU_LAB_COMPLAINTS_H

void amdm_complaints_init(void);
void amdm_complaints_fini(void);

#endif
