// SPDX-License-Identifier: MIT
/* driver.cpp - bringing the chip up and scheduling queues. See driver.hpp; values as in amdgpu's gmc_v9_0, gfx_v9_0, vega20_ih. */
#include "driver.hpp"

#include <algorithm>

namespace bench {

namespace {

constexpr std::uint32_t lo(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t hi(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

constexpr std::uint32_t log2_of(std::uint32_t v)
{
	std::uint32_t n = 0;
	while (v >>= 1)
		n++;
	return n;
}

constexpr std::uint32_t kernel_ring_bytes = 4096;
constexpr unsigned kiq_me = 2, kiq_pipe = 1, kiq_queue = 0;	/* where amdgpu puts the KIQ */
constexpr unsigned hiq_me = 2, hiq_pipe = 0, hiq_queue = 0;	/* KFD_CIK_HIQ_PIPE 4 */
constexpr std::uint32_t ih_ring_bytes = 8192;

} // namespace

Driver::Driver(ChipBench &chip) : chip_(chip)
{
	gart_table_ = alloc_vram(gart_pages * 8);
}

std::uint64_t Driver::alloc_vram(std::size_t bytes)
{
	const std::uint64_t offset = next_vram_;

	next_vram_ += (bytes + page_bytes - 1) & ~(page_bytes - 1);
	return offset;
}

GartBlock Driver::alloc(std::size_t bytes)
{
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
	const std::uint32_t cntl = REG_SET(REG_SET(0, VM_CONTEXT0_CNTL, ENABLE_CONTEXT, 1), VM_CONTEXT0_CNTL, PAGE_TABLE_DEPTH, vmid ? 3 : 0);
	const std::uint64_t start = vmid ? 0 : gart_base >> 12;
	const std::uint64_t end = vmid ? (1ull << 36) - 1 : (gart_base >> 12) + gart_pages - 1;

	for (const bool mm : {false, true}) {
		const auto at = [&](std::uint32_t gfx, std::uint32_t mmhub, std::uint32_t stride) { return (mm ? mmhub : gfx) + vmid * stride; };
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 2), lo(start));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, 2), hi(start));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 2), lo(end));
		chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 2), hi(end));
		if (!vmid) {
			chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 2),
				   lo(gart_table_ | GPUVM_PTE_VALID));
			chip_.wreg(at(mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 2), hi(gart_table_));
		}
		chip_.wreg(at(mmVM_CONTEXT0_CNTL, mmMMHUB_VM_CONTEXT0_CNTL, 1), cntl);
	}
}

void Driver::start_hubs()
{
	const std::uint32_t memory_mib = chip_.rreg(mmRCC_CONFIG_MEMSIZE);
	const std::uint64_t top = fb_base + (static_cast<std::uint64_t>(memory_mib) << 20) - 1;

	for (const bool mm : {false, true}) {
		chip_.wreg(mm ? mmMMHUB_MC_VM_FB_LOCATION_BASE : mmMC_VM_FB_LOCATION_BASE, lo(fb_base >> 24));
		chip_.wreg(mm ? mmMMHUB_MC_VM_FB_LOCATION_TOP : mmMC_VM_FB_LOCATION_TOP, lo(top >> 24));
	}
	for (std::uint32_t vmid = 0; vmid < 16; vmid++) {
		context(vmid);
		flush_tlb(vmid);
	}
}

void Driver::flush_tlb(unsigned vmid)
{
	const std::uint32_t request = GPUVM_INVALIDATE_VMID(vmid) | GPUVM_INVALIDATE_L2_PTES | GPUVM_INVALIDATE_L2_PDE0 |
				      GPUVM_INVALIDATE_L2_PDE1 | GPUVM_INVALIDATE_L2_PDE2 | GPUVM_INVALIDATE_L1_PTES;
	constexpr unsigned engine = 17;

	chip_.wreg(mmVM_INVALIDATE_ENG0_REQ + engine, request);
	chip_.wreg(mmMMHUB_VM_INVALIDATE_ENG0_REQ + engine, request);
}

