/* SPDX-License-Identifier: MIT */
/*
 * silicon.h - the chip's pins.
 *
 * The silicon is a GPU in one block of memory: freestanding C++ behind this C border.
 * It owns no thread, no heap and no lock. Its host (amdgpu_model/glue in the kernel, the
 * silicon_host in user space) gives it power by calling silicon_run(), wires its ports, and makes sure that no two
 * calls into one silicon overlap.
 *
 * Two kinds of pins:
 *  - what a driver reaches: registers, doorbells (through the doorbell port), memory (through the memory
 *    ports), interrupts (through the interrupt port);
 *  - the lab (silicon_bench_*): clock, counters, fault injection. No driver code calls these.
 *
 * Addresses: "register" is a dword offset in the chip's MMIO space (IP segment base + register offset, as in
 * soc15 headers); graphics registers of compute die n at HW_XCC_REGS * n more. "VRAM offset" is a byte offset from the start of VRAM. "Bus address" is a byte address on the
 * system side of the IOMMU, as PTEs with the S bit hold it.
 */
#ifndef SILICON_H
#define SILICON_H

#include "../hw/hw_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct silicon_chip;

/**
 * enum silicon_access - answer of a memory port
 * @SILICON_OK:    *host points to the 4 KiB page
 * @SILICON_NEED:  the page can be had, but not without sleeping: the host has taken a note, will serve it after this
 *                 slice (see SILICON_RUN_NEED), and the access is to be tried again then
 * @SILICON_FAULT: there is no such page, or it must not be written
 */
enum silicon_access { SILICON_OK, SILICON_NEED, SILICON_FAULT };

/** enum silicon_report_kind - what the driver or a program did wrong; each is counted */
enum silicon_report_kind {
	SILICON_REPORT_RESERVED_BITS,	/* reserved register or packet bits written */
	SILICON_REPORT_BAD_REGISTER,	/* access to a register that this chip does not have */
	SILICON_REPORT_BAD_PACKET,	/* malformed or unknown PM4, AQL or SDMA packet */
	SILICON_REPORT_BAD_MQD,		/* MQD that cannot be: size, pointer or VMID out of range */
	SILICON_REPORT_BAD_RUNLIST,	/* runlist that cannot be */
	SILICON_REPORT_BAD_ADDRESS,	/* address that translates to nothing, for VMID 0 */
	SILICON_REPORT_VM_FAULT,	/* the same for a user's VMID */
	SILICON_REPORT_BAD_INSTRUCTION, /* illegal instruction */
	SILICON_REPORT_IH_OVERFLOW,	/* interrupt ring full */
	SILICON_REPORT_BAD_PTE,		/* page table entry with impossible contents */
	SILICON_REPORT_KINDS
};

/**
 * struct silicon_report - one complaint
 * @kind:    see enum silicon_report_kind
 * @vmid:    VMID it came from
 * @subject: register offset, packet header, or address, by kind
 * @detail:  offending value; of an instruction its first word
 */
struct silicon_report {
	u32 kind;
	u32 vmid;
	u64 subject;
	u64 detail;
};

