// SPDX-License-Identifier: MIT
/*
 * drm_info.cpp - AMDGPU_INFO on every GPU: what amdgpu of Linux 6.1 answers for the chip, query by query, or its errno.
 */
#include <xf86drm.h>

#include <bit>
#include <cstdio>
#include <cstring>

#include "check.hpp"
#include "drm_gpus.hpp"
#include "drm_memory.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/*
 * A chip: PCI id and family; IP blocks (Linux: cik.c, vi.c, soc15.c, nv.c); shader engines, arrays, CUs as built, render back-ends
 * (gfx_v7_0.c, gfx_v8_0.c, GB_ADDR_CONFIG of gfx_v9_0.c, data sheets); rings; RAS_ENABLED_FEATURES and NUM_HANDLES of UVD: their errnos.
 */
struct ChipFacts {
	uint32_t device, family;
	uint32_t gfx_major, gfx_minor, dma_major, dma_minor;
	uint32_t engines, arrays, cus, backends;
	uint32_t gfx_rings, dma_rings;
	int ras, handles;
};

constexpr uint32_t family_gc_11_0_0 = 145; /* newer than libdrm's header, as the name of hw_ip's last word: ip_discovery_version */

constexpr ChipFacts chip_facts[] = {
	{0x67b0, AMDGPU_FAMILY_CI, 7, 3, 2, 0, 4, 1, 11, 16, 1, 2, EINVAL, 0},
	{0x6938, AMDGPU_FAMILY_VI, 8, 0, 3, 0, 4, 1, 8, 8, 1, 2, EINVAL, 0},
	{0x7300, AMDGPU_FAMILY_VI, 8, 0, 3, 0, 4, 1, 16, 16, 1, 2, EINVAL, 0},
	{0x67df, AMDGPU_FAMILY_VI, 8, 0, 3, 1, 4, 1, 9, 8, 1, 2, EINVAL, ENODATA},
	{0x687f, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 4, 1, 16, 16, 1, 2, EINVAL, ENODATA},
	{0x69af, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 4, 1, 5, 8, 1, 2, EINVAL, ENODATA},
	{0x66a0, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 4, 1, 16, 16, 1, 2, 0, ENODATA},
	{0x66a1, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 4, 1, 16, 16, 1, 2, 0, ENODATA},
	{0x66af, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 4, 1, 16, 16, 1, 2, 0, ENODATA},
	{0x738c, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 8, 1, 16, 0, 0, 2, EINVAL, ENODATA},
	{0x740f, AMDGPU_FAMILY_AI, 9, 0, 4, 0, 8, 1, 16, 0, 0, 2, EINVAL, ENODATA},
	{0x74a1, AMDGPU_FAMILY_AI, 9, 4, 4, 4, 4, 1, 10, 0, 0, 2, EINVAL, ENODATA},
	{0x731f, AMDGPU_FAMILY_NV, 10, 0, 5, 0, 2, 2, 10, 16, 1, 2, EINVAL, ENODATA},
	{0x7340, AMDGPU_FAMILY_NV, 10, 0, 5, 0, 1, 2, 12, 8, 1, 2, EINVAL, ENODATA},
	{0x73bf, AMDGPU_FAMILY_NV, 10, 0, 5, 2, 4, 2, 10, 16, 1, 2, EINVAL, ENODATA},
	{0x744c, family_gc_11_0_0, 11, 0, 6, 0, 6, 2, 8, 24, 1, 2, EINVAL, ENODATA},
};

/* What a generation has in common. */
struct GenerationFacts {
	uint32_t gfx_major, wave, ce_ram, gs_table, gs_prims;
	uint64_t va_end, high_va;
};

constexpr uint64_t hole_end = 0xffff'8000'0000'0000;
constexpr GenerationFacts generation_facts[] = {
	{7, 64, 0x8000, 0, 0, 1ULL << 40, 0},
	{8, 64, 0x8000, 0, 0, 1ULL << 40, 0},
	{9, 64, 0x8000, 32, 1792, 0x8000'0000'0000, hole_end},
	{10, 32, 0x10000, 32, 1792, 0x8000'0000'0000, hole_end},
	{11, 32, 0, 32, 1792, 0x8000'0000'0000, hole_end},
};

template <class T> int ask(const drm::Device &device, drm_amdgpu_info request, T *answer)
{
	request.return_pointer = reinterpret_cast<uintptr_t>(answer);
	request.return_size = sizeof(*answer);
	return -drmCommandWrite(device.fd(), DRM_AMDGPU_INFO, &request, sizeof(request));
}

drm_amdgpu_info query(uint32_t what)
{
	drm_amdgpu_info request = {};

	request.query = what;
	return request;
}

