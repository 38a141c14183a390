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

/* A firmware version that none has reached */
#define KFDM_NO_FIRMWARE	(~0u)

/**
 * struct kfdm_debug_facts - what a debugger finds (Linux 7.2: kfd_topology.c, kfd_debug.h)
 * @possible:        one can attach
 * @by_vmid:         each VMID has its own SPI_GDBG_PER_VMID_CNTL (kfd_dbg_is_per_vmid_supported())
 * @precise_memory:  memory exceptions can be reported at the instruction that caused them
 * @precise_alu:     exceptions of ALU instructions, too
 * @lds_range:       accesses beyond the LDS, too
 * @by_mes_version:  the version of the MES decides what is reported
 * @no_dispatch_info: a dispatch's packet and queue are not kept for it
 * @mec_fw:          first MEC firmware that reports exceptions; 0: all do
 * @watch_mask_low, @watch_mask_high: lowest and highest bit of an address that a watch point can leave out
 */
struct kfdm_debug_facts {
	bool possible;
	bool by_vmid;
	bool precise_memory;
	bool precise_alu;
	bool lds_range;
	bool by_mes_version;
	bool no_dispatch_info;
	u32 mec_fw;
	u8 watch_mask_low, watch_mask_high;
};

/* Do waves wait for memory that is not there yet (XNACK; kfd_process_xnack_mode())? */
enum kfdm_retry {
	KFDM_RETRY_BY_SETTING,		/* unless amdgpu was told not to */
	KFDM_RETRY_ANYWAY,		/* no shared virtual memory: its faults are no matter of XNACK */
	KFDM_RETRY_NEVER,		/* waves cannot be preempted in the middle of a page fault */
};

