// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_info_test.c - AMDGPU_INFO: which queries have an answer, of which size, and that no more of it is written than there is room for.
 */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/user_space.h"

#include "amdgpu_model/drm/amdgpu_info.c"

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
}

#define GUARD	0xa5

struct info_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
	struct sdma_layout sdma;
};

u64 amdm_gfx_clock(struct amdm_device *adev)
{
	return 0x0123456789abcdefULL;
}

struct amdm_load_percent amdm_glue_load(struct amdm_device *adev)
{
	return (struct amdm_load_percent){ .kernels = 42, .memory = 7 };
}

u64 amdm_vram_used(struct amdm_device *adev)
{
	return adev->vram.used;
}

u64 amdm_gtt_size(void)
{
	return 3ULL << 30;
}

u32 amdm_onchip_size(const struct amdm_device *adev, enum amdm_onchip what)
{
	return what == AMDM_GDS ? 0x10000 : what == AMDM_GWS ? 64 : 16;
}

u32 amdm_ctx_entities_of(const struct amdm_device *adev, u32 ip)
{
	return ip == AMDGPU_HW_IP_COMPUTE ? 4 : ip == AMDGPU_HW_IP_DMA ? 2 : 1;
}

void amdm_info_device(struct amdm_device *adev, struct drm_amdgpu_info_device *d)
{
	d->device_id = 0x66af;
}

int amdm_info_mmr(struct amdm_device *adev, const struct drm_amdgpu_info *info, void __user *out)
{
	return -EUCLEAN;
}

static int info_setup(struct kunit *test)
{
	struct info_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	bed->asic = (struct amdm_asic){
		.die = {
			.gc_version = 0x090400, .sdma_version = 0x040200, .gc_minor = 3, .sdma_minor = 5, .mec_fw = 77,
			.sdma_fw = 88, .asks_ras = true,
		},
		.gen = &bed->gen,
	};
	bed->gen.ip_versions = true;
	bed->sdma.engines = 2;
	bed->adev.asic = &bed->asic;
	bed->adev.sdma = &bed->sdma;
	bed->adev.vram.size = 16ULL << 30;
	bed->adev.vram.used = 5ULL << 20;
	atomic64_set(&bed->adev.gtt_bytes, 7 << 20);
	atomic64_set(&bed->adev.placement.moved, 123);
	atomic64_set(&bed->adev.placement.evictions, 4);
	user_space_begin(test);
	return 0;
}

static void info_teardown(struct kunit *test)
{
	user_space_end();
}

/* Ask, and see what has come in @answer; what was not written of the page reads as GUARD. */
static int ask_sized(struct kunit *test, struct drm_amdgpu_info info, u32 size, void *answer, size_t bytes)
{
	struct info_bed *bed = test->priv;
	int ret;

	memset(answer, GUARD, bytes);
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)user_page, answer, bytes), 0ul);
	info.return_pointer = user_page;
	info.return_size = size;
	ret = amdm_info_ioctl(&bed->adev.ddev, &info, NULL);
	KUNIT_ASSERT_EQ(test, copy_from_user(answer, (void __user *)user_page, bytes), 0ul);
	return ret;
}

#define ASK(answer, ...) ask_sized(test, (struct drm_amdgpu_info){ __VA_ARGS__ }, sizeof(answer), &(answer), sizeof(answer))

struct scalar {
	const char *name;
	u32 query, bytes;
	u64 value;
};

static const struct scalar scalars[] = {
	{ "ACCEL_WORKING", AMDGPU_INFO_ACCEL_WORKING, 4, 1 },
	{ "TIMESTAMP", AMDGPU_INFO_TIMESTAMP, 8, 0x0123456789abcdefULL },
	{ "NUM_BYTES_MOVED", AMDGPU_INFO_NUM_BYTES_MOVED, 8, 123 },
	{ "NUM_EVICTIONS", AMDGPU_INFO_NUM_EVICTIONS, 8, 4 },
	{ "NUM_VRAM_CPU_PAGE_FAULTS", AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS, 8, 0 },
	{ "VRAM_USAGE", AMDGPU_INFO_VRAM_USAGE, 8, 5 << 20 },
	{ "VIS_VRAM_USAGE", AMDGPU_INFO_VIS_VRAM_USAGE, 8, 5 << 20 },
	{ "GTT_USAGE", AMDGPU_INFO_GTT_USAGE, 8, 7 << 20 },
	{ "VRAM_LOST_COUNTER", AMDGPU_INFO_VRAM_LOST_COUNTER, 4, 0 },
	{ "RAS_ENABLED_FEATURES", AMDGPU_INFO_RAS_ENABLED_FEATURES, 8, 0 },
};

