// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Trace events
 *
 * The bodies of what kfd_trace.h declares.
 */
#define CREATE_TRACE_POINTS
#include "kfd_trace.h"