void Driver::start_ih()
{
	std::uint32_t cntl = 0;

	ih_ = alloc(ih_ring_bytes);
	ih_pointers_ = alloc(page_bytes);
	chip_.wreg(mmIH_RB_BASE, lo(ih_.gpu >> 8));
	chip_.wreg(mmIH_RB_BASE_HI, lo(ih_.gpu >> 40));
	chip_.wreg(mmIH_RB_WPTR_ADDR_LO, lo(ih_pointers_.gpu));
	chip_.wreg(mmIH_RB_WPTR_ADDR_HI, hi(ih_pointers_.gpu));
	cntl = REG_SET(cntl, IH_RB_CNTL, MC_SPACE, 4);
	cntl = REG_SET(cntl, IH_RB_CNTL, RB_SIZE, log2_of(ih_ring_bytes / 4));
	cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_WRITEBACK_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, RB_ENABLE, 1);
	cntl = REG_SET(cntl, IH_RB_CNTL, ENABLE_INTR, 1);
	chip_.wreg(mmIH_RB_CNTL, cntl);
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
	const std::uint32_t write = ih_pointers_.at<std::uint32_t>(0) & (ih_ring_bytes - 1) & ~31u;

	while (ih_read_ != write) {
		Cookie cookie;
		std::memcpy(cookie.dw, ih_.bus.host + ih_read_, sizeof(cookie.dw));
		cookies.push_back(cookie);
		ih_read_ = (ih_read_ + IH_COOKIE_BYTES) % ih_ring_bytes;
	}
	chip_.wreg(mmIH_RB_RPTR, ih_read_);
	return cookies;
}

/* A kernel ring's MQD, as gfx_v9_0_mqd_init and amdkfd's HIQ have it. */
void Driver::fill_mqd(Ring &ring, std::uint32_t doorbell)
{
	std::uint32_t *m;

	ring.ring = alloc(kernel_ring_bytes);
	ring.mqd = alloc(page_bytes);
	ring.pointers = alloc(page_bytes);
	ring.eop = alloc(page_bytes);
	ring.doorbell = doorbell;
	m = ring.mqd.words();
	m[MQD_V9_header] = MQD_HEADER;
	m[MQD_V9_compute_pipelinestat_enable] = 1;
	m[MQD_V9_cp_mqd_base_addr_lo] = lo(ring.mqd.gpu);
	m[MQD_V9_cp_mqd_base_addr_hi] = hi(ring.mqd.gpu);
	m[MQD_V9_cp_mqd_control] = 0x100;
	m[MQD_V9_cp_hqd_persistent_state] = 0x5301;
	m[MQD_V9_cp_hqd_quantum] = 0x111;
	m[MQD_V9_cp_hqd_pq_base_lo] = lo(ring.ring.gpu >> 8);
	m[MQD_V9_cp_hqd_pq_base_hi] = hi(ring.ring.gpu >> 8);
	m[MQD_V9_cp_hqd_pq_control] = 1u << 30 | 1u << 31 | 5 << 8 | (log2_of(kernel_ring_bytes / 4) - 1);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lo(ring.pointers.gpu);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = hi(ring.pointers.gpu);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo] = lo(ring.pointers.gpu + 8);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi] = hi(ring.pointers.gpu + 8);
	m[MQD_V9_cp_hqd_pq_doorbell_control] = doorbell << 2 | 1u << 30;
	m[MQD_V9_cp_hqd_eop_base_addr_lo] = lo(ring.eop.gpu >> 8);
	m[MQD_V9_cp_hqd_eop_base_addr_hi] = hi(ring.eop.gpu >> 8);
	m[MQD_V9_cp_hqd_eop_control] = 9;
	m[MQD_V9_cp_hqd_pipe_priority] = 2;
	m[MQD_V9_cp_hqd_queue_priority] = 15;
}

