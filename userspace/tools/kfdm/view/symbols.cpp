// SPDX-License-Identifier: MIT
/* symbols.cpp - see symbols.hpp. All that is read comes from a program: sizes are limited, and nothing is taken on trust. */
#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace kfdm::view {

namespace {

/* What goes to terminals and into JSON. */
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

constexpr uint64_t page = 4096;
constexpr uint64_t farthest = 32 << 20; /* from the code back to its code object's beginning */
constexpr uint32_t most_headers = 64, most_dynamic = 256, most_symbols = 1 << 16;
constexpr uint16_t em_amdgpu = 224; /* newer than some <elf.h> */

template <class T> bool read_one(const ReadMemory &read, uint64_t at, T *value)
{
	return read(at, std::as_writable_bytes(std::span(value, 1)));
}

/* The ELF header before the code: at the beginning of a page, as the segments of a code object are whole pages apart. */
std::optional<uint64_t> find_header(const ReadMemory &read, uint64_t code)
{
	for (uint64_t at = code & ~(page - 1), first = at > farthest ? at - farthest : 0; at > first; at -= page) {
		std::array<unsigned char, SELFMAG> magic;

		if (!read_one(read, at, &magic))
			return {};
		if (std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0)
			return at;
	}
	return {};
}

/* Where the dynamic symbols are; addresses in memory. */
struct Tables {
	uint64_t symbols = 0, strings = 0, hash = 0;
};

std::optional<uint64_t> find_dynamic(const ReadMemory &read, uint64_t base)
{
	Elf64_Ehdr header;

	if (!read_one(read, base, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != em_amdgpu ||
	    header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > most_headers)
		return {};
	for (unsigned n = 0; n < header.e_phnum; n++) {
		Elf64_Phdr segment;

		if (!read_one(read, base + header.e_phoff + n * sizeof(segment), &segment))
			return {};
		if (segment.p_type == PT_DYNAMIC)
			return base + segment.p_vaddr;
	}
	return {};
}

Tables find_tables(const ReadMemory &read, uint64_t base, uint64_t dynamic)
{
	Tables tables;

	for (uint32_t n = 0; n < most_dynamic; n++) {
		Elf64_Dyn entry;

		if (!read_one(read, dynamic + n * sizeof(entry), &entry) || entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_SYMTAB)
			tables.symbols = base + entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRTAB)
			tables.strings = base + entry.d_un.d_ptr;
		else if (entry.d_tag == DT_HASH)
			tables.hash = base + entry.d_un.d_ptr;
	}
	return tables;
}

std::string read_string(const ReadMemory &read, uint64_t at)
{
	constexpr size_t longest = 1024;
	std::string text;

	for (std::byte c; text.size() < longest && read(at + text.size(), {&c, 1}) && c != std::byte{0};)
		text += is_printable(static_cast<char>(c)) ? static_cast<char>(c) : '?';
	return text;
}

/*
 * Each mention of an earlier part can double the name: k of them make it up to 3^(k/3) times as long; the expansion of a pack makes it as
 * many times as long as the pack has members. One with more than that stays as it is, so that no program can fill the memory of whoever
 * looks at it.
 */
bool may_explode(const std::string &name)
{
	constexpr unsigned most_mentions = 36, pack_expansion = 12;
	unsigned mentions = 0;

	for (size_t n = 0; n < name.size(); n++)
		mentions += name[n] == 'S' || name[n] == 'T' ? 1 : name.compare(n, 2, "Dp") == 0 ? pack_expansion : 0;
	return mentions > most_mentions;
}

std::string demangled(const std::string &name)
{
	if (may_explode(name))
		return name;
	int status = 0;
	const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);

	return status == 0 && text ? text.get() : name;
}

} // namespace

std::string kernel_name(const ReadMemory &read, uint64_t code)
{
	const std::optional<uint64_t> base = find_header(read, code);
	const std::optional<uint64_t> dynamic = base ? find_dynamic(read, *base) : std::nullopt;
	std::array<uint32_t, 2> hash{}; /* nbucket, nchain: as many chains as symbols */

	if (!dynamic)
		return "";
	const Tables tables = find_tables(read, *base, *dynamic);
	if (!tables.symbols || !tables.strings || !tables.hash || !read_one(read, tables.hash, &hash))
		return "";
	for (uint32_t n = 0; n < std::min(hash[1], most_symbols); n++) {
		Elf64_Sym symbol;

		if (!read_one(read, tables.symbols + n * sizeof(symbol), &symbol))
			return "";
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && *base + symbol.st_value == code)
			return demangled(read_string(read, tables.strings + symbol.st_name));
	}
	return "";
}

} // namespace kfdm::view
