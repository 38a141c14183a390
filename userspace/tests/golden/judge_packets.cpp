// SPDX-License-Identifier: MIT
//
// Scheduler packets and whole run lists
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <algorithm>

namespace golden {
namespace {

/* The machine of the vectors has its GC block at 0. */
constexpr std::uint32_t cp_iq_wait_time2 = 0x10b0;

constexpr int default_preemption_timeout_ms = 9000;

constexpr std::uint32_t single_memops = 1, runtime_enabled = 1; /* KFD_DBG_TRAP_FLAG_*, DEBUG_RUNTIME_STATE_* */

kfdm_debug_state debug_of(const json &in)
{
	kfdm_debug_state d = {};

	d.trap_enabled = number(in, "trap_enabled") != 0;
	d.runtime_enabled = number(in, "runtime_state") == runtime_enabled;
	d.single_memops = number(in, "dbg_flags") & single_memops;
	d.spi_gdbg_per_vmid_cntl = number32(in, "spi_override") | number32(in, "spi_launch");
	if (in.contains("watch")) {
		const auto watch = words(in.at("watch"));

		std::copy_n(watch.begin(), std::min(watch.size(), std::size(d.watch)), d.watch);
	}
	return d;
}

/// Module parameter enforce_isolation: 1 is "on"
bool isolates(const json &device) { return number(device, "isolation") == 1; }

const json &device_of(const json &v)
{
	static const json none = json::object();

	return v.contains("device") ? v.at("device") : none;
}

kfdm_map_process process_of(const json &in)
{
	kfdm_map_process p = {};

	p.pasid = number32(in, "pasid");
	p.is_debug = number(in, "debug") != 0;
	p.page_table_base = number(in, "pt_base");
	p.sh_mem_config = number32(in, "sh_mem_config");
	p.sh_mem_bases = number32(in, "sh_mem_bases");
	p.sh_mem_ape1_base = number32(in, "ape1_base");
	p.sh_mem_ape1_limit = number32(in, "ape1_limit");
	p.sh_hidden_private_base = number(in, "hidden_priv");
	p.tba_addr = number(in, "tba");
	p.tma_addr = number(in, "tma");
	p.gds_context_area = number(in, "gds_ctx");
	p.gds_size = number32(in, "gds_size");
	p.num_gws = number32(in, "num_gws");
	p.num_oac = number32(in, "num_oac");
	p.mapped_gws_queue = number(in, "mapped_gws") != 0;
	p.queue_count = number32(in, "queue_count");
	p.xnack = number(in, "xnack") != 0;
	p.debug = debug_of(in);
	return p;
}

kfdm_queue_properties queue_of(const json &in)
{
	kfdm_queue_properties q = {};

	q.type = static_cast<kfdm_queue_type>(number(in, "qtype"));
	q.is_gws = number(in, "gws") != 0;
	q.doorbell_off = number32(in, "doorbell");
	q.write_ptr = number(in, "wptr");
	q.sdma_engine_id = number32(in, "sdma_eng");
	return q;
}

const kfdm_packet_ops &packet_set(const json &v)
{
	const std::string name = v.at("packet_set");

	if (is_7_2())
		return *chip_of(v.at("asic")).packets;
	if (name == "vi")
		return kfdm_packets_vi;
	if (name == "aldebaran")
		return kfdm_packets_aldebaran;
	if (name == "v9")
		return kfdm_packets_v9;
	throw std::runtime_error("unknown packet set " + name);
}

int build_map_queues(const kfdm_packet_ops &ops, const json &in, std::uint32_t sdma_version, std::uint32_t *packet)
{
	const kfdm_queue_properties q = queue_of(in);
	const kfdm_map_queues map = {&q, number(in, "mqd_addr"), number(in, "is_static") != 0};

	return ops.map_queues(packet, &map, sdma_version);
}

int build_run_list(const kfdm_packet_ops &ops, const json &in, const json &device, std::uint32_t *packet)
{
	kfdm_run_list_load load = {};

	load.processes = number32(in.contains("processes") ? in : device, "processes");
	load.max_processes = number32(in.contains("max_proc") ? in : device, "max_proc");
	load.one_at_a_time = isolates(device);
	const kfdm_run_list list = {number(in, "ib"), number32(in, "ib_dw"), number(in, "chain") != 0,
				    kfdm_run_list_concurrent(&ops, &load)};

	return ops.run_list(packet, &list);
}

int build_set_resources(const kfdm_packet_ops &ops, const json &in, const json &device, std::uint32_t *packet)
{
	const json &told = in.contains("preempt_ms") ? in : device;
	const int ms = told.contains("preempt_ms") ? static_cast<int>(number(told, "preempt_ms")) : default_preemption_timeout_ms;
	kfdm_resources r = {};

	r.vmid_mask = number32(in, "vmid_mask");
	r.queue_mask = number(in, "queue_mask");
	r.gws_mask = number(in, "gws_mask");
	r.oac_mask = number32(in, "oac_mask");
	r.gds_heap_base = number32(in, "gds_base");
	r.gds_heap_size = number32(in, "gds_heap_size");
	r.unmap_latency_ms = kfdm_unmap_latency_ms(ms);
	r.xnack_chain = number(device, "xnack_chain") != 0;
	return ops.set_resources(packet, &r);
}

/// The builder for a packet's name, and how many dwords it is promised to write.
int build(const kfdm_packet_ops &ops, const json &v, std::vector<std::uint32_t> &packet)
{
	const std::string name = v.at("packet");
	const json &in = v.at("in"), &device = device_of(v);
	const std::uint32_t sdma = ip_version(v.at("sdma_version"));

	if (name == "map_process") {
		kfdm_map_process p = process_of(in);

		p.exec_cleaner_shader = isolates(device);
		p.debug.vmid = number32(device, "trap_debug_vmid");
		packet.assign(ops.map_process_dwords, ~0u);
		return ops.map_process(packet.data(), &p);
	}
	if (name == "map_queues") {
		packet.assign(ops.map_queues_dwords, ~0u);
		return build_map_queues(ops, in, sdma, packet.data());
	}
	if (name == "runlist") {
		packet.assign(ops.run_list_dwords, ~0u);
		return build_run_list(ops, in, device, packet.data());
	}
	if (name == "set_resources") {
		packet.assign(ops.set_resources_dwords, ~0u);
		return build_set_resources(ops, in, device, packet.data());
	}
	if (name == "unmap_queues") {
		packet.assign(ops.unmap_queues_dwords, ~0u);
		return ops.unmap_queues(packet.data(), static_cast<kfdm_unmap_filter>(number(in, "filter")), number32(in, "param"),
					number(in, "reset") != 0, sdma);
	}
	if (name == "dequeue_wait") {
		const kfdm_dequeue_wait wait = {static_cast<kfdm_dequeue_wait_cmd>(number(in, "cmd")), number32(in, "value"),
						cp_iq_wait_time2, number32(device, "wait_times"),
						chip_of_version(v.at("gc_version")).waves_of_apu_wait && number(device, "app_apu")};

		packet.assign(kfdm_dequeue_wait_dwords(&ops, chip_of_version(v.at("gc_version")).waits_by_iq_timer, wait.cmd), ~0u);
		return packet.empty() ? 0 : ops.dequeue_wait(packet.data(), &wait);
	}
	if (name == "release_mem") {
		packet.assign(ops.release_mem_dwords, ~0u);
		return ops.release_mem(packet.data(), number(in, "gpu_addr"));
	}
	packet.assign(ops.query_status_dwords, ~0u);
	return ops.query_status(packet.data(), number(in, "fence_addr"), number(in, "fence_val"));
}

bool xnack_modes_differ(const json &processes)
{
	return std::any_of(processes.begin(), processes.end(),
			   [&](const json &p) { return number(p, "xnack") != number(processes.at(0), "xnack"); });
}

kfdm_run_list_load load_of(const json &v)
{
	const json &c = v.at("counters");

	if (!is_7_2())
		return {number32(c, "processes"),
			number32(c, "active_queues"),
			number32(c, "active_cp"),
			number32(c, "gws_queues"),
			number32(v, "max_proc_per_quantum"),
			number32(v, "cp_queues"),
			false,
			false};
	const json &device = v.at("device");

	/* The driver that made the vectors counted no HQD slot, whatever "cp_queues" says: one compute queue is already too many. */
	constexpr std::uint32_t no_slots = 0;

	return {number32(c, "processes"),
		number32(c, "queues"),
		number32(c, "cp_queues"),
		number32(c, "gws_queues"),
		number32(device, "max_proc"),
		no_slots,
		number(device, "xnack_chain") && xnack_modes_differ(v.at("processes")),
		isolates(device)};
}

/// The processes in the order of the list.
std::vector<json> in_order(const json &processes)
{
	std::vector<json> order(processes.begin(), processes.end());

	if (kfdm_abi->groups_by_xnack && !order.empty())
		std::stable_partition(order.begin(), order.end(),
				      [&](const json &p) { return number(p, "xnack") == number(processes.at(0), "xnack"); });
	return order;
}

int fill(kfdm_run_list_ib &rl, const json &processes, bool cleaner)
{
	for (const auto &process : in_order(processes)) {
		kfdm_map_process p = process_of(process.contains("process") ? process.at("process") : process);

		p.exec_cleaner_shader = cleaner;
		if (const int ret = kfdm_run_list_add_process(&rl, &p))
			return ret;
		for (const int kernel : {1, 0})
			for (const auto &queue : process.at("queues")) {
				const kfdm_queue_properties q = queue_of(queue);
				const kfdm_map_queues map = {&q, number(queue, "mqd_addr"), p.is_debug};

				if (!number(queue, "active") || static_cast<int>(number(queue, "kernel")) != kernel)
					continue;
				if (const int ret = kfdm_run_list_add_queue(&rl, &map))
					return ret;
			}
	}
	return 0;
}

} // namespace

Verdict judge_pm4(const json &v)
{
	const kfdm_packet_ops &ops = packet_set(v);
	const json &out = v.at("out");

	/* No builder: nothing to be had from it. */
	if (out.contains("absent"))
		return Verdict::of(v.at("packet") == "release_mem" ? !ops.release_mem : !ops.dequeue_wait);
	std::vector<std::uint32_t> packet;
	const int ret = build(ops, v, packet);

	if (ret != out.at("ret").get<int>() || packet.size() * 4 != number(out, "size_bytes"))
		return Verdict::of(false);
	return Verdict::of(ret || packet.empty() || packet == words(out.at("dw")));
}

Verdict judge_runlist(const json &v)
{
	const json &out = v.at("out");
	const kfdm_run_list_load load = load_of(v);
	const kfdm_packet_ops &ops = packet_set(v);
	const std::uint32_t dwords = kfdm_run_list_dwords(&ops, &load);
	const std::uint64_t address = number(v, "ib_base");
	std::vector<std::uint32_t> ib(dwords);
	kfdm_run_list_ib rl = {&ops, ip_version(v.at("sdma_version")), ib.data(), dwords, 0, 0, load.processes};

	/* The sub-allocator refuses a list without packets. */
	int ret = dwords ? fill(rl, v.at("processes"), isolates(device_of(v))) : -EINVAL;

	if (!ret && kfdm_run_list_over_subscribed(&load))
		ret = kfdm_run_list_chain(&rl, address, &load);
	bool equal = ret == out.at("ret").get<int>() &&
		     (!dwords || kfdm_run_list_over_subscribed(&load) == (number(out, "over_subscribed") != 0) || ret);

	if (ret)
		return Verdict::of(equal);
	if (out.contains("hiq_runlist_packet")) {
		const kfdm_run_list list = {address, dwords, false, kfdm_run_list_concurrent(&ops, &load)};
		std::vector<std::uint32_t> packet(ops.run_list_dwords);

		ops.run_list(packet.data(), &list);
		equal = equal && packet == words(out.at("hiq_runlist_packet"));
	}
	return Verdict::of(equal && ib == words(out.at("ib")));
}

} // namespace golden
