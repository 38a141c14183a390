/* SPDX-License-Identifier: MIT */
/*
 * machine.h - kfd_model's scheduler, natively, on GPUs that only take notes
 *
 * The device, process and queue files of kfd_model run unchanged above a table of kfd2kgd functions that record what they are
 * asked. Firmware is there in its simplest form: whenever the driver waits, it takes all packets from the HIQ and signals
 * fences. One machine a process: the driver's own state is global.
 */
#ifndef GOLDEN_MACHINE_H
#define GOLDEN_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/kfd_ioctl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MACHINE_MAX_GPUS      8
#define MACHINE_MAX_PROCESSES 512
#define MACHINE_CALL_ARGS     24

/** struct machine_parameters - module parameters */
struct machine_parameters {
	int sched_policy, hws_max_conc_proc, cwsr_enable, max_queues, preempt_ms;
	bool hws_gws, use_xgmi, debug_largebar;
	unsigned int cpus, cpu_khz;
	uint64_t gtt_start;
};

/** struct machine_gpu - what amdgpu knows of a GPU; as reference/device_defaults.json names it */
struct machine_gpu {
	char name[32];
	uint32_t gc_version, sdma_version;
	uint32_t vendor, device, sub_vendor, sub_device, domain, bus, devfn, rev_id, render_minor;
	bool vf, rs64, app_apu, atomics, noretry, xnack_chain, mes, xgmi, xgmi_cpu, svm, peer_access;
	uint32_t ras, devcap2;
	uint64_t unique_id, hive, db_base, db_size, max_pfn, vram, vis_vram;
	uint32_t first_vmid, pipes, qpp, mec_fw, mec2_fw, mes_version, sdma_fw, vram_width, gws_size;
	uint32_t pcie_gen, pcie_mlw, sclk, mclk, simd_per_cu, max_waves, wave, scratch_slots, lds;
	uint32_t num_sdma, mes_slices, xgmi_hops, xgmi_links;
	uint32_t gc_tcp_l1, gc_tcp_per_wgp, gc_icache, gc_dcache, gc_cus_per_sqc, gc_sqc_per_wgp, gc_gl1c_size, gc_gl1c_per_sa, gc_gl2c;
	uint32_t gc_tcp_line, gc_l1i_line, gc_l1d_line, gc_tcc_line;
	uint64_t mall;
	bool soc15;
	uint64_t kcq_bits[2];
	uint32_t sdma_doorbell_idx[16], first_non_cp, last_non_cp, max_assignment;
	uint32_t num_xcc, first_xcc, partition, partitions, memory_partitions;
	bool die_is_partition, isolates;
	uint32_t num_se, num_sh_per_se, max_cu_per_sh, cu_active, cu_bitmap[8][8][2];
};

struct machine_call {
	const char *name;
	uint32_t count;
	uint64_t args[MACHINE_CALL_ARGS];
};

/** struct machine_device - a device after device_init */
struct machine_device {
	bool probed, complete;
	uint32_t gpu_id, max_proc_per_quantum, first_vmid, last_vmid, num_vmids, compute_vmid_bitmap, node_ids, xcc_mask;
	uint64_t hive;
	uint64_t gpuvm_size, doorbell_base;
	uint32_t doorbell_base_dw, max_doorbell_slices, doorbell_slice, doorbell_start_offset, doorbell_aperture;
	uint32_t non_cp_start, non_cp_end, sdma_doorbell_idx[8], num_doorbells;
	uint32_t gtt_chunks, gtt_chunk_size, gtt_bytes;
	uint32_t sdma_engines, xgmi_sdma_engines;
	uint64_t gtt_start;
	bool cwsr_enabled, gws;
	int sched_policy;
	uint32_t cp_queues;
	uint64_t sdma_bitmap, xgmi_sdma_bitmap;
	uint32_t mqd_size_hiq, mqd_size_cp, mqd_size_sdma;
	uint64_t hiq_sdma_gpu, fence_gpu;
	bool has_hiq;
	uint64_t pq_gpu, rptr_gpu, wptr_gpu, eop_gpu, mqd_gpu;
	uint32_t doorbell_off, queue_size, priority, pipe, queue;
	const uint32_t *mqd;
	uint32_t mqd_dwords;
};

/** struct machine_pdd - a process on a device */
struct machine_pdd {
	uint32_t gpu_id;
	uint64_t lds_base, lds_limit, gpuvm_base, gpuvm_limit, scratch_base, scratch_limit, cwsr_base, ib_base, tba, tma;
	uint32_t doorbell_bitmap[32];
};

/** struct machine_qpd - the same, as the scheduler sees it */
struct machine_qpd {
	uint32_t sh_mem_config, sh_mem_bases, ape1_base, ape1_limit;
	uint64_t page_table_base;
	uint32_t queue_count, vmid, evicted, num_gws, mapped_gws_queue, doorbell_index;
	uint64_t process_doorbells;
	bool reset_wavefronts, has_reset_queue;
};

