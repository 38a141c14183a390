// SPDX-License-Identifier: MIT
/*
 * driver.cpp - bringing the chip up and scheduling queues. See driver.hpp; values as in amdgpu's gmc_v9_0, gfx_v9_0, vega20_ih, up to GFX8
 * gmc_v8_0, amdgpu_amdkfd_gfx_v8, tonga_ih.
 */
#include "driver.hpp"

#include "hw/gpuvm_v8.h"

#include <algorithm>

namespace silicon_host {

namespace {

constexpr unsigned kiq_me = 2, kiq_pipe = 1, kiq_queue = 0; /* where amdgpu puts the KIQ */
constexpr unsigned hiq_me = 2, hiq_pipe = 0, hiq_queue = 0; /* KFD_CIK_HIQ_PIPE 4 */
constexpr std::uint32_t ih_ring_bytes = 8192;
constexpr std::uint32_t doorbells_of_die = 0x40;

} // namespace

Driver::Driver(HostedChip &chip, unsigned dies) : chip_(chip), dies_(dies)
{
	chip_.reach = {0, dies};
	gart_table_ = alloc_vram(gart_pages * 8);
}

Driver::Driver(Driver &device, unsigned first, unsigned dies)
	: hiq_doorbell(device.hiq_doorbell + first * doorbells_of_die), chip_(device.chip_), gart_table_(device.gart_table_), first_(first),
	  dies_(dies), device_(&device)
{
}

std::uint64_t Driver::alloc_vram(std::size_t bytes)
{
	if (device_)
		return device_->alloc_vram(bytes);
	const std::uint64_t offset = next_vram_;

	next_vram_ += (bytes + page_bytes - 1) & ~(page_bytes - 1);
	return offset;
}

GartBlock Driver::alloc(std::size_t bytes)
{
	if (device_)
		return device_->alloc(bytes);
	GartBlock block = {chip_.bus_alloc(bytes), gart_base + next_gart_ * page_bytes};

	for (std::size_t at = 0; at < block.bus.bytes; at += page_bytes)
		chip_.vram_write64(gart_table_ + next_gart_++ * 8, (block.bus.address + at) | GPUVM_PTE_VALID | GPUVM_PTE_SYSTEM |
									   GPUVM_PTE_SNOOPED | GPUVM_PTE_EXECUTABLE | GPUVM_PTE_READABLE |
									   GPUVM_PTE_WRITEABLE);
	return block;
}

/* One VMID's context in both hubs: four levels, faults enabled, whole address range. */
void Driver::context(std::uint32_t vmid)
{
	const std::uint32_t cntl = REG_SET(REG_SET(0, VM_CONTEXT0_CNTL, ENABLE_CONTEXT, 1), VM_CONTEXT0_CNTL, PAGE_TABLE_DEPTH,
					   vmid ? 3 : 0);
	const std::uint64_t start = vmid ? 0 : gart_base >> 12;
	const std::uint64_t end = vmid ? (1ull << 36) - 1 : (gart_base >> 12) + gart_pages - 1;

	for (const bool mm : {false, true}) {
		const auto at = [&](std::uint32_t gfx, std::uint32_t mmhub, std::uint32_t stride) {
			return (mm ? mmhub : gfx) + vmid * stride;
		};
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 2), lo32(start));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, 2), hi32(start));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 2), lo32(end));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 2), hi32(end));
		if (!vmid) {
			chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 2),
				   lo32(gart_table_ | GPUVM_PTE_VALID));
			chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 2),
				   hi32(gart_table_));
		}
		chip_.wreg(at(mmVM_CONTEXT0_CNTL, mmMMHUB_VM_CONTEXT0_CNTL, 1), cntl);
	}
}

void Driver::start_hubs()
{
	const std::uint64_t top = fb_base + (static_cast<std::uint64_t>(chip_.rreg(mmRCC_CONFIG_MEMSIZE)) << 20) - 1;

	if (chip_.generation().gfx7_hub) {
		start_hub_v8(top);
		return;
	}
	for (const bool mm : {false, true}) {
		chip_.wreg(mm ? mmMMHUB_MC_VM_FB_LOCATION_BASE : mmMC_VM_FB_LOCATION_BASE, lo32(fb_base >> 24));
		chip_.wreg(mm ? mmMMHUB_MC_VM_FB_LOCATION_TOP : mmMC_VM_FB_LOCATION_TOP, lo32(top >> 24));
	}
	for (std::uint32_t vmid = 0; vmid < 16; vmid++) {
		context(vmid);
		flush_tlb(vmid);
	}
}

