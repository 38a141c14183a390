// SPDX-License-Identifier: MIT
//
// Probes, ids, doorbells, apertures, registers of a process, arguments of a queue
#include "golden.hpp"
#include "kfd_pure.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>

namespace golden {
namespace {

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
	a.sdma_engine_id = number32(in, "sdma_engine_id");
	a.metadata_ring_size = number32(in, "metadata_ring_size");
	return a;
}

} // namespace

const kfdm_chip &chip_of(const std::string &name)
{
	std::string type = asic(name).at("asic_type");

	std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
	const kfdm_chip *chip = kfdm_chip_find(kfdm_abi, type.c_str(), ip_version(asic(name).at("gc_version")));

	if (!chip)
		throw NoChip(name);
	return *chip;
}

const kfdm_chip &chip_of_version(const std::string &gc_version)
{
	const kfdm_chip *chip = kfdm_chip_find(kfdm_abi, "fiji", ip_version(gc_version));

	if (!chip)
		throw NoChip("of GC " + gc_version);
	return *chip;
}

static std::uint32_t first_xcc(const json &v)
{
	return v.contains("xcc_mask") ? static_cast<std::uint32_t>(std::countr_zero(number(v, "xcc_mask"))) : 0;
}

/// As the topology does where others have the id.
static std::uint32_t take_id(const json &v, std::uint32_t id)
{
	const auto taken = [&](std::uint32_t other) {
		if (!v.contains("ids_taken"))
			return false;
		const json &ids = v.at("ids_taken");

		return !other || std::find(ids.begin(), ids.end(), other) != ids.end();
	};

	while (taken(id))
		id = (id + 1) & 0xffff;
	return id;
}

Verdict judge_gpu_id(const json &v)
{
	const kfdm_gpu_identity identity = {
		number32(v, "pci_devfn"),
		number32(v, "pci_subsystem_vendor"),
		number32(v, "pci_subsystem_device"),
		number32(v, "pci_domain"),
		number32(v, "pci_device"),
		number32(v, "pci_bus"),
		number(v, "vram_public") + number(v, "vram_private"),
		first_xcc(v),
		static_cast<std::uint32_t>(std::popcount(number(v, "xcc_mask"))),
	};
	const json &out = v.at("out");
	const std::uint32_t id = take_id(v, kfdm_abi->gpu_id(&identity));

	return Verdict::of(id == number(out, "gpu_id") &&
			   (3ULL << 62 | static_cast<std::uint64_t>(id) << 46) == number(out, "doorbell_mmap_offset"));
}

