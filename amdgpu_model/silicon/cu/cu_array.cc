// SPDX-License-Identifier: MIT
/* cu_array.cc - power-on of the compute units. */
#include "cu_array.h"

namespace silicon {

namespace {

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

u32 CuArray::count_of(const silicon_config &config, unsigned xcc)
{
	u32 count = 0;

	for (unsigned se = 0; se < max_se; se++)
		for (unsigned sh = 0; sh < max_sh; sh++)
			count += count_bits(config.cu_bitmap[xcc][se][sh] & 0xffff);
	return count;
}

u64 CuArray::memory_size(const silicon_config &config, const CuLimits &cu, unsigned xcc)
{
	return count_of(config, xcc) * (line(sizeof(ComputeUnit)) + line(ComputeUnit::file_bytes(cu)));
}

void CuArray::init(const silicon_config &config, const ShaderLimits &limits, u8 *memory)
{
	u16 index = 0;

	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	limits_ = limits;
	cus_ = reinterpret_cast<ComputeUnit *>(memory);
	count_ = count_of(config, limits.xcc);
	u8 *files = memory + count_ * line(sizeof(ComputeUnit));
	for (unsigned se = 0; se < max_se; se++)
		for (unsigned bit_number = 0; bit_number < 32; bit_number++) {
			const u8 sh = static_cast<u8>(bit_number / 16), id = static_cast<u8>(bit_number % 16);

			if (sh >= max_sh || !bit(config.cu_bitmap[limits.xcc][se][sh], id))
				continue;
			engines_[se].fused |= 1u << bit_number;
			engines_[se].cu[bit_number] = index;
			cus_[index].init(limits_.cu, {index, limits.xcc, static_cast<u8>(se), sh, id},
					 files + index * line(ComputeUnit::file_bytes(limits_.cu)));
			index++;
		}
}

} // namespace silicon
