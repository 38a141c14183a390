// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_sched_test.c - a DRM master's word on other contexts: whose file it is, which of its contexts, and what is no answer to it.
 */
#include <kunit/test.h>
#include <drm/drm_file.h>
#include <linux/file.h>
#include <linux/fs.h>

#include "kunit/compat.h"

#define fdget	sched_fake_fdget
#define fdput	sched_fake_fdput
static struct fd sched_fake_fdget(unsigned int fd);
static void sched_fake_fdput(struct fd f);
#include "amdgpu_model/drm/amdgpu_sched.c"

#define OURS	3
#define OTHERS	4	/* some other file */
#define PEER	5	/* of another GPU */

const struct file_operations amdm_drm_fops;
static const struct file_operations other_fops;

struct sched_bed {
	struct amdm_device adev, peer;
	struct drm_minor minor, peer_minor;
	struct drm_file drm, peer_drm;
	struct amdm_file priv;
	struct amdm_ctx ctx[2];
	struct file file[3];
};

static struct {
	struct sched_bed *bed;
	int fds, refs;
	u32 overridden;
	s32 priority;
} sched_seen;

static struct fd sched_fake_fdget(unsigned int fd)
{
	if (fd < OURS || fd > PEER)
		return EMPTY_FD;
	sched_seen.fds++;
	return BORROWED_FD(&sched_seen.bed->file[fd - OURS]);
}

static void sched_fake_fdput(struct fd f)
{
	sched_seen.fds--;
}

bool amdm_ctx_priority_is_valid(s32 priority)
{
	return priority >= -1023 && priority <= 1023;
}

void amdm_ctx_override(struct amdm_ctx *ctx, s32 priority)
{
	sched_seen.overridden |= 1u << (ctx - sched_seen.bed->ctx);
	sched_seen.priority = priority;
}

struct amdm_ctx *amdm_ctx_get(struct drm_file *file, u32 id)
{
	struct amdm_ctx *ctx = idr_find(&amdm_file_of(file)->ctxs, id);

	sched_seen.refs += !!ctx;
	return ctx;
}

void amdm_ctx_put(struct amdm_ctx *ctx)
{
	sched_seen.refs--;
}

static int sched_setup(struct kunit *test)
{
	struct sched_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&sched_seen, 0, sizeof(sched_seen));
	sched_seen.bed = bed;
	bed->minor.dev = &bed->adev.ddev;
	bed->peer_minor.dev = &bed->peer.ddev;
	bed->drm.minor = &bed->minor;
	bed->peer_drm.minor = &bed->peer_minor;
	bed->drm.driver_priv = bed->peer_drm.driver_priv = &bed->priv;
	mutex_init(&bed->priv.lock);
	idr_init_base(&bed->priv.ctxs, 1);
	for (i = 0; i < 2; i++)
		if (idr_alloc(&bed->priv.ctxs, &bed->ctx[i], 1, 0, GFP_KERNEL) != (int)i + 1)
			return -ENOMEM;
	bed->file[0].f_op = bed->file[2].f_op = &amdm_drm_fops;
	bed->file[1].f_op = &other_fops;
	bed->file[0].private_data = bed->file[1].private_data = &bed->drm;
	bed->file[2].private_data = &bed->peer_drm;
	return 0;
}

static void sched_teardown(struct kunit *test)
{
	struct sched_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, sched_seen.fds, 0);
	KUNIT_EXPECT_EQ(test, sched_seen.refs, 0);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&bed->priv.lock));
	idr_destroy(&bed->priv.ctxs);
}

static int call(struct kunit *test, u32 op, u32 fd, s32 priority, u32 ctx)
{
	struct sched_bed *bed = test->priv;
	union drm_amdgpu_sched args = { .in = { .op = op, .fd = fd, .priority = priority, .ctx_id = ctx } };

	sched_seen.overridden = 0;
	return amdm_sched_ioctl(&bed->adev.ddev, &args, NULL);
}

#define PROCESS	AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE
#define CONTEXT	AMDGPU_SCHED_OP_CONTEXT_PRIORITY_OVERRIDE

static void a_process(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, call(test, PROCESS, OURS, 512, 77), 0);
	KUNIT_EXPECT_EQ(test, sched_seen.overridden, 3u);
	KUNIT_EXPECT_EQ(test, sched_seen.priority, 512);
}

static void a_context(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, call(test, CONTEXT, OURS, -512, 2), 0);
	KUNIT_EXPECT_EQ(test, sched_seen.overridden, 2u);
	KUNIT_EXPECT_EQ(test, sched_seen.priority, -512);
	KUNIT_EXPECT_EQ(test, call(test, CONTEXT, OURS, -512, 3), -EINVAL);
	KUNIT_EXPECT_EQ(test, sched_seen.overridden, 0u);
}

struct refusal {
	const char *name;
	u32 op, fd;
	s32 priority;
};

static const struct refusal refusals[] = {
	{ "no operation", 0, OURS, 0 },
	{ "an unknown operation", 3, OURS, 0 },
	{ "an invalid priority", PROCESS, OURS, 2000 },
	{ "a priority below all", CONTEXT, OURS, S32_MIN },
	{ "a file that is not open", PROCESS, 99, 0 },
	{ "an invalid descriptor", CONTEXT, ~0u, 0 },
	{ "another driver's file", PROCESS, OTHERS, 0 },
	{ "a file of another GPU", PROCESS, PEER, 0 },
	{ "a context of another GPU", CONTEXT, PEER, 0 },
};

static void refusal_name(const struct refusal *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusal, refusals, refusal_name);

static void refused(struct kunit *test)
{
	const struct refusal *row = test->param_value;

	KUNIT_EXPECT_EQ(test, call(test, row->op, row->fd, row->priority, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, sched_seen.overridden, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_process),
	KUNIT_CASE(a_context),
	KUNIT_CASE_PARAM(refused, refusal_gen_params),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_sched", .init = sched_setup, .exit = sched_teardown, .test_cases = cases };
kunit_test_suite(suite);
