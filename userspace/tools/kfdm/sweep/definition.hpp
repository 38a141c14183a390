// SPDX-License-Identifier: MIT
/*
 * definition.hpp - what a sweep is: a command, and things that vary in it (axes). Each combination of their values is a row, counted from
 * 1, the last axis fastest; what a row is follows from the definition alone, not from who runs it or with which others.
 */
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace kfdm::sweep {

using json = nlohmann::ordered_json;

/** What is asked for cannot be; what() is a sentence for the user. Failures of the system are std::system_error. */
class Refusal : public std::runtime_error {
public:
	using std::runtime_error::runtime_error;
};

/** What varies: {NAME} in the command. */
struct Axis {
	std::string name;
	std::vector<std::string> values;

	bool operator==(const Axis &) const = default;
};

/** "a,b,c". Throws Refusal for an empty list, an empty value, and one that is there twice. */
std::vector<std::string> parse_values(const std::string &text);
/** The same of numbers, with ranges as Slurm writes them: "1-8", "1-100:10" (1, 11 ... 91). */
std::vector<std::string> parse_numbers(const std::string &text);

/** Row numbers as "1-4,9", and back. Throws Refusal. */
std::string rows_text(const std::vector<size_t> &rows);
std::vector<size_t> parse_rows(const std::string &text);

struct Definition {
	static constexpr size_t most_rows = 999'999; /**< their files' names have six digits */

	std::string kfdm;		  /**< version and build of the program that began it */
	std::vector<std::string> command; /**< words with {NAME} for an axis, {row}, {json}, {work}, {kfdm} */
	std::vector<Axis> axes;

	/** Throws Refusal: no axis, too many rows, an axis that the command does not use or that is there twice. */
	void check() const;
	[[nodiscard]] size_t rows() const;
	/** Name and value of each axis in @row. */
	[[nodiscard]] std::vector<std::pair<std::string, std::string>> values(size_t row) const;
	/** "chip=vega12 seed=3", for people. */
	[[nodiscard]] std::string describe(size_t row) const;
	/** The words that run @row; @places: what {json}, {work} and {kfdm} stand for. */
	[[nodiscard]] std::vector<std::string> command_of(size_t row, const std::map<std::string, std::string> &places) const;
	[[nodiscard]] bool uses(const std::string &name) const;

	/** How @other differs, as "its seed is 1-4 instead of 1-8"; empty: it does not. */
	[[nodiscard]] std::string difference(const Definition &other) const;

	[[nodiscard]] json to_json() const;
	/** Throws nlohmann's exceptions. */
	static Definition from_json(const json &text);
};

} // namespace kfdm::sweep