/* gfx_v9_0_kiq_init_register: the one queue that comes from register writes. */
void Driver::start_kiq()
{
	fill_mqd(kiq_, kiq_doorbell);
	const std::uint32_t *m = kiq_.mqd.words();

	chip_.wreg(mmCP_MEC_DOORBELL_RANGE_LOWER, 0);
	chip_.wreg(mmCP_MEC_DOORBELL_RANGE_UPPER, 0x0ffffffc);
	chip_.select(kiq_me, kiq_pipe, kiq_queue, 0);
	for (std::uint32_t n = 0; n < MQD_V9_HQD_COUNT; n++) {
		const std::uint32_t reg = mmCP_MQD_BASE_ADDR + n;
		if (reg != mmCP_HQD_ACTIVE && reg != 0x3255)	/* GFX9 has no register there */
			chip_.wreg(reg, m[MQD_V9_HQD_FIRST + n]);
	}
	chip_.wreg(mmCP_HQD_ACTIVE, 1);
	chip_.select(0, 0, 0, 0);
	chip_.wreg(mmRLC_CP_SCHEDULERS, RLC_SCHEDULER(kiq_me, kiq_pipe, kiq_queue));
}

void Driver::submit(Ring &ring, const std::vector<std::uint32_t> &words)
{
	const std::uint32_t dwords = kernel_ring_bytes / 4;

	for (const std::uint32_t word : words)
		ring.ring.words()[ring.write++ % dwords] = word;
	ring.pointers.at<std::uint64_t>(8) = ring.write;
	chip_.doorbell(ring.doorbell * 4) = ring.write;
}

void Driver::start_hiq()
{
	fill_mqd(hiq_, hiq_doorbell);
	fence_ = alloc(page_bytes);
	list = alloc(16 * page_bytes);
	kiq({PM4_HEADER(PM4_MAP_QUEUES, 5), PM4_KIQ_MAP_QUEUES_CONTROL(0, hiq_me - 1, hiq_pipe, hiq_queue, PM4_ENGINE_HIQ), hiq_doorbell << 2,
	     lo(hiq_.mqd.gpu), hi(hiq_.mqd.gpu), lo(hiq_.pointers.gpu + 8), hi(hiq_.pointers.gpu + 8)});
	chip_.run();
}

void Driver::set_resources(std::uint32_t vmid_mask, std::uint64_t queue_mask)
{
	hiq({PM4_HEADER(PM4_SET_RESOURCES, 6), vmid_mask | 40u << 16 | u32{PM4_RESOURCES_HIQ} << 29, lo(queue_mask), hi(queue_mask), ~0u, ~0u, 0, 0});
	chip_.run();
}

void Driver::start()
{
	start_hubs();
	start_ih();
	for (unsigned engine = 0; engine < chip_.sdma().engines; engine++) {
		const std::uint32_t base = chip_.sdma().base[engine];
		chip_.wreg(base + SDMA_CNTL, chip_.rreg(base + SDMA_CNTL) | 1);	/* TRAP_ENABLE */
		chip_.wreg(base + SDMA_F32_CNTL, 0);
	}
	start_kiq();
	start_hiq();
	set_resources();
}

namespace {

constexpr std::uint32_t gc_versions[] = {
#define CHIP(id, name, product, device, revision, target, gc, ...) gc,
#include "hw/chips.def"
#undef CHIP
};

} // namespace

