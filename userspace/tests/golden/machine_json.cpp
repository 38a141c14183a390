// SPDX-License-Identifier: MIT
#include "machine_json.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace golden {
namespace {

/// A device input: from the record, or the default.
std::uint64_t input(const json &device, const char *key)
{
	static const json defaults = read_table("device_defaults.json");

	return number(device.contains(key) ? device : defaults, key);
}

std::uint32_t input32(const json &device, const char *key) { return static_cast<std::uint32_t>(input(device, key)); }

void fill_die(machine_gpu &gpu, const json &bitmap, std::uint32_t step, std::uint32_t xcc)
{
	for (std::uint32_t se = 0; se < gpu.num_se; se++)
		for (std::uint32_t sh = 0; sh < gpu.num_sh_per_se; sh++)
			gpu.cu_bitmap[xcc][se][sh] = words(bitmap.at(se % 4)).at(sh + se / 4 * step);
}

/// Layouts have the form of amdgpu's bitmap[4][4]: engines from the fifth on lie in the columns of the first four.
void fill_cus(machine_gpu &gpu, const json &layout)
{
	const std::uint32_t gc = ip_version(layout.at("gc_version")), step = gc >= 0x0b0000 && gc < 0x0c0000 ? 2 : 1;
	const bool has_dies = layout.contains("xcc_cu_bitmaps_4x4") && !layout.at("xcc_cu_bitmaps_4x4").is_null();

	gpu.num_se = layout.at("num_se");
	gpu.num_sh_per_se = layout.at("num_sh_per_se");
	gpu.max_cu_per_sh = layout.at("max_cu_per_sh");
	gpu.cu_active = layout.at("active_cus");
	if (!has_dies) {
		fill_die(gpu, layout.at("cu_bitmap_4x4"), step, 0);
		return;
	}
	const std::uint64_t dies = number(layout, "node_xcc_mask");

	gpu.partitions = layout.at("num_nodes");
	gpu.first_xcc = static_cast<std::uint32_t>(std::countr_zero(dies));
	gpu.num_xcc = static_cast<std::uint32_t>(std::popcount(dies));
	gpu.die_is_partition = gpu.num_xcc == 1;
	for (std::uint32_t i = 0; i < gpu.num_xcc; i++)
		fill_die(gpu, layout.at("xcc_cu_bitmaps_4x4").at(gpu.first_xcc + i), step, i);
}

void fill_doorbells(machine_gpu &gpu, const std::string &family)
{
	static const json families = read_table("doorbell_index.json");
	const json &f = families.at(family);
	const json &sdma = f.at("sdma_doorbell_idx");

	for (std::size_t i = 0; i < sdma.size() && i < std::size(gpu.sdma_doorbell_idx); i++)
		gpu.sdma_doorbell_idx[i] = sdma[i];
	gpu.first_non_cp = f.at("first_non_cp");
	gpu.last_non_cp = f.at("last_non_cp");
	gpu.max_assignment = number32(f, "max_assignment");
}

void find_differences(const std::string &path, const json &got, const json &wanted, std::string &text)
{
	if (got == wanted)
		return;
	if (got.is_object() && wanted.is_object()) {
		for (const auto &[key, value] : wanted.items())
			if (!got.contains(key))
				text += "\n        " + path + "." + key + ": missing, wanted " + value.dump().substr(0, 200);
			else
				find_differences(path + "." + key, got[key], value, text);
		for (const auto &[key, value] : got.items())
			if (!wanted.contains(key))
				text += "\n        " + path + "." + key + ": " + value.dump().substr(0, 200) + ", not wanted";
		return;
	}
	text += "\n        " + path + ": " + got.dump().substr(0, 600) + "\n            wanted " + wanted.dump().substr(0, 600);
}

} // namespace

static std::string hex8(std::uint32_t n)
{
	char text[12];

	std::snprintf(text, sizeof(text), "%08x", n);
	return text;
}

json mqd_json(const std::uint32_t *mqd, std::uint32_t dwords)
{
	json out = json::object();

	for (std::uint32_t i = 0; i < dwords; i++)
		if (mqd[i])
			out[std::to_string(i)] = hex8(mqd[i]);
	return out;
}

json queue_json(const struct machine_queue &q)
{
	return {
		{"doorbell_id", q.doorbell_id},	      {"doorbell_off", q.doorbell_off},	  {"is_active", int(q.is_active)},
		{"is_evicted", int(q.is_evicted)},    {"is_gws", int(q.is_gws)},	  {"sdma_id", q.sdma_id},
		{"sdma_engine_id", q.sdma_engine_id}, {"sdma_queue_id", q.sdma_queue_id}, {"mqd_gpu", hex(q.mqd_gpu)},
	};
}

