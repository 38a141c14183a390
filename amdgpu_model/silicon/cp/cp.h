// SPDX-License-Identifier: MIT
/*
 * cp.h - the command processors: two micro engines of four pipes of eight hardware queues.
 *
 * Each pipe takes its queues in turns, the highest CP_HQD_PIPE_PRIORITY, then CP_HQD_QUEUE_PRIORITY first, and processes a few
 * packets of each; a packet that waits leaves the pipe to the others. Kernels go to the shader core, which reports back
 * through DispatchClient. The queues that RLC_CP_SCHEDULERS names (KIQ, HIQ) speak scheduler packets, which Hws executes.
 *
 * Files: cp.cc doorbells, arbitration; registers.cc what register writes set in motion; pm4.cc packet fetch; pm4_packets.cc their meaning; aql.cc AQL packets;
 * aql_dispatch.cc kernels; aql_retire.cc completion; gfx.cc the graphics ring; mqd.cc loading and storing queues; unmap.cc preemption; hws*.cc scheduling.
 */
#pragma once

#include "hqd.h"
#include "hws.h"

namespace silicon {

class ShaderCore;

class CommandProcessor final : public DispatchClient {
public:
	void connect(Fabric *fabric, ShaderCore *shaders, Sdma *sdma);
	void reset();

	/** A register has been written: what the command processors' own ones, and some beside them, set in motion. */
	void wrote(const RegisterAccess &access);

	/** Whatever of the VMID's last owner the chip remembers is not its next owner's. */
	void vmid_reassigned(unsigned vmid);

	/** Looks at the doorbells of all mapped queues. */
	void scan_doorbells(Activity &activity, bool slice_begins);
	/** KIQ, HIQ, HWS and preemption: all that goes on while the clock is held. */
	void step_control(Activity &activity);
	/** User queues, at the present cycle. */
	void step_queues(Activity &activity);

	/* The shader core's answers */
	void grid_done(u64 cookie, u64 cycle) override;
	void wave_error(u64 cookie, WaveError error, u64 pc, u64 va, Access access) override;
	void wave_interrupt(u64 cookie, u32 data, unsigned se, unsigned sh, unsigned cu, unsigned simd, unsigned wave) override;
	u32 doorbell_id(u64 cookie) override;
	u32 gws_range(unsigned vmid) override;
	bool grid_restored(Grid &grid) override;
	void restore_dropped(unsigned me, unsigned pipe, unsigned queue) override;

	/* For Hws */
	enum class Load : u8 { Done, Need, Bad };
	/** Reads an MQD into a slot and connects the queue. */
	Load map(unsigned slot, u64 mqd, u32 doorbell_offset, u64 wptr, unsigned vmid, Owner owner, bool is_static);
	/** What an unmapped queue's MQD says: its pipe priority, and whether it may have work that no doorbell will tell of. */
	Mem look_at_mqd(u64 mqd, u32 *priority, bool *work) const;
	Mem look_at_sdma_mqd(u64 mqd, bool *work) const;
	/** Begins to take a queue away; type as CP_HQD_DEQUEUE_REQUEST. */
	void begin_unmap(unsigned slot, unsigned type);
	/** True when the slot is free. */
	bool unmap_done(unsigned slot) const { return !hqd_[slot].active; }
	/** Goes on with unmappings that have begun. */
	void step_unmaps(Activity &activity);
	Hqd &hqd(unsigned slot) { return hqd_[slot]; }
	HqdRegs regs(unsigned slot) { return HqdRegs(*fabric_->registers, slot); }
	bool queue_idle(unsigned slot);
	/** User queues are mapped, or wait for their turn. */
	bool has_user_queues() const;
	Hws &hws() { return hws_; }

	/** The engine's own copy of words read from memory, too large for the stack. */
	u32 *buffer() { return buffer_; }

private:
	friend class Pm4;
	friend class Hws;

	/* registers.cc, gfx.cc */
	void wrote_active(unsigned slot, u32 value);
	void wrote_dequeue(unsigned slot, u32 value);
	void wrote_wptr(unsigned slot);
	void wrote_poll_cntl1(u32 slots_of_mec1);
	void wrote_schedulers(u32 value);
	void wrote_int_cntl(u32 value);
	void wrote_sq_cmd(u32 value);
	void wrote_me_cntl(u32 value);
	void wrote_gfx_wptr();
	void capture_clock();