/** enum silicon_trace_kind - events of the trace; arguments a and b by kind, given in brackets */
enum silicon_trace_kind {
	SILICON_TRACE_QUEUE_MAP,       /* HQD connected [a: doorbell offset, b: MQD address] */
	SILICON_TRACE_QUEUE_UNMAP,     /* HQD disconnected [a: doorbell offset, b: 1 if waves were saved] */
	SILICON_TRACE_PACKET_START,    /* [a: read index, b: header] */
	SILICON_TRACE_PACKET_END,      /* [a: read index, b: header] */
	SILICON_TRACE_WORKGROUP_START, /* [a: workgroup number in its grid, b: se << 16 | sh << 8 | cu] */
	SILICON_TRACE_WORKGROUP_END,   /* as start */
	SILICON_TRACE_WAVE_START,      /* [a: workgroup number, b: se << 24 | sh << 20 | cu << 12 | simd << 8 | slot] */
	SILICON_TRACE_WAVE_END,	       /* as start */
	SILICON_TRACE_SAVE,	       /* waves saved to the context save area [a: waves, b: bytes] */
	SILICON_TRACE_RESTORE,	       /* waves restored [a: waves, b: bytes] */
	SILICON_TRACE_INTERRUPT,       /* IH entry written [a: client << 8 | source, b: context id 0] */
	SILICON_TRACE_SDMA_START,      /* [a: engine << 8 | queue, b: packet header] */
	SILICON_TRACE_SDMA_END,
	SILICON_TRACE_HWS_PACKET,	 /* scheduler packet taken [a: opcode, b: ring pointer] */
	SILICON_TRACE_WORKGROUP_RESTORE, /* after SILICON_TRACE_RESTORE: on a CU again, arguments as at its start */
	SILICON_TRACE_WAVE_RESTORE,
	SILICON_TRACE_KERNEL_START, /* grid handed over [a: address of its code, b: 1: by an AQL packet, 0: by PM4] */
	SILICON_TRACE_KERNEL_COUNT, /* grid gone, ended or not; for each count that is not 0 [a: count << 56 | address of its code, b: value] */
	SILICON_TRACE_KINDS
};

/**
 * enum silicon_kernel_count - what SILICON_TRACE_KERNEL_COUNT counts of a grid
 *
 * A grid that was saved and came back has counts for each time that it was there; together they are the grid's. Dies that share a grid
 * each count their part (silicon_trace_event.where): together they are the grid's, but of cycles the longest is. A step by
 * events (SILICON_STEP_EVENTS) does not count these. With SILICON_MODE_NO_TIMING there are no units and caches, and so no counts of them.
 */
enum silicon_kernel_count {
	SILICON_KERNEL_CYCLES,	   /* from its first workgroup's start, or from its restore, until it is gone */
	SILICON_KERNEL_WORKGROUPS, /* started */
	SILICON_KERNEL_WAVES,
	SILICON_KERNEL_WAVE_CYCLES, /* of all waves, while they had a wave slot */
	SILICON_KERNEL_INTERNAL,    /* wave-instructions by unit: s_nop, s_waitcnt, s_barrier and the like */
	SILICON_KERNEL_VALU,
	SILICON_KERNEL_SCALAR, /* scalar memory, too */
	SILICON_KERNEL_BRANCH,
	SILICON_KERNEL_VMEM,
	SILICON_KERNEL_LDS,
	SILICON_KERNEL_INTERNAL_CYCLES, /* how long they have taken their unit */
	SILICON_KERNEL_VALU_CYCLES,
	SILICON_KERNEL_SCALAR_CYCLES,
	SILICON_KERNEL_BRANCH_CYCLES,
	SILICON_KERNEL_VMEM_CYCLES,
	SILICON_KERNEL_LDS_CYCLES,
	SILICON_KERNEL_L1_LINES, /* 64-byte lines that loads looked for in their CU's L1 (on RDNA: L0 and the array's L1) */
	SILICON_KERNEL_L1_HITS,
	SILICON_KERNEL_L2_LINES, /* that went to the L2 */
	SILICON_KERNEL_L2_HITS,
	SILICON_KERNEL_COUNTS
};

/**
 * struct silicon_trace_event - one line of the trace
 * @cycle: virtual time in shader clock cycles
 * @kind:  see enum silicon_trace_kind
 * @vmid:  VMID, 0 for the kernel's own
 * @where: compute die << 16 | me << 8 | pipe << 4 | queue of the HQD; 0xff00 | engine << 4 | queue for SDMA
 * @a, @b: by kind
 */
struct silicon_trace_event {
	u64 cycle;
	u16 kind;
	u16 vmid;
	u32 where;
	u64 a;
	u64 b;
};

