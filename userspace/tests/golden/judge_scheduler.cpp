// SPDX-License-Identifier: MIT
//
// Sequences of operations on the firmware's scheduler below the ioctls: packets, run lists, descriptors and counters after each step
#include "golden.hpp"
#include "kfd_pure.hpp"
#include "machine_json.hpp"

namespace golden {
namespace {

std::uint32_t u32_of(const json &args, const char *key) { return static_cast<std::uint32_t>(number(args, key)); }

json words_json(const std::uint32_t *words, std::uint32_t dwords)
{
	json out = json::array();
	char text[12];

	for (std::uint32_t i = 0; i < dwords; i++) {
		std::snprintf(text, sizeof(text), "%08x", words[i]);
		out.push_back(text);
	}
	return out;
}

/// What newly came through the HIQ, packet by packet.
json packets_json()
{
	std::uint64_t wptr;
	std::uint32_t dwords;
	const std::uint32_t *words = machine_hiq_packets(0, &dwords, &wptr);
	json out = json::array();

	for (std::uint32_t i = 0, n; i < dwords; i += n) {
		n = std::min((words[i] >> 16 & 0x3fff) + 2, dwords - i);
		out.push_back(words_json(words + i, n));
	}
	return out;
}

json see_dqm()
{
	struct machine_dqm d;

	machine_dqm(0, &d);
	return {
		{"processes", d.processes},
		{"active_queues", d.active_queues},
		{"active_cp", d.active_cp},
		{"gws_queues", d.gws_queues},
		{"total_queues", d.total_queues},
		{"active_runlist", int(d.active_runlist)},
		{"sched_halt", int(d.halted)},
		{"is_hws_hang", int(d.hang)},
		{"ib_held", int(d.holds_list)},
		{"over_subscribed", int(d.over_subscribed)},
		{"sdma_bitmap", hex(d.sdma_bitmap[0])},
		{"sdma_bitmap_hi", hex(d.sdma_bitmap[1])},
		{"xgmi_sdma_bitmap", hex(d.xgmi_sdma_bitmap[0])},
		{"xgmi_sdma_bitmap_hi", hex(d.xgmi_sdma_bitmap[1])},
		{"xcc_start", d.next_xcc},
	};
}

json see_qpd(std::uint32_t process)
{
	struct machine_qpd q;

	machine_qpd(process, 0, &q);
	return {
		{"queue_count", q.queue_count},
		{"evicted", q.evicted},
		{"page_table_base", hex(q.page_table_base)},
		{"sh_mem_config", hex(q.sh_mem_config)},
		{"sh_mem_bases", hex(q.sh_mem_bases)},
		{"num_gws", q.num_gws},
		{"mapped_gws", q.mapped_gws_queue},
		{"has_reset_queue", int(q.has_reset_queue)},
		{"reset_wavefronts", int(q.reset_wavefronts)},
	};
}

json see_queue(std::uint32_t slot)
{
	constexpr std::uint32_t sdma_shown = 128; /* dwords, though GFX10's descriptors have two more */
	struct machine_queue q;

	if (!machine_slot(slot, &q))
		return nullptr;
	json out = queue_json(q);
	out.update({
		{"slot", slot},
		{"type", q.type},
		{"is_reset", int(q.is_reset)},
		{"mqd", mqd_json(q.mqd, q.type ? sdma_shown : q.mqd_dwords)},
	});
	return out;
}

/// machine_page_directory() makes directories of a base and of whose they are: the base that gives this one.
void set_page_directory(const json &args, std::uint32_t process)
{
	machine_page_directory(number(args, "pd_base") ^ std::uint64_t(process) << 16 ^ 1u << 20);
}

int new_process(const json &args)
{
	std::uint32_t process;

	set_page_directory(args, u32_of(args, "proc"));
	const int ret = machine_process_new(u32_of(args, "pasid"), number(args, "xnack"), &process);

	if (!ret)
		machine_register(process, u32_of(args, "slice"), number(args, "tba"), number(args, "tma"));
	return ret;
}

int create_queue(const json &args, std::uint32_t &slot)
{
	const machine_slot_args a = {
		.process = u32_of(args, "proc"),
		.type = u32_of(args, "qtype"),
		.format = u32_of(args, "format"),
		.queue_id = u32_of(args, "queue_id"),
		.ring = number(args, "ring"),
		.ring_size = number(args, "ring_size"),
		.rptr = number(args, "rptr"),
		.wptr = number(args, "wptr"),
		.priority = u32_of(args, "prio"),
		.percent = u32_of(args, "percent"),
		.engine = u32_of(args, "engine"),
		.target_xcc = u32_of(args, "target_xcc"),
		.eop = number(args, "eop_addr"),
		.save_area = number(args, "ctx_addr"),
		.metadata_size = number(args, "meta"),
		.eop_size = u32_of(args, "eop_size"),
		.save_area_size = u32_of(args, "ctx_size"),
		.ctl_stack_size = u32_of(args, "ctl_size"),
	};

	return machine_slot_create(&a, &slot);
}

bool set_policy(const json &args)
{
	kfd_ioctl_set_memory_policy_args a = {};

	a.default_policy = u32_of(args, "pol_default");
	a.alternate_policy = u32_of(args, "pol_alt");
	a.alternate_aperture_base = number(args, "pol_base");
	a.alternate_aperture_size = number(args, "pol_size");
	a.misc_process_flag = u32_of(args, "misc");
	return machine_policy(u32_of(args, "proc"), &a);
}

/// Queues are given by their slots, rings that nobody has by their addresses.
void fail_preemption(const json &args)
{
	std::vector<std::uint64_t> rings;

	for (const json &hung : args.at("hung"))
		rings.push_back(hung.is_string() ? std::stoull(hung.get<std::string>(), nullptr, 0) : machine_slot_ring(hung));
	machine_preempt_fail(rings.data(), static_cast<std::uint32_t>(rings.size()), number(args, "every_xcc"), number(args, "reset_ok"));
}

/// @slot: of the queue that is concerned; out: of a new one
int apply(const std::string &op, const json &args, std::uint32_t &slot)
{
	const std::uint32_t process = u32_of(args, "proc");

	if (op == "proc_new")
		return new_process(args);
	if (op == "q_create")
		return create_queue(args, slot);
	if (op == "q_destroy")
		return machine_slot_destroy(slot);
	if (op == "q_update")
		return machine_slot_update(slot, number(args, "ring"), number(args, "ring_size"), u32_of(args, "percent"),
					   u32_of(args, "prio"), u32_of(args, "target_xcc"));
	if (op == "q_cumask")
		return machine_slot_cu_mask(slot, words(args.at("cu_mask")).data(), u32_of(args, "count"));
	if (op == "q_gws")
		return machine_slot_gws(slot, number(args, "on"));
	if (op == "mempolicy")
		return set_policy(args);
	if (op == "evict")
		return machine_evict(process, 0);
	if (op == "terminate")
		return machine_leave(process);
	if (op == "halt")
		return machine_halt(number(args, "on"));
	if (op == "sethang") {
		machine_set_hang(number(args, "on"));
		return 0;
	}
	if (op == "preempt_fail") {
		fail_preemption(args);
		return 0;
	}
	if (op == "sdma_hang") {
		machine_sdma_hang(slot, number(args, "reset_ok"));
		return 0;
	}
	if (op != "restore")
		throw std::runtime_error("unknown operation " + op);
	set_page_directory(args, process);
	return machine_restore(process, 0);
}

json take(const json &step)
{
	const json &args = step.at("args"), &wanted = step.at("out");
	std::uint32_t slot = u32_of(args, "slot");
	const std::uint32_t process = args.contains("slot") ? machine_slot_process(slot) : u32_of(args, "proc");

	machine_forget();
	json out = {{"ret", apply(step.at("op"), args, slot)}};
	out["hiq_packets"] = packets_json();
	/* The vectors take for the step's run list whatever was last taken of the pool. */
	std::uint32_t dwords;
	std::uint64_t at;
	if (const std::uint32_t *piece = machine_new_piece(&dwords, &at)) {
		out["runlist_gpu"] = hex(at);
		out["runlist"] = words_json(piece, dwords);
	}
	out["dqm"] = see_dqm();
	json calls = json::array();
	for (std::uint32_t i = 0; const char *note = machine_reset_note(i); i++)
		calls.push_back(note);
	if (machine_reset_asked())
		calls.push_back("gpu_reset");
	if (machine_waves_killed())
		calls.push_back("wave_reset_wavefronts");
	if (!calls.empty())
		out["hw_calls"] = calls;
	if (wanted.contains("qpd"))
		out["qpd"] = see_qpd(process);
	if (wanted.contains("queue"))
		out["queue"] = see_queue(slot);
	return out;
}

/// The device of the vector, complete with what the vectors' makers did not need to name.
json device_of(const json &v)
{
	const json &given = v.at("device");
	json device = {
		{"pipes", 4},
		{"qpp", 8},
		{"first_vmid", 8},
		{"db_size", 0x200000},
		{"max_pfn", 0x1000000000},
		{"atomics", 1},
		{"mec_fw", 0x1ff},
		{"mec2_fw", 0x1ff},
		{"sdma_fw", 32},
		{"vram", 0x400000000},
		{"gws_size", 64},
		{"cpus", 1},
		{"gtt_next", 0x1000000},
		{"sched_policy", 0},
		{"hws_max_conc_proc", given.at("max_proc")},
		{"cwsr_enable", 1},
		{"max_queues", 4096},
		{"preempt_ms", 9000},
		{"hws_gws", 1},
		{"mes", 0},
		{"vf", 0},
		{"devcap2", 0x180},
		{"node_id", given.contains("node_id") ? given.at("node_id") : json(0)},
		{"noretry", given.at("noretry")},
		{"num_sdma", v.at("sdma_instances")},
		{"xgmi", v.at("xgmi_supported")},
	};
	json taken = json::array();

	for (unsigned slot = given.at("cp_queues"); slot < 32; slot++)
		taken.push_back(slot);
	device["kcq_bits"] = taken;
	return device;
}

void add_gpu(const json &v)
{
	const json device = device_of(v), &given = v.at("device");
	const machine_parameters parameters = parameters_of(device);
	machine_gpu gpu = gpu_of(v, device);
	machine_device made;

	gpu.die_is_partition = false;			/* the makers' node had all VMIDs for itself */
	gpu.isolates = number(given, "isolation") == 1; /* module parameter enforce_isolation: on */
	gpu.first_non_cp = given.at("first_non_cp");
	gpu.last_non_cp = given.at("last_non_cp");
	for (std::size_t i = 0; i < given.at("sdma_idx").size() && i < std::size(gpu.sdma_doorbell_idx); i++)
		gpu.sdma_doorbell_idx[i] = given.at("sdma_idx")[i];
	machine_start(&parameters);
	machine_add_gpu(&gpu, &made);
	if (!made.complete)
		throw std::runtime_error("the device is refused");
	machine_below_ioctls();
	packets_json(); /* of its start */
}

Verdict judge_steps(const json &v)
{
	const json &steps = v.at("steps");

	add_gpu(v);
	for (std::size_t i = 0; i < steps.size(); i++) {
		const json out = take(steps[i]);

		if (out != steps[i].at("out"))
			return different("step " + std::to_string(i) + " " + steps[i].at("op").get<std::string>(), out, steps[i].at("out"));
	}
	return Verdict::of(true);
}

} // namespace

Verdict judge_dqm_seq(const json &v)
{
	chip_of(v.at("name")); /* throws */
	return in_child([&] { return judge_steps(v); });
}

} // namespace golden
