// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_crat_test.c - the table that describes a GPU: layout of its entries, what they say, and that it never overflows */
#include <kunit/test.h>

#include "kfd_model/topology/kfd_crat.c"

/* Sizes and places as in Linux 6.1, kfd_crat.h: user space reads the table as it is (/sys/.../crat of older kernels). */
static void layout(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sizeof(struct kfdm_crat_header), (size_t)48);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_header, total_entries), (size_t)36);
	KUNIT_EXPECT_EQ(test, sizeof(struct kfdm_crat_compute_unit), (size_t)40);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_compute_unit, lds_size_in_kb), (size_t)26);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_compute_unit, num_simd_per_cu), (size_t)34);
	KUNIT_EXPECT_EQ(test, sizeof(struct kfdm_crat_memory), (size_t)40);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_memory, width), (size_t)28);
	KUNIT_EXPECT_EQ(test, sizeof(struct kfdm_crat_iolink), (size_t)64);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_iolink, min_bandwidth_mbs), (size_t)28);
	KUNIT_EXPECT_EQ(test, offsetof(struct kfdm_crat_iolink, num_hops_xgmi), (size_t)63);
}

/* Vega 20 with one array of 16 CUs an engine, 15 of them active. */
static const struct kfdm_gpu_shape vega20 = {
	.node = 1, .processor_id_low = 0x80001000, .num_se = 4, .num_sh_per_se = 1, .max_cu_per_sh = 16, .cu_active = 60,
	.simd_per_cu = 4, .max_waves_per_simd = 10, .wave_front_size = 64, .max_scratch_slots_per_cu = 32, .lds_kb = 64,
	.heap = KFDM_HEAP_FB_PRIVATE, .vram_width = 4096, .vram_bytes = 0x3ff000000ULL,
};

static struct kfdm_crat_header *make_table(struct kunit *test)
{
	struct kfdm_crat_header *table = kunit_kzalloc(test, KFDM_CRAT_GPU_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, table);
	memset(table, 0xa5, KFDM_CRAT_GPU_BYTES);
	kfdm_crat_begin(table);
	return table;
}

static void an_empty_table(struct kunit *test)
{
	struct kfdm_crat_header *table = make_table(test);

	KUNIT_EXPECT_EQ(test, memcmp(table, "CRAT", 4), 0);
	KUNIT_EXPECT_EQ(test, table->length, 48u);
	KUNIT_EXPECT_EQ(test, table->total_entries, 0u);
	KUNIT_EXPECT_EQ(test, (u32)table->num_domains, 1u);
	KUNIT_EXPECT_NULL(test, kfdm_crat_next(table, NULL));
	KUNIT_EXPECT_NULL(test, memchr_inv(table + 1, 0, KFDM_CRAT_GPU_BYTES - sizeof(*table)));
}

/* kfd_create_vcrat_image_gpu, kfd_fill_gpu_memory_affinity */
static void processors_and_memory(struct kunit *test)
{
	struct kfdm_crat_header *table = make_table(test);
	const struct kfdm_crat_compute_unit *cu;
	const struct kfdm_crat_memory *mem;

	KUNIT_ASSERT_TRUE(test, kfdm_crat_add_gpu(table, &vega20));
	KUNIT_EXPECT_EQ(test, table->total_entries, 2u);
	KUNIT_EXPECT_EQ(test, table->length, 48u + 40 + 40);
	cu = (const void *)kfdm_crat_next(table, NULL);
	KUNIT_ASSERT_NOT_NULL(test, cu);
	KUNIT_EXPECT_EQ(test, (u32)cu->entry.type, 0u);
	KUNIT_EXPECT_EQ(test, (u32)cu->entry.length, 40u);
	KUNIT_EXPECT_EQ(test, cu->entry.flags, 0x9u);	/* enabled, a GPU */
	KUNIT_EXPECT_EQ(test, cu->entry.proximity_domain, 1u);
	KUNIT_EXPECT_EQ(test, cu->processor_id_low, 0x80001000u);
	KUNIT_EXPECT_EQ(test, (u32)cu->num_cpu_cores, 0u);
	KUNIT_EXPECT_EQ(test, (u32)cu->num_simd_cores, 240u);
	KUNIT_EXPECT_EQ(test, (u32)cu->array_count, 4u);
	KUNIT_EXPECT_EQ(test, (u32)cu->num_cu_per_array, 16u);	/* as built */
	mem = (const void *)kfdm_crat_next(table, &cu->entry);
	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_EXPECT_EQ(test, (u32)mem->entry.type, 1u);
	KUNIT_EXPECT_EQ(test, mem->length_low, 0xff000000u);
	KUNIT_EXPECT_EQ(test, mem->length_high, 3u);
	KUNIT_EXPECT_EQ(test, (u32)mem->heap, 2u);
	KUNIT_EXPECT_EQ(test, mem->width, 4096u);
	KUNIT_EXPECT_NULL(test, kfdm_crat_next(table, &mem->entry));
}

