// SPDX-License-Identifier: MIT
/* row_test.cpp - rows that run: their results, what fails, what is killed; the same result however the rows were split. */
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sweep/row.hpp"
#include "sweep_folder.hpp"

using namespace kfdm::sweep;
using Kind = RowState::Kind;

namespace {

/* Runs the rows in a process of its own. */
pid_t run_beside(const Folder &folder, const std::vector<size_t> &rows)
{
	const pid_t child = fork();

	if (child == 0) {
		for (const size_t row : rows)
			run_row(folder, row, "kfdm");
		_exit(0);
	}
	return child;
}

void wait_for(const std::function<bool()> &what)
{
	for (unsigned i = 0; i < 6000 && !what(); i++)
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
	ASSERT_TRUE(what());
}

/* Not if it is gone, or only its parent has not asked yet. */
bool runs(pid_t pid)
{
	std::ifstream stat(fmt::format("/proc/{}/stat", pid));
	std::string line;

	return std::getline(stat, line) && line.find(") Z") == std::string::npos;
}

} // namespace

using SweepRow = SweepFolder;

TEST_F(SweepRow, JsonLinesOfTheOutput)
{
	const Folder folder = Folder::create(
		place, shell("echo text; echo '{\"x\": {seed}}'; echo >&2 error; echo '{\"y\": [1.5]}'; echo '{'", "7"));

	ASSERT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.result(1)),
		  "{\"row\":1,\"seed\":7,\"result\":{\"x\":7}}\n{\"row\":1,\"seed\":7,\"result\":{\"y\":[1.5]}}\n");
	EXPECT_THAT(read_whole(folder.log(1)), testing::AllOf(testing::HasSubstr("text\n"), testing::HasSubstr("error\n")));
}

TEST_F(SweepRow, AFileOfJson)
{
	const Folder folder = Folder::create(place,
					     shell("printf '{\"b\": 1,\\n \"a\": {seed}}' > {json}; echo '{\"not\": \"this\"}'", "7"));

	ASSERT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.result(1)), "{\"row\":1,\"seed\":7,\"result\":{\"b\":1,\"a\":7}}\n");
}

TEST_F(SweepRow, CountsOfATest)
{
	const Folder folder = Folder::create(place, shell("echo 3 passed, 0 failed; echo 12 passed, 0 failed, 1 skipped; : {seed}", "7"));

	ASSERT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.result(1)), "{\"row\":1,\"seed\":7,\"result\":{\"passed\":12,\"failed\":0,\"skipped\":1}}\n");
}

TEST_F(SweepRow, CountsOfAPartOfTheSoak)
{
	const Folder folder = Folder::create(place,
					     shell("echo 'fuzz-gfx9.0-1 | 4 passed, 0 failed, 2 skipped; 17.3 s of 99999 s {seed}'", "7"));

	ASSERT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.result(1)), "{\"row\":1,\"seed\":7,\"result\":{\"passed\":4,\"failed\":0,\"skipped\":2}}\n");
}

TEST_F(SweepRow, AFolderOfItsOwn)
{
	const Folder folder = Folder::create(place, shell("echo {seed} > {work}/kept; ls {work} | wc -l >&2", "7"));

	ASSERT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.run(1) / "work" / "kept"), "7\n");
}

TEST_F(SweepRow, FailuresAreToldAndTriedAgain)
{
	const std::string flag = place / "flag";
	const Folder folder = Folder::create(place / "s", shell("[ {seed} = 1 ] || [ -e " + flag + " ] || exit 9", "1-2"));

	EXPECT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(run_row(folder, 2, "kfdm"), Outcome::Failed);
	EXPECT_EQ(folder.state(2).kind, Kind::Failed);
	EXPECT_EQ(folder.state(2).why, "exit code 9");
	EXPECT_EQ(json::parse(read_whole(folder.attempt(2)))["exit_code"], 9);
	EXPECT_THAT(folder.missing(), testing::ElementsAre(2));
	write_whole(flag, "");
	EXPECT_EQ(run_row(folder, 2, "kfdm"), Outcome::Done);
	EXPECT_TRUE(folder.merge());
}

