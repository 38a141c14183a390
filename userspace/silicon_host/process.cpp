// SPDX-License-Identifier: MIT
/* process.cpp - a process's page tables, its queues and packets. See driver.hpp. */
#include <algorithm>

#include "driver.hpp"
#include "hw/gpuvm_v8.h"

namespace silicon_host {

namespace {

constexpr std::size_t root_bytes_v8 = 8 << GPUVM_V8_ROOT_BITS, table_bytes_v8 = 8 << GPUVM_V8_BLOCK_BITS;

} // namespace

Process::Process(HostedChip &chip, Driver &driver, std::uint32_t pasid)
	: chip_(chip), driver_(driver), pasid_(pasid), root_(driver.alloc_vram(chip.generation().gfx7_hub ? root_bytes_v8 : page_bytes)),
	  next_va_((chip.generation().gfx7_hub ? 0x1000000000 : 0x7f0000000000) + (static_cast<std::uint64_t>(pasid & 0x7f) << 32))
{
}

std::uint64_t Process::table(std::uint64_t entry_at, std::size_t bytes, std::uint64_t base)
{
	std::uint64_t entry = chip_.vram_read64(entry_at);

	if (!(entry & GPUVM_PTE_VALID)) {
		entry = (base + driver_.alloc_vram(bytes)) | GPUVM_PTE_VALID;
		chip_.vram_write64(entry_at, entry);
	}
	return (entry & GPUVM_PDE_ADDRESS) - base;
}

std::uint64_t Process::entry_address(std::uint64_t va, unsigned level)
{
	std::uint64_t at = root_;

	if (chip_.generation().gfx7_hub) {
		const std::uint64_t page = va >> 12, in_table = page & ((1u << GPUVM_V8_BLOCK_BITS) - 1);
		return table(root_ + (page >> GPUVM_V8_BLOCK_BITS) * 8, table_bytes_v8, fb_base) + in_table * 8;
	}
	for (unsigned n = GPUVM_PDB2; n < level; n++)
		at = table(at + GPUVM_INDEX(va, n) * 8, page_bytes, 0);
	return at + GPUVM_INDEX(va, level) * 8;
}

void Process::map(std::uint64_t va, std::uint64_t address, std::uint64_t flags) { set_entry(va, address | flags | GPUVM_PTE_VALID); }

void Process::map_huge(std::uint64_t va, std::uint64_t vram_offset)
{
	chip_.vram_write64(entry_address(va, GPUVM_PDB0),
			   vram_offset | GPUVM_PTE_VALID | GPUVM_PDE_PTE | GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
}

Process::Buffer Process::alloc(std::size_t bytes, std::uint64_t flags)
{
	const Buffer buffer = alloc_at(next_va_, bytes, flags);

	next_va_ += buffer.bus.bytes + page_bytes;
	return buffer;
}

Process::Buffer Process::alloc_at(std::uint64_t va, std::size_t bytes, std::uint64_t flags)
{
	const Buffer buffer = {chip_.bus_alloc(bytes), va};

	for (std::size_t at = 0; at < buffer.bus.bytes; at += page_bytes)
		map(buffer.va + at, buffer.bus.address + at, flags | GPUVM_PTE_SYSTEM | GPUVM_PTE_SNOOPED);
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

std::uint32_t &Mqd::operator[](std::uint32_t dword)
{
	const std::uint32_t place = layout_.place(dword);

	return place == silicon::MqdLayout::no_place ? dropped_ : words_[place];
}

UserQueue::UserQueue(HostedChip &chip, Driver &driver, Process &owner, std::uint32_t doorbell_index, const Options &options)
	: chip_(chip), process(owner), kind(options.kind), doorbell(doorbell_index), engine(options.engine), ring_bytes(options.ring_bytes)
{
	ring_memory = process.alloc(std::max<std::size_t>(ring_bytes, page_bytes));
	header = process.alloc(page_bytes);
	eop = process.alloc(page_bytes);
	mqd = driver.alloc(page_bytes * (kind == QueueKind::Sdma ? 1 : driver.dies()));

	if (kind == QueueKind::Sdma) {
		std::uint32_t *m = mqd.words();
		m[MQD_SDMA_V9_sdmax_rlcx_rb_cntl] = log2_of(ring_bytes / 4) << 1 | 1u << 12 | 6u << 16;
		m[MQD_SDMA_V9_sdmax_rlcx_rb_base] = lo32(ring_memory.va >> 8);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_base_hi] = hi32(ring_memory.va >> 8);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_lo] = lo32(header.va + 0x80);
		m[MQD_SDMA_V9_sdmax_rlcx_rb_rptr_addr_hi] = hi32(header.va + 0x80);
		if (chip.sdma().generation < 4)
			m[MQD_SDMA_VI_sdmax_rlcx_doorbell] = doorbell;
		else
			m[MQD_SDMA_V9_sdmax_rlcx_doorbell_offset] = doorbell << 2;
		m[MQD_SDMA_V9_sdmax_rlcx_dummy_reg] = 0xf;
		m[MQD_SDMA_V9_sdma_engine_id] = engine;
		return;
	}
	Mqd m(chip, mqd);
	m[MQD_V9_header] = MQD_HEADER;
	m[MQD_V9_compute_pipelinestat_enable] = 1;
	for (const unsigned n : {MQD_V9_compute_static_thread_mgmt_se0, MQD_V9_compute_static_thread_mgmt_se1,
				 MQD_V9_compute_static_thread_mgmt_se2, MQD_V9_compute_static_thread_mgmt_se3})
		m[n] = ~0u;
	if (!chip.since_gfx10() && driver.tba)
		m[MQD_V9_compute_pgm_rsrc2] = 1 << 6; /* TRAP_PRESENT */
	if (driver.as_vi() && driver.tba) {	      /* later it is the VMID's */
		m.raw(MQD_VI_compute_tba_lo) = lo32(driver.tba >> 8);
		m.raw(MQD_VI_compute_tba_hi) = hi32(driver.tba >> 8);
		m.raw(MQD_VI_compute_tma_lo) = lo32(driver.tma >> 8);
		m.raw(MQD_VI_compute_tma_hi) = hi32(driver.tma >> 8);
	}
	m[MQD_V9_cp_hqd_persistent_state] = 0x5301;
	m[MQD_V9_cp_mqd_control] = 0x100;
	m[MQD_V9_cp_mqd_base_addr_lo] = lo32(mqd.gpu);
	m[MQD_V9_cp_mqd_base_addr_hi] = hi32(mqd.gpu);
	m[MQD_V9_cp_hqd_quantum] = 0x111;
	m[MQD_V9_cp_hqd_pq_control] = 5 << 8 | (log2_of(ring_bytes / 4) - 1);
	if (chip.since_gfx10())
		m[MQD_V9_cp_hqd_pq_control] |= 1 << 28; /* UNORD_DISPATCH */
	if (kind == QueueKind::Aql) {
		if (chip.generation().aql_bit) /* of the control register, which follows */
			m[MQD_V9_cp_hqd_iq_rptr] = 1;
		else
			m[MQD_V9_cp_hqd_aql_control] = 1;
		m[MQD_V9_cp_hqd_pq_control] |= 1u << 27 | 2u << 25 | 1u << 14 | 1u << 16;
	}
	m[MQD_V9_cp_hqd_pq_base_lo] = lo32(ring_memory.va >> 8);
	m[MQD_V9_cp_hqd_pq_base_hi] = hi32(ring_memory.va >> 8);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_lo] = lo32(header.va + AMD_QUEUE_READ_DISPATCH_ID);
	m[MQD_V9_cp_hqd_pq_rptr_report_addr_hi] = hi32(header.va + AMD_QUEUE_READ_DISPATCH_ID);
	m[MQD_V9_cp_hqd_pq_doorbell_control] = doorbell << 2 | (kind == QueueKind::Aql ? 2u : 0u);
	m[MQD_V9_cp_hqd_ib_control] = 3u << 20 | 1u << 23;
	m[MQD_V9_cp_hqd_eop_control] = 9;
	m[MQD_V9_cp_hqd_eop_base_addr_lo] = lo32(eop.va >> 8);
	m[MQD_V9_cp_hqd_eop_base_addr_hi] = hi32(eop.va >> 8);
	m[MQD_V9_cp_hqd_pipe_priority] = options.priority > 10 ? 2 : options.priority > 6 ? 1 : 0;
	m[MQD_V9_cp_hqd_queue_priority] = options.priority;
	if (options.cwsr) {
		save = process.alloc(std::size_t{options.save_bytes} * driver.dies());
		m[MQD_V9_cp_hqd_persistent_state] |= 1u << 30;
		m[MQD_V9_cp_hqd_ctx_save_base_addr_lo] = lo32(save.va);
		m[MQD_V9_cp_hqd_ctx_save_base_addr_hi] = hi32(save.va);
		m[MQD_V9_cp_hqd_ctx_save_size] = options.save_bytes;
		m[MQD_V9_cp_hqd_cntl_stack_size] = m[MQD_V9_cp_hqd_cntl_stack_offset] = m[MQD_V9_cp_hqd_wg_state_offset] = 0x4000;
	}
	if (kind == QueueKind::Aql)
		for (std::size_t at = 0; at < ring_bytes; at += AQL_PACKET_BYTES)
			ring_memory.at<std::uint16_t>(at) = AQL_INVALID;
	const std::uint64_t wptr = header.va + (kind == QueueKind::Aql ? AMD_QUEUE_WRITE_DISPATCH_ID : 0x200);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_lo] = lo32(wptr);
	m[MQD_V9_cp_hqd_pq_wptr_poll_addr_hi] = hi32(wptr);
	if (driver.dies() > 1)
		fill_dies(driver.dies(), options);
}

