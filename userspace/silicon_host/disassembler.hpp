// SPDX-License-Identifier: MIT
/*
 * disassembler.hpp - machine code as text, by the rows that the silicon executes it by.
 */
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace silicon_host {

/** Instructions of one target, "gfx906". */
class Disassembler {
public:
	/**
	 * wave64: of GFX10, whose waves have 32 lanes otherwise. Return: nothing if the silicon does not know the target's instructions.
	 */
	static std::optional<Disassembler> of(std::string_view target, bool wave64);

	struct Instruction {
		std::string text; /* llvm-objdump's syntax */
		unsigned words;	  /* 0: not an instruction */
	};
	/** The instruction at the beginning of words. */
	Instruction at(std::span<const std::uint32_t> words) const;

private:
	explicit Disassembler(unsigned isa) : isa_(isa) {}

	unsigned isa_; /* silicon::Isa */
};

} // namespace silicon_host
