// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Topology
 *
 * The list of nodes that user space sees: a node for each NUMA node with CPUs, then one for each GPU in the order of their
 * arrival, and the links between them. Linux builds virtual CRAT tables and parses them again; the same nodes are made
 * directly here (kfd_topology.c, kfd_crat.c).
 */
#include "kfd_topology.h"

#include <linux/acpi.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/rwsem.h>
#include <linux/slab.h>

#include "kfd_topology_node.h"
#include "amdgpu_model/compat/cpu.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

#define WEIGHT_PCIE	20
#define WEIGHT_XGMI_HOP	15

static DECLARE_RWSEM(topology_lock);
static LIST_HEAD(topology);
static u32 num_nodes;
static u32 next_simd_id = KFDM_GPU_PROCESSOR_ID;
static struct kfdm_platform platform;

/** kfdm_topology_num_nodes() - CPUs and GPUs */
u32 kfdm_topology_num_nodes(void)
{
	u32 n;

	down_read(&topology_lock);
	n = num_nodes;
	up_read(&topology_lock);
	return n;
}

static struct kfdm_node *node_new(void)
{
	struct kfdm_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (node) {
		INIT_LIST_HEAD(&node->dirs);
		node->index = num_nodes;
	}
	return node;
}

static void node_free(struct kfdm_node *node)
{
	kfdm_node_sysfs_remove(node);
	kvfree(node->caches);
	kfree(node->table);
	kfree(node);
}

static int node_publish(struct kfdm_node *node)
{
	int ret = kfdm_node_sysfs_add(node);

	if (ret) {
		node_free(node);
		return ret;
	}
	list_add_tail(&node->link, &topology);
	num_nodes++;
	return 0;
}

static void node_add_link(struct kfdm_node *from, const struct kfdm_link *link)
{
	if (from->num_links >= KFDM_MAX_LINKS)
		return;
	from->links[from->num_links] = *link;
	if (!kfdm_node_sysfs_add_link(from, &from->links[from->num_links]))
		from->num_links++;
}

static u64 numa_memory_bytes(int numa_node)
{
	pg_data_t *pgdat = NODE_DATA(numa_node);
	u64 pages = 0;
	int zone;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		pages += zone_managed_pages(&pgdat->node_zones[zone]);
	return pages << PAGE_SHIFT;
}

static int add_cpu_node(int numa_node)
{
	const struct cpumask *cpus = cpumask_of_node(numa_node);
	struct kfdm_node *node;

	if (cpumask_first(cpus) >= nr_cpu_ids)
		return 0;
	node = node_new();
	if (!node)
		return -ENOMEM;
	node->numa_node = numa_node;
	node->cpu_cores = cpumask_weight(cpus);
	node->cpu_core_id_base = kfdm_cpu_core_id(cpumask_first(cpus));
	node->mem.heap = KFDM_HEAP_SYSTEM;
	node->mem.bytes = numa_memory_bytes(numa_node);
	return node_publish(node);
}

static void link_cpu_nodes(void)
{
	struct kfdm_node *from, *to;

	list_for_each_entry(from, &topology, link)
		list_for_each_entry(to, &topology, link) {
			const struct kfdm_link link = {
				.type = KFDM_LINK_HYPERTRANSPORT, .to = to->index,
				.weight = node_distance(from->numa_node, to->numa_node), .flags = KFDM_LINK_ENABLED,
			};

			if (from != to)
				node_add_link(from, &link);
		}
}

static void read_platform(void)
{
#ifdef CONFIG_ACPI
	struct acpi_table_header *dsdt;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_DSDT, 0, &dsdt)))
		return;
	memcpy(&platform.oem, dsdt->oem_id, ACPI_OEM_ID_SIZE);
	memcpy(&platform.id, dsdt->oem_table_id, ACPI_OEM_TABLE_ID_SIZE);
	platform.rev = dsdt->oem_revision;
	acpi_put_table(dsdt);
#endif
}

static struct kfdm_node *cpu_node_of(const struct kfdm_device *dev)
{
	int numa_node = dev->facts.dev ? dev_to_node(dev->facts.dev) : NUMA_NO_NODE;
	struct kfdm_node *node;

	list_for_each_entry(node, &topology, link)
		if (!node->dev && (numa_node == NUMA_NO_NODE || node->numa_node == numa_node))
			return node;
	return list_first_entry_or_null(&topology, struct kfdm_node, link);
}

