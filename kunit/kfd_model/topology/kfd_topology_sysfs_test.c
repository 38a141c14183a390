// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * kfd_topology_sysfs_test.c - the topology as user space reads it: which directories there are, and names, order and values of the
 * lines, which are ABI (kfd_topology.c, node_show and its neighbours)
 */
#include <kunit/test.h>
#include <linux/device.h>
#include <linux/kernfs.h>

#include "kunit/fail_nth.h"
#include "kfd_model/ioctl/kfd_chardev.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/topology/kfd_topology.h"
#include "kunit/kfd_model/every_chip.h"

static struct device *root;
static bool visible, has_gws;

static struct device *fake_device(void)
{
	return root;
}

static bool fake_visible(const struct kfdm_device *dev)
{
	return visible;
}

static bool fake_has_gws(const struct kfdm_device *dev)
{
	return has_gws;
}

#define kfdm_chardev_device		fake_device
#define kfdm_device_visible		fake_visible
#define kfdm_device_has_gws		fake_has_gws
#define kfdm_topology_sysfs_init	tested_sysfs_init
#define kfdm_topology_sysfs_fini	tested_sysfs_fini
#define kfdm_node_sysfs_add		tested_node_add
#define kfdm_node_sysfs_add_link	tested_node_add_link
#define kfdm_node_sysfs_add_p2p		tested_node_add_p2p
#define kfdm_node_sysfs_remove		tested_node_remove
#define kfdm_node_capability	tested_node_capability
#define kfdm_node_capability2	tested_node_capability2
#define kfdm_node_debug_prop	tested_node_debug_prop
#include "kfd_model/topology/kfd_node_capability.c"
#include "kfd_model/topology/kfd_topology_sysfs.c"

struct fixture {
	struct kfdm_platform platform;
	struct kfdm_node cpu, gpu;
	struct kfdm_device dev;
	struct kfdm_cache cache;
	char *text;
};

static int sysfs_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	root = NULL;
	f->text = (char *)get_zeroed_page(GFP_KERNEL);	/* as sysfs has it */
	KUNIT_ASSERT_NOT_NULL(test, f->text);
	visible = true;
	has_gws = false;
	root = __root_device_register("kfd_model_kunit", NULL);	/* the module has no kobject yet that could own it */
	KUNIT_ASSERT_FALSE(test, IS_ERR(root));
	f->platform = (struct kfdm_platform){ .oem = 0x4b5348434f42, .id = 7, .rev = 1, .generation = 3 };
	f->cpu = (struct kfdm_node){ .cpu_cores = 2, .mem = { .heap = 0, .bytes = 1 << 30 } };
	INIT_LIST_HEAD(&f->cpu.dirs);
	f->dev.chip = kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400);
	f->dev.id = 4711;
	f->dev.num_cp_queues = 24;
	f->dev.resources.drm_render_minor = 128;
	f->dev.info = (struct kfdm_device_info){ .sdma_engines = 2, .sdma_queues_per_engine = 8 };
	f->dev.facts = (struct kgd2kfd_facts){
		.num_xcc = 1, .partitions = 1, .memory_partitions = 1,
		.name = "vega20", .gc_version = 0x090400, .simd_per_cu = 4, .cu_active = 60, .num_se = 4, .num_sh_per_se = 1,
		.max_cu_per_sh = 16, .lds_kb = 64, .gws_size = 64, .mec_fw = 467, .sdma_fw = 145, .unique_id = 0x1122334455667788,
	};
	f->cache = (struct kfdm_cache){ .processor_id_low = 5, .level = 1, .size = 16, .type = 10, .map_bytes = 1, .sibling_map = { 5 } };
	f->gpu = (struct kfdm_node){ .index = 1, .dev = &f->dev, .caches = &f->cache, .num_caches = 1, .hive_id = 9 };
	INIT_LIST_HEAD(&f->gpu.dirs);
	return kfdm_topology_sysfs_init(&f->platform);
}

static void sysfs_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (IS_ERR_OR_NULL(root))
		return;
	kfdm_node_sysfs_remove(&f->gpu);
	kfdm_node_sysfs_remove(&f->cpu);
	kfdm_topology_sysfs_fini();
	root_device_unregister(root);
	free_page((unsigned long)f->text);
}

