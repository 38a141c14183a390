// SPDX-License-Identifier: MIT
/*
 * criu.hpp - what CRIU's plugin does with AMDKFD_IOC_CRIU_OP: a checkpoint of a process in memory, and another process that takes its
 * place. The structs are Linux's.
 */
#pragma once

#include <sys/mman.h>
#include <sys/ptrace.h>

#include <fcntl.h>

#include <cstring>
#include <kfdm/cwsr.hpp>

#include "process.hpp"
#include "sdma_writer.hpp"

namespace kfdm::test {

/** A checkpoint: what the ioctl gives, and what was in the buffers, one behind the other in a file. */
struct Image {
	std::vector<kfd_criu_device_bucket> devices;
	std::vector<kfd_criu_bo_bucket> bos;
	std::vector<uint8_t> data;
	uint32_t objects = 0, pid = 0;
	UniqueFd contents;

	[[nodiscard]] kfd_ioctl_criu_args args(uint32_t op)
	{
		kfd_ioctl_criu_args args = {};

		args.devices = reinterpret_cast<uint64_t>(devices.data());
		args.bos = reinterpret_cast<uint64_t>(bos.data());
		args.priv_data = reinterpret_cast<uint64_t>(data.data());
		args.priv_data_size = data.size();
		args.num_devices = static_cast<uint32_t>(devices.size());
		args.num_bos = static_cast<uint32_t>(bos.size());
		args.num_objects = objects;
		args.op = op;
		return args;
	}
};

[[nodiscard]] inline bool is_user_memory(const kfd_criu_bo_bucket &bo) { return bo.alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR; }
/** Doorbells and registers have no contents. */
[[nodiscard]] inline bool has_contents(const kfd_criu_bo_bucket &bo)
{
	return bo.alloc_flags & (KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
}

[[nodiscard]] inline int criu_op(int kfd, uint32_t op, uint32_t pid = 0)
{
	kfd_ioctl_criu_args args = {};

	args.op = op;
	args.pid = pid;
	return call(kfd, AMDKFD_IOC_CRIU_OP, args);
}

/** PROCESS_INFO. Return: 0 or the errno. */
[[nodiscard]] inline int process_info(int kfd, Image &image)
{
	kfd_ioctl_criu_args args = {};
	int error;

	args.op = KFD_CRIU_OP_PROCESS_INFO;
	error = call(kfd, AMDKFD_IOC_CRIU_OP, args);
	if (error)
		return error;
	image.devices.assign(args.num_devices, {});
	image.bos.assign(args.num_bos, {});
	image.data.assign(args.priv_data_size, 0);
	image.objects = args.num_objects;
	image.pid = args.pid;
	return 0;
}

/** CHECKPOINT with the sizes of PROCESS_INFO. Return: 0 or the errno. */
[[nodiscard]] inline int checkpoint(int kfd, Image &image)
{
	kfd_ioctl_criu_args args = image.args(KFD_CRIU_OP_CHECKPOINT);

	return call(kfd, AMDKFD_IOC_CRIU_OP, args);
}

/** Copies between a file and a dma-buf. */
inline void copy_dmabuf(const kfd_criu_bo_bucket &bo, int file, off_t at, bool out)
{
	void *memory = mmap(nullptr, bo.size, out ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(bo.dmabuf_fd), 0);

	REQUIRE(memory != MAP_FAILED);
	ssize_t done = out ? pwrite(file, memory, bo.size, at) : pread(file, memory, bo.size, at);
	CHECK_EQ(done, static_cast<ssize_t>(bo.size));
	munmap(memory, bo.size);
}

/** A range of user memory of process @pid, page by page: what nobody has touched is left out. */
inline void save_user_memory(pid_t pid, uint64_t address, uint64_t bytes, int file, off_t at)
{
	UniqueFd memory(::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC));
	uint8_t piece[page];

	for (uint64_t n = 0; n < bytes; n += page)
		if (pread(memory.get(), piece, page, static_cast<off_t>(address + n)) == static_cast<ssize_t>(page))
			CHECK_EQ(pwrite(file, piece, page, at + static_cast<off_t>(n)), static_cast<ssize_t>(page));
}

/** What is in the buffers of @image; the descriptors are closed. */
inline void save_contents(Image &image, pid_t pid)
{
	off_t at = 0;

	image.contents = UniqueFd(memfd_create("contents", MFD_CLOEXEC));
	for (kfd_criu_bo_bucket &bo : image.bos) {
		if (is_user_memory(bo)) {
			save_user_memory(pid, bo.addr, bo.size, image.contents.get(), at);
		} else if (has_contents(bo)) {
			copy_dmabuf(bo, image.contents.get(), at, true);
			close(static_cast<int>(bo.dmabuf_fd));
		}
		at += static_cast<off_t>(bo.size);
	}
}

/** A render node of each device of @image that is there, in their order. */
[[nodiscard]] inline std::vector<UniqueFd> render_nodes(const Image &image)
{
	const Topology topology = Topology::read();
	std::vector<UniqueFd> nodes;

	for (const kfd_criu_device_bucket &device : image.devices)
		for (const Node &node : topology.nodes())
			if (node.gpu_id == device.actual_gpu_id)
				nodes.emplace_back(::open(node.render_path().c_str(), O_RDWR | O_CLOEXEC));
	return nodes;
}

/** RESTORE on @kfd with render nodes of its own. Return: 0 or the errno. */
[[nodiscard]] inline int restore(int kfd, const std::vector<UniqueFd> &nodes, Image &image)
{
	kfd_ioctl_criu_args args = image.args(KFD_CRIU_OP_RESTORE);

	for (size_t i = 0; i < image.devices.size(); i++)
		image.devices[i].drm_fd = static_cast<uint32_t>(i < nodes.size() ? nodes[i].get() : -1);
	return call(kfd, AMDKFD_IOC_CRIU_OP, args);
}

/** Memory at @address where nothing is. */
inline void map_at(uint64_t address, uint64_t bytes, int flags, int fd, off_t offset)
{
	void *wanted = reinterpret_cast<void *>(address);

	REQUIRE(mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, offset) == wanted);
}

