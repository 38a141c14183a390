// SPDX-License-Identifier: MIT
/*
 * files.hpp - text files of sysfs, debugfs and tracefs.
 */
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace kfdm::test {

/** The whole file. Throws what open() says. */
[[nodiscard]] std::string read_file(const std::string &path);
void write_file(const std::string &path, const std::string &text);

/** Checks that every line of @text, which is @file's, has one of the forms (regular expressions); prints the first that does not match. */
void expect_forms(const std::string &file, const std::string &text, std::initializer_list<const char *> forms);
/** The lines of a text, without their ends. */
[[nodiscard]] std::vector<std::string> lines(const std::string &text);

} // namespace kfdm::test
