// SPDX-License-Identifier: MIT
//
// Sizes of context save areas, and the buffers that a queue needs
#include "golden.hpp"
#include "kfd_pure.hpp"

namespace golden {
namespace {

constexpr std::uint64_t page = 4096;

kfdm_node_shape shape_of(const json &v)
{
	return {number32(v, "gfx_target_version"),
		number32(v, "simd_count"),
		number32(v, "simd_per_cu"),
		number32(v, "array_count"),
		number32(v, "simd_arrays_per_engine"),
		number32(v, "lds_size_in_kb"),
		number32(v, "num_xcc")};
}

kfdm_queue_properties queue_of(const json &in)
{
	kfdm_queue_properties q = {};

	q.type = static_cast<kfdm_queue_type>(number(in, "qtype"));
	q.format = static_cast<kfdm_queue_format>(number(in, "format"));
	q.queue_address = number(in, "ring");
	q.queue_size = number(in, "ring_size");
	q.metadata_size = number(in, "meta");
	q.write_ptr = number(in, "wptr");
	q.read_ptr = number(in, "rptr");
	q.eop_address = number(in, "eop_addr");
	q.eop_size = number32(in, "eop_size");
	q.ctx_save_address = number(in, "ctx_addr");
	q.ctx_save_size = number32(in, "ctx_size");
	q.ctl_stack_size = number32(in, "ctl_size");
	return q;
}

/// The stand-in for a VM: mappings and shared ranges of a vector, and how often each is held.
struct Vm {
	const json &mappings, &ranges;
	std::vector<int> held, ranges_held;

	static int hold(void *context, kfdm_queue_buffer, u64 address, u64 bytes)
	{
		Vm &vm = *static_cast<Vm *>(context);

		const std::size_t i = vm.mapping_of(address / page);

		if (i == vm.mappings.size() || vm.start_of(i) != address / page || (bytes / page && bytes / page != vm.mappings[i][1]))
			return -EINVAL;
		vm.held[i]++;
		return 0;
	}

	std::uint64_t start_of(std::size_t i) const { return std::stoull(mappings[i][0].get<std::string>(), nullptr, 0) / page; }

	/// As an interval tree finds it: where several overlap, which no VM allows, the one that starts first.
	std::size_t mapping_of(std::uint64_t at) const
	{
		std::size_t found = mappings.size();

		for (std::size_t i = 0; i < mappings.size(); i++)
			if (start_of(i) <= at && at < start_of(i) + mappings[i][1].get<std::uint64_t>() &&
			    (found == mappings.size() || start_of(i) < start_of(found)))
				found = i;
		return found;
	}

	static int hold_svm(void *context, u64 address, u64 bytes)
	{
		Vm &vm = *static_cast<Vm *>(context);
		std::uint64_t at = address / page, left = bytes / page;
		std::vector<std::size_t> found;

		while (left) {
			std::size_t i = 0;

			while (i < vm.ranges.size() && !vm.serves(i, at))
				i++;
			if (i == vm.ranges.size())
				return -EINVAL;
			/* As svm_range_from_addr: a whole range counts from wherever it is met. */
			const std::uint64_t pages = vm.ranges[i].at("pages");

			found.push_back(i);
			at += pages;
			left -= std::min(left, pages);
		}
		for (const std::size_t i : found)
			vm.ranges_held[i]++;
		return 0;
	}

	bool serves(std::size_t i, std::uint64_t at) const
	{
		const json &r = ranges[i];
		const std::uint64_t start = number(r, "start") / page, pages = number(r, "pages");

		return at >= start && at < start + pages && number(r, "mapped") && number(r, "always_mapped") && r.at("access") != "none";
	}
};

} // namespace

Verdict judge_cwsr_sizes(const json &v)
{
	const kfdm_node_shape node = shape_of(v);
	const json &out = v.at("out");
	struct kfdm_save_sizes sizes;

	kfdm_save_sizes(&node, &sizes);
	return Verdict::of(sizes.cwsr == number(out, "cwsr_size") && sizes.ctl_stack == number(out, "ctl_stack_size") &&
			   sizes.debug_memory == number(out, "debug_memory_size") && sizes.eop == number(out, "eop_buffer_size"));
}

Verdict judge_acquire_buffers(const json &v)
{
	static const json nothing = json::array();
	const kfdm_node_shape node = shape_of(v);
	const kfdm_queue_properties q = queue_of(v.at("in"));
	const json &out = v.at("out"), &ranges = v.at("svm_ranges").is_null() ? nothing : v.at("svm_ranges");
	struct kfdm_save_sizes sizes;
	Vm vm = {v.at("mappings"), ranges, std::vector<int>(v.at("mappings").size()), std::vector<int>(ranges.size())};
	const kfdm_buffer_lookup lookup = {Vm::hold, Vm::hold_svm, &vm};

	kfdm_save_sizes(&node, &sizes);
	const int ret = kfdm_queue_hold_buffers(&q, &node, &sizes, &lookup);

	if (ret) { /* the caller lets go */
		vm.held.assign(vm.held.size(), 0);
		vm.ranges_held.assign(vm.ranges_held.size(), 0);
	}
	return Verdict::of(ret == out.at("ret").get<int>() && sizes.cwsr == number(out, "node_cwsr_size") &&
			   sizes.ctl_stack == number(out, "node_ctl_stack_size") &&
			   sizes.debug_memory == number(out, "node_debug_memory_size") &&
			   sizes.eop == number(out, "node_eop_buffer_size") && json(vm.held) == out.at("mapping_refs") &&
			   json(vm.ranges_held) == out.at("svm_refs"));
}

} // namespace golden
