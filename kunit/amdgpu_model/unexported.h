/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * unexported.h - for suites that include a file of amdgpu_model which exports something: their copy of it is for them alone. Included
 * last before that file.
 */
#ifndef UNEXPORTED_H
#define UNEXPORTED_H

#include <linux/export.h>

#undef EXPORT_SYMBOL_GPL
#undef EXPORT_SYMBOL_NS_GPL
#define EXPORT_SYMBOL_GPL(symbol)		_Static_assert(true, #symbol)
#define EXPORT_SYMBOL_NS_GPL(symbol, space)	_Static_assert(true, #symbol)

#endif
