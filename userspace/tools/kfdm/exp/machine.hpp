// SPDX-License-Identifier: MIT
/*
 * machine.hpp - what an experiment needs: a GPU whose clock it holds, and processes with queues on it.
 *
 * There are two: the silicon alone, in this program, behind a mini driver (silicon_machine.cpp), and the GPU behind the
 * device nodes, each client a process of its own that opens /dev/kfd (kfd_machine.cpp). Experiments cannot tell which they have, so that
 * both must give the same result; a client that submits through another API (DRM contexts) would be a third.
 */
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <kfdm/lab.hpp>

#include <uapi/amdgpu_model_ctl.h>

namespace kfdm::exp {

struct ChipFacts {
	std::string name, isa;
	unsigned engines = 0;	     /**< shader engines; on RDNA shader arrays, of which an engine has two */
	unsigned cus_per_engine = 0; /**< enabled */
	double cycles_per_us = 0;    /**< shader clock */
	unsigned cus_per_wgp = 1;    /**< CUs that a mask takes together */
	double memory_gb_s = 0;	     /**< of HBM, two transfers a clock; 0: not known */
	unsigned arrays = 1;	     /**< shader arrays of a shader engine: array n is one of engine n % (engines / arrays) */

	[[nodiscard]] unsigned shader_engines() const noexcept { return engines / arrays; }
	[[nodiscard]] unsigned cus() const noexcept { return engines * cus_per_engine; }
};

/**
 * As SET_CU_MASK takes it: bit i is CU i / engines of shader engine i % engines. On RDNA two bits are a WGP's CUs: WGP w = i / 2 is
 * number w / engines of array w % engines. Empty: all CUs.
 */
using CuMask = std::vector<uint32_t>;

struct QueueSpec {
	CuMask mask = {};
	uint32_t priority = 7; /**< KFD's, 0 to 15 */
};

/** One kernel dispatch. */
struct Work {
	std::string object = "exp", kernel;
	std::array<uint32_t, 3> grid = {64, 1, 1}; /**< work-items */
	std::array<uint16_t, 3> workgroup = {64, 1, 1};
	std::vector<uint32_t> arguments = {}; /**< dwords of the kernarg segment */
	uint32_t group_bytes = 0;	      /**< LDS of a workgroup */
	uint32_t vgprs = 0, sgprs = 0;	      /**< of a wave, without what the hardware adds; 0: as compiled */
	bool barrier = true;		      /**< only when the queue's earlier packets have completed */
};

/** Of a dispatch, in microseconds of virtual time. */
struct Times {
	bool done = false;
	double start = 0, end = 0;

	[[nodiscard]] double length() const noexcept { return end - start; }
};

/** A process that uses the GPU. What it is told is done in its own address space. Ends with all that it has. */
class Client {
public:
	virtual ~Client() = default;

	/** Memory for GPU and CPU, zeros. Return: its GPU address. */
	virtual uint64_t alloc(size_t bytes) = 0;
	virtual void write(uint64_t address, std::span<const uint8_t> bytes) = 0;
	virtual void read(uint64_t address, std::span<uint8_t> bytes) = 0;

	/** Return: the queue's number in this client. Throws what the kernel says; see no_slot(). */
	virtual unsigned create_queue(const QueueSpec &spec) = 0;
	/** A queue of an SDMA engine, the next one in turn, as KFD gives them out. Numbered with the others; no priority. */
	virtual unsigned create_sdma_queue() = 0;
	virtual void destroy_queue(unsigned queue) = 0;
	virtual void set_mask(unsigned queue, const CuMask &mask) = 0;
	virtual void set_priority(unsigned queue, uint32_t priority) = 0;
	/** Puts @count packets of @work into the ring, rings once. Return: the ticket of the first; the others follow. */
	virtual unsigned submit(unsigned queue, const Work &work, unsigned count = 1) = 0;
	/** A packet that does nothing (BARRIER_AND without dependencies). */
	virtual unsigned submit_nop(unsigned queue) = 0;
	/** A copy, by an SDMA queue. Return: its ticket. */
	virtual unsigned submit_copy(unsigned queue, uint64_t to, uint64_t from, size_t bytes) = 0;
	virtual Times times(unsigned ticket) = 0;

	template <typename T> std::vector<T> read_array(uint64_t address, size_t count)
	{
		std::vector<T> values(count);

		read(address, {reinterpret_cast<uint8_t *>(values.data()), count * sizeof(T)});
		return values;
	}
};

/** The GPU, its clock held: time passes only in run_*(), or from free_run() on. */
class Machine {
public:
	virtual ~Machine() = default;

	[[nodiscard]] virtual const ChipFacts &facts() const = 0;
	virtual std::unique_ptr<Client> client() = 0;
	/** That user queues may have. */
	[[nodiscard]] virtual unsigned sdma_engines() const = 0;

	/** Return: virtual time in shader clock cycles. */
	virtual uint64_t run_idle() = 0;
	virtual uint64_t run_to(uint64_t cycle) = 0;
	virtual uint64_t now() = 0;
	/** Lets time pass by itself: for work that is not a client's. Throws ENODEV where there is no kernel below. */
	virtual void free_run() = 0;

	virtual void trace(bool on) = 0;
	/** Events since the last call, oldest first. */
	virtual std::vector<amdm_ctl_trace_event> take_trace() = 0;
	/** silicon_counter */
	virtual uint64_t counter(uint32_t which) = 0;
	/** As Lab::set_mode(). */
	virtual void set_mode(Mode mode, uint32_t value) = 0;

	/** Runs in steps of @cycles until @done; throws after @limit cycles. */
	void run_until(const std::function<bool()> &done, uint64_t cycles, uint64_t limit);
};

/** Who gives a queue its place on the hardware: the firmware's scheduler, or the driver (amdgpu's sched_policy 2), as always on Tonga. */
enum class Placement { Firmware, Driver };

/** The silicon in this program. @chip: name in hw/chips.def; @cus: enabled CUs a shader array, 0: the product's. */
std::unique_ptr<Machine> silicon_machine(const std::string &chip, unsigned cus = 0, Placement placement = Placement::Firmware);
/** The GPU behind /dev/kfd; root, and the model. */
std::unique_ptr<Machine> kfd_machine(uint32_t gpu);

/** Whether a queue was refused because the driver has no place on the hardware left (Placement::Driver). */
[[nodiscard]] inline bool no_slot(const std::system_error &error) { return error.code() == std::errc::device_or_resource_busy; }

/** Place of bit @i of a mask. */
struct CuAt {
	unsigned engine, cu;
};
[[nodiscard]] constexpr CuAt cu_at(const ChipFacts &facts, unsigned i) noexcept
{
	const unsigned w = i / facts.cus_per_wgp;

	return {w % facts.engines, w / facts.engines * facts.cus_per_wgp + i % facts.cus_per_wgp};
}

/** Mask of the CUs for which @take(engine, cu) says true, and of the others in their WGPs. */
CuMask make_mask(const ChipFacts &facts, const std::function<bool(unsigned engine, unsigned cu)> &take);
/** The @count first CUs, filling engine after engine. */
CuMask packed_mask(const ChipFacts &facts, unsigned count);
/** The @count first CUs, going round the engines: the first @count bits. */
CuMask distributed_mask(const ChipFacts &facts, unsigned count);

} // namespace kfdm::exp