drm_amdgpu_info query_ip(uint32_t what, uint32_t type, uint32_t instance = 0)
{
	drm_amdgpu_info request = query(what);

	request.query_hw_ip.type = type;
	request.query_hw_ip.ip_instance = instance;
	return request;
}

drm_amdgpu_info query_fw(uint32_t type, uint32_t index = 0, uint32_t instance = 0)
{
	drm_amdgpu_info request = query(AMDGPU_INFO_FW_VERSION);

	request.query_fw = {.fw_type = type, .ip_instance = instance, .index = index, ._pad = 0};
	return request;
}

int ask_register(const drm::Device &device, uint32_t first, uint32_t count = 1)
{
	drm_amdgpu_info request = query(AMDGPU_INFO_READ_MMR_REG);
	uint32_t values[128] = {};

	request.read_mmr_reg = {.dword_offset = first, .count = count, .instance = ~0U, .flags = 0};
	return ask(device, request, &values);
}

void check_ips(const drm::Device &device, const ChipFacts &chip)
{
	drm_amdgpu_info_hw_ip ip = {};
	uint32_t count = 7;

	for (uint32_t type = 0; type < AMDGPU_HW_IP_NUM; type++) {
		const bool dma = type == AMDGPU_HW_IP_DMA, there = dma || type == AMDGPU_HW_IP_GFX || type == AMDGPU_HW_IP_COMPUTE;

		CHECK_ERRNO(0, ask(device, query_ip(AMDGPU_INFO_HW_IP_COUNT, type), &count));
		CHECK_EQ(count, there ? 1U : 0U);
		CHECK_ERRNO(0, ask(device, query_ip(AMDGPU_INFO_HW_IP_INFO, type), &ip));
		CHECK_ERRNO(EINVAL, ask(device, query_ip(AMDGPU_INFO_HW_IP_INFO, type, 1), &ip));
		CHECK_EQ(ip.hw_ip_version_major, !there ? 0 : dma ? chip.dma_major : chip.gfx_major);
		CHECK_EQ(ip.hw_ip_version_minor, !there ? 0 : dma ? chip.dma_minor : chip.gfx_minor);
		CHECK_EQ(ip.ib_start_alignment, !there ? 0U : dma ? 256U : 32U);
		CHECK_EQ(ip.ib_size_alignment, !there ? 0U : dma ? 4U : 32U);
		CHECK_EQ(std::popcount(ip.available_rings), static_cast<int>(type == AMDGPU_HW_IP_GFX ? chip.gfx_rings :
									     dma		      ? chip.dma_rings :
									     there		      ? 4U :
													0U));
		CHECK_EQ(ip._pad != 0, there && chip.gfx_major >= 9);
	}
	CHECK_ERRNO(EINVAL, ask(device, query_ip(AMDGPU_INFO_HW_IP_COUNT, AMDGPU_HW_IP_NUM), &count));
	CHECK_ERRNO(EINVAL, ask(device, query_ip(AMDGPU_INFO_HW_IP_INFO, AMDGPU_HW_IP_NUM), &ip));
}

/* Engines with firmware; a context has two rings, however many there are (Linux: amdgpu_ctx_num_entities). */
uint32_t sdma_engines(const ChipFacts &chip)
{
	switch (chip.device) {
	case 0x738c: return 8;	/* Arcturus */
	case 0x740f: return 5;	/* Aldebaran */
	case 0x73bf: return 4;	/* Navi 21 */
	case 0x74a1: return 16; /* MI300X */
	default: return 2;
	}
}

void check_firmware(const drm::Device &device, const ChipFacts &chip)
{
	constexpr uint32_t none = 9, last = 0x1b; /* no such number; AMDGPU_INFO_FW_IMU */
	drm_amdgpu_info_firmware fw = {};

	for (uint32_t type = 0; type <= last + 1; type++) {
		const bool there = type && type != none && type <= last;
		const uint32_t index = type == AMDGPU_INFO_FW_TA ? 2 : 0;

		CHECK_ERRNO(there ? 0 : EINVAL, ask(device, query_fw(type, index), &fw));
		CHECK_ERRNO(EINVAL, ask(device, query_fw(type, index, 1), &fw));
	}
	CHECK_ERRNO(0, ask(device, query_fw(AMDGPU_INFO_FW_GFX_MEC, 1), &fw));
	CHECK(fw.ver > 0);
	CHECK_ERRNO(EINVAL, ask(device, query_fw(AMDGPU_INFO_FW_GFX_MEC, 2), &fw));
	for (uint32_t engine = 0; engine <= 16; engine++)
		CHECK_ERRNO(engine < sdma_engines(chip) ? 0 : EINVAL, ask(device, query_fw(AMDGPU_INFO_FW_SDMA, engine), &fw));
	CHECK_ERRNO(0, ask(device, query_fw(AMDGPU_INFO_FW_TA, 7), &fw));
	CHECK_ERRNO(EINVAL, ask(device, query_fw(AMDGPU_INFO_FW_TA, 8), &fw));
	CHECK_ERRNO(EINVAL, ask(device, query_fw(AMDGPU_INFO_FW_TA, 1), &fw));
}

