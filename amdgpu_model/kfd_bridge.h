/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * kfd_bridge.h - the one border between kfd_model (compute: processes, queues, events, topology) and
 * amdgpu_model (device: memory, page tables, rings, registers, interrupts, DRM).
 *
 * What kgd2kfd_* and struct kfd2kgd_calls are in Linux's amdgpu: two const tables. kfd_model attaches with its table and
 * gets the other. No other symbol and no other header crosses.
 *
 * Life: every amdm_device outlives its kfd object (device_exit comes first). Handles (amdm_vm, amdm_mem,
 * amdm_gtt) belong to the caller that made them until the matching release or free.
 *
 * Context, unless a slot says otherwise: process context, may sleep, no lock of amdgpu_model held. Errors are
 * negative errnos.
 */
#ifndef KFD_BRIDGE_H
#define KFD_BRIDGE_H

#include <linux/bitops.h>
#include <linux/types.h>

struct amdm_device;
struct amdm_xcp;
struct amdm_vm;
struct amdm_mem;
struct amdm_gtt;
struct amdm_hold;
struct file;
struct mm_struct;
struct vm_area_struct;
struct device;

#define KFD_BRIDGE_MAX_XCC 8
#define KFD_BRIDGE_MAX_SE 8
#define KFD_BRIDGE_MAX_SH 2
#define KFD_BRIDGE_METADATA_BYTES 256	/* of a buffer, drm_amdgpu_gem_metadata */

/* Beside KFD_IOC_ALLOC_MEM_FLAGS_*: user pages whose changes KFD watches itself (userptr_invalidated is not called) */
#define KFD_BRIDGE_MEM_SVM	(1u << 16)
/* User pages that are still to come where they are to be: nothing needs to be mapped there yet */
#define KFD_BRIDGE_MEM_AHEAD	(1u << 17)

#define KFD_BRIDGE_RAS_UMC	(1u << 0)
#define KFD_BRIDGE_RAS_GFX	(1u << 2)

/**
 * struct kgd_cache_config - the caches as the graphics block itself tells them, since GFX11; zeros: it does not
 * @tcp_kib, @tcp_per_wgp:       first level, for vectors
 * @icache_kib, @dcache_kib, @cus_per_sqc, @sqc_per_wgp: first level, for instructions and scalars
 * @gl1_kib, @gl1_per_array:     of a shader array
 * @gl2_kib, @mall_kib:          of the whole chip
 * @tcp_line, @icache_line, @dcache_line, @gl2_line: bytes of a line; 0: it does not tell
 */
struct kgd_cache_config {
	u32 tcp_kib, tcp_per_wgp;
	u32 icache_kib, dcache_kib, cus_per_sqc, sqc_per_wgp;
	u32 gl1_kib, gl1_per_array;
	u32 gl2_kib, mall_kib;
	u32 tcp_line, icache_line, dcache_line, gl2_line;
};

