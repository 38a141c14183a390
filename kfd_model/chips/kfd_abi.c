// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Drivers
 *
 * User space sees the driver of one Linux version, which the module parameter "abi" chooses.
 */
#include "kfd_abi.h"

const struct kfdm_abi *kfdm_abi = &kfdm_abi_6_1;

/**
 * kfdm_abi_find() - a driver by its name
 * @name: as in the module parameter
 *
 * Pure. Return: NULL if there is none.
 */
const struct kfdm_abi *kfdm_abi_find(const char *name)
{
	static const struct kfdm_abi *const abis[] = { &kfdm_abi_6_1, &kfdm_abi_7_2 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(abis); i++)
		if (!strcmp(abis[i]->name, name))
			return abis[i];
	return NULL;
}

/**
 * kfdm_chip_find() - the row of a chip
 * @abi:        driver
 * @name:       of the ASIC, as in sysfs
 * @gc_version: IP version of its graphics block; 0 before GFX9
 *
 * Pure. Return: NULL for a chip that is not known.
 */
const struct kfdm_chip *kfdm_chip_find(const struct kfdm_abi *abi, const char *name, u32 gc_version)
{
	const struct kfdm_chip *chip;

	for (chip = abi->chips; chip < abi->chips + abi->num_chips; chip++)
		if (chip->gc_version == gc_version && (gc_version || !strcmp(chip->name, name)))
			return chip;
	return NULL;
}
