/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * PM4, the packet language of the command processors, as GFX9's compute engines speak it.
 *
 * A type-3 packet is a header and COUNT + 1 body dwords. Scheduler packets (0xA0..0xA5) have their fields in pm4_v9.def;
 * the fields here belong to the packets that user queues and kernel rings carry.
 * Numbers: Linux 6.1 soc15d.h, kfd_pm4_opcodes.h; RELEASE_MEM, COPY_DATA and ATOMIC_MEM fields: Mesa's sid.h and the
 * packet tables in amdkfd's headers.
 */
#ifndef HW_PM4_H
#define HW_PM4_H

#include "hw_types.h"

enum pm4_opcode {
	PM4_NOP			= 0x10,
	PM4_SET_BASE		= 0x11,
	PM4_CLEAR_STATE		= 0x12,
	PM4_DISPATCH_DIRECT	= 0x15,
	PM4_DISPATCH_INDIRECT	= 0x16,
	PM4_ATOMIC_MEM		= 0x1E,
	PM4_COND_EXEC		= 0x22,
	PM4_DRAW_INDEX_AUTO	= 0x2D,
	PM4_CONTEXT_CONTROL	= 0x28,
	PM4_INDIRECT_BUFFER_CONST = 0x33,	/* of the constant engine */
	PM4_WRITE_DATA		= 0x37,
	PM4_MEM_SEMAPHORE	= 0x39,
	PM4_WAIT_REG_MEM	= 0x3C,
	PM4_INDIRECT_BUFFER	= 0x3F,
	PM4_COPY_DATA		= 0x40,
	PM4_PFP_SYNC_ME		= 0x42,
	PM4_EVENT_WRITE		= 0x46,
	PM4_EVENT_WRITE_EOP	= 0x47,
	PM4_RELEASE_MEM		= 0x49,
	PM4_PREAMBLE_CNTL	= 0x4A,
	PM4_DMA_DATA		= 0x50,
	PM4_ACQUIRE_MEM		= 0x58,
	PM4_REWIND		= 0x59,
	PM4_SET_CONFIG_REG	= 0x68,
	PM4_SET_CONTEXT_REG	= 0x69,
	PM4_SET_SH_REG		= 0x76,
	PM4_SET_SH_REG_OFFSET	= 0x77,
	PM4_SET_UCONFIG_REG	= 0x79,
	PM4_INCREMENT_CE_COUNTER = 0x84,
	PM4_INCREMENT_DE_COUNTER = 0x85,
	PM4_WAIT_ON_CE_COUNTER	= 0x86,
	PM4_WAIT_ON_DE_COUNTER_DIFF = 0x88,
	PM4_SET_CE_DE_COUNTERS	= 0x89,
	PM4_SWITCH_BUFFER	= 0x8B,
	PM4_FRAME_CONTROL	= 0x90,
	PM4_WAIT_REG_MEM64	= 0x93,
	PM4_SET_SH_REG_INDEX	= 0x9B,
	PM4_INVALIDATE_TLBS	= 0x98,
	PM4_SET_RESOURCES	= 0xA0,
	PM4_MAP_PROCESS		= 0xA1,
	PM4_MAP_QUEUES		= 0xA2,
	PM4_UNMAP_QUEUES	= 0xA3,
	PM4_QUERY_STATUS	= 0xA4,
	PM4_RUN_LIST		= 0xA5,
};

/* Header: type [31:30], count [29:16] = body dwords - 1, opcode [15:8], shader type [1], predicate [0] */
#define PM4_TYPE(header)	((u32)(header) >> 30)
#define PM4_COUNT(header)	((u32)(header) >> 16 & 0x3FFF)
#define PM4_OPCODE(header)	((u32)(header) >> 8 & 0xFF)
#define PM4_HEADER(opcode, count) (3u << 30 | ((u32)(count) & 0x3FFF) << 16 | (u32)(opcode) << 8)
#define PM4_TYPE2_FILLER	0x80000000u	/* one dword, does nothing */
#define PM4_NOP_FILLER		0xFFFF1000u	/* NOP with count 0x3FFF: one dword without body */
#define PM4_IS_NOP_FILLER(header) (((u32)(header) & ~3u) == PM4_NOP_FILLER) /* whatever its shader type is */

/* Whole packets in dwords */
#define PM4_SET_RESOURCES_DWORDS	8
#define PM4_MAP_PROCESS_DWORDS		16
#define PM4_MAP_PROCESS_ALDEBARAN_DWORDS 21
#define PM4_MAP_QUEUES_DWORDS		7
#define PM4_UNMAP_QUEUES_DWORDS		6
#define PM4_QUERY_STATUS_DWORDS		7
#define PM4_RUN_LIST_DWORDS		4
#define PM4_INVALIDATE_TLBS_DWORDS	2

