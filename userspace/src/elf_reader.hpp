// SPDX-License-Identifier: MIT
/*
 * elf_reader.hpp - fills a CodeObject from ELF, and its kernels from metadata. Private to the library.
 */
#pragma once

#include <libelf.h>
#include <gelf.h>

#include <span>
#include <string>
#include <vector>

#include <kfdm/code_object.hpp>

namespace kfdm {

/** Walks the bytes of one code object. Every error is ENOEXEC with a sentence that names the object. */
class [[gnu::visibility("hidden")]] ElfReader {
public:
	explicit ElfReader(CodeObject &object) noexcept : object_(object) {}
	void read();

private:
	[[noreturn]] void fail(const std::string &why) const;
	void check_header();
	void read_segments();
	void read_sections();
	void read_symbols(Elf_Scn *section, const GElf_Shdr &header);
	void read_code(const GElf_Shdr &header);
	void read_functions(Elf_Scn *section, const GElf_Shdr &header);
	void read_relocations(Elf_Scn *section, const GElf_Shdr &header);
	void read_notes(const GElf_Phdr &segment);
	void attach_descriptors();
	[[nodiscard]] std::span<const uint8_t> slice(uint64_t offset, uint64_t size) const;

	CodeObject &object_;
	Elf *elf_ = nullptr;
	std::vector<uint64_t> dynamic_symbols_; /* values by index, for relocations */
};

/** Kernels that NT_AMDGPU_METADATA describes; throws std::runtime_error with a sentence. */
[[nodiscard, gnu::visibility("hidden")]] std::vector<KernelInfo> parse_metadata(std::span<const uint8_t> messagepack);

} // namespace kfdm