/**
 * struct kgd2kfd_facts - what a device is, fixed for its life
 * @name:               ASIC name as in sysfs, lower case ("vega20")
 * @gfx_target_version: major * 10000 + minor * 100 + stepping
 * @gc_version:         IP version of the graphics block, major << 16 | minor << 8 | revision
 * @sdma_version:       the same of SDMA
 * @pci_domain:         PCI domain
 * @pci_location:       bus << 8 | devfn
 * @num_xcc, @first_xcc: compute dies (XCC), at least one; the number that the first has among all of the device
 * @physical_xcc:       of each die: its place in the package
 * @partition, @partitions: a device may be divided; then KFD is told of each part by itself: which one this is, of how many (1: it is not)
 * @die_is_partition:   each compute die is a partition (CPX)
 * @memory_partitions:  parts that the memory is divided into (NPS), at least one
 * @cu_bitmap:          active CUs of each shader array of each die, as amdgpu's cu_info.bitmap
 * @num_se, @num_sh_per_se, @max_cu_per_sh: of a die as built, harvested units counted
 * @cu_active:          CUs of the whole device, however it is divided
 * @simd_per_cu, @max_waves_per_simd, @wave_front_size, @max_scratch_slots_per_cu, @lds_kb: as amdgpu's cu_info
 * @caches:             of chips whose KFD row names none
 * @vram_public, @vram_private: CPU-visible and invisible VRAM, bytes
 * @vram_width:         bus width, bits
 * @mem_clk_mhz, @engine_clk_mhz: maxima
 * @mec_fw, @mec2_fw, @sdma_fw: firmware versions that the model answers with
 * @sdma_engines:       SDMA engines of the whole device
 * @pm_fw:              firmware of the power management, 0: not modelled
 * @xgmi_supported:     the chip has XGMI links: engines past the second are for them
 * @virtual_function:   the driver runs on a virtual function
 * @exp_hw_support:     experimental hardware is asked for
 * @gws_size:           GWS entries of the silicon, 0 without a GWS block
 * @enable_mes:         the MES schedules queues instead of the HWS
 * @asic_revision:      of the ASIC, not of the PCI function
 * @ras:                KFD_BRIDGE_RAS_*: error correction of the blocks is on
 * @svm:                the device can have shared virtual memory
 * @cu_occupancy:       get_cu_occupancy knows (GFX9)
 * @pci_atomics:        the root port lets the device's atomic requests through
 * @completes_atomics:  the device completes atomic requests of others (DEVCAP2)
 * @peer_access:        other GPUs on the bus may reach its VRAM
 * @large_bar:          offer all VRAM as CPU-visible whatever the BAR is (debug_largebar)
 * @xgmi_to_cpu:        connected to the host by XGMI instead of PCIe
 * @xgmi_hops, @xgmi_links: to each other GPU of its hive
 * @rs64:               the MEC firmware is for its RS64 cores
 * @mes_version:        of the MES firmware, with that of its API above it; 0: no MES
 * @noretry:            memory faults of waves are not retried
 * @tells_retry_faults: where they are, amdgpu calls kgd2kfd_ops.retry_fault
 * @isolates_processes: one process at a time has the device, and a shader clears what it has left (enforce_isolation); not modelled
 * @app_apu:            its memory is the host's
 * @xnack_chain:        processes whose faults are retried cannot run beside others
 * @pcie_min_mbs, @pcie_max_mbs: bandwidth of the link, MB/s
 * @dev:                the PCI function's device, for messages
 */
struct kgd2kfd_facts {
	char name[24];
	u32 gfx_target_version;
	u32 gc_version;
	u32 sdma_version;
	u16 pci_vendor, pci_device, pci_subvendor, pci_subdevice;
	u32 pci_domain, pci_location, pci_revision;
	u64 unique_id;
	u64 hive_id;
	u32 num_xcc, first_xcc;
	u8 physical_xcc[KFD_BRIDGE_MAX_XCC];
	u32 partition, partitions;
	bool die_is_partition;
	u32 memory_partitions;
	u32 cu_bitmap[KFD_BRIDGE_MAX_XCC][KFD_BRIDGE_MAX_SE][KFD_BRIDGE_MAX_SH];
	u32 num_se, num_sh_per_se, max_cu_per_sh;
	u32 cu_active;
	u32 simd_per_cu, max_waves_per_simd, wave_front_size, max_scratch_slots_per_cu, lds_kb;
	struct kgd_cache_config caches;
	u64 vram_public, vram_private;
	u32 vram_width;
	u32 mem_clk_mhz, engine_clk_mhz;
	u32 mec_fw, mec2_fw, sdma_fw, mes_version, pm_fw;
	u32 sdma_engines;
	bool xgmi_supported, virtual_function, exp_hw_support, rs64;
	u32 gws_size;
	bool noretry, tells_retry_faults, xnack_chain, enable_mes, app_apu, isolates_processes;
	u32 asic_revision;
	u32 ras;
	bool svm, cu_occupancy, pci_atomics, completes_atomics, peer_access, large_bar, xgmi_to_cpu;
	u32 xgmi_hops, xgmi_links;
	u32 pcie_min_mbs, pcie_max_mbs;
	struct device *dev;
};

