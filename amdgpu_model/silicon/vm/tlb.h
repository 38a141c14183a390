// SPDX-License-Identifier: MIT
/*
 * tlb.h - what every block of the chip sees of memory.
 *
 * A client (CU, packet processor, SDMA) asks the TLB for the host address behind (VMID, virtual address). A hit costs a
 * few instructions; a miss goes to the PageWalker, which reads the page tables out of VRAM and asks the memory ports for
 * the page. Entries live until the next flush (INVALIDATE registers, TLB flush packets) or until the host's pages go.
 *
 * Nothing may keep a host pointer beyond the current slice.
 */
#pragma once

#include "../base/types.h"

namespace silicon {

enum class Access : u8 { Read = 1, Write = 2, Execute = 4 };

/** Answer to an access. Need: undo what the instruction has done and try again after this slice. */
enum class Mem : u8 { Ok, Need, Fault };

constexpr u64 page_bytes = 4096;
constexpr u64 page_mask = page_bytes - 1;

struct TlbEntry {
	u64 tag = 0;	    /* (va >> 12) << 8 | vmid << 1 | 1; 0: empty */
	u8 *host = nullptr; /* first byte of the 4 KiB page */
	u8 allowed = 0;	    /* Access bits; Write only once the page has been asked for writing */
};

/** Fills *entry for the page of va, or says why not. Implemented by Gpuvm, and by tests. */
class PageWalker {
public:
	virtual Mem walk(unsigned vmid, u64 va, Access access, TlbEntry *entry) = 0;

protected:
	~PageWalker() = default;
};

class Tlb {
public:
	void connect(PageWalker *walker) { walker_ = walker; }

	/** Host address of the byte at va; the bytes up to the end of its page may be used within this slice. */
	Mem translate(unsigned vmid, u64 va, Access access, u8 **host)
	{
		TlbEntry &e = entries_[index(vmid, va)];
		if (__builtin_expect(e.tag == tag(vmid, va) && (e.allowed & static_cast<u8>(access)), 1)) {
			*host = e.host + (va & page_mask);
			return Mem::Ok;
		}
		return miss(vmid, va, access, host);
	}

	void flush_all();
	void flush_vmid(unsigned vmid);
	u64 misses() const { return misses_; }

private:
	static constexpr unsigned sets = 1024;
	static u64 tag(unsigned vmid, u64 va) { return (va >> 12) << 8 | vmid << 1 | 1; }
	static unsigned index(unsigned vmid, u64 va) { return ((va >> 12) ^ (va >> 22) ^ vmid * 37) & (sets - 1); }
	Mem miss(unsigned vmid, u64 va, Access access, u8 **host);

	PageWalker *walker_ = nullptr;
	u64 misses_ = 0;
	TlbEntry entries_[sets];
};

} // namespace silicon
