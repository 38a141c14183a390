// SPDX-License-Identifier: MIT
/*
 * syzkaller.hpp - what syzkaller takes of this folder: the descriptions in its sys/linux, with the values of their names, and programs in
 * its text form (prog/encoding.go there; docs/program_syntax.md).
 */
#pragma once

#include <optional>
#include <string>

#include "program.hpp"

namespace kfdm::fuzz {

/**
 * A program in syzkaller's text form; nothing, if it needs what only this executor has: several processes, descriptors that are sent, files
 * of root.
 */
std::optional<std::string> to_syzkaller(const Description &description, const Program &program);

/** The text of a description without the calls that only this executor has. */
std::string description_for_syzkaller(const std::string &text);

/** The `.const` file of a description: the values of the names that are in it, for amd64. */
std::string constants_for_syzkaller(const std::string &text);

} // namespace kfdm::fuzz
