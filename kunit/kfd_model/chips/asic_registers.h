/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* asic_registers.h - what the suites of process registers share: registers of one process a row */
#ifndef KUNIT_ASIC_REGISTERS_H
#define KUNIT_ASIC_REGISTERS_H

#include <kunit/test.h>

#include "kfd_model/chips/kfd_asic.h"

#define WINDOWS		.lds_base = 1ULL << 48, .scratch_base = 2ULL << 48
#define OLD_WINDOWS	.lds_base = 0x2000000000000000, .scratch_base = 0x2000000100000000	/* up to GFX8 */

struct registers_row {
	const char *what;
	const struct kfdm_asic_ops *asic;
	struct kfdm_sh_mem_inputs in;
	u32 config, bases, sdma_vm;
};

static void registers_name(const struct registers_row *row, char *text)
{
	strscpy(text, row->what, KUNIT_PARAM_DESC_SIZE);
}

static void registers(struct kunit *test)
{
	const struct registers_row *row = test->param_value;
	struct kfdm_map_process process = {};

	row->asic->update_qpd(&process, &row->in);
	KUNIT_EXPECT_EQ(test, process.sh_mem_config, row->config);
	KUNIT_EXPECT_EQ(test, process.sh_mem_bases, row->bases);
	KUNIT_EXPECT_EQ(test, row->asic->sdma_vm_addr(&row->in), row->sdma_vm);
}

#endif
