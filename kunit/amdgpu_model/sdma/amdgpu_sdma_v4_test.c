// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_sdma_v4_test.c - copy engines are let run before their rings are, and halted after them; what else their registers hold stays.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/sdma/amdgpu_sdma.c"

#define SDMA_SUITE_NAME		"amdgpu_sdma_v4"
#define SDMA_SUITE_GENERATION	4
#define SDMA_SUITE_BLOCK	amdm_sdma_v4_0
#define SDMA_SUITE_CNTL		SDMA_CNTL
#define SDMA_SUITE_F32_CNTL	SDMA_F32_CNTL
#include "sdma_suite.h"