static bool is_large_bar(const struct kgd2kfd_facts *f)
{
	return f->large_bar || (!f->vram_private && f->vram_public);
}

static struct kfdm_gpu_link link_to_cpu(const struct kfdm_device *dev, const struct kfdm_node *cpu)
{
	const struct kgd2kfd_facts *f = &dev->facts;
	struct kfdm_gpu_link link = {
		.to = cpu ? cpu->index : 0, .type = KFDM_LINK_PCIE, .bidirectional = is_large_bar(f),
		.min_bandwidth_mbs = f->pcie_min_mbs, .max_bandwidth_mbs = f->pcie_max_mbs,
	};

	if (!f->xgmi_to_cpu)
		return link;
	link.type = KFDM_LINK_XGMI;
	link.bidirectional = true;
	link.hops = 1;
	link.min_bandwidth_mbs = dev->chip->xgmi_mbs;
	link.max_bandwidth_mbs = link.min_bandwidth_mbs;
	return link;
}

static bool same_hive(const struct kfdm_node *a, const struct kfdm_node *b)
{
	return a->dev && b->dev && a->dev->facts.hive_id && a->dev->facts.hive_id == b->dev->facts.hive_id;
}

static struct kfdm_gpu_link link_to_peer(const struct kfdm_device *dev, const struct kfdm_node *peer)
{
	u32 mbs = dev->chip->xgmi_mbs;

	return (struct kfdm_gpu_link){
		.to = peer->index, .type = KFDM_LINK_XGMI, .bidirectional = true, .hops = dev->facts.xgmi_hops,
		.min_bandwidth_mbs = dev->facts.xgmi_links ? mbs : 0, .max_bandwidth_mbs = dev->facts.xgmi_links * mbs,
	};
}

/* The table of a GPU that comes: itself, its way to the CPU, and to the GPUs of its hive that are there already. */
static bool describe_gpu(const struct kfdm_node *node)
{
	const struct kgd2kfd_facts *f = &node->dev->facts;
	const struct kfdm_gpu_shape shape = {
		.node = node->index, .processor_id_low = node->simd_id_base,
		.num_se = f->num_se, .num_sh_per_se = f->num_sh_per_se, .max_cu_per_sh = f->max_cu_per_sh,
		.cu_active = f->cu_active, .simd_per_cu = f->simd_per_cu, .max_waves_per_simd = f->max_waves_per_simd,
		.wave_front_size = f->wave_front_size, .max_scratch_slots_per_cu = f->max_scratch_slots_per_cu,
		.lds_kb = f->lds_kb, .vram_width = f->vram_width,
		.heap = f->vram_private && !f->large_bar ? KFDM_HEAP_FB_PRIVATE : KFDM_HEAP_FB_PUBLIC,
		.vram_bytes = f->vram_public + (f->large_bar ? 0 : f->vram_private),
	};
	struct kfdm_gpu_link link = link_to_cpu(node->dev, cpu_node_of(node->dev));
	struct kfdm_crat_header *table = node->table;
	struct kfdm_node *peer;
	bool fits;

	kfdm_crat_begin(table);
	fits = kfdm_crat_add_gpu(table, &shape) && kfdm_crat_add_link(table, node->index, &link);
	list_for_each_entry(peer, &topology, link) {
		if (!fits || peer == node || !same_hive(peer, node))
			continue;
		link = link_to_peer(node->dev, peer);
		fits = kfdm_crat_add_link(table, node->index, &link);
	}
	return fits;
}

static u32 gpu_atomics(const struct kfdm_node *from, u32 type)
{
	bool leaves = from->dev->facts.pci_atomics && !from->dev->chip->no_atomic_requests;

	return type == KFDM_LINK_PCIE && !leaves ? KFDM_LINK_NO_ATOMICS : 0;
}

static u32 target_atomics(const struct kfdm_node *to, u32 type)
{
	return type == KFDM_LINK_PCIE && !to->dev->facts.completes_atomics ? KFDM_LINK_NO_ATOMICS : 0;
}

