/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT */
/*
 * kfd_ioctl.h - what user space says to /dev/kfd: version 1.23, that of Linux 7.2
 *
 * Numbers, names, sizes and offsets are ABI, and those of Linux's header of this name, which programs use; the modules are compiled with
 * this one, whatever kernel they are compiled for. Older versions have a part of it: a struct only ever grows at its end, into padding or
 * into a union, and the driver reads as zero what a shorter caller did not give. So one header serves every driver that the model can be.
 */
#ifndef UAPI_KFD_IOCTL_H
#define UAPI_KFD_IOCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KFD_IOCTL_MAJOR_VERSION		1

struct kfd_ioctl_get_version_args {
	__u32 major_version, minor_version;	/* out */
};

/* Queues */
#define KFD_IOC_QUEUE_TYPE_COMPUTE		0
#define KFD_IOC_QUEUE_TYPE_SDMA			1
#define KFD_IOC_QUEUE_TYPE_COMPUTE_AQL		2
#define KFD_IOC_QUEUE_TYPE_SDMA_XGMI		3
#define KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID	4	/* 1.17 */

struct kfd_ioctl_create_queue_args {
	__u64 ring_base_address;
	__u64 write_pointer_address, read_pointer_address;
	__u64 doorbell_offset;			/* out */
	__u32 ring_size;
	__u32 gpu_id;
	__u32 queue_type;
	__u32 queue_percentage;			/* bits 15:8 since 7.2: XCC that PM4 goes to */
	__u32 queue_priority;
	__u32 queue_id;				/* out */
	__u64 eop_buffer_address, eop_buffer_size;
	__u64 ctx_save_restore_address;
	__u32 ctx_save_restore_size, ctl_stack_size;
	__u32 sdma_engine_id;			/* 1.17 */
	__u32 metadata_ring_size;		/* 1.22 */
};

struct kfd_ioctl_destroy_queue_args {
	__u32 queue_id, pad;
};

struct kfd_ioctl_update_queue_args {
	__u64 ring_base_address;
	__u32 queue_id, ring_size;
	__u32 queue_percentage, queue_priority;
};

struct kfd_ioctl_set_cu_mask_args {
	__u32 queue_id;
	__u32 num_cu_mask;			/* bits */
	__u64 cu_mask_ptr;
};

struct kfd_ioctl_get_queue_wave_state_args {
	__u64 ctl_stack_address;
	__u32 ctl_stack_used_size, save_area_used_size;	/* out */
	__u32 queue_id, pad;
};

struct kfd_ioctl_alloc_queue_gws_args {
	__u32 queue_id, num_gws;
	__u32 first_gws;			/* out */
	__u32 pad;
};

/* Processes and devices */
#define KFD_PROC_FLAG_MFMA_HIGH_PRECISION	1	/* misc_process_flag */
#define KFD_IOC_CACHE_POLICY_COHERENT		0
#define KFD_IOC_CACHE_POLICY_NONCOHERENT	1

struct kfd_ioctl_set_memory_policy_args {
	__u64 alternate_aperture_base, alternate_aperture_size;
	__u32 gpu_id;
	__u32 default_policy, alternate_policy;
	__u32 misc_process_flag;		/* 1.18 */
};

struct kfd_ioctl_get_clock_counters_args {
	__u64 gpu_clock_counter, cpu_clock_counter, system_clock_counter, system_clock_freq;	/* out */
	__u32 gpu_id, pad;
};

struct kfd_process_device_apertures {
	__u64 lds_base, lds_limit;
	__u64 scratch_base, scratch_limit;
	__u64 gpuvm_base, gpuvm_limit;
	__u32 gpu_id, pad;
};

#define NUM_OF_SUPPORTED_GPUS	7

struct kfd_ioctl_get_process_apertures_args {
	struct kfd_process_device_apertures process_apertures[NUM_OF_SUPPORTED_GPUS];	/* out */
	__u32 num_of_nodes;			/* out */
	__u32 pad;
};

