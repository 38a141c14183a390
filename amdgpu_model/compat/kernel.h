/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: kernel.h - what differs between versions of Linux, DRM left out
 *
 * The driver is written for the newest interface; older kernels get it here under its name, or under one of ours where a name stayed and
 * its arguments changed. The script features finds out what a kernel has.
 */
#ifndef KFDM_COMPAT_KERNEL_H
#define KFDM_COMPAT_KERNEL_H

#include <linux/device.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/timer.h>

/* 6.3: flags of a mapping change under its lock. */
#ifndef KFDM_HAS_VM_FLAGS_SET
static inline void vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags |= flags;
}

static inline void vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags &= ~flags;
}
#endif

/* 6.12: struct fd is a word. */
#ifndef fd_file
#define fd_file(f)	((f).file)
#define fd_empty(f)	(!(f).file)
#endif

/* 6.16: another name for it. */
#ifndef timer_container_of
#define timer_container_of(var, timer, field)	from_timer(var, timer, field)
#endif

/** kfdm_class_create() - class_create(), which had the module as first argument before 6.4 */
static inline struct class *kfdm_class_create(const char *name)
{
#ifdef KFDM_HAS_CLASS_OWNER
	return class_create(THIS_MODULE, name);
#else
	return class_create(name);
#endif
}

/* A namespace is a string since 6.13. */
#ifdef KFDM_HAS_NAMESPACE_STRING
#define KFDM_IMPORT_NS(ns)		MODULE_IMPORT_NS(#ns)
#define KFDM_EXPORT_NS(symbol, ns)	EXPORT_SYMBOL_NS_GPL(symbol, #ns)
#else
#define KFDM_IMPORT_NS(ns)		MODULE_IMPORT_NS(ns)
#define KFDM_EXPORT_NS(symbol, ns)	EXPORT_SYMBOL_NS_GPL(symbol, ns)
#endif

#endif