Verdict judge_doorbell_init(const json &v)
{
	const json &out = v.at("out");
	kfdm_doorbell_layout layout = {};
	const int ret = kfdm_doorbells_divide(chip_of(v.at("name")).doorbell_size, number32(v, "aperture_size"),
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
	const json &out = v.at("out");
	kfdm_doorbell_layout layout = {};

	if (is_7_2()) {
		/* The slice is where amdgpu placed the process's doorbell buffer. */
		kfdm_doorbells_divide(chip_of_version(v.at("gc_version")).doorbell_size, ~0u, 0, &layout);
		layout.base = number32(v, "process_slice_bar_offset");
		return Verdict::of(layout.slice == number(out, "process_slice_bytes") &&
				   kfdm_doorbell_dw_offset(&layout, 0, number32(v, "doorbell_id")) == number(out, "dw_offset_in_bar"));
	}
	if (number(v, "mes_enabled"))
		kfdm_doorbells_of_mes(&layout);
	else
		kfdm_doorbells_divide(chip_of(v.at("name")).doorbell_size, number32(v, "aperture_size"), number32(v, "start_offset"),
				      &layout);
	const std::uint32_t slice = number32(v, "doorbell_index");

	return Verdict::of(kfdm_doorbell_dw_offset(&layout, slice, number32(v, "doorbell_id")) == number(out, "dw_offset_in_bar") &&
			   number(v, "phys") + layout.base + static_cast<std::uint64_t>(slice) * layout.slice ==
				   number(out, "process_doorbells_phys"));
}

Verdict judge_apertures(const json &v)
{
	const json &out = v.at("out");
	const json &given = v.contains("in") ? v.at("in") : v;
	const kfdm_aperture_inputs in = {
		number(given, "gpuvm_size"),	    number(given, "max_pfn") << 12,	    number(given, "shared_start"),
		number(given, "shared_end"),	    number(given, "private_start"),	    number(given, "private_end"),
		number(given, "use_iommu_v2") != 0, number32(given, "topology_node_index"), number(given, "process_is_32bit") != 0};
	kfdm_apertures a = {};

	kfdm_asic_apertures((is_7_2() ? chip_of_version(v.at("gc_version")) : chip_of(v.at("name"))).asic, &in, &a);
	return Verdict::of(a.lds_base == number(out, "lds_base") && a.lds_limit == number(out, "lds_limit") &&
			   a.gpuvm_base == number(out, "gpuvm_base") && a.gpuvm_limit == number(out, "gpuvm_limit") &&
			   a.scratch_base == number(out, "scratch_base") && a.scratch_limit == number(out, "scratch_limit") &&
			   a.cwsr_base == number(out, "cwsr_base") && a.ib_base == number(out, "ib_base"));
}

/// The registers that a process has now, as the keys with this ending tell them.
static bool registers_are(const kfdm_map_process &p, const json &out, const std::string &ending)
{
	return p.sh_mem_config == number(out, ("sh_mem_config" + ending).c_str()) &&
	       p.sh_mem_ape1_base == number(out, ("ape1_base" + ending).c_str()) &&
	       p.sh_mem_ape1_limit == number(out, ("ape1_limit" + ending).c_str());
}

Verdict judge_process_registers(const json &v)
{
	const json &in = v.at("in"), &out = v.at("out");
	const kfdm_asic_ops *asic_ops = chip_of(v.at("name")).asic;
	kfdm_map_process p = {};
	kfdm_sh_mem_inputs sh = {};

	sh.lds_base = number(in, "lds_base");
	sh.scratch_base = number(in, "scratch_base");
	sh.vm_cntx_cntl = number32(in, "hub_cntl");
	sh.noretry = number(in, "noretry") != 0;
	sh.use_iommu_v2 = number(in, "iommu") != 0;
	sh.xnack = number(in, "xnack") != 0;
	sh.is_32bit = number(in, "is32") != 0;
	p.sh_mem_config = number32(in, "prev_config");
	p.sh_mem_ape1_base = number32(in, "prev_ape1_base");
	p.sh_mem_ape1_limit = number32(in, "prev_ape1_limit");
	if (asic_ops->update_qpd)
		asic_ops->update_qpd(&p, &sh);
	bool equal = out.at("ret").get<int>() == 0 && registers_are(p, out, "") && p.sh_mem_bases == number(out, "sh_mem_bases") &&
		     p.vm_cntx_cntl == number(out, "vm_cntx_cntl") && asic_ops->sdma_vm_addr(&sh) == number(out, "sdma_vm_addr") &&
		     kfdm_asic_has_cache_policy(asic_ops) == (number(out, "has_set_cache_memory_policy") != 0);

	if (!out.contains("policy_ok"))
		return Verdict::of(equal);
	const kfdm_cache_policy policy = {number(in, "pol_default") == 0, number(in, "pol_alt") == 0, number(in, "pol_base"),
					  number(in, "pol_size")};
	sh.high_precision = number(in, "misc") & KFD_PROC_FLAG_MFMA_HIGH_PRECISION;
	const bool ok = kfdm_asic_set_cache_policy(asic_ops, &p, &sh, &policy);

	return Verdict::of(equal && ok == (number(out, "policy_ok") != 0) && registers_are(p, out, "2") &&
			   (!out.contains("sh_mem_bases2") || p.sh_mem_bases == number(out, "sh_mem_bases2")));
}

Verdict judge_create_queue_checks(const json &v)
{
	kfd_ioctl_create_queue_args args = queue_args(v.at("in"));
	const json &out = v.at("out");
	kfdm_queue_properties q;
	const int ret = kfdm_queue_check_create(&kfdm_abi->queue_rules, &args, &q);
	const bool size_told = !out.contains("ring_size_back") || args.ring_size == number(out, "ring_size_back");

	if (ret || out.at("ret").get<int>())
		return Verdict::of(ret == out.at("ret").get<int>() && size_told);
	return Verdict::of(size_told && q.pm4_target_xcc == number(out, "pm4_target_xcc") &&
			   q.metadata_size == number(out, "metadata_queue_size") &&
			   (q.type != KFDM_QUEUE_SDMA_BY_ENGINE || q.sdma_engine_id == number(out, "sdma_engine_id")) &&
			   q.type == number(out, "type") && q.format == number(out, "format") &&
			   q.queue_size == number(out, "queue_size") && q.priority == number(out, "priority") &&
			   q.queue_percent == number(out, "queue_percent") && q.queue_address == number(out, "queue_address"));
}

Verdict judge_device_info(const json &v)
{
	const json &out = v.at("out");
	std::string name = v.at("asic_type");

	std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
	const kfdm_probe probe = {name.c_str(),
				  ip_version(v.at("gc_version")),
				  ip_version(v.at("sdma_version")),
				  number(v, "sriov_vf") != 0,
				  number(v, "exp_hw_support") != 0,
				  number32(v, "sdma_instances"),
				  number32(v, "num_nodes"),
				  number(v, "xgmi_supported") != 0,
				  number(v, "rs64") != 0};
	kfdm_device_info info = {};

	if (!kfdm_device_info_fill(kfdm_abi, &probe, &info)) {
		if (number(out, "supported"))
			chip_of_version(v.at("gc_version"));
		return Verdict::of(!number(out, "supported"));
	}
	const kfdm_chip &chip = *info.chip;
	const std::map<const kfdm_interrupt_ops *, std::string> classes = {
		{&kfdm_interrupt_cik, "cik"},		{&kfdm_interrupt_v9, "v9"},	     {&kfdm_interrupt_v11, "v11"},
		{&kfdm_interrupt_v9_7_2, "v9"},		{&kfdm_interrupt_v10_7_2, "v10"},    {&kfdm_interrupt_v11_7_2, "v11"},
		{&kfdm_interrupt_v9_4_3_7_2, "v9_4_3"}, {&kfdm_interrupt_v12_1_7_2, "v12_1"}};
	json got = {
		{"supported", 1},
		{"kfd2kgd", chip.kgd},
		{"gfx_target_version", chip.gfx_target_version},
		{"event_interrupt_class", classes.at(chip.interrupts)},
		{"max_pasid_bits", KFDM_PASID_BITS},
		{"max_no_of_hqd", KFDM_MAX_HQD},
		{"doorbell_size", chip.doorbell_size},
		{"ih_ring_entry_size", chip.interrupts->entry_dwords * 4},
		{"num_of_watch_points", KFDM_WATCH_POINTS},
		{"mqd_size_aligned", KFDM_MQD_SIZE_ALIGNED},
		{"supports_cwsr", chip.trap_handler ? 1 : 0},
		{"needs_pci_atomics", info.needs_atomics ? 1 : 0},
		{"no_atomic_fw_version", info.no_atomics_fw},
		{"num_sdma_queues_per_engine", info.sdma_queues_per_engine},
		{"num_reserved_sdma_queues_per_engine", info.reserved_sdma_queues_per_engine},
		{"num_sdma_engines", info.sdma_engines},
		{"num_xgmi_sdma_engines", info.xgmi_sdma_engines},
		{"cwsr_enabled", chip.trap_handler ? 1 : 0},
		{"cwsr_isa_size", chip.trap_handler ? chip.trap_handler->bytes : 0},
		{"is_soc15", chip.gc_version ? 1 : 0},
		{"cwsr_trap_handler", chip.trap_handler ? json(chip.trap_handler->name) : json()},
	};

	if (is_7_2()) {
		if (!number(v, "cwsr_enable"))
			for (const char *key : {"cwsr_enabled", "cwsr_isa_size", "cwsr_trap_handler"})
				got[key] = out.at(key).is_null() ? json() : json(0);
		got["supports_xnack_per_process"] = chip.asic->xnack_per_process ? 1 : 0;
		got["flush_tlb_after_unmap"] = kfdm_chip_flushes_after_unmap(&chip, 0) ? 1 : 0; /* no firmware has been read yet */
	} else {
		got["needs_iommu_device"] = chip.needs_iommu ? 1 : 0;
		got["reserved_sdma_queues_bitmap"] = hex((1u << info.reserved_sdma_queues) - 1);
	}
	return got == out ? Verdict::of(true) : Verdict{Verdict::Different, json::diff(got, out).dump()};
}

} // namespace golden
