// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_process_sysfs_test.c - proc/<pid>: which files are there, what they say, and that none outlives what it is about */
#include <linux/device.h>
#include <linux/kernfs.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"
#include "kunit/user_memory.h"
#include "process_fixture.h"

#include "kfd_model/base/kfd_sysfs_dir.c"
#include "kfd_model/queue/kfd_queue_sysfs.c"
#include "kfd_model/process/kfd_process_sysfs.c"

static struct device *root;
static struct mm_struct *process_mm;	/* what its lead thread runs in is another matter: this thread has none */
static u32 waves, waves_per_cu;

struct device *kfdm_chardev_device(void)
{
	return root;
}

struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p)
{
	if (process_mm)
		mmget(process_mm);
	return process_mm;
}

static void fake_cu_occupancy(struct amdm_xcp *xcp, u32 pasid, u32 *num, u32 *max_per_cu)
{
	*num = waves;
	*max_per_cu = waves_per_cu;
}

static const struct kfd2kgd_ops fake_kgd = { .get_cu_occupancy = fake_cu_occupancy };
static struct kfdm_queue queue;

static int sysfs_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	f->p.lead_thread = current;
	memset(&queue, 0, sizeof(queue));
	queue.pdd = &f->pdd[1];
	queue.properties.queue_id = 5;
	queue.properties.type = KFDM_QUEUE_SDMA;
	queue.properties.queue_size = 4096;
	queue.properties.read_ptr = user_page;
	process_mm = user_mm;
	root = __root_device_register("kfd_kunit", NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(root));
	return kfdm_process_sysfs_init();
}

static void sysfs_teardown(struct kunit *test)
{
	kfdm_process_sysfs_fini();
	root_device_unregister(root);
	process_fixture_put(test);
}

/* The directory or file of a process below proc/<pid>, referenced; "" is the directory itself. */
static struct kernfs_node *find(const char *path)
{
	struct kernfs_node *at = root->kobj.sd, *next;
	char full[80], *rest = full, *name;

	snprintf(full, sizeof(full), "proc/%d/%s", current->pid, path);
	kernfs_get(at);
	while (at && (name = strsep(&rest, "/"))) {
		if (!*name)
			break;
		next = kernfs_find_and_get(at, name);
		kernfs_put(at);
		at = next;
	}
	return at;
}

static bool exists(const char *path)
{
	struct kernfs_node *node = find(path);

	kernfs_put(node);
	return node;
}

/* What the file says; "(none)" if it is not there. In a page that the next call overwrites. */
static const char *says(const char *path)
{
	static char page[PAGE_SIZE] __aligned(PAGE_SIZE);
	struct kernfs_node *node = find(path);
	struct kobject *kobj;

	if (!node || kernfs_type(node) != KERNFS_FILE) {
		kernfs_put(node);
		return "(none)";
	}
	kobj = kunit_kernfs_parent(node)->priv;
	if (kobj->ktype->sysfs_ops->show(kobj, node->priv, page) < 0)
		strscpy(page, "(error)", sizeof(page));
	kernfs_put(node);
	return page;
}

/* kfd_process.c, kfd_procfs_*: process and statistics files end in a line feed, queue files (kfd_procfs_queue_show) do not */
static void files_of_a_process(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_FALSE(test, exists(""));
	f->p.svm.gpus.supported = BIT(1);
	kfdm_process_sysfs_add(&f->p);
	KUNIT_EXPECT_STREQ(test, says("pasid"), "32769\n");
	KUNIT_EXPECT_STREQ(test, says("counters_22136/faults"), "0\n");
	KUNIT_EXPECT_STREQ(test, says("counters_22136/page_in"), "0\n");
	atomic64_set(&f->pdd[1].page_in, 7);
	atomic64_set(&f->pdd[1].page_out, 4);
	KUNIT_EXPECT_STREQ(test, says("counters_22136/page_in"), "7\n");
	KUNIT_EXPECT_STREQ(test, says("counters_22136/page_out"), "4\n");
	KUNIT_EXPECT_TRUE(test, exists("queues"));
	f->pdd[0].vram_usage = 3 * PAGE_SIZE;
	KUNIT_EXPECT_STREQ(test, says("vram_4660"), "12288\n");	/* gpu_id in decimal */
	KUNIT_EXPECT_STREQ(test, says("vram_22136"), "0\n");
	atomic64_set(&f->pdd[1].evicted_jiffies, HZ);
	KUNIT_EXPECT_STREQ(test, says("stats_22136/evicted_ms"), "1000\n");
	KUNIT_EXPECT_STREQ(test, says("stats_4660/evicted_ms"), "0\n");
	KUNIT_EXPECT_FALSE(test, exists("stats_4660/cu_occupancy"));	/* this GPU cannot tell */
	KUNIT_EXPECT_FALSE(test, exists("counters_4660"));	/* kfd_procfs_add_sysfs_counters: with SVM */
	kfdm_process_sysfs_remove(&f->p);
	KUNIT_EXPECT_FALSE(test, exists(""));
	KUNIT_EXPECT_NULL(test, f->p.sysfs);
	KUNIT_EXPECT_NULL(test, f->pdd[0].sysfs);
	kfdm_process_sysfs_remove(&f->p);
}