/**
 * struct kgd2kfd_resources - what amdgpu leaves to KFD on this device (kgd2kfd_shared_resources)
 * @compute_vmid_bitmap:     VMIDs of KFD
 * @num_pipe_per_mec, @num_queue_per_pipe: MEC layout
 * @cp_queue_bitmap:         HQD slots of KFD: bit = (mec * pipes + pipe) * queues + queue
 * @sdma_doorbell_idx:       first doorbell index (64-bit units) of each SDMA engine of the whole device inside a process slice
 * @non_cp_doorbells_start, @non_cp_doorbells_end: doorbell indices that CP queues must not take, both inclusive
 * @doorbell_aperture_bytes: size of the doorbell BAR
 * @doorbell_start_offset:   bytes of the BAR that amdgpu keeps for itself
 * @mes_doorbell_slices:     with the MES: end of the process slices, which then count from the start of the BAR
 * @gpuvm_size:              bytes of GPU virtual address space that a process may use
 * @va_size:                 bytes that page tables translate
 * @shared_start, @shared_end, @private_start, @private_end: windows of LDS and scratch, of chips whose driver chooses them (GC 12.1)
 * @vm_cntx_cntl:            of the GFX hub, of the same chips
 * @drm_render_minor:        minor number of the render node
 */
struct kgd2kfd_resources {
	u32 compute_vmid_bitmap;
	u32 num_pipe_per_mec, num_queue_per_pipe;
	DECLARE_BITMAP(cp_queue_bitmap, 128);
	u32 sdma_doorbell_idx[16];
	u32 non_cp_doorbells_start, non_cp_doorbells_end;
	u32 doorbell_aperture_bytes, doorbell_start_offset;
	u32 mes_doorbell_slices;
	u64 gpuvm_size, va_size;
	u64 shared_start, shared_end, private_start, private_end;
	u32 vm_cntx_cntl;
	int drm_render_minor;
};

/* Preemption types of hqd_destroy (Linux: kfd_mqd_manager.h: enum kfd_preempt_type) */
enum kfd_bridge_preempt {
	KFD_BRIDGE_PREEMPT_DRAIN,
	KFD_BRIDGE_PREEMPT_RESET,
	KFD_BRIDGE_PREEMPT_SAVE,
};

/* Depth of TLB flushes (enum TLB_FLUSH_TYPE) */
enum kfd_bridge_tlb_flush {
	KFD_BRIDGE_TLB_LEGACY,
	KFD_BRIDGE_TLB_LIGHTWEIGHT,
	KFD_BRIDGE_TLB_HEAVYWEIGHT,
};

/* Kinds of queues to the MES (enum mes_queue_type) */
enum kfd_bridge_mes_type {
	KFD_BRIDGE_MES_GFX,
	KFD_BRIDGE_MES_COMPUTE,
	KFD_BRIDGE_MES_SDMA,
};

/* How gangs of different processes compete (enum admgpu_mes_priority_level) */
enum kfd_bridge_mes_level {
	KFD_BRIDGE_MES_LEVEL_LOW,
	KFD_BRIDGE_MES_LEVEL_NORMAL,
	KFD_BRIDGE_MES_LEVEL_MEDIUM,
	KFD_BRIDGE_MES_LEVEL_HIGH,
	KFD_BRIDGE_MES_LEVEL_REALTIME,
};

/**
 * struct kgd_mes_queue - a queue that the MES is to run (mes_add_queue_input); a queue is a gang of its own
 *
 * That it is KFD's, and from where to where its addresses may go, amdgpu adds.
 *
 * @pasid, @page_table_base: its process
 * @process_ctx, @gang_ctx: GPU addresses of the pages where the MES keeps the state of process and gang
 * @process_quantum, @gang_quantum: their turns, in units of 100 ns
 * @priority:        of the gang among those of its process
 * @level:           of the gang among all
 * @doorbell_off:    dword offset in the BAR; names the queue
 * @mqd, @wptr:      GPU addresses of descriptor and write pointer
 * @type, @is_aql:   what it carries
 * @ring_dwords:     size of its ring
 * @tba, @tma:       trap handler of the process
 * @gws_size:        GWS entries that it owns
 */
struct kgd_mes_queue {
	u32 pasid;
	u64 page_table_base;
	u64 process_ctx, gang_ctx;
	u32 process_quantum, gang_quantum;
	u32 priority;
	enum kfd_bridge_mes_level level;
	u32 doorbell_off;
	u64 mqd, wptr;
	enum kfd_bridge_mes_type type;
	bool is_aql;
	u32 ring_dwords;
	u64 tba, tma;
	u32 gws_size;
};

