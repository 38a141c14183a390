// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_queues_test.c - queues of a process: ids, limits, what remains when the scheduler refuses, who owns the GWS */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/queue/kfd_queue_debug.c"
#include "kfd_model/queue/kfd_queues.c"

static struct {
	int create_error, destroy_error, update_error, ctx_error;
	int queues, registered, contexts, sysfs, updates;
	bool gws;
} fake;

int kfdm_svm_hold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
	return -EINVAL;
}

void kfdm_svm_unhold(struct kfdm_process_device *pdd, u64 address, u64 bytes)
{
}

void kfdm_dqm_register(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.registered += !qpd->registered;
	qpd->registered = true;
}

void kfdm_dqm_unregister(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.registered--;
	qpd->registered = false;
}

int kfdm_dqm_create_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	if (fake.create_error)
		return fake.create_error;
	fake.queues++;
	qpd->map.queue_count++;
	q->properties.doorbell_off = 0x1000 + 2 * q->properties.queue_id;
	return 0;
}

int kfdm_dqm_destroy_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	if (fake.destroy_error == -EBUSY)
		return -EBUSY;
	fake.queues--;
	qpd->map.queue_count--;
	return fake.destroy_error;
}

int kfdm_dqm_update_queue(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_queue_properties *new,
			  const struct kfdm_cu_mask *mask)
{
	fake.updates++;
	return fake.update_error;
}

int kfdm_dqm_update_gws(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	return kfdm_dqm_update_queue(dqm, q, NULL, NULL);
}

int kfdm_dqm_wave_state(struct kfdm_dqm *dqm, struct kfdm_queue *q, void __user *ctl_stack, struct kfdm_wave_state *state)
{
	state->ctl_stack_used = 0x100;
	state->save_area_used = 0x2000;
	return 0;
}

int kfdm_mes_ctx_get(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	fake.contexts += !fake.ctx_error;
	return fake.ctx_error;
}

void kfdm_mes_ctx_put(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	fake.contexts--;
}

void kfdm_queue_sysfs_add(struct kfdm_queue *q)
{
	fake.sysfs++;
	q->sysfs = (struct kfdm_queue_sysfs *)&fake;
}

void kfdm_queue_sysfs_remove(struct kfdm_queue *q)
{
	fake.sysfs -= q->sysfs != NULL;
	q->sysfs = NULL;
}

void kfdm_doorbell_id_put(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
}

void kfdm_mqd_mem_put(struct kfdm_device *dev, struct kfdm_mqd_mem *mem)
{
}

bool kfdm_device_has_gws(const struct kfdm_device *dev)
{
	return fake.gws;
}

static const struct kfd2kgd_ops fake_kgd;

static int queues_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake, 0, sizeof(fake));
	f->dev[0].doorbells.layout.slice = 8192;
	f->dev[0].num_vmids = 8;
	f->dev[0].num_cp_queues = 24;
	f->dev[0].facts.gws_size = 64;
	return 0;
}

/* Whatever a test did: with the last queue everything has gone. */
static void queues_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_queues_free(&f->p);
	KUNIT_EXPECT_EQ(test, fake.contexts, 0);
	KUNIT_EXPECT_EQ(test, fake.sysfs, 0);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(f->p.queue_ids, KFDM_MAX_QUEUES_PER_PROCESS));
	process_fixture_put(test);
}

static int create(struct kunit *test, enum kfdm_queue_type type, u32 *id)
{
	const struct kfdm_queue_properties properties = { .type = type, .queue_address = 0x10000, .queue_size = 4096 };
	struct process_fixture *f = test->priv;
	u32 doorbell;
	int ret = kfdm_queue_create(&f->pdd[0], &properties, id, &doorbell);

	if (!ret)
		KUNIT_EXPECT_EQ(test, doorbell, (0x4000 + 8 * *id) % 8192);
	return ret;
}

