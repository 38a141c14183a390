// SPDX-License-Identifier: MIT
//
// Ids, doorbells, apertures, registers of a process, arguments of a queue, interrupt entries
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <map>

namespace golden {
namespace {

std::uint32_t number32(const json &object, const char *key)
{
	return static_cast<std::uint32_t>(number(object, key));
}

bool is_gfx9(const json &v)
{
	return ip_version(v.at("gc_version")) >> 16 == 9;
}

/// Vega's doorbells are of 64 bits, and so are those of all that came after it.
std::uint32_t doorbell_bytes(const std::string &name)
{
	for (const char *old : {"kaveri", "hawaii", "carrizo", "tonga", "fiji", "polaris10", "polaris11", "polaris12", "vegam"})
		if (name == old)
			return 4;
	return 8;
}

kfd_ioctl_create_queue_args queue_args(const json &in)
{
	kfd_ioctl_create_queue_args a = {};

	a.ring_base_address = number(in, "ring_base");
	a.write_pointer_address = number(in, "wptr");
	a.read_pointer_address = number(in, "rptr");
	a.ring_size = number32(in, "ring_size");
	a.queue_type = number32(in, "queue_type");
	a.queue_percentage = number32(in, "percent");
	a.queue_priority = number32(in, "prio");
	a.eop_buffer_address = number(in, "eop_addr");
	a.eop_buffer_size = number(in, "eop_size");
	a.ctx_save_restore_address = number(in, "ctx_addr");
	a.ctx_save_restore_size = number32(in, "ctx_size");
	a.ctl_stack_size = number32(in, "ctl_size");
	return a;
}

std::string hex(std::uint64_t n)
{
	char text[24];

	std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(n));
	return text;
}

json calls_for_poison(const kfdm_interrupt &irq, const std::string &pasid)
{
	json calls = json::array();

	if (irq.may_unmap)
		calls.push_back({"evict_pasid", pasid});
	calls.push_back({"signal_poison_consumed", pasid});
	calls.push_back({"poison_handler", irq.may_unmap ? "0x0" : "0x1"});
	return calls;
}

json calls_for_fault(const kfdm_interrupt &irq, const std::string &pasid)
{
	return json::array({{"smi_vmfault", pasid},
			    {"evict_pasid", pasid},
			    {"signal_vm_fault", pasid, hex(irq.vmid), hex(irq.client), hex(irq.page),
			     hex(irq.prot_valid), hex(irq.prot_read), hex(irq.prot_write)}});
}

/// What the worker does about a decoded entry.
json calls_for(const kfdm_interrupt &irq, const json &in)
{
	constexpr unsigned utcl2 = 0x1b;
	const bool have_process = !in.contains("have_process") || number(in, "have_process");
	const std::string pasid = hex(irq.pasid);
	kfdm_interrupt poison = irq;

	switch (irq.kind) {
	case KFDM_IRQ_SIGNAL:
		return json::array({{"signal_event", pasid, hex(irq.event_id), hex(irq.event_bits)}});
	case KFDM_IRQ_HW_EXCEPTION:
		return json::array({{"signal_hw_exception", pasid}});
	case KFDM_IRQ_POISON:
		return have_process ? calls_for_poison(irq, pasid) : json::array();
	case KFDM_IRQ_VM_FAULT:
		if (irq.client != utcl2 || !number(in, "utcl2_poison"))
			return calls_for_fault(irq, pasid);
		poison.may_unmap = true;
		return have_process ? calls_for_poison(poison, pasid) : json::array();
	default:
		return json::array();
	}
}

} // namespace

Verdict judge_gpu_id(const json &v)
{
	const kfdm_gpu_identity identity = {
		number32(v, "pci_devfn"), number32(v, "pci_subsystem_vendor"), number32(v, "pci_subsystem_device"),
		number32(v, "pci_domain"), number32(v, "pci_device"), number32(v, "pci_bus"),
		number(v, "vram_public") + number(v, "vram_private"),
	};
	const json &out = v.at("out");
	const std::uint32_t id = kfdm_gpu_id(&identity);

	return Verdict::of(id == number(out, "gpu_id") &&
			   (3ULL << 62 | static_cast<std::uint64_t>(id) << 46) == number(out, "doorbell_mmap_offset"));
}

Verdict judge_doorbell_init(const json &v)
{
	if (number(v, "mes_enabled"))
		return Verdict::skip("MES");

	const json &out = v.at("out");
	kfdm_doorbell_layout layout = {};
	const int ret = kfdm_doorbells_divide(doorbell_bytes(v.at("name")), number32(v, "aperture_size"),
					     number32(v, "start_offset"), &layout);

	if (ret != out.at("ret").get<int>() || layout.slice != number(out, "slice"))
		return Verdict::of(false);
	if (ret)
		return Verdict::of(true);
	const std::uint64_t before = number(v, "max_slices_before");
	const std::uint64_t slices = before ? std::min<std::uint64_t>(before, layout.max_slices) : layout.max_slices;

	return Verdict::of(layout.base / 4 == number(out, "base_dw") && slices == number(out, "max_slices"));
}