/* SET_RESOURCES.queue_type */
#define PM4_RESOURCES_KIQ		0
#define PM4_RESOURCES_HIQ		1
#define PM4_RESOURCES_HSA_DEBUG		4

/* MAP_QUEUES, fields that only amdgpu's KIQ form has (dword 1) */
#define PM4_KIQ_MAP_VMID(dw)		((u32)(dw) >> 8 & 0xF)
#define PM4_KIQ_MAP_QUEUE(dw)		((u32)(dw) >> 13 & 0x7)
#define PM4_KIQ_MAP_PIPE(dw)		((u32)(dw) >> 16 & 0x3)
#define PM4_KIQ_MAP_ME(dw)		((u32)(dw) >> 18 & 0x1)	/* MEC1: 0 */
#define PM4_KIQ_MAP_QUEUES_CONTROL(vmid, me, pipe, queue, engine) \
	((u32)(vmid) << 8 | (u32)(queue) << 13 | (u32)(pipe) << 16 | (u32)(me) << 18 | (u32)(engine) << 26 | 1u << 29)
/* MAP_QUEUES.engine_sel */
#define PM4_ENGINE_COMPUTE		0
#define PM4_ENGINE_HIQ			1	/* KIQ form */
#define PM4_ENGINE_SDMA0		2
#define PM4_ENGINE_SDMA1		3
#define PM4_ENGINE_GFX			4
/* MAP_QUEUES.extended_engine_sel: engine_sel is an SDMA engine's number, which has three bits */
#define PM4_EXTENDED_SDMA0_TO_7		1
#define PM4_EXTENDED_SDMA8_TO_15	2
/* MAP_QUEUES.queue_sel */
#define PM4_QUEUE_SEL_SLOT		0
#define PM4_QUEUE_SEL_HWS		1
/* UNMAP_QUEUES.action, .queue_sel */
#define PM4_UNMAP_PREEMPT		0
#define PM4_UNMAP_RESET			1
#define PM4_UNMAP_DISABLE_PROCESS	2
#define PM4_UNMAP_PREEMPT_NO_UNMAP	3
#define PM4_UNMAP_BY_DOORBELL		0
#define PM4_UNMAP_BY_PASID		1
#define PM4_UNMAP_ALL			2
#define PM4_UNMAP_ALL_NON_STATIC	3
/* QUERY_STATUS.command */
#define PM4_QUERY_INTERRUPT_ONLY	0
#define PM4_QUERY_FENCE_IMMEDIATE	1
#define PM4_QUERY_FENCE_AFTER_ACK	2
#define PM4_QUERY_FENCE_ACK_INTERRUPT	3

/* INVALIDATE_TLBS dword 1: DST_SEL [3:0] (1: by PASID), ALL_HUB [4], PASID [20:5], FLUSH_TYPE [31:29] */
#define PM4_INVALIDATE_PASID(dw)	((u32)(dw) >> 5 & 0xFFFF)
#define PM4_INVALIDATE_TLBS_CONTROL(pasid, type) (1u | 1u << 4 | (u32)(pasid) << 5 | (u32)(type) << 29)

/* WRITE_DATA dword 1: DST_SEL [11:8], ADDR_INCR [16] (1: one address), WR_CONFIRM [20] */
#define PM4_WRITE_DATA_DST(dw)		((u32)(dw) >> 8 & 0xF)
#define PM4_WRITE_DATA_ONE_ADDR(dw)	((u32)(dw) >> 16 & 1)
#define PM4_DST_REGISTER		0
#define PM4_DST_MEMORY_SYNC		1
#define PM4_DST_L2			2
#define PM4_DST_GDS			3
#define PM4_DST_MEMORY			5

/* WAIT_REG_MEM dword 1: FUNCTION [2:0], MEM_SPACE [5:4], OPERATION [7:6], ENGINE [8]; 2,3 address, 4 reference, 5 mask, 6 interval */
#define PM4_WAIT_FUNCTION(dw)		((u32)(dw) & 7)
#define PM4_WAIT_MEMORY(dw)		((u32)(dw) >> 4 & 3)
#define PM4_WAIT_OPERATION(dw)		((u32)(dw) >> 6 & 3)	/* 1: write register A, wait on register B */
enum pm4_compare { PM4_ALWAYS, PM4_LESS, PM4_LESS_EQUAL, PM4_EQUAL, PM4_NOT_EQUAL, PM4_GREATER_EQUAL, PM4_GREATER };

/* INDIRECT_BUFFER: 1 address lo, 2 address hi, 3: size in dwords [19:0], CHAIN [20], VALID [23], VMID [27:24] (kernel rings only) */
#define PM4_IB_SIZE(dw)			((u32)(dw) & 0xFFFFF)
#define PM4_IB_CHAIN(dw)		((u32)(dw) >> 20 & 1)
#define PM4_IB_VALID			(1u << 23)
#define PM4_IB_VMID(dw)			((u32)(dw) >> 24 & 0xF)

