// SPDX-License-Identifier: MIT
/*
 * retry_cam.h - which retry faults the driver has been told of and has not answered.
 *
 * An access that is retried faults again and again until its page is there. The interrupt handler's content-addressed memory lets the first
 * interrupt of a page pass and drops the others, until the driver acknowledges the entry whose number the interrupt carries (Linux:
 * gmc_v9_0.c, amdgpu_gmc_handle_retry_fault()). A VMID gets an eighth of it, so that no process's faults are reported late because others
 * have many waiting accesses: KFD's processes have eight VMIDs. How real ones divide it is not published.
 */
#pragma once

#include "../../hw/ih_v9.h"
#include "../base/bitmap.h"
#include "../vm/gpuvm.h"

namespace silicon {

class RetryCam {
public:
	static constexpr unsigned entries = IH_RETRY_CAM_ENTRIES;
	static_assert(entries == 64);
	static constexpr unsigned share = entries / 8;
	static constexpr unsigned none = ~0u;

	void reset() { used_ = 0; }

	/** The accesses of an address space, which on another die may be another process's. */
	static constexpr u32 whose(unsigned space, u32 pasid) { return pasid << whose_shift | space; }

	/** Number of a new entry; none: the page has one, or there is no room: nobody is interrupted. */
	ALWAYS_INLINE unsigned enter(u32 whose, u64 page)
	{
		const u64 key = page << 24 | whose;
		unsigned same_vmid = 0;

		for (u64 left = used_; left; left &= left - 1) {
			const u64 other = key_[lowest_bit(left)];

			if (other == key)
				return none;
			same_vmid += !((other ^ key) & vmid_mask);
		}
		if (!~used_ || same_vmid >= share)
			return none;
		const unsigned n = lowest_bit(~used_);
		used_ |= u64{1} << n;
		key_[n] = key;
		return n;
	}

	ALWAYS_INLINE void acknowledge(unsigned n)
	{
		if (n < entries)
			used_ &= ~(u64{1} << n);
	}

private:
	static constexpr unsigned whose_shift = 5;
	static constexpr u64 vmid_mask = ((u64{1} << 24) - 1) & ~u64{mmhub_space}; /* of either hub */

	u64 used_ = 0;
	u64 key_[entries] = {};
};

} // namespace silicon
