// SPDX-License-Identifier: MIT
/* skeleton.cc - proves the C++ rule until the first real block of the silicon is here; then it goes. */
#include "types.h"

namespace silicon {

struct Probe {
	virtual u32 answer() const { return 42; }
};

u32 probe(const Probe &p) { return bits(p.answer(), 7, 0); }

} // namespace silicon

extern "C" u32 silicon_skeleton(void)
{
	silicon::Probe p;
	return silicon::probe(p);
}