/** struct kgd_fault_info - the VM fault that the fault registers hold (kfd_vm_fault_info); zeros: none since the last call */
struct kgd_fault_info {
	u64 page;
	u32 vmid, client, status;
	bool prot_valid, prot_read, prot_write;
};

/* What an access that faulted wanted, beside reading */
#define KFD_BRIDGE_FAULT_WRITE		0x1
#define KFD_BRIDGE_FAULT_EXECUTE	0x2

/* Eviction triggers: KFD_QUEUE_EVICTION_TRIGGER_* of uapi/kfd_ioctl.h */

/**
 * struct kfd_bridge_migration - memory of a process that goes to the VRAM of a GPU, or leaves it
 * @start, @end: addresses, of whole pages
 * @to_vram: where it goes
 * @trigger: KFD_MIGRATE_TRIGGER_* of uapi/kfd_ioctl.h
 * @done:    it has moved as far as it could
 * @error:   of one that is done: 0, or a negative errno
 */
struct kfd_bridge_migration {
	u64 start, end;
	bool to_vram;
	u32 trigger;
	bool done;
	int error;
};

/**
 * struct kgd2kfd_ops - what kfd_model offers
 * @device_init:  a GPU is there, or @xcp, a partition of one; *@kfd is handed to all later calls of it. An error leaves it without KFD.
 * @device_exit:  the GPU goes (module unload, hot unplug): no process may use it any more when this returns
 * @lock:         no process comes to the GPU any more, until unlock or device_exit. -EBUSY: one is there
 * @unlock:       undo
 * @interrupt:    one IH ring entry (@ih_entry: 8 dwords, 4 before GFX9) that amdgpu has not consumed. Interrupts
 *                are off, but not in a hard interrupt.
 * @pre_reset:    the GPU is about to be reset, for @cause (Linux 7.2: amdgpu_reset_get_desc()): stop scheduling
 * @post_reset:   the GPU has been reset: start scheduling again
 * @suspend:      the GPU is about to lose its power: no queue runs on it when this returns
 * @resume:       it works again: queues come back. Return: 0, or why they cannot
 * @quiesce_mm:   stop all queues of the process that owns @mm (userptr invalidation, eviction). May be called from an
 *                MMU notifier: must not allocate with reclaim.
 * @resume_mm:    undo one quiesce_mm
 * @userptr_invalidated: user pages that the GPU had have gone: evict the queues of @mm's process, restore them soon. Any context
 * @migration:    memory of @mm's process begins to move, or is done, see @what. May be called while a page fault is handled
 * @pages_moved:  pages of @mm's process have gone to the GPU's VRAM (@in), or left it (@out). Any context
 * @evict_and_restore: a buffer of @mm's process has to move: evict its queues, say vm_evicted for each address space, restore them
 *                later (TTM eviction). Any context
 * @retry_fault:  an access to @va (page aligned) by the process that @pasid names waits for its page, and is tried again when this returns.
 *                @access: KFD_BRIDGE_FAULT_*. Return: false: there is no memory for what is to be done; call again a little
 *                later. May sleep
 */
struct kgd2kfd_ops {
	int (*device_init)(struct amdm_device *adev, struct amdm_xcp *xcp, const struct kgd2kfd_facts *facts,
			   const struct kgd2kfd_resources *resources, void **kfd);
	void (*device_exit)(void *kfd);
	int (*lock)(void *kfd);
	void (*unlock)(void *kfd);
	void (*interrupt)(void *kfd, const u32 *ih_entry);
	int (*pre_reset)(void *kfd, const char *cause);
	int (*post_reset)(void *kfd);
	void (*suspend)(void *kfd);
	int (*resume)(void *kfd);
	int (*quiesce_mm)(struct mm_struct *mm, u32 trigger);
	int (*resume_mm)(struct mm_struct *mm);
	void (*userptr_invalidated)(struct mm_struct *mm);
	void (*migration)(void *kfd, struct mm_struct *mm, const struct kfd_bridge_migration *what);
	void (*pages_moved)(void *kfd, struct mm_struct *mm, u64 in, u64 out);
	void (*evict_and_restore)(struct mm_struct *mm);
	bool (*retry_fault)(void *kfd, u32 pasid, u64 va, u32 access);
};