/* A doorbell is a store, not a value: the same value rings again. No write pointer is this one. */
#define SILICON_NO_DOORBELL (~0ull)

/**
 * struct silicon_ports - the wires that leave the chip
 *
 * All are called inside silicon_run() or a register access: they must not sleep and must not call the silicon.
 * @context is the pointer given to silicon_init().
 *
 * @vram_page:  host address of the 4 KiB page at VRAM offset @offset (page aligned); memory never written reads as
 *              zero and may share one zero page while @write is false
 * @bus_page:   host address of the 4 KiB page at bus address @addr (page aligned)
 * @doorbell:   the 64 bits that CPUs last stored at @byte_offset of the doorbell aperture since the chip took them last,
 *              SILICON_NO_DOORBELL if they have stored nothing; before GFX9 doorbells have 32 bits, and the answer zeros above; @take: from
 * now on the chip has seen it
 * @interrupt:  the IH ring's write pointer has moved and interrupts are enabled
 * @wall_ns:    monotonic wall clock
 * @report:     a complaint (also counted inside)
 * @trace:      a trace event; only called while tracing is on
 */
struct silicon_ports {
	enum silicon_access (*vram_page)(void *context, u64 offset, bool write, void **host);
	enum silicon_access (*bus_page)(void *context, u64 addr, bool write, void **host);
	u64 (*doorbell)(void *context, u32 byte_offset, bool take);
	void (*interrupt)(void *context);
	u64 (*wall_ns)(void *context);
	void (*report)(void *context, const struct silicon_report *report);
	void (*trace)(void *context, const struct silicon_trace_event *event);
};

#define SILICON_MAX_XCC 8
#define SILICON_MAX_SE	8
#define SILICON_MAX_SH	2

/**
 * struct silicon_config - what is fused in the factory
 * @chip:           row of hw/chips.def, counted from 0
 * @cu_bitmap:      enabled CUs of each shader array of each compute die, bit n = CU n
 * @vram_bytes:     size of VRAM
 * @doorbell_bytes: size of the doorbell aperture
 * @leftovers:      registers and LDS are never cleared, as on real chips (CVE-2023-4969)
 */
struct silicon_config {
	u32 chip;
	u32 cu_bitmap[SILICON_MAX_XCC][SILICON_MAX_SE][SILICON_MAX_SH];
	u64 vram_bytes;
	u32 doorbell_bytes;
	bool leftovers;
};

/** silicon_runs_here() - has this build an execution unit for the host's CPU? Not if it has one only (KFDM_ONE_VARIANT), of another CPU. */
bool silicon_runs_here(void);

/** silicon_size() - bytes of memory that a silicon of this configuration needs, 0 if there is no such chip */
u64 silicon_size(const struct silicon_config *config);

/**
 * silicon_init() - put a chip into @memory (silicon_size() bytes, 64-byte aligned) and power it up
 *
 * @memory may hold anything: registers and LDS are cleared before a wave gets them. With @leftovers nothing is, and @memory must be zeroed.
 * Return: the chip, NULL if the configuration is impossible.
 */
struct silicon_chip *silicon_init(void *memory, const struct silicon_config *config, const struct silicon_ports *ports, void *context);

/** silicon_reset() - power-on reset: registers, queues, waves, TLBs; VRAM keeps its contents, the clock goes on */
void silicon_reset(struct silicon_chip *silicon);

/** silicon_reg_read() - MMIO read; @reg is a dword offset. Needs no FPU section. */
u32 silicon_reg_read(struct silicon_chip *silicon, u32 reg);

/** silicon_reg_write() - MMIO write; may raise reports. Needs no FPU section. */
void silicon_reg_write(struct silicon_chip *silicon, u32 reg, u32 value);

/**
 * silicon_host_pages_gone() - host pages that ports gave earlier are about to be freed or moved
 *
 * The host's own safety net, not the driver's TLB flush: every host pointer that the chip caches is dropped, translations
 * are walked anew. Cheap; call it before the pages go.
 */
