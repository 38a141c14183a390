// SPDX-License-Identifier: MIT
/*
 * watch.h - watch points: accesses of a VMID's waves to memory of which a debugger wants to hear.
 *
 * The L1s compare the lines that vector memory instructions touch; what goes past them, scalar loads, is not seen. Address and control are
 * registers (TCP_WATCHn_*); the control is the VMID's own one where MAP_PROCESS brings it. Its MASK says which bits of the address count,
 * from the lowest one that tells lines apart on; those above always do, those below never.
 */
#pragma once

#include "caches.h"

namespace silicon {

class WatchPoints {
public:
	static constexpr unsigned points = 4, vmids = 16;

	/** Which bits of an address MASK knows. */
	void init(unsigned first_bit, unsigned bits)
	{
		*this = {};
		first_bit_ = static_cast<u8>(first_bit);
		mask_bits_ = static_cast<u8>(bits);
	}
	void set_low(unsigned n, u32 low) { address_[n] = (address_[n] & ~u64{0xffffffff}) | low; }
	void set_high(unsigned n, u32 high) { address_[n] = u64{high & 0xffff} << 32 | (address_[n] & 0xffffffff); }
	/** TCP_WATCHn_CNTL as it holds for the VMID. */
	void set_control(unsigned vmid, unsigned n, u32 control)
	{
		bool any = false;

		control_[vmid][n] = control;
		for (u32 c : control_[vmid])
			any |= valid(c);
		watched_ = static_cast<u16>((watched_ & ~(1u << vmid)) | u32{any} << vmid);
	}
	/** The control is that of one VMID, which it names. */
	void set_control_of_one(unsigned n, u32 control)
	{
		for (unsigned vmid = 0; vmid < vmids; vmid++)
			set_control(vmid, n, vmid == bits(control, 27, 24) ? control : 0);
	}
	ALWAYS_INLINE bool watch(unsigned vmid) const { return watched_ >> (vmid % vmids) & 1; }
	/** Watch points, a bit each, that an access to these lines meets. */
	ALWAYS_INLINE u32 met(unsigned vmid, Caches::Kind kind, const u64 *line, u32 lines) const
	{
		u32 hits = 0;

		for (unsigned n = 0; n < points; n++)
			if (const u32 control = control_[vmid % vmids][n]; valid(control) && concerns(control, kind))
				for (u32 i = 0; i < lines; i++)
					hits |= u32{!((line[i] * Caches::line_bytes ^ address_[n]) & counting(control))} << n;
		return hits;
	}

private:
	static constexpr unsigned address_bits = 48;
	static ALWAYS_INLINE constexpr bool valid(u32 control) { return bit(control, 31); }
	/** MODE: reads, all others, atomics, all. */
	static ALWAYS_INLINE constexpr bool concerns(u32 control, Caches::Kind kind)
	{
		switch (bits(control, 30, 29)) {
		case 0: return kind == Caches::Kind::Load;
		case 1: return kind != Caches::Kind::Load;
		case 2: return kind == Caches::Kind::Atomic;
		default: return true;
		}
	}
	ALWAYS_INLINE u64 counting(u32 control) const
	{
		const u64 above = ~u64{0} << (first_bit_ + mask_bits_);

		return (above | u64{bits(control, mask_bits_ - 1u, 0)} << first_bit_) & ((u64{1} << address_bits) - 1);
	}

	u64 address_[points];
	u32 control_[vmids][points];
	u16 watched_; /* a bit a VMID */
	u8 first_bit_, mask_bits_;
};

} // namespace silicon