/**
 * struct kfd2kgd_mem_info - about a buffer or a dma-buf
 * @size:       bytes
 * @flags:      KFD_IOC_ALLOC_MEM_FLAGS_*
 * @adev:       the device that owns it
 * @mmap_offset: offset for mmap on the render node
 */
struct kfd2kgd_mem_info {
	u64 size;
	u32 flags;
	struct amdm_device *adev;
	u64 mmap_offset;
};

/**
 * struct kfd2kgd_mem_limits - use and limit of memory, bytes
 * @system_used, @system_max: GTT and userptr buffers
 * @ttm_used, @ttm_max:       GTT buffers alone
 */
struct kfd2kgd_mem_limits {
	u64 system_used, system_max;
	u64 ttm_used, ttm_max;
};

/**
 * struct kfd_bridge_wait - when waiting for the GPU began
 * @host_ns: on the host's clock
 * @cycles:  that the GPU had been awake
 * @stills:  how often it had had nothing left to do by itself
 */
struct kfd_bridge_wait {
	u64 host_ns, cycles, stills;
};

/**
 * struct kfd2kgd_ops - what amdgpu_model offers
 *
 * @several_xcc:     devices may have several compute dies: @hiq_mqd_load, @hqd_load and @hqd_destroy then do all dies of the partition, and
 *                   the first die's descriptor says how far apart they are (cp_mqd_stride_size); others do the same on each die
 * @svm_moves:       this kernel can have memory of processes in VRAM (DEVICE_PRIVATE): there is @svm_move
 *
 * Kernel memory (GART):
 * @gtt_alloc:       @size bytes of zeroed system memory, mapped for VMID 0. *@gpu_addr: GART address; *@cpu: kernel address
 * @gtt_free:        undo
 *
 * Address spaces:
 * @vm_acquire:      turn the GPUVM of an open render node into a compute VM. -EINVAL: not an amdgpu_model file of @adev,
 *                   or it is a compute VM already. Holds a reference to the file.
 * @vm_release:      give it back; all its buffers must be freed before
 * @vm_evicted:      no queue of its process runs: its buffers may move until vm_restore
 * @vm_restore:      bring the buffers back where queues can touch them. An error (-ENOMEM, -EAGAIN): try again later
 * @vm_page_table_base: value for MAP_PROCESS / VM_CONTEXTn_PAGE_TABLE_BASE, flag bits included
 * @vm_hold:         what is mapped in @vm from the page of @va on, and is as many pages long as @bytes is whole ones (0: as it likes), is
 *                   to stay: mem_unmap is -EBUSY until vm_unhold. -EINVAL: there is no such mapping, or it is KFD_BRIDGE_MEM_SVM; -ENOMEM
 * @vm_unhold:       undo
 * @vm_is_used:      is something mapped in @vm between @va and @va + @bytes, other than KFD_BRIDGE_MEM_SVM?
 * @vm_refuse:       let accesses to the page at @va fail, and not be tried again, until something is mapped there. -ENOMEM
 * @svm_move:        memory of the current process from @start to before @end goes to VRAM (@to_vram), or leaves it, as far as it can;
 *                   @trigger: KFD_MIGRATE_TRIGGER_*; no lock of memory held. -EOPNOTSUPP: see @svm_moves; -ENODEV: the device goes;
 *                   -EFAULT: nothing is mapped there; -EINVAL: it cannot move; -ENOMEM, -ENOSPC: no room; -ERESTARTSYS
 * @tlb_flush_pasid: flush the TLBs of the VMID that @pasid has, if any
 * @tlb_flush_vmid:  the same, by the VMID itself (legacy flush)
 *
 * Buffers (flags: KFD_IOC_ALLOC_MEM_FLAGS_* of uapi/kfd_ioctl.h):
 * @mem_alloc:       make a buffer of @size bytes for GPU address @va in @vm (checked at map); VRAM comes out of the share of @xcp.
 *                   @user_addr: CPU address of a USERPTR buffer (of current->mm); doorbell BAR offset of a DOORBELL buffer; ignored
 *                   otherwise. Userptr pages are taken when the GPU touches them. Errors: -EINVAL, -ENOMEM, -EFAULT.
 *                   *@mmap_offset: for mmap on the render node, 0 for USERPTR
 * @mem_free:        -EBUSY while it is mapped to some VM
 * @mem_map:         map into @vm at its va (page tables written, TLB to be flushed by the caller). Mapping a mapped one is a
 *                   no-op. -EINVAL: misaligned, overlapping, va 0, or not reachable from @adev
 * @mem_unmap:       -EINVAL if not mapped there, -EBUSY: see vm_hold
 * @mem_is_refused:  of a USERPTR buffer: has the process been found not to have the page at @offset, or, if @write, not to be allowed to
 *                   write it?
 * @mem_kmap:        kernel address of a GTT or VRAM buffer, pinned until mem_kunmap
 * @mem_kunmap:      undo
 * @mem_info:        facts of a buffer
 * @mem_import:      buffer from a dma-buf fd, to be mapped at @va; -EINVAL for one of another device or driver unless @of_others
 * @mem_dmabuf:      the file of a buffer's dma-buf, referenced. -EPERM: see mem_export; -ENOMEM
 * @mem_export:      a new fd of a buffer's dma-buf. -EPERM: it cannot be shared (USERPTR, DOORBELL, MMIO_REMAP), -ENOMEM, -EMFILE
 * @dmabuf_info:     facts of a dma-buf fd. *@metadata_size: in: how much the caller will take, out: how much there is;
 *                   @metadata: KFD_BRIDGE_METADATA_BYTES. -EINVAL: there is more, @info and the size are set nevertheless
 * @mem_available:   bytes that AVAILABLE_MEMORY reports: of a partition's share of VRAM
 *
 * Doorbells (BAR offsets in bytes):
 * @doorbell_mmap:   map @size bytes of the doorbell BAR from @offset into @vma (VM_PFNMAP; faults wake the model). The vma's
 *                   file must have an address_space of the process's own
 * @doorbell_write32, @doorbell_write64: kernel doorbell, of chips before GFX9 and since. Any context.
 * @doorbell_reset:  a slice gets a new owner: empty its doorbells
 * @mmio_mmap:       the HDP flush page, PAGE_SIZE
 *
 * Registers (kfd2kgd_calls of amdgpu_amdkfd_gfx_v9.c); @xcp: of the compute dies of this partition, which may be all:
 * @hiq_mqd_load:    connect the HIQ through the KIQ. @pipe is absolute (MEC2 pipe 0 = 4)
 * @hqd_load:        load an MQD into an HQD (no-HWS)
 * @hqd_destroy:     -ETIME if it does not let go within @timeout_ms
 * @hqd_ring:        address of the user queue's ring that is connected in an HQD of a die's MEC1; 0: none, or this chip's queues cannot be
 *                   reset
 * @hqd_reset:       kill what the queue in an HQD runs, by its queue's reset, else by its pipe's. Return: the ring's address, 0: the HQD is
 *                   still in use after @timeout_ms, or was free
 * @hqd_sdma_doorbell: doorbell (dwords) of the queue that an SDMA engine's RLC queue has; 0: none, or this chip's engines do not tell
 * @sdma_reset_engine: stop an SDMA engine and start it anew without user queues. -EOPNOTSUPP: this chip's cannot be
 * @wave_control:    GRBM_GFX_INDEX and SQ_CMD write
 * @set_scratch_backing_va: private aperture of a VMID; since GFX9 queues say so themselves, and nothing happens
 * @submit_ib:       run an indirect buffer on MEC1 in @vmid and wait for it. -EOPNOTSUPP: KFD never needs it on this chip,
 *                   -ETIME, -EIO
 * @program_trap_handler: of a VMID; since GFX11 nothing happens
 * @set_launch_mode: how waves of a VMID start from now on (KFD_DBG_TRAP_WAVE_LAUNCH_MODE_*), and of no other. -EOPNOTSUPP: the chip has no
 *                   such register
 * @set_trap_mask:   exceptions (EXCP_EN) that all waves trap at which start from now on, besides their own. -EOPNOTSUPP
 * @set_watch:       address of watch point @n, and its TCP_WATCHn_CNTL; NULL: that comes with each process's mapping. -EOPNOTSUPP
 * @iq_wait_times:   how long the scheduling firmware waits: CP_IQ_WAIT_TIME2, and by @reg its number in packets
 * @vm_fault_vmid:   VMID of the last VM fault, from its register; 0 where interrupt entries tell it (GFX9 and later)
 * @vm_fault_info:   that fault; zeros where interrupt entries tell it
 * others:           as their namesakes
 *
 * MES (amdgpu_mes_funcs); both NULL where there is none:
 * @mes_add_queue:   the MES runs the queue from now on
 * @mes_remove_queue: the queue is off the hardware, its waves saved. An error of either means that only a reset helps
 *
 * Rest:
 * @mem_limits:      what all KFD buffers of all GPUs together take and may take
 * @gpu_clock:       RLC GPU clock counter (reference clock ticks)
 * @gpu_reset:       ask for a whole-GPU reset (asynchronous; pre_reset and post_reset will be called)
 * @wait_begin:      *wait = now
 * @wait_is_over:    has the GPU had @ms since, or nothing left to do by itself? False before the host has, whose time is stretched where it is slow
 *                   (TCG, KASAN)
 */