/* The directory or file at @path below the suite's device, as opening it would find it. */
static struct kernfs_node *find(const char *path)
{
	struct kernfs_node *at = root->kobj.sd, *next;
	char copy[64], *rest = copy, *name;

	strscpy(copy, path, sizeof(copy));
	kernfs_get(at);
	while (at && (name = strsep(&rest, "/"))) {
		next = kernfs_find_and_get_ns(at, name, NULL);
		kernfs_put(at);
		at = next;
	}
	return at;
}

static bool there(const char *path)
{
	struct kernfs_node *node = find(path);

	kernfs_put(node);
	return node;
}

/* What reading an attribute of the directory at @path gives. */
static ssize_t read(struct fixture *f, const char *path, struct attribute *attr)
{
	struct kernfs_node *node = find(path);
	ssize_t ret = node ? topo_show(node->priv, attr, f->text) : -ENOENT;

	kernfs_put(node);
	return ret;
}

#define FILE_MODE 0444

static void directories(struct kunit *test)
{
	static const char *const paths[] = {
		"topology/generation_id", "topology/system_properties", "topology/nodes/0/gpu_id", "topology/nodes/0/name",
		"topology/nodes/0/properties", "topology/nodes/0/mem_banks/0/properties", "topology/nodes/0/caches",
		"topology/nodes/0/io_links", "topology/nodes/0/p2p_links", "topology/nodes/0/perf",
		"topology/nodes/1/caches/0/properties", "topology/nodes/1/io_links/0/properties",
		"topology/nodes/1/p2p_links/0/properties",
	};
	struct fixture *f = test->priv;
	struct kernfs_node *node;
	u32 i;

	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add(&f->cpu), 0);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add(&f->gpu), 0);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add_link(&f->gpu, &f->gpu.links[0]), 0);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add_p2p(&f->gpu, &f->gpu.p2p[0]), 0);
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		node = find(paths[i]);
		KUNIT_EXPECT_NOT_NULL_MSG(test, node, "%s", paths[i]);
		if (node && strstr(paths[i], "properties"))
			KUNIT_EXPECT_EQ(test, node->mode & 0777, FILE_MODE);
		kernfs_put(node);
	}
	KUNIT_EXPECT_FALSE(test, there("topology/nodes/0/caches/0"));
	KUNIT_EXPECT_FALSE(test, there("topology/nodes/1/io_links/1"));
	kfdm_node_sysfs_remove(&f->gpu);
	KUNIT_EXPECT_FALSE(test, there("topology/nodes/1"));
	KUNIT_EXPECT_TRUE(test, there("topology/nodes/0/properties"));
}

static void the_top(struct kunit *test)
{
	struct fixture *f = test->priv;

	read(f, "topology", &attr_generation_id);
	KUNIT_EXPECT_STREQ(test, f->text, "3\n");
	read(f, "topology", &attr_system_properties);
	KUNIT_EXPECT_STREQ(test, f->text, "platform_oem 82821066739522\nplatform_id 7\nplatform_rev 1\n");
}

/* The names of all lines, in their order. */
static void names(const char *text, char *out)
{
	while (*text) {
		const char *space = strchrnul(text, ' ');

		memcpy(out, text, space - text);
		out += space - text;
		*out++ = ' ';
		text = strchrnul(text, '\n');
		text += *text == '\n';
	}
	*out = 0;
}

#define NAMES_OF_ALL											\
	"cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count cpu_core_id_base "	\
	"simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws wave_front_size array_count "		\
	"simd_arrays_per_engine cu_per_simd_array simd_per_cu max_slots_scratch_cu gfx_target_version vendor_id "	\
	"device_id location_id domain drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines "			\
	"num_sdma_queues_per_engine num_cp_queues "
#define NAMES_OF_GPUS "max_engine_clk_fcompute local_mem_size fw_version capability sdma_fw_version unique_id "
#define NAMES_AT_THE_END "max_engine_clk_ccompute "

static bool has_line(const struct fixture *f, const char *line)
{
	const char *at = strstr(f->text, line);

	return at && (at == f->text || at[-1] == '\n') && at[strlen(line)] == '\n';
}

