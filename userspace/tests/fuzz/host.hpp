// SPDX-License-Identifier: MIT
/*
 * host.hpp - the fuzzer outside of virtual machines: starts them, keeps what they report.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kfdm::fuzz {

struct Campaign {
	std::string folder;
	uint64_t seconds, vm_seconds, seed;
	std::vector<std::string> options; /**< of qemu/vm */
};

/**
 * Fuzzes until the time is over. Each report of a kernel is a folder of crashes/: the kernel's words, the programs before it.
 * The exit code: 0 if there was none.
 */
int run_machines(const Campaign &campaign);

/** Boots a VM for each attempt to leave something out; prints what is left. */
int minimise_crash(const std::string &file, int times, const std::vector<std::string> &options);

} // namespace kfdm::fuzz
