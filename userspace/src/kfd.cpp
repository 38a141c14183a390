// SPDX-License-Identifier: MIT
/*
 * kfd.cpp - opening /dev/kfd, and the event page that all signal events of the process share.
 */
#include <kfdm/kfd.hpp>

#include <fcntl.h>
#include <linux/kfd_ioctl.h>

#include <algorithm>

#include <fmt/format.h>

#include <kfdm/buffer.hpp>

namespace kfdm {

Kfd::Kfd(UniqueFd fd, uint32_t major, uint32_t minor) noexcept : fd_(std::move(fd)), major_(major), minor_(minor) {}

Kfd Kfd::open()
{
	UniqueFd fd(checked_open(path, O_RDWR));
	kfd_ioctl_get_version_args version = {};

	checked_ioctl(fd.get(), AMDKFD_IOC_GET_VERSION, &version, "GET_VERSION");
	if (version.major_version != 1 || version.minor_version < 4)
		throw_error(EPROTO,
			    fmt::format("{} speaks version {}.{}, not 1.4 or later", path, version.major_version, version.minor_version));
	return Kfd(std::move(fd), version.major_version, version.minor_version);
}

ClockCounters Kfd::clocks(uint32_t gpu_id) const
{
	kfd_ioctl_get_clock_counters_args args = {};

	args.gpu_id = gpu_id;
	ioctl(AMDKFD_IOC_GET_CLOCK_COUNTERS, &args, "GET_CLOCK_COUNTERS");
	return {args.gpu_clock_counter, args.cpu_clock_counter, args.system_clock_counter, args.system_clock_freq};
}

uint64_t *Kfd::event_page(Device &device, uint64_t *handle)
{
	if (!event_page_) {
		Buffer page = Buffer::gtt(device, KFD_SIGNAL_EVENT_LIMIT * 8, memory_coherent);

		event_page_ = static_cast<uint64_t *>(page.data());
		event_page_handle_ = page.handle();
		event_page_gpus_.push_back(device.gpu_id());
		page.device_ = nullptr; /* the kernel keeps it as long as the process lives */
	}
	uint32_t gpu_id = device.gpu_id();
	if (std::find(event_page_gpus_.begin(), event_page_gpus_.end(), gpu_id) == event_page_gpus_.end()) {
		kfd_ioctl_map_memory_to_gpu_args args = {event_page_handle_, reinterpret_cast<uint64_t>(&gpu_id), 1, 0};

		ioctl(AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args, "MAP_MEMORY_TO_GPU of the event page");
		event_page_gpus_.push_back(gpu_id);
	}
	*handle = event_page_given_ ? 0 : event_page_handle_;
	return event_page_;
}

} // namespace kfdm