static void scalar_name(const struct scalar *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(scalar, scalars, scalar_name);

static void one_number(struct kunit *test)
{
	const struct scalar *row = test->param_value;
	u64 answer[2], expected[2];

	memset(expected, GUARD, sizeof(expected));
	memcpy(expected, &row->value, row->bytes);
	KUNIT_EXPECT_EQ(test, ASK(answer, .query = row->query), 0);
	KUNIT_EXPECT_EQ(test, answer[0], expected[0]);
	KUNIT_EXPECT_EQ(test, answer[1], expected[1]);
}

static void sensors(struct kunit *test)
{
	static const struct amdm_chip product = { .clock_mhz = 1801, .memory_mhz = 1000 };
	static const struct { u32 type, value; } rows[] = {
		{ AMDGPU_INFO_SENSOR_GFX_SCLK, 1801 }, { AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK, 1801 },
		{ AMDGPU_INFO_SENSOR_GFX_MCLK, 1000 }, { AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK, 1000 },
		{ AMDGPU_INFO_SENSOR_GPU_LOAD, 42 },
	};
	struct info_bed *bed = test->priv;
	u32 i, value;

	bed->adev.chip = &product;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, ASK(value, .query = AMDGPU_INFO_SENSOR, .sensor_info.type = rows[i].type), 0);
		KUNIT_EXPECT_EQ(test, value, rows[i].value);
	}
}

struct refusal {
	const char *name;
	struct drm_amdgpu_info info;
	int answer;
};

static const struct refusal refusals[] = {
	{ "an unknown query", { .query = 0x7f }, -EINVAL },
	{ "CRTC_FROM_ID", { .query = AMDGPU_INFO_CRTC_FROM_ID }, -EINVAL },
	{ "VIDEO_CAPS", { .query = AMDGPU_INFO_VIDEO_CAPS }, -EINVAL },
	{ "a sensor that there is not", { .query = AMDGPU_INFO_SENSOR }, -EINVAL },
	{ "temperature", { .query = AMDGPU_INFO_SENSOR, .sensor_info.type = AMDGPU_INFO_SENSOR_GPU_TEMP }, -EINVAL },
	{ "registers are another file's", { .query = AMDGPU_INFO_READ_MMR_REG }, -EUCLEAN },
	{ "an IP too many", { .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.type = AMDM_HW_IPS }, -EINVAL },
	{ "an IP's instance too many",
	  { .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.ip_instance = AMDGPU_HW_IP_INSTANCE_MAX_COUNT }, -EINVAL },
	{ "a count of an IP too many", { .query = AMDGPU_INFO_HW_IP_COUNT, .query_hw_ip.type = AMDM_HW_IPS }, -EINVAL },
	{ "handles of GFX", { .query = AMDGPU_INFO_NUM_HANDLES, .query_hw_ip.type = AMDGPU_HW_IP_GFX }, -EINVAL },
	{ "handles of UVD", { .query = AMDGPU_INFO_NUM_HANDLES, .query_hw_ip.type = AMDGPU_HW_IP_UVD }, -ENODATA },
	{ "firmware 0", { .query = AMDGPU_INFO_FW_VERSION }, -EINVAL },
	{ "firmware that nobody has", { .query = AMDGPU_INFO_FW_VERSION, .query_fw.fw_type = 9 }, -EINVAL },
	{ "firmware behind the last", { .query = AMDGPU_INFO_FW_VERSION, .query_fw.fw_type = AMDGPU_INFO_FW_IMU + 1 }, -EINVAL },
	{ "an instance of firmware",
	  { .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_GFX_MEC, .ip_instance = 1 } }, -EINVAL },
	{ "a third MEC", { .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_GFX_MEC, .index = 2 } }, -EINVAL },
	{ "a third SDMA", { .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_SDMA, .index = 2 } }, -EINVAL },
	{ "TA 1", { .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_TA, .index = 1 } }, -EINVAL },
	{ "TA 8", { .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_TA, .index = 8 } }, -EINVAL },
	{ "the VBIOS itself", { .query = AMDGPU_INFO_VBIOS, .vbios_info.type = AMDGPU_INFO_VBIOS_IMAGE }, -EINVAL },
};

