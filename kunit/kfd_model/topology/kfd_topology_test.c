// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_topology_test.c - nodes and links: what a GPU that comes adds, to itself and to those that are there; what is left of it */
#include <kunit/test.h>

#include "kunit/fail_nth.h"

#define kfdm_topology_num_nodes		tested_topology_num_nodes
#define kfdm_topology_add		tested_topology_add
#define kfdm_topology_table		tested_topology_table
#define kfdm_topology_remove		tested_topology_remove
#define kfdm_topology_init		tested_topology_init
#define kfdm_topology_fini		tested_topology_fini
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/topology/kfd_topology.h"
#include "kfd_model/topology/kfd_topology_node.h"

static bool directories_fail, links_fail;
static int directories;

static int fake_sysfs_init(struct kfdm_platform *platform)
{
	return 0;
}

static void fake_sysfs_fini(void)
{
}

static int fake_node_add(struct kfdm_node *node)
{
	if (directories_fail)
		return -ENOMEM;
	directories++;
	node->io_links = (struct kobject *)node;	/* not NULL: it has some */
	return 0;
}

static int fake_link_add(struct kfdm_node *node, struct kfdm_link *link)
{
	return links_fail ? -ENOMEM : 0;
}

static void fake_node_remove(struct kfdm_node *node)
{
	directories -= node->io_links != NULL;
	node->io_links = NULL;
}

#define kfdm_topology_sysfs_init	fake_sysfs_init
#define kfdm_topology_sysfs_fini	fake_sysfs_fini
#define kfdm_node_sysfs_add		fake_node_add
#define kfdm_node_sysfs_add_link	fake_link_add
#define kfdm_node_sysfs_add_p2p		fake_link_add
#define kfdm_node_sysfs_remove		fake_node_remove
#include "kfd_model/topology/kfd_topology.c"
#include "kfd_model/topology/kfd_topology_links.c"

enum { DEVICES = 3, CUS = 64 };

struct fixture {
	struct kfdm_device dev[DEVICES];
	u32 cpus;	/* nodes */
};

static int topology_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	directories_fail = false;
	links_fail = false;
	directories = 0;
	for (i = 0; i < DEVICES; i++) {
		f->dev[i].chip = kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400);
		f->dev[i].facts = (struct kgd2kfd_facts){
			.num_xcc = 1, .partitions = 1, .memory_partitions = 1,
			.gc_version = 0x090400, .pci_vendor = 0x1002, .pci_device = 0x66a1, .pci_location = 0x300 + i,
			.num_se = 4, .num_sh_per_se = 1, .max_cu_per_sh = 16, .cu_active = 60, .simd_per_cu = 4,
			.vram_public = 256 << 20, .vram_private = 15ULL << 30, .vram_width = 4096, .mem_clk_mhz = 1000,
			.pci_atomics = true, .completes_atomics = true, .pcie_min_mbs = 312, .pcie_max_mbs = 16000,
		};
		f->dev[i].cu = (struct kfdm_cu_layout){ .num_xcc = 1, .num_se = 4, .num_sh_per_se = 1, .cu_active = 60,
						       .cu_bitmap = { { { 0x7fff }, { 0x7fff }, { 0x7fff }, { 0x7fff } } } };
	}
	KUNIT_ASSERT_EQ(test, kfdm_topology_init(), 0);
	f->cpus = kfdm_topology_num_nodes();
	return 0;
}

static void topology_teardown(struct kunit *test)
{
	kfdm_topology_fini();
	KUNIT_EXPECT_EQ(test, directories, 0);
	KUNIT_EXPECT_EQ(test, num_nodes, 0u);
}

static struct kfdm_node *cpu_node(void)
{
	return list_first_entry(&topology, struct kfdm_node, link);
}

static struct kfdm_node *add(struct kunit *test, struct kfdm_device *dev)
{
	KUNIT_ASSERT_EQ(test, kfdm_topology_add(dev), 0);
	return list_last_entry(&topology, struct kfdm_node, link);
}

