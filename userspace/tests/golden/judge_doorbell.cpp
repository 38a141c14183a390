// SPDX-License-Identifier: MIT
//
// Sequences of allocations: kernel doorbells, process slices, SDMA queues with their doorbells
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <map>
#include <optional>

namespace golden {
namespace {

constexpr std::uint32_t first_process_slice = 1;

using DoorbellIds = std::vector<unsigned long>;

DoorbellIds bitmap(std::uint32_t bits) { return DoorbellIds(bits / 64 + 1); }

kfdm_doorbell_layout layout_of(const json &v)
{
	kfdm_doorbell_layout layout = {};

	kfdm_doorbells_divide(chip_of(v.at("name")).doorbell_size, number32(v, "aperture_size"), number32(v, "start_offset"), &layout);
	return layout;
}

/// An SDMA queue, or the doorbell of one, that a restored process asks for.
std::optional<std::uint32_t> wish(const json &step, const char *key)
{
	return step.contains(key) ? std::optional(number32(step, key)) : std::nullopt;
}

/// A process on a device: its doorbells, and the device's SDMA queues.
class Allocator {
public:
	explicit Allocator(const json &v) : chip_(chip_of(v.at("name"))), doorbell_index_(number32(v, "doorbell_index"))
	{
		const json &initial = v.at("initial");
		const kfdm_probe probe = {chip_.name,
					  chip_.gc_version,
					  ip_version(v.at("sdma_version")),
					  false,
					  true,
					  number32(v, "sdma_instances"),
					  number32(v, "num_nodes"),
					  number(v, "xgmi_supported") != 0,
					  false};
		kfdm_device_info info = {};

		kfdm_device_info_fill(kfdm_abi, &probe, &info);
		first_engine_ = number32(v, "node_id") * (info.sdma_engines + info.xgmi_sdma_engines);
		sdma_ = {info.sdma_engines, info.xgmi_sdma_engines, info.sdma_queues_per_engine};
		kfdm_sdma_ids(free_, sdma_.engines, sdma_.queues_per_engine, info.reserved_sdma_queues);
		kfdm_sdma_ids(xgmi_free_, sdma_.xgmi_engines, sdma_.queues_per_engine, info.reserved_xgmi_sdma_queues);
		const json &doorbells = is_7_2() ? v : initial;

		read_sdma_doorbells(doorbells.at("sdma_doorbell_idx"));
		if (v.contains("doorbell_index_family")) /* amdgpu's list may be longer than the chip has engines */
			read_sdma_doorbells(read_table("doorbell_index.json").at(v.at("doorbell_index_family")).at("sdma_doorbell_idx"));
		if (!chip_.doorbell_is_queue_id)
			kfdm_doorbell_ids_reserve(ids_.data(), number32(doorbells, "first_non_cp"), number32(doorbells, "last_non_cp"));
		kfdm_doorbells_divide(chip_.doorbell_size, ~0u, number32(v, "doorbell_base_dw_offset") * 4, &layout_);
		if (number(v, "mes_enabled"))
			kfdm_doorbells_of_mes(&layout_);
		if (is_7_2()) /* where amdgpu placed the process's doorbell buffer */
			layout_.base = number32(v, "process_slice_bar_offset");
	}

	bool starts_as(const json &initial) const
	{
		if (!bitmaps_are(initial))
			return false;
		const char *key = is_7_2() ? "doorbell_bitmap" : "initial_bitmap";

		if (!initial.contains(key))
			return true;
		const auto expected = words(initial.at(key));

		for (std::size_t i = 0; i < expected.size(); i++)
			if (expected[i] != static_cast<std::uint32_t>(ids_[i / 2] >> i % 2 * 32))
				return false;
		return true;
	}

	bool step(const json &step)
	{
		if (step.at("op") == "alloc")
			return alloc(step, step.at("out"));
		const kfdm_queue_properties &q = slots_.at(number(step, "slot"));

		if (kfdm_queue_is_sdma(&q))
			kfdm_sdma_id_give(q.type == KFDM_QUEUE_SDMA_XGMI ? xgmi_free_ : free_, &sdma_, &q);
		else if (!chip_.doorbell_is_queue_id)
			__clear_bit(q.doorbell_off, ids_.data());
		return bitmaps_are(is_7_2() ? step : step.at("out"));
	}

private:
	void read_sdma_doorbells(const json &list)
	{
		for (std::size_t i = 0; i < std::min(std::size(sdma_doorbells_), list.size()); i++)
			sdma_doorbells_[i] = list.at(i);
	}

	bool bitmaps_are(const json &out) const
	{
		return free_[0] == number(out, "sdma_bitmap") && xgmi_free_[0] == number(out, "xgmi_sdma_bitmap") &&
		       (!out.contains("sdma_bitmap_hi") || free_[1] == number(out, "sdma_bitmap_hi")) &&
		       (!out.contains("xgmi_sdma_bitmap_hi") || xgmi_free_[1] == number(out, "xgmi_sdma_bitmap_hi"));
	}