struct kfd_ioctl_get_process_apertures_new_args {
	__u64 kfd_process_device_apertures_ptr;
	__u32 num_of_nodes;			/* in: room, out: filled */
	__u32 pad;
};

struct kfd_ioctl_set_scratch_backing_va_args {
	__u64 va_addr;
	__u32 gpu_id, pad;
};

struct kfd_ioctl_get_tile_config_args {
	__u64 tile_config_ptr, macro_tile_config_ptr;
	__u32 num_tile_configs, num_macro_tile_configs;	/* in: room, out: filled */
	__u32 gpu_id;
	__u32 gb_addr_config, num_banks, num_ranks;	/* out */
};

struct kfd_ioctl_set_trap_handler_args {
	__u64 tba_addr, tma_addr;
	__u32 gpu_id, pad;
};

struct kfd_ioctl_acquire_vm_args {
	__u32 drm_fd, gpu_id;
};

struct kfd_ioctl_get_available_memory_args {
	__u64 available;			/* out */
	__u32 gpu_id, pad;
};

struct kfd_ioctl_set_xnack_mode_args {
	__s32 xnack_enabled;			/* in: 0, 1, or negative to ask; out */
};

struct kfd_ioctl_dbg_register_args {		/* withdrawn, as are its three neighbours */
	__u32 gpu_id, pad;
};

struct kfd_ioctl_dbg_unregister_args {
	__u32 gpu_id, pad;
};

struct kfd_ioctl_dbg_address_watch_args {
	__u64 content_ptr;
	__u32 gpu_id, buf_size_in_bytes;
};

struct kfd_ioctl_dbg_wave_control_args {
	__u64 content_ptr;
	__u32 gpu_id, buf_size_in_bytes;
};

struct kfd_ioctl_runtime_enable_args {		/* 1.13 */
	__u64 r_debug;
	__u32 mode_mask;			/* KFD_RUNTIME_ENABLE_MODE_* */
	__u32 capabilities_mask;
};

#define KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK	1u
#define KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK	2u

/* The debugger of a process's waves (1.13) */
enum kfd_dbg_trap_operations {
	KFD_IOC_DBG_TRAP_ENABLE,
	KFD_IOC_DBG_TRAP_DISABLE,
	KFD_IOC_DBG_TRAP_SEND_RUNTIME_EVENT,
	KFD_IOC_DBG_TRAP_SET_EXCEPTIONS_ENABLED,
	KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE,
	KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_MODE,
	KFD_IOC_DBG_TRAP_SUSPEND_QUEUES,
	KFD_IOC_DBG_TRAP_RESUME_QUEUES,
	KFD_IOC_DBG_TRAP_SET_NODE_ADDRESS_WATCH,
	KFD_IOC_DBG_TRAP_CLEAR_NODE_ADDRESS_WATCH,
	KFD_IOC_DBG_TRAP_SET_FLAGS,
	KFD_IOC_DBG_TRAP_QUERY_DEBUG_EVENT,
	KFD_IOC_DBG_TRAP_QUERY_EXCEPTION_INFO,
	KFD_IOC_DBG_TRAP_GET_QUEUE_SNAPSHOT,
	KFD_IOC_DBG_TRAP_GET_DEVICE_SNAPSHOT,
};

enum kfd_dbg_runtime_state {
	DEBUG_RUNTIME_STATE_DISABLED,
	DEBUG_RUNTIME_STATE_ENABLED,
	DEBUG_RUNTIME_STATE_ENABLED_BUSY,	/* it is, but the debugger cannot use the hardware: another one does */
	DEBUG_RUNTIME_STATE_ENABLED_ERROR,
};

struct kfd_runtime_info {
	__u64 r_debug;
	__u32 runtime_state;			/* enum kfd_dbg_runtime_state */
	__u32 ttmp_setup;
};

