// SPDX-License-Identifier: MIT
/* folder_test.cpp - a sweep's folder: what it refuses, what it knows of rows, the merged result. */
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "sweep_folder.hpp"

using namespace kfdm::sweep;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string refusal(const std::function<void()> &work)
{
	try {
		work();
	} catch (const std::exception &error) {
		return error.what();
	}
	return "";
}

} // namespace

using SweepFolderTest = SweepFolder;

TEST_F(SweepFolderTest, GoesOnWithItself)
{
	const Definition definition = shell("true {seed}", "1-3");

	Folder::create(place / "s", definition);
	EXPECT_EQ(Folder::create(place / "s", definition).definition().rows(), 3u);
	EXPECT_EQ(Folder::open(place / "s", "kfdm").definition().difference(definition), "");
}

TEST_F(SweepFolderTest, RefusesAnotherSweep)
{
	Folder::create(place / "s", shell("true {seed}", "1-3"));
	EXPECT_THAT(refusal([&] { Folder::create(place / "s", shell("true {seed}", "1-4")); }),
		    HasSubstr("holds another sweep, its seed is 1,2,3 instead of 1,2,3,4"));
}

TEST_F(SweepFolderTest, RefusesAnotherKfdm)
{
	Definition definition = shell("true {seed}", "1-3");

	Folder::create(place / "s", definition);
	definition.kfdm = "kfdm of tomorrow";
	EXPECT_THAT(refusal([&] { Folder::create(place / "s", definition); }),
		    HasSubstr("it was made by kfdm, and this is kfdm of tomorrow"));
	EXPECT_THAT(refusal([&] { Folder::open(place / "s", "kfdm of tomorrow"); }),
		    HasSubstr("was made by kfdm, and this is kfdm of tomorrow"));
}

TEST_F(SweepFolderTest, RefusesWhatIsNone)
{
	EXPECT_THAT(refusal([&] { Folder::open(place, "kfdm"); }), HasSubstr("is no folder of a sweep"));
	EXPECT_THAT(refusal([&] { Folder::create("/proc/none", shell("true {seed}", "1")); }),
		    HasSubstr("cannot make the folder /proc/none"));
	write_whole(place / "sweep.json", "{");
	EXPECT_THAT(refusal([&] { Folder::open(place, "kfdm"); }), HasSubstr("cannot be read"));
}

TEST_F(SweepFolderTest, MergesInTheOrderOfRows)
{
	const Folder folder = Folder::create(place, shell("true {seed}", "1-3"));

	write_whole(folder.result(3), "three\n");
	write_whole(folder.result(1), "one\nand more\n");
	EXPECT_FALSE(folder.merge());
	EXPECT_FALSE(std::filesystem::exists(folder.merged()));
	EXPECT_THAT(folder.missing(), ElementsAre(2));
	write_whole(folder.result(2), "two\n");
	EXPECT_TRUE(folder.merge());
	EXPECT_EQ(read_whole(folder.merged()), "one\nand more\ntwo\nthree\n");
}

TEST_F(SweepFolderTest, FilesAppearAsAWhole)
{
	write_whole(place / "f", "old");
	struct stat before = {}, after = {};
	ASSERT_EQ(stat((place / "f").c_str(), &before), 0);
	write_whole(place / "f", "new");
	ASSERT_EQ(stat((place / "f").c_str(), &after), 0);

	EXPECT_NE(before.st_ino, after.st_ino); /* another file, not the same one written anew */
	EXPECT_EQ(read_whole(place / "f"), "new");
	EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place), {}), 1);
	std::filesystem::create_directory(place / "elsewhere");
	write_whole(place / "f", "newer", place / "elsewhere");
	EXPECT_EQ(read_whole(place / "f"), "newer");
	EXPECT_TRUE(std::filesystem::is_empty(place / "elsewhere"));
	EXPECT_THROW(write_whole(place / "none" / "f", ""), std::system_error);
}
