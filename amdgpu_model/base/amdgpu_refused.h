/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_refused.h - what programs have asked for in vain: amdm_refused() (kfd_bridge.h, for both modules) counts it.
 */
#ifndef AMDGPU_REFUSED_H
#define AMDGPU_REFUSED_H

#include "amdgpu_model/kfd_bridge.h"

#define AMDM_REFUSALS 32

/** struct amdm_refusal - @count times @what was refused, of several the one with the number @subject */
struct amdm_refusal {
	char what[40];
	u64 subject, count;
};

/** struct amdm_refusals - @used rows; @others: what found no row */
struct amdm_refusals {
	u32 used;
	u64 others;
	struct amdm_refusal rows[AMDM_REFUSALS];
};

void amdm_refusals_copy(struct amdm_refusals *copy);

#endif