[[nodiscard]] inline size_t device_of(const Image &image, const kfd_criu_bo_bucket &bo)
{
	size_t i = 0;

	while (i + 1 < image.devices.size() && image.devices[i].user_gpu_id != bo.gpu_id)
		i++;
	return i;
}

/** After RESTORE: contents come back, and what the CPU saw of it, at its address. */
inline void restore_contents(Image &image, const std::vector<UniqueFd> &nodes)
{
	off_t at = 0;

	for (kfd_criu_bo_bucket &bo : image.bos) {
		if (is_user_memory(bo)) {
			map_at(bo.addr, bo.size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			CHECK(pread(image.contents.get(), reinterpret_cast<void *>(bo.addr), bo.size, at) >= 0);
		} else if (has_contents(bo)) {
			copy_dmabuf(bo, image.contents.get(), at, false);
			close(static_cast<int>(bo.dmabuf_fd));
			map_at(bo.addr, bo.size, MAP_SHARED, nodes[device_of(image, bo)].get(), static_cast<off_t>(bo.restored_offset));
			/* A driver that schedules itself reads an SDMA queue's write pointer only if its page is there. */
			(void)*reinterpret_cast<volatile uint8_t *>(bo.addr);
		}
		at += static_cast<off_t>(bo.size);
	}
}

/** Without context save queues cannot be checkpointed (Linux: checkpoint_mqd() of kfd_device_queue_manager.c). */
inline void saved_waves_or_skip()
{
	if (!cwsr_sizes(CwsrInput::of(Topology::read().gpu())).save_area)
		skip("the chip saves no waves");
}

/** Traces a process as CRIU does, without stopping it. */
inline void trace(pid_t pid) { REQUIRE(ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) == 0); }

} // namespace kfdm::test
