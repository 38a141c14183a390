// SPDX-License-Identifier: MIT
//
// Sequences of operations on a device, as they come from ioctls: after each step queue, process and scheduler are compared, and what
// was put on the HIQ or asked of the hardware
#include "golden.hpp"
#include "machine_json.hpp"

namespace golden {
namespace {

std::uint32_t u32_of(const json &args, const char *key) { return static_cast<std::uint32_t>(number(args, key)); }

json see_queue(std::uint32_t process, std::uint32_t queue_id)
{
	struct machine_queue q;

	if (!machine_queue(process, queue_id, &q))
		return nullptr;
	json out = queue_json(q);
	out.update({
		{"queue_id", q.queue_id},
		{"sdma_vm_addr", hex(q.sdma_vm_addr)},
		{"pipe", q.pipe},
		{"hqd", q.hqd},
		{"vmid", q.vmid},
		{"mqd", mqd_json(q.mqd, q.mqd_dwords)},
	});
	return out;
}

json see_qpd(std::uint32_t process, std::uint32_t gpu)
{
	struct machine_qpd q;

	machine_qpd(process, gpu, &q);
	return {
		{"sh_mem_config", hex(q.sh_mem_config)},
		{"sh_mem_bases", hex(q.sh_mem_bases)},
		{"ape1_base", hex(q.ape1_base)},
		{"ape1_limit", hex(q.ape1_limit)},
		{"page_table_base", hex(q.page_table_base)},
		{"queue_count", q.queue_count},
		{"vmid", q.vmid},
		{"evicted", q.evicted},
		{"num_gws", q.num_gws},
		{"mapped_gws_queue", q.mapped_gws_queue},
		{"doorbell_index", q.doorbell_index},
		{"process_doorbells", hex(q.process_doorbells)},
	};
}

json see_dqm(std::uint32_t gpu)
{
	struct machine_dqm d;
	json out;

	machine_dqm(gpu, &d);
	out = {
		{"processes", d.processes},
		{"active_queues", d.active_queues},
		{"active_cp", d.active_cp},
		{"gws_queues", d.gws_queues},
		{"total_queues", d.total_queues},
		{"active_runlist", int(d.active_runlist)},
		{"sdma_bitmap", hex(d.sdma_bitmap[0])},
		{"xgmi_sdma_bitmap", hex(d.xgmi_sdma_bitmap[0])},
	};
	if (d.active_runlist) {
		out["over_subscribed"] = int(d.over_subscribed);
		out["runlist_addr"] = hex(d.runlist_addr);
		out["runlist"] = dwords_json(d.runlist, d.runlist_dwords);
	}
	return out;
}

json see_pdd(std::uint32_t process, std::uint32_t gpu, bool soc15)
{
	struct machine_pdd p;
	json out;

	machine_pdd(process, gpu, &p);
	out = {
		{"init_vm_ret", 0},
		{"gpu_id", p.gpu_id},
		{"lds_base", hex(p.lds_base)},
		{"lds_limit", hex(p.lds_limit)},
		{"gpuvm_base", hex(p.gpuvm_base)},
		{"gpuvm_limit", hex(p.gpuvm_limit)},
		{"scratch_base", hex(p.scratch_base)},
		{"scratch_limit", hex(p.scratch_limit)},
		{"cwsr_base", hex(p.cwsr_base)},
		{"ib_base", hex(p.ib_base)},
		{"tba", hex(p.tba)},
		{"tma", hex(p.tma)},
	};
	if (soc15)
		out["doorbell_bitmap"] = dwords_json(p.doorbell_bitmap, 32);
	return out;
}

json new_process(const json &args, bool soc15)
{
	std::uint32_t process;
	int ret;

	machine_page_directory(number(args, "pd_base"));
	ret = machine_process_new(u32_of(args, "pasid"), number(args, "xnack"), &process);
	return {{"ret", ret}, {"proc", process}, {"pdds", json::array({see_pdd(process, 0, soc15)})}};
}

json create_queue(const json &args)
{
	kfd_ioctl_create_queue_args a = {};
	json out;

	a.ring_base_address = number(args, "ring_base");
	a.write_pointer_address = number(args, "wptr");
	a.read_pointer_address = number(args, "rptr");
	a.ring_size = u32_of(args, "ring_size");
	a.queue_type = u32_of(args, "queue_type");
	a.queue_percentage = u32_of(args, "percent");
	a.queue_priority = u32_of(args, "prio");
	a.eop_buffer_address = number(args, "eop_addr");
	a.eop_buffer_size = number(args, "eop_size");
	a.ctx_save_restore_address = number(args, "ctx_addr");
	a.ctx_save_restore_size = u32_of(args, "ctx_size");
	a.ctl_stack_size = u32_of(args, "ctl_size");
	out["ret"] = machine_create_queue(u32_of(args, "proc"), u32_of(args, "dev"), &a);
	if (out["ret"] == 0) {
		out["queue_id"] = a.queue_id;
		out["doorbell_offset"] = hex(a.doorbell_offset);
		out["queue"] = see_queue(u32_of(args, "proc"), a.queue_id);
	}
	return out;
}

json update_queue(const json &args)
{
	kfd_ioctl_update_queue_args a = {};

	a.ring_base_address = number(args, "ring_base");
	a.queue_id = u32_of(args, "qid");
	a.ring_size = u32_of(args, "ring_size");
	a.queue_percentage = u32_of(args, "percent");
	a.queue_priority = u32_of(args, "prio");
	return {{"ret", machine_update_queue(u32_of(args, "proc"), &a)}};
}

json set_cu_mask(const json &args)
{
	const auto mask = words(args.at("mask"));

	return {{"ret", machine_set_cu_mask(u32_of(args, "proc"), u32_of(args, "qid"), mask.data(),
					    static_cast<std::uint32_t>(mask.size() * 32))}};
}

json set_memory_policy(const json &args)
{
	kfd_ioctl_set_memory_policy_args a = {};

	a.alternate_aperture_base = number(args, "base");
	a.alternate_aperture_size = number(args, "size");
	a.default_policy = u32_of(args, "default");
	a.alternate_policy = u32_of(args, "alternate");
	return {{"ret", machine_set_memory_policy(u32_of(args, "proc"), u32_of(args, "dev"), &a)}};
}

json apply(const json &step, bool soc15)
{
	const std::string op = step.at("op");
	const json &args = step.at("args");
	const std::uint32_t proc = u32_of(args, "proc"), dev = u32_of(args, "dev"), qid = u32_of(args, "qid");

	if (op == "proc_new")
		return new_process(args, soc15);
	if (op == "q_create")
		return create_queue(args);
	if (op == "q_update")
		return update_queue(args);
	if (op == "q_destroy")
		return {{"ret", machine_destroy_queue(proc, qid)}};
	if (op == "q_cumask")
		return set_cu_mask(args);
	if (op == "q_gws")
		return {{"ret", machine_alloc_gws(proc, qid, u32_of(args, "num"))}};
	if (op == "mempolicy")
		return set_memory_policy(args);
	if (op == "evict")
		return {{"ret", machine_evict(proc, dev)}};
	if (op == "restore")
		return {{"ret", machine_restore(proc, dev)}};
	if (op == "reset_pasid")
		return {{"ret", machine_reset_pasid(dev, u32_of(args, "pasid"))}};
	if (op == "terminate")
		machine_terminate(proc, dev);
	else if (op == "sethang")
		machine_set_hang(number(args, "v"));
	else if (op == "setdbid")
		machine_set_doorbell_id(dev, u32_of(step.at("out"), "dword"), u32_of(args, "v"));
	else
		throw std::runtime_error("unknown operation " + op);
	return json::object();
}

/// What the vector looks at after a step, seen here.
json see(const json &step, json out)
{
	const json &args = step.at("args"), &wanted = step.at("out");
	const std::uint32_t proc = u32_of(args, "proc"), dev = u32_of(args, "dev");

	if (wanted.contains("dword"))
		out["dword"] = wanted["dword"]; /* where setdbid writes is its input */
	if (wanted.contains("queue") && !out.contains("queue"))
		out["queue"] = see_queue(proc, u32_of(args, "qid"));
	if (wanted.contains("qpd"))
		out["qpd"] = see_qpd(proc, dev);
	if (wanted.contains("dqm_0"))
		out["dqm_0"] = see_dqm(0);
	if (wanted.contains("hiq_packets_0"))
		add_hiq_packets(0, out);
	if (json calls = calls_json(); !calls.empty() || wanted.contains("hw_calls"))
		out["hw_calls"] = std::move(calls);
	return out;
}

Verdict judge_steps(const json &v)
{
	const json &steps = v.at("steps");
	bool soc15;

	if (auto why = add_first_gpu(v, steps.at(0).at("out"), soc15); why.kind != Verdict::Equal)
		return why;
	for (std::size_t i = 1; i < steps.size(); i++) {
		machine_forget();
		json out = see(steps[i], apply(steps[i], soc15));
		/* hiq_ring keeps the HIQ's output alone */
		for (const char *key : {"hw_calls", "proc", "pdds", "queue"})
			if (!steps[i].at("out").contains(key) && !v.contains("topology_name"))
				out.erase(key);
		if (out != steps[i].at("out"))
			return different("step " + std::to_string(i) + " " + steps[i].at("op").get<std::string>(), out, steps[i].at("out"));
	}
	return Verdict::of(true);
}

} // namespace

Verdict judge_scenario(const json &v)
{
	return in_child([&] { return judge_steps(v); });
}

} // namespace golden
