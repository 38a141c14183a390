/* SPDX-License-Identifier: MIT */
#ifndef GOLDEN_MACHINE_INTERNAL_H
#define GOLDEN_MACHINE_INTERNAL_H

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "machine.h"
#include "shim/sysfs.h"

/** struct amdm_device - a GPU that takes notes */
/** struct amdm_xcp - a GPU's only partition: each that the vectors tell of is a GPU here */
struct amdm_xcp {
	struct amdm_device *adev;
};

struct amdm_device {
	struct amdm_xcp xcp;
	u32 index;
	struct machine_gpu gpu;
	struct kfdm_device *kfd;
	u64 sent; /* of the HIQ: dwords seen so far */
	u32 packets[8192], num_packets;
	u16 pasid_of_vmid[16];
};

/** struct amdm_vm - an address space; its page directory follows from whose it is */
struct amdm_vm {
	u32 process, gpu;
};

extern struct amdm_device machine_gpus[MACHINE_MAX_GPUS];
extern u32 machine_num_gpus;
extern struct kfdm_process *machine_processes[MACHINE_MAX_PROCESSES];
extern u32 machine_num_processes;
extern struct machine_parameters machine_parameters;

/* bridge.c */
extern const struct kfd2kgd_ops machine_kgd;
void *machine_cpu_address(u64 gpu_addr);
void machine_next_gtt(u64 gpu_addr);

/* hung.c */
u64 machine_hqd_ring(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue);
u64 machine_hqd_reset(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms);
u32 machine_hqd_sdma_doorbell(struct amdm_device *adev, u32 engine, u32 queue);
int machine_sdma_reset_engine(struct amdm_device *adev, u32 engine);
void machine_forget_resets(void);

/* scheduler.c */
const struct kfdm_queue *machine_slot_queue(uint32_t slot); /* NULL: destroyed */

/* firmware.c */
void machine_run_firmware(void);

u32 machine_first_gtt_bytes(void);

/* machine.c */
void machine_see_queue(const struct kfdm_queue *q, struct machine_queue *out);

#endif