/* COPY_DATA dword 1: SRC_SEL [3:0], DST_SEL [11:8], COUNT_SEL [16] (1: 64 bits), WR_CONFIRM [20]; 2,3 source; 4,5 destination */
#define PM4_COPY_SRC(dw)		((u32)(dw) & 0xF)
#define PM4_COPY_DST(dw)		((u32)(dw) >> 8 & 0xF)
#define PM4_COPY_64(dw)			((u32)(dw) >> 16 & 1)
enum pm4_copy { PM4_COPY_REGISTER = 0, PM4_COPY_MEMORY = 1, PM4_COPY_L2 = 2, PM4_COPY_IMMEDIATE = 5, PM4_COPY_DST_MEMORY = 5, PM4_COPY_GPU_CLOCK = 9 };

/*
 * ATOMIC_MEM dword 1: ATOMIC [6:0] (TC opcode), COMMAND [11:8] (1: loop until compare satisfied); 2,3 address; 4,5 data; 6,7 compare; 8
 * interval
 */
#define PM4_ATOMIC_OP(dw)		((u32)(dw) & 0x7F)
#define PM4_ATOMIC_LOOP(dw)		(((u32)(dw) >> 8 & 0xF) == 1)

/* RELEASE_MEM (8 dwords): 1 event; 2 DST_SEL [17:16], INT_SEL [26:24], DATA_SEL [31:29]; 3,4 address; 5,6 data; 7 interrupt context id */
#define PM4_RELEASE_MEM_DWORDS		8
#define PM4_RELEASE_INT_SEL(dw)		((u32)(dw) >> 24 & 7)
#define PM4_RELEASE_DATA_SEL(dw)	((u32)(dw) >> 29 & 7)
enum pm4_data_sel { PM4_DATA_NONE, PM4_DATA_32, PM4_DATA_64, PM4_DATA_GPU_CLOCK, PM4_DATA_SYSTEM_CLOCK };
enum pm4_int_sel { PM4_INT_NONE, PM4_INT_ONLY, PM4_INT_AFTER_WRITE, PM4_INT_WRITE_CONFIRM_NO_INT };
#define PM4_EVENT_CS_PARTIAL_FLUSH	0x07
#define PM4_EVENT_CACHE_FLUSH_AND_INV_TS 0x14
#define PM4_EVENT_BOTTOM_OF_PIPE_TS	0x28
#define PM4_EVENT_CS_DONE		0x2F
#define PM4_EVENT_TYPE(dw)		((u32)(dw) & 0x3F)

/* DMA_DATA (7 dwords): 1 DST_SEL [21:20], SRC_SEL [30:29], CP_SYNC [31]; 2,3 source or data; 4,5 destination; 6 bytes [25:0] */
#define PM4_DMA_DATA_DWORDS		7
#define PM4_DMA_DST(dw)			((u32)(dw) >> 20 & 3)
#define PM4_DMA_SRC(dw)			((u32)(dw) >> 29 & 3)
#define PM4_DMA_BYTES(dw)		((u32)(dw) & 0x3FFFFFF)
enum pm4_dma_sel { PM4_DMA_ADDRESS = 0, PM4_DMA_GDS = 1, PM4_DMA_DATA_VALUE = 2, PM4_DMA_L2 = 3 };

/*
 * EVENT_WRITE_EOP (6 dwords, graphics ring before GFX9): 1 event; 2 address lo; 3 address hi [15:0], INT_SEL [25:24], DATA_SEL [31:29]; 4,5
 * data
 */
#define PM4_EVENT_WRITE_EOP_DWORDS	6

/* SET_SH_REG and SET_UCONFIG_REG: dword 1 [15:0] register - start */
#define PM4_SH_REG_START		0x2C00
#define PM4_SH_REG_END			0x3000
#define PM4_UCONFIG_REG_START		0xC000
#define PM4_UCONFIG_REG_END		0xC400

/* DISPATCH_DIRECT dword 4, COMPUTE_DISPATCH_INITIATOR */
#define PM4_DISPATCH_COMPUTE_SHADER_EN	 (1u << 0)
#define PM4_DISPATCH_CS_W32_EN		 (1u << 15)	/* GFX10 */
#define PM4_DISPATCH_PARTIAL_TG_EN	 (1u << 1)
#define PM4_DISPATCH_FORCE_START_AT_000	 (1u << 2)
#define PM4_DISPATCH_USE_THREAD_DIMENSIONS (1u << 5)

/* MQD header dword of every generation since GFX7 */
#define MQD_HEADER			0xC0310800u

#endif