/* Exceptions that a debugger hears of; bit n - 1 of a mask is exception n */
#define EC_QUEUE_WAVE_ABORT		1
#define EC_QUEUE_WAVE_TRAP		2
#define EC_QUEUE_WAVE_MATH_ERROR	3
#define EC_QUEUE_WAVE_ILLEGAL_INSTRUCTION 4
#define EC_QUEUE_WAVE_MEMORY_VIOLATION	5
#define EC_QUEUE_WAVE_APERTURE_VIOLATION 6
#define EC_QUEUE_PACKET_FIRST		16
#define EC_QUEUE_PACKET_LAST		23
#define EC_QUEUE_PREEMPTION_ERROR	30
#define EC_QUEUE_NEW			31
#define EC_DEVICE_QUEUE_DELETE		32
#define EC_DEVICE_MEMORY_VIOLATION	33
#define EC_DEVICE_RAS_ERROR		34
#define EC_DEVICE_FATAL_HALT		35
#define EC_DEVICE_NEW			36
#define EC_PROCESS_RUNTIME		48
#define EC_PROCESS_DEVICE_REMOVE	49

#define KFD_EC_MASK(ecode)	(1ULL << ((ecode) - 1))
#define KFD_EC_MASK_QUEUE	0x607f803fULL
#define KFD_EC_MASK_DEVICE	0xf80000000ULL
#define KFD_EC_MASK_PROCESS	0x1800000000000ULL

#define KFD_DBG_TRAP_OVERRIDE_OR	0
#define KFD_DBG_TRAP_OVERRIDE_REPLACE	1

#define KFD_DBG_TRAP_MASK_DBG_ADDRESS_WATCH	128
#define KFD_DBG_TRAP_MASK_DBG_MEMORY_VIOLATION	256

#define KFD_DBG_TRAP_WAVE_LAUNCH_MODE_NORMAL	0
#define KFD_DBG_TRAP_WAVE_LAUNCH_MODE_HALT	1
#define KFD_DBG_TRAP_WAVE_LAUNCH_MODE_DEBUG	3

#define KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP		1
#define KFD_DBG_TRAP_FLAG_SINGLE_ALU_OP		2
#define KFD_DBG_TRAP_FLAG_LDS_OUT_OF_ADDR_RANGE	4

#define KFD_DBG_QUEUE_ERROR_MASK	(1U << 30)
#define KFD_DBG_QUEUE_INVALID_MASK	(1U << 31)

/* Begins the save area of a die; the driver writes the first part when the queue is suspended, the runtime the rest */
struct kfd_context_save_area_header {
	struct {
		__u32 control_stack_offset, control_stack_size;
		__u32 wave_state_offset, wave_state_size;
	} wave_state;
	__u32 debug_offset, debug_size;
	__u64 err_payload_addr;			/* of a word of exceptions */
	__u32 err_event_id;
	__u32 reserved1;
};

struct kfd_queue_snapshot_entry {
	__u64 exception_status;
	__u64 ring_base_address;
	__u64 write_pointer_address, read_pointer_address;
	__u64 ctx_save_restore_address;
	__u32 queue_id, gpu_id;
	__u32 ring_size, queue_type;
	__u32 ctx_save_restore_area_size;
	__u32 reserved;
};

struct kfd_dbg_device_info_entry {
	__u64 exception_status;
	__u64 lds_base, lds_limit;
	__u64 scratch_base, scratch_limit;
	__u64 gpuvm_base, gpuvm_limit;
	__u32 gpu_id;
	__u32 location_id, vendor_id, device_id, revision_id;
	__u32 subsystem_vendor_id, subsystem_device_id;
	__u32 fw_version, gfx_target_version;
	__u32 simd_count, max_waves_per_simd;
	__u32 array_count, simd_arrays_per_engine;
	__u32 num_xcc;
	__u32 capability, debug_prop, capability2;
	__u32 pad;
};

