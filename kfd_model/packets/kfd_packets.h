/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_PACKETS_H
#define KFD_PACKETS_H

#include "kfd_model/queue/kfd_queue_properties.h"

/* KFD_UNMAP_QUEUES_FILTER_* */
enum kfdm_unmap_filter {
	KFDM_UNMAP_ALL = 1,
	KFDM_UNMAP_DYNAMIC,
	KFDM_UNMAP_BY_PASID,
};

/* Half of what is left of the preemption time-out after a reserve of a tenth (KFD_UNMAP_LATENCY_MS) */
static inline u32 kfdm_unmap_latency_ms(int queue_preemption_timeout_ms)
{
	return (u32)((queue_preemption_timeout_ms - queue_preemption_timeout_ms / 10) >> 1);
}

/** struct kfdm_resources - SET_RESOURCES: what the scheduling firmware may use */
struct kfdm_resources {
	u32 vmid_mask;
	u64 queue_mask, gws_mask;
	u32 oac_mask;
	u32 gds_heap_base, gds_heap_size;
	u32 unmap_latency_ms;
	bool xnack_chain;		/* shaders of processes with and without retry are kept apart */
};

/**
 * struct kfdm_debug_state - what a debugger has asked of a process on this device
 * @trap_enabled: it is debugged
 * @runtime_enabled: its runtime is ready for that
 * @single_memops: one memory operation at a time
 * @vmid:        the only one that the device can debug, 0: all
 * @spi_gdbg_per_vmid_cntl: register
 * @watch:       address watch registers
 */
struct kfdm_debug_state {
	bool trap_enabled, runtime_enabled, single_memops;
	u32 vmid;
	u32 spi_gdbg_per_vmid_cntl;
	u32 watch[4];
};

/** struct kfdm_map_process - MAP_PROCESS: a process on this device. The DQM's qpd embeds one. */
struct kfdm_map_process {
	u32 pasid;
	bool is_debug;
	u64 page_table_base;
	u32 sh_mem_config, sh_mem_bases;
	u32 sh_mem_ape1_base, sh_mem_ape1_limit;
	u32 vm_cntx_cntl;		/* for the MES, on GC 12.1 */
	u64 sh_hidden_private_base;
	u64 tba_addr, tma_addr;
	u64 gds_context_area;
	u32 gds_size, num_gws, num_oac;
	bool mapped_gws_queue;
	u32 queue_count;
	bool xnack;			/* faulting accesses are retried */
	bool exec_cleaner_shader;	/* before the next process runs */
	struct kfdm_debug_state debug;
};

/* What is done to CP_IQ_WAIT_TIME2 */
enum kfdm_dequeue_wait_cmd {
	KFDM_DEQUEUE_WAIT_INIT = 1,	/* reconnecting a queue does not wait long */
	KFDM_DEQUEUE_WAIT_RESET,
	KFDM_DEQUEUE_WAIT_SET_SCH_WAVE,	/* a debugger's grace period */
};

/**
 * struct kfdm_dequeue_wait - a new CP_IQ_WAIT_TIME2
 * @cmd:        what for
 * @value:      of SET_SCH_WAVE
 * @reg:        CP_IQ_WAIT_TIME2's number
 * @wait_times: what it had when the driver came
 * @short_waves: INIT: waves, too, get little time
 */
struct kfdm_dequeue_wait {
	enum kfdm_dequeue_wait_cmd cmd;
	u32 value, reg, wait_times;
	bool short_waves;
};

/** struct kfdm_map_queues - MAP_QUEUES: a queue of the process before it */
struct kfdm_map_queues {
	const struct kfdm_queue_properties *q;
	u64 mqd_addr;
	bool is_static;
};

/** struct kfdm_run_list - RUN_LIST: where the list is and how much of it runs at once */
struct kfdm_run_list {
	u64 ib_addr;
	u32 ib_dwords;
	bool chain;
	u32 concurrent_processes;
};

/**
 * struct kfdm_packet_ops - scheduler packets of a generation
 *
 * Builders clear and fill @packet (size in dwords below). Pure; callers hold the DQM lock. Errors: -EINVAL for what the
 * generation cannot express, -EFAULT for a run list at address 0 where that is checked.
 *
 * @map_process_dwords and the other *_dwords: packet sizes; 0: no such packet
 * @isolates:    a run list may say that processes do not share the device
 * @map_process: opens a process on the run list
 * @map_queues:  a queue of that process. @sdma_version decides about the extended engine select
 * @run_list:    starts the list (on the HIQ), or chains it to itself (at its end)
 * @set_resources: first packet on the HIQ
 * @unmap_queues: @param: the pasid, for KFDM_UNMAP_BY_PASID
 * @query_status: fence behind an unmap
 * @dequeue_wait: see struct kfdm_dequeue_wait; NULL: there is none, see also kfdm_dequeue_wait_dwords()
 * @release_mem: cache flush with a fence at @gpu_addr, for an indirect buffer; NULL where the driver never sends it
 */
