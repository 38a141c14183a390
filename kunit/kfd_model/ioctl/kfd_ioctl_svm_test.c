// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_svm_test.c - ioctls of shared virtual memory: who may call them, and what SET_XNACK_MODE answers for which chips */
#include "kunit/kfd_model/process/process_fixture.h"

#include "kfd_model/ioctl/kfd_ioctl_svm.c"

static u64 set_first, set_pages, get_pages;
static bool may_retry, built;

bool kfdm_svm_is_built(void)
{
	return built;
}

int kfdm_svm_set(struct kfdm_process *p, u64 first, u64 pages, u32 n, const struct kfd_ioctl_svm_attribute *list)
{
	set_first = first;
	set_pages = pages;
	return -ENOMEM;
}

int kfdm_svm_get(struct kfdm_process *p, u64 first, u64 pages, u32 n, struct kfd_ioctl_svm_attribute *list)
{
	get_pages = pages;
	return 0;
}

bool kfdm_process_may_retry(const struct kfdm_process *p, bool by_process)
{
	return by_process && may_retry;
}

static int svm_setup(struct kunit *test)
{
	static const struct kfd2kgd_ops none;

	process_fixture_get(test, &none);
	built = true;
	return 0;
}

static void svm_teardown(struct kunit *test)
{
	process_fixture_put(test);
}

/* kfd_chardev.c without CONFIG_HSA_AMD_SVM: not even a question is answered */
static void not_built(struct kunit *test)
{
	struct kfd_ioctl_set_xnack_mode_args mode = { .xnack_enabled = -1 };
	struct process_fixture *f = test->priv;

	built = false;
	f->p.xnack_enabled = true;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_xnack_mode(&f->p, &mode), -EPERM);
	KUNIT_EXPECT_EQ(test, mode.xnack_enabled, -1);
	mode.xnack_enabled = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_xnack_mode(&f->p, &mode), -EPERM);
	KUNIT_EXPECT_TRUE(test, f->p.xnack_enabled);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, NULL), -EPERM);
}

static void svm_calls(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_svm_args args = { .start_addr = PAGE_SIZE, .size = 3 * PAGE_SIZE };

	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), -ENOMEM);
	KUNIT_EXPECT_EQ(test, set_first, 1ull);
	KUNIT_EXPECT_EQ(test, set_pages, 3ull);
	args.op = KFD_IOCTL_SVM_OP_GET_ATTR;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, get_pages, 3ull);
	args.op++;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), -EINVAL);
	args.op = KFD_IOCTL_SVM_OP_GET_ATTR;
	args.start_addr++;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), -EINVAL);
	args.start_addr = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), -EINVAL);
	f->p.context_id = 0;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_svm(&f->p, &args), -EOPNOTSUPP);
}

static int xnack(struct process_fixture *f, s32 mode)
{
	struct kfd_ioctl_set_xnack_mode_args args = { .xnack_enabled = mode };

	return kfdm_ioctl_set_xnack_mode(&f->p, &args);
}

/* kfd_ioctl_set_xnack_mode(): queues come before everything but a question */
static void xnack_modes(struct kunit *test)
{
	struct kfd_ioctl_set_xnack_mode_args question = { .xnack_enabled = -7 };
	struct process_fixture *f = test->priv;
	struct list_head queue;

	may_retry = false;
	KUNIT_EXPECT_EQ(test, xnack(f, 0), 0);
	KUNIT_EXPECT_EQ(test, xnack(f, 1), -EPERM);
	KUNIT_EXPECT_FALSE(test, f->p.xnack_enabled);
	may_retry = true;
	KUNIT_EXPECT_EQ(test, xnack(f, 1), 0);
	KUNIT_EXPECT_TRUE(test, f->p.xnack_enabled);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_xnack_mode(&f->p, &question), 0);
	KUNIT_EXPECT_EQ(test, question.xnack_enabled, 1);
	list_add(&queue, &f->p.queues);
	KUNIT_EXPECT_EQ(test, xnack(f, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, xnack(f, 0), -EBUSY);
	question.xnack_enabled = -1;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_xnack_mode(&f->p, &question), 0);
	list_del(&queue);
	KUNIT_EXPECT_EQ(test, xnack(f, 0), 0);
	KUNIT_EXPECT_FALSE(test, f->p.xnack_enabled);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(not_built),
	KUNIT_CASE(svm_calls),
	KUNIT_CASE(xnack_modes),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_svm", .init = svm_setup, .exit = svm_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