struct kfd2kgd_ops {
	bool several_xcc, svm_moves;

	int (*gtt_alloc)(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu);
	void (*gtt_free)(struct amdm_device *adev, struct amdm_gtt *mem);

	int (*vm_acquire)(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm);
	void (*vm_release)(struct amdm_device *adev, struct amdm_vm *vm);
	void (*vm_evicted)(struct amdm_device *adev, struct amdm_vm *vm);
	int (*vm_restore)(struct amdm_device *adev, struct amdm_vm *vm);
	u64 (*vm_page_table_base)(struct amdm_vm *vm);
	int (*vm_hold)(struct amdm_vm *vm, u64 va, u64 bytes, struct amdm_hold **hold);
	void (*vm_unhold)(struct amdm_hold *hold);
	bool (*vm_is_used)(struct amdm_vm *vm, u64 va, u64 bytes);
	int (*vm_refuse)(struct amdm_vm *vm, u64 va);
	int (*svm_move)(struct amdm_device *adev, u64 start, u64 end, bool to_vram, u32 trigger);
	int (*tlb_flush_pasid)(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type);
	void (*tlb_flush_vmid)(struct amdm_device *adev, u32 vmid);

	int (*mem_alloc)(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr,
			 struct amdm_mem **mem, u64 *mmap_offset);
	int (*mem_free)(struct amdm_device *adev, struct amdm_mem *mem);
	int (*mem_map)(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm);
	int (*mem_unmap)(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm);
	bool (*mem_is_refused)(struct amdm_mem *mem, u64 offset, bool write);
	int (*mem_kmap)(struct amdm_mem *mem, void **cpu, u64 *size);
	void (*mem_kunmap)(struct amdm_mem *mem);
	void (*mem_info)(struct amdm_mem *mem, struct kfd2kgd_mem_info *info);
	int (*mem_import)(struct amdm_device *adev, struct amdm_vm *vm, int dmabuf_fd, bool of_others, u64 va,
			  struct amdm_mem **mem);
	int (*mem_dmabuf)(struct amdm_mem *mem, struct file **file);
	int (*mem_export)(struct amdm_mem *mem, u32 fd_flags, u32 *fd);
	int (*dmabuf_info)(struct amdm_device *adev, int dmabuf_fd, struct kfd2kgd_mem_info *info,
			   void *metadata, u32 *metadata_size);
	u64 (*mem_available)(struct amdm_xcp *xcp);

