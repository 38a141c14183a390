/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * AQL, the architected queueing language, and the structures around it, as byte offsets.
 *
 * Packets are 64 bytes; header word: type [7:0], barrier bit 8, acquire scope [10:9], release scope [12:11].
 * Offsets: HSA runtime specification 1.2 (packets, signals, queues), hsa/amd_hsa_queue.h, amd_hsa_signal.h,
 * amd_hsa_kernel_code.h and LLVM's AMDGPU usage document (kernel descriptor).
 */
#ifndef HW_AQL_H
#define HW_AQL_H

#include "hw_types.h"

#define AQL_PACKET_BYTES	64

enum aql_type {
	AQL_VENDOR_SPECIFIC	= 0,
	AQL_INVALID		= 1,
	AQL_KERNEL_DISPATCH	= 2,
	AQL_BARRIER_AND		= 3,
	AQL_AGENT_DISPATCH	= 4,
	AQL_BARRIER_OR		= 5,
};

#define AQL_TYPE(header)	((u32)(header) & 0xFF)
#define AQL_BARRIER(header)	((u32)(header) >> 8 & 1)
#define AQL_ACQUIRE(header)	((u32)(header) >> 9 & 3)
#define AQL_RELEASE(header)	((u32)(header) >> 11 & 3)
#define AQL_HEADER(type, barrier, acquire, release) \
	((u16)((type) | (barrier) << 8 | (acquire) << 9 | (release) << 11))
#define AQL_SCOPE_NONE		0
#define AQL_SCOPE_AGENT		1
#define AQL_SCOPE_SYSTEM	2

/* KERNEL_DISPATCH */
#define AQL_DISPATCH_SETUP		0x02	/* u16: dimensions [1:0] */
#define AQL_DISPATCH_DIMENSIONS(word0)	((word0) >> 16 & 3)
#define AQL_DISPATCH_WORKGROUP_X	0x04	/* u16 x 3 */
#define AQL_DISPATCH_GRID_X		0x0C	/* u32 x 3 */
#define AQL_DISPATCH_PRIVATE_SIZE	0x18
#define AQL_DISPATCH_GROUP_SIZE		0x1C
#define AQL_DISPATCH_KERNEL_OBJECT	0x20
#define AQL_DISPATCH_KERNARG		0x28
#define AQL_COMPLETION_SIGNAL		0x38	/* in every packet type */

/* BARRIER_AND, BARRIER_OR */
#define AQL_BARRIER_DEP_SIGNAL0		0x08	/* u64 x 5 */
#define AQL_BARRIER_DEPS		5

/* VENDOR_SPECIFIC: AmdFormat in byte 2 */
#define AQL_VENDOR_FORMAT		0x02
#define AQL_VENDOR_FORMAT_PM4_IB	1
#define AQL_VENDOR_FORMAT_BARRIER_VALUE	2
#define AQL_PM4_IB_COMMAND		0x04	/* 4 dwords: INDIRECT_BUFFER packet */
#define AQL_PM4_IB_REMAINING		0x14	/* dwords that remain: 10 */
#define AQL_BARRIER_VALUE_SIGNAL	0x08
#define AQL_BARRIER_VALUE_VALUE		0x10
#define AQL_BARRIER_VALUE_MASK		0x18
#define AQL_BARRIER_VALUE_COND		0x20	/* u32: 0 EQ, 1 NE, 2 LT, 3 GTE */

/* amd_queue_t; the queue's rptr address is that of read_dispatch_id, 0x80 into it */
#define AMD_QUEUE_BASE			0x08
#define AMD_QUEUE_SIZE			0x18
#define AMD_QUEUE_WRITE_DISPATCH_ID	0x38
#define AMD_QUEUE_GROUP_APERTURE_HI	0x40
#define AMD_QUEUE_PRIVATE_APERTURE_HI	0x44
#define AMD_QUEUE_MAX_CU_ID		0x48
#define AMD_QUEUE_MAX_WAVE_ID		0x4C
#define AMD_QUEUE_MAX_LEGACY_DOORBELL	0x50
#define AMD_QUEUE_READ_DISPATCH_ID	0x80
#define AMD_QUEUE_READ_DISPATCH_ID_OFFSET 0x88	/* u32: offset of read_dispatch_id from amd_queue_t */
#define AMD_QUEUE_TMPRING_SIZE		0x8C
#define AMD_QUEUE_SCRATCH_SRD		0x90	/* u32 x 4 */
#define AMD_QUEUE_SCRATCH_BACKING	0xA0
#define AMD_QUEUE_SCRATCH_BYTES		0xA8
#define AMD_QUEUE_SCRATCH_WAVE64_LANE_BYTES 0xB0
#define AMD_QUEUE_PROPERTIES		0xB4
#define AMD_QUEUE_INACTIVE_SIGNAL	0xC0
#define AMD_QUEUE_BYTES			0x100
#define AMD_QUEUE_PROPERTY_PTR64	(1u << 1)
#define AMD_QUEUE_PROPERTY_PROFILING	(1u << 3)
#define AMD_QUEUE_PROPERTY_USE_SCRATCH_ONCE (1u << 4)

