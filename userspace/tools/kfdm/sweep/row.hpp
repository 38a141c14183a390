// SPDX-License-Identifier: MIT
/*
 * row.hpp - runs one row of a sweep, and makes its result of what the command gives back.
 *
 * The result is JSON lines: what the command wrote to {json}, or the JSON objects among the lines of its standard output, each with the
 * row's number and values. A command that gives none, but ends with "N passed, M failed" as this project's tests do, has these numbers as its
 * result.
 */
#pragma once

#include <string>
#include <vector>

#include "folder.hpp"

namespace kfdm::sweep {

enum class Outcome { Done, Failed, Elsewhere };

/**
 * Runs @row, unless it has a result or somebody else runs it. @program: {kfdm}. Throws only for what is wrong with the folder: what is
 * wrong with the command is a failed row, told in its log and in attempt.json.
 */
Outcome run_row(const Folder &folder, size_t row, const std::string &program);

/** Lines of the result. @output: the standard output; @document: what is in {json}, if the command uses it. Throws if it is no JSON. */
std::string result_lines(const Definition &definition, size_t row, const std::string &output, const std::optional<std::string> &document);

} // namespace kfdm::sweep