/* kfd_fill_gpu_direct_io_link_to_cpu */
static void a_link(struct kunit *test)
{
	const struct kfdm_gpu_link pcie = { .to = 0, .type = KFDM_LINK_PCIE, .min_bandwidth_mbs = 312, .max_bandwidth_mbs = 16000 };
	const struct kfdm_gpu_link xgmi = { .to = 3, .type = KFDM_LINK_XGMI, .hops = 2, .bidirectional = true };
	struct kfdm_crat_header *table = make_table(test);
	const struct kfdm_crat_iolink *io;

	KUNIT_ASSERT_TRUE(test, kfdm_crat_add_link(table, 2, &pcie));
	KUNIT_ASSERT_TRUE(test, kfdm_crat_add_link(table, 2, &xgmi));
	io = (const void *)kfdm_crat_next(table, NULL);
	KUNIT_ASSERT_NOT_NULL(test, io);
	KUNIT_EXPECT_EQ(test, (u32)io->entry.type, 5u);
	KUNIT_EXPECT_EQ(test, io->entry.flags, 1u);
	KUNIT_EXPECT_EQ(test, io->entry.proximity_domain, 2u);
	KUNIT_EXPECT_EQ(test, (u32)io->type, 2u);
	KUNIT_EXPECT_EQ(test, io->min_bandwidth_mbs, 312u);
	KUNIT_EXPECT_EQ(test, io->max_bandwidth_mbs, 16000u);
	io = (const void *)kfdm_crat_next(table, &io->entry);
	KUNIT_ASSERT_NOT_NULL(test, io);
	KUNIT_EXPECT_EQ(test, io->entry.flags, 0x80000001u);
	KUNIT_EXPECT_EQ(test, io->to, 3u);
	KUNIT_EXPECT_EQ(test, (u32)io->type, 11u);
	KUNIT_EXPECT_EQ(test, (u32)io->num_hops_xgmi, 2u);
}

/* As many links as the page holds, each found again; what does not fit leaves the table as it is. */
static void a_full_table(struct kunit *test)
{
	const u32 room = (KFDM_CRAT_GPU_BYTES - 48) / 64;
	struct kfdm_crat_header *table = make_table(test);
	const struct kfdm_crat_entry *entry = NULL;
	struct kfdm_gpu_link link = { .type = KFDM_LINK_XGMI };
	u32 i, length;

	for (i = 0; i < room; i++) {
		link.to = i;
		KUNIT_ASSERT_TRUE(test, kfdm_crat_add_link(table, 1, &link));
	}
	length = table->length;
	KUNIT_EXPECT_FALSE(test, kfdm_crat_add_link(table, 1, &link));
	KUNIT_EXPECT_FALSE(test, kfdm_crat_add_gpu(table, &vega20));
	KUNIT_EXPECT_EQ(test, table->length, length);
	KUNIT_EXPECT_EQ(test, table->total_entries, room);
	for (i = 0; (entry = kfdm_crat_next(table, entry)); i++)
		KUNIT_EXPECT_EQ(test, ((const struct kfdm_crat_iolink *)entry)->to, i);
	KUNIT_EXPECT_EQ(test, i, room);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(layout),
	KUNIT_CASE(an_empty_table),
	KUNIT_CASE(processors_and_memory),
	KUNIT_CASE(a_link),
	KUNIT_CASE(a_full_table),
	{}
};

static struct kunit_suite suite = { .name = "kfd_crat", .test_cases = cases };
kunit_test_suite(suite);