/* kfd_get_cu_occupancy(): in CUs, rounded up; a process without queues occupies none */
static void occupancy(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	f->dev[0].facts.cu_occupancy = true;
	kfdm_process_sysfs_add(&f->p);
	waves = 41;
	waves_per_cu = 40;
	KUNIT_EXPECT_STREQ(test, says("stats_4660/cu_occupancy"), "0\n");
	f->pdd[0].qpd.map.queue_count = 1;
	KUNIT_EXPECT_STREQ(test, says("stats_4660/cu_occupancy"), "2\n");
	waves = 40;
	KUNIT_EXPECT_STREQ(test, says("stats_4660/cu_occupancy"), "1\n");
	waves_per_cu = 0;
	KUNIT_EXPECT_STREQ(test, says("stats_4660/cu_occupancy"), "0\n");
	kfdm_process_sysfs_remove(&f->p);
}

static void files_of_a_queue(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_queue_sysfs_add(&queue);	/* its process has no directory */
	KUNIT_EXPECT_NULL(test, queue.sysfs);
	kfdm_process_sysfs_add(&f->p);
	list_add(&queue.link, &f->p.queues);
	kfdm_queue_sysfs_add(&queue);
	KUNIT_EXPECT_STREQ(test, says("queues/5/size"), "4096");
	KUNIT_EXPECT_STREQ(test, says("queues/5/type"), "1");
	KUNIT_EXPECT_STREQ(test, says("queues/5/gpuid"), "22136");
	kfdm_queue_sysfs_remove(&queue);
	KUNIT_EXPECT_FALSE(test, exists("queues/5"));
	kfdm_queue_sysfs_remove(&queue);
	kfdm_queue_sysfs_add(&queue);
	KUNIT_EXPECT_TRUE(test, exists("queues/5"));
	kfdm_process_sysfs_remove(&f->p);	/* with its queues */
	KUNIT_EXPECT_NULL(test, queue.sysfs);
}

/* kfd_procfs_show(): what its queues count, the destroyed ones included, in us; nothing once there is no memory to count in */
static void sdma_time(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	const u64 words[] = { 4711, 250 };	/* the counter is in units of 10 ns */

	KUNIT_ASSERT_TRUE(test, user_write(words, sizeof(words)));
	kfdm_process_sysfs_add(&f->p);
	list_add(&queue.link, &f->p.queues);
	f->pdd[1].sdma_past_activity = 1000;
	KUNIT_EXPECT_STREQ(test, says("sdma_22136"), "12\n");
	KUNIT_EXPECT_STREQ(test, says("sdma_4660"), "0\n");
	queue.properties.read_ptr = 8;	/* the first page cannot be mapped (mmap_min_addr) */
	KUNIT_EXPECT_STREQ(test, says("sdma_22136"), "10\n");
	queue.properties.read_ptr = user_page;
	process_mm = NULL;
	KUNIT_EXPECT_STREQ(test, says("sdma_22136"), "0\n");
	process_mm = user_mm;
	queue.properties.type = KFDM_QUEUE_COMPUTE;
	KUNIT_EXPECT_STREQ(test, says("sdma_22136"), "10\n");
	kfdm_process_sysfs_remove(&f->p);
}

/* Whatever cannot be made is missing, nothing else */
static void without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	unsigned int nth = 1, missing = 0;
	bool failed;

	FAIL_NTH_NEEDED(test);
	do {
		fail_nth_arm(nth++);
		kfdm_process_sysfs_add(&f->p);
		kfdm_queue_sysfs_add(&queue);
		failed = fail_nth_disarm();
		missing += !exists("pasid");
		if (f->p.sysfs && !exists("stats_22136/evicted_ms"))
			KUNIT_EXPECT_TRUE(test, failed);
		kfdm_queue_sysfs_remove(&queue);
		kfdm_process_sysfs_remove(&f->p);
		KUNIT_EXPECT_FALSE(test, exists(""));
	} while (failed);
	KUNIT_EXPECT_GE(test, nth, 20u);
	kunit_info(test, "%u refusals", missing);
	KUNIT_EXPECT_LT(test, missing, nth / 2);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(files_of_a_process),
	KUNIT_CASE(occupancy),
	KUNIT_CASE(files_of_a_queue),
	KUNIT_CASE(sdma_time),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_process_sysfs", .suite_init = user_memory_init, .suite_exit = user_memory_exit, .init = sysfs_setup, .exit = sysfs_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
