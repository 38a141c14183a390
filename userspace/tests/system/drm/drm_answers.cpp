// SPDX-License-Identifier: MIT
/*
 * drm_answers.cpp - what the render node says of buffers and clocks: as amdgpu of Linux 6.1 says it.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include <xf86drm.h>

#include <kfdm/drm.hpp>

#include "check.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* GEM_OP: the alignment that GEM_CREATE was asked for, in whole pages */
uint64_t alignment_of_new_buffer(int fd, uint64_t domain, uint64_t alignment)
{
	drm_amdgpu_gem_create create = {};
	drm_amdgpu_gem_create_in info = {};
	drm_amdgpu_gem_op op = {};

	create.in.bo_size = 4096;
	create.in.alignment = alignment;
	create.in.domains = domain;
	REQUIRE(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create) == 0);
	op.handle = create.out.handle;
	op.op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO;
	op.value = reinterpret_cast<uint64_t>(&info);
	CHECK_EQ(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_OP, &op), 0);
	drm_gem_close close_args = {create.out.handle, 0};
	CHECK_EQ(drmIoctl(fd, DRM_IOCTL_GEM_CLOSE, &close_args), 0);
	return info.alignment;
}

void alignments(int fd)
{
	CHECK_EQ(alignment_of_new_buffer(fd, AMDGPU_GEM_DOMAIN_VRAM, 2 << 20), 2U << 20);
	CHECK_EQ(alignment_of_new_buffer(fd, AMDGPU_GEM_DOMAIN_GTT, 1), 4096U);
	CHECK_EQ(alignment_of_new_buffer(fd, AMDGPU_GEM_DOMAIN_GTT, 0), 0U);
}

int context_call(int fd, uint32_t op, uint32_t context, uint32_t flags, drm_amdgpu_ctx *args)
{
	*args = {};
	args->in.op = op;
	args->in.ctx_id = context;
	args->in.flags = flags;
	return drmIoctl(fd, DRM_IOCTL_AMDGPU_CTX, args) ? errno : 0;
}

uint32_t new_context(int fd)
{
	drm_amdgpu_ctx args;

	REQUIRE(context_call(fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, &args) == 0);
	return args.out.alloc.ctx_id;
}

uint32_t clocks(int fd, uint32_t context)
{
	drm_amdgpu_ctx args;

	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_GET_STABLE_PSTATE, context, 0, &args), 0);
	return args.out.pstate.flags;
}

/* Stable clocks are the GPU's; the context that changes them first owns them until it goes. */
void stable_clocks(int fd)
{
	const uint32_t first = new_context(fd), second = new_context(fd);
	drm_amdgpu_ctx args;

	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, first, AMDGPU_CTX_STABLE_PSTATE_PEAK, &args), 0);
	CHECK_EQ(clocks(fd, second), uint32_t{AMDGPU_CTX_STABLE_PSTATE_PEAK});
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, second, AMDGPU_CTX_STABLE_PSTATE_PEAK, &args), EBUSY);
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, first, AMDGPU_CTX_STABLE_PSTATE_NONE, &args), 0);
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, second, AMDGPU_CTX_STABLE_PSTATE_PEAK, &args), EBUSY);
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_FREE_CTX, first, 0, &args), 0);
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, second, AMDGPU_CTX_STABLE_PSTATE_PEAK, &args), 0);
	CHECK_EQ(context_call(fd, AMDGPU_CTX_OP_FREE_CTX, second, 0, &args), 0);
	const uint32_t third = new_context(fd);
	CHECK_EQ(clocks(fd, third), uint32_t{AMDGPU_CTX_STABLE_PSTATE_NONE});
}

} // namespace

KFDM_TEST("the render node answers about buffers and clocks as amdgpu does")
{
	drm::Device device;

	alignments(device.fd());
	stable_clocks(device.fd());
}
