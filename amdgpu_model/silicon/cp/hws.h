// SPDX-License-Identifier: MIT
/*
 * hws.h - the hardware scheduler: what the firmware on the HIQ's pipe does with the driver's runlist.
 *
 * RUN_LIST hands over a list in memory: MAP_PROCESS packets, each followed by the MAP_QUEUES packets of that process. The
 * scheduler gives each process a VMID and each queue a hardware slot. Nothing of the list is kept inside but places in
 * it: the hardware follows memory.
 *
 * A list that is chained to itself is over-subscribed: not all of it fits. It is worked off in rounds. A round passes over
 * the list once for each pipe priority, the highest first, beginning at the queue that did not fit when that priority was served
 * last, and maps what fits. Only queues that have something to do are mapped, which their doorbells tell and their MQDs: a queue
 * that leaves in the middle of its work says so there (DOORBELL_SCHD_HIT; the driver writes that word anew when it changes the
 * queue, so cp_mqd_connect_end_wf_count, which it never touches, says it again), and one that was never connected may have work
 * in memory. While somebody waits: queues that have nothing to do leave at once, those of a lower priority when a doorbell
 * rings above them, the others when the quantum of their process is over. Who leaves is really unmapped, its waves in the
 * context save area.
 *
 * Drivers replace the list for each queue that comes, changes or goes, often before all of it has had its turn. A new list
 * therefore goes on where the last one was left, or what stands behind would never run.
 *
 * GWS entries go from one process to another with the counts that the next one does not know: those of a queue that leaves are kept in
 * reserved words of its MQD.
 *
 * Where several dies are a partition, the first one's scheduler works for all: its queues come into slots of the same number on each.
 *
 * UNMAP_QUEUES lets a list's first round come to its end, stops the list, then takes queues away by filter; it ends when the last has
 * left or when unmap_latency is over, in which case the queue's doorbell is written into the HIQ's MQD.
 *
 * Files: hws_packets.cc the packets of the rings, hws_list.cc rounds and rotation, hws.cc slots, VMIDs and GWS.
 */
#pragma once

#include "../sdma/sdma.h"
#include "../shader/shader_core.h"
#include "unmap.h"

namespace silicon {

class Hws {
public:
	struct Wires {
		Fabric *fabric;
		ShaderCore *shaders;
		QueueSlots *slots;
		Mqds *mqds;
		Preemption *preemption;
		Sdma *sdma;
	};

	void connect(const Wires &wires)
	{
		fabric_ = wires.fabric;
		shaders_ = wires.shaders;
		slots_ = wires.slots;
		mqds_ = wires.mqds;
		preemption_ = wires.preemption;
		sdma_ = wires.sdma;
	}
	void reset();
	/** No user's queue is mapped: on which pipe the next one goes does not depend on what was there before. */
	void forget();

	/** Executes one scheduler packet of the KIQ or the HIQ; Wait: it has begun and is to be offered again. */
	Result packet(Hqd &ring, const u32 *packet, unsigned dwords);
	/** Goes on with the list: mapping, rotation. */
	void step(Activity &activity);
	void set_hiq(int slot) { hiq_ = slot; }
	/** The doorbells of queues that wait for their turn. */
	void scan_doorbells(Activity &activity, bool slice_begins);
	/** All queues of the list leave, their waves in the save areas, and come back. */
	void preempt() { preempt_ = list_.active; }
	/** Doorbells count although their queues are not mapped. */
	bool watching() const { return list_.active && list_.chained; }

private:
	static constexpr u8 no_vmid = 0xff;
	static constexpr unsigned levels = 4;	  /* CP_HQD_PIPE_PRIORITY */
	static constexpr unsigned sdma_level = 1; /* SDMA queues have none: medium */

	/** A packet of the list, and the MAP_PROCESS that it belongs to. */
	struct Place {
		u64 base = 0; /* of the indirect buffer */
		u32 dwords = 0;
		u32 at = 0;
		u64 process = 0; /* address of the MAP_PROCESS, 0: none yet */

		u64 va() const { return base + u64{at} * 4; }
	};

	struct List {
		bool active = false;
		bool chained = false; /* over-subscribed */
		bool passed = false;  /* the first round is over */
		u32 processes = 0;    /* at most so many at a time; 0: no limit */
		Place head;
		Place cursor[levels]; /* where a round begins */
		u64 waiting = 0;      /* sum over the queues that have rung and that the last round could not map */
	};

	struct Round {
		bool running = false;
		bool begun = false;	/* has left the cursor */
		bool preempted = false; /* lower priorities have left already for what waits */
		u8 level = 0;
		u8 full = 0;  /* bit a priority: a queue did not find a slot */
		u32 hops = 0; /* from one buffer to the next */
		Place from, at;
	};

