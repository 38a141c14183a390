// SPDX-License-Identifier: MIT
/* definition_test.cpp - lists, rows, commands, and how two sweeps differ. */
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweep/definition.hpp"
#include "sweep/identity.hpp"

using namespace kfdm::sweep;
using testing::ElementsAre;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Definition small()
{
	return {"kfdm 1", {"run", "--chip={chip}", "{seed}", "{row}:{json}"}, {{"chip", {"a", "b"}}, {"seed", {"1", "2", "3"}}}};
}

} // namespace

TEST(SweepLists, OfValues)
{
	EXPECT_THAT(parse_values("b,a"), ElementsAre("b", "a"));
	for (const char *bad : {"", ",", "a,", ",a", "a,,b", "a,b,a"})
		EXPECT_THROW(parse_values(bad), Refusal) << bad;
}

TEST(SweepLists, OfNumbers)
{
	EXPECT_THAT(parse_numbers("7,1-3,10-20:5"), ElementsAre("7", "1", "2", "3", "10", "15", "20"));
	EXPECT_THAT(parse_numbers("1-10:4"), ElementsAre("1", "5", "9"));
	EXPECT_THAT(parse_numbers("18446744073709551614-18446744073709551615"),
		    ElementsAre("18446744073709551614", "18446744073709551615"));
	for (const char *bad :
	     {"", "x", "1-", "-1", "3-1", "1-3:0", "1-3:", "1:2", "1-2-3", "1 ", "1,1", "1-3,2", "18446744073709551616", "0-9999999"})
		EXPECT_THROW(parse_numbers(bad), Refusal) << bad;
}

TEST(SweepLists, OfRows)
{
	EXPECT_EQ(rows_text({1, 2, 3, 5, 7, 8}), "1-3,5,7-8");
	EXPECT_EQ(rows_text({}), "");
	EXPECT_THAT(parse_rows("1-3,5,7-8"), ElementsAre(1, 2, 3, 5, 7, 8));
}

TEST(SweepDefinition, TheLastAxisIsTheFastest)
{
	const Definition d = small();

	ASSERT_EQ(d.rows(), 6u);
	EXPECT_EQ(d.values(1), (Pairs{{"chip", "a"}, {"seed", "1"}}));
	EXPECT_EQ(d.values(3), (Pairs{{"chip", "a"}, {"seed", "3"}}));
	EXPECT_EQ(d.values(4), (Pairs{{"chip", "b"}, {"seed", "1"}}));
	EXPECT_EQ(d.values(6), (Pairs{{"chip", "b"}, {"seed", "3"}}));
	EXPECT_EQ(d.describe(6), "chip=b seed=3");
}

TEST(SweepDefinition, PlacesInCommands)
{
	Definition d = small();

	EXPECT_THAT(d.command_of(5, {{"json", "/f"}}), ElementsAre("run", "--chip=b", "2", "5:/f"));
	/* What is put in is not looked at again, and other braces stay. */
	d.command = {"{chip}{seed}", "{\"x\": {seed}}", "{ print }", "{", "{seed"};
	d.axes[0].values = {"{seed}"};
	EXPECT_THAT(d.command_of(2, {}), ElementsAre("{seed}2", "{\"x\": 2}", "{ print }", "{", "{seed"));
}

TEST(SweepDefinition, WhatIsRefused)
{
	const auto refused = [](const std::vector<Axis> &axes) {
		EXPECT_THROW((Definition{"", {"{a}", "{b}", "{row}", "{A}"}, axes}.check()), Refusal);
	};

	EXPECT_NO_THROW((Definition{"", {"{a}"}, {{"a", {"1"}}}}.check()));
	refused({});
	refused({{"a", {"1"}}, {"a", {"2"}}});
	refused({{"c", {"1"}}}); /* the command has none */
	refused({{"row", {"1"}}});
	refused({{"A", {"1"}}});
	refused({{"a", std::vector<std::string>(1000, "1")}, {"b", std::vector<std::string>(1000, "1")}});
}

TEST(SweepDefinition, ThroughAFile)
{
	const Definition d = small(), again = Definition::from_json(json::parse(d.to_json().dump()));

	EXPECT_EQ(d.difference(again), "");
	EXPECT_EQ(again.axes, d.axes);
}

TEST(SweepDefinition, DifferencesAreNamed)
{
	const Definition d = small();
	Definition other = d;

	other.kfdm = "kfdm 2";
	EXPECT_EQ(d.difference(other), "it was made by kfdm 2, and this is kfdm 1");
	other = d;
	other.axes[1].values = {"1", "3"};
	EXPECT_EQ(d.difference(other), "its seed is 1,3 instead of 1,2,3");
	other.axes[1].values = parse_numbers("1-1000");
	EXPECT_EQ(d.difference(other), "its seed is 1...1000 (1000 values) instead of 1,2,3");
	other = d;
	other.axes.pop_back();
	EXPECT_EQ(d.difference(other), "it varies other things");
	other = d;
	other.command = {"walk", "{chip}", "{seed}"};
	EXPECT_EQ(d.difference(other), "its command is 'walk {chip} {seed}' instead of 'run --chip={chip} {seed} {row}:{json}'");
}

TEST(SweepIdentity, HasVersionAndBuild)
{
	EXPECT_EQ(identity("1.2"), identity("1.2"));
	EXPECT_THAT(identity("1.2"), testing::MatchesRegex("kfdm 1\\.2 \\(build [0-9a-f]+, device code [0-9a-z]+\\)"));
}