void check_device(const drm_amdgpu_info_device &d, const ChipFacts &chip, const GenerationFacts &generation)
{
	uint32_t active = 0;

	CHECK_EQ(d.family, chip.family);
	CHECK_EQ(d.num_shader_engines, chip.engines);
	CHECK_EQ(d.num_shader_arrays_per_engine, chip.arrays);
	CHECK_EQ(d.num_cu_per_sh, chip.cus);
	CHECK_EQ(d.num_rb_pipes, chip.backends);
	CHECK_EQ(d.enabled_rb_pipes_mask, (1U << chip.backends) - 1);
	CHECK_EQ(d.num_hw_gfx_contexts, 8U);
	CHECK_EQ(d.ids_flags, 0U);
	CHECK_EQ(d.wave_front_size, generation.wave);
	CHECK_EQ(d.ce_ram_size, generation.ce_ram);
	CHECK_EQ(d.gs_vgt_table_depth, generation.gs_table);
	CHECK_EQ(d.gs_prim_buffer_depth, generation.gs_prims);
	CHECK_EQ(d.gc_double_offchip_lds_buf, 1U);
	CHECK_EQ(d.num_shader_visible_vgprs, 256U);
	CHECK_EQ(d.virtual_address_offset, 2 * MiB);
	CHECK(d.virtual_address_max <= generation.va_end && d.virtual_address_max >= generation.va_end - 2 * MiB);
	CHECK_EQ(d.high_va_offset, generation.high_va);
	CHECK_EQ(d.high_va_max, generation.high_va ? ~(2 * MiB - 1) : 0);
	for (int se = 0; se < 4; se++)
		for (int sh = 0; sh < 4; sh++) {
			active += static_cast<uint32_t>(std::popcount(d.cu_bitmap[se][sh]));
			CHECK_EQ(d.cu_ao_bitmap[se][sh], d.cu_bitmap[se][sh]);
		}
	if (chip.device == 0x74a1) /* the number is of eight dies, the bitmap of the first (gfx_v9_4_3_get_cu_info) */
		CHECK(d.cu_active_number >= active);
	else
		CHECK_EQ(d.cu_active_number, active);
	CHECK_EQ(d.cu_ao_mask & 0xff, d.cu_bitmap[0][0] & 0xff);
}

void check_memory(const drm::Device &device)
{
	const drm_amdgpu_memory_info memory = memory_info(device);
	const auto sizes = device.info<drm_amdgpu_info_vram_gtt>(AMDGPU_INFO_VRAM_GTT);

	CHECK(memory.vram.usable_heap_size + 8 * MiB <= memory.vram.total_heap_size);
	for (const drm_amdgpu_heap_info &heap : {memory.vram, memory.cpu_accessible_vram, memory.gtt})
		CHECK_EQ(heap.max_allocation, heap.usable_heap_size * 3 / 4);
	CHECK_EQ(sizes.vram_size, memory.vram.usable_heap_size);
	CHECK_EQ(sizes.vram_cpu_accessible_size, memory.cpu_accessible_vram.usable_heap_size);
	CHECK_EQ(sizes.gtt_size, memory.gtt.usable_heap_size);
	CHECK_EQ(device.info<uint64_t>(AMDGPU_INFO_VRAM_USAGE), device.info<uint64_t>(AMDGPU_INFO_VIS_VRAM_USAGE));
}

/* GFX7 and 8 let more be read than later ones (vi_, soc15_, nv_allowed_read_registers). */
void check_registers(const drm::Device &device, const ChipFacts &chip)
{
	const int old = chip.gfx_major < 9 ? 0 : EFAULT;

	for (uint32_t everywhere :
	     {0x2002U, 0x2004U, 0x2005U, 0x2006U, 0x200eU, 0x200fU, 0x2084U, 0x2089U, 0x219cU, 0x219eU, 0x21a0U, 0x263eU})
		CHECK_ERRNO(0, ask_register(device, everywhere));
	for (uint32_t before_gfx9 : {0x0393U, 0x0394U, 0x09d8U, 0x263dU, 0x263fU, 0x26dfU, 0x340dU, 0x360dU, 0xa0d4U, 0xa0d5U})
		CHECK_ERRNO(old, ask_register(device, before_gfx9));
	CHECK_ERRNO(old, ask_register(device, 0x2644, 48));
	CHECK_ERRNO(EFAULT, ask_register(device, 0x2643, 49));
	CHECK_ERRNO(chip.gfx_major == 8 ? 0 : EFAULT, ask_register(device, 0x0395));
	CHECK_ERRNO(chip.gfx_major == 9 ? 0 : EFAULT, ask_register(device, 0x260d));
	CHECK_ERRNO(chip.gfx_major < 9 ? EFAULT : 0, ask_register(device, 0x1260 + 0x25));
	CHECK_ERRNO(EFAULT, ask_register(device, 0x3247)); /* CP_HQD_ACTIVE */
	CHECK_ERRNO(EINVAL, ask_register(device, 0x2004, 129));
}

