// SPDX-License-Identifier: MIT
/* drm.cpp - libdrm_amdgpu with owners. */
#include <kfdm/drm.hpp>

#include <fcntl.h>
#include <xf86drm.h>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm::drm {

namespace {

constexpr unsigned first_render_minor = 128, last_render_minor = 191;
constexpr uint64_t page = 4096;

/* libdrm answers with negative errnos, in some calls with the -1 of the ioctl, whose errno is beside it. */
int positive(int result) { return result == -1 && errno ? errno : -result; }

void check(int result, const char *what)
{
	if (result)
		throw_error(positive(result), what);
}

bool is_amdgpu(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	const bool yes = version && std::string(version->name) == "amdgpu";

	drmFreeVersion(version);
	return yes;
}

std::string find_node(unsigned index)
{
	for (unsigned minor = first_render_minor; minor <= last_render_minor; minor++) {
		std::string path = fmt::format("/dev/dri/renderD{}", minor);
		UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));

		if (fd && is_amdgpu(fd.get()) && !index--)
			return path;
	}
	throw_error(ENODEV, "no such amdgpu render node");
}

} // namespace

Device::Device(unsigned index) { open(find_node(index)); }

Device::Device(const std::string &path) { open(path); }

void Device::open(const std::string &path)
{
	uint32_t major = 0, minor = 0;

	fd_ = UniqueFd(checked_open(path, O_RDWR));
	check(amdgpu_device_initialize(fd_.get(), &major, &minor, &handle_), "amdgpu_device_initialize");
}

Device::~Device() { amdgpu_device_deinitialize(handle_); }

void Device::query_info(unsigned query, unsigned size, void *value) const
{
	check(amdgpu_query_info(handle_, query, size, value), "AMDGPU_INFO");
}

drm_amdgpu_info_hw_ip Device::hw_ip(unsigned ip) const
{
	drm_amdgpu_info_hw_ip info = {};

	check(amdgpu_query_hw_ip_info(handle_, ip, 0, &info), "AMDGPU_INFO_HW_IP_INFO");
	return info;
}

unsigned Device::rings(unsigned ip) const { return static_cast<unsigned>(__builtin_popcount(hw_ip(ip).available_rings)); }

unsigned Device::version(unsigned ip) const { return hw_ip(ip).hw_ip_version_major; }

Buffer::Buffer(const Device &device, uint64_t size, uint32_t domain, uint64_t flags) : size_((size + page - 1) & ~(page - 1))
{
	amdgpu_bo_alloc_request request = {};

	request.alloc_size = size_;
	request.phys_alignment = page;
	request.preferred_heap = domain;
	request.flags = flags;
	check(amdgpu_bo_alloc(device.handle(), &request, &bo_), "GEM_CREATE");
	int result = amdgpu_va_range_alloc(device.handle(), amdgpu_gpu_va_range_general, size_, page, 0, &gpu_, &va_, 0);
	if (!result)
		result = amdgpu_bo_va_op(bo_, 0, size_, gpu_, 0, AMDGPU_VA_OP_MAP);
	if (!result && !(flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS))
		result = amdgpu_bo_cpu_map(bo_, &cpu_);
	if (result) {
		const int error = positive(result);

		if (va_)
			amdgpu_va_range_free(va_);
		amdgpu_bo_free(bo_);
		throw_error(error, "GEM_VA");
	}
}

Buffer::Buffer(Buffer &&other) noexcept
	: bo_(std::exchange(other.bo_, nullptr)), va_(std::exchange(other.va_, nullptr)), size_(other.size_), gpu_(other.gpu_),
	  cpu_(std::exchange(other.cpu_, nullptr))
{
}

Buffer::~Buffer()
{
	if (!bo_)
		return;
	if (cpu_)
		amdgpu_bo_cpu_unmap(bo_);
	amdgpu_bo_va_op(bo_, 0, size_, gpu_, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(va_);
	amdgpu_bo_free(bo_);
}

bool Buffer::wait_idle(uint64_t timeout_ns) const
{
	bool busy = false;

	check(amdgpu_bo_wait_for_idle(bo_, timeout_ns, &busy), "GEM_WAIT_IDLE");
	return !busy;
}

UniqueFd Buffer::export_dmabuf() const
{
	uint32_t fd = 0;

	check(amdgpu_bo_export(bo_, amdgpu_bo_handle_type_dma_buf_fd, &fd), "PRIME_HANDLE_TO_FD");
	return UniqueFd(static_cast<int>(fd));
}

int Fence::try_wait(uint64_t timeout_ns) const noexcept
{
	amdgpu_cs_fence fence = fence_;
	uint32_t expired = 0;
	const int result = amdgpu_cs_query_fence_status(&fence, timeout_ns, 0, &expired);

	return result ? -result : expired ? 0 : ETIME;
}

bool Fence::wait(uint64_t timeout_ns) const
{
	const int error = try_wait(timeout_ns);

	if (error && error != ETIME)
		throw_error(error, "WAIT_CS");
	return !error;
}

UniqueFd Fence::sync_file() const
{
	amdgpu_cs_fence fence = fence_;
	uint32_t fd = 0;

	check(amdgpu_cs_fence_to_handle(device_->handle(), &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd), "FENCE_TO_HANDLE");
	return UniqueFd(static_cast<int>(fd));
}

Context::Context(const Device &device, int priority) : device_(device)
{
	check(amdgpu_cs_ctx_create2(device.handle(), static_cast<uint32_t>(priority), &handle_), "CTX");
}

Context::~Context() { amdgpu_cs_ctx_free(handle_); }

int Context::try_submit(const Job &job, Fence *fence) noexcept
{
	amdgpu_cs_ib_info ib = {};
	amdgpu_cs_request request = {};
	amdgpu_bo_list_handle list = nullptr;
	std::vector<amdgpu_bo_handle> buffers(job.buffers);
	std::vector<amdgpu_cs_fence> after;

	for (const Fence &dependency : job.after)
		after.push_back(dependency.raw());
	if (!buffers.empty()) {
		const int result = amdgpu_bo_list_create(device_.handle(), static_cast<uint32_t>(buffers.size()), buffers.data(), nullptr,
							 &list);
		if (result)
			return -result;
	}
	ib.ib_mc_address = job.ib;
	ib.size = job.dwords;
	request.ip_type = job.ip;
	request.ring = job.ring;
	request.resources = list;
	request.number_of_ibs = 1;
	request.ibs = &ib;
	request.number_of_dependencies = static_cast<uint32_t>(after.size());
	request.dependencies = after.data();
	const int result = amdgpu_cs_submit(handle_, 0, &request, 1);
	if (list)
		amdgpu_bo_list_destroy(list);
	if (result)
		return -result;
	fence->device_ = &device_;
	fence->fence_ = {handle_, job.ip, 0, job.ring, request.seq_no};
	return 0;
}

Fence Context::submit(const Job &job)
{
	Fence fence;
	const int error = try_submit(job, &fence);

	if (error)
		throw_error(error, "CS");
	return fence;
}

uint64_t Context::state() const
{
	uint64_t flags = 0;

	check(amdgpu_cs_query_reset_state2(handle_, &flags), "CTX QUERY_STATE2");
	return flags;
}

} // namespace kfdm::drm
