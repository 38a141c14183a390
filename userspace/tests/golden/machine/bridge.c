// SPDX-License-Identifier: MIT
/*
 * The amdgpu side of the bridge: takes notes. Memory comes from a bump allocator in steps of 64 KiB, so that addresses are those of
 * the vectors.
 */
#include "machine_internal.h"

#define STEP 0x10000u

static struct machine_call calls[4096];
static u32 num_calls;

struct amdm_gtt {
	u64 gpu_addr;
	size_t bytes;
	void *cpu;
};

static struct amdm_gtt gtts[16384];
static u32 num_gtts, first_new_gtt;
static u64 gtt_next;

void machine_forget(void)
{
	u32 i;

	num_calls = 0;
	machine_forget_resets();
	first_new_gtt = num_gtts;
	for (i = 0; i < machine_num_gpus; i++)
		machine_gpus[i].num_packets = 0;
}

const struct machine_call *machine_calls(uint32_t *count)
{
	*count = num_calls;
	return calls;
}

bool machine_gtt_alloc(uint32_t index, uint64_t *bytes, uint64_t *gpu_addr)
{
	if (first_new_gtt + index >= num_gtts)
		return false;
	*bytes = gtts[first_new_gtt + index].bytes;
	*gpu_addr = gtts[first_new_gtt + index].gpu_addr;
	return true;
}

/* What was allocated first on a device: the pool for all else. */
u32 machine_first_gtt_bytes(void)
{
	return num_gtts ? (u32)gtts[0].bytes : 0;
}

static void note_array(const char *name, const u64 *args, u32 count)
{
	struct machine_call *call = &calls[num_calls];

	if (num_calls + 1 >= ARRAY_SIZE(calls) || count > ARRAY_SIZE(call->args))
		abort();
	num_calls++;
	call->name = name;
	call->count = count;
	memcpy(call->args, args, count * sizeof(*args));
}

#define NOTE(name, ...) note_array(name, (const u64[]){ __VA_ARGS__ }, sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

static int gtt_alloc(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu)
{
	struct amdm_gtt *gtt = &gtts[num_gtts];

	if (num_gtts == ARRAY_SIZE(gtts))
		return -ENOMEM;
	gtt->cpu = calloc(1, size);
	if (!gtt->cpu)
		return -ENOMEM;
	num_gtts++;
	if (!gtt_next)
		gtt_next = machine_parameters.gtt_start;
	gtt->gpu_addr = gtt_next;
	gtt->bytes = size;
	gtt_next += round_up((u64)size, (u64)STEP);
	*mem = gtt;
	*gpu_addr = gtt->gpu_addr;
	*cpu = gtt->cpu;
	return 0;
}

void machine_next_gtt(u64 gpu_addr)
{
	gtt_next = gpu_addr;
}

static void gtt_free(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	free(gtt->cpu);
	gtt->cpu = NULL;
}

void *machine_cpu_address(u64 gpu_addr)
{
	u32 i;

	for (i = 0; i < num_gtts; i++)
		if (gtts[i].cpu && gpu_addr >= gtts[i].gpu_addr && gpu_addr - gtts[i].gpu_addr < gtts[i].bytes)
			return (char *)gtts[i].cpu + (gpu_addr - gtts[i].gpu_addr);
	return NULL;
}

static u64 page_directory;

void machine_page_directory(uint64_t base)
{
	page_directory = base;
}

static int vm_acquire(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm)
{
	*vm = calloc(1, sizeof(**vm));
	(*vm)->process = machine_num_processes;
	(*vm)->gpu = adev->index;
	return 0;
}

static void vm_release(struct amdm_device *adev, struct amdm_vm *vm)
{
	free(vm);
}

/* What is mapped where is not part of a record. */
static int vm_hold(struct amdm_vm *vm, u64 va, u64 bytes, struct amdm_hold **hold)
{
	*hold = NULL;
	return 0;
}

static void vm_unhold(struct amdm_hold *hold)
{
}

static u64 vm_page_table_base(struct amdm_vm *vm)
{
	return page_directory ^ (u64)vm->process << 16 ^ (u64)(vm->gpu + 1) << 20;
}

static int tlb_flush_pasid(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	NOTE("flush_tlb", pasid, type);
	return 0;
}

static void tlb_flush_vmid(struct amdm_device *adev, u32 vmid)
{
	NOTE("flush_tlb", adev->pasid_of_vmid[vmid % 16], 0);
}

