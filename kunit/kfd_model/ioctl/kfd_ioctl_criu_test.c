// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_criu_test.c - CRIU_OP: the order of its tests, and how often queues are off; buffers, queues and events are pretended */
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/ioctl/kfd_ioctl_criu.c"

static struct {
	int evicted, fds, objects;
	int evict_error, bos_error, objects_error, acquire_error;
	bool may_retry;
} fake;

int kfdm_process_evict_queues(struct kfdm_process *p, u32 trigger)
{
	fake.evicted += !fake.evict_error || fake.evict_error == -EIO;
	return fake.evict_error;
}

int kfdm_process_restore_queues(struct kfdm_process *p)
{
	fake.evicted--;
	return 0;
}

bool kfdm_process_may_retry(const struct kfdm_process *p, bool by_process)
{
	return fake.may_retry;
}

struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p)
{
	return mmget_not_zero(user_mm) ? user_mm : NULL;
}

struct kfdm_process *kfdm_process_by_mm(const struct mm_struct *mm)
{
	return NULL;
}

void kfdm_process_put(struct kfdm_process *p)
{
}

struct kfdm_process_device *kfdm_pdd_by_real_id(struct kfdm_process *p, u32 gpu_id)
{
	return gpu_id == GPU_0 ? p->pdds[0] : gpu_id == GPU_1 ? p->pdds[1] : NULL;
}

void kfdm_pdd_rename(struct kfdm_process_device *pdd, u32 user_gpu_id)
{
	pdd->user_gpu_id = user_gpu_id;
}

int kfdm_pdd_acquire_vm(struct kfdm_process_device *pdd, struct file *drm_file)
{
	return fake.acquire_error;
}

int kfdm_pdd_bind(struct kfdm_process_device *pdd)
{
	return 0;
}

int kfdm_doorbell_slice_get(struct kfdm_process_device *pdd)
{
	return 0;
}

void kfdm_svm_catch_up(struct kfdm_process *p)
{
}

u32 kfdm_svm_count(struct kfdm_process *p)
{
	return 3;
}

int kfdm_svm_resume(struct kfdm_process *p)
{
	return 0;
}

u64 kfdm_criu_bo_bytes(void)
{
	return 80;
}

u32 kfdm_criu_count_bos(struct kfdm_process *p)
{
	return 1;
}

int kfdm_criu_save_bos(struct kfdm_process *p, u64 buckets, struct kfdm_criu_data *data)
{
	fake.fds++;
	return kfdm_criu_skip(data, 80);
}

int kfdm_criu_restore_bos(struct kfdm_process *p, u64 buckets, u32 n, struct kfdm_criu_data *data)
{
	return fake.bos_error ?: kfdm_criu_skip(data, n * 80);
}

int kfdm_criu_count_queues(struct kfdm_process *p, u32 *n, u64 *bytes)
{
	*n = 1;
	*bytes = 200;
	return 0;
}

int kfdm_criu_save_queues(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	return kfdm_criu_skip(data, 200);
}

u32 kfdm_criu_count_events(struct kfdm_process *p)
{
	return 2;
}

int kfdm_criu_save_events(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data)
{
	return kfdm_criu_skip(data, n * sizeof(struct kfdm_criu_event));
}

u64 kfdm_criu_range_bytes(const struct kfdm_process *p)
{
	return 72;
}

int kfdm_criu_save_ranges(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	return fake.objects_error ?: kfdm_criu_skip(data, 3 * 72);
}

int kfdm_criu_restore_objects(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data)
{
	fake.objects = n;
	return fake.objects_error;
}

static int criu_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, kfdm_kgd);

	memset(&fake, 0, sizeof(fake));
	user_space_begin(test);
	f->p.lead_thread = current;
	f->p.mm = current->mm;
	return 0;
}

static void criu_teardown(struct kunit *test)
{
	user_space_end();
	process_fixture_put(test);
}

static int op(struct kunit *test, u32 op, struct kfd_ioctl_criu_args *args)
{
	struct process_fixture *f = test->priv;

	args->op = op;
	return kfdm_ioctl_criu(&f->p, args);
}