static void refusal_name(const struct refusal *row, char *name)
{
	strscpy(name, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusal, refusals, refusal_name);

static void no_answer(struct kunit *test)
{
	const struct refusal *row = test->param_value;
	u8 answer[8];

	KUNIT_EXPECT_EQ(test, ask_sized(test, row->info, sizeof(answer), answer, sizeof(answer)), row->answer);
	KUNIT_EXPECT_EQ(test, answer[0], GUARD);
}

static void room_for_the_answer(struct kunit *test)
{
	struct info_bed *bed = test->priv;
	struct drm_amdgpu_info info = { .query = AMDGPU_INFO_TIMESTAMP, .return_pointer = user_page };
	u8 answer[16];

	KUNIT_EXPECT_EQ(test, amdm_info_ioctl(&bed->adev.ddev, &info, NULL), -EINVAL);
	info.return_size = 8;
	info.return_pointer = 0;
	KUNIT_EXPECT_EQ(test, amdm_info_ioctl(&bed->adev.ddev, &info, NULL), -EINVAL);
	info.return_pointer = NOT_USER - 4;
	KUNIT_EXPECT_EQ(test, amdm_info_ioctl(&bed->adev.ddev, &info, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, ask_sized(test, info, 3, answer, sizeof(answer)), 0);
	KUNIT_EXPECT_EQ(test, answer[2], 0xab);
	KUNIT_EXPECT_EQ(test, answer[3], GUARD);
	KUNIT_EXPECT_EQ(test, ask_sized(test, info, ~0u, answer, sizeof(answer)), 0);
	KUNIT_EXPECT_EQ(test, answer[7], 0x01);
	KUNIT_EXPECT_EQ(test, answer[8], GUARD);
}

static void ips(struct kunit *test)
{
	struct drm_amdgpu_info_hw_ip ip;
	u32 count;

	KUNIT_EXPECT_EQ(test, ASK(ip, .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.type = AMDGPU_HW_IP_COMPUTE), 0);
	KUNIT_EXPECT_EQ(test, ip.hw_ip_version_major, 9u);
	KUNIT_EXPECT_EQ(test, ip.hw_ip_version_minor, 3u);
	KUNIT_EXPECT_EQ(test, ip.available_rings, 0xfu);
	KUNIT_EXPECT_EQ(test, ip.ip_discovery_version, 0x090400u);
	KUNIT_EXPECT_EQ(test, ip.ib_start_alignment, 32u);
	KUNIT_EXPECT_EQ(test, ASK(ip, .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.type = AMDGPU_HW_IP_DMA), 0);
	KUNIT_EXPECT_EQ(test, ip.hw_ip_version_major, 4u);
	KUNIT_EXPECT_EQ(test, ip.hw_ip_version_minor, 5u);
	KUNIT_EXPECT_EQ(test, ip.available_rings, 3u);
	KUNIT_EXPECT_EQ(test, ip.ib_start_alignment, 256u);
	KUNIT_EXPECT_EQ(test, ip.ib_size_alignment, 4u);
	KUNIT_EXPECT_EQ(test, ASK(ip, .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.type = AMDGPU_HW_IP_UVD), 0);
	KUNIT_EXPECT_EQ(test, ip.available_rings + ip.hw_ip_version_major, 0u);	/* not there */
	KUNIT_EXPECT_EQ(test, ASK(count, .query = AMDGPU_INFO_HW_IP_COUNT, .query_hw_ip.type = AMDGPU_HW_IP_GFX), 0);
	KUNIT_EXPECT_EQ(test, count, 1u);
	KUNIT_EXPECT_EQ(test, ASK(count, .query = AMDGPU_INFO_HW_IP_COUNT, .query_hw_ip.type = AMDGPU_HW_IP_VCN_DEC), 0);
	KUNIT_EXPECT_EQ(test, count, 0u);
}

static void what_generations_say(struct kunit *test)
{
	struct info_bed *bed = test->priv;
	struct drm_amdgpu_info_num_handles handles;
	struct drm_amdgpu_info_hw_ip ip;
	u64 features;

	bed->asic.die = (struct hw_die){ .gc_version = 0x080003, .counts_uvd_handles = true };	/* Fiji: no discovery, no RAS */
	bed->gen.ip_versions = false;
	KUNIT_EXPECT_EQ(test, ASK(ip, .query = AMDGPU_INFO_HW_IP_INFO, .query_hw_ip.type = AMDGPU_HW_IP_GFX), 0);
	KUNIT_EXPECT_EQ(test, ip.ip_discovery_version, 0u);
	KUNIT_EXPECT_EQ(test, ip.hw_ip_version_major, 8u);
	KUNIT_EXPECT_EQ(test, ASK(handles, .query = AMDGPU_INFO_NUM_HANDLES, .query_hw_ip.type = AMDGPU_HW_IP_UVD), 0);
	KUNIT_EXPECT_EQ(test, handles.uvd_used_handles, 0u);
	KUNIT_EXPECT_EQ(test, ASK(features, .query = AMDGPU_INFO_RAS_ENABLED_FEATURES), -EINVAL);
	bed->asic.die.counts_uvd_handles = false;	/* Polaris 10 */
	KUNIT_EXPECT_EQ(test, ASK(handles, .query = AMDGPU_INFO_NUM_HANDLES, .query_hw_ip.type = AMDGPU_HW_IP_UVD), -ENODATA);
}

static void firmware(struct kunit *test)
{
	struct drm_amdgpu_info_firmware fw;

	KUNIT_EXPECT_EQ(test, ASK(fw, .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_GFX_MEC, .index = 1 }), 0);
	KUNIT_EXPECT_EQ(test, fw.ver, 77u);
	KUNIT_EXPECT_EQ(test, ASK(fw, .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_SDMA, .index = 1 }), 0);
	KUNIT_EXPECT_EQ(test, fw.ver, 88u);
	KUNIT_EXPECT_EQ(test, ASK(fw, .query = AMDGPU_INFO_FW_VERSION, .query_fw.fw_type = AMDGPU_INFO_FW_UVD), 0);
	KUNIT_EXPECT_EQ(test, fw.ver, 0u);	/* not loaded */
	KUNIT_EXPECT_EQ(test, ASK(fw, .query = AMDGPU_INFO_FW_VERSION, .query_fw = { .fw_type = AMDGPU_INFO_FW_TA, .index = 7 }), 0);
}

