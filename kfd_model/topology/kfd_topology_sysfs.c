// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The topology in sysfs
 *
 * User space finds out about GPUs by reading /sys/devices/virtual/kfd/kfd/topology: a directory a node, files of lines
 * "name value". Names, order and formats are ABI (Linux: kfd_topology.c, uapi/linux/kfd_sysfs.h).
 */
#include <linux/cpufreq.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "kfd_topology.h"
#include "kfd_topology_node.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"


/** struct topo_dir - a directory: @show writes its file "properties", or the named ones, about @of in @node */
struct topo_dir {
	struct kobject kobj;
	struct list_head link;
	struct kfdm_node *node;
	int (*show)(struct topo_dir *dir, const char *name, char *buf, int at);
	const void *of;
};

static ssize_t topo_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct topo_dir *dir = container_of(kobj, struct topo_dir, kobj);

	if (dir->node && dir->node->dev && !kfdm_device_visible(dir->node->dev))
		return -EPERM;
	return dir->show(dir, attr->name, buf, 0);
}

static void topo_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct topo_dir, kobj));
}

#define FILE_ATTRIBUTE(id) static struct attribute attr_##id = { .name = #id, .mode = 0444 }

FILE_ATTRIBUTE(generation_id);
FILE_ATTRIBUTE(system_properties);
FILE_ATTRIBUTE(gpu_id);
FILE_ATTRIBUTE(name);
FILE_ATTRIBUTE(properties);

static struct attribute *top_attrs[] = { &attr_generation_id, &attr_system_properties, NULL };
static struct attribute *node_attrs[] = { &attr_gpu_id, &attr_name, &attr_properties, NULL };
static struct attribute *leaf_attrs[] = { &attr_properties, NULL };
ATTRIBUTE_GROUPS(top);
ATTRIBUTE_GROUPS(node);
ATTRIBUTE_GROUPS(leaf);

static const struct sysfs_ops topo_ops = { .show = topo_show };
static struct kobj_type top_type = { .sysfs_ops = &topo_ops, .release = topo_release, .default_groups = top_groups };
static struct kobj_type node_type = { .sysfs_ops = &topo_ops, .release = topo_release, .default_groups = node_groups };
static struct kobj_type leaf_type = { .sysfs_ops = &topo_ops, .release = topo_release, .default_groups = leaf_groups };
static struct kobj_type empty_type = { .sysfs_ops = &topo_ops, .release = topo_release };

static struct topo_dir *top, *nodes;
static struct kfdm_platform *the_platform;

static __printf(6, 7) struct topo_dir *dir_add(struct kobj_type *type, struct kobject *parent, struct kfdm_node *node,
					       int (*show)(struct topo_dir *, const char *, char *, int),
					       const void *of, const char *format, ...)
{
	struct topo_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	char name[16];
	va_list args;

	if (!dir)
		return NULL;
	va_start(args, format);
	vscnprintf(name, sizeof(name), format, args);
	va_end(args);
	dir->node = node;
	dir->show = show;
	dir->of = of;
	INIT_LIST_HEAD(&dir->link);
	if (kobject_init_and_add(&dir->kobj, type, parent, "%s", name)) {
		kobject_put(&dir->kobj);
		return NULL;
	}
	if (node)
		list_add_tail(&dir->link, &node->dirs);
	return dir;
}

static void dir_del(struct topo_dir *dir)
{
	if (!dir)
		return;
	list_del(&dir->link);
	kobject_del(&dir->kobj);
	kobject_put(&dir->kobj);
}

#define LINE(name, value)	(at += sysfs_emit_at(buf, at, "%s %u\n", name, (u32)(value)))
#define LINE64(name, value)	(at += sysfs_emit_at(buf, at, "%s %llu\n", name, (u64)(value)))

static int show_top(struct topo_dir *dir, const char *name, char *buf, int at)
{
	const struct kfdm_platform *platform = the_platform;

	if (name == attr_generation_id.name)
		return sysfs_emit(buf, "%u\n", platform->generation);
	LINE64("platform_oem", platform->oem);
	LINE64("platform_id", platform->id);
	LINE64("platform_rev", platform->rev);
	return at;
}

static int show_mem_bank(struct topo_dir *dir, const char *name, char *buf, int at)
{
	const struct kfdm_mem_bank *mem = dir->of;

	LINE("heap_type", mem->heap);
	LINE64("size_in_bytes", mem->bytes);
	LINE("flags", 0);
	LINE("width", mem->width);
	LINE("mem_clk_max", mem->mem_clk_max);
	return at;
}