/* One hub; VMID 0 has the GART alone in its tables, all others share a control register and have two levels. */
void Driver::start_hub_v8(std::uint64_t top)
{
	constexpr std::uint32_t enabled = 1, two_levels = 1 << 1;

	chip_.wreg(mmMC_VM_FB_LOCATION, lo32(top >> 24) << 16 | lo32(fb_base >> 24));
	chip_.wreg(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR, lo32(gart_base >> 12));
	chip_.wreg(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR, lo32(gart_base >> 12) + gart_pages - 1);
	chip_.wreg(mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR, lo32((fb_base + gart_table_) >> 12));
	chip_.wreg(mmVM_CONTEXT0_CNTL, enabled);
	chip_.wreg(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR + 1, 0);
	chip_.wreg(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR + 1, (1u << (GPUVM_V8_VA_BITS - 12)) - 1);
	chip_.wreg(mmVM_CONTEXT0_CNTL + 1, enabled | two_levels | (GPUVM_V8_BLOCK_BITS - 9) << 24);
	for (unsigned vmid = 0; vmid < 16; vmid++)
		flush_tlb(vmid);
}

void Driver::flush_tlb(unsigned vmid)
{
	const std::uint32_t request = GPUVM_INVALIDATE_VMID(vmid) | GPUVM_INVALIDATE_L2_PTES | GPUVM_INVALIDATE_L2_PDE0 |
				      GPUVM_INVALIDATE_L2_PDE1 | GPUVM_INVALIDATE_L2_PDE2 | GPUVM_INVALIDATE_L1_PTES;
	constexpr unsigned engine = 17;

	if (chip_.generation().gfx7_hub) {
		chip_.wreg(mmVM_INVALIDATE_REQUEST, 1u << vmid);
		return;
	}
	chip_.wreg(mmVM_INVALIDATE_ENG0_REQ + engine, request);
	chip_.wreg(mmMMHUB_VM_INVALIDATE_ENG0_REQ + engine, request);
}

void Driver::start_ih()
{
	std::uint32_t cntl = 0;

	ih_ = alloc(ih_ring_bytes);
	ih_pointers_ = alloc(page_bytes);
	chip_.wreg(mmIH_RB_BASE, lo32(ih_.gpu >> 8));
	if (chip_.has(mmIH_RB_BASE_HI))
		chip_.wreg(mmIH_RB_BASE_HI, lo32(ih_.gpu >> 40));
	chip_.wreg(mmIH_RB_WPTR_ADDR_LO, lo32(ih_pointers_.gpu));
	chip_.wreg(mmIH_RB_WPTR_ADDR_HI, hi32(ih_pointers_.gpu));
	if (chip_.generation().facts.interrupt_bytes == IH_COOKIE_BYTES) {
		cntl = REG_SET(cntl, IH_RB_CNTL, MC_SPACE, 4);
		cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE, 1);
	}
	cntl = REG_SET(cntl, IH_RB_CNTL, RB_SIZE, log2_of(ih_ring_bytes / 4));
	cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_WRITEBACK_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, RB_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, ENABLE_INTR, 1);
	chip_.wreg(mmIH_RB_CNTL, cntl);
	enable_pipes();
}

void Driver::enable_pipes()
{
	for (std::uint32_t pipe = 0; pipe < 4; pipe++) {
		chip_.select(1, pipe, 0, 0);
		chip_.wreg(mmCPC_INT_CNTL, 1u << 26 | 1u << 24);
		chip_.wreg(mmCP_ME2_PIPE0_INT_CNTL + pipe, 1u << 26 | 1u << 24);
	}
	chip_.select(0, 0, 0, 0);
}