static void a_gpu(struct kunit *test)
{
	struct fixture *f = test->priv;
	char *list = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, list);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add(&f->gpu), 0);
	read(f, "topology/nodes/1", &attr_gpu_id);
	KUNIT_EXPECT_STREQ(test, f->text, "4711\n");
	read(f, "topology/nodes/1", &attr_name);
	KUNIT_EXPECT_STREQ(test, f->text, "vega20\n");
	read(f, "topology/nodes/1", &attr_properties);
	names(f->text, list);
	KUNIT_EXPECT_STREQ(test, list, NAMES_OF_ALL NAMES_OF_GPUS NAMES_AT_THE_END);
	KUNIT_EXPECT_TRUE(test, has_line(f, "simd_count 240"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "gfx_target_version 90006"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "num_gws 0"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "hive_id 9"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "drm_render_minor 128"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "num_sdma_queues_per_engine 8"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "local_mem_size 0"));	/* as Linux; user space adds the banks up */
	KUNIT_EXPECT_TRUE(test, has_line(f, "unique_id 1234605616436508552"));
	has_gws = true;
	read(f, "topology/nodes/1", &attr_properties);
	KUNIT_EXPECT_TRUE(test, has_line(f, "num_gws 64"));
	visible = false;	/* another device cgroup: node_show */
	KUNIT_EXPECT_EQ(test, read(f, "topology/nodes/1", &attr_properties), (ssize_t)-EPERM);
	KUNIT_EXPECT_EQ(test, read(f, "topology/nodes/1/caches/0", &attr_properties), (ssize_t)-EPERM);
}

#define NAMES_OF_SAVE_AREAS "cwsr_size ctl_stack_size "
#define NAMES_OF_GPUS_7_2											\
	"max_engine_clk_fcompute local_mem_size fw_version capability capability2 debug_prop sdma_fw_version unique_id num_xcc "

/* As 7.2 tells it */
static void a_gpu_of_7_2(struct kunit *test)
{
	struct fixture *f = test->priv;
	char *list = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, list);
	kfdm_abi = &kfdm_abi_7_2;
	f->dev.save_sizes = (struct kfdm_save_sizes){ .cwsr = 20910080, .ctl_stack = 20480 };
	if (!kfdm_node_sysfs_add(&f->gpu)) {
		read(f, "topology/nodes/1", &attr_properties);
		names(f->text, list);
	}
	kfdm_abi = &kfdm_abi_6_1;
	KUNIT_EXPECT_STREQ(test, list, NAMES_OF_ALL NAMES_OF_SAVE_AREAS NAMES_OF_GPUS_7_2 NAMES_AT_THE_END);
	KUNIT_EXPECT_TRUE(test, has_line(f, "cwsr_size 20910080"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "ctl_stack_size 20480"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "debug_prop 1494"));	/* a mask of bits 6 to 29, dispatch info is always valid */
	KUNIT_EXPECT_TRUE(test, has_line(f, "num_xcc 1"));
}

/* Nothing of what a debugger cannot have */
static void a_gpu_with_a_mes(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct kfdm_chip *chip = kunit_kzalloc(test, sizeof(*chip), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, chip);
	*chip = *kfdm_chip_find(&kfdm_abi_7_2, "navi31", 0x0b0000);
	f->dev.chip = chip;
	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, kfdm_node_debug_prop(&f->dev), 0u);
	KUNIT_EXPECT_EQ(test, kfdm_node_capability(&f->dev) & BIT(15), 0u);
	chip->mes = false;
	KUNIT_EXPECT_NE(test, kfdm_node_debug_prop(&f->dev), 0u);
	KUNIT_EXPECT_EQ(test, kfdm_node_capability(&f->dev) & BIT(15), (u32)BIT(15));
	kfdm_abi = &kfdm_abi_6_1;
	f->dev.chip = kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400);
}