	/** The process in whose name queues are being mapped. */
	struct Process {
		u64 address = 0;			 /* of its packet */
		u32 packet[PM4_MAP_PROCESS_DWORDS] = {}; /* in GFX9's form */
		u32 ape1_base = 0, ape1_limit = 0;
		u32 debug_cntl = 0;		     /* SPI_GDBG_PER_VMID_CNTL */
		u32 watch[WatchPoints::points] = {}; /* TCP_WATCHn_CNTL */
		u8 debug_vmid = 0;		     /* the only one that it may get; 0: any */
		u8 vmid = no_vmid;
	};

	struct Vmid {
		u16 pasid = 0;
		u8 gws_base = 0, gws_size = 0;
		u64 gws_mqd = 0; /* of the queue that owns them */
		u64 quantum = 0; /* cycles */
		u64 quantum_end = 0;
	};

	enum class Map : u8 { Done, Need, Full, Bad, End };

	/* hws_packets.cc */
	Result set_resources(const u32 *packet);
	Result map_queues_kiq(const u32 *packet);
	Result run_list(const u32 *packet);
	Result unmap_queues(const Hqd &ring, const u32 *packet);
	Result query_status(const Hqd &ring, const u32 *packet);
	Result invalidate_tlbs(const u32 *packet);
	void begin_unmaps(const u32 *packet, bool kiq);
	void begin_unmap(unsigned slot, unsigned type);
	void give_up();
	void tell_stuck(const Die &die) const;
	bool is_kiq(const Hqd &ring) const;
	u64 latency() const;

	/* hws_list.cc */
	void begin_round();
	void begin_level(unsigned level);
	void level_done();
	Map round_step();
	Map offer(const Place &place);
	Mem header(const Place &place, u32 *header, u32 *total) const;
	Mem follow(Place *place) const;
	template <class Visit> Mem each_queue(Visit &&visit) const;
	Mem resume();
	void wrap(const Place &to);
	u64 waiting(Activity &activity) const;
	void rotate_if_due(Activity &activity);
	void take_all_off(Activity &activity);
	void release_vmids();

	/* hws.cc */
	u32 map_process_dwords() const;
	void take_map_process_vi(const u32 *packet);
	void take_debug(const u32 *packet);
	Map enter_process(u64 address);
	Map map_queue(const u32 *packet);
	Map map_compute(const u32 *packet);
	unsigned share_of_engines(unsigned dies) const;
	Map map_sdma(const u32 *packet, unsigned engine);
	Map need_vmid();
	Map need_gws(u64 mqd);
	Mem each_gws_counter(const Vmid &owner, bool load) const;
	void release_gws(unsigned vmid);
	void begin_sdma_unmap(unsigned n);
	void step_sdma_unmaps(Activity &activity);
	Mem sdma_unmap(unsigned n);
	bool sdma_idle(unsigned n);
	void program_process(unsigned vmid) const;
	void program_die(const Die &die, unsigned vmid) const;
	void program_debug(const Die &die, unsigned vmid) const;
	Map map_dies(unsigned slot, u64 mqd, const u32 *packet);
	bool mapped_already(u64 mqd) const;
	int free_slot();
	bool slot_free(unsigned slot) const;
	bool unmaps_running() const;

	Fabric *fabric_ = nullptr;
	ShaderCore *shaders_ = nullptr;
	QueueSlots *slots_ = nullptr;
	Mqds *mqds_ = nullptr;
	Preemption *preemption_ = nullptr;
	Sdma *sdma_ = nullptr;
	int hiq_ = -1;
	bool have_resources_ = false;
	u16 vmid_mask_ = 0;
	u64 queue_mask_ = 0;
	u64 gws_mask_ = 0;
	u32 unmap_latency_ = 0; /* units of 100 ms */
	u16 vmid_used_ = 0;
	Vmid vmid_[vmids];
	u8 next_pipe_ = 0;
	bool unmapping_ = false; /* an UNMAP_QUEUES packet has begun */
	bool rotating_ = false;	 /* queues are leaving for others */
	bool preempt_ = false;	 /* see preempt() */
	u64 unmap_since_ = 0;
	/* SDMA user queues that the list has mapped, by engine * 8 + queue */
	struct SdmaSlot {
		u64 mqd = 0;
		u32 doorbell = 0;
		u8 vmid = 0;
		bool mapped = false;
		bool leaving = false; /* is to be unmapped */
	};
	SdmaSlot sdma_slot_[sdma_engines * sdma_rlc_queues];
	unsigned sdma_leaving_ = 0; /* slots that are leaving */
	List list_;
	u64 next_[levels] = {}; /* MQD of the queue that did not fit when the priority was served last */
	Round round_;
	Process process_;
};

} // namespace silicon