std::vector<std::uint32_t> Driver::build_list(const std::vector<UserQueue *> &queues, bool chain)
{
	/* Aldebaran's has more at its end, for debuggers. */
	const std::uint32_t process_dwords = gc_versions[chip_.row()] == 0x090402 ? PM4_MAP_PROCESS_ALDEBARAN_DWORDS : PM4_MAP_PROCESS_DWORDS;
	std::vector<std::uint32_t> words;
	std::vector<Process *> processes;

	for (UserQueue *q : queues)
		if (std::find(processes.begin(), processes.end(), &q->process) == processes.end())
			processes.push_back(&q->process);
	for (Process *p : processes) {
		std::uint32_t packet[PM4_MAP_PROCESS_ALDEBARAN_DWORDS] = {PM4_HEADER(PM4_MAP_PROCESS, process_dwords - 2)};
		PM4_PUT(packet, map_process, pasid, p->pasid());
		PM4_PUT(packet, map_process, process_quantum, p->quantum ? p->quantum : quantum);
		PM4_PUT(packet, map_process, num_gws, p->num_gws);
		PM4_PUT(packet, map_process, vm_context_page_table_base_addr_lo32, lo(p->page_table_base()));
		PM4_PUT(packet, map_process, vm_context_page_table_base_addr_hi32, hi(p->page_table_base()));
		PM4_PUT(packet, map_process, sh_mem_bases, 0x00010002);
		PM4_PUT(packet, map_process, sh_mem_config, sh_mem_config);
		PM4_PUT(packet, map_process, sq_shader_tba_lo, lo(tba >> 8));
		PM4_PUT(packet, map_process, sq_shader_tba_hi, tba ? hi(tba >> 8) | 1u << 31 : 0);
		PM4_PUT(packet, map_process, sq_shader_tma_lo, lo(tma >> 8));
		PM4_PUT(packet, map_process, sq_shader_tma_hi, hi(tma >> 8));
		PM4_PUT(packet, map_process, sdma_enable, 1);
		PM4_PUT(packet, map_process, num_queues, 1);
		words.insert(words.end(), packet, packet + process_dwords);
		for (UserQueue *q : queues) {
			if (&q->process != p)
				continue;
			std::uint32_t map[PM4_MAP_QUEUES_DWORDS] = {PM4_HEADER(PM4_MAP_QUEUES, PM4_MAP_QUEUES_DWORDS - 2)};
			const std::uint64_t wptr = q->header.va + (q->kind == QueueKind::Aql ? AMD_QUEUE_WRITE_DISPATCH_ID : 0x200);
			PM4_PUT(map, map_queues, queue_sel, PM4_QUEUE_SEL_HWS);
			PM4_PUT(map, map_queues, num_queues, 1);
			PM4_PUT(map, map_queues, gws_control_queue, q->gws);
			PM4_PUT(map, map_queues, queue_type, q->is_static ? 3 : 0);
			PM4_PUT(map, map_queues, engine_sel, q->kind == QueueKind::Sdma ? PM4_ENGINE_SDMA0 + q->engine : PM4_ENGINE_COMPUTE);
			PM4_PUT(map, map_queues, doorbell_offset, q->doorbell);
			PM4_PUT(map, map_queues, mqd_addr_lo, lo(q->mqd.gpu));
			PM4_PUT(map, map_queues, mqd_addr_hi, hi(q->mqd.gpu));
			PM4_PUT(map, map_queues, wptr_addr_lo, lo(wptr));
			PM4_PUT(map, map_queues, wptr_addr_hi, hi(wptr));
			words.insert(words.end(), map, map + PM4_MAP_QUEUES_DWORDS);
		}
	}
	if (chain) {
		const std::uint32_t size = static_cast<std::uint32_t>(words.size()) + PM4_RUN_LIST_DWORDS;
		words.insert(words.end(), {PM4_HEADER(PM4_RUN_LIST, 2), lo(list.gpu), hi(list.gpu), size | 1u << 20 | 1u << 22 | 1u << 23});
	}
	return words;
}

