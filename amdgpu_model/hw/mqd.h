/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue descriptors and scheduler packets as arrays of dwords, made from the row files.
 *
 * MQD_V9_name and MQD_SDMA_V9_name are dword indices: mqd[MQD_V9_cp_hqd_pq_base_lo]. Packet fields are read and
 * written by name: PM4_GET(packet, map_queues, mqd_addr_lo), PM4_PUT(packet, map_queues, queue_type, 0), where packet
 * points at the header dword.
 */
#ifndef HW_MQD_H
#define HW_MQD_H

#include "hw_types.h"

#define MQD_V9_DWORDS		512
#define MQD_SDMA_V9_DWORDS	128
#define MQD_V9_HQD_FIRST	128	/* dwords 128..183 are CP_MQD_BASE_ADDR..CP_HQD_PQ_WPTR_HI */
#define MQD_V9_HQD_COUNT	56

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

enum pm4_v9_field {
#define PM4_FIELD(packet, dword, lsb, width, name) \
	PM4_##packet##__##name##__DWORD = dword, \
	PM4_##packet##__##name##__SHIFT = lsb, \
	PM4_##packet##__##name##__WIDTH = width,
#include "pm4_v9.def"
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