	/* cp.cc */
	void activate(Hqd &q);
	bool is_scheduler(unsigned slot) const;
	u64 quantum(const Hqd &q);
	Result start(Hqd &q);
	Mem reload(Hqd &q, u64 offset);
	bool step_queue(Hqd &q, Activity &activity);
	void step_pipe(unsigned pipe, Activity &activity);
	void scan_doorbell(Hqd &q);
	bool book(Hqd &q, Result result, Activity &activity);
	void interrupt(const Hqd &q, u8 source, u32 context_id);
	bool interrupt_enabled(const Hqd &q, unsigned bit_number) const;
	Result fault(Hqd &q);
	void halt_at_fault(Hqd &q, u32 error);

	/* aql.cc, aql_dispatch.cc, aql_retire.cc */
	Result step_aql(Hqd &q);
	Result launch_aql(Hqd &q);
	Result launch_barrier(Hqd &q, const u32 *packet, bool all);
	Result launch_vendor(Hqd &q, const u32 *packet);
	Result launch_kernel(Hqd &q, const u32 *packet);
	Result fill_grid(Hqd &q, const u32 *packet, Grid *grid);
	Result fill_sgprs(Hqd &q, const u32 *packet, u32 properties, u64 amd_queue, Grid *grid);
	Result kernel_flaw(Hqd &q, const Grid &grid);
	Result aql_error(Hqd &q, u32 code);
	Result ask_scratch(Hqd &q, bool wave32);
	Result tell_signal(Hqd &q, u64 signal, u64 value);
	Result run_buffer(Hqd &q);
	Result told(Hqd &q, Mem answer);
	Flight &new_flight(Hqd &q, const u32 *packet);
	void launched(Hqd &q, const Flight &flight);
	Result retire(Hqd &q);
	Result complete(Hqd &q, Flight &f);
	u64 packet_address(Hqd &q, u64 index);

	/* pm4.cc */
	Result step_pm4(Hqd &q);
	Result report_read(Hqd &q);
	void fill_pm4_grid(Hqd &q, unsigned vmid, const u32 *body, Grid *grid);
	void fill_common(Hqd &q, unsigned vmid, Grid *grid);
	unsigned work_vmid(const Hqd &q);

	/* mqd.cc */
	Mem read_mqd(u64 address, u32 *mqd) const;
	Mem load_mqd(u64 address, u32 dword, u32 *value) const;
	Mem store_mqd(u64 address, u32 dword, u32 value) const;
	bool is_aql(const HqdRegs &r) const;
	void load_registers(Hqd &q, const u32 *mqd);
	void load_compute(Hqd &q, const u32 *mqd);
	void begin_job(Hqd &q, unsigned vmid);
	Result preload(Hqd &q);
	void load_flights(Hqd &q, const u32 *mqd);
	Mem store(Hqd &q, bool hit);
	bool plausible(u64 address, const u32 *mqd) const;

	/* unmap.cc */
	Result stamp_starts(Hqd &q);
	Result retire_leaving(Hqd &q);
	Result step_unmap(Hqd &q);
	Result save_waves(Hqd &q);
	Result restore_waves(Hqd &q);
	void drop_waves(Hqd &q);
	/** SQ_CMD kill: waves of the VMID vanish; their queues stand still until they are unmapped. */
	void kill_vmid(unsigned vmid);
	void disconnect(Hqd &q);

	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	Sdma *sdma_ = nullptr;
	Hws hws_;
	Hqd hqd_[hqd_slots];
	u64 active_ = 0;		/* bit a slot */
	u8 turn_[max_pipes] = {};	/* queue of each pipe that was served last */
	u64 pipe_ready_[max_pipes] = {}; /* cycle until which the pipe is at its last packet */
	u64 turn_ends_[max_pipes] = {};	/* when that queue's quantum is over */
	u32 serial_ = 0;
	u32 buffer_[256] = {};
};

} // namespace silicon