TEST_F(SweepRow, WhatCannotBeRunFails)
{
	const Folder none = Folder::create(place / "none", {"kfdm", {"/no/such/program", "{seed}"}, {{"seed", {"1"}}}});
	const Folder killed = Folder::create(place / "killed", shell("kill -9 $$; : {seed}", "1"));
	const Folder no_json = Folder::create(place / "no_json", shell(": {json} {seed}", "1"));
	const Folder bad_json = Folder::create(place / "bad_json", shell("echo '{\"x\": ' > {json}; : {seed}", "1"));

	for (const Folder *folder : {&none, &killed, &no_json, &bad_json})
		EXPECT_EQ(run_row(*folder, 1, "kfdm"), Outcome::Failed);
	EXPECT_EQ(none.state(1).why, "exit code 127");
	EXPECT_THAT(read_whole(none.log(1)), testing::HasSubstr("cannot run /no/such/program"));
	EXPECT_EQ(killed.state(1).why, "killed by signal 9");
	EXPECT_THAT(no_json.state(1).why, testing::HasSubstr("no result"));
	EXPECT_THAT(bad_json.state(1).why, testing::HasSubstr("no result"));
}

/* Whoever runs the row is killed in the middle: nothing half is left, the command does not go on, and the row can be run again. */
TEST_F(SweepRow, KilledInTheMiddle)
{
	const std::string flag = place / "flag", alive = place / "alive";
	const std::string wait = fmt::format("[ -e {} ] || {{ echo $$ > {}.new; mv {}.new {}; exec sleep 60; }}", flag, alive, alive,
					     alive);
	const Folder folder = Folder::create(place / "s", shell("echo '{\"half\": {seed}}'; " + wait, "1"));
	const pid_t runner = run_beside(folder, {1});

	wait_for([&] { return std::filesystem::exists(alive); });
	EXPECT_EQ(folder.state(1).kind, Kind::Running);
	EXPECT_EQ(run_row(folder, 1, "kfdm"), Outcome::Elsewhere);
	kill(runner, SIGKILL);
	waitpid(runner, nullptr, 0);
	wait_for([&] { return !runs(std::stoi(read_whole(alive))); });
	EXPECT_EQ(folder.state(1).kind, Kind::Broken);
	EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "rows"));
	write_whole(flag, "");
	EXPECT_EQ(run_row(folder, 1, "kfdm"), Outcome::Done);
	EXPECT_EQ(read_whole(folder.result(1)), "{\"row\":1,\"seed\":1,\"result\":{\"half\":1}}\n");
}

/* One after the other, the other way round, and in processes at a time, some rows by two of them. */
TEST_F(SweepRow, TheSameHoweverItIsSplit)
{
	const std::vector<std::vector<std::vector<size_t>>> ways = {
		{{1, 2, 3, 4, 5, 6}}, {{6, 5, 4, 3, 2, 1}}, {{1, 4}, {2, 5}, {6, 3}}, {{1, 2, 3, 4}, {3, 4, 5, 6, 1}}};
	const Definition definition = {"kfdm",
				       {"sh", "-c", "echo '{\"pid\": 0, \"of\": \"{chip}{seed}\"}'; echo $$ >&2"},
				       {{"chip", {"b", "a"}}, {"seed", {"3", "1", "2"}}}};
	std::string merged;

	for (size_t way = 0; way < ways.size(); way++) {
		const Folder folder = Folder::create(place / std::to_string(way), definition);
		std::vector<pid_t> children;

		for (const std::vector<size_t> &rows : ways[way])
			children.push_back(run_beside(folder, rows));
		for (const pid_t child : children)
			waitpid(child, nullptr, 0);
		ASSERT_TRUE(folder.merge()) << way;
		if (!way)
			merged = read_whole(folder.merged());
		EXPECT_EQ(read_whole(folder.merged()), merged) << way;
	}
	EXPECT_TRUE(merged.starts_with("{\"row\":1,\"chip\":\"b\",\"seed\":3,\"result\":{\"pid\":0,\"of\":\"b3\"}}\n"));
}
