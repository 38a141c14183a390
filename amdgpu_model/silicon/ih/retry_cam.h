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

	/** Number of a new entry; none: the page has one, or there is no room: nobody is interrupted. */
	ALWAYS_INLINE unsigned enter(unsigned space, u64 page)
	{
		const u64 key = page << 8 | space;
		unsigned same_vmid = 0;

		for (u64 left = used_; left; left &= left - 1) {
			const u64 other = key_[lowest_bit(left)];

			if (other == key)
				return none;
			same_vmid += !((other ^ key) & (mmhub_space - 1));
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
	u64 used_ = 0;
	u64 key_[entries] = {};
};

} // namespace silicon
