// SPDX-License-Identifier: MIT
/* complaints_test.cpp - lines of the driver's file, and the report that is made of them. */
#include <gtest/gtest.h>

#include <sstream>

#include <nlohmann/json.hpp>

#include <kfdm/lab.hpp>

#include "view/fidelity.hpp"

using namespace kfdm;
using namespace kfdm::view;

namespace {

Complaints parsed(const std::string &text)
{
	std::istringstream in(text);

	return parse_complaints(in);
}

const char *const lines = "0\tbad_instruction\t3\t8\t0x7f00\t0xf0800f00\n"
			  "0\tvm_fault\t1\t9\t0x1000\t0x0\n"
			  "-\trefused\t2\t0\tAMDKFD_IOC_CRIU_OP\t0x1\n";

Used used_with(std::initializer_list<Counter> counters)
{
	Used used = {"vega20", "gfx906", 1, std::vector<uint64_t>(static_cast<size_t>(Counter::Count))};

	for (Counter counter : counters)
		used.counters[static_cast<size_t>(counter)] = 5;
	return used;
}

bool mentions(const std::vector<Approximation> &all, const std::string &word)
{
	for (const Approximation &a : all)
		if (a.what.find(word) != std::string::npos)
			return true;
	return false;
}

} // namespace

TEST(Complaints, AreReadAndToldApart)
{
	const Complaints all = parsed(lines);

	ASSERT_EQ(all.size(), 3u);
	EXPECT_EQ(all[0].count, 3u);
	EXPECT_TRUE(all[0].is_missing());
	EXPECT_FALSE(all[1].is_missing()) << "the program's own mistake";
	EXPECT_TRUE(all[2].is_missing());
	EXPECT_EQ(all[2].text(), "AMDKFD_IOC_CRIU_OP 0x1: Linux's driver does this, the model's does not, 2 times");
	EXPECT_NE(all[1].text().find("0x1000"), std::string::npos);
}

TEST(Complaints, OfAnUnknownKindCountAsMissing) { EXPECT_TRUE(parsed("0\tbrand_new\t1\t0\t0x0\t0x0\n")[0].is_missing()); }

TEST(Complaints, OtherTextIsAnError)
{
	EXPECT_THROW(parsed("0\tvm_fault\tmany\t9\t0x1000\t0x0\n"), std::system_error);
	EXPECT_THROW(parsed("what?\n"), std::system_error);
	EXPECT_TRUE(parsed("").empty());
}

TEST(Complaints, SinceIsWhatCameAfter)
{
	const Complaints before = parsed(lines), after = parsed("0\tbad_instruction\t5\t8\t0x7f00\t0xf0800f00\n"
								"0\tvm_fault\t1\t9\t0x1000\t0x0\n"
								"0\tvm_fault\t1\t9\t0x5000\t0x0\n");
	const Complaints new_ones = since(before, after);

	ASSERT_EQ(new_ones.size(), 2u);
	EXPECT_EQ(new_ones[0].count, 2u);
	EXPECT_EQ(new_ones[1].subject, "0x5000");
}

TEST(Fidelity, OnlyWhatWasUsedIsTold)
{
	EXPECT_TRUE(approximations_of(used_with({})).empty());
	EXPECT_TRUE(mentions(approximations_of(used_with({Counter::Waves})), "Times are virtual"));
	EXPECT_FALSE(mentions(approximations_of(used_with({Counter::Waves})), "coherent"));
	EXPECT_TRUE(mentions(approximations_of(used_with({Counter::Vmem})), "coherent"));
	Used rdna = used_with({Counter::Waves});
	EXPECT_FALSE(mentions(approximations_of(rdna), "RDNA"));
	for (const char *isa : {"gfx1030", "gfx1100"}) {
		rdna.isa = isa;
		EXPECT_TRUE(mentions(approximations_of(rdna), "RDNA")) << isa;
	}
}

TEST(Fidelity, TextAndJsonSayTheSame)
{
	const Used used = used_with({Counter::Waves, Counter::AqlPackets});
	const std::string text = fidelity_text(used, parsed(lines));
	const auto json = nlohmann::json::parse(fidelity_json(used, parsed(lines)));

	EXPECT_NE(text.find("vega20 (gfx906)"), std::string::npos);
	EXPECT_NE(text.find("0xf0800f00"), std::string::npos);
	EXPECT_LT(text.find("AMDKFD_IOC_CRIU_OP"), text.find("complained about")) << "under what is missing";
	EXPECT_GT(text.find("0x1000"), text.find("complained about"));
	EXPECT_EQ(json["not_in_the_model"].size(), 2u);
	EXPECT_EQ(json["complaints"].size(), 1u);
	EXPECT_EQ(json["approximated"].size(), approximations_of(used).size());
	EXPECT_EQ(json["used"]["waves"], 5);
}