static int show_cache(struct topo_dir *dir, const char *name, char *buf, int at)
{
	const struct kfdm_cache *cache = dir->of;
	u32 bit, bits = cache->map_bytes * 8;

	LINE("processor_id_low", cache->processor_id_low);
	LINE("level", cache->level);
	LINE("size", cache->size);
	LINE("cache_line_size", kfdm_abi->tells_xcc ? cache->line : 0);
	LINE("cache_lines_per_tag", 0);
	LINE("association", 0);
	LINE("latency", 0);
	LINE("type", cache->type);
	at += sysfs_emit_at(buf, at, "sibling_map ");
	for (bit = 0; bit < bits; bit++)
		at += sysfs_emit_at(buf, at, "%d%c", cache->sibling_map[bit / 8] >> bit % 8 & 1,
				    bit + 1 < bits ? ',' : '\n');
	return at;
}

static int show_link(struct topo_dir *dir, const char *name, char *buf, int at)
{
	const struct kfdm_link *link = dir->of;

	LINE("type", link->type);
	LINE("version_major", 0);
	LINE("version_minor", 0);
	LINE("node_from", dir->node->index);
	LINE("node_to", link->to);
	LINE("weight", link->weight);
	LINE("min_latency", 0);
	LINE("max_latency", 0);
	LINE("min_bandwidth", link->min_bandwidth);
	LINE("max_bandwidth", link->max_bandwidth);
	LINE("recommended_transfer_size", 0);
	if (kfdm_abi->tells_xcc)
		LINE("recommended_sdma_engine_id_mask", link->sdma_engines);
	LINE("flags", link->flags);
	return at;
}

static int show_counts(const struct kfdm_node *node, char *buf, int at)
{
	const struct kfdm_device *dev = node->dev;

	LINE("cpu_cores_count", node->cpu_cores);
	LINE("simd_count", dev ? dev->facts.simd_per_cu * kfdm_device_active_cus(dev) : 0);
	LINE("mem_banks_count", 1);
	LINE("caches_count", node->num_caches);
	LINE("io_links_count", node->num_links);
	LINE("p2p_links_count", node->num_p2p);
	LINE("cpu_core_id_base", node->cpu_core_id_base);
	LINE("simd_id_base", node->simd_id_base);
	return at;
}

static int show_shaders(const struct kfdm_device *dev, const struct kgd2kfd_facts *f, char *buf, int at)
{
	LINE("max_waves_per_simd", f->max_waves_per_simd);
	LINE("lds_size_in_kb", f->lds_kb);
	LINE("gds_size_in_kb", 0);
	LINE("num_gws", dev && kfdm_device_has_gws(dev) ? f->gws_size : 0);
	LINE("wave_front_size", f->wave_front_size);
	LINE("array_count", f->num_se * f->num_sh_per_se * f->num_xcc);
	LINE("simd_arrays_per_engine", f->num_sh_per_se);
	LINE("cu_per_simd_array", f->max_cu_per_sh);
	LINE("simd_per_cu", f->simd_per_cu);
	LINE("max_slots_scratch_cu", f->max_scratch_slots_per_cu);
	LINE("gfx_target_version", dev ? dev->chip->gfx_target_version : 0);
	LINE("vendor_id", f->pci_vendor);
	LINE("device_id", f->pci_device);
	LINE("location_id", f->pci_location | f->partition);
	LINE("domain", f->pci_domain);
	return at;
}

static int show_engines(const struct kfdm_node *node, char *buf, int at)
{
	static const struct kfdm_device_info no_info;
	const struct kfdm_device *dev = node->dev;
	const struct kfdm_device_info *info = dev ? &dev->info : &no_info;


	LINE("drm_render_minor", dev ? dev->resources.drm_render_minor : 0);
	LINE64("hive_id", node->hive_id);
	LINE("num_sdma_engines", info->sdma_engines);
	LINE("num_sdma_xgmi_engines", info->xgmi_sdma_engines);
	LINE("num_sdma_queues_per_engine", info->sdma_queues_per_engine - info->reserved_sdma_queues_per_engine);
	LINE("num_cp_queues", dev ? dev->num_cp_queues : 0);
	if (kfdm_abi->tells_save_sizes) {
		LINE("cwsr_size", dev ? dev->save_sizes.cwsr : 0);
		LINE("ctl_stack_size", dev ? dev->save_sizes.ctl_stack : 0);
	}
	return at;
}