/* What page tables and the GART's table may take is not usable; three quarters are the most for one buffer (amdgpu_kms.c). */
static void heaps(struct kunit *test)
{
	const u64 usable = (16ULL << 30) - (8 << 20) - (1 << 20);
	struct info_bed *bed = test->priv;
	struct drm_amdgpu_memory_info memory;
	struct drm_amdgpu_info_vram_gtt old;

	KUNIT_EXPECT_EQ(test, ASK(memory, .query = AMDGPU_INFO_MEMORY), 0);
	KUNIT_EXPECT_EQ(test, memory.vram.total_heap_size, 16ULL << 30);
	KUNIT_EXPECT_EQ(test, memory.vram.usable_heap_size, usable);
	KUNIT_EXPECT_EQ(test, memory.vram.heap_usage, 5ULL << 20);
	KUNIT_EXPECT_EQ(test, memory.vram.max_allocation, usable / 4 * 3);
	KUNIT_EXPECT_EQ(test, memory.cpu_accessible_vram.usable_heap_size, usable);
	KUNIT_EXPECT_EQ(test, memory.gtt.usable_heap_size, 3ULL << 30);
	KUNIT_EXPECT_EQ(test, memory.gtt.heap_usage, 7ULL << 20);
	KUNIT_EXPECT_EQ(test, ASK(old, .query = AMDGPU_INFO_VRAM_GTT), 0);
	KUNIT_EXPECT_EQ(test, old.vram_size, usable);
	KUNIT_EXPECT_EQ(test, old.gtt_size, 3ULL << 30);
	bed->adev.vram.size = 8 << 20;
	KUNIT_EXPECT_EQ(test, ASK(old, .query = AMDGPU_INFO_VRAM_GTT), 0);
	KUNIT_EXPECT_EQ(test, old.vram_size, 0ULL);	/* less than what is taken */
}

static void the_rest(struct kunit *test)
{
	struct drm_amdgpu_info_device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);
	struct drm_amdgpu_info_gds gds;
	u32 size;

	KUNIT_ASSERT_NOT_NULL(test, device);
	KUNIT_EXPECT_EQ(test, ASK(*device, .query = AMDGPU_INFO_DEV_INFO), 0);
	KUNIT_EXPECT_EQ(test, device->device_id, 0x66afu);
	KUNIT_EXPECT_EQ(test, ASK(gds, .query = AMDGPU_INFO_GDS_CONFIG), 0);
	KUNIT_EXPECT_EQ(test, gds.gds_total_size, 0x10000u);
	KUNIT_EXPECT_EQ(test, gds.gws_per_compute_partition, 64u);
	KUNIT_EXPECT_EQ(test, gds.oa_per_compute_partition, 16u);
	KUNIT_EXPECT_EQ(test, ASK(size, .query = AMDGPU_INFO_VBIOS, .vbios_info.type = AMDGPU_INFO_VBIOS_SIZE), 0);
	KUNIT_EXPECT_EQ(test, size, 0u);
}

static void without_memory(struct kunit *test)
{
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct info_bed *bed = test->priv;
		struct drm_amdgpu_info info = { .query = AMDGPU_INFO_TIMESTAMP, .return_pointer = user_page, .return_size = 8 };
		int ret;

		fail_nth_arm(n);
		ret = amdm_info_ioctl(&bed->adev.ddev, &info, NULL);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM || ret == -EFAULT);
		refused += ret == -ENOMEM;
	}
	KUNIT_EXPECT_GE(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(one_number, scalar_gen_params),
	KUNIT_CASE(sensors),
	KUNIT_CASE_PARAM(no_answer, refusal_gen_params),
	KUNIT_CASE(room_for_the_answer),
	KUNIT_CASE(ips),
	KUNIT_CASE(what_generations_say),
	KUNIT_CASE(firmware),
	KUNIT_CASE(heaps),
	KUNIT_CASE(the_rest),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "amdgpu_info", .suite_init = user_space_find, .init = info_setup, .exit = info_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
