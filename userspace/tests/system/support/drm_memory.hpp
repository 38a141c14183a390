// SPDX-License-Identifier: MIT
/*
 * drm_memory.hpp - much memory of the render node, and what has become of it.
 */
#pragma once

#include <kfdm/drm.hpp>

namespace kfdm::test {

inline constexpr uint64_t MiB = 1 << 20;

/** Memory that is never mapped: it takes room in a heap, but no pages of the host. */
class Ballast {
public:
	Ballast(const drm::Device &device, uint64_t size, uint32_t domain)
	{
		amdgpu_bo_alloc_request request = {size, 4096, domain, 0};

		if (const int error = amdgpu_bo_alloc(device.handle(), &request, &bo_))
			throw std::system_error(-error, std::system_category(), "ballast");
	}
	Ballast(const Ballast &) = delete;
	Ballast &operator=(const Ballast &) = delete;
	~Ballast() { amdgpu_bo_free(bo_); }
	[[nodiscard]] amdgpu_bo_handle handle() const noexcept { return bo_; }

private:
	amdgpu_bo_handle bo_ = nullptr;
};

/** How many buffers had to go, so far. */
[[nodiscard]] inline uint64_t evictions(const drm::Device &device) { return device.info<uint64_t>(AMDGPU_INFO_NUM_EVICTIONS); }

[[nodiscard]] inline drm_amdgpu_memory_info memory_info(const drm::Device &device)
{
	return device.info<drm_amdgpu_memory_info>(AMDGPU_INFO_MEMORY);
}

} // namespace kfdm::test