/* Flags of a link and of the one back (kfd_set_iolink_non_coherent): of the way out of a GPU, of the way into it */
static void judge_coherence(const struct kfdm_node *peer, u32 type, struct kfdm_link *out, struct kfdm_link *in)
{
	if (type == KFDM_LINK_PCIE)
		in->flags |= KFDM_LINK_NON_COHERENT;
	if (peer->dev && (type == KFDM_LINK_PCIE ||
			  (type == KFDM_LINK_XGMI && peer->dev->chip->xgmi_incoherent))) {
		out->flags |= KFDM_LINK_NON_COHERENT;
		in->flags |= KFDM_LINK_NON_COHERENT;
	}
}

static struct kfdm_node *node_by_index(u32 index)
{
	struct kfdm_node *node;

	list_for_each_entry(node, &topology, link)
		if (node->index == index)
			return node;
	return NULL;
}

/* To another GPU of a hive by the engines that are meant for it, else by the others (kfd_set_recommended_sdma_engines). */
static u32 sdma_engines_for(const struct kfdm_node *gpu, const struct kfdm_node *peer, u32 type)
{
	const struct kfdm_device_info *info = &gpu->dev->info;
	const u32 all = (1u << info->sdma_engines) - 1, xgmi = (1u << info->xgmi_sdma_engines) - 1;

	return type == KFDM_LINK_XGMI && peer->dev && xgmi ? xgmi << info->sdma_engines : all;
}

static void read_link(struct kfdm_node *gpu, const struct kfdm_crat_iolink *io)
{
	struct kfdm_node *peer = node_by_index(io->to);
	struct kfdm_link out = {
		.type = io->type, .to = io->to,
		.weight = io->type == KFDM_LINK_XGMI ? WEIGHT_XGMI_HOP * io->num_hops_xgmi : WEIGHT_PCIE,
		.min_bandwidth = io->min_bandwidth_mbs, .max_bandwidth = io->max_bandwidth_mbs,
		.flags = KFDM_LINK_ENABLED | gpu_atomics(gpu, io->type),
	};
	struct kfdm_link in = out;
	bool both_ways = peer && io->entry.flags & KFDM_CRAT_LINK_BIDIRECTIONAL;

	in.to = gpu->index;
	in.flags = KFDM_LINK_ENABLED | target_atomics(gpu, io->type);
	if (both_ways) {
		judge_coherence(peer, io->type, &out, &in);
		out.sdma_engines = sdma_engines_for(gpu, peer, io->type);
		in.sdma_engines = out.sdma_engines;
	}
	if (peer && !peer->dev && !peer->hive_id && gpu->dev->facts.xgmi_to_cpu)
		peer->hive_id = gpu->hive_id;
	node_add_link(gpu, &out);
	if (both_ways)
		node_add_link(peer, &in);
}

static void read_links(struct kfdm_node *gpu)
{
	const struct kfdm_crat_entry *entry = NULL;

	while ((entry = kfdm_crat_next(gpu->table, entry)))
		if (entry->type == KFDM_CRAT_IOLINK)
			read_link(gpu, (const struct kfdm_crat_iolink *)entry);
}

static void read_memory(struct kfdm_node *gpu)
{
	const struct kfdm_crat_entry *entry = NULL;
	const struct kfdm_crat_memory *mem;

	while ((entry = kfdm_crat_next(gpu->table, entry))) {
		if (entry->type != KFDM_CRAT_MEMORY)
			continue;
		mem = (const struct kfdm_crat_memory *)entry;
		gpu->mem.heap = mem->heap;
		gpu->mem.width = mem->width;
		gpu->mem.bytes = (u64)mem->length_high << 32 | mem->length_low;
	}
}

static void node_add_p2p(struct kfdm_node *from, const struct kfdm_link *link)
{
	if (from->num_p2p >= KFDM_MAX_LINKS)
		return;
	from->p2p[from->num_p2p] = *link;
	if (!kfdm_node_sysfs_add_p2p(from, &from->p2p[from->num_p2p]))
		from->num_p2p++;
}

/* Two GPUs on the CPU's bus: @from's way to the CPU, then on to @to. The larger bandwidth is, as in Linux, the first way's. */
static struct kfdm_link through_the_bus(const struct kfdm_node *from, const struct kfdm_node *to)
{
	const struct kfdm_link *first = &from->links[0], *second = &to->links[0];

	return (struct kfdm_link){
		.type = second->type, .to = to->index, .weight = first->weight + second->weight,
		.min_bandwidth = min(first->min_bandwidth, second->min_bandwidth),
		.max_bandwidth = first->max_bandwidth, .flags = KFDM_LINK_ENABLED,
	};
}

