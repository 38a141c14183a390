// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_process_test.c - life of a process: one for an mm, who finds it until when, and in which order it lets go of everything */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "kunit/fail_nth.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/device/kfd_pdd.c"
#include "kfd_model/process/kfd_process.c"
#include "kfd_model/process/kfd_process_table.c"

/* What is done to a process, in order: a letter each. */
static char done[32];
static int pdds, inodes, events, sysfs, fail_pdd;
static struct kfdm_device gpu[2];
static u32 num_gpus, gpus_held;
static bool invisible;
static const struct kfdm_chip some_chip;

static void note(char what)
{
	size_t n = strlen(done);

	if (n + 1 < sizeof(done))
		done[n] = what;
}

u32 kfdm_devices_get(struct kfdm_device *devices[KFDM_MAX_DEVICES])
{
	u32 i;

	for (i = 0; i < num_gpus; i++)
		devices[i] = &gpu[i];
	gpus_held += num_gpus;
	return num_gpus;
}

bool kfdm_device_visible(const struct kfdm_device *dev)
{
	return gpus_held && !invisible;
}

bool kfdm_is_locked(void)
{
	return false;
}

void kfdm_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n)
{
	gpus_held -= n;
}

struct kfdm_process_device *kfdm_pdd_create(struct kfdm_process *p, struct kfdm_device *dev)
{
	struct kfdm_process_device *pdd;

	if (!gpus_held || fail_pdd == p->n_pdds + 1)	/* who is not held may have gone */
		return NULL;
	pdd = kzalloc(sizeof(*pdd), GFP_KERNEL);
	if (!pdd)
		return NULL;
	pdd->dev = dev;
	pdds++;
	return pdd;
}

void kfdm_pdd_destroy(struct kfdm_process_device *pdd)
{
	note('D');
	pdds--;
	kfree(pdd);
}

void kfdm_pdd_dequeue(struct kfdm_process_device *pdd)
{
	note('d');
}

struct inode *kfdm_inode_create(void)
{
	struct inode *inode = kzalloc(sizeof(*inode), GFP_KERNEL);

	if (!inode)
		return ERR_PTR(-ENOMEM);
	inodes++;
	return inode;
}

void kfdm_inode_destroy(struct inode *inode)
{
	if (IS_ERR_OR_NULL(inode))
		return;
	inodes--;
	kfree(inode);
}

#define NOTED(name, letter, ...)			\
	void name(__VA_ARGS__)				\
	{						\
		note(letter);				\
	}

NOTED(kfdm_wait_for_reset, 'w', void)
NOTED(kfdm_queues_free, 'q', struct kfdm_process *p)
NOTED(kfdm_events_release_page, 'e', struct kfdm_events *events)
NOTED(kfdm_bos_unmap_all, 'u', struct kfdm_process *p)
NOTED(kfdm_bos_free_all, 'f', struct kfdm_process *p)
NOTED(kfdm_eviction_cancel, 'c', struct kfdm_process *p)
NOTED(kfdm_svm_leave, 'v', struct kfdm_process *p)

void kfdm_smi_unmap(struct kfdm_device *dev, struct kfdm_process *p, u64 first, u64 last, u32 trigger)
{
}

void kfdm_svm_init(struct kfdm_process *p, const struct kfdm_svm_owner *owner)
{
}

void kfdm_process_sysfs_add(struct kfdm_process *p)
{
	sysfs++;
}

void kfdm_process_sysfs_remove(struct kfdm_process *p)
{
	note('s');
	sysfs--;
}

void kfdm_events_init(struct kfdm_events *e)
{
	events++;
}

void kfdm_events_fini(struct kfdm_events *e)
{
	note('E');
	events--;
}

void kfdm_eviction_init(struct kfdm_process *p)
{
}

int kfdm_eviction_module_init(void)
{
	return 0;
}

void kfdm_eviction_module_fini(void)
{
}

