// SPDX-License-Identifier: MIT
/* masks_test.cpp - what a CU mask is worth: by the rule of the deal, and on the silicon. */
#include <gtest/gtest.h>

#include "exp/masks.hpp"
#include "exp/report.hpp"

using namespace kfdm::exp;

namespace {

/* 13 CUs in each of eight engines, as MI210 and each die of MI250X have; two arrays of ten CUs in each of four engines. */
const ChipFacts aldebaran = {"aldebaran", "gfx90a", 8, 13, 1700}, navi21 = {"navi21", "gfx1030", 8, 10, 2250, 2, 0, 2};

} // namespace

TEST(MaskModel, IsReadFromText)
{
	const MaskModel model = parse_mask_model("0.5 + 12e1/x");

	EXPECT_DOUBLE_EQ(model.a, 0.5);
	EXPECT_DOUBLE_EQ(model.b, 120);
	EXPECT_DOUBLE_EQ(model.ms(60), 2.5);
	for (const char *bad : {"", "1", "a+b/x", "1+2", "1+/x", "1+2/y", "-1+2/x", "1+0/x", "1+2/x2", "1e999+1/x"})
		EXPECT_THROW(parse_mask_model(bad), std::system_error) << bad;
}

TEST(MaskModel, MasksAreReadFromText)
{
	EXPECT_EQ(parse_mask(aldebaran, "0x1f00000003"), (CuMask{3, 0x1f, 0, 0}));
	EXPECT_EQ(parse_mask(aldebaran, "80000000000000000000000000"), (CuMask{0, 0, 0, 0x80}));
	for (const char *bad : {"", "0x", "0", "g", "100000000000000000000000000"})
		EXPECT_THROW(parse_mask(aldebaran, bad), std::system_error) << bad;
}

/* Engines that are dealt to, times the fewest CUs of one. */
TEST(MaskModel, WorthByTheRule)
{
	EXPECT_EQ(worth_by_rule(aldebaran, low_mask(aldebaran, 13)), 8u); /* two, two, two, two, two, one, one, one */
	EXPECT_EQ(worth_by_rule(aldebaran, low_mask(aldebaran, 26)), 24u);
	EXPECT_EQ(worth_by_rule(aldebaran, high_mask(aldebaran, 13)), 8u);
	EXPECT_EQ(worth_by_rule(aldebaran, packed_mask(aldebaran, 14)), 2u);
	EXPECT_EQ(worth_by_rule(navi21, low_mask(navi21, 80)), 80u);
	EXPECT_EQ(worth_by_rule(navi21, low_mask(navi21, 12)), 8u); /* WGPs in arrays 0 to 5: two engines have two, two have one */
}

TEST(MaskModel, ChosenMasksAreDealtToEvenly)
{
	for (const ChipFacts &facts : {aldebaran, navi21})
		for (unsigned count = 2; count <= facts.cus(); count += 2) {
			const EvenShape shape = best_shape(facts, count);
			const CuMask mask = even_mask(facts, shape);

			EXPECT_EQ(count_cus(mask), shape.all()) << facts.name << " " << count;
			EXPECT_LE(shape.all(), count);
			EXPECT_EQ(worth_by_rule(facts, mask), shape.all()) << facts.name << " " << count;
			EXPECT_GE(shape.all(), worth_by_rule(facts, low_mask(facts, count)));
		}
	EXPECT_EQ(best_shape(aldebaran, 13).all(), 13u); /* one whole engine */
}

/* On the silicon; 2.94 was measured on an MI250X. */
TEST(MaskModel, SiliconAgrees)
{
	auto machine = silicon_machine("aldebaran");
	const ChipFacts &facts = machine->facts();
	MaskWorth worth(*machine);
	const double half = worth(low_mask(facts, 13)), whole = worth(low_mask(facts, 26));

	EXPECT_NEAR(whole / half, 2.94, 0.06);
	EXPECT_NEAR(worth(packed_mask(facts, 13)), 13, 0.65);
	EXPECT_NEAR(worth(packed_mask(facts, 14)), 2, 0.1);
}

TEST(MaskModel, WgpsOfAnEngineCountTogether)
{
	auto machine = silicon_machine("navi21");
	const ChipFacts &facts = machine->facts();
	MaskWorth worth(*machine);

	ASSERT_EQ(facts.shader_engines(), 4u);
	EXPECT_NEAR(worth(low_mask(facts, 2)), 2, 0.01);
	EXPECT_NEAR(worth(low_mask(facts, 12)), 8, 0.4);
	EXPECT_NEAR(worth(even_mask(facts, {3, 4})), 12, 0.6);
}

TEST(MaskModel, GivenMasksAlone)
{
	const Report report = report_masks_of_model(*silicon_machine("vega12", 2), {.model = "1+8/x", .masks = {"0x1f"}});

	ASSERT_EQ(report.json["masks"].size(), 1u);
	EXPECT_EQ(report.json["masks"][0]["rule"], 4); /* two CUs in one engine, one in each other */
	EXPECT_NEAR(report.json["masks"][0]["ms"].get<double>(), 3, 0.1);
	EXPECT_TRUE(report.pictures.empty());
}

/* The same seed the same file, another one another sample of the same lengths. */
TEST(MaskModel, SeedsAreSamples)
{
	const auto run = [](uint32_t seed) {
		return report_masks_of_model(*silicon_machine("vega12", 2), {.seed = seed, .masks = {"0x1f"}}).json;
	};
	const auto first = run(0), other = run(1);

	EXPECT_EQ(first.dump(), run(0).dump());
	EXPECT_NE(first.dump(), other.dump());
	EXPECT_NEAR(other["masks"][0]["worth"].get<double>() / first["masks"][0]["worth"].get<double>(), 1, 0.05);
}
