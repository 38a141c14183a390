/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sdma_suite.h - the suite of an SDMA block. Who includes it has included the block's file and says SDMA_SUITE_NAME, _GENERATION, _BLOCK
 * (its functions), _CNTL and _F32_CNTL (its registers).
 */
#define CNTL(engine)	(sdma_layout.base[engine] + SDMA_SUITE_CNTL)
#define F32(engine)	(sdma_layout.base[engine] + SDMA_SUITE_F32_CNTL)

static const struct sdma_layout sdma_layout = { .generation = SDMA_SUITE_GENERATION, .engines = 2, .base = { 0x4980, 0x5180 } };

static struct {
	u32 ip, registers;	/* what was written before the rings came or went */
	int answer;
} sdma_seen;

static void rings(u32 ip)
{
	sdma_seen.ip = ip;
	sdma_seen.registers = fake_registers.count;
}

int amdm_rings_start(struct amdm_device *adev, u32 ip)
{
	rings(ip);
	return sdma_seen.answer;
}

void amdm_rings_stop(struct amdm_device *adev, u32 ip)
{
	rings(ip);
}

int amdm_sdma_rings_create(struct amdm_device *adev)
{
	return 0;
}

static int sdma_setup(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	if (!adev)
		return -ENOMEM;
	test->priv = adev;
	adev->sdma = &sdma_layout;
	fake_registers_reset();
	memset(&sdma_seen, 0, sizeof(sdma_seen));
	return 0;
}

static void engines_before_rings(struct kunit *test)
{
	u32 engine, value = 0;

	for (engine = 0; engine < 2; engine++) {
		fake_registers_keep(CNTL(engine), 0x08080400);
		fake_registers_keep(F32(engine), 0x00000101);	/* halted, STEP */
	}
	KUNIT_EXPECT_EQ(test, SDMA_SUITE_BLOCK.hw_init(test->priv), 0);
	for (engine = 0; engine < 2; engine++) {
		KUNIT_EXPECT_TRUE(test, fake_written(CNTL(engine), &value));
		KUNIT_EXPECT_EQ(test, value, 0x08080401u);	/* TRAP_ENABLE: fences interrupt */
		KUNIT_EXPECT_TRUE(test, fake_written(F32(engine), &value));
		KUNIT_EXPECT_EQ(test, value, 0x00000100u);
	}
	KUNIT_EXPECT_EQ(test, sdma_seen.ip, (u32)AMDGPU_HW_IP_DMA);
	KUNIT_EXPECT_EQ(test, sdma_seen.registers, fake_registers.count);
}

static void rings_before_engines(struct kunit *test)
{
	u32 engine, value = 0;

	SDMA_SUITE_BLOCK.hw_fini(test->priv);
	KUNIT_EXPECT_EQ(test, sdma_seen.ip, (u32)AMDGPU_HW_IP_DMA);
	KUNIT_EXPECT_EQ(test, sdma_seen.registers, 0u);
	KUNIT_EXPECT_EQ(test, fake_registers.count, 2u);
	for (engine = 0; engine < 2; engine++) {
		KUNIT_EXPECT_TRUE(test, fake_written(F32(engine), &value));
		KUNIT_EXPECT_EQ(test, value, 1u);
	}
}

static void rings_that_do_not_start(struct kunit *test)
{
	sdma_seen.answer = -EIO;
	KUNIT_EXPECT_EQ(test, SDMA_SUITE_BLOCK.hw_init(test->priv), -EIO);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(engines_before_rings),
	KUNIT_CASE(rings_before_engines),
	KUNIT_CASE(rings_that_do_not_start),
	{}
};

static struct kunit_suite suite = { .name = SDMA_SUITE_NAME, .init = sdma_setup, .test_cases = cases };
kunit_test_suite(suite);