static void link_to_peers(struct kfdm_node *gpu)
{
	struct kfdm_node *peer;
	struct kfdm_link out, in;

	list_for_each_entry(peer, &topology, link) {
		if (!peer->dev || peer == gpu || same_hive(peer, gpu) || !peer->num_links || !gpu->num_links)
			continue;
		if (!peer->dev->facts.peer_access || !gpu->dev->facts.peer_access)
			continue;
		out = through_the_bus(gpu, peer);
		in = through_the_bus(peer, gpu);
		out.flags |= gpu_atomics(gpu, out.type);
		in.flags |= target_atomics(gpu, in.type);
		judge_coherence(peer, in.type, &out, &in);
		node_add_p2p(peer, &in);
		node_add_p2p(gpu, &out);
	}
}

static bool gpu_id_taken(u32 id)
{
	struct kfdm_node *node;

	list_for_each_entry(node, &topology, link)
		if (node->dev && node->dev->id == id)
			return true;
	return !id;
}

/* The hash of Linux; on the rare collision, the next free number (Linux 6.1 would hand out the same id twice). */
static u32 make_gpu_id(const struct kgd2kfd_facts *f)
{
	const struct kfdm_gpu_identity identity = {
		.devfn = f->pci_location & 0xff,
		.bus = f->pci_location >> 8,
		.subsystem_vendor = f->pci_subvendor,
		.subsystem_device = f->pci_subdevice,
		.domain = f->pci_domain,
		.device = f->pci_device,
		.vram_bytes = f->vram_public + f->vram_private,
		.num_xcc = 1,
	};
	u32 id = kfdm_abi->gpu_id(&identity);

	while (gpu_id_taken(id))
		id = (id + 1) & 0xffff;
	return id;
}

static u32 configured_caches(const struct kgd2kfd_facts *f, struct kfdm_cache_row *rows)
{
	const struct kgd_cache_config *c = &f->caches;
	const struct kfdm_cache_config config = {
		.tcp = c->tcp_kib,
		.tcp_per_wgp = c->tcp_per_wgp,
		.icache = c->icache_kib,
		.dcache = c->dcache_kib,
		.sqc_per_wgp = c->sqc_per_wgp,
		.gl1 = c->gl1_kib,
		.gl1_per_array = c->gl1_per_array,
		.gl2 = c->gl2_kib,
		.mall = c->mall_kib,
		.cus_per_array = f->max_cu_per_sh,
	};

	return kfdm_caches_configured(&config, rows);
}

static int fill_gpu_caches(struct kfdm_node *node)
{
	const struct kfdm_device *dev = node->dev;
	const struct kgd2kfd_facts *f = &dev->facts;
	struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES];
	struct kfdm_cache_list own = { .rows = rows };
	const struct kfdm_cache_list *list = dev->chip->caches;

	if (!list) {
		own.num = configured_caches(f, rows);
		list = &own;
	}
	node->num_caches = kfdm_caches_fill(list, &dev->cu, f->max_cu_per_sh, node->simd_id_base, NULL, 0);
	node->caches = kvcalloc(node->num_caches, sizeof(*node->caches), GFP_KERNEL);
	if (!node->caches)
		return -ENOMEM;
	kfdm_caches_fill(list, &dev->cu, f->max_cu_per_sh, node->simd_id_base, node->caches, node->num_caches);
	return 0;
}

static int fill_gpu_node(struct kfdm_node *node, struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	node->dev = dev;
	node->hive_id = f->hive_id;
	node->simd_id_base = next_simd_id;
	next_simd_id += f->num_se * f->num_sh_per_se * f->max_cu_per_sh;
	node->table = kzalloc(KFDM_CRAT_GPU_BYTES, GFP_KERNEL);
	if (!node->table || !describe_gpu(node))
		return -ENOMEM;
	read_memory(node);
	node->mem.mem_clk_max = f->mem_clk_mhz;

	return fill_gpu_caches(node);
}

/**
 * kfdm_topology_add() - a GPU becomes visible to user space; gives it its gpu_id
 * @dev: device, ready for processes
 *
 * Return: 0, -ENOMEM.
 */
