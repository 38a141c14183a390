// SPDX-License-Identifier: MIT
/*
 * code_object.cpp - finding, reading and asking code objects.
 */
#include <kfdm/code_object.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <kfdm/error.hpp>

#include "elf_reader.hpp"

namespace kfdm {

namespace {

/* R_AMDGPU_*: LLVM's AMDGPU usage document */
enum : uint32_t { reloc_abs32_lo = 1, reloc_abs32_hi = 2, reloc_abs64 = 3, reloc_abs32 = 6, reloc_relative64 = 13 };

void relocate(std::span<uint8_t> memory, uint64_t base, const CodeObject::Relocation &relocation)
{
	uint64_t value = base + relocation.value;
	size_t size = relocation.type == reloc_abs64 || relocation.type == reloc_relative64 ? 8 : 4;

	if (relocation.offset > memory.size() || memory.size() - relocation.offset < size)
		throw_error(ENOEXEC, "a relocation lies outside of the code object");
	switch (relocation.type) {
	case reloc_abs32_hi: value >>= 32; [[fallthrough]];
	case reloc_abs32_lo:
	case reloc_abs32:
	case reloc_abs64:
	case reloc_relative64: std::memcpy(memory.data() + relocation.offset, &value, size); return;
	default: throw_error(ENOEXEC, fmt::format("relocation type {} is not known", relocation.type));
	}
}

} // namespace

CodeObject CodeObject::read(const std::string &path)
{
	std::ifstream in(path, std::ios::binary);

	if (!in)
		throw_errno("cannot open " + path);
	return parse({std::istreambuf_iterator<char>(in), {}}, path);
}

CodeObject CodeObject::parse(std::vector<uint8_t> bytes, const std::string &name)
{
	CodeObject object;

	object.bytes_ = std::move(bytes);
	object.name_ = name;
	ElfReader(object).read();
	return object;
}

const KernelInfo &CodeObject::kernel(std::string_view name) const
{
	std::string names;

	for (const KernelInfo &kernel : kernels_) {
		if (kernel.name == name)
			return kernel;
		names += (names.empty() ? "" : ", ") + kernel.name;
	}
	throw_error(ENOENT, fmt::format("{} has no kernel {}; it has: {}", name_, name, names.empty() ? "none" : names));
}

uint64_t CodeObject::symbol(std::string_view name) const
{
	for (const auto &[symbol, value] : symbols_) {
		if (symbol == name)
			return value;
	}
	throw_error(ENOENT, fmt::format("{} has no symbol {}", name_, name));
}

uint64_t CodeObject::memory_size() const noexcept
{
	uint64_t end = 0;

	for (const Segment &segment : segments_)
		end = std::max(end, segment.address + segment.memory_size);
	return end;
}

std::vector<uint8_t> CodeObject::image(uint64_t base, Foreign foreign) const
{
	std::vector<uint8_t> bytes(memory_size());

	for (const Segment &segment : segments_)
		std::copy(segment.bytes.begin(), segment.bytes.end(), bytes.begin() + static_cast<ptrdiff_t>(segment.address));
	for (const Relocation &relocation : relocations_) {
		if (relocation.foreign && foreign == Foreign::Refused)
			throw_error(ENOEXEC, fmt::format("{} cannot be loaded: it needs a symbol of another object", name_));
		relocate(bytes, base, relocation);
	}
	return bytes;
}

std::string isa_of_elf_flags(uint32_t flags)
{
	struct Row {
		uint32_t mach;
		const char *isa;
	};
	/* EF_AMDGPU_MACH_AMDGCN_* of LLVM */
	static constexpr Row rows[] = {
		{0x022, "gfx701"},  {0x028, "gfx801"}, {0x029, "gfx802"}, {0x02a, "gfx803"},  {0x02c, "gfx900"}, {0x02d, "gfx902"},
		{0x02e, "gfx904"},  {0x02f, "gfx906"}, {0x030, "gfx908"}, {0x031, "gfx909"},  {0x032, "gfx90c"}, {0x033, "gfx1010"},
		{0x036, "gfx1030"}, {0x03f, "gfx90a"}, {0x040, "gfx940"}, {0x041, "gfx1100"}, {0x04c, "gfx942"},
	};

	for (const Row &row : rows) {
		if (row.mach == (flags & 0xff))
			return row.isa;
	}
	return {};
}

std::string find_device_code(const std::string &name, const std::string &isa)
{
	namespace fs = std::filesystem;
	std::string file = fmt::format("{}.{}.co", name, isa), looked;
	std::vector<fs::path> folders;

	if (const char *folder = std::getenv("KFDM_DEVICE_CODE"))
		folders.emplace_back(folder);
	fs::path above = fs::read_symlink("/proc/self/exe").parent_path();
	for (unsigned i = 0; i < 3; i++, above = above.parent_path())
		folders.push_back(above / "lib/kfdm");

	for (const fs::path &folder : folders) {
		if (fs::exists(folder / file))
			return folder / file;
		looked += " " + folder.string();
	}
	throw_error(ENOENT, fmt::format("no device code {}; looked in{}", file, looked));
}

} // namespace kfdm