struct kfd_ioctl_dbg_trap_args {
	__u32 pid, op;				/* enum kfd_dbg_trap_operations */
	union {
		struct {
			__u64 exception_mask;
			__u64 rinfo_ptr;
			__u32 rinfo_size;	/* in/out */
			__u32 dbg_fd;
		} enable;
		struct {
			__u64 exception_mask;
			__u32 gpu_id, queue_id;
		} send_runtime_event;
		struct {
			__u64 exception_mask;
		} set_exceptions_enabled;
		struct {
			__u32 override_mode;
			__u32 enable_mask;	/* out: what was enabled before */
			__u32 support_request_mask;	/* out: what is supported */
			__u32 pad;
		} launch_override;
		struct {
			__u32 launch_mode;
			__u32 pad;
		} launch_mode;
		struct {
			__u64 exception_mask;
			__u64 queue_array_ptr;
			__u32 num_queues;
			__u32 grace_period;
		} suspend_queues;
		struct {
			__u64 queue_array_ptr;
			__u32 num_queues;
			__u32 pad;
		} resume_queues;
		struct {
			__u64 address;
			__u32 mode, mask;
			__u32 gpu_id;
			__u32 id;		/* out */
		} set_node_address_watch;
		struct {
			__u32 gpu_id, id;
		} clear_node_address_watch;
		struct {
			__u32 flags;		/* out: those of before */
			__u32 pad;
		} set_flags;
		struct {
			__u64 exception_mask;	/* in: to clear; out: raised */
			__u32 gpu_id, queue_id;
		} query_debug_event;
		struct {
			__u64 info_ptr;
			__u32 info_size;	/* in/out */
			__u32 source_id;
			__u32 exception_code;
			__u32 clear_exception;
		} query_exception_info;
		struct {
			__u64 exception_mask;
			__u64 snapshot_buf_ptr;
			__u32 num_queues, entry_size;	/* in/out */
		} queue_snapshot;
		struct {
			__u64 exception_mask;
			__u64 snapshot_buf_ptr;
			__u32 num_devices, entry_size;	/* in/out */
		} device_snapshot;
	};
};

/* Profiling */
#define KFD_IOC_PROFILER_PMC		0
#define KFD_IOC_PROFILER_VERSION	2
#define KFD_IOC_PROFILER_PTL_CONTROL	3
#define KFD_IOC_PROFILER_VERSION_NUM	1

struct kfd_ioctl_pmc_settings {
	__u32 gpu_id;
	__u32 lock;				/* 1: take the performance counters, 0: give them back */
	__u32 perfcount_enable;			/* they count what all queues do */
};

struct kfd_ioctl_ptl_control {			/* peak tops limiter */
	__u32 gpu_id, enable;
};

struct kfd_ioctl_profiler_args {		/* 1.23 */
	__u32 op;				/* KFD_IOC_PROFILER_* */
	union {
		struct kfd_ioctl_pmc_settings pmc;
		struct kfd_ioctl_ptl_control ptl;
		__u32 version;			/* out */
	};
};

/* Memory */
#define KFD_IOC_ALLOC_MEM_FLAGS_VRAM		(1u << 0)
#define KFD_IOC_ALLOC_MEM_FLAGS_GTT		(1u << 1)
#define KFD_IOC_ALLOC_MEM_FLAGS_USERPTR		(1u << 2)
#define KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL	(1u << 3)
#define KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP	(1u << 4)
#define KFD_IOC_ALLOC_MEM_FLAGS_CONTIGUOUS	(1u << 23)	/* 1.16 */
#define KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT	(1u << 24)
#define KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED	(1u << 25)
#define KFD_IOC_ALLOC_MEM_FLAGS_COHERENT	(1u << 26)
#define KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM	(1u << 27)
#define KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE	(1u << 28)
#define KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC		(1u << 29)
#define KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE	(1u << 30)
#define KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE	(1u << 31)

struct kfd_ioctl_alloc_memory_of_gpu_args {
	__u64 va_addr, size;
	__u64 handle;				/* out */
	__u64 mmap_offset;			/* in: of a user pointer, out */
	__u32 gpu_id, flags;
};