void check_rest(const drm::Device &device, const ChipFacts &chip)
{
	struct {
		uint8_t byte[256];
	} answer = {};
	drm_amdgpu_info request = query(AMDGPU_INFO_VBIOS);
	uint64_t wide = 7;
	uint32_t word = 7;

	CHECK_EQ(device.info<uint32_t>(AMDGPU_INFO_ACCEL_WORKING), 1U);
	CHECK(device.info<uint32_t>(AMDGPU_INFO_VRAM_LOST_COUNTER) < 1000); /* a reset counts: drm_vram_lost */
	CHECK_ERRNO(EINVAL, ask(device, query(AMDGPU_INFO_CRTC_FROM_ID), &word));
	CHECK_ERRNO(EINVAL, ask(device, query(AMDGPU_INFO_SENSOR), &word)); /* type 0; others: sysfs_load */
	CHECK_ERRNO(EINVAL, ask(device, query(AMDGPU_INFO_VIDEO_CAPS), &answer));
	CHECK_ERRNO(EINVAL, ask(device, query(0x7f), &answer));
	CHECK_ERRNO(chip.ras, ask(device, query(AMDGPU_INFO_RAS_ENABLED_FEATURES), &wide));
	CHECK_EQ(wide, chip.ras ? 7U : 0U);
	CHECK_ERRNO(chip.handles, ask(device, query_ip(AMDGPU_INFO_NUM_HANDLES, AMDGPU_HW_IP_UVD), &wide));
	CHECK_ERRNO(EINVAL, ask(device, query_ip(AMDGPU_INFO_NUM_HANDLES, AMDGPU_HW_IP_VCE), &wide));
	CHECK_ERRNO(0, ask(device, query(AMDGPU_INFO_VCE_CLOCK_TABLE), &answer));
	request.vbios_info.type = AMDGPU_INFO_VBIOS_SIZE;
	CHECK_ERRNO(0, ask(device, request, &word));
	CHECK_EQ(word, 0U);
	request.vbios_info.type = AMDGPU_INFO_VBIOS_IMAGE;
	CHECK_ERRNO(EINVAL, ask(device, request, &word));
	request.vbios_info.type = 0;
	CHECK_ERRNO(EINVAL, ask(device, request, &word));

	/* A caller that has little room gets the beginning, one that has none an errno. */
	std::memset(&answer, 0xee, sizeof(answer));
	request = query(AMDGPU_INFO_DEV_INFO);
	request.return_pointer = reinterpret_cast<uintptr_t>(&answer);
	CHECK_ERRNO(EINVAL, -drmCommandWrite(device.fd(), DRM_AMDGPU_INFO, &request, sizeof(request)));
	request.return_size = 4;
	CHECK_ERRNO(0, -drmCommandWrite(device.fd(), DRM_AMDGPU_INFO, &request, sizeof(request)));
	CHECK_EQ(answer.byte[0] | answer.byte[1] << 8, static_cast<int>(chip.device));
	CHECK_EQ(answer.byte[4], 0xee);
	request.return_pointer = 0;
	CHECK_ERRNO(EINVAL, -drmCommandWrite(device.fd(), DRM_AMDGPU_INFO, &request, sizeof(request)));
	request.return_pointer = 4096;
	CHECK_ERRNO(EFAULT, -drmCommandWrite(device.fd(), DRM_AMDGPU_INFO, &request, sizeof(request)));
}

} // namespace

KFDM_TEST("every query of AMDGPU_INFO has a true answer or the real driver's errno, chip by chip")
{
	for_each_gpu([](const drm::Device &device) {
		const auto d = device.info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO);

		std::printf("%04x\n", d.device_id);
		for (const ChipFacts &chip : chip_facts)
			for (const GenerationFacts &generation : generation_facts)
				if (chip.device == d.device_id && generation.gfx_major == chip.gfx_major) {
					check_device(d, chip, generation);
					check_ips(device, chip);
					check_firmware(device, chip);
					check_memory(device);
					check_registers(device, chip);
					check_rest(device, chip);
					return;
				}
		fail(__FILE__, __LINE__, "no facts about this chip");
	});
}