int kfdm_topology_add(struct kfdm_device *dev)
{
	struct kfdm_node *node;
	int ret = -ENOMEM;

	down_write(&topology_lock);
	node = node_new();
	if (!node)
		goto unlock;
	dev->id = make_gpu_id(&dev->facts);
	ret = fill_gpu_node(node, dev);
	if (ret) {
		node_free(node);
		goto unlock;
	}
	ret = node_publish(node);
	if (ret)
		goto unlock;
	read_links(node);
	link_to_peers(node);
	platform.generation++;
	pr_info("kfd_model: Topology: Add dGPU node [0x%0x:0x%0x]\n", dev->facts.pci_device, dev->facts.pci_vendor);
unlock:
	up_write(&topology_lock);
	return ret;
}

/** kfdm_topology_table() - the table that describes a GPU, as long as it is in the topology; NULL: it is not */
const struct kfdm_crat_header *kfdm_topology_table(const struct kfdm_device *dev)
{
	const struct kfdm_crat_header *table = NULL;
	struct kfdm_node *node;

	down_read(&topology_lock);
	list_for_each_entry(node, &topology, link)
		if (node->dev == dev)
			table = node->table;
	up_read(&topology_lock);
	return table;
}

/* Links to node @gone end, links to the nodes behind it follow their new numbers. */
static u32 renumber_links(struct kfdm_link *links, u32 num, u32 gone)
{
	u32 i, kept = 0;

	for (i = 0; i < num; i++) {
		if (links[i].to == gone)
			continue;
		links[kept] = links[i];
		links[kept].to -= links[i].to > gone;
		kept++;
	}
	return kept;
}

/* New directories for a node that has lost its own. Without memory it stays invisible, and has no links. */
static void node_show_again(struct kfdm_node *node)
{
	u32 i, links = node->num_links, p2p = node->num_p2p;

	node->num_links = 0;
	node->num_p2p = 0;
	if (kfdm_node_sysfs_add(node)) {
		kfdm_node_sysfs_remove(node);
		pr_err("kfd_model: Topology: no memory for node %u in sysfs\n", node->index);
		return;
	}
	for (i = 0; i < links; i++)
		node_add_link(node, &node->links[i]);
	for (i = 0; i < p2p; i++)
		node_add_p2p(node, &node->p2p[i]);
}

/*
 * Nodes are numbered without holes: those behind the one that has gone move up, and the directories of all are made anew
 * (kfd_topology_update_io_links, kfd_topology_update_sysfs). Nobody reads a node without directories.
 */
static void close_gap(u32 gone)
{
	struct kfdm_node *node;

	list_for_each_entry(node, &topology, link)
		kfdm_node_sysfs_remove(node);
	list_for_each_entry(node, &topology, link) {
		node->index -= node->index > gone;
		node->num_links = renumber_links(node->links, node->num_links, gone);
		node->num_p2p = renumber_links(node->p2p, node->num_p2p, gone);
	}
	list_for_each_entry(node, &topology, link)
		node_show_again(node);
}

/** kfdm_topology_remove() - a GPU goes, and all links that led to it */
void kfdm_topology_remove(struct kfdm_device *dev)
{
	struct kfdm_node *node, *next;
	u32 index;

	down_write(&topology_lock);
	list_for_each_entry_safe(node, next, &topology, link) {
		if (node->dev != dev)
			continue;
		index = node->index;
		list_del(&node->link);
		node_free(node);
		num_nodes--;
		platform.generation++;
		close_gap(index);
		break;
	}
	up_write(&topology_lock);
}

/** kfdm_topology_init() - the CPUs. Return: 0, -ENOMEM */
int kfdm_topology_init(void)
{
	int numa_node, ret;

	ret = kfdm_topology_sysfs_init(&platform);
	if (ret)
		return ret;
	read_platform();
	down_write(&topology_lock);
	for_each_online_node(numa_node) {
		ret = add_cpu_node(numa_node);
		if (ret)
			break;
	}
	if (!ret)
		link_cpu_nodes();
	platform.generation++;
	up_write(&topology_lock);
	if (ret)
		kfdm_topology_fini();
	return ret;
}

/** kfdm_topology_fini() - undo it; the GPUs have gone */
void kfdm_topology_fini(void)
{
	struct kfdm_node *node, *next;

	down_write(&topology_lock);
	list_for_each_entry_safe(node, next, &topology, link) {
		list_del(&node->link);
		node_free(node);
	}
	num_nodes = 0;
	up_write(&topology_lock);
	kfdm_topology_sysfs_fini();
}