void Driver::run_list(const std::vector<UserQueue *> &queues, bool chain, std::uint32_t process_count)
{
	const std::vector<std::uint32_t> words = build_list(queues, chain);

	std::memcpy(list.bus.host, words.data(), words.size() * 4);
	hiq({PM4_HEADER(PM4_RUN_LIST, 2), lo(list.gpu), hi(list.gpu), static_cast<std::uint32_t>(words.size()) | 1u << 23 | process_count << 24});
}

void Driver::unmap(std::uint32_t select, std::uint32_t operand, std::uint32_t action)
{
	fence_.at<std::uint64_t>(0) = 10;
	hiq({PM4_HEADER(PM4_UNMAP_QUEUES, 4), action | select << 4 | (select == PM4_UNMAP_BY_DOORBELL ? 1u << 29 : 0), operand, 0, 0, 0});
	hiq({PM4_HEADER(PM4_QUERY_STATUS, 5), u32{PM4_QUERY_FENCE_AFTER_ACK} << 30, 0, lo(fence_.gpu), hi(fence_.gpu), 100, 0});
}

void Driver::reschedule(const std::vector<UserQueue *> &queues, bool chain)
{
	unmap();
	chip_.run();
	run_list(queues, chain);
	chip_.run();
}

/* ---- Processes ---- */

Process::Process(ChipBench &chip, Driver &driver, std::uint32_t pasid)
	: chip_(chip), driver_(driver), pasid_(pasid), root_(driver.alloc_vram(page_bytes))
{
	next_va_ += static_cast<std::uint64_t>(pasid & 0xff) << 32;
}

std::uint64_t Process::entry_address(std::uint64_t va, unsigned level)
{
	std::uint64_t table = root_;

	for (unsigned n = GPUVM_PDB2; n < level; n++) {
		const std::uint64_t at = table + GPUVM_INDEX(va, n) * 8;
		std::uint64_t entry = chip_.vram_read64(at);
		if (!(entry & GPUVM_PTE_VALID)) {
			entry = driver_.alloc_vram(page_bytes) | GPUVM_PTE_VALID;
			chip_.vram_write64(at, entry);
		}
		table = entry & GPUVM_PDE_ADDRESS;
	}
	return table + GPUVM_INDEX(va, level) * 8;
}

void Process::map(std::uint64_t va, std::uint64_t address, std::uint64_t flags) { set_entry(va, address | flags | GPUVM_PTE_VALID); }

