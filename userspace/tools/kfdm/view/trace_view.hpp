// SPDX-License-Identifier: MIT
/*
 * trace_view.hpp - the chip's event trace for eyes: Chrome's trace format, which the Perfetto UI opens, and an SVG time line of
 * the CUs coloured by queue.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <uapi/amdgpu_model_ctl.h>

namespace kfdm::view {

using TraceEvents = std::span<const amdm_ctl_trace_event>;

/** Something that lasted, paired from its start and its end. What has no end in the trace ends with the trace. */
struct TraceSpan {
	enum class Kind { Workgroup, Packet, Queue, Sdma } kind;
	uint32_t where; /**< HQD or SDMA queue */
	uint16_t vmid;
	uint64_t start, end; /**< cycles */
	uint64_t a, b;	     /**< of the start event */
};

std::vector<TraceSpan> trace_spans(TraceEvents events);

/** "MEC 1.2.3" (pipe and queue), "SDMA 0.1". */
std::string place_name(uint32_t where);

/** JSON array format; time stamps in microseconds. @cycles_per_us: the shader clock. */
std::string chrome_trace(TraceEvents events, double cycles_per_us);
/** @name_of: whose a workgroup is, by which it is coloured; without it the queue's place and its VMID. */
std::string trace_time_line(TraceEvents events, double cycles_per_us, const std::string &title,
			    const std::function<std::string(const TraceSpan &)> &name_of = {});

} // namespace kfdm::view
