// SPDX-License-Identifier: MIT
/*
 * drm_flink.cpp - a buffer that belongs to one address space gets no handle in another file, not by its name on the primary node either.
 */
#include <fcntl.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

uint32_t make(int fd, uint64_t flags)
{
	drm_amdgpu_gem_create create = {};

	create.in.bo_size = 65536;
	create.in.domains = AMDGPU_GEM_DOMAIN_GTT;
	create.in.domain_flags = flags;
	REQUIRE(call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
	return create.out.handle;
}

/* What @to gets if it opens a buffer of @from by its name. */
int open_by_name(int from, int to, uint32_t handle)
{
	drm_gem_flink name = {handle, 0};
	drm_gem_open open = {};

	REQUIRE(call(from, DRM_IOCTL_GEM_FLINK, name) == 0);
	open.name = name.name;
	return call(to, DRM_IOCTL_GEM_OPEN, open);
}

} // namespace

KFDM_TEST("an always-valid buffer cannot be opened by its name")
{
	const std::string card = fmt::format("/dev/dri/card{}", std::stoi(Topology::read().gpu().render_path().substr(16)) - 128);
	UniqueFd one(::open(card.c_str(), O_RDWR | O_CLOEXEC)), other(::open(card.c_str(), O_RDWR | O_CLOEXEC));

	if (!one || !other)
		skip("there is no primary node");
	CHECK_ERRNO(0, open_by_name(one.get(), other.get(), make(one.get(), 0)));
	const uint32_t always = make(one.get(), AMDGPU_GEM_CREATE_VM_ALWAYS_VALID);
	CHECK_ERRNO(EPERM, open_by_name(one.get(), other.get(), always));
	CHECK_ERRNO(0, open_by_name(one.get(), one.get(), always));
}
