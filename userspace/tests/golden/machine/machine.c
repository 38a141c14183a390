// SPDX-License-Identifier: MIT
/* What a test does with the machine, and what it may see of it */
#include "machine.h"

#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/topology/kfd_crat.h"
#include "kfd_model/ioctl/kfd_ioctl.h"
#include "kfd_model/topology/kfd_topology.h"
#include "machine_internal.h"

struct amdm_device machine_gpus[MACHINE_MAX_GPUS];
u32 machine_num_gpus;
struct kfdm_process *machine_processes[MACHINE_MAX_PROCESSES];
u32 machine_num_processes;
struct machine_parameters machine_parameters;

void machine_start(const struct machine_parameters *p)
{
	machine_parameters = *p;
	amdm_kfd_param = (struct amdm_kfd_parameters){
		.sched_policy = p->sched_policy,
		.hws_max_conc_proc = p->hws_max_conc_proc,
		.cwsr_enable = p->cwsr_enable,
		.max_num_of_queues_per_device = p->max_queues,
		.hws_gws_support = p->hws_gws,
		.queue_preemption_timeout_ms = p->preempt_ms,
	};
	shim_cpus.cpus = p->cpus;
	shim_cpus.max_khz = p->cpu_khz;
	shim_idle = machine_run_firmware;
	kfdm_kgd = &machine_kgd;
	if (kfdm_topology_init())
		abort();
}

/* amdgpu_amdkfd_get_pcie_bandwidth_mbytes: lanes times the rate of a lane, the least or the most that both ends can do */
static u32 pcie_mbs(const struct machine_gpu *g, bool least)
{
	static const u32 lanes[] = { 1, 2, 4, 8, 12, 16, 32 };
	static const u32 mbits[] = { 2500, 5000, 8000, 16000, 32000 };
	u32 widths = g->pcie_mlw >> 16, speeds = g->pcie_gen >> 16;
	u32 width = (least ? ffs(widths) : fls(widths)) - 1, speed = (least ? ffs(speeds) : fls(speeds)) - 1;

	return width < ARRAY_SIZE(lanes) && speed < ARRAY_SIZE(mbits) ? lanes[width] * mbits[speed] / 8 : 0;
}

static struct kgd_cache_config caches_of(const struct machine_gpu *g)
{
	return (struct kgd_cache_config){
		.tcp_kib = g->gc_tcp_l1,
		.tcp_per_wgp = g->gc_tcp_per_wgp,
		.icache_kib = g->gc_icache,
		.dcache_kib = g->gc_dcache,
		.cus_per_sqc = g->gc_cus_per_sqc,
		.sqc_per_wgp = g->gc_sqc_per_wgp,
		.gl1_kib = g->gc_gl1c_size,
		.gl1_per_array = g->gc_gl1c_per_sa,
		.gl2_kib = g->gc_gl2c,
		.tcp_line = g->gc_tcp_line,
		.icache_line = g->gc_l1i_line,
		.dcache_line = g->gc_l1d_line,
		.gl2_line = g->gc_tcc_line,
		.mall_kib = (u32)(g->mall / 1024),
	};
}

