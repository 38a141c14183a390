// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Links between nodes
 *
 * From a GPU to the CPU, to GPUs of its hive over XGMI, to others over the bus; each link as the GPU's CRAT table describes it, and one in
 * the opposite direction (Linux: kfd_crat.c, kfd_topology.c). All is called under the topology's lock.
 */
#include "kfd_topology_node.h"

#include "kfd_model/device/kfd_device.h"

#define WEIGHT_PCIE	20
#define WEIGHT_XGMI_HOP	15
#define WEIGHT_IN_PACKAGE	13
#define MBS_IN_PACKAGE	819200

/** kfdm_node_add_link() - one more way from a node; left out if there is no room, or no memory for it in sysfs */
void kfdm_node_add_link(struct kfdm_node *from, const struct kfdm_link *link)
{
	if (from->num_links >= KFDM_MAX_LINKS)
		return;
	from->links[from->num_links] = *link;
	if (!kfdm_node_sysfs_add_link(from, &from->links[from->num_links]))
		from->num_links++;
}

/** kfdm_node_add_p2p() - the same of ways that lead over the bus to another GPU */
void kfdm_node_add_p2p(struct kfdm_node *from, const struct kfdm_link *link)
{
	if (from->num_p2p >= KFDM_MAX_LINKS)
		return;
	from->p2p[from->num_p2p] = *link;
	if (!kfdm_node_sysfs_add_p2p(from, &from->p2p[from->num_p2p]))
		from->num_p2p++;
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
	link.min_bandwidth_mbs = dev->chip->cpu_in_package ? MBS_IN_PACKAGE : dev->chip->xgmi_mbs;
	link.max_bandwidth_mbs = link.min_bandwidth_mbs;
	return link;
}

static bool same_hive(const struct kfdm_node *a, const struct kfdm_node *b)
{
	return a->dev && b->dev && a->dev->facts.hive_id && a->dev->facts.hive_id == b->dev->facts.hive_id;
}

static bool is_divided(const struct kfdm_device *dev)
{
	return dev->facts.partitions > 1;
}

static bool same_package(const struct kfdm_device *a, const struct kfdm_device *b)
{
	return a->facts.pci_domain == b->facts.pci_domain && a->facts.pci_location == b->facts.pci_location;
}

static struct kfdm_gpu_link link_to_peer(const struct kfdm_device *dev, const struct kfdm_node *peer)
{
	const u32 in_package = same_package(dev, peer->dev) ? MBS_IN_PACKAGE : 0;
	u32 mbs = dev->chip->xgmi_mbs;

	if (is_divided(dev))
		return (struct kfdm_gpu_link){
			.to = peer->index, .type = KFDM_LINK_XGMI, .bidirectional = true, .hops = 1,
			.min_bandwidth_mbs = in_package, .max_bandwidth_mbs = in_package,
		};

	return (struct kfdm_gpu_link){
		.to = peer->index, .type = KFDM_LINK_XGMI, .bidirectional = true, .hops = dev->facts.xgmi_hops,
		.min_bandwidth_mbs = dev->facts.xgmi_links ? mbs : 0, .max_bandwidth_mbs = dev->facts.xgmi_links * mbs,
	};
}

/**
 * kfdm_topology_describe_links() - a GPU's table gets its way to the CPU, and to the GPUs of its hive that are there already
 * @gpu:   node of the GPU, which is not on the list yet
 * @cpu:   node of the CPU that it is next to; NULL: none
 * @nodes: all others
 *
 * Return: false: the table is full.
 */
bool kfdm_topology_describe_links(const struct kfdm_node *gpu, const struct kfdm_node *cpu, const struct list_head *nodes)
{
	struct kfdm_gpu_link link = link_to_cpu(gpu->dev, cpu);
	const struct kfdm_node *peer;
	bool fits = kfdm_crat_add_link(gpu->table, gpu->index, &link);

	list_for_each_entry(peer, nodes, link) {
		if (!fits || peer == gpu || !same_hive(peer, gpu))
			continue;
		link = link_to_peer(gpu->dev, peer);
		fits = kfdm_crat_add_link(gpu->table, gpu->index, &link);
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

static struct kfdm_node *node_by_index(struct list_head *nodes, u32 index)
{
	struct kfdm_node *node;

	list_for_each_entry(node, nodes, link)
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

/* Of a divided device: to another part of it, or out of one package, over a hop, into another */
static u32 xgmi_weight(const struct kfdm_node *gpu, const struct kfdm_node *peer, u32 hops)
{
	if (peer && !peer->dev && gpu->dev->chip->cpu_in_package)
		return WEIGHT_IN_PACKAGE;
	if (!peer || !peer->dev || !is_divided(gpu->dev))
		return WEIGHT_XGMI_HOP * hops;
	return same_package(gpu->dev, peer->dev) ? WEIGHT_IN_PACKAGE : 2 * WEIGHT_IN_PACKAGE + WEIGHT_XGMI_HOP;
}

static void read_link(struct kfdm_node *gpu, struct list_head *nodes, const struct kfdm_crat_iolink *io)
{
	struct kfdm_node *peer = node_by_index(nodes, io->to);
	struct kfdm_link out = {
		.type = io->type, .to = io->to,
		.weight = io->type == KFDM_LINK_XGMI ? xgmi_weight(gpu, peer, io->num_hops_xgmi) : WEIGHT_PCIE,
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
	kfdm_node_add_link(gpu, &out);
	if (both_ways)
		kfdm_node_add_link(peer, &in);
}

/**
 * kfdm_topology_read_links() - the links of a GPU as its table tells, and those back to it
 * @gpu:   node of the GPU
 * @nodes: all, itself among them
 */
void kfdm_topology_read_links(struct kfdm_node *gpu, struct list_head *nodes)
{
	const struct kfdm_crat_entry *entry = NULL;

	while ((entry = kfdm_crat_next(gpu->table, entry)))
		if (entry->type == KFDM_CRAT_IOLINK)
			read_link(gpu, nodes, (const struct kfdm_crat_iolink *)entry);
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

/**
 * kfdm_topology_link_peers() - the ways from and to GPUs of no common hive that reach each other's memory over the bus
 * @gpu:   node of a GPU, with its links
 * @nodes: all, itself among them
 */
void kfdm_topology_link_peers(struct kfdm_node *gpu, struct list_head *nodes)
{
	struct kfdm_node *peer;
	struct kfdm_link out, in;

	list_for_each_entry(peer, nodes, link) {
		if (!peer->dev || peer == gpu || same_hive(peer, gpu) || !peer->num_links || !gpu->num_links)
			continue;
		if (!peer->dev->facts.peer_access || !gpu->dev->facts.peer_access)
			continue;
		out = through_the_bus(gpu, peer);
		in = through_the_bus(peer, gpu);
		out.flags |= gpu_atomics(gpu, out.type);
		in.flags |= target_atomics(gpu, in.type);
		judge_coherence(peer, in.type, &out, &in);
		kfdm_node_add_p2p(peer, &in);
		kfdm_node_add_p2p(gpu, &out);
	}
}

/**
 * kfdm_links_renumber() - links to a node that has gone end, links to the nodes behind it follow their new numbers
 * @links: of another node
 * @num:   how many
 * @gone:  the node's former number
 *
 * Return: how many remain.
 */
u32 kfdm_links_renumber(struct kfdm_link *links, u32 num, u32 gone)
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
