// SPDX-License-Identifier: MIT
/*
 * sdma.h - the system DMA engines: rings of copy, write, fill, fence, trap, poll and atomic packets.
 *
 * An engine has a GFX queue (the kernel's ring), a PAGE queue and user queues RLC0..n, which share it round-robin, a bounded
 * piece of work at a time: a packet that waits or a big copy never blocks another queue. All state of a queue is in its
 * registers, so that the scheduler can take it out (unmap) and bring it back anywhere: what is half done of a packet
 * stands in MIDCMD_DATA0 (bytes done) while MIDCMD_CNTL.DATA_VALID.
 *
 * SDMA 4 sits on the MMHUB, of its interposer die where there are several: its addresses are those of spaces mmhub_space + VMID. SDMA 5
 * sits on the GFXHUB.
 */
#pragma once

#include "../../hw/ih_v9.h"
#include "../../hw/mqd.h"
#include "../../hw/regs.h"
#include "../../hw/sdma_layout.h"
#include "../../hw/sdma_v4.h"
#include "../base/clock.h"
#include "../ih/ih.h"
#include "../vm/gpuvm.h"
#include "../vm/memory.h"

namespace silicon {

constexpr unsigned max_aids = SILICON_MAX_XCC / HW_XCCS_OF_AID;
constexpr unsigned sdma_engines = SDMA_MAX_ENGINES;
constexpr unsigned sdma_rlc_queues = SDMA_MAX_QUEUES;
constexpr unsigned sdma_mqd_dwords = 128;

/** What an engine asks of the rest of the chip. Called inside run(). */
class SdmaClient {
public:
	/** The access of a queue on interposer die @aid has faulted; the queue stands still until it is unmapped or disabled. */
	virtual void sdma_fault(unsigned aid, unsigned space, u64 va, Access access) = 0;
	/** SRBM_WRITE and register polls of the kernel's own rings (VMID 0). */
	virtual void sdma_register_write(u32 reg, u32 value) = 0;
	virtual u32 sdma_register_read(u32 reg) = 0;

protected:
	~SdmaClient() = default;
};

class Sdma {
public:
	/** memory: of each interposer die. */
	void connect(Board *board, Clock *clock, Memory *const memory[max_aids], InterruptHandler *ih, SdmaClient *client,
		     const sdma_layout *layout);
	void reset();

	/** MMIO. false: the register is not of an SDMA engine. */
	bool read(u32 reg, u32 *value);
	bool write(u32 reg, u32 value);

	/** Engines of this chip, and user queues of each. */
	unsigned engines() const { return layout_->engines; }
	unsigned queues() const { return layout_->queues; }
	bool idle(unsigned engine, unsigned queue) const;
	bool mapped(unsigned engine, unsigned queue) const;
	bool any_mapped() const;

	/**
	 * Scheduler: load RLC queue (engine, queue) from an SDMA MQD and enable it for a VMID; the write pointer comes from wptr_va.
	 * Need, Fault: nothing has changed. Fault also for an MQD that cannot be (reported).
	 */
	Mem map(unsigned engine, unsigned queue, unsigned vmid, const u32 mqd[sdma_mqd_dwords], u32 doorbell, u64 wptr_va);
	/** Scheduler: disable it and write its state over the MQD's words. */
	void unmap(unsigned engine, unsigned queue, u32 mqd[sdma_mqd_dwords]);

	/** Byte offset of the doorbell that an MQD names. */
	u32 doorbell_of(const u32 mqd[sdma_mqd_dwords]) const;

	/** Look at the doorbells of all enabled queues. */
	void scan_doorbells();

	struct State {
		bool busy = false;  /* a queue has work that can go on now */
		bool need = false;  /* a queue waits for a page */
		bool poll = false;  /* a queue waits for a value in memory */
		u64 next = ~u64{0}; /* cycle at which a queue can go on, if none can now */
	};
	/** Work off packets that may start before this cycle. Bounded: call again while busy. */
	State run(u64 limit);

private:
	enum : unsigned { block_gfx, block_page, block_rlc, blocks = block_rlc + sdma_rlc_queues };

	/** What became of a packet, or of a piece of it. */
	enum class Outcome : u8 { Done, More, Poll, Need, Fault, Bad };

	struct Queue {
		u32 reg[SDMA_QUEUE_REGS]; /* by offset in the block */
		u8 engine, block;
		bool stopped; /* by a fault or a packet that cannot be */
		bool started; /* the packet at the read pointer has begun */
	};

