/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* every_chip.h - a case for each chip that the driver of Linux 6.1 has: KUNIT_CASE_PARAM(test, next_chip); the row is test->param_value */
#ifndef EVERY_CHIP_H
#define EVERY_CHIP_H

#include <kunit/test.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kunit/compat.h"

KUNIT_GENERATOR(next_chip, last, text)
{
	const struct kfdm_chip *chip = last ? (const struct kfdm_chip *)last + 1 : kfdm_abi_6_1.chips;

	if (chip == kfdm_abi_6_1.chips + kfdm_abi_6_1.num_chips)
		return NULL;
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "%s %06x", chip->name, chip->gc_version);
	return chip;
}

#endif
