// SPDX-License-Identifier: MIT
/*
 * roundtrip_test.cc - every row against LLVM: random encodings of each instruction go through llvm-mc's disassembler; where
 * LLVM finds the words canonical, our text must be the same, and our decoder must accept what LLVM's printed.
 */
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string_view>

#include "assembler.h"
#include "encodings.h"
#include "machine.h"

namespace isa_test {
namespace {

using namespace silicon;

std::string bytes_of(const Words &words)
{
	std::string text;
	char byte[8];

	for (const u32 w : words)
		for (unsigned i = 0; i < 32; i += 8) {
			std::snprintf(byte, sizeof(byte), "%s0x%02x", text.empty() ? "" : ",", w >> i & 255);
			text += byte;
		}
	return text;
}

struct Set {
	Isa isa;
	const char *mcpu;
	const char *attributes = "";
};
/** The test's name is the same in each run. */
void PrintTo(const Set &set, std::ostream *out) { *out << set.mcpu << set.attributes; }

constexpr Set sets[] = {
	{Isa::Gfx9, "gfx906"},	       {Isa::Gfx8, "gfx803"},	{Isa::Gfx10, "gfx1030", " -mattr=+wavefrontsize64,-wavefrontsize32"},
	{Isa::Gfx10Wave32, "gfx1030"}, {Isa::Gfx908, "gfx908"}, {Isa::Gfx90a, "gfx90a"},
	{Isa::Gfx942, "gfx942"}};

/* Of each row; as many as LLVM needs to print each row once. The sanitizers see few of them. */
constexpr unsigned all_encodings = 120;
#ifdef KFDM_BRIEF
constexpr unsigned encodings_each = 16;
#else
constexpr unsigned encodings_each = all_encodings;
#endif

using Texts = std::map<std::string, std::string>;

/** Adds what LLVM takes for canonical of encodings[from..to). False if LLVM crashed on one of them. */
bool ask_llvm(const Set &set, const std::vector<std::string> &encodings, size_t from, size_t to, Texts &texts)
{
	const std::string in = testing::TempDir() + "isa_roundtrip." + std::to_string(getpid());
	std::ofstream file(in);

	for (size_t i = from; i < to; i++) {
		for (const char c : encodings[i])
			file << (c == ',' ? ' ' : c);
		file << " 0x00 0x00 0x80 0xbf\n"; /* s_nop 0: to LLVM all is one stream, and a word too few takes from what follows */
	}
	file.close();
	/* Through a file: llvm-mc writes a few bytes at a time, and each would wake who reads a pipe. */
	const std::string out = in + ".out";
	const std::string command = std::string(llvm_mc(set.mcpu)) + " --disassemble -triple=amdgcn--amdhsa -mcpu=" + set.mcpu +
				    set.attributes + " --show-encoding -o " + out + " " + in + " 2>/dev/null";
	const bool fine = std::system(command.c_str()) == 0;
	std::ifstream answers(out);
	for (std::string l; std::getline(answers, l);) {
		const size_t at = l.find("; encoding: [");
		if (at == std::string::npos || l.find("/*") != std::string::npos) /* printed, but not an instruction */
			continue;
		std::string text = l.substr(1, at - 1);
		while (!text.empty() && text.back() == ' ')
			text.pop_back();
		texts[l.substr(at + 13, l.find(']', at) - at - 13)] = text;
	}
	std::remove(in.c_str());
	std::remove(out.c_str());
	return fine;
}

/** LLVM 15 crashes on a few words: those are narrowed down and left out. */
void ask_around_crashes(const Set &set, const std::vector<std::string> &encodings, size_t from, size_t to, Texts &texts)
{
	if (from == to || ask_llvm(set, encodings, from, to, texts) || to - from == 1)
		return;
	ask_around_crashes(set, encodings, from, (from + to) / 2, texts);
	ask_around_crashes(set, encodings, (from + to) / 2, to, texts);
}

std::string our_text(Isa isa, const Words &words, unsigned *length)
{
	char text[256];

	*length = disassemble(isa, words.data(), static_cast<unsigned>(words.size() * 4), text, sizeof(text));
	return text;
}

/** v[1:2], a[13:16]: since GFX90A there are none, though LLVM prints them. Not by std::regex, which is slow. */
bool has_odd_group(const std::string &text)
{
	for (size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
		const size_t open = text.rfind('[', colon);

		if (open == text.npos || !open || (text[open - 1] != 'v' && text[open - 1] != 'a'))
			continue;
		const std::string_view first(text.data() + open + 1, colon - open - 1);
		if (!first.empty() && first.find_first_not_of("0123456789") == first.npos && (first.back() & 1))
			return true;
	}
	return false;
}

struct Corpus {
	std::vector<Candidate> all;
	Texts texts;
};

Corpus corpus(const Set &set)
{
	Corpus c;
	std::set<std::string> different;

	c.all = candidates(set.isa, encodings_each);
	for (const Candidate &candidate : c.all)
		different.insert(bytes_of(candidate.words));
	const std::vector<std::string> encodings(different.begin(), different.end());
	ask_around_crashes(set, encodings, 0, encodings.size(), c.texts);
	return c;
}

/** Every row is printed as LLVM prints it. */
void compare_texts(const Set &set, const Corpus &corpus)
{
	const auto &[all, texts] = corpus;
	std::set<const Row *> seen, complained;
	unsigned compared = 0, wrong = 0;

	for (const Candidate &c : all) {
		const auto found = texts.find(bytes_of(c.words));
		unsigned length;

		if (found == texts.end())
			continue;
		seen.insert(c.row);
		compared++;
		const std::string ours = our_text(set.isa, c.words, &length);
		if (ours != found->second && ++wrong && complained.insert(c.row).second)
			ADD_FAILURE() << "ours: " << ours << "\nLLVM: " << found->second << "\n" << found->first;
	}
	std::printf("%u encodings of %zu rows compared, %u differ\n", compared, seen.size(), wrong);
	for (const Candidate &c : all)
		if (encodings_each == all_encodings && seen.insert(c.row).second)
			ADD_FAILURE() << "LLVM never printed " << c.row->name;
}

/** What LLVM prints decodes. */
void decode_all(const Set &set, const Corpus &corpus)
{
	const auto &[all, texts] = corpus;
	std::set<std::string> complained;
	Machine m(256);
	const auto &variant = *engine_variant(0); /* asks the host's CPU, which in a virtual machine takes longer than decoding */

	engine_select(m.store(), set.isa);
	m.store().accum_offset = has_accumulators(set.isa) ? 256 : 0;

	for (const Candidate &c : all) {
		Op op;
		const auto found = texts.find(bytes_of(c.words));

		if (found == texts.end())
			continue;
		const u32 size = static_cast<u32>(c.words.size() * 4);
		const std::string name = c.row->name;
		if (c.row->sig.sources == 3 && c.row->sig.source[2] == 'm' && c.words.size() >= 2 && bit(c.words[1], 26))
			continue; /* a mask in VGPRs: nor these */
		if (name == "v_accvgpr_write_b32" && set.isa == Isa::Gfx908 && bits(c.words[1], 8, 0) < 128)
			continue; /* before GFX90A from VGPRs and constants only */
		if (name == "v_readfirstlane_b32" || name == "v_readlane_b32" || name == "v_writelane_b32" || name == "v_mqsad_u32_u8" ||
		    name.starts_with("v_permlane"))
			continue; /* LLVM prints operands that the hardware does not have */
		const unsigned length = decode(m.store(), variant, c.words.data(), size, code_base, &op);
		if (has_one_file(set.isa) && has_odd_group(found->second)) {
			EXPECT_EQ(length, 0u) << "decodes: " << found->second;
			continue;
		}
		if (length != size && complained.insert(c.row->name).second)
			ADD_FAILURE() << "does not decode (" << length << "): " << found->second << "  " << found->first;
		/* A page ends in the middle: not illegal, but more words are wanted. */
		for (u32 part = 4; part < length; part += 4)
			if (decode(m.store(), variant, c.words.data(), part, code_base, &op) <= part && complained.insert(name).second)
				ADD_FAILURE() << "does not ask for more than " << part << " bytes: " << found->second;
	}
}

class RoundTrip : public testing::TestWithParam<Set> {};

/* One test, since LLVM's answers take longer than all that is done with them. */
TEST_P(RoundTrip, AgreesWithLlvm)
{
	const Set set = GetParam();
	const Corpus answers = corpus(set);

	ASSERT_GT(answers.texts.size(), 1000u);
	compare_texts(set, answers);
	decode_all(set, answers);
}

INSTANTIATE_TEST_SUITE_P(Sets, RoundTrip, testing::ValuesIn(sets),
			 [](const auto &info) { return std::string(info.param.mcpu) + (info.param.isa == Isa::Gfx10 ? "wave64" : ""); });

} // namespace
} // namespace isa_test