	int (*doorbell_mmap)(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size);
	void (*doorbell_write32)(struct amdm_device *adev, u32 offset, u32 value);
	void (*doorbell_write64)(struct amdm_device *adev, u32 offset, u64 value);
	void (*doorbell_reset)(struct amdm_device *adev, u32 offset, u32 size);
	int (*mmio_mmap)(struct amdm_device *adev, struct vm_area_struct *vma);

	void (*program_sh_mem_settings)(struct amdm_xcp *xcp, u32 vmid, u32 sh_mem_config, u32 sh_mem_ape1_base,
					u32 sh_mem_ape1_limit, u32 sh_mem_bases);
	int (*set_pasid_vmid_mapping)(struct amdm_xcp *xcp, u32 pasid, u32 vmid);
	int (*init_interrupts)(struct amdm_device *adev, u32 pipe);
	int (*hiq_mqd_load)(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u32 doorbell_off);
	int (*hqd_load)(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift,
			u32 wptr_mask, struct mm_struct *mm);
	int (*hqd_sdma_load)(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm);
	bool (*hqd_is_occupied)(struct amdm_xcp *xcp, u64 queue_address, u32 pipe, u32 queue);
	bool (*hqd_sdma_is_occupied)(struct amdm_device *adev, void *mqd);
	int (*hqd_destroy)(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe,
			   u32 queue);
	int (*hqd_sdma_destroy)(struct amdm_device *adev, void *mqd, u32 timeout_ms);
	u64 (*hqd_ring)(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue);
	u64 (*hqd_reset)(struct amdm_xcp *xcp, u32 xcc, u32 pipe, u32 queue, u32 timeout_ms);
	u32 (*hqd_sdma_doorbell)(struct amdm_device *adev, u32 engine, u32 queue);
	int (*sdma_reset_engine)(struct amdm_device *adev, u32 engine);
	int (*hqd_dump)(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs);
	int (*hqd_sdma_dump)(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs,
			     u32 *num_regs);
	int (*wave_control)(struct amdm_xcp *xcp, u32 gfx_index, u32 sq_cmd);
	bool (*vmid_pasid)(struct amdm_xcp *xcp, u32 vmid, u16 *pasid);
	u32 (*vm_fault_vmid)(struct amdm_device *adev);
	void (*vm_fault_info)(struct amdm_device *adev, struct kgd_fault_info *info);
	void (*set_vm_context_page_table_base)(struct amdm_xcp *xcp, u32 vmid, u64 page_table_base);
	void (*set_scratch_backing_va)(struct amdm_device *adev, u64 va, u32 vmid);
	int (*submit_ib)(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords);
	void (*program_trap_handler)(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma);
	int (*set_launch_mode)(struct amdm_device *adev, u32 vmid, u32 mode);
	int (*set_trap_mask)(struct amdm_device *adev, u32 exceptions);
	int (*set_watch)(struct amdm_device *adev, u32 n, u64 address, const u32 *control);
	void (*get_cu_occupancy)(struct amdm_xcp *xcp, u32 pasid, u32 *waves, u32 *max_waves_per_cu);
	u32 (*gb_addr_config)(struct amdm_device *adev);
	u32 (*iq_wait_times)(struct amdm_device *adev, u32 *reg);

