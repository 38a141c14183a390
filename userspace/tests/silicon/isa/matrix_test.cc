// SPDX-License-Identifier: MIT
/*
 * matrix_test.cc - every matrix product (v_mfma_*) against a plain one on the host, and single elements whose places the ISA
 * manuals' pictures show.
 */
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "assembler.h"
#include "names.h"

namespace isa_test {
namespace {

using silicon::Isa;

constexpr unsigned agprs = 256; /* a0 is register 256 of the machine */

/** v_mfma_f32_32x32x4bf16_1k or, as GFX942 writes it, v_mfma_f32_32x32x4_2b_bf16 in parts. */
struct Product {
	std::string name, sum, factor, factor_b;
	unsigned n, depth, blocks, held; /* held: elements along the depth in a lane */

	bool singles() const { return factor == "f32" || factor == "xf32"; }
	bool bytes() const { return factor == "i8" || factor == "fp8" || factor == "bf8"; }
	bool doubles() const { return factor == "f64"; }
	unsigned factor_registers() const { return doubles() ? 2 : held * (singles() ? 32 : bytes() ? 8 : 16) / 32; }
	unsigned sum_registers() const { return n * n * blocks / 64 * (doubles() ? 2 : 1); }
};

Product parse(const std::string &name)
{
	Product p{};
	char sum[8], factor[24];

	p.name = name;
	if (std::sscanf(name.c_str(), "v_mfma_%3[fi0-9]_%ux%*ux%u%23s", sum, &p.n, &p.depth, factor) != 4)
		throw std::runtime_error(name);
	/* scanf's last number ends where the type begins, which starts with a letter */
	p.sum = sum;
	p.factor = factor;
	const bool newer = p.factor[0] == '_';
	if (newer) { /* _2b_bf16: blocks; _fp8_bf8: of A, of B */
		if (const size_t blocks = p.factor.find("b_"); blocks != std::string::npos && isdigit(p.factor[1]))
			p.factor.erase(0, blocks + 1);
		p.factor.erase(0, 1);
	}
	if (const size_t two = p.factor.find("p8_") == 1 || p.factor.find("f8_") == 1 ? 3 : 0; two) {
		p.factor_b = p.factor.substr(two + 1);
		p.factor.resize(two);
	} else {
		p.factor_b = p.factor;
	}
	p.held = p.factor == "f16" || p.factor == "bf16_1k" || p.factor == "i8" ? 4 : p.factor == "bf16" ? (newer ? 4 : 2) : 1;
	if (p.factor == "xf32")
		p.held = 2;
	else if (p.bytes() && (p.factor != "i8" || p.n * p.depth == 512))
		p.held = 8;
	/* All 64 lanes hold something of A: n rows, depth / held lanes along it, blocks. */
	p.blocks = 64 / (p.n * (p.depth / p.held));
	return p;
}

/** Small whole numbers: exact whatever the order of the sums is. */
using Matrix = std::vector<int>; /* [block][row][column] */

Matrix random_matrix(std::mt19937 &random, unsigned size)
{
	Matrix m(size);
	for (int &v : m)
		v = static_cast<int>(random() % 15) - 7;
	return m;
}

u64 encode(const std::string &type, int v)
{
	if (type == "f64")
		return std::bit_cast<u64>(static_cast<double>(v));
	if (type == "i8")
		return static_cast<u8>(v);
	if (type == "i32")
		return static_cast<u32>(v);
	if (type == "fp8" || type == "bf8") { /* exponents are biased by 8, 16 */
		const unsigned size = static_cast<unsigned>(std::abs(v)), fraction = type == "fp8" ? 3 : 2,
			       exponent = std::bit_width(size) - 1;
		return !v ? 0 :
			    (v < 0 ? 0x80u : 0u) | (exponent + (type == "fp8" ? 8 : 16)) << fraction |
				       ((size << fraction >> exponent) & ((1u << fraction) - 1));
	}
	if (type == "f32" || type == "xf32")
		return std::bit_cast<u32>(static_cast<float>(v));
	if (type == "f16")
		return std::bit_cast<u16>(static_cast<_Float16>(v));
	return std::bit_cast<u32>(static_cast<float>(v)) >> 16; /* bf16 */
}

void put_factor(Machine &m, const Product &p, const std::string &type, unsigned reg, unsigned lane, unsigned at, int v)
{
	const u64 raw = encode(type, v);
	const unsigned width = p.doubles() ? 64 : p.singles() ? 32 : p.bytes() ? 8 : 16, per_register = width < 32 ? 32 / width : 1;
	u32 &word = m.v(reg + (width == 64 ? 0 : at / per_register), lane);

	if (width == 64) {
		word = static_cast<u32>(raw);
		m.v(reg + 1, lane) = static_cast<u32>(raw >> 32);
	} else if (width == 32) {
		word = static_cast<u32>(raw);
	} else {
		const unsigned shift = at % per_register * width;
		word = (word & ~(((1u << width) - 1) << shift)) | static_cast<u32>(raw) << shift;
	}
}

struct Place {
	unsigned reg, lane;
};

/** Element (i, j) of a block of C and D: CDNA ISA manuals, pictures of the output layouts. */
Place sum_place(const Product &p, unsigned block, unsigned i, unsigned j)
{
	if (p.doubles())
		return p.n == 16 ? Place{i / 4 * 2, j + 16 * (i % 4)} : Place{0, j + 4 * block + 16 * i};
	if (p.n == 32)
		return {16 * block + 4 * (i / 8) + i % 4, j + 32 * (i / 4 % 2)};
	if (p.n == 16)
		return {4 * block + i % 4, j + 16 * (i / 4)};
	return {i, j + 4 * block};
}

/** Lane of A's element (i, k); of B's (k, i) too. */
unsigned factor_lane(const Product &p, unsigned block, unsigned i, unsigned k)
{
	if (p.doubles())
		return p.n == 16 ? i + 16 * k : i + 4 * block + 16 * k;
	return i + p.n * (k / p.held + p.depth / p.held * block);
}

std::string registers(char file, unsigned n, unsigned count)
{
	const std::string first = std::to_string(n);
	return file + (count == 1 ? first : "[" + first + ":" + std::to_string(n + count - 1) + "]");
}

/** Machine with AGPRs behind 256 VGPRs. */
std::unique_ptr<Machine> machine(Isa isa, unsigned variant)
{
	auto m = std::make_unique<Machine>(512);

	m->wave.accum_offset = agprs;
	m->choose_variant(variant);
	engine_select(m->store(), isa);
	return m;
}

std::vector<std::string> products(Isa isa)
{
	std::vector<std::string> names;
	silicon::RowPlace place;

	for (unsigned opcode = 0; opcode < 128; opcode++)
		if (const silicon::Row *row = find_row(isa, silicon::Format::VOP3P, opcode, &place);
		    row && std::strncmp(row->name, "v_mfma", 6) == 0)
			names.push_back(row->name);
	return names;
}

class MatrixProducts : public testing::TestWithParam<Isa> {};

/** D = A * B + C; a_block and b_lane say what CBSZ and BLGP do. */
template <class ABlock, class BLane>
void check(Machine &m, const Product &p, const std::vector<u32> &words, ABlock a_block, BLane b_lane, bool constant)
{
	constexpr unsigned a_at = 4, b_at = 8, c_at = agprs + 32;
	std::mt19937 random(p.n * 1000 + p.depth);
	const unsigned elements = p.n * p.n * p.blocks;
	const Matrix a = random_matrix(random, p.n * p.depth * p.blocks), b = random_matrix(random, p.n * p.depth * p.blocks);
	const Matrix c = random_matrix(random, elements);
	const auto factor = [&](const Matrix &x, unsigned block, unsigned i, unsigned k) { return x[(block * p.n + i) * p.depth + k]; };
	std::map<std::pair<unsigned, unsigned>, int> b_of; /* by lane and place in it */

	for (unsigned block = 0; block < p.blocks; block++)
		for (unsigned i = 0; i < p.n; i++) {
			for (unsigned k = 0; k < p.depth; k++) {
				const unsigned lane = factor_lane(p, block, i, k);
				put_factor(m, p, p.factor, a_at, lane, k % p.held, factor(a, block, i, k));
				put_factor(m, p, p.factor_b, b_at, lane, k % p.held, factor(b, block, i, k));
				b_of[{lane, k % p.held}] = factor(b, block, i, k);
			}
			for (unsigned j = 0; j < p.n; j++) {
				const Place at = sum_place(p, block, i, j);
				const u64 raw = encode(p.sum, c[(block * p.n + i) * p.n + j]);
				m.v(c_at + at.reg, at.lane) = static_cast<u32>(raw);
				if (p.doubles())
					m.v(c_at + at.reg + 1, at.lane) = static_cast<u32>(raw >> 32);
			}
		}
	m.load(words);
	m.wave.set_exec(0x5); /* does not matter */
	ASSERT_EQ(m.run().why, silicon::Stop::End) << p.name;
	unsigned wrong = 0;
	for (unsigned block = 0; block < p.blocks; block++)
		for (unsigned i = 0; i < p.n; i++)
			for (unsigned j = 0; j < p.n; j++) {
				int sum = constant ? 1 : c[(block * p.n + i) * p.n + j];
				for (unsigned k = 0; k < p.depth; k++)
					sum += factor(a, a_block(block), i, k) * b_of.at({b_lane(factor_lane(p, block, j, k)), k % p.held});
				const Place at = sum_place(p, block, i, j);
				const u64 high = p.doubles() ? m.v(agprs + at.reg + 1, at.lane) : 0;
				wrong += (high << 32 | m.v(agprs + at.reg, at.lane)) != encode(p.sum, sum);
			}
	EXPECT_EQ(wrong, 0u) << p.name << ": of " << elements;
}

TEST_P(MatrixProducts, AreThoseOfTheHost)
{
	const std::string mcpu = GetParam() == Isa::Gfx908 ? "gfx908" : GetParam() == Isa::Gfx90a ? "gfx90a" : "gfx942";
	std::vector<std::string> lines;

	for (const std::string &name : products(GetParam())) {
		const Product p = parse(name);
		const std::string text = name + " " + registers('a', 0, p.sum_registers()) + ", " +
					 registers('v', 4, p.factor_registers()) + ", " + registers('v', 8, p.factor_registers()) + ", ",
				  c = registers('a', 32, p.sum_registers());

		lines.push_back(text + c);
		if (GetParam() != Isa::Gfx908) /* whose constants the assembler refuses, after a mistake of the hardware */
			lines.push_back(text + (p.sum == "i32" ? "1" : "1.0"));
		if (p.blocks > 1 && !p.doubles())
			lines.push_back(text + c + " cbsz:1 abid:1");
		if (!p.doubles())
			for (unsigned pattern = 1; pattern < 8; pattern++)
				lines.push_back(text + c + " blgp:" + std::to_string(pattern));
	}
	const auto code = assemble(lines, mcpu);
	ASSERT_EQ(code.size(), lines.size());
	for (unsigned variant = 0; silicon::engine_variant(variant); variant++) {
		const auto m = machine(GetParam(), variant);

		for (const std::string &line : lines) {
			const Product p = parse(line.substr(0, line.find(' ')));
			const bool shares = line.find("cbsz") != std::string::npos;
			const size_t blgp = line.find("blgp:");
			const unsigned pattern = blgp == std::string::npos ? 0 : static_cast<unsigned>(line[blgp + 5] - '0');
			const bool constant = line.find("a[32") == std::string::npos && line.find("a32") == std::string::npos;

			SCOPED_TRACE(line);
			check(
				*m, p, code.at(line), [&](unsigned block) { return shares ? block | 1 : block; },
				[&](unsigned lane) {
					const unsigned from[] = {lane,	    lane % 32,	    lane % 32 + 32, (lane + 16) % 64,
								 lane % 16, lane % 16 + 16, lane % 16 + 32, lane % 16 + 48};
					return from[pattern];
				},
				constant);
		}
	}
}

INSTANTIATE_TEST_SUITE_P(Sets, MatrixProducts, testing::Values(Isa::Gfx908, Isa::Gfx90a, Isa::Gfx942), set_name);

/** One element of A and one of B are not 0: exactly one of D is not. Numbers read off the manuals' pictures. */
struct Spot {
	const char *name;
	unsigned a_lane, b_lane, d_register, d_lane;
};
constexpr Spot spots[] = {
	{"v_mfma_f32_32x32x1f32", 5, 3, 1, 35},
	{"v_mfma_f32_32x32x1f32", 32 + 17, 32 + 9, 16 + 9, 9},
	{"v_mfma_f32_32x32x2f32", 32 + 31, 32 + 31, 15, 63},
	{"v_mfma_f32_16x16x1f32", 16 + 6, 16 + 2, 4 + 2, 16 + 2},
	{"v_mfma_f32_16x16x4f32", 48 + 13, 48 + 7, 1, 48 + 7},
	{"v_mfma_f32_4x4x1f32", 4 * 9 + 2, 4 * 9 + 1, 2, 4 * 9 + 1},
};

TEST(MatrixPlaces, AreTheManuals)
{
	std::vector<std::string> lines;

	for (const Spot &s : spots)
		lines.push_back(std::string(s.name) + " " + registers('a', 0, parse(s.name).sum_registers()) + ", v4, v8, 0");
	const auto code = assemble(lines, "gfx90a");
	for (unsigned i = 0; i < std::size(spots); i++) {
		const Spot &s = spots[i];
		const auto m = machine(Isa::Gfx90a, 0);

		m->v(4, s.a_lane) = m->v(8, s.b_lane) = std::bit_cast<u32>(3.0f);
		m->load(code.at(lines[i]));
		ASSERT_EQ(m->run().why, silicon::Stop::End);
		for (unsigned r = 0; r < parse(s.name).sum_registers(); r++)
			for (unsigned lane = 0; lane < 64; lane++)
				EXPECT_EQ(m->v(agprs + r, lane), r == s.d_register && lane == s.d_lane ? std::bit_cast<u32>(9.0f) : 0)
					<< lines[i] << " a" << r << " lane " << lane;
	}
}

/** Products of halves lose denormals on CDNA2 and keep them on CDNA1 and CDNA3. */
TEST(MatrixDenormals, AreFlushedOnGfx90aOnly)
{
	const u32 kept = std::bit_cast<u32>(0x1p-24f);

	for (const auto &[isa, mcpu, name, expected] : {std::tuple{Isa::Gfx908, "gfx908", "4x4x4f16", kept},
							{Isa::Gfx90a, "gfx90a", "4x4x4f16", 0u},
							{Isa::Gfx942, "gfx942", "4x4x4_16b_f16", kept}}) {
		const std::string line = "v_mfma_f32_" + std::string(name) + " a[0:3], v[4:5], v[8:9], a[4:7]";
		const auto m = machine(isa, 0);

		m->v(4, 0) = 1; /* the smallest half */
		m->v(8, 0) = 0x3c00;
		m->load(assemble({line}, mcpu).at(line));
		ASSERT_EQ(m->run().why, silicon::Stop::End);
		EXPECT_EQ(m->v(agprs, 0), expected) << mcpu;
	}
}

} // namespace
} // namespace isa_test
