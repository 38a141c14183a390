// SPDX-License-Identifier: MIT
/*
 * drm.hpp - the render node through libdrm_amdgpu: devices, contexts, buffers, submissions, fences.
 *
 * The other half of a GPU than kfd.hpp: jobs that the kernel schedules. Every factory throws std::system_error with the
 * kernel's errno; objects release what they hold, a context after its fences, a mapping before its memory.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <amdgpu.h>
#include <amdgpu_drm.h>

#include "unique_fd.hpp"

namespace kfdm::drm {

/** A GPU, opened through its render node. */
class Device {
public:
	/** The nth amdgpu render node, or the one at a path. */
	explicit Device(unsigned index = 0);
	explicit Device(const std::string &path);
	Device(const Device &) = delete;
	Device &operator=(const Device &) = delete;
	~Device();

	[[nodiscard]] amdgpu_device_handle handle() const noexcept { return handle_; }
	[[nodiscard]] int fd() const noexcept { return fd_.get(); }
	/** AMDGPU_INFO: the answer to @query as a T. */
	template <class T> [[nodiscard]] T info(unsigned query) const
	{
		T value{};
		query_info(query, sizeof(value), &value);
		return value;
	}
	/** Rings of an IP (AMDGPU_HW_IP_*) that can be named in a submission. */
	[[nodiscard]] unsigned rings(unsigned ip) const;
	/** Major version of an IP: what its packets look like. */
	[[nodiscard]] unsigned version(unsigned ip) const;
	/** The GPU's clock, ticks of device info's gpu_counter_freq. */
	[[nodiscard]] uint64_t timestamp() const { return info<uint64_t>(AMDGPU_INFO_TIMESTAMP); }

private:
	void query_info(unsigned query, unsigned size, void *value) const;
	[[nodiscard]] drm_amdgpu_info_hw_ip hw_ip(unsigned ip) const;
	void open(const std::string &path);

	UniqueFd fd_;
	amdgpu_device_handle handle_ = nullptr;
};

/** Memory, mapped for the GPU and, by default, for the CPU. */
class Buffer {
public:
	/** domain: AMDGPU_GEM_DOMAIN_*, flags: AMDGPU_GEM_CREATE_* */
	Buffer(const Device &device, uint64_t size, uint32_t domain, uint64_t flags = 0);
	Buffer(Buffer &&other) noexcept;
	Buffer(const Buffer &) = delete;
	Buffer &operator=(const Buffer &) = delete;
	~Buffer();

	[[nodiscard]] amdgpu_bo_handle handle() const noexcept { return bo_; }
	[[nodiscard]] uint64_t gpu() const noexcept { return gpu_; }
	[[nodiscard]] uint64_t size() const noexcept { return size_; }
	template <class T> [[nodiscard]] std::span<T> as() const noexcept { return {static_cast<T *>(cpu_), size_ / sizeof(T)}; }
	/** True when no job uses it any more; waits for at most timeout_ns. */
	[[nodiscard]] bool wait_idle(uint64_t timeout_ns) const;
	/** A dma-buf. */
	[[nodiscard]] UniqueFd export_dmabuf() const;

private:
	amdgpu_bo_handle bo_ = nullptr;
	amdgpu_va_handle va_ = nullptr;
	uint64_t size_ = 0, gpu_ = 0;
	void *cpu_ = nullptr;
};

class Context;

/** The end of a job. */
class Fence {
public:
	/** False: not within timeout_ns from now. Throws what the job has ended with (ECANCELED: its context has hung). */
	[[nodiscard]] bool wait(uint64_t timeout_ns) const;
	/** As wait(), but answers with a positive errno, ETIME if time is over, 0 if the job has ended. */
	[[nodiscard]] int try_wait(uint64_t timeout_ns) const noexcept;
	[[nodiscard]] UniqueFd sync_file() const;
	[[nodiscard]] const amdgpu_cs_fence &raw() const noexcept { return fence_; }

private:
	friend class Context;
	const Device *device_ = nullptr;
	amdgpu_cs_fence fence_ = {};
};

/** A context: streams of jobs, a priority, and what has become of them. */
class Context {
public:
	explicit Context(const Device &device, int priority = AMDGPU_CTX_PRIORITY_NORMAL);
	Context(const Context &) = delete;
	Context &operator=(const Context &) = delete;
	~Context();

	struct Job {
		unsigned ip = AMDGPU_HW_IP_DMA, ring = 0;
		uint64_t ib = 0; /* GPU address */
		uint32_t dwords = 0;
		std::vector<amdgpu_bo_handle> buffers;
		std::vector<Fence> after;
	};

	/** Queues a job. */
	Fence submit(const Job &job);
	/** The same; a positive errno instead of an exception. */
	[[nodiscard]] int try_submit(const Job &job, Fence *fence) noexcept;
	/** AMDGPU_CTX_QUERY2_FLAGS_* */
	[[nodiscard]] uint64_t state() const;

private:
	const Device &device_;
	amdgpu_context_handle handle_ = nullptr;
};

} // namespace kfdm::drm
