// SPDX-License-Identifier: MIT
/* drm_trace.cpp - what ftrace shows of a job of the render node: amdgpu's events, in order, with the fields that programs look for. */
#include <regex>

#include "drm_job.hpp"
#include "tracing.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* The value of a field in the first line of an event. */
std::string field(const std::string &trace, const std::string &event, const std::string &name)
{
	std::smatch found;

	return std::regex_search(trace, found, std::regex(event + ": .*" + name + "=([^, \n]*)")) ? found[1].str() : "";
}

} // namespace

KFDM_TEST("trace events tell a job's life")
{
	drm::Device device;
	drm::Context context(device);
	Recording recording("amdgpu");
	{
		drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
		Ib ib(device);

		recording.expect({"amdgpu_vm_set_ptes: pe=", "count=1, immediate=0", "amdgpu_vm_bo_map: bo=",
				  fmt::format("start={:x}, last={:x}, offset=0000000000", out.gpu() / 4096, out.gpu() / 4096)});
		ib.store(AMDGPU_HW_IP_COMPUTE, out.gpu(), 7);
		CHECK(context.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 0, {out.handle()})).wait(long_ns));
		/* src_id: GFX_9_0__SRCID__CP_EOP_INTERRUPT, on all generations */
		recording.expect({"amdgpu_cs_ioctl: sched_job=", "num_ibs=1", "amdgpu_vm_grab_id: pasid=", "needs_flush=1",
				  "amdgpu_sched_run_job: sched_job=", "num_ibs=1",
				  "amdgpu_vm_flush: ring=", "amdgpu_iv: ih:0 client_id:", "src_id:181"});
		const std::string trace = Recording::text();
		for (const char *name : {"sched_job", "timeline", "context", "seqno", "ring_name"}) {
			CHECK(!field(trace, "amdgpu_cs_ioctl", name).empty());
			CHECK_EQ(field(trace, "amdgpu_cs_ioctl", name), field(trace, "amdgpu_sched_run_job", name));
		}
		CHECK_EQ(field(trace, "amdgpu_vm_flush", "id"), field(trace, "amdgpu_vm_grab_id", "id"));
		CHECK_EQ(field(trace, "amdgpu_vm_flush", "pd_addr"), field(trace, "amdgpu_vm_grab_id", "pd_addr"));
		Recording::clear();
	}
	recording.wait_for("amdgpu_vm_bo_unmap: bo=");
}
