/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Interrupt ring entries of SOC15: 32-byte cookies of 8 dwords.
 * Numbers: Linux 6.1 soc15_ih_clientid.h, ivsrcid/, amdgpu_ih.c; see also amdkfd's kfd_int_process_v9.c.
 */
#ifndef HW_IH_V9_H
#define HW_IH_V9_H

#include "dies.h"

#define IH_COOKIE_BYTES		32
#define IH_COOKIE_DWORDS	8

/* GFX7 and GFX8: dword 0 source [7:0]; 1 data [27:0]; 2 ring id [7:0], VMID [15:8], PASID [31:16]; 3 timestamp [27:0] */
#define IH_OLD_BYTES		16

/*
 * dword 0: client [7:0], source [15:8], ring id [23:16], VMID [27:24], VMID type [31] (1: MMHUB); 1,2 timestamp (48 bits), its
 * source [31] of 2; 3: PASID [15:0], node id [23:16], PASID source [31]; 4..7: context id 0..3
 */
#define IH_CLIENT(dw0)		((u32)(dw0) & 0xFF)
#define IH_SOURCE(dw0)		((u32)(dw0) >> 8 & 0xFF)
#define IH_RING_ID(dw0)		((u32)(dw0) >> 16 & 0xFF)
#define IH_VMID(dw0)		((u32)(dw0) >> 24 & 0xF)
#define IH_VMID_TYPE(dw0)	((u32)(dw0) >> 31)
#define IH_PASID(dw3)		((u32)(dw3) & 0xFFFF)
#define IH_NODE(dw3)		((u32)(dw3) >> 16 & 0xFF)

/* Node ids of GC 9.4.3: interposer die (AID) k is 4k, its compute dies are 4k + 1 and 4k + 2. */
#define IH_NODES_OF_AID		4
#define IH_NODE_OF_AID(aid)	((aid) * IH_NODES_OF_AID)
#define IH_NODE_OF_XCC(xcc)	(IH_NODE_OF_AID((xcc) / HW_XCCS_OF_AID) + (xcc) % HW_XCCS_OF_AID + 1)
/* The compute die; of an interposer die the first one on it */
#define IH_XCC_OF_NODE(node)	((node) / IH_NODES_OF_AID * HW_XCCS_OF_AID + ((node) % IH_NODES_OF_AID > 1))

enum ih_client {
	IH_CLIENT_IH		= 0x00,
	IH_CLIENT_SDMA2		= 0x01,
	IH_CLIENT_ATHUB		= 0x02,
	IH_CLIENT_SDMA3		= 0x04,
	IH_CLIENT_SDMA4		= 0x05,
	IH_CLIENT_SDMA0		= 0x08,
	IH_CLIENT_SDMA1		= 0x09,
	IH_CLIENT_SE0SH		= 0x0A,	/* SE n: + n */
	IH_CLIENT_SDMA5		= 0x11,
	IH_CLIENT_VMC		= 0x12,	/* MMHUB */
	IH_CLIENT_SDMA6		= 0x13,
	IH_CLIENT_GRBM_CP	= 0x14,
	IH_CLIENT_SDMA7		= 0x18,
	IH_CLIENT_UTCL2		= 0x1B,	/* GFXHUB */
};

enum ih_source {
	IH_SOURCE_VM_FAULT	= 0,	/* clients VMC, UTCL2 */
	IH_SOURCE_OLD_PAGE_FAULT = 146,	/* GFX7, GFX8: no page, no permission */
	IH_SOURCE_OLD_PROT_FAULT = 147,
	IH_SOURCE_CP_EOP	= 181,
	IH_SOURCE_CP_BAD_OPCODE	= 183,
	IH_SOURCE_CP_PRIV_REG	= 184,
	IH_SOURCE_CP_PRIV_INSTR	= 185,
	IH_SOURCE_SDMA_ECC	= 220,
	IH_SOURCE_SDMA_TRAP	= 224,
	IH_SOURCE_SDMA_VM_HOLE	= 244,
	IH_SOURCE_SQ_MSG	= 239,
	IH_SOURCE_SDMA_ILLEGAL_INST = 241,	/* GFX7, GFX8 */
};

/* ring id of the CP: pipe [1:0], me [3:2], queue [6:4] */
#define IH_CP_RING_ID(me, pipe, queue) ((u32)(pipe) | (u32)(me) << 2 | (u32)(queue) << 4)

/*
 * VM fault: context id 0 = page address [43:12], 1: [3:0] page address [47:44], write [5], retry [7]; 2: of a retry fault, the entry of the
 * retry CAM [9:0] (gmc_v9_0.c). Ring id as amdkfd decodes it:
 */
#define IH_FAULT_RING_PROT_VALID	0x08
#define IH_FAULT_RING_READ		0x10
#define IH_FAULT_RING_WRITE		0x20
#define IH_FAULT_RING_EXECUTE		0x40
#define IH_FAULT_DATA1_WRITE		0x20
#define IH_FAULT_DATA1_RETRY		0x80
#define IH_FAULT_CAM_INDEX(data2)	((u32)(data2) & 0x3FF)
#define IH_RETRY_CAM_ENTRIES		64	/* of the model; how many real ones have is not published */

/* SQ: encoding in context id 0 [27:26]: 0 auto, 1 instruction (s_sendmsg), 2 error */
#define IH_SQ_ENCODING(c0)	((u32)(c0) >> 26 & 3)
#define IH_SQ_ENCODING_INST	1
#define IH_SQ_ENCODING_ERROR	2
#define IH_SQ_ERR_ILLEGAL_INST	1
#define IH_SQ_ERR_MEMVIOL	2

#endif