void Process::map_huge(std::uint64_t va, std::uint64_t vram_offset)
{
	chip_.vram_write64(entry_address(va, GPUVM_PDB0), vram_offset | GPUVM_PTE_VALID | GPUVM_PDE_PTE | GPUVM_PTE_READABLE |
								  GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
}

Process::Buffer Process::alloc(std::size_t bytes, std::uint64_t flags)
{
	Buffer buffer = {chip_.bus_alloc(bytes), next_va_};

	for (std::size_t at = 0; at < buffer.bus.bytes; at += page_bytes)
		map(buffer.va + at, buffer.bus.address + at, flags | GPUVM_PTE_SYSTEM | GPUVM_PTE_SNOOPED);
	next_va_ += buffer.bus.bytes + page_bytes;
	return buffer;
}

std::uint64_t Process::alloc_vram(std::size_t bytes, std::uint64_t *va)
{
	const std::uint64_t offset = driver_.alloc_vram(bytes);

	*va = next_va_;
	for (std::size_t at = 0; at < bytes; at += page_bytes)
		map(*va + at, offset + at, GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
	next_va_ += (bytes + 2 * page_bytes - 1) & ~(page_bytes - 1);
	return offset;
}

Signal make_signal(Process &process, std::int64_t value, std::uint32_t event_id)
{
	Signal signal = {process.alloc(page_bytes)};

	signal.memory.at<std::int64_t>(AMD_SIGNAL_KIND) = AMD_SIGNAL_KIND_USER;
	signal.set(value);
	if (event_id) {
		signal.memory.at<std::uint64_t>(AMD_SIGNAL_EVENT_MAILBOX) = signal.va() + 0x100;
		signal.memory.at<std::uint32_t>(AMD_SIGNAL_EVENT_ID) = event_id;
		signal.memory.at<std::uint64_t>(0x100) = ~0ull;
	}
	return signal;
}

/* ---- User queues ---- */

UserQueue::UserQueue(ChipBench &chip, Driver &driver, Process &owner, std::uint32_t doorbell_index, const Options &options)
	: chip_(chip), process(owner), kind(options.kind), doorbell(doorbell_index), engine(options.engine), ring_bytes(options.ring_bytes)
{
	ring_memory = process.alloc(std::max<std::size_t>(ring_bytes, page_bytes));
	header = process.alloc(page_bytes);
	eop = process.alloc(page_bytes);
	mqd = driver.alloc(page_bytes);
	std::uint32_t *m = mqd.words();

	if (kind == QueueKind::Sdma) {
		m[MQD_SDMA_V9_sdmax_rlcx_rb_cntl] = log2_of(ring_bytes / 4) << 1 | 1u << 12 | 6u << 16;
		m[MQD_SDMA_V9_sdmax_rlcx_rb_base] = lo(ring_memory.va >> 8);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_base_hi] = hi(ring_memory.va >> 8);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_lo] = lo(header.va + 0x80);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_hi] = hi(header.va + 0x80);
		m[MQD_SDMA_V9_sdmax_rlcx_doorbell_offset] = doorbell << 2;
		m[MQD_SDMA_V9_sdmax_rlcx_dummy_reg] = 0xf;
		m[MQD_SDMA_V9_sdma_engine_id] = engine;
		return;
	}
	m[MQD_V9_header] = MQD_HEADER;
	m[MQD_V9_compute_pipelinestat_enable] = 1;
	for (const unsigned n : {MQD_V9_compute_static_thread_mgmt_se0, MQD_V9_compute_static_thread_mgmt_se1,
				 MQD_V9_compute_static_thread_mgmt_se2, MQD_V9_compute_static_thread_mgmt_se3})
		m[n] = ~0u;
	m[MQD_V9_cp_hqd_persistent_state] = 0x5301;
	m[MQD_V9_cp_mqd_control] = 0x100;
	m[MQD_V9_cp_mqd_base_addr_lo] = lo(mqd.gpu);
	m[MQD_V9_cp_mqd_base_addr_hi] = hi(mqd.gpu);
	m[MQD_V9_cp_hqd_quantum] = 0x111;
	m[MQD_V9_cp_hqd_pq_control] = 5 << 8 | (log2_of(ring_bytes / 4) - 1);
	if (kind == QueueKind::Aql) {
		m[MQD_V9_cp_hqd_aql_control] = 1;
		m[MQD_V9_cp_hqd_pq_control] |= 1u << 27 | 2u << 25 | 1u << 14 | 1u << 16;
	}
	m[MQD_V9_cp_hqd_pq_base_lo] = lo(ring_memory.va >> 8);
	m[MQD_V9_cp_hqd_pq_base_hi] = hi(ring_memory.va >> 8);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lo(header.va + AMD_QUEUE_READ_DISPATCH_ID);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = hi(header.va + AMD_QUEUE_READ_DISPATCH_ID);
	m[MQD_V9_cp_hqd_pq_doorbell_control] = doorbell << 2 | (kind == QueueKind::Aql ? 2u : 0u);
	m[MQD_V9_cp_hqd_ib_control] = 3u << 20 | 1u << 23;
	m[MQD_V9_cp_hqd_eop_control] = 9;
	m[MQD_V9_cp_hqd_eop_base_addr_lo] = lo(eop.va >> 8);
	m[MQD_V9_cp_hqd_eop_base_addr_hi] = hi(eop.va >> 8);
	m[MQD_V9_cp_hqd_pipe_priority] = options.priority > 10 ? 2 : options.priority > 6 ? 1 : 0;
	m[MQD_V9_cp_hqd_queue_priority] = options.priority;
	if (options.cwsr) {
		save = process.alloc(options.save_bytes);
		m[MQD_V9_cp_hqd_persistent_state] |= 1u << 30;
		m[MQD_V9_cp_hqd_ctx_save_base_addr_lo] = lo(save.va);
		m[MQD_V9_cp_hqd_ctx_save_base_addr_hi] = hi(save.va);
		m[MQD_V9_cp_hqd_ctx_save_size] = options.save_bytes;
		m[MQD_V9_cp_hqd_cntl_stack_size] = m[MQD_V9_cp_hqd_cntl_stack_offset] = m[MQD_V9_cp_hqd_wg_state_offset] = 0x4000;
	}
	if (kind == QueueKind::Aql)
		for (std::size_t at = 0; at < ring_bytes; at += AQL_PACKET_BYTES)
			ring_memory.at<std::uint16_t>(at) = AQL_INVALID;
	const std::uint64_t wptr = header.va + (kind == QueueKind::Aql ? AMD_QUEUE_WRITE_DISPATCH_ID : 0x200);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo] = lo(wptr);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi] = hi(wptr);
}