static void the_lowest_free_id(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 0u);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_SDMA, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 1u);
	KUNIT_EXPECT_EQ(test, fake.registered, 1);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, 0), 0);
	KUNIT_EXPECT_EQ(test, fake.registered, 1);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, 0), -EINVAL);
	KUNIT_EXPECT_NULL(test, kfdm_queue_find(&f->p, 0));
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 0u);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, 0), 0);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, 1), 0);
	KUNIT_EXPECT_EQ(test, fake.registered, 0);	/* with the last queue */
}

/* The id is its old one, or there is no queue; nothing else of its process makes room. */
static void restored_with_its_id(struct kunit *test)
{
	const struct kfdm_queue_properties properties = { .type = KFDM_QUEUE_COMPUTE, .queue_size = 4096 };
	struct kfdm_queue_saved saved = { .queue_id = 5 };
	struct process_fixture *f = test->priv;
	u32 id;

	KUNIT_EXPECT_EQ(test, kfdm_queue_restore(&f->pdd[0], &properties, &saved), 0);
	KUNIT_ASSERT_NOT_NULL(test, kfdm_queue_find(&f->p, 5));
	KUNIT_EXPECT_NULL(test, kfdm_queue_find(&f->p, 5)->saved);
	KUNIT_EXPECT_EQ(test, kfdm_queue_restore(&f->pdd[0], &properties, &saved), -ENOSPC);
	saved.queue_id = KFDM_MAX_QUEUES_PER_PROCESS;
	KUNIT_EXPECT_EQ(test, kfdm_queue_restore(&f->pdd[0], &properties, &saved), -EINVAL);
	saved.queue_id = 6;
	fake.create_error = -EBUSY;
	KUNIT_EXPECT_EQ(test, kfdm_queue_restore(&f->pdd[0], &properties, &saved), -EBUSY);
	fake.create_error = 0;
	KUNIT_EXPECT_FALSE(test, test_bit(6, f->p.queue_ids));
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 0u);
	KUNIT_EXPECT_EQ(test, fake.queues, 2);
}

/* kfd_process_queue_manager.c, pqm_create_queue(): 127 queues on a device, half the HQDs under a debugger, 1024 ids in all */
static void limits(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	f->pdd[0].qpd.map.queue_count = 127;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOSPC);
	f->pdd[0].qpd.map.queue_count = 126;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	f->pdd[0].qpd.map.is_debug = true;
	f->pdd[0].qpd.map.queue_count = 12;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOSPC);
	f->pdd[0].qpd.map.queue_count = 11;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	f->pdd[0].qpd.map.is_debug = false;
	bitmap_fill(f->p.queue_ids, KFDM_MAX_QUEUES_PER_PROCESS);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOMEM);
	bitmap_zero(f->p.queue_ids, KFDM_MAX_QUEUES_PER_PROCESS);
	bitmap_set(f->p.queue_ids, 0, 2);
}

/* Policy 1 admits what can run at once; SDMA queues have their own places */
static void no_over_subscription(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	f->dqm[0].processes_count = 8;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	f->dqm[0].sched_policy = KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -EPERM);
	f->dqm[0].processes_count = 7;
	f->dqm[0].active_queue_count = 24;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -EPERM);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_SDMA, &id), 0);
	f->dqm[0].active_queue_count = 23;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 2u);
}

static void a_refused_queue_leaves_nothing(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 id;

	fake.create_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOMEM);
	fake.create_error = 0;
	fake.ctx_error = -ENOSPC;
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOSPC);
	fake.ctx_error = 0;
	KUNIT_EXPECT_TRUE(test, list_empty(&f->p.queues));
	KUNIT_EXPECT_EQ(test, fake.registered, 0);
	KUNIT_EXPECT_EQ(test, fake.contexts, 0);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(f->p.queue_ids, KFDM_MAX_QUEUES_PER_PROCESS));
	FAIL_NTH_NEEDED(test);
	fail_nth_arm(1);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), -ENOMEM);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
	KUNIT_EXPECT_EQ(test, fake.registered, 0);
}

