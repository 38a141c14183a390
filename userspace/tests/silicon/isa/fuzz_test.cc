// SPDX-License-Identifier: MIT
/*
 * fuzz_test.cc - random words as code, on a wave whose registers and LDS end where their allocations end. Whatever the words
 * are, the engine stops for a stated reason and has touched nothing outside the wave. Meant to run under sanitizers too.
 *
 * ISA_FUZZ_ROUNDS and ISA_FUZZ_SEED choose how much and what.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <random>

#include "machine.h"
#include "words/words.h"

namespace isa_test {
namespace {

using namespace silicon;

u64 environment(const char *name, u64 otherwise)
{
	const char *text = std::getenv(name);
	return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

/**
 * A word that is likely to be an instruction: the format's prefix, a low register number in most fields. The last three are
 * s_set_gpr_idx_on, v_readfirstlane and v_readlane: what they do together is too rare otherwise.
 */
u32 likely_word(std::mt19937_64 &random)
{
	static const u32 prefixes[] = {0x80000000, 0xb0000000, 0xbe800000, 0xbf000000, 0xbf800000, 0xc0000000, 0x00000000,
				       0x7e000000, 0x7c000000, 0xd0000000, 0xd1000000, 0xd2000000, 0xd3800000, 0xd8000000,
				       0xdc000000, 0xe0000000, 0xbf110000, 0x7e000500, 0xd2890000};
	static const u32 masks[] = {0x7fffffff, 0x0fffffff, 0x007fffff, 0x007fffff, 0x007fffff, 0x03ffffff, 0x7fffffff,
				    0x01ffffff, 0x01ffffff, 0x00ffffff, 0x00ffffff, 0x00ffffff, 0x007fffff, 0x03ffffff,
				    0x03ffffff, 0x03ffffff, 0x0000ffff, 0x01fe00ff, 0x0000007f};
	const unsigned i = random() % std::size(prefixes);
	u32 noise = static_cast<u32>(random());

	if (random() & 1)
		noise &= 0xfff0f0f0 | static_cast<u32>(random());
	return prefixes[i] | (noise & masks[i]);
}

class Fuzz {
public:
	Fuzz(u64 seed, unsigned vgprs) : random_(seed), m_(vgprs, 48, 200)
	{
		m_.memory.map(code_base, 8192);
		m_.memory.map(data_base, 16384);
		m_.memory.read_only(data_base + 8192);
	}

	void round()
	{
		u32 code[64];
		for (u32 &w : code)
			w = likely_word(random_);
		if (!(random_() & 7))
			for (u32 &w : code)
				w = static_cast<u32>(random_());
		m_.memory.write(code_base + 4096 - 128, code, sizeof(code));
		m_.flush();
		set_registers();
		Wave &w = m_.wave;
		const Wave before = w;
		for (unsigned stops = 0; stops < 20; stops++) {
			const StopInfo stop = m_.run(200);
			ASSERT_TRUE(m_.only_its_own(before));
			if (stop.why == Stop::Budget || stop.why == Stop::End)
				break;
			/* Step over what stopped us and go on. */
			if (stop.why != Stop::Barrier && stop.why != Stop::Sleep && stop.why != Stop::Message && stop.why != Stop::Halt &&
			    stop.why != Stop::Need && stop.why != Stop::Exception)
				w.pc += 4;
			w.trapsts &= ~trapsts_pending;
			if (w.pc < code_base || w.pc >= code_base + 8192)
				w.pc = code_base + 4096 - 128;
		}
	}

private:
	void set_registers()
	{
		Wave &w = m_.wave;
		w.pc = code_base + 4096 - 128 + random_() % 32 * 4;
		w.cycles = 0;
		w.privileged = !(random_() & 7);
		w.mode = random_() & 1 ? 0xc0 : static_cast<u32>(random_());
		for (unsigned i = 0; i < 128; i++)
			w.sgpr[i] = value(i & 1);
		if (random_() & 1)
			w.sgpr[sgpr_m0] = static_cast<u32>(random_()); /* its upper bits say what is indexed */
		if (random_() & 1)
			w.set_exec(~u64{0});
		for (unsigned r = 0; r < w.vgprs; r++) {
			const u32 base = value(r & 1);
			for (unsigned lane = 0; lane < 64; lane++)
				m_.v(r, lane) = random_() & 15 ? base + lane * 4 * (random_() & 1) : value(r & 1);
		}
	}

	/** Registers come in pairs that often are an address: data, LDS aperture, scratch aperture. */
	u32 value(bool high)
	{
		switch (random_() % 6) {
		case 0: return high ? 0x10000000 : static_cast<u32>(random_() & 0x1ff);
		case 1: return high ? 0x20000000 : static_cast<u32>(random_() & 0xfff);
		case 2: return static_cast<u32>(random_());
		default: return high ? 1 : static_cast<u32>(random_() % 16500);
		}
	}

	std::mt19937_64 random_;
	Machine m_;
};

TEST(Fuzz, RandomWordsHarmNothing)
{
	const u64 rounds = environment("ISA_FUZZ_ROUNDS", 20'000), seed = environment("ISA_FUZZ_SEED", 1);

	/* Few registers, so that many numbers are beyond; and all, so that any number and any index is within. */
	for (unsigned vgprs : {24u, 256u}) {
		Fuzz fuzz(seed, vgprs);

		for (u64 i = 0; i < rounds && !testing::Test::HasFatalFailure(); i++)
			fuzz.round();
	}
}

/** The function that libFuzzer calls (make fuzz-words), on inputs that are only random. */
TEST(Fuzz, FewWordsAtATime)
{
	std::mt19937_64 random(environment("ISA_FUZZ_SEED", 1));
	uint8_t input[max_input];

	for (u64 i = environment("ISA_FUZZ_ROUNDS", 20'000); i; i--) {
		const size_t words = 1 + random() % max_words;

		for (unsigned n = 0; n < 4; n++)
			input[n] = static_cast<uint8_t>(random());
		for (size_t n = 0; n < words; n++) {
			const u32 word = random() & 7 ? likely_word(random) : static_cast<u32>(random());
			std::memcpy(input + 4 + 4 * n, &word, sizeof(word));
		}
		run_words(input, 4 + 4 * words);
	}
}

} // namespace
} // namespace isa_test
