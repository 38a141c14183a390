// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_debugfs_test.c - descriptors, registers and run lists as text; the switch that makes the firmware hang; the files */
#include <kunit/test.h>
#include <linux/debugfs.h>

#include "kunit/user_memory.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/topology/kfd_topology.h"

enum { GPU_ID = 4711, NODES = 3 };

static struct {
	struct kfdm_process *process;
	struct kfdm_device *dev;
	u32 hangs, dumps, held;
	int dump_answer;
} seen;

static void fake_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	fn(seen.process, data);
}

static u32 fake_devices(struct kfdm_device *out[KFDM_MAX_DEVICES])
{
	out[0] = seen.dev;
	seen.held++;
	return 1;
}

static void fake_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n)
{
	seen.held -= n;
}

static struct kfdm_device *fake_by_id(u32 gpu_id)
{
	seen.held += gpu_id == GPU_ID;
	return gpu_id == GPU_ID ? seen.dev : NULL;
}

static void fake_put_user(struct kfdm_device *dev)
{
	seen.held--;
}

static u32 fake_num_nodes(void)
{
	return NODES;
}

static int fake_hang(struct kfdm_dqm *dqm)
{
	seen.hangs++;
	return -ETIME;
}

/* Two runs of registers; the first is longer than a line. */
static int fake_dump(struct amdm_xcp *xcp, u32 pipe, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	u32 i;

	seen.dumps++;
	for (i = 0; i < 10; i++) {
		regs[i][0] = 0x8000 + 4 * i;
		regs[i][1] = i;
	}
	regs[10][0] = 0x9000;
	regs[10][1] = pipe << 16 | queue;
	*num_regs = 11;
	return seen.dump_answer;
}

static int fake_sdma_dump(struct amdm_device *adev, u32 engine, u32 queue, u32 (*regs)[2], u32 max_regs, u32 *num_regs)
{
	regs[0][0] = 0x1260;
	regs[0][1] = engine << 16 | queue;
	*num_regs = 1;
	return 0;
}

static void fake_limits(struct kfd2kgd_mem_limits *limits)
{
	*limits = (struct kfd2kgd_mem_limits){
		.system_used = 3 << 20, .system_max = 100 << 20, .ttm_used = (2 << 20) - 1, .ttm_max = 50 << 20,
	};
}

static const struct kfd2kgd_ops fake_kgd = { .hqd_dump = fake_dump, .hqd_sdma_dump = fake_sdma_dump, .mem_limits = fake_limits };

/* The living module has the name. */
static struct dentry *fake_create_dir(const char *name, struct dentry *parent)
{
	return debugfs_create_dir("kfd_model_kunit", parent);
}

#define debugfs_create_dir		fake_create_dir
#define kfdm_processes_for_each		fake_for_each
#define kfdm_devices_get		fake_devices
#define kfdm_devices_put		fake_devices_put
#define kfdm_device_by_id		fake_by_id
#define kfdm_device_put_user		fake_put_user
#define kfdm_topology_num_nodes		fake_num_nodes
#define kfdm_cpsch_hang_hiq		fake_hang
#define kfdm_debugfs_init		tested_debugfs_init
#define kfdm_debugfs_fini		tested_debugfs_fini
#include "kfd_model/module/kfd_debugfs.c"

static const struct kfdm_mqd_ops mqds[KFDM_MQD_TYPES] = { [KFDM_MQD_CP] = { .size = 16 }, [KFDM_MQD_SDMA] = { .size = 4 } };
static const struct kfdm_chip chip = { .mqd = mqds };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct kfdm_device dev;
	struct kfdm_dqm dqm;
	struct kfdm_process process;
	struct kfdm_process_device pdd;
	struct kfdm_queue q[3];
	u32 words[4];
	struct seq_file m;
	char text[4096];
};

