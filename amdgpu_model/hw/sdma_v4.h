/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SDMA 4 packets. Header: opcode [7:0], sub-opcode [15:8]; the rest by packet, dword by dword below.
 * SDMA 2 and 3 speak the same, but their counts are exact, not one less, and their ring pointers have 32 bits and wrap.
 * A dword of zero is a one-dword NOP. Ring pointers are byte counts of 64 bits that never wrap.
 * Numbers: Linux 6.1 vega10_sdma_pkt_open.h.
 */
#ifndef HW_SDMA_V4_H
#define HW_SDMA_V4_H

#include "hw_types.h"

enum sdma_opcode {
	SDMA_OP_NOP		= 0,	/* count [29:16]: body dwords to skip */
	SDMA_OP_COPY		= 1,
	SDMA_OP_WRITE		= 2,	/* 1,2 destination; 3 count [19:0] = dwords - 1; data */
	SDMA_OP_INDIRECT	= 4,	/* vmid [19:16]; 1,2 base (32-byte aligned); 3 size in dwords [19:0]; 4,5 CSA */
	SDMA_OP_FENCE		= 5,	/* 1,2 address; 3 data */
	SDMA_OP_TRAP		= 6,	/* 1 context id [27:0] */
	SDMA_OP_SEM		= 7,
	SDMA_OP_POLL_REGMEM	= 8,	/* hdp_flush [26], func [30:28], mem [31]; 1,2 address; 3 reference; 4 mask; 5 interval, retries */
	SDMA_OP_COND_EXE	= 9,	/* 1,2 address; 3 reference; 4 dwords to execute [13:0] if equal */
	SDMA_OP_ATOMIC		= 10,	/* loop [16], op [31:25]; 1,2 address; 3,4 source; 5,6 compare; 7 interval [12:0] */
	SDMA_OP_CONST_FILL	= 11,	/* fill size [31:30]; 1,2 destination; 3 value; 4 count [21:0] = bytes - 1 (by fill size) */
	SDMA_OP_PTEPDE		= 12,	/* 1,2 destination; 3,4 mask = flags; 5,6 value; 7,8 increment; 9 count [18:0] = entries - 1 */
	SDMA_OP_TIMESTAMP	= 13,	/* sub 0 set, 1 get local, 2 get global; 1,2 address */
	SDMA_OP_SRBM_WRITE	= 14,	/* byte enables [31:28]; 1 register [17:0]; 2 data */
	SDMA_OP_PRE_EXE		= 15,
	SDMA_OP_DUMMY_TRAP	= 16,
	SDMA_OP_GCR		= 17,	/* SDMA 5 and later */
};

#define SDMA_OPCODE(header)		((u32)(header) & 0xFF)
#define SDMA_SUBOP(header)		((u32)(header) >> 8 & 0xFF)
#define SDMA_HEADER(op, sub)		((u32)(op) | (u32)(sub) << 8)

/*
 * COPY linear: 1 count [21:0] = bytes - 1; 2 parameters; 3,4 source; 5,6 destination; broadcast [27] of the header: 7,8 second destination
 */
#define SDMA_SUBOP_COPY_LINEAR		0
#define SDMA_COPY_LINEAR_DWORDS		7
#define SDMA_COPY_BROADCAST(header)	((u32)(header) >> 27 & 1)
#define SDMA_COPY_COUNT(dw)		((u32)(dw) & 0x3FFFFF)
#define SDMA_COPY_MAX_BYTES		0x400000

/*
 * COPY linear sub-window: a box of elements. 1,2 source, then 3 x [13:0], y [29:16]; 4 z [10:0], pitch - 1 (SDMA 4: [31:13], before:
 * [31:16]); 5 slice pitch - 1 [27:0]; 6 to 10 the same of the destination; 11 width - 1 [13:0], height - 1 [29:16]; 12 depth - 1 [10:0].
 * All in elements of 1 << header [31:29] bytes.
 */
#define SDMA_SUBOP_COPY_LINEAR_SUB_WIND	4
#define SDMA_COPY_SUB_WIND_DWORDS	13
#define SDMA_SUB_WIND_ELEMENT(header)	((u32)(header) >> 29)
#define SDMA_SUB_WIND_X(dw)		((u32)(dw) & 0x3FFF)
#define SDMA_SUB_WIND_Y(dw)		((u32)(dw) >> 16 & 0x3FFF)
#define SDMA_SUB_WIND_Z(dw)		((u32)(dw) & 0x7FF)
#define SDMA_SUB_WIND_SLICE(dw)		((u32)(dw) & 0xFFFFFFF)

#define SDMA_NOP_COUNT(header)		((u32)(header) >> 16 & 0x3FFF)
#define SDMA_WRITE_COUNT(dw)		((u32)(dw) & 0xFFFFF)
#define SDMA_FILL_SIZE(header)		((u32)(header) >> 30)	/* 0 byte, 1 half, 2 dword */
#define SDMA_INDIRECT_VMID(header)	((u32)(header) >> 16 & 0xF)
#define SDMA_POLL_HDP_FLUSH(header)	((u32)(header) >> 26 & 1)
#define SDMA_POLL_FUNC(header)		((u32)(header) >> 28 & 7)	/* as enum pm4_compare */
#define SDMA_POLL_MEM(header)		((u32)(header) >> 31)
#define SDMA_ATOMIC_LOOP(header)	((u32)(header) >> 16 & 1)
#define SDMA_ATOMIC_OP(header)		((u32)(header) >> 25 & 0x7F)

#define SDMA_SUBOP_TIMESTAMP_SET	0
#define SDMA_SUBOP_TIMESTAMP_GET	1
#define SDMA_SUBOP_TIMESTAMP_GET_GLOBAL	2

#define SDMA_SUBOP_POLL_REG_WRITE_MEM	1
#define SDMA_SUBOP_PTEPDE_GEN		0
#define SDMA_SUBOP_PTEPDE_COPY		1
#define SDMA_SUBOP_PTEPDE_RMW		2

/* TC atomic opcodes that ATOMIC and PM4's ATOMIC_MEM share; _RTN forms return the old value */
enum tc_atomic {
	TC_ATOMIC_SWAP_RTN_32	= 0x07,
	TC_ATOMIC_CMPSWAP_RTN_32 = 0x08,
	TC_ATOMIC_ADD_RTN_32	= 0x0F,
	TC_ATOMIC_SUB_RTN_32	= 0x10,
	TC_ATOMIC_SMIN_RTN_32	= 0x11,
	TC_ATOMIC_UMIN_RTN_32	= 0x12,
	TC_ATOMIC_SMAX_RTN_32	= 0x13,
	TC_ATOMIC_UMAX_RTN_32	= 0x14,
	TC_ATOMIC_AND_RTN_32	= 0x15,
	TC_ATOMIC_OR_RTN_32	= 0x16,
	TC_ATOMIC_XOR_RTN_32	= 0x17,
	TC_ATOMIC_INC_RTN_32	= 0x18,
	TC_ATOMIC_DEC_RTN_32	= 0x19,
	TC_ATOMIC_64_BIT	= 0x20,	/* added to the 32-bit opcode */
	TC_ATOMIC_ADD_RTN_64	= 0x2F,
	TC_ATOMIC_NO_RETURN	= 0x40,	/* added: no old value */
};

#endif