static void expect_link(struct kunit *test, const struct kfdm_link *link, u32 type, u32 to, u32 weight, u32 flags)
{
	KUNIT_EXPECT_EQ(test, link->type, type);
	KUNIT_EXPECT_EQ(test, link->to, to);
	KUNIT_EXPECT_EQ(test, link->weight, weight);
	KUNIT_EXPECT_EQ(test, link->flags, flags);
}

static void cpus_come_first(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *node;
	u32 cores = 0, at = 0;

	KUNIT_EXPECT_GE(test, f->cpus, 1u);
	list_for_each_entry(node, &topology, link) {
		KUNIT_EXPECT_EQ(test, node->index, at++);
		KUNIT_EXPECT_EQ(test, node->num_links, f->cpus - 1);	/* to each other */
		KUNIT_EXPECT_EQ(test, node->mem.heap, 0u);
		KUNIT_EXPECT_GT(test, node->mem.bytes, 64ULL << 20);
		cores += node->cpu_cores;
	}
	KUNIT_EXPECT_EQ(test, cores, num_online_cpus());
}

/* A GPU's number is a hash of its place and kind (kfd_generate_gpu_id): stable, and never 0, which means a CPU. */
static void numbers(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 generation = platform.generation, id;
	struct kfdm_node *node = add(test, &f->dev[0]);

	id = f->dev[0].id;
	KUNIT_EXPECT_TRUE(test, id > 0 && id <= 0xffff);
	KUNIT_EXPECT_EQ(test, node->index, f->cpus);
	KUNIT_EXPECT_EQ(test, platform.generation, generation + 1);
	KUNIT_EXPECT_EQ(test, kfdm_topology_num_nodes(), f->cpus + 1);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_topology_table(&f->dev[0]), (const struct kfdm_crat_header *)node->table);
	KUNIT_EXPECT_NULL(test, kfdm_topology_table(&f->dev[1]));
	f->dev[1].facts.pci_location = f->dev[0].facts.pci_location;	/* the same hash */
	add(test, &f->dev[1]);
	KUNIT_EXPECT_EQ(test, f->dev[1].id, (id + 1) & 0xffff);
	kfdm_topology_remove(&f->dev[0]);
	KUNIT_EXPECT_EQ(test, platform.generation, generation + 3);
	add(test, &f->dev[0]);
	KUNIT_EXPECT_EQ(test, f->dev[0].id, id);
}

/* kfd_create_vcrat_image_gpu: one bank, of the invisible heap if there is invisible memory */
static void memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *node = add(test, &f->dev[0]);

	KUNIT_EXPECT_EQ(test, node->mem.heap, (u32)KFDM_HEAP_FB_PRIVATE);
	KUNIT_EXPECT_EQ(test, node->mem.bytes, (15ULL << 30) + (256 << 20));
	KUNIT_EXPECT_EQ(test, node->mem.width, 4096u);
	KUNIT_EXPECT_EQ(test, node->mem.mem_clk_max, 1000u);
	f->dev[1].facts.large_bar = true;	/* debug_largebar */
	node = add(test, &f->dev[1]);
	KUNIT_EXPECT_EQ(test, node->mem.heap, (u32)KFDM_HEAP_FB_PUBLIC);
	KUNIT_EXPECT_EQ(test, node->mem.bytes, 256ULL << 20);
	KUNIT_EXPECT_EQ(test, node->simd_id_base, next_simd_id - CUS);
	KUNIT_EXPECT_GE(test, node->simd_id_base, (u32)KFDM_GPU_PROCESSOR_ID + CUS);
}