static int refs_before;

static int process_setup(struct kunit *test)
{
	memset(done, 0, sizeof(done));
	memset(gpu, 0, sizeof(gpu));
	gpu[0].chip = gpu[1].chip = &some_chip;
	pdds = inodes = events = sysfs = fail_pdd = 0;
	num_gpus = 2;
	gpus_held = 0;
	invisible = false;
	idr_set_cursor(&pasids, PASID_FIRST);
	refs_before = module_refcount(THIS_MODULE);
	user_space_begin(test);
	return kfdm_processes_init();
}

/* Until what has been released is gone. */
static void settle(void)
{
	mmu_notifier_synchronize();
	flush_workqueue(process_wq);
}

static void process_teardown(struct kunit *test)
{
	kfdm_processes_fini();
	KUNIT_EXPECT_EQ(test, pdds + inodes + events, 0);
	KUNIT_EXPECT_EQ(test, gpus_held, 0u);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs_before);
	KUNIT_EXPECT_TRUE(test, list_empty(&objects));
	user_space_end();
}

static struct kfdm_process *open(struct kunit *test)
{
	struct kfdm_process *p = kfdm_process_open();

	KUNIT_ASSERT_FALSE(test, IS_ERR(p));
	return p;
}

static void mm_ends(struct kfdm_process *p)
{
	notifier_ops.release(&p->notifier, p->mm);
}

static void kernel_threads_have_none(struct kunit *test)
{
	int error;

	kthread_unuse_mm(user_mm);
	error = PTR_ERR_OR_ZERO(kfdm_process_open());
	kthread_use_mm(user_mm);
	KUNIT_EXPECT_EQ(test, error, -EINVAL);
	KUNIT_EXPECT_NULL(test, kfdm_process_by_mm(NULL));
}

static void one_object_for_an_mm(struct kunit *test)
{
	struct kfdm_process *p = open(test), *again = open(test);

	KUNIT_EXPECT_PTR_EQ(test, again, p);
	KUNIT_EXPECT_EQ(test, p->n_pdds, 2u);
	KUNIT_EXPECT_PTR_EQ(test, p->lead_thread, current);
	KUNIT_EXPECT_EQ(test, sysfs, 1);
	KUNIT_EXPECT_PTR_EQ(test, kfdm_process_mm_get(p), user_mm);
	mmput(user_mm);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs_before + 1);
	kfdm_process_put(again);
	kfdm_process_put(p);
	settle();
	/* Its last file is closed, but it lives as long as the mm: a new file of this mm finds the queues again. */
	again = kfdm_process_by_mm(current->mm);
	KUNIT_ASSERT_PTR_EQ(test, again, p);
	KUNIT_EXPECT_EQ(test, pdds, 2);
	kfdm_process_put(again);
	mm_ends(p);
	settle();
	KUNIT_EXPECT_EQ(test, pdds, 0);
	KUNIT_EXPECT_NULL(test, kfdm_process_by_mm(current->mm));
}

/* 7.2's kfd_create_process(): who may use no GPU has no process object either; 6.1 makes one */
static void without_a_gpu(struct kunit *test)
{
	struct kfdm_process *p;

	kfdm_abi = &kfdm_abi_7_2;
	invisible = true;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_process_open()), -EINVAL);
	invisible = false;
	num_gpus = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_process_open()), -EINVAL);
	kfdm_abi = &kfdm_abi_6_1;
	p = open(test);
	mm_ends(p);
	kfdm_process_put(p);
	settle();
}