/**
 * struct kfdm_chip - all that differs between generations and chips
 * @name:          of the ASIC, as in sysfs: the row's key before GFX9
 * @gc_version:    IP version of the graphics block: the row's key from GFX9 on, 0 before
 * @gfx_target_version: as in sysfs
 * @kgd:           amdgpu's set of register functions (amdgpu_amdkfd_*.c)
 * @virtual_function: KFD runs on a virtual function too
 * @experimental:  only with amdgpu's exp_hw_support
 * @doorbell_size: bytes of a doorbell and of the kernel queue's pointers; with 4 these count within the ring
 * @doorbell_type: capability bits 13:12
 * @doorbell_is_queue_id: a queue's doorbell in its process's slice has the number of the queue, and CREATE_QUEUE does not tell it
 * @aql_double_map: user space maps AQL rings twice in a row, as packets cannot wrap
 * @trap_handler:  waves can be saved and restored; NULL: they cannot
 * @no_hws:        queues are always scheduled by the driver
 * @driver_flushes_tc: the CP lets a queue go without flushing the texture cache: the driver does, with a packet
 * @no_atomic_requests: its atomics do not leave it
 * @mes:           queues are scheduled by the MES
 * @needs_iommu:   an APU that needs the IOMMU
 * @hiq_by_kiq:    the KIQ maps the HIQ; otherwise the driver loads it into its slot
 * @eop_by_queue:  a queue has an end-of-pipe ring; otherwise a pipe has one
 * @trap_handler_by_vmid: a VMID has its trap handler's address; otherwise a queue has
 * @sdma_queues:   of an SDMA engine; 0: by the SDMA version
 * @cus_per_wgp:   CUs that a mask enables together
 * @waits_by_iq_timer: 7.2 sets how long the CP waits before it takes a queue off (CP_IQ_WAIT_TIME2)
 * @svm:           memory can migrate
 * @retry:         do waves wait for memory?
 * @resets_queues: a queue can be reset alone
 * @vf_resets_queues: a virtual function says so, too
 * @flush_unmap_sdma_fw: first SDMA firmware with which TLBs are flushed when memory is unmapped; 0: always
 * @eop_id_mec_fw: first MEC firmware that always puts the event's id into end-of-pipe interrupts; 0: all do
 * @no_ras_events: errors of the memory are not told to listeners
 * @xgmi_incoherent: caches of GPUs are not coherent over XGMI
 * @xgmi_mbs:      Mbyte/s of a link; 0: nobody tells, as clocks vary (amdgpu_amdkfd_get_xgmi_bandwidth_mbytes())
 * @needs_atomics: PCIe atomics are needed, unless the MEC firmware is as new as
 * @vf_needs_atomics: a virtual function, too
 * @no_atomics_fw: this; 0: always
 * @atomics_fw_is_rs64: that holds for RS64 firmware only
 * @gws_always:    any firmware can schedule GWS
 * @gws_entries:   as many as there are where amdgpu says that there are any; 0: as it says
 * @gws_mec2_fw, @gws_mes: first MEC2 firmware, first MES firmware that can schedule GWS; 0: none can
 * @mode2_pmfw:    first firmware of the power management that can reset the graphics part alone after poison; 0: all can
 * @sdma_doorbell_align: an SDMA engine's first doorbell is a multiple of this, whatever amdgpu says; 0: it is what amdgpu says
 * @dies_share_vmids: two compute dies that are partitions have half of the VMIDs each
 * @process_queues: that the scheduling firmware takes of a process; 0: as many as most do
 * @waves_of_apu_wait: an APU gives waves little time before they are saved (7.2: CP_IQ_WAIT_TIME2.SCH_WAVE)
 * @faults_lack_owner: interrupt entries of VM faults tell neither VMID nor PASID
 * @debug:         debugger
 * @mqd:           descriptors, by enum kfdm_mqd_type
 * @packets, @asic, @interrupts: ops
 * @caches:        what shaders see; NULL: told by the chip's configuration, which @configured_caches understands
 * @mall_is_divided: the memory's parts (NPS) have their parts of the last cache
 * @pool_by_v9:    the driver makes the pool of its objects as large as with GFX9's MAP_PROCESS, though the chip's is longer
 * @cpu_in_package: XGMI to the CPU, where there is one, stays in the package
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
	bool doorbell_is_queue_id;
	bool aql_double_map;
	const struct kfdm_trap_handler *trap_handler;
	bool no_hws;
	bool driver_flushes_tc;
	bool no_atomic_requests;
	bool mes;
	bool needs_iommu;
	bool hiq_by_kiq;
	bool eop_by_queue;
	bool trap_handler_by_vmid;
	u8 sdma_queues;
	u8 cus_per_wgp;
	bool waits_by_iq_timer;
	bool svm;
	enum kfdm_retry retry;
	bool resets_queues, vf_resets_queues;
	u32 flush_unmap_sdma_fw;
	u32 eop_id_mec_fw;
	bool no_ras_events;
	bool xgmi_incoherent;
	u32 xgmi_mbs;
	bool needs_atomics, vf_needs_atomics;
	u32 no_atomics_fw;
	bool atomics_fw_is_rs64;
	bool gws_always;
	u32 gws_entries;
	u32 gws_mec2_fw;
	u32 gws_mes;
	u32 mode2_pmfw;
	u8 sdma_doorbell_align;
	bool dies_share_vmids;
	u8 process_queues;
	bool waves_of_apu_wait;
	bool faults_lack_owner;
	struct kfdm_debug_facts debug;
	const struct kfdm_mqd_ops *mqd;
	const struct kfdm_packet_ops *packets;
	const struct kfdm_asic_ops *asic;
	const struct kfdm_interrupt_ops *interrupts;
	const struct kfdm_cache_list *caches;
	kfdm_configured_caches *configured_caches;
	bool mall_is_divided;
	bool pool_by_v9;
	bool cpu_in_package;
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
 * @partitions:       that share them; 0 is one
 * @xgmi_supported:   it has XGMI links
 * @rs64:             the MEC firmware is for its RS64 cores
 */
struct kfdm_probe {
	const char *name;
	u32 gc_version, sdma_version;
	bool virtual_function, exp_hw_support;
	u32 sdma_engines, partitions;
	bool xgmi_supported;
	bool rs64;
};

/**
 * struct kfdm_device_info - what follows for the device (kfd_device_info)
 * @chip:          row
 * @needs_atomics, @no_atomics_fw: PCIe atomics are needed; with firmware as new as this they are not, 0: always
 * @sdma_queues_per_engine: for user queues and reserved ones
 * @reserved_sdma_queues_per_engine, @reserved_sdma_queues, @reserved_xgmi_sdma_queues: taken by amdgpu: of each
 *   engine; so many of the first ids
 * @sdma_engines, @xgmi_sdma_engines: for all traffic, for XGMI
 */
struct kfdm_device_info {
	const struct kfdm_chip *chip;
	bool needs_atomics;
	u32 no_atomics_fw;
	u32 sdma_queues_per_engine;
	u32 reserved_sdma_queues_per_engine;
	u32 reserved_sdma_queues, reserved_xgmi_sdma_queues;
	u32 sdma_engines, xgmi_sdma_engines;
};

bool kfdm_chip_flushes_after_unmap(const struct kfdm_chip *chip, u32 sdma_fw);
bool kfdm_device_info_fill(const struct kfdm_abi *abi, const struct kfdm_probe *probe, struct kfdm_device_info *info);

/** kfdm_firmware_since() - is the firmware as new as the first one that can do something? */
static inline bool kfdm_firmware_since(u32 version, u32 first)
{
	return first != KFDM_NO_FIRMWARE && version >= first;
}

#endif
