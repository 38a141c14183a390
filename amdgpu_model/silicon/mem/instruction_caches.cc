// SPDX-License-Identifier: MIT
/* instruction_caches.cc - see instruction_caches.h. */
#include "instruction_caches.h"

namespace silicon {

u64 InstructionCaches::arrival(unsigned cache, u32 tag, u64 line) const
{
	const Cache &c = cache_[cache % count];
	const unsigned set = line % sets;

	for (unsigned way = 0; way < ways; way++)
		if (c.tag[set][way] == tag && c.arrives[set][way] > since_)
			return c.arrives[set][way];
	return never;
}

void InstructionCaches::enter(unsigned cache, u32 tag, u64 line, u64 arrives)
{
	Cache &c = cache_[cache % count];
	const unsigned set = line % sets;

	for (unsigned way = 0; way < ways; way++)
		if (c.arrives[set][way] <= since_) {
			c.tag[set][way] = tag;
			c.arrives[set][way] = arrives;
			return;
		}
}

} // namespace silicon
