// SPDX-License-Identifier: MIT
/* identity.cpp - see identity.hpp. */
#include "identity.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <kfdm/code_object.hpp>

#include "folder.hpp"

namespace kfdm::sweep {

namespace fs = std::filesystem;

namespace {

constexpr size_t digits = 12; /* of a checksum: enough to tell builds apart */

/* The build id among the notes of a segment; empty: it is not there. */
std::string build_id_of(std::string_view notes)
{
	const auto padded = [](size_t bytes) { return (bytes + 3) & ~size_t{3}; };

	while (notes.size() >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		std::string id;

		std::memcpy(&note, notes.data(), sizeof(note));
		const size_t name = sizeof(note), content = name + padded(note.n_namesz), end = content + padded(note.n_descsz);
		if (end > notes.size())
			break;
		if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == std::string_view("GNU\0", 4)) {
			for (const char c : notes.substr(content, note.n_descsz))
				id += fmt::format("{:02x}", static_cast<unsigned char>(c));
			return id;
		}
		notes.remove_prefix(end);
	}
	return {};
}

/* The first object is the program itself. */
int look_at_program(dl_phdr_info *info, size_t, void *result)
{
	for (const ElfW(Phdr) *segment = info->dlpi_phdr; segment < info->dlpi_phdr + info->dlpi_phnum; segment++)
		if (std::string &id = *static_cast<std::string *>(result); segment->p_type == PT_NOTE && id.empty())
			id = build_id_of({reinterpret_cast<const char *>(info->dlpi_addr + segment->p_vaddr), segment->p_memsz});
	return 1;
}

/* FNV-1a, Fowler, Noll and Vo. */
uint64_t checksum(const std::string &bytes, uint64_t sum)
{
	for (const char c : bytes)
		sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
	return sum;
}

std::string device_code_sum()
{
	uint64_t sum = 0xcbf29ce484222325;
	std::set<fs::path> files;

	try {
		for (const fs::directory_entry &entry : fs::directory_iterator(fs::path(find_device_code("exp", "gfx906")).parent_path()))
			if (entry.path().extension() == ".co")
				files.insert(entry.path());
	} catch (const std::system_error &) {
		return "none";
	}
	for (const fs::path &file : files)
		sum = checksum(read_whole(file), checksum(file.filename(), sum));
	return fmt::format("{:016x}", sum).substr(0, digits);
}

} // namespace

std::string identity(const std::string &version)
{
	std::string id;

	dl_iterate_phdr(look_at_program, &id);
	return fmt::format("kfdm {} (build {}, device code {})", version, id.empty() ? "unknown" : id.substr(0, digits), device_code_sum());
}

} // namespace kfdm::sweep