	struct Engine {
		u32 reg[SDMA_ENGINE_REGS];
		Queue queue[blocks];
		unsigned turn; /* queue that goes next */
		u32 enabled;   /* blocks with RB_ENABLE, a bit each */
		u64 ready;     /* cycle at which the engine can take the next piece */
	};

	/* A packet being executed: its words are fetched one by one, since writes may be longer than any buffer. */
	struct Packet {
		Queue *queue;
		u64 base, mask, at; /* stream address, wrap mask, position of the header */
		u32 room;	    /* dwords from the header to the end of the stream */
		unsigned space;
		u32 dw[16]; /* header and fixed part */
	};

	struct Row {
		u8 opcode;
		u8 sub;		  /* any_sub: all */
		u8 dwords;	  /* fixed part with the header */
		bool kernel_only; /* refused in user queues */
		Outcome (Sdma::*execute)(Packet &packet);
	};
	static constexpr u8 any_sub = 0xff;
	static const Row rows[];
	static const Row *find_row(u32 header);

	/** SDMA 2 and 3: pointers of 32 bits that wrap, counts that are exact. */
	bool old() const { return layout_->generation < 4; }
	/** The interposer die that an engine lies on, and its number there. */
	unsigned aid_of(unsigned engine) const { return engine / layout_->engines_of_aid; }
	unsigned place_on_aid(unsigned engine) const { return engine % layout_->engines_of_aid; }
	/** What a queue's engine sees of memory. */
	Memory &memory(const Queue &queue) const { return *memory_[aid_of(queue.engine)]; }
	Memory &memory(const Packet &packet) const { return memory(*packet.queue); }
	u32 count(u32 field) const { return old() ? field : field + 1; }

	/* sdma.cc */
	static u64 ring_mask(const Queue &queue);
	u32 mqd_register(unsigned dword) const;
	bool decode(u32 reg, unsigned *engine, unsigned *block, u32 *offset) const;
	void write_queue(Queue &queue, u32 offset, u32 value);
	static bool enabled(const Queue &queue);
	void note_enabled(const Queue &queue);
	bool has_work(const Engine &engine) const;
	static bool runnable(const Engine &engine, const Queue &queue);
	static void go_on(Queue &queue);
	void stand_still(Queue &queue, bool fault);
	bool serve(Engine &engine, Queue &queue, State *state);
	void spend(Engine &engine, u32 bytes);
	static u64 writeback_address(const Queue &queue);
	Mem reach_writeback(const Queue &queue);
	void writeback(const Queue &queue);

	/* packets.cc */
	Outcome step(Queue &queue);
	bool open_stream(Queue &queue, Packet *packet);
	void advance(Packet &packet, u32 dwords);
	Mem fetch(const Packet &packet, u32 index, u32 *value);
	Outcome fetch_fixed(Packet &packet, u32 dwords);
	Outcome answer(const Packet &packet, Mem mem);
	Outcome finish(Packet &packet, u32 dwords);
	void trace(const Packet &packet, silicon_trace_kind kind);
	static u32 progress(const Queue &queue);
	static void set_progress(Queue &queue, u32 bytes);
	void interrupt(const Queue &queue, u8 source, unsigned vmid, u32 data);

	Outcome nop(Packet &p);
	Outcome cache_request(Packet &p);
	Outcome copy_linear(Packet &p);
	Outcome copy_sub_window(Packet &p);
	Mem copy_bytes(const Packet &p, u64 from, u64 to, u32 bytes);
	Outcome write_linear(Packet &p);
	Outcome indirect(Packet &p);
	Outcome fence(Packet &p);
	Outcome trap(Packet &p);
	Outcome poll_regmem(Packet &p);
	Outcome cond_exe(Packet &p);
	Outcome atomic(Packet &p);
	Outcome const_fill(Packet &p);
	Outcome ptepde(Packet &p);
	Outcome timestamp(Packet &p);
	Outcome srbm_write(Packet &p);

	Board *board_ = nullptr;
	Clock *clock_ = nullptr;
	Memory *memory_[max_aids] = {};
	InterruptHandler *ih_ = nullptr;
	SdmaClient *client_ = nullptr;
	const sdma_layout *layout_ = nullptr;
	unsigned hub_ = 0; /* address space of VMID 0 */
	u32 moved_ = 0;	   /* bytes moved by the piece of work in hand */
	Engine engine_[sdma_engines];
	LookPoint look_; /* at the engines */
};

} // namespace silicon
