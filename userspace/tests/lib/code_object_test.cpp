// SPDX-License-Identifier: MIT
/*
 * code_object_test.cpp - the ELF reader on what clang-15 made, and on damaged copies of it.
 */
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include <hw/aql.h>

#include <kfdm/code_object.hpp>

namespace kfdm {
namespace {

std::vector<uint8_t> bytes_of(const std::string &name)
{
	std::ifstream in(std::string(KFDM_DEVICE_DIR "/") + name, std::ios::binary);

	EXPECT_TRUE(in) << name;
	return {std::istreambuf_iterator<char>(in), {}};
}

CodeObject demo() { return CodeObject::parse(bytes_of("demo.gfx906.co"), "demo"); }

TEST(CodeObject, KnowsItsKernels)
{
	CodeObject object = demo();

	EXPECT_EQ(object.isa(), "gfx906");
	ASSERT_EQ(object.kernels().size(), 3U);

	const KernelInfo &add = object.kernel("vector_add");
	EXPECT_EQ(add.kernarg_bytes, 28U);
	ASSERT_EQ(add.arguments.size(), 4U);
	EXPECT_EQ(add.arguments[2].offset, 16U);
	EXPECT_EQ(add.arguments[2].size, 8U);
	EXPECT_EQ(add.arguments[2].kind, "global_buffer");
	EXPECT_EQ(add.arguments[2].name, "out");
	EXPECT_EQ(add.arguments[3].type, "uint");

	const KernelInfo &product = object.kernel("matrix_product");
	EXPECT_EQ(product.group_bytes, 2048U);
	EXPECT_EQ(product.workgroup[0], 16U);
	EXPECT_EQ(product.workgroup[1], 16U);
}

TEST(CodeObject, DescriptorsPointAtExecutableCode)
{
	for (const char *file : {"demo.gfx906.co", "demo.gfx900.co", "test.gfx906.co", "bad.gfx906.co"}) {
		CodeObject object = CodeObject::parse(bytes_of(file), file);
		std::vector<uint8_t> image(object.memory_size());

		for (const CodeObject::Segment &segment : object.segments())
			std::copy(segment.bytes.begin(), segment.bytes.end(), image.begin() + static_cast<ptrdiff_t>(segment.address));
		for (const KernelInfo &kernel : object.kernels()) {
			int64_t offset = 0;
			bool executable = false;

			std::memcpy(&offset, image.data() + kernel.descriptor + KD_CODE_ENTRY_OFFSET, sizeof(offset));
			uint64_t entry = kernel.descriptor + static_cast<uint64_t>(offset);
			for (const CodeObject::Segment &segment : object.segments())
				executable |= segment.executable && entry - segment.address < segment.memory_size;
			EXPECT_TRUE(executable) << file << " " << kernel.name;
			EXPECT_EQ(kernel.descriptor % 64, 0U) << file << " " << kernel.name;
			EXPECT_EQ(object.symbol(kernel.name), entry) << file << " " << kernel.name;
		}
	}
}

TEST(CodeObject, NamesWhatIsMissing)
{
	try {
		(void)demo().kernel("nothing");
		FAIL();
	} catch (const std::system_error &error) {
		EXPECT_EQ(error.code().value(), ENOENT);
		EXPECT_NE(std::string(error.what()).find("vector_add"), std::string::npos);
	}
}

TEST(CodeObject, RefusesOtherFiles)
{
	EXPECT_THROW((void)CodeObject::parse({}, "empty"), std::system_error);
	EXPECT_THROW((void)CodeObject::parse({'h', 'e', 'l', 'l', 'o'}, "text"), std::system_error);
	EXPECT_THROW((void)CodeObject::read("/proc/self/exe"), std::system_error);
	EXPECT_THROW((void)CodeObject::read("/nonexistent"), std::system_error);
}

/* Damaged objects load or throw; they never crash (run under ASan and UBSan too). */
TEST(CodeObject, SurvivesDamage)
{
	std::vector<uint8_t> good = bytes_of("demo.gfx906.co");
	std::mt19937 random(1);

	for (int round = 0; round < 3000; round++) {
		std::vector<uint8_t> bad = good;
		unsigned flips = 1 + random() % 8;

		while (flips--)
			bad[random() % bad.size()] = static_cast<uint8_t>(random());
		if (round % 3 == 0)
			bad.resize(random() % bad.size());
		try {
			CodeObject object = CodeObject::parse(bad, "damaged");
			EXPECT_LE(object.kernels().size(), 1000U);
		} catch (const std::system_error &error) {
			EXPECT_EQ(error.code().value(), ENOEXEC);
		}
	}
}

} // namespace
} // namespace kfdm