std::string dwords_json(const std::uint32_t *words, std::uint32_t dwords)
{
	std::string out;

	for (std::uint32_t i = 0; i < dwords; i++)
		out += (i ? " " : "") + hex8(words[i]);
	return out;
}

json calls_json()
{
	std::uint32_t count;
	const machine_call *calls = machine_calls(&count);
	json out = json::array();

	for (std::uint32_t i = 0; i < count; i++) {
		json call = {calls[i].name};

		for (std::uint32_t k = 0; k < calls[i].count; k++)
			call.push_back(hex(calls[i].args[k]));
		out.push_back(std::move(call));
	}
	return out;
}

void add_hiq_packets(std::uint32_t gpu, json &out)
{
	std::uint64_t wptr;
	std::uint32_t dwords;
	const std::uint32_t *packets = machine_hiq_packets(gpu, &dwords, &wptr);

	out["hiq_packets_0"] = dwords_json(packets, dwords);
	out["hiq_wptr_value"] = wptr;
}

Verdict different(const std::string &where, const json &got, const json &wanted)
{
	Verdict verdict = Verdict::of(false);

	verdict.why = where;
	find_differences("", got, wanted, verdict.why);
	return verdict;
}

machine_parameters parameters_of(const json &device)
{
	machine_parameters p = {};

	p.sched_policy = static_cast<int>(input(device, "sched_policy"));
	p.hws_max_conc_proc = static_cast<int>(input(device, "hws_max_conc_proc"));
	p.cwsr_enable = static_cast<int>(input(device, "cwsr_enable"));
	p.max_queues = static_cast<int>(input(device, "max_queues"));
	p.preempt_ms = static_cast<int>(input(device, "preempt_ms"));
	p.hws_gws = input(device, "hws_gws");
	p.use_xgmi = input(device, "use_xgmi");
	p.debug_largebar = input(device, "debug_largebar");
	p.cpus = input32(device, "cpus");
	p.cpu_khz = number32(device, "cpu_khz");
	p.gtt_start = input(device, "gtt_next");
	return p;
}

/// The record's CU layout, or one of the asic's, or what the makers of the 7.2 vectors gave to chips without one: 4 x 9 of 16 CUs.
static json layout_of(const json &record, const std::string &name)
{
	static const json nameless = json::parse(R"({"gc_version": "none", "num_se": 4, "num_sh_per_se": 1, "max_cu_per_sh": 16,
		"active_cus": 36, "cu_bitmap_4x4": [["01ff", "0", "0", "0"], ["01ff", "0", "0", "0"], ["01ff", "0", "0", "0"],
		["01ff", "0", "0", "0"]]})");

	for (const char *key : {"topology_name", "topology"})
		if (record.contains(key) && record.at(key).is_string())
			return topology(record.at(key));
	if (asic(name).contains("topology"))
		return topology(asic(name).at("topology"));
	if (asic(name).contains("topologies") && !asic(name).at("topologies").empty())
		return topology(asic(name).at("topologies").at(0));
	return nameless;
}

static void fill_pci(machine_gpu &g, const json &device)
{
	g.vendor = input32(device, "vendor");
	g.device = input32(device, "device");
	g.sub_vendor = input32(device, "sub_vendor");
	g.sub_device = input32(device, "sub_device");
	g.domain = input32(device, "domain");
	g.bus = input32(device, "bus");
	g.devfn = input32(device, "devfn");
	g.rev_id = input32(device, "rev_id");
	g.render_minor = input32(device, "render_minor");
	g.vf = input(device, "vf");
	g.atomics = input(device, "atomics");
	g.devcap2 = device.contains("devcap2") ? input32(device, "devcap2") : 0x180;
	g.db_base = input(device, "db_base");
	g.db_size = input(device, "db_size");
	g.pcie_gen = input32(device, "pcie_gen");
	g.pcie_mlw = input32(device, "pcie_mlw");
}

