// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_sdma_v3_test.c - copy engines are let run before their rings are, and halted after them; what else their registers hold stays.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/fake_registers.h"
#include "amdgpu_model/sdma/amdgpu_sdma.c"

#define SDMA_SUITE_NAME		"amdgpu_sdma_v3"
#define SDMA_SUITE_GENERATION	3
#define SDMA_SUITE_BLOCK	amdm_sdma_v3_0
#define SDMA_SUITE_CNTL		SDMA3_CNTL
#define SDMA_SUITE_F32_CNTL	SDMA3_F32_CNTL
#include "sdma_suite.h"
