// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kunit_module.c - what makes the suites one module. They register themselves through their section (kunit_test_suite()). */
#include <linux/module.h>

#include "amdgpu_model/compat/kernel.h"

MODULE_DESCRIPTION("KUnit suites of kfd_model and amdgpu_model");
MODULE_LICENSE("Dual MIT/GPL");
KFDM_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
