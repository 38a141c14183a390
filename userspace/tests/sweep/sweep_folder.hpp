// SPDX-License-Identifier: MIT
/* sweep_folder.hpp - a temporary folder for a test's sweeps. */
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sweep/folder.hpp"

class SweepFolder : public testing::Test {
protected:
	SweepFolder()
	{
		std::string name = (std::filesystem::temp_directory_path() / "sweep_test.XXXXXX").string();

		if (!mkdtemp(name.data()))
			throw std::runtime_error("mkdtemp");
		place = name;
	}
	~SweepFolder() override { std::filesystem::remove_all(place); }

	/* A command of the shell for each seed. */
	static kfdm::sweep::Definition shell(const std::string &command, const std::string &seeds)
	{
		return {"kfdm", {"sh", "-c", command}, {{"seed", kfdm::sweep::parse_numbers(seeds)}}};
	}

	std::filesystem::path place;
};