static void fill_shaders(machine_gpu &g, const json &device)
{
	g.mes = input(device, "mes");
	g.first_vmid = input32(device, "first_vmid");
	g.pipes = input32(device, "pipes");
	g.qpp = input32(device, "qpp");
	g.mec_fw = input32(device, "mec_fw");
	g.mec2_fw = input32(device, "mec2_fw");
	g.mes_version = number32(device, "sched_version");
	g.sdma_fw = input32(device, "sdma_fw");
	g.gws_size = input32(device, "gws_size");
	g.sclk = input32(device, "sclk");
	g.mclk = input32(device, "mclk");
	g.simd_per_cu = input32(device, "simd_per_cu");
	g.max_waves = input32(device, "max_waves");
	g.wave = input32(device, "wave");
	g.scratch_slots = input32(device, "scratch_slots");
	g.lds = input32(device, "lds");
	g.num_sdma = input32(device, "num_sdma");
	g.mes_slices = input32(device, "mes_slices");
	for (unsigned bit : device.at("kcq_bits"))
		g.kcq_bits[bit / 64] |= 1ull << bit % 64;
}

static void fill_caches(machine_gpu &g, const json &device)
{
	g.gc_tcp_l1 = input32(device, "gc_tcp_l1");
	g.gc_tcp_per_wgp = input32(device, "gc_tcp_per_wgp");
	g.gc_icache = input32(device, "gc_icache");
	g.gc_dcache = input32(device, "gc_dcache");
	g.gc_tcp_line = number32(device, "gc_tcp_line");
	g.gc_l1i_line = number32(device, "gc_l1i_line");
	g.gc_l1d_line = number32(device, "gc_l1d_line");
	g.gc_tcc_line = number32(device, "gc_tcc_line");
	g.gc_cus_per_sqc = number32(device, "gc_cus_per_sqc");
	g.gc_sqc_per_wgp = input32(device, "gc_sqc_per_wgp");
	g.gc_gl1c_size = input32(device, "gc_gl1c_size");
	g.gc_gl1c_per_sa = input32(device, "gc_gl1c_per_sa");
	g.gc_gl2c = input32(device, "gc_gl2c");
	g.mall = input(device, "mall");
}

static void fill_memory_and_links(machine_gpu &g, const json &device)
{
	g.noretry = input(device, "noretry");
	g.xnack_chain = number(device, "xnack_chain");
	g.xgmi = input(device, "xgmi");
	g.xgmi_cpu = input(device, "xgmi_cpu");
	g.svm = input(device, "svm");
	g.ras = input32(device, "ras");
	g.unique_id = input(device, "unique_id");
	g.hive = input(device, "hive");
	g.max_pfn = input(device, "max_pfn");
	g.vram = input(device, "vram");
	g.vis_vram = device.contains("vis_vram") ? input(device, "vis_vram") : g.vram;
	g.vram_width = input32(device, "vram_width");
	g.xgmi_hops = input32(device, "xgmi_hops");
	g.xgmi_links = input32(device, "xgmi_links");
	g.memory_partitions = number32(device, "nps");
	g.partition = number32(device, "node_id");
}

machine_gpu gpu_of(const json &record, const json &device)
{
	const std::string name = record.at("name");
	const json &known = asic(name);
	machine_gpu g = {};

	/* amdgpu's own names; parts that it knows by discovery alone share one. */
	std::string shown = known.at("asic_type");

	for (char &c : shown)
		c = c == '_' && known.at("asic_type") == "IP_DISCOVERY" ? ' ' : static_cast<char>(std::tolower(c));
	std::strncpy(g.name, shown.c_str(), sizeof(g.name) - 1);
	g.gc_version = ip_version(known.at("gc_version"));
	g.sdma_version = ip_version(known.at("sdma_version"));
	g.soc15 = known.at("doorbell_index_family") != "legacy";
	fill_doorbells(g, known.at("doorbell_index_family"));
	fill_cus(g, layout_of(record, name));
	fill_pci(g, device);
	fill_shaders(g, device);
	fill_caches(g, device);
	fill_memory_and_links(g, device);
	return g;
}

static void add_hiq(const machine_device &d, json &out)
{
	out["hiq"] = {
		{"pq_gpu", hex(d.pq_gpu)},
		{"rptr_gpu", hex(d.rptr_gpu)},
		{"wptr_gpu", hex(d.wptr_gpu)},
		{"eop_gpu", hex(d.eop_gpu)},
		{"doorbell_off", d.doorbell_off},
		{"queue_size", d.queue_size},
		{"priority", d.priority},
		{"mqd_gpu", hex(d.mqd_gpu)},
		{"pipe", d.pipe},
		{"queue", d.queue},
		{"mqd", mqd_json(d.mqd, d.mqd_dwords)},
	};
	add_hiq_packets(0, out);
}

