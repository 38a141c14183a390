// SPDX-License-Identifier: MIT
/*
 * dis.cpp - `kfdm dis FILE.co`: the machine code of a code object as text, by the rows that execute it. Laid out as `llvm-objdump -d`
 * does, so that the two can be compared. Needs no GPU.
 */
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <kfdm/code_object.hpp>
#include <kfdm/error.hpp>

#include "silicon_host/disassembler.hpp"
#include "commands.hpp"

namespace kfdm::tool {

namespace {

/** Prints the sections of one object. */
class Listing {
public:
	Listing(const CodeObject &object, const silicon_host::Disassembler &disassembler) : object_(object), disassembler_(disassembler) {}

	/** Prints everything. Return: words that are no instructions. */
	size_t print()
	{
		for (const CodeObject::Code &code : object_.code()) {
			fmt::print("\nDisassembly of section {}:\n", code.name);
			section(code);
		}
		return illegal_;
	}

private:
	void section(const CodeObject::Code &code)
	{
		auto next = std::ranges::lower_bound(object_.functions(), code.address, {}, &CodeObject::Function::address);
		const auto end_of_names = object_.functions().end();
		uint64_t at = code.address;
		const uint64_t end = code.address + code.bytes.size() / 4 * 4;

		while (at < end) {
			for (; next != end_of_names && next->address <= at; ++next)
				fmt::print("\n{:016x} <{}>:\n", next->address, next->name);
			const uint64_t stop = next != end_of_names ? std::min(end, next->address) : end;
			at = zeros(code, at, stop);
			if (at < stop)
				at = instruction(code, at, end);
		}
	}

	/** Where the zeros end that llvm-objdump leaves out: eight bytes or more, three before a name or the end. */
	static uint64_t zeros(const CodeObject::Code &code, uint64_t at, uint64_t stop)
	{
		uint64_t end = at;

		while (end < stop && !code.bytes[end - code.address])
			end++;
		if (end - at < 8 && !(end == stop && end - at >= 3))
			return at;
		fmt::print("\t\t...\n");
		return at + (end - at) / 4 * 4;
	}

	uint64_t instruction(const CodeObject::Code &code, uint64_t at, uint64_t end)
	{
		uint32_t words[8] = {};
		const auto left = static_cast<size_t>(std::min<uint64_t>(sizeof(words), end - at));

		std::memcpy(words, code.bytes.data() + (at - code.address), left);
		auto [text, length] = disassembler_.at(std::span(words).first(left / 4));
		if (!length) {
			length = 1;
			illegal_++;
			text = fmt::format(".long {:#010x}", words[0]);
		}
		const std::optional<uint64_t> target = branch_target(text, words[0], at);
		const std::string *label = target ? label_at(*target) : nullptr;
		if (label)
			text = fmt::format("{} {}", text.substr(0, text.find(' ')), *label);
		std::string line = fmt::format("\t{:<59}// {:012X}:", text, at);
		for (unsigned i = 0; i < length; i++)
			line += fmt::format(" {:08X}", words[i]);
		if (target && !label)
			line += place(*target);
		fmt::print("{}\n", line);
		return at + length * 4;
	}

	/** Of s_branch and s_cbranch_*: SOPP's simm16 counts words from the next instruction on. */
	static std::optional<uint64_t> branch_target(std::string_view text, uint32_t word, uint64_t at)
	{
		const bool sopp = word >> 23 == 0x17f;

		if (!sopp || (!text.starts_with("s_branch") && !text.starts_with("s_cbranch")))
			return std::nullopt;
		return at + 4 + static_cast<uint64_t>(int64_t{static_cast<int16_t>(word)} * 4);
	}

	/** A branch to a symbol that has no type names it. */
	const std::string *label_at(uint64_t address) const
	{
		for (auto at = std::ranges::lower_bound(object_.functions(), address, {}, &CodeObject::Function::address);
		     at != object_.functions().end() && at->address == address; ++at)
			if (at->label)
				return &at->name;
		return nullptr;
	}

	/** " <function+0x10>", empty before the first function. */
	std::string place(uint64_t address) const
	{
		auto after = std::ranges::upper_bound(object_.functions(), address, {}, &CodeObject::Function::address);

		if (after == object_.functions().begin())
			return "";
		const CodeObject::Function &function = *std::prev(after);
		return address == function.address ? fmt::format(" <{}>", function.name) :
						     fmt::format(" <{}+{:#x}>", function.name, address - function.address);
	}

	const CodeObject &object_;
	const silicon_host::Disassembler &disassembler_;
	size_t illegal_ = 0;
};

} // namespace

void add_dis(CLI::App &app, int *exit_code)
{
	CLI::App *dis = app.add_subcommand("dis", "Disassemble a code object, as llvm-objdump -d does");
	auto file = std::make_shared<std::string>();
	auto wave64 = std::make_shared<bool>(false);

	dis->add_option("FILE", *file, "Code object (.co, .hsaco)")->required();
	dis->add_flag("--wave64", *wave64, "GFX10: for waves of 64 lanes");
	dis->callback([=] {
		const CodeObject object = CodeObject::read(*file);
		const auto disassembler = silicon_host::Disassembler::of(object.isa(), *wave64);

		if (!disassembler)
			throw_error(ENOTSUP, fmt::format("{} is for {}, whose instructions are not known here", *file, object.isa()));
		fmt::print("\n{}:\tfile format elf64-amdgpu\n", *file);
		const size_t illegal = Listing(object, *disassembler).print();
		if (illegal)
			fmt::print(stderr, "kfdm: {} words are no instructions of {}\n", illegal, object.isa());
		*exit_code = illegal != 0;
	});
}

} // namespace kfdm::tool
