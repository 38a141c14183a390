// SPDX-License-Identifier: MIT
/*
 * recorder.hpp - the way back from system calls to the descriptions: a call that a program makes becomes an Invocation, its numbers that
 * earlier calls have put out become references to these. One line a call, in the form of program.hpp; addresses stay what they are, and so
 * do lengths of memory: seeds.hpp lays them out.
 */
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace kfdm::fuzz {

inline constexpr std::string_view failed_line = "# failed", unknown_line = "# unknown ";

/** Copies memory of the process; false where there is none. */
using Peek = std::function<bool(uint64_t address, void *to, size_t size)>;
using Registers = std::array<uint64_t, 6>;

class Recorder {
public:
	/** A call that is about to be made, and where its outputs will be. */
	struct Pending {
		Invocation invocation;
		std::vector<uint64_t> addresses; /**< of slots 1, 2, ... */
		int descriptor;			 /**< the call that has made it */
		int misfits = 0;
		std::vector<Invocation> contents; /**< of a job's buffers: programs write them without a call */
	};

	Recorder(const Description &description, Peek peek) : description_(description), peek_(std::move(peek)) {}

	/** Nothing, if no description fits: the call is not about the GPU, or (see unknown()) one that is not described. */
	std::optional<Pending> before(std::string_view base, const Registers &registers);
	/** What it put out is known from now on. Returns the lines of the trace. */
	std::string after(Pending pending, int64_t result);
	/** A call that puts out what the program has learned in another way: ids of GPUs, of sysfs. */
	std::string apertures(uint64_t kfd, const std::vector<uint32_t> &gpu_ids);
	/** True if it was the last one of its file: then it is a call of the program. */
	bool closed(uint64_t descriptor);
	void duplicated(uint64_t descriptor, uint64_t copy);

	[[nodiscard]] bool is_known(uint64_t descriptor) const { return find("fd", descriptor, -1) != nullptr; }
	/** Whether a call has named this memory. */
	[[nodiscard]] bool is_named(uint64_t address, uint64_t size) const;

private:
	struct Known {
		const Resource *resource;
		uint64_t value;
		int descriptor; /**< handles are those of one */
		int call, slot;
	};
	struct Range {
		uint64_t from, to;
	};
	/** A buffer, by the call that has made it, in the GPU's addresses. */
	struct Mapped {
		int buffer;
		uint64_t from, to, offset;
	};
	class Decoder;

	[[nodiscard]] const Known *find(std::string_view resource, uint64_t value, int descriptor) const;
	[[nodiscard]] std::optional<uint64_t> doorbells(uint64_t offset) const;
	void name_memory(const std::vector<Field> &fields, const std::vector<Arg> &args);
	void note_buffer(const Call &call, const std::vector<Arg> &args);
	[[nodiscard]] std::optional<uint64_t> seen_by_cpu(uint64_t gpu_address) const;
	[[nodiscard]] std::vector<Invocation> contents(const Invocation &job) const;
	std::string line(const Invocation &invocation, bool failed);

	const Description &description_;
	Peek peek_;
	std::vector<Known> known_;
	std::vector<Range> named_;
	std::vector<Mapped> mapped_;
	std::map<int, int> buffer_of_offset_;	 /**< the GEM_MMAP that asked where to map it */
	std::map<int, uint64_t> mapped_for_cpu_; /**< a buffer's address */
	int calls_ = 0;
};

} // namespace kfdm::fuzz