std::vector<Driver::Cookie> Driver::interrupts()
{
	std::vector<Cookie> cookies;
	const std::uint32_t bytes = chip_.generation().facts.interrupt_bytes;
	const std::uint32_t write = ih_pointers_.at<std::uint32_t>(0) & (ih_ring_bytes - 1) & ~(bytes - 1);

	while (ih_read_ != write) {
		Cookie cookie = {};
		std::memcpy(cookie.dw, ih_.bus.host + ih_read_, bytes);
		cookies.push_back(cookie);
		ih_read_ = (ih_read_ + bytes) % ih_ring_bytes;
	}
	chip_.wreg(mmIH_RB_RPTR, ih_read_);
	return cookies;
}

void Driver::alloc_ring(Ring &ring, std::uint32_t doorbell, unsigned dies)
{
	ring.ring = alloc(kernel_ring_dwords * 4);
	ring.mqd = alloc(page_bytes * dies);
	ring.pointers = alloc(page_bytes);
	ring.eop = alloc(page_bytes);
	ring.doorbell = doorbell;
	fill_mqd(ring);
	for (unsigned die = 1; die < dies; die++) {
		std::uint32_t *const words = ring.mqd.words() + die * page_bytes / 4;
		std::copy_n(ring.mqd.words(), page_bytes / 4, words);
		words[MQD_V9_cp_mqd_base_addr_lo] = lo32(ring.mqd.gpu + die * page_bytes);
		words[MQD_V9_cp_hqd_pq_control] |= 1u << 27; /* NO_UPDATE_RPTR */
	}
}

/* A kernel ring's MQD, as gfx_v9_0_mqd_init and amdkfd's HIQ have it. */
void Driver::fill_mqd(const Ring &ring)
{
	Mqd m(chip_, ring.mqd);

	std::fill_n(ring.mqd.words(), page_bytes / 4, 0);
	m[MQD_V9_header] = MQD_HEADER;
	m[MQD_V9_compute_pipelinestat_enable] = 1;
	for (const unsigned mask : {MQD_V9_compute_static_thread_mgmt_se0, MQD_V9_compute_static_thread_mgmt_se1,
				    MQD_V9_compute_static_thread_mgmt_se2, MQD_V9_compute_static_thread_mgmt_se3})
		m[mask] = ~0u;
	m[MQD_V9_cp_mqd_base_addr_lo] = lo32(ring.mqd.gpu);
	m[MQD_V9_cp_mqd_base_addr_hi] = hi32(ring.mqd.gpu);
	m[MQD_V9_cp_mqd_control] = 0x100;
	m[MQD_V9_cp_hqd_persistent_state] = 0x5301;
	m[MQD_V9_cp_hqd_quantum] = 0x111;
	m[MQD_V9_cp_hqd_pq_base_lo] = lo32(ring.ring.gpu >> 8);
	m[MQD_V9_cp_hqd_pq_base_hi] = hi32(ring.ring.gpu >> 8);
	m[MQD_V9_cp_hqd_pq_control] = 1u << 30 | 1u << 31 | 5 << 8 | (log2_of(kernel_ring_dwords) - 1);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lo32(ring.pointers.gpu);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = hi32(ring.pointers.gpu);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo] = lo32(ring.pointers.gpu + 8);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi] = hi32(ring.pointers.gpu + 8);
	m[MQD_V9_cp_hqd_pq_doorbell_control] = ring.doorbell << 2 | 1u << 30;
	m[MQD_V9_cp_hqd_eop_base_addr_lo] = lo32(ring.eop.gpu >> 8);
	m[MQD_V9_cp_hqd_eop_base_addr_hi] = hi32(ring.eop.gpu >> 8);
	m[MQD_V9_cp_hqd_eop_control] = 9;
	m[MQD_V9_cp_hqd_pipe_priority] = 2;
	m[MQD_V9_cp_hqd_queue_priority] = 15;
}

void Driver::start_kiq()
{
	for (unsigned die = 0; die < dies_; die++) {
		chip_.reach = {first_ + die, 1};
		alloc_ring(kiq_[die], kiq_doorbell + (first_ + die) * doorbells_of_die);
		load(kiq_[die], kiq_me, kiq_pipe, kiq_queue);
	}
	chip_.reach = {first_, dies_};
	chip_.wreg(mmRLC_CP_SCHEDULERS, RLC_SCHEDULER(kiq_me, kiq_pipe, kiq_queue));
}