static void fill_facts(const struct machine_gpu *g, struct kgd2kfd_facts *f)
{
	*f = (struct kgd2kfd_facts){
		.gc_version = g->gc_version,
		.sdma_version = g->sdma_version,
		.pci_vendor = g->vendor,
		.pci_device = g->device,
		.pci_subvendor = g->sub_vendor,
		.pci_subdevice = g->sub_device,
		.pci_domain = g->domain,
		.pci_location = g->bus << 8 | g->devfn,
		.pci_revision = g->rev_id,
		.unique_id = g->unique_id,
		.hive_id = machine_parameters.use_xgmi ? g->hive : 0,
		.num_se = g->num_se,
		.num_sh_per_se = g->num_sh_per_se,
		.max_cu_per_sh = g->max_cu_per_sh,
		.cu_active = g->cu_active,
		.simd_per_cu = g->simd_per_cu,
		.max_waves_per_simd = g->max_waves,
		.wave_front_size = g->wave,
		.max_scratch_slots_per_cu = g->scratch_slots,
		.lds_kb = g->lds,
		.caches = caches_of(g),
		.vram_public = g->vis_vram,
		.vram_private = g->vram - g->vis_vram,
		.vram_width = g->vram_width,
		.mem_clk_mhz = g->mclk / 100,
		.engine_clk_mhz = g->sclk / 100,
		.mec_fw = g->mec_fw,
		.mec2_fw = g->mec2_fw,
		.mes_version = g->mes_version,
		.noretry = g->noretry,
		.xnack_chain = g->xnack_chain,
		.enable_mes = g->mes,
		.sdma_fw = g->sdma_fw,
		.sdma_engines = g->num_sdma,
		.xgmi_supported = g->xgmi,
		.virtual_function = g->vf,
		.rs64 = g->rs64,
		.app_apu = g->app_apu,
		.exp_hw_support = true,
		.gws_size = g->gws_size,
		.pcie_min_mbs = pcie_mbs(g, true),
		.pcie_max_mbs = pcie_mbs(g, false),
		.asic_revision = g->rev_id,
		.ras = g->ras,
		.svm = g->svm,
		.pci_atomics = g->atomics,
		.completes_atomics = g->devcap2 & 0x180,
		.peer_access = g->peer_access,
		.large_bar = machine_parameters.debug_largebar,
		.xgmi_to_cpu = g->xgmi_cpu,
		.xgmi_hops = g->xgmi_hops,
		.xgmi_links = g->xgmi_links,
		.num_xcc = max(g->num_xcc, 1u),
		.first_xcc = g->first_xcc,
		.partition = g->partition,
		.partitions = max(g->partitions, 1u),
		.die_is_partition = g->die_is_partition,
		.memory_partitions = max(g->memory_partitions, 1u),
		.isolates_processes = g->isolates,
	};
	snprintf(f->name, sizeof(f->name), "%.23s", g->name);
	for (u32 xcc = 0; xcc < g->num_xcc; xcc++)	/* the makers' GET_INST() changes nothing */
		f->physical_xcc[xcc] = g->first_xcc + xcc;
	memcpy(f->cu_bitmap, g->cu_bitmap, sizeof(f->cu_bitmap));
}

/* amdgpu_device_doorbell_init and amdgpu_doorbell_get_kfd_info: all of the BAR is KFD's that amdgpu has no use for. */
static u32 amdgpu_doorbells(const struct machine_gpu *g)
{
	u32 all = (u32)(g->db_size / sizeof(u32));

	if (g->mes)
		return all;
	return min_t(u32, all, g->max_assignment + 1) + (g->soc15 ? 0x400 : 0);
}

static void fill_resources(const struct machine_gpu *g, struct kgd2kfd_resources *r)
{
	u32 slot, slots = g->pipes * g->qpp;

	*r = (struct kgd2kfd_resources){
		.compute_vmid_bitmap = 0xffff & ~((1u << g->first_vmid) - 1),
		.num_pipe_per_mec = g->pipes,
		.num_queue_per_pipe = g->qpp,
		.gpuvm_size = min_t(u64, g->max_pfn << 12, 1ULL << 47),
		.va_size = g->max_pfn << 12,
		.drm_render_minor = g->render_minor,
		.mes_doorbell_slices = g->mes_slices,
	};
	for (slot = 0; slot < slots && slot < 128; slot++)
		if (!(g->kcq_bits[slot / 64] >> slot % 64 & 1))
			__set_bit(slot, r->cp_queue_bitmap);
	memcpy(r->sdma_doorbell_idx, g->sdma_doorbell_idx, sizeof(r->sdma_doorbell_idx));
	if (g->soc15) {
		r->non_cp_doorbells_start = g->first_non_cp;
		r->non_cp_doorbells_end = g->last_non_cp;
	}
	if (!g->mes && g->db_size > amdgpu_doorbells(g) * sizeof(u32)) {
		r->doorbell_aperture_bytes = (u32)g->db_size;
		r->doorbell_start_offset = amdgpu_doorbells(g) * sizeof(u32);
	}
}

static void see_hiq(const struct kfdm_device *dev, struct machine_device *out)
{
	const struct kfdm_kernel_queue *hiq = &dev->dqm->hiq;

	out->has_hiq = hiq->ring.words;
	if (!out->has_hiq)
		return;
	out->pq_gpu = hiq->pq.gpu_addr;
	out->rptr_gpu = hiq->rptr.gpu_addr;
	out->wptr_gpu = hiq->wptr.gpu_addr;
	out->eop_gpu = hiq->eop.chunks ? hiq->eop.gpu_addr : 0;
	out->mqd_gpu = hiq->mqd.gpu_addr;
	out->doorbell_off = hiq->properties.doorbell_off;
	out->queue_size = (u32)hiq->properties.queue_size;
	out->priority = hiq->properties.priority;
	out->pipe = KFDM_HIQ_PIPE;
	out->queue = KFDM_HIQ_QUEUE;
	out->mqd = hiq->mqd.mqd;
	out->mqd_dwords = dev->chip->mqd[KFDM_MQD_HIQ].size / sizeof(u32);
}