void silicon_host_pages_gone(struct silicon_chip *silicon);

/* What silicon_run() leaves behind; 0: idle, nothing to do before a doorbell, a register access or a wall_until. */
#define SILICON_RUN_BUSY    0x1	 /* work is left: call again at once */
#define SILICON_RUN_NEED    0x2	 /* something waits for a page: serve the notes taken by the ports, call again */
#define SILICON_RUN_AHEAD   0x4	 /* virtual time has reached the wall clock: call again at wall_until */
#define SILICON_RUN_POLL    0x8	 /* something waits for a value in memory: call again soon (back off as you like) */
#define SILICON_RUN_QUEUES  0x10 /* user queues are mapped: their doorbells count */
#define SILICON_RUN_KERNELS 0x20 /* kernels are on the shader engines (GRBM_STATUS.GUI_ACTIVE), and time passes for them */
#define SILICON_RUN_STANDS  0x40 /* the clock is held and no step goes on: user queues wait, whatever their doorbells say */

/**
 * struct silicon_run_result
 * @flags:      SILICON_RUN_*
 * @wall_until: with SILICON_RUN_AHEAD: wall_ns() at which virtual time may go on
 */
struct silicon_run_result {
	u32 flags;
	u64 wall_until;
};

/**
 * silicon_run() - let the chip work
 * @until_ns: return when wall_ns() passes this (checked every few microseconds of work)
 *
 * Looks at the doorbells of all mapped queues first. In the kernel: inside kernel_fpu_begin/end.
 */
struct silicon_run_result silicon_run(struct silicon_chip *silicon, u64 until_ns);

/* ---- The lab ---- */

/**
 * silicon_bench_hold() - stop or release the virtual clock
 *
 * Held, the control plane (registers, HIQ, HWS, fences) still works at the frozen time; packet processing of
 * user queues, waves and SDMA data work stand still. A chip that is idle when the clock stops forgets what its caches hold and whose
 * turn was last, so that what comes has the same times whatever ran before.
 */
void silicon_bench_hold(struct silicon_chip *silicon, bool held);

#define SILICON_STEP_IDLE   1 /* until nothing is left to do */
#define SILICON_STEP_CYCLE  2 /* until virtual time @argument */
#define SILICON_STEP_EVENTS 3 /* for @argument trace events */

/** silicon_bench_step() - while held: allow time to pass until the condition; silicon_run() does the work */
void silicon_bench_step(struct silicon_chip *silicon, u32 until, u64 argument);

/** silicon_bench_stepping() - true while a step is not yet done */
bool silicon_bench_stepping(const struct silicon_chip *silicon);

/** silicon_bench_now() - virtual time in shader clock cycles */
u64 silicon_bench_now(const struct silicon_chip *silicon);

/** silicon_bench_trace() - turn the trace port on or off */
void silicon_bench_trace(struct silicon_chip *silicon, bool on);

