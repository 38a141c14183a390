// SPDX-License-Identifier: MIT
/*
 * ih.h - the interrupt handler: 32-byte cookies into a ring in memory, the write pointer after them, and the
 * interrupt port.
 *
 * The ring belongs to VMID 0 (or to the bus, MC_SPACE 1). When its page must first be fetched, cookies wait in a small queue
 * inside the block; the order of interrupts is the order in which they were raised. A full ring overwrites the oldest
 * entries and sets RB_OVERFLOW, as vega20_ih.c expects.
 */
#pragma once

#include "../../hw/ih_v9.h"
#include "../bus/registers.h"
#include "../vm/gpuvm.h"
#include "../vm/memory.h"
#include "retry_cam.h"

namespace silicon {

struct Interrupt {
	u8 client;
	u8 source;
	u8 ring_id;
	u8 vmid;
	bool mmhub;
	u8 node; /* die that it comes from: NODE_ID of GC 9.4.3 */
	u32 data[4];
};

class InterruptHandler {
public:
	void connect(Board *board, RegisterFile *registers, Memory *memory, u32 entry_bytes)
	{
		pasids_[0] = registers;
		entry_bytes_ = entry_bytes;
		board_ = board;
		registers_ = registers;
		memory_ = memory;
	}
	/** Where a compute die has its PASID table, and the first one on an interposer die the MMHUB's. */
	void connect_die(unsigned xcc, const RegisterFile *registers) { pasids_[xcc] = registers; }
	void reset()
	{
		queued_ = first_ = 0;
		cam_.reset();
	}

	/** False: the block is full, and the interrupt is lost. */
	bool raise(const Interrupt &interrupt);
	/** Of an access that will be retried: raised if the driver has not been told of the page yet. False: it could not be told. */
	bool raise_retry(Interrupt interrupt, u64 page);
	/** Retry faults can be told. */
	bool cam_enabled() const { return REG_GET(registers_->at<mmIH_RETRY_INT_CAM_CNTL>(), IH_RETRY_INT_CAM_CNTL, ENABLE); }
	/** Writes cookies that wait for a page. Need: still waiting. */
	Mem drain();

	/** A register has been written: what its own ones set in motion. */
	void wrote(const RegisterAccess &access);

private:
	static constexpr unsigned queue_size = 256;
	struct Cookie {
		u32 dw[IH_COOKIE_DWORDS];
	};

	u32 pasid_of(const Interrupt &interrupt) const;
	u32 ring_mask() const;
	u32 read_pointer();
	bool short_entries() const { return entry_bytes_ == IH_OLD_BYTES; } /* of GFX7 and GFX8 */
	Mem write(const Cookie &cookie);
	Mem ring_write(u64 address, const void *from, u32 bytes, bool bus);
	Mem publish_wptr(u32 wptr);

	Board *board_ = nullptr;
	RegisterFile *registers_ = nullptr;
	const RegisterFile *pasids_[SILICON_MAX_XCC] = {};
	Memory *memory_ = nullptr;
	u32 entry_bytes_ = IH_COOKIE_BYTES;
	unsigned first_ = 0, queued_ = 0;
	Cookie queue_[queue_size];
	RetryCam cam_;
};

} // namespace silicon