static void a_cpu(struct kunit *test)
{
	struct fixture *f = test->priv;
	char *list = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, list);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add(&f->cpu), 0);
	visible = false;	/* says nothing about CPUs */
	read(f, "topology/nodes/0", &attr_gpu_id);
	KUNIT_EXPECT_STREQ(test, f->text, "0\n");
	read(f, "topology/nodes/0", &attr_name);
	KUNIT_EXPECT_STREQ(test, f->text, "\n");
	read(f, "topology/nodes/0", &attr_properties);
	names(f->text, list);
	KUNIT_EXPECT_STREQ(test, list, NAMES_OF_ALL NAMES_AT_THE_END);
	KUNIT_EXPECT_TRUE(test, has_line(f, "cpu_cores_count 2"));
	KUNIT_EXPECT_TRUE(test, has_line(f, "simd_count 0"));
}

static void leaves(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->gpu.mem = (struct kfdm_mem_bank){ .heap = 2, .bytes = 17163091968, .width = 4096, .mem_clk_max = 1000 };
	f->gpu.links[0] = (struct kfdm_link){ .type = 2, .to = 0, .weight = 20, .min_bandwidth = 312, .max_bandwidth = 16000, .flags = 1 };
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add(&f->gpu), 0);
	KUNIT_ASSERT_EQ(test, kfdm_node_sysfs_add_link(&f->gpu, &f->gpu.links[0]), 0);
	read(f, "topology/nodes/1/mem_banks/0", &attr_properties);
	KUNIT_EXPECT_STREQ(test, f->text, "heap_type 2\nsize_in_bytes 17163091968\nflags 0\nwidth 4096\nmem_clk_max 1000\n");
	read(f, "topology/nodes/1/caches/0", &attr_properties);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "processor_id_low 5\nlevel 1\nsize 16\ncache_line_size 0\ncache_lines_per_tag 0\nassociation 0\n"
			   "latency 0\ntype 10\nsibling_map 1,0,1,0,0,0,0,0\n");
	read(f, "topology/nodes/1/io_links/0", &attr_properties);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "type 2\nversion_major 0\nversion_minor 0\nnode_from 1\nnode_to 0\nweight 20\nmin_latency 0\n"
			   "max_latency 0\nmin_bandwidth 312\nmax_bandwidth 16000\nrecommended_transfer_size 0\nflags 1\n");
}

/* The switch over asic_type in kfd_topology_add_device: doorbells of old chips, and Tonga's AQL rings */
static void capabilities(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;
	struct fixture *f = test->priv;
	bool tonga = !strcmp(chip->name, "tonga");
	bool oldest = !strcmp(chip->name, "kaveri") || !strcmp(chip->name, "hawaii") || tonga;
	u32 doorbells = chip->gc_version ? 2 : !oldest, expected = 0x280 | doorbells << 12 | tonga << 14;

	f->dev.chip = chip;
	KUNIT_EXPECT_EQ(test, kfdm_node_capability(&f->dev), expected);
	f->dev.facts.asic_revision = 0x13;	/* four bits of it */
	f->dev.facts.svm = true;
	KUNIT_EXPECT_EQ(test, kfdm_node_capability(&f->dev), expected | 3 << 22 | (chip->gc_version ? BIT(27) : 0));
	f->dev.facts.ras = KFD_BRIDGE_RAS_UMC | KFD_BRIDGE_RAS_GFX;
	KUNIT_EXPECT_EQ(test, kfdm_node_capability(&f->dev) & (BIT(20) | BIT(21) | BIT(26)),
			(u32)(BIT(20) | BIT(26) | (chip->gc_version != 0x090001 ? BIT(21) : 0)));
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
		ret = kfdm_node_sysfs_add(&f->gpu);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		failed += !!ret;
		kfdm_node_sysfs_remove(&f->gpu);
		KUNIT_EXPECT_FALSE(test, there("topology/nodes/1"));
	}
	kunit_info(test, "%u refusals", failed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(directories),
	KUNIT_CASE(the_top),
	KUNIT_CASE(a_gpu),
	KUNIT_CASE(a_gpu_of_7_2),
	KUNIT_CASE(a_gpu_with_a_mes),
	KUNIT_CASE(a_cpu),
	KUNIT_CASE(leaves),
	KUNIT_CASE_PARAM(capabilities, next_chip),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_topology_sysfs", .init = sysfs_setup, .exit = sysfs_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
