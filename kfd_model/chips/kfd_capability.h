/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CAPABILITY_H
#define KFD_CAPABILITY_H

#include "kfd_chips.h"

#define KFDM_RAS_UMC	BIT(0)
#define KFDM_RAS_GRAPHICS	BIT(2)

/**
 * struct kfdm_capability_inputs - what a GPU node tells of itself in bits
 * @chip:      row
 * @ras:       blocks with error correction
 * @svm:       the driver has shared virtual memory
 * @virtual_function, @coherent_host: the device is one; its memory is coherent with the host's caches
 * @asic_revision, @mec_fw, @mes_version: of the device
 */
struct kfdm_capability_inputs {
	const struct kfdm_chip *chip;
	u32 ras;
	bool svm, virtual_function, coherent_host;
	u32 asic_revision, mec_fw, mes_version;
};

u32 kfdm_capability(const struct kfdm_capability_inputs *in);
u32 kfdm_capability_7_2(const struct kfdm_capability_inputs *in);
u32 kfdm_debug_capability_7_2(const struct kfdm_capability_inputs *in);
u32 kfdm_debug_capability2_7_2(const struct kfdm_capability_inputs *in);
u32 kfdm_debug_prop_7_2(const struct kfdm_capability_inputs *in);

#endif
