// SPDX-License-Identifier: MIT
/*
 * hqd.h - one hardware queue descriptor slot: its registers and what the micro engine remembers about the queue in it.
 *
 * All that must survive an unmapping lives in registers that mirror the MQD; the rest of this struct is the micro
 * engine's scratch memory and is rebuilt when the queue is mapped again.
 */
#pragma once

#include "../../hw/aql.h"
#include "../../hw/mqd.h"
#include "../../hw/pm4.h"
#include "fabric.h"
#include "../grid/grid.h"

namespace silicon {

/*
 * The graphics micro engine has one ring and the same kind of state as a compute queue; it keeps it in the bank of a slot that no
 * driver connects: MEC2 pipe 3 queue 7. Kernels that it starts carry that place.
 */
constexpr unsigned gfx_slot = 63;

/** What one attempt to process something has come to. */
enum class Result : u8 {
	Done,  /* go on */
	Idle,  /* nothing there */
	Need,  /* a page must be served: same again later */
	Poll,  /* a value in memory is not there yet: same again later */
	Wait,  /* other work of the chip must end first: same again later */
	Fault, /* memory fault, already reported */
	Bad,   /* malformed: the queue stops */
};

/** What has put the queue into its slot. */
enum class Owner : u8 { None, Registers, Kiq, Hws };

/** Why a mapped queue fetches no more. */
enum class Halt : u8 { None, BadPacket, Fault, AqlError };

/** A kernel or marker that has been taken from the ring and is not yet retired. */
struct Flight {
	bool used = false;
	bool done = false;     /* all of its work has ended */
	u8 grids = 0;	       /* the shader cores of these dies of the partition hold it, a bit each */
	bool restored = false; /* came back from the context save area: its start time is in the signal already */
	u8 stage = 0;	       /* of the completion */
	u16 header = 0;
	u64 index = 0; /* AQL packet index */
	u64 signal = 0;
	u64 start = 0, end = 0; /* cycles */
};

/* Packets in flight a queue: one bit each of cp_packet_exe_status while the queue is unmapped. */
constexpr unsigned max_flights = 16;

/** Progress of taking a queue away. */
enum class Unmap : u8 { None, Wanted, Deaf };

struct Hqd {
	u8 slot = 0;
	bool active = false;  /* mirrors CP_HQD_ACTIVE */
	bool started = false; /* pointers have been read from memory */
	bool aql = false;
	bool follows = false;	/* another die of the partition works at its packets */
	u8 target = 0;		/* PM4: the die of the partition that does */
	bool is_static = false; /* queue type 2, 3: survives UNMAP of all non-static queues */
	bool gws = false;	/* gws_control_queue of its MAP_QUEUES */
	Owner owner = Owner::None;
	Halt halt = Halt::None;
	Unmap unmap = Unmap::None;
	u8 unmap_type = 0;	 /* CP_HQD_DEQUEUE_REQUEST: 1 drain, 2 reset, 3 save */
	bool saved = false;	 /* leaving: its waves are in the context save area */
	bool preload = false;	 /* shader registers are still to be read from the MQD (PRELOAD_REQ) */
	bool restoring = false;	 /* waves are still to be read back */
	bool unreported = false; /* PM4: the read pointer in memory is behind */
	bool in_packet = false;	 /* the packet at the read pointer has been traced as started */
	u8 vmid = 0;
	u8 shader_vmid = 0; /* kernel ring: whose jobs have set the shader registers, 0: none */
	u16 pasid = 0;
	u32 grids = 0;	  /* grids that the die's shader core holds for this queue */
	u32 serial = 0;	  /* counts mappings, so that late answers of an earlier one are not mistaken */
	u64 ready_at = 0; /* cycle at which the micro engine may look at the queue again */
	u64 mapped_at = 0;
	u64 unmap_since = 0;
	u64 wptr_address = 0; /* poll address of the MAP_QUEUES packet */
	u64 doorbell = 0;     /* last value seen */
	bool refresh = false; /* AQL: the write index is to be read again */
	bool polling = false; /* waits for a value in memory; polled says what the chip had done when it last looked */
	bool scratch_asked = false;
	u32 error = 0; /* AQL: error code that has not been reported yet */
	u64 polled = 0;
	u32 dma_done = 0; /* bytes of the DMA_DATA packet in hand that are done */
	u64 write = 0;	  /* AQL: packets, PM4: dwords, as the producer counts */
	u64 read = 0;	  /* AQL: next packet to retire */
	u64 launch = 0;	  /* AQL: next packet to take */
	Flight flight[max_flights];

	unsigned me() const { return slot / 32 + 1u; }
	unsigned pipe() const { return slot / 8 % 4u; }
	unsigned queue() const { return slot % 8u; }
	bool is_gfx() const { return slot == gfx_slot; }
	u8 ring_id() const { return is_gfx() ? u8{0} : static_cast<u8>(pipe() | me() << 2 | queue() << 4); }
	bool fetches() const { return active && halt == Halt::None && unmap == Unmap::None; }
};

/** The HQD's registers by name, e.g. regs.pq_base(). */
class HqdRegs {
public:
	HqdRegs(RegisterFile &file, unsigned slot) : file_(file), slot_(slot) {}

	template <u32 R> u32 &at(unsigned n = 0) const { return file_.at<R>(slot_, n); }

	u64 pq_base() const { return join(at<mmCP_HQD_PQ_BASE>(), at<mmCP_HQD_PQ_BASE_HI>()) << 8; }
	u32 pq_control() const { return at<mmCP_HQD_PQ_CONTROL>(); }
	u32 ring_dwords() const { return 2u << min(pq_control() & 0x3f, u32{28}); }
	u32 doorbell_control() const { return at<mmCP_HQD_PQ_DOORBELL_CONTROL>(); }
	u32 doorbell_offset() const { return doorbell_control() & 0x0ffffffc; }
	bool doorbell_enabled() const { return bit(doorbell_control(), 30); }
	u64 rptr_report() const { return join(at<mmCP_HQD_PQ_RPTR_REPORT_ADDR>(), at<mmCP_HQD_PQ_RPTR_REPORT_ADDR_HI>()); }
	u64 wptr_poll() const { return join(at<mmCP_HQD_PQ_WPTR_POLL_ADDR>(), at<mmCP_HQD_PQ_WPTR_POLL_ADDR_HI>()); }
	u64 mqd_base() const { return join(at<mmCP_MQD_BASE_ADDR>(), at<mmCP_MQD_BASE_ADDR_HI>()); }
	bool is_aql() const { return bit(at<mmCP_HQD_AQL_CONTROL>(), 0); }
	bool saves_waves() const { return bit(at<mmCP_HQD_PERSISTENT_STATE>(), 30); } /* QSWITCH_MODE */
	u64 ib_base() const { return join(at<mmCP_HQD_IB_BASE_ADDR>(), at<mmCP_HQD_IB_BASE_ADDR_HI>()); }
	u32 ib_size() const { return at<mmCP_HQD_IB_CONTROL>() & 0xfffff; }

	void set_ib(u64 base, u32 size, u32 rptr) const
	{
		at<mmCP_HQD_IB_BASE_ADDR>() = static_cast<u32>(base);
		at<mmCP_HQD_IB_BASE_ADDR_HI>() = static_cast<u32>(base >> 32);
		at<mmCP_HQD_IB_CONTROL>() = (at<mmCP_HQD_IB_CONTROL>() & ~0xfffffu) | size;
		at<mmCP_HQD_IB_RPTR>() = rptr;
	}

private:
	RegisterFile &file_;
	unsigned slot_;
};

} // namespace silicon
