// SPDX-License-Identifier: MIT
/* disassembler.cpp - see disassembler.hpp. */
#include "disassembler.hpp"

#include "silicon/isa/engine.h"

namespace silicon_host {

using silicon::Isa;

namespace {

struct Target {
	std::string_view name;
	Isa isa;
};

constexpr Target targets[] = {
	{"gfx801", Isa::Gfx8},	 {"gfx802", Isa::Gfx8},	  {"gfx803", Isa::Gfx8},   {"gfx900", Isa::Gfx9},
	{"gfx902", Isa::Gfx9},	 {"gfx904", Isa::Gfx9},	  {"gfx906", Isa::Gfx9},   {"gfx908", Isa::Gfx908},
	{"gfx90a", Isa::Gfx90a}, {"gfx940", Isa::Gfx942}, {"gfx942", Isa::Gfx942}, {"gfx1030", Isa::Gfx10Wave32},
};

} // namespace

std::optional<Disassembler> Disassembler::of(std::string_view target, bool wave64)
{
	for (const Target &t : targets)
		if (t.name == target)
			return Disassembler(static_cast<unsigned>(wave64 && t.isa == Isa::Gfx10Wave32 ? Isa::Gfx10 : t.isa));
	return std::nullopt;
}

Disassembler::Instruction Disassembler::at(std::span<const std::uint32_t> words) const
{
	char text[256];
	const auto bytes = static_cast<unsigned>(words.size_bytes());
	const unsigned length = silicon::disassemble(static_cast<Isa>(isa_), words.data(), bytes, text, sizeof(text));

	return length && length <= bytes ? Instruction{text, length / 4} : Instruction{"", 0};
}

} // namespace silicon_host