/** struct machine_queue - a user queue */
struct machine_queue {
	uint32_t type, queue_id, doorbell_id, doorbell_off;
	bool is_active, is_evicted, is_gws, is_reset;
	uint32_t sdma_id, sdma_engine_id, sdma_queue_id, sdma_vm_addr, pipe, hqd, vmid;
	uint64_t mqd_gpu;
	const uint32_t *mqd;
	uint32_t mqd_dwords;
};

/** struct machine_dqm - the scheduler's counters and run list */
struct machine_dqm {
	uint32_t processes, active_queues, active_cp, gws_queues, total_queues;
	bool active_runlist, over_subscribed, halted, hang, holds_list;
	uint64_t sdma_bitmap[2], xgmi_sdma_bitmap[2];
	uint32_t next_xcc;
	uint64_t runlist_addr;
	const uint32_t *runlist;
	uint32_t runlist_dwords;
};

void machine_start(const struct machine_parameters *parameters);
bool machine_add_gpu(const struct machine_gpu *gpu, struct machine_device *out);

/* What the driver asked of amdgpu, and what it newly put on the HIQ, since the last machine_forget() */
void machine_forget(void);
const struct machine_call *machine_calls(uint32_t *count);
bool machine_gtt_alloc(uint32_t index, uint64_t *bytes, uint64_t *gpu_addr);
const uint32_t *machine_hiq_packets(uint32_t gpu, uint32_t *dwords, uint64_t *wptr);

void machine_page_directory(uint64_t base);
int machine_process_new(uint32_t pasid, bool xnack, uint32_t *process);
void machine_pdd(uint32_t process, uint32_t gpu, struct machine_pdd *out);
void machine_qpd(uint32_t process, uint32_t gpu, struct machine_qpd *out);
bool machine_queue(uint32_t process, uint32_t queue_id, struct machine_queue *out);
void machine_dqm(uint32_t gpu, struct machine_dqm *out);

int machine_create_queue(uint32_t process, uint32_t gpu, struct kfd_ioctl_create_queue_args *args);
int machine_update_queue(uint32_t process, struct kfd_ioctl_update_queue_args *args);
int machine_destroy_queue(uint32_t process, uint32_t queue_id);
int machine_set_cu_mask(uint32_t process, uint32_t queue_id, const uint32_t *words, uint32_t bits);
int machine_alloc_gws(uint32_t process, uint32_t queue_id, uint32_t num);
int machine_set_memory_policy(uint32_t process, uint32_t gpu, struct kfd_ioctl_set_memory_policy_args *args);
int machine_evict(uint32_t process, uint32_t gpu);
int machine_restore(uint32_t process, uint32_t gpu);
int machine_reset_pasid(uint32_t gpu, uint32_t pasid);
void machine_terminate(uint32_t process, uint32_t gpu);
void machine_set_hang(bool hang);
void machine_set_doorbell_id(uint32_t gpu, uint32_t dword, uint32_t value);

/** struct machine_slot_args - a queue to be, below the ioctls */
struct machine_slot_args {
	uint32_t process, type, format, queue_id;
	uint64_t ring, ring_size, rptr, wptr;
	uint32_t priority, percent, engine, target_xcc;
	uint64_t eop, save_area, metadata_size;
	uint32_t eop_size, save_area_size, ctl_stack_size;
};

/* scheduler.c: the scheduler of the first GPU without what lies above; queues have the numbers of their slots */
void machine_below_ioctls(void);
void machine_register(uint32_t process, uint32_t doorbells, uint64_t tba, uint64_t tma);
const uint32_t *machine_new_piece(uint32_t *dwords, uint64_t *gpu_addr); /* taken last of the pool since it was asked; NULL: none */
bool machine_reset_asked(void);						 /* and whether waves were killed: since the last question */
bool machine_waves_killed(void);
int machine_slot_create(const struct machine_slot_args *args, uint32_t *slot);
int machine_slot_destroy(uint32_t slot);
int machine_slot_update(uint32_t slot, uint64_t ring, uint64_t ring_size, uint32_t percent, uint32_t priority, uint32_t target_xcc);
int machine_slot_cu_mask(uint32_t slot, const uint32_t *words, uint32_t bits);
int machine_slot_gws(uint32_t slot, bool on);
uint32_t machine_slot_process(uint32_t slot);
bool machine_slot(uint32_t slot, struct machine_queue *out);
bool machine_policy(uint32_t process, const struct kfd_ioctl_set_memory_policy_args *args);
int machine_leave(uint32_t process);
int machine_halt(bool on);

/*
 * hung.c: at the next unmap HQDs 0, 1, .. of MEC1 still hold these rings, as the HIQ's descriptor says; the engine of an SDMA queue still
 * has it. What the driver then resets, in its order, since machine_forget(): NULL behind the last.
 */
void machine_preempt_fail(const uint64_t *rings, uint32_t count, bool every_xcc, bool reset_works);
void machine_sdma_hang(uint32_t slot, bool reset_works);
uint64_t machine_slot_ring(uint32_t slot);
const char *machine_reset_note(uint32_t index);

const uint8_t *machine_crat(uint32_t gpu, uint32_t *bytes);
int machine_sysfs_read(const char *path, char *text);

#ifdef __cplusplus
}
#endif

#endif