struct kfd_ioctl_free_memory_of_gpu_args {
	__u64 handle;
};

struct kfd_ioctl_map_memory_to_gpu_args {
	__u64 handle, device_ids_array_ptr;
	__u32 n_devices, n_success;		/* in, in and out: where an interrupted call goes on */
};

struct kfd_ioctl_unmap_memory_from_gpu_args {
	__u64 handle, device_ids_array_ptr;
	__u32 n_devices, n_success;
};

struct kfd_ioctl_get_dmabuf_info_args {
	__u64 size;				/* out */
	__u64 metadata_ptr;
	__u32 metadata_size;			/* in: room, out: filled */
	__u32 gpu_id, flags;			/* out */
	__u32 dmabuf_fd;
};

struct kfd_ioctl_import_dmabuf_args {
	__u64 va_addr;
	__u64 handle;				/* out */
	__u32 gpu_id, dmabuf_fd;
};

struct kfd_ioctl_export_dmabuf_args {		/* 1.12 */
	__u64 handle;
	__u32 flags;				/* of the file */
	__u32 dmabuf_fd;			/* out */
};

enum kfd_mmio_remap {
	KFD_MMIO_REMAP_HDP_MEM_FLUSH_CNTL = 0,
	KFD_MMIO_REMAP_HDP_REG_FLUSH_CNTL = 4,
};

/* Events */
#define KFD_IOC_EVENT_SIGNAL		0
#define KFD_IOC_EVENT_NODECHANGE	1
#define KFD_IOC_EVENT_DEVICESTATECHANGE	2
#define KFD_IOC_EVENT_HW_EXCEPTION	3
#define KFD_IOC_EVENT_SYSTEM_EVENT	4
#define KFD_IOC_EVENT_DEBUG_EVENT	5
#define KFD_IOC_EVENT_PROFILE_EVENT	6
#define KFD_IOC_EVENT_QUEUE_EVENT	7
#define KFD_IOC_EVENT_MEMORY		8

#define KFD_IOC_WAIT_RESULT_COMPLETE	0
#define KFD_IOC_WAIT_RESULT_TIMEOUT	1
#define KFD_IOC_WAIT_RESULT_FAIL	2

#define KFD_SIGNAL_EVENT_LIMIT		4096

#define KFD_HW_EXCEPTION_WHOLE_GPU_RESET	0
#define KFD_HW_EXCEPTION_PER_ENGINE_RESET	1
#define KFD_HW_EXCEPTION_GPU_HANG		0
#define KFD_HW_EXCEPTION_ECC			1

#define KFD_MEM_ERR_NO_RAS		0
#define KFD_MEM_ERR_SRAM_ECC		1
#define KFD_MEM_ERR_POISON_CONSUMED	2
#define KFD_MEM_ERR_GPU_HANG		3

struct kfd_ioctl_create_event_args {
	__u64 event_page_offset;		/* out; in: handle of a discrete GPU's page */
	__u32 event_trigger_data;		/* out */
	__u32 event_type, auto_reset, node_id;
	__u32 event_id, event_slot_index;	/* out */
};

struct kfd_ioctl_destroy_event_args {
	__u32 event_id, pad;
};

struct kfd_ioctl_set_event_args {
	__u32 event_id, pad;
};

struct kfd_ioctl_reset_event_args {
	__u32 event_id, pad;
};

struct kfd_memory_exception_failure {
	__u32 NotPresent, ReadOnly, NoExecute, imprecise;
};

struct kfd_hsa_memory_exception_data {
	struct kfd_memory_exception_failure failure;
	__u64 va;
	__u32 gpu_id;
	__u32 ErrorType;			/* KFD_MEM_ERR_* */
};

struct kfd_hsa_hw_exception_data {
	__u32 reset_type, reset_cause;		/* KFD_HW_EXCEPTION_* */
	__u32 memory_lost;
	__u32 gpu_id;
};