static void found_by_pasid_while_the_mm_lives(struct kunit *test)
{
	struct kfdm_process *p = open(test), *found;

	KUNIT_EXPECT_EQ(test, p->pasid, 0x8001u);	/* lower ones are amdgpu's (Linux: amdgpu_ids.c) */
	found = kfdm_process_by_pasid(p->pasid);
	KUNIT_EXPECT_PTR_EQ(test, found, p);
	if (found)
		kfdm_process_put(found);
	KUNIT_EXPECT_NULL(test, kfdm_process_by_pasid(p->pasid + 1));
	mm_ends(p);
	settle();
	KUNIT_EXPECT_NULL(test, kfdm_process_by_pasid(0x8001));
	KUNIT_EXPECT_NULL(test, p->mm);
	KUNIT_EXPECT_EQ(test, pdds, 2);	/* a file is open still */
	KUNIT_EXPECT_EQ(test, sysfs, 0);	/* but the task's next object may take its name */
	kfdm_process_put(p);
	settle();
	KUNIT_EXPECT_EQ(test, pdds, 0);
	p = open(test);
	KUNIT_EXPECT_EQ(test, p->pasid, 0x8002u);	/* not the same again before all others have had their turn */
	mm_ends(p);
	kfdm_process_put(p);
	settle();
}

/* Interrupts look for a PASID: not through all processes that there are. */
static void a_pasid_is_found_among_many(struct kunit *test)
{
	enum { MANY = 4000 };
	struct kfdm_process *many = vzalloc(MANY * sizeof(*many));
	u32 i, n, longest = 0;
	struct hlist_node *at;

	KUNIT_ASSERT_NOT_NULL(test, many);
	mutex_lock(&kfdm_processes_mutex);
	for (i = 0; i < MANY; i++) {
		many[i].mm = (struct mm_struct *)&many[i];
		many[i].pasid = PASID_FIRST + i;
		kfdm_process_show(&many[i]);
	}
	for (i = 0; i < HASH_SIZE(by_pasid); i++) {
		n = 0;
		hlist_for_each(at, &by_pasid[i])
			n++;
		longest = max(longest, n);
	}
	for (i = 0; i < MANY; i++)
		kfdm_process_hide(&many[i]);
	mutex_unlock(&kfdm_processes_mutex);
	kfdm_processes_synchronize();
	vfree(many);
	KUNIT_EXPECT_GT(test, longest, 0u);
	KUNIT_EXPECT_LE(test, longest, 16u);
}

/* Not idr_is_empty(): a tree that could not grow may keep an empty node. */
static bool no_pasid_is_taken(void)
{
	int id = 0;

	return !idr_get_next(&pasids, &id);
}

/* 7.2: each address space has a PASID, by which its process is found until the mm ends */
static void pasids_of_address_spaces(struct kunit *test)
{
	struct kfdm_process *p, *found;
	u32 a, b;

	kfdm_abi = &kfdm_abi_7_2;
	p = open(test);
	KUNIT_EXPECT_EQ(test, p->pasid, 0u);
	p->pdds[0]->process = p;
	p->pdds[1]->process = p;
	KUNIT_ASSERT_EQ(test, kfdm_pdd_take_pasid(p->pdds[0]), 0);
	KUNIT_ASSERT_EQ(test, kfdm_pdd_take_pasid(p->pdds[1]), 0);
	a = p->pdds[0]->qpd.map.pasid;
	b = p->pdds[1]->qpd.map.pasid;
	KUNIT_EXPECT_NE(test, a, b);
	found = kfdm_process_by_pasid(b);
	KUNIT_EXPECT_PTR_EQ(test, found, p);
	kfdm_process_put(found);
	kfdm_pdd_give_pasid(p->pdds[1]);
	KUNIT_EXPECT_NULL(test, kfdm_process_by_pasid(b));
	mm_ends(p);
	settle();
	KUNIT_EXPECT_NULL(test, kfdm_process_by_pasid(a));
	KUNIT_EXPECT_EQ(test, kfdm_pdd_take_pasid(p->pdds[1]), -ESRCH);
	kfdm_pdd_give_pasid(p->pdds[0]);
	kfdm_abi = &kfdm_abi_6_1;
	KUNIT_EXPECT_TRUE(test, no_pasid_is_taken());
	kfdm_process_put(p);
	settle();
}

