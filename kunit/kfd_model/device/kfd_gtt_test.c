// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_gtt_test.c - the GTT sub-allocator: first fit, chunks of 512 bytes, limits */
#include <kunit/test.h>

#include "kfd_model/device/kfd_gtt.c"

#define CHUNKS	8
#define START	0x4000000000ULL

static int gtt_setup(struct kunit *test)
{
	struct kfdm_gtt *gtt = kunit_kzalloc(test, sizeof(*gtt), GFP_KERNEL);
	void *memory = kunit_kzalloc(test, CHUNKS * KFDM_GTT_CHUNK, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, gtt);
	KUNIT_ASSERT_NOT_NULL(test, memory);
	test->priv = gtt;
	return kfdm_gtt_init(gtt, memory, START, CHUNKS * KFDM_GTT_CHUNK);
}

static void gtt_teardown(struct kunit *test)
{
	kfdm_gtt_fini(test->priv);
}

struct size_row {
	size_t size;
	int ret;
	u32 chunks;
};

static const struct size_row size_rows[] = {
	{ 0,                              -EINVAL, 0 },
	{ 1,                              0,       1 },
	{ KFDM_GTT_CHUNK,                 0,       1 },
	{ KFDM_GTT_CHUNK + 1,             0,       2 },
	{ CHUNKS * KFDM_GTT_CHUNK,        0,       CHUNKS },
	{ CHUNKS * KFDM_GTT_CHUNK + 1,    -ENOMEM, 0 },
};

static void size_name(const struct size_row *row, char *text)
{
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "%zu bytes", row->size);
}

KUNIT_ARRAY_PARAM(size, size_rows, size_name);

static void sizes(struct kunit *test)
{
	const struct size_row *row = test->param_value;
	struct kfdm_gtt *gtt = test->priv;
	struct kfdm_gtt_obj obj = {};

	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, row->size, &obj), row->ret);
	KUNIT_EXPECT_EQ(test, obj.chunks, row->chunks);
	if (!row->ret)
		KUNIT_EXPECT_EQ(test, obj.gpu_addr, START);
	kfdm_gtt_put(gtt, &obj);
	KUNIT_EXPECT_EQ(test, obj.chunks, 0u);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(gtt->used, CHUNKS));
}

static void first_fit(struct kunit *test)
{
	struct kfdm_gtt *gtt = test->priv;
	struct kfdm_gtt_obj a = {}, b = {}, c = {}, d = {};

	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, 2 * KFDM_GTT_CHUNK, &a), 0);
	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, KFDM_GTT_CHUNK, &b), 0);
	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, 5 * KFDM_GTT_CHUNK, &c), 0);
	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, 1, &d), -ENOMEM);
	kfdm_gtt_put(gtt, &a);
	/* Two free chunks side by side: three do not fit, one goes to the first. */
	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, 3 * KFDM_GTT_CHUNK, &a), -ENOMEM);
	KUNIT_EXPECT_EQ(test, kfdm_gtt_get(gtt, 1, &d), 0);
	KUNIT_EXPECT_EQ(test, d.gpu_addr, START);
	KUNIT_EXPECT_EQ(test, b.gpu_addr, START + 2 * KFDM_GTT_CHUNK);
	kfdm_gtt_put(gtt, &b);
	kfdm_gtt_put(gtt, &c);
	kfdm_gtt_put(gtt, &d);
	kfdm_gtt_put(gtt, &d);	/* an empty object is fine */
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(sizes, size_gen_params),
	KUNIT_CASE(first_fit),
	{}
};

static struct kunit_suite suite = { .name = "kfd_gtt", .init = gtt_setup, .exit = gtt_teardown, .test_cases = cases };
kunit_test_suite(suite);