struct kfdm_packet_ops {
	u32 map_process_dwords, map_queues_dwords, run_list_dwords, set_resources_dwords;
	u32 unmap_queues_dwords, query_status_dwords, dequeue_wait_dwords, release_mem_dwords;
	bool isolates;
	int (*map_process)(u32 *packet, const struct kfdm_map_process *process);
	int (*map_queues)(u32 *packet, const struct kfdm_map_queues *map, u32 sdma_version);
	int (*run_list)(u32 *packet, const struct kfdm_run_list *list);
	int (*set_resources)(u32 *packet, const struct kfdm_resources *resources);
	int (*unmap_queues)(u32 *packet, enum kfdm_unmap_filter filter, u32 param, bool reset, u32 sdma_version);
	int (*query_status)(u32 *packet, u64 fence_addr, u64 fence_value);
	int (*dequeue_wait)(u32 *packet, const struct kfdm_dequeue_wait *wait);
	int (*release_mem)(u32 *packet, u64 gpu_addr);
};

extern const struct kfdm_packet_ops kfdm_packets_vi;
extern const struct kfdm_packet_ops kfdm_packets_v9;
extern const struct kfdm_packet_ops kfdm_packets_aldebaran;

extern const struct kfdm_packet_ops kfdm_packets_vi_7_2;
extern const struct kfdm_packet_ops kfdm_packets_v9_7_2;
extern const struct kfdm_packet_ops kfdm_packets_aldebaran_7_2;

#define KFDM_PROCESS_QUANTUM	10	/* of a process on the run list */

void kfdm_packet_begin(u32 *packet, u32 opcode, u32 dwords);
int kfdm_packet_map_queues(u32 *packet, const struct kfdm_map_queues *map);
void kfdm_packet_set_resources(u32 *packet, const struct kfdm_resources *resources);
void kfdm_packet_run_list(u32 *packet, const struct kfdm_run_list *list);
int kfdm_unmap_queues(u32 *packet, enum kfdm_unmap_filter filter, u32 param, bool reset);
int kfdm_query_status(u32 *packet, u64 fence_addr, u64 fence_value);
u32 kfdm_dequeue_wait_dwords(const struct kfdm_packet_ops *ops, bool init_too, enum kfdm_dequeue_wait_cmd cmd);

/**
 * struct kfdm_run_list_load - what the scheduler has to run, and what the hardware can run at once
 * @processes, @active_queues, @active_cp_queues, @gws_queues: the scheduler's counters
 * @max_processes: per quantum (hws_max_conc_proc, VMIDs)
 * @cp_slots:      HQD slots of KFD
 * @xnack_conflict: the device cannot run all processes side by side, as some retry faulting accesses and some do not
 * @one_at_a_time: processes must not share the device
 */
struct kfdm_run_list_load {
	u32 processes, active_queues, active_cp_queues, gws_queues;
	u32 max_processes, cp_slots;
	bool xnack_conflict, one_at_a_time;
};

/**
 * struct kfdm_run_list_ib - a run list being written
 * @ops, @sdma_version: generation
 * @ib:       buffer, zeroed
 * @dwords:   size of @ib
 * @at:       next dword
 * @processes: MAP_PROCESS packets written
 * @max_processes: MAP_PROCESS packets allowed
 */
struct kfdm_run_list_ib {
	const struct kfdm_packet_ops *ops;
	u32 sdma_version;
	u32 *ib;
	u32 dwords, at;
	u32 processes, max_processes;
};

u32 kfdm_run_list_concurrent(const struct kfdm_packet_ops *ops, const struct kfdm_run_list_load *load);
bool kfdm_run_list_over_subscribed(const struct kfdm_run_list_load *load);
u32 kfdm_run_list_dwords(const struct kfdm_packet_ops *ops, const struct kfdm_run_list_load *load);
int kfdm_run_list_add_process(struct kfdm_run_list_ib *rl, const struct kfdm_map_process *process);
int kfdm_run_list_add_queue(struct kfdm_run_list_ib *rl, const struct kfdm_map_queues *map);
int kfdm_run_list_chain(struct kfdm_run_list_ib *rl, u64 ib_addr, const struct kfdm_run_list_load *load);

#endif
