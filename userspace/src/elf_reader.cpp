// SPDX-License-Identifier: MIT
/*
 * elf_reader.cpp - ELF64 for amdgcn-amd-amdhsa, through libelf.
 */
#include "elf_reader.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm {

namespace {

/* LLVM's AMDGPU usage document: ELF code object. */
constexpr unsigned machine_amdgpu = 224;
constexpr unsigned osabi_amdgpu_hsa = 64;
constexpr uint32_t note_metadata = 32;
constexpr uint64_t largest_object = uint64_t{1} << 30;

} // namespace

void ElfReader::fail(const std::string &why) const
{
	throw_error(ENOEXEC, fmt::format("{} is no code object that can be loaded: {}", object_.name_, why));
}

std::span<const uint8_t> ElfReader::slice(uint64_t offset, uint64_t size) const
{
	if (offset > object_.bytes_.size() || size > object_.bytes_.size() - offset)
		fail("it is cut off");
	return std::span(object_.bytes_).subspan(offset, size);
}

void ElfReader::read()
{
	struct Close {
		Elf **elf;
		~Close() { elf_end(*elf); }
	} close{&elf_};

	elf_version(EV_CURRENT);
	elf_ = elf_memory(reinterpret_cast<char *>(object_.bytes_.data()), object_.bytes_.size());
	if (!elf_ || elf_kind(elf_) != ELF_K_ELF)
		fail("not an ELF file");
	check_header();
	read_segments();
	read_sections();
	attach_descriptors();
}

void ElfReader::check_header()
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf_, &header) || gelf_getclass(elf_) != ELFCLASS64)
		fail("not a 64-bit ELF file");
	if (header.e_machine != machine_amdgpu || header.e_ident[EI_OSABI] != osabi_amdgpu_hsa)
		fail("not for amdgcn-amd-amdhsa");
	if (header.e_type != ET_DYN)
		fail("not linked (use ld.lld -shared)");
	object_.isa_ = isa_of_elf_flags(header.e_flags);
	if (object_.isa_.empty())
		fail(fmt::format("unknown instruction set in flags {:#x}", header.e_flags));
}

void ElfReader::read_segments()
{
	size_t count = 0;

	if (elf_getphdrnum(elf_, &count))
		fail("its program headers cannot be read");
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(elf_, static_cast<int>(i), &segment))
			fail("its program headers cannot be read");
		if (segment.p_type == PT_NOTE)
			read_notes(segment);
		if (segment.p_type != PT_LOAD)
			continue;
		if (segment.p_filesz > segment.p_memsz || segment.p_memsz > largest_object || segment.p_vaddr > largest_object)
			fail("a segment has an impossible size");
		object_.segments_.push_back({segment.p_vaddr, segment.p_memsz, slice(segment.p_offset, segment.p_filesz),
					     (segment.p_flags & PF_X) != 0, (segment.p_flags & PF_W) != 0});
	}
	if (object_.segments_.empty())
		fail("it has nothing to load");
}

void ElfReader::read_notes(const GElf_Phdr &segment)
{
	std::span<const uint8_t> notes = slice(segment.p_offset, segment.p_filesz);
	size_t at = 0;

	while (at + 12 <= notes.size()) {
		uint32_t word[3];
		std::copy_n(notes.data() + at, sizeof(word), reinterpret_cast<uint8_t *>(word));
		uint64_t name = at + 12, data = name + ((uint64_t{word[0]} + 3) & ~uint64_t{3});
		uint64_t next = data + ((uint64_t{word[1]} + 3) & ~uint64_t{3});

		if (data + word[1] > notes.size())
			fail("a note is cut off");
		if (word[2] == note_metadata) {
			try {
				object_.kernels_ = parse_metadata(notes.subspan(data, word[1]));
			} catch (const std::runtime_error &error) {
				fail(error.what());
			}
		}
		at = next;
	}
}

