/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_amdkfd.h - functions behind the bridge's table; each does what its slot in kfd_bridge.h says.
 */
#ifndef AMDGPU_AMDKFD_H
#define AMDGPU_AMDKFD_H

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/base/amdgpu_xcp.h"
#include "amdgpu_model/glue/glue.h"

/* amdgpu_amdkfd_gpuvm.c */
int amdm_kgd_vm_acquire(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm);
void amdm_kgd_vm_release(struct amdm_device *adev, struct amdm_vm *vm);
int amdm_kgd_mem_alloc(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr,
		       struct amdm_mem **mem, u64 *mmap_offset);
int amdm_kgd_mem_free(struct amdm_device *adev, struct amdm_mem *mem);
int amdm_kgd_mem_map(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm);
int amdm_kgd_mem_unmap(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm);
bool amdm_kgd_mem_is_refused(struct amdm_mem *mem, u64 offset, bool write);
int amdm_kgd_mem_kmap(struct amdm_mem *mem, void **cpu, u64 *size);
void amdm_kgd_mem_kunmap(struct amdm_mem *mem);
void amdm_kgd_mem_info(struct amdm_mem *mem, struct kfd2kgd_mem_info *info);
int amdm_kgd_svm_move(struct amdm_device *adev, u64 start, u64 end, bool to_vram, u32 trigger);

/* amdgpu_amdkfd_dmabuf.c */
int amdm_kgd_mem_import(struct amdm_device *adev, struct amdm_vm *vm, int dmabuf_fd, bool of_others, u64 va, struct amdm_mem **mem);
int amdm_kgd_mem_dmabuf(struct amdm_mem *mem, struct file **file);
int amdm_kgd_mem_export(struct amdm_mem *mem, u32 fd_flags, u32 *fd);
int amdm_kgd_dmabuf_info(struct amdm_device *adev, int dmabuf_fd, struct kfd2kgd_mem_info *info, void *metadata,
			 u32 *metadata_size);

/**
 * struct amdm_kfd_gen - kfd2kgd calls that differ between generations; each slot does what its namesake in kfd_bridge.h says
 *
 * NULL: the generation has nothing to do there.
 */
struct amdm_kfd_gen {
	void (*program_sh_mem_settings)(struct amdm_xcp *xcp, u32 vmid, u32 sh_mem_config, u32 sh_mem_ape1_base,
					u32 sh_mem_ape1_limit, u32 sh_mem_bases);
	int (*set_pasid_vmid_mapping)(struct amdm_xcp *xcp, u32 pasid, u32 vmid);
	int (*hqd_load)(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			u32 wptr_mask, struct mm_struct *mm);
	int (*hqd_destroy)(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe,
			   u32 queue);
	u64 (*hqd_ring)(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue);
	u64 (*hqd_reset)(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms);
	int (*hqd_dump)(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs);
	void (*set_vm_context_page_table_base)(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base);
	void (*set_scratch_backing_va)(struct amdm_device *adev, u64 va, u32 vmid);
	int (*submit_ib)(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords);
	void (*program_trap_handler)(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma);
	void (*get_cu_occupancy)(struct amdm_xcp *xcp, u32 pasid, u32 *waves, u32 *max_waves_per_cu);
};

extern const struct amdm_kfd_gen amdm_kfd_gen_v7, amdm_kfd_gen_v8, amdm_kfd_gen_v9, amdm_kfd_gen_v10, amdm_kfd_gen_v11;

/* amdgpu_amdkfd.c */
extern const struct kfd2kgd_ops amdm_kgd_ops;	/* what the bridge hands to kfd_model */
void amdm_kfd_add(struct amdm_device *adev);
void amdm_kfd_remove(struct amdm_device *adev);
int amdm_kfd_leave(struct amdm_device *adev);
void amdm_kfd_return(struct amdm_device *adev);

/** struct amdm_hqd_writes - what connects a queue to its slot, in the order of the writes */
struct amdm_hqd_writes {
	struct amdm_reg_write write[72];
	u32 count;
};

/* amdgpu_amdkfd_gfx_v9.c */
void amdm_hqd_put(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 name, u32 value);
void amdm_hqd_write(struct amdm_device *adev, struct amdm_hqd_writes *writes, u32 xcc, u32 pipe, u32 queue);
void amdm_kgd_lock_queue(struct amdm_device *adev, u32 pipe, u32 queue);
int amdm_kgd_hiq_mqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u32 doorbell_off);
bool amdm_kgd_hqd_is_occupied(struct amdm_xcp *xcp, u64 queue_address, u32 pipe, u32 queue);
int amdm_kgd_dequeue(struct amdm_xcp *xcp, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue);
int amdm_kgd_wave_control(struct amdm_xcp *xcp, u32 gfx_index, u32 sq_cmd);
bool amdm_kgd_vmid_pasid(struct amdm_xcp *xcp, u32 vmid, u16 *pasid);
int amdm_kgd_tlb_flush_pasid(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type);
void amdm_kgd_tlb_flush_vmid(struct amdm_device *adev, u32 vmid);

int amdm_kgd_atc_map(struct amdm_device *adev, u32 reg, u32 bit, u32 value);

/* amdgpu_amdkfd_debug.c */
int amdm_kgd_set_launch_mode(struct amdm_device *adev, u32 vmid, u32 mode);
int amdm_kgd_set_trap_mask(struct amdm_device *adev, u32 exceptions);
int amdm_kgd_set_watch(struct amdm_device *adev, u32 n, u64 address, const u32 *control);

/* amdgpu_amdkfd_sdma.c */
bool amdm_kgd_read_wptr(struct mm_struct *mm, u64 __user *wptr, u64 *value);
int amdm_kgd_hqd_sdma_load(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm);
bool amdm_kgd_hqd_sdma_is_occupied(struct amdm_device *adev, void *mqd);
int amdm_kgd_hqd_sdma_destroy(struct amdm_device *adev, void *mqd, u32 timeout_ms);
int amdm_kgd_hqd_sdma_dump(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs);

#define AMDM_KFD_VMIDS		0xff00u

/* amdgpu_hold.c */
int amdm_kgd_vm_hold(struct amdm_vm *vm, u64 va, u64 bytes, struct amdm_hold **out);
void amdm_kgd_vm_unhold(struct amdm_hold *hold);
bool amdm_kgd_vm_is_used(struct amdm_vm *vm, u64 va, u64 bytes);
int amdm_kgd_vm_refuse(struct amdm_vm *vm, u64 va);

#endif