/* What the command processor sets in queue_inactive_signal.value (ROCr, HSA_AMD_... error codes in amd_aql_queue.cpp) */
#define AMD_QUEUE_EVENT_WAVE32		0x400u		/* with the next one: for waves of 32 lanes */
#define AMD_QUEUE_EVENT_SCRATCH		0x1u		/* more scratch wanted: wait for 0, go on */
#define AMD_QUEUE_ERROR_DIMENSIONS	0x2u
#define AMD_QUEUE_ERROR_GROUP_MEMORY	0x4u
#define AMD_QUEUE_ERROR_CODE		0x8u
#define AMD_QUEUE_ERROR_PACKET_FORMAT	0x20u
#define AMD_QUEUE_ERROR_WORKGROUP_SIZE	0x40u
#define AMD_QUEUE_ERROR_REGISTERS	0x80u
#define AMD_QUEUE_ERROR_VENDOR_PACKET	0x100u
#define AMD_QUEUE_ERROR_APERTURE	0x20000000u
#define AMD_QUEUE_ERROR_ILLEGAL_INSTRUCTION 0x40000000u
#define AMD_QUEUE_ERROR_TRAP		0x80000000u

/* amd_signal_t */
#define AMD_SIGNAL_KIND			0x00
#define AMD_SIGNAL_VALUE		0x08
#define AMD_SIGNAL_EVENT_MAILBOX	0x10
#define AMD_SIGNAL_EVENT_ID		0x18
#define AMD_SIGNAL_START_TS		0x20
#define AMD_SIGNAL_END_TS		0x28
#define AMD_SIGNAL_QUEUE		0x30
#define AMD_SIGNAL_BYTES		0x40
#define AMD_SIGNAL_KIND_USER		1
#define AMD_SIGNAL_KIND_DOORBELL	(-1)

/* Kernel descriptor, code object V3 and later, 64 bytes, 64-byte aligned */
#define KD_GROUP_SEGMENT_SIZE		0x00
#define KD_PRIVATE_SEGMENT_SIZE		0x04
#define KD_KERNARG_SIZE			0x08
#define KD_CODE_ENTRY_OFFSET		0x10	/* s64, from the descriptor's start */
#define KD_RSRC3			0x2C
#define KD_RSRC1			0x30
#define KD_RSRC2			0x34
#define KD_CODE_PROPERTIES		0x38	/* u16 */
#define KD_BYTES			0x40
/* kernel_code_properties, in the order in which user SGPRs are filled */
#define KD_ENABLE_PRIVATE_SEGMENT_BUFFER (1u << 0)	/* 4 SGPRs */
#define KD_ENABLE_DISPATCH_PTR		(1u << 1)	/* 2 */
#define KD_ENABLE_QUEUE_PTR		(1u << 2)	/* 2 */
#define KD_ENABLE_KERNARG_SEGMENT_PTR	(1u << 3)	/* 2 */
#define KD_ENABLE_DISPATCH_ID		(1u << 4)	/* 2 */
#define KD_ENABLE_FLAT_SCRATCH_INIT	(1u << 5)	/* 2 */
#define KD_ENABLE_PRIVATE_SEGMENT_SIZE	(1u << 6)	/* 1 */
#define KD_ENABLE_WAVEFRONT_SIZE32	(1u << 10)

/* amd_kernel_code_t, code object V2 (ROCr's own blit shaders): 256 bytes; told apart by its version words */
#define AKC_VERSION_MAJOR		0x00	/* u32: 1 */
#define AKC_VERSION_MINOR		0x04
#define AKC_MACHINE_KIND		0x08	/* u16: 1 AMDGPU */
#define AKC_CODE_ENTRY_OFFSET		0x10	/* s64 */
#define AKC_RSRC1			0x30
#define AKC_RSRC2			0x34
#define AKC_CODE_PROPERTIES		0x38	/* u32: same bits [6:0] as the descriptor; grid workgroup counts [9:7] */
#define AKC_PRIVATE_SEGMENT_SIZE	0x3C
#define AKC_GROUP_SEGMENT_SIZE		0x40
#define AKC_BYTES			0x100

/* COMPUTE_PGM_RSRC2 */
#define RSRC2_SCRATCH_EN		(1u << 0)
#define RSRC2_USER_SGPR(v)		((u32)(v) >> 1 & 0x1F)
#define RSRC2_TRAP_PRESENT		(1u << 6)
#define RSRC2_TGID_X_EN			(1u << 7)
#define RSRC2_TGID_Y_EN			(1u << 8)
#define RSRC2_TGID_Z_EN			(1u << 9)
#define RSRC2_TG_SIZE_EN		(1u << 10)
#define RSRC2_TIDIG_COMP_CNT(v)		((u32)(v) >> 11 & 3)
#define RSRC2_LDS_SIZE(v)		((u32)(v) >> 15 & 0x1FF)	/* units of 128 dwords */

#endif
