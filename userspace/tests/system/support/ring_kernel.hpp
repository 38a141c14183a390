// SPDX-License-Identifier: MIT
/*
 * ring_kernel.hpp - kernels as jobs of the render node: registers and DISPATCH_DIRECT in an indirect buffer.
 */
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include <hw/aql.h>
#include <hw/regs.h>

#include <kfdm/code_object.hpp>
#include <kfdm/pm4.hpp>

#include "drm_job.hpp"

namespace kfdm::test {

/** A code object in VRAM whose kernels take { u64, u32 } and nothing else. */
class RingKernel {
public:
	RingKernel(const drm::Device &device, const std::string &name, const std::string &isa)
		: object_(CodeObject::read(find_device_code(name, isa))), code_(device, object_.memory_size(), AMDGPU_GEM_DOMAIN_VRAM),
		  arguments_(device, 4096, AMDGPU_GEM_DOMAIN_GTT), ib_(device)
	{
		const std::vector<uint8_t> image = object_.image(code_.gpu());

		std::copy(image.begin(), image.end(), code_.as<uint8_t>().begin());
	}

	/** A job that runs @groups workgroups of 64 work-items, each with @lds bytes of LDS. */
	[[nodiscard]] drm::Context::Job job(unsigned ip, unsigned ring, const std::string &kernel, const drm::Buffer &out, uint32_t value,
					    uint32_t groups, uint32_t lds)
	{
		const uint64_t descriptor = object_.kernel(kernel).descriptor;
		const uint8_t *bytes = code_.as<uint8_t>().data() + descriptor;
		int64_t entry = 0;
		uint32_t rsrc[2], rsrc3 = 0;

		std::memcpy(&entry, bytes + KD_CODE_ENTRY_OFFSET, sizeof(entry));
		std::memcpy(rsrc, bytes + KD_RSRC1, sizeof(rsrc));
		std::memcpy(&rsrc3, bytes + KD_RSRC3, sizeof(rsrc3));
		rsrc[1] |= lds / lds_unit << 15; /* COMPUTE_PGM_RSRC2.LDS_SIZE, which an AQL packet has of its own */
		arguments_.as<uint64_t>()[0] = out.gpu();
		arguments_.as<uint32_t>()[2] = value;

		const uint64_t code = code_.gpu() + descriptor + static_cast<uint64_t>(entry), arguments = arguments_.gpu();
		Pm4Stream stream;
		set(stream, mmCOMPUTE_START_X, {0, 0, 0});
		set(stream, mmCOMPUTE_NUM_THREAD_X, {64, 1, 1});
		set(stream, mmCOMPUTE_PGM_LO, {static_cast<uint32_t>(code >> 8), static_cast<uint32_t>(code >> 40)});
		set(stream, mmCOMPUTE_PGM_RSRC1, {rsrc[0], rsrc[1]});
		set(stream, mmCOMPUTE_PGM_RSRC3, {rsrc3});
		set(stream, mmCOMPUTE_RESOURCE_LIMITS, {0});
		set(stream, mmCOMPUTE_TMPRING_SIZE, {0});
		set(stream, mmCOMPUTE_USER_DATA_0, {static_cast<uint32_t>(arguments), static_cast<uint32_t>(arguments >> 32)});
		stream.dispatch_direct(groups, 1, 1);
		ib_.clear();
		for (uint32_t word : stream.dwords())
			ib_.put({word});
		return ib_.job(ip, ring, {code_.handle(), arguments_.handle(), out.handle()});
	}

private:
	static constexpr uint32_t lds_unit = 512;

	static void set(Pm4Stream &stream, uint32_t reg, std::initializer_list<uint32_t> values)
	{
		stream.set_sh_reg(reg, {values.begin(), values.size()});
	}

	CodeObject object_;
	drm::Buffer code_, arguments_;
	Ib ib_;
};

} // namespace kfdm::test
