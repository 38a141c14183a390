/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_kunit.h - what the suites in kunit/ may call of the living module, on a kernel with KUnit
 */
#ifndef AMDGPU_KUNIT_H
#define AMDGPU_KUNIT_H

#include <linux/export.h>

#include "amdgpu_model/compat/kernel.h"

#if IS_ENABLED(CONFIG_KUNIT)
#define EXPORT_SYMBOL_IF_KUNIT(symbol) KFDM_EXPORT_NS(symbol, EXPORTED_FOR_KUNIT_TESTING)
#else
#define EXPORT_SYMBOL_IF_KUNIT(symbol)
#endif

#endif
