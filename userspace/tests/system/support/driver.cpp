// SPDX-License-Identifier: MIT
/*
 * driver.cpp - loads kfd_model anew.
 */
#include "driver.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "check.hpp"

namespace kfdm::test {

namespace {

bool shell(const std::string &command) { return std::system(command.c_str()) == 0; }

/* Processes that have ended let go of the module a moment later. amdgpu_model stays. */
bool unload()
{
	constexpr auto pause = std::chrono::milliseconds(100);
	constexpr int tries = 600;

	for (int i = 0; i < tries; i++) {
		if (shell("rmmod kfd_model 2> /dev/null"))
			return true;
		std::this_thread::sleep_for(pause);
	}
	return false;
}

} // namespace

void load_driver(const std::string &abi)
{
	if (!unload() || !shell("modprobe kfd_model abi=" + abi))
		throw std::runtime_error(fmt::format("kfd_model cannot be loaded with abi={}", abi));
}

std::string loaded_abi()
{
	std::string abi;

	std::ifstream("/sys/module/kfd_model/parameters/abi") >> abi;
	return abi;
}

ChosenDriver::ChosenDriver(const char *abi)
{
	const std::string before = loaded_abi();

	if (!abi || before == abi)
		return;
	if (geteuid())
		skip(fmt::format("is about kfd_model.abi={}, and only root can load that", abi));
	load_driver(abi);
	before_ = before;
}

ChosenDriver::~ChosenDriver()
{
	if (before_.empty())
		return;
	try {
		load_driver(before_);
	} catch (const std::exception &error) {
		fail(__FILE__, __LINE__, error.what());
	}
}

} // namespace kfdm::test