struct kfd_hsa_signal_event_data {		/* 1.14 */
	__u64 last_event_age;			/* in and out */
};

struct kfd_event_data {
	union {
		struct kfd_hsa_memory_exception_data memory_exception_data;
		struct kfd_hsa_hw_exception_data hw_exception_data;
		struct kfd_hsa_signal_event_data signal_event_data;
	};					/* out */
	__u64 kfd_event_data_ext;
	__u32 event_id, pad;
};

struct kfd_ioctl_wait_events_args {
	__u64 events_ptr;			/* struct kfd_event_data[] */
	__u32 num_events, wait_for_all;
	__u32 timeout;				/* ms; what is left if the call is interrupted */
	__u32 wait_result;			/* out: KFD_IOC_WAIT_RESULT_* */
};

/* System management interface: a file of lines */
enum kfd_smi_event {
	KFD_SMI_EVENT_NONE = 0,
	KFD_SMI_EVENT_VMFAULT,
	KFD_SMI_EVENT_THERMAL_THROTTLE,
	KFD_SMI_EVENT_GPU_PRE_RESET,
	KFD_SMI_EVENT_GPU_POST_RESET,
	KFD_SMI_EVENT_MIGRATE_START,
	KFD_SMI_EVENT_MIGRATE_END,
	KFD_SMI_EVENT_PAGE_FAULT_START,
	KFD_SMI_EVENT_PAGE_FAULT_END,
	KFD_SMI_EVENT_QUEUE_EVICTION,
	KFD_SMI_EVENT_QUEUE_RESTORE,
	KFD_SMI_EVENT_UNMAP_FROM_GPU,
	KFD_SMI_EVENT_PROCESS_START,
	KFD_SMI_EVENT_PROCESS_END,
	KFD_SMI_EVENT_ALL_PROCESS = 64,
};

enum KFD_MIGRATE_TRIGGERS {
	KFD_MIGRATE_TRIGGER_PREFETCH,
	KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU,
	KFD_MIGRATE_TRIGGER_PAGEFAULT_CPU,
	KFD_MIGRATE_TRIGGER_TTM_EVICTION,
};

enum KFD_SVM_UNMAP_TRIGGERS {
	KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY,
	KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY_MIGRATE,
	KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU,
};

enum KFD_QUEUE_EVICTION_TRIGGERS {
	KFD_QUEUE_EVICTION_TRIGGER_SVM,
	KFD_QUEUE_EVICTION_TRIGGER_USERPTR,
	KFD_QUEUE_EVICTION_TRIGGER_TTM,
	KFD_QUEUE_EVICTION_TRIGGER_SUSPEND,
	KFD_QUEUE_EVICTION_CRIU_CHECKPOINT,
	KFD_QUEUE_EVICTION_CRIU_RESTORE,
};

#define KFD_SMI_EVENT_MASK_FROM_INDEX(i)	(1ULL << ((i) - 1))
#define KFD_SMI_EVENT_MSG_SIZE			96

struct kfd_ioctl_smi_events_args {
	__u32 gpuid;
	__u32 anon_fd;				/* out */
};

/* Checkpoint and restore */
enum kfd_criu_op {
	KFD_CRIU_OP_PROCESS_INFO,
	KFD_CRIU_OP_CHECKPOINT,
	KFD_CRIU_OP_UNPAUSE,
	KFD_CRIU_OP_RESTORE,
	KFD_CRIU_OP_RESUME,
};

struct kfd_ioctl_criu_args {
	__u64 devices, bos, priv_data;		/* pointers */
	__u64 priv_data_size;
	__u32 num_devices, num_bos, num_objects;
	__u32 pid;				/* PROCESS_INFO: out; RESUME: in */
	__u32 op;
};

