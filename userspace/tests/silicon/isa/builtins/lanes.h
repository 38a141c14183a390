/* SPDX-License-Identifier: MIT */
/*
 * lanes.h - what lanes of a wave and work-items of a group learn from each other: the device compiles the second column, the host the
 * last one, all lanes active. Groups are of 64.
 *
 * B(name, on the GPU, on the host): X and Y are an item's own values; at(i) is lane i's X in the item's wave, lane its number there, width
 * the lanes of a wave; item(i) the X of an item of the group, local the number there. Vega ISA 4.7.3 (DPP), 11.4 (LDS), RDNA 2 ISA
 * 6.7.
 */
#define DPP(control, bound)	(uint)__builtin_amdgcn_update_dpp((int)Y, (int)X, control, 15, 15, bound)

#define LANES_ALL(B) \
	B(bpermute,		(uint)__builtin_amdgcn_ds_bpermute((int)(Y & 255), (int)X),		at((Y & 255) / 4 % width)) \
	B(permute,		(uint)__builtin_amdgcn_ds_permute((int)(get_local_id(0) ^ 21) * 4, (int)X), at(lane ^ 21)) \
	B(swizzle_xor,		(uint)__builtin_amdgcn_ds_swizzle((int)X, 0x541f),			at(lane ^ 21)) \
	B(swizzle_and_or,	(uint)__builtin_amdgcn_ds_swizzle((int)X, 0x00b8),			at((lane & 56) | 5)) \
	B(swizzle_quad,		(uint)__builtin_amdgcn_ds_swizzle((int)X, 0x8039),			at((lane & ~3u) | (lane + 1 & 3))) \
	B(quad_perm,		DPP(0x1b, false),							at(lane ^ 3)) \
	B(row_shl,		DPP(0x103, false),							lane % 16 + 3 < 16 ? at(lane + 3) : Y) \
	B(row_shl_bound,	DPP(0x103, true),							lane % 16 + 3 < 16 ? at(lane + 3) : 0) \
	B(row_shr,		DPP(0x115, false),							lane % 16 >= 5 ? at(lane - 5) : Y) \
	B(row_ror,		DPP(0x127, false),							at((lane & ~15u) | (lane + 9 & 15))) \
	B(row_mirror,		DPP(0x140, false),							at(lane ^ 15)) \
	B(row_half_mirror,	DPP(0x141, false),							at(lane ^ 7)) \
	B(row_mask,		(uint)__builtin_amdgcn_update_dpp((int)Y, (int)X, 0x1b, 5, 15, false),	lane / 16 % 2 ? Y : at(lane ^ 3)) \
	B(bank_mask,		(uint)__builtin_amdgcn_update_dpp((int)Y, (int)X, 0x1b, 15, 6, false),	(6 >> lane / 4 % 4 & 1) ? at(lane ^ 3) : Y) \
	B(readlane,		(uint)__builtin_amdgcn_readlane((int)X, 29),				at(29)) \
	B(readfirstlane,	(uint)__builtin_amdgcn_readfirstlane((int)X),				at(0)) \
	B(mbcnt,		__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)),	lane) \
	B(sub_group_reduce_add,	sub_group_reduce_add(X),			fold(width, 0u, sum)) \
	B(sub_group_reduce_min,	(uint)sub_group_reduce_min((int)X),		fold(width, 0x7fffffffu, least)) \
	B(sub_group_scan,	sub_group_scan_inclusive_add(X),		fold(lane + 1, 0u, sum)) \
	B(sub_group_before,	sub_group_scan_exclusive_add(X),		fold(lane, 0u, sum)) \
	B(sub_group_scan_max,	sub_group_scan_inclusive_max(X),		fold(lane + 1, 0u, greatest)) \
	B(sub_group_broadcast,	sub_group_broadcast(X, 11),			at(11)) \
	B(sub_group_any,	sub_group_any(X == Y) != 0,			any()) \
	B(work_group_reduce,	work_group_reduce_add(X),			fold_items(64, 0u, sum)) \
	B(work_group_scan,	work_group_scan_inclusive_add(X),		fold_items(local + 1, 0u, sum)) \
	B(work_group_before,	work_group_scan_exclusive_max(X),		fold_items(local, 0u, greatest)) \
	B(work_group_broadcast,	work_group_broadcast(X, 43),			item(43)) \
	B(lds_reverse,		lds_reverse(X),					item(63 - local)) \
	B(lds_atomic_add,	lds_atomic(X, 0),				fold_items(64, 0u, sum)) \
	B(lds_atomic_max,	lds_atomic(X, 1),				fold_items(64, 0u, greatest)) \
	B(lds_atomic_xor,	lds_atomic(X, 2),				fold_items(64, 0u, differ)) \
	B(lds_atomic_inc,	lds_atomic(X, 3),				64 % 24)

/* Chips before GFX10. */
#define LANES_GCN(B) \
	B(wave_shl,		DPP(0x130, false),			lane < 63 ? at(lane + 1) : Y) \
	B(wave_rol,		DPP(0x134, false),			at((lane + 1) % 64)) \
	B(wave_shr,		DPP(0x138, false),			lane ? at(lane - 1) : Y) \
	B(wave_ror,		DPP(0x13c, false),			at((lane + 63) % 64)) \
	B(row_bcast15,		(uint)__builtin_amdgcn_update_dpp((int)Y, (int)X, 0x142, 10, 15, false), lane & 16 ? at(lane / 16 * 16 - 1) : Y) \
	B(row_bcast31,		(uint)__builtin_amdgcn_update_dpp((int)Y, (int)X, 0x143, 12, 15, false), lane < 32 ? Y : at(31))

#define LANES_GFX10(B) \
	B(row_share,		DPP(0x156, false),			at((lane & ~15u) | 6)) \
	B(row_xmask,		DPP(0x165, false),			at(lane ^ 5)) \
	B(permlane16,		__builtin_amdgcn_permlane16(Y, X, 0x76543210u, 0x01234567u, false, false), \
				at((lane & ~15u) | (lane & 8 ? 15 - (lane & 15) : lane & 7))) \
	B(permlanex16,		__builtin_amdgcn_permlanex16(Y, X, 0x76543210u, 0xfedcba98u, false, false), at(lane ^ 16))