void Driver::Ring::put(const std::vector<std::uint32_t> &words)
{
	for (const std::uint32_t word : words)
		ring.words()[write++ % kernel_ring_dwords] = word;
}

void Driver::submit(Ring &ring, const std::vector<std::uint32_t> &words)
{
	ring.put(words);
	ring.pointers.at<std::uint64_t>(8) = ring.write;
	chip_.doorbell(ring.doorbell * 4) = ring.write;
}

void Driver::start_hiq()
{
	alloc_ring(hiq_, hiq_doorbell, dies_);
	fence_ = alloc(page_bytes);
	list = alloc(16 * page_bytes);
	if (!has_kiq()) {
		load(hiq_, hiq_me, hiq_pipe, hiq_queue);
		chip_.wreg(mmRLC_CP_SCHEDULERS, RLC_SCHEDULER(hiq_me, hiq_pipe, hiq_queue) << 8);
		return;
	}
	for (unsigned die = 0; die < dies_; die++) {
		const std::uint64_t mqd = hiq_.mqd.gpu + die * page_bytes;
		kiq({PM4_HEADER(PM4_MAP_QUEUES, 5), PM4_KIQ_MAP_QUEUES_CONTROL(0, hiq_me - 1, hiq_pipe, hiq_queue, PM4_ENGINE_HIQ),
		     hiq_doorbell << 2, lo32(mqd), hi32(mqd), lo32(hiq_.pointers.gpu + 8), hi32(hiq_.pointers.gpu + 8)},
		    die);
		chip_.run();
	}
}

void Driver::set_resources(std::uint32_t vmid_mask, std::uint64_t queue_mask)
{
	hiq({PM4_HEADER(PM4_SET_RESOURCES, 6), vmid_mask | 40u << 16 | u32{PM4_RESOURCES_HIQ} << 29, lo32(queue_mask), hi32(queue_mask),
	     ~0u, ~0u, 0, 0});
	chip_.run();
}

void Driver::join_dies()
{
	for (unsigned die = 0; die < dies_ && dies_ > 1; die++) {
		chip_.reach = {first_ + die, 1};
		chip_.wreg(mmCP_HYP_XCP_CTL, die | dies_ << CP_HYP_XCP_CTL__NUM_XCC_IN_XCP__SHIFT);
	}
	chip_.reach = {first_, dies_};
}

void Driver::start_sdma_engines()
{
	const bool sdma3 = chip_.sdma().generation < 4;
	const std::uint32_t cntl = sdma3 ? std::uint32_t{SDMA3_CNTL} : std::uint32_t{SDMA_CNTL};
	const std::uint32_t f32_cntl = sdma3 ? std::uint32_t{SDMA3_F32_CNTL} : std::uint32_t{SDMA_F32_CNTL};
	for (unsigned engine = 0; engine < chip_.sdma().engines; engine++) {
		const std::uint32_t base = chip_.sdma().base[engine];
		chip_.wreg(base + cntl, chip_.rreg(base + cntl) | 1); /* TRAP_ENABLE */
		chip_.wreg(base + f32_cntl, 0);
	}
}

void Driver::start()
{
	join_dies();
	start_hubs();
	if (!device_) {
		start_ih();
		start_sdma_engines();
	} else {
		enable_pipes();
	}
	chip_.wreg(mmCP_MEC_DOORBELL_RANGE_LOWER, 0);
	chip_.wreg(mmCP_MEC_DOORBELL_RANGE_UPPER, chip_.generation().facts.doorbell_bytes == 4 ? 0x7ffffc : 0x0ffffffc);
	if (has_kiq())
		start_kiq();
	start_hiq();
	set_resources();
	if (device_)
		chip_.reach = {device_->first_, device_->dies_};
}

/* Up to GFX8 as kfd_device_queue_manager_vi.c has them for dGPUs: unaligned, MTYPE_UC twice, no alternate aperture. */
Driver::Windows Driver::windows() const
{
	if (as_vi())
		return {0x20002000, 0x378, 1};
	return {0x00010002, sh_mem_config, 0};
}

