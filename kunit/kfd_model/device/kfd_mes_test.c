// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_mes_test.c - context pages: with a MES only, given back once */
#include <kunit/test.h>

#include "kfd_model/device/kfd_mes.c"

static int pages, answer;

static int fake_gtt_alloc(struct amdm_device *adev, size_t size, struct amdm_gtt **mem, u64 *gpu_addr, void **cpu)
{
	if (answer)
		return answer;
	pages += size == PAGE_SIZE;
	*mem = (struct amdm_gtt *)&pages;
	*gpu_addr = 0x4000010000ULL;
	*cpu = NULL;
	return 0;
}

static void fake_gtt_free(struct amdm_device *adev, struct amdm_gtt *mem)
{
	pages--;
}

static const struct kfd2kgd_ops fake_kgd = { .gtt_alloc = fake_gtt_alloc, .gtt_free = fake_gtt_free };

static void contexts(struct kunit *test)
{
	struct kfdm_device *dev = kunit_kzalloc(test, sizeof(*dev), GFP_KERNEL);
	const struct kfd2kgd_ops *saved = kfdm_kgd;
	struct kfdm_mes_ctx ctx;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	kfdm_kgd = &fake_kgd;
	KUNIT_EXPECT_EQ(test, kfdm_mes_ctx_get(dev, &ctx), 0);
	KUNIT_EXPECT_EQ(test, pages, 0);
	KUNIT_EXPECT_EQ(test, ctx.gpu_addr, 0ULL);
	kfdm_mes_ctx_put(dev, &ctx);
	KUNIT_EXPECT_EQ(test, pages, 0);

	dev->facts.enable_mes = true;
	KUNIT_EXPECT_EQ(test, kfdm_mes_ctx_get(dev, &ctx), 0);
	KUNIT_EXPECT_EQ(test, pages, 1);
	KUNIT_EXPECT_EQ(test, ctx.gpu_addr, 0x4000010000ULL);
	kfdm_mes_ctx_put(dev, &ctx);
	kfdm_mes_ctx_put(dev, &ctx);
	KUNIT_EXPECT_EQ(test, pages, 0);

	answer = -ENOMEM;
	KUNIT_EXPECT_EQ(test, kfdm_mes_ctx_get(dev, &ctx), -ENOMEM);
	kfdm_mes_ctx_put(dev, &ctx);
	KUNIT_EXPECT_EQ(test, pages, 0);
	kfdm_kgd = saved;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(contexts),
	{}
};

static struct kunit_suite suite = { .name = "kfd_mes", .test_cases = cases };
kunit_test_suite(suite);