/* As Linux 7.2's init_mqd_v9_4_3: what differs from die to die. */
void UserQueue::fill_dies(unsigned dies, const Options &options)
{
	mqd.words()[MQD_V9_cp_mqd_stride_size] = page_bytes;
	mqd.words()[MQD_V9_pm4_target_xcc_in_xcp] = kind == QueueKind::Aql ? 0 : options.target;
	for (unsigned die = 0; die < dies; die++) {
		std::uint32_t *const m = mqd_of(die);

		std::copy_n(mqd.words(), die ? page_bytes / 4 : 0, m);
		m[MQD_V9_compute_static_thread_mgmt_se4] = kind == QueueKind::Aql ? (options.first_die + die) % dies : 0;
		m[MQD_V9_compute_static_thread_mgmt_se4 + 2] = kind == QueueKind::Aql ? options.chunk : 0;
		m[MQD_V9_cp_mqd_base_addr_lo] = lo32(mqd.gpu + die * page_bytes);
		m[MQD_V9_cp_hqd_ctx_save_base_addr_lo] = lo32(save.va + std::uint64_t{die} * options.save_bytes);
		m[MQD_V9_cp_hqd_ctx_save_base_addr_hi] = hi32(save.va + std::uint64_t{die} * options.save_bytes);
		if (kind == QueueKind::Aql)
			m[MQD_V9_cp_hqd_pq_control] = (m[MQD_V9_cp_hqd_pq_control] & ~(1u << 27)) | (die ? 1u << 27 : 0);
	}
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
		p[2 + 2 * i] = lo32(deps[i]);
		p[3 + 2 * i] = hi32(deps[i]);
	}
	p[14] = lo32(completion);
	p[15] = hi32(completion);
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
	p[8] = lo32(object);
	p[9] = hi32(object);
	p[10] = lo32(kernarg);
	p[11] = hi32(kernarg);
	p[14] = lo32(completion);
	p[15] = hi32(completion);
	return p;
}

} // namespace silicon_host
