// SPDX-License-Identifier: MIT
/* tlb.cc - misses and flushes; hits are in tlb.h. */
#include "tlb.h"

namespace silicon {

Mem Tlb::miss(unsigned vmid, u64 va, Access access, u8 **host)
{
	TlbEntry &e = entries_[index(vmid, va)];
	TlbEntry found;

	if (frozen_)
		return Mem::Need;
	misses_++;
	const Mem answer = walker_->walk(vmid, va, access, &found);
	if (answer != Mem::Ok)
		return answer;
	e = found;
	e.tag = tag(vmid, va);
	*host = e.host + (va & page_mask);
	return Mem::Ok;
}

void Tlb::flush_all()
{
	for (TlbEntry &e : entries_)
		e.tag = 0;
}

void Tlb::flush_vmid(unsigned vmid)
{
	for (TlbEntry &e : entries_)
		if ((e.tag & 0xff) == (vmid << 1 | 1))
			e.tag = 0;
}

} // namespace silicon
