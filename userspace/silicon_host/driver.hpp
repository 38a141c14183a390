// SPDX-License-Identifier: MIT
/*
 * driver.hpp - what a kernel driver does to bring the chip up and to schedule queues, in the fewest words: the reference for
 * how the silicon is driven, and the hands of its tests.
 *
 * VRAM starts at fb_base in the driver's address space, the GART at gart_base. Page tables are the hardware's own. All of
 * the driver's buffers lie in GART memory, as amdkfd's do. Knows GFX7 to GFX10.
 */
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "hosted_chip.hpp"
#include "hw/aql.h"
#include "hw/gpuvm_v9.h"
#include "hw/ih_v9.h"
#include "hw/mqd.h"
#include "hw/pm4.h"
#include "hw/sdma_v4.h"

namespace silicon_host {

constexpr std::uint64_t fb_base = 0x8000000000;
constexpr std::uint64_t gart_base = 0x10000000;
constexpr std::uint64_t gart_pages = 16384;

/* What Linux leaves to KFD: VMIDs, and of each of MEC1's pipes all slots but the two of amdgpu's own compute rings. */
constexpr unsigned first_vmid = 8, last_vmid = 15;
constexpr unsigned pipes = 4;
constexpr std::uint32_t slots_of_pipe = 0xfc;

constexpr std::uint32_t kernel_ring_dwords = 1024;

constexpr std::uint32_t lo32(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t hi32(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }
constexpr std::uint32_t log2_of(std::uint64_t v) { return static_cast<std::uint32_t>(std::bit_width(v)) - 1; }

/** Driver memory: host pointer and VMID 0 address. */
struct GartBlock {
	BusBlock bus;
	std::uint64_t gpu = 0;

	std::uint32_t *words() const { return reinterpret_cast<std::uint32_t *>(bus.host); }
	template <class T> T &at(std::size_t offset) const { return bus.at<T>(offset); }
};

/** A compute queue's descriptor by GFX9's names, wherever the chip's generation has each dword; what it does not have is dropped. */
class Mqd {
public:
	Mqd(const HostedChip &chip, const GartBlock &block) : layout_(chip.generation().mqd), words_(block.words()) {}

	std::uint32_t &operator[](std::uint32_t dword);
	/** By the generation's own number. */
	std::uint32_t &raw(std::uint32_t dword) { return words_[dword]; }

private:
	const silicon::MqdLayout &layout_;
	std::uint32_t *words_;
	std::uint32_t dropped_ = 0;
};

/** A process: page tables and what is mapped there. */
class Process {
public:
	Process(HostedChip &chip, class Driver &driver, std::uint32_t pasid);

	std::uint32_t pasid() const { return pasid_; }
	/** As an entry is; up to GFX8 an address in the driver's space. */
	std::uint64_t page_table_base() const { return chip_.generation().gfx7_hub ? fb_base + root_ : root_ | GPUVM_PTE_VALID; }
	std::uint32_t quantum = 0; /* of MAP_PROCESS; 0: the driver's */
	std::uint32_t num_gws = 0;
	std::uint32_t debug_vmid = 0;		       /* of MAP_PROCESS: the only one that it may get */
	std::uint32_t debug_cntl = 0, watch_cntl[4]{}; /* the same of Aldebaran: SPI_GDBG_PER_VMID_CNTL, TCP_WATCHn_CNTL */

	/** Bus memory ("userptr") at a GPU address of its own. */
	struct Buffer {
		BusBlock bus;
		std::uint64_t va = 0;

		template <class T> T &at(std::size_t offset = 0) const { return bus.at<T>(offset); }
		std::uint8_t *host() const { return bus.host; }
	};
	Buffer alloc(std::size_t bytes, std::uint64_t flags = GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
	/** The same at @va, where nothing may be mapped. */
	Buffer alloc_at(std::uint64_t va, std::size_t bytes,
			std::uint64_t flags = GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE | GPUVM_PTE_EXECUTABLE);
	/** VRAM offset of a new buffer, mapped at *va. */
	std::uint64_t alloc_vram(std::size_t bytes, std::uint64_t *va);

	void map(std::uint64_t va, std::uint64_t address, std::uint64_t flags);
	void map_huge(std::uint64_t va, std::uint64_t vram_offset);
	/** VRAM offset of the entry for va; level as in enum gpuvm_level, before GFX9 that of pages whatever it says. */
	std::uint64_t entry_address(std::uint64_t va, unsigned level = GPUVM_PTB);
	void set_entry(std::uint64_t va, std::uint64_t entry) { chip_.vram_write64(entry_address(va), entry); }
	std::uint64_t entry(std::uint64_t va) { return chip_.vram_read64(entry_address(va)); }

private:
	/** VRAM offset of the table that the entry at this offset names; a new one if it names none. base: what entries add to offsets. */
	std::uint64_t table(std::uint64_t entry_at, std::size_t bytes, std::uint64_t base);

	HostedChip &chip_;
	class Driver &driver_;
	std::uint32_t pasid_;
	std::uint64_t root_;
	std::uint64_t next_va_;
};

/** A signal in a process's memory, with its event mailbox. */
struct Signal {
	Process::Buffer memory;
	std::uint64_t va() const { return memory.va; }
	std::int64_t value() const { return __atomic_load_n(&memory.at<std::int64_t>(AMD_SIGNAL_VALUE), __ATOMIC_ACQUIRE); }
	void set(std::int64_t v) { __atomic_store_n(&memory.at<std::int64_t>(AMD_SIGNAL_VALUE), v, __ATOMIC_RELEASE); }
	std::uint64_t start() const { return memory.at<std::uint64_t>(AMD_SIGNAL_START_TS); }
	std::uint64_t end() const { return memory.at<std::uint64_t>(AMD_SIGNAL_END_TS); }
	std::uint64_t mailbox() const { return memory.at<std::uint64_t>(0x100); }
};
Signal make_signal(Process &process, std::int64_t value, std::uint32_t event_id = 0);

enum class QueueKind { Aql, Pm4, Sdma };

/** A user queue: its memory in the process, its MQD in the driver's. */
class UserQueue {
public:
	struct Options {
		QueueKind kind = QueueKind::Aql;
		std::uint32_t ring_bytes = 4096;
		std::uint32_t priority = 7;
		bool cwsr = true;
		std::uint32_t engine = 0;
		std::uint32_t save_bytes = 4u << 20; /* of each die */
		std::uint32_t first_die = 0;	     /* that workgroups are dealt to */
		std::uint32_t chunk = 1;	     /* workgroups at a time */
		std::uint32_t target = 0;	     /* PM4: the die that works at the packets */
	};
	UserQueue(HostedChip &chip, class Driver &driver, Process &owner, std::uint32_t doorbell_index, const Options &options);
	UserQueue(HostedChip &chip, class Driver &driver, Process &owner, std::uint32_t doorbell_index)
		: UserQueue(chip, driver, owner, doorbell_index, Options{})
	{
	}

	/* AQL */
	std::uint64_t push(const std::array<std::uint32_t, 16> &packet);
	/* PM4: dwords; SDMA: dwords too */
	void words(const std::vector<std::uint32_t> &list);
	void ring() { chip_.doorbell(doorbell * 4) = kind == QueueKind::Aql ? write - 1 : kind == QueueKind::Sdma ? write * 4 : write; }
	std::uint64_t read_index() const { return header.at<std::uint64_t>(AMD_QUEUE_READ_DISPATCH_ID); }
	std::uint16_t packet_header(std::uint64_t index) const
	{
		return ring_memory.at<std::uint16_t>(index * AQL_PACKET_BYTES % ring_memory.bus.bytes);
	}

	void fill_dies(unsigned dies, const Options &options);

	HostedChip &chip_;
	Process &process;
	QueueKind kind;
	std::uint32_t doorbell; /* dword index in the aperture */
	std::uint32_t engine;
	std::uint32_t ring_bytes;
	Process::Buffer ring_memory, header, eop, save;
	GartBlock mqd;
	std::uint64_t write = 0; /* packets or dwords */
	bool is_static = false;
	bool gws = false;
	/** The descriptor of a die's part. */
	std::uint32_t *mqd_of(unsigned die) const { return mqd.words() + die * page_bytes / 4; }
};

/** CP_HQD_DEQUEUE_REQUEST: what becomes of a queue's waves. */
enum class Dequeue : std::uint32_t { Drain = 1, Reset = 2, Save = 3 };

class Driver {
public:
	/** dies: so many compute dies, the first ones, become one partition; the others are left alone. */
	explicit Driver(HostedChip &chip, unsigned dies = 1);
	/** One more partition of a chip that @device has started: @dies compute dies, from @first on. @device has its interrupts. */
	Driver(Driver &device, unsigned first, unsigned dies);
	unsigned dies() const { return dies_; }

	/** Hubs, interrupt ring, SDMA engines, KIQ, HIQ, SET_RESOURCES. */
	void start();
	void start_hubs();
	void start_ih();
	void start_kiq();
	void start_hiq();
	void set_resources(std::uint32_t vmid_mask = 0xff00, std::uint64_t queue_mask = 0xfcfcfcfc);

	/** Linux drives the chip by kfd_device_queue_manager_vi.c, kfd_packet_manager_vi.c and their neighbours; otherwise by _v9.c. */
	bool as_vi() const { return chip_.generation().map_process == silicon::MapProcess::Vi; }
	/** The KIQ starts the HIQ; otherwise it is loaded by register (Linux: hqd_load of amdgpu_amdkfd_gfx_v8.c). */
	bool has_kiq() const { return !as_vi(); }

	GartBlock alloc(std::size_t bytes);
	std::uint64_t alloc_vram(std::size_t bytes);

	/* Scheduler rings */
	void kiq(const std::vector<std::uint32_t> &words, unsigned die = 0) { submit(kiq_[die], words); }
	void hiq(const std::vector<std::uint32_t> &words) { submit(hiq_, words); }
	void flush_tlb(unsigned vmid);

	/** A runlist of these queues, in the form the packet manager builds; then RUN_LIST on the HIQ. */
	void run_list(const std::vector<UserQueue *> &queues, bool chain = false, std::uint32_t process_count = 8);
	std::vector<std::uint32_t> build_list(const std::vector<UserQueue *> &queues, bool chain);
	/** UNMAP_QUEUES and QUERY_STATUS. */
	void unmap(std::uint32_t select = PM4_UNMAP_ALL_NON_STATIC, std::uint32_t operand = 0, std::uint32_t action = PM4_UNMAP_PREEMPT);
	bool fence_done() const { return fence_.at<std::uint64_t>(0) == 100; }
	/** The whole cycle: unmap everything, wait, map again. */
	void reschedule(const std::vector<UserQueue *> &queues, bool chain = false);

	/* Without the hardware's scheduler (KFD's nocpsch) all is done by register: a process has a VMID, a queue a slot of MEC1. */
	void bind(const Process &process, unsigned vmid);
	void unbind(unsigned vmid);
	void load(const UserQueue &queue, unsigned vmid, unsigned pipe, unsigned slot);
	/** Asks the slot's queue to leave, which it does while the chip runs. */
	void dequeue(unsigned pipe, unsigned slot, Dequeue how);
	bool occupied(unsigned pipe, unsigned slot);

	/* The kernel's own rings, on which the render node's jobs run: the first slot of MEC1, the graphics ring, SDMA engine 0's */
	enum class Jobs { Compute, Gfx, Sdma };
	static constexpr Jobs all_jobs[] = {Jobs::Compute, Jobs::Gfx, Jobs::Sdma};
	/** From an empty ring; also after stop_jobs(), once jobs_stopped(). */
	void start_jobs(Jobs kind);
	void stop_jobs(Jobs kind);
	bool jobs_stopped(Jobs kind);
	/** Runs a buffer of dwords at an address of this VMID's tables. */
	void job(Jobs kind, unsigned vmid, std::uint64_t va, std::uint32_t dwords);
	/** A buffer for such a ring that stores a word. */
	std::vector<std::uint32_t> job_store(Jobs kind, std::uint64_t to, std::uint32_t value) const;
	/** Whether the last job has ended. */
	bool jobs_done(Jobs kind) const;

	struct Cookie {
		std::uint32_t dw[IH_COOKIE_DWORDS];
		std::uint32_t client() const { return IH_CLIENT(dw[0]); }
		std::uint32_t source() const { return IH_SOURCE(dw[0]); }
	};
	/** Interrupts since the last call. */
	std::vector<Cookie> interrupts();

	GartBlock list; /* the runlist's memory */
	std::uint32_t sh_mem_config = 0x1018;
	std::uint32_t quantum = 10; /* of MAP_PROCESS */
	std::uint64_t tba = 0, tma = 0;
	std::uint32_t hiq_doorbell = 2, kiq_doorbell = 0;

	struct Ring {
		GartBlock ring, mqd, pointers, eop;
		std::uint32_t doorbell = 0;
		std::uint64_t write = 0;

		void put(const std::vector<std::uint32_t> &words);
	};
	struct JobRing {
		Ring ring;
		GartBlock fence;
		std::uint32_t number = 0; /* of the last job */
	};
	const Ring &hiq_ring() const { return hiq_; }
	const Ring &kiq_ring() const { return kiq_[0]; }
	const JobRing &job_ring(Jobs kind) const { return job_rings_[static_cast<unsigned>(kind)]; }
	const GartBlock &fence() const { return fence_; }

private:
	void start_hub_v8(std::uint64_t top);
	void alloc_ring(Ring &ring, std::uint32_t doorbell, unsigned dies = 1);
	void join_dies();
	void start_sdma_engines();
	void enable_pipes();
	void fill_mqd(const Ring &ring);
	/** SH_MEM_*: where LDS and scratch lie in a process's address space, and how it is cached. */
	struct Windows {
		std::uint32_t bases, config, ape1_base;
	};
	Windows windows() const;
	void load(const Ring &ring, unsigned me, unsigned pipe, unsigned queue);
	void put_hqd(Mqd mqd);
	void start_gfx(const Ring &ring);
	void start_sdma(const Ring &ring);
	void commit(Jobs kind, JobRing &jobs);
	/** A register of engine 0's GFX queue; old_reg: before SDMA 4. */
	std::uint32_t sdma_gfx(std::uint32_t reg, std::uint32_t old_reg) const;
	static std::uint32_t sdma_rb_cntl(bool on);
	void set_pasid(unsigned vmid, std::uint32_t pasid);
	void set_page_tables(unsigned vmid, std::uint64_t base);
	std::vector<std::uint32_t> map_process(const Process &process) const;
	std::vector<std::uint32_t> map_process_vi(const Process &process) const;
	std::vector<std::uint32_t> map_queue(const UserQueue &queue) const;
	void submit(Ring &ring, const std::vector<std::uint32_t> &words);
	void context(std::uint32_t vmid);

	HostedChip &chip_;
	std::uint64_t gart_table_ = 0;
	std::uint64_t next_gart_ = 0;
	std::uint64_t next_vram_ = 1 << 20;
	unsigned first_ = 0, dies_;
	Driver *device_ = nullptr;	  /* which all memory comes from; nullptr: this one */
	Ring kiq_[SILICON_MAX_XCC], hiq_; /* the KIQ of each die */
	JobRing job_rings_[std::size(all_jobs)];
	GartBlock ih_, ih_pointers_, fence_;
	std::uint32_t ih_read_ = 0;
};

/* Packets */
std::array<std::uint32_t, 16> aql_barrier(const std::vector<std::uint64_t> &deps, std::uint64_t completion, bool barrier_bit = true,
					  bool is_or = false);
std::array<std::uint32_t, 16> aql_kernel(std::uint64_t object, std::uint64_t kernarg, std::array<std::uint32_t, 3> grid,
					 std::array<std::uint16_t, 3> group, std::uint64_t completion, bool barrier_bit = false);

} // namespace silicon_host
