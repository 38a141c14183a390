// SPDX-License-Identifier: MIT
/* symbols_test.cpp - names of kernels out of a code object as it lies in memory, and out of nonsense. */
#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>
#include <random>

#include <kfdm/code_object.hpp>

#include "view/symbols.hpp"

using namespace kfdm;
using namespace kfdm::view;

namespace {

constexpr uint64_t base = 0x700000000000;

/** Pages from base on; nothing is mapped elsewhere. */
struct Memory {
	std::vector<std::byte> bytes;

	ReadMemory reader() const
	{
		return [this](uint64_t address, std::span<std::byte> out) {
			if (address < base || address - base > bytes.size() || out.size() > bytes.size() - (address - base))
				return false;
			std::memcpy(out.data(), bytes.data() + (address - base), out.size());
			return true;
		};
	}
};

Memory loaded(const CodeObject &object)
{
	const auto image = object.image(base);
	Memory memory;

	memory.bytes.resize(image.size());
	std::memcpy(memory.bytes.data(), image.data(), image.size());
	return memory;
}

uint64_t code_of(const Memory &memory, uint64_t descriptor)
{
	int64_t offset = 0;

	std::memcpy(&offset, memory.bytes.data() + descriptor + 16, sizeof(offset));	/* kernel_code_entry_byte_offset */
	return base + descriptor + static_cast<uint64_t>(offset);
}

} // namespace

TEST(Symbols, OfEachKernelOfACodeObject)
{
	const CodeObject object = CodeObject::read(std::string(KFDM_DEVICE_DIR) + "/timing.gfx906.co");
	const Memory memory = loaded(object);
	unsigned kernels = 0;

	for (const auto &kernel : object.kernels()) {
		const uint64_t code = code_of(memory, kernel.descriptor);

		EXPECT_EQ(kernel_name(memory.reader(), code), kernel.name);
		EXPECT_EQ(kernel_name(memory.reader(), code + 4), "") << "inside of it";
		kernels++;
	}
	EXPECT_GT(kernels, 3u);
}

TEST(Symbols, OfNothing)
{
	Memory zeros;

	zeros.bytes.resize(1 << 16);
	EXPECT_EQ(kernel_name(zeros.reader(), base + 0x3000), "");
	EXPECT_EQ(kernel_name(zeros.reader(), 0x1000), "");
	EXPECT_EQ(kernel_name(zeros.reader(), 0), "");
}

/* The memory is the program's: whatever is in it, the search ends. */
TEST(Symbols, OfHostileMemory)
{
	const Memory good = loaded(CodeObject::read(std::string(KFDM_DEVICE_DIR) + "/timing.gfx906.co"));
	std::mt19937 random(1);

	for (unsigned n = 0; n < 2000; n++) {
		Memory bad = good;

		for (unsigned i = 0; i < 8; i++)
			bad.bytes[random() % bad.bytes.size()] = static_cast<std::byte>(random());
		for (unsigned i = 0; i < 4; i++)	/* and where the tables are */
			bad.bytes[sizeof(Elf64_Ehdr) + random() % 512] = static_cast<std::byte>(random());
		kernel_name(bad.reader(), base + (random() % bad.bytes.size() & ~uint64_t{255}));
	}
}