/* kfd_fill_gpu_direct_io_link_to_cpu: both ways with a large BAR alone */
static void a_small_bar_leads_out(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 before = cpu_node()->num_links;
	struct kfdm_node *gpu = add(test, &f->dev[0]);

	KUNIT_EXPECT_EQ(test, gpu->num_links, 1u);
	expect_link(test, &gpu->links[0], KFDM_LINK_PCIE, 0, 20, KFDM_LINK_ENABLED);
	KUNIT_EXPECT_EQ(test, gpu->links[0].min_bandwidth, 312u);
	KUNIT_EXPECT_EQ(test, gpu->links[0].max_bandwidth, 16000u);
	KUNIT_EXPECT_EQ(test, cpu_node()->num_links, before);
}

/* kfd_set_iolink_non_coherent, kfd_set_iolink_no_atomics */
static void a_large_bar_leads_in(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 before = cpu_node()->num_links;
	struct kfdm_node *gpu;

	f->dev[0].facts.large_bar = true;
	f->dev[0].facts.completes_atomics = false;
	gpu = add(test, &f->dev[0]);
	KUNIT_ASSERT_EQ(test, cpu_node()->num_links, before + 1);
	expect_link(test, &gpu->links[0], KFDM_LINK_PCIE, 0, 20, 1);
	expect_link(test, &cpu_node()->links[before], KFDM_LINK_PCIE, gpu->index, 20, 1 | 2 | 4 | 8);
	f->dev[1].facts.pci_atomics = false;
	gpu = add(test, &f->dev[1]);
	expect_link(test, &gpu->links[0], KFDM_LINK_PCIE, 0, 20, 1 | 4 | 8);
}

/* A hive: 15 a hop, both ways; Vega 20 is not coherent over XGMI; bandwidth is known on Aldebaran alone. */
static void a_hive(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *a, *b;
	u32 i;

	for (i = 0; i < 2; i++) {
		f->dev[i].facts.hive_id = 0x1234;
		f->dev[i].facts.xgmi_hops = 2;
		f->dev[i].facts.xgmi_links = 2;
		f->dev[i].facts.peer_access = true;
	}
	a = add(test, &f->dev[0]);
	b = add(test, &f->dev[1]);
	KUNIT_ASSERT_EQ(test, a->num_links, 2u);
	KUNIT_ASSERT_EQ(test, b->num_links, 2u);
	expect_link(test, &b->links[1], KFDM_LINK_XGMI, a->index, 30, 1 | 2);
	expect_link(test, &a->links[1], KFDM_LINK_XGMI, b->index, 30, 1 | 2);
	KUNIT_EXPECT_EQ(test, b->links[1].max_bandwidth, 0u);
	KUNIT_EXPECT_EQ(test, a->num_p2p + b->num_p2p, 0u);	/* they have better ways than the bus */
	KUNIT_EXPECT_EQ(test, a->hive_id, 0x1234ULL);
}

/* Parts of a device reach each other in the package, and those of another one over a hop (kfd_fill_gpu_xgmi_link_to_gpu). */
static void partitions_over_xgmi(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *a, *b, *c;
	u32 i;

	for (i = 0; i < 3; i++) {
		f->dev[i].chip = kfdm_chip_find(&kfdm_abi_7_2, "ip discovery", 0x090403);
		f->dev[i].facts.hive_id = 0x1234;
		f->dev[i].facts.pci_location = i < 2 ? 0x300 : 0x400;
		f->dev[i].facts.partitions = 2;
		f->dev[i].facts.partition = i % 2;
		f->dev[i].facts.first_xcc = i % 2;
	}
	a = add(test, &f->dev[0]);
	b = add(test, &f->dev[1]);
	c = add(test, &f->dev[2]);
	KUNIT_ASSERT_EQ(test, c->num_links, 3u);
	expect_link(test, &b->links[1], KFDM_LINK_XGMI, a->index, 13, 1);
	KUNIT_EXPECT_EQ(test, b->links[1].max_bandwidth, 819200u);
	expect_link(test, &c->links[1], KFDM_LINK_XGMI, a->index, 41, 1);
	KUNIT_EXPECT_EQ(test, c->links[1].max_bandwidth, 0u);
	KUNIT_EXPECT_NE(test, f->dev[0].id, f->dev[1].id);
}

