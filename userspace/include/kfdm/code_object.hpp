// SPDX-License-Identifier: MIT
/*
 * code_object.hpp - an ELF code object for AMD GPUs, as compilers write it, before it is loaded.
 *
 * What it holds: segments, kernel descriptors (symbols that end in ".kd"), relocations, and a note of
 * MessagePack that names kernels and their arguments. Format: LLVM's AMDGPU usage document, code objects V3 to V5.
 */
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kfdm {

/** One argument of a kernel, explicit or hidden. */
struct KernelArgument {
	std::string name;    /**< empty if the compiler kept none */
	std::string kind;    /**< ".value_kind": by_value, global_buffer, hidden_block_count_x, ... */
	std::string type;    /**< ".type_name": "float*", "uint"; may be empty */
	uint32_t offset = 0; /**< in the kernarg segment, bytes */
	uint32_t size = 0;   /**< bytes */

	[[nodiscard]] bool hidden() const noexcept { return kind.starts_with("hidden_"); }
};

/** One kernel: what metadata and symbol table say. */
struct KernelInfo {
	std::string name;
	uint64_t descriptor = 0; /**< virtual address in the object */
	uint32_t kernarg_bytes = 0, kernarg_align = 16;
	uint32_t group_bytes = 0;      /**< static LDS of a workgroup */
	uint32_t private_bytes = 0;    /**< scratch of a work-item */
	uint32_t max_workgroup = 1024; /**< work-items */
	uint32_t workgroup[3] = {};    /**< reqd_work_group_size, 0: free */
	std::vector<KernelArgument> arguments;
};

class CodeObject {
public:
	/** One PT_LOAD: @bytes go to @address, the rest of @memory_size is zero. */
	struct Segment {
		uint64_t address = 0, memory_size = 0;
		std::span<const uint8_t> bytes;
		bool executable = false, writable = false;
	};
	/** A section of machine code; functions are found by their addresses in it. */
	struct Code {
		std::string name; /**< ".text" */
		uint64_t address = 0;
		std::span<const uint8_t> bytes;
	};
	struct Function {
		std::string name;
		uint64_t address = 0;
		bool label = false; /**< no type: a place in a function */
	};
	/** One dynamic relocation: an address or a part of it, stored at @offset. */
	struct Relocation {
		uint64_t offset = 0;
		uint32_t type = 0;    /**< R_AMDGPU_* */
		uint64_t value = 0;   /**< symbol + addend, as an address in the object */
		bool foreign = false; /**< its symbol is another object's: such a code object cannot be loaded */
	};

	/**
	 * Reads @path.
	 * Throws std::system_error: what open says; ENOEXEC with a sentence if it is no code object that this library can load.
	 */
	[[nodiscard]] static CodeObject read(const std::string &path);
	/** Takes a code object from memory. @name is for messages. */
	[[nodiscard]] static CodeObject parse(std::vector<uint8_t> bytes, const std::string &name);

	/** "gfx906", from the ELF header's flags. */
	[[nodiscard]] const std::string &isa() const noexcept { return isa_; }
	[[nodiscard]] const std::vector<KernelInfo> &kernels() const noexcept { return kernels_; }
	/** The kernel called @name; throws ENOENT with the names that there are. */
	[[nodiscard]] const KernelInfo &kernel(std::string_view name) const;
	[[nodiscard]] const std::vector<Segment> &segments() const noexcept { return segments_; }
	[[nodiscard]] const std::vector<Code> &code() const noexcept { return code_; }
	/** Names in the machine code, by address; of a stripped object those of kernels only. */
	[[nodiscard]] const std::vector<Function> &functions() const noexcept { return functions_; }
	[[nodiscard]] const std::vector<Relocation> &relocations() const noexcept { return relocations_; }
	/** Address of a dynamic symbol in the object; throws ENOENT. */
	[[nodiscard]] uint64_t symbol(std::string_view name) const;
	/** Bytes from address 0 to the end of the last segment. */
	[[nodiscard]] uint64_t memory_size() const noexcept;
	/** What becomes of a relocation whose symbol is another object's; Zero: for programs that never go there. */
	enum class Foreign { Refused, Zero };
	/** The segments as they lie in memory at GPU address @base, relocated; memory_size() bytes. Throws ENOEXEC. */
	[[nodiscard]] std::vector<uint8_t> image(uint64_t base, Foreign foreign = Foreign::Refused) const;

private:
	friend class ElfReader;
	CodeObject() = default;

	std::vector<uint8_t> bytes_;
	std::string isa_, name_;
	std::vector<Segment> segments_;
	std::vector<Code> code_;
	std::vector<Function> functions_;
	std::vector<Relocation> relocations_;
	std::vector<KernelInfo> kernels_;
	std::vector<std::pair<std::string, uint64_t>> symbols_;
};

/** Instruction set of e_flags' EF_AMDGPU_MACH, empty if unknown. */
[[nodiscard]] std::string isa_of_elf_flags(uint32_t flags);

/**
 * Looks for device code object @name for @isa: in $KFDM_DEVICE_CODE, then in lib/kfdm below the folders above this program.
 * Return: the path; throws ENOENT with where it looked.
 */
[[nodiscard]] std::string find_device_code(const std::string &name, const std::string &isa);

} // namespace kfdm
