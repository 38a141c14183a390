// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_module_test.c - loading: parameters, the order of the parts, and that a part that fails takes back those before it */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/namei.h>

/* This is not the module that the file makes. */
#undef module_init
#undef module_exit
#undef MODULE_DESCRIPTION
#undef MODULE_LICENSE
#undef __init
#undef __exit
#define module_init(fn)	static int (*const load)(void) = fn
#define module_exit(fn)	static void (*const unload)(void) = fn
#define MODULE_DESCRIPTION(text)	_Static_assert(true, "")
#define MODULE_LICENSE(text)		_Static_assert(true, "")
#define __init
#define __exit
#define kern_path(name, flags, path)	fake_kern_path(name, path)
#define path_put(path)			fake_path_put(path)

static int path_refs, path_error;
static char log[32];	/* parts that came, a letter each; in capitals: went */
static char failing;

static int fake_kern_path(const char *name, struct path *path)
{
	path_refs += !path_error;
	return strcmp(name, "/sys/class/kfd") ? -EINVAL : path_error;
}

static void fake_path_put(struct path *path)
{
	path_refs--;
}

static void note(char what)
{
	size_t n = strlen(log);

	if (n + 1 < sizeof(log))
		log[n] = what;
}

static int step(char part)
{
	if (failing == part)
		return -ENOMEM;
	note(part);
	return 0;
}

static void undo(char part)
{
	note(part - 'a' + 'A');
}

#include "kfd_model/module/kfd_module.c"

const struct kgd2kfd_ops kfdm_kfd_ops;
struct amdm_kfd_parameters amdm_kfd_param;

int amdm_kfd_attach(const struct kgd2kfd_ops *kfd, const struct kfd2kgd_ops **kgd)
{
	return step('a');
}

void amdm_kfd_detach(void)
{
	undo('a');
}

int kfdm_debug_init(void)
{
	return step('b');
}

void kfdm_debug_fini(void)
{
	undo('b');
}

int kfdm_processes_init(void)
{
	return step('p');
}

void kfdm_processes_fini(void)
{
	undo('p');
}

int kfdm_chardev_init(void)
{
	return step('c');
}

void kfdm_chardev_fini(void)
{
	undo('c');
}

int kfdm_process_sysfs_init(void)
{
	return step('s');
}

void kfdm_process_sysfs_fini(void)
{
	undo('s');
}

int kfdm_topology_init(void)
{
	return step('t');
}

void kfdm_topology_fini(void)
{
	undo('t');
}

void kfdm_debugfs_init(void)
{
	step('d');
}

void kfdm_debugfs_fini(void)
{
	undo('d');
}

static const struct kfdm_abi *saved_abi;

static int module_setup(struct kunit *test)
{
	saved_abi = kfdm_abi;
	memset(log, 0, sizeof(log));
	failing = 0;
	path_refs = 0;
	path_error = -ENOENT;
	amdm_kfd_param = (struct amdm_kfd_parameters){ .max_num_of_queues_per_device = 4096 };
	return 0;
}

static void module_teardown(struct kunit *test)
{
	kfdm_abi = saved_abi;
}

struct parameter_fact {
	int sched_policy, queues, ret;
};

/* kfd_module.c, kfd_init() */
static const struct parameter_fact facts[] = {
	{ 0, 4096, 0 }, { 1, 1, 0 }, { 2, 512 * 1024, 0 }, { -1, 4096, -EINVAL }, { 3, 4096, -EINVAL }, { 0, 0, -EINVAL },
	{ 0, -1, -EINVAL }, { 0, 512 * 1024 + 1, -EINVAL },
};

static void fact_name(const struct parameter_fact *fact, char *text)
{
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "policy %d queues %d", fact->sched_policy, fact->queues);
}

KUNIT_ARRAY_PARAM(fact, facts, fact_name);

static void parameters(struct kunit *test)
{
	const struct parameter_fact *fact = test->param_value;

	amdm_kfd_param.sched_policy = fact->sched_policy;
	amdm_kfd_param.max_num_of_queues_per_device = fact->queues;
	KUNIT_EXPECT_EQ(test, load(), fact->ret);
	KUNIT_EXPECT_STREQ(test, log, fact->ret ? "" : "bpcstda");
}

static void not_beside_another_kfd(struct kunit *test)
{
	path_error = 0;
	KUNIT_EXPECT_EQ(test, load(), -EEXIST);
	KUNIT_EXPECT_STREQ(test, log, "");
	KUNIT_EXPECT_EQ(test, path_refs, 0);
}

/* Who says nothing gets the newer one. */
static void which_driver(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, load(), 0);
	KUNIT_EXPECT_STREQ(test, kfdm_abi->name, "7.2");
	abi = "6.1";
	KUNIT_EXPECT_EQ(test, load(), 0);
	KUNIT_EXPECT_STREQ(test, kfdm_abi->name, "6.1");
	abi = "6.2";
	KUNIT_EXPECT_EQ(test, load(), -EINVAL);
	abi = "7.2";
}

static void what_came_goes_again(struct kunit *test)
{
	static const struct { char part; const char *log; } failures[] = {
		{ 'b', "" }, { 'p', "bB" }, { 'c', "bpPB" }, { 's', "bpcCPB" }, { 't', "bpcsSCPB" }, { 'a', "bpcstdDTSCPB" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(failures); i++) {
		memset(log, 0, sizeof(log));
		failing = failures[i].part;
		KUNIT_EXPECT_EQ(test, load(), -ENOMEM);
		KUNIT_EXPECT_STREQ(test, log, failures[i].log);
	}
}

/* Processes end before the GPUs leave; sysfs outlives the GPUs, whose nodes are in it. A missing debugfs is no error */
static void the_order_of_leaving(struct kunit *test)
{
	failing = 'd';
	KUNIT_EXPECT_EQ(test, load(), 0);
	memset(log, 0, sizeof(log));
	unload();
	KUNIT_EXPECT_STREQ(test, log, "PBADTSC");
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(parameters, fact_gen_params),
	KUNIT_CASE(not_beside_another_kfd),
	KUNIT_CASE(which_driver),
	KUNIT_CASE(what_came_goes_again),
	KUNIT_CASE(the_order_of_leaving),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_module", .init = module_setup, .exit = module_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
