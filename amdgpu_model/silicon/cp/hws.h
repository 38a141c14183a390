// SPDX-License-Identifier: MIT
/*
 * hws.h - the hardware scheduler: what the firmware on the HIQ's pipe does with the driver's runlist.
 *
 * RUN_LIST hands over a list in memory: MAP_PROCESS packets, each followed by the MAP_QUEUES packets of that process. The
 * scheduler reads it packet by packet with a cursor, gives each process a VMID and each queue a hardware slot, and
 * stops where something does not fit. If the list is chained (over-subscribed), it takes all its queues away after the
 * quantum and goes on from the cursor, at the list's end from its start: everyone gets a turn. Nothing of the list is kept inside
 * but the cursor and the packet of the process it stands in: the hardware follows memory.
 * UNMAP_QUEUES stops the list, then takes queues away by filter; it ends when the last has left or when unmap_latency
 * is over, in which case the queue's doorbell is written into the HIQ's MQD.
 */
#pragma once

#include "../sdma/sdma.h"
#include "hqd.h"

namespace silicon {

class CommandProcessor;

class Hws {
public:
	void connect(Fabric *fabric, CommandProcessor *cp, Sdma *sdma)
	{
		fabric_ = fabric;
		cp_ = cp;
		sdma_ = sdma;
	}
	void reset();

	/** Executes one scheduler packet of the KIQ or the HIQ; Wait: it has begun and is to be offered again. */
	Result packet(Hqd &ring, const u32 *packet, unsigned dwords);
	/** Goes on with the list: mapping, rotation. */
	void step(Activity &activity);
	void set_hiq(int slot) { hiq_ = slot; }
	/** The doorbells of queues that wait for their turn. */
	void scan_doorbells(Activity &activity);
	bool watching() const { return list_.active && list_.watching; }

private:
	static constexpr u8 no_vmid = 0xff;

	/* The list and the place in it */
	struct List {
		bool active = false;
		bool chained = false;		/* over-subscribed */
		bool ended = false;		/* all of it is mapped, or the rest cannot be read */
		bool blocked = false;		/* what stands at the cursor does not fit */
		bool in_process = false;	/* the cursor stands behind a MAP_PROCESS */
		bool work_seen = false;		/* somebody had work since the list's start was last passed */
		bool watching = false;		/* nobody has work: wait for a doorbell */
		bool turned = false;		/* the cursor has passed the list's end at least once */
		u8 vmid = no_vmid;		/* of the process, once it has one */
		u64 base = 0;
		u32 dwords = 0;
		u32 cursor = 0;
		u32 processes = 0;		/* at most so many at a time; 0: no limit */
		u32 chains = 0;			/* chains followed since a queue was mapped */
		u32 process[PM4_MAP_PROCESS_DWORDS] = {};
		u64 quantum_end = 0;
		u64 doorbells = 0;		/* sum over the doorbells of the list's queues when its end was last passed */
	};

	enum class Work : u8 { None, Unknown, Some };
	enum class Map : u8 { Done, Need, Full, Bad, End };

	/* hws_packets.cc */
	Result set_resources(const u32 *packet);
	Result map_queues_kiq(const u32 *packet);
	Result run_list(const u32 *packet);
	Result unmap_queues(const Hqd &ring, const u32 *packet);
	Result query_status(const Hqd &ring, const u32 *packet);
	Result invalidate_tlbs(const u32 *packet);
	void begin_unmaps(const u32 *packet, bool kiq);
	void give_up();
	bool is_kiq(const Hqd &ring) const;

	/* hws.cc */
	Map list_step(Activity &activity);
	Map follow_chain(Activity &activity);
	Map map_queue();
	Map map_compute(const u32 *packet);
	Map map_sdma(const u32 *packet, unsigned engine);
	Map need_vmid();
	void begin_sdma_unmaps(u64 wanted) { sdma_leaving_ |= wanted; }
	void step_sdma_unmaps(Activity &activity);
	Mem sdma_unmap(unsigned n);
	bool sdma_idle(unsigned n);
	void rotate_if_due(Activity &activity);
	void program_process(unsigned vmid) const;
	void release_vmids();
	bool mapped_already(u64 mqd) const;
	int free_slot();
	bool unmaps_running() const;
	void begin_rotation();
	Work work();
	u64 latency() const;
	u64 list_doorbells(Activity &activity);
	Mem list_read(u32 at, u32 *to, u32 dwords) const;

	Fabric *fabric_ = nullptr;
	CommandProcessor *cp_ = nullptr;
	Sdma *sdma_ = nullptr;
	int hiq_ = -1;
	bool have_resources_ = false;
	u16 vmid_mask_ = 0;
	u64 queue_mask_ = 0;
	u32 unmap_latency_ = 0;		/* units of 100 ms */
	u16 vmid_used_ = 0;
	u16 vmid_pasid_[vmids] = {};
	u8 next_pipe_ = 0;
	bool unmapping_ = false;	/* an UNMAP_QUEUES packet has begun */
	bool rotating_ = false;		/* the quantum is over, queues are leaving */
	u64 unmap_since_ = 0;
	/* SDMA user queues that the list has mapped, by engine * 8 + queue */
	struct SdmaSlot {
		u64 mqd = 0;
		u32 doorbell = 0;
		u8 vmid = 0;
		bool mapped = false;
	};
	SdmaSlot sdma_slot_[sdma_engines * sdma_rlc_queues];
	u64 sdma_leaving_ = 0;
	List list_;
};

} // namespace silicon