static int debugfs_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	memset(&seen, 0, sizeof(seen));
	seen.dev = &f->dev;
	seen.process = &f->process;
	f->m.buf = f->text;
	f->m.size = sizeof(f->text);
	f->dev.id = GPU_ID;
	f->dev.chip = &chip;
	f->dev.dqm = &f->dqm;
	f->dev.resources.num_pipe_per_mec = 4;
	f->dev.resources.num_queue_per_pipe = 8;
	set_bit(8 + 3, f->dev.resources.cp_queue_bitmap);
	f->dev.info.sdma_engines = 1;
	f->dev.info.xgmi_sdma_engines = 1;
	f->dev.info.sdma_queues_per_engine = 1;
	mutex_init(&f->dqm.mutex);
	mutex_init(&f->process.mutex);
	INIT_LIST_HEAD(&f->process.queues);
	f->process.lead_thread = current;
	f->process.pasid = 0x8001;
	f->pdd.dev = &f->dev;
	return 0;
}

static void debugfs_teardown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, seen.held, 0u);	/* who has been looked at may go */
	kfdm_kgd = ((struct fixture *)test->priv)->saved;
}

static void add_queue(struct fixture *f, u32 i, enum kfdm_queue_type type, u32 *mqd)
{
	f->q[i].pdd = &f->pdd;
	f->q[i].properties.type = type;
	f->q[i].mqd.type = kfdm_mqd_type_of(type);
	f->q[i].mqd.mqd = mqd;
	list_add_tail(&f->q[i].link, &f->process.queues);
}

/* pqm_debugfs_mqds: as many bytes as the descriptor has; a queue whose process is ending has none any more */
static void descriptors(struct kunit *test)
{
	struct fixture *f = test->priv;
	char expected[256];

	f->words[0] = 0xc0310800;
	f->words[3] = 7;
	add_queue(f, 0, KFDM_QUEUE_COMPUTE, f->words);
	add_queue(f, 1, KFDM_QUEUE_COMPUTE, NULL);
	add_queue(f, 2, KFDM_QUEUE_SDMA, f->words);
	mqds_show(&f->m, NULL);
	snprintf(expected, sizeof(expected),
		 "Process %d PASID 0x8001:\n"
		 "  Compute queue on device 1267\n"
		 "    00000000: c0310800 00000000 00000000 00000007\n"
		 "  SDMA queue on device 1267\n"
		 "    00000000: c0310800\n", current->tgid);
	KUNIT_EXPECT_STREQ(test, f->text, expected);
}

#define REGISTERS(last)								\
	"    00008000: 00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007\n"	\
	"    00008020: 00000008 00000009\n"					\
	"    00009000: " last "\n"

/* dqm_debugfs_hqds: the HIQ, KFD's slots, all SDMA queues; seq_reg_dump: eight of what follows each other are a line */
static void hardware_queues(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm.sched_running = true;
	hqds_show(&f->m, NULL);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "Node 2, gpu_id 1267:\n"
			   "  HIQ on MEC 2 Pipe 0 Queue 0\n" REGISTERS("00040000")
			   "  CP Pipe 1, Queue 3\n" REGISTERS("00010003")
			   "  SDMA Engine 0, RLC 0\n    00001260: 00000000\n"
			   "  SDMA Engine 1, RLC 0\n    00001260: 00010000\n");
}

static void hardware_queues_of_a_stopped_device(struct kunit *test)
{
	struct fixture *f = test->priv;

	hqds_show(&f->m, NULL);
	KUNIT_EXPECT_STREQ(test, f->text, "Node 2, gpu_id 1267:\n Device is stopped\n");
	KUNIT_EXPECT_EQ(test, seen.dumps, 0u);
}

static void a_dump_fails(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm.sched_running = true;
	seen.dump_answer = -ENOMEM;
	hqds_show(&f->m, NULL);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "Node 2, gpu_id 1267:\n"
			   "  SDMA Engine 0, RLC 0\n    00001260: 00000000\n  SDMA Engine 1, RLC 0\n    00001260: 00010000\n");
}