/* kfd_packet_manager_v9.c; Aldebaran's has more at its end, for debuggers. */
std::vector<std::uint32_t> Driver::map_process(const Process &p) const
{
	const bool aldebaran = chip_.generation().map_process == silicon::MapProcess::Aldebaran;
	std::vector<std::uint32_t> packet(aldebaran ? PM4_MAP_PROCESS_ALDEBARAN_DWORDS : PM4_MAP_PROCESS_DWORDS);

	packet[0] = PM4_HEADER(PM4_MAP_PROCESS, static_cast<std::uint32_t>(packet.size()) - 2);
	PM4_PUT(packet, map_process, pasid, p.pasid());
	PM4_PUT(packet, map_process, process_quantum, p.quantum ? p.quantum : quantum);
	PM4_PUT(packet, map_process, num_gws, p.num_gws);
	PM4_PUT(packet, map_process, vm_context_page_table_base_addr_lo32, lo32(p.page_table_base()));
	PM4_PUT(packet, map_process, vm_context_page_table_base_addr_hi32, hi32(p.page_table_base()));
	PM4_PUT(packet, map_process, sh_mem_bases, windows().bases);
	PM4_PUT(packet, map_process, sh_mem_config, windows().config);
	PM4_PUT(packet, map_process, sq_shader_tba_lo, lo32(tba >> 8));
	PM4_PUT(packet, map_process, sq_shader_tba_hi, tba ? hi32(tba >> 8) | 1u << 31 : 0);
	PM4_PUT(packet, map_process, sq_shader_tma_lo, lo32(tma >> 8));
	PM4_PUT(packet, map_process, sq_shader_tma_hi, hi32(tma >> 8));
	PM4_PUT(packet, map_process, sdma_enable, 1);
	PM4_PUT(packet, map_process, num_queues, 1);
	if (p.debug_vmid) {
		PM4_PUT(packet, map_process, debug_vmid, p.debug_vmid);
		PM4_PUT(packet, map_process, new_debug, 1);
	}
	if (aldebaran) {
		PM4_PUT(packet, map_process_aldebaran, spi_gdbg_per_vmid_cntl, p.debug_cntl);
		PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl0, p.watch_cntl[0]);
		PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl1, p.watch_cntl[1]);
		PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl2, p.watch_cntl[2]);
		PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl3, p.watch_cntl[3]);
	}
	return packet;
}

/* kfd_packet_manager_vi.c */
std::vector<std::uint32_t> Driver::map_process_vi(const Process &p) const
{
	std::vector<std::uint32_t> packet(PM4_MAP_PROCESS_DWORDS);

	packet[0] = PM4_HEADER(PM4_MAP_PROCESS, PM4_MAP_PROCESS_DWORDS - 2);
	PM4_PUT(packet, map_process_vi, pasid, p.pasid());
	PM4_PUT(packet, map_process_vi, process_quantum, p.quantum ? p.quantum : quantum);
	PM4_PUT(packet, map_process_vi, page_table_base, p.page_table_base() >> 12);
	PM4_PUT(packet, map_process_vi, sh_mem_bases, windows().bases);
	PM4_PUT(packet, map_process_vi, sh_mem_config, windows().config);
	PM4_PUT(packet, map_process_vi, sh_mem_ape1_base, windows().ape1_base);
	PM4_PUT(packet, map_process_vi, num_gws, p.num_gws);
	PM4_PUT(packet, map_process_vi, num_queues, 1);
	return packet;
}