static void count(struct kfdm_process *p, void *data)
{
	++*(u32 *)data;
}

/* 7.2's CREATE_PROCESS: a second object of the mm, which is not found by the mm; it ends with its file */
static void contexts(struct kunit *test)
{
	struct kfdm_process *p = open(test), *context, *second, *found;
	u32 n = 0;

	kref_get(&p->ref);	/* another file */
	context = kfdm_process_create_context(p);
	KUNIT_ASSERT_FALSE(test, IS_ERR(context));
	KUNIT_EXPECT_TRUE(test, kfdm_process_is_context(context));
	KUNIT_EXPECT_FALSE(test, kfdm_process_is_context(p));
	KUNIT_EXPECT_EQ(test, context->context_id, 0u);
	KUNIT_EXPECT_NE(test, context->pasid, p->pasid);
	KUNIT_EXPECT_EQ(test, pdds, 4);
	found = kfdm_process_by_mm(current->mm);
	KUNIT_EXPECT_PTR_EQ(test, found, p);
	kfdm_process_put(found);
	found = kfdm_process_by_pasid(context->pasid);
	KUNIT_EXPECT_PTR_EQ(test, found, context);
	kfdm_process_put(found);
	KUNIT_EXPECT_EQ(test, kfdm_processes_of_mm(current->mm, count, &n), 2u);
	KUNIT_EXPECT_EQ(test, n, 2u);
	kfdm_process_close(context);
	settle();
	KUNIT_EXPECT_EQ(test, pdds, 2);
	/* Of one whose file is still open at the end of the mm nothing runs any more. */
	second = kfdm_process_create_context(p);
	KUNIT_ASSERT_FALSE(test, IS_ERR(second));
	KUNIT_EXPECT_EQ(test, second->context_id, 0u);	/* free again */
	mm_ends(p);
	settle();
	KUNIT_EXPECT_NULL(test, READ_ONCE(second->mm));
	KUNIT_EXPECT_NULL(test, kfdm_process_by_pasid(second->pasid));
	KUNIT_EXPECT_EQ(test, second->n_pdds, 0u);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_process_create_context(p)), -EINVAL);
	kfdm_process_close(second);
	settle();
}

/* Nothing of a process is freed before all devices have let go of it; sysfs goes before what its files show (kfd_process.c) */
static void the_order_of_the_end(struct kunit *test)
{
	struct kfdm_process *p = open(test);

	kfdm_process_put(p);
	mm_ends(p);
	settle();
	KUNIT_EXPECT_STREQ(test, done, "cscddwvqeufDDE");
}

static void what_could_not_be_made_leaves_nothing(struct kunit *test)
{
	int i;

	for (i = 1; i <= 2; i++) {
		fail_pdd = i;
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_process_open()), -ENOMEM);
		KUNIT_EXPECT_EQ(test, pdds + inodes + events + sysfs, 0);
		KUNIT_EXPECT_TRUE(test, no_pasid_is_taken());
	}
	KUNIT_EXPECT_NULL(test, kfdm_process_by_mm(current->mm));
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs_before);
}

static void without_memory(struct kunit *test)
{
	unsigned int nth = 1, refused = 0;
	struct kfdm_process *p;
	bool failed;

	FAIL_NTH_NEEDED(test);
	do {
		fail_nth_arm(nth++);
		p = kfdm_process_open();
		failed = fail_nth_disarm();
		if (IS_ERR(p)) {
			refused++;
			KUNIT_EXPECT_EQ(test, PTR_ERR(p), -ENOMEM);
		} else {	/* some allocations are tried again in another way */
			kfdm_process_put(p);
			mm_ends(p);
		}
		settle();
		KUNIT_EXPECT_EQ(test, pdds + inodes + events, 0);
		KUNIT_EXPECT_TRUE(test, no_pasid_is_taken());
	} while (failed);
	KUNIT_EXPECT_FALSE(test, IS_ERR(p));
	kunit_info(test, "%u refusals", refused);
}

