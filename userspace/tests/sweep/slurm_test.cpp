// SPDX-License-Identifier: MIT
/* slurm_test.cpp - the script for Slurm. */
#include <gmock/gmock.h>

#include "sweep/slurm.hpp"
#include "sweep_folder.hpp"

using namespace kfdm::sweep;
using testing::HasSubstr;

using SweepSlurm = SweepFolder;

TEST_F(SweepSlurm, TheScript)
{
	const Folder folder = Folder::create(place / "it's 5%", shell("true {seed}", "1-9"));
	const std::string script = slurm_script(folder, {1, 2, 3, 5, 7, 8, 9}, "/opt/kfdm", "/home",
						{.chunk = 3, .at_once = 2, .options = {"--time=10", "-p short"}});

	EXPECT_EQ(script,
		  "#!/bin/bash\n"
		  "# Written by kfdm sweep: 7 rows in 3 tasks. A task runs the rows of its line, and leaves out those that have a result.\n"
		  "#SBATCH --job-name=kfdm-sweep\n"
		  "#SBATCH --array=0-2%2\n"
		  "#SBATCH --ntasks=1\n"
		  "#SBATCH \"--chdir=/home\"\n"
		  "#SBATCH \"--output=" +
			  place.string() +
			  "/it's 5%%/slurm-%A_%a.log\"\n"
			  "#SBATCH --time=10\n"
			  "#SBATCH -p short\n"
			  "rows=(\n1-3\n5,7-8\n9\n)\n"
			  "exec /opt/kfdm sweep --folder '" +
			  place.string() + "/it'\\''s 5%' --rows \"${rows[SLURM_ARRAY_TASK_ID]}\"\n");
}

TEST_F(SweepSlurm, AtMostAThousandTasks)
{
	const Folder folder = Folder::create(place, shell("true {seed}", "1-2500"));

	EXPECT_THAT(slurm_script(folder, folder.missing(), "kfdm", "/", {}), HasSubstr("--array=0-833\n"));
	EXPECT_THAT(slurm_script(folder, {1, 2}, "kfdm", "/", {}), HasSubstr("--array=0-1\n"));
	EXPECT_THAT(slurm_script(folder, {1, 2}, "kfdm", "/", {.chunk = 100}), HasSubstr("--array=0-0\n"));
}

TEST_F(SweepSlurm, WhatCannotBeInAScript)
{
	const Folder folder = Folder::create(place, shell("true {seed}", "1"));
	const Folder quoted = Folder::create(place / "a\"b", shell("true {seed}", "1"));

	EXPECT_THROW(slurm_script(folder, {1}, "kfdm", "/", {.options = {"time=10"}}), Refusal);
	EXPECT_THROW(slurm_script(folder, {1}, "kfdm", "/", {.options = {"--time=10\nrm"}}), Refusal);
	EXPECT_THROW(slurm_script(folder, {1}, "kfdm", "/a\nb", {}), Refusal);
	EXPECT_THROW(slurm_script(quoted, {1}, "kfdm", "/", {}), Refusal);
}

TEST(SweepShell, Words)
{
	EXPECT_EQ(shell_word("/a/b-c.d_1=2"), "/a/b-c.d_1=2");
	EXPECT_EQ(shell_word(""), "''");
	EXPECT_EQ(shell_word("a b"), "'a b'");
	EXPECT_EQ(shell_word("it's $1"), "'it'\\''s $1'");
}