/* pqm_destroy_queue(): a queue that the hardware does not release is destroyed for user space nevertheless */
static void destroyed_or_not(struct kunit *test)
{
	static const int gone[] = { -ETIME, -EIO };
	struct process_fixture *f = test->priv;
	u32 id, i;

	for (i = 0; i < ARRAY_SIZE(gone); i++) {
		KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
		fake.destroy_error = gone[i];
		KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, id), gone[i]);
		KUNIT_EXPECT_NULL(test, kfdm_queue_find(&f->p, id));
	}
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	fake.destroy_error = -EBUSY;
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, id), -EBUSY);
	KUNIT_EXPECT_NOT_NULL(test, kfdm_queue_find(&f->p, id));
}

static void updates(struct kunit *test)
{
	struct kfd_ioctl_update_queue_args args = { .queue_percentage = 101 };
	struct kfdm_cu_mask *mask = kunit_kzalloc(test, sizeof(*mask), GFP_KERNEL);
	struct process_fixture *f = test->priv;
	u32 id, ctl_stack = 0, area = 0;

	KUNIT_ASSERT_NOT_NULL(test, mask);
	KUNIT_EXPECT_EQ(test, kfdm_queue_update(&f->p, 0, &args), -EINVAL);	/* before the queue is looked for */
	args.queue_percentage = 0;
	KUNIT_EXPECT_EQ(test, kfdm_queue_update(&f->p, 0, &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_cu_mask(&f->p, 0, mask), -EFAULT);
	KUNIT_EXPECT_EQ(test, kfdm_queue_wave_state(&f->p, 0, NULL, &ctl_stack, &area), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake.updates, 0);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &id), 0);
	fake.update_error = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_queue_update(&f->p, id, &args), -ETIME);
	mask->bits = 32;
	mask->words[0] = 1;
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_cu_mask(&f->p, id, mask), -ETIME);
	f->chip.cus_per_wgp = 2;	/* half a WGP */
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_cu_mask(&f->p, id, mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, fake.updates, 2);
	KUNIT_EXPECT_EQ(test, kfdm_queue_wave_state(&f->p, id, NULL, &ctl_stack, &area), 0);
	KUNIT_EXPECT_EQ(test, ctl_stack, 0x100u);
	KUNIT_EXPECT_EQ(test, area, 0x2000u);
}

/* kfd_ioctl_alloc_queue_gws(), pqm_set_gws() */
static void one_owner_of_the_gws(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	u32 a, b;

	KUNIT_EXPECT_EQ(test, kfdm_queue_set_gws(&f->p, 0, 64), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(test, KFDM_QUEUE_COMPUTE, &a) + create(test, KFDM_QUEUE_COMPUTE, &b), 0);
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_gws(&f->p, a, 64), -ENODEV);
	fake.gws = true;
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_gws(&f->p, a, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_gws(&f->p, a, 64), 0);
	KUNIT_EXPECT_EQ(test, (u32)f->pdd[0].qpd.map.num_gws, 64u);
	KUNIT_EXPECT_EQ(test, kfdm_queue_set_gws(&f->p, b, 64), -EBUSY);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, b), 0);
	KUNIT_EXPECT_EQ(test, (u32)f->pdd[0].qpd.map.num_gws, 64u);
	KUNIT_EXPECT_EQ(test, kfdm_queue_destroy(&f->p, a), 0);
	KUNIT_EXPECT_EQ(test, (u32)f->pdd[0].qpd.map.num_gws, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_lowest_free_id),
	KUNIT_CASE(restored_with_its_id),
	KUNIT_CASE(limits),
	KUNIT_CASE(no_over_subscription),
	KUNIT_CASE(a_refused_queue_leaves_nothing),
	KUNIT_CASE(destroyed_or_not),
	KUNIT_CASE(updates),
	KUNIT_CASE(one_owner_of_the_gws),
	{}
};

static struct kunit_suite suite = { .name = "kfd_queues", .init = queues_setup, .exit = queues_teardown, .test_cases = cases };
kunit_test_suite(suite);
