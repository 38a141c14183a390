// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What KFD makes of a chip
 *
 * May KFD run on it, and with how many SDMA queues (Linux: kfd_device.c: kgd2kfd_probe, kfd_device_info_init).
 */
#include "kfd_abi.h"

#define SDMA_VERSION(major, minor, revision) ((major) << 16 | (minor) << 8 | (revision))

/*
 * An SDMA version whose engines have fewer queues than the usual eight, or queues that amdgpu keeps: each engine's, and in 6.1 all
 * together. 6.1 takes versions that it does not know for usual ones.
 */
struct sdma_row {
	u32 version;
	u32 queues, reserved;
	u32 reserved_in_all;
};

static const struct sdma_row sdma_rows[] = {
	{ SDMA_VERSION(4, 0, 0), 2, 0, 0 },
	{ SDMA_VERSION(4, 0, 1), 2, 0, 0 },
	{ SDMA_VERSION(4, 1, 0), 2, 0, 0 },
	{ SDMA_VERSION(4, 1, 1), 2, 0, 0 },
	{ SDMA_VERSION(4, 1, 2), 2, 0, 0 },
	{ SDMA_VERSION(5, 2, 1), 2, 0, 0 },
	{ SDMA_VERSION(5, 2, 3), 2, 0, 0 },
	{ SDMA_VERSION(5, 2, 6), 2, 0, 0 },
	{ SDMA_VERSION(5, 2, 7), 2, 0, 0 },
	/* One queue of each engine for paging, one for graphics; the first has two engines, the second one. */
	{ SDMA_VERSION(6, 0, 0), 8, 2, 4 },
	{ SDMA_VERSION(6, 0, 1), 8, 2, 2 },
	{ SDMA_VERSION(6, 0, 2), 8, 2, 4 },
	{ SDMA_VERSION(6, 0, 3), 8, 2, 4 },
	{ SDMA_VERSION(6, 1, 0), 8, 2, 0 },
	{ SDMA_VERSION(6, 1, 1), 8, 2, 0 },
	{ SDMA_VERSION(6, 1, 2), 8, 2, 0 },
	{ SDMA_VERSION(6, 1, 3), 8, 2, 0 },
	{ SDMA_VERSION(6, 1, 4), 8, 2, 0 },
	{ SDMA_VERSION(6, 4, 0), 8, 2, 0 },
	{ SDMA_VERSION(7, 0, 0), 8, 2, 0 },
	{ SDMA_VERSION(7, 0, 1), 8, 2, 0 },
	{ SDMA_VERSION(7, 1, 0), 8, 2, 0 },
};

#define SDMA_ENGINES_WITH_XGMI	2	/* engines for all traffic on a chip with XGMI links */

static struct sdma_row sdma_of(const struct kfdm_chip *chip, u32 version)
{
	size_t i;

	if (chip->sdma_queues)
		return (struct sdma_row){ .queues = chip->sdma_queues };
	for (i = 0; i < ARRAY_SIZE(sdma_rows); i++)
		if (sdma_rows[i].version == version)
			return sdma_rows[i];
	return (struct sdma_row){ .queues = 8 };
}

static bool is_supported(const struct kfdm_chip *chip, const struct kfdm_probe *probe)
{
	if (!chip || (chip->experimental && !probe->exp_hw_support))
		return false;
	return chip->virtual_function || !probe->virtual_function;
}

/**
 * kfdm_chip_flushes_after_unmap() - are TLBs flushed when memory is unmapped?
 * @chip:    row
 * @sdma_fw: version of its SDMA firmware
 *
 * Chips whose firmware could hang over a heavyweight flush do without: entries stay until the next one (kfd_flush_tlb_after_unmap). Pure.
 */
bool kfdm_chip_flushes_after_unmap(const struct kfdm_chip *chip, u32 sdma_fw)
{
	return kfdm_firmware_since(sdma_fw, chip->flush_unmap_sdma_fw);
}

/**
 * kfdm_device_info_fill() - probe a device
 * @abi:   driver
 * @probe: what there is
 * @info:  out
 *
 * Pure. Return: false: KFD does not run on it.
 */
bool kfdm_device_info_fill(const struct kfdm_abi *abi, const struct kfdm_probe *probe, struct kfdm_device_info *info)
{
	const struct kfdm_chip *chip = kfdm_chip_find(abi, probe->name, probe->gc_version);
	const u32 engines = probe->sdma_engines / max(probe->partitions, 1u);
	struct sdma_row sdma;

	if (!is_supported(chip, probe))
		return false;
	sdma = sdma_of(chip, probe->sdma_version);
	*info = (struct kfdm_device_info){
		.chip = chip,
		.needs_atomics = chip->needs_atomics && (chip->vf_needs_atomics || !probe->virtual_function),
		.no_atomics_fw = chip->atomics_fw_is_rs64 && !probe->rs64 ? 0 : chip->no_atomics_fw,
		.sdma_queues_per_engine = sdma.queues,
		.reserved_sdma_queues_per_engine = abi->sdma_reserved || sdma.reserved_in_all ? sdma.reserved : 0,
		.reserved_sdma_queues = sdma.reserved_in_all,
		.sdma_engines = engines,
	};
	if (probe->xgmi_supported)
		info->sdma_engines = min(engines, (u32)SDMA_ENGINES_WITH_XGMI);
	info->xgmi_sdma_engines = engines - info->sdma_engines;
	if (abi->sdma_reserved) {
		info->reserved_sdma_queues = abi->sdma_reserved(info->sdma_engines, sdma.reserved);
		info->reserved_xgmi_sdma_queues = abi->sdma_reserved(info->xgmi_sdma_engines, sdma.reserved);
	}
	return true;
}