json device_json(const machine_device &d, const machine_gpu &gpu)
{
	json out = {{"probed", int(d.probed)}};
	json allocs = json::array();
	std::uint64_t bytes, addr;

	if (!d.probed)
		return out;
	for (std::uint32_t i = 0; machine_gtt_alloc(i, &bytes, &addr); i++)
		allocs.push_back({bytes, hex(addr), 0});
	out.update({
		{"gtt_allocs", allocs},
		{"init_complete", int(d.complete)},
		{"gpu_id", d.gpu_id},
		{"max_proc_per_quantum", d.max_proc_per_quantum},
		{"first_vmid_kfd", d.first_vmid},
		{"last_vmid_kfd", d.last_vmid},
		{"vmid_num_kfd", d.num_vmids},
		{"compute_vmid_bitmap", hex(d.compute_vmid_bitmap)},
		{"gpuvm_size", hex(d.gpuvm_size)},
		{"doorbell_base", hex(d.doorbell_base)},
		{"doorbell_base_dw_offset", d.doorbell_base_dw},
		{"max_doorbell_slices", d.max_doorbell_slices},
		{"doorbell_process_slice", d.doorbell_slice},
		{"doorbell_start_offset", d.doorbell_start_offset},
		{"doorbell_aperture_size", d.doorbell_aperture},
		{"non_cp_doorbells_start", d.non_cp_start},
		{"non_cp_doorbells_end", d.non_cp_end},
		{"sdma_doorbell_idx", d.sdma_doorbell_idx},
		{"num_doorbells", d.num_doorbells},
		{"max_assignment", gpu.max_assignment},
		{"gtt_sa_chunks", d.gtt_chunks},
		{"gtt_sa_chunk_size", d.gtt_chunk_size},
		{"gtt_start", hex(d.gtt_start)},
		{"cwsr_enabled", int(d.cwsr_enabled)},
		{"use_iommu_v2", 0},
		{"pci_atomic_requested", int(gpu.atomics)},
		{"gws", int(d.gws)},
		{"dev", 0},
		{"hw_calls", calls_json()},
	});
	if (!d.complete)
		return out;
	out.update({
		{"sched_policy", d.sched_policy},
		{"cp_queues", d.cp_queues},
		{"sdma_bitmap", hex(d.sdma_bitmap)},
		{"xgmi_sdma_bitmap", hex(d.xgmi_sdma_bitmap)},
		{"mqd_size_hiq", d.mqd_size_hiq},
		{"mqd_size_cp", d.mqd_size_cp},
		{"mqd_size_sdma", d.mqd_size_sdma},
		{"hiq_sdma_gpu", hex(d.hiq_sdma_gpu)},
		{"fence_gpu", hex(d.fence_gpu)},
	});
	if (d.has_hiq)
		add_hiq(d, out);
	return out;
}

Verdict add_first_gpu(const json &record, const json &wanted, bool &soc15)
{
	const json &device = record.contains("device") ? record["device"] : record.at("in");
	const machine_parameters parameters = parameters_of(device);
	const machine_gpu gpu = gpu_of(record, device);
	machine_device out;

	soc15 = gpu.soc15;
	machine_start(&parameters);
	machine_add_gpu(&gpu, &out);
	if (!out.probed && number(wanted, "probed"))
		return Verdict::skip(std::string("no chip ") + gpu.name + " yet");
	const json got = device_json(out, gpu);

	return got == wanted ? Verdict::of(true) : different("device", got, wanted);
}

Verdict in_child(const std::function<Verdict()> &judge)
{
	int pipes[2], status = 0;
	std::string text;
	char part[4096];

	if (pipe(pipes))
		throw std::runtime_error("no pipe");
	const pid_t child = fork();

	if (child < 0)
		throw std::runtime_error("no fork");
	if (!child) {
		Verdict verdict;

		try {
			verdict = judge();
		} catch (const std::exception &error) {
			verdict = {Verdict::Different, error.what()};
		}
		verdict.why.insert(0, 1, static_cast<char>('0' + verdict.kind));
		if (write(pipes[1], verdict.why.data(), verdict.why.size()) < 0)
			_exit(2);
		_exit(0);
	}
	close(pipes[1]);
	for (ssize_t n; (n = read(pipes[0], part, sizeof(part))) > 0;)
		text.append(part, static_cast<std::size_t>(n));
	close(pipes[0]);
	waitpid(child, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) || text.empty())
		return {Verdict::Different, "the driver crashed"};
	return {static_cast<Verdict::Kind>(text[0] - '0'), text.substr(1)};
}

} // namespace golden