struct kfd_criu_device_bucket {
	__u32 user_gpu_id;			/* as the process knows it */
	__u32 actual_gpu_id;
	__u32 drm_fd;				/* RESTORE: in */
	__u32 pad;
};

#define KFD_INVALID_FD 0xffffffff

struct kfd_criu_bo_bucket {
	__u64 addr, size;			/* GPU's */
	__u64 offset;				/* CHECKPOINT: out; for mmap */
	__u64 restored_offset;			/* RESTORE: out; the new one */
	__u32 gpu_id;				/* as the process knows it */
	__u32 alloc_flags;
	__u32 dmabuf_fd;			/* out; KFD_INVALID_FD: none */
	__u32 pad;
};

/* Shared virtual memory */
#define KFD_IOCTL_SVM_FLAG_HOST_ACCESS		0x01
#define KFD_IOCTL_SVM_FLAG_COHERENT		0x02
#define KFD_IOCTL_SVM_FLAG_HIVE_LOCAL		0x04
#define KFD_IOCTL_SVM_FLAG_GPU_RO		0x08
#define KFD_IOCTL_SVM_FLAG_GPU_EXEC		0x10
#define KFD_IOCTL_SVM_FLAG_GPU_READ_MOSTLY	0x20
#define KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED	0x40
#define KFD_IOCTL_SVM_FLAG_EXT_COHERENT		0x80

enum kfd_ioctl_svm_op {
	KFD_IOCTL_SVM_OP_SET_ATTR,
	KFD_IOCTL_SVM_OP_GET_ATTR,
};

/* Locations are GPU ids, or one of these. */
enum kfd_ioctl_svm_location {
	KFD_IOCTL_SVM_LOCATION_SYSMEM,
	KFD_IOCTL_SVM_LOCATION_UNDEFINED = 0xffffffff,
};

enum kfd_ioctl_svm_attr_type {
	KFD_IOCTL_SVM_ATTR_PREFERRED_LOC,
	KFD_IOCTL_SVM_ATTR_PREFETCH_LOC,
	KFD_IOCTL_SVM_ATTR_ACCESS,
	KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE,
	KFD_IOCTL_SVM_ATTR_NO_ACCESS,
	KFD_IOCTL_SVM_ATTR_SET_FLAGS,
	KFD_IOCTL_SVM_ATTR_CLR_FLAGS,
	KFD_IOCTL_SVM_ATTR_GRANULARITY,
};

struct kfd_ioctl_svm_attribute {
	__u32 type, value;
};

struct kfd_ioctl_svm_args {
	__u64 start_addr, size;
	__u32 op, nattr;
	struct kfd_ioctl_svm_attribute attrs[];
};

#define AMDKFD_IOR(nr, type)	_IOR('K', nr, struct kfd_ioctl_##type##_args)
#define AMDKFD_IOW(nr, type)	_IOW('K', nr, struct kfd_ioctl_##type##_args)
#define AMDKFD_IOWR(nr, type)	_IOWR('K', nr, struct kfd_ioctl_##type##_args)