static void run_lists(struct kunit *test)
{
	struct fixture *f = test->priv;

	rls_show(&f->m, NULL);
	f->words[0] = 0xc00ea100;
	f->dqm.active_run_list = true;
	f->dqm.run_list.chunks = 1;
	f->dqm.run_list.cpu = f->words;
	f->dqm.run_list_bytes = 8;
	rls_show(&f->m, NULL);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "Node 2, gpu_id 1267:\n  No active runlist\n"
			   "Node 2, gpu_id 1267:\n    00000000: c00ea100 00000000\n");
}

static void memory_limits(struct kunit *test)
{
	struct fixture *f = test->priv;

	mem_limit_show(&f->m, NULL);
	KUNIT_EXPECT_STREQ(test, f->text, "System mem used 3M out of 100M\nTTM mem used 1M out of 50M\n");
}

static ssize_t hang(struct kunit *test, const char *text)
{
	ssize_t ret;

	KUNIT_ASSERT_TRUE(test, user_write(text, strlen(text)));
	kthread_use_mm(user_mm);
	ret = hang_hws_write(NULL, (const char __user *)user_page, strlen(text), NULL);
	kthread_unuse_mm(user_mm);
	return ret;
}

/* kfd_debugfs_hang_hws_write, kfd_debugfs_hang_hws: decimal gpu_id; with another scheduling policy or the MES, just a message */
static void hangs(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, hang(test, "4712\n"), (ssize_t)-EINVAL);
	KUNIT_EXPECT_EQ(test, hang(test, "0x1267"), (ssize_t)-EINVAL);
	KUNIT_EXPECT_EQ(test, hang(test, "1234567890123456"), (ssize_t)-EINVAL);
	KUNIT_EXPECT_EQ(test, hang_hws_write(NULL, (const char __user *)-4096, 4, NULL), (ssize_t)-EFAULT);
	KUNIT_EXPECT_EQ(test, seen.hangs, 0u);
	KUNIT_EXPECT_EQ(test, hang(test, " 4711\n"), (ssize_t)6);
	KUNIT_EXPECT_EQ(test, seen.hangs, 1u);
	f->dqm.sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	KUNIT_EXPECT_EQ(test, hang(test, "4711"), (ssize_t)4);
	f->dqm.sched_policy = KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION;
	KUNIT_EXPECT_EQ(test, hang(test, "4711"), (ssize_t)4);
	f->dqm.sched_policy = KFDM_SCHED_POLICY_HWS;
	f->dev.facts.enable_mes = true;
	KUNIT_EXPECT_EQ(test, hang(test, "4711"), (ssize_t)4);
	KUNIT_EXPECT_EQ(test, seen.hangs, 1u);
}

struct file_row {
	const char *name;
	umode_t mode;
};

/* kfd_debugfs_init: mem_limit has the mode of a file to be written, too */
static const struct file_row file_rows[] = {
	{ "mqds", 0444 }, { "hqds", 0444 }, { "rls", 0444 }, { "hang_hws", 0200 }, { "mem_limit", 0200 },
};

static void files(struct kunit *test)
{
	struct dentry *file;
	u32 i;

	kfdm_debugfs_init();
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(dir));
	for (i = 0; i < ARRAY_SIZE(file_rows); i++) {
		file = debugfs_lookup(file_rows[i].name, dir);
		KUNIT_ASSERT_NOT_NULL_MSG(test, file, "%s", file_rows[i].name);
		KUNIT_EXPECT_EQ_MSG(test, d_inode(file)->i_mode & 0777, file_rows[i].mode, "%s", file_rows[i].name);
		dput(file);
	}
	kfdm_debugfs_fini();
	KUNIT_EXPECT_NULL(test, debugfs_lookup("kfd_model_kunit", NULL));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(descriptors),
	KUNIT_CASE(hardware_queues),
	KUNIT_CASE(hardware_queues_of_a_stopped_device),
	KUNIT_CASE(a_dump_fails),
	KUNIT_CASE(run_lists),
	KUNIT_CASE(memory_limits),
	KUNIT_CASE(hangs),
	KUNIT_CASE(files),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_debugfs", .suite_init = user_memory_init, .suite_exit = user_memory_exit,
	.init = debugfs_setup, .exit = debugfs_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