struct amdm_mem {
	u64 size;
	void *cpu;
};

static int mem_alloc(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr,
		     struct amdm_mem **mem, u64 *mmap_offset)
{
	NOTE("gpuvm_alloc", va, size, flags);
	*mem = calloc(1, sizeof(**mem));
	(*mem)->size = size;
	(*mem)->cpu = calloc(1, size);
	if (mmap_offset)
		*mmap_offset = 0;
	return 0;
}

static int mem_free(struct amdm_device *adev, struct amdm_mem *mem)
{
	free(mem->cpu);
	free(mem);
	return 0;
}

static int mem_map(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	return 0;
}

static int mem_kmap(struct amdm_mem *mem, void **cpu, u64 *size)
{
	*cpu = mem->cpu;
	if (size)
		*size = mem->size;
	return 0;
}

static void mem_kunmap(struct amdm_mem *mem)
{
}

static void doorbell_write64(struct amdm_device *adev, u32 offset, u64 value)
{
}

static void doorbell_write32(struct amdm_device *adev, u32 offset, u32 value)
{
}

static void doorbell_reset(struct amdm_device *adev, u32 offset, u32 size)
{
}

static void program_sh_mem_settings(struct amdm_xcp *xcp, u32 vmid, u32 config, u32 ape1_base, u32 ape1_limit, u32 bases)
{
	NOTE("program_sh_mem_settings", vmid, config, ape1_base, ape1_limit, bases);
}

static int set_pasid_vmid_mapping(struct amdm_xcp *xcp, u32 pasid, u32 vmid)
{
	struct amdm_device *adev = xcp->adev;

	NOTE("set_pasid_vmid_mapping", pasid, vmid);
	adev->pasid_of_vmid[vmid % 16] = pasid;
	return 0;
}

static int init_interrupts(struct amdm_device *adev, u32 pipe)
{
	NOTE("init_interrupts", pipe);
	return 0;
}

static int hiq_mqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u32 doorbell_off)
{
	NOTE("hiq_mqd_load", pipe, queue, doorbell_off);
	return 0;
}

static int hqd_load(struct amdm_xcp *xcp, void *mqd, u32 pipe, u32 queue, u64 __user *wptr, u32 wptr_shift, u32 wptr_mask,
		    struct mm_struct *mm)
{
	NOTE("hqd_load", pipe, queue, (uintptr_t)wptr, wptr_shift, wptr_mask);
	return 0;
}

static int hqd_sdma_load(struct amdm_device *adev, void *mqd, u64 __user *wptr, struct mm_struct *mm)
{
	NOTE("hqd_sdma_load", (uintptr_t)wptr);
	return 0;
}

static int hqd_destroy(struct amdm_xcp *xcp, void *mqd, enum kfd_bridge_preempt type, u32 timeout_ms, u32 pipe, u32 queue)
{
	NOTE("hqd_destroy", type, timeout_ms, pipe, queue);
	return 0;
}

static int hqd_sdma_destroy(struct amdm_device *adev, void *mqd, u32 timeout_ms)
{
	NOTE("hqd_sdma_destroy", timeout_ms);
	return 0;
}

static int wave_control(struct amdm_xcp *xcp, u32 gfx_index, u32 sq_cmd)
{
	NOTE("wave_control", gfx_index, sq_cmd);
	return 0;
}

static bool vmid_pasid(struct amdm_xcp *xcp, u32 vmid, u16 *pasid)
{
	struct amdm_device *adev = xcp->adev;

	*pasid = adev->pasid_of_vmid[vmid % 16];
	return *pasid;
}

static void set_vm_context_page_table_base(struct amdm_xcp *xcp, u32 vmid, u64 base)
{
	NOTE("set_vm_context_page_table_base", vmid, base);
}

static void set_scratch_backing_va(struct amdm_device *adev, u64 va, u32 vmid)
{
	if (!adev->gpu.soc15)
		NOTE("set_scratch_backing_va", va, vmid);
}

static int set_launch_mode(struct amdm_device *adev, u32 vmid, u32 mode)
{
	return -EOPNOTSUPP;
}

static int set_trap_mask(struct amdm_device *adev, u32 exceptions)
{
	return -EOPNOTSUPP;
}

