// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_layout_test.c - apertures, division of the doorbell BAR, gpu_id */
#include <kunit/test.h>

#include "kfd_model/base/kfd_layout.c"

struct bar_row {
	const char *name;
	u32 doorbell_size, aperture, start;
	int ret;
	u32 slice, base, slices;
};

static const struct bar_row bar_rows[] = {
	{ "Vega20",              8, 0x200000, 7292,  0,       8192, 8192, 255 },
	{ "four-byte doorbells", 4, 0x200000, 7292,  0,       4096, 8192, 510 },
	{ "nothing reserved",    8, 0x4000,   0,     0,       8192, 0,    2 },
	{ "BAR not of slices",   8, 0x5000,   0,     0,       8192, 0,    2 },
	{ "no room",             8, 0x3000,   8193,  -ENOSPC, 8192, 0,    0 },
};

static void bar_name(const struct bar_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(bar, bar_rows, bar_name);

static void divide_bar(struct kunit *test)
{
	const struct bar_row *row = test->param_value;
	struct kfdm_doorbell_layout layout = {};

	KUNIT_EXPECT_EQ(test, kfdm_doorbells_divide(row->doorbell_size, row->aperture, row->start, &layout), row->ret);
	KUNIT_EXPECT_EQ(test, layout.slice, row->slice);
	KUNIT_EXPECT_EQ(test, layout.base, row->base);
	KUNIT_EXPECT_EQ(test, layout.max_slices, row->slices);
}

static void doorbell_places(struct kunit *test)
{
	struct kfdm_doorbell_layout layout;

	kfdm_doorbells_divide(8, 0x200000, 7292, &layout);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_dw_offset(&layout, 0, 0), 2048u);	/* HIQ */
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_dw_offset(&layout, 1, 0), 4096u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_dw_offset(&layout, 1, 3), 4102u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_sdma_id(256, 0), 256u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_sdma_id(256, 1), 768u);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_sdma_id(266, 5), 780u);
}

static void apertures(struct kunit *test)
{
	struct kfdm_apertures a;

	kfdm_apertures_v9(&(struct kfdm_aperture_inputs){ .gpuvm_size = 1ULL << 47 }, &a);
	KUNIT_EXPECT_EQ(test, a.ib_base, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, a.cwsr_base, 0x2000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x4000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_limit, 0x7fffffffffffULL);
	KUNIT_EXPECT_EQ(test, a.lds_base, 0x1000000000000ULL);
	KUNIT_EXPECT_EQ(test, a.scratch_limit, 0x20000ffffffffULL);
	kfdm_apertures_v9(&(struct kfdm_aperture_inputs){ .gpuvm_size = 1ULL << 40 }, &a);
	KUNIT_EXPECT_EQ(test, a.gpuvm_limit, (1ULL << 40) - 1);
}

static void apertures_up_to_gfx8(struct kunit *test)
{
	const struct kfdm_aperture_inputs discrete = { .gpuvm_size = 1ULL << 40, .node_index = 1 };
	const struct kfdm_aperture_inputs apu = { .gpuvm_size = 1ULL << 40, .node_index = 1, .use_iommu_v2 = true };
	struct kfdm_apertures a;

	kfdm_apertures_vi(&discrete, &a);
	KUNIT_EXPECT_EQ(test, a.lds_base, 0x2000000000000000ULL);
	KUNIT_EXPECT_EQ(test, a.scratch_base, 0x2000000100000000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x4000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_limit, (1ULL << 40) - 1);
	KUNIT_EXPECT_EQ(test, a.cwsr_base, 0x2000ULL);
	kfdm_apertures_vi(&apu, &a);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x4001000000000000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_limit, 0x400100ffffffffffULL);
	KUNIT_EXPECT_EQ(test, a.cwsr_base, 0ULL);
}

static void mes_doorbells(struct kunit *test)
{
	struct kfdm_doorbell_layout layout;

	kfdm_doorbells_of_mes(&layout);
	KUNIT_EXPECT_EQ(test, kfdm_doorbell_dw_offset(&layout, 2, 3), 4096u + 6);
}

static void gpu_id(struct kunit *test)
{
	/* Vectors gpu_id-00014 and gpu_id-00149 of the real driver */
	const struct kfdm_gpu_identity a = { 16, 4098, 57358, 1, 26273, 70, 0x400000000 };
	const struct kfdm_gpu_identity b = { 16, 4098, 27268, 0, 26287, 230, 0x3ff000000 };

	KUNIT_EXPECT_EQ(test, kfdm_gpu_id(&a), 57853u);
	KUNIT_EXPECT_EQ(test, kfdm_gpu_id(&b), 2556u);
}

