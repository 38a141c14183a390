// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What a GPU node can do, in bits
 *
 * "capability" and "debug_prop" of a node's properties (Linux: kfd_topology.c: kfd_topology_add_device, uapi/linux/kfd_sysfs.h).
 */
#include "kfd_capability.h"

#define CAP_WATCH_POINTS_SUPPORTED	BIT(7)
#define CAP_WATCH_POINTS_TOTALBITS(n)	((u32)(n) << 8)
#define CAP_DOORBELL_TYPE(n)		((u32)(n) << 12)
#define CAP_AQL_QUEUE_DOUBLE_MAP	BIT(14)
#define CAP_DEBUG			BIT(15)
#define CAP_DEBUG_LAUNCH_OVERRIDE	BIT(16)
#define CAP_DEBUG_LAUNCH_MODE		BIT(17)
#define CAP_DEBUG_PRECISE_MEMORY	BIT(18)
#define CAP_MEM_EDC_SUPPORTED		BIT(20)
#define CAP_RAS_EVENT_NOTIFY		BIT(21)
#define CAP_ASIC_REVISION(n)		((u32)((n) & 0xf) << 22)
#define CAP_SRAM_EDC_SUPPORTED		BIT(26)
#define CAP_SVM_API_SUPPORTED		BIT(27)
#define CAP_COHERENT_HOST_ACCESS	BIT(28)
#define CAP_DEBUG_FIRMWARE		BIT(29)
#define CAP_DEBUG_PRECISE_ALU		BIT(30)
#define CAP_PER_QUEUE_RESET		((u32)BIT(31))

#define CAP2_DEBUG_LDS_RANGE		((u32)BIT(1))

#define DEBUG_WATCH_MASK_LOW(n)		((u32)(n))
#define DEBUG_WATCH_MASK_HIGH(n)	((u32)(n) << 4)
#define DEBUG_DISPATCH_INFO_VALID	BIT(10)

#define WATCH_POINTS_LOG2		2

static u32 common(const struct kfdm_capability_inputs *in)
{
	u32 cap = CAP_WATCH_POINTS_SUPPORTED | CAP_WATCH_POINTS_TOTALBITS(WATCH_POINTS_LOG2) |
		  CAP_DOORBELL_TYPE(in->chip->doorbell_type) | CAP_ASIC_REVISION(in->asic_revision);

	if (in->chip->aql_double_map)
		cap |= CAP_AQL_QUEUE_DOUBLE_MAP;
	if (in->ras & KFDM_RAS_GRAPHICS)
		cap |= CAP_SRAM_EDC_SUPPORTED;
	if (in->ras & KFDM_RAS_UMC)
		cap |= CAP_MEM_EDC_SUPPORTED;
	if (in->ras && !in->chip->no_ras_events)
		cap |= CAP_RAS_EVENT_NOTIFY;
	return cap;
}

/**
 * kfdm_capability() - capability of a GPU node
 * @in: the node
 *
 * Pure.
 */
u32 kfdm_capability(const struct kfdm_capability_inputs *in)
{
	return common(in) | (in->svm && in->chip->svm ? CAP_SVM_API_SUPPORTED : 0);
}

/**
 * kfdm_capability_7_2() - the same in 7.2, without what belongs to debuggers
 * @in: the node
 *
 * Pure.
 */
u32 kfdm_capability_7_2(const struct kfdm_capability_inputs *in)
{
	u32 cap = common(in);

	if (in->svm)
		cap |= CAP_SVM_API_SUPPORTED;
	if (in->coherent_host)
		cap |= CAP_COHERENT_HOST_ACCESS;
	if (in->chip->resets_queues && (in->chip->vf_resets_queues || !in->virtual_function))
		cap |= CAP_PER_QUEUE_RESET;
	return cap;
}

/* Which firmware can report exceptions: kfd_topology_set_dbg_firmware_support() */
#define MES_VERSION(word)	((word) & 0xfff)
#define MES_API(word)		((word) >> 12 & 0xfff)
#define MES_REPORTS_FROM	64
#define MES_API_REPORTS_FROM	14
#define MES_DISPATCH_INFO_FROM	70

static bool firmware_reports(const struct kfdm_capability_inputs *in)
{
	if (in->chip->debug.by_mes_version)
		return MES_API(in->mes_version) >= MES_API_REPORTS_FROM && MES_VERSION(in->mes_version) >= MES_REPORTS_FROM;
	return kfdm_firmware_since(in->mec_fw, in->chip->debug.mec_fw);
}

/**
 * kfdm_debug_capability_7_2() - what a debugger finds in a GPU node's capability
 * @in: the node
 *
 * Pure.
 */
u32 kfdm_debug_capability_7_2(const struct kfdm_capability_inputs *in)
{
	u32 cap = CAP_DEBUG | CAP_DEBUG_LAUNCH_OVERRIDE | CAP_DEBUG_LAUNCH_MODE;

	if (!in->chip->debug.possible)
		return 0;
	if (in->chip->debug.precise_memory)
		cap |= CAP_DEBUG_PRECISE_MEMORY;
	if (in->chip->debug.precise_alu)
		cap |= CAP_DEBUG_PRECISE_ALU;
	return firmware_reports(in) ? cap | CAP_DEBUG_FIRMWARE : cap;
}

/**
 * kfdm_debug_capability2_7_2() - what a debugger finds in a GPU node's capability2
 * @in: the node
 *
 * Pure.
 */
u32 kfdm_debug_capability2_7_2(const struct kfdm_capability_inputs *in)
{
	return in->chip->debug.lds_range ? CAP2_DEBUG_LDS_RANGE : 0;
}

/**
 * kfdm_debug_prop_7_2() - debug_prop of a GPU node
 * @in: the node
 *
 * Pure.
 */
u32 kfdm_debug_prop_7_2(const struct kfdm_capability_inputs *in)
{
	const struct kfdm_debug_facts *debug = &in->chip->debug;
	const bool info_valid = !debug->no_dispatch_info &&
				(!debug->by_mes_version || MES_VERSION(in->mes_version) >= MES_DISPATCH_INFO_FROM);

	if (!debug->possible)
		return 0;
	return DEBUG_WATCH_MASK_LOW(debug->watch_mask_low) | DEBUG_WATCH_MASK_HIGH(debug->watch_mask_high) |
	       (info_valid ? DEBUG_DISPATCH_INFO_VALID : 0);
}
