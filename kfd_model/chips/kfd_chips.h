/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_CHIPS_H
#define KFD_CHIPS_H

#include "kfd_asic.h"
#include "kfd_caches.h"
#include "kfd_model/base/kfd_layout.h"
#include "kfd_model/ih/kfd_interrupt_class.h"
#include "kfd_model/mqd/kfd_mqd.h"
#include "kfd_model/packets/kfd_packets.h"

/**
 * struct kfdm_trap_handler - the trap handler that saves and restores waves
 * @name, @bytes: of the one that Linux 6.1 loads. The model's silicon saves waves itself; the handler's place stays empty.
 */
struct kfdm_trap_handler {
	const char *name;
	u32 bytes;
};

/**
 * struct kfdm_chip - all that differs between generations and chips
 * @name:          of the ASIC, as in sysfs: the row's key before GFX9
 * @gc_version:    IP version of the graphics block: the row's key from GFX9 on, 0 before
 * @gfx_target_version: as in sysfs
 * @kgd:           amdgpu's set of register functions (amdgpu_amdkfd_*.c)
 * @virtual_function: KFD runs on a virtual function too
 * @experimental:  only with amdgpu's exp_hw_support
 * @doorbell_size: bytes
 * @doorbell_type: capability bits 13:12
 * @aql_double_map: user space maps AQL rings twice in a row, as packets cannot wrap
 * @trap_handler:  waves can be saved and restored; NULL: they cannot
 * @no_hws:        queues are always scheduled by the driver
 * @driver_flushes_tc: the CP lets a queue go without flushing the texture cache: the driver does, with a packet
 * @no_atomic_requests: its atomics do not leave it
 * @mes:           queues are scheduled by the MES
 * @needs_iommu:   an APU that needs the IOMMU
 * @needs_atomics: PCIe atomics are needed, unless the MEC firmware is as new as
 * @no_atomics_fw: this; 0: always
 * @atomics_fw_is_rs64: that holds for RS64 firmware only
 * @gws_mec2_fw, @gws_mes: first MEC2 firmware, first MES firmware that can schedule GWS; 0: none can
 * @faults_lack_owner: interrupt entries of VM faults tell neither VMID nor PASID
 * @mqd:           descriptors, by enum kfdm_mqd_type
 * @packets, @asic, @interrupts: ops
 * @caches:        what shaders see; NULL: told by the chip's configuration
 */
struct kfdm_chip {
	const char *name;
	u32 gc_version;
	u32 gfx_target_version;
	const char *kgd;
	bool virtual_function;
	bool experimental;
	u32 doorbell_size;
	u32 doorbell_type;
	bool aql_double_map;
	const struct kfdm_trap_handler *trap_handler;
	bool no_hws;
	bool driver_flushes_tc;
	bool no_atomic_requests;
	bool mes;
	bool needs_iommu;
	bool needs_atomics;
	u32 no_atomics_fw;
	bool atomics_fw_is_rs64;
	u32 gws_mec2_fw;
	u32 gws_mes;
	bool faults_lack_owner;
	const struct kfdm_mqd_ops *mqd;
	const struct kfdm_packet_ops *packets;
	const struct kfdm_asic_ops *asic;
	const struct kfdm_interrupt_ops *interrupts;
	const struct kfdm_cache_list *caches;
};

#define KFDM_MAX_HQD		24	/* max_no_of_hqd */
#define KFDM_WATCH_POINTS	4
#define KFDM_PASID_BITS		16
#define KFDM_MQD_SIZE_ALIGNED	768

enum { DOORBELL_PRE_1_0, DOORBELL_1_0, DOORBELL_2_0 };

struct kfdm_abi;

const struct kfdm_chip *kfdm_chip_find(const struct kfdm_abi *abi, const char *name, u32 gc_version);

/**
 * struct kfdm_probe - what amdgpu finds, before KFD looks at it
 * @name, @gc_version, @sdma_version: ASIC
 * @virtual_function: the driver runs on a virtual function
 * @exp_hw_support:   experimental hardware is asked for
 * @sdma_engines:     of the chip
 * @xgmi_supported:   it has XGMI links
 * @rs64:             the MEC firmware is for its RS64 cores
 */
struct kfdm_probe {
	const char *name;
	u32 gc_version, sdma_version;
	bool virtual_function, exp_hw_support;
	u32 sdma_engines;
	bool xgmi_supported;
	bool rs64;
};

/**
 * struct kfdm_device_info - what follows for the device (kfd_device_info)
 * @chip:          row
 * @needs_atomics, @no_atomics_fw: PCIe atomics are needed; with firmware as new as this they are not, 0: always
 * @sdma_queues_per_engine: for user queues and reserved ones
 * @reserved_sdma_queues_per_engine, @reserved_sdma_queues, @reserved_xgmi_sdma_queues: taken by amdgpu; bitmaps over sdma ids
 * @sdma_engines, @xgmi_sdma_engines: for all traffic, for XGMI
 */
struct kfdm_device_info {
	const struct kfdm_chip *chip;
	bool needs_atomics;
	u32 no_atomics_fw;
	u32 sdma_queues_per_engine;
	u32 reserved_sdma_queues_per_engine;
	u64 reserved_sdma_queues, reserved_xgmi_sdma_queues;
	u32 sdma_engines, xgmi_sdma_engines;
};

bool kfdm_chip_flushes_after_unmap(u32 gc_version, u32 sdma_fw);
bool kfdm_device_info_fill(const struct kfdm_abi *abi, const struct kfdm_probe *probe, struct kfdm_device_info *info);

static inline bool kfdm_chip_is_soc15(const struct kfdm_chip *chip)
{
	return chip->gc_version != 0;
}

#endif