static void see_dqm(const struct kfdm_device *dev, struct machine_device *out)
{
	const struct kfdm_dqm *dqm = dev->dqm;

	out->sched_policy = dqm->sched_policy;
	out->cp_queues = dev->num_cp_queues;
	out->sdma_bitmap = dqm->sdma_bitmap[0];
	out->xgmi_sdma_bitmap = dqm->xgmi_sdma_bitmap[0];
	out->mqd_size_hiq = dev->chip->mqd[KFDM_MQD_HIQ].size;
	out->mqd_size_cp = dev->chip->mqd[KFDM_MQD_CP].size;
	out->mqd_size_sdma = dev->chip->mqd[KFDM_MQD_SDMA].size;
	out->hiq_sdma_gpu = dqm->mqds.gpu_addr;
	out->fence_gpu = dqm->fence.chunks ? dqm->fence.gpu_addr : 0;
	see_hiq(dev, out);
}

static void see_device(const struct kfdm_device *dev, struct machine_device *out)
{
	const struct kgd2kfd_resources *r = &dev->resources;

	out->gpu_id = dev->id;
	out->max_proc_per_quantum = dev->max_proc_per_quantum;
	out->first_vmid = dev->first_vmid;
	out->last_vmid = dev->last_vmid;
	out->num_vmids = dev->num_vmids;
	out->compute_vmid_bitmap = dev->vmids;
	out->node_ids = dev->node_ids;
	out->xcc_mask = ((1u << dev->facts.num_xcc) - 1) << dev->facts.first_xcc;
	out->hive = dev->facts.hive_id;
	out->gpuvm_size = r->gpuvm_size;
	out->doorbell_base_dw = dev->doorbells.layout.base / sizeof(u32);
	out->max_doorbell_slices = dev->doorbells.layout.max_slices;
	out->doorbell_slice = dev->chip->doorbell_size * KFDM_DOORBELL_IDS;
	out->doorbell_start_offset = r->doorbell_start_offset;
	out->doorbell_aperture = r->doorbell_aperture_bytes;
	out->non_cp_start = r->non_cp_doorbells_start;
	out->non_cp_end = r->non_cp_doorbells_end;
	memcpy(out->sdma_doorbell_idx, r->sdma_doorbell_idx, sizeof(out->sdma_doorbell_idx));
	out->gtt_chunks = dev->gtt.chunks;
	out->gtt_bytes = machine_first_gtt_bytes();
	out->sdma_engines = dev->info.sdma_engines;
	out->xgmi_sdma_engines = dev->info.xgmi_sdma_engines;
	out->gtt_chunk_size = dev->gtt.chunks ? KFDM_GTT_CHUNK : 0;
	out->gtt_start = dev->gtt.gpu_addr;
	if (!out->complete)
		return;
	out->cwsr_enabled = dev->cwsr_enabled;
	out->gws = kfdm_device_has_gws(dev);
	see_dqm(dev, out);
}

bool machine_add_gpu(const struct machine_gpu *gpu, struct machine_device *out)
{
	struct amdm_device *adev = &machine_gpus[machine_num_gpus];
	struct kgd2kfd_resources resources;
	struct kgd2kfd_facts facts;
	void *kfd = NULL;
	int ret;

	memset(out, 0, sizeof(*out));
	adev->xcp.adev = adev;
	adev->gpu = *gpu;
	adev->index = machine_num_gpus++;
	fill_facts(gpu, &facts);
	fill_resources(gpu, &resources);
	shim_keep(sizeof(struct kfdm_device));
	ret = kfdm_kfd_ops.device_init(adev, &adev->xcp, &facts, &resources, &kfd);
	out->num_doorbells = amdgpu_doorbells(gpu);
	out->probed = ret != -ENODEV;
	out->complete = !ret;
	adev->kfd = kfd;
	if (!out->probed || !shim_kept())
		return false;
	see_device(shim_kept(), out);
	if (out->complete)
		out->doorbell_base = gpu->db_base + adev->kfd->doorbells.layout.base;
	return out->complete;
}

