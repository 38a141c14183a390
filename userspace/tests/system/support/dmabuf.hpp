// SPDX-License-Identifier: MIT
/*
 * dmabuf.hpp - buffers that come and go as dma-bufs, and their addresses in a VM.
 */
#pragma once

#include <sys/stat.h>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"

namespace kfdm::test {

inline int prime_import(int render, uint32_t dmabuf, uint32_t &handle)
{
	drm_prime_handle prime = {0, 0, static_cast<int>(dmabuf)};
	int error = call(render, DRM_IOCTL_PRIME_FD_TO_HANDLE, prime);

	handle = prime.handle;
	return error;
}

inline int gem_va(int render, uint32_t handle, uint32_t operation, uint64_t address, uint64_t bytes)
{
	drm_amdgpu_gem_va va = {};

	va.handle = handle;
	va.operation = operation;
	va.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE;
	va.va_address = address;
	va.map_size = bytes;
	return call(render, DRM_IOCTL_AMDGPU_GEM_VA, va);
}

inline ino_t inode(uint32_t fd)
{
	struct stat status = {};

	REQUIRE(fstat(static_cast<int>(fd), &status) == 0);
	return status.st_ino;
}

} // namespace kfdm::test