/** enum silicon_counter - event counters since power-on */
enum silicon_counter {
	SILICON_COUNT_INSTRUCTIONS, /* wave-instructions executed */
	SILICON_COUNT_WAVES,	    /* waves launched */
	SILICON_COUNT_WORKGROUPS,
	SILICON_COUNT_AQL_PACKETS,
	SILICON_COUNT_PM4_PACKETS,
	SILICON_COUNT_SDMA_PACKETS,
	SILICON_COUNT_HWS_PACKETS,
	SILICON_COUNT_INTERRUPTS,
	SILICON_COUNT_TLB_MISSES,
	SILICON_COUNT_TLB_FLUSHES,
	SILICON_COUNT_DOORBELLS,
	SILICON_COUNT_SAVED_WAVES,
	SILICON_COUNT_RESTORED_WAVES,
	SILICON_COUNT_REPORTS, /* first of SILICON_REPORT_KINDS counters, one a report kind */
	/* behind them what came later, so that nothing changes its number */
	SILICON_COUNT_VALU_CYCLES = SILICON_COUNT_REPORTS + SILICON_REPORT_KINDS, /* of all SIMDs: vector ALU taken */
	SILICON_COUNT_VMEM_CYCLES,						  /* of all CUs: addresses of vector memory */
	SILICON_COUNT_LDS_CYCLES,						  /* of all CUs */
	SILICON_COUNT_MEMORY_LINES,						  /* 64-byte lines that the L2 did not have */
	SILICON_COUNT_KERNEL_CYCLES, /* that have passed while kernels were on the shader engines */
	SILICON_COUNT_L2_CYCLES,     /* for which a channel of the L2 was taken, mean of all channels */
	SILICON_COUNT_VALU,	     /* wave-instructions by unit, as SILICON_KERNEL_VALU and so on */
	SILICON_COUNT_SCALAR,
	SILICON_COUNT_BRANCH,
	SILICON_COUNT_VMEM,
	SILICON_COUNT_LDS,
	SILICON_COUNT_L1_LINES, /* as SILICON_KERNEL_L1_LINES and so on */
	SILICON_COUNT_L1_HITS,
	SILICON_COUNT_L2_LINES,
	SILICON_COUNT_WAVE_CYCLES,  /* of all waves that have left their CU */
	SILICON_COUNT_WAVES_NOW,    /* that are on the CUs: goes up and down */
	SILICON_COUNT_AWAKE_CYCLES, /* that have passed but for rests, after which the clock leaps to where the host's is */
	SILICON_COUNTERS
};

/** silicon_bench_counter() - one counter */
u64 silicon_bench_counter(const struct silicon_chip *silicon, u32 counter);

/*
 * Failures and modes share one space of numbers, that of AMDM_CTL_INJECT: what is new gets the next number behind both, none is ever
 * used again.
 */

/** enum silicon_fault - failures that real firmware shows, for fault injection; each is used up after @count times */
enum silicon_fault {
	SILICON_FAULT_LOST_FENCE,	/* the next @count QUERY_STATUS fences are not written */
	SILICON_FAULT_DEAF_WAVE,	/* preemption of the next @count queues never ends */
	SILICON_FAULT_DROPPED_DOORBELL, /* the next @count user doorbells are not seen */
	SILICON_FAULT_MQD_LOAD,		/* the next @count MQD loads fail */
	SILICON_FAULT_HIQ_STALL,	/* the HIQ is not fetched before the @count-th reset of the chip */
	SILICON_FAULT_LOST_INTERRUPT,	/* the next @count IH entries raise no interrupt */
	SILICON_FAULT_LOST_RING_FENCE, /* the next @count numbers with which rings in VMID 0 end their jobs are not written; the interrupt comes */
};

/** enum silicon_mode - other ways for the chip to work, which last until they are set to 0 */
enum silicon_mode {
	SILICON_MODE_SQ_IGNORES_PRIORITY = SILICON_FAULT_LOST_RING_FENCE +
					   1, /* CUs and issue slots go to waves at random, whatever the priority */
	SILICON_MODE_NO_TIMING,		      /* functional only; memory takes the same time always, waves run on for long */
	SILICON_MODE_PREEMPT,	   /* each time waves have done @count instructions more, the queues of the runlist are preempted */
	SILICON_MODE_NO_RUN_AHEAD, /* no wave executes anything ahead of its time; slower, with the same traces */
	SILICON_FAULTS		   /* numbers of both together */
};

/** silicon_bench_inject() - arm (@count > 0) or disarm (0) a failure, or set a mode to @count */
void silicon_bench_inject(struct silicon_chip *silicon, u32 fault, u32 count);

/** silicon_bench_translate() - walk the page table of @vmid; VRAM offset or bus address into *@out. Return: false if none */
bool silicon_bench_translate(struct silicon_chip *silicon, u32 vmid, u64 va, u64 *out, bool *is_bus);

#ifdef __cplusplus
}
#endif

#endif