/* PROCESS_INFO's numbers are CHECKPOINT's; only that gives descriptors, and only when all else has gone well. */
static void a_checkpoint(struct kunit *test)
{
	struct kfd_ioctl_criu_args args = {}, wrong;

	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_UNPAUSE, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_PROCESS_INFO, &args), 0);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_PROCESS_INFO, &args), 0);
	KUNIT_EXPECT_EQ(test, fake.evicted, 1);
	KUNIT_EXPECT_EQ(test, args.num_devices, 2u);
	KUNIT_EXPECT_EQ(test, args.num_bos, 1u);
	KUNIT_EXPECT_EQ(test, args.num_objects, 6u);
	KUNIT_EXPECT_EQ(test, args.priv_data_size, 8ull + 2 * 8 + 80 + 200 + 2 * sizeof(struct kfdm_criu_event) + 3 * 72);
	args.devices = user_page;
	args.bos = user_page + 1024;
	args.priv_data = user_page + 2048;
	wrong = args;
	wrong.num_objects++;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &wrong), -EINVAL);
	wrong = args;
	wrong.priv_data_size++;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &wrong), -EINVAL);
	wrong = args;
	wrong.devices = NOT_USER;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &wrong), -EFAULT);
	fake.objects_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &args), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fake.fds, 0);
	fake.objects_error = 0;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_CHECKPOINT, &args), 0);
	KUNIT_EXPECT_EQ(test, fake.fds, 1);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_UNPAUSE, &args), 0);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_UNPAUSE, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, fake.evicted, 0);
}

/* The first words of private data */
static void write_process(struct kunit *test, u32 version, u32 xnack)
{
	const struct kfdm_criu_process priv = { version, xnack };

	KUNIT_ASSERT_EQ(test, copy_to_user(USER(u8) + 2048, &priv, sizeof(priv)), 0ul);
}

static void write_device(struct kunit *test, u32 n, u32 user_id, u32 id)
{
	const struct kfd_criu_device_bucket bucket = { user_id, id, 0 };

	KUNIT_ASSERT_EQ(test, copy_to_user(USER(struct kfd_criu_device_bucket) + n, &bucket, sizeof(bucket)), 0ul);
}

/* What fails before buffers are made leaves queues as they were. A kernel thread has no files: devices get no further than to theirs. */
static void refused_restores(struct kunit *test)
{
	struct kfd_ioctl_criu_args args = {
		.devices = user_page, .priv_data = user_page + 2048, .priv_data_size = 8 + 2 * 8, .num_devices = 2,
	}, wrong = args;
	struct process_fixture *f = test->priv;

	wrong.priv_data_size = 0;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &wrong), -EINVAL);
	wrong = args;
	wrong.num_bos = 1;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &wrong), -EINVAL);
	f->p.mm = NULL;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EBADF);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_PROCESS_INFO, &args), -ESRCH);
	f->p.mm = current->mm;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EINVAL);	/* version 0 */
	write_process(test, KFDM_CRIU_VERSION, 1);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EPERM);
	fake.may_retry = true;
	wrong = args;
	wrong.num_devices = 1;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &wrong), -EINVAL);
	KUNIT_EXPECT_TRUE(test, f->p.xnack_enabled);
	write_device(test, 0, GPU_1, NO_GPU);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EINVAL);
	write_device(test, 0, 0, GPU_0);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EINVAL);
	f->pdd[0].drm_file = (struct file *)test;
	write_device(test, 0, GPU_1, GPU_0);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, f->pdd[0].user_gpu_id, GPU_0);
	fake.evict_error = -EIO;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -EIO);
	fake.evict_error = -ETIME;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESTORE, &args), -ETIME);
	KUNIT_EXPECT_EQ(test, fake.evicted, 0);
	KUNIT_EXPECT_FALSE(test, f->p.restoring);
}

static void operations(struct kunit *test)
{
	struct kfd_ioctl_criu_args args = { .pid = 0x7fffffff };
	struct process_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESUME + 1, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, ~0u, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_RESUME, &args), -ESRCH);
	KUNIT_EXPECT_EQ(test, as_worker(&f->p, resume), -EINVAL);
	f->p.restoring = true;
	fake.evicted = 1;
	KUNIT_EXPECT_EQ(test, as_worker(&f->p, resume), 0);
	KUNIT_EXPECT_EQ(test, fake.evicted, 0);
	f->p.n_pdds = 0;
	KUNIT_EXPECT_EQ(test, op(test, KFD_CRIU_OP_PROCESS_INFO, &args), -ENODEV);
	f->p.n_pdds = 2;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_checkpoint),
	KUNIT_CASE(refused_restores),
	KUNIT_CASE(operations),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_criu",
	.suite_init = user_space_find,
	.init = criu_setup,
	.exit = criu_teardown,
	.test_cases = cases,
};
kunit_test_suite(suite);