	int (*mes_add_queue)(struct amdm_device *adev, const struct kgd_mes_queue *queue);
	int (*mes_remove_queue)(struct amdm_device *adev, u32 doorbell_off, u64 gang_ctx);

	void (*mem_limits)(struct kfd2kgd_mem_limits *limits);
	u64 (*gpu_clock)(struct amdm_device *adev);
	void (*gpu_reset)(struct amdm_device *adev);
	void (*wait_begin)(struct amdm_device *adev, struct kfd_bridge_wait *wait);
	bool (*wait_is_over)(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms);
};

/**
 * amdm_kfd_attach() - kfd_model arrives
 * @kfd: its table
 * @kgd: amdgpu_model's table
 *
 * Calls device_init for every GPU before it returns. Return: 0, -EBUSY if attached already.
 */
int amdm_kfd_attach(const struct kgd2kfd_ops *kfd, const struct kfd2kgd_ops **kgd);

/** amdm_kfd_detach() - kfd_model leaves; device_exit is called for every GPU before this returns */
void amdm_kfd_detach(void);

/* base/amdgpu_refused.c */
void amdm_refused(const char *what, u64 subject);

/**
 * struct amdm_kfd_parameters - amdgpu_model's module parameters that are KFD's (as in Linux, where amdgpu owns them)
 */
struct amdm_kfd_parameters {
	int sched_policy;
	int hws_max_conc_proc;
	int cwsr_enable;
	int max_num_of_queues_per_device;
	int send_sigterm;
	int halt_if_hws_hang;
	bool hws_gws_support;
	int queue_preemption_timeout_ms;
	bool debug_evictions;
	int no_queue_eviction_on_vm_fault;
};

extern struct amdm_kfd_parameters amdm_kfd_param;

#endif