static int set_watch(struct amdm_device *adev, u32 n, u64 address, const u32 *control)
{
	return -EOPNOTSUPP;
}

static void program_trap_handler(struct amdm_xcp *xcp, u32 vmid, u64 tba, u64 tma)
{
	if (xcp->adev->gpu.gc_version < 0x0b0000)
		NOTE("program_trap_handler_settings", vmid, tba, tma);
}

static int submit_ib(struct amdm_device *adev, u32 vmid, u64 gpu_addr, const u32 *ib, u32 dwords)
{
	enum { ENGINE_MEC1 = 4, SHOWN = 8 };
	u64 args[4 + SHOWN] = { ENGINE_MEC1, vmid, gpu_addr, dwords };
	u32 i;

	for (i = 0; i < SHOWN; i++)
		args[4 + i] = i < dwords ? ib[i] : 0;
	note_array("submit_ib", args, ARRAY_SIZE(args));
	return 0;
}

static int mes_add_queue(struct amdm_device *adev, const struct kgd_mes_queue *q)
{
	const u64 args[] = {
		q->pasid, q->page_table_base, 0, adev->gpu.max_pfn - 1, q->process_quantum, q->process_ctx, q->gang_quantum,
		q->gang_ctx, q->priority, q->level, q->doorbell_off, q->mqd, q->wptr, q->type, 1 /* KFD's */, q->is_aql,
		q->ring_dwords, q->tba, q->tma, q->gws_size,
	};

	note_array("mes_add_queue", args, ARRAY_SIZE(args));
	return 0;
}

static int mes_remove_queue(struct amdm_device *adev, u32 doorbell_off, u64 gang_ctx)
{
	NOTE("mes_remove_queue", doorbell_off, gang_ctx);
	return 0;
}

static void gpu_reset(struct amdm_device *adev)
{
}

static void wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait)
{
	wait->host_ns = shim_ns;
}

static bool wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms)
{
	return shim_ns - wait->host_ns >= ms * 1000000ULL;
}

static u32 iq_wait_times(struct amdm_device *adev, u32 *reg)
{
	*reg = 0;
	return 0;
}

const struct kfd2kgd_ops machine_kgd = {
	.several_xcc = true,
	.gtt_alloc = gtt_alloc,
	.gtt_free = gtt_free,
	.vm_acquire = vm_acquire,
	.vm_release = vm_release,
	.vm_page_table_base = vm_page_table_base,
	.vm_hold = vm_hold,
	.vm_unhold = vm_unhold,
	.tlb_flush_pasid = tlb_flush_pasid,
	.tlb_flush_vmid = tlb_flush_vmid,
	.mem_alloc = mem_alloc,
	.mem_free = mem_free,
	.mem_map = mem_map,
	.mem_unmap = mem_map,
	.mem_kmap = mem_kmap,
	.mem_kunmap = mem_kunmap,
	.doorbell_write32 = doorbell_write32,
	.doorbell_write64 = doorbell_write64,
	.doorbell_reset = doorbell_reset,
	.program_sh_mem_settings = program_sh_mem_settings,
	.set_pasid_vmid_mapping = set_pasid_vmid_mapping,
	.init_interrupts = init_interrupts,
	.hiq_mqd_load = hiq_mqd_load,
	.hqd_load = hqd_load,
	.hqd_sdma_load = hqd_sdma_load,
	.hqd_destroy = hqd_destroy,
	.hqd_sdma_destroy = hqd_sdma_destroy,
	.hqd_ring = machine_hqd_ring,
	.hqd_reset = machine_hqd_reset,
	.hqd_sdma_doorbell = machine_hqd_sdma_doorbell,
	.sdma_reset_engine = machine_sdma_reset_engine,
	.wave_control = wave_control,
	.vmid_pasid = vmid_pasid,
	.set_vm_context_page_table_base = set_vm_context_page_table_base,
	.set_scratch_backing_va = set_scratch_backing_va,
	.program_trap_handler = program_trap_handler,
	.set_launch_mode = set_launch_mode,
	.set_trap_mask = set_trap_mask,
	.set_watch = set_watch,
	.submit_ib = submit_ib,
	.iq_wait_times = iq_wait_times,
	.mes_add_queue = mes_add_queue,
	.mes_remove_queue = mes_remove_queue,
	.gpu_reset = gpu_reset,
	.wait_begin = wait_begin,
	.wait_is_over = wait_is_over,
};
