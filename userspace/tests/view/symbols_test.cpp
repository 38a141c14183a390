// SPDX-License-Identifier: MIT
/* symbols_test.cpp - names of kernels out of a code object as it lies in memory, and out of nonsense. */
#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
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

	std::memcpy(&offset, memory.bytes.data() + descriptor + 16, sizeof(offset)); /* kernel_code_entry_byte_offset */
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

namespace {

/* Of the same code object whose first kernel has another name: what a program could write there. */
std::string name_that_says(const std::string &text)
{
	const CodeObject object = CodeObject::read(std::string(KFDM_DEVICE_DIR) + "/timing.gfx906.co");
	Memory memory = loaded(object);
	const auto &kernel = object.kernels().front();
	const std::string old = kernel.name + '\0';
	const auto as_bytes = [](const std::string &s) { return std::as_bytes(std::span(s)); };
	const size_t end = memory.bytes.size();

	/* The strings move behind the image, where there is room. */
	memory.bytes.resize(end + 4096);
	std::memcpy(memory.bytes.data() + end, text.c_str(), text.size() + 1);
	Elf64_Ehdr header;
	std::memcpy(&header, memory.bytes.data(), sizeof(header));
	for (unsigned n = 0; n < header.e_phnum; n++) {
		Elf64_Phdr segment;

		std::memcpy(&segment, memory.bytes.data() + header.e_phoff + n * sizeof(segment), sizeof(segment));
		if (segment.p_type != PT_DYNAMIC)
			continue;
		for (uint64_t at = segment.p_vaddr;; at += sizeof(Elf64_Dyn)) {
			Elf64_Dyn entry;

			std::memcpy(&entry, memory.bytes.data() + at, sizeof(entry));
			if (entry.d_tag == DT_NULL)
				break;
			if (entry.d_tag == DT_STRTAB) {
				/* The first kernel's string is the text's first byte. */
				const auto found = std::search(memory.bytes.begin() + static_cast<ptrdiff_t>(entry.d_un.d_ptr),
							       memory.bytes.end(), as_bytes(old).begin(), as_bytes(old).end());
				const auto offset = static_cast<uint64_t>(found - memory.bytes.begin()) - entry.d_un.d_ptr;

				entry.d_un.d_ptr = end - offset;
				std::memcpy(memory.bytes.data() + at, &entry, sizeof(entry));
			}
		}
	}
	return kernel_name(memory.reader(), code_of(memory, kernel.descriptor));
}

} // namespace

TEST(Symbols, HaveNothingForTerminals)
{
	EXPECT_EQ(name_that_says("plain"), "plain");
	EXPECT_EQ(name_that_says("_Z3addPfi"), "add(float*, int)");
	EXPECT_EQ(name_that_says("a\x1b[2Jb\xff\n"), "a?[2Jb??");
}

/* Types of types of types, each mentioned twice. */
TEST(Symbols, DoNotExplode)
{
	std::string name = "_Z1f1AIiiE";

	for (unsigned n = 0; n < 40; n++)
		name += "S_IS_S_E";
	EXPECT_EQ(name_that_says(name), name);
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
		for (unsigned i = 0; i < 4; i++) /* and where the tables are */
			bad.bytes[sizeof(Elf64_Ehdr) + random() % 512] = static_cast<std::byte>(random());
		kernel_name(bad.reader(), base + (random() % bad.bytes.size() & ~uint64_t{255}));
	}
}
