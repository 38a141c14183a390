/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: trace.h - what differs between versions of Linux in definitions of trace events
 */
#ifndef KFDM_COMPAT_TRACE_H
#define KFDM_COMPAT_TRACE_H

/* 6.10: __assign_str() knows its source from __string(). */
#ifdef KFDM_HAS_TRACE_ASSIGN_SOURCE
#define kfdm_assign_str(dst, src)	__assign_str(dst, src)
#else
#define kfdm_assign_str(dst, src)	__assign_str(dst)
#endif

#endif
