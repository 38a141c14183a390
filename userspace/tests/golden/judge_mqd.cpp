// SPDX-License-Identifier: MIT
//
// CU masks, memory queue descriptors and the wave state that they tell
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <algorithm>
#include <map>

namespace golden {
namespace {

/// The bits of a mask, from the lowest on.
std::vector<unsigned> bits_of(std::uint64_t mask)
{
	std::vector<unsigned> bits;

	for (unsigned bit = 0; mask >> bit; bit++)
		if (mask >> bit & 1)
			bits.push_back(bit);
	return bits;
}

/// amdgpu packs the arrays of engines 4..7 behind those of 0..3; two columns apart from gfx11 on.
void read_die(const json &bitmap, unsigned step, kfdm_cu_layout &cu, unsigned xcc)
{
	for (unsigned se = 0; se < cu.num_se; se++)
		for (unsigned sh = 0; sh < cu.num_sh_per_se; sh++)
			cu.cu_bitmap[xcc][se][sh] = words(bitmap.at(se % 4)).at(sh + se / 4 * step);
}

kfdm_cu_layout layout_of(const std::string &name, const std::string &gc_version)
{
	const json &t = topology(name);
	const kfdm_chip &chip = chip_of_version(gc_version);
	const unsigned step = chip.gc_version >= 0x0b0000 ? 2 : 1;
	kfdm_cu_layout cu = {};

	cu.cus_per_wgp = chip.cus_per_wgp;
	cu.num_se = t.at("num_se");
	cu.num_sh_per_se = t.at("num_sh_per_se");
	if (!t.contains("xcc_cu_bitmaps_4x4") || t.at("xcc_cu_bitmaps_4x4").is_null()) {
		cu.num_xcc = 1;
		cu.cu_active = t.at("active_cus");
		read_die(t.at("cu_bitmap_4x4"), step, cu, 0);
		return cu;
	}
	cu.cu_active = t.at("active_cus").get<unsigned>() / t.at("num_nodes").get<unsigned>();
	for (const unsigned xcc : bits_of(number(t, "node_xcc_mask")))
		read_die(t.at("xcc_cu_bitmaps_4x4").at(xcc), step, cu, cu.num_xcc++);
	return cu;
}

kfdm_cu_mask mask_of(const json &mask, std::uint32_t bits)
{
	kfdm_cu_mask out = {};
	const auto given = words(mask);

	out.bits = bits;
	std::copy_n(given.begin(), std::min(given.size(), std::size(out.words)), out.words);
	return out;
}

/// Properties at creation, and later the changed ones only.
void read_properties(const json &p, kfdm_queue_properties &q)
{
	const auto set = [&p](const char *key, auto &field) {
		if (p.contains(key))
			field = static_cast<std::remove_reference_t<decltype(field)>>(number(p, key));
	};

	set("qtype", q.type);
	set("format", q.format);
	set("qaddr", q.queue_address);
	set("qsize", q.queue_size);
	set("rptr", q.read_ptr);
	set("wptr", q.write_ptr);
	set("prio", q.priority);
	set("percent", q.queue_percent);
	set("doorbell", q.doorbell_off);
	set("evicted", q.is_evicted);
	set("was_active", q.is_active);
	set("gws", q.is_gws);
	set("vmid", q.vmid);
	set("sdma_eng", q.sdma_engine_id);
	set("sdma_q", q.sdma_queue_id);
	set("sdma_vm", q.sdma_vm_addr);
	set("eop_addr", q.eop_address);
	set("eop_size", q.eop_size);
	set("ctx_addr", q.ctx_save_address);
	set("ctx_size", q.ctx_save_size);
	set("ctl_size", q.ctl_stack_size);
	set("suspended", q.is_suspended);
	set("dbg_wa", q.is_dbg_wa);
	set("target_xcc", q.pm4_target_xcc);
	set("meta", q.metadata_size);
	set("tba", q.tba_addr);
	set("tma", q.tma_addr);
}

const kfdm_mqd_ops *manager_of(const json &v)
{
	if (is_7_2())
		return chip_of(v.at("asic")).mqd;
	static const std::map<std::string, const kfdm_mqd_ops *> managers = {
		{"cik", kfdm_mqd_cik}, {"cik_hawaii", kfdm_mqd_cik_hawaii},
		{"vi", kfdm_mqd_vi},   {"vi_tonga", kfdm_mqd_vi_tonga},
		{"v9", kfdm_mqd_v9},   {"v10", kfdm_mqd_v10},
		{"v11", kfdm_mqd_v11},
	};
	return managers.at(v.at("manager"));
}

kfdm_mqd_type mqd_type_of(const std::string &name)
{
	if (name == "HIQ")
		return KFDM_MQD_HIQ;
	if (name == "DIQ")
		return KFDM_MQD_DIQ;
	return name == "SDMA" ? KFDM_MQD_SDMA : KFDM_MQD_CP;
}

/// Up to the last byte that is no longer what it was.
std::size_t written_bytes(const std::vector<std::uint32_t> &memory, std::uint32_t untouched)
{
	const auto last = std::find_if(memory.rbegin(), memory.rend(), [=](std::uint32_t w) { return w != untouched; });

	return static_cast<std::size_t>(memory.rend() - last) * 4;
}

bool nonzero_words_are(const std::vector<std::uint32_t> &mqd, const json &expected)
{
	json got = json::object();
	char text[9];

	for (std::size_t i = 0; i < mqd.size(); i++)
		if (mqd[i]) {
			std::snprintf(text, sizeof(text), "%08x", mqd[i]);
			got[std::to_string(i)] = text;
		}
	return got == expected;
}

bool changed_words_are(const std::vector<std::uint32_t> &before, const std::vector<std::uint32_t> &after, const json &expected)
{
	json got = json::object();
	char text[9];

	for (std::size_t i = 0; i < after.size(); i++)
		if (before[i] != after[i]) {
			std::snprintf(text, sizeof(text), "%08x", after[i]);
			got[std::to_string(i)] = text;
		}
	return got == expected;
}

/// The descriptor of one compute die.
std::vector<std::uint32_t> of_xcc(const std::vector<std::uint32_t> &all, const kfdm_mqd_ops &ops, std::uint32_t stride, unsigned xcc)
{
	const auto first = all.begin() + xcc * stride / 4;

	return {first, first + ops.size / 4};
}

/// The makers looked at this much of a queue's descriptors before and after a step; behind it they saw the memory as it was at first.
constexpr std::size_t remembered_words = 0x40000 / 4;
constexpr std::uint32_t untouched = 0xa5a5a5a5;

std::vector<std::uint32_t> as_remembered(std::vector<std::uint32_t> memory)
{
	if (memory.size() > remembered_words)
		std::fill(memory.begin() + remembered_words, memory.end(), untouched);
	return memory;
}

/// Those of the other dies after init: where they are not as the first one's.
bool other_xccs_are(const std::vector<std::uint32_t> &all, const kfdm_mqd_ops &ops, std::uint32_t stride, const json &out)
{
	const auto first = of_xcc(all, ops, stride, 0);
	unsigned xcc = 1;

	if (!out.contains("other_xccs"))
		return true;
	for (const auto &expected : out.at("other_xccs"))
		if (!changed_words_are(first, of_xcc(all, ops, stride, xcc++), expected))
			return false;
	return true;
}

/// The layout that a vector's masks are about; without masks only the number of dies counts.
kfdm_cu_layout layout_of_node(const json &v)
{
	if (v.contains("topology") && v.at("topology").is_string() && topology(v.at("topology")).contains("node_xcc_mask"))
		return layout_of(v.at("topology"), topology(v.at("topology")).at("gc_version"));
	return {.num_xcc = 1};
}

/// One update call, with the CU mask that came with it.
bool update_equal(const kfdm_mqd_ops &ops, kfdm_mqd_env env, std::vector<std::uint32_t> &mqd, kfdm_queue_properties &q, const json &update)
{
	const json &set = update.at("set");
	const auto before = as_remembered(mqd);
	kfdm_cu_layout cu = {};
	kfdm_cu_mask mask = {};

	read_properties(set, q);
	if (set.contains("update_flag"))
		mask.flags = number32(set, "update_flag");
	if (set.contains("cu_mask")) {
		const std::string topology_name = set.at("topology");

		cu = layout_of(topology_name, topology(topology_name).at("gc_version"));
		const std::uint32_t flags = mask.flags;

		mask = mask_of(set.at("cu_mask"), static_cast<std::uint32_t>(number(set, "cu_count")));
		mask.flags = flags;
		env.cu = &cu;
	}
	const bool says_what = set.contains("cu_mask") || set.contains("update_flag");

	ops.update(&ops, &env, mqd.data(), &q, says_what ? &mask : nullptr);
	const std::uint32_t stride = kfdm_mqd_stride(&ops, &env, &q);
	bool equal = changed_words_are(of_xcc(before, ops, stride, 0), of_xcc(mqd, ops, stride, 0), update.at("changed"));
	unsigned xcc = 1;

	if (update.contains("changed_other_xccs"))
		for (const auto &changed : update.at("changed_other_xccs")) {
			equal = equal && changed_words_are(of_xcc(before, ops, stride, xcc), of_xcc(mqd, ops, stride, xcc), changed);
			xcc++;
		}
	return equal && q.is_active == (number(update, "is_active") != 0);
}

/// The rule of pairs is a generation's: a chip without a row has that of the nearest one with a row.
std::uint32_t cus_per_wgp(const std::string &gc_version)
{
	constexpr std::uint32_t vega20 = 0x090400, navi10 = 0x0a010a;
	const std::uint32_t gc = ip_version(gc_version);
	const kfdm_chip *chip = kfdm_chip_find(kfdm_abi, "fiji", gc);

	return (chip ? chip : kfdm_chip_find(kfdm_abi, "", gc >> 16 > vega20 >> 16 ? navi10 : vega20))->cus_per_wgp;
}

/// What the ioctl answers to a mask that it could read, for a queue that exists.
int check_cu_mask(std::uint32_t cus_per_wgp, const std::uint32_t *mask, std::uint32_t count, std::uint32_t &bits)
{
	const int ret = kfdm_cu_mask_check_size(count, &bits);

	return ret ? ret : kfdm_cu_mask_check_pairs(cus_per_wgp, mask, bits);
}

} // namespace

Verdict judge_cu_mask(const json &v)
{
	const kfdm_cu_layout cu = layout_of(v.at("topology"), v.at("gc_version"));
	const auto count = static_cast<std::uint32_t>(number(v, "count"));
	const kfdm_cu_mask mask = mask_of(v.at("mask"), count);
	const json &ioctl = v.at("ioctl");
	std::uint32_t se_mask[KFDM_MAX_SE], bits = 0, xcc = 0;
	bool equal = true;
	int ret = 0;

	for (const json &one : v.contains("xcc_se_mask") ? v.at("xcc_se_mask") : json::array({v.at("se_mask")})) {
		const auto expected = words(one);

		if (is_7_2())
			chip_of_version(v.at("gc_version")).mqd[KFDM_MQD_CP].map_cu_mask(&cu, xcc++, &mask, se_mask);
		else
			kfdm_map_cu_mask(&cu, xcc++, &mask, se_mask);
		equal = equal && std::equal(expected.begin(), expected.end(), se_mask);
	}

	ret = check_cu_mask(cu.cus_per_wgp, mask.words, count, bits);
	return Verdict::of(equal && ret == ioctl.at("ret").get<int>() && (!ioctl.contains("count") || bits == number(ioctl, "count")));
}

Verdict judge_cu_mask_ioctl(const json &v)
{
	const json &out = v.at("out");
	const auto count = static_cast<std::uint32_t>(number(v, "num_cu_mask"));
	kfdm_cu_mask mask = {};
	std::uint32_t bits = 0;

	if (v.contains("mask")) {
		mask = mask_of(v.at("mask"), count);
	} else {
		const std::string pattern = v.at("pattern");

		std::fill(std::begin(mask.words), std::end(mask.words), pattern == "ones" ? ~0u : 0);
		if (pattern == "lowbit")
			mask.words[0] = 1;
	}
	/* In the order of the ioctl: size, memory, queue, pairs. */
	int ret = kfdm_cu_mask_check_size(count, &bits);

	if (!ret && (!v.at("pointer_ok").get<bool>() || !v.at("queue_exists").get<bool>()))
		ret = -EFAULT;
	const kfdm_queue_properties q = {.is_dbg_wa = number(v, "dbg_wa") != 0};

	if (!ret)
		ret = kfdm_cu_mask_check_queue(&q, cus_per_wgp(v.at("gc_version")), mask.words, bits);
	return Verdict::of(ret == out.at("ret").get<int>() &&
			   (ret || !out.contains("count_passed_on") ||
			    (bits == number(out, "count_passed_on") &&
			     (!out.contains("words_passed_on") || bits / 32 == number(out, "words_passed_on")))));
}

/// Did atomics get through? Records of "v12" do not say; there it is taken from the bit that nothing else decides.
static bool has_atomics(const json &v)
{
	if (v.contains("pcie_atomics") || v.at("manager") != "v12" || v.at("mqd_type") == "SDMA")
		return !v.contains("pcie_atomics") || number(v, "pcie_atomics");
	return std::stoul(v.at("out").at("mqd").at("160").get<std::string>(), nullptr, 16) >> 29 & 1;
}

Verdict judge_mqd(const json &v)
{
	const kfdm_mqd_ops &ops = manager_of(v)[mqd_type_of(v.at("mqd_type"))];
	const json &out = v.at("out");
	const std::size_t page_words = 1024;
	const kfdm_cu_layout cu = layout_of_node(v);
	kfdm_mqd_env env = {&cu, number(v, "cwsr_enabled") != 0, number(v, "mes_enabled") != 0, has_atomics(v),
			    number(v, "profiler_active") != 0};
	kfdm_queue_properties q = {};

	read_properties(v.at("props"), q);
	/* 7.2 makes no DIQ any more and gave its manager no stride. */
	const std::uint32_t stride = v.at("mqd_type") == "DIQ" ? ops.size : kfdm_mqd_stride(&ops, &env, &q);
	const std::uint32_t xccs = kfdm_mqd_xccs(&ops, &env);
	std::vector<std::uint32_t> mqd(xccs * stride / 4 + 2 * page_words, untouched);
	std::uint32_t next_xcc = number32(v, "xcc_start");

	if (v.at("mqd_type") == "HIQ")
		q.type = KFDM_QUEUE_HIQ;

	kfdm_mqd_deal_xcc(&ops, &next_xcc, &q);
	ops.init(&ops, &env, mqd.data(), number(v, "mqd_gpu_addr"), &q);
	bool equal = ops.size == number(out, "mqd_size") && written_bytes(as_remembered(mqd), untouched) == number(out, "bytes_written") &&
		     (!out.contains("stride") || stride == number(out, "stride"));

	equal = equal && nonzero_words_are(of_xcc(mqd, ops, stride, 0), out.at("mqd")) && other_xccs_are(mqd, ops, stride, out) &&
		q.is_active == (number(out, "is_active") != 0) &&
		(!out.contains("xcc_start_after") || next_xcc == number(out, "xcc_start_after"));

	if (v.contains("updates"))
		for (const auto &update : v.at("updates"))
			equal = update_equal(ops, env, mqd, q, update) && equal;
	return Verdict::of(equal);
}

/// The header that one compute die's part of the save area begins with, and how much of its control stack follows.
static bool wave_state_is(const kfdm_wave_state &state, const kfdm_mqd_ops &ops, const json &out, unsigned xcc)
{
	if (out.contains("user_area") &&
	    !(state.has_header && nonzero_words_are({std::begin(state.header), std::end(state.header)}, out.at("user_area").at(xcc))))
		return false;
	return !out.contains("copied_dwords_behind") || !ops.ctl_stack_in_mqd ||
	       state.copy_bytes / 4 == out.at("copied_dwords_behind").at(xcc).get<std::uint32_t>();
}

Verdict judge_wave_state(const json &v)
{
	const kfdm_mqd_ops &ops = (is_7_2() ? chip_of_version(v.at("gc_version")).mqd : manager_of(v))[KFDM_MQD_CP];
	const unsigned xccs = std::max(number32(v, "num_xcc"), 1u);
	const json &out = v.at("out");
	kfdm_queue_properties q = {};

	if (!ops.wave_state)
		return Verdict::of(false);
	q.ctl_stack_size = number32(v, "ctl_size");
	for (unsigned xcc = 0; xcc < xccs; xcc++) {
		std::vector<std::uint32_t> mqd(ops.size / 4);
		kfdm_wave_state state = {};

		/* These three words have one place in every layout that has them; the makers gave each die other values. */
		mqd[175] = static_cast<std::uint32_t>(number(v, "cp_hqd_cntl_stack_size"));
		mqd[174] = static_cast<std::uint32_t>(number(v, "cp_hqd_cntl_stack_offset")) - 16 * xcc;
		mqd[176] = static_cast<std::uint32_t>(number(v, "cp_hqd_wg_state_offset")) + 64 * xcc;
		ops.wave_state(mqd.data(), &q, &state);
		if (!wave_state_is(state, ops, out, xcc))
			return Verdict::of(false);
		if (!xcc &&
		    (state.ctl_stack_used != number32(out, "ctl_stack_used") || state.save_area_used != number32(out, "save_area_used")))
			return Verdict::of(false);
	}
	return Verdict::of(true);
}

} // namespace golden
