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
#include <linux/device_cgroup.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/rwsem.h>
#include <linux/slab.h>

#include <asm/processor.h>
#include <asm/smp.h>

#include "kfd_device.h"
#include "kfd_topology_node.h"

#define DRM_MAJOR	226
#define WEIGHT_PCIE	20
#define WEIGHT_XGMI_HOP	15
#define XGMI_LINK_MBS	50000

static DECLARE_RWSEM(topology_lock);
static LIST_HEAD(topology);
static u32 num_nodes;
static u32 next_simd_id = KFDM_GPU_PROCESSOR_ID;
static struct kfdm_platform platform;

/** kfdm_device_visible() - does current's device cgroup let it use this GPU? */
bool kfdm_device_visible(const struct kfdm_device *dev)
{
	return !devcgroup_check_permission(DEVCG_DEV_CHAR, DRM_MAJOR, dev->resources.drm_render_minor,
					   DEVCG_ACC_WRITE | DEVCG_ACC_READ);
}

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
	node->cpu_core_id_base = cpu_data(cpumask_first(cpus)).apicid;
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

static void link_to_cpu(struct kfdm_node *gpu)
{
	const struct kgd2kfd_facts *f = &gpu->dev->facts;
	struct kfdm_node *cpu = cpu_node_of(gpu->dev);
	struct kfdm_link link = {
		.type = KFDM_LINK_PCIE, .weight = WEIGHT_PCIE,
		.min_bandwidth = f->pcie_min_mbs, .max_bandwidth = f->pcie_max_mbs, .flags = KFDM_LINK_ENABLED,
	};

	if (!cpu || cpu->dev)
		return;
	link.to = cpu->index;
	node_add_link(gpu, &link);
	/* The way back exists where the CPU reaches all VRAM. */
	if (f->vram_private)
		return;
	link.to = gpu->index;
	link.flags |= KFDM_LINK_NON_COHERENT;
	node_add_link(cpu, &link);
}

static void link_to_hive(struct kfdm_node *gpu)
{
	struct kfdm_link link = {
		.type = KFDM_LINK_XGMI, .weight = WEIGHT_XGMI_HOP,
		.min_bandwidth = XGMI_LINK_MBS, .max_bandwidth = XGMI_LINK_MBS,
		.flags = KFDM_LINK_ENABLED | KFDM_LINK_NON_COHERENT,
	};
	struct kfdm_node *peer;

	if (!gpu->dev->facts.hive_id)
		return;
	list_for_each_entry(peer, &topology, link) {
		if (!peer->dev || peer == gpu || peer->dev->facts.hive_id != gpu->dev->facts.hive_id)
			continue;
		link.to = peer->index;
		node_add_link(gpu, &link);
		link.to = gpu->index;
		node_add_link(peer, &link);
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

/* The hash of Linux; on the rare collision, the next free number (Linux would hand out the same id twice). */
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
	};
	u32 id = kfdm_gpu_id(&identity);

	while (gpu_id_taken(id))
		id = (id + 1) & 0xffff;
	return id;
}

static int fill_gpu_node(struct kfdm_node *node, struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	node->dev = dev;
	node->simd_id_base = next_simd_id;
	next_simd_id += f->num_se * f->num_sh_per_se * f->max_cu_per_sh;
	node->mem.heap = f->vram_private ? KFDM_HEAP_FB_PRIVATE : KFDM_HEAP_FB_PUBLIC;
	node->mem.bytes = f->vram_public + f->vram_private;
	node->mem.width = f->vram_width;
	node->mem.mem_clk_max = f->mem_clk_mhz;

	node->num_caches = kfdm_caches_fill(dev->chip, &dev->cu, f->max_cu_per_sh, node->simd_id_base, NULL, 0);
	node->caches = kvcalloc(node->num_caches, sizeof(*node->caches), GFP_KERNEL);
	if (!node->caches)
		return -ENOMEM;
	kfdm_caches_fill(dev->chip, &dev->cu, f->max_cu_per_sh, node->simd_id_base, node->caches, node->num_caches);
	return 0;
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
	link_to_cpu(node);
	link_to_hive(node);
	platform.generation++;
	pr_info("kfd_model: Topology: Add dGPU node [0x%0x:0x%0x]\n", dev->facts.pci_device, dev->facts.pci_vendor);
unlock:
	up_write(&topology_lock);
	return ret;
}

static void forget_links_to(u32 index)
{
	struct kfdm_node *node;
	u32 i;

	list_for_each_entry(node, &topology, link)
		for (i = 0; i < node->num_links; i++)
			if (node->links[i].to == index)
				node->links[i].weight = 0;
}

/** kfdm_topology_remove() - a GPU goes; a link that led to it stays with weight 0 */
void kfdm_topology_remove(struct kfdm_device *dev)
{
	struct kfdm_node *node, *next;

	down_write(&topology_lock);
	list_for_each_entry_safe(node, next, &topology, link) {
		if (node->dev != dev)
			continue;
		list_del(&node->link);
		forget_links_to(node->index);
		node_free(node);
		num_nodes--;
		platform.generation++;
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
