/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue descriptors and scheduler packets as arrays of dwords, made from the row files.
 *
 * MQD_V9_name and MQD_SDMA_V9_name are dword indices: mqd[MQD_V9_cp_hqd_pq_base_lo]; likewise CIK, VI, V10, V11 and V12. Packet
 * fields are read and written by name: PM4_GET(packet, map_queues, mqd_addr_lo), PM4_PUT(packet, map_queues, queue_type, 0),
 * where packet points at the header dword. Packets without suffix are GFX9's; those of GFX7 and GFX8 end in _vi, and
 * map_process_aldebaran is GFX 9.4.2's.
 */
#ifndef HW_MQD_H
#define HW_MQD_H

#include "hw_types.h"

#define MQD_CIK_DWORDS		128
#define MQD_VI_DWORDS		512
#define MQD_V9_DWORDS		512
#define MQD_V10_DWORDS		512
#define MQD_V11_DWORDS		512
#define MQD_SDMA_CIK_DWORDS	128
#define MQD_SDMA_VI_DWORDS	128
#define MQD_SDMA_V9_DWORDS	128
#define MQD_SDMA_V10_DWORDS	130
#define MQD_SDMA_V11_DWORDS	128
#define MQD_SDMA_V12_DWORDS	128

/* A run of MQD dwords is the queue's registers: CP_MQD_BASE_ADDR up to ... */
#define MQD_CIK_HQD_FIRST	51	/* ... CP_MQD_CONTROL */
#define MQD_CIK_HQD_COUNT	35
#define MQD_VI_HQD_FIRST	128	/* ... CP_HQD_EOP_DONES */
#define MQD_VI_HQD_COUNT	54
#define MQD_V9_HQD_FIRST	128	/* ... CP_HQD_PQ_WPTR_HI; GFX10 and GFX11 the same */
#define MQD_V9_HQD_COUNT	56

enum mqd_cik {
#define MQD_FIELD(index, name) MQD_CIK_##name = index,
#include "mqd_cik.def"
#undef MQD_FIELD
};

enum mqd_sdma_cik {
#define MQD_FIELD(index, name) MQD_SDMA_CIK_##name = index,
#include "mqd_sdma_cik.def"
#undef MQD_FIELD
};

enum mqd_vi {
#define MQD_FIELD(index, name) MQD_VI_##name = index,
#include "mqd_vi.def"
#undef MQD_FIELD
};

enum mqd_sdma_vi {
#define MQD_FIELD(index, name) MQD_SDMA_VI_##name = index,
#include "mqd_sdma_vi.def"
#undef MQD_FIELD
};

enum mqd_v9 {
#define MQD_FIELD(index, name) MQD_V9_##name = index,
#include "mqd_v9.def"
#undef MQD_FIELD
};

enum mqd_sdma_v9 {
#define MQD_FIELD(index, name) MQD_SDMA_V9_##name = index,
#include "mqd_sdma_v9.def"
#undef MQD_FIELD
};

enum mqd_v10 {
#define MQD_FIELD(index, name) MQD_V10_##name = index,
#include "mqd_v10.def"
#undef MQD_FIELD
};

enum mqd_sdma_v10 {
#define MQD_FIELD(index, name) MQD_SDMA_V10_##name = index,
#include "mqd_sdma_v10.def"
#undef MQD_FIELD
};

enum mqd_v11 {
#define MQD_FIELD(index, name) MQD_V11_##name = index,
#include "mqd_v11.def"
#undef MQD_FIELD
};

enum mqd_sdma_v11 {
#define MQD_FIELD(index, name) MQD_SDMA_V11_##name = index,
#include "mqd_sdma_v11.def"
#undef MQD_FIELD
};

enum mqd_sdma_v12 {
#define MQD_FIELD(index, name) MQD_SDMA_V12_##name = index,
#include "mqd_sdma_v12.def"
#undef MQD_FIELD
};

enum pm4_field {
#define PM4_FIELD(packet, dword, lsb, width, name) \
	PM4_##packet##__##name##__DWORD = dword, \
	PM4_##packet##__##name##__SHIFT = lsb, \
	PM4_##packet##__##name##__WIDTH = width,
#include "pm4_vi.def"
#include "pm4_v9.def"
#include "pm4_aldebaran.def"
#undef PM4_FIELD
};

#define PM4_FIELD_MASK(packet, name) ((u32)((((u64)1) << PM4_##packet##__##name##__WIDTH) - 1))
#define PM4_GET(words, packet, name) \
	((u32)((words)[PM4_##packet##__##name##__DWORD] >> PM4_##packet##__##name##__SHIFT) & PM4_FIELD_MASK(packet, name))
#define PM4_PUT(words, packet, name, value) \
	((words)[PM4_##packet##__##name##__DWORD] = \
		 ((words)[PM4_##packet##__##name##__DWORD] & \
		  ~(PM4_FIELD_MASK(packet, name) << PM4_##packet##__##name##__SHIFT)) | \
		 (((u32)(value) & PM4_FIELD_MASK(packet, name)) << PM4_##packet##__##name##__SHIFT))

#endif
