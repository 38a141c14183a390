// SPDX-License-Identifier: MIT
/*
 * drm_submit.cpp - jobs on every ring that user space can name: they store, wait for each other, and are waited for.
 */
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drm_job.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr unsigned ips[] = {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA};

void every_ring_stores(const drm::Device &device)
{
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	drm::Context context(device);

	for (unsigned ip : ips) {
		CHECK(device.rings(ip) > 0);
		for (unsigned ring = 0; ring < device.rings(ip); ring++) {
			Ib ib(device);
			const uint32_t value = 0xab0000 | ip << 8 | ring;

			ib.store(ip, out.gpu() + 4 * ring, value);
			CHECK(context.submit(ib.job(ip, ring, {out.handle()})).wait(long_ns));
			CHECK_EQ(out.as<volatile uint32_t>()[ring], value);
		}
	}
	CHECK(out.wait_idle(long_ns));
}

/* A job of one ring runs after that of another, although it could go first. */
void jobs_wait_for_jobs(const drm::Device &device)
{
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT), out(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
	drm::Context context(device);
	Ib first(device), second(device);

	first.wait(AMDGPU_HW_IP_COMPUTE, gate.gpu(), 1).store(AMDGPU_HW_IP_COMPUTE, out.gpu(), 1);
	second.store(AMDGPU_HW_IP_DMA, out.gpu(), 2);
	const drm::Fence held = context.submit(first.job(AMDGPU_HW_IP_COMPUTE, 0, {gate.handle(), out.handle()}));
	drm::Context::Job job = second.job(AMDGPU_HW_IP_DMA, 0, {out.handle()});
	job.after.push_back(held);
	const drm::Fence last = context.submit(job);
	UniqueFd file = last.sync_file();
	pollfd ready = {file.get(), POLLIN, 0};

	CHECK(!last.wait(second_ns / 5));
	CHECK(!out.wait_idle(1));
	CHECK_EQ(::poll(&ready, 1, 0), 0);
	gate.as<volatile uint32_t>()[0] = 1;
	CHECK(last.wait(long_ns));
	CHECK_EQ(::poll(&ready, 1, static_cast<int>(long_ns / 1'000'000)), 1);
	CHECK_EQ(out.as<volatile uint32_t>()[0], 2U);
}

/* In another process: a job that uses somebody else's buffer, and does not end before theirs. */
void use_shared_buffer(int descriptor)
{
	drm::Device device;
	drm::Context context(device);
	amdgpu_bo_import_result imported = {};
	Ib ib(device);
	int from[2];

	Child::ready();
	REQUIRE(::read(descriptor, from, sizeof(from)) == static_cast<ssize_t>(sizeof(from)));
	UniqueFd dmabuf = fd_of(from[0], from[1]);
	REQUIRE(!amdgpu_bo_import(device.handle(), amdgpu_bo_handle_type_dma_buf_fd, static_cast<uint32_t>(dmabuf.get()), &imported));
	ib.put({PM4_NOP_FILLER});
	const drm::Fence fence = context.submit(ib.job(AMDGPU_HW_IP_COMPUTE, 1, {imported.buf_handle}));
	CHECK(!fence.wait(second_ns / 5));
	CHECK_EQ(::write(descriptor, "", 1), 1);
	CHECK(fence.wait(long_ns));
	amdgpu_bo_free(imported.buf_handle);
}

/* What another process does with a buffer is waited for without being asked. */
void processes_share_buffers()
{
	int sockets[2];

	REQUIRE(!::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	Child child([&] { use_shared_buffer(sockets[1]); }); /* before there is a device here: forks would share it */
	REQUIRE(child.wait_ready());
	drm::Device device;
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT), out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	drm::Context context(device);
	UniqueFd dmabuf = out.export_dmabuf();
	const int ours[] = {::getpid(), dmabuf.get()};
	char byte;
	Ib ib(device);

	ib.wait(AMDGPU_HW_IP_DMA, gate.gpu(), 1).store(AMDGPU_HW_IP_DMA, out.gpu(), 1);
	const drm::Fence first = context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {gate.handle(), out.handle()}));
	CHECK_EQ(::write(sockets[0], ours, sizeof(ours)), static_cast<ssize_t>(sizeof(ours)));
	CHECK_EQ(::read(sockets[0], &byte, 1), 1);
	gate.as<volatile uint32_t>()[0] = 1;
	CHECK(first.wait(long_ns));
	CHECK_EQ(child.join(), 0);
}

/* A mapping stays until the job that uses it has ended, although it is gone for the process. */
void unmapping_does_not_pull_the_rug(const drm::Device &device)
{
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	drm::Context context(device);
	drm::Fence fence;
	Ib ib(device);

	{
		drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);

		ib.wait(AMDGPU_HW_IP_DMA, gate.gpu(), 1).store(AMDGPU_HW_IP_DMA, out.gpu(), 1);
		fence = context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {gate.handle(), out.handle()}));
	}
	gate.as<volatile uint32_t>()[0] = 1;
	CHECK(fence.wait(long_ns));
	CHECK_EQ(context.state(), 0U);
}

} // namespace

KFDM_TEST("jobs run on every ring, in the order that their dependencies ask for")
{
	processes_share_buffers();

	drm::Device device;
	every_ring_stores(device);
	jobs_wait_for_jobs(device);
	unmapping_does_not_pull_the_rug(device);
}
