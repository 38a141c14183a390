// SPDX-License-Identifier: MIT
/*
 * program.hpp - a code object loaded for a device, and launching its kernels.
 *
 *     Program program = Program::load(device, CodeObject::read("vadd.co"));
 *     Kernel vadd = program.kernel("vadd");
 *     Launch launch(device, vadd, {.grid = {n}, .workgroup = {64}});
 *     launch.arg(a.gpu()).arg(b.gpu()).arg(n);
 *     launch.run(queue, std::chrono::seconds(10));
 */
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include <kfdm/aql.hpp>
#include <kfdm/buffer.hpp>
#include <kfdm/code_object.hpp>
#include <kfdm/signal.hpp>

namespace kfdm {

/** A kernel that can be launched: what the object says, and where its descriptor lies in GPU memory. */
struct Kernel {
	const KernelInfo *info = nullptr;
	uint64_t descriptor = 0; /**< GPU address */
};

class Program {
public:
	/**
	 * Puts the segments of @object into executable GPU memory and relocates them.
	 * Throws: ENOEXEC if it is for another instruction set than @device's; what Buffer throws.
	 */
	[[nodiscard]] static Program load(Device &device, CodeObject object);

	[[nodiscard]] const CodeObject &object() const noexcept { return *object_; }
	[[nodiscard]] Kernel kernel(std::string_view name) const;
	/** GPU address of a symbol; throws ENOENT. */
	[[nodiscard]] uint64_t symbol(std::string_view name) const { return memory_.gpu() + object_->symbol(name); }
	[[nodiscard]] const Buffer &memory() const noexcept { return memory_; }

private:
	Program(std::unique_ptr<const CodeObject> object, Buffer memory) noexcept : object_(std::move(object)), memory_(std::move(memory))
	{
	}

	std::unique_ptr<const CodeObject> object_; /* stays where it is: kernels point into it */
	Buffer memory_;
};

/** Shape of a launch in work-items; a size of 0 stands for 1. */
struct Shape {
	std::array<uint32_t, 3> grid = {1, 1, 1};
	std::array<uint16_t, 3> workgroup = {64, 1, 1};
	uint32_t dynamic_group_bytes = 0;

	[[nodiscard]] uint64_t workgroups() const noexcept;
	[[nodiscard]] uint64_t items() const noexcept;
	/** Waves of 64 lanes. */
	[[nodiscard]] uint64_t waves() const noexcept;
};

/** One launch: kernel arguments, completion signal, packet. */
class Launch {
public:
	/** Throws EINVAL for a shape that the kernel cannot have. */
	Launch(Device &device, const Kernel &kernel, const Shape &shape);

	/** Sets the next explicit argument. Throws EINVAL if there is none left or its size differs. */
	template <typename T> Launch &arg(const T &value)
	{
		static_assert(std::is_trivially_copyable_v<T>);
		put(&value, sizeof(value));
		return *this;
	}
	Launch &arg(const Buffer &buffer) { return arg(buffer.gpu()); }

	[[nodiscard]] const Signal &signal() const noexcept { return signal_; }
	[[nodiscard]] const Shape &shape() const noexcept { return shape_; }
	/** The packet, to be submitted by hand. Throws EINVAL if arguments are missing. */
	[[nodiscard]] AqlDispatch packet(AqlHeader header = {}) const;
	/** Submits. Return: the packet's index. */
	uint64_t submit(AqlQueue &queue, AqlHeader header = {}) { return queue.submit(packet(header)); }
	/** Waits for completion, asleep on the signal's event. Return: false after @timeout. */
	[[nodiscard]] bool wait(std::chrono::milliseconds timeout) const { return signal_.wait(timeout); }
	/** Submits and waits, also again and again. Throws ETIMEDOUT; EIO with the queue's error bits if the command processor refused. */
	void run(AqlQueue &queue, std::chrono::milliseconds timeout);

private:
	void put(const void *value, size_t bytes);
	void put_hidden();

	Kernel kernel_;
	Shape shape_;
	Buffer kernarg_;
	Signal signal_;
	size_t next_ = 0;
};

} // namespace kfdm