int machine_process_new(uint32_t pasid, bool xnack, uint32_t *process)
{
	struct kfdm_process *p = calloc(1, sizeof(*p));
	static struct file drm_files[MACHINE_MAX_GPUS];
	u32 i;
	int ret = 0;

	p->pasid = pasid;
	p->context_id = KFDM_PRIMARY;
	p->mm = current->mm;
	p->own_mm = current->mm;
	p->lead_thread = current;
	p->xnack_enabled = xnack;
	INIT_LIST_HEAD(&p->queues);
	for (i = 0; i < machine_num_gpus && !ret; i++) {
		p->pdds[i] = kfdm_pdd_create(p, machine_gpus[i].kfd);
		p->n_pdds++;
		ret = kfdm_pdd_acquire_vm(p->pdds[i], &drm_files[i]);
	}
	*process = machine_num_processes;
	machine_processes[machine_num_processes++] = p;
	return ret;
}

void machine_pdd(uint32_t process, uint32_t gpu, struct machine_pdd *out)
{
	const struct kfdm_process_device *pdd = machine_processes[process]->pdds[gpu];
	const struct kfdm_apertures *a = &pdd->apertures;

	*out = (struct machine_pdd){
		.gpu_id = pdd->dev->id,
		.lds_base = a->lds_base,
		.lds_limit = a->lds_limit,
		.gpuvm_base = a->gpuvm_base,
		.gpuvm_limit = a->gpuvm_limit,
		.scratch_base = a->scratch_base,
		.scratch_limit = a->scratch_limit,
		.cwsr_base = a->cwsr_base,
		.ib_base = a->ib_base,
		.tba = pdd->qpd.map.tba_addr,
		.tma = pdd->qpd.map.tma_addr,
	};
	memcpy(out->doorbell_bitmap, pdd->qpd.doorbell_ids, sizeof(out->doorbell_bitmap));
}

void machine_qpd(uint32_t process, uint32_t gpu, struct machine_qpd *out)
{
	const struct kfdm_process_device *pdd = machine_processes[process]->pdds[gpu];
	const struct kfdm_doorbell_layout *layout = &pdd->dev->doorbells.layout;
	const struct kfdm_map_process *map = &pdd->qpd.map;

	*out = (struct machine_qpd){
		.sh_mem_config = map->sh_mem_config,
		.sh_mem_bases = map->sh_mem_bases,
		.ape1_base = map->sh_mem_ape1_base,
		.ape1_limit = map->sh_mem_ape1_limit,
		.page_table_base = map->page_table_base,
		.queue_count = map->queue_count,
		.vmid = pdd->qpd.vmid,
		.evicted = pdd->qpd.evicted,
		.num_gws = map->num_gws,
		.mapped_gws_queue = map->mapped_gws_queue,
		.reset_wavefronts = pdd->qpd.reset_wavefronts,
		.has_reset_queue = pdd->qpd.has_reset_queue,
		.doorbell_index = pdd->doorbell_index,
	};
	if (pdd->doorbell_index)
		out->process_doorbells = machine_gpus[gpu].gpu.db_base + layout->base + (u64)pdd->doorbell_index * layout->slice;
}

void machine_see_queue(const struct kfdm_queue *q, struct machine_queue *out)
{
	*out = (struct machine_queue){
		.type = q->properties.type,
		.queue_id = q->properties.queue_id,
		.doorbell_id = q->doorbell_id,
		.doorbell_off = q->properties.doorbell_off,
		.is_active = q->properties.is_active,
		.is_evicted = q->properties.is_evicted,
		.is_gws = q->properties.is_gws,
		.is_reset = q->properties.is_reset,
		.sdma_id = q->properties.sdma_id,
		.sdma_engine_id = q->properties.sdma_engine_id,
		.sdma_queue_id = q->properties.sdma_queue_id,
		.sdma_vm_addr = q->properties.sdma_vm_addr,
		.pipe = q->pipe,
		.hqd = q->queue,
		.vmid = q->properties.vmid,
		.mqd_gpu = q->mqd.gpu_addr,
		.mqd = q->mqd.mqd,
		.mqd_dwords = q->pdd->dev->chip->mqd[q->mqd.type].size / sizeof(u32),
	};
}

