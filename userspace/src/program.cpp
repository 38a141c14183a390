// SPDX-License-Identifier: MIT
/*
 * program.cpp - the loader, and launches.
 */
#include <kfdm/program.hpp>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm {

namespace {

uint64_t divide_up(uint64_t value, uint64_t by) noexcept { return (value + by - 1) / by; }

} // namespace

Program Program::load(Device &device, CodeObject object)
{
	if (object.isa() != device.node().isa())
		throw_error(ENOEXEC, fmt::format("the code is for {}, the GPU is {}", object.isa(), device.node().isa()));

	auto owned = std::make_unique<const CodeObject>(std::move(object));
	Buffer memory = Buffer::vram(device, owned->memory_size());
	std::vector<uint8_t> image = owned->image(memory.gpu());

	std::copy(image.begin(), image.end(), memory.as<uint8_t>().begin());
	return Program(std::move(owned), std::move(memory));
}

Kernel Program::kernel(std::string_view name) const
{
	const KernelInfo &info = object_->kernel(name);

	return {&info, memory_.gpu() + info.descriptor};
}

uint64_t Shape::workgroups() const noexcept
{
	uint64_t count = 1;

	for (size_t i = 0; i < 3; i++)
		count *= divide_up(grid[i], workgroup[i]);
	return count;
}

uint64_t Shape::items() const noexcept { return uint64_t{grid[0]} * grid[1] * grid[2]; }

uint64_t Shape::waves() const noexcept
{
	uint64_t count = 1;

	/* In one dimension the last workgroup may have fewer waves; beyond that every workgroup counts as full. */
	if (grid[1] == 1 && grid[2] == 1 && workgroup[1] == 1 && workgroup[2] == 1)
		return grid[0] / workgroup[0] * divide_up(workgroup[0], 64) + divide_up(grid[0] % workgroup[0], 64);
	for (size_t i = 0; i < 3; i++)
		count *= divide_up(grid[i], workgroup[i]);
	return count * divide_up(uint64_t{workgroup[0]} * workgroup[1] * workgroup[2], 64);
}

Launch::Launch(Device &device, const Kernel &kernel, const Shape &shape)
	: kernel_(kernel), shape_(shape), kernarg_(Buffer::gtt(device, std::max(kernel.info->kernarg_bytes, 16U), memory_coherent)),
	  signal_(Signal::with_event(device))
{
	uint64_t items = 1;

	for (size_t i = 0; i < 3; i++) {
		shape_.grid[i] = std::max(shape_.grid[i], 1U);
		shape_.workgroup[i] = std::max<uint16_t>(shape_.workgroup[i], 1);
		items *= shape_.workgroup[i];
		if (uint32_t required = kernel.info->workgroup[i]; required && required != shape_.workgroup[i])
			throw_error(EINVAL, fmt::format("kernel {} needs workgroups of {}x{}x{}", kernel.info->name,
							kernel.info->workgroup[0], kernel.info->workgroup[1], kernel.info->workgroup[2]));
	}
	if (items > kernel.info->max_workgroup)
		throw_error(EINVAL, fmt::format("kernel {} takes at most {} work-items a workgroup, not {}", kernel.info->name,
						kernel.info->max_workgroup, items));
	std::memset(kernarg_.data(), 0, kernarg_.size());
	put_hidden();
}

void Launch::put(const void *value, size_t bytes)
{
	const std::vector<KernelArgument> &arguments = kernel_.info->arguments;

	if (next_ >= arguments.size() || arguments[next_].hidden())
		throw_error(EINVAL, fmt::format("kernel {} takes {} arguments", kernel_.info->name, next_));
	const KernelArgument &argument = arguments[next_];
	if (argument.size != bytes)
		throw_error(EINVAL, fmt::format("argument {} of {} has {} bytes, not {}", next_, kernel_.info->name, argument.size, bytes));
	std::memcpy(static_cast<uint8_t *>(kernarg_.data()) + argument.offset, value, bytes);
	next_++;
}

/* Hidden arguments that depend on the shape only; the rest (printf, heap, ...) stays zero. */
void Launch::put_hidden()
{
	for (const KernelArgument &argument : kernel_.info->arguments) {
		size_t dim = argument.kind.empty() ? 0 : static_cast<size_t>(argument.kind.back() - 'x');
		uint64_t value = 0;

		if (argument.kind.starts_with("hidden_block_count_") && dim < 3)
			value = shape_.grid[dim] / shape_.workgroup[dim];
		else if (argument.kind.starts_with("hidden_group_size_") && dim < 3)
			value = shape_.workgroup[dim];
		else if (argument.kind.starts_with("hidden_remainder_") && dim < 3)
			value = shape_.grid[dim] % shape_.workgroup[dim];
		else if (argument.kind == "hidden_grid_dims")
			value = shape_.grid[2] > 1 ? 3 : shape_.grid[1] > 1 ? 2 : 1;
		else
			continue;
		std::memcpy(static_cast<uint8_t *>(kernarg_.data()) + argument.offset, &value,
			    std::min<size_t>(argument.size, sizeof(value)));
	}
}

AqlDispatch Launch::packet(AqlHeader header) const
{
	const std::vector<KernelArgument> &arguments = kernel_.info->arguments;
	AqlDispatch packet;

	if (next_ < arguments.size() && !arguments[next_].hidden())
		throw_error(EINVAL, fmt::format("kernel {} still needs argument {}", kernel_.info->name, next_));
	packet.header = header.encode(AQL_KERNEL_DISPATCH);
	packet.setup = shape_.grid[2] > 1 || shape_.workgroup[2] > 1 ? 3 : shape_.grid[1] > 1 || shape_.workgroup[1] > 1 ? 2 : 1;
	std::copy(shape_.workgroup.begin(), shape_.workgroup.end(), packet.workgroup);
	std::copy(shape_.grid.begin(), shape_.grid.end(), packet.grid);
	packet.private_bytes = kernel_.info->private_bytes;
	packet.group_bytes = kernel_.info->group_bytes + shape_.dynamic_group_bytes;
	packet.kernel_object = kernel_.descriptor;
	packet.kernarg = kernarg_.gpu();
	packet.completion_signal = signal_.handle();
	return packet;
}

void Launch::run(AqlQueue &queue, std::chrono::milliseconds timeout)
{
	signal_.store(1); /* what a former run has counted down would end this wait at once */
	submit(queue);
	if (wait(timeout))
		return;
	if (uint64_t error = queue.error())
		throw_error(EIO, fmt::format("the command processor refused kernel {} with error bits {:#x}", kernel_.info->name, error));
	throw_error(ETIMEDOUT, fmt::format("kernel {} did not end within {} ms", kernel_.info->name, timeout.count()));
}

} // namespace kfdm