	bool alloc_sdma(const json &step, const json &out, kfdm_queue_properties &q, bool &goes_on)
	{
		const auto id = wish(step, "restore_sdma");
		const bool names_engine = q.type == KFDM_QUEUE_SDMA_BY_ENGINE;

		kfdm_sdma_choose_kind(&sdma_, &q);
		unsigned long *free = q.type == KFDM_QUEUE_SDMA_XGMI ? xgmi_free_ : free_;
		const int ret = names_engine ? kfdm_sdma_id_take_of_engine(free, &sdma_, &q) :
					       kfdm_sdma_id_take(free, &sdma_, id ? &*id : nullptr, &q);

		goes_on = !ret;
		if (ret != out.at("sdma_ret").get<int>() || ret)
			return ret == out.at("sdma_ret").get<int>();
		if (is_7_2())
			return q.sdma_id == number(out, "sdma_id") && q.sdma_engine_id == number(out, "sdma_engine_id") &&
			       q.sdma_queue_id == number(out, "sdma_queue_id") && q.type == number(out, "type_after");
		return q.sdma_id == number(out, "sdma_id") && q.sdma_engine_id == number(out, "sdma_engine_id") &&
		       q.sdma_queue_id == number(out, "sdma_queue_id") && bitmaps_are(out);
	}

	int take_doorbell(const json &step, const kfdm_queue_properties &q, std::uint32_t &doorbell)
	{
		const auto id = wish(step, "restore_db");
		const std::uint32_t *restore = id ? &*id : nullptr;

		if (chip_.doorbell_is_queue_id)
			return kfdm_doorbell_id_of_queue(q.queue_id, restore, &doorbell);
		if (kfdm_queue_is_sdma(&q))
			return kfdm_doorbell_id_of_sdma(&sdma_doorbells_[first_engine_], chip_.sdma_doorbell_align, &q, restore, &doorbell);
		return kfdm_doorbell_id_take(ids_.data(), restore, &doorbell);
	}

	bool alloc(const json &step, const json &out)
	{
		kfdm_queue_properties q = {};
		std::uint32_t doorbell = 0;
		bool goes_on = true;

		q.type = static_cast<kfdm_queue_type>(number(step, "qtype"));
		q.queue_id = number32(step, "qid");
		q.sdma_engine_id = number32(step, "engine");
		if (kfdm_queue_is_sdma(&q) && (!alloc_sdma(step, out, q, goes_on) || !goes_on))
			return !goes_on;
		const int ret = take_doorbell(step, q, doorbell);

		if (ret && is_7_2() && kfdm_queue_is_sdma(&q)) /* goes back at once */
			kfdm_sdma_id_give(q.type == KFDM_QUEUE_SDMA_XGMI ? xgmi_free_ : free_, &sdma_, &q);
		q.doorbell_off = doorbell; /* kept here until it is given back */
		if (out.contains("slot"))
			slots_[number(out, "slot")] = q;
		if (is_7_2() && !bitmaps_are(step))
			return false;
		if (ret || out.at("ret").get<int>())
			return ret == out.at("ret").get<int>();
		return doorbell == number(out, "doorbell_id") &&
		       kfdm_doorbell_dw_offset(&layout_, doorbell_index_, doorbell) == number(out, "doorbell_off") &&
		       (is_7_2() || doorbell * chip_.doorbell_size == number(out, "offset_in_process"));
	}

	const kfdm_chip &chip_;
	std::uint32_t doorbell_index_;
	kfdm_sdma_layout sdma_ = {};
	std::uint32_t first_engine_ = 0; /* of the node */
	unsigned long free_[KFDM_SDMA_IDS / 64] = {}, xgmi_free_[KFDM_SDMA_IDS / 64] = {};
	std::uint32_t sdma_doorbells_[64] = {}; /* 0 where there is no engine: these steps lie below the check of its number */
	DoorbellIds ids_ = bitmap(KFDM_DOORBELL_IDS);
	kfdm_doorbell_layout layout_ = {};
	std::map<std::uint64_t, kfdm_queue_properties> slots_;
};

} // namespace

Verdict judge_doorbell_kernel_seq(const json &v)
{
	const kfdm_doorbell_layout layout = layout_of(v);
	DoorbellIds ids = bitmap(KFDM_DOORBELL_IDS);

	for (const auto &step : v.at("steps")) {
		const json &out = step.at("out");
		std::uint32_t id = 0;
		const bool ok = !kfdm_slot_take(ids.data(), 0, KFDM_DOORBELL_IDS, &id);

		if (ok != (number(out, "ok") != 0))
			return Verdict::of(false);
		if (ok && (kfdm_doorbell_dw_offset(&layout, 0, id) != number(out, "doorbell_off") ||
			   id * layout.doorbell_size != number(out, "byte_in_page")))
			return Verdict::of(false);
		if (ok && number(step, "release_after"))
			__clear_bit(id, ids.data());
	}
	return Verdict::of(true);
}

Verdict judge_doorbell_process_seq(const json &v)
{
	const kfdm_doorbell_layout layout = layout_of(v);
	DoorbellIds slices = bitmap(layout.max_slices);

	for (const auto &step : v.at("steps")) {
		std::uint32_t index = 0;

		if (step.at("op") == "free") {
			__clear_bit(number(step, "index"), slices.data());
			continue;
		}
		const bool ok = !kfdm_slot_take(slices.data(), first_process_slice, layout.max_slices, &index);
		const std::uint64_t phys = number(v, "phys") + layout.base + static_cast<std::uint64_t>(index) * layout.slice;

		if (index != number(step, "index") || (ok ? phys : 0) != number(step, "phys"))
			return Verdict::of(false);
	}
	return Verdict::of(true);
}

Verdict judge_doorbell_sdma_alloc_seq(const json &v)
{
	Allocator allocator(v);
	bool equal = allocator.starts_as(v.at("initial"));

	for (const auto &step : v.at("steps"))
		equal = equal && allocator.step(step);
	return Verdict::of(equal);
}

} // namespace golden
