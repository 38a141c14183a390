// SPDX-License-Identifier: MIT
/*
 * kernel.hpp - two small gfx906 kernels, as llvm-mc assembles them, with the kernel descriptors around them.
 *
 * Both take one pointer in their kernel arguments and use workgroups of 64 work-items.
 */
#pragma once

#include "silicon_host/driver.hpp"

namespace silicon_host {

/* out[i] = i
 *   s_load_dwordx2 s[4:5], s[0:1], 0x0	; v_lshlrev_b32 v1, 2, v0	; s_lshl_b32 s6, s2, 8
 *   s_waitcnt lgkmcnt(0)		; v_add_u32 v1, s6, v1		; v_lshrrev_b32 v3, 2, v1
 *   global_store_dword v1, v3, s[4:5]	; s_waitcnt vmcnt(0)		; s_endpgm */
inline const std::vector<std::uint32_t> index_kernel = {0xc0060100, 0x00000000, 0x24020082, 0x8e068802, 0xbf8cc07f, 0x68020206,
							0x20060282, 0xdc708000, 0x00040301, 0xbf8c0f70, 0xbf810000};

/* while (*flag == 0);
 *   s_load_dwordx2 s[4:5], s[0:1], 0x0	; v_mov_b32 v4, 0 ; v_mov_b32 v1, 0 ; s_lshl_b32 s6, s2, 2 ; s_waitcnt lgkmcnt(0)
 *   loop: s_load_dword s8, s[4:5], 0x0 glc ; v_add_u32 v4, 1, v4 ; s_waitcnt lgkmcnt(0) ; s_cmp_eq_u32 s8, 0
 *   s_cbranch_scc1 loop ; s_endpgm */
inline const std::vector<std::uint32_t> spin_kernel = {0xc0060100, 0x00000000, 0x7e080280, 0x7e020280, 0x8e068202, 0xbf8cc07f, 0xc0030202,
						       0x00000000, 0x68080881, 0xbf8cc07f, 0xbf068008, 0xbf85fff9, 0xbf810000};

/** The same with s_sleep 127 in the loop, 8,128 cycles: for tests in which much time passes. */
inline const std::vector<std::uint32_t> sleeping_kernel = {0xc0060100, 0x00000000, 0x7e080280, 0x7e020280, 0x8e068202,
							   0xbf8cc07f, 0xc0030202, 0x00000000, 0x68080881, 0xbf8cc07f,
							   0xbf8e007f, 0xbf068008, 0xbf85fff8, 0xbf810000};

/** Descriptor at the start, code 256 bytes further. */
inline Process::Buffer make_kernel(Process &process, const std::vector<std::uint32_t> &code)
{
	Process::Buffer b = process.alloc(page_bytes);

	b.at<std::int64_t>(KD_CODE_ENTRY_OFFSET) = 256;
	b.at<std::uint32_t>(KD_RSRC1) = 1 | 1 << 6 | 0xc0 << 12;  /* 8 VGPRs, 16 SGPRs */
	b.at<std::uint32_t>(KD_RSRC2) = 2 << 1 | RSRC2_TGID_X_EN; /* kernarg pointer, workgroup id x */
	b.at<std::uint16_t>(KD_CODE_PROPERTIES) = KD_ENABLE_KERNARG_SEGMENT_PTR;
	std::memcpy(b.host() + 256, code.data(), code.size() * 4);
	return b;
}

inline Process::Buffer make_kernarg(Process &process, std::uint64_t pointer)
{
	Process::Buffer b = process.alloc(page_bytes);

	b.at<std::uint64_t>(0) = pointer;
	return b;
}

} // namespace silicon_host
