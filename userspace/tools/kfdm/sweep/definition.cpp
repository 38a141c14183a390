// SPDX-License-Identifier: MIT
/* definition.cpp - see definition.hpp. */
#include "definition.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kfdm::sweep {

namespace {

std::vector<std::string> split(const std::string &text)
{
	std::vector<std::string> parts;

	for (size_t at = 0, comma = 0; comma != std::string::npos; at = comma + 1) {
		comma = text.find(',', at);
		parts.push_back(text.substr(at, comma - at));
		if (parts.back().empty())
			throw Refusal(text.empty() ? "a list is empty" : fmt::format("the list \"{}\" has an empty value", text));
	}
	return parts;
}

void check_once(const std::vector<std::string> &values)
{
	std::set<std::string> seen;

	for (const std::string &value : values)
		if (!seen.insert(value).second)
			throw Refusal(value + " is there twice");
}

/* FIRST, FIRST-LAST or FIRST-LAST:STEP. */
struct Range {
	uint64_t first = 0, last = 0, step = 1;
};

Range parse_range(const std::string &text)
{
	const char *at = text.data(), *const end = at + text.size();
	Range range;
	const auto number = [&](uint64_t *value) {
		const auto [next, error] = std::from_chars(at, end, *value);

		if (error != std::errc())
			throw Refusal(text + " is no number, FIRST-LAST or FIRST-LAST:STEP");
		at = next;
	};

	number(&range.first);
	range.last = range.first;
	if (at != end && *at == '-') {
		at++;
		number(&range.last);
		if (at != end && *at == ':') {
			at++;
			number(&range.step);
		}
	}
	if (at != end || range.last < range.first || !range.step)
		throw Refusal(text + " is no number, FIRST-LAST or FIRST-LAST:STEP");
	if ((range.last - range.first) / range.step >= Definition::most_rows)
		throw Refusal(fmt::format("{} are more than {} numbers", text, Definition::most_rows));
	return range;
}

std::vector<uint64_t> numbers(const std::string &text)
{
	std::vector<uint64_t> all;

	for (const std::string &part : split(text)) {
		const Range range = parse_range(part);

		for (uint64_t i = 0; i <= (range.last - range.first) / range.step; i++)
			all.push_back(range.first + i * range.step);
	}
	return all;
}

/* @word with {NAME} replaced where @places has NAME; other braces stay, as awk and JSON have them. */
std::string expand(const std::string &word, const std::map<std::string, std::string> &places)
{
	std::string text;

	for (size_t at = 0; at < word.size();) {
		const size_t end = word[at] == '{' ? word.find('}', at) : std::string::npos;
		const auto place = end == std::string::npos ? places.end() : places.find(word.substr(at + 1, end - at - 1));

		if (place == places.end()) {
			text += word[at++];
		} else {
			text += place->second;
			at = end + 1;
		}
	}
	return text;
}

/* A list for a sentence. */
std::string brief(const std::vector<std::string> &values)
{
	const std::string text = fmt::format("{}", fmt::join(values, ","));

	return text.size() <= 60 ? text : fmt::format("{}...{} ({} values)", values.front(), values.back(), values.size());
}

bool is_name(const std::string &name)
{
	return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
}

} // namespace

std::vector<std::string> parse_values(const std::string &text)
{
	std::vector<std::string> values = split(text);

	check_once(values);
	return values;
}

std::vector<std::string> parse_numbers(const std::string &text)
{
	std::vector<std::string> values;

	for (uint64_t number : numbers(text))
		values.push_back(std::to_string(number));
	check_once(values);
	return values;
}

std::string rows_text(const std::vector<size_t> &rows)
{
	std::string text;

	for (size_t i = 0; i < rows.size(); i++) {
		size_t last = i;

		while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1)
			last++;
		text += fmt::format("{}{}", text.empty() ? "" : ",", rows[i]);
		if (last > i)
			text += fmt::format("-{}", rows[last]);
		i = last;
	}
	return text;
}