bool machine_queue(uint32_t process, uint32_t queue_id, struct machine_queue *out)
{
	const struct kfdm_queue *q = kfdm_queue_find(machine_processes[process], queue_id);

	if (q)
		machine_see_queue(q, out);
	return q;
}

void machine_dqm(uint32_t gpu, struct machine_dqm *out)
{
	const struct kfdm_dqm *dqm = machine_gpus[gpu].kfd->dqm;

	*out = (struct machine_dqm){
		.processes = dqm->processes_count,
		.active_queues = dqm->active_queue_count,
		.active_cp = dqm->active_cp_queue_count,
		.gws_queues = dqm->gws_queue_count,
		.total_queues = dqm->total_queue_count,
		.active_runlist = dqm->active_run_list,
		.halted = dqm->halted,
		.hang = dqm->is_hws_hang,
		.holds_list = dqm->run_list.chunks,
		.over_subscribed = dqm->over_subscribed,
		.sdma_bitmap = { dqm->sdma_bitmap[0], dqm->sdma_bitmap[1] },
		.xgmi_sdma_bitmap = { dqm->xgmi_sdma_bitmap[0], dqm->xgmi_sdma_bitmap[1] },
		.next_xcc = dqm->next_xcc,
		.runlist_addr = dqm->run_list.gpu_addr,
		.runlist = dqm->run_list.cpu,
		.runlist_dwords = dqm->run_list_bytes / sizeof(u32),
	};
}

static u32 gpu_id(u32 gpu)
{
	return machine_gpus[gpu].kfd->id;
}

int machine_create_queue(uint32_t process, uint32_t gpu, struct kfd_ioctl_create_queue_args *args)
{
	args->gpu_id = gpu_id(gpu);
	return kfdm_ioctl_create_queue(machine_processes[process], args);
}

int machine_update_queue(uint32_t process, struct kfd_ioctl_update_queue_args *args)
{
	return kfdm_ioctl_update_queue(machine_processes[process], args);
}

int machine_destroy_queue(uint32_t process, uint32_t queue_id)
{
	struct kfd_ioctl_destroy_queue_args args = { .queue_id = queue_id };

	return kfdm_ioctl_destroy_queue(machine_processes[process], &args);
}

int machine_set_cu_mask(uint32_t process, uint32_t queue_id, const uint32_t *words, uint32_t bits)
{
	struct kfd_ioctl_set_cu_mask_args args = {
		.queue_id = queue_id, .num_cu_mask = bits, .cu_mask_ptr = (uintptr_t)words,
	};

	shim_user_memory = words;
	return kfdm_ioctl_set_cu_mask(machine_processes[process], &args);
}

int machine_alloc_gws(uint32_t process, uint32_t queue_id, uint32_t num)
{
	struct kfd_ioctl_alloc_queue_gws_args args = { .queue_id = queue_id, .num_gws = num };

	return kfdm_ioctl_alloc_queue_gws(machine_processes[process], &args);
}

int machine_set_memory_policy(uint32_t process, uint32_t gpu, struct kfd_ioctl_set_memory_policy_args *args)
{
	args->gpu_id = gpu_id(gpu);
	return kfdm_ioctl_set_memory_policy(machine_processes[process], args);
}

int machine_evict(uint32_t process, uint32_t gpu)
{
	struct kfdm_process_device *pdd = machine_processes[process]->pdds[gpu];

	return kfdm_dqm_evict(pdd->dev->dqm, &pdd->qpd);
}

int machine_restore(uint32_t process, uint32_t gpu)
{
	struct kfdm_process_device *pdd = machine_processes[process]->pdds[gpu];

	return kfdm_dqm_restore(pdd->dev->dqm, &pdd->qpd);
}

int machine_reset_pasid(uint32_t gpu, uint32_t pasid)
{
	return kfdm_dqm_reset_queues(machine_gpus[gpu].kfd->dqm, pasid);
}

void machine_terminate(uint32_t process, uint32_t gpu)
{
	kfdm_pdd_dequeue(machine_processes[process]->pdds[gpu]);
}

const uint8_t *machine_crat(uint32_t gpu, uint32_t *bytes)
{
	const struct kfdm_crat_header *table = kfdm_topology_table(machine_gpus[gpu].kfd);

	*bytes = table ? table->length : 0;
	return (const uint8_t *)table;
}

int machine_sysfs_read(const char *path, char *text)
{
	return shim_sysfs_read(path, text);
}
