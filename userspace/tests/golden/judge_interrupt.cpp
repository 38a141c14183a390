// SPDX-License-Identifier: MIT
//
// Interrupt ring entries: the filter, and what the worker does about them
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <map>

namespace golden {
namespace {

json calls_for_poison(const kfdm_interrupt &irq, const std::string &pasid)
{
	json calls = json::array();

	if (irq.cure == KFDM_POISON_EVICT)
		calls.push_back({"evict_pasid", pasid});
	if (irq.cure == KFDM_POISON_RESET_QUEUES)
		calls.push_back({"reset_queues", pasid});
	calls.push_back({"signal_poison_consumed", pasid});
	calls.push_back({"poison_handler", irq.cure == KFDM_POISON_RESET_GPU ? "0x1" : "0x0"});
	return calls;
}

/// What the stand-in for the fault registers held.
kfdm_fault_info fault_registers(const json &in)
{
	kfdm_fault_info info = {};

	info.page = in.contains("vf_addr") ? number(in, "vf_addr") : 0x123456;
	info.vmid = in.contains("vf_vmid") ? number32(in, "vf_vmid") : 9;
	info.status = in.contains("vf_status") ? number32(in, "vf_status") : 1;
	info.client = 3;
	return info;
}

json calls_for_fault(kfdm_interrupt irq, const json &in, const std::string &pasid)
{
	const kfdm_fault_info info = fault_registers(in);
	json calls = json::array({{"smi_vmfault", pasid}});

	if (irq.fault == KFDM_FAULT_FOR_LOG_ONLY)
		return calls;
	calls.push_back({"evict_pasid", pasid});
	if (irq.fault == KFDM_FAULT_IN_REGISTERS && !kfdm_fault_from_registers(&irq, &info))
		return calls;
	if (irq.fault == KFDM_FAULT_UNKNOWN)
		calls.push_back({"signal_vm_fault_noinfo", pasid});
	else
		calls.push_back({"signal_vm_fault", pasid, hex(irq.vmid), hex(irq.client), hex(irq.page), hex(irq.prot_valid),
				 hex(irq.prot_read), hex(irq.prot_write)});
	return calls;
}

json debug_event(const std::string &pasid, std::uint32_t doorbell_id, std::uint64_t mask)
{
	return {"debug_event", pasid, hex(doorbell_id), hex(mask)};
}

json calls_for_poison_7_2(const kfdm_interrupt &irq, const std::string &pasid, bool names_pasid)
{
	json calls = json::array();

	if (irq.cure == KFDM_POISON_NONE)
		return calls;
	if (irq.marks_block)
		calls.push_back({"set_err_poison", hex(irq.block)});
	calls.push_back({"signal_poison", pasid});
	/* The stand-in cannot reset queues; that path ends with a GPU reset too, and asks without a PASID but on GC 12.1. */
	if (irq.cure == KFDM_POISON_RESET_QUEUES && !names_pasid)
		calls.push_back({"poison_handler_no_pasid", hex(irq.block), hex(irq.reset)});
	else
		calls.push_back({"poison_handler", hex(irq.block), pasid, hex(irq.reset)});
	return calls;
}

json calls_for_fault_7_2(const kfdm_interrupt &irq, const std::string &pasid)
{
	json calls = json::array({debug_event(pasid, ~0u, 1ULL << (EC_DEVICE_MEMORY_VIOLATION - 1))});

	calls.push_back({"memory_exception", hex(irq.page << 12), hex(irq.prot_valid), hex(irq.prot_write), hex(0), hex(0)});
	if (irq.smi == KFDM_SMI_LAST)
		calls.push_back({"smi_vmfault", pasid});
	return calls;
}

json calls_for_signal_7_2(const kfdm_interrupt &irq, const json &in, const std::string &pasid)
{
	json calls = json::array();

	if (irq.has_trap)
		calls.push_back(debug_event(pasid, irq.doorbell_id, irq.trap_code));
	if (!irq.has_trap || !number(in, "dbg_takes"))
		calls.push_back({"signal_event", pasid, hex(irq.event_id), hex(irq.event_bits), hex(!irq.slot_may_lag)});
	return calls;
}

json calls_for_7_2(const kfdm_interrupt &irq, const json &in, bool several_dies)
{
	const bool have_process = !in.contains("have_process") || number(in, "have_process");
	const std::string pasid = hex(irq.pasid);
	json calls = json::array();

	switch (irq.kind) {
	case KFDM_IRQ_SIGNAL: return calls_for_signal_7_2(irq, in, pasid);
	case KFDM_IRQ_POISON: return have_process ? calls_for_poison_7_2(irq, pasid, several_dies) : calls;
	case KFDM_IRQ_VM_FAULT: return calls_for_fault_7_2(irq, pasid);
	case KFDM_IRQ_PACKET_EXCEPTION:
		calls.push_back(debug_event(pasid, irq.doorbell_id, irq.trap_code));
		if (irq.stops_queue)
			calls.push_back({"suspend_bad_queue", pasid, hex(irq.doorbell_id)});
		return calls;
	case KFDM_IRQ_DRAIN: calls.push_back({"close_drain", pasid}); return calls;
	default: return calls;
	}
}

/// What the worker does about a decoded entry.
json calls_for(const kfdm_interrupt &irq, const json &in)
{
	constexpr unsigned utcl2 = 0x1b;
	const bool have_process = !in.contains("have_process") || number(in, "have_process");
	const std::string pasid = hex(irq.pasid);
	kfdm_interrupt poison = irq;

	switch (irq.kind) {
	case KFDM_IRQ_SIGNAL: return json::array({{"signal_event", pasid, hex(irq.event_id), hex(irq.event_bits)}});
	case KFDM_IRQ_HW_EXCEPTION: return json::array({{"signal_hw_exception", pasid}});
	case KFDM_IRQ_POISON: return have_process ? calls_for_poison(irq, pasid) : json::array();
	case KFDM_IRQ_VM_FAULT:
		if (irq.fault != KFDM_FAULT_IN_ENTRY || irq.client != utcl2 || !number(in, "utcl2_poison"))
			return calls_for_fault(irq, in, pasid);
		poison.cure = KFDM_POISON_EVICT;
		return have_process ? calls_for_poison(poison, pasid) : json::array();
	default: return json::array();
	}
}

/// Hawaii's registers: whose the last VM fault was.
bool fault_owner(void *device, std::uint32_t *vmid, std::uint16_t *pasid)
{
	const json &in = *static_cast<const json *>(device);

	*vmid = in.contains("vmfault_vmid") ? number32(in, "vmfault_vmid") : 9;
	*pasid = in.contains("atc_pasid") ? static_cast<std::uint16_t>(number(in, "atc_pasid")) : 0x8005;
	return !in.contains("atc_valid") || number(in, "atc_valid");
}

} // namespace

Verdict judge_interrupts(const json &v)
{
	const json &in = v.at("in"), &out = v.at("out");
	const kfdm_chip &chip = chip_of(v.at("name"));
	const std::map<std::string, const kfdm_interrupt_ops *> classes = {
		{"cik", &kfdm_interrupt_cik}, {"v9", &kfdm_interrupt_v9}, {"v11", &kfdm_interrupt_v11}};

	if (!is_7_2() && chip.interrupts != classes.at(out.at("class")))
		return Verdict::of(false);
	auto entry = words(v.at("ih_entry"));

	entry.resize(KFDM_IH_ENTRY_DWORDS);
	auto patched = entry;
	std::uint16_t vmid_pasid[16] = {};
	kfdm_interrupt_filter filter = {};
	kfdm_interrupt irq;

	filter.tells_event_id = kfdm_firmware_since(in.contains("mec_fw") ? number32(in, "mec_fw") : 0x1ff, chip.eop_id_mec_fw);
	filter.first_vmid = in.contains("first_vmid") ? number32(in, "first_vmid") : 8;
	filter.last_vmid = in.contains("last_vmid") ? number32(in, "last_vmid") : 15;
	filter.node_ids = number32(in, "irq_bitmap");
	filter.vmids = in.contains("vmid_bitmap") ? number32(in, "vmid_bitmap") : 0xff00;
	filter.no_hws = number(in, "sched_policy") == 2;
	filter.no_eviction_on_vm_fault = number(in, "no_evict") != 0;
	filter.vmid_pasid = vmid_pasid;
	filter.fault_owner = chip.faults_lack_owner ? fault_owner : nullptr;
	filter.device = const_cast<json *>(&in);
	if (in.contains("map_vmid"))
		vmid_pasid[number(in, "map_vmid") & 15] = static_cast<std::uint16_t>(number(in, "map_pasid"));

	const bool wanted = chip.interrupts->wanted(&filter, entry.data(), patched.data());
	bool equal = wanted == (number(out, "wanted") != 0) &&
		     (patched != entry || !number(out, "patched") || out.contains("patched_entry") || chip.faults_lack_owner);

	if (out.contains("patched_entry")) {
		auto expected = words(out.at("patched_entry"));

		expected.resize(KFDM_IH_ENTRY_DWORDS);
		equal = equal && patched == expected;
	}
	if (!wanted)
		return Verdict::of(equal);
	chip.interrupts->decode(patched.data(), &irq);
	if (!kfdm_firmware_since(number32(in, "pmfw"), chip.mode2_pmfw))
		kfdm_poison_without_mode2(&irq);
	const json calls = is_7_2() ? calls_for_7_2(irq, in, chip.interrupts->node_ids) : calls_for(irq, in);

	return Verdict{equal && calls == out.at("hw_calls") ? Verdict::Equal : Verdict::Different, calls.dump()};
}

} // namespace golden