static int show_node(struct topo_dir *dir, const char *name, char *buf, int at)
{
	static const struct kgd2kfd_facts no_facts;
	const struct kfdm_device *dev = dir->node->dev;
	const struct kgd2kfd_facts *f = dev ? &dev->facts : &no_facts;

	if (name == attr_gpu_id.name)
		return sysfs_emit(buf, "%u\n", dev ? dev->id : 0);
	if (name == attr_name.name)
		return sysfs_emit(buf, "%s\n", f->name);
	at = show_counts(dir->node, buf, at);
	at = show_shaders(dev, f, buf, at);
	at = show_engines(dir->node, buf, at);
	if (dev) {
		LINE("max_engine_clk_fcompute", f->engine_clk_mhz);
		LINE64("local_mem_size", 0);
		LINE("fw_version", f->mec_fw);
		LINE("capability", kfdm_node_capability(dev));
		if (kfdm_abi->debug_prop) {
			LINE("capability2", kfdm_node_capability2(dev));
			LINE64("debug_prop", kfdm_node_debug_prop(dev));
		}
		LINE("sdma_fw_version", f->sdma_fw);
		LINE64("unique_id", f->unique_id);
		if (kfdm_abi->tells_xcc)
			LINE("num_xcc", dev->facts.num_xcc);
	}
	LINE("max_engine_clk_ccompute", cpufreq_quick_get_max(0) / 1000);
	return at;
}

static bool add_caches(struct kfdm_node *node, struct kobject *parent)
{
	struct topo_dir *caches = dir_add(&empty_type, parent, node, NULL, NULL, "caches");
	u32 i;

	for (i = 0; caches && i < node->num_caches; i++)
		if (!dir_add(&leaf_type, &caches->kobj, node, show_cache, &node->caches[i], "%u", i))
			return false;
	return caches;
}

static bool add_mem(struct kfdm_node *node, struct kobject *parent)
{
	struct topo_dir *banks = dir_add(&empty_type, parent, node, NULL, NULL, "mem_banks");

	return banks && dir_add(&leaf_type, &banks->kobj, node, show_mem_bank, &node->mem, "0");
}

/**
 * kfdm_node_sysfs_add() - the directory of a node, without links
 * @node: node
 *
 * Return: 0, -ENOMEM: kfdm_node_sysfs_remove() cleans up.
 */
int kfdm_node_sysfs_add(struct kfdm_node *node)
{
	struct topo_dir *dir, *links, *p2p;

	INIT_LIST_HEAD(&node->dirs);
	dir = dir_add(&node_type, &nodes->kobj, node, show_node, NULL, "%u", node->index);
	if (!dir || !add_mem(node, &dir->kobj) || !add_caches(node, &dir->kobj))
		return -ENOMEM;
	links = dir_add(&empty_type, &dir->kobj, node, NULL, NULL, "io_links");
	p2p = links ? dir_add(&empty_type, &dir->kobj, node, NULL, NULL, "p2p_links") : NULL;
	if (!p2p || !dir_add(&empty_type, &dir->kobj, node, NULL, NULL, "perf"))
		return -ENOMEM;
	node->p2p_links = &p2p->kobj;
	node->io_links = &links->kobj;
	return 0;
}

/** kfdm_node_sysfs_add_link() - one more link of a node. Return: 0, -ENOMEM: also if the node has no directory */
int kfdm_node_sysfs_add_link(struct kfdm_node *node, struct kfdm_link *link)
{
	if (!node->io_links)
		return -ENOMEM;
	return dir_add(&leaf_type, node->io_links, node, show_link, link, "%u", (u32)(link - node->links)) ? 0 : -ENOMEM;
}

/** kfdm_node_sysfs_add_p2p() - one more peer of a node. Return: as kfdm_node_sysfs_add_link() */
int kfdm_node_sysfs_add_p2p(struct kfdm_node *node, struct kfdm_link *link)
{
	if (!node->p2p_links)
		return -ENOMEM;
	return dir_add(&leaf_type, node->p2p_links, node, show_link, link, "%u", (u32)(link - node->p2p)) ? 0 : -ENOMEM;
}

/** kfdm_node_sysfs_remove() - all directories of a node; nobody reads them any more when this returns */
void kfdm_node_sysfs_remove(struct kfdm_node *node)
{
	struct topo_dir *dir, *next;

	node->io_links = NULL;
	node->p2p_links = NULL;
	list_for_each_entry_safe_reverse(dir, next, &node->dirs, link)
		dir_del(dir);
}

/** kfdm_topology_sysfs_init() - topology/ and topology/nodes/. Return: 0, -ENOMEM */
int kfdm_topology_sysfs_init(struct kfdm_platform *platform)
{
	the_platform = platform;
	top = dir_add(&top_type, &kfdm_chardev_device()->kobj, NULL, show_top, NULL, "topology");
	if (!top)
		return -ENOMEM;
	nodes = dir_add(&empty_type, &top->kobj, NULL, NULL, NULL, "nodes");
	if (!nodes) {
		dir_del(top);
		return -ENOMEM;
	}
	return 0;
}

/** kfdm_topology_sysfs_fini() - undo it */
void kfdm_topology_sysfs_fini(void)
{
	dir_del(nodes);
	dir_del(top);
}