/* amdgpu_xgmi_get_bandwidth(): 7.2 knows it on all chips, 6.1 on Aldebaran */
static void bandwidth_of_7_2(struct kunit *test)
{
	static const struct { const char *name; u32 gc, mbs; } rows[] = {
		{ "vega20", 0x090400, 50000 }, { "arcturus", 0x090401, 50000 }, { "aldebaran", 0x090402, 50000 },
		{ "ip discovery", 0x090403, 64000 }, { "navi10", 0x0a010a, 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ(test, kfdm_chip_find(&kfdm_abi_7_2, rows[i].name, rows[i].gc)->xgmi_mbs, rows[i].mbs);
	KUNIT_EXPECT_EQ(test, kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400)->xgmi_mbs, 0u);
}

static void aldebaran_over_xgmi(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *a, *b;
	u32 i;

	for (i = 0; i < 2; i++) {
		f->dev[i].chip = kfdm_chip_find(&kfdm_abi_6_1, "aldebaran", 0x090402);
		f->dev[i].facts.hive_id = 0x1234;
		f->dev[i].facts.xgmi_hops = 1;
		f->dev[i].facts.xgmi_links = 3;
		f->dev[i].facts.xgmi_to_cpu = true;
	}
	a = add(test, &f->dev[0]);
	expect_link(test, &a->links[0], KFDM_LINK_XGMI, 0, 15, 1);
	KUNIT_EXPECT_EQ(test, a->links[0].min_bandwidth, 50000u);	/* 16 lanes of 25 Gbit/s */
	KUNIT_EXPECT_EQ(test, a->links[0].max_bandwidth, 50000u);
	KUNIT_EXPECT_EQ(test, cpu_node()->hive_id, 0x1234ULL);
	b = add(test, &f->dev[1]);
	expect_link(test, &b->links[1], KFDM_LINK_XGMI, a->index, 15, 1);
	KUNIT_EXPECT_EQ(test, b->links[1].min_bandwidth, 50000u);
	KUNIT_EXPECT_EQ(test, b->links[1].max_bandwidth, 150000u);
}

/* kfd_add_peer_prop: through the CPU; not coherent */
static void peers_on_the_bus(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *a, *b, *c;

	f->dev[0].facts.peer_access = true;
	f->dev[1].facts.peer_access = true;
	f->dev[1].facts.pcie_min_mbs = 100;
	a = add(test, &f->dev[0]);
	b = add(test, &f->dev[1]);
	c = add(test, &f->dev[2]);		/* peers cannot reach its memory */
	KUNIT_ASSERT_EQ(test, a->num_p2p, 1u);
	KUNIT_ASSERT_EQ(test, b->num_p2p, 1u);
	KUNIT_EXPECT_EQ(test, c->num_p2p, 0u);
	expect_link(test, &a->p2p[0], KFDM_LINK_PCIE, b->index, 40, 1 | 2);
	expect_link(test, &b->p2p[0], KFDM_LINK_PCIE, a->index, 40, 1 | 2);
	KUNIT_EXPECT_EQ(test, a->p2p[0].min_bandwidth, 100u);
}

static void a_gpu_goes(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 before = cpu_node()->num_links;

	f->dev[0].facts.large_bar = true;
	add(test, &f->dev[0]);
	KUNIT_EXPECT_EQ(test, cpu_node()->links[before].weight, 20u);
	kfdm_topology_remove(&f->dev[0]);
	KUNIT_EXPECT_EQ(test, kfdm_topology_num_nodes(), f->cpus);
	KUNIT_EXPECT_NULL(test, kfdm_topology_table(&f->dev[0]));
	KUNIT_EXPECT_EQ(test, cpu_node()->num_links, before);
	kfdm_topology_remove(&f->dev[1]);				/* never was there */
	KUNIT_EXPECT_EQ(test, kfdm_topology_num_nodes(), f->cpus);
}

/* kfd_topology_update_io_links: the nodes behind it move up, and what leads to them follows */
static void the_first_of_three_goes(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, before = cpu_node()->num_links;
	struct kfdm_node *b, *c, *again;

	for (i = 0; i < DEVICES; i++) {
		f->dev[i].facts.large_bar = true;
		f->dev[i].facts.peer_access = true;
	}
	add(test, &f->dev[0]);
	b = add(test, &f->dev[1]);
	c = add(test, &f->dev[2]);
	kfdm_topology_remove(&f->dev[0]);
	KUNIT_EXPECT_EQ(test, b->index, f->cpus);
	KUNIT_EXPECT_EQ(test, c->index, f->cpus + 1);
	KUNIT_ASSERT_EQ(test, cpu_node()->num_links, before + 2);
	KUNIT_EXPECT_EQ(test, cpu_node()->links[before].to, b->index);
	KUNIT_EXPECT_EQ(test, cpu_node()->links[before + 1].to, c->index);
	KUNIT_ASSERT_EQ(test, b->num_p2p, 1u);
	KUNIT_EXPECT_EQ(test, b->p2p[0].to, c->index);
	again = add(test, &f->dev[0]);
	KUNIT_EXPECT_EQ(test, again->index, f->cpus + 2);
	KUNIT_EXPECT_EQ(test, directories, (int)f->cpus + DEVICES);
}

/* Nodes that do not get their directories back can still go. */
static void no_directories_afterwards(struct kunit *test)
{
	struct fixture *f = test->priv;

	add(test, &f->dev[0]);
	add(test, &f->dev[1]);
	directories_fail = true;
	kfdm_topology_remove(&f->dev[0]);
	KUNIT_EXPECT_EQ(test, directories, 0);
	KUNIT_EXPECT_EQ(test, cpu_node()->num_links, 0u);
	directories_fail = false;
	kfdm_topology_remove(&f->dev[1]);
	KUNIT_EXPECT_EQ(test, directories, (int)f->cpus);
}

static void no_directories(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_node *gpu;

	links_fail = true;
	gpu = add(test, &f->dev[0]);
	KUNIT_EXPECT_EQ(test, gpu->num_links, 0u);	/* what user space cannot see is not counted */
	kfdm_topology_remove(&f->dev[0]);
	directories_fail = true;
	KUNIT_EXPECT_EQ(test, kfdm_topology_add(&f->dev[0]), -ENOMEM);
	KUNIT_EXPECT_EQ(test, kfdm_topology_num_nodes(), f->cpus);
}

static void without_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 n, failed = 0;
	bool used;
	int ret;

	FAIL_NTH_NEEDED(test);
	for (n = 1, used = true; used; n++) {
		fail_nth_arm(n);
		ret = kfdm_topology_add(&f->dev[0]);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		KUNIT_EXPECT_EQ(test, kfdm_topology_num_nodes(), f->cpus + !ret);
		failed += !!ret;
		if (!ret)
			kfdm_topology_remove(&f->dev[0]);
		KUNIT_EXPECT_EQ(test, directories, (int)f->cpus);
	}
	kunit_info(test, "%u refusals", failed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(cpus_come_first),
	KUNIT_CASE(numbers),
	KUNIT_CASE(memory),
	KUNIT_CASE(a_small_bar_leads_out),
	KUNIT_CASE(a_large_bar_leads_in),
	KUNIT_CASE(a_hive),
	KUNIT_CASE(bandwidth_of_7_2),
	KUNIT_CASE(aldebaran_over_xgmi),
	KUNIT_CASE(partitions_over_xgmi),
	KUNIT_CASE(peers_on_the_bus),
	KUNIT_CASE(a_gpu_goes),
	KUNIT_CASE(the_first_of_three_goes),
	KUNIT_CASE(no_directories_afterwards),
	KUNIT_CASE(no_directories),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_topology", .init = topology_setup, .exit = topology_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