std::vector<size_t> parse_rows(const std::string &text)
{
	const std::vector<uint64_t> rows = numbers(text);

	return {rows.begin(), rows.end()};
}

void Definition::check() const
{
	static const std::set<std::string> reserved = {"row", "result", "json", "work", "kfdm"};
	std::set<std::string> seen;

	if (axes.empty())
		throw Refusal("nothing varies: give --chips, --masks, --seeds or --each NAME=LIST");
	for (const Axis &axis : axes) {
		if (!is_name(axis.name))
			throw Refusal(fmt::format("\"{}\" is no name: small letters, digits, _ and -", axis.name));
		if (reserved.contains(axis.name))
			throw Refusal(fmt::format("{{{}}} has its own meaning: choose another name", axis.name));
		if (!seen.insert(axis.name).second)
			throw Refusal(axis.name + " is given twice");
		if (!uses(axis.name))
			throw Refusal(fmt::format("the command has no {{{}}}: its rows would all be the same", axis.name));
	}
	size_t count = 1;
	for (const Axis &axis : axes)
		if ((count *= axis.values.size()) > most_rows)
			throw Refusal(fmt::format("a sweep has at most {} rows", most_rows));
}

size_t Definition::rows() const
{
	size_t count = 1;

	for (const Axis &axis : axes)
		count *= axis.values.size();
	return count;
}

std::vector<std::pair<std::string, std::string>> Definition::values(size_t row) const
{
	std::vector<std::pair<std::string, std::string>> result(axes.size());
	size_t index = row - 1;

	for (size_t i = axes.size(); i--; index /= axes[i].values.size())
		result[i] = {axes[i].name, axes[i].values[index % axes[i].values.size()]};
	return result;
}

std::string Definition::describe(size_t row) const
{
	std::string text;

	for (const auto &[name, value] : values(row))
		text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
	return text;
}

std::vector<std::string> Definition::command_of(size_t row, const std::map<std::string, std::string> &places) const
{
	std::map<std::string, std::string> all = places;
	std::vector<std::string> words;

	all["row"] = std::to_string(row);
	for (const auto &[name, value] : values(row))
		all[name] = value;
	for (const std::string &word : command)
		words.push_back(expand(word, all));
	return words;
}

bool Definition::uses(const std::string &name) const
{
	return std::any_of(command.begin(), command.end(),
			   [&](const std::string &word) { return word.find("{" + name + "}") != std::string::npos; });
}

std::string Definition::difference(const Definition &other) const
{
	if (other.kfdm != kfdm)
		return fmt::format("it was made by {}, and this is {}", other.kfdm, kfdm);
	if (other.command != command)
		return fmt::format("its command is '{}' instead of '{}'", fmt::join(other.command, " "), fmt::join(command, " "));
	for (size_t i = 0; i < axes.size() && i < other.axes.size(); i++) {
		if (axes[i].name != other.axes[i].name)
			return fmt::format("it varies {} instead of {}", other.axes[i].name, axes[i].name);
		if (axes[i].values != other.axes[i].values)
			return fmt::format("its {} is {} instead of {}", axes[i].name, brief(other.axes[i].values), brief(axes[i].values));
	}
	return axes.size() == other.axes.size() ? "" : "it varies other things";
}

json Definition::to_json() const
{
	json text = {{"kfdm", kfdm}, {"command", command}, {"axes", json::array()}};

	for (const Axis &axis : axes)
		text["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
	return text;
}

Definition Definition::from_json(const json &text)
{
	Definition result = {text.at("kfdm"), text.at("command").get<std::vector<std::string>>(), {}};

	for (const json &axis : text.at("axes"))
		result.axes.push_back({axis.at("name"), axis.at("values").get<std::vector<std::string>>()});
	return result;
}

} // namespace kfdm::sweep