Verdict judge_doorbell_offset(const json &v)
{
	if (number(v, "mes_enabled"))
		return Verdict::skip("MES");

	const json &out = v.at("out");
	kfdm_doorbell_layout layout = {};

	kfdm_doorbells_divide(doorbell_bytes(v.at("name")), number32(v, "aperture_size"), number32(v, "start_offset"), &layout);
	const std::uint32_t slice = number32(v, "doorbell_index");

	return Verdict::of(kfdm_doorbell_dw_offset(&layout, slice, number32(v, "doorbell_id")) ==
				   number(out, "dw_offset_in_bar") &&
			   number(v, "phys") + layout.base + static_cast<std::uint64_t>(slice) * layout.slice ==
				   number(out, "process_doorbells_phys"));
}

Verdict judge_apertures(const json &v)
{
	if (!is_gfx9(v))
		return Verdict::skip("not GFX9");
	if (number(v, "use_iommu_v2"))
		return Verdict::skip("APU with IOMMUv2");
	if (number(v, "process_is_32bit"))
		return Verdict::skip("32-bit process: refused at open");

	const json &out = v.at("out");
	kfdm_apertures a = {};

	kfdm_apertures_v9(number(v, "gpuvm_size"), &a);
	return Verdict::of(a.lds_base == number(out, "lds_base") && a.lds_limit == number(out, "lds_limit") &&
			   a.gpuvm_base == number(out, "gpuvm_base") && a.gpuvm_limit == number(out, "gpuvm_limit") &&
			   a.scratch_base == number(out, "scratch_base") &&
			   a.scratch_limit == number(out, "scratch_limit") && a.cwsr_base == number(out, "cwsr_base") &&
			   a.ib_base == number(out, "ib_base"));
}

Verdict judge_process_registers(const json &v)
{
	if (v.at("dqm_family") != "v9")
		return Verdict::skip("scheduler family " + v.at("dqm_family").get<std::string>());

	const json &in = v.at("in"), &out = v.at("out");
	const std::string gc = v.at("gc_version");
	kfdm_map_process p = {};

	/* Aldebaran retries by the process's XNACK mode, all others by the device's; with an IOMMUv2 there is always retry. */
	const bool noretry = gc == "9.4.2" ? !number(in, "xnack") : number(in, "noretry") && !number(in, "iommu");
	const kfdm_sh_mem_inputs sh = {number(in, "lds_base"), number(in, "scratch_base"), noretry};

	p.sh_mem_config = number32(in, "prev_config");
	kfdm_asic_v9.update_qpd(&p, &sh);
	bool equal = p.sh_mem_config == number(out, "sh_mem_config") && p.sh_mem_bases == number(out, "sh_mem_bases") &&
		     kfdm_asic_v9.sdma_vm_addr(&sh) == number(out, "sdma_vm_addr") &&
		     (kfdm_asic_v9.set_cache_policy != nullptr) == (number(out, "has_set_cache_memory_policy") != 0);

	if (out.contains("policy_ok"))
		equal = equal && number(out, "policy_ok") == 1 && p.sh_mem_config == number(out, "sh_mem_config2");
	return Verdict::of(equal);
}

Verdict judge_create_queue_checks(const json &v)
{
	const kfd_ioctl_create_queue_args args = queue_args(v.at("in"));
	const json &out = v.at("out");
	kfdm_queue_properties q;
	const int ret = kfdm_queue_check_create(&args, &q);

	if (ret || out.at("ret").get<int>())
		return Verdict::of(ret == out.at("ret").get<int>());
	return Verdict::of(q.type == number(out, "type") && q.format == number(out, "format") &&
			   q.queue_size == number(out, "queue_size") && q.priority == number(out, "priority") &&
			   q.queue_percent == number(out, "queue_percent") &&
			   q.queue_address == number(out, "queue_address"));
}

Verdict judge_interrupts(const json &v)
{
	const json &in = v.at("in"), &out = v.at("out");

	if (!out.contains("class") || out.at("class") != "v9")
		return Verdict::skip("interrupt class of another generation");

	const auto entry = words(v.at("ih_entry"));
	auto patched = entry;
	std::uint16_t vmid_pasid[16] = {};
	kfdm_interrupt_filter filter = {};
	kfdm_interrupt irq;

	filter.gc_version = ip_version(v.at("gc_version"));
	filter.mec_fw = in.contains("mec_fw") ? number32(in, "mec_fw") : 0x1ff;
	filter.first_vmid = 8;
	filter.last_vmid = 15;
	filter.no_hws = number(in, "sched_policy") == 2;
	filter.no_eviction_on_vm_fault = number(in, "no_evict") != 0;
	filter.vmid_pasid = vmid_pasid;
	if (in.contains("map_vmid"))
		vmid_pasid[number(in, "map_vmid") & 15] = static_cast<std::uint16_t>(number(in, "map_pasid"));

	const bool wanted = kfdm_interrupt_v9.wanted(&filter, entry.data(), patched.data());
	bool equal = wanted == (number(out, "wanted") != 0);

	if (out.contains("patched_entry"))
		equal = equal && patched == words(out.at("patched_entry"));
	if (!wanted)
		return Verdict::of(equal);
	kfdm_interrupt_v9.decode(patched.data(), &irq);
	return Verdict::of(equal && calls_for(irq, in) == out.at("hw_calls"));
}

} // namespace golden