static void as_many_as_pasids(struct kunit *test)
{
	int n = 0;

	while (idr_alloc(&pasids, &pasids, PASID_FIRST, PASID_LAST + 1, GFP_KERNEL) >= 0)
		n++;
	KUNIT_EXPECT_EQ(test, n, 0x7fff);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(kfdm_process_open()), -ENOSPC);
	KUNIT_EXPECT_EQ(test, pdds + inodes + events, 0);
	idr_destroy(&pasids);
}

/* A GPU is unplugged: a file that outlived its mm, passed to another process, does not keep the GPU */
static void orphans_leave_a_device(struct kunit *test)
{
	static struct kfdm_device other;
	struct kfdm_process *p = open(test);

	mm_ends(p);
	settle();
	kfdm_processes_drive_out(&other);
	KUNIT_EXPECT_EQ(test, pdds, 2);
	kfdm_processes_drive_out(&gpu[1]);
	KUNIT_EXPECT_EQ(test, pdds, 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(done, "ddwvqeufDD"));
	kfdm_process_put(p);
	settle();
}

static void count_process(struct kfdm_process *p, void *data)
{
	(*(int *)data)++;
}

static void all_processes(struct kunit *test)
{
	struct kfdm_process *p;
	int n = 0;

	kfdm_processes_for_each(count_process, &n);
	KUNIT_EXPECT_EQ(test, n, 0);
	p = open(test);
	kfdm_processes_for_each(count_process, &n);
	KUNIT_EXPECT_EQ(test, n, 1);
	kfdm_process_put(p);
	mm_ends(p);
	settle();
}

/* What a process begins with (kfd_process_xnack_mode()); a Vega 12 is in it besides */
static void retry_faults(struct kunit *test)
{
	static const struct { const char *name; u32 gc_version; bool noretry, begins; } rows[] = {
		{ "fiji",      0,        true,  true },		/* before GFX9: without a say */
		{ "vega10",    0x090001, false, true },
		{ "vega10",    0x090001, true,  false },
		{ "aldebaran", 0x090402, true,  false },
		{ "aldebaran", 0x090402, false, true },
		{ "navi10",    0x0a010a, false, false },	/* from GFX10 on: never */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfdm_process *p;

		gpu[0].chip = kfdm_chip_find(&kfdm_abi_6_1, rows[i].name, rows[i].gc_version);
		gpu[0].noretry = rows[i].noretry;
		gpu[1].chip = kfdm_chip_find(&kfdm_abi_6_1, "vega12", 0x090201);
		p = open(test);
		KUNIT_EXPECT_EQ_MSG(test, p->xnack_enabled, rows[i].begins, "row %u", i);
		gpu[1].noretry = true;	/* one GPU that cannot is enough */
		KUNIT_EXPECT_FALSE(test, kfdm_process_may_retry(p, false));
		gpu[1].noretry = false;
		kfdm_process_put(p);
		mm_ends(p);
		settle();
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(kernel_threads_have_none),
	KUNIT_CASE(without_memory),
	KUNIT_CASE(one_object_for_an_mm),
	KUNIT_CASE(found_by_pasid_while_the_mm_lives),
	KUNIT_CASE(a_pasid_is_found_among_many),
	KUNIT_CASE(without_a_gpu),
	KUNIT_CASE(pasids_of_address_spaces),
	KUNIT_CASE(contexts),
	KUNIT_CASE(the_order_of_the_end),
	KUNIT_CASE(what_could_not_be_made_leaves_nothing),
	KUNIT_CASE(as_many_as_pasids),
	KUNIT_CASE(orphans_leave_a_device),
	KUNIT_CASE(all_processes),
	KUNIT_CASE(retry_faults),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_process", .suite_init = user_space_find, .init = process_setup, .exit = process_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
