// SPDX-License-Identifier: MIT
/*
 * memory_test.cc - memory instructions: the three paths of FLAT, apertures, page ends, "wholly or not at all", buffers with
 * swizzle and bounds, LDS bounds, atomics, permutations.
 */
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "assembler.h"

namespace isa_test {
namespace {

using silicon::join;
using silicon::Stop;
using silicon::StopInfo;

/** v[reg:reg+1] of each lane = an address. */
template <class F> void set_addresses(Machine &m, unsigned reg, F address)
{
	for (unsigned lane = 0; lane < 64; lane++) {
		const u64 va = address(lane);
		m.v(reg, lane) = static_cast<u32>(va);
		m.v(reg + 1, lane) = static_cast<u32>(va >> 32);
	}
}

void set_pair(Machine &m, unsigned reg, u64 v)
{
	m.s(reg) = static_cast<u32>(v);
	m.s(reg + 1) = static_cast<u32>(v >> 32);
}

class MemoryTest : public testing::Test {
protected:
	const std::vector<u32> &words(const std::string &line)
	{
		if (!cache_.count(line))
			cache_[line] = assemble({line}).at(line);
		return cache_[line];
	}
	StopInfo run(Machine &m, const std::string &line)
	{
		m.load(words(line));
		return m.run();
	}
	void expect_end(Machine &m, const std::string &line) { ASSERT_EQ(run(m, line).why, Stop::End) << line; }

private:
	std::map<std::string, std::vector<u32>> cache_;
};

TEST_F(MemoryTest, LoadsOfEveryShapeAndWidth)
{
	const struct {
		const char *name;
		u64 base, step;
	} shapes[] = {{"consecutive", data_base, 4},	       {"over a page end", data_base + 4096 - 100, 4},
		      {"misaligned", data_base + 4096 - 3, 4}, {"strided", data_base + 8, 68},
		      {"same word", data_base + 40, 0},	       {"over page ends", data_base + 4094, 516}};

	on_every_variant([&](Machine &m) {
		for (u64 at = 0; at < 65536; at++)
			m.memory.put(data_base + at, static_cast<u8>(at * 7 + (at >> 8)));
		for (const auto &shape : shapes)
			for (const u64 exec : {~u64{0}, u64{0x00f0000000000f01}}) {
				m.wave.set_exec(exec);
				for (unsigned dwords = 1; dwords <= 4; dwords++) {
					const std::string suffix = dwords == 1 ? " v8" :
										 "x" + std::to_string(dwords) +
											 " v[8:" + std::to_string(7 + dwords) + "]";
					const u64 step = shape.step == 4 ? 4 * dwords : shape.step;
					set_addresses(m, 2, [&](unsigned lane) { return shape.base + lane * step - 16; });
					for (unsigned r = 8; r < 12; r++)
						for (unsigned lane = 0; lane < 64; lane++)
							m.v(r, lane) = 1;
					expect_end(m, "global_load_dword" + suffix + ", v[2:3], off offset:16");
					for (unsigned lane = 0; lane < 64; lane++)
						for (unsigned d = 0; d < dwords; d++)
							ASSERT_EQ(m.v(8 + d, lane),
								  exec >> lane & 1 ? m.memory.get<u32>(shape.base + lane * step + d * 4) :
										     1)
								<< shape.name << " x" << dwords << " lane " << lane;
				}
			}
	});
}

/*
 * Lanes that are not one row of dwords but stay in one page, as those of a matrix's tile: each gets its own; of stores the last one stays.
 */
TEST_F(MemoryTest, LanesOfOnePage)
{
	const std::function<u64(unsigned)> places[] = {
		[](unsigned lane) { return lane % 16 * 4 + lane / 16 * 256; },
		[](unsigned lane) { return lane / 16 * 4; },
		[](unsigned lane) { return lane * 37 % 64 * 4 + 1; },
		[](unsigned lane) { return lane % 3 ? 4096 - 16 : 40 * lane; },
	};

	on_every_variant([&](Machine &m) {
		m.memory.map(data_base, 4096);
		for (const auto &place : places)
			for (unsigned dwords = 1; dwords <= 4; dwords++) {
				const std::string data = dwords == 1 ? "v8" : "v[8:" + std::to_string(7 + dwords) + "]";
				const std::string width = dwords == 1 ? "" : "x" + std::to_string(dwords);
				std::vector<u8> expected(4096);

				for (unsigned at = 0; at < 4096; at++)
					m.memory.put(data_base + at, expected[at] = static_cast<u8>(at * 7 + (at >> 8)));
				set_addresses(m, 2, [&](unsigned lane) { return data_base + place(lane) + 8; });
				expect_end(m, "global_load_dword" + width + " " + data + ", v[2:3], off offset:-8");
				for (unsigned lane = 0; lane < 64; lane++)
					for (unsigned d = 0; d < dwords; d++) {
						ASSERT_EQ(m.v(8 + d, lane), m.memory.get<u32>(data_base + place(lane) + d * 4))
							<< "lane " << lane;
						m.v(8 + d, lane) = lane * 0x01010101u + d;
					}
				for (unsigned lane = 0; lane < 64; lane++)
					for (unsigned d = 0; d < dwords; d++)
						std::memcpy(&expected[place(lane) + d * 4], &m.v(8 + d, lane), 4);
				expect_end(m, "global_store_dword" + width + " v[2:3], " + data + ", off offset:-8");
				for (unsigned at = 0; at < 4096; at++)
					ASSERT_EQ(m.memory.get<u8>(data_base + at), expected[at]) << "byte " << at;
			}
	});
}

/* Offsets of 32 bits whose sums with the base agree in these bits alone lie in two pages, 4 GiB apart. */
TEST_F(MemoryTest, CarryLeavesThePage)
{
	on_every_variant([&](Machine &m) {
		const u64 far = u64{1} << 32;

		m.memory.map(data_base + far, 4096);
		for (u32 i = 0; i < 64; i++) {
			m.memory.put(data_base + i * 4, i);
			m.memory.put(data_base + far + i * 4, 1000 + i);
		}
		set_pair(m, 4, data_base + 128);
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = lane % 2 ? 0u - 4 * (lane / 2 + 1) : 4 * (lane % 16);
		expect_end(m, "global_load_dword v8, v2, s[4:5]");
		for (unsigned lane = 0; lane < 64; lane++)
			EXPECT_EQ(m.v(8, lane), m.memory.get<u32>(data_base + 128 + u64{m.v(2, lane)})) << "lane " << lane;
	});
}

TEST_F(MemoryTest, SmallLoadsExtendOrKeep)
{
	on_every_variant([&](Machine &m) {
		m.memory.put(data_base, 0x89abcdefu);
		set_addresses(m, 2, [](unsigned) { return data_base; });
		const struct {
			const char *text;
			u32 result;
		} loads[] = {
			{"global_load_ubyte v8, v[2:3], off", 0xef},	       {"global_load_sbyte v8, v[2:3], off", 0xffffffef},
			{"global_load_ushort v8, v[2:3], off", 0xcdef},	       {"global_load_sshort v8, v[2:3], off offset:2", 0xffff89ab},
			{"global_load_short_d16 v8, v[2:3], off", 0x1111cdef}, {"global_load_short_d16_hi v8, v[2:3], off", 0xcdef1111},
			{"global_load_sbyte_d16 v8, v[2:3], off", 0x1111ffef}};
		for (const auto &l : loads) {
			m.v(8, 5) = 0x11111111;
			expect_end(m, l.text);
			EXPECT_EQ(m.v(8, 5), l.result) << l.text;
		}
	});
}

TEST_F(MemoryTest, StoresReachTheirBytesOnly)
{
	on_every_variant([&](Machine &m) {
		for (const u64 base : {data_base, data_base + 4096 - 64, data_base + 4096 - 66}) {
			m.memory.map(data_base, 16384);
			for (u64 at = 0; at < 8192; at++)
				m.memory.put(data_base + at, u8{0xee});
			set_addresses(m, 2, [&](unsigned lane) { return base + lane * 4; });
			for (unsigned lane = 0; lane < 64; lane++)
				m.v(8, lane) = lane * 0x01010101;
			m.wave.set_exec(~u64{0} >> 1);
			expect_end(m, "global_store_dword v[2:3], v8, off");
			for (unsigned lane = 0; lane < 64; lane++)
				EXPECT_EQ(m.memory.get<u32>(base + lane * 4), lane < 63 ? lane * 0x01010101 : 0xeeeeeeee);
			m.wave.set_exec(~u64{0});
			expect_end(m, "global_store_dword v[2:3], v8, off");
			for (unsigned lane = 0; lane < 64; lane++)
				EXPECT_EQ(m.memory.get<u32>(base + lane * 4), lane * 0x01010101);
			EXPECT_EQ(m.memory.get<u8>(base + 256), 0xee);
			expect_end(m, "global_store_byte v[2:3], v8, off offset:1");
			EXPECT_EQ(m.memory.get<u32>(base + 40), 10 * 0x01010101u);
		}
	});
}

TEST_F(MemoryTest, ScalarBase)
{
	on_every_variant([&](Machine &m) {
		for (u32 i = 0; i < 256; i++)
			m.memory.put(data_base + i * 4, i);
		set_pair(m, 4, data_base + 8);
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = lane * 4;
		expect_end(m, "global_load_dword v8, v2, s[4:5] offset:-4");
		for (unsigned lane = 0; lane < 64; lane++)
			EXPECT_EQ(m.v(8, lane), lane + 1);
	});
}

/* A store to four pages, of which the last is missing, read-only, or to be served: nothing may have been written. */
TEST_F(MemoryTest, WhollyOrNotAtAll)
{
	on_every_variant([&](Machine &m) {
		m.memory.map(data_base, 16384);
		for (unsigned kind = 0; kind < 3; kind++) {
			const u64 last = data_base + (kind == 0 ? u64{1} << 32 : kind == 1 ? 8192 : 12288);

			if (kind == 1)
				m.memory.read_only(last);
			set_addresses(m, 2, [&](unsigned lane) { return lane < 63 ? data_base + lane % 2 * 4096 + lane * 4 : last; });
			for (unsigned lane = 0; lane < 64; lane++)
				m.v(8, lane) = 1;
			for (const char *text : {"global_store_dword v[2:3], v8, off", "global_atomic_add v[2:3], v8, off"}) {
				m.load(words(text));
				if (kind == 2)
					m.memory.need(last);
				const silicon::Wave before = m.wave;
				const StopInfo stop = m.run();
				EXPECT_EQ(stop.why, kind == 2 ? Stop::Need : Stop::VmFault);
				EXPECT_EQ(stop.access, silicon::Access::Write);
				EXPECT_EQ(stop.va, last);
				EXPECT_EQ(m.wave.pc, code_base);
				EXPECT_EQ(m.wave.cycles, before.cycles);
				EXPECT_EQ(m.wave.instructions, before.instructions);
				for (unsigned lane = 0; lane < 63; lane++)
					ASSERT_EQ(m.memory.get<u32>(data_base + lane % 2 * 4096 + lane * 4), 0u);
			}
		}
		EXPECT_EQ(m.run().why, Stop::End); /* the atomic, served */
		EXPECT_EQ(m.memory.get<u32>(data_base + 12288), 1u);
		EXPECT_EQ(m.memory.get<u32>(data_base), 1u);
	});
}

TEST_F(MemoryTest, FlatApertures)
{
	on_every_variant([&](Machine &m) {
		const u64 shared = u64{0x1000} << 48, scratch = u64{0x2000} << 48;

		m.memory.map(data_base, 65536);
		set_pair(m, silicon::sgpr_flat_scratch, data_base + 4096);
		for (unsigned lane = 0; lane < 64; lane++) {
			m.v(8, lane) = 100 + lane;
			const u32 value = 500 + lane;
			std::memcpy(&m.lds[lane * 4], &value, 4);
		}
		/* every third lane LDS, scratch, memory */
		set_addresses(m, 2, [&](unsigned lane) {
			return lane % 3 == 0 ? shared + lane * 4 : lane % 3 == 1 ? scratch + 8 : data_base + lane * 4;
		});
		expect_end(m, "flat_load_dword v9, v[2:3]");
		EXPECT_EQ(m.v(9, 3), 503u);
		expect_end(m, "flat_store_dword v[2:3], v8");
		u32 in_lds;
		std::memcpy(&in_lds, &m.lds[12], 4);
		EXPECT_EQ(in_lds, 103u);
		EXPECT_EQ(m.memory.get<u32>(data_base + 4096 + 2 * 256 + 4 * 4), 104u); /* lane 4, dword 2 */
		EXPECT_EQ(m.memory.get<u32>(data_base + 5 * 4), 105u);
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = 16;
		expect_end(m, "scratch_store_dword v2, v8, off offset:4");
		EXPECT_EQ(m.memory.get<u32>(data_base + 4096 + 5 * 256 + 7 * 4), 107u);
		expect_end(m, "scratch_load_dword v10, v2, off offset:4");
		EXPECT_EQ(m.v(10, 63), 163u);
		/* beyond the workgroup's LDS: reads 0, writes vanish */
		m.wave.lds_bytes = 128;
		set_addresses(m, 2, [&](unsigned lane) { return shared + lane * 4; });
		expect_end(m, "flat_load_dword v9, v[2:3]");
		EXPECT_EQ(m.v(9, 31), 531u);
		EXPECT_EQ(m.v(9, 32), 0u);
		m.wave.lds_bytes = 65536;
	});
}

TEST_F(MemoryTest, BuffersSwizzleAndKeepBounds)
{
	on_every_variant([&](Machine &m) {
		m.memory.map(data_base, 65536);
		for (u32 i = 0; i < 16384; i++)
			m.memory.put(data_base + i * 4, i);
		/* raw, 256 bytes */
		set_pair(m, 8, data_base);
		m.s(10) = 256;
		m.s(11) = 0x00027000;
		m.s(4) = 8;
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = lane * 4;
		expect_end(m, "buffer_load_dword v8, v2, s[8:11], s4 offen offset:4");
		EXPECT_EQ(m.v(8, 0), 3u);
		EXPECT_EQ(m.v(8, 60), 63u);
		EXPECT_EQ(m.v(8, 61), 0u);
		/* structured: stride 16, 10 records, index in v2 */
		m.s(9) |= 16 << 16;
		m.s(10) = 10;
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = lane;
		m.s(4) = 0;
		expect_end(m, "buffer_load_dword v8, v2, s[8:11], 0 idxen offset:4");
		EXPECT_EQ(m.v(8, 9), 37u);
		/* scratch: swizzled, 4-byte elements, stride of 64 lanes, lane number added */
		set_pair(m, 8, data_base | u64{1} << 63);
		m.s(10) = 65536;
		m.s(11) = 0x00ea7000 | 1 << 23;
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = 12;
		expect_end(m, "buffer_load_dwordx2 v[8:9], v2, s[8:11], 0 offen offset:4");
		EXPECT_EQ(m.v(8, 5), 4u * 64 + 5);
		EXPECT_EQ(m.v(9, 5), 5u * 64 + 5);
	});
}

TEST_F(MemoryTest, AtomicsReturnTheOldValue)
{
	const struct {
		const char *name;
		u32 old, data, after;
	} atomics[] = {{"swap", 1, 9, 9},
		       {"add", 1, 9, 10},
		       {"sub", 1, 9, u32(-8)},
		       {"smin", 1, u32(-9), u32(-9)},
		       {"umin", 1, u32(-9), 1},
		       {"smax", 1, u32(-9), 1},
		       {"umax", 1, u32(-9), u32(-9)},
		       {"and", 3, 6, 2},
		       {"or", 3, 6, 7},
		       {"xor", 3, 6, 5},
		       {"inc", 5, 5, 0},
		       {"dec", 0, 7, 7}};

	on_every_variant([&](Machine &m) {
		m.memory.map(data_base, 4096);
		set_addresses(m, 2, [](unsigned lane) { return data_base + lane * 8; });
		for (const auto &a : atomics) {
			for (unsigned lane = 0; lane < 64; lane++) {
				m.memory.put(data_base + lane * 8, u64{a.old});
				m.v(8, lane) = a.data;
				m.v(9, lane) = static_cast<int>(a.data) < 0 ? ~0u : 0;
			}
			expect_end(m, std::string("global_atomic_") + a.name + " v10, v[2:3], v8, off glc");
			EXPECT_EQ(m.v(10, 7), a.old) << a.name;
			EXPECT_EQ(m.memory.get<u32>(data_base + 56), a.after) << a.name;
			m.memory.put(data_base + 56, u64{a.old});
			expect_end(m, std::string("global_atomic_") + a.name + "_x2 v[10:11], v[2:3], v[8:9], off glc");
			EXPECT_EQ(join(m.v(10, 7), m.v(11, 7)), a.old) << a.name;
			EXPECT_EQ(m.memory.get<u64>(data_base + 56), static_cast<u64>(static_cast<s64>(static_cast<s32>(a.after))))
				<< a.name;
		}
		m.memory.put(data_base + 56, u64{5});
		m.v(8, 7) = 77;
		m.v(9, 7) = 5;
		expect_end(m, "global_atomic_cmpswap v10, v[2:3], v[8:9], off glc");
		EXPECT_EQ(m.memory.get<u32>(data_base + 56), 77u);
		EXPECT_EQ(m.v(10, 7), 5u);
		set_addresses(m, 2, [](unsigned lane) { return data_base + lane * 8 + 2; });
		EXPECT_EQ(run(m, "global_atomic_add v[2:3], v8, off").why, Stop::MemoryViolation);
	});
}

TEST_F(MemoryTest, ScalarLoadsAndStores)
{
	on_every_variant([&](Machine &m) {
		for (u32 i = 0; i < 4096; i++)
			m.memory.put(data_base + i * 4, i);
		set_pair(m, 2, data_base + 4096 - 8);
		expect_end(m, "s_load_dwordx8 s[16:23], s[2:3], 0x0");
		EXPECT_EQ(m.s(16), 1022u);
		EXPECT_EQ(m.s(23), 1029u);
		m.s(5) = 16;
		expect_end(m, "s_load_dword s6, s[2:3], s5");
		EXPECT_EQ(m.s(6), 1026u);
		expect_end(m, "s_store_dword s6, s[2:3], 0x4");
		EXPECT_EQ(m.memory.get<u32>(data_base + 4092), 1026u);
		set_pair(m, 8, data_base);
		m.s(10) = 64;
		m.s(11) = 0;
		expect_end(m, "s_buffer_load_dwordx2 s[12:13], s[8:11], 0x38");
		EXPECT_EQ(m.s(13), 15u);
		expect_end(m, "s_buffer_load_dwordx2 s[12:13], s[8:11], 0x3c");
		EXPECT_EQ(m.s(13), 0u);
		m.memory.need(data_base + 8192);
		set_pair(m, 2, data_base + 8192 - 4);
		m.load(words("s_load_dwordx2 s[6:7], s[2:3], 0x0"));
		m.memory.need(data_base + 8192);
		EXPECT_EQ(m.run().why, Stop::Need);
		EXPECT_EQ(m.s(6), 1026u);
		EXPECT_EQ(m.run().why, Stop::End);
		EXPECT_EQ(m.s(7), 2048u);
	});
}

TEST_F(MemoryTest, LocalDataShare)
{
	on_every_variant([&](Machine &m) {
		for (unsigned lane = 0; lane < 64; lane++) {
			m.v(2, lane) = lane * 8;
			m.v(8, lane) = lane;
			m.v(9, lane) = 1000 + lane;
		}
		expect_end(m, "ds_write2_b32 v2, v8, v9 offset0:0 offset1:1");
		expect_end(m, "ds_read_b64 v[10:11], v2");
		EXPECT_EQ(m.v(11, 9), 1009u);
		expect_end(m, "ds_read2_b32 v[10:11], v2 offset0:1 offset1:3");
		EXPECT_EQ(m.v(11, 9), 1010u);
		expect_end(m, "ds_read_b128 v[12:15], v2 offset:8");
		EXPECT_EQ(m.v(15, 9), 1011u);
		expect_end(m, "ds_read_u16 v10, v2 offset:4");
		EXPECT_EQ(m.v(10, 9), 1009u);
		expect_end(m, "ds_add_rtn_u32 v10, v2, v9");
		EXPECT_EQ(m.v(10, 9), 9u);
		expect_end(m, "ds_read_b32 v10, v2");
		EXPECT_EQ(m.v(10, 9), 1018u);
		/* an offset behind a negative number: the sum has 32 bits */
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(3, lane) = 0u - lane * 8;
		expect_end(m, "ds_read_b32 v10, v3 offset:504");
		EXPECT_EQ(m.v(10, 54), 1018u);
		expect_end(m, "ds_read2_b32 v[10:11], v3 offset0:127 offset1:126");
		EXPECT_EQ(m.v(10, 54), 1009u);
		EXPECT_EQ(m.v(11, 54), 1018u);
		m.wave.lds_bytes = 100;
		expect_end(m, "ds_read_b32 v10, v2");
		EXPECT_EQ(m.v(10, 12), 12u + 1012);
		EXPECT_EQ(m.v(10, 13), 0u);
		expect_end(m, "ds_write_b32 v2, v9 offset:65532");
		m.wave.lds_bytes = 65536;
		/* permutations */
		for (unsigned lane = 0; lane < 64; lane++)
			m.v(2, lane) = (63 - lane) * 4;
		expect_end(m, "ds_bpermute_b32 v10, v2, v8");
		EXPECT_EQ(m.v(10, 9), 54u);
		expect_end(m, "ds_permute_b32 v10, v2, v9");
		EXPECT_EQ(m.v(10, 54), 1009u);
		expect_end(m, "ds_swizzle_b32 v10, v8 offset:swizzle(SWAP,16)");
		EXPECT_EQ(m.v(10, 9), 25u);
		expect_end(m, "ds_swizzle_b32 v10, v8 offset:swizzle(QUAD_PERM,3,2,1,0)");
		EXPECT_EQ(m.v(10, 9), 10u);
		/* an append counts the active lanes once */
		m.s(silicon::sgpr_m0) = 0;
		m.wave.set_exec(0xff);
		std::memset(m.lds.data(), 0, 4);
		expect_end(m, "ds_append v10 offset:0");
		EXPECT_EQ(m.lds[0], 8);
		EXPECT_EQ(m.v(10, 3), 0u);
		m.wave.set_exec(~u64{0});
	});
}

} // namespace
} // namespace isa_test