/* 7.2: a checksum, never 0, other for each partition; the trap handler behind the gap */
static void numbers_of_7_2(struct kunit *test)
{
	const struct kfdm_gpu_identity whole = { .devfn = 16, .device = 0x66a1, .num_xcc = 1 };
	const struct kfdm_gpu_identity second = { .devfn = 16, .device = 0x66a1, .first_xcc = 1, .num_xcc = 1 };
	const struct kfdm_gpu_identity nothing = {};
	const struct kfdm_aperture_inputs in = { .gpuvm_size = 1ULL << 47, .va_size = 1ULL << 48 };
	struct kfdm_apertures a;

	KUNIT_EXPECT_NE(test, kfdm_gpu_id_7_2(&whole), kfdm_gpu_id_7_2(&second));
	KUNIT_EXPECT_EQ(test, kfdm_gpu_id_7_2(&nothing), 1u);
	kfdm_apertures_v9_7_2(&in, &a);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x10000ULL);
	KUNIT_EXPECT_EQ(test, a.gpuvm_limit, (1ULL << 47) - 1);
	KUNIT_EXPECT_EQ(test, a.ib_base, 0ULL);
	KUNIT_EXPECT_EQ(test, a.cwsr_base, 0xffffffbf0000ULL);
	kfdm_apertures_vi_7_2(&in, &a);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x10000ULL);
	KUNIT_EXPECT_EQ(test, a.cwsr_base, 0x2000ULL);
}

/* GC 12.1: the windows are amdgpu's choice, all else is as since GFX9. */
static void chosen_windows(struct kunit *test)
{
	const struct kfdm_aperture_inputs in = {
		.gpuvm_size = 1ULL << 47, .va_size = 1ULL << 48, .shared_start = 2ULL << 60, .shared_end = (2ULL << 60) + 0xffffffff,
		.private_start = 1ULL << 60, .private_end = (1ULL << 60) + 0xffffffff,
	};
	struct kfdm_apertures a;

	kfdm_apertures_v12_1_7_2(&in, &a);
	KUNIT_EXPECT_EQ(test, a.lds_base, in.shared_start);
	KUNIT_EXPECT_EQ(test, a.lds_limit, in.shared_end);
	KUNIT_EXPECT_EQ(test, a.scratch_base, in.private_start);
	KUNIT_EXPECT_EQ(test, a.scratch_limit, in.private_end);
	KUNIT_EXPECT_EQ(test, a.gpuvm_base, 0x10000ULL);
}

static void expect_vmids(struct kunit *test, struct kfdm_vmids vmids, u32 first, u32 last, u32 num, u32 bitmap)
{
	KUNIT_EXPECT_EQ(test, vmids.first, first);
	KUNIT_EXPECT_EQ(test, vmids.last, last);
	KUNIT_EXPECT_EQ(test, vmids.num, num);
	KUNIT_EXPECT_EQ(test, vmids.bitmap, bitmap);
}

/* kgd2kfd_device_init: two dies of an interposer die share its VMIDs */
static void vmids(struct kunit *test)
{
	expect_vmids(test, kfdm_vmids_of_device(0xff00), 8, 15, 8, 0xff00);
	expect_vmids(test, kfdm_vmids_of_device(0xfff8), 3, 15, 13, 0xfff8);
	expect_vmids(test, kfdm_vmids_of_die(0xfff8, 0), 4, 9, 6, 0x3f0);
	expect_vmids(test, kfdm_vmids_of_die(0xfff8, 1), 10, 15, 6, 0xfc00);
	expect_vmids(test, kfdm_vmids_of_die(0xfff8, 6), 4, 9, 6, 0x3f0);
	expect_vmids(test, kfdm_vmids_of_die(0xff00, 3), 12, 15, 4, 0xf000);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vmids),
	KUNIT_CASE(chosen_windows),
	KUNIT_CASE_PARAM(divide_bar, bar_gen_params),
	KUNIT_CASE(doorbell_places),
	KUNIT_CASE(apertures),
	KUNIT_CASE(apertures_up_to_gfx8),
	KUNIT_CASE(mes_doorbells),
	KUNIT_CASE(gpu_id),
	KUNIT_CASE(numbers_of_7_2),
	{}
};

static struct kunit_suite suite = { .name = "kfd_layout", .test_cases = cases };
kunit_test_suite(suite);
