// SPDX-License-Identifier: MIT
/*
 * cwsr.cpp - context save sizes, the formulas of libhsakmt's queues.c in bytes.
 */
#include <kfdm/cwsr.hpp>

#include <algorithm>

namespace kfdm {

namespace {

constexpr uint32_t header_bytes = 40; /* HsaUserContextSaveAreaHeader */
constexpr uint32_t debug_bytes_per_wave = 32;

constexpr uint32_t page(uint32_t bytes) noexcept { return (bytes + 0xfff) & ~0xfffU; }

/* VGPR file of a CU by target version. */
constexpr uint32_t vgpr_bytes(uint32_t version) noexcept
{
	bool accumulators = version == 90008 || version == 90010 || version / 100 == 904 || version / 100 == 905;
	bool large = version == 110000 || version == 110001 || version / 10000 == 12;

	return accumulators ? 0x80000 : large ? 0x60000 : 0x40000;
}

} // namespace

CwsrInput CwsrInput::of(const Node &node)
{
	auto value = [&](const char *name) { return static_cast<uint32_t>(node.properties[name]); };

	const unsigned xccs = node.xcc_count();

	return {value("gfx_target_version"),	 node.cu_count() / xccs,  value("array_count") / xccs,
		value("simd_arrays_per_engine"), value("lds_size_in_kb"), xccs};
}

CwsrSizes cwsr_sizes(const CwsrInput &in) noexcept
{
	bool gfx10 = in.gfx_target_version >= 100000;
	uint32_t engines = in.arrays_per_engine ? in.array_count / in.arrays_per_engine : 0;
	uint32_t waves = gfx10 ? in.cu_count * 32 : std::min(in.cu_count * 40, engines * 512);
	uint32_t stack = page(header_bytes + waves * (gfx10 ? 12 : 8) + 8);
	uint32_t data = in.cu_count * (vgpr_bytes(in.gfx_target_version) + 0x4000 + (in.lds_kib << 10) + 0x1000);

	if (in.gfx_target_version < 80000)
		return {};
	if (in.gfx_target_version / 10000 == 10)
		stack = std::min(stack, 0x7000U);
	return {stack, stack + page(data), (waves * debug_bytes_per_wave + 63) & ~63U, in.xccs};
}

} // namespace kfdm