#define AMDKFD_IOC_GET_VERSION			AMDKFD_IOR(0x01, get_version)
#define AMDKFD_IOC_CREATE_QUEUE			AMDKFD_IOWR(0x02, create_queue)
#define AMDKFD_IOC_DESTROY_QUEUE		AMDKFD_IOWR(0x03, destroy_queue)
#define AMDKFD_IOC_SET_MEMORY_POLICY		AMDKFD_IOW(0x04, set_memory_policy)
#define AMDKFD_IOC_GET_CLOCK_COUNTERS		AMDKFD_IOWR(0x05, get_clock_counters)
#define AMDKFD_IOC_GET_PROCESS_APERTURES	AMDKFD_IOR(0x06, get_process_apertures)
#define AMDKFD_IOC_UPDATE_QUEUE			AMDKFD_IOW(0x07, update_queue)
#define AMDKFD_IOC_CREATE_EVENT			AMDKFD_IOWR(0x08, create_event)
#define AMDKFD_IOC_DESTROY_EVENT		AMDKFD_IOW(0x09, destroy_event)
#define AMDKFD_IOC_SET_EVENT			AMDKFD_IOW(0x0a, set_event)
#define AMDKFD_IOC_RESET_EVENT			AMDKFD_IOW(0x0b, reset_event)
#define AMDKFD_IOC_WAIT_EVENTS			AMDKFD_IOWR(0x0c, wait_events)
#define AMDKFD_IOC_DBG_REGISTER_DEPRECATED	AMDKFD_IOW(0x0d, dbg_register)
#define AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED	AMDKFD_IOW(0x0e, dbg_unregister)
#define AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED	AMDKFD_IOW(0x0f, dbg_address_watch)
#define AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED	AMDKFD_IOW(0x10, dbg_wave_control)
#define AMDKFD_IOC_SET_SCRATCH_BACKING_VA	AMDKFD_IOWR(0x11, set_scratch_backing_va)
#define AMDKFD_IOC_GET_TILE_CONFIG		AMDKFD_IOWR(0x12, get_tile_config)
#define AMDKFD_IOC_SET_TRAP_HANDLER		AMDKFD_IOW(0x13, set_trap_handler)
#define AMDKFD_IOC_GET_PROCESS_APERTURES_NEW	AMDKFD_IOWR(0x14, get_process_apertures_new)
#define AMDKFD_IOC_ACQUIRE_VM			AMDKFD_IOW(0x15, acquire_vm)
#define AMDKFD_IOC_ALLOC_MEMORY_OF_GPU		AMDKFD_IOWR(0x16, alloc_memory_of_gpu)
#define AMDKFD_IOC_FREE_MEMORY_OF_GPU		AMDKFD_IOW(0x17, free_memory_of_gpu)
#define AMDKFD_IOC_MAP_MEMORY_TO_GPU		AMDKFD_IOWR(0x18, map_memory_to_gpu)
#define AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU	AMDKFD_IOWR(0x19, unmap_memory_from_gpu)
#define AMDKFD_IOC_SET_CU_MASK			AMDKFD_IOW(0x1a, set_cu_mask)
#define AMDKFD_IOC_GET_QUEUE_WAVE_STATE		AMDKFD_IOWR(0x1b, get_queue_wave_state)
#define AMDKFD_IOC_GET_DMABUF_INFO		AMDKFD_IOWR(0x1c, get_dmabuf_info)
#define AMDKFD_IOC_IMPORT_DMABUF		AMDKFD_IOWR(0x1d, import_dmabuf)
#define AMDKFD_IOC_ALLOC_QUEUE_GWS		AMDKFD_IOWR(0x1e, alloc_queue_gws)
#define AMDKFD_IOC_SMI_EVENTS			AMDKFD_IOWR(0x1f, smi_events)
#define AMDKFD_IOC_SVM				AMDKFD_IOWR(0x20, svm)
#define AMDKFD_IOC_SET_XNACK_MODE		AMDKFD_IOWR(0x21, set_xnack_mode)
#define AMDKFD_IOC_CRIU_OP			AMDKFD_IOWR(0x22, criu)
#define AMDKFD_IOC_AVAILABLE_MEMORY		AMDKFD_IOWR(0x23, get_available_memory)
#define AMDKFD_IOC_EXPORT_DMABUF		AMDKFD_IOWR(0x24, export_dmabuf)
#define AMDKFD_IOC_RUNTIME_ENABLE		AMDKFD_IOWR(0x25, runtime_enable)
#define AMDKFD_IOC_DBG_TRAP			AMDKFD_IOWR(0x26, dbg_trap)
#define AMDKFD_IOC_CREATE_PROCESS		_IO('K', 0x27)
#define AMDKFD_IOC_PROFILER			AMDKFD_IOWR(0x28, profiler)

#define AMDKFD_COMMAND_START	0x01
#define AMDKFD_COMMAND_END	0x29

#endif