void ElfReader::read_sections()
{
	GElf_Shdr header;

	/* Symbols first: relocations refer to them. */
	for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			read_symbols(section, header);
	}
	for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
			read_relocations(section, header);
	}
	for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS && header.sh_flags & SHF_EXECINSTR)
			read_code(header);
	}
	/* All names if the object has them, else what the loader needs. */
	for (const uint32_t table : {SHT_SYMTAB, SHT_DYNSYM})
		for (Elf_Scn *section = nullptr; object_.functions_.empty() && (section = elf_nextscn(elf_, section));)
			if (gelf_getshdr(section, &header) && header.sh_type == table)
				read_functions(section, header);
	std::ranges::stable_sort(object_.functions_, {}, &CodeObject::Function::address);
}

void ElfReader::read_code(const GElf_Shdr &header)
{
	size_t names = 0;
	const char *name = elf_getshdrstrndx(elf_, &names) ? nullptr : elf_strptr(elf_, names, header.sh_name);

	object_.code_.push_back({name ? name : "", header.sh_addr, slice(header.sh_offset, header.sh_size)});
}

void ElfReader::read_functions(Elf_Scn *section, const GElf_Shdr &header)
{
	Elf_Data *data = elf_getdata(section, nullptr);

	for (int i = 0; data; i++) {
		GElf_Sym symbol;

		if (!gelf_getsym(data, i, &symbol))
			break;
		const char *name = elf_strptr(elf_, header.sh_link, symbol.st_name);
		const unsigned type = GELF_ST_TYPE(symbol.st_info);
		if (!name || !*name || (type != STT_FUNC && type != STT_NOTYPE))
			continue;
		for (const CodeObject::Code &code : object_.code_)
			if (symbol.st_value >= code.address && symbol.st_value - code.address < code.bytes.size())
				object_.functions_.push_back({name, symbol.st_value, type == STT_NOTYPE});
	}
}

void ElfReader::read_symbols(Elf_Scn *section, const GElf_Shdr &header)
{
	Elf_Data *data = elf_getdata(section, nullptr);

	for (int i = 0; data; i++) {
		GElf_Sym symbol;

		if (!gelf_getsym(data, i, &symbol))
			break;
		dynamic_symbols_.push_back(symbol.st_shndx == SHN_UNDEF ? ~uint64_t{0} : symbol.st_value);
		const char *name = elf_strptr(elf_, header.sh_link, symbol.st_name);
		if (name && *name && symbol.st_shndx != SHN_UNDEF)
			object_.symbols_.emplace_back(name, symbol.st_value);
	}
}

void ElfReader::read_relocations(Elf_Scn *section, const GElf_Shdr &)
{
	Elf_Data *data = elf_getdata(section, nullptr);

	for (int i = 0; data; i++) {
		GElf_Rela rela;
		uint64_t base = 0;
		bool foreign = false;

		if (!gelf_getrela(data, i, &rela))
			break;
		if (uint64_t index = GELF_R_SYM(rela.r_info)) {
			foreign = index >= dynamic_symbols_.size() || dynamic_symbols_[index] == ~uint64_t{0};
			base = foreign ? 0 : dynamic_symbols_[index];
		}
		object_.relocations_.push_back({rela.r_offset, static_cast<uint32_t>(GELF_R_TYPE(rela.r_info)),
						base + static_cast<uint64_t>(rela.r_addend), foreign});
	}
}

void ElfReader::attach_descriptors()
{
	for (KernelInfo &kernel : object_.kernels_) {
		std::string symbol = kernel.name + ".kd";
		auto found = std::find_if(object_.symbols_.begin(), object_.symbols_.end(),
					  [&](const auto &entry) { return entry.first == symbol; });

		if (found == object_.symbols_.end())
			fail(fmt::format("kernel {} has no descriptor", kernel.name));
		if (found->second > object_.memory_size() || object_.memory_size() - found->second < 64)
			fail(fmt::format("the descriptor of {} lies outside", kernel.name));
		kernel.descriptor = found->second;
	}
}

} // namespace kfdm