std::uint64_t UserQueue::push(const std::array<std::uint32_t, 16> &packet)
{
	const std::uint64_t index = write++;
	std::uint8_t *slot = ring_memory.host() + index * AQL_PACKET_BYTES % ring_bytes;

	header.at<std::uint64_t>(AMD_QUEUE_WRITE_DISPATCH_ID) = write;
	std::memcpy(slot + 4, &packet[1], AQL_PACKET_BYTES - 4);
	__atomic_store_n(reinterpret_cast<std::uint32_t *>(slot), packet[0], __ATOMIC_RELEASE);
	return index;
}

void UserQueue::words(const std::vector<std::uint32_t> &list)
{
	for (const std::uint32_t word : list)
		ring_memory.at<std::uint32_t>(write++ * 4 % ring_bytes) = word;
	header.at<std::uint64_t>(0x200) = kind == QueueKind::Sdma ? write * 4 : write;
}

/* ---- Packets ---- */

std::array<std::uint32_t, 16> aql_barrier(const std::vector<std::uint64_t> &deps, std::uint64_t completion, bool barrier_bit, bool is_or)
{
	std::array<std::uint32_t, 16> p = {};

	p[0] = AQL_HEADER(is_or ? AQL_BARRIER_OR : AQL_BARRIER_AND, barrier_bit, AQL_SCOPE_SYSTEM, AQL_SCOPE_SYSTEM);
	for (std::size_t i = 0; i < deps.size() && i < AQL_BARRIER_DEPS; i++) {
		p[2 + 2 * i] = lo(deps[i]);
		p[3 + 2 * i] = hi(deps[i]);
	}
	p[14] = lo(completion);
	p[15] = hi(completion);
	return p;
}

std::array<std::uint32_t, 16> aql_kernel(std::uint64_t object, std::uint64_t kernarg, std::array<std::uint32_t, 3> grid,
					 std::array<std::uint16_t, 3> group, std::uint64_t completion, bool barrier_bit)
{
	std::array<std::uint32_t, 16> p = {};

	p[0] = AQL_HEADER(AQL_KERNEL_DISPATCH, barrier_bit, AQL_SCOPE_SYSTEM, AQL_SCOPE_SYSTEM) | 3u << 16;
	p[1] = group[0] | static_cast<std::uint32_t>(group[1]) << 16;
	p[2] = group[2];
	for (unsigned i = 0; i < 3; i++)
		p[3 + i] = grid[i];
	p[8] = lo(object);
	p[9] = hi(object);
	p[10] = lo(kernarg);
	p[11] = hi(kernarg);
	p[14] = lo(completion);
	p[15] = hi(completion);
	return p;
}

} // namespace bench
