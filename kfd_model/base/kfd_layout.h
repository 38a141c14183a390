/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_LAYOUT_H
#define KFD_LAYOUT_H

#include "kfd_pure.h"

#define KFDM_CWSR_TBA_TMA_SIZE	(2 * PAGE_SIZE)
#define KFDM_DOORBELL_IDS	1024
#define KFDM_DOORBELL_MIRROR	512	/* the bus routes by low address bits: SDMA ids recur here */

/** struct kfdm_apertures - a process's view of one GPU's address space */
struct kfdm_apertures {
	u64 lds_base, lds_limit;
	u64 gpuvm_base, gpuvm_limit;
	u64 scratch_base, scratch_limit;
	u64 cwsr_base, ib_base;
};

/**
 * struct kfdm_aperture_inputs - what apertures depend on
 * @gpuvm_size:   bytes of GPU virtual address space that a process may use
 * @va_size:      bytes that its page tables translate
 * @shared_start, @shared_end, @private_start, @private_end: windows of LDS and scratch, where amdgpu chooses them (GC 12.1)
 * @use_iommu_v2: an APU whose memory the IOMMU translates
 * @node_index:   of the GPU in the topology
 * @is_32bit:     a 32-bit process: it has none
 */
struct kfdm_aperture_inputs {
	u64 gpuvm_size, va_size;
	u64 shared_start, shared_end, private_start, private_end;
	bool use_iommu_v2;
	u32 node_index;
	bool is_32bit;
};

/** struct kfdm_doorbell_layout - how the doorbell BAR is dealt out; bytes unless named dwords */
struct kfdm_doorbell_layout {
	u32 doorbell_size;
	u32 slice;
	u32 base;
	u32 max_slices;
};

/** struct kfdm_vmids - VMIDs of a node: from @first to @last, as a bitmap; how many run at once */
struct kfdm_vmids {
	u32 first, last, num, bitmap;
};

/** struct kfdm_gpu_identity - what gpu_id is made of */
struct kfdm_gpu_identity {
	u32 devfn, subsystem_vendor, subsystem_device;
	u32 domain, device, bus;
	u64 vram_bytes;
	u32 first_xcc, num_xcc;		/* counts since 7.2 */
};

void kfdm_apertures_vi(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
void kfdm_apertures_v9(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
void kfdm_apertures_vi_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
void kfdm_apertures_v9_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
void kfdm_apertures_v12_1_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures);
void kfdm_doorbells_of_mes(struct kfdm_doorbell_layout *layout);
int kfdm_doorbells_divide(u32 doorbell_size, u32 aperture_size, u32 start_offset, struct kfdm_doorbell_layout *layout);
u32 kfdm_doorbell_dw_offset(const struct kfdm_doorbell_layout *layout, u32 slice_index, u32 doorbell_id);
u32 kfdm_doorbell_sdma_id(u32 engine_base, u32 sdma_queue_id);
struct kfdm_vmids kfdm_vmids_of_device(u32 bitmap);
struct kfdm_vmids kfdm_vmids_of_die(u32 bitmap, u32 partition);
u32 kfdm_gpu_id(const struct kfdm_gpu_identity *identity);
u32 kfdm_gpu_id_7_2(const struct kfdm_gpu_identity *identity);

#endif
