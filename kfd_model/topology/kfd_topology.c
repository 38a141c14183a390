// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Topology
 *
 * The list of nodes that user space sees: a node for each NUMA node with CPUs, then one for each GPU in the order of their
 * arrival. The links between them: kfd_topology_links.c. Linux builds virtual CRAT tables and parses them again; the same nodes are made
 * directly here (Linux: kfd_topology.c, kfd_crat.c).
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
				kfdm_node_add_link(from, &link);
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

/* The table of a GPU that comes: itself, its way to the CPU, and to the GPUs of its hive that are there already. */
static bool describe_gpu(const struct kfdm_node *node)
{
	const struct kgd2kfd_facts *f = &node->dev->facts;
	const struct kfdm_gpu_shape shape = {
		.node = node->index, .processor_id_low = node->simd_id_base,
		.num_se = f->num_se, .num_sh_per_se = f->num_sh_per_se, .max_cu_per_sh = f->max_cu_per_sh,
		.cu_active = kfdm_device_active_cus(node->dev), .simd_per_cu = f->simd_per_cu, .max_waves_per_simd = f->max_waves_per_simd,
		.wave_front_size = f->wave_front_size, .max_scratch_slots_per_cu = f->max_scratch_slots_per_cu,
		.lds_kb = f->lds_kb, .vram_width = f->vram_width,
		.heap = f->vram_private && !f->large_bar ? KFDM_HEAP_FB_PRIVATE : KFDM_HEAP_FB_PUBLIC,
		.vram_bytes = f->vram_public + (f->large_bar ? 0 : f->vram_private),
	};

	kfdm_crat_begin(node->table);
	return kfdm_crat_add_gpu(node->table, &shape) && kfdm_topology_describe_links(node, cpu_node_of(node->dev), &topology);
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
		.first_xcc = f->first_xcc,
		.num_xcc = f->num_xcc,
	};
	u32 id = kfdm_abi->gpu_id(&identity);

	while (gpu_id_taken(id))
		id = (id + 1) & 0xffff;
	return id;
}

static u32 configured_caches(const struct kfdm_chip *chip, const struct kgd2kfd_facts *f, struct kfdm_cache_row *rows)
{
	const struct kgd_cache_config *c = &f->caches;
	const struct kfdm_cache_config config = {
		.tcp = c->tcp_kib,
		.tcp_per_wgp = c->tcp_per_wgp,
		.icache = c->icache_kib,
		.dcache = c->dcache_kib,
		.cus_per_sqc = c->cus_per_sqc,
		.sqc_per_wgp = c->sqc_per_wgp,
		.gl1 = c->gl1_kib,
		.gl1_per_array = c->gl1_per_array,
		.gl2 = c->gl2_kib,
		.mall = c->mall_kib / (chip->mall_is_divided ? f->memory_partitions : 1),
		.tcp_line = c->tcp_line,
		.icache_line = c->icache_line,
		.dcache_line = c->dcache_line,
		.gl2_line = c->gl2_line,
		.cus_per_array = f->max_cu_per_sh,
	};

	return chip->configured_caches(&config, rows);
}

static int fill_gpu_caches(struct kfdm_node *node)
{
	const struct kfdm_device *dev = node->dev;
	const struct kgd2kfd_facts *f = &dev->facts;
	struct kfdm_cache_row rows[KFDM_CONFIGURED_CACHES];
	struct kfdm_cache_list own = { .rows = rows };
	const struct kfdm_cache_list *list = dev->chip->caches;

	if (!list) {
		own.num = configured_caches(dev->chip, f, rows);
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
	kfdm_topology_read_links(node, &topology);
	kfdm_topology_link_peers(node, &topology);
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
		kfdm_node_add_link(node, &node->links[i]);
	for (i = 0; i < p2p; i++)
		kfdm_node_add_p2p(node, &node->p2p[i]);
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
		node->num_links = kfdm_links_renumber(node->links, node->num_links, gone);
		node->num_p2p = kfdm_links_renumber(node->p2p, node->num_p2p, gone);
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
