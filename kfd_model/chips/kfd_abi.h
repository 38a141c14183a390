/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_ABI_H
#define KFD_ABI_H

#include "kfd_capability.h"
#include "kfd_model/queue/kfd_queue_buffers.h"

/**
 * struct kfdm_smi_style - SMI streams of a driver
 * @fifo_bytes:     that wait to be read
 * @root_sees_all:  who may administer the machine need not ask for other processes' events
 * @tells_processes: a process that begins or ends to use a device is an event
 * @reset_cause:    a reset's event has it behind the number; the event of its end has a space there
 * @restored:       third word of a restoring that has succeeded
 * @tells_errors:   the end of a migration has its error behind it, and is an event also if there was one
 * @faults_for_all: a fault is the device's event, not its process's
 */
struct kfdm_smi_style {
	u32 fifo_bytes;
	bool root_sees_all, tells_processes, tells_errors, faults_for_all, reset_cause;
	const char *restored;
};

/**
 * struct kfdm_abi - a driver that the model can be
 * @name:  value of the module parameter "abi"
 * @chips, @num_chips: what it drives; the rows' slots are its descriptors, packets, registers and interrupt entries
 *
 * @ioctl_minor: what GET_VERSION says: no more than is there
 * @ioctl_end:   first ioctl number that it does not know
 * @tma_offset:  where the trap handler's data begins in its two pages: the longest handler of the driver is before it
 * @gpu_id:      name of a GPU; two that would have the same are told apart by the topology
 * @capability:  of a GPU node
 * @debug_capability, @debug_capability2, @debug_prop: what a debugger finds there beside it; NULL: the driver has no such thing
 * @svm:         it is built with shared virtual memory (CONFIG_HSA_AMD_SVM)
 * @debugger:    one can attach, and the nodes say so; @mes_debugger: those with a MES, too
 * @tells_save_sizes: a node tells how large context save areas must be
 * @tells_xcc:   a node tells of its compute dies, and links and caches tell more, too
 * @pasid_of_vm: each address space has a PASID of its own (true), or a process has one for all
 * @imports_of_others: IMPORT_DMABUF takes buffers of other GPUs and drivers
 * @holds_buffers: CREATE_QUEUE looks for the queue's buffers, which stay mapped as long as it lives
 * @file_has_process: mmap() is the file's, not the caller's
 * @open_needs_gpu: open() refuses a task that may use no GPU
 * @open_fails_busy: what open() says while a GPU is being reset
 * @smi: what differs about SMI streams
 * @event_ages: WAIT_EVENTS counts how often an event has happened, so that no waiter misses what another one consumes
 * @waits_tell_hw_exceptions: WAIT_EVENTS hands out what a hardware exception was
 * @queue_rules: what it takes from user space as a queue
 * @sdma_reserved: how many of the first SDMA queues amdgpu keeps, by their number an engine; NULL: by the chip's SDMA version
 * @queue_type_numbers: what sysfs shows for a queue of each enum kfdm_queue_type
 * @policy_reaches_registers: without firmware scheduling, a running process's registers are written after a memory policy that was
 *   taken (true), or one that was refused
 * @groups_by_xnack: processes that do the same about faults follow each other on a run list
 * @counts_until_unmapped: MAP_PROCESS still counts the queue that is being destroyed
 * @remembers_hang: firmware that did not answer is not asked again before the reset (true), or is, and all processes that have
 *   queues then are marked, their queues not to be changed any more
 * @resets_hung_queues: a queue that cannot be preempted is reset alone, and the GPU only if that fails
 *
 * @criu_gpus: GPUs that a buffer of a checkpoint has room for
 * @criu_keeps_va_0: buffers that are for no address are in a checkpoint
 *
 * What Linux's versions do differently is a fact or a slot here or in a chip's row; nothing else asks for a version.
 */
struct kfdm_abi {
	const char *name;
	const struct kfdm_chip *chips;
	u32 num_chips;
	u32 ioctl_minor, ioctl_end;
	u32 tma_offset;
	u32 (*gpu_id)(const struct kfdm_gpu_identity *identity);
	u32 (*capability)(const struct kfdm_capability_inputs *in);
	u32 (*debug_capability)(const struct kfdm_capability_inputs *in);
	u32 (*debug_capability2)(const struct kfdm_capability_inputs *in);
	u32 (*debug_prop)(const struct kfdm_capability_inputs *in);
	bool tells_save_sizes, tells_xcc;
	bool svm, debugger, mes_debugger, pasid_of_vm, imports_of_others, holds_buffers, file_has_process, open_needs_gpu;
	int open_fails_busy;
	struct kfdm_smi_style smi;
	bool event_ages, waits_tell_hw_exceptions;
	struct kfdm_queue_rules queue_rules;
	u8 queue_type_numbers[KFDM_QUEUE_TYPES];
	u32 (*sdma_reserved)(u32 engines, u32 reserved_per_engine);
	bool policy_reaches_registers;
	u32 criu_gpus;
	bool criu_keeps_va_0;
	bool groups_by_xnack, counts_until_unmapped, remembers_hang, resets_hung_queues;
};

extern const struct kfdm_abi kfdm_abi_6_1;
extern const struct kfdm_abi kfdm_abi_7_2;
extern const struct kfdm_abi *kfdm_abi;		/* the one that this module is: chosen before there is a device */

const struct kfdm_abi *kfdm_abi_find(const char *name);

#endif