std::vector<std::uint32_t> Driver::map_queue(const UserQueue &q) const
{
	const std::uint64_t wptr = q.header.va + (q.kind == QueueKind::Aql ? AMD_QUEUE_WRITE_DISPATCH_ID : 0x200);
	const bool extended = q.kind == QueueKind::Sdma && q.engine > 1 && !as_vi();
	const std::uint32_t engine = extended		       ? q.engine % 8 :
				     q.kind == QueueKind::Sdma ? PM4_ENGINE_SDMA0 + q.engine :
								 std::uint32_t{PM4_ENGINE_COMPUTE};
	std::vector<std::uint32_t> packet(PM4_MAP_QUEUES_DWORDS);

	packet[0] = PM4_HEADER(PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS - 2);
	if (as_vi()) {
		PM4_PUT(packet, map_queues_vi, queue_sel, PM4_QUEUE_SEL_HWS);
		PM4_PUT(packet, map_queues_vi, num_queues, 1);
		PM4_PUT(packet, map_queues_vi, queue_type, q.is_static ? 2 : 0);
		PM4_PUT(packet, map_queues_vi, engine_sel, engine);
		PM4_PUT(packet, map_queues_vi, doorbell_offset, q.doorbell);
	} else {
		PM4_PUT(packet, map_queues, queue_sel, PM4_QUEUE_SEL_HWS);
		PM4_PUT(packet, map_queues, num_queues, 1);
		PM4_PUT(packet, map_queues, gws_control_queue, q.gws);
		PM4_PUT(packet, map_queues, queue_type, q.is_static ? 3 : 0);
		PM4_PUT(packet, map_queues, engine_sel, engine);
		if (extended)
			PM4_PUT(packet, map_queues, extended_engine_sel, q.engine < 8 ? PM4_EXTENDED_SDMA0_TO_7 : PM4_EXTENDED_SDMA8_TO_15);
		PM4_PUT(packet, map_queues, doorbell_offset, q.doorbell);
	}
	PM4_PUT(packet, map_queues, mqd_addr_lo, lo32(q.mqd.gpu));
	PM4_PUT(packet, map_queues, mqd_addr_hi, hi32(q.mqd.gpu));
	PM4_PUT(packet, map_queues, wptr_addr_lo, lo32(wptr));
	PM4_PUT(packet, map_queues, wptr_addr_hi, hi32(wptr));
	return packet;
}

std::vector<std::uint32_t> Driver::build_list(const std::vector<UserQueue *> &queues, bool chain)
{
	std::vector<std::uint32_t> words;
	std::vector<Process *> processes;
	const auto add = [&](const std::vector<std::uint32_t> &packet) { words.insert(words.end(), packet.begin(), packet.end()); };

	for (UserQueue *q : queues)
		if (std::find(processes.begin(), processes.end(), &q->process) == processes.end())
			processes.push_back(&q->process);
	for (Process *p : processes) {
		add(as_vi() ? map_process_vi(*p) : map_process(*p));
		for (UserQueue *q : queues)
			if (&q->process == p)
				add(map_queue(*q));
	}
	if (chain) {
		const std::uint32_t size = static_cast<std::uint32_t>(words.size()) + PM4_RUN_LIST_DWORDS;
		words.insert(words.end(),
			     {PM4_HEADER(PM4_RUN_LIST, 2), lo32(list.gpu), hi32(list.gpu), size | 1u << 20 | 1u << 22 | 1u << 23});
	}
	return words;
}

void Driver::run_list(const std::vector<UserQueue *> &queues, bool chain, std::uint32_t process_count)
{
	const std::vector<std::uint32_t> words = build_list(queues, chain);

	std::ranges::copy(words, reinterpret_cast<std::uint32_t *>(list.bus.host)); /* of none memcpy() would get no address */
	hiq({PM4_HEADER(PM4_RUN_LIST, 2), lo32(list.gpu), hi32(list.gpu),
	     static_cast<std::uint32_t>(words.size()) | 1u << 23 | process_count << 24});
}

void Driver::unmap(std::uint32_t select, std::uint32_t operand, std::uint32_t action)
{
	fence_.at<std::uint64_t>(0) = 10;
	hiq({PM4_HEADER(PM4_UNMAP_QUEUES, 4), action | select << 4 | (select == PM4_UNMAP_BY_DOORBELL ? 1u << 29 : 0), operand, 0, 0, 0});
	hiq({PM4_HEADER(PM4_QUERY_STATUS, 5), u32{PM4_QUERY_FENCE_AFTER_ACK} << 30, 0, lo32(fence_.gpu), hi32(fence_.gpu), 100, 0});
}

void Driver::reschedule(const std::vector<UserQueue *> &queues, bool chain)
{
	unmap();
	chip_.run();
	run_list(queues, chain);
	chip_.run();
}

} // namespace silicon_host
